"use strict";
// The selected vertex, edge, face or patch: found by the pointer or by its number, highlighted, and what is known of it.

const NAMES = { v: "vertex", e: "edge", f: "face", p: "patch" };
const WORDS = { v: "v", vertex: "v", point: "v", e: "e", edge: "e", f: "f", face: "f", triangle: "f", p: "p", patch: "p" };
const LISTED = { e: "edges", f: "faces" };
const CHOSEN = [0.85, 0.1, 0.75, 1];
const MOST_LINKS = 6;

function verticesOf({ part, kind, row }) {
  const p = parts[part];
  if (kind === "v") return [row];
  if (kind === "p") return corners({ part, patch: row }).vertices;
  const size = kind === "e" ? 2 : 3;
  return Array.from(p[LISTED[kind]].subarray(size * row, size * row + size));
}

// The number by which the library knows it: of a volume not the row of what is drawn.
const numberOf = ({ part, kind, row }) => { const known = parts[part].numbers[LISTED[kind]]; return known ? known[row] : row; };
const titleOf = (chosen) => `${NAMES[chosen.kind]} ${numberOf(chosen)}`;

function rowNumbered(part, kind, number) {
  const p = parts[part], known = p.numbers[LISTED[kind]];
  if (known) return known.indexOf(number);
  const drawnOnly = kind === "f" && p.drawnFor ? p.faces.findIndex((v) => v >= p.own) : -1;
  const many = { v: p.own, e: p.edges.length / 2, f: (drawnOnly < 0 ? p.faces.length : drawnOnly) / 3, p: p.patches ? p.patches.hulls.length - 1 : 0 }[kind];
  return number < (p.patches && kind !== "p" ? 0 : many) ? number : -1;
}

// Words such as "v 319", "edge 12", "B f 7" or "#B: f 7": what they name, or why they name nothing.
function parsed(text) {
  const match = text.trim().match(/^(?:(.+?)[\s:,]+)?(v|e|f|p|vertex|point|edge|face|triangle|patch)\s*(\d+)$/i);
  if (!match) return "type v 319, e 12 or f 7";
  const kind = WORDS[match[2].toLowerCase()];
  const named = match[1] && parts.findIndex((p) => p.name.toLowerCase() === match[1].toLowerCase());
  if (named === -1) return `no part is named ${match[1]}`;
  const tried = named === undefined ? [...parts.keys()] : [named];
  for (const part of tried) {
    const row = rowNumbered(part, kind, +match[3]);
    if (row >= 0) return { part, kind, row };
  }
  return `no ${NAMES[kind]} ${match[3]}${parts[tried[0]].numbers[LISTED[kind]] ? " on the surface" : ""}`;
}

function select(chosen) {
  state.selected = chosen;
  for (const one of built.selected) one.free();
  built.selected = chosen ? highlighted(chosen) : [];
  note();
  ask();
}

function highlighted(chosen) {
  const { part, kind } = chosen, vertices = verticesOf(chosen), list = indexed(new Uint32Array(vertices)), free = () => gl.deleteBuffer(list.buffer);
  const shape = kind === "v" || vertices.length === 1 ? gl.POINTS : kind === "e" || vertices.length === 2 ? gl.LINES : gl.TRIANGLES;
  const dots = (s, px, size) => drawIndexed(part, list, gl.POINTS, { mode: 3, paint: CHOSEN, size: size * px, lift: 3e-3, s });
  return [{ free, draw: ({ s, px }) => {
    if (shape === gl.POINTS) return dots(s, px, 13);
    drawIndexed(part, list, shape, { mode: shape === gl.LINES ? 0 : 1, paint: [...CHOSEN.slice(0, 3), shape === gl.LINES ? 1 : 0.8], wide: shape === gl.LINES ? 2 * px : 0, lift: 1e-3, s });
    if (kind !== "p") dots(s, px, 6);
  } }];
}

// Where it is now, in the scene's unit.
const inScene = (p) => p.map((x, k) => x * data.scale + data.origin[k]);
const placesOf = (chosen) => verticesOf(chosen).map((v) => at(chosen.part, v, state.s));
const written = (p) => `(${inScene(p).map((x) => +x.toPrecision(6)).join(", ")})`;
const center = (points) => scaled(points.reduce(add, [0, 0, 0]), 1 / points.length);

// The listed impacts that it takes part in.
function impactsOf(chosen) {
  const { part, kind, row } = chosen, own = verticesOf(chosen), of = (side) => side.part === part && (kind === "p" ? side.patch === row
    : side.vertices && (kind === "v" ? side.vertices.includes(row) : side.vertices.length === own.length && own.every((v) => side.vertices.includes(v))));
  return [...data.impacts.keys()].filter((i) => data.impacts[i].sides.some(of));
}

function rowsOf(chosen) {
  const { part, kind } = chosen, own = verticesOf(chosen), found = [[NAMES[kind], String(numberOf(chosen)), "chosen"], ["object", objects[objectOf(part, own[0])].name]];
  if (kind === "e" || kind === "f") found.push(["vertices", own.join(" ")]);
  const value = kind === "v" ? fieldAt(part, own[0]) : null;
  if (value !== null) found.push([state.field, fieldText(value), "field"]);
  return [...found, [kind === "v" ? "position" : "center", written(center(placesOf(chosen))), "place"]];
}

// The camera goes to points, and what stands before them is cut away.
function goTo(points, size) {
  const target = center(points), reach = size || Math.max(...points.map((p) => Math.hypot(...sub(p, target))));
  Object.assign(camera, { target, distance: Math.max(5 * reach, 1e-6), cut: 0.75 });
  state.placed = true;
  state.given = {};
  ask();
}

function goToSelected() {
  const chosen = state.selected;
  if (chosen) goTo(placesOf(chosen), chosen.kind === "v" ? 1.5 * edgeLength : 0);
}

function find() {
  const found = parsed($("find").value);
  $("find-note").textContent = typeof found === "string" ? found : "";
  if (typeof found === "string") return;
  select(found);
  goToSelected();
  $("find").blur();
}

// ---- in the address: select=v319, or select=1:v319 in the second part

function describeSelection(say) {
  const chosen = state.selected;
  if (chosen) say("select", `${chosen.part ? `${chosen.part}:` : ""}${chosen.kind}${numberOf(chosen)}`);
}

function followSelection(wanted) {
  const match = (wanted.get("select") || "").match(/^(?:(\d+):)?([vefp])(\d+)$/), part = match ? +(match[1] || 0) : -1;
  const row = match && parts[part] ? rowNumbered(part, match[2], +match[3]) : -1;
  select(row >= 0 ? { part, kind: match[2], row } : null);
}
