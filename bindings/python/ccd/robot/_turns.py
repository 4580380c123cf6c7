"""The short way of continuous joints: which of the angles that differ by whole turns a path goes to.

The rule is that of ROS planners: a change of more than half a turn is replaced by the one that differs from it by whole turns
and is at most half a turn. docs/proofs/robots.md has the bounds.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

_BITS = 1080  # angles are integers of 2^-1080: doubles are multiples of 2^-1074, so they are exact
_ONE = 1 << _BITS
_TIE = 50  # a tie is within 2^-50 of half a turn and of the two values: four roundings of each


@functools.lru_cache(maxsize=1)
def half_turn() -> int:
    """Pi in units of 2^-1080, off by at most one: by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239).

    Values are at most 1e150 < 2^499: so many turns are off by at most 2^500 units, 2^-580.
    """
    one = _ONE << 32  # 32 bits for the errors of some 500 terms

    def arctan(n: int) -> int:
        power, total, k = one // n, 0, 0
        while power:
            total += (-1) ** k * (power // (2 * k + 1))
            power, k = power // (n * n), k + 1
        return total

    return (16 * arctan(5) - 4 * arctan(239)) >> 32


def _units(angle: float) -> int:
    top, bottom = angle.as_integer_ratio()
    return top * (_ONE // bottom)


def turns(start: float, end: float) -> int:
    """Whole turns to add to `end`, so that the way from `start` is at most half a turn.

    None are added to a change of at most half a turn. Where both ways are half a turn, up to rounding, it is the way in the
    direction from `start` to `end`.
    """
    a, b, pi = _units(start), _units(end), half_turn()
    change, slack = b - a, (pi + abs(a) + abs(b)) >> _TIE
    added = -((change + pi) // (2 * pi))  # what is left is at least -pi, and less than pi
    rest = change + 2 * pi * added
    if abs(abs(rest) - pi) <= slack and (rest > 0) != (change > 0):
        added += 1 if change > 0 else -1
    return added


def added(values: NDArray[np.float64]) -> NDArray[np.object_]:
    """Whole turns to add to the end of each edge of a joint's waypoints (m + 1,): integers (m,), of any size."""
    found = np.zeros(max(len(values) - 1, 0), object)
    for k in np.flatnonzero(np.abs(np.diff(values)) > 3.14):  # less is at most half a turn, whatever the rounding
        found[k] = turns(float(values[k]), float(values[k + 1]))
    return found


def moved(value: float, count: int) -> float:
    """An angle, by a number of whole turns: rounded once."""
    return (_units(value) + 2 * half_turn() * count) / _ONE if count else value
