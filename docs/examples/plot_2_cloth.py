"""
All impacts of a cloth on a ball
================================

A cloth falls onto a ball in one step that nothing stops. The program lists all impacts, and draws their points,
colored by time.
"""

import ccd
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection


def surface(grid):
    """Vertices and triangles of an array (rows, columns, 3)."""
    rows, columns = grid.shape[:2]
    i = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, below = i + 1, i + columns
    return grid.reshape(-1, 3), np.vstack([np.stack([i, right, below], 1), np.stack([right, below + 1, below], 1)])


u, v = np.meshgrid(np.linspace(-1, 1, 31), np.linspace(-1, 1, 31), indexing="ij")
cloth, threads = surface(np.stack([u, v, 0.65 + 0.05 * np.sin(4 * u) * np.cos(3 * v)], axis=-1))

theta, phi = np.meshgrid(np.linspace(0, 2 * np.pi, 33), np.linspace(0.02, np.pi - 0.02, 17), indexing="ij")
ball, shell = surface(0.5 * np.stack([np.sin(phi) * np.cos(theta), np.sin(phi) * np.sin(theta), np.cos(phi)], axis=-1))

# %%
# The ball stands still. ``set_static`` skips its pairs, so that only the cloth is tested, with itself and with the ball.

x0 = np.vstack([cloth, ball])
moving = np.arange(len(x0)) < len(cloth)
x1 = x0 - 0.6 * moving[:, None] * [0, 0, 1]
mesh = ccd.Mesh(faces=np.vstack([threads, shell + len(cloth)]), vertices=len(x0))
mesh.set_static(~moving)

impacts = ccd.step.collisions(mesh, x0, x1)
print(f"{len(impacts)} impacts, the first at t = {impacts['toi_lo'][0]:.4f}, the last at t = {impacts['toi_lo'][-1]:.4f}")

# %%
# ``point`` is where each pair touches, at its own time.

axes = plt.figure(figsize=(7, 6)).add_subplot(projection="3d", computed_zorder=False)
axes.add_collection3d(Poly3DCollection(x0[shell + len(cloth)], facecolors="#8c959f", shade=True, zorder=1))
axes.add_collection3d(Poly3DCollection(x0[threads], color="#0969da", alpha=0.15, linewidth=0.2, zorder=2))
points = axes.scatter(*impacts["point"].T, c=impacts["toi_lo"], cmap="plasma", s=5, zorder=3)
axes.figure.colorbar(points, label="time of impact", shrink=0.6)
axes.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-0.5, 0.8), box_aspect=(2, 2, 1.3))
axes.set_axis_off()
axes.view_init(22, -60)
plt.show()
