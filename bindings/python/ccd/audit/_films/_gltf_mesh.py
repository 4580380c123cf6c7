"""Meshes of a glTF: the vertices of all primitives of a mesh, with morph targets, joints and weights; seams joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FileError
from ._film import HALF, Ball
from ._gltf_file import Container


@dataclass
class Stored:
    """Vectors of an accessor, (n, 3), with how far a number may be off: a share of itself, and half a unit."""

    x: NDArray[np.float64]
    share: float = HALF
    unit: float = 0.0

    def ball(self) -> Ball:
        """About the origin."""
        ball = Ball.of(self.x, self.share)
        return Ball(ball.reach, ball.off + 1.7320508075688774 * self.unit)


@dataclass
class Mesh:
    """The primitives of a mesh as one. Vertices that coincide in every pose are one."""

    base: Stored
    targets: list[Stored]
    weights: NDArray[np.float64]  # The targets have these weights.
    joints: NDArray[np.int64] | None  # (n, m)
    shares: NDArray[np.float64] | None  # the weight of each joint, (n, m)
    share_unit: float  # half a unit of a weight, if it is not relative
    corners: NDArray[np.int32]
    edges: NDArray[np.int32]
    left_out: dict[str, int]
    joined: int  # number of vertices that are copies of others

    def morphed(self, weights: NDArray[np.float64], off: float) -> tuple[NDArray[np.float64], Ball]:
        """Positions with these weights of the targets, all of which together are off by at most this."""
        x, ball = self.base.x, self.base.ball()
        reach, wrong = ball.reach, ball.off
        for weight, target in zip(weights.tolist(), self.targets):
            one = target.ball()
            reach, wrong = reach + abs(weight) * one.reach, wrong + abs(weight) * one.off + off * one.reach
            if weight:
                x = x + weight * target.x
        return x, Ball(reach, wrong)


def mesh_of(file: Container, index: int, skinned: bool) -> Mesh:
    """The mesh of an index."""
    one, where = file.item("meshes", index), f"meshes[{index}]"
    primitives = file.list("primitives", one)
    if not primitives:
        raise FileError(f"{file.path}: {where} has no primitives")
    parts, left = [], dict[str, int]()
    for k, primitive in enumerate(primitives):
        if not isinstance(primitive, dict) or not isinstance(primitive.get("attributes"), dict):
            raise FileError(f"{file.path}: {where}.primitives[{k}] has no attributes")
        parts.append(_Part(file, f"{where}.primitives[{k}]", primitive, skinned, left))
    counts = {len(part.targets) for part in parts}
    if len(counts) != 1:
        raise FileError(f"{file.path}: the primitives of {where} have different numbers of targets")
    number, width = counts.pop(), max(part.joints.shape[1] for part in parts)
    given = one.get("weights")
    weights = np.zeros(number) if given is None else file.numbers(f"{where}.weights", given, number)
    first = np.cumsum([0, *(len(part.base.x) for part in parts)])

    def stacked(arrays: list[Stored]) -> Stored:
        return Stored(
            np.vstack([a.x for a in arrays]) + 0.0, max(a.share for a in arrays), max(a.unit for a in arrays)
        )  # fmt: skip

    base = stacked([part.base for part in parts])
    targets = [stacked([part.targets[t] for part in parts]) for t in range(number)]
    joints = np.vstack([np.pad(part.joints, ((0, 0), (0, width - part.joints.shape[1]))) for part in parts])
    shares = np.vstack([np.pad(part.shares, ((0, 0), (0, width - part.shares.shape[1]))) for part in parts])
    corners = np.concatenate([part.corners + at for part, at in zip(parts, first)]).astype(np.int32)
    edges = np.concatenate([part.edges + at for part, at in zip(parts, first)]).astype(np.int32)
    joints = np.where(shares > 0, joints, 0)
    kept, place = _coincident([base.x, *(t.x for t in targets), *([joints.astype(np.float64), shares] if skinned else [])])
    for array in (base, *targets):
        array.x = array.x[kept]
    return Mesh(
        base, targets, weights, joints[kept] if skinned else None, shares[kept] if skinned else None,
        max(part.share_unit for part in parts), place[corners], place[edges], left, int(first[-1]) - len(kept),
    )  # fmt: skip


def _coincident(columns: list[NDArray[np.float64]]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Rows that are the first of their kind, and for each row the number of that which it equals."""
    rows = np.ascontiguousarray(np.hstack(columns) + 0.0)
    if not len(rows):
        return np.empty(0, np.int64), np.empty(0, np.int32)
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return first[order].astype(np.int64), rank[inverse.reshape(-1)]


class _Part:
    """One primitive."""

    def __init__(self, file: Container, where: str, primitive: dict[str, Any], skinned: bool, left: dict[str, int]):
        self.file, self.where = file, where
        extensions = primitive.get("extensions") or {}
        attributes = primitive["attributes"]
        if "POSITION" not in attributes:
            raise FileError(f"{file.path}: {where} has no POSITION")
        if (
            "KHR_draco_mesh_compression" in extensions
            and file.item("accessors", attributes["POSITION"]).get("bufferView") is None
        ):
            raise file.compressed("KHR_draco_mesh_compression")
        self.base = self._vectors(attributes["POSITION"])
        n = len(self.base.x)
        self.targets = []
        for target in file.list("targets", primitive):
            index = target.get("POSITION") if isinstance(target, dict) else None
            self.targets.append(Stored(np.zeros((n, 3))) if index is None else self._vectors(index))
            if len(self.targets[-1].x) != n:
                raise FileError(f"{file.path}: a target of {where} has {len(self.targets[-1].x)} vertices of {n}")
        self.joints, self.shares, self.share_unit = np.zeros((n, 0), np.int64), np.zeros((n, 0)), 0.0
        if skinned:
            self._skin(attributes, n)
        self._topology(primitive, n, left)

    def _vectors(self, index: Any) -> Stored:
        values, unit = self.file.accessor(index, ("VEC3",))
        return Stored(values, 0.0 if unit else HALF, unit)

    def _skin(self, attributes: dict[str, Any], n: int) -> None:
        file, joints, shares, units, k = self.file, [], [], [0.0], 0
        while f"JOINTS_{k}" in attributes and f"WEIGHTS_{k}" in attributes:
            joints.append(file.accessor(attributes[f"JOINTS_{k}"], ("VEC4",), real=False)[0].astype(np.int64))
            values, unit = file.accessor(attributes[f"WEIGHTS_{k}"], ("VEC4",))
            shares.append(values)
            units.append(unit)
            k += 1
        if not k or any(len(rows) != n for rows in (*joints, *shares)):
            raise FileError(f"{file.path}: {self.where} has a skin and no JOINTS and WEIGHTS for each vertex")
        self.joints, self.shares, self.share_unit = np.hstack(joints), np.hstack(shares), max(units)
        total = self.shares.sum(1)
        wrong = np.flatnonzero(~(np.abs(total - 1) <= 1e-3 + 8 * self.share_unit) | (self.shares < 0).any(1))
        if len(wrong):
            raise FileError(
                f"{file.path}: {self.where}: the weights of vertex {wrong[0]} have the sum {total[wrong[0]]:.6g}: must be at "
                "least 0 each, and 1 together; normalize them"
            )

    def _topology(self, primitive: dict[str, Any], n: int, left: dict[str, int]) -> None:
        file, index = self.file, primitive.get("indices")
        v = np.arange(n) if index is None else file.accessor(index, ("SCALAR",), real=False)[0].reshape(-1).astype(np.int64)
        if len(v) and v.max() >= n:
            raise FileError(f"{file.path}: {self.where} has index {v.max()}: there are {n} vertices")
        mode, none = primitive.get("mode", 4), np.empty(0, np.int64)
        self.corners, self.edges = none, none.reshape(0, 2)
        if mode == 0:
            left["points"] = left.get("points", 0) + len(v)
        elif mode in (1, 2, 3):
            ends = v[: len(v) // 2 * 2].reshape(-1, 2) if mode == 1 else np.column_stack([v[:-1], v[1:]])
            self.edges = np.vstack([ends, [[v[-1], v[0]]]]) if mode == 2 and len(v) > 2 else ends
        elif mode == 4:
            self.corners = v[: len(v) // 3 * 3]
        elif mode == 5:
            rows = np.column_stack([v[:-2], v[1:-1], v[2:]])
            rows[1::2] = rows[1::2, [1, 0, 2]]
            self.corners = rows.reshape(-1)
        elif mode == 6:
            self.corners = np.column_stack([v[1:-1], v[2:], np.full(max(0, len(v) - 2), v[0] if len(v) else 0)]).reshape(-1)
        else:
            raise FileError(f"{file.path}: {self.where}.mode is {mode!r}: must be from 0 to 6")
