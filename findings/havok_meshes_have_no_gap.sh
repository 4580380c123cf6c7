#!/bin/sh
# Havok for the web, 1.3.14 (npm @babylonjs/havok), Node.js 20, Linux x86-64.
#
# Two unit cubes, each as a ball, a box, a convex hull or a mesh, 3, 0.05 and -0.25 apart: which pairs HP_World_ShapeProximity-
# WithCollector finds within 10, which a shape cast finds on the way, and whether the simulation stops one at the other.
# Expected: a distance for each pair, or an error for pairs that are not supported.
# Seen:     one for each pair but mesh with mesh. For these it succeeds with no hit, at any distance and in overlap, which is also the
#           answer where nothing is within reach. The cast finds mesh against mesh, and the simulation stops the one at the other, so
#           the pair is known to the engine. Babylon.js reads the same call (shapeProximity): hasHit is false.
# Why it matters: a clearance that is asked of this query says "nothing near" for the most exact shapes, and a trial with a box
# against the same mesh is right. Ask with hulls or boxes in place of one of the meshes, or with the points of one.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @babylonjs/havok@1.3.14
cat >run.mjs <<'JS'
import { readFileSync } from "node:fs";
import HavokPhysics from "@babylonjs/havok";

const hk = await HavokPhysics({ wasmBinary: readFileSync("node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm") });
const REST = [0, 0, 0, 1];
const value = ([result, value]) => {
  if (result !== hk.Result.RESULT_OK) throw new Error("Havok refused a call");
  return value;
};
const collector = value(hk.HP_QueryCollector_Create(1));
const hits = () => value(hk.HP_QueryCollector_GetNumHits(collector));

function given(array) {
  const at = hk._malloc(array.byteLength);
  new array.constructor(hk.HEAPU8.buffer, at, array.length).set(array);
  return at;
}

const CORNERS = [];
for (const x of [-0.5, 0.5]) for (const y of [-0.5, 0.5]) for (const z of [-0.5, 0.5]) CORNERS.push(x, y, z);
const FACES = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3];
const points = given(Float32Array.from(CORNERS));
const SHAPES = {
  ball: value(hk.HP_Shape_CreateSphere([0, 0, 0], 0.5)),
  box: value(hk.HP_Shape_CreateBox([0, 0, 0], REST, [1, 1, 1])),
  hull: value(hk.HP_Shape_CreateConvexHull(points, 8)),
  mesh: value(hk.HP_Shape_CreateMesh(points, 8, given(Int32Array.from(FACES)), 12)),
};

function body(world, shape, place, type) {
  const body = value(hk.HP_Body_Create());
  hk.HP_Body_SetShape(body, shape);
  hk.HP_Body_SetMotionType(body, type);
  hk.HP_Body_SetMassProperties(body, [[0, 0, 0], 1, [1, 1, 1], REST]);
  hk.HP_Body_SetQTransform(body, [place, REST]);
  hk.HP_World_AddBody(world, body, false);
  return body;
}

function world(shape) {
  const world = value(hk.HP_World_Create());
  hk.HP_World_SetGravity(world, [0, 0, 0]);
  body(world, shape, [0, 0, 0], hk.MotionType.STATIC);
  return world;
}

let changed = false;
for (const [a, resting] of Object.entries(SHAPES)) {
  for (const [b, moved] of Object.entries(SHAPES)) {
    const at = world(resting);
    const gaps = [3, 0.05, -0.25].map((gap) => {
      hk.HP_World_ShapeProximityWithCollector(at, collector, [moved, [1 + gap, 0.02, 0.03], REST, 10, false, [0n]]);
      return hits() ? value(hk.HP_QueryCollector_GetShapeProximityResult(collector, 0))[0] : undefined;
    });
    hk.HP_World_ShapeCastWithCollector(at, collector, [moved, REST, [5, 0.02, 0.03], [-5, 0.02, 0.03], false, [0n]]);
    const cast = hits() ? value(hk.HP_QueryCollector_GetShapeCastResult(collector, 0))[0] : undefined;
    const flying = body(at, moved, [5, 0.02, 0.03], hk.MotionType.DYNAMIC);
    hk.HP_Body_SetLinearVelocity(flying, [-20, 0, 0]);
    for (let i = 0; i < 60; i++) hk.HP_World_Step(at, 1 / 60);
    const stopped = value(hk.HP_Body_GetQTransform(flying))[0][0] > 0;
    const said = gaps.map((gap) => gap?.toFixed(3) ?? "none").join(", ");
    console.log(`${b} at ${a}: distances ${said}; the cast meets it at ${cast?.toFixed(3) ?? "none"}; ${stopped ? "stopped" : "passes"}`);
    const both = a === "mesh" && b === "mesh";
    changed ||= gaps.some((gap) => (gap === undefined) !== both) || !(Math.abs(cast - 0.4) < 0.002) || !stopped;
    if (!both) changed ||= Math.abs(gaps[0] - 3) > 0.01 || Math.abs(gaps[1] - 0.05) > 0.01 || gaps[2] > 0;
  }
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
