"""Assemblies of CAD files that move, beside Open CASCADE's distances at sampled times.

python bench/cad.py [--quick]    prints tables; bench/reports/cad.md has those of one machine
"""

from __future__ import annotations

import argparse
import math
import time

import ccd
import numpy as np
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakePolygon
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeTorus,
)
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS


def place(at=(0, 0, 0), along=(0, 0, 1)):
    return gp_Ax2(gp_Pnt(*map(float, at)), gp_Dir(*map(float, along)))


def box(x, y, z, at=(0, 0, 0)):
    return BRepPrimAPI_MakeBox(gp_Pnt(*map(float, at)), float(x), float(y), float(z)).Shape()


def cylinder(r, h, at=(0, 0, 0), along=(0, 0, 1)):
    return BRepPrimAPI_MakeCylinder(place(at, along), float(r), float(h)).Shape()


def fuse(a, *others):
    for b in others:
        a = BRepAlgoAPI_Fuse(a, b).Shape()
    return a


def cut(a, *others):
    for b in others:
        a = BRepAlgoAPI_Cut(a, b).Shape()
    return a


def filleted(shape, r):
    made, explorer, seen = BRepFilletAPI_MakeFillet(shape), TopExp_Explorer(shape, TopAbs_EDGE), []
    cast = getattr(TopoDS, "Edge_s", None) or TopoDS.Edge
    while explorer.More():
        edge = cast(explorer.Current())
        if not any(edge.IsSame(other) for other in seen):
            seen.append(edge)
            made.Add(float(r), edge)
        explorer.Next()
    return made.Shape()


def gear(teeth, module, width, bore):
    """A gear of straight flanks with five faces a tooth."""
    r, made = 0.5 * module * teeth, BRepBuilderAPI_MakePolygon()
    for k in range(teeth):
        for share, out in ((0.0, -1.2), (0.22, -1.2), (0.30, 0.9), (0.58, 0.9), (0.66, -1.2)):
            a = 2 * math.pi * (k + share) / teeth
            made.Add(gp_Pnt((r + out * module) * math.cos(a), (r + out * module) * math.sin(a), 0.0))
    made.Close()
    body = BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(made.Wire()).Face(), gp_Vec(0, 0, float(width))).Shape()
    return cut(body, cylinder(bore, 3 * width, (0, 0, -width)))


def pairs():
    """Name, shapes of a and b, and the joint that moves b by an angle or a length."""
    arm = filleted(box(40, 6, 6, (0, -3, -3)), 1.5)
    post = cylinder(4, 30, (0, 35, -15))
    yield "arm with fillets, post", arm, post, ccd.cad.Joint("j", "revolute", ["a"], (0, 0, 1)), math.pi
    cone = BRepPrimAPI_MakeCone(place((60, 0, 0), (0, 1, 0.3)), 8.0, 3.0, 25.0).Shape()
    ring = BRepPrimAPI_MakeTorus(place((0, 0, 0), (1, 0, 0.2)), 20.0, 4.0).Shape()
    yield "torus, cone", ring, cone, ccd.cad.Joint("j", "prismatic", ["a"], (1, 0.1, 0)), 60.0
    plate = cut(box(60, 40, 8, (-30, -20, -4)), *(cylinder(3, 20, (x, y, -10)) for x in (-20, 0, 20) for y in (-10, 10)))
    pin = fuse(cylinder(2.8, 30, (20.0, 10.0, 10)), BRepPrimAPI_MakeCone(place((20.0, 10.0, 8)), 1.0, 2.8, 2.0).Shape())
    yield (
        "pin, plate with holes",
        plate,
        pin,
        ccd.cad.Joint("j", "screw", ["b"], (0.02, 0.01, -1), (20, 10, 0), None, 3.0),
        8 * math.pi,
    )
    yield (
        *("gears of 23 and 31 teeth", gear(23, 2, 8, 8), moved(gear(31, 2, 8, 8), 55.5, 0.4)),
        *(ccd.cad.Joint("j", "revolute", ["a"], (0, 0, 1)), 0.25),
    )


def moved(shape, x, turn):
    from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
    from OCP.gp import gp_Ax1

    t, s = gp_Trsf(), gp_Trsf()
    t.SetTranslation(gp_Vec(float(x), 0, 0))
    s.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), float(turn))
    return BRepBuilderAPI_Transform(shape, t.Multiplied(s), True).Shape()


def sampled(a, b, drive, times):
    """Distances by Open CASCADE at times, until the first of 0."""
    out = []
    for t in times:
        shapes = []
        for shape, m in zip((a, b), drive.at(float(t))):
            trsf = gp_Trsf()
            trsf.SetValues(*(float(x) for x in m[:3].ravel()))
            shapes.append(shape.Moved(TopLoc_Location(trsf)))
        found = BRepExtrema_DistShapeShape(*shapes)
        out.append(found.Value())
    return np.array(out)


def beside_occ(samples):
    head = f"pair | faces | Open CASCADE, {samples} times, s | first contact, s | times faster | toi_lo | toi_hi - toi_lo"
    print(f"\n| {head} | least distance sampled before toi_lo | way |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
    for name, a, b, joint, value in pairs():
        best = math.inf
        for _ in range(3):
            start = time.process_time()
            assembly = ccd.cad.Assembly.of({"a": a, "b": b})
            drive = ccd.cad.by_joints(assembly, [joint], [0, 1], {"j": [0, value]})
            hit = ccd.cad.first_contact(drive, "a", "b")
            best = min(best, time.process_time() - start)
            clean(a, b)
        start = time.process_time()
        times = np.linspace(0, 1, samples)
        distances = sampled(a, b, drive, times)
        took = time.process_time() - start
        before = distances[times < hit.toi_lo]
        least = before.min() if len(before) else math.inf
        faces = sum(p.product.faces for p in assembly.parts)
        times_faster, wide = f"{took / best:.0f}", f"{hit.toi_lo:.9f} | {hit.toi_hi - hit.toi_lo:.2g}"
        print(f"| {name} | {faces} | {took:.2f} | {best:.3f} | {times_faster} | {wide} | {least:.3g} | {hit.way} |", flush=True)
        zero = times[distances == 0]
        if len(zero) and zero[0] < hit.toi_lo:
            print(f"MISSED: Open CASCADE has 0 at {zero[0]}")


def clearances(samples):
    """Least clearances of pairs that stay apart, beside the least distance that Open CASCADE has at sampled times."""
    print(f"\n| pair | Open CASCADE, {samples} times, s | least clearance, s | lo | hi - lo | tolerance | least sampled |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    known = {name: (a, b, joint) for name, a, b, joint, _ in pairs()}
    for name, value in (("arm with fillets, post", 0.27 * math.pi), ("torus, cone", 20.0)):
        a, b, joint = known[name]
        start = time.process_time()
        assembly = ccd.cad.Assembly.of({"a": a, "b": b})
        drive = ccd.cad.by_joints(assembly, [joint], [0, 1], {"j": [0, value]})
        gap = ccd.cad.least_clearance(drive, "a", "b")
        took = time.process_time() - start
        clean(a, b)
        start = time.process_time()
        least = sampled(a, b, drive, np.linspace(0, 1, samples)).min()
        theirs = time.process_time() - start
        wide, tolerance = f"{gap.hi - gap.lo:.2g}", f"{1e-6 * assembly.size:.2g}"
        print(f"| {name} | {theirs:.2f} | {took:.3f} | {gap.lo:.7f} | {wide} | {tolerance} | {least:.7f} |", flush=True)


def clean(*shapes):
    from OCP.BRepTools import BRepTools

    for shape in shapes:
        BRepTools.Clean_s(shape)


def big(trains, rows):
    """Trains of gears, shafts, arms and housings: parts and faces as the goal has them."""
    shapes, places, joints, values = {}, {}, [], {}
    wheel, pinion = gear(36, 1, 6, 5), gear(18, 1, 6, 5)
    shaft, arm = filleted(cylinder(4, 40, (0, 0, -17)), 0.5), filleted(box(30, 6, 4, (-5, -3, 8)), 1.0)
    plate = filleted(box(70, 50, 4, (-25, -25, -30)), 1.0)
    times = np.linspace(0, 1, rows)
    for k in range(trains):
        x, y = 100.0 * (k % 8), 70.0 * (k // 8)
        for name, shape, dx, turn in (
            *(
                ("wheel", wheel, 0, 0.0),
                ("shaft", shaft, 0, 0.0),
                ("arm", arm, 0, 0.0),
                ("pinion", pinion, 27.6, 0.09),
                ("plate", plate, 0, 0.0),
            ),
        ):
            key, m = f"{name}{k}", np.eye(4)
            m[:2, :2] = [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
            m[:2, 3] = x + dx, y
            shapes[key], places[key] = shape, m
        joints.append(ccd.cad.Joint(f"w{k}", "revolute", [f"wheel{k}", f"shaft{k}", f"arm{k}"], (0, 0, 1), (x, y, 0)))
        joints.append(ccd.cad.Joint(f"p{k}", "revolute", [f"pinion{k}"], (0, 0, 1), (x + 27.6, y, 0)))
        values[f"w{k}"], values[f"p{k}"] = 2 * math.pi * times, -4 * math.pi * times
    return shapes, places, joints, times, values


def cycle(trains, rows):
    shapes, places, joints, times, values = big(trains, rows)
    start = time.process_time()
    assembly = ccd.cad.Assembly.of(shapes, places)
    drive = ccd.cad.by_joints(assembly, joints, times, values)
    report = ccd.cad.check(drive, near=0.5, tolerance=1e-3)
    took = time.process_time() - start
    faces = sum(p.product.faces for p in assembly.parts)
    verdicts = {v: sum(p.verdict == v for p in report.pairs) for v in ("clear", "contact", "undecided")}
    size = f"{len(assembly.parts)} parts, {faces} faces, {rows - 1} rows, {report.facets} facets at first"
    print(f"\n{size}: {took:.1f} s; pairs {verdicts}, {len(report.skipped)} skipped")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    beside_occ(50 if given.quick else 1000)
    clearances(50 if given.quick else 1000)
    cycle(4 if given.quick else 40, 13 if given.quick else 73)


if __name__ == "__main__":
    main()
