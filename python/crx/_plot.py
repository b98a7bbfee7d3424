"""Figures of the program's documents: `crx panels --json` and those of its shape."""

from __future__ import annotations

import math
import os
import re
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._program import ConfigError, InputError, PathLike, _say, run_json
from ._style import COLOURS, STROKES, Look, policy_looks, ramp, style_context
from ._text import as_plain, escaped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._figure import Figure

FORMATS = ("svg", "pdf", "png", "pgf", "eps")
LEGENDS = ("below", "inside", "right", "none")
Document = Mapping[str, Any]


def length(name: str, value: Union[None, str, float]) -> Optional[float]:
    """A length in inches: a number, or 3.35in, 8.5cm, 85mm, 241pt (72.27 an inch)."""
    if value is None or isinstance(value, (int, float)):
        return value
    units = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}
    found = re.fullmatch(r"\s*([0-9.]+)\s*(in|cm|mm|pt)?\s*", value)
    inches = float(found[1]) * units[found[2] or "in"] if found and found[1].count(".") <= 1 else 0.0
    if not 0.5 <= inches <= 100:
        raise ConfigError(f"{name} = {value}\n  not accepted: must be a length as 3.35in, 8.5cm, 85mm or 241pt")
    return inches


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
    texts = {"--x": x, "--y": y, "--series": series, "--worst-over": worst_over, "--sweep": sweep}
    texts.update({"--baseline": baseline, "--policies": ",".join(policies)})
    options = [part for option, value in texts.items() if value for part in (option, value)]
    options += [part for name, value in (where or {}).items() for part in ("--where", f"{name}={value:.17g}")]
    options += ["--panels", os.fspath(panels)] if panels else []
    return options + ["--log-x"] * log_x + ["--log-y"] * log_y


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
    columns: int = 0,
    title: bool = True,
    caption: bool = True,
    **own: Any,
) -> "Figure":
    """Draws the panels of a store's experiment: a matplotlib Figure to restyle and save.

    `store` is a file, a SweepDone or the document of `crx panels --json`. `width` and `height` are
    inches or texts as "85mm"; `font_size` is of numbers at axes, in points. `style` is paper,
    slides, a file NAME.mplstyle or a dictionary of matplotlib's parameters; `legend` below, inside,
    right or none; `intervals` bars or bands (else bars, bands of many points); `kind="heatmap"`
    shows a panel with a series axis as a map, one for each policy. `columns` panels stand side by
    side.

    A panel that the experiment lacks: `x`, `y` (a measure), `series`, `worst_over`,
    `where={"axis": value}`, `sweep`, `baseline`, `log_x`, `log_y`; `policies=["a-min"]` shows only
    these. Where `x` is a measure too, as latency against throughput, `along` is the axis whose values
    are joined. What the figure cannot show is said in its caption and on sys.stderr.

    >>> crx.plot("two_point.db", panel=2, width=3.35, caption=False).savefig("a.pdf")  # doctest: +SKIP
    """
    _one_of("legend", legend, "", *LEGENDS)
    _one_of("intervals", intervals, "", "bars", "bands")
    _one_of("kind", kind, "", "heatmap", "curve", "argmax")
    if font_size is not None and not 3 <= font_size <= 60:
        raise ConfigError(f"font_size = {font_size:g}\n  not accepted: must be a number of points from 3 to 60")
    along = own.pop("along", "")
    if own.get("x") in MEASURES:
        document = frontier(store, along=along, **own)
    else:
        document = document_of(store, panel, panel_options(**own))
    for note in document.get("notes", ()):
        _say(f"crx: {note}\n")
    with style_context(style, font_size):
        drawing = Drawing(document, legend, intervals, kind, title, caption)
        return drawing.figure(length("width", width), length("height", height), columns)


def _one_of(name: str, value: str, *accepted: str) -> None:
    if value not in accepted:
        raise ConfigError(f"{name} = {value}\n  not accepted: must be one of {', '.join(a for a in accepted if a)}")


class Caption:
    """Small print in lines of a width, and what was said on the way."""

    def __init__(self, quiet: bool) -> None:
        self.notes: list[str] = []
        self.quiet = quiet

    def note(self, text: str) -> None:
        """A thing that the figure does not show: in the caption and on standard error."""
        if text not in self.notes:
            self.notes.append(text)
            _say("" if self.quiet else f"crx: {as_plain(text)}\n")


def wrapped(figure: "Figure", text: str, width: float, size: float) -> list[str]:
    """Lines of at most `width` inches at `size` points; formulas stay whole."""
    from matplotlib.font_manager import FontProperties

    renderer, font = figure.crx_measure, FontProperties(size=size)

    def inches(part: str) -> float:
        math_text = "$" in part.replace(r"\$", "")
        return float(renderer.get_text_width_height_descent(part, font, math_text)[0] / figure.dpi)

    space = inches("n n") - inches("nn")
    lines, line, used = [], "", 0.0
    for word in re.findall(r"(?:\$[^$]*\$|\\\$|[^\s$])+", text):
        wide = inches(word)
        if line and used + space + wide > width:
            lines.append(line)
            line, used = word, wide
        else:
            line, used = (f"{line} {word}" if line else word), used + wide + (space if line else 0)
    return [*lines, line] if line else lines


class Drawing:
    """One figure in the making. `quiet`: what it cannot show is in `caption` alone."""

    def __init__(
        self, document: Document, legend: str, intervals: str, kind: str, title: bool, caption: bool, quiet: bool = False
    ) -> None:
        self.document = document
        self.legend = legend or "below"
        self.intervals, self.kind = intervals, kind
        self.title, self.with_caption = title, caption
        self.caption = Caption(quiet)
        self.bands = False
        self.handles: list[Any] = []  #: of all lines, in the order of lines_of()
        self.entries: list[tuple[Any, str]] = []  #: of the key that all panels share
        self.one_key = False
        self.looks = policy_looks(document.get("policies", ()))

    def drawn_panels(self) -> list[Document]:
        panels = list(self.document["panels"])
        good = [p for p in panels if "error" not in p and "empty" not in p]
        if not good:
            errors = [p.get("error") or p["empty"] for p in panels]
            raise InputError(errors[0] if errors else "there is no panel to draw; x = NAME makes one")
        for p in panels:
            if "error" in p:
                self.caption.note(escaped(f"Panel {p['number']} is not drawn: {p['error']}"))
        if self.kind != "heatmap":
            return good
        maps: list[Document] = [dict(p, series=[s]) for p in good for s in _by_policy(p)]
        if not maps:
            raise InputError('kind = "heatmap" needs panels with a series: crx plot STORE --x AXIS --series AXIS')
        return maps

    def figure(self, width: Optional[float], height: Optional[float], columns: int) -> "Figure":
        """Draws all panels, then places them by what their texts measure; nothing moves later."""
        import matplotlib as mpl
        from ._figure import Figure

        panels = self.drawn_panels()
        size = mpl.rcParams["font.size"]
        columns = min(columns or (1 if len(panels) == 1 or (width and width < 5) else 2), len(panels))
        width = width or size / 8 * (4.8 if columns == 1 else 3.6 * columns)
        pad = 0.5 * size / 72
        column = (width - 2 * pad * columns) / columns
        figure = Figure(figsize=(width, column))
        keys = [[label for label, _ in lines_of(p)] for p in panels]
        self.one_key = self.legend == "below" and len(panels) > 1 and all(key == keys[0] for key in keys)
        placed = []
        for i, panel in enumerate(panels):
            axes = figure.add_axes((0.2, 0.2, 0.7 / columns, 0.7), label=str(i))
            letter = f"({chr(97 + i % 26)})" if len(panels) > 1 else ""
            placed.append(self.draw(figure, axes, panel, letter, column))
        heading = wrapped(figure, self.heading(panels), (width - 2 * pad) / 1.1, 1.2 * size)
        small = 0.85 * size
        lines = wrapped(figure, self.small_print(), width - 2 * pad, small) if self.with_caption else []
        top = (len(heading) * 1.5 * size + 0.6 * size * bool(heading)) / 72
        bottom = (len(lines) * 1.28 * small + 0.9 * small * bool(lines)) / 72
        key = self.key(figure, self.entries, width - 2 * pad) if self.one_key and self.entries else None
        under = key.get_window_extent(figure.crx_measure).height / figure.dpi + pad if key else 0.0
        total = self.arrange(figure, placed, columns, width, height, top, bottom + under)
        if key:
            key.set_bbox_to_anchor((pad / width, (bottom + under) / total), figure.transFigure)
        text: dict[str, Any] = {"x": pad / width, "linespacing": 1.2}
        if heading:
            figure.text(y=1 - pad / total, s="\n".join(heading), va="top", size=1.2 * size, weight="bold", **text)
        if lines:
            figure.text(y=0.6 * pad / total, s="\n".join(lines), va="bottom", size=small, color="#333333", **text)
        return figure

    def arrange(
        self,
        figure: "Figure",
        placed: Sequence[tuple["Axes", int, Any, Optional["Axes"]]],
        columns: int,
        width: float,
        height: Optional[float],
        top: float,
        bottom: float,
    ) -> float:
        """Gives axes their places: columns of one width, below them what their keys take. The height
        of the figure, in inches."""
        import matplotlib as mpl

        pad = 0.5 * mpl.rcParams["font.size"] / 72
        renderer, rows = figure.crx_measure, -(-len(placed) // columns)
        title = [1.35 * mpl.rcParams["font.size"] * lines / 72 + pad for _, lines, _, _ in placed]
        total = height or figure.get_figheight()
        shape = (width / columns * 0.7, width / columns * 0.5)
        for _ in range(4):  # numbers at axes change with their size
            before = shape
            left, right, under = [], [], []
            for axes, _, legend, bar in placed:
                axes.set_position((0.1, 0.1, shape[0] / width, shape[1] / total))
                box = axes.get_window_extent(renderer)
                parts = [a.get_tightbbox(renderer) for a in (axes.xaxis, axes.yaxis)]
                left.append((box.x0 - min(p.x0 for p in parts if p)) / figure.dpi)
                beside = legend.get_window_extent(renderer).width / figure.dpi + 2 * pad if legend and self.legend == "right" else 0
                beside += 9 * pad + 2 * pad if bar is not None else 0
                right.append(max((max(p.x1 for p in parts if p) - box.x1) / figure.dpi, 0.5 * pad) + beside)
                key = legend.get_window_extent(renderer).height / figure.dpi + pad if legend and self.legend == "below" else 0
                under.append((box.y0 - min(p.y0 for p in parts if p)) / figure.dpi + key)
            lefts = [max(left[c::columns]) + pad for c in range(columns)]
            rights = [max(right[c::columns]) + pad for c in range(columns)]
            wide = (width - sum(lefts) - sum(rights)) / columns
            above = [max(title[r * columns : (r + 1) * columns]) for r in range(rows)]
            below = [max(under[r * columns : (r + 1) * columns]) + 1.2 * pad for r in range(rows)]
            fixed = top + bottom + sum(above) + sum(below) + 0.5 * pad
            high = (height - fixed) / rows if height else 0.66 * wide
            if wide < 0.3 or high < 0.3:
                least = f"width = {width:g}, height = {height or fixed:g} inches"
                raise ConfigError(f"{least}\n  not accepted: too small for its texts; leave out caption or title, or more")
            shape, total = (wide, high), fixed + rows * high
            figure.set_size_inches(width, total)
            if max(abs(a - b) for a, b in zip(before, shape)) < 0.01:
                break
        y = total - top
        for r in range(rows):
            y -= above[r] + high
            for c, (axes, _, legend, bar) in enumerate(placed[r * columns : (r + 1) * columns]):
                x = sum(lefts[: c + 1]) + sum(rights[:c]) + c * wide
                axes.set_position((x / width, y / total, wide / width, high / total))
                if bar is not None:
                    bar.set_position(((x + wide + pad) / width, y / total, 2 * pad / width, high / total))
                if legend is not None and self.legend == "below":
                    i = r * columns + c
                    key = legend.get_window_extent(renderer).height / figure.dpi
                    depth = under[i] - key
                    legend.set_bbox_to_anchor(((x - left[i]) / width, (y - depth) / total), figure.transFigure)
            y -= below[r]
        return total

    def heading(self, panels: Sequence[Document]) -> str:
        title = str(self.document.get("title", "")) if self.title else ""
        return "" if len(panels) == 1 and title == panels[0].get("title") else title

    def small_print(self) -> str:
        """The document's caption with what this drawing leaves out."""
        text = str(self.document.get("caption", ""))
        if self.bands:
            text = text.replace("Bars:", "Bands:")
        return " ".join([text, *self.caption.notes]).strip()

    def legend_columns(self, figure: "Figure", labels: Sequence[str], width: float) -> int:
        """The most columns of the key that a width in inches has room for."""
        import matplotlib as mpl
        from matplotlib.font_manager import FontProperties

        size = mpl.rcParams["font.size"]
        font, renderer = FontProperties(size=size), figure.crx_measure
        wide = [float(renderer.get_text_width_height_descent(t, font, "$" in t)[0]) / figure.dpi for t in labels]
        beside = (mpl.rcParams["legend.handlelength"] + 0.8 + mpl.rcParams["legend.columnspacing"]) * size / 72
        for n in range(min(5, len(labels)), 1, -1):
            rows = -(-len(labels) // n)
            if sum(max(wide[c * rows : (c + 1) * rows], default=0.0) + beside for c in range(n)) <= width:
                return n
        return 1

    def draw(
        self, figure: "Figure", axes: "Axes", panel: Document, letter: str, width: float
    ) -> tuple["Axes", int, Any, Optional["Axes"]]:
        """(axes, lines of the title, its key, axes of a colour bar) of a panel; `width` is the
        column's, in inches."""
        import matplotlib as mpl

        size = mpl.rcParams["font.size"]
        title = panel.get("title", "") if self.title else ""
        legend = bar = None
        if self.kind == "heatmap":
            bar = draw_map(figure, axes, panel, self.caption)
            title = f"{title}: {panel['series'][0]['label']}" if title else panel["series"][0]["label"]
        else:
            drawn = draw_panel(axes, panel, self.looks, self.intervals, self.caption, width - 5 * size / 72)
            self.bands = self.bands or drawn["bands"]
            self.handles += [handle for handle, _ in drawn["entries"]]
            entries = [e for e in drawn["entries"] if e[1]]
            self.entries = self.entries or entries
            legend = None if self.one_key else self.key(axes, entries, width)
        lines = wrapped(figure, f"{letter} {title}".strip(), width - 4 * size / 72, size)
        axes.set_title("\n".join(lines), pad=0.55 * size)
        return axes, len(lines), legend, bar

    def key(self, place: Any, entries: Sequence[tuple[Any, str]], width: float) -> Any:
        """The key of axes, or one of a whole figure."""
        import matplotlib as mpl

        if self.legend == "none" or not entries:
            return None
        handles, labels = zip(*entries)
        if self.legend == "inside":
            return place.legend(handles, labels, loc="best", frameon=True, framealpha=0.85, edgecolor="none")
        if self.legend == "right":
            return place.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1))
        figure = place.figure or place
        room = width - 3.4 * mpl.rcParams["font.size"] / 72
        labels = tuple("\n".join(wrapped(figure, label, room, mpl.rcParams["font.size"])) for label in labels)
        columns = self.legend_columns(figure, labels, width) if not any("\n" in label for label in labels) else 1
        return place.legend(handles, labels, loc="upper left", ncol=columns, borderaxespad=0, borderpad=0.2)


def _with_fit(series: Document) -> str:
    return f"{series['label']}, {series['fit_label']}" if series.get("fit_label") else str(series.get("label", ""))


def lines_of(panel: Document) -> list[tuple[str, Document]]:
    """(label, series or curve) of what a panel draws: series that have points, then curves."""
    lines = [(_with_fit(s), s) for s in panel.get("series", ()) if s.get("points")]
    return lines + [(c.get("label", ""), c) for c in panel.get("curves", ())]


def _by_policy(panel: Document) -> list[Document]:
    """One map a policy: its points at (x, value of the series axis)."""
    maps: dict[str, dict[str, Any]] = {}
    for series in panel.get("series", ()):
        if series.get("series_value") is None:
            continue
        one = maps.setdefault(series["policy"], {**series, "points": [], "label": series.get("policy_text", series["label"])})
        one["points"] += [{**p, "row": series["series_value"]} for p in series["points"]]
    return list(maps.values())


def series_look(panel: Document, series: Document, looks: Mapping[str, Look]) -> Look:
    """A policy's own look; where one policy has a series axis, that of the value. Several policies
    with a series axis: the colour of the value and the symbol of the policy."""
    look = looks.get(series.get("policy", ""), Look(COLOURS["grey"], "o"))
    values = panel.get("series_values") or []
    if series.get("series_value") is None or len(values) < 2:
        return look
    index = int(series.get("series_index", 0))
    colour = ramp(index, len(values))
    if len({s.get("policy") for s in panel["series"]}) > 1:
        return Look(colour, look.marker, look.is_open)
    markers = "soD^vPX<>"
    return Look(colour, markers[index % len(markers)], False)


def curve_style(panel: Document, curve: Document, looks: Mapping[str, Look], used: set[Any]) -> dict[str, Any]:
    """Colour of the policy that the curve speaks of, dashes by what it says; no two alike."""
    values = panel.get("series_values") or []
    colour = COLOURS["grey"]
    by_id = {s.get("id"): s.get("policy", "") for s in reversed(panel.get("series", ()))}
    from ._style import POLICIES

    for id in curve.get("policies", ()):
        if id in by_id and by_id[id] in looks:
            colour = looks[by_id[id]].colour
            break
        if id in POLICIES:
            colour = COLOURS[POLICIES[id][1]]
    if curve.get("series_value") is not None and curve["series_value"] in values:
        colour = ramp(values.index(curve["series_value"]), len(values))
    elif len(values) > 1 and len(by_id) == 1:
        colour = COLOURS["black"]
    if "group" in curve:
        colour = list(COLOURS.values())[curve["group"] % len(COLOURS)]
    names = list(STROKES)
    first = names.index(curve["kind"]) if curve.get("kind") in names else 0
    for k in range(len(names)):
        stroke = STROKES[names[(first + k) % len(names)]]
        if (colour, str(stroke)) not in used:
            break
    used.add((colour, str(stroke)))
    return {"color": colour, "linestyle": stroke}


#: Numbers of a decade at a logarithmic axis, and the least distance of two in decades.
_FINE: list[tuple[list[float], float]] = [
    ([1, 1.5, 2, 3, 4, 5, 6, 8], 0.075),
    ([1, 2, 5], 0.3),
    ([1, 3], 0.45),
    ([1], 0.9),
]


def set_axis(axes: "Axes", which: str, axis: Document, values: Sequence[float]) -> None:
    """Label, scale and ends of one axis."""
    (axes.set_xlabel if which == "x" else axes.set_ylabel)(axis.get("label", ""))
    scale = axis.get("scale", "linear")
    set_scale = axes.set_xscale if which == "x" else axes.set_yscale
    if scale == "symlog":
        set_scale("symlog", linthresh=min((abs(v) for v in values if v != 0), default=1.0))
    elif scale == "log":
        set_scale("log", nonpositive="mask")
    low, high = axis.get("low"), axis.get("high")
    if low is not None or high is not None:
        (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)


def inner_log_locator(subs: Sequence[float], most: int) -> Any:
    """matplotlib's LogLocator without the places beyond the ends, each of which costs time."""
    from matplotlib.ticker import LogLocator

    class Inner(LogLocator):  # type: ignore[misc]
        def __call__(self) -> Any:
            low, high = sorted(self.axis.get_view_interval())
            slack = 1 + 1e-9
            return [place for place in super().__call__() if low / slack <= place <= high * slack]

    return Inner(subs=list(subs), numticks=most)


def set_ticks(axes: "Axes", which: str, axis: Document, values: Sequence[float], inches: float) -> None:
    """Numbers at an axis so long, as many as have room, after all is drawn."""
    import matplotlib as mpl
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

    own = axes.xaxis if which == "x" else axes.yaxis
    distinct = sorted(set(values))
    if axis.get("scale") == "log":
        low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
        decades = max(math.log10(high / low), 0.05)
        room = inches * 72 / mpl.rcParams["font.size"] / (2.7 if which == "x" else 1.5) / decades
        for fine, gap in _FINE:
            if room * gap >= 1 or len(fine) == 1:
                own.set_major_locator(inner_log_locator(fine, 15 if room * gap >= 1 else 6))
                break
        if decades < 0.4:
            own.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        own.set_minor_locator(inner_log_locator(range(2, 10), 20))
        own.set_minor_formatter(NullFormatter())
        own.set_major_formatter(FuncFormatter(lambda v, _: _power_text(v) if decades > 4.5 else number_text(v)))
    elif which == "x" and len(distinct) == 2:
        own.set_major_locator(FixedLocator(distinct))


def number_text(value: float) -> str:
    """A number at an axis: 0.05, 20, 1500, 2·10^6."""
    if value != 0 and (abs(value) >= 1e6 or abs(value) < 1e-4):
        return _power_text(value)
    return f"{value:.6g}"


def _power_text(value: float) -> str:
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)) + 1e-9)
    front = value / 10**exponent
    power = rf"10^{{{exponent}}}"
    return f"${power}$" if abs(front - 1) < 1e-9 else rf"${front:.3g}\cdot {power}$"


def _is_shown(value: Optional[float], axis: Document) -> bool:
    return value is not None and math.isfinite(value) and (axis.get("scale") != "log" or value > 0)


def draw_panel(
    axes: "Axes", panel: Document, looks: Mapping[str, Look], intervals: str, caption: Caption, inches: float
) -> dict[str, Any]:
    """Draws series, intervals, fits and curves into axes some inches wide; gives the entries of its
    key, and whether there are bands."""
    x_axis, y_axis = panel["x_axis"], panel["y_axis"]
    series = [s for s in panel.get("series", ()) if s.get("points")]
    xs = [p["x"] for s in series for p in s["points"]]
    ys = [v for s in series for p in s["points"] for v in (p["y"], p.get("low"), p.get("high")) if v is not None]
    curve_points = [p for c in panel.get("curves", ()) for p in c["points"] if p[1] is not None]
    xs, all_ys = xs or [p[0] for p in curve_points], ys or [p[1] for p in curve_points]
    set_axis(axes, "x", x_axis, xs)
    set_axis(axes, "y", y_axis, all_ys)
    bands = intervals == "bands" or (intervals == "" and max((len(s["points"]) for s in series), default=0) > 40)
    groups = coincident(panel, series)
    entries: list[tuple[Any, str]] = []
    shown_bands = False
    used: set[Any] = set()
    for k, (label, one) in enumerate(lines_of(panel)):
        there = set(axes.get_children())
        if k < len(series):
            look = series_look(panel, one, looks)
            handle, banded = draw_series(axes, panel, one, look, bands, groups["shift"].get(k, 0.0), caption)
            shown_bands = shown_bands or banded
            label += f", coincides with {groups['same'][k]}" if k in groups["same"] else ""
        else:
            points = [(x, y if _is_shown(y, y_axis) else math.nan) for x, y in one["points"]]
            (handle,) = axes.plot(*zip(*points), zorder=2, **curve_style(panel, one, looks, used))
        entries.append((handle, label))
        for n, artist in enumerate(a for a in axes.get_children() if a not in there):
            artist.set_gid(f"line{k}-{n}")
    fit_to_data(axes, panel)
    limit_curves(axes, panel, ys, caption)
    set_ticks(axes, "x", x_axis, xs, inches)
    set_ticks(axes, "y", y_axis, all_ys, 0.66 * inches)
    if groups["shift"]:
        caption.note("Symbols of equal values stand side by side.")
    return {"entries": entries, "bands": shown_bands}


def fit_to_data(axes: "Axes", panel: Document) -> None:
    """Ends of the axes by the values themselves, wherever their symbols were shifted."""
    from matplotlib.transforms import Bbox

    x_axis, y_axis = panel["x_axis"], panel["y_axis"]
    places = [(p["x"], p.get(k)) for s in panel.get("series", ()) for p in s["points"] for k in ("y", "low", "high")]
    if panel.get("kind") == "frontier":
        rows = [p for s in panel["series"] for p in s["points"]]
        places += [(p[k], p["y"]) for p in rows for k in ("x_low", "x_high") if p.get(k) is not None]
    places += [(x, y) for c in panel.get("curves", ()) for x, y in c["points"]]
    shown = [(x, y) for x, y in places if _is_shown(x, x_axis) and _is_shown(y, y_axis)]
    if shown:
        axes.dataLim = Bbox.null()
        axes.update_datalim(shown)
        axes.autoscale_view()


def limit_curves(axes: "Axes", panel: Document, ys: Sequence[float], caption: Caption) -> None:
    """Ends of the vertical axis: all points are in it, a curve far from them is cut off, and said
    where nothing of it is left."""
    axis = panel["y_axis"]
    curve_ys = [p[1] for c in panel.get("curves", ()) for p in c["points"] if _is_shown(p[1], axis)]
    if not ys or not curve_ys or axis.get("high") is not None:
        return
    shown = [y for y in ys if _is_shown(y, axis)]
    if not shown:
        return
    low, high = min(shown), max(shown)
    log = axis.get("scale") == "log"
    most = high * max(10, high / low) if log else high + 1.2 * (high - min(low, min(curve_ys)))
    least = low / 10 if log else low - 1.2 * (high - low) - 0.1 * abs(low)
    top, bottom = min(max(high, *curve_ys), most), max(min(low, *curve_ys), least)
    edge = (top / bottom) ** 0.05 if log else 0.05 * (top - bottom or 1)
    ends = (bottom / edge, top * edge) if log else (bottom - edge, top + edge)
    axes.set_ylim(ends[0] if axis.get("low") is None else axis["low"], ends[1])
    for curve in panel.get("curves", ()):
        if not any(y is not None and ends[0] <= y <= ends[1] for _, y in curve["points"]):
            caption.note(f"{curve['label']}: beyond the axis; y_max shows more.")


def coincident(panel: Document, series: Sequence[Document]) -> dict[str, dict[int, Any]]:
    """Series that lie on each other: `shift` of symbols in points, where at least half of the common
    places coincide, and in `same` the label of an earlier one, where all do."""
    log = panel["y_axis"].get("scale") == "log"

    def to_axis(value: float) -> float:
        return float(value) if not log else math.log(value) if value > 0 else -math.inf

    values = [{p["x"]: to_axis(p["y"]) for p in s["points"]} for s in series]
    finite = [v for one in values for v in one.values() if math.isfinite(v)]
    span = (max(finite) - min(finite)) if finite else 0.0
    near = 0.012 * span or 1e-12
    group = list(range(len(series)))
    same: dict[int, Any] = {}
    for i, j in combinations(range(len(series)), 2):
        common = [x for x in values[i] if x in values[j]]
        close = sum(abs(values[i][x] - values[j][x]) <= near for x in common if math.isfinite(values[i][x]))
        if common and close >= 0.5 * len(common):
            group[j] = group[i]
        exact = all(values[i][x] == values[j][x] for x in common)
        if common and exact and len(common) == len(values[i]) == len(values[j]):
            same.setdefault(j, series[i]["label"])
    shift: dict[int, Any] = {}
    for first in set(group):
        members = [k for k in range(len(series)) if group[k] == first]
        for place, k in enumerate(members if len(members) > 1 else []):
            shift[k] = place - (len(members) - 1) / 2
    return {"shift": shift, "same": same}


def draw_series(
    axes: "Axes", panel: Document, series: Document, look: Look, bands: bool, shift: float, caption: Caption
) -> tuple[Any, bool]:
    """One rule: a measured value is a symbol, values along an axis are joined by a thin line of the
    same colour, intervals are bars with ends wider than the symbol, or bands with edges."""
    import matplotlib as mpl
    from matplotlib.transforms import ScaledTranslation

    x_axis, y_axis = panel["x_axis"], panel["y_axis"]
    points = [p for p in series["points"] if _is_shown(p["x"], x_axis) and _is_shown(p["y"], y_axis)]
    label = series.get("label") or panel.get("title", "")
    hidden = len(series["points"]) - len(points)
    limits = [(a.get("low"), a.get("high"), n) for a, n in ((x_axis, "x"), (y_axis, "y"))]
    outside = sum(
        any((low is not None and p[n] < low) or (high is not None and p[n] > high) for low, high, n in limits)
        for p in points
    )
    if hidden:
        caption.note(f"{label}: {_count(hidden, 'point')} at or below 0, which the logarithmic axis cannot show.")
    if outside:
        caption.note(f"{label}: {_count(outside, 'point')} beyond the ends of the axes.")
    params = mpl.rcParams
    many = len(points) > 40
    symbol = params["lines.markersize"] * (0.45 if many else 1.0)
    moved = axes.transData
    if shift:
        moved = moved + ScaledTranslation(shift * 0.6 * symbol / 72, 0, axes.figure.dpi_scale_trans)
    xs, ys = [p["x"] for p in points], [p["y"] for p in points]
    with_interval = [p for p in points if p.get("low") is not None or p.get("high") is not None]
    low = [p["low"] if p.get("low") is not None else p["y"] for p in with_interval]
    if y_axis.get("scale") == "log":
        low = [v if v > 0 else p["y"] * 1e-3 for v, p in zip(low, with_interval)]
    high = [p["high"] if p.get("high") is not None else p["y"] for p in with_interval]
    places = [p["x"] for p in with_interval]
    if with_interval and bands and panel.get("kind") != "argmax":
        axes.fill_between(places, low, high, color=look.colour, alpha=0.22, linewidth=0, zorder=2.5)
        for edge in (low, high):
            axes.plot(places, edge, color=look.colour, alpha=0.6, linewidth=0.5 * params["axes.linewidth"], zorder=2.6)
    elif with_interval:
        middle = [p["y"] for p in with_interval]
        errors = [[max(0.0, m - v) for m, v in zip(middle, low)], [max(0.0, v - m) for m, v in zip(middle, high)]]
        axes.errorbar(
            places,
            middle,
            yerr=errors,
            fmt="none",
            ecolor=look.colour,
            elinewidth=0.8 * params["lines.linewidth"],
            capsize=max(params["errorbar.capsize"], 0.5 * symbol + 1.2) * (0.5 if many else 1),
            capthick=0.8 * params["lines.linewidth"],
            zorder=4.5,
            transform=moved,
        )
    for p in points if panel.get("kind") == "frontier" else []:
        if p.get("x_low") is not None and p.get("x_high") is not None:
            ends = [[p["x"] - p["x_low"]], [p["x_high"] - p["x"]]]
            axes.errorbar(p["x"], p["y"], xerr=ends, fmt="none", ecolor=look.colour, elinewidth=0.8, capsize=2, zorder=4.5)
    joined = series.get("joined", panel.get("kind") != "argmax") and not series.get("line")
    line_style = "-" if joined and len(points) > 1 else ""
    (handle,) = axes.plot(
        xs,
        ys,
        color=look.colour,
        linestyle=line_style,
        linewidth=0.75 * params["lines.linewidth"],
        marker=look.marker or None,
        markersize=symbol,
        markerfacecolor=look.face,
        markeredgecolor=look.colour,
        zorder=4,
        transform=moved,
    )
    partial = [p for p in points if p.get("partial")]
    if partial:
        axes.plot(
            *zip(*((p["x"], p["y"]) for p in partial)),
            linestyle="",
            marker="o",
            markersize=symbol + 4.5,
            markerfacecolor="none",
            markeredgecolor=look.colour,
            markeredgewidth=0.7,
            zorder=4.2,
            transform=moved,
        )
    fit = series.get("line") or {}
    if fit.get("drawn"):
        drawn = [(x, y) for x, y in fit["drawn"] if y is not None and _is_shown(y, y_axis)]
        if drawn:
            axes.plot(*zip(*drawn), color=look.colour, linewidth=0.6 * params["lines.linewidth"], zorder=3)
    return handle, bool(with_interval and bands)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def draw_map(figure: "Figure", axes: "Axes", panel: Document, caption: Caption) -> Optional["Axes"]:
    """A panel over two axes as a map: a cell a colour and, where there is room, its value. Gives the
    axes of its colour bar."""
    import matplotlib as mpl
    from matplotlib.colors import LogNorm, Normalize

    series = panel["series"][0]
    xs = sorted({p["x"] for p in series["points"]})
    rows = sorted({p["row"] for p in series["points"]})
    grid = np.full((len(rows), len(xs)), np.nan)
    for p in series["points"]:
        if p["y"] is not None:
            grid[rows.index(p["row"]), xs.index(p["x"])] = p["y"]
    log = panel["y_axis"].get("scale") == "log"
    shown = grid[np.isfinite(grid) & ((grid > 0) | (not log))]
    if shown.size == 0:
        caption.note(f"{series['label']}: no value to show.")
        return None
    norm = (LogNorm if log else Normalize)(shown.min(), shown.max() if shown.max() > shown.min() else shown.min() * 1.01 + 1e-9)
    image = axes.imshow(grid, origin="lower", aspect="auto", cmap="cividis", norm=norm)
    axes.grid(False)
    axes.set_xticks(range(len(xs)), [number_text(x) for x in xs], rotation=45 if len(xs) > 8 else 0)
    axes.set_yticks(range(len(rows)), [number_text(r) for r in rows])
    axes.set_xlabel(panel["x_axis"]["label"])
    axes.set_ylabel(escaped(panel.get("series_axis", "")))
    beside: "Axes" = figure.add_axes((0.9, 0.2, 0.02, 0.7), label="bar of " + axes.get_label())
    figure.colorbar(image, cax=beside).set_label(panel["y_axis"]["label"])
    if grid.size <= 80:
        for (r, c), value in np.ndenumerate(grid):
            if np.isfinite(value):
                dark = norm(value) < 0.55
                size = 0.75 * mpl.rcParams["font.size"]
                axes.text(c, r, f"{value:#.3g}".rstrip("."), ha="center", va="center", size=size, color="white" if dark else "black")
    return beside
