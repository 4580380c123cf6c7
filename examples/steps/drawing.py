"""Pictures of triangles: a depth buffer, flat shading and PNG by zlib, in NumPy."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SUN = np.array([0.35, -0.45, 0.82]) / np.linalg.norm([0.35, -0.45, 0.82])
SKY = 0.955


@dataclass
class Camera:
    """An orthographic view from a direction: `scale` pixels for a unit of length, `center` in the middle of the picture."""

    back: Sequence[float]
    center: Sequence[float]
    scale: float

    def __call__(self, x: Floats, w: int, h: int) -> Floats:
        """Columns, rows, and heights towards the eye."""
        back = np.asarray(self.back, float) / np.linalg.norm(self.back)
        right = np.cross([0, 0, 1.0], back)
        right /= np.linalg.norm(right)
        p = (x - self.center) @ np.array([right, -np.cross(back, right), back]).T * self.scale
        return p + np.array([w / 2, h / 2, 0])


def picture(x: Floats, faces: NDArray[np.integer], colors: Floats, camera: Camera, w: int, h: int) -> NDArray[np.uint8]:
    """An image (h, w, 3). Both sides of a face are seen; it is drawn twice as large, and averaged."""
    p = camera(x, 2 * w, 2 * h)
    normal = np.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    normal *= np.where(normal @ np.asarray(camera.back, float) < 0, -1, 1)[:, None]
    shade = colors * (0.45 + 0.12 * normal[:, 2] + 0.5 * np.maximum(normal @ SUN, 0))[:, None]
    seen = raster(p, faces, 2 * w, 2 * h)
    image = np.where(seen[..., None] >= 0, shade[seen], SKY)
    small = np.clip(image, 0, 1).reshape(h, 2, w, 2, 3).mean(axis=(1, 3))
    return (255 * small + 0.5).astype(np.uint8)


def raster(p: Floats, faces: NDArray[np.integer], w: int, h: int) -> NDArray[np.int64]:
    """The face that is seen at each pixel, -1 for none. Faces whose boxes are of about one size are tested together."""
    corners = p[faces]
    low = np.clip(np.ceil(corners[:, :, :2].min(axis=1) - 0.5), 0, [w, h]).astype(np.int64)
    size = np.clip(np.ceil(corners[:, :, :2].max(axis=1) - 0.5), 0, [w, h]).astype(np.int64) - low
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    side = np.where((size > 0).all(axis=1) & (area != 0), 2 ** np.ceil(np.log2(np.maximum(size.max(axis=1), 1))), 0)
    seen, nearest = np.full(w * h, -1), np.full(w * h, -np.inf)
    for width in np.unique(side[side > 0]).astype(int):
        some = np.flatnonzero(side == width)
        for at in np.array_split(some, 1 + len(some) * width**2 // 4_000_000):
            columns, rows = (low[at, axis, None] + np.arange(width) for axis in (0, 1))
            dx = (columns + 0.5 - a[at, 0, None])[:, None, :]
            dy = (rows + 0.5 - a[at, 1, None])[:, :, None]
            s = (dx * v[at, 1, None, None] - dy * v[at, 0, None, None]) / area[at, None, None]
            t = (dy * u[at, 0, None, None] - dx * u[at, 1, None, None]) / area[at, None, None]
            i, j, k = np.nonzero((s >= 0) & (t >= 0) & (s + t <= 1) & (columns < w)[:, None, :] & (rows < h)[:, :, None])
            depth = a[at[i], 2] + s[i, j, k] * u[at[i], 2] + t[i, j, k] * v[at[i], 2]
            pixel, face = rows[i, j] * w + columns[i, k], at[i]
            order = np.argsort(depth, kind="stable")  # the nearest is written last
            pixel, face, depth = pixel[order], face[order], depth[order]
            front = depth > nearest[pixel]
            seen[pixel[front]], nearest[pixel[front]] = face[front], depth[front]
    return seen.reshape(h, w)


def sheet(images: Sequence[NDArray[np.uint8]], columns: int) -> NDArray[np.uint8]:
    """The images in rows, a little apart."""
    framed = [np.pad(image, ((2, 2), (2, 2), (0, 0)), constant_values=255) for image in images]
    rows = [np.concatenate(framed[i : i + columns], axis=1) for i in range(0, len(framed), columns)]
    return np.concatenate(rows)


def write_png(path: Path, image: NDArray[np.uint8]) -> None:
    """Six bits of a channel, which pack well."""
    h, w, _ = image.shape
    raw = np.zeros((h, 1 + 3 * w), np.uint8)
    raw[:, 1:] = image.reshape(h, -1) & 0xFC

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw.tobytes(), 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
