"""Uses the package as its users do; mypy --strict reads it."""

from fractions import Fraction
from typing import Optional

import crx
import numpy as np
from numpy.typing import NDArray


def longest_first(instance: crx.Instance) -> NDArray[np.int64]:
    return np.argsort(-instance.outputs, kind="stable")


def use() -> None:
    run: crx.Run = crx.simulate(longest_first, 0, [1, 3], 3)
    total: Optional[int] = run.total_latency
    starts: NDArray[np.int64] = run.start
    best: int = crx.baseline([0], [1], 3, orders={"mine": [0]}).upper
    ratio: Fraction = crx.search(longest_first, "h-sf", seconds=1.0).ratio
    value: float = crx.bounds("chen-5.2", alpha=0.5)
    done: crx.SweepDone = crx.sweep("e.toml", set={"stop.instances": 3}, policies={"mine": longest_first})
    again: dict[str, crx.Run] = crx.replay(done, 0, 0).runs
    verdict: str = crx.claims("C-5.2")[0]["verdict"]
    figure = crx.plot("sweep.db", panel=1, width="3.35in", intervals="bands")
    figure.savefig("a.pdf")
    crx.schedule([run, *again.values()]).savefig("b.svg")
    page: str = crx.report(done, "a.html")
    many: list[crx.Run] = crx.simulate_many("mc-sf", [{"prompts": 0, "outputs": [1]}], 3)
    print(page, many)
    print(total, starts, best, ratio, value, again, verdict, crx.read(done))
