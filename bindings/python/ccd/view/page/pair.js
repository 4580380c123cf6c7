"use strict";
// The picked pair: how it is drawn, where the camera goes, and what is written about it.

function dressed(m) {
  const made = [], side = (i) => [FIRST, SECOND][i];
  if (m.outline) {
    const list = indexed(new Uint32Array(m.outline.edges));
    made.push({ layer: "elements", free: () => gl.deleteBuffer(list.buffer), draw: ({ s }) => drawIndexed(m.outline.part, list, gl.LINES, { paint: state.dark ? [0.9, 0.9, 0.95, 0.9] : [0.25, 0.28, 0.33, 0.9], s }) });
  }
  m.sides.forEach((one, i) => {
    const { size, vertices } = corners(one), list = indexed(new Uint32Array(vertices));
    const shape = [0, gl.POINTS, gl.LINES, gl.TRIANGLES][size], mode = [0, 3, 0, 1][size];
    made.push({ layer: "impacts", free: () => gl.deleteBuffer(list.buffer), draw: ({ s, px }) => {
      drawIndexed(one.part, list, shape, { mode, paint: side(i), size: 14 * px, wide: size === 2 ? 2 * px : 0, lift: size === 1 ? 0.02 : i ? 0 : 2e-3, s });
      if (one.patch === undefined && size > 1) drawIndexed(one.part, list, gl.POINTS, { mode: 3, paint: side(i), size: 7 * px, lift: 3e-3, s });
    } });
    const box = boxLines(sweptBox(one, m.step));
    made.push({ layer: "swept boxes", free: () => release(box), draw: ({ s }) => drawPoints(box, gl.LINES, { paint: side(i), s }) });
  });
  made.push({ layer: "impacts", free: () => {}, draw: ({ s, px }) => {
    if (gapNow(m) === null) return;
    gl.disable(gl.DEPTH_TEST);
    drawPoints(built.gap.set(gapOf(m, s).flat()), gl.LINES, { paint: GAP, wide: px });
    gl.enable(gl.DEPTH_TEST);
  } });
  if (m.point) {
    const tip = add(m.point, scaled(m.normal, camera.distance * 0.16)), arrow = lines([...m.point, ...tip]), head = lines(tip), spot = lines(m.point);
    const tone = ARROW[state.dark ? "dark" : "light"];
    made.push({ layer: "impacts", free: () => [arrow, head, spot].forEach(release), draw: ({ s, px }) => {
      gl.disable(gl.DEPTH_TEST); // point and normal are never hidden
      drawPoints(arrow, gl.LINES, { paint: tone, wide: px, s });
      drawPoints(head, gl.POINTS, { mode: 3, paint: tone, size: 7 * px, s });
      drawPoints(spot, gl.POINTS, { mode: 3, paint: [1, 0.8, 0.1, 1], size: 7 * px, s });
      gl.enable(gl.DEPTH_TEST);
    } });
  }
  return made;
}

function dress() {
  for (const one of built.picked) one.free();
  built.picked = current() ? dressed(current()) : [];
}

function pick(tab, index) {
  if (state.tab !== tab) showTab(tab);
  state.picked = index;
  document.querySelectorAll("#list li[data-index]").forEach((li) => li.classList.toggle("picked", +li.dataset.index === index));
  dress();
  scrollList(document.querySelector("#list li.picked"));
  note();
  ask();
}

// Scroll the list, and nothing around it, until an item is seen below the heading of its step.
function scrollList(item) {
  if (!item) return;
  const list = $("list"), top = item.offsetTop - list.offsetTop, above = data.steps > 1 ? item.offsetHeight : 0;
  if (top - above < list.scrollTop) list.scrollTop = top - above;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + item.offsetHeight - list.clientHeight;
}

// The camera goes to a pair, at the time it meets.
function jump(tab, index) {
  const m = lists[tab][index];
  if (!m) return;
  const here = shownStep().k === m.step ? state.s : (m.step + 0.5) / data.steps; // a near pair is seen within its step
  const s = m.time === undefined ? here : clamped(fractionOf(m.time)), places = m.sides.flatMap((side) => {
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
  const m = current(), out = $("note"), line = ([name, value, tone]) => [element("b", { textContent: name }), element("span", { textContent: value, className: tone || "" })];
  const pair = m ? [...m.rows, ...(gapNow(m) === null ? [] : [["gap now", "", "gap"]])] : [], chosen = state.selected;
  out.replaceChildren(...pair.flatMap(line), ...(chosen ? rowsOf(chosen).flatMap(line) : []));
  if (chosen) out.append(...links(impactsOf(chosen)));
  refresh();
}

// The impacts of the selection, to go to.
function links(found) {
  const made = found.slice(0, MOST_LINKS).map((i) => {
    const one = element("button", { textContent: `${data.impacts[i].label} at t = ${when(data.impacts[i].time)}` });
    one.onclick = () => { play(false); jump("impacts", i); };
    return one;
  });
  const rest = found.length > MOST_LINKS ? [`and ${count(found.length - MOST_LINKS)} more`] : found.length ? [] : ["none listed"];
  return [element("b", { textContent: "impacts" }), element("span", { className: "links" }, ...made, ...rest)];
}

// A page is in single precision: it knows no shorter gap than some last digits of the scene's size.
const gapText = (gap) => (gap < 4e-7 * data.scale ? `below ${(4e-7 * data.scale).toPrecision(1)}` : gap.toPrecision(4));

// What changes with the time.
function refresh() {
  const m = current(), gap = document.querySelector("#note .gap"), place = document.querySelector("#note .place");
  if (gap && m) gap.textContent = gapText(gapNow(m));
  const field = document.querySelector("#note .field"), value = field && state.selected ? fieldAt(state.selected.part, verticesOf(state.selected)[0]) : null;
  if (field) field.textContent = value === null ? "none" : fieldText(value);
  if (place && state.selected) place.textContent = written(center(placesOf(state.selected)));
}
