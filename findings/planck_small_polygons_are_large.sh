#!/bin/sh
# planck 1.5.0 (npm, the port of Box2D to JavaScript), Node.js 20, Linux x86-64.
#
# new Polygon(corners) of a triangle with legs from 1 m down to 1 mm, of a plate 1 m long and 10 mm to 1 mm thick, and of regular
# polygons with 8 to 48 corners: the mass with density 1, and which of 400 points in the square from -1 to 1 count as inside.
# Guess: the polygon that was given, or an error for one that is too small or has too many corners; at worst corners that are nearer
#        to each other than the slop, 5 mm, become one, so a plate becomes a line and a triangle a point.
# Seen:  a triangle with legs of 2 mm, and a plate that is 2 mm thick, are the square from -1 to 1: 4 kg, 2 million times as much as
#        the triangle has. It is the same for all polygons of which fewer than 3 corners are 2.5 mm apart from those before. Of more
#        than 12 corners the first 12 count: of a wheel of 24 they are 42 %, of one of 48 they are 7 %. Nothing is thrown or logged
#        (issue 91 of piqnt/planck.js asks for a word on the corners).
# Why it matters: parts of a drawing in meters, slivers of a decomposition and rounded outlines are such polygons. One that is too
# thin fills 4 square meters, and most of a round one can be passed. Set planck.Settings.maxPolygonVertices, give lengths in other
# units, and compare the area of the shape with that of the corners.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund planck@1.5.0
cat >run.mjs <<'JS'
import * as planck from "planck";

const REST = planck.Transform.identity();
const triangle = (leg) => [0, 0, leg, 0, 0, leg];
const plate = (thick) => [-0.5, 0, 0.5, 0, 0.5, thick, -0.5, thick];
const wheel = (n) => Array.from({ length: 2 * n }, (_, i) => (i % 2 ? Math.sin : Math.cos)((Math.PI * (i - (i % 2))) / n));
const pairs = (flat) => flat.flatMap((x, i) => (i % 2 ? [] : [{ x, y: flat[i + 1] }]));
const area = (p) => p.reduce((sum, a, i) => sum + a.x * p[(i + 1) % p.length].y - p[(i + 1) % p.length].x * a.y, 0) / 2;

const CASES = {};
const square = (size) => (size < 0.0025 ? 4 : undefined);
for (const leg of [1, 0.1, 0.01, 0.005, 0.002, 0.001]) CASES[`triangle with legs of ${leg}`] = [triangle(leg), square(leg)];
for (const thick of [0.01, 0.005, 0.002, 0.001]) CASES[`plate of 1 x ${thick}`] = [plate(thick), square(thick)];
for (const n of [8, 12, 16, 24, 48]) CASES[`wheel of ${n} corners`] = [wheel(n), n > 12 ? area(pairs(wheel(n)).slice(0, 12)) : undefined];

let changed = false;
for (const [name, [flat, other]] of Object.entries(CASES)) {
  const corners = pairs(flat);
  const shape = new planck.Polygon(corners);
  const body = new planck.World().createDynamicBody();
  body.createFixture({ shape, density: 1 });
  let inside = 0;
  for (let i = 0; i < 400; i++) inside += shape.testPoint(REST, { x: (i % 20) / 10 - 0.95, y: Math.floor(i / 20) / 10 - 0.95 });
  console.log(`${name}: area ${area(corners).toExponential(2)}, mass ${body.getMass().toExponential(2)}, ${inside} of 400 points inside`);
  const expected = other ?? area(corners);
  changed ||= Math.abs(body.getMass() - expected) > 1e-9 * expected || (other === 4 && inside !== 400);
}
if (changed) console.error("the behavior has changed");
process.exit(changed ? 1 : 0);
JS
node run.mjs
