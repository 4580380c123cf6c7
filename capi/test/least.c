/* least.c - the least distance over a step, of one pair and of a mesh; and that errors leave safe answers. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = TRI_VERTICES };

/* Two points pass each other at distance 1 at t = 1/2. */
static const double passing[12] = {-2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0};

static void one_pair(void) {
    ccd_clearance out;
    OK(ccd_pair_clearance(CCD_POINT_POINT, passing, NULL, &out));
    CHECK(out.kind == CCD_POINT_POINT && out.a == -1 && out.b == -1 && out.reserved == 0);
    CHECK(out.lo <= 1 && out.hi >= 1 && out.hi - out.lo <= 4e-9);
    CHECK(fabs(out.time - 0.5) < 1e-4);
    CHECK(fabs(out.point_a[1] - 1) <= out.epsilon && fabs(out.point_b[1]) <= out.epsilon && out.epsilon < 1e-12);
    CHECK(fabs(out.point_a[0] - (4 * out.time - 2)) <= 2 * out.epsilon && fabs(out.normal[1] - 1) < 1e-6);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.t_max = 0.25;
    OK(ccd_pair_clearance(CCD_POINT_POINT, passing, &o, &out));
    CHECK(out.time == 0.25 && fabs(out.hi - sqrt(2)) < 1e-8);
    OK(ccd_pair_clearance(CCD_VERTEX_FACE, falling, NULL, &out));
    CHECK(out.lo == 0 && out.hi == 0 && out.time == 0.5 && out.u == 0.25 && out.v == 0.25);
}

/* The falling triangle stops at a height. */
static void step(void) {
    ccd_mesh *mesh = triangles();
    ccd_clearance out;
    double x1[3 * N], radius[N] = {0.125, 0.125, 0.125, 0.125, 0.125, 0.125};
    memcpy(x1, tri_x1, sizeof x1);
    x1[11] = x1[14] = x1[17] = 0.5;
    OK(step_clearance(mesh, tri_x0, x1, N, NULL, &out));
    CHECK(out.kind == CCD_VERTEX_FACE && out.a >= 3 && out.b == 0 && out.time == 1);
    CHECK(out.lo <= 0.5 && out.hi >= 0.5 && out.hi - out.lo <= 1e-9);
    CHECK(out.point_a[2] == 0.5 && out.point_b[2] == 0 && out.normal[2] == 1);
    OK(ccd_mesh_set_radii(mesh, radius, N));
    OK(step_clearance(mesh, tri_x0, x1, N, NULL, &out));
    CHECK(out.lo <= 0.25 && out.hi >= 0.25 && out.hi - out.lo <= 1e-9);
    CHECK(fabs(out.point_a[2] - 0.375) <= out.epsilon && fabs(out.point_b[2] - 0.125) <= out.epsilon);
    OK(ccd_mesh_set_radii(mesh, NULL, 0));
    OK(step_clearance(mesh, tri_x0, tri_x1, N, NULL, &out));
    CHECK(out.hi == 0 && out.time == 0.5);

    /* An edge through a face at the start is no pair of a step, unless the start is checked. */
    double x0[3 * N];
    memcpy(x0, tri_x0, sizeof x0);
    x0[11] = -1;
    OK(step_clearance(mesh, x0, x0, N, NULL, &out));
    CHECK(out.lo > 0.05 && out.hi < 1);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_CHECK_START;
    OK(step_clearance(mesh, x0, x0, N, &o, &out));
    CHECK(out.kind == CCD_EDGE_FACE && out.hi == 0 && out.time == 0);
    OK(ccd_mesh_destroy(mesh));

    ccd_mesh *lone = NULL;
    OK(ccd_mesh_create(3, NULL, 0, tri_faces, 1, &lone));
    OK(step_clearance(lone, tri_x0, tri_x1, 3, NULL, &out));
    CHECK(out.kind == 0 && out.a == -1 && isinf(out.lo) && isinf(out.hi));
    OK(ccd_mesh_destroy(lone));
}

/* Distances at times of a step, of which one is past the other triangle. */
static void profile(void) {
    ccd_mesh *mesh = triangles();
    ccd_step *s = NULL;
    OK(ccd_step_create(mesh, tri_x0, tri_x1, N, &s));
    const double times[4] = {0, 0.25, 0.5, 1}, bad[2] = {0, 1.5};
    ccd_clearance curve[4];
    OK(ccd_step_run_profile(s, times, 4, NULL, curve));
    for (int i = 0; i < 4; i++) {
        const double gap = fabs(1 - 2 * times[i]);
        CHECK(curve[i].time == times[i] && curve[i].lo <= gap && curve[i].hi >= gap);
        CHECK(curve[i].hi - curve[i].lo <= 1e-6);
    }
    OK(ccd_step_run_profile(s, NULL, 0, NULL, NULL));
    FAILS(ccd_step_run_profile(s, bad, 2, NULL, curve), CCD_E_ARGUMENT, "times[1] is 1.5: must be in [0, 1]");
    CHECK(curve[0].lo == 0 && isinf(curve[0].hi) && curve[1].lo == 0 && isinf(curve[1].hi)); /* all of them */
    OK(ccd_step_run_profile(s, times, 4, NULL, curve));
    const ccd_clearance kept = curve[0];
    OK(ccd_step_run_profile(s, NULL, 0, NULL, curve)); /* an array of no items is not written to */
    CHECK(memcmp(&kept, &curve[0], sizeof kept) == 0);
    FAILS(ccd_step_run_profile(s, times, 2, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_step_run_profile(s, NULL, 2, NULL, curve), CCD_E_ARGUMENT, "times is NULL");
    FAILS(ccd_step_run_profile(NULL, times, 2, NULL, curve), CCD_E_HANDLE, "step is NULL");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.t_max = 0.5;
    FAILS(ccd_step_run_profile(s, times, 2, &o, curve), CCD_E_UNSUPPORTED, "options.t_max");
    OK(ccd_step_destroy(s));
    OK(ccd_mesh_destroy(mesh));
}

static void refused(void) {
    ccd_mesh *mesh = triangles();
    ccd_clearance out = {.lo = 7};
    double q[12];
    FAILS(ccd_pair_clearance(0, passing, NULL, &out), CCD_E_ARGUMENT, "kind is 0");
    CHECK(out.lo == 0 && isinf(out.hi) && out.a == -1);
    FAILS(ccd_pair_clearance(CCD_POINT_POINT, NULL, NULL, &out), CCD_E_ARGUMENT, "q is NULL");
    FAILS(ccd_pair_clearance(CCD_POINT_POINT, passing, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    memcpy(q, passing, sizeof q);
    q[11] = NAN;
    FAILS(ccd_pair_clearance(CCD_POINT_POINT, q, NULL, &out), CCD_E_NONFINITE, "q[11]");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    FAILS(step_clearance(mesh, tri_x0, tri_x1, N, &o, &out), CCD_E_UNSUPPORTED, "options.method");
    ccd_options_init(&o, sizeof o);
    o.norm = CCD_NORM_MAX;
    FAILS(step_clearance(mesh, tri_x0, tri_x1, N, &o, &out), CCD_E_UNSUPPORTED, "options.norm");
    FAILS(ccd_pair_clearance(CCD_POINT_POINT, passing, &o, &out), CCD_E_UNSUPPORTED, "options.norm");
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_CHECK_START;
    FAILS(ccd_pair_clearance(CCD_POINT_POINT, passing, &o, &out), CCD_E_UNSUPPORTED, "CCD_CHECK_START");
    out.lo = 7;
    double x[3 * N];
    memcpy(x, tri_x0, sizeof x);
    x[4] = INFINITY;
    FAILS(step_clearance(mesh, x, tri_x1, N, NULL, &out), CCD_E_NONFINITE, "x0[1][1]");
    CHECK(out.lo == 0 && isinf(out.hi));
    FAILS(step_clearance(mesh, tri_x0, tri_x1, N - 1, NULL, &out), CCD_E_ARGUMENT, "n is 5");
    FAILS(step_clearance(NULL, tri_x0, tri_x1, N, NULL, &out), CCD_E_HANDLE, "mesh is NULL");
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    one_pair();
    step();
    profile();
    refused();
    return done();
}
