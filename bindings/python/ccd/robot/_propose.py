"""Pairs of links that need no test: proposed from samples, and proven where that can be; SRDF files of them.

A pair is proven never to touch with the theorem of docs/proofs/robots.md, "Ranges of several joints": if an edge along one
joint keeps a separation of sum_i h_i W_i, the pair is apart for all values of the other joints within h_i of the edge's.
"""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as xml
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays, files
from .._inner.edges import Edges
from ..errors import ArgumentError, Error
from ._bodies import Bodies
from ._core import COLLIDES, FREE, _parts
from ._model import Robot
from ._urdf import _adjacent

_UP = 1 + 1e-9  # more than the rounding of the sums of non-negative terms below


@dataclass(frozen=True)
class Proposal:
    """A pair of links that `propose_allowed` proposes not to test.

    Attributes
    ----------
    a : str
        Name of a link.
    b : str
        Name of another.
    reason : str
        ``"adjacent"``: a joint is between them. ``"never"``: they do not touch. ``"always"``: they touch in all samples.
        ``"rest"``: they touch where all joints are at 0, or nearest to it, so their shapes overlap beyond a joint.
    proven : bool
        Whether the reason is proven: ``"never"`` for all values of the joints within their limits. A pair that is never
        touching and not proven touched in no sample, as MoveIt's assistant has it: it may touch between the samples.
    touching : float
        Fraction of the samples in which the two touch, or come within the tolerance of 1e-6.
    """

    a: str
    b: str
    reason: str
    proven: bool
    touching: float


def propose_allowed(
    robot: Robot,
    *,
    samples: int = 1000,
    seed: int = 0,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    max_edges: int = 5000,
    threads: int = 0,
) -> list[Proposal]:
    """Propose the pairs of links that need no test, as MoveIt's setup assistant does, and prove what can be proven.

    Each pair that can move relative to each other is looked at in random configurations, in which only the joints between its
    links matter. If it touches in none, a proof is tried: with one joint between its links one edge over the joint's range
    decides; with more, edges along one joint with a separation that covers the ranges of the others, halved until `max_edges`.
    Pairs that are proven never to touch can be left out without a loss. Pairs that touch at rest or always must be left out for
    a path to be free, and then nothing is known of them. Pairs of `Robot.allowed` and pairs that do not move are not listed.

    Parameters
    ----------
    robot : Robot
        The robot.
    samples : int, default 1000
        Random configurations of each pair, from 1 to 10 million.
    seed : int, default 0
        Of the random numbers.
    bounds : mapping, optional
        Least and greatest value of joints, by name; in place of the joint's limits. Continuous joints turn once around.
    max_edges : int, default 5000
        Edges of a proof, at most.
    threads : int, default 0
        Threads; 0 for all.

    Returns
    -------
    list of Proposal
        The pairs, in the order of the robot's links.

    Raises
    ------
    ArgumentError
        A joint has no limits and is not in `bounds`, a name is unknown, or a number is out of range.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> joints = [ccd.robot.JointModel.moving(f"j{i}", "revolute", i, i + 1, i, position=(i > 0, 0, i), lower=-1, upper=1)
    ...           for i in range(2)]
    >>> robot = ccd.robot.Robot("arm", ["base", "upper", "lower"], [[bar], [bar], [bar]], joints, ["j0", "j1"])
    >>> for pair in ccd.robot.propose_allowed(robot, samples=100):
    ...     print(pair.a, pair.b, pair.reason, pair.proven, pair.touching)
    base upper adjacent True 1.0
    base lower never True 0.0
    upper lower adjacent True 0.0
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
    count = arrays.integer("samples", samples, 1, 10**7)
    most = arrays.integer("max_edges", max_edges, 1, 2**31)
    workers = arrays.integer("threads", threads, 0, 2**31 - 1)
    least, most_of = _ranges(robot, bounds)
    random = np.random.default_rng(arrays.integer("seed", seed, 0, 2**63 - 1))
    values = random.uniform(least, most_of, (count, len(least)))
    rest_values = np.clip(0.0, least, most_of)
    for t in robot._tree.quaternions:
        values[:, t.quaternion] = random.normal(size=(count, 4))  # directions are equally likely
        rest_values[t.quaternion[3]] = 1.0
    q, resting = (robot._tree.inner(x[:, None].repeat(2, 1), "bounds")[:, 0] for x in (values, rest_values[None]))
    low, high = robot._tree.box(least, most_of)
    adjacent = {frozenset(pair) for pair in _adjacent(robot)}
    found = []
    bodies = Bodies(robot, {})
    shaped = {b.name for b in bodies.all}
    pairs = bodies.pairs([pair for pair in robot.allowed if shaped.issuperset(pair)])
    bodies.refuse_beyond(pairs, np.maximum(np.abs(low), np.abs(high)), "bounds")
    for i, j in pairs:
        names = bodies.all[i].name, bodies.all[j].name
        pair = _Pair(robot, *names, workers)
        touching = float((pair.decide(q, q) != FREE).mean())
        rest = pair.decide(resting, resting)[0]
        if frozenset(names) in adjacent:
            found.append(Proposal(*names, "adjacent", True, touching))
        elif touching == 1:
            found.append(Proposal(*names, "always", False, touching))
        elif rest != FREE:
            found.append(Proposal(*names, "rest", bool(rest == COLLIDES), touching))
        elif touching == 0:
            found.append(Proposal(*names, "never", pair.never(low, high, most), touching))
    return found


def write_allowed(path: str | os.PathLike[str], robot: Robot, pairs: Iterable[Any] | None = None) -> None:
    """Write a SRDF file that disables collisions of pairs of links, as `read_allowed` and MoveIt read it.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write.
    robot : Robot
        The robot that it is about.
    pairs : iterable of Proposal or (str, str), optional
        The pairs; those of `Robot.allowed` if omitted.

    Raises
    ------
    ArgumentError
        A name is no link of the robot.
    FileError
        The file cannot be written.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> robot = ccd.robot.Robot("two", ["a", "b"], [[], []], [ccd.robot.JointModel.fixed("j", 0, 1)], [])
    >>> name = os.path.join(tempfile.mkdtemp(), "two.srdf")
    >>> ccd.robot.write_allowed(name, robot, [("a", "b")])
    >>> ccd.robot.read_allowed(name, robot)
    [('a', 'b')]
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
    if pairs is not None and not isinstance(pairs, Iterable):
        raise ArgumentError(f"pairs is {type(pairs).__name__}: must hold pairs of names")
    root = xml.Element("robot", name=robot.name)
    for i, pair in enumerate(robot.allowed if pairs is None else pairs):
        ends = (pair.a, pair.b) if isinstance(pair, Proposal) else pair
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:
            raise ArgumentError(f"pairs[{i}] is {pair!r}: must be a Proposal or two names")
        a, b = (arrays.choice(f"pairs[{i}]", name, robot.links) for name in ends)
        xml.SubElement(root, "disable_collisions", link1=a, link2=b, reason=_reason(pair))
    xml.indent(root)
    files.whole(path, xml.tostring(root, xml_declaration=True, encoding="utf-8") + b"\n")


def _reason(pair: Any) -> str:
    """The reason in the words of MoveIt's assistant, which has none for what is proven."""
    if not isinstance(pair, Proposal):
        return "User"
    word = {"adjacent": "Adjacent", "never": "Never", "always": "Always", "rest": "Default"}[pair.reason]
    return f"{word} (proven)" if pair.reason == "never" and pair.proven else word


def _ranges(robot: Robot, bounds: Mapping[str, tuple[float, float]] | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and greatest values of the variables."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise ArgumentError(f"bounds is {type(bounds).__name__}: must be a mapping of pairs of numbers by names of joints")
    given = {robot._variable("bounds", name): row for name, row in (bounds or {}).items()}
    low, high = np.zeros(len(robot.joints)), np.zeros(len(robot.joints))
    turning = {k: t.joint for t in robot._tree.quaternions for k in t.quaternion}
    for k in turning:
        if k in given:
            raise ArgumentError(f"bounds[{robot.joints[k]!r}] is of a quaternion: joint {turning[k]!r} turns in any way")
    for k, name in enumerate(robot.joints):
        if k in turning:
            continue
        if k in given:
            row = arrays.row(f"bounds[{name!r}]", given[k])
            if len(row) != 2:
                raise ArgumentError(f"bounds[{name!r}] has {len(row)} numbers: must have 2")
            ends = float(row[0]), float(row[1])
        else:
            # A whole turn and a little more, so that no angle is left out.
            ends = (np.nextafter(-math.pi, -4), np.nextafter(math.pi, 4)) if name in robot.continuous else robot._range(k)
        if not (math.isfinite(ends[0]) and math.isfinite(ends[1]) and ends[0] <= ends[1]):
            where = f"bounds: joint {name!r} has limits [{ends[0]}, {ends[1]}]"
            raise ArgumentError(f"{where}: give bounds[{name!r}], finite and ascending")
        low[k], high[k] = ends
    return low, high


class _Pair:
    """Two links of a robot, alone."""

    def __init__(self, robot: Robot, a: str, b: str, threads: int):
        self.robot, self.ends, self.threads = robot, (robot.links.index(a), robot.links.index(b)), threads
        shapes = [s if name in (a, b) else [] for name, s in zip(robot.links, robot._shapes)]
        alone = object.__new__(Robot)
        alone.__dict__.update(robot.__dict__)
        alone._shapes = shapes
        bodies = Bodies(alone, {})
        self.edges = Edges(_parts(bodies, [(0, 1)]))
        norms = {b.name: (bodies.norms + bodies.radii)[b.first : b.last] for b in bodies.all}
        self.radius = [float(norms[name].max(initial=0)) * _UP for name in (a, b)]

    def decide(self, q0: NDArray[np.float64], q1: NDArray[np.float64], d: float = 0.0) -> NDArray[np.int32]:
        found = self.edges.decide(q0, q1, True, min_separation=d, threads=self.threads)["verdict"]
        verdicts: NDArray[np.int32] = found
        return verdicts

    def between(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> dict[int, float]:
        """The variables of the joints between the links, with how far a unit of each moves a point of one of them, at most."""
        joints = {j.child: j for j in self.robot._tree.joints}
        up = [list(_upwards(joints, end)) for end in self.ends]
        shared = {j.child for j in up[0]} & {j.child for j in up[1]}
        found: dict[int, float] = {}
        for chain, radius in zip(up, self.radius):
            reach = radius  # from the joint's origin to the farthest point of the link, whatever the joints between them do
            for j in (j for j in chain if j.child not in shared):
                if j.kind != "fixed" and j.multiplier != 0:
                    rate = abs(j.multiplier) * (reach if j.turns else 1.0)
                    found[j.source] = (found.get(j.source, 0.0) + rate) * _UP
                    if not j.turns:
                        reach += max(abs(j.multiplier * float(end[j.source]) + j.offset) for end in (low, high))
                reach = (reach + float(np.linalg.norm(j.position))) * _UP
        return found

    def never(self, low: NDArray[np.float64], high: NDArray[np.float64], most: int) -> bool:
        """Whether the two are proven apart for all values in a box of the variables."""
        rates = self.between(low, high)
        along = max(rates, key=lambda k: rates[k] * (high[k] - low[k]))
        others = [k for k in rates if k != along]
        center = np.where(np.isin(np.arange(len(low)), others), low + (high - low) / 2, np.clip(0.0, low, high))[None]
        off = {k: 2.0**-50 * float(abs(low[k]) + abs(high[k])) for k in others}  # more than the rounding of a center
        half = {k: float(high[k] - low[k]) / 2 * _UP + off[k] for k in others}
        spent = 0
        while len(center):
            spent += len(center)
            if spent > most:
                return False
            start, end = center.copy(), center.copy()
            start[:, along], end[:, along] = low[along], high[along]
            d = sum(half[k] * rates[k] for k in others) * _UP
            try:
                free = self.decide(start, end, d) == FREE
            except Error:  # a separation beyond the library's
                free = np.zeros(len(center), bool)
            center = center[~free]
            if not others:
                return len(center) == 0
            widest = max(others, key=lambda k: half[k] * rates[k])
            step = np.zeros(center.shape[1])
            step[widest] = half[widest] / 2
            half[widest] = half[widest] / 2 * _UP + off[widest]
            center = np.concatenate([center - step, center + step])
        return True


def _upwards(joints: Mapping[int, Any], link: int) -> Iterator[Any]:
    """The joints from a link to the base."""
    while link in joints:
        yield joints[link]
        link = joints[link].parent
