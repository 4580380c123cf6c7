"""Shapes and degrees of patches, and their weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from ..errors import ArgumentError
from ..impact import _Named


class Shape(_Named):
    """Domain of the parameters of a patch.

    Attributes
    ----------
    CURVE : int
        1: u in [0, 1]; a curve of degree 0 is a point.
    TRIANGLE : int
        2: u, v >= 0 and u + v <= 1.
    QUAD : int
        3: u, v in [0, 1].
    """

    CURVE = 1
    TRIANGLE = 2
    QUAD = 3


class Form(NamedTuple):
    """Shape and degrees of a patch.

    Parameters
    ----------
    shape : Shape or int
        Curve, triangle or quadrilateral.
    u : int
        Degree, of a quadrilateral that in u: 1 to 9; of a curve also 0.
    v : int
        Degree in v: 1 to 9; of a triangle equal to `u`, of a curve 0.

    Notes
    -----
    A form is a named tuple, and takes any numbers: the calls that use it check them, and raise ArgumentError.

    Order of the control points. Curve: along u. Quadrilateral: point (i, j), i along u and j along v, has the
    index ``i (v + 1) + j``. Triangle of degree n, with the powers (i, j) of u and v: by rows of equal j, (0,0)
    (1,0) ... (n,0), (0,1) ... (n-1,1), ..., (0,n).

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Form.quad(3, 3).points, ccd.patch.Form.triangle(2).points
    (16, 6)
    >>> ccd.patch.Form.curve(2).points
    3
    """

    shape: Shape | int
    u: int
    v: int

    @classmethod
    def curve(cls, degree: int) -> Form:
        """Return the form of a curve.

        Parameters
        ----------
        degree : int
            Degree; 0 for a point.

        Returns
        -------
        Form
            A curve with ``degree + 1`` control points.
        """
        return cls(Shape.CURVE, degree, 0)

    @classmethod
    def triangle(cls, degree: int) -> Form:
        """Return the form of a triangle.

        Parameters
        ----------
        degree : int
            Degree in both parameters.

        Returns
        -------
        Form
            A triangle with (degree + 1)(degree + 2)/2 control points.
        """
        return cls(Shape.TRIANGLE, degree, degree)

    @classmethod
    def quad(cls, u: int, v: int) -> Form:
        """Return the form of a tensor-product patch.

        Parameters
        ----------
        u : int
            Degree in u.
        v : int
            Degree in v.

        Returns
        -------
        Form
            A quadrilateral with (u + 1)(v + 1) control points.
        """
        return cls(Shape.QUAD, u, v)

    @property
    def points(self) -> int:
        """Number of control points."""
        if self.shape == Shape.TRIANGLE:
            return (self.u + 1) * (self.u + 2) // 2
        return (self.u + 1) * (self.v + 1)

    def nodes(self, order: str) -> NDArray[np.int32]:
        """Return where the nodes of a finite element stand in the order of a mesh generator or file format.

        Parameters
        ----------
        order : str
            ``"gmsh"`` or ``"vtk"``. They agree on curves and triangles, and on quadrilaterals of degree 1 and 2. Gmsh's have
            one degree.

        Returns
        -------
        numpy.ndarray
            (points,) int32: an element's nodes ``e``, in that order, are ``e[nodes]`` in the order of the control points.

        Raises
        ------
        ArgumentError
            Another order, a form that the order does not have, or a form that is out of range.

        Examples
        --------
        A triangle P2: corners 0, 1, 2, then the middles of 01, 12 and 20.

        >>> import ccd
        >>> ccd.patch.Form.triangle(2).nodes("gmsh").tolist()
        [0, 3, 1, 5, 4, 2]
        """
        to_form("form", self)
        arrays.choice("order", order, _ORDERS)
        if max(self.u, self.v) > 9 or min(self.u, self.v) < 0 or self.shape not in (1, 2, 3):
            raise ArgumentError(f"{self!r} is out of range")
        if self.shape == Shape.TRIANGLE:
            places = _triangle_nodes(self.u, 0)
            index = [j * (self.u + 1) - j * (j - 1) // 2 + i for i, j in places]
        else:
            if order == "gmsh" and self.shape == Shape.QUAD and self.u != self.v:
                raise ArgumentError(f"degrees are {self.u} and {self.v}: quadrilaterals of Gmsh have equal ones")
            if self.shape == Shape.CURVE:
                places = _ends_first(self.u)
            else:
                places = _gmsh_nodes(self.u, 0) if order == "gmsh" else _vtk_nodes(self.u, self.v)
            index = [i * (self.v + 1) + j for i, j in places]
        out = np.empty(len(index), np.int32)
        out[index] = np.arange(len(index))
        return out


_ORDERS = ("gmsh", "vtk")


def _ends_first(n: int) -> list[tuple[int, int]]:
    return [(0, 0)] if n == 0 else [(i, 0) for i in (0, n, *range(1, n))]


def _triangle_nodes(n: int, s: int) -> list[tuple[int, int]]:
    """Corners, edges 01, 12 and 20, then the triangle of the nodes inside in the same way."""
    if n <= 0:
        return [(s, s)] if n == 0 else []
    corners = [(s, s), (s + n, s), (s, s + n)]
    edges = [[(s + k, s), (s + n - k, s + k), (s, s + n - k)] for k in range(1, n)]
    return corners + [edge[i] for i in range(3) for edge in edges] + _triangle_nodes(n - 3, s + 1)


def _gmsh_nodes(n: int, s: int) -> list[tuple[int, int]]:
    """Corners, edges 01, 12, 23 and 30, then the quadrilateral of the nodes inside in the same way."""
    if n <= 0:
        return [(s, s)] if n == 0 else []
    corners = [(s, s), (s + n, s), (s + n, s + n), (s, s + n)]
    edges = [[(s + k, s), (s + n, s + k), (s + n - k, s + n), (s, s + n - k)] for k in range(1, n)]
    return corners + [edge[i] for i in range(4) for edge in edges] + _gmsh_nodes(n - 2, s + 1)


def _vtk_nodes(u: int, v: int) -> list[tuple[int, int]]:
    """Corners, edges 01, 12, 32 and 03, then the nodes inside by rows."""
    corners = [(0, 0), (u, 0), (u, v), (0, v)]
    i, j = range(1, u), range(1, v)
    edges = [(a, 0) for a in i] + [(u, b) for b in j] + [(a, v) for a in i] + [(0, b) for b in j]
    return corners + edges + [(a, b) for b in j for a in i]


def to_forms(forms: Any, indices: int) -> list[abi.PatchForm]:
    """The forms of all patches, which one form is for as many as the indices serve."""
    if isinstance(forms, Form):
        form = to_form("forms", forms)
        return [form] * (indices // max(Form(form.shape, form.u, form.v).points, 1))
    try:
        listed = list(forms)
    except TypeError:
        raise ArgumentError(f"forms is {type(forms).__name__}: must be a ccd.patch.Form, or one for each patch") from None
    return [to_form(f"forms[{i}]", form) for i, form in enumerate(listed)]


def to_form(name: str, form: Any) -> abi.PatchForm:
    if not isinstance(form, (tuple, list, np.ndarray)) or len(form) != 3:
        raise ArgumentError(f"{name} is {type(form).__name__}: must be a ccd.patch.Form")
    return abi.PatchForm(*(arrays.integer(f"{name}.{n}", x, -(2**31), 2**31 - 1) for n, x in zip(Form._fields, form)))


def to_weights(weights: ArrayLike | None, count: int, name: str = "weights") -> NDArray[np.float64] | None:
    if weights is None:
        return None
    array = arrays.doubles(name, weights).reshape(-1)
    if len(array) != count:
        raise ArgumentError(f"{name} has {len(array)} items: must have {count}, as many as there are control points")
    return array
