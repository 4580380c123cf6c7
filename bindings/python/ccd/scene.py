"""Scenes that live over many steps: a mesh with its positions, of which some vertices move in each step.

A call costs what moves, not what the scene contains. `Scene.step` takes the vertices that move and their positions at
t = 1, and makes a `ccd.Step`, whose methods are the calls.
"""

from __future__ import annotations

import ctypes
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays
from ._native.by_name import options_by_name
from ._native.call import Call, check, create
from ._native.steps import LONG, Ends
from .errors import ArgumentError, no_mesh
from .mesh import Mesh
from .step import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


class State(NamedTuple):
    """What a scene knows of the edges and faces that share a point.

    Attributes
    ----------
    known : int
        Vertices whose state is known; the state of the scene is known if these are all.
    crossings : int
        Edge-face pairs of these vertices that share a point. Filters apply; pairs with a common vertex do not count.
    """

    known: int
    crossings: int


class Part(NamedTuple):
    """A part of a scene, and its numbers in the scene.

    Primitive i of the part's mesh has the number ``vertices[i]``, ``edges[i]`` or ``faces[i]``, as long as the part is there.

    Attributes
    ----------
    id : int
        Of the part: 0 for the mesh with which the scene was created, then 1, 2, ...; never used again.
    vertices : range
        Numbers of its vertices.
    edges : range
        Numbers of its edges.
    faces : range
        Numbers of its faces.
    """

    id: int
    vertices: range
    edges: range
    faces: range


class Scene:
    """A mesh with its positions, for steps in which some vertices move: a large static world with a few movers.

    A `step` takes ``moved``, the vertices that move, in ascending order, and ``x1``, a row for each of them; all others
    stay. Pairs of which no vertex is in ``moved`` are skipped, even if they touch. Results have the bits of `ccd.step` for
    the same motion on a mesh whose other vertices are static (`Mesh.set_static`), after any number of commits. A static
    vertex of the mesh may be in ``moved`` if it stays; it then counts as one that is not.

    Threads may share a scene; its calls run one after the other. It has the groups, static vertices, exclusions and radii
    that the mesh has now: after any of them is set, calls raise ArgumentError. It is freed with its last reference, or by
    `close`; it is a context manager.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Positions of all vertices, (n, 3).

    Raises
    ------
    ArgumentError
        `x0` has another shape.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names it.

    See Also
    --------
    ccd.step : Steps without a memory.

    Examples
    --------
    A triangle falls onto another in two steps. The first is proven to the end; the second stops before the contact.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> scene = ccd.scene.Scene(mesh, x0)
    >>> scene.check()
    State(known=6, crossings=0)
    >>> falling = [3, 4, 5]
    >>> x = x0[falling] - [0, 0, 0.75]
    >>> scene.step(falling, x).earliest().separate
    True
    >>> scene.commit_proven()
    >>> alpha, x = scene.step(falling, x - [0, 0, 0.75]).advance(share=0.9)
    >>> scene.commit(falling, x)
    >>> round(alpha, 6), scene.positions[3].round(6).tolist(), scene.state
    (0.3, [0.2, 0.2, 0.025], State(known=6, crossings=0))
    >>> step = scene.step(falling, x - [0, 0, 1])
    >>> len(step.collisions()), round(step.size(), 6)
    (3, 0.025)
    >>> scene.reset(x0)
    >>> scene.state.known
    0
    """

    def __init__(self, mesh: Mesh, x0: ArrayLike):
        if not isinstance(mesh, Mesh):
            raise no_mesh("mesh", mesh)
        x, lib = arrays.coordinates("x0", x0), abi.library()
        if len(x) != mesh._vertices:
            raise ArgumentError(f"x0 has {len(x)} vertices: the mesh has {mesh._vertices}")
        self._handle = ctypes.c_void_p()
        create(x.nbytes, lib.ccd_scene_create, lib.ccd_scene_destroy, self._handle, mesh._handle, x.ctypes, len(x))
        self._free = weakref.finalize(self, _destroy, self._handle)

    def close(self) -> None:
        """Free the scene now. Running calls on other threads complete; later ones raise HandleError."""
        self._free()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a ccd.scene.Scene cannot be pickled or copied: create one from the mesh and its positions")

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def add(self, mesh: Mesh, x: ArrayLike) -> Part:
        """Add a mesh to the scene. The cost is that of the mesh.

        The part has the filters and radii that the mesh has now; later changes do not concern it, so the same mesh may be
        added again. Groups belong to a part: vertices of different parts are in different groups, whatever their ids. Numbers
        of the part follow those of the others, or are in the first gap that removed parts have left where all of them fit.
        The `state` of its vertices is unknown.

        Parameters
        ----------
        mesh : Mesh
            The mesh, with its filters.
        x : array_like
            Positions of its vertices, (n, 3).

        Returns
        -------
        Part
            Its id and its numbers in the scene.

        Raises
        ------
        Error
            As the constructor; the scene is as before.

        Examples
        --------
        >>> import ccd
        >>> triangle = ccd.Mesh(faces=[[0, 1, 2]])
        >>> scene = ccd.scene.Scene(triangle, [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        >>> part = scene.add(triangle, [[0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
        >>> part.id, part.vertices, part.faces
        (1, range(3, 6), range(1, 2))
        >>> hit = scene.step(part.vertices, scene.positions[part.vertices] - [0, 0, 2]).earliest()
        >>> hit.toi_lo, hit.b in part.faces
        (0.5, False)
        >>> scene.remove(part)
        >>> len(scene.parts)
        1
        """
        if not isinstance(mesh, Mesh):
            raise no_mesh("mesh", mesh)
        to, out = arrays.coordinates("x", x), abi.ScenePart()
        if len(to) != mesh._vertices:
            raise ArgumentError(f"x has {len(to)} vertices: the mesh has {mesh._vertices}")
        check(abi.library().ccd_scene_add(self._handle, mesh._handle, to.ctypes, len(to), ctypes.byref(out)))
        return _part(out)

    def remove(self, part: Part | int) -> None:
        """Remove a part. Its numbers are free; other parts keep theirs.

        Parameters
        ----------
        part : Part or int
            The part, or its id; 0 is the mesh with which the scene was created.

        Raises
        ------
        InvalidIndexError
            The scene has no such part.
        """
        of = part.id if isinstance(part, Part) else part
        check(abi.library().ccd_scene_remove(self._handle, arrays.integer("part", of, -(2**63), 2**63 - 1)))

    @property
    def parts(self) -> list[Part]:
        """Parts of the scene in the order of their numbers, list of `Part`."""
        lib, count = abi.library(), ctypes.c_size_t()
        check(lib.ccd_scene_parts(self._handle, None, 0, ctypes.byref(count)))
        while True:
            room = count.value
            out = (abi.ScenePart * room)()
            status = lib.ccd_scene_parts(self._handle, out, room, ctypes.byref(count))
            if count.value <= room:
                check(status)
                return [_part(p) for p in out[: count.value]]

    def step(self, moved: ArrayLike, x1: ArrayLike) -> Step:
        """Return the step on which some vertices move from where they are when a call begins.

        Parameters
        ----------
        moved : array_like
            Vertices that move, (k,) integers in ascending order. An int32 array in C order is referred to, another is copied.
        x1 : array_like
            Their positions at t = 1, (k, 3).

        Returns
        -------
        Step
            The step; arrays of its calls have a row for each vertex in `moved`. Options: the method must be exact, and
            ``scene_bound`` must not be given. ``check_start=True`` costs nothing where `state` is known and no crossing has a
            vertex in `moved`.

        Raises
        ------
        ArgumentError
            An array has another shape. Calls also raise it where a static vertex moves, or a filter of the mesh was set after
            the scene was created, and InvalidIndexError where `moved` is out of range, repeated or not in order.
        Error
            As `ccd.Step`.

        Notes
        -----
        A call that proves the whole motion lets `commit` keep the `state`: `ccd.Step.earliest`, ``collisions``, ``visit``,
        ``intervals`` and ``activeset`` that find nothing with ``t_max=1``, ``size`` and ``linesearch`` that return 1, and
        ``advance`` and ``sizes``.

        Examples
        --------
        One body falls onto the ground, another does not reach it:

        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5], [6, 7, 8]])
        >>> ground = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0.0]])
        >>> scene = ccd.scene.Scene(mesh, np.vstack([ground, 0.2 * ground + [1, 1, 0.1], 0.2 * ground + [1, 1, 9]]))
        >>> falling = np.arange(3, 9)
        >>> sizes = scene.step(falling, scene.positions[falling] - [0, 0, 1]).sizes(groups=[0, 0, 0, 1, 1, 1])
        >>> sizes.alpha.round(2).tolist()
        [0.09, 0.09, 0.09, 1.0, 1.0, 1.0]
        >>> scene.commit_proven()
        >>> (scene.positions[falling] == sizes.y).all()
        np.True_
        """
        vertices, to = self._rows(moved, "x1", x1)
        found = Ends(len(vertices), "moved", (vertices.ctypes, to.ctypes, len(vertices)), keep=(vertices, to))
        create = abi.library().ccd_step_create_scene
        return Step._made(found, create, self._handle, *found.arguments, long=self._vertices >= LONG)

    def commit(self, moved: ArrayLike, x: ArrayLike) -> None:
        """Place some vertices.

        If the last call proved the motion of just these vertices to just these doubles, `state` is kept: a proven step
        changes no crossing. Otherwise the state becomes unknown for the vertices whose positions change.

        Parameters
        ----------
        moved : array_like
            Vertices, (k,) integers in ascending order; static ones are allowed.
        x : array_like
            Their positions, (k, 3).

        Raises
        ------
        Error
            As the calls of `step`; the scene is as before.
        """
        vertices, to = self._rows(moved, "x", x)
        check(abi.library().ccd_scene_commit(self._handle, vertices.ctypes, to.ctypes, len(vertices)))

    def commit_proven(self) -> None:
        """Place the vertices at the positions to which the last call proved the motion.

        These are ``x`` of `ccd.Step.advance`, ``y`` of `ccd.Step.sizes`, and ``x1`` of the other calls.

        Raises
        ------
        ArgumentError
            No motion is proven: the last call found an impact or failed, or there was none since the last commit.
        """
        check(abi.library().ccd_scene_commit_proven(self._handle))

    def reset(self, x: ArrayLike) -> None:
        """Place all vertices. Nothing is known of intersections there.

        Parameters
        ----------
        x : array_like
            Positions of all vertices, (n, 3), as `positions`; rows whose part was removed are not read.

        Raises
        ------
        Error
            As the constructor.
        """
        to = arrays.coordinates("x", x)
        check(abi.library().ccd_scene_reset(self._handle, to.ctypes, len(to)))

    @property
    def positions(self) -> NDArray[np.float64]:
        """Copy of the positions of all vertices, (n, 3) float64; rows whose part was removed are 0."""
        x = np.empty((self._vertices, 3))
        check(abi.library().ccd_scene_positions(self._handle, x.ctypes, len(x)))
        return x

    @property
    def state(self) -> State:
        """What is known of the edges and faces that share a point, `State`.

        Nothing is known at first, or after `reset`. `check` makes the state known, and proven commits keep it. With 0
        crossings and a known state a separate step proves that nothing passes through anything.
        """
        known, crossings = ctypes.c_size_t(), ctypes.c_size_t()
        check(abi.library().ccd_scene_state(self._handle, ctypes.byref(known), ctypes.byref(crossings)))
        return State(known.value, crossings.value)

    @options_by_name
    def check(self, **options: Unpack[Options]) -> State:
        """Make the state known: test the edges and faces of the vertices whose state is unknown.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`: ``threads``, ``memory_limit``, ``progress`` and ``stats`` count.

        Returns
        -------
        State
            The state, with all vertices known.

        Raises
        ------
        Error
            As `ccd.proximity.intersections`; the state is as before.
        """
        call = Call(options, long=self._vertices >= LONG)
        call(abi.library().ccd_scene_check, self._handle, call.options)
        return self.state

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.scene.Scene, closed>"
        return f"<ccd.scene.Scene of {self._vertices} vertices>"

    @property
    def _vertices(self) -> int:
        """The number after the last vertex in use."""
        count = ctypes.c_size_t()
        check(abi.library().ccd_scene_counts(self._handle, ctypes.byref(count), None, None))
        return count.value

    def _rows(self, moved: ArrayLike, name: str, x: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        vertices, to = arrays.ids("moved", moved), arrays.coordinates(name, x)
        if len(vertices) != len(to):
            raise ArgumentError(f"{name} has {len(to)} rows: moved has {len(vertices)} vertices")
        return vertices, to


def _part(p: abi.ScenePart) -> Part:
    """A part as Python gives it."""
    first = (p.first_vertex, p.first_edge, p.first_face)
    return Part(p.id, *(range(i, i + n) for i, n in zip(first, (p.vertices, p.edges, p.faces))))


def _destroy(handle: ctypes.c_void_p) -> None:
    """Destroy a scene whose last reference is gone. A failure, as in a forked child, has no caller to report to."""
    if handle.value:
        abi.library().ccd_scene_destroy(handle)
