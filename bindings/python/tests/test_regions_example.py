"""examples/python/regions_dask.py: a step shared out to processes has the bits of one call."""

import importlib.util
import subprocess
import sys

import pytest
from conftest import CHECKOUT, sheets

EXAMPLE = CHECKOUT / "examples" / "python" / "regions_dask.py"


@pytest.fixture
def frames(tmp_path):
    """Two files of one mesh; coordinates are written so that they are read back to the bit."""
    faces, x0, x1 = sheets(12)
    paths = []
    for name, x in (("a.obj", x0), ("b.obj", x1)):
        lines = [f"v {a!r} {b!r} {c!r}" for a, b, c in x.tolist()] + [f"f {i} {j} {k}" for i, j, k in (faces + 1).tolist()]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        paths.append(str(tmp_path / name))
    return paths


def run(*arguments):
    done = subprocess.run([sys.executable, str(EXAMPLE), *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("count", ["1", "5"])
def test_processes_of_the_standard_library(frames, count):
    printed = run(*frames, count, "--plain")
    assert printed.startswith(f"processes: {count} regions, the bits of one call: ") and " at t = 0." in printed


@pytest.mark.skipif(importlib.util.find_spec("dask") is None, reason="Dask is not installed: pip install dask")
def test_dask(frames):
    printed = run(*frames, "5")
    assert printed.startswith("Dask: 5 regions, the bits of one call: ")
    assert printed.split(":", 1)[1] == run(*frames, "5", "--plain").split(":", 1)[1]
