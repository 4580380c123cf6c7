"""Triangles in a plane that are turned over, have no area, or are missing: exact signs, and how they are mended.

Open CASCADE's triangles of a face may have a corner that rounding puts beyond the opposite side. With the neighbor there, the
triangle is a quadrilateral whose other diagonal divides it into two that are not turned over. Where two nodes of a loop are
apart by rounding alone, they have no triangle: it is added. docs/proofs/cad.md says what facets need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ._bounds import Doubles, U

_SWEEPS = 8  # how often all triangles that are turned over are tried
_MOST_CORNERS = 8  # A polygon without triangles that has more corners is not filled.


def signs(flat: Doubles, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The exact signs of the areas of triangles, 1 if a triangle goes around to the left."""
    p = flat[triangles]
    a, b = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    one, other = a[:, 0] * b[:, 1], a[:, 1] * b[:, 0]
    area = one - other
    out = np.sign(area).astype(np.int64)
    # Each factor errs by u of itself, each product by some 3u, and the difference by u: 8u of the sum is more than all of it.
    for k in np.flatnonzero(~(np.abs(area) > 8 * U * (np.abs(one) + np.abs(other)) + 1e-290)):
        (x0, y0), (x1, y1), (x2, y2) = ((Fraction(x), Fraction(y)) for x, y in p[k].tolist())
        exact = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        out[k] = (exact > 0) - (exact < 0)
    return out


def _beside(triangles: NDArray[np.int64]) -> dict[tuple[int, int], int]:
    """The triangle of each directed side; -1 where two have it."""
    at: dict[tuple[int, int], int] = {}
    for n, t in enumerate(triangles.tolist()):
        for k in range(3):
            side = t[k], t[(k + 1) % 3]
            at[side] = -1 if side in at else n
    return at


def _longest_first(flat: Doubles, t: list[int]) -> list[int]:
    """The corners of a triangle on a line, its longest side first, in shares of the box around it."""
    p = flat[t]
    extent = np.ptp(p, 0)
    length = np.abs(p[[1, 2, 0]] - p) / np.where(extent > 0, extent, 1.0)
    k = int(np.argmax((length**2).sum(1)))
    return [t[k], t[(k + 1) % 3], t[(k + 2) % 3]]


def unfolded(flat: Doubles, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The triangles; one that is turned over or flat, and a neighbor, have the other diagonal where that mends both.

    Pairs whose other diagonal makes no two triangles that go around to the left stay as they are. The boundary is the same.
    """
    sign = signs(flat, triangles)
    if np.all(sign > 0):
        return triangles
    out = triangles.copy()
    for _ in range(_SWEEPS):
        at, changed = _beside(out), False
        touched: set[int] = set()
        for n in np.flatnonzero(sign <= 0).tolist():
            t = out[n].tolist()
            for a, b, c in (t, (t[1], t[2], t[0]), (t[2], t[0], t[1])):
                m = at.get((b, a), -1)
                if m < 0 or m == n or n in touched or m in touched:
                    continue
                d = next((x for x in out[m].tolist() if x not in (a, b)), c)
                both = np.array([[a, d, c], [d, b, c]], np.int64)
                if d == c or np.any(signs(flat, both) <= 0):
                    continue
                out[[n, m]], sign[[n, m]] = both, 1
                touched |= {n, m}
                changed = True
                break
        if not changed:
            break
    return out


def _chain(ways: NDArray[np.int64], n: int) -> Counter[int]:
    """How often each way from node to node is gone, opposite ones taken off."""
    found = Counter((ways[:, 0] * n + ways[:, 1]).tolist())
    back = Counter((ways[:, 1] * n + ways[:, 0]).tolist())
    return found - back


def _differing(n: int, triangles: NDArray[np.int64], loops: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The sides of loops that triangles of n nodes do not have, and the other way round those that they have beyond them."""
    border, loop = _chain(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), n), _chain(loops, n)
    lost = [divmod(way, n) for way, count in (loop - border).items() for _ in range(count)]
    return lost + [divmod(way, n)[::-1] for way, count in (border - loop).items() for _ in range(count)]


def filled(flat: Doubles, triangles: NDArray[np.int64], loops: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """The triangles, with others where sides of loops, (m, 2), have none; and how many sides differ from these still.

    What is missing goes around polygons. One of up to `_MOST_CORNERS` corners is divided at the corner from which the fewest
    triangles are turned over; `unfolded` may mend these.
    """
    ways = _differing(len(flat), triangles, loops)
    after = dict(ways)
    if not ways or len(after) < len(ways):
        return triangles, len(ways)
    made = []
    while after:
        polygon = [next(iter(after))]
        while (to := after.pop(polygon[-1], None)) is not None and to != polygon[0]:
            polygon.append(to)
        if to is None or not 3 <= len(polygon) <= _MOST_CORNERS:
            return triangles, len(ways)
        turned = [polygon[k:] + polygon[:k] for k in range(len(polygon))]
        fans = [np.array([(p[0], b, c) for b, c in pairwise(p[1:])], np.int64) for p in turned]
        made.append(min(fans, key=lambda fan: int((signs(flat, fan) < 0).sum())))
    found = np.concatenate([triangles, *made])
    return found, len(_differing(len(flat), found, loops))


def is_flat(flat: Doubles, triangles: NDArray[np.int64], loops: Container[tuple[int, int]]) -> bool:
    """Whether no triangle is turned over, and each without area is on a side of a loop or of one with an area.

    The longest side of a triangle without area holds all of it. So does the one that it is neighbor to there, and so on.
    """
    sign = signs(flat, triangles)
    if np.any(sign < 0):
        return False
    if np.all(sign > 0):
        return True
    at = _beside(triangles)
    for n in np.flatnonzero(sign == 0).tolist():
        seen = set()
        while sign[n] == 0:
            a, b, _ = _longest_first(flat, triangles[n].tolist())
            if (a, b) in loops:
                break
            seen.add(n)
            n = at.get((b, a), -1)
            if n < 0 or n in seen:
                return False
    return True
