"""The example that throws a body: its loss falls, with and without PyTorch, and its derivatives are those of differences."""

import importlib.util
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "throw" / "throw.py"


@pytest.fixture(scope="module")
def throw():
    spec = importlib.util.spec_from_file_location("throw", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_lands_nearer_to_the_mark(tmp_path):
    picture = tmp_path / "throw.svg"
    command = [sys.executable, EXAMPLE, "--steps", "8", "--without-torch", "--svg", picture]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    losses = [float(x) for x in re.findall(r"loss (\S+)", run.stdout)]
    assert len(losses) == 3 and losses[0] > 1 > 0.1 > losses[1] > losses[2]
    assert picture.read_text().count("<circle") == 6  # four throws and the last, and their start


def test_the_derivatives(throw):
    thrower, h = throw.Thrower(), 1e-6
    _, loss, gradient = thrower.by_hand(throw.FIRST)
    for axis in np.eye(3):
        ends = [thrower.by_hand(throw.FIRST + s * h * axis)[1] for s in (1, -1)]
        assert gradient @ axis == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)
    assert loss > 1


def test_pytorch_computes_the_same(throw):
    if throw.torch is None:
        pytest.skip("PyTorch is not installed")
    thrower = throw.Thrower()
    hand, torch = thrower.by_hand(throw.FIRST), thrower.by_torch(throw.FIRST)
    assert torch[0].place == pytest.approx(hand[0].place, rel=1e-14) and torch[0].time == pytest.approx(hand[0].time, rel=1e-14)
    assert torch[1] == pytest.approx(hand[1], rel=1e-13) and torch[2] == pytest.approx(hand[2], rel=1e-12)
