"""Regions of motions: each pair in one region; parts of the mesh in place of the whole; and what is refused."""

import numpy as np
import pytest
from conftest import regions_along, sheets

import ccd


def order(impact):
    return impact.toi_lo, impact.kind or 0, impact.a, impact.b


def curved(x0, x1, degree, pieces, bend, seed):
    """Paths from x0 to x1 through points that are off the lines by up to `bend`."""
    r = np.random.default_rng(seed)
    count = degree * pieces
    at = np.linspace(0, 1, count + 1)[:, None, None]
    points = x0 + at * (x1 - x0)
    points[1:-1] += r.uniform(-bend, bend, (count - 1, *x0.shape))
    return ccd.Motion(np.stack([points[j * degree : (j + 1) * degree + 1] for j in range(pieces)]))


def turning(x, seed):
    """The upper half of the vertices turns about an axis, and moves down."""
    half = len(x) // 2
    bones = [ccd.rigid.Motion(), ccd.rigid.Motion(angular_velocity=(0, 0.4, 0.2), velocity=(0.05, 0, -0.8))]
    weights = np.zeros((len(x), 2))
    weights[:half, 0], weights[half:, 1] = 1, 1
    return ccd.Motion.skinned(x, bones, weights, pieces=1 + seed)


def motions(n=7):
    faces, x0, x1 = sheets(n)
    yield faces, curved(x0, x1, 2, 1, 0.2, 1)
    yield faces, curved(x0, x1, 3, 2, 0.1, 2)
    yield faces, curved(x0, x1, 5, 1, 0.3, 3)
    yield faces, turning(x0, 1)


@pytest.mark.parametrize("count", [2, 12])
@pytest.mark.parametrize("options", [{}, {"min_separation": 0.02, "norm": "max"}, {"t_max": 0.4}])
def test_regions_share_out_the_pairs(count, options):
    contacts = 0
    for faces, motion in motions():
        mesh = ccd.Mesh(faces)
        regions = regions_along(0, motion.control[..., 0], count)
        whole = ccd.step.collisions(mesh, motion, **options)
        parts = [ccd.step.collisions(mesh, motion, region=region, **options) for region in regions]
        together = np.sort(np.concatenate(parts), order=["toi_lo", "kind", "a", "b"])
        assert together.tobytes() == np.asarray(whole).tobytes()
        first = min((ccd.step.earliest(mesh, motion, region=region, **options) for region in regions), key=order)
        assert first == ccd.step.earliest(mesh, motion, **options)
        size = min(ccd.step.size(mesh, motion, region=region, **options) for region in regions)
        assert size == ccd.step.size(mesh, motion, **options)
        contacts += len(whole)
    assert contacts > 100


@pytest.mark.parametrize("d, radius", [(0, 0), (1e-3, 0), (1e-3, 2e-3)])
def test_a_region_needs_what_reaches_it(d, radius):
    for faces, motion in motions(9):
        mesh = ccd.Mesh(faces)
        radii = np.linspace(0, radius, mesh.counts[0])
        if radius:
            mesh.set_radii(radii)
        control, path = motion.control, motion.radius.max(axis=0)
        around = (radii[faces] + 0).max(axis=1) + path[faces].max(axis=1)
        found, smaller = [], 0
        for region in regions_along(0, control[..., 0], 6):
            start, end = region[0][0], region[1][0]
            x = control[..., 0].reshape(-1, control.shape[2])
            lo, hi = x[:, faces].min(axis=(0, 2)), x[:, faces].max(axis=(0, 2))
            reached = np.flatnonzero((lo < end) & (hi + d + around + around.max() >= start))
            smaller += len(reached) < len(faces)
            vertices, local = np.unique(faces[reached], return_inverse=True)
            part = ccd.Mesh(local.reshape(-1, 3))
            if radius:
                part.set_radii(radii[vertices])
            moved = ccd.Motion(control[:, :, vertices], motion.times, motion.radius[:, vertices])
            hits = ccd.step.collisions(part, moved, region=region, min_separation=d)
            for hit in hits:
                ends = [part.edges, part.faces] if hit["kind"] == ccd.Kind.EDGE_EDGE else [None, part.faces]
                names = []
                for i, of in ((hit["a"], ends[0]), (hit["b"], ends[0] if hit["kind"] == ccd.Kind.EDGE_EDGE else ends[1])):
                    names.append(tuple(sorted(vertices[[i] if of is None else of[i]].tolist())))
                found.append((hit["toi_lo"].item(), int(hit["kind"]), *sorted(names)))
        loaded = ccd.Motion(control, motion.times, motion.radius)
        want = []
        for hit in ccd.step.collisions(mesh, loaded, min_separation=d):
            edges = hit["kind"] == ccd.Kind.EDGE_EDGE
            a = mesh.edges[hit["a"]] if edges else [hit["a"]]
            b = mesh.edges[hit["b"]] if edges else faces[hit["b"]]
            names = [tuple(sorted(int(i) for i in one)) for one in (a, b)]
            want.append((hit["toi_lo"].item(), int(hit["kind"]), *sorted(names)))
        assert smaller > 0 and len(want) > 20
        assert sorted(found) == sorted(want)


def test_regions_of_a_straight_motion_are_those_of_the_step():
    faces, x0, x1 = sheets(8)
    mesh, motion = ccd.Mesh(faces), ccd.Motion([x0, x1])
    for region in regions_along(0, x0[:, 0], 5):
        mine, plain = (ccd.step.collisions(mesh, *of, region=region) for of in ((motion,), (x0, x1)))
        assert mine.tobytes() == plain.tobytes()


def test_errors_name_what_is_wrong():
    faces, x0, x1 = sheets(4)
    mesh, motion = ccd.Mesh(faces), ccd.Motion([x0, x1 + 1, x1])
    box = ((0, 0, 0), (1, 1, 1))
    cd = ccd.distributed
    for call, words in (
        (lambda: ccd.step.size(mesh, motion, region=((0, 0, 1), (1, 1, 0))), "region is .1, 0. along axis 2"),
        (lambda: ccd.step.advance(mesh, motion, region=box), "region: this call concerns all pairs"),
        (lambda: ccd.step.collisions(mesh, motion, region=box, method="tight-inclusion"), "method"),
        (lambda: ccd.step.collisions(ccd.Mesh(faces=[[0, 1, 2]]), motion, region=box), "motion has 32 vertices"),
        (lambda: cd.earliest(mesh, motion), "^x0 is a ccd.Motion: .*by regions that partition space"),
        (lambda: cd.collisions(mesh, x0, motion), "^x1 is a ccd.Motion"),
        (lambda: cd.size(mesh, motion, motion), "^x0 is a ccd.Motion"),
        (lambda: cd.candidates(mesh, motion), "^x0 is a ccd.Motion"),
        (lambda: cd.near(mesh, motion, 0.1), "^x is a ccd.Motion"),
        (lambda: cd.Scene(motion, x1, faces=faces), "^x0 is a ccd.Motion"),
        (lambda: cd.Scene.of(mesh, x0, motion), "^x1 is a ccd.Motion"),
    ):
        with pytest.raises(ccd.Error, match=words):
            call()
