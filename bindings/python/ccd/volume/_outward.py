"""On which side the solids of a mesh have their inside: the exact sign of the volume of each element.

Programs write elements of both orientations in one mesh, and VTK's own two orders of a prism differ by a mirror. So the sides
of an element go around outward by the sign of its volume, not by the order of its nodes. The volume is that under flat and
bilinear sides: a bilinear side has the mean of what its two divisions into triangles have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Sides = Sequence[tuple[int, int, int, int]]  # the corners of an element's sides; one of three repeats the last
Rows = NDArray[np.int32] | NDArray[np.int64]
Signs = NDArray[np.int8]

# Each of three products of a determinant, from rounded differences, is off by less than 6 units of 2^-53 of its size, and a
# sum of 45 of them, which a hexahedron has, by less than 45 units more; 64 leave room for the rounded sum of the sizes.
_BOUND = 64 * 2.0**-53
_SMALL = 1e-140  # Products that underflow are off by 2^-1074, times a factor of 2e150, 90 times: below 1e-170.
_WHOLE = 1126  # Doubles times 2^1126 are integers, also with 53 bits below the first.


def signs(x: NDArray[np.float64], solids: Sequence[tuple[Sides, Rows]]) -> list[Signs]:
    """For each element 1 if its sides, as listed, go around outward, and -1 if inward.

    `solids` has for each type the corners of its sides, and the nodes of its elements, (m, k). An element without volume has
    the sign that its neighbors ask for, over common sides; those that no other element reaches keep their order.
    """
    found = [_of_volumes(x, sides, nodes) for sides, nodes in solids]
    if any((own == 0).any() for own in found):
        _by_neighbors(solids, found)
    return found


def _of_volumes(x: NDArray[np.float64], sides: Sides, nodes: Rows) -> Signs:
    """The sign of the volume of each element."""
    found = np.zeros(len(nodes), np.int8)
    for at in range(0, len(nodes), 1 << 16):  # a block at a time, for the sake of memory
        rows = nodes[at : at + (1 << 16)]
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            place = x[rows] - x[rows[:, :1]]
            total, size = np.zeros(len(rows)), np.zeros(len(rows))
            for weight, a, b, c in _triangles(sides):
                p, q, r = (place[:, k].T for k in (a, b, c))
                for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                    first, second = q[j] * r[k], q[k] * r[j]
                    total += weight * (p[i] * (first - second))
                    size += weight * (np.abs(p[i]) * (np.abs(first) + np.abs(second)))
            sure = (np.abs(total) > _BOUND * size) & (size > _SMALL) & (np.abs(place).max((1, 2)) < 1e151)
        found[at : at + len(rows)] = np.where(sure, np.sign(np.where(sure, total, 0)), 0)
        flat = (place == 0).all(1).any(1)  # all of it has one and the same coordinate, for only 0 has a difference of 0
        finite = np.isfinite(x[rows]).all((1, 2))
        for row in np.flatnonzero(~sure & ~flat & finite):
            found[at + row] = _exact(x[rows[row]], sides)
    return found


def _triangles(sides: Sides) -> list[tuple[int, int, int, int]]:
    """A weight and three corners: two divisions of a side of four, and twice a side of three. Corner 0 is the origin."""
    found = []
    for a, b, c, d in sides:
        if c == d:
            found.append((2, a, b, c))
        else:
            found += [(1, a, b, c), (1, a, c, d), (1, a, b, d), (1, b, c, d)]
    return [one for one in found if 0 not in one[1:]]


def _exact(x: NDArray[np.float64], sides: Sides) -> int:
    """The sign of the volume of one element, in integers."""
    whole = [[_integer(value) for value in point] for point in x.tolist()]
    place = [[value - least for value, least in zip(point, whole[0])] for point in whole]
    total = 0
    for weight, a, b, c in _triangles(sides):
        (p, q, r), (s, t, u), (v, w, z) = place[a], place[b], place[c]
        total += weight * (p * (t * z - u * w) + q * (u * v - s * z) + r * (s * w - t * v))
    return (total > 0) - (total < 0)


def _integer(value: float) -> int:
    """A double times 2^1126."""
    mantissa, exponent = math.frexp(value)
    return int(mantissa * 2.0**53) << (exponent - 53 + _WHOLE)


def _by_neighbors(solids: Sequence[tuple[Sides, Rows]], found: list[Signs]) -> None:
    """Give elements without volume the sign with which common sides go around in opposite directions."""
    first = np.concatenate([[0], np.cumsum([len(nodes) for _, nodes in solids])])
    loops = np.vstack([nodes[:, sides].reshape(-1, 4) for sides, nodes in solids])
    owner = np.concatenate([np.repeat(at + np.arange(len(nodes)), len(sides)) for at, (sides, nodes) in zip(first, solids)])
    key = np.sort(np.where(np.arange(4) < 3 + (loops[:, 2:3] != loops[:, 3:4]), loops, -1), axis=1)
    _, number, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    number = number.reshape(-1)
    order = np.argsort(number, kind="stable")
    order = order[count[number[order]] == 2].reshape(-1, 2)
    own = np.concatenate(found)
    near: dict[int, list[tuple[int, int]]] = {}
    for one, other in order[(own[owner[order]] == 0).any(1)].tolist():
        same = _direction(loops[one].tolist(), loops[other].tolist())
        if same:
            near.setdefault(int(owner[one]), []).append((int(owner[other]), -same))
            near.setdefault(int(owner[other]), []).append((int(owner[one]), -same))
    for known in (sorted(set(near) - set(np.flatnonzero(own == 0).tolist())), np.flatnonzero(own == 0).tolist()):
        for start in known:
            if not own[start]:
                own[start] = 1
            reached = [start]
            while reached:
                at = reached.pop()
                for other, product in near.get(at, []):
                    if not own[other]:
                        own[other] = own[at] * product
                        reached.append(other)
    for values, (begin, end) in zip(found, pairwise(first)):
        values[:] = own[begin:end]


def _direction(one: list[int], other: list[int]) -> int:
    """Whether two loops with the same corners go around alike, 1, or in opposite directions, -1; 0 for neither."""
    one, other = (list(dict.fromkeys(loop)) for loop in (one, other))
    k = other.index(one[0])
    turned = other[k:] + other[:k]
    if turned == one:
        return 1
    return -1 if turned[:1] + turned[:0:-1] == one else 0
