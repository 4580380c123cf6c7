"""Collision shapes as triangles and balls."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError, InvalidIndexError
from ..files import Surface
from ._joint import check_rotation

_UP = 1 + 1e-12  # more than the rounding of the few operations that make a vertex


@dataclass(frozen=True, eq=False)
class Shape:
    """The triangles, codimensional edges and balls of one collision element: what is tested. Class methods make them.

    Attributes
    ----------
    vertices : numpy.ndarray
        Coordinates, (n, 3).
    faces : numpy.ndarray
        Triangles, (m, 3).
    edges : numpy.ndarray
        Codimensional edges, (k, 2).
    radii : numpy.ndarray
        Radius of each vertex, (n,): a ball is a vertex alone, a capsule an edge.
    closed : bool
        Whether the triangles bound a solid: every edge is passed once in each direction.
    samples : numpy.ndarray
        A vertex of each connected component, for tests of containment.
    extent : float
        Of a half-space, which is a box: the distance from the origin up to which it holds all points of it. Paths on which
        something that is tested against it may go farther are refused. Infinite for other shapes.

    Examples
    --------
    >>> import ccd
    >>> tube = ccd.robot.Shape.cylinder(0.1, 1.0, segments=16)
    >>> len(tube.faces), tube.closed
    (64, True)
    >>> ccd.robot.Shape.ball(0.2).placed([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 3]).vertices.tolist()
    [[0.0, 0.0, 3.0]]
    >>> len(ccd.robot.Shape.box([1, 2, 3]).faces)
    12
    >>> wedge = ccd.robot.Shape.triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 3, 1]])
    >>> wedge.closed
    False
    >>> import numpy as np
    >>> leaf = ccd.Surface(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), [], [[0, 1, 2]])
    >>> ccd.robot.Shape.surface(leaf, scale=[2, 2, 2]).vertices.max()
    np.float64(2.0)
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    edges: NDArray[np.int32]
    radii: NDArray[np.float64]
    closed: bool
    samples: NDArray[np.int64]
    extent: float = math.inf

    @classmethod
    def triangles(cls, vertices: ArrayLike, faces: ArrayLike, edges: ArrayLike | None = None) -> Shape:
        """Create a shape of triangles.

        A triangle that repeats a vertex becomes its edges, and one that repeats another triangle is left out.

        Parameters
        ----------
        vertices : array_like
            Coordinates, (n, 3).
        faces : array_like
            Triangles, (m, 3) vertex indices.
        edges : array_like, optional
            Codimensional edges, (k, 2) vertex indices.

        Returns
        -------
        Shape
            The shape.

        Raises
        ------
        NonFiniteError
            A coordinate is not finite; the message names it.
        InvalidIndexError
            An index is out of range.
        """
        x = arrays.finite("vertices", arrays.coordinates("vertices", vertices))
        f = arrays.primitives("faces", faces, 3)
        lines = [arrays.primitives("edges", () if edges is None else edges, 2)]
        for name, index in (("faces", f), ("edges", lines[0])):
            wrong = np.argwhere((index < 0) | (index >= len(x)))
            if len(wrong):
                i, k = (int(v) for v in wrong[0])
                raise InvalidIndexError(f"{name}[{i}][{k}] is {index[i, k]}: there are {len(x)} vertices")
        whole = (f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])
        lines += [f[~whole][:, pair] for pair in ([0, 1], [1, 2])]
        f = f[whole]
        f = f[np.sort(np.unique(np.sort(f, axis=1), axis=0, return_index=True)[1])]
        loose = np.unique(np.sort(np.vstack(lines), axis=1), axis=0)
        known = set(map(tuple, np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1).tolist()))
        kept = [e for e in loose.tolist() if e[0] != e[1] and tuple(e) not in known]
        e = np.array(kept, np.int32).reshape(-1, 2)
        return cls(x, f, e, np.zeros(len(x)), _is_closed(f), _components(len(x), np.vstack([f, e[:, [0, 1, 1]]])))

    @classmethod
    def surface(cls, surface: Surface, scale: ArrayLike | None = None) -> Shape:
        """Create a shape of a surface's triangles and edges. Vertices in ``surface.unused`` are left out: they are no points.

        Parameters
        ----------
        surface : Surface
            The surface, as `ccd.read` returns it.
        scale : array_like, optional
            Factors of x, y and z, none of them 0. A mirror image keeps its outside.

        Returns
        -------
        Shape
            The shape.

        Raises
        ------
        ArgumentError
            `surface` is no `ccd.Surface`, or `scale` is not 3 numbers other than 0.
        NonFiniteError
            A coordinate is not finite; the message names it.
        InvalidIndexError
            An index is out of range.
        """
        if not isinstance(surface, Surface):
            raise ArgumentError(f"surface is {type(surface).__name__}: must be a ccd.Surface")
        if scale is None:
            return without(cls.triangles(surface.vertices, surface.faces, surface.edges), surface.unused)
        factors = arrays.finite("scale", arrays.row("scale", scale))
        if len(factors) != 3 or not factors.all():
            raise ArgumentError(f"scale is {factors.tolist()}: must be 3 numbers other than 0")
        faces = arrays.primitives("faces", surface.faces, 3)
        faces = faces[:, ::-1] if np.prod(np.sign(factors)) < 0 else faces
        return without(cls.triangles(surface.vertices * factors, faces, surface.edges), surface.unused)

    @classmethod
    def box(cls, size: ArrayLike) -> Shape:
        """Create the box about the origin.

        Parameters
        ----------
        size : array_like
            Its sizes along x, y and z.

        Returns
        -------
        Shape
            12 triangles.

        Raises
        ------
        ArgumentError
            `size` is not 3 numbers above 0 and at most 1e150.
        """
        given = arrays.row("size", size)
        if len(given) != 3:
            raise ArgumentError(f"size has {len(given)} numbers: must have 3")
        sizes = [_positive(f"size[{i}]", v) for i, v in enumerate(given)]
        corners = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)]) - 0.5
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        return cls.triangles(corners * sizes, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])

    @classmethod
    def cylinder(cls, radius: float, length: float, segments: int = 32) -> Shape:
        """Create a prism around the cylinder about z: its sides touch the cylinder, so that it holds it.

        Parameters
        ----------
        radius : float
            Radius of the cylinder.
        length : float
            Its length.
        segments : int, default 32
            Sides of the prism, from 3 to 4096.

        Returns
        -------
        Shape
            The prism.

        Raises
        ------
        ArgumentError
            A length is not above 0 and at most 1e150, or `segments` is out of range.
        """
        n = arrays.integer("segments", segments, 3, 4096)
        out, z = _positive("radius", radius) / math.cos(math.pi / n) * _UP, _positive("length", length) / 2
        angle = 2 * math.pi * np.arange(n) / n
        ring = np.stack([out * np.cos(angle), out * np.sin(angle)], axis=1)
        x = np.vstack([np.c_[ring, np.full(n, -z)], np.c_[ring, np.full(n, z)], [[0, 0, -z], [0, 0, z]]])
        i = np.arange(n)
        j, low, high = (i + 1) % n, np.full(n, 2 * n), np.full(n, 2 * n + 1)
        sides = np.vstack([np.c_[i, j, j + n], np.c_[i, j + n, i + n]])
        return cls.triangles(x, np.vstack([sides, np.c_[low, j, i], np.c_[high, i + n, j + n]]))

    @classmethod
    def ellipsoid(cls, radii: ArrayLike, segments: int = 32) -> Shape:
        """Create a polyhedron around the ellipsoid about the origin: its faces are outside, so that it holds it.

        Parameters
        ----------
        radii : array_like
            Half its axes along x, y and z.
        segments : int, default 32
            The polyhedron is a ball's, of at least as many sides around as these, stretched: from 3 to 256.

        Returns
        -------
        Shape
            The polyhedron: 20 * 4**k triangles, 1,280 for 32 segments. Its points are at most 0.5 % of the largest radius
            outside of the ellipsoid then, and four times nearer with twice as many segments.

        Raises
        ------
        ArgumentError
            `radii` is not 3 numbers above 0 and at most 1e150, or `segments` is out of range.

        Examples
        --------
        >>> import ccd
        >>> egg = ccd.robot.Shape.ellipsoid([1, 1, 2])
        >>> len(egg.faces), egg.closed, bool(2 < egg.vertices[:, 2].max() < 2.01)
        (1280, True, True)
        """
        given = arrays.row("radii", radii)
        if len(given) != 3:
            raise ArgumentError(f"radii has {len(given)} numbers: must have 3")
        sizes = [_positive(f"radii[{i}]", v) for i, v in enumerate(given)]
        n = arrays.integer("segments", segments, 3, 256)
        x, faces = _ball_around(max(0, math.ceil(math.log2(n / 5))))
        return cls.triangles(x * sizes, faces)

    @classmethod
    def half_space(cls, normal: ArrayLike, offset: float = 0.0, extent: float = 1000.0) -> Shape:
        """Create the half-space of all x with normal.x <= offset, as a floor or a wall: a box that holds it up to a distance.

        A path on which a link may go farther than that is refused, so what is proven holds for the whole half-space.

        Parameters
        ----------
        normal : array_like
            The direction out of it, (3,), of any length above 0; it is divided by its length.
        offset : float, default 0.0
            Distance of the plane from the origin, along the normal.
        extent : float, default 1000.0
            The box holds all points of the half-space up to this distance from the origin. A larger one is rounded more: the
            plane is off by up to 2**-48 of it, and not at all if the normal is along an axis.

        Returns
        -------
        Shape
            12 triangles.

        Raises
        ------
        ArgumentError
            `normal` is not 3 numbers, or is 0, or `extent` is not above 0 and at most 1e60.
        NonFiniteError
            A number is not finite.

        Examples
        --------
        >>> import ccd
        >>> ball = ccd.robot.Shape.ball(0.1)
        >>> drone = ccd.robot.Robot("drone", ["world"], [[]], [], []).add("ball", ball)
        >>> floor = ccd.robot.Shape.half_space([0, 0, 1])
        >>> down = ccd.robot.Path(drone.joints, [[0, 0, 1, 0, 0, 0, 1], [800, 0, 0, 0, 0, 0, 1]])
        >>> round(ccd.robot.check(drone, down, {"floor": floor}).contact.s, 4)
        0.9
        """
        n = arrays.finite("normal", arrays.row("normal", normal))
        if len(n) != 3 or not n.any():
            raise ArgumentError(f"normal is {n.tolist()}: must be 3 numbers, not all 0")
        n = n / np.abs(n).max()
        n /= np.linalg.norm(n)
        c = float(arrays.finite("offset", np.array([arrays.number("offset", offset)]))[0])
        r = arrays.within("extent", extent, "(0, 1e60]", "above 0, at most 1e60")
        if abs(c) > r:
            raise ArgumentError(f"offset is {c}: must be at most extent, {r}, in magnitude")
        first = np.cross(n, np.eye(3)[int(np.abs(n).argmin())])
        first /= np.linalg.norm(first)
        one = cls.box([1, 1, 1])
        wide = r * (1 + 2.0**-40)
        x = one.vertices[:, :2] @ (2 * wide * np.array([first, np.cross(n, first)]))
        x = x + np.where(one.vertices[:, 2] > 0, c, -2 * wide)[:, None] * n
        return replace(one, vertices=x + 0.0, extent=r)

    @classmethod
    def capsule(cls, radius: float, length: float) -> Shape:
        """Create the capsule about z: an edge with a radius, so it is exact.

        Parameters
        ----------
        radius : float
            Its radius.
        length : float
            Distance between the centers of its ends.

        Returns
        -------
        Shape
            The capsule.

        Raises
        ------
        ArgumentError
            A length is not above 0 and at most 1e150.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Shape.capsule(0.1, 1).vertices.tolist()
        [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]
        """
        r, z = _positive("radius", radius), _positive("length", length) / 2
        shape = cls.triangles([[0, 0, -z], [0, 0, z]], (), [[0, 1]])
        return replace(shape, radii=np.full(2, r))

    @classmethod
    def ball(cls, radius: float) -> Shape:
        """Create the ball about the origin: a vertex with a radius, so it is exact.

        Parameters
        ----------
        radius : float
            Its radius.

        Returns
        -------
        Shape
            The ball.

        Raises
        ------
        ArgumentError
            A length is not above 0 and at most 1e150.
        """
        r = np.array([_positive("radius", radius)])
        one = cls.triangles(np.zeros((1, 3)), ())
        return cls(one.vertices, one.faces, one.edges, r, False, one.samples)

    @classmethod
    def points(cls, points: ArrayLike, radius: ArrayLike = 0.0) -> Shape:
        """Create a cloud of points with radii: balls, exact. As a value of a scene it is an obstacle.

        Parameters
        ----------
        points : array_like
            Coordinates, (n, 3). Leave out rows of a depth image that are NaN: nothing is known there.
        radius : array_like, default 0.0
            Radius of all points, or of each, (n,). A closed body that sweeps over a point without one collides.

        Returns
        -------
        Shape
            The cloud.

        Raises
        ------
        ArgumentError
            A radius is below 0 or above 1e150, or there are as many radii as neither 1 nor n.
        NonFiniteError
            A coordinate is not finite; the message names it.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
        >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        >>> cloud = ccd.robot.Shape.points([[0.5, 0.5, 0], [0.4, 0.6, 0], [0.3, 0.7, 0.02]], radius=0.01)
        >>> checker = ccd.robot.Checker(robot, {"cloud": cloud})
        >>> checker.free([0], [0.5]), checker.free([0], [1])
        (True, False)
        """
        x = arrays.finite("points", arrays.coordinates("points", points))
        one = np.ndim(radius) == 0
        r = np.array([arrays.number("radius", radius)]) if one else arrays.row("radius", radius)
        if not one and len(r) != len(x):
            raise ArgumentError(f"radius has {len(r)} items: must have {len(x)}, one for each point")
        wrong = np.flatnonzero(~((r >= 0) & (r <= 1e150)))
        if len(wrong):
            name = "radius" if one else f"radius[{wrong[0]}]"
            raise ArgumentError(f"{name} is {r[wrong[0]]}: must be at least 0 and finite")
        radii = np.ascontiguousarray(np.broadcast_to(r, len(x)))
        return cls(x, np.empty((0, 3), np.int32), np.empty((0, 2), np.int32), radii, False, np.arange(len(x)))

    @classmethod
    def boxes(cls, centers: ArrayLike, size: ArrayLike) -> list[Shape]:
        """Create boxes along the axes, as voxels or the leaves of an octomap. As a value of a scene they are an obstacle.

        Parameters
        ----------
        centers : array_like
            Centers, (n, 3).
        size : array_like
            Side of all boxes, or of each one, (n,), or three sides of each, (n, 3).

        Returns
        -------
        list of Shape
            The boxes: a solid each, whose vertices are rounded.

        Raises
        ------
        ArgumentError
            A side is not above 0 and at most 1e150, or `size` has another shape.
        NonFiniteError
            A center is not finite; the message names it.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> occupied = np.zeros((4, 4, 4), bool)
        >>> occupied[1, 2, 3] = occupied[1, 2, 2] = True
        >>> voxels = ccd.robot.Shape.boxes(0.05 * (np.argwhere(occupied) + 0.5), 0.05)
        >>> len(voxels), voxels[1].vertices.min(axis=0).round(3).tolist()
        (2, [0.05, 0.1, 0.15])
        """
        x = arrays.finite("centers", arrays.coordinates("centers", centers))
        s = arrays.finite("size", arrays.doubles("size", size))
        if s.shape not in ((), (len(x),), (len(x), 3)):
            raise ArgumentError(f"size has shape {s.shape}: must be a number, ({len(x)},) or ({len(x)}, 3)")
        wrong = np.argwhere(~((s > 0) & (s <= 1e150)))
        if len(wrong):
            place = "".join(f"[{i}]" for i in wrong[0])
            raise ArgumentError(f"size{place} is {s[tuple(wrong[0])]}: must be above 0 and finite")
        one = cls.box([1, 1, 1])
        sides = np.broadcast_to(s[:, None] if s.ndim == 1 else s, (len(x), 3))
        corners = arrays.finite("boxes", x[:, None] + one.vertices * sides[:, None])
        return [replace(one, vertices=corner) for corner in corners]

    def padded(self, distance: float) -> Shape:
        """Return the shape with all points within a distance of it: exact, because each vertex gets a larger radius.

        Parameters
        ----------
        distance : float
            How far the shape grows, at least 0 and at most 1e150.

        Returns
        -------
        Shape
            The shape, with the same vertices and rounded radii.

        Raises
        ------
        ArgumentError
            `distance` is out of range.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Shape.ball(0.5).padded(0.25).radii.tolist()
        [0.75]
        """
        d = arrays.within("distance", distance, "[0, 1e150]", "at least 0 and finite")
        return replace(self, radii=self.radii + d)

    def placed(self, rotation: ArrayLike, position: ArrayLike) -> Shape:
        """Return the shape in other coordinates.

        Parameters
        ----------
        rotation : array_like
            Rotation matrix, (3, 3).
        position : array_like
            Where the origin goes, (3,).

        Returns
        -------
        Shape
            The shape, with rounded vertices: these are what is tested.

        Raises
        ------
        ArgumentError
            `rotation` is not a rotation within 1e-6, or an array has another shape.
        NonFiniteError
            A number is not finite.
        """
        matrix, offset = check_rotation("rotation", rotation, 1e-6), arrays.finite("position", arrays.row("position", position))
        if len(offset) != 3:
            raise ArgumentError(f"position has {len(offset)} numbers: must have 3")
        x = arrays.finite("vertices", self.vertices @ matrix.T + offset)
        left = self.extent
        if math.isfinite(left):
            least = float(np.linalg.svd(matrix, compute_uv=False)[-1])  # below 1 where the matrix is a rotation but for 1e-6
            left = max(left * min(least, 1.0) - float(np.linalg.norm(offset)), 0.0) * (1 - 2.0**-40)
        return replace(self, vertices=x, extent=left)


def joined(shapes: list[Shape]) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Vertices, faces, codimensional edges and radii of several shapes together."""
    first = np.cumsum([0, *(len(s.vertices) for s in shapes)])
    x = np.vstack([np.empty((0, 3)), *(s.vertices for s in shapes)])
    f = np.vstack([np.empty((0, 3), np.int32), *(s.faces + np.int32(o) for s, o in zip(shapes, first))])
    e = np.vstack([np.empty((0, 2), np.int32), *(s.edges + np.int32(o) for s, o in zip(shapes, first))])
    return x, f, e, np.concatenate([np.empty(0), *(s.radii for s in shapes)])


def without(shape: Shape, unused: ArrayLike) -> Shape:
    """The shape without those of some vertices that are in no face and no edge."""
    listed = np.asarray(unused, np.int64).reshape(-1)
    wrong = listed[(listed < 0) | (listed >= len(shape.vertices))]
    if len(wrong):
        raise InvalidIndexError(f"surface.unused has {wrong[0]}: there are {len(shape.vertices)} vertices")
    left = np.ones(len(shape.vertices), bool)
    left[listed] = False
    left[shape.faces] = left[shape.edges] = True
    if left.all():
        return shape
    number = (np.cumsum(left) - 1).astype(np.int32)
    samples = number[shape.samples[left[shape.samples]]].astype(np.int64)
    faces, edges = number[shape.faces], number[shape.edges]
    return replace(shape, vertices=shape.vertices[left], faces=faces, edges=edges, radii=shape.radii[left], samples=samples)


def _ball_around(halvings: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """A polyhedron around the unit ball: an icosahedron whose edges are halved, moved outward until all faces are outside."""
    g = (1 + math.sqrt(5)) / 2
    x = np.array([p for a in (-1.0, 1.0) for b in (-g, g) for p in ((0, a, b), (a, b, 0), (b, 0, a))])
    near = np.linalg.norm(x[:, None] - x, axis=2) < 2.1
    f = np.array(
        [
            (i, j, k) if np.linalg.det(x[[i, j, k]]) > 0 else (i, k, j)
            for i in range(12) for j in range(i) for k in range(j) if near[i, j] and near[j, k] and near[k, i]
        ]
    )  # fmt: skip
    x /= np.linalg.norm(x, axis=1)[:, None]
    for _ in range(halvings):
        sides = np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        each, which = np.unique(sides, axis=0, return_inverse=True)
        middle = x[each].sum(axis=1)
        a, b, c = f.T
        p, q, r = (which.reshape(-1, 3) + len(x)).T
        x = np.vstack([x, middle / np.linalg.norm(middle, axis=1)[:, None]])
        f = np.vstack([np.c_[a, p, r], np.c_[b, q, p], np.c_[c, r, q], np.c_[p, q, r]])
    normal = np.cross(x[f[:, 1]] - x[f[:, 0]], x[f[:, 2]] - x[f[:, 0]])
    inward = ((normal / np.linalg.norm(normal, axis=1)[:, None]) * x[f[:, 0]]).sum(axis=1).min()
    return x * (_UP / float(inward)), f.astype(np.int32)


def _is_closed(faces: NDArray[np.int32]) -> bool:
    if not len(faces):
        return False
    directed = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    n = int(directed.max()) + 1
    forth, back = (np.sort(directed[:, a] * n + directed[:, b]) for a, b in ((0, 1), (1, 0)))
    return bool((np.diff(forth) > 0).all() and np.array_equal(forth, back))


def _components(count: int, faces: NDArray[np.int32]) -> NDArray[np.int64]:
    """The least vertex of each connected component; vertices in no face are components."""
    label = np.arange(count)
    while True:
        least = label[faces].min(axis=1) if len(faces) else np.empty(0, np.int64)
        new = label.copy()
        for corner in range(3):
            np.minimum.at(new, faces[:, corner], least)
        new = new[new]
        if np.array_equal(new, label):
            return np.unique(label)
        label = new


def _positive(name: str, value: Any) -> float:
    """A length above 0."""
    return arrays.within(name, value, "(0, 1e150]", "above 0 and finite")
