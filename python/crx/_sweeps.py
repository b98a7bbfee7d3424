"""Experiments and their stores: sweep, read, export, replay."""

from __future__ import annotations

import json as _json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union

from numpy.typing import ArrayLike

from ._arrays import one_of, whole
from ._orders import Instance, answering, policy_table
from ._program import ConfigError, PathLike, call, run
from ._single import Run, runs_of, table_html
from ._toml import overrides, to_toml

if TYPE_CHECKING:
    import pandas

_Functions = Mapping[str, Callable[[Instance], ArrayLike]]


@dataclass(frozen=True)
class SweepDone:
    """A sweep that has come to its end. It stands for its store: crx.read(crx.sweep(..))."""

    db: Path  #: the store
    cells: int
    instances: int  #: in all cells
    added: int  #: of them, by this call
    seconds: float

    def __fspath__(self) -> str:
        return str(self.db)

    def _repr_html_(self) -> str:
        rows = [("store", self.db), ("cells", self.cells), ("instances", f"{self.instances}, {self.added} added")]
        return table_html([*rows, ("time", f"{self.seconds:.3g} s")])


def _progress_style(progress: bool) -> str:
    if not progress:
        return "none"
    stream = sys.stderr
    return "live" if "ipykernel" in sys.modules or (stream is not None and stream.isatty()) else "lines"


def sweep(
    experiment: Union[PathLike, Mapping[str, Any]],
    db: Optional[PathLike] = None,
    *,
    set: Optional[Mapping[str, Any]] = None,
    policies: Optional[_Functions] = None,
    progress: bool = True,
    threads: int = 0,
    backend: str = "auto",
    device: int = -1,
) -> SweepDone:
    """Runs an experiment into a store, or continues it, as `crx sweep` does.

    `experiment` is the path of a file (docs/experiments.md) or the same as a dictionary, whose
    relative paths of traces start in the working directory. `set` changes keys:
    {"stop.instances": 1000}. `policies` adds policies of one's own by their labels: functions that
    make an order of an instance (`Order`), or objects that decide while requests are served
    (`Decider`). Python runs these once an instance, so keep n and
    the number of instances small; a changed function does not continue a store. `threads` of 0
    means all. `progress` says on sys.stderr how far it is.

    Ctrl-C raises KeyboardInterrupt and keeps all that is done; the same call goes on. So it does
    after RunError. ConfigError and InputError: nothing was written.

    >>> import os, tempfile
    >>> experiment = {
    ...     "experiment": {"name": "two_lengths", "seed": 1},
    ...     "stop": {"instances": 3},
    ...     "workload": {
    ...         "requests": 20, "memory": 40, "prompt": 2,
    ...         "output": {"law": "uniform", "lower": 1, "upper": 9},
    ...     },
    ...     "policy": [{"id": "mc-sf"}],
    ...     "sweep": [{"name": "all"}],
    ... }
    >>> def longest_first(instance):
    ...     return (-instance.outputs).argsort(kind="stable")
    >>> file = os.path.join(tempfile.mkdtemp(), "two_lengths.db")
    >>> done = sweep(experiment, file, policies={"longest": longest_first}, progress=False)
    >>> table = read(done)
    >>> list(table["policy"].unique()), list(table["instances"].unique())
    (['mc-sf', 'longest'], [3])
    """
    own = dict(policies or {})
    added = "".join(
        "[[policy]]\n" + to_toml(policy_table(label, policy)) for label, policy in own.items()
    )
    if isinstance(experiment, Mapping):
        text, name, folder = to_toml(experiment), "experiment", "."
    else:
        name = os.fspath(experiment)
        folder = os.path.dirname(name) or "."
        try:
            with open(name, encoding="utf-8") as stream:
                text = stream.read()
        except OSError:  # the program says what is wrong with it
            run("sweep", name, "--plan")
            raise
    done, _ = call(
        "sweep",
        {},
        answering(own) if own else None,
        text=text + ("" if text.endswith("\n") or not added else "\n") + added,
        name=name,
        folder=folder,
        overrides=overrides(set),
        store="" if db is None else os.fspath(db),
        backend=one_of("backend", backend, "auto", "cuda", "cpu"),
        device=whole("device", device, -1, 4096),
        threads=whole("threads", threads, 0, 4096),
        progress=_progress_style(progress),
        own=list(own),
    )
    return SweepDone(Path(done["db"]), done["cells"], done["instances"], done["added"], done["seconds"])


_TEXTS = {"sweep", "policy", "baseline", "denominator", "commit", "time_unit", "sum_time_unit", "memory_unit", "engine"}


def _series(name: str, values: list[Any]) -> Any:
    import pandas

    if name not in _TEXTS:  # sums have 128 bits, which JSON has as text
        values = [int(v) if isinstance(v, str) and re.fullmatch(r"-?\d+", v) else v for v in values]
    kinds = {type(value) for value in values}
    present = kinds - {type(None)}
    if present == {int}:
        if any(not -(2**63) <= value < 2**63 for value in values if value is not None):
            return pandas.Series(values, dtype=object)
        return pandas.Series(values, dtype="int64" if kinds == present else "Int64")
    if present <= {int, float}:
        return pandas.Series(values, dtype="float64")
    return pandas.Series(values, dtype=object)


def read(db: PathLike) -> pandas.DataFrame:
    """A store as a data frame: the table of `crx export`, also while a sweep adds to it.

    A row a cell, policy and denominator; docs/store.md says what the columns are. Whole numbers are
    whole, sums past 64 bits Python's int; what there is not is missing. Of a store that no
    instance is in yet the rows are there and `instances` is 0; while a sweep begins there are none, and
    columns of axes lack.

    >>> read("nowhere.db")
    Traceback (most recent call last):
        ...
    crx.InputError: nowhere.db: there is no such file
    """
    import pandas

    rows = _json.loads(run("export", os.fspath(db), "--json"))
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not rows:
        names = [*run("export", os.fspath(db)).split("\n", 1)[0].split(","), "engine"]
    return pandas.DataFrame({name: _series(name, [row.get(name) for row in rows]) for name in names})


def export(db: PathLike, file: PathLike) -> None:
    """Writes the table of a store to a file, .csv or .json: the bytes of `crx export -o`."""
    name = os.fspath(file)
    ending = os.path.splitext(name)[1].lower()
    if ending not in (".csv", ".json"):
        raise ConfigError(f"file = {name}\n  not accepted: must be a name that ends in .csv or .json")
    run("export", os.fspath(db), "-o", name)


@dataclass(frozen=True)
class Replay:
    """One instance of a stored cell, run again.

    Of the round model `runs` has a Run a policy, and `instance` the requests as arrays
    (None where all were run by cohorts). Of the iteration model `paths` has what `crx replay --json`
    prints of each policy.
    """

    runs: dict[str, Run]
    instance: Optional[dict[str, Any]]
    paths: list[dict[str, Any]]

    def _repr_html_(self) -> str:
        rows = [(r.policy, r.total_latency, r.makespan, r.peak_memory, r.cancellations) for r in self.runs.values()]
        return table_html(rows, ("policy", "total latency", "makespan", "peak memory, tokens", "cancellations"))


def replay(
    db: PathLike,
    cell: int,
    instance: int,
    policy: str = "",
    *,
    policies: Optional[_Functions] = None,
) -> Replay:
    """Runs one instance of a store's cell again, as `crx replay` does.

    `cell` and `instance` are the numbers in the columns cell, min_instance and max_instance of
    `read`; `policy` a label, or all. Policies of one's own must be given again as `policies`.
    """
    own = dict(policies or {})
    again, arrays = call(
        "replay",
        {},
        answering(own) if own else None,
        store=os.fspath(db),
        cell=whole("cell", cell, 0, 2**63 - 1),
        instance=whole("instance", instance, 0, 2**63 - 1),
        policy=policy,
        own=list(own),
        detail=True,
        timeline=True,
        attempts=True,
    )
    requests: Optional[dict[str, Any]] = None
    if again.get("instance") is not None:
        names = ("arrivals", "prompts", "outputs", "lower", "upper")
        requests = {**{name: arrays[name] for name in names}, "memory": again["instance"]["memory"]}
    runs = runs_of(again, arrays, [requests or {}] * len(again["runs"]))
    paths: list[dict[str, Any]] = []
    if again.get("paths"):
        one = ["--policy", policy] if policy else []
        paths = _json.loads(run("replay", os.fspath(db), "--cell", cell, "--instance", instance, *one, "--json", "--with-timeline"))
    return Replay({run.policy: run for run in runs}, requests, paths)
