"""The least distance over a step: single queries and meshes."""

import json

import numpy as np
import pytest

import ccd


def test_points_pass_each_other():
    q = np.array([-2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0])
    least = ccd.pair.clearance("pp", q)
    assert (least.kind, least.a, least.b) == (ccd.Kind.POINT_POINT, -1, -1) and abs(least.time - 0.5) < 1e-4
    assert least.lo <= 1 <= least.hi <= least.lo + 4e-9
    assert ccd.pair.clearance("pp", q, t_max=0.25).time == 0.25
    with pytest.raises(ccd.ArgumentError, match="q has 2 queries"):
        ccd.pair.clearance("pp", np.stack([q, q]))


def test_clearance_of_dense_samples():
    r = np.random.default_rng(7)
    for kind in ("vf", "ee", "pe", "pp"):
        n = ccd.Kind(kind).points
        for q in r.uniform(-1, 1, (20, 2, n, 3)):
            least = ccd.pair.clearance(kind, q.reshape(2 * n, 3))
            edges = {"ee": [[0, 1], [2, 3]], "pe": [[1, 2]]}.get(kind, [])
            mesh = ccd.Mesh(faces=[[1, 2, 3]] if kind == "vf" else [], edges=None if kind == "vf" else edges, vertices=n)
            places = [q[0] + t * (q[1] - q[0]) for t in np.linspace(0, 1, 65)]
            sampled = min(ccd.proximity.distance(mesh, x).distance_lo for x in places)
            assert least.lo <= sampled + 1e-12
            at = ccd.proximity.distance(mesh, q[0] + least.time * (q[1] - q[0]))
            assert at.distance_lo <= max(least.hi, 1e-12) + 1e-12


def test_steps_find_the_pair():
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1.5], [0.2, 1, 1.5]])
    x1 = x0 - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.75])
    least = ccd.step.clearance(mesh, x0, x1)
    assert (least.kind, least.a, least.b, least.time) == (ccd.Kind.VERTEX_FACE, 3, 0, 1)
    assert least.lo <= 0.25 <= least.hi <= least.lo + 2e-9
    assert ccd.step.clearance(mesh, x0, x1, threads=3) == least
    mesh.set_radii(np.full(6, 0.05))
    assert ccd.step.clearance(mesh, x0, x1).hi == pytest.approx(0.15, abs=2e-9)
    assert ccd.step.clearance(mesh, x0, 2 * x1 - x0).hi == 0
    assert ccd.step.clearance(ccd.Mesh(faces=[[0, 1, 2]]), x0[:3], x1[:3]).kind is None
    for options in ({"norm": "max"}, {"method": "tight-inclusion"}, {"device": "gpu"}):
        with pytest.raises(ccd.UnsupportedError):
            ccd.step.clearance(mesh, x0, x1, **options)


def test_slivers_and_nearly_parallel_edges():
    """A lower end was above the distance of a sliver, and the search of nearly parallel edges did not end."""
    x = np.array([[0, -9e-6, -2e-6], [-4, 0, 0], [4, -1e-6, -1e-6], [0, -4e-6, 5e-6]])
    mesh = ccd.Mesh(faces=[[1, 2, 3]], vertices=4)
    near = ccd.proximity.distance(mesh, x)
    for t_max in (0.0, 1.0):
        pair = ccd.pair.clearance("vertex-face", np.vstack([x, x]), t_max=t_max)
        for found in (ccd.step.clearance(mesh, x, x, t_max=t_max), pair):
            assert found.lo <= near.distance_hi and near.distance_lo <= found.hi
            assert found.hi - found.lo <= 1e-9 * 8
    gap = 1e-9
    x0 = [[0, 0, 0], [1, 0, 0], [0.25, -0.3, gap], [0.75, -0.3 + 1e-8, gap]]
    x1 = [[0, 0, 0], [1, 0, 0], [0.25, 0.4, gap], [0.75, 0.4 + 1e-8, gap]]
    step = ccd.step.clearance(ccd.Mesh(edges=[[0, 1], [2, 3]]), x0, x1)
    for found in (ccd.pair.clearance("edge-edge", x0 + x1), step):
        assert found.lo <= gap <= found.hi <= 1.001 * gap


def falling():
    """A triangle that comes down to a height of 0.25 over another, its corner 3 first."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1.5], [0.2, 1, 1.5]])
    return ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]]), x0, x0 - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.75])


def test_a_clearance_has_its_place_with_the_names_of_bodies_and_robots():
    mesh, x0, x1 = falling()
    least = ccd.step.clearance(mesh, x0, x1)
    assert least.point_a == (0.2, 0.2, 0.25) and least.point_b == pytest.approx((0.2, 0.2, 0)) and least.normal == (0, 0, 1)
    mesh.set_radii(np.full(6, 0.0625))
    thick = ccd.step.clearance(mesh, x0, x1)
    assert thick.point_a[2] == pytest.approx(0.1875, abs=thick.epsilon)
    assert thick.point_b[2] == pytest.approx(0.0625, abs=thick.epsilon)
    touching = ccd.step.clearance(mesh, x0, 2 * x1 - x0)
    assert touching.intersecting and touching.point_a == touching.point_b and touching.normal == pytest.approx((0, 0, 1))
    fields = ("lo", "hi", "time", "point_a", "point_b", "normal", "epsilon", "distance", "intersecting")
    for kind in (ccd.Clearance, ccd.rigid.Gap, ccd.rigid.SceneGap, ccd.robot.Clearance):
        assert all(hasattr(kind, name) or name in kind.__dataclass_fields__ for name in fields)


def test_a_profile_holds_the_clearance():
    mesh, x0, x1 = falling()
    times = np.linspace(0, 1, 9)
    curve, least = ccd.step.profile(mesh, x0, x1, times=times), ccd.step.clearance(mesh, x0, x1)
    want = 1 - 0.75 * times
    assert (curve["lo"] <= want).all() and (curve["hi"] >= want).all() and np.ptp([curve["lo"], curve["hi"]], 0).max() < 1e-6
    assert (curve["hi"] >= least.lo).all() and curve["time"].tolist() == times.tolist()
    assert curve[0].normal == (0, 0, 1) and ccd.Clearance.from_record(curve[4]).time == 0.5
    assert [s.name for s in ccd.plot.profile(curve, least).series] == ["distance", "at least 0.25, proven"]
    for times, error in (([0, 2], "times.1. is 2"), ([[0]], "shape"), ([np.nan], "times.0. is NaN")):
        with pytest.raises(ccd.ArgumentError, match=error):
            ccd.step.profile(mesh, x0, x1, times=times)
    with pytest.raises(ccd.UnsupportedError, match="t_max"):
        ccd.step.profile(mesh, x0, x1, times=[0], t_max=0.5)


def test_the_command_finds_it_and_writes_its_profile(tmp_path, capsys):
    from ccd.cli.app import main

    _, x0, x1 = falling()
    for name, x in (("a", x0), ("b", x1)):
        rows = [*("v {} {} {}".format(*p) for p in x.tolist()), "f 1 2 3", "f 4 5 6"]
        (tmp_path / f"{name}.obj").write_text("\n".join(rows))
    files = [str(tmp_path / f"{name}.obj") for name in "ab"]
    assert main(["step", *files, "--json", "--profile", str(tmp_path / "curve.csv")]) == 0
    found = json.loads(capsys.readouterr().out)["clearance"]
    assert found["distance_lo"] <= 0.25 <= found["distance_hi"] and (found["kind"], found["a"], found["b"]) == (
        "vertex-face",
        3,
        0,
    )
    assert found["point_a"] == [0.2, 0.2, 0.25] and found["t"] == 1 and not found["intersecting"]
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0] == "t,distance_lo,distance_hi" and len(rows) == 102
    assert main(["step", *files, "--clearance"]) == 0
    assert "clearance" in (text := capsys.readouterr().out) and "vertex-face 3 0" in text
