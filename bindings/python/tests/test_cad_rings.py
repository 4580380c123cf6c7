"""Bounds of rings: beside points that move, first contacts beside those without rings, and beside Open CASCADE's distances."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

import ccd

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

import test_cad_fits as fits  # noqa: E402

from ccd.cad import _fits, _rings, _search  # noqa: E402
from ccd.rigid import Motion  # noqa: E402

TALL = (0, 0, 1)


def unit(rng):
    w = rng.normal(size=3)
    return w / np.linalg.norm(w)


def random_motion(rng):
    def some():
        return tuple(rng.normal(size=3) * rng.choice([0, 1e-3, 0.1, 3]))

    return Motion(tuple(rng.normal(size=4)), *(some() for _ in range(4)))


def random_rings(rng, n):
    """Segments and arcs, with what they are off."""
    g = rng.normal(size=(n, 7)) * rng.choice([0, 0.01, 1], size=(n, 7))
    g[:, 0] = rng.uniform(0.5, 3, n)
    arcs = rng.random(n) < 0.5
    g[arcs, 4] = rng.uniform(0.1, 0.5, arcs.sum())
    g[:, 5] = g[:, 4] * rng.choice([-1, 1], n)
    g[:, 4:6] *= arcs[:, None]
    g[:, [1, 3]] *= np.where(arcs, 0.0, 0.2)[:, None]
    return g


def beside_points(rng):
    """Points of boxes of rings are within their bounds; returns how wide these are beside what the points do."""
    lines = [SimpleNamespace(origins=rng.normal(size=(1, 3)), ways=unit(rng)[None]) for _ in "ab"]
    ma, mb = random_motion(rng), random_motion(rng)
    if rng.random() < 0.6:  # the lines are near each other, and the motion is nearly about them
        start = mb.matrix(0.0)
        z, p = start[:3, :3] @ lines[1].ways[0], start[:3, :3] @ lines[1].origins[0] + start[:3, 3]
        small = float(rng.choice([0, 1e-3, 0.05]))
        lines[0].ways, lines[0].origins = (z + small * rng.normal(size=3))[None], (p + small * rng.normal(size=3))[None]
        lines[0].ways /= np.linalg.norm(lines[0].ways)
        w, v = rng.uniform(-9, 9) * z + small * rng.normal(size=3), rng.uniform(-2, 2) * z
        ma = Motion((1, 0, 0, 0), tuple(p + small * rng.normal(size=3)), tuple(v), tuple(w), tuple(p))
        if rng.random() < 0.5:
            mb = Motion(mb.rotation, mb.position, (0, 0, 0), (0, 0, 0), mb.pivot)
    duration, n = float(rng.uniform(0.2, 2)), 12
    motion = _rings.Relative(lines[0], 0, lines[1], 0, (ma, mb), duration)
    g = random_rings(rng, n)
    middle = np.stack([rng.uniform(-1, 1, n), rng.uniform(-4, 4, n), rng.uniform(0.1, 0.9, n) * duration], 1)
    half = 10.0 ** rng.uniform(-4, -0.3, (n, 3)) * rng.choice([0, 1, 1, 1], size=(n, 3))
    half[:, 2] = np.minimum(half[:, 2], np.minimum(middle[:, 2], duration - middle[:, 2]))
    box = np.stack([middle - half, middle + half], 2).reshape(n, 6)
    long = (np.abs(box[:, :2]).max(1) * np.abs(g[:, 3]) + np.abs(g[:, 5]))[:, None] * [-1, 1] + g[:, 2:3]
    bound = _rings._bounds(g, box, motion, motion.bend(long.ravel()).reshape(n, 2).max(1))
    x, y = _rings._beside(lines[0].ways[0])
    shares = np.concatenate([list(itertools.product([-1, 0, 1], repeat=3)), rng.uniform(-1, 1, (30, 3))])
    tight = 0
    for k in range(n):
        at = []
        for share in shares:
            s, phi, t = middle[k] + share * half[k]
            r, z = g[k, 0] + g[k, 1] * s + g[k, 4] * math.cos(s), g[k, 2] + g[k, 3] * s + g[k, 5] * math.sin(s)
            p = lines[0].origins[0] + z * lines[0].ways[0] + r * (math.cos(phi) * x + math.sin(phi) * y)
            m = mb.matrix(t)
            q = m[:3, :3].T @ (ma.at(t, [p])[0] - m[:3, 3]) - lines[1].origins[0]
            h = q @ lines[1].ways[0]
            at.append([np.linalg.norm(q - h * lines[1].ways[0]), h])
        off = np.abs(np.array(at) - bound.middle[k] - np.einsum("ns,sc->nc", shares, bound.slopes[k]))
        assert (off <= bound.left[k] + 1e-11).all(), (k, off.max(0), bound.left[k])
        wide = (off.max(0) > 1e-9) & (off.max(0) > 0.1 * bound.left[k])
        tight += int(wide.sum())
    return tight


def test_points_of_rings_are_within_bounds():
    rng = np.random.default_rng(7)
    assert sum(beside_points(rng) for _ in range(12)) > 20


@pytest.mark.long
def test_points_of_many_rings_are_within_bounds():
    rng = np.random.default_rng(8)
    assert sum(beside_points(rng) for _ in range(400)) > 200


def beside_faces(seed):
    """No two points of faces are within a length before the time of `first_near`; returns whether that is after the start."""
    spatial = pytest.importorskip("scipy.spatial")
    a, b, ma, mb, duration, rng = fits.random_fit(seed)
    one, other = (ccd.cad.Product(n, s)._axes(None) for n, s in (("a", a), ("b", b)))
    chosen = _fits.near_axes(one, other, ma, mb, duration)
    if chosen is None:
        return 0
    reach, tolerance = float(rng.choice([0.005, 0.05, 0.2, 0.5])), 1e-3
    faces = np.ones((len(one.faces), len(other.faces)), bool)
    found = _rings.first_near(one, chosen[0], other, chosen[1], (ma, mb), 0.0, duration, faces, reach, tolerance)
    lo, left = (duration, ~faces) if found is None else (found.lo, found.faces)
    points = [fits.dense(shape, side.size) for shape, side in ((a, one), (b, other))]
    for t in (0.0, lo, duration, *rng.uniform(0, duration, 2)):
        trees = [spatial.cKDTree(mb.at(t, p)) for p in points[1]]
        for i, p in enumerate(points[0]):
            for j, tree in enumerate(trees):
                if t < lo or not left[i, j]:
                    assert float(tree.query(ma.at(t, p))[0].min()) > reach, (seed, i, j, t, lo, reach)
    return int(lo > 0)


def test_faces_are_not_near_before_they_are_said_to_be():
    assert sum(beside_faces(seed) for seed in (12, 102, 104)) == 3


@pytest.mark.long
def test_many_faces_are_not_near_before_they_are_said_to_be():
    assert sum(beside_faces(seed) for seed in range(100, 220)) > 6


def wobbling(seed):
    """A drive of a random fit whose axes are tilted: a screw, a turn or a slide, and sometimes a hole that turns, too."""
    rng = np.random.default_rng(seed)
    a, r, h, kind = fits.inner(rng)
    found = [fits.solids(s) for s in (a, fits.outer(rng, r, h, kind))]
    if any(len(x) != 1 for x in found):
        return None
    a, b = (x[0] for x in found)
    if rng.random() < 0.5:
        a, b = b, a
    tilt, small = float(rng.choice([1e-3, 0.01, 0.03])), float(rng.choice([0.003, 0.03, 0.1])) * r
    kind = ("screw", "revolute", "prismatic")[int(rng.integers(3))]
    # What slides comes from outside and goes into the hole; what turns begins in it, and its axis leaves that of the hole.
    way = rng.choice([-1, 1]) * rng.uniform(1, 2) * h * (kind != "revolute")
    place = fits.turned(rng, tilt * rng.uniform(0, 0.5) * (kind != "revolute"))
    place[:3, 3] = [0, 0, way]
    parts = ccd.cad.Assembly.of({"a": a, "b": b}, {"a": place})

    def axis(share):
        return tuple(np.array(TALL) + share * tilt * rng.normal(size=3))

    point, turns = tuple(small * rng.normal(size=3)), float(rng.uniform(0.3, 3) * rng.choice([-1, 1]))
    slide = -2 * way
    joints = [ccd.cad.Joint("j", kind, ["a"], axis(1.0), point, None, slide / turns if kind == "screw" else 0.0)]
    values = {"j": [0, slide if kind == "prismatic" else 2 * math.pi * turns]}
    if rng.random() < 0.3:
        joints.append(ccd.cad.Joint("i", "revolute", ["b"], axis(0.3), point))
        values["i"] = [0, rng.uniform(-5, 5)]
    return ccd.cad.by_joints(parts, joints, [0, 1], values)


def point_of(p):
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
    from OCP.gp import gp_Pnt

    return BRepBuilderAPI_MakeVertex(gp_Pnt(*map(float, p))).Vertex()


def beside_facets(seed, monkeypatch):
    """First contacts with rings and without are the same, and Open CASCADE's distances do not contradict; the verdict."""
    drive = wobbling(seed)
    if drive is None:
        return ""
    tolerance = float(np.random.default_rng(seed).choice([1e-3, 1e-4])) * drive.assembly.size
    made = []
    monkeypatch.setattr(_search, "first_near", lambda *given: made.append(_rings.first_near(*given)) or made[-1])
    hit = ccd.cad.first_contact(drive, "a", "b", tolerance=tolerance)
    with monkeypatch.context() as m:
        m.setattr(_search, "_MOST_VAIN", 0)
        other = ccd.cad.first_contact(drive, "a", "b", tolerance=tolerance)
    assert hit.verdict == other.verdict, (seed, hit, other)
    if hit.verdict == "clear":
        return "clear by rings" if made and made[-1] is None else "clear"
    assert hit.toi_lo <= other.toi_hi and other.toi_lo <= hit.toi_hi, (seed, hit, other)

    def placed(t):
        return [shapes.moved(p.product.shape, m) for p, m in zip(drive.assembly.parts, drive.at(float(t)))]

    def distance(t):
        return shapes.distance(*placed(t))

    if hit.toi_lo > 0:
        # Open CASCADE has 0 of parts that are apart at some times; it is asked at others that are near, too.
        for t in np.array([0.2, 0.9, 0.999]) * hit.toi_lo:
            assert max(distance(t - off) for off in (0.0, 1e-12, 1e-9)) > 0, (seed, t, hit)
        # It has 0.0097 for 0.0007 of the solids of 233, so the place is compared: its distances from both are right.
        off = [shapes.distance(point_of(hit.point), shape) for shape in placed(hit.time)]
        assert hit.verdict != "contact" or sum(off) <= hit.hi + 1e-7, (seed, hit, off)
        return "met" if made and made[-1].place is not None else "contact"
    return "at once"


def test_first_contacts_are_those_without_rings(monkeypatch):
    found = [beside_facets(seed, monkeypatch) for seed in range(8)]
    assert {"met", "clear"} & set(found), found


@pytest.mark.long
def test_many_first_contacts_are_those_without_rings(monkeypatch):
    found = [beside_facets(seed, monkeypatch) for seed in range(100, 220)]
    assert found.count("met") > 11 and found.count("clear by rings") > 3, found
