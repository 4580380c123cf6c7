"""A step that no process holds: sheets in files, cut into parts, computed part by part, with time and memory of each stage.

    python large.py FOLDER [--side N] [--sheets K] [--parts N] [--processes N] [--collisions] [--compare]

It writes K sheets of N x N vertices to FOLDER as .npy files, a few rows at a time: K N^2 vertices, about six primitives for
each. Every second sheet falls onto the one below. Memory is the largest of any process, without the pages of files that the
system maps and may drop at any time. Scenes of up to two million primitives are compared with one call; with --compare all
are, which takes about 75 bytes of memory a primitive; all impacts are compared by a hash, so none is stored.
"""

import argparse
import os
import resource
import shutil
import sys
import threading
import time
from collections.abc import Iterable

import numpy as np

import ccd
import ccd.distributed as cd


def write(folder: str, side: int, sheets: int) -> cd.Scene:
    """Write x0, x1 and faces in portions of 64 rows of vertices."""
    n = side * side
    paths = {name: os.path.join(folder, f"{name}.npy") for name in ("x0", "x1", "faces", "edges")}
    x0 = np.lib.format.open_memmap(paths["x0"], "w+", np.float64, (sheets * n, 3))
    x1 = np.lib.format.open_memmap(paths["x1"], "w+", np.float64, (sheets * n, 3))
    faces = np.lib.format.open_memmap(paths["faces"], "w+", np.int32, (sheets * 2 * (side - 1) ** 2, 3))
    column, face = np.arange(side) / side, 0
    for sheet in range(sheets):
        for row in range(0, side, 64):
            rows = np.arange(row, min(row + 64, side))
            u, v = np.meshgrid(column, rows / side)
            height = 0.5 * sheet + 0.05 * np.sin(9 * u + sheet) * np.cos(7 * v) + 0.2 / side * np.sin(900 * u * v)
            points = np.stack([u + 0.001 * sheet, v, height], 2).reshape(-1, 3)
            at = sheet * n + row * side
            x0[at : at + len(points)] = points
            points[:, 2] -= 0.5 * (sheet % 2)
            x1[at : at + len(points)] = points
            rows = rows[rows < side - 1]
            corner = (sheet * n + rows[:, None] * side + np.arange(side - 1)).ravel()
            two = np.stack([corner, corner + 1, corner + side, corner + 1, corner + side + 1, corner + side], 1)
            faces[face : face + 2 * len(corner)] = two.reshape(-1, 3)
            face += 2 * len(corner)
        for table in (x0, x1, faces):
            table.flush()
    del x0, x1, faces
    cd.write_edges(paths["faces"], paths["edges"], sheets * n)
    return cd.Scene(**paths)


def digest(portions: Iterable[np.ndarray]) -> tuple[int, list[int]]:
    """The number of records, and four sums of hashes of all their bytes: equal for the same records in any order."""
    width = ccd.impact_dtype.itemsize // 4
    odd = np.random.default_rng(0).integers(0, 1 << 63, (4, width), np.uint64) | np.uint64(1)
    count, sums = 0, [0] * 4
    for portion in portions:
        words = np.ascontiguousarray(portion).view(np.uint32).reshape(-1, width).astype(np.uint64)
        count += len(words)
        for i in range(4):
            mixed = (words * odd[i]).sum(axis=1)
            mixed = (mixed ^ (mixed >> np.uint64(29))) * odd[i, 0]
            sums[i] = (sums[i] + int((mixed ^ (mixed >> np.uint64(32))).sum())) % (1 << 64)
    return count, sums


class Memory:
    """The largest anonymous memory of this process, sampled; of processes that ended, their largest resident memory."""

    def __init__(self) -> None:
        self.most = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            with open("/proc/self/status") as file:
                for line in file:
                    if line.startswith("RssAnon"):
                        self.most = max(self.most, int(line.split()[1]) // 1024)
            time.sleep(0.05)

    def take(self) -> int:
        """The largest since the last time, in MiB."""
        most, self.most = self.most, 0
        return most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--side", type=int, default=300, help="vertices along a side of a sheet (300)")
    parser.add_argument("--sheets", type=int, default=4, help="number of sheets (4)")
    parser.add_argument("--parts", type=int, default=16, help="number of parts (16)")
    parser.add_argument("--processes", type=int, default=0, help="processes that compute parts; 0: this one (0)")
    parser.add_argument("--collisions", action="store_true", help="also write all impacts as Parquet")
    parser.add_argument("--compare", action="store_true", help="compare with one call, whatever memory it needs")
    given = parser.parse_args()
    os.makedirs(given.folder, exist_ok=True)
    memory, parts_folder = Memory(), os.path.join(given.folder, "parts")

    def stage(name: str, begin: tuple[float, float], text: str = "") -> tuple[float, float]:
        wall, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
        print(f"{name:10} {wall:8.1f} s  cpu {cpu:7.1f} s  {memory.take():6} MiB  {text}", flush=True)
        return time.perf_counter(), time.process_time()

    now = time.perf_counter(), time.process_time()
    scene = write(given.folder, given.side, given.sheets)
    total = sum(scene.counts)
    now = stage("write", now, f"{total:,} primitives: {scene.counts[0]:,} vertices")
    chosen = cd.plan(scene, given.parts)
    now = stage("plan", now, f"estimated balance {chosen.balance:.2f}")
    shutil.rmtree(parts_folder, ignore_errors=True)
    paths = cd.split(scene, chosen, parts_folder)
    size = [os.path.getsize(path) for path in paths]
    now = stage("split", now, f"{sum(size) / 2**20:,.0f} MiB in files, the largest {max(size) / 2**20:,.0f}")
    report, executor, files = cd.Report(), given.processes or None, None
    hit = cd.earliest(paths, executor=executor, report=report)
    held = [part["vertices"] + part["edges"] + part["faces"] for part in report.parts]
    text = f"{hit.kind} {hit.a} {hit.b} at {hit.toi_lo:.17g}; parts hold {sum(held) / total:.3f} times the scene, "
    text += f"the largest {max(held) * len(held) / total:.2f} times its share; balance {report.balance:.2f}"
    now = stage("earliest", now, text)
    if given.collisions:
        files = cd.collisions(paths, executor=executor, report=report, folder=os.path.join(given.folder, "impacts"))
        impacts = report.stats.impacts
        now = stage("collisions", now, f"{impacts:,} impacts in {len(files)} files; balance {report.balance:.2f}")
    if given.processes:
        print(f"largest resident memory of a worker: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MiB")
    if given.compare or total <= 2_000_000:
        tables = [np.load(os.path.join(given.folder, f"{name}.npy")) for name in ("faces", "edges", "x0", "x1")]
        mesh, now = ccd.Mesh(tables[0], edges=tables[1], vertices=len(tables[2])), (time.perf_counter(), time.process_time())
        del tables[:2]
        whole = ccd.step.earliest(mesh, *tables)
        same = repr(whole) == repr(hit)
        now = stage("one call", now, "the bits of one call" if same else f"differs from one call: {whole}")
        if files is not None:
            alike = digest(ccd.step.stream(mesh, *tables)) == digest(cd.read_impacts(path, partial=True) for path in files)
            stage("all", now, "impacts have the bits of one call" if alike else "impacts differ from those of one call")
            same = same and alike
        sys.exit(not same)


if __name__ == "__main__":
    main()
