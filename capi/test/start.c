/* start.c - steps whose start intersects: what CCD_CHECK_START reports, and which calls do not support it. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = 5, STEM = 3 };

/* A face, and an edge through it from z = 0.5 to z = -1.5, which rests. */
static const double x[3 * N] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 0.5, 0.25, 0.25, -1.5};
static const int32_t edges[8] = {0, 1, 1, 2, 0, 2, 3, 4}, face[3] = {0, 1, 2};

static ccd_mesh *needle(void) {
    ccd_mesh *mesh = NULL;
    OK(ccd_mesh_create(N, edges, 4, face, 1, &mesh));
    return mesh;
}

static ccd_options checking(void) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_CHECK_START;
    return o;
}

static void is_crossing(const ccd_impact *hit) {
    CHECK(hit->verdict == CCD_CONTACT && hit->kind == CCD_EDGE_FACE && hit->a == STEM && hit->b == 0);
    CHECK(hit->flags == (CCD_CERTIFIED | CCD_INITIAL_CONTACT | CCD_INTERSECTING) && hit->toi_lo == 0 && hit->toi_hi == 0);
    CHECK(hit->u == 0.25 && hit->v == 0.25 && hit->point[0] == 0.25 && hit->point[1] == 0.25 && hit->point[2] == 0);
    CHECK(hit->normal[0] == 0 && hit->normal[1] == 0 && hit->normal[2] == -1); /* toward the longer part */
    CHECK(hit->width == 0 && hit->reserved == 0);
}

static int32_t count(const ccd_impact *impacts, size_t n, void *user) {
    for (size_t i = 0; i < n; i++) {
        is_crossing(&impacts[i]);
    }
    *(size_t *)user += n;
    return 0;
}

static void reported(void) {
    ccd_mesh *mesh = needle();
    ccd_options o = checking(), near = checking();
    ccd_stats stats = {.struct_size = sizeof stats};
    ccd_impact hit;
    double alpha = -1;
    OK(ccd_step_earliest(mesh, x, x, N, NULL, &hit));
    CHECK(hit.verdict == CCD_SEPARATE);
    o.stats = &stats;
    OK(ccd_step_earliest(mesh, x, x, N, &o, &hit));
    is_crossing(&hit);
    CHECK(stats.candidates[CCD_EDGE_FACE - 1] == 1 && stats.impacts == 1);
    OK(ccd_step_size(mesh, x, x, N, NULL, &alpha));
    CHECK(alpha == 1);
    OK(ccd_step_size(mesh, x, x, N, &o, &alpha));
    CHECK(alpha == 0);

    ccd_impacts *impacts = NULL;
    size_t n = 0, seen = 0;
    OK(ccd_step_collisions(mesh, x, x, N, &o, &impacts));
    memset(&hit, 0, sizeof hit);
    OK(ccd_impacts_copy(impacts, &hit, 1, &n));
    is_crossing(&hit);
    CHECK(n == 1);
    OK(ccd_impacts_destroy(impacts));
    OK(step_visit(mesh, x, x, N, &o, count, &seen));
    CHECK(seen == 1);

    ccd_linesearch_bound bound = {1, 1, 1};
    near.min_separation = 0.01;
    OK(step_linesearch(mesh, x, x, N, 0.5, &near, &bound));
    CHECK(bound.alpha == 0 && bound.distance == 0 && bound.separation == 0);
    ccd_constraints *constraints = NULL;
    FAILS(step_activeset(mesh, x, x, N, &o, &constraints), CCD_E_ARGUMENT, "edge 3 passes through face 0");
    CHECK(constraints == NULL);

    ccd_candidates *known = NULL;
    OK(ccd_broad_candidates(mesh, x, x, N, &o, &known));
    OK(candidates_earliest(known, x, x, N, &o, &hit));
    is_crossing(&hit);
    OK(candidates_size(known, x, x, N, &o, &alpha));
    CHECK(alpha == 0);
    OK(candidates_collisions(known, x, x, N, &o, &impacts));
    OK(ccd_impacts_count(impacts, &n));
    CHECK(n == 1);
    OK(ccd_impacts_destroy(impacts));
    OK(ccd_candidates_destroy(known));

    const int64_t pair[2] = {STEM, 0};
    OK(ccd_mesh_set_excluded(mesh, CCD_EDGE_FACE, pair, 1));
    OK(ccd_step_earliest(mesh, x, x, N, &o, &hit));
    CHECK(hit.verdict == CCD_SEPARATE);
    OK(ccd_mesh_destroy(mesh));
}

/* What only touches is a contact of its own kind. */
static void touching(void) {
    ccd_mesh *mesh = needle();
    ccd_options o = checking();
    ccd_impact hit;
    double y[3 * N];
    memcpy(y, x, sizeof y);
    y[3 * 3 + 2] = 0;
    OK(ccd_step_earliest(mesh, y, y, N, &o, &hit));
    CHECK(hit.kind == CCD_VERTEX_FACE && hit.a == 3 && hit.toi_lo == 0 &&
          hit.flags == (CCD_CERTIFIED | CCD_INITIAL_CONTACT));
    y[3 * 3 + 2] = -0x1p-1000;
    OK(ccd_step_earliest(mesh, y, y, N, &o, &hit));
    CHECK(hit.verdict == CCD_SEPARATE);
    y[3 * 3 + 2] = 0x1p-1000;
    OK(ccd_step_earliest(mesh, y, y, N, &o, &hit));
    CHECK(hit.kind == CCD_EDGE_FACE);
    OK(ccd_mesh_destroy(mesh));
}

static void unsupported(void) {
    ccd_mesh *mesh = needle();
    ccd_options o = checking();
    ccd_impact hit;
    const int64_t pair[2] = {3, 0};
    FAILS(step_pairs(mesh, x, x, N, CCD_VERTEX_FACE, pair, 1, &o, &hit), CCD_E_UNSUPPORTED, "calls on given pairs");
    FAILS(ccd_pair_vertex_face(falling, &o, &hit), CCD_E_UNSUPPORTED, "ccd_pair_*");
    int32_t some = 0;
    OK(ccd_proximity_intersects(mesh, x, N, &o, &some)); /* no effect */
    CHECK(some == 1);
    double bad[3 * N];
    memcpy(bad, x, sizeof bad);
    bad[3] = NAN;
    FAILS(ccd_step_earliest(mesh, x, bad, N, &o, &hit), CCD_E_NONFINITE, "x1[1][0]");
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    reported();
    touching();
    unsupported();
    return done();
}
