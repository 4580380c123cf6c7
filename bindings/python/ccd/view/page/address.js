"use strict";
// The address keeps the state:
//
// #impact=4, #near=2   the picked pair          #tab=near           the list, where no pair is picked
// #t=0.5               the time                 #filter=edge-edge   of the list
// #show=near pairs     layers shown, and        #hide=edges   hidden, other than at first
// #off, #color, #opacity   of objects: see objects.js            #clip=x,0.5   see clip.js
// #field=speed        the field that colors the faces; none
// #select=v319         vertex, edge, face or patch                    #legend=off
// #from=turn,rise      where the eye is, in radians               #up=x     #theme=dark
// #at=x,y,z,distance   what it looks at, in the page's unit; a fifth number: how much before it is cut away, of the distance
//
// Only what differs from the page as it opens is written, so an unchanged page keeps its plain address.

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
  describeObjects(say);
  describeClip(say);
  if (state.field !== data.color_by) say("field", state.field || "none");
  describeSelection(say);
  if ($("legend").hidden === FIRST_LEGEND) say("legend", $("legend").hidden ? "off" : "on");
  if (state.up !== data.up) say("up", "xyz"[state.up]);
  if (state.themed) say("theme", state.dark ? "dark" : "light");
  return said.join("&");
}

let keeping = 0;
function keep() { // twice a second at most: browsers refuse more than some ten a second
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
  followObjects(wanted);
  followClip(wanted);
  chooseField(wanted.has("field") ? wanted.get("field") : data.color_by);
  followSelection(wanted);
  showLegend(wanted.has("legend") ? wanted.get("legend") !== "off" : FIRST_LEGEND);
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
