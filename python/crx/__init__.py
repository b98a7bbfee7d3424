"""crx, the competitive-ratio explorer, from Python.

The functions are the program's commands: they take and give NumPy arrays, pandas data frames and
dictionaries, run without Python's lock, stop on Ctrl-C and give the program's numbers.

    sweep, read, export, replay     experiments and their stores
    simulate, baseline              one instance
    search                          the instance on which a policy does worst
    bounds, spectrum, claims        the theory

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

from ._library import ConfigError, InputError, Run, RunError, version as _version
from ._orders import Instance, Order
from ._search import Found, search
from ._single import Baseline, LowerBound, Schedule, baseline, simulate
from ._sweeps import Replay, SweepDone, export, read, replay, sweep
from ._theory import bounds, claims, spectrum

__version__ = _version()

__all__ = [
    "Baseline",
    "ConfigError",
    "Found",
    "InputError",
    "Instance",
    "LowerBound",
    "Order",
    "Replay",
    "Run",
    "RunError",
    "Schedule",
    "SweepDone",
    "baseline",
    "bounds",
    "claims",
    "export",
    "read",
    "replay",
    "search",
    "simulate",
    "spectrum",
    "sweep",
]
