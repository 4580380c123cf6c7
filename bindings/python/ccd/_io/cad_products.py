"""The products of a STEP or IGES file: parts and assemblies, with names, colors and placements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cad_keys import Keys

Color = tuple[float, float, float]


@dataclass
class Node:
    """A part, which has a shape, or an assembly, which has placed components."""

    name: str
    color: Color | None
    shape: Any = None
    colors: Callable[[Any], Color | None] | None = None
    children: list[Placed] = field(default_factory=list)


@dataclass
class Placed:
    """A component of an assembly."""

    name: str
    node: Node
    location: Any
    color: Color | None


@dataclass
class Leaf:
    """A part where the file places it."""

    name: str
    shape: Any
    colors: Callable[[Any], Color | None]


def roots(document: Any) -> list[Node]:
    """The products of a document that no other contains; one object for each product, however often it is placed."""
    from OCP.TDF import TDF_Label
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    colors = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
    known: dict[str, Node] = {}

    def node(label: Any) -> Node:
        entry = _entry(label)
        if entry in known:
            return known[entry]
        made = known[entry] = Node(_name(label), _color(colors, label))
        if shapes.IsAssembly_s(label):
            for part in _labels(lambda out: shapes.GetComponents_s(label, out, False)):
                referred = TDF_Label()
                if shapes.GetReferredShape_s(part, referred):
                    placed = Placed(_name(part), node(referred), shapes.GetLocation_s(part), _color(colors, part))
                    made.children.append(placed)
        else:
            made.shape = shapes.GetShape_s(label)
            made.colors = _face_colors(shapes, colors, label)
        return made

    return [node(label) for label in _labels(shapes.GetFreeShapes)]


def leaves(document: Any) -> Iterator[Leaf]:
    """The parts of a document where it places them."""
    from OCP.TopLoc import TopLoc_Location

    def walk(node: Node, location: Any, color: Color | None, name: str) -> Iterator[Leaf]:
        own = color or node.color
        if node.shape is not None:
            of_part, back = node.colors, location.Inverted()

            def of_face(face: Any) -> Color | None:
                found = of_part(face.Moved(back)) if of_part else None
                return found or own

            yield Leaf(name or node.name, node.shape.Moved(location), of_face)
        for child in node.children:
            yield from walk(child.node, location.Multiplied(child.location), child.color or own, child.node.name or child.name)

    for root in roots(document):
        yield from walk(root, TopLoc_Location(), None, root.name)


def matrix(location: Any) -> NDArray[np.float64]:
    """A location as a matrix (4, 4)."""
    t = location.Transformation()
    out = np.eye(4)
    for i in range(3):
        for j in range(4):
            out[i, j] = t.Value(i + 1, j + 1)
    return out


def _labels(fill: Callable[[Any], Any]) -> list[Any]:
    try:
        from OCP.TDF import TDF_LabelSequence as Sequence
    except ImportError:
        from OCP.collections import Sequence_TDF_Label as Sequence  # since Open CASCADE 8
    found = Sequence()
    fill(found)
    return [found.Value(k) for k in range(1, found.Length() + 1)]


def _entry(label: Any) -> str:
    from OCP.TCollection import TCollection_AsciiString
    from OCP.TDF import TDF_Tool

    text = TCollection_AsciiString()
    TDF_Tool.Entry_s(label, text)
    return str(text.ToCString())


def _name(label: Any) -> str:
    from OCP.TDataStd import TDataStd_Name

    attribute = TDataStd_Name()
    if not label.FindAttribute(TDataStd_Name.GetID_s(), attribute):
        return ""
    return str(attribute.Get().ToExtString())


def _kinds() -> tuple[Any, ...]:
    from OCP.XCAFDoc import XCAFDoc_ColorType

    return XCAFDoc_ColorType.XCAFDoc_ColorSurf, XCAFDoc_ColorType.XCAFDoc_ColorGen


def _color(tool: Any, label: Any) -> Color | None:
    from OCP.Quantity import Quantity_Color

    found = Quantity_Color()
    for kind in _kinds():
        if tool.GetColor_s(label, kind, found):
            return (found.Red(), found.Green(), found.Blue())
    return None


def _face_colors(shapes: Any, tool: Any, part: Any) -> Callable[[Any], Color | None]:
    """A function that returns the color of a face of a part, as the part has it, or None."""
    labels = _labels(lambda out: shapes.GetSubShapes_s(part, out))
    keys, known = Keys(), {}
    for label in labels:
        color = _color(tool, label)
        if color is not None:
            known[keys(shapes.GetShape_s(label))] = color
    if not known:
        return lambda face: None
    return lambda face: known.get(keys(face))
