"""A pair of frames that anybody can make: a pinned cloth swept over a ball.

    python frames.py FOLDER [N]

writes FOLDER/frame0.ply and FOLDER/frame1.ply: a cloth of N x N quads (100: 20,000 faces), flat above a ball at the start and
pulled down over it at the end, its four corners held. Only +, -, *, / and the square root are used, which IEEE 754 rounds
correctly: the files have the same bits on every machine.
"""

from __future__ import annotations

import struct
import sys
from math import sqrt
from pathlib import Path

Point = tuple[float, float, float]


def cloth(n: int) -> tuple[list[Point], list[Point], list[tuple[int, int, int]]]:
    """Start, end and faces of the sheet over [-1, 1]^2, half a unit above the ball's center."""
    start, end = [], []
    for j in range(n + 1):
        for i in range(n + 1):
            x, y = 2 * i / n - 1, 2 * j / n - 1
            pull = (1 - x * x) + (1 - y * y)  # 2 in the middle, 0 at the corners
            ripple = 0.02 * (1 - x * x) * (1 - y * y) * ((i * 7 + j * 13) % 5 - 2)
            start.append((x, y, 0.5 + 0.001 * ((i + j) % 2)))
            end.append((x + 0.05 * (1 - y * y), y, 0.5 - 0.4 * pull + ripple))
    faces = []
    for j in range(n):
        for i in range(n):
            a, b = j * (n + 1) + i, (j + 1) * (n + 1) + i
            faces += [(a, a + 1, b + 1), (a, b + 1, b)] if (i + j) % 2 == 0 else [(a, a + 1, b), (a + 1, b + 1, b)]
    return start, end, faces


def ball(levels: int, radius: float) -> tuple[list[Point], list[tuple[int, int, int]]]:
    """An octahedron whose faces were quartered so many times, on the sphere."""
    points: list[Point] = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(levels):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int, middles: dict[tuple[int, int], int] = middles) -> int:
            key = (min(a, b), max(a, b))
            if key not in middles:
                x, y, z = (p + q for p, q in zip(points[key[0]], points[key[1]]))
                length = sqrt(x * x + y * y + z * z)
                middles[key] = len(points)
                points.append((x / length, y / length, z / length))
            return middles[key]

        quartered = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            quartered += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        faces = quartered
    return [(radius * x, radius * y, radius * z) for x, y, z in points], faces


def write_ply(path: Path, points: list[Point], faces: list[tuple[int, int, int]]) -> None:
    """Binary little endian, doubles."""
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(points)}\nproperty double x\nproperty double y\nproperty double z\n"
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    body = [struct.pack("<3d", *p) for p in points] + [struct.pack("<B3i", 3, *f) for f in faces]
    path.write_bytes(header.encode() + b"".join(body))


def main() -> None:
    folder, n = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100
    start, end, faces = cloth(n)
    sphere, triangles = ball(min(4, n.bit_length() - 2), 0.4)
    faces += [tuple(len(start) + v for v in t) for t in triangles]
    folder.mkdir(parents=True, exist_ok=True)
    write_ply(folder / "frame0.ply", start + sphere, faces)
    write_ply(folder / "frame1.ply", end + sphere, faces)


if __name__ == "__main__":
    main()
