"""Images of faces about lines: by curves and by facets, beside points of the faces and Open CASCADE's classifier."""

import math
from fractions import Fraction

import numpy as np
import pytest
import test_cad_fits as fits

import ccd
from ccd.cad import _images, _reach
from ccd.cad._bounds import Frame, Line, Plane, Round
from ccd.cad._facets import Face

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")


def plate():
    holes = [shapes.cylinder(1.0 + 0.2 * k, 9, (3.0 * k - 6, (-1) ** k, -4)) for k in range(5)]
    return shapes.cut(shapes.box(18, 8, 2, (-9, -4, -1)), *holes)


PARTS = {
    "plate": plate,
    "flange": lambda: shapes.cut(shapes.cylinder(5, 2), shapes.cylinder(2, 9, (0, 0, -4)), shapes.box(3, 9, 9, (3, -4, -4))),
    "cup": lambda: shapes.cut(shapes.cylinder(5, 6), shapes.cone(4.5, 2.0, 5.0, (0, 0, 1.5))),
    "lens": lambda: shapes.common(shapes.sphere(6, (0, 0, 4)), shapes.sphere(6, (0, 0, -4))),
    "ring": lambda: shapes.cut(shapes.torus(5, 1.5), shapes.box(9, 9, 9)),
    "fillets": lambda: shapes.filleted(shapes.box(6, 4, 3), 0.7),
}


def extents(shape):
    """What faces take up, by their curves and by their facets."""
    product = ccd.cad.Product("x", shape)
    found = product._axes(None).extents
    return product, found if isinstance(found, _images.OfCurves) else None, _images.OfFacets(product.facets())


def lines(rng, product, count):
    """Lines along axes of the part, and any."""
    axes = product._axes(None)
    for _ in range(count):
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        if len(axes.origins) and rng.random() < 0.6:
            k = int(rng.integers(len(axes.origins)))
            yield axes.origins[k] + rng.choice([0.0, 1e-3, 0.5]) * rng.normal(size=3), axes.ways[k]
        else:
            yield rng.normal(size=3) * 4, [way, np.eye(3)[int(rng.integers(3))]][int(rng.integers(2))]


def convex_distance(corners, points):
    """The distances of points from a convex quadrilateral, whose corners go around."""
    best, left, right = np.full(len(points), np.inf), np.ones(len(points), bool), np.ones(len(points), bool)
    for k in range(4):
        a, d = corners[k], corners[(k + 1) % 4] - corners[k]
        w = points - a
        share = np.clip(w @ d / (d @ d), 0, 1) if d @ d > 0 else np.zeros(len(points))
        best = np.minimum(best, np.linalg.norm(w - share[:, None] * d, axis=1))
        turn = d[0] * w[:, 1] - d[1] * w[:, 0]
        left &= turn >= 0
        right &= turn <= 0
    d, e = corners[1:3] - corners[0], corners[2:4] - corners[0]
    area = (d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]).sum()
    return np.where((left | right) & (abs(area) > 0), 0.0, best)


def compare(name, seed, count):
    """Points of faces are in both images; returns for each face how wide both are in all."""
    rng, shape = np.random.default_rng(seed), PARTS[name]()
    product, *both = extents(shape)
    assert both[0] is not None
    size, points, wide = product.size, fits.dense(shape, product.size), []
    for origin, way in lines(rng, product, count):
        made = [_images.images(x, size, origin, way) for x in both]
        for f, p in enumerate(points):
            z = (p - origin) @ way
            q = np.stack([np.linalg.norm(p - origin - np.multiply.outer(z, way), axis=1), z], 1)
            for x in made:
                assert convex_distance(x.corners[f], q).max() <= x.off[f] + 1e-9 * size, (name, seed, f, origin, way)
        wide.append([np.ptp(x.corners, axis=1).sum() + x.off.sum() for x in made])
    return np.sum(wide, 0)


@pytest.mark.parametrize("name", PARTS)
def test_images_hold_the_points_of_faces(name):
    """Those by curves are not much wider than those by facets."""
    by_curves, by_facets = compare(name, 1, 8)
    assert by_curves < 1.6 * by_facets


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 30))
def test_more_images_hold_the_points_of_faces(seed):
    for name in PARTS:
        compare(name, seed, 12)


@pytest.mark.parametrize("name", ["plate", "flange", "cup"])
def test_lines_that_pass_through_a_face(name):
    """A line that is said to miss a flat face misses it by Open CASCADE, too; far from the edges both say the same."""
    from OCP.BRepClass import BRepClass_FaceClassifier
    from OCP.gp import gp_Pnt2d
    from OCP.TopAbs import TopAbs_OUT

    product, by_curves, _ = extents(PARTS[name]())
    rng, told = np.random.default_rng(5), [0, 0]
    for f, one in enumerate(product._read()):
        s = one.face.surface
        if not isinstance(s, Plane):
            continue
        spans, gap = by_curves.boundary(f)
        assert gap <= 1e-9
        border = np.concatenate([c.at(np.linspace(t0, t1, 400)) for c, t0, t1 in spans])
        low, high = border.min(0), border.max(0)
        for _ in range(80):
            at = rng.uniform(low - 0.2, high + 0.2)
            tilt = rng.normal(size=2) * rng.choice([0.0, 0.3, 3.0])
            way = s.frame.z + tilt[0] * s.frame.x + tilt[1] * s.frame.y
            way /= np.linalg.norm(way)
            place = s.at(at[None])[0]
            p = s.at(border) - place
            near = 0.99 * float(np.linalg.norm(p - np.multiply.outer(p @ way, way), axis=1).min())
            inside = BRepClass_FaceClassifier(one.shape, gp_Pnt2d(*map(float, at)), 1e-9).State() != TopAbs_OUT
            passes = by_curves.passes(f, place + rng.normal() * way, way, near)
            assert passes or not inside, (name, f, at, way)
            if not tilt.any() and near > 0.05:
                told[int(inside)] += 1
                assert passes == inside, (name, f, at)
    assert min(told) > 15


def test_a_pin_in_a_hole_keeps_its_play_from_the_face_around_it():
    """The flat face around a hole is not met by the axis, though its outer edge goes around it."""
    product, by_curves, _ = extents(shapes.cut(shapes.box(9, 9, 2, (-4, -4, -1)), shapes.cylinder(2, 9, (0, 0, -4))))
    made = _images.images(by_curves, product.size, np.zeros(3), np.array([0.0, 0, 1]))
    tops = [
        f for f, x in enumerate(product._read()) if isinstance(x.face.surface, Plane) and abs(x.face.surface.frame.z[2]) > 0.9
    ]
    assert len(tops) == 2 and np.allclose(made.corners[tops][:, 0, 0], 2, atol=1e-9)
    assert np.allclose(made.corners[tops].max((0, 1)), [math.hypot(5, 5), 1])


def test_faces_of_other_kinds_are_taken_by_facets():
    assert extents(shapes.loft())[1] is None
    assert extents(shapes.nurbs(shapes.box(1, 2, 3)))[1] is None


def test_edges_inside_of_a_face_do_not_bound_it():
    """A circle that is drawn on a disc is no hole: such faces are taken by facets."""
    from OCP.BRep import BRep_Builder
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakeWire
    from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pnt
    from OCP.TopAbs import TopAbs_INTERNAL

    def circle(r):
        edge = BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(gp_Pnt(0, 0, 2), gp_Dir(0, 0, 1)), r)).Edge()
        return BRepBuilderAPI_MakeWire(edge).Wire()

    disc = BRepBuilderAPI_MakeFace(circle(5.0)).Face()
    assert extents(disc)[1] is not None
    BRep_Builder().Add(disc, circle(2.0).Oriented(TopAbs_INTERNAL))
    held = ccd.cad.Product("x", disc)._read()
    assert len(held[0].face.curves) == 2 and not held[0].bounded


def exact(*terms):
    """Points (p, q, r) of sums of numbers times vectors, in rational numbers."""
    return [sum(Fraction(float(n)) * Fraction(float(v[k])) for n, v in terms) for k in range(3)]


def test_images_of_faces_far_from_the_origin_of_their_surface():
    """Images hold such points, in rational numbers, which are rounded by more than their own size says."""
    rng, z = np.random.default_rng(4), np.array([0.0, 0.0, 1.0])
    for _ in range(40):
        turn, far = rng.uniform(0, 2 * math.pi), 10 ** rng.uniform(6, 10)
        x = np.array([math.cos(turn), math.sin(turn), 0.0])
        frame = Frame(-far * x, x, np.cross(z, x), z)
        ends = [np.array([far + rng.uniform(2, 3), y]) for y in (-1.0, 1.0, 2.0)]
        curves = [Line(p, q - p) for p, q in zip(ends, [*ends[1:], ends[0]])]
        cylinder = Round("cylinder", Frame(-far * (way := turned(rng)), np.cross(way, x), x, way), 1.0)
        v0, v1 = far + rng.uniform(0, 3, 2)
        around = [Line(np.array(p), np.array(q) - p) for p, q in pairs([(0, v0), (6, v0), (6, v1), (0, v1)])]
        for face, line in ((Face(Plane(frame), curves), z), (Face(cylinder, around), way)):
            ranges = [(0.0, 1.0)] * len(face.curves)
            made = _images.OfCurves.of([face], [ranges], _reach.hulls([face], [ranges]))
            low, high = (f(_images.images(made, 10.0, np.zeros(3), line).corners[0], 0) for f in (np.min, np.max))
            f = face.surface.frame
            if isinstance(face.surface, Plane):
                points = [exact((1, f.origin), (p[0], f.x), (p[1], f.y)) for p in ends]
                assert all(Fraction(low[0]) ** 2 <= p[0] ** 2 + p[1] ** 2 <= Fraction(high[0]) ** 2 for p in points), far
            else:
                heights = [sum(a * Fraction(float(b)) for a, b in zip(exact((1, f.origin), (v, f.z)), line)) for v in (v0, v1)]
                assert all(Fraction(low[1]) <= h <= Fraction(high[1]) for h in heights), far
        assert high[1] - low[1] < 4 + 1e-6 * far  # The image is hardly longer than the cylinder.


def turned(rng):
    found = rng.normal(size=3)
    return found / np.linalg.norm(found)


def pairs(points):
    return list(zip(points, [*points[1:], points[0]]))


def test_a_placement_that_scales_a_face_is_refused():
    """Open CASCADE allows it; the parameters of trimming curves are those of the surface as it was."""
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf
    from OCP.TopLoc import TopLoc_Location

    doubled, mirrored = gp_Trsf(), gp_Trsf()
    doubled.SetScale(gp_Pnt(0, 0, 0), 2.0)
    mirrored.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)))
    pin = shapes.cylinder(1, 3)
    with pytest.raises(ccd.FileError, match=r"pin: face 0: its placement scales it by 2: .*BRepBuilderAPI_Transform"):
        ccd.cad.Product("pin", pin.Moved(TopLoc_Location(doubled), False)).facets()
    assert len(ccd.cad.Product("pin", pin.Moved(TopLoc_Location(mirrored), False)).facets()) > 10
