"""Joints of several values, and joints that follow a variable by a polynomial, as the slides and turns that are tested.

A planar joint is two slides and a turn, a floating one three slides and five turns, of which one moves on an edge: that is the
shortest turn about one axis. docs/proofs/robots.md ("Joints of several values") has the bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ._joint import PARTS, JointModel

Array = NDArray[np.float64]

_SLIDES = {"planar": 2, "floating": 3, "free": 3, "ball": 0}
_TURNS = (2, 1, 2, 1, 2)  # about z, y, z, y, z
_TURN_ERROR = 2.0**-45  # radians: what the five turns err by, all together
_HIGHEST = 5  # the highest degree of the polynomials
_STRAIGHT = 2.0**-46  # how far control values of what goes straight may be from the line, relative to the largest of them


@dataclass(frozen=True)
class Turn:
    """The quaternion of a joint: four of the robot's values, and the five turns in their place."""

    joint: str
    quaternion: tuple[int, ...]  # the values x, y, z, w
    first: int  # the variable of the first turn


@dataclass(frozen=True)
class Follower:
    """A joint whose value is a polynomial of another one's, with a variable of its own."""

    value: int
    variable: int
    coefficients: tuple[float, ...]


class Expansion:
    """The values that a path gives, and the variables of slides and turns."""

    def __init__(self, joints: tuple[JointModel, ...], links: int, values: int):
        turning = [j for j in joints if j.kind in PARTS and j.kind != "planar"]
        spent = {k for j in turning for k in _quaternion(j)}
        first = {min(_quaternion(j)): j for j in turning}
        self.column = np.full(values, -1)  # the variable of each value; -1 for those of quaternions
        self.turns: list[Turn] = []
        count = 0
        for k in range(values):
            if k in first:
                self.turns.append(Turn(first[k].name, _quaternion(first[k]), count))
                count += len(_TURNS)
            elif k not in spent:
                self.column[k], count = count, count + 1
        self.kept = np.flatnonzero(self.column >= 0)
        self.followers: list[Follower] = []
        self.joints: list[JointModel] = []
        self.links = links
        for j in joints:
            if j.kind in PARTS:
                self._chain(j)
            elif any(j.powers):
                self.followers.append(Follower(j.source, count, (j.offset, j.multiplier, *j.powers)))
                self.joints.append(replace(j, source=count, multiplier=1.0, offset=0.0, powers=()))
                count += 1
            else:
                self.joints.append(j if j.kind == "fixed" else replace(j, source=int(self.column[j.source])))
        self.variables = count
        self.plain = not self.turns and not self.followers

    def _chain(self, j: JointModel) -> None:
        """Slides along x, y and z, then turns, with links of their own between them."""
        slides = _SLIDES[j.kind]
        way = [("prismatic", k, int(self.column[j.source + k])) for k in range(slides)]
        if j.kind == "planar":
            way.append(("continuous", 2, int(self.column[j.source + 2])))
        else:
            start = next(t.first for t in self.turns if t.joint == j.name and t.quaternion == _quaternion(j))
            way += [("revolute", axis, start + i) for i, axis in enumerate(_TURNS)]
        above, rotation, position = j.parent, j.rotation, j.position
        for i, (kind, axis, variable) in enumerate(way):
            child, self.links = (j.child, self.links) if i == len(way) - 1 else (self.links, self.links + 1)
            one = replace(j, kind=kind, parent=above, child=child, rotation=rotation, position=position)
            self.joints.append(replace(one, axis=np.eye(3)[axis], source=variable))
            above, rotation, position = child, np.eye(3), np.zeros(3)

    def inner(self, control: Array, name: str) -> Array:
        """Control values of the variables, (edges, degree + 1, variables), of those of the values. Errors name `name`.

        Polynomials of a variable that goes straight raise the degree, and all other columns with it.
        """
        if self.plain:
            return control
        degree = control.shape[1] - 1
        found = np.zeros((*control.shape[:2], self.variables))
        found[:, :, self.column[self.kept]] = control[:, :, self.kept]
        for t in self.turns:
            self._turn(found, control[:, :, t.quaternion], t, name)
        if not self.followers or not len(control):
            return found
        moving = [bool((control[:, :, f.value] != control[:, :1, f.value]).any()) for f in self.followers]
        most = max((len(f.coefficients) - 1 for f, moves in zip(self.followers, moving) if moves), default=1)
        for f in self.followers if degree > 1 else ():
            drive = control[:, :, f.value]
            line = np.linspace(drive[:, 0], drive[:, -1], degree + 1, axis=1)
            bent = np.flatnonzero((np.abs(drive - line) > _STRAIGHT * np.abs(drive).max(1, keepdims=True)).any(1))
            if len(bent):
                raise ArgumentError(
                    f"{name}: {self._named(f)}, and that one does not go straight on edge {int(bent[0])}: give straight edges"
                )
        found = elevated(found, max(degree, most))
        for f, moves in zip(self.followers, moving):
            start, end = control[:, 0, f.value], control[:, -1, f.value]
            if moves:
                found[:, :, f.variable] = _composed(f.coefficients, start, end, found.shape[1])
            else:
                found[:, :, f.variable] = np.polynomial.polynomial.polyval(start, f.coefficients)[:, None]
        return found

    def _named(self, f: Follower) -> str:
        of = next(j.name for j in self.joints if j.kind != "fixed" and j.source == f.variable)
        return f"joint {of!r} follows a variable by a polynomial of degree {len(f.coefficients) - 1}"

    def _turn(self, found: Array, given: Array, t: Turn, name: str) -> None:
        """The five turns of a quaternion on all edges."""
        size = np.abs(given).max(axis=2)
        wrong = np.argwhere(~((size > 0) & (size <= 1e150)))
        if len(wrong):
            where = f"{name}: the quaternion of joint {t.joint!r} on edge {int(wrong[0, 0])}"
            raise ArgumentError(f"{where}: must have a length above 0, and parts of at most 1e150")
        if given.shape[1] > 2:
            moved = np.flatnonzero((given != given[:, :1]).any(axis=(1, 2)))
            if len(moved):
                raise ArgumentError(
                    f"{name}: joint {t.joint!r} turns on edge {int(moved[0])}, of degree {given.shape[1] - 1}: a quaternion"
                    " turns on straight edges alone"
                )
        ends = slerp(given[:, 0], given[:, -1])
        columns = slice(t.first, t.first + len(_TURNS))
        found[:, 0, columns] = ends[0]
        found[:, 1:, columns] = ends[1][:, None]  # both ends are the same where the degree is 2 or more

    def outer(self, variables: Array) -> Array:
        """The values of given variables, (variables,): quaternions have the length 1, and w is at least 0."""
        if self.plain:
            return variables
        found = np.zeros(len(self.column))
        found[self.kept] = variables[self.column[self.kept]]
        for t in self.turns:
            q = np.array([0.0, 0.0, 0.0, 1.0])
            for i, axis in enumerate(_TURNS):
                half = float(variables[t.first + i]) / 2
                other = np.array([0.0, 0.0, 0.0, math.cos(half)])
                other[axis] = math.sin(half)
                q = product(q[None], other[None])[0]
            found[list(t.quaternion)] = (-q if q[3] < 0 else q) + 0.0
        return found

    def errors(self, given: Array, largest: Array, name: str) -> Array:
        """How far variables may be from what is meant: errors of values, (values,), and the rounding of `inner`.

        `largest` bounds the magnitudes of the values.
        """
        for t in self.turns:
            for k in t.quaternion:
                if given[k]:
                    raise ArgumentError(f"{name} of a part of the quaternion of joint {t.joint!r} is {given[k]}: must be 0")
        found = np.zeros(self.variables)
        found[self.column[self.kept]] = given[self.kept]
        for t in self.turns:
            found[t.first] = _TURN_ERROR
        if self.followers:
            found[self.column[self.kept]] += 2.0**-48 * largest[self.kept]
            found[[t.first + i for t in self.turns for i in range(len(_TURNS))]] += 2.0**-48 * 8
        for f in self.followers:
            x, e = float(largest[f.value]), float(given[f.value])
            size = sum(abs(c) * x**k for k, c in enumerate(f.coefficients))
            rate = sum(k * abs(c) * (x + e) ** (k - 1) for k, c in enumerate(f.coefficients) if k)
            found[f.variable] = (2.0**-46 * size + rate * (e + 2 * _STRAIGHT * x)) * (1 + 2.0**-40)
        return found

    def box(self, low: Array, high: Array) -> tuple[Array, Array]:
        """Variables that hold those of all values within ranges, with any quaternions."""
        ends = np.zeros((2, self.variables))
        ends[:, self.column[self.kept]] = np.array([low, high])[:, self.kept]
        for t in self.turns:
            whole = np.array([np.pi, np.pi, np.pi, 0, 0]) * (1 + 2.0**-40)
            ends[:, t.first : t.first + len(_TURNS)] = [whole * (-1, 0, -1, 0, 0) - (0, 2.0**-40, 0, 0, 0), whole]
        for f in self.followers:
            x = np.array([[low[f.value], high[f.value]]])
            values = _composed(f.coefficients, x[:, 0], x[:, 1], _HIGHEST + 1)
            size = sum(abs(c) * float(np.abs(x).max()) ** k for k, c in enumerate(f.coefficients))
            ends[:, f.variable] = values.min() - 2.0**-46 * size, values.max() + 2.0**-46 * size
        return ends[0], ends[1]


def _quaternion(j: JointModel) -> tuple[int, ...]:
    """The values x, y, z, w of a joint that has a quaternion."""
    names = PARTS[j.kind]
    return tuple(j.source + names.index(f"rot_{part}") for part in "xyzw")


def elevated(control: Array, degree: int) -> Array:
    """The same polynomials with another degree, (edges, degree + 1, columns), rounded."""
    while control.shape[1] <= degree:
        n = control.shape[1]
        part = (np.arange(1, n) / n)[:, None]
        inside = part * control[:, :-1] + (1 - part) * control[:, 1:]
        control = np.concatenate([control[:, :1], inside, control[:, -1:]], axis=1)
    return control


def _composed(coefficients: tuple[float, ...], start: Array, end: Array, rows: int) -> Array:
    """Control values (n, rows) of a polynomial of a variable that goes straight from `start` to `end`, (n,).

    They are the values of its polar form, at the end i times and else at the start: the sum of c_k e_k / C(m, k), with e_k the
    elementary symmetric polynomial.
    """
    m = rows - 1
    found = np.zeros((len(start), rows))
    for i in range(rows):
        e = [np.ones(len(start))] + [np.zeros(len(start))] * m
        for x in [start] * (m - i) + [end] * i:
            e = [e[0]] + [e[k] + x * e[k - 1] for k in range(1, rows)]
        found[:, i] = sum(c * e[k] / math.comb(m, k) for k, c in enumerate(coefficients) if k < rows)
    return found


def product(p: Array, q: Array) -> Array:
    """Products of quaternions x, y, z, w, (n, 4)."""
    (a, b, c, d), (x, y, z, w) = p.T, q.T
    first, second = d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x
    return np.array([first, second, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z]).T


def slerp(start: Array, end: Array) -> tuple[Array, Array]:
    """The five turns at the start and at the end of the shortest turn between quaternions x, y, z, w of any length, (n, 4).

    With an axis A z, A = Rz(f) Ry(g), the turn by u from R is R A Rz(u) A^T. R A = Rz(a) Ry(b) Rz(c) gives
    Rz(a) Ry(b) Rz(c + u) Ry(-g) Rz(-f): the third turn alone moves. `ccd::robot::slerp` does the same in C++.
    """
    p, q = (_unit(x) for x in (start, end))
    turn = product(p * (-1, -1, -1, 1), q)
    turn = np.where(turn[:, 3:] < 0, -turn, turn)
    x, y, z, w = turn.T
    angle = 2 * np.arctan2(np.hypot(np.hypot(x, y), z), w)
    f, g = np.arctan2(y, x), np.arctan2(np.hypot(x, y), z)
    cf, sf, cg, sg = np.cos(f / 2), np.sin(f / 2), np.cos(g / 2), np.sin(g / 2)
    r = product(p, np.array([-sf * sg, cf * sg, sf * cg, cf * cg]).T)
    total, difference = np.arctan2(r[:, 2], r[:, 3]), np.arctan2(-r[:, 0], r[:, 1])
    a, c = total + difference, total - difference
    b = 2 * np.arctan2(np.hypot(r[:, 0], r[:, 1]), np.hypot(r[:, 2], r[:, 3]))
    return np.array([a, b, c, -g, -f]).T, np.array([a, b, c + angle, -g, -f]).T


def _unit(q: Array) -> Array:
    scaled = q / np.abs(q).max(axis=1, keepdims=True, initial=0)
    found: Array = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return found
