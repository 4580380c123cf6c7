"""Rigid bodies: of surfaces and of shapes."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.call import check, create
from ..errors import ArgumentError


class Body:
    """A rigid body, with its tree: of a surface, or by `box`, `sphere`, `capsule`, `cylinder`, `cone` or `hull`.

    A body of a surface is its triangles, not what they enclose: one inside another is not in contact with it; `containment`
    tells. Shapes are solid: what is inside of one touches it. `padded` makes any body larger. Threads may share a body. It is
    freed with its last reference, or by `close`, and is a context manager.

    Parameters
    ----------
    vertices : array_like
        Vertices in the body's coordinates, (n, 3), at most 1e60 in magnitude.
    faces : array_like
        Triangles, (m, 3) vertex indices, at least one; a triangle that repeats a vertex is an edge or a point.

    Raises
    ------
    ArgumentError
        An array has another shape or type, or there is no face.
    NonFiniteError
        A coordinate is NaN, infinite or too large.
    InvalidIndexError
        An index is out of range.

    Examples
    --------
    >>> import ccd
    >>> ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    <ccd.rigid.Body of 3 vertices, 1 triangles>
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike | None = None):
        if faces is None:
            meshes = hasattr(vertices, "vertices") and hasattr(vertices, "faces")
            order = "ccd.rigid.Body(x.vertices, x.faces)" if meshes else "ccd.rigid.Body(vertices, faces)"
            raise ArgumentError(f"faces is missing: write {order}")
        v, f = arrays.coordinates("vertices", vertices), _triangles(faces)
        self._create(
            f"{len(v)} vertices, {len(f)} triangles", v.nbytes + f.nbytes, abi.library().ccd_rigid_body_create,
            v.ctypes, len(v), f.ctypes, len(f),
        )  # fmt: skip

    def _create(self, what: str, size: int, function: Callable[..., int], *arguments: Any) -> None:
        self._handle = ctypes.c_void_p()
        create(size, function, abi.library().ccd_rigid_body_destroy, self._handle, *arguments)
        self._free = weakref.finalize(self, _destroy, self._handle)
        self._what = what

    @classmethod
    def _shape(cls, what: str, size: int, function: Callable[..., int], *arguments: Any) -> Body:
        body = cls.__new__(cls)
        body._create(what, size, function, *arguments)
        return body

    @classmethod
    def box(cls, size: ArrayLike) -> Body:
        """Make a solid box with its center at the origin. It is exact.

        Parameters
        ----------
        size : array_like
            Its lengths along x, y and z, (3,), each in [1e-60, 1e60].

        Returns
        -------
        Body
            The box.

        Raises
        ------
        ArgumentError
            `size` has another shape or type, or a length is out of range.
        NonFiniteError
            A length is NaN or infinite.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Body.box((1, 2, 3))
        <ccd.rigid.Body, box of 1 x 2 x 3>
        """
        x = arrays.doubles("size", size)
        if x.shape != (3,):
            raise ArgumentError(f"size has shape {x.shape}: must be (3,)")
        what = "box of " + " x ".join(f"{side:g}" for side in x)
        return cls._shape(what, 0, abi.library().ccd_rigid_body_box, x.ctypes)

    @classmethod
    def sphere(cls, radius: float) -> Body:
        """Make a ball with its center at the origin. It is exact.

        Parameters
        ----------
        radius : float
            Its radius, in [1e-60, 1e60].

        Returns
        -------
        Body
            The ball.

        Raises
        ------
        ArgumentError
            The radius is no number, or out of range.
        NonFiniteError
            The radius is NaN or infinite.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Body.sphere(0.5).radius
        0.5
        """
        r = arrays.number("radius", radius)
        return cls._shape(f"sphere of radius {r:g}", 0, abi.library().ccd_rigid_body_sphere, r)

    @classmethod
    def capsule(cls, radius: float, length: float) -> Body:
        """Make a capsule: all points within a radius of a segment along z, whose middle is the origin. It is exact.

        Parameters
        ----------
        radius : float
            Its radius, in [1e-60, 1e60].
        length : float
            The length of the segment, in [1e-60, 1e60]: the round ends do not count.

        Returns
        -------
        Body
            The capsule.

        Raises
        ------
        Error
            As `sphere`.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Body.capsule(0.5, 2)
        <ccd.rigid.Body, capsule of radius 0.5, length 2>
        """
        r, x = arrays.number("radius", radius), arrays.number("length", length)
        return cls._shape(f"capsule of radius {r:g}, length {x:g}", 0, abi.library().ccd_rigid_body_capsule, r, x)

    @classmethod
    def cylinder(cls, radius: float, length: float, deviation: float | None = None) -> Body:
        """Make a solid cylinder about the z axis, with its center at the origin.

        Facets inside of the cylinder stand for it. How far a point of it may be from them is proven, and is the `deviation` of
        the body. Searches for contact use all points within it of the facets, which hold the cylinder: a contact is never late,
        and early by the deviation at most. Brackets of distances hold for the cylinder itself, and are wider by the deviation.

        Parameters
        ----------
        radius : float
            Its radius, in [1e-60, 1e60].
        length : float
            Its length, in [1e-60, 1e60].
        deviation : float, optional
            The most deviation, a length. By default 1e-4 of the radius, with 223 sides; the number of sides grows with the root
            of its inverse.

        Returns
        -------
        Body
            The cylinder.

        Raises
        ------
        ArgumentError
            A number is out of range, or the deviation would take more than 65,536 sides.
        NonFiniteError
            A number is NaN or infinite.

        Examples
        --------
        >>> import ccd
        >>> shaft = ccd.rigid.Body.cylinder(10, 80, deviation=0.01)
        >>> 0.005 < shaft.deviation <= 0.01
        True
        """
        return cls._round("cylinder", radius, length, deviation)

    @classmethod
    def cone(cls, radius: float, length: float, deviation: float | None = None) -> Body:
        """Make a solid cone about the z axis: its base at -length / 2, its tip at length / 2.

        Parameters
        ----------
        radius : float
            The radius of its base, in [1e-60, 1e60].
        length : float
            Its length, in [1e-60, 1e60].
        deviation : float, optional
            The most deviation, as in `cylinder`.

        Returns
        -------
        Body
            The cone.

        Raises
        ------
        Error
            As `cylinder`.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Body.cone(1, 2)
        <ccd.rigid.Body, cone of radius 1, length 2>
        """
        return cls._round("cone", radius, length, deviation)

    @classmethod
    def _round(cls, kind: str, radius: float, length: float, deviation: float | None) -> Body:
        r, x = arrays.number("radius", radius), arrays.number("length", length)
        most = 0.0 if deviation is None else arrays.number("deviation", deviation)
        function = getattr(abi.library(), f"ccd_rigid_body_{kind}")
        return cls._shape(f"{kind} of radius {r:g}, length {x:g}", 0, function, r, x, most)

    @classmethod
    def hull(cls, points: ArrayLike) -> Body:
        """Make the convex hull of points. It is solid, and exact: signs that decide what belongs to it are exact.

        Parameters
        ----------
        points : array_like
            Points in the body's coordinates, (n, 3), at least one, at most 1e60 in magnitude. Those in a plane, on a line or at
            one place give a polygon, a segment or a point, which are not solid.

        Returns
        -------
        Body
            The hull.

        Raises
        ------
        ArgumentError
            An array has another shape or type, or there is no point.
        NonFiniteError
            A coordinate is NaN, infinite or too large.

        Notes
        -----
        Paper: [Barber1996].

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Body.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
        <ccd.rigid.Body, hull of 5 points>
        """
        x = arrays.coordinates("points", points)
        return cls._shape(f"hull of {len(x)} points", x.nbytes, abi.library().ccd_rigid_body_hull, x.ctypes, len(x))

    def padded(self, padding: float) -> Body:
        """Make the body that also holds all points within a distance of this one.

        It shares the tree, so it costs nothing. Paddings add up. Of a surface this is a shell around the triangles, not what
        they enclose. Where the sum of `radius` and padding is no double, it is rounded down and `deviation` covers the rest, so
        no contact is lost.

        Parameters
        ----------
        padding : float
            A length, at least 0.

        Returns
        -------
        Body
            The larger body.

        Raises
        ------
        ArgumentError
            The padding is no number, negative, NaN or too large.
        HandleError
            The body was closed.

        Examples
        --------
        >>> import ccd
        >>> box = ccd.rigid.Body.box((1, 1, 1)).padded(0.25)
        >>> here, there = ((1, 0, 0, 0), (0, 0, 0)), ((1, 0, 0, 0), (2, 0, 0))
        >>> round(ccd.rigid.distance(box, here, box, there).distance, 9)
        0.5
        """
        x = arrays.number("padding", padding)
        return self._shape(f"{self._what}, padded by {x:g}", 0, abi.library().ccd_rigid_body_padded, self._handle, x)

    def deviating(self, deviation: float) -> Body:
        """Make the body that the triangles stand for where they are off by a deviation, as facets of a curved surface are.

        It holds this body, and no point of it is farther than `deviation` from this body. It shares the tree. Searches for
        contact use all points within the deviation, so a contact is never late, and brackets of distances are wider by it.
        Deviations add up, rounded up.

        Parameters
        ----------
        deviation : float
            A length, at least 0.

        Returns
        -------
        Body
            The body with the deviation.

        Raises
        ------
        ArgumentError
            The deviation is no number, negative, NaN or too large.
        HandleError
            The body was closed.

        Examples
        --------
        >>> import ccd
        >>> sheet = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).deviating(0.25)
        >>> here, there = ((1, 0, 0, 0), (0, 0, 0)), ((1, 0, 0, 0), (0, 0, 2))
        >>> gap = ccd.rigid.distance(sheet, here, sheet, there)
        >>> round(gap.lo, 9), round(gap.hi, 9)
        (1.5, 2.0)
        """
        x = arrays.number("deviation", deviation)
        function = abi.library().ccd_rigid_body_deviating
        return self._shape(f"{self._what}, deviating by {x:g}", 0, function, self._handle, x)

    def _info(self) -> abi.RigidBodyInfo:
        out = abi.RigidBodyInfo()
        check(abi.library().ccd_rigid_body_describe(self._handle, ctypes.byref(out)))
        return out

    @property
    def radius(self) -> float:
        """How far the body goes beyond its triangles, a length: the radius of its shape and the padding."""
        return float(self._info().radius)

    @property
    def deviation(self) -> float:
        """How much less than `radius` + deviation the body may go beyond its triangles, a length.

        It is 0 unless the triangles are facets of a round shape, or the sum of radius and padding was rounded.
        """
        return float(self._info().deviation)

    @property
    def solid(self) -> bool:
        """Whether what the triangles enclose is part of the body."""
        return bool(self._info().solid)

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Copy of the vertices of its triangles, (n, 3), in the body's coordinates.

        They are those given to the constructor, in their order, without those that no triangle names; a hull has its own order.
        `radius` is not in them: a ball has one vertex.
        """
        return self._copy(abi.library().ccd_rigid_body_vertices, np.float64)

    @property
    def faces(self) -> NDArray[np.int32]:
        """Copy of its triangles, (m, 3) int32 indices into `vertices`, in the order that impacts count.

        Those of a solid body are counterclockwise from outside; those of a ball or a capsule repeat a vertex.
        """
        return self._copy(abi.library().ccd_rigid_body_faces, np.int32)

    def _copy(self, function: Callable[..., int], kind: Any) -> NDArray[Any]:
        count = ctypes.c_size_t()
        check(function(self._handle, None, 0, ctypes.byref(count)))
        array = np.empty((count.value, 3), kind)
        check(function(self._handle, array.ctypes, count, ctypes.byref(count)))
        return array

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.rigid.Body, closed>"
        return f"<ccd.rigid.Body{' of' if self._what[0].isdigit() else ','} {self._what}>"

    def close(self) -> None:
        """Free the body now. Running calls on other threads complete; later ones raise HandleError."""
        self._free()

    def __enter__(self) -> Body:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _triangles(faces: ArrayLike) -> NDArray[np.int32]:
    array = arrays.to_array("faces", faces)
    if array.dtype.kind == "f" and array.size:
        raise ArgumentError(
            f"faces has dtype {array.dtype}: must be an integer type; the order is ccd.rigid.Body(vertices, faces)"
        )
    return arrays.primitives("faces", array, 3)


def _destroy(handle: ctypes.c_void_p) -> None:
    abi.library().ccd_rigid_body_destroy(handle)


def to_handle(name: str, body: Any) -> ctypes.c_void_p:
    """The handle of a body; errors name the argument."""
    if not isinstance(body, Body):
        raise ArgumentError(f"{name} is {type(body).__name__}: must be a ccd.rigid.Body")
    return body._handle
