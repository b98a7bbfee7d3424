"""Tables of a page: what was run, ranks, bounds, claims."""

from __future__ import annotations

import html
import tomllib
from types import SimpleNamespace
from typing import Any, Mapping

from ._document import Document
from ._page_parts import cell, command, estimate, html_text, interval, joined, place, replay_command, row, safe
from ._text import as_html


def _law(value: Any) -> str:
    """A length's law in words."""
    if not isinstance(value, Mapping):
        return str(value)
    rest = ", ".join(f"{k} = {v}" for k, v in value.items() if k != "law" and not isinstance(v, (Mapping, list)))
    return f"law {value.get('law', '?')}" + (f" ({rest})" if rest else "")


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
    said = [f"Compared: {joined(names)}"]
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
        text += f" Latencies are divided by {joined([html.escape(b) for b in p['baselines']])}."
        text += " " + as_html(known[0].strip()) if known else ""
    sweeps = [
        html.escape(s.get("name", "?"))
        + (" over " + joined([f"{html.escape(a)} ({_values(v)})" for a, v in s["axes"].items()]) if s.get("axes") else "")
        for s in experiment.get("sweep", ())
    ]
    text += f" Sweeps: {'; '.join(sweeps)}." if sweeps else ""
    seconds = sum(run.get("seconds") or 0 for run in p.get("runs", ()))
    devices = joined(sorted({str(run.get("device") or run.get("backend")) for run in p.get("runs", ())}))
    commits = joined(sorted({str(run.get("commit"))[:12] for run in p.get("runs", ()) if run.get("commit")}))
    text += f" Seed {p['seed']}; {seconds:.3g} s" + (f" on {html.escape(devices)}" if devices else "")
    return text + (f", commit {html.escape(commits)}." if commits else ".")


def rank_text(rank: Any) -> str:
    """Places that a policy may have."""
    low, high = rank or (0, 0)
    return "none" if not rank else f"{low}" if low == high else f"{low}–{high}"


def _exponent(e: Any) -> SimpleNamespace:
    """A power of the horizon, with that of the later half where it is still changing."""
    if not e:
        return cell(None)
    width = f" ± {e['half_width']:.2g}" if e.get("half_width") is not None else ""
    later = f", still changing: later {e['later_half']:.3g}" if e.get("changing") else ""
    return cell(f"{e['value']:.3g}{width}{later}", e["value"])


def rank_tables(document: Document) -> list[SimpleNamespace]:
    found = []
    text = {p["label"]: html_text(p["text"]) for p in document["policies"]}
    for ranks in document.get("ranks", ()):
        for table in ranks["tables"]:
            first = next((p for p in table["policies"] if p["rank"]), None)
            gaps = {d["policy"]: d for d in table["differences"] if first and d["minus"] == first["policy"]}
            rows = []
            for p in table["policies"]:
                where = f"cell {p['largest_cell']}" if p.get("largest_cell") is not None else None
                rows.append(
                    row(
                        text.get(p["policy"], p["policy"]),
                        cell(rank_text(p["rank"]), (p["rank"] or [1e9])[0]),
                        estimate(p["mean"]),
                        estimate(gaps.get(p["policy"])),
                        cell(f"{p['best_in']} of {table['compared']}" if p["rank"] else None, p["best_in"]),
                        estimate(p["largest"]),
                        where,
                        cell(f"{p['unfinished']} of {p['runs']}" if p["unfinished"] else "0", p["unfinished"]),
                        cell(f"{p['few_cells']} of {table['compared']}" if p["few_cells"] else "0", p["few_cells"]),
                    )
                )
            measure = table["measure"].replace("-", " ")
            name = f"Sweep {table['sweep']}: {measure} over {table['baseline']} ({table['denominator']}), {table['cells']} cells"
            if table["compared"] != table["cells"]:
                name += f", compared in {table['compared']}"
            head = ["policy", "rank", "mean of cells", "behind the first", "best in", "largest", "where", "never end", "on few values"]
            found.append(SimpleNamespace(name=name, head=head, rows=rows))
    horizons = document.get("horizons", ())
    if horizons:
        keys = ("latency", "first_token", "throughput", "gap", "peak_memory")
        units = ("s", "s", "tokens/s", "tokens/s", "tokens")
        rows = [
            row(
                place(h["cell"], h["coordinates"]), rank_text(h.get("rank")), text.get(h["policy"], h["policy"]),
                *(estimate(h.get(k)) for k in keys),
                *(_exponent(h.get("exponents", {}).get(k)) for k in ("latency", "first_token", "gap")),
                h.get("largest_memory"), h.get("memory_limit"),
                f"{h['overflow']['count']} of {h['overflow']['of']}" if h.get("overflow") else None,
            )
            for h in horizons
        ]  # fmt: skip
        head = ["cell", "rank by latency", "policy", *(f"{k.replace('_', ' ')} ({u})" for k, u in zip(keys, units))]
        head += ["exponent of latency", "of first token", "of gap", "largest memory", "limit", "overflows"]
        found.append(SimpleNamespace(name="Policies at the last horizon", head=head, rows=rows))
    return found


def capacity_tables(document: Document) -> list[SimpleNamespace]:
    """Up to which load each policy keeps the objective, a table a line of loads."""
    found = []
    text = {p["label"]: html_text(p["text"]) for p in document["policies"]}
    for table in document.get("capacity", ()):
        rows = [
            row(
                text.get(p["policy"], p["policy"]),
                cell("none" if p["holds_up_to"] is None else f"{p['holds_up_to']:.6g}", p["holds_up_to"] or 0),
                cell("none" if p["fails_from"] is None else f"{p['fails_from']:.6g}", p["fails_from"] or 1e9),
                " to ".join("?" if end is None else f"{end:.6g}" for end in (p["surely_holds_up_to"], p["surely_fails_from"])),
            )
            for p in table["policies"]
        ]
        at = "".join(f", {axis} = {value:.6g}" for axis, value in table["coordinates"].items())
        name = f"Sweep {table['sweep']}{at}: {table['over']} at which {100 * table['share']:.4g} % of requests keep the objective"
        head = ["policy", "holds up to", "fails from", f"{100 * table['confidence']:.4g} % interval"]
        found.append(SimpleNamespace(name=name, head=head, rows=rows))
    return found


def bound_rows(document: Document, store: str) -> tuple[list[Any], list[Any]]:
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
            rows.setdefault(curve["id"], [html_text(curve["label"]), curve.get("statement", ""), curve.get("source", ""), ", ".join(curve.get("hypotheses", ()))])
            near = curve.get("nearest")
            if near:
                percent = f"{100 * abs(near['margin']):.3g} % " + ("above" if near["margin"] < 0 else "below")
                again = "–" if near.get("worst_instance") is None else command(replay_command(store, near["cell"], near["worst_instance"], near["policy"]))
                nearest.append(
                    row(
                        html_text(curve["label"]), panel["number"], near["policy"], cell(place(near["cell"], near["coordinates"]), near["cell"]),
                        cell(interval(near["y"], near.get("low"), near.get("high")), near["y"]), float(near["bound"]),
                        cell(percent, near["margin"]), again,
                    )
                )  # fmt: skip
    return [row(*cells, "; ".join(drawn[id]), safe(f"<code>{html.escape(id)}</code>")) for id, cells in rows.items()], nearest


def claim_rows(document: Document) -> list[Any]:
    return [
        row(
            c["id"],
            f"{c['paper']}, {c['place']}",
            c["statement"] + (" If: " + "; ".join(c["hypotheses"]) if c.get("hypotheses") else ""),
            safe(f"<strong>{html.escape(c['verdict'])}</strong>"),
            c["evidence"],
            safe(f"{html.escape(c['why'])}: {command(c['command'])}"),
        )
        for c in document.get("claims", ())
    ]
