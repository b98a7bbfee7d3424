"""Ctrl-C ends a sweep, keeps what is done, and no signal's handler stays replaced."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import crx

from support import EXPERIMENT, program

LONG = {"stop.instances": 40000, "workload.requests": 200}

PROGRAM = textwrap.dedent(
    """
    import signal, sys, crx
    from support import EXPERIMENT
    before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    try:
        crx.sweep(EXPERIMENT, sys.argv[1], set={LONG}, progress=False)
    except KeyboardInterrupt as stopped:
        print("stopped:", stopped)
    assert before == [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    assert crx.simulate("mc-sf", 0, [2, 3], 3).total_latency == 6
    print("alive")
    """
).replace("{LONG}", repr(LONG))


def test_ctrl_c_keeps_what_is_done(tmp_path):
    db = tmp_path / "long.db"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(db)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    instances = 0
    while instances == 0 and started.poll() is None:
        time.sleep(0.05)
        if db.exists():
            try:
                instances = int(crx.read(db)["instances"].sum())
            except crx.InputError:
                pass
    started.send_signal(signal.SIGINT)
    out, message = started.communicate(timeout=120)
    assert started.returncode == 0, message
    assert "stopped: stopped on request\n  kept:" in out
    assert "to go on, give the same command again" in out
    assert out.endswith("alive\n")
    assert message == ""
    # What was kept goes on, to the results of a sweep that nobody disturbed.
    kept = int(crx.read(db)["instances"].sum()) // 4
    assert 0 < kept < 80000
    few = {**LONG, "stop.instances": 1}
    done = crx.sweep(EXPERIMENT, db, set=few, progress=False)
    assert done.instances == kept or done.instances == kept + done.added
    assert program("check", db)[1] == ""


def test_progress_goes_to_pythons_stderr(tmp_path, capsys):
    crx.sweep(EXPERIMENT, tmp_path / "a.db", progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    # The second call says that all was there.
    crx.sweep(EXPERIMENT, tmp_path / "a.db", progress=True)
    assert capsys.readouterr().err == "crx: 2 of 2 cells were complete\n"
