"""The scene: a cloth above a ball and two interlocking rings on a floor.

Positions of all vertices are x = W y. The rows of y are what moves freely: a vertex of the cloth is its own row, an affine
body [Lan2022] has four (a point and the three rows of a matrix), and what stands still has none. W is constant, so along a
Newton direction every vertex moves on a straight line, as continuous collision detection has it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

import ccd

SIDE = 1.5  # side of the cloth
CLOTH, STATIC, RING = -1, 0, 1  # patch ids: the cloth meets itself too; a ring and what is static do not


@dataclass
class Ring:
    """A solid torus as an affine body: its vertices are y[row] + rest @ y[row + 1 : row + 4]."""

    row: int
    mass: np.ndarray  # (4, 4), for (1, rest coordinates)
    stiffness: float  # stiffness of the matrix against what is no rotation


@dataclass
class Scene:
    x: np.ndarray  # (n, 3) where the vertices are at the start
    faces: np.ndarray
    patch: np.ndarray  # (n,)
    W: sp.csr_array  # (n, rows of y)
    y: np.ndarray  # vertices at the start
    mass: sp.csr_array  # (rows, rows)
    weight: np.ndarray  # (rows,) what gravity pulls: 1 for a point, 0 for a row of a matrix
    rings: list[Ring]
    springs: np.ndarray  # (m, 2) vertices of the cloth, which are the first rows of y
    lengths: np.ndarray
    hinges: np.ndarray  # (m, 4) the two vertices of an inner edge, then the two across it
    parts: dict[str, slice] = field(default_factory=dict)  # vertices by name

    def mesh(self) -> ccd.Mesh:
        mesh = ccd.Mesh(faces=self.faces, vertices=len(self.x))
        mesh.set_groups(self.patch)
        mesh.set_static(self.patch == STATIC)
        return mesh


def grid(n: int, side: float) -> tuple[np.ndarray, np.ndarray]:
    """A square of n x n vertices in z = 0, its triangles cut in alternating directions."""
    u = (np.arange(n) / (n - 1) - 0.5) * side
    x = np.stack([*(a.ravel() for a in np.meshgrid(u, u)), np.zeros(n * n)], axis=1)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(n - 1), np.arange(n - 1)))
    a, b, c, d = j * n + i, j * n + i + 1, (j + 1) * n + i + 1, (j + 1) * n + i
    even = ((i + j) % 2 == 0)[:, None]
    first = np.where(even, np.stack([a, b, c], 1), np.stack([a, b, d], 1))
    second = np.where(even, np.stack([a, c, d], 1), np.stack([b, c, d], 1))
    return x, np.vstack([first, second])


def torus(major: float, minor: float, around: int, across: int) -> tuple[np.ndarray, np.ndarray]:
    """About the z axis, its normals outwards."""
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    r = major + minor * np.cos(v)
    x = np.stack([r * np.cos(u), r * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    k, m = (i + 1) % around, (j + 1) % across
    a, b, c, d = i * across + j, k * across + j, k * across + m, i * across + m
    return x, np.vstack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def ball(radius: float, levels: int) -> tuple[np.ndarray, np.ndarray]:
    """An octahedron whose faces were quartered so many times, on the sphere."""
    x = np.vstack([np.eye(3), -np.eye(3)])
    faces = np.array([[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]])
    for _ in range(levels):
        sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        edges, at = np.unique(sides, axis=0, return_inverse=True)
        ab, bc, ca = (at.reshape(-1, 3) + len(x)).T
        a, b, c = faces.T
        faces = np.vstack([np.stack(f, 1) for f in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
        x = np.vstack([x, x[edges].mean(axis=1)])
        x /= np.linalg.norm(x, axis=1)[:, None]
    return radius * x, faces


def torus_mass(major: float, minor: float, density: float) -> np.ndarray:
    """The integral of density times the outer square of (1, x, y, z) over a solid torus about z."""
    m = density * 2 * np.pi**2 * major * minor**2
    across = m * (major**2 / 2 + 3 * minor**2 / 8)
    return np.diag([m, across, across, m * minor**2 / 4])


def hinges(faces: np.ndarray) -> np.ndarray:
    """The edges with two faces, each with the vertices across it."""
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    across = faces[:, [2, 0, 1]].ravel()
    order = np.lexsort(sides.T)
    sides, across = sides[order], across[order]
    inner = np.flatnonzero((sides[1:] == sides[:-1]).all(axis=1))
    return np.column_stack([sides[inner], across[inner], across[inner + 1]])


def build(n: int = 51, detail: int = 1) -> Scene:
    """A cloth of n x n vertices; detail 0 makes a coarser ball and coarser rings, for a quick run."""
    sheet, sheet_faces = grid(n, SIDE)
    sheet += [0.0, 0.03, 0.8]
    around, across = (44, 14) if detail else (20, 8)
    major, minor = 0.3, 0.06
    tube, tube_faces = torus(major, minor, around, across)
    lying = np.eye(3)
    upright = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], float)  # x' = x @ upright: the axis z becomes x
    sphere, sphere_faces = ball(0.34, 3 if detail else 2)
    floor = np.array([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], float)
    # The upright ring passes through the hole of the lying one, which starts half-way up and falls about its foot.
    poses = [(np.array([0.42, 0.05, 0.40]), lying), (np.array([0.42, 0.35, 0.375]), upright)]

    named = [
        ("cloth", sheet, sheet_faces, CLOTH),
        ("lying ring", poses[0][0] + tube @ poses[0][1], tube_faces, RING),
        ("upright ring", poses[1][0] + tube @ poses[1][1], tube_faces, RING + 1),
        ("ball", np.array([-0.42, -0.1, 0.35]) + sphere, sphere_faces, STATIC),
        ("floor", floor, np.array([[0, 1, 2], [0, 2, 3]]), STATIC),
    ]
    first = np.cumsum([0, *(len(x) for _, x, _, _ in named)])
    parts = {name: slice(a, b) for (name, *_), (a, b) in zip(named, pairwise(first))}
    x = np.vstack([x for _, x, _, _ in named])
    cloth = len(sheet)

    # y and W: the cloth's vertices themselves, then four rows for each ring.
    y = np.vstack([sheet, *(np.vstack([p, m]) for p, m in poses)])
    affine = sp.csr_array(np.column_stack([np.ones(len(tube)), tube]))
    still = sp.csr_array((len(x) - cloth - 2 * len(tube), 0))
    W = sp.block_diag([sp.eye_array(cloth), affine, affine, still], format="csr")
    density = 20.0
    ring_mass = torus_mass(major, minor, density)
    cloth_mass = np.full(cloth, 0.25 * SIDE**2 / cloth)  # a quarter of a kilogram a square meter
    mass = sp.block_diag([sp.diags_array(cloth_mass), ring_mass, ring_mass], format="csr")
    weight = np.concatenate([np.ones(cloth), [1, 0, 0, 0] * 2])
    springs = ccd.Mesh(faces=sheet_faces, vertices=cloth).edges.astype(int)
    return Scene(
        x=x,
        faces=np.vstack([f + a for (_, _, f, _), a in zip(named, first)]),
        patch=np.concatenate([np.full(len(p), patch, np.int32) for _, p, _, patch in named]),
        W=W,
        y=y,
        mass=mass,
        weight=weight,
        rings=[Ring(row, ring_mass, 2e4) for row in (cloth, cloth + 4)],
        springs=springs,
        lengths=np.linalg.norm(sheet[springs[:, 0]] - sheet[springs[:, 1]], axis=1),
        hinges=hinges(sheet_faces),
        parts=parts,
    )  # fmt: skip


def static_of(scene: Scene, y: np.ndarray) -> np.ndarray:
    """All vertices for the free rows y: W y, and what stands still where it is."""
    x = scene.W @ y
    still = scene.patch == STATIC
    x[still] = scene.x[still]
    return x
