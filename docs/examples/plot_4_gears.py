"""
Two gears that turn into each other
===================================

Two gears spin and approach. ``ccd.rigid.earliest`` finds the first contact of bodies that truly turn: their points
move on helices.
"""

import ccd
import matplotlib.pyplot as plt
import numpy as np
from ccd.rigid import Body, Motion
from mpl_toolkits.mplot3d.art3d import Poly3DCollection


def gear(teeth=11, outer=1.0, inner=0.72, half=0.2):
    """A spur gear about the z axis: outline, sides and two fans."""
    i = np.arange(4 * teeth)
    j, angle = (i + 1) % len(i), 2 * np.pi * i / len(i)
    radius = np.where(i % 4 < 2, outer, inner)
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    rims = [np.column_stack([ring, np.full(len(i), z)]) for z in (half, -half)]
    hub, base = np.full(len(i), 2 * len(i)), np.full(len(i), 2 * len(i) + 1)
    sides = ((i, i + len(i), j + len(i)), (i, j + len(i), j), (hub, i, j), (base, j + len(i), i + len(i)))
    return np.vstack([*rims, [[0, 0, half], [0, 0, -half]]]), np.vstack([np.stack(s, 1) for s in sides])


vertices, faces = gear()
body = Body(vertices, faces)

# %%
# A motion has a constant velocity and a constant angular velocity. Times are in their unit.

left = Motion(position=(-1.6, 0, 0), velocity=(0.4, 0, 0), angular_velocity=(0, 0, 2))
right = Motion(position=(1.3, 0.2, 0.1), angular_velocity=(0.3, 0.2, -3))
hit = ccd.rigid.earliest(body, left, body, right, t_max=5)
print(f"{hit.verdict} at t = {hit.toi_lo:.9f}, {hit.distance:.1e} apart, normal {np.round(hit.normal, 3)}")

# %%
# ``Motion.at`` places the vertices at a time. At ``toi_lo`` the gears are still apart.

axes = plt.figure(figsize=(7, 5)).add_subplot(projection="3d", computed_zorder=False)
for motion, color in ((left, "#0969da"), (right, "#bc4c00")):
    axes.add_collection3d(Poly3DCollection(motion.at(hit.toi_lo, vertices)[faces], facecolors=color, shade=True, zorder=1))
axes.scatter(*hit.point_a, color="#d1242f", s=50, zorder=3)
axes.set(xlim=(-2, 2.3), ylim=(-1.2, 1.2), zlim=(-0.6, 0.6), box_aspect=(4.3, 2.4, 1.2))
axes.set_axis_off()
axes.view_init(55, -80)
plt.show()
