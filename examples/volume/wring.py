"""A ring of hexahedra is wrung until its strands go through each other; a crack opens in it on the way.

    python examples/volume/wring.py FOLDER

writes frames as SVG, with the contacts marked: red where parts meet, blue where an element is squeezed flat.

Every step lists all impacts of the volume, inside and out. Nothing responds to them: what meets goes on.
"""

import sys
from pathlib import Path

import numpy as np

import ccd
from ccd.volume import PairClass, Volume

AROUND, ACROSS, STEPS, OPENS = 48, 3, 8, 2


def ring():
    """The vertices of a closed ring about the y axis, and the corners of its hexahedra."""
    a, j, k = np.meshgrid(np.arange(AROUND), np.arange(ACROSS + 1), np.arange(ACROSS + 1), indexing="ij")
    turn, radius = 2 * np.pi * a / AROUND, 0.82 + 0.36 * (j / ACROSS - 0.5)
    x = np.stack([radius * np.cos(turn), 0.36 * (k / ACROSS - 0.5), radius * np.sin(turn)], -1).reshape(-1, 3)
    index = np.arange(len(x)).reshape(a.shape)
    a, j, k = (m.ravel() for m in np.meshgrid(np.arange(AROUND), np.arange(ACROSS), np.arange(ACROSS), indexing="ij"))
    around = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    corners = np.stack([index[(a + u) % AROUND, j + v, k + w] for u, v, w in around], -1)
    return x, corners


def wrung(rest, s):
    """The ring at the time s in [0, 1]: its strands drawn to the x axis and turned about it."""
    x, y, z = rest.T
    z = z - 0.75 * s * np.maximum(0, 1 - x * x) * np.clip(z / 0.4, -1, 1)
    turn = np.pi * s * x
    return np.stack([x, np.cos(turn) * y - np.sin(turn) * z, np.sin(turn) * y + np.cos(turn) * z], -1)


def crack(volume, rest, corners):
    """Split the outer vertices between two slices of elements. Returns the vertices' places at rest, new ones included, and
    how each drifts from then on."""
    slices = np.arange(len(corners)) // ACROSS**2
    side = np.flatnonzero(slices == 5)
    for vertex in np.intersect1d(corners[slices == 4], corners[side]):
        if np.hypot(rest[vertex, 0], rest[vertex, 2]) > 0.7:
            chosen = side[(corners[side] == vertex).any(1)]
            fresh = volume.split(int(vertex), chosen)
            corners[chosen] = np.where(corners[chosen] == vertex, fresh, corners[chosen])
    rest = rest[volume.origins]
    drift = np.zeros_like(rest)
    drift[len(drift) - (volume.origins != np.arange(len(rest))).sum() :] = [-0.3, 0, 0.5]
    return rest, drift


def surface(corners):
    """The sides of elements that are there once: those on the surface."""
    sides = np.array([[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])
    quads = corners[:, sides].reshape(-1, 4)
    _, first, count = np.unique(np.sort(quads, 1), axis=0, return_index=True, return_counts=True)
    return quads[first[count == 1]]


def draw(path, x, quads, contacts):
    """One frame: the sides from back to front, then the contacts."""
    view = np.linalg.qr(np.array([[0.9, 0.25, 0.35], [0, 1, -0.35], [-0.35, 0.3, 0.9]]).T)[0].T
    view *= np.sign(np.diag(view))[:, None]
    p = x @ view.T
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.3 -1.1 2.6 2.2" width="780">']
    normal = np.cross(p[quads[:, 1]] - p[quads[:, 0]], p[quads[:, 3]] - p[quads[:, 0]])
    light = 130 + 110 * np.abs(normal[:, 2]) / (np.linalg.norm(normal, axis=1) + 1e-30)
    for i in np.argsort(p[quads, 2].mean(1)):
        at = " ".join(f"{a:.3f},{-b:.3f}" for a, b, _ in p[quads[i]])
        g = int(light[i])
        lines.append(f'<polygon points="{at}" fill="rgb({g},{g},{g - 15})" stroke="#555" stroke-width="0.003"/>')
    for c in contacts:
        a, b, _ = view @ c["impact"]["point"]
        color = "#1f5fd0" if c["pair_class"] == PairClass.WITHIN_ELEMENT else "#d02020"
        lines.append(f'<circle cx="{a:.3f}" cy="{-b:.3f}" r="0.012" fill="{color}"/>')
    path.write_text("\n".join([*lines, "</svg>"]))


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rest, corners = ring()
    volume, drift = Volume(len(rest), "hexahedron", corners), np.zeros_like(rest)
    for step in range(STEPS):
        if step == OPENS:
            rest, drift = crack(volume, rest, corners)
        x0, x1 = (wrung(rest + max(0, s - OPENS / STEPS) * drift, s) for s in (step / STEPS, (step + 1) / STEPS))
        first = ccd.volume.earliest(volume, x0, x1)
        contacts = ccd.volume.collisions(volume, x0, x1)
        counts = {str(c): int((contacts["pair_class"] == c).sum()) for c in PairClass}
        print(f"step {step}: first at {first.impact.toi_lo:.6g}, {len(contacts)} contacts", counts)
        draw(folder / f"wring-{step}.svg", x1, surface(corners), contacts)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/wring")
