"""Constructors of splines in ccd.interop: the points of our patches are those that the other package evaluates."""

import itertools
import math

import numpy as np
import pytest

import ccd
from ccd import interop


def _spans(knots, degree):
    inner = np.asarray(knots, float)[degree : len(knots) - degree]
    return [(a, b) for a, b in itertools.pairwise(inner) if a < b]


def _compare(made, evaluate, *axes, trials=25):
    """Points at random parameters lie on the body, at these parameters. An axis is a full knot vector and a degree."""
    body, x = made
    spans = [_spans(knots, degree) for knots, degree in axes]
    assert body.counts[1] == math.prod(map(len, spans))
    assert x.shape == (body.counts[0], 3)
    rng = np.random.default_rng(5)
    point = ccd.patch.Body(1, ccd.patch.Form.curve(0), [0])
    for _ in range(trials):
        at = [float(rng.uniform(own[0][0], own[-1][1])) for own in spans]
        p = np.zeros(3)
        value = np.asarray(evaluate(*at), float).ravel()
        p[: len(value)] = value
        hit = ccd.patch.earliest(point, [p], [p], body, x, x, min_separation=1e-9, tolerance=1e-10)
        assert hit.contact and hit.toi_lo == 0.0, at
        patch = int(hit.b)
        places = [*hit.uv_b]
        for k in reversed(range(len(spans))):
            patch, own = divmod(patch, len(spans[k]))
            a, b = spans[k][own]
            assert abs(a + places[k] * (b - a) - at[k]) < 1e-6 * (1 + abs(at[k])), (at, hit)


def _net(n, m, seed=3):
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    return np.stack([x, y, rng.uniform(0, 0.8, x.shape)], -1).astype(float), rng.uniform(0.4, 2.5, x.shape)


@pytest.mark.parametrize("rational", [False, True])
@pytest.mark.parametrize("clamped", [False, True])
def test_surfaces_of_geomdl(rational, clamped):
    geomdl = pytest.importorskip("geomdl.NURBS", reason="geomdl is not installed")
    from geomdl import BSpline

    net, w = _net(6, 4)
    s = (geomdl if rational else BSpline).Surface(normalize_kv=False)
    s.degree_u, s.degree_v = 3, 2
    s.set_ctrlpts([[*(p * k), k] if rational else [*p] for p, k in zip(net.reshape(-1, 3), w.ravel())], 6, 4)
    s.knotvector_u = [0, 0, 0, 0, 1, 2.5, 4, 4, 4, 4] if clamped else [-3, -2, -1, 0, 1, 2.5, 4, 5, 6, 7]
    s.knotvector_v = [2, 2, 2, 3, 5, 5, 5]
    _compare(interop.from_geomdl(s), lambda u, v: s.evaluate_single((u, v)), (s.knotvector_u, 3), (s.knotvector_v, 2))


@pytest.mark.parametrize("rational", [False, True])
def test_curves_of_geomdl(rational):
    geomdl = pytest.importorskip("geomdl.NURBS", reason="geomdl is not installed")
    from geomdl import BSpline

    net, w = _net(7, 1)
    c = (geomdl if rational else BSpline).Curve()
    c.degree = 3
    points, w = net[:, 0], w[:, 0]
    c.set_ctrlpts([[*(p * k), k] if rational else [*p] for p, k in zip(points, w)])
    c.knotvector = [0, 0, 0, 0, 0.2, 0.5, 0.7, 1, 1, 1, 1]
    _compare(interop.from_geomdl(c), c.evaluate_single, (c.knotvector, 3))


def test_trims_of_geomdl_are_refused():
    class Surface:
        ctrlpts, rational, trims = [[0, 0, 0]], False, [object()]

    with pytest.raises(ccd.ArgumentError, match="shape has trims"):
        interop.from_geomdl(Surface())


def test_splines_of_splipy():
    splipy = pytest.importorskip("splipy", reason="splipy is not installed")
    from splipy import curve_factory, surface_factory

    net, w = _net(5, 4)
    basis = splipy.BSplineBasis(3, [0, 0, 0, 1, 2, 3, 3, 3]), splipy.BSplineBasis(4, [0, 0, 0, 0, 2, 2, 2, 2])
    flat = net.transpose(1, 0, 2).reshape(-1, 3)  # u fastest
    plain = splipy.Surface(*basis, flat)
    weights = w.T.reshape(-1, 1)
    rational = splipy.Surface(*basis, np.hstack([flat, weights]), rational=True)
    for s in (plain, rational, surface_factory.cylinder(2.0, 3.0), surface_factory.torus(0.5, 2.0)):
        body, x = interop.from_splipy(s)
        axes = [(b.knots, b.order - 1) for b in s.bases]
        # Places on a seam have two parameters; random ones are on none.
        _compare((body, x), lambda u, v, s=s: s(u, v), *axes)
    for c in (curve_factory.circle(1.5), curve_factory.cubic_curve(net[:, 0])):
        _compare(interop.from_splipy(c), lambda t, c=c: c(t), (c.bases[0].knots, c.bases[0].order - 1))


def test_splines_of_rhino3dm():
    rhino = pytest.importorskip("rhino3dm", reason="rhino3dm is not installed")
    circle = rhino.Circle(rhino.Point3d(1, 2, 3), 2.0).ToNurbsCurve()

    def value(p):
        return [p.X, p.Y, p.Z]

    def full(knots):
        inner = [knots[i] for i in range(len(knots))]
        return [inner[0], *inner, inner[-1]]

    _compare(interop.from_rhino3dm(circle), lambda t: value(circle.PointAt(t)), (full(circle.Knots), 2))
    sphere = rhino.Sphere(rhino.Point3d(0, 1, 2), 1.5).ToNurbsSurface()
    _compare(
        interop.from_rhino3dm(sphere),
        lambda u, v: value(sphere.PointAt(u, v)),
        (full(sphere.KnotsU), 2),
        (full(sphere.KnotsV), 2),
    )
    net, w = _net(5, 4)
    for rational in (False, True):
        s = rhino.NurbsSurface.Create(3, rational, 4, 3, 5, 4)
        for knots, values in ((s.KnotsU, [0, 0, 0, 1, 2, 2, 2]), (s.KnotsV, [0, 0, 1, 3, 3])):
            for i, k in enumerate(values):
                knots[i] = k
        for i in range(5):
            for j in range(4):
                k = float(w[i, j]) if rational else 1.0
                s.Points[i, j] = rhino.Point4d(*(net[i, j] * k), k)
        _compare(interop.from_rhino3dm(s), lambda u, v, s=s: value(s.PointAt(u, v)), (full(s.KnotsU), 3), (full(s.KnotsV), 2))


def test_what_is_no_spline_is_refused():
    for make in (interop.from_geomdl, interop.from_splipy, interop.from_rhino3dm):
        with pytest.raises(ccd.ArgumentError, match="shape is int: must be a"):
            make(3)


def test_shapes_of_open_cascade():
    pytest.importorskip("OCP.BRepPrimAPI", reason="Open CASCADE (cadquery-ocp-novtk) is not installed")
    import cad_parts as parts
    from OCP.BRepAdaptor import BRepAdaptor_Surface

    from ccd._io import cad, cad_loops, cad_surfaces

    with pytest.raises(ccd.ArgumentError, match="shape is int: must be a TopoDS_Shape"):
        interop.from_ocp(3)
    rng = np.random.default_rng(7)
    point = ccd.patch.Body(1, ccd.patch.Form.curve(0), [0])
    for make in (parts.plate, parts.filleted, parts.drilled, parts.vase, parts.cam, parts.ring, parts.cone, parts.lens):
        shape = make()
        model = interop.from_ocp(shape)
        body = model.body(trimmed=False)
        for k, face in enumerate(cad.explored(shape, "FACE")):
            face = cad.as_face(face)
            box = cad_loops.box_of(face)
            axes = cad_surfaces.of_face(face, box).axes
            true = BRepAdaptor_Surface(face)
            own = np.flatnonzero(model.faces.face_of == k)
            for _ in range(6):
                u, v = rng.uniform(box[0], box[1]), rng.uniform(box[2], box[3])
                p = true.Value(u, v)
                found = ccd.patch.collisions(
                    point, *[[[p.X(), p.Y(), p.Z()]]] * 2, body, *[model.points] * 2, min_separation=1e-8
                )
                at = np.array([axes[0](np.array([u]))[0], axes[1](np.array([v]))[0]])
                places = []
                for hit in found[np.isin(found["b"], own)]:
                    w = model.faces.windows[hit["b"]]
                    places.append([w[0] + hit["uv_b"][0] * (w[1] - w[0]), w[2] + hit["uv_b"][1] * (w[3] - w[2])])
                assert places and np.abs(np.array(places) - at).max(axis=1).min() < 1e-6, (make.__name__, k, u, v, places, at)
