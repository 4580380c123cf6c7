/** ccd-toi: continuous collision detection. See README.md for an example. */

/** Kinds of pairs. "edge-face" is only in results of proximity calls and of `checkStart`, and a kind of `setExcluded`. */
export type Kind = "vertex-face" | "edge-edge" | "point-edge" | "point-point" | "edge-face";
export type QueryKind = Exclude<Kind, "edge-face">;

/** Coordinates: 3 numbers for each vertex, row by row, or an array of rows of 3 numbers. Float32Arrays count as the doubles that equal them. */
export type Coordinates = Float64Array | Float32Array | readonly number[] | readonly ArrayLike<number>[];
/** Indices: row by row, or an array of rows. */
export type Indices = Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array | readonly number[] | readonly ArrayLike<number>[];

/** Statistics of a call. */
export interface Stats {
  boxes: number;
  /** Pairs that the narrow phase tested: vertex-face, edge-edge, point-edge, point-point, edge-face. */
  candidates: [number, number, number, number, number];
  impacts: number;
  undecided: number;
  /** Wall-clock time of the call. */
  seconds: number;
  peakBytes: number;
  /** Plans of boxes that a step was swept with: more than one where `memoryLimit` divides space, or early impacts make a shorter one pay. */
  plans: number;
}

/**
 * Options of a call; all are optional. Proximity calls use `bruteForce`, `memoryLimit`, `progress` and `stats`; `norm: "max"` and `apartAtToi` are
 * an error there.
 */
export interface Options {
  /** A length that pairs must keep. Default 0: contact means touching. */
  minSeparation?: number;
  /** The norm of `minSeparation`. Default: Euclidean. */
  norm?: "default" | "max" | "euclidean";
  /** Only times up to this one count; in (0, 1]. Default 1. */
  tMax?: number;
  /** Default: exact. */
  method?: "default" | "tight-inclusion" | "time-contracted" | "exact";
  /** A length, for methods other than the exact one. Default 1e-6. */
  tolerance?: number;
  /** The most boxes that one query of these methods may look at. Default 1000000; `Infinity`: no limit. */
  maxIterations?: number;
  /** Methods other than the exact one: `toiLo > 0` wherever the pair is apart at t = 0. */
  noZeroToi?: boolean;
  /** Test all pairs without a broad phase, for comparison. */
  bruteForce?: boolean;
  /** Steps: also report each edge that passes through a face at `x0`, as an impact at 0 of the kind "edge-face". */
  checkStart?: boolean;
  /** Pairs, exact method: report a contact when the pair is still a little apart. */
  apartAtToi?: boolean;
  /** Bytes; default 0: no limit. */
  memoryLimit?: number;
  /** Called from time to time with a fraction from 0 to 1; `true` cancels the call. An exception ends the call, which throws it again. */
  progress?: (fraction: number) => boolean | void;
  /** An object that receives the statistics of a call that succeeds. */
  stats?: Partial<Stats>;
}

/** The first contact of a pair, or the answer that there is none. */
export interface Impact {
  verdict: "undecided" | "separate" | "contact";
  /** Why the verdict is "undecided"; null if it is decided. */
  reason: "iterations" | "memory" | "coarse" | "area" | null;
  /** null where there is no pair. */
  kind: Kind | null;
  /** Indices of the primitives; -1 where there is none. */
  a: number;
  b: number;
  /** Fractions of the step; Infinity when separate. Every step shorter than `toiLo` is safe. */
  toiLo: number;
  toiHi: number;
  /** Parameters of the points in contact. */
  u: number;
  v: number;
  point: [number, number, number];
  /** Unit, from b to a; zeros when separate. */
  normal: [number, number, number];
  width: number;
  /** It is proven that contact exists. */
  certified: boolean;
  /** The contact is there at t = 0. */
  initialContact: boolean;
  /** Beside `initialContact`: an edge passes through a face at t = 0. */
  intersecting: boolean;
}

/** A contact constraint, linearized at the impact of its pair. */
export interface Constraint extends Impact {
  vertices: [number, number, number, number];
  weights: [number, number, number, number];
  /** The distance along the normal at x1, less the separation; negative where the step comes too near. */
  gap: number;
  /** `minSeparation` and the radii of both. */
  separation: number;
}

/** Some primitives of a mesh, by their numbers; a list that is left out is empty. `Mesh.groupOf` makes one of vertices. */
export interface Group {
  vertices?: Indices;
  edges?: Indices;
  faces?: Indices;
}

export interface Intersection {
  kind: Kind;
  a: number;
  b: number;
}

/** The distance of a pair, less the radii of both: in [lo, hi]. Without any pair `kind` is null and the distance is Infinity. */
export interface NearPair {
  kind: Kind | null;
  a: number;
  b: number;
  lo: number;
  hi: number;
  u: number;
  v: number;
  pointA: [number, number, number];
  pointB: [number, number, number];
}

/** A time during which a pair is in contact: within its separation. */
export interface Interval {
  kind: Kind;
  a: number;
  b: number;
  /** Fractions of the step: rounded down, and up. */
  enter: number;
  exit: number;
  /** The signs of the volume of the pair's vertices before and after, -1, 0 or 1: they differ where it crosses. */
  sideBefore: number;
  sideAfter: number;
  /** Contact at t = 0, and at `tMax`. */
  initialContact: boolean;
  finalContact: boolean;
}

/** The least distance of all pairs during a step, less radii: in [lo, hi]. Without any pair `kind` is null and the distance is Infinity. */
export interface Clearance {
  kind: Kind | null;
  a: number;
  b: number;
  /** When the pair is at most `hi` apart. */
  time: number;
  lo: number;
  hi: number;
  u: number;
  v: number;
  /** The nearest points at `time`, each within `epsilon` of its surface; one point where they touch. */
  pointA: [number, number, number];
  pointB: [number, number, number];
  /** Unit, from b to a; zeros where nothing gives one. */
  normal: [number, number, number];
  epsilon: number;
}

/** The derivatives of a pair's time of impact with respect to its vertices. */
export interface Gradient {
  /** Derivatives are NaN where it is "undetermined", "grazing", "tie" or "border", and 0 where it is "no-impact" or "initial". */
  state: "undetermined" | "defined" | "no-impact" | "initial" | "grazing" | "tie" | "border";
  kind: Kind | null;
  /** With respect to each of up to four vertices at t = 0, in 1 / length. */
  x0: [number, number, number][];
  /** The same at t = 1. */
  x1: [number, number, number][];
  /** The time that they are taken at; Infinity without an impact. */
  toi: number;
  /** How steeply the two meet, in (0, 1]; 0 unless defined. */
  conditioning: number;
  /** Of the vertices in the points in contact. */
  weights: [number, number, number, number];
  normal: [number, number, number];
  /** Of the pair; -1 where there is none. */
  vertices: [number, number, number, number];
}

/** Why a step is short: the first pair that limits it. */
export interface Why {
  /** That of `earliest`. */
  impact: Impact;
  cause: "none" | "meeting" | "too-short" | "crossing" | "touching" | "radii" | "separation" | "undecided";
  /** The step of `advance`. */
  alpha: number;
  /** The distance of the pair at the start, without its radii, is from this; Infinity without a pair. */
  distanceLo: number;
  /** To this. */
  distanceHi: number;
  /** Of the pair: `minSeparation` and both radii. */
  separation: number;
  /** Those of a and of b. */
  radius: [number, number];
  /** How many pairs are within their separation at the start. */
  initial: number;
  /** Those of a, then those of b. */
  vertices: number[];
  /** The least number of edges of the mesh from a vertex of a to one of b; -1 above 64. */
  rings: number;
  /** A vertex of a and one of b at one place at the start. */
  same: [number, number] | null;
  /** Where `vertices` are at the start. */
  x0: [number, number, number][];
  /** The same at the end. */
  x1: [number, number, number][];
  /** How many of the pairs that are within their separation at the start have which cause. */
  atStart: { crossing: number; touching: number; radii: number; separation: number };
  /**
   * Pairs that limit the step when the remedy for this one is done, where the cause is one at the start: the first of each cause at the
   * start that the remedy leaves, and then the earliest of those that begin farther apart.
   */
  others: Limit[];
  /** Sentences: which pair, why, and what to do. */
  text: string;
}

/** A pair that limits a step. */
export interface Limit {
  cause: Why["cause"];
  /** The time up to which it is apart: 0 at the start. */
  toiLo: number;
  kind: Kind;
  a: number;
  b: number;
  /** Those of a, then those of b. */
  vertices: number[];
}

/** A body at constant velocity and constant angular velocity; what is left out is 0, or no rotation. */
export interface RigidMotion {
  /** At t = 0: a quaternion w, x, y, z. */
  rotation?: ArrayLike<number>;
  /** Of the pivot at t = 0. */
  position?: ArrayLike<number>;
  /** Of the pivot, in lengths per step. */
  velocity?: ArrayLike<number>;
  /** In radians per step, in the world. */
  angularVelocity?: ArrayLike<number>;
  /** The point of the body that moves straight, in coordinates of the body. */
  pivot?: ArrayLike<number>;
}

/** How polynomials follow a motion that turns: their degree, 3 (default) or 5, and their number; 0 is one a radian. */
export interface Fit {
  degree?: number;
  pieces?: number;
}

/** A part of a scene: primitive i of its mesh has the number `first...` + i in the scene. */
export interface ScenePart {
  id: number;
  firstVertex: number;
  firstEdge: number;
  firstFace: number;
  vertices: number;
  edges: number;
  faces: number;
}

/** An error of the library. `message` names the argument and the index; `code` is "CCD_E_ARGUMENT", "CCD_E_INDEX" and so on. */
export class CcdError extends Error {
  constructor(message: string, code: string);
  code: string;
}

/** The topology of a surface, without positions. Its memory is freed by `free()`, or some time after nothing refers to it. */
export interface Mesh {
  /** The number of vertices. */
  readonly vertices: number;
  /** A copy of the edges, two indices each. */
  readonly edges: Int32Array;
  /** A copy of the faces, three indices each. */
  readonly faces: Int32Array;
  /** The group of these vertices with the edges and faces all of whose vertices are among them, for `Step.between`. */
  groupOf(vertices: Indices): { vertices: Int32Array; edges: Int32Array; faces: Int32Array };
  /** Pairs whose vertices are all of one group are skipped; a negative number is no group. null removes the filter. */
  setGroups(group: Indices | null): void;
  /** Makes every connected component a group. */
  setComponentGroups(): void;
  /** Pairs whose vertices are all static are skipped. null removes the filter. */
  setStatic(isStatic: readonly boolean[] | Uint8Array | null): void;
  /** Makes vertices balls of these radii, edges capsules, faces plates. null removes the radii. */
  setRadii(radius: Coordinates | null): void;
  /** Excludes these pairs of a kind, two indices each, and replaces the earlier list of the kind. */
  setExcluded(kind: Kind, pairs: Indices): void;
  /**
   * Excludes pairs that are near in the mesh, beside those that are excluded, and returns how many it added: those within their separation at
   * rest; with `rings` above 0, at most 64, only those within so many edges of each other; without `rest` all pairs within `rings`.
   */
  excludeNear(rest: Coordinates | null, rings?: number, options?: Options): number;
  free(): void;
}

/**
 * Paths of vertices for t in [0, 1]: polynomials of degree 1 to 5 in t, each vertex within a radius of its own. Control points are those of
 * Bernstein's basis.
 */
export interface Motion {
  readonly vertices: number;
  readonly degree: number;
  readonly pieces: number;
  /** The positions at a time, rounded, and bounds on the distance of each vertex from its position. */
  at(t: number): { x: Float64Array; radius: Float64Array };
  /** The motion on which vertex i goes along its path up to the time `ends[i]`: where the steps of `sizes` lead. It needs one piece. */
  cut(ends: Coordinates): Motion;
  free(): void;
}

/** What makes motions. Blocks of points follow each other, 3 numbers for each vertex. */
export interface MotionClass {
  /** `control` has `degree` + 1 blocks for each piece; `times` are the ends of the pieces, from 0 to 1; `radius` has a length for each vertex of each piece. */
  new (parts: { vertices: number; degree: number; control: Coordinates; times?: Coordinates; radius?: Coordinates }): Motion;
  /** x + t v + t^2 a / 2, with v and a of the whole step. */
  accelerated(x: Coordinates, v: Coordinates, a: Coordinates): Motion;
  /** Through positions with velocities, a block of each for each of the `times`; without `times` those are 0 and 1. */
  hermite(parts: { vertices: number; x: Coordinates; v: Coordinates; times?: Coordinates }): Motion;
  /** B-splines in time, on ascending knots. */
  bSpline(parts: { vertices: number; degree: number; knots: Coordinates; control: Coordinates }): Motion;
  /** A(t) x + b(t): `matrix` has the `degree` + 1 control points of A, 9 numbers each by rows, `offset` those of b. */
  affine(parts: { degree: number; x: Coordinates; matrix: Coordinates; offset: Coordinates }): Motion;
  /** A rigid body whose points are x in its own coordinates. */
  rigid(x: Coordinates, body: RigidMotion, fit?: Fit): Motion;
  /** Linear blend skinning: `weights` has a row for each point, with a number for each bone. */
  skinned(x: Coordinates, bones: readonly RigidMotion[], weights: Coordinates, fit?: Fit): Motion;
}

/**
 * A step as a value: what moves, and which pairs count. `new ccd.Step(mesh, x0, x1)` makes one of a mesh, `new ccd.Step(mesh, motion)` one on
 * paths; candidates, neighbor lists and scenes have a method `step`. It has copies of the arrays, since the memory of WebAssembly is another;
 * calls check them. A call that a step does not have throws a CcdError with the code "CCD_E_UNSUPPORTED" and the reason. Free it with `free()`.
 */
export interface Step {
  /**
   * The step with those of its pairs alone of which one primitive is in group `a` and the other in group `b`: one object against another, or
   * vertices against faces one way. Its calls check the groups; steps of scenes, of neighbor lists and between groups have none.
   */
  between(a: Group, b: Group): Step;
  /** The first impact; "separate" is a proof. */
  earliest(options?: Options): Impact;
  /** Every impact, sorted by (toiLo, kind, a, b). */
  collisions(options?: Options): Impact[];
  /** The first `count` impacts of `collisions`, or all of them if there are no more; `count` is at least 1. What comes later is left out. */
  firstImpacts(count: number, options?: Options): Impact[];
  /** Passes every impact on, some at a time and in no particular order; where `visit` returns true, the call ends with "CCD_E_CANCELLED". */
  visit(visit: (some: Impact[]) => boolean | void, options?: Options): void;
  /** The impacts of given pairs of one kind, two indices each, in their order, whether or not they are near. */
  pairs(kind: QueryKind, pairs: Indices, options?: Options): Impact[];
  /** Every interval of contact of every pair, sorted by (enter, kind, a, b). */
  intervals(options?: Options): Interval[];
  /** Those of given pairs, pair by pair. */
  pairIntervals(kind: QueryKind, pairs: Indices, options?: Options): Interval[];
  /** The least distance that any pair has during the step. */
  clearance(options?: Options): Clearance;
  /** A safe step. */
  size(options?: Options): number;
  /** Goes as far as is safe: a step, and the positions that it leads to, which are proven. `share` is in (0, 1]. */
  advance(share?: number, options?: Options): { alpha: number; x: Float64Array };
  /** A step for each vertex, and the positions that they lead to, which are proven. Vertices of one of the `groups` share a step. */
  sizes(groups?: Indices | null, options?: Options): { alpha: Float64Array; x: Float64Array };
  /** Bounds a line search so that pairs keep the part `keepRatio` of their distance at x0; `minSeparation` is a search radius. */
  lineSearch(keepRatio: number, options: Options): { alpha: number; distance: number; separation: number };
  /** Every pair that comes within `minSeparation`, as a constraint for a solver. */
  activeSet(options?: Options): Constraint[];
  /** The derivatives of the times of some impacts of the step. */
  gradients(impacts: readonly Impact[], options?: Options): Gradient[];
  /** Says why the step is short: which pair limits it, the reason, and what to do. Steps of scenes have no such call. */
  why(options?: Options): Why;
  free(): void;
}

/** How `respond` treats contact. */
export interface RespondOptions {
  /** Of each vertex, 0 for one that contact does not move; without it 1, and 0 for static vertices. */
  inverseMass?: Coordinates;
  /** The coefficient of Coulomb friction; 0 by default. */
  friction?: number;
  /** The part of `minSeparation` that the step keeps, in [0, 1); 0.25 by default. */
  keep?: number;
  /** Times that constraints are found, and treated once each; 4 by default. */
  maxRounds?: number;
}

/** The pairs that may come within `minSeparation` during a step. They serve calls on steps within that step. */
export interface Candidates {
  count(kind: QueryKind): number;
  /** Two indices for each pair. */
  pairs(kind: QueryKind): Int32Array;
  /** The step whose pairs are these, from x0 to x1 or on a motion; each vertex must stay within the box of its motion. */
  step(x0: Coordinates, x1: Coordinates): Step;
  step(motion: Motion): Step;
  free(): void;
}

/** Pairs of a mesh that are near, for many calls close to the same positions; the results are those without the list. */
export interface Neighbors {
  /** As `ccd.near`, for a distance of at most the reach. */
  near(x: Coordinates, d: number, options?: Options): NearPair[];
  /** The step from x0 to x1; `minSeparation` is at most the reach. */
  step(x0: Coordinates, x1: Coordinates): Step;
  /** What the list holds, and how many calls it served. */
  report(): { reach: number; pairs: number; bytes: number; builds: number; served: number; fresh: number };
  free(): void;
}

/** A mesh with its positions, of which some vertices move in each step. A call costs what moves. */
export interface Scene {
  /** The number after that of the last vertex. */
  readonly vertices: number;
  /** Adds a mesh with its vertices at x. */
  add(mesh: Mesh, x: Coordinates): ScenePart;
  /** Removes a part by its id. */
  remove(part: number): void;
  parts(): ScenePart[];
  positions(): Float64Array;
  /** The step on which vertex `moved[i]`, ascending, goes to row i of x1, and all others rest; null: all vertices move. */
  step(moved: Indices | null, x1: Coordinates): Step;
  /** Places the vertices. */
  commit(moved: Indices | null, x: Coordinates): void;
  /** Places the vertices where the last call proved that they may go. */
  commitProven(): void;
  /** Places all vertices. */
  reset(x: Coordinates): void;
  /** How many vertices are known, and how many edges and faces with them share a point. */
  state(): { known: number; crossings: number };
  /** Makes the state known. */
  check(options?: Options): void;
  free(): void;
}

/** The library: one instance of WebAssembly. Calls run at once and on one thread; for long ones, load it in a Worker. */
export interface Ccd {
  /** `edges` may be left out: then they are those of the faces. */
  readonly Mesh: new (parts: { vertices: number; faces?: Indices; edges?: Indices }) => Mesh;
  readonly Motion: MotionClass;
  readonly Candidates: {
    new (mesh: Mesh, x0: Coordinates, x1: Coordinates, options?: Options): Candidates;
    new (mesh: Mesh, motion: Motion, options?: Options): Candidates;
  };
  /** The pairs that are at most `reach` apart at x. */
  readonly Neighbors: new (mesh: Mesh, x: Coordinates, reach: number, options?: Options) => Neighbors;
  readonly Scene: new (mesh: Mesh, x0: Coordinates) => Scene;
  readonly Step: {
    new (mesh: Mesh, x0: Coordinates, x1: Coordinates): Step;
    new (mesh: Mesh, motion: Motion): Step;
  };
  /** The first impact of a step; "separate" is a proof. This and the next three are calls of `Step` in one line. */
  earliest(mesh: Mesh, x0: Coordinates, x1: Coordinates, options?: Options): Impact;
  /** The first impact of each of several worlds: of one mesh at other positions, those of one world after the other. */
  earliestBatch(mesh: Mesh, x0: Coordinates, x1: Coordinates, options?: Options): Impact[];
  /** Goes in each of several worlds as far as is safe: steps and positions have the bits of `advance` for each. `share` is in (0, 1]. */
  advanceBatch(mesh: Mesh, x0: Coordinates, x1: Coordinates, share?: number, options?: Options): { alpha: Float64Array; x: Float64Array; impacts: Impact[] };
  /**
   * Moves the ends of a step apart where pairs come too near, and goes as far as is safe: positions after contact, for those who have no
   * solver. The way to `x` is proven, `alpha` is the safe part of the way to the response; velocities follow, (x - x0) / dt.
   * `why` says what limits that way. `minSeparation` must be positive.
   */
  respond(mesh: Mesh, x0: Coordinates, x1: Coordinates, how: RespondOptions | null | undefined, options: Options): { x: Float64Array; alpha: number; contacts: number; rounds: number; why: Why };
  /** Every impact of a step, sorted by (toiLo, kind, a, b). */
  collisions(mesh: Mesh, x0: Coordinates, x1: Coordinates, options?: Options): Impact[];
  /** A safe step. */
  size(mesh: Mesh, x0: Coordinates, x1: Coordinates, options?: Options): number;
  /** Goes as far as is safe: a step, and the positions that it leads to, which are proven. `share` is in (0, 1]. */
  advance(mesh: Mesh, x0: Coordinates, x1: Coordinates, share?: number, options?: Options): { alpha: number; x: Float64Array };
  /** One pair. `q` has its points at t = 0, then at t = 1: 24, 24, 18 or 12 numbers. */
  pair(kind: QueryKind, q: Coordinates, options?: Options): Impact;
  /** Many pairs of one kind, one after the other in `q`; `a` of query i is i. */
  pairs(kind: QueryKind, q: Coordinates, options?: Options): Impact[];
  intersections(mesh: Mesh, x: Coordinates, options?: Options): Intersection[];
  intersects(mesh: Mesh, x: Coordinates, options?: Options): boolean;
  /** Every pair that may be within the distance `d`. */
  near(mesh: Mesh, x: Coordinates, d: number, options?: Options): NearPair[];
  /** The pair with the smallest distance. */
  distance(mesh: Mesh, x: Coordinates, options?: Options): NearPair;
  /** Decodes the content of an OBJ, PLY, STL, OFF, Gmsh, MEDIT or VTK file. */
  surface(file: string | ArrayBuffer | ArrayBufferView): { vertices: Float64Array; faces: Int32Array; edges: Int32Array };
}

/**
 * Loads the library. Without an argument it reads ccd.wasm beside this file; bundlers that move it need its URL.
 *
 * @param source a URL, a Response (or the promise of fetch), the bytes of ccd.wasm, or a compiled module
 */
export function load(
  source?: string | URL | Response | BufferSource | WebAssembly.Module | Promise<Response | BufferSource>,
): Promise<Ccd>;
