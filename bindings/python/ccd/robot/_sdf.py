"""Robots from SDF files, which Drake parses and places."""

from __future__ import annotations

import logging
import math
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import files
from .._inner.meshes import to_matrix
from ..errors import Error, FileError, UnsupportedError
from ._joint import PARTS, JointModel
from ._loop import Loop
from ._mesh_files import MeshFiles
from ._model import Robot
from ._open import flattened
from ._sdf_file import refuse_state, strip
from ._shapes import Shape
from ._xml import prefixed

_SINGLE = {"RevoluteJoint": "revolute", "PrismaticJoint": "prismatic", "ScrewJoint": "screw"}
# The shapes that are read, with their numbers: Drake replaces by 1 what is no length.
_KINDS = {
    "box": {"size": 3}, "sphere": {"radius": 1}, "cylinder": {"radius": 1, "length": 1}, "capsule": {"radius": 1, "length": 1},
    "ellipsoid": {"radii": 3}, "plane": {"normal": 3}, "mesh": {},
}  # fmt: skip
# The joints that may close a loop: a point of both links stays together. Those with the greatest numbers close it first.
_POINTS = {"revolute": 1, "continuous": 1, "ball": 2}
_FOLLOW = ("revolute", "continuous", "prismatic", "screw")  # The joints that may follow another one.
_SNAP = 1e-15  # Numbers of a pose below it are 0: the parser's rounding leaves such numbers.
_FAR = 1000.0  # A plane is a box up to this many times 1 and the size of the file.


def read(path: str, packages: Any, segments: int, allow_adjacent: bool) -> Robot:
    """The robot of a file: links as links, joints as joints, collisions as shapes, all of a world in one robot."""
    import tempfile

    try:
        import pydrake.all as drake
    except ImportError as error:
        raise ImportError(f"{path}: SDF files need Drake ({error}): pip install drake") from error
    with files.reading(path):
        root = prefixed(FilePath(path).read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        source = _Source(path, packages, FilePath(folder))
        written = source.rewritten(root, FilePath(path).resolve().parent)
        plant, inspector = _parsed(drake, path, written, source.files, allow_adjacent)
    reader = _Reader(path, plant, inspector, source, segments)
    reader.check()
    reader.bodies()
    robot = Robot(FilePath(path).stem, reader.links, reader.shapes, reader.joints, reader.variables)
    closed = [(reader.link(c.parent), reader.link(c.child)) for c in source.closings] if allow_adjacent else []
    robot = robot.allow(reader.allowed() + closed)
    robot._start = reader.start
    robot._units = source.meshes.units
    values = robot._values(robot._start)
    robot._loops = tuple(flattened(robot, loop, values) for loop in reader.loops())
    reader.refuse_hinges(robot._loops)
    return robot


def _parsed(drake: Any, path: str, written: FilePath, sources: dict[str, str], allow_adjacent: bool) -> tuple[Any, Any]:
    """The file as Drake has it: its bodies and joints, and its shapes."""
    plant, scene = drake.MultibodyPlant(1e-3), drake.SceneGraph()
    plant.RegisterAsSourceForSceneGraph(scene)
    plant.set_adjacent_bodies_collision_filters(allow_adjacent)
    try:
        with _silent():
            drake.Parser(plant, scene).AddModels(str(written))
            plant.Finalize()
    except (RuntimeError, ValueError, SystemExit) as error:  # The last one is what Drake's own assertions raise.
        said = str(error)
        for file, named in sources.items():
            for start in ("//", "/", ""):
                said = said.replace(start + file, named)
        raise FileError(f"{path}: Drake: {said}") from None
    return plant, scene.model_inspector()


@contextmanager
def _silent() -> Iterator[None]:
    """Nothing is printed: what Drake leaves out is found by counting."""
    log = logging.getLogger("drake")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


@dataclass
class _Collision:
    """What a file says of a collision: the element of its shape, and of a mesh the file, from a folder."""

    where: str
    kind: str
    folder: FilePath
    numbers: dict[str, NDArray[np.float64]]
    uri: str = ""
    scale: NDArray[np.float64] | None = None


@dataclass
class _Closing:
    """A joint that closes a loop, in whose place Drake has a frame on the child; links by name, with those of their models."""

    frame: str
    parent: str
    child: str
    kind: str
    axis: NDArray[np.float64]  # Of a hinge, in the coordinates of a frame of the model.
    within: tuple[str, ...]  # The frame, after the models that it is in.


@dataclass
class _Joint:
    """What a file says of a joint that Drake does not keep."""

    kind: str
    mimic: tuple[str, float, float] | None = None  # The joint that it follows, multiplier and offset.


@dataclass
class _Source:
    """Rewrites a file for Drake, which reads few formats of meshes and does not keep all of a joint.

    Collisions are named by their places in `collisions`, and a ball stands for each mesh. Included files are rewritten
    likewise.
    """

    path: str
    packages: Any
    temporary: FilePath
    joint_of: dict[str, _Joint] = field(default_factory=dict)
    closings: list[_Closing] = field(default_factory=list)
    tied: dict[str, str] = field(default_factory=dict)  # Of each link another one that joints tie it to, up to one of all.
    links: int = 0
    collisions: list[_Collision] = field(default_factory=list)
    fixes: bool = False  # Whether the file has no world: its models rest then.
    files: dict[str, str] = field(default_factory=dict)  # Of each file for Drake the one that it was written from.
    version: tuple[int, ...] = ()  # Of the file that is being rewritten.

    def __post_init__(self) -> None:
        self.meshes = MeshFiles(self.path, self.packages)

    def rewritten(self, root: xml.Element, folder: FilePath) -> FilePath:
        """The file for Drake."""
        if root.tag != "sdf":
            raise FileError(f"{self.path}: the root is <{root.tag}>: must be <sdf>")
        self.fixes = root.find("world") is None
        return self._file(root, folder, self.path, ())

    def _file(self, root: xml.Element, folder: FilePath, path: str, scope: tuple[str, ...]) -> FilePath:
        outer, self.version = self.version, _version(root, path)
        for top in root:
            if top.tag == "world":
                self._world(top, folder, path, scope)
            elif top.tag == "model":
                self._model(top, folder, path, scope or (top.get("name", ""),))
            elif top.tag == "include":
                self._include(top, folder, path, scope)
        self.version = outer
        strip(root, path)
        out = self.temporary / f"{len(self.files) + 1}.sdf"
        self.files[str(out)] = path
        xml.ElementTree(root).write(out)
        return out

    def _world(self, world: xml.Element, folder: FilePath, path: str, scope: tuple[str, ...]) -> None:
        if world.find("population") is not None:
            raise UnsupportedError(f"{path} has a <population>: write its models one by one")
        refuse_state(world, path)
        self._inside(world, folder, path, scope)

    def _model(self, model: xml.Element, folder: FilePath, path: str, scope: tuple[str, ...]) -> None:
        """Note links, joints and meshes of a model and of those inside of it."""
        links = model.findall("link")
        for link in links:  # Older programs write the world as a link.
            if link.get("name") == "world" and link.find("collision") is None:
                model.remove(link)
                links.remove(link)
                break
        self.links += len(links)
        for link in links:
            for collision in link.findall("collision"):
                where = f"{path}: {'::'.join(scope)}: link {link.get('name')!r}: collision {collision.get('name')!r}"
                self._collision(collision, where, folder)
        self._inside(model, folder, path, scope)

    def _inside(self, parent: xml.Element, folder: FilePath, path: str, scope: tuple[str, ...]) -> None:
        for joint in sorted(parent.findall("joint"), key=lambda j: _POINTS.get(j.get("type", ""), 0)):
            where = f"{path}: joint {joint.get('name')!r}"
            if not self._closes(parent, joint, where, scope):
                self._joint(joint, where, scope)
        for child in parent.findall("model"):
            self._model(child, folder, path, (*scope, child.get("name", "")))
        for include in parent.findall("include"):
            self._include(include, folder, path, scope)

    def _collision(self, collision: xml.Element, where: str, folder: FilePath) -> None:
        geometry = collision.find("geometry")
        if len(collision.findall("geometry")) > 1:
            raise FileError(f"{where} has {len(collision.findall('geometry'))} geometries: must have one")
        if geometry is None or geometry.find("empty") is not None:
            return
        if len(geometry) != 1:
            raise FileError(f"{where} has {len(geometry)} shapes: must have one")
        shape = geometry[0]
        if shape.tag in ("drake:capsule", "drake:ellipsoid"):
            shape.tag = shape.tag.removeprefix("drake:")
            if shape.tag == "ellipsoid" and shape.find("radii") is None:
                radii = " ".join(shape.findtext(axis, "") for axis in "abc")
                shape.clear()
                shape.tag, xml.SubElement(shape, "radii").text = "ellipsoid", radii
        numbers = {
            tag: _numbers(f"{where}: {shape.tag}: {tag}", shape.findtext(tag, "0 0 1" if tag == "normal" else None), count)
            for tag, count in _KINDS.get(shape.tag, {}).items()
        }
        if not numbers.get("normal", np.ones(1)).any():
            raise FileError(f"{where}: plane: normal is 0 0 0: must have a length above 0")
        found = _Collision(where, shape.tag, folder, numbers)
        mesh = geometry.find("mesh")
        if mesh is not None:
            if mesh.find("submesh") is not None:
                raise UnsupportedError(f"{where}: <submesh> is a part of a mesh: write it to a file of its own")
            found.uri, scale = (mesh.findtext("uri") or "").strip(), mesh.findtext("scale", "1 1 1")
            found.scale = _numbers(f"{where}: scale", scale, 3)
            geometry.clear()
            xml.SubElement(xml.SubElement(geometry, "sphere"), "radius").text = "1"
        collision.attrib = {"name": str(len(self.collisions))}
        self.collisions.append(found)

    def _closes(self, parent: xml.Element, joint: xml.Element, where: str, scope: tuple[str, ...]) -> bool:
        """Put a frame in the place of a joint that closes a loop."""
        ends = [(joint.findtext(tag) or "").strip() for tag in ("parent", "child")]
        names = [end if end == "world" else "::".join((*scope, end)) for end in ends]
        if names[0] == names[1]:
            return False  # Drake refuses it.
        if self._root(names[0]) != self._root(names[1]):
            self.tied[self._root(names[0])] = self._root(names[1])
            return False
        if joint.get("type") not in _POINTS:
            raise UnsupportedError(
                f"{where} is {joint.get('type')} and closes a loop: must be one of {', '.join(_POINTS)}, which hold a point"
            )
        name, axis = f"loop {len(self.closings)}", joint.find("axis/xyz")
        text = axis.text if axis is not None else "0 0 1"
        along = _numbers(f"{where}: axis: xyz", text, 3) if joint.get("type") != "ball" else np.zeros(3)
        within = axis.get("expressed_in", "") if axis is not None else ""
        if self.version < (1, 5) or joint.findtext("axis/use_parent_model_frame", "0").strip().lower() in ("1", "true"):
            within = "__model__"
        closing = _Closing(name, names[0], names[1], joint.get("type", ""), along, (*scope, within or name))
        frame = xml.SubElement(parent, "frame", {"name": closing.frame, "attached_to": ends[1]})
        frame.extend(joint.findall("pose"))
        parent.remove(joint)
        self.closings.append(closing)
        return True

    def _root(self, link: str) -> str:
        while link in self.tied:
            link = self.tied[link]
        return link

    def _joint(self, joint: xml.Element, where: str, scope: tuple[str, ...]) -> None:
        found = _Joint(joint.get("type", ""))
        mimic = joint.find("axis/mimic")
        if found.kind == "fixed":
            mimic = None
        if joint.find("axis2/mimic") is not None or (mimic is not None and found.kind not in _FOLLOW):
            raise UnsupportedError(
                f"{where} is {found.kind} and has a <mimic>: must be one of {', '.join(_FOLLOW)}, with one axis"
            )
        own = joint.find("drake:mimic")
        if own is not None:
            joint.remove(own)
            by, plus = (
                _numbers(f"{where}: drake:mimic: {key}", own.get(key, default), 1)[0]
                for key, default in (("multiplier", "1"), ("offset", "0"))
            )
            found.mimic = "::".join((*scope, own.get("joint", ""))), float(by), float(plus)
        if mimic is not None:
            if mimic.get("axis", "axis") != "axis":
                raise UnsupportedError(f"{where} mimics a second axis: only joints with one axis are followed")
            by, plus, at = (
                _numbers(f"{where}: mimic: {tag}", mimic.findtext(tag, default), 1)[0]
                for tag, default in (("multiplier", "1"), ("offset", "0"), ("reference", "0"))
            )
            found.mimic = "::".join((*scope, mimic.get("joint", ""))), float(by), float(plus - by * at)
        self.joint_of["::".join((*scope, joint.get("name", "")))] = found

    def _include(self, include: xml.Element, folder: FilePath, path: str, scope: tuple[str, ...]) -> None:
        """Rewrite an included file, and include that."""
        uri = include.find("uri")
        if uri is None or not (uri.text or "").strip():
            raise FileError(f"{path}: an <include> has no uri")
        if include.get("merge", "false") not in ("false", "0"):
            raise UnsupportedError(f"{path}: <include merge='true'> of {uri.text}: write its links into the model")
        where = f"{path}: include"
        file = self.meshes.path(where, (uri.text or "").strip(), folder)
        if file.is_dir():
            file = _of_folder(where, file)
        with files.reading(str(file)):
            root = prefixed(file.read_bytes())
        model = root.find("model")
        if root.tag != "sdf" or model is None:
            raise UnsupportedError(f"{where}: {file} has no <model> of SDF")
        name = include.findtext("name") or model.get("name") or ""
        uri.text = self._file(root, file.parent, str(file), (*scope, name.strip())).as_uri()


def _version(root: xml.Element, path: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in root.get("version", "").split("."))
    except ValueError:
        raise FileError(f"{path}: version is {root.get('version')!r}: must be as 1.11") from None


def _of_folder(where: str, folder: FilePath) -> FilePath:
    """The file of a model's folder: that of the last <sdf> of its model.config, else model.sdf."""
    config = folder / "model.config"
    if config.is_file():
        with files.reading(str(config)):
            named = [e.text.strip() for e in prefixed(config.read_bytes()).findall("sdf") if e.text]
        if named:
            return folder / named[-1]
    if not (folder / "model.sdf").is_file():
        raise FileError(f"{where}: {folder} has no model.config that names a file, and no model.sdf")
    return folder / "model.sdf"


def _numbers(name: str, text: str | None, count: int) -> NDArray[np.float64]:
    try:
        found = np.array([files.decimal(word) for word in (text or "").split()])
    except ValueError:
        found = np.empty(0)
    if len(found) != count or not np.isfinite(found).all():
        raise FileError(f"{name} is {text!r}: must be {count} finite number{'s' if count > 1 else ''}")
    return found


class _Reader:
    """Collects links and joints from what Drake parsed."""

    def __init__(self, path: str, plant: Any, inspector: Any, source: _Source, segments: int):
        self.path, self.plant, self.inspector, self.source, self.segments = path, plant, inspector, source, segments
        self.links: list[str] = []
        self.shapes: list[list[Shape]] = []
        self.joints: list[JointModel] = []
        self.variables: list[str] = []
        self.start: dict[str, float] = {}
        self.link_of: dict[int, int] = {}  # The link of each body.
        self.geometry = self._geometry()
        self.extent = _FAR * (1 + self._size())
        models = {self._model(b) for b in self._bodies() if int(b.index())}
        self.whole = len(models) > 1  # whether names begin with that of the model

    # ---- what there is

    def _bodies(self) -> list[Any]:
        import pydrake.multibody.tree as tree

        return [self.plant.get_body(tree.BodyIndex(i)) for i in range(self.plant.num_bodies())]

    def _joints(self) -> list[Any]:
        return [self.plant.get_joint(j) for j in self.plant.GetJointIndices()]

    def _model(self, thing: Any) -> str:
        return str(self.plant.GetModelInstanceName(thing.model_instance()))

    def _name(self, thing: Any) -> str:
        """The name of a body or a joint, with that of its model where there are several."""
        return f"{self._model(thing)}::{thing.name()}" if self.whole else str(thing.name())

    def _geometry(self) -> dict[int, list[Any]]:
        """The shapes of each body."""
        import pydrake.geometry as geometry

        found: dict[int, list[Any]] = {}
        for g in self.inspector.GetAllGeometryIds(geometry.Role.kProximity):
            body = self.plant.GetBodyFromFrameId(self.inspector.GetFrameId(g))
            found.setdefault(int(body.index()), []).append(g)
        return found

    def check(self) -> None:
        """Refuse what Drake has left out: it says so on a stream only."""
        have, want = sum(map(len, self.geometry.values())), self.source.collisions
        if have != len(want):
            read = {self.inspector.GetName(g).rpartition("::")[2] for shapes in self.geometry.values() for g in shapes}
            lost = next(c for i, c in enumerate(want) if str(i) not in read)
            raise UnsupportedError(
                f"{lost.where} is <{lost.kind}>, which Drake does not read: must be one of {', '.join(_KINDS)}"
            )
        if self.plant.num_bodies() - 1 != self.source.links:
            read = self.plant.num_bodies() - 1
            raise UnsupportedError(f"{self.path}: Drake reads {read} of {self.source.links} links: only links of models count")
        if self.plant.num_constraints():
            raise UnsupportedError(f"{self.path} has constraints of Drake's own, which are not read: take them out")

    def _size(self) -> float:
        """A bound on the distance of what is in the file from the world's origin, but for what slides."""
        far = 0.0
        for joint in self._joints():
            poses = [f.GetFixedPoseInBodyFrame() for f in (joint.frame_on_parent(), joint.frame_on_child())]
            if type(joint).__name__ == "WeldJoint":
                poses.append(joint.X_FM())
            far += sum(float(np.linalg.norm(pose.translation())) for pose in poses)
            if type(joint).__name__ == "PrismaticJoint":
                limits = np.abs([*joint.position_lower_limits(), *joint.position_upper_limits()])
                far += float(limits.max()) if np.isfinite(limits).all() else 0.0
            elif type(joint).__name__ == "QuaternionFloatingJoint":
                far += float(np.linalg.norm(joint.default_positions()[4:]))
        return far

    # ---- links and joints

    def bodies(self) -> None:
        """Add all bodies, from the world on, by the joints between them."""
        bodies = self._bodies()
        at: dict[int, list[Any]] = {}
        for joint in self._joints():
            for body in (joint.parent_body(), joint.child_body()):
                at.setdefault(int(body.index()), []).append(joint)
        order = sorted((j for j in self._joints() if self._own(j)), key=lambda j: int(j.index()))
        self._name_variables(order)
        self.link_of[0] = self._link("world", self._shapes(bodies[0]))
        reached = [0]
        for body in reached:
            for joint in at.get(body, ()):
                ends = [int(joint.parent_body().index()), int(joint.child_body().index())]
                other = ends[1] if ends[0] == body else ends[0]
                if other not in self.link_of:
                    self._add(joint, bodies[other], ends[0] == body)
                    reached.append(other)

    def _own(self, joint: Any) -> bool:
        """Whether a joint has values: not if it is fixed, or mimics another, or its model rests."""
        kind = type(joint).__name__
        rests = kind == "QuaternionFloatingJoint" and self.source.fixes
        return kind != "WeldJoint" and not rests and self._said(joint).mimic is None

    def _said(self, joint: Any) -> _Joint:
        """What the file says of a joint."""
        return self.source.joint_of.get(f"{self._model(joint)}::{joint.name()}", _Joint(""))

    def _name_variables(self, joints: list[Any]) -> None:
        for joint in joints:
            name, kind, q = self._name(joint), type(joint).__name__, [float(x) for x in joint.default_positions()]
            if kind in _SINGLE:
                values = {name: q[0]}
            elif kind == "UniversalJoint":
                values = {f"{name}/1": q[0], f"{name}/2": q[1]}
            elif kind == "QuaternionFloatingJoint":
                values = {f"{name}/{part}": x for part, x in zip(PARTS["free"], [*q[4:], *q[:4]])}
            elif kind == "BallRpyJoint":
                values = {f"{name}/{part}": x for part, x in zip(PARTS["ball"], (1.0, 0.0, 0.0, 0.0))}
            else:
                raise UnsupportedError(f"{self.path}: joint {name!r} is of the kind {joint.type_name()}, which is not read")
            self.variables += values
            self.start |= values

    def _link(self, name: str, shapes: list[Shape]) -> int:
        self.links.append(name)
        self.shapes.append(shapes)
        return len(self.links) - 1

    def _add(self, joint: Any, body: Any, forward: bool) -> None:
        """Add a body by the joint that leads to it, from its parent, or backward from its child."""
        poses = [f.GetFixedPoseInBodyFrame() for f in (joint.frame_on_parent(), joint.frame_on_child())]
        if type(joint).__name__ == "WeldJoint":  # It has a pose of its own between its frames.
            poses[0] = poses[0].multiply(joint.X_FM())
        frames = [_placed(pose) for pose in poses]
        (rotation, position), (end, beyond) = frames if forward else frames[::-1]
        above = self.link_of[int((joint.parent_body() if forward else joint.child_body()).index())]
        away = bool(beyond.any()) or not np.array_equal(end, np.eye(3))
        kind, name = type(joint).__name__, self._name(joint)
        steps = self._steps(joint, kind, name, forward)
        for i, (step, how, axis, value) in enumerate(steps):
            last = i == len(steps) - 1 and not away
            child = self._body(body) if last else self._link(f"{self._name(body)}/{step}", [])
            self.joints.append(JointModel(step, how, above, child, rotation, position, axis, *value))
            above, rotation, position = child, np.eye(3), np.zeros(3)
        if not steps or away:
            if not steps and kind == "QuaternionFloatingJoint":  # it rests where its pose has it
                values = joint.default_positions()
                position, rotation = values[4:], to_matrix(values[:4])
            turned = rotation @ end.T
            at = position - turned @ beyond
            child = self._body(body)
            step = name if not steps else f"{name}/fixed"
            self.joints.append(JointModel(step, "fixed", above, child, turned, at, np.zeros(3), -1, 1.0, 0.0))

    def _body(self, body: Any) -> int:
        link = self.link_of[int(body.index())] = self._link(self._name(body), self._shapes(body))
        return link

    def _steps(self, joint: Any, kind: str, name: str, forward: bool) -> list[tuple[str, str, NDArray[Any], tuple[Any, ...]]]:
        """The joints of ours that a joint is, in turn: name, kind, axis, and source, factor, offset and limits."""
        if kind == "WeldJoint" or (kind == "QuaternionFloatingJoint" and self.source.fixes):
            return []
        if kind in _SINGLE:
            return self._single(joint, kind, name, forward)
        if not forward:
            what = f"joint {name!r} is of the kind {joint.type_name()}"
            raise UnsupportedError(f"{self.path}: {what}, and its child is nearer to the base: swap them")
        if kind == "UniversalJoint":
            low, high = joint.position_lower_limits(), joint.position_upper_limits()
            return [
                (f"{name}/{i + 1}", "revolute", np.eye(3)[i],
                 (self.variables.index(f"{name}/{i + 1}"), 1.0, 0.0, float(low[i]), float(high[i])))
                for i in range(2)
            ]  # fmt: skip
        how = "ball" if kind == "BallRpyJoint" else "free"
        return [(name, how, np.zeros(3), (self.variables.index(f"{name}/{PARTS[how][0]}"), 1.0, 0.0))]

    def _single(self, joint: Any, kind: str, name: str, forward: bool) -> list[tuple[str, str, NDArray[Any], tuple[Any, ...]]]:
        source, factor, offset = self._followed(joint)
        low, high = float(joint.position_lower_limits()[0]), float(joint.position_upper_limits()[0])
        if not forward:
            factor, offset, low, high = -factor, -offset, -high, -low
        limits = low, high
        if kind == "PrismaticJoint":
            return [(name, "prismatic", np.array(joint.translation_axis()), (source, factor, offset, *limits))]
        if kind == "RevoluteJoint":
            free = self._said(joint).kind == "continuous"
            ends = (-math.inf, math.inf) if free else limits
            return [
                (name, "continuous" if free else "revolute", np.array(joint.revolute_axis()), (source, factor, offset, *ends))
            ]
        axis, rise = self._screw_axis(joint), joint.screw_pitch() / (2 * math.pi)
        return [
            (f"{name}/slide", "prismatic", axis, (source, factor * rise, offset * rise)),
            (name, "revolute", axis, (source, factor, offset, *limits)),
        ]

    def _screw_axis(self, joint: Any) -> NDArray[np.float64]:
        """The axis of a screw, which Drake does not tell, from a quarter of a turn."""
        context = self.plant.CreateDefaultContext()
        values = self.plant.GetPositions(context)
        values[joint.position_start()] = math.pi / 2
        self.plant.SetPositions(context, values)
        turned = joint.frame_on_child().CalcPose(context, joint.frame_on_parent()).rotation().matrix()
        axis = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]])
        axis[np.abs(axis) < _SNAP] = 0
        return np.asarray(axis / np.linalg.norm(axis), float)

    def _followed(self, joint: Any) -> tuple[int, float, float]:
        """The variable of a joint through those that it mimics, with factor and offset."""
        known = {f"{self._model(j)}::{j.name()}": j for j in self._joints()}
        factor, offset, seen = 1.0, 0.0, [joint]
        while (mimic := self._said(joint).mimic) is not None:
            leader, by, plus = mimic
            where = f"{self.path}: joint {self._name(seen[0])!r} mimics {leader!r}"
            if leader not in known or type(known[leader]).__name__ not in _SINGLE:
                raise FileError(f"{where}, which is no joint with one value")
            factor, offset, joint = factor * by, offset + factor * plus, known[leader]
            if joint in seen:
                raise FileError(f"{where}: joints mimic each other in a circle")
            seen.append(joint)
        return self.variables.index(self._name(joint)), factor, offset

    # ---- shapes

    def _shapes(self, body: Any) -> list[Shape]:
        return [self._shape(g) for g in self.geometry.get(int(body.index()), ())]

    def _shape(self, g: Any) -> Shape:
        said = self.source.collisions[int(self.inspector.GetName(g).rpartition("::")[2])]
        given = said.numbers
        rotation, position = _placed(self.inspector.GetPoseInFrame(g))
        try:
            shape = {
                "box": lambda: Shape.box(given["size"]),
                "sphere": lambda: Shape.ball(given["radius"][0]),
                "cylinder": lambda: Shape.cylinder(given["radius"][0], given["length"][0], self.segments),
                "capsule": lambda: Shape.capsule(given["radius"][0], given["length"][0]),
                "ellipsoid": lambda: Shape.ellipsoid(given["radii"], self.segments),
                "plane": lambda: Shape.half_space([0, 0, 1], 0, self.extent),  # Drake turns it to its normal.
                "mesh": lambda: self._mesh(said),
            }[said.kind]()
            return shape.placed(rotation, position)
        except FileError:
            raise
        except Error as error:
            raise FileError(f"{said.where}: {error}") from None

    def _mesh(self, said: _Collision) -> Shape:
        surface = self.source.meshes.read(said.where, said.uri, said.folder)
        return Shape.surface(surface, said.scale)

    # ---- loops and pairs

    def link(self, name: str) -> str:
        """The link of a body that has this name with that of its model."""
        return self.links[self.link_of[int(self._named(name).index())]]

    def _named(self, name: str) -> Any:
        bodies = self._bodies()
        named = {f"{self._model(b)}::{b.name()}": b for b in bodies} | {"world": bodies[0]}
        if name not in named:
            raise FileError(f"{self.path}: a joint closes a loop at {name!r}, which is no link")
        return named[name]

    def loops(self) -> list[Loop]:
        """The points that joints which close a loop hold together."""
        context, found = self.plant.CreateDefaultContext(), []
        placed = {int(b.index()): self.plant.EvalBodyPoseInWorld(context, b) for b in self._bodies()}
        body_of = {self.links[self.link_of[b]]: b for b in placed}
        for closing in self.source.closings:
            ends = self.link(closing.parent), self.link(closing.child)
            at = self.plant.GetFrameByName(closing.frame).CalcPoseInWorld(context).translation()
            a, b = (placed[body_of[end]].inverse().multiply(at) for end in ends)
            found.append(Loop.ball(ends[0], a, ends[1], b))
        return found

    def refuse_hinges(self, loops: tuple[Loop, ...]) -> None:
        """Refuse hinges whose axes turn, or stand across those of the loop: a point of theirs alone does not hold them."""
        context = self.plant.CreateDefaultContext()
        for closing, loop in zip(self.source.closings, loops):
            if closing.kind == "ball":
                continue
            model, _, name = "::".join(closing.within).rpartition("::")
            where = f"{self.path}: the joint of {closing.parent!r} and {closing.child!r}, which closes a loop,"
            try:
                frame = self.plant.GetFrameByName(name, self.plant.GetModelInstanceByName(model or "WorldModelInstance"))
            except RuntimeError:
                raise UnsupportedError(f"{where} has its axis in {name!r}, which is not found") from None
            body = self._named(closing.child).body_frame()
            axis = frame.CalcPose(context, body).rotation().matrix() @ closing.axis
            across = loop.across @ (axis / np.linalg.norm(axis))
            if len(across) != 2 or np.abs(across).max() > 1e-9:
                raise UnsupportedError(
                    f"{where} is a hinge whose axis is not parallel to all of the loop: such loops need a ball joint"
                )

    def allowed(self) -> list[tuple[str, str]]:
        """The pairs of links that Drake lets pass: what is fixed together, filter groups, and neighbors."""
        found, bodies = [], sorted(self.geometry)
        for i, a in enumerate(bodies):
            for b in bodies[:i]:
                pairs = ((g, h) for g in self.geometry[a] for h in self.geometry[b])
                if all(self.inspector.CollisionFiltered(g, h) for g, h in pairs):
                    found.append((self.links[self.link_of[b]], self.links[self.link_of[a]]))
        return found


def _placed(pose: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rotation and position of a frame, without what is the parser's rounding."""
    rotation, position = np.array(pose.rotation().matrix()), np.array(pose.translation())
    rotation[np.abs(rotation) < _SNAP] = 0
    position[np.abs(position) < _SNAP] = 0
    return rotation, position
