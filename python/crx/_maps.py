"""Panels over two axes as maps, one for each policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from ._axes import number_text, set_ticks, sizes_of
from ._document import Document, count_text
from ._text import Caption, escaped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._figure import Figure


def maps_of(panel: Document) -> list[Document]:
    """One map a policy: its points at (x, value of the series axis)."""
    maps: dict[str, dict[str, Any]] = {}
    for series in panel.get("series", ()):
        if series.get("series_value") is None:
            continue
        one = maps.setdefault(series["policy"], {**series, "points": [], "label": series.get("policy_text", series["label"])})
        one["points"] += [{**p, "row": series["series_value"]} for p in series["points"]]
    return list(maps.values())


def _sparse(figure: "Figure", which: str, values: Sequence[float], inches: float) -> tuple[list[int], list[str]]:
    """Places and texts of every k-th value, so many as have room on an axis so long."""
    texts = [number_text(v) for v in values]
    sizes = sizes_of(figure, texts)
    extent = max((w if which == "x" else h) for w, h in sizes) + 0.6 * sizes[0][1]
    step = max(1, -int(-extent * len(values) // inches))
    return list(range(0, len(values), step)), texts[::step]


def draw_map(figure: "Figure", axes: "Axes", panel: Document, caption: Caption, inches: float) -> Optional["Axes"]:
    """A panel over two axes as a map: a cell a colour and, where there is room, its value. Gives the
    axes of its colour bar."""
    import matplotlib as mpl
    from matplotlib.colors import LogNorm, Normalize

    series, log = panel["series"][0], panel["y_axis"].get("scale") == "log"
    columns, rows = (sorted({p[name] for p in series["points"]}) for name in ("x", "row"))
    grid = np.full((len(rows), len(columns)), np.nan)
    for p in series["points"]:
        grid[rows.index(p["row"]), columns.index(p["x"])] = p["y"]
    shown = grid[np.isfinite(grid) & ((grid > 0) | (not log))]
    lost = int(np.isfinite(grid).sum()) - shown.size
    if lost:
        caption.note(f"{series['label']}: {count_text(lost, 'value')} at or below 0 without a colour on the logarithmic scale.")
    if shown.size == 0:
        caption.note(f"{series['label']}: no value to show.")
        return None
    low, high = float(shown.min()), float(shown.max())
    norm = (LogNorm if log else Normalize)(low, high if high > low else low + abs(low) * 0.01 + 1e-9)
    image = axes.imshow(grid, origin="lower", aspect="auto", cmap="cividis", norm=norm)
    axes.grid(False)
    size = mpl.rcParams["font.size"]
    room = 0.72 * inches
    axes.set_xticks(*_sparse(figure, "x", columns, room))
    axes.set_yticks(*_sparse(figure, "y", rows, 0.66 * room))
    axes.set_xlabel(panel["x_axis"]["label"])
    axes.set_ylabel(escaped(panel.get("series_axis", "")))
    beside: "Axes" = figure.add_axes((0.9, 0.2, 0.02, 0.7), label="bar of " + axes.get_label())
    figure.colorbar(image, cax=beside).set_label(panel["y_axis"]["label"])
    set_ticks(beside, "y", panel["y_axis"], [], 0.66 * room)
    if room / len(columns) > 2.2 * size / 72 and 0.66 * room / len(rows) > size / 72:
        for (r, c), value in np.ndenumerate(grid):
            if np.isfinite(value):
                ink = "white" if norm(value) < 0.55 else "black"
                text = f"{value:#.3g}".rstrip(".")
                axes.text(c, r, text, ha="center", va="center", size=0.75 * size, color=ink)
    return beside
