"""A figure: panels side by side, titles, keys and small print, placed by what their texts measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from ._curves import draw_panel
from ._document import Document, lines_of
from ._maps import draw_map, maps_of
from ._program import ConfigError, InputError
from ._style import policy_looks
from ._text import Caption, escaped, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._figure import Figure


class Drawing:
    """One figure in the making. `quiet`: what it cannot show is in `caption` alone."""

    def __init__(
        self, document: Document, legend: str, intervals: str, kind: str, title: Union[bool, str], caption: bool, quiet: bool = False
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
        drawn: list[Document] = []
        for p in good:
            as_map = self.kind == "heatmap" or p.get("kind") == "heatmap"
            drawn += [{**p, "kind": "heatmap", "series": [s]} for s in maps_of(p)] if as_map else [p]
        if not drawn:
            raise InputError('kind = "heatmap" needs panels with a series: crx plot STORE --x AXIS --series AXIS')
        return drawn

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
        text: dict[str, Any] = {"x": pad / width, "linespacing": 1.2}
        above = figure.text(y=1, s="\n".join(heading), va="top", size=1.2 * size, weight="bold", **text)
        below = figure.text(y=0, s="\n".join(lines), va="bottom", size=small, color="#333333", **text)
        top, bottom = (t.get_window_extent(figure.crx_measure).height / figure.dpi + 1.6 * pad if t.get_text() else 0.0 for t in (above, below))
        key = self.key(figure, self.entries, width - 2 * pad) if self.one_key and self.entries else None
        under = key.get_window_extent(figure.crx_measure).height / figure.dpi + pad if key else 0.0
        total = self.arrange(figure, placed, columns, width, height, top, bottom + under)
        if key:
            key.set_bbox_to_anchor((pad / width, (bottom + under) / total), figure.transFigure)
        above.set_y(1 - pad / total)
        below.set_y(0.6 * pad / total)
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
                label = axes.yaxis.label
                label.set_text("\n".join(wrapped(figure, label.get_text(), 1.05 * shape[1], mpl.rcParams["font.size"])))
                box = axes.get_window_extent(renderer)
                parts = [a.get_tightbbox(renderer) for a in (axes.xaxis, axes.yaxis)]
                left.append((box.x0 - min(p.x0 for p in parts if p)) / figure.dpi)
                beside = legend.get_window_extent(renderer).width / figure.dpi + 2 * pad if legend and self.legend == "right" else 0
                if bar is not None:
                    bar.set_position((0.5, 0.1, 2 * pad / width, shape[1] / total))
                    beside += bar.get_tightbbox(renderer).width / figure.dpi + pad
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
        if isinstance(self.title, str):
            return self.title
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
            rows, longer = divmod(len(labels), n)  # matplotlib fills the first columns with one more
            ends = [c * rows + min(c, longer) for c in range(n + 1)]
            if sum(max(wide[a:b]) + beside for a, b in zip(ends, ends[1:])) <= width:
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
        if panel.get("kind") == "heatmap":
            bar = draw_map(figure, axes, panel, self.caption, width)
            policy = panel["series"][0]["policy"]  # of all its series
            name = next((p["text"] for p in self.document["policies"] if p["label"] == policy), policy)
            title = f"{title}: {name}" if title else name
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
        figure = place.figure or place
        room = (0.4 if self.legend == "right" else 1) * width - 3.4 * mpl.rcParams["font.size"] / 72
        labels = tuple("\n".join(wrapped(figure, label, room, mpl.rcParams["font.size"])) for label in labels)
        if self.legend == "right":
            return place.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1))
        columns = self.legend_columns(figure, labels, width) if not any("\n" in label for label in labels) else 1
        return place.legend(handles, labels, loc="upper left", ncol=columns, borderaxespad=0, borderpad=0.2)
