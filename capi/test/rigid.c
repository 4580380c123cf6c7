/* rigid.c - rigid bodies: contact, separation, bodies that separate, scenes, meshes, poses, and that errors leave safe answers. */
#include "check.h"

#include <math.h>

/* A tetrahedron with a corner at the origin that points down. */
static const double tetra[12] = {0, 0, 0, 1, 0, 1, -1, 1, 1, -1, -1, 1};
static const int32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
static const double plate[12] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
static const int32_t plate_faces[6] = {0, 1, 2, 0, 2, 3};

static ccd_rigid_body *cone, *ground;
static const ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};
static const ccd_rigid_motion down = {
    .rotation = {2, 0, 0, 0}, .position = {0, 0, 1}, .velocity = {0, 0, -2}, .angular_velocity = {0, 0, 3}};

static ccd_options defaults(void) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    return o;
}

static void contact(void) {
    ccd_rigid_impact hit, again;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, NULL, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.flags == 0);
    CHECK(hit.toi_lo <= hit.toi_hi && hit.toi_hi < 0.5 && hit.toi_lo > 0.5 - 1e-9);
    CHECK(hit.distance >= 1.25e-11 && hit.distance <= 1e-10); /* min_separation 0: within the tolerance of touching */
    CHECK(hit.normal[2] > 1 - 1e-9);                          /* the normal points from the ground to the body */
    CHECK(fabs(hit.point_a[2] - hit.distance) < 1e-14 && fabs(hit.point_b[2]) < 1e-14);
    CHECK(hit.feature_a <= 2 && hit.index_a >= 0 && hit.index_a <= 2 && hit.iterations > 0);
    ccd_options o = defaults();
    CHECK(o.struct_size == sizeof o && o.t_min == 0 && o.t_max == 1 && o.min_separation == 0 && o.tolerance == 0 &&
          o.max_iterations == 1000000);
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &o, &again));
    CHECK(memcmp(&hit, &again, sizeof hit) == 0);
    o.min_separation = 1e-3, o.tolerance = 1e-6;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.distance >= 1e-3 && hit.distance <= 1e-3 + 1e-6 && hit.toi_hi < 0.4995);
    o.min_separation = 0;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.distance >= 1.25e-7 && hit.distance <= 1e-6);
    o = defaults();
    o.t_max = 0.49;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit));
    CHECK(hit.verdict == CCD_SEPARATE && isinf(hit.toi_lo) && hit.index_a == -1 && hit.normal[2] == 0);
    o.t_min = 0.6, o.t_max = 1;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.flags == (CCD_INITIAL_CONTACT | CCD_INTERSECTING) && hit.toi_lo == 0.6);
    o = defaults();
    o.max_iterations = 1;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit));
    CHECK(hit.verdict == CCD_UNDECIDED && hit.toi_lo >= 0 && hit.toi_lo < 0.5);
}

/* Just after a bounce the bodies are within the tolerance; they separate for ever. */
static void separating(void) {
    ccd_rigid_motion up = still;
    up.position[2] = 0.75e-10;
    up.velocity[2] = 1;
    up.angular_velocity[2] = 30; /* boxes do not show that it separates, triangles do */
    ccd_rigid_impact hit;
    OK(ccd_rigid_earliest(cone, &up, ground, &still, NULL, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.toi_lo < 1e-10);
    up.position[2] = 0.1e-10;
    OK(ccd_rigid_earliest(cone, &up, ground, &still, NULL, &hit));
    CHECK(hit.verdict == CCD_CONTACT && hit.flags == CCD_INITIAL_CONTACT && hit.toi_lo == 0);
    up.position[2] = 0.75e-10;
    ccd_options o = defaults();
    o.flags = CCD_IGNORE_SEPARATING;
    OK(ccd_rigid_earliest(cone, &up, ground, &still, &o, &hit));
    CHECK(hit.verdict == CCD_SEPARATE);
}

static void batch(void) {
    ccd_rigid_motion a[3] = {down, down, down}, b[3] = {still, still, still};
    a[1].velocity[2] = 2;
    a[2].position[2] = 0.5;
    ccd_rigid_impact out[3], one;
    OK(ccd_rigid_earliest_batch(cone, a, ground, b, 3, NULL, out));
    for (int i = 0; i < 3; i++) {
        OK(ccd_rigid_earliest(cone, &a[i], ground, &b[i], NULL, &one));
        CHECK(memcmp(&one, &out[i], sizeof one) == 0);
    }
    CHECK(out[1].verdict == CCD_SEPARATE && out[2].toi_lo < out[0].toi_lo);
    OK(ccd_rigid_earliest_batch(cone, NULL, ground, NULL, 0, NULL, NULL));
    b[2].rotation[0] = 0;
    FAILS(ccd_rigid_earliest_batch(cone, a, ground, b, 3, NULL, out), CCD_E_ARGUMENT, "mb[2]: rotation is 0");
    CHECK(out[0].verdict == CCD_UNDECIDED && isinf(out[0].toi_lo) && out[0].toi_lo < 0);
}

static int32_t stop(double fraction, void *user) {
    (void)fraction;
    (void)user;
    return 1;
}

/* Three cones over the ground, one of them far above. */
static void scene(void) {
    ccd_rigid_body *const bodies[4] = {ground, cone, cone, cone};
    ccd_rigid_motion m[4] = {still, down, down, down};
    m[2].position[0] = 3, m[2].position[2] = 0.5;
    m[3].position[2] = 9;
    ccd_rigid_impact one, other;
    OK(ccd_rigid_earliest(ground, &still, cone, &m[1], NULL, &one));
    OK(ccd_rigid_earliest(ground, &still, cone, &m[2], NULL, &other));
    ccd_rigid_scene_impact first, list[3];
    OK(ccd_rigid_scene_earliest(bodies, m, 4, NULL, NULL, 0, NULL, &first));
    CHECK(first.a == 0 && first.b == 2 && memcmp(&first.impact, &other, sizeof other) == 0);
    ccd_rigid_scene_impacts *impacts;
    size_t count = 0;
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    for (o.threads = 1; o.threads < 4; o.threads++) {
        OK(ccd_rigid_scene_collisions(bodies, m, 4, NULL, NULL, 0, &o, &impacts));
        OK(ccd_rigid_scene_impacts_count(impacts, &count));
        CHECK(count == 2);
        OK(ccd_rigid_scene_impacts_copy(impacts, list, 3, &count));
        CHECK(memcmp(&list[0], &first, sizeof first) == 0);
        CHECK(list[1].a == 0 && list[1].b == 1 && memcmp(&list[1].impact, &one, sizeof one) == 0);
        FAILS(ccd_rigid_scene_impacts_copy(impacts, list, 1, &count), CCD_E_ARGUMENT, "cap is 1");
        OK(ccd_rigid_scene_impacts_destroy(impacts));
    }
    const int32_t pairs[4] = {2, 0, 1, 0}, groups[4] = {-1, 7, 7, 7};
    OK(ccd_rigid_scene_earliest(bodies, m, 4, groups, pairs, 1, NULL, &first));
    CHECK(first.b == 1);
    OK(ccd_rigid_scene_earliest(bodies, m, 4, NULL, pairs, 2, NULL, &first));
    CHECK(first.a == -1 && first.impact.verdict == CCD_SEPARATE && isinf(first.impact.toi_lo));
    OK(ccd_rigid_scene_earliest(NULL, NULL, 0, NULL, NULL, 0, NULL, &first));
    CHECK(first.impact.verdict == CCD_SEPARATE);
    ccd_rigid_body *const holed[2] = {ground, NULL};
    FAILS(ccd_rigid_scene_earliest(holed, m, 2, NULL, NULL, 0, NULL, &first), CCD_E_HANDLE, "bodies[1] is NULL");
    CHECK(first.a == -1 && first.impact.verdict == CCD_UNDECIDED && first.impact.toi_lo < 0);
    FAILS(ccd_rigid_scene_collisions(bodies, m, 4, NULL, groups, 1, NULL, &impacts), CCD_E_INDEX, "skip[0][0] is -1");
    CHECK(impacts == NULL);
    FAILS(ccd_rigid_scene_collisions(bodies, m, 4, NULL, NULL, 0, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_rigid_scene_earliest(bodies, NULL, 4, NULL, NULL, 0, NULL, &first), CCD_E_ARGUMENT, "motions is NULL");
    m[3].angular_velocity[0] = NAN;
    FAILS(ccd_rigid_scene_earliest(bodies, m, 4, NULL, NULL, 0, NULL, &first), CCD_E_NONFINITE,
          "motions[3]: angular_velocity[0]");
    m[3] = still;
    ccd_stats stats = {.struct_size = sizeof stats};
    o.stats = &stats;
    OK(ccd_rigid_scene_earliest(bodies, m, 4, NULL, NULL, 0, &o, &first));
    CHECK(stats.boxes == 4 && stats.candidates[0] >= 2 && stats.impacts >= 1 && stats.threads >= 1 && stats.peak_bytes > 0);
    o.progress = stop;
    FAILS(ccd_rigid_scene_earliest(bodies, m, 4, NULL, NULL, 0, &o, &first), CCD_E_CANCELLED, "");
}

/* A square in four triangles, whose middle rises to 1 as t runs from 0 to 1, a loose edge and a loose vertex. */
static const int32_t tent[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
static const int32_t tent_edges[18] = {0, 1, 1, 2, 2, 3, 3, 0, 0, 4, 1, 4, 2, 4, 3, 4, 5, 6};
static const double flat[24] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, 0, 9, -1, 0, 9, 1, 0, 20, 0, 0};

static void mesh(void) {
    double raised[24];
    memcpy(raised, flat, sizeof raised);
    raised[14] = raised[17] = raised[20] = raised[23] = 1;
    ccd_mesh *m;
    OK(ccd_mesh_create(8, tent_edges, 9, tent, 4, &m));
    ccd_rigid_body *const bodies[3] = {cone, cone, cone};
    ccd_rigid_motion motions[3] = {down, down, down}; /* tips at 1 - 2 t: they meet what rises at t = 1/3 */
    motions[1].position[0] = 9;
    motions[2].position[0] = 20;
    ccd_rigid_mesh_impact first, list[9];
    OK(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 8, NULL, &first));
    CHECK(first.body >= 0 && first.impact.verdict == CCD_CONTACT && first.impact.flags == 0 && first.reserved == 0);
    CHECK(first.impact.toi_lo < 1.0 / 3 && first.impact.toi_lo > 1.0 / 3 - 1e-9);
    CHECK(first.impact.distance >= 1.25e-11 && first.impact.distance <= 1e-10);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    ccd_stats stats = {.struct_size = sizeof stats};
    o.stats = &stats;
    for (o.threads = 1; o.threads < 4; o.threads++) {
        ccd_rigid_mesh_impacts *impacts;
        size_t count = 0;
        OK(ccd_rigid_mesh_collisions(bodies, motions, 3, m, flat, raised, 8, &o, &impacts));
        OK(ccd_rigid_mesh_impacts_count(impacts, &count));
        CHECK(count == 6 && stats.impacts == 6 && stats.boxes == 9 && stats.candidates[0] >= 6 && stats.peak_bytes > 0);
        OK(ccd_rigid_mesh_impacts_copy(impacts, list, 9, &count));
        CHECK(memcmp(&list[0], &first, sizeof first) == 0);
        int seen[3] = {0};
        for (size_t i = 0; i < count; i++) {
            CHECK(list[i].impact.toi_lo > 1.0 / 3 - 1e-9 && list[i].impact.normal[2] > 0.1);
            seen[list[i].shape]++;
            CHECK(list[i].shape == list[i].body);
            if (list[i].shape == CCD_SHAPE_EDGE) {
                CHECK(list[i].impact.index_b == 8 && list[i].impact.feature_b == 3);
            } else if (list[i].shape == CCD_SHAPE_VERTEX) {
                CHECK(list[i].impact.index_b == 7 && list[i].impact.feature_b == 0);
            }
        }
        CHECK(seen[CCD_SHAPE_FACE] == 4 && seen[CCD_SHAPE_EDGE] == 1 && seen[CCD_SHAPE_VERTEX] == 1);
        OK(ccd_rigid_mesh_impacts_destroy(impacts));
    }
    ccd_options half = defaults();
    half.method = CCD_METHOD_D2M;
    ccd_rigid_mesh_impact other;
    OK(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 8, &half, &other));
    CHECK(other.impact.verdict == CCD_CONTACT && fabs(other.impact.toi_hi - 1.0 / 3) < 1e-9);
    half = defaults();
    half.t_min = half.t_max = 0.25; /* one instant: the mesh is at x0 */
    OK(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 8, &half, &first));
    CHECK(first.body == -1 && first.impact.verdict == CCD_SEPARATE && isinf(first.impact.toi_lo));
    OK(ccd_rigid_mesh_earliest(NULL, NULL, 0, m, flat, raised, 8, NULL, &first));
    CHECK(first.body == -1 && first.impact.verdict == CCD_SEPARATE);
    half.method = CCD_METHOD_D2M_SPHERES;
    FAILS(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 8, &half, &first), CCD_E_UNSUPPORTED,
          "options.method");
    CHECK(first.body == -1 && first.impact.verdict == CCD_UNDECIDED && first.impact.toi_lo < 0);
    FAILS(ccd_rigid_mesh_earliest(bodies, motions, 3, NULL, flat, raised, 8, NULL, &first), CCD_E_HANDLE, "mesh is NULL");
    FAILS(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 7, NULL, &first), CCD_E_ARGUMENT, "n is 7");
    FAILS(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, NULL, 8, NULL, &first), CCD_E_ARGUMENT, "x1 is NULL");
    FAILS(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 8, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    raised[4] = NAN;
    ccd_rigid_mesh_impacts *none;
    FAILS(ccd_rigid_mesh_collisions(bodies, motions, 3, m, flat, raised, 8, NULL, &none), CCD_E_NONFINITE,
          "x1[1][1] is NaN");
    CHECK(none == NULL);
    raised[4] = -1;
    o.progress = stop;
    FAILS(ccd_rigid_mesh_earliest(bodies, motions, 3, m, flat, raised, 8, &o, &first), CCD_E_CANCELLED, "");
    OK(ccd_mesh_destroy(m));
}

static void poses(void) {
    double q[4], x[3];
    OK(ccd_rigid_motion_pose(&down, 0.25, q, x));
    CHECK(fabs(x[2] - 0.5) < 1e-15 && fabs(q[3] / q[0] - tan(0.375)) < 1e-15);
    OK(ccd_rigid_motion_pose(&down, 0.25, NULL, NULL));
    FAILS(ccd_rigid_motion_pose(&down, NAN, q, x), CCD_E_NONFINITE, "t is NaN");
    CHECK(q[0] == 0 && x[2] == 0);
    FAILS(ccd_rigid_motion_pose(NULL, 0, q, x), CCD_E_ARGUMENT, "motion is NULL");
    ccd_rigid_motion m;
    const double axis_point[3] = {1, 0, 0}, angular_velocity[3] = {0, 0, 2};
    OK(ccd_rigid_motion_screw(still.rotation, still.position, axis_point, angular_velocity, 3, &m));
    CHECK(m.velocity[2] == 3 && m.angular_velocity[2] == 2 && m.pivot[0] == 1 && m.position[0] == 1);
    OK(ccd_rigid_motion_pose(&m, acos(-1) / 2, NULL, x)); /* half a turn about (1, 0, z) */
    CHECK(fabs(x[0] - 2) < 1e-14 && fabs(x[1]) < 1e-14 && fabs(x[2] - 3 * acos(-1) / 2) < 1e-14);
    FAILS(ccd_rigid_motion_screw(still.rotation, still.position, axis_point, NULL, 3, &m), CCD_E_ARGUMENT,
          "angular_velocity is NULL");
    FAILS(ccd_rigid_motion_screw(still.rotation, still.position, axis_point, angular_velocity, INFINITY, &m),
          CCD_E_NONFINITE, "speed[0] is +Inf");
    const double away[3] = {0, NAN, 0};
    FAILS(ccd_rigid_motion_screw(still.rotation, still.position, away, angular_velocity, 3, &m), CCD_E_NONFINITE,
          "axis_point[1] is NaN");
    const double to[4] = {-1, 0, 0, -1}, there[3] = {4, 0, 2}; /* a quarter about z */
    OK(ccd_rigid_motion_between(still.rotation, still.position, to, there, 2, NULL, &m));
    CHECK(m.velocity[0] == 2 && m.velocity[2] == 1 && fabs(m.angular_velocity[2] - acos(-1) / 4) < 1e-15 &&
          m.angular_velocity[0] == 0);
    OK(ccd_rigid_motion_between(still.rotation, still.position, to, there, 2, axis_point, &m));
    OK(ccd_rigid_motion_pose(&m, 2, q, x));
    CHECK(m.pivot[0] == 1 && fabs(x[0] - 4) < 1e-14 && fabs(x[1]) < 1e-14 && fabs(x[2] - 2) < 1e-14 &&
          fabs(q[0] - q[3]) < 1e-15);
    FAILS(ccd_rigid_motion_between(still.rotation, still.position, NULL, there, 1, NULL, &m), CCD_E_ARGUMENT, "rotation1");
    FAILS(ccd_rigid_motion_between(still.rotation, still.position, to, there, 0, NULL, &m), CCD_E_ARGUMENT,
          "duration is 0");
    FAILS(ccd_rigid_motion_between(still.rotation, still.position, to, there, 1, NULL, NULL), CCD_E_ARGUMENT,
          "out is NULL");
}

static void errors(void) {
    ccd_rigid_body *body = (ccd_rigid_body *)1;
    double bad[12];
    memcpy(bad, tetra, sizeof bad);
    bad[7] = NAN;
    FAILS(ccd_rigid_body_create(bad, 4, faces, 4, &body), CCD_E_NONFINITE, "vertices[2][1] is NaN");
    CHECK(body == NULL);
    FAILS(ccd_rigid_body_create(tetra, 3, faces, 4, &body), CCD_E_INDEX, "faces[1][2] is 3");
    FAILS(ccd_rigid_body_create(tetra, 4, faces, 0, &body), CCD_E_ARGUMENT, "faces has 0");
    FAILS(ccd_rigid_body_create(NULL, 4, faces, 4, &body), CCD_E_ARGUMENT, "vertices is NULL");
    FAILS(ccd_rigid_body_create(tetra, 4, faces, 4, NULL), CCD_E_ARGUMENT, "out is NULL");
    ccd_rigid_impact hit = {.toi_lo = 7};
    FAILS(ccd_rigid_earliest(cone, &down, NULL, &still, NULL, &hit), CCD_E_HANDLE, "b is NULL");
    CHECK(hit.verdict == CCD_UNDECIDED && isinf(hit.toi_lo) && hit.toi_lo < 0);
    FAILS(ccd_rigid_earliest(cone, &down, ground, NULL, NULL, &hit), CCD_E_ARGUMENT, "mb is NULL");
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_rigid_earliest_batch(cone, &down, ground, &still, SIZE_MAX, NULL, &hit), CCD_E_ARGUMENT, "count is");
    ccd_rigid_motion m = down;
    m.angular_velocity[1] = INFINITY;
    FAILS(ccd_rigid_earliest(cone, &m, ground, &still, NULL, &hit), CCD_E_NONFINITE, "ma: angular_velocity[1]");
    ccd_options o = defaults();
    o.t_max = -1;
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit), CCD_E_ARGUMENT, "options.t_max");
    o = defaults();
    o.tolerance = -1e-10;
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit), CCD_E_ARGUMENT, "options.tolerance");
    o = defaults();
    o.method = 77;
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit), CCD_E_ARGUMENT, "options.method");
    o = defaults();
    o.flags = 0x40000000; /* no flag */
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit), CCD_E_ARGUMENT, "options.flags");
    o = defaults();
    o.struct_size = 8;
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, &o, &hit), CCD_E_ARGUMENT, "ccd_options_init");
    struct {
        ccd_options o;
        uint64_t news;
    } later = {defaults(), 0};
    later.o.struct_size = sizeof later;
    OK(ccd_rigid_earliest(cone, &down, ground, &still, &later.o, &hit));
    later.news = 1;
    char at[32];
    snprintf(at, sizeof at, "at byte %zu", sizeof later.o);
    FAILS(ccd_rigid_earliest(cone, &down, ground, &still, &later.o, &hit), CCD_E_UNSUPPORTED, at);
    OK(ccd_rigid_body_create(tetra, 4, faces, 4, &body));
    FAILS(ccd_mesh_destroy((ccd_mesh *)body), CCD_E_HANDLE, "ccd_rigid_body");
    OK(ccd_rigid_body_destroy(body));
    FAILS(ccd_rigid_earliest(body, &down, ground, &still, NULL, &hit), CCD_E_HANDLE, "a was destroyed");
}

int main(void) {
    OK(ccd_rigid_body_create(tetra, 4, faces, 4, &cone));
    OK(ccd_rigid_body_create(plate, 4, plate_faces, 2, &ground));
    contact();
    separating();
    batch();
    scene();
    mesh();
    poses();
    errors();
    OK(ccd_rigid_body_destroy(cone));
    OK(ccd_rigid_body_destroy(ground));
    return done();
}
