"""glTF and GLB: the bodies of a scene where one animation puts them, by node transforms, morph targets and skins.

Frames are the times at which the animation has keys. Every value between keys of its own is interpolated as the specification
says. Coordinates are those of the scene, in meters, y up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FileError, UnsupportedError
from ._film import HALF, Ball, Film, Shape, matrix_of, turned_corners, unique
from ._gltf_file import Container
from ._gltf_mesh import Mesh, mesh_of
from ._gltf_motion import Motion

_DEPTH = 1000  # nodes within nodes


@dataclass
class _Body:
    node: int
    mesh: Mesh
    skin: dict[str, Any] | None
    sizes: NDArray[np.int32]
    inverse: NDArray[np.float64]  # inverse bind matrices (j, 4, 4)
    instance: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None = None  # moved, turned, scaled


class GLTF(Film):
    """The bodies of the default scene."""

    rounded = "rounded in the file"

    def __init__(self, path: str, animation: str | None = None):
        super().__init__(path)
        self.file = Container(path)
        self.parents: dict[int, int] = {}
        self._hidden: set[int] = set()
        order = self._walk()
        self._inside = set(order)
        self.motion = Motion(self.file, animation, set(order))
        times: list[float | None] = list(self.motion.times)
        if self.motion.name and not times:
            self.say(f"animation {self.motion.name!r} moves nothing in the scene")
        self.times = times or [None]
        self._poses: tuple[int, dict[int, NDArray[np.float64]]] = (-1, {})
        self.bodies = self._bodies(order)
        self._remark()

    # ---- the scene

    def _walk(self) -> list[int]:
        """The nodes of the scene that are visible, each after its parent."""
        file, scenes = self.file, self.file.list("scenes")
        if "scene" in file.json or len(scenes) == 1:
            roots = file.list("nodes", file.item("scenes", file.json.get("scene", 0)))
        elif scenes:
            raise UnsupportedError(f"{self.path} has {len(scenes)} scenes and no default: export one scene")
        else:
            children = {child for node in file.list("nodes") if isinstance(node, dict) for child in file.list("children", node)}
            roots = [k for k in range(len(file.list("nodes"))) if k not in children]
            self.say("the file has no scene: all nodes are read")
        found: list[int] = []
        seen: set[int] = set()
        stack = [(root, -1, True, 0) for root in reversed(roots)]
        while stack:
            node, parent, visible, depth = stack.pop()
            one = file.item("nodes", node)
            if node in seen or depth > _DEPTH:
                raise FileError(f"{self.path}: nodes[{node}] is in the scene twice, or {_DEPTH} nodes deep")
            seen.add(node)
            if parent >= 0:
                self.parents[node] = parent
            visible = visible and (one.get("extensions") or {}).get("KHR_node_visibility", {}).get("visible", True) is not False
            found.append(node)
            if not visible and one.get("mesh") is not None:
                self.leave("hidden meshes")
                self._hidden.add(node)
            stack += [(child, node, visible, depth + 1) for child in reversed(file.list("children", one))]
        return found

    def _bodies(self, order: list[int]) -> dict[str, _Body]:
        file, meshes = self.file, dict[tuple[int, bool], Mesh]()
        nodes = [k for k in order if file.item("nodes", k).get("mesh") is not None and k not in self._hidden]
        given = [self._called(k) for k in nodes]
        found: dict[str, _Body] = {}
        for name, node in zip(unique(given, [f"node {k}" for k in nodes]), nodes):
            one = file.item("nodes", node)
            skin = file.item("skins", one["skin"]) if one.get("skin") is not None else None
            key = one["mesh"], skin is not None
            if key not in meshes:
                meshes[key] = mesh_of(file, *key)
            mesh = meshes[key]
            if not len(mesh.corners) and not len(mesh.edges):
                continue
            sizes = np.full(len(mesh.corners) // 3, 3, np.int32)
            body = _Body(node, mesh, skin, sizes, self._inverse(skin, mesh))
            if skin is None and np.linalg.det(self._placed(node, 0)[:3, :3]) < 0:
                body.mesh = Mesh(**{**vars(mesh), "corners": turned_corners(mesh.corners, sizes)})
            instances = (one.get("extensions") or {}).get("EXT_mesh_gpu_instancing")
            if instances is None:
                found[name] = body
                continue
            if skin is not None:
                raise UnsupportedError(f"{self.path}: nodes[{node}] has a skin and instances, which is not read")
            for k, placed in enumerate(self._instances(node, instances)):
                found[f"{name}[{k}]"] = _Body(node, body.mesh, None, sizes, body.inverse, placed)
        return found

    def _inverse(self, skin: dict[str, Any] | None, mesh: Mesh) -> NDArray[np.float64]:
        if skin is None:
            return np.empty((0, 4, 4))
        file, joints = self.file, self.file.list("joints", skin)
        assert mesh.joints is not None
        if not joints or mesh.joints.max(initial=0) >= len(joints):
            raise FileError(f"{self.path}: a vertex has joint {mesh.joints.max(initial=0)} of {len(joints)} of its skin")
        for joint in joints:
            file.item("nodes", joint)
            if joint not in self._inside:
                raise FileError(f"{self.path}: nodes[{joint}] is a joint and not in the scene")
        if skin.get("inverseBindMatrices") is None:
            return np.tile(np.eye(4), (len(joints), 1, 1))
        found = file.accessor(skin["inverseBindMatrices"], ("MAT4",))[0]
        if len(found) < len(joints):
            raise FileError(f"{self.path}: a skin has {len(found)} matrices for {len(joints)} joints")
        return found[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)  # the file has columns one after the other

    def _instances(self, node: int, given: dict[str, Any]) -> list[Any]:
        file, attributes, held = self.file, given.get("attributes") or {}, {}
        for name, width in (("TRANSLATION", 3), ("ROTATION", 4), ("SCALE", 3)):
            if name in attributes:
                held[name] = file.accessor(attributes[name], (f"VEC{width}",))[0]
        counts = {len(values) for values in held.values()}
        if len(counts) != 1:
            raise FileError(f"{self.path}: the instances of nodes[{node}] have {sorted(counts) or 'no'} numbers of rows")
        count = counts.pop()
        moved = held.get("TRANSLATION", np.zeros((count, 3)))
        turned, scaled = held.get("ROTATION", np.tile([0.0, 0, 0, 1], (count, 1))), held.get("SCALE", np.ones((count, 3)))
        if (np.linalg.norm(turned, axis=1) < 0.5).any():
            raise FileError(f"{self.path}: a rotation of the instances of nodes[{node}] is no unit quaternion")
        return list(zip(moved, turned, scaled))

    def _remark(self) -> None:
        joined = sum({id(body.mesh.base): body.mesh.joined for body in self.bodies.values()}.values())
        if joined:
            self.say(
                f"{joined:,} vertices are copies at seams of normals, texture coordinates or materials: "
                "each is joined to its first"
            )
        for mesh in {id(body.mesh.base): body.mesh for body in self.bodies.values()}.values():
            for what, count in mesh.left_out.items():
                self.leave(what, count)
        angle, node = self.motion.turn()
        if angle > 0:
            self.say(
                f"nodes turn by up to {angle:.3g} degrees between two frames ({self._name(node)}), where vertices move on "
                "straight lines here: more keys bring these nearer to the turn"
            )
        forms = self.motion.forms()
        if "STEP" in forms:
            self.say("some channels jump at their keys (STEP): here vertices move on straight lines from frame to frame")
        if "CUBICSPLINE" in forms:
            self.say("some channels are splines (CUBICSPLINE): here vertices move on straight lines from frame to frame")

    def _called(self, node: int) -> str:
        """The name of a node, or of the nearest around it that has one: programs add nodes to quantized meshes."""
        at: int | None = node
        while at is not None:
            if name := str(self.file.item("nodes", at).get("name") or ""):
                return name
            at = self.parents.get(at)
        return ""

    def _name(self, node: int) -> str:
        return str(self.file.item("nodes", node).get("name") or f"node {node}")

    # ---- frames

    def names(self, k: int) -> list[str]:
        """All bodies are there in all frames."""
        return list(self.bodies)

    def shape(self, k: int, name: str) -> Shape:
        """A body in a frame."""
        body = self.bodies[name]
        mesh = body.mesh
        x, ball = mesh.morphed(*self._weights(body, k))
        if body.skin is not None:
            x, off = self._skinned(body, k, x, ball)
            return Shape(x, mesh.corners, body.sizes, mesh.edges, off)
        matrix = self._placed(body.node, k)
        if body.instance is not None:
            moved, turned, scaled = body.instance
            ball = ball.scaled(scaled, HALF).turned(2.1 * HALF).moved(moved, HALF)
            matrix = matrix @ _composed(moved, turned, scaled)
        ball = self._chained(body.node, k, ball)
        return Shape(_applied(matrix, x), mesh.corners, body.sizes, mesh.edges, ball.off)

    def _weights(self, body: _Body, k: int) -> tuple[NDArray[np.float64], float]:
        sampler = self.motion.channels.get((body.node, "weights"))
        if sampler is not None:
            return sampler.at(self._time(k))
        given, count = self.file.item("nodes", body.node).get("weights"), len(body.mesh.targets)
        weights = body.mesh.weights if given is None else self.file.numbers(f"nodes[{body.node}].weights", given, count)
        return weights, HALF * float(np.linalg.norm(weights))

    def _time(self, k: int) -> float:
        time = self.times[k]
        return 0.0 if time is None else time

    def _skinned(self, body: _Body, k: int, x: NDArray[np.float64], ball: Ball) -> tuple[NDArray[np.float64], float]:
        assert body.skin is not None and body.mesh.joints is not None and body.mesh.shares is not None
        joints, shares = body.mesh.joints, body.mesh.shares
        nodes, off = self.file.list("joints", body.skin), 0.0
        matrices = np.array([self._placed(node, k) @ inverse for node, inverse in zip(nodes, body.inverse)])
        for j in np.unique(joints[shares > 0]).tolist():
            off = max(off, self._chained(nodes[j], k, ball.mapped(body.inverse[j], HALF)).off)
        found = np.zeros_like(x)
        for column in range(joints.shape[1]):
            found += shares[:, column, None] * _applied_each(matrices[joints[:, column]], x)
        # The weights are one together, so what one is off another is too: only the distances between its joints' places count.
        apart = np.abs(1 - shares.sum(1)) * np.linalg.norm(found, axis=1)
        for column in range(joints.shape[1]):
            wrong = np.where(shares[:, column] > 0, body.mesh.share_unit or HALF * shares[:, column], 0.0)
            apart += wrong * np.linalg.norm(_applied_each(matrices[joints[:, column]], x) - found, axis=1)
        return found, off + float(apart.max(initial=0.0))

    def _placed(self, node: int, k: int) -> NDArray[np.float64]:
        """The matrix from a node to the scene."""
        if self._poses[0] != k:
            self._poses = k, {}
        held = self._poses[1]
        chain = [node]
        while chain[-1] not in held and chain[-1] in self.parents:
            chain.append(self.parents[chain[-1]])
        for one in reversed(chain):
            if one not in held:
                parent = self.parents.get(one)
                local = self._local(one, k)[0]
                held[one] = local if parent is None else held[parent] @ local
        return held[node]

    def _chained(self, node: int, k: int, ball: Ball) -> Ball:
        """What a node and those around it do to a ball."""
        at: int | None = node
        while at is not None:
            ball = self._local(at, k)[1](ball)
            at = self.parents.get(at)
        return ball

    def _local(self, node: int, k: int) -> tuple[NDArray[np.float64], Any]:
        """The matrix from a node to its parent, and what it does to a ball."""
        one, where = self.file.item("nodes", node), f"nodes[{node}]"
        if one.get("matrix") is not None:
            matrix = self.file.numbers(f"{where}.matrix", one["matrix"], 16).reshape(4, 4).T
            if not np.array_equal(matrix[3], [0, 0, 0, 1]):
                raise FileError(f"{self.path}: {where}.matrix is projective")
            return matrix, lambda ball: ball.mapped(matrix, HALF)
        values, offs = {}, {}
        for path, default in (("translation", [0.0, 0, 0]), ("rotation", [0.0, 0, 0, 1]), ("scale", [1.0, 1, 1])):
            sampler = self.motion.channels.get((node, path))
            if sampler is not None:
                values[path], offs[path] = sampler.at(self._time(k))
                continue
            given = one.get(path)
            values[path] = np.array(default) if given is None else self.file.numbers(f"{where}.{path}", given, len(default))
            offs[path] = 0.0 if given is None else HALF * float(np.linalg.norm(values[path]))
        if np.linalg.norm(values["rotation"]) < 0.5:
            raise FileError(f"{self.path}: {where}.rotation is no unit quaternion")
        angle = offs["rotation"]  # A sampler gives an angle already.
        if (node, "rotation") not in self.motion.channels:
            angle *= 2.1 / float(np.linalg.norm(values["rotation"]))

        def applied(ball: Ball) -> Ball:
            scaled = ball.scaled(values["scale"], 0.0)
            scaled = Ball(scaled.reach, scaled.off + offs["scale"] * (ball.reach + ball.off))
            moved = scaled.turned(angle).moved(values["translation"], 0.0)
            return Ball(moved.reach, moved.off + offs["translation"])

        return _composed(values["translation"], values["rotation"], values["scale"]), applied


def _composed(
    moved: NDArray[np.float64], turned: NDArray[np.float64], scaled: NDArray[np.float64]
) -> NDArray[np.float64]:  # fmt: skip
    matrix = np.eye(4)
    matrix[:3, :3] = matrix_of(turned) * scaled
    matrix[:3, 3] = moved
    return matrix


def _applied(matrix: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = x @ matrix[:3, :3].T + matrix[:3, 3]
    return found


def _applied_each(matrices: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.einsum("nij,nj->ni", matrices[:, :3, :3], x) + matrices[:, :3, 3]
    return found
