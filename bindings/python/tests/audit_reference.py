"""The audit of one step by definition, in rational numbers: slow, for small meshes in general position.

Coordinates are integers, so polynomials have integer coefficients, and only their roots are enclosed by fractions.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd as common_divisor


class Degenerate(Exception):
    """A case that the reference does not decide: a triangle without area, parallel edges, contact in a frame."""


# ---- polynomials: lists of coefficients, that of the highest power last


def trim(p):
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def add(p, q, sign=1):
    n = max(len(p), len(q))
    return trim([(p[i] if i < len(p) else 0) + sign * (q[i] if i < len(q) else 0) for i in range(n)])


def mul(p, q):
    out = [0] * max(0, len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] += a * b
    return trim(out)


def at(p, t):
    """A number with the sign of p(t): p(t) times a power of the denominator."""
    t, value, scale = Fraction(t), 0, 1
    for c in reversed(p):
        value, scale = value * t.numerator + c * scale, scale * t.denominator
    return value


def rest(p, q):
    """The remainder of p by q, times a positive number."""
    p = list(p)
    while len(p) >= len(q):
        p = [c * q[-1] ** 2 for c in p]
        p = add(p, mul([0] * (len(p) - len(q)) + [p[-1] // q[-1]], q), -1)
    divisor = common_divisor(*p) or 1
    return [c // divisor for c in p]


def gcd(p, q):
    while q:
        p, q = q, rest(p, q)
    return p


def derivative(p):
    return trim([k * c for k, c in enumerate(p)][1:])


def sturm(p):
    chain = [p, derivative(p)]
    while chain[-1]:
        chain.append([-c for c in rest(chain[-2], chain[-1])])
    return chain[:-1]


def roots_in(chain, lo, hi):
    """Number of different roots in (lo, hi]."""

    def variations(t):
        signs = [v > 0 for p in chain if (v := at(p, t)) != 0]
        return sum(a != b for a, b in pairwise(signs))

    return variations(lo) - variations(hi)


def isolate(p):
    """Intervals (lo, hi], each with one root of p in [0, 1]; a root at 0 is (0, 0)."""
    if not p:
        raise Degenerate("flat")
    if len(p) == 1:
        return []
    a, b, c, d = (*p, 0, 0, 0)[:4]
    bernstein = (3 * a, 3 * a + b, 3 * a + 2 * b + c, 3 * (a + b + c + d))
    if len(p) <= 4 and (min(bernstein) > 0 or max(bernstein) < 0):
        return []
    chain, found = sturm(p), []
    if at(p, 0) == 0:
        found.append((Fraction(0), Fraction(0)))
    todo = [(Fraction(0), Fraction(1))]
    while todo:
        lo, hi = todo.pop()
        n = roots_in(chain, lo, hi)
        if n > 1 or (n == 1 and hi - lo > Fraction(1, 64)):
            mid = (lo + hi) / 2
            todo += [(lo, mid), (mid, hi)]
        elif n == 1:
            found.append((lo, hi))
    return sorted(found)


def sign_at(q, p, root):
    """The sign of q at the root of p in an interval."""
    lo, hi = root
    common = gcd(p, q)
    if not q:
        return 0
    if len(common) > 1 and (at(common, hi) == 0 if lo == hi else roots_in(sturm(common), lo, hi)):
        return 0
    chain, own = sturm(q) if len(q) > 1 else [q], sturm(p)
    while lo != hi and (roots_in(chain, lo, hi) or at(q, hi) == 0):
        mid = (lo + hi) / 2
        if at(p, mid) == 0:
            lo = hi = mid
        elif roots_in(own, lo, mid):
            hi = mid
        else:
            lo = mid
    value = at(q, hi)
    return (value > 0) - (value < 0)


def sub(a, b):
    return [add(p, q, -1) for p, q in zip(a, b)]


def cross(a, b):
    return [add(mul(a[i], b[j]), mul(a[j], b[i]), -1) for i, j in ((1, 2), (2, 0), (0, 1))]


def dot(a, b):
    out = []
    for p, q in zip(a, b):
        out = add(out, mul(p, q))
    return out


# ---- contacts


def apart(volume):
    """The roots of a polynomial in [0, 1] as intervals (lo, hi] with room between them, and its signs between them."""
    roots, chain = isolate(volume), sturm(volume)
    while any(a[1] >= b[0] for a, b in pairwise(roots)):
        roots = [halved(chain, *root) for root in roots]
    points = [Fraction(0), *((a[1] + b[0]) / 2 for a, b in pairwise(roots)), Fraction(1)]
    return roots, [(value > 0) - (value < 0) for value in (at(volume, t) for t in points)]


def halved(chain, lo, hi):
    mid = (lo + hi) / 2
    if lo == hi or at(chain[0], hi) == 0:
        return hi, hi
    return (lo, mid) if roots_in(chain, lo, mid) else (mid, hi)


def contacts(volume, inside):
    """The contacts of a pair: the root, and the side before and after."""
    if not volume:
        raise Degenerate("within a plane")
    roots, signs = apart(volume)
    found = [(root, signs[k], signs[k + 1]) for k, root in enumerate(roots) if inside(root)]
    if any(not before or not after for _, before, after in found):
        raise Degenerate("contact in a frame")
    return found


def events(faces, rods, x0, x1):
    """The events of a step: a sorted list of (verdict, contacts, crossings before, crossings after)."""
    path = [[trim([int(a), int(b) - int(a)]) for a, b in zip(p, q)] for p, q in zip(x0, x1)]
    edges = sorted({tuple(sorted(e)) for f in faces for e in combinations(f, 2)} | {tuple(sorted(e)) for e in rods})
    nodes = {}  # contact or crossing: the crossings that it belongs to
    state = {}
    used = {v for primitive in (*faces, *rods) for v in primitive}
    for v, f in product(sorted(used), range(len(faces))):
        if v in faces[f]:
            continue
        a, b, c = (path[k] for k in faces[f])
        normal = cross(sub(b, a), sub(c, a))
        volume = dot(sub(path[v], a), normal)

        def inside(root, v=v, volume=volume, normal=normal, corners=(a, b, c)):
            if not sign_at(dot(normal, normal), volume, root):
                raise Degenerate("a triangle without area")
            for p, q in zip(corners, (*corners[1:], corners[0])):
                if sign_at(dot(normal, cross(sub(q, p), sub(path[v], p))), volume, root) < 0:
                    return False
            return True

        if found := contacts(volume, inside):
            state["vf", v, f] = found
            nodes["vf", v, f] = {(e, f) for e in edges if v in e} or {("alone", v, f)}
    for a, b in combinations(edges, 2):
        if set(a) & set(b):
            continue
        (a0, a1), (b0, b1) = ([path[k] for k in e] for e in (a, b))
        da, db, between = sub(a1, a0), sub(b1, b0), sub(b0, a0)
        normal = cross(da, db)
        volume = dot(between, normal)

        def inside(root, volume=volume, normal=normal, da=da, db=db, between=between):
            square = dot(normal, normal)
            if not sign_at(square, volume, root):
                raise Degenerate("parallel edges")
            for other in (db, da):
                s = dot(cross(between, other), normal)
                if sign_at(s, volume, root) < 0 or sign_at(add(square, s, -1), volume, root) < 0:
                    return False
            return True

        if found := contacts(volume, inside):
            state["ee", a, b] = found
            held = {(a, f) for f in range(len(faces)) if set(b) <= set(faces[f])}
            held |= {(b, f) for f in range(len(faces)) if set(a) <= set(faces[f])}
            nodes["ee", a, b] = held or {("alone", a, b)}
    for when, x in ((0, x0), (1, x1)):
        for e, f in product(edges, range(len(faces))):
            if not set(e) & set(faces[f]) and passes(*(x[k] for k in e), *(x[k] for k in faces[f])):
                nodes["ef", when, e, f] = {(e, f)}
    groups = []
    for name, held in nodes.items():
        joined = [g for g in groups if g[1] & held]
        groups = [g for g in groups if not g[1] & held]
        groups.append(([name, *(m for g in joined for m in g[0])], set.union(held, *(g[1] for g in joined))))
    found = [judged(members, state) for members, _ in groups]
    standing = sum(one == ("crossing", 0, 1, 1) for one in found)  # without a contact: reported as one for two objects
    return sorted(one for one in found if one != ("crossing", 0, 1, 1)), standing


def judged(members, state):
    before, after = (sum(m[:2] == ("ef", when) for m in members) for when in (0, 1))
    changes = [[after - before for _, before, after in state[m]] for m in members if m[0] != "ef"]
    if before or after:
        verdict = "crossing" if before and after else "entered" if after else "left"
    elif any(map(sum, changes)):
        verdict = "passed through"
    else:
        verdict = "returned" if any(map(any, changes)) else "touched"
    return verdict, len(changes), before, after


def passes(p, q, a, b, c):
    """Whether the segment from p to q crosses a triangle, with its ends strictly on both sides."""

    def volume(*points):
        o, u, v, w = ([int(x) for x in point] for point in points)
        u, v, w = ([k - j for k, j in zip(y, o)] for y in (u, v, w))
        value = sum(u[i] * (v[j] * w[k] - v[k] * w[j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
        return (value > 0) - (value < 0)

    one, other = volume(a, b, c, p), volume(a, b, c, q)
    if one * other >= 0:
        if one == 0 or other == 0:
            raise Degenerate("an end in the plane")
        return False
    around = [volume(p, q, *pair) for pair in ((a, b), (b, c), (c, a))]
    return not (1 in around and -1 in around)
