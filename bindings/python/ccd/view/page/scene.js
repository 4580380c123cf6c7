"use strict";
// One picture of the scene.

// Those marks of a part that belong to a step, but for those both of whose objects are hidden; f is the time as a fraction of that step.
function drawMarks(b, { k, f }, how) {
  gl.uniform1i(uniform.pairs, 1);
  gl.bindVertexArray(b.vao); gl.bindBuffer(gl.ARRAY_BUFFER, b.objects);
  gl.enableVertexAttribArray(5); gl.vertexAttribPointer(5, 2, gl.UNSIGNED_INT, false, 0, 0);
  for (const [step, first, count] of b.steps) if (step === k) drawPoints(b, gl.POINTS, { ...how, mode: 2, f, part: b.part }, first, coarse.drawing ? Math.min(count, COARSE_MARKS) : count);
  gl.uniform1i(uniform.pairs, 0);
}

function surfaces(pass, paint, s) {
  gl.uniform1i(uniform.pass, pass);
  drawParts("faces", gl.TRIANGLES, { mode: 1, paint, s, heat: true });
  gl.uniform1i(uniform.pass, 0);
}

// Edges are lifted over the faces of their own object alone and are lowered below others: where two objects nearly touch, the lift is
// more than the gap, and edges of what lies behind would show as spikes. The stencil holds the group of the object that is seen.
// Objects that follow each other have different groups; a large scene has fewer groups, because each is drawn by itself.
const MOST_GROUPS = 8, MOST_GROUPED = 400000; // faces in all groups
const groups = () => (coarse.drawing ? 1 : Math.max(1, Math.min(MOST_GROUPS, objects.length, Math.floor(MOST_GROUPED / Math.max(faceCount, 1)))));

function byGroup(draw) {
  const many = groups();
  gl.enable(gl.STENCIL_TEST);
  for (let k = 0; k < many; k++) { gl.uniform2i(uniform.group, many, k); draw(k + 1); }
  gl.disable(gl.STENCIL_TEST); gl.uniform2i(uniform.group, 1, 0);
}

const opaqueSurfaces = (s) => byGroup((value) => {
  gl.stencilFunc(gl.ALWAYS, value, 255); gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
  surfaces(1, [0, 0, 0, -1], s);
});

const surfaceEdges = (paint, s) => byGroup((value) => {
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
  for (const [own, lift] of [[gl.EQUAL, 1e-3], [gl.NOTEQUAL, -2e-3]]) {
    gl.stencilFunc(own, value, 255);
    drawParts("edges", gl.LINES, { paint, lift, s });
  }
});

function impactMarks(step, s, px, seenThrough) {
  const few = Math.min(1, 40 / Math.sqrt(moments.length / data.steps + 1)), large = (5 + 3 * few) * px * (coarse.drawing ? 0.5 : 1);
  for (const b of built.marks) drawMarks(b, step, { paint: [0, 0, 0, 1], size: large, lift: 0.012, s });
  if (!seenThrough || coarse.drawing) return;
  gl.disable(gl.DEPTH_TEST);
  for (const b of built.marks) drawMarks(b, step, { paint: [0, 0, 0, 0.22 * few], size: 0.75 * large, s });
  gl.enable(gl.DEPTH_TEST);
}

// What is the same for all that one picture draws.
function begin(dark) {
  const { normal, offset } = clipPlane();
  gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST); gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.uniform3fv(uniform.eye, eye()); gl.uniform3fv(uniform.up, axis(state.up));
  gl.uniform1i(uniform.objects, 0); gl.bindTexture(gl.TEXTURE_2D, paints.texture);
  gl.uniform4f(uniform.clip, ...normal, offset);
  gl.uniformMatrix4fv(uniform.view, false, viewMatrix(camera.cut));
  return { ink: dark ? [0.92, 0.95, 1] : [0.08, 0.11, 0.16], net: dark ? [0.95, 0.7, 0.3, 0.8] : [0.6, 0.35, 0.05, 0.8] };
}

function paintScene({ s, step, camera, layers, picked, dark, ratio, height }) {
  const px = ratio, through = layers.transparent, { ink, net } = begin(dark);
  const edge = Math.min(0.75, (edgeLength / camera.distance) * height * 0.05);
  if (layers.faces && !through) opaqueSurfaces(s);
  gl.depthMask(!through);
  if (layers.edges && edge > 0.04) {
    surfaceEdges([...ink, edge * (dark ? 0.6 : 1)], s);
    drawParts("rods", gl.LINES, { paint: [...ink, edge * (dark ? 0.6 : 1)], lift: 1e-3, s });
  }
  gl.depthMask(true);
  if (layers["end of the step"]) for (const kind of ["edges", "rods"]) drawParts(kind, gl.LINES, { paint: [...ink, 0.35], s, f: 1 });
  if (layers["control nets"]) drawParts("nets", gl.LINES, { paint: net, lift: 1e-3, s });
  glyphs(step, s);
  if (layers.impacts) impactMarks(step, s, px, !picked.length); // faintly through what hides them, unless one looks at a pair
  gl.depthMask(false);
  if (layers.faces && through) surfaces(0, [0, 0, 0, -0.22], s);
  else if (layers.faces && paints.translucent) surfaces(2, [0, 0, 0, -1], s);
  gl.depthMask(true);
  if (!picked.length && !built.selected.length) return;
  gl.clear(gl.DEPTH_BUFFER_BIT); // the picked pair and the selection are seen through everything, and whole
  gl.uniform4f(uniform.clip, 0, 0, 0, 1);
  gl.uniformMatrix4fv(uniform.view, false, viewMatrix(0.01));
  for (const p of picked) if (layers[p.layer]) p.draw({ s, px });
  for (const p of built.selected) p.draw({ s, px });
}
