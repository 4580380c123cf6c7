"use strict";
// What can change, and stands in the address: time, list, picked pair, layers, theme. Every change calls ask(), which draws once.

const layers = { faces: true, edges: true, impacts: true, "swept boxes": true, "near pairs": false, normals: false, gaps: false, transparent: false, "end of the step": false };
if (parts.some((p) => p.nets.length)) layers["control nets"] = false;
if (data.impacts.some((m) => m.outline)) layers.elements = true;
const state = { s: 0, field: data.color_by, tab: "impacts", picked: -1, selected: null, playing: false, speed: 1, up: data.up, dark: matchMedia("(prefers-color-scheme: dark)").matches };
const FIRST_LAYERS = { ...layers }, FIRST_TURN = 0.6, FIRST_RISE = 0.4;
const lists = { impacts: data.impacts, near: data.near };
const current = () => lists[state.tab][state.picked];

// The edge of a robot's path that is shown.
function shownEdge() {
  const m = current();
  if (m && m.edge !== undefined && state.s === clamped(fractionOf(m.time))) return m.edge;
  return Math.max(0, Math.min(data.edges - 1, Math.floor(timeOf(state.s) + 1e-9)));
}

// The step that is shown, and the time as a fraction of it. An impact at the very end of its step belongs to that step.
function shownStep() {
  const m = current();
  if (m && m.time !== undefined && state.s === clamped(fractionOf(m.time))) return { k: m.step, f: state.s * data.steps - m.step };
  return within(data.steps, state.s);
}
