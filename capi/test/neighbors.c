/* neighbors.c - neighbor lists, each call against a fresh one; and the memory that is given back. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = TRI_VERTICES, MOST = 64 };

/* x0 + alpha * (x1 - x0) of both triangles, the falling one three quarters down. */
static const double *at(double alpha) {
    static double x[2][3 * N];
    static int turn;
    double *out = x[turn ^= 1];
    for (int i = 0; i < 3 * N; i++) {
        out[i] = tri_x0[i] + (0.4 + alpha) * (tri_x1[i] - tri_x0[i]);
    }
    return out;
}

static ccd_neighbors_report state_of(ccd_neighbors *list) {
    ccd_neighbors_report out;
    OK(ccd_neighbors_state(list, &out));
    return out;
}

static void same_bits(void) {
    ccd_mesh *mesh = triangles();
    ccd_neighbors *list = NULL;
    OK(ccd_neighbors_create(mesh, at(0), N, 0.8, NULL, &list));
    ccd_neighbors_report before = state_of(list);
    CHECK(before.reach == 0.8 && before.pairs > 0 && before.bytes > 12 * before.pairs);
    CHECK(before.builds == 1 && before.served == 0 && before.fresh == 0);
    for (int i = 0; i < 8; i++) {
        const double *x0 = at(0.01 * i), *x1 = at(0.01 * i + (i < 4 ? 0.005 : 0.3));
        static ccd_near_pair a[MOST], b[MOST];
        static ccd_impact p[MOST], q[MOST];
        ccd_near_pairs *pairs = NULL;
        ccd_impacts *impacts = NULL;
        size_t n = 0, m = 0;
        OK(ccd_proximity_near(mesh, x0, N, 0.3, NULL, &pairs));
        OK(ccd_near_pairs_copy(pairs, a, MOST, &n));
        OK(ccd_near_pairs_destroy(pairs));
        OK(ccd_neighbors_near(list, x0, N, 0.3, NULL, &pairs));
        OK(ccd_near_pairs_copy(pairs, b, MOST, &m));
        OK(ccd_near_pairs_destroy(pairs));
        CHECK(n > 0 && n == m && memcmp(a, b, n * sizeof *a) == 0);
        OK(ccd_step_collisions(mesh, x0, x1, N, NULL, &impacts));
        OK(ccd_impacts_copy(impacts, p, MOST, &n));
        OK(ccd_impacts_destroy(impacts));
        OK(neighbors_collisions(list, x0, x1, N, NULL, &impacts));
        OK(ccd_impacts_copy(impacts, q, MOST, &m));
        OK(ccd_impacts_destroy(impacts));
        CHECK((n > 0) == (i >= 4) && n == m && memcmp(p, q, n * sizeof *p) == 0);
        ccd_impact first, ours;
        OK(ccd_step_earliest(mesh, x0, x1, N, NULL, &first));
        OK(neighbors_earliest(list, x0, x1, N, NULL, &ours));
        CHECK(memcmp(&first, &ours, sizeof first) == 0);
        double size = 7, alpha = 8, x[3 * N], y[3 * N];
        OK(ccd_step_size(mesh, x0, x1, N, NULL, &size));
        OK(neighbors_size(list, x0, x1, N, NULL, &alpha));
        CHECK(size == alpha);
        OK(ccd_step_advance(mesh, x0, x1, N, 0.9, NULL, &size, x));
        OK(neighbors_advance(list, x0, x1, N, 0.9, NULL, &alpha, y));
        CHECK(size == alpha && memcmp(x, y, sizeof x) == 0);
    }
    ccd_neighbors_report after = state_of(list);
    CHECK(after.served > 8 && after.fresh > 0 && after.served + after.fresh == 8 * 5);
    OK(ccd_mesh_destroy(mesh)); /* the list holds it */
    double alpha = 7;
    OK(neighbors_size(list, at(0), at(0.01), N, NULL, &alpha));
    CHECK(alpha == 1);
    OK(ccd_neighbors_destroy(list));
    FAILS(neighbors_size(list, at(0), at(0.01), N, NULL, &alpha), CCD_E_HANDLE, "neighbors was destroyed");
    CHECK(alpha == 0);
}

static void refusals(void) {
    ccd_mesh *mesh = triangles();
    ccd_neighbors *list = NULL;
    FAILS(ccd_neighbors_create(mesh, tri_x0, N, 0, NULL, &list), CCD_E_ARGUMENT, "reach is 0");
    FAILS(ccd_neighbors_create(mesh, tri_x0, N, NAN, NULL, &list), CCD_E_ARGUMENT, "reach is NaN");
    FAILS(ccd_neighbors_create(mesh, tri_x0, N - 1, 1, NULL, &list), CCD_E_ARGUMENT, "n is 5");
    FAILS(ccd_neighbors_create(mesh, NULL, N, 1, NULL, &list), CCD_E_ARGUMENT, "x is NULL");
    FAILS(ccd_neighbors_create(mesh, tri_x0, N, 1, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_neighbors_create(NULL, tri_x0, N, 1, NULL, &list), CCD_E_HANDLE, "mesh is NULL");
    CHECK(list == NULL);
    OK(ccd_neighbors_create(mesh, tri_x0, N, 1, NULL, &list));
    ccd_near_pairs *pairs = NULL;
    FAILS(ccd_neighbors_near(list, tri_x0, N, 1.5, NULL, &pairs), CCD_E_ARGUMENT,
          "d is 1.5: must be at most the list's reach, 1");
    FAILS(ccd_neighbors_near(list, tri_x0, N, -1, NULL, &pairs), CCD_E_ARGUMENT, "d is -1");
    double bad[3 * N];
    memcpy(bad, tri_x0, sizeof bad);
    bad[4] = INFINITY;
    FAILS(ccd_neighbors_near(list, bad, N, 0.5, NULL, &pairs), CCD_E_NONFINITE, "x[1][1]");
    CHECK(pairs == NULL);
    ccd_options options;
    ccd_options_init(&options, sizeof options);
    options.min_separation = 2;
    ccd_impact out;
    FAILS(neighbors_earliest(list, tri_x0, tri_x1, N, &options, &out), CCD_E_ARGUMENT, "options.min_separation is 2");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);
    FAILS(neighbors_earliest(list, tri_x0, bad, N, NULL, &out), CCD_E_NONFINITE, "x1[1][1]");
    double alpha = 7, x[3 * N] = {7};
    FAILS(neighbors_advance(list, tri_x0, tri_x1, N, 2, NULL, &alpha, x), CCD_E_ARGUMENT, "share is 2");
    CHECK(alpha == 0 && memcmp(x, tri_x0, sizeof x) == 0);
    FAILS(neighbors_advance(list, tri_x0, tri_x1, N, 1, NULL, &alpha, NULL), CCD_E_ARGUMENT, "x is NULL");
    ccd_neighbors_report report = {7, 7, 7, 7, 7, 7};
    FAILS(ccd_neighbors_state((ccd_neighbors *)mesh, &report), CCD_E_HANDLE,
          "neighbors is a handle of another type: ccd_mesh");
    CHECK(report.reach == 0 && report.pairs == 0 && report.fresh == 0);
    FAILS(ccd_neighbors_state(list, NULL), CCD_E_ARGUMENT, "out is NULL");
    OK(ccd_neighbors_destroy(list));
    OK(ccd_mesh_destroy(mesh));
}

/* Memory that was given back is no memory of a handle. */
static void trim(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact a, b;
    OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, NULL, &a));
    OK(ccd_trim());
    OK(ccd_trim());
    OK(ccd_step_earliest(mesh, tri_x0, tri_x1, N, NULL, &b));
    CHECK(memcmp(&a, &b, sizeof a) == 0 && b.toi_lo == 0.5);
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    same_bits();
    refusals();
    trim();
    return done();
}
