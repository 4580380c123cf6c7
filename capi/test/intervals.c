/* intervals.c - every interval of contact, of one pair, of many and of a step; and that errors leave safe answers. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = TRI_VERTICES, MOST = 64 };

static size_t copied(ccd_intervals *intervals, ccd_interval *list) {
    size_t count = 0, told = 99;
    OK(ccd_intervals_count(intervals, &told));
    OK(ccd_intervals_copy(intervals, list, MOST, &count));
    OK(ccd_intervals_destroy(intervals));
    CHECK(count == told && count <= MOST);
    return count;
}

/* A vertex falls from z = 1 to z = -1 through a face. */
static void one_pair(void) {
    ccd_interval found[4];
    size_t count = 0;
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, NULL, found, 4, &count));
    CHECK(count == 1 && found[0].kind == CCD_VERTEX_FACE && found[0].flags == 0 && found[0].a == -1 && found[0].b == -1);
    CHECK(found[0].enter == 0.5 && found[0].exit == 0.5 && found[0].side_before == 1 && found[0].side_after == -1);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.min_separation = 0.5;
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 4, &count));
    CHECK(count == 1 && found[0].enter == 0.25 && found[0].exit == 0.75 && found[0].side_before == 0);
    o.t_max = 0.75;
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 4, &count));
    CHECK(count == 1 && found[0].flags == CCD_FINAL_CONTACT);
    o.min_separation = 1;
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 4, &count));
    CHECK(count == 1 && found[0].flags == (CCD_INITIAL_CONTACT | CCD_FINAL_CONTACT) && found[0].exit == 0.75);
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, NULL, 0, &count));
    CHECK(count == 1);
    FAILS(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 0, &count), CCD_E_ARGUMENT, "cap is 0");
    CHECK(count == 1);
}

static void many_pairs(void) {
    double q[48];
    memcpy(q, falling, sizeof falling);
    memcpy(q + 24, falling, sizeof falling);
    q[2] = 3; /* the first one ends above */
    q[14] = 2;
    ccd_intervals *intervals = NULL;
    ccd_interval list[MOST];
    OK(ccd_pairs_intervals(CCD_VERTEX_FACE, q, 2, NULL, &intervals));
    CHECK(copied(intervals, list) == 1 && list[0].a == 1 && list[0].enter == 0.5);
    OK(ccd_pairs_intervals(CCD_VERTEX_FACE, NULL, 0, NULL, &intervals));
    CHECK(copied(intervals, list) == 0);
    q[30] = NAN;
    FAILS(ccd_pairs_intervals(CCD_VERTEX_FACE, q, 2, NULL, &intervals), CCD_E_NONFINITE, "query 1: q[6]");
    CHECK(intervals == NULL);
}

/* The intervals of the falling triangle begin with the impacts of its pairs. */
static void step(void) {
    ccd_mesh *mesh = triangles();
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    ccd_stats stats = {.struct_size = sizeof stats};
    o.stats = &stats;
    for (int i = 0; i < 2; i++) {
        ccd_intervals *intervals = NULL;
        ccd_impacts *impacts = NULL;
        ccd_interval list[MOST];
        ccd_impact hits[MOST];
        size_t count = 0;
        o.min_separation = 0.25 * i;
        OK(step_intervals(mesh, tri_x0, tri_x1, N, &o, &intervals));
        const size_t n = copied(intervals, list);
        CHECK(n > 2 && stats.impacts == (int64_t)n);
        OK(ccd_step_collisions(mesh, tri_x0, tri_x1, N, &o, &impacts));
        OK(ccd_impacts_copy(impacts, hits, MOST, &count));
        OK(ccd_impacts_destroy(impacts));
        CHECK(count == n);
        for (size_t j = 0; j < n && j < count; j++) {
            CHECK(list[j].enter == hits[j].toi_lo && list[j].kind == hits[j].kind && list[j].a == hits[j].a &&
                  list[j].b == hits[j].b);
            CHECK(fabs(list[j].enter + list[j].exit - 1) < 1e-15 && (i == 1 || list[j].exit == 0.5));
        }
    }
    OK(ccd_mesh_destroy(mesh));
}

static void refused(void) {
    ccd_mesh *mesh = triangles();
    ccd_intervals *intervals = NULL;
    ccd_interval found[4];
    size_t count = 7;
    double q[24];
    memcpy(q, falling, sizeof q);
    FAILS(ccd_pair_intervals(5, q, NULL, found, 4, &count), CCD_E_ARGUMENT, "kind is 5");
    CHECK(count == 0);
    FAILS(ccd_pair_intervals(CCD_VERTEX_FACE, NULL, NULL, found, 4, &count), CCD_E_ARGUMENT, "q is NULL");
    q[7] = INFINITY;
    FAILS(ccd_pair_intervals(CCD_VERTEX_FACE, q, NULL, found, 4, &count), CCD_E_NONFINITE, "q[7]");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    FAILS(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 4, &count), CCD_E_UNSUPPORTED, "options.method");
    FAILS(step_intervals(mesh, tri_x0, tri_x1, N, &o, &intervals), CCD_E_UNSUPPORTED, "options.method");
    ccd_options_init(&o, sizeof o);
    o.norm = CCD_NORM_MAX;
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 4, &count));
    o.min_separation = 0.5;
    OK(ccd_pair_intervals(CCD_VERTEX_FACE, falling, &o, found, 4, &count));
    CHECK(count == 1 && found[0].enter < found[0].exit);
    const int64_t pairs[4] = {3, 0, 3, 2};
    FAILS(step_pairs_intervals(mesh, tri_x0, tri_x1, N, CCD_VERTEX_FACE, pairs, 2, &o, &intervals), CCD_E_INDEX,
          "pairs[1][1] is 2");
    FAILS(step_pairs_intervals(mesh, tri_x0, tri_x1, N, 5, pairs, 1, &o, &intervals), CCD_E_ARGUMENT, "kind is 5");
    FAILS(step_pairs_intervals(mesh, tri_x0, tri_x1, N, CCD_VERTEX_FACE, NULL, 1, &o, &intervals), CCD_E_ARGUMENT,
          "pairs is NULL");
    CHECK(intervals == NULL);
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_CHECK_START;
    FAILS(step_intervals(mesh, tri_x0, tri_x1, N, &o, &intervals), CCD_E_UNSUPPORTED, "options.flags");
    ccd_options_init(&o, sizeof o);
    o.device = CCD_DEVICE_GPU;
    FAILS(step_intervals(mesh, tri_x0, tri_x1, N, &o, &intervals), CCD_E_UNSUPPORTED, "CCD_DEVICE_GPU");
    FAILS(step_intervals(mesh, tri_x0, tri_x1, N, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_intervals_count((ccd_intervals *)mesh, &count), CCD_E_HANDLE, "intervals is a handle of another type");
    CHECK(intervals == NULL);
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    one_pair();
    many_pairs();
    step();
    refused();
    return done();
}
