"""Writes the scenes of the device check: python scenes.py FOLDER. Two are of the data, where there is any, one is made."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import ccd
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
REAL = ("cloth-funnel", "cloth-ball")


def cloths(side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two square cloths of side x side vertices with waves, the upper one of which falls through the lower."""
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    sides = (corner, corner + 1, corner + side), (corner + 1, corner + side + 1, corner + side)
    faces = np.vstack([np.stack(three, 1) for three in sides])
    u, v = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side)))
    lower = np.stack([u, v, 0.02 * np.cos(11 * u) * np.sin(8 * v)], 1)
    upper = np.stack([u + 0.31 / side, v + 0.17 / side, 0.1 + 0.03 * np.sin(9 * u) * np.cos(7 * v)], 1)
    x0 = np.vstack([lower, upper])
    x1 = x0 - np.repeat([[0, 0, 0], [0, 0, 0.11]], side * side, 0) + 0.002 * np.sin(40 * x0[:, ::-1])
    return x0, x1, np.vstack([faces, faces + side * side]).astype(np.int32)


def main() -> None:
    folder = Path(sys.argv[1])
    data = Path(os.environ.get("CCD_DATA") or ROOT.parent / "shared" / "data") / "scenes"
    np.savez_compressed(folder / "cloths-20k.npz", **dict(zip(("x0", "x1", "faces"), cloths(100))))
    for name in REAL:
        frames = sorted((data / name / "frames").glob("*"))
        if len(frames) < 2:
            print(f"no data at {data / name} (CCD_DATA): made cloths stand for it")
            held = cloths(60 if name == REAL[0] else 170)
            name = f"cloths-{len(held[0]) // 1000}k"
        else:
            first, second = (ccd.read(frame) for frame in frames[:2])
            held = first.vertices, second.vertices, first.faces
        np.savez_compressed(folder / f"{name}.npz", **dict(zip(("x0", "x1", "faces"), held)))


if __name__ == "__main__":
    main()
