"""Three scenes of [Chen2024] with libccd: a body of triangles and a torus, two tori, a cloth on the Utah teapot.

python run.py [--out FOLDER] [--only figure1|figure7|figure9] [--frames N]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import ccd
import draw
import shapes

RED, GOLD, TEAL, BLUE = (0.78, 0.22, 0.20), (0.93, 0.70, 0.20), (0.16, 0.55, 0.53), (0.42, 0.55, 0.75)


def turned(points: np.ndarray, axis: tuple, angle: float) -> np.ndarray:
    """Points turned about an axis through the origin."""
    k = np.array(axis) / np.linalg.norm(axis)
    c, s = np.cos(angle), np.sin(angle)
    return points * c + np.cross(k, points) * s + np.outer(points @ k, k) * (1 - c)


def figure1(out: Path, _: int) -> None:
    """A body of 320 linear triangles and a torus of 16 rational patches, both turning, their motion cut into straight steps."""
    a, b = shapes.blob(), shapes.torus(1.4, 0.45)
    one, two = a.body(), b.body()

    def at(t: float) -> tuple[np.ndarray, np.ndarray]:
        return (
            turned(a.points, (0.3, 1, 0.2), 1.5 * t) + np.array([3 - 3.2 * t, 0.1, 0.35 + 0.1 * t]),
            turned(turned(b.points, (0, 1, 0), 0.9), (0, 0, 1), -1.2 * t) + np.array([-1.2 + 0.3 * t, 0, 0.2]),
        )

    dt = 0.02
    for k in range(60):
        (a0, b0), (a1, b1) = at(k * dt), at((k + 1) * dt)
        hit = ccd.patch.earliest(one, a0, a1, two, b0, b1)
        if hit.contact:
            break
    else:
        raise SystemExit("figure 1: the bodies never met")
    took = np.inf
    for _ in range(20):  # the least: other programs run as well
        start = time.perf_counter()
        ccd.patch.earliest(one, a0, a1, two, b0, b1)
        took = min(took, time.perf_counter() - start)
    print(f"figure 1: step {k}, t = {(k + hit.toi_lo) * dt:.6f}, triangle {hit.a}, patch {hit.b}; {1e3 * took:.2f} ms the step")
    parts = [(x0 + hit.toi_lo * (x1 - x0), s, c) for x0, x1, s, c in ((a0, a1, a, GOLD), (b0, b1, b, TEAL))]
    parts = [(*s.triangles(x, 24), c, 1.0) for x, s, c in parts]
    point = np.array([hit.point])
    far = draw.picture(parts, point, (1.2, -7, 2.6), (0, 0, 0.3), (420, 320), 0.06)
    side = np.cross(hit.normal, (0.1, 0.2, 1))  # along the surfaces, so that the gap beside the point is seen
    side *= (-7 if side[1] > 0 else 7) / np.linalg.norm(side)
    close = draw.picture(parts, point, hit.point + side, hit.point, (420, 320), 0.015, zoom=7)
    draw.save([far, close], out / "patches-figure1.png")


def figure9(out: Path, _: int) -> None:
    """A torus dropped flat on another: the contact is a circle, sampled at least 1 and 0.1 apart."""
    s = shapes.torus(2, 0.6)
    body, step = s.body(), np.array([0, 0, 1.0])
    images = []
    for apart in (1.0, 0.1):
        start = time.perf_counter()
        ends = s.points + 1.7 * step, s.points + 0.7 * step
        sample = {"t_window": 1e-3, "min_distance": apart}
        hits = ccd.patch.manifold(body, *ends, body, s.points, s.points, **sample, tolerance=1e-6)
        took = time.perf_counter() - start
        r = np.hypot(hits["point"][:, 0], hits["point"][:, 1])
        print(
            f"figure 9: {len(hits)} points {apart:g} apart, at t = {hits['toi_lo'][0]:.9f}, "
            f"radii {r.min():.4f} to {r.max():.4f}; {1e3 * took:.0f} ms"
        )
        lower = (*s.triangles(s.points, 24), TEAL, 1.0)
        upper = (*s.triangles(s.points + 1.2 * step, 24), GOLD, 0.35)
        images.append(draw.picture([lower, upper], hits["point"], (2.6, -6.5, 5.2), (0, 0, 0.4), (420, 320), 0.05))
    draw.save(images, out / "patches-figure9.png")


def figure7(out: Path, frames: int) -> None:
    """A cloth of 20 x 20 bicubic patches falls on the 32 patches of the Utah teapot and drapes, kept 0.02 away from it.

    The cloth is a B-spline; its control points are masses on springs. A step goes as far as the library allows, and where it
    stopped the control points lose their speed towards the pot. That is a picture's physics; but each step is
    proven to keep its distance.
    """
    n, size, gap, dt = 20, 6.0, 0.02, 0.03
    pot, cloth = shapes.teapot(), shapes.sheet(n, size, 3.3)
    rest, index = shapes.bezier(cloth.points, n)
    cloth.index = index
    one, two = ccd.patch.Body(len(rest), cloth.form, index), pot.body()
    x, v = cloth.points.copy(), np.zeros_like(cloth.points)
    m, h = n + 3, size / n
    k = np.arange(m * m).reshape(m, m)
    springs = [(k[:-1], k[1:], h, 900), (k[:, :-1], k[:, 1:], h, 900), (k[:-1, :-1], k[1:, 1:], h * 2**0.5, 200),
               (k[1:, :-1], k[:-1, 1:], h * 2**0.5, 200), (k[:-2], k[2:], 2 * h, 40),
               (k[:, :-2], k[:, 2:], 2 * h, 40)]  # fmt: skip
    springs = [(a.ravel(), b.ravel(), length, stiff) for a, b, length, stiff in springs]
    images, spent, calls, least = [], 0.0, 0, 1.0
    for frame in range(frames):
        fine = 8
        y = x.copy()
        for _ in range(fine):
            force = np.zeros_like(y) - [0, 0, 6.0]
            for a, b, length, stiff in springs:
                d = y[b] - y[a]
                norm = np.linalg.norm(d, axis=1, keepdims=True)
                pull = stiff * (norm - length) * d / norm
                np.add.at(force, a, pull)
                np.add.at(force, b, -pull)
            v = (v + dt / fine * force) * 0.996
            y = y + dt / fine * v
        for _ in range(12):  # what is in the way stops; the rest goes on
            start = time.perf_counter()
            hits = ccd.patch.collisions(one, shapes.bezier(x, n)[0], shapes.bezier(y, n)[0], two, pot.points, pot.points,
                                        min_separation=gap, tolerance=1e-4, max_iterations=3000)  # fmt: skip
            spent, calls = spent + time.perf_counter() - start, calls + 1
            if len(hits) == 0:
                break
            move = y - x
            for hit in hits:
                i, j = divmod(int(hit["a"]), n)
                near = k[i : i + 4, j : j + 4].ravel()
                into = np.minimum(move[near] @ hit["normal"], 0)[:, None] * hit["normal"]
                move[near] -= into
                v[near] -= np.minimum(v[near] @ hit["normal"], 0)[:, None] * hit["normal"]
                move[near] *= 0.7
                v[near] *= 0.9
            y = x + move
        else:
            safe = 0.9 * float(hits["toi_lo"][0])
            least = min(least, safe)
            y = x + safe * (y - x)
        x = y
        if frame in (frames // 3, frames - 1):
            c = cloth.triangles(shapes.bezier(x, n)[0], 5)
            parts = [(*pot.triangles(pot.points, 16), TEAL, 1.0), (*c, RED, 0.85)]
            images.append(draw.picture(parts, np.zeros((0, 3)), (5, -9.5, 6.5), (0.2, 0, 1.0), (420, 320), 0.05))
    print(f"figure 7: {frames} steps, {calls} calls, {1e3 * spent / calls:.0f} ms each, least part of a step {least:.3g}")
    draw.save(images, out / "patches-figure7.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("build/example-patches"))
    parser.add_argument("--only", choices=("figure1", "figure7", "figure9"))
    parser.add_argument("--frames", type=int, default=60, help="steps of the cloth (60)")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name, scene in (("figure1", figure1), ("figure9", figure9), ("figure7", figure7)):
        if given.only in (None, name):
            scene(given.out, given.frames)


if __name__ == "__main__":
    main()
