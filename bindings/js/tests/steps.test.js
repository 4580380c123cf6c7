// Every step has every call, with the results of the straight step of the same mesh, or says why it has not.
import assert from "node:assert/strict";
import test from "node:test";

import { CcdError, load } from "ccd-toi";

const ccd = await load();
const x0 = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1, 0.3, 0.2, 2, 0.2, 0.3, 2);
const x1 = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.3, 0.2, 0, 0.2, 0.3, 0);
const mesh = new ccd.Mesh({ vertices: 6, faces: [[0, 1, 2], [3, 4, 5]] });
const middle = x0.map((x, i) => (x + x1[i]) / 2 + (i === 9 ? 0.125 : 0));
const straight = new ccd.Motion({ vertices: 6, degree: 1, control: [...x0, ...x1] });
const bent = new ccd.Motion({ vertices: 6, degree: 2, control: [...x0, ...middle, ...x1] });
const near = { minSeparation: 0.25 };

const CURVED = ["intervals", "pairIntervals", "activeSet", "gradients"];
const MAKERS = {
  motion: [() => new ccd.Step(mesh, straight), []],
  candidates: [() => new ccd.Candidates(mesh, x0, x1, near).step(x0, x1), ["clearance"]],
  "candidates on a motion": [() => new ccd.Candidates(mesh, straight, near).step(straight), ["clearance"]],
  neighbors: [() => new ccd.Neighbors(mesh, x0, 0.5).step(x0, x1), []],
  scene: [() => new ccd.Scene(mesh, x0).step(null, x1), ["pairs", "pairIntervals", "gradients", "why"]],
  "a bent motion": [() => new ccd.Step(mesh, bent), CURVED],
  "candidates on a bent motion": [() => new ccd.Candidates(mesh, bent, near).step(bent), ["sizes", "clearance", ...CURVED]],
};

const first = ccd.earliest(mesh, x0, x1);
const calls = (step) => ({
  earliest: () => step.earliest(),
  collisions: () => step.collisions(),
  firstImpacts: () => step.firstImpacts(2),
  visit: () => {
    let n = 0;
    step.visit((some) => void (n += some.length));
    return n;
  },
  pairs: () => step.pairs("vertex-face", [[3, 0], [4, 0]]),
  intervals: () => step.intervals(),
  pairIntervals: () => step.pairIntervals("vertex-face", [[3, 0], [4, 0]]),
  clearance: () => step.clearance(),
  size: () => step.size(),
  advance: () => step.advance(0.9),
  sizes: () => step.sizes(),
  lineSearch: () => step.lineSearch(0.2, near),
  activeSet: () => step.activeSet(near),
  gradients: () => step.gradients([first]),
  why: () => step.why(),
});

for (const [maker, [make, without]] of Object.entries(MAKERS)) {
  test(`the step of ${maker}`, () => {
    const wanted = calls(new ccd.Step(mesh, x0, x1));
    for (const [name, run] of Object.entries(calls(make()))) {
      if (without.includes(name)) {
        assert.throws(run, (error) => error instanceof CcdError && error.code === "CCD_E_UNSUPPORTED", name);
      } else if (maker.includes("bent")) run();
      else assert.deepEqual(run(), wanted[name](), name);
    }
  });
}

test("every call is tried", () => {
  const own = Object.getOwnPropertyNames(ccd.Step.prototype).filter((name) => name !== "constructor" && name !== "between");
  assert.deepEqual(Object.keys(calls(null)).sort(), own.sort());
});

test("pairs, intervals, least distance and gradients", () => {
  const step = new ccd.Step(mesh, x0, x1), all = step.collisions(), times = step.intervals();
  assert.deepEqual(times.map((t) => [t.enter, t.kind, t.a, t.b]), all.map((i) => [i.toiLo, i.kind, i.a, i.b]));
  assert.ok(times[0].exit >= 0.5 && times[0].sideBefore * times[0].sideAfter === -1 && !times[0].initialContact && !times[0].finalContact);
  assert.deepEqual(step.pairs("vertex-face", Int32Array.of(3, 0)), [{ ...first }]);
  assert.equal(step.pairs("vertex-face", []).length, 0);
  const rest = new ccd.Step(mesh, x0, x0).clearance(), distance = ccd.distance(mesh, x0);
  assert.ok(rest.kind !== null && rest.lo <= distance.hi && distance.lo <= rest.hi && rest.time >= 0);
  const [g] = step.gradients([first]);
  assert.deepEqual([g.state, g.toi, g.vertices[0], g.x0[0][2], g.x1[0][2]], ["defined", 0.5, 3, 0.25, 0.25]);
  assert.equal(step.gradients([ccd.earliest(mesh, x0, x0)])[0].state, "no-impact");
});

test("why a step is short", () => {
  const thick = new ccd.Mesh({ vertices: 6, faces: [[0, 1, 2], [3, 4, 5]] });
  thick.setRadii([0.25, 0.25, 0.25, 0.5, 0.5, 0.5]);
  const why = new ccd.Step(thick, x0, x1).why({ minSeparation: 0.2578125 });
  assert.deepEqual([why.cause, why.alpha, why.separation, why.radius, why.same], ["separation", 0, 1.0078125, [0.5, 0.25], null]);
  assert.ok(why.initial === 1 && why.distanceLo <= 1 && 1 <= why.distanceHi && why.rings === -1 && why.impact.initialContact);
  assert.deepEqual([why.impact.kind, why.vertices, why.x0[0], why.x1[0]], ["vertex-face", [3, 0, 1, 2], [0.2, 0.2, 1], [0.2, 0.2, -1]]);
  assert.deepEqual(why.x0.slice(1), [[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
  assert.match(why.text, /^Vertex 3 and face 0 \(vertices 0, 1, 2\) are .* minSeparation/);
  assert.deepEqual(why.atStart, { crossing: 0, touching: 0, radii: 0, separation: 1 });
  const [later] = why.others;
  assert.deepEqual([why.others.length, later.cause, later.kind, later.vertices.length], [1, "meeting", later.kind, 4]);
  assert.match(why.text, new RegExp(`Without this pair the step ends at t = ${later.toiLo.toPrecision(6).replace(/0+$/, "")}`));
  const stuck = ccd.respond(thick, x0, x0, null, { minSeparation: 8 });
  assert.deepEqual([stuck.alpha, stuck.why.cause, stuck.why.others], [0, "separation", []]);
  assert.match(stuck.why.text, /\(minSeparation times keep 2, radii/);
  const none = new ccd.Step(mesh, x0, x0).why();
  assert.deepEqual([none.cause, none.alpha, none.vertices, none.distanceHi, none.impact.kind], ["none", 1, [], Infinity, null]);
});

test("a step between groups has the pairs of one with the other", () => {
  const step = new ccd.Step(mesh, x0, x1), [a, b] = [mesh.groupOf([0, 1, 2]), mesh.groupOf([3, 4, 5])];
  assert.deepEqual([a.faces, b.edges], [Int32Array.of(0), Int32Array.of(3, 4, 5)]);
  assert.deepEqual(step.between(a, b).collisions(), step.collisions());
  const one = step.between({ vertices: [3] }, { faces: [0] });
  assert.deepEqual(one.collisions(), step.collisions().filter((hit) => hit.kind === "vertex-face" && hit.a === 3 && hit.b === 0));
  const throwing = (b, code, text) => assert.throws(() => step.between(a, b).earliest(), (e) => e.code === code && e.message.includes(text));
  throwing(a, "CCD_E_INDEX", "b.vertices[0] is 0: ");
  throwing({ faces: [2] }, "CCD_E_INDEX", "b.faces[0] is 2: out of range for 2 faces");
  assert.throws(() => step.between(a, { corners: [1] }), /b.corners is not known/);
  assert.throws(() => mesh.groupOf([6]), (e) => e.code === "CCD_E_INDEX");
});

test("the first impacts begin the list of all", () => {
  const step = new ccd.Step(mesh, x0, x1), all = step.collisions();
  assert.deepEqual(step.firstImpacts(2), all.slice(0, 2));
  assert.deepEqual(step.firstImpacts(all.length + 1), all);
  for (const count of [0, -1, 1.5, NaN]) assert.throws(() => step.firstImpacts(count), RangeError);
});

test("visit ends where its function says so, and throws what it throws", () => {
  const step = new ccd.Step(mesh, x0, x1), mine = new Error("mine");
  assert.throws(() => step.visit(() => true), { code: "CCD_E_CANCELLED" });
  assert.throws(() => step.visit(() => { throw mine; }), mine);
  assert.equal(step.earliest().toiLo, 0.5);
});

test("motions are where their definitions say", () => {
  const x = [1, 0, 0, 0, 1, 0], v = [0, 0, 1, 0, 0, 1], up = [1, 0, 2, 0, 1, 2], turned = [0, 1, 0, -1, 0, 0];
  const turn = { angularVelocity: [0, 0, Math.PI / 2] };
  for (const [motion, want] of [
    [ccd.Motion.accelerated(x, v, v.map((s) => 2 * s)), up],
    [ccd.Motion.hermite({ vertices: 2, x: [...x, ...up], v: [...v, ...v] }), up],
    [ccd.Motion.bSpline({ vertices: 2, degree: 1, knots: [0, 0, 1, 1], control: [...x, ...up] }), up],
    [ccd.Motion.affine({ degree: 1, x, matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0, 0, 2], offset: [0, 0, 0, 0, 0, 0] }), [2, 0, 0, 0, 2, 0]],
    [ccd.Motion.rigid(x, turn), turned],
    [ccd.Motion.skinned(x, [turn], [[1], [1]], { degree: 5, pieces: 2 }), turned],
  ]) {
    const { x: at, radius } = motion.at(1);
    assert.ok(want.every((w, i) => Math.abs(at[i] - w) <= 1e-9 + radius[Math.floor(i / 3)]), `${at}, want ${want}`);
    assert.equal(motion.vertices, 2);
  }
  const half = bent.cut(new Float64Array(6).fill(0.5));
  assert.deepEqual([half.degree, half.pieces, half.vertices], [2, 1, 6]);
});

test("a scene of parts", () => {
  const one = new ccd.Mesh({ vertices: 3, faces: [[0, 1, 2]] });
  const scene = new ccd.Scene(one, x0.subarray(0, 9)), part = scene.add(one, x0.subarray(9));
  assert.deepEqual(part, { id: 1, firstVertex: 3, firstEdge: 3, firstFace: 1, vertices: 3, edges: 3, faces: 1 });
  const step = scene.step([3, 4, 5], x1.subarray(9));
  assert.deepEqual(step.earliest(), first);
  const { alpha, x } = step.advance(0.9);
  assert.ok(alpha > 0.4 && alpha < 0.5 && x.length === 9);
  scene.commitProven();
  assert.deepEqual(scene.positions().subarray(9), x);
  assert.throws(() => scene.commitProven(), { code: "CCD_E_ARGUMENT" });
  scene.check();
  assert.deepEqual(scene.state(), { known: 6, crossings: 0 });
  scene.commit(Int32Array.of(3), x0.subarray(9, 12));
  scene.reset(x0);
  assert.deepEqual(scene.positions(), x0);
  scene.remove(0);
  assert.deepEqual([scene.parts().map((p) => p.id), scene.vertices], [[1], 6]);
});

test("a list serves calls nearby", () => {
  const list = new ccd.Neighbors(mesh, x0, 3);
  assert.deepEqual(list.near(x0, 1.5), ccd.near(mesh, x0, 1.5));
  list.step(x0, x0).earliest();
  const { reach, pairs, builds, served } = list.report();
  assert.ok(reach === 3 && pairs > 0 && builds === 1 && served > 0);
});

test("errors name the argument", () => {
  const step = new ccd.Step(mesh, x0, x1);
  for (const [call, kind, text] of [
    [() => new ccd.Motion(5), TypeError, "motion is 5: must be an object with vertices, degree"],
    [() => new ccd.Motion({ vertices: 6, degree: 1, points: [] }), TypeError, "motion.points is not known"],
    [() => new ccd.Motion({ vertices: 6, degree: 9, control: [] }), RangeError, "degree is 9: must be an integer from 1 to 5"],
    [() => new ccd.Motion({ vertices: 6, degree: 1, control: x0 }), CcdError, "control has 18 numbers"],
    [() => ccd.Motion.rigid(x0, { rotation: [1, 0] }), TypeError, "body.rotation is Array: must be 4 numbers"],
    [() => ccd.Motion.skinned(x0, {}, []), TypeError, "bones is Object: must be an array of rigid motions"],
    [() => bent.at(2), CcdError, "t is 2: must be in [0, 1]"],
    [() => bent.cut([1]), CcdError, "ends has 1 items"],
    [() => new ccd.Step(mesh, x0), TypeError, "x1 is undefined"],
    [() => new ccd.Step(straight, mesh), TypeError, "mesh is Motion: must be a Mesh"],
    [() => new ccd.Step(new ccd.Mesh({ vertices: 2 }), straight).earliest(), CcdError, "motion has 6 vertices: the mesh has 2"],
    [() => new ccd.Neighbors(mesh, x0, 0), CcdError, "reach is 0"],
    [() => new ccd.Neighbors(mesh, x0, 0.5).step(x0, x1).earliest({ minSeparation: 1 }), CcdError, "options.minSeparation is 1"],
    [() => step.pairs("vertex-face", [[9, 0]]), CcdError, "pairs[0][0] is 9"],
    [() => step.pairs("edge-face", [[0, 0]]), TypeError, 'kind is "edge-face": must be "vertex-face"'],
    [() => step.visit(5), TypeError, "visit is 5: must be a function"],
    [() => step.gradients(first), TypeError, "impacts is Object: must be an array of impacts"],
    [() => step.gradients([{ ...first, a: 7 }]), CcdError, "impacts[0].a is 7"],
    [() => step.intervals({ checkStart: true }), CcdError, "options.checkStart"],
    [() => new ccd.Scene(mesh, x0).step([3], x1).earliest(), CcdError, "x1 has 18"],
    [() => new ccd.Scene(mesh, x0).remove(4), CcdError, "part is 4"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof kind, String(error));
      assert.ok(error.message.includes(text), error.message);
      return true;
    });
  }
  const freed = new ccd.Motion({ vertices: 6, degree: 1, control: [...x0, ...x1] });
  const held = new ccd.Step(mesh, freed);
  freed.free();
  assert.throws(() => freed.at(0), { code: "CCD_E_HANDLE", message: "motion was freed" });
  assert.equal(held.earliest().toiLo, 0.5); // the step holds it
});
