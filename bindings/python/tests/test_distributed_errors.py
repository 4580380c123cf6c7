"""Errors of ccd.distributed name what is wrong: the argument, the file, the part and the index in the whole scene."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import sheets

import ccd
import ccd.distributed as cd
from ccd.distributed._region import EVERYWHERE
from ccd.distributed._scene import unique_edges


def test_errors_name_the_whole_scene():
    faces, x0, x1 = sheets(8)
    bad = x1.copy()
    bad[77, 1] = np.nan
    scene = cd.Scene(x0, bad, faces)
    with pytest.raises(ccd.NonFiniteError, match=r"x1\[77\]\[1\] is nan: not finite"):
        cd.cut(scene, EVERYWHERE.cut(0, -9.0)[0])  # the region has nothing
    for wrong, text in (
        (np.where(faces == 5, 900, faces), r"faces\[\d+\]\[\d\] is 900: out of range for 128"),
        (-faces, "faces"),
    ):
        with pytest.raises(ccd.InvalidIndexError, match=text):
            cd.sample(cd.Scene(x0, x1, wrong, edges=unique_edges(faces)))
    with pytest.raises(ccd.InvalidIndexError, match=r"edges\[3\]\[0\] is -1"):
        cd.cut(cd.Scene(x0, x1, edges=[[0, 1], [1, 2], [2, 3], [-1, 4]]), EVERYWHERE)
    with pytest.raises(ccd.ArgumentError, match="edges has no edge of vertices 0 and 1"):
        cd.cut(cd.Scene(x0, x1, faces, edges=unique_edges(faces)[1:]), EVERYWHERE.cut(0, -9.0)[1].cut(0, x0[:, 0].max())[0])
    with pytest.raises(ccd.ArgumentError, match=r"radii\[3\] is -1.0: must be finite"):
        cd.sample(cd.Scene(x0, x1, faces, radii=np.where(np.arange(128) == 3, -1.0, 0.1)))


SCRIPT = """
import numpy as np, ccd
x = np.random.default_rng(0).random((30, 3))
ccd.distributed.earliest(ccd.Mesh(np.arange(30).reshape(-1, 3)), x, x + 0.3, executor=2)
"""


def test_a_script_that_every_process_runs_again_is_told_so_once(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    ended = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1 and ended.stdout == "" and ended.stderr.count("Traceback") == 1, ended.stderr
    told = [
        line for line in ended.stderr.splitlines() if "executor: every process that it starts runs your script again" in line
    ]
    assert len(told) == 1 and told[0].endswith('below the line `if __name__ == "__main__":`') and "memory" not in ended.stderr


@pytest.mark.parametrize("value", [np.nan, -np.inf, 2e150])
def test_coordinates_that_are_not_finite_are_named(tmp_path, value):
    """Whatever reads them first, in memory or in a file: the argument, the vertex and the coordinate."""
    faces, x0, x1 = sheets(8)
    mesh, bad = ccd.Mesh(faces), x1.copy()
    bad[77, 1] = value
    np.save(tmp_path / "end.npy", bad)
    place = rf"^x1\[77\]\[1\] is {value}: not finite or above 1e150 in magnitude".replace("+", r"\+")
    scene, of_file = cd.Scene(x0, bad, faces), cd.Scene(x0, tmp_path / "end.npy", faces)
    good = cd.sample(cd.Scene(x0, x1, faces))
    for call in (
        lambda: cd.earliest(mesh, x0, bad, parts=3),
        lambda: cd.size(mesh, x0, bad),
        lambda: cd.collisions(mesh, x0, bad, parts=3, plan=None),
        lambda: cd.candidates(scene, parts=3),
        lambda: cd.plan(scene, 3),
        lambda: cd.sample(scene, share=(0, 1), size=2),  # whether or not the sample has that vertex
        lambda: cd.split(scene, cd.plan(good, 3), tmp_path / "parts"),
        lambda: cd.collisions(mesh, x0, bad, plan=cd.plan(good, 3)),
    ):
        with pytest.raises(ccd.NonFiniteError, match=place + "$"):
            call()
    for call in (lambda: cd.earliest(of_file, parts=3), lambda: cd.plan(of_file, 3), lambda: cd.cut(of_file, EVERYWHERE)):
        with pytest.raises(ccd.NonFiniteError, match=place + r" \(.*end\.npy\)$"):
            call()
    with pytest.raises(ccd.NonFiniteError, match=r"^part 0: x1\[77\].*end\.npy\)$"):  # a worker reads it first
        cd.earliest(of_file, plan=cd.plan(good, 3))
    with pytest.raises(ccd.NonFiniteError, match=rf"^x\[77\]\[1\] is {value}".replace("+", r"\+")):
        cd.near(mesh, bad, 0.1, parts=3)
    assert cd.sample(scene, share=(0, 3)).total > 0  # another process has that vertex


def test_bad_arguments():
    faces, x0, x1 = sheets(6)
    mesh, scene = ccd.Mesh(faces), cd.Scene(x0, x1, faces)
    part = cd.cut(scene, EVERYWHERE, 0.01)
    samples = cd.sample(scene)
    for call, text in (
        (lambda: cd.Scene(x0, x1[:5], faces), "x0 has 72 vertices, x1 has 5"),
        (lambda: cd.Scene(x0[:, :2], x1, faces), r"x0 has shape \(72, 2\): must be \(n, 3\)"),
        (lambda: cd.Scene(x0, x1, x0), "faces has dtype float64: must be an integer type"),
        (lambda: cd.Scene(x0, x1, faces, groups=[1]), "groups has 1 items: must have one for each of the 72"),
        (lambda: cd.Scene("x.txt", x1), "x0 is 'x.txt': must be an array, or the path"),
        (lambda: cd.earliest(part, min_separation=0.02), "min_separation is 0.02: the part was cut for at most 0.01"),
        (lambda: cd.near(part, d=0.02), "d is 0.02: the part was cut for at most 0.01"),
        (lambda: cd.earliest(part, parts=2), "parts: for whole scenes"),
        (lambda: cd.earliest(mesh), "x0 and x1 must be given"),
        (lambda: cd.near(mesh), "x must be given"),
        (lambda: cd.near(mesh, x0[:5], 0.1), "x has 5 vertices: the mesh has 72"),
        (lambda: cd.earliest(scene, x0, x1), "x0 and x1 are those of the scene"),
        (lambda: cd.earliest([part], parts=2), "these parts are cut already"),
        (lambda: cd.earliest([part, 3]), r"scene\[1\] is int"),
        (lambda: cd.earliest(3), "scene is int: must be a Mesh"),
        (lambda: cd.earliest(scene, parts=0), "parts is 0"),
        (lambda: cd.earliest(scene, parts=2, plan=cd.plan(samples, 2)), "parts and plan: give one"),
        (lambda: cd.earliest(scene, plan=3), "plan is int"),
        (lambda: cd.earliest(scene, executor="dask"), "executor is 'dask': must be None"),
        (lambda: cd.earliest(scene, executor=0), "executor is 0"),
        (lambda: cd.earliest(scene, retries=-1), "retries is -1"),
        (lambda: cd.earliest(scene, report=3), "report is 3"),
        (lambda: cd.earliest(scene, stats=3), "stats is 3"),
        (lambda: cd.earliest(scene, progress=3), "progress is 3"),
        (lambda: cd.collisions(part, folder="x"), "folder: for whole scenes"),
        (lambda: cd.plan([], 2), "samples must be"),
        (lambda: cd.earliest(scene, least=3), "least is for earliest of one part"),
        (lambda: cd.size(part, least=3), "least is for earliest of one part"),
        (lambda: cd.earliest(part, least=3), "least is 3: must be"),
        (lambda: cd.plan(samples, 2, probes=[]), "probes must be"),
        (lambda: cd.plan(samples, 2, probes=samples), "probes must be"),
        (lambda: cd.probe(samples, samples), "scene is Sample"),
        (lambda: cd.probe(scene, []), "samples must be"),
        (lambda: cd.probe(scene, samples, count=0), "count is 0"),
        (lambda: cd.probe(scene, samples, share=(3, 3)), r"share\[0\] is 3"),
        (lambda: cd.plan(samples, 0), "count is 0"),
        (lambda: cd.plan(samples, 2, call="search"), "call is 'search': must be one of"),
        (lambda: cd.plan(samples, 2, call=["near"]), "call is"),
        (lambda: cd.plan([samples, cd.sample(scene, size=9)], 2), "samples have sizes 131072 and 9"),
        (lambda: cd.sample(scene, share=(2, 2)), r"share\[0\] is 2"),
        (lambda: cd.sample(mesh), "scene is Mesh"),
        (lambda: cd.cut(scene, 3), "region is int"),
        (lambda: cd.cut(scene, EVERYWHERE, -1), "min_separation is -1.0: must be in"),
        (lambda: cd.reduce(0.5, part), "reduce combines results of one kind: given float and Part"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            call()
    with pytest.raises(TypeError, match="unknown option 'thread'"):
        cd.earliest(scene, thread=1)
    with pytest.raises(ccd.Cancelled):
        cd.earliest(scene, parts=4, progress=lambda done: done > 0.4)
    with pytest.raises(ccd.UnsupportedError, match=r"^part 0: "):
        cd.near(mesh, x0, 0.1, parts=2, norm="max")
