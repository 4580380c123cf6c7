"use strict";
// The page draws parts between the two frames at the time of the slider, with WebGL 2 and nothing else. State is (time, picked
// impact, camera, layers); every change of it asks for one drawing. The state is in the address too: #t=0.5&impact=3.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const layers = { surface: true, edges: true, impacts: true, boxes: true, "near pairs": false, "end frame": false };
const state = { t: 0, picked: -1, playing: false };

// ---- data

function unpack(text, type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new type(bytes.buffer);
}

// How a part moves: where it starts and ends, and where a vertex is in between. A motion that does not run on straight lines
// adds an entry here, and gives the shader its ends over shorter times.
const motions = {
  linear: (m) => ({ x0: unpack(m.x0, Float32Array), x1: unpack(m.x1, Float32Array) }),
};
const parts = data.parts.map((p) => ({
  name: p.name, ...motions[p.motion.kind](p.motion), faces: unpack(p.faces, Uint32Array), edges: unpack(p.edges, Uint32Array),
}));

const met = unpack(data.met.times, Float32Array); // of all impacts, listed or not

function at(part, vertex, t) {
  const p = parts[part], r = [];
  for (let k = 0; k < 3; k++) r.push(p.x0[3 * vertex + k] * (1 - t) + p.x1[3 * vertex + k] * t);
  return r;
}

const scene = (() => {
  const lo = [Infinity, Infinity, Infinity], hi = lo.map((x) => -x);
  for (const p of parts) for (const x of [p.x0, p.x1]) {
    for (let i = 0; i < x.length; i++) { lo[i % 3] = Math.min(lo[i % 3], x[i]); hi[i % 3] = Math.max(hi[i % 3], x[i]); }
  }
  if (!(lo[0] <= hi[0])) { lo.fill(-1); hi.fill(1); }
  return { middle: lo.map((l, k) => (l + hi[k]) / 2), radius: Math.hypot(...lo.map((l, k) => hi[k] - l)) / 2 || 1 };
})();

const edgeLength = (() => { // of the first edges, on average
  const p = parts.find((part) => part.edges.length), n = p ? Math.min(2000, p.edges.length / 2) : 0;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const a = 3 * p.edges[2 * i], b = 3 * p.edges[2 * i + 1];
    sum += Math.hypot(p.x0[a] - p.x0[b], p.x0[a + 1] - p.x0[b + 1], p.x0[a + 2] - p.x0[b + 2]);
  }
  return n ? sum / n : scene.radius;
})();

// ---- WebGL

const canvas = $("scene"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
if (!gl) $("note").textContent = "this page needs WebGL 2";

const VERTEX = `#version 300 es
layout(location = 0) in vec3 x0; layout(location = 1) in vec3 x1; layout(location = 2) in vec4 tint;
uniform mat4 view; uniform float t, size, lift; out vec3 place; out vec4 color;
void main() {
  place = mix(x0, x1, t); color = tint;
  gl_Position = view * vec4(place, 1.0); gl_Position.z -= lift * gl_Position.w; gl_PointSize = size;
}`;
const FRAGMENT = `#version 300 es
precision highp float; in vec3 place; in vec4 color; uniform vec3 eye; uniform int mode; out vec4 paint;
void main() {
  paint = color;
  if (mode == 1) {
    vec3 n = normalize(cross(dFdx(place), dFdy(place)));
    float light = 0.35 + 0.65 * abs(dot(n, normalize(eye - place)));
    paint = vec4(color.rgb * light, color.a);
  } else if (mode == 2) {
    float r = length(gl_PointCoord - 0.5);
    if (r > 0.5) discard;
    if (r > 0.36) paint = vec4(0.0, 0.0, 0.0, 1.0);
  }
}`;

function program() {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const s = gl.createShader(kind);
    gl.shaderSource(s, text); gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
    gl.attachShader(p, s);
  }
  gl.linkProgram(p); gl.useProgram(p);
  return Object.fromEntries(["view", "t", "size", "lift", "eye", "mode"].map((n) => [n, gl.getUniformLocation(p, n)]));
}
const uniform = gl && program();

// A batch is vertices with both ends and a colour, drawn as triangles, lines or points.
function batch(mode, x0, x1, colors) {
  const vao = gl.createVertexArray(), count = x0.length / 3;
  gl.bindVertexArray(vao);
  [[x0, 3], [x1, 3], [colors, 4]].forEach(([values, n], i) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values instanceof Float32Array ? values : new Float32Array(values), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(i); gl.vertexAttribPointer(i, n, gl.FLOAT, false, 0, 0);
  });
  return { mode, vao, count };
}

function draw(b, { shade = 0, size = 1, lift = 0, t = state.t } = {}) {
  gl.uniform1i(uniform.mode, shade); gl.uniform1f(uniform.size, size); gl.uniform1f(uniform.lift, lift); gl.uniform1f(uniform.t, t);
  gl.bindVertexArray(b.vao); gl.drawArrays(b.mode, 0, b.count);
}

function gather(part, indices, color) {
  const p = parts[part], n = indices.length, x0 = new Float32Array(3 * n), x1 = new Float32Array(3 * n), c = new Float32Array(4 * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) { x0[3 * i + k] = p.x0[3 * indices[i] + k]; x1[3 * i + k] = p.x1[3 * indices[i] + k]; }
    c.set(color, 4 * i);
  }
  return [x0, x1, c];
}

const palette = [[0.45, 0.62, 0.80], [0.62, 0.72, 0.50], [0.78, 0.62, 0.45], [0.66, 0.56, 0.76]];
const heat = (t) => [1, 0.25 + 0.6 * t, 0.1, 1]; // early impacts are red, late ones yellow

const built = gl && {
  surfaces: parts.map((p, i) => batch(gl.TRIANGLES, ...gather(i, p.faces, [...palette[i % palette.length], 1]))),
  edges: parts.map((p, i) => batch(gl.LINES, ...gather(i, p.edges, [0.1, 0.15, 0.2, 1]))),
  ends: parts.map((p, i) => batch(gl.LINES, ...gather(i, p.edges, [0.55, 0.55, 0.6, 1]))),
  impacts: (() => {
    const x = unpack(data.met.points, Float32Array), colors = new Float32Array(4 * met.length);
    met.forEach((t, i) => colors.set(heat(t), 4 * i));
    return batch(gl.POINTS, x, x, colors);
  })(),
  near: (() => {
    const x0 = [], x1 = [], c = [];
    const middle = (part, vertices, t) => vertices.map((v) => at(part, v, t)).reduce((s, p) => s.map((x, k) => x + p[k] / vertices.length), [0, 0, 0]);
    for (const n of data.near) for (const side of [n.first, n.second]) {
      x0.push(...middle(n.part, side, 0)); x1.push(...middle(n.part, side, 1)); c.push(0.1, 0.6, 0.35, 1);
    }
    return batch(gl.LINES, x0, x1, c);
  })(),
  picked: [],
};

// The picked pair: its primitives in bright colours, the boxes they sweep, its normal.
function pick(index) {
  state.picked = index;
  document.querySelectorAll("#list li").forEach((li, i) => li.classList.toggle("picked", i === index));
  built.picked = [];
  const m = data.impacts[index];
  if (!m) return note();
  [[m.first, [0.95, 0.25, 0.15, 1]], [m.second, [0.15, 0.35, 0.95, 1]]].forEach(([v, color]) => {
    const mode = [gl.POINTS, gl.POINTS, gl.LINES, gl.TRIANGLES][v.length];
    built.picked.push({ layer: "impacts", ...batch(mode, ...gather(m.part, v, color)) });
    if (v.length > 1) built.picked.push({ layer: "impacts", ...batch(gl.POINTS, ...gather(m.part, v, color)) });
    built.picked.push({ layer: "boxes", ...batch(gl.LINES, ...box(m.part, v, color)) });
  });
  const tip = m.point.map((x, k) => x + m.normal[k] * camera.distance * 0.2), x = [...m.point, ...tip];
  built.picked.push({ layer: "impacts", ...batch(gl.LINES, x, x, [0, 0, 0, 1, 1, 0.5, 0, 1]) });
  const item = $("list").children[index];
  if (item) item.scrollIntoView({ block: "nearest" });
  note();
}

function box(part, vertices, color) {
  const lo = [Infinity, Infinity, Infinity], hi = lo.map((x) => -x), x = [];
  for (const v of vertices) for (const t of [0, 1]) at(part, v, t).forEach((p, k) => { lo[k] = Math.min(lo[k], p); hi[k] = Math.max(hi[k], p); });
  const corner = (i) => lo.map((l, k) => ((i >> k) & 1 ? hi[k] : l));
  for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) if (!((i >> k) & 1)) x.push(...corner(i), ...corner(i | (1 << k)));
  return [x, x, Array(x.length / 3).fill(color).flat()];
}

// ---- camera

const camera = { target: [...scene.middle], distance: 2 * scene.radius, turn: 0.7, rise: 0.5, cut: 0.01 };

const sub = (a, b) => a.map((x, k) => x - b[k]), dot = (a, b) => a.reduce((s, x, k) => s + x * b[k], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };

function eye() {
  const c = Math.cos(camera.rise);
  return camera.target.map((x, k) => x + camera.distance * [c * Math.sin(camera.turn), Math.sin(camera.rise), c * Math.cos(camera.turn)][k]);
}

function axes() {
  const z = unit(sub(eye(), camera.target)), x = unit(cross([0, 1, 0], z));
  return [x, cross(z, x), z];
}

function viewMatrix(aspect, cut) {
  const e = eye(), [x, y, z] = axes(), near = camera.distance * cut, far = camera.distance + 4 * scene.radius, f = 1.8;
  const a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
  const row = [[...x, -dot(x, e)], [...y, -dot(y, e)], [...z, -dot(z, e)]];
  const m = [row[0].map((v) => (v * f) / aspect), row[1].map((v) => v * f), row[2].map((v, k) => v * a + (k === 3 ? b : 0)), row[2].map((v) => -v)];
  return new Float32Array([0, 1, 2, 3].flatMap((c) => m.map((r) => r[c])));
}

function whole() {
  Object.assign(camera, { target: [...scene.middle], distance: 2 * scene.radius, cut: 0.01 });
}

function jump(index) {
  const m = data.impacts[index];
  if (!m) return;
  let size = 0;
  for (const v of [...m.first, ...m.second]) size = Math.max(size, Math.hypot(...sub(at(m.part, v, m.toi), m.point)));
  // What stands before the pair is cut away.
  Object.assign(camera, { target: [...m.point], distance: Math.max(6 * size, 1e-6 * scene.radius), cut: 0.8 });
  setTime(m.toi);
  pick(index);
}

// ---- drawing

let asked = false;
function ask() {
  if (!asked) { asked = true; requestAnimationFrame(render); }
}

function render() {
  asked = false;
  if (!gl) return;
  const w = Math.round(canvas.clientWidth * devicePixelRatio), h = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; ticks(); }
  gl.viewport(0, 0, w, h);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  gl.clearColor(...(dark ? [0.083, 0.098, 0.122] : [0.965, 0.969, 0.976]), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); gl.enable(gl.DEPTH_TEST);
  gl.uniformMatrix4fv(uniform.view, false, viewMatrix(w / Math.max(h, 1), camera.cut)); gl.uniform3fv(uniform.eye, eye());
  if (layers.surface) built.surfaces.forEach((b) => draw(b, { shade: 1 }));
  gl.enable(gl.BLEND); gl.blendFuncSeparate(gl.CONSTANT_ALPHA, gl.ONE_MINUS_CONSTANT_ALPHA, gl.ONE, gl.ONE);
  gl.blendColor(0, 0, 0, Math.min(0.8, (edgeLength / camera.distance) * h * 0.05)); // edges fade where they would cover all
  if (layers.edges) built.edges.forEach((b) => draw(b, { lift: 5e-5 }));
  if (layers["end frame"]) built.ends.forEach((b) => draw(b, { t: 1 }));
  gl.disable(gl.BLEND);
  if (layers["near pairs"]) draw(built.near, { lift: 1e-4 });
  if (layers.impacts) draw(built.impacts, { shade: 2, size: 8 * devicePixelRatio, lift: 2e-4 });
  gl.disable(gl.DEPTH_TEST); // the picked pair is seen through everything, and whole
  gl.uniformMatrix4fv(uniform.view, false, viewMatrix(w / Math.max(h, 1), 0.01));
  built.picked.forEach((b) => { if (layers[b.layer]) draw(b, { size: 9 * devicePixelRatio, shade: b.mode === gl.POINTS ? 2 : 0 }); });
}

function ticks() {
  const c = $("ticks"), g = c.getContext("2d");
  c.width = c.clientWidth * devicePixelRatio; c.height = c.clientHeight * devicePixelRatio;
  const bins = new Array(Math.max(1, Math.floor(c.width / 3))).fill(0);
  for (const t of met) bins[Math.min(bins.length - 1, Math.floor(t * bins.length))]++;
  const most = Math.max(1, ...bins);
  bins.forEach((n, i) => {
    if (!n) return;
    const h = c.height * (0.25 + (0.75 * Math.log1p(n)) / Math.log1p(most)), [r, v, b] = heat(i / bins.length);
    g.fillStyle = `rgb(${255 * r} ${255 * v} ${255 * b})`;
    g.fillRect((i * c.width) / bins.length, c.height - h, Math.max(1, c.width / bins.length - 1), h);
  });
}

function note() {
  const m = data.impacts[state.picked];
  $("note").textContent = m
    ? `${m.kind} ${m.a} ${m.b}\nt = ${m.toi}\nat (${m.at.map((x) => x.toPrecision(6)).join(", ")})\nnormal (${m.normal.map((x) => x.toPrecision(4)).join(", ")})`
    : "";
}

function setTime(t) {
  state.t = Math.min(1, Math.max(0, t));
  $("time").value = state.t; $("now").textContent = `t = ${state.t.toFixed(6)}`;
  ask();
}

// ---- what a person does

let last = 0;
function frame(now) {
  if (!state.playing) return;
  if (last) setTime(state.t >= 1 ? 0 : state.t + (now - last) / 4000);
  last = now;
  requestAnimationFrame(frame);
}

function play(on) {
  state.playing = on; last = 0; $("play").textContent = on ? "\u275A\u275A" : "\u25B6";
  if (on) requestAnimationFrame(frame);
}

function controls() {
  $("title").textContent = document.title = data.title;
  for (const [name, value] of Object.entries(data.facts)) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = value; $("facts").append(dt, dd);
  }
  for (const name of Object.keys(layers)) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox"; box.checked = layers[name]; box.onchange = () => { layers[name] = box.checked; ask(); };
    label.append(box, " " + name); $("layers").append(label);
  }
  const listed = data.impacts.length === met.length ? "" : ` (${data.impacts.length} listed)`;
  $("count").textContent = data.impacts.length ? `impacts, earliest first${listed}` : "no impacts: proven separate";
  data.impacts.forEach((m, i) => {
    const li = document.createElement("li"), when = document.createElement("span");
    when.textContent = m.toi < 1e-3 ? m.toi.toExponential(3) : m.toi.toFixed(6); li.append(`${m.kind} ${m.a} ${m.b}`, when);
    li.onclick = () => { play(false); jump(i); };
    $("list").append(li);
  });
  $("time").oninput = () => { play(false); setTime(+$("time").value); };
  $("play").onclick = () => play(!state.playing);
  $("home").onclick = () => { whole(); ask(); };
  addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.key === " ") play(!state.playing);
    else if (e.key === "h") { whole(); ask(); }
    else if (step && data.impacts.length) jump(Math.min(data.impacts.length - 1, Math.max(0, state.picked + step)));
    else return;
    e.preventDefault();
  });
}

function mouse() {
  let from = null;
  canvas.onpointerdown = (e) => { from = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); };
  canvas.onpointerup = () => { from = null; };
  canvas.onpointermove = (e) => {
    if (!from) return;
    const dx = e.clientX - from[0], dy = e.clientY - from[1];
    from = [e.clientX, e.clientY];
    if (e.shiftKey || e.buttons === 4) {
      const [x, y] = axes(), s = camera.distance / canvas.clientHeight;
      camera.target = camera.target.map((p, k) => p - s * dx * x[k] + s * dy * y[k]);
    } else {
      camera.turn -= dx * 0.01; camera.rise = Math.min(1.55, Math.max(-1.55, camera.rise + dy * 0.01));
    }
    ask();
  };
  canvas.onwheel = (e) => { e.preventDefault(); camera.distance *= Math.exp(e.deltaY * 0.001); ask(); };
}

function address() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const name of (asked.get("show") || "").split(",")) if (name in layers) layers[name] = true;
  controls();
  if (asked.has("impact")) jump(+asked.get("impact"));
  if (asked.has("t")) setTime(+asked.get("t"));
}

mouse();
address();
new ResizeObserver(ask).observe(canvas);
ask();
