// The page: camera, list, slider, keys. State is (time, picked pair, camera, layers); every change of it asks for one drawing,
// and stands in the address soon after: see "the address" below.

const layers = { surface: true, edges: true, impacts: true, boxes: true, "near pairs": false, "see-through": false, "end frame": false };
if (parts.some((p) => p.nets.length)) layers["control nets"] = false;
if (data.impacts.some((m) => m.outline)) layers.elements = true;
const state = { s: 0, tab: "impacts", picked: -1, playing: false, speed: 1, up: data.up, dark: matchMedia("(prefers-color-scheme: dark)").matches };
const FIRST_LAYERS = { ...layers }, FIRST_TURN = 0.6, FIRST_RISE = 0.4;
const lists = { impacts: data.impacts, near: data.near };
const current = () => lists[state.tab][state.picked];

// ---- camera

const camera = { target: [0, 0, 0], distance: 4, turn: FIRST_TURN, rise: FIRST_RISE, cut: 0.01 };
const axis = (k) => [0, 1, 2].map((i) => (i === k ? 1 : 0));

function axes() { // right, up, and towards the eye
  const a = axis((state.up + 1) % 3), b = axis((state.up + 2) % 3), up = axis(state.up), c = Math.cos(camera.rise);
  const z = add(add(scaled(a, c * Math.cos(camera.turn)), scaled(b, c * Math.sin(camera.turn))), scaled(up, Math.sin(camera.rise)));
  const x = [0, 1, 2].map((i) => b[i] * Math.cos(camera.turn) - a[i] * Math.sin(camera.turn));
  return [x, cross(z, x), z];
}

const eye = () => add(camera.target, scaled(axes()[2], camera.distance));
const LENS = 1.9, aspect = () => canvas.clientWidth / Math.max(canvas.clientHeight, 1);

function viewMatrix(cut) {
  const e = eye(), [x, y, z] = axes(), near = camera.distance * cut, far = camera.distance + 2 * reach(), f = LENS;
  const a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
  const row = [[...x, -dot(x, e)], [...y, -dot(y, e)], [...z, -dot(z, e)]];
  const m = [row[0].map((v) => (v * f) / aspect()), row[1].map((v) => v * f), row[2].map((v, k) => v * a + (k === 3 ? b : 0)), row[2].map((v) => -v)];
  return new Float32Array([0, 1, 2, 3].flatMap((c) => m.map((r) => r[c])));
}

const reach = () => cloudReach + Math.hypot(...camera.target);
const cloudReach = cloud.reduce((far, p) => Math.max(far, Math.hypot(...p)), 1e-3);

function project(p) { // in pixels of the page, or null behind the eye
  const [x, y, z] = axes(), v = sub(p, eye()), depth = -dot(v, z);
  if (depth <= 0) return null;
  const half = canvas.clientHeight / 2, k = (LENS * half) / depth;
  return [canvas.clientWidth / 2 + dot(v, x) * k, half - dot(v, y) * k];
}

// The whole scene, as large as it can be seen from this side.
function whole() {
  const [x, y, z] = axes(), room = 0.9, across = LENS / aspect() / room, along = LENS / room;
  let target = [0, 0, 0], distance = 1e-3;
  for (let round = 0; round < 6; round++) {
    const seen = cloud.map((p) => { const v = sub(p, target); return [dot(v, x), dot(v, y), dot(v, z)]; });
    distance = seen.reduce((d, [u, v, w]) => Math.max(d, w + Math.abs(u) * across, w + Math.abs(v) * along), 1e-3);
    let lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
    for (const [u, v, w] of seen) [u, v].forEach((c, k) => { const q = c / (distance - w + 1e-9); lo[k] = Math.min(lo[k], q); hi[k] = Math.max(hi[k], q); });
    if (!seen.length) break;
    target = add(target, add(scaled(x, ((lo[0] + hi[0]) / 2) * distance), scaled(y, ((lo[1] + hi[1]) / 2) * distance)));
  }
  Object.assign(camera, { target, distance, cut: 0.01 });
  state.placed = false;
  state.given = { at: placeOf(camera), from: fromOf(camera) };
}

// Where the camera is and from where it looks, in the words of the address; state.given is what the page chose by itself.
const fromOf = ({ turn, rise }) => [turn, rise].map(short).join(",");
const placeOf = ({ target, distance, cut }) => [...target, distance, ...(cut === 0.01 ? [] : [cut])].map(short).join(",");
const short = (x) => String(+x.toPrecision(7));

// ---- the picked pair

function dressed(m) {
  const made = [], side = (i) => [FIRST, SECOND][i];
  if (m.outline) {
    const list = indexed(new Uint32Array(m.outline.edges));
    made.push({ layer: "elements", draw: ({ s }) => drawIndexed(m.outline.part, list, gl.LINES, { paint: state.dark ? [0.9, 0.9, 0.95, 0.9] : [0.25, 0.28, 0.33, 0.9], s }) });
  }
  m.sides.forEach((one, i) => {
    const { size, vertices } = corners(one), list = indexed(new Uint32Array(vertices));
    const shape = [0, gl.POINTS, gl.LINES, gl.TRIANGLES][size], mode = [0, 3, 0, 1][size];
    made.push({ layer: "impacts", draw: ({ s, px }) => {
      drawIndexed(one.part, list, shape, { mode, paint: side(i), size: 14 * px, wide: size === 2 ? 2 * px : 0, lift: size === 1 ? 0.02 : i ? 0 : 2e-3, s });
      if (one.patch === undefined && size > 1) drawIndexed(one.part, list, gl.POINTS, { mode: 3, paint: side(i), size: 7 * px, lift: 3e-3, s });
    } });
    const box = boxLines(sweptBox(one));
    made.push({ layer: "boxes", draw: ({ s }) => drawPoints(box, gl.LINES, { paint: side(i), s }) });
  });
  if (m.point) {
    const tip = add(m.point, scaled(m.normal, camera.distance * 0.16)), arrow = lines([...m.point, ...tip]), head = lines(tip), spot = lines(m.point);
    const tone = state.dark ? [1, 0.85, 0.3, 1] : [0.1, 0.1, 0.1, 1];
    made.push({ layer: "impacts", draw: ({ s, px }) => {
      drawPoints(arrow, gl.LINES, { paint: tone, wide: px, lift: 4e-3, s });
      drawPoints(head, gl.POINTS, { mode: 3, paint: tone, size: 7 * px, lift: 4e-3, s });
      gl.disable(gl.DEPTH_TEST); // where it is is never hidden
      drawPoints(spot, gl.POINTS, { mode: 3, paint: [1, 0.8, 0.1, 1], size: 7 * px, s });
      gl.enable(gl.DEPTH_TEST);
    } });
  }
  return made;
}

function pick(tab, index) {
  if (state.tab !== tab) showTab(tab);
  state.picked = index;
  document.querySelectorAll("#list li").forEach((li) => li.classList.toggle("picked", +li.dataset.index === index));
  const m = current();
  built.picked = m ? dressed(m) : [];
  const item = document.querySelector("#list li.picked");
  if (item) item.scrollIntoView({ block: "nearest" });
  note();
  ask();
}

// The camera goes to a pair, at the time it meets.
function jump(tab, index) {
  const m = lists[tab][index];
  if (!m) return;
  const s = m.time === undefined ? state.s : clamped(fractionOf(m.time)), places = m.sides.flatMap((side) => {
    const pose = poseOf(side.part, s);
    return corners(side).vertices.map((v) => ({ side, at: posed(pose, local(side.part, v, s)) }));
  });
  const target = m.point || scaled(places.reduce((sum, p) => add(sum, p.at), [0, 0, 0]), 1 / places.length);
  // Near enough to see the smaller side; what stands before the pair is cut away.
  const sizes = m.sides.map((side) => Math.max(0, ...places.filter((p) => p.side === side).map((p) => Math.hypot(...sub(p.at, target)))));
  const size = Math.max(Math.min(...sizes), Math.max(...sizes) / 2.5);
  Object.assign(camera, { target: [...target], distance: Math.max(5 * size, 1e-6), cut: 0.75 });
  state.placed = true;
  state.given = m.time === undefined ? {} : { at: placeOf(camera) }; // a pair without a time is seen where it is now
  setTime(s);
  pick(tab, index);
}

function note() {
  const m = current(), out = $("note");
  out.replaceChildren();
  for (const [name, value, tone] of m ? m.rows : []) {
    const left = document.createElement("b"), right = document.createElement("span");
    left.textContent = name; right.textContent = value; if (tone) right.className = tone;
    out.append(left, right);
  }
}

// ---- drawing

let asked = false;
function ask() {
  if (!asked) { asked = true; requestAnimationFrame(render); }
  keep();
}

function render() {
  asked = false;
  if (!gl) return;
  const ratio = devicePixelRatio, w = Math.round(canvas.clientWidth * ratio), h = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; ticks(); if (!state.placed) whole(); }
  gl.viewport(0, 0, w, h);
  if (layers["near pairs"]) {
    if (built.near) release(built.near);
    built.near = nearLines(state.s);
  }
  paintScene({ s: state.s, camera, layers, picked: built.picked, dark: state.dark, ratio, height: h });
  overlay(ratio);
}

// The axes in a corner, and a scale: a length at the depth the camera looks at.
function overlay(ratio) {
  const c = $("overlay"), g = c.getContext("2d"), style = getComputedStyle(document.documentElement);
  c.width = canvas.width; c.height = canvas.height; g.scale(ratio, ratio);
  const w = canvas.clientWidth, h = canvas.clientHeight, [x, y, z] = axes(), from = [44, h - 44];
  const back = style.getPropertyValue("--back"), text = style.getPropertyValue("--text");
  const twice = (tone, width, once) => { // first wider in the page's colour, so that it is read on any surface
    for (const [color, wide] of [[back, width + 3], [tone, width]]) { g.strokeStyle = color; g.lineWidth = wide; once(); }
  };
  const word = (tone, letters, ...place) => {
    g.strokeStyle = back; g.lineWidth = 3; g.strokeText(letters, ...place); g.fillStyle = tone; g.fillText(letters, ...place);
  };
  g.lineJoin = g.lineCap = "round";
  g.font = "12px system-ui, sans-serif"; g.textAlign = "center"; g.textBaseline = "middle";
  [0, 1, 2].sort((a, b) => z[a] - z[b]).forEach((k) => {
    const tone = ["#d8432f", "#3f9d45", "#3f73e0"][k], to = [from[0] + 26 * x[k], from[1] - 26 * y[k]];
    twice(tone, 2, () => { g.beginPath(); g.moveTo(...from); g.lineTo(...to); g.stroke(); });
    word(tone, "xyz"[k], from[0] + 35 * x[k], from[1] - 35 * y[k]);
  });
  const per = (camera.distance / (LENS * h / 2)) * data.scale, power = 10 ** Math.floor(Math.log10(per * 120));
  const length = [5, 2, 1].map((d) => d * power).find((l) => l <= per * 120) || power, px = length / per;
  twice(text, 1.5, () => {
    g.beginPath(); g.moveTo(w - 20 - px, h - 24); g.lineTo(w - 20 - px, h - 18); g.lineTo(w - 20, h - 18); g.lineTo(w - 20, h - 24); g.stroke();
  });
  word(text, String(+length.toPrecision(1)), w - 20 - px / 2, h - 32);
}

function ticks() {
  const c = $("ticks"), g = c.getContext("2d");
  c.width = c.clientWidth * devicePixelRatio; c.height = c.clientHeight * devicePixelRatio;
  const bins = new Array(Math.max(1, Math.floor(c.width / 3))).fill(0);
  for (const t of moments) bins[Math.min(bins.length - 1, Math.max(0, Math.floor(t * bins.length)))]++;
  const most = bins.reduce((m, n) => Math.max(m, n), 1);
  bins.forEach((n, i) => {
    if (!n) return;
    const h = c.height * (0.3 + (0.7 * Math.log1p(n)) / Math.log1p(most)), t = i / bins.length, mix = (a, b) => 255 * (a + (b - a) * t);
    g.fillStyle = `rgb(${mix(0.93, 1)} ${mix(0.16, 0.83)} ${mix(0.1, 0.12)})`;
    g.fillRect((i * c.width) / bins.length, c.height - h, Math.max(2, c.width / bins.length - 1), h);
  });
}

const clamped = (s) => Math.min(1, Math.max(0, s));

function setTime(s) {
  state.s = clamped(s);
  $("time").value = state.s;
  if (document.activeElement !== $("now")) { $("now").value = short(timeOf(state.s)); fitNow(); }
  ask();
}

// As wide as what stands in it; ch is the width of a digit.
function fitNow() {
  $("now").style.width = `${Math.max(9, $("now").value.length) + 1.5}ch`;
}

// ---- what a person does

let last = 0;
function frame(now) {
  if (!state.playing) return;
  if (last) setTime(state.s >= 1 ? 0 : state.s + (state.speed * (now - last)) / 4000);
  last = now;
  requestAnimationFrame(frame);
}

function play(on) {
  state.playing = on; last = 0; $("play").textContent = on ? "\u275A\u275A" : "\u25B6";
  if (on) requestAnimationFrame(frame); else ask();
}

function theme(dark) {
  state.dark = dark;
  document.documentElement.classList.toggle("dark", dark);
  if (current()) built.picked = dressed(current());
  ask();
}

function chosenTheme(dark) {
  state.themed = true;
  theme(dark);
}

const count = (n) => n.toLocaleString("en");
const when = (t) => (Math.abs(t) < 1e-3 && t !== 0 ? t.toExponential(3) : t.toFixed(6));

function showTab(tab) {
  state.tab = tab; state.picked = -1; built.picked = [];
  for (const name of ["impacts", "near"]) $(`tab-${name}`).setAttribute("aria-selected", name === tab);
  const words = $("filter").value.trim().toLowerCase().split(/\s+/), list = $("list");
  const shown = lists[tab].map((m, i) => [m, i]).filter(([m]) => words.every((word) => m.label.toLowerCase().includes(word)));
  list.replaceChildren(...shown.map(([m, i]) => {
    const li = document.createElement("li"), left = document.createElement("b"), right = document.createElement("span");
    left.textContent = left.title = m.label; right.textContent = m.aside || (m.time === undefined ? "" : when(m.time));
    li.dataset.index = i; li.append(left, right);
    li.onclick = () => { play(false); jump(tab, i); };
    return li;
  }));
  $("none").textContent = lists[tab].length ? (shown.length ? "" : "nothing fits") : tab === "impacts" ? data.verdict : "none";
  const all = { impacts: data.met, near: data.near_found }[tab], told = lists[tab].length;
  $("cap").textContent = told < all ? `the ${tab === "near" ? "nearest" : "earliest"} ${count(told)} of ${count(all)} are listed` : "";
  note();
  keep();
}

const KEYS = [
  ["space", "play or pause"], ["\u2190 \u2192", "time; with shift in small steps"], ["[ ]", "slower, faster"], ["\u2191 \u2193", "the pair before, the next"],
  ["n", "impacts or near pairs"], ["h", "the whole scene"], ["x y z", "look along an axis"], ["u", "which axis is up"], ["+ \u2212", "nearer, farther"],
  ["1 \u2026 9", "layers"], ["d", "dark or light"], ["drag", "turn; with shift move"], ["click a mark", "pick it"], ["?", "these keys"], ["Esc", "close them"],
];

function showKeys(shown) {
  $("keys").hidden = !shown; $("help").setAttribute("aria-expanded", shown);
}

function key(e) {
  if (e.key === "Escape" && !$("keys").hidden) { showKeys(false); e.preventDefault(); return; } // also from within a field
  if (e.target.matches("input:not([type=range]):not([type=checkbox])") || e.ctrlKey || e.metaKey || e.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key], way = { ArrowRight: 1, ArrowLeft: -1 }[e.key], side = "xyz".indexOf(e.key);
  const here = [...document.querySelectorAll("#list li")].map((li) => +li.dataset.index), place = here.indexOf(state.picked);
  if (e.key === " ") play(!state.playing);
  else if (e.key === "h") { whole(); ask(); }
  else if (e.key === "d") chosenTheme(!state.dark);
  else if (e.key === "u") { state.up = (state.up + 1) % 3; whole(); ask(); }
  else if (e.key === "n") showTab(state.tab === "near" ? "impacts" : "near");
  else if (e.key === "?") $("help").click();
  else if (e.key === "[" || e.key === "]") state.speed = Math.min(8, Math.max(1 / 64, state.speed * (e.key === "[" ? 0.5 : 2)));
  else if (e.key === "+" || e.key === "-") { state.placed = true; camera.distance *= e.key === "+" ? 0.8 : 1.25; ask(); }
  else if (side >= 0) {
    if (side === state.up) camera.rise = 1.55;
    else Object.assign(camera, { rise: 0, turn: side === (state.up + 1) % 3 ? 0 : Math.PI / 2 });
    ask();
  } else if (e.key >= "1" && e.key <= "9") { const box = document.querySelectorAll("#layers input")[+e.key - 1]; if (box) box.click(); }
  else if (way) { play(false); setTime(state.s + way * (e.shiftKey ? 0.001 : 0.02)); }
  else if (step && here.length) jump(state.tab, here[Math.min(here.length - 1, Math.max(0, place < 0 && step < 0 ? 0 : place + step))]);
  else return;
  e.preventDefault();
}

function controls() {
  $("title").textContent = document.title = data.title;
  for (const [name, value] of Object.entries(data.facts)) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = value; $("facts").append(dt, dd);
  }
  for (const name of Object.keys(layers)) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox"; box.dataset.layer = name; box.onchange = () => { layers[name] = box.checked; ask(); };
    label.append(box, name); $("layers").append(label);
  }
  $("tab-impacts").textContent = `impacts ${count(data.met)}`;
  $("tab-near").title = data.near_means;
  $("tab-near").textContent = `near pairs ${count(data.near_found)}`;
  for (const name of ["impacts", "near"]) $(`tab-${name}`).onclick = () => { showTab(name); ask(); };
  $("filter").oninput = () => showTab(state.tab);
  $("time").oninput = () => { play(false); setTime(+$("time").value); };
  $("now").oninput = fitNow;
  $("now").onchange = () => { play(false); setTime(fractionOf(+$("now").value || 0)); $("now").blur(); setTime(state.s); };
  $("play").onclick = () => play(!state.playing);
  $("home").onclick = () => { whole(); ask(); };
  $("theme").onclick = () => chosenTheme(!state.dark);
  $("help").onclick = () => showKeys($("keys").hidden);
  for (const [name, what] of KEYS) {
    const left = document.createElement("kbd"), right = document.createElement("span");
    left.textContent = name; right.textContent = what; $("keys").append(left, right);
  }
  addEventListener("keydown", key);
}

function mouse() {
  let from = null, moved = 0;
  canvas.onpointerdown = (e) => { from = [e.clientX, e.clientY]; moved = 0; canvas.setPointerCapture(e.pointerId); };
  canvas.onpointerup = (e) => { from = null; if (moved < 4) clicked(e); };
  canvas.onpointermove = (e) => {
    if (!from) return;
    const dx = e.clientX - from[0], dy = e.clientY - from[1];
    from = [e.clientX, e.clientY]; moved += Math.abs(dx) + Math.abs(dy);
    if (e.shiftKey || e.buttons === 4) {
      const [x, y] = axes(), k = (2 * camera.distance) / LENS / canvas.clientHeight;
      camera.target = add(camera.target, add(scaled(x, -k * dx), scaled(y, k * dy)));
    } else {
      camera.turn -= dx * 0.01; camera.rise = Math.min(1.55, Math.max(-1.55, camera.rise + dy * 0.01));
    }
    state.placed = true;
    ask();
  };
  canvas.onwheel = (e) => { e.preventDefault(); state.placed = true; camera.distance *= Math.exp(e.deltaY * 0.001); ask(); };
}

// The listed impact whose mark is nearest to where one clicked.
function clicked(e) {
  const box = canvas.getBoundingClientRect(), to = [e.clientX - box.left, e.clientY - box.top];
  let best = 14, found = -1;
  data.impacts.forEach((m, i) => {
    const mark = m.mark, at = mark && project(posed(poseOf(mark.part, state.s), mark.x0.map((x, k) => x * (1 - state.s) + mark.x1[k] * state.s)));
    const far = at ? Math.hypot(at[0] - to[0], at[1] - to[1]) : best;
    if (far < best) [best, found] = [far, i];
  });
  if (found >= 0) { play(false); jump("impacts", found); }
}

// ---- the address
//
// #impact=4, #near=2   the picked pair          #tab=near           the list, where no pair is picked
// #t=0.5               the time                 #filter=edge-edge   of the list
// #show=near pairs     layers shown, and        #hide=boxes,edges   hidden, other than at first
// #from=turn,rise      where the eye is, in radians               #up=x     #theme=dark
// #at=x,y,z,distance   what it looks at, in the page's unit; a fifth number: how much before it is cut away, of the distance
//
// Only what differs from the page as it opens is written, so a page that nobody has touched keeps its plain address.

const numbers = (text, least, most) => {
  const found = (text || "").split(",").map(Number);
  return text && found.length >= least && found.length <= most && found.every(Number.isFinite) ? found : null;
};

function described() {
  const said = [], m = current(), say = (name, value) => said.push(`${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`);
  if (m) say(state.tab === "near" ? "near" : "impact", state.picked);
  else if (state.tab === "near") say("tab", "near");
  if (state.s !== (m && m.time !== undefined ? clamped(fractionOf(m.time)) : 0)) say("t", timeOf(state.s));
  if ($("filter").value.trim()) say("filter", $("filter").value.trim());
  const other = (wanted) => Object.keys(layers).filter((name) => layers[name] === wanted && FIRST_LAYERS[name] !== wanted);
  if (other(true).length) say("show", other(true).join());
  if (other(false).length) say("hide", other(false).join());
  if (camera.turn !== FIRST_TURN || camera.rise !== FIRST_RISE) say("from", fromOf(camera));
  const { at, from } = state.given;
  if (placeOf(camera) !== at || (from && fromOf(camera) !== from)) say("at", placeOf(camera));
  if (state.up !== data.up) say("up", "xyz"[state.up]);
  if (state.themed) say("theme", state.dark ? "dark" : "light");
  return said.join("&");
}

let keeping = 0;
function keep() { // at most twice a second: browsers refuse more than some ten a second, and playing would write all the time
  if (keeping) return;
  keeping = setTimeout(() => {
    keeping = 0;
    if (state.playing) return;
    const said = described();
    if (said === location.hash.slice(1)) return;
    try { history.replaceState(null, "", said ? `#${said}` : location.href.split("#")[0]); } catch { /* a page within another may not */ }
  }, 500);
}

function address() {
  const wanted = new URLSearchParams(location.hash.slice(1)), listed = (name) => (wanted.get(name) || "").split(",");
  for (const name of Object.keys(layers)) layers[name] = (FIRST_LAYERS[name] || listed("show").includes(name)) && !listed("hide").includes(name);
  for (const box of document.querySelectorAll("#layers input")) box.checked = layers[box.dataset.layer];
  const up = wanted.has("up") ? "xyz".indexOf(wanted.get("up")) : -1, t = numbers(wanted.get("t"), 1, 1);
  state.up = up < 0 ? data.up : up;
  [camera.turn, camera.rise] = numbers(wanted.get("from"), 2, 2) || [FIRST_TURN, FIRST_RISE];
  state.themed = wanted.has("theme");
  theme(state.themed ? wanted.get("theme") === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  $("filter").value = wanted.get("filter") || "";
  play(false);
  showTab(wanted.get("tab") === "near" ? "near" : "impacts");
  setTime(t ? fractionOf(t[0]) : 0);
  whole();
  for (const tab of ["impacts", "near"]) {
    const name = tab === "near" ? "near" : "impact";
    if (wanted.has(name)) jump(tab, +wanted.get(name));
  }
  const at = numbers(wanted.get("at"), 4, 5);
  if (at && at[3] > 0) {
    Object.assign(camera, { target: at.slice(0, 3), distance: at[3], cut: at[4] > 0 && at[4] < 1 ? at[4] : 0.01 });
    state.placed = true;
  }
  if (t) setTime(fractionOf(t[0]));
}

if (gl) {
  mouse();
  controls();
  address();
  addEventListener("hashchange", address); // not heard for what keep() writes
  new ResizeObserver(ask).observe(canvas);
  ask();
} else $("note").textContent = "this page needs WebGL 2";
