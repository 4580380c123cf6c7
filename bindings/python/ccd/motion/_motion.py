"""Motions, from their control points and from other descriptions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._io import checks, motions
from .._native import abi, arrays
from ..errors import ArgumentError
from ..rigid import Motion as RigidMotion
from ..rigid._motion import to_struct
from ._joint import Joint, joint_struct
from ._paths import Paths


class Motion(Paths):
    """Paths of vertices for t in [0, 1]: Bezier control points in time, piece by piece, with a radius.

    With s = (t - times[j]) / (times[j+1] - times[j]), vertex i is within ``radius[j, i]``, in the Euclidean norm, of the sum of
    B_l(s) ``control[j, l, i]``, B_l the Bernstein polynomials. Radius 0 is one path, and results for it are exact. The class
    methods make motions of other descriptions, with radii that are proven.

    A motion does not change. It is freed with its last reference, or by `close`; it is a context manager. It can be pickled and
    copied: a copy is a motion of its own, with the same bits in every call. A motion of bodies (`rigid`, `skinned`, `chain`)
    keeps what it is made of for that, and its pickle holds this in place of control points.

    Parameters
    ----------
    control : array_like
        Control points, (pieces, degree + 1, n, 3), or (degree + 1, n, 3) for one piece. The degree is 1 to 5.
    times : array_like, optional
        Ends of the pieces, (pieces + 1,), ascending from 0 to 1; equal pieces if omitted.
    radius : array_like, optional
        Radii, (pieces, n), or one number for all; 0 if omitted.

    Raises
    ------
    ArgumentError
        An array has another shape, `times` do not ascend from 0 to 1, a radius is negative, or a vertex jumps between two
        pieces by more than its radii together.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names it.

    See Also
    --------
    ccd.pair : Vertices that move straight.
    ccd.rigid : Rigid bodies that turn, as bodies with trees.

    Examples
    --------
    A vertex dips through a face and returns; its path is a parabola whose lowest point is at -1/4.

    >>> import ccd
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> dip = ccd.Motion([[[0.2, 0.2, 1], *face], [[0.2, 0.2, -1.5], *face], [[0.2, 0.2, 1], *face]])
    >>> hit = dip.pair("vertex-face", [0, 1, 2, 3])
    >>> hit.certified, round(hit.toi_lo, 6), dip.at(0.5)[0].tolist()
    (True, 0.276393, [0.2, 0.2, -0.25])
    """

    def __init__(self, control: ArrayLike, times: ArrayLike | None = None, radius: ArrayLike | None = None):
        c = arrays.doubles("control", control)
        if c.ndim == 3:
            c = c[None]
        if c.ndim != 4 or c.shape[3] != 3:
            raise ArgumentError(f"control has shape {c.shape}: must be (pieces, degree + 1, n, 3) or (degree + 1, n, 3)")
        pieces, count, n = c.shape[:3]
        t = _times(times, pieces)
        r = None
        if radius is not None:
            r = arrays.doubles("radius", radius)
            if r.ndim == 0:
                r = np.full((pieces, n), float(r))
            if r.shape != (pieces, n):
                raise ArgumentError(f"radius has shape {r.shape}: must be {(pieces, n)} or one number")
        given = (n, count - 1, pieces, t.ctypes, c.ctypes, None if r is None else r.ctypes)
        self._make("create", c.nbytes, *given)

    @classmethod
    def accelerated(cls, x: ArrayLike, v: ArrayLike, a: ArrayLike) -> Motion:
        """Create a motion with constant acceleration: x + t v + t^2 a / 2.

        Parameters
        ----------
        x : array_like
            Positions at t = 0, (n, 3).
        v : array_like
            Velocities at t = 0, (n, 3): lengths per step. For a time step of h seconds, h times the velocity.
        a : array_like
            Accelerations, (n, 3): h^2 times the acceleration.

        Returns
        -------
        Motion
            Degree 2, one piece. The radii are 0 where x, x + v/2 and x + v + a/2 are doubles, else what rounding takes.

        Raises
        ------
        Error
            As `Motion`.

        Examples
        --------
        A point is thrown upwards, and meets another one that rests.

        >>> import ccd
        >>> thrown = ccd.Motion.accelerated([[0, 0, 0], [0, 0, 1]], [[0, 0, 3], [0, 0, 0]], [[0, 0, -4], [0, 0, 0]])
        >>> thrown.pair("point-point", [0, 1]).toi_lo
        0.5
        """
        n = len(arrays.coordinates("x", x))
        p = [_points(name, y, n) for name, y in (("x", x), ("v", v), ("a", a))]
        return cls._made("accelerated", 3 * p[0].nbytes, n, *(y.ctypes for y in p))

    @classmethod
    def hermite(cls, x: ArrayLike, v: ArrayLike, times: ArrayLike | None = None) -> Motion:
        """Create a motion through positions with given velocities, cubic between two times.

        Parameters
        ----------
        x : array_like
            Positions, (pieces + 1, n, 3).
        v : array_like
            Velocities, (pieces + 1, n, 3): lengths per step.
        times : array_like, optional
            Times of the positions, (pieces + 1,), ascending from 0 to 1; equal pieces if omitted.

        Returns
        -------
        Motion
            Degree 3. The radii hold what rounding takes from the control points.

        Raises
        ------
        Error
            As `Motion`.

        Examples
        --------
        >>> import ccd
        >>> m = ccd.Motion.hermite([[[0, 0, 0]], [[1, 0, 0]]], [[[0, 3, 0]], [[0, -3, 0]]])
        >>> m.degree, m.at(0.5).round(9).tolist()
        (3, [[0.5, 0.75, 0.0]])
        """
        px, pv = arrays.doubles("x", x), arrays.doubles("v", v)
        if px.ndim != 3 or px.shape[2] != 3 or len(px) < 2:
            raise ArgumentError(f"x has shape {px.shape}: must be (pieces + 1, n, 3)")
        if pv.shape != px.shape:
            raise ArgumentError(f"v has shape {pv.shape}: must be {px.shape}, as x")
        t = _times(times, len(px) - 1)
        return cls._made("hermite", 2 * px.nbytes, px.shape[1], len(px) - 1, t.ctypes, px.ctypes, pv.ctypes)

    @classmethod
    def bspline(cls, control: ArrayLike, knots: ArrayLike) -> Motion:
        """Create a motion on B-splines in time.

        Parameters
        ----------
        control : array_like
            Control points, (m, n, 3).
        knots : array_like
            Knots, (m + degree + 1,), ascending. ``knots[degree]`` is 0 and ``knots[m]`` is 1; at most degree of them are equal
            between.

        Returns
        -------
        Motion
            A piece for each interval between knots. The radii hold what rounding takes.

        Raises
        ------
        Error
            As `Motion`.

        Examples
        --------
        >>> import ccd
        >>> m = ccd.Motion.bspline([[[0, 0, 0]], [[1, 0, 0]], [[1, 1, 0]], [[2, 1, 0]]], [0, 0, 0, 0.5, 1, 1, 1])
        >>> m.degree, m.times.tolist(), m.at(0.5).tolist()
        (2, [0.0, 0.5, 1.0], [[1.0, 0.5, 0.0]])
        """
        c, k = arrays.doubles("control", control), arrays.row("knots", knots)
        if c.ndim != 3 or c.shape[2] != 3:
            raise ArgumentError(f"control has shape {c.shape}: must be (m, n, 3)")
        degree = len(k) - len(c) - 1
        if not 1 <= degree <= 5:
            least, most = len(c) + 2, len(c) + 6
            raise ArgumentError(f"knots has {len(k)} items: {len(c)} control points of degree 1 to 5 take {least} to {most}")
        return cls._made("bspline", c.nbytes, c.shape[1], degree, k.ctypes, len(k), c.ctypes)

    @classmethod
    def affine(cls, x: ArrayLike, matrix: ArrayLike, offset: ArrayLike) -> Motion:
        """Create the motion of an affine body: A(t) x + b(t), with A and b polynomials in t.

        Parameters
        ----------
        x : array_like
            Vertices of the body, (n, 3).
        matrix : array_like
            Control matrices of A, (degree + 1, 3, 3).
        offset : array_like
            Control points of b, (degree + 1, 3).

        Returns
        -------
        Motion
            One piece. The radii hold what rounding takes.

        Raises
        ------
        Error
            As `Motion`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> m = ccd.Motion.affine([[1, 0, 0]], [np.eye(3), 2 * np.eye(3)], [[0, 0, 0], [0, 0, 1]])
        >>> m.at(0.5).tolist()
        [[1.5, 0.0, 0.5]]
        """
        p, a, b = arrays.coordinates("x", x), arrays.doubles("matrix", matrix), arrays.coordinates("offset", offset)
        if a.ndim != 3 or a.shape[1:] != (3, 3):
            raise ArgumentError(f"matrix has shape {a.shape}: must be (degree + 1, 3, 3)")
        if len(b) != len(a):
            raise ArgumentError(f"offset has {len(b)} rows: must have {len(a)}, as matrix")
        return cls._made("affine", p.nbytes, len(p), len(a) - 1, p.ctypes, a.ctypes, b.ctypes)

    @classmethod
    def rigid(cls, x: ArrayLike, body: RigidMotion, pieces: int = 0, degree: int = 3) -> Motion:
        """Create the motion of a rigid body that turns and moves at constant rates; a screw if both are along one line.

        Parameters
        ----------
        x : array_like
            Vertices in body coordinates, (n, 3).
        body : ccd.rigid.Motion
            How the body moves, for t in [0, 1].
        pieces : int, default 0
            Pieces of equal length; 0 for one a radian. They decide how tight `radius` is; calls on pairs halve pieces near a
            contact until the radii are below the tolerance.
        degree : int, default 3
            Degree of the pieces, 3 or 5. Degree 5 needs fewer pieces for the same radius; calls on pairs are as fast with 3.

        Returns
        -------
        Motion
            The radius of a vertex at the distance R from the axis that turns by w in a piece is w^4 R / 384 for degree 3,
            w^6 R / 46080 for degree 5, and rounding.

        Raises
        ------
        Error
            As `Motion`; also for another degree, a rotation of 0 or a turn of more than 2^40 radians.

        Examples
        --------
        A point turns about z by a quarter; at a third of the way it meets a plate.

        >>> import math, ccd
        >>> turn = ccd.rigid.Motion(angular_velocity=(0, 0, math.pi / 2))
        >>> still = ccd.rigid.Motion()
        >>> x = [[1, 0, 0], [0, 0.5, -1], [2, 0.5, -1], [1, 0.5, 2]]
        >>> weights = [[1, 0], [0, 1], [0, 1], [0, 1]]
        >>> plate = ccd.Motion.skinned(x, [turn, still], weights)
        >>> round(plate.pair("vertex-face", [0, 1, 2, 3], tolerance=1e-9).toi_lo, 9)
        0.333333333
        >>> (ccd.Motion.rigid(x[:1], turn).at(1).round(9) + 0).tolist()
        [[0.0, 1.0, 0.0]]
        """
        p = arrays.coordinates("x", x)
        c = to_struct("body", body)
        return cls._of_bodies("rigid", p, _bytes(c), *_form(degree, pieces))

    @classmethod
    def skinned(
        cls, x: ArrayLike, bones: Sequence[RigidMotion], weights: ArrayLike, pieces: int = 0, degree: int = 3
    ) -> Motion:
        """Create a motion by linear blend skinning.

        Parameters
        ----------
        x : array_like
            Vertices in rest coordinates, (n, 3).
        bones : sequence of ccd.rigid.Motion
            How the bones move, for t in [0, 1].
        weights : array_like
            Weights, (n, len(bones)). Vertex i is at the sum over the bones of weight times where the bone brings it; the sum
            of the weights need not be 1.
        pieces : int, default 0
            As in `rigid`.
        degree : int, default 3
            As in `rigid`.

        Returns
        -------
        Motion
            With radii as in `rigid`, added up with the weights.

        Raises
        ------
        Error
            As `rigid`.

        Examples
        --------
        >>> import math, ccd
        >>> bones = [ccd.rigid.Motion(), ccd.rigid.Motion(angular_velocity=(0, 0, math.pi / 2))]
        >>> (ccd.Motion.skinned([[1, 0, 0]], bones, [[0.5, 0.5]]).at(1).round(9) + 0).tolist()
        [[0.5, 0.5, 0.0]]
        """
        p, w = arrays.coordinates("x", x), arrays.doubles("weights", weights)
        given = [to_struct(f"bones[{i}]", b) for i, b in enumerate(_listed("bones", bones))]
        if w.shape != (len(p), len(given)):
            raise ArgumentError(f"weights has shape {w.shape}: must be {(len(p), len(given))}")
        c = (abi.RigidMotion * len(given))(*given)
        return cls._of_bodies("skinned", p, _bytes(c), len(given), w, *_form(degree, pieces))

    @classmethod
    def chain(cls, x: ArrayLike, links: ArrayLike, joints: Sequence[Joint], pieces: int = 0, degree: int = 3) -> Motion:
        """Create the motion of the links of a tree of joints, such as those of a robot.

        Parameters
        ----------
        x : array_like
            Vertices, (n, 3), each in the coordinates of its link.
        links : array_like
            For each vertex the index of the joint that moves its link, (n,); -1 for the base, which rests.
        joints : sequence of Joint
            The joints, parents first.
        pieces : int, default 0
            Pieces of equal length; 0 for one a radian of all turns from the base to a link.
        degree : int, default 3
            As in `rigid`.

        Returns
        -------
        Motion
            With proven radii.

        Raises
        ------
        InvalidIndexError
            A link, or a joint's parent, is out of range.
        Error
            As `rigid`.

        Examples
        --------
        An arm of two links: the second turns back as the first turns.

        >>> import math, ccd
        >>> arm = [ccd.motion.Joint("revolute", value1=math.pi / 2),
        ...        ccd.motion.Joint("revolute", parent=0, position=(1, 0, 0), value1=-math.pi / 2)]
        >>> (ccd.Motion.chain([[1, 0, 0], [1, 0, 0]], [0, 1], arm).at(1).round(9) + 0).tolist()
        [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]
        """
        p = arrays.coordinates("x", x)
        index = arrays.to_array("links", links)
        if index.ndim != 1 or len(index) != len(p):
            raise ArgumentError(f"links has shape {index.shape}: must be ({len(p)},), one for each vertex")
        index = arrays.primitives("links", index.reshape(-1, 1), 1)
        joints = _listed("joints", joints)
        c = (abi.MotionJoint * len(joints))(*(joint_struct(f"joints[{i}]", j) for i, j in enumerate(joints)))
        return cls._of_bodies("chain", p, index, _bytes(c), len(joints), *_form(degree, pieces))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Motion:
        """Load a motion from a file that `save` wrote, or from any NumPy archive of the same arrays.

        Parameters
        ----------
        path : str or os.PathLike
            The file, .npz: ``control``, and if it has them ``times`` and ``radius``, as for `Motion`.

        Returns
        -------
        Motion
            The motion of these arrays. Calls do not halve its pieces near a contact: it keeps its radii.

        Raises
        ------
        FileError
            The file cannot be read, has no array ``control``, or has an array of any other name.
        ArgumentError, NonFiniteError
            The arrays do not describe a motion, as for `Motion`; the message names the file.

        Examples
        --------
        >>> import os, tempfile, ccd
        >>> fall = ccd.Motion.accelerated([[0, 0, 9]], [[0, 0, 0]], [[0, 0, -10]])
        >>> name = os.path.join(tempfile.mkdtemp(), "fall.npz")
        >>> fall.save(name)
        >>> ccd.Motion.load(name)
        <ccd.Motion of 1 vertices, degree 2, 1 pieces>
        """
        name = checks.file_name("path", path)
        with checks.naming(name):
            return cls(**motions.load(name))


def _times(times: ArrayLike | None, pieces: int) -> NDArray[np.float64]:
    if times is None:
        return np.arange(pieces + 1) / max(pieces, 1)
    t = arrays.row("times", times)
    if len(t) != pieces + 1:
        raise ArgumentError(f"times has {len(t)} items: {pieces} pieces have {pieces + 1} ends")
    return t


def _bytes(c: ctypes.Structure | ctypes.Array[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(bytes(c), np.uint8)


def _form(degree: int, pieces: int) -> tuple[int, int]:
    k = arrays.integer("degree", degree, -(2**31), 2**31 - 1)
    if k not in (3, 5):
        raise ArgumentError(f"degree is {k}: must be 3 or 5")
    return k, arrays.integer("pieces", pieces, 0, 1 << 20)


def _points(name: str, x: ArrayLike, n: int) -> NDArray[np.float64]:
    p = arrays.coordinates(name, x)
    if len(p) != n:
        raise ArgumentError(f"{name} has {len(p)} rows: must have {n}, as x")
    return p


def _listed(name: str, x: Any) -> list[Any]:
    if not isinstance(x, Iterable):
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a sequence")
    return list(x)
