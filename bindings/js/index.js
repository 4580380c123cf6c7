// ccd-toi: continuous collision detection in WebAssembly. index.d.ts describes the interface; bindings/js/wasm is the other side.

const KINDS = ["", "vertex-face", "edge-edge", "point-edge", "point-point", "edge-face"];
const VERDICTS = ["undecided", "separate", "contact"];
const METHODS = ["default", "tight-inclusion", "time-contracted", "exact"];
const NORMS = ["default", "max", "euclidean"];
const CERTIFIED = 1, INITIAL_CONTACT = 2, INTERSECTING = 4; // flags of an impact
const REASONS = { 2048: "area", 256: "iterations", 512: "memory", 1024: "coarse" }; // flags that say why it is undecided

/** An error of the library: `code` is the name of its kind in C, such as "CCD_E_INDEX". */
export class CcdError extends Error {
  constructor(message, code) {
    super(message);
    this.name = "CcdError";
    this.code = code;
  }
}

// ---- arguments

const shown = (value) => (typeof value === "string" ? JSON.stringify(value) : value === null || typeof value !== "object" ? String(value) : value.constructor?.name ?? "an object");
const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The memory of an array of numbers as doubles. Arrays of rows, [[0, 0, 1], ...], are one after the other. */
function doubles(name, value) {
  if (value instanceof Float64Array) return bytesOf(value);
  if (value instanceof Float32Array) return bytesOf(Float64Array.from(value));
  if (!Array.isArray(value)) throw new TypeError(`${name} is ${shown(value)}: must be a Float64Array, a Float32Array or an array of numbers`);
  return bytesOf(Float64Array.from(flat(name, value), (x, i) => {
    if (typeof x !== "number") throw new TypeError(`${name}: number ${i} is ${shown(x)}: must be a number`);
    return x;
  }));
}

/** The memory of an array of indices as 32-bit integers. */
function integers(name, value) {
  if (value instanceof Int32Array) return bytesOf(value);
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    throw new TypeError(`${name} is ${shown(value)}: must be an Int32Array, another typed array or an array of integers`);
  }
  return bytesOf(Int32Array.from(Array.isArray(value) ? flat(name, value) : value, (x, i) => {
    if (!Number.isInteger(x) || x < -(2 ** 31) || x >= 2 ** 31) throw new TypeError(`${name}: number ${i} is ${shown(x)}: must be an integer of 32 bits`);
    return x;
  }));
}

/** An array of rows as an array of numbers: rows of coordinates have 3, of faces 3, of edges and pairs 2. */
function flat(name, value) {
  if (!value.some((row) => typeof row === "object" && row !== null)) return value;
  const width = name === "edges" || name === "pairs" ? 2 : 3;
  value.forEach((row, i) => {
    if (typeof row !== "object" || row === null || row.length !== width) throw new TypeError(`${name}[${i}] is ${shown(row)}: must have ${width} numbers, as all rows`);
  });
  return value.flatMap((row) => Array.from(row));
}

function numberOf(name, value) {
  if (typeof value !== "number") throw new TypeError(`${name} is ${shown(value)}: must be a number`);
  return value;
}

function oneOf(name, value, names) {
  const i = names.indexOf(value);
  if (i < 0 || value === "") throw new TypeError(`${name} is ${shown(value)}: must be ${names.filter(Boolean).map((n) => JSON.stringify(n)).join(", ")}`);
  return i;
}

const OPTIONS = {
  minSeparation: (v, n) => numberOf(n, v),
  norm: (v, n) => oneOf(n, v, NORMS),
  tMax: (v, n) => {
    if (!(numberOf(n, v) > 0)) throw new RangeError(`${n} is ${v}: must be in (0, 1]`);
    return v;
  },
  method: (v, n) => oneOf(n, v, METHODS),
  tolerance: (v, n) => {
    if (!(numberOf(n, v) > 0)) throw new RangeError(`${n} is ${v}: must be positive`);
    return v;
  },
  maxIterations: (v, n) => {
    if (v === Infinity) return -1;
    if (!(Number.isInteger(numberOf(n, v)) && v >= 1 && v <= 2 ** 53)) throw new RangeError(`${n} is ${v}: must be an integer of at least 1, or Infinity`);
    return v;
  },
  memoryLimit: (v, n) => {
    if (!(Number.isInteger(numberOf(n, v)) && v >= 0 && v <= 2 ** 53)) throw new RangeError(`${n} is ${v}: must be a number of bytes; 0 is no limit`);
    return v;
  },
  progress: (v, n) => {
    if (typeof v !== "function") throw new TypeError(`${n} is ${shown(v)}: must be a function`);
    return v;
  },
  stats: (v, n) => {
    if (typeof v !== "object" || v === null) throw new TypeError(`${n} is ${shown(v)}: must be an object, which receives the statistics`);
    return v;
  },
};
for (const flag of ["noZeroToi", "bruteForce", "checkStart", "apartAtToi"]) {
  OPTIONS[flag] = (v, n) => {
    if (typeof v !== "boolean") throw new TypeError(`${n} is ${shown(v)}: must be true or false`);
    return v;
  };
}
const DEFAULTS = {
  minSeparation: 0, norm: 0, tMax: 0, method: 0, tolerance: 0, maxIterations: 0, memoryLimit: 0,
  noZeroToi: false, bruteForce: false, checkStart: false, apartAtToi: false,
};

function optionsOf(given) {
  const options = { ...DEFAULTS };
  if (given === undefined) return options;
  if (typeof given !== "object" || given === null) throw new TypeError(`options is ${shown(given)}: must be an object`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(`options.${name} is not an option: those are ${Object.keys(OPTIONS).join(", ")}`);
    if (value !== undefined) options[name] = OPTIONS[name](value, `options.${name}`);
  }
  return options;
}

// The texts of errors have the names of the C interface.
const FLAG_NAMES = { CCD_CHECK_START: "checkStart", CCD_APART_AT_TOI: "apartAtToi", CCD_NORM_MAX: '"max"' };
function translated(text) {
  return text.replace(/options\.flags has (CCD_\w+)/g, (_, flag) => `options.${FLAG_NAMES[flag] ?? flag}`)
    .replace(/options\.(\w+)/g, (_, name) => `options.${name.replace(/_(\w)/g, (_, c) => c.toUpperCase())}`)
    .replace(/CCD_[A-Z_]+/g, (name) => FLAG_NAMES[name] ?? name).replace(/make it with NewMesh/, "make it with new Mesh");
}

// ---- results

/** Splits rows of numbers into objects. */
function records(numbers, width, record) {
  const out = new Array(numbers.length / width);
  for (let i = 0; i < out.length; i++) out[i] = record(numbers.subarray(width * i, width * (i + 1)));
  return out;
}

const reasonOf = (flags) => REASONS[[2048, 256, 512, 1024].find((flag) => (flags & flag) !== 0)] ?? null;

function impact(r) {
  const flags = r[15];
  return {
    verdict: VERDICTS[r[0]], reason: reasonOf(flags), kind: KINDS[r[1]], a: r[2], b: r[3], toiLo: r[4], toiHi: r[5], u: r[6], v: r[7],
    point: Array.from(r.subarray(8, 11)), normal: Array.from(r.subarray(11, 14)), width: r[14],
    certified: (flags & CERTIFIED) !== 0, initialContact: (flags & INITIAL_CONTACT) !== 0, intersecting: (flags & INTERSECTING) !== 0,
  };
}

const constraint = (r) => ({ ...impact(r), vertices: Array.from(r.subarray(16, 20)), weights: Array.from(r.subarray(20, 24)), gap: r[24] });
const nearPair = (r) => ({
  kind: r[0] === 0 ? null : KINDS[r[0]], a: r[1], b: r[2], lo: r[3], hi: r[4], u: r[5], v: r[6],
  pointA: Array.from(r.subarray(7, 10)), pointB: Array.from(r.subarray(10, 13)),
});

// ---- loading

let Go; // class of wasm_exec.js, which comes from the Go distribution

async function runtime() {
  if (Go) return;
  if (!globalThis.crypto) globalThis.crypto = (await import("node:crypto")).webcrypto; // Node.js 18
  const other = globalThis.Go;
  await import("./wasm_exec.js");
  Go = globalThis.Go;
  if (other === undefined) delete globalThis.Go;
  else globalThis.Go = other; // another Go program on the page may be of another version
}

async function moduleOf(source) {
  if (source instanceof WebAssembly.Module) return source;
  source = await source;
  if (source === undefined) {
    const url = new URL("ccd.wasm", import.meta.url);
    if (url.protocol === "file:" && typeof process === "object" && process.versions?.node) {
      source = await (await import("node:fs/promises")).readFile(url);
    } else source = url;
  }
  if (typeof source === "string" || source instanceof URL) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`source: ${source} cannot be loaded: ${response.status} ${response.statusText}`);
    source = response;
  }
  if (typeof Response === "function" && source instanceof Response) source = await source.arrayBuffer();
  if (!(source instanceof ArrayBuffer || ArrayBuffer.isView(source))) {
    throw new TypeError(`source is ${shown(source)}: must be a URL, a Response, the bytes of ccd.wasm or a WebAssembly.Module`);
  }
  return WebAssembly.compile(source);
}

let loads = 0;

/** Go's timers must not wake an instance that has ended. */
function silence(go) {
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
}

export async function load(source, { Go: given } = {}) {
  if (given) Go = given;
  await runtime();
  const module = await moduleOf(source);
  const go = new Go(), key = `ccd-toi ${++loads}`;
  const ready = new Promise((resolve) => (globalThis[key] = resolve));
  go.argv = ["ccd", key];
  const state = { ended: false, text: "" };
  let instance;
  // What Go's runtime says before it ends is for the error of the call, not for the console.
  go.exit = () => silence(go);
  const decoder = new TextDecoder();
  go.importObject.gojs["runtime.wasmWrite"] = (sp) => {
    const { buffer } = instance.exports.mem, view = new DataView(buffer, sp >>> 0);
    state.text += decoder.decode(new Uint8Array(buffer, Number(view.getBigInt64(16, true)), view.getInt32(24, true)));
  };
  instance = await WebAssembly.instantiate(module, go.importObject);
  const end = go.run(instance).then(() => (state.ended = true));
  const native = await Promise.race([ready, end]);
  delete globalThis[key];
  if (state.ended) throw new Error(`the WebAssembly instance ended before it was ready: ${state.text.split("\n", 1)[0]}`);
  return bind(native, go, state);
}

function bind(native, go, state) {
  let thrown = null; // what a progress callback threw

  function call(name, ...args) {
    let answer = null;
    if (!state.ended && !go.exited) {
      try {
        answer = native[name](...args);
      } catch (error) { // the engine stopped it: its stack is exhausted, or the module is broken
        state.text = `${error}\n${state.text}`;
      }
    }
    if (!answer) {
      state.ended = true;
      silence(go);
      const why = state.text.split("\n", 1)[0], memory = /out of memory/.test(why);
      throw new CcdError(`the WebAssembly instance has ended; call load() again: ${why}`, memory ? "CCD_E_MEMORY" : "CCD_E_INTERNAL");
    }
    if (thrown) {
      const { error } = thrown;
      thrown = null;
      throw error;
    }
    if (answer.error !== undefined) throw new CcdError(translated(answer.error), answer.code);
    return answer.value;
  }

  // An exception of a callback ends the call, and is thrown again where the call returns.
  function prepared(given) {
    const options = optionsOf(given), { progress } = options;
    if (progress) {
      options.progress = (fraction) => {
        try {
          return progress(fraction) === true;
        } catch (error) {
          thrown = { error };
          return true;
        }
      };
    }
    return options;
  }

  const gone = new FinalizationRegistry(({ free, id }) => {
    if (!state.ended && !go.exited) native[free](id);
  });

  /** What is freed with its object, or before by free(). */
  class Held {
    #id;
    #free;
    constructor(id, free) {
      this.#id = id;
      this.#free = free;
      gone.register(this, { free, id }, this);
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
      if (!state.ended && !go.exited) call(this.#free, id);
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
      call("setStatic", Held.id("mesh", this, Mesh), isStatic == null ? undefined : Uint8Array.from(isStatic, (x) => (x ? 1 : 0)));
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

  const step = (mesh, x0, x1, options) => [Held.id("mesh", mesh, Mesh), 0, doubles("x0", x0), doubles("x1", x1), prepared(options)];

  class Candidates extends Held {
    constructor(mesh, x0, x1, options) {
      super(call("candidatesCreate", ...step(mesh, x0, x1, options)), "candidatesFree");
      Object.freeze(this);
    }
    #step(x0, x1, options) {
      return [0, Held.id("candidates", this, Candidates), doubles("x0", x0), doubles("x1", x1), prepared(options)];
    }
    count(kind) {
      return call("candidatesCount", Held.id("candidates", this, Candidates), oneOf("kind", kind, KINDS));
    }
    pairs(kind) {
      return call("candidatesPairs", Held.id("candidates", this, Candidates), oneOf("kind", kind, KINDS));
    }
    earliest(x0, x1, options) {
      return impact(call("earliest", ...this.#step(x0, x1, options)));
    }
    collisions(x0, x1, options) {
      return records(call("collisions", ...this.#step(x0, x1, options)), 16, impact);
    }
    size(x0, x1, options) {
      return call("size", ...this.#step(x0, x1, options));
    }
    advance(x0, x1, share = 1, options = undefined) {
      return call("advance", ...this.#step(x0, x1, options), numberOf("share", share));
    }
  }

  const rest = (mesh, x, options) => [Held.id("mesh", mesh, Mesh), doubles("x", x), prepared(options)];
  const pairs = (kind, q, options) => records(call("pairs", oneOf("kind", kind, KINDS), doubles("q", q), prepared(options)), 16, impact);

  return Object.freeze({
    Mesh,
    Candidates,
    earliest: (mesh, x0, x1, options) => impact(call("earliest", ...step(mesh, x0, x1, options))),
    collisions: (mesh, x0, x1, options) => records(call("collisions", ...step(mesh, x0, x1, options)), 16, impact),
    size: (mesh, x0, x1, options) => call("size", ...step(mesh, x0, x1, options)),
    advance: (mesh, x0, x1, share = 1, options = undefined) => call("advance", ...step(mesh, x0, x1, options), numberOf("share", share)),
    activeSet: (mesh, x0, x1, options) => records(call("activeSet", ...step(mesh, x0, x1, options)), 25, constraint),
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
