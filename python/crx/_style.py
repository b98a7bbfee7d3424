"""Looks: one colour and symbol a policy, safe for the colour-blind, the same in every figure."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

from ._text import escaped

#: Colours of Okabe and Ito (2008), Color Universal Design, without their yellow, too light on white.
COLOURS = {
    "vermilion": "#D55E00",
    "blue": "#0072B2",
    "sky": "#56B4E9",
    "green": "#009E73",
    "purple": "#CC79A7",
    "orange": "#E69F00",
    "black": "#000000",
    "grey": "#7F7F7F",
    "brown": "#8C6239",
}

#: From dark to light, for more values of an axis than there are colours.
RAMP = ("#1A1A4B", "#05609D", "#008C8C", "#5C9E45", "#E69F00")

#: Symbols that differ in outline; an o before the letter: open.
MARKERS = ("s", "o", "^", "D", "v", "oo", "os", "oD", "o^", "x", "+", "P")

#: Of a policy by its id: text, colour, symbol.
POLICIES = {
    "a-max": (r"$A_{\mathrm{max}}$", "vermilion", "s"),
    "a-min": (r"$A_{\mathrm{min}}$", "blue", "o"),
    "a-min-evict": (r"$A_{\mathrm{min}}$ (evict)", "sky", "oo"),
    "a-ell": (r"$A_{\ell}$", "green", "^"),
    "a-ladder": (r"$A_{\mathrm{ladder}}$", "brown", "os"),
    "a-random": (r"$A_{\mathrm{random}}$", "purple", "D"),
    "mc-sf": ("MC-SF", "black", "x"),
    "mc-sf-total": ("MC-SF by $s+o$", "grey", "+"),
    "mc-benchmark": ("MC-Benchmark", "orange", "v"),
    "protect": ("Protect", "sky", "o^"),
    "clear": ("Clear", "green", "oD"),
    "fcfs": ("FCFS", "brown", "v"),
    "sorted-f": ("Sorted-$F$", "blue", "o"),
    "sorted-lp": ("Sorted-LP", "vermilion", "s"),
    "lp-swap": ("LP-Swap", "purple", "D"),
}

#: How a curve is drawn, by what it states; further ones of the same policy take the next.
STROKES: dict[str, Any] = {
    "upper": (0, (4.5, 1.8)),
    "lower": (0, (1, 1.6)),
    "construction": (0, (6, 1.6, 1.2, 1.6)),
    "fluid": "-",
    "general": (0, (9, 2.5)),
    "slope": (0, (2.5, 2.5)),
}


@dataclass(frozen=True)
class Look:
    """Colour, matplotlib's marker, and whether it is open."""

    colour: str
    marker: str = ""
    is_open: bool = False

    @property
    def face(self) -> str:
        return "white" if self.is_open else self.colour


def _look(colour: str, marker: str) -> Look:
    return Look(colour, marker[-1], len(marker) > 1)


def policy_text(id: str) -> str:
    """A policy's name as its paper sets it; the id where no paper does."""
    return POLICIES[id][0] if id in POLICIES else escaped(id)


def policy_looks(policies: Sequence[Mapping[str, Any]]) -> dict[str, Look]:
    """The look of each policy by its label: its own where it has one, else what is left over."""
    looks: dict[str, Look] = {}
    colours, markers, waiting = list(COLOURS.values()), list(MARKERS), []
    for policy in policies:
        known = POLICIES.get(policy.get("id", ""))
        if known is None or COLOURS[known[1]] not in colours:
            waiting.append(policy["label"])
            continue
        colours.remove(COLOURS[known[1]])
        if known[2] in markers:
            markers.remove(known[2])
        looks[policy["label"]] = _look(COLOURS[known[1]], known[2])
    for i, label in enumerate(waiting):
        colour = colours[i] if i < len(colours) else ramp(i, len(waiting))
        looks[label] = _look(colour, (markers or MARKERS)[i % len(markers or MARKERS)])
    return looks


def ramp(index: int, count: int) -> str:
    """The colour of value `index` of `count` in an order."""
    if count <= 6:
        return list(COLOURS.values())[index]
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    return str(to_hex(LinearSegmentedColormap.from_list("crx", RAMP)(index / (count - 1))))


def _fonts(params: Mapping[str, Any]) -> dict[str, Any]:
    """The first font of the style's list that there is, for text and formulas alike."""
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    names = [name for name in params["font.sans-serif"] if name in there] or ["DejaVu Sans"]
    formulas = {"rm": "", "it": ":italic", "bf": ":bold", "sf": "", "tt": "", "cal": ":italic"}
    found: dict[str, Any] = {f"mathtext.{kind}": names[0] + face for kind, face in formulas.items()}
    return {**found, "mathtext.fontset": "custom", "font.sans-serif": names}


def style_context(
    style: Union[str, Path, Mapping[str, Any]], font_size: Optional[float], **more: Any
) -> AbstractContextManager[Any]:
    """matplotlib's parameters of a style for a `with`, after which the caller's are as before: paper,
    slides, the name of a file or a dictionary."""
    import matplotlib as mpl

    from ._program import ConfigError

    params = {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith(("backend", "interactive", "toolbar"))}
    if isinstance(style, Mapping):
        own: Mapping[str, Any] = style
        style = "paper"
    else:
        own = {}
    file = Path(__file__).parent / "styles" / f"{style}.mplstyle"
    if not file.exists():
        file = Path(style)
    if not file.is_file():
        raise ConfigError(f"style = {style}\n  not accepted: must be paper, slides or a file NAME.mplstyle")
    params.update(mpl.rc_params_from_file(str(file), use_default_template=False))
    params.update({"svg.hashsalt": "crx", "svg.fonttype": "path", "pdf.fonttype": 42, "ps.fonttype": 42})
    params.update(own)
    params.update(_fonts(params))
    params.update(more)
    if font_size is not None:
        params["font.size"] = font_size
    context: AbstractContextManager[Any] = mpl.rc_context(params)
    return context
