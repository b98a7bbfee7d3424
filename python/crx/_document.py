"""Documents of the program: `crx panels --json` and those of its shape."""

from __future__ import annotations

import math
import os
from typing import Any, Mapping, Optional, Sequence, Union

from ._program import InputError, PathLike, run_json
from ._text import escaped

Document = Mapping[str, Any]
DISTRIBUTIONS = ("histogram", "exceedance")


def document_of(
    store: Union[PathLike, Document], panel: Optional[int] = None, options: Sequence[Any] = (), report: bool = False
) -> Document:
    """What the program says of a store's panels; a document stays what it is."""
    if isinstance(store, Mapping):
        return store
    only = [] if panel is None else ["--panel", panel]
    document = run_json("panels", os.fspath(store), *only, *options, *(["--report"] if report else []))
    return dict(document)


#: Measures that may be along the bottom (docs/reference.md#measures).
MEASURES = (
    *("ratio-of-means", "mean-of-ratios", "mean-latency", "mean-first-token", "mean-makespan", "p99-ratio"),
    *("worst-ratio", "unfinished", "throughput", "throughput-gap", "throughput-gap-as-in-8", "peak-memory"),
    *("largest-memory", "overflow-frequency", "cancellations", "iterations"),
)


def frontier(store: Union[PathLike, Document], x: str, along: str, **own: Any) -> Document:
    """The document of one measure against another: a point a cell, joined along an axis."""
    if not along:
        raise InputError(f"x = {x} is a measure, so `along` must say the axis whose values its points are")
    y = document_of(store, options=panel_options(x=along, **own))
    across = document_of(store, options=panel_options(x=along, **{**own, "y": x, "log_y": own.get("log_x", False), "log_x": False}))
    panel, other = y["panels"][0], across["panels"][0]
    if "error" in panel or "error" in other:
        return y if "error" in panel else across
    at = {(s["policy"], s.get("series_value"), p["cell"]): p for s in other["series"] for p in s["points"]}
    all_series = []
    for s in panel["series"]:
        points = []
        for p in s["points"]:
            q = at.get((s["policy"], s.get("series_value"), p["cell"]))
            if q is not None:
                points.append({**p, "x": q["y"], "x_low": q.get("low"), "x_high": q.get("high")})
        all_series.append({**s, "points": points, "line": None, "fit_label": ""})
    x_axis = {**other["y_axis"], "low": None, "high": None}
    drawn = {**panel, "kind": "frontier", "x": x, "x_axis": x_axis, "series": all_series, "curves": []}
    return {**y, "panels": [drawn], "caption": f"{y.get('caption', '')} Along a line {escaped(along)} changes."}


def panel_options(
    x: str = "",
    y: str = "",
    series: str = "",
    worst_over: str = "",
    where: Optional[Mapping[str, float]] = None,
    sweep: str = "",
    baseline: str = "",
    log_x: bool = False,
    log_y: bool = False,
    policies: Sequence[str] = (),
    panels: Optional[PathLike] = None,
) -> list[str]:
    """Options of `crx panels` for a panel of one's own."""
    texts = {"--x": x, "--y": y, "--series": series, "--worst-over": worst_over}
    texts.update({"--sweep": sweep, "--baseline": baseline, "--policies": ",".join(policies)})
    options = [part for option, value in texts.items() if value for part in (option, value)]
    options += [part for name, value in (where or {}).items() for part in ("--where", f"{name}={value:.17g}")]
    options += ["--panels", os.fspath(panels)] if panels else []
    return options + ["--log-x"] * log_x + ["--log-y"] * log_y


def lines_of(panel: Document) -> list[tuple[str, Document]]:
    """(label, series or curve) of what a panel draws: series that have points, then curves."""
    series = [s for s in panel.get("series", ()) if s.get("points")]
    fits = [f", {s['fit_label']}" if s.get("fit_label") else "" for s in series]
    lines = [(str(s.get("label", "")) + fit, s) for s, fit in zip(series, fits)]
    return lines + [(c.get("label", ""), c) for c in panel.get("curves", ())]


def is_shown(value: Optional[float], axis: Document) -> bool:
    """Whether an axis has a place for a value."""
    return value is not None and math.isfinite(value) and (axis.get("scale") != "log" or value > 0)


def count_text(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
