"""Cells, texts and commands of a page."""

from __future__ import annotations

import html
import re
from types import SimpleNamespace
from typing import Any, Mapping, Optional, Sequence

from ._axes import number_text
from ._text import as_html


def safe(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def cell(shown: Any, sort: Optional[float] = None) -> SimpleNamespace:
    """A cell of a table; numbers sort as such."""
    if isinstance(shown, float):
        sort, shown = shown, f"{shown:.6g}"
    elif isinstance(shown, int) and not isinstance(shown, bool):
        sort, shown = float(shown), str(shown)
    return SimpleNamespace(html="–" if shown is None else shown, sort=sort)


def row(*cells: Any) -> list[SimpleNamespace]:
    return [one if isinstance(one, SimpleNamespace) else cell(one) for one in cells]


def html_text(label: str) -> Any:
    return safe(as_html(label))


def command(text: str) -> Any:
    return safe(f'<code class="command">{html.escape(text)}</code>')


def _word(text: str) -> str:
    """A word of a shell's command line."""
    return text if re.fullmatch(r"[\w./,=+:@%-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def replay_command(store: str, cell: int, instance: int, policy: str) -> str:
    return f"crx replay {_word(store)} --cell {cell} --instance {instance} --policy {_word(policy)}"


def place(cell: int, coordinates: Mapping[str, float]) -> str:
    where = ", ".join(f"{name}={number_text(value)}" for name, value in coordinates.items())
    return f"cell {cell}: {where}" if where else f"cell {cell}"


def interval(value: Optional[float], low: Optional[float], high: Optional[float]) -> str:
    if value is None:
        return "–"
    ends = f" [{low:.6g}, {high:.6g}]" if low is not None and high is not None else ""
    return f"{value:.6g}{ends}"


def estimate(e: Optional[Mapping[str, Any]]) -> SimpleNamespace:
    if not e or e.get("value", e.get("mean")) is None:
        return cell(None)
    value = e.get("value", e.get("mean"))
    return cell(interval(value, e.get("low"), e.get("high")), value)


def rests(p: Mapping[str, Any]) -> str:
    """What is behind a point."""
    text: str = p["basis"] if p.get("few") else f"{p['instances']} instance{'' if p['instances'] == 1 else 's'}"
    if p.get("largest_five") is not None:
        text += f", five carry {100 * p['largest_five']:.2g} % of the variance"
    for key, words in (
        ("unfinished", "never end"),
        ("without_denominator", "without denominator"),
        ("unfinished_in_other_cells", "never end in other cells"),
        ("without_arrivals", "without arrivals"),
    ):
        text += f", {p[key]} {words}" if p.get(key) else ""
    return text


def joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""
