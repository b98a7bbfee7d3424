"""`crx plot` and `crx report` as the program runs them, and where the program is looked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import crx
from crx import _program
from crx._commands import main, plot_command, report_command
from crx._theory import clock_fit

from support import EXPERIMENT, SOURCE, program, write_instance

WITH_PANEL = {**EXPERIMENT, "panel": [{"sweep": "by_memory", "x": "memory"}]}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return crx.sweep(WITH_PANEL, tmp_path_factory.mktemp("stores") / "small.db", progress=False).db


def run(command, *arguments):
    done = subprocess.run(
        [sys.executable, f"{SOURCE}/python/crx-{command}", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_pictures_of_a_store(store, tmp_path):
    for name in ("a.svg", "a.pdf", "a.png", "a.eps"):
        assert run("plot", store, "-o", tmp_path / name) == (0, f"{tmp_path / name}\n", "")
    first = (tmp_path / "a.svg").read_bytes()
    run("plot", store, "-o", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == first
    options = ("--panel", 1, "--width", "3.35in", "--height", "3in", "--legend", "right", "--bands", "--no-title", "--no-caption")
    assert run("plot", store, "-o", tmp_path / "b.svg", *options)[0] == 0
    assert b'width="241.2pt" height="216pt"' in (tmp_path / "b.svg").read_bytes()
    assert run("plot", store, "--bars", "--bands")[::2] == (2, "crx: plot: argument --bands: not allowed with argument --bars\n  crx help plot says what it takes\n")
    own = ("--x", "memory", "--y", "mean-latency", "--policies", "a-min", "--log-y")
    assert run("plot", store, "-o", tmp_path / "c.svg", *own)[0] == 0


def test_the_program_runs_them(store, tmp_path):
    out, message = program("plot", store, "-o", tmp_path / "a.svg")
    assert (out, message) == (f"{tmp_path / 'a.svg'}\n", "")
    out, message = program("report", store, "-o", tmp_path / "a.html")
    assert out == f"{tmp_path / 'a.html'}\n" and (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")


def test_schedules(store, tmp_path):
    file = write_instance(tmp_path / "i.csv", {"prompt": [1, 2, 3], "output": [4, 5, 6], "lower": [1] * 3, "upper": [9] * 3})
    arguments = ("--instance", file, "--memory", 12, "--policy", "a-min,mc-sf", "-o", tmp_path / "s.svg")
    assert run("plot", *arguments) == (0, f"{tmp_path / 's.svg'}\n", "")
    again = ("--cell", 1, "--instance", 2, "-o", tmp_path / "t.svg")
    assert run("plot", store, *again) == (0, f"{tmp_path / 't.svg'}\n", "")


def test_a_clock_fitted_to_measured_requests(tmp_path):
    file, now, lines = tmp_path / "measured.jsonl", 100.0, []
    for prompt, output in ((10, 4), (200, 9), (50, 30)):  # one after the other
        first, last = now + 0.02 + 1e-4 * prompt, now + 0.02 * output + 1e-4 * prompt
        times = f'"arrival_time": {now}, "queued_ts": {now}, "scheduled_ts": {now}, "first_token_ts": {first}, "last_token_ts": {last}'
        lines.append(f'{{"input_toks": {prompt}, "output_toks": {output}, {times}}}\n')
        now = last + 1
    file.write_text("".join(lines))
    assert run("plot", "--fit", file, "--memory", 500, "-o", tmp_path / "f.svg") == (0, f"{tmp_path / 'f.svg'}\n", "")
    assert run("plot", "--fit", file)[::2] == (2, "crx: a fitted clock needs --memory M, which the server can hold\n")
    axes = clock_fit(file, 500).axes[0]
    fitted, measured = axes.lines[1].get_data()
    assert fitted == pytest.approx(measured, rel=1e-4) and len(fitted) == 6
    assert axes.get_title(loc="left").startswith("6 mean rounds, fitted by 20 ms")


def test_published_figures(tmp_path):
    for number in (1, 2, 3):
        name = tmp_path / f"{number}.svg"
        status, printed, said = run("plot", "--figure", number, "--u", 100, "-o", name)
        assert (status, printed) == (0, f"{name}\n"), said


@pytest.mark.parametrize(
    "arguments, status, words",
    [
        (("{store}", "-o", "a.txt"), 2, "must be a file name that ends in .svg"),
        (("{store}", "-o", "{store}", "--format", "svg"), 2, "another file than the store"),
        (("{store}", "--panel", "9"), 2, "number from 1 to 1"),
        (("{store}", "--width", "wide"), 2, "a length as 3.35in"),
        (("{store}", "--legend", "above"), 2, "invalid choice: 'above'"),
        (("nowhere.db",), 2, "there is no such file"),
        ((), 2, "needs a STORE"),
        (("{store}", "--cell", "0"), 2, "needs --cell N and --instance N"),
    ],
)
def test_mistakes_end_with_2_and_write_nothing(store, arguments, status, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = store.read_bytes()
    assert main(plot_command, [a.format(store=store) for a in arguments]) == status
    said = capsys.readouterr()
    assert said.err.startswith("crx: ") and words in said.err and said.out == ""
    assert os.listdir(tmp_path) == [] and store.read_bytes() == before


def test_a_page_of_two_stores(store, tmp_path, capsys):
    assert main(report_command, [str(store), str(store), "-o", str(tmp_path / "a.html"), "--title", "Two", "--worst", "1"]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "<h1>Two</h1>" in page and 'id="s1-panel-1"' in page and "schedule-0" in page
    assert main(report_command, [str(store), "-o", str(tmp_path / "a.txt")]) == 2


def test_the_program_is_found(monkeypatch, tmp_path):
    real = os.environ["CRX"]
    assert crx.find_program() == real
    assert crx.__version__ == crx.version() and crx.version().startswith("crx")
    monkeypatch.setenv("CRX", str(tmp_path / "none"))
    with pytest.raises(crx.RunError, match="CRX = .*none"):
        crx.find_program()
    monkeypatch.delenv("CRX")
    monkeypatch.setattr(_program, "_candidates", lambda: iter(()))
    monkeypatch.setenv("PATH", str(Path(real).parent))
    assert crx.find_program() == real
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(crx.RunError, match="scripts/demo"):
        crx.find_program()


@pytest.mark.parametrize("name", ["plot", "report"])
def test_without_matplotlib_a_picture_says_what_to_install(store, tmp_path, monkeypatch, name):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['matplotlib'] = None")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    status, out, said = run(name, store)
    assert (status, out) == (1, "")
    assert said.startswith("crx: pictures need NumPy, matplotlib and Jinja2") and "apt install" in said
    assert not [*tmp_path.glob("*.svg"), *tmp_path.glob("*.html")]


def test_a_crash_is_an_exception_and_the_next_call_works():
    crx.simulate("mc-sf", 0, [2, 3], 3)
    _program._idle[-1].process.kill()
    _program._idle[-1].process.wait()
    assert crx.simulate("mc-sf", 0, [2, 3], 3).total_latency == 6

    def killing(instance):
        os.kill(servers[0].process.pid, 9)
        servers[0].process.wait()
        return instance.outputs.argsort()

    servers = [_program._idle[-1]]
    with pytest.raises(crx.RunError, match="ended"):
        crx.search(killing, requests=3, memory=6, generations=1)
    assert crx.simulate("mc-sf", 0, [2, 3], 3).total_latency == 6


def test_calls_within_a_function_of_ones_own():
    def best_of_two(instance):
        orders = [instance.outputs.argsort(), (-instance.outputs).argsort()]
        lengths = (instance.prompts, instance.outputs, instance.memory)
        return min(orders, key=lambda order: crx.simulate(order, *lengths).total_latency)

    found = crx.search(best_of_two, "h-sf", requests=3, memory=6, generations=1)
    assert found.ratio >= 1
