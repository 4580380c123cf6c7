"use strict";
// Vectors and quaternions as small arrays, and what every script uses.

const $ = (id) => document.getElementById(id);

const sub = (a, b) => a.map((x, k) => x - b[k]), add = (a, b) => a.map((x, k) => x + b[k]), scaled = (a, s) => a.map((x) => x * s);
const dot = (a, b) => a.reduce((s, x, k) => s + x * b[k], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return scaled(a, 1 / l); };
const product = (p, q) => { // product of quaternions w, x, y, z
  const [a, ...u] = p, [b, ...v] = q;
  return [a * b - dot(u, v), ...add(add(scaled(v, a), scaled(u, b)), cross(u, v))];
};
const columns = ([w, x, y, z]) => [
  [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
  [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
  [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
];
