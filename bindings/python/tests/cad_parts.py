"""Parts made by Open CASCADE, for tests of trimmed faces, and its distances of their solids."""

import math

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakeWire
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.GC import GC_MakeArcOfCircle, GC_MakeArcOfEllipse, GC_MakeSegment
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Elips, gp_Pnt, gp_Trsf, gp_Vec
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location

from ccd._io.cad import explored
from ccd._io.cad_keys import as_edge


def frame(x=0.0, y=0.0, z=0.0, direction=(0, 0, 1)):
    return gp_Ax2(gp_Pnt(x, y, z), gp_Dir(*direction))


def box(x0, y0, z0, x1, y1, z1):
    return BRepPrimAPI_MakeBox(gp_Pnt(x0, y0, z0), gp_Pnt(x1, y1, z1)).Shape()


def cylinder(radius, height, at=None, angle=2 * math.pi):
    return BRepPrimAPI_MakeCylinder(at or frame(), radius, height, angle).Shape()


def sphere(radius, x=0.0, y=0.0, z=0.0):
    return BRepPrimAPI_MakeSphere(gp_Pnt(x, y, z), radius).Shape()


def cut(a, b):
    return BRepAlgoAPI_Cut(a, b).Shape()


def fuse(a, b):
    return BRepAlgoAPI_Fuse(a, b).Shape()


def common(a, b):
    return BRepAlgoAPI_Common(a, b).Shape()


def plate():
    """A plate with a hole of radius 1.1."""
    return cut(box(-3, -3, -0.5, 3, 3, 0.5), cylinder(1.1, 4, frame(z=-2)))


def filleted():
    return _every_edge(BRepFilletAPI_MakeFillet, box(-1, -1, -1, 1, 1, 1), 0.3)


def chamfered():
    return _every_edge(BRepFilletAPI_MakeChamfer, box(-1, -1, -1, 1, 1, 1), 0.25)


def _every_edge(make, shape, by):
    made = make(shape)
    for edge in explored(shape, "EDGE"):
        made.Add(by, as_edge(edge))
    return made.Shape()


def slotted():
    """A plate with a slot that ends in half circles."""
    slot = fuse(fuse(box(-1, -0.5, -1, 1, 0.5, 1), cylinder(0.5, 2, frame(-1, 0, -1))), cylinder(0.5, 2, frame(1, 0, -1)))
    return cut(box(-3, -2, -0.4, 3, 2, 0.4), slot)


def drilled():
    """A cylinder with a hole across it: its loops are curves of intersection."""
    return cut(cylinder(1, 3, frame(z=-1.5)), cylinder(0.5, 4, frame(-2, 0, 0, (1, 0, 0))))


def sector():
    """Part of a pipe."""
    return cut(cylinder(2, 1, angle=1.9), cylinder(1.4, 1, angle=1.9))


def lens():
    return common(sphere(2, z=-1.2), sphere(2, z=1.2))


def bullet():
    return fuse(cylinder(0.8, 2, frame(z=-2)), sphere(0.8))


def socket():
    return cut(box(-2, -2, -2, 2, 2, 0), BRepPrimAPI_MakeCone(frame(z=-1.5), 0.3, 1.5, 1.5).Shape())


def cone():
    return BRepPrimAPI_MakeCone(frame(z=-1.2), 0.2, 1.4, 1.2).Shape()


def ring():
    return cut(BRepPrimAPI_MakeTorus(frame(), 1.5, 0.5).Shape(), box(0, 0, -1, 3, 3, 1))


def _face(curves):
    wire = BRepBuilderAPI_MakeWire()
    for curve in curves:
        wire.Add(BRepBuilderAPI_MakeEdge(curve.Value()).Edge())
    return BRepBuilderAPI_MakeFace(wire.Wire()).Face()


def cam():
    """A prism over half an ellipse, half a circle and a straight side."""
    ellipse = gp_Elips(frame(), 1.6, 0.7)
    upper = GC_MakeArcOfEllipse(ellipse, 0.0, math.pi, True)
    lower = GC_MakeArcOfCircle(gp_Pnt(-1.6, 0, 0), gp_Pnt(-0.8, -0.8, 0), gp_Pnt(0, 0, 0))
    return BRepPrimAPI_MakePrism(
        _face([upper, lower, GC_MakeSegment(gp_Pnt(0, 0, 0), gp_Pnt(1.6, 0, 0))]), gp_Vec(0, 0, 1)
    ).Shape()


def vase():
    """A profile with an arc turned by 250 degrees."""
    p = [gp_Pnt(0.5, 0, -1), gp_Pnt(1.2, 0, 0.1), gp_Pnt(0.7, 0, 1)]
    arc = GC_MakeArcOfCircle(*p)
    sides = [arc, GC_MakeSegment(p[2], gp_Pnt(0.2, 0, 1)), GC_MakeSegment(gp_Pnt(0.2, 0, 1), gp_Pnt(0.2, 0, -1)),
             GC_MakeSegment(gp_Pnt(0.2, 0, -1), p[0])]  # fmt: skip
    return BRepPrimAPI_MakeRevol(_face(sides), gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), math.radians(250)).Shape()


def write(shape, path):
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(path))


def solids(shape):
    """The solids of a shape: a compound counts as hollow for distances."""
    found, explorer = [], TopExp_Explorer(shape, TopAbs_SOLID)
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found or [shape]


def moved(shape, by):
    t = gp_Trsf()
    t.SetTranslation(gp_Vec(*map(float, by)))
    return shape.Moved(TopLoc_Location(t))


def distance(a, b):
    """Open CASCADE's distance of two shapes, solid by solid."""
    return min(BRepExtrema_DistShapeShape(p, q).Value() for p in solids(a) for q in solids(b))
