// Arguments, errors, options and memory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";

import { CcdError, load } from "ccd-toi";

const ccd = await load();
const folder = dirname(createRequire(import.meta.url).resolve("ccd-toi/package.json"));
const faces = [[0, 1, 2], [3, 4, 5]];
const x0 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]];
const x1 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.3, 0.2, 0], [0.2, 0.3, 0]];
const mesh = new ccd.Mesh({ vertices: 6, faces });

test("arrays of rows, of numbers and typed arrays are the same", () => {
  const want = ccd.earliest(mesh, x0, x1);
  assert.equal(want.toiLo, 0.5);
  assert.equal(want.kind, "vertex-face");
  assert.deepEqual([want.a, want.b, want.verdict, want.certified], [3, 0, "contact", true]);
  for (const list of [Int32Array, Uint16Array, Array]) {
    const other = new ccd.Mesh({ vertices: 6, faces: list.from(faces.flat()) });
    assert.deepEqual(ccd.earliest(other, x0.flat(), new Float64Array(x1.flat())), want);
    assert.deepEqual(other.edges, mesh.edges);
    assert.deepEqual([...other.faces], faces.flat());
  }
  const rows = x0.map((row) => new Float64Array(row));
  assert.deepEqual(ccd.earliest(mesh, rows, x1), want);
  const single = (x) => Float32Array.from(x.flat());
  assert.deepEqual(ccd.earliest(mesh, single(x0), single(x1)), ccd.earliest(mesh, Float64Array.from(single(x0)), Float64Array.from(single(x1))));
  const shifted = new Float64Array(19);
  shifted.set(x0.flat(), 1); // a view that does not begin at its buffer
  assert.deepEqual(ccd.earliest(mesh, shifted.subarray(1), x1), want);
});

test("errors of the library have a code, and name the argument and the index", () => {
  const bad = structuredClone(x0);
  bad[2][1] = NaN;
  const known = new ccd.Candidates(mesh, x0, x1);
  const far = structuredClone(x1);
  far[1][1] = 9;
  for (const [call, code, text] of [
    [() => new ccd.Mesh({ vertices: 3, faces: [0, 1, 3] }), "CCD_E_INDEX", "faces[0][2] is 3"],
    [() => new ccd.Mesh({ vertices: 3, edges: [0] }), "CCD_E_ARGUMENT", "edges has 1 indices"],
    [() => ccd.earliest(mesh, bad, x1), "CCD_E_NONFINITE", "x0[2][1] is NaN"],
    [() => ccd.earliest(mesh, x0.slice(1), x1), "CCD_E_ARGUMENT", "x0 has 15"],
    [() => ccd.earliest(mesh, x0, x1, { minSeparation: -1 }), "CCD_E_ARGUMENT", "options.minSeparation is -1"],
    [() => ccd.earliest(mesh, x0, x1, { tMax: 2 }), "CCD_E_ARGUMENT", "options.tMax is 2"],
    [() => ccd.earliest(mesh, x0, x1, { apartAtToi: true }), "CCD_E_UNSUPPORTED", "options.apartAtToi"],
    [() => ccd.near(mesh, x0, 1, { norm: "max" }), "CCD_E_UNSUPPORTED", 'options.norm is "max"'],
    [() => ccd.near(mesh, x0, -1), "CCD_E_ARGUMENT", "d is -1"],
    [() => ccd.advance(mesh, x0, x1, 0), "CCD_E_ARGUMENT", "share is 0"],
    [() => ccd.pair("vertex-face", new Float64Array(23)), "CCD_E_ARGUMENT", "q has 23"],
    [() => ccd.pair("vertex-face", new Float64Array(48)), "CCD_E_ARGUMENT", "q has 48"],
    [() => known.step(x0, far).earliest(), "CCD_E_ARGUMENT", "x1[1][1] is 9: outside"],
    [() => mesh.setStatic([true]), "CCD_E_ARGUMENT", "static has 1"],
    [() => mesh.setExcluded("vertex-face", [[0, 2]]), "CCD_E_INDEX", "pairs[0][1] is 2"],
    [() => ccd.surface("v x 0 0\n"), "CCD_E_FILE", "line 1"],
    [() => ccd.earliest(mesh, x0, x1, { progress: () => true }), "CCD_E_CANCELLED", "cancelled"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof CcdError && error instanceof Error, String(error));
      assert.equal(error.code, code, error.message);
      assert.ok(error.message.includes(text), error.message);
      return true;
    });
  }
});

test("wrong types are TypeErrors and RangeErrors that name the argument", () => {
  for (const [call, kind, text] of [
    [() => new ccd.Mesh(), TypeError, "new Mesh was given undefined: must be one object, such as { vertices: 6, faces: [[0, 1, 2], [3, 4, 5]] }"],
    [() => new ccd.Mesh(6), TypeError, "new Mesh was given 6: must be one object"],
    [() => new ccd.Mesh(6, [0, 1, 2]), TypeError, "new Mesh was given 2 arguments: must be one object"],
    [() => new ccd.Mesh([[0, 1, 2]]), TypeError, "new Mesh was given Array: must be one object"],
    [() => new ccd.Mesh({ faces: [] }), TypeError, "vertices is undefined"],
    [() => new ccd.Mesh({ vertices: -5 }), RangeError, "vertices is -5"],
    [() => new ccd.Mesh({ vertices: 3, triangles: [] }), TypeError, "triangles is not a part"],
    [() => new ccd.Mesh({ vertices: 3, faces: "012" }), TypeError, 'faces is "012"'],
    [() => new ccd.Mesh({ vertices: 3, faces: [0, 1, 1.5] }), TypeError, "faces: number 2 is 1.5"],
    [() => new ccd.Mesh({ vertices: 3, faces: [[0, 1, 2], [0, 1]] }), TypeError, "faces[1] has 2 numbers: must have 3"],
    [() => new ccd.Mesh({ vertices: 4, faces: [[0, 1, 2, 3]] }), TypeError, "faces[0] has 4 numbers: must have 3; split each quadrilateral into two triangles"],
    [() => new ccd.Mesh({ vertices: 4, faces: [[0, 1, 2], 3] }), TypeError, "faces[1] is 3: must be a row of 3 numbers, as all others"],
    [() => ccd.earliest(mesh, [[0, 0], [1, 0]], x1), TypeError, "x0[0] has 2 numbers: must have 3; in the plane, add a third number 0 to each row"],
    [() => new ccd.Mesh({ vertices: 3, faces: Uint32Array.of(0, 1, 2 ** 32 - 1) }), TypeError, "faces: number 2"],
    [() => ccd.earliest({}, x0, x1), TypeError, "mesh is Object"],
    [() => ccd.earliest(null, x0, x1), TypeError, "mesh is null"],
    [() => ccd.earliest(mesh, undefined, x1), TypeError, "x0 is undefined"],
    [() => ccd.earliest(mesh, ["0"], x1), TypeError, "x0: number 0"],
    [() => ccd.earliest(mesh, x0, x1, 5), TypeError, "options is 5"],
    [() => ccd.earliest(mesh, x0, x1, { min_separation: 1 }), TypeError, "options.min_separation is not an option; minSeparation is: those are"],
    [() => ccd.earliest(mesh, x0, x1, { toString: 1 }), TypeError, "options.toString is not an option"],
    [() => ccd.earliest(mesh, x0, x1, { method: "fast" }), TypeError, 'options.method is "fast"'],
    [() => ccd.earliest(mesh, x0, x1, { tMax: 0 }), RangeError, "options.tMax is 0"],
    [() => ccd.earliest(mesh, x0, x1, { tolerance: 0 }), RangeError, "options.tolerance is 0"],
    [() => ccd.earliest(mesh, x0, x1, { maxIterations: 0 }), RangeError, "options.maxIterations is 0"],
    [() => ccd.earliest(mesh, x0, x1, { memoryLimit: -1 }), RangeError, "options.memoryLimit is -1"],
    [() => ccd.earliest(mesh, x0, x1, { checkStart: 1 }), TypeError, "options.checkStart is 1"],
    [() => ccd.earliest(mesh, x0, x1, { progress: 1 }), TypeError, "options.progress is 1"],
    [() => ccd.earliest(mesh, x0, x1, { stats: 1 }), TypeError, "options.stats is 1"],
    [() => ccd.pair("face-face", []), TypeError, 'kind is "face-face"'],
    [() => ccd.near(mesh, x0, "1"), TypeError, 'd is "1"'],
    [() => ccd.advance(mesh, x0, x1, "1"), TypeError, 'share is "1"'],
    [() => ccd.advance(mesh, x0, x1, { minSeparation: 1 }), TypeError, "share is Object: must be a number; options come after it, as in advance(1, options)"],
    [() => ccd.pair("edge-face", []), TypeError, 'kind is "edge-face": must be "vertex-face", "edge-edge", "point-edge", "point-point"'],
    [() => new ccd.Step(mesh, x0, x1).pairs("edge-face", [[0, 0]]), TypeError, 'kind is "edge-face"'],
    [() => ccd.surface(5), TypeError, "file is 5"],
    [() => mesh.setStatic(5), TypeError, "isStatic is 5"],
    [() => mesh.setStatic([0, 1, 2, 3, 4, 5]), TypeError, "isStatic[2] is 2: must be true or false; for indices make"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof kind && !(error instanceof CcdError), String(error));
      assert.ok(error.message.includes(text), error.message);
      return true;
    });
  }
});

test("filters of a mesh", () => {
  const other = new ccd.Mesh({ vertices: 6, faces });
  const verdict = () => ccd.earliest(other, x0, x1).verdict;
  other.setGroups([0, 0, 0, 0, 0, 0]);
  assert.equal(verdict(), "separate");
  other.setGroups(null);
  assert.equal(verdict(), "contact");
  other.setComponentGroups();
  assert.equal(verdict(), "contact");
  other.setStatic(new Array(6).fill(true));
  assert.equal(verdict(), "separate");
  other.setStatic(null);
  other.setRadii([0, 0, 0, 0.25, 0.25, 0.25]);
  assert.equal(ccd.earliest(other, x0, x1).toiLo, 0.375);
  other.setRadii(null);
  other.setExcluded("vertex-face", [[3, 0], [4, 0], [5, 0]]);
  assert.ok(ccd.collisions(other, x0, x1).every((i) => i.kind !== "vertex-face"));
});

test("progress, exceptions in it, and statistics", () => {
  const stats = {}, seen = [];
  ccd.earliest(mesh, x0, x1, { stats, progress: (f) => void seen.push(f) });
  assert.ok(seen.at(-1) === 1 && stats.boxes === 14 && stats.candidates[0] >= 1 && stats.seconds >= 0 && stats.peakBytes > 0 && stats.plans >= 1);
  const mine = new Error("mine");
  assert.throws(() => ccd.earliest(mesh, x0, x1, { progress: () => { throw mine; } }), mine);
  assert.equal(ccd.earliest(mesh, x0, x1).toiLo, 0.5); // the library still works
  let inner;
  ccd.earliest(mesh, x0, x1, { progress: () => void (inner = ccd.size(mesh, x0, x1)) }); // a call within a call
  assert.equal(inner, ccd.size(mesh, x0, x1));
});

test("checkStart finds an edge through a face", () => {
  const through = structuredClone(x0);
  through[3][2] = -1;
  assert.equal(ccd.earliest(mesh, through, through).verdict, "separate");
  const hit = ccd.earliest(mesh, through, through, { checkStart: true });
  assert.ok(hit.kind === "edge-face" && hit.intersecting && hit.initialContact && hit.toiLo === 0);
});

test("what was freed is an error; objects of another instance are too", async () => {
  const other = new ccd.Mesh({ vertices: 6, faces });
  other.free();
  other.free();
  assert.throws(() => ccd.earliest(other, x0, x1), { code: "CCD_E_HANDLE", message: "mesh was freed" });
  const second = await load(readFileSync(join(folder, "ccd.wasm")));
  assert.throws(() => second.earliest(mesh, x0, x1), TypeError);
  assert.equal(second.earliest(new second.Mesh({ vertices: 6, faces }), x0, x1).toiLo, 0.5);
  await assert.rejects(load(5), /source is 5/);
});

test("memory is reused: a thousand calls do not grow it", () => {
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 1000; i++) {
    const other = new ccd.Mesh({ vertices: 6, faces });
    ccd.earliest(other, x0, x1);
    other.free();
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 << 20);
});

test("files of surfaces", () => {
  const obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
  for (const file of [obj, new TextEncoder().encode(obj), new TextEncoder().encode(obj).buffer]) {
    const s = ccd.surface(file);
    assert.deepEqual([...s.faces], [0, 1, 2, 0, 2, 3]);
    assert.equal(s.vertices.length, 12);
    assert.equal(s.edges.length, 10);
  }
});

/** The module with a limit of memory: its section 5 is {1 memory, no maximum, least pages}, and gets a maximum. */
function limited(wasm, pages) {
  const read = (at) => {
    for (let n = 0, shift = 0; ; shift += 7) {
      n += (wasm[at] & 127) * 2 ** shift;
      if (wasm[at++] < 128) return [n, at];
    }
  };
  const written = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...written(n >>> 7)]);
  for (let at = 8; ; ) {
    const [size, from] = read(at + 1);
    if (wasm[at] === 5) {
      assert.deepEqual([wasm[from], wasm[from + 1]], [1, 0]);
      const section = [1, 1, ...written(read(from + 2)[0]), ...written(pages)];
      return Buffer.concat([wasm.subarray(0, at), Buffer.from([5, section.length, ...section]), wasm.subarray(from + size)]);
    }
    at = from + size;
  }
}

test("no memory left: the call says so, prints nothing, and another instance works", async (t) => {
  const printed = [];
  for (const stream of ["log", "warn", "error"]) t.mock.method(console, stream, (...words) => printed.push(words));
  const wasm = readFileSync(join(folder, "ccd.wasm"));
  const small = await load(limited(wasm, 1024)); // 1,024 pages of 64 KiB
  const n = 3000, x = Float64Array.from({ length: 3 * n }, (_, i) => (i % 3) / 1e9); // all points in one place
  const points = new small.Mesh({ vertices: n });
  assert.throws(() => small.collisions(points, x, x, { minSeparation: 1, memoryLimit: 8 << 20 }), { code: "CCD_E_MEMORY", message: /memoryLimit/ });
  assert.equal(small.earliest(points, x, x, { minSeparation: 1 }).verdict, "contact"); // an instance with a limit goes on
  const ended = { name: "CcdError", code: "CCD_E_MEMORY", message: /^the WebAssembly instance has ended; call load\(\) again: .*out of memory/ };
  assert.throws(() => small.collisions(points, x, x, { minSeparation: 1 }), ended);
  assert.throws(() => small.earliest(points, x, x), ended);
  assert.throws(() => new small.Mesh({ vertices: 1 }), ended);
  points.free();
  const again = await load(wasm);
  assert.equal(again.earliest(new again.Mesh({ vertices: 6, faces }), x0, x1).toiLo, 0.5);
  assert.equal(ccd.earliest(mesh, x0, x1).toiLo, 0.5);
  await assert.rejects(load(limited(wasm, 65))); // too little to begin with
  assert.deepEqual(printed, []);
});

test("a module that the engine stops: the call says so", async () => {
  const other = await load();
  const still = new other.Mesh({ vertices: 6, faces });
  const deep = () => { // exhausts the stack, in the middle of the library or before it
    try {
      return deep();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return other.earliest(still, x0, x1);
    }
  };
  try {
    assert.equal(deep().toiLo, 0.5);
  } catch (error) {
    assert.equal(error.code, "CCD_E_INTERNAL", error.message);
  }
  assert.equal(ccd.earliest(mesh, x0, x1).toiLo, 0.5);
});

test("the file of types declares what the package has", () => {
  const types = readFileSync(join(folder, "index.d.ts"), "utf8");
  const of = (name) => types.slice(types.indexOf(`export interface ${name} `)).split("\n}")[0];
  const declared = (name) => [...new Set([...of(name).matchAll(/^  (?:readonly )?(\w+)\??[(:]/gm)].map((m) => m[1]))].sort();
  assert.deepEqual(declared("Ccd"), Object.keys(ccd).sort());
  assert.deepEqual(declared("Impact"), Object.keys(ccd.earliest(mesh, x0, x1)).sort());
  assert.deepEqual(declared("NearPair"), Object.keys(ccd.distance(mesh, x0)).sort());
  const constraint = Object.keys(new ccd.Step(mesh, x0, x1).activeSet()[0]);
  assert.deepEqual([...declared("Constraint"), ...declared("Impact")].sort(), constraint.sort());
  const step = new ccd.Step(mesh, x0, x1), motion = ccd.Motion.accelerated(x0, x0, x0);
  assert.deepEqual(declared("Interval"), Object.keys(step.intervals()[0]).sort());
  assert.deepEqual(declared("Clearance"), Object.keys(step.clearance()).sort());
  assert.deepEqual(declared("Gradient"), Object.keys(step.gradients([step.earliest()])[0]).sort());
  assert.deepEqual(declared("Why"), Object.keys(step.why()).sort());
  assert.deepEqual(declared("ScenePart"), Object.keys(new ccd.Scene(mesh, x0).parts()[0]).sort());
  const makers = Object.getOwnPropertyNames(ccd.Motion).filter((n) => !["length", "name", "prototype"].includes(n));
  assert.deepEqual(declared("MotionClass").filter((n) => n !== "new"), makers.sort());
  const fields = { Mesh: ["vertices"], Motion: Object.keys(motion) };
  for (const name of ["Mesh", "Motion", "Candidates", "Neighbors", "Scene", "Step"]) {
    const own = [...Object.getOwnPropertyNames(ccd[name].prototype), "free", ...(fields[name] ?? [])];
    assert.deepEqual(declared(name), own.filter((n) => n !== "constructor").sort());
  }
  const error = assertThrown(() => ccd.earliest(mesh, x0, x1, { none: 1 }));
  assert.deepEqual(declared("Options"), error.message.split("those are ")[1].split(", ").sort());
});

function assertThrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("a program that has loaded the package ends", () => {
  const program = 'import { load } from "ccd-toi"; const ccd = await load(); console.log(Object.keys(globalThis).includes("Go"), Object.keys(ccd).length > 10);';
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: new URL(".", import.meta.url), encoding: "utf8", timeout: 60000 });
  assert.equal(out.trim(), "false true");
});
