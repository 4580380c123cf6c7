"use strict";
// Colors by a field: values of the vertices, as shares of the field's range, in the frames or in the steps of a part; below 0 where there is none.

const SPEED = "speed";
const heatKept = new Map(); // the speeds of the latest steps, by part and step

// How far each vertex moves in a step, as a share of the range.
function speeds(i, k) {
  const key = `${i}:${k}`;
  if (heatKept.has(key)) return heatKept.get(key);
  const p = parts[i], a = p.frame(p.original(k)), b = p.frame(p.original(k + 1)), found = new Float32Array(p.count), most = data.fields[SPEED][1] || 1;
  for (let v = 0; v < p.count; v++) found[v] = (Math.hypot(b[3 * v] - a[3 * v], b[3 * v + 1] - a[3 * v + 1], b[3 * v + 2] - a[3 * v + 2]) * data.scale) / most;
  if (heatKept.size > 8) heatKept.clear();
  heatKept.set(key, found);
  return found;
}

// The numbers of a part's arrays at both ends of the step that is shown, and what makes one of a number; null without the field.
function fieldEnds(i, s) {
  const p = parts[i], held = p.fields[state.field], { k } = within(p.steps, s);
  if (held) {
    const many = held.length, first = many === 1 ? 0 : k;
    return { first, second: many === p.steps + 1 ? k + 1 : first, values: held.frame };
  }
  const computed = state.field === SPEED && !parts.some((one) => one.fields[SPEED]) && p.motion.kind === "linear" && !p.patches;
  return computed ? { first: k, second: k, values: (n) => speeds(i, n) } : null;
}

// Gives a part's vertices their values; returns whether it has any.
function heat(i, s) {
  const ends = state.field && fieldEnds(i, s), b = built.parts[i];
  if (!ends) return false;
  const key = `${state.field}:${ends.first}:${ends.second}`;
  if (b.heated === key) return true;
  b.heats = b.heats || [gl.createBuffer(), gl.createBuffer()];
  gl.bindVertexArray(b.vao);
  [ends.first, ends.second].forEach((n, end) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, b.heats[end]); gl.bufferData(gl.ARRAY_BUFFER, ends.values(n), gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(6 + end); gl.vertexAttribPointer(6 + end, 1, gl.FLOAT, false, 0, 0);
  });
  b.heated = key;
  return true;
}

// The value at a vertex now, in the field's unit; null where there is none.
function fieldAt(i, vertex) {
  const ends = state.field && fieldEnds(i, state.s);
  if (!ends) return null;
  const [a, b] = [ends.first, ends.second].map((n) => ends.values(n)[vertex]), { f } = within(parts[i].steps, state.s), [low, high] = data.fields[state.field];
  const share = a * (1 - f) + b * f;
  return share < 0 ? null : low * (1 - share) + high * share;
}

const fieldText = (x) => String(+x.toPrecision(4));
const fieldLegend = () => `${state.field}: ${data.fields[state.field].map(fieldText).join(" to ")}${state.field === SPEED ? ", way of a vertex in a step" : ""}`;

function chooseField(name) {
  state.field = name in data.fields ? name : null;
  $("field").value = state.field || "";
  note();
  ask();
}

function fieldControls() {
  const names = Object.keys(data.fields);
  $("fields").hidden = !names.length;
  $("field").append(...names.map((name) => element("option", { value: name, textContent: name })));
  $("field").onchange = () => chooseField($("field").value);
}
