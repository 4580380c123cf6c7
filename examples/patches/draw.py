"""Pictures of bodies, by the rasterizer of examples/ipc."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
from PIL import Image

_SUN = np.array([0.35, -0.45, 0.82]) / np.linalg.norm([0.35, -0.45, 0.82])


def _rasterizer():
    """examples/ipc/draw.py, whose own import of its scene is answered by an empty module."""
    import sys
    import types

    sys.modules.setdefault("scene", types.ModuleType("scene")).__dict__.setdefault("Scene", object)
    spec = importlib.util.spec_from_file_location("ipc_draw", Path(__file__).parent.parent / "ipc" / "draw.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_ipc = _rasterizer()


def picture(
    parts: list, marks: np.ndarray, eye, target, size: tuple[int, int], mark: float, zoom: float = 1.6, over: int = 2
) -> Image.Image:
    """Parts (vertices, faces, color, opacity) seen from eye; marks are points drawn as small balls, which nothing hides."""
    w, h = over * size[0], over * size[1]
    camera = _ipc.Camera(np.asarray(eye, float), np.asarray(target, float), w, h, zoom)
    image, seen = np.ones((h, w, 3)) * [0.95, 0.96, 0.98], np.full((h, w), np.inf)
    for x, faces, color, opacity in sorted(parts, key=lambda part: -part[3]):
        face, bary = _ipc.raster(camera(x), faces, w, h, fov=True)
        hit = face >= 0
        corners, weights = faces[face[hit]], bary[hit][:, :, None]
        point = (weights * x[corners]).sum(axis=1)
        n = (weights * _ipc.normals(x, faces)[corners]).sum(axis=1)
        if len(faces) < 1000:  # linear triangles: flat, as they are
            n = np.cross(x[corners[:, 1]] - x[corners[:, 0]], x[corners[:, 2]] - x[corners[:, 0]])
        n /= np.maximum(np.linalg.norm(n, axis=1), 1e-30)[:, None]
        view = camera.eye - point
        view /= np.linalg.norm(view, axis=1)[:, None]
        n *= np.where((n * view).sum(axis=1) < 0, -1, 1)[:, None]
        half = (view + _SUN) / np.linalg.norm(view + _SUN, axis=1)[:, None]
        light = 0.45 + 0.12 * n[:, 2] + 0.5 * np.maximum(n @ _SUN, 0)
        shade = np.array(color) * light[:, None] + 0.2 * np.maximum((n * half).sum(axis=1), 0)[:, None] ** 40
        depth = np.full((h, w), np.inf)
        depth[hit] = camera(point)[:, 2]
        front = hit & (depth <= seen)
        image[front] = opacity * shade[front[hit]] + (1 - opacity) * image[front]
        seen = np.minimum(seen, depth)
    for column, row, depth in camera(np.atleast_2d(marks)) if len(marks) else ():
        r = mark * camera.scale / depth
        y, x = np.ogrid[:h, :w]
        image[(x - column) ** 2 + (y - row) ** 2 <= r * r] = (0.1, 0.2, 0.9)
    image = np.clip(image, 0, 1).reshape(size[1], over, size[0], over, 3).mean(axis=(1, 3))
    return Image.fromarray((255 * image + 0.5).astype(np.uint8))


def save(images: list[Image.Image], path: Path) -> None:
    """Side by side."""
    _ipc.sheet(images, len(images)).save(path, optimize=True)
