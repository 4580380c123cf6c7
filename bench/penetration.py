"""Penetration depths of convex bodies: ours beside those of coal and FCL, in one run, in turn.

    python bench/penetration.py [--poses K] [--repeat R] [--write]

Prints a table with a row for each pair of shapes: the least processor time of a query over all
repetitions, by single calls and by a batch, the same of the peers that are installed (coal,
python-fcl), and how often and how far a peer's depth is outside of our bracket. --write writes
bench/reports/penetration.md, and needs both peers.
"""

import argparse
import importlib.metadata
import time
from pathlib import Path

import numpy as np

from poses import matrix, rotations

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "bench" / "reports" / "penetration.md"


def ball_points(count, seed):
    """Points near a sphere, all corners of their hull."""
    x = np.random.default_rng(seed).normal(size=(count, 3))
    return x / np.linalg.norm(x, axis=1, keepdims=True) * (1, 0.8, 0.6)


SHAPES = {
    "box": ("box", (1.6, 1.2, 0.8)),
    "ball": ("sphere", 0.7),
    "capsule": ("capsule", 0.4, 1.2),
    "hull of 12": ("hull", ball_points(12, 1)),
    "hull of 60": ("hull", ball_points(60, 2)),
    "hull of 500": ("hull", ball_points(500, 3)),
}
PAIRS = [
    ("box", "box"),
    ("box", "ball"),
    ("ball", "ball"),
    ("capsule", "capsule"),
    ("box", "capsule"),
    ("box", "hull of 12"),
    ("hull of 12", "hull of 12"),
    ("hull of 60", "hull of 60"),
    ("hull of 500", "hull of 500"),
]


def ours(name):
    import ccd

    kind, *sizes = SHAPES[name]
    return getattr(ccd.rigid.Body, kind)(*sizes)


def faces_of(points):
    """The triangles of a convex hull, seen from outside counterclockwise."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    out = []
    for f, plane in zip(hull.simplices, hull.equations):
        a, b, c = points[f]
        out.append(f if np.dot(np.cross(b - a, c - a), plane[:3]) > 0 else f[::-1])
    return np.array(out)


def coal_shape(name):
    import coal

    kind, *sizes = SHAPES[name]
    if kind == "hull":
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for v in sizes[0]:
            points.append(v)
        for f in faces_of(sizes[0]).tolist():
            triangles.append(coal.Triangle(*f))
        return coal.Convex(points, triangles)
    return {"box": coal.Box, "sphere": coal.Sphere, "capsule": coal.Capsule}[kind](*np.ravel(sizes))


def fcl_shape(name):
    import fcl

    kind, *sizes = SHAPES[name]
    if kind == "hull":
        faces = faces_of(sizes[0])
        return fcl.Convex(sizes[0], len(faces), np.hstack([np.full((len(faces), 1), 3), faces]).ravel())
    return {"box": fcl.Box, "sphere": fcl.Sphere, "capsule": fcl.Capsule}[kind](*np.ravel(sizes))


def coal_query(a, b, poses):
    """A function of a pose's number that returns the depth."""
    import coal

    one, other, request = coal_shape(a), coal_shape(b), coal.CollisionRequest()
    at = [[coal.Transform3s(matrix(q), np.array(x)) for q, x in side] for side in poses]

    def query(i):
        result = coal.CollisionResult()
        if not coal.collide(one, at[0][i], other, at[1][i], request, result):
            return 0.0
        return max(-result.getContact(0).penetration_depth, 0.0)

    return query


def fcl_query(a, b, poses):
    import fcl

    request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)
    one, other = fcl_shape(a), fcl_shape(b)
    at = [
        [fcl.CollisionObject(shape, fcl.Transform(matrix(q), np.array(x))) for q, x in side]
        for shape, side in zip((one, other), poses)
    ]

    def query(i):
        result = fcl.CollisionResult()
        if not fcl.collide(at[0][i], at[1][i], request, result):
            return 0.0
        return abs(result.contacts[0].penetration_depth)

    return query


HEAD = """# Penetration depths of convex bodies

Two shapes of a size of about 1 that overlap, at {} random poses for each row. Processor time of one thread: the least
of {} runs of each query, all tools in turn, and the mean over the poses. *batch* is one call for all poses, *libccd* a
call from Python for each, as those of the others are. libccd returns a proven bracket, here at most {:.1g} wide. *off
by > 0.1 %* counts the poses at which the depth of a peer is outside of that bracket by more than a thousandth of it;
*most* is the most, relatively. {}. `python bench/penetration.py --write` repeats it.

"""

PEERS = {"coal": coal_query, "fcl": fcl_query}


def least_times(call, count, repeat):
    """The least processor time of each of some calls, in microseconds: their mean."""
    times = np.full(count, np.inf)
    for _ in range(repeat):
        for i in range(count):
            start = time.process_time_ns()
            call(i)
            times[i] = min(times[i], time.process_time_ns() - start)
    return times.mean() / 1000


def row(a, b, count, repeat, peers):
    import ccd

    rng = np.random.default_rng(7)
    first, second = ours(a), ours(b)
    poses, tries = ([], []), 0
    while len(poses[0]) < count:
        tries += 1
        q = rotations(2, rng)
        pa, pb = (tuple(q[0]), (0.0, 0.0, 0.0)), (tuple(q[1]), tuple(rng.normal(size=3) * 0.6))
        if ccd.rigid.penetration_depth(first, pa, second, pb).overlapping:
            poses[0].append(pa)
            poses[1].append(pb)
    records = [np.array(p, ccd.rigid.pose_dtype) for p in poses]
    found = ccd.rigid.penetration_depths(first, records[0], second, records[1])
    out = {"pair": f"{a}, {b}", "width": float((found["hi"] - found["lo"]).max())}
    batch = least_times(lambda _: ccd.rigid.penetration_depths(first, records[0], second, records[1]), 1, repeat)
    out["batch"] = batch / count
    out["ccd"] = least_times(lambda i: ccd.rigid.penetration_depth(first, poses[0][i], second, poses[1][i]), count, repeat)
    for name in peers:
        query = PEERS[name](a, b, poses)
        depths = np.array([query(i) for i in range(count)])
        out[name] = least_times(query, count, repeat)
        outside = np.maximum(np.maximum(found["lo"] - depths, depths - found["hi"]), 0) / found["hi"]
        out[f"{name} wrong"] = float((outside > 1e-3).mean())
        out[f"{name} far"] = float(outside.max())
    return out


def text_of(rows, peers):
    head = ["pair", "batch, us", "libccd, us"]
    head += [f"{p}, us" for p in peers] + [f"{p} / libccd" for p in peers]
    head += [f"{p}: off by > 0.1 %" for p in peers] + [f"{p}: most" for p in peers]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for r in rows:
        cells = [r["pair"], f"{r['batch']:.1f}", f"{r['ccd']:.1f}"]
        cells += [f"{r[p]:.1f}" for p in peers] + [f"{r[p] / r['ccd']:.2f}" for p in peers]
        cells += [f"{100 * r[f'{p} wrong']:.0f} %" for p in peers] + [f"{r[f'{p} far']:.1g}" for p in peers]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the report")
    given = parser.parse_args()
    peers = []
    for name, package in (("coal", "coal"), ("fcl", "python-fcl")):
        try:
            peers.append((name, importlib.metadata.version(package)))
            __import__(name)
        except (importlib.metadata.PackageNotFoundError, ImportError):
            peers = [p for p in peers if p[0] != name]
            print(f"{package} is not installed")
    names = [name for name, _ in peers]
    rows = [row(a, b, given.poses, given.repeat, names) for a, b in PAIRS]
    text = text_of(rows, names)
    print(text)
    if given.write and len(peers) == len(PEERS):
        widest = max(r["width"] for r in rows)
        versions = ", ".join(f"{name} {version}" for name, version in peers)
        text = HEAD.format(given.poses, given.repeat, widest, versions) + text + "\n"
        REPORT.write_text(text)


if __name__ == "__main__":
    main()
