"""What both simulations do about contacts: move positions apart, and prove how far the vertices may go."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import ccd

Floats = NDArray[np.float64]


def push(mesh: ccd.Mesh, x: Floats, y: Floats, inverse_mass: Floats, gap: float, friction: float, rounds: int) -> int:
    """Move the ends y of a step apart where pairs come nearer than the gap and their radii, and return how many pairs do.

    Gauss-Seidel over the constraints, color by color: those of a color share no vertex that moves. Friction takes back what the
    points slid, up to its coefficient times what the normal moved them.
    """
    active = ccd.step.activeset(mesh, x, y, min_separation=gap)
    if not len(active):
        return 0
    mass, color = ccd.step.effective_mass(active, inverse_mass), ccd.step.colors(active, len(x), inverse_mass)
    for _ in range(rounds):
        for k in range(color.max() + 1):
            c, m = active[color == k], mass[color == k]
            at, weights, normal = c["vertices"], c["weights"], c["impact"]["normal"]
            tangents = ccd.step.tangents(normal)
            missing = c["separation"] - np.einsum("cv,cvk,ck->c", weights, y[at], normal)
            along = m * np.maximum(missing, 0)
            slid = np.einsum("cv,cvk,ctk->ct", weights, y[at] - x[at], tangents) * m[:, None]
            length = np.maximum(np.linalg.norm(slid, axis=1), 1e-300)
            across = -slid * np.minimum(1, friction * along / length)[:, None]
            impulse = along[:, None] * normal + np.einsum("ct,ctk->ck", across, tangents)
            np.add.at(y, at, (weights * inverse_mass[at])[:, :, None] * impulse[:, None])
    return len(active)
