"""A sheet of pictures: flat shading and a depth buffer in NumPy, and PNG by zlib."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from world import World

SUN = np.array([0.35, -0.45, 0.82]) / np.linalg.norm([0.35, -0.45, 0.82])
COLORS = np.array([(0.90, 0.89, 0.86), (0.93, 0.70, 0.20), (0.28, 0.42, 0.66), (0.78, 0.22, 0.20), (0.16, 0.55, 0.53)])
SKY, STEPS = 244, 24  # few shades pack well


def picture(world: World, x: np.ndarray, w: int, h: int) -> np.ndarray:
    """The world from above one corner; of the tray only what faces away."""
    back = np.array([0.45, -1.0, 0.75])
    back /= np.linalg.norm(back)
    right = np.cross([0, 0, 1.0], back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    tray = world.surfaces[0][0]
    low, high = (tray @ up).min(), (tray @ up).max()
    scale = min(h / (high - low), w / np.ptp(tray @ right)) * 0.96
    p = np.stack([w / 2 + scale * (x @ right), h / 2 - scale * (x @ up - (low + high) / 2), x @ back], axis=1)
    image, depth = np.full((h, w, 3), SKY, np.uint8), np.full((h, w), -np.inf)
    body = np.repeat(np.arange(len(world.shape)), [len(world.surfaces[k][1]) for k in world.shape])
    for triangle, owner in zip(np.asarray(world.mesh.faces), body):
        a, b, c = x[triangle]
        n = np.cross(b - a, c - a)
        n /= np.linalg.norm(n)
        if owner == 0:
            n = n if n @ (0, 0, 1) > 0.5 else -np.sign(n @ (a + b + c)) * n  # inwards
            if n @ back < 0:
                continue  # the walls in front
        elif n @ back <= 0:
            continue
        color = COLORS[0] if owner == 0 else COLORS[2 * world.shape[owner] - owner % 2]
        light = np.round(STEPS * (0.45 + 0.55 * max(n @ SUN, 0))) / STEPS
        _fill(image, depth, p[triangle], (255 * light * color).astype(np.uint8))
    return image


def _fill(image: np.ndarray, depth: np.ndarray, t: np.ndarray, color: np.ndarray) -> None:
    h, w = depth.shape
    x0, y0 = np.maximum(np.floor(t[:, :2].min(axis=0)), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(t[:, :2].max(axis=0)) + 1, (w, h)).astype(int)
    if x0 >= x1 or y0 >= y1:
        return
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = t
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if area == 0:
        return
    x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    u = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    v = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    z = az + u * (bz - az) + v * (cz - az)
    part = depth[y0:y1, x0:x1]
    seen = (u >= 0) & (v >= 0) & (u + v <= 1) & (z > part)
    part[seen] = z[seen]
    image[y0:y1, x0:x1][seen] = color


def sheet(world: World, frames: list[np.ndarray], path: Path, w: int = 300, h: int = 300, columns: int = 3) -> None:
    """The frames side by side, drawn twice as large and averaged."""
    tiles = []
    for x in frames:
        big = picture(world, x, 2 * w, 2 * h).astype(np.uint16)
        tiles.append((big[::2, ::2] + big[1::2, ::2] + big[::2, 1::2] + big[1::2, 1::2] + 2) // 4)
    while len(tiles) % columns:
        tiles.append(np.full((h, w, 3), SKY, np.uint16))
    rows = [np.concatenate(tiles[i : i + columns], axis=1) for i in range(0, len(tiles), columns)]
    write_png(path, np.concatenate(rows).astype(np.uint8))


def write_png(path: Path, image: np.ndarray) -> None:
    """Six bits of a channel, which pack well."""
    h, w, _ = image.shape
    raw = np.zeros((h, 1 + 3 * w), np.uint8)
    raw[:, 1:] = image.reshape(h, -1) & 0xFC

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw.tobytes(), 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
