#!/bin/sh
# NumPy 2.4.6 (PyPI numpy, with its own OpenBLAS), Python 3.11, Linux x86-64. Needs a processor with FMA (any since 2013); the part on
# dot products needs AVX-512, and is left out without.
#
# 1,000 points are turned by a rotation matrix: as a batch, points @ R.T, and one at a time, R @ point, points[i:i+1] @ R.T and the
# stack R @ points[:, :, None]. OPENBLAS_CORETYPE fixes the kernels that OpenBLAS chooses by the processor. Then the dot product of
# 1,000 vectors of two entries with the vector that is perpendicular to each without rounding, (a, b) . (b, -a).
# Expected: the same bits: each is the same sum of three products. Where BLAS fuses products and sums, it does so in each. And 0.
# Seen:     of 1,000 points 490 differ in the last bit between the batch and one at a time, with the kernels for Haswell, Zen and
#           AVX-512 alike; batches of two points or more agree with each other, and a batch of one is not one of them: NumPy hands
#           it, and the stack, to the product of a matrix with a vector, which adds up in another order. For processors without
#           FMA (Nehalem) all agree. With AVX-512 the dot product of perpendicular vectors is not 0 for any of the 1,000 (one of its
#           products is not rounded); with the kernels for Haswell it is 0 for all.
# Why it matters: a corner that two bodies share, and that is placed once with a mesh and once alone, is two points: faces that touch are
# apart by 1e-16 or cross, and a test for equality, or an exact test of touching, says so. Place all points by one expression.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import math
import os
import sys

import numpy as np

core = os.environ["OPENBLAS_CORETYPE"]
random = np.random.default_rng(0)
points = random.normal(size=(1000, 3))
c, s = math.cos(0.3), math.sin(0.3)
turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
batch = points @ turn.T
alone = np.array([turn @ point for point in points])
one_row = np.concatenate([points[i : i + 1] @ turn.T for i in range(1000)])
pairs = np.concatenate([points[i : i + 2] @ turn.T for i in range(0, 1000, 2)])
stack = (turn @ points[:, :, None])[:, :, 0]
differ = {name: int((other != batch).any(1).sum()) for name, other in
          (("alone", alone), ("one row", one_row), ("stack", stack), ("two rows", pairs))}
vectors = random.normal(size=(1000, 2))
dots = sum(a @ np.array([a[1], -a[0]]) != 0 for a in vectors)
print(f"kernels {core}: of 1,000 points {differ} differ from the batch, by up to {np.abs(alone - batch).max():.1e};",
      f"{dots} dot products of perpendicular vectors are not 0")
fused = core != "Nehalem"
changed = differ["two rows"] != 0 or np.abs(alone - batch).max() > 1e-15
changed |= any((differ[name] > 200) != fused for name in ("alone", "one row", "stack"))
changed |= (dots > 900) != (core == "SkylakeX") or (dots > 0) != (core == "SkylakeX")
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check numpy==2.4.6
cores="Nehalem Haswell Zen"
if grep -q avx512vl /proc/cpuinfo; then cores="$cores SkylakeX"; fi
for core in $cores; do
    OPENBLAS_CORETYPE=$core OPENBLAS_NUM_THREADS=1 "$work/venv/bin/python" "$work/run.py"
done
