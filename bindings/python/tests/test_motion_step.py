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


@pytest.mark.parametrize("options", [{}, {"min_separation": 0.05, "norm": "max"}])
def test_pairs_visit_and_stream(options):
    mesh, faces, r = scene()
    motion = ccd.Motion(r.uniform(-1, 1, (3, len(faces) * 3, 3)))
    found = ccd.step.collisions(mesh, motion, **options)
    seen = []
    assert ccd.step.visit(mesh, motion, visitor=seen.append, **options)
    streamed = np.concatenate(list(ccd.step.stream(mesh, motion, **options)))
    for portions in np.concatenate(seen), streamed:
        assert len(portions) == len(found) > 5
        assert (np.sort(portions, order=["toi_lo", "kind", "a", "b"]) == found).all()
    assert not ccd.step.visit(mesh, motion, visitor=lambda portion: True, **options)
    for kind in "vertex-face", "edge-edge":
        of = found[found["kind"] == ccd.Kind.of("kind", kind)]
        given = np.stack([of["a"], of["b"]], axis=1)[::-1]
        assert (ccd.step.pairs(mesh, motion, kind=kind, pairs=given, **options) == of[::-1]).all()
    alone = ccd.step.pairs(mesh, motion, kind="vertex-face", pairs=[[0, 1], [9, 0]], **options)
    of = motion.pairs("vertex-face", [[0, *faces[1]], [9, *faces[0]]], **options)
    assert alone["toi_lo"].tolist() == of["toi_lo"].tolist() and alone["a"].tolist() == [0, 9]


def test_candidates_serve_motions_within_their_boxes():
    mesh, faces, r = scene()
    x = r.uniform(-1, 1, (4, len(faces) * 3, 3))
    motion = ccd.Motion(x)
    near = ccd.broad.candidates(mesh, motion, min_separation=0.02)
    assert len(near) == len(ccd.broad.candidates(mesh, motion, min_separation=0.02, brute_force=True))
    half = motion.cut(np.full(len(x[0]), 0.5))
    inside = ccd.Motion([(x.min(0) + x.max(0)) / 2, x[1], x[2]])
    for other in motion, half, inside:
        for options in {}, {"min_separation": 0.02}, {"t_max": 0.25, "threads": 1}:
            assert near.step(other).earliest(**options) == ccd.step.earliest(mesh, other, **options)
            assert (near.step(other).collisions(**options) == ccd.step.collisions(mesh, other, **options)).all()
            assert near.step(other).size(**options) == ccd.step.size(mesh, other, **options)
    assert near.step(x[1], x[2]).size() == ccd.step.size(mesh, x[1], x[2])


def test_advance_leads_to_positions_that_are_proven():
    mesh, faces, r = scene(triangles=8)
    rest = 4 * r.uniform(-1, 1, (len(faces), 1, 3)) + 0.3 * r.uniform(-1, 1, (len(faces), 3, 3))
    x = rest.reshape(-1, 3)
    motion = ccd.Motion([x, x + r.uniform(-2, 2, x.shape), x + r.uniform(-2, 2, x.shape)])
    for options in {}, {"min_separation": 0.01}, {"min_separation": 0.01, "norm": "max"}:
        for share in 1, 0.5:
            alpha, y = ccd.step.advance(mesh, motion, share=share, **options)
            size = ccd.step.size(mesh, motion, **options)
            assert 0 < alpha <= share * size < share and alpha > share * size * (1 - 1e-9)
            assert (y == motion.at(alpha)).all() and ccd.step.earliest(mesh, y, y, **options).separate
    linear = ccd.Motion([x, x + r.uniform(-2, 2, x.shape)])
    ends = linear.at(0), linear.at(1)
    for mine, plain in zip(ccd.step.advance(mesh, linear, share=0.7), ccd.step.advance(mesh, *ends, 0.7), strict=True):
        assert np.array_equal(mine, plain)


def test_a_line_search_keeps_a_part_of_the_distance():
    mesh, faces, r = scene(triangles=8)
    rest = 4 * r.uniform(-1, 1, (len(faces), 1, 3)) + 0.3 * r.uniform(-1, 1, (len(faces), 3, 3))
    x = rest.reshape(-1, 3)
    motion = ccd.Motion([x, x + r.uniform(-2, 2, x.shape), x + r.uniform(-2, 2, x.shape)])
    bound = ccd.step.linesearch(mesh, motion, keep_ratio=0.3, min_separation=0.2)
    assert 0 < bound.distance <= 0.2 and bound.separation == 0.3 * bound.distance and 0 < bound.alpha < 1
    assert ccd.proximity.distance(mesh, x).distance_lo >= bound.distance
    assert bound.alpha == ccd.step.size(mesh, motion, min_separation=bound.separation)
    assert ccd.step.linesearch(mesh, motion, min_separation=0.2) == ccd.step.linesearch(
        mesh, motion, keep_ratio=0.2, min_separation=0.2
    )
    linear = ccd.Motion([x, x + r.uniform(-2, 2, x.shape)])
    ends = linear.at(0), linear.at(1)
    plain = ccd.step.linesearch(mesh, *ends, 0.3, min_separation=0.2)
    assert ccd.step.linesearch(mesh, linear, keep_ratio=0.3, min_separation=0.2) == plain


def test_sizes_stop_only_what_touches():
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    floor = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
    x = np.vstack([floor, floor + np.array([0.1, 0.1, 1]), floor + np.array([9, 0, 1])])
    fall = ccd.Motion.accelerated(x, np.zeros((9, 3)), np.outer([0] * 3 + [4] * 6, [0, 0, -1]))
    step = ccd.step.sizes(mesh, fall, min_separation=0.1, share=0.5)
    assert step.alpha[6:].tolist() == [1, 1, 1] and 0 < step.alpha[3] < 0.5 and step.resting == 0
    cut = fall.cut(step.alpha)
    assert (cut.control[0, -1] == step.y).all() and ccd.step.earliest(mesh, cut, min_separation=0.1).separate
    grouped = ccd.step.sizes(mesh, fall, groups=[-1] * 3 + [0] * 6, min_separation=0.1, share=0.5)
    assert len(set(grouped.alpha[3:].tolist())) == 1
    linear = ccd.Motion([x, x - np.outer([0] * 3 + [2] * 6, [0, 0, 1])])
    mine, plain = ccd.step.sizes(mesh, linear), ccd.step.sizes(mesh, linear.at(0), linear.at(1))
    assert all(np.array_equal(a, b) for a, b in zip(mine, plain, strict=True))


def test_errors_name_what_is_wrong():
    mesh, _, r = scene(triangles=2)
    x = r.uniform(-1, 1, (3, 6, 3))
    motion = ccd.Motion(x)
    near = ccd.broad.candidates(mesh, motion)
    for call, message in [
        (lambda: ccd.step.earliest(mesh, motion, x[0]), "x1 is given beside a ccd.Motion"),
        (lambda: ccd.step.earliest(mesh, x[0]), "x1 is missing"),
        (lambda: ccd.step.size(mesh, x[0], motion), "x1 is a ccd.Motion"),
        (lambda: ccd.step.linesearch(mesh, motion, x[0], 0.5), "x1 is given beside a ccd.Motion"),
        (lambda: ccd.step.linesearch(mesh, x[0], min_separation=1), "x1 is missing"),
        (lambda: ccd.step.linesearch(mesh, motion), "min_separation must be positive"),
        (lambda: ccd.step.linesearch(mesh, motion, keep_ratio=1, min_separation=1), "keep_ratio is 1"),
        (lambda: ccd.step.activeset(mesh, motion, x[0]), "x1 is given beside a ccd.Motion"),
        (lambda: ccd.step.activeset(mesh, ccd.Motion(x)), "motion: it has no constraints"),
        (lambda: ccd.step.intervals(mesh, ccd.Motion(x)), "motion: it has no intervals of contact"),
        (lambda: ccd.step.intervals(mesh, x[0]), "x1 is missing"),
        (lambda: ccd.step.advance(mesh, motion, x[0]), "x1 is given beside a ccd.Motion"),
        (lambda: ccd.step.advance(mesh, motion, share=0), "share is 0"),
        (lambda: ccd.step.advance(mesh, x[0]), "x1 is missing"),
        (lambda: ccd.step.sizes(mesh, motion, groups=[0]), "groups has 1 ids: the mesh has 6"),
        (lambda: ccd.step.sizes(mesh, motion, groups=[9] * 6), r"groups\[0\] is 9"),
        (lambda: ccd.step.sizes(mesh, motion, t_max=0.5), "t_max"),
        (lambda: ccd.step.sizes(mesh, ccd.Motion([x[:2], x[1:]])), "motion has 2 pieces"),
        (lambda: ccd.Motion([x[:2], x[1:]]).cut([1] * 6), "motion has 2 pieces"),
        (lambda: motion.cut([0.5] * 5), "ends has 5 items: must have 6"),
        (lambda: motion.cut([0, 0, 1, 2, 0, 0]), r"ends\[3\] is 2"),
        (lambda: ccd.step.visit(mesh, motion), "visitor is None: must be callable"),
        (lambda: ccd.step.pairs(mesh, motion), "kind is 0"),
        (lambda: ccd.step.pairs(mesh, motion, kind="edge-edge", pairs=[[0, 99]]), r"pairs\[0\]\[1\] is 99"),
        (lambda: ccd.step.pairs(mesh, motion, kind="edge-edge", pairs=[[0, 3]], check_start=True), "check_start"),
        (lambda: ccd.broad.candidates(mesh, motion, x[0]), "x1 is given beside a ccd.Motion"),
        (lambda: ccd.broad.candidates(mesh, x[0]), "x1 is missing"),
        (lambda: near.step(ccd.Motion(9 * x)).size(), r"control\[0\]\[0\]\[0\]\[0\] is .*: outside of"),
        (lambda: near.step(motion).size(min_separation=1), "candidates are for a separation of 0"),
        (lambda: near.step(motion, x[0]), "x1 is given beside a ccd.Motion"),
        (lambda: near.step(x[0], motion), "x1 is a ccd.Motion"),
        (lambda: near.step(x[0]), "x1 is missing"),
        (lambda: ccd.step.collisions(ccd.Mesh(faces=[[0, 1, 2]]), motion), "motion has 6 vertices: the mesh has 3"),
        (lambda: ccd.step.earliest("mesh", motion), "mesh is str"),
        (lambda: ccd.step.earliest(motion, mesh), "mesh is Motion"),
        (lambda: ccd.step.earliest(mesh, motion, t_max=2), "t_max is 2"),
        (lambda: ccd.step.earliest(mesh, motion, method="tight-inclusion"), "method"),
        (lambda: ccd.step.earliest(mesh, motion, device="gpu"), "device"),
    ]:
        with pytest.raises(ccd.Error, match=message):
            call()
    with pytest.raises(ccd.Cancelled):
        ccd.step.collisions(mesh, motion, progress=lambda fraction: True)
    motion.close()
    for call in ccd.step.size, ccd.step.advance, ccd.step.sizes, ccd.broad.candidates, motion.cut:
        with pytest.raises(ccd.HandleError, match="motion"):
            call([1.0] * 6) if call == motion.cut else call(mesh, motion)
