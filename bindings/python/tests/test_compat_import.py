"""`import ccd.compat.ipctk as ipctk` in place of `import ipctk`: in processes, since it changes ipctk for all of one."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest


def run(program):
    """What a program prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


WITHOUT = """
import sys
sys.modules["ipctk"] = None  # as where it is not installed
import ccd.compat.ipctk as ipctk, ccd.compat.own as own
"""


def test_without_ipctk_the_names_are_our_own_and_the_rest_says_why():
    run(
        WITHOUT
        + """
assert all(getattr(ipctk, name) is getattr(own, name) for name in own.__all__)
from ccd.compat.ipctk import CollisionMesh, has_intersections
from ccd.compat.ipctk.tight_inclusion import edge_edge_ccd
assert ipctk.tight_inclusion.edge_edge_ccd is edge_edge_ccd

def text(kind, program):
    try:
        exec(program, {"ipctk": ipctk})
    except kind as error:
        return str(error)
    raise AssertionError(program)

for program in ("from ccd.compat.ipctk import NormalCollisions", "from ccd.compat.ipctk import BarrierPotential"):
    assert "potentials, barriers" in text(ImportError, program) and "pip install ipctk" in text(ImportError, program)
assert "interval arithmetic" in text(ImportError, "from ccd.compat.ipctk.filib import Interval")
assert "interval arithmetic" in text(AttributeError, "ipctk.filib.Interval")
assert "pip install ipctk" in text(AttributeError, "ipctk.NormalCollisions")
assert text(AttributeError, "ipctk.nothing") == "ccd.compat.ipctk has no nothing"
assert text(ImportError, "from ccd.compat.ipctk import nothing") == "ccd.compat.ipctk has no nothing"
assert not hasattr(ipctk, "NormalCollisions") and getattr(ipctk, "NormalCollisions", 3) == 3
assert not ipctk.installed() and "CollisionMesh" in dir(ipctk) and "NormalCollisions" not in dir(ipctk)
exec("from ccd.compat.ipctk import *", {})
"""
    )


def test_every_name_of_ipctk_is_there_and_install_waits_for_the_first_that_is_exchanged(real):
    run(
        """
import ccd.compat.ipctk as ipctk, ccd.compat.own as own
from ccd.compat.ipctk import TightInclusionCCD, install, point_triangle_ccd
assert not ipctk.installed() and TightInclusionCCD is own.TightInclusionCCD
from ccd.compat.ipctk.filib import Interval
from ccd.compat.ipctk.tight_inclusion import edge_edge_ccd
import ipctk as real
assert Interval is real.filib.Interval and ipctk.installed()
public = [name for name in dir(real) if not name.startswith("_")]
assert not [name for name in public if not hasattr(ipctk, name)] and set(public) <= set(dir(ipctk))
assert ipctk.CollisionMesh is real.CollisionMesh and ipctk.NormalCollisions is real.NormalCollisions
assert ipctk.ogc.__name__ and ipctk.LoggerLevel is real.LoggerLevel and ipctk.AUTO
swapped = ipctk.has_intersections
ipctk.uninstall()  # holds: the names do not install again
assert real.has_intersections is not swapped and ipctk.has_intersections is real.has_intersections
assert not ipctk.installed()
"""
    )


# The course of ipctk's own examples: a Newton step with a barrier, its line search, friction; then what only this library does.
EXAMPLE = """
import {module} as ipctk
import numpy as np, scipy.sparse, scipy.sparse.linalg

{setup}
box = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
sides = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                  [1, 5, 7], [1, 7, 3]])
vertices = np.vstack([box, box * 0.8 + [0.1, 0.1, 1.0005]])
faces = np.vstack([sides, sides + 8])
dhat, mass = 1e-3, 1.0
target = vertices - [0, 0, 0.2] * (np.arange(16) >= 8)[:, None]
mesh = ipctk.CollisionMesh(vertices, ipctk.edges(faces), faces)
assert not ipctk.has_intersections(mesh, vertices)
collisions, barrier = ipctk.NormalCollisions(), ipctk.BarrierPotential(dhat, 1.0)
collisions.build(mesh, vertices, dhat, broad_phase=ipctk.LBVH())
x, energies = vertices, []
for _ in range(3):
    grad = mass * (x - target).flatten() + barrier.gradient(collisions, mesh, x)
    hess = mass * scipy.sparse.eye(48) + barrier.hessian(
        collisions, mesh, x, project_hessian_to_psd=ipctk.PSDProjectionMethod.CLAMP)
    dx = scipy.sparse.linalg.spsolve(scipy.sparse.csc_matrix(hess), -grad).reshape(-1, 3)
    candidates = ipctk.Candidates()
    candidates.build(mesh, x, x + dx, dhat)
    ccd = ipctk.TightInclusionCCD(1e-6, 1000000, 0.8)
    alpha = candidates.compute_collision_free_stepsize(mesh, x, x + dx, narrow_phase_ccd=ccd)
    assert alpha == ipctk.compute_collision_free_stepsize(mesh, x, x + dx, narrow_phase_ccd=ccd)
    x = x + alpha * dx
    collisions.build(candidates, mesh, x, dhat)
    energies.append(mass * ((x - target) ** 2).sum() / 2 + barrier(collisions, mesh, x))
    assert not ipctk.has_intersections(mesh, x)
slide = x - vertices + [1e-3, 0, 0] * (np.arange(16) >= 8)[:, None]
friction = ipctk.TangentialCollisions()
friction.build(mesh, x, collisions, barrier, 0.3)
force = ipctk.FrictionPotential(1e-3).force(friction, mesh, vertices, x - vertices, slide, barrier)
planes = ipctk.CollisionMesh(vertices, ipctk.edges(faces), faces)
planes.planes = [ipctk.Hyperplane(np.array([0.0, 0, 1]), np.array([0.0, 0, -1]))]
low, ccd = vertices - [0, 0, 4.0], ipctk.TightInclusionCCD()
down = ipctk.compute_collision_free_stepsize(planes, vertices, low, narrow_phase_ccd=ccd)
print(*energies, np.abs(force).sum(), len(collisions), len(friction), down)
"""


def test_an_example_of_ipctk_runs_with_the_import_alone_as_with_install(real):
    setup = "import ccd.compat.ipctk; ccd.compat.ipctk.install()"
    got = run(EXAMPLE.format(module="ccd.compat.ipctk", setup=""))
    installed = run(EXAMPLE.format(module="ipctk", setup=setup))
    theirs = run(EXAMPLE.format(module="ipctk", setup=""))
    mine, kept, numbers = (np.array(text.split(), dtype=float) for text in (got, installed, theirs))
    np.testing.assert_array_equal(mine, kept)
    assert mine[:3] == pytest.approx(numbers[:3], rel=1e-2) and (mine[3:6] > 0).all()
    assert mine[-1] == numbers[-1]  # ipctk steps a mesh with planes, with our TightInclusionCCD
