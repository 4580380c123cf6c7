#!/usr/bin/env python3
"""Check a certificate of a step in integers, without libccd: python checker.py FILE.

It imports nothing of libccd and no number becomes a float. docs/reference/certificate.md states the format of the file, what
is claimed and why the checks prove it. Exits with 0 if the certificate holds, 1 if it does not, 2 if it cannot be read.

A vertex moves on the straight line between its two positions, as t goes from 0 to 1. The checker
1. reads the mesh, and turns coordinates and times into integers: multiples of 2^-S, and of 2^-K;
2. lists the pairs that have to be apart, by trees over the primitives: two groups are left out where an axis separates
   their boxes at both ends of the claim's time, which separates them at all times between, because motion is linear;
3. checks the witness of each pair that is left: pieces of time, each with a direction along which the one is before the other;
4. checks for each contact that the two touch within its bracket.

A polynomial on a piece of time [s0, s1] is the list c of its coefficients in r^(n-i) s^i, where r and s are s1 - t and t - s0
divided by s1 - s0. Sums are sums of lists, products are convolutions. If no coefficient is negative, no value is; if c[0] is
positive too, all values before s1 are. The value at s1 is c[-1].
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import isqrt
from typing import Any

Poly = list[int]
Vector = Sequence[Poly]  # Three polynomials.
Corners = tuple[int, ...]  # Vertices of a primitive.
Pair = tuple[str, Corners, Corners]
Table = Sequence[Sequence[int]]  # For each vertex its places along axes.

KINDS = {"vf": (1, 3), "ee": (2, 2), "pe": (1, 2), "pp": (1, 1), "ef": (2, 3)}  # Corners of the two primitives.
AXES = sorted((n for n in product((1, 0, -1), repeat=3) if n > (0, 0, 0)), key=lambda n: sum(map(abs, n)))
LEAF = 4  # Primitives in a leaf of a tree.


class Refused(Exception):
    """The certificate does not hold."""


class Malformed(Refused):
    """The file is no certificate."""


def require(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def double(word: str) -> tuple[int, int]:
    """The double with these bits, 16 hexadecimal digits, as (m, e) with the value m 2^e."""
    if len(word) != 16 or set(word) - set("0123456789abcdef"):
        raise Malformed(f"{word[:20]!r} is no double: 16 hexadecimal digits")
    bits = int(word, 16)
    exponent, m = bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    if exponent == 0x7FF:
        raise Malformed(f"{word} is not finite")
    m, e = (m | 1 << 52, exponent - 1075) if exponent else (m, -1074)
    shift = (m & -m).bit_length() - 1 if m else 0
    return (-m if bits >> 63 else m) >> shift, e + shift if m else 0


def integer(word: str, least: int | None = None) -> int:
    """An integer in decimal, not less than `least`."""
    if not word.isascii() or not word.removeprefix("-").isdecimal() or len(word) > 4000:
        raise Malformed(f"{word[:20]!r} is no integer")
    if least is not None and int(word) < least:
        raise Malformed(f"{word[:20]} is less than {least}")
    return int(word)


def sub(f: Poly, g: Poly) -> Poly:
    return [x - y for x, y in zip(f, g, strict=True)]


def mul(f: Poly, g: Poly) -> Poly:
    out = [0] * (len(f) + len(g) - 1)
    for i, x in enumerate(f):
        for j, y in enumerate(g):
            out[i + j] += x * y
    return out


def dot(u: Vector, v: Vector) -> Poly:
    """The product of two vectors, each three polynomials."""
    return [sum(c) for c in zip(*map(mul, u, v), strict=True)]


def cross(u: Vector, v: Vector) -> Vector:
    return [sub(mul(u[i - 2], v[i - 1]), mul(u[i - 1], v[i - 2])) for i in range(3)]


def minus(u: Vector, v: Vector) -> Vector:
    return [sub(x, y) for x, y in zip(u, v, strict=True)]


def divides(g: Poly, f: Poly) -> bool:
    """Whether f is a multiple of g, with a quotient of integers."""
    while len(f) >= len(g) and g[0] and f[0] % g[0] == 0:
        f = [x - f[0] // g[0] * (g[i] if i < len(g) else 0) for i, x in enumerate(f)][1:]
    return not any(f)


def positive(f: Poly, closed: bool) -> bool:
    """Whether all values of f before the end of the piece are positive, and with closed that at the end too."""
    return min(f) >= 0 and f[0] > 0 and (f[-1] > 0 or not closed)


# ---- motion ----------------------------------------------------------------------------------------------------------


class Motion:
    """Vertices that move, in integers: x in units of 2^-S, times in 2^-K, positions at a time and the separation in both."""

    def __init__(self, x: Sequence[Sequence[int]], clock: int, d: int):
        self.x, self.one, self.d = x, 1 << clock, d

    def position(self, v: int, t: int) -> list[int]:
        x = self.x[v]
        return [x[i] * (self.one - t) + x[i + 3] * t for i in range(3)]

    def along_axes(self, t: int) -> Table:
        """For each vertex its places along all axes; the first three are its coordinates."""
        return [[a * x + b * y + c * z for a, b, c in AXES] for x, y, z in (self.position(v, t) for v in range(len(self.x)))]

    def moving(self, corners: Corners, s0: int, s1: int) -> list[Vector]:
        """Positions on a piece of time: for each corner three polynomials of degree 1."""
        return [[list(x) for x in zip(self.position(v, s0), self.position(v, s1))] for v in corners]

    def separates(self, pair: Pair, s0: int, s1: int, name: str, numbers: list[int], closed: bool) -> bool:
        """Whether a direction keeps a pair more than the separation (of "ef" 0) apart on a piece, with closed at its end."""
        kind, a, b = pair[0], self.moving(pair[1], s0, s1), self.moving(pair[2], s0, s1)
        n = direction(kind, a, b, name, numbers)
        for p in a:
            for q in b:
                f = dot(n, minus(q, p))
                if not positive(f, closed):
                    return False
                if self.d and kind != "ef":  # f^2 > d^2 n^2, both in the degree of f^2: (r + s)^2 is 1.
                    g = sub(mul(f, f), [self.d**2 * c for c in mul(dot(n, n), [1, 2, 1])])
                    if not positive(g, closed):
                        return False
        return True

    def touches(self, pair: Pair, proof: str, numbers: list[int]) -> bool:
        """Whether points of a pair, named by weights, are within the separation; or whether it passes through itself."""
        kind, one, other = pair
        if proof == "at" and len(numbers) == len(one) + len(other) + 1:
            t, w, v = numbers[0], numbers[1 : 1 + len(one)], numbers[1 + len(one) :]
            p = [sum(c * self.position(i, t)[k] for i, c in zip(one, w)) * sum(v) for k in range(3)]
            q = [sum(c * self.position(i, t)[k] for i, c in zip(other, v)) * sum(w) for k in range(3)]
            far = sum((x - y) ** 2 for x, y in zip(p, q)) > (self.d * sum(w) * sum(v)) ** 2
            return min(w) >= 0 and min(v) >= 0 and sum(w) > 0 and sum(v) > 0 and not far
        if proof == "change" and len(numbers) > 1 and kind in ("vf", "ee") and self.d == 0:
            a, b = self.moving(one, *numbers[:2]), self.moving(other, *numbers[:2])
            f, area, within = (face_meets if kind == "vf" else edges_meet)(a, b)
            g = numbers[2:] or f  # A factor of f, which may be one of what vanishes at a border too.
            changes = g[0] * g[-1] <= 0 and (g == f or divides(g, f)) and positive(area, True)
            return changes and all(min(w) >= 0 or divides(g, w) for w in within)
        return False


def direction(kind: str, a: Sequence[Vector], b: Sequence[Vector], name: str, numbers: list[int]) -> Vector:
    """The direction of a piece from a to b, three polynomials: given by integers, or named."""
    size = len(numbers)
    if name == "fixed" and size == 3:
        return [[c] for c in numbers]
    if (name, size) in (("between", 2), ("across", 3)) and min(numbers) >= 0 and numbers[0] < len(a) and numbers[1] < len(b):
        w, corners = minus(b[numbers[1]], a[numbers[0]]), [*a, *b]
        if name == "across" and numbers[2] < len(corners):  # Square to the edge from one of the two corners to a third.
            e = minus(corners[numbers[2]], a[numbers[0]] if numbers[2] < len(a) else b[numbers[1]])
            return minus([mul(dot(e, e), x) for x in w], [mul(dot(e, w), x) for x in e])
        return w
    if name in ("normal", "side") and kind in ("vf", "ee") and size == (1 if name == "normal" else 2):
        u, v = (minus(a[1], a[0]), minus(b[1], b[0])) if kind == "ee" else (minus(b[1], b[0]), minus(b[2], b[0]))
        n, sides = cross(u, v), (u, v) if kind == "ee" else (u, v, minus(v, u))
        if name == "side" and 0 <= numbers[1] < len(sides):  # In the plane of the face or the edges, across one edge.
            n = cross(n, sides[numbers[1]])
        return [[numbers[0] * c for c in f] for f in n]
    raise Malformed(f"{name[:20]!r} with {size} numbers is no direction of {kind}")


def face_meets(a: Sequence[Vector], b: Sequence[Vector]) -> tuple[Poly, Poly, list[Poly]]:
    """On which side of the face the vertex is; n^2; weights times n^2 where it is in the plane."""
    p, (x, y, z) = a[0], b
    n = cross(minus(y, x), minus(z, x))
    within = [dot(cross(minus(v, u), minus(p, u)), n) for u, v in ((x, y), (y, z), (z, x))]
    return dot(n, minus(p, x)), dot(n, n), within


def edges_meet(a: Sequence[Vector], b: Sequence[Vector]) -> tuple[Poly, Poly, list[Poly]]:
    """The same of two edges: parameters times n^2 where they are in a plane, and n^2 less these."""
    u, v, w = minus(a[1], a[0]), minus(b[1], b[0]), minus(b[0], a[0])
    n = cross(u, v)
    area, within = dot(n, n), []
    for e in (v, u):
        f = dot(cross(w, e), n)
        within += [f, sub(area, f)]
    return dot(n, w), area, within


# ---- the certificate -------------------------------------------------------------------------------------------------


class Certificate:
    """What a file says; all numbers are integers."""

    def __init__(self, lines: Iterator[str]):
        self.lines = lines
        if self.words() != ["ccd-certificate", "2"]:
            raise Malformed("the first line is not 'ccd-certificate 2'")
        self.digest = hashlib.sha256()
        coordinates = [[double(w) for w in row] for row in self.table("vertices", 6, str)]
        self.vertices = len(coordinates)
        self.faces, self.rods, self.ignored = (
            self.table(name, n, int) for name, n in (("faces", 3), ("rods", 2), ("ignored", 1))
        )
        self.sets = self.table("sets", 0, int)
        self.within: list[set[int]] = [set() for _ in range(self.vertices)]  # For each vertex the sets that it is of.
        for i, v in ((i, v) for i, row in enumerate(self.sets) for v in row):
            self.within[v].add(i)
        self.excluded = dict(self.pair(words) for words in self.table("excluded", 0, str))
        require(self.field("digest") == self.digest.hexdigest(), "the digest is not that of the mesh")
        m, e = double(self.field("separation"))
        self.clock = integer(self.field("clock"), 0)
        require(self.clock <= 10000, "the clock is above 10000")
        self.claim, self.start, self.until = self.field("claim"), self.field("start"), self.time(self.field("until"))
        self.scale = max([0, -e] + [-e for row in coordinates for _, e in row])
        x = [[m << e + self.scale for m, e in row] for row in coordinates]
        self.motion = Motion(x, self.clock, m << e + self.scale + self.clock)
        self.primitives()
        self.contacts = self.distinct(self.contact, "contacts")
        self.witnesses = self.distinct(self.witness, "witnesses")
        if self.words() != ["end"] or next(self.lines, None) is not None:
            raise Malformed("the file does not end with 'end'")
        self.check_statement()

    def words(self) -> list[str]:
        line = next(self.lines, None)
        if line is None:
            raise Malformed("the file ends early")
        return line.split()

    def field(self, name: str) -> str:
        words = self.words()
        if len(words) != 2 or words[0] != name:
            raise Malformed(f"{' '.join(words)[:40]!r} is not '{name}' and its value")
        return words[1]

    def distinct(self, read: Callable[[], tuple[Pair, Any]], name: str) -> dict[Pair, Any]:
        """What is known of pairs, each named once."""
        rows = [read() for _ in range(integer(self.field(name), 0))]
        found = dict(rows)
        require(len(found) == len(rows), f"a pair is twice among the {name}")
        return found

    def table(self, name: str, width: int, of: type) -> list[Any]:
        """Rows of words or of vertices, which the digest covers; of any width if that is 0."""
        rows, n = [], integer(self.field(name), 0)
        self.digest.update(f"{name} {n}\n".encode())
        for _ in range(n):
            words = self.words()
            if width and len(words) != width:
                raise Malformed(f"a row of {name} has {len(words)} words, not {width}")
            self.digest.update((" ".join(words) + "\n").encode())
            rows.append(words if of is str else self.corners(words))
        return rows

    def corners(self, words: list[str]) -> Corners:
        """Different vertices of the mesh."""
        found = tuple(integer(w, 0) for w in words)
        if not found or max(found) >= self.vertices or len(set(found)) < len(found):
            raise Malformed(f"{found} has no vertex, or one twice, or one that is not there")
        return found

    def time(self, word: str) -> int:
        value = integer(word, 0)
        require(value <= 1 << self.clock, "a time is after 1")
        return value

    def pair(self, line: list[str]) -> tuple[Pair, list[str]]:
        """KIND VERTICES, those of the one before those of the other; and the other words of the line."""
        kind, *words = line or [""]
        if kind not in KINDS or len(words) < sum(KINDS[kind]):
            raise Malformed(f"{kind[:20]!r} is no kind, or its pair lacks vertices")
        n, m = KINDS[kind]
        vertices = self.corners(words[: n + m])
        return (kind, vertices[:n], vertices[n:]), words[n + m :]

    def contact(self) -> tuple[Pair, tuple[int, int, str, list[int]]]:
        """PAIR LO HI PROOF."""
        pair, words = self.pair(self.words())
        require(len(words) >= 3, "a contact is a pair, two times, and a proof")
        return pair, (self.time(words[0]), self.time(words[1]), words[2], [integer(w) for w in words[3:]])

    def witness(self) -> tuple[Pair, list[tuple[int, str, list[int]]]]:
        """PAIR N, and N lines: END DIRECTION."""
        pair, words = self.pair(self.words())
        pieces = []
        for _ in range(integer(words[0], 0) if len(words) == 1 else 0):
            end, name, *numbers = [*self.words(), "", ""]
            pieces.append((self.time(end), name, [integer(w) for w in numbers[:-2]]))
        return pair, pieces

    def primitives(self) -> None:
        """Edges of faces and rods, sorted; at each vertex its edges; vertices that are tested, and those without an edge."""
        of_faces = {tuple(sorted(e)) for f in self.faces for e in combinations(f, 2)}
        rods = {tuple(sorted(e)) for e in self.rods} - of_faces
        self.edges, self.rods = sorted(of_faces | rods), sorted(rods)
        self.at: list[list[Corners]] = [[] for _ in range(self.vertices)]
        for e in self.edges:
            for v in e:
                self.at[v].append(e)
        ignored = {v for (v,) in self.ignored}
        require(not any(self.at[v] for v in ignored), "a vertex of an edge is ignored")
        self.points: list[Corners] = [(v,) for v in range(self.vertices) if v not in ignored]
        self.alone = [p for p in self.points if not self.at[p[0]]]

    def families(self) -> Iterator[tuple[str, list[Corners], list[Corners], int]]:
        """Kind, first and second primitives, the end of its time: all pairs without a common vertex are to be apart."""
        yield "vf", self.points, self.faces, self.until
        yield "ee", self.edges, self.edges, self.until
        yield "pe", self.points, self.rods, self.until
        yield "pp", self.alone, self.alone, self.until
        if self.start == "1":
            yield "ef", self.edges, self.faces, 0

    def left_out(self, pair: Pair) -> bool:
        """Whether the file leaves a pair out: it is named, or all of its vertices are of one set."""
        return pair in self.excluded or bool(set.intersection(*(self.within[v] for v in pair[1] + pair[2])))

    def check_statement(self) -> None:
        """Check that the fields of the claim agree."""
        require(self.claim in ("separate", "earliest", "collisions"), f"{self.claim[:20]!r} is no claim")
        require(self.start in ("0", "1"), "start is neither 0 nor 1")
        require(self.motion.d >= 0, "the separation is negative")
        require(not any(self.excluded.values()), "an excluded pair has more words than its vertices")
        require(self.claim != "separate" or not self.contacts, "a separate step has no contacts")
        require(self.claim != "earliest" or len(self.contacts) == 1, "an earliest contact is one")
        known = {kind: (set(first), set(second)) for kind, first, second, _ in self.families() if kind != "ef"}
        for (kind, a, b), (lo, hi, proof, numbers) in self.contacts.items():
            pair = f"{kind} {a} {b}"
            require(kind in known and a in known[kind][0] and b in known[kind][1], f"{pair} is no pair of the mesh")
            require(a < b or kind not in ("ee", "pp"), f"{pair} is in the wrong order")
            require(lo <= hi and lo <= self.until, f"{pair}: the bracket is wrong")
            require(self.claim != "earliest" or lo == self.until, f"{pair}: its time is not that of the claim")
            times = numbers[: {"at": 1, "change": 2}.get(proof, 0)]
            require(all(lo <= t <= hi for t in times), f"{pair}: the proof is of another time")

    def check_pieces(self, pair: Pair, end: int, closed: bool) -> None:
        """Check that a pair keeps more than the separation before `end`, and with closed at it."""
        require(pair in self.witnesses, f"there is no witness of {pair}")
        pieces, s0 = self.witnesses[pair], 0
        for i, (s1, name, numbers) in enumerate(pieces):
            last = i == len(pieces) - 1
            require(s0 < s1 or end == 0, f"{pair}: piece {i} has no length")
            holds = self.motion.separates(pair, s0, s1, name, numbers, last and closed)
            require(holds, f"{pair}: the direction of piece {i} does not separate it")
            s0 = s1
        require(s0 == end and pieces, f"{pair}: the pieces end elsewhere")

    def check(self) -> dict[str, int]:
        """Check everything; raises Refused. Returns how many pairs of the trees' leaves axes and witnesses separate."""
        for pair, (lo, _, proof, numbers) in self.contacts.items():
            require((proof == "unproven" and not numbers) or self.motion.touches(pair, proof, numbers), f"{pair}: no contact")
            if lo > 0:
                self.check_pieces(pair, lo, False)
        counts, motion = {"axes": 0, "witnesses": 0}, self.motion
        for kind, first, second, end in self.families():
            d = 0 if kind == "ef" else motion.d  # An edge is not to pass through a face; it may be within the separation.
            gaps = [isqrt(d**2 * sum(c * c for c in axis)) + 1 for axis in AXES]  # More than the separation.
            closed = self.claim != "earliest" or kind == "ef"
            if end == 0 and not closed:
                continue  # There is no time before 0.
            moments = [motion.along_axes(0), motion.along_axes(end)]
            for a, b in near(first, second, moments, d):
                if kind == "pe" and not all(set(e) & set(b) for e in self.at[a[0]]):
                    continue  # An edge at the point is tested against the rod.
                if (kind, a, b) in self.contacts or self.left_out((kind, a, b)):
                    continue
                by = "axes" if separable(a, b, moments, gaps) else "witnesses"
                counts[by] += 1
                if by == "witnesses":
                    self.check_pieces((kind, a, b), end, closed)
        return counts

    def in_decimal(self, time: int) -> str:
        """A time, rounded down, and exactly."""
        top, digits = divmod(time * 10**18, 10**18 << self.clock)
        return f"{top}.{(digits >> self.clock):018} ({time}/2^{self.clock})"

    def statement(self) -> Iterator[str]:
        """What was proven, in words."""
        apart = f"come within {self.motion.d}/2^{self.scale + self.clock} of each other" if self.motion.d else "touch"
        unproven = sum(proof == "unproven" for _, _, proof, _ in self.contacts.values())
        but = f", but {len(self.contacts)} pairs, each before its own time" if self.claim == "collisions" else ""
        when = f"{'before' if self.claim == 'earliest' else 'up to'} t = {self.in_decimal(self.until)}"
        left_out = f" (ignored vertices: {len(self.ignored)})" if self.ignored else ""
        if filters := bool(self.sets or self.excluded):
            left_out += f" (left out: pairs within {len(self.sets)} sets of vertices, {len(self.excluded)} named pairs)"
        yield f"no two primitives without a common vertex{left_out} {apart} {when}{but}"
        if self.claim == "earliest":
            (((kind, a, b), (lo, hi, _, _)),) = self.contacts.items()
            between = f"from {self.in_decimal(lo)} to {self.in_decimal(hi)}"
            yield f"{kind} {a} {b} {'may ' if unproven else ''}touch at a time {between}"
        elif self.contacts:
            yield f"{len(self.contacts) - unproven} of these touch within their brackets; of {unproven} it is not proven"
        if self.start == "1":
            later = ", but for pairs that are left out" if filters else ", nor at any time before a pair touches"
            yield f"no edge passes through a face at t = 0{later}"


# ---- trees -----------------------------------------------------------------------------------------------------------


class Node:
    """Some primitives, and their box at both ends of time: low and high for each axis and end."""

    def __init__(self, items: list[Corners], moments: Sequence[Table]):
        self.box, self.items = [0] * 12, items
        self.parts: tuple[Node, ...] = ()
        for m, x in enumerate(moments):
            for k in range(3):
                values = [x[v][k] for item in items for v in item]
                self.box[4 * k + 2 * m], self.box[4 * k + 2 * m + 1] = min(values), max(values)
        sizes = [max(self.box[i + 1] - self.box[i], self.box[i + 3] - self.box[i + 2]) for i in (0, 4, 8)]
        self.size = max(sizes)
        if len(items) > LEAF:
            k, (x, y) = sizes.index(self.size), moments
            items = sorted(items, key=lambda item: sum(x[v][k] + y[v][k] for v in item))
            half = len(items) // 2
            self.items, self.parts = [], (Node(items[:half], moments), Node(items[half:], moments))


def near(first: list[Corners], second: list[Corners], moments: Sequence[Table], d: int) -> Iterator[tuple[Corners, Corners]]:
    """All pairs without a common vertex, but some that an axis separates; of one list each pair once, in its order."""
    if not first or not second:
        return
    one = Node(first, moments)
    stack = [(one, one if first is second else Node(second, moments))]
    while stack:
        a, b = stack.pop()
        order = (a.box, b.box), (b.box, a.box)
        if a is not b and any(x[k + 1] + d < y[k] and x[k + 3] + d < y[k + 2] for k in (0, 4, 8) for x, y in order):
            continue
        if a.parts and a is b:
            stack += [(a.parts[0], a.parts[0]), (a.parts[1], a.parts[1]), (a.parts[0], a.parts[1])]
        elif a.parts and (not b.parts or a.size >= b.size):
            stack += [(part, b) for part in a.parts]
        elif b.parts:
            stack += [(a, part) for part in b.parts]
        else:
            for x, y in combinations(a.items, 2) if a is b else ((x, y) for x in a.items for y in b.items):
                if not set(x) & set(y):
                    yield (y, x) if first is second and y < x else (x, y)


def separable(a: Corners, b: Corners, moments: Sequence[Table], gaps: list[int]) -> bool:
    """Whether an axis separates two primitives at both ends of time, and so at all times between."""
    (a0, a1), (b0, b1) = ([[x[v] for v in item] for x in moments] for item in (a, b))
    for k, gap in enumerate(gaps):
        above = min(x[k] for x in b0) - max(x[k] for x in a0) >= gap
        if above or min(x[k] for x in a0) - max(x[k] for x in b0) >= gap:
            low, high = (a1, b1) if above else (b1, a1)
            if min(x[k] for x in high) - max(x[k] for x in low) >= gap:
                return True
    return False


def main(arguments: list[str]) -> int:
    """Check a file and print what it proves."""
    if len(arguments) != 1:
        print("usage: checker.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="ascii") as file:
            certificate = Certificate(iter(file))
        counts = certificate.check()
    except (OSError, UnicodeDecodeError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    except Refused as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    print("\n".join(["holds", *certificate.statement()]))
    mesh = f"{certificate.vertices} vertices, {len(certificate.faces)} faces, {len(certificate.edges)} edges"
    print(f"mesh {certificate.digest.hexdigest()}: {mesh}; pairs: {counts['axes']} by axes, {counts['witnesses']} by witnesses")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
