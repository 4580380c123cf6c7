#!/bin/sh
# meshoptimizer 1.3.0 (npm), Node.js 20; MeshLib 3.1.4.297 (PyPI meshlib), Python 3.11, Linux x86-64.
#
# A flat square sheet of edge 1 with one vertex in its middle raised by 0.3, in grids of 31, 61, 121 and 241 vertices a side, is
# simplified with limits of the error from 0.001 to 0.05. Both libraries return the error that they made.
# Expected: the spike stays while the limit is below 0.3, or the returned error is about 0.3. meshoptimizer calls it an approximate
#           measure of the deviation from the original mesh, MeshLib an estimated distance deviation.
# Seen:     the spike is gone, and the returned error is far below its height: by meshoptimizer 0.0055 (31 a side), 0.0016, 0.0007 and
#           0.0002 (241), so 1,300 times too small; by MeshLib at a limit of 0.05 (61 a side) and 0.02 (241), which it returns. The
#           finer the grid, the smaller the error: both measure the distance to the planes of the triangles that were, and the sides
#           of a thin spike have planes that pass near its foot.
# Why it matters: a collision mesh that was simplified "to 1 mm" and given a margin of 1 mm does not contain its pins, antennas and
# fins. Measure the distance of the original's vertices to the simplified mesh, and give that as a radius.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund meshoptimizer@1.3.0
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check meshlib==3.1.4.297 numpy==2.4.6
cat >run.mjs <<'JS'
import { MeshoptSimplifier } from "meshoptimizer";

const HEIGHT = 0.3;
await MeshoptSimplifier.ready;
let changed = false;
for (const n of [31, 61, 121, 241]) {
  const positions = new Float32Array(3 * n * n);
  const indices = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const raised = 2 * i === n - 1 && 2 * j === n - 1;
      positions.set([j / (n - 1), i / (n - 1), raised ? HEIGHT : 0], 3 * (i * n + j));
      if (i + 1 < n && j + 1 < n) {
        const [a, b, c, d] = [i * n + j, i * n + j + 1, (i + 1) * n + j + 1, (i + 1) * n + j];
        indices.push(a, b, c, a, c, d);
      }
    }
  let gone = false;
  for (const limit of [0.001, 0.005, 0.01]) {
    const [left, error] = MeshoptSimplifier.simplify(Uint32Array.from(indices), positions, 3, 3, limit, ["ErrorAbsolute"]);
    let top = 0;
    for (const vertex of left) top = Math.max(top, positions[3 * vertex + 2]);
    console.log(`meshoptimizer, ${n} a side, limit ${limit}: height ${top.toFixed(3)}, error ${error.toFixed(5)}`);
    gone ||= top === 0 && error < HEIGHT / 50;
  }
  changed ||= !gone;
}
if (changed) console.error("the behavior of meshoptimizer has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
cat >run.py <<'PY'
import sys

import numpy as np
from meshlib import mrmeshnumpy, mrmeshpy

changed = False
for n, limits in ((61, (0.01, 0.02, 0.05)), (241, (0.005, 0.01, 0.02))):
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n))
    z = np.zeros_like(x)
    z[n // 2, n // 2] = 0.3
    at = np.arange(n * n).reshape(n, n)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)
    gone = False
    for limit in limits:
        mesh = mrmeshnumpy.meshFromFacesVerts(faces, np.stack([x.ravel(), y.ravel(), z.ravel()], 1))
        settings = mrmeshpy.DecimateSettings()
        settings.maxError, settings.packMesh = limit, True
        result = mrmeshpy.decimateMesh(mesh, settings)
        top = mrmeshnumpy.getNumpyVerts(mesh)[:, 2].max()
        print(f"MeshLib, {n} a side, limit {limit}: height {top:.3f}, error {result.errorIntroduced:.5f}")
        gone |= top < 0.01 and result.errorIntroduced < 0.06
    changed |= not gone
sys.exit("the behavior of MeshLib has changed" if changed else 0)
PY
venv/bin/python run.py
