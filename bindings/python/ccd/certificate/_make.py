"""From an answer of the library to the text of a certificate."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import broad, verify
from ..errors import UnsupportedError
from ..impact import Kind
from ..mesh import Mesh
from . import checker
from ._search import Pair, Search

_NAMES = {Kind.VERTEX_FACE: "vf", Kind.EDGE_EDGE: "ee", Kind.POINT_EDGE: "pe", Kind.POINT_POINT: "pp"}
_EARLIER = (0.0, 2.0**-30, 2.0**-10)  # What share of its time a claim may end early, in the order of the tries.
_Floats = NDArray[np.float64]


@dataclass
class _Contact:
    """A pair that touches: when, where its witness ends, and how often that was tried."""

    pair: Pair
    lo: float
    hi: float
    end: float
    tries: int = 0

    def earlier(self) -> bool:
        """Let the witness end earlier, if it may."""
        self.tries += 1
        if self.tries == len(_EARLIER) or self.lo == 0:
            return False
        self.end = self.lo - self.lo * _EARLIER[self.tries]
        return True


class Maker:
    """Makes the certificate of one answer: contacts are rows of kind, a, b, toi_lo, toi_hi."""

    def __init__(self, mesh: Mesh, x0: _Floats, x1: _Floats, separation: float, contacts: Any, earliest: bool, t_max: float):
        self.mesh, self.x0, self.x1 = mesh, x0, x1
        self.faces, self.edges = mesh.faces, mesh.edges
        corners = verify.corners(mesh)
        self.contacts = []
        for kind, a, b, lo, hi in contacts:
            one, other = ([int(v) for v in rows[i]] for rows, i in zip(corners[Kind(kind)], (a, b)))
            self.contacts.append(_Contact(_pair(_NAMES[Kind(kind)], one, other), lo, hi, lo))
        self.claim = "separate" if not self.contacts else "earliest" if earliest else "collisions"
        self.t_max = t_max
        times = [t_max] + [t for c in self.contacts for t in (c.lo, c.hi)]
        clock = max(map(_bits, times)) + 64  # Pieces of time may be shorter than the steps of doubles.
        self.search = Search(x0, x1, separation, clock)
        self.sets, self.excluded = _sets(mesh), _excluded(mesh)

    @property
    def until(self) -> float:
        return self.contacts[0].end if self.claim == "earliest" else self.t_max

    def text(self, options: dict[str, Any], start: bool) -> str:
        """The certificate; raises UnsupportedError where a pair has no proof."""
        failed = self._others(options)
        while self.claim == "earliest" and failed and self.contacts[0].earlier():
            failed = self._others(options)
        if self.claim != "earliest" or not failed:
            failed += self._contacts()
        if start:
            failed += self._start()
        if failed:
            raise UnsupportedError(
                f"{len(failed)} pairs have no proof that ends at t = {self.until}, such as {_words(failed[0])}"
            )
        return "\n".join(self._lines(start)) + "\n"

    # ---- what is proven

    def _others(self, options: dict[str, Any]) -> list[Pair]:
        """Find witnesses of the pairs that do not touch; returns the pairs that have no witness."""
        end, failed = self.until, []
        if end == 0:
            return []
        touch = {c.pair for c in self.contacts}
        # A little more than the claim needs, for what rounds.
        more = self.search.most * 2.0**-40
        later = self.x0 + min(1.0, end * (1 + 2.0**-20)) * (self.x1 - self.x0) if end < 1 else self.x1
        wide = {**options, "min_separation": self.search.d + more}
        found = broad.candidates(self.mesh, self.x0, later, **wide)
        for kind, (first, second) in verify.corners(self.mesh).items():
            pairs = found[kind]
            a, b = first[pairs[:, 0]].astype(np.int64), second[pairs[:, 1]].astype(np.int64)
            keep = ~self.search.along_axes(a, b, end)
            a, b, name = a[keep], b[keep], _NAMES[kind]
            keys = [_pair(name, x, y) for x, y in zip(a.tolist(), b.tolist())]
            rest = [key for key in keys if key not in touch]
            failed += self._search(name, rest, end, self.claim != "earliest")
        return failed

    def _search(self, kind: str, pairs: Sequence[Pair], end: float, closed: bool) -> list[Pair]:
        n, m = checker.KINDS[kind]
        a = np.array([p[1] for p in pairs], np.int64).reshape(-1, n)
        b = np.array([p[2] for p in pairs], np.int64).reshape(-1, m)
        return self.search.pairs(kind, a, b, np.full(len(a), end), closed)

    def _contacts(self) -> list[Pair]:
        """Find witnesses of the pairs that touch, for the time before."""
        failed = []
        for kind in _NAMES.values():
            rows = [c for c in self.contacts if c.pair[0] == kind and c.end > 0]
            while rows:
                n, m = checker.KINDS[kind]
                a = np.array([c.pair[1] for c in rows], np.int64).reshape(-1, n)
                b = np.array([c.pair[2] for c in rows], np.int64).reshape(-1, m)
                without = set(self.search.pairs(kind, a, b, np.array([c.end for c in rows]), False))
                rows = [c for c in rows if c.pair in without]
                again = [c for c in rows if self.claim == "collisions" and c.earlier()]
                failed += [c.pair for c in rows if c not in again]
                rows = again
        return failed

    def _start(self) -> list[Pair]:
        """Find directions for edges and faces that axes do not separate at t = 0.

        They are only to be apart: of a start in contact, and where pairs are left out, they may be within the separation.
        """
        search = Search(self.x0, self.x1, 0.0, self.search.clock) if self.search.d else self.search
        moments = [search.motion.along_axes(0)] * 2
        gaps = [1] * len(checker.AXES)
        edges, faces = ([tuple(row) for row in rows.tolist()] for rows in (np.sort(self.edges, axis=1), self.faces))
        pairs: list[Pair] = []
        for a, b in checker.near(edges, faces, moments, 0):
            within = any(vertices.issuperset(a + b) for vertices in self.sets)
            if not (within or ("ef", a, b) in self.excluded or checker.separable(a, b, moments, gaps)):
                pairs.append(("ef", a, b))
        first = np.array([p[1] for p in pairs], np.int64).reshape(-1, 2)
        second = np.array([p[2] for p in pairs], np.int64).reshape(-1, 3)
        failed = search.pairs("ef", first, second, np.zeros(len(first)), True)
        self.search.pieces |= search.pieces
        return failed

    # ---- the text

    def _lines(self, start: bool) -> Iterator[str]:
        time = self.search.time
        yield "ccd-certificate 2"
        yield from mesh_lines(self.mesh, self.x0, self.x1)
        yield f"separation {np.float64(self.search.d).view(np.uint64):016x}"
        yield f"clock {self.search.clock}"
        yield f"claim {self.claim}"
        yield f"start {int(start)}"
        yield f"until {time(self.until)}"
        yield f"contacts {len(self.contacts)}"
        for c in self.contacts:
            proof, numbers = self.search.contact(c.pair, time(c.lo), time(c.hi))
            yield f"{_words(c.pair)} {time(c.end)} {time(c.hi)} {proof} {_numbers(numbers)}".rstrip()
        yield f"witnesses {len(self.search.pieces)}"
        for pair, pieces in sorted(self.search.pieces.items()):
            yield f"{_words(pair)} {len(pieces)}"
            for end, name, numbers in pieces:
                yield f"{end} {name} {_numbers(numbers)}"
        yield "end"


def mesh_lines(mesh: Mesh, x0: _Floats, x1: _Floats) -> Iterator[str]:
    """The lines of a certificate that say what moves, the last of them with their digest."""
    digest, faces = hashlib.sha256(), mesh.faces.tolist()
    rows = (np.hstack([x0, x1]) + 0.0).view(np.uint64)  # -0 and 0 are one number
    of_faces = {tuple(sorted((f[i], f[i - 1]))) for f in faces for i in range(3)}
    for name, table in (
        ("vertices", [" ".join(f"{x:016x}" for x in row) for row in rows.tolist()]),
        ("faces", [_numbers(row) for row in faces]),
        ("rods", [_numbers(row) for row in mesh.edges.tolist() if tuple(sorted(row)) not in of_faces]),
        ("ignored", [] if mesh._ignored is None else [str(v) for v in np.flatnonzero(mesh._ignored)]),
        ("sets", [_numbers(sorted(vertices)) for vertices in _sets(mesh)]),
        ("excluded", [_words(pair) for pair in sorted(_excluded(mesh))]),
    ):
        for line in (f"{name} {len(table)}", *table):
            digest.update((line + "\n").encode())
            yield line
    yield f"digest {digest.hexdigest()}"


def _pair(kind: str, one: Sequence[int], other: Sequence[int]) -> Pair:
    """A pair as the checker names it: edges by ascending vertices, and of two of a kind the lesser first."""
    a, b = tuple(one), tuple(other)
    if kind in ("ee", "pe"):
        a, b = tuple(sorted(a)), tuple(sorted(b))
    if kind == "ef":
        a = tuple(sorted(a))
    return (kind, b, a) if kind in ("ee", "pp") and b < a else (kind, a, b)


def _sets(mesh: Mesh) -> list[set[int]]:
    """The sets of vertices among which the mesh's filters leave out all pairs: groups, and static vertices."""
    filters = mesh._filters
    groups = filters.get("groups")
    if isinstance(groups, str):
        groups = _components(mesh)
    found = [] if groups is None else [set(np.flatnonzero(groups == g).tolist()) for g in np.unique(groups[groups >= 0])]
    if filters.get("static") is not None:
        found.append(set(np.flatnonzero(filters["static"]).tolist()))
    return [vertices for vertices in found if len(vertices) > 1]


def _components(mesh: Mesh) -> NDArray[np.int64]:
    """For each vertex the least vertex of its connected component."""
    label, edges = np.arange(mesh.counts[0]), mesh.edges.astype(np.int64)
    while len(edges):
        ends = label[edges]  # Each vertex has a label no greater than itself: the least of a tree, its root.
        np.minimum.at(label, ends.max(axis=1), ends.min(axis=1))
        while (label[label] != label).any():
            label = label[label]
        edges = edges[np.not_equal(*label[edges].T)]
    return label


def _excluded(mesh: Mesh) -> set[Pair]:
    """The pairs that the mesh's filters name, as the checker names them."""
    found, corners = set(), verify.corners(mesh)
    for kind, pairs in mesh._filters.items():
        if isinstance(kind, int) and pairs is not None:
            first, second = corners[Kind(kind)] if kind in _NAMES else (mesh.edges, mesh.faces)
            for a, b in np.asarray(pairs).tolist():
                one, other = ([int(v) for v in np.atleast_1d(rows[i])] for rows, i in ((first, a), (second, b)))
                key = _pair(_NAMES[Kind(kind)] if kind in _NAMES else "ef", one, other)
                if not set(key[1]) & set(key[2]):
                    found.add(key)
    return found


def _bits(t: float) -> int:
    return Fraction(t).denominator.bit_length()


def _numbers(row: Sequence[Any]) -> str:
    return " ".join(map(str, row))


def _words(pair: Pair) -> str:
    return " ".join(map(str, (pair[0], *pair[1], *pair[2])))
