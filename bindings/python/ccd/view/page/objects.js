"use strict";
// Objects: what can be shown, hidden and colored by itself. A texture holds the color of each, so that a part is drawn by one call.

// Told apart by the color-blind, too; none is the red or the blue of a picked pair.
const PALETTES = {
  light: [[0.53, 0.68, 0.84], [0.88, 0.76, 0.52], [0.60, 0.76, 0.58], [0.77, 0.65, 0.83], [0.53, 0.78, 0.78], [0.90, 0.66, 0.60], [0.72, 0.72, 0.56], [0.72, 0.74, 0.78]],
  dark: [[0.42, 0.56, 0.74], [0.76, 0.63, 0.40], [0.46, 0.63, 0.45], [0.63, 0.51, 0.71], [0.38, 0.63, 0.64], [0.78, 0.52, 0.46], [0.60, 0.60, 0.42], [0.58, 0.61, 0.66]],
};
const ROWS_SHOWN = 200; // rows of the list that are shown

let counted = 0;
const objects = parts.flatMap((p, part) => {
  p.first = counted; // the number of its first object
  counted += p.objects.names.length;
  return p.objects.names.map((own, k) => {
    const name = p.objects.names.length === 1 || parts.length === 1 ? own : `${p.name}, ${own}`;
    return { part, name, palette: p.objects.colors[k], visible: true, color: null, opacity: 1 };
  });
});
const objectOf = (part, vertex) => parts[part].first + (parts[part].objects.of ? parts[part].objects.of[vertex] : 0);
const colorOf = (one) => one.color || PALETTES[state.dark ? "dark" : "light"][one.palette];

const sidesObjects = (m) => m.sides.map((side) => objectOf(side.part, corners(side).vertices[0]));
const pairShown = (m) => (m.objects = m.objects || sidesObjects(m)).some((i) => objects[i].visible); // one of both is enough

const toHex = (color) => `#${color.map((x) => Math.round(255 * x).toString(16).padStart(2, "0")).join("")}`;
const fromHex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);

// The texture anew: 256 objects a row, no opacity where one is hidden.
const paints = { texture: null, translucent: false };
function paintObjects() {
  const rows = Math.ceil(objects.length / 256) || 1, texels = new Uint8Array(4 * 256 * rows);
  objects.forEach((one, i) => texels.set([...colorOf(one), one.visible ? one.opacity : 0].map((x) => Math.round(255 * x)), 4 * i));
  paints.translucent = objects.some((one) => one.visible && one.opacity < 1);
  paints.texture = paints.texture || gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, paints.texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
}

function changed() {
  paintObjects();
  showObjects();
  ask();
}

function showOnly(wanted) {
  objects.forEach((one, i) => { one.visible = wanted.has(i); });
  changed();
}

// Alone the objects of the picked pair or the selection; all of them if these are alone already.
function isolate() {
  const m = current(), one = state.selected, chosen = new Set(m ? sidesObjects(m) : []);
  if (one) chosen.add(objectOf(one.part, verticesOf(one)[0]));
  if (!chosen.size) return;
  showOnly(objects.every((one, i) => one.visible === chosen.has(i)) ? new Set(objects.keys()) : chosen);
}

function element(tag, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

// One object of the list: shown or not, color, name, opacity, alone.
function row(one, i) {
  const box = element("input", { type: "checkbox", checked: one.visible, ariaLabel: `show ${one.name}` });
  const color = element("input", { type: "color", value: toHex(colorOf(one)), title: "color", ariaLabel: `color of ${one.name}` });
  const opacity = element("input", { type: "range", min: 0.05, max: 1, step: 0.05, value: one.opacity, title: "opacity", ariaLabel: `opacity of ${one.name}` });
  const only = element("button", { textContent: "only", title: "hide all others" });
  box.onchange = () => { one.visible = box.checked; changed(); };
  color.oninput = () => { one.color = fromHex(color.value); paintObjects(); ask(); };
  opacity.oninput = () => { one.opacity = +opacity.value; paintObjects(); ask(); };
  only.onclick = () => showOnly(new Set([i]));
  const made = element("li", {}, box, color, element("span", { textContent: one.name, title: one.name }), opacity, only);
  made.dataset.object = i;
  return made;
}

function showObjects() {
  const words = $("objects-filter").value.trim().toLowerCase(), fit = [...objects.keys()].filter((i) => objects[i].name.toLowerCase().includes(words));
  $("objects").replaceChildren(...fit.slice(0, ROWS_SHOWN).map((i) => row(objects[i], i)));
  const hidden = objects.filter((one) => !one.visible).length;
  $("objects-count").textContent = `${count(objects.length)}${hidden ? `, ${count(hidden)} hidden` : ""}`;
  $("objects-rest").textContent = fit.length > ROWS_SHOWN ? `the first ${ROWS_SHOWN} of ${count(fit.length)}; filter by name` : fit.length ? "" : "no match";
}

function objectControls() {
  $("objects-box").open = objects.length > 1 && objects.length <= 8 && innerHeight > 720; // else the list of impacts is out of sight
  $("objects-filter").hidden = objects.length <= 8;
  $("objects-filter").oninput = showObjects;
  $("show-all").onclick = () => showOnly(new Set(objects.keys()));
  $("hide-all").onclick = () => showOnly(new Set());
}

// ---- in the address: off=0,3-7   color=2:ff8800   opacity=2:0.5

function ranges(numbers) {
  const found = [];
  for (const i of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] === i - 1) last[1] = i; else found.push([i, i]);
  }
  return found.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join();
}

function describeObjects(say) {
  const those = (fits) => [...objects.keys()].filter((i) => fits(objects[i]));
  const off = those((one) => !one.visible), colored = those((one) => one.color), faint = those((one) => one.opacity < 1);
  if (off.length) say("off", ranges(off));
  if (colored.length) say("color", colored.map((i) => `${i}:${toHex(objects[i].color).slice(1)}`).join());
  if (faint.length) say("opacity", faint.map((i) => `${i}:${objects[i].opacity}`).join());
}

function followObjects(wanted) {
  objects.forEach((one) => Object.assign(one, { visible: true, color: null, opacity: 1 }));
  for (const range of (wanted.get("off") || "").split(",")) {
    const [a, b = a] = range.split("-").map((text) => (text === "" ? NaN : +text));
    for (let i = Math.max(0, a); i <= Math.min(b, objects.length - 1); i++) objects[i].visible = false;
  }
  const each = (name, fits, use) => (wanted.get(name) || "").split(",").map((text) => text.split(":")).forEach(([i, value]) => {
    if (objects[i] && value !== undefined && fits(value)) use(objects[i], value);
  });
  each("color", (text) => /^[0-9a-f]{6}$/i.test(text), (one, text) => { one.color = fromHex(`#${text}`); });
  each("opacity", (text) => +text >= 0.05 && +text <= 1, (one, text) => { one.opacity = +text; });
  changed();
}
