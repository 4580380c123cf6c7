"use strict";
// Vertices, edges and faces under the pointer. Nothing is prepared for it: one pass over typed arrays, at the time that is shown,
// takes about 0.3 s for 3 million faces.

const NEAR_VERTEX = 8, NEAR_EDGE = 5; // pixels

// Where the vertices of a part are as the eye sees them, by (right, up, away), moved so that the pointer's ray is the third axis.
function seenFrom(i, right, up) {
  const p = parts[i], { first, second, f } = between(i, state.s), a = p.frame(first), b = p.frame(second), pose = poseOf(i, state.s);
  const [x, y, z] = axes(), e = eye(), ways = [x, y, scaled(z, -1)], rows = ways.map((way) => [...pose.axes.map((column) => dot(column, way)), dot(sub(pose.offset, e), way)]);
  const [r, u, d] = rows, seen = new Float32Array(a.length), g = 1 - f;
  for (let v = 0; v < a.length; v += 3) {
    const p0 = a[v] * g + b[v] * f, p1 = a[v + 1] * g + b[v + 1] * f, p2 = a[v + 2] * g + b[v + 2] * f;
    const away = d[0] * p0 + d[1] * p1 + d[2] * p2 + d[3];
    seen[v] = r[0] * p0 + r[1] * p1 + r[2] * p2 + r[3] - right * away;
    seen[v + 1] = u[0] * p0 + u[1] * p1 + u[2] * p2 + u[3] - up * away;
    seen[v + 2] = away;
  }
  return seen;
}

const hiddenVertex = (p) => { // whether a vertex is of an object that is not shown
  const shown = Uint8Array.from(p.objects.names, (_, k) => +objects[p.first + k].visible), of = p.objects.of;
  return (v) => !shown[of ? of[v] : 0];
};

// The nearest face on the pointer's ray: its row, and how far away it is.
function faceOnRay(p, seen, hidden, kept) {
  const found = { row: -1, away: Infinity }, { faces } = p;
  for (let k = 0; k < faces.length; k += 3) {
    const a = 3 * faces[k], b = 3 * faces[k + 1], c = 3 * faces[k + 2];
    const e0 = seen[b] * seen[c + 1] - seen[b + 1] * seen[c], e1 = seen[c] * seen[a + 1] - seen[c + 1] * seen[a], e2 = seen[a] * seen[b + 1] - seen[a + 1] * seen[b];
    if (!((e0 >= 0 && e1 >= 0 && e2 >= 0) || (e0 <= 0 && e1 <= 0 && e2 <= 0))) continue;
    const sum = e0 + e1 + e2, away = (e0 * seen[a + 2] + e1 * seen[b + 2] + e2 * seen[c + 2]) / sum;
    if (sum !== 0 && away < found.away && !hidden(faces[k]) && kept(away)) { found.row = k / 3; found.away = away; }
  }
  return found;
}

// The vertex, then the edge, that is nearest to the pointer in pixels and not behind `most`.
function vertexNear(p, seen, hidden, kept, most, pixels) {
  const found = { row: -1, apart: NEAR_VERTEX, away: Infinity }, wide = NEAR_VERTEX / pixels;
  for (let v = 0; v < p.own; v++) {
    const away = seen[3 * v + 2];
    if (!(away > 0 && away <= most && Math.abs(seen[3 * v]) < wide * away && Math.abs(seen[3 * v + 1]) < wide * away)) continue;
    const apart = (Math.hypot(seen[3 * v], seen[3 * v + 1]) / away) * pixels;
    if (apart < found.apart && !hidden(v) && kept(away)) { found.row = v; found.apart = apart; found.away = away; }
  }
  return found;
}

function edgeNear(p, seen, hidden, kept, most, pixels) {
  const found = { row: -1, apart: NEAR_EDGE, away: Infinity }, { edges } = p, wide = NEAR_EDGE / pixels;
  for (let k = 0; k < edges.length; k += 2) {
    const a = 3 * edges[k], b = 3 * edges[k + 1], wa = seen[a + 2], wb = seen[b + 2];
    if (!(wa > 0 && wb > 0 && Math.min(wa, wb) <= most)) continue;
    const ax = seen[a] / wa, ay = seen[a + 1] / wa, bx = seen[b] / wb, by = seen[b + 1] / wb;
    if ((ax > wide && bx > wide) || (ax < -wide && bx < -wide) || (ay > wide && by > wide) || (ay < -wide && by < -wide)) continue;
    const dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
    const t = square > 0 ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / square)) : 0, apart = Math.hypot(ax + t * dx, ay + t * dy) * pixels;
    if (!(apart < found.apart)) continue;
    const away = 1 / ((1 - t) / wa + t / wb); // depth is linear in its reciprocal
    if (away <= most && !hidden(edges[k]) && kept(away)) { found.row = k / 2; found.apart = apart; found.away = away; }
  }
  return found;
}

// What is drawn at a point of the canvas: { part, kind, row }, or null. A vertex goes before an edge, an edge before a face.
function under(px, py) {
  const half = canvas.clientHeight / 2, pixels = LENS * half, right = (px - canvas.clientWidth / 2) / pixels, up = (half - py) / pixels;
  const [x, y, z] = axes(), e = eye(), way = add(add(scaled(x, right), scaled(y, up)), scaled(z, -1)), least = camera.distance * camera.cut;
  const { normal, offset } = clipPlane(), from = dot(normal, e), along = dot(normal, way), kept = (away) => away > least && from + along * away <= offset;
  const seen = parts.map((_, i) => seenFrom(i, right, up)), hidden = parts.map(hiddenVertex);
  let face = { row: -1, away: Infinity }, part = -1;
  if (layers.faces) parts.forEach((p, i) => { const hit = faceOnRay(p, seen[i], hidden[i], kept); if (hit.away < face.away) [face, part] = [hit, i]; });
  const most = face.away * (1 + (2 * NEAR_VERTEX) / pixels);
  for (const [kind, near] of [["v", vertexNear], ["e", edgeNear]]) {
    let best = { row: -1, apart: Infinity }, of = -1;
    parts.forEach((p, i) => {
      if (p.patches) return;
      const hit = near(p, seen[i], hidden[i], kept, most, pixels);
      if (hit.row >= 0 && hit.apart < best.apart) [best, of] = [hit, i];
    });
    if (of >= 0) return { part: of, kind, row: best.row };
  }
  return part < 0 ? null : solid(part, face.row);
}

// A triangle that is drawn for something else stands for that: a rod's edge, a point's vertex, a patch.
function solid(part, row) {
  const p = parts[part], vertices = Array.from(p.faces.subarray(3 * row, 3 * row + 3));
  if (p.patches) {
    const { faces } = p.patches;
    return { part, kind: "p", row: faces.findIndex((start, k) => start <= row && row < faces[k + 1]) };
  }
  if (vertices[0] < p.own) return { part, kind: "f", row };
  const of = [...new Set(vertices.map((v) => p.drawnFor[v - p.own]))];
  const edge = of.length === 2 ? rowOf(p.edges, of) : -1;
  return edge < 0 ? { part, kind: "v", row: of[0] } : { part, kind: "e", row: edge };
}

// The row of an edge between two vertices.
function rowOf(edges, [a, b]) {
  for (let k = 0; k < edges.length; k += 2) if ((edges[k] === a && edges[k + 1] === b) || (edges[k] === b && edges[k + 1] === a)) return k / 2;
  return -1;
}
