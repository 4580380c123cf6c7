"""The earliest impact of a falling triangle, a safe step, and every impact.

Prints (a test holds the lines that begin with #: against what is printed):
"""
#: first touch: vertex-face 3 0 at t = 0.5
#: the way to 0.01 above the first triangle is 0.495 of the step

import numpy as np

import ccd

faces = [[0, 1, 2], [3, 4, 5]]
x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1], [0.5, 0.25, 2], [0.25, 0.5, 2]])
x1 = x0.copy()
x1[3:, 2] -= 2  # the second triangle falls through the first

with ccd.Mesh(faces=faces, vertices=len(x0)) as mesh:
    hit = ccd.step.earliest(mesh, x0, x1)
    print(f"first touch: {hit.kind} {hit.a} {hit.b} at t = {hit.toi_lo}")  # exact: the minimum separation is 0

    alpha = ccd.step.size(mesh, x0, x1, min_separation=0.01)
    print(f"the way to 0.01 above the first triangle is {alpha:.3f} of the step")

    for impact in ccd.step.collisions(mesh, x0, x1):
        print(ccd.Kind(impact["kind"]), impact["a"], impact["b"], impact["toi_lo"])
