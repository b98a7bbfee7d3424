"""Orders of one's own against a plain simulator of the prefix rule, round by round."""

import functools
import json
from fractions import Fraction

import numpy as np
import pytest
import crx

from support import EXPERIMENT, program, write_instance


def prefix_rule(order, prompts, outputs, memory):
    """Completions by the rule of docs/model.md: in each round the longest prefix of those that wait
    is admitted for which memory holds at every later round in which a request completes. A
    request that has run for k rounds holds prompt + k tokens."""
    start = {}
    round_ = 0
    waiting = list(order)
    while waiting:
        active = [i for i in start if start[i] + outputs[i] > round_]

        def fits(more):
            for k in active + more:
                end = (start[k] if k in start else round_) + outputs[k]
                held = 0
                for i in active + more:
                    begun = start.get(i, round_)
                    if begun + outputs[i] >= end:
                        held += prompts[i] + end - begun
                if held > memory:
                    return False
            return True

        more = []
        for i in waiting:
            if not fits(more + [i]):
                break
            more.append(i)
        for i in more:
            start[i] = round_
        waiting = waiting[len(more) :]
        round_ += 1
    return [start[i] for i in range(len(outputs))]


def test_simulate_equals_the_plain_rule(rng):
    for _ in range(300):
        n = int(rng.integers(1, 9))
        prompts, outputs = rng.integers(0, 6, n), rng.integers(1, 8, n)
        memory = int((prompts + outputs).max() + rng.integers(0, 12))
        order = rng.permutation(n)
        run = crx.simulate(order, prompts, outputs, memory)
        expected = prefix_rule(order.tolist(), prompts.tolist(), outputs.tolist(), memory)
        assert run.start.tolist() == expected, (order, prompts, outputs, memory)
        assert run.total_latency == sum(expected) + outputs.sum()
        assert run.cancellations == 0


def test_a_key_in_simulate_is_the_order_that_it_makes(rng):
    for _ in range(100):
        n = int(rng.integers(1, 9))
        prompts, outputs = rng.integers(0, 6, n), rng.integers(1, 8, n)
        memory = int((prompts + outputs).max() + rng.integers(0, 12))
        run = crx.simulate("by-key", prompts, outputs, memory, key="prompt - 2 * output", plans_with="output")
        order = np.argsort(prompts - 2 * outputs, kind="stable")
        assert run.start.tolist() == prefix_rule(order.tolist(), prompts.tolist(), outputs.tolist(), memory)
    with pytest.raises(TypeError, match="keys"):
        crx.simulate("by-key", [0], [1], 3, keys="prompt")
    with pytest.raises(crx.ConfigError, match="ties"):
        crx.simulate("by-key", [0], [1], 3, key="prompt", ties="random")
    with pytest.raises(crx.ConfigError, match="key"):
        crx.simulate("mc-sf", [0], [1], 3, key="prompt")


def test_a_program_in_simulate_decides(tmp_path):
    source = tmp_path / "all_at_once.py"
    source.write_text(
        """import json, sys
sys.stdin.readline()
print(json.dumps({"asks": "decisions", "version": "1"}), flush=True)
for line in sys.stdin:
    now = json.loads(line)
    if "begin" not in now:
        print(json.dumps({"start": [r["id"] for r in now["waiting"]]}), flush=True)
"""
    )
    run = crx.simulate("program", [1, 1], [2, 3], 20, command=["python3", str(source)])
    assert run.start.tolist() == [0, 0]
    newest = crx.simulate("protect", [2, 2, 2], [4, 4, 2], 10, alpha=0.2, cancels="newest")
    assert newest.start.tolist() == [0, 4, 4]


def test_the_plain_rule_sees_another_order():
    """A planted fault: with the order turned round the comparison above would fail."""
    run = crx.simulate([0, 1], [0, 0], [2, 3], 3)
    assert run.start.tolist() != prefix_rule([1, 0], [0, 0], [2, 3], 3)


def test_the_order_of_a_file_is_the_same(rng, tmp_path):
    n = 8
    columns = {"prompt": rng.integers(0, 5, n), "output": rng.integers(1, 7, n)}
    places = rng.permutation(n)
    file = write_instance(tmp_path / "i.csv", {**columns, "order": places})
    printed = program("simulate", "--instance", file, "--memory", 20, "--policy", "own-order", "--json")
    run = crx.simulate(places.argsort(), columns["prompt"], columns["output"], 20)
    assert printed[0], printed[1]
    assert run.start.tolist() == [request["start"] for request in json.loads(printed[0])["requests"]]


def shortest_first(instance):
    return instance.outputs.argsort(kind="stable")


def drawn(instance):
    return np.random.default_rng((instance.seed, instance.number)).permutation(instance.outputs.size)


def test_shortest_first_in_python_is_mc_sf(tmp_path):
    done = crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"mine": shortest_first}, progress=False)
    table = crx.read(done).set_index(["cell", "policy", "baseline"])
    for cell in (0, 1):
        for baseline in ("h-sf", "volume"):
            mine, theirs = (table.loc[(cell, p, baseline)] for p in ("mine", "mc-sf"))
            assert mine["latency_sum"] == theirs["latency_sum"]
            assert mine["mean_of_ratios"] == theirs["mean_of_ratios"]


@pytest.mark.parametrize("threads", [1, 3])
def test_sweeps_do_not_depend_on_threads(tmp_path, threads):
    results = []
    for k in (1, threads):
        done = crx.sweep(
            EXPERIMENT, tmp_path / f"{k}.db", policies={"drawn": drawn}, threads=k, progress=False
        )
        crx.export(done, tmp_path / f"{k}.csv")
        results.append((tmp_path / f"{k}.csv").read_bytes())
    assert results[0] == results[1]


def test_a_sweep_is_that_of_single_instances(tmp_path):
    done = crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"drawn": drawn}, progress=False)
    total = 0
    for number in range(4):
        again = crx.replay(done, 0, number, "drawn", policies={"drawn": drawn})
        requests = again.instance
        instance = crx.Instance(
            *(requests[name] for name in ("prompts", "outputs", "lower", "upper", "memory")), 7, number
        )
        run = crx.simulate(drawn(instance), requests["prompts"], requests["outputs"], 30)
        assert run.start.tolist() == again.runs["drawn"].start.tolist()
        total += run.total_latency
    table = crx.read(done)
    assert table[(table.cell == 0) & (table.policy == "drawn")]["latency_sum"].tolist() == [total, total]


def test_the_program_reads_the_store_and_says_what_it_cannot(tmp_path):
    done = crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"mine": shortest_first}, progress=False)
    assert "mine" in program("rank", done.db)[0]
    assert program("check", done.db)[1] == ""
    _, message = program("replay", done.db, "--cell", 0, "--instance", 0)
    assert 'policy "mine" is a function of Python' in message
    with pytest.raises(crx.InputError, match="crx.replay"):
        crx.replay(done, 0, 0)


def test_another_function_is_run_anew(tmp_path):
    done = crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"mine": shortest_first}, progress=False)
    assert crx.sweep(EXPERIMENT, done.db, policies={"mine": drawn}, progress=False).added > 0
    assert crx.sweep(EXPERIMENT, done.db, policies={"mine": shortest_first}, progress=False).added == 0


def weighted(w):
    return lambda instance: np.argsort(w * instance.outputs, kind="stable")


class Weighted:
    w = 1

    def __call__(self, instance):
        return weighted(self.w)(instance)


class Heavier(Weighted):
    w = -1


@pytest.mark.parametrize(
    "one, other",
    [
        (weighted(1), weighted(-1)),
        (Weighted(), Heavier()),
        (functools.partial(lambda i, w: weighted(w)(i), w=1), functools.partial(lambda i, w: weighted(w)(i), w=-1)),
        (lambda i, w=1: weighted(w)(i), lambda i, w=-1: weighted(w)(i)),
    ],
    ids=["closure", "class", "partial", "default"],
)
def test_what_a_policy_holds_tells_it_from_others(tmp_path, one, other):
    def sweep(policy):
        done = crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"mine": policy}, progress=False)
        table = crx.read(done)
        return done.added, table[table["policy"] == "mine"]["latency_sum"].tolist()

    first, second, third = sweep(one), sweep(other), sweep(one)
    assert first[0] > 0 and second[0] > 0 and third[0] == 0
    assert second[1] != first[1] == third[1]


def test_what_is_no_policy_is_said(tmp_path):
    with pytest.raises(crx.ConfigError, match="function of an Instance, or an object with start"):
        crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"mine": 3}, progress=False)
    assert not (tmp_path / "a.db").exists()


def test_what_a_function_raises_is_kept(tmp_path):
    def broken(instance):
        raise ZeroDivisionError("no order here")

    with pytest.raises(crx.RunError, match="policy mine raised ZeroDivisionError: no order here") as raised:
        crx.sweep(EXPERIMENT, tmp_path / "a.db", policies={"mine": broken}, progress=False)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert "kept: 0 complete cells" in str(raised.value)
    with pytest.raises(ZeroDivisionError):
        crx.simulate(broken, 0, [1], 2)
    with pytest.raises(crx.RunError, match="ZeroDivisionError"):
        crx.search(broken, requests=3, memory=6, generations=1)


@pytest.mark.parametrize(
    "order, expected",
    [
        ([0], "an order of 1 requests for an instance of 2"),
        ([0, 0], "the order names request 0 twice"),
        ([0, 2], "the order names request 2; they are 0 .. 1"),
        ([-1, 0], "the order names request -1; they are 0 .. 1"),
        ([0.0, 1.0], "an order is an array of the requests' numbers, not float64"),
        ([[0, 1]], "an order is an array of the requests' numbers, not an array of 2 dimensions"),
    ],
)
def test_what_is_no_order(tmp_path, order, expected):
    with pytest.raises(crx.InputError) as raised:
        crx.simulate(order, 0, [1, 3], 3)
    assert str(raised.value).endswith(expected)


def test_arrivals_are_refused():
    with pytest.raises(crx.InputError, match="own-order needs every arrival at 0"):
        crx.simulate([0, 1], 0, [1, 3], 3, arrivals=[0, 1])
    with pytest.raises(crx.InputError, match="policy shortest_first: own-order needs every arrival at 0"):
        crx.simulate(shortest_first, 0, [1, 3], 3, arrivals=[0, 1])


def test_search_finds_the_worst_of_an_own_policy():
    def longest_first(instance):
        return (-instance.outputs).argsort(kind="stable")

    found = crx.search(longest_first, requests=4, memory=8, generations=1)
    run = crx.simulate(longest_first, found.prompts, found.outputs, found.memory)
    best = crx.baseline(found.prompts, found.outputs, found.memory)
    assert found.proven and best.optimal
    assert found.ratio == Fraction(run.total_latency, best.upper)
    assert found.ratio > 1.5
    again = crx.search(longest_first, requests=4, memory=8, generations=1)
    assert again.witness == found.witness
    theirs = crx.search(longest_first, "h-sf", requests=4, memory=8, generations=1)
    ours = crx.search(longest_first, shortest_first, requests=4, memory=8, generations=1)
    assert theirs.ratio == ours.ratio


class CancelsAll:
    """`protect` with alpha = 0."""

    def cancel(self, view):
        return view.active.id if view.free < 0 else []

    def start(self, view):
        return view.waiting.id[np.cumsum(view.waiting.prompt + 1) <= view.free]


class LooksAhead:
    """May not see true lengths, and says what it sees."""

    seen = []

    def start(self, view):
        self.seen.append((view.first, view.round, view.waiting.output))
        return view.waiting.id[:1] if not view.active.id.size else []


def small_with_arrivals(**more):
    workload = {**EXPERIMENT["workload"], "arrivals": {"law": "poisson-rounds", "rate": 0.5}}
    return {
        **EXPERIMENT,
        "workload": workload,
        "policy": [{"id": "protect", "alpha": 0}],
        "baselines": {"use": ["mc-sf"]},
        **more,
    }


def test_an_object_decides_as_the_policy_that_it_is(tmp_path):
    done = crx.sweep(small_with_arrivals(), tmp_path / "a.db", policies={"mine": CancelsAll()}, progress=False)
    table = crx.read(done).set_index(["policy", "memory"])
    for memory in (30, 50):
        ours, theirs = table.loc[("mine", memory)], table.loc[("protect", memory)]
        assert ours["instances"] == theirs["instances"] > 0
        assert ours["latency_sum"] == theirs["latency_sum"]
    again = crx.replay(done, 0, 1, policies={"mine": CancelsAll()})
    assert again.runs["mine"].completion.tolist() == again.runs["protect"].completion.tolist()


def test_an_object_sees_what_it_may(tmp_path):
    LooksAhead.seen.clear()
    crx.sweep(small_with_arrivals(), tmp_path / "a.db", policies={"mine": LooksAhead()}, progress=False)
    assert LooksAhead.seen and all(output is None for _, _, output in LooksAhead.seen)
    firsts = [first for first, _, _ in LooksAhead.seen]
    assert firsts[0] and not all(firsts)


def test_a_decision_that_is_none_is_refused_by_name(tmp_path):
    class Greedy:
        def start(self, view):
            return view.waiting.id

    with pytest.raises(crx.RunError, match="policy mine: round .*: it starts request"):
        crx.sweep(small_with_arrivals(), tmp_path / "a.db", policies={"mine": Greedy()}, progress=False)
