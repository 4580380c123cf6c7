"""Many worlds of one mesh in one call, beside as many single calls, from Python and from C, in turn in one process.

    python bench/worlds.py [--worlds K] [--rounds R] [--write]

Prints a table with a row for each scene: the time of K calls of `ccd.step.earliest` from Python, of K calls of
`ccd_step_earliest` from C, and of one call for all K worlds, with one thread and with all. The C loop is compiled with cc and
runs in this process, on the same library and mesh. Each time is the median of the rounds, in which all take turns. Results are
compared bit for bit. --write writes bench/reports/worlds.md.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ccd
import numpy as np
from ccd._native import abi

REPORT = Path(__file__).resolve().parent / "reports" / "worlds.md"

LOOP = """
#include "ccd.h"
typedef ccd_status (*prepare)(ccd_options *, size_t);
typedef ccd_status (*call)(ccd_mesh *, const double *, const double *, size_t, const ccd_options *, ccd_impact *);
int loop(void *init, void *earliest, ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, int threads,
         double d, ccd_impact *out) {
    ccd_options o;
    ((prepare)init)(&o, sizeof o);
    o.threads = threads;
    o.min_separation = d;
    for (size_t i = 0; i < count; i++) {
        const ccd_status status = ((call)earliest)(mesh, x0 + 3 * n * i, x1 + 3 * n * i, n, &o, &out[i]);
        if (status != CCD_OK) {
            return status;
        }
    }
    return 0;
}
"""


def ball(rings: int, around: int) -> tuple[np.ndarray, np.ndarray]:
    """The vertices and triangles of a closed ball of radius 1."""
    theta = np.pi * np.arange(1, rings) / rings
    phi = 2 * np.pi * np.arange(around) / around
    inner = np.stack(
        [np.outer(np.sin(theta), f(phi)) for f in (np.cos, np.sin)] + [np.outer(np.cos(theta), np.ones(around))], 2
    )
    x = np.concatenate([[[0, 0, 1.0]], inner.reshape(-1, 3), [[0, 0, -1.0]]])
    at = lambda i, j: 1 + i * around + j % around  # noqa: E731
    faces = []
    for j in range(around):
        faces += [(0, at(0, j), at(0, j + 1)), (len(x) - 1, at(rings - 2, j + 1), at(rings - 2, j))]
        for i in range(rings - 2):
            faces += [(at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1))]
    return x, np.array(faces, np.int32)


def sheet(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """The vertices and triangles of a sheet of 4 by 4."""
    u, v = np.meshgrid(np.linspace(-2, 2, rows + 1), np.linspace(-2, 2, columns + 1), indexing="ij")
    x = np.stack([u.ravel(), v.ravel(), np.zeros(u.size)], 1)
    i, j = (c.ravel() for c in np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij"))
    a = i * (columns + 1) + j
    b = a + columns + 1
    return x, np.concatenate([np.stack([a, b, b + 1], 1), np.stack([a, b + 1, a + 1], 1)]).astype(np.int32)


def scenes(worlds: int, rng: np.random.Generator):
    """Yield a name, faces and positions (k, n, 3) at both ends: a ball that falls onto a sheet and deforms."""
    for name, (rings, around), (rows, columns), fall in (
        ("two tetrahedra", (0, 0), (0, 0), 1.0),
        ("ball on a sheet, 100 triangles", (5, 10), (2, 5), 1.0),
        ("the same, far apart", (5, 10), (2, 5), 0.05),
        ("the same, with a separation", (5, 10), (2, 5), 1.0),
        ("400 triangles", (9, 20), (4, 10), 1.0),
        ("1,600 triangles", (17, 40), (8, 20), 1.0),
        ("6,400 triangles", (33, 80), (16, 40), 1.0),
    ):
        if rings:
            (x, f), (y, g) = ball(rings, around), sheet(rows, columns)
        else:
            x, f = (
                np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]),
                np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]),
            )
            y, g = x.copy(), f
        k = max(10, worlds // (max(1, len(f) // 80)))
        faces = np.concatenate([f, g + len(x)]).astype(np.int32)
        height = rng.uniform(1.1, 2.2, (k, 1, 1)) * [0, 0, 1]
        start = np.concatenate([x + height, np.broadcast_to(y, (k, *y.shape))], 1)
        move = rng.normal(size=(k, 1, 3)) * 0.1 - [0, 0, fall]
        end = start.copy()
        end[:, : len(x)] += move
        end += 0.02 * fall * rng.normal(size=end.shape)
        yield name, faces, start, end, {"min_separation": 0.05} if "separation" in name else {}


def library() -> Callable[..., int]:
    """The loop in C, which calls the library that Python uses."""
    folder = Path(tempfile.mkdtemp())
    (folder / "loop.c").write_text(LOOP)
    root = Path(__file__).resolve().parents[1]
    command = ["cc", "-shared", "-fPIC", "-O2", f"-I{root / 'include'}", "-o", folder / "loop.so", folder / "loop.c"]
    subprocess.run([str(part) for part in command], check=True)
    used = ctypes.CDLL(str(abi.library_path()))
    functions = [ctypes.cast(f, ctypes.c_void_p) for f in (used.ccd_options_init, used.ccd_step_earliest)]
    compiled = ctypes.CDLL(str(folder / "loop.so"))
    return lambda *given: compiled.loop(*functions, *given)


def contestants(loop: Callable[..., int], faces, start, end, options: dict) -> dict[str, Callable[[], object]]:
    """The ways to compute all worlds of a scene."""
    k, n = start.shape[:2]
    mesh = ccd.Mesh(faces=faces, vertices=n)
    out = np.zeros(k, ccd.impact_dtype)

    def in_c() -> np.ndarray:
        x0, x1, to = (ctypes.c_void_p(a.ctypes.data) for a in (start, end, out))
        d = ctypes.c_double(options.get("min_separation", 0.0))
        status = loop(mesh._handle, x0, x1, ctypes.c_size_t(n), ctypes.c_size_t(k), 1, d, to)
        assert status == 0, status
        return out

    return {
        "python": lambda: [ccd.step.earliest(mesh, a, b, threads=1, **options) for a, b in zip(start, end)],
        "python, all threads": lambda: [ccd.step.earliest(mesh, a, b, **options) for a, b in zip(start, end)],
        "c": in_c,
        "batch": lambda: ccd.step.earliest_batch(mesh, start, end, threads=1, **options),
        "batch, all threads": lambda: ccd.step.earliest_batch(mesh, start, end, **options),
    }


def measure(worlds: int, rounds: int) -> list[dict]:
    loop, rows = library(), []
    for name, faces, start, end, options in scenes(worlds, np.random.default_rng(1)):
        k, calls = len(start), contestants(loop, faces, start, end, options)
        times: dict[str, list[tuple[float, float]]] = {c: [] for c in calls}
        found: dict[str, object] = {}
        for turn in range(rounds + 1):
            for c, call in calls.items():
                began = time.perf_counter(), time.process_time()
                found[c] = call()
                if turn:
                    times[c].append((time.perf_counter() - began[0], time.process_time() - began[1]))
        want = [ccd.Impact.from_record(record) for record in found["batch"]]
        assert want == found["python"] and np.array_equal(found["batch"], found["batch, all threads"])
        assert found["c"].tobytes() == found["batch"].tobytes()
        seconds = {c: statistics.median(cpu for _, cpu in t) / k * 1e6 for c, t in times.items()}
        wall = {f"{c}, wall": statistics.median(wall for wall, _ in t) / k * 1e6 for c, t in times.items()}
        rows.append({"scene": name, "worlds": k, "hits": sum(not hit.separate for hit in want), **seconds, **wall})
        print(rows[-1], flush=True)
    return rows


def table(rows: list[dict]) -> str:
    columns = ("worlds", "with an impact", "Python, a call each", "C, a call each", "one call", "Python / one call")
    lines = ["| " + " | ".join(("scene", *columns, "C / one call", "Python / all threads")) + " |", "|---|" + "--:|" * 8]
    for r in rows:
        wall = min(r["python, wall"], r["python, all threads, wall"]) / r["batch, all threads, wall"]
        lines.append(
            f"| {r['scene']} | {r['worlds']} | {r['hits']} | {r['python']:.1f} | {r['c']:.1f} | {r['batch']:.1f} | "
            f"{r['python'] / r['batch']:.1f} | {r['c'] / r['batch']:.1f} | {wall:.1f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="write bench/reports/worlds.md")
    args = parser.parse_args()
    text = table(measure(args.worlds, args.rounds))
    print(text)
    if args.write:
        REPORT.write_text(
            f"""# Many worlds of one mesh

A ball falls onto a sheet, each world from another height and with another motion. Processor time in microseconds a world,
with one thread: medians of {args.rounds} rounds in which all took turns in one process; results have the same bits. The last
column compares the wall clock of one call on {os.cpu_count()} processors with that of the faster of Python's loops, with one
thread and with all. The load of the machine at the end was {os.getloadavg()[0]:.0f}. `python bench/worlds.py --write` writes
this page.

{text}"""
        )


if __name__ == "__main__":
    main()
