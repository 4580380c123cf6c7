/*
 * ccd.h - continuous collision detection.
 *
 * A simulator moves a mesh from x0 to x1 in one step; vertex i moves on the segment x0[i] -> x1[i], in real arithmetic, as t runs
 * from 0 to 1. This library computes when two parts first touch, and proves it. "Laws" below are the numbered guarantees of every result:
 * they stand after ccd_impact, and docs/numerics.md proves them. docs/abi.md has the rules of this interface.
 *
 * A step tests vertices against faces, edges against edges, and particles and wires against each other. That a step is separate therefore
 * means: nothing passes through anything, provided no edge passes through a face at x0 already (law 10). CCD_CHECK_START checks that.
 *
 *   ccd_mesh *mesh;
 *   ccd_impact hit;
 *   ccd_mesh_create(vertices, NULL, 0, faces, n_faces, &mesh);
 *   if (ccd_step_earliest(mesh, x0, x1, vertices, NULL, &hit) == CCD_OK && hit.verdict == CCD_CONTACT) ...
 *   ccd_mesh_destroy(mesh);
 *
 * Names: ccd_<domain>_<operation>. A *contact* is a verdict. An *impact* is a record that describes the first contact of a pair, or a
 * pair that is undecided. A function ccd_..._collisions returns a handle to a list of impacts. "toi" is time of impact.
 *
 * Conventions
 *   Coordinates   row-major, packed doubles, finite and at most 1e150 in magnitude; one length unit throughout.
 *   Times         fractions of the step, in [0, 1]; for rigid bodies in the unit of their velocities.
 *   Memory        belongs to the caller, except what a handle holds: free that with the handle's _destroy function. The library reads the
 *                 caller's arrays during the call only.
 *   Threads       every call is reentrant and may come from any thread. Threads may share a handle, and one may destroy it while
 *                 others use it: running calls complete; later calls return CCD_E_HANDLE.
 *   Errors        a negative ccd_status; ccd_last_error says which argument, and which index in it, is wrong. A call that fails still
 *                 writes its out, as its comment says. Comments list the status that a call returns; any call may also return
 *                 CCD_E_FORKED and CCD_E_INTERNAL, and calls with options CCD_E_UNSUPPORTED.
 *   Results       are bit-identical for any number of threads, SIMD level and batch size.
 *
 * Papers: [Wang2021] Tight Inclusion, [Belgrod2023] Scalable CCD, [Tang2011] VolCCD, [Buddingh2017] D2M,
 * [Chen2024] time-dependent inclusion, [Mirtich1996] impulse-based dynamics, [Gottschalk1996] OBBTree, [Shewchuk1997] adaptive
 * predicates. docs/papers.md lists what is taken from each and where the library departs from it.
 */
#ifndef LIBCCD_TOI_CCD_H
#define LIBCCD_TOI_CCD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this header: major * 10000 + minor * 100 + patch. Versions with the same major number are compatible. */
#define CCD_VERSION 100

/* ---- status ---------------------------------------------------------------------------------------------------------- */

typedef int32_t ccd_status;
#define CCD_OK 0
#define CCD_E_ARGUMENT (-1)    /* an argument is NULL, an argument or option is out of range, or two sizes do not agree */
#define CCD_E_NONFINITE (-2)   /* a coordinate is NaN, infinite, or above 1e150 in magnitude */
#define CCD_E_INDEX (-3)       /* an index is out of range, or a primitive of a mesh or volume repeats a vertex */
#define CCD_E_HANDLE (-4)      /* a handle is NULL, destroyed, or of another type */
#define CCD_E_MEMORY (-5)      /* the results of a call do not fit in memory_limit */
#define CCD_E_CANCELLED (-6)   /* the progress callback, or a visitor, stopped the call */
#define CCD_E_FORKED (-7)      /* this process is a fork of one that had already loaded the library: see docs/abi.md */
#define CCD_E_UNSUPPORTED (-8) /* this call does not support an option, or a combination of options */
#define CCD_E_INTERNAL (-9)    /* a bug in the library; please report the message of ccd_last_error */
#define CCD_E_FILE (-10)       /* a file cannot be opened, or is truncated or malformed */

/** Name of a status, such as "CCD_E_INDEX"; a static string, never NULL. */
const char *ccd_status_name(ccd_status status);

/**
 * Message of the last error on this thread, with the argument and the index that is wrong.
 * Copies at most cap - 1 bytes and a terminating NUL into buf (which may be NULL when cap is 0).
 * Returns the length of the whole message without the NUL, or 0 if no call on this thread has failed.
 */
size_t ccd_last_error(char *buf, size_t cap);

/** CCD_VERSION of the library that was loaded. */
uint32_t ccd_version(void);

/**
 * Return to the system the memory that finished calls have left to later ones: some tens of bytes for each vertex, edge and face. A
 * call that finds such memory need not get its own, which takes time. Without calls the library returns it by itself after some minutes.
 * CCD_KEEP_MEMORY in the environment bounds what a call leaves, in bytes: a call that used more leaves nothing. Handles keep what
 * they hold. The call takes milliseconds, and the next ones take longer. Returns CCD_OK or CCD_E_FORKED. Since 0.1.
 */
ccd_status ccd_trim(void);

/** The SIMD level in use: "generic", "avx2" or "avx512". CCD_SIMD in the environment can force a lower one. */
const char *ccd_simd_level(void);

/* ---- options --------------------------------------------------------------------------------------------------------- */

typedef int32_t ccd_verdict;
#define CCD_UNDECIDED 0 /* no contact before toi_lo; CCD_REASON_... says why, width how precise the search was */
#define CCD_SEPARATE 1  /* a proof: the distance exceeds min_separation for all t in [t_min, t_max] */
#define CCD_CONTACT 2   /* the distance falls to min_separation + tolerance + rounding in [toi_lo, toi_hi]; see law 3 */

/* The algorithm of a query. A call returns CCD_E_UNSUPPORTED for a method that it does not implement. Proximity calls accept the methods
 * 0 to 3, and ignore them. */
typedef int32_t ccd_method;
#define CCD_METHOD_DEFAULT 0         /* pairs and meshes: exact; rigid bodies and patches: their own method */
#define CCD_METHOD_TIGHT_INCLUSION 1 /* [Wang2021], algorithm 2; pairs, meshes, volumes, patches */
#define CCD_METHOD_TIME_CONTRACTED 2 /* [Chen2024] with proven error bounds; pairs, meshes, volumes, patches */
#define CCD_METHOD_EXACT 3           /* no tolerance, a unique result; pairs, meshes, volumes */
#define CCD_METHOD_D2M 16            /* [Buddingh2017]; rigid bodies: sphere trees, root finding; slower than the default */
#define CCD_METHOD_D2M_SPHERES 17    /* D2M that tests spheres, no triangles: fast, but see CCD_APPROXIMATE */
#define CCD_METHOD_VOLCCD 32         /* [Tang2011], corrected; volumes: the same results as the default, slower */

/* The norm that min_separation is measured in. The max norm is never larger than the Euclidean one: with it contact is reported earlier. */
typedef int32_t ccd_norm;
#define CCD_NORM_DEFAULT 0   /* the Euclidean norm */
#define CCD_NORM_MAX 1       /* the largest of |x|, |y|, |z|; not for proximity, rigid bodies and patches */
#define CCD_NORM_EUCLIDEAN 2 /* sqrt(x x + y y + z z), of the usual distance between two points */

/*
 * Where a call computes. A graphics processor runs the broad phase and the narrow phase of the exact method in ccd_step_* and
 * ccd_step_run_* calls, and the broad phase of ccd_broad_candidates; results have the same bits. CCD_DEVICE in the environment
 * ("gpu", "gpu:1", "auto") sets it for the calls that leave it at CCD_DEVICE_CPU and could use a device. ccd_device_list says what
 * there is.
 */
typedef int32_t ccd_device;
#define CCD_DEVICE_CPU 0  /* the default */
#define CCD_DEVICE_GPU 1  /* a graphics processor; CCD_E_UNSUPPORTED if it fails, none can be used, or the call uses none */
#define CCD_DEVICE_AUTO 2 /* a graphics processor where there is one and there are many pairs, else the CPU */

#define CCD_VERTEX_FACE 1
#define CCD_EDGE_EDGE 2
#define CCD_POINT_EDGE 3
#define CCD_POINT_POINT 4
#define CCD_EDGE_FACE 5 /* an edge intersects a face: proximity calls, and CCD_CHECK_START; no query is of this kind */

/* ccd_options.flags */
/**
 * Law 8: toi_lo > 0 whenever the distance at t = 0 exceeds min_separation. Pairs, meshes, volumes, patches. Two exceptions, in which
 * toi_lo is 0 without CCD_INITIAL_CONTACT: the contact time is below 2^-1074, the smallest positive double; or the norm is Euclidean, the
 * method is not exact, and (distance - min_separation) over the speed of the fastest points is below 2^-1072.
 */
#define CCD_NO_ZERO_TOI 1u
#define CCD_BRUTE_FORCE 2u /* meshes, volumes, proximity: test all pairs, without a broad phase; quadratic time */
/**
 * Rigid bodies, CCD_METHOD_DEFAULT: do not report triangles that are within the tolerance of contact but provably move apart. Set it in a
 * loop that advances to toi_lo and lets the bodies bounce. At t_min these may also be triangles that touch or are nearer than
 * min_separation: until they are min_separation apart their distance does not fall below its value at t_min, up to rounding (1e-12 of the
 * sizes). Afterwards they are treated as all others: they keep more than min_separation, and a new approach is reported.
 *
 * Law 12: the points of an impact at t_min come nearer, or part at no more than 2^-18 sqrt(W S R) + 2^-38 S + sqrt(8 W S D) along the
 * normal. W is the sum of both angular speeds (for points on two edges, over the sine of their angle), S a bound on the relative speed of
 * any two points, R the sum of the radii about the pivots, and D what the bodies lack of min_separation (0: an eighth of the tolerance) at
 * t_min: 0 at the toi_lo of the call before, an eighth of the tolerance where they touch, or overlap by rounding of their poses. (Of edges
 * that are nearly parallel it is proven for D = 0 alone.) So points that a response makes part faster are not reported again at once. Let
 * bodies that rest or slide part at a small speed of your choice.
 */
#define CCD_IGNORE_SEPARATING 4u
/**
 * Meshes: also check the start. The pairs of a step do not include an edge that passes through a face at x0; with this flag each such pair
 * is an impact of kind CCD_EDGE_FACE, a = edge, b = face, with verdict CCD_CONTACT, toi_lo = toi_hi = 0 and the flags CCD_CERTIFIED,
 * CCD_INITIAL_CONTACT and CCD_INTERSECTING. The decision is exact. In lists these impacts stand before all others, sorted by (a, b).
 *
 * An edge passes through a face if they share a point, and none of the pairs of a step between the two touches (an end of the edge and
 * the face, the edge and a side of the face); those that touch are impacts at 0 of their own kinds. The filters of the mesh apply.
 *
 * Law 11: if a checked step is CCD_SEPARATE, nothing intersects or touches at any t in [0, t_max] (unless a filter skips it).
 *
 * For the calls on a step: earliest, collisions, visit, size, sizes, advance, linesearch, activeset, clearance, profile. Other calls on a
 * mesh do not check the start; ccd_step_run_pairs and the calls for intervals return CCD_E_UNSUPPORTED, as do pairs,
 * volumes, patches and rigid bodies. The check takes about as long as ccd_proximity_intersections.
 */
#define CCD_CHECK_START 8u
/**
 * ccd_pair_* and ccd_pairs_*, exact method: leave a pair a little apart at toi. Without this flag a contact is reported when it is made:
 * with min_separation = 0 the primitives touch at toi, and a normal or a logarithm that you compute from their distance there may be NaN
 * or infinite. With it a pair that makes contact after t = 0 is reported when its distance first falls to min_separation + g. g is
 * tolerance, or tolerance * 2^-k with the least whole k for which the distance at t = 0 exceeds min_separation + 2 g. Times, contact
 * data and flags are those of that separation. The verdict stays that for min_separation. Where g is lost in the rounding of
 * min_separation + g, the flag has no effect.
 */
#define CCD_APART_AT_TOI 16u

/* Type of the numbers of an array on a device. */
typedef int32_t ccd_dtype;
#define CCD_FLOAT64 1 /* double */
#define CCD_FLOAT32 2 /* float: as a coordinate it counts as the double that equals it */
#define CCD_INT32 3
#define CCD_INT64 4
#define CCD_UINT32 5

/**
 * Vertices in the memory of a device of NVIDIA's driver, for ccd_options.device_x0 and device_x1. Vertex i has its three
 * coordinates side by side, i * stride bytes after data.
 *
 *   ccd_device_array a = {.data = x0, .dtype = CCD_FLOAT32, .stream = stream}, b = {.data = x1, .dtype = CCD_FLOAT32, .stream = stream};
 *   options.device = CCD_DEVICE_GPU;
 *   options.device_x0 = &a;
 *   options.device_x1 = &b;
 *   if (ccd_step_earliest(mesh, NULL, NULL, vertices, &options, &hit) == CCD_OK && hit.verdict == CCD_CONTACT) ...
 *
 * data    address on the device (CUdeviceptr, or a pointer of cudaMalloc), a multiple of the coordinate's size. Managed memory is
 *         taken where the driver calls it memory of a device; memory of the host and buffers of OpenCL are not
 * stride  a multiple of the coordinate's size, negative too; 0: the vertices are packed
 * stream  a CUstream of the device's primary context (that of CUDA's runtime). The call waits for what was put there before, by an
 *         event, and has read the array when it returns. NULL and 1 are the legacy default stream, 2 is the thread's
 * device  number of the device for CUDA, which is also its place in ccd_device_list; -1: the one that data is on
 */
typedef struct ccd_device_array {
    const void *data; /*  0 */
    int64_t stride;   /*  8 bytes */
    void *stream;     /* 16 */
    int32_t dtype;    /* 24 ccd_dtype */
    int32_t device;   /* 28 */
    int64_t reserved; /* 32 0 */
} ccd_device_array;

/* ccd_impact.flags */
#define CCD_CERTIFIED 1u       /* law 5: a contact is proven to exist */
#define CCD_INITIAL_CONTACT 2u /* contact at t_min: within min_separation (rigid bodies, patches: and the tolerance) */
#define CCD_INTERSECTING 4u    /* with CCD_INITIAL_CONTACT: surfaces intersect; see CCD_CHECK_START, ccd_rigid_impact */
#define CCD_APPROXIMATE 8u     /* CCD_METHOD_D2M_SPHERES: only spheres meet; the surfaces may never do so */
#define CCD_FINAL_CONTACT 16u  /* ccd_interval.flags: contact at t_max */

/* Why a verdict is CCD_UNDECIDED, in the flags of all kinds of impacts; none of them where the call failed. ccd_reason has words. */
#define CCD_REASON_ITERATIONS 256u /* max_iterations was reached */
#define CCD_REASON_MEMORY 512u     /* the memory of one query was reached: patches by memory_limit, or 256 MiB if it is 0 */
#define CCD_REASON_COARSE 1024u    /* doubles are too coarse for the tolerance */
#define CCD_REASON_AREA 2048u      /* patches, beside one of the first two: contact over an area or a curve; no proof */

/* Shapes of primitives. */
#define CCD_SHAPE_FACE 0
#define CCD_SHAPE_EDGE 1
#define CCD_SHAPE_VERTEX 2

/**
 * Progress of a long call: fraction runs from 0 to 1. Return 0 to go on, anything else to cancel: the call then returns
 * CCD_E_CANCELLED promptly. May be called from any thread, but never from two at once within one call.
 */
typedef int32_t (*ccd_progress)(double fraction, void *user);

/**
 * What a call did and how long it took. If ccd_options.stats is not NULL, a call that succeeds fills in every field but struct_size.
 *
 * candidates  entry kind - 1 counts the pairs of that kind, CCD_VERTEX_FACE to CCD_EDGE_FACE, that the narrow phase tested; entries 5 to
 *             7 are 0. A step first drops pairs that their boxes at t = 0 and t = 1 prove separate, so it counts fewer pairs than
 *             ccd_broad_candidates lists. A call for the earliest impact counts the pairs that it tested; this number may depend on
 *             threads and limits. From a mesh's third call on, or after a list, other boxes drop pairs, so the number may differ from the
 *             first calls', though no result does. A call on a motion may sweep the step in sections, and counts a pair in each in which its boxes
 *             meet. Rigid bodies and patches count their pairs in entry 0; ccd_broad_candidates counts those of its list
 * plans       a call on a step makes one for each of its searches, more where memory_limit divides space, where a motion is swept in
 *             sections, and where the first impacts come so early that a shorter one pays; this may depend on threads. 0 for other calls
 */
typedef struct ccd_stats {
    size_t struct_size;        /* set by the caller to sizeof(ccd_stats) */
    int64_t boxes;             /* boxes of vertices, edges and faces that were swept */
    int64_t candidates[8];     /* pairs that the narrow phase tested, by kind - 1 */
    int64_t impacts;           /* pairs in contact or undecided */
    int64_t undecided;         /* of these, pairs that are CCD_UNDECIDED */
    double seconds_build;      /* wall-clock time to compute and sort boxes */
    double seconds_broad;      /* search for pairs; where it overlaps with the narrow phase, the mean over threads */
    double seconds_narrow;     /* narrow phase; measured in the same way */
    double seconds_total;      /* the whole call */
    int64_t peak_bytes;        /* working memory of the call */
    int32_t threads;           /* threads that were used */
    int32_t reserved;          /* 0 */
    int64_t device_used;       /* 1 if a graphics processor did a part of the work, else 0 */
    double device_seconds;     /* the time for which the threads waited for it, in all */
    int64_t device_peak_bytes; /* largest memory of the call on it */
    int64_t plans;             /* plans of boxes that the step was swept with */
} ccd_stats;

/**
 * A box of space, half open along each axis, that owns a part of the pairs (ccd_options.region): [lo[k], hi[k]) along axis k, -Inf
 * and +Inf where it has no end. 48 bytes.
 *
 * Along each axis, let the minimum of a primitive be the least coordinate of its vertices at both ends of the step, of a motion
 * that of their control points. The corner of a pair has the larger of the minima of its two primitives. The region that contains
 * the corner owns the pair: regions that partition space own each pair once. Only doubles of the input are compared, so every
 * machine finds the same owner. The results of all regions combine to those of one call, bit for bit: of ccd_step_earliest the
 * least in the order (toi_lo, kind, a, b), of ccd_step_size the least, of lists the union, sorted.
 *
 * The mesh may be the whole mesh, or a part of it with all primitives that reach the region: along each axis the minimum is below
 * hi, and the largest coordinate, plus min_separation (or the distance of near pairs) and with radii the primitive's own and the
 * largest of the whole mesh, is at least lo. A slab is a region with one axis: -Inf and +Inf
 * on the other two.
 */
typedef struct ccd_region {
    double lo[3]; /*  0  lengths */
    double hi[3]; /* 24 */
} ccd_region;

/** The separation that two bodies of a scene keep. */
typedef struct ccd_rigid_separation { /* 16 bytes */
    int32_t a, b;                     /* two different bodies, in any order */
    double separation;                /* a length, at least 0 */
} ccd_rigid_separation;

/**
 * Options of every call. Prepare with ccd_options_init; the struct may grow at its end in later versions. A struct of zeros is an
 * error, because its struct_size is 0. Do not set struct_size alone: t_max would be 0, and a call would test the start only. A call
 * ignores an option that does not apply to it, unless this header says that it returns CCD_E_UNSUPPORTED. docs/abi.md has a table.
 *
 * tolerance       a length. A reported contact comes within min_separation + tolerance + rounding (law 3). The exact method ignores it.
 *                 It never lessens what is kept. Of rigid bodies 0 is 1e-10, or what doubles can tell at their size: ccd_rigid_earliest
 * min_separation  a length. With 0, contact means touching, within the tolerance. What is kept before toi_lo is more than min_separation;
 *                 of rigid bodies, with 0, more than an eighth of the tolerance
 * t_min           calls other than those on rigid bodies return CCD_E_UNSUPPORTED unless it is 0
 * t_max           in [0, 1]. For rigid bodies t_min and t_max are in the time unit of the velocities: any numbers of at most 1e60 in
 *                 magnitude with t_min <= t_max
 * max_iterations  the most work of one query, counted in boxes; for rigid bodies in pairs of boxes and triangles (where one moves as
 *                 a screw, 16 comparisons of its images count as one), for patches in pairs of subpatches. A query that reaches it is
 *                 CCD_UNDECIDED. The exact method ignores it. With 0 the time of a query has no limit; its memory has one all the same
 * threads         at most 1024, and at most CCD_NUM_THREADS if the environment sets it
 * memory_limit    bytes for the working memory and the results of one call, and as many on the device. If working memory needs more,
 *                 a step is computed in parts of space, one after the other. A smaller limit is raised to this minimum (on the CPU):
 *                 512 KiB, plus 256 KiB per thread, 128 bytes per vertex, 1/4 byte per edge and face, and 64 bytes for each vertex, edge
 *                 and face that one plane across the scene's longest axis meets. Results may take at least half of what the limit
 *                 leaves above this, and at least 1 MiB; a call with more results returns CCD_E_MEMORY. An impact takes 264 bytes
 *                 until the handle is made and 120 bytes in it; docs/limits.md has the other results. ccd_step_run_visit stores none
 * scene_bound     if set, the rounding error bound is computed once from this box; otherwise for each query from its coordinates. A
 *                 coordinate beyond it is CCD_E_ARGUMENT
 * device_x0, _x1  the vertices of a call on a straight step (not _intervals, _clearance, of a scene), where they are in the memory of a
 *                 device. Give both, and NULL for the arguments x0 and x1; n is still the number of vertices. device says where the
 *                 call computes; CCD_DEVICE_GPU and AUTO are then the device of the vertices, whose narrow phase reads them where they
 *                 are. The processor gets one copy: for boxes, candidate pairs, undecided pairs and contact data. It takes up to 112
 *                 bytes per vertex beyond memory_limit. A call that makes several searches (_advance, _sizes, _linesearch) copies the
 *                 positions that it tries to the device. Results are those of the same doubles on the host, and lie on the host.
 *                 Messages about a coordinate name x0 or x1. If the arrays cannot be read, even CCD_DEVICE_AUTO returns
 *                 CCD_E_UNSUPPORTED, as do calls that do not take them
 * region          the pairs that a call concerns: of ccd_step_earliest, _collisions and _size, ccd_step_run_visit, the calls like them
 *                 on a motion, ccd_broad_candidates, ccd_motion_candidates and ccd_proximity_near. CCD_CHECK_START counts the edges and faces
 *                 that the region owns. Other calls on a mesh return CCD_E_UNSUPPORTED, as does ccd_broad_candidates with
 *                 CCD_DEVICE_GPU: the CPU finds the pairs. With a region the minimum of memory_limit is 3 bytes per vertex and 1 byte per
 *                 edge and face more. Read during the call
 * separations     of ccd_rigid_scene_earliest and _collisions: for pairs of bodies, each listed once, in place of min_separation. Other
 *                 calls return CCD_E_UNSUPPORTED. Read during the call
 */
typedef struct ccd_options {
    size_t struct_size;     /* set by ccd_options_init */
    double tolerance;       /* default 0: 1e-10 (or more) for rigid bodies, 1e-6 for all other calls */
    double min_separation;  /* default 0. Contact: distance <= min_separation + radii (+ tolerance, unless exact) */
    double t_min;           /* default 0. Only t in [t_min, t_max] counts */
    double t_max;           /* default 1 */
    int64_t max_iterations; /* default 1000000; 0 = no limit */
    int32_t method;         /* ccd_method, default CCD_METHOD_DEFAULT */
    int32_t threads;        /* default 0: all CPUs that this process may use */
    uint32_t flags;         /* CCD_NO_ZERO_TOI ... CCD_APART_AT_TOI, joined by |; default 0 */
    int32_t norm;           /* ccd_norm, default CCD_NORM_DEFAULT: Euclidean */
    int32_t device;         /* ccd_device, default CCD_DEVICE_CPU */
    int32_t device_index;   /* position in ccd_device_list; default 0: the first that can be used */
    size_t memory_limit;    /* bytes; default 0: no limit; see also ccd_patch_pair */
    ccd_progress progress;  /* default NULL; else called from time to time */
    void *progress_user;    /* passed on to progress */
    double scene_bound[3];  /* default 0 (none); a bound on |x|, |y|, |z| of all vertices */
    ccd_stats *stats;       /* default NULL; else receives the statistics */

    const ccd_device_array *device_x0; /* default NULL; else the vertices at t = 0, on a device */
    const ccd_device_array *device_x1; /* default NULL; else those at t = 1 */
    const ccd_region *region;          /* default NULL: all pairs */

    const ccd_rigid_separation *separations; /* default NULL; else the separations of some pairs */
    size_t n_separations;                    /* default 0 */
} ccd_options;

/**
 * Fill options with the defaults. Pass sizeof(ccd_options) as struct_size; the function writes that many bytes. Does nothing if options
 * is NULL.
 */
void ccd_options_init(ccd_options *options, size_t struct_size);

/**
 * List the graphics processors, and try those that can be used (the first call takes some seconds). Copies at most cap - 1 bytes and a
 * terminating NUL into text (which may be NULL when cap is 0); *length gets the length of the whole list without the NUL. A line for each
 * device: index, name, driver, bytes of its memory, and why it is refused (empty: it can be used), separated by tabs. Without any
 * device, one line: -1, and the reason in the last column.
 * Returns CCD_OK, CCD_E_ARGUMENT (NULL). Reentrant. Since 0.1.
 */
ccd_status ccd_device_list(char *text, size_t cap, size_t *length);

/* ---- one pair -------------------------------------------------------------------------------------------------------- */

/** The result of a query, or one impact of a step. 120 bytes, no hidden padding; comments begin with the offset in bytes. */
typedef struct ccd_impact {
    int32_t verdict;   /*   0  ccd_verdict */
    int32_t kind;      /*   4  CCD_VERTEX_FACE ... CCD_POINT_POINT; CCD_EDGE_FACE with CCD_CHECK_START */
    int64_t a, b;      /*   8  indices of the two primitives; -1 without a mesh; ccd_pairs_* set a */
    double toi_lo;     /*  24  fractions of the step; +Inf when separate */
    double toi_hi;     /*  32 */
    double u, v;       /*  40  see below */
    double point[3];   /*  56  contact point at toi_lo, see below; zeros when separate */
    double normal[3];  /*  80  unit normal from b to a; zeros when separate */
    double width;      /* 104  a length, the size of the last box of the search; smaller is more precise */
    uint32_t flags;    /* 112  CCD_CERTIFIED | CCD_INITIAL_CONTACT | CCD_INTERSECTING; if undecided CCD_REASON_... */
    uint32_t reserved; /* 116  0 */
} ccd_impact;

/**
 * Why a verdict is CCD_UNDECIDED, by the flags of an impact of any kind: a text such as "iterations: max_iterations was reached", or ""
 * without a reason. The text is static. Reentrant. Since 0.1.
 */
const char *ccd_reason(uint32_t flags);

/*
 * u, v give the point p_a of a and the point p_b of b that are in contact:
 *   vertex-face   p_b = (1-u-v) f0 + u f1 + v f2;                           a = vertex, b = face
 *   edge-edge     p_a = (1-u) a0 + u a1, p_b = (1-v) b0 + v b1
 *   point-edge    p_b = (1-u) e0 + u e1, v = 0;                             a = point (vertex), b = edge
 *   point-point   u = v = 0;                                                a < b, both vertices
 *   edge-face     p_a = p_b = (1-u-v) f0 + u f1 + v f2: where they cross;   a = edge, b = face
 * u and v are in [0, 1]. In a face v is at most 1-u as doubles compute it, so 1-u-v is never negative in doubles; u + v in real arithmetic
 * may exceed 1 by 2^-54.
 *
 * point is p_b at toi_lo for vertex-face, point-edge and edge-face, midway between p_a and p_b at toi_lo for the other two.
 * normal points from b to a. If min_separation is positive, it is the direction of p_a - p_b at toi_hi. If min_separation is 0, if the
 * two points are no farther apart than rounding, or if they pass each other within [toi_lo, toi_hi], it is instead the normal of the face
 * or of the two edges, turned against the motion of a relative to b. For edge-face it is the normal of the face, toward the side with the
 * longer part of the edge (to that of the edge's first vertex, if both parts are equally long).
 *
 * One convention for pairs, meshes, volumes, patches and rigid bodies (law 9): a contact has a unit normal n from b to a, along p_a - p_b
 * where the points are apart by more than rounding, else of the surfaces, with n . (v_a - v_b) <= 0 up to rounding, v_a and v_b being the
 * velocities of the points. So at a start that touches n is against the motion even if the two part. Exceptions: the normal of what
 * intersects (CCD_INTERSECTING) is that of the face; CCD_IGNORE_SEPARATING leaves it on the side on which a is.
 *
 * Laws (d = min_separation, delta = tolerance, eps = the error bound of the query, derived in docs/numerics.md):
 *   1. CCD_SEPARATE is a proof: the distance exceeds d for all t in [0, t_max].
 *   2. Whatever the verdict, the distance exceeds d for all t < toi_lo, t <= t_max: every step shorter than toi_lo is safe. A step of
 *      exactly toi_lo may bring the distance down to d (with d = 0: to touching), but not below d, unless toi_lo is 0. ccd_step_size
 *      returns the double below toi_lo, which is safe. Rigid bodies and patches keep more than d at toi_lo as well, unless toi_lo is t_min.
 *   3. CCD_CONTACT: at some t in [toi_lo, toi_hi] the distance is at most d + delta + 2 eps. With the exact method it is at most d:
 *      toi_lo is the largest double not above the first time of contact, toi_hi the next double (or toi_lo when the time is a double).
 *   4. CCD_UNDECIDED only when max_iterations is reached (rigid bodies and patches: see there). The exact method is never undecided.
 *   5. CCD_CERTIFIED: it is proven that the distance falls to d or less, at toi_hi or before.
 *   6. Multiplying all lengths by a power of two changes no bit of t, u, v, unless numbers overflow or underflow.
 *   7. Results have the same bits for any number of threads, SIMD level, batch size, operating system and processor.
 *   8. A start in contact has toi_lo = 0 and CCD_INITIAL_CONTACT; CCD_NO_ZERO_TOI says when toi_lo > 0.
 *   9. CCD_CONTACT: at toi_hi, |p_a - p_b| <= d + delta + eps. normal . (p_a - p_b) > 0 there if normal is the direction of p_a - p_b.
 *  10. In a step of a mesh that is CCD_SEPARATE nothing begins to cross, and nothing stops: an edge and a face without a common vertex
 *      share a point at t in [0, t_max] if and only if they do at t = 0. The filters of the mesh must skip no vertex-face or
 *      edge-edge pair of the two.
 *  11. With CCD_CHECK_START, CCD_SEPARATE proves that nothing intersects at any t in [0, t_max].
 *  12. Rigid bodies: an impact at t_min with CCD_IGNORE_SEPARATING has points that do not move apart: see there.
 * Output never holds NaN. docs/numerics.md, "What each call promises", has a table of all calls and methods.
 */

/**
 * Vertex against face. q = {v, f0, f1, f2 at t=0, then the same at t=1}, 24 doubles.
 * options may be NULL: defaults. out is written even on error, unless NULL; a = b = -1.
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
 * n queries in one call, on several threads when there are many. q is n x 24 doubles, out n impacts. out[i] equals, bit for bit, the
 * result of the single call for q + 24 i, except that a = i. On error, ccd_last_error says which query is wrong, and every impact of out
 * is CCD_UNDECIDED with toi_lo = 0.
 * Returns as ccd_pair_vertex_face, and CCD_E_CANCELLED. Reentrant. Since 0.1.
 */
ccd_status ccd_pairs_vertex_face(const double *q, size_t n, const ccd_options *options, ccd_impact *out);
/** n edge-edge queries; q is n x 24. Otherwise as ccd_pairs_vertex_face. */
ccd_status ccd_pairs_edge_edge(const double *q, size_t n, const ccd_options *options, ccd_impact *out);
/** n point-edge queries; q is n x 18. Otherwise as ccd_pairs_vertex_face. */
ccd_status ccd_pairs_point_edge(const double *q, size_t n, const ccd_options *options, ccd_impact *out);
/** n point-point queries; q is n x 12. Otherwise as ccd_pairs_vertex_face. */
ccd_status ccd_pairs_point_point(const double *q, size_t n, const ccd_options *options, ccd_impact *out);

/**
 * A time during which a pair is in contact: within its separation d, in the exact sense of law 3. 48 bytes, no hidden padding.
 *
 * Let S be the set of the t in [0, t_max] at which the distance is at most d. S is a union of closed intervals. Without a separation nearly
 * all are single instants. Laws (docs/numerics.md, T1 to T6):
 *   T1. The intervals of a pair are those of S, rounded outwards: enter is the largest double not above the beginning, exit the
 *       least double not below the end. Two are one if neither a double nor an open interval between neighboring doubles separates
 *       them.
 *   T2. The first enter is toi_lo of the pair's impact, bit for bit. A pair that is CCD_SEPARATE has no interval.
 *   T3. enter <= exit <= the next enter of the pair.
 *   T4. CCD_INITIAL_CONTACT if and only if S contains 0, CCD_FINAL_CONTACT if and only if S contains t_max.
 *   T5. Without a separation, the sides are the signs of the volume just before and just after: of (v - f0) . ((f1 - f0) x (f2 - f0)) for
 *       vertex-face, (a0 - b0) . ((b1 - b0) x (a1 - a0)) for edge-edge. The pair crosses if they differ. They are 0 before t = 0 and after
 *       t_max, where the volume is 0 for a while, for points against edges and points, and with a separation.
 */
typedef struct ccd_interval {
    int32_t kind;        /*   0  CCD_VERTEX_FACE ... CCD_POINT_POINT */
    uint32_t flags;      /*   4  CCD_INITIAL_CONTACT | CCD_FINAL_CONTACT */
    int64_t a, b;        /*   8  indices of the two primitives; -1 without a mesh; ccd_pairs_intervals sets a */
    double enter;        /*  24  fractions of the step */
    double exit;         /*  32 */
    int32_t side_before; /*  40  -1, 0 or 1 */
    int32_t side_after;  /*  44  -1, 0 or 1 */
} ccd_interval;

/** The intervals of contact of many pairs. */
typedef struct ccd_intervals ccd_intervals;

/**
 * Find every interval of contact of one pair, in order.
 *
 * kind     CCD_VERTEX_FACE to CCD_POINT_POINT
 * q        the query, as the ccd_pair_* of the kind takes it
 * options  NULL for defaults. The method must be exact
 * dst      room for cap intervals. cap, count and errors as in ccd_mesh_edges; four are nearly always enough, and there are few more
 *
 *   ccd_interval found[4];
 *   size_t count;
 *   ccd_status status = ccd_pair_intervals(CCD_VERTEX_FACE, q, NULL, found, 4, &count);
 *
 * Returns CCD_OK, CCD_E_ARGUMENT (NULL, kind, options, cap), CCD_E_NONFINITE, CCD_E_UNSUPPORTED. Reentrant. Since 0.1.
 */
ccd_status ccd_pair_intervals(int32_t kind, const double *q, const ccd_options *options, ccd_interval *dst, size_t cap,
                              size_t *count);
/**
 * Find every interval of contact of n queries of one kind, query by query, with a = the query; q holds n queries. *out is a handle to be
 * destroyed, or NULL on error; ccd_last_error says which query is wrong. Otherwise as ccd_pair_intervals.
 * Returns CCD_E_CANCELLED as well.
 */
ccd_status ccd_pairs_intervals(int32_t kind, const double *q, size_t n, const ccd_options *options, ccd_intervals **out);

ccd_status ccd_intervals_count(ccd_intervals *intervals, size_t *count);
/** Copy the intervals in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_intervals_copy(ccd_intervals *intervals, ccd_interval *dst, size_t cap, size_t *count);
ccd_status ccd_intervals_destroy(ccd_intervals *intervals);

/**
 * The clearance of a step: the least distance of a pair over it, or that of all pairs, in the Euclidean norm, with its time and place; and a
 * distance at one time of it (ccd_step_run_profile). Fields have the names of those of ccd_rigid_gap. 144 bytes, no hidden padding. Laws
 * (docs/numerics.md, D1 to D6; D8 and D9 on motions that are not straight):
 *   D1. The least distance for t in [0, t_max], less the radii of the pair, is in [lo, hi].
 *   D2. hi - lo <= 1e-9 times the size of the scene, the largest extent of its points over both ends of the step.
 *   D3. At `time` the distance is at most hi, unless that is 0; u and v are the parameters of the nearest points there, as in ccd_impact.
 *   D4. Both are 0 if and only if the pair touches (or its surfaces overlap); then time is toi_lo.
 *   D5. Same bits for any number of threads and memory limit.
 *   D6. Each point is within epsilon of the surface of its primitive, at its radius, at `time`; the points are one where the pair touches.
 *       Else the normal is along their difference, however near they are; where the pair touches it is that of its impact.
 */
typedef struct ccd_clearance {
    int32_t kind;      /*   0  CCD_VERTEX_FACE ... CCD_POINT_POINT, CCD_EDGE_FACE of what crosses; 0 without a pair */
    int32_t reserved;  /*   4  0 */
    int64_t a, b;      /*   8  indices of the two primitives; -1 without a mesh or without a pair */
    double time;       /*  24  a fraction of the step */
    double lo, hi;     /*  32  the least distance is in [lo, hi], a length; +Inf without a pair; 0 and +Inf on error */
    double u, v;       /*  48  parameters of the nearest points */
    double point_a[3]; /*  64  nearest point of a at time */
    double point_b[3]; /*  88  nearest point of b at time */
    double normal[3];  /* 112  unit, from b to a; zeros where nothing gives one */
    double epsilon;    /* 136  a length: each point is within it of its surface */
} ccd_clearance;

/**
 * Bracket the least distance of one pair over a step.
 *
 * kind     CCD_VERTEX_FACE to CCD_POINT_POINT
 * q        the query, as the ccd_pair_* of the kind takes it
 * options  NULL for defaults; of its values t_max counts, and scene_bound. The method must be exact, and the norm Euclidean
 * out      written even on error: then [0, +Inf]
 *
 *   ccd_clearance least;
 *   ccd_status status = ccd_pair_clearance(CCD_EDGE_EDGE, q, NULL, &least);
 *
 * Returns CCD_OK, CCD_E_ARGUMENT (NULL, kind, options), CCD_E_NONFINITE, CCD_E_UNSUPPORTED. Reentrant. Since 0.1.
 */
ccd_status ccd_pair_clearance(int32_t kind, const double *q, const ccd_options *options, ccd_clearance *out);

/* ---- mesh ------------------------------------------------------------------------------------------------------------ */

/** The topology of a surface, and the filters that say which pairs are tested. Only the ccd_mesh_set_* calls change it. */
typedef struct ccd_mesh ccd_mesh;

/**
 * A mesh of `vertices` vertices, n_edges edges (pairs of vertex indices) and n_faces triangles (triples).
 * edges NULL: the mesh has the unique edges of its faces, each as (smaller, larger), sorted by the larger index, then the smaller.
 * edges not NULL: they must hold every edge of every face, once. Edges of no face and vertices of no edge are codimensional: wires,
 * particles. The message of an error names the index that is out of range, or the face or edge that repeats a vertex or is given twice.
 * *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_mesh_create(size_t vertices, const int32_t *edges, size_t n_edges, const int32_t *faces, size_t n_faces,
                           ccd_mesh **out);
/**
 * As ccd_mesh_create, for a mesh some of whose vertices are in no edge and are no particles either: no pair has them. Files have such
 * vertices; the others keep their numbers. ignored marks them with bytes other than 0, n = vertices; NULL: none. A mark on a vertex of
 * an edge is CCD_E_ARGUMENT; the message names both. Since 0.1.
 */
ccd_status ccd_mesh_create_ignoring(size_t vertices, const int32_t *edges, size_t n_edges, const int32_t *faces,
                                    size_t n_faces, const uint8_t *ignored, size_t n, ccd_mesh **out);
/** Destroy a mesh. Returns CCD_E_HANDLE if mesh is NULL, destroyed, or of another type. Running calls on other threads complete. */
ccd_status ccd_mesh_destroy(ccd_mesh *mesh);
/** Numbers of vertices, edges and faces; any of the pointers may be NULL. */
ccd_status ccd_mesh_counts(ccd_mesh *mesh, size_t *vertices, size_t *edges, size_t *faces);
/**
 * Copy the edges (2 indices each) into dst, which has room for cap edges. *count receives the number of all edges. If cap is too small,
 * the call copies the first cap edges and returns CCD_E_ARGUMENT. With dst NULL and cap 0 it only writes *count.
 */
ccd_status ccd_mesh_edges(ccd_mesh *mesh, int32_t *dst, size_t cap, size_t *count);
/** Copy the faces (3 indices each); otherwise as ccd_mesh_edges. */
ccd_status ccd_mesh_faces(ccd_mesh *mesh, int32_t *dst, size_t cap, size_t *count);

/**
 * Set collision groups: two vertices of one group may not collide; a vertex of a negative group may collide with every vertex. A pair of
 * primitives is skipped if no vertex of one may collide with any vertex of the other. group holds n numbers, n = vertices. NULL removes
 * the filter.
 */
ccd_status ccd_mesh_set_groups(ccd_mesh *mesh, const int32_t *group, size_t n);
/** Set one collision group per connected component: no component collides with itself. */
ccd_status ccd_mesh_set_component_groups(ccd_mesh *mesh);
/** Set static vertices (non-zero bytes): pairs whose vertices are all static are skipped. n = vertices; NULL removes the filter. */
ccd_status ccd_mesh_set_static(ccd_mesh *mesh, const uint8_t *is_static, size_t n);
/** Skip the `count` pairs of one kind in `pairs` (2 primitive indices each, as in ccd_impact.a, b). Replaces the list of that kind. */
ccd_status ccd_mesh_set_excluded(ccd_mesh *mesh, int32_t kind, const int64_t *pairs, size_t count);
/** Copy the excluded pairs of one kind (2 indices each), sorted; otherwise as ccd_mesh_edges. */
ccd_status ccd_mesh_excluded(ccd_mesh *mesh, int32_t kind, int64_t *dst, size_t cap, size_t *count);
/**
 * Exclude pairs that are near in the mesh, beside those that are excluded. Cloth with a radius above half the distance of its vertices,
 * or a min_separation above that distance, is in contact with itself at rest: then ccd_step_advance returns 0.
 *
 * x        n x 3 doubles, the positions at rest: pairs are excluded that are within their separation there (min_separation and
 *          radii), which are the impacts of a step from x to x. NULL with n = 0: all pairs within rings are
 * rings    0 to 64; above 0: only pairs of which a vertex of one primitive is within so many edges of a vertex of the other, so that layers
 *          of cloth that lie on each other are tested
 * options  as in ccd_step_earliest; without x they have no effect. CCD_CHECK_START and region are not supported
 * count    if not NULL, receives the number of pairs that were not excluded before
 *
 * A pair takes 8 bytes of the mesh, and of the call 120 with x and 24 without. Without x a regular triangle mesh has about 70 pairs for
 * each vertex within 1 ring, and 300 within 2.
 *
 *   ccd_status status = ccd_mesh_exclude_near(mesh, rest, n, 3, &options, NULL);
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED, CCD_E_CANCELLED or CCD_E_MEMORY: then nothing is
 * excluded that was not. Since 0.1.
 */
ccd_status ccd_mesh_exclude_near(ccd_mesh *mesh, const double *x, size_t n, int32_t rings, const ccd_options *options,
                                 size_t *count);
/**
 * Set a radius for each vertex: the thickness of cloth, rods and points. The radius of an edge or a face is the largest of its vertices'.
 *
 * The separation of a pair is the least double that is not below min_separation + radius(a) + radius(b). It takes the place of
 * min_separation in every promise about the pair: contact means distance <= separation, in the norm, between the vertices, edges and faces
 * themselves. So a vertex is a ball, an edge a capsule, and a vertex and an edge are a sphere against a capsule (with CCD_NORM_MAX balls
 * are cubes). u, v, point, normal and weights of an impact are those of the center points, lines and faces, not of the surfaces
 * around them.
 *
 * Radii of 0 change no bit of a result. One radius r for all vertices has the bits of min_separation 2r.
 *
 * Radii apply to ccd_broad_candidates, ccd_step_*, ccd_proximity_near and ccd_proximity_distance, not to
 * ccd_proximity_intersections; ccd_volume_set_radii is for volumes. Calls take the radii that are set when they begin. Candidates
 * stay valid for radii up to those of their sweep; larger ones are CCD_E_ARGUMENT.
 *
 * radius  n lengths, n = vertices, each finite and in [0, 1e150]; NULL removes the radii. min_separation plus twice the largest radius
 *         must be at most 1e150 in every call
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE; the text names radius[i]. Since 0.1.
 */
ccd_status ccd_mesh_set_radii(ccd_mesh *mesh, const double *radius, size_t n);

/* ---- broad phase ----------------------------------------------------------------------------------------------------- */

/**
 * Pairs whose swept boxes (inflated by min_separation and radii) overlap. The mesh's filters apply; pairs with a common vertex are
 * left out.
 */
typedef struct ccd_candidates ccd_candidates;

/**
 * Find all candidates of a step. Each box contains its swept primitive exactly, for the whole step: t_max is ignored.
 * x0, x1 are n x 3, n = vertices of the mesh. *out is a handle to be destroyed, or NULL on error.
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY, CCD_E_CANCELLED,
 * CCD_E_UNSUPPORTED. Since 0.1. [Belgrod2023]
 */
ccd_status ccd_broad_candidates(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                                ccd_candidates **out);
/** Numbers of vertex-face and edge-edge candidates; either pointer may be NULL. */
ccd_status ccd_candidates_count(ccd_candidates *candidates, size_t *vertex_face, size_t *edge_edge);
/** Number of candidates of any one kind, or of all kinds if kind is 0. */
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
 * out      the impact with the least toi_lo, of equal ones the first in the order (kind, a, b); written even on error
 *
 * CCD_SEPARATE is a proof: no pair comes within min_separation for t <= t_max. Otherwise no pair does so for t < out->toi_lo (law 2).
 * An edge and a face that it passes through are no pair of a step. If none cross at x0, none do during a step that is separate; those that
 * cross at x0 do so throughout (law 10). With CCD_CHECK_START the first of those is the result, with toi_lo = 0.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY or CCD_E_CANCELLED.
 * Reentrant. Same bits for any thread count and SIMD level. Since 0.1. Papers: [Wang2021], [Belgrod2023].
 */
ccd_status ccd_step_earliest(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                             ccd_impact *out);
/**
 * The earliest impact of each of `count` worlds: of one mesh at other positions, as the environments of a learner are.
 *
 * x0, x1   count x n x 3 doubles: world i has those from 3 n i on; borrowed for this call
 * n        must equal the mesh's vertex count
 * options  as in ccd_step_earliest; device_x0 and device_x1 are not supported, nor is CCD_DEVICE_GPU with a region, memory_limit,
 *          CCD_CHECK_START or another method. A device gets all worlds at once. memory_limit holds for each world, and the worlds
 *          are then computed in turn; stats add up all worlds
 * out      room for `count` impacts: out[i] has the bits of ccd_step_earliest for world i. On error every impact is CCD_UNDECIDED with
 *          toi_lo = 0, and the message names the world
 *
 * Threads take one world after the other. Otherwise as ccd_step_earliest. Since 0.1.
 */
ccd_status ccd_step_earliest_batch(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count,
                                   const ccd_options *options, ccd_impact *out);
/**
 * List the impact of every pair that is not CCD_SEPARATE, sorted by (toi_lo, kind, a, b), CCD_EDGE_FACE before the other kinds.
 * *out is a handle to be destroyed, or NULL on error. Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_collisions(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                               ccd_impacts **out);
/**
 * Receives `count` impacts, at least one. They belong to the library and are valid until the visitor returns. Return 0 to go on, anything
 * else to stop. The visitor may be called from any thread, but never from two at once within one call.
 */
typedef int32_t (*ccd_visitor)(const ccd_impact *impacts, size_t count, void *user);
/**
 * A safe step: for every t in [0, *alpha] all pairs keep more than min_separation, if they do at t = 0. This holds for the motion in real
 * arithmetic; it does not hold for positions x0 + *alpha (x1 - x0) that you compute in doubles, which are rounded: a pair may touch
 * there. ccd_step_advance returns positions for which it holds. *alpha is in [0, t_max]:
 *   - t_max if no pair comes within min_separation;
 *   - else the double below the toi_lo of ccd_step_earliest, or 0 if that is 0, as it is with CCD_CHECK_START and a start that crosses;
 *   - 0 on error.
 * With the exact method or CCD_NO_ZERO_TOI, *alpha is 0 only if a pair is within min_separation at t = 0 or before t = 2^-1073, or in an
 * exception of CCD_NO_ZERO_TOI. With other methods it may also be 0 if a pair is within min_separation + tolerance at t = 0, or if
 * max_iterations is reached. Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_size(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                         double *alpha);
/**
 * Go as far as is safe: a step *alpha, and the positions x that it leads to. If *alpha > 0, it is proven that all pairs keep more than
 * min_separation for every t in [0, 1] of the straight motion from x0 to x, for just the doubles of x.
 *
 * share  in (0, 1]: the part of ccd_step_size's step to take, at most t_max. A share below 1 leaves room for the next step
 * alpha  in [0, share * t_max]. It is the first of 18 steps, from share times ccd_step_size's down to 1/16 of that, for which the proof
 *        succeeds: nearly always the first or the second, which is 2^-52 shorter. 0 if ccd_step_size's step is 0, if no step
 *        succeeds, or if the step is so short that x would be x0; then x is x0 bit for bit. ccd_step_collisions with t_max = 0
 *        lists the pairs that are within their separation at x0; thick cloth: ccd_mesh_exclude_near
 * x      room for n x 3 doubles. Each coordinate is x0 + *alpha * (x1 - x0) in doubles, which lies between x0 and x1; it is x1 if
 *        *alpha is 1. x may be x0 or x1, but must not overlap them otherwise. On error x is x0; it is not written if the handle or n
 *        is wrong, x0 or x is NULL, they overlap in part, or the status is CCD_E_FORKED or CCD_E_INTERNAL
 *
 * The method in options chooses the step; the proof for x is by the exact method. The call takes little longer than ccd_step_size; with
 * another method, a device, memory_limit or CCD_BRUTE_FORCE about twice as long. It takes 24 bytes of memory for each vertex beyond
 * memory_limit. stats add up all searches. Otherwise as ccd_step_earliest.
 */
ccd_status ccd_step_advance(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, double share,
                            const ccd_options *options, double *alpha, double *x);

/**
 * Go as far as is safe in each of `count` worlds: ccd_step_advance of one mesh at other positions.
 *
 * x0, x1   count x n x 3 doubles, as in ccd_step_earliest_batch
 * share    as in ccd_step_advance
 * options  as in ccd_step_earliest_batch, without a region. A device finds the impacts; the proofs are the processor's
 * alphas   room for `count` doubles; 0 on error. Must have memory of its own
 * x        room for count x n x 3 doubles: alphas[i] and the positions of world i have the bits of ccd_step_advance for it. x may be x0
 *          or x1, but must not overlap them otherwise. On error x is x0, with the exceptions of ccd_step_advance
 * out      room for `count` impacts, or NULL if you do not want them: what ended the step of each world, as ccd_step_earliest_batch finds
 *          it. On error as there, and the message names the world
 *
 * Takes memory beyond memory_limit: 24 bytes for each vertex of a world and thread, 120 for each world if out is NULL, and as much as x
 * where x is x0. stats add up all searches of all worlds. Otherwise as ccd_step_earliest_batch.
 */
ccd_status ccd_step_advance_batch(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, double share,
                                  const ccd_options *options, double *alphas, double *x, ccd_impact *out);

/** What limits a step. */
typedef int32_t ccd_cause;
#define CCD_CAUSE_NONE 0       /* no pair does */
#define CCD_CAUSE_MEETING 1    /* the pair comes within its separation during the step */
#define CCD_CAUSE_TOO_SHORT 2  /* it does so that early that the positions there round to x0 */
#define CCD_CAUSE_CROSSING 3   /* an edge passes through a face at the start: with CCD_CHECK_START */
#define CCD_CAUSE_TOUCHING 4   /* the pair touches at the start */
#define CCD_CAUSE_RADII 5      /* at the start the pair is within the sum of its radii */
#define CCD_CAUSE_SEPARATION 6 /* at the start it is within its separation, but not within its radii */
#define CCD_CAUSE_UNDECIDED 7  /* a budget was spent before the pair was decided */

/** A pair that limits a step. 56 bytes, no hidden padding. */
typedef struct ccd_limit {
    double toi_lo;       /*   0  the time up to which it is apart: 0 at the start; +Inf if there is no pair */
    int64_t a;           /*   8  -1 if there is none */
    int64_t b;           /*  16 */
    int32_t kind;        /*  24  0 if there is none */
    ccd_cause cause;     /*  28  CCD_CAUSE_NONE if there is none */
    int32_t vertices[5]; /*  32  of a, then of b; -1 where there is none */
    int32_t reserved;    /*  52  0 */
} ccd_limit;

/** Why a step is short: the first pair that limits it, and what is true of it at the start. 776 bytes, no hidden padding. */
typedef struct ccd_why {
    ccd_impact impact;     /*   0  that of ccd_step_run_earliest */
    double alpha;          /* 120  the step of ccd_step_run_advance with share 1 */
    double distance_lo;    /* 128  a length: the distance of the pair at the start, without its radii, is in */
    double distance_hi;    /* 136  [distance_lo, distance_hi], as of ccd_pair_clearance; +Inf without a pair */
    double separation;     /* 144  of the pair: min_separation and both radii, rounded up */
    double min_separation; /* 152  that of the options; of ccd_step_respond keep times that */
    double radius[2];      /* 160  of a and of b */
    int64_t initial;       /* 176  how many pairs are within their separation at the start */
    double q[30]; /* 184  the query: places of the vertices at the start, then at the end, as for ccd_pair_*; then 0 */
    int32_t vertices[5]; /* 424  of a, then of b; -1 where there is none */
    ccd_cause cause;     /* 444 */
    int32_t rings;       /* 448  fewest edges of the mesh from a vertex of a to one of b; -1 above 64 */
    int32_t same[2];     /* 452  vertices of a and of b that are at one place at the start; -1 */
    int32_t response;    /* 460  1: of ccd_step_respond, whose arguments ccd_why_text names then */
    int64_t at_start[4]; /* 464  how many pairs of `initial` have which cause: CROSSING, TOUCHING, RADII, SEPARATION */
    ccd_limit others[5]; /* 496  pairs that limit the step when the remedy for this one is done: see ccd_step_run_why */
} ccd_why;

/** What ccd_step_respond did. On error counts are 0, and why.impact is CCD_UNDECIDED. */
typedef struct ccd_response {
    double alpha;     /* the part of the way to the positions of the response that was safe; 1 if all of it */
    int64_t contacts; /* constraints of the first round */
    int64_t rounds;   /* rounds of the response; less than max_rounds if no pair was left that comes too near */
    ccd_why why;      /* what limits the way to the positions of the response: as of ccd_step_run_why, which see */
} ccd_response;

/**
 * Move the ends of a step apart where pairs come too near, and go as far as is safe: positions after contact, for those who have no solver
 * of their own. A helper, not a solver: it treats each contact for itself, as in position-based dynamics, and no forces are balanced. What
 * it leaves undone is stopped before contact as by ccd_step_advance, so nothing passes through whatever the response does. Velocities
 * follow: (x - x0) / dt.
 *
 * x0, x1        positions at t = 0, and where the vertices would be at t = 1 without contact; n x 3 doubles, borrowed for this call
 * inverse_mass  n doubles, not negative, 0 for a vertex that contact does not move; or NULL: 1. Contact moves no static vertex of the mesh
 * friction      in [0, 1e6]: the coefficient of Coulomb friction. What the points of a contact slide is taken back, up to this coefficient
 *               times what the normal moves them
 * keep          in [0, 1); 0.25 is usual: the part of min_separation that the step keeps. Constraints begin at the whole of it; the rest
 *               is room for the next step to begin with
 * max_rounds    1 to 1000; 4 is usual: times that constraints are found, as by ccd_step_run_activeset, and treated once each
 * options       min_separation must be positive, also where the mesh has radii: it is the room in which resting contact moves on.
 *               CCD_NORM_MAX, regions and positions on a device are not supported. stats add up all searches
 * x             room for n x 3 doubles. It is proven that all pairs keep more than keep times min_separation, and their radii, on the
 *               straight way from x0 to just these doubles. x may be x0 or x1, but must not overlap them otherwise. On error x is x0, with
 *               the exceptions of ccd_step_advance
 * out           written even on error; NULL if you do not want it
 *
 * A round is Gauss-Seidel over the constraints, color by color (ccd_step_colors). A constraint with normal n, weights w, separation s,
 * effective mass m and distance d at the end adds inverse_mass[i] w[i] m max(s - d, 0) n to vertex i, with an m that moves no vertex by
 * more than 16 (s - d). Rounds end where no pair comes too near. Takes 88 bytes of memory for each vertex beyond memory_limit, and the
 * constraints. Where alpha is below 1, out->why names the pair that limits it; at the start, it takes two searches more. Otherwise as
 * ccd_step_advance.
 */
ccd_status ccd_step_respond(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const double *inverse_mass,
                            double friction, double keep, int64_t max_rounds, const ccd_options *options, double *x,
                            ccd_response *out);

/** What ccd_step_run_sizes did. All fields are 0 on error. */
typedef struct ccd_sizes_report {
    double
        used; /* the part of the motion that is left: sum |alpha (x1 - x0)| / sum |x1 - x0| over the vertices; 1 if none moves */
    double floor;    /* each alpha is 0 or at least this; 1 if no pair comes too near */
    int64_t resting; /* vertices whose alpha is 0 and whose x1 is not x0 */
    int64_t passes;  /* searches; the first concerns the whole mesh, the others what the one before changed */
} ccd_sizes_report;

typedef int32_t ccd_gradient_state;
#define CCD_GRADIENT_UNDETERMINED 0 /* the derivatives are beyond the range of doubles; NaN */
#define CCD_GRADIENT_DEFINED 1      /* the derivatives exist; each is within 1e-12 of the largest of them */
#define CCD_GRADIENT_NO_IMPACT 2    /* the pair is separate: toi is +Inf; derivatives are 0 */
#define CCD_GRADIENT_INITIAL 3      /* in contact at t = 0: toi is 0, and stays 0 or jumps; derivatives are 0 */
#define CCD_GRADIENT_GRAZING 4      /* the pair does not approach at toi, a double root; NaN */
#define CCD_GRADIENT_TIE 5          /* several points or features touch first, at once, as parallel edges do; NaN */
#define CCD_GRADIENT_BORDER 6       /* a small change ends the contact: see ccd_step_run_gradients; NaN */

/** The derivatives of a pair's time of impact with respect to its vertices. 288 bytes, no hidden padding. */
typedef struct ccd_gradient {
    double x0[12]; /*   0  of toi with respect to vertex i at t = 0: entries 3 i to 3 i + 2; 1 / length */
    double x1[12]; /*  96  the same at t = 1 */
    double toi;    /* 192  the time they are taken at: the largest double not above it; +Inf without an impact */
    double
        conditioning;  /* 200  |n.v| / |v|, in (0, 1], v the velocity of a relative to b at the contact; 0 unless DEFINED */
    double weights[4]; /* 208  of the vertices in the points in contact, as in ccd_constraint; 0 unless DEFINED */
    double normal[3];  /* 240  unit, n, from b to a, of what touches first; 0 unless DEFINED */
    int32_t vertices[4]; /* 264  of the pair, in query order; -1 where there is none */
    int32_t kind;        /* 280  of the pair; 0 on error */
    int32_t state;       /* 284  ccd_gradient_state */
} ccd_gradient;

/**
 * The same for `count` queries of one kind, each as in ccd_pair_*: q holds 6 doubles for each point of the kind. vertices are
 * 0, 1, 2, 3 in query order. Returns CCD_E_UNSUPPORTED for CCD_APART_AT_TOI. Otherwise as ccd_pairs_vertex_face.
 */
ccd_status ccd_pairs_gradients(int32_t kind, const double *q, size_t count, const ccd_options *options, ccd_gradient *out);

ccd_status ccd_impacts_count(ccd_impacts *impacts, size_t *count);
/** Copy the impacts, in the order of ccd_step_collisions; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_impacts_copy(ccd_impacts *impacts, ccd_impact *dst, size_t cap, size_t *count);
ccd_status ccd_impacts_destroy(ccd_impacts *impacts);

/* ---- results on a device ---------------------------------------------------------------------------------------------- */

/** Results in the memory of a device of NVIDIA's driver, as columns. */
typedef struct ccd_device_columns ccd_device_columns;

/**
 * A column: `width` numbers side by side for each of `rows` results, the first of result i at data + i * stride bytes. 40 bytes, no hidden
 * padding; comments begin with the offset in bytes.
 */
typedef struct ccd_device_column {
    const void *data; /*  0  address on the device (CUdeviceptr); NULL without rows */
    int64_t rows;     /*  8 */
    int64_t stride;   /* 16  bytes */
    int32_t width;    /* 24 */
    int32_t dtype;    /* 28  ccd_dtype */
    int32_t device;   /* 32  number of the device for CUDA, which is also its place in ccd_device_list */
    int32_t reserved; /* 36  0 */
} ccd_device_column;

/**
 * Copy impacts to a device, for kernels that read them there. A column for each member of ccd_impact but reserved, in the order of
 * ccd_step_collisions and with the same bits; and `pairs`, of width 2: a and b side by side.
 *
 * options  device_x0 says which device: the one that it is on. Where it is NULL device_index does; 0 is the first of NVIDIA's
 *          driver that can be used. memory_limit bounds the columns. All else is ignored, device too; NULL for the defaults
 * *out     a handle to be destroyed, or NULL on error. It needs the impacts no more
 *
 * The columns belong to the handle: read them, also from other threads and streams, until it is destroyed. They are complete when the call
 * returns, so no stream has to wait for them.
 *
 *   ccd_step_collisions(mesh, NULL, NULL, n, &options, &impacts);
 *   ccd_impacts_to_device(impacts, &options, &columns);
 *   ccd_device_columns_get(columns, "toi_lo", &toi);
 *   kernel<<<blocks, 256, 0, stream>>>((const double *)toi.data, toi.rows);
 *   ccd_device_columns_destroy(columns);
 *
 * The impacts pass through the processor, which decides what the device leaves and places the points of contact: the call copies
 * 120 bytes for each to the device. Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_MEMORY (memory_limit, or half of the
 * device's memory), CCD_E_UNSUPPORTED (no such device can be used, or it fails). Reentrant. Since 0.1.
 */
ccd_status ccd_impacts_to_device(ccd_impacts *impacts, const ccd_options *options, ccd_device_columns **out);
/**
 * The same for candidates of one kind: a column `pairs` of int64, of width 2, sorted as in ccd_candidates_copy, and its halves `a`
 * and `b`; 16 bytes for each.
 */
ccd_status ccd_candidates_to_device(ccd_candidates *candidates, int32_t kind, const ccd_options *options,
                                    ccd_device_columns **out);
/** A column by its name. Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT (no such column: the text lists all). */
ccd_status ccd_device_columns_get(ccd_device_columns *columns, const char *name, ccd_device_column *out);
/** Wait for all work on the device, of all streams of its primary context, and free the columns. */
ccd_status ccd_device_columns_destroy(ccd_device_columns *columns);

/** How far a line search along x0 -> x1 may go. All fields are 0 on error, if a pair touches at x0, or crosses there (CCD_CHECK_START). */
typedef struct ccd_linesearch_bound {
    double alpha;      /* a fraction of the step: every step up to it is safe, in real arithmetic */
    double distance;   /* a length: all pairs are farther apart than this at x0 */
    double separation; /* a length: all pairs keep more than this up to alpha */
} ccd_linesearch_bound;

/**
 * A pair to be kept apart, linearized at its impact: with n = impact.normal and the points p_a, p_b in contact, the distance
 * <n, p_a - p_b> = sum over i of weights[i] <n, x[vertices[i]]> must be at least separation. 184 bytes, no hidden padding.
 */
typedef struct ccd_constraint {
    ccd_impact impact;   /*   0 */
    int32_t vertices[4]; /* 120  of the pair, in query order; a kind with fewer repeats one, with weight 0 */
    double weights[4];   /* 136  of the points in contact: positive on a, negative on b */
    double gap;          /* 168  a length: the distance at x1 less separation; negative if the step comes too near */
    double separation;   /* 176  a length: min_separation and the radii of both primitives, rounded up */
} ccd_constraint;

/** The constraints of a step. */
typedef struct ccd_constraints ccd_constraints;

ccd_status ccd_constraints_count(ccd_constraints *constraints, size_t *count);
/** Copy the constraints in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_constraints_copy(ccd_constraints *constraints, ccd_constraint *dst, size_t cap, size_t *count);
ccd_status ccd_constraints_destroy(ccd_constraints *constraints);

/* What the rows of a contact Jacobian measure. The value is the number of rows of a constraint. */
typedef int32_t ccd_frame;
#define CCD_FRAME_NORMAL 1  /* along impact.normal */
#define CCD_FRAME_CONTACT 3 /* along impact.normal and both tangents, as of ccd_step_tangents */

/**
 * Write the contact Jacobian J of constraints: a sparse matrix with a row for each constraint, or three, and 3 n columns, those of the
 * coordinates of n vertices. J x is the distance of the points along the normal (and tangents), and J^T l is the impulse on the vertices of
 * impulses l along them. J x1 less the separation of a constraint is its gap.
 *
 * The matrix is in compressed rows, in the layout of scipy.sparse.csr_array and of an Eigen::Map<Eigen::SparseMatrix<double,
 * Eigen::RowMajor>>, which need no copy: the entries of row i are values[k] at columns[k] for row_starts[i] <= k < row_starts[i +
 * 1]. Columns ascend in a row.
 *
 * constraints  count constraints of ccd_step_run_activeset, in any order, or of your own: vertices, weights and impact.normal are read
 * n            number of vertices, at most (2^31 - 1) / 3
 * frame        CCD_FRAME_NORMAL: row i is that of constraint i; CCD_FRAME_CONTACT: rows 3i, 3i + 1 and 3i + 2 are
 * row_starts   room for frame x count + 1 numbers; the last is the number of entries. On error all are 0: the matrix is empty
 * columns      room for 12 x frame x count numbers
 * values       room for as many; the entry of a vertex is its weight times a component of the row's direction, rounded once. No unit
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX (a vertex is not in [0, n)), or CCD_E_NONFINITE; the message names the constraint.
 * Results are not written if a pointer is NULL, count or n is too large, results overlap inputs, or the status is CCD_E_FORKED or
 * CCD_E_INTERNAL. Laws: "Contact Jacobians" in docs/numerics.md. Reentrant. Since 0.1.
 */
ccd_status ccd_step_jacobian(const ccd_constraint *constraints, size_t count, size_t n, ccd_frame frame,
                             int32_t *row_starts, int32_t *columns, double *values);

/**
 * Write two tangents for each normal, so that (normal, first, second) is a right-handed orthonormal frame, up to 2^-49. It has no singular
 * direction. Friction acts along the tangents.
 *
 * normals   count x 3 doubles: directions of any length but 0; impact.normal, or your own
 * tangents  room for count x 6 doubles, the first tangent and the second. 0 on error
 *
 * Returns CCD_OK, CCD_E_ARGUMENT or CCD_E_NONFINITE; the message names the normal. Otherwise as ccd_step_jacobian. Paper: [Duff2017].
 */
ccd_status ccd_step_tangents(const double *normals, size_t count, double *tangents);

/**
 * Write the effective mass of each constraint: the impulse along the normal that changes the points' relative velocity along it by
 * 1. It is the inverse of K = sum of weights[i]^2 inverse_mass[vertices[i]], the diagonal of J M^-1 J^T for each of the
 * constraint's rows.
 *
 * inverse_mass  n doubles, not negative; 0 for a vertex that nothing moves
 * masses        room for count doubles, in the unit of mass; 0 where no impulse moves the points, because K is 0, or 1/K is above the
 *               doubles. 0 on error
 *
 * Otherwise as ccd_step_jacobian.
 */
ccd_status ccd_step_effective_mass(const ccd_constraint *constraints, size_t count, const double *inverse_mass, size_t n,
                                   double *masses);

/**
 * Give each constraint a color such that no two of one color share a vertex that moves: a Gauss-Seidel solver may treat the
 * constraints of a color in parallel, or in vectors, with the result of treating them one by one. A vertex with weight 0 does not
 * count.
 *
 * inverse_mass  n doubles, or NULL: a vertex moves if its inverse mass is positive; with NULL all do
 * colors        room for count numbers, from 0. Each is the least that no earlier constraint has at a vertex in common. -1 on error
 * color_count   number of colors; 0 on error. NULL if you do not want it
 *
 * Takes 8 n bytes of memory. Otherwise as ccd_step_jacobian.
 */
ccd_status ccd_step_colors(const ccd_constraint *constraints, size_t count, size_t n, const double *inverse_mass,
                           int32_t *colors, size_t *color_count);

/* ---- calls on a step ------------------------------------------------------------------------------------------------- */

/**
 * A step as a value: what moves, and which pairs count. ccd_step_earliest, _collisions, _size and _advance take a mesh with x0 and x1; all
 * calls, named ccd_step_run_*, take a ccd_step, whatever it was made of:
 *
 *   made by                            what moves                             which pairs count
 *   ccd_step_create                    a mesh, straight from x0 to x1         all
 *   ccd_step_create_motion             a mesh, on the paths of a motion       all
 *   ccd_step_create_candidates         the mesh of candidates, straight       the candidates
 *   ccd_step_create_candidates_motion  the mesh of candidates, on paths       the candidates
 *   ccd_step_create_neighbors          the mesh of a list, straight           all; the list saves time where it can
 *   ccd_step_create_scene              some vertices of a scene, straight     those with a vertex that moves
 *   ccd_step_create_between            as another of these steps              those of two groups of primitives
 *
 *   ccd_step *step;
 *   ccd_step_create(mesh, x0, x1, n, &step);
 *   ccd_step_run_sizes(step, NULL, 0.9, 0.5, 64, NULL, alphas, y, n, NULL);
 *   ccd_step_run_linesearch(step, 0.2, &options, &bound);
 *   ccd_step_destroy(step);
 *
 * A step copies no array. It refers to x0, x1 and moved, which belong to the caller and must stay readable until the last call on the step
 * has returned; a destroyed step, or one without calls, reads nothing. Their values may change between calls, not during one: a line
 * search writes its next x1 to the same array. A step holds the mesh, the motion, the candidates, the list or the scene, whose
 * handles may be destroyed before it. Threads may share a step: calls run side by side, on a scene one after the other.
 *
 * Results have the bits of the same call on ccd_step_create of the same mesh and positions. Not every step has every call, and
 * CCD_E_UNSUPPORTED says why:
 *
 *   a motion      no _intervals, _pairs_intervals, _activeset and _gradients, unless it is straight: of degree 1, one
 *                 piece, without radii. _sizes needs one piece
 *   candidates    no _clearance and _profile, which concern pairs of any distance; on a motion no _sizes
 *   a scene       no _pairs, _pairs_intervals and _gradients
 *
 * Options are those of ccd_step_earliest. On a motion and a scene the method must be exact, scene_bound is not supported, and a motion is
 * computed on the CPU. ccd_options.region is for _earliest, _collisions, _first_impacts, _visit and _size of ccd_step_create and
 * _create_motion.
 * Every call returns CCD_E_HANDLE for a step that is no live handle, otherwise as ccd_step_earliest. Since 0.1.
 */
typedef struct ccd_step ccd_step;

/**
 * Create the step of a mesh on which vertex i moves straight from x0[i] to x1[i].
 *
 * x0, x1  n x 3 doubles, which the step refers to: see ccd_step. Calls check them. NULL where each call gives the vertices in
 *         ccd_options.device_x0 and device_x1
 * n       must equal the mesh's vertex count
 * out     a handle to be destroyed, or NULL on error
 *
 * Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT. Takes less than a microsecond. Since 0.1.
 */
ccd_status ccd_step_create(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, ccd_step **out);
/**
 * Create a step whose candidates are known from a longer step, as in a line search.
 *
 * Candidates of x0 -> x0 + dx are valid for every step x0 -> x0 + alpha dx with alpha in [0, 1]. More generally, each vertex must stay in
 * the box of its motion from x0 to x0 + dx; calls check that, and CCD_E_ARGUMENT names a vertex outside its box. With rounding to
 * nearest, x0 + alpha * dx computed in doubles lies between x0 and x0 + dx; but x0 + (x1 - x0) may differ from x1 by a rounding error,
 * and so leave the box.
 *
 * candidates  live handle. The filters that the mesh had at ccd_broad_candidates and those that it has now both apply
 *
 * Of the options of a call, min_separation and the mesh's radii are at most those of the candidates; CCD_BRUTE_FORCE has no effect,
 * memory_limit bounds results only. With the exact method results have the bits of ccd_step_create. A method with a tolerance may also
 * report a pair within the tolerance of contact that a sweep skips because the boxes of this shorter step are apart; laws 1 to 4 hold.
 *
 * Calls do no sweep, but test every pair of the list. If the list is long compared with the mesh, ccd_step_create is faster: it tests
 * only pairs that are near in this step, and skips those that cannot come before the earliest impact found. Calls on given pairs and
 * impacts do not look at the candidates. Otherwise as ccd_step_create.
 */
ccd_status ccd_step_create_candidates(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                                      ccd_step **out);

/**
 * Some primitives of a mesh, by their numbers: an object, or the part of one that is to be tested. The vertices of an object alone are
 * no object: its edges and faces are listed too. 48 bytes; NULL with a count of 0: none.
 */
typedef struct ccd_group {
    const int32_t *vertices; /*  0 */
    size_t vertex_count;     /*  8 */
    const int32_t *edges;    /* 16 numbers of ccd_mesh_edges */
    size_t edge_count;       /* 24 */
    const int32_t *faces;    /* 32 */
    size_t face_count;       /* 40 */
} ccd_group;

/**
 * Create the step with those pairs of another step alone of which one primitive is in group a and the other in group b: one object
 * against another, or vertices against faces one way.
 *
 * step  live handle, made of a mesh or of candidates, which may be destroyed before the new step; it is left as it is
 * a, b  not NULL; read during the call. No number is out of range, repeated or in both groups: that is CCD_E_INDEX
 * out   a handle to be destroyed, or NULL on error
 *
 * Results have the bits of those of the other step, without the impacts of other pairs. The filters of the mesh apply. Only the
 * primitives of the groups are swept. Of a neighbor list, of a scene and of a step between groups it is CCD_E_UNSUPPORTED, as
 * ccd_step_run_clearance is of the step that it makes. Otherwise as ccd_step_create.
 */
ccd_status ccd_step_create_between(ccd_step *step, const ccd_group *a, const ccd_group *b, ccd_step **out);
/** Destroy a step, as ccd_mesh_destroy. Calls that run complete. */
ccd_status ccd_step_destroy(ccd_step *step);

/** The earliest impact: ccd_step_earliest of a step. out is written even on error. */
ccd_status ccd_step_run_earliest(ccd_step *step, const ccd_options *options, ccd_impact *out);
/** All impacts: ccd_step_collisions of a step. *out is a handle to be destroyed, or NULL on error. */
ccd_status ccd_step_run_collisions(ccd_step *step, const ccd_options *options, ccd_impacts **out);
/**
 * The first count impacts of ccd_step_collisions, with the same bits, or all of them if there are no more: for a solver that handles
 * impacts in the order of time, some at a time. The call leaves out what comes later. Where impacts come early it takes little more time
 * than ccd_step_earliest; its memory grows with count, not with the number of impacts.
 *
 * count  at least 1
 * out    *out is a handle to be destroyed, or NULL on error
 */
ccd_status ccd_step_run_first_impacts(ccd_step *step, size_t count, const ccd_options *options, ccd_impacts **out);
/**
 * Call visit with the impacts of ccd_step_collisions, some at a time. The call stores no impacts: memory does not grow with their number.
 *
 * visit  not NULL. When it returns anything but 0, the call ends promptly with CCD_E_CANCELLED and does not call visit again
 * user   passed on to visit
 *
 * If the call returns CCD_OK, visit has received every impact of ccd_step_collisions exactly once, bit for bit. On any error some may be
 * missing. Their order, and the number in each call, are unspecified; on one thread they are the same in every run.
 */
ccd_status ccd_step_run_visit(ccd_step *step, const ccd_options *options, ccd_visitor visit, void *user);
/**
 * Compute the impacts of given pairs of primitives (a, b) of one kind, in their order, whether or not their boxes overlap.
 * pairs holds `count` pairs; out has room for `count` impacts.
 * Without CCD_CHECK_START. On error every impact is CCD_UNDECIDED with toi_lo = 0. CCD_E_INDEX names a pair that is out of range.
 */
ccd_status ccd_step_run_pairs(ccd_step *step, int32_t kind, const int64_t *pairs, size_t count, const ccd_options *options,
                              ccd_impact *out);
/**
 * Find every interval of contact of every pair, sorted by (enter, kind, a, b): the events of a trigger volume, all crossings of a sweep.
 * The pairs are those of ccd_step_collisions, and the first interval of each begins at its toi_lo. See ccd_interval.
 *
 * options  the method must be exact; without CCD_CHECK_START and CCD_DEVICE_GPU
 * out      a handle to be destroyed, or NULL on error
 *
 * The call takes 1 to 1.2 times as long as ccd_step_collisions on three published scenes; with a separation 1.2 to 2 times, in the
 * max norm 2.4 to 6 times. stats count a pair with an interval as an impact.
 */
ccd_status ccd_step_run_intervals(ccd_step *step, const ccd_options *options, ccd_intervals **out);
/**
 * Find every interval of contact of given pairs of primitives (a, b) of one kind, pair by pair in their order, whether or not their
 * boxes overlap. pairs holds `count` pairs; a pair that is given twice is found twice. CCD_E_INDEX names a pair that is out of
 * range. Otherwise as ccd_step_run_intervals.
 */
ccd_status ccd_step_run_pairs_intervals(ccd_step *step, int32_t kind, const int64_t *pairs, size_t count,
                                        const ccd_options *options, ccd_intervals **out);
/**
 * Bracket the least distance, less radii, that any pair of a mesh has during a step, and find the pair, a time and the points. Pairs are those of
 * ccd_step_earliest; an edge that passes through a face at x0 counts, at distance 0, with CCD_CHECK_START. On a motion law D8 holds: where its
 * paths have radii the bracket is wider by up to four of them, and a contact, which may be none, has lo = 0 and hi >= 0. On a scene the call
 * costs what the scene contains: pairs without a vertex that moves are skipped, all others are searched.
 *
 * options  the method must be exact, and the norm Euclidean; min_separation does not matter; without CCD_DEVICE_GPU
 * out      of pairs with the same hi the first in the order (kind, a, b). Kind 0 and +Inf without a pair; [0, +Inf] on error
 *
 * Returns as ccd_step_earliest, and CCD_E_UNSUPPORTED for other options and for scenes that extend over more than 1e150 / 16. Since 0.1.
 */
ccd_status ccd_step_run_clearance(ccd_step *step, const ccd_options *options, ccd_clearance *out);
/**
 * Bracket the least distance, less radii, that any pair of a mesh has at each of some times of a step, for a plot. out[i] is that of
 * ccd_proximity_distance where the vertices are at times[i], widened by how far rounding may have moved them (law D7): the distance at the
 * true positions is in [lo, hi]. The pair, its points and its normal are those of the rounded positions. An edge that passes through a face
 * is at distance 0, with CCD_EDGE_FACE. On a motion with radii the brackets are wider by twice the largest one on both sides (law D9).
 *
 * times    count numbers in [0, 1]
 * options  as of ccd_step_run_clearance; not t_max
 * out      room for count
 *
 *   double times[3] = {0, 0.5, 1};
 *   ccd_clearance curve[3];
 *   ccd_status status = ccd_step_run_profile(step, times, 3, NULL, curve);
 *
 * Returns as ccd_step_run_clearance, and CCD_E_ARGUMENT for a time that is not in [0, 1]. Since 0.1.
 */
ccd_status ccd_step_run_profile(ccd_step *step, const double *times, size_t count, const ccd_options *options,
                                ccd_clearance *out);
/** A safe step: ccd_step_size of a step. On a motion *alpha is a time, and ccd_motion_at gives the positions there, rounded. */
ccd_status ccd_step_run_size(ccd_step *step, const ccd_options *options, double *alpha);
/**
 * Go as far as is safe: ccd_step_advance of a step.
 *
 * x  room for n x 3 doubles: a row for each vertex of the step, of a scene for each vertex in moved. On error x is where the vertices are at
 *    t = 0; it is not written if step or n is wrong, x overlaps x0 or x1 in part, or the status is CCD_E_FORKED or CCD_E_INTERNAL
 * n  must equal the number of vertices of the step, of a scene that of moved
 *
 * On a motion *alpha is a time, and x are the positions there, rounded: those of ccd_motion_at, of rigid bodies, skins and joints nearer
 * to the paths. If *alpha > 0, it is proven that all pairs keep more than min_separation at every t in [0, *alpha] on their paths, and on
 * the straight way from where the paths are at *alpha to just the doubles of x. The call takes about as long as ccd_step_run_size and a
 * search of a mesh that rests.
 */
ccd_status ccd_step_run_advance(ccd_step *step, double share, const ccd_options *options, double *alpha, double *x,
                                size_t n);
/**
 * Choose a step for each vertex, so that one early contact does not stop the whole mesh: alphas[i] of vertex i, and the positions y
 * that the steps lead to. It is proven that the pairs of the mesh keep their separations for every t in [0, 1] of the straight
 * motion from x0 to y, for just the doubles of y.
 *
 * The separation of a pair is min_separation (and its radii) if its distance at x0 exceeds that, else keep_ratio times the
 * distance, of which the library proves a lower bound, nearly always within 0.2 % and never below half. Vertices of a pair that
 * touches at x0 rest: their alpha is 0. With CCD_CHECK_START those of an edge that passes through a face at x0 rest as well; without it
 * such pairs are not seen.
 *
 * groups      n ids, or NULL: the vertices of a group have one alpha, the least (a rigid or affine body). Ids are less than n; a
 *             vertex with a negative id is in no group
 * share       in (0, 1): the part of the way to an impact that the pair's vertices go; 0.9 is usual
 * keep_ratio  in [0, 1]: the part of its distance that a pair within min_separation keeps; 0.5 is usual
 * max_passes  at least 1: searches after which vertices in contact are stopped at x0; 64 is usual, 5 to 25 are needed
 * options     t_max must be 1 and method CCD_METHOD_DEFAULT or CCD_METHOD_EXACT
 * alphas      room for n doubles: 0, or in [out->floor, 1]. 0 on error
 * n           must equal the number of vertices of the step, of a scene that of moved
 * y           room for n x 3 doubles. Each coordinate is x0 + alpha (x1 - x0) in doubles, which lies between x0 and x1; x1 if alpha is 1,
 *             x0 bit for bit if it is 0. y may be x0 or x1, but must not overlap them otherwise. On error y is x0; alphas and y are not
 *             written if the handle or n is wrong, a pointer is NULL, they overlap, or the status is CCD_E_FORKED or CCD_E_INTERNAL
 * out         what was done; written even on error. NULL if you do not want it
 *
 * A scaled step need not descend: in a Newton method test that it does. The call takes 1.7 to 4.3 times as long as
 * ccd_step_collisions on three published scenes, and about 50 bytes of memory for each vertex beyond memory_limit. stats add up all
 * searches.
 *
 * On a motion, which must have one piece, alphas say how much of its path each vertex goes. Let Y be ccd_motion_cut(motion, alphas, n):
 * it is proven that the pairs keep their separations for every t in [0, 1] of Y, for just its doubles, and with radii for every path
 * within them; y is where Y ends. A pair whose distance at t = 0 does not certainly exceed its separation for the radii of its paths
 * keeps keep_ratio times the distance less these radii, and its vertices rest if that is 0. out->used weighs each vertex by the length of
 * the polygon of its control points. A piece of a body that turns is not enclosed anew.
 */
ccd_status ccd_step_run_sizes(ccd_step *step, const int32_t *groups, double share, double keep_ratio, int64_t max_passes,
                              const ccd_options *options, double *alphas, double *y, size_t n, ccd_sizes_report *out);
/**
 * Bound the steps x0 + t (x1 - x0) of a line search so that every pair keeps a fraction of its distance at x0. After a step right up to
 * contact the next line search could not move at all. Every step shorter than the bound is safe too, so backtracking needs no further
 * test. This holds for the motion in real arithmetic. Positions that you compute in doubles are rounded and may be nearer by a few units
 * in the last place of the coordinates: if out->separation is above 1e-14 times the largest of them, nothing touches there either;
 * otherwise pass the positions that you accept to ccd_step_advance.
 *
 * keep_ratio  in (0, 1): the fraction of out->distance to keep; 0.2 is usual
 * options     min_separation must be positive. Here it is only a search radius: pairs farther apart are ignored, and this distance is not
 *             enforced. CCD_NO_ZERO_TOI is implied. memory_limit holds for each of two passes, one for the distance at x0 and one
 *             for the step; stats are those of the second
 * out         written even on error
 *
 * For every t in [0, out->alpha] all pairs keep more than out->separation = keep_ratio * out->distance. out->distance is the largest
 * min_separation * 2^-k with a whole k >= 0 that the method proves all pairs to exceed at x0. out->alpha is positive unless a pair
 * touches at x0, or with CCD_CHECK_START crosses there; it is t_max when no pair comes as near as out->separation.
 *
 * On a motion the bound is a time: up to out->alpha all pairs keep more than out->separation on their paths; at t = 0 all are farther
 * apart than out->distance. Where radii are 0, and for rigid bodies, skins and joints, alpha is positive unless a pair touches at t = 0.
 * With other radii it is also 0 if a pair's distance there is at most out->separation and twice the radii of its two primitives
 * together. Positions of ccd_motion_at are rounded: pass the time that you accept to ccd_step_run_advance, as options.t_max with share 1.
 *
 * Paper: [Wang2021], algorithm 4.
 */
ccd_status ccd_step_run_linesearch(ccd_step *step, double keep_ratio, const ccd_options *options,
                                   ccd_linesearch_bound *out);
/**
 * List every pair that comes within min_separation during the step as a constraint for a solver: one for each impact of
 * ccd_step_collisions, in the same order. With a positive min_separation, constraints become active before anything touches. The list
 * includes undecided pairs; a spurious constraint is harmless.
 *
 * Weights add up to 1 on a and to -1 on b. Where radii are set, gap and separation count them.
 *
 * The gap is computed from differences of vertices, so its rounding error does not grow with
 * the scene's distance from the origin. Points and normals are those of the impacts. With CCD_NORM_MAX p_a and p_b need not be the
 * nearest points, so normal may be far from the surface's.
 *
 * With CCD_CHECK_START, an edge that passes through a face at x0 is CCD_E_ARGUMENT, and the message names both: a constraint keeps apart
 * what is apart. ccd_step_collisions lists all such pairs.
 *
 * *out is a handle to be destroyed, or NULL on error. Paper: [Wang2021], algorithm 3.
 */
ccd_status ccd_step_run_activeset(ccd_step *step, const ccd_options *options, ccd_constraints **out);
/**
 * Say why a step is short: which pair limits it, at the start or later, and whether its radii, the separation, an intersection, vertices
 * at one place or a spent budget are the reason. ccd_why_text says the same in words, with what to do.
 *
 * out  written even on error
 *
 * cause is that of out->impact, the earliest; out->initial counts all pairs that limit the step at its start. Exact arithmetic decides
 * between TOUCHING, RADII and SEPARATION. Where the cause is CROSSING, TOUCHING, RADII or SEPARATION, others[0] to [3] are the first pairs
 * with these causes that the remedy for out->impact leaves (pairs of a component where it is to exclude near pairs, those with vertices at
 * one place where it is to weld, else those with its cause, are resolved), and others[4] is the earliest of the pairs that begin farther
 * apart, with the present separation; it is not looked for where initial is 2^20 or more. To replay a pair alone, pass out->q to ccd_pair_vertex_face, _edge_edge, _point_edge or _point_point with min_separation = out->separation; a query of kind
 * CCD_EDGE_FACE has no such function.
 *
 * Takes the time of ccd_step_run_advance, and of two searches more where a pair is near at the start. stats are those of the first. Not for
 * scenes, regions, and positions on a device (CCD_E_UNSUPPORTED). Otherwise as ccd_step_earliest. Since 0.1.
 *
 *   ccd_why why;
 *   char text[1024];
 *   size_t length;
 *   ccd_step_run_why(step, &options, &why);
 *   ccd_why_text(&why, text, sizeof text, &length);
 *   puts(text); // Vertex 3 and face 0 (vertices 0, 1, 2) are 0.001 apart at the start, within their separation 0.01. Pass a ...
 */
ccd_status ccd_step_run_why(ccd_step *step, const ccd_options *options, ccd_why *out);
/**
 * Write the sentences of a result of ccd_step_run_why: which pair, why, and what to do. The wording may change.
 *
 * dst     room for cap bytes, or NULL with a cap of 0: the text, with a terminating 0; at most 1023 bytes
 * length  bytes of the text with its terminating 0, whether they fit or not; NULL if you do not want it. 0 on other errors
 *
 * Returns CCD_OK or CCD_E_ARGUMENT: why is NULL or is no result of ccd_step_run_why, or cap is too small. Reentrant. Since 0.1.
 */
ccd_status ccd_why_text(const ccd_why *why, char *dst, size_t cap, size_t *length);
/**
 * Compute how the times of impact of some pairs depend on x0 and x1. With the weights w and the normal n of the contact, t = toi and
 * v = sum w_i (x1_i - x0_i):
 *
 *   dt/dx0_i = -(1 - t) w_i n / (n.v)        dt/dx1_i = -t w_i n / (n.v)
 *
 * impacts  `count` impacts of the mesh, as ccd_step_earliest, _collisions, _pairs or _visit return them. Only kind, a and b are read;
 *          an impact with a = b = -1, of a step that is separate, gets CCD_GRADIENT_NO_IMPACT
 * options  min_separation, norm and t_max are those of the time that is differentiated. The time is the exact one of the pair,
 *          whatever method found the impact: a method with a tolerance may report an impact of a pair that is separate
 * out      room for `count` gradients. On error every state is CCD_GRADIENT_UNDETERMINED and every derivative NaN
 *
 * CCD_GRADIENT_DEFINED is a proof: near these positions toi is a function with these derivatives, each within 1e-12 times the
 * largest of them. All other states write 0 or NaN. A state says what is the case, or cannot be distinguished from it with 106
 * bits. CCD_GRADIENT_BORDER: without a separation the contact is at the border of the face or at an end of an edge, or it is that
 * of a point and an edge or of two points, which meet by chance only; or toi is t_max.
 *
 * The time is that of one pair. The earliest time of a step is that of its first impact; where several pairs are first at the same
 * time, it has no derivative unless all have the same. An edge that passes through a face at x0 (CCD_EDGE_FACE) is
 * CCD_GRADIENT_INITIAL, without vertices.
 *
 * Example
 *   ccd_step_run_earliest(step, NULL, &hit);
 *   ccd_step_run_gradients(step, &hit, 1, NULL, &g);
 *   if (g.state == CCD_GRADIENT_DEFINED) ... g.x1[0] is d toi / d x1[g.vertices[0]][0]
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_INDEX (impacts[i].a or b), CCD_E_NONFINITE or CCD_E_CANCELLED. Reentrant. Same bits
 * for any number of threads. Since 0.1.
 */
ccd_status ccd_step_run_gradients(ccd_step *step, const ccd_impact *impacts, size_t count, const ccd_options *options,
                                  ccd_gradient *out);

/* ---- scene ----------------------------------------------------------------------------------------------------------- */

/**
 * A mesh with its positions, of which some vertices move in each step: a large static world with a few movers. The scene keeps what it
 * knows of the parts at rest, so that a call costs what moves.
 *
 *   ccd_scene_create(mesh, x0, n, &scene);
 *   ccd_step_create_scene(scene, moved, x1, count, &step);
 *   each step: ccd_step_run_sizes(step, ..., y, count, NULL);   or _advance, _earliest, _collisions
 *              ccd_scene_commit(scene, moved, y, count);
 *
 * Threads may share a scene; its calls run one after the other. It has the groups, static vertices, exclusions and radii that the
 * mesh had when it was created: after any of them was set, calls return CCD_E_ARGUMENT.
 *
 * The mesh is part 0 of the scene. ccd_scene_add adds other meshes, ccd_scene_remove removes parts, so numbers of vertices, edges
 * and faces are those of the scene: a part's first number, plus the number in its mesh. In this section n is the number of vertices
 * of ccd_scene_counts.
 */
typedef struct ccd_scene ccd_scene;

/**
 * Create a scene of a mesh with its vertices at x0, n x 3 doubles; n must equal the mesh's vertex count. The scene holds the mesh,
 * which may be destroyed, and a copy of x0. *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_HANDLE,
 * CCD_E_ARGUMENT, CCD_E_NONFINITE. Since 0.1.
 */
ccd_status ccd_scene_create(ccd_mesh *mesh, const double *x0, size_t n, ccd_scene **out);
/** Destroy a scene, as ccd_mesh_destroy. */
ccd_status ccd_scene_destroy(ccd_scene *scene);

/** A part of a scene. Primitive i of its mesh has the number first + i in the scene; that does not change while the part is there. */
typedef struct ccd_scene_part { /* 56 bytes, no padding */
    int64_t id;                 /* of the part: 0 for the mesh of ccd_scene_create, then 1, 2, ...; never used again */
    int64_t first_vertex;       /* number of its first vertex */
    int64_t first_edge;         /* number of its first edge */
    int64_t first_face;         /* number of its first face */
    int64_t vertices;           /* how many vertices it has */
    int64_t edges;              /* how many edges */
    int64_t faces;              /* how many faces */
} ccd_scene_part;

/**
 * Add a mesh to a scene with its vertices at x, n x 3 doubles; n must equal the mesh's vertex count. The cost is that of the part.
 *
 * The part has the groups, static vertices, exclusions and radii that its mesh has now; later changes do not concern it. The scene
 * holds the mesh, which may be destroyed, or added again: several parts share its memory. Groups belong to a part: vertices of
 * different parts are in different groups, whatever their ids, so pairs of two parts are skipped only if both are static or at
 * rest.
 *
 * Its numbers follow those of all parts, or are in the first gap that removed parts have left where all its vertices, edges and
 * faces have room. All numbers of one part are below those of the next, for vertices, edges and faces alike. Results have the bits,
 * and the order, of a mesh that consists of the parts one after the other, with these numbers. The state of the part's vertices is
 * unknown (ccd_scene_state), and no motion is proven until the next call.
 *
 * out  the part; with id -1 on error. NULL if you do not want it
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, also where a number would exceed 2^31 - 1, CCD_E_NONFINITE; on error the scene is
 * as before. Since 0.1.
 */
ccd_status ccd_scene_add(ccd_scene *scene, ccd_mesh *mesh, const double *x, size_t n, ccd_scene_part *out);
/**
 * Remove a part. Its numbers are free: a vertex with one in moved is CCD_E_INDEX. Other parts keep theirs. What is known of
 * intersections of the others stays known; no motion is proven until the next call. Returns CCD_OK, CCD_E_HANDLE, CCD_E_INDEX if
 * there is no such part. Since 0.1.
 */
ccd_status ccd_scene_remove(ccd_scene *scene, int64_t part);
/** Copy the parts in the order of their numbers; cap, count and errors as in ccd_mesh_edges. Since 0.1. */
ccd_status ccd_scene_parts(ccd_scene *scene, ccd_scene_part *dst, size_t cap, size_t *count);
/**
 * The number after the last vertex, edge and face in use: what the mesh has, until parts are added or removed. Numbers below may be free
 * (ccd_scene_remove). Each pointer may be NULL. Since 0.1.
 */
ccd_status ccd_scene_counts(ccd_scene *scene, size_t *vertices, size_t *edges, size_t *faces);

/**
 * Create the step of a scene on which only the vertices in moved move. It begins where the scene is when a call begins.
 *
 * scene    live handle
 * moved    count vertices, in ascending order, none twice; or NULL, if count is the number of vertices and no number is free, for
 *          all of them. All others stay where they are
 * x1       count x 3 doubles: vertex moved[i] moves from its position in the scene to row i
 * count    number of vertices in moved
 * out      a handle to be destroyed, or NULL on error
 *
 * The step refers to moved and x1: see ccd_step. Calls have a row for each vertex in moved, and concern the pairs with one of these:
 * others are skipped, even if they touch. Results have the bits of ccd_step_create for the same motion on a mesh whose other vertices
 * are static (ccd_mesh_set_static). A static vertex of the mesh may be in moved if it stays; it then counts as one that is not.
 *
 * Of memory_limit, what the scene keeps is taken off; where that is more than half, the scene gives it up, and the call is on the whole
 * mesh: slow, as ccd_step_create. threads also says how many make the grid. With CCD_CHECK_START edges through faces with a vertex in
 * moved come first; that costs nothing where the scene knows that there are none (ccd_scene_state). A visitor must not call the scene.
 *
 * A call that proves the whole motion lets ccd_scene_commit keep what the scene knows: _earliest, _collisions, _visit, _intervals and
 * _activeset that find nothing with t_max 1, _size and _linesearch that return 1, _advance and _sizes always, to x and y.
 *
 * Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT. Calls return CCD_E_INDEX for a vertex in moved that is out of range, not in order, or
 * given twice, CCD_E_ARGUMENT for a static one that moves, and for a scene whose mesh has other filters now. Since 0.1.
 */
ccd_status ccd_step_create_scene(ccd_scene *scene, const int32_t *moved, const double *x1, size_t count, ccd_step **out);

/**
 * Place the vertices in moved at x, count x 3 doubles. Any positions are allowed, also of static vertices.
 *
 * If the last call on the scene proved the motion of just these vertices to just these doubles, the scene keeps what it knows of
 * intersections (law 10): a proven step changes none. Otherwise the state of the vertices whose positions change becomes unknown.
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_NONFINITE; on error the scene is as before. Since 0.1.
 */
ccd_status ccd_scene_commit(ccd_scene *scene, const int32_t *moved, const double *x, size_t count);
/**
 * Place the vertices at the positions to which the last call proved the motion: x of ccd_step_run_advance, y of _sizes, x1 of the other
 * calls (ccd_step_create_scene). CCD_E_ARGUMENT if none is proven: the last call found an impact, failed, or there was none since the
 * last commit. Since 0.1.
 */
ccd_status ccd_scene_commit_proven(ccd_scene *scene);
/**
 * Place all n vertices at x, n x 3 doubles; rows with free numbers are not read. Nothing is known of intersections there. Errors as
 * ccd_scene_create. Since 0.1.
 */
ccd_status ccd_scene_reset(ccd_scene *scene, const double *x, size_t n);
/** Copy the positions of all n vertices to x, n x 3 doubles; rows with free numbers are 0. Since 0.1. */
ccd_status ccd_scene_positions(ccd_scene *scene, double *x, size_t n);

/**
 * What the scene knows of the edges and faces that share a point where its vertices are.
 *
 * known      number of vertices whose state is known; the state of the scene is known if these are all
 * crossings  number of edge-face pairs of these vertices that share a point. The filters of the mesh apply; pairs with a common
 *            vertex do not count
 *
 * Nothing is known at first, or after ccd_scene_reset. ccd_scene_check makes the state known; proven commits keep it. With 0
 * crossings and a known state a separate step proves that nothing passes through anything, as with CCD_CHECK_START. (A mesh with
 * excluded pairs, or with edges between two groups, may let things pass: there every commit makes the state of the moved vertices
 * unknown.) Either pointer may be NULL. Since 0.1.
 */
ccd_status ccd_scene_state(ccd_scene *scene, size_t *known, size_t *crossings);
/**
 * Test the edges and faces of the vertices whose state is unknown, as ccd_proximity_intersections. Of the options, threads, memory_limit,
 * progress and stats count. On error the state is as before. Since 0.1.
 */
ccd_status ccd_scene_check(ccd_scene *scene, const ccd_options *options);

/* ---- proximity ------------------------------------------------------------------------------------------------------ */

/** Two primitives that share a point. 24 bytes, no hidden padding. */
typedef struct ccd_intersection {
    int32_t kind;     /*  0  CCD_EDGE_FACE: a = edge, b = face; any other kind as in ccd_impact */
    int32_t reserved; /*  4  0 */
    int64_t a, b;     /*  8  indices of the two primitives */
} ccd_intersection;

/** A list of intersections. */
typedef struct ccd_intersections ccd_intersections;

/**
 * List every pair of primitives that intersects when the vertices of the mesh are at x. The list is exact, for any doubles.
 *
 * An edge and a face intersect when the closed segment and the closed triangle share a point; pairs that share a vertex are skipped.
 * Some contacts are no such intersection: codimensional vertices and edges that touch, and faces with a common vertex or edge that are
 * folded flat onto each other. The list has them as touching pairs of the kinds that a step tests. So the list is empty if and only if no
 * edge-face pair that the filters allow shares a point, and no pair that a step tests touches.
 *
 * mesh     live handle; read only; threads may share it. Its filters apply; ccd_mesh_set_excluded takes CCD_EDGE_FACE too
 * x        n x 3 doubles, row-major, packed, finite; borrowed for this call
 * n        must equal the mesh's vertex count
 * options  NULL for defaults, else prepared by ccd_options_init; only threads, memory_limit, progress, stats and CCD_BRUTE_FORCE
 *          have an effect; stats.impacts counts the results. Distances are Euclidean: the call returns CCD_E_UNSUPPORTED for
 *          CCD_NORM_MAX, and for a t_min other than 0
 * out      a handle to be destroyed, or NULL on error
 *
 * Radii (ccd_mesh_set_radii) have no effect: intersections are those of the vertices, edges and faces themselves.
 *
 * If a mesh has no intersections at x0 and the step from x0 to x1 is separate, by any method, it has none at x1 (law 10).
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY or CCD_E_CANCELLED.
 * Reentrant. Same bits for any thread count and SIMD level. Since 0.1. Paper: [Shewchuk1997], for the error bounds of signs.
 */
ccd_status ccd_proximity_intersections(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                       ccd_intersections **out);
/**
 * Report whether there is any intersection; stop at the first. *out is 1 if there is one, and on error; else 0. Otherwise as
 * ccd_proximity_intersections.
 */
ccd_status ccd_proximity_intersects(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options, int32_t *out);
ccd_status ccd_intersections_count(ccd_intersections *intersections, size_t *count);
/** Copy the intersections, edge-face pairs first, then sorted by (kind, a, b); cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_intersections_copy(ccd_intersections *intersections, ccd_intersection *dst, size_t cap, size_t *count);
ccd_status ccd_intersections_destroy(ccd_intersections *intersections);

/** All intersections of two objects of a mesh, or of one with itself. Objects are connected components, named by their least vertices. */
typedef struct ccd_crossing { /* 48 bytes, no padding */
    int64_t a, b;             /* the objects, a <= b; equal for one that crosses itself */
    int64_t pairs;            /* the number of pairs of primitives that share a point */
    int64_t
        edge; /* the edge and the face that cross the deepest; -1 where the objects touch without an edge through a face */
    int64_t face;
    double
        depth; /* how far the nearer end of that edge is beyond the plane of the face, rounded, a length; 0 for what only touches */
} ccd_crossing;

/** A list of crossings. */
typedef struct ccd_crossings ccd_crossings;

/**
 * List which objects of a mesh cross or touch where its vertices are at x. The list is empty if and only if that of
 * ccd_proximity_intersections is; which pairs it counts is exact. Arguments and errors as there.
 *
 * out  a handle to be destroyed, or NULL on error
 */
ccd_status ccd_proximity_crossings(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                   ccd_crossings **out);
ccd_status ccd_crossings_count(ccd_crossings *crossings, size_t *count);
/** Copy the crossings, sorted by (a, b); cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_crossings_copy(ccd_crossings *crossings, ccd_crossing *dst, size_t cap, size_t *count);
ccd_status ccd_crossings_destroy(ccd_crossings *crossings);

/** What ccd_proximity_untangle did. */
typedef struct ccd_untangled { /* 40 bytes, no padding */
    int32_t clean;             /* 1: the exact check found no intersection at y; 0: it did, or an error */
    int32_t rounds;            /* how many times vertices were moved */
    int64_t before;            /* the number of intersections at x */
    int64_t after;             /* the number at y; 0 if and only if clean is 1 */
    int64_t moved;             /* how many vertices of y are elsewhere than in x */
    double farthest;           /* the longest way of a vertex, rounded, a length */
} ccd_untangled;

/**
 * Find positions y near x at which nothing intersects: a helper, which may fail and says so. It moves what crosses until crossings vanish:
 * whole objects where that is short, else edges and faces along the gradient of the curve in which they cross. What it calls clean was tested
 * at y by the exact check of ccd_proximity_intersects, and nothing else is called clean. y is near x, not nearest. A start that is clean is
 * copied. An object inside another one crosses nothing: see ccd_proximity_nested.
 *
 * mesh     live handle; read only. Its filters apply; static vertices stay
 * x        n x 3 doubles, row-major, packed, finite; borrowed for this call
 * n        must equal the mesh's vertex count
 * masses   NULL (all alike), or n values above 0; +Inf for a vertex that stays. Of two things that cross the heavier moves less
 * rounds   the most rounds of moves, 0 for 200
 * options  as in ccd_proximity_intersections
 * y        n x 3 doubles; may be x. If out->clean is 0: the positions with the fewest intersections that were found. Not written on error
 * out      written even on error
 *
 * Returns CCD_OK, also if it failed to untangle, or the errors of ccd_proximity_intersections.
 * Reentrant. Same bits for any thread count and SIMD level. Since 0.1. Paper: [Volino2006].
 */
ccd_status ccd_proximity_untangle(ccd_mesh *mesh, const double *x, size_t n, const double *masses, int32_t rounds,
                                  const ccd_options *options, double *y, ccd_untangled *out);

/**
 * The Euclidean distance of two primitives, proven. 104 bytes, no hidden padding.
 *
 *   1. The distance is in [distance_lo, distance_hi].
 *   2. Both ends are 0 if and only if the primitives touch; this is decided exactly.
 *   3. distance_hi - distance_lo <= 2^-24 distance_hi, or the two ends are adjacent doubles.
 *
 * With radii (ccd_mesh_set_radii) the distance is that of the surfaces: the distance of the primitives themselves less radius(a) and
 * radius(b), and 0 where the surfaces touch or overlap. u, v and the points are those of the primitives themselves. Law 3 is then
 * distance_hi - distance_lo <= 2^-23 (distance_hi + radius(a) + radius(b)), or at most a few denormals.
 */
typedef struct ccd_near_pair {
    int32_t kind;                    /*  0  CCD_VERTEX_FACE ...; CCD_EDGE_FACE from ccd_proximity_distance */
    int32_t reserved;                /*  4  0 */
    int64_t a, b;                    /*  8  indices of the two primitives, as in ccd_impact */
    double distance_lo, distance_hi; /* 24  lengths */
    double u, v;                     /* 40  parameters of nearest points, as in ccd_impact; exactly 0 or 1 at a vertex */
    double point_a[3];               /* 56  nearest point of a, rounded */
    double point_b[3];               /* 80  nearest point of b, rounded */
} ccd_near_pair;

/** A list of near pairs. */
typedef struct ccd_near_pairs ccd_near_pairs;

/**
 * List every pair that is within the distance d when the vertices of the mesh are at x, with its distance: all vertex-face, edge-edge and
 * codimensional pairs that a step tests. Barriers and contact forces act on these pairs. An edge that passes through a face is not
 * among them, and its ends and the face's sides may be far away: ccd_proximity_intersections lists those.
 *
 * d  a length in [0, 1e150]. No pair at a distance of at most d is missing; each pair of the list has distance_lo <= d
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
 * The smallest distance when the vertices of the mesh are at x, and its pair: the one with the least distance_hi, of equal ones the first
 * in the order (kind, a, b). It is 0 if and only if something intersects or touches.
 *
 * The pairs are those that a step tests, and edges and faces that share a point: these are at distance 0, with kind CCD_EDGE_FACE, a =
 * edge, b = face, u and v the parameters of the point in the face, and point_a = point_b.
 *
 * out  written even on error. The smallest distance is in [out->distance_lo, out->distance_hi], which is as narrow as in ccd_near_pair.
 *      If there is no pair, both ends are +Inf, kind is 0 and a = b = -1. On error the interval is [0, +Inf]
 *
 * memory_limit does not bound the two trees that the search builds for a kind of pair.
 *
 * Otherwise as ccd_proximity_near.
 */
ccd_status ccd_proximity_distance(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                  ccd_near_pair *out);

/* ---- neighbors ------------------------------------------------------------------------------------------------------- */

/**
 * A neighbor list: near pairs of a mesh that are kept while its vertices move little, for calls of a Newton method, a line search
 * or a simulation.
 *
 * The list has the pairs that are at most `reach` apart at some positions p. Let d be the distance of a call, or its min_separation,
 * and m1 and m2 the two largest distances of vertices from p, in a step those of any point of a vertex's box. The call can use the
 * list if d + m1 + m2 <= reach, which it checks with directed rounding. If that does not hold, or the filters or radii of the mesh
 * were set meanwhile, the pairs are found again at the positions of the call (a step's x0), but only where that pays: where the calls
 * around the last positions saved more time than finding pairs takes, or would have. All other calls are computed without the list.
 *
 * Results have the bits of ccd_proximity_near and of steps of the mesh for the same arguments, in each of these cases. Threads may share a list.
 */
typedef struct ccd_neighbors ccd_neighbors;

/** What a list holds, and what it did. 48 bytes, no hidden padding; all fields are 0 on error. */
typedef struct ccd_neighbors_report {
    double reach;   /*  0  a length */
    int64_t pairs;  /*  8  pairs in the list */
    int64_t bytes;  /* 16  memory of the list */
    int64_t builds; /* 24  how often pairs were found, 1 after ccd_neighbors_create */
    int64_t served; /* 32  calls for which the list had the pairs */
    int64_t fresh;  /* 40  calls that were computed without it */
} ccd_neighbors_report;

/**
 * Find the pairs of a mesh that are at most reach apart, radii subtracted, with the vertices at x.
 *
 * mesh     live handle; the list holds the mesh, so that the handle may be destroyed
 * x        n x 3 doubles; borrowed for this call
 * n        must equal the mesh's vertex count
 * reach    a length in (0, 1e150]: two to four times the largest distance of the calls is usual
 * options  as in ccd_proximity_near
 * out      a handle to be destroyed, or NULL on error
 *
 *   ccd_neighbors *list;
 *   ccd_step *step;
 *   ccd_neighbors_create(mesh, x, n, 3 * d, NULL, &list);
 *   ccd_step_create_neighbors(list, x, trial, n, &step);
 *   while (!converged) {
 *       ccd_neighbors_near(list, x, n, d, NULL, &pairs);
 *       ... which writes trial
 *       ccd_step_run_size(step, NULL, &alpha);
 *   }
 *   ccd_step_destroy(step);
 *   ccd_neighbors_destroy(list);
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY, CCD_E_CANCELLED or CCD_E_UNSUPPORTED. Since 0.1.
 */
ccd_status ccd_neighbors_create(ccd_mesh *mesh, const double *x, size_t n, double reach, const ccd_options *options,
                                ccd_neighbors **out);
ccd_status ccd_neighbors_destroy(ccd_neighbors *neighbors);
/**
 * ccd_proximity_near through a list. d is at most its reach. memory_limit bounds the call, not the list: where it is too small to
 * find pairs anew, the call is computed without. Otherwise as ccd_proximity_near, with CCD_E_HANDLE for the list. Since 0.1.
 */
ccd_status ccd_neighbors_near(ccd_neighbors *neighbors, const double *x, size_t n, double d, const ccd_options *options,
                              ccd_near_pairs **out);
/**
 * Create the step of the list's mesh from x0 to x1, whose calls use the list where they can: min_separation is at most its reach. With a
 * method that is not exact, CCD_BRUTE_FORCE, for given pairs and for the least distance the list is not used. Otherwise as
 * ccd_step_create. Since 0.1.
 */
ccd_status ccd_step_create_neighbors(ccd_neighbors *neighbors, const double *x0, const double *x1, size_t n,
                                     ccd_step **out);
/** What a list holds, and what it did so far. Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT. Since 0.1. */
ccd_status ccd_neighbors_state(ccd_neighbors *neighbors, ccd_neighbors_report *out);

/* ---- rigid ----------------------------------------------------------------------------------------------------------- */

/** A rigid body, of a surface or of a shape, with its bounding volume tree. */
typedef struct ccd_rigid_body ccd_rigid_body;

/**
 * A motion with constant velocity and constant angular velocity. At the time t the body's point p is at
 *
 *   position + t velocity + exp(t [angular_velocity]x) R(rotation) (p - pivot)
 *
 * in real arithmetic, taking the doubles as exact. A body whose velocity and angular_velocity are 0 is static. With velocity
 * parallel to angular_velocity the motion is a screw about the pivot (see ccd_rigid_motion_screw).
 */
typedef struct ccd_rigid_motion { /* 128 bytes */
    double rotation[4];           /* at t = 0, a quaternion w, x, y, z; not 0; R is the rotation of rotation / |rotation| */
    double position[3];           /* of the pivot at t = 0, in world coordinates */
    double velocity[3];           /* of the pivot */
    double angular_velocity[3];   /* in radians per unit of time, in world coordinates; 0, or above 1e-60 */
    double pivot[3];              /* the point that moves on a straight line, in body coordinates; usually 0, 0, 0 */
} ccd_rigid_motion;

/**
 * The result of a query of rigid bodies.
 *
 * CCD_INTERSECTING with CCD_INITIAL_CONTACT: the surfaces overlap at t_min. They pass through each other there, or are closed (each
 * edge is run through as often in either direction) with faces in one plane, overlapping, normals to the same side, so that the
 * insides overlap. It depends on the poses at t_min alone: not on the order of a and b, motions, min_separation or
 * CCD_IGNORE_SEPARATING. Bodies that touch do not overlap; nor do those that overlap by no more than rounding: a few times an eighth
 * of the least tolerance (see ccd_rigid_earliest). A body inside another one that does not reach its surface is not in contact. Where
 * max_iterations ends the search for an overlap, the flag may be missing. The points are where an edge of one surface meets the
 * other, the normal that of a face there, toward the side with the longer part of the edge. With a mesh the flag is that of body and
 * primitive. An undecided impact has CCD_REASON_ITERATIONS or CCD_REASON_COARSE.
 *
 * normal: see ccd_impact. Of bodies that touch it is one along which all triangles in contact are apart: the faces' if they stand face on
 * face. Points that touch at t_min are not said to part along it faster than 2^-18 of the greatest relative speed of two points.
 */
typedef struct ccd_rigid_impact {  /* 136 bytes, no padding */
    int32_t verdict;               /* ccd_verdict */
    uint32_t flags;                /* CCD_INITIAL_CONTACT: within min_separation + tolerance at t_min; others: below */
    double toi_lo, toi_hi;         /* +Inf when separate; toi_hi is also +Inf when undecided */
    int64_t index_a, index_b;      /* the two triangles; -1 without contact */
    int32_t feature_a, feature_b;  /* where the point is: 0-2 corner, 3-5 edge from corner code - 3, 6 face */
    double point_a[3], point_b[3]; /* the nearest points at toi_hi, in world coordinates */
    double normal[3];              /* unit, from b to a; zeros without contact, and by CCD_METHOD_D2M_SPHERES */
    double distance;               /* between point_a and point_b; 0 with CCD_INTERSECTING */
    int64_t iterations;            /* work done, in the unit of max_iterations */
} ccd_rigid_impact;

/**
 * Check a surface and build its tree, with all threads this process may use.
 *
 * vertices  n_vertices x 3 doubles, at most 1e60 in magnitude, in body coordinates
 * faces     n_faces x 3 vertex indices, at least one face. Unlike in a mesh, a face may repeat a vertex: it then stands for an
 *           edge or a point
 * *out      a handle to be destroyed, or NULL on error; nothing is borrowed after the call. Threads may share it
 *
 * A body of this call is its surface: one inside another is not in contact with it; see ccd_rigid_containment. Returns CCD_OK, CCD_E_ARGUMENT,
 * CCD_E_NONFINITE or CCD_E_INDEX.
 * Since 0.1.
 */
ccd_status ccd_rigid_body_create(const double *vertices, size_t n_vertices, const int32_t *faces, size_t n_faces,
                                 ccd_rigid_body **out);
ccd_status ccd_rigid_body_destroy(ccd_rigid_body *body);
/**
 * Make a solid body of a shape, in body coordinates: in calls of this section what is inside of it touches it.
 *
 *   box       size[0] x size[1] x size[2] along x, y and z, the center at the origin; exact
 *   sphere    the center at the origin; exact: a point with a radius
 *   capsule   all points within radius of a segment along z of the given length, whose middle is the origin; exact
 *   cylinder  about the z axis, the center at the origin; facets with a deviation, see below
 *   cone      about the z axis, the base at -length / 2, the tip at length / 2; facets with a deviation
 *   hull      the convex hull of n_points x 3 doubles, at least one point; exact. Points in a plane, on a line or at one place give a
 *             polygon, a segment or a point
 *
 * Sizes, radii and lengths are in [1e-60, 1e60], coordinates at most 1e60 in magnitude.
 *
 * A deviation is a length, at least 0; 0 stands for 1e-4 of the radius. The facets are inside of the shape. No point of it is farther from
 * them than the deviation of ccd_rigid_body_describe, which is proven and at most this. Searches for contact and ccd_rigid_intersects use all
 * points within it of the facets, which hold the shape: a contact is never late. Brackets of distances hold for the shape itself, and are
 * wider by the deviations of both bodies.
 *
 * *out       a handle to be destroyed, or NULL on error
 *
 * A body that has a radius, padding or deviation cannot be used with CCD_METHOD_D2M, nor with ccd_rigid_overlaps: they return
 * CCD_E_UNSUPPORTED.
 *
 * Returns CCD_OK, CCD_E_ARGUMENT (also for a deviation that would take more than 65536 sides) or CCD_E_NONFINITE.
 * Reentrant. Same bits on every machine. Since 0.1. Paper: [Barber1996], for the hull.
 */
ccd_status ccd_rigid_body_box(const double size[3], ccd_rigid_body **out);
ccd_status ccd_rigid_body_sphere(double radius, ccd_rigid_body **out);
ccd_status ccd_rigid_body_capsule(double radius, double length, ccd_rigid_body **out);
ccd_status ccd_rigid_body_cylinder(double radius, double length, double deviation, ccd_rigid_body **out);
ccd_status ccd_rigid_body_cone(double radius, double length, double deviation, ccd_rigid_body **out);
ccd_status ccd_rigid_body_hull(const double *points, size_t n_points, ccd_rigid_body **out);
/**
 * Make the body that also holds all points within a distance, padding, of another body. Paddings add up. It keeps the tree of the other,
 * which may be destroyed before it. Of a surface this is a shell, not what the surface encloses. Where the sum of radius and padding is no
 * double, the radius is rounded down, and radius + deviation, which contact is of, is not below the sum: no contact is lost.
 * Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT.
 */
ccd_status ccd_rigid_body_padded(ccd_rigid_body *body, double padding, ccd_rigid_body **out);
/**
 * Make the body that the triangles of another body stand for where they are off by a deviation, a length: facets of a curved surface. It
 * holds the other body, and no point of it is farther from that than the deviation. Deviations add up, rounded up. It keeps the tree of the
 * other, which may be destroyed before it. Contact is of all points within the deviation, so it is never late; brackets of distances are
 * wider by the deviation.
 * Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT. Since 0.1.
 */
ccd_status ccd_rigid_body_deviating(ccd_rigid_body *body, double deviation, ccd_rigid_body **out);

/** What a rigid body is. */
typedef struct ccd_rigid_body_info { /* 32 bytes */
    int64_t faces;                   /* the number of its triangles; -1 on error */
    double radius;    /* a length: the body holds all points within it of its triangles: radius and padding */
    double deviation; /* a length: the body holds no points beyond radius + deviation */
    int32_t solid;    /* 1: the body also holds what its triangles enclose; else 0 */
    int32_t reserved; /* 0 */
} ccd_rigid_body_info;

/** What a rigid body is. Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT. Since 0.1. */
ccd_status ccd_rigid_body_describe(ccd_rigid_body *body, ccd_rigid_body_info *out);
/**
 * Copy the vertices of a body's triangles (3 doubles each), in body coordinates, into dst, which has room for cap vertices: to draw a shape,
 * for example. They are in the order of ccd_rigid_body_create, without those that no triangle names; of a shape in an order of its own.
 * radius and deviation (ccd_rigid_body_describe) are not in them: a sphere has one vertex. cap, count and errors as in ccd_mesh_edges,
 * and CCD_E_HANDLE. Since 0.1.
 */
ccd_status ccd_rigid_body_vertices(ccd_rigid_body *body, double *dst, size_t cap, size_t *count);
/**
 * Copy the triangles of a body, three indices into ccd_rigid_body_vertices each, in the order that ccd_rigid_impact counts. Of a solid body
 * they are counterclockwise from outside; those of a sphere or a capsule repeat a vertex. Otherwise as ccd_rigid_body_vertices.
 */
ccd_status ccd_rigid_body_faces(ccd_rigid_body *body, int32_t *dst, size_t cap, size_t *count);

/**
 * The first time in [t_min, t_max] at which two bodies come into contact.
 *
 * a, b      live handles, which may be the same; threads may share them
 * ma, mb    their motions; lengths, velocities and times at most 1e60 in magnitude, turns at most 2^39 radians from t = 0
 * options   NULL for defaults, else prepared by ccd_options_init: tolerance (0: see below), min_separation, t_min, t_max,
 *           max_iterations, method and CCD_IGNORE_SEPARATING have an effect. The norm is Euclidean. The call returns
 *           CCD_E_UNSUPPORTED for CCD_NORM_MAX, scene_bound and the other flags. It ignores threads, memory_limit, progress and stats
 * out       written even on error
 *
 * CCD_SEPARATE is a proof: the distance exceeds min_separation for all t in [t_min, t_max]. Otherwise it exceeds min_separation for all
 * t <= toi_lo, so a solver may advance to toi_lo itself. Exceptions: contact at t_min, which CCD_INITIAL_CONTACT reports or
 * CCD_IGNORE_SEPARATING ignores. With min_separation 0 an eighth of the tolerance takes its place in these two sentences.
 *
 * CCD_CONTACT: at toi_hi the distance is at most min_separation + tolerance (with 0: at most the tolerance). toi_hi is toi_lo, or the next
 * double if the bodies move by more than the tolerance between two doubles.
 *
 * tolerance 0 stands for 1e-10, or for the least that doubles can tell at this size, if that is more: the sum over both bodies of
 *
 *   2^-40 (r + |pivot|) + 2^-46 (X + T (V + w r))
 *
 * and 2^-43 min_separation, with r the distance of the farthest vertex from the pivot and the radius of the body, X that of the pivot
 * from the origin, V and w the speeds, and T the time, each at its most while the balls of radius r about the pivots are within
 * min_separation + 1e-10. That is 1e-10 for bodies of size 1 near the origin, 2e-9 for bodies of 1000 units, and 3e-9 at 1e5 from the
 * origin. An eighth of it exceeds what rounding of a pose and of its vertices loses: rounded poses at toi_lo do not intersect. With a
 * smaller tolerance a query may be CCD_UNDECIDED, and never is wrong.
 *
 * CCD_UNDECIDED: max_iterations is reached, or, with a tolerance below that least, doubles are too coarse; flags say which.
 * Bodies that stay close for long need an iteration for every small turn. If both bodies together turn by more radians than max_iterations while they can meet,
 * no search of that length can prove them separate. The search then ends after max_iterations^2 / radians iterations, at least 4096,
 * which find a contact in the first turns. On error toi_lo is -Inf.
 *
 * CCD_METHOD_D2M proves less: the surfaces do not touch for t < toi_hi, but may be nearer than min_separation, except at toi_lo, where it
 * proves that they keep it. At toi_hi they are within a quarter of the tolerance, up to rounding. CCD_METHOD_D2M_SPHERES: the surfaces do
 * not touch before toi_lo; a contact that it reports need not exist.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1. Papers: [Buddingh2017], [Mirtich1996], [Gottschalk1996].
 */
ccd_status ccd_rigid_earliest(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              const ccd_options *options, ccd_rigid_impact *out);
/** `count` queries of two bodies with motions ma[i], mb[i]; out has room for `count` impacts. Otherwise as ccd_rigid_earliest. */
ccd_status ccd_rigid_earliest_batch(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b,
                                    const ccd_rigid_motion *mb, size_t count, const ccd_options *options,
                                    ccd_rigid_impact *out);

/**
 * The pose at the time t, rounded: p is at position + R(rotation) p. Either array may be NULL; zeros on error.
 * Returns CCD_OK, CCD_E_ARGUMENT or CCD_E_NONFINITE.
 */
ccd_status ccd_rigid_motion_pose(const ccd_rigid_motion *motion, double t, double rotation[4], double position[3]);
/**
 * The motion of a body from one pose at t = 0 to another at t = duration, above 0. Its point pivot moves on a straight line, and the
 * body turns about it at a constant rate, the shorter way. pivot is three doubles in body coordinates, NULL for the origin; the center
 * of mass is a good choice. The last bits may differ between machines.
 * Returns CCD_OK, CCD_E_ARGUMENT or CCD_E_NONFINITE.
 */
ccd_status ccd_rigid_motion_between(const double rotation0[4], const double position0[3], const double rotation1[4],
                                    const double position1[3], double duration, const double *pivot, ccd_rigid_motion *out);
/**
 * The motion of a body, at rotation and position at t = 0, that turns with angular_velocity about the line through the world point
 * axis_point and slides along it with the given speed. The axis is exact up to rounding.
 */
ccd_status ccd_rigid_motion_screw(const double rotation[4], const double position[3], const double axis_point[3],
                                  const double angular_velocity[3], double speed, ccd_rigid_motion *out);

/** The impact of two bodies of a scene. */
typedef struct ccd_rigid_scene_impact { /* 152 bytes, no padding */
    int64_t a, b;                       /* the bodies, a < b; -1 when all are separate */
    ccd_rigid_impact impact;
} ccd_rigid_scene_impact;

/** The impacts of a scene. */
typedef struct ccd_rigid_scene_impacts ccd_rigid_scene_impacts;

/**
 * The first time in [t_min, t_max] at which two of many bodies come into contact.
 *
 * bodies   `count` live handles; one handle may stand for several bodies
 * motions  `count` motions, as in ccd_rigid_earliest
 * groups   NULL, or `count` numbers: bodies with the same number, if it is 0 or above, are not tested against each other
 * skip     n_skip pairs of bodies that are not tested against each other, in either order
 * options  as in ccd_rigid_earliest; max_iterations counts for each pair. threads, progress, memory_limit (for pairs and
 *          impacts) and stats have an effect; stats.candidates[0] counts pairs of bodies whose boxes meet
 * out      the first impact in the order (toi_lo, a, b)
 *
 * CCD_SEPARATE is a proof for all pairs that are tested. Otherwise they keep more than min_separation for all t <= toi_lo, as in
 * ccd_rigid_earliest and with its exceptions. Each pair has the result of ccd_rigid_earliest, with one exception: a pair whose boxes around
 * the two motions are more than min_separation + tolerance apart is separate without a query. On error toi_lo is -Inf.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX, CCD_E_MEMORY, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits on every machine, with any number of threads. Since 0.1.
 */
ccd_status ccd_rigid_scene_earliest(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                    const int32_t *groups, const int32_t *skip, size_t n_skip, const ccd_options *options,
                                    ccd_rigid_scene_impact *out);
/** List the impact of every pair that is not separate, in the order (toi_lo, a, b). *out: a handle to be destroyed, or NULL on error. */
ccd_status ccd_rigid_scene_collisions(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                      const int32_t *groups, const int32_t *skip, size_t n_skip, const ccd_options *options,
                                      ccd_rigid_scene_impacts **out);
ccd_status ccd_rigid_scene_impacts_count(ccd_rigid_scene_impacts *impacts, size_t *count);
/** Copy the impacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_rigid_scene_impacts_copy(ccd_rigid_scene_impacts *impacts, ccd_rigid_scene_impact *dst, size_t cap,
                                        size_t *count);
ccd_status ccd_rigid_scene_impacts_destroy(ccd_rigid_scene_impacts *impacts);

/** The impact of a rigid body and a primitive of a deforming mesh: a face, an edge in no face, or a vertex in no edge. */
typedef struct ccd_rigid_mesh_impact { /* 152 bytes, no padding */
    int64_t body;                      /* -1 when all are separate */
    int32_t shape;                     /* CCD_SHAPE_FACE, ...: impact.index_b is the index of a primitive of this shape */
    int32_t reserved;                  /* 0 */
    ccd_rigid_impact impact;           /* b is the mesh; on an edge feature_b is 0 or 1 (an end) or 3 (between them) */
} ccd_rigid_mesh_impact;

/** The impacts of bodies with a mesh. */
typedef struct ccd_rigid_mesh_impacts ccd_rigid_mesh_impacts;

/**
 * The first time in [t_min, t_max] at which one of many rigid bodies comes into contact with a mesh that deforms in the same time: its
 * vertices move on straight lines, with constant velocities, from x0 at t_min to x1 at t_max. If t_min = t_max, it is at rest at x0.
 *
 * bodies, motions, count  as in ccd_rigid_scene_earliest; bodies are not tested against each other
 * mesh                    a live handle; its filters have no effect
 * x0, x1                  n x 3 doubles each, n the number of vertices of the mesh, at most 1e60 in magnitude
 * options                 as in ccd_rigid_scene_earliest; max_iterations counts for each body with each primitive; the call
 *                         returns CCD_E_UNSUPPORTED for CCD_METHOD_D2M_SPHERES
 * out                     the first impact in the order (toi_lo, body, shape, index_b)
 *
 * Every body and primitive have the guarantees that ccd_rigid_earliest gives for two bodies: CCD_SEPARATE is a proof for all of them, and
 * otherwise they keep more than min_separation for all t <= toi_lo, with the same exceptions. CCD_METHOD_D2M tests all pairs of features,
 * without a tree over the body: it is slow, and a check of the default that shares no search with it. Its toi_lo proves min_separation for
 * the primitive of the impact only; others do not touch before, but may be nearer.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_MEMORY, CCD_E_UNSUPPORTED or CCD_E_CANCELLED. On error toi_lo is
 * -Inf. Reentrant. Same bits on every machine, with any number of threads. Since 0.1.
 */
ccd_status ccd_rigid_mesh_earliest(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                   ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                                   ccd_rigid_mesh_impact *out);
/** List the impact of every body and primitive that are not separate, in the order of ccd_rigid_mesh_earliest. *out: to be destroyed. */
ccd_status ccd_rigid_mesh_collisions(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                     ccd_mesh *mesh, const double *x0, const double *x1, size_t n,
                                     const ccd_options *options, ccd_rigid_mesh_impacts **out);
ccd_status ccd_rigid_mesh_impacts_count(ccd_rigid_mesh_impacts *impacts, size_t *count);
/** Copy the impacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_rigid_mesh_impacts_copy(ccd_rigid_mesh_impacts *impacts, ccd_rigid_mesh_impact *dst, size_t cap,
                                       size_t *count);
ccd_status ccd_rigid_mesh_impacts_destroy(ccd_rigid_mesh_impacts *impacts);

/** Where a body is: its point p is at position + R(rotation) p, in real arithmetic, taking the doubles as exact. */
typedef struct ccd_rigid_pose { /* 56 bytes */
    double rotation[4];         /* a quaternion w, x, y, z; not 0; R is the rotation of rotation / |rotation| */
    double position[3];         /* of the body's origin, in world coordinates */
} ccd_rigid_pose;

#define CCD_GAP_INTERSECTING 1u /* the surfaces share a point: lo = hi = 0 */
#define CCD_GAP_UNFINISHED 2u   /* max_iterations ended the search: [lo, hi] may be wider than asked */
#define CCD_GAP_INSIDE 4u /* with CCD_GAP_INTERSECTING: a body is inside of a solid one, and the surfaces do not meet */

/**
 * The distance of two bodies, as a bracket. It is never negative. A body of ccd_rigid_body_create is its surface: a body inside of it that
 * does not reach its surface has the distance of the surfaces, above 0. Shapes are solid: what is inside of one has the distance 0, with
 * CCD_GAP_INSIDE; normal leads out: along it a gets out of b. The points are then nearest points of the triangles, or of the point or
 * the segment that a ball or a capsule is without its radius: that of a ball is its center.
 *
 * Without CCD_GAP_INSIDE the points of bodies with a radius or padding are on the bodies, not on their triangles. With deviations
 * [lo, hi] may begin at 0 without CCD_GAP_INTERSECTING, which says that the bodies surely share a point.
 */
typedef struct ccd_rigid_gap {     /* 144 bytes, no padding */
    uint32_t flags;                /* CCD_GAP_INTERSECTING, CCD_GAP_UNFINISHED, CCD_GAP_INSIDE */
    int32_t reserved;              /* 0 */
    double lo, hi;                 /* the distance is in [lo, hi], a length; 0 and +Inf on error */
    int64_t index_a, index_b;      /* the triangles of the points; -1 on error */
    int32_t feature_a, feature_b;  /* where the point is: 0-2 corner, 3-5 edge from corner code - 3, 6 face */
    double point_a[3], point_b[3]; /* about nearest points, in world coordinates */
    double normal[3];   /* unit, from b to a, in the world; zeros where two points coincide and nothing gives one */
    double epsilon;     /* a length: each point is within it of its body; their distance is within twice it of [lo, hi] */
    double time;        /* of the poses, by ccd_rigid_clearance; else 0 */
    int64_t iterations; /* work done, in the unit of max_iterations */
} ccd_rigid_gap;

/**
 * The distance of the surfaces of two bodies at exact poses. The bodies keep their trees, so a call builds nothing.
 *
 * a, b     live handles, which may be the same; threads may share them
 * pa, pb   their poses, at most 1e60 in magnitude
 * options  NULL for defaults, else prepared by ccd_options_init: tolerance and max_iterations have an effect. The call returns
 *          CCD_E_UNSUPPORTED for flags, for methods other than the default, for CCD_NORM_MAX, and for min_separation, t_min, t_max and
 *          scene_bound that are not the defaults. It ignores threads, memory_limit, progress and stats
 * out      written even on error
 *
 * The distance in real arithmetic is in [lo, hi] (law B1). hi - lo is at most the tolerance or, where that is more, 2^-38 r + 2^-46 x, with r the
 * sum of the distances of the farthest vertices from the origins of both bodies, and x the distance of these origins. With tolerance 0 it is as
 * small as that; of bodies with deviations it is more by these. A larger tolerance is faster. lo = hi = 0 if and only if the surfaces share a
 * point, which is decided in exact arithmetic for the poses as they stand: a pose that a caller has rounded may touch where the true one does not.
 * Where surfaces touch and do not pass through each other, the normal is that of a plane between the triangles in contact; it does not depend on
 * how faces are cut into triangles (law B7).
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1. Paper: [Gottschalk1996], for the trees.
 */
ccd_status ccd_rigid_distance(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b, const ccd_rigid_pose *pb,
                              const ccd_options *options, ccd_rigid_gap *out);
/** `count` distances of two bodies at the poses pa[i], pb[i]; out has room for `count` gaps. Otherwise as ccd_rigid_distance. */
ccd_status ccd_rigid_distance_batch(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                    const ccd_rigid_pose *pb, size_t count, const ccd_options *options, ccd_rigid_gap *out);

/**
 * A distance with its derivatives by the poses. A body that moves with the velocity v and turns about its origin with the angular velocity w, in
 * the axes of the world, changes the distance at the rate position.v + rotation.w.
 */
typedef struct ccd_rigid_gap_gradient { /* 248 bytes, no padding */
    ccd_rigid_gap gap;
    double position_a[3];     /* by the position of a: the unit normal, from b to a; no unit */
    double rotation_a[3];     /* by a turn of a about its origin, in the axes of the world; a length per radian */
    double position_b[3];     /* by the position of b: -position_a */
    double rotation_b[3];     /* by a turn of b about its origin */
    ccd_gradient_state state; /* CCD_GRADIENT_DEFINED, _TIE, _INITIAL or _UNDETERMINED */
    int32_t reserved;         /* 0 */
} ccd_rigid_gap_gradient;

/**
 * `count` distances of two bodies at the poses pa[i], pb[i], with their derivatives by these. Arguments as in ccd_rigid_distance_batch.
 *
 * CCD_GRADIENT_DEFINED  the derivatives exist, as far as 100 bits tell: all nearest points give the same ones. Each of a position is within
 *                       1e-12, each of a turn within 1e-12 r (law B6), r as in ccd_rigid_distance
 * CCD_GRADIENT_TIE      several points are nearest and give other derivatives, as those of parallel faces do; NaN
 * CCD_GRADIENT_INITIAL  the surfaces share a point: the distance is 0, its least value, and 0 is returned
 * CCD_GRADIENT_UNDETERMINED  max_iterations ended the search, or numbers are beyond the range of doubles; NaN, as on error
 *
 * A radius or padding changes no derivative. Of bodies with deviations they are the derivatives of the distance of the facets.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_rigid_distance_gradients(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                        const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                        ccd_rigid_gap_gradient *out);

#define CCD_PENETRATION_OVERLAPPING 1u /* the insides of the bodies surely share a point: lo > 0 */
#define CCD_PENETRATION_UPPER_BOUND 2u /* a body is not convex: lo = 0, and hi is the shortest way out that was found */
#define CCD_PENETRATION_UNFINISHED 4u  /* max_iterations ended the search: [lo, hi] may be wider than asked */

/** The least translation that separates two bodies, as a bracket of its length, and one of the length hi. */
typedef struct ccd_rigid_penetration { /* 136 bytes, no padding */
    uint32_t flags;                    /* CCD_PENETRATION_* */
    int32_t reserved;                  /* 0 */
    double lo,
        hi; /* the depth is in [lo, hi], a length; both are 0 where the bodies touch or are apart; 0 and +Inf on error */
    double translation[3];         /* in the world: moved by it, a shares no point with b; zeros where hi = 0 */
    double normal[3];              /* unit, from b to a, in the world: the direction of translation; zeros where hi = 0 */
    double point_a[3], point_b[3]; /* the deepest points, in the world: point_a + translation is about point_b */
    double epsilon;                /* a length: how far these are from points of the bodies that have that difference */
    int64_t iterations;            /* steps of the search that answered, the unit of max_iterations */
} ccd_rigid_penetration;

/**
 * How deep two bodies at exact poses overlap: the least length of a translation of a after which the insides of the bodies share no point.
 * A body is what its triangles enclose, with its radius. Depth is never negative: ask ccd_rigid_distance how far apart bodies are.
 *
 * a, b     live handles, which may be the same; threads may share them
 * pa, pb   their poses, at most 1e60 in magnitude
 * options  as in ccd_rigid_distance: tolerance (0: as narrow as doubles tell) and max_iterations have an effect. max_iterations bounds the
 *          steps of each of two searches: the first, in floats, answers only with a proof, else the exact one begins
 * out      written even on error
 *
 * Convex bodies are shapes, with padding or without, and surfaces that are the convex hull of their corners, which is decided exactly at the
 * first call. Their depth is in [lo, hi] (law W1): hi - lo is at most the tolerance or some 2^-45 hi, and where radii alone overlap 2^-36 of the
 * radii about the origins; of bodies with deviations it is more by these. lo = hi = 0 if the bodies touch or are apart, without radii if and
 * only if (law W3). Nested bodies leave by the shortest way. Of several equally short ones one is returned, always the same.
 *
 * Of other bodies lo = 0: hi is the shortest way out that was found, proven by the search for contact (law W4).
 *
 * translation is proven in real arithmetic (law W2). A position to which a caller adds it rounds: add a separation.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1. Paper: [vandenBergen2001].
 */
ccd_status ccd_rigid_penetration_depth(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                       const ccd_rigid_pose *pb, const ccd_options *options, ccd_rigid_penetration *out);
/** `count` depths of two bodies at the poses pa[i], pb[i]; out has room for as many. Otherwise as ccd_rigid_penetration_depth. */
ccd_status ccd_rigid_penetration_batch(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                       const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                       ccd_rigid_penetration *out);

/**
 * A depth with its derivatives by the poses. A body that moves with the velocity v and turns about its origin with the angular velocity w, in
 * the axes of the world, changes the depth at the rate position.v + rotation.w.
 */
typedef struct ccd_rigid_penetration_gradient { /* 240 bytes, no padding */
    ccd_rigid_penetration penetration;
    double position_a[3];     /* by the position of a: -normal; no unit */
    double rotation_a[3];     /* by a turn of a about its origin, in the axes of the world; a length per radian */
    double position_b[3];     /* by the position of b: normal */
    double rotation_b[3];     /* by a turn of b about its origin */
    ccd_gradient_state state; /* CCD_GRADIENT_DEFINED, _TIE, _NO_IMPACT or _UNDETERMINED */
    int32_t reserved;         /* 0 */
} ccd_rigid_penetration_gradient;

/**
 * `count` depths of two bodies at the poses pa[i], pb[i], with their derivatives by these. Arguments as in ccd_rigid_penetration_batch.
 *
 * CCD_GRADIENT_DEFINED  the derivatives exist: each of a position is within 1e-12, each of a turn within 1e-12 times the sum of the radii
 *                       about the origins (law W5)
 * CCD_GRADIENT_TIE      several directions are equally short, parallel faces or a face and an edge meet, or the bodies touch; NaN
 * CCD_GRADIENT_NO_IMPACT  the bodies are apart; 0
 * CCD_GRADIENT_UNDETERMINED  a body is not convex, or max_iterations or a tolerance ended the search; NaN, as on error
 *
 * A radius or padding changes no derivative. Of bodies with deviations they are the derivatives of the depth of the facets.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_rigid_penetration_gradients(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                           const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                           ccd_rigid_penetration_gradient *out);
/**
 * Report whether the surfaces of two bodies share a point at exact poses; stop at the first. The result is exact. *out is 1 if they do, and on
 * error; else 0. Of bodies with deviations it is that of the points within these of their facets: 0 is a proof. options as in
 * ccd_rigid_distance, but none has an effect, and tolerance and max_iterations that are not the defaults return CCD_E_UNSUPPORTED too.
 * Errors as there.
 */
ccd_status ccd_rigid_intersects(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b, const ccd_rigid_pose *pb,
                                const ccd_options *options, int32_t *out);
/**
 * The least distance of the surfaces of two bodies that move, over all times in [t_min, t_max].
 *
 * ma, mb   their motions, as in ccd_rigid_earliest
 * options  as in ccd_rigid_distance; also t_min, t_max and progress, which may cancel the call, and stats. max_iterations bounds the work
 *          of the whole call; the fraction that progress gets is that of max_iterations
 * out      time: a time at which the distance is at most hi; points, normal and triangles are those at that time
 *
 * The distance is at least lo at all times in the interval, which is a proof, and at most hi at out->time (law B4). hi - lo is at most the
 * tolerance, 0 standing for 1e-9 of the sum of the distances of the farthest vertices from both pivots, or, where that is more, twice what 0
 * stands for in ccd_rigid_earliest by the size of the bodies. With CCD_GAP_INTERSECTING the surfaces surely share a point at out->time, and
 * lo = hi = 0. Surfaces that come nearer than the tolerance may have lo = 0 without that flag: at times of a motion, touching is not decided.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits on every machine. Since 0.1. Paper: [Mirtich1996], for the proof.
 */
ccd_status ccd_rigid_clearance(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                               const ccd_options *options, ccd_rigid_gap *out);
/**
 * The distances of two bodies that move at each of some times, for a plot.
 *
 * ma, mb   their motions, as in ccd_rigid_earliest
 * times    `count` times, at most 1e60 in magnitude, in any order
 * options  as in ccd_rigid_distance; also progress, which may cancel the call. max_iterations counts for each time
 * out      room for `count` gaps; out[i].time is times[i]
 *
 * The distance at the true poses of the motions at times[i] is in [lo, hi] (law B8), as wide as ccd_rigid_distance has it or, where that is
 * more, 2^-40 of how far the bodies reach from the origin of the world. So lo of ccd_rigid_clearance is at most hi of each. With
 * CCD_GAP_INTERSECTING the bodies surely share a point. Touching is decided where both poses are doubles: without a pivot, at t = 0 or of a
 * body that does not turn, at positions that are no rounded ones; elsewhere bodies that touch may have lo = 0 without that flag.
 *
 *   double times[3] = {0, 0.5, 1};
 *   ccd_rigid_gap curve[3];
 *   ccd_status status = ccd_rigid_profile(a, &ma, b, &mb, times, 3, NULL, curve);
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_rigid_profile(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                             const double *times, size_t count, const ccd_options *options, ccd_rigid_gap *out);

/** The distance of two bodies of a scene. */
typedef struct ccd_rigid_scene_gap { /* 160 bytes, no padding */
    int64_t a, b;                    /* the bodies, a < b */
    ccd_rigid_gap gap;
} ccd_rigid_scene_gap;

/** The distances of bodies of a scene. */
typedef struct ccd_rigid_scene_gaps ccd_rigid_scene_gaps;

/**
 * List the distances of all pairs of many bodies, at exact poses, that may be at most `distance` apart, sorted by (a, b).
 *
 * bodies, count, groups, skip, n_skip  as in ccd_rigid_scene_earliest
 * poses     `count` poses, as in ccd_rigid_distance
 * distance  a length, at least 0
 * options   as in ccd_rigid_distance; max_iterations counts for each pair. threads, progress, memory_limit (for pairs and gaps) and stats
 *           have an effect; stats.candidates[0] counts pairs of bodies whose boxes come as near
 * *out      a handle to be destroyed, or NULL on error
 *
 * A pair that is not listed is farther apart. One that is listed has lo <= distance, and the guarantees of ccd_rigid_distance.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX, CCD_E_MEMORY, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits on every machine, with any number of threads. Since 0.1.
 */
ccd_status ccd_rigid_scene_within(ccd_rigid_body *const *bodies, const ccd_rigid_pose *poses, size_t count,
                                  const int32_t *groups, const int32_t *skip, size_t n_skip, double distance,
                                  const ccd_options *options, ccd_rigid_scene_gaps **out);
ccd_status ccd_rigid_scene_gaps_count(ccd_rigid_scene_gaps *gaps, size_t *count);
/** Copy the gaps in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_rigid_scene_gaps_copy(ccd_rigid_scene_gaps *gaps, ccd_rigid_scene_gap *dst, size_t cap, size_t *count);
ccd_status ccd_rigid_scene_gaps_destroy(ccd_rigid_scene_gaps *gaps);

#define CCD_MANIFOLD_CROSSING 1u /* surfaces pass through each other by more than rounding */
#define CCD_MANIFOLD_INSIDE 2u   /* one of the bodies is solid, and a corner of the other one is inside of it */
#define CCD_MANIFOLD_DEEP 4u     /* the points are those at the end of the way out, with gaps as the bodies are now */

/* how ccd_rigid_manifold lists points */
#define CCD_MANIFOLD_REDUCE 1   /* at most four points of each group */
#define CCD_MANIFOLD_LEAD_OUT 2 /* of bodies that overlap by more than the tolerance the points at the end of the way out */

/** A point of contact of two bodies at poses. */
typedef struct ccd_rigid_manifold_point { /* 128 bytes, no padding */
    double gap_lo, gap_hi;         /* the gap along the normal is in [gap_lo, gap_hi], a length; below 0: an overlap */
    int64_t index_a, index_b;      /* triangles that have the features */
    int32_t feature_a, feature_b;  /* what the point lies on: 0-2 corner, 3-5 edge from corner code - 3, 6 face */
    double point_a[3], point_b[3]; /* where the point is on both bodies, in world coordinates */
    double normal[3];              /* unit, from b to a, in the world */
    double epsilon;                /* a length: how far each point may be from its body */
    int32_t group;                 /* points of one group have one normal, up to an angle of 2^-10 */
    int32_t reserved;              /* 0 */
} ccd_rigid_manifold_point;

/** The contact of two bodies: points in their order. */
typedef struct ccd_rigid_manifold_points ccd_rigid_manifold_points;

/**
 * List where two bodies touch at exact poses, within a tolerance.
 *
 * a, b, pa, pb  as in ccd_rigid_distance
 * tolerance     a length, at least 0: how far apart, or how deep in each other, features in contact may be. At least rounding, some 1e-12 at
 *               size 1, which 0 stands for
 * how           0, or a sum of CCD_MANIFOLD_REDUCE: at most four points of each group, whose hull has at least 0.63 of the area of that of all; and
 *               CCD_MANIFOLD_LEAD_OUT: if the way out of ccd_rigid_penetration_depth is longer than the tolerance, the points at its end
 * options       NULL, or prepared by ccd_options_init: none has an effect, and those that ccd_rigid_intersects refuses are refused
 * flags         NULL, or a sum of CCD_MANIFOLD_CROSSING, _INSIDE and _DEEP; the first two on error
 * *out          a handle to be destroyed, or NULL on error
 *
 * A point is a corner over a face or an edge across an edge, of features of the bodies: corners and edges that only a cut of a flat face makes
 * have none. The normal is that of the face, on its outer side if the body is closed, or the product of the edges; the gap is measured along
 * it. Points nearer than the tolerance are one. Where several normals part the bodies at a point, it has their mean; where none does, as at
 * the bottom of a groove, it is listed once for each. Points, normals and order do not depend on the order of triangles nor on how faces are
 * cut, edge to edge, but for rounding; with a and b exchanged, normals are negated (laws M1 to M4). Overlaps deeper than the tolerance have
 * CCD_MANIFOLD_CROSSING or CCD_MANIFOLD_INSIDE, and no points, unless how has CCD_MANIFOLD_LEAD_OUT: then flags has CCD_MANIFOLD_DEEP, and the
 * points are those at the end of the way out, where they are on the bodies as these are now, and so are the gaps. Of an open surface, whose sides are not known, points at the bottom of a groove
 * may be missing.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_rigid_manifold(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b, const ccd_rigid_pose *pb,
                              double tolerance, int32_t how, const ccd_options *options, uint32_t *flags,
                              ccd_rigid_manifold_points **out);
ccd_status ccd_rigid_manifold_points_count(ccd_rigid_manifold_points *points, size_t *count);
/** Copy the points in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_rigid_manifold_points_copy(ccd_rigid_manifold_points *points, ccd_rigid_manifold_point *dst, size_t cap,
                                          size_t *count);
ccd_status ccd_rigid_manifold_points_destroy(ccd_rigid_manifold_points *points);

/** How a contact ends. */
typedef int32_t ccd_slide_event;
#define CCD_SLIDE_UNDECIDED 0  /* max_iterations was reached, or doubles are too coarse */
#define CCD_SLIDE_STAYS 1      /* the bodies stay in contact */
#define CCD_SLIDE_PENETRATES 2 /* they come deeper into each other than the tolerance */
#define CCD_SLIDE_PARTS 3      /* they come farther apart than the tolerance */

#define CCD_SLIDE_INITIAL 1u /* the bodies are not in contact at t_min */
#define CCD_SLIDE_GRAZING 2u /* from t_lo on |s| may exceed the tolerance, by at most a 32nd, before the event */

/** How long two bodies stay in contact. */
typedef struct ccd_slide { /* 80 bytes, no padding */
    ccd_slide_event event; /* CCD_SLIDE_* */
    uint32_t flags;        /* CCD_SLIDE_INITIAL, CCD_SLIDE_GRAZING */
    double t_lo, t_hi; /* the first time at which the contact ends is in [t_lo, t_hi]; t_hi is +Inf where none is known */
    double lo,
        hi; /* the signed distance at t_hi, or where that is +Inf at the end of what is proven; -Inf and +Inf on error */
    double normal[3];       /* unit, from b to a: along it the bodies are about lo apart; zeros if not known */
    int64_t iterations;     /* work done, in the unit of max_iterations */
    int32_t part_a, part_b; /* of ccd_rigid_slide_parts: the parts that lo, hi and normal are of; else 0 */
} ccd_slide;

/**
 * The first time at which two convex bodies that touch, and move along each other, penetrate by more than a tolerance, or lose contact.
 *
 * a, b       convex: shapes, and surfaces that are closed and bulge outward, or flat, but for 2^-40 of their radius; else
 *            CCD_E_UNSUPPORTED: ccd_rigid_slide_parts takes the convex parts of others
 * ma, mb     their motions, as in ccd_rigid_earliest
 * tolerance  a length above 0, and at least 2^-30 of the sum of the radii about the pivots and 2^-32 of how far the pivots come apart
 * options    as in ccd_rigid_clearance, but for tolerance, which must be the default: t_min, t_max, max_iterations, progress and stats have an
 *            effect
 * out        written even on error
 *
 * The signed distance s of convex bodies is their distance or, where they overlap, the length of the least translation that parts them, with a
 * minus. For all t in [t_min, t_lo) |s| is at most the tolerance (law L1). CCD_SLIDE_PENETRATES: s < -tolerance at t_hi. CCD_SLIDE_PARTS:
 * s > tolerance there. CCD_SLIDE_STAYS: |s| is at most the tolerance, with CCD_SLIDE_GRAZING 33/32 of it, for all t in [t_min, t_max].
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits on every machine. Since 0.1. Paper: [vandenBergen2001], for the depth.
 */
ccd_status ccd_rigid_slide(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                           double tolerance, const ccd_options *options, ccd_slide *out);

/**
 * ccd_rigid_slide for bodies that are given by convex parts, which share the motion of their body: s is the least of the signed distances of
 * all pairs of a part of a and a part of b. So bodies penetrate as soon as two parts do, and lose contact once all parts have.
 *
 * a, count_a  the parts of one body, at least one; each as in ccd_rigid_slide. Parts of one body may touch and overlap
 * b, count_b  those of the other
 *
 * A pair of parts penetrates by no more than the smaller of them is wide: a tolerance should be far below the width of every part.
 */
ccd_status ccd_rigid_slide_parts(ccd_rigid_body *const *a, size_t count_a, const ccd_rigid_motion *ma,
                                 ccd_rigid_body *const *b, size_t count_b, const ccd_rigid_motion *mb, double tolerance,
                                 const ccd_options *options, ccd_slide *out);

/**
 * The first time at which two convex bodies, or two that are given by convex parts, overlap more deeply than a limit.
 *
 * a, count_a, b, count_b  as in ccd_rigid_slide_parts, at any place: apart, touching or overlapping. A convex body is one part
 * limit                   a length, in the range of the tolerance of ccd_rigid_slide
 * out                     as in ccd_rigid_slide; s is its signed distance. CCD_SLIDE_PENETRATES: s is at least -limit for all t in [t_min, t_lo), and
 *                         below it at t_hi. CCD_SLIDE_STAYS: it is at least -limit for all t in [t_min, t_max], with CCD_SLIDE_GRAZING -33/32 of
 *                         it. CCD_SLIDE_INITIAL: the bodies are deeper at t_min already
 *
 * The depth of a convex body is -s. That of bodies of parts is at least -s, and may be more: no part is deeper, but a way out of one part may
 * lead into another. So PENETRATES is a proof for the bodies, STAYS one for each pair of parts.
 *
 * Returns as ccd_rigid_slide. Reentrant. Same bits on every machine. Since 0.1. Paper: [vandenBergen2001], for the depth.
 */
ccd_status ccd_rigid_first_depth(ccd_rigid_body *const *a, size_t count_a, const ccd_rigid_motion *ma,
                                 ccd_rigid_body *const *b, size_t count_b, const ccd_rigid_motion *mb, double limit,
                                 const ccd_options *options, ccd_slide *out);

/* ---- containment ----------------------------------------------------------------------------------------------------- */

/*
 * What closed surfaces enclose. A surface inside another one touches nothing and has a distance from it, so neither ccd_proximity_* nor
 * ccd_rigid_earliest tells; these calls do, exactly: no tolerance, no rays that miss.
 *
 * A surface is closed if each edge of its triangles is passed as often in one direction as in the other; corners at equal positions are
 * one, so triangles of an STL file need no common vertices. A surface that is not closed is an error that names a face and its edge.
 * The solid of a closed surface is the surface and all points around which its winding number is not 0. So parts that overlap count once; an
 * inverted surface has the same inside, with winding number -1; and a part inside another one, wound the other way, is a cavity.
 */

#define CCD_ON_SURFACE (-2147483647)      /* a point is on the surface, and has no winding number */
#define CCD_WINDING_UNKNOWN (-2147483646) /* a body turns, and at t != 0 rounding may put the point on either side */

/** How two solids A and B lie to each other. */
typedef int32_t ccd_containment;
#define CCD_CONTAINMENT_UNDECIDED 0   /* within rounding of touching: only turning bodies at t != 0 */
#define CCD_CONTAINMENT_OUTSIDE 1     /* no common point */
#define CCD_CONTAINMENT_INSIDE 2      /* A is inside B, and the surfaces do not meet */
#define CCD_CONTAINMENT_CONTAINS 3    /* B is inside A, and the surfaces do not meet */
#define CCD_CONTAINMENT_OVERLAPPING 4 /* surfaces do not meet; some components of one are in the other */
#define CCD_CONTAINMENT_CROSSING 5    /* the surfaces share a point: they touch or pass through each other */

/**
 * The winding numbers of the faces of a mesh around points: how often they enclose each, faces seen from outside being wound
 * counterclockwise.
 *
 * mesh      live handle; all its faces count, whatever its filters; other edges and vertices do not
 * x         n x 3 doubles, row-major, finite: where the vertices are; borrowed for this call
 * n         must equal the mesh's vertex count
 * points    n_points x 3 doubles, finite
 * options   NULL for defaults, else prepared by ccd_options_init; only threads, progress and stats have an effect; norms, flags and t_min as
 *           in ccd_proximity_intersections
 * windings  n_points results, or CCD_ON_SURFACE. All are CCD_WINDING_UNKNOWN after an error
 *
 * Takes the time to build a tree, and then logarithmic time for a point; ccd_rigid_winding keeps the tree. Returns CCD_OK,
 * CCD_E_HANDLE, CCD_E_ARGUMENT (also: the faces are not closed), CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED.
 * Reentrant. Same bits for any thread count. Since 0.1.
 */
ccd_status ccd_proximity_winding(ccd_mesh *mesh, const double *x, size_t n, const double *points, size_t n_points,
                                 const ccd_options *options, int32_t *windings);

/** A connected component of a mesh that is inside another one. Components are named by their least faces. 24 bytes. */
typedef struct ccd_nested_pair {
    int64_t inner, outer; /*  0  the least faces of both components */
    int32_t winding; /* 16  the winding number of the outer component around the inner one: 1, or -1 where it is inverted */
    int32_t reserved; /* 20  0 */
} ccd_nested_pair;

/** A list of nested components. */
typedef struct ccd_nested_pairs ccd_nested_pairs;

/**
 * List all pairs of connected components of which one is inside the other and shares no point with it. Faces with a corner at one position are
 * in one component. The outer one must be closed: others contain nothing, and are no error. A component inside two is in two pairs.
 * Whether a component is another body or the border of a cavity of the outer one is for the caller to say.
 *
 * out  a handle to be destroyed, or NULL on error. Otherwise as ccd_proximity_winding
 */
ccd_status ccd_proximity_nested(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                ccd_nested_pairs **out);
ccd_status ccd_nested_pairs_count(ccd_nested_pairs *nested_pairs, size_t *count);
/** Copy the pairs, sorted by (inner, outer); cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_nested_pairs_copy(ccd_nested_pairs *nested_pairs, ccd_nested_pair *dst, size_t cap, size_t *count);
ccd_status ccd_nested_pairs_destroy(ccd_nested_pairs *nested_pairs);

/**
 * The winding numbers of a body, which is where its motion puts it at the time t, around points in the world.
 *
 * Poses are those of the motion in real arithmetic. Results are exact if t = 0 or the body does not turn; else a point nearer to the
 * surface than rounding, some 1e-14 of the lengths, is CCD_WINDING_UNKNOWN. The first call makes a tree, which the body keeps.
 *
 * points  n_points x 3 doubles, at most 1e60 in magnitude
 *
 * A body with a radius, padding or deviation is what its surface encloses and all points within the radius of that: 1 inside, 0 outside,
 * CCD_ON_SURFACE on its border, CCD_WINDING_UNKNOWN nearer to the border than rounding of the pose or the deviation tells.
 *
 * options  threads, progress and stats have an effect. Numbers, flags and methods other than the defaults are CCD_E_UNSUPPORTED
 *
 * Otherwise as ccd_proximity_winding.
 */
ccd_status ccd_rigid_winding(ccd_rigid_body *body, const ccd_rigid_motion *motion, double t, const double *points,
                             size_t n_points, const ccd_options *options, int32_t *windings);

/**
 * How two closed bodies lie to each other at the time t, for `count` pairs of motions ma[i], mb[i]. Exactness and errors as in
 * ccd_rigid_winding. Where ccd_rigid_earliest says CCD_SEPARATE, they lie so for all t in [t_min, t_max].
 *
 * Bodies with a radius, padding or deviation, as in ccd_rigid_winding: INSIDE if all of a is nearer to what b's surface encloses than b's
 * radius, or inside of it; CROSSING if they share a point and neither is inside; UNDECIDED also where a body is not convex and the search,
 * which is bounded, does not tell.
 *
 * containments  `count` results CCD_CONTAINMENT_*. All are CCD_CONTAINMENT_UNDECIDED after an error
 */
ccd_status ccd_rigid_containment(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b,
                                 const ccd_rigid_motion *mb, size_t count, double t, const ccd_options *options,
                                 ccd_containment *containments);

/* ---- overlap --------------------------------------------------------------------------------------------------------- */

/*
 * How far closed surfaces are in each other: the volume that two solids have in common, and how deep points are in a solid.
 *
 * The volume is the integral of the product of both winding numbers. Where these are 0 and 1, that is the volume of the common part. A
 * surface with parts that overlap, or are wound inwards, has others; it is refused where that matters, with a reason, or counts as often as
 * its winding numbers say. Surfaces must be closed as for ccd_proximity_winding.
 */

/** What becomes of surfaces with winding numbers other than 0 and 1. */
typedef int32_t ccd_shells;
#define CCD_SHELLS_REFUSE 0 /* CCD_E_ARGUMENT, if such parts are in the common box of both surfaces */
#define CCD_SHELLS_COUNT 1  /* a point counts as often as the product of its winding numbers says */

#define CCD_OVERLAP_UNFINISHED 1 /* the bracket is wider than the tolerance */

/** The volume that two solids A and B have in common. 56 bytes, no padding. */
typedef struct ccd_overlap {
    double volume_lo, volume_hi; /*  0  the common volume is between them */
    double a_lo, a_hi;           /* 16  the volume of A, negative where it is wound inwards */
    double b_lo, b_hi;           /* 32  that of B */
    int32_t containment;         /* 48  CCD_CONTAINMENT_*: how A lies to B */
    int32_t flags;               /* 52  CCD_OVERLAP_* */
} ccd_overlap;

/** Where a point lies to a closed surface. 96 bytes, no padding. */
typedef struct ccd_depth {
    double distance_lo, distance_hi; /*  0  the distance from the surface is between them; both are 0 on it */
    double point[3];                 /* 16  about a nearest point of the surface */
    double normal[3];                /* 40  the unit vector from there to the point; zeros unless defined */
    double u, v;                     /* 64  point is (1 - u - v) c0 + u c1 + v c2, c the corners of the face */
    int64_t face;                    /* 80  the face of the nearest point */
    int32_t winding;                 /* 88  the winding number, as of ccd_proximity_winding; inside where not 0 */
    int32_t state; /* 92  CCD_GRADIENT_DEFINED, _TIE (several nearest points), _INITIAL (on the surface) or _UNDETERMINED */
} ccd_depth;

/**
 * The volume that the faces of a mesh enclose: the integral of their winding number, negative where they are wound inwards.
 *
 * mesh, x, n  as of ccd_proximity_winding
 * options     NULL for defaults, else prepared by ccd_options_init; threads and stats have an effect, numbers other than the defaults are
 *             CCD_E_UNSUPPORTED
 * lo, hi      the volume is between them: -Inf and +Inf after an error
 *
 * The bracket has a relative width of 1e-15, or 1e-20 of the volume of the box of the mesh. Returns as ccd_proximity_winding. Since 0.1.
 */
ccd_status ccd_overlap_solid(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options, double *lo, double *hi);

/**
 * The volume that the solids of two meshes have in common, at rest.
 *
 * mesh_a, xa, na  a mesh and its n x 3 vertices, as of ccd_proximity_winding
 * mesh_b, xb, nb  another one; both may be the same
 * shells          what becomes of surfaces with parts that overlap or are wound inwards
 * options         NULL for defaults, else prepared by ccd_options_init: tolerance, the relative width of the bracket (0: 1e-6; from 1e-14 to
 *                 1), threads, progress and stats have an effect; other numbers than the defaults are CCD_E_UNSUPPORTED
 * out             the volume; [-Inf, +Inf] after an error
 *
 * The common volume is in [volume_lo, volume_hi]. It is [0, 0] where the solids have no common point, or touch and a plane of a face
 * separates them, or few faces are near. Otherwise the width is at most the tolerance times volume_lo, or CCD_OVERLAP_UNFINISHED is set: of
 * solids that touch along thousands of faces, or overlap by less than some 1e-22 of their common box.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT (not closed, or refused: the message says where), CCD_E_NONFINITE, CCD_E_UNSUPPORTED
 * or CCD_E_CANCELLED. Reentrant. Same bits for any thread count. Since 0.1.
 */
ccd_status ccd_overlap_volume(ccd_mesh *mesh_a, const double *xa, size_t na, ccd_mesh *mesh_b, const double *xb, size_t nb,
                              ccd_shells shells, const ccd_options *options, ccd_overlap *out);

/**
 * Where points lie to the faces of a mesh: how deep in their solid, and by which way out.
 *
 * mesh, x, n, points, n_points  as of ccd_proximity_winding; at least one face
 * options                       as of ccd_overlap_solid, and progress
 * depths                        n_points results. After an error nothing is known: [0, +Inf], CCD_WINDING_UNKNOWN
 *
 * The winding number is exact, and so is whether the distance is 0. A point is inside where its winding number is neither 0 nor
 * CCD_ON_SURFACE; then its depth is the distance, and -normal the shortest way out. With CCD_GRADIENT_DEFINED one point of the surface is
 * nearest, and the derivative of the distance is normal by the point, -w normal by a corner of the face with the weight w, one of
 * 1 - u - v, u and v. Returns as ccd_proximity_winding. Since 0.1.
 */
ccd_status ccd_overlap_depths(ccd_mesh *mesh, const double *x, size_t n, const double *points, size_t n_points,
                              const ccd_options *options, ccd_depth *depths);

/**
 * The volumes that two closed bodies have in common at the time t, for `count` pairs of motions ma[i], mb[i].
 *
 * Poses are those of the motions in real arithmetic: exact if t = 0 or the bodies do not turn, else known to rounding, which widens the
 * bracket. The bodies keep trees and volumes.
 *
 * overlaps  `count` results; [-Inf, +Inf] after an error
 *
 * Otherwise as ccd_overlap_volume; a body with a radius, padding or deviation is CCD_E_UNSUPPORTED.
 */
ccd_status ccd_rigid_overlaps(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              size_t count, double t, ccd_shells shells, const ccd_options *options, ccd_overlap *overlaps);

/**
 * Where points in the world lie to a closed body, which is where its motion puts it at the time t.
 *
 * With the normal n of a point p, the derivative of the distance is -n by the position of the body, and -(p - x) x n by a turn about x.
 * Of a body that turns, at t != 0, brackets are wider by rounding, and points within it are CCD_WINDING_UNKNOWN. Of a body with a radius,
 * padding or deviation distances and points are those of its border, face, u and v of the nearest point of its triangles; inside of one
 * that is not convex distance_hi is the way to a point outside that was found. Otherwise as ccd_overlap_depths and ccd_rigid_winding.
 */
ccd_status ccd_rigid_depths(ccd_rigid_body *body, const ccd_rigid_motion *motion, double t, const double *points,
                            size_t n_points, const ccd_options *options, ccd_depth *depths);

/* ---- motions --------------------------------------------------------------------------------------------------------- */

/**
 * Paths of vertices that are not straight: polynomials in t of degree 1 to 5, piece by piece, with a radius.
 *
 * With s = (t - times[j]) / (times[j+1] - times[j]), vertex i is, for t on piece j, within radius[j][i] of sum_l B_l(s)
 * control[j][l][i] in the Euclidean norm, B_l the Bernstein polynomials of the degree, in real arithmetic. Radius 0 is one path:
 * the doubles are exact by definition. A motion is never changed once it is made. docs/proofs/motions.md derives every radius.
 */
typedef struct ccd_motion ccd_motion;

/**
 * Create a motion from control points.
 *
 * vertices  the number of vertices n, at least 1
 * degree    1 to 5
 * pieces    at least 1
 * times     pieces + 1 ends of the pieces, ascending from 0 to 1; NULL with one piece: 0 and 1
 * control   pieces x (degree + 1) x n x 3 coordinates, of magnitude at most 1e150. A vertex must not jump between two pieces by
 *           more than its radii there together
 * radius    pieces x n radii in [0, 1e150], or NULL: 0
 *
 *   double control[] = {0, 0, 1, 0, 0, -3, 0, 0, 1};  // a point dips to -1 and returns
 *   ccd_motion *motion;
 *   ccd_status status = ccd_motion_create(1, 2, 1, NULL, control, NULL, &motion);
 *
 * *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE. Reentrant. Since 0.1.
 */
ccd_status ccd_motion_create(size_t vertices, int32_t degree, size_t pieces, const double *times, const double *control,
                             const double *radius, ccd_motion **out);
/**
 * Constant acceleration: x + t v + t^2 a / 2, with x, v and a n x 3. v and a are those of the whole step. Degree 2; the radii hold
 * what rounding takes, and are 0 where x, x + v/2 and x + v + a/2 are doubles. Otherwise as ccd_motion_create.
 */
ccd_status ccd_motion_accelerated(size_t vertices, const double *x, const double *v, const double *a, ccd_motion **out);
/**
 * Cubic Hermite interpolation: positions x and velocities v, both (pieces + 1) x n x 3, at pieces + 1 times. Velocities are lengths
 * per step. The radii hold what rounding takes. Otherwise as ccd_motion_create.
 */
ccd_status ccd_motion_hermite(size_t vertices, size_t pieces, const double *times, const double *x, const double *v,
                              ccd_motion **out);
/**
 * B-splines in time: control is (knot_count - degree - 1) x n x 3. The knots ascend; knots[degree] is 0 and knots[knot_count -
 * degree - 1] is 1; at most degree of them are equal between. The radii hold what rounding takes. Otherwise as ccd_motion_create.
 */
ccd_status ccd_motion_bspline(size_t vertices, int32_t degree, const double *knots, size_t knot_count,
                              const double *control, ccd_motion **out);
/**
 * An affine body: vertex i is at A(t) x_i + b(t). matrix has degree + 1 control matrices of 3 x 3 by rows, offset degree + 1
 * control points of b; x is n x 3. The radii hold what rounding takes. Numbers are at most 1e60. Otherwise as ccd_motion_create.
 */
ccd_status ccd_motion_affine(size_t vertices, int32_t degree, const double *x, const double *matrix, const double *offset,
                             ccd_motion **out);
/**
 * A rigid body that turns and moves at constant rates, a screw if both are along one line: x are its vertices in body coordinates, n x 3.
 *
 * The path is enclosed by pieces of equal length, polynomials of degree 3 or 5; degree 0 means 3. The radius of a vertex at the
 * distance R from the axis that turns by w in a piece is w^4 R / 384 for degree 3, w^6 R / 46080 for degree 5, and rounding. pieces
 * 0 means one a radian. Calls on pairs halve the pieces near a contact until the radii are below the tolerance. Numbers are at most
 * 1e60, the turn 2^40 radians. Otherwise as ccd_motion_create.
 */
ccd_status ccd_motion_rigid(size_t vertices, const double *x, const ccd_rigid_motion *body, int32_t degree, size_t pieces,
                            ccd_motion **out);
/**
 * Linear blend skinning: vertex i is at the sum over the bones b of weights[i][b] times where the motion bones[b] brings x_i. weights is
 * n x bone_count and need not add up to 1. Otherwise as ccd_motion_rigid.
 */
ccd_status ccd_motion_skinned(size_t vertices, const double *x, const ccd_rigid_motion *bones, size_t bone_count,
                              const double *weights, int32_t degree, size_t pieces, ccd_motion **out);

/** How a joint moves its link. */
#define CCD_JOINT_FIXED 0
#define CCD_JOINT_REVOLUTE 1  /* turns about the axis through the link's origin, by radians */
#define CCD_JOINT_PRISMATIC 2 /* slides along the axis, by lengths */

/**
 * A joint between a link and its parent, 104 bytes. A point p of the link is at position + R(rotation) J(t) p in the parent's
 * coordinates: J turns about the axis, or slides along it, by value0 + t (value1 - value0).
 */
typedef struct ccd_motion_joint {
    int32_t kind;       /*   0  CCD_JOINT_... */
    int32_t parent;     /*   4  the joint of the parent, before this one; -1: the base, which rests */
    double rotation[4]; /*   8  a quaternion w, x, y, z; not 0; R is the rotation of rotation / |rotation| */
    double position[3]; /*  40  of the link's origin, in the parent's coordinates */
    double axis[3];     /*  64  in the link's coordinates, of any length; not 0 but for CCD_JOINT_FIXED */
    double value0;      /*  88  of the joint at t = 0, radians or a length */
    double value1;      /*  96  at t = 1 */
} ccd_motion_joint;

/**
 * The links of a tree of joints, such as those of a robot: x are n vertices, each in the coordinates of its link; links[i] is the
 * joint that moves the link of vertex i, -1 for the base. pieces 0 means one a radian of all turns from the base to a link.
 * Otherwise as ccd_motion_rigid; also CCD_E_INDEX.
 */
ccd_status ccd_motion_chain(size_t vertices, const double *x, const int32_t *links, const ccd_motion_joint *joints,
                            size_t joint_count, int32_t degree, size_t pieces, ccd_motion **out);

/** Destroy a motion. Returns CCD_E_HANDLE if motion is NULL, destroyed, or of another type. Running calls on other threads complete. */
ccd_status ccd_motion_destroy(ccd_motion *motion);
/** Numbers of vertices and pieces, and the degree; any of the pointers may be NULL. */
ccd_status ccd_motion_counts(ccd_motion *motion, size_t *vertices, size_t *pieces, size_t *degree);
/** Copy the pieces + 1 ends of the pieces; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_motion_times(ccd_motion *motion, double *dst, size_t cap, size_t *count);
/**
 * Copy the pieces x (degree + 1) x n x 3 coordinates of the control points; cap is a number of coordinates. Otherwise as
 * ccd_motion_times.
 */
ccd_status ccd_motion_control(ccd_motion *motion, double *dst, size_t cap, size_t *count);
/** Copy the pieces x n radii. Otherwise as ccd_motion_times. */
ccd_status ccd_motion_radii(ccd_motion *motion, double *dst, size_t cap, size_t *count);
/**
 * Positions at the time t in [0, 1]: x receives n x 3 coordinates. radius, if it is not NULL, receives n bounds on the distance of
 * each vertex from its position: its radius, and rounding. n must be the number of vertices. Returns CCD_OK, CCD_E_ARGUMENT,
 * CCD_E_HANDLE. Reentrant. Since 0.1.
 */
ccd_status ccd_motion_at(ccd_motion *motion, double t, double *x, double *radius, size_t n);

/**
 * When pairs of primitives of a motion first come into contact. vertices is count x the points of the kind: indices of v, f0, f1,
 * f2; a0, a1, b0, b1; p, e0, e1; or p, q. out[i] is the impact of pair i, with a = i and b = -1, in time of the whole step. options
 * may be NULL: defaults.
 *
 * Where all radii are 0 the result is exact, and laws 1 to 9 hold as for ccd_pair_*: toi_lo is the largest double not above the
 * first contact. A motion of degree 1 with one piece has the bits of ccd_pairs_*. Otherwise let rho be the largest radius of a's
 * vertices and the largest of b's together: laws 1 and 2 hold, CCD_CONTACT means a distance of at most min_separation + 2 rho, and
 * no flag is set. Motions of rigid bodies, skins and joints are halved in time near a contact until 2 rho <= tolerance, or rounding
 * is left; max_iterations bounds the halvings of a pair, then the verdict is CCD_UNDECIDED.
 *
 *   int32_t pair[4] = {0, 1, 2, 3};
 *   ccd_impact impact;
 *   ccd_status status = ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 1, NULL, &impact);
 *
 * The method must be exact; scene_bound and CCD_APART_AT_TOI are not supported. out is written even on error: then every impact is
 * CCD_UNDECIDED with toi_lo = 0. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_HANDLE, CCD_E_UNSUPPORTED, CCD_E_CANCELLED.
 * Reentrant. Since 0.1.
 */
ccd_status ccd_motion_pairs(ccd_motion *motion, int32_t kind, const int32_t *vertices, size_t count,
                            const ccd_options *options, ccd_impact *out);
/**
 * Create the step of a mesh whose vertices move as the motion says, in place of x0 and x1.
 *
 * mesh     with its groups, static vertices, excluded pairs and radii, as in ccd_step_earliest; a radius of the mesh is part of its
 *          shape, one of the motion bounds its path
 * motion   of as many vertices
 * out      a handle to be destroyed, or NULL on error
 *
 * Of the options of calls, the method must be exact; scene_bound and CCD_DEVICE_GPU are not supported. CCD_CHECK_START checks the
 * positions of ccd_motion_at at t = 0. Each pair has the times, flags and data of ccd_motion_pairs, with its separation. So where all
 * radii of the motion are 0 results are exact: CCD_SEPARATE proves that no pair comes within min_separation for t <= t_max, otherwise
 * none does so for t < toi_lo. Where radii are above 0 both are proofs as well, and CCD_CONTACT means a distance of at most
 * min_separation + 2 rho. A motion of degree 1 with one piece has the bits of ccd_step_create.
 *
 *   ccd_step *step;
 *   ccd_impact hit;
 *   ccd_step_create_motion(mesh, motion, &step);
 *   if (ccd_step_run_earliest(step, NULL, &hit) == CCD_OK && hit.verdict == CCD_CONTACT) printf("%g\n", hit.toi_lo);
 *   ccd_step_destroy(step);
 *
 * Returns CCD_OK, CCD_E_HANDLE or CCD_E_ARGUMENT (another number of vertices). Since 0.1.
 */
ccd_status ccd_step_create_motion(ccd_mesh *mesh, ccd_motion *motion, ccd_step **out);
/**
 * Find all pairs whose boxes overlap: each box contains all control points of its primitive, inflated by min_separation and radii.
 * t_max is ignored.
 *
 * out  candidates, to be destroyed by ccd_candidates_destroy; NULL on error. They hold for every motion of the mesh whose control
 *      points are within the boxes of their vertices, of any degree and in any number of pieces, with radii and min_separation up
 *      to these: the same motion with other options, or the motions of a line search. They hold for plain steps within the boxes
 *      too, and those of ccd_broad_candidates for motions of radius 0 within theirs
 *
 *   ccd_candidates *near;
 *   ccd_status status = ccd_motion_candidates(mesh, motion, NULL, &near);
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_HANDLE,
 * CCD_E_UNSUPPORTED, CCD_E_MEMORY, CCD_E_CANCELLED. Reentrant. Since 0.1.
 */
ccd_status ccd_motion_candidates(ccd_mesh *mesh, ccd_motion *motion, const ccd_options *options, ccd_candidates **out);
/**
 * Create the step of the mesh of candidates on the paths of a motion. Calls return CCD_E_ARGUMENT, with its name, for the first control
 * point that is outside of the box of its vertex, and for a radius or a min_separation that is larger than those of the candidates.
 * Otherwise as ccd_step_create_motion.
 */
ccd_status ccd_step_create_candidates_motion(ccd_candidates *candidates, ccd_motion *motion, ccd_step **out);
/**
 * Create the motion on which vertex i goes along its path from 0 to ends[i] as t runs from 0 to 1. The motion has one piece.
 *
 * ends  n times in [0, 1]: at 1 a vertex keeps its control points, at 0 it rests at the first one. Else the control points are
 *       those of the part, by de Casteljau's algorithm in doubles, and radii above 0 grow by its rounding
 * n     must equal the number of vertices
 *
 * *out is a handle to be destroyed, or NULL on error. It is not enclosed anew on parts. Returns CCD_OK, CCD_E_ARGUMENT,
 * CCD_E_HANDLE, CCD_E_UNSUPPORTED for a motion of several pieces. Reentrant. Since 0.1.
 */
ccd_status ccd_motion_cut(ccd_motion *motion, const double *ends, size_t n, ccd_motion **out);

/* ---- robot ----------------------------------------------------------------------------------------------------------- */

/** A tree of joints with bodies, and obstacles at rest, prepared for checks of edges in joint space. */
typedef struct ccd_robot ccd_robot;

/**
 * A joint of a robot. A point x of the child is at position + R T(x) in the parent's coordinates: T turns about the axis, or slides along
 * it, by factor times the variable plus offset. R is the rotation nearest to the doubles of rotation. What is proven of a robot holds for all
 * values of its joints within their errors of these, at any time: so a loop that is closed up to a radius is checked, or a controller that
 * follows a path up to one.
 */
typedef struct ccd_robot_joint {
    int32_t kind;       /*   0  CCD_JOINT_FIXED, CCD_JOINT_REVOLUTE or CCD_JOINT_PRISMATIC */
    int32_t parent;     /*   4  a link */
    int32_t child;      /*   8  a link, of no other joint */
    int32_t variable;   /*  12  the variable that it follows; joints may share one; ignored of CCD_JOINT_FIXED */
    double factor;      /*  16  of the variable; usually 1 */
    double offset;      /*  24  usually 0 */
    double rotation[9]; /*  32  by rows, a rotation within 1e-6 */
    double position[3]; /* 104  of the child's origin, in the parent's coordinates */
    double axis[3];     /* 128  in the child's coordinates, of any length; not 0 but for CCD_JOINT_FIXED */
    double error;       /* 152  how far the joint may be from its value, at least 0; usually 0 */
} ccd_robot_joint;

/**
 * A shape of a body: so many of the vertices, edges and faces, in their order. Shapes of one body stand together, those of body 0 first,
 * and have one link. Indices of edges and faces count from the shape's first vertex.
 */
typedef struct ccd_robot_shape {
    int32_t body;     /*   0 */
    int32_t link;     /*   4  that carries the body; -1: it rests in the coordinates of the link without a parent */
    int64_t vertices; /*   8 */
    int64_t edges;    /*  16 */
    int64_t faces;    /*  24 */
} ccd_robot_shape;

/** How the bodies of an edge that collides touch. */
#define CCD_ROBOT_CROSSING 1 /* an edge of one passes through a triangle of the other */
#define CCD_ROBOT_NEAR 2     /* two primitives are within min_separation, radii included */
#define CCD_ROBOT_INSIDE 3   /* a vertex of body_a is inside of body_b: at the start, or a point without radius */

/** What is known of an edge. */
typedef struct ccd_robot_edge {
    int32_t verdict; /*   0  ccd_verdict: CCD_SEPARATE if the edge is free, CCD_CONTACT if it collides */
    uint32_t flags; /*   4  CCD_REASON_... if undecided: ITERATIONS, COARSE, or 0 for an approach to within the tolerance */
    int32_t body_a; /*   8  of the contact, or approach; the one farther from the root; -1 if free */
    int32_t body_b; /*  12  the other; -1 if free, or not known */
    int32_t how;    /*  16  CCD_ROBOT_CROSSING, ...; 0 unless the edge collides */
    int32_t reserved; /*  20  0 */
    double s;         /*  24  where on the edge the contact is, in [0, 1]; s_free if undecided, 1 if free */
    double
        s_free; /*  32  a proof: before it no tested pair comes within min_separation; 0 where any contact was asked for */
    double point[3]; /*  40  of the contact, in the coordinates of the link without a parent */
    double
        normal[3]; /*  64  unit, from b to a, near s_free; zeros if not known, as where the edge starts with a crossing */
    int64_t iterations; /*  88  parts of the edge and poses that were looked at, the unit of max_iterations */
} ccd_robot_edge;

/**
 * Check a robot and build its trees.
 *
 * n_variables  the number of joint variables
 * joints       n_joints joints of a tree of n_joints + 1 links
 * shapes       n_shapes shapes; they use up all vertices, edges and faces
 * vertices     n_vertices x 3 doubles, in the coordinates of their body's link, at most 1e60 in magnitude
 * radii        NULL for zeros, or n_vertices numbers. A face, an edge or a vertex in none holds all points within the largest radius of
 *              its vertices: a ball is a vertex, a capsule an edge
 * edges        n_edges x 2 indices of edges in no face
 * faces        n_faces x 3 indices. A face may repeat a vertex. A shape is closed, and has an inside, if every edge of its faces is
 *              passed once in each direction
 * pairs        n_pairs x 2 bodies that are tested against each other
 * separations  NULL, or n_pairs lengths: what counts as a contact of the pair, in place of options.min_separation; NaN for that. They have no
 *              effect on ccd_robot_clearance. To pad a body, add to its radii
 * *out         a handle to be destroyed, or NULL on error; nothing is borrowed after the call. Threads may share it
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX or CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_robot_create(size_t n_variables, const ccd_robot_joint *joints, size_t n_joints,
                            const ccd_robot_shape *shapes, size_t n_shapes, const double *vertices, size_t n_vertices,
                            const double *radii, const int32_t *edges, size_t n_edges, const int32_t *faces, size_t n_faces,
                            const int32_t *pairs, size_t n_pairs, const double *separations, ccd_robot **out);
ccd_status ccd_robot_destroy(ccd_robot *robot);

/**
 * Make a robot from another one: with further bodies, as what it grasps or an obstacle that is new, and without others. It shares the trees
 * of the bodies that stay, so it takes a small part of the time of ccd_robot_create. The robot itself stays as it is, and either may be
 * destroyed first: what was attached is detached by going back to it.
 *
 * shapes ...   as in ccd_robot_create; the numbers of bodies follow those that the robot has
 * pairs        n_pairs x 2 bodies that are tested too, among all bodies
 * separations  as in ccd_robot_create
 * without      n_without bodies of the robot whose pairs are not tested any more; their numbers stay
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX or CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_robot_change(ccd_robot *robot, const ccd_robot_shape *shapes, size_t n_shapes, const double *vertices,
                            size_t n_vertices, const double *radii, const int32_t *edges, size_t n_edges,
                            const int32_t *faces, size_t n_faces, const int32_t *pairs, size_t n_pairs,
                            const double *separations, const int32_t *without, size_t n_without, ccd_robot **out);

/**
 * Decide an edge: whether tested bodies touch while each variable goes linearly from its value in q0 to that in q1, in real arithmetic.
 *
 * robot    a live handle; threads may share it
 * q0, q1   n_variables values each; of joints that turn at most 2^40 radians
 * any      0: find the first contact. 1: stop at any; this takes the least time
 * options  NULL for defaults, else prepared by ccd_options_init: tolerance, min_separation, max_iterations and, for many edges, threads
 *          have an effect. An approach to within the tolerance, beyond min_separation, may stay undecided. The norm is Euclidean. The
 *          call returns CCD_E_UNSUPPORTED for a t_max other than 1, CCD_NORM_MAX, other methods and all flags. It ignores memory_limit,
 *          progress, scene_bound and stats
 * out      written even on error
 *
 * CCD_SEPARATE is a proof: no tested pair comes within min_separation anywhere on the edge, and none is inside of another. CCD_CONTACT is
 * one too: at s the two bodies touch, or one is inside of the other (laws R1 to R3 of docs/proofs/robots.md).
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_robot_check_edge(ccd_robot *robot, const double *q0, const double *q1, int32_t any,
                                const ccd_options *options, ccd_robot_edge *out);
/**
 * `count` edges, from row i of q0 to row i of q1, on several threads; out has room for `count` results, which do not depend on threads.
 * Otherwise as ccd_robot_check_edge.
 */
ccd_status ccd_robot_check_edges(ccd_robot *robot, const double *q0, const double *q1, size_t count, int32_t any,
                                 const ccd_options *options, ccd_robot_edge *out);
/** The count - 1 edges between `count` waypoints, at least one; out has room for count - 1 results. Otherwise as ccd_robot_check_edges. */
ccd_status ccd_robot_check_path(ccd_robot *robot, const double *waypoints, size_t count, int32_t any,
                                const ccd_options *options, ccd_robot_edge *out);

/**
 * `count` edges on which the variables are polynomials in s, of one degree from 0 to 5.
 *
 * control  count x (degree + 1) x n_variables control values in the form of Bernstein: a variable is the sum over i of
 *          binomial(degree, i) s^i (1 - s)^(degree - i) times its value in row i, in real arithmetic. The degree 1 is a straight edge from
 *          row 0 to row 1, and the degree 0 a single configuration
 *
 * Otherwise as ccd_robot_check_edges, with the same guarantees.
 */
ccd_status ccd_robot_check_curves(ccd_robot *robot, const double *control, int32_t degree, size_t count, int32_t any,
                                  const ccd_options *options, ccd_robot_edge *out);

/**
 * The least distance of all tested pairs on `count` edges, or on parts of them: the clearance.
 *
 * control, degree  as in ccd_robot_check_curves
 * parts            at least 1. Each edge is cut into so many parts of equal length, and each part has a result: with more than 1 a profile
 * options          as in ccd_robot_check_edge, but min_separation has no effect
 * out              room for count x parts results, those of the first edge first. a and b are the bodies, of which a is farther from the root;
 *                  -1 and lo = hi = +Inf without any pair. In gap, time is the s at which the distance is at most hi; points and normal are
 *                  in the coordinates of the link without a parent. index_a and index_b count the primitives of a body: of each shape the
 *                  faces, the edges, then the vertices in none; feature_a and feature_b are -1
 *
 * No tested pair comes nearer than lo anywhere on the part, which is a proof, and none is inside of another if lo > 0; at time two bodies are
 * at most hi apart (law R5 of docs/proofs/robots.md). hi - lo is at most the tolerance or, where that is more, 32 times what doubles tell of a
 * vertex's place. With CCD_GAP_INTERSECTING two bodies touch at time, or a is inside of b, and lo = hi = 0. Bodies that come nearer than the
 * tolerance may have lo = 0 without that flag. With CCD_GAP_UNFINISHED max_iterations was reached, and lo = 0.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED.
 * Reentrant. Same bits on every machine, with any number of threads. Since 0.1.
 */
ccd_status ccd_robot_clearance(ccd_robot *robot, const double *control, int32_t degree, size_t count, size_t parts,
                               const ccd_options *options, ccd_rigid_scene_gap *out);

/**
 * All pairs of bodies that touch on an edge, or at a configuration, in one call: a result for each, in the order in which they are found.
 *
 * control, degree  one edge, as in ccd_robot_check_curves; the degree 0 is a configuration
 * any              0: the first contact of each pair; 1: any contact of each
 * dst, cap         room for `cap` results; one more than there are pairs suffices. NULL with 0
 * count            of the results that there are; if it is above cap, those beyond are not written. Errors of cap and count as in ccd_mesh_edges
 *
 * A pair that is listed as CCD_CONTACT touches, or is inside of one another, at its s; one that is listed as CCD_UNDECIDED is not decided. All
 * other tested pairs are proven separate on the whole edge, with one exception: if the last result has body_b = -1, max_iterations was reached, or
 * bodies are so far from the root that rounding is as wide as they are, and nothing is known of pairs that are not listed. max_iterations counts for
 * each pair.
 *
 * Otherwise as ccd_robot_check_edge.
 */
ccd_status ccd_robot_touching(ccd_robot *robot, const double *control, int32_t degree, int32_t any,
                              const ccd_options *options, ccd_robot_edge *dst, size_t cap, size_t *count);

/** Whether the bodies of a tested pair can meet while all variables are within ranges. */
typedef struct ccd_robot_meeting {
    int32_t verdict;    /*  0  ccd_verdict: CCD_SEPARATE if they never do, CCD_CONTACT if they do at some values */
    int32_t body_a;     /*  4  as the pair was given */
    int32_t body_b;     /*  8 */
    int32_t reserved;   /* 12  0 */
    int64_t iterations; /* 16  boxes of values that were looked at, the unit of max_iterations */
} ccd_robot_meeting;

/**
 * Which pairs can meet for any values of all variables within ranges: a table, such as that of the pairs that need no test.
 *
 * lower, upper  n_variables values each, lower not above upper
 * options       as in ccd_robot_check_edge; max_iterations counts for each pair. Pairs with one to three joints between them are decided soon,
 *               those with more usually stay undecided
 * dst, cap      room for `cap` results, in the order of the pairs. NULL with 0
 * count         of the pairs; errors of cap and count as in ccd_mesh_edges
 *
 * CCD_SEPARATE is a proof: the two never come within their separation, and neither is inside of the other (law R7). With CCD_CONTACT they do at
 * some values in the ranges. CCD_UNDECIDED: max_iterations was reached, or they come within what doubles tell.
 *
 * Returns CCD_OK, CCD_E_HANDLE, CCD_E_ARGUMENT, CCD_E_NONFINITE or CCD_E_UNSUPPORTED. Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_robot_ranges(ccd_robot *robot, const double *lower, const double *upper, const ccd_options *options,
                            ccd_robot_meeting *dst, size_t cap, size_t *count);

/**
 * A constraint that closes a chain of joints. Let x be the point of link a in the coordinates of link b, less point_b: x has no part along any
 * row of across. Three rows are a ball joint, two rows across an axis the hinge of a planar chain, one row a pin in a straight slot.
 */
typedef struct ccd_robot_loop {
    int32_t a;         /*  0  a link */
    int32_t b;         /*  4  another one */
    int32_t rows;      /*  8  of across that count: 1 to 3 equations */
    int32_t reserved;  /* 12  0 */
    double point_a[3]; /* 16  in the coordinates of a */
    double point_b[3]; /* 40  in those of b */
    double across[9];  /* 64  directions in the coordinates of b, by rows, not 0 */
} ccd_robot_loop;

/** The motion of closed chains along a path. */
typedef struct ccd_robot_closed ccd_robot_closed;

/**
 * Close chains of joints along a path: compute the variables that follow such that all loops stay closed, with proven radii. Joints form a tree,
 * so one joint of each loop is cut, and a constraint takes its place. The path is cut into pieces of degree 5.
 *
 * joints           as in ccd_robot_create: a tree of n_joints + 1 links. Those that drive a loop must have the error 0
 * loops            n_loops constraints with n_follow equations in all
 * follow           the n_follow variables of joints of loops that follow, 1 to 64; the others of these joints are drives
 * start            n_follow values near those at the start of the path, which choose the branch
 * control, degree  `count` edges of all variables, at least one, as in ccd_robot_check_curves; the values of those that follow are not read.
 *                  Drives begin an edge where they end the one before
 * tolerance        what the radii are at most, in radians or lengths: in [1e-11, 1e-3]
 * *out             a handle to be destroyed, or NULL on error
 *
 * There is exactly one continuous motion within the radii that keeps the loops closed (law R8 of docs/proofs/robots.md). Add the radii to the
 * error of the joints that follow, and what ccd_robot_check_curves, ccd_robot_clearance and ccd_robot_touching prove holds for the exact chain. Where no
 * proof is found, near a configuration where branches meet or a drive cannot go on, the call fails and its message says where.
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX or CCD_E_MEMORY. Reentrant. Same bits on every machine. Since 0.1.
 */
ccd_status ccd_robot_closed_create(size_t n_variables, const ccd_robot_joint *joints, size_t n_joints,
                                   const ccd_robot_loop *loops, size_t n_loops, const int32_t *follow, const double *start,
                                   size_t n_follow, const double *control, int32_t degree, size_t count, double tolerance,
                                   ccd_robot_closed **out);
/** Numbers of pieces, and of the variables that drive the loops; either pointer may be NULL. */
ccd_status ccd_robot_closed_counts(ccd_robot_closed *closed, size_t *pieces, size_t *drives);
/**
 * Copy the results. Any pointer may be NULL; each array must have room for its count.
 *
 * control  pieces x 6 x n_variables control values, as ccd_robot_check_curves takes them with the degree 5
 * edges    pieces edges that the pieces are parts of, ascending
 * ends     pieces x 2 numbers: where on the edge the piece begins and ends
 * errors   n_follow radii: how far each variable that follows may be from the exact one
 * drives   the variables that drive the loops, in the order of the joints from each loop's highest link down
 */
ccd_status ccd_robot_closed_copy(ccd_robot_closed *closed, double *control, int64_t *edges, double *ends, double *errors,
                                 int32_t *drives);
ccd_status ccd_robot_closed_destroy(ccd_robot_closed *closed);

/** How ccd_robot_file_read reads. */
#define CCD_ROBOT_TEST_ADJACENT 1u /* the two links of a joint are tested against each other, too */
#define CCD_ROBOT_MOBILE 2u        /* the robot stands on the planar or floating virtual_joint of the SRDF file */

/** A robot read from a URDF file. */
typedef struct ccd_robot_file ccd_robot_file;

/** A variable of a robot that was read: the value of a joint that follows no other. */
typedef struct ccd_robot_variable {
    double lower;     /*   0  the limits of the joint; -Inf and Inf where it has none */
    double upper;     /*   8 */
    int32_t turning;  /*  16  1 if a whole turn of it brings all links back, so that an edge may go the short way; else 0 */
    int32_t reserved; /*  20  0 */
} ccd_robot_variable;

/**
 * Read a robot from a URDF file: its joints, and the collision shapes of its links as ccd_robot_create takes them. Boxes become 12
 * triangles, spheres vertices with a radius, capsules (radius, and the length between the centers of the ends) edges with one, cylinders
 * prisms around them; meshes are read by ccd_surface_file_read, and vertices that they do not use are left out. A link with shapes is a
 * body, and the pairs are those bodies that can move relative to each other and are not allowed to touch.
 *
 * A planar joint has three variables, NAME/x, NAME/y and NAME/theta: two slides along x and y, and a turn about z. A floating one has eight:
 * NAME/trans_x to NAME/trans_z, and NAME/turn_1 to NAME/turn_5, turns about z, y, z, y and z (ccd::robot::slerp computes them from
 * quaternions). The slides and turns have links of their own between them, after those of the file. Joints that mimic others follow their
 * variable.
 *
 * urdf            a regular file, in UTF-8. MJCF, SDF, and URDF with macros of xacro are refused, with the way to convert them. So are COLLADA
 *                 meshes and planar joints about another axis than z
 * srdf            NULL, or an SRDF file: its disable_collisions are allowed pairs, those of unknown links left out as by MoveIt. With
 *                 CCD_ROBOT_MOBILE its virtual_joint, if that is planar or floating, is a joint on a link by the name of its parent_frame, and a
 *                 motion_model other than holonomic is refused; else the base rests. Groups, states and passive joints have no effect
 * packages        where package://NAME/PATH, or model://NAME/PATH, is: NULL for the folders above the file, else lines separated by '\n':
 *                 FOLDER, which holds folders by the names of packages, or NAME=FOLDER for one package
 * segments        sides of the prism around a cylinder, from 3 to 4096; 0 means 32. A contact with it may be up to
 *                 r (1 / cos(pi / segments) - 1) outside of the cylinder: 0.5 % of the radius at 32
 * flags           0, or CCD_ROBOT_... of the above. Without them the two links of a joint may touch, where a link without shapes that is
 *                 fixed to another counts as a part of it
 * *out            a handle to be destroyed, or NULL on error
 *
 * Messages begin with the file and name the link or joint. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_FILE, CCD_E_UNSUPPORTED. Since 0.1.
 */
ccd_status ccd_robot_file_read(const char *urdf, const char *srdf, const char *packages, int32_t segments, uint32_t flags,
                               ccd_robot_file **out);
/** Numbers of links, of which there is one more than joints, and of what ccd_robot_file_copy copies; any pointer may be NULL. */
ccd_status ccd_robot_file_counts(ccd_robot_file *file, size_t *links, size_t *variables, size_t *shapes, size_t *vertices,
                                 size_t *edges, size_t *faces, size_t *pairs);
/**
 * Copy the arrays, which ccd_robot_create takes: links - 1 joints, a radius for each vertex, 3 doubles, 2 and 3 indices each. Obstacles may
 * be added to them. Any pointer may be NULL; each array must have room for its count.
 */
ccd_status ccd_robot_file_copy(ccd_robot_file *file, ccd_robot_joint *joints, ccd_robot_variable *variables,
                               ccd_robot_shape *shapes, double *vertices, double *radii, int32_t *edges, int32_t *faces,
                               int32_t *pairs);

/** Whose names ccd_robot_file_name tells. */
#define CCD_ROBOT_LINK 0
#define CCD_ROBOT_JOINT 1 /* the slides and turns of one joint share its name */
#define CCD_ROBOT_VARIABLE 2
/**
 * The name of a link, a joint or a variable. Copies at most cap - 1 bytes and a terminating NUL into text (which may be NULL when cap is
 * 0); *length gets the length of the whole name, in UTF-8, without the NUL. Another index is CCD_E_INDEX.
 */
ccd_status ccd_robot_file_name(ccd_robot_file *file, int32_t of, size_t index, char *text, size_t cap, size_t *length);
ccd_status ccd_robot_file_destroy(ccd_robot_file *file);

/* ---- volume ---------------------------------------------------------------------------------------------------------- */

/**
 * A deforming mesh of elements: tetrahedra, hexahedra, prisms, pyramids and shells, in any mixture. It keeps search structures from step
 * to step. Calls on one volume from several threads run one after the other.
 *
 * Its features are its vertices, unique edges and unique triangles (faces), interior ones included. A quadrilateral side is two
 * triangles; their common diagonal goes through the corner with the least index (where vertices were split: the least origin,
 * see ccd_volume_origins). A step tests every vertex with every face that does not contain it, and every two edges without a common
 * vertex.
 */
typedef struct ccd_volume ccd_volume;

/* Types of elements. The numbers and the order of the corners are VTK's. */
#define CCD_ELEMENT_TRIANGLE 5      /* a shell of 3 corners */
#define CCD_ELEMENT_QUADRILATERAL 9 /* a shell of 4 */
#define CCD_ELEMENT_TETRAHEDRON 10  /* 4 */
#define CCD_ELEMENT_HEXAHEDRON 12   /* 8 */
#define CCD_ELEMENT_PRISM 13        /* 6 */
#define CCD_ELEMENT_PYRAMID 14      /* 5, the apex last */

/* The class of a pair of features: the first that applies, in the order of this list. */
#define CCD_VOLUME_WITHIN_ELEMENT 4u  /* one element has all vertices of both: contact means that it is squeezed flat */
#define CCD_VOLUME_AT_SPLIT 8u        /* a vertex of each was split from the same vertex, and these two coincide at t = 0 */
#define CCD_VOLUME_WITHIN_OBJECT 2u   /* both are of one connected component */
#define CCD_VOLUME_BETWEEN_OBJECTS 1u /* any other pair */
/* May be added to a selection of classes: test only features of the surface. Selection 0 stands for all classes except
 * CCD_VOLUME_AT_SPLIT, on the surface and inside. */
#define CCD_VOLUME_SURFACE 16u

/** One impact of a volume. 152 bytes, no hidden padding. */
typedef struct ccd_volume_impact {
    ccd_impact impact;   /*   0  a, b: indices of a vertex and a face, or of two edges */
    int32_t vertices[4]; /* 120  v f0 f1 f2, or a0 a1 b0 b1; those of a feature in rising order */
    int32_t elements[2]; /* 136  the element with both features, in both entries; else the least with a, and with b */
    uint32_t pair_class; /* 144  CCD_VOLUME_WITHIN_ELEMENT ... */
    uint32_t reserved;   /* 148  0 */
} ccd_volume_impact;

/** A list of impacts of a volume. */
typedef struct ccd_volume_impacts ccd_volume_impacts;

/**
 * Create a volume of `vertices` vertices and n elements: kinds holds their types, corners their vertices, element by element.
 *
 * The message of an error names the element that has an unknown type, a corner out of range or a repeated vertex, that is given twice, or
 * that is the third solid element with a common triangle. *out is a handle to be destroyed, or NULL on error.
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_MEMORY. Since 0.1. Paper: [Tang2011].
 */
ccd_status ccd_volume_create(size_t vertices, const int32_t *kinds, size_t n, const int32_t *corners, size_t n_corners,
                             ccd_volume **out);
ccd_status ccd_volume_destroy(ccd_volume *volume);
/** Numbers of vertices, elements, edges and faces, removed ones included; any of the pointers may be NULL. */
ccd_status ccd_volume_counts(ccd_volume *volume, size_t *vertices, size_t *elements, size_t *edges, size_t *faces);
/** Copy the edges (2 vertices each; -1 in entries not in use); dst, cap and count as in ccd_mesh_edges. */
ccd_status ccd_volume_edges(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the faces (3 vertices each); otherwise as ccd_volume_edges. */
ccd_status ccd_volume_faces(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the type of every element, as ccd_volume_create takes them; 0 for removed elements. */
ccd_status ccd_volume_elements(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the corners of one element after the other, after all edits; removed elements have none. */
ccd_status ccd_volume_corners(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);
/** Copy the origin of every vertex: the original vertex that it was split from, or itself. */
ccd_status ccd_volume_origins(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count);

/*
 * Edits, between steps. An edit that returns an error changes nothing. Elements and vertices keep their indices; edges and faces keep
 * theirs while they exist. Results are those of a new volume with the same elements, but edges and faces may have other indices.
 */

/** Append n vertices: origin[i] is the vertex that the i-th was split from, or -1. *first receives the index of the first. */
ccd_status ccd_volume_add_vertices(ccd_volume *volume, const int32_t *origin, size_t n, int32_t *first);
/** Append n elements, as in ccd_volume_create. *first receives the index of the first. */
ccd_status ccd_volume_add(ccd_volume *volume, const int32_t *kinds, size_t n, const int32_t *corners, size_t n_corners,
                          int32_t *first);
/** Remove these n elements, and the features that no other element has. */
ccd_status ccd_volume_remove(ccd_volume *volume, const int32_t *elements, size_t n);
/** Split a vertex: these n elements get a new vertex, *new_vertex, of the same origin in its place. Several splits open a crack. */
ccd_status ccd_volume_split(ccd_volume *volume, int32_t vertex, const int32_t *elements, size_t n, int32_t *new_vertex);
/** In all elements replace the vertex `from` by `into`. */
ccd_status ccd_volume_merge(ccd_volume *volume, int32_t from, int32_t into);
/**
 * Set a radius for each vertex, as ccd_mesh_set_radii does for a mesh: the separation of a pair of features is min_separation plus both
 * radii, in ccd_volume_earliest and ccd_volume_collisions. A vertex that is added later gets the radius of the vertex that it is split
 * from, or 0; `into` keeps its own in ccd_volume_merge.
 */
ccd_status ccd_volume_set_radii(ccd_volume *volume, const double *radius, size_t n);

/**
 * Earliest impact of a volume over one step.
 *
 * volume     live handle
 * x0, x1     n x 3 doubles, n = vertices of the volume, those in no element included
 * selection  0, or a sum of CCD_VOLUME_*: classes (without any, the default classes) and CCD_VOLUME_SURFACE
 * options    as in ccd_step_earliest. CCD_METHOD_VOLCCD finds pairs as [Tang2011] does: with a tree of 16-DOPs over elements, continuous
 *            separating axes whose signs are exact, and orphan sets that are updated after edits. Its results are those of the default,
 *            which it checks independently; it is slower. stats.boxes counts boxes of features. With a memory_limit boxes are
 *            recomputed instead of stored
 * out        written even on error
 *
 * CCD_SEPARATE is a proof: no selected pair comes within min_separation for t <= t_max. Otherwise none does so for
 * t < out->impact.toi_lo. Of impacts with the same toi_lo, out is the first by kind, then by the vertices of a, then of b, each
 * compared from the largest index down. In a volume without edits that is the order (kind, a, b).
 *
 * Returns as ccd_step_earliest. Same bits for any thread count and SIMD level, and for any earlier steps of the volume. Since 0.1.
 */
ccd_status ccd_volume_earliest(ccd_volume *volume, const double *x0, const double *x1, size_t n, uint32_t selection,
                               const ccd_options *options, ccd_volume_impact *out);
/** List every impact, in the order of ccd_volume_earliest. *out is a handle to be destroyed, or NULL on error. */
ccd_status ccd_volume_collisions(ccd_volume *volume, const double *x0, const double *x1, size_t n, uint32_t selection,
                                 const ccd_options *options, ccd_volume_impacts **out);
ccd_status ccd_volume_impacts_count(ccd_volume_impacts *impacts, size_t *count);
/** Copy the impacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_volume_impacts_copy(ccd_volume_impacts *impacts, ccd_volume_impact *dst, size_t cap, size_t *count);
ccd_status ccd_volume_impacts_destroy(ccd_volume_impacts *impacts);

/**
 * Compute start positions of vertices that were created during a step: x0 = x1 - duration * velocity, where velocity is the mean
 * velocity of each vertex over the step ([Tang2011], section 6.3). x0, x1 and velocity are n x 3; only the `count` listed vertices
 * change.
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, or CCD_E_NONFINITE for duration or the listed rows of x1 and velocity. Nothing is written
 * on error.
 */
ccd_status ccd_volume_backtrack(double *x0, const double *x1, const double *velocity, size_t n, double duration,
                                const int32_t *vertices, size_t count);

/* ---- patch ----------------------------------------------------------------------------------------------------------- */

/* Shapes of patches. */
#define CCD_PATCH_CURVE 1    /* u in [0, 1]; of degree 0 a point */
#define CCD_PATCH_TRIANGLE 2 /* u, v >= 0, u + v <= 1 */
#define CCD_PATCH_QUAD 3     /* u, v in [0, 1] */

/**
 * Shape and degrees of a Bezier patch. The degrees u and v are in [1, 9]; those of a triangle are equal. A curve has v = 0; its u may
 * be 0.
 *
 * Order of the control points. Curve: along u. Quad: point (i, j), i along u and j along v, has the index i (v + 1) + j.
 * Triangle of degree n: with the powers (i, j) of u and v, by rows of equal j: (0,0) (1,0) ... (n,0), (0,1) ... (n-1,1), ..., (0,n).
 */
typedef struct ccd_patch_form {
    int32_t shape; /* CCD_PATCH_CURVE, ... */
    int32_t u, v;
} ccd_patch_form;

/** One impact of two patches. 128 bytes, no hidden padding. Laws 1 to 4 as for ccd_impact; ccd_patch_pair has more on law 4. The
 * points at uv_a and uv_b are within min_separation + tolerance + rounding of each other at toi_hi. */
typedef struct ccd_patch_impact {
    int32_t verdict;       /*   0 */
    uint32_t flags;        /*   4  CCD_INITIAL_CONTACT, CCD_CERTIFIED; if undecided CCD_REASON_... */
    int64_t a, b;          /*   8  indices of the two patches in their bodies; -1 in ccd_patch_pair */
    double toi_lo, toi_hi; /*  24  fractions of the step; +Inf when separate */
    double uv_a[2];        /*  40  parameters of the point of a */
    double uv_b[2];        /*  56  parameters of the point of b */
    double point[3];       /*  72  the point of a at toi_lo */
    double normal[3];      /*  96  unit, from b to a; zeros when separate */
    double width;          /* 120  a length: how far the two points move relative to each other from toi_lo to toi_hi */
} ccd_patch_impact;

/** A body: patches that share an array of control points. */
typedef struct ccd_patch_body ccd_patch_body;
/** A list of impacts of patches. */
typedef struct ccd_patch_impacts ccd_patch_impacts;

/**
 * Earliest impact of two moving Bezier patches, polynomial or rational, of any shapes.
 *
 * a, b            forms
 * a0, a1, b0, b1  control points at t=0 and t=1, 3 doubles each, in the order of the form; each moves on a segment
 * wa, wb          positive weights, one for each control point, the largest at most 2^100 times the least; NULL: all equal
 * options         method: CCD_METHOD_DEFAULT; or, for comparison and slower, CCD_METHOD_TIME_CONTRACTED ([Chen2024], with boxes oriented
 *                 along the patches) or CCD_METHOD_TIGHT_INCLUSION (bisection of the time and of all four parameters). min_separation is
 *                 Euclidean; the call returns CCD_E_UNSUPPORTED for CCD_NORM_MAX. max_iterations bounds the pairs of subpatches of one
 *                 query. memory_limit has two uses: it bounds the working memory of each query, where 0 stands for 256 MiB; and in
 *                 calls on bodies also the list of pairs whose boxes meet and the results, where 0 is no limit. A query that reaches
 *                 max_iterations or its memory is CCD_UNDECIDED, with law 2 as always; its flags have CCD_REASON_ITERATIONS or
 *                 CCD_REASON_MEMORY, and CCD_REASON_AREA where it was spent on contact over an area or along a curve. A call
 *                 with more pairs or results returns CCD_E_MEMORY. A query is also undecided (CCD_REASON_COARSE) if weights are
 *                 so far apart (a ratio of some 10^9) that subpatches of 2^-50 of the parameters are larger than the tolerance.
 *                 CCD_NO_ZERO_TOI: toi_lo > 0 if the distance at t=0 exceeds min_separation by more than rounding. This call passes
 *                 fraction 0 to progress, which may cancel it. threads and scene_bound have no effect
 * out             written even on error
 *
 * CCD_SEPARATE is a proof: the distance exceeds min_separation for all t in [0, t_max]. Otherwise it exceeds min_separation for all
 * t <= out->toi_lo, unless toi_lo is 0. The positions at toi_lo, rounded, may be nearer by rounding. CCD_CONTACT: at toi_hi the distance is
 * at most min_separation + tolerance + rounding. Patches have no CCD_IGNORE_SEPARATING: in a loop of steps apply a share of toi_lo and set
 * CCD_NO_ZERO_TOI; patches that move apart from there are not reported at t = 0.
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_UNSUPPORTED or CCD_E_CANCELLED. Reentrant. Same bits for any SIMD level,
 * also if a and b are exchanged. Since 0.1.
 * Paper: [Chen2024], whose search order is kept; docs/numerics.md derives the bounds, checks and stop criterion.
 */
ccd_status ccd_patch_pair(const ccd_patch_form *a, const double *a0, const double *a1, const double *wa,
                          const ccd_patch_form *b, const double *b0, const double *b1, const double *wb,
                          const ccd_options *options, ccd_patch_impact *out);

/**
 * Create a body of n patches on `points` control points.
 *
 * forms    n of them
 * index    n_index indices: the control points of each patch in turn, in the order of its form
 * weights  one for each entry of index, or NULL: all equal
 * out      a handle to be destroyed, or NULL on error
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_NONFINITE or CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_patch_body_create(size_t points, const ccd_patch_form *forms, size_t n, const int32_t *index, size_t n_index,
                                 const double *weights, ccd_patch_body **out);
/**
 * Create a body of the Bezier patches of a NURBS surface. Its control points are those of the surface: (i, j), i along u and j along v,
 * has the index i n_v + j, with n_v points along v. Weights have the same order.
 *
 * u, v                degrees in [1, 9]; v = 0 and n_knots_v = 0 for a curve
 * knots_u, n_knots_u  in rising order, clamped or not, of any multiplicity; n_knots_u is the number of points along u, plus
 *                     u + 1. The surface is the part over [knots_u[u], knots_u[n_knots_u - u - 1]]; for v alike
 * weights             positive, or NULL: all equal
 *
 * Patches are in row-major order: v varies fastest. Each query's error bounds include the rounding of the conversion.
 */
ccd_status ccd_patch_body_create_nurbs(int32_t u, int32_t v, const double *knots_u, size_t n_knots_u, const double *knots_v,
                                       size_t n_knots_v, const double *weights, ccd_patch_body **out);
/**
 * Create a body of n finite elements of higher order, which are given by their nodes: elements P2, P3, P4 (triangles), Q2, Q3 ...
 * (quads), and curves. Nodes are equidistant in the parameters and move on segments. The body's control points, in all calls, are
 * the nodes.
 *
 * points    number of nodes
 * forms     n of them; degrees at most 6
 * index     n_index indices: the nodes of each element in turn, in the order of the control points of its form: node (i, j) is at the
 *           parameters i / u, j / v. (Python's ccd.patch.Form.nodes has the orders of Gmsh and VTK.)
 * out       a handle to be destroyed, or NULL on error
 *
 * Each query converts the nodes to control points, and its error bounds include the rounding of that: a result is about the
 * elements themselves. Elements that share the nodes of an edge are neighbors in ccd_patch_self_*. Coordinates of nodes are at
 * most 1e140 in magnitude.
 *
 *   ccd_patch_form p2 = {CCD_PATCH_TRIANGLE, 2, 2};
 *   int32_t nodes[6] = {0, 3, 1, 5, 4, 2}; // corners 0, 1, 2, then the middles of 01, 12 and 20, as in VTK and Gmsh
 *   ccd_patch_body *body;
 *   ccd_status status = ccd_patch_body_create_lagrange(6, &p2, 1, nodes, 6, &body);
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX or CCD_E_MEMORY. Since 0.1.
 */
ccd_status ccd_patch_body_create_lagrange(size_t points, const ccd_patch_form *forms, size_t n, const int32_t *index,
                                          size_t n_index, ccd_patch_body **out);
ccd_status ccd_patch_body_destroy(ccd_patch_body *body);
/** Numbers of control points and of patches; either pointer may be NULL. */
ccd_status ccd_patch_body_counts(ccd_patch_body *body, size_t *points, size_t *patches);

/**
 * Create a body of the same patches, trimmed: of a patch, the part counts that lies within the loops of its face. Several patches may
 * belong to one face, as the Bezier patches of a NURBS surface do. A face has its own plane, that of its surface's parameters, in which
 * the loops are closed polygons. A point is in the face if a ray from it crosses the loops an odd number of times; so the orientation of
 * a loop has no effect, and a loop within another is a hole.
 *
 * corners, n_corners  x and y of the corners of all loops; the last corner of a loop is joined to its first
 * loops, n_loops      number of corners of each loop, at least 3
 * faces, n_faces      number of loops of each face; 0: all of its patches counts
 * tolerances          2 lengths for each face, along x and y: how far the polygons may be from the curves that are meant
 * face_of, n          face of each patch; n must equal the number of patches
 * windows             4 doubles for each patch: x at u = 0 and at u = 1, y at v = 0 and at v = 1, in the plane of its face
 * out                 a handle to be destroyed, or NULL on error
 *
 * In all calls CCD_SEPARATE is then a proof for the points of the faces and those within the tolerance of the loops along both axes.
 * CCD_CONTACT: the points at uv_a and uv_b belong to the faces, or are that near to the loops. Curves can have no loops. The methods
 * CCD_METHOD_TIME_CONTRACTED and CCD_METHOD_TIGHT_INCLUSION return CCD_E_UNSUPPORTED for faces with loops.
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_INDEX, CCD_E_NONFINITE, CCD_E_HANDLE or CCD_E_MEMORY. Since 0.1. Laws F1 to F6 of
 * docs/numerics.md.
 */
ccd_status ccd_patch_body_trim(ccd_patch_body *body, const double *corners, size_t n_corners, const int32_t *loops,
                               size_t n_loops, const int32_t *faces, const double *tolerances, size_t n_faces,
                               const int32_t *face_of, const double *windows, size_t n, ccd_patch_body **out);
/**
 * Create a trimmed body whose faces have curves or points in common: the edges and vertices of a solid. ccd_patch_self_* take the faces
 * for neighbors there, whatever the rounding of their control points.
 *
 * body               a handle that ccd_patch_body_trim or this function made; its own joints stay
 * joints, n_joints   3 numbers for each: the two faces, which may be one, and how many places follow; 1 for a vertex
 * places, n_places   4 doubles each: x, y in the plane of the first face, and x, y of the same point in that of the second. Each place
 *                    of a joint is joined to the next by a segment in both planes
 * out                a handle to be destroyed, or NULL on error
 *
 * Pairs of points that both differ by at most the neighbourhood, in every parameter of their patches, from one place of a joint are not
 * tested. They count as unresolved, unless all control points of both patches have the same displacement, so that nothing changes.
 *
 * Returns as ccd_patch_body_trim. Since 0.1.
 */
ccd_status ccd_patch_body_join(ccd_patch_body *body, const int32_t *joints, size_t n_joints, const double *places,
                               size_t n_places, ccd_patch_body **out);
/** Number of faces of a trimmed body; 0 for one that is not trimmed. faces may be NULL. */
ccd_status ccd_patch_body_faces(ccd_patch_body *body, size_t *faces);

/**
 * Earliest impact between two bodies over a step.
 *
 * a, b            live handles, which may be the same; read only; threads may share them
 * a0, a1, n_a     control points of a at t=0 and t=1, n_a x 3 doubles each; n_a must equal their number in a
 * b0, b1, n_b     those of b
 * options, out    as in ccd_patch_pair, for each pair of patches; threads has an effect. stats: boxes counts boxes of patches,
 *                 candidates[0] pairs of patches whose boxes meet, impacts the results (in this call: the impacts found on the way to
 *                 the earliest), undecided the queries that are CCD_UNDECIDED. The bits of toi_lo and toi_hi depend neither on the
 *                 number of threads nor on the order of the patches
 *
 * CCD_SEPARATE is a proof for all pairs. Otherwise all keep more than min_separation for t <= out->toi_lo, unless it is 0. Patches of one
 * body are not tested against each other: see ccd_patch_self_earliest.
 *
 * Returns as ccd_patch_pair, or CCD_E_HANDLE or CCD_E_CANCELLED.
 */
ccd_status ccd_patch_earliest(ccd_patch_body *a, const double *a0, const double *a1, size_t n_a, ccd_patch_body *b,
                              const double *b0, const double *b1, size_t n_b, const ccd_options *options,
                              ccd_patch_impact *out);
/**
 * List the impact of every pair of patches that is not separate, in the order (toi_lo, a, b), as a handle to be destroyed. Same bits for
 * any number of threads.
 */
ccd_status ccd_patch_collisions(ccd_patch_body *a, const double *a0, const double *a1, size_t n_a, ccd_patch_body *b,
                                const double *b0, const double *b1, size_t n_b, const ccd_options *options,
                                ccd_patch_impacts **out);
/**
 * Sample where two bodies first come into contact: the earliest impact first, then others that begin within t_window after it, with
 * points at least min_distance from each other. t_window is in [0, 1], min_distance is a positive length. If the earliest impact is
 * undecided, it is the only one; if the bodies are separate, there is none. stats.undecided also counts pairs that reached max_iterations
 * or their memory before the sample covered all their contacts. Paper: [Chen2024], section 5.3.
 */
ccd_status ccd_patch_manifold(ccd_patch_body *a, const double *a0, const double *a1, size_t n_a, ccd_patch_body *b,
                              const double *b0, const double *b1, size_t n_b, double t_window, double min_distance,
                              const ccd_options *options, ccd_patch_impacts **out);

/** Pairs that a call on a body against itself could not decide. 16 bytes. */
typedef struct ccd_patch_unresolved {
    int64_t pairs; /*   0  pairs of adjacent parts not proven separate up to t_max, or up to the earliest impact */
    double t_from; /*   8  they are proven separate for t < t_from; +Inf if there are none */
} ccd_patch_unresolved;

/**
 * Earliest impact of a body with itself, between two patches or within one: out->a <= out->b.
 *
 * Two patches are joined along an edge, at a corner or along a collapsed edge if their control points there are equal (and their weights
 * proportional) at both ends of the step. Joined patches touch there at all times, as a patch touches itself: these common points are no
 * contact. Pairs of points near them may be nearer than min_separation without contact. So two points that both differ by at most the
 * neighbourhood, in every parameter, from one common point (within one patch: from any point) may be tested with min_separation 0. If
 * even that decides nothing, as at a fold, they are unresolved. All other pairs of points are tested in full. Choose a neighbourhood
 * wider than min_separation over the size of a patch, else a flat sheet is within min_separation of itself.
 *
 * body, x0, x1, n  a live handle and its control points at t=0 and t=1, n x 3 doubles each; n must equal their number
 * neighbourhood    in [2^-20, 1/2], rounded down to a power of two; 0 stands for 1/64
 * options, out     as in ccd_patch_earliest; only CCD_METHOD_DEFAULT
 * unresolved       if not NULL, receives the unresolved pairs
 *
 * CCD_SEPARATE is a proof for all pairs of points except the unresolved ones. Otherwise all other pairs keep more than min_separation
 * for t < out->toi_lo. The proof has no gap if unresolved->pairs is 0, or if unresolved->t_from >= out->toi_lo. Else the least of
 * toi_lo and t_from is the safe time of the whole body: from t_from on parts within the neighbourhood may
 * touch or fold; a narrower one usually decides. Pairs within the neighbourhood that are proven with min_separation 0 are not counted:
 * they do not touch, but may come nearer than min_separation.
 *
 * Returns as ccd_patch_earliest.
 */
ccd_status ccd_patch_self_earliest(ccd_patch_body *body, const double *x0, const double *x1, size_t n, double neighbourhood,
                                   const ccd_options *options, ccd_patch_impact *out, ccd_patch_unresolved *unresolved);
/** List the impact of every pair of patches of a body, a <= b, that is not separate: as ccd_patch_collisions. */
ccd_status ccd_patch_self_collisions(ccd_patch_body *body, const double *x0, const double *x1, size_t n,
                                     double neighbourhood, const ccd_options *options, ccd_patch_impacts **out,
                                     ccd_patch_unresolved *unresolved);
/** Sample where a body first comes into contact with itself: as ccd_patch_manifold. */
ccd_status ccd_patch_self_manifold(ccd_patch_body *body, const double *x0, const double *x1, size_t n, double t_window,
                                   double min_distance, double neighbourhood, const ccd_options *options,
                                   ccd_patch_impacts **out, ccd_patch_unresolved *unresolved);

ccd_status ccd_patch_impacts_count(ccd_patch_impacts *impacts, size_t *count);
/** Copy the impacts in their order; cap, count and errors as in ccd_mesh_edges. */
ccd_status ccd_patch_impacts_copy(ccd_patch_impacts *impacts, ccd_patch_impact *dst, size_t cap, size_t *count);
ccd_status ccd_patch_impacts_destroy(ccd_patch_impacts *impacts);

/* ---- files ----------------------------------------------------------------------------------------------------------- */

/** A surface read from a file, or made of arrays by ccd_surface_file_clean. */
typedef struct ccd_surface_file ccd_surface_file;

/**
 * Read an OBJ, PLY (ascii, binary little or big endian), STL (ascii, binary) or OFF file, or the triangles, quadrilaterals and lines
 * of a file that ccd_cells_read reads. The content determines the format.
 * Convex polygons become fans of triangles, others are cut by ears; STL vertices with the same coordinates become one. What
 * ccd_mesh_create refuses is left out, and counted by ccd_surface_file_left_out. Cells of order 2 become flat triangles between their
 * nodes (ccd_surface_file_deviation). Of solids of order 2 and of polyhedra without faces of their own the boundary is read.
 *
 * path names a regular file, in UTF-8; pipes, sockets and devices are rejected. Reading takes at most 80 times the file's size in memory;
 * a compressed VTU may take more: three times the bytes of the points, of the data at points and of the cells that its pieces declare
 * (LZ4 may pack 255 bytes into one, zlib 1032, LZMA 7100). The message of an error quotes numbers and keywords of the format, and nothing
 * else of the file. *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_FILE. Since 0.1.
 */
ccd_status ccd_surface_file_read(const char *path, ccd_surface_file **out);
/** Numbers of vertices, of edges that the file lists (line elements), and of triangles; any pointer may be NULL. */
ccd_status ccd_surface_file_counts(ccd_surface_file *file, size_t *vertices, size_t *edges, size_t *faces);
/** Copy the arrays: n x 3 doubles, 2 and 3 indices each. Any pointer may be NULL; each array must have room for its count. */
ccd_status ccd_surface_file_copy(ccd_surface_file *file, double *vertices, int32_t *edges, int32_t *faces);
/**
 * Copy the vertices that no face, edge or point of the file uses, ascending; cap, count and errors as in ccd_mesh_edges. They are no
 * particles unless you ask for them: mark them for ccd_mesh_create_ignoring. In a file without faces and edges all vertices are used.
 */
ccd_status ccd_surface_file_unused(ccd_surface_file *file, int32_t *dst, size_t cap, size_t *count);
/**
 * How far curved faces and lines of the file, those of cells of order 2, are at most from the flat ones that the file has here: a length,
 * 0 where it has none. Between two frames whose nodes move on straight lines it is at most the larger one of the two. Returns CCD_OK,
 * CCD_E_HANDLE, CCD_E_ARGUMENT. Since 0.1.
 */
ccd_status ccd_surface_file_deviation(ccd_surface_file *file, double *deviation);
/**
 * Numbers of the kinds of things that the reader left out, of the fields of data at the points of the file, and of other remarks; any
 * pointer may be NULL. The three calls below take an index below these numbers; another one is CCD_E_INDEX.
 */
ccd_status ccd_surface_file_remarks(ccd_surface_file *file, size_t *left_out, size_t *fields, size_t *notes);
/**
 * What was left out, a plural as "faces given twice", and how many. Copies at most cap - 1 bytes and a terminating NUL into text (which
 * may be NULL when cap is 0); *length gets the length of the whole text, in UTF-8, without the NUL.
 */
ccd_status ccd_surface_file_left_out(ccd_surface_file *file, size_t index, char *text, size_t cap, size_t *length,
                                     size_t *count);
/** A remark of the reader, a sentence; text, cap and length as in ccd_surface_file_left_out. */
ccd_status ccd_surface_file_note(ccd_surface_file *file, size_t index, char *text, size_t cap, size_t *length);
/** Name of a field of data at the points, as a displacement, and its numbers for each vertex; text as in ccd_surface_file_left_out. */
ccd_status ccd_surface_file_field(ccd_surface_file *file, size_t index, char *text, size_t cap, size_t *length,
                                  size_t *components);
/** Copy the values of a field, n x components doubles, some of which may be NaN or infinite; values has room for them. */
ccd_status ccd_surface_file_field_values(ccd_surface_file *file, size_t index, double *values);
/**
 * Do for arrays what ccd_surface_file_read does for files: leave out the faces and edges that ccd_mesh_create refuses, and count them. A
 * face that repeats a vertex is a segment, and becomes an edge where no face has that edge. Of faces given twice the first stays.
 * edges are codimensional ones; those of the faces need not be among them. NULL: none.
 * *out is a handle to be destroyed, or NULL on error. Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX. Since 0.1.
 */
ccd_status ccd_surface_file_clean(const double *x, size_t n, const int32_t *edges, size_t n_edges, const int32_t *faces,
                                  size_t n_faces, ccd_surface_file **out);
ccd_status ccd_surface_file_destroy(ccd_surface_file *file);

/**
 * Find the vertices that are copies of an earlier one, as writers make them that give each element points of its own. places[i] becomes
 * the number of the place of vertex i; places are numbered in the order of their first vertices, and *count receives their number.
 * Later frames of the same file have the same places, wherever their vertices are.
 *
 * x       n x 3 doubles, finite
 * bits    in [0, 48]. A vertex is a copy of the first of a place if no coordinate differs by more than 2^bits - 1 units in the last place
 *         of the largest coordinate; of single precision where all coordinates are exact in it. 0: equal coordinates
 * places  n numbers
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE. Since 0.1.
 */
ccd_status ccd_points_weld(const double *x, size_t n, int32_t bits, int32_t *places, size_t *count);

/**
 * Cut polygons into triangles between their corners, as the readers of files do, so that the triangles of each polygon cover it and
 * nothing else: a convex one becomes a fan, another one is cut by ears. A polygon of k corners becomes k - 2 triangles.
 *
 * x          n x 3 doubles, finite
 * corners    the vertices of one polygon after the other; none repeats the one before it in its polygon
 * sizes      for each polygon its number of corners, 3 or more, at most 1000 if it is not convex; their sum is n_corners
 * triangles  receives the 3 vertices of each of the n_corners - 2 n_polygons triangles, in the order of the polygons
 * crossed    receives the number of polygons that cross themselves; they have no inside and become fans. May be NULL
 *
 * Returns CCD_OK, CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX. Since 0.1.
 */
ccd_status ccd_polygons_cut(const double *x, size_t n, const int32_t *corners, size_t n_corners, const int32_t *sizes,
                            size_t n_polygons, int32_t *triangles, size_t *crossed);

/** Elements read from a file. */
typedef struct ccd_cells ccd_cells;

/**
 * Read a file of elements: VTK's unstructured grids, legacy (text, binary) and XML (text, base64, appended, zlib); Gmsh MSH 2 and 4
 * (text, binary); MEDIT .mesh and .meshb. The content determines the format. Points and lines among the cells, ghost cells, and
 * elements given twice are left out; ccd_cells_left_out counts them. Otherwise as ccd_surface_file_read.
 */
ccd_status ccd_cells_read(const char *path, ccd_cells **out);
/** Numbers of vertices, of elements, and of the corners of all elements; any pointer may be NULL. */
ccd_status ccd_cells_counts(ccd_cells *cells, size_t *vertices, size_t *elements, size_t *corners);
/** Copy the arrays, as ccd_volume_create takes them; any pointer may be NULL; each array must have room for its count. */
ccd_status ccd_cells_copy(ccd_cells *cells, double *vertices, int32_t *kinds, int32_t *corners);
/** Numbers of what was left out, of fields and of notes, as ccd_surface_file_remarks. */
ccd_status ccd_cells_remarks(ccd_cells *cells, size_t *left_out, size_t *fields, size_t *notes);
/** What was left out, and how many, as ccd_surface_file_left_out. */
ccd_status ccd_cells_left_out(ccd_cells *cells, size_t index, char *text, size_t cap, size_t *length, size_t *count);
/** A remark of the reader, as ccd_surface_file_note. */
ccd_status ccd_cells_note(ccd_cells *cells, size_t index, char *text, size_t cap, size_t *length);
/** A field of data at the points, as ccd_surface_file_field. */
ccd_status ccd_cells_field(ccd_cells *cells, size_t index, char *text, size_t cap, size_t *length, size_t *components);
/** The values of a field, as ccd_surface_file_field_values. */
ccd_status ccd_cells_field_values(ccd_cells *cells, size_t index, double *values);
ccd_status ccd_cells_destroy(ccd_cells *cells);

/** Bezier patches read from a file. */
typedef struct ccd_patch_model ccd_patch_model;

/**
 * Read curved patches: a list of Bezier patches in one of the two text formats of the Utah teapot, OBJ with Bezier and B-spline curves
 * and surfaces, rational or not (its polygons become linear triangles), or JSON with NURBS (core/patch/json.go describes the format).
 * NURBS and B-splines become Bezier patches, at up to 310 bytes a control point. The message of an error names the line. Otherwise as
 * ccd_surface_file_read.
 */
ccd_status ccd_patch_model_read(const char *path, ccd_patch_model **out);
/**
 * Numbers of control points, patches, indices, and weights (0: all are equal). *lost receives a bound on the rounding error of knot
 * insertion: no coordinate of the surface is farther than this length from the file's. Any pointer may be NULL.
 */
ccd_status ccd_patch_model_counts(ccd_patch_model *model, size_t *points, size_t *patches, size_t *indices, size_t *weights,
                                  double *lost);
/** Copy the arrays, as ccd_patch_body_create takes them; any pointer may be NULL; each array must have room for its count. */
ccd_status ccd_patch_model_copy(ccd_patch_model *model, double *points, ccd_patch_form *forms, int32_t *index,
                                double *weights);
ccd_status ccd_patch_model_destroy(ccd_patch_model *model);

#ifdef __cplusplus
}
#endif

#endif /* LIBCCD_TOI_CCD_H */
