"""Figures of the program's documents, as `crx.plot` and `crx plot` draw them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from ._arrays import one_of
from ._document import DISTRIBUTIONS, Document, document_of, panel_options
from ._layout import Drawing
from ._program import ConfigError, PathLike
from ._style import style_context

if TYPE_CHECKING:
    from ._figure import Figure

FORMATS = ("svg", "pdf", "png", "pgf", "eps")
LEGENDS = ("below", "inside", "right", "none")
KINDS = ("curve", "argmax", "heatmap", "frontier", *DISTRIBUTIONS)
SCALES = ("linear", "log", "symlog")


def length(name: str, value: Union[None, str, float]) -> Optional[float]:
    """A length in inches: a number, with or without quotes, or 3.35in, 8.5cm, 85mm, 241pt (72.27 an inch)."""
    if value is None or isinstance(value, (int, float)):
        return value
    units = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}
    found = re.fullmatch(r"\s*([0-9.]+)\s*(in|cm|mm|pt)?\s*", value)
    inches = float(found[1]) * units[found[2] or "in"] if found and found[1].count(".") <= 1 else 0.0
    if not 0.5 <= inches <= 100:
        raise ConfigError(f"{name} = {value}\n  not accepted: must be a length as 3.35in, 8.5cm, 85mm or 241pt, of 0.5 to 100 inches (without a unit: inches)")
    return inches


def plot(
    store: Union[PathLike, Document],
    *,
    panel: Optional[int] = None,
    style: Union[str, Path, Mapping[str, Any]] = "paper",
    width: Union[None, str, float] = None,
    height: Union[None, str, float] = None,
    font_size: Optional[float] = None,
    legend: str = "",
    intervals: str = "",
    kind: str = "",
    x_scale: str = "",
    y_scale: str = "",
    columns: int = 0,
    title: Union[bool, str] = True,
    caption: bool = True,
    **own: Any,
) -> "Figure":
    """Draws the panels of a store's experiment: a matplotlib Figure to restyle and save.

    `store` is a file, a SweepDone or the document of `crx panels --json`. `width` and `height` are
    inches or texts as "85mm"; `font_size` is of numbers at axes, in points. `style` is paper,
    slides, a file NAME.mplstyle or a dictionary of matplotlib's parameters; `legend` below, inside,
    right or none; `intervals` bars or bands (else bars, bands of many points); `x_scale`, `y_scale`
    linear, log or symlog in place of the experiment's. `columns` panels stand side by side; `title` is
    a text in place of the experiment's, or False.

    A panel that the experiment lacks: `x`, `y` (a measure), `series`, `worst_over`,
    `where={"axis": value}`, `sweep`, `baseline`, `log_x`, `log_y`; `policies=["a-min"]` shows only
    these. `kind="heatmap"` shows panels with a series axis as maps, one for each policy;
    "histogram" and "exceedance" need no x; of a "frontier" x is a measure too and `along` the axis
    whose values are joined. What the figure cannot show is said in its caption and on sys.stderr.

    >>> crx.plot("two_point.db", panel=2, width=3.35, caption=False).savefig("a.pdf")  # doctest: +SKIP
    """
    one_of("legend", legend, "", *LEGENDS)
    one_of("intervals", intervals, "", "bars", "bands")
    one_of("kind", kind, "", *KINDS)
    scales = {which: one_of(f"{which}_scale", scale, "", *SCALES) for which, scale in (("x", x_scale), ("y", y_scale))}
    if font_size is not None and not 3 <= font_size <= 60:
        raise ConfigError(f"font_size = {font_size:g}\n  not accepted: must be a number of points from 3 to 60")
    kind = "frontier" if own.get("along") else kind
    if kind in ("frontier", *DISTRIBUTIONS) or (kind == "heatmap" and own.get("x")):
        own["kind"] = kind
    document = document_of(store, panel, panel_options(**own))
    panels = [_scaled(p, scales) for p in document["panels"]]
    with style_context(style, font_size):
        drawing = Drawing({**document, "panels": panels}, legend, intervals, kind, title, caption)
        return drawing.figure(length("width", width), length("height", height), columns)


def _scaled(panel: Document, scales: Mapping[str, str]) -> Document:
    """The panel with other scales, where they are given."""
    axes = {f"{w}_axis": {**panel[f"{w}_axis"], "scale": s} for w, s in scales.items() if s and f"{w}_axis" in panel}
    return {**panel, **axes}
