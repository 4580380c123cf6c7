// The package returns the bits of the native library: native.py writes its answers to the file that CCD_NATIVE names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { load } from "ccd-toi";

const native = JSON.parse(readFileSync(process.env.CCD_NATIVE, "utf8"));
const ccd = await load();

const KINDS = ["", "vertex-face", "edge-edge", "point-edge", "point-point", "edge-face"];
const VERDICTS = ["undecided", "separate", "contact"];

function unpack(text, type = Float64Array) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new type(bytes.buffer);
}
const bits = (numbers) => new BigUint64Array(Float64Array.from(numbers).buffer);
const same = (got, want, what) => assert.deepEqual(bits(got), bits(unpack(want)), what);

const impactRow = (i) => [
  VERDICTS.indexOf(i.verdict), KINDS.indexOf(i.kind ?? ""), i.a, i.b, i.toiLo, i.toiHi, i.u, i.v, ...i.point, ...i.normal, i.width,
  (i.certified ? 1 : 0) + (i.initialContact ? 2 : 0) + (i.intersecting ? 4 : 0),
];
const nearRow = (p) => [KINDS.indexOf(p.kind), p.a, p.b, p.lo, p.hi, p.u, p.v, ...p.pointA, ...p.pointB];

for (const [i, s] of native.steps.entries()) {
  test(`step ${i}: ${JSON.stringify(s.options)}`, () => {
    const mesh = new ccd.Mesh({ vertices: s.vertices, faces: unpack(s.faces, Int32Array), edges: unpack(s.edges, Int32Array) });
    if (s.radii !== null) mesh.setRadii(new Float64Array(s.vertices).fill(s.radii));
    const x0 = unpack(s.x0), x1 = unpack(s.x1), wanted = unpack(s.collisions);
    assert.ok(wanted.length > 1600);

    const all = ccd.collisions(mesh, x0, x1, s.options);
    same(all.flatMap(impactRow), s.collisions, "collisions");
    assert.deepEqual(bits(impactRow(ccd.earliest(mesh, x0, x1, s.options))), bits(wanted.subarray(0, 16)), "earliest");
    same([ccd.size(mesh, x0, x1, s.options)], s.size, "size");
    const advanced = ccd.advance(mesh, x0, x1, 0.5, s.options);
    same([advanced.alpha], s.alpha, "alpha");
    same(advanced.x, s.x, "x");
    const { checkStart: _, ...without } = s.options;
    same(new ccd.Step(mesh, x0, x1).activeSet(without).flatMap((c) => [...c.vertices, ...c.weights, c.gap, c.separation]), s.active, "active set");

    const known = new ccd.Candidates(mesh, x0, x1, without);
    const among = known.step(x0, x1), step = new ccd.Step(mesh, x0, x1);
    same(among.collisions(s.options).flatMap(impactRow), s.collisions, "collisions among candidates");
    assert.deepEqual(impactRow(among.earliest(s.options)), impactRow(all[0]));
    assert.equal(among.size(s.options), ccd.size(mesh, x0, x1, s.options));
    assert.deepEqual(among.advance(0.5, s.options), advanced);
    assert.deepEqual(among.activeSet(without), step.activeSet(without));
    const apart = { minSeparation: 1e-6 };
    const each = step.sizes(null, apart), one = step.sizes(new Int32Array(mesh.vertices), apart);
    assert.ok(each.alpha.length === mesh.vertices && each.x.length === x0.length && each.alpha.every((a, i) => a >= one.alpha[i]));
    assert.equal(ccd.earliest(mesh, x0, each.x, apart).verdict, "separate");
    const bound = step.lineSearch(0.5, apart);
    assert.ok(bound.alpha >= 0 && bound.separation === 0.5 * bound.distance);
    const worlds = ccd.earliestBatch(mesh, Float64Array.of(...x0, ...x0), Float64Array.of(...x0, ...x1), apart);
    assert.deepEqual(worlds, [ccd.earliest(mesh, x0, x0, apart), ccd.earliest(mesh, x0, x1, apart)]);
    const moved = ccd.advanceBatch(mesh, Float64Array.of(...x0, ...x0), Float64Array.of(...x0, ...x1), 0.9, apart);
    const alone = ccd.advance(mesh, x0, x1, 0.9, apart);
    assert.deepEqual([...moved.alpha], [0.9, alone.alpha]);
    assert.deepEqual([[...moved.x.subarray(x0.length)], moved.impacts], [[...alone.x], worlds]);
    const after = ccd.respond(mesh, x0, x1, { friction: 0.1, maxRounds: 2 }, apart);
    assert.ok(after.x.length === x0.length && after.contacts > 0 && after.rounds <= 2 && after.alpha >= 0);
    assert.equal(ccd.earliest(mesh, x0, after.x, { minSeparation: 0.25e-6 }).verdict, after.alpha > 0 ? "separate" : "contact");
    among.free();
    step.free();
    assert.throws(() => step.size(), { code: "CCD_E_HANDLE" });
    assert.equal(known.pairs("edge-edge").length, 2 * known.count("edge-edge"));
    assert.ok(known.count("edge-edge") > 100);
    known.free();

    const found = ccd.intersections(mesh, x0);
    assert.deepEqual(found.map((f) => [KINDS.indexOf(f.kind), f.a, f.b]), s.intersections);
    assert.equal(ccd.intersects(mesh, x0), found.length > 0);
    same(ccd.near(mesh, x0, 0.03).flatMap(nearRow), s.near, "near");
    same(nearRow(ccd.distance(mesh, x0)), s.distance, "distance");
    mesh.free();
  });
}

for (const { kind, q, cases } of native.pairs) {
  test(`pairs: ${kind}`, () => {
    const numbers = unpack(q);
    for (const c of cases) {
      const all = ccd.pairs(kind, numbers, c.options), one = numbers.length / all.length;
      same(all.flatMap(impactRow), c.impacts, JSON.stringify(c.options));
      for (let i = 0; i < all.length; i += 7) {
        const single = ccd.pair(kind, numbers.subarray(one * i, one * (i + 1)), c.options);
        assert.deepEqual(impactRow({ ...single, a: i }), impactRow(all[i]));
      }
      const verdicts = new Set(all.map((i) => i.verdict));
      assert.ok(verdicts.has("separate"));
    }
  });
}
