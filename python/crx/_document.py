"""Documents of the program: `crx panels --json` and those of its shape."""

from __future__ import annotations

import math
import os
from typing import Any, Mapping, Optional, Sequence, Union

from ._program import PathLike, run_json

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


def panel_options(
    kind: str = "",
    x: str = "",
    along: str = "",
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
    texts = {"--kind": kind, "--x": x, "--along": along, "--y": y, "--series": series, "--worst-over": worst_over}
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
