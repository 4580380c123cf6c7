"""The page as users see it: each method is a function of this package over the state."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid, volume
from .._inner import files
from .._inner.meshes import PoseLike
from ..impact import Kind
from ..mesh import Mesh
from ..motion import Motion
from ..patch import Impact as PatchImpact
from ..patch import Model
from . import _add_impacts, _add_near, _add_parts, _html, _patches
from ._contents import contents
from ._state import State

if TYPE_CHECKING:
    from .._inner.robots import Scene
    from ..robot import Path, Report, Robot

_T = TypeVar("_T")


class _Held(Generic[_T]):
    """An attribute of a page that its state holds under the same name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, page: None, owner: type) -> _Held[_T]: ...
    @overload
    def __get__(self, page: Page, owner: type) -> _T: ...
    def __get__(self, page: Page | None, owner: type) -> _T | _Held[_T]:
        if page is None:
            return self
        held: _T = getattr(page._state, self._name)
        return held

    def __set__(self, page: Page, value: _T) -> None:
        setattr(page._state, self._name, value)


class Page:
    """A page that shows a step, or the steps between the frames of a sequence.

    Parameters
    ----------
    title : str
        Title of the page.
    t_min : float, default 0.0
        Start of the time line.
    t_max : float or None, optional
        End of the time line: fractions of the step, or the times of rigid motions. None: the number of steps, which is 1
        without a sequence.
    up : {'x', 'y', 'z'} or None, optional
        Axis that points up; None: the axis along which things fall, else z.

    Attributes
    ----------
    facts : dict of str to str
        Facts that the page lists as they are.
    verdict : str
        Text in place of an empty list of impacts.
    impacts : list of dict
        Impacts that the page lists.
    near : list of dict
        Near pairs that the page lists.
    met : int
        Number of impacts, listed or not.
    near_found : int
        Number of near pairs, listed or not.
    near_in_mesh : int
        Number of pairs that are near in the mesh itself and were left out.
    near_means : str
        Meaning of a near pair.
    frame_names : list of str
        Names of the frames of a sequence, which the page shows beside the time; may be empty.

    Raises
    ------
    ArgumentError
        An argument has another type.
    NonFiniteError
        A time is not finite.

    See Also
    --------
    ccd.view : An example with a mesh.

    Examples
    --------
    >>> import ccd
    >>> ccd.view.Page("two sheets")
    <ccd.view.Page 'two sheets': 0 parts, 0 impacts, 0 near pairs>
    >>> page = ccd.view.Page("a triangle")
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> page.faces(page.add_mesh(ccd.Mesh([[0, 1, 2]]), x, x)).tolist()
    [[0, 1, 2]]
    >>> page.html().lower().startswith("<!doctype html>")
    True
    """

    t_min = _Held[float]()
    title = _Held[str]()
    up = _Held["str | None"]()
    facts = _Held[dict[str, str]]()
    verdict = _Held[str]()
    impacts = _Held[list[dict[str, Any]]]()
    near = _Held[list[dict[str, Any]]]()
    met = _Held[int]()
    near_found = _Held[int]()
    near_in_mesh = _Held[int]()
    near_means = _Held[str]()
    frame_names = _Held[list[str]]()

    def __init__(self, title: str, t_min: float = 0.0, t_max: float | None = None, up: str | None = None):
        self._state = State(title, t_min, t_max, up)

    def __repr__(self) -> str:
        return (
            f"<ccd.view.Page {self.title!r}: {len(self._state.parts)} parts, {self.met} impacts, {len(self.near)} near pairs>"
        )

    @property
    def t_max(self) -> float:
        """End of the time line."""
        return self._state.t_max

    @property
    def steps(self) -> int:
        """Number of steps: 1 without a sequence."""
        return self._state.steps

    def add_mesh(self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, name: str = "mesh") -> int:
        """Add a mesh whose vertices move on straight lines.

        Connected components are objects of their own, which the page lists with a name and a color. Codimensional edges
        and vertices with a radius (`Mesh.set_radii`) are drawn as capsules and balls; faces are drawn as they are.

        Parameters
        ----------
        mesh : Mesh
            The mesh.
        x0 : array_like
            Vertices at the start, (n, 3).
        x1 : array_like
            Vertices at the end, (n, 3).
        name : str, default 'mesh'
            Name of the part.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            An array has another shape, or `name` is no string.
        NonFiniteError
            A coordinate is not finite; the message names it.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
        >>> page = ccd.view.Page("a triangle rises")
        >>> page.add_mesh(ccd.Mesh([[0, 1, 2]]), x, x + [0, 0, 1], "triangle")
        0
        """
        return _add_parts.add_mesh(self._state, mesh, x0, x1, name)

    def add_sequence(
        self, mesh: Mesh | volume.Volume, frames: Sequence[ArrayLike], name: str = "mesh", cells: volume.Cells | None = None
    ) -> int:
        """Add a mesh or a volume in a sequence of frames; its vertices move on straight lines from each frame to the next.

        The time line then runs from 0 to the number of steps: t = 2.5 is half-way from frame 2 to frame 3. Impacts and
        near pairs of step k, from frame k to frame k + 1, are added with ``step=k``.

        Parameters
        ----------
        mesh : Mesh or ccd.volume.Volume
            The mesh or the volume.
        frames : sequence of array_like
            Vertices of each frame, (n, 3); two frames or more.
        name : str, default 'mesh'
            Name of the part.
        cells : ccd.volume.Cells, optional
            The elements of a volume.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            There are fewer than two frames, or they take more than `MOST_BYTES` bytes.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
        >>> frames = [x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.4 * k]) for k in range(4)]
        >>> page = ccd.view.Page("a triangle falls")
        >>> part = page.add_sequence(mesh, frames)
        >>> for k, (x0, x1) in enumerate(zip(frames, frames[1:])):
        ...     page.add_impacts(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1), part, step=k)
        >>> page.steps, page.met, page.impacts[0]["step"]
        (3, 3, 2)
        """
        return _add_parts.add_sequence(self._state, mesh, frames, name, cells)

    def add_motion(self, mesh: Mesh, motion: Motion, name: str = "mesh", frames: int | None = None) -> int:
        """Add a mesh whose vertices move on paths that are not straight.

        The page draws chords between positions at equal times, `Motion.at`; the time line is that of the motion, from 0 to 1.
        Motions on one page must have one number of frames.

        Parameters
        ----------
        mesh : Mesh
            The mesh.
        motion : ccd.Motion
            How its vertices move.
        name : str, default 'mesh'
            Name of the part.
        frames : int, optional
            Number of positions, at least 2; else 17 to 513, until chords differ from the paths by a thousandth of the scene.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            The motion has another number of vertices, or the frames take more than `MOST_BYTES` bytes.

        See Also
        --------
        add_motion_impacts : Its impacts.

        Examples
        --------
        >>> import math, numpy as np, ccd
        >>> mesh = ccd.Mesh([[0, 1, 2]])
        >>> turn = ccd.rigid.Motion(angular_velocity=(0, 0, math.pi))
        >>> page = ccd.view.Page("a triangle turns")
        >>> page.add_motion(mesh, ccd.Motion.rigid([[1, 0, 0], [2, 0, 0], [1, 0, 1]], turn))
        0
        >>> page.steps, page.t_max
        (32, 1.0)
        """
        return _add_parts.add_motion(self._state, mesh, motion, name, frames)

    def add_robot(
        self,
        robot: Robot,
        path: Path,
        scene: Scene = (),
        report: Report | None = None,
        rest: Mapping[str, float] | None = None,
        frames: int | None = None,
        continuous: str | None = None,
    ) -> int:
        """Add a robot on its path, with a scene that rests, and the contacts of a report.

        The time line is that of the path's edges: from 0 to their number. Each link and each object of the scene can be
        shown, hidden and colored. Balls and capsules are drawn as such.

        Parameters
        ----------
        robot : ccd.robot.Robot
            The robot.
        path : ccd.robot.Path
            The path.
        scene : mapping or sequence, optional
            Objects that rest, as for `ccd.robot.check`.
        report : ccd.robot.Report, optional
            What `ccd.robot.check` returned for these: its contacts are marked.
        rest : mapping, optional
            Values of joints that the path has no column for.
        frames : int, optional
            Steps that are drawn of each edge; else 4 to 64, about 0.05 radians each.
        continuous : str, optional
            How continuous joints go, as for `ccd.robot.check`: as in the report, or ``"shortest"`` without one.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            A joint is missing or unknown, `continuous` is not that of the report, the report is of another robot, or the frames
            take more than `MOST_BYTES` bytes.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
        >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        >>> scene = {"pole": ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])}
        >>> path = ccd.robot.Path(["turn"], [[0], [3]])
        >>> page = ccd.view.Page("an arm meets a pole")
        >>> page.add_robot(robot, path, scene, ccd.robot.check(robot, path, scene))
        0
        >>> page.t_max, page.met, round(page.impacts[0]["time"], 4)
        (1.0, 1, 0.2181)
        """
        return _add_parts.add_robot(self._state, robot, path, scene, report, rest, frames, continuous)

    def add_body(self, vertices: ArrayLike, faces: ArrayLike, motion: rigid.Motion | PoseLike, name: str = "body") -> int:
        """Add a rigid body.

        Parameters
        ----------
        vertices : array_like
            Vertices in the body's coordinates, (n, 3).
        faces : array_like
            Triangles, (m, 3) vertex indices.
        motion : ccd.rigid.Motion or array_like
            How the body moves and turns, or the pose of a body at rest.
        name : str, default 'body'
            Name of the part.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        InvalidIndexError
            A vertex index is out of range.

        Examples
        --------
        >>> import ccd
        >>> page = ccd.view.Page("a plate turns")
        >>> page.add_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], ccd.rigid.Motion(angular_velocity=(0, 0, 1)), "plate")
        0
        """
        return _add_parts.add_body(self._state, vertices, faces, motion, name)

    def add_volume(self, cells: volume.Cells, mesh: volume.Volume, x0: ArrayLike, x1: ArrayLike, name: str = "volume") -> int:
        """Add the surface of a volume's elements.

        Quadrilateral sides are split into triangles as the volume splits them.

        Parameters
        ----------
        cells : ccd.volume.Cells
            The elements.
        mesh : ccd.volume.Volume
            The volume of these elements.
        x0 : array_like
            Vertices at the start, (n, 3).
        x1 : array_like
            Vertices at the end, (n, 3).
        name : str, default 'volume'
            Name of the part.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            An argument has another type or shape, or the volume is not of these elements.
        NonFiniteError
            A coordinate is not finite; the message names it.

        See Also
        --------
        add_volume_impacts : Its impacts, with an example.
        """
        return _add_parts.add_volume(self._state, cells, mesh, x0, x1, name)

    def add_patches(self, model: Model | _patches.NurbsSurface, x0: ArrayLike, x1: ArrayLike, name: str = "patches") -> int:
        """Add curved patches, drawn as triangles between points of the surface.

        Parameters
        ----------
        model : ccd.patch.Model
            The patches. The surfaces that the command ``ccd view`` reads are accepted too.
        x0 : array_like
            Control points at the start, (n, 3).
        x1 : array_like
            Control points at the end, (n, 3).
        name : str, default 'patches'
            Name of the part.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            An argument has another type or shape.
        NonFiniteError
            A coordinate is not finite; the message names it.

        See Also
        --------
        add_patch_impacts : Impacts of two of them, with an example.
        """
        return _add_parts.add_patches(self._state, model, x0, x1, name)

    def add_impacts(
        self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0, step: int = 0
    ) -> None:
        """Add impacts of a step.

        Parameters
        ----------
        mesh : Mesh
            The mesh of the step.
        x0 : array_like
            Its vertices at the start, (n, 3).
        x1 : array_like
            Its vertices at the end, (n, 3).
        impacts : numpy.ndarray
            Impacts (k,) of `ccd.step.collisions`.
        part : int, default 0
            Number of the mesh's part.
        step : int, default 0
            Number of the step in a sequence.

        Raises
        ------
        ArgumentError
            An array has another shape or dtype, or there is no such part or step.
        InvalidIndexError
            An impact is not of this mesh; the message names it.
        NonFiniteError
            A coordinate is not finite; the message names it.
        """
        _add_impacts.add_impacts(self._state, mesh, x0, x1, impacts, part, step)

    def add_motion_impacts(self, mesh: Mesh, impacts: NDArray[Any], part: int = 0, vertices: ArrayLike | None = None) -> None:
        """Add impacts of a motion, at times of the whole motion; separate pairs add nothing.

        Parameters
        ----------
        mesh : Mesh
            The mesh of the part.
        impacts : numpy.ndarray
            Impacts (k,) whose a and b are primitives of the mesh; or, with `vertices`, those of `Motion.pairs`.
        part : int, default 0
            Number of the part, which `add_motion` returned.
        vertices : array_like, optional
            What `Motion.pairs` was given: the vertices of its pairs, (m, k).

        Raises
        ------
        ArgumentError
            An impact is of a pair that is not there.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh([[0, 1, 2]], vertices=4)
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.75]])
        >>> fall = ccd.Motion.accelerated(x, 0 * x, np.outer([0, 0, 0, 1], [0, 0, -6]))
        >>> page, pair = ccd.view.Page("a point falls"), [[3, 0, 1, 2]]
        >>> part = page.add_motion(mesh, fall)
        >>> page.add_motion_impacts(mesh, fall.pairs("vertex-face", pair), part, pair)
        >>> page.met, page.impacts[0]["time"]
        (1, 0.5)
        """
        _add_impacts.add_motion_impacts(self._state, mesh, impacts, part, vertices)

    def add_rigid_impact(self, hit: rigid.Impact, a: int, b: int, shape: rigid.Shape | str | int = rigid.Shape.FACE) -> None:
        """Add the impact of two bodies, or of a body and a primitive of a mesh.

        Parameters
        ----------
        hit : ccd.rigid.Impact
            The impact; one without contact adds nothing.
        a : int
            Number of the part of the first body.
        b : int
            Number of the part of the second body, or of the mesh.
        shape : ccd.rigid.Shape or str or int, default Shape.FACE
            Shape of the primitive of a mesh.

        Raises
        ------
        ArgumentError
            `hit` is of another type, or there is no such part.
        InvalidIndexError
            The impact is not of these parts.

        Examples
        --------
        >>> import ccd
        >>> x, faces = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
        >>> body, rest = ccd.rigid.Body(x, faces), ccd.rigid.Motion()
        >>> fall = ccd.rigid.Motion(position=(0, 0, 1), velocity=(0, 0, -2))
        >>> page = ccd.view.Page("two plates")
        >>> a, b = page.add_body(x, faces, fall, "falling"), page.add_body(x, faces, rest, "lying")
        >>> page.add_rigid_impact(ccd.rigid.earliest(body, fall, body, rest), a, b)
        >>> page.met
        1
        """
        _add_impacts.add_rigid_impact(self._state, hit, a, b, shape)

    def add_volume_impacts(
        self, cells: volume.Cells, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0, step: int = 0
    ) -> None:
        """Add impacts of a volume, with the elements of the pairs.

        Parameters
        ----------
        cells : ccd.volume.Cells
            The elements.
        x0 : array_like
            Vertices at the start, (n, 3).
        x1 : array_like
            Vertices at the end, (n, 3).
        impacts : numpy.ndarray
            Impacts (k,) of `ccd.volume.collisions`.
        part : int, default 0
            Number of the volume's part.
        step : int, default 0
            Number of the step in a sequence.

        Raises
        ------
        ArgumentError
            An argument has another type, shape or dtype, or there is no such part or step.
        InvalidIndexError
            An impact is not of this volume; the message names it.
        NonFiniteError
            A coordinate is not finite; the message names it.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1.0]])
        >>> x1 = x0 - np.outer([0, 0, 0, 2], [0, 0, 1])  # the apex passes through the base
        >>> cells = ccd.volume.Cells(x0, np.array([10], np.int32), np.arange(4, dtype=np.int32))
        >>> volume, page = cells.volume(), ccd.view.Page("a tetrahedron")
        >>> part = page.add_volume(cells, volume, x0, x1)
        >>> page.add_volume_impacts(cells, x0, x1, ccd.volume.collisions(volume, x0, x1), part)
        >>> page.met
        1
        """
        _add_impacts.add_volume_impacts(self._state, cells, x0, x1, impacts, part, step)

    def add_patch_impacts(self, impacts: Iterable[PatchImpact], a: int, b: int) -> None:
        """Add impacts of two bodies of patches.

        Parameters
        ----------
        impacts : iterable of ccd.patch.Impact
            The impacts; separate ones add nothing.
        a : int
            Number of the part of the first body.
        b : int
            Number of the part of the second body.

        Raises
        ------
        ArgumentError
            `impacts` holds what is no `ccd.patch.Impact`, or there is no such part.
        InvalidIndexError
            An impact is not of these parts; the message names it.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> form = ccd.patch.Form.quad(1, 1)
        >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0.0]])
        >>> model = ccd.patch.Model(x, [form], np.arange(4, dtype=np.int32), None, 0.0)
        >>> page, up = ccd.view.Page("two squares"), [0, 0, 1]
        >>> a, b = page.add_patches(model, x, x, "floor"), page.add_patches(model, x + up, x - up, "falling")
        >>> body = model.body()
        >>> hit = ccd.patch.earliest(body, x, x, body, x + up, x - up)
        >>> page.add_patch_impacts([hit], a, b)
        >>> page.met
        1
        """
        _add_impacts.add_patch_impacts(self._state, impacts, a, b)

    def add_near(
        self,
        mesh: Mesh,
        x0: ArrayLike,
        pairs: Mapping[Kind, NDArray[np.int64]],
        part: int = 0,
        of: volume.Volume | None = None,
        step: int = 0,
        neighbors: bool = False,
    ) -> None:
        """Add pairs that came near and have no impact, in the order of their smallest distance in the step.

        Distances are sampled at times of the step, so a smaller one may lie between two of them. Of more than 50,000 pairs
        of a kind only those whose centers come nearest are measured.

        Parameters
        ----------
        mesh : Mesh
            The mesh of the step.
        x0 : array_like
            Its vertices at the start, (n, 3).
        pairs : mapping of Kind to numpy.ndarray
            For each kind the indices of the two primitives, (k, 2).
        part : int, default 0
            Number of the mesh's part.
        of : ccd.volume.Volume, optional
            The volume that the mesh is the surface of; edges and faces then have the volume's indices.
        step : int, default 0
            Number of the step in a sequence.
        neighbors : bool, default False
            Whether to add pairs that are near in the mesh, too: pairs that two edges or fewer join, and pairs of one connected
            component whose centers are a mean edge or more apart and do not approach by a tenth.

        Raises
        ------
        ArgumentError
            An argument has another type or shape, or there is no such part or step.
        InvalidIndexError
            A pair is out of range; the message names it.
        NonFiniteError
            A coordinate is not finite; the message names it.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
        >>> down = x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.9])
        >>> page = ccd.view.Page("a triangle comes near")
        >>> part = page.add_mesh(mesh, x, down)
        >>> found = ccd.broad.candidates(mesh, x, down, min_separation=0.2)
        >>> page.add_near(mesh, x, {kind: found[kind] for kind in ccd.Kind}, part)
        >>> page.near_found == len(found)
        True
        """
        _add_near.add_near(self._state, mesh, x0, pairs, part, of, step, neighbors)

    def add_near_found(self, mesh: Mesh, found: NDArray[Any], starts: Sequence[int], time: float) -> None:
        """Add pairs that are near each other at one time, of all parts in one mesh.

        Parameters
        ----------
        mesh : Mesh
            The mesh of all parts.
        found : numpy.ndarray
            Pairs (k,) of `ccd.proximity.near`.
        starts : sequence of int
            First vertex of each part in the mesh.
        time : float
            The time.

        Raises
        ------
        ArgumentError
            An argument has another type, shape or dtype, or there is no such part.
        InvalidIndexError
            A pair is out of range; the message names it.
        NonFiniteError
            `time` is not finite.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> one = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
        >>> page = ccd.view.Page("two parts")
        >>> parts = [page.add_mesh(ccd.Mesh([[0, 1, 2]]), y, y) for y in (one, one + [0, 0, 0.1])]
        >>> both = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
        >>> near = ccd.proximity.near(both, np.vstack([one, one + [0, 0, 0.1]]), 0.2)
        >>> page.add_near_found(both, near, starts=[0, 3], time=0)
        >>> page.near_found == len(near)
        True
        """
        _add_near.add_near_found(self._state, mesh, found, starts, time)

    def add_near_patches(self, a: int, b: int, min_separation: float = 0.0) -> None:
        """Add pairs of patches of two parts whose boxes overlap and that have no impact; the nearest centers come first.

        If both parts are the same, pairs that share a control point are skipped: they always touch.

        Parameters
        ----------
        a : int
            Number of the first part.
        b : int
            Number of the second part.
        min_separation : float, default 0.0
            Length by which boxes are inflated.

        Raises
        ------
        ArgumentError
            There is no such part, or `min_separation` is out of range.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> form = ccd.patch.Form.quad(1, 1)
        >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0.0]])
        >>> model = ccd.patch.Model(x, [form], np.arange(4, dtype=np.int32), None, 0.0)
        >>> page = ccd.view.Page("two squares")
        >>> a, b = page.add_patches(model, x, x, "floor"), page.add_patches(model, x + 0.1, x + 0.1, "above")
        >>> page.add_near_patches(a, b, min_separation=0.2)
        >>> page.near_found
        1
        """
        _add_near.add_near_patches(self._state, a, b, min_separation)

    def faces(self, part: int) -> NDArray[Any]:
        """Return the triangles of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        numpy.ndarray
            Vertex indices in the part, (n, 3).

        Raises
        ------
        ArgumentError
            There is no such part.
        """
        return self._state.parts[self._state.number("part", part)].faces

    def html(self) -> str:
        """Return the page as text.

        Returns
        -------
        str
            HTML with everything in it.
        """
        return _html.document(contents(self._state))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, atomically: a failure leaves the old file.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Raises
        ------
        FileError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile, ccd
        >>> path = os.path.join(tempfile.mkdtemp(), "page.html")
        >>> ccd.view.Page("two sheets").write(path)
        >>> os.path.getsize(path) > 0
        True
        """
        files.whole(path, self.html().encode())
