#!/bin/sh
# PyVista 0.49.1, VTK 9.7.2, NumPy 2.4.6 (PyPI pyvista, vtk, numpy), Python 3.11, Linux x86-64.
#
# A box and a ball, closed, with faces that look outward, mirrored at their own middle by reflect, flip_x and scale by -1, and by
# VTK's vtkReflectionFilter. Volume, compute_implicit_distance and select_interior_points of a point inside and of one far outside,
# and boolean_intersection of another ball with the mirrored one.
# Expected: a closed body with outward faces, as by vtkReflectionFilter, whose name PyVista's method has, and by vedo's mirror. As
#           the bodies are their own mirror images, all answers stay.
# Seen:     the volume stays, as PyVista's has no sign, and so does is_manifold. All else is inside out: the distance of the point
#           inside is above 0 and that of the one outside below, the inner point is out and the far one in, and boolean_intersection
#           returns what boolean_difference has for the ball itself. A mirror is a matrix on the points here, and the corners of the
#           faces keep their order; the documentation does not say so. vtkReflectionFilter is right, and so is vedo 2026.6.3.
# Why it matters: left parts are made of right ones, and mirrored data is turned back, by these methods. Volume and picture show
# nothing, and a point far away counts as deep inside. Call flip_faces after each mirror.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import sys
import warnings

import numpy as np
import pyvista
import vtk

warnings.simplefilter("ignore")


def by_vtk(body):
    mirror = vtk.vtkReflectionFilter()
    mirror.SetInputData(body)
    mirror.CopyInputOff()
    mirror.SetPlaneToX()
    mirror.Update()
    return pyvista.wrap(mirror.GetOutput())


MIRRORS = {
    "as made": lambda body: body,
    "vtkReflectionFilter": by_vtk,
    "reflect": lambda body: body.reflect((1, 0, 0)),
    "flip_x": lambda body: body.flip_x(),
    "scale by -1": lambda body: body.scale((-1, 1, 1)),
}
points = pyvista.PolyData(np.array([[0, 0, 0], [9, 0, 0]], float))
box = pyvista.Box((-1, 1, -1, 1, -1, 1)).triangulate()
ball, other = pyvista.Sphere(radius=1), pyvista.Sphere(radius=1, center=(0, 0.5, 0))
print("PyVista", pyvista.__version__, "VTK", vtk.VTK_VERSION, "NumPy", np.__version__)
common, rest = other.boolean_intersection(ball).volume, other.boolean_difference(ball).volume
print(f"two balls: {common:.3f} in common, {rest:.3f} of the one without the other")
changed = abs(common - rest) < 0.1
for name, mirror in MIRRORS.items():
    surface = mirror(box).extract_surface().triangulate()
    distances = points.compute_implicit_distance(surface)["implicit_distance"]
    inside = points.select_interior_points(surface)["selected_points"].astype(bool)
    both = other.boolean_intersection(mirror(ball).extract_surface().triangulate()).volume
    print(f"{name}: volume {surface.volume:.2f}, closed {surface.is_manifold}, distances {distances}, inside {inside},",
        f"in common {both:.3f}")
    right = name in ("as made", "vtkReflectionFilter")
    changed |= abs(surface.volume - 8) > 1e-6 or not surface.is_manifold
    changed |= (list(inside) == [True, False]) != right or (list(distances) == [-1, 8]) != right
    changed |= abs(both - (common if right else rest)) > 1e-2
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check pyvista==0.49.1 vtk==9.7.2 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py"
