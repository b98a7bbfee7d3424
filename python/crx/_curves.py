"""One panel in its axes: series, intervals, fits, curves."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from ._axes import set_axis, set_ends, set_ticks
from ._document import DISTRIBUTIONS, Document, count_text, is_shown, lines_of
from ._style import COLOURS, POLICIES, STROKES, Look, ramp
from ._text import Caption

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    distribution = panel.get("kind") in DISTRIBUTIONS
    set_axis(axes, "x", x_axis, xs)
    set_axis(axes, "y", y_axis, all_ys)
    many = max((len(s["points"]) for s in series), default=0) > 40
    bands = intervals == "bands" or (intervals == "" and (many or distribution))
    groups = coincident(panel, series)
    entries: list[tuple[Any, str]] = []
    used: set[Any] = set()
    for k, (label, one) in enumerate(lines_of(panel)):
        there = set(axes.get_children())
        if k < len(series):
            look = series_look(panel, one, looks)
            handle = draw_series(axes, panel, one, look, bands, groups["shift"].get(k, 0.0), caption)
            label += f", coincides with {groups['same'][k]}" if k in groups["same"] else ""
        else:
            points = [(x, y if is_shown(y, y_axis) else math.nan) for x, y in one["points"]]
            (handle,) = axes.plot(*zip(*points), zorder=2, **curve_style(panel, one, looks, used))
        entries.append((handle, label))
        for n, artist in enumerate(a for a in axes.get_children() if a not in there):
            artist.set_gid(f"line{k}-{n}")
    fit_to_data(axes, panel)
    set_ends(axes, "x", x_axis, xs, not distribution)
    set_ends(axes, "y", y_axis, all_ys, not distribution)
    limit_curves(axes, panel, ys, caption)
    if distribution and y_axis.get("scale") != "log" and y_axis.get("low") is None:
        axes.set_ylim(bottom=0)
    set_ticks(axes, "x", x_axis, [] if distribution else xs, inches)
    set_ticks(axes, "y", y_axis, all_ys, 0.66 * inches)
    if groups["shift"]:
        caption.note("Symbols of equal values stand side by side.")
    return {"entries": entries, "bands": bands and any("low" in p for s in series for p in s["points"])}


def _said_points(panel: Document, series: Document, caption: Caption) -> list[Document]:
    """The points that the axes can show; what they cannot is said."""
    label = series.get("label") or panel.get("title", "")
    points = list(series["points"])
    for name, axis in (("x", panel["x_axis"]), ("y", panel["y_axis"])):
        kept = [p for p in points if is_shown(p[name], axis)]
        if len(kept) < len(points):
            lost = count_text(len(points) - len(kept), "point")
            caption.note(f"{label}: {lost} at or below 0, which the logarithmic axis cannot show; a symlog scale of {name} can.")
        points = kept
        low, high = axis.get("low"), axis.get("high")
        outside = sum((low is not None and p[name] < low) or (high is not None and p[name] > high) for p in points)
        if outside:
            caption.note(f"{label}: {count_text(outside, 'point')} beyond the ends of the axes.")
    cut = sum(p.get("low") is not None and not is_shown(p["low"], panel["y_axis"]) for p in points)
    if cut and panel.get("kind") not in DISTRIBUTIONS:
        caption.note(f"{label}: {count_text(cut, 'interval')} to 0 or below, cut by the logarithmic axis.")
    return points


def draw_series(
    axes: "Axes", panel: Document, series: Document, look: Look, bands: bool, shift: float, caption: Caption
) -> Any:
    """One rule: a measured value is a symbol, values along an axis are joined by a thin line of the
    same colour, intervals are bars with ends wider than the symbol, or bands with edges. Gives what
    the key shows."""
    import matplotlib as mpl
    from matplotlib.transforms import ScaledTranslation

    params, y_axis, kind = mpl.rcParams, panel["y_axis"], panel.get("kind")
    points = _said_points(panel, series, caption)
    if kind in DISTRIBUTIONS:
        return _draw_distribution(axes, panel, points, look, bands)
    many = len(points) > 40
    symbol = params["lines.markersize"] * (0.45 if many else 1.0)
    moved = axes.transData
    if shift:
        moved = moved + ScaledTranslation(shift * 0.6 * symbol / 72, 0, axes.figure.dpi_scale_trans)

    def ends(of: str) -> list[list[float]]:
        """Distances of the intervals' ends below and above; a lower end that the axis lacks is far."""
        low, high = (p.get("x_low" if of == "x" else "low") for p in points), (p.get("x_high" if of == "x" else "high") for p in points)
        floor = [p[of] * (1e-3 if y_axis.get("scale") == "log" else 1) for p in points]
        below = [p[of] - (p[of] if v is None else v if of == "x" or is_shown(v, y_axis) else f) for v, p, f in zip(low, points, floor)]
        return [[max(0.0, b) for b in below], [max(0.0, (p[of] if v is None else v) - p[of]) for v, p in zip(high, points)]]

    xs, ys = [p["x"] for p in points], [p["y"] for p in points]
    below, above = ends("y")
    if bands and kind != "argmax":
        low, high = [y - b for y, b in zip(ys, below)], [y + a for y, a in zip(ys, above)]
        axes.fill_between(xs, low, high, color=look.colour, alpha=0.22, linewidth=0, zorder=2.5)
        for edge in (low, high):
            axes.plot(xs, edge, color=look.colour, alpha=0.6, linewidth=0.5 * params["axes.linewidth"], zorder=2.6)
    if kind == "frontier" or not bands:
        barred = [p.get("low") is not None or p.get("high") is not None for p in points]
        thin = 0.8 * params["lines.linewidth"]
        caps = max(params["errorbar.capsize"], 0.5 * symbol + 1.2) * (0.5 if many else 1)
        axes.errorbar(
            [x for x, b in zip(xs, barred) if b],
            [y for y, b in zip(ys, barred) if b],
            xerr=[[v for v, b in zip(side, barred) if b] for side in ends("x")] if kind == "frontier" else None,
            yerr=None if bands else [[v for v, b in zip(side, barred) if b] for side in (below, above)],
            fmt="none", ecolor=look.colour, elinewidth=thin, capthick=thin, capsize=caps, zorder=4.5, transform=moved,
        )  # fmt: skip
    joined = series.get("joined", kind != "argmax") and not series.get("line")
    (handle,) = axes.plot(
        xs, ys, color=look.colour, linestyle="-" if joined and len(points) > 1 else "",
        linewidth=0.75 * params["lines.linewidth"], marker=look.marker or None, markersize=symbol,
        markerfacecolor=look.face, markeredgecolor=look.colour, zorder=4, transform=moved,
    )  # fmt: skip
    partial = [(p["x"], p["y"]) for p in points if p.get("partial")]
    if partial:
        ring: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": look.colour, "markeredgewidth": 0.7}
        axes.plot(*zip(*partial), linestyle="", marker="o", markersize=symbol + 4.5, zorder=4.2, transform=moved, **ring)
    few = [(p["x"], p["y"]) for p in points if p.get("few")]
    if few:
        cross: dict[str, Any] = {"marker": "x", "markeredgecolor": look.colour, "markeredgewidth": 0.5}
        axes.plot(*zip(*few), linestyle="", markersize=symbol + 2.4, zorder=4.3, transform=moved, **cross)
    drawn = [(x, y) for x, y in (series.get("line") or {}).get("drawn", ()) if is_shown(y, y_axis)]
    if drawn:
        axes.plot(*zip(*drawn), color=look.colour, linewidth=0.6 * params["lines.linewidth"], zorder=3)
    return handle


def _draw_distribution(axes: "Axes", panel: Document, points: Sequence[Document], look: Look, bands: bool) -> Any:
    """Steps: of a histogram as wide as its bins, of an exceedance down at each value."""
    import matplotlib as mpl

    width = panel.get("bin_width", 0)
    steps = "mid" if width else "pre"
    rows = [(p["x"], p["y"], p.get("low") or 0, p.get("high") or p["y"]) for p in points]
    if width and rows:
        rows = [(rows[0][0] - width, 0, 0, 0), *rows, (rows[-1][0] + width, 0, 0, 0)]
    xs, ys, low, high = zip(*rows) if rows else ((), (), (), ())
    thin = 0.9 * mpl.rcParams["lines.linewidth"]
    if bands:
        axes.fill_between(xs, low, high, step=steps, color=look.colour, alpha=0.22, linewidth=0, zorder=2.5)
    else:
        sizes = [[max(0.0, y - a) for y, a in zip(ys, low)], [max(0.0, b - y) for y, b in zip(ys, high)]]
        axes.errorbar(xs, ys, yerr=sizes, fmt="none", ecolor=look.colour, elinewidth=0.5 * thin, zorder=3)
    falls = [] if width or panel["y_axis"].get("scale") == "log" else xs[-1:]  # none is larger
    (handle,) = axes.plot([*xs, *falls], [*ys, *(0 for _ in falls)], color=look.colour, drawstyle=f"steps-{steps}", linewidth=thin, zorder=4)
    return handle


def fit_to_data(axes: "Axes", panel: Document) -> None:
    """Ends of the axes by the values themselves, wherever their symbols were shifted."""
    from matplotlib.transforms import Bbox

    x_axis, y_axis = panel["x_axis"], panel["y_axis"]
    places = [(p["x"], p.get(k)) for s in panel.get("series", ()) for p in s["points"] for k in ("y", "low", "high")]
    rows = [p for s in panel.get("series", ()) for p in s["points"]]
    places += [(p[k], p["y"]) for p in rows for k in ("x_low", "x_high") if p.get(k) is not None]
    half = panel.get("bin_width", 0) / 2
    places += [(p["x"] + side, 0 if half else p["y"]) for p in rows for side in (-half, half)]
    places += [(x, y) for c in panel.get("curves", ()) for x, y in c["points"]]
    shown = [(x, y) for x, y in places if is_shown(x, x_axis) and is_shown(y, y_axis)]
    if shown:
        x0, y0 = shown[0]
        given = [(x_axis.get(end), y_axis.get(end)) for end in ("low", "high")]
        shown += [(x if is_shown(x, x_axis) else x0, y if is_shown(y, y_axis) else y0) for x, y in given]
        axes.dataLim = Bbox.null()
        axes.update_datalim(shown)
        axes.autoscale_view()


def limit_curves(axes: "Axes", panel: Document, ys: Sequence[float], caption: Caption) -> None:
    """Ends of the vertical axis: all points are in it, a curve far from them is cut off, and said
    where nothing of it is left."""
    axis = panel["y_axis"]
    curve_ys = [p[1] for c in panel.get("curves", ()) for p in c["points"] if is_shown(p[1], axis)]
    if not ys or not curve_ys or axis.get("high") is not None:
        return
    shown = [y for y in ys if is_shown(y, axis)]
    if not shown:
        return
    low, high = min(shown), max(shown)
    log = axis.get("scale") == "log"
    most = high * max(10, high / low) if log else high + 1.2 * (high - min(low, min(curve_ys)))
    least = low / 10 if log else low - 1.2 * (high - low) - 0.1 * abs(low)
    top, bottom = min(max(high, *curve_ys), most), max(min(low, *curve_ys), least)
    edge = (top / bottom) ** 0.05 if log else 0.05 * (top - bottom or 1)
    ends = (bottom / edge, top * edge) if log else (bottom - edge, top + edge)
    axes.set_ylim(axis["low"] if is_shown(axis.get("low"), axis) else ends[0], ends[1])
    for curve in panel.get("curves", ()):
        if not any(y is not None and ends[0] <= y <= ends[1] for _, y in curve["points"]):
            caption.note(f"{curve['label']}: beyond the axis; y_max shows more.")


def coincident(panel: Document, series: Sequence[Document]) -> dict[str, dict[int, Any]]:
    """Series that lie on each other: `shift` of symbols in points, where at least half of the common
    places coincide, and in `same` the label of an earlier one, where all do."""
    log = panel["y_axis"].get("scale") == "log"
    moves = panel.get("kind") not in (*DISTRIBUTIONS, "frontier")

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
        if moves and common and close >= 0.5 * len(common):
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
