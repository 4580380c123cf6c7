"use strict";
// How large the scene is.

// Points that stand for the scene when the camera is placed: of every part, at some times.
const cloud = parts.flatMap((p, i) => {
  const n = p.count, points = [], apart = p.motion.kind === "linear" ? Math.min(p.steps, 8) : 4;
  const times = Array.from({ length: apart + 1 }, (_, k) => k / apart), stride = Math.max(1, Math.floor((n * times.length) / 9000));
  for (const s of times) {
    const pose = poseOf(i, s);
    for (let v = 0; v < n; v += stride) if (!p.ignored.has(v)) points.push(posed(pose, local(i, v, s)));
  }
  return points;
});

const cloudReach = cloud.reduce((far, p) => Math.max(far, Math.hypot(...p)), 1e-3);

const edgeLength = (() => { // mean length of the first edges
  const p = parts.find((part) => part.edges.length), n = p ? Math.min(2000, p.edges.length / 2) : 0;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.hypot(...sub(local(parts.indexOf(p), p.edges[2 * i], 0), local(parts.indexOf(p), p.edges[2 * i + 1], 0)));
  return n ? sum / n : 1;
})();
