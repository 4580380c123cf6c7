"""
A volume of hexahedra
=====================

A bar of hexahedra is bent until its ends meet. ``ccd.volume`` tests the elements of a volume: its parts against each
other, and each element against being squeezed flat.
"""

import ccd
import matplotlib.pyplot as plt
import numpy as np
from ccd.volume import Volume
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

# %%
# The bar has 40 x 3 x 3 elements. Corners are in the order of VTK.

shape = np.array([41, 4, 4])
number = np.arange(shape.prod()).reshape(shape)
cells = number[:-1, :-1, :-1].reshape(-1, 1)
square = ((0, 0), (1, 0), (1, 1), (0, 1))
corners = cells + [number[i, j, k] for k in (0, 1) for i, j in square]
volume = Volume(number.size, "hexahedron", corners)


def bent(angle):
    """The bar as an arc of this angle."""
    across = np.linspace(-0.1, 0.1, 4)
    s, y, z = np.meshgrid(np.linspace(-0.5, 0.5, 41), across, across, indexing="ij")
    radius = 3 / angle + y
    return np.stack([radius * np.sin(angle * s), -radius * np.cos(angle * s) + 3 / angle, z], -1).reshape(-1, 3)


# %%
# One step closes the arc and goes beyond: the ends pass through each other.

x0, x1 = bent(5.2), bent(6.6)
impacts = ccd.volume.collisions(volume, x0, x1)
first = ccd.volume.earliest(volume, x0, x1)
print(volume)
print(f"{len(impacts)} impacts; the first is {first.pair_class}, elements {first.elements}, at t = {first.toi_lo:.6f}")

# %%
# Draw the surface of the bar at the first impact, and the points of all impacts.

x = (1 - first.toi_lo) * x0 + first.toi_lo * x1
quads = corners[:, [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [3, 2, 6, 7], [0, 3, 7, 4], [1, 2, 6, 5]]].reshape(-1, 4)
_, index, count = np.unique(np.sort(quads, axis=1), axis=0, return_index=True, return_counts=True)
axes = plt.figure(figsize=(6, 5)).add_subplot(projection="3d", computed_zorder=False)
outer = quads[index[count == 1]]
axes.add_collection3d(Poly3DCollection(x[outer], facecolor="#0969da", edgecolor="#57606a", linewidth=0.3, alpha=0.35, zorder=1))
axes.scatter(*impacts["impact"]["point"].T, color="#d1242f", s=12, zorder=3)
axes.set(xlim=(-0.7, 0.7), ylim=(-0.2, 1.2), zlim=(-0.3, 0.3), box_aspect=(1.4, 1.4, 0.6))
axes.set_axis_off()
axes.view_init(35, 75)
plt.show()
