"""
The first impact of two tetrahedra
==================================

One tetrahedron falls onto another. The program computes the first impact, moves the mesh there, and draws the contact
point and the normal.
"""

import ccd
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
sides = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])

# %%
# One mesh holds both objects. The upper one is turned, and falls by 3 in this step.

turn = np.array([[0.8, -0.6, 0], [0.48, 0.64, -0.6], [0.36, 0.48, 0.8]])
x0 = np.vstack([corners, corners @ turn.T + [0.3, 0.2, 3.2]])
x1 = x0 - np.array([0, 0, 3]) * (np.arange(8) >= 4)[:, None]
mesh = ccd.Mesh(faces=np.vstack([sides, sides + 4]), vertices=8)

hit = ccd.step.earliest(mesh, x0, x1)
print(f"{hit.kind} {hit.a} {hit.b} at t = {hit.toi_lo:.6f}")

# %%
# All vertices move on straight lines, so the configuration at the impact is a mean of both ends.

x = (1 - hit.toi_lo) * x0 + hit.toi_lo * x1
axes = plt.figure(figsize=(6, 6)).add_subplot(projection="3d")
for faces, color in ((mesh.faces[:4], "#bc4c00"), (mesh.faces[4:], "#0969da")):
    axes.add_collection3d(Poly3DCollection(x[faces], facecolor=color, edgecolor=color, alpha=0.35))
    axes.add_collection3d(Poly3DCollection(x0[faces], facecolor="none", edgecolor=color, linestyle="dotted", linewidth=0.8))
axes.scatter(*hit.point, color="#d1242f", s=40)
axes.quiver(*hit.point, *hit.normal, color="#d1242f")
axes.set(xlim=(-1.5, 2), ylim=(-1.5, 2), zlim=(-1, 4.2), box_aspect=(3.5, 3.5, 5.2))
axes.set_axis_off()
axes.view_init(12, -50)
plt.show()
