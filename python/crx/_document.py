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


def panel_options(**own: Any) -> list[str]:
    """Options of `crx panels` for a panel of one's own; the program says which there are."""
    options: list[str] = []
    for name, value in own.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            options += [option] * value
        elif isinstance(value, Mapping):
            options += [part for axis, number in value.items() for part in (option, f"{axis}={number:.17g}")]
        elif value is not None:
            text = str(value) if isinstance(value, (str, int, float, os.PathLike)) else ",".join(value)
            options += [option, text] if text else []
    return options


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
