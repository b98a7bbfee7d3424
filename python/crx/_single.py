"""One instance: simulate and baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library
from ._arrays import Arrays, whole
from ._library import ConfigError, Run
from ._orders import Instance, Order, order_array

_LAST_NANOSECOND = 4 * 10**18


def _as_order(name: str, order: Order, arrays: Arrays, seed: int, number: int) -> NDArray[np.int64]:
    if callable(order):
        order = order(
            Instance(
                arrays.prompt, arrays.output, arrays.lower, arrays.upper, arrays.memory, seed, number
            )
        )
    return order_array(name, order)


def parameters(
    levels: Optional[Sequence[int]],
    alpha: Optional[float],
    beta: Optional[float],
    round_cap: Optional[int],
    learns: Optional[str],
    selector: Optional[str],
) -> dict[str, Any]:
    """Parameters of a policy that were given."""
    given: dict[str, Any] = {}
    if levels is not None:
        given["levels"] = [whole("levels", level, 1, 2**31 - 1) for level in levels]
    if alpha is not None:
        given["alpha"] = float(alpha)
    if beta is not None:
        given["beta"] = float(beta)
    if round_cap is not None:
        given["round_cap"] = whole("round_cap", round_cap, 1, 2**63 - 1)
    if learns is not None:
        if learns not in ("reached", "exceeded"):
            raise ConfigError(f"learns = {learns}\n  not accepted: must be one of reached, exceeded")
        given["learns"] = learns
    if selector is not None:
        given["selector"] = selector
    return given


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
    levels: Optional[Sequence[int]] = None,
    alpha: Optional[float] = None,
    beta: Optional[float] = None,
    round_cap: Optional[int] = None,
    learns: Optional[str] = None,
    selector: Optional[str] = None,
    clock: Union[None, str, Mapping[str, float]] = None,
) -> Run:
    """Runs one policy on one instance, as `crx simulate` does.

    `policy` is an id of docs/experiments.md or an `Order`. `prompts` may be one number for all;
    lengths and `memory` are in tokens, `arrivals` in rounds (0 where left out), `lower` and `upper`
    the prediction interval (the length itself where left out). Arrays of int32 lengths and int64
    arrivals are not copied. `seed` and `number` fix random choices. `clock` is a machine profile
    or {"d0": .., "d1": .., "d2": ..} in nanoseconds; arrivals are then nanoseconds too.

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
    """
    given = parameters(levels, alpha, beta, round_cap, learns, selector)
    given["seed"] = whole("seed", seed, 0, 2**64 - 1)
    given["number"] = whole("number", number, 0, 2**63 - 1)
    if isinstance(clock, str):
        given["profile"] = clock
    elif clock is not None:
        for name, cost in clock.items():
            if name not in ("d0", "d1", "d2", "d3"):
                raise ConfigError(
                    f"clock = {name}\n  not accepted: must be one of d0, d1, d2, d3, in nanoseconds"
                )
            given[name] = float(cost)
    last = {} if clock is None else {"last_arrival": _LAST_NANOSECOND}
    arrays = Arrays(prompts, outputs, memory, arrivals, lower, upper, **last)
    if not isinstance(policy, str):
        given["order"] = _as_order("policy", policy, arrays, seed, number)
        policy = "own-order"
    elif policy == "own-order":
        raise ConfigError("policy = own-order\n  not accepted: must be the order itself, or a function")
    return _library.simulate(
        policy,
        given,
        arrays.arrival,
        arrays.prompt,
        arrays.output,
        arrays.lower,
        arrays.upper,
        arrays.memory,
    )


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
    starts: NDArray[np.int64]


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
    integer_program: bool = False,
    seed: int = 1,
    orders: Optional[Mapping[str, Order]] = None,
) -> Baseline:
    """Brackets the optimum of one instance, as `crx baseline` does.

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
    given = {
        "seconds": None if seconds is None else float(seconds),
        "evaluations": whole("evaluations", evaluations, 0, 10**9),
        "steps": whole("steps", steps, 0, 10**9),
        "nodes": whole("nodes", nodes, 0, 10**12),
        "integer_program": bool(integer_program),
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "orders": {
            name: _as_order(name, order, arrays, 0, 0) for name, order in (orders or {}).items()
        },
    }
    found = _library.baseline(
        given, arrays.arrival, arrays.prompt, arrays.output, arrays.lower, arrays.upper, arrays.memory
    )
    return Baseline(
        found["lower"],
        found["upper"],
        [LowerBound(*bound) for bound in found["bounds"]],
        [Schedule(*schedule) for schedule in found["schedules"]],
    )
