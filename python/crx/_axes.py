"""Scales, ends and numbers of axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Sequence

from ._document import Document, is_shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Numbers of a decade at a logarithmic axis, the finest first.
_FINE: list[list[float]] = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 5], [1, 3], [1]]


def set_axis(axes: "Axes", which: str, axis: Document, values: Sequence[float]) -> None:
    """Label and scale of one axis."""
    scale = axis.get("scale", "linear")
    more: dict[str, Any] = {"nonpositive": "mask"} if scale == "log" else {}
    if scale == "symlog":
        more = {"linthresh": min((abs(v) for v in values if v != 0), default=1.0)}
    axes.set(**{f"{which}label": axis.get("label", "")})
    (axes.set_xscale if which == "x" else axes.set_yscale)(scale, **more)


def set_ends(axes: "Axes", which: str, axis: Document, values: Sequence[float], symbols: bool) -> None:
    """The ends that an axis is given, once its values are drawn; symbols at an end have room."""
    low, high = (end if is_shown(end, axis) else None for end in (axis.get("low"), axis.get("high")))
    if low is not None and high is not None and axis.get("scale", "linear") == "linear" and symbols:
        edge = 0.025 * (high - low)
        low, high = low - edge * (low in values), high + edge * (high in values)
    if low is not None or high is not None:
        axes.set(**{f"{which}lim": (low, high)})


def _inner_locator(subs: Sequence[float], most: int) -> Any:
    """matplotlib's LogLocator without the places beyond the ends, each of which costs time."""
    from matplotlib.ticker import LogLocator

    class Inner(LogLocator):  # type: ignore[misc]
        def __call__(self) -> Any:
            low, high = sorted(self.axis.get_view_interval())
            slack = 1 + 1e-9
            return [place for place in super().__call__() if low / slack <= place <= high * slack]

    return Inner(subs=list(subs), numticks=most)


def _have_room(own: Any, which: str, texts: Sequence[str], places: Sequence[float], inches: float) -> bool:
    """Whether texts at places (shares of the axis's length) stand clear of each other."""
    size = sizes_of(own.figure, texts)
    extents = [wide if which == "x" else high for wide, high in size]
    gap = 0.6 * size[0][1] if texts else 0.0
    rows = sorted(zip(places, extents))
    return all((b - a) * inches >= (u + v) / 2 + gap for (a, u), (b, v) in zip(rows, rows[1:]))


def sizes_of(figure: Any, texts: Sequence[str]) -> list[tuple[float, float]]:
    """(width, height) in inches of texts as numbers at an axis."""
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties

    font = FontProperties(size=mpl.rcParams["font.size"])
    measured = (figure.crx_measure.get_text_width_height_descent(text, font, "$" in text) for text in texts)
    return [(w / figure.dpi, h / figure.dpi) for w, h, _ in measured]


def set_ticks(axes: "Axes", which: str, axis: Document, values: Sequence[float], inches: float) -> None:
    """Numbers at an axis so long, as many as have room, after all is drawn."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

    own = axes.xaxis if which == "x" else axes.yaxis
    distinct = sorted(set(values))
    if axis.get("scale") != "log":
        if which == "x" and len(distinct) == 2 and axis.get("scale", "linear") == "linear":
            own.set_major_locator(FixedLocator(distinct))
        return
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    decades = max(math.log10(high / low), 0.05)
    written = _power_text if decades > 4.5 else number_text
    locators = [_inner_locator(fine, 15) for fine in _FINE] + [_inner_locator([1], most) for most in (6, 4, 3)]
    if decades < 0.4:
        locators = [MaxNLocator(n, steps=[1, 2, 2.5, 5, 10]) for n in (5, 4, 3, 2)]
    for locator in locators:
        own.set_major_locator(locator)
        ticks = [t for t in locator() if low <= t <= high]
        places = [math.log10(t / low) / decades for t in ticks]
        if _have_room(own, which, [written(t) for t in ticks], places, inches):
            break
    own.set_minor_locator(_inner_locator(range(2, 10), 20))
    own.set_minor_formatter(NullFormatter())
    own.set_major_formatter(FuncFormatter(lambda v, _: written(v)))


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
