"""Labels of the program's documents, plain text with `$..$` as matplotlib's mathtext reads it, for
HTML and terminals."""

from __future__ import annotations

import html
import re
from typing import Any

from ._program import _say

_SIGNS = {
    "alpha": "α",
    "beta": "β",
    "ell": "ℓ",
    "infty": "∞",
    "cdot": "·",
    "geq": "≥",
    "leq": "≤",
    "rho": "ρ",
    "lambda": "λ",
    " ": " ",
    "_": "_",
    "%": "%",
}


def _formula(text: str, subscript: str, superscript: str, italic: str) -> str:
    """The inside of `$..$`; the formats wrap what is below, above and slanted."""
    out = ""
    while text:
        script = re.match(r"([_^])(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(.))", text)
        upright = re.match(r"\\math\w+\{([^{}]*)\}", text)
        sign = re.match(r"\\([a-zA-Z]+|.)", text)
        letters = re.match(r"[^\W\d_]+", text)
        if script:
            inside = _formula(script[2] if script[2] is not None else script[3], subscript, superscript, italic)
            out += (subscript if script[1] == "_" else superscript).format(inside)
            text = text[script.end() :]
        elif upright:
            out += re.sub(r"\\(.)", r"\1", upright[1])
            text = text[upright.end() :]
        elif sign:
            shown = _SIGNS.get(sign[1], sign[1])
            out += italic.format(shown) if sign[1] in ("alpha", "beta", "ell", "rho", "lambda") else shown
            text = text[sign.end() :]
            text = text.lstrip() if shown == "·" else text
        elif letters:
            out += italic.format(letters[0])
            text = text[letters.end() :]
        else:
            out, text = out + text[0], text[1:]
    return out


def _converted(text: str, subscript: str, superscript: str, italic: str) -> str:
    parts = re.split(r"(?<!\\)\$", text)
    shown = [
        _formula(part, subscript, superscript, italic) if i % 2 else part.replace(r"\$", "$")
        for i, part in enumerate(parts)
    ]
    return "".join(shown)


def as_html(text: str) -> str:
    """A label as HTML.

    >>> as_html(r"$A_{\\mathrm{min}}$ < 3, $\\alpha = \\ell/u$")
    '<i>A</i><sub>min</sub> &lt; 3, <i>α</i> = <i>ℓ</i>/<i>u</i>'
    """
    return _converted(html.escape(text), "<sub>{}</sub>", "<sup>{}</sup>", "<i>{}</i>")


def as_plain(text: str) -> str:
    """A label as text of a terminal.

    >>> as_plain(r"$A_{\\mathrm{min}}$ at $10^{8}$")
    'A_min at 10^8'
    """
    return _converted(text, "_{}", "^{}", "{}")


def escaped(text: str) -> str:
    """Plain text as a label: a dollar is no formula."""
    return text.replace("$", r"\$")


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


def wrapped(figure: Any, text: str, width: float, size: float) -> list[str]:
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
