"""Schedules: who waits, runs, is cancelled and completes when, and memory against M."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._plot import length
from ._program import InputError, PathLike, run_json
from ._single import Run
from ._sweeps import Replay
from ._style import COLOURS, policy_text, style_context
from ._text import wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._figure import Figure

Ints = NDArray[np.int64]
MOST_ROWS = 200  #: requests that are drawn one by one
_CLASSES = 10  #: colours of lengths


@dataclass(frozen=True)
class Played:
    """A run as it is drawn. Times are in `unit`, memory in tokens; arrays have an element a request
    and are empty where requests were only counted; a row of `attempts` is request, start, end and
    whether it was cancelled; a row of `timeline` is time, held, active, waiting."""

    text: str
    summary: str
    memory: Optional[int]
    unit: str
    scale: float  #: of times, into the unit
    arrival: Ints
    prompt: Ints
    output: Ints
    attempts: Ints
    timeline: Ints

    @property
    def end(self) -> int:
        last = [int(a[:, k].max()) for a, k in ((self.attempts, 2), (self.timeline, 0)) if len(a)]
        return max(last, default=1)


def _ints(values: Iterable[Any]) -> Ints:
    return np.array([-1 if v is None else v for v in values], dtype=np.int64)


def _summary(total: Optional[int], cancelled: Optional[int], seconds: bool, reason: str) -> str:
    if total is None:
        return f"not finished: {reason}" if reason else ""
    text = f"total latency {total * 1e-9:.6g} s" if seconds else f"total latency {total}"
    return text + (f", {cancelled} cancelled" if cancelled else "")


def played_of_run(run: Run) -> Played:
    """A run of crx.simulate or crx.replay."""
    n = run.start.size
    done = np.flatnonzero(run.completion > 0)
    completed = np.stack([done, run.start[done], run.completion[done], 0 * done], axis=1)
    lost = run.attempts
    cancelled = np.column_stack([lost, np.ones(len(lost), np.int64)]) if len(lost) else np.zeros((0, 4), np.int64)
    timeline = np.column_stack([run.timeline[name] for name in ("time", "held", "active", "waiting")])
    lengths = [np.asarray(run.requests.get(name, [])[:n], np.int64) for name in ("arrivals", "prompts", "outputs")]
    label = policy_text(run.policy) if run.id in ("", run.policy) else run.policy
    return Played(
        label,
        _summary(run.total_latency, run.cancellations, run.clock is not None, run.reason),
        run.memory,
        "seconds" if run.clock else "round",
        1e-9 if run.clock else 1,
        lengths[0],
        lengths[1],
        lengths[2],
        np.concatenate([cancelled, completed]) if n else np.zeros((0, 4), np.int64),
        timeline,
    )


def played_of_json(run: Mapping[str, Any]) -> Played:
    """An object of `crx simulate --json --with-timeline` or of `crx replay`, of either model."""
    requests = run.get("requests", [])
    attempts = [
        (i, begin, end, kind == "cancelled")
        for i, request in enumerate(requests)
        for begin, end, kind in request.get("attempts", ())
    ]
    lines = run.get("timeline") or {"time": [], "held": [], "active": [], "waiting": []}
    seconds = "clock" in run or "path" in run or "horizons" in run
    return Played(
        run.get("text") or policy_text(run["policy"]),
        _summary(run.get("total_latency"), run.get("cancellations"), seconds, run.get("reason", "")),
        run.get("memory"),
        "seconds" if seconds else "round",
        1e-9 if seconds else 1,
        _ints(r.get("arrival", 0) for r in requests),
        _ints(r.get("prompt", 0) for r in requests),
        _ints(r.get("output", 0) for r in requests),
        np.array(attempts, dtype=np.int64).reshape(-1, 4),
        np.array([lines[name] for name in ("time", "held", "active", "waiting")], dtype=np.int64).T.reshape(-1, 4),
    )


def runs_of_file(instance: PathLike, memory: int, policies: Sequence[str], options: Sequence[Any] = ()) -> list[Played]:
    """Runs each policy on an instance file (`crx simulate`)."""
    command = ["simulate", "--instance", os.fspath(instance), "--memory", memory, "--with-timeline", *options]
    return [played_of_json(run_json(*command, "--policy", policy)) for policy in policies]


def runs_of_cell(store: PathLike, cell: int, instance: int, policies: Sequence[str] = ()) -> list[Played]:
    """Runs an instance of a store's cell again (`crx replay`)."""
    command = ["replay", os.fspath(store), "--cell", cell, "--instance", instance, "--with-timeline"]
    found = [run for p in policies or [""] for run in run_json(*command, *(["--policy", p] if p else []))]
    return [played_of_json(run) for run in found]


def schedule(
    runs: Union[Run, Played, Replay, Iterable[Union[Run, Played]]],
    *,
    style: Union[str, Path, Mapping[str, Any]] = "paper",
    width: Union[None, str, float] = None,
    height: Union[None, str, float] = None,
    font_size: Optional[float] = None,
    title: str = "",
) -> "Figure":
    """Draws one or several runs of an instance side by side, on one axis of time: a matplotlib Figure.

    `runs` is a Run, a list of them or a Replay. A row is a request, the shortest output at the
    bottom: a line while it waits, a wedge that grows with its memory while it runs (light and
    orange where it was cancelled), a mark where it completes. Below is memory held, in tokens,
    against M. More than 200 requests are shown as density, lengths against time. `width` and
    `height` are inches or texts as "85mm".

    >>> import crx
    >>> run = crx.simulate("a-min", 2, [3, 9, 5], 12, lower=[1, 1, 1], upper=[9, 9, 9])
    >>> figure = crx.schedule([run, crx.simulate("mc-sf", 2, [3, 9, 5], 12)])
    >>> len(figure.axes)
    4
    """
    if isinstance(runs, (Run, Played)):
        runs = [runs]
    elif isinstance(runs, Replay):
        runs = [*runs.runs.values(), *(played_of_json(path) for path in runs.paths)]
    played = [played_of_run(run) if isinstance(run, Run) else run for run in runs]
    if not played:
        raise InputError("schedule: there is no run to draw")
    with style_context(style, font_size):
        return _figure(played, length("width", width), length("height", height), title)


def kind_of(played: Sequence[Played]) -> str:
    """How runs side by side are drawn: by requests, density or, where one only counted them, counts."""
    n = min(len(p.output) for p in played)
    return "counts" if n == 0 else "requests" if n <= MOST_ROWS else "density"


def _figure(played: Sequence[Played], width: Optional[float], height: Optional[float], title: str) -> "Figure":
    import matplotlib as mpl

    from ._figure import Figure

    size = mpl.rcParams["font.size"]
    kind, rows = kind_of(played), max(len(p.output) for p in played)
    width = width or size / 8 * (3.6 * len(played) if len(played) > 1 else 4.8)
    row_height = 0.16 if rows <= 40 else 0.07 if rows <= 100 else 0.035
    upper = max(1.4, row_height * rows) if kind == "requests" else 2.4
    height = height or size / 8 * (upper + 2.4)
    figure = Figure(figsize=(width, height))
    ratio = [max(height - 1.9 * size / 8, 0.4 * height), 1.3 * size / 8]
    grid = figure.subplots(2, len(played), squeeze=False, sharex=True, sharey="row", gridspec_kw={"height_ratios": ratio})
    lengths = np.concatenate([p.prompt + p.output for p in played]) if rows else np.ones(1)
    titles: list[Any] = []
    for k, run in enumerate(played):
        top, bottom = grid[0][k], grid[1][k]
        first = k == 0
        heading = f"{run.text}: {run.summary}" if run.summary else run.text
        title_lines = wrapped(figure, heading, width / len(played) - 0.2, size)
        titles.append(top.set_title("\n".join(title_lines), fontsize=size))
        if kind == "counts":
            draw_counts(top, run, first)
        elif kind == "requests":
            draw_requests(top, run, float(lengths.max()), first)
        else:
            draw_density(top, run, first)
        draw_memory(bottom, run, first)
        bottom.set_xlabel(run.unit)
    end = max(p.end * p.scale for p in played)
    grid[0][0].set_xlim(0, end * 1.005)
    if title:
        titles.append(figure.suptitle(title, x=0.01, ha="left"))
    _place(figure, grid, titles)
    return figure


def _place(figure: "Figure", grid: NDArray[Any], titles: Sequence[Any]) -> None:
    """Gives axes the room that texts at the edges leave; nothing moves later."""
    import matplotlib as mpl

    renderer, (width, height) = figure.crx_measure, figure.get_size_inches() * figure.dpi
    pad = 0.5 * mpl.rcParams["font.size"] / 72 * figure.dpi
    under = [(axes.bbox, axes.xaxis.get_tightbbox(renderer)) for axes in grid[1]]
    left = pad + max(axes.bbox.x0 - axes.yaxis.get_tightbbox(renderer).x0 for axes in grid[:, 0])
    right = pad + max(0, under[-1][1].x1 - under[-1][0].x1)
    bottom = pad + max(box.y0 - texts.y0 for box, texts in under)
    high = [text.get_window_extent(renderer).height for text in titles]  # of the figure's: one more
    top = 2 * pad + max(high[: grid.shape[1]]) + sum(pad + h for h in high[grid.shape[1] :])
    wide, tall = (width - left - right + 4 * pad) / grid.shape[1] - 4 * pad, (height - top - bottom) / 2 - pad
    figure.subplots_adjust(
        left / width, bottom / height, 1 - right / width, 1 - top / height, 4 * pad / max(wide, 1), 2 * pad / max(tall, 1)
    )


def _colours(run: Played) -> tuple[NDArray[np.int64], list[Any]]:
    """The class of each request by its output, and the colours of the classes, light for short."""
    import matplotlib as mpl

    distinct = np.unique(run.output)
    place = np.searchsorted(distinct, run.output) / max(1, len(distinct) - 1)
    classes = np.minimum((place * _CLASSES).astype(np.int64), _CLASSES - 1)
    ramp = mpl.colormaps["viridis_r"]
    return classes, [ramp(0.12 + 0.83 * k / (_CLASSES - 1)) for k in range(_CLASSES)]


def _row_of(run: Played) -> NDArray[np.int64]:
    """The row of each request: by output, then by number."""
    row = np.empty(len(run.output), np.int64)
    row[np.lexsort((np.arange(len(run.output)), run.output))] = np.arange(len(run.output))
    return row


def draw_requests(axes: "Axes", run: Played, longest: float, first: bool) -> None:
    """A row a request."""
    import matplotlib as mpl
    from matplotlib.collections import LineCollection, PolyCollection

    row = _row_of(run)
    classes, colours = _colours(run)
    n = len(row)
    ends = np.full(n, run.end)
    wedges: list[Any] = []
    lost: list[Any] = []
    faces: list[Any] = []
    marks: list[Any] = []
    for request, begin, end, cancelled in run.attempts.tolist():
        y = row[request] - 0.38
        low, high = (0.8 * (run.prompt[request] + k) / longest for k in (1, end - begin if run.scale == 1 else run.output[request]))
        x0, x1 = begin * run.scale, end * run.scale
        shape = [(x0, y), (x0, y + low), (x1, y + max(low, high)), (x1, y)]
        (lost if cancelled else wedges).append(shape)
        if not cancelled:
            faces.append(colours[classes[request]])
            marks.append([(x1, y), (x1, y + 0.8)])
            ends[request] = begin
    waits = [[(a * run.scale, r - 0.38), (e * run.scale, r - 0.38)] for a, e, r in zip(run.arrival, ends, row) if e > a]
    thin = mpl.rcParams["axes.linewidth"]
    axes.add_collection(LineCollection(waits, colors="#BDBDBD", linewidths=thin, zorder=1))
    axes.add_collection(PolyCollection(lost, facecolors="#F3C49C", edgecolors=COLOURS["vermilion"], linewidths=0.35 * thin, zorder=2))
    axes.add_collection(PolyCollection(wedges, facecolors=faces, edgecolors="none", zorder=3))
    axes.add_collection(LineCollection(marks, colors="black", linewidths=1.3 * thin, zorder=4))
    axes.set_ylim(-0.9, n - 0.1)
    axes.grid(False)
    step = max(1, -(-n // 40))
    order = np.argsort(row)
    axes.set_yticks(range(0, n, step), [str(i) for i in order[::step]], fontsize=0.8 * mpl.rcParams["font.size"] if n > 20 else None)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    if first:
        axes.set_ylabel("request, shortest below")


def draw_density(axes: "Axes", run: Played, first: bool, bins: int = 240, rows: int = 48) -> None:
    """Lengths against time: grey where requests wait, blue where they run, orange where what runs is
    cancelled later, white where none are left."""
    n, end = len(run.output), run.end
    distinct = np.unique(run.output)
    if len(distinct) <= rows:  # a row a length, else a row a share of the requests
        rows, row = len(distinct), np.searchsorted(distinct, run.output)
    else:
        row = _row_of(run) * rows // n
    of_row = np.bincount(row, minlength=rows)
    share = np.zeros((3, rows, bins))  # waits, runs, runs in vain

    def add(kind: int, request: NDArray[np.int64], begin: Ints, stop: Ints) -> None:
        for time, sign in ((begin * bins / end, 1), (stop * bins / end, -1)):  # from then on one more, one less
            at = np.minimum(time.astype(np.int64), bins - 1)
            steps = np.zeros((rows, bins + 1))
            np.add.at(steps, (row[request], at + 1), sign)
            np.add.at(share[kind], (row[request], at), sign * (at + 1 - time))
            share[kind] += np.cumsum(steps, axis=1)[:, :bins]

    done = run.attempts[run.attempts[:, 3] == 0]
    lost = run.attempts[run.attempts[:, 3] == 1]
    start = np.full(n, end)
    start[done[:, 0]] = done[:, 1]
    add(0, np.arange(n), run.arrival, start)
    add(1, done[:, 0], done[:, 1], done[:, 2])
    add(2, lost[:, 0], lost[:, 1], lost[:, 2])
    share /= of_row[None, :, None]
    share[0] = np.maximum(0, share[0] - share[2])
    inks = np.array([[0.74, 0.74, 0.74], [0.0, 0.35, 0.6], [0.84, 0.37, 0.0]])
    strength = np.clip(share, 0, 1)
    image = 1 - np.einsum("krb,kc->rbc", strength, 1 - inks)
    axes.imshow(
        np.clip(image, 0, 1), origin="lower", aspect="auto", extent=(0, end * run.scale, 0, rows), interpolation="nearest"
    )
    axes.grid(False)
    ticks = sorted({0, rows // 4, rows // 2, 3 * rows // 4, rows - 1})
    axes.set_yticks([t + 0.5 for t in ticks], [str(run.output[row == t].min()) for t in ticks])
    if first:
        axes.set_ylabel(f"output of {n} requests (tokens)")
    from matplotlib.patches import Patch

    names = ("wait", "run", "run, cancelled later")
    entries = [Patch(color=inks[k], label=names[k]) for k in range(3 if len(lost) else 2)]
    axes.legend(handles=entries, loc="lower right", frameon=True, framealpha=0.85, edgecolor="none")


def draw_counts(axes: "Axes", run: Played, first: bool) -> None:
    """How many are active and wait, where requests have no names."""
    times = run.timeline[:, 0] * run.scale
    for column, name, colour in ((2, "active", "green"), (3, "waiting", "orange")):
        x, y = thinned(times, run.timeline[:, column])
        axes.step(x, y, where="post", color=COLOURS[colour], label=name)
    axes.set_ylim(bottom=0)
    axes.legend(loc="best", frameon=True, framealpha=0.85, edgecolor="none")
    if first:
        axes.set_ylabel("requests")


def thinned(x: NDArray[Any], y: NDArray[Any], slices: int = 600) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of each slice of the axis the first, lowest, highest and last point."""
    if len(x) <= 4 * slices:
        return x, y
    which = ((x - x[0]) * slices / (x[-1] - x[0] or 1)).astype(np.int64)
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    kept: set[int] = set()
    for a, b in zip(starts, [*starts[1:], len(x)]):
        kept |= {int(a), int(a + y[a:b].argmin()), int(a + y[a:b].argmax()), int(b - 1)}
    chosen = np.array(sorted(kept))
    return x[chosen], y[chosen]


def draw_memory(axes: "Axes", run: Played, first: bool) -> None:
    """Tokens held: by classes of lengths where it is known whose they are, else the sum."""
    import matplotlib as mpl

    end = run.end
    held_most = float(run.timeline[:, 1].max()) if len(run.timeline) else 0.0
    if 0 < len(run.output) <= MOST_ROWS and run.scale == 1 and end <= 20000:
        classes, colours = _colours(run)
        held = np.zeros((_CLASSES + 1, end + 1))
        for request, begin, stop, cancelled in run.attempts.tolist():
            tokens = run.prompt[request] + 1 + np.arange(stop - begin)
            held[_CLASSES if cancelled else classes[request], begin:stop] += tokens
        total = np.cumsum(held, axis=0)
        held_most = float(total.max())
        times = np.arange(end + 1)
        for k in range(_CLASSES + 1):
            if held[k].any():
                below = total[k] - held[k]
                colour = "#F3C49C" if k == _CLASSES else colours[k]
                axes.fill_between(times, below, total[k], step="post", color=colour, linewidth=0, zorder=2)
        x, y = thinned(np.repeat(times, 2)[1:], np.repeat(total[-1], 2)[:-1], 2000)
        axes.plot(x, y, color="black", linewidth=mpl.rcParams["axes.linewidth"], zorder=3)
    elif len(run.timeline):
        x, y = _growing(run)
        x, y = thinned(x, y)
        axes.fill_between(x, 0, y, color=COLOURS["sky"], alpha=0.45, linewidth=0)
        axes.plot(x, y, color=COLOURS["blue"], linewidth=mpl.rcParams["axes.linewidth"])
        held_most = float(y.max())
    top = max(held_most, run.memory or 0)
    if run.memory:
        axes.axhline(run.memory, color="black", linewidth=mpl.rcParams["axes.linewidth"], linestyle=(0, (5, 3)), zorder=4)
        axes.annotate(
            f"$M$ = {run.memory}", (1, run.memory), xycoords=("axes fraction", "data"), xytext=(0, 1.5),
            textcoords="offset points", ha="right", va="bottom", fontsize=0.85 * mpl.rcParams["font.size"],
        )  # fmt: skip
    axes.set_ylim(0, max(axes.get_ylim()[1] if not first else 0, 1.22 * top or 1))
    axes.grid(axis="x", visible=False)
    if first:
        axes.set_ylabel("tokens held")


def _growing(run: Played) -> tuple[NDArray[Any], NDArray[Any]]:
    """Memory over time: of rounds with the tokens that grow between two events."""
    time, held, active = (run.timeline[:, k] for k in range(3))
    if run.scale != 1:
        return time * run.scale, held
    after = held.copy()
    after[:-1] = held[1:] - active[:-1] * np.diff(time)
    return np.repeat(time, 2), np.column_stack([held, after]).ravel()
