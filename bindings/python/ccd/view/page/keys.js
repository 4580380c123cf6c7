"use strict";
// The keys, and the help that lists them.

const KEYS = [
  ["space", "play or pause"], ["\u2190 \u2192", "time; with shift in small steps"], [", .", "frame before, next frame"], ["[ ]", "slower, faster"], ["\u2191 \u2193", "the pair before, the next"],
  ["n", "impacts or near pairs"], ["h", "fit the scene into the view"], ["x y z", "look along an axis"], ["u", "which axis is up"], ["+ \u2212", "nearer, farther"],
  ["1 \u2026 9", "layers"], ["i", "only the objects of the pair or the selection; again: all"], ["d", "dark or light"], ["e", "picture or video"], ["drag", "turn; with shift or the right button move; two fingers zoom and move"], ["click", "pick a mark, or select a vertex, edge or face"], ["double click", "go there"], ["/", "find by number"], ["l", "legend"], ["?", "these keys"], ["Esc", "close them; select nothing"],
];

function showKeys(shown) {
  if (shown) $("export").hidden = true;
  $("keys").hidden = !shown; $("help").setAttribute("aria-expanded", shown);
}

function key(e) {
  if (e.key === "Escape" && !$("export").hidden) { showExport(false); e.preventDefault(); return; }
  if (e.key === "Escape" && !$("keys").hidden) { showKeys(false); e.preventDefault(); return; } // also from within a field
  if (e.target.matches("select, input:not([type=range]):not([type=checkbox])") || e.ctrlKey || e.metaKey || e.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key], way = { ArrowRight: 1, ArrowLeft: -1 }[e.key], side = "xyz".indexOf(e.key);
  const here = [...document.querySelectorAll("#list li[data-index]")].map((li) => +li.dataset.index), place = here.indexOf(state.picked);
  if (e.key === " ") play(!state.playing);
  else if (e.key === "h") { whole(); ask(); }
  else if (e.key === "d") chosenTheme(!state.dark);
  else if (e.key === "e") $("save").click();
  else if (e.key === "u") { state.up = (state.up + 1) % 3; whole(); ask(); }
  else if (e.key === "i") isolate();
  else if (e.key === "/") $("find").focus();
  else if (e.key === "l") showLegend($("legend").hidden);
  else if (e.key === "Escape") select(null);
  else if (e.key === "n") showTab(state.tab === "near" ? "impacts" : "near");
  else if ((e.key === "," || e.key === ".") && data.steps > 1) toFrame(e.key === "," ? -1 : 1);
  else if (e.key === "?") $("help").click();
  else if (e.key === "[" || e.key === "]") state.speed = Math.min(8, Math.max(1 / 64, state.speed * (e.key === "[" ? 0.5 : 2)));
  else if (e.key === "+" || e.key === "-") { state.placed = true; camera.distance *= e.key === "+" ? 0.8 : 1.25; moves(); ask(); }
  else if (side >= 0) {
    if (side === state.up) camera.rise = 1.55;
    else Object.assign(camera, { rise: 0, turn: side === (state.up + 1) % 3 ? 0 : Math.PI / 2 });
    ask();
  } else if (e.key >= "1" && e.key <= "9") { const box = document.querySelectorAll("#layers input")[+e.key - 1]; if (box) box.click(); }
  else if (way) { play(false); setTime(state.s + (way * (e.shiftKey ? 0.001 : 0.02)) / data.steps); }
  else if (step && here.length) jump(state.tab, here[Math.min(here.length - 1, Math.max(0, place < 0 && step < 0 ? 0 : place + step))]);
  else return;
  e.preventDefault();
}
