"""A cloth falls on another one, with its vertices on a GPU in arrays of CuPy, PyTorch or Warp.

python arrays.py [cupy] [torch] [warp]

Without arguments it tries all three, and skips those that are not installed or find no device of CUDA. The library reads the
arrays where they are, and the package reads the times of impact and the pairs where the library put them, on the device.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ccd

SIDE = 40


class Skipped(Exception):
    """A package is not installed, or finds no device."""


def cloths() -> tuple[ccd.Mesh, NDArray[np.float32], NDArray[np.float32]]:
    """Two square cloths, the upper one with waves, and a velocity for each vertex."""
    corner = (np.arange(SIDE - 1)[:, None] * SIDE + np.arange(SIDE - 1)).ravel()
    sides = (corner, corner + 1, corner + SIDE), (corner + 1, corner + SIDE + 1, corner + SIDE)
    faces = np.vstack([np.stack(side, 1) for side in sides])
    u, v = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 1, SIDE), np.linspace(0, 1, SIDE)))
    lower = np.stack([u, v, np.zeros_like(u)], 1)
    upper = np.stack([u + 0.01, v + 0.007, 0.1 + 0.02 * np.sin(9 * u) * np.cos(7 * v)], 1)
    speed = np.repeat([[0, 0, 0], [0, 0, -0.2]], SIDE * SIDE, 0)
    mesh = ccd.Mesh(faces=np.vstack([faces, faces + SIDE * SIDE]))
    return mesh, np.vstack([lower, upper]).astype(np.float32), speed.astype(np.float32)


def with_cupy(x: NDArray[np.float32], speed: NDArray[np.float32]) -> tuple[Any, Any]:
    """Positions before and after a step, by a kernel of CuPy on a stream of its own."""
    import cupy

    if not cupy.cuda.is_available():
        raise Skipped("no device of CUDA")
    with cupy.cuda.Stream(non_blocking=True):
        x0 = cupy.asarray(x)
        return x0, x0 + cupy.asarray(speed)  # the library waits for the stream


def with_torch(x: NDArray[np.float32], speed: NDArray[np.float32]) -> tuple[Any, Any]:
    """The same in PyTorch."""
    import torch

    if not torch.cuda.is_available():
        raise Skipped("no device of CUDA")
    x0 = torch.from_numpy(x).cuda()
    return x0, x0 + torch.from_numpy(speed).cuda()


def with_warp(x: NDArray[np.float32], speed: NDArray[np.float32]) -> tuple[Any, Any]:
    """The same in Warp, whose vec3 are three floats side by side."""
    import warp as wp

    if not wp.is_cuda_available():
        raise Skipped("no device of CUDA")
    x0: Any = wp.array(x, dtype=wp.vec3, device="cuda")
    x1: Any = wp.array(x + speed, dtype=wp.vec3, device="cuda")
    return x0, x1


def read_cupy(hits: ccd.DeviceColumns) -> tuple[float, int]:
    """The first time of impact and the largest index of a pair, by kernels of CuPy."""
    import cupy

    return float(cupy.from_dlpack(hits["toi_lo"]).min()), int(cupy.from_dlpack(hits["pairs"]).max())


def read_torch(hits: ccd.DeviceColumns) -> tuple[float, int]:
    """The same in PyTorch."""
    import torch

    return float(torch.from_dlpack(hits["toi_lo"]).min()), int(torch.from_dlpack(hits["pairs"]).max())


def read_warp(hits: ccd.DeviceColumns) -> tuple[float, int]:
    """The same in Warp."""
    import warp as wp

    times: Any = wp.from_dlpack(hits["toi_lo"])
    pairs: Any = wp.from_dlpack(hits["pairs"])
    return float(times.numpy().min()), int(pairs.numpy().max())


Put = Callable[[NDArray[np.float32], NDArray[np.float32]], tuple[Any, Any]]
Read = Callable[[ccd.DeviceColumns], tuple[float, int]]

PACKAGES: dict[str, tuple[Put, Read]] = {
    "cupy": (with_cupy, read_cupy),
    "torch": (with_torch, read_torch),
    "warp": (with_warp, read_warp),
}


def main(names: list[str]) -> int:
    mesh, x, speed = cloths()
    expected, listed = ccd.step.earliest(mesh, x, x + speed), ccd.step.collisions(mesh, x, x + speed)
    for name in names or PACKAGES:
        put, read = PACKAGES[name]
        try:
            x0, x1 = put(x, speed)
        except (ImportError, Skipped) as reason:
            print(f"{name}: skipped ({reason})")
            continue
        stats = ccd.Stats()
        hit = ccd.step.earliest(mesh, x0, x1, device="gpu", stats=stats)
        impacts = ccd.step.collisions_on_device(mesh, x0, x1, device="gpu")
        first, largest = read(impacts)
        if (
            hit != expected
            or not stats.device_used
            or first != hit.toi_lo
            or largest != max(listed["a"].max(), listed["b"].max())
        ):
            print(f"{name}: {hit}, not {expected}; {first} and {largest} on the device")
            return 1
        print(f"{name}: {len(impacts['toi_lo'])} impacts, the first at t = {hit.toi_lo}, as on the CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
