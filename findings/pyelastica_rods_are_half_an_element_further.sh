#!/bin/sh
# PyElastica 1.0.0, NumPy 2.4.6 (PyPI pyelastica, numpy), Python 3.11, Linux x86-64.
#
# A straight rod of length 1 and radius 0.05, with 2 to 100 elements, along x from 0 to 1. A ball of radius 0.05, an upright
# cylinder of that radius, and the end of a second rod of that radius are moved along it, 0.08 aside: from where to where there is a
# force (RodSphereContact, RodCylinderContact, RodRodContact).
# Guess: from x = -0.06 to 1.06, where the round ends of both, of radius 0.1 together, are 0.08 aside.
# Seen:  so by the second rod, for any number of elements. By the cylinder all is half an element further: from 0.19 to 1.31 with 2
#        elements, from -0.01 to 1.11 with 10. By the ball as well, to 1.1, where the box of the rod ends. The middle of an element
#        is taken for its start, so the first half of the first element is free, and half an element beyond the end of the rod
#        pushes. With 100 elements it is 0.005.
# Why it matters: the tip of an arm or a tentacle touches things that it has not reached, and a base that is fixed at the start is
# passed there. Whoever refines the rod sees contacts move; the two kinds of contact disagree on where a rod is, and reversing its
# direction moves it. Take elements that are short against the radius, or a rod in place of the cylinder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import sys

import elastica
import numpy as np
from elastica.contact_forces import RodCylinderContact, RodRodContact, RodSphereContact

RADIUS, ASIDE, STEP = 0.05, 0.08, 0.01
UP = np.array([0.0, 0.0, 1.0])


def rod(start, along, length, elements):
    made = elastica.CosseratRod.straight_rod
    return made(elements, start, along, np.roll(along, 1), length, RADIUS, 1000.0, youngs_modulus=1e6, shear_modulus=4e5)


OTHERS = {
    "ball": (RodSphereContact, lambda at: elastica.Sphere(at, RADIUS, 1000.0)),
    "cylinder": (RodCylinderContact, lambda at: elastica.Cylinder(at - UP / 2, UP, np.roll(UP, 1), 1.0, RADIUS, 1000.0)),
    "rod": (RodRodContact, lambda at: rod(at, np.array([0.0, 1.0, 0.0]), 0.5, 5)),
}
print("NumPy", np.__version__)
changed = False
for name, (contact, make) in OTHERS.items():
    for elements in (2, 5, 10, 100):
        pushed = []
        for x in np.arange(-0.5, 1.5, STEP):
            body = rod(np.zeros(3), np.array([1.0, 0.0, 0.0]), 1.0, elements)
            contact(k=1e4, nu=0.0).apply_contact(body, make(np.array([x, ASIDE, 0.0])))
            if body.external_forces.any():
                pushed.append(x)
        print(f"{name}, {elements} elements: pushed from {pushed[0]:.2f} to {pushed[-1]:.2f}")
        further = 0 if name == "rod" else 0.5 / elements
        last = min(1.06 + further, 1.1) if name == "ball" else 1.06 + further
        changed |= max(abs(pushed[0] + 0.06 - further), abs(pushed[-1] - last)) > 1.5 * STEP
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check pyelastica==1.0.0 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py"
