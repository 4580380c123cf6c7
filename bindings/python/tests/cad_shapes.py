"""Parts and mechanisms that the tests of `ccd.cad` make with Open CASCADE, and files of them."""

import math

import numpy as np
import pytest

pytest.importorskip("OCP.BRepPrimAPI", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
    BRepBuilderAPI_Transform,
)
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipe, BRepOffsetAPI_ThruSections
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Circ, gp_Dir, gp_Elips, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS

from ccd.cad._occ import faces


def edges(shape):
    cast = getattr(TopoDS, "Edge_s", None) or TopoDS.Edge
    found, seen, explorer = [], [], TopExp_Explorer(shape, TopAbs_EDGE)
    while explorer.More():
        edge = cast(explorer.Current())
        if not any(edge.IsSame(other) for other in seen):
            seen.append(edge)
            found.append(edge)
        explorer.Next()
    return found


def box(x, y, z, at=(0, 0, 0)):
    return BRepPrimAPI_MakeBox(gp_Pnt(*map(float, at)), float(x), float(y), float(z)).Shape()


def axis(at=(0, 0, 0), along=(0, 0, 1)):
    return gp_Ax2(gp_Pnt(*map(float, at)), gp_Dir(*map(float, along)))


def cylinder(r, h, at=(0, 0, 0), along=(0, 0, 1)):
    return BRepPrimAPI_MakeCylinder(axis(at, along), float(r), float(h)).Shape()


def cone(r0, r1, h, at=(0, 0, 0), along=(0, 0, 1)):
    return BRepPrimAPI_MakeCone(axis(at, along), float(r0), float(r1), float(h)).Shape()


def sphere(r, at=(0, 0, 0)):
    return BRepPrimAPI_MakeSphere(gp_Pnt(*map(float, at)), float(r)).Shape()


def torus(a, b, at=(0, 0, 0), along=(0, 0, 1)):
    return BRepPrimAPI_MakeTorus(axis(at, along), float(a), float(b)).Shape()


def cut(a, *others):
    for b in others:
        a = BRepAlgoAPI_Cut(a, b).Shape()
    return a


def fuse(a, *others):
    for b in others:
        a = BRepAlgoAPI_Fuse(a, b).Shape()
    return a


def common(a, b):
    return BRepAlgoAPI_Common(a, b).Shape()


def moved(shape, matrix):
    t = gp_Trsf()
    t.SetValues(*(float(x) for x in np.asarray(matrix)[:3].ravel()))
    return BRepBuilderAPI_Transform(shape, t, True).Shape()


def polygon(points):
    made = BRepBuilderAPI_MakePolygon()
    for p in points:
        made.Add(gp_Pnt(*map(float, p)))
    made.Close()
    return made.Wire()


def prism(points, vector):
    return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(polygon(points)).Face(), gp_Vec(*map(float, vector))).Shape()


def filleted(shape, r):
    made = BRepFilletAPI_MakeFillet(shape)
    for edge in edges(shape):
        made.Add(float(r), edge)
    return made.Shape()


def chamfered(shape, r):
    made = BRepFilletAPI_MakeChamfer(shape)
    for edge in edges(shape):
        made.Add(float(r), edge)
    return made.Shape()


def loft():
    """A solid through an ellipse, a circle and an ellipse: B-spline sides."""
    made = BRepOffsetAPI_ThruSections(True, False)
    for z, a, b in ((0, 4, 2), (5, 2.5, 2.4), (9, 3, 1.5)):
        wire = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Elips(axis((0, 0, z)), float(a), float(b))).Edge()).Wire()
        made.AddWire(wire)
    made.Build()
    return made.Shape()


def pipe():
    """A circle swept along an arc of a spline."""
    from OCP.GeomAPI import GeomAPI_PointsToBSpline

    try:
        from OCP.collections import Array1_gp_Pnt as Points
    except ImportError:
        from OCP.TColgp import TColgp_Array1OfPnt as Points
    points = Points(1, 4)
    for k, p in enumerate([(0, 0, 0), (0, 3, 5), (4, 4, 8), (8, 2, 9)], 1):
        points.SetValue(k, gp_Pnt(*map(float, p)))
    spine = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(GeomAPI_PointsToBSpline(points).Curve()).Edge()).Wire()
    circle = BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0.5, 1)), 1.0)).Edge()
    return BRepOffsetAPI_MakePipe(spine, BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(circle).Wire()).Face()).Shape()


def gear(teeth, module, width, bore):
    """A gear with straight flanks: a prism of many planes, with a hole."""
    r, points = 0.5 * module * teeth, []
    for k in range(teeth):
        for share, out in ((0.0, -1.2), (0.22, -1.2), (0.30, 0.9), (0.58, 0.9), (0.66, -1.2)):
            a = 2 * math.pi * (k + share) / teeth
            points.append(((r + out * module) * math.cos(a), (r + out * module) * math.sin(a), 0))
    return cut(prism(points, (0, 0, width)), cylinder(bore, 3 * width, (0, 0, -width)))


def nut(across, height, bore):
    """A hexagonal nut with conical chamfers: hyperbolas trim its sides."""
    r = across / math.sqrt(3)
    body = prism([(r * math.cos(a), r * math.sin(a), 0) for a in np.arange(6) * math.pi / 3], (0, 0, height))
    return cut(common(body, cone(r * 0.92 + height, r * 0.92 - 1e-9, height)), cylinder(bore, 3 * height, (0, 0, -height)))


def revolved():
    """A closed outline of lines and arcs, turned by 300 degrees."""
    wire = polygon([(2, 0, 0), (5, 0, 0), (5, 0, 1), (3, 0, 2), (3, 0, 5), (2, 0, 6)])
    face = BRepBuilderAPI_MakeFace(wire).Face()
    return BRepPrimAPI_MakeRevol(face, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), math.radians(300)).Shape()


def nurbs(shape):
    return BRepBuilderAPI_NurbsConvert(shape).Shape()


SHAPES = {
    "box": lambda: box(3, 2, 1),
    "cylinder": lambda: cylinder(2, 5),
    "cone": lambda: cone(3, 1, 4),
    "tip": lambda: cone(3, 0, 4),
    "sphere": lambda: sphere(2),
    "torus": lambda: torus(4, 1),
    "plate": lambda: cut(box(10, 8, 2), cylinder(1, 6, (3, 3, -2)), cylinder(1.5, 6, (7, 5, -2))),
    "crossed": lambda: cut(cylinder(3, 10), cylinder(1.5, 12, (-6, 0, 5), (1, 0, 0))),
    "dome": lambda: common(sphere(3), box(4, 4, 4, (-1, -1, 0.5))),
    "ball in a cone": lambda: cut(cone(4, 2, 5), sphere(2.2, (1, 0, 5))),
    "fillets": lambda: filleted(box(6, 5, 4), 0.7),
    "chamfers": lambda: chamfered(box(6, 5, 4), 0.7),
    "filleted shaft": lambda: filleted(fuse(cylinder(2, 8), cylinder(3.5, 2, (0, 0, 3))), 0.3),
    "loft": loft,
    "pipe": pipe,
    "gear": lambda: gear(11, 1, 2, 1.5),
    "nut": lambda: nut(8, 4, 2.5),
    "revolved": revolved,
    "nurbs torus": lambda: nurbs(torus(4, 1)),
    "nurbs dome": lambda: nurbs(common(sphere(3), box(4, 4, 4, (-1, -1, 0.5)))),
}


def write(shape, path):
    """Write a shape as STEP or, by the file's ending, IGES."""
    if str(path).endswith(".igs"):
        from OCP.IGESControl import IGESControl_Writer

        writer = IGESControl_Writer("MM", 1)
        writer.AddShape(shape)
        writer.ComputeModel()
        assert writer.Write(str(path))
    else:
        from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

        writer = STEPControl_Writer()
        writer.Transfer(shape, STEPControl_AsIs)
        writer.Write(str(path))


def distance(a, b):
    """The distance of shapes by Open CASCADE; solids are taken apart, because compounds count as hollow."""
    from OCP.BRepExtrema import BRepExtrema_DistShapeShape

    found = BRepExtrema_DistShapeShape(a, b)
    assert found.IsDone()
    return found.Value()


def points(shape, deflection):
    """Points (gp_Pnt) of the surfaces of a shape: the corners of Open CASCADE's triangles."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepMesh import BRepMesh_IncrementalMesh
    from OCP.TopLoc import TopLoc_Location

    BRepMesh_IncrementalMesh(shape, deflection)
    found = []
    for face in faces(shape):
        location = TopLoc_Location()
        triangles = BRep_Tool.Triangulation_s(face, location)
        turn = location.Transformation()
        found += [triangles.Node(k + 1).Transformed(turn) for k in range(triangles.NbNodes())]
    return found


def ends(assembly):
    """The least and the largest coordinates of an assembly, by Open CASCADE's exact boxes."""
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    found = []
    for p in assembly.parts:
        box = Bnd_Box()
        BRepBndLib.AddOptimal_s(moved(p.product.shape, p.matrix), box, False, False)
        found.append([[e.X(), e.Y(), e.Z()] for e in (box.CornerMin(), box.CornerMax())])
    return np.array([np.min([low for low, _ in found], 0), np.max([high for _, high in found], 0)])
