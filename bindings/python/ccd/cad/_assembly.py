"""Assemblies: products, which have a shape, and parts, which place them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays, files
from .._inner import cad as documents
from ..errors import ArgumentError, Error, FileError
from ..rigid import Body
from . import _occ
from ._facets import Facets
from ._fits import Lines
from ._images import Extents, OfCurves, OfFacets
from ._reach import Hulls, hulls
from ._solid import Solid

_MOST_TRIANGLES = 100_000  # a product with more is not refined to decide what is inside
_MOST_FACETS = 2_000_000  # They take some gigabytes, and a minute.
# Open CASCADE's triangles are no finer than this share of a product's size; facets are bisected from there on.
_FINEST = 1e-5
_DEFAULT = 1e-3  # of the size of a product: how far facets may be off before a search asks for less


class Product:
    """A shape that an assembly has once, however often it is placed.

    `facets` are triangles with a proven deviation. They are made once for each deviation that is asked for.

    Parameters
    ----------
    name : str
        Its name.
    shape : OCP.TopoDS.TopoDS_Shape
        Its shape, in millimeters.
    color : tuple of float, optional
        Red, green and blue, each in [0, 1].

    Examples
    --------
    >>> import ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
    >>> pin = ccd.cad.Product("pin", BRepPrimAPI_MakeCylinder(5, 20).Shape())
    >>> pin, pin.deviation(0.01) <= 0.01
    (<ccd.cad.Product pin: 3 faces>, True)
    >>> len(pin.facets(0.01).points) > 10, pin.body(0.01).deviation <= 0.01
    (True, True)
    """

    def __init__(self, name: str, shape: Any, color: tuple[float, float, float] | None = None):
        _occ.needed()
        self.name, self.shape, self.color = name, shape, color
        self._facets: dict[float, Facets] = {}
        self._bodies: dict[float, Body] = {}
        self._lines: dict[float, Lines] = {}
        self._solid: Solid | None = None
        self._faces: list[_occ.Read] | None = None
        self._boxes: tuple[Hulls | None] | None = None
        self._joined: list[NDArray[np.intp]] | None = None
        self._some: dict[tuple[float, int], Facets] = {}  # facets of single faces, by deviation and face
        self._finest: dict[float, Solid] = {}  # by the deviation of what each is finer than
        self._size: float | None = None
        self._count: int | None = None

    def __repr__(self) -> str:
        return f"<ccd.cad.Product {self.name}: {self.faces} faces>"

    @property
    def faces(self) -> int:
        """The number of its faces."""
        if self._count is None:
            self._count = len(_occ.faces(self.shape))
        return self._count

    @property
    def size(self) -> float:
        """The diagonal of a box around its shape, a length in millimeters."""
        if self._size is None:
            self._size = _occ.size(self.shape)
        return self._size

    def facets(self, deviation: float | None = None) -> Facets:
        """Make triangles with a proven deviation.

        Parameters
        ----------
        deviation : float, optional
            The most that the shape may be from its triangles, a length. By default a thousandth of `size`.

        Returns
        -------
        Facets
            Triangles of parameters on faces.

        Raises
        ------
        ArgumentError
            The deviation is not above 0, or so small that more than two million triangles would be needed.
        FileError
            Of a face no bound is proven: its surface is an offset, or Open CASCADE's triangles do not cover it. The message
            names the face.
        """
        most = arrays.within("deviation", _DEFAULT * self.size if deviation is None else deviation, "(0, inf]", "above 0")
        if most not in self._facets:
            made, points, corners, off = self._whole(max(0.7 * most, _FINEST * self.size))
            narrowed = made.narrowed(most, _MOST_FACETS)
            if narrowed is None:
                raise ArgumentError(f"deviation is {most}: {self.name!r} needs more than {_MOST_FACETS:,} triangles")
            self._facets[most] = narrowed
            self._solid = self._solid or Solid.of(points, corners, off)
        return self._facets[most]

    def _read(self) -> list[_occ.Read]:
        """Its faces with their surfaces and curves, without triangles."""
        if self._faces is None:
            self._faces = _occ.read(self.shape, self.name)
        return self._faces

    def _hulls(self) -> Hulls | None:
        """Boxes around its faces; None where one has none."""
        if self._boxes is None:
            held = self._read()
            self._boxes = (hulls([one.face for one in held], [one.ranges for one in held]),)
        return self._boxes[0]

    def _pieces(self) -> list[NDArray[np.intp]]:
        """Its faces in pieces that hang together by common edges."""
        if self._joined is None:
            self._joined = _occ.pieces(self._read())
        return self._joined

    def _whole(self, deflection: float) -> tuple[Facets, NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Facets of all faces, and Open CASCADE's triangles of them, as `_occ.facets` returns them."""
        if self._some:  # Triangles of single faces may not join with those of the others.
            _occ.forget(self.shape)
            self._some.clear()
        return _occ.facets(self._read(), self.shape, deflection, self.name)

    def _facets_of(self, faces: NDArray[np.intp], deviation: float | None) -> Facets:
        """Facets of some faces; others have none yet, unless all have."""
        most = _DEFAULT * self.size if deviation is None else float(deviation)
        if most not in self._facets:
            missing = [k for k in faces.tolist() if (most, k) not in self._some]
            made = _occ.facets_of(self._read(), missing, max(0.7 * most, _FINEST * self.size)) if missing else None
            if made is not None and (made := made.narrowed(most, _MOST_FACETS)) is not None:
                self._some |= {(most, k): made.chosen(rows) for k, rows in made.by_face()}
            if all((most, k) in self._some for k in faces.tolist()):
                own = [self._some[most, k] for k in faces.tolist()]
                return own[0].joined(*own[1:])
        facets = self.facets(deviation)
        return facets.chosen(np.isin(facets.face, faces))

    def _finer(self, solid: Solid) -> Solid:
        """Its closed surface as triangles that are off by an eighth of what others are; those, if that would be too many."""
        if len(solid.corners) > _MOST_TRIANGLES or solid.deviation < 16 * _occ.LEAST:
            return solid
        if solid.deviation not in self._finest:
            _, points, corners, off = self._whole(solid.deviation / 16)
            self._finest[solid.deviation] = Solid.of(points, corners, off)
        return self._finest[solid.deviation]

    def _closed(self) -> Solid:
        """Its closed surface as triangles, which tell what is inside; made with the facets."""
        if self._solid is None:
            self.facets()
        assert self._solid is not None
        return self._solid

    def deviation(self, deviation: float | None = None) -> float:
        """How far the shape may be from its facets, proven.

        Parameters
        ----------
        deviation : float, optional
            As for `facets`.

        Returns
        -------
        float
            A length; it is more than what was asked for where the file's own gaps are.

        Raises
        ------
        Error
            As `facets`.
        """
        return float(self.facets(deviation).deviation.max())

    def body(self, deviation: float | None = None) -> Body:
        """Make the rigid body of its facets, with their deviation.

        Parameters
        ----------
        deviation : float, optional
            As for `facets`.

        Returns
        -------
        ccd.rigid.Body
            The body: it holds the facets, and every point of the shape is within its deviation of them.

        Raises
        ------
        Error
            As `facets`.
        """
        most = _DEFAULT * self.size if deviation is None else float(deviation)
        if most not in self._bodies:
            self._bodies[most] = body_of(self.facets(most))
        return self._bodies[most]

    def _axes(self, deviation: float | None) -> Lines:
        """The axes of its round faces, with the images of its faces about them; made once for each deviation."""
        most = _DEFAULT * self.size if deviation is None else float(deviation)
        if most not in self._lines:
            held, boxes = self._read(), self._hulls()
            size = float(np.abs(self.facets(most).points).max(initial=0.0)) if boxes is None else boxes.size
            faces = [one.face for one in held]

            def extents() -> Extents:
                bounded = boxes if all(one.bounded for one in held) else None
                return OfCurves.of(faces, [one.ranges for one in held], bounded) or OfFacets(self.facets(most))

            self._lines[most] = Lines(faces, size, extents)
        return self._lines[most]


def body_of(facets: Facets) -> Body:
    """The body of facets, with the largest of their deviations."""
    points = facets.points.reshape(-1, 3)
    triangles = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
    return Body(points, triangles).deviating(float(facets.deviation.max()))


@dataclass(frozen=True)
class Part:
    """A product at its place in an assembly.

    Attributes
    ----------
    name : str
        What components are called from the root down to it, as ``gearbox/shaft``: by their names, or those of their products
        where they have none. The second of a name in one assembly is ``shaft:2``. `ccd.patch.read_products` has the same names.
    product : Product
        What is placed.
    matrix : numpy.ndarray
        Its placement, (4, 4): coordinates of the product to those of the assembly.
    color : tuple of float or None
        Red, green and blue.
    """

    name: str
    product: Product
    matrix: NDArray[np.float64] = field(repr=False)
    color: tuple[float, float, float] | None = None

    @property
    def pose(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The placement as a quaternion w, x, y, z and a position."""
        from ..rigid import Motion

        at = Motion.from_pose(self.matrix)
        return tuple(map(float, at.rotation)), tuple(map(float, at.position))


class Assembly:
    """Parts that are placed in one space. `read` makes it of a file, and `of` of shapes.

    Parameters
    ----------
    name : str
        Its name.
    parts : list of Part
        The parts, in the order of the file; equal names get numbers.
    file_unit : str, default 'mm'
        The unit of the file.

    Attributes
    ----------
    parts : tuple of Part
        The parts, with names that differ.
    unit : str
        The unit of every length: ``"mm"``.

    Examples
    --------
    >>> import ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> ccd.cad.Assembly.of({"box": BRepPrimAPI_MakeBox(1, 2, 3).Shape()}).index("box")
    0
    """

    def __init__(self, name: str, parts: list[Part], file_unit: str = "mm"):
        self.name, self.unit, self.file_unit = name, "mm", file_unit
        names = documents.distinct(p.name for p in parts)
        self.parts: tuple[Part, ...] = tuple(
            p if p.name == n else Part(n, p.product, p.matrix, p.color) for n, p in zip(names, parts)
        )
        self._index = {p.name: k for k, p in enumerate(self.parts)}

    @classmethod
    def of(cls, shapes: Mapping[str, Any], places: Mapping[str, ArrayLike] | None = None, name: str = "assembly") -> Assembly:
        """Make an assembly of shapes.

        Parameters
        ----------
        shapes : mapping
            A shape for each name: of Open CASCADE, or an object of build123d or CadQuery, which has one as ``wrapped`` or
            ``val().wrapped``. A shape that is there twice is one product with two parts.
        places : mapping, optional
            Placements (4, 4) by name; else shapes are where they are.
        name : str, default 'assembly'
            Its name.

        Returns
        -------
        Assembly
            The assembly.

        Raises
        ------
        ArgumentError
            A shape is no shape, or a placement has another name.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
        >>> box, there = BRepPrimAPI_MakeBox(1, 1, 1).Shape(), np.eye(4)
        >>> there[0, 3] = 3
        >>> pair = ccd.cad.Assembly.of({"left": box, "right": box}, {"right": there})
        >>> print(pair.tree())
        assembly: 2 parts, 1 product, 12 faces, in mm
          left: 6 faces
          right: left, placed at (3, 0, 0)
        """
        _occ.needed()
        products, parts = _occ.Known(), []
        for key in places or {}:
            if key not in shapes:
                raise ArgumentError(f"places has {key!r}: shapes has no such name")
        for key, given in shapes.items():
            shape = _occ.unwrapped(given, f"shapes[{key!r}]")
            product = products.get(shape, partial(Product, key, shape))
            place = np.eye(4) if places is None or key not in places else arrays.doubles(f"places[{key!r}]", places[key])
            parts.append(Part(key, product, place, product.color))
        return cls(name, parts)

    def __repr__(self) -> str:
        return f"<ccd.cad.Assembly {self.name}: {len(self.parts)} parts>"

    def index(self, name: str) -> int:
        """The number of a part.

        Parameters
        ----------
        name : str
            Its name, or the end of it after a slash where one part alone has that.

        Returns
        -------
        int
            Its index in `parts`.

        Raises
        ------
        ArgumentError
            No part, or more than one, has the name.
        """
        if name in self._index:
            return self._index[name]
        ends = [k for k, p in enumerate(self.parts) if p.name.endswith(f"/{name}")]
        if len(ends) != 1:
            many = f"{len(ends)} parts have that name" if ends else f"the parts are {', '.join(sorted(self._index)[:20])}"
            raise ArgumentError(f"part {name!r}: {many}")
        return ends[0]

    @property
    def products(self) -> list[Product]:
        """The products, each once."""
        return list({id(p.product): p.product for p in self.parts}.values())

    @property
    def size(self) -> float:
        """The diagonal of a box around all parts where they are, a length."""
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for p in self.parts:
            corners = _occ.corners(p.product.shape) @ p.matrix[:3, :3].T + p.matrix[:3, 3]
            low, high = np.minimum(low, corners.min(0)), np.maximum(high, corners.max(0))
        return float(np.linalg.norm(high - low))

    def tree(self) -> str:
        """What the assembly is made of, as text.

        Returns
        -------
        str
            A line for the assembly, with the units, and one for each part.
        """
        faces = sum(p.product.faces for p in self.parts)
        n, m = len(self.parts), len(self.products)
        unit = "mm" if self.file_unit == "mm" else f"mm (the file: {self.file_unit})"
        out = [f"{self.name}: {n} part{'s' * (n != 1)}, {m} product{'s' * (m != 1)}, {faces} faces, in {unit}"]
        first: dict[int, str] = {}
        for p in self.parts:
            at = "({:g}, {:g}, {:g})".format(*p.matrix[:3, 3])
            if id(p.product) in first:
                out.append(f"  {p.name}: {first[id(p.product)]}, placed at {at}")
            else:
                moved = "" if np.array_equal(p.matrix, np.eye(4)) else f", placed at {at}"
                out.append(f"  {p.name}: {p.product.faces} faces{moved}")
                first[id(p.product)] = p.name
        return "\n".join(out)


def _rigid(location: Any, name: str) -> NDArray[np.float64]:
    """A placement as a matrix; it must be a rotation and a translation."""
    out = documents.matrix(location)
    turn = out[:3, :3]
    if np.abs(turn.T @ turn - np.eye(3)).max() > 1e-9 or np.linalg.det(turn) < 0:
        raise FileError(f"part {name!r}: its placement scales or mirrors it: must be a rotation and a translation")
    return out


def require_assembly(assembly: Assembly) -> Assembly:
    """The assembly, or an error that says how one is made."""
    if isinstance(assembly, Assembly):
        return assembly
    remedy = "; ccd.cad.read(path) makes one of a STEP or IGES file" if isinstance(assembly, (str, os.PathLike)) else ""
    raise ArgumentError(f"assembly is {type(assembly).__name__}: must be a ccd.cad.Assembly{remedy}")


def read(path: str | os.PathLike[str]) -> Assembly:
    """Read an assembly from STEP (AP203, AP214, AP242) or IGES, with Open CASCADE.

    Products, placements, names and colors are kept: a product that is placed many times has one shape. Lengths are in
    millimeters, whatever the file's unit. A root that is a part of several solids has a part for each of them, and one of the
    faces that are in none. IGES has no products: each entity that nothing refers to is a part, and a group,
    as Open CASCADE writes an assembly, is one part with all of its faces.

    Parameters
    ----------
    path : str or os.PathLike
        A file; ``.igs`` and ``.iges`` are IGES, others STEP.

    Returns
    -------
    Assembly
        The assembly.

    Raises
    ------
    FileError
        Open CASCADE cannot read the file, a placement is no rotation, or it holds no face.
    ImportError
        Open CASCADE is not installed.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
    >>> path, writer = os.path.join(tempfile.mkdtemp(), "box.step"), STEPControl_Writer()
    >>> _ = writer.Transfer(BRepPrimAPI_MakeBox(1, 2, 3).Shape(), STEPControl_AsIs)
    >>> _ = writer.Write(path)
    >>> ccd.cad.read(path)
    <ccd.cad.Assembly box: 1 parts>
    """
    name = files.file_name("path", path)
    _occ.needed()
    if not Path(name).is_file():
        raise FileError(f"{name}: no such file")
    try:
        document, unit = documents.read_document(name, documents.kind_of(name))
        spots = list(documents.placed([documents.apart(root) for root in documents.roots(document)]))
    except Exception as error:  # Open CASCADE's errors have no base of their own
        if isinstance(error, (Error, OSError)):
            raise
        raise FileError(f"{name}: Open CASCADE cannot read it: {error}") from None
    products: dict[int, Product] = {}
    parts = []
    for spot in spots:
        if not _occ.faces(spot.node.shape):
            continue
        called, node = "/".join(spot.path), spot.node
        if id(node) not in products:
            products[id(node)] = Product(node.name or spot.path[-1], node.shape, node.color)
        parts.append(Part(called, products[id(node)], _rigid(spot.location, called), spot.color))
    if not parts:
        raise FileError(f"{name}: holds no face")
    return Assembly(Path(name).stem, parts, unit)
