"""What the package prints is short, and it is typed: programs pass a strict checker, and mistakes in their calls do not."""

import pydoc
import re
import subprocess
import sys
import typing

import numpy as np
import pytest
from conftest import CHECKOUT

import ccd

RIGHT = """
import numpy as np
import ccd
from ccd.rigid import Body, Motion

x0 = np.zeros((6, 3))
mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]], vertices=6)
mesh = ccd.Mesh(x0, [[0, 1, 2], [3, 4, 5]])
t: float = ccd.step.earliest(mesh, x0, x0 + 1.0, min_separation=1e-3, threads=2).toi_lo
for record in ccd.step.collisions(mesh, x0, x0):
    one: ccd.Impact = ccd.Impact.from_record(record)
alpha: float = ccd.step.size(mesh, x0, x0)
body = Body(x0, [[0, 1, 2]])
touch: ccd.rigid.Impact = ccd.rigid.earliest(body, Motion(angular_velocity=(0, 0, 3)), body, Motion(), min_separation=1e-9)
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
    """A package for devices that is not installed counts as untyped. If `ccd` did, the mistakes of WRONG would not be found."""
    how = ("--strict", "--follow-imports=silent", "--ignore-missing-imports", "--config-file=")
    command = [sys.executable, "-m", "mypy", *how, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_what_a_person_prints_is_short(tmp_path):
    triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    body = ccd.rigid.Body(triangle, [[0, 1, 2]])
    (tmp_path / "a.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    form = ccd.patch.Form.triangle(1)
    for shown, want in (
        (body, "<ccd.rigid.Body of 3 vertices, 1 triangles>"),
        (ccd.read(tmp_path / "a.off"), "<ccd.Surface of 3 vertices, 0 edges, 1 faces>"),
        (
            ccd.patch.Model(np.eye(3), [form], np.arange(3, dtype=np.int32), None, 0.0),
            "<ccd.patch.Model of 3 control points, 1 patches>",
        ),
        (ccd.Queries(np.zeros((2, 24)), None), "<ccd.Queries, 2>"),
        (ccd.view.Page("x"), "<ccd.view.Page 'x': 0 parts, 0 impacts, 0 near pairs>"),
    ):
        assert repr(shown) == want
    body.close()
    assert repr(body) == "<ccd.rigid.Body, closed>"


@pytest.mark.long
def test_programs_pass_a_strict_checker(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(RIGHT)
    examples = [CHECKOUT / "examples" / "python" / f"{name}.py" for name in ("step", "earliest", "queries")]
    examples.append(CHECKOUT / "examples" / "device" / "arrays.py")
    result = checked("--cache-dir", tmp_path / "cache", tmp_path / "right.py", *examples)
    assert result.returncode == 0, result.stdout
    (tmp_path / "wrong.py").write_text(WRONG)
    result = checked("--cache-dir", tmp_path / "cache", tmp_path / "wrong.py")
    assert "min_seperation" in result.stdout and "Found 2 errors" in result.stdout


def described():
    """Every public class with fields, and its fields."""
    for module in (ccd, ccd.step, ccd.proximity, ccd.volume, ccd.rigid, ccd.patch, ccd.verify, ccd.certificate, ccd.plot):
        for name, one in vars(module).items():
            if isinstance(one, type) and name in getattr(module, "__all__", vars(module)) and one.__module__.startswith("ccd"):
                fields = getattr(one, "__dataclass_fields__", None) or getattr(one, "_fields", None)
                if fields is None and typing.is_typeddict(one):
                    fields = one.__annotations__
                if fields:
                    yield one, [field for field in fields if not field.startswith("_")]


def test_help_says_what_every_field_means():
    """In the docstring: a line of the field's name and type, as numpydoc has it."""
    seen = set()
    for one, fields in described():
        shown = pydoc.plain(pydoc.render_doc(one))
        for field in fields:
            assert re.search(rf"^ \|  {field} : \w", shown, re.M), f"{one.__name__}.{field}"
        seen.add(one)
    assert {ccd.Impact, ccd.Options, ccd.Stats, ccd.rigid.Motion, ccd.patch.Impact, ccd.volume.Impact} <= seen
    assert len(seen) > 15


def test_a_listing_of_the_package_shows_its_names_and_no_others():
    shown = [name for name in dir(ccd) if not name.startswith("__")]
    assert shown == sorted(ccd.__all__)
    assert not {"Any", "TYPE_CHECKING", "annotations", "Unpack", "ArrayLike", "NDArray"} & set(dir(ccd))
    assert all(hasattr(ccd, name) for name in dir(ccd))
