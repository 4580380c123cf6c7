"use strict";
// The list of impacts or near pairs, and its filter.

const count = (n) => n.toLocaleString("en");
const when = (t) => (Math.abs(t) < 1e-3 && t !== 0 ? t.toExponential(3) : t.toFixed(6));

// What the filter looks in.
const listed = (m) => (m.edge !== undefined ? `${m.label} edge ${m.edge}` : data.steps > 1 ? `${m.label} frame ${m.step}` : m.label).toLowerCase();

// Pairs are listed below the edge of the path, or the step, that they belong to.
const groupOf = (m) => (m.edge !== undefined ? m.edge : m.step);

function heading(m) {
  const li = document.createElement("li"), edge = m.edge !== undefined;
  li.className = "heading"; li.textContent = edge ? `edge ${m.edge}` : `frame ${m.step} to ${m.step + 1}`;
  li.onclick = () => { play(false); setTime(edge ? fractionOf(m.edge) : m.step / data.steps); };
  return li;
}

function showTab(tab) {
  state.tab = tab; state.picked = -1; dress();
  for (const name of ["impacts", "near"]) $(`tab-${name}`).setAttribute("aria-selected", name === tab);
  const words = $("filter").value.trim().toLowerCase().split(/\s+/), list = $("list");
  const shown = lists[tab].map((m, i) => [m, i]).filter(([m]) => words.every((word) => listed(m).includes(word)));
  let group = -1;
  list.replaceChildren(...shown.flatMap(([m, i]) => {
    const made = [], li = document.createElement("li"), left = document.createElement("b"), right = document.createElement("span");
    left.textContent = left.title = m.label; right.textContent = m.aside || (m.time === undefined ? "" : when(m.time));
    li.dataset.index = i; li.append(left, right);
    li.onclick = () => { play(false); jump(tab, i); };
    if (data.steps > 1 && groupOf(m) !== group) { group = groupOf(m); made.push(heading(m)); }
    return [...made, li];
  }));
  $("columns").hidden = !shown.length;
  $("column").textContent = shown.length && shown[0][0].aside ? "distance" : shown.length && shown[0][0].time === undefined ? "" : "time";
  $("none").textContent = lists[tab].length ? (shown.length ? "" : "no match") : tab === "impacts" ? data.verdict : "none";
  const all = { impacts: data.met, near: data.near_found }[tab], told = lists[tab].length;
  const which = `the ${tab === "near" ? "nearest" : "earliest"} ${data.steps > 1 ? `${count(data.quota)} of each step, ` : ""}`;
  $("cap").textContent = told < all ? `${which}${count(told)} of ${count(all)} are listed` : "";
  note();
  keep();
}
