"""Frames of a volume in motion with its contacts marked: two bars of hexahedra, wrung until they go through each other.

    python volume_frames.py FOLDER [STEPS] [SEARCH]

writes FOLDER/frame1.svg, frame2.svg, ... (6 of them), one at the end of every step: the surface, darker where it turns away,
and a dot at every contact of the step, red between the bars, blue within one, yellow within one element. Prints the contacts
of every step. SEARCH is patches or volccd, which find the same. Needs numpy only.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import ccd

LONG, ACROSS = 24, 3
AROUND = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
QUADS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
COLOURS = {"between-objects": "#d62728", "within-object": "#1f77b4", "within-element": "#e6b800"}
VIEW = np.array([[0.87, 0.5, 0.0], [-0.2, 0.35, 0.91], [0.45, -0.79, 0.4]])  # rows: right, up, towards the eye


def bars() -> tuple[np.ndarray, np.ndarray]:
    """Vertices and corners of the two bars, along x in [-1, 1], on both sides of z = 0."""
    shape = (LONG + 1, ACROSS + 1, ACROSS + 1)
    index = np.arange(np.prod(shape)).reshape(shape)
    x, y, z = (a.ravel() for a in np.meshgrid(range(LONG), range(ACROSS), range(ACROSS), indexing="ij"))
    corners = np.stack([index[x + a, y + b, z + c] for a, b, c in AROUND], -1)
    grid = np.stack(np.meshgrid(*map(range, shape), indexing="ij"), -1).reshape(-1, 3) / (LONG, ACROSS, ACROSS)
    one = (grid - (0.5, 0.5, 0.5)) * (2.0, 0.16, 0.16)
    apart = np.array([0, 0, 0.12])
    return np.concatenate([one - apart, one + apart]), np.concatenate([corners, corners + index.size])


def wrung(rest: np.ndarray, s: float) -> np.ndarray:
    """The bars at the time s of [0, 1]: twisted by one turn from end to end, and drawn towards each other in the middle."""
    x, y, z = rest.T
    z = z - 0.09 * s * (1 - x * x) * np.sign(z)
    angle = np.pi * s * x
    return np.stack([x, np.cos(angle) * y - np.sin(angle) * z, np.sin(angle) * y + np.cos(angle) * z], -1)


def surface(corners: np.ndarray) -> np.ndarray:
    """The sides that one element has alone."""
    sides = corners[:, QUADS].reshape(-1, 4)
    _, first, count = np.unique(np.sort(sides, 1), axis=0, return_index=True, return_counts=True)
    return sides[first[count == 1]]


def draw(x: np.ndarray, sides: np.ndarray, contacts: np.ndarray) -> str:
    """The picture, the farthest sides first."""

    def place(points: np.ndarray) -> np.ndarray:
        return points @ VIEW.T * (380, -380, 1) + (450, 200, 0)

    seen = place(x)[sides]
    normal = np.cross(x[sides[:, 2]] - x[sides[:, 0]], x[sides[:, 3]] - x[sides[:, 1]])
    light = np.abs(normal @ VIEW[2]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 400"><rect width="900" height="400" fill="white"/>']
    for i in np.argsort(seen[:, :, 2].mean(1)):
        corners = " ".join(f"{a:.1f},{b:.1f}" for a, b, _ in seen[i])
        grey = int(110 + 130 * light[i])
        lines.append(f'<polygon points="{corners}" fill="rgb({grey},{grey},{grey})" stroke="#777" stroke-width="0.4"/>')
    for contact in contacts:
        a, b, _ = place(contact["impact"]["point"])
        colour = COLOURS[str(ccd.volume.Class(int(contact["cls"])))]
        lines.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="1.6" fill="{colour}"/>')
    return "\n".join([*lines, "</svg>\n"])


def main(folder: str, steps: int = 6, search: str = "patches") -> None:
    rest, corners = bars()
    volume = ccd.volume.Volume(len(rest), "hexahedron", corners)
    sides = surface(corners)
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for i in range(steps):
        x0, x1 = wrung(rest, i / steps), wrung(rest, (i + 1) / steps)
        contacts = ccd.volume.collisions(volume, x0, x1, search=search)
        (out / f"frame{i + 1}.svg").write_text(draw(x1, sides, contacts))
        first = f", the first at t = {contacts['impact']['toi_lo'][0]:.17g}" if len(contacts) else ""
        print(f"step {i + 1}: {len(contacts)} contacts{first}")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6, *sys.argv[3:])
