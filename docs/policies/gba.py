"""GBA of arXiv 2601.22996 as docs/own-policies.md reads it: classes of lengths, each by the
staggered pipeline. All requests are there at 0 and have one prompt; it knows true lengths."""

import json
import sys

GROWTH, FIRST = 2, 1  # class k has lengths up to FIRST * GROWTH^k


def say(answer):
    print(json.dumps(answer), flush=True)


def lanes(prompt, slot, memory):
    """Most lanes, evenly staggered over a slot, that memory holds at every time."""

    def fits(k):
        offsets = [i * slot // k for i in range(k)]
        return all(
            sum(prompt + 1 + (end - 1 - offset) % slot for offset in offsets) <= memory
            for end in offsets
        )

    most = 2 * memory // (2 * prompt + 1 + slot)  # by the mean that a lane holds
    return next(k for k in range(most, 0, -1) if fits(k))


def starts(requests, memory):
    """The round in which each request starts, by its id."""
    prompt, begin, limit, found = requests[0]["prompt"], 0, FIRST, {}
    while len(found) < len(requests):
        slot = min(limit, memory - prompt)
        of_class = [r for r in requests if r["output"] <= slot and r["id"] not in found]
        width = lanes(prompt, slot, memory) if of_class else 1
        for j, request in enumerate(of_class):
            found[request["id"]] = begin + (j % width) * slot // width + j // width * slot
        begin = max([begin] + [found[r["id"]] + r["output"] for r in of_class])
        limit *= GROWTH
    return found


sys.stdin.readline()
say({"asks": "decisions", "version": "1", "lists": False})
for line in sys.stdin:
    now = json.loads(line)
    if "begin" in now:
        due = {}
        continue
    if now["arrived"]:
        if now["round"] > 0 or len({r["prompt"] for r in now["arrived"]}) > 1:
            sys.exit("GBA needs every request at 0, and one prompt length")
        due = starts(now["arrived"], now["memory"])
    start = [i for i, at in due.items() if at == now["round"]]
    for i in start:
        del due[i]
    say({"start": start, "wake": min(due.values(), default=None)})
