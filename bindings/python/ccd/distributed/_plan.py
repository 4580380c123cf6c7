"""Where to divide a scene: a tree of cuts, from samples of primitives and of candidate pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._native import arrays
from ..errors import ArgumentError
from ._probe import Boxes, Probes, brought, merged, pair_boxes, probe
from ._region import EVERYWHERE, Floats, Ints, Region
from ._sample import Sample, sample, swept
from ._scene import Scene

_PAIR_WORK = 0.5  # of a candidate pair, where a primitive has 1
_MEMORY = 0.9  # by what the largest part's share of the primitives counts beside its share of the work
_SPARSE = 16  # times the sample: scenes beyond are probed for pairs
_TURNS = 4  # times that all cuts are made
_KNOWN = 64  # of so few probes none is left out; others are of primitives so large that a sample has many pairs
_FIRST, _ENOUGH = 1 << 12, 1 << 11  # primitives of the sample to begin with, and pairs of a part that suffice


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


def plan(
    samples: Scene | Sample | Iterable[Sample],
    count: int,
    min_separation: float = 0.0,
    pair_work: float = _PAIR_WORK,
    probes: Probes | Iterable[Probes] | None = None,
) -> Plan:
    """Divide space into regions of about equal work and size, from samples of a scene.

    The work of a part is estimated as its primitives and its candidate pairs, those that other parts hold too included. Each
    cut is made along the axis, and at the coordinate, with the least work on its busier side, or the fewest primitives if these
    are farther from equal; so parts stay compact.

    Parameters
    ----------
    samples : Scene, Sample or iterable of Sample
        A scene, of which samples, and probes if it is large, are taken here; or samples of all portions of the scene.
    count : int
        Number of parts, 1 to 2**20.
    min_separation : float, default 0
        That of the calls, or the distance of `near`.
    pair_work : float, default 0.5
        Work of a candidate pair over the whole step; a primitive has 1. Calls that are given a scene plan with 0.25 for
        `earliest` and `size`, which search only up to the first impact, and with 1 for others.
    probes : Probes or iterable of Probes, optional
        Probes of all portions of the scene. Without them pairs are those within the samples, which are too few where the scene
        is more than 16 times as large: of a hundred million primitives some hundreds.

    Returns
    -------
    Plan
        The plan. It depends on the merged sample and the merged probes alone.

    Raises
    ------
    ArgumentError
        An argument is out of range, there are no samples, or the probes are of another sample.

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
    probed = None if probes is None else merged("probes", probes, Probes)
    if isinstance(samples, Scene):
        given, samples = samples, sample(samples)
        if probed is None and samples.total > _SPARSE * len(samples.hashes):
            probed = probe(given, samples, reach, count=min(max(64, 16 * n), 1 << 16))
    whole = merged("samples", samples, Sample)
    if not np.isfinite(whole.ends).all():
        raise ArgumentError("samples hold coordinates that are not finite; cut names the first")
    ends = whole.ends.copy()
    if reach:
        ends[:, :, 1] = np.nextafter(ends[:, :, 1] + reach, np.inf)
    weight = whole.total / max(1, len(whole.hashes))
    lo, hi = brought(whole.vertices, ends, *swept(ends))
    if per_pair == 0:
        pairs = Boxes(np.empty((0, 3)), np.empty((0, 3)), np.empty(0))
    elif probed is not None and probed.count >= min(_KNOWN, len(probed.regions)):
        pairs = probed._pairs(whole)
        pairs.weight *= per_pair * weight
    else:
        some = min(_FIRST, len(whole.hashes))  # the first are a sample too; where pairs are many, few primitives show where
        while True:
            pairs = pair_boxes(whole.vertices, ends, np.arange(some), EVERYWHERE, (lo, hi))
            if some == len(whole.hashes) or len(pairs.lo) >= min(max(_ENOUGH * n, 1 << 12), 1 << 16):
                break
            some = min(2 * some, len(whole.hashes))
        pairs.weight *= per_pair * (whole.total / max(1, some)) ** 2
    return _Planner(Boxes(lo, hi, np.full(len(hi), weight)), pairs).plan(n)


class _Planner:
    """Cuts space in two, again and again. Every box counts in each region that it reaches.

    A cut is weighed by the load of its sides for each part, but parts of one side may share more boxes than those of the other.
    So all cuts are made several times: from the second on, the load of a side is multiplied by what its worst part had, divided
    by its share, the times before. The best plan is kept.
    """

    def __init__(self, primitives: Boxes, pairs: Boxes):
        self.boxes, self.pairs = primitives, pairs
        self.growth: dict[int, float] = {}  # of the sides of cuts: 1 is all, 2i and 2i + 1 are the halves of i

    def plan(self, count: int) -> Plan:
        self.mean = (self.boxes.weight.sum() + self.pairs.weight.sum()) / count, self.boxes.weight.sum() / count
        best: tuple[float, Any] = np.inf, None
        for _ in range(_TURNS if count > 2 else 1):
            self.regions: list[Region] = []
            self.work: list[float] = []
            self.primitives: list[float] = []
            self.worst: dict[int, float] = {}
            tree = self.divide(np.arange(len(self.boxes.lo)), np.arange(len(self.pairs.lo)), EVERYWHERE, count, 1)
            worst = max(max(of) / max(sum(of), 5e-324) * by for of, by in ((self.work, 1.0), (self.primitives, _MEMORY)))
            if worst < best[0]:
                best = worst, Plan(self.regions, self.work, self.primitives, tree)
        found: Plan = best[1]
        return found

    def load(self, busy: Any, held: Any) -> Any:
        """The work or the primitives, in shares of a part, whichever is more."""
        work, primitives = (max(mean, 5e-324) for mean in self.mean)
        return np.maximum(busy / work, _MEMORY * held / primitives)

    def divide(self, boxes: Ints, pairs: Ints, region: Region, count: int, node: int) -> Any:
        held, owned = float(self.boxes.weight[boxes].sum()), float(self.pairs.weight[pairs].sum())
        load = float(self.load(held + owned, held))
        if count == 1:
            self.regions.append(region)
            self.work.append(held + owned)
            self.primitives.append(held)
            self.worst[node] = load
            return len(self.regions) - 1
        axis, at, first = self.choose(boxes, pairs, region, count, node)
        below, above = region.cut(axis, at)
        lower, upper = self.boxes.halves(boxes, axis, at)
        under, over = self.pairs.halves(pairs, axis, at)
        halves = (
            self.divide(lower, under, below, first, 2 * node),
            self.divide(upper, over, above, count - first, 2 * node + 1),
        )
        self.worst[node] = max(self.worst[2 * node], self.worst[2 * node + 1])
        grown = self.worst[node] / load * count if load else 1.0
        self.growth[node] = math.sqrt(self.growth.get(node, 1.0) * grown)
        return axis, at, *halves

    def choose(self, boxes: Ints, pairs: Ints, region: Region, count: int, node: int) -> tuple[int, float, int]:
        """The axis, coordinate and number of parts below where the worse side has the least load for each part."""
        best = np.inf, 0, min(region.hi[0], np.inf), count // 2
        growth = [self.growth.get(2 * node + side, 1.0) for side in (0, 1)]
        for axis in range(3):
            held, met = _Sides(self.boxes, boxes, axis), _Sides(self.pairs, pairs, axis)
            places = np.concatenate([held.lo, met.lo])
            if not len(places) or places.min() == places.max():
                continue
            at = np.unique(np.quantile(places, np.linspace(0.02, 0.98, 193), method="inverted_cdf"))
            at = at[(at > max(places.min(), region.lo[axis])) & (at < region.hi[axis])]
            if not len(at):
                continue
            loads = [self.load(of + pairs_of, of) * by for of, pairs_of, by in zip(held.weights(at), met.weights(at), growth)]
            for first in {count // 2, count - count // 2}:
                worst = np.maximum(loads[0] / first, loads[1] / (count - first))
                i = int(np.argmin(worst))
                if worst[i] < best[0]:
                    best = float(worst[i]), axis, float(at[i]), first
        return best[1:]


class _Sides:
    """Some boxes sorted along an axis, to weigh what is on both sides of a cut."""

    def __init__(self, boxes: Boxes, some: Ints, axis: int):
        lo, hi, weight = boxes.lo[some, axis], boxes.hi[some, axis], boxes.weight[some]
        lower, upper = np.argsort(lo), np.argsort(hi)
        self.lo, self.hi = lo[lower], hi[upper]
        self.under, self.over = (np.concatenate([[0.0], np.cumsum(weight[order])]) for order in (lower, upper))

    def weights(self, at: Floats) -> tuple[Floats, Floats]:
        """The weights of the boxes that reach below some coordinates, and above."""
        below: Floats = self.under[np.searchsorted(self.lo, at)]
        above: Floats = self.over[-1] - self.over[np.searchsorted(self.hi, at)]
        return below, above
