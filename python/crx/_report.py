"""A page of a sweep: one HTML file that a browser opens without network."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Iterable, Optional, Union

from ._document import Document, document_of
from ._page_panels import inner_svg, panel_of_page
from ._page_parts import cell, command, html_text, place, replay_command, row, safe
from ._page_tables import bound_rows, capacity_tables, claim_rows, paragraph, rank_tables
from ._program import ConfigError, InputError, PathLike, RunError, _say
from ._schedule import kind_of, runs_of_cell, schedule
from ._style import style_context
from ._text import as_plain

_PART = Path(__file__).parent / "page"


def _schedules(document: Document, store: str, id: str, most: int, notes: list[str]) -> list[SimpleNamespace]:
    """Worst runs beside the policy that ranks first, as schedules: of instances of up to 200,000
    requests, until over 100,000 runs of requests are drawn."""
    first = ""
    for ranks in document.get("ranks", ()):
        for table in ranks["tables"]:
            first = first or next((p["policy"] for p in table["policies"] if p["rank"]), "")
    drawn = 0
    found: list[SimpleNamespace] = []
    for worst in document.get("worst", ()):
        if len(found) >= most or drawn > 100_000:
            break
        if (worst["requests"] or 0) > 200_000:
            continue
        pair = [worst["policy"], *([first] if first and first != worst["policy"] else [])]
        try:
            runs = runs_of_cell(store, worst["cell"], worst["instance"], pair)
        except (InputError, RunError) as error:
            notes.append(f"the worst instance of {worst['policy']} is not drawn: {str(error).splitlines()[0]}")
            continue
        drawn += sum(len(run.attempts) for run in runs)
        with style_context("paper", None):
            figure = schedule(runs, width=7.2)
        one = f"{id}-schedule-{len(found)}"
        beside = f", beside {first}, which ranks first" if len(pair) > 1 else ""
        caption = {
            "counts": "Requests that are active and that wait; memory held.",
            "requests": "A line: waits. A wedge: runs, as high as its memory; orange: cancelled later. A mark: completes.",
            "density": "Shares of requests that wait (grey), run (blue) or run and are cancelled later (orange).",
        }[kind_of(runs)]
        title = f"{worst['policy']}: {worst['value']:.6g} in {place(worst['cell'], worst['coordinates'])}, instance {worst['instance']}{beside}"
        found.append(SimpleNamespace(id=one, title=title, svg=safe(inner_svg(figure, one)), caption=caption))
    return found


def _section(store: PathLike, number: int, worst: int) -> tuple[SimpleNamespace, list[str]]:
    name = os.fspath(store)
    document = document_of(store, report=True)
    p, id = document["provenance"], f"s{number}"
    notes: list[str] = []  # beside the document's, which the program says on standard error
    with style_context("paper", 9, **{"svg.fonttype": "none"}):
        panels = [panel_of_page(name, f"{id}-panel-{panel['number']}", document, panel) for panel in document["panels"]]
    bounds, nearest = bound_rows(document, name)
    section = SimpleNamespace(
        id=id,
        name=document["name"],
        title=html_text(document["title"] or document["name"]),
        plain_title=as_plain(document["title"] or document["name"]),
        model=document["model"],
        paragraph=safe(paragraph(document)),
        notes=list(document.get("notes", ())),
        panels=panels,
        ranks=rank_tables(document),
        capacity=capacity_tables(document),
        worst=[
            row(
                w["policy"], float(w["value"]), cell(place(w["cell"], w["coordinates"]), w["cell"]), w["instance"],
                command(replay_command(name, w["cell"], w["instance"], w["policy"])),
            )
            for w in document.get("worst", ())
        ],
        worst_name="largest ratio" if document["model"] == "rounds" else "mean latency (s)",
        schedules=_schedules(document, name, id, worst, notes),
        bounds=bounds,
        nearest=nearest,
        theory=document.get("theory", ""),
        terms=[(t["term"], t["meaning"].split(" ([")[0].replace("`", "")) for t in document.get("terms", ())],
        claims=claim_rows(document),
        facts=[
            ("store", name),
            ("seed", p["seed"]),
            ("cells", f"{p['cells']}" + (f" ({p['cells'] - p['finished']} not run yet)" if p["finished"] < p["cells"] else "")),
            ("instances", p["instances"]),
            ("identity", p.get("identity", "")),
            ("this page", p.get("program", "")),
        ],
        runs=[row(*(run.get(k) for k in ("started", "seconds", "version", "commit", "build_type", "backend", "device"))) for run in p.get("runs", ())],
        commands=p.get("commands", ()),
        text=p["text"],
        overrides=p.get("overrides", ()),
    )  # fmt: skip
    parts = [("panels", "Panels", panels), ("policies", "Policies", section.ranks), ("worst", "Worst instances", section.worst)]
    parts.insert(2, ("capacity", "Capacity", section.capacity))
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
    text = template.render(title=name, stores=sections, css=safe(css), js=safe(js))
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
