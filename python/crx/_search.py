"""Looking for the instance on which a policy does worst."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import one_of, whole
from ._orders import Instance, answering, name_of
from ._program import call
from ._single import parameters, table_html

_Function = Callable[[Instance], ArrayLike]
_MEASURES = ("tel", "p99", "makespan")
_CLASSES = ("any", "equal-prompts", "small", "identical")


@dataclass(frozen=True)
class Found:
    """The worst instance that a search has found; an element a request, lengths in tokens."""

    ratio: Fraction  #: of total latencies, exact
    proven: bool  #: whether the denominator is: of `opt`, the proven optimum
    prompts: NDArray[np.int32]
    outputs: NDArray[np.int32]
    arrivals: NDArray[np.int64]
    lower: NDArray[np.int32]
    upper: NDArray[np.int32]
    memory: int
    witness: dict[str, Any]  #: the witness file (docs/witnesses.md)
    generations: int
    neighbours: int

    def _repr_html_(self) -> str:
        rows = zip(range(len(self.outputs)), self.arrivals, self.prompts, self.outputs, self.lower, self.upper)
        proof = "over the proven optimum" if self.proven else "not proven"
        head = table_html([("ratio", f"{self.ratio} = {float(self.ratio):.6g}", proof), ("M", self.memory, "tokens")])
        return head + table_html([*rows], ("request", "arrival", "prompt", "output", "lower", "upper"))


def search(
    policy: Union[str, _Function],
    over: Union[str, _Function] = "opt",
    *,
    requests: int = 8,
    memory: int = 16,
    last_arrival: int = 0,
    restriction: str = "any",
    interval: str = "",
    measure: str = "tel",
    against: str = "",
    seconds: Optional[float] = None,
    generations: int = 0,
    seed: int = 1,
    draws: int = 64,
    threads: int = 0,
    shrink: Optional[float] = None,
    **own: Any,
) -> Found:
    """Looks for the instance on which a policy does worst, as `crx search` does.

    `policy` is an id or a function of one's own that makes an order (`Order`); so is `over`, or
    one of opt, best-found, volume, h-sf. `requests` and `memory` are the most. `seconds` ends the
    search (60 where it is left out), or `generations`, with which the result repeats exactly.
    `restriction` is the option --class of the command; `own` as of `simulate`. Ctrl-C stops and raises KeyboardInterrupt.

    >>> def longest_first(instance):
    ...     return (-instance.outputs).argsort(kind="stable")
    >>> found = search(longest_first, requests=3, memory=6, generations=1)
    >>> found.ratio > 1, found.proven
    (True, True)
    """
    given = parameters(own)
    one_of("measure", measure, *_MEASURES)
    one_of("restriction", restriction, *_CLASSES)
    given.update(
        policy=policy if isinstance(policy, str) else name_of(policy),
        over=over if isinstance(over, str) else name_of(over),
        requests=whole("requests", requests, 1, 10_000),
        memory=whole("memory", memory, 1, 1_000_000),
        last_arrival=whole("last_arrival", last_arrival, 0, 1_000_000),
        restriction=restriction,
        interval=interval,
        measure=measure,
        against=against,
        generations=whole("generations", generations, 0, 10**9),
        seed=whole("seed", seed, 0, 2**64 - 1),
        draws=whole("draws", draws, 1, 1_000_000),
        threads=whole("threads", threads, 0, 4096),
    )
    if seconds is not None:
        given["seconds"] = float(seconds)
    if shrink is not None:
        given["shrink"] = float(shrink)
    mine = {given[side]: f for side, f in (("policy", policy), ("over", over)) if not isinstance(f, str)}
    done, found = call(
        "search",
        {},
        answering(mine) if mine else None,
        own_policy=not isinstance(policy, str),
        own_over=not isinstance(over, str),
        **({"neighbours": 300} if mine else {}),  # each is a call of Python
        **given,
    )
    arrays: dict[str, Any] = {name: found[name] for name in ("prompts", "outputs", "arrivals", "lower", "upper")}
    facts = {name: done[name] for name in ("proven", "memory", "witness", "generations", "neighbours")}
    return Found(ratio=Fraction(done["above"], done["below"]), **arrays, **facts)
