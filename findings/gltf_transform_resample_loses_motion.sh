#!/bin/sh
# gltf-transform 4.5.1 (npm @gltf-transform/core and functions), Node.js 20, Linux x86-64.
#
# resample(), "losslessly deduplicating keyframes", with its default tolerance of 1e-4: a point that goes around a circle of radius 1
# at one radian a second for 3 s, and one that goes 0.1 out and back in that time, recorded at 60, 240, 1,000 and 4,000 keys a second.
# Expected: keys go that lie within 1e-4 of the line between their neighbors, so the motion is off by 1e-4 at most; and the finer the
#           record, the nearer the rest is to it.
# Seen:     the other way around. The circle is off by 1.0e-4, 4.5e-4, 6.6e-3 and 0.14; the motion out and back by 2.7e-4, 4.3e-3,
#           0.024, and at 4,000 a second by 0.1: it is gone, with two keys left. Each key is compared with the line from the last
#           one that was kept to the next one, at its own time, which is close to the end of that line; keys that went before are
#           not looked at again. So errors add up.
# Why it matters: an animation from a robot's log, at 1,000 keys a second, shows another motion after this step, and a check of it
# checks that one. Keep the file as it was recorded, or thin it by a bound on what is lost.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @gltf-transform/core@4.5.1 @gltf-transform/functions@4.5.1
cat >run.mjs <<'JS'
import { Document } from "@gltf-transform/core";
import { resample } from "@gltf-transform/functions";

const END = 3;
const MOTIONS = {
  circle: (t) => [Math.cos(t), Math.sin(t), 0],
  "out and back": (t) => [0.05 * (1 - Math.cos((2 * Math.PI * t) / END)), 0, 0],
};

function record(motion, rate) {
  const count = END * rate + 1;
  const times = Float32Array.from({ length: count }, (_, i) => i / rate);
  const values = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) values.set(motion(i / rate), 3 * i);
  const document = new Document();
  const buffer = document.createBuffer();
  const node = document.createNode("body");
  document.createScene().addChild(node);
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array.slice()).setBuffer(buffer);
  const sampler = document.createAnimationSampler().setInterpolation("LINEAR");
  sampler.setInput(accessor("SCALAR", times)).setOutput(accessor("VEC3", values));
  const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath("translation").setSampler(sampler);
  document.createAnimation().addSampler(sampler).addChannel(channel);
  return { document, sampler, times, values };
}

/** The greatest difference between the recorded positions and those on the lines between the keys that are left. */
function off(record, sampler) {
  const times = sampler.getInput().getArray();
  const values = sampler.getOutput().getArray();
  let most = 0;
  for (let i = 0, k = 0; i < record.times.length; i++) {
    while (k + 2 < times.length && times[k + 1] < record.times[i]) k++;
    const part = (record.times[i] - times[k]) / (times[k + 1] - times[k]);
    for (let c = 0; c < 3; c++) {
      const at = values[3 * k + c] * (1 - part) + values[3 * k + 3 + c] * part;
      most = Math.max(most, Math.abs(at - record.values[3 * i + c]));
    }
  }
  return [most, times.length];
}

let changed = false;
for (const [name, motion] of Object.entries(MOTIONS)) {
  const seen = [];
  for (const rate of [60, 240, 1000, 4000]) {
    const made = record(motion, rate);
    await made.document.transform(resample());
    const [most, left] = off(made, made.sampler);
    console.log(`${name}, ${rate} keys a second: ${left} of ${made.times.length} keys are left, off by ${most.toPrecision(3)}`);
    seen.push(most);
  }
  changed ||= seen.some((most, i) => i > 0 && most <= seen[i - 1]) || seen[2] < 1e-3 || seen[3] < 0.05;
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
