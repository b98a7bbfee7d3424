"""Measures of requests against a plain computation from the attempts of each request, round by round."""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy
import pytest
import crx

TRACES = Path(os.environ["CRX_SOURCE_DIR"]) / "../shared/data/samples"
PERCENTILES = {"p50": 50, "p90": 90, "p95": 95, "p99": 99}
NAMES = ("latency", "first_token", "first_token_streamed", "per_token", "slowdown", "longest_gap")


def run_json(folder, *arguments):
    done = subprocess.run([crx.find_program(), *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def products(clock):
    """d0, d1 and d2 in units of 2^-16, d3."""
    return (clock["d0"], int(clock["d1"] * 65536), int(clock["d2"] * 65536), clock["d3"]) if clock else (1, 0, 0, 0)


def alone(clock, prompt, output):
    d0, d1, d2, d3 = products(clock)
    return sum(d0 + d3 + (d1 * (prompt + j) >> 16) for j in range(1, output + 1)) + (d2 * prompt >> 16)


def play(run):
    """Walks the rounds in which the attempts of a run are active. Fills in, for each request, when the first token of
    the last and of any attempt came and the longest gap; returns time, token-time and time above 90 % of M."""
    d0, d1, d2, d3 = products(run.get("clock"))
    requests, memory = run["requests"], run["memory"]
    begins = {}
    for r in requests:
        r.update(shown=0, first_streamed=None, gap=None)
        for start, end, how in r["attempts"]:
            begins.setdefault(start, []).append([r, 0, end, how])
    instants, active = sorted(begins), []
    now = spent = held_time = crowded = 0
    while instants or active:
        if not active:
            now = instants[0]
        active = [a for a in active if a[2] > now]
        entering = 0
        while instants and instants[0] == now:
            for attempt in begins[instants.pop(0)]:
                active.append(attempt)
                entering += attempt[0]["prompt"]
        if not active:
            continue
        for attempt in active:
            attempt[1] += 1
        held = sum(r["prompt"] + tokens for r, tokens, _, _ in active)
        assert held <= memory
        length = d0 + (d1 * held >> 16) + (d2 * entering >> 16) + d3 * len(active)
        now += length
        held_time += held * length
        crowded += length if 10 * held >= 9 * memory else 0
        for attempt in active:
            r, tokens, end, how = attempt
            if tokens == 1:
                r["first"] = now
                r["first_streamed"] = r["first_streamed"] or now
            if tokens > r["shown"]:
                if tokens > 1:
                    r["gap"] = max(r["gap"] or 0, now - r["last_new"])
                r["shown"], r["last_new"] = tokens, now
            if how == "completed" and tokens == r["output"]:
                assert now == end == r["completion"]
    return held_time, crowded


def values_of(run):
    """{measure: values of the requests}, in rounds or nanoseconds."""
    values = {name: [] for name in NAMES}
    for r in run["requests"]:
        latency = r["completion"] - r["arrival"]
        values["latency"].append(latency)
        values["first_token"].append(r["first"] - r["arrival"])
        values["first_token_streamed"].append(r["first_streamed"] - r["arrival"])
        values["slowdown"].append(latency / alone(run.get("clock"), r["prompt"], r["output"]))
        if r["output"] > 1:
            values["per_token"].append((r["completion"] - r["first"]) / (r["output"] - 1))
            values["longest_gap"].append(r["gap"])
    return values


def statistics(values):
    ordered = sorted(values)
    ranked = {name: ordered[math.ceil(len(ordered) * q / 100) - 1] for name, q in PERCENTILES.items()}
    return {"mean": sum(ordered) / len(ordered), "max": ordered[-1], **ranked}


def classes(run, of):
    """{class of lengths: latencies}, from the shortest."""
    out = {}
    for r in sorted(run["requests"], key=lambda r: r[of]):
        limit = next((k for k in (16, 64, 256, 1024, 4096, 16384) if r[of] <= k), None)
        out.setdefault(f"<= {limit}" if limit else "> 16384", []).append(r["completion"] - r["arrival"])
    return out


def check_summary(summary, run, limit):
    """Of `simulate --summary`; `limit`: of the latency, in its unit."""
    held_time, crowded = play(run)
    unit = 1e-9 if run.get("clock") else 1
    values = values_of(run)
    for name in NAMES:
        for statistic, value in statistics(values[name]).items():
            assert summary[name][statistic] == pytest.approx(value * (1 if name == "slowdown" else unit), rel=1e-9), (name, statistic)
    outputs = numpy.array([r["output"] for r in run["requests"]])
    time = run["makespan"] * unit
    assert summary["throughput"]["requests"] == pytest.approx(len(outputs) / time)
    assert summary["throughput"]["tokens"] == pytest.approx(outputs.sum() / time)
    assert summary["memory_use"]["mean"] == pytest.approx(held_time / run["makespan"], rel=1e-5)
    assert summary["memory_use"]["share_above_90_percent"] == pytest.approx(crowded / run["makespan"])
    assert summary["in_vain"]["share"] == pytest.approx(run["wasted_tokens"] / (run["wasted_tokens"] + outputs.sum()))
    kept = numpy.array(values["latency"]) * unit <= limit
    assert summary["slo"]["attainment"] == pytest.approx(kept.mean())
    assert summary["slo"]["goodput"]["tokens"] == pytest.approx(outputs[kept].sum() / time)
    for by in ("output", "prompt"):
        for row, (name, latencies) in zip(summary["fairness"][f"by_{by}"], classes(run, by).items(), strict=True):
            found = statistics(latencies)
            assert (row["tokens"], row["requests"]) == (name, len(latencies))
            assert (row["mean"], row["p99"]) == pytest.approx((found["mean"] * unit, found["p99"] * unit))
            assert row["p99_over_mean"] == pytest.approx(found["p99"] / found["mean"])


@pytest.mark.parametrize("policy", ["fcfs", "mc-sf", "a-min"])
@pytest.mark.parametrize("clock", [[], ["--d0", 1000000, "--d1", 7250.25, "--d2", 11500.5, "--d3", 3000]])
def test_a_summary_is_what_the_attempts_say(tmp_path, rng, policy, clock):
    rows = 80
    gap = 4000000 if clock else 4
    columns = {
        "arrival": rng.integers(0, gap, rows).cumsum(),
        "prompt": rng.integers(0, 20, rows),
        "output": rng.integers(1, 30, rows),
    }
    columns["lower"] = numpy.maximum(1, columns["output"] // 3)
    crx_rows = "\n".join(",".join(map(str, row)) for row in zip(*columns.values()))
    (tmp_path / "i.csv").write_text(",".join(columns) + "\n" + crx_rows + "\n")
    limit = "latency=90ms" if clock else "latency=70"
    options = ["--instance", "i.csv", "--memory", 90, "--policy", policy, *clock, "--json"]
    run = run_json(tmp_path, "simulate", *options)
    check_summary(run_json(tmp_path, "simulate", *options, "--summary", "--slo", limit), run, 90e-3 if clock else 70)
    assert policy == "mc-sf" or any(r["cancellations"] for r in run["requests"])


@pytest.mark.parametrize(
    "file, memory",
    [("azure2023_conv_600.csv", 16492), ("mooncake_conversation_500.jsonl", 150000), ("vllm_rtx4090_requests.jsonl", 60000)],
)
@pytest.mark.skipif(not TRACES.exists(), reason="no trace data")
def test_a_summary_of_a_trace_is_what_the_attempts_say(tmp_path, file, memory):
    options = ["--instance", TRACES / file, "--memory", memory, "--policy", "fcfs", "--clock", "llama2-70b-2xa100", "--json"]
    run = run_json(tmp_path, "simulate", *options)
    check_summary(run_json(tmp_path, "simulate", *options, "--summary", "--slo", "latency=100s"), run, 100)


def test_a_sweep_pools_the_requests_of_all_instances(tmp_path):
    instances = 32
    experiment = {
        "experiment": {"name": "m", "seed": 3},
        "stop": {"instances": instances},
        "measures": {"slo": {"latency": "30 ms"}},
        "workload": {
            "requests": 40,
            "memory": 60,
            "prompt": {"law": "uniform", "lower": 1, "upper": 9},
            "output": {"law": "uniform", "lower": 1, "upper": 20},
            "arrivals": {"law": "poisson", "rate": 250},
            "clock": {"d0": 1000000, "d1": 7250.25, "d2": 11500.5},
        },
        "policy": [{"id": "fcfs"}],
        "sweep": [{"name": "one"}],
    }
    store = crx.sweep(experiment, tmp_path / "m.db", progress=False).db
    row = crx.read(store).iloc[0]
    runs = [run_json(tmp_path, "replay", store, "--cell", 0, "--instance", k, "--policy", "fcfs", "--json")[0] for k in range(instances)]
    use = [play(run) for run in runs]
    makespan = sum(run["makespan"] for run in runs)
    of_run = [values_of(run) for run in runs]
    for name in NAMES:
        unit = 1 if name == "slowdown" else 1e-9
        pooled = statistics([value for values in of_run for value in values[name]])
        for statistic, value in pooled.items():
            error = 1 / 2048 if statistic in PERCENTILES else 1e-6
            assert row[f"request_{name}_{statistic}"] == pytest.approx(value * unit, rel=error), (name, statistic)
    assert row.request_memory_mean == pytest.approx(sum(held for held, _ in use) / makespan / 60, rel=1e-5)
    assert row.request_memory_above_90 == pytest.approx(sum(crowded for _, crowded in use) / makespan)
    lost = sum(run["wasted_tokens"] for run in runs)
    tokens = sum(r["output"] for run in runs for r in run["requests"])
    assert lost > 0 and row.request_in_vain == pytest.approx(lost / (lost + tokens))
    latencies = [numpy.array(values["latency"]) for values in of_run]
    kept = numpy.concatenate(latencies) <= 30e6
    assert 0.05 < kept.mean() < 0.95 and row.request_attainment == pytest.approx(kept.mean())
    assert row.request_goodput_requests == pytest.approx(kept.sum() / (makespan * 1e-9))
    # The interval leaves out a group of eight at a time; 2.3646 is Student's quantile for seven degrees of freedom.
    without = numpy.array([numpy.concatenate([v for k, v in enumerate(latencies) if k % 8 != g]).mean() for g in range(8)])
    half = 2.364624 * math.sqrt(7 / 8 * ((without - without.mean()) ** 2).sum())
    assert row.request_latency_mean_high - row.request_latency_mean == pytest.approx(half * 1e-9, rel=1e-5)
