"""Boxes in Open CASCADE, and the volume that two solids have in common."""

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.gp import gp_Pnt, gp_Quaternion, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps


def box(lo, hi):
    """The solid of a box."""
    return BRepPrimAPI_MakeBox(gp_Pnt(*map(float, lo)), gp_Pnt(*map(float, hi))).Solid()


def moved(shape, q, x):
    """A shape turned by a quaternion w, x, y, z about the origin, then moved."""
    by = gp_Trsf()
    by.SetRotation(gp_Quaternion(float(q[1]), float(q[2]), float(q[3]), float(q[0])))
    by.SetTranslationPart(gp_Vec(*map(float, x)))
    return BRepBuilderAPI_Transform(shape, by, True).Shape()


def common(a, b):
    """The common part of two solids."""
    return BRepAlgoAPI_Common(a, b).Shape()


def volume(shape):
    """The volume, to a relative tolerance of 1e-9."""
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, properties, 1e-9)
    return properties.Mass()
