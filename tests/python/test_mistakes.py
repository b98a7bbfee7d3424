"""Mistakes in calls raise the program's messages, and nothing is written."""

import os

import numpy as np
import pytest
import crx
from crx._toml import to_toml

from support import EXPERIMENT, program, write_instance


def message_of(error, call):
    with pytest.raises(error) as raised:
        call()
    assert isinstance(raised.value, ValueError)
    return str(raised.value)


def test_an_unknown_policy(tmp_path):
    file = write_instance(tmp_path / "i.csv", {"prompt": [1], "output": [2]})
    _, expected = program("simulate", "--instance", file, "--memory", 9, "--policy", "a-mim")
    assert "did you mean a-min?" in expected
    assert message_of(crx.ConfigError, lambda: crx.simulate("a-mim", [1], [2], 9)) == expected


def test_a_value_that_an_experiment_does_not_accept(tmp_path):
    file = tmp_path / "e.toml"
    file.write_text(to_toml(EXPERIMENT))
    _, expected = program("sweep", file, "--set", "stop.instances=0", "--db", tmp_path / "x.db")
    assert "not accepted" in expected
    call = lambda: crx.sweep(file, tmp_path / "x.db", set={"stop.instances": 0})
    assert message_of(crx.ConfigError, call) == expected
    assert not (tmp_path / "x.db").exists()


def test_a_store_that_is_not_there(tmp_path):
    _, expected = program("export", tmp_path / "no.db")
    assert expected
    assert message_of(crx.InputError, lambda: crx.read(tmp_path / "no.db")) == expected


def test_a_policy_that_the_store_does_not_have(tmp_path):
    done = crx.sweep(EXPERIMENT, tmp_path / "a.db", progress=False)
    _, expected = program("replay", done.db, "--cell", 0, "--instance", 0, "--policy", "a-mim")
    assert message_of(crx.ConfigError, lambda: crx.replay(done, 0, 0, "a-mim")) == expected


def test_a_changed_experiment_mixes_with_nothing(tmp_path):
    file = tmp_path / "e.toml"
    file.write_text(to_toml(EXPERIMENT))
    done = crx.sweep(file, tmp_path / "a.db", progress=False)
    crx.export(done.db, tmp_path / "before.csv")
    assert crx.sweep(file, done.db, set={"workload.prompt": 3}, progress=False).added > 0
    assert crx.sweep(file, done.db, progress=False).added == 0
    crx.export(done.db, tmp_path / "after.csv")
    assert (tmp_path / "after.csv").read_bytes() == (tmp_path / "before.csv").read_bytes()


def test_a_bound_outside_its_domain():
    _, expected = program("bounds", "chen-5.2", "--alpha", 2)
    assert message_of(crx.InputError, lambda: crx.bounds("chen-5.2", alpha=2)) == expected


def test_a_claim_that_there_is_not():
    _, expected = program("claims", "C-99")
    assert message_of(crx.ConfigError, lambda: crx.claims("C-99")) == expected


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (([1], [2.5], 9), "outputs[0] = 2.5\n  not accepted: must be a whole number from 1 to 2147483647"),
        (([1], [2**31], 9), "outputs[0] = 2147483648\n  not accepted: must be a whole number from 1 to 2147483647"),
        (([-1], [2], 9), "prompts[0] = -1\n  not accepted: must be a whole number from 0 to 2147483647"),
        (([1, 2], [2], 9), "prompts has 2 elements\n  not accepted: must be 1, as many as outputs"),
        (([], [], 9), "outputs = []\n  not accepted: must be one request or more"),
        (([1], ["2"], 9), "outputs has elements of type <U1\n  not accepted: must be whole numbers"),
        (([1], [np.nan], 9), "outputs[0] = nan\n  not accepted: must be a whole number from 1 to 2147483647"),
        (([1], [2], True), "memory = True\n  not accepted: must be a whole number from 1 to 2147483647"),
        (([8], [2], 9), "the instance: request 0: s + o = 8 + 2 = 10 exceeds M = 9"),
    ],
)
def test_arrays_that_are_no_instance(arguments, expected):
    with pytest.raises(crx.InputError) as raised:
        crx.simulate("mc-sf", *arguments)
    assert str(raised.value) == expected


def test_intervals_that_miss_the_length():
    with pytest.raises(crx.ConfigError, match="lower.1. = 3\n.*must be at most outputs"):
        crx.simulate("a-min", 0, [2, 2], 9, lower=[1, 3], upper=[4, 4])


def test_a_dictionary_with_what_toml_has_not(tmp_path):
    wrong = {**EXPERIMENT, "stop": {"instances": object}}
    with pytest.raises(crx.ConfigError, match="experiment: stop.instances = <class 'object'>"):
        crx.sweep(wrong, tmp_path / "a.db")
    assert os.listdir(tmp_path) == []
