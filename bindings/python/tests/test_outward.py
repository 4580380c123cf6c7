"""Solids of both orientations in one mesh: their boundary goes around outward, in every reader that makes one."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

import ccd
from ccd._inner import volumes
from ccd.audit._solvers import _elements
from ccd.cli import main
from ccd.volume import Element

# By the type in VTK: the corners of the reference element, and the corners whose mean another node is.
CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
PRISM = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)]
PYRAMID = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 0.5)]
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
BOX = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
WEDGE = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
SIDES = [(0, 3, 4, 7), (1, 2, 5, 6), (0, 1, 4, 5), (2, 3, 6, 7), (0, 1, 2, 3), (4, 5, 6, 7)]
KINDS = {
    10: (TETRAHEDRON, []),
    12: (CUBE, []),
    13: (PRISM, []),
    14: (PYRAMID, []),
    24: (TETRAHEDRON, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
    25: (CUBE, BOX),
    26: (PRISM, WEDGE),
    27: (PYRAMID, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)]),
    29: (CUBE, [*BOX, *SIDES, tuple(range(8))]),
    32: (PRISM, [*WEDGE, (0, 1, 3, 4), (1, 2, 4, 5), (2, 0, 5, 3)]),
    33: (CUBE, [*BOX, *SIDES[:4]]),
}


def pieces(corners):
    """The reference elements that fill a unit cube: the places of their corners, in the order of one orientation or other."""
    if corners is CUBE:
        return [np.array(CUBE, float)]
    if corners is TETRAHEDRON:  # Kuhn's six, three of each orientation
        steps = [np.eye(3)[list(order)] for order in itertools.permutations(range(3))]
        return [np.vstack([np.zeros(3), np.cumsum(step, axis=0)]) for step in steps]
    if corners is PRISM:
        base = np.array(PRISM, float)
        return [base, np.column_stack([1 - base[:, :2], base[:, 2]])]
    return [  # the six sides of the cube, and its middle
        np.vstack([np.roll(np.column_stack([[0, 1, 1, 0], [0, 0, 1, 1], np.full(4, end)]), k, axis=1), np.full(3, 0.5)])
        for k in range(3)
        for end in (0.0, 1.0)
    ]


def mixed(kind, rng):
    """Eight cubes filled with elements of a kind, each turned or mirrored at random: places and rows of nodes."""
    corners, means = KINDS[kind]
    places, rows = {}, []
    for cell in itertools.product(range(2), repeat=3):
        turn = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
        for own in pieces(corners):
            if corners is TETRAHEDRON:
                own = own[rng.permutation(4)]
            elif corners is CUBE:
                own = (own - 0.5) @ turn + 0.5
            elif corners is PRISM and rng.random() < 0.5:
                own = own[[3, 4, 5, 0, 1, 2]] if rng.random() < 0.5 else own[[1, 0, 2, 4, 3, 5]]
            elif corners is PYRAMID and rng.random() < 0.5:
                own = own[[1, 0, 3, 2, 4]]
            nodes = [*own, *(own[list(at)].mean(0) for at in means)]
            rows.append([places.setdefault(tuple(node + cell), len(places)) for node in nodes])
    return np.array(list(places)), np.array(rows)


def volume(x, faces):
    a, b, c = (x[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def outward(x, faces, size):
    """Whether faces are closed, wound alike, and around a volume of a size."""
    directed = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    codes = directed[:, 0].astype(np.int64) * len(x) + directed[:, 1]
    back = directed[:, 1].astype(np.int64) * len(x) + directed[:, 0]
    assert len(np.unique(codes)) == len(codes) and set(codes) == set(back)
    assert volume(x, faces) == pytest.approx(size, rel=1e-12)


def vtk(path, x, rows, kinds):
    """A legacy file, with a triangle less than nothing: cells only."""
    cells = "".join(f"{len(row)} {' '.join(map(str, row))}\n" for row in rows)
    path.write_text(
        f"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(x)} double\n"
        + "".join(f"{a!r} {b!r} {c!r}\n" for a, b, c in x.tolist())
        + f"CELLS {len(rows)} {sum(len(row) + 1 for row in rows)}\n{cells}CELL_TYPES {len(rows)}\n"
        + "\n".join(map(str, kinds))
        + "\n"
    )
    return path


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_boundary_of_mixed_solids_goes_around_outward(kind, tmp_path):
    x, rows = mixed(kind, np.random.default_rng(kind))
    signs = volumes.signs(x, [(volumes.SIDES[Element(_elements._STRAIGHT.get(kind, kind if kind != 33 else 12))], rows)])[0]
    assert {-1, 1} == set(signs.tolist())
    if kind < 20:
        cells = ccd.volume.Cells(x, np.full(len(rows), kind, np.int32), rows.reshape(-1).astype(np.int32))
        outward(x, ccd.volume.boundary(cells).faces, 8)
    else:
        surface = ccd.read(vtk(tmp_path / "x.vtk", x, rows, [kind] * len(rows)))
        outward(surface.vertices, surface.faces, 8)
    if kind != 33:  # which VTK alone has
        faces = _elements.skin("x", x, [_elements.Block(0, kind, rows)]).faces
        outward(x, faces, 8)
        mesh = ccd.Mesh(faces=faces, vertices=len(x))
        assert ccd.proximity.winding(mesh, x, [[0.3, 0.4, 0.6], [2.5, 1, 1]]).tolist() == [1, 0]


def test_solids_of_order_1_beside_those_of_order_2_too(tmp_path):
    """A linear tetrahedron in a file of quadratic ones: its sides went around in either direction."""
    x, rows = mixed(24, np.random.default_rng(1))
    x = np.vstack([x, np.array(TETRAHEDRON) + 5.0])
    for own in itertools.permutations(range(len(x) - 4, len(x))):
        surface = ccd.read(vtk(tmp_path / "x.vtk", x, [*rows.tolist(), list(own)], [24] * len(rows) + [10]))
        outward(surface.vertices, surface.faces, 8 + 1 / 6)


def test_faces_of_polyhedra_may_go_around_in_any_direction(tmp_path):
    rng = np.random.default_rng(2)
    for _ in range(10):
        lists = []
        for first in (0, 8):
            faces = [[first + v for v in side] for side in volumes.SIDES[Element.HEXAHEDRON]]
            faces = [face if rng.random() < 0.5 else face[::-1] for face in faces]
            lists.append([6, *(v for face in faces for v in (len(face), *face))])
        x = np.vstack([CUBE, np.array(CUBE) * [1, 1, -1] + [0, 0, -3]]).astype(float)
        surface = ccd.read(vtk(tmp_path / "x.vtk", x, lists, [42, 42]))
        outward(surface.vertices, surface.faces, 2)


def test_an_element_without_volume_goes_by_its_neighbors():
    """Four corners of one plane between two tetrahedra, and upon one: nothing of the surface turns over."""
    x = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1], [0.5, 0.5, -1]])
    below = [[0, 1, 2, 5], [0, 2, 3, 5]]
    above = [[0, 1, 3, 4], [1, 2, 3, 4]]
    for order in itertools.permutations(range(4)):
        flat = np.array([0, 1, 2, 3])[list(order)].tolist()
        for rows, size in (([*below, flat, *above], 2 / 3), ([*below, flat], 1 / 3), ([flat, *above], 1 / 3)):
            corners = np.array(rows, np.int32)
            cells = ccd.volume.Cells(x, np.full(len(rows), 10, np.int32), corners.reshape(-1))
            outward(x, ccd.volume.boundary(cells).faces, size)
            outward(x, _elements.skin("x", x, [_elements.Block(0, 10, corners.astype(np.int64))]).faces, size)


def test_signs_of_volumes_are_exact():
    """Compared with rational numbers, for elements that are nearly flat, in any place, of any size."""
    rng = np.random.default_rng(3)
    seen = set()
    for kind, corners in ((10, TETRAHEDRON), (12, CUBE), (13, PRISM), (14, PYRAMID)):
        sides = volumes.SIDES[Element(kind)]
        for trial in range(60):
            flat = np.array(corners, float) @ rng.integers(-3, 4, (3, 3))
            flat[:, 2] = flat[:, 0] + flat[:, 1] if trial % 2 else flat[:, 2]
            x = (flat + rng.integers(-5, 6, 3)) * 2.0 ** rng.choice([-1060, -500, -40, 0, 30, 490])
            for _ in range(trial % 3):
                k = tuple(rng.integers(0, s) for s in x.shape)
                x[k] = np.nextafter(x[k], rng.choice([-1, 1]) * np.inf)
            want = exactly(x, sides)
            seen.add(want)
            assert volumes.signs(x, [(sides, np.arange(len(x))[None])])[0][0] == (want or 1), (kind, x)
    assert seen == {-1, 0, 1}


def exactly(x, sides):
    p = [[Fraction(float(v)) for v in row] for row in x]

    def det(a, b, c):
        u, v, w = p[a], p[b], p[c]
        return sum(u[i] * (v[(i + 1) % 3] * w[(i + 2) % 3] - v[(i + 2) % 3] * w[(i + 1) % 3]) for i in range(3))

    total = Fraction(0)
    for a, b, c, d in sides:
        total += 2 * det(a, b, c) if c == d else det(a, b, c) + det(a, c, d) + det(a, b, d) + det(b, c, d)
    return (total > 0) - (total < 0)


def test_a_body_of_mixed_solids_that_comes_out_of_another(tmp_path, capsys):
    """The command takes such files: the surface that it tests is closed and wound alike."""
    x, rows = mixed(10, np.random.default_rng(4))
    path = vtk(tmp_path / "x.vtk", x, rows, [10] * len(rows))
    assert main(["check", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["intersections"] == 0
