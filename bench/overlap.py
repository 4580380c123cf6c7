"""Volumes that two solids have in common: ours beside those of manifold3d and Open CASCADE, in one run, in turn.

    python bench/overlap.py [--repeat R] [--write]

Prints a table with a row for each pair of solids: the least processor time of a call over all
repetitions on one thread, from arrays to the volume, of both, and the difference of the volumes.
Ours includes trees and checks of both surfaces; manifold3d's and Open CASCADE's include making
their solids. --write writes bench/reports/overlap.md and needs manifold3d and cadquery-ocp.
"""

import argparse
import importlib.metadata
import importlib.util
import os
import time
from pathlib import Path

import numpy as np

REPORT = Path(__file__).resolve().parent / "reports" / "overlap.md"
MOST_FACES = 1000  # Open CASCADE gets no solid of more: it takes seconds for some thousands.
BOX = np.reshape(
    [0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3], (12, 3)
)


PAGE = """# Common volumes

Two solids with the same surface, at two places: `ccd.overlap.volume` at the default tolerance beside the volume of the
Boolean intersection of manifold3d {version}, and of Open CASCADE (cadquery-ocp {cascade}) for up to 1,000 triangles, from
arrays to the volume, on one thread. Processor time: the least of {repeat} calls, all in turn. *width* is that of our proven
bracket and *difference* that of the other's volume from ours, both relative. Both others make the surface of the common
part, which libccd does not, and prove nothing; manifold3d is faster. Open CASCADE gets solids of planar triangles, sewn, and
is asked for the volumes of the common solids with an error of 1e-9; overlaps below its tolerance of 1e-7 are nothing to it.
Load of the machine at the beginning: {load:.1f} on {cores} cores; `python bench/overlap.py --write`.

"""


def ball(n):
    """A sphere of 4 n (n - 1) triangles."""
    t, p = np.pi * np.arange(1, n) / n, np.pi * np.arange(2 * n) / n
    rings = np.stack([np.outer(np.sin(t), np.cos(p)), np.outer(np.sin(t), np.sin(p)), np.outer(np.cos(t), np.ones(2 * n))], -1)
    x = np.vstack([[0, 0, 1], rings.reshape(-1, 3), [0, 0, -1]])

    def at(i, j):
        return 1 + (i - 1) * 2 * n + j % (2 * n)

    faces = [[0, at(1, j), at(1, j + 1)] for j in range(2 * n)]
    for i in range(1, n - 1):
        for j in range(2 * n):
            faces += [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)]]
    faces += [[len(x) - 1, at(n - 1, j + 1), at(n - 1, j)] for j in range(2 * n)]
    return x, np.array(faces)


def torus(n):
    """A ring of 8 n^2 triangles."""
    u, v = (np.ravel(a) for a in np.meshgrid(2 * np.pi * np.arange(n) / n, np.pi * np.arange(4 * n) / (2 * n), indexing="ij"))
    r = 0.7 + 0.3 * np.cos(u)
    x = np.stack([r * np.cos(v), r * np.sin(v), 0.3 * np.sin(u)], 1)
    faces = []
    for i in range(n):
        for j in range(4 * n):
            a, b = i * 4 * n + j, i * 4 * n + (j + 1) % (4 * n)
            c, d = (i + 1) % n * 4 * n + j, (i + 1) % n * 4 * n + (j + 1) % (4 * n)
            faces += [(a, b, c), (b, d, c)]
    return x, np.array(faces)


def box():
    return np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float), BOX


def pairs():
    """Names of pairs, with the surface and where it stands the second time."""
    yield "boxes", box(), lambda x: x + np.array([0.5, 0.25, 0.125])
    yield "boxes, 1e-9 deep", box(), lambda x: x + np.array([0, 0, 1 - 1e-9])
    for n in (16, 36, 80):
        yield "balls", ball(n), lambda x: 0.8 * x + np.array([0.7, 0.3, 0.1])
    yield "balls, 1e-3 deep", ball(36), lambda x: x + np.array([0, 0, 2 - 1e-3])
    yield "balls, equal", ball(36), lambda x: x
    for n in (12, 25):
        yield "rings, linked", torus(n), lambda x: x[:, [0, 2, 1]] * np.array([1, 1, -1]) + np.array([0.55, 0, 0])


def open_cascade():
    """A function that returns the volume that Open CASCADE finds, of surfaces with few triangles.

    Its traps are avoided: the solids of the common part are integrated one by one, not the compound
    that holds them, and volumes are asked for with a bound of their error.
    """
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
    from OCP.BRepBuilderAPI import (
        BRepBuilderAPI_MakeFace,
        BRepBuilderAPI_MakePolygon,
        BRepBuilderAPI_MakeSolid,
        BRepBuilderAPI_Sewing,
    )
    from OCP.BRepGProp import BRepGProp
    from OCP.gp import gp_Pnt
    from OCP.GProp import GProp_GProps
    from OCP.TopAbs import TopAbs_SHELL, TopAbs_SOLID
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    to_shell = getattr(TopoDS, "Shell_s", None) or TopoDS.Shell

    def solid(x, faces):
        sewing = BRepBuilderAPI_Sewing(1e-9)
        for f in faces.tolist():
            outline = BRepBuilderAPI_MakePolygon(*(gp_Pnt(*x[i]) for i in f), True)
            sewing.Add(BRepBuilderAPI_MakeFace(outline.Wire(), True).Face())
        sewing.Perform()
        return BRepBuilderAPI_MakeSolid(to_shell(TopExp_Explorer(sewing.SewedShape(), TopAbs_SHELL).Current())).Solid()

    def volume(x, y, faces):
        common, total = TopExp_Explorer(BRepAlgoAPI_Common(solid(x, faces), solid(y, faces)).Shape(), TopAbs_SOLID), 0.0
        while common.More():
            properties = GProp_GProps()
            BRepGProp.VolumeProperties_s(common.Current(), properties, 1e-9)
            total += properties.Mass()
            common.Next()
        return total

    return volume


def least(calls, repeat):
    """The least processor time of each call in milliseconds, in turn, and what each returned."""
    best, found = [np.inf] * len(calls), [None] * len(calls)
    for _ in range(repeat):
        for i, call in enumerate(calls):
            start = time.process_time()
            found[i] = call()
            best[i] = min(best[i], 1e3 * (time.process_time() - start))
    return best, found


def rows(repeat):
    import ccd

    manifold3d = importlib.import_module("manifold3d") if importlib.util.find_spec("manifold3d") else None
    cascade = open_cascade() if importlib.util.find_spec("OCP") else None

    def theirs(x, y, faces):
        solids = [manifold3d.Manifold(manifold3d.Mesh64(np.ascontiguousarray(v), faces.astype(np.uint64))) for v in (x, y)]
        return (solids[0] ^ solids[1]).volume()

    for name, (x, faces), place in pairs():
        y = np.ascontiguousarray(place(x))
        mesh = ccd.Mesh(faces=faces)
        calls = [lambda x=x, y=y, mesh=mesh: ccd.overlap.volume(mesh, x, mesh, y, threads=1)]
        if manifold3d:
            calls.append(lambda x=x, y=y, faces=faces: theirs(x, y, faces))
        slow = cascade and len(faces) <= MOST_FACES
        if slow:
            calls.append(lambda x=x, y=y, faces=faces: cascade(x, y, faces))
        times, found = least(calls, repeat)
        ours = found[0]
        width = (ours.volume_hi - ours.volume_lo) / ours.volume_lo if ours.volume_lo > 0 else 0.0
        row = [name, f"{len(faces)}", f"{ours.volume:.6g}", f"{width:.0e}", f"{times[0]:.1f}"]
        if manifold3d:
            row += [f"{times[1]:.1f}", f"{times[1] / times[0]:.2g}", f"{abs(found[1] / ours.volume - 1):.0e}"]
        if slow:
            row += [f"{times[-1]:.1f}", f"{times[-1] / times[0]:.2g}", f"{abs(found[-1] / ours.volume - 1):.0e}"]
        elif cascade:
            row += ["-", "-", "-"]
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    head = ["pair", "triangles", "common volume", "width", "libccd, ms", "manifold3d, ms", "manifold3d / libccd", "difference"]
    head += ["Open CASCADE, ms", "Open CASCADE / libccd", "difference"]
    load = os.getloadavg()[0]
    table = list(rows(given.repeat))
    head = head[: len(table[0])]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in table)]
    print("\n".join(lines))
    if given.write:
        version, cascade = importlib.metadata.version("manifold3d"), importlib.metadata.version("cadquery-ocp")
        REPORT.write_text(
            PAGE.format(version=version, cascade=cascade, repeat=given.repeat, load=load, cores=os.cpu_count())
            + "\n".join(lines)
            + "\n",
            "utf-8",
        )


if __name__ == "__main__":
    main()
