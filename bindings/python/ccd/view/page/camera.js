"use strict";
// The camera: where the eye is, what it sees, and fitting the scene into the view.

const camera = { target: [0, 0, 0], distance: 4, turn: FIRST_TURN, rise: FIRST_RISE, cut: 0.01 };
const axis = (k) => [0, 1, 2].map((i) => (i === k ? 1 : 0));

function axes() { // right, up, and towards the eye
  const a = axis((state.up + 1) % 3), b = axis((state.up + 2) % 3), up = axis(state.up), c = Math.cos(camera.rise);
  const z = add(add(scaled(a, c * Math.cos(camera.turn)), scaled(b, c * Math.sin(camera.turn))), scaled(up, Math.sin(camera.rise)));
  const x = [0, 1, 2].map((i) => b[i] * Math.cos(camera.turn) - a[i] * Math.sin(camera.turn));
  return [x, cross(z, x), z];
}

const eye = () => add(camera.target, scaled(axes()[2], camera.distance));
const LENS = 1.9, aspect = () => canvas.clientWidth / Math.max(canvas.clientHeight, 1);

function viewMatrix(cut) {
  const e = eye(), [x, y, z] = axes(), near = camera.distance * cut, far = camera.distance + 2 * reach(), f = LENS;
  const a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
  const row = [[...x, -dot(x, e)], [...y, -dot(y, e)], [...z, -dot(z, e)]];
  const m = [row[0].map((v) => (v * f) / aspect()), row[1].map((v) => v * f), row[2].map((v, k) => v * a + (k === 3 ? b : 0)), row[2].map((v) => -v)];
  return new Float32Array([0, 1, 2, 3].flatMap((c) => m.map((r) => r[c])));
}

const reach = () => cloudReach + Math.hypot(...camera.target);

function project(p) { // pixels of the page, or null behind the eye
  const [x, y, z] = axes(), v = sub(p, eye()), depth = -dot(v, z);
  if (depth <= 0) return null;
  const half = canvas.clientHeight / 2, k = (LENS * half) / depth;
  return [canvas.clientWidth / 2 + dot(v, x) * k, half - dot(v, y) * k];
}

// The whole scene, as large as it can be seen from this side.
function whole() {
  const [x, y, z] = axes(), room = 0.9, across = LENS / aspect() / room, along = LENS / room;
  let target = [0, 0, 0], distance = 1e-3;
  for (let round = 0; round < 6; round++) {
    const seen = cloud.map((p) => { const v = sub(p, target); return [dot(v, x), dot(v, y), dot(v, z)]; });
    distance = seen.reduce((d, [u, v, w]) => Math.max(d, w + Math.abs(u) * across, w + Math.abs(v) * along), 1e-3);
    let lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
    for (const [u, v, w] of seen) [u, v].forEach((c, k) => { const q = c / (distance - w + 1e-9); lo[k] = Math.min(lo[k], q); hi[k] = Math.max(hi[k], q); });
    if (!seen.length) break;
    target = add(target, add(scaled(x, ((lo[0] + hi[0]) / 2) * distance), scaled(y, ((lo[1] + hi[1]) / 2) * distance)));
  }
  Object.assign(camera, { target, distance, cut: 0.01 });
  state.placed = false;
  state.given = { at: placeOf(camera), from: fromOf(camera) };
}

// Where the camera is and from where it looks, in the words of the address; state.given is what the page chose by itself.
const fromOf = ({ turn, rise }) => [turn, rise].map(short).join(",");
const placeOf = ({ target, distance, cut }) => [...target, distance, ...(cut === 0.01 ? [] : [cut])].map(short).join(",");
const short = (x) => String(+x.toPrecision(7));
