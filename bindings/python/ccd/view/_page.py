"""The page: what it holds, in the units of the scene; and how that becomes text, in the units of the page."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid, volume
from .._io import write
from .._native import arrays
from ..errors import ArgumentError, InvalidIndexError, NonFiniteError, shown
from ..impact import EDGE_FACE, IntersectionKind, Kind, Verdict, impact_dtype, kind_of
from ..mesh import Mesh
from ..motion import Motion
from ..patch import Impact as PatchImpact
from ..patch import Model
from ..rigid._motion import to_motion
from ..rigid._pose import PoseLike
from ..verify import corners
from . import _html, _motions, _patches, _rows, _thick, _volumes
from ._contents import Marks, contents
from ._parts import COLORS, Objects, Part, components

if TYPE_CHECKING:
    from ..robot import Path, Report, Robot
    from ..robot._check import Scene

MOST_PAIRS = 5000
"""Most impacts, and most near pairs, that a page of one step lists: the earliest and the nearest of them.

In a sequence each step has an equal share of it, and at least 20.
"""
MOST_DRAWN = 200_000
"""Most impacts that are marked: the earliest of them; in a sequence, of each step its share."""
MOST_BYTES = 1 << 28
"""Most bytes that the frames of a sequence take in a page: 12 for each vertex in each frame."""

_OVERLAP = "pairs whose swept boxes overlap and that do not meet"
_NO_KEYS = np.empty(0, np.int64)
_LEAST_SHARE = 20  # impacts, and near pairs, that each step of a sequence may list

_T = TypeVar("_T")


def _is(name: str, x: Any, kind: type[_T]) -> _T:
    if not isinstance(x, kind):
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a {kind.__module__.split('._')[0]}.{kind.__name__}")
    return x


def _frames(mesh: Any, x0: ArrayLike, x1: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two frames of a mesh or volume, in coordinates that can be drawn."""
    if not isinstance(mesh, volume.Volume):
        _is("mesh", mesh, Mesh)
    count = mesh.counts[0]
    return arrays.frame("x0", x0, count), arrays.frame("x1", x1, count)


def _fitting(frames: int, vertices: int) -> None:
    """Refuse a sequence that is too large for a page."""
    if 12 * frames * vertices > MOST_BYTES:
        most = MOST_BYTES // (12 * max(vertices, 1))
        raise ArgumentError(f"frames: {frames:,} of {vertices:,} vertices do not fit into one page: give at most {most:,}")


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
    """

    def __init__(self, title: str, t_min: float = 0.0, t_max: float | None = None, up: str | None = None):
        if not isinstance(title, str):
            raise ArgumentError(f"title is {type(title).__name__}: must be a string")
        if up is not None and (not isinstance(up, str) or up not in ("x", "y", "z")):
            raise ArgumentError(f"up is {shown(up)}: must be 'x', 'y', 'z' or None")
        self.title = title
        self.t_min: float = arrays.number("t_min", t_min)
        self._t_max = None if t_max is None else arrays.number("t_max", t_max)
        for name, t in (("t_min", self.t_min), ("t_max", self._t_max)):
            if t is not None and not math.isfinite(t):
                raise NonFiniteError(f"{name} is {t}: must be finite")
        self.up = up
        self.facts: dict[str, str] = {}
        self.verdict = "no impacts: proven separate"
        self.impacts: list[dict[str, Any]] = []
        self.near: list[dict[str, Any]] = []
        self.met: int = 0
        self.near_found: int = 0
        self.near_means: str = ""
        self.frame_names: list[str] = []
        self._drawn = 0  # impacts that have a mark
        self._keys: dict[tuple[int, int, Kind], list[NDArray[np.int64]]] = {}  # of all impacts, by part, step, kind: _rows.keys
        self._patches: set[tuple[int, int, int, int]] = set()  # of all impacts of patches: parts and patches
        self._parts: list[Part] = []
        self._marks: list[Marks] = []

    def __repr__(self) -> str:
        return f"<ccd.view.Page {self.title!r}: {len(self._parts)} parts, {self.met} impacts, {len(self.near)} near pairs>"

    @property
    def t_max(self) -> float:
        """End of the time line."""
        return float(self.steps) if self._t_max is None else self._t_max

    @property
    def steps(self) -> int:
        """Number of steps: 1 without a sequence."""
        return max((part.steps for part in self._parts), default=1)

    # ---- parts

    def add_mesh(self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, name: str = "mesh") -> int:
        """Add a mesh whose vertices move on straight lines.

        Connected components are objects of their own, which the page lists with a name and a colour. Codimensional edges
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
        """
        return self._add_mesh(mesh, list(_frames(mesh, x0, x1)), name)

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
        if not isinstance(mesh, volume.Volume):
            _is("mesh", mesh, Mesh)
        count = mesh.counts[0]
        if len(frames) < 2:
            raise ArgumentError(f"frames: {len(frames)} given: must be two or more")
        _fitting(len(frames), count)
        held = [arrays.frame(f"frames[{k}]", x, count) for k, x in enumerate(frames)]
        if isinstance(mesh, volume.Volume):
            return self._add_volume(_is("cells", cells, volume.Cells), mesh, held, name)
        return self._add_mesh(mesh, held, name)

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
        count = _is("mesh", mesh, Mesh).counts[0]
        if _is("motion", motion, Motion).vertices != count:
            raise ArgumentError(f"motion has {motion.vertices} vertices: the mesh has {count}")
        held = _motions.drawn(motion, frames, MOST_BYTES // (12 * max(count, 1)))
        _fitting(len(held), count)
        if self._t_max is None:
            self._t_max = 1.0
        return self._add_mesh(mesh, held, name)

    def add_robot(
        self,
        robot: Robot,
        path: Path,
        scene: Scene = (),
        report: Report | None = None,
        rest: Mapping[str, float] | None = None,
        frames: int | None = None,
    ) -> int:
        """Add a robot on its path, with a scene that rests, and the contacts of a report.

        The time line is that of the path's edges: from 0 to their number. Each link and each object of the scene can be
        shown, hidden and coloured. Balls and capsules are drawn as such.

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

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        ArgumentError
            A joint is missing or unknown, the report is of another robot, or the frames take more than `MOST_BYTES` bytes.

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
        from ..robot import Robot as RobotType
        from ..robot import _check
        from ..robot._bodies import Bodies
        from ._robots import Track

        _is("robot", robot, RobotType)
        each = None if frames is None else arrays.integer("frames", frames, 1, 1 << 16)
        bodies = Bodies(robot, _check._surfaces(scene))
        track = Track(bodies, path, _check._columns(robot, path, rest), each)
        _fitting(len(track.frames), len(bodies.local))
        names = {b.name for b in bodies.all}
        contacts = [] if report is None else [e for e in report.edges if e.contact is not None]
        for e in contacts:
            if e.contact is not None and not (e.edge < path.edges and {e.contact.a, e.contact.b} <= names):
                told = f"edge {e.edge}, {e.contact.a} and {e.contact.b}"
                raise ArgumentError(f"report: {told}: not of this path, robot and scene")
        if self._t_max is None:
            self._t_max = float(path.edges)
        part = self._add_mesh(track.mesh(), track.frames, robot.name, track.objects(self._color()))
        for e in contacts:
            if e.contact is not None:
                track.add(self, part, e.contact, str(e.verdict) == "collides")
        return part

    def _add_mesh(
        self, mesh: Mesh, frames: list[NDArray[np.float64]], name: str, objects: Objects | None = None
    ) -> int:
        faces, of = mesh.faces, None
        if objects is None:
            objects = self._components(len(frames[0]), mesh.edges, name)
        if mesh._radii is not None:
            more, triangles, of = _thick.capsules(mesh, mesh._radii, frames)
            faces, objects = np.concatenate([faces, triangles + len(frames[0])]), objects.extended(of)
            if len(frames) > 2:
                _fitting(len(frames), len(frames[0]) + len(of))
            frames = [np.concatenate(both) for both in zip(frames, more)]
        return self._add(Part(name, frames, faces, mesh.edges, objects, drawn_for=of))

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
        """
        x, f = arrays.finite("vertices", arrays.coordinates("vertices", vertices)), arrays.primitives("faces", faces, 3)
        wrong = np.argwhere((f < 0) | (f >= len(x)))
        if len(wrong):
            row, column = wrong[0].tolist()
            raise InvalidIndexError(f"faces[{row}][{column}] is {f[row, column]}: out of range for {len(x)} vertices")
        moving = to_motion("motion", motion)
        edges = np.unique(np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
        return self._add(Part(name, [x], f, edges, Objects.one(name, self._color()), moving))

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
        """
        _is("cells", cells, volume.Cells)
        return self._add_volume(cells, mesh, list(_frames(_is("mesh", mesh, volume.Volume), x0, x1)), name)

    def _add_volume(self, cells: volume.Cells, mesh: volume.Volume, frames: list[NDArray[np.float64]], name: str) -> int:
        faces, sides = _volumes.surface(cells, mesh)
        objects = self._components(len(frames[0]), _volumes.edges(cells), name)
        numbers = {"edges": _volumes.numbers(mesh.edges, sides), "faces": _volumes.numbers(mesh.faces, faces)}
        return self._add(Part(name, frames, faces, sides, objects, numbers=numbers))

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
        """
        start, end = (arrays.finite(n, arrays.coordinates(n, x)) for n, x in (("x0", x0), ("x1", x1)))
        count = len(_is("model", model, Model).points) if not isinstance(model, _patches.NurbsSurface) else len(start)
        if not len(start) == len(end) == count:
            raise ArgumentError(f"x0 and x1 have {len(start)} and {len(end)} control points: model has {count}")
        drawn = _patches.tessellate(model)
        frames = [np.vstack([drawn.points(x), x]) for x in (start, end)]
        objects = Objects.labelled(drawn.patches(len(frames[0])), name, "patch", 0)
        objects.colors = [self._color()] * len(objects.names)
        return self._add(Part(name, frames, drawn.faces, drawn.edges, objects, None, drawn.nets, drawn))

    def _color(self) -> int:
        """Which colour the next part begins with."""
        return len(self._parts) % COLORS

    def _components(self, count: int, edges: NDArray[Any], name: str) -> Objects:
        """Connected components, each with its colour, after those of the parts before."""
        return Objects.labelled(components(count, edges), name, "component", self._color())

    def _number(self, name: str, part: int) -> int:
        """The number of a part that is there."""
        if not self._parts:
            raise ArgumentError(f"{name} is {part!r}: the page has no parts yet")
        return arrays.integer(name, part, 0, len(self._parts) - 1)

    def _add(self, part: Part) -> int:
        self._parts.append(part)
        return len(self._parts) - 1

    # ---- pairs

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
        """
        start, end = _frames(mesh, x0, x1)
        impacts = arrays.records("impacts", impacts, impact_dtype)
        by_kind: dict[Kind | IntersectionKind, tuple[NDArray[Any], NDArray[Any]]] = {}
        by_kind.update(corners(mesh).items())
        by_kind[EDGE_FACE] = mesh.edges, mesh.faces
        part, step = self._number("part", part), self._step(step)
        drawn = impacts[: self._quota(MOST_DRAWN)]
        ends, others = np.empty((len(drawn), 2), int), np.empty(len(drawn), int)
        for kind in np.unique(drawn["kind"]):
            rows = np.flatnonzero(drawn["kind"] == kind)
            ends[rows] = by_kind[kind_of(kind)][0][drawn["a"][rows]][:, [0, -1]]
            others[rows] = by_kind[kind_of(kind)][1][drawn["b"][rows]][:, 0]
        self._remember(part, step, impacts)
        marks = self._mark(part, step, start, end, ends, others, drawn)
        self._count(len(impacts))
        for record, mark in zip(impacts[: self._quota()], marks):
            kind = kind_of(record["kind"])
            first, second = by_kind[kind]
            sides = [{"part": part, "vertices": v.tolist()} for v in (first[record["a"]], second[record["b"]])]
            written = _rows.named(kind, record["a"], record["b"]) + self._met(record, step)
            self._impact(f"{kind} {record['a']} {record['b']}", record, sides, written, mark, step)

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
        part = self._number("part", part)
        held, count = self._parts[part], _is("mesh", mesh, Mesh).counts[0]
        impacts = arrays.records("impacts", impacts, impact_dtype)
        impacts = impacts[impacts["verdict"] != Verdict.SEPARATE]
        impacts = impacts[np.argsort(impacts["toi_lo"], kind="stable")]
        index = None if vertices is None else arrays.doubles("vertices", vertices).astype(np.int64)
        if index is not None and index.ndim != 2:
            raise ArgumentError(f"vertices has shape {index.shape}: must be (m, k), as Motion.pairs takes it")
        sides = _motions.primitives(mesh, impacts, index, count)
        steps = np.clip(np.floor(impacts["toi_lo"] * held.steps).astype(int), 0, held.steps - 1)
        for step in np.unique(steps).tolist():
            rows = np.flatnonzero(steps == step)
            shown = rows[: self._quota(MOST_DRAWN)]
            found, both = impacts[rows], [sides[i] for i in rows]
            ends = np.array([first[[0, -1]] for first, _ in both[: len(shown)]])
            others = np.array([second[0] for _, second in both[: len(shown)]])
            frames = [x[:count] for x in held.frames[step : step + 2]]
            times = found["toi_lo"][: len(shown)]
            marks = self._mark(part, step, frames[0], frames[1], ends, others, found[: len(shown)], times)
            self._count(len(rows))
            for record, (first, second), mark in zip(found[: self._quota()], both, marks):
                kind = kind_of(record["kind"])
                if vertices is None:
                    named = _rows.named(kind, record["a"], record["b"])
                else:
                    told = zip(_rows.SINGLE[kind], (first, second), ("first", "second"))
                    named = [[name, f"of vertices {_rows.numbers(v.tolist())}", tone] for name, v, tone in told]
                shape = [{"part": part, "vertices": v.tolist()} for v in (first, second)]
                label = f"{kind} {record['a']}" + (f" {record['b']}" if vertices is None else "")
                self._impact(label, record, shape, named + self._met(record, step), mark, step, float(record["toi_lo"]))

    def add_rigid_impact(self, hit: rigid.Impact, a: int, b: int, shape: rigid.Shape = rigid.Shape.FACE) -> None:
        """Add the impact of two bodies, or of a body and a primitive of a mesh.

        Parameters
        ----------
        hit : ccd.rigid.Impact
            The impact; one without contact adds nothing.
        a : int
            Number of the part of the first body.
        b : int
            Number of the part of the second body, or of the mesh.
        shape : ccd.rigid.Shape, default Shape.FACE
            Shape of the primitive of a mesh.
        """
        if _is("hit", hit, rigid.Impact).index_a < 0:
            return
        a, b = self._number("a", a), self._number("b", b)
        first, second = self._parts[a], self._parts[b]
        at_b = [hit.index_b] if shape == rigid.Shape.VERTEX else (second.edges if shape else second.faces)[hit.index_b].tolist()
        sides: list[dict[str, Any]] = [
            {"part": a, "vertices": first.faces[hit.index_a].tolist()},
            {"part": b, "vertices": at_b},
        ]
        of_a = f"triangle {hit.index_a}, {rigid.FEATURES[hit.feature_a]}"
        of_b = f"{shape} {hit.index_b}" if shape else f"triangle {hit.index_b}, {rigid.FEATURES[hit.feature_b]}"
        rows = [[first.name, of_a, "first"], [second.name, of_b, "second"]]
        rows += _rows.met({"verdict": hit.verdict, "toi_lo": hit.toi_lo, "point": hit.point_a, "normal": hit.normal})
        rows.append(["distance", f"{hit.distance:.6g}"])
        motion, at = first.motion, np.array([hit.point_a])
        at = at if motion is None else motion.back(hit.toi_lo, at)
        self._drawn += 1
        pair = np.column_stack([self._objects_of(p, [side["vertices"][0]]) for p, side in zip((a, b), sides)])
        self._marks.append(Marks(a, 0, at, at, np.array([hit.toi_lo]), np.array([hit.normal], float), pair))
        self._count(1)
        record = {"toi_lo": hit.toi_lo, "point": hit.point_a, "normal": hit.normal}
        if len(self.impacts) < MOST_PAIRS:
            self._impact(f"{first.name} {hit.index_a}, {second.name} {hit.index_b}", record, sides, rows, (a, at[0], at[0]))

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
        """
        start, end = (arrays.finite(n, arrays.coordinates(n, x)) for n, x in (("x0", x0), ("x1", x1)))
        impacts, part = arrays.records("impacts", impacts, volume.impact_dtype), self._number("part", part)
        step = self._step(step)
        lines = _volumes.Outlines(cells)
        drawn = impacts[: self._quota(MOST_DRAWN)]
        second = np.where(drawn["impact"]["kind"] == Kind.EDGE_EDGE, 1, 0)
        first = np.stack([drawn["vertices"][:, 0], drawn["vertices"][np.arange(len(drawn)), second]], 1)
        marks = self._mark(part, step, start, end, first, drawn["vertices"][:, 3], drawn["impact"])
        self._remember(part, step, impacts["impact"])
        self._count(len(impacts))
        for impact, mark in zip(impacts[: self._quota()], marks):
            record, vertices = impact["impact"], impact["vertices"].tolist()
            kind, pair_class = Kind(int(record["kind"])), volume.PairClass(int(impact["pair_class"]))
            split = 1 if kind == Kind.VERTEX_FACE else 2
            sides = [{"part": part, "vertices": v} for v in (vertices[:split], vertices[split:])]
            elements = list(dict.fromkeys(impact["elements"].tolist()))
            rows = _rows.named(kind, record["a"], record["b"]) + self._met(record, step)
            rows[2:2] = [["class", str(pair_class)], *([lines.name(e), str(e)] for e in elements)]
            pair = self._impact(f"{kind} {record['a']} {record['b']}, {pair_class}", record, sides, rows, mark, step)
            pair["outline"] = {"part": part, "edges": [v for e in elements for v in lines.edges(e)]}

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
        """
        found = sorted((hit for hit in impacts if not hit.separate), key=lambda hit: hit.toi_lo)
        a, b = self._number("a", a), self._number("b", b)
        self._patches.update((a, b, hit.a, hit.b) for hit in found)
        shown, touched = found[:MOST_PAIRS], self._parts[a]
        if not shown or touched.patches is None:
            self._count(len(found))
            return
        both = [touched.patches.places(x, [(hit.a, hit.uv_a) for hit in shown]) for x in touched.frames]
        self._drawn += len(shown)
        times, normals = (np.array([getattr(hit, name) for hit in shown], float) for name in ("toi_lo", "normal"))
        chosen_patches = ((a, [hit.a for hit in shown]), (b, [hit.b for hit in shown]))
        pairs = np.column_stack([self._objects_of(p, self._on_patches(p, k)) for p, k in chosen_patches])
        self._marks.append(Marks(a, 0, both[0], both[1], times, normals, pairs))
        self._count(len(found))
        for hit, start, end in zip(shown, *both):
            chosen = (("first", a, hit.a, hit.uv_a), ("second", b, hit.b, hit.uv_b))
            sides: list[dict[str, Any]] = [{"part": p, "patch": k} for _, p, k, _ in chosen]
            rows = [[self._parts[p].name, f"patch {k} at ({uv[0]:.6g}, {uv[1]:.6g})", tone] for tone, p, k, uv in chosen]
            record = {"verdict": hit.verdict, "toi_lo": hit.toi_lo, "point": hit.point, "normal": hit.normal}
            self._impact(f"patches {hit.a} {hit.b}", record, sides, rows + _rows.met(record), (a, start, end))

    def add_near(
        self,
        mesh: Mesh,
        x0: ArrayLike,
        pairs: Mapping[Kind, NDArray[np.int64]],
        part: int = 0,
        of: volume.Volume | None = None,
        step: int = 0,
    ) -> None:
        """Add pairs that came near and have no impact; of many those whose centres are nearest at the start.

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
        """
        (start, _), by_kind = _frames(mesh, x0, x0), corners(mesh)
        part, step, quota = self._number("part", part), self._step(step), self._quota()
        if not isinstance(pairs, Mapping):
            raise ArgumentError(f"pairs is {type(pairs).__name__}: must map each ccd.Kind to its pairs")
        numbers = (
            {}
            if of is None
            else {"edge": _volumes.numbers(of.edges, mesh.edges), "face": _volumes.numbers(of.faces, mesh.faces)}
        )
        # How far apart, the kind, the numbers as they are shown, and those in the mesh.
        found: list[tuple[float, Kind, list[int], list[int]]] = []
        for kind, these in pairs.items():
            first, second = by_kind[kind]
            named = np.stack([numbers[n][x] if n in numbers else x for n, x in zip(_rows.SINGLE[kind], these.T)], 1)
            apart = ~np.isin(_rows.keys(kind, named), np.concatenate([_NO_KEYS, *self._keys.get((part, step, kind), ())]))
            these, named = these[apart], named[apart]
            self.near_found += len(these)
            gap = _rows.apart(start[first].mean(1), start[second].mean(1), these)
            kept = np.argpartition(gap, quota)[:quota] if len(gap) > quota else np.arange(len(gap))
            found += zip(gap[kept].tolist(), [kind] * len(kept), named[kept].tolist(), these[kept].tolist())
        self.near_means = _OVERLAP
        listed = quota - sum(1 for pair in self.near if pair["step"] == step)
        for _, kind, (a, b), (i, j) in sorted(found)[:listed]:
            first, second = by_kind[kind]
            sides = [{"part": part, "vertices": v.tolist()} for v in (first[i], second[j])]
            rows = [*_rows.named(kind, a, b), *self._of_step(step), ["swept boxes", "overlap"]]
            self.near.append({"label": f"{kind} {a} {b}", "sides": sides, "rows": rows, "step": step})

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
        """
        by_kind = corners(mesh)
        self.near_found, self.near_means = self.near_found + len(found), f"pairs that are near each other at t = {time:.6g}"
        for record in found[: MOST_PAIRS - len(self.near)]:
            kind = Kind(int(record["kind"]))
            sides, rows = [], []
            for i, name in enumerate(("a", "b")):
                vertices = by_kind[kind][i][record[name]]
                part = int(np.searchsorted(starts, vertices[0], side="right")) - 1
                held = (vertices - starts[part]).tolist()
                sides.append({"part": part, "vertices": held})
                told = f"{_rows.SINGLE[kind][i]} of vertices {_rows.numbers(held)}"
                rows.append([self._parts[part].name, told, ("first", "second")[i]])
            distance = record["distance_hi"]
            rows += [["t", repr(time)], ["distance", f"{distance:.6g}"]]
            label = " / ".join(f"{self._parts[side['part']].name}: {_rows.numbers(side['vertices'])}" for side in sides)
            pair = {"label": label, "sides": sides, "rows": rows, "time": time, "step": 0}
            self.near.append(pair | {"aside": f"{distance:.3g}"})

    def add_near_patches(self, a: int, b: int, min_separation: float = 0.0) -> None:
        """Add pairs of patches of two parts whose boxes overlap and that have no impact; the nearest centres come first.

        If both parts are the same, pairs that share a control point are skipped: they always touch.

        Parameters
        ----------
        a : int
            Number of the first part.
        b : int
            Number of the second part.
        min_separation : float, default 0.0
            Length by which boxes are inflated.
        """
        pairs: list[tuple[float, int, int]] = []
        (lo_a, hi_a, at_a), (lo_b, hi_b, at_b) = (self._boxes(p) for p in (a, b))
        drawn = self._parts[a].patches
        hulls = [set(hull.tolist()) for hull in np.split(drawn.ranges.hull, drawn.ranges.hulls[1:-1])] if drawn else []
        for i in range(len(lo_a)):
            for j in np.flatnonzero(((lo_a[i] - min_separation <= hi_b) & (lo_b <= hi_a[i] + min_separation)).all(1)).tolist():
                met = (a, b, i, j) in self._patches
                if not met and (a != b or (i < j and not hulls[i] & hulls[j])):
                    pairs.append((float(np.linalg.norm(at_a[i] - at_b[j])), i, j))
        self.near_found, self.near_means = self.near_found + len(pairs), _OVERLAP
        for _, i, j in sorted(pairs)[: MOST_PAIRS - len(self.near)]:
            sides = [{"part": a, "patch": i}, {"part": b, "patch": j}]
            rows = [[self._parts[p].name, f"patch {k}", tone] for p, k, tone in ((a, i, "first"), (b, j, "second"))]
            self.near.append({"label": f"patches {i} {j}", "sides": sides, "rows": [*rows, ["boxes", "overlap"]], "step": 0})

    def _boxes(self, part: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        drawn = self._parts[part].patches
        return _patches.boxes(None if drawn is None else drawn.ranges, np.vstack(self._parts[part].frames))

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
        """
        return self._parts[self._number("part", part)].faces

    def _count(self, found: int) -> None:
        self.met += found
        self.facts["impacts"] = f"{self.met:,}"
        if self._drawn < self.met:
            self.facts["impacts marked"] = f"the earliest {self._drawn:,}"

    def _quota(self, most: int | None = None) -> int:
        """How many impacts or near pairs of each step the page may list."""
        most = MOST_PAIRS if most is None else most
        return most if self.steps == 1 else max(most // self.steps, _LEAST_SHARE)

    def _step(self, step: int) -> int:
        return arrays.integer("step", step, 0, self.steps - 1)

    def _of_step(self, step: int) -> list[list[str]]:
        """A row that names the step, in a sequence."""
        return [["step", f"frame {step} to {step + 1}"]] if self.steps > 1 else []

    def _met(self, record: Any, step: int) -> list[list[str]]:
        rows = _rows.met(record)
        return [rows[0], *self._of_step(step), *rows[1:]]

    def _remember(self, part: int, step: int, impacts: NDArray[Any]) -> None:
        """All impacts, listed or not, so that none of them is taken for a pair that did not meet."""
        for kind in Kind:
            rows = impacts[impacts["kind"] == kind]
            self._keys.setdefault((part, step, kind), []).append(_rows.keys(kind, np.stack([rows["a"], rows["b"]], 1)))

    def _impact(
        self, label: str, record: Any, sides: list[dict[str, Any]], rows: list[list[str]], mark: Any, step: int = 0,
        time: float | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        at = step + float(record["toi_lo"]) if time is None else time
        pair: dict[str, Any] = {"label": label, "time": at, "step": step, "sides": sides}
        pair |= {"rows": rows, "point": np.asarray(record["point"], float), "mark": mark}
        pair["normal"] = [float(x) for x in record["normal"]]
        self.impacts.append(pair)
        return pair

    def _objects_of(self, part: int, vertices: Any) -> NDArray[np.uint32]:
        """The objects of vertices of a part, numbered through all parts."""
        before, of = sum(len(p.objects.names) for p in self._parts[:part]), self._parts[part].objects.of
        index = np.asarray(vertices, np.int64)
        return (before + (np.zeros(len(index), np.int64) if of is None else of[index])).astype(np.uint32)

    def _on_patches(self, part: int, patches: Sequence[int]) -> NDArray[Any]:
        """A vertex of each of some patches: of a curve, a control point."""
        p = self._parts[part]
        if p.patches is None:
            return np.zeros(len(patches), int)
        r, k = p.patches.ranges, np.asarray(patches, np.int64)
        rows: NDArray[Any] = p.faces[r.faces[k], 0] if len(p.faces) else r.hull[r.hulls[k]]
        return rows

    def _mark(
        self,
        part: int,
        step: int,
        start: Any,
        end: Any,
        first: NDArray[Any],
        second: NDArray[Any],
        impacts: NDArray[Any],
        times: NDArray[Any] | None = None,
    ) -> list[tuple[int, NDArray[np.float64], NDArray[np.float64]]]:
        """Where the first primitive of every impact touches: a point of it, which moves with it.

        first holds the ends of the first primitives, second one vertex of each of the second; times are those on the time
        line, if they are not step + toi_lo.
        """
        u = np.where(first[:, 0] == first[:, 1], 0.0, impacts["u"])[:, None]
        both = [x[first[:, 0]] * (1 - u) + x[first[:, 1]] * u for x in (start, end)]
        self._drawn += len(impacts)
        objects = np.column_stack([self._objects_of(part, first[:, 0]), self._objects_of(part, second)])
        times = step + impacts["toi_lo"] if times is None else times
        self._marks.append(Marks(part, step, both[0], both[1], times, impacts["normal"], objects))
        return [(part, a, b) for a, b in zip(*both)]

    # ---- text

    def html(self) -> str:
        """Return the page as text.

        Returns
        -------
        str
            HTML with everything in it.
        """
        return _html.document(contents(self))

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
        """
        write.whole(path, self.html().encode())
