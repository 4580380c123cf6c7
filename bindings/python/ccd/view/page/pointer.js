"use strict";
// The pointer on the scene: turn, move, zoom, click.

function mouse() {
  let from = null, moved = 0;
  canvas.onpointerdown = (e) => { coarse.held = true; from = [e.clientX, e.clientY]; moved = 0; canvas.setPointerCapture(e.pointerId); };
  canvas.onlostpointercapture = () => { coarse.held = false; from = null; };
  canvas.onpointerup = (e) => { from = null; if (moved < 4) clicked(e); };
  canvas.onpointermove = (e) => {
    if (!from) return;
    const dx = e.clientX - from[0], dy = e.clientY - from[1];
    from = [e.clientX, e.clientY]; moved += Math.abs(dx) + Math.abs(dy);
    if (e.shiftKey || e.buttons === 4) {
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
