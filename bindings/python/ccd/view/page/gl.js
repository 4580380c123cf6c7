"use strict";
// WebGL 2 and nothing else: buffers that are made once, and what draws them.

const canvas = $("scene"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true, alpha: true, stencil: true });

// What lies on a surface is drawn a little nearer to the eye (lift, a share of the distance): it moves in depth alone.
const PLACE = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D; layout(location = 0) in vec3 x0; layout(location = 1) in vec3 x1; layout(location = 2) in float extra;
layout(location = 3) in vec3 n0; layout(location = 4) in vec3 n1; layout(location = 5) in vec2 pair; layout(location = 6) in float h0; layout(location = 7) in float h1; // normals of curved surfaces; zero where faces are flat
uniform mat4 view, pose; uniform vec3 eye; uniform vec2 shift; uniform float f, lift, size, arrow;
uniform sampler2D objects; uniform int first, pass, pairs; uniform ivec2 group; // first: the part's first object, or none below 0. pass, group: see the end
out vec3 place, normal; out float value, hot; flat out vec4 own;
vec4 paintOf(int object) { return texelFetch(objects, ivec2(object & 255, object >> 8), 0); }
void main() {
  place = (pose * vec4(mix(x0, x1, f), 1.0)).xyz; value = extra; hot = mix(h0, h1, f); normal = mat3(pose) * mix(n0, n1, f);
  if (arrow > 0.0) { // along n0, six vertices: the shaft, and both lines of its head
    vec3 across = cross(n0, eye - place); across /= max(length(across), 1e-20);
    if (gl_VertexID == 3 || gl_VertexID == 5) place += arrow * (0.72 * n0 + (gl_VertexID == 3 ? 0.12 : -0.12) * across);
    else if (gl_VertexID > 0) place += arrow * n0;
  }
  gl_Position = view * vec4(place + (eye - place) * lift, 1.0); gl_Position.xy += shift * gl_Position.w; gl_PointSize = size;
  own = vec4(1.0);
  if (pairs == 1 && paintOf(int(pair.x + 0.5)).a == 0.0 && paintOf(int(pair.y + 0.5)).a == 0.0) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  if (first >= 0) {
    own = paintOf(first + int(extra + 0.5));
    if (group.x > 1 && (first + int(extra + 0.5)) % group.x != group.y) gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // of one group alone
    // What is hidden goes out of sight; so does what is translucent in pass 1, and what is not in pass 2.
    if (own.a == 0.0 || (pass == 1 && own.a < 1.0) || (pass == 2 && own.a == 1.0)) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  }
}`;
const PAINT = `#version 300 es
precision highp float; precision highp int; in vec3 place, normal; in float value, hot; flat in vec4 own; out vec4 color;
uniform vec3 eye, up; uniform vec4 paint, clip; uniform int mode, heated; uniform float f;
const vec3 RAMP[5] = vec3[5](vec3(0.27, 0.0, 0.33), vec3(0.23, 0.32, 0.55), vec3(0.13, 0.57, 0.55), vec3(0.37, 0.79, 0.38), vec3(0.99, 0.91, 0.14));
vec3 ramp(float x) { float at = 4.0 * clamp(x, 0.0, 1.0); int k = min(int(at), 3); return mix(RAMP[k], RAMP[k + 1], at - float(k)); }
vec4 lit(vec3 base, float alpha) {
  vec3 n = normalize(dot(normal, normal) > 0.25 ? normal : cross(dFdx(place), dFdy(place))), to = normalize(eye - place);
  n *= dot(n, to) < 0.0 ? -1.0 : 1.0;
  vec3 key = normalize(to + up * 0.7);
  float light = 0.42 + 0.16 * dot(n, up) + 0.45 * max(dot(n, key), 0.0);
  return vec4(base * light + 0.10 * pow(max(dot(n, normalize(key + to)), 0.0), 24.0), alpha);
}
void main() {
  if (dot(place, clip.xyz) > clip.w) discard;
  if (mode == 0) color = vec4(paint.rgb, paint.a * own.a);
  else if (mode == 1) color = lit(heated == 1 && hot > -1e-3 ? ramp(hot) : paint.a < 0.0 ? own.rgb : paint.rgb, abs(paint.a) * own.a);
  else {
    float r = length(gl_PointCoord - 0.5);
    if (r > 0.5) discard;
    // mode 2: a mark in the color of its time, pale while it is still to come. mode 3: a dot.
    vec3 tint = mode == 2 ? mix(vec3(0.93, 0.16, 0.10), vec3(1.0, 0.83, 0.12), value) : paint.rgb;
    color = vec4(r > 0.34 ? vec3(0.05) : tint, paint.a * (mode == 2 && value > f + 1e-6 ? 0.35 : 1.0));
  }
  color.rgb *= color.a;
}`;

const UNIFORMS = ["view", "pose", "eye", "up", "f", "lift", "shift", "size", "arrow", "paint", "clip", "mode", "heated", "objects", "first", "pass", "pairs", "group"];

function program() {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, PLACE], [gl.FRAGMENT_SHADER, PAINT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text); gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(p, shader);
  }
  gl.linkProgram(p); gl.useProgram(p);
  return Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(p, name)]));
}
const uniform = gl && program();

const FIRST = [0.90, 0.18, 0.10, 1], SECOND = [0.12, 0.34, 0.92, 1];

function buffer(target, values) {
  const made = gl.createBuffer();
  gl.bindBuffer(target, made); gl.bufferData(target, values, gl.STATIC_DRAW);
  return made;
}

// Unit normals at the vertices of a curved surface: the mean of the triangles around, those of other patches left out.
function normals(p, x) {
  const found = new Float32Array(x.length);
  for (let f = 0; f < p.faces.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * p.faces[f + k]), e = [0, 1, 2].map((k) => x[b + k] - x[a + k]), g = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
    const n = cross(e, g);
    for (const v of [a, b, c]) for (let k = 0; k < 3; k++) found[v + k] += n[k];
  }
  for (let v = 0; v < found.length; v += 3) found.set(unit(Array.from(found.subarray(v, v + 3))), v);
  return found;
}

// Values of the vertices, one array or buffer after the other, in the order of the shader's inputs; null leaves one out.
function vertexArray(inputs) {
  const made = { vao: gl.createVertexArray(), own: [] };
  gl.bindVertexArray(made.vao);
  inputs.forEach((values, i) => {
    if (!values) return;
    const n = i === 2 ? 1 : 3, type = values instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.FLOAT;
    made.own.push(buffer(gl.ARRAY_BUFFER, values));
    gl.enableVertexAttribArray(i); gl.vertexAttribPointer(i, n, type, false, 0, 0);
  });
  gl.bindVertexArray(null);
  return made;
}

// Vertices with both ends and one more value each.
const points = (x0, x1, extra) => ({ ...vertexArray([x0, x1, extra]), count: x0.length / 3 });

const indexed = (values) => ({ buffer: buffer(gl.ELEMENT_ARRAY_BUFFER, values), count: values.length });

function release(b) {
  gl.deleteVertexArray(b.vao);
  b.own.forEach((one) => gl.deleteBuffer(one));
}

// ---- frames: of each part only a few are on the GPU

const FRAMES_KEPT = 4;

function frameBuffers(i, k) {
  const p = parts[i], { frames } = built.parts[i];
  const held = frames.get(k) || [p.frame(k), p.patches && normals(p, p.frame(k))].map((x) => x && buffer(gl.ARRAY_BUFFER, x));
  frames.delete(k); frames.set(k, held); // the latest is the last
  if (frames.size > FRAMES_KEPT) {
    const [oldest, dropped] = frames.entries().next().value;
    frames.delete(oldest); dropped.forEach((one) => one && gl.deleteBuffer(one));
  }
  return held;
}

// Let the vertices of a part move between the two frames around s; returns how far they are from the first to the second.
function moveTo(i, s) {
  const b = built.parts[i], { first, second, f } = between(i, s);
  if (b.first === first && b.second === second) return f;
  const inputs = [frameBuffers(i, first), frameBuffers(i, second)];
  gl.bindVertexArray(b.vao);
  inputs.forEach((held, end) => held.forEach((one, kind) => {
    if (!one) return;
    const place = [end, 3 + end][kind];
    gl.bindBuffer(gl.ARRAY_BUFFER, one);
    gl.enableVertexAttribArray(place); gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  }));
  Object.assign(b, { first, second });
  return f;
}

// The edges of a part: those of objects with faces, and those of objects without any, as rods.
function edgesBySurface(p) {
  const of = (v) => (p.objects.of ? p.objects.of[v] : 0), faced = new Uint8Array(p.objects.names.length), both = [[], []];
  for (let f = 0; f < p.faces.length; f += 3) faced[of(p.faces[f])] = 1;
  if (faced.every((one) => one)) return [p.edges, new Uint32Array()];
  for (let e = 0; e < p.edges.length; e += 2) both[faced[of(p.edges[e])] ? 0 : 1].push(p.edges[e], p.edges[e + 1]);
  return both.map((list) => new Uint32Array(list));
}

const built = gl && {
  parts: parts.map((p) => ({
    ...vertexArray([null, null, p.objects.of]), frames: new Map(), first: -1, second: -1, faces: indexed(p.faces), ...Object.fromEntries(edgesBySurface(p).map((list, i) => [["edges", "rods"][i], indexed(list)])), nets: indexed(p.nets),
  })),
  marks: marks.map((m) => ({ part: m.part, steps: m.steps, ...points(m.x0, m.x1, m.times), normals: buffer(gl.ARRAY_BUFFER, m.normals), objects: buffer(gl.ARRAY_BUFFER, m.objects), arrows: gl.createVertexArray() })),
  picked: [],
  selected: [],
};

function use({ mode = 0, paint = [0, 0, 0, 1], lift = 0, size = 1, part = -1, s = 0, f = 0, first = -1 }) {
  const { axes, offset } = part < 0 ? identity : poseOf(part, s);
  gl.uniform1i(uniform.mode, mode); gl.uniform1i(uniform.heated, 0); gl.uniform4fv(uniform.paint, paint); gl.uniform1f(uniform.lift, lift);
  gl.uniform1f(uniform.size, size); gl.uniform1i(uniform.first, first); gl.uniform1f(uniform.f, f);
  gl.uniformMatrix4fv(uniform.pose, false, [...axes[0], 0, ...axes[1], 0, ...axes[2], 0, ...offset, 1]);
}

// WebGL draws lines one pixel wide: a thicker one is drawn again, a little to the sides.
function thickly(wide, once) {
  for (const [x, y] of wide ? [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]] : [[0, 0]]) {
    gl.uniform2f(uniform.shift, (1.4 * wide * x) / canvas.width, (1.4 * wide * y) / canvas.height);
    once();
  }
  gl.uniform2f(uniform.shift, 0, 0);
}

function drawIndexed(i, list, shape, how) {
  if (!list.count) return;
  const f = moveTo(i, how.s);
  use({ f, ...how, part: i });
  if (how.heat) gl.uniform1i(uniform.heated, heat(i, how.s) ? 1 : 0);
  gl.bindVertexArray(built.parts[i].vao); gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, list.buffer);
  thickly(how.wide || 0, () => gl.drawElements(shape, list.count, gl.UNSIGNED_INT, 0));
}

// What all parts have of one kind (faces, edges or nets), in the colors of their objects.
function drawParts(kind, shape, how) {
  const { drawing, lists } = coarse; // edges are left out then
  if (drawing && (kind === "edges" || kind === "rods")) return;
  built.parts.forEach((b, i) => drawIndexed(i, drawing && kind === "faces" ? lists[i] : b[kind], shape, { ...how, first: parts[i].first }));
}

function drawPoints(b, shape, how, first = 0, count = b.count) {
  if (!count) return;
  use(how);
  gl.bindVertexArray(b.vao);
  thickly(how.wide || 0, () => gl.drawArrays(shape, first, count));
}

// Lines that stand still, of points given one after the other.
function lines(flat) {
  const x = new Float32Array(flat);
  return points(x, x, new Float32Array(x.length / 3));
}

function boxLines([lo, hi]) {
  const corner = (i) => lo.map((l, k) => ((i >> k) & 1 ? hi[k] : l)), x = [];
  for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) if (!((i >> k) & 1)) x.push(...corner(i), ...corner(i | (1 << k)));
  return lines(x);
}
