"""The tree of a STEP or IGES file: shapes with their names, colors and placements, and the file's unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError
from . import _occ
from ._bounds import Doubles


@dataclass
class Placed:
    """A shape at its place."""

    name: str
    product: str
    shape: Any
    matrix: Doubles
    color: tuple[float, float, float] | None


@dataclass
class Tree:
    """The parts of a file."""

    parts: list[Placed] = field(default_factory=list)
    unit: str = "mm"


def parts(name: str) -> Tree:
    """The parts of a file, each with its placement."""
    from OCP.IFSelect import IFSelect_RetDone
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    iges = Path(name).suffix.lower() in (".igs", ".iges")
    if iges:
        from OCP.IGESCAFControl import IGESCAFControl_Reader as Reader
    else:
        from OCP.STEPCAFControl import STEPCAFControl_Reader as Reader
    reader, document = Reader(), TDocStd_Document(TCollection_ExtendedString("ccd"))
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    with _occ.quiet():
        done = reader.ReadFile(name) == IFSelect_RetDone and reader.Transfer(document)
    if not done:
        raise FileError(f"{name}: cannot be read as {'IGES' if iges else 'STEP'}")
    tree = Tree(unit=_unit(reader, iges))
    tools = XCAFDoc_DocumentTool.ShapeTool_s(document.Main()), XCAFDoc_DocumentTool.ColorTool_s(document.Main())
    roots = _labels()
    tools[0].GetFreeShapes(roots)
    for k in range(1, roots.Length() + 1):
        _walk(tree, tools, roots.Value(k), "", np.eye(4), None, roots.Length() == 1)
    return tree


def _labels() -> Any:
    try:
        from OCP.collections import Sequence_TDF_Label as Sequence  # since Open CASCADE 8
    except ImportError:
        from OCP.TDF import TDF_LabelSequence as Sequence
    return Sequence()


def _unit(reader: Any, iges: bool) -> str:
    """The file's unit of length."""
    from .._inner.units import of_iges, of_step

    if iges:
        return (
            of_iges(reader.Reader().IGESModel().GlobalSection().UnitFlag())
            if hasattr(reader, "Reader")
            else of_iges(reader.IGESModel().GlobalSection().UnitFlag())
        )
    return of_step(_occ.step_units(reader.Reader()))


def _walk(tree: Tree, tools: tuple[Any, Any], label: Any, above: str, matrix: Doubles, color: Any, alone: bool) -> None:
    """Add the parts under a label."""
    from OCP.TDF import TDF_Label
    from OCP.XCAFDoc import XCAFDoc_ShapeTool

    own = _color(tools[1], label) or color
    target, name = label, _name(label)
    if XCAFDoc_ShapeTool.IsReference_s(label):
        matrix = matrix @ _matrix(XCAFDoc_ShapeTool.GetLocation_s(label), name)
        target = TDF_Label()
        XCAFDoc_ShapeTool.GetReferredShape_s(label, target)
        own = own or _color(tools[1], target)
    product = _name(target) or name or "part"
    called = f"{above}/{name or product}" if above else name or product
    if XCAFDoc_ShapeTool.IsAssembly_s(target):
        inner = _labels()
        XCAFDoc_ShapeTool.GetComponents_s(target, inner)
        for k in range(1, inner.Length() + 1):
            _walk(tree, tools, inner.Value(k), "" if alone else called, matrix, own, False)
        return
    shape = XCAFDoc_ShapeTool.GetShape_s(target)
    solids = _occ.solids(shape)
    if alone and len(solids) > 1:
        for k, one in enumerate(solids, 1):
            tree.parts.append(Placed(f"{called}/{k}", f"{product}/{k}", one, matrix, own))
    elif _occ.faces(shape):
        tree.parts.append(Placed(called, product, shape, matrix, own))


def _name(label: Any) -> str:
    from OCP.TDataStd import TDataStd_Name

    found = TDataStd_Name()
    return str(found.Get().ToExtString()) if label.FindAttribute(TDataStd_Name.GetID_s(), found) else ""


def _color(tool: Any, label: Any) -> tuple[float, float, float] | None:
    from OCP.Quantity import Quantity_Color
    from OCP.XCAFDoc import XCAFDoc_ColorGen, XCAFDoc_ColorSurf, XCAFDoc_ColorTool

    found = Quantity_Color()
    for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen):
        if XCAFDoc_ColorTool.GetColor_s(label, kind, found):
            return found.Red(), found.Green(), found.Blue()
    return None


def _matrix(location: Any, name: str) -> Doubles:
    """A placement as a matrix; it must be a rotation and a translation."""
    t, out = location.Transformation(), np.eye(4)
    for i in range(3):
        for j in range(4):
            out[i, j] = t.Value(i + 1, j + 1)
    turn = out[:3, :3]
    if np.abs(turn.T @ turn - np.eye(3)).max() > 1e-9 or np.linalg.det(turn) < 0:
        raise FileError(f"part {name!r}: its placement scales or mirrors it: must be a rotation and a translation")
    return out
