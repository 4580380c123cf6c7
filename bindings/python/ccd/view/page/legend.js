"use strict";
// What the colors mean: only of what is shown.

const css = ([r, g, b]) => `rgb(${255 * r} ${255 * g} ${255 * b})`;

function legendRows() {
  const ink = state.dark ? [0.92, 0.95, 1] : [0.08, 0.11, 0.16], arrow = ARROW[state.dark ? "dark" : "light"], m = current(), found = [];
  if (state.field && layers.faces) found.push(["heat", null, fieldLegend()]);
  if (layers.impacts && moments.length && !m) found.push(["time", null, "impact: red at the start of the step, yellow at its end; pale while still to come"]);
  if (m) found.push(["box", FIRST, `first of the pair${m.rows[0] && m.rows[0][2] ? `: ${m.rows[0][0]} ${m.rows[0][1]}` : ""}`], ["box", SECOND, `second of the pair${m.rows[1] && m.rows[1][2] ? `: ${m.rows[1][0]} ${m.rows[1][1]}` : ""}`]);
  if (m && layers["swept boxes"]) found.push(["frame", FIRST, "swept boxes, in the colors of the pair"]);
  if (m && m.outline && layers.elements) found.push(["line", state.dark ? [0.9, 0.9, 0.95] : [0.25, 0.28, 0.33], "edges of the pair's elements"]);
  if ((m && m.point) || layers.normals) found.push(["line", arrow, "contact normal, from the second to the first"]);
  if (layers.gaps || (m && gapNow(m) !== null)) found.push(["line", GAP, "gap: between the closest points now"]);
  if (layers["near pairs"]) found.push(["line", NEAR, "near pair: between its closest points now"]);
  if (state.selected) found.push(["box", CHOSEN, `selected: ${titleOf(state.selected)}`]);
  if (layers["control nets"]) found.push(["line", state.dark ? [0.95, 0.7, 0.3] : [0.6, 0.35, 0.05], "control net"]);
  if (layers["end of the step"]) found.push(["line", ink.map((x) => 0.65 * x + 0.2), "edges at the end of the step"]);
  return found;
}

let legendShown = "";
function legend() {
  const rows = $("legend").hidden ? [] : legendRows(), key = JSON.stringify(rows);
  if (key === legendShown) return;
  legendShown = key;
  $("legend").replaceChildren(...rows.map(([kind, color, text]) => {
    const swatch = element("i", { className: kind });
    if (color) swatch.style.setProperty("--tone", css(color));
    return element("span", {}, swatch, text);
  }));
}

function showLegend(shown) {
  $("legend").hidden = !shown;
  $("legend-button").setAttribute("aria-expanded", shown);
  legend();
  keep();
}
const FIRST_LEGEND = innerWidth > 700 && innerHeight > 500;
