"""Curved patches: pairs, bodies, NURBS, manifolds, the command."""

import ctypes
import json

import numpy as np
import pytest

import ccd
from ccd._native import abi
from ccd.cli import main
from ccd.patch import Body, Form, Impact

FLAT = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], float)
PLANE, POINT = Form.quad(1, 1), Form.curve(0)
ABOVE, BELOW = [[0.25, 0.5, 1]], [[0.25, 0.5, -1]]


def test_impacts_are_128_bytes_in_ctypes_and_numpy():
    assert ctypes.sizeof(abi.PatchImpact) == ccd.patch.impact_dtype.itemsize == 128
    for name, _ in abi.PatchImpact._fields_:
        assert getattr(abi.PatchImpact, name).offset == ccd.patch.impact_dtype.fields[name][1], name


def test_pair():
    hit = ccd.patch.pair(PLANE, FLAT, FLAT, POINT, ABOVE, BELOW)
    assert hit.contact and not hit.initial and 0.5 - 1e-6 < hit.toi_lo <= 0.5 <= hit.toi_hi + 1e-6
    assert hit.uv_a == pytest.approx((0.25, 0.5)) and hit.normal == pytest.approx((0, 0, -1))
    assert hit.as_dict()["verdict"] == "contact"
    away = ccd.patch.pair(PLANE, FLAT, FLAT, POINT, ABOVE, BELOW, t_max=0.4)
    assert away.separate and away.as_dict()["toi_lo"] is None
    assert ccd.patch.pair(PLANE, FLAT, FLAT, POINT, ABOVE, BELOW, weights_a=[1, 1, 2, 2]).contact
    with pytest.raises(ccd.ArgumentError, match=r"weights_a\[2\] is 0"):
        ccd.patch.pair(PLANE, FLAT, FLAT, POINT, ABOVE, BELOW, weights_a=[1, 1, 0, 2])
    with pytest.raises(ccd.ArgumentError, match="a0 has 4 control points: the form needs 3"):
        ccd.patch.pair(Form.triangle(1), FLAT, FLAT, POINT, ABOVE, BELOW)
    with pytest.raises(ccd.UnsupportedError):
        ccd.patch.pair(PLANE, FLAT, FLAT, POINT, ABOVE, BELOW, method="exact")


def test_other_methods_agree():
    ball = [[0, 0, 0], [0, 1, 0.5], [1, 0, 0.5], [1, 1, 0]]
    away = np.add(ball, (0, 0, 1))
    options = dict(min_separation=0.1, tolerance=1e-4, max_iterations=10000)
    hit = ccd.patch.pair(PLANE, FLAT, FLAT, PLANE, away, ball, **options)
    for method in ("time-contracted", "tight-inclusion"):
        other = ccd.patch.pair(PLANE, FLAT, FLAT, PLANE, away, ball, method=method, **options)
        if method == "time-contracted":
            assert other.contact and abs(other.toi_lo - hit.toi_lo) < 2e-4
        assert not other.separate and 0.85 < other.toi_lo <= 0.9  # a region of contact exceeds the budget in 5D
    for more in ({"method": "exact"}, {"method": "d2m"}, {"norm": "max"}, {"t_min": 0.1}, {"ignore_separating": True}):
        with pytest.raises(ccd.UnsupportedError, match=next(iter(more))):
            ccd.patch.pair(PLANE, FLAT, FLAT, PLANE, away, ball, **more)


def test_statistics_and_cancelling():
    sheet = Body(4, [PLANE] * 3, [0, 1, 2, 3] * 3)
    drop = Body(1, [POINT], [0])
    want = ccd.patch.collisions(sheet, FLAT, FLAT, drop, ABOVE, BELOW, threads=1)
    for threads in 1, 2:
        stats, told = ccd.Stats(), []
        options = {"threads": threads, "stats": stats, "progress": told.append}
        every = ccd.patch.collisions(sheet, FLAT, FLAT, drop, ABOVE, BELOW, **options)
        assert every.tobytes() == want.tobytes() and told == sorted(told) and told[-1] == 1
        assert stats.boxes == 4 and stats.impacts == 3 and stats.undecided == 0 and 1 <= stats.threads <= threads
    with pytest.raises(ccd.Cancelled):
        ccd.patch.earliest(sheet, FLAT, FLAT, drop, ABOVE, BELOW, progress=lambda f: True)


def test_bodies():
    a, b = Body(4, PLANE, [[0, 1, 2, 3]]), Body(1, POINT, [0])
    n = Body.nurbs(1, 1, [0, 0, 1, 1], [0, 0, 1, 1])
    assert a.counts == n.counts == (4, 1) and "4 control points" in repr(a)
    first = ccd.patch.earliest(a, FLAT, FLAT, b, ABOVE, BELOW)
    assert first.contact and (first.a, first.b) == (0, 0)
    assert ccd.patch.earliest(n, FLAT, FLAT, b, ABOVE, BELOW) == first
    every = ccd.patch.collisions(a, FLAT, FLAT, b, ABOVE, BELOW)
    assert [Impact.from_record(r) for r in every] == [first]
    points = ccd.patch.manifold(a, FLAT, FLAT, n, FLAT, FLAT, 0, 0.25)
    gaps = np.linalg.norm(points["point"][:, None] - points["point"][None], axis=2) + np.eye(len(points))
    assert len(points) > 4 and gaps.min() >= 0.25
    assert len(ccd.patch.manifold(a, FLAT, FLAT, b, ABOVE, ABOVE, 0, 0.25)) == 0
    b.close()
    with pytest.raises(ccd.HandleError):
        ccd.patch.earliest(a, FLAT, FLAT, b, ABOVE, BELOW)


SHEETS = [0, 1, 2, 3, 0, 1, 4, 5]  # two planes bound along an edge: the second comes down on the first
OPEN = np.vstack([FLAT, [[0, 0, 1], [0, 1, 1]]])
SHUT = np.vstack([FLAT, [[1, 0, -1], [1, 1, -1]]])


def test_self():
    book = Body(6, PLANE, SHEETS)
    hit, unresolved = ccd.patch.self_earliest(book, OPEN, OPEN)
    assert hit.separate and unresolved == ccd.patch.Unresolved(0, np.inf)
    hit, unresolved = ccd.patch.self_earliest(book, OPEN, SHUT)
    assert hit.contact and (hit.a, hit.b) == (0, 1) and 0.4999 < hit.toi_lo <= 0.5 and unresolved.t_from > 0.499
    every, unresolved = ccd.patch.self_collisions(book, OPEN, SHUT, neighbourhood=0.125)
    assert len(every) == 1 and 0.4999 < every[0]["toi_lo"] <= 0.5 and unresolved.pairs >= 0
    points, _ = ccd.patch.self_manifold(book, OPEN, SHUT, 0, 0.4, 0.125)
    assert len(points) >= 1 and points[0]["verdict"] == 2
    near, _ = ccd.patch.self_earliest(book, OPEN, SHUT, min_separation=0.05, neighbourhood=0.25)
    assert near.contact and 0.35 < near.toi_lo < 0.499
    with pytest.raises(ccd.ArgumentError, match=r"neighbourhood is 0\.75"):
        ccd.patch.self_earliest(book, OPEN, SHUT, 0.75)
    with pytest.raises(ccd.ArgumentError, match="neighbourhood is 'wide'"):
        ccd.patch.self_earliest(book, OPEN, SHUT, "wide")
    with pytest.raises(ccd.ArgumentError, match="t_window is None: must be a number"):
        ccd.patch.self_manifold(book, OPEN, SHUT, None, 1)
    with pytest.raises(ccd.UnsupportedError):
        ccd.patch.self_earliest(book, OPEN, SHUT, method="time-contracted")
    with pytest.raises(ccd.ArgumentError, match="x0 has 6 control points, x1 has 4"):
        ccd.patch.self_earliest(book, OPEN, FLAT)


def test_self_command(tmp_path, capsys):
    book, still = str(tmp_path / "book.npz"), str(tmp_path / "still.npz")
    np.savez(book, x0=OPEN, x1=SHUT, forms=[[3, 1, 1]] * 2, index=SHEETS)
    np.savez(still, x0=OPEN, x1=OPEN, forms=[[3, 1, 1]] * 2, index=SHEETS)
    assert main(["patch", book, "--self"]) == 1
    assert "earliest  patches 0 1 at t = 0.49999" in capsys.readouterr().out
    assert main(["patch", still, "--self", "--all"]) == 0
    out = capsys.readouterr().out
    assert "separate  proven for every t in [0, 1]" in out and "unresolved" not in out
    assert main(["patch", book, "--self", "--json", "--manifold", "0.4", "--neighbourhood", "0.125"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["bodies"] == [book] and report["neighbourhood"] == 0.125 and set(report["unresolved"]) == {"pairs", "t_from"}
    assert main(["patch", book]) == 2 and main(["patch", book, still, "--self"]) == 2


def test_bad_bodies():
    with pytest.raises(ccd.InvalidIndexError, match=r"index\[3\] is 4"):
        Body(4, PLANE, [0, 1, 2, 4])
    with pytest.raises(ccd.ArgumentError, match="weights has 3 items"):
        Body(4, PLANE, [0, 1, 2, 3], [1, 1, 1])
    with pytest.raises(ccd.ArgumentError, match=r"knots_u\[2\]"):
        Body.nurbs(1, 1, [0, 1, 0.5, 1], [0, 0, 1, 1])
    a = Body(4, PLANE, [0, 1, 2, 3])
    with pytest.raises(ccd.ArgumentError, match="n_a is 3"):
        ccd.patch.earliest(a, FLAT[:3], FLAT[:3], a, FLAT, FLAT)
    with pytest.raises(ccd.ArgumentError, match="b is int"):
        ccd.patch.earliest(a, FLAT, FLAT, 3, FLAT, FLAT)
    with pytest.raises(ccd.NonFiniteError, match=r"b1\[1\]\[2\]"):
        bad = FLAT.copy()
        bad[1, 2] = np.nan
        ccd.patch.earliest(a, FLAT, FLAT, a, FLAT, bad)


def test_command(tmp_path, capsys):
    form, files = [[3, 1, 1]], [str(tmp_path / name) for name in ("a.npz", "b.npz")]
    np.savez(files[0], x0=FLAT, x1=FLAT, forms=form, index=[0, 1, 2, 3])
    np.savez(
        files[1],
        x0=FLAT + np.array([0.3, 0.3, 1]),
        x1=FLAT + np.array([0.3, 0.3, -1]),
        u=1,
        v=1,
        knots_u=[0, 0, 1, 1],
        knots_v=[0, 0, 1, 1],
    )
    assert main(["patch", *files]) == 1
    assert "earliest  patches 0 0 at t = 0.49999" in capsys.readouterr().out
    assert main(["patch", *files, "--t-max", "0.2"]) == 0
    assert "separate  proven for every t in [0, 0.2]" in capsys.readouterr().out
    assert main(["patch", *files, "--manifold", "0.3", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "contact" and len(report["impacts"]) > 2
    bent = np.array([[i / 2, j / 2, (i == 1) - (j == 1)] for i in range(3) for j in range(3)])
    for path, z in zip(files, (0, 2), strict=True):
        up = np.array([0, 0, z])
        np.savez(path, x0=bent + up, x1=bent - up, forms=[[3, 2, 2]], index=range(9))
    for words in [], ["--all"], ["--manifold", "0.3"]:  # a budget that is spent proves nothing
        assert main(["patch", *files, "--max-iterations", "1", *words]) == 1
        rows = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
        assert rows["earliest"].startswith("patches 0 0 at t = ")
        assert rows["verdict"].strip() == "undecided (iterations: max_iterations was reached)"
    np.savez(files[1], x0=FLAT)
    assert main(["patch", *files]) == 2


def test_files(tmp_path, capsys):
    pot = tmp_path / "pot.bpt"
    pot.write_text("1\n1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n")
    model = ccd.patch.read(pot)
    assert model.forms == [PLANE] and model.points.tolist() == FLAT.tolist() and model.weights is None and model.lost == 0
    arc = tmp_path / "arc.obj"
    arc.write_text("v 0.5 0.5 1\nv 0.5 0.6 1 0.5\nv 0.5 0.7 1\ncstype rat bezier\ndeg 2\ncurv 0 1 1 2 3\nparm u 0 1\nend\n")
    curve = ccd.patch.read(arc)
    assert curve.forms == [Form.curve(2)] and curve.weights.tolist() == [1, 0.5, 1]
    hit = ccd.patch.earliest(model.body(), FLAT, FLAT, curve.body(), curve.points, curve.points - [0, 0, 2])
    assert hit.contact and abs(hit.toi_lo - 0.5) < 1e-6
    assert main(["patch", str(pot), str(arc), "--move-b=0,0,-2", "--json"]) == 1
    assert abs(json.loads(capsys.readouterr().out)["impacts"][0]["toi_lo"] - 0.5) < 1e-6
    assert main(["patch", str(pot), str(arc), "--move-b=0,0,-0.5", "--method=time-contracted"]) == 0
    assert "separate" in capsys.readouterr().out
    pot.write_text("1\n1 1\n0 0 x\n")
    with pytest.raises(ccd.FileError, match="line 3"):
        ccd.patch.read(pot)
    assert main(["patch", str(pot), str(arc), "--move-b=0,0"]) == 2
