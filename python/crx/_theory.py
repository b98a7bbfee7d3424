"""The theory: bounds, spectrum, claims."""

from __future__ import annotations

import json as _json
from typing import Any, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library
from ._arrays import whole


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
        return _json.loads(_library.bounds())
    if all(np.ndim(value) == 0 for value in at.values()):
        return _library.bound(curve, {name: float(value) for name, value in at.items()})  # type: ignore[arg-type]
    arrays = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in at.values()))
    values = np.empty(arrays[0].shape)
    for place in np.ndindex(values.shape):
        point = {name: float(array[place]) for name, array in zip(at, arrays)}
        try:
            values[place] = _library.bound(curve, point)
        except _library.ConfigError:
            raise
        except _library.InputError:
            values[place] = np.nan
    return values


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
    return dict(
        _json.loads(
            _library.spectrum(
                whole("u", u, 1, 2**62),
                whole("l", l, 1, 2**62),
                float(s),
                method,
                float(tolerance),
                bool(definition),
            )
        )
    )


def claims(*ids: str, run: bool = False) -> list[dict[str, Any]]:
    """Published statements with their verdicts, as `crx claims --json` gives them.

    `ids` are claims or the short names of papers, all where there are none. With `run` each is
    tested anew in its short form: `fresh_verdict`, `figures` and `seconds` come with it, None where
    there is no short form. Ctrl-C takes effect between two claims.

    >>> [claim["verdict"] for claim in claims("C-5.2")]
    ['holds']
    """
    rows: list[dict[str, Any]] = _json.loads(_library.claims(list(ids)))
    if run:
        for row in rows:
            row["fresh_verdict"] = None
            fresh = _library.run_claim(row["id"])
            if fresh:
                row.update(_json.loads(fresh))
    return rows
