"""Random parts on random ways, beside exact positions: points of the parts in rational numbers, at rational times.

A point of one part that is inside of the other, strictly and in exact arithmetic, is an overlap: then the pair must not be
clear, and its contact not later. No distance of two such points may be below the clearance that is proven.
"""

import math
from fractions import Fraction as F

import numpy as np
import pytest

import ccd

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")


def circle(k, n):
    """A rational point of the unit circle, k of n around it."""
    t = F(math.tan(math.pi * (k / n - 0.5)) if k else 10**9).limit_denominator(1000)
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


class Ball:
    def __init__(self, draw):
        self.r = draw(1, 3)

    def shape(self):
        return shapes.sphere(float(self.r))

    def inside(self, p):
        return p[0] ** 2 + p[1] ** 2 + p[2] ** 2 < self.r**2

    def points(self):
        for i in range(9):
            c, s = circle(i + 4, 16)  # half a circle, of latitudes
            for j in range(12):
                x, y = circle(j, 12)
                yield self.r * c * x, self.r * c * y, self.r * s


class Frustum:
    """A cone's frustum, or a cylinder, that stands on the plane z = 0."""

    def __init__(self, draw):
        self.r, self.h = draw(1, 3), draw(1, 5)
        self.top = self.r if draw(0, 1) < F(1, 2) else draw(F(1, 4), 1)

    def shape(self):
        if self.r == self.top:
            return shapes.cylinder(float(self.r), float(self.h))
        return shapes.cone(float(self.r), float(self.top), float(self.h))

    def inside(self, p):
        if not 0 < p[2] < self.h:
            return False
        radius = self.r + (self.top - self.r) * p[2] / self.h
        return p[0] ** 2 + p[1] ** 2 < radius**2

    def points(self):
        for i in range(7):
            share = F(i, 6)
            radius = self.r + (self.top - self.r) * share
            for j in range(14):
                x, y = circle(j, 14)
                yield radius * x, radius * y, self.h * share
        yield F(0), F(0), F(0)
        yield F(0), F(0), self.h


class Plate:
    """A box with a bore along z, or without one."""

    def __init__(self, draw):
        self.half = [draw(2, 4), draw(2, 4), draw(F(1, 2), 2)]
        self.bore = draw(F(1, 2), F(7, 4)) if draw(0, 1) < F(1, 2) else F(0)

    def shape(self):
        x, y, z = (float(h) for h in self.half)
        made = shapes.box(2 * x, 2 * y, 2 * z, (-x, -y, -z))
        return shapes.cut(made, shapes.cylinder(float(self.bore), 4 * z, (0, 0, -2 * z))) if self.bore else made

    def inside(self, p):
        return all(-h < x < h for h, x in zip(self.half, p)) and p[0] ** 2 + p[1] ** 2 > self.bore**2

    def points(self):
        for i in range(5):
            for j in range(5):
                x, y = self.half[0] * F(i - 2, 2), self.half[1] * F(j - 2, 2)
                if x * x + y * y >= self.bore**2:
                    yield from ((x, y, z) for z in ((-self.half[2], F(0), self.half[2]) if 0 in (i, j) or 4 in (i, j)
                                                    else (-self.half[2], self.half[2])))  # fmt: skip
        if self.bore:
            for j in range(14):
                x, y = circle(j, 14)
                yield from ((self.bore * x, self.bore * y, self.half[2] * F(k, 2)) for k in (-2, -1, 0, 1, 2))


TIMES = [F(k, 24) for k in range(25)]


def trial(seed):
    """A drive of two parts, the times at which points prove an overlap, and the least distance of points."""
    rng = np.random.default_rng(seed)

    def draw(low, high):
        return F(int(rng.integers(F(low) * 64, F(high) * 64 + 1)), 64)

    kinds = (Ball, Frustum, Plate)
    one, other = (kinds[int(rng.integers(3))](draw) for _ in range(2))
    angle = rng.uniform(0, 2 * math.pi, 2)
    start = [F(round(64 * 9 * x), 64) for x in (math.cos(angle[0]), math.sin(angle[0]), math.sin(angle[1]))]
    aim = [draw(-8, 8) for _ in range(3)]  # misses and hits
    way = [(a - s) * F(3, 2) for a, s in zip(aim, start)]
    first, second = list(one.points()), list(other.points())
    a, b = (np.array([[float(x) for x in p] for p in ps]) for ps in (first, second))
    crossing, least = [], math.inf
    for t in TIMES:
        at = [s + t * w for s, w in zip(start, way)]
        here = any(other.inside([x + y for x, y in zip(p, at)]) for p in first)
        here = here or any(one.inside([x - y for x, y in zip(p, at)]) for p in second)
        if here:
            crossing.append(t)
        apart = np.linalg.norm(a[:, None] + [float(x) for x in at] - b[None], axis=2)
        least = min(least, float(apart.min()))
    begin, end = np.eye(4), np.eye(4)
    begin[:3, 3] = [float(x) for x in start]
    end[:3, 3] = [float(s + w) for s, w in zip(start, way)]
    assembly = ccd.cad.Assembly.of({"a": one.shape(), "b": other.shape()})
    return ccd.cad.by_poses(assembly, [0, 1], {"a": [begin, end]}), crossing, least


def compare(seed):
    """Check one trial, and return the verdict."""
    drive, crossing, least = trial(seed)
    tolerance = 1e-3 * drive.assembly.size
    hit = ccd.cad.first_contact(drive, "a", "b", tolerance=tolerance)
    if crossing:
        assert hit.verdict != "clear", (seed, crossing[0])
        assert F(hit.toi_lo) <= crossing[0], (seed, hit)
    if hit.verdict == "clear":
        gap = ccd.cad.least_clearance(drive, "a", "b", tolerance=tolerance)
        assert gap.lo <= least * (1 + 1e-12), (seed, gap, least)
        assert gap.verdict == "clear" or gap.lo <= tolerance
    elif hit.verdict == "contact":
        placed = [shapes.moved(p.product.shape, m) for p, m in zip(drive.assembly.parts, drive.at(hit.time))]
        assert shapes.distance(*placed) <= hit.hi + 1e-7 and hit.hi <= 1.01 * tolerance, seed
    return hit.verdict, bool(crossing)


def test_the_points_are_on_the_parts():
    """The exact points are on Open CASCADE's shapes, so that the comparison is about the same parts."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
    from OCP.gp import gp_Pnt

    rng = np.random.default_rng(3)
    for kind in (Ball, Frustum, Plate):
        part = kind(lambda low, high: F(int(rng.integers(F(low) * 64, F(high) * 64 + 1)), 64))
        shape = part.shape()
        for p in list(part.points())[::9]:
            assert not part.inside(p)
            vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(*(float(x) for x in p))).Vertex()
            faces = ccd.cad._occ.faces(shape)
            assert min(shapes.distance(vertex, face) for face in faces) < 1e-7


def test_random_ways():
    found = [compare(seed) for seed in range(3)]
    assert ("contact", True) in found and any(verdict == "clear" for verdict, _ in found), found


@pytest.mark.long
def test_many_random_ways():
    found = [compare(seed) for seed in range(100, 400)]
    contacts = [crossing for verdict, crossing in found if verdict == "contact"]
    assert len(contacts) > 100 and sum(verdict == "clear" for verdict, _ in found) > 50, len(contacts)
    assert sum(contacts) > 0.7 * len(contacts)
