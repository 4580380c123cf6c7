// The classes and functions of an instance of WebAssembly: they check types and pass arguments on.
import {
  CcdError, KINDS, QUERY_KINDS, VERDICTS, bytesOf, constraint, doubles, gradient, impact, integers, interval, clearance, nearPair, numberOf, oneOf, optionsOf,
  partsOf, records, rigid, shown, wholeOf, why,
} from "./values.js";

/** The number of an object that exists already. */
class Id {
  constructor(id) {
    this.id = id;
  }
}

/**
 * The interface of an instance. call(name, ...) calls a function of WebAssembly, guarded(callback) is a callback for it, and free(name, id) frees an
 * object if the instance still runs.
 */
export function classes({ call, guarded, free }) {
  function prepared(given) {
    const options = optionsOf(given);
    if (options.progress) options.progress = guarded(options.progress);
    return options;
  }

  const gone = new FinalizationRegistry(({ name, id }) => free(name, id));

  /** What is freed with its object, or before by free(). */
  class Held {
    #id;
    #free;
    constructor(id, name) {
      this.#id = id;
      this.#free = name;
      gone.register(this, { name, id }, this);
    }
    static id(name, object, type) {
      if (!(object instanceof type)) throw new TypeError(`${name} is ${shown(object)}: must be a ${type.name} of the same instance`);
      if (object.#id === 0) throw new CcdError(`${name} was freed`, "CCD_E_HANDLE");
      return object.#id;
    }
    free() {
      if (this.#id === 0) return;
      gone.unregister(this);
      const id = this.#id;
      this.#id = 0;
      free(this.#free, id);
    }
  }

  class Mesh extends Held {
    constructor(parts, ...more) {
      if (typeof parts !== "object" || parts === null || Array.isArray(parts) || ArrayBuffer.isView(parts) || more.length) {
        const given = more.length ? `${more.length + 1} arguments` : shown(parts);
        throw new TypeError(`new Mesh was given ${given}: must be one object, such as { vertices: 6, faces: [[0, 1, 2], [3, 4, 5]] }`);
      }
      const { vertices, faces = [], edges, ...others } = parts;
      const unknown = Object.keys(others)[0];
      if (unknown !== undefined) throw new TypeError(`${unknown} is not a part of a mesh: those are vertices, faces, edges`);
      if (!Number.isInteger(vertices)) throw new TypeError(`vertices is ${shown(vertices)}: must be the number of vertices`);
      if (vertices < 0 || vertices >= 2 ** 31) throw new RangeError(`vertices is ${vertices}: must be in [0, ${2 ** 31 - 1}]`);
      const list = edges === undefined ? undefined : integers("edges", edges);
      super(call("meshCreate", vertices, list, integers("faces", faces)), "meshFree");
      this.vertices = vertices;
      Object.freeze(this);
    }
    get edges() {
      return call("meshEdges", Held.id("mesh", this, Mesh));
    }
    get faces() {
      return call("meshFaces", Held.id("mesh", this, Mesh));
    }
    groupOf(vertices) {
      return call("meshGroupOf", Held.id("mesh", this, Mesh), integers("vertices", vertices));
    }
    setGroups(group) {
      call("setGroups", Held.id("mesh", this, Mesh), group == null ? undefined : integers("group", group));
    }
    setComponentGroups() {
      call("setComponentGroups", Held.id("mesh", this, Mesh));
    }
    setStatic(isStatic) {
      if (isStatic != null && !Array.isArray(isStatic) && !(isStatic instanceof Uint8Array)) {
        throw new TypeError(`isStatic is ${shown(isStatic)}: must be an array of booleans or a Uint8Array`);
      }
      const flags = isStatic == null ? undefined : Uint8Array.from(isStatic, (x, i) => {
        if (typeof x !== "boolean" && x !== 0 && x !== 1) throw new TypeError(`isStatic[${i}] is ${shown(x)}: must be true or false; for indices make Array.from({ length: mesh.vertices }, (_, i) => indices.includes(i))`);
        return x ? 1 : 0;
      });
      call("setStatic", Held.id("mesh", this, Mesh), flags);
    }
    setRadii(radius) {
      call("setRadii", Held.id("mesh", this, Mesh), radius == null ? undefined : doubles("radius", radius));
    }
    setExcluded(kind, pairs) {
      call("setExcluded", Held.id("mesh", this, Mesh), oneOf("kind", kind, KINDS), integers("pairs", pairs));
    }
    excludeNear(rest, rings, options) {
      const x = rest == null ? undefined : doubles("rest", rest);
      if (rings !== undefined && !(Number.isInteger(rings) && rings >= 0 && rings <= 64)) throw new RangeError(`rings is ${shown(rings)}: must be 0 to 64`);
      return call("excludeNear", Held.id("mesh", this, Mesh), x, rings ?? 0, prepared(options));
    }
  }

  const some = (name, value) => (value == null ? undefined : doubles(name, value));

  class Motion extends Held {
    constructor(parts) {
      if (parts instanceof Id) super(parts.id, "motionFree");
      else {
        const { vertices, degree, times, control, radius } = partsOf("motion", parts, ["vertices", "degree", "times", "control", "radius"]);
        const [n, d] = [wholeOf("vertices", vertices, 1, 2 ** 31 - 1), wholeOf("degree", degree, 1, 5)];
        super(call("motionCreate", n, d, some("times", times), doubles("control", control), some("radius", radius)), "motionFree");
      }
      Object.assign(this, call("motionCounts", Held.id("motion", this, Motion)));
      Object.freeze(this);
    }
    static accelerated(x, v, a) {
      return new Motion(new Id(call("motionAccelerated", doubles("x", x), doubles("v", v), doubles("a", a))));
    }
    static hermite(parts) {
      const { vertices, times, x, v } = partsOf("motion", parts, ["vertices", "times", "x", "v"]);
      const n = wholeOf("vertices", vertices, 1, 2 ** 31 - 1);
      return new Motion(new Id(call("motionHermite", n, some("times", times), doubles("x", x), doubles("v", v))));
    }
    static bSpline(parts) {
      const { vertices, degree, knots, control } = partsOf("motion", parts, ["vertices", "degree", "knots", "control"]);
      const [n, d] = [wholeOf("vertices", vertices, 1, 2 ** 31 - 1), wholeOf("degree", degree, 1, 5)];
      return new Motion(new Id(call("motionBSpline", n, d, doubles("knots", knots), doubles("control", control))));
    }
    static affine(parts) {
      const { degree, x, matrix, offset } = partsOf("motion", parts, ["degree", "x", "matrix", "offset"]);
      return new Motion(new Id(call("motionAffine", wholeOf("degree", degree, 1, 5), doubles("x", x), doubles("matrix", matrix), doubles("offset", offset))));
    }
    static rigid(x, body, fit = {}) {
      const { degree = 0, pieces = 0 } = partsOf("fit", fit, ["degree", "pieces"]);
      const numbers = bytesOf(Float64Array.from(rigid("body", body)));
      return new Motion(new Id(call("motionRigid", doubles("x", x), numbers, wholeOf("degree", degree, 0, 5), wholeOf("pieces", pieces, 0, 2 ** 20))));
    }
    static skinned(x, bones, weights, fit = {}) {
      if (!Array.isArray(bones)) throw new TypeError(`bones is ${shown(bones)}: must be an array of rigid motions`);
      const { degree = 0, pieces = 0 } = partsOf("fit", fit, ["degree", "pieces"]);
      const numbers = bytesOf(Float64Array.from(bones.flatMap((bone, i) => rigid(`bones[${i}]`, bone))));
      const [d, p] = [wholeOf("degree", degree, 0, 5), wholeOf("pieces", pieces, 0, 2 ** 20)];
      return new Motion(new Id(call("motionSkinned", doubles("x", x), numbers, doubles("weights", weights), d, p)));
    }
    at(t) {
      return call("motionAt", Held.id("motion", this, Motion), numberOf("t", t));
    }
    cut(ends) {
      return new Motion(new Id(call("motionCut", Held.id("motion", this, Motion), doubles("ends", ends))));
    }
  }

  /** The number of a new step of an object: on paths where the next argument is a motion, else from x0 to x1. */
  function stepOf(of, x0, x1) {
    const name = of instanceof Candidates ? "candidates" : "mesh";
    const id = Held.id(name, of, name === "candidates" ? Candidates : Mesh);
    const [straight, curved] = name === "candidates" ? ["stepOfCandidates", "stepOfCandidatesOn"] : ["stepCreate", "stepOfMotion"];
    return x0 instanceof Motion ? call(curved, id, Held.id("motion", x0, Motion)) : call(straight, id, doubles("x0", x0), doubles("x1", x1));
  }

  class Step extends Held {
    constructor(of, x0, x1) {
      super(of instanceof Id ? of.id : stepOf(of, x0, x1), "stepFree");
      Object.freeze(this);
    }
    #call(name, options, ...more) {
      return call(name, Held.id("step", this, Step), prepared(options), ...more);
    }
    between(a, b) {
      const lists = (name, group) => {
        const parts = partsOf(name, group, ["vertices", "edges", "faces"]);
        return ["vertices", "edges", "faces"].map((of) => integers(`${name}.${of}`, parts[of] ?? []));
      };
      return new Step(new Id(call("stepBetween", Held.id("step", this, Step), ...lists("a", a), ...lists("b", b))));
    }
    earliest(options) {
      return impact(this.#call("earliest", options));
    }
    collisions(options) {
      return records(this.#call("collisions", options), 16, impact);
    }
    firstImpacts(count, options) {
      return records(this.#call("firstImpacts", options, wholeOf("count", numberOf("count", count), 1, 2 ** 31 - 1)), 16, impact);
    }
    visit(visit, options) {
      if (typeof visit !== "function") throw new TypeError(`visit is ${shown(visit)}: must be a function`);
      this.#call("visit", options, guarded((rows) => visit(records(rows, 16, impact))));
    }
    pairs(kind, pairs, options) {
      return records(this.#call("stepPairs", options, oneOf("kind", kind, QUERY_KINDS), integers("pairs", pairs)), 16, impact);
    }
    intervals(options) {
      return records(this.#call("intervals", options), 8, interval);
    }
    pairIntervals(kind, pairs, options) {
      return records(this.#call("pairIntervals", options, oneOf("kind", kind, QUERY_KINDS), integers("pairs", pairs)), 8, interval);
    }
    clearance(options) {
      return clearance(this.#call("clearance", options));
    }
    size(options) {
      return this.#call("size", options);
    }
    advance(share = 1, options = undefined) {
      return this.#call("advance", options, numberOf("share", share));
    }
    sizes(groups = null, options = undefined) {
      return this.#call("sizes", options, groups == null ? undefined : integers("groups", groups));
    }
    lineSearch(keepRatio, options) {
      return this.#call("lineSearch", options, numberOf("keepRatio", keepRatio));
    }
    activeSet(options) {
      return records(this.#call("activeSet", options), 26, constraint);
    }
    why(options) {
      return why(this.#call("why", options));
    }
    gradients(impacts, options) {
      if (!Array.isArray(impacts)) throw new TypeError(`impacts is ${shown(impacts)}: must be an array of impacts`);
      const rows = impacts.flatMap((hit, i) => {
        if (typeof hit !== "object" || hit === null) throw new TypeError(`impacts[${i}] is ${shown(hit)}: must be an impact`);
        const verdict = oneOf(`impacts[${i}].verdict`, hit.verdict, VERDICTS);
        return [verdict, hit.kind === null ? 0 : oneOf(`impacts[${i}].kind`, hit.kind, KINDS), wholeOf(`impacts[${i}].a`, hit.a, -1, 2 ** 31 - 1), wholeOf(`impacts[${i}].b`, hit.b, -1, 2 ** 31 - 1)];
      });
      return records(this.#call("gradients", options, bytesOf(Float64Array.from(rows))), 39, gradient);
    }
  }

  class Candidates extends Held {
    constructor(mesh, x0, x1, options) {
      const id = Held.id("mesh", mesh, Mesh);
      const made = x0 instanceof Motion
        ? call("candidatesOn", id, Held.id("motion", x0, Motion), prepared(x1))
        : call("candidatesCreate", id, doubles("x0", x0), doubles("x1", x1), prepared(options));
      super(made, "candidatesFree");
      Object.freeze(this);
    }
    count(kind) {
      return call("candidatesCount", Held.id("candidates", this, Candidates), oneOf("kind", kind, QUERY_KINDS));
    }
    pairs(kind) {
      return call("candidatesPairs", Held.id("candidates", this, Candidates), oneOf("kind", kind, QUERY_KINDS));
    }
    step(x0, x1) {
      return new Step(this, x0, x1);
    }
  }

  class Neighbors extends Held {
    constructor(mesh, x, reach, options) {
      super(call("neighborsCreate", Held.id("mesh", mesh, Mesh), doubles("x", x), prepared(options), numberOf("reach", reach)), "neighborsFree");
      Object.freeze(this);
    }
    near(x, d, options) {
      return records(call("neighborsNear", Held.id("neighbors", this, Neighbors), doubles("x", x), prepared(options), numberOf("d", d)), 13, nearPair);
    }
    report() {
      return call("neighborsReport", Held.id("neighbors", this, Neighbors));
    }
    step(x0, x1) {
      return new Step(new Id(call("stepOfNeighbors", Held.id("neighbors", this, Neighbors), doubles("x0", x0), doubles("x1", x1))));
    }
  }

  class Scene extends Held {
    constructor(mesh, x0) {
      super(call("sceneCreate", Held.id("mesh", mesh, Mesh), doubles("x0", x0)), "sceneFree");
      Object.freeze(this);
    }
    #call(name, ...more) {
      return call(name, Held.id("scene", this, Scene), ...more);
    }
    get vertices() {
      return this.#call("sceneVertices");
    }
    add(mesh, x) {
      return this.#call("sceneAdd", Held.id("mesh", mesh, Mesh), doubles("x", x));
    }
    remove(part) {
      this.#call("sceneRemove", wholeOf("part", part, 0, 2 ** 31 - 1));
    }
    parts() {
      return this.#call("sceneParts");
    }
    positions() {
      return this.#call("scenePositions");
    }
    step(moved, x1) {
      return new Step(new Id(this.#call("stepOfScene", moved == null ? undefined : integers("moved", moved), doubles("x1", x1))));
    }
    commit(moved, x) {
      this.#call("sceneCommit", moved == null ? undefined : integers("moved", moved), doubles("x", x));
    }
    commitProven() {
      this.#call("sceneCommitProven");
    }
    reset(x) {
      this.#call("sceneReset", doubles("x", x));
    }
    state() {
      return this.#call("sceneState");
    }
    check(options) {
      this.#call("sceneCheck", prepared(options));
    }
  }

  /** What run returns of the step of a mesh that is there for one call. */
  const once = (mesh, x0, x1, run) => {
    const step = new Step(mesh, x0, x1);
    try {
      return run(step);
    } finally {
      step.free();
    }
  };

  const rest = (mesh, x, options) => [Held.id("mesh", mesh, Mesh), doubles("x", x), prepared(options)];
  const pairs = (kind, q, options) => records(call("pairs", oneOf("kind", kind, QUERY_KINDS), doubles("q", q), prepared(options)), 16, impact);

  return Object.freeze({
    Mesh,
    Motion,
    Candidates,
    Neighbors,
    Scene,
    Step,
    earliest: (mesh, x0, x1, options) => once(mesh, x0, x1, (step) => step.earliest(options)),
    earliestBatch: (mesh, x0, x1, options) =>
      records(call("earliestBatch", Held.id("mesh", mesh, Mesh), doubles("x0", x0), doubles("x1", x1), prepared(options)), 16, impact),
    advanceBatch: (mesh, x0, x1, share = 1, options = undefined) => {
      const worlds = call("advanceBatch", Held.id("mesh", mesh, Mesh), doubles("x0", x0), doubles("x1", x1), prepared(options), numberOf("share", share));
      return { ...worlds, impacts: records(worlds.impacts, 16, impact) };
    },
    respond: (mesh, x0, x1, how, options) => {
      const { inverseMass, friction = 0, keep = 0.25, maxRounds = 4 } = partsOf("how", how ?? {}, ["inverseMass", "friction", "keep", "maxRounds"]);
      const masses = inverseMass == null ? undefined : doubles("how.inverseMass", inverseMass);
      const numbers = [numberOf("how.friction", friction), numberOf("how.keep", keep), wholeOf("how.maxRounds", maxRounds, 1, 1000)];
      const found = call("respond", Held.id("mesh", mesh, Mesh), doubles("x0", x0), doubles("x1", x1), prepared(options), masses, ...numbers);
      return { ...found, why: why(found.why) };
    },
    collisions: (mesh, x0, x1, options) => once(mesh, x0, x1, (step) => step.collisions(options)),
    size: (mesh, x0, x1, options) => once(mesh, x0, x1, (step) => step.size(options)),
    advance: (mesh, x0, x1, share = 1, options = undefined) => once(mesh, x0, x1, (step) => step.advance(share, options)),
    pair: (kind, q, options) => {
      const found = pairs(kind, q, options);
      if (found.length !== 1) throw new CcdError(`q has ${q.length} numbers: those of ${found.length} ${kind} queries; pairs() takes many`, "CCD_E_ARGUMENT");
      return { ...found[0], a: -1 };
    },
    pairs,
    intersections: (mesh, x, options) => records(call("intersections", ...rest(mesh, x, options)), 3, (r) => ({ kind: KINDS[r[0]], a: r[1], b: r[2] })),
    intersects: (mesh, x, options) => call("intersects", ...rest(mesh, x, options)),
    near: (mesh, x, d, options) => records(call("near", ...rest(mesh, x, options), numberOf("d", d)), 13, nearPair),
    distance: (mesh, x, options) => nearPair(call("distance", ...rest(mesh, x, options))),
    surface: (file) => {
      if (typeof file === "string") file = new TextEncoder().encode(file);
      if (file instanceof ArrayBuffer) file = new Uint8Array(file);
      if (!ArrayBuffer.isView(file)) throw new TypeError(`file is ${shown(file)}: must be the content of a file: a string, an ArrayBuffer or a typed array`);
      return call("surface", bytesOf(file));
    },
  });
}
