"""One instance: simulate and baseline."""

from __future__ import annotations

import html
import json as _json
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Arrays, one_of, whole
from ._orders import Instance, Order, name_of, order_array
from ._program import ConfigError, InputError, call

_LAST_NANOSECOND = 4 * 10**18
_TIMELINE = np.dtype([("time", "i8"), ("held", "i8"), ("active", "i8"), ("waiting", "i8")])
Ints = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Run:
    """What became of one instance under one policy.

    Times are rounds, or nanoseconds with a clock; memory is tokens. Sums are None where the run did
    not finish (`reason` says why); times of requests that did not complete are -1. Arrays have one
    element a request, in the order of the requests, and are empty where cohorts ran.
    """

    policy: str
    memory: int
    n: int
    seed: int
    finished: bool
    reason: str
    total_latency: Optional[int]
    makespan: Optional[int]
    first_token_latency: Optional[int]
    peak_memory: int
    cancellations: int
    wasted_tokens: int
    start: Ints  #: of the run that completed
    completion: Ints
    first_token: Ints
    cancelled: NDArray[np.int32]  #: how often
    clock: Optional[dict[str, Any]] = None
    id: str = ""  #: of the policy
    requests: dict[str, Any] = field(default_factory=dict)  #: prompts, outputs, arrivals, ..: arrays
    _more: Callable[[], dict[str, Any]] = field(default=dict, compare=False)

    @property
    def timeline(self) -> NDArray[np.void]:
        """Fields time, held (tokens), active and waiting (requests), a row an event; between two,
        every active request grows by a token a round."""
        rows: NDArray[np.void] = self._more()["timeline"]
        return rows

    @property
    def attempts(self) -> Ints:
        """Rows of request, start and end: the runs that were cancelled."""
        rows: Ints = self._more()["attempts"]
        return rows

    def json(self) -> str:
        """As `crx simulate --json` prints it, without what is of each attempt."""
        sums = ("total_latency", "makespan", "peak_memory", "cancellations", "wasted_tokens", "first_token_latency")
        document: dict[str, Any] = {"policy": self.policy, "memory": self.memory, "n": self.n, "seed": self.seed}
        document.update({name: getattr(self, name) for name in (*sums, "finished", "reason")})
        if self.clock:
            document["clock"] = self.clock
        times = [(t.tolist(), t > 0) for t in (self.start, self.completion)]
        document["requests"] = [
            {
                "id": str(i),
                "start": times[0][0][i] if times[1][1][i] else None,
                "completion": times[1][0][i] if times[1][1][i] else None,
                "cancellations": int(self.cancelled[i]),
            }
            for i in range(self.start.size)
        ]
        if self.start.size == 0:
            del document["requests"]
            document["engine"] = "cohort"
        return _json.dumps(document, indent=1, ensure_ascii=False) + "\n"

    def __repr__(self) -> str:
        end = f"total_latency = {self.total_latency}" if self.finished else f"not finished: {self.reason}"
        return f"<crx.Run of {self.policy}: n = {self.n}, {end}>"

    def _repr_html_(self) -> str:
        unit = "ns" if self.clock else "rounds"
        rows = [
            ("policy", self.policy),
            ("requests", self.n),
            ("memory M", f"{self.memory} tokens"),
            ("total latency", f"{self.total_latency} {unit}" if self.finished else f"not finished: {self.reason}"),
            ("makespan", f"{self.makespan} {unit}" if self.finished else "–"),
            ("peak memory", f"{self.peak_memory} tokens"),
            ("cancellations", f"{self.cancellations}, {self.wasted_tokens} tokens wasted"),
        ]
        return table_html(rows)


def table_html(rows: Sequence[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """A table as a notebook shows it."""
    top = "<tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in head) + "</tr>" if head else ""
    lines = ("".join(f"<td>{html.escape(str(value))}</td>" for value in row) for row in rows)
    return f"<table>{top}{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def cut(arrays: Mapping[str, NDArray[Any]], name: str, lengths: Sequence[int]) -> list[NDArray[Any]]:
    """The array of each run, of those that came one after the other."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [arrays[name][a:b] if name in arrays else np.zeros(0, np.int64) for a, b in zip(ends, ends[1:])]


def runs_of(
    result: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    requests: Sequence[dict[str, Any]],
    again: Optional[Callable[[int], dict[str, Any]]] = None,
) -> list[Run]:
    """The runs of an answer of the server. `again` gives timeline and attempts of the k-th, where
    they are not in the answer."""
    facts = result["runs"]
    lengths = [run["rows"] for run in facts]
    parts = {name: cut(arrays, name, lengths) for name in ("start", "completion", "first_token", "cancelled")}
    lists = {}
    for name, width in (("timeline", 4), ("attempt", 3)):
        whole_name = "attempts" if name == "attempt" else name
        if whole_name in arrays:
            counts = [width * k for k in result[f"{name}_lengths"]]
            lists[whole_name] = cut(arrays, whole_name, counts)
    runs = []
    for k, run in enumerate(facts):

        def more(k: int = k) -> dict[str, Any]:
            if "attempts" in lists:
                found = {name: lists[name][k] for name in ("timeline", "attempts")}
                found["timeline"] = found["timeline"].view(_TIMELINE)
                return {**found, "attempts": found["attempts"].reshape(-1, 3)}
            return again(k) if again else {}

        known: dict[str, Any] = {f.name: run[f.name] for f in fields(Run) if f.name in run}
        known.update({name: part[k] for name, part in parts.items()}, clock=run.get("clock"), id=run.get("id", run["policy"]))
        runs.append(Run(**known, requests=requests[k] if requests else {}, _more=more))
    return runs


def as_order(name: str, order: Order, arrays: Arrays, seed: int, number: int) -> Ints:
    """What a user gave as a policy, an array or a function, as an array."""
    if callable(order):
        lengths = (arrays.prompt, arrays.output, arrays.lower, arrays.upper)
        order = order(Instance(*lengths, arrays.memory, seed, number))
    array = order_array(name, order)
    if array.size != arrays.output.size:
        raise InputError(f"{name}: an order of {array.size} requests for an instance of {arrays.output.size}")
    return array


#: Parameters of policies (docs/reference.md): with the check of a value here, or as text.
_PARAMETERS: dict[str, Callable[[Any], Any]] = {
    "levels": lambda value: [whole("levels", level, 1, 2**31 - 1) for level in value],
    "alpha": float,
    "beta": float,
    "round_cap": lambda value: whole("round_cap", value, 1, 2**63 - 1),
    "learns": lambda value: one_of("learns", value, "reached", "exceeded"),
    "watermark": lambda value: value,
    "max_running": lambda value: value,
    "budget": lambda value: value,
    "command": lambda value: value if isinstance(value, str) else _json.dumps([str(word) for word in value]),
}
_TEXTS = ("selector", "evicts", "cancels", "key", "plans_with", "on_overflow", "ties", "knows_lengths", "timeout")


def parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a policy, those that are not None, as the program takes them."""
    for name in given:
        if name not in _PARAMETERS and name not in _TEXTS:
            raise TypeError(f"no policy has a parameter {name}; there are {', '.join((*_PARAMETERS, *_TEXTS))}")

    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, (bool, float, int)) else str(value)

    return {name: _PARAMETERS.get(name, text)(value) for name, value in given.items() if value is not None}


def _clock(clock: Union[None, str, Mapping[str, float]]) -> Union[None, str, dict[str, float]]:
    if clock is None or isinstance(clock, str):
        return clock
    for name in clock:
        if name not in ("d0", "d1", "d2", "d3"):
            raise ConfigError(f"clock = {name}\n  not accepted: must be one of d0, d1, d2, d3, in nanoseconds")
    return {name: float(cost) for name, cost in clock.items()}


def simulate(
    policy: Union[str, Order],
    prompts: ArrayLike,
    outputs: ArrayLike,
    memory: int,
    *,
    arrivals: Optional[ArrayLike] = None,
    lower: Optional[ArrayLike] = None,
    upper: Optional[ArrayLike] = None,
    seed: int = 0,
    number: int = 0,
    clock: Union[None, str, Mapping[str, float]] = None,
    **own: Any,
) -> Run:
    """Runs one policy on one instance, as `crx simulate` does.

    `policy` is an id of docs/experiments.md or an `Order`. Arrays have one element a request;
    `prompts` may be one number for all. Lengths and `memory` are in tokens, `arrivals` in rounds (0
    where left out), `lower` and `upper` the prediction interval (the length itself where left out).
    `seed` and `number` fix random choices. `clock` is a machine profile or {"d0": .., "d1": ..,
    "d2": ..} in nanoseconds; arrivals are then nanoseconds too. For many instances at once:
    `simulate_many`. `own` are the policy's parameters (docs/reference.md): levels, alpha, beta,
    round_cap, learns, evicts, cancels, watermark, max_running, budget, selector; of "by-key" key,
    plans_with, on_overflow, ties; of "program" command (a text or a list of words), knows_lengths,
    timeout.

    Raises InputError where a request can never fit, ConfigError for what is not accepted.

    >>> run = simulate("mc-sf", [0, 0], [2, 3], 3)
    >>> run.total_latency, run.makespan, run.cancellations
    (6, 4, 0)
    >>> run.start
    array([0, 1])

    An order of one's own, the last request first:

    >>> simulate([1, 0], [0, 0], [2, 3], 3).total_latency
    8
    >>> simulate(lambda instance: instance.outputs.argsort(), [0, 0], [2, 3], 3).total_latency
    6

    A key of one's own, the longest first:

    >>> simulate("by-key", [0, 0], [2, 3], 3, key="-output", plans_with="output").total_latency
    8
    """
    instance = {"prompts": prompts, "outputs": outputs, "arrivals": arrivals, "lower": lower, "upper": upper}
    return simulate_many(policy, [instance], memory, seed=seed, first_number=number, clock=clock, **own)[0]


def simulate_many(
    policy: Union[str, Order],
    instances: Sequence[Mapping[str, Any]],
    memory: int,
    *,
    seed: int = 0,
    first_number: int = 0,
    clock: Union[None, str, Mapping[str, float]] = None,
    **own: Any,
) -> list[Run]:
    """Runs one policy on many instances in one call: a Run each.

    An instance is a dictionary of what `simulate` takes: prompts, outputs and, where wanted,
    arrivals, lower, upper. They have the numbers first_number, first_number + 1, ..

    >>> [run.total_latency for run in simulate_many("mc-sf", [{"prompts": 0, "outputs": [k, 3]} for k in (2, 3)], 3)]
    [6, 9]
    """
    given = parameters(own)
    seed = whole("seed", seed, 0, 2**64 - 1)
    first_number = whole("number", first_number, 0, 2**63 - 1)
    last = {} if clock is None else {"last_arrival": _LAST_NANOSECOND}
    all_arrays = [
        Arrays(i["prompts"], i["outputs"], memory, i.get("arrivals"), i.get("lower"), i.get("upper"), **last)
        for i in instances
    ]
    if not all_arrays:
        return []
    requests = [{name: getattr(a, attribute) for name, attribute in _ATTRIBUTES.items()} for a in all_arrays]
    arrays = requests[0] if len(requests) == 1 else {name: np.concatenate([r[name] for r in requests]) for name in _ATTRIBUTES}
    if isinstance(policy, str) and policy == "own-order":
        raise ConfigError("policy = own-order\n  not accepted: must be the order itself, or a function")
    if not isinstance(policy, str):
        orders = [as_order("policy", policy, a, seed, first_number + k) for k, a in enumerate(all_arrays)]
        arrays = {**arrays, "order": np.concatenate(orders)}
    keys: dict[str, Any] = {
        "policy": policy if isinstance(policy, str) else "own-order",
        "seed": seed,
        "parameters": given,
        "clock": _clock(clock),
        "memory": all_arrays[0].memory,
    }
    if callable(policy):
        keys["function"] = name_of(policy)
    sizes = [a.output.size for a in all_arrays]

    def again(k: int) -> dict[str, Any]:
        begin, end = sum(sizes[:k]), sum(sizes[: k + 1])
        part = {name: array[begin:end] for name, array in arrays.items()}
        result, found = call("simulate", part, timeline=True, attempts=True, number=first_number + k, **keys)
        return {"timeline": found["timeline"].view(_TIMELINE), "attempts": found["attempts"].reshape(-1, 3)}

    several: dict[str, Any] = {"sizes": sizes, "number": [first_number + k for k in range(len(sizes))]} if len(sizes) > 1 else {"number": first_number}
    result, found = call("simulate", arrays, detail=True, **several, **keys)
    return runs_of(result, found, requests, again)


_ATTRIBUTES = {"prompts": "prompt", "outputs": "output", "arrivals": "arrival", "lower": "lower", "upper": "upper"}


@dataclass(frozen=True)
class LowerBound:
    """A lower bound on the optimum; `value` is None where it does not apply, `remark` says why."""

    id: str
    value: Optional[int]
    remark: str


@dataclass(frozen=True)
class Schedule:
    """A checked schedule: the round in which each request starts."""

    id: str
    total_latency: int
    starts: Ints


@dataclass(frozen=True)
class Baseline:
    """lower <= OPT <= upper, total latencies in rounds."""

    lower: int
    upper: int
    bounds: list[LowerBound]
    schedules: list[Schedule]

    @property
    def optimal(self) -> bool:
        """Whether the optimum is proven."""
        return self.lower == self.upper

    @property
    def best(self) -> Schedule:
        """The schedule of least total latency."""
        return min(self.schedules, key=lambda schedule: schedule.total_latency)

    def _repr_html_(self) -> str:
        rows: list[tuple[Any, ...]] = [("lower bound", b.id, b.remark if b.value is None else b.value) for b in self.bounds]
        rows += [("schedule", s.id, s.total_latency) for s in self.schedules]
        opt = f"{self.lower}, proven" if self.optimal else f"from {self.lower} to {self.upper}"
        return table_html([("optimum", "", opt), *rows], ("", "", "total latency, rounds"))


def baseline(
    prompts: ArrayLike,
    outputs: ArrayLike,
    memory: int,
    *,
    arrivals: Optional[ArrayLike] = None,
    seconds: Optional[float] = None,
    evaluations: int = 0,
    steps: int = 0,
    nodes: int = 0,
    seed: int = 1,
    orders: Optional[Mapping[str, Order]] = None,
) -> Baseline:
    """Brackets the optimum of one instance, as `crx baseline` does.

    Arrays have one element a request, lengths and `memory` in tokens, `arrivals` in rounds.
    `seconds` ends searches (10 where it is left out, none with a count); with `evaluations` (a
    request) or `nodes` results repeat exactly. `orders` adds schedules by orders of one's own, by
    name. Ctrl-C stops.

    >>> found = baseline([3, 1, 2, 5, 2], [2, 6, 4, 1, 5], 12, orders={"as given": range(5)})
    >>> found.optimal, found.upper
    (True, 24)
    >>> [s.total_latency for s in found.schedules if s.id == "as given"]
    [27]
    """
    arrays = Arrays(prompts, outputs, memory, arrivals, None, None)
    own = {name: as_order(name, order, arrays, 0, 0) for name, order in (orders or {}).items()}
    sent: dict[str, NDArray[Any]] = {"prompts": arrays.prompt, "outputs": arrays.output, "arrivals": arrays.arrival}
    sent.update({f"order:{name}": order for name, order in own.items()})
    result, found = call(
        "baseline",
        sent,
        memory=arrays.memory,
        seconds=None if seconds is None else float(seconds),
        evaluations=whole("evaluations", evaluations, 0, 10**9),
        steps=whole("steps", steps, 0, 10**9),
        nodes=whole("nodes", nodes, 0, 10**12),
        seed=whole("seed", seed, 0, 2**64 - 1),
        orders=list(own),
    )
    facts = result["found"][0]
    starts = found["starts"].reshape(-1, arrays.output.size)
    schedules = [Schedule(id, total, starts[k]) for k, (id, total) in enumerate(facts["schedules"])]
    return Baseline(facts["lower"], facts["upper"], [LowerBound(*b) for b in facts["bounds"]], schedules)
