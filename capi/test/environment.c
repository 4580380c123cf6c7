/*
 * environment.c - answers have the same bits whatever floating-point environment the host has chosen for its thread, with any
 * number of threads, and the host finds its environment as it left it, sticky flags included.
 *
 * Every package is called. Coordinates of 1e-310 come and go with denormals, others are such that bounds are decided by a rounding.
 */
#include "check.h"

#include <fenv.h>
#include <math.h>

/* ---- what a host may have done ---- */

#if defined(__x86_64__)
typedef uint32_t word; /* MXCSR */
static word get(void) { return __builtin_ia32_stmxcsr(); }
static void set(word w) { __builtin_ia32_ldmxcsr(w); }
static const struct {
    const char *name;
    word word;
} hosts[] = {
    {"defaults", 0x1f80},
    {"rounding down", 0x3f80},
    {"rounding up", 0x5f80},
    {"rounding to zero", 0x7f80},
    {"denormal results to zero", 0x9f80},
    {"denormal operands as zero", 0x1fc0},
    {"-ffast-math", 0x9fc0},
    {"-ffast-math, rounding up, flags set", 0xdffd},
    {"traps", 0x0000},
    {"traps for invalid, zero and overflow", 0x1900},
};
#elif defined(__aarch64__)
typedef uint64_t word; /* FPCR, and FPSR above it */
static word get(void) {
    uint64_t control, flags;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags) : : "memory");
    return control | flags << 32;
}
static void set(word w) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(w & 0xffffffff), "r"(w >> 32) : "memory");
}
static const struct {
    const char *name;
    word word;
} hosts[] = {
    {"defaults", 0},
    {"rounding up", 1u << 22},
    {"rounding down", 2u << 22},
    {"rounding to zero", 3u << 22},
    {"denormals to zero", 1u << 24},
    {"default NaN", 1u << 25},
    {"-ffast-math, rounding up, flags set", 1u << 24 | 1u << 22 | (word)0x1f << 32},
};
#else
typedef int word;
static word get(void) { return fegetround(); }
static void set(word w) { fesetround(w); }
static const struct {
    const char *name;
    word word;
} hosts[] = {
    {"defaults", FE_TONEAREST},
    {"rounding down", FE_DOWNWARD},
    {"rounding up", FE_UPWARD},
    {"rounding to zero", FE_TOWARDZERO},
};
#endif
enum { HOSTS = sizeof hosts / sizeof *hosts };

static const char *name; /* name of the host that is played now */

/* ---- answers, as one number a room; whole numbers alone, for the host's arithmetic is not to be trusted ---- */

static uint64_t digest(uint64_t h, const void *bytes, size_t size) { /* FNV-1a */
    for (size_t i = 0; i < size; i++) {
        h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    }
    return h;
}
#define ADD(thing) (h = digest(h, &(thing), sizeof(thing)))
/* A list of items that a handle has: all are added, and the handle is destroyed. */
#define ADD_LIST(noun, item, handle)                                                                                       \
    do {                                                                                                                   \
        static ccd_##item list[4096];                                                                                      \
        size_t count = 0;                                                                                                  \
        OK(ccd_##noun##_copy(handle, list, 4096, &count));                                                                 \
        CHECK(count > 0);                                                                                                  \
        h = digest(h, list, count * sizeof *list);                                                                         \
        OK(ccd_##noun##_destroy(handle));                                                                                  \
    } while (0)

enum { QUERIES = 160, SCALES = 4, SIDE = 9, POINTS = 2 * SIDE * SIDE, FACES = 4 * (SIDE - 1) * (SIDE - 1) };
static double queries[SCALES][24 * QUERIES], x0[3 * POINTS], x1[3 * POINTS];
static ccd_options with[8];
static ccd_mesh *mesh;
static ccd_rigid_body *body;
static ccd_volume *volume;

static uint32_t random_state = 1;
static double uniform(void) { /* a number in [-1, 1) */
    random_state = random_state * 1664525u + 1013904223u;
    return ldexp((double)(random_state >> 8), -23) - 1;
}

/* Queries of all scales, every third of which meets in a grid's points, where signs vanish; a cloth of two wavy sheets that cross. */
static void prepare(void) {
    const double scale[SCALES] = {1, 1e-310, 1e100, 1e-150};
    for (int s = 0; s < SCALES; s++) {
        for (int i = 0; i < 24 * QUERIES; i++) {
            double x = uniform();
            queries[s][i] = scale[s] * (i / 24 % 3 == 0 ? floor(3 * x) : x) + (i / 24 % 4 == 1 ? scale[s] : 0);
        }
    }
    for (int i = 0; i < 8; i++) {
        ccd_options_init(&with[i], sizeof with[i]);
    }
    with[1].method = CCD_METHOD_TIGHT_INCLUSION;
    with[1].max_iterations = 2000;
    with[2].method = CCD_METHOD_TIME_CONTRACTED;
    with[3].min_separation = 0x1p-7;
    with[4].min_separation = 0x1p-6;
    with[4].norm = CCD_NORM_MAX;
    with[5].flags = CCD_NO_ZERO_TOI;
    with[6].min_separation = 1e-311;
    with[7].tolerance = 1e-310;
    with[7].max_iterations = 2000;

    static int32_t faces[3 * FACES];
    int f = 0;
    for (int i = 0; i < POINTS; i++) {
        int sheet = i / (SIDE * SIDE), column = i % SIDE, row = i / SIDE % SIDE;
        const double wave = 0.05 * uniform(), x[3] = {column + 0.3 * sheet, row + 0.2 * sheet, sheet + wave};
        memcpy(x0 + 3 * i, x, sizeof x);
        memcpy(x1 + 3 * i, x, sizeof x);
        x1[3 * i + 2] -= 2.1 * sheet;
        if (column + 1 < SIDE && row + 1 < SIDE) {
            const int32_t two[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(faces + 6 * f++, two, sizeof two);
        }
    }
    OK(ccd_mesh_create(POINTS, NULL, 0, faces, FACES, &mesh));
    static const double tetra[12] = {0, 0, 0, 1, 0, 1, -1, 1, 1, -1, -1, 1};
    static const int32_t sides[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    OK(ccd_rigid_body_create(tetra, 4, sides, 4, &body));
    static const int32_t kinds[2] = {CCD_ELEMENT_TETRAHEDRON, CCD_ELEMENT_TETRAHEDRON};
    static const int32_t corners[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    OK(ccd_volume_create(5, kinds, 2, corners, 8, &volume));
}

/* A separation belongs to a scale. */
static int asked(int o, int scale) { return (o != 3 && o != 6) || scale == (o == 3 ? 0 : 1); }

static uint64_t pairs(int o, int threads) {
    static ccd_status (*const all[4])(const double *, size_t, const ccd_options *, ccd_impact *) = {
        ccd_pairs_vertex_face, ccd_pairs_edge_edge, ccd_pairs_point_edge, ccd_pairs_point_point};
    static ccd_impact out[QUERIES];
    uint64_t h = 0;
    ccd_options options = with[o];
    options.threads = threads;
    for (int kind = 0; kind < 4; kind++) {
        for (int s = 0; s < SCALES; s++) {
            if (asked(o, s)) {
                OK(all[kind](queries[s], QUERIES, &options, out));
                ADD(out);
            }
        }
    }
    return h;
}

/* One by one: other code, on the caller's thread. */
static uint64_t singles(void) {
    ccd_impact out;
    uint64_t h = 0;
    for (int o = 0; o < 8; o++) {
        for (int i = 0; i < QUERIES; i++) {
            if (asked(o, i % SCALES)) {
                OK(ccd_pair_vertex_face(queries[i % SCALES] + 24 * i, &with[o], &out));
                ADD(out);
                OK(ccd_pair_edge_edge(queries[i % SCALES] + 24 * i, &with[o], &out));
                ADD(out);
            }
        }
    }
    return h;
}

/* Rows, masses and colors of constraints; every third vertex has a denormal inverse mass. */
static uint64_t contact_rows(uint64_t h, ccd_constraints *constraints) {
    enum { MOST = 4096 };
    static ccd_constraint list[MOST];
    static int32_t starts[3 * MOST + 1], columns[36 * MOST], colors[MOST];
    static double values[36 * MOST], masses[MOST], inverse[POINTS];
    size_t count = 0;
    OK(ccd_constraints_copy(constraints, list, MOST, &count));
    for (int i = 0; i < POINTS; i++) {
        inverse[i] = i % 3 == 0 ? 1e-310 : i % 3;
    }
    OK(ccd_step_jacobian(list, count, POINTS, CCD_FRAME_CONTACT, starts, columns, values));
    OK(ccd_step_effective_mass(list, count, inverse, POINTS, masses));
    OK(ccd_step_colors(list, count, POINTS, inverse, colors, NULL));
    ADD(starts);
    ADD(columns);
    ADD(values);
    ADD(masses);
    ADD(colors);
    return h;
}

static uint64_t steps(int threads) {
    uint64_t h = 0;
    ccd_options options = with[3];
    ccd_impact first;
    ccd_impacts *impacts = NULL;
    ccd_constraints *constraints = NULL;
    ccd_linesearch_bound bound;
    double alpha;
    options.threads = threads;
    OK(ccd_step_earliest(mesh, x0, x1, POINTS, &options, &first));
    ADD(first);
    OK(ccd_step_size(mesh, x0, x1, POINTS, &options, &alpha));
    ADD(alpha);
    double moved[3 * POINTS];
    OK(ccd_step_advance(mesh, x0, x1, POINTS, 0.9, &options, &alpha, moved));
    ADD(alpha);
    ADD(moved);
    double alphas[POINTS];
    ccd_sizes_report report;
    OK(ccd_step_sizes(mesh, x0, x1, POINTS, NULL, 0.9, 0.5, 64, &options, alphas, moved, &report));
    ADD(alphas);
    ADD(moved);
    ADD(report);
    ccd_scene *scene = NULL;
    OK(ccd_scene_create(mesh, x0, POINTS, &scene));
    OK(ccd_scene_sizes(scene, NULL, x1, POINTS, NULL, 0.9, 0.5, 64, &options, alphas, moved, &report));
    ADD(alphas);
    ADD(moved);
    OK(ccd_scene_commit_proven(scene));
    OK(ccd_scene_earliest(scene, NULL, x1, POINTS, &options, &first));
    ADD(first);
    OK(ccd_scene_destroy(scene));
    ccd_gradient gradient;
    OK(ccd_step_gradients(mesh, x0, x1, POINTS, &first, 1, &options, &gradient));
    ADD(gradient);
    OK(ccd_step_linesearch(mesh, x0, x1, POINTS, 0.2, &options, &bound));
    ADD(bound);
    OK(ccd_step_collisions(mesh, x0, x1, POINTS, &options, &impacts));
    ADD_LIST(impacts, impact, impacts);
    OK(ccd_step_activeset(mesh, x0, x1, POINTS, &options, &constraints));
    h = contact_rows(h, constraints);
    ADD_LIST(constraints, constraint, constraints);
    ccd_intervals *intervals = NULL;
    options.norm = CCD_NORM_EUCLIDEAN;
    options.method = CCD_METHOD_EXACT;
    OK(ccd_step_intervals(mesh, x0, x1, POINTS, &options, &intervals));
    ADD_LIST(intervals, interval, intervals);
    return h;
}

static uint64_t proximity(int threads) {
    uint64_t h = 0;
    ccd_options options = with[0];
    ccd_near_pair nearest;
    ccd_near_pairs *near = NULL;
    int32_t meets;
    options.threads = threads;
    OK(ccd_proximity_distance(mesh, x0, POINTS, &options, &nearest));
    ADD(nearest);
    OK(ccd_proximity_near(mesh, x0, POINTS, 0.9, &options, &near));
    ADD_LIST(near_pairs, near_pair, near);
    OK(ccd_proximity_intersects(mesh, x1, POINTS, &options, &meets));
    ADD(meets);
    return h;
}

static uint64_t solids(void) {
    uint64_t h = 0;
    const ccd_rigid_motion still = {
        .rotation = {1, 0, 0, 0}, .position = {0, 0, -2.5}, .angular_velocity = {0.1, 0.2, 0.3}};
    const ccd_rigid_motion down = {
        .rotation = {2, 1, 0, 0}, .position = {0.1, 0, 1}, .velocity = {0, 0, -5}, .angular_velocity = {0, 0, 3}};
    const int32_t methods[3] = {CCD_METHOD_DEFAULT, CCD_METHOD_D2M, CCD_METHOD_D2M_SPHERES};
    for (int i = 0; i < 3; i++) {
        ccd_rigid_impact hit;
        ccd_options options;
        ccd_options_init(&options, sizeof options);
        options.method = methods[i];
        OK(ccd_rigid_earliest(body, &down, body, &still, &options, &hit));
        ADD(hit);
    }
    double rotation[4], position[3];
    OK(ccd_rigid_motion_pose(&down, 0.7, rotation, position));
    ADD(rotation);
    ADD(position);

    static const double v0[15] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 2, 1, 1, -2};
    static const double v1[15] = {0, 0.1, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1.2, -2};
    ccd_volume_impacts *impacts = NULL;
    OK(ccd_volume_collisions(volume, v0, v1, 5, 0, NULL, &impacts));
    ADD_LIST(volume_impacts, volume_impact, impacts);

    static const ccd_patch_form plane = {CCD_PATCH_QUAD, 1, 1}, point = {CCD_PATCH_CURVE, 0, 0};
    static const double bent[12] = {0, 0, 0.1, 0, 1, 0, 1, 0, 0, 1, 1, 0.2}, above[3] = {.3, .4, 1},
                        below[3] = {.2, .5, -1};
    ccd_patch_impact hit;
    OK(ccd_patch_pair(&plane, bent, bent, NULL, &point, above, below, NULL, NULL, &hit));
    ADD(hit);
    return h;
}

/* ---- the test ---- */

enum { STEPS = 8, PROXIMITY, SINGLES, SOLIDS, ROOMS };
static uint64_t want[ROOMS]; /* digests with the defaults, on one thread */

static uint64_t ask(int room, int threads) {
    switch (room) {
    case STEPS:
        return steps(threads);
    case PROXIMITY:
        return proximity(threads);
    case SINGLES:
        return singles();
    case SOLIDS:
        return solids();
    }
    return pairs(room, threads);
}

static void one(int room, word host, int threads) {
    set(host);
    uint64_t got = ask(room, threads);
    word after = get();
    set(hosts[0].word);
    if (after != host) {
        failures++;
        fprintf(stderr, "%s: room %d, %d threads: the environment was %llx, and is %llx after the calls\n", name, room,
                threads, (unsigned long long)host, (unsigned long long)after);
    }
    if (want[room] == 0) {
        want[room] = got;
    } else if (got != want[room]) {
        failures++;
        fprintf(stderr, "%s: room %d, %d threads: other bits than with the defaults\n", name, room, threads);
    }
}

static word meddled; /* what the progress function leaves behind */

static int32_t meddle(double fraction, void *calls) {
    (void)fraction;
    ++*(int *)calls;
    set(meddled);
    return 0;
}

/* What a progress function does to the environment, on whichever thread, ends with it. */
static void callbacks(void) {
    ccd_options options = with[3];
    ccd_impact plain, out;
    OK(ccd_step_earliest(mesh, x0, x1, POINTS, &options, &plain));
    int calls = 0;
    options.progress = meddle;
    options.progress_user = &calls;
    for (options.threads = 1; options.threads < 4; options.threads++) {
        for (int i = 0; i < HOSTS; i++) {
            meddled = hosts[i].word;
            OK(ccd_step_earliest(mesh, x0, x1, POINTS, &options, &out));
            CHECK(get() == hosts[0].word && memcmp(&out, &plain, sizeof out) == 0);
            set(hosts[0].word);
        }
    }
    CHECK(calls > 0);
}

int main(void) {
    set(hosts[0].word); /* also where the library was loaded by a thread with another */
    name = hosts[0].name;
    prepare();
    set(hosts[0].word);
    for (int i = 0; i < HOSTS; i++) {
        name = hosts[i].name;
        for (int room = 0; room < ROOMS; room++) {
            one(room, hosts[i].word, 1);
            if (room < SINGLES) {
                one(room, hosts[i].word, 4);
            }
        }
    }
    callbacks();
    return done();
}
