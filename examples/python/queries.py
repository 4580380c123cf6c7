"""A batch of vertex-face queries from one NumPy array: which of many falling points meet a triangle, and when.

Prints (a test holds the lines that begin with #: against what is printed):
"""
#: of 1000 points 500 meet the triangle
#: the fastest of them does so at t = 0.125

import numpy as np

import ccd

n = 1000
face = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
queries = np.empty((n, 8, 3))
queries[:, 1:4] = queries[:, 5:8] = face
queries[:, 0] = queries[:, 4] = [0.25, 0.25, 1]
queries[: n // 2, 4, 2] = np.linspace(-7, -1, n // 2)  # these fall through
queries[n // 2 :, 4, 2] = np.linspace(0.1, 9, n // 2)  # these do not

impacts = ccd.pair.vertex_face(queries)
met = impacts["verdict"] == ccd.Verdict.CONTACT
print(f"of {n} points {met.sum()} meet the triangle")
print(f"the fastest of them does so at t = {impacts['toi_lo'].min()}")
