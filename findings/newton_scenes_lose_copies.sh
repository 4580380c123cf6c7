#!/bin/sh
# Newton 1.8.0 with Warp 1.19.0, usd-core 26.11 (PyPI newton, warp-lang, usd-core, newton-usd-schemas), Python 3.11, Linux x86-64,
# on the CPU.
#
# Scenes of three boxes with collision, read by ModelBuilder.add_mjcf and add_usd: written one by one; as copies, by <replicate> in
# MJCF, by instanceable references and by a PointInstancer in USD; and as a rigid body whose place has time samples, 5 at time 1.
# Expected: three shapes each time, at x = 0, 5 and 10, or a word that copies are not read; the body at its first place, x = 5.
# Seen:     written one by one and as instanceable references: three. <replicate> and PointInstancer: no shape at all, not even the
#           original, and nothing is said. The body is at the origin: its place is read at USD's default time, where an attribute
#           that has samples alone has no value, and the fallback of a translation is 0.
# Why it matters: bulk goods, fences and steps are written as copies, and recorded scenes have samples: the scene that is
# simulated has no obstacles there, or all bodies in one place. Count shapes against the file. (ovnewton 0.1.1, another reader for
# Newton, rejects a PointInstancer, by its documentation.)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check newton==1.8.0 warp-lang==1.19.0 \
    usd-core==26.11 newton-usd-schemas==0.6.0 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys
import warnings

import newton
from pxr import Usd, UsdGeom, UsdPhysics

PLACES = (0, 5, 10)


def by_mjcf(inner):
    builder = newton.ModelBuilder()
    builder.add_mjcf(f'<mujoco model="m"><worldbody>{inner}</worldbody></mujoco>')
    return builder


def box(stage, path, x=None):
    cube = UsdGeom.Cube.Define(stage, path)
    UsdPhysics.CollisionAPI.Apply(cube.GetPrim())
    if x is not None:
        cube.AddTranslateOp().Set((x, 0, 0))
    return cube


def one_by_one(stage):
    for i, x in enumerate(PLACES):
        box(stage, f"/box{i}", x)


def references(stage):
    stage.CreateClassPrim("/original")
    box(stage, "/original/box")
    for i, x in enumerate(PLACES):
        copy = UsdGeom.Xform.Define(stage, f"/copy{i}")
        copy.GetPrim().GetReferences().AddInternalReference("/original")
        copy.GetPrim().SetInstanceable(True)
        copy.AddTranslateOp().Set((x, 0, 0))


def instancer(stage):
    copies = UsdGeom.PointInstancer.Define(stage, "/copies")
    box(stage, "/copies/box")
    copies.CreatePrototypesRel().SetTargets(["/copies/box"])
    copies.CreateProtoIndicesAttr([0] * len(PLACES))
    copies.CreatePositionsAttr([(x, 0, 0) for x in PLACES])


def samples(stage):
    cube = box(stage, "/body")
    UsdPhysics.RigidBodyAPI.Apply(cube.GetPrim())
    place = cube.AddTranslateOp()
    place.Set((5, 0, 0), 1.0)
    place.Set((10, 0, 0), 2.0)


def by_usd(fill):
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(stage, 1)
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdPhysics.Scene.Define(stage, "/scene")
    fill(stage)
    builder = newton.ModelBuilder()
    builder.add_usd(stage)
    return builder


GEOM = '<geom type="box" size=".5 .5 .5" pos="{} 0 0"/>'
SCENES = {  # how it is written, the scene, and where Newton 1.8.0 has shapes
    "MJCF, one by one": (lambda: by_mjcf("".join(map(GEOM.format, PLACES))), [0, 5, 10]),
    "MJCF, <replicate>": (lambda: by_mjcf(f'<replicate count="3" offset="5 0 0">{GEOM.format(0)}</replicate>'), []),
    "USD, one by one": (lambda: by_usd(one_by_one), [0, 5, 10]),
    "USD, instanceable references": (lambda: by_usd(references), [0, 5, 10]),
    "USD, PointInstancer": (lambda: by_usd(instancer), []),
    "USD, a body with samples": (lambda: by_usd(samples), [0]),
}
changed = False
for name, (make, now) in SCENES.items():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        builder = make()
    bodies = [float(pose[0]) for pose in builder.body_q]
    at = [float(x[0]) + (bodies[body] if body >= 0 else 0) for x, body in zip(builder.shape_transform, builder.shape_body)]
    print(f"{name}: shapes at x = {sorted(at)}; warnings: {[str(one.message) for one in said]}")
    changed |= sorted(at) != now or bool(said)
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
