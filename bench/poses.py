"""Distances of two rigid bodies at poses: ours beside those of coal and FCL, in one run, in turn.

    python bench/poses.py [--poses K] [--repeat R] [--write]

Prints a table with a row for each surface and distance: the least processor time of a query over
all repetitions, by a loop of single calls and by a batch, and the same of the peers that are
installed (coal, python-fcl). The trees of all are made before. Distances are compared as well.
--write writes bench/reports/poses.md with its picture, and needs both peers and the meshes of the
trials (CCD_DATA, by default ../shared/data).
"""

import argparse
import importlib.metadata
import itertools
import os
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("CCD_DATA", ROOT.parent / "shared" / "data")) / "rigid"
REPORT = ROOT / "bench" / "reports" / "poses.md"


def grid(point, rows, columns, closed_rows=False):
    """The triangles of a map of the unit square, whose columns close on themselves."""
    u = np.arange(rows) / (rows if closed_rows else rows - 1)
    v = np.arange(columns) / columns
    vertices = point(*(c.ravel() for c in np.meshgrid(u, v, indexing="ij")))
    faces = []
    for i, j in itertools.product(range(rows if closed_rows else rows - 1), range(columns)):
        a, b = i * columns + j, i * columns + (j + 1) % columns
        c, d = (i + 1) % rows * columns + j, (i + 1) % rows * columns + (j + 1) % columns
        faces += [(a, c, b), (b, c, d)]
    return np.ascontiguousarray(np.stack(vertices, 1)), np.array(faces, np.int32)


def bumpy(triangles):
    """A ball with lobes and bumps, like a scanned animal."""
    n = int(np.sqrt(triangles / 4))

    def point(u, v):
        theta, phi = np.pi * (0.001 + 0.998 * u), 2 * np.pi * v
        r = 0.7 + 0.2 * np.sin(3 * theta) * np.cos(2 * phi) + 0.05 * np.sin(11 * theta + 1) * np.sin(9 * phi)
        return r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)

    return grid(point, n, 2 * n)


def gear(triangles):
    """A ring with 24 teeth."""
    n = int(np.sqrt(triangles / 16))

    def point(u, v):
        across, around = 2 * np.pi * u, 2 * np.pi * v
        teeth = 0.12 * np.clip(4 * np.sin(24 * around), -1, 1) * np.maximum(np.cos(across), 0)
        r = 0.7 + 0.2 * np.cos(across) + teeth
        return r * np.cos(around), r * np.sin(around), 0.15 * np.clip(3 * np.sin(across), -1, 1)

    return grid(point, n, 8 * n, True)


def screw(triangles):
    """A rod with a thread of 16 turns."""
    n = int(np.sqrt(triangles / 16))

    def point(u, v):
        around, z = 2 * np.pi * v, 2 * u - 1
        r = (0.25 + 0.05 * np.abs(((16 * u + v) % 1) * 2 - 1)) * np.sqrt(np.clip(40 * (1 - z * z), 0.01, 1))
        return r * np.cos(around), r * np.sin(around), z

    return grid(point, 8 * n, n)


def terrain(triangles):
    """A sheet with hills."""
    n = int(np.sqrt(triangles / 2)) + 1
    x, y = (c.ravel() for c in np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij"))
    z = 0.2 * np.sin(5 * x + 1) * np.cos(4 * y) + 0.03 * np.sin(23 * x) * np.sin(19 * y)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.concatenate(
        [np.stack([corner, corner + n, corner + 1], 1), np.stack([corner + 1, corner + n, corner + n + 1], 1)]
    )
    return np.ascontiguousarray(np.stack([x, y, z], 1)), faces.astype(np.int32)


def knot(triangles):
    """A tube along a trefoil."""
    n = int(np.sqrt(triangles / 32))

    def point(u, v):
        t = 2 * np.pi * u
        center = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)]) / 3
        along = np.stack([np.cos(t) + 4 * np.cos(2 * t), -np.sin(t) + 4 * np.sin(2 * t), -3 * np.cos(3 * t)])
        along /= np.linalg.norm(along, axis=0)
        side = np.cross(along.T, [0.3, 0.2, 1.0]).T
        side /= np.linalg.norm(side, axis=0)
        up = np.cross(along.T, side.T).T
        return tuple(center + 0.12 * (np.cos(2 * np.pi * v) * side + np.sin(2 * np.pi * v) * up))

    return grid(point, 16 * n, n, True)


def trial(name, times):
    """A mesh of the trials of [Buddingh2017], refined: every triangle cut into four."""
    raw = (DATA / f"mesh_{name}.bin").read_bytes()
    count, faces = np.frombuffer(raw, np.int32, 2)
    x = np.frombuffer(raw, np.float64, 3 * count, 8).reshape(-1, 3)
    f = np.frombuffer(raw, np.int32, 3 * faces, 8 + 24 * count).reshape(-1, 3)
    for _ in range(times):
        sides = np.sort(f[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), 1)
        ends, which = np.unique(sides, axis=0, return_inverse=True)
        a, b, c = (len(x) + which.reshape(-1, 3)).T
        x = np.vstack([x, x[ends].mean(1)])
        p, q, r = f.T
        f = np.vstack([np.stack(t, 1) for t in ((p, a, c), (a, q, b), (c, b, r), (a, b, c))])
    return np.ascontiguousarray(x), np.ascontiguousarray(f, np.int32)


SURFACES = {
    "bunny": lambda: trial("bunny", 4),
    "gear": lambda: trial("gear", 2),
    "screw": lambda: trial("screw", 2),
    "bumpy ball": lambda: bumpy(70_000),
    "fine gear": lambda: gear(20_000),
    "long screw": lambda: screw(100_000),
    "terrain": lambda: terrain(5_000),
    "knot": lambda: knot(1_300),
}
DISTANCES = (0.0, 0.01, 0.1, 0.3, 1.0)


def rotations(count, rng):
    """Random unit quaternions w, x, y, z."""
    q = rng.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def matrix(q):
    """The rotation of a unit quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def ours(surface):
    """The body of a surface, and its distances one by one and in one call."""
    import ccd

    body = ccd.rigid.Body(*surface)

    def single(poses):
        return lambda i: ccd.rigid.distance(body, poses[0][i], body, poses[1][i]).hi

    def batch(poses):
        first, second = (np.array(p, ccd.rigid.pose_dtype) for p in poses)
        return lambda: ccd.rigid.distances(body, first, body, second)["hi"]

    return single, batch


def coal(surface):
    """The same of coal, with OBBRSS trees as its documentation advises for distances."""
    import coal

    vertices, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for v in surface[0]:
        vertices.append(v)
    for f in surface[1].tolist():
        triangles.append(coal.Triangle(*f))
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(triangles), len(vertices))
    model.addSubModel(vertices, triangles)
    model.endModel()
    request = coal.DistanceRequest()

    def single(poses):
        at = [[coal.Transform3s(matrix(q), np.array(x)) for q, x in side] for side in poses]
        return lambda i: max(coal.distance(model, at[0][i], model, at[1][i], request, coal.DistanceResult()), 0.0)

    return single, None


def fcl(surface):
    """The same of python-fcl."""
    import fcl

    model = fcl.BVHModel()
    model.beginModel(len(surface[0]), len(surface[1]))
    model.addSubModel(surface[0], surface[1])
    model.endModel()

    def single(poses):
        at = [[fcl.CollisionObject(model, fcl.Transform(matrix(q), np.array(x))) for q, x in side] for side in poses]
        return lambda i: max(fcl.distance(at[0][i], at[1][i], fcl.DistanceRequest(), fcl.DistanceResult()), 0.0)

    return single, None


def placed(single, gap, count, rng):
    """Random turns of both bodies, and places at which they are about a gap apart; at 0 they overlap a little."""
    sides = [(q, (0.0, 0.0, 0.0)) for q in rotations(count, rng).tolist()], []
    for i, q in enumerate(rotations(count, rng).tolist()):
        way, s = rng.normal(size=3), 3.0
        way /= np.linalg.norm(way)
        for _ in range(40):
            at = single(([sides[0][i]], [(q, tuple(s * way))]))(0)
            if abs(at - gap) < 1e-3 * max(gap, 1e-2):
                break
            s -= at - gap
        s -= 0.02 * (gap == 0)
        sides[1].append((q, tuple((s * way).tolist())))
    return sides


def least(call, repeat):
    """The least processor time of a call in microseconds over some repetitions, and its result."""
    best = np.inf
    for _ in range(repeat):
        start = time.process_time_ns()
        value = call()
        best = min(best, (time.process_time_ns() - start) / 1e3)
    return best, value


def compare(name, size, gap, tools, count, repeat, rng):
    """One row: microseconds a query, the mean over the poses, of all tools in turn."""
    poses = placed(tools["ours"][0], gap, count, rng)
    calls = {tool: single(poses) for tool, (single, _) in tools.items()}
    times = {tool: np.full(count, np.inf) for tool in calls}
    values = {tool: np.zeros(count) for tool in calls}
    for _ in range(repeat):
        for i in range(count):
            for tool, call in calls.items():
                spent, values[tool][i] = least(lambda call=call, i=i: call(i), 1)
                times[tool][i] = min(times[tool][i], spent)
    batch, _ = least(tools["ours"][1](poses), repeat)
    mean = {"batch": batch / count} | {tool: float(x.mean()) for tool, x in times.items()}
    peers = [tool for tool in tools if tool != "ours"]
    off = max((float(np.abs(values[p] - values["ours"]).max()) for p in peers), default=0.0)
    cells = [name, f"{size}", f"{gap:g}", f"{mean['batch']:.0f}", f"{mean['ours']:.0f}"]
    cells += [f"{mean[p]:.0f}" for p in peers] + [f"{mean[p] / mean['ours']:.1f}" for p in peers] + [f"{off:.1e}"]
    line = "| " + " | ".join(cells) + " |"
    print(line, flush=True)
    return line, [mean[p] / mean["ours"] for p in peers]


TEXT = """# Distances of bodies at poses

Two bodies with the same surface, of a radius of about 1, at {poses} random poses for each row, about a distance apart;
at 0 they overlap a little. Trees were made before. Processor time of one thread: the least of {repeat} runs of each
query, all tools in turn, and the mean over the poses. *batch* is one call for all poses, *libccd* a call from Python for
each, as those of the others are. coal has OBBRSS trees. *difference* is the greatest one between distances: libccd returns
a proven bracket, about 4e-13 wide here, whose upper end is compared.

bunny, gear and screw are those of the [trials](rigid.md), their triangles cut into 256, 16 and 16; `bench/poses.py` makes
the others.

![times](poses.svg)

{table}

{means}

What coal, FCL and others return otherwise: [conventions](../../docs/howto/body-distances.md#beside-other-libraries).

Written by `python bench/poses.py --poses {poses} --repeat {repeat} --write`.

## Measured on

|  |  |
|---|---|
{machine}
"""


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=20, help="poses for each surface and distance (default 20)")
    parser.add_argument("--repeat", type=int, default=3, help="repetitions (default 3)")
    parser.add_argument("--write", action="store_true", help="write bench/reports/poses.md and its picture")
    given = parser.parse_args()
    rng, peers, ratios = np.random.default_rng(1), [], []
    for peer in (coal, fcl):
        try:
            peer((np.eye(3), np.array([[0, 1, 2]], np.int32)))
            peers.append(peer)
        except ImportError:
            print(f"{peer.__name__} is not installed")
    if given.write and (len(peers) < 2 or not DATA.is_dir()):
        parser.error(f"--write needs coal, python-fcl and {DATA}")
    names = [p.__name__ for p in peers]
    head = ["surface", "triangles", "distance", "batch, us", "libccd, us"]
    head += [f"{n}, us" for n in names] + [f"{n} / libccd" for n in names] + ["difference"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    print("\n".join(lines))
    for name, make in SURFACES.items():
        try:
            surface = make()
        except FileNotFoundError as error:
            print(f"{name} is left out: {error.filename} is not there")
            continue
        tools = {"ours": ours(surface)} | {p.__name__: p(surface) for p in peers}
        for gap in DISTANCES:
            line, found = compare(name, len(surface[1]), gap, tools, given.poses, given.repeat, rng)
            lines.append(line)
            ratios.append(found)
    means = []
    for i, n in enumerate(names):
        x = np.array(ratios)[:, i]
        means.append(f"{n} / libccd: geometric mean {np.exp(np.log(x).mean()):.2f}, range {x.min():.2f} to {x.max():.2f}.")
    print("\n".join(means))
    if given.write:
        write(given, lines, means)


def write(given, lines, means):
    """Write the report and its picture."""
    import ccd

    from ccdbench import machine

    about = machine.describe() | {"coal": importlib.metadata.version("coal"), "FCL": f"python-fcl {_version('python-fcl')}"}
    del about["ipctk"]
    table = "\n".join(f"| {name} | {value} |" for name, value in about.items())
    text = TEXT.format(poses=given.poses, repeat=given.repeat, table="\n".join(lines), means="\n".join(means), machine=table)
    REPORT.write_text(text)
    for name, picture in ccd.plot.report(REPORT):
        (REPORT.parent / f"{name}.svg").write_text(picture)


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    main()
