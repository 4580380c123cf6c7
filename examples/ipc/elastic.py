"""Energies of the bodies: springs and hinges of the cloth, and what keeps an affine body rigid.

Each gives its value, its gradient and a positive semidefinite Hessian, as projected Newton wants it: (m, k, k) blocks of
coordinates of m stencils of k / 3 rows of y.
"""

from __future__ import annotations

import numpy as np

from scene import Ring, Scene


class Springs:
    """stiffness * (|edge| - length)^2 / 2 for each edge of the cloth."""

    def __init__(self, scene: Scene, stiffness: float):
        self.at, self.lengths, self.stiffness = scene.springs, scene.lengths, stiffness

    def value(self, y: np.ndarray) -> float:
        d = y[self.at[:, 0]] - y[self.at[:, 1]]
        return 0.5 * self.stiffness * float(((np.linalg.norm(d, axis=1) - self.lengths) ** 2).sum())

    def derivatives(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients (m, 2, 3) and Hessians (m, 6, 6). A spring that is pressed together has no stiffness across itself."""
        d = y[self.at[:, 0]] - y[self.at[:, 1]]
        length = np.linalg.norm(d, axis=1)
        n = d / length[:, None]
        force = self.stiffness * (length - self.lengths)
        across = np.maximum(1 - self.lengths / length, 0)[:, None, None]
        nn = n[:, :, None] * n[:, None, :]
        block = self.stiffness * (nn + across * (np.eye(3) - nn))
        gradient = force[:, None] * n
        return np.stack([gradient, -gradient], axis=1), np.kron(np.array([[1, -1], [-1, 1]]), block)


class Bending:
    """The quadratic bending energy of [Bergou2006], whose Hessian is constant: the cloth is flat at rest.

    For each inner edge stiffness * 3 / (2 area) |sum c_i x_i|^2, area of its two triangles, c the cotangent weights.
    """

    def __init__(self, scene: Scene, stiffness: float):
        p = scene.x[scene.hinges]
        e = p[:, 1] - p[:, 0]

        def cot(u: np.ndarray, v: np.ndarray) -> np.ndarray:
            return (u * v).sum(axis=1) / np.linalg.norm(np.cross(u, v), axis=1)

        c01, c02 = cot(e, p[:, 2] - p[:, 0]), cot(e, p[:, 3] - p[:, 0])
        c03, c04 = cot(-e, p[:, 2] - p[:, 1]), cot(-e, p[:, 3] - p[:, 1])
        weights = np.stack([c03 + c04, c01 + c02, -c01 - c03, -c02 - c04], axis=1)
        area = sum(np.linalg.norm(np.cross(e, p[:, k] - p[:, 0]), axis=1) for k in (2, 3)) / 2
        block = (3 * stiffness / area)[:, None, None] * weights[:, :, None] * weights[:, None, :]
        self.at, self.blocks = scene.hinges, np.kron(block, np.eye(3))


class Rigidity:
    """stiffness * |A A^T - 1|^2 for the matrix A of an affine body: zero for a rotation [Lan2022]."""

    def __init__(self, ring: Ring):
        self.rows, self.stiffness = slice(ring.row + 1, ring.row + 4), ring.stiffness

    def value(self, y: np.ndarray) -> float:
        a = y[self.rows]
        return self.stiffness * float(((a @ a.T - np.eye(3)) ** 2).sum())

    def derivatives(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient (3, 3) and Hessian (9, 9)."""
        a = y[self.rows]
        strain = a @ a.T - np.eye(3)
        hessian = np.empty((9, 9))
        for k, da in enumerate(np.eye(9).reshape(9, 3, 3)):
            change = da @ a.T
            hessian[:, k] = ((change + change.T) @ a + strain @ da).ravel()
        values, vectors = np.linalg.eigh(4 * self.stiffness * (hessian + hessian.T) / 2)
        return 4 * self.stiffness * strain @ a, (vectors * np.maximum(values, 0)) @ vectors.T
