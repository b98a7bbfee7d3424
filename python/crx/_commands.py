"""`crx plot` and `crx report`: what the program runs for them."""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import Any, Callable, Optional, Sequence

from ._program import ConfigError, InputError, RunError


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise InputError(f"{self.prog.removeprefix('crx ')}: {message}\n  crx help {self.prog.removeprefix('crx ')} says what it takes")


def _plot_parser() -> argparse.ArgumentParser:
    from ._plot import KINDS, SCALES

    parser = _Parser(
        "crx plot",
        description="Draw the panels of a store's experiment, a schedule, CHEN's figures 1 to 3, or a fitted clock.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Panels, measures and figures for a paper: docs/plots.md.\n"
        "Examples: crx plot chen_two_point_alpha.db -o figure.pdf --width 3.35in --no-title --no-caption\n"
        "          crx plot chen_two_point_alpha.db --panel 2 --style slides -o slide.png\n"
        "          crx plot --instance requests.csv --memory 64 --policy a-min,mc-sf -o schedule.svg\n"
        "          crx plot chen_two_point_alpha.db --cell 12 --instance 3 --policy a-min,a-ell",
    )
    add = parser.add_argument
    add("store", nargs="?", metavar="STORE", help="store that crx sweep made")
    add("-o", "--output", metavar="FILE", help=".svg, .pdf, .png, .pgf or .eps; default: the store's name with .svg, here")
    add("--format", choices=("svg", "pdf", "png", "pgf", "eps"), help="where the name of the picture does not say it")
    add("--panel", type=int, metavar="N", help="only this panel, counted from 1")
    add("--panels", metavar="FILE", help="panels of this TOML file in place of the experiment's")
    add("--policies", type=_words, default=[], metavar="LABEL,..", help="only these, and the curves that speak of them")
    looks = parser.add_argument_group("looks")
    add = looks.add_argument
    add("--style", default="paper", help="paper, slides or a file NAME.mplstyle; default: paper")
    add("--width", metavar="LENGTH", help="of the picture: 3.35in, 8.5cm, 85mm, 241pt")
    add("--height", metavar="LENGTH", help="likewise")
    add("--font-size", type=float, metavar="SIZE", help="points, of numbers at axes; other text in proportion")
    add("--legend", default="", choices=("below", "inside", "right", "none"), help="default: below")
    either = looks.add_mutually_exclusive_group().add_argument
    either("--bands", dest="intervals", action="store_const", const="bands", default="", help="intervals as bands")
    either("--bars", dest="intervals", action="store_const", const="bars", help="intervals as bars; default: bars up to 40 points")
    add("--x-scale", default="", choices=SCALES, help="of horizontal axes, in place of the experiment's")
    add("--y-scale", default="", choices=SCALES, help="of vertical axes")
    add("--columns", type=int, default=0, metavar="N", help="panels side by side; default: two")
    add("--title", metavar="TEXT", help="in place of the experiment's")
    add("--no-title", action="store_true", help="leave out titles; letters stay")
    add("--no-caption", action="store_true", help="leave out the small print")
    own = parser.add_argument_group("a panel that the experiment does not have")
    add = own.add_argument
    kinds = "heatmap: over x and series, also of the experiment's panels; histogram or exceedance of the instances of a cell"
    add("--kind", default="", choices=KINDS, help=f"{kinds}; frontier: --x is a measure too")
    add("--x", default="", metavar="NAME", help="axis or parameter along the bottom; with it:")
    add("--y", default="", metavar="MEASURE", help="its measure; default: the first")
    add("--along", default="", metavar="AXIS", help="of a frontier: the axis whose values are joined")
    add("--series", default="", metavar="AXIS", help="a line for each value of this axis")
    add("--worst-over", default="", metavar="AXIS", help="the largest value over this axis")
    add("--where", action="append", type=_fixed, default=[], metavar="AXIS=NUMBER", help="only cells at this value")
    add("--sweep", default="", metavar="NAME", help="of this sweep; needed where there are several")
    add("--baseline", default="", metavar="ID", help="over this baseline; default: the first")
    add("--log-x", action="store_true", help="with a logarithmic horizontal axis")
    add("--log-y", action="store_true", help="with a logarithmic vertical axis")
    runs = parser.add_argument_group("a schedule: who waits, runs and completes when")
    add = runs.add_argument
    add("--instance", metavar="FILE|N", help="instance file; with STORE and --cell the number of an instance")
    add("--memory", type=int, metavar="M", help="tokens; with an instance file")
    add("--policy", type=_words, default=[], metavar="A,B", help="policies side by side; of a store: labels, default all")
    add("--cell", type=int, metavar="N", help="cell of the store")
    for name in ("seed", "number", "alpha", "beta", "levels", "learns", "clock", "d0", "d1", "d2"):
        add(f"--{name}", metavar=name.upper(), help=argparse.SUPPRESS)
    runs.add_argument("--fit", metavar="FILE", help="with --memory: the clock that crx trace --fit-clock fits to this trace")
    theory = parser.add_argument_group("published figures")
    theory.add_argument("--figure", type=int, choices=(1, 2, 3), help="of CHEN, with what the program adds")
    theory.add_argument("--u", type=int, default=100_000, help="of Figure 1: the longest output; default: 100000")
    theory.add_argument("--l", metavar="L,..", help="of Figure 1: shortest outputs; then against alpha = l/u")
    theory.add_argument("--s", metavar="S,..", help="likewise: prompts")
    return parser


def _words(text: str) -> list[str]:
    """Words between commas; a comma before a space belongs to a label."""
    return [word for word in re.split(r",(?! )", text) if word]


def _fixed(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not AXIS=NUMBER") from None


def _output(given: argparse.Namespace, stem: str) -> tuple[str, str]:
    """(file, format) of the picture."""
    from ._plot import FORMATS

    file = given.output or f"{stem}.{given.format or 'svg'}"
    format = given.format or os.path.splitext(file)[1][1:].lower()
    if format not in FORMATS:
        raise ConfigError(
            f"command line: -o = {file}\n"
            "  not accepted: must be a file name that ends in .svg, .pdf, .png, .pgf or .eps, or any beside --format"
        )
    if given.store and os.path.exists(file) and os.path.exists(given.store) and os.path.samefile(file, given.store):
        raise ConfigError(f"command line: -o = {file}\n  not accepted: must be another file than the store")
    return file, format


def _schedule(given: argparse.Namespace) -> Any:
    from ._schedule import runs_of_cell, runs_of_file, schedule

    looks = {"style": given.style, "width": given.width, "height": given.height, "font_size": given.font_size}
    if given.fit:
        from ._theory import clock_fit

        if given.memory is None:
            raise InputError("a fitted clock needs --memory M, which the server can hold")
        return clock_fit(given.fit, given.memory, **looks)
    if given.store:
        if given.cell is None or not str(given.instance or "").isdigit():
            raise InputError("a schedule of a store needs --cell N and --instance N")
        return schedule(runs_of_cell(given.store, given.cell, int(given.instance), given.policy), **looks)
    if not given.policy and not given.instance.endswith(".json"):
        raise InputError("a schedule of an instance file needs --memory M and --policy A,B")
    names = ("seed", "number", "alpha", "beta", "levels", "learns", "clock", "d0", "d1", "d2")
    options = [part for n in names if getattr(given, n) is not None for part in (f"--{n}", getattr(given, n))]
    return schedule(runs_of_file(given.instance, given.memory, given.policy or [""], options), **looks)


def _figure(given: argparse.Namespace) -> Any:
    from ._plot import plot
    from ._program import run_json

    looks = {name: getattr(given, name) for name in ("style", "width", "height", "font_size", "legend", "intervals", "x_scale", "y_scale", "columns")}
    looks.update(title=given.title or not given.no_title, caption=not given.no_caption)
    if given.figure == 1:
        lists = [part for name in "ls" if getattr(given, name) for part in (f"--{name}", getattr(given, name))]
        kind = ["--alphas", *lists] if lists else ["--growth"]
        return plot(run_json("spectrum", "--u", given.u, *kind, "--document"), **looks)
    if given.figure:
        return plot(run_json("bounds", "--figure", given.figure), **looks)
    names = ("x", "y", "along", "series", "worst_over", "sweep", "baseline", "log_x", "log_y", "policies", "panels")
    own = {name: getattr(given, name) for name in names}
    return plot(given.store, panel=given.panel, kind=given.kind, where=dict(given.where), **looks, **own)


def plot_command(arguments: Sequence[str]) -> None:
    given = _plot_parser().parse_args(arguments)
    is_schedule = given.instance is not None or given.cell is not None
    if sum((bool(given.store), is_schedule and not given.store, bool(given.figure), bool(given.fit))) != 1:
        raise InputError("plot: needs a STORE, an --instance FILE, a --fit FILE or a --figure N, one of them\n  crx help plot says more")
    is_schedule = is_schedule or bool(given.fit)
    kind = "fit" if given.fit else "schedule" if is_schedule else f"figure_{given.figure}"
    stem = os.path.splitext(os.path.basename(given.store or ""))[0] or kind
    file, format = _output(given, stem)
    from ._figure import picture
    from ._report import write

    write(file, picture(_schedule(given) if is_schedule else _figure(given), format))
    print(file)


def report_command(arguments: Sequence[str]) -> None:
    parser = _Parser(
        "crx report",
        description="Write a page of one or several stores that a browser opens without network.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="What is on it: docs/report.md.\nExample: crx report chen_two_point_alpha.db -o chen_two_point_alpha.html",
    )
    parser.add_argument("stores", nargs="+", metavar="STORE", help="stores that crx sweep made: a part of the page each")
    parser.add_argument("-o", "--output", metavar="FILE", help="page, .html; default: the first store's name, here")
    parser.add_argument("--title", default="", help="of the page; default: the experiment's")
    parser.add_argument("--worst", type=int, default=3, metavar="N", help="worst runs of each store that are drawn; default: 3")
    given = parser.parse_args(arguments)
    from ._report import report

    file = given.output or os.path.splitext(os.path.basename(given.stores[0]))[0] + ".html"
    for store in given.stores:
        if os.path.exists(file) and os.path.exists(store) and os.path.samefile(file, store):
            raise ConfigError(f"command line: -o = {file}\n  not accepted: must be another file than a store")
    report(given.stores, file, title=given.title, worst=given.worst)
    print(file)


def _import_matplotlib() -> None:
    with suppress(ImportError):  # which the command says
        import_module("matplotlib.figure")


def main(command: Callable[[Sequence[str]], None], arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a command; its exit status, as the program's own."""
    threading.Thread(target=_import_matplotlib).start()  # while the program reads the store
    try:
        command(sys.argv[1:] if arguments is None else arguments)
        return 0
    except InputError as error:
        print(f"crx: {error}", file=sys.stderr)
        return 2
    except RunError as error:
        print(f"crx: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("crx: stopped", file=sys.stderr)
        return 130


def plot_main() -> int:
    return main(plot_command)


def report_main() -> int:
    return main(report_command)
