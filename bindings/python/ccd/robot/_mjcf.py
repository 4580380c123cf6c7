"""Robots from MJCF files, which MuJoCo itself parses and compiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from .._inner import files
from .._inner.meshes import to_matrix
from ..errors import FileError, UnsupportedError
from ._joint import PARTS, JointModel
from ._kinematics import turn
from ._loop import Loop
from ._model import Robot
from ._open import flattened
from ._shapes import Shape, without

_REFUSED = {"sdf": "a signed distance field: use a mesh"}
_CACHING = {f"3.3.{k}" for k in range(1, 7)}  # versions of MuJoCo whose cache has no switch
_SWITCHED = Lock()  # held while the cache, which is one for all threads, is off
_FAR = 1000.0  # a plane is a box up to this many times 1 and the file's size


def read(path: str, segments: int, allow_adjacent: bool) -> Robot:
    """The robot of a file: bodies as links, hinges and slides as joints, geoms that take part in contacts as shapes."""
    try:
        import mujoco
    except ImportError as error:
        raise ImportError(f"{path}: MJCF files need MuJoCo ({error}): pip install mujoco") from error
    with files.reading(path), _no_cache(path, mujoco):
        model = mujoco.MjModel.from_xml_path(path)
    reader = _Reader(path, mujoco, model, segments)
    for body in range(model.nbody):
        reader.body(body)
    robot = Robot(reader.robot_name(), reader.links, reader.shapes, reader.joints, reader.variables)
    robot = robot.allow(reader.allowed(allow_adjacent))
    robot._start = reader.start()
    values = robot._values(robot._start)
    robot._loops = tuple(flattened(robot, loop, values) for loop in reader.loops())
    return robot


@contextmanager
def _no_cache(path: str, mujoco: Any) -> Iterator[None]:
    """Switches MuJoCo's cache off: before 4.0 a mesh file that is in it keeps the refpos and refquat it was first read with."""
    if hasattr(mujoco, "mj_getCache"):
        with _SWITCHED:
            cache = mujoco.mj_getCache()
            capacity = mujoco.mj_getCacheCapacity(cache)
            mujoco.mj_setCacheCapacity(cache, 1)  # A byte: no mesh fits in.
            try:
                yield
            finally:
                mujoco.mj_setCacheCapacity(cache, capacity)
        return
    yield
    if mujoco.__version__ in _CACHING:
        for mesh in mujoco.MjSpec.from_file(path).meshes:
            if mesh.file and (np.any(mesh.refpos) or np.any(mesh.refquat[1:])):
                found = f"{path}: mesh {mesh.name!r} has refpos or refquat, which MuJoCo {mujoco.__version__} may leave out"
                raise UnsupportedError(f"{found}: install 3.3.7 or later")


class _Reader:
    """Collects links and joints of a compiled model."""

    def __init__(self, path: str, mujoco: Any, model: Any, segments: int):
        self.path, self.mujoco, self.model, self.segments = path, mujoco, model, segments
        self.links: list[str] = []
        self.shapes: list[list[Shape]] = []
        self.joints: list[JointModel] = []
        self.link_of: list[int] = []  # The link of each body.
        self.extent = _FAR * (1.0 + self._size())
        self.paired = {int(g) for pairs in (model.pair_geom1, model.pair_geom2) for g in pairs}  # The geoms of <pair>.
        self._refuse_flexes()
        self.follows = self._couplings()
        self.variables: list[str] = []
        for j in range(model.njnt):
            name, kind = self._name("JOINT", j), self._kind(j)
            if kind in PARTS:
                self.variables += [f"{name}/{part}" for part in PARTS[kind]]
            elif j not in self.follows:
                self.variables.append(name)

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
        rotation, position = to_matrix(m.body_quat[body].astype(float)), m.body_pos[body].astype(float)
        first = int(m.body_jntadr[body])
        count = int(m.body_jntnum[body])
        if count and self._kind(first) == "free":  # its values are the pose in the world, whatever that of the file
            rotation, position = np.eye(3), np.zeros(3)
        shift = np.zeros(3)  # from the last joint's anchor to the body's origin, in the body's coordinates
        for j in range(first, first + count):
            anchor = m.jnt_pos[j].astype(float)
            last = j == first + count - 1 and not anchor.any()
            link = self._link(name, shapes) if last else self._link(self._free("BODY", f"{name}/{self._name('JOINT', j)}"), [])
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

    def _size(self) -> float:
        """A bound on the distance of all geoms but planes from the world's origin, with slides within their limits.

        What is free to move counts where the file has it.
        """
        m = self.model
        offsets = np.linalg.norm(m.body_pos, axis=1).sum() + np.linalg.norm(m.jnt_pos, axis=1).sum()
        slides = m.jnt_range[(m.jnt_type == self.mujoco.mjtJoint.mjJNT_SLIDE) & (m.jnt_limited != 0)]
        own = (np.linalg.norm(m.geom_pos, axis=1) + m.geom_rbound)[m.geom_type != self.mujoco.mjtGeom.mjGEOM_PLANE]
        return float(offsets + np.abs(slides).max(axis=1, initial=0).sum() + own.max(initial=0))

    def _link(self, name: str, shapes: list[Shape]) -> int:
        self.links.append(name)
        self.shapes.append(shapes)
        return len(self.links) - 1

    def _joint(self, j: int, parent: int, child: int, rotation: NDArray[Any], position: NDArray[Any]) -> JointModel:
        m, name, kind = self.model, self._name("JOINT", j), self._kind(j)
        if kind in PARTS:
            source = self.variables.index(f"{name}/{PARTS[kind][0]}")
            return JointModel(name, kind, parent, child, rotation, position, np.zeros(3), source, 1.0, 0.0)
        axis = m.jnt_axis[j].astype(float)
        axis /= np.linalg.norm(axis)
        source, c = self._source(j)
        if source < 0:  # it stays at one value
            rotation, position = (
                (rotation @ turn(axis, c[0]), position) if kind == "revolute" else (rotation, position + rotation @ axis * c[0])
            )
            return JointModel(name, "fixed", parent, child, rotation, position, np.zeros(3), -1, 1.0, 0.0)
        low, high = (m.jnt_range[j] - self._reference(j)).tolist() if m.jnt_limited[j] else (-np.inf, np.inf)
        offset, factor, *powers = c
        return JointModel(
            name, kind, parent, child, rotation, position, axis, source, factor, offset, low, high, tuple(powers)
        )  # fmt: skip

    def _kind(self, j: int) -> str:
        """The kind of a joint: revolute, prismatic, ball or free."""
        name: str = self.mujoco.mjtJoint(int(self.model.jnt_type[j])).name
        return {"HINGE": "revolute", "SLIDE": "prismatic"}.get(name.removeprefix("mjJNT_"), name.removeprefix("mjJNT_").lower())

    def _refuse_flexes(self) -> None:
        """Refuse deformable bodies that take part in contacts: they are no geoms, and would be left out."""
        m = self.model
        for f in range(m.nflex):
            if m.flex_contype[f] or m.flex_conaffinity[f]:
                raise UnsupportedError(
                    f"{self.path}: flex {self._name('FLEX', f)!r} takes part in contacts: flexes are not read; use a mesh,"
                    " or set contype='0' and conaffinity='0'"
                )

    def _reference(self, j: int) -> float:
        """The value of a joint at which the bodies are as the file has them."""
        return float(self.model.qpos0[self.model.jnt_qposadr[j]])

    def _couplings(self) -> dict[int, tuple[int, list[float]]]:
        """Joints that active constraints of equality let follow another: that one, or -1, and coefficients of a polynomial.

        `loops` reads those that join bodies; all others are refused.
        """
        m, kinds, found = self.model, self.mujoco.mjtEq, dict[int, tuple[int, list[float]]]()
        for e in self._active():
            kind = int(m.eq_type[e])
            if kind != kinds.mjEQ_JOINT:
                if kind != kinds.mjEQ_CONNECT:
                    what = kinds(kind).name.removeprefix("mjEQ_").lower()
                    raise UnsupportedError(
                        f"{self._equality(e)} is of the kind {what}: only joint and connect are read; take it out,"
                        " or set active='false'"
                    )
                continue
            one, other = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            coefficients = m.eq_data[e][:5].astype(float).tolist()
            for j in (one, other) if other >= 0 else (one,):
                if self._kind(j) in PARTS:
                    raise UnsupportedError(f"{self._equality(e)} has the {self._kind(j)} joint {self._name('JOINT', j)!r}")
            if one in found and other >= 0 and any(coefficients[1:]) and other not in found:
                # Both ways round a line may be read; a polynomial has one.
                one, other, coefficients = other, one, self._turned(e, coefficients)
            if one in found or one == other:
                raise UnsupportedError(f"{self._equality(e)}: joint {self._name('JOINT', one)!r} follows twice: state it once")
            while len(coefficients) > 2 and not coefficients[-1]:
                coefficients.pop()
            found[one] = (other, coefficients) if other >= 0 else (-1, coefficients[:1])
        return found

    def _turned(self, e: int, c: list[float]) -> list[float]:
        """The line that the other joint of a constraint follows."""
        if any(c[2:]) or not c[1]:
            raise UnsupportedError(f"{self._equality(e)}: its first joint follows another one already: swap its joints")
        return [-c[0] / c[1], 1 / c[1]]

    def _active(self) -> list[int]:
        """The constraints that hold, but for those that pull a body to one of motion capture: a path has its own values."""
        if self.model.opt.disableflags & self.mujoco.mjtDisableBit.mjDSBL_EQUALITY:
            return []
        return [e for e in range(self.model.neq) if self.model.eq_active0[e] and not self._drags(e)]

    def _drags(self, e: int) -> bool:
        """Whether a constraint joins a body to one of motion capture without a shape, which people drag by hand."""
        m, kinds = self.model, self.mujoco.mjtEq
        if int(m.eq_type[e]) not in (kinds.mjEQ_WELD, kinds.mjEQ_CONNECT):
            return False
        ids = np.array([m.eq_obj1id[e], m.eq_obj2id[e]])
        if m.eq_objtype[e] == self.mujoco.mjtObj.mjOBJ_SITE:
            ids = m.site_bodyid[ids]
        bare = [b for b in ids if not any(self._meets(int(g)) for g in np.flatnonzero(m.geom_bodyid == b))]
        return any(m.body_mocapid[b] >= 0 for b in bare)

    def _equality(self, e: int) -> str:
        """A constraint of equality, for messages."""
        return f"{self.path}: equality {self._name('EQUALITY', e)!r}"

    def _source(self, j: int) -> tuple[int, list[float]]:
        """The variable of a joint, and the coefficients of its way from the file's place; -1 if it stays at one value."""
        chain, seen = [], [j]
        while j in self.follows:
            j, coefficients = self.follows[j]
            chain.append(coefficients)
            if j in seen:
                raise FileError(f"{self.path}: joint {self._name('JOINT', j)!r} follows itself through constraints of equality")
            seen.append(j)
            if j < 0:
                break
        value = Polynomial([0, 1]) if j < 0 else Polynomial([-self._reference(j), 1])
        for coefficients in reversed(chain):
            value = Polynomial(coefficients)(value)
        if j < 0:
            return -1, [float(value(0.0))]
        c = [*value.coef.tolist(), 0.0]
        if len(c) > 7:
            raise UnsupportedError(
                f"{self.path}: joint {self._name('JOINT', seen[0])!r} follows by a polynomial of degree {len(c) - 2}: at most 5"
            )
        return self.variables.index(self._name("JOINT", j)), c[: max(2, len(c) - 1)]

    def start(self) -> dict[str, float]:
        """The values of the file's configuration."""
        m, found = self.model, dict[str, float]()
        for j in range(m.njnt):
            name, first, kind = self._name("JOINT", j), int(m.jnt_qposadr[j]), self._kind(j)
            names = [f"{name}/{part}" for part in PARTS[kind]] if kind in PARTS else [name]
            found |= {n: float(x) for n, x in zip(names, m.qpos0[first:]) if n in self.variables}
        return found

    def loops(self) -> list[Loop]:
        """The points that stay together, by active constraints of the kind connect, in their order."""
        m, found = self.model, []
        for e in self._active():
            if m.eq_type[e] != self.mujoco.mjtEq.mjEQ_CONNECT:
                continue
            ids = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            if m.eq_objtype[e] == self.mujoco.mjtObj.mjOBJ_SITE:
                ends = [(int(m.site_bodyid[i]), m.site_pos[i].astype(float)) for i in ids]
            else:
                ends = [(ids[0], m.eq_data[e][:3].astype(float)), (ids[1], m.eq_data[e][3:6].astype(float))]
            (a, point_a), (b, point_b) = ends
            links = [self.links[self.link_of[body]] for body in (a, b)]
            found.append(Loop.ball(links[0], point_a, links[1], point_b))
        return found

    def _meets(self, g: int) -> bool:
        """Whether a geom takes part in contacts."""
        return bool(self.model.geom_contype[g] or self.model.geom_conaffinity[g] or int(g) in self.paired)

    def _shape(self, g: int) -> Shape | None:
        """The shape of a geom, None if it takes no part in contacts."""
        m, kinds = self.model, self.mujoco.mjtGeom
        if not self._meets(g):
            return None
        size = m.geom_size[g].astype(float)
        kind = kinds(int(m.geom_type[g])).name.removeprefix("mjGEOM_").lower()
        if kind in _REFUSED:
            raise UnsupportedError(f"{self.path}: geom {self._name('GEOM', g)!r} is {_REFUSED[kind]}")
        if kind == "mesh":
            i = int(m.geom_dataid[g])
            v, f = (slice(a[i], a[i] + n[i]) for a, n in ((m.mesh_vertadr, m.mesh_vertnum), (m.mesh_faceadr, m.mesh_facenum)))
            shape = without(Shape.triangles(m.mesh_vert[v].astype(float), m.mesh_face[f]), np.arange(m.mesh_vertnum[i]))
        elif kind == "hfield":
            shape = self._terrain(int(m.geom_dataid[g]))
        else:
            shape = {
                "plane": lambda: Shape.half_space([0, 0, 1], 0, self.extent),
                "ellipsoid": lambda: Shape.ellipsoid(size, self.segments),
                "sphere": lambda: Shape.ball(size[0]),
                "capsule": lambda: Shape.capsule(size[0], 2 * size[1]),
                "cylinder": lambda: Shape.cylinder(size[0], 2 * size[1], self.segments),
                "box": lambda: Shape.box(2 * size),
            }[kind]()
        return shape.placed(to_matrix(m.geom_quat[g].astype(float)), m.geom_pos[g].astype(float))

    def _terrain(self, i: int) -> Shape:
        """A height field as MuJoCo's prisms: two triangles a cell, down to its base."""
        m = self.model
        rows, columns = int(m.hfield_nrow[i]), int(m.hfield_ncol[i])
        wide, deep, high, base = m.hfield_size[i].astype(float)
        first = int(m.hfield_adr[i])
        z = m.hfield_data[first : first + rows * columns].astype(float).reshape(rows, columns) * high
        y, x = np.meshgrid(np.linspace(-deep, deep, rows), np.linspace(-wide, wide, columns), indexing="ij")
        top = np.stack([x, y, z], axis=2)
        number = np.arange(rows * columns).reshape(rows, columns)
        a, b, c, d = (n.ravel() for n in (number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]))
        rim = np.concatenate([number[0, :-1], number[:-1, -1], number[-1, :0:-1], number[:0:-1, 0]])
        low = rows * columns + np.arange(len(rim))
        after, low_after = np.roll(rim, -1), np.roll(low, -1)
        floor = top.reshape(-1, 3)[rim] * [1, 1, 0] - [0, 0, base]
        middle = np.full(len(rim), low[-1] + 1)
        faces = [(a, b, c), (a, c, d), (rim, low, low_after), (rim, low_after, after), (low_after, low, middle)]
        vertices = np.vstack([top.reshape(-1, 3), floor, [[0, 0, -base]]])
        return Shape.triangles(vertices, np.vstack([np.stack(f, axis=1) for f in faces]))

    def allowed(self, adjacent: bool) -> list[tuple[str, str]]:
        """Pairs of bodies that MuJoCo lets pass: by masks, <exclude>, and neighbors, but for those with a <pair> of geoms.

        As there, what is fixed to the world is a neighbor of none, but for the body that a joint is on: a base.
        """
        m, names = self.model, [self._name("BODY", b) for b in range(self.model.nbody)]
        excluded = {(int(s) >> 16, int(s) & 0xFFFF) for s in m.exclude_signature}
        adjacent = adjacent and not m.opt.disableflags & self.mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
        parents = {(b, self._neighbor(b)) for b in range(m.nbody)}
        masks = [
            {(int(m.geom_contype[g]), int(m.geom_conaffinity[g])) for g in np.flatnonzero(m.geom_bodyid == b)}
            for b in range(m.nbody)
        ]
        paired = {frozenset(m.geom_bodyid[list(pair)].tolist()) for pair in zip(m.pair_geom1, m.pair_geom2)}
        found = []
        for a in range(m.nbody):
            for b in range(a):
                if frozenset((a, b)) in paired:
                    continue
                meets = any(ta & cb or tb & ca for ta, ca in masks[a] for tb, cb in masks[b])
                near = (a, int(m.body_weldid[b]) or b) in parents or (b, int(m.body_weldid[a]) or a) in parents
                if not meets or (a, b) in excluded or (b, a) in excluded or (adjacent and near):
                    found.append((names[b], names[a]))
        return found

    def _neighbor(self, body: int) -> int:
        """What the first joint above a body is on: bodies that are fixed to each other, -1 if it is the world itself.

        Of what is fixed to the world it is the body alone that has the joint.
        """
        m = self.model
        parent = int(m.body_parentid[m.body_weldid[body]])
        return int(m.body_weldid[parent]) or parent or -1

    def _name(self, kind: str, index: int) -> str:
        """The name of an object, or its kind and index."""
        found = self.mujoco.mj_id2name(self.model, int(getattr(self.mujoco.mjtObj, f"mjOBJ_{kind}")), index)
        return found or self._free(kind, f"{kind.lower()} {index}")

    def _free(self, kind: str, name: str) -> str:
        """A name that no object of the file has: with marks behind it, if one does."""
        of = int(getattr(self.mujoco.mjtObj, f"mjOBJ_{kind}"))
        while self.mujoco.mj_name2id(self.model, of, name) >= 0:
            name += "'"
        return name
