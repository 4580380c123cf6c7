"""Replay files: one edge of a path with the two bodies that meet on it, small enough for a report of a bug."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays, files
from ..errors import ArgumentError, Error, FileError
from ..files import Surface
from ._check import Obstacle, Scene, _given, _surfaces, as_turned, check, own_errors
from ._joint import PARTS, JointModel
from ._model import Robot
from ._path import Path
from ._report import Contact, Report, Verdict
from ._shapes import Shape

_FORMAT = "libccd robot edge"
_NUMBERS = ("rotation", "position", "axis")
_LIMITS = {"lower": -math.inf, "upper": math.inf}


@dataclass(frozen=True, eq=False)
class Replay:
    """An edge of a path, with the two bodies that meet on it and the joints that move them; `replay` and `read_replay` make it.

    Attributes
    ----------
    robot : Robot
        The links that carry the two bodies, and their joints.
    path : Path
        The edge.
    scene : dict
        The object of the scene, if one of the two is one.
    min_separation : float
        The separation of the pair.
    tolerance : float
        Of the check.
    verdict : str
        What was found: ``"collides"`` or ``"undecided"``.
    s : float
        Where on the edge.
    """

    robot: Robot
    path: Path
    scene: dict[str, Obstacle]
    min_separation: float
    tolerance: float
    verdict: str
    s: float

    def check(self) -> Report:
        """Check the edge again.

        Returns
        -------
        Report
            The report, of one edge.
        """
        return check(
            self.robot,
            self.path,
            self.scene,
            min_separation=self.min_separation,
            tolerance=self.tolerance,
            continuous="written",
            limits=False,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file of JSON that `read_replay` reads. Numbers keep all their digits.

        Parameters
        ----------
        path : str or os.PathLike
            The file to write.

        Raises
        ------
        FileError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np, ccd
        >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
        >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        >>> pole = ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])
        >>> path = ccd.robot.Path(["turn"], [[0.1], [1]])
        >>> one = ccd.robot.replay(robot, path, ccd.robot.check(robot, path, {"pole": pole}), {"pole": pole})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     one.save(os.path.join(folder, "edge.json"))
        ...     again = ccd.robot.read_replay(os.path.join(folder, "edge.json"))
        >>> again.verdict, again.s == one.s
        ('collides', True)
        """
        tree = self.robot._tree
        shaped = {name: parts for name, parts in zip(self.robot.links, self.robot._shapes) if parts}
        content = {
            "format": _FORMAT,
            "version": 1,
            "robot": self.robot.name,
            "links": list(self.robot.links),
            "joints": [_plain(j) for j in tree.given],
            "variables": list(self.robot.joints),
            "control": self.path.control[0].tolist(),
            "errors": self.path.errors.tolist(),
            "shapes": {name: [_shape_plain(part) for part in parts] for name, parts in shaped.items()},
            "scene": {name: _obstacle_plain(given) for name, given in self.scene.items()},
            "min_separation": self.min_separation,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
            "s": self.s,
        }
        import json  # `import ccd` does not need json

        files.whole(path, json.dumps(content, allow_nan=False).encode() + b"\n")


def replay(
    robot: Robot,
    path: Path,
    report: Report,
    scene: Scene = (),
    *,
    contact: Contact | None = None,
    rest: Mapping[str, float] | None = None,
    min_separation: float = 0.0,
    tolerance: float = 1e-6,
) -> Replay:
    """Cut an edge that collides out of a path, with its two bodies alone.

    Triangles far from the contact are left out, if the check of what is left has the same verdict at the same place.

    Parameters
    ----------
    robot : Robot
        The robot.
    path : Path
        The path.
    report : Report
        What `check` found on it.
    scene : mapping or sequence, optional
        The scene, as in `check`.
    contact : Contact, optional
        The contact; that of the report if omitted.
    rest : mapping, optional
        Values of joints that the path has no column for.
    min_separation : float, default 0.0
        The separation of the pair.
    tolerance : float, default 1e-6
        The tolerance of the check.

    Returns
    -------
    Replay
        The edge.

    Raises
    ------
    ArgumentError
        The report has no contact.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> pole = ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])
    >>> path = ccd.robot.Path(["turn"], [[0], [0.1], [1]])
    >>> one = ccd.robot.replay(robot, path, ccd.robot.check(robot, path, {"pole": pole}), {"pole": pole})
    >>> one.path.edges, one.verdict, one.check().contact.a
    (1, 'collides', 'arm')
    """
    if not isinstance(report, Report):
        raise ArgumentError(f"report is {type(report).__name__}: must be a ccd.robot.Report")
    hit = report.contact if contact is None else contact
    if hit is None:
        raise ArgumentError("report has no contact: there is nothing to replay")
    if not isinstance(hit, Contact):
        raise ArgumentError(f"contact is {type(hit).__name__}: must be a ccd.robot.Contact")
    if not isinstance(robot, Robot) or not isinstance(path, Path):
        kind = f"robot is {type(robot).__name__}, path {type(path).__name__}"
        raise ArgumentError(f"{kind}: must be a ccd.robot.Robot and a ccd.robot.Path")
    d, near = arrays.number("min_separation", min_separation), arrays.number("tolerance", tolerance)
    if hit.edge >= path.edges or all(e.edge != hit.edge for e in report.edges):
        raise ArgumentError(f"contact is on edge {hit.edge}: the path has {path.edges} edges, the report {len(report.edges)}")
    surfaces = _surfaces(scene)
    for body in (hit.a, hit.b):
        if body not in robot.links and body not in surfaces:
            raise ArgumentError(f"contact is with {body!r}: no link and no object of the scene has this name")
    turned = as_turned(robot, path, report.continuous)
    control = _given(robot, turned, rest)[hit.edge]
    small, columns = _reduced(robot, [name for name in (hit.a, hit.b) if name in robot.links])
    way = Path.polynomial(small.joints, control[None][:, :, columns])
    way = way.within(dict(zip(small.joints, own_errors(robot, turned)[columns].tolist())))
    verdict = next(str(e.verdict) for e in report.edges if e.edge == hit.edge)
    objects = {name: surfaces[name] for name in (hit.a, hit.b) if name in surfaces}
    whole = Replay(small, way, objects, d, near, verdict, hit.s)
    if hit.how in ("inside", "overlap") or verdict != str(Verdict.COLLIDES):
        return whole
    return _cropped(whole, np.array(hit.point), small.place(np.array(hit.values)[columns]))


def _reduced(robot: Robot, links: list[str]) -> tuple[Robot, list[int]]:
    """The robot with these links' shapes and the links above them alone, and which of its variables are left."""
    joints = {j.child: j for j in robot._tree.given}
    kept = set()
    for name in links:
        k = robot.links.index(name)
        kept.add(k)
        while k in joints:
            k = joints[k].parent
            kept.add(k)
    order = sorted(kept)
    chosen = [j for j in robot._tree.given if j.child in kept]
    columns = sorted({k for j in chosen if j.kind != "fixed" for k in range(j.source, j.source + len(PARTS.get(j.kind, "1")))})
    moved = [
        replace(
            j,
            parent=order.index(j.parent),
            child=order.index(j.child),
            source=-1 if j.kind == "fixed" else columns.index(j.source),
        )
        for j in chosen
    ]
    shapes = [robot._shapes[k] if robot.links[k] in links else [] for k in order]
    names = [robot.joints[k] for k in columns]
    return Robot(robot.name, [robot.links[k] for k in order], shapes, moved, names), columns


def _cropped(whole: Replay, point: NDArray[np.float64], places: dict[str, NDArray[np.float64]]) -> Replay:
    """The edge with the triangles near a point alone, if its verdict is the same at the same place."""
    shapes = [*whole.robot._shapes, *(_parts_of(given) for given in whole.scene.values())]
    parts = [s.vertices for some in shapes for s in some]
    reach = max((float(np.linalg.norm(np.ptp(x, axis=0))) for x in parts), default=0.0)
    for radius in (reach / 64, reach / 8):
        near = [
            [part for s in shapes if len((part := _near(s, places[name], point, radius)).vertices)]
            for name, shapes in zip(whole.robot.links, whole.robot._shapes)
        ]
        scene: dict[str, Obstacle] = {}
        for name, given in whole.scene.items():
            some = [part for s in _parts_of(given) if len((part := _near(s, np.eye(4), point, radius)).vertices)]
            alone = isinstance(given, Surface) and len(some) == 1
            scene[name] = Surface(some[0].vertices, some[0].edges, some[0].faces) if alone else some
        found = replace(whole, robot=whole.robot._with(near, whole.robot.allowed), scene=scene)
        if all(near[whole.robot.links.index(n)] for n, s in zip(whole.robot.links, whole.robot._shapes) if s):
            contact = found.check().contact
            if contact is not None and contact.how != "tolerance" and abs(contact.s - whole.s) <= 1e-6:
                return found
    return whole


def _near(shape: Shape, place: NDArray[np.float64], point: NDArray[np.float64], radius: float) -> Shape:
    """The primitives of a shape that come within a distance of a point, which is in the base's coordinates, by their boxes."""
    at = place[:3, :3].T @ (point - place[:3, 3])
    grown = (shape.radii + radius)[:, None]
    low, high = shape.vertices - grown, shape.vertices + grown

    def within(g: NDArray[Any]) -> NDArray[np.bool_]:
        kept: NDArray[np.bool_] = (low[g].min(1) <= at).all(1) & (high[g].max(1) >= at).all(1)
        return kept

    faces, edges = (g[within(g)] if len(g) else g for g in (shape.faces, shape.edges))
    used = np.zeros(len(shape.vertices), bool)
    used[shape.faces], used[shape.edges] = True, True
    lone = np.flatnonzero(~used)
    lone = lone[within(lone[:, None])] if len(lone) else lone
    chosen = np.unique(np.concatenate([faces.ravel(), edges.ravel(), lone])).astype(int)
    place_of = np.zeros(len(shape.vertices), np.int64)
    place_of[chosen] = np.arange(len(chosen))
    part = Shape.triangles(shape.vertices[chosen], place_of[faces], place_of[edges])
    return replace(part, radii=shape.radii[chosen])


def _plain(joint: JointModel) -> dict[str, Any]:
    """The fields of a joint for JSON, which has no infinity: a limit that is not there is null."""
    plain = {name: value.tolist() if name in _NUMBERS else value for name, value in vars(joint).items()}
    return plain | {name: value if math.isfinite(value) else None for name, value in plain.items() if name in _LIMITS}


def _joint(plain: dict[str, Any]) -> JointModel:
    fields: dict[str, Any] = {name: np.array(value, float) if name in _NUMBERS else value for name, value in plain.items()}
    fields["powers"] = tuple(fields.get("powers", ()))
    return JointModel(**fields | {name: end for name, end in _LIMITS.items() if fields[name] is None})


def _parts_of(given: Obstacle) -> list[Shape]:
    return [Shape.surface(given)] if isinstance(given, Surface) else given


def _obstacle_plain(given: Obstacle) -> Any:
    """A surface as a shape, and shapes as a list, for JSON."""
    return _shape_plain(Shape.surface(given)) if isinstance(given, Surface) else [_shape_plain(part) for part in given]


def _shape_plain(shape: Shape) -> dict[str, Any]:
    plain = {name: getattr(shape, name).tolist() for name in ("vertices", "faces", "edges", "radii")}
    return plain | ({"extent": shape.extent} if math.isfinite(shape.extent) else {})


def read_replay(path: str | os.PathLike[str]) -> Replay:
    """Read a file that `Replay.save` or ``ccd robot check --save-replay`` wrote.

    Parameters
    ----------
    path : str or os.PathLike
        A file.

    Returns
    -------
    Replay
        The edge.

    Raises
    ------
    FileError
        The file cannot be read, or is no replay file.

    Examples
    --------
    >>> import os, tempfile, numpy as np, ccd
    >>> ball = ccd.robot.Shape.ball(0.5)
    >>> slide = ccd.robot.JointModel.moving("slide", "prismatic", 0, 1, source=0, axis=(1, 0, 0))
    >>> robot = ccd.robot.Robot("two", ["a", "b"], [[ball], [ball]], [slide], ["slide"])
    >>> path = ccd.robot.Path(["slide"], [[3], [0]])
    >>> name = os.path.join(tempfile.mkdtemp(), "edge.json")
    >>> ccd.robot.replay(robot, path, ccd.robot.check(robot, path)).save(name)
    >>> found = ccd.robot.read_replay(name)
    >>> found.verdict, round(found.check().contact.s, 4), round(found.s, 4)
    ('collides', 0.6667, 0.6667)
    """
    name = files.file_name("path", path)
    given = files.load(name)
    with files.reading(name):
        if not isinstance(given, dict) or given.get("format") != _FORMAT:
            raise FileError(f"{name} is no replay file: its format is not {_FORMAT!r}")
        if given.get("version") != 1:
            raise FileError(f"{name} has version {given.get('version')!r}: this library reads version 1")
        try:
            joints = [_joint(j) for j in given["joints"]]
            shapes = [[_shape(part) for part in given["shapes"].get(link, ())] for link in given["links"]]
            robot = Robot(given["robot"], given["links"], shapes, joints, given["variables"])
            way = Path.polynomial(robot.joints, [given["control"]])
            errors = arrays.row("errors", given.get("errors", [0.0] * len(robot.joints)))
            way = way.within(dict(zip(robot.joints, errors.tolist())))
            scene: dict[str, Obstacle] = {}
            for label, plain in given["scene"].items():
                if isinstance(plain, list):
                    scene[label] = [_shape(part) for part in plain]
                else:
                    part = _shape(plain)
                    scene[label] = Surface(part.vertices, part.edges, part.faces)
            d, tolerance = (arrays.number(key, given[key]) for key in ("min_separation", "tolerance"))
            at = arrays.within("s", given["s"], "[0, 1]")
            return Replay(robot, way, scene, d, tolerance, str(Verdict.of("verdict", given["verdict"])), at)
        except Error as error:
            raise FileError(f"{name}: {error}") from None


def _shape(plain: dict[str, Any]) -> Shape:
    part = Shape.triangles(np.array(plain["vertices"], float).reshape(-1, 3), plain["faces"], plain["edges"])
    radii = arrays.finite("radii", arrays.row("radii", plain["radii"]))
    if len(radii) != len(part.vertices) or (radii < 0).any():
        raise ArgumentError(f"radii has {len(radii)} items: must have {len(part.vertices)}, at least 0")
    extent = arrays.within("extent", plain["extent"], "[0, 1e60]") if "extent" in plain else math.inf
    return replace(part, radii=radii, extent=extent)
