"""Which contacts of a step belong together, and what happened in each group: the exact rule of the audit.

A *crossing* is an edge and a face that share a point, the ends of the edge on both sides. It begins and ends only where a
vertex touches a face or two edges touch (law 10 of docs/numerics.md). So each contact of a vertex v and a face f belongs to
the crossings (e, f) of the edges e at v, and each contact of edges a and b to (a, g) and (b, h), g and h the faces at b and
at a. An *event* is a largest set of contacts and crossings that belong together, directly or by others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..impact import FINAL_CONTACT, INITIAL_CONTACT, Kind

GRAZED, FLAT, RETURNED, PASSED = range(4)
"""What a pair did: no contact changed its side; unknown, it moved in a plane; as many changes one way as the other; more."""


@dataclass(frozen=True)
class Pairs:
    """The pairs in contact during a step, each once, in the order of their first contact."""

    records: NDArray[np.void]  # its first interval
    state: NDArray[np.int8]
    last: NDArray[np.float64]  # when its last contact ends
    carried: dict[tuple[int, int, int], int]  # pairs in contact at the end: the side before it


def pairs_of(intervals: NDArray[np.void], carried: dict[tuple[int, int, int], int]) -> Pairs:
    """What each pair did, by its intervals of contact, and by its side before a contact that the step before ended in."""
    if not len(intervals):
        return Pairs(intervals, np.empty(0, np.int8), np.empty(0), {})
    order = np.lexsort([intervals["enter"], intervals["b"], intervals["a"], intervals["kind"]])
    rows = intervals[order]
    named = np.column_stack([rows["kind"], rows["a"], rows["b"]])
    begin = np.r_[True, (named[1:] != named[:-1]).any(1)]
    pair, first = np.cumsum(begin) - 1, np.flatnonzero(begin)
    last = np.r_[first[1:], len(rows)] - 1
    before, after = rows["side_before"].astype(np.int8), rows["side_after"].astype(np.int8)
    starts, ends = rows["flags"] & INITIAL_CONTACT != 0, rows["flags"] & FINAL_CONTACT != 0
    if carried:
        for row in np.flatnonzero(starts):
            before[row] = carried.get(tuple(named[row].tolist()), 0)
    sided = (rows["kind"] == Kind.VERTEX_FACE) | (rows["kind"] == Kind.EDGE_EDGE)  # a point has no side of an edge
    flat = sided & (((before == 0) & ~starts) | ((after == 0) & ~ends))
    # Between two contacts the sign may change without one: the vertex goes around the face. So each contact counts alone.
    changes = np.where(before * after < 0, after, 0)
    net = np.bincount(pair, changes, len(first))
    state = np.full(len(first), GRAZED, np.int8)
    state[np.bincount(pair, flat, len(first)) > 0] = FLAT
    state[np.bincount(pair, changes != 0, len(first)) > 0] = RETURNED
    state[net != 0] = PASSED
    kept = {tuple(named[row].tolist()): int(before[row]) for row in last[ends[last]] if before[row]}
    by_time = np.lexsort([rows["b"][first], rows["a"][first], rows["kind"][first], rows["enter"][first]])
    return Pairs(rows[first][by_time], state[by_time], rows["exit"][last][by_time], kept)


class Incidence:
    """The edges at each vertex and the faces at each edge, by which contacts belong to crossings."""

    def __init__(self, vertices: int, edges: NDArray[np.int32], faces: NDArray[np.int32]):
        self.vertices, self.edges, self.faces = vertices, edges, faces
        ends, number = edges.reshape(-1), np.repeat(np.arange(len(edges)), 2)
        self._at_vertex = _rows(ends.astype(np.int64), number, vertices)
        width = np.int64(max(vertices, 1))
        key = np.sort(edges, axis=1).astype(np.int64) @ np.array([width, 1])
        order = np.argsort(key)
        corners = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1).astype(np.int64) @ np.array([width, 1])
        place = order[np.searchsorted(key[order], corners)] if len(faces) else np.empty(0, np.int64)
        self._at_edge = _rows(place, np.repeat(np.arange(len(faces)), 3), len(edges))

    def crossings(self, records: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The crossings that contacts belong to: numbers of contacts, and a number for each crossing."""
        e, f = np.int64(len(self.edges)), np.int64(len(self.faces))
        count = len(records)
        owners: list[NDArray[np.int64]] = []
        keys: list[NDArray[np.int64]] = []
        kind, a, b = records["kind"], records["a"], records["b"]
        for rows, at, fixed, form in (
            (kind == Kind.VERTEX_FACE, (self._at_vertex, a), b, (f, 1)),
            (kind == Kind.EDGE_EDGE, (self._at_edge, b), a, (1, f)),
            (kind == Kind.EDGE_EDGE, (self._at_edge, a), b, (1, f)),
        ):
            which = np.flatnonzero(rows)
            row, found = _spread(*at[0], at[1][which])
            owners.append(which[row])
            keys.append((found * form[0] + fixed[which][row] * form[1]).astype(np.int64))
        alone = np.setdiff1d(np.arange(count), np.concatenate(owners)) if count else np.empty(0, np.int64)
        owners.append(alone)  # no surface is there: rods, and points
        keys.append(e * f + alone)
        return np.concatenate(owners), np.concatenate(keys)

    @property
    def faces_at(self) -> NDArray[np.int64]:
        """The number of faces at each edge."""
        return np.diff(self._at_edge[0])

    def key(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of crossings, (k, 2): edge, face."""
        keys: NDArray[np.int64] = pairs[:, 0] * np.int64(len(self.faces)) + pairs[:, 1]
        return keys


def _rows(of: NDArray[np.int64], values: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lists of values by a number: where each begins, and the values."""
    order = np.argsort(of, kind="stable")
    return np.searchsorted(of[order], np.arange(count + 1)), values[order].astype(np.int64)


def _spread(
    begin: NDArray[np.int64], values: NDArray[np.int64], numbers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The values of all numbers one after another, and which number each is of."""
    sizes = begin[numbers + 1] - begin[numbers]
    row = np.repeat(np.arange(len(numbers)), sizes)
    within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return row, values[begin[numbers][row] + within]


def together(count: int, owners: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The group of each of `count` things: two are in one group if they have a key in common, directly or by others."""
    label = np.arange(count)
    _, node = np.unique(keys, return_inverse=True)
    node = node.reshape(-1)
    nodes = int(node.max()) + 1 if len(node) else 0
    while True:
        least = np.full(nodes, count)
        np.minimum.at(least, node, label[owners])
        new = label.copy()
        np.minimum.at(new, owners, least[node])
        np.minimum.at(new, label, new.copy())  # the old representative joins too
        while not np.array_equal(new, shorter := new[new]):
            new = shorter
        if np.array_equal(new, label):
            _, group = np.unique(label, return_inverse=True)
            return group.reshape(-1)
        label = new
