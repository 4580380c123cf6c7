/* step.c - a step as a value: what each kind of step has and lacks, what it refers to and holds, and threads that share one. */
#include "check.h"

#include <math.h>
#include <pthread.h>

enum { N = TRI_VERTICES };
static const int32_t moved[3] = {3, 4, 5};

/* One of each kind of step, of the same fall, and what it is made of. */
enum { MESH, MOTION, BENT, AMONG, AMONG_MOTION, NEAR, SCENE, KINDS };
static const char *const names[KINDS] = {"mesh",      "motion", "bent", "candidates", "candidates, motion",
                                         "neighbors", "scene"};

static void make(ccd_step *steps[KINDS], const double *x1, ccd_options *o) {
    ccd_mesh *mesh = triangles();
    ccd_motion *straight = NULL, *bent = NULL;
    ccd_candidates *known = NULL;
    ccd_neighbors *list = NULL;
    ccd_scene *scene = NULL;
    double control[9 * N];
    memcpy(control, tri_x0, sizeof tri_x0);
    memcpy(control + 3 * N, x1, 3 * N * sizeof *x1);
    OK(ccd_motion_create(N, 1, 1, NULL, control, NULL, &straight));
    memcpy(control + 6 * N, x1, 3 * N * sizeof *x1);
    memcpy(control + 3 * N, tri_x0, sizeof tri_x0);
    OK(ccd_motion_create(N, 2, 1, NULL, control, NULL, &bent));
    OK(ccd_broad_candidates(mesh, tri_x0, x1, N, o, &known));
    OK(ccd_neighbors_create(mesh, tri_x0, N, 4, NULL, &list));
    OK(ccd_scene_create(mesh, tri_x0, N, &scene));
    OK(ccd_step_create(mesh, tri_x0, x1, N, &steps[MESH]));
    OK(ccd_step_create_motion(mesh, straight, &steps[MOTION]));
    OK(ccd_step_create_motion(mesh, bent, &steps[BENT]));
    OK(ccd_step_create_candidates(known, tri_x0, x1, N, &steps[AMONG]));
    OK(ccd_step_create_candidates_motion(known, straight, &steps[AMONG_MOTION]));
    OK(ccd_step_create_neighbors(list, tri_x0, x1, N, &steps[NEAR]));
    OK(ccd_step_create_scene(scene, moved, x1 + 9, 3, &steps[SCENE]));
    /* The steps hold all of it. */
    OK(ccd_scene_destroy(scene));
    OK(ccd_neighbors_destroy(list));
    OK(ccd_candidates_destroy(known));
    OK(ccd_motion_destroy(bent));
    OK(ccd_motion_destroy(straight));
    OK(ccd_mesh_destroy(mesh));
}

static void destroy(ccd_step *steps[KINDS]) {
    for (int k = 0; k < KINDS; k++) {
        OK(ccd_step_destroy(steps[k]));
        FAILS(ccd_step_destroy(steps[k]), CCD_E_HANDLE, "step was destroyed");
        double alpha = 7;
        FAILS(ccd_step_run_size(steps[k], NULL, &alpha), CCD_E_HANDLE, "step was destroyed");
        CHECK(alpha == 0);
    }
}

static size_t portions; /* impacts that a visitor got */
static int32_t count_them(const ccd_impact *impacts, size_t count, void *user) {
    (void)user;
    CHECK(impacts[0].kind != 0);
    portions += count;
    return 0;
}

/* A call that a step lacks is unsupported, with the reason, and leaves safe values; every other has the results of the mesh. */
static int lacks(ccd_status status, int kind, const char *call, const int *without, const char *why) {
    for (int i = 0; without[i] >= 0; i++) {
        if (without[i] == kind) {
            char text[256];
            ccd_last_error(text, sizeof text);
            if (status != CCD_E_UNSUPPORTED || strstr(text, why) == NULL) {
                fprintf(stderr, "%s of %s: %s (%s)\n", call, names[kind], ccd_status_name(status), text);
            }
            CHECK(status == CCD_E_UNSUPPORTED && strstr(text, why) != NULL);
            return 1;
        }
    }
    if (status != CCD_OK) {
        fprintf(stderr, "%s of %s: %s\n", call, names[kind], ccd_status_name(status));
    }
    CHECK(status == CCD_OK);
    return 0;
}

/* A step between the two primitives of an impact has this impact alone. Steps that choose their pairs have no groups. */
static void check_between(ccd_step *step, int chooses, const ccd_impact *hit, const ccd_options *o) {
    const int32_t first = (int32_t)hit->a, second = (int32_t)hit->b;
    ccd_group a = {0}, b = {0};
    if (hit->kind == CCD_VERTEX_FACE) {
        a.vertices = &first, a.vertex_count = 1;
        b.faces = &second, b.face_count = 1;
    } else {
        a.edges = &first, a.edge_count = 1;
        b.edges = &second, b.edge_count = 1;
    }
    ccd_step *between, *again;
    if (chooses) {
        FAILS(ccd_step_create_between(step, &a, &b, &between), CCD_E_UNSUPPORTED, "between: scenes, neighbor lists");
        CHECK(between == NULL);
        return;
    }
    OK(ccd_step_create_between(step, &a, &b, &between));
    ccd_impacts *list;
    ccd_impact found[2];
    size_t count;
    OK(ccd_step_run_collisions(between, o, &list));
    OK(ccd_impacts_copy(list, found, 2, &count));
    OK(ccd_impacts_destroy(list));
    CHECK(count == 1 && memcmp(&found[0], hit, sizeof *hit) == 0);
    FAILS(ccd_step_create_between(between, &a, &b, &again), CCD_E_UNSUPPORTED, "steps between groups");
    OK(ccd_step_destroy(between));
    FAILS(ccd_step_create_between(step, &a, &a, &between), CCD_E_INDEX, "the groups have it already");
    FAILS(ccd_step_create_between(step, &a, NULL, &between), CCD_E_ARGUMENT, "b is NULL");
    b.vertices = NULL, b.vertex_count = 2;
    FAILS(ccd_step_create_between(step, &a, &b, &between), CCD_E_ARGUMENT, "b.vertices is NULL, but b.vertex_count is 2");
    CHECK(between == NULL);
}

static void every_call_of_every_step(void) {
    enum { MOST = 32 };
    const double *x1 = tri_x1;
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.min_separation = 1.0 / 16;
    ccd_step *steps[KINDS];
    make(steps, x1, &o);
    ccd_impact first = {0};
    size_t count = 0;
    double size = 0;
    for (int k = 0; k < KINDS; k++) {
        ccd_step *s = steps[k];
        const int curved = k == BENT;
        ccd_impact hit, all[MOST], given;
        OK(ccd_step_run_earliest(s, &o, &hit));
        ccd_impacts *list;
        size_t found;
        OK(ccd_step_run_collisions(s, &o, &list));
        OK(ccd_impacts_copy(list, all, MOST, &found));
        OK(ccd_impacts_destroy(list));
        double alpha, x[3 * N], y[3 * N], alphas[N];
        OK(ccd_step_run_size(s, &o, &alpha));
        if (k == MESH) {
            first = hit, count = found, size = alpha;
            CHECK(first.verdict == CCD_CONTACT && count > 1 && size > 0.4);
        }
        CHECK(memcmp(&all[0], &hit, sizeof hit) == 0 && found == count);
        CHECK(curved || (memcmp(&hit, &first, sizeof hit) == 0 && alpha == size));
        for (size_t few = 1; few <= count + 1; few++) {
            ccd_impact some[MOST];
            size_t got;
            OK(ccd_step_run_first_impacts(s, few, &o, &list));
            OK(ccd_impacts_copy(list, some, MOST, &got));
            OK(ccd_impacts_destroy(list));
            CHECK(got == (few < count ? few : count) && memcmp(some, all, got * sizeof *some) == 0);
        }
        check_between(s, k == NEAR || k == SCENE, &all[0], &o);
        FAILS(ccd_step_run_first_impacts(s, 0, &o, &list), CCD_E_ARGUMENT, "count is 0: must be at least 1");
        CHECK(list == NULL);
        portions = 0;
        OK(ccd_step_run_visit(s, &o, count_them, NULL));
        CHECK(portions == count);
        const size_t rows = k == SCENE ? 3 : N;
        OK(ccd_step_run_advance(s, 0.5, &o, &alpha, x, rows));
        CHECK(alpha > 0 && (curved || alpha == 0.5 * size) && memcmp(x, k == SCENE ? x : tri_x0, 9 * sizeof *x) == 0);
        FAILS(ccd_step_run_advance(s, 0.5, &o, &alpha, x, rows + 1), CCD_E_ARGUMENT, "n is");
        CHECK(alpha == 0);

        static const int straight_only[] = {BENT, -1};
        static const int no_given[] = {SCENE, -1}, no_straight_given[] = {BENT, SCENE, -1};
        static const int no_least[] = {AMONG, AMONG_MOTION, -1};
        ccd_sizes_report report;
        ccd_status status = ccd_step_run_sizes(s, NULL, 0.9, 0.5, 64, &o, alphas, y, rows, &report);
        if (k != AMONG_MOTION) { /* the straight motion is a plain step */
            CHECK(status == CCD_OK && report.passes > 1 && alphas[rows - 1] < 1);
        }
        ccd_linesearch_bound bound;
        OK(ccd_step_run_linesearch(s, 0.2, &o, &bound));
        CHECK(bound.alpha > 0 && bound.distance == o.min_separation);

        const int64_t pair[2] = {first.a, first.b};
        status = ccd_step_run_pairs(s, first.kind, pair, 1, &o, &given);
        if (!lacks(status, k, "pairs", no_given, "scene: its steps find their pairs")) {
            CHECK(memcmp(&given, &hit, sizeof hit) == 0);
        } else {
            CHECK(given.verdict == CCD_UNDECIDED && given.toi_lo == 0);
        }
        ccd_intervals *times;
        status = ccd_step_run_intervals(s, &o, &times);
        if (!lacks(status, k, "intervals", straight_only, "motion: it has no intervals of contact")) {
            ccd_interval t;
            size_t n;
            OK(ccd_intervals_count(times, &n));
            CHECK(n >= count);
            ccd_intervals_copy(times, &t, 1, &n);
            CHECK(t.enter == first.toi_lo && t.a == first.a && t.b == first.b);
            OK(ccd_intervals_destroy(times));
        } else {
            CHECK(times == NULL);
        }
        status = ccd_step_run_pairs_intervals(s, first.kind, pair, 1, &o, &times);
        if (!lacks(status, k, "pairs_intervals", no_straight_given,
                   k == SCENE ? "scene: its steps find" : "motion: it has no intervals")) {
            OK(ccd_intervals_destroy(times));
        }
        ccd_constraints *active;
        status = ccd_step_run_activeset(s, &o, &active);
        if (!lacks(status, k, "activeset", straight_only, "motion: it has no constraints")) {
            ccd_constraint c[MOST];
            size_t n;
            OK(ccd_constraints_copy(active, c, MOST, &n));
            CHECK(n == count && memcmp(&c[0].impact, &first, sizeof first) == 0 && c[0].vertices[0] == 3 &&
                  c[0].vertices[3] == 2);
            OK(ccd_constraints_destroy(active));
        }
        ccd_gradient g;
        status = ccd_step_run_gradients(s, &first, 1, &o, &g);
        if (!lacks(status, k, "gradients", no_straight_given,
                   k == SCENE ? "scene: its steps find" : "motion: it has no gradients")) {
            CHECK(g.state == CCD_GRADIENT_DEFINED && g.toi == first.toi_lo);
        } else {
            CHECK(g.state == CCD_GRADIENT_UNDETERMINED);
        }
        ccd_clearance least;
        status = ccd_step_run_clearance(s, &o, &least);
        if (!lacks(status, k, "clearance", no_least, "pairs of any distance")) {
            CHECK(least.hi == 0 && least.time > 0 && least.time < 1);
        } else {
            CHECK(least.lo == 0 && isinf(least.hi));
        }
    }
    destroy(steps);
}

/* A step refers to the arrays: what they hold when a call begins counts, and nothing is read before. */
static void arrays(void) {
    double x1[3 * N];
    memcpy(x1, tri_x1, sizeof x1);
    ccd_options wide; /* candidates for all positions that follow */
    ccd_options_init(&wide, sizeof wide);
    ccd_step *steps[KINDS];
    make(steps, x1, &wide);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < KINDS; k++) {
            double alpha;
            OK(ccd_step_run_size(steps[k], NULL, &alpha));
            const int copies = k == MOTION || k == BENT || k == AMONG_MOTION; /* the motion has its control points */
            CHECK((alpha == 1) == (round == 1 && !copies));
        }
        memcpy(x1, tri_x0, sizeof x1); /* the same array, other positions */
    }
    x1[3 * 4 + 1] = NAN;
    double alpha;
    FAILS(ccd_step_run_size(steps[MESH], NULL, &alpha), CCD_E_NONFINITE, "x1[4][1]");
    FAILS(ccd_step_run_size(steps[NEAR], NULL, &alpha), CCD_E_NONFINITE, "x1[4][1]");
    FAILS(ccd_step_run_size(steps[SCENE], NULL, &alpha), CCD_E_NONFINITE, "x1[1][1]");
    destroy(steps);

    /* An array may be gone before the step, which then reads nothing. */
    ccd_mesh *mesh = triangles();
    double *own = malloc(2 * sizeof tri_x0);
    memcpy(own, tri_x0, sizeof tri_x0);
    memcpy(own + 3 * N, tri_x1, sizeof tri_x1);
    ccd_step *step;
    OK(ccd_step_create(mesh, own, own + 3 * N, N, &step));
    OK(ccd_step_run_size(step, NULL, &alpha));
    CHECK(alpha < 0.5);
    free(own);
    OK(ccd_trim());
    OK(ccd_step_destroy(step));

    /* Results may lie in x0 or x1, but not across them. */
    double both[6 * N];
    memcpy(both, tri_x0, sizeof tri_x0);
    memcpy(both + 3 * N, tri_x1, sizeof tri_x1);
    OK(ccd_step_create(mesh, both, both + 3 * N, N, &step));
    FAILS(ccd_step_run_advance(step, 1, NULL, &alpha, both + 3, N), CCD_E_ARGUMENT, "x overlaps x0");
    CHECK(memcmp(both, tri_x0, sizeof tri_x0) == 0);
    OK(ccd_step_run_advance(step, 1, NULL, &alpha, both + 3 * N, N));
    CHECK(alpha > 0.4 && both[3 * N + 11] > 0 && memcmp(both, tri_x0, sizeof tri_x0) == 0);
    OK(ccd_step_destroy(step));
    OK(ccd_mesh_destroy(mesh));
}

static void makers_refuse(void) {
    ccd_mesh *mesh = triangles();
    ccd_step *step = (ccd_step *)mesh;
    FAILS(ccd_step_create(mesh, tri_x0, tri_x1, N - 1, &step), CCD_E_ARGUMENT,
          "n is 5: x0 and x1 have one row per vertex, and the mesh has 6");
    CHECK(step == NULL);
    FAILS(ccd_step_create(mesh, tri_x0, tri_x1, N, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_step_create_motion(mesh, NULL, &step), CCD_E_HANDLE, "motion is NULL");
    FAILS(ccd_step_create_candidates((ccd_candidates *)mesh, tri_x0, tri_x1, N, &step), CCD_E_HANDLE,
          "candidates is a handle of another type");
    FAILS(ccd_step_create_neighbors(NULL, tri_x0, tri_x1, N, &step), CCD_E_HANDLE, "neighbors is NULL");
    FAILS(ccd_step_create_scene(NULL, moved, tri_x1, 3, &step), CCD_E_HANDLE, "scene is NULL");
    double alpha;
    FAILS(ccd_step_run_size((ccd_step *)mesh, NULL, &alpha), CCD_E_HANDLE, "step is a handle of another type: ccd_mesh");
    OK(ccd_step_create(mesh, NULL, tri_x1, N, &step)); /* vertices on a device: the options of a call say so */
    FAILS(ccd_step_run_size(step, NULL, &alpha), CCD_E_ARGUMENT, "x0 is NULL");
    OK(ccd_step_destroy(step));
    ccd_scene *scene;
    OK(ccd_scene_create(mesh, tri_x0, N, &scene));
    FAILS(ccd_step_create_scene(scene, NULL, tri_x1, 3, &step), CCD_E_ARGUMENT,
          "moved is NULL, for all vertices, but count is 3");
    OK(ccd_step_create_scene(scene, (const int32_t[]){4, 3}, tri_x1, 2, &step));
    FAILS(ccd_step_run_size(step, NULL, &alpha), CCD_E_INDEX, "moved[1] is 3, after 4");
    OK(ccd_step_destroy(step));
    OK(ccd_scene_destroy(scene));
    OK(ccd_mesh_destroy(mesh));
}

/* A step of a scene begins where the scene is, and every call that proves the motion lets a commit keep what is known. */
static void scenes(void) {
    ccd_mesh *mesh = triangles();
    ccd_scene *scene;
    OK(ccd_scene_create(mesh, tri_x0, N, &scene));
    OK(ccd_scene_check(scene, NULL));
    double x1[9];
    ccd_step *step;
    OK(ccd_step_create_scene(scene, moved, x1, 3, &step));
    size_t known;
    for (int call = 0; call < 6; call++) {
        for (int i = 0; i < 9; i++) {
            x1[i] = tri_x0[9 + i] - (i % 3 == 2 ? 0.1 * (call + 1) : 0);
        }
        ccd_options o;
        ccd_options_init(&o, sizeof o);
        ccd_impacts *list;
        ccd_intervals *times;
        ccd_constraints *active;
        ccd_linesearch_bound bound;
        double alpha;
        switch (call) {
        case 0:
            OK(ccd_step_run_collisions(step, NULL, &list));
            OK(ccd_impacts_destroy(list));
            break;
        case 1:
            OK(ccd_step_run_visit(step, NULL, count_them, NULL));
            break;
        case 2:
            OK(ccd_step_run_intervals(step, NULL, &times));
            OK(ccd_intervals_destroy(times));
            break;
        case 3:
            OK(ccd_step_run_activeset(step, NULL, &active));
            OK(ccd_constraints_destroy(active));
            break;
        case 4:
            o.min_separation = 1e-3;
            OK(ccd_step_run_linesearch(step, 0.5, &o, &bound));
            break;
        default:
            OK(ccd_step_run_size(step, NULL, &alpha));
        }
        OK(ccd_scene_commit_proven(scene));
        OK(ccd_scene_state(scene, &known, NULL));
        CHECK(known == N);
        double x[3 * N];
        OK(ccd_scene_positions(scene, x, N));
        CHECK(memcmp(x + 9, x1, sizeof x1) == 0);
    }
    /* An impact, a shorter step and a call that fails prove nothing. */
    x1[2] = x1[5] = x1[8] = -1;
    ccd_impact hit;
    OK(ccd_step_run_earliest(step, NULL, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.toi_lo > 0.2);
    FAILS(ccd_scene_commit_proven(scene), CCD_E_ARGUMENT, "no proven motion");
    ccd_options part;
    ccd_options_init(&part, sizeof part);
    part.t_max = 0.1;
    OK(ccd_step_run_visit(step, &part, count_them, NULL));
    FAILS(ccd_scene_commit_proven(scene), CCD_E_ARGUMENT, "no proven motion");
    OK(ccd_step_destroy(step));
    OK(ccd_scene_destroy(scene));
    OK(ccd_mesh_destroy(mesh));
}

static ccd_impact wanted;
static void *work(void *step) {
    long wrong = 0;
    for (int i = 0; i < 50; i++) {
        ccd_impact hit;
        wrong += ccd_step_run_earliest(step, NULL, &hit) != CCD_OK || memcmp(&hit, &wanted, sizeof hit) != 0;
    }
    return (void *)wrong;
}

static void threads_share_a_step(void) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    ccd_step *steps[KINDS];
    make(steps, tri_x1, &o);
    for (int k = 0; k < KINDS; k++) {
        pthread_t threads[4];
        OK(ccd_step_run_earliest(steps[k], NULL, &wanted));
        for (int i = 0; i < 4; i++) {
            CHECK(pthread_create(&threads[i], NULL, work, steps[k]) == 0);
        }
        for (int i = 0; i < 4; i++) {
            void *wrong;
            CHECK(pthread_join(threads[i], &wrong) == 0 && wrong == NULL);
        }
    }
    destroy(steps);
}

/* Worlds of one mesh: each has the bits of a call of its own. */
static void worlds(void) {
    enum { WORLDS = 5 };
    ccd_mesh *mesh = triangles();
    double x0[WORLDS * 3 * N], x1[WORLDS * 3 * N];
    for (int w = 0; w < WORLDS; w++) {
        for (int i = 0; i < 3 * N; i++) {
            x0[3 * N * w + i] = tri_x0[i];
            x1[3 * N * w + i] = tri_x0[i] + 0.25 * w * (tri_x1[i] - tri_x0[i]);
        }
    }
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    ccd_stats stats = {.struct_size = sizeof stats};
    o.stats = &stats;
    ccd_impact all[WORLDS], one;
    int hits = 0;
    for (int threads = 0; threads < 4; threads++) {
        o.threads = threads;
        OK(ccd_step_earliest_batch(mesh, x0, x1, N, WORLDS, &o, all));
        CHECK(stats.boxes == WORLDS * (6 + 6 + 2) && stats.threads >= 1);
        for (int w = 0; w < WORLDS; w++) {
            OK(ccd_step_earliest(mesh, x0 + 3 * N * w, x1 + 3 * N * w, N, NULL, &one));
            CHECK(memcmp(&one, &all[w], sizeof one) == 0);
            hits += one.verdict == CCD_CONTACT;
        }
    }
    CHECK(hits == 4 * 3);
    OK(ccd_step_earliest_batch(mesh, NULL, NULL, N, 0, NULL, NULL));
    FAILS(ccd_step_earliest_batch(mesh, x0, x1, N - 1, WORLDS, NULL, all), CCD_E_ARGUMENT,
          "n is 5: x0 and x1 have one row per vertex, and the mesh has 6");
    CHECK(all[4].verdict == CCD_UNDECIDED && all[4].toi_lo == 0);
    FAILS(ccd_step_earliest_batch(mesh, x0, x1, N, SIZE_MAX / 2, NULL, NULL), CCD_E_ARGUMENT, "count is");
    FAILS(ccd_step_earliest_batch(mesh, x0, NULL, N, WORLDS, NULL, all), CCD_E_ARGUMENT, "x1 is NULL");
    FAILS(ccd_step_earliest_batch(mesh, x0, x1, N, WORLDS, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_step_earliest_batch(NULL, x0, x1, N, WORLDS, NULL, all), CCD_E_HANDLE, "mesh is NULL");
    o.device = CCD_DEVICE_GPU;
    o.flags |= CCD_CHECK_START; /* which no device checks, where there is one */
    FAILS(ccd_step_earliest_batch(mesh, x0, x1, N, WORLDS, &o, all), CCD_E_UNSUPPORTED, "options.device is CCD_DEVICE_GPU");
    x1[3 * N * 2 + 4] = NAN;
    FAILS(ccd_step_earliest_batch(mesh, x0, x1, N, WORLDS, NULL, all), CCD_E_NONFINITE, "world 2: x1[1][1]");
    CHECK(all[0].verdict == CCD_UNDECIDED);
    OK(ccd_mesh_destroy(mesh));
}

/* Steps of worlds of one mesh: each has the bits of a call of its own. */
static void worlds_advance(void) {
    enum { WORLDS = 9, ALL = WORLDS * 3 * N };
    ccd_mesh *mesh = triangles();
    double x0[ALL], x1[ALL], x[ALL], alphas[WORLDS], alpha, one[3 * N];
    for (int i = 0; i < ALL; i++) {
        x0[i] = tri_x0[i % (3 * N)];
        x1[i] = x0[i] + i / (3 * N) / 8. * (tri_x1[i % (3 * N)] - x0[i]);
    }
    ccd_impact hits[WORLDS], hit;
    for (int own = 0; own < 2; own++) {
        memcpy(x, x0, sizeof x);
        OK(ccd_step_advance_batch(mesh, own ? x0 : x, x1, N, WORLDS, 0.9, NULL, alphas, x, own ? hits : NULL));
        for (int w = 0; w < WORLDS; w++) {
            const double *from = x0 + 3 * N * w, *to = x1 + 3 * N * w;
            OK(ccd_step_advance(mesh, from, to, N, 0.9, NULL, &alpha, one));
            OK(ccd_step_earliest(mesh, from, to, N, NULL, &hit));
            CHECK(alpha == alphas[w] && memcmp(one, x + 3 * N * w, sizeof one) == 0);
            CHECK(own == 0 || memcmp(&hit, &hits[w], sizeof hit) == 0);
        }
    }
    CHECK(alphas[1] > 0.89 && alphas[8] > 0.4 && alphas[8] < 0.5);
    OK(ccd_step_advance_batch(mesh, NULL, NULL, N, 0, 1, NULL, NULL, NULL, NULL));
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, WORLDS, 0, NULL, alphas, x, hits), CCD_E_ARGUMENT, "share is 0");
    CHECK(alphas[1] == 0 && memcmp(x, x0, sizeof x) == 0 && hits[8].verdict == CCD_UNDECIDED);
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, WORLDS, 1, NULL, NULL, x, hits), CCD_E_ARGUMENT, "alphas is NULL");
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, WORLDS, 1, NULL, alphas, NULL, hits), CCD_E_ARGUMENT, "x is NULL");
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, WORLDS, 1, NULL, x, x, hits), CCD_E_ARGUMENT, "alphas overlaps x");
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, SIZE_MAX / 2, 1, NULL, alphas, x, hits), CCD_E_ARGUMENT, "count is");
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N - 1, WORLDS, 1, NULL, alphas, x, hits), CCD_E_ARGUMENT, "n is 5");
    x[0] = 7;
    FAILS(ccd_step_advance_batch(mesh, x + 1, x1, N, WORLDS - 1, 1, NULL, alphas, x, hits), CCD_E_ARGUMENT,
          "x overlaps x0");
    CHECK(x[0] == 7);
    const ccd_region everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.region = &everything;
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, WORLDS, 1, &o, alphas, x, hits), CCD_E_UNSUPPORTED,
          "options.region: an advance concerns all pairs");
    CHECK(memcmp(x, x0, sizeof x) == 0);
    x1[3 * N * 2 + 4] = NAN;
    FAILS(ccd_step_advance_batch(mesh, x0, x1, N, WORLDS, 1, NULL, alphas, x, hits), CCD_E_NONFINITE, "world 2: x1[1][1]");
    CHECK(alphas[0] == 0 && memcmp(x, x0, sizeof x) == 0 && hits[0].verdict == CCD_UNDECIDED);
    OK(ccd_mesh_destroy(mesh));
}

/* Positions after contact: of a triangle that falls on one with no inverse mass. */
static void responds(void) {
    ccd_mesh *mesh = triangles();
    const double fixed[N] = {0, 0, 0, 1, 1, 1};
    double x[3 * N];
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.min_separation = 0.02;
    ccd_response done;
    OK(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0.3, 0.25, 100, &o, x, &done));
    CHECK(done.contacts > 0 && done.rounds > 0 && done.alpha == 1 && memcmp(x, tri_x0, 9 * sizeof *x) == 0);
    for (int v = 3; v < N; v++) {
        CHECK(fabs(x[3 * v + 2] - 0.02) < 1e-6);
    }
    ccd_impact hit;
    o.min_separation = 0.005;
    OK(ccd_step_earliest(mesh, tri_x0, x, N, &o, &hit));
    CHECK(hit.verdict == CCD_SEPARATE);
    double y[3 * N];
    memcpy(y, tri_x1, sizeof y);
    o.min_separation = 0.02;
    OK(ccd_step_respond(mesh, tri_x0, y, N, fixed, 0.3, 0.25, 100, &o, y, NULL)); /* in place */
    CHECK(memcmp(x, y, sizeof x) == 0);
    OK(ccd_step_respond(mesh, tri_x0, tri_x0, N, NULL, 0, 0, 1, &o, y, &done)); /* nothing moves */
    CHECK(done.alpha == 1 && done.contacts == 0 && done.rounds == 0 && memcmp(y, tri_x0, sizeof y) == 0);
    CHECK(done.why.cause == CCD_CAUSE_NONE && done.why.alpha == 1 && done.why.impact.verdict == CCD_SEPARATE);
    o.min_separation = 2.5; /* the triangles are 1 apart, and the step keeps 1.25 */
    OK(ccd_step_respond(mesh, tri_x0, tri_x0, N, NULL, 0, 0.5, 1, &o, y, &done));
    CHECK(done.alpha == 0 && done.why.cause == CCD_CAUSE_SEPARATION && done.why.min_separation == 1.25 &&
          done.why.response == 1);
    CHECK(done.why.initial == done.why.at_start[3] && done.why.initial > 0 && done.why.others[4].cause == CCD_CAUSE_NONE);
    char text[1024];
    OK(ccd_why_text(&done.why, text, sizeof text, NULL));
    CHECK(strstr(text, "within their separation 1.25 (min_separation times keep)") != NULL);
    o.min_separation = 0.02;
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, -1, 0.25, 4, &o, y, &done), CCD_E_ARGUMENT, "friction is -1");
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, 1, 4, &o, y, &done), CCD_E_ARGUMENT, "keep is 1");
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, NAN, 4, &o, y, &done), CCD_E_ARGUMENT, "keep is NaN");
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, 0, 0, &o, y, &done), CCD_E_ARGUMENT, "max_rounds is 0");
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, 0, INT64_MAX, &o, y, &done), CCD_E_ARGUMENT, "max_rounds is");
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, 0, 4, NULL, y, &done), CCD_E_ARGUMENT,
          "options.min_separation is 0: must be positive");
    const double light[N] = {0, 0, 0, 1, -1, 1};
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, light, 0, 0, 4, &o, y, &done), CCD_E_ARGUMENT, "inverse_mass[4] is -1");
    CHECK(done.alpha == 0 && memcmp(y, tri_x0, sizeof y) == 0);
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, y, 0, 0, 4, &o, y, &done), CCD_E_ARGUMENT, "x overlaps inverse_mass");
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, 0, 4, &o, NULL, &done), CCD_E_ARGUMENT, "x is NULL");
    o.norm = CCD_NORM_MAX;
    FAILS(ccd_step_respond(mesh, tri_x0, tri_x1, N, fixed, 0, 0, 4, &o, y, &done), CCD_E_UNSUPPORTED,
          "options.norm is CCD_NORM_MAX: the constraints of ccd_step_respond measure in the Euclidean norm");
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    every_call_of_every_step();
    arrays();
    makers_refuse();
    scenes();
    threads_share_a_step();
    worlds();
    worlds_advance();
    responds();
    return done();
}
