"use strict";
// What the page holds, and where everything is at a time. Lengths are the page's: near its origin and about 1, so that single
// precision is enough; what a person reads (`rows`) was written from the original numbers.

const data = JSON.parse(document.getElementById("data").textContent);

function unpack(text, type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new type(bytes.buffer);
}

// ---- motions

const identity = { axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], offset: [0, 0, 0] };

// A pose moves a part as a whole, after its vertices went from x0 to x1. A rigid motion is its true rotation, at any time.
const poses = {
  linear: () => identity,
  rigid: (m, t) => {
    const angle = Math.hypot(...m.angular_velocity) * t, half = angle / 2, axis = unit(m.angular_velocity);
    const axes = columns(product([Math.cos(half), ...scaled(axis, Math.sin(half))], m.rotation));
    const turned = [0, 1, 2].map((k) => axes[0][k] * m.arm[0] + axes[1][k] * m.arm[1] + axes[2][k] * m.arm[2]);
    return { axes, offset: add(add(m.position, scaled(m.velocity, t)), turned) };
  },
};

const parts = data.parts.map((p) => {
  const x0 = unpack(p.x0, Float32Array), ints = (text) => unpack(text, Uint32Array);
  return {
    name: p.name, motion: p.motion, x0, x1: p.x1 === null ? x0 : unpack(p.x1, Float32Array), tint: unpack(p.tint, Uint8Array),
    faces: ints(p.faces), edges: ints(p.edges), nets: ints(p.nets), patches: p.patches && Object.fromEntries(
      Object.entries(p.patches).map(([name, text]) => [name, ints(text)])),
  };
});
const marks = data.marks.map((m) => ({ part: m.part, x0: unpack(m.x0, Float32Array), x1: unpack(m.x1, Float32Array), times: unpack(m.times, Float32Array) }));
const moments = marks.flatMap((m) => Array.from(m.times)); // of all impacts, as fractions of the interval

const timeOf = (s) => data.t_min + s * (data.t_max - data.t_min), fractionOf = (t) => (t - data.t_min) / (data.t_max - data.t_min);
const poseOf = (part, s) => poses[parts[part].motion.kind](parts[part].motion, timeOf(s));
const posed = ({ axes, offset }, p) => [0, 1, 2].map((k) => axes[0][k] * p[0] + axes[1][k] * p[1] + axes[2][k] * p[2] + offset[k]);

function local(part, vertex, s) {
  const p = parts[part], r = [];
  for (let k = 0; k < 3; k++) r.push(p.x0[3 * vertex + k] * (1 - s) + p.x1[3 * vertex + k] * s);
  return r;
}

// Where a vertex is when the fraction s of the interval is over.
const at = (part, vertex, s) => posed(poseOf(part, s), local(part, vertex, s));

// ---- sides of pairs: vertices (1 a point, 2 an edge, 3 a triangle), or a patch of a part

function corners(side) {
  if (side.patch === undefined) return { size: side.vertices.length, vertices: side.vertices, hull: side.vertices };
  const p = parts[side.part], of = (from, list, k, m) => Array.from(list.subarray(m * from[k], m * from[k + 1]));
  const faces = of(p.patches.faces, p.faces, side.patch, 3), hull = of(p.patches.hulls, p.patches.hull, side.patch, 1);
  const edges = of(p.patches.edges, p.edges, side.patch, 2);
  return faces.length ? { size: 3, vertices: faces, hull } : edges.length ? { size: 2, vertices: edges, hull } : { size: 1, vertices: hull, hull };
}

function middle(side, s) {
  const { hull } = corners(side), pose = poseOf(side.part, s);
  return scaled(hull.reduce((sum, v) => add(sum, posed(pose, local(side.part, v, s))), [0, 0, 0]), 1 / hull.length);
}

// The box that a side sweeps. A turning side is inside the boxes of its chords, widened by as far as an arc leaves its chord.
function sweptBox(side) {
  const { hull } = corners(side), m = parts[side.part].motion;
  const turn = m.kind === "rigid" ? Math.hypot(...m.angular_velocity) * Math.abs(data.t_max - data.t_min) : 0;
  const steps = turn ? Math.min(4096, Math.max(64, Math.ceil(turn * 16))) : 1, lo = [Infinity, Infinity, Infinity], hi = lo.map((x) => -x);
  let arm = 0;
  if (turn) for (const v of hull) arm = Math.max(arm, Math.hypot(...add(local(side.part, v, 0), m.arm)));
  const wide = (arm * (turn / steps) ** 2) / 8;
  for (let i = 0; i <= steps; i++) {
    const pose = poseOf(side.part, i / steps);
    for (const v of hull) posed(pose, local(side.part, v, i / steps)).forEach((x, k) => { lo[k] = Math.min(lo[k], x - wide); hi[k] = Math.max(hi[k], x + wide); });
  }
  return [lo, hi];
}
