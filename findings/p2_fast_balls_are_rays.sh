#!/bin/sh
# p2-es 1.2.3 (npm, p2.js as a module), Node.js 20, Linux x86-64.
#
# A ball of radius 0.4 or a box of that half-size flies along x at 3 or 300 m/s, with steps of 1/60 s, toward a thin wall of half-height
# 0.5, a round post of radius 0.5 or a row of posts of radius 0.05 that are 0.3 apart, 0 to 0.85 aside of the middle. With ccdSpeedThreshold
# set, which switches the continuous test on for bodies that are faster, and without.
# Guess: with the test on, the fast ball stops wherever it hits, with its flank as well as with its middle.
# Seen:  it stops only where the path of its middle goes through the other body: 0.55 to 0.85 aside the fast ball and the fast box pass the
#        wall and the post, although the overlap is up to 0.35 wide, and the slow ones stop. They pass the row of posts where their middle is
#        between two of them, through gaps that are a quarter of their width. What is swept is a ray from the middle of the body.
# Why it matters: a continuous test is switched on so that nothing passes. It tests a point: what hits off the middle, or is smaller than
# the ball, is missed at a speed that sets in without notice. Take smaller steps, or make the wall thicker than a step.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund p2-es@1.2.3
cat >run.mjs <<'JS'
import * as p2 from "p2-es";

const MOVERS = { ball: () => new p2.Circle({ radius: 0.4 }), box: () => new p2.Box({ width: 0.8, height: 0.8 }) };
const ROW = [-0.75, -0.45, -0.15, 0.15, 0.45, 0.75];
const TARGETS = {  // For each: its shape, the places of its bodies, and whether the path y = aside goes through one.
  wall: [() => new p2.Box({ width: 0.05, height: 1 }), [0], (aside) => aside < 0.5],
  post: [() => new p2.Circle({ radius: 0.5 }), [0], (aside) => aside < 0.5],
  "row of posts": [() => new p2.Circle({ radius: 0.05 }), ROW, (aside) => ROW.some((y) => Math.abs(aside - y) < 0.05)],
};
const ASIDE = [0, 0.16, 0.3, 0.44, 0.55, 0.65, 0.75, 0.85];

function passes(mover, [shape, places], aside, speed, ccd) {
  const world = new p2.World({ gravity: [0, 0] });
  for (const y of places) {
    const body = new p2.Body({ mass: 0, position: [0, y] });
    body.addShape(shape());
    world.addBody(body);
  }
  const settings = ccd ? { ccdSpeedThreshold: 1, ccdIterations: 20 } : {};
  const body = new p2.Body({ mass: 1, position: [-3, aside], velocity: [speed, 0], damping: 0, angularDamping: 0, ...settings });
  body.addShape(mover());
  world.addBody(body);
  for (let k = 0; k < Math.ceil(400 / speed) + 5; k++) world.step(1 / 60);
  return body.position[0] > 1 && Math.abs(body.position[1] - aside) < 1e-5 && Math.abs(body.velocity[0] - speed) < 1e-3;
}

let changed = false;
for (const [mover, make] of Object.entries(MOVERS))
  for (const [name, target] of Object.entries(TARGETS))
    for (const [speed, ccd] of [[3, false], [3, true], [300, false], [300, true]]) {
      const passed = ASIDE.filter((aside) => passes(make, target, aside, speed, ccd));
      console.log(`${mover}, ${name}, ${speed} m/s, ccd ${ccd ? "on" : "off"}: passes at [${passed.join(", ")}]`);
      const expected = speed === 3 ? [] : ccd ? ASIDE.filter((aside) => !target[2](aside)) : ASIDE;
      changed ||= JSON.stringify(passed) !== JSON.stringify(expected);
    }
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
