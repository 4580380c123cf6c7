"""
A cloth with a step for each vertex
===================================

An XPBD cloth falls over a ball. In each time step the solver says where the cloth wants to go, and the cloth goes as far as
is proven to be free of contact. One step for the whole cloth ends at its first contact, also for the vertices that nothing
touches. With a step for each vertex only those in contact stop.
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


N = 29
u, v = np.meshgrid(np.linspace(-1, 1, N), np.linspace(-1, 1, N), indexing="ij")
cloth, threads = surface(np.stack([u, v, 0.55 + 0.01 * u * v], axis=-1))
theta, phi = np.meshgrid(np.linspace(0, 2 * np.pi, 33), np.linspace(0.02, np.pi - 0.02, 17), indexing="ij")
ball, shell = surface(0.5 * np.stack([np.sin(phi) * np.cos(theta), np.sin(phi) * np.sin(theta), np.cos(phi)], axis=-1))

start = np.vstack([cloth, ball])
moving = np.arange(len(start)) < len(cloth)
mesh = ccd.Mesh(faces=np.vstack([threads, shell + len(cloth)]), vertices=len(start))
mesh.set_static(~moving)

# %%
# The solver: gravity, and springs between neighbors, along diagonals, and between every second vertex, which resist bending.
# XPBD projects them color by color; the springs of a color share no vertex.

index = np.arange(N * N).reshape(N, N)
springs = []
for a, b, compliance in (
    (index[:-1], index[1:], 0.0), (index[:, :-1], index[:, 1:], 0.0), (index[:-1, :-1], index[1:, 1:], 3e-4),
    (index[:-1, 1:], index[1:, :-1], 3e-4), (index[:-2], index[2:], 3e-3), (index[:, :-2], index[:, 2:], 3e-3),
):  # fmt: skip
    rows, columns = np.indices(a.shape)
    color = 3 * (rows % 3) + columns % 3
    springs += [(a[color == k], b[color == k], compliance) for k in range(9)]
lengths = [np.linalg.norm(cloth[a] - cloth[b], axis=1) for a, b, _ in springs]


def predict(x, velocity, dt):
    """Where the cloth wants to go: the positions after a time step without contact."""
    y = x.copy()
    y[moving] += dt * velocity[moving] + dt**2 * np.array([0, 0, -10.0])
    multipliers = [np.zeros(len(length)) for length in lengths]
    for _ in range(15):
        for (a, b, compliance), length, multiplier in zip(springs, lengths, multipliers):
            along = y[b] - y[a]
            now = np.linalg.norm(along, axis=1)
            soft = compliance / dt**2
            change = (now - length - soft * multiplier) / (2 + soft)
            multiplier += change
            correction = (change / now)[:, None] * along
            y[a] += correction
            y[b] -= correction
    return y


# %%
# The two loops differ in how far they go. ``sizes`` keeps the cloth 0.004 from the ball and from itself; a pair that is nearer
# keeps nine tenths of its distance, while other vertices go on. For ``advance`` a pair within the separation ends every step,
# so its separation is small.


def advance(x, y):
    return ccd.step.advance(mesh, x, y, 0.9, min_separation=1e-4).x


def sizes(x, y):
    return ccd.step.sizes(mesh, x, y, min_separation=0.004, keep_ratio=0.9).y


def simulate(take, steps=60, dt=0.01):
    x, velocity = start, np.zeros_like(start)
    for _ in range(steps):
        moved = take(x, predict(x, velocity, dt))
        velocity = 0.99 * (moved - x) / dt
        x = moved
    return x


ends = {"one step for all": simulate(advance), "a step for each vertex": simulate(sizes)}
for name, x in ends.items():
    print(f"{name}: the lowest point at {x[moving, 2].min():.2f}, intersections {ccd.proximity.intersects(mesh, x)}")

# %%
# The left cloth stopped, corners and all, where its middle touched the ball.

figure = plt.figure(figsize=(9, 4.2))
for place, (name, x) in enumerate(ends.items(), 1):
    axes = figure.add_subplot(1, 2, place, projection="3d", computed_zorder=False)
    triangles = np.vstack([0.95 * x[shell + len(cloth)], x[threads]])  # a smaller ball, so that no triangle of it shows
    colors = np.array([[0.55, 0.58, 0.62]] * len(shell) + [[0.04, 0.41, 0.85]] * len(threads))
    axes.add_collection3d(Poly3DCollection(triangles, facecolors=colors, edgecolors=colors, linewidth=0.4, shade=True))
    axes.set(title=name, xlim=(-0.8, 0.8), ylim=(-0.8, 0.8), zlim=(-0.85, 0.55))
    axes.set_box_aspect((8, 8, 7), zoom=1.35)
    axes.set_axis_off()
    axes.view_init(18, -60)
figure.subplots_adjust(0, 0, 1, 0.95, 0)
plt.show()
