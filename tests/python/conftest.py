"""A seed that each run draws anew and prints; CRX_TEST_SEED repeats it."""

import os
import random

import numpy
import pytest

SEED = int(os.environ.get("CRX_TEST_SEED") or random.SystemRandom().randrange(2**32))


def pytest_report_header():
    return f"rerun: CRX_TEST_SEED={SEED}"


@pytest.fixture
def rng():
    return numpy.random.default_rng(SEED)
