#!/bin/sh
# Rapier 0.21.0 (npm @dimforge/rapier3d-compat), Node.js 20, Linux x86-64.
#
# The same flat ground as a box, a triangle mesh, a height field and voxels, and a ball, box, capsule, cylinder, cone or hull that
# reaches into it by up to half its size, at 100 places: intersectsShape and intersectionsWithShape, a sensor, contactShape, castShape.
# Expected: the same answers for each kind of ground, or an error for pairs that are not supported.
# Seen:     for the box and the mesh all say yes at all 100 places. A height field intersects no shape but balls: the two tests are
#           false at all places, and a sensor that is half sunk into it is never reported; contactShape and castShape are right there.
#           Voxels are intersected, and contactShape is null at all places, as for bodies that are apart. Nothing is raised.
# Why it matters: "is this place free" by intersectionsWithShape is yes everywhere on terrain. It was tried with a ball, or with a
# box as the ground. On height fields ask for contacts, on voxels for intersections, or take a triangle mesh, which has both.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @dimforge/rapier3d-compat@0.21.0
cat >run.mjs <<'JS'
import RAPIER from "@dimforge/rapier3d-compat";

await RAPIER.init();
const CORNERS = [];
for (const x of [-0.5, 0.5]) for (const y of [-0.5, 0.5]) for (const z of [-0.5, 0.5]) CORNERS.push(x, y, z);
const BLOCKS = [];
for (let x = -10; x < 10; x++) for (let z = -10; z < 10; z++) BLOCKS.push(x, -1, z);
const GROUNDS = {
  box: RAPIER.ColliderDesc.cuboid(10, 0.5, 10).setTranslation(0, -0.5, 0),
  mesh: RAPIER.ColliderDesc.trimesh(Float32Array.of(-10, 0, -10, 10, 0, -10, 10, 0, 10, -10, 0, 10), Uint32Array.of(0, 2, 1, 0, 3, 2)),
  "height field": RAPIER.ColliderDesc.heightfield(20, 20, new Float32Array(21 * 21), { x: 20, y: 1, z: 20 }),
  voxels: RAPIER.ColliderDesc.voxels(Int32Array.from(BLOCKS), { x: 1, y: 1, z: 1 }),
};
const BODIES = {
  ball: RAPIER.ColliderDesc.ball(0.5),
  box: RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5),
  capsule: RAPIER.ColliderDesc.capsule(0.25, 0.25),
  cylinder: RAPIER.ColliderDesc.cylinder(0.5, 0.5),
  cone: RAPIER.ColliderDesc.cone(0.5, 0.5),
  hull: RAPIER.ColliderDesc.convexHull(Float32Array.from(CORNERS)),
};
const REST = { x: 0, y: 0, z: 0, w: 1 };
const DOWN = { x: 0, y: -1, z: 0 };
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;

let changed = false;
for (const [on, ground] of Object.entries(GROUNDS)) {
  for (const [name, body] of Object.entries(BODIES)) {
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
    const collider = world.createCollider(ground);
    const holder = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0.13, 0.1, 0.27));
    const sensor = world.createCollider(body.setSensor(true), holder);
    world.step();
    const sensed = world.intersectionPair(collider, sensor);
    world.removeRigidBody(holder);
    world.step();
    const seen = { intersectsShape: 0, intersectionsWithShape: 0, contactShape: 0, castShape: 0 };
    for (let i = 0; i < 100; i++) {
      const at = { x: 16 * random() - 8, y: 0.48 * random(), z: 16 * random() - 8 };
      seen.intersectsShape += collider.intersectsShape(body.shape, at, REST);
      let found = false;
      world.intersectionsWithShape(at, REST, body.shape, () => !(found = true));
      seen.intersectionsWithShape += found;
      seen.contactShape += (collider.contactShape(body.shape, at, REST, 0)?.distance ?? 1) < 0;
      const hit = world.castShape({ ...at, y: 5 }, REST, DOWN, body.shape, 0, 100, true);
      seen.castShape += hit !== null && Math.abs(hit.time_of_impact - 4.5) < 0.01;
    }
    console.log(`${name} in ${on}: of 100 ${JSON.stringify(seen)}; a sensor ${sensed ? "reports it" : "does not"}`);
    const blind = on === "height field" && name !== "ball";
    changed ||= seen.intersectsShape !== (blind ? 0 : 100) || seen.intersectionsWithShape !== (blind ? 0 : 100) || sensed === blind;
    changed ||= seen.contactShape !== (on === "voxels" ? 0 : 100) || seen.castShape !== 100;
    world.free();
  }
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
