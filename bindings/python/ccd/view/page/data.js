"use strict";
// What the page holds, and where everything is at a time. Lengths are the page's: near its origin and about 1, so that single
// precision is enough; what a person reads (`rows`) was written from the original numbers.

const data = JSON.parse(document.getElementById("data").textContent);

function unpack(text, type) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
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

// The frames of a part: decoded when they are first needed. Where nothing has moved since, an earlier frame's number stands.
function framesOf(texts) {
  const held = texts.slice();
  const frame = (k) => {
    if (typeof held[k] === "number") return frame(held[k]);
    if (typeof held[k] === "string") held[k] = unpack(held[k], Float32Array);
    return held[k];
  };
  return { frame, length: held.length, original: (k) => (typeof held[k] === "number" ? held[k] : k) };
}

const parts = data.parts.map((p) => {
  const ints = (text) => unpack(text, Uint32Array), frames = framesOf(p.frames);
  return {
    name: p.name, motion: p.motion, fields: Object.fromEntries(Object.entries(p.fields).map(([name, texts]) => [name, framesOf(texts)])), drawnFor: p.drawn_for && unpack(p.drawn_for, Uint32Array),
    ignored: new Set(p.ignored ? unpack(p.ignored, Uint32Array) : []), // vertices that no pair has and nothing shows
    numbers: Object.fromEntries(Object.entries(p.numbers).map(([name, text]) => [name, ints(text)])),
    frame: frames.frame, original: frames.original, steps: Math.max(1, p.frames.length - 1), count: frames.frame(0).length / 3,
    objects: { ...p.objects, of: p.objects.of === null ? null : unpack(p.objects.of, Uint16Array) },
    faces: ints(p.faces), edges: ints(p.edges), nets: ints(p.nets), patches: p.patches && Object.fromEntries(
      Object.entries(p.patches).map(([name, text]) => [name, ints(text)])),
  };
});
data.parts = null; // their texts are decoded
for (const p of parts) p.own = p.count - (p.drawnFor ? p.drawnFor.length : 0); // vertices of the mesh: others are only drawn
const marks = data.marks.map((m) => ({
  part: m.part, x0: unpack(m.x0, Float32Array), x1: unpack(m.x1, Float32Array), times: unpack(m.times, Float32Array), normals: unpack(m.normals, Float32Array),
  objects: unpack(m.objects, Uint32Array), steps: m.steps,
}));
data.marks = null;
const moments = marks.flatMap((m) => m.steps.flatMap(([step, first, count]) => Array.from(m.times.subarray(first, first + count), (t) => (step + t) / data.steps)));

// The time line is s from 0 to 1, and is data.steps steps long; a part moves in as many steps, or in one.
const timeOf = (s) => data.t_min + s * (data.t_max - data.t_min), fractionOf = (t) => (t - data.t_min) / (data.t_max - data.t_min);
function within(steps, s) { // the step, and how far in it; k / steps is the start of step k, however it was rounded
  const x = s * steps, k = Math.max(0, Math.min(steps - 1, Math.floor(x + 1e-9)));
  return { k, f: Math.max(0, x - k) };
}
const poseOf = (part, s) => poses[parts[part].motion.kind](parts[part].motion, timeOf(s));
const posed = ({ axes, offset }, p) => [0, 1, 2].map((k) => axes[0][k] * p[0] + axes[1][k] * p[1] + axes[2][k] * p[2] + offset[k]);

// The two frames of a part between which s lies, and how far from the first to the second; a rigid body has one frame.
function between(part, s) {
  const p = parts[part], { k, f } = within(p.steps, s), rigid = p.motion.kind !== "linear";
  return { first: p.original(k), second: rigid ? 0 : p.original(k + 1), f };
}

function local(part, vertex, s) {
  const p = parts[part], { first, second, f } = between(part, s), a = p.frame(first), b = p.frame(second), r = [];
  for (let k = 0; k < 3; k++) r.push(a[3 * vertex + k] * (1 - f) + b[3 * vertex + k] * f);
  return r;
}

// Where a vertex is when the fraction s of the time line is over.
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

// The box that a side sweeps in a step. A turning side is inside the boxes of its chords, widened by as far as an arc leaves its chord.
function sweptBox(side, step) {
  const { hull } = corners(side), m = parts[side.part].motion;
  const turn = m.kind === "rigid" ? Math.hypot(...m.angular_velocity) * Math.abs(data.t_max - data.t_min) : 0;
  const steps = turn ? Math.min(4096, Math.max(64, Math.ceil(turn * 16))) : 1, lo = [Infinity, Infinity, Infinity], hi = lo.map((x) => -x);
  let arm = 0;
  if (turn) for (const v of hull) arm = Math.max(arm, Math.hypot(...add(local(side.part, v, 0), m.arm)));
  const wide = (arm * (turn / steps) ** 2) / 8;
  for (let i = 0; i <= steps; i++) {
    const s = (step + i / steps) / data.steps, pose = poseOf(side.part, s);
    for (const v of hull) posed(pose, local(side.part, v, s)).forEach((x, k) => { lo[k] = Math.min(lo[k], x - wide); hi[k] = Math.max(hi[k], x + wide); });
  }
  return [lo, hi];
}
