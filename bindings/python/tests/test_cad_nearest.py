"""Least clearances beside closed formulas, and which facets come near each other beside points of them."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import ccd

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

from ccd.cad import _meeting  # noqa: E402


def post(r, x, y):
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt

    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(x, y, -15.0), gp_Dir(0, 0, 1)), r, 30.0).Shape()


def arm(r):
    """A bar along x whose edges are round."""
    from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    from OCP.gp import gp_Pnt
    from OCP.TopAbs import TopAbs_EDGE
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    bar = BRepPrimAPI_MakeBox(gp_Pnt(0, -3, -3), 40, 6, 6).Shape()
    made, edges, seen = BRepFilletAPI_MakeFillet(bar), TopExp_Explorer(bar, TopAbs_EDGE), []
    while edges.More():
        edge = (getattr(TopoDS, "Edge_s", None) or TopoDS.Edge)(edges.Current())
        if not any(edge.IsSame(other) for other in seen):
            seen.append(edge)
            made.Add(r, edge)
        edges.Next()
    return made.Shape()


@pytest.mark.parametrize("angle", [0.27 * math.pi, -0.1])
def test_round_arm_far_from_post(angle):
    """Levels of facets whose own deviations are less than that of their body are split where these decide."""
    assembly = ccd.cad.Assembly.of({"a": arm(1.5), "b": post(4.0, 0.0, 35.0)})
    drive = ccd.cad.by_joints(assembly, [ccd.cad.Joint("j", "revolute", ["a"], (0, 0, 1))], [0, 1], {"j": [0, angle]})
    gap = ccd.cad.least_clearance(drive, "a", "b")
    # Seen from the arm, the post is beside a rectangle that the radius of the edges makes larger.
    turn = max(angle, 0.0)
    x, y = 35.0 * math.sin(turn), 35.0 * math.cos(turn)
    want = math.hypot(max(1.5 - x, 0.0, x - 38.5), max(y - 1.5, 0.0)) - 1.5 - 4.0
    assert gap.verdict == "clear" and gap.lo <= want <= gap.hi, (gap, want)
    assert gap.hi - gap.lo <= 1e-6 * assembly.size, gap


def triangles(rng, n):
    """Small, long and slanted triangles."""
    points = rng.normal(size=(n, 1, 3)) * 2 + rng.normal(size=(n, 3, 3)) * rng.choice([0.05, 0.5, 2.0], size=(n, 1, 3))
    return SimpleNamespace(facets=SimpleNamespace(points=points, deviation=rng.uniform(0, 0.02, n)), deviation=0.02)


def near_by_points(a, b, off, reach):
    """Which triangles of a have points that are surely near points of b."""
    w = np.array([(i, j, 6 - i - j) for i in range(7) for j in range(7 - i)]) / 6.0
    p, q = (w @ x.facets.points for x in (a, b))
    found = np.linalg.norm(p[:, None, :, None] - q[None, :, None], axis=4).min((2, 3))
    return found <= reach + off


def test_facets_that_have_near_points_are_near():
    rng, pruned = np.random.default_rng(3), 0
    for _ in range(10):
        a, b, reach = triangles(rng, 30), triangles(rng, 40), float(rng.choice([0.1, 1.0]))
        at = np.eye(4)
        at[:3, 3] = rng.normal(size=3) * 3
        moved = SimpleNamespace(facets=SimpleNamespace(points=b.facets.points + at[:3, 3]))
        for even in (False, True):
            one, other = _meeting.boxes(a, np.eye(4), reach, np.eye(3), even), _meeting.boxes(b, at, reach, np.eye(3), even)
            found = _meeting.meeting(one, other)
            off = 0.04 if even else a.facets.deviation[:, None] + b.facets.deviation
            near = near_by_points(a, moved, off, reach)
            assert (found[0] >= near.any(1)).all() and (found[1] >= near.any(0)).all()
            i, j = np.indices(near.shape).reshape(2, -1)
            close = _meeting.between(one, i, other, j)
            assert (close >= near.reshape(-1)).all()
            pruned += int((~close).sum())
    assert pruned > 1000, pruned
