"use strict";
// The list of impacts or near pairs, and its filter.

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
