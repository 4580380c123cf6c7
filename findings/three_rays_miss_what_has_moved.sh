#!/bin/sh
# three.js 0.187.0 (npm three), Node.js 20, Linux x86-64.
#
# A cube is shot at by a Raycaster at x = 0, moves to x = 20 and is shot at there: a Mesh, an instance of an InstancedMesh (setMatrixAt), one
# of a BatchedMesh (setMatrixAt), a SkinnedMesh (its bone moves), and a Mesh with a morph target of 5 at an influence of 4.
# The same without the first shot.
# Guess: the ray hits what stands where it is shot, in all of them.
# Seen:  Mesh and BatchedMesh are hit. InstancedMesh and SkinnedMesh are missed if a ray was shot at them before they moved, wherever it
#        went, and hit if not: the bounding sphere of the first shot is kept. The mesh with the influence of 4 is missed both ways; with a
#        target of 20 at 1 it is hit. computeBoundingSphere puts the first two right, as their reference pages say, and the third not.
# Why it matters: the same code hits in a test of one pose and misses in an animation, without a word. Compute the bounding spheres of
# instances and of skins before each round of rays, as three.js does for those in a batch.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund three@0.187.0
cat >run.mjs <<'JS'
import * as THREE from "three";

const TO = 20;
const material = new THREE.MeshBasicMaterial();
const cube = () => new THREE.BoxGeometry(1, 1, 1);
const place = (x) => new THREE.Matrix4().makeTranslation(x, 0, 0);
const attribute = (count, size, value, Kind, Array) => new Kind(new Array(count * size).map((_, i) => value(i % size)), size);

const KINDS = {
  Mesh: () => {
    const mesh = new THREE.Mesh(cube(), material);
    return [mesh, (x) => mesh.position.setX(x)];
  },
  InstancedMesh: () => {
    const mesh = new THREE.InstancedMesh(cube(), material, 1);
    return [mesh, (x) => { mesh.setMatrixAt(0, place(x)); mesh.instanceMatrix.needsUpdate = true; }];
  },
  BatchedMesh: () => {
    const mesh = new THREE.BatchedMesh(1, 24, 36, material);
    mesh.addInstance(mesh.addGeometry(cube()));
    return [mesh, (x) => mesh.setMatrixAt(0, place(x))];
  },
  SkinnedMesh: () => {
    const shape = cube();
    shape.setAttribute("skinIndex", attribute(24, 4, () => 0, THREE.Uint16BufferAttribute, Uint16Array));
    shape.setAttribute("skinWeight", attribute(24, 4, (k) => (k === 0 ? 1 : 0), THREE.Float32BufferAttribute, Float32Array));
    const mesh = new THREE.SkinnedMesh(shape, material);
    const bone = new THREE.Bone();
    mesh.add(bone);
    mesh.bind(new THREE.Skeleton([bone]));
    return [mesh, (x) => bone.position.setX(x)];
  },
};
for (const [name, influence] of [["Mesh, morph at 1", 1], ["Mesh, morph at 4", 4]])
  KINDS[name] = () => {
    const shape = cube();
    shape.morphAttributes.position = [attribute(24, 3, (k) => (k === 0 ? TO / influence : 0), THREE.Float32BufferAttribute, Float32Array)];
    shape.morphTargetsRelative = true;
    const mesh = new THREE.Mesh(shape, material);
    mesh.updateMorphTargets();
    return [mesh, (x) => (mesh.morphTargetInfluences[0] = (x / TO) * influence)];
  };

function hit(mesh, x) {
  mesh.updateMatrixWorld(true);
  const ray = new THREE.Raycaster(new THREE.Vector3(x + 0.1, 0.2, 10), new THREE.Vector3(0, 0, -1));
  return ray.intersectObject(mesh, false).length > 0;
}

function seen(make, before, compute) {
  const [mesh, move] = make();
  move(0);
  if (before !== undefined) hit(mesh, before);
  move(TO);
  mesh.updateMatrixWorld(true);
  if (compute) (mesh.computeBoundingSphere ? mesh : mesh.geometry).computeBoundingSphere();
  return hit(mesh, TO);
}

const EXPECTED = {  // A shot at the cube before, one that missed it, none before, and a shot before but the sphere computed.
  Mesh: [true, true, true, true], InstancedMesh: [false, false, true, true], BatchedMesh: [true, true, true, true],
  SkinnedMesh: [false, false, true, true], "Mesh, morph at 1": [true, true, true, true], "Mesh, morph at 4": [false, false, false, false],
};
let changed = false;
for (const [name, make] of Object.entries(KINDS)) {
  const all = [seen(make, 0), seen(make, 7), seen(make), seen(make, 0, true)];
  const word = all.map((it) => (it ? "hit" : "missed"));
  const sphere = `${word[3]} with computeBoundingSphere`;
  console.log(`${name}: ${word[0]} after a shot at it, ${word[1]} after one that misses, ${word[2]} without, ${sphere}`);
  changed ||= JSON.stringify(all) !== JSON.stringify(EXPECTED[name]);
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
