"use strict";
// The pointer on the scene: turn, move, zoom, click. Two fingers zoom by their distance, and move the scene with their middle.

function mouse() {
  const held = new Map(); // where each pointer is that is down
  let moved = 0;
  const middle = () => { const all = [...held.values()]; return [0, 1].map((k) => all.reduce((sum, p) => sum + p[k], 0) / all.length); };
  const spread = () => { const [p, q] = [...held.values()]; return q ? Math.hypot(p[0] - q[0], p[1] - q[1]) : 0; };
  const leave = (e) => { held.delete(e.pointerId); coarse.held = held.size > 0; };
  canvas.onpointerdown = (e) => {
    coarse.held = true; held.set(e.pointerId, [e.clientX, e.clientY]); moved = held.size > 1 ? 4 : 0; // two fingers are no click
    canvas.setPointerCapture(e.pointerId);
  };
  canvas.onlostpointercapture = leave;
  canvas.onpointercancel = leave;
  canvas.onpointerup = (e) => { const click = held.size === 1 && moved < 4 && !(e.button > 0); leave(e); if (click) clicked(e); };
  canvas.oncontextmenu = (e) => e.preventDefault();
  canvas.onpointermove = (e) => {
    if (!held.has(e.pointerId)) return;
    const before = middle(), apart = spread();
    held.set(e.pointerId, [e.clientX, e.clientY]);
    const [dx, dy] = middle().map((c, k) => c - before[k]);
    moved += Math.abs(dx) + Math.abs(dy);
    if (held.size > 1 && apart > 0 && spread() > 0) camera.distance *= apart / spread();
    if (held.size > 1 || e.shiftKey || e.buttons === 4 || e.buttons === 2) {
      const [x, y] = axes(), k = (2 * camera.distance) / LENS / canvas.clientHeight;
      camera.target = add(camera.target, add(scaled(x, -k * dx), scaled(y, k * dy)));
    } else {
      camera.turn -= dx * 0.01; camera.rise = Math.min(1.55, Math.max(-1.55, camera.rise + dy * 0.01));
    }
    state.placed = true;
    moves();
    ask();
  };
  canvas.ondblclick = goToSelected;
  canvas.onwheel = (e) => { e.preventDefault(); state.placed = true; camera.distance *= Math.exp(e.deltaY * 0.001); moves(); ask(); };
}

// The listed impact whose mark is nearest to the click; else the vertex, edge or face that is there.
function clicked(e) {
  const box = canvas.getBoundingClientRect(), to = [e.clientX - box.left, e.clientY - box.top];
  let best = 9, found = -1;
  const { k: step, f } = shownStep();
  data.impacts.forEach((m, i) => {
    const mark = m.step === step && pairShown(m) && m.mark, at = mark && project(posed(poseOf(mark.part, state.s), mark.x0.map((x, k) => x * (1 - f) + mark.x1[k] * f)));
    const far = at ? Math.hypot(at[0] - to[0], at[1] - to[1]) : best;
    if (far < best) [best, found] = [far, i];
  });
  if (found >= 0 && layers.impacts) { play(false); jump("impacts", found); } else select(under(...to));
}
