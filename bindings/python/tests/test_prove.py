""".ci/prove.py, which `make prove` is: what it proves, refuses and skips."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROVE = ROOT / ".ci" / "prove.py"
pytestmark = pytest.mark.skipif(not PROVE.is_file(), reason="no checkout: the prover is not there")
gappa = pytest.mark.skipif(shutil.which("gappa") is None, reason="gappa is not installed: apt-get install gappa")


@pytest.fixture
def prove():
    spec = importlib.util.spec_from_file_location("prove", PROVE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def trig():
    return (ROOT / "core" / "num" / "trig.go").read_text()


@pytest.mark.parametrize("old, new", [("1.0/120)", "1.0/121)"), ("-1.0/6)", "1.0/6)"), ("float64(0.5*z)", "float64(0.25*z)")])
def test_other_polynomials_are_refused(prove, trig, old, new):
    assert set(prove.polynomials(trig)) == {"sin", "cos"}
    assert trig.count(old) == 1
    with pytest.raises(prove.NotProven, match="other polynomials"):
        prove.polynomials(trig.replace(old, new))


@gappa
def test_a_bound_that_is_too_small_is_refused(prove, trig):
    script = prove.polynomials(trig)["sin"]
    prove.gappa(script.replace("BOUND", "8.9e-17"))
    with pytest.raises(prove.NotProven):
        prove.gappa(script.replace("BOUND", "5.5e-17"))  # half a rounding, which the last sum takes
    wrong = (prove.MACHINE / "pair_scaled.g").read_text().replace("17b-108", "2b-106")
    with pytest.raises(prove.NotProven):
        prove.gappa(wrong.replace("X in 32, Y in 32", "X in 2, Y in 2"))


@gappa
def test_a_wrong_hint_is_refused(prove):
    """Gappa takes it with a warning, and would prove anything."""
    with pytest.raises(prove.NotProven, match="Warning"):
        prove.gappa("{ x in [1,2] -> x + x in [0,1] }\nx + x -> x - x;\n")


def test_missing_tools_are_named(tmp_path):
    done = subprocess.run([sys.executable, PROVE], capture_output=True, text=True, env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 6 and all("skipped: " in line and "apt-get install" in line for line in lines)
