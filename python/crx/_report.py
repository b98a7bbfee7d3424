"""A page of a sweep: one HTML file that a browser opens without network."""

from __future__ import annotations

import html
import json
import os
import re
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from builtins import id as python_id
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._plot import Document, Drawing, document_of, number_text, lines_of
from ._program import ConfigError, InputError, PathLike, RunError, _say
from ._schedule import MOST_ROWS, runs_of_cell, schedule
from ._style import style_context
from ._text import as_html, as_plain

_PART = Path(__file__).parent / "page"


def _safe(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def _cell(shown: Any, sort: Optional[float] = None) -> SimpleNamespace:
    """A cell of a table; numbers sort as such."""
    if isinstance(shown, float):
        sort, shown = shown, f"{shown:.6g}"
    elif isinstance(shown, int) and not isinstance(shown, bool):
        sort, shown = float(shown), str(shown)
    return SimpleNamespace(html="–" if shown is None else shown, sort=sort)


def _row(*cells: Any) -> list[SimpleNamespace]:
    return [cell if isinstance(cell, SimpleNamespace) else _cell(cell) for cell in cells]


def _text(label: str) -> Any:
    return _safe(as_html(label))


def _command(text: str) -> Any:
    return _safe(f'<code class="command">{html.escape(text)}</code>')


def _word(text: str) -> str:
    """A word of a shell's command line."""
    return text if re.fullmatch(r"[\w./,=+:@%-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def _replay(store: str, cell: int, instance: int, policy: str) -> str:
    return f"crx replay {_word(store)} --cell {cell} --instance {instance} --policy {_word(policy)}"


def _place(cell: int, coordinates: Mapping[str, float]) -> str:
    where = ", ".join(f"{name}={number_text(value)}" for name, value in coordinates.items())
    return f"cell {cell}: {where}" if where else f"cell {cell}"


def _interval(value: Optional[float], low: Optional[float], high: Optional[float]) -> str:
    if value is None:
        return "–"
    ends = f" [{low:.6g}, {high:.6g}]" if low is not None and high is not None else ""
    return f"{value:.6g}{ends}"


def _estimate(e: Optional[Mapping[str, Any]]) -> SimpleNamespace:
    if not e or e.get("value", e.get("mean")) is None:
        return _cell(None)
    value = e.get("value", e.get("mean"))
    return _cell(_interval(value, e.get("low"), e.get("high")), value)


def _rests(p: Mapping[str, Any]) -> str:
    """What is behind a point."""
    text = f"{p['instances']} instance{'' if p['instances'] == 1 else 's'}"
    for key, words in (
        ("unfinished", "never end"),
        ("without_denominator", "without denominator"),
        ("unfinished_in_other_cells", "never end in other cells"),
    ):
        text += f", {p[key]} {words}" if p.get(key) else ""
    return text


# The paragraph


def _law(value: Any) -> str:
    """A length's law in words."""
    if not isinstance(value, Mapping):
        return str(value)
    rest = ", ".join(f"{k} = {v}" for k, v in value.items() if k != "law" and not isinstance(v, (Mapping, list)))
    return f"law {value.get('law', '?')}" + (f" ({rest})" if rest else "")


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""


def _values(axis: Any) -> str:
    if isinstance(axis, list):
        return f"{len(axis)} values"
    if isinstance(axis, Mapping) and "from" in axis:
        return f"{axis['from']} to {axis.get('to', '?')}"
    return "its values"


def experiment_of(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The experiment's file with its overrides, as a dictionary; empty where it cannot be read."""
    try:
        document = tomllib.loads(provenance["text"])
        for override in provenance.get("overrides", ()):
            key, _, value = override.partition("=")
            place: Any = document
            *path, last = key.split(".")
            for name in path:
                place = place[int(name)] if isinstance(place, list) else place.setdefault(name, {})
            place[last] = tomllib.loads(f"v = {value}")["v"]
        return document
    except (tomllib.TOMLDecodeError, KeyError, IndexError, ValueError, TypeError, AttributeError):
        return {}


def paragraph(document: Document) -> str:
    """What was run, in HTML: policies, laws, n and M, arrivals, baselines, sweeps, seed and time."""
    p = document["provenance"]
    experiment = experiment_of(p)
    workload = experiment.get("workload", {})
    names = [as_html(policy["text"]) for policy in document["policies"]]
    said = [f"Compared: {_joined(names)}"]
    output = workload.get("output")
    if output is not None:
        said.append(f"on output lengths of {html.escape(_law(output))}")
    if workload.get("prompt") not in (None, 0):
        said.append(f"prompts of {html.escape(_law(workload['prompt']))}")
    if "trace" in workload:
        said.append(f"with lengths of a trace ({html.escape(_law(workload['trace']))})")
    if "arrivals" in workload:
        said.append(f"arrivals of {html.escape(_law(workload['arrivals']))}")
    facts = [part["text"] for part in document.get("caption_parts", ()) if part["about"] == "facts"]
    unit = "instances" if document["model"] == "rounds" else "paths"
    size = f"{p['instances']} {unit} in {p['cells']} cell" + ("s" if p["cells"] != 1 else "")
    text = ", ".join(said) + ". "
    text += (as_html(facts[0]).rstrip(". ;") + "; " if facts else "") + size + "."
    if p.get("baselines"):
        known = [part["text"] for part in document.get("caption_parts", ()) if part["about"] == "denominators"]
        text += f" Latencies are divided by {_joined([html.escape(b) for b in p['baselines']])}."
        text += " " + as_html(known[0].strip()) if known else ""
    sweeps = [
        html.escape(s.get("name", "?"))
        + (" over " + _joined([f"{html.escape(a)} ({_values(v)})" for a, v in s["axes"].items()]) if s.get("axes") else "")
        for s in experiment.get("sweep", ())
    ]
    text += f" Sweeps: {'; '.join(sweeps)}." if sweeps else ""
    seconds = sum(run.get("seconds") or 0 for run in p.get("runs", ()))
    devices = _joined(sorted({str(run.get("device") or run.get("backend")) for run in p.get("runs", ())}))
    commits = _joined(sorted({str(run.get("commit"))[:12] for run in p.get("runs", ()) if run.get("commit")}))
    text += f" Seed {p['seed']}; {seconds:.3g} s" + (f" on {html.escape(devices)}" if devices else "")
    return text + (f", commit {html.escape(commits)}." if commits else ".")


# Panels


def _svg(figure: Any, prefix: str, gids: Iterable[str] = ()) -> str:
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


def _panel(store: str, id: str, document: Document, panel: Document) -> SimpleNamespace:
    """A panel of the page: its picture on each pair of scales, its key, and where its points are."""
    if "error" in panel or "empty" in panel:
        return SimpleNamespace(id=id, number=panel["number"], error=panel.get("error") or panel["empty"])
    variants, places, axes = [], {}, []
    alone = {**document, "panels": [panel], "title": "", "notes": []}
    entries = lines_of(panel)
    series = [s for _, s in entries if s in panel["series"]]
    points = [(s, p) for s in series for p in s["points"]]
    line = {python_id(s): k for k, s in enumerate(series)}
    numbers = {"x": [p["x"] for _, p in points], "y": [p["y"] for _, p in points]}
    log = {which: panel[f"{which}_axis"].get("scale") == "log" for which in "xy"}
    choices = {}
    for which in "xy":
        free = all(v > 0 for v in numbers[which]) and len(set(numbers[which])) > 1
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
            variants.append(SimpleNamespace(scales=scales, svg=_safe(_svg(figure, prefix, gids))))
            moved = figure.axes[0].transData.transform([(p["x"], p["y"]) for _, p in points]) if points else []
            high = figure.get_figheight() * 72
            dots = 72 / figure.dpi
            places[scales] = [[round(x * dots, 1), round(high - y * dots, 1)] for x, y in moved]
    samples = _samples(panel, drawing)
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
                "value": _interval(p["y"], p.get("low"), p.get("high")),
                "rests": _rests(p),
                "cell": _place(p["cell"], p.get("coordinates", {})),
                "replay": "" if p.get("worst_instance") is None else _replay(store, p["cell"], p["worst_instance"], s["policy"]),
            }
            for s, p in points
        ],
    }
    rows = [
        _row(
            _text(s["label"]), float(p["x"]), float(p["y"]), p.get("low"), p.get("high"),
            _cell(_rests(p), float(p["instances"])), _cell(_place(p["cell"], p.get("coordinates", {})), float(p["cell"])),
            "–" if p.get("worst_instance") is None else _command(_replay(store, p["cell"], p["worst_instance"], s["policy"])),
        )
        for s, p in points
    ]  # fmt: skip
    missing = [
        f"{as_plain(s['label'])} at {m['x']:.6g}: no value" + (f" ({m['reason']})" if m.get("reason") else "")
        for s in panel["series"]
        for m in s.get("without_value", ())
    ]
    caption = as_html(" ".join([panel.get("caption", ""), *drawing.caption.notes]).strip())
    caption += html.escape(" " + "; ".join(missing[:8]) + ("; .." if len(missing) > 8 else "") + ".") if missing else ""
    return SimpleNamespace(
        id=id,
        number=panel["number"],
        error="",
        title=_text(panel.get("title", "")),
        axes=axes,
        key=[
            SimpleNamespace(gid=f"line{k}", label=_text(label or one.get("policy", "")), sample=_safe(samples[k])) for k, (label, one) in enumerate(entries)
        ],
        description=f"{data['y']} against {data['x']}: {len(points)} points. The table of values has every point.",
        variants=variants,
        caption=_safe(caption),
        fits=[_fit_row(s) for s in panel["series"] if s.get("line")],
        head=["series", _text(panel["x_axis"]["label"]), _text(panel["y_axis"]["label"]), "from", "to", "behind it", "cell", "runs its worst instance again"],
        rows=rows,
        data=_safe(json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")),
    )  # fmt: skip


def _fit_row(series: Document) -> list[SimpleNamespace]:
    fit = series["line"]
    width = f" ± {fit['half_width']:.2g}" if fit.get("half_width") is not None else ""
    said = _text(series["fit_label"]) if series.get("fit_label") else f"slope {fit['slope']:.6g}{width}"
    return _row(_text(series["label"]), said, float(fit["from"]), float(fit["to"]), fit["points"], float(fit["r_squared"]))


def _samples(panel: Document, drawing: Drawing) -> list[str]:
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


# Tables


def _rank_tables(document: Document) -> list[SimpleNamespace]:
    found = []
    text = {p["label"]: _text(p["text"]) for p in document["policies"]}
    for ranks in document.get("ranks", ()):
        for table in ranks["tables"]:
            first = next((p for p in table["policies"] if p["rank"]), None)
            gaps = {d["policy"]: d for d in table["differences"] if first and d["minus"] == first["policy"]}
            rows = []
            for p in table["policies"]:
                low, high = p["rank"] or (0, 0)
                rank = "none" if not p["rank"] else f"{low}" if low == high else f"{low}–{high}"
                where = f"cell {p['largest_cell']}" if p.get("largest_cell") is not None else None
                rows.append(
                    _row(
                        text.get(p["policy"], p["policy"]),
                        _cell(rank, low or 1e9),
                        _estimate(p["mean"]),
                        _estimate(gaps.get(p["policy"])),
                        _cell(f"{p['best_in']} of {table['compared']}" if p["rank"] else None, p["best_in"]),
                        _estimate(p["largest"]),
                        where,
                        _cell(f"{p['unfinished']} of {p['runs']}" if p["unfinished"] else "0", p["unfinished"]),
                    )
                )
            measure = table["measure"].replace("-", " ")
            name = f"Sweep {table['sweep']}: {measure} over {table['baseline']} ({table['denominator']}), {table['cells']} cells"
            if table["compared"] != table["cells"]:
                name += f", compared in {table['compared']}"
            head = ["policy", "rank", "mean of cells", "behind the first", "best in", "largest", "where", "never end"]
            found.append(SimpleNamespace(name=name, head=head, rows=rows))
    horizons = document.get("horizons", ())
    if horizons:
        keys = ("throughput", "gap", "latency", "first_token", "peak_memory")
        units = ("tokens/s", "tokens/s", "s", "s", "tokens")
        rows = [
            _row(
                text.get(h["policy"], h["policy"]), _place(h["cell"], h["coordinates"]), *(_estimate(h.get(k)) for k in keys),
                h.get("largest_memory"), h.get("memory_limit"),
                f"{h['overflow']['count']} of {h['overflow']['of']}" if h.get("overflow") else None,
            )
            for h in horizons
        ]  # fmt: skip
        head = ["policy", "cell", *(f"{k.replace('_', ' ')} ({u})" for k, u in zip(keys, units)), "largest memory", "limit", "overflows"]
        found.append(SimpleNamespace(name="Policies at the last horizon", head=head, rows=rows))
    return found


def _bound_rows(document: Document, store: str) -> tuple[list[Any], list[Any]]:
    """Bounds that panels draw, and of each the nearest point."""
    rows: dict[str, list[Any]] = {}
    drawn: dict[str, list[str]] = {}
    nearest = []
    for panel in document["panels"]:
        for curve in panel.get("curves", ()):
            if curve.get("kind") == "slope":
                continue
            said = "its hypotheses hold" if curve.get("holds", True) else "a guide only, as the bound is " + ", ".join(curve["failed"])
            at = drawn.setdefault(curve["id"], [])
            if f"panel {panel['number']}: {said}" not in at:
                at.append(f"panel {panel['number']}: {said}")
            rows.setdefault(curve["id"], [_text(curve["label"]), curve.get("statement", ""), curve.get("source", ""), ", ".join(curve.get("hypotheses", ()))])
            near = curve.get("nearest")
            if near:
                percent = f"{100 * abs(near['margin']):.3g} % " + ("above" if near["margin"] < 0 else "below")
                again = "–" if near.get("worst_instance") is None else _command(_replay(store, near["cell"], near["worst_instance"], near["policy"]))
                nearest.append(
                    _row(
                        _text(curve["label"]), panel["number"], near["policy"], _cell(_place(near["cell"], near["coordinates"]), near["cell"]),
                        _cell(_interval(near["y"], near.get("low"), near.get("high")), near["y"]), float(near["bound"]),
                        _cell(percent, near["margin"]), again,
                    )
                )  # fmt: skip
    return [_row(*row, "; ".join(drawn[id]), _safe(f"<code>{html.escape(id)}</code>")) for id, row in rows.items()], nearest


def _claim_rows(document: Document) -> list[Any]:
    return [
        _row(
            c["id"],
            f"{c['paper']}, {c['place']}",
            c["statement"] + (" If: " + "; ".join(c["hypotheses"]) if c.get("hypotheses") else ""),
            _safe(f"<strong>{html.escape(c['verdict'])}</strong>"),
            c["evidence"],
            _safe(f"{html.escape(c['why'])}: {_command(c['command'])}"),
        )
        for c in document.get("claims", ())
    ]


def _schedules(document: Document, store: str, id: str, most: int, notes: list[str]) -> list[SimpleNamespace]:
    """Worst runs beside the policy that ranks first, as schedules, for two seconds."""
    first = ""
    for ranks in document.get("ranks", ()):
        for table in ranks["tables"]:
            first = first or next((p["policy"] for p in table["policies"] if p["rank"]), "")
    begin = time.monotonic()
    found: list[SimpleNamespace] = []
    for worst in document.get("worst", ()):
        if len(found) >= most or time.monotonic() - begin > 2:
            break
        if (worst.get("requests") or 0) > 300_000:
            continue
        pair = [worst["policy"], *([first] if first and first != worst["policy"] else [])]
        try:
            runs = runs_of_cell(store, worst["cell"], worst["instance"], pair)
        except (InputError, RunError) as error:
            notes.append(f"the worst instance of {worst['policy']} is not drawn: {str(error).splitlines()[0]}")
            continue
        with style_context("paper", None):
            figure = schedule(runs, width=7.2)
        one = f"{id}-schedule-{len(found)}"
        beside = f", beside {first}, which ranks first" if len(pair) > 1 else ""
        many = len(runs[0].output) > MOST_ROWS
        caption = "Shares of requests that wait (grey), run (blue) or run and are cancelled later (orange)." if many else (
            "A line: waits. A wedge: runs, as high as its memory; orange: cancelled later. A mark: completes."
            if len(runs[0].output) else "Requests that are active and that wait; memory held."
        )  # fmt: skip
        title = f"{worst['policy']}: {worst['value']:.6g} in {_place(worst['cell'], worst['coordinates'])}, instance {worst['instance']}{beside}"
        found.append(SimpleNamespace(id=one, title=title, svg=_safe(_svg(figure, one)), caption=caption))
    return found


def _section(store: PathLike, number: int, worst: int) -> tuple[SimpleNamespace, list[str]]:
    name = os.fspath(store)
    document = document_of(store, report=True)
    p, id, notes = document["provenance"], f"s{number}", list(document.get("notes", ()))
    with style_context("paper", 9, **{"svg.fonttype": "none"}):
        panels = [_panel(name, f"{id}-panel-{panel['number']}", document, panel) for panel in document["panels"]]
    bounds, nearest = _bound_rows(document, name)
    section = SimpleNamespace(
        id=id,
        name=document["name"],
        title=_text(document["title"] or document["name"]),
        plain_title=as_plain(document["title"] or document["name"]),
        model=document["model"],
        paragraph=_safe(paragraph(document)),
        notes=notes[:],
        panels=panels,
        ranks=_rank_tables(document),
        worst=[
            _row(
                w["policy"], float(w["value"]), _cell(_place(w["cell"], w["coordinates"]), w["cell"]), w["instance"],
                _command(_replay(name, w["cell"], w["instance"], w["policy"])),
            )
            for w in document.get("worst", ())
        ],
        worst_name="largest ratio" if document["model"] == "rounds" else "mean latency (s)",
        schedules=_schedules(document, name, id, worst, notes),
        bounds=bounds,
        nearest=nearest,
        theory=document.get("theory", ""),
        claims=_claim_rows(document),
        facts=[
            ("store", name),
            ("seed", p["seed"]),
            ("cells", f"{p['cells']}" + (f" ({p['cells'] - p['finished']} not run yet)" if p["finished"] < p["cells"] else "")),
            ("instances", p["instances"]),
            ("identity", p.get("identity", "")),
            ("this page", p.get("program", "")),
        ],
        runs=[_row(*(run.get(k) for k in ("started", "seconds", "version", "commit", "build_type", "backend", "device"))) for run in p.get("runs", ())],
        commands=p.get("commands", ()),
        text=p["text"],
        overrides=p.get("overrides", ()),
    )  # fmt: skip
    parts = [("panels", "Panels", panels), ("policies", "Policies", section.ranks), ("worst", "Worst instances", section.worst)]
    parts += [("bounds", "Bounds", bounds or section.theory), ("claims", "Claims", section.claims)]
    section.parts = [(n, words) for n, words, there in parts if there] + [("provenance", "Where the numbers come from")]
    return section, notes


def report(
    stores: Union[PathLike, Iterable[PathLike]], file: Optional[PathLike] = None, *, title: str = "", worst: int = 3
) -> str:
    """Writes a page of one or several stores to `file` (NAME.html), and gives its text.

    The page is one file that needs no network: what was run, panels with values under the pointer,
    ranks, `worst` worst instances as schedules, bounds, claims, and where the numbers come from. The
    same stores give the same bytes.

    >>> crx.report("sweep.db", "sweep.html")  # doctest: +SKIP
    """
    import jinja2

    if file is not None and not os.fspath(file).endswith((".html", ".htm")):
        raise ConfigError(f"file = {os.fspath(file)}\n  not accepted: must be a name that ends in .html")
    listed = [stores] if isinstance(stores, (str, os.PathLike)) else list(stores)
    sections = []
    for number, store in enumerate(listed):
        section, notes = _section(store, number, worst)
        sections.append(section)
        for note in notes:
            _say(f"crx: {note}\n")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((_PART / "page.html").read_text("utf-8"))
    name = title or (sections[0].plain_title if len(sections) == 1 else f"{len(sections)} experiments")
    css, js = ((_PART / part).read_text("utf-8") for part in ("page.css", "page.js"))
    text = template.render(title=name, stores=sections, css=_safe(css), js=_safe(js))
    if len(text) > 2_000_000:
        _say(f"crx: {len(text) / 1e6:.1f} MB, which some mail servers refuse; fewer stores or worst = 0 make it smaller\n")
    if file is not None:
        write(file, text.encode())
    return text


def write(file: PathLike, data: bytes) -> None:
    """Writes a file whole: under another name first."""
    name = os.fspath(file)
    part = f"{name}.part-{os.getpid()}"
    try:
        with open(part, "wb") as stream:
            stream.write(data)
        os.replace(part, name)
    except OSError as error:
        raise RunError(f"{name}: {error.strerror}") from None
    finally:
        if os.path.exists(part):
            os.remove(part)
