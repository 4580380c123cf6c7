"""Whole steps of meshes whose vertices move as a ccd.Motion says."""

import math

import numpy as np
import pytest

import ccd


def scene(seed=3, triangles=12):
    r = np.random.default_rng(seed)
    faces = np.arange(3 * triangles).reshape(-1, 3)
    return ccd.Mesh(faces=faces), faces, r


def all_pairs(motion, faces, filtered=lambda a, b: True, **options):
    """Every vertex and face, and every two edges, that share no vertex: (kind, vertices) -> toi_lo."""
    out = {}
    triangles = len(faces)
    vf = [(v, *faces[f]) for v in range(3 * triangles) for f in range(triangles) if v // 3 != f and filtered(v // 3, f)]
    edges = [(int(a), int(b)) for f in faces for a, b in ((f[0], f[1]), (f[1], f[2]), (f[0], f[2]))]
    ee = [(*a, *b) for i, a in enumerate(edges) for b in edges[:i] if a[0] // 3 != b[0] // 3 and filtered(a[0] // 3, b[0] // 3)]
    for kind, pairs in ("vertex-face", vf), ("edge-edge", ee):
        found = motion.pairs(kind, pairs, **options)
        out |= {
            (
                kind,
                frozenset(map(int, v[: 1 if kind[0] == "v" else 2])),
                frozenset(map(int, v[1 if kind[0] == "v" else 2 :])),
            ): i
            for v, i in zip(pairs, found, strict=True)
            if i["verdict"] == ccd.Verdict.CONTACT
        }
    return out


def times(found):
    return sorted(float(i["toi_lo"]) for i in found)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("options", [{}, {"min_separation": 0.05}, {"min_separation": 0.05, "norm": "max"}])
def test_collisions_are_those_of_all_pairs(degree, options):
    mesh, faces, r = scene()
    motion = ccd.Motion(r.uniform(-1, 1, (degree + 1, len(faces) * 3, 3)))
    want = all_pairs(motion, faces, **options)
    got = ccd.step.collisions(mesh, motion, **options)
    assert len(got) > 5 and times(got) == times(want.values())
    first = ccd.step.earliest(mesh, motion, **options)
    assert (first.toi_lo, int(first.kind), first.a, first.b) == tuple(got[0][["toi_lo", "kind", "a", "b"]].tolist())
    assert ccd.step.size(mesh, motion, **options) == max(0.0, np.nextafter(first.toi_lo, -1))
    assert (ccd.step.collisions(mesh, motion, threads=1, **options) == got).all()


def test_filters_apply():
    mesh, faces, r = scene()
    motion = ccd.Motion(r.uniform(-1, 1, (3, len(faces) * 3, 3)))
    group = np.repeat(np.arange(len(faces)) % 3, 3)
    mesh.set_groups(group)
    want = all_pairs(motion, faces, lambda a, b: a % 3 != b % 3)
    got = ccd.step.collisions(mesh, motion)
    assert len(got) > 5 and times(got) == times(want.values())
    mesh.set_static(np.ones(len(group), bool))
    assert ccd.step.earliest(mesh, motion).separate


def test_turning_bodies():
    """A bar turns about z by half a turn, and meets a post at a third of it: tubes and pieces of a rigid motion."""
    bar, post = [[0, 0, 0], [2, 0, 0]], [[0.5, math.sqrt(0.75), -1], [0.5, math.sqrt(0.75), 1]]
    mesh = ccd.Mesh(edges=[[0, 1], [2, 3]], vertices=4)
    turn, still = ccd.rigid.Motion(angular_velocity=(0, 0, math.pi)), ccd.rigid.Motion()
    for pieces in 0, 1, 7:
        motion = ccd.Motion.skinned(bar + post, [turn, still], [[1, 0], [1, 0], [0, 1], [0, 1]], pieces)
        hit = ccd.step.earliest(mesh, motion, tolerance=1e-9)
        assert str(hit.kind) == "edge-edge" and not hit.certified
        assert -1e-9 < 1 / 3 - hit.toi_lo < 1e-8 or hit.toi_lo <= 1 / 3 < hit.toi_lo + 1e-8
        assert hit.toi_lo == motion.pair("edge-edge", [0, 1, 2, 3], tolerance=1e-9).toi_lo
        assert ccd.step.earliest(mesh, motion, tolerance=1e-9, t_max=0.33).separate


def test_degree_one_has_the_bits_of_plain_steps():
    mesh, faces, r = scene()
    x = r.uniform(-1, 1, (2, len(faces) * 3, 3))
    motion = ccd.Motion(x)
    assert (ccd.step.collisions(mesh, motion, check_start=True) == ccd.step.collisions(mesh, *x, check_start=True)).all()
    assert ccd.step.earliest(mesh, motion) == ccd.step.earliest(mesh, *x)
    assert ccd.step.size(mesh, motion, min_separation=0.01) == ccd.step.size(mesh, *x, min_separation=0.01)


def test_the_start_is_checked():
    mesh = ccd.Mesh(faces=[[0, 1, 2]], edges=[[0, 1], [1, 2], [0, 2], [3, 4]], vertices=5)
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.2, 0.2, 1]])
    motion = ccd.Motion.accelerated(x, np.zeros((5, 3)), np.outer([0, 0, 0, 1, 1], [0.1, 0, 0]))
    assert ccd.step.earliest(mesh, motion).separate
    hit = ccd.step.earliest(mesh, motion, check_start=True)
    assert hit.toi_lo == 0 and (hit.a, hit.b) == (3, 0)
    assert len(ccd.step.collisions(mesh, motion, check_start=True)) == 1


def test_errors_name_what_is_wrong():
    mesh, _, r = scene(triangles=2)
    x = r.uniform(-1, 1, (3, 6, 3))
    motion = ccd.Motion(x)
    for call, message in [
        (lambda: ccd.step.earliest(mesh, motion, x[0]), "x1 is given beside a ccd.Motion"),
        (lambda: ccd.step.earliest(mesh, x[0]), "x1 is missing"),
        (lambda: ccd.step.size(mesh, x[0], motion), "x1 is a ccd.Motion"),
        (lambda: ccd.step.advance(mesh, motion, x[0]), "x0 is a ccd.Motion: this call takes positions"),
        (lambda: ccd.step.collisions(ccd.Mesh(faces=[[0, 1, 2]]), motion), "motion has 6 vertices: the mesh has 3"),
        (lambda: ccd.step.earliest("mesh", motion), "mesh is str"),
        (lambda: ccd.step.earliest(mesh, motion, t_max=2), "t_max is 2"),
        (lambda: ccd.step.earliest(mesh, motion, method="tight-inclusion"), "method"),
        (lambda: ccd.step.earliest(mesh, motion, device="gpu"), "device"),
    ]:
        with pytest.raises(ccd.Error, match=message):
            call()
    with pytest.raises(ccd.Cancelled):
        ccd.step.collisions(mesh, motion, progress=lambda fraction: True)
    motion.close()
    with pytest.raises(ccd.HandleError, match="motion"):
        ccd.step.size(mesh, motion)
