"""The peer in Python: the round loop of bench/speed/round_loop.hh with NumPy, one candidate at a time.

Two-point outputs, prompt 0, all at 0. Usage: round_loop.py N MEMORY LOWER UPPER REPETITIONS; prints a
line a policy: its name, seconds (median of the repetitions, processor time), total latency.
"""
import sys
import time

import numpy as np


def run(output, memory, lower, upper, plan):
    """Total latency; plan(i) is the working length of the i-th entry of the queue."""
    queue = list(output)
    n = len(queue)
    usage = np.zeros(1 << 16, dtype=np.int32)
    steps = np.arange(1, upper + 1, dtype=np.int32)
    ends = [[] for _ in range(upper + 1)]
    total = done = head = t = 0
    while done < n:
        ending = ends[t % (upper + 1)]
        for o, e in ending:
            if o > e:  # not done at its planned length: back to the queue
                queue.append(o)
                continue
            if o < e:
                usage[t + 1 : t + 1 + e - o] -= steps[o:e]
            total += t
            done += 1
        ending.clear()
        if t + upper + 1 >= len(usage):
            usage = np.concatenate([usage, np.zeros_like(usage)])
        while head < len(queue):
            e = plan(head)
            window = usage[t + 1 : t + 1 + e]
            if (window + steps[:e]).max() > memory:
                break
            window += steps[:e]
            o = queue[head]
            ends[(t + min(o, e)) % (upper + 1)].append((o, e))
            head += 1
        t += 1
    return total


def main():
    n, memory, lower, upper, repetitions = map(int, sys.argv[1:6])
    ascending = [lower] * (n // 2) + [upper] * (n - n // 2)
    mixed = list(np.random.default_rng(1).permutation(ascending).tolist())
    cases = {
        "h-sf": (ascending, lambda i: ascending[i]),
        "a-max": (mixed, lambda i: upper),
        "a-ell": (mixed, lambda i: lower if i < n else upper),
    }
    for name, (output, plan) in cases.items():
        seconds = []
        for _ in range(repetitions):
            start = time.process_time()
            total = run(output, memory, lower, upper, plan)
            seconds.append(time.process_time() - start)
        print(name, sorted(seconds)[len(seconds) // 2], total, flush=True)


main()
