"""The theory: bounds, spectrum, fluid, claims; a clock fitted to measurements."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import whole
from ._program import PathLike, call, run_json
from ._toml import experiment_file, overrides

if TYPE_CHECKING:
    from ._figure import Figure


@overload
def bounds() -> list[dict[str, str]]: ...
@overload
def bounds(curve: str, **at: float) -> float: ...
@overload
def bounds(curve: str, **at: ArrayLike) -> Union[float, NDArray[np.float64]]: ...
def bounds(curve: str = "", **at: ArrayLike) -> Any:
    """A published bound's value, as `crx bounds` gives it; without a name, a list of all.

    Parameters are numbers or arrays, which broadcast: alpha = l/u, s_over_u, l, u, s, t = x_l/x_u,
    w = x_l/(x_l + x_u), q. A point where the bound says nothing raises InputError, of
    arrays it is NaN.

    >>> bounds("chen-5.2", alpha=0.5)
    1.5
    >>> bounds("chen-5.2", alpha=np.array([0.5, 1.0]))
    array([1.5, 3. ])
    >>> bounds("chen-5.2", alpha=2)
    Traceback (most recent call last):
        ...
    crx.InputError: bounds: chen-5.2: alpha = 2 is not accepted: must be in (0, 1] (reads alpha or l, u)
    """
    if not curve:
        return run_json("bounds")
    if all(np.ndim(value) == 0 for value in at.values()):
        point = {name: float(value) for name, value in at.items()}  # type: ignore[arg-type]
        return call("bounds", curves=[curve], at=point)[0][curve]
    arrays = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in at.values()))
    lists = {name: array.ravel().tolist() for name, array in zip(at, arrays)}
    values = call("bounds", curves=[curve], at=lists)[0][curve]
    return np.array(values, dtype=float).reshape(arrays[0].shape)


def spectrum(
    u: int,
    l: int = 1,
    s: float = 0,
    *,
    method: str = "auto",
    tolerance: float = 1e-12,
    definition: bool = False,
) -> dict[str, Any]:
    """The largest eigenvalue of CHEN's B^-1 A, as `crx spectrum --json` gives it.

    `u` and `l` are the longest and shortest output, `s` the prompt, in tokens. `rho` lies in
    [lower, upper], which is certified. Ctrl-C takes effect at the end: u = 10^8 takes seconds.

    >>> round(spectrum(1000)["rho"], 6)
    2.923922
    """
    options: list[Any] = ["--u", whole("u", u, 1, 2**62), "--l", whole("l", l, 1, 2**62), "--s", float(s)]
    options += ["--method", method, "--tolerance", float(tolerance)]
    return dict(run_json("spectrum", *options, *(["--definition"] if definition else [])))


def fluid(experiment: Union[PathLike, Mapping[str, Any]], *, set: Optional[Mapping[str, Any]] = None) -> Any:
    """The fluid limit of each cell of an experiment of the iteration model, as `crx fluid --json`
    gives it: rates in tokens a second, times in seconds, memory in tokens."""
    with experiment_file(experiment) as file:
        return run_json("fluid", file, *overrides(set, "--set"))


def claims(*ids: str, run: bool = False) -> list[dict[str, Any]]:
    """Published statements with their verdicts, as `crx claims --json` gives them.

    `ids` are claims or the short names of papers, all where there are none. With `run` each is
    decided by its trials: `found`, `trials`, `figures` and `seconds` come with it, `found` None where
    it is not testable. `ids` may be files or folders of your own. Ctrl-C takes effect between two claims.

    >>> [claim["verdict"] for claim in claims("C-5.2")]
    ['holds']
    """
    return list(run_json("claims", *ids, *(["--run"] if run else [])))


def clock_fit(
    trace: PathLike,
    memory: int,
    *,
    style: Union[str, Path, Mapping[str, Any]] = "paper",
    width: Union[None, str, float] = None,
    height: Union[None, str, float] = None,
    font_size: Optional[float] = None,
) -> "Figure":
    """Draws how well the affine clock that `crx trace --fit-clock` fits describes measured requests: a
    matplotlib Figure. A point is the mean round of a request's prefill or decode, in seconds, on the
    line where the fit is exact. `memory` is M, in tokens, of the replay by fcfs; `width` and
    `height` are inches or texts as "85mm". InputError: the trace has no measured times.

    >>> clock_fit("requests.jsonl", 60000).savefig("fit.svg")  # doctest: +SKIP
    """
    from ._figure import Figure
    from ._plot import length
    from ._style import COLOURS, style_context

    fit = run_json("trace", os.fspath(trace), "--memory", memory, "--fit-clock")["fit"]
    fitted, measured = (np.array(fit[f"{what}_round_ns"]) * 1e-9 for what in ("fitted", "measured"))
    ends = [min(fitted.min(), measured.min()) / 1.2, max(fitted.max(), measured.max()) * 1.2]
    with style_context(style, font_size):
        figure = Figure(figsize=(length("width", width) or 4.6, length("height", height) or 4.2), layout="constrained")
        axes = figure.subplots()
        axes.plot(ends, ends, color=COLOURS["grey"])
        axes.plot(fitted, measured, ".", color=COLOURS["blue"], alpha=0.5, markeredgewidth=0)
        axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="fitted (seconds)", ylabel="measured (seconds)")
        costs = f"{fit['d0'] / 1e6:.3g} ms + {fit['d1']:.3g} ns a token held\n+ {fit['d2'] / 1e6:.3g} ms a prompt token + {fit['d3'] / 1e6:.3g} ms a request"
        axes.set_title(f"{fit['rows']} mean rounds, fitted by {costs}", fontsize="medium")
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return figure
