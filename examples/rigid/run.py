"""A box of spinning gears and blobs that settle. See README.md."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from draw import sheet
from shapes import blob, gear, tray
from world import World


def build(count: int, seed: int = 1) -> World:
    """A grid of bodies above the tray, turned and spinning at random."""
    rng = np.random.default_rng(seed)
    side = max(2, round((count / 3) ** (1 / 3) * 1.45))
    pitch = 1.25
    half = pitch * side / 2 + 0.1
    layers = -(-count // side**2)
    # Moments per mass: of a solid cylinder for the gear, of a ball for the blob.
    r, h = 0.43, 0.26
    across = r * r / 4 + h * h / 12
    moments = [(1, 1, 1), (across, across, r * r / 2), 3 * (0.4 * 0.4**2,)]
    shapes = 1 + rng.permutation(count) % 2
    world = World([tray(half, pitch * (layers + 0.5)), gear(), blob()], moments, [0, *shapes])
    grid = np.array([(k % side, k // side % side, k // side**2) for k in range(count)], float)
    world.x[1:] = (grid - ((side - 1) / 2, (side - 1) / 2, -0.6)) * pitch
    world.q[1:] = rng.normal(size=(count, 4))
    world.q /= np.linalg.norm(world.q, axis=1)[:, None]
    world.v[1:] = rng.normal(size=(count, 3)) * 0.5 - (0, 0, 4)
    world.w[1:] = rng.normal(size=(count, 3)) * 6
    return world


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--bodies", type=int, default=200)
    given.add_argument("--frames", type=int, default=90)
    given.add_argument("--dt", type=float, default=1 / 60)
    given.add_argument("--pictures", type=int, default=6)
    given.add_argument("--out", type=Path, default=Path("build/example-rigid"))
    args = given.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    world, kept, began = build(args.bodies), [], time.perf_counter()
    wanted = set(np.linspace(0, args.frames, args.pictures).round().astype(int))
    bad = 0
    for k in range(args.frames + 1):
        if k:
            world.frame(args.dt)
        bad += world.intersections() > 0
        if k in wanted:
            kept.append(world.vertices())
        energy = 0.5 * float((world.v[1:] ** 2).sum()) - float(world.x[1:, 2].sum()) * -9.81
        took = time.perf_counter() - began
        print(f"frame {k}: {world.events} events, energy {energy:.1f}, frames that intersect {bad}, {took:.1f} s", flush=True)
    sheet(world, kept, args.out / "rigid.png")
    if bad:
        raise SystemExit(f"{bad} frames intersect")


if __name__ == "__main__":
    main()
