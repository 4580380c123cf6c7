"use strict";
// Arrows along the contact normals, and segments between the closest points of pairs.

const GAP = [0.93, 0.5, 0.05, 1], NEAR = [0.1, 0.62, 0.36, 1];
const ARROW = { light: [0.1, 0.1, 0.1, 1], dark: [1, 0.85, 0.3, 1] };
const ARROW_LENGTH = 0.06; // share of the camera's distance

// One arrow at every mark of a step: six vertices that the shader places, for each instance.
function normalArrows({ k, f }, s) {
  for (const b of built.marks) for (const [step, first, many] of b.steps) {
    if (step !== k) continue;
    use({ paint: ARROW[state.dark ? "dark" : "light"], lift: 5e-3, f, part: b.part, s });
    gl.uniform1f(uniform.arrow, ARROW_LENGTH * camera.distance); gl.uniform1i(uniform.pairs, 1);
    gl.bindVertexArray(b.arrows);
    [[0, b.own[0]], [1, b.own[1]], [3, b.normals]].forEach(([place, one]) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, one);
      gl.enableVertexAttribArray(place); gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 12 * first); gl.vertexAttribDivisor(place, 1);
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, b.objects);
    gl.enableVertexAttribArray(5); gl.vertexAttribPointer(5, 2, gl.UNSIGNED_INT, false, 0, 8 * first); gl.vertexAttribDivisor(5, 1);
    gl.drawArraysInstanced(gl.LINES, 0, 6, many);
    gl.uniform1f(uniform.arrow, 0); gl.uniform1i(uniform.pairs, 0);
  }
}

// Lines that are gathered for every picture, in one buffer.
function movingLines() {
  const made = { ...vertexArray([new Float32Array(3)]), count: 0 };
  made.set = (flat) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, made.own[0]);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(flat), gl.DYNAMIC_DRAW);
    made.count = flat.length / 3;
    return made;
  };
  return made;
}

if (gl) for (const name of ["near", "gaps", "gap"]) built[name] = movingLines();

// Only the first input has values: both ends of a line's motion are the same when f is 0.
function drawGaps(held, list, s, step, paint) {
  const flat = [];
  for (const m of list) if (m.step === step && pairShown(m)) for (const p of gapOf(m, s)) flat.push(...p);
  drawPoints(held.set(flat), gl.LINES, { paint, lift: 4e-3, f: 0, wide: devicePixelRatio / 2 });
}

function glyphs(step, s) {
  if (layers["near pairs"]) drawGaps(built.near, data.near, s, step.k, NEAR);
  if (layers.gaps) drawGaps(built.gaps, data.impacts, s, step.k, GAP);
  if (layers.normals) normalArrows(step, s);
}

// How far apart the picked pair is now, in the scene's unit.
const gapNow = (m) => (m.sides.some((side) => side.patch !== undefined) ? null : Math.hypot(...sub(...gapOf(m, state.s))) * data.scale);
