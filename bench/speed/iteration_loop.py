"""WAIT as a SimPy-style loop: generators that yield delays, run by an event queue.

Usage: iteration_loop.py D0_SECONDS D1_SECONDS HORIZON_SECONDS PROMPT:OUTPUT:RATE:THRESHOLD ..
Prints iterations, completed prompts and processor seconds.
"""
import heapq
import itertools
import random
import sys
import time
from collections import deque


class Environment:
    def __init__(self):
        self.now, self.events, self.order = 0.0, [], itertools.count()

    def process(self, generator):
        self.schedule(0.0, generator)

    def schedule(self, delay, generator):
        heapq.heappush(self.events, (self.now + delay, next(self.order), generator))

    def run(self, until):
        while self.events and self.events[0][0] <= until:
            self.now, _, generator = heapq.heappop(self.events)
            for delay in generator:
                self.schedule(delay, generator)
                break


class Server:
    def __init__(self, env, d0, d1, types):
        self.env, self.d0, self.d1, self.types = env, d0, d1, types
        self.stages = [[deque() for _ in range(output + 1)] for _, output, _, _ in types]
        self.busy, self.iterations, self.completed, self.latency = False, 0, 0, 0.0

    def arrive(self, j):
        self.stages[j][0].append(self.env.now)
        if not self.busy:
            self.env.process(self.serve())

    def serve(self):
        while not self.busy:
            batch, tokens = [], 0
            for j, (prompt, _, _, threshold) in enumerate(self.types):
                if len(self.stages[j][0]) < threshold:
                    continue
                for k, queue in enumerate(self.stages[j]):
                    count = min(threshold, len(queue))
                    if count:
                        batch.append((j, k, count))
                        tokens += count * (prompt + k)
            if not batch:
                return
            self.busy = True
            self.iterations += 1
            yield self.d0 + self.d1 * tokens
            self.busy = False
            for j, k, count in reversed(batch):
                for _ in range(count):
                    arrival = self.stages[j][k].popleft()
                    if k + 1 < len(self.stages[j]):
                        self.stages[j][k + 1].append(arrival)
                    else:
                        self.completed += 1
                        self.latency += self.env.now - arrival


def source(env, server, j, rate):
    while True:
        yield random.expovariate(rate)
        server.arrive(j)


def main():
    d0, d1, horizon = map(float, sys.argv[1:4])
    types = []
    for argument in sys.argv[4:]:
        prompt, output, rate, threshold = argument.split(":")
        types.append((int(prompt), int(output), float(rate), int(threshold)))
    random.seed(1)
    env = Environment()
    server = Server(env, d0, d1, types)
    for j, (_, _, rate, _) in enumerate(types):
        env.process(source(env, server, j, rate))
    begin = time.process_time()
    env.run(horizon)
    print(server.iterations, server.completed, time.process_time() - begin)


main()
