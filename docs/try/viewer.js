// The data of the viewer's page (bindings/python/ccd/view): what ccd.view._contents writes for one mesh and one step.

const MOST_LISTED = 5000, MOST_DRAWN = 200000, MOST_CANDIDATES = 400000, COLORS = 8, MOST_OBJECTS = 1024;

function base64(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength), parts = [];
  for (let i = 0; i < bytes.length; i += 0x8000) parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  return btoa(parts.join(""));
}

// The middle of the scene, and the power of two that makes it about 1: pages draw in single precision.
function unitOf(...frames) {
  const lo = [Infinity, Infinity, Infinity], hi = lo.map((x) => -x);
  for (const x of frames) x.forEach((c, i) => { lo[i % 3] = Math.min(lo[i % 3], c); hi[i % 3] = Math.max(hi[i % 3], c); });
  const origin = lo.map((a, k) => (Number.isFinite(a) ? a / 2 + hi[k] / 2 : 0)), half = Math.max(...lo.map((a, k) => hi[k] / 2 - a / 2));
  const scale = half > 0 && Number.isFinite(half) ? 2 ** -Math.ceil(Math.log2(half)) : 1;
  const of = (x) => Float32Array.from(x, (c, i) => (c - origin[i % 3]) * scale);
  return { origin, scale, of };
}

// The connected component of each vertex; of too many, one.
function componentsOf(count, edges) {
  const root = Int32Array.from({ length: count }, (_, i) => i);
  const find = (v) => {
    while (root[v] !== v) v = root[v] = root[root[v]];
    return v;
  };
  for (let i = 0; i < edges.length; i += 2) {
    const a = find(edges[i]), b = find(edges[i + 1]);
    root[Math.max(a, b)] = Math.min(a, b);
  }
  const numbers = new Map(), of = Uint16Array.from(root, (_, v) => {
    const r = find(v);
    if (!numbers.has(r)) numbers.set(r, numbers.size);
    return numbers.get(r);
  });
  if (numbers.size <= 1 || numbers.size > MOST_OBJECTS) return { of: null, names: ["mesh"], colors: [0] };
  return { of, names: Array.from(numbers.values(), (k) => `component ${k}`), colors: Array.from(numbers.values(), (k) => k % COLORS) };
}

const number = (x) => Number(x.toPrecision(6)).toString();

export function viewerData({ title, mesh, x0, x1, impacts, facts, candidates }) {
  const unit = unitOf(x0, x1), { faces, edges } = mesh, objects = componentsOf(mesh.vertices, edges);
  const row = (list, width, i) => Array.from(list.subarray(width * i, width * (i + 1)));
  const shapes = { vertex: (i) => [i], point: (i) => [i], edge: (i) => row(edges, 2, i), face: (i) => row(faces, 3, i) };
  const sidesOf = (p) => p.kind.split("-").map((shape, k) => ({ part: 0, vertices: shapes[shape](k ? p.b : p.a) }));
  const named = (p) => p.kind.split("-").map((shape, k) => [shape, String(k ? p.b : p.a), k ? "second" : "first"]);
  const objectOf = (v) => (objects.of ? objects.of[v] : 0);
  // A mark is a point of the first primitive, which moves with it.
  const markOf = (p, x) => {
    const v = sidesOf(p)[0].vertices, last = v[v.length - 1], u = v.length > 1 ? p.u : 0;
    return [0, 1, 2].map((k) => x[3 * v[0] + k] * (1 - u) + x[3 * last + k] * u);
  };
  const drawn = impacts.slice(0, MOST_DRAWN), listed = impacts.slice(0, MOST_LISTED);
  const local = (p) => Array.from(unit.of(p));
  const met = new Set(impacts.map((p) => `${p.kind} ${p.a} ${p.b}`));
  const middle = (v) => [0, 1, 2].map((k) => v.reduce((sum, i) => sum + x0[3 * i + k], 0) / v.length);
  let near = [];
  for (const kind of ["vertex-face", "edge-edge"]) {
    if (candidates.count(kind) > MOST_CANDIDATES) continue;
    const pairs = candidates.pairs(kind);
    for (let i = 0; i < pairs.length; i += 2) {
      const p = { kind, a: pairs[i], b: pairs[i + 1] };
      if (met.has(`${kind} ${p.a} ${p.b}`)) continue;
      const [a, b] = sidesOf(p).map((side) => middle(side.vertices));
      near.push({ p, far: Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) });
    }
  }
  near.sort((a, b) => a.far - b.far);
  const found = near.length;
  near = near.slice(0, MOST_LISTED).map(({ p }) => ({
    label: `${p.kind} ${p.a} ${p.b}`, sides: sidesOf(p), rows: [...named(p), ["swept boxes", "overlap"]], step: 0,
  }));
  const way = [0, 0, 0];
  x0.forEach((c, i) => (way[i % 3] += x1[i] - c));
  const down = way.indexOf(Math.min(...way));
  const point = (p) => `(${p.map(number).join(", ")})`;
  return {
    title, facts, verdict: "no impacts: proven separate", t_min: 0, t_max: 1, steps: 1, frame_names: [], fields: {}, color_by: null,
    up: -way[down] > 0.8 * Math.hypot(...way) ? down : 2, origin: unit.origin, scale: 1 / unit.scale,
    parts: [{
      name: "mesh", motion: { kind: "linear" }, frames: [base64(unit.of(x0)), base64(unit.of(x1))],
      objects: { ...objects, of: objects.of && base64(objects.of) }, faces: base64(faces), edges: base64(edges), nets: "",
      drawn_for: null, numbers: {}, fields: {}, patches: null,
    }],
    marks: drawn.length === 0 ? [] : [{
      part: 0, x0: base64(unit.of(drawn.flatMap((p) => markOf(p, x0)))), x1: base64(unit.of(drawn.flatMap((p) => markOf(p, x1)))),
      times: base64(Float32Array.from(drawn, (p) => p.toiLo)), normals: base64(Float32Array.from(drawn.flatMap((p) => p.normal))),
      objects: base64(Uint32Array.from(drawn.flatMap((p) => sidesOf(p).map((side) => objectOf(side.vertices[0]))))), steps: [[0, 0, drawn.length]],
    }],
    impacts: listed.map((p) => ({
      label: `${p.kind} ${p.a} ${p.b}`, time: p.toiLo, step: 0, sides: sidesOf(p), point: local(p.point), normal: p.normal,
      mark: { part: 0, x0: local(markOf(p, x0)), x1: local(markOf(p, x1)) },
      rows: [...named(p), ["verdict", p.verdict], ["t", String(p.toiLo)], ["point", point(p.point)], ["normal", point(p.normal)]],
    })),
    near, met: impacts.length, near_found: found, near_means: "pairs whose swept boxes overlap and that do not meet", quota: MOST_LISTED,
  };
}
