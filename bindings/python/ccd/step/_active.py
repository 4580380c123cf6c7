"""Active sets, and the rows of matrices that solvers make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.by_name import options_by_name
from .._native.call import check, renaming
from ..errors import ArgumentError, shown
from ..impact import constraint_dtype
from ..mesh import Mesh
from ._value import Step

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from typing_extensions import Unpack

    from ..options import Options


@options_by_name
def activeset(mesh: Mesh, x0: ArrayLike, x1: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[np.void]:
    """List every pair that comes within ``min_separation`` as a constraint for a solver.

    The impacts are those of `collisions`, in that order; undecided pairs are included, a spurious constraint is harmless.
    With a positive ``min_separation`` constraints become active before anything touches, and their points are the nearest
    ones (except with ``norm="max"``). With ``check_start=True`` an edge that passes through a face at x0 is an
    ArgumentError: a constraint keeps apart what is apart.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Constraints (m,) of `ccd.constraint_dtype`: ``impact``, an impact of `ccd.impact_dtype`; ``vertices`` (4,) and
        ``weights`` (4,) of the points in contact, positive on a, negative on b; ``separation``, ``min_separation`` and the
        radii of both; ``gap``, the distance of the points along the normal at x1 less ``separation``, negative if the step
        comes too near.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    Paper: [Wang2021], algorithm 3. The gap is the sum of weights[i] (normal . x1[vertices[i]]), less the separation. It is a
    length along the normal: with ``norm="max"`` a pair that is within its separation may have a positive one.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> constraint = ccd.step.activeset(mesh, x0, x1)[0]
    >>> constraint["vertices"].tolist(), constraint["gap"].item()
    ([3, 0, 1, 2], -1.0)
    """
    return Step(mesh, x0, x1).activeset(**options)


def jacobian(active: ArrayLike, n: int, frame: str = "normal") -> csr_array:
    """Return the contact Jacobian of constraints as a sparse matrix.

    ``J @ x.ravel()`` is the distance of the two points of each constraint along its normal, and ``J.T @ impulses`` the
    impulses on the vertices. A solver keeps it at least ``active["separation"]``: at x1 the distance less this is the ``gap``
    of the constraint, within rounding.

    Parameters
    ----------
    active : array_like
        Constraints (m,) of `ccd.constraint_dtype`: those of `activeset`, or some of them in any order.
    n : int
        Number of vertices.
    frame : str, default 'normal'
        ``'normal'``: one row for each constraint, along its normal. ``'contact'``: three, rows 3i, 3i + 1 and 3i + 2 along
        the normal and the two `tangents` of constraint i.

    Returns
    -------
    scipy.sparse.csr_array
        Matrix (m, 3n) or (3m, 3n) float64. Column 3v + k is coordinate k of vertex v. Columns ascend in each row, and none
        repeats.

    Raises
    ------
    ArgumentError
        An argument has another dtype or shape, or `frame` is another.
    InvalidIndexError
        A constraint names a vertex that is not in [0, n).
    NonFiniteError
        A weight or normal is NaN, infinite or above 1e150.
    ImportError
        SciPy is not installed.

    See Also
    --------
    effective_mass : The diagonal of J M^-1 J^T, inverted. The matrix itself has far more entries than J.
    colors : Constraints that a solver may treat at once.

    Examples
    --------
    >>> import numpy as np, scipy, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> active = ccd.step.activeset(mesh, x0, x1)
    >>> J = ccd.step.jacobian(active, len(x1))
    >>> J.shape == (len(active), 18), np.allclose(J @ x1.ravel() - active["separation"], active["gap"])
    (True, True)
    """
    try:
        from scipy.sparse import csr_array
    except ImportError as error:
        raise ImportError("ccd.step.jacobian needs SciPy 1.8 or newer: pip install scipy") from error
    constraints, vertices = _constraints(active), arrays.integer("n", n, 0, 2**31 - 1)
    if not isinstance(frame, str) or frame not in _FRAMES:
        raise ArgumentError(f"frame is {shown(frame)}: must be 'normal' or 'contact'")
    rows = _FRAMES[frame] * len(constraints)
    starts, columns, values = np.empty(rows + 1, np.int32), np.empty(12 * rows, np.int32), np.empty(12 * rows)
    out = starts.ctypes, columns.ctypes, values.ctypes
    with renaming((r"^constraints\b", "active")):
        check(abi.library().ccd_step_jacobian(constraints.ctypes, len(constraints), vertices, _FRAMES[frame], *out))
    entries = int(starts[-1])
    matrix = csr_array((values[:entries], columns[:entries], starts), shape=(rows, 3 * vertices))
    matrix.has_canonical_format = True
    return matrix


def tangents(normals: ArrayLike) -> NDArray[np.float64]:
    """Return two tangents for each normal: with it they are a right-handed orthonormal frame.

    There is no direction at which the frame is inaccurate. Friction acts along the tangents.

    Parameters
    ----------
    normals : array_like
        Directions (m, 3) of any length but 0, such as ``active["impact"]["normal"]``.

    Returns
    -------
    numpy.ndarray
        Tangents (m, 2, 3) float64, of length 1 and orthogonal to the normal and each other, within 2**-49.

    Raises
    ------
    ArgumentError
        `normals` has another shape, or a normal is 0.
    NonFiniteError
        A number is NaN, infinite or above 1e150.

    Notes
    -----
    Paper: [Duff2017].

    Examples
    --------
    >>> import ccd
    >>> ccd.step.tangents([[0, 0, 1], [2, 0, 0]]).tolist()
    [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]]
    """
    directions = arrays.coordinates("normals", normals)
    out = np.empty((len(directions), 2, 3))
    check(abi.library().ccd_step_tangents(directions.ctypes, len(directions), out.ctypes))
    return out


def effective_mass(active: ArrayLike, inverse_mass: ArrayLike) -> NDArray[np.float64]:
    """Return the effective mass of each constraint: the impulse that changes the relative velocity of its points by 1.

    It is 1 / K with K = sum of weights**2 * inverse_mass[vertices], the diagonal of J M^-1 J^T, for the normal and for
    each tangent.

    Parameters
    ----------
    active : array_like
        Constraints (m,) of `ccd.constraint_dtype`, as for `jacobian`.
    inverse_mass : array_like
        Inverse masses (n,) of the vertices, not negative; 0 for a vertex that nothing moves.

    Returns
    -------
    numpy.ndarray
        Masses (m,) float64; 0 where no impulse moves the points, because K is 0 or 1 / K is above the doubles.

    Raises
    ------
    Error
        As `jacobian`; also if an inverse mass is negative.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.25, 1]])
    >>> active = ccd.step.activeset(mesh, x0, x0 - np.outer([0, 0, 0, 2], [0, 0, 1]))
    >>> ccd.step.effective_mass(active, [0, 0, 0, 2.0]).tolist()
    [0.5]
    """
    constraints, inverse = _constraints(active), arrays.row("inverse_mass", inverse_mass)
    out = np.empty(len(constraints))
    with renaming((r"^constraints\b", "active")):
        check(
            abi.library().ccd_step_effective_mass(
                constraints.ctypes, len(constraints), inverse.ctypes, len(inverse), out.ctypes
            )
        )
    return out


def colors(active: ArrayLike, n: int, inverse_mass: ArrayLike | None = None) -> NDArray[np.int32]:
    """Give each constraint a color, so that no two of a color share a vertex that moves.

    A Gauss-Seidel solver may treat all constraints of a color at once, in arrays, with the result of one by one.

    Parameters
    ----------
    active : array_like
        Constraints (m,) of `ccd.constraint_dtype`, as for `jacobian`.
    n : int
        Number of vertices.
    inverse_mass : array_like, optional
        Inverse masses (n,) of the vertices: a vertex moves if its own is positive. Default: all vertices move.

    Returns
    -------
    numpy.ndarray
        Colors (m,) int32 from 0. Each is the least that no earlier constraint has at a vertex in common, so the result
        is unique, and every color up to the largest is used. Vertices of weight 0 do not count.

    Raises
    ------
    Error
        As `effective_mass`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> active = ccd.step.activeset(mesh, x0, x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1]))
    >>> color = ccd.step.colors(active, len(x0))
    >>> for k in range(color.max() + 1):
    ...     together = active[color == k]  # constraints without a vertex in common
    """
    constraints, vertices = _constraints(active), arrays.integer("n", n, 0, 2**31 - 1)
    inverse = None if inverse_mass is None else arrays.row("inverse_mass", inverse_mass)
    if inverse is not None and len(inverse) != vertices:
        raise ArgumentError(f"inverse_mass has {len(inverse)} numbers: there are {vertices} vertices")
    out = np.empty(len(constraints), np.int32)
    of = None if inverse is None else inverse.ctypes
    with renaming((r"^constraints\b", "active")):
        check(abi.library().ccd_step_colors(constraints.ctypes, len(constraints), vertices, of, out.ctypes, None))
    return out


_FRAMES = {"normal": 1, "contact": 3}  # CCD_FRAME_NORMAL, CCD_FRAME_CONTACT: rows of a constraint


def _constraints(active: Any) -> NDArray[np.void]:
    return np.require(arrays.records("active", active, constraint_dtype), None, ("C", "A"))
