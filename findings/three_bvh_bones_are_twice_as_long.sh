#!/bin/sh
# three.js 0.187.0 (npm three, addon loaders/BVHLoader), Node.js 20; bvhio 1.5.4 (PyPI bvhio), Python 3.11, Linux x86-64.
#
# Motion files (BVH) of a hip 10 above the ground, a knee 5 above the hip and a foot 4 above that, read by both. The hip alone, or all
# joints, have channels for the position; the OFFSET of a joint with such channels is its place at rest, or 0.
# Guess: both have the joints at the same places: values of channels for the position stand in place of OFFSET.
# Seen:  bvhio takes the values in place of OFFSET, three.js adds the two. Where OFFSET is the place at rest, three.js has the hip at 20
#        in place of 10, and with channels on all joints each bone is twice as long: the foot is at 38 in place of 19. With an OFFSET of
#        0, and for joints that have no such channels, both agree. Nothing is logged.
# Why it matters: a person beside a robot, recorded in such a file, is in the wrong place, or twice as tall, in one program and right in
# another, and clearances with it. Compare the lengths of bones in the frames with OFFSET, or write the OFFSET of joints that have channels
# for the position as 0.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund three@0.187.0
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check bvhio==1.5.4
cat >read.mjs <<'JS'
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { BVHLoader } from "three/addons/loaders/BVHLoader.js";

const { skeleton, clip } = new BVHLoader().parse(readFileSync(process.argv[2], "utf8"));
const top = skeleton.bones[0];
const mixer = new THREE.AnimationMixer(top);
mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
const frames = [0, 0.5].map((time) => {
  mixer.setTime(time);
  top.updateMatrixWorld(true);
  return skeleton.bones.slice(0, 3).map((bone) => new THREE.Vector3().setFromMatrixPosition(bone.matrixWorld).toArray());
});
console.log(JSON.stringify(frames));
JS
cat >run.py <<'PY'
import json
import subprocess
import sys

import bvhio

PLACE, TURN = "Xposition Yposition Zposition", "Zrotation Xrotation Yrotation"
HEIGHTS = {"hip": 10, "knee": 5, "foot": 4}


def write(path, moving, zero):
    """Writes two frames: at rest, and with the hip moved by 1 along x and the knee turned by 90 degrees about z."""
    text, indent = "HIERARCHY\n", ""
    for name, height in HEIGHTS.items():
        moves = name in moving
        offset = 0 if moves and zero else height
        text += f"{indent}{'JOINT' if indent else 'ROOT'} {name}\n{indent}{{\n{indent}  OFFSET 0 {offset} 0\n"
        text += f"{indent}  CHANNELS {6 if moves else 3} {PLACE + ' ' if moves else ''}{TURN}\n"
        indent += "  "
    text += f"{indent}End Site\n{indent}{{\n{indent}  OFFSET 0 1 0\n{indent}}}\n"
    text += "".join(f"{indent[: 2 * (2 - i)]}}}\n" for i in range(3)) + "MOTION\nFrames: 2\nFrame Time: 0.5\n"
    for frame in (0, 1):
        values = []
        for name, height in HEIGHTS.items():
            values += [frame if name == "hip" else 0, height, 0] if name in moving else []
            values += [90 * frame if name == "knee" else 0, 0, 0]
        text += " ".join(map(str, values)) + "\n"
    with open(path, "w") as file:
        file.write(text)


def by_bvhio(path):
    top = bvhio.readAsHierarchy(path)
    frames = []
    for frame in (0, 1):
        top.loadPose(frame)
        places = {joint.Name: joint.PositionWorld for joint, _, _ in top.layout()}
        frames.append([[round(x, 3) + 0.0 for x in places[name]] for name in HEIGHTS])
    return frames


def by_three(path):
    out = subprocess.run(["node", "read.mjs", path], check=True, capture_output=True, text=True)
    return [[[round(x, 3) + 0.0 for x in place] for place in frame] for frame in json.loads(out.stdout)], out.stderr


REST = [[0, 10, 0], [0, 15, 0], [0, 19, 0]]
MOVED = [[1, 10, 0], [1, 15, 0], [-3, 15, 0]]
CASES = {  # For each: joints with channels for the position, whether their OFFSET is 0, heights by three.js.
    "hip, OFFSET 0": (("hip",), True, [10, 15, 19]),
    "hip, OFFSET at rest": (("hip",), False, [20, 25, 29]),
    "all joints, OFFSET 0": (tuple(HEIGHTS), True, [10, 15, 19]),
    "all joints, OFFSET at rest": (tuple(HEIGHTS), False, [20, 30, 38]),
}
print("bvhio 1.5.4, three.js 0.187.0")
changed = False
for name, (moving, zero, heights) in CASES.items():
    write("motion.bvh", moving, zero)
    first, (theirs, words) = by_bvhio("motion.bvh"), by_three("motion.bvh")
    print(f"{name}: bvhio {first[0]}, then {first[1]}; three.js {theirs[0]}, then {theirs[1]}")
    changed |= first != [REST, MOVED] or [place[1] for place in theirs[0]] != heights or bool(words)
sys.exit("the behavior has changed" if changed else 0)
PY
venv/bin/python run.py
