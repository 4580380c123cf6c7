/* rigid_shape.c - rigid bodies of shapes and with padding, what they return, and the options that calls on rigid bodies refuse. */
#include "check.h"

#include <math.h>

static const ccd_rigid_pose here = {.rotation = {1, 0, 0, 0}};

static ccd_options defaults(void) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    return o;
}

static ccd_rigid_gap gap_of(ccd_rigid_body *a, ccd_rigid_body *b, double x, double y, double z) {
    ccd_rigid_pose at = {.rotation = {0, 0, 3, 0}, .position = {x, y, z}};
    ccd_rigid_gap g;
    OK(ccd_rigid_distance(a, &here, b, &at, NULL, &g));
    return g;
}

static int is(ccd_rigid_gap g, double d, double wide) { return g.lo <= d && g.hi >= d && g.hi - g.lo <= wide; }

static void shapes(void) {
    ccd_rigid_body *box, *ball, *capsule, *cylinder, *cone, *hull, *padded, *deviating;
    const double size[3] = {2, 4, 6}, points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    OK(ccd_rigid_body_box(size, &box));
    OK(ccd_rigid_body_sphere(0.5, &ball));
    OK(ccd_rigid_body_capsule(0.25, 2, &capsule));
    OK(ccd_rigid_body_cylinder(1, 2, 1e-3, &cylinder));
    OK(ccd_rigid_body_cone(1, 2, 0, &cone));
    OK(ccd_rigid_body_hull(points, 4, &hull));
    OK(ccd_rigid_body_padded(box, 0.5, &padded));
    OK(ccd_rigid_body_deviating(padded, 0.25, &deviating));
    CHECK(is(gap_of(box, ball, 2, 0, 0), 0.5, 1e-10) && is(gap_of(ball, box, 0, 0, 5), 1.5, 1e-10));
    CHECK(is(gap_of(capsule, ball, 0, 0, 2), 0.25, 1e-10) && is(gap_of(capsule, ball, 1, 0, 1), 0.25, 1e-10));
    CHECK(is(gap_of(cylinder, ball, 2, 0, 0), 0.5, 1.1e-3) && is(gap_of(cylinder, ball, 0, 0, 2), 0.5, 1.1e-3));
    CHECK(is(gap_of(cone, ball, 0, 0, 2), 0.5, 1.1e-4) && is(gap_of(cone, ball, 0, 0, -2), 0.5, 1.1e-4));
    CHECK(is(gap_of(hull, ball, -1, 0.25, 0.25), 0.5, 1e-10));
    CHECK(is(gap_of(padded, padded, 4, 0, 0), 1, 1e-10));
    CHECK(gap_of(box, ball, 1.5, 0, 0).flags == CCD_GAP_INTERSECTING);
    ccd_rigid_gap inside = gap_of(box, ball, 0.25, 0, 0);
    CHECK(inside.flags == (CCD_GAP_INTERSECTING | CCD_GAP_INSIDE) && inside.hi == 0);
    CHECK(inside.normal[0] < -1 + 1e-12); /* a, the box, leaves the ball to the left */
    ccd_rigid_body_info info;
    OK(ccd_rigid_body_describe(padded, &info));
    CHECK(info.faces == 12 && info.radius == 0.5 && info.deviation == 0 && info.solid == 1 && info.reserved == 0);
    OK(ccd_rigid_body_describe(deviating, &info));
    CHECK(info.faces == 12 && info.radius == 0.5 && info.deviation == 0.25 && info.solid == 1);
    ccd_rigid_gap wide = gap_of(deviating, padded, 4, 0, 0);
    CHECK(wide.lo <= 0.75 && wide.lo > 0.75 - 1e-9 && wide.hi >= 1 && wide.hi < 1 + 1e-9);
    OK(ccd_rigid_body_describe(cylinder, &info));
    CHECK(info.faces > 200 && info.radius == 0 && info.deviation > 5e-4 && info.deviation <= 1e-3 && info.solid == 1);
    OK(ccd_rigid_body_describe(ball, &info));
    CHECK(info.faces == 1 && info.radius == 0.5 && info.solid == 0);

    size_t count;
    double x[3 * 8];
    int32_t f[3 * 12];
    OK(ccd_rigid_body_vertices(deviating, x, 8, &count));
    CHECK(count == 8 && x[0] == -1 && x[1] == -2 && x[2] == -3 && x[21] == 1 && x[22] == 2 && x[23] == 3);
    OK(ccd_rigid_body_faces(deviating, f, 12, &count));
    CHECK(count == 12 && f[0] == 0 && f[1] == 2 && f[2] == 3);
    OK(ccd_rigid_body_vertices(capsule, NULL, 0, &count));
    CHECK(count == 2);
    FAILS(ccd_rigid_body_vertices(hull, x, 3, &count), CCD_E_ARGUMENT, "cap is 3, but there are 4");
    FAILS(ccd_rigid_body_faces(hull, NULL, 3, &count), CCD_E_ARGUMENT, "NULL");
    FAILS(ccd_rigid_body_vertices(NULL, x, 8, &count), CCD_E_HANDLE, "body");
    CHECK(count == 0);

    /* A ball falls on the box. */
    ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}}, down = still;
    down.position[2] = 5.5;
    down.velocity[2] = -4;
    ccd_rigid_impact im;
    OK(ccd_rigid_earliest(ball, &down, box, &still, NULL, &im));
    CHECK(im.verdict == CCD_CONTACT && im.toi_lo < 0.5 && im.toi_lo > 0.5 - 1e-9 && im.normal[2] > 1 - 1e-12);
    CHECK(fabs(im.point_a[2] - 3) < 1e-9 && fabs(im.point_b[2] - 3) < 1e-9 && im.distance < 1e-10);
    OK(ccd_rigid_earliest(ball, &still, box, &still, NULL, &im));
    CHECK(im.verdict == CCD_CONTACT && im.flags == (CCD_INITIAL_CONTACT | CCD_INTERSECTING) && im.toi_lo == 0);
    ccd_options o = defaults();
    o.method = CCD_METHOD_D2M;
    FAILS(ccd_rigid_earliest(ball, &down, box, &still, &o, &im), CCD_E_UNSUPPORTED, "options.method");
    double point[3] = {0, 0, 0};
    int32_t winding;
    OK(ccd_rigid_winding(box, &still, 0, point, 1, NULL, &winding));
    CHECK(winding == 1);
    OK(ccd_rigid_winding(ball, &still, 0, point, 1, NULL, &winding));
    CHECK(winding == 1);
    ccd_containment lies;
    OK(ccd_rigid_containment(ball, &still, box, &still, 1, 0, NULL, &lies));
    CHECK(lies == CCD_CONTAINMENT_INSIDE);
    ccd_overlap volume;
    FAILS(ccd_rigid_overlaps(ball, &still, box, &still, 1, 0, CCD_SHELLS_REFUSE, NULL, &volume), CCD_E_UNSUPPORTED,
          "a has a radius");
    OK(ccd_rigid_body_destroy(box)); /* padded keeps its tree */
    CHECK(is(gap_of(padded, ball, 2.5, 0, 0), 0.5, 1e-10));
    ccd_rigid_body *all[7] = {ball, capsule, cylinder, cone, hull, padded, deviating};
    for (int i = 0; i < 7; i++) {
        OK(ccd_rigid_body_destroy(all[i]));
    }
}

static void errors(void) {
    ccd_rigid_body *b = (ccd_rigid_body *)&b;
    const double size[3] = {1, -1, 1}, points[3] = {0, NAN, 0};
    ccd_rigid_body_info info;
    FAILS(ccd_rigid_body_box(size, &b), CCD_E_ARGUMENT, "size[1] is -1");
    CHECK(b == NULL);
    FAILS(ccd_rigid_body_box(NULL, &b), CCD_E_ARGUMENT, "size is NULL");
    FAILS(ccd_rigid_body_sphere(NAN, &b), CCD_E_NONFINITE, "radius is NaN");
    FAILS(ccd_rigid_body_capsule(1, 0, &b), CCD_E_ARGUMENT, "length is 0");
    FAILS(ccd_rigid_body_cylinder(1, 1, -1, &b), CCD_E_ARGUMENT, "deviation is -1");
    FAILS(ccd_rigid_body_cone(1, 1, 1e-15, &b), CCD_E_ARGUMENT, "deviation is 1e-15");
    FAILS(ccd_rigid_body_hull(points, 1, &b), CCD_E_NONFINITE, "points[0][1] is NaN");
    FAILS(ccd_rigid_body_hull(NULL, 0, &b), CCD_E_ARGUMENT, "points has 0");
    FAILS(ccd_rigid_body_padded(NULL, 1, &b), CCD_E_HANDLE, "body");
    FAILS(ccd_rigid_body_deviating(NULL, 1, &b), CCD_E_HANDLE, "body");
    FAILS(ccd_rigid_body_describe(NULL, &info), CCD_E_HANDLE, "body");
    CHECK(info.faces == -1);
}

/* Numbers that would change the answer of another call, and that a call does not use, are refused. */
static void unused(void) {
    ccd_rigid_body *ball;
    OK(ccd_rigid_body_sphere(1, &ball));
    const double size[3] = {1, 1, 1};
    ccd_rigid_body *box;
    OK(ccd_rigid_body_box(size, &box));
    ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};
    ccd_rigid_gap g;
    ccd_rigid_scene_gaps *gaps;
    ccd_rigid_body *const bodies[2] = {ball, ball};
    const ccd_rigid_pose poses[2] = {here, here};
    int32_t answer;
    double point[3] = {0, 0, 0};
    for (int k = 0; k < 6; k++) {
        ccd_options o = defaults();
        const char *names[6] = {"options.min_separation", "options.t_min",          "options.t_max",
                                "options.tolerance",      "options.max_iterations", "options.scene_bound"};
        switch (k) {
        case 0:
            o.min_separation = 0.5;
            break;
        case 1:
            o.t_min = 0.5;
            break;
        case 2:
            o.t_max = 0.5;
            break;
        case 3:
            o.tolerance = 0.5;
            break;
        case 4:
            o.max_iterations = 7;
            break;
        default:
            o.scene_bound[0] = o.scene_bound[1] = o.scene_bound[2] = 7;
        }
        int times = k == 1 || k == 2, measures = k == 3 || k == 4;
        if (!measures) {
            FAILS(ccd_rigid_distance(ball, &here, ball, &here, &o, &g), CCD_E_UNSUPPORTED, names[k]);
            FAILS(ccd_rigid_scene_within(bodies, poses, 2, NULL, NULL, 0, 1, &o, &gaps), CCD_E_UNSUPPORTED, names[k]);
        }
        if (!measures && !times) {
            FAILS(ccd_rigid_clearance(ball, &still, ball, &still, &o, &g), CCD_E_UNSUPPORTED, names[k]);
        }
        FAILS(ccd_rigid_intersects(ball, &here, ball, &here, &o, &answer), CCD_E_UNSUPPORTED, names[k]);
        FAILS(ccd_rigid_winding(box, &still, 0, point, 1, &o, &answer), CCD_E_UNSUPPORTED, names[k]);
        FAILS(ccd_rigid_containment(box, &still, box, &still, 1, 0, &o, &answer), CCD_E_UNSUPPORTED, names[k]);
        ccd_rigid_impact im;
        if (k == 5) {
            FAILS(ccd_rigid_earliest(ball, &still, ball, &still, &o, &im), CCD_E_UNSUPPORTED, names[k]);
        } else {
            OK(ccd_rigid_earliest(ball, &still, ball, &still, &o, &im));
        }
    }
    OK(ccd_rigid_body_destroy(box));
    OK(ccd_rigid_body_destroy(ball));
}

/* Pairs of a scene have separations of their own. */
static void separations(void) {
    ccd_rigid_body *ball;
    OK(ccd_rigid_body_sphere(0.5, &ball));
    ccd_rigid_motion motions[2] = {{.rotation = {1, 0, 0, 0}}, {.rotation = {1, 0, 0, 0}, .position = {2, 0, 0}}};
    ccd_rigid_body *const bodies[2] = {ball, ball};
    ccd_rigid_scene_impact im;
    OK(ccd_rigid_scene_earliest(bodies, motions, 2, NULL, NULL, 0, NULL, &im));
    CHECK(im.a == -1 && im.impact.verdict == CCD_SEPARATE);
    ccd_rigid_separation own = {1, 0, 1.5};
    ccd_options o = defaults();
    o.separations = &own;
    o.n_separations = 1;
    OK(ccd_rigid_scene_earliest(bodies, motions, 2, NULL, NULL, 0, &o, &im));
    CHECK(im.a == 0 && im.b == 1 && im.impact.flags == CCD_INITIAL_CONTACT && fabs(im.impact.distance - 1) < 1e-9);
    FAILS(ccd_rigid_earliest(ball, motions, ball, motions + 1, &o, &im.impact), CCD_E_UNSUPPORTED, "options.separations");
    own.b = 2;
    FAILS(ccd_rigid_scene_earliest(bodies, motions, 2, NULL, NULL, 0, &o, &im), CCD_E_INDEX, "separations[0].b is 2");
    o.separations = NULL;
    FAILS(ccd_rigid_scene_earliest(bodies, motions, 2, NULL, NULL, 0, &o, &im), CCD_E_ARGUMENT, "separations is NULL");
    OK(ccd_rigid_body_destroy(ball));
}

static int cancel(double fraction, void *user) {
    ++*(int *)user;
    return fraction >= 0;
}

/* A clearance calls progress, which may cancel it. */
static void cancelled(void) {
    ccd_rigid_body *cylinder;
    OK(ccd_rigid_body_cylinder(1, 2, 1e-6, &cylinder));
    ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}}, turning = still;
    turning.position[0] = 4;
    turning.angular_velocity[1] = 30;
    ccd_options o = defaults();
    int calls = 0;
    o.progress = cancel;
    o.progress_user = &calls;
    ccd_rigid_gap g;
    FAILS(ccd_rigid_clearance(cylinder, &still, cylinder, &turning, &o, &g), CCD_E_CANCELLED, "");
    CHECK(calls == 1 && g.lo == 0 && isinf(g.hi));
    OK(ccd_rigid_body_destroy(cylinder));
}

int main(void) {
    shapes();
    errors();
    unused();
    separations();
    cancelled();
    return done();
}
