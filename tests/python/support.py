"""What the tests of the Python package share: the program beside it, and an experiment."""

import os
import subprocess

PROGRAM = os.environ["CRX"]
SOURCE = os.environ["CRX_SOURCE_DIR"]

EXPERIMENT = {
    "experiment": {"name": "small", "seed": 7},
    "stop": {"instances": 4},
    "workload": {
        "requests": 12,
        "memory": 30,
        "prompt": 2,
        "output": {"law": "uniform", "lower": 1, "upper": 9},
        "interval": {"rule": "common", "lower": 1, "upper": 9},
    },
    "policy": [{"id": "mc-sf"}, {"id": "a-min"}],
    "baselines": {"use": ["h-sf", "volume"]},
    "sweep": [{"name": "by_memory", "axes": {"memory": [30, 50]}}],
}


def program(*arguments):
    """(standard output, message without the name of the program) of a command."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return done.stdout, done.stderr.removeprefix("crx: ").rstrip("\n")


def write_instance(file, columns):
    """An instance file with these columns."""
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            stream.write(",".join(str(int(value)) for value in row) + "\n")
    return file
