"use strict";
// Large scenes stay interactive: while the camera or the time moves, a picture that took long is drawn with fewer triangles and
// marks and without edges, and whole again once nothing moves. On a fast GPU a picture does not take long, and this never happens.

const LARGE = 50000; // faces, from which the whole picture is timed
const SLOW = 60, AIM = 40; // milliseconds: of a whole picture that is too slow, and of one with fewer triangles
const COARSE_MARKS = 5000; // earliest marks of a part and step that are drawn
const SETTLE = 250; // milliseconds after the last move
const coarse = { cost: 0, moving: false, drawing: false, held: false, timer: 0, lists: null };
const faceCount = parts.reduce((sum, p) => sum + p.faces.length / 3, 0);

// Every vertex stands for its cell of a grid: the first one of the same object there. A triangle within fewer than three cells vanishes.
// The list has vertices of the part, which move as ever.
function clustered(p, cells) {
  const x = p.frame(0), lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity], of = p.objects.of;
  for (let v = 0; v < x.length; v += 3) for (let k = 0; k < 3; k++) { const c = x[v + k]; if (c < lo[k]) lo[k] = c; if (c > hi[k]) hi[k] = c; }
  const per = (cells - 1e-3) / Math.max(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2], 1e-30), size = 2 ** Math.ceil(Math.log2(2 * p.count + 2));
  const table = new Int32Array(size).fill(-1), cell = new Uint32Array(p.count), first = new Uint32Array(p.count);
  for (let v = 0; v < p.count; v++) {
    const i = Math.floor((x[3 * v] - lo[0]) * per), j = Math.floor((x[3 * v + 1] - lo[1]) * per), k = Math.floor((x[3 * v + 2] - lo[2]) * per);
    cell[v] = (i * 1024 + j) * 1024 + k;
    let at = (Math.imul(cell[v], 0x9e3779b1) ^ Math.imul(of ? of[v] : 0, 0x85ebca6b)) >>> 0;
    for (at = (at ^ (at >>> 15)) & (size - 1); ; at = (at + 1) & (size - 1)) {
      const u = table[at];
      if (u < 0) { table[at] = v; first[v] = v; break; }
      if (cell[u] === cell[v] && (!of || of[u] === of[v])) { first[v] = u; break; }
    }
  }
  const list = [];
  for (let f = 0; f < p.faces.length; f += 3) {
    const a = first[p.faces[f]], b = first[p.faces[f + 1]], c = first[p.faces[f + 2]];
    if (a !== b && b !== c && c !== a) list.push(a, b, c);
  }
  return list;
}

// Lists of about as many triangles as are drawn in AIM, shared out by the parts' own; a part of few triangles keeps its own list.
function coarseLists() {
  const wanted = Math.max(5000, (faceCount * AIM) / coarse.cost);
  return parts.map((p, i) => {
    const share = (wanted * p.faces.length / 3) / faceCount;
    if (p.faces.length / 3 <= Math.max(share, 2000)) return built.parts[i].faces;
    const found = clustered(p, 48).length / 3, cells = Math.max(8, Math.min(1023, Math.round(48 * Math.sqrt(share / Math.max(found, 1)))));
    return indexed(new Uint32Array(clustered(p, cells)));
  });
}

// The camera or the time moves.
function moves() {
  if (coarse.cost < SLOW) return;
  coarse.lists = coarse.lists || coarseLists();
  coarse.moving = true;
  settle();
}

function settle() {
  clearTimeout(coarse.timer);
  coarse.timer = setTimeout(() => { if (coarse.held || state.playing) settle(); else { coarse.moving = false; ask(); } }, SETTLE);
}

// Draw for the screen; a whole picture of many faces is timed, which reading a pixel waits for.
function paintScreen() {
  const begun = performance.now();
  coarse.drawing = coarse.moving;
  try { paint(devicePixelRatio); } finally { coarse.drawing = false; }
  if (coarse.moving || faceCount < LARGE) return;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  coarse.cost = performance.now() - begun;
}
