"use strict";
// When to draw.

let asked = false;
function ask() {
  if (!asked) { asked = true; requestAnimationFrame(render); }
  keep();
}

function render() {
  asked = false;
  if (gl) paintScreen();
}

// Draw with `ratio` pixels of the canvas for one of the page.
function paint(ratio) {
  const w = Math.round(canvas.clientWidth * ratio), h = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; ticks(); if (!state.placed) whole(); }
  gl.viewport(0, 0, w, h);
  const step = shownStep();
  paintScene({ s: state.s, step, camera, layers, picked: built.picked, dark: state.dark, ratio, height: h });
  overlay(ratio);
  legend();
  refresh();
}
