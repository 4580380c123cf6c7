/* motion.c - motions that are not straight: how they are made, pairs of them, and that errors leave safe answers. */
#include "check.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* A vertex dips through a face that rests, on a parabola with its lowest point at -1/4. */
static const double dip[36] = {.2, .2, 1, 0, 0, 0, 1,  0,  0, 0, 1, 0, .2, .2, -1.5, 0, 0, 0,
                               1,  0,  0, 0, 1, 0, .2, .2, 1, 0, 0, 0, 1,  0,  0,    0, 1, 0};

static void polynomials(void) {
    ccd_motion *motion;
    OK(ccd_motion_create(4, 2, 1, NULL, dip, NULL, &motion));
    size_t vertices, pieces, degree, count;
    OK(ccd_motion_counts(motion, &vertices, &pieces, &degree));
    CHECK(vertices == 4 && pieces == 1 && degree == 2);
    double x[12], radius[4], times[2], control[36];
    OK(ccd_motion_at(motion, 0.5, x, radius, 4));
    CHECK(x[2] == -0.25 && x[4] == 0 && radius[0] < 1e-15);
    OK(ccd_motion_times(motion, times, 2, &count));
    CHECK(count == 2 && times[0] == 0 && times[1] == 1);
    OK(ccd_motion_control(motion, control, 36, &count));
    CHECK(count == 36 && memcmp(control, dip, sizeof dip) == 0);
    OK(ccd_motion_radii(motion, radius, 4, &count));
    CHECK(count == 4 && radius[0] == 0);

    /* 1 - 5 s + 5 s^2 = 0 at s = 1/2 - sqrt(1/20). */
    const int32_t pair[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    ccd_impact out[2];
    OK(ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 2, NULL, out));
    CHECK(out[0].verdict == CCD_CONTACT && out[0].flags == CCD_CERTIFIED && out[0].a == 0 && out[1].a == 1);
    CHECK(fabs(out[0].toi_lo - (0.5 - sqrt(0.05))) < 1e-15 && out[0].toi_lo == out[1].toi_lo &&
          out[0].toi_hi > out[0].toi_lo);
    CHECK(fabs(out[0].u - .2) < 1e-12 && fabs(out[0].v - .2) < 1e-12 && fabs(out[0].normal[2] - 1) < 1e-12);

    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.t_max = 0.25;
    OK(ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 1, &o, out));
    CHECK(out[0].verdict == CCD_SEPARATE);
    o.t_max = 1, o.min_separation = 1;
    OK(ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 1, &o, out));
    CHECK(out[0].verdict == CCD_CONTACT && out[0].toi_hi == 0 && out[0].flags == (CCD_CERTIFIED | CCD_INITIAL_CONTACT));

    /* Errors leave safe answers. */
    const int32_t wrong[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    FAILS(ccd_motion_pairs(motion, CCD_VERTEX_FACE, wrong, 2, NULL, out), CCD_E_INDEX, "query 1: vertices[3] is 4");
    CHECK(out[0].verdict == CCD_UNDECIDED && out[0].toi_lo == 0 && out[1].verdict == CCD_UNDECIDED);
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    FAILS(ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 1, &o, out), CCD_E_UNSUPPORTED, "options.method");
    o.method = 0, o.scene_bound[0] = 5;
    FAILS(ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 1, &o, out), CCD_E_UNSUPPORTED, "options.scene_bound");
    FAILS(ccd_motion_at(motion, 1.5, x, NULL, 4), CCD_E_ARGUMENT, "t is 1.5");
    FAILS(ccd_motion_at(motion, 1, x, NULL, 3), CCD_E_ARGUMENT, "n is 3");
    OK(ccd_motion_destroy(motion));
    FAILS(ccd_motion_at(motion, 1, x, NULL, 4), CCD_E_HANDLE, "motion was destroyed");
}

/* A motion of degree 1 has the bits of the linear query. */
static void straight(void) {
    ccd_motion *motion;
    ccd_impact linear, out;
    const int32_t pair[4] = {0, 1, 2, 3};
    OK(ccd_motion_create(4, 1, 1, NULL, falling, NULL, &motion));
    OK(ccd_pair_vertex_face(falling, NULL, &linear));
    OK(ccd_motion_pairs(motion, CCD_VERTEX_FACE, pair, 1, NULL, &out));
    out.a = -1;
    CHECK(memcmp(&linear, &out, sizeof out) == 0);
    OK(ccd_motion_destroy(motion));
}

static void first_contact(ccd_motion *motion, int32_t kind, double toi, double early) {
    const int32_t pair[4] = {0, 1, 2, 3};
    ccd_impact out;
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.tolerance = 1e-9;
    OK(ccd_motion_pairs(motion, kind, pair, 1, &o, &out));
    CHECK(out.verdict == CCD_CONTACT && out.toi_lo <= toi && toi - out.toi_lo < early);
    OK(ccd_motion_destroy(motion));
}

static void constructors(void) {
    ccd_motion *motion;
    const double x[6] = {0, 0, 0, 0, 0, 1}, v[6] = {0, 0, 2.25}, a[6] = {0, 0, -2.5};
    OK(ccd_motion_accelerated(2, x, v, a, &motion));
    first_contact(motion, CCD_POINT_POINT, 0.8, 1e-12);
    const double hx[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0}, hv[12] = {0};
    OK(ccd_motion_hermite(2, 1, NULL, hx, hv, &motion)); /* 2 (3 s^2 - 2 s^3) = 1 at 1/2 */
    first_contact(motion, CCD_POINT_POINT, 0.5, 1e-12);
    const double knots[6] = {0, 0, 0, 1, 1, 1};
    const double bx[18] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0}; /* 2 s */
    OK(ccd_motion_bspline(2, 2, knots, 6, bx, &motion));
    first_contact(motion, CCD_POINT_POINT, 0.5, 1e-12);
    const double ends[6] = {-1, 0, 0, 1, 0, 0}, matrix[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 1},
                 offset[6] = {0};
    OK(ccd_motion_affine(2, 1, ends, matrix, offset, &motion)); /* x shrinks to 0 at 1/2 */
    first_contact(motion, CCD_POINT_POINT, 0.5, 1e-12);

    /* A point turns by a quarter, and meets a plate at a third. */
    const double corners[12] = {1, 0, 0, 0, .5, -1, 2, .5, -1, 1, .5, 2}, weights[8] = {1, 0, 0, 1, 0, 1, 0, 1};
    const ccd_rigid_motion bones[2] = {{.rotation = {1}, .angular_velocity = {0, 0, pi / 2}}, {.rotation = {1}}};
    OK(ccd_motion_skinned(4, corners, bones, 2, weights, 0, &motion));
    first_contact(motion, CCD_VERTEX_FACE, 1.0 / 3, 1e-9);
    double y[3];
    OK(ccd_motion_rigid(1, corners, &bones[0], 3, &motion));
    OK(ccd_motion_at(motion, 1, y, NULL, 1));
    CHECK(fabs(y[0]) < 1e-15 && fabs(y[1] - 1) < 1e-15);
    OK(ccd_motion_destroy(motion));
    const int32_t links[4] = {0, -1, -1, -1};
    const ccd_motion_joint joint = {CCD_JOINT_REVOLUTE, -1, {1}, {0}, {0, 0, 2}, 0, pi / 2};
    OK(ccd_motion_chain(4, corners, links, &joint, 1, 0, &motion));
    first_contact(motion, CCD_VERTEX_FACE, 1.0 / 3, 1e-9);
}

static void bad_input(void) {
    ccd_motion *motion = (ccd_motion *)1;
    double bad[36];
    memcpy(bad, dip, sizeof bad);
    bad[13] = NAN;
    FAILS(ccd_motion_create(4, 2, 1, NULL, bad, NULL, &motion), CCD_E_NONFINITE, "control[0][1][0][1] is NaN");
    CHECK(motion == NULL);
    FAILS(ccd_motion_create(4, 2, 1, NULL, NULL, NULL, &motion), CCD_E_ARGUMENT, "control is NULL");
    FAILS(ccd_motion_create(4, 9, 1, NULL, dip, NULL, &motion), CCD_E_ARGUMENT, "degree is 9");
    FAILS(ccd_motion_create(4, 2, 0, NULL, dip, NULL, &motion), CCD_E_ARGUMENT, "pieces is 0");
    FAILS(ccd_motion_create(4, 2, 2, NULL, dip, NULL, &motion), CCD_E_ARGUMENT, "times is NULL");
    FAILS(ccd_motion_create(0, 2, 1, NULL, dip, NULL, &motion), CCD_E_ARGUMENT, "n is 0");
    FAILS(ccd_motion_create(SIZE_MAX, 2, 1, NULL, dip, NULL, &motion), CCD_E_ARGUMENT, "vertices is");
    FAILS(ccd_motion_create(4, 2, SIZE_MAX, dip, dip, NULL, &motion), CCD_E_ARGUMENT, "pieces is");
    FAILS(ccd_motion_create(4, 2, 1, NULL, dip, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_motion_rigid(1, dip, NULL, 0, &motion), CCD_E_ARGUMENT, "body is NULL");
    const int32_t links[1] = {3};
    FAILS(ccd_motion_chain(1, dip, links, NULL, 0, 0, &motion), CCD_E_INDEX, "links[0] is 3");
}

int main(void) {
    polynomials();
    straight();
    constructors();
    bad_input();
    return done();
}
