"""Patches of a file."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._io.units import METERS
from .._native import abi, arrays
from .._native.call import check
from ..errors import ArgumentError, FileError
from ..files import load
from ._body import Body
from ._faces import Faces
from ._form import Form, Shape

if TYPE_CHECKING:
    from .._io.cad import Converted


@dataclass(frozen=True, eq=False)
class Model:
    """Bezier patches of a file.

    Parameters
    ----------
    points : numpy.ndarray
        Control points, (n, 3) float64.
    forms : list of Form
        Shape and degrees of each patch.
    index : numpy.ndarray
        Control points of one patch after the other, (k,) int32.
    weights : numpy.ndarray or None
        Weights, one for each entry of `index`; None: all equal.
    lost : float
        A length: bound on the distance of a coordinate from the file's surface, by the rounding of knot insertion. Of STEP and
        IGES also what surfaces that are no NURBS of degree at most 9 (offsets, say) are off by: the error that Open CASCADE
        states, or the largest of 289 samples of a face. That is no proof.
    unit : str, default ""
        Unit of `points`, of STEP and IGES: ``"mm"``, ``"m"``, ``"in"`` ...; empty where the format has none.
    faces : Faces, optional
        Of STEP and IGES: which part of each patch counts, which faces are neighbors, names and colors.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> model = ccd.patch.Model(np.eye(3), [ccd.patch.Form.triangle(1)], np.arange(3, dtype=np.int32), None, 0.0)
    >>> model.body()
    <ccd.patch.Body of 3 control points, 1 patches>
    """

    points: NDArray[np.float64]
    forms: list[Form]
    index: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    lost: float
    unit: str = ""
    faces: Faces | None = None

    def in_unit(self, unit: str) -> Model:
        """Return the model in another unit of length.

        Parameters
        ----------
        unit : str
            ``"m"``, ``"mm"``, ``"cm"``, ``"um"``, ``"in"``, ``"ft"`` ...

        Returns
        -------
        Model
            The same patches; each coordinate is rounded, and `lost` counts that.

        Raises
        ------
        ArgumentError
            There is no such unit, or the model's unit is not known.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> form, index = ccd.patch.Form.triangle(1), np.arange(3, dtype=np.int32)
        >>> model = ccd.patch.Model(np.eye(3), [form], index, None, 0.0, "in").in_unit("mm")
        >>> model.unit, model.points[0].tolist()
        ('mm', [25.4, 0.0, 0.0])
        """
        arrays.choice("unit", unit, tuple(METERS))
        if not self.unit:
            raise ArgumentError("unit: the unit of the model is not known: its format has none; scale points yourself")
        if unit == self.unit:
            return self
        ratio = METERS[self.unit] / METERS[unit]
        points = self.points * ratio.numerator / ratio.denominator
        rounding = 2.0**-52 * float(np.abs(points).max(initial=0.0))
        return replace(self, points=points, lost=self.lost * float(ratio) + rounding, unit=unit)

    def __repr__(self) -> str:
        of = f", in {self.unit}" if self.unit else ""
        return f"<ccd.patch.Model of {len(self.points)} control points, {len(self.forms)} patches{of}>"

    def body(self, trimmed: bool = True) -> Body:
        """Return all patches as one body.

        Parameters
        ----------
        trimmed : bool, default True
            Whether patches are trimmed by the loops of `faces`, and neighbors as these say. False: all of each patch counts.

        Returns
        -------
        Body
            A body with ``len(points)`` control points.

        Raises
        ------
        ArgumentError
            As `Body`: a form is out of range, or the lengths do not agree.
        InvalidIndexError
            An index is out of range.
        """
        body = Body(len(self.points), self.forms, self.index, self.weights)
        return body if self.faces is None or not trimmed else body.trim(self.faces)


def read(path: str | os.PathLike[str]) -> Model:
    r"""Read curved patches: Bezier patches in the formats of the Utah teapot, free-form OBJ, or JSON with NURBS.

    NURBS and B-splines become Bezier patches.

    Parameters
    ----------
    path : str or os.PathLike
        A regular file.

    Returns
    -------
    Model
        Control points, forms, indices and weights.

    Raises
    ------
    FileError
        The file cannot be opened, or is truncated or malformed; the message names the line.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "curve.obj")
    >>> with open(path, "w") as file:
    ...     _ = file.write("v 0 0 0\nv 1 1 0\nv 2 0 0\ncstype bezier\ndeg 2\ncurv 0 1 1 2 3\nparm u 0 1\nend\n")
    >>> ccd.patch.read(path)
    <ccd.patch.Model of 3 control points, 1 patches>
    """
    lib, handle = abi.library(), load("patch_model", path)
    try:
        sizes, lost = [ctypes.c_size_t() for _ in range(4)], ctypes.c_double()
        check(lib.ccd_patch_model_counts(handle, *map(ctypes.byref, sizes), ctypes.byref(lost)))
        points, patches, indices, weights = (size.value for size in sizes)
        forms = (abi.PatchForm * patches)()
        given = np.empty(weights) if weights else None
        model = Model(np.empty((points, 3)), [], np.empty(indices, np.int32), given, lost.value)
        w = None if given is None else given.ctypes
        check(lib.ccd_patch_model_copy(handle, model.points.ctypes, forms, model.index.ctypes, w))
        model.forms.extend(Form(Shape(f.shape), f.u, f.v) for f in forms)
        return model
    finally:
        lib.ccd_patch_model_destroy(handle)


def read_step(path: str | os.PathLike[str], unit: str | None = None, loops: float = 1e-6) -> Model:
    """Read the faces of a STEP file (AP203, AP214, AP242) through Open CASCADE.

    Every face becomes NURBS, trimmed by its loops, and faces that have an edge or a vertex in common are neighbors: see
    `Model.faces`. Parts of assemblies are placed; `read_products` keeps them apart. Surfaces that are no NURBS of degree at
    most 9, such as offsets, are approximated: see `Model.lost`. Install Open CASCADE with ``pip install cadquery-ocp-novtk`` or
    the extra ``cad``.

    Parameters
    ----------
    path : str or os.PathLike
        A file.
    unit : str, optional
        Unit of the points: ``"m"``, ``"mm"``, ``"in"`` ...; the file's if omitted. `Model.unit` says which it is. Of a file
        with several units it is the first; one that is not known is read as millimeters.
    loops : float, default 1e-6
        Tolerance of the loops of a face, in shares of the sides of the box of its parameters, 1e-9 to 1e-2. Curves become
        polygons within it: a circle has 3 / sqrt(loops) corners or so.

    Returns
    -------
    Model
        The patches of all faces.

    Raises
    ------
    ImportError
        Open CASCADE is not installed.
    FileError
        The file is not STEP, has no face, or has one that cannot be converted; the message numbers it.
    ArgumentError
        There is no such unit, or `loops` is out of range.
    """
    return _read_cad(path, "STEP", unit, loops)


def read_iges(path: str | os.PathLike[str], unit: str | None = None, loops: float = 1e-6) -> Model:
    """Read the faces of an IGES file through Open CASCADE, as `read_step`.

    Parameters
    ----------
    path : str or os.PathLike
        A file.
    unit : str, optional
        Unit of the points, as in `read_step`.
    loops : float, default 1e-6
        Tolerance of the loops, as in `read_step`.

    Returns
    -------
    Model
        The patches of all faces.

    Raises
    ------
    ImportError
        Open CASCADE is not installed.
    FileError
        The file is not IGES, has no face, or has one that cannot be converted; the message numbers it.
    ArgumentError
        There is no such unit, or `loops` is out of range.
    """
    return _read_cad(path, "IGES", unit, loops)


def _read_cad(path: str | os.PathLike[str], kind: str, unit: str | None, loops: float) -> Model:
    from .._io import cad  # seldom wanted

    if unit is not None:
        arrays.choice("unit", unit, tuple(METERS))
    converted, own = cad.convert(path, kind, share_of(loops))
    return from_converted(converted, os.fspath(path)).in_unit(own if unit is None else unit)


def share_of(loops: float) -> float:
    return arrays.within("loops", loops, "[1e-9, 1e-2]")


def from_converted(converted: Converted, path: str) -> Model:
    """The model of faces that Open CASCADE had, in millimeters."""
    name = converted.write()
    try:
        model = read(name)
    except FileError as error:
        raise FileError(str(error).replace(name, path)) from None
    finally:
        os.remove(name)
    return replace(model, lost=model.lost + converted.off, unit="mm", faces=Faces(**converted.faces()))
