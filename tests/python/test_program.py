"""What the program says, in small cases that users met: each asserts the right value."""

import json
import os
import pty
import select
import signal
import subprocess

import numpy
import pytest
import crx

HEAD = """
[experiment]
name = "small"
seed = 1
[stop]
instances = {instances}
[workload]
requests = 6
memory = 12
prompt = 0
output = {{ law = "uniform", lower = 1, upper = 6 }}
interval = {{ rule = "support" }}
"""

PATHS = """
[experiment]
name = "paths"
seed = 3
[model]
kind = "iterations"
[stop]
instances = 30
[workload]
horizon = 4
doublings = 3
clock = { d0 = 550000000, d1 = 50000000 }
[[workload.type]]
prompt = 1
output = 1
rate = 0.02
[[policy]]
id = "fcfs-sarathi"
memory = 9
[[policy]]
id = "fcfs-safe"
memory = 9
[[sweep]]
name = "all"
"""


def program(folder, *arguments):
    return subprocess.run([crx.find_program(), *map(str, arguments)], cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module")
def rounds(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rounds")
    text = HEAD.format(instances=60) + '[[policy]]\nid = "a-min"\n[[policy]]\nid = "a-max"\n'
    (folder / "small.toml").write_text(text + '[[sweep]]\nname = "all"\n[sweep.axes]\nmemory = [8, 12, 24, 48]\n')
    assert program(folder, "sweep", "small.toml").returncode == 0
    return folder


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paths")
    (folder / "paths.toml").write_text(PATHS)
    done = program(folder, "sweep", "paths.toml")
    assert done.returncode == 0, done.stderr
    return folder


def panel(folder, store, *options):
    done = program(folder, "panels", store, "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["panels"][0]


def test_a_mean_over_paths_says_how_many_have_arrivals(paths):
    shown = panel(paths, "paths.db", "--x", "horizon", "--y", "mean-latency")
    table = crx.read(paths / "paths.db")
    again = [
        json.loads(program(paths, "replay", "paths.db", "--cell", 0, "--instance", k, "--policy", "fcfs-sarathi", "--json").stdout)[0]
        for k in range(30)
    ]
    for point in shown["series"][0]["points"]:
        arrived = sum(row["arrivals"] > 0 for run in again for row in run["horizons"] if row["horizon"] == point["x"])
        assert (point["instances"], point["without_arrivals"]) == (arrived, 30 - arrived)
        row = table[(table.policy == "fcfs-sarathi") & (table.horizon == point["x"])].iloc[0]
        assert row.with_arrivals == arrived
    assert "have none" in shown["caption"]
    assert f"{arrived} instances of 30" in program(paths, "panels", "paths.db", "--x", "horizon").stdout


def test_policies_of_the_iteration_model_have_ranks_and_exponents(paths):
    rows = json.loads(program(paths, "rank", "paths.db", "--json").stdout)
    assert [row["policy"] for row in rows] == sorted((row["policy"] for row in rows), key=lambda p: [r["latency"]["mean"] for r in rows if r["policy"] == p])
    assert set(rows[0]["exponents"]) == {"gap", "latency", "first_token"}
    assert rows[0]["paths"] == 30 and 0 < rows[0]["with_arrivals"] <= 30
    assert "exponent of latency" in program(paths, "rank", "paths.db").stdout


def test_a_histogram_is_of_all_instances(rounds):
    shown = panel(rounds, "small.db", "--kind", "histogram", "--where", "memory=12")
    row = crx.read(rounds / "small.db").query("policy == 'a-max' and memory == 12 and baseline == 'h-sf'").iloc[0]
    points = shown["series"][1]["points"]
    width = shown["bin_width"]
    assert sum(p["y"] for p in points) == pytest.approx(1)
    assert len(points) <= 40 and points[0]["x"] - width / 2 <= row.min_ratio and row.max_ratio <= points[-1]["x"] + width / 2
    mean = sum(p["x"] * p["y"] for p in points)
    assert mean == pytest.approx(row.mean_of_ratios, abs=width / 2)
    assert all(p["low"] <= p["y"] <= p["high"] and p["instances"] == 60 for p in points)


def test_an_exceedance_falls_from_one_to_the_largest_ratio(rounds):
    shown = panel(rounds, "small.db", "--kind", "exceedance", "--where", "memory=12", "--log-y")
    row = crx.read(rounds / "small.db").query("policy == 'a-max' and memory == 12 and baseline == 'h-sf'").iloc[0]
    points = shown["series"][1]["points"]
    assert points[0]["y"] == 1 and points[0]["x"] == pytest.approx(row.min_ratio, rel=1 / 1024)
    assert points[-1]["x"] == pytest.approx(row.max_ratio, rel=1 / 1024) and points[-1]["y"] >= 1 / 60
    assert [p["y"] for p in points] == sorted((p["y"] for p in points), reverse=True)
    refused = program(rounds, "panels", "small.db", "--kind", "exceedance")
    assert refused.returncode == 2 and "where.memory = VALUE, or series" in refused.stderr


def test_a_frontier_has_both_measures(rounds):
    shown = panel(rounds, "small.db", "--kind", "frontier", "--x", "mean-makespan", "--y", "mean-latency", "--along", "memory")
    across = panel(rounds, "small.db", "--x", "memory", "--y", "mean-makespan")
    assert [p["x"] for p in shown["series"][0]["points"]] == [p["y"] for p in across["series"][0]["points"]]
    assert shown["along"] == "memory" and "x_low" in shown["series"][0]["points"][0]


def test_a_fit_on_the_logarithm_of_x(rounds, tmp_path):
    (rounds / "log.toml").write_text('[[panel]]\nsweep = "all"\nx = "memory"\nmeasure = "mean-latency"\nfit = "log"\n')
    line = panel(rounds, "small.db", "--panels", "log.toml")["series"][0]["line"]
    points = panel(rounds, "small.db", "--x", "memory", "--y", "mean-latency")["series"][0]["points"]
    slope, intercept = numpy.polyfit(numpy.log([p["x"] for p in points]), [p["y"] for p in points], 1)
    assert (line["slope"], line["intercept"]) == pytest.approx((slope, intercept))
    assert {"first_half", "second_half", "changing"} <= set(line)


def test_points_at_zero_are_said_on_a_logarithmic_axis(rounds, capsys):
    figure = crx.plot(rounds / "small.db", x="memory", y="unfinished", y_scale="log")
    said = " ".join(text.get_text() for text in figure.texts).replace("\n", " ")
    assert "4 points at or below 0, which the logarithmic axis cannot show; a symlog scale of y can" in said
    assert "a symlog scale of y can" in capsys.readouterr().err


def test_a_limit_is_said_where_an_instance_lies_above(tmp_path):
    options = ["--policy", "a-min", "--over", "h-sf", "--against", "log-bound", "--interval", "1/4", "--class", "equal-prompts"]
    found = program(tmp_path, "search", *options, "--requests", 5, "--memory", 8, "--generations", 1)
    assert found.returncode == 0, found.stderr
    assert "times log-bound, which holds in the limit of many requests and large M" in found.stdout
    assert "random starts ended at the best value" in found.stderr


def test_every_curve_says_what_it_bounds(tmp_path):
    curves = {c["id"]: c["hypotheses"] for c in json.loads(program(tmp_path, "bounds", "--json").stdout)}
    assert all(curves.values())
    assert {"for prompts of 0", "for u = M"} <= set(curves["chen-3.4-corrected"])
    assert any("limit" in h for h in curves["log-bound"]) and not any("limit" in h for h in curves["chen-3.3"])


def test_a_search_over_compositions_says_how_many_starts_agree(tmp_path):
    found = program(tmp_path, "search", "--lengths", "1,2", "--policy", "a-min", "--over", "h-sf", "--requests", 200, "--memory", 8, "--draws", 1, "--generations", 180, "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["restarts"] == 3
    assert "3 searches came within 0.1 %" in found.stderr


def test_the_next_command_works(tmp_path):
    text = HEAD.format(instances=12).replace("requests = 6", "requests = 22").replace("memory = 12", "memory = 40")
    text = text.replace("prompt = 0", 'prompt = { law = "uniform", lower = 0, upper = 9 }').replace("upper = 6", "upper = 20")
    text += '[[policy]]\nid = "mc-sf"\n[baselines]\nuse = ["opt"]\nnodes = 1\nevaluations = 20\n'
    (tmp_path / "small.toml").write_text(text + '[[sweep]]\nname = "all"\n[[panel]]\nsweep = "all"\nx = "memory"\n')
    done = program(tmp_path, "sweep", "small.toml")
    assert done.returncode == 0, done.stderr
    commands = [line.split() for line in done.stdout.split("next: ")[1].splitlines()]
    assert ["crx", "panels", "small.db"] in commands
    for command in commands:
        assert program(tmp_path, *command[1:]).returncode == 0, command


def test_mistakes_of_one_table_are_said_together(tmp_path):
    text = HEAD.format(instances=1).replace("memory = 12", "memmory = 12").replace("requests = 6", "requests = 6\nwidth = 3")
    (tmp_path / "small.toml").write_text(text + '[[policy]]\nid = "mc-sf"\n[[sweep]]\nname = "all"\n')
    said = program(tmp_path, "sweep", "small.toml")
    assert said.returncode == 2
    assert "memmory = 12\n  unknown key; did you mean memory" in said.stderr
    assert "workload.width" in said.stderr
    assert said.stderr.count("memmory") == 1


def test_an_order_of_python_in_a_file_says_what_it_is(tmp_path):
    (tmp_path / "small.toml").write_text(HEAD.format(instances=1) + '[[policy]]\nid = "own-order"\n[[sweep]]\nname = "all"\n')
    assert "what a Python function or object decides" in program(tmp_path, "sweep", "small.toml").stderr


@pytest.mark.parametrize("label", ["=1+1", "+a", "-a", "@a"])
def test_a_label_is_no_formula(tmp_path, label):
    (tmp_path / "small.toml").write_text(HEAD.format(instances=1) + f'[[policy]]\nid = "mc-sf"\nlabel = "{label}"\n[[sweep]]\nname = "all"\n')
    said = program(tmp_path, "sweep", "small.toml")
    assert said.returncode == 2 and "a spreadsheet would take for a formula" in said.stderr


def test_a_terminal_gets_no_escapes_of_files(tmp_path):
    (tmp_path / "id.csv").write_text("id,prompt,output\n\x1b[31mred,1,2\n")
    (tmp_path / "header.csv").write_text("\x1b[2Jprompt,output\n1,2\n")
    bad = program(tmp_path, "simulate", "--instance", "header.csv", "--memory", 9, "--policy", "mc-sf")
    assert bad.returncode == 2 and "\\x1b[2J" in bad.stderr and "\x1b" not in bad.stderr
    good = program(tmp_path, "simulate", "--instance", "id.csv", "--memory", 9, "--policy", "mc-sf", "--requests")
    assert good.returncode != 0 or "\x1b" not in good.stdout
    main, other = pty.openpty()
    subprocess.run([crx.find_program(), "simulate", "--instance", "id.csv", "--memory", "9", "--policy", "mc-sf"], cwd=tmp_path, stdout=other, stderr=other)
    os.close(other)
    seen = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    assert b"red" in seen and b"\x1b" not in seen and b"\\x1b[31mred" in seen


@pytest.mark.parametrize("word, meaning", [("TEL", "total end-to-end latency"), ("share", "output tokens"), ("reading", "A_min"), ("alpha", "l/u")])
def test_words_of_figures_are_explained(tmp_path, word, meaning):
    done = program(tmp_path, "docs", word)
    assert done.returncode == 0 and meaning in done.stdout


def test_types_of_bins_are_at_the_means_of_both_bins(tmp_path):
    # Rows (1, 1), (9, 9), (9, 1): the bin of prompts has mean 19/3, those of outputs 1 and 9, so types are (6, 1) twice
    # and (6, 9); a prompt s with output o takes s + o s + o (o + 1)/2 tokens: 13, 13 and 105 of them in a second.
    (tmp_path / "t.csv").write_text("prompt,output\n1,1\n9,9\n9,1\n")
    text = '[experiment]\nname = "bins"\nseed = 1\n[model]\nkind = "iterations"\n[stop]\ninstances = 2\n[workload]\nhorizon = 1\n'
    text += 'clock = { d0 = 1000000, d1 = 1000 }\n[[workload.type]]\ntrace = { file = "t.csv" }\nrate = 3\nprompt_bin = 10\noutput_bin = 5\n'
    (tmp_path / "e.toml").write_text(text + '[[policy]]\nid = "fcfs-vllm"\nmemory = 100\n[[sweep]]\nname = "s"\n')
    assert json.loads(program(tmp_path, "fluid", "e.toml", "--json").stdout)["utilisation"] == pytest.approx(131e-6)


def test_a_claim_in_two_parts_is_named_by_both(tmp_path):
    said = program(tmp_path, "claims", "J-4.3").stdout
    assert "J-4.3a  JAILLET" in said and "J-4.3b  JAILLET" in said


def test_a_long_plan_says_so_and_stops(tmp_path):
    text = HEAD.format(instances=1) + '[[policy]]\nid = "mc-sf"\n[[sweep]]\nname = "all"\n[sweep.axes]\n'
    (tmp_path / "long.toml").write_text(text + "memory = { from = 10, to = 3171, step = 1 }\nrequests = { from = 1, to = 3162, step = 1 }\n")
    with subprocess.Popen([crx.find_program(), "sweep", "long.toml", "--plan"], cwd=tmp_path, stderr=subprocess.PIPE) as run:
        try:
            assert run.stderr is not None
            assert select.select([run.stderr], [], [], 20)[0], "nothing is said"
            assert b"sweep all: 9998244 cells" in run.stderr.readline()
            run.send_signal(signal.SIGINT)
            run.wait(20)
        finally:
            run.kill()
    assert not list(tmp_path.glob("*.db"))


def test_a_column_of_pandas_without_a_name_is_passed_over(tmp_path):
    (tmp_path / "index.csv").write_text(",prompt,output\n0,1,2\n1,3,4\n")
    run = program(tmp_path, "simulate", "--instance", "index.csv", "--memory", 20, "--policy", "mc-sf")
    assert run.returncode == 0 and "not used: a column without a name" in run.stderr
    assert "not used  column without a name" in program(tmp_path, "trace", "index.csv").stdout
