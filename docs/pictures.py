"""Makes the pictures of docs/gallery.md again: pages of `ccd view`, photographed in headless Chromium.

python docs/pictures.py FOLDER [NAME ...]

FOLDER gets the pages. `make lib` and Chromium are needed; the scenes are those of the tutorial and of examples/.
"""

from __future__ import annotations

import base64
import html
import json
import re
import subprocess
import sys
from pathlib import Path

import ccd
import numpy as np
from ccd.view._browser import Browser, find

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "examples")]


def obj(path: Path, vertices: np.ndarray, faces: np.ndarray) -> None:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices, float).tolist()]
    path.write_text("\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in np.asarray(faces).tolist())]) + "\n")


def command(folder: Path, name: str, *arguments: str) -> None:
    """What a person types, in the folder."""
    done = subprocess.run([sys.executable, "-m", "ccd", "view", *arguments, "-o", f"{name}.html"], cwd=folder)
    if done.returncode > 1:
        sys.exit(f"ccd view {' '.join(arguments)} failed")


def cloth(folder: Path) -> None:
    """The tutorial's cloth and ball, in one step that nothing stops."""
    text = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    held: dict = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.S)[:2]:  # the two meshes, and the step
        exec(block, held)
    obj(folder / "start.obj", held["x"], held["mesh"].faces)
    obj(folder / "end.obj", held["fallen"], held["mesh"].faces)
    command(folder, "cloth", "start.obj", "end.obj")


def vtk(path: Path, x: np.ndarray, corners: np.ndarray) -> None:
    """Hexahedra, in a legacy VTK file."""
    lines = ["# vtk DataFile Version 3.0", "ring", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(x)} double"]
    lines += [" ".join(map(repr, p)) for p in x.tolist()] + [f"CELLS {len(corners)} {9 * len(corners)}"]
    lines += ["8 " + " ".join(map(str, c)) for c in corners.tolist()] + [f"CELL_TYPES {len(corners)}"] + ["12"] * len(corners)
    path.write_text("\n".join(lines) + "\n")


def ring(folder: Path) -> None:
    """The wrung ring of examples/volume, in its last step but one."""
    from volume import wring

    rest, corners = wring.ring()
    for i, s in enumerate((6 / 8, 7 / 8)):
        vtk(folder / f"ring{i}.vtk", wring.wrung(rest, s), corners)
    command(folder, "ring", "ring0.vtk", "ring1.vtk")


def gears(folder: Path) -> None:
    """Gears and a blob fall on a mesh that deforms."""
    from rigid import shapes

    for name, (vertices, faces) in {"gear": shapes.gear(), "blob": shapes.blob()}.items():
        obj(folder / f"{name}.obj", vertices, faces)
    n = 48
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(-2.5, 2.5, n), np.linspace(-2.5, 2.5, n)))
    i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.vstack([np.stack([i, i + 1, i + n], 1), np.stack([i + 1, i + n + 1, i + n], 1)])
    for name, phase in (("sea0", 0.0), ("sea1", 0.9)):
        obj(folder / f"{name}.obj", np.stack([u, v, 0.18 * np.sin(1.7 * u + phase) * np.cos(1.3 * v - phase) - 0.4], 1), faces)
    falling = [
        ("gear", [-1.2, -0.8, 1.1], [2, 0, 5]),
        ("gear", [0.1, 1.1, 1.3], [0, 5, 1]),
        ("gear", [1.3, -0.3, 1.2], [4, 3, 0]),
    ]
    bodies = [{"file": f"{k}.obj", "position": p, "velocity": [0, 0, -1.9], "angular_velocity": s} for k, p, s in falling]
    bodies += [{"file": "blob.obj", "position": [0, -0.5, 0.8], "velocity": [0.3, 0, -1.5], "angular_velocity": [1, 2, 0]}]
    scene = {"bodies": bodies, "mesh": {"x0": "sea0.obj", "x1": "sea1.obj"}}
    (folder / "scene.json").write_text(json.dumps(scene, indent=1))
    command(folder, "gears", "scene.json")


def teapot(folder: Path) -> None:
    """A body of triangles comes down on the lid of the Utah teapot."""
    from patches import shapes

    def at(shape: shapes.Shape, height: float) -> np.ndarray:
        return shape.points + np.array([0, 0, height])

    for name, shape, start, end in (
        ("pot", shapes.teapot(), 0.0, 0.0),
        ("blob", shapes.blob(), 5.0, 2.8),
    ):
        forms = [[shape.form.shape, shape.form.u, shape.form.v]] * len(shape.index)
        np.savez(folder / f"{name}.npz", x0=at(shape, start), x1=at(shape, end), forms=forms, index=shape.index)
    command(folder, "teapot", "pot.npz", "blob.npz")


def notebook(folder: Path) -> None:
    """The first cell of docs/howto/notebooks.md, as Jupyter shows it."""
    text = (ROOT / "docs" / "howto" / "notebooks.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    held: dict = {}
    exec(code, held)
    cell = html.escape(code.rpartition("print")[0].strip())
    style = "font: 14px/1.5 system-ui, sans-serif; margin: 1rem 2rem"
    box = "background: #f7f7f7; border: 1px solid #ddd; padding: .5rem .8rem; font-size: 12px; height: 6rem; overflow: hidden"
    lines = "\n".join(cell.split("\n")[-6:])
    (folder / "notebook.html").write_text(
        f'<!doctype html><body style="{style}"><pre style="{box}">{lines}</pre>{held["view"]._repr_html_()}</body>'
    )


def audit(folder: Path) -> None:
    """A cloth falls through a thin bar in one step, and through a thick one in several: the page of its audit."""
    n = 40
    i = np.arange(n * n).reshape(n, n)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]], -1).reshape(-1, 4)
    faces = [np.vstack([quads[:, [0, 1, 2]], quads[:, [2, 1, 3]]])]
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n)))
    sides = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4]]
    sides += [[2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
    bars = []
    for k, (low, high) in enumerate((([-0.75, -0.012, 0], [0.75, 0.012, 0.002]), ([-0.75, -0.04, -0.6], [0.75, 0.04, -0.5]))):
        bars += [[(low, high)[(c >> axis) & 1][axis] for axis in range(3)] for c in range(8)]
        faces.append(np.array(sides) + n * n + 8 * k)
    faces = np.vstack(faces)
    frames = []
    for k in range(60):
        z = 0.6 - 0.0004 * k * k + 0.004 * np.sin(9 * u + k / 9) + 0.1 * v * v
        frames.append(np.vstack([np.stack([u, v, z], 1), bars]))
    objects, names = np.repeat([0, 1, 2], [n * n, 8, 8]), ["cloth", "wire", "bar"]
    np.savez(folder / "run.npz", frames=frames, faces=faces, objects=objects, names=names)
    done = subprocess.run([sys.executable, "-m", "ccd", "audit", "run.npz", "--no-self", "-o", "audit.html"], cwd=folder)
    if done.returncode > 1:
        sys.exit("ccd audit failed")


# Of each picture: the scene, and what its address says.
PICTURES = {
    "view": (cloth, "cloth", "t=0.5"),
    "impact": (cloth, "cloth", "impact=4"),
    "volume": (ring, "ring", "t=0.8&show=transparent"),
    "bodies": (gears, "gears", "t=0.75&theme=dark"),
    "patches": (teapot, "teapot", "impact=3&show=control nets"),
    "notebook": (notebook, "notebook", ""),
    "audit": (audit, "audit", ""),
}


def photograph(page: Path, address: str, target: Path) -> None:
    """A screenshot of the page, as large as its window."""
    with Browser(1100, 840 if page.stem == "audit" else 680) as browser:
        browser.open(f"{page.as_uri()}#{address.replace(' ', '%20')}")
        browser.evaluate("new Promise((done) => setTimeout(done, 1500))")  # wait until it has drawn
        target.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))
    print(target.relative_to(ROOT))


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    made = set()
    for name in sys.argv[2:] or PICTURES:
        scene, page, address = PICTURES[name]
        if scene not in made:
            scene(folder)
            made.add(scene)
        photograph(folder / f"{page}.html", address, ROOT / "docs" / "pictures" / f"{name}.png")


if __name__ == "__main__":
    print(f"ccd {ccd.__version__}, {find()}")
    main()
