"""Trees of joints: where links are, and how far their vertices can be from chords of their paths.

docs/proofs/robots.md derives the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._expand import Expansion
from ._joint import JointModel

_U = 2.0**-53
_UP = 1 + 1e-9  # a factor above the rounding of sums of positive terms


class Tree:
    """Links and their joints, parents first: slides and turns alone, with links of their own between those of one joint.

    The joints that were given are `given`. Values of theirs, as paths have them, become variables by `inner`, and the other
    methods take these.
    """

    def __init__(self, count: int, joints: Sequence[JointModel], values: int):
        self.given = tuple(joints)
        whole = Expansion(self.given, count, values)
        self.count, self.joints, self.variables = whole.links, tuple(whole.joints), whole.variables
        self.column, self.inner, self.outer, self.errors, self.box = (
            whole.column, whole.inner, whole.outer, whole.errors, whole.box,
        )  # fmt: skip
        self.followers, self.quaternions, self.plain = whole.followers, whole.turns, whole.plain
        self.depth = np.zeros(self.count, int)
        for j in self.joints:
            self.depth[j.child] = self.depth[j.parent] + 1

    def row(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The variables of given values, (values,)."""
        found: NDArray[np.float64] = self.inner(np.array([[values, values]]), "values")[0, 0]
        return found

    def total(self, turning: bool, rates: NDArray[np.float64]) -> float:
        """The sum of the magnitudes of the rates of all joints that turn, or slide, those that follow another included."""
        moving = (j for j in self.joints if j.kind != "fixed" and j.turns == turning)
        return sum(abs(j.multiplier) * float(rates[j.source]) for j in moving) * _UP

    def periodic(self, value: int) -> bool:
        """Whether a whole turn of a value brings all links back: all joints that follow it turn by whole turns then."""
        if any(f.value == value for f in self.followers):
            return False
        of_it = [j for j in self.joints if j.kind != "fixed" and j.source == self.column[value]]
        return bool(of_it) and all(j.kind == "continuous" and float(j.multiplier).is_integer() for j in of_it)

    def value(self, joint: JointModel, q: NDArray[np.float64]) -> float:
        """The value of a joint."""
        return joint.multiplier * float(q[joint.source]) + joint.offset

    def place(self, q: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The rotations (links, 3, 3) and positions (links, 3) of all links."""
        rotation, position = np.tile(np.eye(3), (self.count, 1, 1)), np.zeros((self.count, 3))
        for j in self.joints:
            base = rotation[j.parent] @ j.rotation
            at = position[j.parent] + rotation[j.parent] @ j.position
            if j.turns:
                base = base @ turn(j.axis, self.value(j, q))
            elif j.kind == "prismatic":
                at = at + base @ j.axis * self.value(j, q)
            rotation[j.child], position[j.child] = base, at
        return rotation, position

    def velocities(self, q: NDArray[np.float64], rates: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Angular velocities of the links and velocities of their origins, (links, 3), at these rates of the variables."""
        rotation, position = self.place(q)
        turning, moving = np.zeros((self.count, 3)), np.zeros((self.count, 3))
        for j in self.joints:
            w, v = turning[j.parent], moving[j.parent] + np.cross(turning[j.parent], position[j.child] - position[j.parent])
            if j.kind != "fixed":
                along = rotation[j.child] @ j.axis * (j.multiplier * float(rates[j.source]))
                w, v = (w + along, v) if j.turns else (w, v + along)
            turning[j.child], moving[j.child] = w, v
        return turning, moving

    def reach(self, largest: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bounds on the distance of each link's origin from the base, with variables of at most these magnitudes."""
        reach = np.zeros(self.count)
        for j in self.joints:
            slide = self._largest(j, largest) if j.kind == "prismatic" else 0.0
            reach[j.child] = (reach[j.parent] + float(np.linalg.norm(j.position)) + slide) * _UP
        return reach

    def rounding(self, largest: NDArray[np.float64], error: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Bounds on how far computed vertices are from the true ones: constants and slopes (links,).

        A vertex at the distance r from its link's origin errs by at most constant + slope r. `error` bounds the error of the
        variables.
        """
        reach, slope = self.reach(largest), np.zeros(self.count)
        slides = np.zeros(self.count)
        for j in self.joints:
            slope[j.child], slides[j.child] = slope[j.parent], slides[j.parent]
            if j.kind == "fixed":
                continue
            off = 4 * _U * self._largest(j, largest) + abs(j.multiplier) * float(error[j.source])
            if j.turns:
                slope[j.child] += off
            else:
                slides[j.child] += off
        slope = (slope + 128 * _U * (self.depth + 2)) * _UP
        return (slope * reach + slides) * _UP, slope

    def deviation(
        self, order: int, largest: NDArray[np.float64], derivatives: list[NDArray[np.float64]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds on the derivative of this order of the paths, over an interval: constants and slopes (links,).

        For a vertex at the distance r from its link's origin it is at most constant + slope r. `derivatives` bound those of
        the variables, from the first to this order.
        """
        turning = [np.zeros(order)] * self.count  # per link the sums of the derivatives of the turns above it
        constant = np.zeros(self.count)
        for j in self.joints:
            sums = turning[j.parent]
            bell = _bell(sums)
            found = constant[j.parent] + bell[order] * float(np.linalg.norm(j.position))
            if j.kind != "fixed":
                own = np.array([abs(j.multiplier) * float(d[j.source]) for d in derivatives])
                if j.turns:
                    sums = sums + own
                else:
                    terms = [self._largest(j, largest), *own]
                    found += sum(math.comb(order, k) * bell[k] * terms[order - k] for k in range(order + 1))
            turning[j.child], constant[j.child] = sums, found * _UP
        slope = np.array([_bell(sums)[order] for sums in turning]) * _UP
        return constant, slope

    def _largest(self, j: JointModel, largest: NDArray[np.float64]) -> float:
        return abs(j.multiplier) * float(largest[j.source]) + abs(j.offset)


def _bell(w: NDArray[np.float64]) -> list[float]:
    """Complete Bell polynomials B_0 to B_n of w_1, w_2 ...: bounds on the derivatives of a product of turns."""
    b = [1.0]
    for n in range(len(w)):
        b.append(sum(math.comb(n, k) * b[n - k] * float(w[k]) for k in range(n + 1)))
    return b


def turn(axis: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """The rotation about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = (float(a) for a in axis)
    d = 2 * math.sin(angle / 2) ** 2  # 1 - c without cancellation
    return np.array(
        [
            [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
            [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
            [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
        ]
    )
