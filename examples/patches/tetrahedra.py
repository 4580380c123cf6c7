"""A body of quadratic tetrahedra falls on another: elastic, with the contacts of their curved surfaces.

python examples/patches/tetrahedra.py [--frames N] [--out FOLDER]

The tetrahedra are P2, with ten nodes each in the order of Gmsh. `boundary` takes the faces of one tetrahedron alone, with
their six nodes; they are the patches of ccd.patch.Body.lagrange, so the surfaces that meet are exactly those of the finite
elements. The upper body is an elastic ball with implicit steps in time; where a step would bring it nearer than GAP, the
nodes of the patch that is touched get an impulse along the normal. Every step that is taken is proven to keep GAP.

With --out the picture patches-tetrahedra.png is written there, which needs Pillow.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

import ccd

GRAVITY = np.array([0, 0, -9.81])
DT, GAP = 0.02, 0.005
YOUNG, POISSON, DENSITY = 160.0, 0.3, 1.0
SIDES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))  # the faces of a tetrahedron, seen from outside
MIDDLES = {frozenset(e): 4 + i for i, e in enumerate(((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3)))}  # Gmsh's order of edges


class Tets(NamedTuple):
    """Nodes (n, 3) and tetrahedra (m, 10), in the order of Gmsh."""

    x: np.ndarray
    cells: np.ndarray


def quadratic(x: np.ndarray, corners: np.ndarray) -> Tets:
    """Tetrahedra of four corners with a node in the middle of each edge."""
    nodes, known, cells = list(x), {}, []
    for tet in corners:
        cell = [*tet, *[0] * 6]
        for edge, place in MIDDLES.items():
            ends = tuple(sorted(tet[i] for i in edge))
            if ends not in known:
                known[ends] = len(nodes)
                nodes.append((x[ends[0]] + x[ends[1]]) / 2)
            cell[place] = known[ends]
        cells.append(cell)
    return Tets(np.array(nodes), np.array(cells))


def ball(radius: float) -> Tets:
    """Twenty tetrahedra about a center, whose outer nodes are on a sphere."""
    golden = (1 + np.sqrt(5)) / 2
    rim = np.array([[0, s, t * golden] for s in (1, -1) for t in (1, -1)])
    rim = np.vstack([rim, rim[:, [2, 0, 1]], rim[:, [1, 2, 0]]]) / np.hypot(1, golden)
    apart = np.linalg.norm(rim[:, None] - rim, axis=2)
    near = (apart > 0) & (apart < 1.1)
    triples = [(a, b, c) for a in range(12) for b in range(a) for c in range(b) if near[a, b] and near[b, c] and near[a, c]]
    corners = [(0, *(np.array(t)[:: int(np.sign(np.linalg.det(rim[list(t)])))] + 1)) for t in triples]
    tets = quadratic(np.vstack([np.zeros(3), rim]), np.array(corners))
    outer = np.unique(boundary(tets.cells))
    tets.x[outer] *= radius / np.linalg.norm(tets.x[outer], axis=1)[:, None]
    inner = np.setdiff1d(np.arange(1, len(tets.x)), outer)
    tets.x[inner] *= radius
    return tets


def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 0.35 * np.exp(-1.5 * (x * x + y * y)) + 0.08 * np.cos(4 * x - 2 * y)


def block(n: int = 6, width: float = 3.0) -> Tets:
    """A block of n x n cubes of six tetrahedra, whose upper nodes are on the graph of `height`."""
    i, j, k = (g.ravel() for g in np.meshgrid(range(n + 1), range(n + 1), range(2), indexing="ij"))
    x = np.stack([i, j, k], axis=1).astype(float)
    at = {tuple(p): q for q, p in enumerate(zip(i, j, k, strict=True))}
    corners = []
    for cube in np.ndindex(n, n, 1):
        for order in permutations(range(3)):
            steps = np.cumsum([np.zeros(3, int), *np.eye(3, dtype=int)[list(order)]], axis=0) + cube
            tet = [at[tuple(p)] for p in steps]
            even = np.linalg.det(np.eye(3)[list(order)]) > 0
            corners.append(tet if even else [tet[0], tet[2], tet[1], tet[3]])
    tets = quadratic(x, np.array(corners))
    p = tets.x
    p[:, :2] = width * (p[:, :2] / n - 0.5)
    p[:, 2] = -0.5 + p[:, 2] * (0.5 + height(p[:, 0], p[:, 1]))
    return tets


def boundary(cells: np.ndarray, order: str = "gmsh") -> np.ndarray:
    """The faces of one cell alone, (k, 6): three corners, then the middles of their edges, as Gmsh and VTK order a P2 triangle.

    order is that of the cells: "gmsh", or "vtk", which is meshio's and PyVista's too. The two differ in their last two nodes.
    """
    if order not in ("gmsh", "vtk"):
        raise ValueError(f"order is {order!r}: must be 'gmsh' or 'vtk'")
    faces = []
    for cell in cells if order == "gmsh" else np.asarray(cells)[:, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]]:
        for a, b, c in SIDES:
            local = [a, b, c, *(MIDDLES[frozenset(e)] for e in ((a, b), (b, c), (c, a)))]
            faces.append(cell[local])
    times = Counter(tuple(sorted(f[:3])) for f in faces)
    return np.array([f for f in faces if times[tuple(sorted(f[:3]))] == 1])


def jacobians(x: np.ndarray, cells: np.ndarray, order: str = "gmsh") -> np.ndarray:
    """The least determinant of the Jacobian of each cell at 27 points, (m,).

    Below 0 a cell is turned inside out, or its nodes have another order: then middles of edges are half an edge off.
    """
    cells = np.asarray(cells) if order == "gmsh" else np.asarray(cells)[:, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]]
    return np.min([np.linalg.det(np.einsum("mki,kj->mij", x[cells], slope)) for _, _, slope in quadrature()], axis=0)


def triangle_weights(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The six shape functions of a P2 triangle at parameters, (..., 6)."""
    a = 1 - u - v
    return np.stack([a * (2 * a - 1), u * (2 * u - 1), v * (2 * v - 1), 4 * a * u, 4 * u * v, 4 * v * a], axis=-1)


def quadrature() -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Weights, shape functions (10,) and their derivatives (10, 3) at 27 points of the tetrahedron."""
    s, w = np.polynomial.legendre.leggauss(3)
    s, w = (s + 1) / 2, w / 2
    for i, j, k in np.ndindex(3, 3, 3):  # a cube that is folded to the tetrahedron
        p = np.array([s[i], s[j] * (1 - s[i]), s[k] * (1 - s[i]) * (1 - s[j])])
        weight = w[i] * w[j] * w[k] * (1 - s[i]) ** 2 * (1 - s[j])
        c = np.array([1 - p.sum(), *p])
        slopes = np.vstack([-np.ones(3), np.eye(3)])
        value, slope = [*c * (2 * c - 1)], [*(4 * c - 1)[:, None] * slopes]
        for a, b in map(sorted, MIDDLES):
            value.append(4 * c[a] * c[b])
            slope.append(4 * (c[a] * slopes[b] + c[b] * slopes[a]))
        yield weight, np.array(value), np.array(slope)


def matrices(tets: Tets) -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness (3n, 3n) of linear elasticity, by quadrature on the curved elements."""
    n = 3 * len(tets.x)
    mass, stiffness = np.zeros((n, n)), np.zeros((n, n))
    shear, bulk = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += bulk
    for cell in tets.cells:
        index = (3 * cell[:, None] + np.arange(3)).ravel()
        for weight, value, slope in quadrature():
            jacobian = tets.x[cell].T @ slope
            volume = weight * np.linalg.det(jacobian)
            g = slope @ np.linalg.inv(jacobian)
            strain = np.zeros((6, 30))
            for row, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
                strain[row, a::3] += g[:, b]
                if a != b:
                    strain[row, b::3] += g[:, a]
            stiffness[np.ix_(index, index)] += volume * strain.T @ law @ strain
            mass[np.ix_(index, index)] += volume * DENSITY * np.kron(np.outer(value, value), np.eye(3))
    return mass, stiffness


class Fall:
    """An elastic body that falls on one that rests."""

    def __init__(self, upper: Tets, lower: Tets, start: np.ndarray, velocity: np.ndarray) -> None:
        self.x, self.v = upper.x + start, np.tile(velocity, (len(upper.x), 1))
        self.rest, self.ground = upper.x, lower.x
        self.skin, below = boundary(upper.cells), boundary(lower.cells)
        triangle = ccd.patch.Form.triangle(2)
        self.body = ccd.patch.Body.lagrange(len(upper.x), triangle, self.skin, order="gmsh")
        self.below = ccd.patch.Body.lagrange(len(lower.x), triangle, below, order="gmsh")
        self.mass, self.stiffness = matrices(upper)
        self.response = np.linalg.inv(self.mass + DT**2 * self.stiffness)
        self.weights = self.mass.sum(axis=1).reshape(-1, 3)[:, 0]  # what each node counts for in the mean

    def turn(self) -> np.ndarray:
        """The rotation that brings the rest shape nearest to the body: the strains are about it."""
        w = self.weights[:, None]
        p, q = ((w * x).sum(axis=0) / w.sum() for x in (self.rest, self.x))
        a, _, b = np.linalg.svd((w * (self.x - q)).T @ (self.rest - p))
        return a @ np.diag([1, 1, np.linalg.det(a @ b)]) @ b

    def free(self, turn: np.ndarray) -> np.ndarray:
        """Velocities after an implicit step without contacts."""
        strained = ((self.x - self.x.mean(axis=0)) @ turn - self.rest + self.rest.mean(axis=0)).ravel()
        pushed = self.mass @ ((self.v + DT * GRAVITY) @ turn).ravel() - DT * self.stiffness @ strained
        return (self.response @ pushed).reshape(-1, 3) @ turn.T

    def step(self) -> tuple[float, int]:
        """Go one step; returns the part of it that was taken, and the number of contacts."""
        turn = self.turn()
        free = self.free(turn)
        v, rows, limits = free, [], []
        for _ in range(12):
            hit = ccd.patch.earliest(
                self.body, self.x, self.x + DT * v, self.below, self.ground, self.ground, min_separation=GAP, tolerance=1e-7
            )
            if hit.separate:
                break
            row = np.zeros((len(self.x), 3))
            weights = triangle_weights(*np.array(hit.uv_a))
            row[self.skin[hit.a]] = weights[:, None] * hit.normal
            rows.append((row @ turn).ravel())
            limits.append(0.9 * hit.toi_lo * min(0.0, float((row * v).sum())))  # nearer until the contact, and no further
            v = self._pushed(free, turn, np.array(rows), np.array(limits))
        part = 1.0 if hit.separate else 0.9 * hit.toi_lo
        self.v, self.x = v, self.x + part * (DT * v)
        return part, len(rows)

    def _pushed(self, free: np.ndarray, turn: np.ndarray, rows: np.ndarray, limits: np.ndarray) -> np.ndarray:
        """Velocities with impulses >= 0 at the contacts, so that none comes nearer than its limit: by Gauss and Seidel."""
        moved = self.response @ rows.T
        effect, short = rows @ moved, limits - rows @ (free @ turn).ravel()
        impulse = np.zeros(len(rows))
        for _ in range(200):
            for i in range(len(rows)):
                impulse[i] = max(0.0, impulse[i] + (short[i] - effect[i] @ impulse) / effect[i, i])
        return free + (moved @ impulse).reshape(-1, 3) @ turn.T


def surface(x: np.ndarray, faces: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """P2 triangles as n x n linear ones: vertices and faces."""
    grid = [(i, j) for i in range(n + 1) for j in range(n + 1 - i)]
    at = {p: q for q, p in enumerate(grid)}
    u, v = np.array(grid).T / n
    small = [(at[i, j], at[i + 1, j], at[i, j + 1]) for i, j in grid if i + j < n]
    small += [(at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]) for i, j in grid if i + j < n - 1]
    points = np.einsum("gk,fkc->fgc", triangle_weights(u, v), x[faces])
    offset = len(grid) * np.arange(len(faces))[:, None, None]
    return points.reshape(-1, 3), (offset + np.array(small)).reshape(-1, 3)


def picture(frames: list[np.ndarray], fall: Fall, below: np.ndarray, path: Path) -> None:
    import draw  # Pillow

    images = []
    for x in frames:
        parts = [(*surface(fall.ground, below, 8), (0.16, 0.55, 0.53), 1.0)]
        parts.append((*surface(x, fall.skin, 12), (0.93, 0.70, 0.20), 1.0))
        images.append(draw.picture(parts, np.zeros((0, 3)), (2.2, -4.6, 2.6), (0, 0, 0.45), (300, 260), 0.05))
    draw.save(images, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=40, help="steps in time (40)")
    parser.add_argument("--out", type=Path, help="folder for a picture")
    given = parser.parse_args()
    lower = block()
    fall = Fall(ball(0.5), lower, np.array([0.15, 0.1, 1.5]), np.array([0.0, 0.0, -1.0]))
    print(f"{len(fall.rest)} nodes fall on {len(lower.x)}, {len(fall.skin)} patches on {len(boundary(lower.cells))}")
    kept, least, flat = [], 1.0, 1.0
    for frame in range(given.frames):
        if frame in (0, given.frames // 4, given.frames // 2, given.frames - 1):
            kept.append(fall.x.copy())
        part, contacts = fall.step()
        tall = np.ptp(surface(fall.x, fall.skin, 4)[0][:, 2])
        least, flat = min(least, part), min(flat, tall)
        if contacts:
            print(f"step {frame}: {contacts} contacts, {part:.3f} of the step, {tall:.3f} high, center at {fall.x[0].round(3)}")
    print(f"least part of a step {least:.3f}, least height of the ball {flat:.3f}")
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        picture(kept, fall, boundary(lower.cells), given.out / "patches-tetrahedra.png")


if __name__ == "__main__":
    main()
