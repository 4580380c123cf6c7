"""The products of a STEP or IGES document: parts and assemblies, with names, colors and placements.

`ccd.patch` and `ccd.cad` both walk a document by this module, so parts have the same names, placements and colors in both.

A component is called by its name, by that of its product where it has none, or `part`. The second component of a name in one
assembly is `name:2`. The path of a part is what components are called from the root down to it. A root is no component: its
name is in no path, unless the root is a part itself, or the document has several roots. The color of a part is that of its
component, else that of its product, else that of the nearest component above it that has one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cad_keys import Keys

Color = tuple[float, float, float]
_MADE_UP = re.compile(r"=>\[[\d:]*\]")  # the name that Open CASCADE gives to a component without one
# The identifier and the name of a component in a STEP file, each without its quotes; $ stands for none.
_OCCURRENCE = re.compile(rb"NEXT_ASSEMBLY_USAGE_OCCURRENCE\s*\(\s*'((?:[^']|'')*)'\s*,\s*(?:'((?:[^']|'')*)'|\$)")


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
    """A component of an assembly; its name differs from those of the other components."""

    name: str
    node: Node
    location: Any
    color: Color | None


@dataclass
class Spot:
    """A part where a document places it."""

    path: tuple[str, ...]
    node: Node
    location: Any
    color: Color | None


@dataclass
class Leaf:
    """A part where the file places it."""

    name: str
    shape: Any
    colors: Callable[[Any], Color | None]


def distinct(names: Iterable[str]) -> list[str]:
    """The names; the second of a name gets a number: `pin`, `pin:2`, `pin:3`."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        made = name
        while made in seen:
            seen[name] += 1
            made = f"{name}:{seen[name]}"
        seen[made] = 1
        out.append(made)
    return out


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
                    inner = node(referred)
                    called = _name(part) or inner.name or "part"
                    made.children.append(Placed(called, inner, shapes.GetLocation_s(part), _color(colors, part)))
            for child, name in zip(made.children, distinct(c.name for c in made.children)):
                child.name = name
        else:
            made.shape = shapes.GetShape_s(label)
            made.colors = _face_colors(shapes, colors, label)
            solids = explored(made.shape, "SOLID") if made.color is None else []
            if len(solids) == 1:  # the file has colored the solid, not the part
                made.color = made.colors(solids[0])
        return made

    return [node(label) for label in _labels(shapes.GetFreeShapes)]


def unname(document: Any, text: bytes) -> None:
    """Forget names of components that a STEP file does not name: Open CASCADE calls them by identifiers, which are numbers."""
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    given = {(own.decode("latin-1"), name.decode("latin-1").strip()) for own, name in _OCCURRENCE.findall(text)}
    made_up = {own for own, name in given if not name} - {name for _, name in given}
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    for label in _labels(shapes.GetShapes) if made_up else ():
        for part in _labels(lambda out, label=label: shapes.GetComponents_s(label, out, False)):  # type: ignore[misc]
            if _name(part) in made_up:
                TDataStd_Name.Set_s(part, TCollection_ExtendedString(""))


def apart(root: Node) -> Node:
    """A root; one that is a part of several solids becomes an assembly of these, and of its faces that are in none.

    Solids with one geometry at several places are one product.
    """
    from OCP.TopLoc import TopLoc_Location

    if root.shape is None:
        return root
    solids = explored(root.shape, "SOLID")
    if len(solids) < 2:
        return root
    bare = [(one.Located(TopLoc_Location()), one.Location()) if _is_rigid(one.Location()) else (one, TopLoc_Location())
            for one in solids]  # fmt: skip
    keys, known = Keys(), {}
    made = Node(root.name, root.color)
    for (shape, location), solid in zip(bare, solids):
        number = (keys(shape), shape.Orientation())
        if number not in known:
            known[number] = Node(root.name, root.color, shape, _colors_at(root, location))
        color = root.colors(solid) if root.colors else None
        made.children.append(Placed(root.name or "part", known[number], location, color))
    loose = _loose(root.shape, solids)
    if loose is not None:
        colors = {root.colors(face) for face in explored(loose, "FACE")} if root.colors else {None}
        node = Node(root.name, root.color, loose, root.colors)
        made.children.append(Placed(root.name or "part", node, TopLoc_Location(), colors.pop() if len(colors) == 1 else None))
    for child, name in zip(made.children, distinct(c.name for c in made.children)):
        child.name = name
    return made


def _colors_at(root: Node, location: Any) -> Callable[[Any], Color | None] | None:
    colors = root.colors
    return None if colors is None else lambda face: colors(face.Moved(location))


def _loose(shape: Any, solids: list[Any]) -> Any:
    """The faces of a shape that are in none of its solids, as a shape; None without any."""
    from OCP.BRep import BRep_Builder
    from OCP.TopoDS import TopoDS_Compound

    keys, out, build = Keys(), TopoDS_Compound(), BRep_Builder()
    inside = {keys(face) for solid in solids for face in explored(solid, "FACE")}
    left = [face for face in explored(shape, "FACE") if keys(face) not in inside]
    if not left:
        return None
    build.MakeCompound(out)
    for face in left:
        build.Add(out, face)
    return out


def placed(found: list[Node]) -> Iterator[Spot]:
    """The parts of the roots of a document where it places them."""
    from OCP.TopLoc import TopLoc_Location

    def walk(node: Node, path: tuple[str, ...], location: Any, color: Color | None) -> Iterator[Spot]:
        if node.shape is not None:
            yield Spot(path, node, location, color)
        for child in node.children:
            own = child.color or child.node.color or color
            yield from walk(child.node, (*path, child.name), location.Multiplied(child.location), own)

    for root, name in zip(found, distinct(root.name or "part" for root in found)):
        inner = len(found) == 1 and root.shape is None
        yield from walk(root, () if inner else (name,), TopLoc_Location(), root.color)


def leaves(document: Any) -> Iterator[Leaf]:
    """The parts of a document where it places them, moved there."""
    for spot in placed(roots(document)):
        yield Leaf(spot.node.name or spot.path[-1], spot.node.shape.Moved(spot.location), _face_color(spot))


def _face_color(spot: Spot) -> Callable[[Any], Color | None]:
    """A function that returns the color of a face of a part that was moved to its place."""
    of_part, back = spot.node.colors, spot.location.Inverted()
    return lambda face: (of_part(face.Moved(back)) if of_part else None) or spot.color


def explored(shape: Any, kind: str) -> list[Any]:
    """The faces, edges or solids of a shape, each once."""
    from OCP import TopAbs
    from OCP.TopExp import TopExp_Explorer

    found: list[Any] = []
    if shape is None or shape.IsNull():
        return found
    keys, seen = Keys(), set()
    explorer = TopExp_Explorer(shape, getattr(TopAbs, f"TopAbs_{kind}"))
    while explorer.More():
        one = explorer.Current()
        explorer.Next()
        number = keys(one)
        if number not in seen:
            seen.add(number)
            found.append(one)
    return found


def _is_rigid(location: Any) -> bool:
    """Whether a placement is a rotation and a translation."""
    turn = matrix(location)[:3, :3]
    return bool(np.abs(turn.T @ turn - np.eye(3)).max() <= 1e-9 and np.linalg.det(turn) > 0)


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
    name = str(attribute.Get().ToExtString())
    return "" if _MADE_UP.fullmatch(name) else name


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
    """A function that returns the color of a face or a solid of a part, as the part has it, or None."""
    labels = _labels(lambda out: shapes.GetSubShapes_s(part, out))
    keys, known = Keys(), {}
    for label in labels:
        color = _color(tool, label)
        if color is not None:
            known[keys(shapes.GetShape_s(label))] = color
    if not known:
        return lambda face: None
    return lambda face: known.get(keys(face))
