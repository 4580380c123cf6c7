"use strict";
// Fields and buttons, set up once.

function theme(dark) {
  state.dark = dark;
  document.documentElement.classList.toggle("dark", dark);
  dress();
  ticks();
  changed();
  ask();
}

function chosenTheme(dark) {
  state.themed = true;
  theme(dark);
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
  $("find").onkeydown = (e) => { if (e.key === "Enter") find(); };
  $("find").oninput = () => { $("find-note").textContent = ""; };
  $("legend-button").onclick = () => showLegend($("legend").hidden);
  objectControls();
  fieldControls();
  clipControls();
  $("frames").hidden = data.steps === 1;
  $("before").onclick = () => toFrame(-1);
  $("after").onclick = () => toFrame(1);
  $("home").onclick = () => { whole(); ask(); };
  $("theme").onclick = () => chosenTheme(!state.dark);
  $("help").onclick = () => showKeys($("keys").hidden);
  for (const [name, what] of KEYS) {
    const left = document.createElement("kbd"), right = document.createElement("span");
    left.textContent = name; right.textContent = what; $("keys").append(left, right);
  }
  addEventListener("keydown", key);
}
