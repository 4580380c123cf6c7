#!/bin/sh
# three.js 0.187.0 (npm three, addon math/OBB), Node.js 20, Linux x86-64.
#
# A robot's arm, a box of 2 x 0.2 x 0.2, with its origin in the middle, and, as links have it, at one end. The OBB of its geometry
# (fromBox3 of boundingBox), the Box3 and the Sphere get applyMatrix4 with the same matrices as the geometry: moves, turns, a scale,
# and a move followed by a turn. Which vertices each contains, and whether the OBB meets a small box at the arm's tip.
# Expected: all of them contain all vertices: the OBB's method is documented to take the world matrix of an object "in order to keep
#           both entities in sync".
# Seen:     Box3 and Sphere do, in each case. The OBB does where the origin is in the middle, and for moves. With the origin at the
#           end it turns and grows about its own middle in place of the origin: of 24 vertices it has 6 when turned by 5 degrees and
#           none by 90, and the tip, 2 from the joint, meets nothing. The matrix changes axes and sizes, and only its move is added
#           to the center. So a second matrix does not turn the move of a first one, with the origin in the middle either. Issue
#           21753 of mrdoob/three.js, of 2021, says so of scales, and is closed.
# Why it matters: examples use boxes about their origin, where it is right. A link, a door or a figure that stands on its origin has
# its OBB elsewhere, and what it hits is not found. Take the center from before, and apply the matrix to it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund three@0.187.0
cat >run.mjs <<'JS'
import * as THREE from "three";
import { OBB } from "three/addons/math/OBB.js";

const turn = (degrees) => new THREE.Matrix4().makeRotationZ(THREE.MathUtils.degToRad(degrees));
const move = (x) => new THREE.Matrix4().makeTranslation(x, 0, 0);
const CASES = {
  "moved by 3": [move(3)],
  "turned by 5 degrees": [turn(5)],
  "turned by 90 degrees": [turn(90)],
  "turned by 180 degrees": [turn(180)],
  "twice the size": [new THREE.Matrix4().makeScale(2, 2, 2)],
  "moved, then turned": [move(3), turn(90)],
};
console.log(`three.js ${THREE.REVISION}`);
let changed = false;
for (const [origin, shift] of [["in the middle", 0], ["at the end", 1]]) {
  for (const [name, matrices] of Object.entries(CASES)) {
    const geometry = new THREE.BoxGeometry(2, 0.2, 0.2).translate(shift, 0, 0);
    geometry.computeBoundingBox();
    const obb = new OBB().fromBox3(geometry.boundingBox);
    const box = geometry.boundingBox.clone();
    const ball = geometry.boundingBox.getBoundingSphere(new THREE.Sphere());
    const tip = new THREE.Vector3(shift + 1, 0, 0);
    for (const matrix of matrices) {
      for (const thing of [obb, box, ball, geometry, tip]) thing.applyMatrix4(matrix);
    }
    obb.halfSize.addScalar(1e-6); // Not by rounding.
    box.expandByScalar(1e-6);
    ball.radius += 1e-6;
    const place = geometry.getAttribute("position");
    const vertices = Array.from({ length: place.count }, (_, i) => new THREE.Vector3().fromBufferAttribute(place, i));
    const [inObb, inBox, inBall] = [obb, box, ball].map((thing) => vertices.filter((vertex) => thing.containsPoint(vertex)).length);
    const met = obb.intersectsOBB(new OBB(tip, new THREE.Vector3(0.05, 0.05, 0.05)));
    console.log(`origin ${origin}, ${name}: of ${vertices.length} vertices ${inObb} are in the OBB, ${inBox} in the Box3,`,
      `${inBall} in the Sphere; the OBB ${met ? "meets" : "misses"} a box at the tip`);
    const right = matrices.length === 1 && (shift === 0 || name === "moved by 3");
    changed ||= inBox !== vertices.length || inBall !== vertices.length || (inObb === vertices.length) !== right || (right && !met);
  }
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
