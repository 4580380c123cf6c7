"""Scenes that live over many steps, against fresh calls."""

import gc
import pickle

import numpy as np
import pytest
from conftest import sheets

import ccd

OPTIONS = [
    {},
    {"min_separation": 1e-3},
    {"norm": "max", "min_separation": 0.01},
    {"check_start": True},
    {"t_max": 0.7},
    {"threads": 2},
]


@pytest.fixture
def world():
    """Two sheets that cross, in which patches move: mesh, scene, positions."""
    faces, x, _ = sheets(9)
    mesh = ccd.Mesh(faces)
    return mesh, ccd.scene.Scene(mesh, x), x


def fresh(mesh, moved):
    """The same mesh, of which only some vertices are not static."""
    other, static = ccd.Mesh(mesh.faces, mesh.edges), np.ones(mesh.counts[0], bool)
    static[moved] = False
    other.set_static(static)
    return other


def test_the_same_bits_as_fresh_calls_over_many_commits(world):
    mesh, scene, x = world
    rng, found = np.random.default_rng(1), 0
    for i in range(24):
        first = rng.integers(0, len(x) - 20)
        moved = np.sort(rng.choice(np.arange(first, first + 20), rng.integers(1, 20), replace=False))
        x1 = x.copy()
        x1[moved] += rng.normal(0, 0.05, (len(moved), 3)) - [0, 0, 0.1 * (first > len(x) / 2)]
        other, o = fresh(mesh, moved), OPTIONS[i % len(OPTIONS)]
        want, got = ccd.step.collisions(other, x, x1, **o), scene.step(moved, x1[moved]).collisions(**o)
        assert got.tobytes() == want.tobytes()
        found += len(got)
        assert scene.step(moved, x1[moved]).earliest(**o) == ccd.step.earliest(other, x, x1, **o)
        assert scene.step(moved, x1[moved]).size(**o) == ccd.step.size(other, x, x1, **o)
        one, ours = ccd.step.advance(other, x, x1, 0.9, **o), scene.step(moved, x1[moved]).advance(0.9, **o)
        assert one.alpha == ours.alpha and (one.x[moved] == ours.x).all()
        o = {name: value for name, value in o.items() if name != "t_max"}
        ids = (moved % 3).astype(int) - 1
        groups = np.full(len(x), -1)
        groups[moved] = ids
        each, ours = ccd.step.sizes(other, x, x1, groups, **o), scene.step(moved, x1[moved]).sizes(ids, **o)
        assert (each.alpha[moved] == ours.alpha).all() and (each.y[moved] == ours.y).all() and each[2:] == ours[2:]
        if i % 3:
            scene.commit_proven()
            x[moved] = ours.y
        else:
            scene.commit(moved, x1[moved])
            x = x1
        assert (scene.positions == x).all()
    assert found > 100


def test_the_state_of_the_start(world):
    mesh, scene, x = world

    def crossings():
        return int((ccd.proximity.intersections(mesh, scene.positions)["kind"] == ccd.proximity.EDGE_FACE).sum())

    n = len(x)
    assert scene.state == (0, 0)
    assert scene.check() == (n, crossings())
    moved = np.arange(n // 2, n)
    up, down = x[moved] + [0, 0, 1], x[moved] - [0, 0, 0.1]
    scene.commit(moved, up)
    assert scene.state.known == n - len(moved) and scene.check(threads=1) == (n, crossings()) == (n, 0)
    step = scene.step(moved, down).sizes()
    scene.commit(moved, step.y)
    assert scene.state == (n, 0) == (n, crossings())
    assert scene.step(moved, step.y).earliest(check_start=True).separate
    scene.commit(moved, down)
    assert scene.check() == (n, crossings()) and crossings() > 0
    assert scene.step(moved, down).earliest(check_start=True).kind == ccd.proximity.EDGE_FACE
    scene.reset(x)
    assert scene.state == (0, 0)


@pytest.mark.parametrize(
    "moved, x1, error, message",
    [
        ([3, 3], [[0, 0, 0]] * 2, ccd.InvalidIndexError, r"moved\[1\] is 3, as is moved\[0\]"),
        ([4, 3], [[0, 0, 0]] * 2, ccd.InvalidIndexError, r"moved\[1\] is 3, after 4"),
        ([6], [[0, 0, 0]], ccd.InvalidIndexError, r"moved\[0\] is 6: out of range for 6 vertices"),
        ([-1], [[0, 0, 0]], ccd.InvalidIndexError, r"moved\[0\] is -1"),
        ([2**40], [[0, 0, 0]], ccd.InvalidIndexError, r"moved\[0\] is 1099511627776"),
        ([1.5], [[0, 0, 0]], ccd.ArgumentError, "moved has dtype float64"),
        ([[1]], [[0, 0, 0]], ccd.ArgumentError, r"moved has shape \(1, 1\)"),
        ([3, 4], [[0, 0, 0]], ccd.ArgumentError, "x1 has 1 rows: moved has 2 vertices"),
        ([3], [[0, np.nan, 0]], ccd.NonFiniteError, r"x1\[0\]\[1\] is NaN"),
    ],
)
def test_wrong_motions(triangles, moved, x1, error, message):
    faces, x0, _ = triangles
    scene = ccd.scene.Scene(ccd.Mesh(faces), x0)
    for name in ("earliest", "collisions", "size", "advance", "sizes", "intervals", "activeset"):
        with pytest.raises(error, match=message):
            getattr(scene.step(moved, x1), name)()
    with pytest.raises(error, match=message.replace("x1", "x")):
        scene.commit(moved, x1)
    assert (scene.positions == x0).all()


def test_wrong_scenes_and_options(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    with pytest.raises(ccd.ArgumentError, match="mesh is list"):
        ccd.scene.Scene(faces, x0)
    with pytest.raises(ccd.ArgumentError, match="x0 has 5 vertices: the mesh has 6"):
        ccd.scene.Scene(mesh, x0[:5])
    x0[2, 1] = np.inf
    with pytest.raises(ccd.NonFiniteError, match=r"x0\[2\]\[1\] is \+Inf"):
        ccd.scene.Scene(mesh, x0)
    x0[2, 1] = 1
    scene, moved, to = ccd.scene.Scene(mesh, x0), [3, 4, 5], x1[3:]
    with pytest.raises(ccd.UnsupportedError, match=r"method is 'tight-inclusion': steps of a scene do not support it"):
        scene.step(moved, to).earliest(method="tight-inclusion")
    with pytest.raises(ccd.UnsupportedError, match="scene_bound"):
        scene.step(moved, to).earliest(scene_bound=[9, 9, 9])
    with pytest.raises(ccd.UnsupportedError, match=r"t_max is 0\.5"):
        scene.step(moved, to).sizes(t_max=0.5)
    with pytest.raises(ccd.ArgumentError, match="groups has 2 ids: moved has 3"):
        scene.step(moved, to).sizes(groups=[0, 1])
    with pytest.raises(ccd.InvalidIndexError, match=r"groups\[1\] is 6"):
        scene.step(moved, to).sizes(groups=[0, 6, 1])
    with pytest.raises(ccd.ArgumentError, match="share is 0"):
        scene.step(moved, to).advance(0)
    with pytest.raises(ccd.ArgumentError, match="no proven motion"):
        scene.commit_proven()
    with pytest.raises(ccd.ArgumentError, match="n is 5"):
        scene.reset(x0[:5])
    mesh.set_radii(np.full(6, 0.1))
    for call in (lambda *given: scene.step(*given).earliest(), scene.commit):
        with pytest.raises(ccd.ArgumentError, match="were set after it was created; create another scene"):
            call(moved, to)
    with pytest.raises(ccd.ArgumentError, match="were set after it was created"):
        scene.check()


def test_static_vertices_of_the_mesh(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    mesh.set_static([True] * 3 + [False] * 3)
    scene = ccd.scene.Scene(mesh, x0)
    assert scene.step(np.arange(6), x1).earliest() == ccd.step.earliest(mesh, x0, x1)
    x1[1, 2] = 5
    with pytest.raises(ccd.ArgumentError, match=r"x1\[1\] is another position of vertex moved\[1\] = 1, which set_static"):
        scene.step(np.arange(6), x1).earliest()
    scene.commit(np.arange(6), x1)
    assert (scene.positions == x1).all()


def test_the_life_of_a_scene(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    with ccd.scene.Scene(mesh, x0) as scene:
        mesh.close()
        assert scene.step([3, 4, 5], x1[3:]).earliest().toi_lo == 0.5 and repr(scene) == "<ccd.scene.Scene of 6 vertices>"
        assert scene.step([], np.empty((0, 3))).earliest().separate
    with pytest.raises(ccd.HandleError, match="scene was destroyed"):
        scene.check()
    with pytest.raises((TypeError, ValueError)):
        pickle.dumps(scene)
    del scene
    gc.collect()
    assert ccd.scene.Scene(ccd.Mesh(vertices=0), np.empty((0, 3))).check() == (0, 0)


def test_parts_come_and_go():
    """Random sequences of parts and motions, each call against one on the parts as one mesh."""
    rng, found, gaps = np.random.default_rng(7), 0, 0
    tetra = ccd.Mesh(faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    sheet = ccd.Mesh(faces=sheets(5)[0])
    scene = ccd.scene.Scene(sheet, sheets(5)[1])
    meshes = {0: sheet}
    for _ in range(60):
        if rng.random() < 0.4 and len(meshes) > 1:
            gone = int(rng.choice(list(meshes)))
            scene.remove(gone)
            del meshes[gone]
        elif len(meshes) < 8:
            end = len(scene.positions)
            part = scene.add(tetra, corners * rng.uniform(0.1, 0.4) + rng.uniform(-0.5, 0.7, 3))
            meshes[part.id] = tetra
            gaps += part.vertices.start < end
        parts = scene.parts
        assert {p.id for p in parts} == set(meshes)
        up = np.concatenate([p.vertices for p in parts])
        edges = np.concatenate([p.edges for p in parts])
        faces = np.concatenate([p.faces for p in parts])
        first = np.cumsum([0] + [len(p.vertices) for p in parts])
        whole = ccd.Mesh(
            faces=np.vstack([meshes[p.id].faces + n for p, n in zip(parts, first)]),
            edges=np.vstack([meshes[p.id].edges + n for p, n in zip(parts, first)]),
        )
        body = parts[rng.integers(len(parts))]
        at = np.isin(up, body.vertices)
        still, x0 = np.where(at, False, True), scene.positions[up]
        whole.set_static(still)
        x1 = x0 + np.where(still, 0, 1)[:, None] * rng.uniform(-0.4, 0.4, 3)
        got, want = scene.step(body.vertices, x1[at]).collisions(), ccd.step.collisions(whole, x0, x1)
        number = {"V": up, "E": edges, "F": faces}
        letters = {1: "VF", 2: "EE", 3: "VE", 4: "VV"}
        for end, k in (("a", 0), ("b", 1)):
            named = [number[letters[int(kind)][k]][i] for kind, i in zip(want["kind"], want[end])]
            assert got[end].tolist() == named
        others = [n for n in got.dtype.names if n not in ("a", "b")]
        assert all(got[n].tobytes() == want[n].tobytes() for n in others)
        found += len(got)
        alpha, y = scene.step(body.vertices, x1[at]).advance(0.9)
        again = ccd.step.advance(whole, x0, x1, 0.9)
        assert alpha == again.alpha and (y == again.x[at]).all()
        scene.commit_proven()
    assert found > 50 and gaps > 3


def test_wrong_parts(triangles):
    faces, x, _ = triangles
    mesh = ccd.Mesh(faces)
    scene = ccd.scene.Scene(mesh, x)
    part = scene.add(mesh, np.asarray(x) + 5)
    assert part == ccd.scene.Part(1, range(6, 12), range(6, 12), range(2, 4))
    assert scene.parts == [ccd.scene.Part(0, range(6), range(6), range(2)), part]
    scene.remove(part)
    with pytest.raises(ccd.InvalidIndexError, match="part is 1: the scene has no such part: it was removed"):
        scene.remove(part)
    with pytest.raises(ccd.InvalidIndexError, match="part is 2: the scene has no such part: there was none yet"):
        scene.remove(2)
    with pytest.raises(ccd.ArgumentError, match=r"mesh is list: must be a ccd\.Mesh"):
        scene.add([[0, 1, 2]], x)
    with pytest.raises(ccd.ArgumentError, match="x has 2 vertices: the mesh has 6"):
        scene.add(mesh, x[:2])
    scene.add(mesh, x)
    scene.remove(0)
    assert (scene.positions[:6] == 0).all() and scene.parts[0].vertices == range(6, 12)
    with pytest.raises(ccd.InvalidIndexError, match=r"moved\[0\] is 3: the part with this vertex was removed"):
        scene.step([3], [[0, 0, 0]]).earliest()
