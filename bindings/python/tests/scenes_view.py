"""Files of every kind of scene that `ccd view` shows, small."""

import json

import numpy as np
from conftest import sheets
from test_cli import off


def mesh(folder):
    """Two sheets that pass through each other: the arguments, and the arrays."""
    faces, x0, x1 = sheets(12)
    return [off(folder / "a.off", x0, faces), off(folder / "b.off", x1, faces)], (faces, x0, x1)


def vtk(path, x, elements):
    """A legacy VTK file of elements, each (type, corners)."""
    points = "".join("{!r} {!r} {!r}\n".format(*map(float, p)) for p in x)
    cells = "".join(f"{len(c)} {' '.join(map(str, c))}\n" for _, c in elements)
    types = "".join(f"{kind}\n" for kind, _ in elements)
    size = sum(len(c) + 1 for _, c in elements)
    head = f"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(x)} double\n"
    path.write_text(f"{head}{points}CELLS {len(elements)} {size}\n{cells}CELL_TYPES {len(elements)}\n{types}")
    return str(path)


def volume(folder):
    """Two tetrahedra on a common side; a vertex goes through it. Beside them a hexahedron that stands still."""
    x0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 2], [1, 1, -2]], float)
    cube = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)
    x0 = np.vstack([x0, cube + np.array([6, 0, 0])])
    x1 = x0.copy()
    x1[3, 2] = -2
    elements = [(10, (0, 1, 2, 3)), (10, (0, 1, 2, 4)), (12, tuple(range(5, 13)))]
    return [vtk(folder / "a.vtk", x0, elements), vtk(folder / "b.vtk", x1, elements)], (x0, x1, elements)


def rigid(folder):
    """A cone that falls and spins onto a plate."""
    cone = np.array([[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]], float)
    plate = np.array([[-5, -5, 0], [5, -5, 0], [0, 9, 0]], float)
    files = [
        off(folder / "cone.off", cone, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]),
        off(folder / "plate.off", plate, [[0, 1, 2]]),
    ]
    return [*files, "--pose=0,0,1", "--velocity=0,0,-2", "--angular-velocity=0,0,9"], (cone, plate)


def patch(folder):
    """A quarter of a cylinder, rational, that falls on a cubic NURBS sheet; and what they are made of."""
    s = np.sqrt(0.5)
    arc = np.array([[-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0]], float)
    points = np.array([[x, y, z + 1.4] for y in (-1.0, 1.0) for x, z in arc])
    index = np.array([[0, 1, 2, 5, 6, 7], [2, 3, 4, 7, 8, 9]])
    a = {"x0": points, "x1": points - [0, 0, 1], "forms": [[3, 1, 2]] * 2, "index": index, "weights": [[1, s, 1, 1, s, 1]] * 2}
    g = np.stack(np.meshgrid(np.linspace(-2, 2, 6), np.linspace(-2, 2, 5), indexing="ij"), -1).reshape(-1, 2)
    x = np.column_stack([g, 0.1 * np.sin(3 * g[:, 0])])
    ku, kv = [0, 0, 0, 0, 0.3, 0.6, 1, 1, 1, 1], [0, 0, 0, 0.5, 0.5, 1, 1, 1]
    b = {"x0": x, "x1": x, "u": 3, "v": 2, "knots_u": np.array(ku, float), "knots_v": np.array(kv, float)}
    for name, arrays in (("a.npz", a), ("b.npz", b)):
        np.savez(folder / name, **arrays)
    return [str(folder / "a.npz"), str(folder / "b.npz")], (a, b)


def scene(folder):
    """Two cones, one above the other, fall on a sheet that comes up: a file, and nothing else."""
    rigid(folder)
    n = 4
    grid = np.stack(np.meshgrid(np.linspace(-2, 2, n), np.linspace(-2, 2, n), indexing="ij"), -1).reshape(-1, 2)
    x0 = np.column_stack([grid, np.full(n * n, -1.0)])
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.vstack([np.stack([corner, corner + 1, corner + n], 1), np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    off(folder / "x0.off", x0, faces), off(folder / "x1.off", x0 + np.array([0, 0, 1]), faces)
    bodies = [
        {"file": "cone.off", "position": [0, 0, z], "velocity": [0, 0, v], "angular_velocity": [0, 0, 2]}
        for z, v in ((0.5, -1), (3, -3))
    ]
    (folder / "scene.json").write_text(json.dumps({"bodies": bodies, "mesh": {"x0": "x0.off", "x1": "x1.off"}}))
    return [str(folder / "scene.json")], bodies


SCENES = {"mesh": mesh, "volume": volume, "rigid": rigid, "patch": patch}


def sequence(folder, frames=12):
    """Two sheets that pass through each other in many frames, one of them a .npy: the files in order, and the arrays."""
    faces, x0, x1 = sheets(6)
    arrays = [x0 + (x1 - x0) * k / (frames - 1) for k in range(frames)]
    files = [off(folder / f"f{k}.off", x, faces) for k, x in enumerate(arrays)]
    return files, (faces, arrays)
