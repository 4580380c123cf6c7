"use strict";
// Closest points of two points, segments or triangles, each given by its corners.

function onSegment(p, a, b) {
  const d = sub(b, a), square = dot(d, d);
  return add(a, scaled(d, square > 0 ? Math.max(0, Math.min(1, dot(sub(p, a), d) / square)) : 0));
}

function onTriangle(p, [a, b, c]) {
  const e = sub(b, a), f = sub(c, a), n = cross(e, f), square = dot(n, n), g = sub(p, a);
  if (square > 0) { // inside if both weights and their sum are
    const v = dot(cross(g, f), n) / square, w = dot(cross(e, g), n) / square;
    if (v >= 0 && w >= 0 && v + w <= 1) return add(a, add(scaled(e, v), scaled(f, w)));
  }
  return [[a, b], [b, c], [c, a]].map(([s, t]) => onSegment(p, s, t)).reduce((best, q) => (Math.hypot(...sub(p, q)) < Math.hypot(...sub(p, best)) ? q : best));
}

const onShape = (p, shape) => (shape.length === 1 ? shape[0] : shape.length === 2 ? onSegment(p, ...shape) : onTriangle(p, shape));

// Of two segments inside both; where they are parallel, or the points are outside, an end is nearest and is found from the ends.
function insideBoth([a, b], [c, d]) {
  const u = sub(b, a), v = sub(d, c), w = sub(a, c), uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w), det = uu * vv - uv * uv;
  if (!(det > 1e-14 * uu * vv)) return null;
  const s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? [add(a, scaled(u, s)), add(c, scaled(v, t))] : null;
}

const sidesOf = (shape) => (shape.length === 3 ? [[0, 1], [1, 2], [2, 0]].map(([i, j]) => [shape[i], shape[j]]) : shape.length === 2 ? [shape] : []);

// Where a segment passes through a triangle.
function through([p, q], [a, b, c]) {
  const n = cross(sub(b, a), sub(c, a)), from = dot(sub(p, a), n), to = dot(sub(q, a), n);
  if (!(from * to < 0)) return null;
  const x = add(p, scaled(sub(q, p), from / (from - to))), sides = [[a, b], [b, c], [c, a]].map(([s, t]) => dot(cross(sub(t, s), sub(x, s)), n));
  return sides.every((side) => side >= 0) ? [x, x] : null;
}

// A point of each.
function closest(first, second) {
  const pairs = [...first.map((p) => [p, onShape(p, second)]), ...second.map((q) => [onShape(q, first), q])];
  for (const e of sidesOf(first)) for (const f of sidesOf(second)) { const both = insideBoth(e, f); if (both) pairs.push(both); }
  for (const [one, other] of [[first, second], [second, first]]) {
    if (other.length === 3) for (const e of sidesOf(one)) { const both = through(e, other); if (both) return both; }
  }
  return pairs.reduce((best, pair) => (Math.hypot(...sub(...pair)) < Math.hypot(...sub(...best)) ? pair : best));
}

// The closest points of a pair at a time; of patches the middles of their control points.
function gapOf(m, s) {
  if (m.sides.some((side) => side.patch !== undefined)) return m.sides.map((side) => middle(side, s));
  return closest(...m.sides.map((side) => { const pose = poseOf(side.part, s); return side.vertices.map((v) => posed(pose, local(side.part, v, s))); }));
}
