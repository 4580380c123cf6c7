"use strict";
// One picture of the scene.

// Those marks of a part that belong to a step; f is the time as a fraction of that step.
function drawMarks(b, { k, f }, how) {
  for (const [step, first, count] of b.steps) if (step === k) drawPoints(b, gl.POINTS, { ...how, mode: 2, f, part: b.part }, first, count);
}

function paintScene({ s, step, camera, layers, picked, dark, ratio, height }) {
  const whole = viewMatrix(0.01), px = ratio;
  gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST); gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.uniform3fv(uniform.eye, eye()); gl.uniform3fv(uniform.up, axis(state.up));
  gl.uniform3fv(uniform.palette, PALETTES[dark ? "dark" : "light"].flat());
  gl.uniformMatrix4fv(uniform.view, false, viewMatrix(camera.cut));
  const ink = dark ? [0.92, 0.95, 1] : [0.08, 0.11, 0.16], edge = Math.min(0.75, (edgeLength / camera.distance) * height * 0.05);
  const through = layers["see-through"];
  if (layers.surface && !through) built.parts.forEach((b, i) => drawIndexed(i, b.faces, gl.TRIANGLES, { mode: 1, paint: [0, 0, 0, -1], s }));
  gl.depthMask(!through);
  if (layers.edges) built.parts.forEach((b, i) => drawIndexed(i, b.edges, gl.LINES, { paint: [...ink, edge * (dark ? 0.6 : 1)], lift: 1e-3, s }));
  gl.depthMask(true);
  if (layers["end frame"]) built.parts.forEach((b, i) => drawIndexed(i, b.edges, gl.LINES, { paint: [...ink, 0.35], s, f: 1 }));
  if (layers["control nets"]) built.parts.forEach((b, i) => drawIndexed(i, b.nets, gl.LINES, { paint: dark ? [0.95, 0.7, 0.3, 0.8] : [0.6, 0.35, 0.05, 0.8], lift: 1e-3, s }));
  if (layers["near pairs"] && built.near) drawPoints(built.near, gl.LINES, { paint: [0.1, 0.62, 0.36, 1], lift: 4e-3, s });
  if (layers.impacts) {
    const few = Math.min(1, 40 / Math.sqrt(moments.length / data.steps + 1)), large = (5 + 3 * few) * px;
    for (const b of built.marks) drawMarks(b, step, { paint: [0, 0, 0, 1], size: large, lift: 0.012, s });
    gl.disable(gl.DEPTH_TEST); // and once more, faintly, through what hides them, unless one looks at a pair
    for (const b of picked.length ? [] : built.marks) drawMarks(b, step, { paint: [0, 0, 0, 0.22 * few], size: 0.75 * large, s });
    gl.enable(gl.DEPTH_TEST);
  }
  if (layers.surface && through) {
    gl.depthMask(false);
    built.parts.forEach((b, i) => drawIndexed(i, b.faces, gl.TRIANGLES, { mode: 1, paint: [0, 0, 0, -0.22], s }));
    gl.depthMask(true);
  }
  if (picked.length) { // the picked pair is seen through everything, and whole
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(uniform.view, false, whole);
    for (const p of picked) if (layers[p.layer]) p.draw({ s, px });
  }
}
