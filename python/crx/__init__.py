"""crx, the competitive-ratio explorer, from Python.

The functions run the program `crx` and give its numbers as NumPy arrays, pandas data frames,
dictionaries and matplotlib figures. The program is what the environment variable CRX names, or the one
beside the package, in the build folders of the clone, or on PATH.

    sweep, read, export, replay               experiments and their stores
    plot, schedule, report                    pictures and pages
    simulate, simulate_many, baseline         instances
    search                                    the instance on which a policy does worst
    bounds, spectrum, fluid, claims           the theory

A policy is a name, as in experiment files, or an order of one's own: an array or a function
(see `Order`). Mistakes raise ConfigError or InputError, both of them ValueErrors, with the text
that the program prints; a run that fails raises RunError.

>>> import crx
>>> run = crx.simulate("mc-sf", prompts=[3, 1, 2, 5, 2], outputs=[2, 6, 4, 1, 5], memory=12)
>>> run.total_latency
25
>>> crx.baseline([3, 1, 2, 5, 2], [2, 6, 4, 1, 5], 12).upper
24
"""

from ._orders import Decider, Instance, Order, Requests, View
from ._plot import plot
from ._program import ConfigError, InputError, RunError, find_program, version
from ._report import report
from ._schedule import schedule
from ._search import Found, search
from ._single import Baseline, LowerBound, Run, Schedule, baseline, simulate, simulate_many
from ._sweeps import Replay, SweepDone, export, read, replay, sweep
from ._theory import bounds, claims, fluid, spectrum

__all__ = [
    "Baseline",
    "ConfigError",
    "Decider",
    "Found",
    "InputError",
    "Instance",
    "LowerBound",
    "Order",
    "Replay",
    "Requests",
    "Run",
    "RunError",
    "Schedule",
    "SweepDone",
    "View",
    "baseline",
    "bounds",
    "claims",
    "export",
    "find_program",
    "fluid",
    "plot",
    "read",
    "replay",
    "report",
    "schedule",
    "search",
    "simulate",
    "simulate_many",
    "spectrum",
    "sweep",
    "version",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'crx' has no attribute {name!r}")
