"""Where to divide a scene: samples of primitives, which processes take of their portions and merge, and a plan from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._native import arrays
from ..errors import ArgumentError
from ._region import EVERYWHERE, Floats, Ints, Region, reached, widened
from ._rows import CHUNK
from ._scene import EDGE, FACE, VERTEX, Scene

_PAIR_WORK = 0.2  # of a candidate pair, where a primitive has 1
_FIRST, _ENOUGH = 1 << 12, 1 << 16  # primitives of the sample to begin with, and pairs that suffice
_LEAF = 160  # boxes that are compared with each other at once


@dataclass(frozen=True)
class Sample:
    """Some primitives of a scene, chosen by a hash of their numbers: those with the least hashes.

    Processes take samples of portions of a scene, and `reduce` merges them. The result is the sample of the whole,
    whatever the portions and their order are.

    Attributes
    ----------
    total : int
        Number of primitives in the portions.
    size : int
        Most primitives that the sample keeps.
    hashes : numpy.ndarray
        Hashes of the primitives, (k,) uint64, ascending.
    vertices : numpy.ndarray
        Vertices, (k, 3) int64; -1 where a primitive has fewer.
    lo : numpy.ndarray
        Least coordinates over the step, (k, 3).
    hi : numpy.ndarray
        Largest coordinates over the step, with the radii of both primitives of a pair, (k, 3).

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((300, 3))
    >>> scene = cd.Scene(x, x, faces=np.arange(300).reshape(100, 3))
    >>> parts = [cd.sample(scene, size=50, share=(i, 3)) for i in range(3)]
    >>> merged = cd.reduce(parts[2], cd.reduce(parts[0], parts[1]))
    >>> merged.total, np.array_equal(merged.hashes, cd.sample(scene, size=50).hashes)
    (700, True)
    """

    total: int
    size: int
    hashes: NDArray[np.uint64]
    vertices: Ints
    lo: Floats
    hi: Floats

    def _merge(self, other: Sample) -> Sample:
        if self.size != other.size:
            raise ArgumentError(f"samples have sizes {self.size} and {other.size}: must be equal")
        return _kept(self.total + other.total, self.size, *(
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("hashes", "vertices", "lo", "hi")
        ))  # fmt: skip


def _kept(total: int, size: int, hashes: Any, vertices: Any, lo: Any, hi: Any) -> Sample:
    order = np.argsort(hashes, kind="stable")[:size]
    return Sample(total, size, hashes[order], vertices[order], lo[order], hi[order])


def _hashes(shape: int, ids: Ints) -> NDArray[np.uint64]:
    """SplitMix64 of the shape and the number: without it a stride could follow the rows of a grid."""
    with np.errstate(over="ignore"):
        x = ids.astype(np.uint64) * np.uint64(4) + np.uint64(shape) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
        return mixed


def sample(scene: Scene, size: int = 1 << 17, share: tuple[int, int] = (0, 1)) -> Sample:
    """Take a sample of the primitives of a scene, for `plan`.

    Parameters
    ----------
    scene : Scene
        The scene.
    size : int, default 131072
        Most primitives to keep.
    share : tuple of int, default (0, 1)
        (i, n): only the i-th of n portions of the scene is read. Merge the samples of all with `reduce`.

    Returns
    -------
    Sample
        The sample; its memory does not depend on the size of the scene.

    Raises
    ------
    ArgumentError
        An argument is out of range.
    InvalidIndexError
        An index of an edge or a face is out of range; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((300, 3))
    >>> taken = cd.sample(cd.Scene(x, x), size=100)
    >>> taken.total, len(taken.hashes)
    (300, 100)
    """
    if not isinstance(scene, Scene):
        raise ArgumentError(f"scene is {type(scene).__name__}: must be a ccd.distributed.Scene")
    most, n = arrays.integer("size", size, 1, 1 << 30), arrays.integer("share[1]", share[1], 1, 1 << 40)
    of = arrays.integer("share[0]", share[0], 0, n - 1), n
    largest = scene._largest_radius()
    held = Sample(0, most, np.empty(0, np.uint64), np.empty((0, 3), np.int64), np.empty((0, 3)), np.empty((0, 3)))
    for shape in (VERTEX, EDGE, FACE):
        for start, vertices in scene._portions(shape, CHUNK, of):
            hashes = _hashes(shape, np.arange(start, start + len(vertices)))
            limit = held.hashes[-1] if len(held.hashes) == most else np.uint64(2**64 - 1)
            chosen = np.flatnonzero(hashes <= limit)
            if len(chosen) > 2 * most:
                chosen = chosen[np.argpartition(hashes[chosen], most)[:most]]
            lo, hi, radius = scene._boxes(vertices[chosen])
            padded = np.full((len(chosen), 3), -1, np.int64)
            padded[:, : vertices.shape[1]] = vertices[chosen]
            held = held._merge(_kept(len(vertices), most, hashes[chosen], padded, lo, widened(hi, 0, radius, largest)))
    return held


@dataclass(frozen=True)
class Plan:
    """Regions that partition space, one for each part.

    The results of all parts together are those of one call for every plan; a plan decides about time and memory alone. It is
    a tree of cuts, and can be pickled.

    Attributes
    ----------
    regions : list of Region
        The regions, in order.
    work : list of float
        Estimated work of each part; a primitive is 1.
    primitives : list of float
        Estimated number of primitives of each part, those in several parts included.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((4000, 3))
    >>> found = cd.plan(cd.sample(cd.Scene(x, x)), 8)
    >>> len(found.regions), found.balance < 1.5
    (8, True)
    """

    regions: list[Region]
    work: list[float]
    primitives: list[float]
    _tree: Any = field(default=0, repr=False)  # the number of a region, or axis, coordinate and the trees below and above

    @property
    def balance(self) -> float:
        """The largest estimated work of a part, divided by the mean."""
        mean = sum(self.work) / len(self.work)
        return max(self.work) / mean if mean else 1.0

    def _route(self, lo: Floats, hi: Floats) -> Iterator[tuple[int, Ints]]:
        """For each region that boxes reach, which; hi is widened."""

        def descend(tree: Any, some: Ints) -> Iterator[tuple[int, Ints]]:
            if not len(some):
                return
            if isinstance(tree, int):
                yield tree, some
                return
            axis, at, below, above = tree
            yield from descend(below, some[lo[some, axis] < at])
            yield from descend(above, some[hi[some, axis] >= at])

        yield from descend(self._tree, np.arange(len(lo)))


def plan(samples: Sample | Iterable[Sample], count: int, min_separation: float = 0.0, pair_work: float = _PAIR_WORK) -> Plan:
    """Divide space into regions of about equal work, from samples of a scene.

    The work of a part is estimated as its primitives, those that other parts hold too included, and its candidate pairs. Each
    cut is made along the axis, and at the coordinate, with the least work on its busier side; so parts stay compact.

    Parameters
    ----------
    samples : Sample or iterable of Sample
        Samples of all portions of the scene.
    count : int
        Number of parts, 1 to 2**20.
    min_separation : float, default 0
        That of the calls, or the distance of `near`.
    pair_work : float, default 0.2
        Work of a candidate pair; a primitive has 1.

    Returns
    -------
    Plan
        The plan. It depends on the merged sample alone.

    Raises
    ------
    ArgumentError
        An argument is out of range, or there are no samples.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((4000, 3))
    >>> scene = cd.Scene(x, x)
    >>> halves = [cd.sample(scene, share=(i, 2)) for i in range(2)]
    >>> cd.plan(halves, 2).regions[0].lo
    (-inf, -inf, -inf)
    """
    n = arrays.integer("count", count, 1, 1 << 20)
    reach, per_pair = arrays.number("min_separation", min_separation), arrays.number("pair_work", pair_work)
    given = [samples] if isinstance(samples, Sample) else list(samples)
    if not given or not all(isinstance(one, Sample) for one in given):
        raise ArgumentError("samples must be a ccd.distributed.Sample, or a list of some")
    whole = given[0]
    for one in given[1:]:
        whole = whole._merge(one)
    if not np.isfinite(whole.lo).all() or not np.isfinite(whole.hi).all():
        raise ArgumentError("samples hold coordinates that are not finite; cut names the first")
    hi = np.nextafter(whole.hi + reach, np.inf) if reach else whole.hi
    weight = whole.total / max(1, len(whole.hashes))
    some = min(_FIRST, len(whole.hashes))  # the first are a sample too; where pairs are many, few primitives show where
    while True:
        corners = _pair_corners(whole, hi, some)
        if some == len(whole.hashes) or len(corners) >= _ENOUGH:
            break
        some = min(4 * some, len(whole.hashes))
    pair_weight = per_pair * (whole.total / max(1, some)) ** 2
    return _Planner(whole.lo, hi, weight, corners, pair_weight).plan(n)


class _Planner:
    def __init__(self, lo: Floats, hi: Floats, weight: float, corners: Floats, pair_weight: float):
        self.lo, self.hi, self.weight = lo, hi, weight
        self.corners, self.pair_weight = corners, pair_weight
        self.regions: list[Region] = []
        self.work: list[float] = []
        self.primitives: list[float] = []

    def plan(self, count: int) -> Plan:
        tree = self.divide(np.arange(len(self.lo)), np.arange(len(self.corners)), EVERYWHERE, count)
        return Plan(self.regions, self.work, self.primitives, tree)

    def divide(self, boxes: Ints, pairs: Ints, region: Region, count: int) -> Any:
        if count == 1:
            self.regions.append(region)
            self.work.append(self.weight * len(boxes) + self.pair_weight * len(pairs))
            self.primitives.append(self.weight * len(boxes))
            return len(self.regions) - 1
        first = count // 2
        axis, at = self.choose(boxes, pairs, region, first, count - first)
        below, above = region.cut(axis, at)
        lower, upper = boxes[self.lo[boxes, axis] < at], boxes[self.hi[boxes, axis] >= at]
        under = self.corners[pairs, axis] < at
        return (
            axis, at,
            self.divide(lower, pairs[under], below, first),
            self.divide(upper, pairs[~under], above, count - first),
        )  # fmt: skip

    def choose(self, boxes: Ints, pairs: Ints, region: Region, first: int, second: int) -> tuple[int, float]:
        """The axis and the coordinate whose busier side has the least work for each part."""
        best = np.inf, 0, min(region.hi[0], np.inf)
        for axis in range(3):
            lo, hi = np.sort(self.lo[boxes, axis]), np.sort(self.hi[boxes, axis])
            corner = np.sort(self.corners[pairs, axis])
            places = np.concatenate([lo, corner])
            if not len(places) or places.min() == places.max():
                continue
            at = np.unique(np.quantile(places, np.linspace(0.02, 0.98, 193), method="inverted_cdf"))
            at = at[(at > max(places.min(), region.lo[axis])) & (at < region.hi[axis])]
            if not len(at):
                continue
            under, over = np.searchsorted(lo, at), len(hi) - np.searchsorted(hi, at)
            owned = np.searchsorted(corner, at)
            work = self.weight * under + self.pair_weight * owned, self.weight * over + self.pair_weight * (len(corner) - owned)
            worst = np.maximum(work[0] / first, work[1] / second)
            i = int(np.argmin(worst))
            if worst[i] < best[0]:
                best = float(worst[i]), axis, float(at[i])
        return best[1], best[2]


def _pair_corners(taken: Sample, hi: Floats, first: int) -> Floats:
    """The corners of the candidate pairs within the first primitives of the sample."""
    size = (taken.vertices >= 0).sum(axis=1)
    whether: Callable[[Any, Any], Any] = lambda a, b: a + b == 4  # noqa: E731  # vertex and face, edge and edge
    if size.max(initial=1) == 1:
        whether = lambda a, b: a + b == 2  # noqa: E731  # points alone
    found: list[Floats] = []

    def compare(some: Ints, region: Region) -> None:
        for start in range(0, len(some), 512):
            rows = some[start : start + 512]
            a, b = np.repeat(rows, len(some)), np.tile(some, len(rows))
            keep = (a < b) & whether(size[a], size[b])
            a, b = a[keep], b[keep]
            keep = ((taken.lo[a] <= hi[b]) & (taken.lo[b] <= hi[a])).all(axis=1)
            a, b = a[keep], b[keep]
            va, vb = taken.vertices[a], taken.vertices[b]
            shared = (va[:, :, None] == vb[:, None, :]) & (va >= 0)[:, :, None]
            corner = np.maximum(taken.lo[a], taken.lo[b])[~shared.any(axis=(1, 2))]
            found.append(corner[region.contains(corner)])

    def divide(some: Ints, region: Region, depth: int) -> None:
        if len(some) <= _LEAF or depth > 40:
            compare(some[:4096], region)  # where boxes are large, most parts have them all anyway
            return
        lo = taken.lo[some]
        best: tuple[int, int, float] = (len(some) - len(some) // 8, -1, 0.0)
        for axis in range(3):
            at = float(np.partition(lo[:, axis], len(some) // 2)[len(some) // 2])
            sides = int((lo[:, axis] < at).sum()), int((hi[some, axis] >= at).sum())
            if min(sides) and max(sides) < best[0]:
                best = max(sides), axis, at
        if best[1] < 0:
            compare(some[:4096], region)
            return
        for half in region.cut(best[1], best[2]):
            divide(some[reached(half, lo, hi[some])], half, depth + 1)

    divide(np.arange(first), EVERYWHERE, 0)
    return np.concatenate(found) if found else np.empty((0, 3))
