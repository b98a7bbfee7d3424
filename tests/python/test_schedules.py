"""Schedules: every request where it waits, runs, is cancelled and completes."""

import json
from dataclasses import replace

import numpy as np
import pytest
import crx
from crx import _schedule
from crx._schedule import played_of_json, played_of_run, schedule

from support import EXPERIMENT, program, write_instance


def drawn(run):
    figure = schedule([run])
    shapes = {type(c).__name__: [] for c in figure.axes[0].collections}
    for collection in figure.axes[0].collections:
        shapes[type(collection).__name__].append([path.vertices for path in collection.get_paths()])
    return figure, shapes


def test_rows_are_runs_of_a_request(rng):
    run = crx.simulate("a-min", 2, rng.integers(1, 9, 12), 24, lower=1, upper=9)
    figure, shapes = drawn(run)
    lost, wedges = shapes["PolyCollection"]
    assert len(wedges) == 12 and len(lost) == run.cancellations > 0
    ends = sorted(round(max(w[:, 0])) for w in wedges)
    assert ends == sorted(run.completion.tolist())
    tall = max(wedges, key=lambda w: np.ptp(w[:, 0]))
    assert tall[2][1] - tall[0][1] == pytest.approx(0.8)  # the longest fills its row
    assert figure.axes[0].get_title(loc="left").startswith(r"$A_{\mathrm{min}}$: total latency " + str(run.total_latency))
    assert "M" in figure.axes[1].texts[0].get_text()


def test_memory_is_that_of_the_timeline(rng):
    for policy in ("a-min", "mc-sf"):
        run = crx.simulate(policy, rng.integers(0, 4, 15), rng.integers(1, 9, 15), 30, lower=1, upper=9)
        figure, _ = drawn(run)
        line = max(figure.axes[1].lines, key=lambda one: len(one.get_xdata()))
        assert max(line.get_ydata()) == run.peak_memory


def test_json_of_the_program_gives_the_same(tmp_path, rng):
    columns = {"prompt": rng.integers(0, 4, 9), "output": rng.integers(1, 9, 9)}
    columns.update(lower=np.ones(9, int), upper=np.full(9, 9))
    file = write_instance(tmp_path / "i.csv", columns)
    printed = program("simulate", "--instance", file, "--memory", 22, "--policy", "a-min", "--json", "--with-timeline")[0]
    theirs = played_of_json(json.loads(printed))
    run = crx.simulate("a-min", columns["prompt"], columns["output"], 22, lower=columns["lower"], upper=columns["upper"])
    ours = played_of_run(run)
    assert sorted(map(tuple, theirs.attempts)) == sorted(map(tuple, ours.attempts))
    assert (theirs.timeline == ours.timeline).all()
    assert (theirs.text, theirs.summary, theirs.memory) == (ours.text, ours.summary, ours.memory)


def test_policies_stand_side_by_side_on_one_axis(tmp_path):
    done = crx.sweep(EXPERIMENT, tmp_path / "a.db", progress=False)
    figure = crx.schedule(crx.replay(done, 0, 1))
    assert len(figure.axes) == 4
    assert len({axes.get_xlim() for axes in figure.axes}) == 1
    assert len({axes.get_ylim() for axes in figure.axes[2:]}) == 1
    figure.savefig(tmp_path / "a.svg")
    first = (tmp_path / "a.svg").read_bytes()
    figure.savefig(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == first


def test_many_requests_are_density(rng):
    outputs = np.concatenate([np.arange(1, 40), rng.integers(1, 40, 861)])
    run = crx.simulate("mc-sf", 2, outputs, 400)
    (image,) = crx.schedule(run).axes[0].images
    ink = 1 - np.asarray(image.get_array(), float)
    assert ink.shape == (39, 240, 3)
    runs = (ink[..., 0] - ink[..., 2]) / 0.6  # of a length, in each slice of time
    waits = (ink[..., 0] - runs) / 0.26
    count = np.bincount(outputs, minlength=40)[1:]
    rounds = run.makespan / 240 * count
    assert runs.sum(axis=1) * rounds == pytest.approx(count * np.arange(1, 40))
    assert waits.sum(axis=1) * rounds == pytest.approx(np.bincount(outputs, run.start, 40)[1:])


def test_a_run_whose_requests_were_counted_makes_counts_of_all(rng):
    run = crx.simulate("mc-sf", 2, rng.integers(1, 40, 300), 400)
    both = [played_of_run(run), replace(played_of_run(run), prompt=run.start[:0], output=run.start[:0])]
    counted, other, *_ = schedule(both).axes
    assert not counted.images and len(counted.lines) == len(other.lines) == 2
    assert (counted.lines[1].get_xydata() == other.lines[1].get_xydata()).all()
    assert counted.lines[1].get_ydata().max() > 0


def test_a_long_line_keeps_its_ends():
    x, y = _schedule.thinned(np.arange(10000.0), np.sin(np.arange(10000.0)), 100)
    assert len(x) <= 400 and y.max() > 0.999


@pytest.mark.parametrize("count", [5, 300])
@pytest.mark.parametrize("policies", [["mc-sf"], ["mc-sf", "a-min", "a-max"]])
def test_nothing_is_cut_off(rng, policies, count):
    outputs = rng.integers(1, 40, count)
    figure = schedule([crx.simulate(p, 2, outputs, 400, lower=1, upper=40) for p in policies], title="A title")
    boxes = [axes.get_tightbbox(figure.crx_measure) for axes in figure.axes]
    for box in boxes:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1
        assert box.y1 < figure._suptitle.get_window_extent(figure.crx_measure).y0
    for left, right in zip(boxes, boxes[1 : len(policies)]):
        assert left.x1 < right.x0


def test_a_clock_has_seconds():
    run = crx.simulate("mc-sf", [10, 10], [3, 5], 40, arrivals=[0, 10**8], clock={"d0": 1e7, "d1": 1e4, "d2": 1e3})
    figure = crx.schedule(run)
    assert figure.axes[1].get_xlabel() == "seconds"
    assert "s" in figure.axes[0].get_title(loc="left")


def test_nothing_to_draw():
    with pytest.raises(crx.InputError, match="no run"):
        crx.schedule([])
