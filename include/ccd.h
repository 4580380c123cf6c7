/*
 * ccd.h - continuous collision detection.
 *
 * A simulator moves a mesh from x0 to x1 in one step; vertex i moves on the segment x0[i] -> x1[i] as t runs from 0 to 1.
 * This library says at what time two parts first touch, and proves it: see docs/numerics.md for the numbered laws
 * that every answer obeys, and docs/abi.md for the rules of this interface.
 *
 * Conventions
 *   Coordinates   row-major, packed doubles, finite and at most 1e150 in magnitude; one length unit throughout.
 *   Times         fractions of the step, in [0, 1].
 *   Memory        belongs to the caller, or to a handle with a _destroy. Arrays are borrowed for the call only.
 *   Threads       every call is reentrant and may come from any thread; a handle may be shared by threads, and destroyed by
 *                 one while others use it (the calls under way finish; later ones get CCD_E_HANDLE).
 *   Errors        a negative ccd_status; ccd_last_error has the text, with the argument and index that is wrong.
 *   Results       the same bits for any number of threads, any SIMD level, any batch size.
 *
 * Papers: [Wang2021] Tight Inclusion, [Belgrod2023] Scalable CCD, [Tang2011] VolCCD, [Buddingh2017] D2M,
 * [Chen2024] time-dependent inclusion; docs/papers.md says what is taken from each and where we depart.
 */
#ifndef LIBCCD_TOI_CCD_H
#define LIBCCD_TOI_CCD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this header: major * 10000 + minor * 100 + patch. Equal majors are compatible. */
#define CCD_VERSION 100

/* ---- status ---------------------------------------------------------------------------------------------------------- */

typedef int32_t ccd_status;
#define CCD_OK 0
#define CCD_E_ARGUMENT (-1)    /* an argument or option is out of range, NULL, or sizes differ */
#define CCD_E_NONFINITE (-2)   /* a coordinate is NaN, infinite, or above 1e150 in magnitude */
#define CCD_E_INDEX (-3)       /* an index is out of range, or a primitive repeats a vertex */
#define CCD_E_HANDLE (-4)      /* a handle is NULL, destroyed, or of another type */
#define CCD_E_MEMORY (-5)      /* what a listing finds is more than memory_limit has room for */
#define CCD_E_CANCELLED (-6)   /* the progress callback, or a visitor, asked to stop */
#define CCD_E_FORKED (-7)      /* this process is a fork of one that had already loaded the library: see docs/abi.md */
#define CCD_E_UNSUPPORTED (-8) /* the combination of options is not carried out by this method */
#define CCD_E_INTERNAL (-9)    /* a defect of the library; please report the text */
#define CCD_E_FILE (-10)       /* a file cannot be opened, or is truncated or malformed */

/** Name of a status, e.g. "CCD_E_INDEX"; a static string, never NULL. */
const char *ccd_status_name(ccd_status status);

/**
 * Text of the last error on this thread, with the argument and index that is wrong.
 * Copies at most cap - 1 bytes and a terminating 0 into buf (which may be NULL when cap is 0).
 * Returns the length of the whole text without its 0; 0 when no call on this thread has failed.
 */
size_t ccd_last_error(char *buf, size_t cap);

/** CCD_VERSION of the library that was loaded. */
uint32_t ccd_version(void);

/** The SIMD level in use: "generic", "avx2" or "avx512". CCD_SIMD in the environment can force a lower one. */
const char *ccd_simd_level(void);

/* ---- options --------------------------------------------------------------------------------------------------------- */

typedef int32_t ccd_verdict;
#define CCD_UNDECIDED 0 /* the budget was spent; toi_lo is still safe, width tells how near the answer came */
#define CCD_SEPARATE 1  /* a proof: the distance exceeds min_separation for all t in [0, t_max] */
#define CCD_CONTACT 2

typedef int32_t ccd_method;
#define CCD_METHOD_DEFAULT 0         /* exact, but time-contracted for a Euclidean separation */
#define CCD_METHOD_TIGHT_INCLUSION 1 /* [Wang2021], algorithm 2 */
#define CCD_METHOD_TIME_CONTRACTED 2 /* [Chen2024], made rigorous */
#define CCD_METHOD_EXACT 3           /* no tolerance: the answer is unique */

#define CCD_VERTEX_FACE 1
#define CCD_EDGE_EDGE 2
#define CCD_POINT_EDGE 3
#define CCD_POINT_POINT 4
#define CCD_EDGE_FACE 5 /* an intersection of one frame; no query of a step has this kind */

/* ccd_options.flags */
/* Law 8: toi_lo > 0 whenever the distance at t = 0 exceeds min_separation. Exception: it is 0, without CCD_INITIAL_CONTACT, where the
 * contact time is below the smallest positive double, 2^-1074; with CCD_EUCLIDEAN also where (distance - min_separation) over the speed
 * of the fastest points is below 2^-1072. */
#define CCD_NO_ZERO_TOI 1u
#define CCD_EUCLIDEAN 2u      /* min_separation in the Euclidean norm; default is the max norm, which encloses it */
#define CCD_BRUTE_FORCE 4u    /* broad phase by all pairs: quadratic, for comparison */
#define CCD_AXIS_ALIGNED 8u   /* curved patches, not the default method: boxes along the coordinate axes */
#define CCD_IN_PARAMETERS 16u /* curved patches, not the default method: tolerance is a width of parameters and time */

/* ccd_impact.flags */
#define CCD_CERTIFIED 1u       /* law 5: a contact is proven to exist */
#define CCD_INITIAL_CONTACT 2u /* the contact is there at t = 0 */

/**
 * Progress of a long call: fraction runs from 0 to 1. Return 0 to go on, anything else to cancel: the call then returns
 * CCD_E_CANCELLED promptly. May be called from any thread, but never from two at once within one call.
 */
typedef int32_t (*ccd_progress)(double fraction, void *user);

/** What a call did and how long it took. All of it is written when ccd_options.stats points to one. */
typedef struct ccd_stats {
    size_t struct_size;    /* set by the caller to sizeof(ccd_stats) */
    int64_t boxes;         /* boxes of vertices, edges and faces that were swept */
    int64_t candidates[4]; /* pairs handed to the narrow phase: vertex-face, edge-edge, point-edge, point-point; a whole
                              step compares boxes at both ends first, so these are fewer than ccd_broad_candidates', and
                              an earliest impact counts what it looked at, which other threads or limits may change */
    int64_t impacts;       /* pairs in contact or undecided */
    int64_t undecided;     /* of these, pairs whose budget was spent */
    double seconds_build;  /* boxes, sorting; wall clock */
    double seconds_broad;  /* sweep; in a streaming call summed over threads and divided by their number */
    double seconds_narrow; /* the pairs; the same */
    double seconds_total;
    int64_t peak_bytes; /* working memory of the call */
    int32_t threads;    /* threads that were used */
    int32_t reserved;
} ccd_stats;

/** Options of a call. Prepare with ccd_options_init; the struct may grow at its end in later versions. */
typedef struct ccd_options {
    size_t struct_size;
    double tolerance;      /* 1e-6: law 3, how near to contact a reported contact must be; the exact method ignores it */
    double min_separation; /* 0: contact means distance <= min_separation */
    double t_max;          /* 1: only t in [0, t_max] counts */
    int64_t max_boxes;     /* 1000000: boxes one query may look at; 0 = no limit on work, memory still bounded */
    int32_t method;        /* ccd_method */
    int32_t threads;       /* 0 = all this process may use; CCD_NUM_THREADS in the environment caps it, and 1024 */
    uint32_t flags;        /* CCD_NO_ZERO_TOI | CCD_EUCLIDEAN | CCD_BRUTE_FORCE | ... */
    uint32_t reserved;     /* 0 */
    size_t memory_limit;   /* bytes for the working memory and the results of one call; 0 = no limit. A step is done in
                              slabs then. Working memory is never refused, but cannot do with less than 128 bytes a
                              vertex, 1/4 an edge and a face, 64 for each of those that one plane across the scene's
                              longest axis meets, 256 KiB a thread, and 512 KiB. Results have half of what is left
                              beyond that, or more, and 1 MiB at the least: a listing that finds more than there is
                              room for returns CCD_E_MEMORY. An impact takes 264 bytes until the handle is made and
                              120 in it; docs/limits.md has the other results. ccd_step_visit keeps none */
    ccd_progress progress; /* NULL, or called from time to time */
    void *progress_user;
    double scene_bound[3]; /* 0, or a bound on |coordinate| per axis: one error bound for the whole scene */
    ccd_stats *stats;      /* NULL, or written */
} ccd_options;

/**
 * Fill options with the defaults. struct_size is sizeof(ccd_options) as the caller was compiled; nothing beyond it is
 * written. Does nothing when options is NULL.
 */
void ccd_options_init(ccd_options *options, size_t struct_size);

/* ---- one pair -------------------------------------------------------------------------------------------------------- */

/** The answer to a query, or one impact of a step. 120 bytes, no hidden padding; the offsets stand first. */
typedef struct ccd_impact {
    int32_t verdict;   /*   0  ccd_verdict */
    int32_t kind;      /*   4  CCD_VERTEX_FACE ... CCD_POINT_POINT */
    int64_t a, b;      /*   8  indices of the two primitives; -1 for a bare pair */
    double toi_lo;     /*  24  fractions of the step; +Inf when separate */
    double toi_hi;     /*  32 */
    double u, v;       /*  40  see below */
    double point[3];   /*  56  contact point at toi_lo, see below; zeros when separate */
    double normal[3];  /*  80  unit normal from b to a; zeros when separate */
    double width;      /* 104  size of the last box, in length: how tight the answer is */
    uint32_t flags;    /* 112  CCD_CERTIFIED, CCD_INITIAL_CONTACT */
    uint32_t reserved; /* 116  0 */
} ccd_impact;

/*
 * u, v name the point p_a of a and the point p_b of b that are in contact:
 *   vertex-face   p_b = (1-u-v) f0 + u f1 + v f2;                           a = vertex, b = face
 *   edge-edge     p_a = (1-u) a0 + u a1, p_b = (1-v) b0 + v b1
 *   point-edge    p_b = (1-u) e0 + u e1, v = 0;                             a = point (vertex), b = edge
 *   point-point   u = v = 0;                                                a < b, both vertices
 *
 * point is p_b at toi_lo for vertex-face and point-edge, midway between p_a and p_b at toi_lo for the other two.
 * normal points from b to a. With a positive min_separation it is the direction of p_a - p_b at toi_hi, unless the two are
 * nearer than rounding or pass each other within [toi_lo, toi_hi]; then, and without min_separation, it is the normal of the face or
 * of the two edges, against the motion of a relative to b.
 *
 * Laws (d = min_separation, delta = tolerance, eps = the query's error bound, derived in docs/numerics.md):
 *   1. CCD_SEPARATE is a proof for all t in [0, t_max].
 *   2. Whatever the verdict, the distance exceeds d for all t < toi_lo: toi_lo is always a safe step.
 *   3. CCD_CONTACT: some t in [toi_lo, toi_hi] has distance <= d + delta + 2 eps. The exact method: exactly d;
 *      toi_lo is the largest double not above the true time, toi_hi the next one (or equal when the time is a double).
 *   4. CCD_UNDECIDED only when max_boxes is spent.
 *   9. CCD_CONTACT: at toi_hi, |p_a - p_b| <= d + delta + eps, and normal . (p_a - p_b) > 0 where it is given by them.
 * The output is always written, and never holds NaN.
 */

/**
 * Vertex against face. q = {v, f0, f1, f2 at t=0, then the same at t=1}, 24 doubles.
 * options NULL for defaults. out always written; a = b = -1.
 * Returns CCD_OK, CCD_E_ARGUMENT (NULL, options), CCD_E_NONFINITE, CCD_E_UNSUPPORTED. Reentrant. Since 0.1.
 */
ccd_status ccd_pair_vertex_face(const double q[24], const ccd_options *options, ccd_impact *out);
/** Edge against edge. q = {a0, a1, b0, b1 at t=0, then t=1}. Otherwise as ccd_pair_vertex_face. */
ccd_status ccd_pair_edge_edge(const double q[24], const ccd_options *options, ccd_impact *out);
/** Point against edge. q = {p, e0, e1 at t=0, then t=1}, 18 doubles. Otherwise as ccd_pair_vertex_face. */
ccd_status ccd_pair_point_edge(const double q[18], const ccd_options *options, ccd_impact *out);
/** Point against point. q = {p, q at t=0, then t=1}, 12 doubles. Otherwise as ccd_pair_vertex_face. */
ccd_status ccd_pair_point_point(const double q[12], const ccd_options *options, ccd_impact *out);

/**
 * n queries in one call, on several threads when there are many. q is n x 24 doubles, out n impacts: out[i] is bit-equal
 * to what the single call gives for q + 24 i, with a = i and b = -1.
 * An error names the query; out is then filled with CCD_UNDECIDED, toi_lo = 0.
 * Returns as the single call, and CCD_E_CANCELLED. Reentrant. Since 0.1.
 */
ccd_status ccd_pairs_vertex_face(const double *q, size_t n, const ccd_options *options, ccd_impact *out);
/** n edge-edge queries; q is n x 24. Otherwise as ccd_pairs_vertex_face. */
ccd_status ccd_pairs_edge_edge(const double *q, size_t n, const ccd_options *options, ccd_impact *out);
/** n point-edge queries; q is n x 18. Otherwise as ccd_pairs_vertex_face. */
ccd_status ccd_pairs_point_edge(const double *q, size_t n, const ccd_options *options, ccd_impact *out);
/** n point-point queries; q is n x 12. Otherwise as ccd_pairs_vertex_face. */
ccd_status ccd_pairs_point_point(const double *q, size_t n, const ccd_options *options, ccd_impact *out);

/* ---- mesh ------------------------------------------------------------------------------------------------------------ */

/** Topology of a surface with its filters. Immutable once a step has seen it, but for the ccd_mesh_set_* calls. */
typedef struct ccd_mesh ccd_mesh;

/**
 * A mesh of `vertices` vertices, n_edges edges (pairs of vertex indices) and n_faces triangles (triples).
 * edges NULL: the unique edges of the faces, each as (smaller, larger), sorted by the larger index, then the smaller.
 * edges given: they must hold every edge of every face, once; further ones are codimensional, as are vertices in no edge.
 * Errors name the index: out of range, a repeated vertex in a face or edge, a face or an edge given twice.
 * *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_mesh_create(size_t vertices, const int32_t *edges, size_t n_edges, const int32_t *faces, size_t n_faces,
                           ccd_mesh **out);
/** Destroy a mesh. NULL, stale and foreign handles are CCD_E_HANDLE. Calls under way on other threads finish first. */
ccd_status ccd_mesh_destroy(ccd_mesh *mesh);
/** Numbers of vertices, edges and faces; any of the pointers may be NULL. */
ccd_status ccd_mesh_counts(ccd_mesh *mesh, size_t *vertices, size_t *edges, size_t *faces);
/**
 * Copy the edges (2 indices each) into dst, which has room for cap edges; *count is the number there are. When cap is too
 * small the first cap edges are copied and CCD_E_ARGUMENT is returned; with dst NULL and cap 0 only *count is written.
 */
ccd_status ccd_mesh_edges(ccd_mesh *mesh, int32_t *dst, size_t cap, size_t *count);
/** Copy the faces (3 indices each); otherwise as ccd_mesh_edges. */
ccd_status ccd_mesh_faces(ccd_mesh *mesh, int32_t *dst, size_t cap, size_t *count);

/**
 * Patch ids: two vertices of one patch never collide. A pair of primitives is tested when at least one vertex of the one and
 * one vertex of the other may collide. patch holds n ids, n = vertices; a negative id collides with everything; NULL takes
 * the filter away.
 */
ccd_status ccd_mesh_set_patches(ccd_mesh *mesh, const int32_t *patch, size_t n);
/** The same with one patch per connected component: no component collides with itself. */
ccd_status ccd_mesh_set_components(ccd_mesh *mesh);
/** Static vertices (non-zero bytes): a pair whose vertices are all static is left out. n = vertices; NULL takes it away. */
ccd_status ccd_mesh_set_static(ccd_mesh *mesh, const uint8_t *is_static, size_t n);
/** Leave out these count pairs of the kind (2 primitive indices each, as in ccd_impact.a, b). Replaces the kind's earlier list. */
ccd_status ccd_mesh_set_excluded(ccd_mesh *mesh, int32_t kind, const int64_t *pairs, size_t count);

/* ---- broad phase ----------------------------------------------------------------------------------------------------- */

/** The pairs whose swept boxes (inflated by min_separation) overlap, filters applied, pairs that share a vertex left out. */
typedef struct ccd_candidates ccd_candidates;

/**
 * All candidates of a step. Boxes are those of the doubles: each holds its swept primitive exactly, for the whole step
 * whatever t_max is.
 * x0, x1 are n x 3, n = vertices of the mesh. *out is a handle to be destroyed, or NULL on error.
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY, CCD_E_CANCELLED. Since 0.1. [Belgrod2023]
 */
ccd_status ccd_broad_candidates(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                                ccd_candidates **out);
/** Numbers of vertex-face and edge-edge candidates; either pointer may be NULL. */
ccd_status ccd_candidates_count(ccd_candidates *candidates, size_t *vertex_face, size_t *edge_edge);
/** Number of candidates of any one kind. */
ccd_status ccd_candidates_count_kind(ccd_candidates *candidates, int32_t kind, size_t *count);
/**
 * Copy candidates of one kind as pairs (a, b), sorted. cap is the room in pairs; count and errors as in ccd_mesh_edges.
 */
ccd_status ccd_candidates_copy(ccd_candidates *candidates, int32_t kind, int64_t *pairs, size_t cap, size_t *count);
ccd_status ccd_candidates_destroy(ccd_candidates *candidates);

/* ---- step ------------------------------------------------------------------------------------------------------------ */

/** The impacts of a step. */
typedef struct ccd_impacts ccd_impacts;

/**
 * Earliest impact of a mesh over one step.
 *
 * mesh     live handle; read only; threads may share it
 * x0, x1   n x 3 doubles, row-major, packed, finite; borrowed for this call
 * n        must equal the mesh's vertex count
 * options  NULL for defaults, else prepared by ccd_options_init
 * out      always written
 *
 * CCD_SEPARATE is a proof: no pair comes within min_separation for t <= t_max. Otherwise no pair does so for
 * t < out->toi_lo. Of several pairs with the same toi_lo the first in the order (kind, a, b) is reported.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY or CCD_E_CANCELLED.
 * Reentrant. Same bits for any thread count and SIMD level. Since 0.1. Papers: [Wang2021], [Belgrod2023].
 */
ccd_status ccd_step_earliest(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                             ccd_impact *out);
/**
 * Every pair that is not CCD_SEPARATE, sorted by (toi_lo, kind, a, b). *out is a handle to be destroyed, or NULL on error.
 * Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_collisions(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                               ccd_impacts **out);
/**
 * Receives count impacts, at least one, which are the library's and valid until it returns. Return 0 to go on, anything else to stop.
 * It may be called from any thread, but never from two at once within one call.
 */
typedef int32_t (*ccd_visitor)(const ccd_impact *impacts, size_t count, void *user);
/**
 * Hand every pair that is not CCD_SEPARATE to visit, in portions, and keep none: what ccd_step_collisions lists, in memory that does
 * not grow with what is found.
 *
 * visit  not NULL. Once it has returned anything but 0 the call ends promptly with CCD_E_CANCELLED, and visit is not called again
 * user   passed on to visit
 *
 * CCD_OK: every impact of ccd_step_collisions was in one portion, once, with the same bits. On any error some may be missing.
 * The order is that in which they are found: on one thread the same in every run, else it may differ. Neither portions nor their
 * sizes mean anything. Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_visit(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                          ccd_visitor visit, void *user);
/**
 * The answers for given pairs of primitives (a, b) of one kind, in their order, whether or not their boxes overlap.
 * pairs holds count pairs; out holds count impacts. Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_pairs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, int32_t kind, const int64_t *pairs,
                          size_t count, const ccd_options *options, ccd_impact *out);
/**
 * A safe step: for every t in [0, *alpha] all pairs keep more than min_separation. *alpha is in [0, t_max]; it is t_max when no
 * pair comes too near, and 0 only when a pair is too near at t = 0 or comes too near before t = 2^-1073: *alpha is the double
 * below toi_lo (with CCD_NO_ZERO_TOI and its exception; else also when the budget was spent). *alpha is 0 on error. Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_size(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                         double *alpha);

ccd_status ccd_impacts_count(ccd_impacts *impacts, size_t *count);
/** Copy the impacts, sorted by (toi_lo, kind, a, b); cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_impacts_copy(ccd_impacts *impacts, ccd_impact *dst, size_t cap, size_t *count);
ccd_status ccd_impacts_destroy(ccd_impacts *impacts);

/**
 * Earliest impact of a step whose candidates are known: those of a longer one, in a line search.
 *
 * Candidates of x0 -> x0 + dx serve for every x0 -> x0 + alpha dx with alpha in [0, 1], and whatever else moves each vertex
 * within the box it moves in during their own step. That is checked, vertex by vertex: with rounding to nearest,
 * x0 + alpha * dx computed in doubles lies between x0 and x0 + dx; x0 + 1 * (x1 - x0) may miss x1 by a rounding.
 *
 * candidates      live handle; read only; threads may share it. The mesh is theirs, with the filters it has now on top
 *                 of those it had then, even where its handle has been destroyed since
 * x0, x1, n, out  as in ccd_step_earliest
 * options         min_separation at most that of the candidates; CCD_BRUTE_FORCE has no effect, memory_limit on what is found alone
 *
 * The answer has the bits of ccd_step_earliest. (With a tolerant method a pair may be reported that is within the tolerance
 * of contact, and that ccd_step_earliest leaves out because the boxes of this shorter step are apart: laws 1 to 4 hold.)
 *
 * What is saved is the sweep; every pair of the list is looked at. Where the list is long beside the mesh, a call of
 * ccd_step_earliest is the faster one: it sees only pairs that stay near in this step, and stops at the first impact.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT (also for a vertex outside of its box, which the text names),
 * CCD_E_NONFINITE, CCD_E_MEMORY or CCD_E_CANCELLED. Reentrant. Since 0.1. Papers: as ccd_step_earliest.
 */
ccd_status ccd_candidates_earliest(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                                   const ccd_options *options, ccd_impact *out);
/** ccd_step_collisions for known candidates; otherwise as ccd_candidates_earliest. */
ccd_status ccd_candidates_collisions(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                                     const ccd_options *options, ccd_impacts **out);
/** ccd_step_size for known candidates; otherwise as ccd_candidates_earliest. */
ccd_status ccd_candidates_size(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                               const ccd_options *options, double *alpha);

/** What a line search may do along x0 -> x1, and why. Zeros on error, and when a pair touches at x0. */
typedef struct ccd_bound {
    double alpha;      /* a fraction of the step: every step up to it is safe */
    double distance;   /* a length: all pairs are farther apart than this at x0 */
    double separation; /* a length: all pairs keep more than this up to alpha */
} ccd_bound;

/**
 * A bound on the steps x0 + t (x1 - x0) of a line search that leaves room for the next one: a share of the distance there is
 * at x0 is kept. (A step right up to the contact would leave the next line search no step at all.) Backtracking to any
 * smaller step needs no further test.
 *
 * share    in (0, 1): the part of the distance that is kept; 0.2 is usual
 * options  min_separation must be positive: it caps the distance that is looked for, for pairs farther apart do not matter.
 *          It is no separation that is kept. CCD_NO_ZERO_TOI is implied; memory_limit holds for each of two passes, one
 *          for the distance at x0 and one for the step; stats are those of the last
 * out      always written
 *
 * For every t in [0, out->alpha] all pairs keep more than out->separation = share * out->distance. out->distance is
 * min_separation * 2^-k with the least k >= 0 that the method proves. out->alpha is positive unless a pair touches at x0; it is
 * t_max when no pair comes as near as out->separation.
 *
 * Otherwise as ccd_step_earliest. Paper: [Wang2021], algorithm 4; it lowers the share until tolerances and errors fit in,
 * which the exact method makes needless.
 */
ccd_status ccd_step_linesearch(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, double share,
                               const ccd_options *options, ccd_bound *out);

/**
 * A pair that must be kept apart, linearised at its impact: with n = impact.normal, and the points of a and b that touch,
 * the gap is <n, p_a - p_b> = sum over i of weights[i] <n, x[vertices[i]]>. 176 bytes, no hidden padding.
 */
typedef struct ccd_constraint {
    ccd_impact impact;   /*   0 */
    int32_t vertices[4]; /* 120  those of the pair, as in a query; a kind with fewer repeats one, with weight 0 */
    double weights[4];   /* 136  of the points that touch: positive on a, negative on b */
    double gap;          /* 168  a length, at x1: negative where the step ends beyond the contact's plane */
} ccd_constraint;

/** The constraints of a step. */
typedef struct ccd_constraints ccd_constraints;

/**
 * Every pair that comes within min_separation during the step, as a constraint for a solver, in the order of
 * ccd_step_collisions: its impacts are those. With a positive min_separation constraints become active before anything
 * touches. Pairs whose budget was spent are among them: one too many does no harm.
 *
 * Weights add up to 1 on a and to -1 on b. The gap is computed from differences of vertices: it errs by rounding of these, wherever
 * the scene lies. Points and normals are the impacts'. In the max norm any two points within min_separation are in contact, and
 * their direction may be far from the surface's normal: with a positive min_separation set CCD_EUCLIDEAN, whose points are nearest.
 *
 * *out is a handle to be destroyed, or NULL on error. Otherwise as ccd_step_earliest. Paper: [Wang2021], algorithm 3.
 */
ccd_status ccd_step_activeset(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                              ccd_constraints **out);
ccd_status ccd_constraints_count(ccd_constraints *constraints, size_t *count);
/** Copy the constraints in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_constraints_copy(ccd_constraints *constraints, ccd_constraint *dst, size_t cap, size_t *count);
ccd_status ccd_constraints_destroy(ccd_constraints *constraints);

/**
 * A part of a step's pairs, for a scene that is split over machines. With the minimum of a primitive being the least
 * coordinate of its vertices along axis, at both ends of the step, the slab owns the pairs whose larger minimum is in [lo, hi).
 */
typedef struct ccd_slab {
    int32_t axis;     /*  0  0, 1 or 2 */
    int32_t reserved; /*  4  0 */
    double lo, hi;    /*  8  lengths; -Inf and +Inf at the ends of the line */
} ccd_slab;

/**
 * Part a step into count slabs along the axis on which it is longest, with about as many primitives each. Every pair is owned by
 * exactly one of them, told from the coordinates alone: the same on every machine, whatever min_separation is.
 *
 * slabs  room for count of them, in [1, 2^20]; always written; on error with slabs that every call refuses
 *
 * Slabs may also be made by hand; they own every pair once when they part the line (-Inf, +Inf) of one axis.
 * Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_slabs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, ccd_slab *slabs);
/**
 * Earliest impact among the pairs that a slab owns.
 *
 * The least of the slabs' answers in the order (toi_lo, kind, a, b) has the bits of ccd_step_earliest; where none has an
 * impact, each answer has. So processes that share a scene (MPI ranks, Dask workers) reduce with a minimum.
 *
 * The mesh may be the whole one. It may also be a part, with all primitives that reach the slab: those that begin below hi and
 * end, min_separation added, at lo or above. Indices are then the part's own; compare those of the whole.
 *
 * slab  not NULL; axis in [0, 2], reserved 0, lo <= hi
 *
 * Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_slab_earliest(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_slab *slab,
                                  const ccd_options *options, ccd_impact *out);
/** ccd_step_collisions for the pairs of a slab: together those of all slabs are those of the step, each once. */
ccd_status ccd_step_slab_collisions(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_slab *slab,
                                    const ccd_options *options, ccd_impacts **out);
/** ccd_step_size for the pairs of a slab: the least over all slabs is that of the step. */
ccd_status ccd_step_slab_size(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_slab *slab,
                              const ccd_options *options, double *alpha);

/* ---- proximity: one frame -------------------------------------------------------------------------------------------- */

/** Two primitives that share a point. 24 bytes, no hidden padding. */
typedef struct ccd_intersection {
    int32_t kind;     /*  0  CCD_EDGE_FACE: a = edge, b = face; any other kind as in ccd_impact */
    int32_t reserved; /*  4  0 */
    int64_t a, b;     /*  8  indices of the two primitives */
} ccd_intersection;

/** The intersections of a frame. */
typedef struct ccd_intersections ccd_intersections;

/**
 * Every pair of primitives that intersects where the vertices of the mesh are at x: exactly, for any doubles.
 *
 * An edge and a face intersect when the closed segment and the closed triangle share a point; pairs that share a vertex are
 * left out. What edges against faces cannot show is there as a pair of another kind that touches: codimensional vertices and
 * edges on faces, edges or vertices, and faces on a common vertex or edge that are folded flat onto each other. In all:
 * the list is empty if and only if no allowed edge-face pair shares a point and no pair that a step would test touches.
 *
 * mesh     live handle; read only; threads may share it. Its filters apply; of ccd_mesh_set_excluded the list of each kind
 * x        n x 3 doubles, row-major, packed, finite; borrowed for this call
 * n        must equal the mesh's vertex count
 * options  NULL for defaults, else prepared by ccd_options_init; threads, memory_limit, progress, stats and CCD_BRUTE_FORCE
 *          have an effect. stats.candidates counts edge-face pairs with the vertex-face ones, stats.impacts what was found
 * out      a handle to be destroyed, or NULL on error
 *
 * A mesh without intersections, moved by a step that is separate (with the exact method), has none.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY or CCD_E_CANCELLED.
 * Reentrant. Same bits for any thread count and SIMD level. Since 0.1. Papers: [Shewchuk1997] error bounds of the signs.
 */
ccd_status ccd_proximity_intersections(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                       ccd_intersections **out);
/**
 * Whether there is any intersection: *out is 0 or 1, and 1 on error. Stops at the first. Otherwise as
 * ccd_proximity_intersections.
 */
ccd_status ccd_proximity_intersects(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options, int32_t *out);
ccd_status ccd_intersections_count(ccd_intersections *intersections, size_t *count);
/** Copy the intersections, edge-face pairs first, then sorted by (kind, a, b); cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_intersections_copy(ccd_intersections *intersections, ccd_intersection *dst, size_t cap, size_t *count);
ccd_status ccd_intersections_destroy(ccd_intersections *intersections);

/**
 * The distance of two primitives, in the Euclidean norm, proven. 104 bytes, no hidden padding.
 *
 *   1. The distance is in [lo, hi].
 *   2. Both are 0 if and only if the primitives touch: decided exactly.
 *   3. hi - lo <= 2^-24 hi, unless they are neighbouring doubles.
 */
typedef struct ccd_near_pair {
    int32_t kind;      /*  0  CCD_VERTEX_FACE ... CCD_POINT_POINT */
    int32_t reserved;  /*  4  0 */
    int64_t a, b;      /*  8  indices of the two primitives, as in ccd_impact */
    double lo, hi;     /* 24  lengths */
    double u, v;       /* 40  parameters of nearest points, as in ccd_impact; exactly 0 or 1 at a vertex */
    double point_a[3]; /* 56  nearest point of a, rounded */
    double point_b[3]; /* 80  nearest point of b, rounded */
} ccd_near_pair;

/** Near pairs of a frame. */
typedef struct ccd_near_pairs ccd_near_pairs;

/**
 * Every allowed pair that is within the distance d where the vertices of the mesh are at x, with its distance: vertex-face,
 * edge-edge and codimensional pairs, as a step would test them. These are the candidates for barriers and contact forces.
 *
 * d  a length in [0, 1e150]. No pair at a distance of at most d is missing; each pair that is there has lo <= d
 *
 * Otherwise as ccd_proximity_intersections.
 */
ccd_status ccd_proximity_near(ccd_mesh *mesh, const double *x, size_t n, double d, const ccd_options *options,
                              ccd_near_pairs **out);
ccd_status ccd_near_pairs_count(ccd_near_pairs *near_pairs, size_t *count);
/** Copy the pairs, sorted by (kind, a, b); cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_near_pairs_copy(ccd_near_pairs *near_pairs, ccd_near_pair *dst, size_t cap, size_t *count);
ccd_status ccd_near_pairs_destroy(ccd_near_pairs *near_pairs);

/**
 * The smallest distance of all allowed pairs where the vertices of the mesh are at x, and the pair that has it: that with the
 * least hi, the first in the order (kind, a, b) of several.
 *
 * out  always written. The smallest distance is in [out->lo, out->hi], with the three laws of ccd_near_pair. Both ends are
 *      +Inf, kind is 0 and a = b = -1 when there is no pair; on error the interval is [0, +Inf]
 *
 * Surfaces that pass through each other may have a positive distance: the pairs are vertices and faces, edges and edges. Ask
 * ccd_proximity_intersects too. memory_limit does not bind the two trees that are searched.
 *
 * Otherwise as ccd_proximity_near.
 */
ccd_status ccd_proximity_distance(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                  ccd_near_pair *out);

/* ---- rigid ----------------------------------------------------------------------------------------------------------- */

/** The surface of a rigid body with its tree. */
typedef struct ccd_rigid_body ccd_rigid_body;

/**
 * A motion with constant velocity and constant angular velocity. At the time t the body's point p is at
 *
 *   position + t velocity + exp(t [spin]x) R(rotation) (p - pivot)
 *
 * in real arithmetic: the doubles are the truth. With velocity and spin 0 the body is static; with velocity along spin
 * its motion is a screw about the pivot (see ccd_rigid_screw).
 */
typedef struct ccd_rigid_motion { /* 128 bytes */
    double rotation[4];           /* at t = 0, a quaternion w, x, y, z; not 0; R is the rotation of rotation / |rotation| */
    double position[3];           /* of the pivot at t = 0, in the world */
    double velocity[3];           /* of the pivot */
    double spin[3];               /* angular velocity in radians per unit of time, in the world; 0, or above 1e-60 */
    double pivot[3];              /* the point that moves on a straight line, in the body's coordinates; mostly 0, 0, 0 */
} ccd_rigid_motion;

/**
 * Flag: triangles within the tolerance that move apart are not in contact, where it can be proven that they part. A loop that
 * advances to toi_lo and lets the bodies bounce asks so. What is within the tolerance at t0, be it nearer than separation, or
 * touching, may part too: until it is separation apart it comes no nearer than it is at t0, but for rounding (1e-12 of the sizes);
 * from then on it keeps more than separation as all else does, and where it comes near again that is found.
 */
#define CCD_RIGID_IGNORE_PARTING 1u
/**
 * Flag of an impact beside CCD_INITIAL_CONTACT: triangles pierce each other at t0. The points are where an edge of one crosses the
 * other's face; the normal is the face's, toward the longer part of the edge.
 */
#define CCD_RIGID_PENETRATING 4u
/** Flag of an impact by CCD_RIGID_CAPOEIRA: spheres met; the surfaces may be far apart, or never meet. */
#define CCD_RIGID_APPROXIMATE 8u

/** How a query is answered: by best-first second-order advancement over oriented boxes. */
#define CCD_RIGID_DEFAULT 0
/** By the method of the paper of 2017, sphere trees and second-order root finding: slower, and independent. */
#define CCD_RIGID_D2M 1
/** The same down to small spheres alone: fast and approximate, see CCD_RIGID_APPROXIMATE. */
#define CCD_RIGID_CAPOEIRA 2

/** Options of a call. Prepare with ccd_rigid_options_init; the struct may grow at its end in later versions. */
typedef struct ccd_rigid_options {
    size_t struct_size; /* set by ccd_rigid_options_init */
    double t0, t1;      /* [0, 1]: the interval of time, in the unit of the velocities */
    double separation;  /* 1e-10: the distance that bodies keep before an impact, and at toi_lo; Euclidean */
    double tolerance;   /* 1e-10, above 0: contact is within separation + tolerance */
    int64_t
        max_steps;  /* 1000000: pairs of boxes and triangles that are computed before the answer stays open; 0 = no limit */
    int32_t method; /* CCD_RIGID_DEFAULT */
    uint32_t flags; /* CCD_RIGID_IGNORE_PARTING */
} ccd_rigid_options;

/** As ccd_options_init. */
void ccd_rigid_options_init(ccd_rigid_options *options, size_t struct_size);

/** What a query answers. */
typedef struct ccd_rigid_impact { /* 136 bytes, no padding */
    int32_t verdict;              /* ccd_verdict */
    uint32_t flags;         /* CCD_INITIAL_CONTACT: at t0 within separation + tolerance | CCD_RIGID_PENETRATING | ... */
    double toi_lo, toi_hi;  /* +Inf when separate; toi_hi is also +Inf when undecided */
    int64_t face_a, face_b; /* the two triangles; -1 without contact */
    int32_t feature_a,
        feature_b; /* their nearest features: 0 to 2 a corner, 3 to 5 the edge that begins there, 6 the face */
    double point_a[3], point_b[3]; /* the nearest points at toi_hi, in the world */
    double normal[3];              /* unit, from b to a; zeros without contact, and where two points meet */
    double distance;               /* of the points; 0 when penetrating */
    int64_t steps;                 /* work done, in the unit of max_steps */
} ccd_rigid_impact;

/**
 * Check a surface and build its tree, with all threads this process may use.
 *
 * vertices  n_vertices x 3 doubles, at most 1e60 in magnitude, in the body's coordinates
 * faces     n_faces x 3 vertex indices, at least one face; one that repeats a vertex is an edge or a point
 * *out      a handle to be destroyed, or NULL on error; nothing is borrowed after the call. Threads may share it
 *
 * A body is its triangles, not what they enclose. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_INDEX. Since 0.1.
 */
ccd_status ccd_rigid_body_create(const double *vertices, size_t n_vertices, const int32_t *faces, size_t n_faces,
                                 ccd_rigid_body **out);
ccd_status ccd_rigid_body_destroy(ccd_rigid_body *body);

/**
 * The first time in [t0, t1] at which two bodies come close.
 *
 * a, b      live handles, the same one twice if need be; threads may share them
 * ma, mb    their motions; lengths, velocities and times at most 1e60 in magnitude, turns at most 2^39 radians from t = 0
 * options   NULL for defaults, else prepared by ccd_rigid_options_init
 * out       always written
 *
 * CCD_SEPARATE is a proof: the bodies keep more than separation for all t in [t0, t1]. Otherwise they do so for all t < toi_lo;
 * at toi_lo as well, unless contact is there at t0 (or parts there, see CCD_RIGID_IGNORE_PARTING): toi_lo is already the step back. In contact, their distance at toi_hi is at
 * most separation + tolerance; toi_hi is toi_lo or the next double, where times are too coarse for the tolerance.
 * CCD_UNDECIDED: the budget was spent, or doubles are too coarse; bodies that stay close for long cost a step for every little
 * turn. The budget is max_steps; but bodies that can meet while they turn by more radians, both together, than max_steps cannot be
 * proven separate with it: then max_steps^2 / radians steps are spent, at least 4096, enough for contact in the first turns. On error toi_lo is -Inf.
 * CCD_RIGID_D2M: for t < toi_hi the surfaces do not touch, in place of keeping more than separation; at toi_hi they are within a
 * quarter of tolerance, but for rounding; the pose at toi_lo keeps separation, by proof. CCD_RIGID_CAPOEIRA: they do not touch before toi_lo, and nothing is said of contacts.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED (a flag that a
 * method does not know).
 * Reentrant. Same bits on every machine. Since 0.1. Papers: [Buddingh2017], [Mirtich1996], [Gottschalk1996].
 */
ccd_status ccd_rigid_earliest(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              const ccd_rigid_options *options, ccd_rigid_impact *out);
/** count queries of two bodies with motions ma[i], mb[i]; out holds count answers. Otherwise as ccd_rigid_earliest. */
ccd_status ccd_rigid_batch(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                           size_t count, const ccd_rigid_options *options, ccd_rigid_impact *out);

/**
 * The pose at the time t, rounded: p is at position + R(rotation) p. Either array may be NULL; zeros on error.
 * Returns CCD_OK, CCD_E_ARGUMENT or CCD_E_NONFINITE.
 */
ccd_status ccd_rigid_pose(const ccd_rigid_motion *motion, double t, double rotation[4], double position[3]);
/**
 * The motion of a body from one pose at t = 0 to another at t = duration, above 0. Its point pivot (three doubles in the
 * body's coordinates, NULL for its origin; take the centre of mass) goes straight, and the body turns about it at a constant
 * rate, by the shorter way. The last bits may differ between machines.
 * Returns CCD_OK, CCD_E_ARGUMENT or CCD_E_NONFINITE.
 */
ccd_status ccd_rigid_between(const double rotation0[4], const double position0[3], const double rotation1[4],
                             const double position1[3], double duration, const double *pivot, ccd_rigid_motion *out);
/**
 * The motion of a body, at rotation and position at t = 0, that turns with angular velocity spin about the line through the
 * world's point on and slides along it with the given speed. It is a screw about an axis that differs by rounding.
 */
ccd_status ccd_rigid_screw(const double rotation[4], const double position[3], const double on[3], const double spin[3],
                           double slide, ccd_rigid_motion *out);

/** What two bodies of a scene answer. */
typedef struct ccd_rigid_contact { /* 152 bytes, no padding */
    int64_t a, b;                  /* the bodies, a < b; -1 when all are separate */
    ccd_rigid_impact impact;
} ccd_rigid_contact;

/** Contacts of a scene. */
typedef struct ccd_rigid_contacts ccd_rigid_contacts;

/**
 * The first time in [t0, t1] at which two of many bodies come close.
 *
 * bodies   count live handles, one of them many times if need be
 * motions  count motions, as in ccd_rigid_earliest
 * groups   NULL, or count numbers: bodies of one group that is not negative are not asked about against each other
 * skip     n_skip pairs of bodies that are not asked about, in either order
 * rigid    NULL for defaults, else prepared by ccd_rigid_options_init; max_steps counts for each pair
 * options  NULL for defaults, else prepared by ccd_options_init; threads, progress, memory_limit (for pairs and what is found) and
 *          stats count, the rest has no effect; in the stats candidates[0] are pairs of bodies whose boxes meet
 * out      the first contact in the order (toi_lo, a, b)
 *
 * CCD_SEPARATE is a proof for all pairs that are asked about; otherwise they all keep more than separation for all t < toi_lo.
 * A pair is answered as by ccd_rigid_earliest, but where boxes about the two motions stay apart by more than
 * separation + tolerance it is separate without being asked. On error toi_lo is -Inf.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits on every machine, with any number of threads. Since 0.1.
 */
ccd_status ccd_rigid_scene_earliest(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                    const int32_t *groups, const int32_t *skip, size_t n_skip,
                                    const ccd_rigid_options *rigid, const ccd_options *options, ccd_rigid_contact *out);
/** The answer of every pair that is not separate, in the order (toi_lo, a, b), as a handle to be destroyed. */
ccd_status ccd_rigid_scene_contacts(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                    const int32_t *groups, const int32_t *skip, size_t n_skip,
                                    const ccd_rigid_options *rigid, const ccd_options *options, ccd_rigid_contacts **out);
ccd_status ccd_rigid_contacts_count(ccd_rigid_contacts *contacts, size_t *count);
/** Copy the contacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_rigid_contacts_copy(ccd_rigid_contacts *contacts, ccd_rigid_contact *dst, size_t cap, size_t *count);
ccd_status ccd_rigid_contacts_destroy(ccd_rigid_contacts *contacts);

/** Elements of a mesh that a body may touch: a face, an edge in no face, a vertex in no edge. */
#define CCD_RIGID_FACE 0
#define CCD_RIGID_EDGE 1
#define CCD_RIGID_VERTEX 2

/** What a body and an element of a mesh that deforms answer. */
typedef struct ccd_rigid_mesh_contact { /* 152 bytes, no padding */
    int64_t body;                       /* -1 when all are separate */
    int32_t element;                    /* CCD_RIGID_FACE, ...: what impact.face_b counts, by its index in the mesh */
    int32_t reserved;                   /* 0 */
    ccd_rigid_impact impact;            /* b is the mesh; feature_b of an edge is 0 or 1 for its ends, 3 for the edge */
} ccd_rigid_mesh_contact;

/** Contacts of bodies with a mesh. */
typedef struct ccd_rigid_mesh_contacts ccd_rigid_mesh_contacts;

/**
 * The first time in [t0, t1] at which one of many rigid bodies comes close to a mesh that deforms in the same time: its vertices
 * move on straight lines, with constant velocities, from x0 at t0 to x1 at t1; where t0 = t1 it stands at x0.
 *
 * bodies, motions, count   as in ccd_rigid_scene_earliest; bodies are not asked about against each other
 * mesh                     a live handle; what is to collide with what in it does not matter
 * x0, x1                   n x 3 doubles each, n the number of vertices of the mesh, at most 1e60 in magnitude
 * rigid                    as there; max_steps counts for each body with each element; not CCD_RIGID_CAPOEIRA
 * options                  as there
 * out                      the first contact in the order (toi_lo, body, element, face_b)
 *
 * What ccd_rigid_earliest promises of two bodies holds for every body and element: CCD_SEPARATE is a proof for all of them, and
 * otherwise they keep more than separation for all t < toi_lo. CCD_RIGID_D2M asks all pairs of features, without a tree over
 * the body: slow, and independent; it steps back from each element alone.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED. On error toi_lo is -Inf.
 * Reentrant. Same bits on every machine, with any number of threads. Since 0.1.
 */
ccd_status ccd_rigid_mesh_earliest(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                   ccd_mesh *mesh, const double *x0, const double *x1, size_t n,
                                   const ccd_rigid_options *rigid, const ccd_options *options, ccd_rigid_mesh_contact *out);
/** The answer of every body and element that are not separate, in that order, as a handle to be destroyed. */
ccd_status ccd_rigid_mesh_collisions(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                     ccd_mesh *mesh, const double *x0, const double *x1, size_t n,
                                     const ccd_rigid_options *rigid, const ccd_options *options,
                                     ccd_rigid_mesh_contacts **out);
ccd_status ccd_rigid_mesh_contacts_count(ccd_rigid_mesh_contacts *contacts, size_t *count);
/** Copy the contacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_rigid_mesh_contacts_copy(ccd_rigid_mesh_contacts *contacts, ccd_rigid_mesh_contact *dst, size_t cap,
                                        size_t *count);
ccd_status ccd_rigid_mesh_contacts_destroy(ccd_rigid_mesh_contacts *contacts);

/* ---- volume ---------------------------------------------------------------------------------------------------------- */

/**
 * A mesh of elements that deforms, step by step, with what is kept between steps: tetrahedra, hexahedra, prisms, pyramids and
 * shells, in any mixture. Calls on one volume are answered one after the other, whatever threads they come from.
 *
 * Its features are its vertices, unique edges and unique triangles, those inside included. A side of four corners is two
 * triangles, and its diagonal is an edge: through the corner of least index, or where vertices were split, of least origin.
 * Tested are every vertex with every face that does not have it, and every two edges without a common vertex.
 */
typedef struct ccd_volume ccd_volume;

/* Types of elements: the numbers, and the orders of corners, of VTK. */
#define CCD_ELEMENT_TRIANGLE 5      /* a shell of 3 corners */
#define CCD_ELEMENT_QUADRILATERAL 9 /* a shell of 4 */
#define CCD_ELEMENT_TETRAHEDRON 10  /* 4 */
#define CCD_ELEMENT_HEXAHEDRON 12   /* 8 */
#define CCD_ELEMENT_PRISM 13        /* 6 */
#define CCD_ELEMENT_PYRAMID 14      /* 5, the apex last */

/* What two features are to one another: each pair is of one class, the first that fits. */
#define CCD_VOLUME_WITHIN_ELEMENT 4u /* an element has all vertices of both: contact means that it is squeezed flat */
#define CCD_VOLUME_AT_SPLIT 8u /* a vertex of the one and one of the other were split from one, and coincide at t = 0 */
#define CCD_VOLUME_WITHIN_OBJECT 2u /* both are of one connected component */
#define CCD_VOLUME_BETWEEN_OBJECTS 1u
/* With the classes in a selection: only features of the surface. 0 selects all classes but AT_SPLIT, inside and out. */
#define CCD_VOLUME_SURFACE 16u

/* With them, too: find pairs by the method of the paper of 2011 ([Tang2011]) instead of the default, a tree over patches of elements.
 * It finds the same contacts, slower and independently: a tree of k-DOPs over elements, continuous separating axes with certain
 * signs, and orphan sets that follow edits. The rest is for CCD_VOLUME_VOLCCD alone. */
#define CCD_VOLUME_VOLCCD 32u
#define CCD_VOLUME_STATIC 64u /* pairs are tested by their owners, in place of dynamic assignment and orphan sets */
/* k of the k-DOPs, 16 unless one of these is given. */
#define CCD_VOLUME_DOP6 256u
#define CCD_VOLUME_DOP18 512u
#define CCD_VOLUME_DOP26 768u
/* Axes, Chung-Wang's for two elements and then the paper's unless one of these is given. */
#define CCD_VOLUME_PAPER_AXES 1024u
#define CCD_VOLUME_CHUNG_WANG 2048u
#define CCD_VOLUME_NO_AXES 3072u

/** One contact of a volume. 152 bytes, no hidden padding. */
typedef struct ccd_volume_contact {
    ccd_impact impact;   /*   0  a, b: numbers of a vertex and a face, or of two edges */
    int32_t vertices[4]; /* 120  v f0 f1 f2, or a0 a1 b0 b1; those of a feature in rising order */
    int32_t elements[2]; /* 136  the element that has both features; where there is none, the least that has a, and b */
    uint32_t cls;        /* 144  CCD_VOLUME_WITHIN_ELEMENT ... */
    uint32_t reserved;   /* 148  0 */
} ccd_volume_contact;

/** The contacts of a step. */
typedef struct ccd_volume_contacts ccd_volume_contacts;

/**
 * A volume of `vertices` vertices and n elements: kinds holds their types, corners the vertices of one element after the other.
 *
 * Errors name the element: a type that is none, a corner out of range, a vertex repeated within an element, an element given
 * twice, a third element with an inside at one triangle. *out is a handle to be destroyed, or NULL on error.
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_MEMORY. Since 0.1. Paper: [Tang2011].
 */
ccd_status ccd_volume_create(size_t vertices, const int32_t *kinds, size_t n, const int32_t *corners, size_t n_corners,
                             ccd_volume **out);
ccd_status ccd_volume_destroy(ccd_volume *volume);
/** Numbers of vertices, elements, edges and faces, with those that were removed; any of the pointers may be NULL. */
ccd_status ccd_volume_counts(ccd_volume *volume, size_t *vertices, size_t *elements, size_t *edges, size_t *faces);
/** Copy the edges (2 vertices each; -1 for numbers not in use), and so on; dst, cap and count as in ccd_mesh_edges. */
ccd_status ccd_volume_edges(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the faces, 3 vertices each. */
ccd_status ccd_volume_faces(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the type of every element, as ccd_volume_create takes them; 0 for one that was removed. */
ccd_status ccd_volume_elements(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the corners of one element after the other, with the edits so far; an element that was removed has none. */
ccd_status ccd_volume_corners(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the origin of every vertex: the one it was split from in the end, or itself. */
ccd_status ccd_volume_origins(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);

/*
 * Edits, between steps. One that is refused changes nothing. Elements and vertices keep their numbers; edges and faces keep theirs
 * while they live. The answers are those of a volume made anew, but for the numbers of features.
 */

/** Append n vertices: origin[i] is the vertex that the i-th was split from, or -1. *first is the number of the first. */
ccd_status ccd_volume_add_vertices(ccd_volume *volume, const int32_t *origin, size_t n, int32_t *first);
/** Append n elements, as in ccd_volume_create. *first is the number of the first. */
ccd_status ccd_volume_add(ccd_volume *volume, const int32_t *kinds, size_t n, const int32_t *corners, size_t n_corners,
                          int32_t *first);
/** Remove these n elements, and the features that no other element has. */
ccd_status ccd_volume_remove(ccd_volume *volume, const int32_t *elements, size_t n);
/** Give these n elements at a vertex a new one in its place, *fresh, of the same origin: opens a crack, vertex by vertex. */
ccd_status ccd_volume_split(ccd_volume *volume, int32_t vertex, const int32_t *elements, size_t n, int32_t *fresh);
/** Let all elements at the vertex `from` have `into` in its place. */
ccd_status ccd_volume_merge(ccd_volume *volume, int32_t from, int32_t into);

/**
 * Earliest contact of a volume over one step.
 *
 * volume     live handle
 * x0, x1     n x 3 doubles, n = vertices of the volume, those in no element included
 * selection  0, or a sum of CCD_VOLUME_* : classes (none stands for the default ones), CCD_VOLUME_SURFACE, and how pairs are found
 * options    as in ccd_step_earliest; stats: boxes are those of features. memory_limit lets boxes be made where they are needed,
 *            instead of kept
 * out        always written
 *
 * CCD_SEPARATE is a proof: no pair selected comes within min_separation for t <= t_max. Otherwise none does so for
 * t < out->impact.toi_lo. Of several contacts with one toi_lo the first is reported, in the order of kind and then of the
 * vertices of a and of b, the largest vertex of each first: that is, in a volume without edits, of (kind, a, b).
 *
 * Returns as ccd_step_earliest. Same bits for any thread count and SIMD level, whatever the volume has seen before. Since 0.1.
 */
ccd_status ccd_volume_earliest(ccd_volume *volume, const double *x0, const double *x1, size_t n, uint32_t selection,
                               const ccd_options *options, ccd_volume_contact *out);
/** Every contact, in the order of ccd_volume_earliest. *out is a handle to be destroyed, or NULL on error. */
ccd_status ccd_volume_collisions(ccd_volume *volume, const double *x0, const double *x1, size_t n, uint32_t selection,
                                 const ccd_options *options, ccd_volume_contacts **out);
ccd_status ccd_volume_contacts_count(ccd_volume_contacts *contacts, size_t *count);
/** Copy the contacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_volume_contacts_copy(ccd_volume_contacts *contacts, ccd_volume_contact *dst, size_t cap, size_t *count);
ccd_status ccd_volume_contacts_destroy(ccd_volume_contacts *contacts);

/**
 * Give vertices that came into being during a step a place at its start: x0 = x1 - seconds * velocity, from their place at the end
 * and their mean velocity ([Tang2011], section 6.3). x0, x1 and velocity are n x 3; only the count listed vertices change.
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, or CCD_E_NONFINITE for seconds or what is listed of x1 and velocity; nothing is
 * written then.
 */
ccd_status ccd_volume_trajectories(double *x0, const double *x1, const double *velocity, size_t n, double seconds,
                                   const int32_t *vertices, size_t count);

/* ---- patch ----------------------------------------------------------------------------------------------------------- */

/* Shapes of patches. */
#define CCD_PATCH_CURVE 1    /* u in [0, 1]; of degree 0 a point */
#define CCD_PATCH_TRIANGLE 2 /* u, v >= 0, u + v <= 1 */
#define CCD_PATCH_QUAD 3     /* u, v in [0, 1] */

/**
 * Shape and degrees of a Bezier patch: u and v in [1, 9]; a triangle's are equal, a curve's v is 0 and its u may be 0.
 *
 * The order of its control points. Curve: by the power of u. Quad: point (i, j), i along u and j along v, has the index
 * i (v + 1) + j. Triangle of degree n: (i, j) the powers of u and v, by rows of equal j: (0,0) (1,0) ... (n,0), (0,1) ...
 * (n-1,1), ..., (0,n).
 */
typedef struct ccd_patch_form {
    int32_t shape; /* CCD_PATCH_CURVE ... */
    int32_t u, v;
} ccd_patch_form;

/** One impact between two patches. 128 bytes, no hidden padding. Laws 1 to 4 as for ccd_impact, but see ccd_patch_pair for law 4. */
typedef struct ccd_patch_impact {
    int32_t verdict;       /*   0 */
    uint32_t flags;        /*   4  CCD_INITIAL_CONTACT, CCD_CERTIFIED */
    int64_t a, b;          /*   8  indices of the two patches in their bodies; -1 for a bare pair */
    double toi_lo, toi_hi; /*  24  fractions of the step; +Inf when separate */
    double uv_a[2];        /*  40  parameters on both patches: their points are within min_separation, tolerance and */
    double uv_b[2];        /*  56  what rounding leaves of each other at toi_hi */
    double point[3];       /*  72  the point of a at toi_lo */
    double normal[3];      /*  96  unit, from b to a; zeros when separate */
    double width;          /* 120  a length: how far the two points move against each other from toi_lo to toi_hi */
} ccd_patch_impact;

/** A body: moving patches on common control points. */
typedef struct ccd_patch ccd_patch;
/** Impacts between patches. */
typedef struct ccd_patch_impacts ccd_patch_impacts;

/**
 * Earliest impact of two moving Bezier patches, polynomial or rational, of any shapes.
 *
 * a, b            forms
 * a0, a1, b0, b1  control points at t=0 and t=1, 3 doubles each, in the order of the form: they move on segments
 * wa, wb          positive weights, one a control point, at most 2^100 apart; or NULL: all equal
 * options         method: CCD_METHOD_DEFAULT; or, slower and for comparison, CCD_METHOD_TIME_CONTRACTED, that of [Chen2024] with its
 *                 boxes along the patches or CCD_AXIS_ALIGNED, and CCD_METHOD_TIGHT_INCLUSION, the traditional one in five
 *                 dimensions. tolerance is a distance, but for CCD_IN_PARAMETERS. max_boxes counts pairs of subpatches that are
 *                 checked; memory_limit bounds the pair's working memory, 0 stands for 256 MiB. Either one spent: CCD_UNDECIDED,
 *                 with toi_lo safe. So it is where weights are so far apart (from about 10^9 on) that parts of 2^-50 of the
 *                 parameters are larger than the tolerance. In a call on bodies memory_limit also bounds the list of pairs whose
 *                 boxes meet, and what is found: beyond that CCD_E_MEMORY, 0 is no limit. CCD_NO_ZERO_TOI: toi_lo > 0 if the
 *                 patches are apart at t=0 by more than rounding.
 *                 progress is called with 0 now and then, and may cancel; threads and scene_bound have no effect
 * out             always written
 *
 * CCD_SEPARATE is a proof: the patches keep more than min_separation for t <= t_max. Otherwise they do for t < out->toi_lo.
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED. Reentrant. Same bits for any SIMD level,
 * and for a and b exchanged. Since 0.1.
 * Paper: [Chen2024], whose order of search it keeps; the bounds, the checks and the stop are its own (docs/numerics.md).
 */
ccd_status ccd_patch_pair(const ccd_patch_form *a, const double *a0, const double *a1, const double *wa,
                          const ccd_patch_form *b, const double *b0, const double *b1, const double *wb,
                          const ccd_options *options, ccd_patch_impact *out);

/**
 * A body of n patches on `points` control points.
 *
 * forms    n of them
 * index    the control points of each patch in turn, in the order of its form: n_index in all
 * weights  one for each entry of index, or NULL
 * out      a handle to be destroyed, or NULL on error
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_NONFINITE or CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_patch_create(size_t points, const ccd_patch_form *forms, size_t n, const int32_t *index, size_t n_index,
                            const double *weights, ccd_patch **out);
/**
 * A body of the Bezier patches of a NURBS surface; its control points are the surface's, (i, j) at i n_v + j, weights alike.
 *
 * u, v                degrees in [1, 9]; v = 0 and n_knots_v = 0 for a curve
 * knots_u, n_knots_u  in rising order, clamped or not, of any multiplicity: number of points along u + u + 1. The
 *                     surface is that over [knots_u[u], knots_u[n_knots_u - u - 1]]
 * weights             positive, or NULL
 *
 * Patches come u slowest. The conversion's rounding is bounded and counted among the errors of each query.
 */
ccd_status ccd_patch_create_nurbs(int32_t u, int32_t v, const double *knots_u, size_t n_knots_u, const double *knots_v,
                                  size_t n_knots_v, const double *weights, ccd_patch **out);
ccd_status ccd_patch_destroy(ccd_patch *body);
/** Numbers of control points and of patches; either pointer may be NULL. */
ccd_status ccd_patch_counts(ccd_patch *body, size_t *points, size_t *patches);

/**
 * Earliest impact between two bodies over a step.
 *
 * a, b            live handles, which may be one and the same in two places; read only; threads may share them
 * a0, a1, n_a     control points of a at t=0 and t=1, n_a x 3 doubles each; n_a must be their number
 * b0, b1, n_b     those of b
 * options, out    as in ccd_patch_pair, for each pair of patches. progress is called between pairs and during long ones, and may
 *                 cancel. In the stats boxes are those of patches, candidates[0] pairs of patches whose boxes meet, impacts
 *                 what was found, or met on the way to the earliest, undecided those whose budget was spent. threads
 *                 and the order of a body's patches change no bit of the times
 *
 * CCD_SEPARATE is a proof for all pairs; otherwise none comes within min_separation for t < out->toi_lo.
 * Pairs within one body are not looked at: see ccd_patch_self_earliest.
 *
 * Returns as ccd_patch_pair, or CCD_E_HANDLE or CCD_E_CANCELLED.
 */
ccd_status ccd_patch_earliest(ccd_patch *a, const double *a0, const double *a1, size_t n_a, ccd_patch *b, const double *b0,
                              const double *b1, size_t n_b, const ccd_options *options, ccd_patch_impact *out);
/**
 * The impact of every pair of patches that is not separate, in the order (toi_lo, a, b), as a handle to be destroyed. Same
 * bits for any number of threads.
 */
ccd_status ccd_patch_collisions(ccd_patch *a, const double *a0, const double *a1, size_t n_a, ccd_patch *b,
                                const double *b0, const double *b1, size_t n_b, const ccd_options *options,
                                ccd_patch_impacts **out);
/**
 * A sample of where two bodies come into contact first: impacts within the time lag, in [0, 1], of the earliest, whose points are
 * at least the length apart from each other. The earliest comes first, and alone if it is undecided; none if the bodies stay
 * separate. stats.undecided also counts pairs whose budget was spent before all their contacts were covered.
 * Paper: [Chen2024], section 5.3.
 */
ccd_status ccd_patch_manifold(ccd_patch *a, const double *a0, const double *a1, size_t n_a, ccd_patch *b, const double *b0,
                              const double *b1, size_t n_b, double lag, double apart, const ccd_options *options,
                              ccd_patch_impacts **out);

/** What a call on a body against itself left out. 16 bytes. */
typedef struct ccd_patch_left {
    int64_t pairs; /*   0  pairs of neighbouring parts, no wider than the neighbourhood, that could not be proven: up to
                           t_max, or before the earliest contact where that is asked for */
    double from;   /*   8  the time up to which all of them are proven; +inf if there are none */
} ccd_patch_left;

/**
 * Earliest contact of a body with itself, between two patches or within one: out->a <= out->b.
 *
 * Patches with equal control points (and proportional weights) along an edge, or at a corner or collapsed edge, at both ends of
 * the step, touch there at all times, as a patch touches itself: that is no contact. The others are, wherever they are. Two
 * points that both lie within neighbourhood, in every parameter, of a common point of their patches (of one patch: of any point)
 * may be tested with min_separation 0, and left out where even that cannot be decided: at a fold. Choose the neighbourhood
 * wider than min_separation over the size of patches, else a sheet is too near to itself.
 *
 * body, x0, x1, n  a live handle and its control points at t=0 and t=1, n x 3 doubles each; n must be their number
 * neighbourhood    in [2^-20, 1/2], rounded down to a power of two; 0: 1/64
 * options, out     as in ccd_patch_earliest; of methods the default alone
 * left             what was left out, or NULL
 *
 * CCD_SEPARATE is a proof for all pairs of points that are not left out; otherwise none of them comes within min_separation for
 * t < out->toi_lo. If left->pairs is 0, or left->from is not before that time, nothing was left out. left counts no pairs within the
 * neighbourhood that are proven with min_separation 0: these do not touch, and may come nearer than min_separation.
 *
 * Returns as ccd_patch_earliest.
 */
ccd_status ccd_patch_self_earliest(ccd_patch *body, const double *x0, const double *x1, size_t n, double neighbourhood,
                                   const ccd_options *options, ccd_patch_impact *out, ccd_patch_left *left);
/** The impact of every pair of patches of a body, a <= b, that is not separate: as ccd_patch_collisions. */
ccd_status ccd_patch_self_collisions(ccd_patch *body, const double *x0, const double *x1, size_t n, double neighbourhood,
                                     const ccd_options *options, ccd_patch_impacts **out, ccd_patch_left *left);
/** A sample of where a body comes into contact with itself first: as ccd_patch_manifold. */
ccd_status ccd_patch_self_manifold(ccd_patch *body, const double *x0, const double *x1, size_t n, double lag, double apart,
                                   double neighbourhood, const ccd_options *options, ccd_patch_impacts **out,
                                   ccd_patch_left *left);

ccd_status ccd_patch_impacts_count(ccd_patch_impacts *impacts, size_t *count);
/** Copy the impacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_patch_impacts_copy(ccd_patch_impacts *impacts, ccd_patch_impact *dst, size_t cap, size_t *count);
ccd_status ccd_patch_impacts_destroy(ccd_patch_impacts *impacts);

/* ---- files ----------------------------------------------------------------------------------------------------------- */

/** A surface read from a file. */
typedef struct ccd_file ccd_file;

/**
 * Read an OBJ, PLY (ascii, binary little or big endian), STL (ascii, binary) or OFF file, or the triangles, quadrilaterals and lines
 * of a file that ccd_cells_read reads; the format is told by the content.
 * Polygons are split into triangles as fans; STL vertices with the same coordinates become one.
 *
 * path names a regular file, in UTF-8: pipes, sockets and devices are refused. Reading takes at most 80 bytes for each byte of the file,
 * and for a compressed VTU three times the points and cells that its pieces declare, which zlib may pack 1032 to one. Of a file's
 * content an error tells numbers, and words that a format knows.
 * *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_FILE. Since 0.1.
 */
ccd_status ccd_file_read(const char *path, ccd_file **out);
/** Numbers of vertices, of edges the file itself lists (line elements), and of triangles; any pointer may be NULL. */
ccd_status ccd_file_counts(ccd_file *file, size_t *vertices, size_t *edges, size_t *faces);
/** Copy the arrays: n x 3 doubles, 2 and 3 indices each. Any pointer may be NULL; each array must have room for its count. */
ccd_status ccd_file_copy(ccd_file *file, double *vertices, int32_t *edges, int32_t *faces);
ccd_status ccd_file_destroy(ccd_file *file);

/** Elements read from a file. */
typedef struct ccd_cells ccd_cells;

/**
 * Read a file of elements: VTK's unstructured grids, legacy (text, binary) and XML (text, base64, appended, zlib); Gmsh MSH 2 and 4
 * (text, binary); MEDIT .mesh and .meshb. The format is told by the content. Points and lines among the cells are left out.
 * Otherwise as ccd_file_read.
 */
ccd_status ccd_cells_read(const char *path, ccd_cells **out);
/** Numbers of vertices, of elements, and of the corners of all elements; any pointer may be NULL. */
ccd_status ccd_cells_counts(ccd_cells *cells, size_t *vertices, size_t *elements, size_t *corners);
/** Copy the arrays, as ccd_volume_create takes them; any pointer may be NULL; each array must have room for its count. */
ccd_status ccd_cells_copy(ccd_cells *cells, double *vertices, int32_t *kinds, int32_t *corners);
ccd_status ccd_cells_destroy(ccd_cells *cells);

/** Bezier patches read from a file. */
typedef struct ccd_patch_file ccd_patch_file;

/**
 * Read curved patches: a list of Bezier patches in either of the Utah teapot's formats, OBJ with Bezier and B-spline curves and
 * surfaces, rational or not (its polygons become linear triangles), or JSON with NURBS (core/patch/json.go tells the format).
 * NURBS and B-splines become Bezier patches, at up to 310 bytes a control point. An error names the line. Otherwise as
 * ccd_file_read.
 */
ccd_status ccd_patch_file_read(const char *path, ccd_patch_file **out);
/**
 * Numbers of control points, patches, indices, and weights (0: all are equal); *lost bounds how far a coordinate may lie from
 * the file's surface by the insertion of knots. Any pointer may be NULL.
 */
ccd_status ccd_patch_file_counts(ccd_patch_file *file, size_t *points, size_t *patches, size_t *indices, size_t *weights,
                                 double *lost);
/** Copy the arrays, as ccd_patch_create takes them; any pointer may be NULL; each array must have room for its count. */
ccd_status ccd_patch_file_copy(ccd_patch_file *file, double *points, ccd_patch_form *forms, int32_t *index,
                               double *weights);
ccd_status ccd_patch_file_destroy(ccd_patch_file *file);

/** Queries read from a CSV in the format of the 2021 dataset. */
typedef struct ccd_queries ccd_queries;

/**
 * Read queries: 8 rows each; 6 columns are x, y, z as numerator, denominator, a seventh is the truth (0 or 1).
 * The quotients must be exact doubles. *out is a handle to be destroyed, or NULL on error; an error names the line.
 */
ccd_status ccd_queries_read(const char *path, ccd_queries **out);
/** *count queries; *has_truth is 1 when the file has the seventh column. */
ccd_status ccd_queries_count(ccd_queries *queries, size_t *count, int32_t *has_truth);
/** Copy count x 24 doubles and count truths (0 or 1; -1 when the file has none); either pointer may be NULL. */
ccd_status ccd_queries_copy(ccd_queries *queries, double *q, int32_t *truth);
ccd_status ccd_queries_destroy(ccd_queries *queries);

#ifdef __cplusplus
}
#endif

#endif /* LIBCCD_TOI_CCD_H */
