"""Smallest volume first, as an order of the whole instance."""

import json
import sys
from array import array

source, sink = sys.stdin.buffer, sys.stdout.buffer


def volume(prompt, length):
    return prompt * length + length * (length + 1) // 2


source.readline()  # what the program says of itself
print('{"asks": "order", "version": "1"}', flush=True)
while line := source.readline():
    head = json.loads(line)["order"]
    of = {}
    for name, kind in (text.split(":") for text in head["arrays"]):
        of[name] = array("q" if kind == "int64" else "i")
        of[name].frombytes(source.read(head["requests"] * of[name].itemsize))
    volumes = list(map(volume, of["prompt"], of.get("output", of["upper"])))
    order = sorted(range(head["requests"]), key=volumes.__getitem__)
    sink.write(array("i", order).tobytes())
    sink.flush()
