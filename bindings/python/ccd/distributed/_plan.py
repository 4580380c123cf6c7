"""Where to divide a scene: a tree of cuts, from samples of primitives and of candidate pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._inner import arrays
from ..errors import ArgumentError
from ._probe import Boxes, Probes, brought, compared, merged, pair_corners, probe
from ._region import EVERYWHERE, Floats, Ints, Region
from ._sample import Sample, sample, swept
from ._scene import Scene

_PAIR_WORK = {  # work of a candidate pair, where a primitive has 1; the first two calls meet few pairs
    "earliest": 0.25, "size": 0.25, "collisions": 0.5, "candidates": 0.5, "near": 0.5,
}  # fmt: skip
_SPARSE = 16  # times the sample: scenes beyond are probed for pairs
_TURNS = 4  # times that all cuts are made
_REFINED = 6  # turns that refining may cost
_EVEN = 1.1  # the load of the worst part, in that of the mean, that needs no refining
_BETTER = 1 - 1e-4  # share of the worst part's load above which a new plan is no gain
_KNOWN = 64  # no probe is left out where there are so few
_FEW, _SAMPLED = 64, 16  # parts that every scene may have, and primitives of the sample for each of more
_PLACES = 1 << 12  # primitives, and pairs, of a region of whose coordinates cuts are chosen
_FIRST = 1 << 12  # primitives of the sample whose pairs are looked for at first
_MET = 1 << 10  # primitives of a part whose pairs suffice; some have thousands, so that many pairs of few say little
_MOST_PAIRS = 1 << 21  # pairs that a plan looks for at most
_ENOUGH, _WEIGHED = 1 << 11, 1 << 17  # pairs of a part that suffice, and of all parts by which cuts are weighed


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
    call: str = "collisions",
    pair_work: float | None = None,
    probes: Probes | Iterable[Probes] | None = None,
) -> Plan:
    """Divide space into regions of about equal work and size, from samples of a scene.

    The work of a part is estimated as its primitives, those that other parts hold too included, and the candidate pairs that it
    owns. Each cut is made along the axis, and at the coordinate, with the least work on its busier side, or the fewest
    primitives if these are farther from equal; so parts stay compact.

    Parameters
    ----------
    samples : Scene, Sample or iterable of Sample
        A scene, of which samples, and probes if it is large, are taken here; or samples of all portions of the scene.
    count : int
        Number of parts, 1 to 2**20. A plan has fewer where the sample has fewer than 16 primitives a part: then a part for each
        16 of them, but not fewer than 64.
    min_separation : float, default 0
        That of the calls, or the distance of `near`.
    call : str, default "collisions"
        The call that the parts are for: "earliest", "collisions", "size", "candidates" or "near". They test different pairs:
        those near at one time of the step, or for `candidates` those whose boxes over the step are, or for `near` those at x0.
        Calls that are given a scene plan for themselves; parts of every plan serve all calls.
    pair_work : float, optional
        Work of a candidate pair over the whole step; a primitive has 1. Without it, that of the call: 0.25 for `earliest` and
        `size`, which search only up to the first impact, and 0.5 for others.
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
    call = arrays.choice("call", call, tuple(_PAIR_WORK))
    reach = arrays.number("min_separation", min_separation)
    per_pair = arrays.number("pair_work", _PAIR_WORK[call] if pair_work is None else pair_work)
    probed = None if probes is None else merged("probes", probes, Probes)
    if isinstance(samples, Scene):
        given, samples = samples, sample(samples)
        n = _most(n, samples)
        if probed is None and samples.total > _SPARSE * len(samples.hashes):
            probed = probe(given, samples, reach, count=min(max(64, 16 * n), 1 << 16))
    whole = merged("samples", samples, Sample)
    n = _most(n, whole)
    if not np.isfinite(whole.ends).all():
        raise ArgumentError("samples hold coordinates that are not finite")
    ends = whole.ends.copy()
    if reach:
        ends[:, :, 1] = np.nextafter(ends[:, :, 1] + reach, np.inf)
    weight = whole.total / max(1, len(whole.hashes))
    lo, hi = brought(whole.vertices, ends, *swept(ends))
    if per_pair == 0:
        pairs = Boxes(np.empty((0, 3)), np.empty((0, 3)), np.empty(0))
    elif probed is not None and probed.count >= min(_KNOWN, len(probed.regions)):
        pairs = probed._pairs(whole, call)
        pairs.weight *= per_pair * weight
    else:
        tested, enough = compared(ends, call), min(max(_ENOUGH * n, 1 << 12), _WEIGHED)
        some = min(_FIRST, len(whole.hashes))  # the first are a sample too; where pairs are many, few primitives show where
        while True:
            pairs = pair_corners(whole.vertices, tested, np.arange(some), EVERYWHERE)
            many = some >= _MET * n or 4 * len(pairs.lo) > _MOST_PAIRS
            if some == len(whole.hashes) or (many and len(pairs.lo) >= enough):
                break
            some = min(2 * some, len(whole.hashes))
        pairs.weight *= per_pair * (whole.total / max(1, some)) ** 2
        pairs = pairs.thinned(enough)
    return _Planner(Boxes(lo, hi, np.full(len(hi), weight)), pairs).plan(n)


def _most(count: int, taken: Sample) -> int:
    """The number of parts. Of a sample with few primitives a part most parts would be empty; a million take hours to plan."""
    return min(count, max(_FEW, len(taken.hashes) // _SAMPLED))


class _Node:
    """A region of the tree of cuts, with the boxes that reach it. Its numbers: 1 is all, 2i and 2i + 1 are the halves of i."""

    __slots__ = (
        "at",
        "axis",
        "boxes",
        "count",
        "first",
        "halves",
        "held",
        "load",
        "number",
        "owned",
        "pairs",
        "region",
        "worst",
    )

    halves: tuple[_Node, _Node] | None
    axis: int
    at: float
    first: int  # how many parts are below

    def __init__(self, number: int, region: Region, count: int, boxes: Ints, pairs: Ints):
        self.number, self.region, self.count, self.boxes, self.pairs = number, region, count, boxes, pairs
        self.held = self.owned = self.load = self.worst = 0.0  # worst: the load of the worst part
        self.halves = None

    def growth(self) -> float:
        """What the worst part has, divided by an even share: 1 or more, as parts of the region share boxes."""
        return self.worst / self.load * self.count if self.load else 1.0

    def leaves(self) -> Iterator[_Node]:
        """The parts."""
        if self.halves is None:
            yield self
        else:
            for half in self.halves:
                yield from half.leaves()


class _Planner:
    """Cuts space in two, again and again. A primitive counts in each region that it reaches, a pair in its owner.

    A cut is weighed by the load of its sides for each part, but parts of one side may share more boxes than those of the other.
    So all cuts are made several times: from the second on, the load of a side is multiplied by what its worst part had, divided
    by its share, the times before. The best plan is kept.

    First the mean is that without what several parts hold, which rewards plans whose parts share little. In a crowd they must
    share much, and such a mean would weigh their primitives alone. So the cuts are made as often again with the mean of the
    best plan so far, and the better plan is kept. Then `refine` moves the cuts around its worst part.
    """

    def __init__(self, primitives: Boxes, pairs: Boxes):
        self.boxes, self.pairs = primitives, pairs
        self.growth: dict[int, float] = {}  # growth of nodes by their numbers
        self.cost = 0  # boxes that were weighed: a clock that does not depend on the machine

    def plan(self, count: int) -> Plan:
        held, owned = (float(of.weight.sum()) for of in (self.boxes, self.pairs))
        self.mean = (held + owned) / count, held / count
        root = self.node(1, EVERYWHERE, count, np.arange(len(self.boxes.lo)), np.arange(len(self.pairs.lo)))
        best, turn = self.turns(root, None)
        if count > 2:
            self.weigh_anew(best)
            best, _ = self.turns(root, best)
        best = self.refine(best, _REFINED * turn)
        regions, work, primitives = [], [], []

        def tree(node: _Node) -> Any:
            if node.halves is not None:
                below, above = node.halves
                return node.axis, node.at, tree(below), tree(above)
            regions.append(node.region)
            work.append(node.held + node.owned)
            primitives.append(node.held)
            return len(regions) - 1

        cuts = tree(best)
        return Plan(regions, work, primitives, cuts)

    def turns(self, root: _Node, best: _Node | None) -> tuple[_Node, int]:
        """Make all cuts several times; return the best plan of these and a given one, and the cost of the first."""
        begin, first = self.cost, 0
        for _ in range(_TURNS if root.count > 2 else 1):
            found = self.divide(root)
            first = first or self.cost - begin
            if best is None or found.worst < best.worst:
                best = found
            self.learn(found)
        assert best is not None
        return best, first

    def weigh_anew(self, root: _Node) -> None:
        """Weigh by the mean of a plan, with the boxes that several parts hold: `Plan.balance` and the memory's are of these."""
        leaves = list(root.leaves())
        self.mean = sum(of.held + of.owned for of in leaves) / len(leaves), sum(of.held for of in leaves) / len(leaves)
        self._weigh(root)
        self.learn(root, False)

    def load(self, busy: Any, held: Any) -> Any:
        """The work or the primitives, in shares of a part, whichever is more."""
        work, primitives = (max(mean, 5e-324) for mean in self.mean)
        return np.maximum(busy / work, held / primitives)

    def node(self, number: int, region: Region, count: int, boxes: Ints, pairs: Ints) -> _Node:
        found = _Node(number, region, count, boxes, pairs)
        found.held, found.owned = float(self.boxes.weight[boxes].sum()), float(self.pairs.weight[pairs].sum())
        found.load = found.worst = float(self.load(found.held + found.owned, found.held))
        return found

    def divide(self, node: _Node) -> _Node:
        """Divide a region into its parts, by the best cut of each."""
        if node.count == 1:
            return node
        return self.cut(node, self.choices(node, [self.growth.get(2 * node.number + side, 1.0) for side in (0, 1)])[0])

    def divide_like(self, node: _Node, old: _Node) -> _Node:
        """Divide a region by cuts along the axes of another plan of it, which are moved by what that plan's parts had."""
        if old.halves is None:
            return node
        choice = self.choices(node, [half.growth() for half in old.halves], (old.axis,), (old.first,))[0]
        return self.divide(node) if math.isinf(choice[0]) else self.cut(node, choice, old)

    def cut(self, node: _Node, choice: tuple[float, int, float, int], old: _Node | None = None) -> _Node:
        """Another plan of a region, with a given first cut; the others are chosen, or are like those of another plan."""
        found = self.node(node.number, node.region, node.count, node.boxes, node.pairs)
        _, found.axis, found.at, found.first = choice
        counts = found.first, found.count - found.first
        boxes, pairs = (
            of.halves(some, found.axis, found.at) for of, some in ((self.boxes, node.boxes), (self.pairs, node.pairs))
        )
        self.cost += len(node.boxes) + len(node.pairs)
        regions = node.region.cut(found.axis, found.at)
        below, above = (self.node(2 * node.number + i, regions[i], counts[i], boxes[i], pairs[i]) for i in (0, 1))
        if old is None or old.halves is None:
            found.halves = self.divide(below), self.divide(above)
        else:
            found.halves = self.divide_like(below, old.halves[0]), self.divide_like(above, old.halves[1])
        found.worst = max(half.worst for half in found.halves)
        return found

    def choices(
        self, node: _Node, growth: list[float], axes: tuple[int, ...] = (0, 1, 2), firsts: tuple[int, ...] = ()
    ) -> list[tuple[float, int, float, int]]:
        """By axis, where the worse side has the least load for each part, and how many parts are below; the best first."""
        found: list[tuple[float, int, float, int]] = []
        for axis in axes:
            self.cost += len(node.boxes) + len(node.pairs)
            at = self.places(node, axis)
            if not len(at):
                continue
            held, met = self.boxes.weights(node.boxes, axis, at), self.pairs.weights(node.pairs, axis, at)
            loads = [self.load(of + pairs_of, of) * by for of, pairs_of, by in zip(held, met, growth)]
            of_axis = []
            for first in firsts or sorted({node.count // 2, node.count - node.count // 2}):
                worst = np.maximum(loads[0] / first, loads[1] / (node.count - first))
                i = int(np.argmin(worst))
                of_axis.append((float(worst[i]), axis, float(at[i]), first))
            found.append(min(of_axis))
        return sorted(found) or [(math.inf, 0, min(node.region.hi[0], math.inf), node.count // 2)]

    def places(self, node: _Node, axis: int) -> Floats:
        """Coordinates within a region to cut at: quantiles of where some of its primitives and pairs begin."""
        of = (self.boxes, node.boxes), (self.pairs, node.pairs)
        some = [kind.columns[0][axis].take(ids[:: 1 + len(ids) // _PLACES]) for kind, ids in of]
        begun: Floats = np.sort(np.concatenate(some))
        if not len(begun):
            return begun
        at: Floats = np.unique(begun[(np.linspace(0.02, 0.98, 193) * len(begun)).astype(np.int64)])
        inside: Floats = at[(at > max(begun[0], node.region.lo[axis])) & (at < node.region.hi[axis])]
        return inside

    def learn(self, node: _Node, damped: bool = True) -> None:
        """Note the growth of all regions of a plan."""
        for half in node.halves or ():
            self.growth[half.number] = math.sqrt(self.growth.get(half.number, 1.0) * half.growth()) if damped else half.growth()
            self.learn(half, damped)

    def refine(self, root: _Node, cost: int) -> _Node:
        """Replan the regions around the worst part, the smallest first, as long as its load falls and is not about the mean."""
        self.weigh_anew(root)
        limit = self.cost + cost
        while self.cost < limit and root.worst > _EVEN:
            path = [root]
            while path[-1].halves is not None:
                path.append(max(path[-1].halves, key=lambda half: half.worst))
            better = next(
                (new for node in path[-2::-1] for new in self._others(node, limit) if new.worst < node.worst * _BETTER), None
            )
            if better is None:
                return root
            self.learn(better, False)
            depth = better.number.bit_length() - 1
            if depth == 0:
                root = better
            for node in path[depth - 1 :: -1] if depth else ():
                below, above = node.halves or (better, better)
                node.halves = (below, better) if better.number & 1 else (better, above)
                node.worst = max(half.worst for half in node.halves)
                better = node
        return root

    def _weigh(self, node: _Node) -> float:
        """Weigh a plan by another mean."""
        node.load = node.worst = float(self.load(node.held + node.owned, node.held))
        if node.halves is not None:
            node.worst = max(self._weigh(half) for half in node.halves)
        return node.worst

    def _others(self, node: _Node, limit: int) -> Iterator[_Node]:
        """Other plans of a region: with its cuts moved, and with the best first cut along each axis; none beyond the limit."""
        if node.halves is None or self.cost >= limit:
            return
        yield self.divide_like(node, node)
        for choice in self.choices(node, [half.growth() for half in node.halves]):
            if self.cost >= limit or math.isinf(choice[0]):
                return
            yield self.cut(node, choice)
