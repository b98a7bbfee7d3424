"""Measures of the prompts of paths against a plain computation from the rows that replay writes of each prompt."""

import csv

import numpy
import pytest
import crx

from test_requests import PERCENTILES, run_json, statistics

PATHS = 20
MEMORY = 60
EXPERIMENT = {
    "experiment": {"name": "p", "seed": 3},
    "model": {"kind": "iterations"},
    "stop": {"instances": PATHS},
    "measures": {"slo": {"latency": "40 ms", "per_token": "2.5 ms"}},
    "workload": {
        "horizon": 0.25,
        "doublings": 2,
        "clock": {"d0": 1000000, "d1": 7250.25},
        "type": [{"prompt": 5, "output": 9, "rate": 120}, {"prompt": 2, "output": 1, "rate": 90}, {"prompt": 9, "output": 20, "rate": 40}],
    },
    "policy": [
        {"id": "fcfs-vllm", "memory": MEMORY},
        {"id": "fcfs-sarathi", "memory": MEMORY, "budget": 8},
        {"id": "wait", "thresholds": [2, 1, 2]},
        {"id": "nested-wait", "thresholds": [2, 2, 1], "accept_broken_condition": True, "ends": [1, 9, 20], "groups": "one", "memory": 480, "hard": True},
    ],
    "sweep": [{"name": "one"}],
}


def rows_of(folder, store, path, policy):
    run_json(folder, "replay", store, "--cell", 0, "--instance", path, "--policy", policy, "--json", "--write-requests", "rows.csv")
    with open(folder / "rows.csv", newline="") as file:
        return [{name: int(text) if text else None for name, text in row.items()} for row in csv.DictReader(file)]


def alone(row):
    return sum(1000000 + (int(7250.25 * 65536) * (row["prompt"] + k) >> 16) for k in range(row["output"] + 1))


def values_of(rows, until):
    """{measure: values}: times since the arrival are of every prompt, the others of those that completed."""
    done = [r for r in rows if r["completion"] is not None]
    since = {n: [(until if r[k] is None else r[k]) - r["arrival"] for r in rows] for n, k in
             {"latency": "completion", "first_token": "first_token", "first_token_streamed": "first_token_streamed"}.items()}  # fmt: skip
    return {
        **since,
        "per_token": [(r["completion"] - r["first_token"]) / (r["output"] - 1) for r in done if r["output"] > 1],
        "slowdown": [(r["completion"] - r["arrival"]) / alone(r) for r in done],
        "longest_gap": [r["longest_gap"] for r in done if r["output"] > 1],
    }


@pytest.mark.parametrize("policy", [p["id"] for p in EXPERIMENT["policy"]])
def test_a_sweep_pools_the_prompts_of_all_paths(tmp_path, policy):
    store = crx.sweep(EXPERIMENT, tmp_path / "p.db", progress=False).db
    table = crx.read(store)
    row = table[(table.policy == policy) & (table.horizon == 1.0)].iloc[0]
    paths = [rows_of(tmp_path, store, k, policy) for k in range(PATHS)]
    of_path = [values_of(rows, 10**9) for rows in paths]
    for name in of_path[0]:
        unit = 1 if name == "slowdown" else 1e-9
        for statistic, value in statistics([v for values in of_path for v in values[name]]).items():
            error = 1 / 2048 if statistic in PERCENTILES else 1e-6
            assert row[f"request_{name}_{statistic}"] == pytest.approx(value * unit, rel=error), (name, statistic)
    every = [r for rows in paths for r in rows]
    done = [r for r in every if r["completion"] is not None]
    assert len(every) > len(done) > 1000
    tokens, lost = sum(r["output"] for r in done), sum(r["tokens_lost"] for r in every)
    assert row.request_throughput_requests == pytest.approx(len(done) / PATHS)
    assert row.request_throughput_tokens == pytest.approx(tokens / PATHS)
    assert row.request_in_vain == pytest.approx(lost / (lost + tokens))
    assert lost > 0 or policy == "wait"
    kept = [r for r in done if r["completion"] - r["arrival"] <= 40e6 and (r["output"] == 1 or (r["completion"] - r["first_token"]) / (r["output"] - 1) <= 2.5e6)]
    assert 0.02 < len(kept) / len(every) < 0.98
    assert row.request_attainment == pytest.approx(len(kept) / len(every))
    assert row.request_goodput_tokens == pytest.approx(sum(r["output"] for r in kept) / PATHS)
    assert numpy.isnan(row.request_memory_mean) == (policy == "wait")


def test_a_summary_of_a_path_is_what_its_rows_say(tmp_path):
    store = crx.sweep(EXPERIMENT, tmp_path / "p.db", progress=False).db
    for policy in ("fcfs-vllm", "nested-wait"):
        rows = rows_of(tmp_path, store, 3, policy)
        replay = ["replay", store, "--cell", 0, "--instance", 3, "--policy", policy, "--json", "--with-timeline", "--summary"]
        run = run_json(tmp_path, *replay)[0]
        summary = run["summary"]
        for name, values in values_of(rows, 10**9).items():
            for statistic, value in statistics(values).items():
                assert summary[name][statistic] == pytest.approx(value * (1 if name == "slowdown" else 1e-9), rel=1e-9)
        last = run["horizons"][-1]
        assert (summary["requests"], summary["completed"]) == (last["arrivals"], last["completed"])
        assert summary["memory_use"]["peak"] == max(run["timeline"]["held"]) == last["peak_memory"]
        assert sum(r["attempts"] - (r["completion"] is not None) for r in rows) == last["cancelled"]
        assert summary["latency"]["mean"] == pytest.approx(last["mean_latency"])
        assert summary["first_token_streamed"]["mean"] == pytest.approx(last["mean_first_token"])
