"""Robots from MJCF files, which MuJoCo itself parses and compiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import files
from ..errors import FileError, UnsupportedError
from ._kinematics import JointModel
from ._model import Robot
from ._shapes import Shape

_REFUSED = {
    "plane": "a plane, which is infinite: take it out, and give a box as a part of the scene",
    "hfield": "a height field: take it out, and give its triangles as a part of the scene",
    "ellipsoid": "an ellipsoid: use a mesh, or spheres and capsules",
    "sdf": "a signed distance field: use a mesh",
}


def read(path: str, segments: int, allow_adjacent: bool) -> Robot:
    """The robot of a file: bodies as links, hinges and slides as joints, geoms that take part in contacts as shapes."""
    try:
        import mujoco
    except ImportError as error:
        raise ImportError(f"{path}: MJCF files need MuJoCo ({error}): pip install mujoco") from error
    with files.reading(path):
        model = mujoco.MjModel.from_xml_path(path)
    reader = _Reader(path, mujoco, model, segments)
    for body in range(model.nbody):
        reader.body(body)
    robot = Robot(reader.robot_name(), reader.links, reader.shapes, reader.joints, reader.variables)
    return robot.allow(reader.allowed(allow_adjacent))


class _Reader:
    """Collects links and joints of a compiled model."""

    def __init__(self, path: str, mujoco: Any, model: Any, segments: int):
        self.path, self.mujoco, self.model, self.segments = path, mujoco, model, segments
        self.links: list[str] = []
        self.shapes: list[list[Shape]] = []
        self.joints: list[JointModel] = []
        self.link_of: list[int] = []  # The link of each body.
        self.follows = self._couplings()
        self.variables = [self._name("JOINT", j) for j in range(model.njnt) if j not in self.follows]

    def robot_name(self) -> str:
        """The name of the model, which MuJoCo keeps first among its names."""
        return bytes(self.model.names).split(b"\0")[0].decode("utf-8", "replace") or "robot"

    def body(self, body: int) -> None:
        """Add a body, below its parent by its joints. A joint away from the body's origin gets a link of its own."""
        m = self.model
        name = self._name("BODY", body)
        shapes = [shape for g in np.flatnonzero(m.geom_bodyid == body) if (shape := self._shape(int(g))) is not None]
        if body == 0:
            self.link_of.append(self._link(name, shapes))
            return
        above = self.link_of[m.body_parentid[body]]
        rotation, position = self._rotation(m.body_quat[body]), m.body_pos[body].astype(float)
        first = int(m.body_jntadr[body])
        count = int(m.body_jntnum[body])
        shift = np.zeros(3)  # from the last joint's anchor to the body's origin, in the body's coordinates
        for j in range(first, first + count):
            anchor = m.jnt_pos[j].astype(float)
            last = j == first + count - 1 and not anchor.any()
            link = self._link(name, shapes) if last else self._link(f"{name}/{self._name('JOINT', j)}", [])
            # The way to the anchor: the first from the parent, a later one from the anchor before.
            self.joints.append(self._joint(j, above, link, rotation, position + rotation @ (shift + anchor)))
            above, rotation, position, shift = link, np.eye(3), np.zeros(3), -anchor
        if count and not shift.any():
            self.link_of.append(above)
            return
        link = self._link(name, shapes)
        at = position + rotation @ shift
        fixed = JointModel(f"{name}/fixed", "fixed", above, link, rotation, at, np.zeros(3), -1, 1.0, 0.0)
        self.joints.append(fixed)
        self.link_of.append(link)

    def _link(self, name: str, shapes: list[Shape]) -> int:
        self.links.append(name)
        self.shapes.append(shapes)
        return len(self.links) - 1

    def _joint(self, j: int, parent: int, child: int, rotation: NDArray[Any], position: NDArray[Any]) -> JointModel:
        m, kinds = self.model, self.mujoco.mjtJoint
        name = self._name("JOINT", j)
        kind = {int(kinds.mjJNT_HINGE): "revolute", int(kinds.mjJNT_SLIDE): "prismatic"}.get(int(m.jnt_type[j]))
        if kind is None:
            what = "free" if m.jnt_type[j] == kinds.mjJNT_FREE else "ball"
            raise UnsupportedError(f"{self.path}: joint {name!r} is a {what} joint: only hinges and slides are supported")
        axis = m.jnt_axis[j].astype(float)
        axis /= np.linalg.norm(axis)
        source, factor, offset = self._source(j)
        low, high = (m.jnt_range[j] - self._reference(j)).tolist() if m.jnt_limited[j] else (-np.inf, np.inf)
        return JointModel(name, kind, parent, child, rotation, position, axis, source, factor, offset, low, high)

    def _reference(self, j: int) -> float:
        """The value of a joint at which the bodies are as the file has them."""
        return float(self.model.qpos0[self.model.jnt_qposadr[j]])

    def _couplings(self) -> dict[int, tuple[int, float, float]]:
        """Joints that follow another linearly, by an active constraint of equality: the other joint, factor and offset."""
        m, found = self.model, {}
        kinds = self.mujoco.mjtEq
        for e in range(m.neq):
            if m.eq_type[e] != kinds.mjEQ_JOINT or not m.eq_active0[e] or m.eq_obj2id[e] < 0 or m.eq_data[e][2:5].any():
                continue
            one, other = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            if one not in found and one != other:
                found[one] = other, float(m.eq_data[e][1]), float(m.eq_data[e][0])
        return found

    def _source(self, j: int) -> tuple[int, float, float]:
        """The variable of a joint, with factor and offset: its way from the file's place is factor * value + offset."""
        factor, offset, seen = 1.0, 0.0, [j]
        while j in self.follows:
            j, by, plus = self.follows[j]
            factor, offset = factor * by, offset + factor * plus
            if j in seen:
                raise FileError(f"{self.path}: joint {self._name('JOINT', j)!r} follows itself through constraints of equality")
            seen.append(j)
        return self.variables.index(self._name("JOINT", j)), factor, offset - factor * self._reference(j)

    def _shape(self, g: int) -> Shape | None:
        """The shape of a geom, None if it takes no part in contacts."""
        m, kinds = self.model, self.mujoco.mjtGeom
        if not (m.geom_contype[g] or m.geom_conaffinity[g]):
            return None
        size = m.geom_size[g].astype(float)
        kind = kinds(int(m.geom_type[g])).name.removeprefix("mjGEOM_").lower()
        if kind in _REFUSED:
            raise UnsupportedError(f"{self.path}: geom {self._name('GEOM', g)!r} is {_REFUSED[kind]}")
        if kind == "mesh":
            i = int(m.geom_dataid[g])
            v, f = (slice(a[i], a[i] + n[i]) for a, n in ((m.mesh_vertadr, m.mesh_vertnum), (m.mesh_faceadr, m.mesh_facenum)))
            shape = Shape.triangles(m.mesh_vert[v].astype(float), m.mesh_face[f])
        else:
            shape = {
                "sphere": lambda: Shape.ball(size[0]),
                "capsule": lambda: Shape.capsule(size[0], 2 * size[1]),
                "cylinder": lambda: Shape.cylinder(size[0], 2 * size[1], self.segments),
                "box": lambda: Shape.box(2 * size),
            }[kind]()
        return shape.placed(self._rotation(m.geom_quat[g]), m.geom_pos[g].astype(float))

    def allowed(self, adjacent: bool) -> list[tuple[str, str]]:
        """Pairs of bodies that MuJoCo lets pass: by masks, by <exclude>, and neighbors."""
        m, names = self.model, [self._name("BODY", b) for b in range(self.model.nbody)]
        excluded = {(int(s) >> 16, int(s) & 0xFFFF) for s in m.exclude_signature}
        parents = {(int(b), int(m.body_weldid[m.body_parentid[m.body_weldid[b]]])) for b in range(m.nbody)}
        masks = [
            {(int(m.geom_contype[g]), int(m.geom_conaffinity[g])) for g in np.flatnonzero(m.geom_bodyid == b)}
            for b in range(m.nbody)
        ]
        found = []
        for a in range(m.nbody):
            for b in range(a):
                meets = any(ta & cb or tb & ca for ta, ca in masks[a] for tb, cb in masks[b])
                near = (a, int(m.body_weldid[b])) in parents or (b, int(m.body_weldid[a])) in parents
                if not meets or (a, b) in excluded or (b, a) in excluded or (adjacent and near):
                    found.append((names[b], names[a]))
        return found

    @staticmethod
    def _rotation(quaternion: NDArray[Any]) -> NDArray[np.float64]:
        """The rotation of a quaternion (w, x, y, z), of length 1 up to rounding."""
        w, x, y, z = quaternion.astype(float) / np.linalg.norm(quaternion.astype(float))
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    def _name(self, kind: str, index: int) -> str:
        """The name of an object, or its kind and index."""
        found = self.mujoco.mj_id2name(self.model, int(getattr(self.mujoco.mjtObj, f"mjOBJ_{kind}")), index)
        return found or f"{kind.lower()} {index}"
