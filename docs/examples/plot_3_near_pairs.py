"""
Near pairs of one configuration
===============================

A barrier method needs all pairs that are nearer than a distance, with the distance itself. ``ccd.proximity.near``
returns them with proven bounds. Here they are drawn between two wavy sheets.
"""

import ccd
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

n = 26
u, v = (a.ravel() for a in np.meshgrid(np.linspace(0, 3, n), np.linspace(0, 2, n), indexing="ij"))
i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
sheet = np.vstack([np.stack([i, i + 1, i + n], 1), np.stack([i + 1, i + n + 1, i + n], 1)])
x = np.vstack(
    [
        np.stack([u, v, 0.18 * np.sin(3 * u) * np.cos(2 * v)], 1),
        np.stack([u + 0.03, v + 0.02, 0.42 + 0.16 * np.cos(2 * u + v)], 1),
    ]
)
mesh = ccd.Mesh(faces=np.vstack([sheet, sheet + n * n]), vertices=len(x))

# %%
# No sheet is tested against itself: ``set_component_groups`` puts each into a group of its own.

mesh.set_component_groups()
near = ccd.proximity.near(mesh, x, 0.24)
nearest = ccd.proximity.distance(mesh, x)
print(f"{len(near)} pairs; the smallest distance is in [{nearest.distance_lo:.9f}, {nearest.distance_hi:.9f}]")

# %%
# Every pair names its nearest points.

axes = plt.figure(figsize=(7, 5)).add_subplot(projection="3d")
for faces, color in ((sheet, "#0969da"), (sheet + n * n, "#bc4c00")):
    axes.add_collection3d(Poly3DCollection(x[faces], facecolor=color, edgecolor=color, linewidth=0.2, alpha=0.12))
lines = Line3DCollection(np.stack([near["point_a"], near["point_b"]], 1), cmap="plasma", linewidth=1)
lines.set_array(near["distance_hi"])
axes.add_collection3d(lines)
axes.figure.colorbar(lines, label="distance", shrink=0.6)
axes.set(xlim=(0, 3), ylim=(0, 2), zlim=(-0.2, 0.7), box_aspect=(3, 2, 0.9))
axes.set_axis_off()
axes.view_init(14, -70)
plt.show()
