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
    Order of the control points. Curve: along u. Quadrilateral: point (i, j), i along u and j along v, has the
    index ``i (v + 1) + j``. Triangle of degree n, with the powers (i, j) of u and v: by rows of equal j, (0,0)
    (1,0) ... (n,0), (0,1) ... (n-1,1), ..., (0,n).

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Form.quad(3, 3).points, ccd.patch.Form.triangle(2).points
    (16, 6)
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
