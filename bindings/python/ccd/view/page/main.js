"use strict";
// The start, once every script is there.

if (gl) {
  mouse();
  controls();
  exporting();
  address();
  addEventListener("hashchange", address); // not heard for what keep() writes
  new ResizeObserver(ask).observe(canvas);
  ask();
} else $("note").textContent = "this page needs WebGL 2";
