"""First come, first served; when memory would overflow, all are cancelled."""

import json
import sys


def say(answer):
    print(json.dumps(answer), flush=True)


sys.stdin.readline()  # what the program says of itself
say({"asks": "decisions", "version": "1"})
for line in sys.stdin:
    now = json.loads(line)
    if "begin" in now:  # another instance
        continue
    free, waiting, cancel = now["free"], now["waiting"], []
    if now["overflow"]:
        cancel = [request["id"] for request in now["active"]]
        waiting = sorted(now["active"] + waiting, key=lambda r: (r["arrival"], r["id"]))
        free = now["memory"]
    start = []
    for request in waiting:
        if request["prompt"] + 1 > free:
            break
        free -= request["prompt"] + 1
        start.append(request["id"])
    say({"cancel": cancel, "start": start})
