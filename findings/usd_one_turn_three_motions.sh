#!/bin/sh
# OpenUSD 26.11 (PyPI usd-core), Python 3.11, Linux x86-64.
#
# One turn of a body, written to a .usda file at the times 0 and 1 in the three usual ways: as matrices (xformOp:transform),
# as quaternions (xformOp:orient) and as angles (xformOp:rotateXYZ). What is the body's pose at the time 0.5?
# Expected: the poses at 0 and 1 are the same, so the pose between them is the same: a rigid body, half turned.
# Seen:     three motions. Matrices are interpolated number by number: every vertex moves on a straight line, and in the
#           middle of a quarter turn the body has half its volume, of a half turn none. Quaternions give the rigid turn at
#           constant speed. Angles are interpolated one by one: rigid, but for a turn of 120 degrees about (1, 1, 1) the
#           point (1, 0, 0) is 0.34 from where quaternions put it. The file is valid; nothing warns.
# Why it matters: what a proof between two frames must cover depends on the attribute in which the exporter stored the pose.
# Straight lines of vertices are right for matrices and cut the arc of the other two: by 0.29 of the reach in a quarter turn.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check usd-core==26.11
cat >"$work/run.py" <<'PY'
import math
import sys

from pxr import Gf, Usd, UsdGeom

TIP = Gf.Vec3d(1, 0, 0)


def write(path, axis, degrees):
    turn = Gf.Rotation(Gf.Vec3d(*axis), degrees)
    z, y, x = turn.Decompose(Gf.Vec3d.ZAxis(), Gf.Vec3d.YAxis(), Gf.Vec3d.XAxis())
    stage = Usd.Stage.CreateNew(path)
    matrix = UsdGeom.Xform.Define(stage, "/transform").AddTransformOp()
    quaternion = UsdGeom.Xform.Define(stage, "/orient").AddOrientOp(UsdGeom.XformOp.PrecisionDouble)
    angles = UsdGeom.Xform.Define(stage, "/rotateXYZ").AddRotateXYZOp(UsdGeom.XformOp.PrecisionDouble)
    samples = {
        matrix: (Gf.Matrix4d(1), Gf.Matrix4d(turn, Gf.Vec3d(0))),
        quaternion: (Gf.Quatd(1), turn.GetQuat()),
        angles: (Gf.Vec3d(0), Gf.Vec3d(x, y, z)),
    }
    for attribute, values in samples.items():
        for time, value in enumerate(values):
            attribute.Set(value, time)
    stage.Save()


def seen(path, time):
    """Where each of the three ways puts the tip, and how much of its volume the body has."""
    stage = Usd.Stage.Open(path)
    for name in ("transform", "orient", "rotateXYZ"):
        pose = UsdGeom.Xformable(stage.GetPrimAtPath("/" + name)).ComputeLocalToWorldTransform(time)
        yield name, pose.Transform(TIP), pose.GetDeterminant()


want = {
    ((0, 0, 1), 90): ((0.5, 0.5, 0, 0.5), (0.7071, 0.7071, 0, 1), (0.7071, 0.7071, 0, 1)),
    ((0, 0, 1), 180): ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 0, 1)),
    ((1, 1, 1), 120): ((0.5, 0.5, 0, 0.25), (0.6667, 0.6667, -0.3333, 1), (0.7071, 0.7071, 0, 1)),
}
changed = False
for number, ((axis, degrees), middle) in enumerate(want.items()):
    path = f"{sys.argv[1]}/{number}.usda"
    write(path, axis, degrees)
    ends = [tip for _, tip, _ in seen(path, 1)]
    same = all((tip - ends[0]).GetLength() < 1e-12 for tip in ends)
    print(f"{degrees} degrees about {axis}: {'the same pose' if same else 'three poses'} at the end; in the middle")
    changed |= not same
    for (name, tip, volume), expected in zip(seen(path, 0.5), middle):
        print(f"  {name}: tip at {tuple(round(c, 3) + 0.0 for c in tip)}, volume {volume:.2f}")
        changed |= not all(math.isclose(a, b, abs_tol=1e-3) for a, b in zip((*tip, volume), expected))
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
