"""How many candidate pairs there are, and where: pairs within some primitives, and probes of a scene.

Of a sample with one primitive in a thousand only one pair in a million has both primitives. So a second pass over the scene
keeps all primitives that reach some small regions, chosen at random in every part of space, and counts the pairs in these.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._inner import arrays
from ..errors import ArgumentError
from ._region import EVERYWHERE, Floats, Ints, Region, reached, widened
from ._rows import CHUNK
from ._sample import Sample, hashes, swept
from ._scene import EDGE, FACE, VERTEX, Scene

_LEAF = 160  # boxes that are compared with each other at once
_BROAD = 4096  # most boxes that are compared where no cut divides them
_PROBED = 256  # primitives of a probe's region, about
_HELD = 1 << 19  # primitives of all probes, at most


@dataclass
class Boxes:
    """Boxes with weights. Of pairs they are their corners: one region owns each."""

    lo: Floats
    hi: Floats
    weight: Floats

    @functools.cached_property
    def columns(self) -> tuple[Floats, Floats]:
        """lo and hi by axis; the same array where they are one."""
        lo = np.ascontiguousarray(self.lo.T)
        return lo, lo if self.hi is self.lo else np.ascontiguousarray(self.hi.T)

    def thinned(self, most: int) -> Boxes:
        """At most so many of them, evenly spread over their order, with the weight of all."""
        step = -(-len(self.weight) // max(1, most))
        if step < 2:
            return self
        first = np.arange(0, len(self.weight), step)
        lo = self.lo[first]
        return Boxes(lo, lo if self.hi is self.lo else self.hi[first], np.add.reduceat(self.weight, first))

    def halves(self, some: Ints, axis: int, at: float) -> tuple[Ints, Ints]:
        """Those that reach below a coordinate, and those that reach above."""
        lo, hi = self.columns
        return some[lo[axis].take(some) < at], some[hi[axis].take(some) >= at]

    def weights(self, some: Ints, axis: int, at: Floats) -> tuple[Floats, Floats]:
        """The weights of those that reach below some ascending coordinates, and above."""
        lo, hi = self.columns
        weight = self.weight.take(some)
        first = np.searchsorted(at, lo[axis].take(some), "right")  # the first coordinate that is above
        last = first if hi is lo else np.searchsorted(at, hi[axis].take(some), "right")
        begun, ended = (np.bincount(of, weight, len(at) + 1).astype(np.float64).cumsum() for of in (first, last))
        return begun[:-1], np.asarray(begun[-1] - ended[:-1], np.float64)


def compared(ends: Floats, call: str) -> Floats:
    """The boxes at both ends that a call compares: `candidates` those over the step, `near` those at x0, others both."""
    if call == "candidates":
        return np.repeat(np.stack(swept(ends), 1)[:, None], 2, axis=1)
    return ends[:, [0, 0]] if call == "near" else ends


def merged(name: str, given: Any, kind: type) -> Any:
    """One of several samples, or probes, of the portions of a scene."""
    listed: list[Any] = [given] if isinstance(given, kind) else list(given) if isinstance(given, Iterable) else []
    if not listed or not all(isinstance(one, kind) for one in listed):
        raise ArgumentError(f"{name} must be a ccd.distributed.{kind.__name__}, or a list of some")
    whole = listed[0]
    for one in listed[1:]:
        whole = whole._merge(one)
    return whole


def pair_corners(vertices: Ints, ends: Floats, some: Ints, within: Region) -> Boxes:
    """The corners of candidate pairs among some primitives, of those that a region owns.

    As the broad phase does, it skips pairs that are apart along an axis, on the same side, at both ends of the step.
    """
    lo, hi = swept(ends)
    size = (vertices >= 0).sum(axis=1)
    total = 2 if size.max(initial=1) == 1 else 4  # points alone; or vertex and face, edge and edge
    found: list[tuple[Floats, Floats]] = []

    def compare(some: Ints, region: Region) -> None:
        weight = 1.0
        if len(some) > _BROAD:  # boxes so large that most regions have them all
            weight = (len(some) / _BROAD) ** 2
            some = some[np.arange(_BROAD) * len(some) // _BROAD]
        step = (1 << 17) // max(1, len(some)) + 1  # rows at once: some MB
        for start in range(0, len(some), step):
            rows = some[start : start + step]
            keep = size[rows][:, None] + size[some] == total
            keep &= (start + np.arange(len(rows)))[:, None] < np.arange(len(some))
            for axis in range(3):
                lo_a, hi_a, lo_b, hi_b = (ends[of, :, k, axis] for of in (rows, some) for k in range(2))
                keep &= (lo_a[:, None, 0] <= hi_b[:, 0]) | (lo_a[:, None, 1] <= hi_b[:, 1])
                keep &= (hi_a[:, None, 0] >= lo_b[:, 0]) | (hi_a[:, None, 1] >= lo_b[:, 1])
            i, j = np.nonzero(keep)
            a, b = rows[i], some[j]
            corner = np.maximum(lo[a], lo[b])
            inside = region.contains(corner)
            a, b, corner = a[inside], b[inside], corner[inside]
            shared = (vertices[a][:, :, None] == vertices[b][:, None, :]) & (vertices[a] >= 0)[:, :, None]
            apart = ~shared.any(axis=(1, 2))
            found.append((corner[apart], np.full(int(apart.sum()), weight)))

    def divide(some: Ints, region: Region, depth: int) -> None:
        if len(some) <= _LEAF or depth > 40:
            compare(some, region)
            return
        lower = lo[some]
        best: tuple[int, int, float] = (len(some) - len(some) // 8, -1, 0.0)
        for axis in range(3):
            at = float(np.partition(lower[:, axis], len(some) // 2)[len(some) // 2])
            sides = int((lower[:, axis] < at).sum()), int((hi[some, axis] >= at).sum())
            if min(sides) and max(sides) < best[0]:
                best = max(sides), axis, at
        if best[1] < 0:
            compare(some, region)
            return
        for half in region.cut(best[1], best[2]):
            divide(some[reached(half, lower, hi[some])], half, depth + 1)

    divide(some, within, 0)
    corners = np.concatenate([np.empty((0, 3)), *(one[0] for one in found)])
    return Boxes(corners, corners, np.concatenate([np.empty(0), *(one[1] for one in found)]))


def brought(vertices: Ints, ends: Floats, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
    """Boxes of what brings primitives into a part: its faces bring their edges, and both their vertices.

    The faces at a vertex or an edge are not known; one of the sample nearby has about their extent. So a box that is shorter
    along an axis than that face is extended by the difference, in both directions; and by half, the mean, where each vertex or
    edge has one face alone, which lies on one side.
    """
    size = (vertices >= 0).sum(axis=1)
    if not len(size) or size.min() == size.max():
        return lo, hi
    spread = np.maximum(lo.max(axis=0) - lo.min(axis=0), 5e-324)
    places = ((lo - lo.min(axis=0)) / spread * 1023).astype(np.int64)
    code = np.zeros(len(lo), np.int64)
    for bit in range(10):
        for axis in range(3):
            code |= ((places[:, axis] >> bit) & 1) << (3 * bit + axis)
    order = np.argsort(code, kind="stable")
    extent = (ends[:, 0, 1] - ends[:, 0, 0])[order]
    bringing = size[order] == size.max()
    last = np.maximum.accumulate(np.where(bringing, np.arange(len(order)), -1))
    last = np.where(last < 0, np.argmax(bringing), last)
    more = np.empty_like(lo)
    more[order] = np.maximum(extent[last] - extent, 0)
    for of in range(1, size.max()):
        some, corners = size == of, math.comb(int(size.max()), of)
        more[some] *= np.clip(corners * (size == size.max()).sum() / max(1, some.sum()) / 2, 0.5, 1.0)
    return lo - more, hi + more


# ---- probes


@dataclass
class _Stratum:
    """A region with an equal part of a sample, and a small region in it, chosen at random."""

    some: Ints  # the sample's primitives whose lower corner it contains
    probe: Region


def _strata(taken: Sample, count: int) -> tuple[list[_Stratum], Any]:
    """About count strata, and the tree of cuts to them: a number, or axis, coordinate, and the trees below and above."""
    found: list[_Stratum] = []
    lo, _ = swept(taken.ends)
    leaf = max(2, _PROBED * len(lo) // max(1, taken.total))

    def half(some: Ints) -> tuple[int, float] | None:
        lower = lo[some]
        spread = lower.max(axis=0) / 2 - lower.min(axis=0) / 2
        for axis in np.argsort(-spread, kind="stable").tolist():
            at = float(np.partition(lower[:, axis], len(some) // 2)[len(some) // 2])
            if (lower[:, axis] < at).any():
                return axis, at
        return None

    def divide(some: Ints, region: Region, parts: int) -> Any:
        cut = half(some) if parts > 1 and len(some) > 2 * leaf else None
        if cut is not None:
            below, above = region.cut(*cut)
            under = lo[some, cut[0]] < cut[1]
            return (*cut, divide(some[under], below, parts // 2), divide(some[~under], above, parts // 2))
        number, inner = len(found), some
        turns = int(hashes(VERTEX, np.array([number]))[0])
        while len(inner) > leaf:
            cut = half(inner)
            if cut is None:
                break
            under = lo[inner, cut[0]] < cut[1]
            above_ = turns & 1
            region, inner, turns = region.cut(*cut)[above_], inner[~under] if above_ else inner[under], turns >> 1
        found.append(_Stratum(some, region))
        return number

    tree = divide(np.arange(len(lo)), EVERYWHERE, count) if len(lo) else 0
    return found, tree


def _spread(count: int) -> Ints:
    """The numbers below count in an order of which every beginning is spread evenly."""
    bits = max(1, (count - 1).bit_length())
    order = np.array([int(f"{i:0{bits}b}"[::-1], 2) for i in range(1 << bits)], np.int64)
    return order[order < count]


@dataclass(frozen=True)
class Probes:
    """All primitives of a scene that reach some small regions, for `plan` to estimate candidate pairs.

    Processes take probes of portions of a scene, around one merged sample, and `reduce` merges them. The result is that of the
    whole, whatever the portions and their order are.

    Attributes
    ----------
    regions : list of Region
        The regions: one at random in each of so many parts of space with equal parts of the sample.
    wanted : int
        The number of regions that was asked for; there are fewer where the sample cannot be divided so often.
    count : int
        The first of the regions, so many, have all their primitives here; others have too many.
    number : numpy.ndarray
        The number of the region, (k,) int64, for each primitive and each region that it reaches.
    vertices : numpy.ndarray
        Vertices, (k, 3) int64; -1 where a primitive has fewer.
    ends : numpy.ndarray
        Boxes at both ends of the step, (k, 2, 2, 3): least and largest coordinates. To the largest are added the radii of both
        primitives of a pair and the separation.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((300, 3))
    >>> scene = cd.Scene(x, x, faces=np.arange(300).reshape(100, 3))
    >>> taken = cd.sample(scene, size=50)
    >>> parts = [cd.probe(scene, taken, share=(i, 3)) for i in range(3)]
    >>> merged = cd.reduce(parts[2], cd.reduce(parts[0], parts[1]))
    >>> merged.count, np.array_equal(merged.vertices, cd.probe(scene, taken).vertices)
    (2, True)
    """

    regions: list[Region]
    wanted: int
    count: int
    number: Ints
    vertices: Ints
    ends: Floats

    def _merge(self, other: Probes) -> Probes:
        if (self.regions, self.wanted) != (other.regions, other.wanted):
            raise ArgumentError("probes are of different samples: merge the samples first, then probe")
        return _kept(self.regions, self.wanted, min(self.count, other.count), *(
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("number", "vertices", "ends")
        ))  # fmt: skip

    def _pairs(self, taken: Sample, call: str) -> Boxes:
        """An estimate of the pairs that a call tests: one for each primitive of the sample, at its lower corner.

        Its weight is the pairs of the probe in the same part of space, for each primitive of the probe.
        """
        strata, _ = _strata(taken, self.wanted)
        order = _spread(len(strata))
        if [strata[i].probe for i in order] != self.regions:
            raise ArgumentError("probes are of another sample than samples")
        ends = compared(self.ends, call)
        lower = swept(ends)[0]
        first = np.searchsorted(self.number, np.arange(self.count + 1))
        found: dict[int, float] = {}
        for number, place in enumerate(order[: self.count].tolist()):
            some = slice(int(first[number]), int(first[number + 1]))
            ids = np.arange(some.stop - some.start)
            owned = int(self.regions[number].contains(lower[some]).sum())
            if owned:
                pairs = pair_corners(self.vertices[some], ends[some], ids, self.regions[number])
                found[place] = float(pairs.weight.sum()) / owned
        known = np.array(sorted(found))
        corner = swept(compared(taken.ends, call))[0]
        out = Boxes(corner, corner, np.zeros(len(corner)))
        for place, stratum in enumerate(strata):  # a place without a stratum takes that of a neighbor in the tree
            if not len(known):
                break
            out.weight[stratum.some] = found[int(known[np.argmin(np.abs(known - place))])]
        return out


def _kept(regions: list[Region], wanted: int, count: int, number: Any, vertices: Any, ends: Any) -> Probes:
    """The primitives of the first regions, at most count, that hold few enough: of a portion no fewer regions than of all."""
    upto = np.cumsum(np.bincount(number, minlength=len(regions)))
    count = min(count, int(np.searchsorted(upto, _HELD, "right")))
    of = np.flatnonzero(number < count)
    of = of[np.lexsort((vertices[of, 2], vertices[of, 1], vertices[of, 0], number[of]))]
    return Probes(regions, wanted, count, number[of], vertices[of], ends[of])


def probe(
    scene: Scene,
    samples: Sample | Iterable[Sample],
    min_separation: float = 0.0,
    share: tuple[int, int] = (0, 1),
    count: int = 2048,
) -> Probes:
    """Take probes of the primitives of a scene, for `plan`.

    The scene is divided into as many regions with equal parts of the sample, and in each a small region of some hundred
    primitives is chosen at random. All primitives that reach it are kept: at most 2**19 in all, 70 MB.

    Parameters
    ----------
    scene : Scene
        The scene.
    samples : Sample or iterable of Sample
        Samples of all portions of the scene, the same for all portions.
    min_separation : float, default 0
        That of the calls, or the distance of `near`.
    share : tuple of int, default (0, 1)
        (i, n): only the i-th of n portions of the scene is read. Merge the probes of all with `reduce`.
    count : int, default 2048
        Number of regions, rounded down to a power of two; small samples have fewer. Sixteen or more for each part are enough.

    Returns
    -------
    Probes
        The probes.

    Raises
    ------
    ArgumentError
        An argument is out of range.
    InvalidIndexError
        An index of an edge or a face is out of range; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> random = np.random.default_rng(0)
    >>> x = (random.random((10000, 1, 3)) + 0.05 * random.random((10000, 3, 3))).reshape(-1, 3)
    >>> scene = cd.Scene(x, x, faces=np.arange(30000).reshape(10000, 3))
    >>> taken = cd.sample(scene, size=3000)
    >>> found = cd.plan(taken, 8, probes=cd.probe(scene, taken))
    >>> len(found.regions), found.balance < 1.5
    (8, True)
    """
    if not isinstance(scene, Scene):
        raise ArgumentError(f"scene is {type(scene).__name__}: must be a ccd.distributed.Scene")
    taken = merged("samples", samples, Sample)
    reach, wanted = arrays.number("min_separation", min_separation), arrays.integer("count", count, 1, 1 << 16)
    n = arrays.integer("share[1]", share[1], 1, 1 << 40)
    of = arrays.integer("share[0]", share[0], 0, n - 1), n
    strata, tree = _strata(taken, wanted)
    order = _spread(len(strata))
    place = np.empty(len(strata), np.int64)
    place[order] = np.arange(len(strata))
    held = Probes(
        [strata[i].probe for i in order], wanted, len(strata),
        np.empty(0, np.int64), np.empty((0, 3), np.int64), np.empty((0, 2, 2, 3)),
    )  # fmt: skip
    fresh: list[tuple[Ints, Ints, Floats]] = []

    def take() -> Probes:
        number, vertices, ends = (np.concatenate([one[k] for one in fresh]) for k in range(3))
        return held._merge(Probes(held.regions, wanted, held.count, number, vertices, ends))

    for shape in (VERTEX, EDGE, FACE):
        for _, vertices in scene._portions(shape, CHUNK, of):
            lo, hi, radius = scene._boxes(vertices)
            hi = widened(hi, reach, radius, scene._largest_radius())
            found = list(_reaching(strata, tree, lo, hi, np.arange(len(lo))))
            some = np.concatenate([np.empty(0, np.int64), *(ids for _, ids in found)])
            padded = np.full((len(some), 3), -1, np.int64)
            padded[:, : vertices.shape[1]] = vertices[some]
            number = np.concatenate([np.empty(0, np.int64), *(np.full(len(ids), place[i]) for i, ids in found)])
            fresh.append((number, padded, scene._ends(vertices[some], reach)))
            if sum(len(one[0]) for one in fresh) > _HELD // 4:
                held, fresh = take(), []
    return take() if fresh else held


def _reaching(strata: list[_Stratum], tree: Any, lo: Floats, hi: Floats, some: Ints) -> Iterable[tuple[int, Ints]]:
    """For each stratum, the boxes that reach its probe."""
    if not len(some) or not strata:
        return
    if isinstance(tree, int):
        yield tree, some[reached(strata[tree].probe, lo[some], hi[some])]
        return
    axis, at, below, above = tree
    yield from _reaching(strata, below, lo, hi, some[lo[some, axis] < at])
    yield from _reaching(strata, above, lo, hi, some[hi[some, axis] >= at])
