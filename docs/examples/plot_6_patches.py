"""
Two curved patches
==================

A bicubic Bezier patch comes down onto another one. ``ccd.patch.pair`` works on the curved surfaces themselves;
nothing is triangulated but the picture.
"""

import ccd
import matplotlib.pyplot as plt
import numpy as np
from ccd.patch import Form

u, v = np.meshgrid(np.linspace(0, 1, 4), np.linspace(0, 1, 4), indexing="ij")
heights = np.array([[0, 0.2, 0.1, 0], [0.1, 0.9, 0.6, 0.2], [0, 0.7, 1.1, 0.3], [0, 0.1, 0.3, 0]])
hill = np.stack([u, v, heights], axis=-1).reshape(-1, 3)
bowl = np.stack([u, v, 1.6 - 0.8 * heights.T], axis=-1).reshape(-1, 3)
form = Form.quad(3, 3)

# %%
# The control points move on straight lines. The upper patch sinks and tilts.

tilt = 0.5 * (u.ravel() - 0.5)[:, None] * [0, 0, 1]
x0, x1 = bowl, bowl - [0, 0, 1.2] + tilt
hit = ccd.patch.pair(form, x0, x1, form, hill, hill)
print(f"{hit.verdict} at t = {hit.toi_lo:.9f}, at {np.round(hit.uv_a, 4)} and {np.round(hit.uv_b, 4)}")

# %%
# The Bernstein polynomials of degree 3 evaluate both surfaces for the picture.

s = np.linspace(0, 1, 30)
basis = np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3])


def surface(points):
    return np.einsum("is,jt,ijk->kst", basis, basis, points.reshape(4, 4, 3))


axes = plt.figure(figsize=(6, 5)).add_subplot(projection="3d", computed_zorder=False)
at = (1 - hit.toi_lo) * x0 + hit.toi_lo * x1
axes.plot_surface(*surface(hill), color="#bc4c00", zorder=1)
axes.plot_wireframe(*surface(at), color="#0969da", linewidth=0.6, zorder=3)
axes.scatter(*hit.point, color="#d1242f", s=50, zorder=4)
axes.set_axis_off()
axes.view_init(18, -55)
plt.show()
