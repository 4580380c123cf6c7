"use strict";
// The list of impacts or near pairs, and its filter.

const count = (n) => n.toLocaleString("en");
const when = (t) => (Math.abs(t) < 1e-3 && t !== 0 ? t.toExponential(3) : t.toFixed(6));

// What the filter looks in.
const listed = (m) => (data.steps > 1 ? `${m.label} frame ${m.step}` : m.label).toLowerCase();

function heading(step) {
  const li = document.createElement("li");
  li.className = "heading"; li.textContent = `frame ${step} to ${step + 1}`;
  li.onclick = () => { play(false); setTime(step / data.steps); };
  return li;
}

function showTab(tab) {
  state.tab = tab; state.picked = -1; dress();
  for (const name of ["impacts", "near"]) $(`tab-${name}`).setAttribute("aria-selected", name === tab);
  const words = $("filter").value.trim().toLowerCase().split(/\s+/), list = $("list");
  const shown = lists[tab].map((m, i) => [m, i]).filter(([m]) => words.every((word) => listed(m).includes(word)));
  let step = -1;
  list.replaceChildren(...shown.flatMap(([m, i]) => {
    const made = [], li = document.createElement("li"), left = document.createElement("b"), right = document.createElement("span");
    left.textContent = left.title = m.label; right.textContent = m.aside || (m.time === undefined ? "" : when(m.time));
    li.dataset.index = i; li.append(left, right);
    li.onclick = () => { play(false); jump(tab, i); };
    if (data.steps > 1 && m.step !== step) made.push(heading(step = m.step));
    return [...made, li];
  }));
  $("none").textContent = lists[tab].length ? (shown.length ? "" : "no match") : tab === "impacts" ? data.verdict : "none";
  const all = { impacts: data.met, near: data.near_found }[tab], told = lists[tab].length;
  const which = `the ${tab === "near" ? "nearest" : "earliest"} ${data.steps > 1 ? `${count(data.quota)} of each step, ` : ""}`;
  $("cap").textContent = told < all ? `${which}${count(told)} of ${count(all)} are listed` : "";
  note();
  keep();
}
