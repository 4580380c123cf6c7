"""STEP and IGES through Open CASCADE (`pip install cadquery-ocp-novtk`, the extra `cad`): faces become trimmed NURBS.

cad_surfaces.py has the surface of a face, cad_loops.py its loops, cad_products.py the products of a file.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Error, FileError
from . import cad_iges, cad_loops, cad_surfaces, units
from .cad_keys import Keys, as_face, quiet
from .cad_products import explored as explored
from .cad_products import leaves, unname

SHARE = 1e-6  # tolerance of the loops, in shares of the sides of the box of a face's parameters


@dataclass
class Converted:
    """Faces as NURBS in the library's JSON, and what `ccd.patch.Faces` takes."""

    points: list[Any] = field(default_factory=list)
    patches: list[Any] = field(default_factory=list)
    face_of: list[int] = field(default_factory=list)
    windows: list[list[float]] = field(default_factory=list)
    outlines: list[cad_loops.Outline] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    colors: list[tuple[float, float, float]] = field(default_factory=list)
    solids: list[int] = field(default_factory=list)
    joints: list[Any] = field(default_factory=list)
    off: float = 0.0

    def add(self, name: str, face: Any, share: float, label: str, color: Any, solid: int) -> None:
        """Add a face; name is the file, for errors."""
        k = len(self.outlines)
        try:
            box = cad_loops.box_of(face)
            surface = cad_surfaces.of_face(face, box)
            made = cad_loops.outline(face, surface.axes, share)
        except Exception as error:  # Open CASCADE's errors have no base of their own
            if isinstance(error, Error):
                raise
            raise FileError(f"{name}: face {k}: Open CASCADE cannot convert it: {error}") from None
        for part in surface.parts:
            first = len(self.points)
            self.points.extend(part.points.reshape(-1, 3).tolist())
            index = list(range(first, len(self.points)))
            weights = part.weights.reshape(-1).tolist()
            self.patches.append({"degree": list(part.degree), "knots": list(part.knots), "index": index, "weights": weights})
            windows = part.windows()
            self.windows.extend(windows)
            self.face_of.extend([k] * len(windows))
        self.outlines.append(made)
        self.names.append(label)
        self.colors.append(color)
        self.solids.append(solid)
        self.off = max(self.off, surface.off)

    def write(self) -> str:
        """Write the surfaces to a temporary file, which the caller removes."""
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json", delete=False) as out:
            json.dump({"points": self.points, "patches": self.patches}, out)
        return out.name

    def faces(self) -> dict[str, Any]:
        """The arguments of `ccd.patch.Faces`."""
        return {
            "face_of": np.array(self.face_of, np.int32),
            "windows": self.windows,
            "loops": [one.loops for one in self.outlines],
            "tolerances": [one.tolerance for one in self.outlines],
            "joints": self.joints,
            "names": self.names,
            "colors": np.array(self.colors, np.float64).reshape(-1, 3),
            "solids": np.array(self.solids, np.int32),
            "open": [k for k, one in enumerate(self.outlines) if not one.closed],
        }


NO_COLOR = (float("nan"),) * 3


def of_shape(shape: Any, name: str, share: float, label: str = "", colors: Any = None) -> Converted:
    """The faces of a shape; colors, if given, returns that of a face."""
    out = Converted()
    add_shape(out, shape, name, share, label, colors)
    if not out.patches:
        raise FileError(f"{name}: holds no surface")
    return out


def add_shape(out: Converted, shape: Any, name: str, share: float, label: str, colors: Any) -> None:
    """Add the faces of a shape, with their solids and what they have in common."""
    first = len(out.outlines)
    solid_of: dict[int, int] = {}
    keys = Keys()
    for solid in explored(shape, "SOLID"):
        number = max([*out.solids, *solid_of.values()], default=-1) + 1
        for face in explored(solid, "FACE"):
            solid_of.setdefault(keys(face), number)
    for face in explored(shape, "FACE"):
        color = colors(face) if colors else None
        out.add(name, as_face(face), share, label, NO_COLOR if color is None else color, solid_of.get(keys(face), -1))
    for f, g, places in cad_loops.joints(out.outlines[first:], Keys(), Keys()):
        out.joints.append((first + f, first + g, places))


def require() -> None:
    """Raise ImportError where Open CASCADE is not installed."""
    try:
        import OCP.BRepBuilderAPI  # noqa: F401
    except ImportError as error:
        raise ImportError("STEP and IGES need Open CASCADE: pip install cadquery-ocp-novtk") from error


def convert(path: str | os.PathLike[str], kind: str, share: float) -> tuple[Converted, str]:
    """The faces of a file in millimeters, placed, with the file's unit."""
    require()
    name = os.fspath(path)
    try:
        document, unit = read_document(name, kind)
        out = Converted()
        for leaf in leaves(document):
            add_shape(out, leaf.shape, name, share, leaf.name, leaf.colors)
    except Exception as error:
        if isinstance(error, (Error, OSError)):
            raise
        raise FileError(f"{name}: Open CASCADE cannot read it: {error}") from None
    if not out.patches:
        raise FileError(f"{name}: holds no surface")
    return out, unit


def kind_of(name: str) -> str:
    """STEP or IGES, by the ending of a file's name."""
    return "IGES" if name.lower().endswith((".igs", ".iges")) else "STEP"


def read_document(name: str, kind: str) -> tuple[Any, str]:
    """The document of a file, in millimeters, and the file's unit."""
    from OCP.IFSelect import IFSelect_RetDone
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document

    if kind == "STEP":
        from OCP.STEPCAFControl import STEPCAFControl_Reader as Reader
    else:
        from OCP.IGESCAFControl import IGESCAFControl_Reader as Reader
    reader = Reader()
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    with quiet():
        if not Path(name).is_file() or reader.ReadFile(name) != IFSelect_RetDone:
            raise FileError(f"{name}: cannot be read as {kind}; STEP and IGES files are read, by their endings")
        if kind == "IGES":
            cad_iges.refuse(name, reader.IGESModel())
        done = reader.Transfer(document)
    if not done:
        raise FileError(f"{name}: holds no surface")
    if kind == "IGES":
        return document, units.of_iges(reader.IGESModel().GlobalSection().UnitFlag())
    unname(document, Path(name).read_bytes())
    return document, units.of_step(_step_units(reader.Reader()))


def _step_units(reader: Any) -> list[str]:
    """The names of the units of length in a STEP file."""
    try:
        from OCP.collections import Sequence_TCollection_AsciiString as Sequence  # since Open CASCADE 8
    except ImportError:
        from OCP.TColStd import TColStd_SequenceOfAsciiString as Sequence
    lengths, angles, solids = Sequence(), Sequence(), Sequence()
    reader.FileUnits(lengths, angles, solids)
    return [lengths.Value(k).ToCString() for k in range(1, lengths.Length() + 1)]
