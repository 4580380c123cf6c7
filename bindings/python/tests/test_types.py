"""The package is typed: programs that use it pass a strict checker, and mistakes in their calls do not."""

import subprocess
import sys

import pytest
from conftest import CHECKOUT

pytest.importorskip("mypy")

RIGHT = """
import numpy as np
import ccd
from ccd.rigid import Body, Motion

x0 = np.zeros((6, 3))
mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]], vertices=6)
t: float = ccd.step.earliest(mesh, x0, x0 + 1.0, min_separation=1e-3, threads=2).toi_lo
for record in ccd.step.collisions(mesh, x0, x0):
    one: ccd.Impact = ccd.Impact.from_record(record)
alpha: float = ccd.step.size(mesh, x0, x0)
body = Body(x0, [[0, 1, 2]])
touch: ccd.rigid.Impact = ccd.rigid.earliest(body, Motion(spin=(0, 0, 3)), body, Motion(), separation=1e-9)
surface = ccd.read("a.obj")
page = ccd.view.Page("x")
part: int = page.add_mesh(surface.mesh(), surface.vertices, surface.vertices)
page.write("x.html")
"""
WRONG = """
import ccd

hit = ccd.step.earliest(ccd.Mesh(vertices=0), [], [], min_seperation=1.0)
t: str = hit.toi_lo
"""


def checked(*arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_programs_pass_a_strict_checker(tmp_path):
    (tmp_path / "right.py").write_text(RIGHT)
    examples = [CHECKOUT / "examples" / "python" / f"{name}.py" for name in ("step", "earliest", "queries")]
    result = checked("--cache-dir", tmp_path / "cache", tmp_path / "right.py", *examples)
    assert result.returncode == 0, result.stdout
    (tmp_path / "wrong.py").write_text(WRONG)
    result = checked("--cache-dir", tmp_path / "cache", tmp_path / "wrong.py")
    assert "min_seperation" in result.stdout and "Found 2 errors" in result.stdout
