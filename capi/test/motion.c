/* motion.c - motions that are not straight: how they are made, pairs of them, and that errors leave safe answers. */
#include "check.h"
#include "steps.h"

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
    OK(ccd_motion_skinned(4, corners, bones, 2, weights, 0, 0, &motion));
    first_contact(motion, CCD_VERTEX_FACE, 1.0 / 3, 1e-9);
    double y[3];
    OK(ccd_motion_skinned(4, corners, bones, 2, weights, 5, 1, &motion));
    first_contact(motion, CCD_VERTEX_FACE, 1.0 / 3, 1e-9);
    size_t degree;
    double radii[4];
    OK(ccd_motion_rigid(1, corners, &bones[0], 5, 3, &motion));
    OK(ccd_motion_counts(motion, NULL, NULL, &degree));
    OK(ccd_motion_radii(motion, radii, 3, NULL));
    CHECK(degree == 5 && radii[0] > pow(pi / 6, 6) / 46080 && radii[0] < pow(pi / 6, 6) / 46000);
    OK(ccd_motion_destroy(motion));
    OK(ccd_motion_rigid(1, corners, &bones[0], 0, 3, &motion));
    OK(ccd_motion_at(motion, 1, y, NULL, 1));
    CHECK(fabs(y[0]) < 1e-15 && fabs(y[1] - 1) < 1e-15);
    OK(ccd_motion_destroy(motion));
    const int32_t links[4] = {0, -1, -1, -1};
    const ccd_motion_joint joint = {CCD_JOINT_REVOLUTE, -1, {1}, {0}, {0, 0, 2}, 0, pi / 2};
    OK(ccd_motion_chain(4, corners, links, &joint, 1, 5, 0, &motion));
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
    FAILS(ccd_motion_rigid(1, dip, NULL, 0, 0, &motion), CCD_E_ARGUMENT, "body is NULL");
    const ccd_rigid_motion still = {.rotation = {1}};
    FAILS(ccd_motion_rigid(1, dip, &still, 4, 0, &motion), CCD_E_ARGUMENT, "degree is 4: must be 3 or 5");
    const int32_t links[1] = {3};
    FAILS(ccd_motion_chain(1, dip, links, NULL, 0, 0, 0, &motion), CCD_E_INDEX, "links[0] is 3");
}

struct seen {
    size_t impacts;
    int stop;
};

static int32_t look(const ccd_impact *impacts, size_t count, void *user) {
    struct seen *seen = user;
    for (size_t i = 0; i < count; i++) {
        CHECK(impacts[i].verdict == CCD_CONTACT);
    }
    seen->impacts += count;
    return seen->stop;
}

/* The falling triangle with constant acceleration: its height is 1 - 2 t^2. */
static ccd_motion *fall(void) {
    double v[18] = {0}, a[18] = {0};
    a[11] = a[14] = a[17] = -4;
    ccd_motion *motion = NULL;
    OK(ccd_motion_accelerated(6, tri_x0, v, a, &motion));
    return motion;
}

/* The calls that plain steps have. */
static void steps(void) {
    ccd_mesh *mesh = triangles();
    ccd_motion *motion = fall();
    ccd_impacts *all;
    ccd_impact first, out[2];
    size_t count;
    OK(motion_collisions(mesh, motion, NULL, &all));
    OK(ccd_impacts_count(all, &count));
    OK(ccd_impacts_destroy(all));
    OK(motion_earliest(mesh, motion, NULL, &first));
    CHECK(count > 2 && first.verdict == CCD_CONTACT && fabs(first.toi_lo - sqrt(.5)) < 1e-15);

    struct seen seen = {0, 0};
    OK(motion_visit(mesh, motion, NULL, look, &seen));
    CHECK(seen.impacts == count);
    seen.stop = 1;
    FAILS(motion_visit(mesh, motion, NULL, look, &seen), CCD_E_CANCELLED, "stopped by the visitor");
    FAILS(motion_visit(mesh, motion, NULL, NULL, NULL), CCD_E_ARGUMENT, "visit is NULL");

    const int64_t pairs[4] = {3, 0, 0, 1}, wrong[4] = {3, 0, 0, 2};
    OK(motion_pairs(mesh, motion, CCD_VERTEX_FACE, pairs, 2, NULL, out));
    CHECK(memcmp(&out[0], &first, sizeof first) == 0 && out[1].verdict == CCD_SEPARATE && out[1].b == 1);
    FAILS(motion_pairs(mesh, motion, CCD_VERTEX_FACE, wrong, 2, NULL, out), CCD_E_INDEX, "pairs[1][1] is 2");
    CHECK(out[0].verdict == CCD_UNDECIDED && out[0].toi_lo == 0 && out[1].verdict == CCD_UNDECIDED);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_CHECK_START;
    FAILS(motion_pairs(mesh, motion, CCD_VERTEX_FACE, pairs, 2, &o, out), CCD_E_UNSUPPORTED, "options.flags");

    /* Candidates, for this motion and for the half of it; with the bits of the whole search. */
    ccd_candidates *near;
    ccd_motion *half;
    double alpha, size;
    OK(ccd_motion_candidates(mesh, motion, NULL, &near));
    OK(candidates_motion_earliest(near, motion, NULL, &out[0]));
    CHECK(memcmp(&out[0], &first, sizeof first) == 0);
    OK(candidates_motion_collisions(near, motion, NULL, &all));
    size_t found;
    OK(ccd_impacts_count(all, &found));
    CHECK(found == count);
    OK(ccd_impacts_destroy(all));
    OK(motion_size(mesh, motion, NULL, &size));
    OK(candidates_motion_size(near, motion, NULL, &alpha));
    CHECK(alpha == size && size > 0.7);
    const double ends[6] = {1, 1, 1, .5, .5, .5};
    OK(ccd_motion_cut(motion, ends, 6, &half));
    OK(candidates_motion_size(near, half, NULL, &alpha));
    CHECK(alpha == 1);
    OK(ccd_motion_destroy(half));
    FAILS(ccd_motion_cut(motion, ends, 5, &half), CCD_E_ARGUMENT, "n is 5");
    CHECK(half == NULL);
    ccd_options_init(&o, sizeof o);
    o.min_separation = .1;
    FAILS(candidates_motion_size(near, motion, &o, &alpha), CCD_E_ARGUMENT, "candidates are for a separation of 0");
    CHECK(alpha == 0);
    OK(ccd_candidates_destroy(near));

    /* A line search keeps a part of the distance at the start. */
    ccd_linesearch_bound bound = {7, 7, 7};
    OK(motion_linesearch(mesh, motion, .25, &o, &bound));
    CHECK(bound.alpha > 0 && bound.alpha < size && bound.distance == .1 && bound.separation == .25 * bound.distance);
    FAILS(motion_linesearch(mesh, motion, 0, &o, &bound), CCD_E_ARGUMENT, "keep_ratio is 0");
    CHECK(bound.alpha == 0 && bound.distance == 0 && bound.separation == 0);
    FAILS(motion_linesearch(mesh, motion, .25, NULL, &bound), CCD_E_ARGUMENT, "options.min_separation must");
    FAILS(motion_linesearch(mesh, motion, .25, &o, NULL), CCD_E_ARGUMENT, "out is NULL");

    /* Regions that partition space own each pair once. */
    size_t together = 0;
    double least = 1;
    ccd_options part;
    ccd_options_init(&part, sizeof part);
    for (int i = 0; i < 3; i++) {
        const ccd_region region = {{-INFINITY, -INFINITY, i == 0 ? -INFINITY : .2 * i},
                                   {INFINITY, INFINITY, i == 2 ? INFINITY : .2 * (i + 1)}};
        ccd_impact hit;
        part.region = &region;
        OK(motion_collisions(mesh, motion, &part, &all));
        OK(ccd_impacts_count(all, &found));
        OK(ccd_impacts_destroy(all));
        together += found;
        OK(motion_earliest(mesh, motion, &part, &hit));
        CHECK((hit.verdict == CCD_CONTACT) == (found > 0));
        OK(motion_size(mesh, motion, &part, &alpha));
        least = alpha < least ? alpha : least;
    }
    CHECK(together == count && least == size);
    const ccd_region turned = {{0, 0, 1}, {1, 1, 0}};
    part.region = &turned;
    FAILS(motion_size(mesh, motion, &part, &alpha), CCD_E_ARGUMENT, "options.region is [1, 0) along axis 2");
    CHECK(alpha == 0);

    /* Positions at a safe time, and a step for each vertex. */
    double x[18], y[18], alphas[6];
    ccd_sizes_report report;
    OK(motion_advance(mesh, motion, 1, NULL, &alpha, x, 6));
    CHECK(alpha <= size && alpha > size - 1e-14 && x[11] > 0 && x[11] < 1e-14 && x[9] == .25);
    OK(motion_sizes(mesh, motion, NULL, .9, .5, 64, NULL, alphas, y, 6, &report));
    CHECK(alphas[0] == 1 && alphas[3] < size && alphas[3] > .8 * size && y[11] > 0 && report.resting == 0);
    FAILS(motion_advance(mesh, motion, 2, NULL, &alpha, x, 6), CCD_E_ARGUMENT, "share is 2");
    CHECK(alpha == 0 && memcmp(x, tri_x0, sizeof x) == 0);
    FAILS(motion_advance(mesh, motion, 1, NULL, &alpha, x, 5), CCD_E_ARGUMENT, "n is 5");
    FAILS(motion_sizes(mesh, motion, NULL, 1, .5, 64, NULL, alphas, y, 6, &report), CCD_E_ARGUMENT, "share is 1");
    CHECK(alphas[0] == 0 && memcmp(y, tri_x0, sizeof y) == 0 && report.passes == 0);
    FAILS(motion_sizes(mesh, motion, NULL, .9, .5, 64, NULL, y, y, 6, &report), CCD_E_ARGUMENT, "alphas overlaps y");
    const int32_t groups[6] = {6, 0, 0, 0, 0, 0};
    FAILS(motion_sizes(mesh, motion, groups, .9, .5, 64, NULL, alphas, y, 6, NULL), CCD_E_INDEX, "groups[0] is 6");
    OK(ccd_motion_destroy(motion));
    OK(ccd_mesh_destroy(mesh));
}

/* A motion of degree 1 has the bits of a plain step in all calls. */
static void straight_steps(void) {
    ccd_mesh *mesh = triangles();
    ccd_motion *motion;
    double control[36], a, b, x[18], y[18], s[6], t[6];
    memcpy(control, tri_x0, sizeof tri_x0);
    memcpy(control + 18, tri_x1, sizeof tri_x1);
    OK(ccd_motion_create(6, 1, 1, NULL, control, NULL, &motion));
    OK(motion_advance(mesh, motion, .9, NULL, &a, x, 6));
    OK(ccd_step_advance(mesh, tri_x0, tri_x1, 6, .9, NULL, &b, y));
    CHECK(a == b && a > .4 && memcmp(x, y, sizeof x) == 0);
    OK(motion_sizes(mesh, motion, NULL, .9, .5, 64, NULL, s, x, 6, NULL));
    OK(step_sizes(mesh, tri_x0, tri_x1, 6, NULL, .9, .5, 64, NULL, t, y, NULL));
    CHECK(memcmp(s, t, sizeof s) == 0 && memcmp(x, y, sizeof x) == 0);
    const int64_t pairs[4] = {3, 0, 0, 1};
    ccd_impact mine[2], plain[2];
    OK(motion_pairs(mesh, motion, CCD_VERTEX_FACE, pairs, 2, NULL, mine));
    OK(step_pairs(mesh, tri_x0, tri_x1, 6, CCD_VERTEX_FACE, pairs, 2, NULL, plain));
    CHECK(memcmp(mine, plain, sizeof mine) == 0);
    OK(ccd_motion_destroy(motion));
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    steps();
    straight_steps();
    polynomials();
    straight();
    constructors();
    bad_input();
    return done();
}
