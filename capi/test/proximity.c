/* proximity.c - one frame: intersections and distances, and that errors leave safe answers. */
#include "check.h"

#include <math.h>

enum { N = TRI_VERTICES, MOST = 16 };

/* The step of the falling triangle at t: it is at z = 1 - 2t. */
static const double *at(double t) {
    static double x[3 * N];
    for (int i = 0; i < 3 * N; i++) {
        x[i] = tri_x0[i] + t * (tri_x1[i] - tri_x0[i]);
    }
    return x;
}

static size_t intersecting(ccd_mesh *mesh, const double *x, ccd_intersection *list) {
    ccd_intersections *found = NULL;
    size_t count = 99, told = 99;
    int32_t some = 9;
    OK(ccd_proximity_intersections(mesh, x, N, NULL, &found));
    OK(ccd_intersections_count(found, &told));
    OK(ccd_intersections_copy(found, list, MOST, &count));
    OK(ccd_intersections_destroy(found));
    OK(ccd_proximity_intersects(mesh, x, N, NULL, &some));
    CHECK(count == told && some == (count > 0));
    return count;
}

static void intersections(void) {
    ccd_mesh *mesh = triangles();
    ccd_intersection list[MOST];
    CHECK(intersecting(mesh, at(0), list) == 0);
    CHECK(intersecting(mesh, at(0.5 - 0x1p-53), list) == 0);
    CHECK(intersecting(mesh, at(0.5), list) == 3); /* one lies in the other's plane: three edges lie in the face */
    for (int i = 0; i < 3; i++) {
        CHECK(list[i].kind == CCD_EDGE_FACE && list[i].a >= 3 && list[i].b == 0 && list[i].reserved == 0);
    }
    double x[3 * N]; /* upright, through the other */
    memcpy(x, tri_x0, sizeof x);
    x[3 * 3 + 2] = -1;
    CHECK(intersecting(mesh, x, list) == 2);
    CHECK(list[0].a < list[1].a && list[0].b == 0 && list[1].b == 0);
    const int64_t pairs[2] = {list[0].a, 0};
    OK(ccd_mesh_set_excluded(mesh, CCD_EDGE_FACE, pairs, 1));
    CHECK(intersecting(mesh, x, list) == 1);
    OK(ccd_mesh_destroy(mesh));
}

static void near(void) {
    ccd_mesh *mesh = triangles();
    ccd_near_pair list[MOST];
    ccd_near_pairs *found = NULL;
    size_t count = 0;
    OK(ccd_proximity_near(mesh, at(0.25), N, 0.5, NULL, &found));
    OK(ccd_near_pairs_count(found, &count));
    CHECK(count == 3); /* the vertices of one over the other's face */
    OK(ccd_near_pairs_copy(found, list, MOST, &count));
    for (size_t i = 0; i < count; i++) {
        CHECK(list[i].distance_lo <= 0.5 && list[i].distance_hi >= 0.5 &&
              list[i].distance_hi - list[i].distance_lo <= 0x1p-24 * list[i].distance_hi);
        CHECK(fabs(list[i].point_a[2] - list[i].point_b[2]) == 0.5);
    }
    CHECK(list[0].kind == CCD_VERTEX_FACE && list[0].a == 3 && list[0].b == 0 && list[0].u == 0.25 && list[0].v == 0.25);
    FAILS(ccd_near_pairs_copy(found, list, 2, &count), CCD_E_ARGUMENT, "cap is 2");
    CHECK(count == 3);
    FAILS(ccd_intersections_count((ccd_intersections *)found, &count), CCD_E_HANDLE, "ccd_near_pairs");
    OK(ccd_near_pairs_destroy(found));
    FAILS(ccd_near_pairs_destroy(found), CCD_E_HANDLE, "near_pairs was destroyed");
    OK(ccd_proximity_near(mesh, at(0.25), N, 0.499, NULL, &found));
    OK(ccd_near_pairs_count(found, &count));
    CHECK(count == 0);
    OK(ccd_near_pairs_destroy(found));
    OK(ccd_mesh_destroy(mesh));
}

static void distance(void) {
    ccd_mesh *mesh = triangles();
    ccd_near_pair out;
    OK(ccd_proximity_distance(mesh, at(0.25), N, NULL, &out));
    CHECK(out.kind == CCD_VERTEX_FACE && out.a >= 3 && out.b == 0 && out.distance_lo <= 0.5 && out.distance_hi >= 0.5);
    CHECK(out.distance_lo > 0.5 - 1e-12 && out.distance_hi < 0.5 + 1e-12 && out.point_a[2] == 0.5 && out.point_b[2] == 0);
    OK(ccd_proximity_distance(mesh, at(0.5), N, NULL, &out));
    CHECK(out.distance_lo == 0 && out.distance_hi == 0 && out.kind == CCD_VERTEX_FACE && out.a == 3 && out.b == 0);
    OK(ccd_mesh_set_component_groups(mesh));
    OK(ccd_proximity_distance(mesh, at(0), N, NULL, &out));
    CHECK(out.distance_lo <= 1 && out.distance_hi >= 1);
    const uint8_t still[N] = {1, 1, 1, 1, 1, 1};
    OK(ccd_mesh_set_static(mesh, still, N));
    OK(ccd_proximity_distance(mesh, at(0), N, NULL, &out));
    CHECK(out.kind == 0 && out.a == -1 && out.b == -1 && out.distance_lo == INFINITY && out.distance_hi == INFINITY);
    double x[3 * N]; /* upright, through the other: the nearest pairs of a step are 0.25 apart */
    memcpy(x, tri_x0, sizeof x);
    x[3 * 3 + 2] = -1;
    OK(ccd_mesh_set_static(mesh, NULL, 0));
    OK(ccd_proximity_distance(mesh, x, N, NULL, &out));
    CHECK(out.kind == CCD_EDGE_FACE && out.b == 0 && out.distance_lo == 0 && out.distance_hi == 0);
    CHECK(out.point_a[2] == 0 && memcmp(out.point_a, out.point_b, sizeof out.point_a) == 0);
    CHECK(out.point_a[0] == out.u && out.point_a[1] == out.v && out.u > 0.25 && out.v == 0.25);
    FAILS(ccd_proximity_distance(mesh, at(0), N - 1, NULL, &out), CCD_E_ARGUMENT, "n is 5");
    CHECK(out.kind == 0 && out.a == -1 && out.distance_lo == 0 && out.distance_hi == INFINITY);
    FAILS(ccd_proximity_distance(mesh, at(0), N, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    OK(ccd_mesh_destroy(mesh));
}

static int32_t cancel(double fraction, void *user) {
    (void)fraction;
    (void)user;
    return 1;
}

static void errors(void) {
    ccd_mesh *mesh = triangles();
    ccd_intersections *found = (ccd_intersections *)mesh;
    ccd_near_pairs *pairs = (ccd_near_pairs *)mesh;
    int32_t some = 0;
    double bad[3 * N];
    memcpy(bad, tri_x0, sizeof bad);
    bad[4] = NAN;
    FAILS(ccd_proximity_intersections(mesh, bad, N, NULL, &found), CCD_E_NONFINITE, "x[1][1] is NaN");
    FAILS(ccd_proximity_intersects(mesh, bad, N, NULL, &some), CCD_E_NONFINITE, "x[1][1] is NaN");
    FAILS(ccd_proximity_near(mesh, bad, N, 1, NULL, &pairs), CCD_E_NONFINITE, "x[1][1] is NaN");
    CHECK(found == NULL && pairs == NULL && some == 1);
    FAILS(ccd_proximity_near(mesh, tri_x0, N, -1, NULL, &pairs), CCD_E_ARGUMENT, "d is -1");
    FAILS(ccd_proximity_near(mesh, tri_x0, N, NAN, NULL, &pairs), CCD_E_ARGUMENT, "d is NaN");
    FAILS(ccd_proximity_near(mesh, tri_x0, N, 1, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_proximity_intersections(mesh, tri_x0, N, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_proximity_intersects(mesh, tri_x0, N, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_proximity_intersects(mesh, tri_x0, N - 1, NULL, &some), CCD_E_ARGUMENT, "n is 5");
    FAILS(ccd_proximity_intersects(mesh, NULL, N, NULL, &some), CCD_E_ARGUMENT, "x is NULL");
    FAILS(ccd_proximity_intersects(NULL, tri_x0, N, NULL, &some), CCD_E_HANDLE, "mesh is NULL");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.progress = cancel;
    some = 0;
    FAILS(ccd_proximity_intersects(mesh, tri_x0, N, &o, &some), CCD_E_CANCELLED, "cancelled");
    CHECK(some == 1);
    OK(ccd_mesh_destroy(mesh));
}

static void statistics(void) {
    ccd_mesh *mesh = triangles();
    ccd_stats stats = {.struct_size = sizeof stats};
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.stats = &stats;
    ccd_intersections *found = NULL;
    OK(ccd_proximity_intersections(mesh, at(0.5), N, &o, &found));
    OK(ccd_intersections_destroy(found));
    CHECK(stats.boxes == 6 + 6 + 2 && stats.impacts == 3 && stats.candidates[CCD_EDGE_FACE - 1] >= 3 && stats.threads > 0);
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    intersections();
    near();
    distance();
    errors();
    statistics();
    return done();
}
