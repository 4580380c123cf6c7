/* rigid_distance.c - distances of rigid bodies at poses and over motions, intersections, scenes, and that errors leave safe answers. */
#include "check.h"

#include <math.h>

/* A tetrahedron with a corner at the origin that points down, over a plate. */
static const double tetra[12] = {0, 0, 0, 1, 0, 1, -1, 1, 1, -1, -1, 1};
static const int32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
static const double plate[12] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
static const int32_t plate_faces[6] = {0, 1, 2, 0, 2, 3};

static ccd_rigid_body *cone, *ground;
static const ccd_rigid_pose here = {.rotation = {1, 0, 0, 0}};
static const ccd_rigid_pose above = {.rotation = {0, 0, 0, 3}, .position = {0.25, 0.5, 0.75}};

static ccd_options defaults(void) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    return o;
}

static void distance(void) {
    ccd_rigid_gap g, batch[3];
    OK(ccd_rigid_distance(cone, &above, ground, &here, NULL, &g));
    CHECK(g.flags == 0 && g.reserved == 0 && g.lo <= 0.75 && g.hi >= 0.75 && g.hi - g.lo < 1e-10);
    CHECK(g.normal[2] > 1 - 1e-12 && g.feature_a <= 2 && g.index_a >= 0 && g.index_b >= 0 && g.time == 0);
    CHECK(fabs(g.point_a[2] - 0.75) <= g.epsilon && fabs(g.point_b[2]) <= g.epsilon && g.epsilon < 1e-10);
    CHECK(fabs(g.point_a[0] - 0.25) <= g.epsilon && fabs(g.point_b[1] - 0.5) <= g.epsilon);
    ccd_rigid_pose a[3] = {above, above, above}, b[3] = {here, here, here};
    a[1].position[2] = 0;
    a[2].position[2] = -0.5;
    OK(ccd_rigid_distance_batch(cone, a, ground, b, 3, NULL, batch));
    CHECK(memcmp(&g, &batch[0], sizeof g) == 0);
    for (int i = 1; i < 3; i++) {
        CHECK(batch[i].flags == CCD_GAP_INTERSECTING && batch[i].lo == 0 && batch[i].hi == 0);
    }
    for (int i = 0; i < 3; i++) {
        int32_t meets = -1;
        OK(ccd_rigid_intersects(cone, &a[i], ground, &b[i], NULL, &meets));
        CHECK(meets == (i > 0));
    }
    OK(ccd_rigid_distance_batch(cone, NULL, ground, NULL, 0, NULL, NULL));
    ccd_options o = defaults();
    o.tolerance = 0.25;
    OK(ccd_rigid_distance(cone, &above, ground, &here, &o, &g));
    CHECK(g.lo <= 0.75 && g.hi >= 0.75 && g.hi - g.lo <= 0.25);
}

static void gradients(void) {
    ccd_rigid_gap_gradient g[3];
    ccd_rigid_gap alone;
    ccd_rigid_pose a[3] = {above, above, here}, b[3] = {here, here, here};
    b[1].position[2] = 0.5;
    OK(ccd_rigid_distance(cone, &above, ground, &here, NULL, &alone));
    OK(ccd_rigid_distance_gradients(cone, a, ground, b, 3, NULL, g));
    CHECK(g[0].gap.lo == alone.lo && g[0].gap.hi == alone.hi && g[0].state == CCD_GRADIENT_DEFINED);
    /* The tip is the cone's origin, so no turn of the cone moves it; the ground lifts a point at (0.25, 0.5) by turning. */
    CHECK(g[0].position_a[2] == 1 && g[0].position_b[2] == -1 && g[0].position_a[0] == 0 && g[0].rotation_a[0] == 0);
    CHECK(fabs(g[0].rotation_b[0] + 0.5) < 1e-12 && fabs(g[0].rotation_b[1] - 0.25) < 1e-12);
    CHECK(g[1].state == CCD_GRADIENT_DEFINED && fabs(g[1].gap.hi - 0.25) < 1e-10);
    CHECK(g[2].state == CCD_GRADIENT_INITIAL && g[2].gap.hi == 0 && g[2].position_a[2] == 0);
    OK(ccd_rigid_distance_gradients(ground, &here, ground, &above, 1, NULL, g));
    CHECK(g[0].state == CCD_GRADIENT_TIE && isnan(g[0].position_a[0]) && isnan(g[0].rotation_b[2]));
    ccd_options o = defaults();
    o.max_iterations = 1;
    OK(ccd_rigid_distance_gradients(cone, a, ground, b, 1, &o, g));
    CHECK(g[0].state == CCD_GRADIENT_UNDETERMINED && isnan(g[0].position_b[1]));
    OK(ccd_rigid_distance_gradients(cone, NULL, ground, NULL, 0, NULL, NULL));
    b[1].rotation[0] = 0;
    FAILS(ccd_rigid_distance_gradients(cone, a, ground, b, 2, NULL, g), CCD_E_ARGUMENT, "pb[1]: rotation is 0");
    CHECK(isinf(g[0].gap.hi) && g[1].state == CCD_GRADIENT_UNDETERMINED && isnan(g[1].rotation_a[0]));
}

static void distance_errors(void) {
    ccd_rigid_gap g[2];
    ccd_rigid_pose a[2] = {above, above}, b[2] = {here, here};
    int32_t meets = 0;
    b[1].rotation[0] = 0;
    FAILS(ccd_rigid_distance_batch(cone, a, ground, b, 2, NULL, g), CCD_E_ARGUMENT, "pb[1]: rotation is 0");
    CHECK(g[0].lo == 0 && isinf(g[0].hi) && g[0].index_a == -1 && g[1].index_b == -1);
    FAILS(ccd_rigid_distance(cone, NULL, ground, b, NULL, g), CCD_E_ARGUMENT, "pa is NULL");
    FAILS(ccd_rigid_intersects(cone, a, ground, &b[1], NULL, &meets), CCD_E_ARGUMENT, "pb: rotation is 0");
    CHECK(meets == 1);
    FAILS(ccd_rigid_intersects(cone, a, ground, NULL, NULL, &meets), CCD_E_ARGUMENT, "pb is NULL");
    ccd_options o = defaults();
    o.method = CCD_METHOD_D2M;
    FAILS(ccd_rigid_distance(cone, a, ground, b, &o, g), CCD_E_UNSUPPORTED, "CCD_METHOD_D2M");
}

static void clearance(void) {
    /* The cone comes down to a height of 0.25 at t = 1, and goes through the ground if it goes on. */
    ccd_rigid_motion down = {
        .rotation = {1, 0, 0, 0}, .position = {0, 0, 1}, .velocity = {0, 0, -0.75}, .angular_velocity = {0, 0, 2}};
    ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};
    ccd_rigid_gap g;
    OK(ccd_rigid_clearance(cone, &down, ground, &still, NULL, &g));
    CHECK(g.flags == 0 && g.lo <= 0.25 && g.hi >= 0.25 && g.hi - g.lo < 1e-7 && fabs(g.time - 1) < 1e-6);
    CHECK(g.normal[2] > 1 - 1e-9 && fabs(g.point_a[2] - 0.25) < 1e-7);
    ccd_options o = defaults();
    o.t_max = 2;
    OK(ccd_rigid_clearance(cone, &down, ground, &still, &o, &g));
    CHECK(g.flags == CCD_GAP_INTERSECTING && g.hi == 0 && g.time >= 4 / 3.0 - 1e-9);
    o.max_iterations = 1;
    o.t_max = 1;
    OK(ccd_rigid_clearance(cone, &down, ground, &still, &o, &g));
    CHECK(g.flags == CCD_GAP_UNFINISHED && g.lo <= 0.25 && g.hi >= 0.25);
    FAILS(ccd_rigid_clearance(cone, NULL, ground, &still, NULL, &g), CCD_E_ARGUMENT, "ma is NULL");
    CHECK(isinf(g.hi) && g.index_a == -1);
    down.rotation[0] = 0;
    FAILS(ccd_rigid_clearance(cone, &down, ground, &still, NULL, &g), CCD_E_ARGUMENT, "ma: rotation is 0");
}

static void profile(void) {
    ccd_rigid_motion down = {
        .rotation = {1, 0, 0, 0}, .position = {0, 0, 1}, .velocity = {0, 0, -0.5}, .angular_velocity = {0, 0, 2}};
    ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};
    double times[4] = {1, 0, 0.5, 3};
    const double heights[4] = {0.5, 1, 0.75, 0};
    ccd_rigid_gap curve[4];
    OK(ccd_rigid_profile(cone, &down, ground, &still, times, 4, NULL, curve));
    for (int i = 0; i < 4; i++) {
        CHECK(curve[i].time == times[i] && curve[i].lo <= heights[i] && curve[i].hi >= heights[i]);
        CHECK(curve[i].hi - curve[i].lo < 1e-10 && (curve[i].flags == CCD_GAP_INTERSECTING) == (i == 3));
    }
    const ccd_rigid_gap kept = curve[0];
    OK(ccd_rigid_profile(cone, &down, ground, &still, NULL, 0, NULL, NULL));
    OK(ccd_rigid_profile(cone, &down, ground, &still, NULL, 0, NULL, curve));
    CHECK(memcmp(&kept, &curve[0], sizeof kept) == 0); /* an array of no items is not written to */
    FAILS(ccd_rigid_profile(cone, &down, ground, &still, NULL, 1, NULL, curve), CCD_E_ARGUMENT, "times is NULL");
    FAILS(ccd_rigid_profile(cone, NULL, ground, &still, times, 4, NULL, curve), CCD_E_ARGUMENT, "ma is NULL");
    times[2] = INFINITY;
    FAILS(ccd_rigid_profile(cone, &down, ground, &still, times, 4, NULL, curve), CCD_E_NONFINITE, "times[2] is +Inf");
    CHECK(isinf(curve[0].hi) && curve[3].index_a == -1 && curve[3].lo == 0);
    ccd_options o = defaults();
    o.t_max = 2;
    FAILS(ccd_rigid_profile(cone, &down, ground, &still, times, 1, &o, curve), CCD_E_UNSUPPORTED, "t_max");
}

static void scene(void) {
    ccd_rigid_body *const bodies[3] = {ground, cone, cone};
    ccd_rigid_pose poses[3] = {here, above, above};
    poses[2].position[2] = 9;
    ccd_rigid_scene_gaps *gaps;
    ccd_rigid_scene_gap list[3];
    ccd_rigid_gap g;
    size_t count;
    OK(ccd_rigid_distance(ground, &here, cone, &above, NULL, &g));
    OK(ccd_rigid_scene_within(bodies, poses, 3, NULL, NULL, 0, 1, NULL, &gaps));
    OK(ccd_rigid_scene_gaps_count(gaps, &count));
    CHECK(count == 1);
    OK(ccd_rigid_scene_gaps_copy(gaps, list, 3, &count));
    CHECK(count == 1 && list[0].a == 0 && list[0].b == 1 && list[0].gap.lo <= 0.75 && list[0].gap.hi >= 0.75);
    OK(ccd_rigid_scene_gaps_destroy(gaps));
    OK(ccd_rigid_scene_within(bodies, poses, 3, NULL, NULL, 0, 100, NULL, &gaps));
    OK(ccd_rigid_scene_gaps_count(gaps, &count));
    CHECK(count == 3);
    OK(ccd_rigid_scene_gaps_destroy(gaps));
    FAILS(ccd_rigid_scene_within(bodies, poses, 3, NULL, NULL, 0, -1, NULL, &gaps), CCD_E_ARGUMENT, "distance is -1");
    CHECK(gaps == NULL);
    poses[1].position[0] = NAN;
    FAILS(ccd_rigid_scene_within(bodies, poses, 3, NULL, NULL, 0, 1, NULL, &gaps), CCD_E_NONFINITE,
          "poses[1]: position[0]");
}

int main(void) {
    OK(ccd_rigid_body_create(tetra, 4, faces, 4, &cone));
    OK(ccd_rigid_body_create(plate, 4, plate_faces, 2, &ground));
    distance();
    gradients();
    gradients();
    distance_errors();
    clearance();
    profile();
    scene();
    OK(ccd_rigid_body_destroy(cone));
    OK(ccd_rigid_body_destroy(ground));
    return done();
}
