// What goes to WebAssembly and what comes back: arguments, options, results. The other side is bindings/js/wasm/values.go.

export const KINDS = ["", "vertex-face", "edge-edge", "point-edge", "point-point", "edge-face"];
export const QUERY_KINDS = KINDS.slice(0, 5); // of pairs that move: an edge and a face meet in one frame only
export const VERDICTS = ["undecided", "separate", "contact"];
const METHODS = ["default", "tight-inclusion", "time-contracted", "exact"];
const NORMS = ["default", "max", "euclidean"];
const STATES = ["undetermined", "defined", "no-impact", "initial", "grazing", "tie", "border"]; // of a gradient
const CAUSES = ["none", "meeting", "too-short", "crossing", "touching", "radii", "separation", "undecided"]; // of a step that is short
const CERTIFIED = 1, INITIAL_CONTACT = 2, INTERSECTING = 4, FINAL_CONTACT = 16; // flags of impacts and intervals
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

export const shown = (value) => (typeof value === "string" ? JSON.stringify(value) : value === null || typeof value !== "object" ? String(value) : value.constructor?.name ?? "an object");
export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The memory of an array of numbers as doubles. Arrays of rows, [[0, 0, 1], ...], are one after the other. */
export function doubles(name, value) {
  if (value instanceof Float64Array) return bytesOf(value);
  if (value instanceof Float32Array) return bytesOf(Float64Array.from(value));
  if (!Array.isArray(value)) throw new TypeError(`${name} is ${shown(value)}: must be a Float64Array, a Float32Array or an array of numbers`);
  return bytesOf(Float64Array.from(flat(name, value), (x, i) => {
    if (typeof x !== "number") throw new TypeError(`${name}: number ${i} is ${shown(x)}: must be a number`);
    return x;
  }));
}

/** The memory of an array of indices as 32-bit integers. */
export function integers(name, value) {
  if (value instanceof Int32Array) return bytesOf(value);
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    throw new TypeError(`${name} is ${shown(value)}: must be an Int32Array, another typed array or an array of integers`);
  }
  return bytesOf(Int32Array.from(Array.isArray(value) ? flat(name, value) : value, (x, i) => {
    if (!Number.isInteger(x) || x < -(2 ** 31) || x >= 2 ** 31) throw new TypeError(`${name}: number ${i} is ${shown(x)}: must be an integer of 32 bits`);
    return x;
  }));
}

/** An array of rows as an array of numbers: rows of coordinates and of faces have 3, of edges and pairs 2, of weights as many as the first. */
function flat(name, value) {
  if (!value.some((row) => typeof row === "object" && row !== null)) return value;
  const width = { edges: 2, pairs: 2, weights: value[0]?.length }[name] ?? 3;
  value.forEach((row, i) => {
    if (typeof row !== "object" || row === null || typeof row.length !== "number") throw new TypeError(`${name}[${i}] is ${shown(row)}: must be a row of ${width} numbers, as all others`);
    if (row.length !== width) throw new TypeError(`${name}[${i}] has ${row.length} numbers: must have ${width}${rowRemedy(name, row.length)}`);
  });
  return value.flatMap((row) => Array.from(row));
}

const rowRemedy = (name, length) => name === "faces" && length === 4 ? "; split each quadrilateral into two triangles"
  : name !== "faces" && name !== "edges" && name !== "pairs" && length === 2 ? "; in the plane, add a third number 0 to each row" : "";

export function numberOf(name, value) {
  if (typeof value !== "number") throw new TypeError(`${name} is ${shown(value)}: must be a number${name === "share" && typeof value === "object" ? "; options come after it, as in advance(1, options)" : ""}`);
  return value;
}

/** An integer in [least, most]. */
export function wholeOf(name, value, least, most) {
  if (!Number.isInteger(numberOf(name, value)) || value < least || value > most) throw new RangeError(`${name} is ${value}: must be an integer from ${least} to ${most}`);
  return value;
}

/** The parts of an object, whose names are known. */
export function partsOf(what, given, names) {
  if (typeof given !== "object" || given === null || Array.isArray(given) || ArrayBuffer.isView(given)) {
    throw new TypeError(`${what} is ${shown(given)}: must be an object with ${names.join(", ")}`);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`${what}.${unknown} is not known: those are ${names.join(", ")}`);
  return given;
}

/** A rigid motion as 16 numbers: rotation w, x, y, z, position, velocity, angular velocity and pivot. */
export function rigid(what, given) {
  const parts = partsOf(what, given, ["rotation", "position", "velocity", "angularVelocity", "pivot"]);
  return [["rotation", [1, 0, 0, 0]], ["position", [0, 0, 0]], ["velocity", [0, 0, 0]], ["angularVelocity", [0, 0, 0]], ["pivot", [0, 0, 0]]].flatMap(([name, rest]) => {
    const list = Array.from(parts[name] ?? rest);
    if (list.length !== rest.length || list.some((x) => typeof x !== "number")) throw new TypeError(`${what}.${name} is ${shown(parts[name])}: must be ${rest.length} numbers`);
    return list;
  });
}

export function oneOf(name, value, names) {
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

/** The option that a name in another case or with underscores means. */
function meant(name) {
  const plain = (text) => text.replace(/[-_]/g, "").toLowerCase(), near = Object.keys(OPTIONS).find((known) => plain(known) === plain(name));
  return near ? `; ${near} is` : "";
}

export function optionsOf(given) {
  const options = { ...DEFAULTS };
  if (given === undefined) return options;
  if (typeof given !== "object" || given === null) throw new TypeError(`options is ${shown(given)}: must be an object`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(`options.${name} is not an option${meant(name)}: those are ${Object.keys(OPTIONS).join(", ")}`);
    if (value !== undefined) options[name] = OPTIONS[name](value, `options.${name}`);
  }
  return options;
}

// The texts of errors have the names of the C interface.
const FLAG_NAMES = { CCD_CHECK_START: "checkStart", CCD_APART_AT_TOI: "apartAtToi", CCD_NORM_MAX: '"max"' };
export function translated(text) {
  return text.replace(/options\.flags has (CCD_\w+)/g, (_, flag) => `options.${FLAG_NAMES[flag] ?? flag}`)
    .replace(/options\.(\w+)/g, (_, name) => `options.${name.replace(/_(\w)/g, (_, c) => c.toUpperCase())}`)
    .replace(/CCD_[A-Z_]+/g, (name) => FLAG_NAMES[name] ?? name).replace(/make it with NewMesh/, "make it with new Mesh");
}

// ---- results

/** Splits rows of numbers into objects. */
export function records(numbers, width, record) {
  const out = new Array(numbers.length / width);
  for (let i = 0; i < out.length; i++) out[i] = record(numbers.subarray(width * i, width * (i + 1)));
  return out;
}

const reasonOf = (flags) => REASONS[[2048, 256, 512, 1024].find((flag) => (flags & flag) !== 0)] ?? null;

export function impact(r) {
  const flags = r[15];
  return {
    verdict: VERDICTS[r[0]], reason: reasonOf(flags), kind: r[1] === 0 ? null : KINDS[r[1]], a: r[2], b: r[3], toiLo: r[4], toiHi: r[5], u: r[6], v: r[7],
    point: Array.from(r.subarray(8, 11)), normal: Array.from(r.subarray(11, 14)), width: r[14],
    certified: (flags & CERTIFIED) !== 0, initialContact: (flags & INITIAL_CONTACT) !== 0, intersecting: (flags & INTERSECTING) !== 0,
  };
}

export const constraint = (r) => ({ ...impact(r), vertices: Array.from(r.subarray(16, 20)), weights: Array.from(r.subarray(20, 24)), gap: r[24], separation: r[25] });
export const nearPair = (r) => ({
  kind: r[0] === 0 ? null : KINDS[r[0]], a: r[1], b: r[2], lo: r[3], hi: r[4], u: r[5], v: r[6],
  pointA: Array.from(r.subarray(7, 10)), pointB: Array.from(r.subarray(10, 13)),
});
export const interval = (r) => ({
  kind: KINDS[r[0]], a: r[1], b: r[2], enter: r[3], exit: r[4], sideBefore: r[5], sideAfter: r[6],
  initialContact: (r[7] & INITIAL_CONTACT) !== 0, finalContact: (r[7] & FINAL_CONTACT) !== 0,
});
export const clearance = (r) => ({
  kind: r[0] === 0 ? null : KINDS[r[0]], a: r[1], b: r[2], time: r[3], lo: r[4], hi: r[5], u: r[6], v: r[7],
  pointA: [r[8], r[9], r[10]], pointB: [r[11], r[12], r[13]], normal: [r[14], r[15], r[16]], epsilon: r[17],
});

// Pairs that limit a step: six numbers each, of which the last is the number of vertices, and these.
function limits(list) {
  const found = [];
  for (let at = 0; at < list.length; at += 6 + list[at + 5]) {
    const [cause, toiLo, kind, a, b, n] = list.subarray(at, at + 6);
    found.push({ cause: CAUSES[cause], toiLo, kind: KINDS[kind], a, b, vertices: Array.from(list.subarray(at + 6, at + 6 + n)) });
  }
  return found;
}

// A pair of n vertices: their numbers, their places at the start, then at the end.
export function why({ row: r, pair, others, text }) {
  const ours = text.replace(/activeset/g, "activeSet").replace(/\b([a-z]+)_([a-z])([a-z]+)\b/g, (_, a, b, c) => `${a}${b.toUpperCase()}${c}`); // names of calls and options
  const n = pair.length / 7, places = (at) => Array.from({ length: n }, (_, i) => Array.from(pair.subarray(at + 3 * i, at + 3 * i + 3)));
  return {
    impact: impact(r), cause: CAUSES[r[16]], alpha: r[17], distanceLo: r[18], distanceHi: r[19], separation: r[20], radius: [r[21], r[22]], initial: r[23],
    vertices: Array.from(pair.subarray(0, n)), rings: r[24], same: r[25] < 0 ? null : [r[25], r[26]], x0: places(n), x1: places(4 * n),
    atStart: { crossing: r[27], touching: r[28], radii: r[29], separation: r[30] }, others: limits(others), text: ours,
  };
}

const vectors = (r, at) => [0, 3, 6, 9].map((i) => Array.from(r.subarray(at + i, at + i + 3)));
export const gradient = (r) => ({
  state: STATES[r[0]], kind: r[1] === 0 ? null : KINDS[r[1]], x0: vectors(r, 2), x1: vectors(r, 14), toi: r[26], conditioning: r[27],
  weights: Array.from(r.subarray(28, 32)), normal: Array.from(r.subarray(32, 35)), vertices: Array.from(r.subarray(35, 39)),
});
