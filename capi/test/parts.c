/* parts.c - parts of a step: known candidates, line searches, active sets, regions. Each against the whole step. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = TRI_VERTICES, MOST = 64 };

/* x0 + alpha * (x1 - x0); the differences of the two triangles are exact. */
static const double *at(double alpha) {
    static double x[3 * N];
    for (int i = 0; i < 3 * N; i++) {
        x[i] = tri_x0[i] + alpha * (tri_x1[i] - tri_x0[i]);
    }
    return x;
}

static size_t copied(ccd_impacts *impacts, ccd_impact *list) {
    size_t count = 0;
    OK(ccd_impacts_copy(impacts, list, MOST, &count));
    OK(ccd_impacts_destroy(impacts));
    return count;
}

static ccd_options separation(double d) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.min_separation = d;
    return o;
}

/* The candidates of the step serve every shorter one, and for every smaller separation, even without the mesh's handle. */
static void candidates_serve(void) {
    ccd_mesh *mesh = triangles();
    ccd_candidates *c = NULL;
    const ccd_options wide = separation(0.25), narrow = separation(0.125);
    OK(ccd_broad_candidates(mesh, tri_x0, tri_x1, N, &wide, &c));
    for (int i = 0; i <= 8; i++) {
        const double *x = at(i / 8.0);
        ccd_impact whole, part, all[MOST], some[MOST];
        ccd_impacts *a = NULL, *b = NULL;
        double alpha, given;
        OK(ccd_step_earliest(mesh, tri_x0, x, N, &narrow, &whole));
        OK(candidates_earliest(c, tri_x0, x, N, &narrow, &part));
        CHECK(memcmp(&whole, &part, sizeof whole) == 0);
        CHECK((part.verdict == CCD_CONTACT) == (i > 3)); /* 1 - 2 alpha <= 1/8 */
        OK(ccd_step_collisions(mesh, tri_x0, x, N, &narrow, &a));
        OK(candidates_collisions(c, tri_x0, x, N, &narrow, &b));
        size_t n = copied(a, all);
        CHECK(copied(b, some) == n && memcmp(all, some, n * sizeof *all) == 0);
        OK(ccd_step_size(mesh, tri_x0, x, N, &narrow, &alpha));
        OK(candidates_size(c, tri_x0, x, N, &narrow, &given));
        CHECK(alpha == given && alpha > 0 && (alpha == 1) == (i <= 3));
    }
    ccd_impact out;
    OK(ccd_mesh_destroy(mesh));
    OK(candidates_earliest(c, tri_x0, at(1), N, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && out.toi_lo == 0.5);
    OK(ccd_candidates_destroy(c));
}

/* What candidates do not serve for is refused, with the answer that promises nothing. */
static void candidates_refuse(void) {
    ccd_mesh *mesh = triangles();
    ccd_candidates *c = NULL;
    ccd_impact out;
    ccd_impacts *list = (ccd_impacts *)mesh;
    double alpha = 7, x[3 * N];
    const ccd_options some = separation(1e-3);
    OK(ccd_broad_candidates(mesh, tri_x0, at(0.5), N, NULL, &c));
    OK(candidates_size(c, tri_x0, at(0.5), N, NULL, &alpha));

    memset(&out, 0xff, sizeof out);
    FAILS(candidates_earliest(c, tri_x0, at(0.75), N, NULL, &out), CCD_E_ARGUMENT, "x1[3][2] is -0.5: outside of [0, 1]");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);
    memcpy(x, tri_x0, sizeof x);
    x[3 * 4 + 1] = nextafter(x[3 * 4 + 1], 1); /* one bit beside its box */
    FAILS(candidates_size(c, x, at(0.5), N, NULL, &alpha), CCD_E_ARGUMENT, "x0[4][1] is 0.25");
    CHECK(alpha == 0);
    FAILS(candidates_collisions(c, tri_x0, tri_x0, N, &some, &list), CCD_E_ARGUMENT,
          "candidates are for a separation of 0, not 0.001");
    CHECK(list == NULL);
    FAILS(candidates_earliest(c, tri_x0, tri_x0, N - 1, NULL, &out), CCD_E_ARGUMENT,
          "n is 5: x0 and x1 have one row per vertex, and the mesh has 6");
    FAILS(candidates_earliest(c, NULL, tri_x0, N, NULL, &out), CCD_E_ARGUMENT, "x0 is NULL");
    FAILS(candidates_earliest(c, tri_x0, tri_x0, N, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(candidates_collisions(c, tri_x0, tri_x0, N, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(candidates_size(c, tri_x0, tri_x0, N, NULL, NULL), CCD_E_ARGUMENT, "alpha is NULL");
    x[3 * 4 + 1] = NAN;
    FAILS(candidates_earliest(c, tri_x0, x, N, NULL, &out), CCD_E_NONFINITE, "x1[4][1]");
    FAILS(candidates_earliest((ccd_candidates *)mesh, tri_x0, tri_x0, N, NULL, &out), CCD_E_HANDLE, "another type");
    OK(ccd_candidates_destroy(c));
    FAILS(candidates_size(c, tri_x0, tri_x0, N, NULL, &alpha), CCD_E_HANDLE, "candidates was destroyed");
    OK(ccd_mesh_destroy(mesh));
}

/* The triangles are 1 apart and close in at a speed of 2. */
static void linesearch(void) {
    ccd_mesh *mesh = triangles();
    ccd_linesearch_bound out = {7, 7, 7};
    ccd_options o = separation(0.5);
    OK(step_linesearch(mesh, tri_x0, tri_x1, N, 0.25, &o, &out));
    CHECK(out.distance == 0.5 && out.separation == 0.125); /* the cap */
    CHECK(out.alpha == nextafter(0.4375, 0));              /* 1 - 2 alpha = 1/8 */
    o = separation(3);
    OK(step_linesearch(mesh, tri_x0, tri_x1, N, 0.25, &o, &out));
    CHECK(out.distance == 0.75 && out.separation == 0.1875 && out.alpha == nextafter(0.40625, 0));
    OK(step_linesearch(mesh, tri_x0, tri_x0, N, 0.25, &o, &out));
    CHECK(out.distance == 0.75 && out.alpha == 1);
    OK(step_linesearch(mesh, at(0.5), tri_x1, N, 0.25, &o, &out)); /* they touch */
    CHECK(out.distance == 0 && out.separation == 0 && out.alpha == 0);

    out = (ccd_linesearch_bound){7, 7, 7};
    FAILS(step_linesearch(mesh, tri_x0, tri_x1, N, 0.25, NULL, &out), CCD_E_ARGUMENT, "options.min_separation must");
    CHECK(out.alpha == 0 && out.distance == 0 && out.separation == 0);
    const double shares[] = {0, 1, -0.5, 2, NAN, INFINITY};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        FAILS(step_linesearch(mesh, tri_x0, tri_x1, N, shares[i], &o, &out), CCD_E_ARGUMENT, "keep_ratio is");
    }
    FAILS(step_linesearch(mesh, tri_x0, tri_x1, N, 0.25, &o, NULL), CCD_E_ARGUMENT, "out is NULL");
    OK(ccd_mesh_destroy(mesh));
}

/* They meet at 0.5: the vertices in contact stop before. The positions are proven, and the output may be an input. */
static void sizes(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact first;
    ccd_sizes_report out, again;
    int32_t groups[N] = {0, 0, 0, 1, 1, 1};
    double alphas[N], more[N], y[3 * N], z[3 * N];
    OK(step_sizes(mesh, tri_x0, tri_x1, N, NULL, 0.9, 0.5, 64, NULL, alphas, y, &out));
    CHECK(out.passes >= 2 && out.resting == 0 && out.floor > 0.4499 && out.floor <= 0.45 && out.used > 0.44 &&
          out.used < 1);
    OK(ccd_step_earliest(mesh, tri_x0, y, N, NULL, &first));
    CHECK(first.verdict == CCD_SEPARATE);
    for (size_t i = 0; i < 3 * N; i++) {
        CHECK(y[i] == (alphas[i / 3] == 1 ? tri_x1[i] : tri_x0[i] + alphas[i / 3] * (tri_x1[i] - tri_x0[i])));
    }
    memcpy(z, tri_x0, sizeof z);
    OK(step_sizes(mesh, z, tri_x1, N, NULL, 0.9, 0.5, 64, NULL, more, z, &again));
    CHECK(memcmp(y, z, sizeof y) == 0 && memcmp(alphas, more, sizeof more) == 0 && memcmp(&out, &again, sizeof out) == 0);
    memcpy(z, tri_x1, sizeof z);
    OK(step_sizes(mesh, tri_x0, z, N, NULL, 0.9, 0.5, 64, NULL, more, z, NULL));
    CHECK(memcmp(y, z, sizeof y) == 0);
    OK(step_sizes(mesh, tri_x0, tri_x1, N, groups, 0.9, 0.5, INT64_MAX, NULL, more, z, &again));
    CHECK(more[0] == more[1] && more[3] == more[4] && more[4] == more[5]);
    OK(step_sizes(mesh, at(0.5), tri_x1, N, NULL, 0.9, 0.5, 64, NULL, more, z, &again)); /* they touch */
    CHECK(again.resting > 0);
    OK(ccd_mesh_destroy(mesh));
}

/* They meet at 0.5. The positions are proven, the output may be an input, and candidates and the whole step agree. */
static void advance(void) {
    ccd_mesh *mesh = triangles();
    ccd_candidates *c;
    ccd_impact out;
    double alpha, again, x[3 * N], y[3 * N];
    OK(ccd_broad_candidates(mesh, tri_x0, tri_x1, N, NULL, &c));
    OK(ccd_step_advance(mesh, tri_x0, tri_x1, N, 1, NULL, &alpha, x));
    CHECK(alpha > 0.4999 && alpha < 0.5);
    OK(ccd_step_earliest(mesh, tri_x0, x, N, NULL, &out));
    CHECK(out.verdict == CCD_SEPARATE);
    for (size_t i = 0; i < 3 * N; i++) {
        CHECK(x[i] == tri_x0[i] + alpha * (tri_x1[i] - tri_x0[i]));
    }
    OK(candidates_advance(c, tri_x0, tri_x1, N, 1, NULL, &again, y));
    CHECK(again == alpha && memcmp(x, y, sizeof x) == 0);
    memcpy(y, tri_x0, sizeof y);
    OK(ccd_step_advance(mesh, y, tri_x1, N, 1, NULL, &again, y));
    CHECK(again == alpha && memcmp(x, y, sizeof x) == 0);
    memcpy(y, tri_x1, sizeof y);
    OK(ccd_step_advance(mesh, tri_x0, y, N, 1, NULL, &again, y));
    CHECK(again == alpha && memcmp(x, y, sizeof x) == 0);

    ccd_options o = separation(0.25);
    OK(ccd_step_advance(mesh, tri_x0, tri_x1, N, 0.5, &o, &alpha, x)); /* 0.375 allowed */
    CHECK(alpha > 0.187 && alpha < 0.1875);
    o.t_max = 0.125;
    OK(ccd_step_advance(mesh, tri_x0, tri_x1, N, 1, &o, &alpha, x));
    CHECK(alpha == 0.125);
    OK(ccd_step_advance(mesh, tri_x0, at(0.25), N, 1, NULL, &alpha, x));
    CHECK(alpha == 1 && memcmp(x, at(0.25), sizeof x) == 0);
    OK(ccd_step_advance(mesh, at(0.5), tri_x1, N, 1, NULL, &alpha, x)); /* they touch */
    CHECK(alpha == 0 && memcmp(x, at(0.5), sizeof x) == 0);
    OK(ccd_candidates_destroy(c));
    FAILS(candidates_advance(c, tri_x0, tri_x1, N, 1, NULL, &again, y), CCD_E_HANDLE, "candidates was destroyed");
    CHECK(again == 0);
    OK(ccd_mesh_destroy(mesh));
}

/* What limits a step, in numbers and in words. */
static void why(void) {
    ccd_mesh *mesh = triangles();
    ccd_step *step = NULL;
    ccd_why out;
    char text[1024];
    size_t length = 0;
    OK(ccd_step_create(mesh, tri_x0, tri_x1, N, &step));
    OK(ccd_step_run_why(step, NULL, &out));
    CHECK(out.cause == CCD_CAUSE_MEETING && out.impact.toi_lo == 0.5 && out.alpha > 0 && out.alpha < 0.5);
    CHECK(out.separation == 0 && out.distance_lo <= 1 && out.distance_hi >= 1 && out.rings == -1 && out.same[0] == -1);
    CHECK(out.vertices[0] == out.impact.a && out.vertices[3] >= 0 && out.vertices[4] == -1 && out.initial == 0);
    CHECK(out.others[0].kind == 0 && out.others[4].a == -1 && out.others[4].toi_lo == INFINITY && out.response == 0);
    ccd_impact again;
    OK(ccd_pair_vertex_face(out.q, NULL, &again));
    CHECK(out.impact.kind == CCD_VERTEX_FACE && again.toi_lo == out.impact.toi_lo);
    OK(ccd_why_text(&out, text, sizeof text, &length));
    CHECK(length == strlen(text) + 1 && strstr(text, "touch at t = 0.5, from a distance of 1 at the start.") != NULL);
    FAILS(ccd_why_text(&out, text, 5, &length), CCD_E_ARGUMENT, "cap is 5");
    OK(ccd_why_text(&out, NULL, 0, &length));
    CHECK(length == strlen(text) + 1);
    FAILS(ccd_why_text(NULL, text, sizeof text, &length), CCD_E_ARGUMENT, "why is NULL");
    CHECK(length == 0);
    out.cause = 99;
    FAILS(ccd_why_text(&out, text, sizeof text, NULL), CCD_E_ARGUMENT, "pass what ccd_step_run_why wrote");
    out.cause = CCD_CAUSE_TOUCHING;
    out.initial = 2;
    out.others[1].cause = CCD_CAUSE_TOUCHING;
    out.others[1].kind = 6;
    FAILS(ccd_why_text(&out, text, sizeof text, NULL), CCD_E_ARGUMENT, "why.others[1] has the cause 4 and the kind 6");

    ccd_options o = separation(4);
    OK(ccd_step_run_why(step, &o, &out));
    CHECK(out.cause == CCD_CAUSE_SEPARATION && out.alpha == 0 && out.min_separation == 4 && out.initial > 1);
    FAILS(ccd_step_run_why(step, &o, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_step_run_why(NULL, &o, &out), CCD_E_HANDLE, "step is NULL");
    CHECK(out.impact.verdict == CCD_UNDECIDED && out.alpha == 0 && out.vertices[0] == -1);
    OK(ccd_step_destroy(step));
    OK(ccd_mesh_destroy(mesh));
}

/* The constraints are the impacts, and their gaps are those of the points at x1, less the separation. */
static void activeset(void) {
    ccd_mesh *mesh = triangles();
    ccd_constraints *constraints = NULL;
    ccd_constraint list[MOST];
    ccd_impacts *impacts = NULL;
    ccd_impact all[MOST];
    size_t count = 0, n = 0;
    ccd_options o = separation(1.0 / 16);
    o.norm = CCD_NORM_EUCLIDEAN;
    OK(step_activeset(mesh, tri_x0, tri_x1, N, &o, &constraints));
    OK(ccd_constraints_count(constraints, &count));
    OK(ccd_constraints_copy(constraints, list, MOST, &n));
    OK(ccd_step_collisions(mesh, tri_x0, tri_x1, N, &o, &impacts));
    CHECK(n == count && copied(impacts, all) == count && count >= 3);
    for (size_t i = 0; i < n; i++) {
        const ccd_constraint *c = &list[i];
        double gap = 0, sum = 0;
        CHECK(memcmp(&c->impact, &all[i], sizeof *all) == 0);
        for (int j = 0; j < 4; j++) {
            CHECK(c->vertices[j] >= 0 && c->vertices[j] < N);
            sum += c->weights[j];
            for (int k = 0; k < 3; k++) {
                gap += c->weights[j] * c->impact.normal[k] * tri_x1[3 * c->vertices[j] + k];
            }
        }
        CHECK(fabs(sum) < 1e-12 && fabs(gap - c->separation - c->gap) < 1e-12 && c->gap < 0 && c->separation == 1.0 / 16);
    }
    FAILS(ccd_constraints_copy(constraints, list, 1, &n), CCD_E_ARGUMENT, "cap is 1");
    CHECK(n == count);
    FAILS(ccd_constraints_destroy((ccd_constraints *)mesh), CCD_E_HANDLE, "another type: ccd_mesh");
    FAILS(ccd_mesh_destroy((ccd_mesh *)constraints), CCD_E_HANDLE, "another type: ccd_constraints");
    OK(ccd_constraints_destroy(constraints));
    FAILS(ccd_constraints_count(constraints, &n), CCD_E_HANDLE, "constraints was destroyed");
    CHECK(n == 0);
    FAILS(step_activeset(mesh, tri_x0, tri_x1, N, &o, NULL), CCD_E_ARGUMENT, "out is NULL");
    OK(ccd_mesh_destroy(mesh));
}

static int before(const ccd_impact *x, const ccd_impact *y) {
    if (x->toi_lo != y->toi_lo) {
        return x->toi_lo < y->toi_lo;
    }
    if (x->kind != y->kind) {
        return x->kind < y->kind;
    }
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static int order(const void *x, const void *y) { return before(x, y) ? -1 : before(y, x); }

/* Whatever the number of regions along an axis, the least of their results is that of the step, and each impact is found once. */
static void regions_along_an_axis(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact whole, all[MOST];
    ccd_impacts *impacts = NULL;
    double size;
    ccd_options o = separation(1.0 / 16);
    OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, &o, &whole));
    OK(ccd_step_size(mesh, tri_x0, tri_x1, N, &o, &size));
    OK(ccd_step_collisions(mesh, tri_x0, tri_x1, N, &o, &impacts));
    const size_t count = copied(impacts, all);
    for (int n = 1; n <= 9; n++) {
        ccd_impact least = {.toi_lo = INFINITY, .kind = 9}, some[9 * MOST];
        double alpha = 1;
        size_t found = 0;
        for (int i = 0; i < n; i++) {
            ccd_region region = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            region.lo[2] = i == 0 ? -INFINITY : -1 + 3.0 * i / n;
            region.hi[2] = i == n - 1 ? INFINITY : -1 + 3.0 * (i + 1) / n;
            o.region = &region;
            ccd_impact first;
            double a;
            OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, &o, &first));
            OK(ccd_step_size(mesh, tri_x0, tri_x1, N, &o, &a));
            OK(ccd_step_collisions(mesh, tri_x0, tri_x1, N, &o, &impacts));
            found += copied(impacts, some + found);
            least = before(&first, &least) ? first : least;
            alpha = a < alpha ? a : alpha;
        }
        qsort(some, found, sizeof *some, order);
        CHECK(memcmp(&least, &whole, sizeof whole) == 0 && alpha == size);
        CHECK(found == count && memcmp(some, all, count * sizeof *all) == 0);
    }
    OK(ccd_mesh_destroy(mesh));
}

/* The eight regions around a point: each impact is found in one of them, by every call that takes regions. */
static void regions_part(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact whole, all[MOST], some[8 * MOST], least = {.toi_lo = INFINITY, .kind = 9};
    ccd_impacts *impacts = NULL;
    ccd_candidates *pairs = NULL;
    ccd_near_pairs *near = NULL;
    double size, alpha = 1;
    size_t found = 0, candidates = 0, listed = 0, n;
    ccd_options o = separation(1.0 / 16);
    OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, &o, &whole));
    OK(ccd_step_size(mesh, tri_x0, tri_x1, N, &o, &size));
    OK(ccd_step_collisions(mesh, tri_x0, tri_x1, N, &o, &impacts));
    const size_t count = copied(impacts, all);
    for (int side = 0; side < 8; side++) {
        ccd_region region;
        ccd_impact first;
        double a;
        for (int k = 0; k < 3; k++) {
            const double at = k < 2 ? 0.25 : 0;
            region.lo[k] = side >> k & 1 ? at : -INFINITY;
            region.hi[k] = side >> k & 1 ? INFINITY : at;
        }
        o.region = &region;
        OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, &o, &first));
        OK(ccd_step_size(mesh, tri_x0, tri_x1, N, &o, &a));
        OK(ccd_step_collisions(mesh, tri_x0, tri_x1, N, &o, &impacts));
        found += copied(impacts, some + found);
        least = before(&first, &least) ? first : least;
        alpha = a < alpha ? a : alpha;
        OK(ccd_broad_candidates(mesh, tri_x0, tri_x1, N, &o, &pairs));
        OK(ccd_candidates_count_kind(pairs, 0, &n));
        OK(ccd_candidates_destroy(pairs));
        candidates += n;
        OK(ccd_proximity_near(mesh, tri_x0, N, 2, &o, &near));
        OK(ccd_near_pairs_count(near, &n));
        OK(ccd_near_pairs_destroy(near));
        listed += n;
    }
    qsort(some, found, sizeof *some, order);
    CHECK(memcmp(&least, &whole, sizeof whole) == 0 && alpha == size);
    CHECK(found == count && memcmp(some, all, count * sizeof *all) == 0);
    o.region = NULL;
    OK(ccd_broad_candidates(mesh, tri_x0, tri_x1, N, &o, &pairs));
    OK(ccd_candidates_count_kind(pairs, 0, &n));
    OK(ccd_candidates_destroy(pairs));
    CHECK(candidates == n);
    OK(ccd_proximity_near(mesh, tri_x0, N, 2, &o, &near));
    OK(ccd_near_pairs_count(near, &n));
    OK(ccd_near_pairs_destroy(near));
    CHECK(listed == n);
    OK(ccd_mesh_destroy(mesh));
}

static void regions_refuse(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact out;
    ccd_constraints *set = NULL;
    ccd_near_pair distance;
    double alpha, x[3 * N];
    ccd_region region = {{0, 0, 0}, {1, 1, 1}};
    ccd_options o = separation(0);
    o.region = &region;
    OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, &o, &out));
    FAILS(ccd_step_advance(mesh, tri_x0, tri_x1, N, 1, &o, &alpha, x), CCD_E_UNSUPPORTED,
          "options.region: this call concerns all pairs");
    FAILS(step_activeset(mesh, tri_x0, tri_x1, N, &o, &set), CCD_E_UNSUPPORTED, "options.region");
    FAILS(ccd_proximity_distance(mesh, tri_x0, N, &o, &distance), CCD_E_UNSUPPORTED, "options.region");
    FAILS(ccd_pair_vertex_face(falling, &o, &out), CCD_E_UNSUPPORTED, "options.region");
    region.hi[1] = -1;
    FAILS(ccd_step_earliest(mesh, tri_x0, tri_x1, N, &o, &out), CCD_E_ARGUMENT, "options.region is [0, -1) along axis 1");
    region.lo[1] = NAN;
    FAILS(ccd_proximity_near(mesh, tri_x0, N, 1, &o, &(ccd_near_pairs *){NULL}), CCD_E_ARGUMENT,
          "options.region is [NaN, -1) along axis 1");
    OK(ccd_mesh_destroy(mesh));
}

/* A vertex falls onto a face: at 1/2, or at 1/4 with a separation of 1/2. */
static void gradients(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact hit;
    ccd_gradient g[2];
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    OK(step_pairs(mesh, tri_x0, tri_x1, N, CCD_VERTEX_FACE, (const int64_t[2]){3, 0}, 1, NULL, &hit));
    OK(step_gradients(mesh, tri_x0, tri_x1, N, &hit, 1, NULL, g));
    CHECK(g[0].state == CCD_GRADIENT_DEFINED && g[0].kind == CCD_VERTEX_FACE && g[0].toi == 0.5 && g[0].conditioning == 1);
    CHECK(g[0].vertices[0] == 3 && g[0].vertices[1] == 0 && g[0].vertices[2] == 1 && g[0].vertices[3] == 2);
    CHECK(g[0].x0[2] == 0.25 && g[0].x1[2] == 0.25 && g[0].x0[5] == -0.125 && g[0].x1[11] == -0.0625 && g[0].x0[0] == 0);
    CHECK(g[0].normal[2] == 1 && g[0].weights[0] == 1 && g[0].weights[1] == -0.5);
    OK(ccd_pairs_gradients(CCD_VERTEX_FACE, falling, 1, NULL, g + 1));
    CHECK(memcmp(g, g + 1, offsetof(ccd_gradient, vertices)) == 0 && g[1].vertices[0] == 0 && g[1].vertices[3] == 3);
    o.min_separation = 0.5;
    OK(step_gradients(mesh, tri_x0, tri_x1, N, &hit, 1, &o, g));
    CHECK(g[0].state == CCD_GRADIENT_DEFINED && g[0].toi == 0.25 && g[0].x0[2] == 0.375 && g[0].x1[2] == 0.125);
    o.norm = CCD_NORM_MAX; /* the cube's face is parallel to the triangle */
    OK(step_gradients(mesh, tri_x0, tri_x1, N, &hit, 1, &o, g));
    CHECK(g[0].state == CCD_GRADIENT_TIE && g[0].toi == 0.25 && g[0].x0[2] != g[0].x0[2]);
    OK(ccd_step_earliest(mesh, tri_x0, tri_x0, N, NULL, &hit));
    OK(step_gradients(mesh, tri_x0, tri_x0, N, &hit, 1, NULL, g));
    CHECK(g[0].state == CCD_GRADIENT_NO_IMPACT && g[0].toi > 1 && g[0].x0[0] == 0 && g[0].vertices[0] == -1);
    OK(step_gradients(mesh, tri_x0, tri_x1, N, NULL, 0, NULL, NULL));
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    candidates_serve();
    gradients();
    candidates_refuse();
    linesearch();
    advance();
    sizes();
    activeset();
    why();
    regions_along_an_axis();
    regions_part();
    regions_refuse();
    return done();
}
