"""The package gives what the program prints."""

import contextlib
import json
import shutil
import sqlite3
import threading

import numpy as np
import pandas as pd
import pytest
import crx
from crx._toml import to_toml

from support import EXPERIMENT, program, write_instance


@pytest.fixture
def stores(tmp_path):
    """The store of a sweep from Python, and that of the same file from the program."""
    file = tmp_path / "small.toml"
    file.write_text(to_toml(EXPERIMENT))
    theirs = tmp_path / "theirs.db"
    _, message = program("sweep", file, "--db", theirs)
    assert theirs.exists(), message
    done = crx.sweep(EXPERIMENT, tmp_path / "ours.db", progress=False)
    assert (done.cells, done.instances, done.added) == (2, 8, 8)
    return done.db, theirs


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_exports_are_the_same_bytes(stores, tmp_path, ending):
    ours, theirs = stores
    crx.export(ours, tmp_path / f"ours.{ending}")
    program("export", theirs, "-o", tmp_path / f"theirs.{ending}")
    expected = (tmp_path / f"theirs.{ending}").read_bytes()
    assert expected
    assert (tmp_path / f"ours.{ending}").read_bytes() == expected


def test_a_data_frame_is_the_export(stores, tmp_path):
    ours, theirs = stores
    program("export", theirs, "-o", tmp_path / "theirs.csv")
    text = pd.read_csv(tmp_path / "theirs.csv", dtype=str, keep_default_na=False)
    frame = crx.read(ours)
    assert list(frame.columns) == [*text.columns, "engine"]
    for name in text.columns:
        for value, written in zip(frame[name], text[name]):
            if pd.isna(value):
                assert written == ""
            else:
                assert type(value)(written) == value, name
    assert frame["instances"].dtype == np.int64
    assert frame["mean_of_ratios"].dtype == np.float64


def test_the_same_call_continues(stores):
    ours, _ = stores
    done = crx.sweep(EXPERIMENT, ours, set={"stop.instances": 6}, progress=False)
    assert (done.instances, done.added) == (12, 4)


def test_a_store_is_read_while_a_sweep_adds_to_it(tmp_path):
    db = tmp_path / "long.db"
    seen = []
    wanted = {"stop.instances": 3000, "workload.requests": 100}
    sweep = threading.Thread(
        target=lambda: crx.sweep(EXPERIMENT, db, set=wanted, progress=False, threads=1)
    )
    sweep.start()
    while sweep.is_alive():  # this thread runs, so the sweep does not hold Python's lock
        if db.exists():
            try:
                seen.append(int(crx.read(db)["instances"].sum()))
            except crx.InputError:
                pass  # its tables are being made
    sweep.join()
    last = int(crx.read(db)["instances"].sum())
    assert last == 2 * 2 * 2 * 3000
    assert seen == sorted(seen)
    assert any(number < last for number in seen)


def test_a_store_whose_cells_are_not_there_yet_has_columns(stores, tmp_path):
    ours, _ = stores
    begun = tmp_path / "begun.db"
    shutil.copy(ours, begun)
    with contextlib.closing(sqlite3.connect(begun)) as database, database:
        database.execute("DELETE FROM cells")
    frame = crx.read(begun)
    assert "instances" in frame.columns and set(frame.columns) <= set(crx.read(ours).columns)
    assert len(frame) == 0


def random_instance(rng, n=9):
    outputs = rng.integers(1, 9, n)
    return {
        "prompt": rng.integers(0, 5, n),
        "output": outputs,
        "arrival": np.zeros(n, int),
        "lower": np.maximum(1, outputs - rng.integers(0, 4, n)),
        "upper": outputs + rng.integers(0, 4, n),
    }


@pytest.mark.parametrize(
    "policy, options",
    [
        ("mc-sf", {}),
        ("a-min", {"learns": "exceeded"}),
        ("a-ladder", {"levels": [4, 20]}),
        ("clear", {"alpha": 0.2, "beta": 0.1}),
        ("sorted-f", {"selector": "swap"}),
        ("a-max", {"clock": "llama2-70b-2xa100"}),
    ],
)
def test_simulate_prints_the_same(rng, tmp_path, policy, options):
    columns = random_instance(rng)
    if policy != "sorted-f":
        columns["arrival"] = rng.integers(0, 5, 9)
    file = write_instance(tmp_path / "i.csv", columns)
    arguments = []
    for name, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else value
        arguments += [f"--{name}", text]
    expected, message = program(
        "simulate", "--instance", file, "--memory", 25, "--policy", policy, "--seed", 3, "--json", *arguments
    )
    assert expected, message
    run = crx.simulate(
        policy,
        columns["prompt"],
        columns["output"],
        25,
        arrivals=columns["arrival"],
        lower=columns["lower"],
        upper=columns["upper"],
        seed=3,
        **options,
    )
    printed = json.loads(expected)
    ours = json.loads(run.json())
    for name, value in ours.items():
        if name != "requests":
            assert printed[name] == value, name
    for request, theirs in zip(ours["requests"], printed["requests"]):
        assert request == {name: theirs[name] for name in request}
    assert run.total_latency == printed["total_latency"]
    if run.finished:
        assert run.start.tolist() == [request["start"] for request in printed["requests"]]
        assert run.timeline["held"].max() <= 25


def test_arrays_of_other_types():
    run = crx.simulate("mc-sf", np.zeros(4, np.int32), np.full(4, 2, np.int32), 8)
    assert run.start.dtype == np.int64
    outputs = np.full(4, 2)
    outputs.flags.writeable = False
    assert crx.simulate("mc-sf", 0, outputs, 8).total_latency == run.total_latency


def test_many_instances_are_as_one_by_one(rng):
    for policy, options in (("a-min", {}), ("clear", {"alpha": 0.2, "beta": 0.3}), (lambda i: i.outputs.argsort(), {})):
        instances = []
        for _ in range(20):
            columns = random_instance(rng, int(rng.integers(1, 9)))
            instances.append({name + "s": columns[name] for name in ("prompt", "output")})
        many = crx.simulate_many(policy, instances, 25, seed=3, first_number=5, **options)
        for k, (run, instance) in enumerate(zip(many, instances)):
            one = crx.simulate(policy, instance["prompts"], instance["outputs"], 25, seed=3, number=5 + k, **options)
            assert run.json() == one.json()
            assert run.timeline.tolist() == one.timeline.tolist()
    assert crx.simulate_many("a-min", [], 25) == []


def test_attempts_are_cancelled_and_completed_runs(rng):
    for _ in range(30):
        columns = random_instance(rng)
        run = crx.simulate("a-min", columns["prompt"], columns["output"], 22, lower=1, upper=9)
        counts = np.bincount(run.attempts[:, 0], minlength=9)
        assert counts.tolist() == run.cancelled.tolist()
        held = np.zeros(run.makespan, np.int64)
        done = np.stack([np.arange(9), run.start, run.completion], axis=1)
        for request, begin, end in np.concatenate([run.attempts, done]).tolist():
            held[begin:end] += columns["prompt"][request] + 1 + np.arange(end - begin)
        assert held.max() == run.peak_memory


def test_one_process_serves_all_calls(monkeypatch):
    first = crx.simulate("mc-sf", 0, [2, 3], 3)
    monkeypatch.setattr(crx._program.subprocess, "Popen", None)
    for _ in range(3):
        assert crx.simulate("mc-sf", 0, [2, 3], 3).total_latency == first.total_latency


def test_results_are_tables_in_a_notebook(stores):
    run = crx.simulate("mc-sf", 0, [2, 3], 3)
    shown = [run, crx.baseline(0, [2, 3], 3), crx.replay(stores[0], 0, 0)]
    shown += [crx.sweep(EXPERIMENT, stores[0], progress=False), crx.search("mc-sf", requests=2, memory=4, generations=1)]
    for result in shown:
        assert result._repr_html_().startswith("<table>")


def test_baseline_prints_the_same(rng, tmp_path):
    columns = random_instance(rng, 7)
    columns["order"] = np.arange(7)[::-1]
    file = write_instance(tmp_path / "i.csv", columns)
    limits = ("--evaluations", 100, "--nodes", 100000)
    expected = json.loads(program("baseline", "--instance", file, "--memory", 25, "--json", *limits)[0])
    found = crx.baseline(
        columns["prompt"],
        columns["output"],
        25,
        evaluations=100,
        nodes=100000,
        orders={"own-order": np.arange(7)[::-1]},
    )
    assert (found.lower, found.upper) == (expected["lower"], expected["upper"])
    assert [b.value for b in found.bounds] == [b["value"] for b in expected["lower_bounds"]]
    assert [(s.id, s.total_latency, s.starts.tolist()) for s in found.schedules] == [
        (s["id"], s["total_latency"], s["starts"]) for s in expected["schedules"]
    ]
    assert found.best.total_latency == found.upper


def test_replay_prints_the_same(stores):
    ours, theirs = stores
    again = crx.replay(ours, 1, 2)
    expected = json.loads(program("replay", theirs, "--cell", 1, "--instance", 2, "--json")[0])
    for run, theirs in zip(again.runs.values(), expected):
        assert (run.policy, run.total_latency) == (theirs["policy"], theirs["total_latency"])
        assert run.start.tolist() == [request["start"] for request in theirs["requests"]]
    assert list(again.runs) == ["mc-sf", "a-min"]
    requests = again.instance
    alone = crx.simulate("mc-sf", requests["prompts"], requests["outputs"], requests["memory"])
    assert alone.start.tolist() == again.runs["mc-sf"].start.tolist()


def test_paths_of_the_iteration_model_are_replayed(tmp_path):
    text = """
        [experiment]
        name = "paths"
        seed = 1
        [model]
        kind = "iterations"
        [stop]
        instances = 2
        [workload]
        horizon = 20
        [workload.clock]
        d0 = 1e7
        d1 = 1e4
        [[workload.type]]
        rate = 1
        prompt = 10
        output = 20
        [[policy]]
        id = "wait"
        thresholds = "least"
        [[sweep]]
        name = "all"
    """
    file = tmp_path / "paths.toml"
    file.write_text("\n".join(line.strip() for line in text.splitlines()))
    done = crx.sweep(file, tmp_path / "paths.db", progress=False)
    again = crx.replay(done, 0, 1)
    expected = json.loads(program("replay", done.db, "--cell", 0, "--instance", 1, "--json")[0])
    assert [path["policy"] for path in again.paths] == [path["policy"] for path in expected]
    assert again.runs == {}


def test_bounds_spectrum_and_claims_print_the_same():
    assert crx.bounds() == json.loads(program("bounds", "--json")[0])
    printed = json.loads(program("bounds", "chen-8.6-general", "--alpha", 0.1, "--s-over-u", 0.2, "--json")[0])
    assert crx.bounds("chen-8.6-general", alpha=0.1, s_over_u=0.2) == printed["chen-8.6-general"]
    for row, alpha in zip(crx.bounds("chen-3.3", alpha=np.array([[0.1], [2.0]])), (0.1, 2.0)):
        if alpha <= 1:
            assert row[0] == crx.bounds("chen-3.3", alpha=alpha)
        else:
            assert np.isnan(row[0])
    printed = json.loads(program("spectrum", "--u", 300, "--l", 3, "--s", 2, "--json")[0])
    ours = crx.spectrum(300, 3, 2)
    for name in ("seconds", "bytes"):
        del printed[name], ours[name]
    assert ours == printed
    assert crx.claims("CHEN") == json.loads(program("claims", "CHEN", "--json")[0])
    fresh = crx.claims("C-5.2", run=True)[0]
    assert fresh["fresh_verdict"] == fresh["verdict"] and fresh["figures"]


def test_search_prints_the_same():
    expected = json.loads(
        program(
            *("search", "--policy", "mc-sf", "--requests", 4, "--memory", 8, "--generations", 2),
            "--json",
        )[0]
    )
    found = crx.search("mc-sf", requests=4, memory=8, generations=2)
    assert found.witness == expected
    assert str(found.ratio) == expected["ratio"]
