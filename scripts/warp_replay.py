"""What a warp issues and waits for, replayed from the instructions of its threads.

Lanes at one place go together, and always those go on that are furthest behind, so that lanes which
have parted meet again as soon as they can: what a compiler for GPUs aims at. Behind is by the order
of places in a function, all of a loop before what follows it; jumps are those that were seen. Loads
and stores go through caches of several sizes, each of which puts out what was not used for longest.
"""
import array
import bisect
import collections
import heapq

WARP = 32
CAPACITIES = [2**k for k in range(6, 13)]  # sectors of 32 bytes


class Functions:
    """Of the card's code: sorted (begin, end, name)."""

    def __init__(self, ranges):
        self.begins = [begin for begin, _, _ in ranges]
        # What a compiler has put aside is no function of its own.
        self.names = [name.split(" [clone .cold")[0] for _, _, name in ranges]
        self.entries = {begin for begin, _, name in ranges if ".cold" not in name}
        self.known = {}

    def of(self, place):
        name = self.known.get(place)
        if name is None:
            name = self.known[place] = self.names[bisect.bisect_right(self.begins, place) - 1]
        return name


def follow_calls(places, functions, visit):
    """visit(calls, last) for each place: calls are the places in all functions that have not returned,
    the last that of this one; last: the place before in the same call, None for its first."""
    names, calls = [], []
    for place in places:
        function = functions.of(place)
        if names and names[-1] != function and place not in functions.entries:
            while names and names[-1] != function:  # it returns
                names.pop()
                calls.pop()
        if names and names[-1] == function:
            last, calls[-1] = calls[-1], place
        else:
            last = None
            names.append(function)
            calls.append(place)
        visit(calls, last)


def components(places, following):
    """Strongly connected ones of these places, in an order in which jumps go forward (Tarjan)."""
    number, low, on_path, path, found = {}, {}, set(), [], []
    for root in places:
        if root in number:
            continue
        ways = [(root, iter(following(root)))]
        number[root] = low[root] = len(number)
        path.append(root)
        on_path.add(root)
        while ways:
            place, others = ways[-1]
            for other in others:
                if other not in number:
                    number[other] = low[other] = len(number)
                    path.append(other)
                    on_path.add(other)
                    ways.append((other, iter(following(other))))
                    break
                if other in on_path:
                    low[place] = min(low[place], number[other])
            else:
                ways.pop()
                if ways:
                    low[ways[-1][0]] = min(low[ways[-1][0]], low[place])
                if low[place] == number[place]:
                    at = path.index(place)
                    found.append(path[at:])
                    on_path.difference_update(path[at:])
                    del path[at:]
    return found[::-1]


def in_order(places, jumps, first):
    """The places, all of a loop before what follows it. first: where one begins."""
    inside = set(places)

    def following(place):
        return [p for p in jumps[place] if p in inside and p != first]

    order = []
    for component in components([first] + places, following):
        if len(component) == 1:
            order += component
            continue
        held = set(component)
        # A loop begins where others jump into it; what is first seen in the code, if several are.
        heads = [p for p in component if any(p in jumps[q] for q in inside - held)]
        order += in_order(component, jumps, min(heads or component))
    return order


class Caches:
    """One of each capacity, of sectors; counts what they have not and what they write back."""

    def __init__(self):
        self.held = {c: collections.OrderedDict() for c in CAPACITIES}
        self.loads, self.load_sectors, self.store_sectors = 0, 0, 0
        self.missed_loads = collections.Counter()  # by capacity: loads of a warp that wait for another
        self.missed_sectors = collections.Counter()
        self.written_sectors = collections.Counter()

    def use(self, loaded, stored):
        self.loads += bool(loaded)
        self.load_sectors += len(loaded)
        self.store_sectors += len(stored)
        for capacity, held in self.held.items():
            missed = [sector for sector in loaded if sector not in held]
            self.missed_loads[capacity] += bool(missed)
            self.missed_sectors[capacity] += len(missed)
            for sector in loaded:
                held[sector] = held.pop(sector, False)
            for sector in stored:
                held.pop(sector, None)
                held[sector] = True
            while len(held) > capacity:
                self.written_sectors[capacity] += held.popitem(last=False)[1]


def replay_warp(ranks, accesses, caches):
    """How often a warp issues. By lane: the ranks of its instructions, least furthest behind."""
    at = dict.fromkeys(ranks, 0)
    lanes_at = collections.defaultdict(list)  # by rank
    for lane, of in ranks.items():
        lanes_at[of[0]].append(lane)
    waiting = list(lanes_at)
    heapq.heapify(waiting)
    issued = 0
    while waiting:
        lanes = lanes_at.pop(heapq.heappop(waiting))
        issued += 1
        loaded, stored = set(), set()
        for lane in lanes:
            now = at[lane]
            for kind, sector in accesses[lane].get(now, ()):
                if kind != "S":
                    loaded.add(sector)
                if kind != "L":
                    stored.add(sector)
            at[lane] = now = now + 1
            if now < len(ranks[lane]):
                rank = ranks[lane][now]
                if rank not in lanes_at:
                    heapq.heappush(waiting, rank)
                lanes_at[rank].append(lane)
        if loaded or stored:
            caches.use(loaded, stored)
    return issued


def lanes_together(places):
    """How often a warp issues where all lanes meet wherever they can: by each place's busiest lane."""
    most = collections.Counter()
    for of_lane in places:
        most |= collections.Counter(of_lane)
    return most.total()


def ranks_of(places, functions):
    """By thread: of each place, with the calls that led there, how far it is from the beginning."""
    jumps = collections.defaultdict(lambda: collections.defaultdict(set))
    firsts = {}

    def note(calls, last):
        function = functions.of(calls[-1])
        firsts.setdefault(function, calls[-1])
        jumps[function][calls[-1]]  # is one, though none may follow
        if last is not None:
            jumps[function][last].add(calls[-1])

    for of in places.values():
        follow_calls(of, functions, note)
    number = {}
    for function, of in jumps.items():
        for k, place in enumerate(in_order(list(of), of, firsts[function])):
            number[place] = k
    numbered, known = {}, {}
    for thread, of in places.items():
        ranks = numbered[thread] = array.array("Q")
        follow_calls(of, functions, lambda calls, _: ranks.append(known.setdefault(tuple(calls), len(known))))
    order = sorted(known, key=lambda calls: [number[place] for place in calls])
    rank = {known[calls]: k for k, calls in enumerate(order)}
    return {thread: array.array("Q", (rank[k] for k in of)) for thread, of in numbered.items()}


def replay(places, accesses, ranges):
    """Of a kernel: what its warps issue and load. places[thread]: of its instructions, in order;
    accesses[thread][k]: (L, S or M, sector) of its k-th instruction; ranges: of Functions.

    Two lanes part at 1 and meet at 6; one goes twice from 7 to 9, where 8 calls 20. They meet at 10.

    >>> once, called = [1, 4, 6], [7, 8, 20, 21, 9]
    >>> seen = replay({0: [1, 2, 3, 6] + called + called + [10], 1: once + called + [10]},
    ...               {0: {1: [("L", 5)], 14: [("L", 5)]}, 1: {1: [("S", 6)], 8: [("L", 5)]}},
    ...               [(1, 11, "kernel"), (20, 30, "called")])
    >>> [seen[name] for name in ("issued", "together", "warp_loads", "missed_loads_64")]
    [16, 16, 2, 1]

    One lane leaves a loop at 2, which does not keep the others apart.

    >>> replay({0: [1, 2, 3, 4, 1, 2, 9], 1: [1, 2, 4, 1, 2, 3, 4, 1, 2, 9]}, {0: {}, 1: {}},
    ...        [(1, 11, "kernel")])["issued"]
    11
    """
    functions = Functions(ranges)
    places = {thread: of for thread, of in places.items() if of}
    ranks = ranks_of(places, functions)
    issued, together, all_caches = 0, 0, []
    for warp in sorted({thread // WARP for thread in places}):
        caches, lanes = Caches(), [thread for thread in places if thread // WARP == warp]
        issued += replay_warp({lane: ranks[lane] for lane in lanes}, accesses, caches)
        together += lanes_together([places[lane] for lane in lanes])
        all_caches.append(caches)
    number = {"issued": issued, "together": together}
    for name in ("loads", "load_sectors", "store_sectors"):
        number["warp_" + name] = sum(getattr(caches, name) for caches in all_caches)
    for name in ("missed_loads", "missed_sectors", "written_sectors"):
        for capacity in CAPACITIES:
            number[f"{name}_{capacity}"] = sum(getattr(caches, name)[capacity] for caches in all_caches)
    return number
