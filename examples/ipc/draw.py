"""Pictures of a scene: a small rasterizer with a depth buffer, smooth shading and a soft shadow, in NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from scene import Scene

SUN = np.array([0.35, -0.45, 0.82]) / np.linalg.norm([0.35, -0.45, 0.82])
SKY = np.array([0.93, 0.95, 0.97])
COLORS = {
    "cloth": (0.78, 0.22, 0.20),
    "lying ring": (0.93, 0.70, 0.20),
    "upright ring": (0.16, 0.55, 0.53),
    "ball": (0.28, 0.42, 0.66),
    "floor": (0.90, 0.89, 0.86),
}
CHECK = (0.93, 0.84, 0.76)  # the cloth's other color


class Camera:
    """Maps points to (column, row, depth) in pixels of an image of w x h. Without a field of view it is orthographic."""

    def __init__(self, eye: np.ndarray, target: np.ndarray, w: int, h: int, scale: float, fov: bool = True):
        back = np.asarray(eye, float) - target
        back /= np.linalg.norm(back)
        right = np.cross([0, 0, 1.0], back)
        right /= np.linalg.norm(right)
        self.rows, self.eye = np.array([right, np.cross(back, right), back]), np.asarray(eye, float)
        self.w, self.h, self.scale, self.fov = w, h, scale * h, fov

    def __call__(self, x: np.ndarray) -> np.ndarray:
        p = (x - self.eye) @ self.rows.T
        depth = -p[:, 2]
        size = self.scale / depth if self.fov else np.full_like(depth, self.scale)
        return np.stack([self.w / 2 + size * p[:, 0], self.h / 2 - size * p[:, 1], depth], axis=1)


def raster(p: np.ndarray, faces: np.ndarray, w: int, h: int, fov: bool) -> tuple[np.ndarray, np.ndarray]:
    """The nearest face at each pixel (h, w), -1 for none, and the weights of its corners there (h, w, 3).

    Faces whose boxes have about the same size in pixels are tested together, each on a square of that size.
    """
    key = 1 / p[:, 2] if fov else -p[:, 2]  # grows towards the eye, and is linear on the screen
    corners, keys = p[faces][:, :, :2], key[faces]
    lo = np.maximum(np.ceil(corners.min(axis=1) - 0.5), 0).astype(int)
    hi = np.minimum(np.floor(corners.max(axis=1) - 0.5), [w - 1, h - 1]).astype(int)
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    power = np.ceil(np.log2(np.maximum((hi - lo).max(axis=1) + 1, 1)))
    power[(lo > hi).any(axis=1) | (area == 0)] = -1
    samples = []
    for exponent in np.unique(power[power >= 0]):
        at = np.flatnonzero(power == exponent)
        side = np.arange(2 ** int(exponent))
        column, row = (lo[at, axis, None] + side for axis in (0, 1))
        px, py = (column + 0.5 - corners[at, 0, 0, None])[:, None, :], (row + 0.5 - corners[at, 0, 1, None])[:, :, None]
        b, c = ((px * e[at, 1, None, None] - py * e[at, 0, None, None]) / f[at, None, None] for e, f in ((v, area), (u, -area)))
        i, j, k = np.nonzero((b >= 0) & (c >= 0) & (b + c <= 1) & (column < w)[:, None, :] & (row < h)[:, :, None])
        b, c, at = b[i, j, k], c[i, j, k], at[i]
        depth = keys[at, 0] + b * (keys[at, 1] - keys[at, 0]) + c * (keys[at, 2] - keys[at, 0])
        samples.append((depth, row[i, j] * w + column[i, k], at, np.stack([1 - b - c, b, c], axis=1)))
    depth, pixel, at, weights = (np.concatenate(part) for part in zip(*samples))
    if fov:  # weights in space, not on the screen
        weights = weights * keys[at]
        weights /= weights.sum(axis=1)[:, None]
    order = np.lexsort([depth, pixel])
    order = order[np.append(np.diff(pixel[order]) > 0, True)]  # the last of each pixel is the nearest
    face, bary = np.full(h * w, -1), np.zeros((h * w, 3))
    face[pixel[order]], bary[pixel[order]] = at[order], weights[order]
    return face.reshape(h, w), bary.reshape(h, w, 3)


def normals(x: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Unit normals at the vertices, weighted by area."""
    n = np.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]])
    out = np.zeros_like(x)
    for k in range(3):
        np.add.at(out, faces[:, k], n)
    return out / np.maximum(np.linalg.norm(out, axis=1), 1e-30)[:, None]


def colors(scene: Scene) -> np.ndarray:
    """One for each face; the cloth is checkered, so that a person can see how it is pulled."""
    out = np.empty((len(scene.faces), 3))
    for name, part in scene.parts.items():
        out[(scene.faces[:, 0] >= part.start) & (scene.faces[:, 0] < part.stop)] = COLORS[name]
    cloth = np.flatnonzero(scene.faces[:, 0] < scene.parts["cloth"].stop)
    rest = scene.x[scene.faces[cloth]].mean(axis=1)
    side = np.ptp(scene.x[scene.parts["cloth"], 0])
    quad = np.floor((rest[:, :2] - scene.x[0, :2]) / side * (round(scene.parts["cloth"].stop ** 0.5) - 1))
    cell = (quad // 5).astype(int)
    out[cloth[cell.sum(axis=1) % 2 == 1]] = CHECK
    return out


def shadow(x: np.ndarray, faces: np.ndarray, points: np.ndarray, size: int = 900) -> np.ndarray:
    """How much of the sun reaches each point, in [0, 1]."""
    camera = Camera(4 * SUN, np.zeros(3), size, size, 0.36, fov=False)
    p = camera(x)
    face, bary = raster(p, faces, size, size, fov=False)
    depth = np.where(face >= 0, (bary * p[:, 2][faces[face]]).sum(axis=-1), np.inf)
    q = camera(points)
    lit = np.zeros(len(points))
    outside = (q[:, :2] < 0).any(axis=1) | (q[:, :2] > size).any(axis=1)
    taps = [(i, j) for i in range(-3, 4) for j in range(-3, 4) if i * i + j * j <= 10]
    for i, j in taps:
        column = np.clip(np.round(q[:, 0] - 0.5 + i).astype(int), 0, size - 1)
        row = np.clip(np.round(q[:, 1] - 0.5 + j).astype(int), 0, size - 1)
        lit += (depth[row, column] > q[:, 2] - 0.025) | outside
    return lit / len(taps)


def picture(scene: Scene, x: np.ndarray, w: int, h: int, over: int = 2) -> Image.Image:
    """The scene with its vertices at x."""
    w, h = over * w, over * h
    camera = Camera(np.array([1.25, -2.2, 1.45]), np.array([-0.02, 0.02, 0.36]), w, h, 1.47)
    faces = scene.faces
    face, bary = raster(camera(x), faces, w, h, fov=True)
    hit = face >= 0
    corners, weights = faces[face[hit]], bary[hit][:, :, None]
    point = (weights * x[corners]).sum(axis=1)
    n = (weights * normals(x, faces)[corners]).sum(axis=1)
    n /= np.maximum(np.linalg.norm(n, axis=1), 1e-30)[:, None]
    view = camera.eye - point
    view /= np.linalg.norm(view, axis=1)[:, None]
    n *= np.where((n * view).sum(axis=1) < 0, -1, 1)[:, None]  # both sides of the cloth are seen
    lift = point + 0.012 * n
    sun = np.maximum(n @ SUN, 0) * shadow(x, faces, lift)
    half = view + SUN
    half /= np.linalg.norm(half, axis=1)[:, None]
    shine = np.where(face[hit] >= len(faces) - 2, 0, 0.22) * np.maximum((n * half).sum(axis=1), 0) ** 40 * (sun > 0)
    light = 0.42 + 0.13 * n[:, 2] + 0.62 * sun
    color = colors(scene)[face[hit]] * light[:, None] + shine[:, None]
    fade = np.clip((np.linalg.norm(point[:, :2], axis=1) - 1.3) / 0.65, 0, 1)[:, None]  # the floor ends in the sky
    fade = np.where(face[hit][:, None] >= len(faces) - 2, fade, 0)
    image = np.empty((h, w, 3))
    image[:] = SKY
    image[hit] = color * (1 - fade) + SKY * fade
    image = np.clip(image, 0, 1) ** (1 / 1.15)
    small = image.reshape(h // over, over, w // over, over, 3).mean(axis=(1, 3))
    return Image.fromarray((255 * small + 0.5).astype(np.uint8))


def sheet(images: list[Image.Image], columns: int) -> Image.Image:
    """The images in rows, a little apart."""
    w, h = images[0].size
    rows, gap = -(-len(images) // columns), 4
    out = Image.new("RGB", (columns * (w + gap) - gap, rows * (h + gap) - gap), "white")
    for k, image in enumerate(images):
        out.paste(image, (k % columns * (w + gap), k // columns * (h + gap)))
    return out


def save_png(image: Image.Image, path: Path) -> None:
    """With 200 colors, which the eye does not miss and which keep the file small."""
    image.quantize(200, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)


def save_gif(images: list[Image.Image], path: Path, milliseconds: int) -> None:
    palette = sheet([images[0], images[len(images) // 4], images[-1]], 3).quantize(128)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, optimize=True)
