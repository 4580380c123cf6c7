#!/bin/sh
# Warp 1.19.0 (PyPI warp-lang), Python 3.11, Linux x86-64, on the CPU.
#
# wp.intersect_tri_tri for 20,000 random pairs of triangles in a cube of edge 1, and for the same pairs scaled by powers of two, in
# single and in double precision; then for two parallel triangles with edges of 1 mm, one above the other, and gaps of up to 0.9 m.
# Expected: the same answers at each scale, as scaling by powers of two changes no digit. The docstring says that single precision
#           may be wrong in "near-degenerate cases" and offers double precision for "greater robustness".
# Seen:     at scale 1 all as an independent test says: 5,653 cross. At 1/64 there are 14,437, of which 8,813 are apart, at 1/128 and
#           below 14,515; double precision has the same counts. Two triangles of 1 mm "intersect" at any gap up to 0.9 m. The test
#           takes a vertex for one in the other triangle's plane where (edge x edge) . difference is below 1e-6, a volume, whatever
#           the size (native/intersect_tri.h), and triangles in one plane for crossing where their shadows overlap.
# Why it matters: meshes of parts in meters have edges of millimeters, so most pairs whose bounding boxes overlap count as crossing, and
# at 1/64 29 that cross are missed. A trial with triangles of size 1 is right. Scale both triangles up before asking.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import sys

import numpy as np
import warp as wp

wp.config.quiet = True
wp.config.kernel_cache_dir = sys.argv[1]


@wp.kernel
def single(corners: wp.array(dtype=wp.vec3), result: wp.array(dtype=int)):
    i = 6 * wp.tid()
    result[wp.tid()] = wp.intersect_tri_tri(
        corners[i], corners[i + 1], corners[i + 2], corners[i + 3], corners[i + 4], corners[i + 5]
    )


@wp.kernel
def double(corners: wp.array(dtype=wp.vec3d), result: wp.array(dtype=int)):
    i = 6 * wp.tid()
    result[wp.tid()] = wp.intersect_tri_tri(
        corners[i], corners[i + 1], corners[i + 2], corners[i + 3], corners[i + 4], corners[i + 5]
    )


def asked(kernel, pairs):
    kind = wp.vec3 if kernel is single else wp.vec3d
    corners = wp.array(pairs.reshape(-1, 3).astype(np.float32 if kernel is single else float), dtype=kind, device="cpu")
    result = wp.zeros(len(pairs), dtype=int, device="cpu")
    wp.launch(kernel, dim=len(pairs), inputs=[corners, result], device="cpu")
    return result.numpy() != 0


def volume(a, b, c, d):
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)


def crossing(pairs):
    """Whether an edge of one triangle passes through the other, by signs of volumes in double precision."""
    found = np.zeros(len(pairs), bool)
    for edges, face in ((pairs[:, :3], pairs[:, 3:]), (pairs[:, 3:], pairs[:, :3])):
        a, b, c = face[:, 0], face[:, 1], face[:, 2]
        for i in range(3):
            p, q = edges[:, i], edges[:, (i + 1) % 3]
            apart = volume(a, b, c, p) * volume(a, b, c, q) <= 0
            around = np.sign([volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)])
            found |= apart & ((around >= 0).all(0) | (around <= 0).all(0))
    return found


pairs = np.random.default_rng(0).uniform(-0.5, 0.5, (20000, 6, 3)).astype(np.float32).astype(float)
true = crossing(pairs)
print(f"Warp {wp.__version__}; {true.sum()} of {len(pairs)} pairs cross")
false = {}
for kernel in (single, double):
    for power in (0, -3, -6, -7, -10):
        found = asked(kernel, pairs * 2.0**power)
        false[kernel, power] = (found & ~true).sum()
        print(f"{kernel.key}, scale 2^{power}: {found.sum()} found, {(found & ~true).sum()} of them are apart,",
              f"{(true & ~found).sum()} missed")
triangle = np.array([[0, 0, 0], [1e-3, 0, 0], [0, 1e-3, 0]])
gaps = np.array([1e-3, 1e-2, 0.1, 0.5, 0.9, 1.1])
stacked = np.array([np.concatenate([triangle, triangle + [1e-4, 1e-4, gap]]) for gap in gaps])
apart = {kernel: asked(kernel, stacked) for kernel in (single, double)}
for kernel, found in apart.items():
    print(f"{kernel.key}, parallel triangles of 1 mm, gaps {gaps.tolist()}: {found.tolist()}")
changed = False
for kernel in (single, double):
    changed |= false[kernel, 0] > 0 or false[kernel, -7] < 5000 or apart[kernel].tolist() != [True] * 5 + [False]
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check warp-lang==1.19.0 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py" "$work/cache"
