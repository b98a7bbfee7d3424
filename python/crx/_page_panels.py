"""Panels of a page: pictures that hide lines and change scales, points under the pointer, tables."""

from __future__ import annotations

import html
import json
import re
from types import SimpleNamespace
from builtins import id as python_id
from typing import Any, Iterable

from ._document import Document, lines_of
from ._layout import Drawing
from ._maps import maps_of
from ._page_parts import cell, command, html_text, interval, place, replay_command, rests, row, safe
from ._text import as_html, as_plain


def inner_svg(figure: Any, prefix: str, gids: Iterable[str] = ()) -> str:
    """A figure as SVG inside a page: names of its own, parts that can be hidden as classes."""
    from ._figure import picture

    text = picture(figure, "svg").decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    for gid in gids:
        text = text.replace(f'id="{gid}"', f'class="{gid.rpartition("-")[0]}"')
    text = re.sub(r' id="[a-z]\w*_\d+"', "", text)
    text = re.sub(r'(id="|href="#|url\(#)([^"(]+?)(?=["\)])', rf"\g<1>{prefix}\2", text)
    text = re.sub(r'<svg ([^>]*?)width="[^"]*" ?', r"<svg \1", text, count=1)
    text = re.sub(r'<svg ([^>]*?)height="[^"]*" ?', r"<svg \1", text, count=1)
    return re.sub(r"\n\s*", "\n", text)


def _places(figure: Any, panel: Document, points: list[tuple[Document, Document]]) -> list[list[float]]:
    """Where the points are in the picture, in its units from the upper left corner."""
    main = [a for a in figure.axes if not a.get_label().startswith("bar of ")]
    found = []
    for s, p in points:
        axes, at = main[0], (p["x"], p["y"])
        if panel.get("kind") == "heatmap":
            of_policy = maps_of(panel)
            k = [m["policy"] for m in of_policy].index(s["policy"])
            cells = of_policy[k]["points"]
            columns, rows = sorted({q["x"] for q in cells}), sorted({q["row"] for q in cells})
            axes, at = main[k], (columns.index(p["x"]), rows.index(s["series_value"]))
        x, y = axes.transData.transform(at) * 72 / figure.dpi
        found.append([round(float(x), 1), round(figure.get_figheight() * 72 - float(y), 1)])
    return found


def panel_of_page(store: str, id: str, document: Document, panel: Document) -> SimpleNamespace:
    """A panel of the page: its picture on each pair of scales, its key, and where its points are."""
    if "error" in panel or "empty" in panel:
        return SimpleNamespace(id=id, number=panel["number"], error=panel.get("error") or panel["empty"])
    variants, places, axes = [], {}, []
    alone = {**document, "panels": [panel], "title": "", "notes": []}
    is_map = panel.get("kind") == "heatmap"
    entries = lines_of(panel)
    series = [s for _, s in entries if s in panel["series"]]
    points = [(s, p) for s in series for p in s["points"]]
    line = {python_id(s): k for k, s in enumerate(series)}
    numbers = {"x": [p["x"] for _, p in points], "y": [p["y"] for _, p in points]}
    log = {which: panel[f"{which}_axis"].get("scale") == "log" for which in "xy"}
    choices = {}
    for which in "xy":
        free = not is_map and all(v > 0 for v in numbers[which]) and len(set(numbers[which])) > 1
        choices[which] = [log[which], not log[which]] if free else [log[which]]
        if free:
            axes.append(SimpleNamespace(which=which, log=log[which]))
    for x_log in choices["x"]:
        for y_log in choices["y"]:
            scales = " ".join("log" if on else "linear" for on in (x_log, y_log))
            scaled = {
                **panel,
                "x_axis": {**panel["x_axis"], "scale": "log" if x_log else "linear"},
                "y_axis": {**panel["y_axis"], "scale": "log" if y_log else "linear"},
            }
            drawing = Drawing({**alone, "panels": [scaled]}, "none", "", "", False, False, quiet=True)
            figure = drawing.figure(6.4, 3.6, 1)
            prefix = f"{id}-{'l' if x_log else 'n'}{'l' if y_log else 'n'}-"
            gids = [artist.get_gid() for artist in figure.axes[0].get_children() if artist.get_gid()]
            variants.append(SimpleNamespace(scales=scales, svg=safe(inner_svg(figure, prefix, gids))))
            places[scales] = _places(figure, panel, points)
    samples = _samples(drawing)
    data = {
        "x": as_plain(panel["x_axis"]["label"]),
        "y": as_plain(panel["y_axis"]["label"]),
        "log": log,
        "places": places,
        "points": [
            {
                "gid": f"line{line[python_id(s)]}",
                "series": as_plain(s["label"] or s["policy"]),
                "x": f"{p['x']:.6g}",
                "value": interval(p["y"], p.get("low"), p.get("high")),
                "rests": rests(p),
                "cell": place(p["cell"], p.get("coordinates", {})),
                "replay": "" if p.get("worst_instance") is None else replay_command(store, p["cell"], p["worst_instance"], s["policy"]),
            }
            for s, p in points
        ],
    }
    rows = [
        row(
            html_text(s["label"]), float(p["x"]), float(p["y"]), p.get("low"), p.get("high"),
            cell(rests(p), float(p["instances"])), cell(place(p["cell"], p.get("coordinates", {})), float(p["cell"])),
            "–" if p.get("worst_instance") is None else command(replay_command(store, p["cell"], p["worst_instance"], s["policy"])),
        )
        for s, p in points
    ]  # fmt: skip
    missing = [
        as_plain(s["label"]) + ("" if m["x"] is None else f" at {m['x']:.6g}") + ": no value" + (f" ({m['reason']})" if m.get("reason") else "")
        for s in panel["series"]
        for m in s.get("without_value", ())
    ]
    caption = as_html(" ".join([panel.get("caption", ""), *drawing.caption.notes]).strip())
    caption += html.escape(" " + "; ".join(missing[:8]) + ("; .." if len(missing) > 8 else "") + ".") if missing else ""
    return SimpleNamespace(
        id=id,
        number=panel["number"],
        error="",
        title=html_text(panel.get("title", "")),
        axes=axes,
        key=[
            SimpleNamespace(gid=f"line{k}", label=html_text(label or one.get("policy", "")), sample=safe(samples[k]))
            for k, (label, one) in enumerate([] if is_map else entries)
        ],
        description=f"{data['y']} against {data['x']}: {len(points)} points. The table of values has every point.",
        variants=variants,
        caption=safe(caption),
        fits=[_fit_row(s) for s in panel["series"] if s.get("line")],
        head=["series", html_text(panel["x_axis"]["label"]), html_text(panel["y_axis"]["label"]), "from", "to", "behind it", "cell", "runs its worst instance again"],
        rows=rows,
        data=safe(json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")),
    )  # fmt: skip


def _fit_row(series: Document) -> list[SimpleNamespace]:
    fit = series["line"]
    width = f" ± {fit['half_width']:.2g}" if fit.get("half_width") is not None else ""
    said = html_text(series["fit_label"]) if series.get("fit_label") else f"slope {fit['slope']:.6g}{width}"
    return row(html_text(series["label"]), said, float(fit["from"]), float(fit["to"]), fit["points"], float(fit["r_squared"]))


def _samples(drawing: Drawing) -> list[str]:
    """A small picture of each line of the key."""
    shapes = {
        "o": '<circle cx="20" cy="7" r="4"/>',
        "s": '<rect x="16" y="3" width="8" height="8"/>',
        "D": '<path d="M20 1.5 25.5 7 20 12.5 14.5 7z"/>',
        "^": '<path d="M20 2 25 11H15z"/>',
        "v": '<path d="M20 12 25 3H15z"/>',
        "x": '<path d="M16 3l8 8M24 3l-8 8"/>',
        "+": '<path d="M20 2v10M15 7h10"/>',
    }
    found = []
    for handle in drawing.handles:
        colour, marker = handle.get_color(), handle.get_marker()
        dash = getattr(handle, "_unscaled_dash_pattern", (0, None))[1]
        dashes = f' stroke-dasharray="{" ".join(f"{1.6 * d:g}" for d in dash)}"' if dash else ""
        line = f'<path d="M0 7H40" stroke="{colour}" stroke-width="1.6"{dashes}/>' if handle.get_linestyle() != "None" else ""
        face = handle.get_markerfacecolor()
        shape = shapes.get(str(marker), shapes["o"]) if marker not in (None, "None", "") else ""
        shape = f'<g fill="{face}" stroke="{colour}" stroke-width="1.4">{shape}</g>' if shape else ""
        found.append(f'<svg viewBox="0 0 40 14" aria-hidden="true">{line}{shape}</svg>')
    return found
