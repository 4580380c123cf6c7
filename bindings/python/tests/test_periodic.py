"""ccd.periodic beside a mesh that is repeated in all cells around, whose pairs are found by brute force."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import ccd
from ccd.periodic import Identified, identify

COLUMNS = {1: (0, 2), 2: (1, 1), 3: (0, 1), 4: (0, 0), 5: (1, 2)}
CELLS = [
    ([[1, 0, 0]], "one vector"),
    ([[1, 0, 0], [0, 0, 2]], "two vectors"),
    ([[1, 0, 0], [0.25, 1, 0], [0, -0.5, 1]], "a sheared cell"),
]


def dyadic(rng, shape, low, high):
    """Random multiples of 2**-20: sums with vectors of the cells are exact."""
    return np.round(rng.uniform(low, high, shape) * 2**20) / 2**20


def soup(rng, triangles, wires, particles):
    """Small triangles and wires, and particles, all over the cell, and how they move."""
    sizes = [3] * triangles + [2] * wires + [1] * particles
    centers, n = dyadic(rng, (len(sizes), 3), -0.5, 0.5), sum(sizes)
    of = np.repeat(np.arange(len(sizes)), sizes)
    x0 = centers[of] + dyadic(rng, (n, 3), -0.3, 0.3)
    x1 = x0 + dyadic(rng, (len(sizes), 3), -0.5, 0.5)[of] + dyadic(rng, (n, 3), -0.1, 0.1)
    at = np.concatenate([[0], np.cumsum(sizes)])
    faces = [list(range(at[k], at[k] + 3)) for k in range(triangles)]
    edges = [[at[k], at[k] + 1] for k in range(triangles, triangles + wires)]
    edges += [[f[i], f[j]] for f in faces for i, j in ((0, 1), (1, 2), (0, 2))]
    mesh = ccd.Mesh(faces=np.array(faces).reshape(-1, 3), edges=np.array(edges).reshape(-1, 2), vertices=n)
    return mesh, x0, x1


class Repeated:
    """The mesh of all cells around one, without a clever thing: what primitives are, by a name that holds for all cells."""

    def __init__(self, mesh, cell, most=2, weld=None):
        self.shifts = [np.array(n) for n in itertools.product(range(-most, most + 1), repeat=len(cell))]
        self.cell, n = np.array(cell, float), mesh.counts[0]
        names = [(v, tuple(s)) for s in self.shifts for v in range(n)]
        if weld:
            names = [weld(v, s) for v, s in names]
        number = {}
        at = np.array([number.setdefault(name, len(number)) for name in names]).reshape(-1, n)
        self.first = np.zeros(len(number), int)
        self.first[at.ravel()[::-1]] = np.arange(at.size)[::-1]
        rows = [np.unique(np.sort(at[:, part].reshape(-1, part.shape[1]), axis=1), axis=0) for part in (mesh.edges, mesh.faces)]
        self.mesh = ccd.Mesh(faces=rows[1], edges=rows[0], vertices=len(number))
        vertices = [frozenset([name]) for name in sorted(number, key=number.get)]
        self.parts = [vertices] + [
            [frozenset().union(*(vertices[v] for v in row)) for row in part] for part in (self.mesh.edges, self.mesh.faces)
        ]

    def place(self, x):
        return np.concatenate([x + s @ self.cell for s in self.shifts])[self.first]

    def pairs(self, rows, value):
        """What pairs have, by the pair moved so that its least vertex is in the cell of the origin."""
        found = {}
        for row in rows:
            name = canonical(*(self.parts[c][row[side]] for side, c in zip("ab", COLUMNS[row["kind"]])))
            found.setdefault(name, value(row))
        return found


def canonical(a, b):
    least = np.array(min(a | b)[1])
    moved = [frozenset((v, tuple((np.array(s) - least).tolist())) for v, s in part) for part in (a, b)]
    return frozenset(moved) if moved[0] != moved[1] else None


def named(mesh, rows, shifts, value, weld=lambda v, s: (v, s)):
    """The same of results with shifts."""
    parts = [np.arange(mesh.counts[0])[:, None], mesh.edges, mesh.faces]
    found = {}
    for row, shift in zip(rows, shifts):
        a, b = (parts[c][row[side]].tolist() for side, c in zip("ab", COLUMNS[row["kind"]]))
        zero = (0,) * len(shift)
        one = canonical(frozenset(weld(v, zero) for v in a), frozenset(weld(v, tuple(shift.tolist())) for v in b))
        assert found.setdefault(one, value(row)) == value(row)
    return found


def times(row):
    return row["toi_lo"].item(), row["toi_hi"].item(), row["verdict"].item()


@pytest.mark.parametrize("cell, _", CELLS, ids=[name for _, name in CELLS])
@pytest.mark.parametrize("d", [0.0, 0.01])
def test_impacts_are_those_of_the_repeated_mesh(cell, _, d):
    rng, with_images = np.random.default_rng(len(cell)), 0
    for _ in range(4):
        mesh, x0, x1 = soup(rng, 6, 5, 5)
        around = Repeated(mesh, cell)
        y0, y1 = around.place(x0), around.place(x1)
        options = {"min_separation": d, "check_start": True}
        right = around.pairs(ccd.step.collisions(around.mesh, y0, y1, **options), times)
        found = ccd.periodic.Mesh(mesh, cell).collisions(x0, x1, **options)
        ours = named(mesh, found.impacts, found.shifts, times)
        # Cells at the rim have fewer neighbors, but each pair is whole in some cell.
        assert ours == {pair: right[pair] for pair in right} and found.slack == 0
        with_images += int(found.shifts.any(axis=1).sum())
        assert (np.diff(found.impacts["toi_lo"]) >= 0).all()
        first = ccd.periodic.Mesh(mesh, cell).earliest(x0, x1, **options)
        assert first.impact.toi_lo == (found.impacts["toi_lo"][0] if len(found.impacts) else np.inf)
    assert with_images > 4


@pytest.mark.parametrize("cell, _", CELLS, ids=[name for _, name in CELLS])
def test_near_pairs_are_those_of_the_repeated_mesh(cell, _):
    rng, with_images = np.random.default_rng(7), 0
    for _ in range(3):
        mesh, x, _ = soup(rng, 6, 4, 4)
        around = Repeated(mesh, cell)

        def distances(row):
            return row["distance_lo"].item(), row["distance_hi"].item()

        right = around.pairs(ccd.proximity.near(around.mesh, around.place(x), 0.25), distances)
        found = ccd.periodic.Mesh(mesh, cell).near(x, 0.25)
        ours = named(mesh, found.pairs, found.shifts, distances)
        assert ours.keys() == right.keys()
        for pair, (lo, hi) in ours.items():  # the order of two edges changes the last bits
            assert np.allclose((lo, hi), right[pair], rtol=2**-22, atol=0)
        gap = found.pairs["point_a"] - found.pairs["point_b"]
        assert np.allclose(np.linalg.norm(gap, axis=1), found.pairs["distance_hi"], rtol=1e-6)
        with_images += int(found.shifts.any(axis=1).sum())
    assert with_images > 4


@pytest.mark.parametrize("cell, _", CELLS, ids=[name for _, name in CELLS])
def test_constraints_are_those_of_the_repeated_mesh(cell, _):
    rng, with_images, d = np.random.default_rng(11), 0, 0.02

    def gaps(rows):
        return [{"gap": row["gap"].item()} | {n: row["impact"][n].item() for n in ("kind", "a", "b")} for row in rows]

    for _ in range(2):
        mesh, x0, x1 = soup(rng, 6, 4, 4)
        around = Repeated(mesh, cell)
        rows = ccd.step.activeset(around.mesh, around.place(x0), around.place(x1), min_separation=d)
        right = around.pairs(gaps(rows), lambda row: row["gap"])
        found = ccd.periodic.Mesh(mesh, cell).activeset(x0, x1, min_separation=d)
        c = found.constraints
        ours = named(mesh, gaps(c), found.shifts, lambda row: row["gap"])
        # A primitive and its own image stay as far from each other as they are, and are left out.
        missing = [pair for pair in right.keys() - ours.keys() if pair is not None]
        assert ours.keys() <= right.keys() and all(len({v for part in pair for v, _ in part}) < 4 for pair in missing)
        assert all(np.isclose(gap, right[pair], rtol=0, atol=1e-12) for pair, gap in ours.items())
        told = np.einsum("cv,cvk,ck->c", c["weights"], x1[c["vertices"]], c["impact"]["normal"]) - c["separation"]
        assert np.allclose(told, c["gap"], rtol=0, atol=1e-12) and (np.diff(c["impact"]["toi_lo"]) >= 0).all()
        own = ~found.shifts.any(axis=1)
        assert np.allclose(c["separation"][own], d, rtol=0, atol=1e-15)
        with_images += int((~own).sum())
    assert with_images > 4


def test_a_vertex_and_its_own_image_are_one_in_a_constraint():
    bar = np.array(
        [[0, 0, 0], [0.75, 0, 0.25], [0.75, 0.25, 0]]
    )  # longer than its cell is wide: vertex 1 meets an image of vertex 0
    mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=3), [[0.5, 0, 0]])
    c = mesh.activeset(bar, bar, min_separation=0.5).constraints
    assert len(c) and all(
        sorted(v for v, w in zip(row["vertices"], row["weights"]) if w) in ([0, 1], [0, 2], [1, 2]) for row in c
    )


def test_a_loop_keeps_grains_from_their_images():
    """The loop of the tutorial: two particles that are pushed through the faces of a box stay apart."""
    box, d = np.diag([1.0, 1, 1]), 0.25
    mesh, x = ccd.periodic.Mesh(ccd.Mesh(vertices=2), box), np.array([[0, 0, 0], [0.5, 0.0625, 0]])
    for _ in range(4):
        step = np.array([[-0.25, 0, 0], [0.25, 0, 0]])
        for _ in range(20):
            active = mesh.activeset(x, x + step, min_separation=d).constraints
            mass = ccd.step.effective_mass(active, np.ones(2))
            for c, m in zip(active, mass):
                at, w, n = c["vertices"], c["weights"], c["impact"]["normal"]
                closing = w @ ((x[at] + step[at]) @ n) - c["separation"]
                np.add.at(step, at, m * max(-closing, 0) * w[:, None] * n)
        alpha, x = mesh.advance(x, x + step, min_separation=d / 2)
        assert alpha > 0
    gap = x[0] - x[1]
    assert d / 2 < np.linalg.norm(gap - np.rint(gap)) and x[1, 0] - x[0, 0] > 0.6


def test_a_hit_is_false_only_if_all_is_separate():
    mesh, x0 = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]]), np.array([[0, 0, 0], [0.75, 0, 0]])
    miss, hit = mesh.earliest(x0, x0), mesh.earliest(x0, x0 + np.array([[0, 0, 0], [0.5, 0, 0]]))
    assert not miss and miss.separate and miss.toi_lo == np.inf and miss.verdict == ccd.Verdict.SEPARATE
    assert hit and not hit.separate and hit.toi_lo == 0.5 == hit.toi_hi and hit.verdict == ccd.Verdict.CONTACT


def test_rounded_images_miss_nothing():
    """A particle and the image of another on a line, with times in rational arithmetic."""
    rng, early = np.random.default_rng(3), []
    for _ in range(200):
        width = rng.uniform(0.1, 3)
        a, b = rng.uniform(0, width, 2)
        step = rng.uniform(0.5, 1.5) * width
        mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[width, 0, 0]])
        if a > b:
            a, b = b, a
        end = b + step
        right = (Fraction(width) + Fraction(a) - Fraction(b)) / (Fraction(end) - Fraction(b))
        hit = mesh.earliest([[a, 0, 0], [b, 0, 0]], [[a, 0, 0], [end, 0, 0]])
        if right > 1:
            continue
        assert Fraction(hit.impact.toi_lo) <= right and hit.impact.contact
        early.append(float(right) - hit.impact.toi_lo)
        assert early[-1] <= 8 * 2**-53 * (width + b) / step
    assert len(early) > 100


def strip(k):
    """A strip of 2 (k - 1) triangles over one cell of width 1 along x, cut at its borders."""
    x = np.array([[i / (k - 1), j / 4, 0] for i in range(k) for j in range(2)], float)
    faces = [f for i in range(k - 1) for f in ([2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3])]
    return ccd.Mesh(x, faces), x


def test_identified_borders_do_not_touch_their_images():
    mesh, x = strip(5)
    cut = ccd.periodic.Mesh(mesh, [[1, 0, 0]])
    whole = ccd.periodic.Mesh(mesh, [[1, 0, 0]], identify(x, [[1, 0, 0]], 1e-9))
    up = x + np.array([0, 0, 0.5])
    assert cut.earliest(x, up).impact.initial and whole.earliest(x, up).impact.separate
    folded = x.copy()  # all but the borders, which are one
    folded[2:8] += dyadic(np.random.default_rng(2), (6, 3), -0.75, 0.75)
    weld = lambda v, s: (v - 8, (s[0] + 1,)) if v >= 8 else (v, tuple(s))  # noqa: E731
    around = Repeated(mesh, [[1, 0, 0]], 3, weld)
    right = around.pairs(ccd.step.collisions(around.mesh, around.place(x), around.place(folded), brute_force=True), times)
    found = whole.collisions(x, folded)
    assert named(mesh, found.impacts, found.shifts, times, weld) == right and right and found.shifts.any()


def test_identified_corners_of_a_sheet_in_two_directions():
    k = 4
    x = np.array([[i / k, j / k, 0] for i in range(k + 1) for j in range(k + 1)], float)
    at = np.arange((k + 1) ** 2).reshape(k + 1, k + 1)
    faces = [f for i in range(k) for j in range(k) for f in (
        [at[i, j], at[i + 1, j], at[i, j + 1]], [at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]])]  # fmt: skip
    cell = [[1, 0, 0], [0, 1, 0]]
    same = identify(x, cell, 1e-9)
    assert len(same.pairs) == 2 * k + 1 and (same.pairs[:, 0] < same.pairs[:, 1]).all()
    mesh = ccd.Mesh(x, faces)
    sheet = ccd.periodic.Mesh(mesh, cell, same)
    assert sheet.earliest(x, x + np.array([3, 2, 1])).impact.separate
    assert sheet.near(x, 1e-3).pairs.size == 0
    assert ccd.periodic.Mesh(mesh, cell).earliest(x, x).impact.initial
    crumpled = x.copy()
    crumpled[at[1:k, 1:k].ravel()] += np.random.default_rng(0).uniform(-0.9, 0.9, (9, 3))
    weld = lambda v, s: (  # noqa: E731
        int(at[v // (k + 1) % k, v % (k + 1) % k]), (s[0] + v // (k + 1) // k, s[1] + v % (k + 1) // k))  # fmt: skip
    around = Repeated(mesh, cell, 2, weld)
    rows = ccd.step.collisions(around.mesh, around.place(x), around.place(crumpled))
    right = around.pairs(rows, lambda row: row["toi_lo"].item())
    found = sheet.collisions(x, crumpled)
    ours = named(mesh, found.impacts, found.shifts, lambda row: round(row["toi_lo"].item(), 12), weld)
    assert ours.keys() == right.keys() and found.shifts.any(axis=0).all()
    assert all(ours[pair] <= right[pair] + 1e-12 for pair in right)


def test_advance_proves_the_way_to_its_positions():
    rng = np.random.default_rng(5)
    for cell, _ in CELLS:
        mesh, x0, x1 = soup(rng, 5, 3, 3)
        periodic = ccd.periodic.Mesh(mesh, cell)
        if not periodic.earliest(x0, x0).impact.separate:
            continue
        for share in (1.0, 0.5):
            alpha, x = periodic.advance(x0, x1, share)
            first = periodic.earliest(x0, x1).impact.toi_lo
            assert 0 < alpha <= min(1, share * first) and (first > 1 or alpha > 0.99 * share * first)
            around = Repeated(mesh, cell)
            assert ccd.step.earliest(around.mesh, around.place(x0), around.place(x)).separate
    touching = np.array([[0, 0, 0], [1.0, 0, 0]])
    still = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]]).advance(touching, touching + np.array([[0, 0, 0], [1, 0, 0]]))
    assert still.alpha == 0 and np.array_equal(still.x, touching)


def test_radii_static_groups_and_ignored_vertices_hold_for_images():
    def mesh():
        return ccd.Mesh(vertices=3)

    x0 = np.array([[0, 0, 0], [0.75, 0, 0], [0.5, 5, 0]])
    x1 = x0 + np.array([[0, 0, 0], [0.5, 0, 0], [0, 0, 0]])
    thick = mesh()
    thick.set_radii([0.0625, 0.0625, 0])
    assert ccd.periodic.Mesh(thick, [[1, 0, 0]]).earliest(x0, x1).impact.toi_lo == 0.25
    grouped = mesh()
    grouped.set_groups([4, 4, 5])
    assert ccd.periodic.Mesh(grouped, [[1, 0, 0]]).earliest(x0, x1).impact.separate
    still = mesh()
    still.set_static([True, True, True])
    assert ccd.periodic.Mesh(still, [[1, 0, 0]]).earliest(x0 * [4, 0, 0], x0 * [4, 0, 0]).impact.separate
    left_out = ccd.Mesh(vertices=3, ignored=[False, True, False])
    assert ccd.periodic.Mesh(left_out, [[1, 0, 0]]).earliest(x0, x1).impact.separate
    wire, points = ccd.Mesh(edges=[[0, 1]], vertices=2), np.array([[0, 0, 0], [0.75, 0, 0.0]])
    wire.set_component_groups()
    over = points + np.array([[0, 0, 0], [0.5, 0, 0]])
    assert ccd.periodic.Mesh(wire, [[1, 0, 0]]).earliest(points, over).impact.separate
    wire.set_groups(None)
    assert ccd.periodic.Mesh(wire, [[1, 0, 0]]).earliest(points, over).impact.toi_lo == 0.5


def refused(kind, text, call, *arguments, **options):
    with pytest.raises(kind, match=text):
        call(*arguments, **options)


def test_what_is_wrong_is_named():
    mesh, x = strip(3)
    make, E = ccd.periodic.Mesh, ccd.errors
    refused(E.ArgumentError, r"mesh is int: must be a ccd.Mesh", make, 3, [[1, 0, 0]])
    refused(E.ArgumentError, r"cell has 4 rows", make, mesh, np.eye(4, 3))
    refused(E.ArgumentError, r"cell has shape \(1, 2\)", make, mesh, [[1, 0]])
    box = r"cell has shape \(3,\): must be \(k, 3\), one row a vector; for a box with these edges pass np.diag\(cell\)"
    refused(E.ArgumentError, box, make, mesh, [1, 1, 1])
    refused(E.ArgumentError, r"cell is 2.0: must .* for a cube with this edge pass cell \* np.eye\(3\)", make, mesh, 2.0)
    refused(E.ArgumentError, r"cell\[1\] is zero", make, mesh, [[1, 0, 0], [0, 0, 0]])
    refused(E.ArgumentError, r"linearly dependent", make, mesh, [[1, 0, 0], [2, 0, 0]])
    refused(E.NonFiniteError, r"cell\[0\]\[1\] is nan", make, mesh, [[1, np.nan, 0]])
    refused(E.InvalidIndexError, r"identified.pairs\[0\]\[1\] is 9", make, mesh, [[1, 0, 0]], Identified([[0, 9]], [[1]]))
    refused(E.ArgumentError, r"identified.shifts has shape", make, mesh, [[1, 0, 0]], Identified([[0, 1]], [[1, 0]]))
    refused(E.ArgumentError, r"identified is \[\[0, 4\]\]", make, mesh, [[1, 0, 0]], [[0, 4]])
    refused(E.ArgumentError, r"vertices 0 and 1 become one", make, mesh, [[1, 0, 0]], Identified([[0, 1]], [[0]]))
    twice = Identified([[0, 4], [0, 4]], [[1], [2]])
    refused(E.ArgumentError, r"identified.shifts\[1\] is \[2\]: other rows", make, mesh, [[1, 0, 0]], twice)
    periodic = make(mesh, [[1, 0, 0]], identify(x, [[1, 0, 0]], 1e-9))
    off = x.copy()
    off[5] += [0, 0.25, 0]
    refused(E.ArgumentError, r"x1: vertices 1 and 5 are identified, but x1\[5\] .* 0\.25 off", periodic.earliest, x, off)
    refused(E.ArgumentError, r"x0 has 5 rows: must have 6", periodic.earliest, x[:5], x)
    refused(E.UnsupportedError, r"options has progress", periodic.near, x, 0.1, progress=print)
    refused(E.UnsupportedError, r"options has t_max", periodic.advance, x, x, t_max=0.5)
    refused(E.ArgumentError, r"share is 2.0", periodic.advance, x, x, 2)
    far = x * [1e6, 1, 1]
    refused(E.ArgumentError, r"reaches over 2000003 cells", make(mesh, [[1, 0, 0]]).earliest, far, far)
    refused(E.ArgumentError, r"tolerance is 0.0", identify, x, [[1, 0, 0]], 0)


@pytest.mark.parametrize("length", [-1.0, np.nan, np.inf, 1e160])
def test_lengths_out_of_range_are_named(length):
    mesh, x = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]]), np.array([[0, 0, 0], [0.75, 0, 0]])
    with pytest.raises(ccd.ArgumentError, match=r"^d is .*: must be in \[0, 1e150\]"):
        mesh.near(x, length)
    with pytest.raises(ccd.ArgumentError, match=r"^min_separation is .*: must be in \[0, 1e150\]"):
        mesh.earliest(x, x, min_separation=length)
