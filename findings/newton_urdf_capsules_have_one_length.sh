#!/bin/sh
# Newton 1.8.0 with Warp 1.19.0, PyBullet 3.2.7, NumPy 2.4.6 (PyPI newton, warp-lang, pybullet, numpy), Python 3.11, Linux x86-64,
# on the CPU.
#
# URDF robots of one link, a capsule or a cylinder with radius 0.05 and lengths from 0.1 to 2, read by Newton's add_urdf and by
# PyBullet's loadURDF: how far the shape reaches along its axis. A capsule has radius and length in URDF since 2026, as a cylinder
# has (pull request 238 of ros/urdfdom), and has had them in PyBullet for longer; its length leaves out the round ends.
# Guess: half the length, and the radius besides for capsules, by both.
# Seen:  so by PyBullet, and for cylinders. By Newton each capsule reaches 0.55, whatever its length is: it looks for the attribute
#        "height", and takes 1 where there is none. Nothing is said about "length", which it does not know. With both it is right.
# Why it matters: a finger of 0.1 with round ends is a rod of 1.1, and touches the table; a leg of 2 is half there, and passes what
# it hits. Robots whose collision shapes are capsules of about 1 look right. Write both attributes, or a cylinder and two balls.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import sys

import newton
import numpy as np
import pybullet
import warp as wp

RADIUS = 0.05
MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def by_newton(name):
    builder = newton.ModelBuilder()
    builder.add_urdf(name, floating=False)
    (kind,), (scale,) = builder.shape_type, builder.shape_scale
    assert kind in (newton.GeoType.CAPSULE, newton.GeoType.CYLINDER) and np.isclose(scale[0], RADIUS)
    return scale[1] + (scale[0] if kind == newton.GeoType.CAPSULE else 0)


def by_pybullet(name):
    """From a ray along the axis: boxes of PyBullet have margins."""
    body = pybullet.loadURDF(name, useFixedBase=True)
    (hit,) = pybullet.rayTestBatch([[0, 0, 9]], [[0, 0, -9]])
    pybullet.removeBody(body)
    return hit[3][2]


wp.config.quiet = True
pybullet.connect(pybullet.DIRECT)
print("Newton", newton.__version__, "Warp", wp.__version__, "PyBullet", pybullet.getAPIVersion())
changed = False
for kind, more in (("capsule", ""), ("cylinder", ""), ("capsule", "height")):
    for length in (0.1, 0.5, 1.0, 2.0):
        name = f"{sys.argv[1]}/{kind}-{more}-{length}.urdf"
        size = f'radius="{RADIUS}" length="{length}"' + (f' height="{length}"' if more else "")
        shape = f"<collision><geometry><{kind} {size}/></geometry></collision>"
        with open(name, "w") as file:
            file.write(f'<robot name="one"><link name="part">{MASS}{shape}</link></robot>')
        true = length / 2 + (RADIUS if kind == "capsule" else 0)
        seen = by_newton(name), by_pybullet(name)
        also = ", also as its height" if more else ""
        print(f"{kind} of {length}{also}: reaches {true:.3f}; Newton {seen[0]:.3f}, PyBullet {seen[1]:.3f}")
        changed |= not np.allclose(seen, (0.55 if kind == "capsule" and not more else true, true), atol=2e-3)
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check newton==1.8.0 warp-lang==1.19.0 \
    pybullet==3.2.7 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py" "$work"
