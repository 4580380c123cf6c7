"""Bodies of patches."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.call import check
from ..errors import ArgumentError
from ._faces import Faces
from ._form import Form, to_forms, to_weights


class Body:
    """Moving patches on common control points.

    Threads may share a body. It is freed with its last reference or by `close`, and is a context manager. It keeps copies of
    the arrays that it is given.

    Parameters
    ----------
    points : int
        Number of control points.
    forms : Form or iterable of Form
        The form of all patches, or one for each.
    index : array_like
        Indices of the control points, integers: (n, k) if all patches have k, else those of one patch after the
        other.
    weights : array_like, optional
        Positive weights, one for each entry of `index`; None: all equal.

    Raises
    ------
    ArgumentError
        A form is out of range, or the lengths do not agree.
    InvalidIndexError
        An index is out of range.

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    <ccd.patch.Body of 4 control points, 1 patches>
    """

    def __init__(self, points: int, forms: Form | Iterable[Form], index: ArrayLike, weights: ArrayLike | None = None):
        flat = arrays.ids("index", arrays.to_array("index", index).reshape(-1))
        listed = to_forms(forms, len(flat))
        array = (abi.PatchForm * len(listed))(*listed)
        count = arrays.integer("points", points, 0, 2**31 - 1)
        w = to_weights(weights, len(flat))
        create = abi.library().ccd_patch_body_create
        self._take(create, count, array, len(listed), flat.ctypes, len(flat), None if w is None else w.ctypes)

    @classmethod
    def nurbs(cls, u: int, v: int, knots_u: ArrayLike, knots_v: ArrayLike = (), weights: ArrayLike | None = None) -> Body:
        """Create the Bezier patches of a NURBS surface or curve.

        The body's control points are those of the surface: point (i, j), i along u and j along v, has the index
        ``i n_v + j``. Error bounds of queries include the rounding of the conversion.

        Parameters
        ----------
        u : int
            Degree in u.
        v : int
            Degree in v; 0 for a curve.
        knots_u : array_like
            Knots in rising order, clamped or not, of any multiplicity: as many as points along u, plus ``u + 1``.
        knots_v : array_like, default ()
            Knots along v; empty for a curve.
        weights : array_like, optional
            Positive weights, one for each control point; None: all equal.

        Returns
        -------
        Body
            Its patches are in row-major order: v varies fastest.

        Raises
        ------
        ArgumentError
            A degree is out of range, knots fall, their number does not fit the degrees and the weights, or a weight is not
            positive.
        NonFiniteError
            A knot or a weight is not finite.

        Examples
        --------
        A quadratic arc with one inner knot has two Bezier curves:

        >>> import ccd
        >>> ccd.patch.Body.nurbs(2, 0, [0, 0, 0, 0.5, 1, 1, 1])
        <ccd.patch.Body of 4 control points, 2 patches>
        """
        ku, kv = _knots("knots_u", knots_u), _knots("knots_v", knots_v)
        u, v = arrays.integer("u", u, 0, 2**31 - 1), arrays.integer("v", v, 0, 2**31 - 1)
        count = max(len(ku) - u - 1, 0) * (max(len(kv) - v - 1, 0) if len(kv) else 1)
        w = to_weights(weights, count)
        self = cls.__new__(cls)
        create = abi.library().ccd_patch_body_create_nurbs
        self._take(create, u, v, ku.ctypes, len(ku), kv.ctypes, len(kv), None if w is None else w.ctypes)
        return self

    @classmethod
    def lagrange(cls, points: int, forms: Form | Iterable[Form], index: ArrayLike, order: str = "points") -> Body:
        """Create a body of finite elements of higher order, which are given by their nodes: P2, P3, P4, Q2 ... and curves.

        The body's control points are the nodes, in all calls; they move on straight lines. Nodes are equidistant in the
        parameters. Queries convert them to control points, and their error bounds include the rounding of that: results are
        about the elements themselves. Elements that share the nodes of an edge are neighbors in `self_earliest`.

        Parameters
        ----------
        points : int
            Number of nodes.
        forms : Form or iterable of Form
            The form of all elements, or one for each; degrees at most 6.
        index : array_like
            Indices of the nodes, integers: (n, k) if all elements have k, else those of one element after the other.
        order : str, default "points"
            Order of the nodes of an element: ``"gmsh"``, ``"vtk"``, or ``"points"``, that of the control points of its form.

        Returns
        -------
        Body
            A patch for each element.

        Raises
        ------
        ArgumentError
            A form or `order` is out of range, or the lengths do not agree. Queries raise NonFiniteError for nodes above 1e140.
        InvalidIndexError
            An index is out of range.

        See Also
        --------
        Form.nodes : The orders.

        Examples
        --------
        A P2 triangle that bulges upwards: the middle of an edge is higher than its ends.

        >>> import numpy as np, ccd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0, 0.25], [0.5, 0.5, 0], [0, 0.5, 0]])
        >>> element = ccd.patch.Body.lagrange(6, ccd.patch.Form.triangle(2), [[0, 1, 2, 3, 4, 5]], order="gmsh")
        >>> floor = ccd.patch.Body(3, ccd.patch.Form.triangle(1), [[0, 1, 2]])
        >>> ground = [[-2, -2, 0.75], [4, -2, 0.75], [-2, 4, 0.75]]
        >>> hit = ccd.patch.earliest(element, x, x + [0, 0, 1], floor, ground, ground)
        >>> hit.contact, round(hit.toi_lo, 5)
        (True, 0.5)
        """
        flat = arrays.ids("index", arrays.to_array("index", index).reshape(-1))
        listed = to_forms(forms, len(flat))
        if arrays.choice("order", order, ("gmsh", "vtk", "points")) != "points":
            flat = _reordered(flat, listed, order)
        array = (abi.PatchForm * len(listed))(*listed)
        count = arrays.integer("points", points, 0, 2**31 - 1)
        self = cls.__new__(cls)
        create = abi.library().ccd_patch_body_create_lagrange
        self._take(create, count, array, len(listed), flat.ctypes, len(flat))
        return self

    def trim(self, faces: Faces) -> Body:
        """Return a body of the same patches, trimmed by the loops of their faces, and joined where faces are neighbors.

        Of each patch the part counts that lies within the loops of its face: a point is in the face if a ray from it crosses
        the loops an odd number of times. So the orientation of a loop has no effect, and a loop within another is a hole.

        Parameters
        ----------
        faces : Faces
            Loops, windows and joints.

        Returns
        -------
        Body
            In all calls SEPARATE is a proof for the points of the faces and those within the tolerance of the loops along both
            axes. The points of a contact belong to the faces, or are that near to the loops. In `self_earliest` faces are
            neighbors at their joints: pairs of points that both differ by at most the neighbourhood, in every parameter, from
            one place of a joint are not tested; they count as unresolved, unless both patches have one displacement.

        Raises
        ------
        ArgumentError
            Numbers do not fit the body, a loop has fewer than three corners, a window is empty, or a curve has loops.
        InvalidIndexError
            A patch or a joint names a face that is not there.
        NonFiniteError
            A coordinate is not finite.

        Examples
        --------
        A point falls through a triangular hole in a square:

        >>> import numpy as np, ccd
        >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
        >>> hole = [[0.2, 0.2], [0.6, 0.2], [0.2, 0.6]]
        >>> faces = ccd.patch.Faces([0], [[0, 1, 0, 1]], [[square, hole]], [[1e-9, 1e-9]])
        >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]]).trim(faces)
        >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
        >>> point = ccd.patch.Body(1, ccd.patch.Form.curve(0), [0])
        >>> ccd.patch.earliest(point, [[0.3, 0.3, 1]], [[0.3, 0.3, -1]], body, x, x).separate
        True
        >>> hit = ccd.patch.earliest(point, [[0.5, 0.5, 1]], [[0.5, 0.5, -1]], body, x, x)
        >>> round(hit.toi_lo, 6)
        0.5
        """
        if not isinstance(faces, Faces):
            raise ArgumentError(f"faces is {type(faces).__name__}: must be a ccd.patch.Faces")
        loops = [loop for own in faces.loops for loop in own]
        corners = np.concatenate([np.empty((0, 2)), *loops])
        sizes = np.array([len(loop) for loop in loops], np.int32)
        counts = np.array([len(own) for own in faces.loops], np.int32)
        out = self.__class__.__new__(self.__class__)
        lib = abi.library()
        out._take(
            lib.ccd_patch_body_trim, self._handle, corners.ctypes, len(corners), sizes.ctypes, len(sizes), counts.ctypes,
            faces.tolerances.ctypes, len(counts), faces.face_of.ctypes, faces.windows.ctypes, len(faces.face_of),
        )  # fmt: skip
        if not faces.joints:
            return out
        joints = np.array([[a, b, len(places)] for a, b, places in faces.joints], np.int32)
        places = np.concatenate([places for _, _, places in faces.joints])
        with out:
            joined = self.__class__.__new__(self.__class__)
            joined._take(lib.ccd_patch_body_join, out._handle, joints.ctypes, len(joints), places.ctypes, len(places))
        return joined

    @property
    def faces(self) -> int:
        """Number of faces of a trimmed body; 0 for one that is not trimmed."""
        count = ctypes.c_size_t()
        check(abi.library().ccd_patch_body_faces(self._handle, ctypes.byref(count)))
        return count.value

    def _take(self, create: Any, *arguments: Any) -> None:
        self._handle = ctypes.c_void_p()
        check(create(*arguments, ctypes.byref(self._handle)))
        self._free = weakref.finalize(self, abi.library().ccd_patch_body_destroy, self._handle)

    def close(self) -> None:
        """Free the body now. Running calls on other threads complete; later ones raise HandleError."""
        self._free()

    def __enter__(self) -> Body:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.patch.Body, closed>"
        return "<ccd.patch.Body of {} control points, {} patches>".format(*self.counts)

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of control points and of patches."""
        points, patches = ctypes.c_size_t(), ctypes.c_size_t()
        check(abi.library().ccd_patch_body_counts(self._handle, ctypes.byref(points), ctypes.byref(patches)))
        return points.value, patches.value


def _reordered(index: NDArray[np.int32], forms: list[abi.PatchForm], order: str) -> NDArray[np.int32]:
    """The nodes of all elements in the order of their control points."""
    known: dict[tuple[int, int, int], NDArray[np.int32]] = {}
    out, at = index.copy(), 0
    for form in forms:
        key = (form.shape, form.u, form.v)
        if key not in known:
            known[key] = Form(*key).nodes(order)
        nodes = known[key]
        if at + len(nodes) > len(index):
            break  # the library reports the count
        out[at : at + len(nodes)] = index[at : at + len(nodes)][nodes]
        at += len(nodes)
    return out


def to_arguments(name: str, frame: str, body: Body, x0: ArrayLike, x1: ArrayLike) -> list[Any]:
    if not isinstance(body, Body):
        raise ArgumentError(f"{name} is {type(body).__name__}: must be a ccd.patch.Body")
    start, end = arrays.coordinates(f"{frame}0", x0), arrays.coordinates(f"{frame}1", x1)
    if len(start) != len(end):
        raise ArgumentError(f"{frame}0 has {len(start)} control points, {frame}1 has {len(end)}: the numbers must be equal")
    return [body._handle, start.ctypes, end.ctypes, len(start)]


def _knots(name: str, knots: ArrayLike) -> NDArray[np.float64]:
    array = arrays.to_array(name, knots)
    return np.empty(0) if array.shape == (0,) else arrays.row(name, array)
