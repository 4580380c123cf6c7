#!/bin/sh
# three.js 0.187.0 (npm three, addons math/Octree and math/Capsule), Node.js 20, Linux x86-64.
#
# A square sheet in an Octree; 4,000 random balls near it, and capsules with the same radius and a random axis. Each is compared with
# the distance of the sheet from the ball's middle and the capsule's axis: Octree.sphereIntersect and Octree.capsuleIntersect.
# Expected: both report what is nearer than the radius, or both look at one side alone.
# Seen:     sphereIntersect reports all, on both sides. capsuleIntersect reports all in front of the sheet and all that it crosses the
#           axis of, and none of the hundreds behind it, however deep, also where the capsule is as good as a ball (an axis of 1e-6).
# Why it matters: walls are modeled as sheets, and meshes from files have triangles of either direction: a figure with a capsule walks
# into them from behind until its axis crosses, and what is right for balls in a trial is not for capsules. Give such walls both sides.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund three@0.187.0
cat >run.mjs <<'JS'
import * as THREE from "three";
import { Capsule } from "three/addons/math/Capsule.js";
import { Octree } from "three/addons/math/Octree.js";

const octree = new Octree();
octree.fromGraphNode(new THREE.Group().add(new THREE.Mesh(new THREE.PlaneGeometry(2, 2))));
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const vector = (size) => new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(size);
const nearest = new THREE.Vector3();
const sheet = new THREE.Box3(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 0));
const distance = (point) => sheet.clampPoint(point, nearest).distanceTo(point);

/** The distance of the sheet from a segment, within 1e-3 and not too small. */
function gap(a, b) {
  let least = Infinity;
  for (let i = 0; i <= 500; i++) least = Math.min(least, distance(new THREE.Vector3().lerpVectors(a, b, i / 500)));
  return least;
}

const seen = {};
let changed = false;
for (const [kind, length] of [["ball", 0], ["capsule, axis up to 1", 1], ["capsule, axis of 1e-6", 1e-6]]) {
  for (let k = 0; k < 4000; k++) {
    const [middle, half, radius] = [vector(2), vector(length), 0.05 + 0.3 * random()];
    const [a, b] = [middle.clone().add(half), middle.clone().sub(half)];
    const trueGap = gap(a, b);
    if (Math.abs(trueGap - radius) < 5e-3) continue;
    const hit = length ? octree.capsuleIntersect(new Capsule(a, b, radius)) : octree.sphereIntersect(new THREE.Sphere(middle, radius));
    const side = a.z * b.z < 0 ? "across" : a.z > 0 ? "in front" : "behind";
    const count = ((seen[kind] ??= {})[side] ??= { within: 0, found: 0 });
    if (trueGap < radius) count.within++;
    if (hit) count.found++;
    if (hit && trueGap > radius) changed = true;
  }
}
for (const [kind, sides] of Object.entries(seen)) {
  for (const [side, { within, found }] of Object.entries(sides)) {
    console.log(`${kind}, ${side}: ${within} within the radius, ${found} found`);
    const blind = kind !== "ball" && side === "behind";
    changed ||= found !== (blind ? 0 : within) || (side === "behind" && within < 100);
  }
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
