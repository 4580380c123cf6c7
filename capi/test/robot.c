/* robot.c - edges of robots: verdicts, results and errors. */
#include "check.h"

#include <math.h>
#include <string.h>

/* An arm of two links in a plane: a box of 1 x 0.1 x 0.1 on each, a ball at the tip, and a wall at y = 1.5. */
enum { VERTICES = 8 + 8 + 1 + 3, FACES = 12 + 12 + 1 };

static double x[3 * VERTICES], radii[VERTICES];
static int32_t faces[3 * FACES];
static const int32_t box[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const ccd_robot_joint joints[2] = {
    {CCD_JOINT_REVOLUTE, 0, 1, 0, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 1}},
    {CCD_JOINT_REVOLUTE, 1, 2, 1, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0}, {0, 0, 2}},
};
static const ccd_robot_shape shapes[4] = {{0, 1, 8, 0, 12}, {1, 2, 8, 0, 12}, {1, 2, 1, 0, 0}, {2, -1, 3, 0, 1}};
static const int32_t pairs[4] = {0, 2, 1, 2};

static void fill(void) {
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < 8; i++) {
            double *v = &x[3 * (8 * b + i)];
            v[0] = i & 1, v[1] = i & 2 ? .05 : -.05, v[2] = i & 4 ? .05 : -.05;
        }
        memcpy(&faces[36 * b], box, sizeof box);
    }
    const double wall[9] = {-9, 1.5, -9, 9, 1.5, -9, 0, 1.5, 9};
    const double tip[3] = {1.1, 0, 0};
    const int32_t one[3] = {0, 1, 2};
    memcpy(&x[3 * 16], tip, sizeof tip);
    memcpy(&x[3 * 17], wall, sizeof wall);
    memcpy(&faces[72], one, sizeof one);
    radii[16] = .1;
}

static ccd_status make(const ccd_robot_joint *j, const ccd_robot_shape *s, size_t n_shapes, const int32_t *p,
                       ccd_robot **out) {
    return ccd_robot_create(2, j, 2, s, n_shapes, x, VERTICES, radii, NULL, 0, faces, FACES, p, 2, out);
}

static void verdicts(void) {
    ccd_robot *robot = NULL;
    OK(make(joints, shapes, 4, pairs, &robot));
    const double q[8] = {0, 0, .6, 0, 1.2, 0, 1.2, .5};
    ccd_robot_edge e[3];
    for (int any = 0; any < 2; any++) {
        OK(ccd_robot_check_path(robot, q, 4, any, NULL, e));
        CHECK(e[0].verdict == CCD_SEPARATE && e[0].s_free == 1 && e[0].body_a == -1 && e[0].how == 0 &&
              e[0].iterations > 0);
        CHECK(e[1].verdict == CCD_CONTACT && e[1].body_a == 1 && e[1].body_b == 2);
        CHECK(e[2].verdict == CCD_CONTACT && e[2].s_free == 0);
    }
    /* The ball's center is at 2.1 sin(a): it touches where that is 1.4. */
    ccd_robot_edge first, one;
    OK(ccd_robot_check_edge(robot, &q[2], &q[4], 0, NULL, &first));
    const double s = (asin(1.4 / 2.1) - .6) / .6;
    CHECK(first.how == CCD_ROBOT_NEAR && fabs(first.s - s) < 1e-4 && first.s_free <= s && s - first.s_free < 1e-4);
    CHECK(fabs(first.normal[1] + 1) < 1e-6 && fabs(first.point[1] - 1.5) < 1e-4);
    ccd_robot_edge many[3], again[3];
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    for (int threads = 1; threads < 4; threads += 2) {
        o.threads = threads;
        OK(ccd_robot_check_edges(robot, q, &q[2], 3, 0, &o, threads == 1 ? many : again));
    }
    CHECK(memcmp(many, again, sizeof many) == 0 && memcmp(&many[1], &first, sizeof first) == 0);
    OK(ccd_robot_check_edges(robot, NULL, NULL, 0, 0, NULL, NULL));
    o.max_iterations = 1;
    OK(ccd_robot_check_edge(robot, &q[2], &q[4], 0, &o, &one));
    CHECK(one.verdict == CCD_UNDECIDED && one.flags == CCD_REASON_ITERATIONS && one.s_free == 0);
    o.max_iterations = 0;
    o.min_separation = .2;
    OK(ccd_robot_check_edge(robot, &q[2], &q[4], 0, &o, &one));
    CHECK(one.verdict == CCD_CONTACT && one.s < first.s);
    OK(ccd_robot_destroy(robot));
    FAILS(ccd_robot_check_edge(robot, q, q, 0, NULL, &one), CCD_E_HANDLE, "robot was destroyed");
    CHECK(one.verdict == CCD_UNDECIDED && one.body_a == -1);
}

static void errors(void) {
    ccd_robot *robot = NULL;
    const int32_t far[4] = {0, 2, 1, 3};
    FAILS(make(joints, shapes, 4, far, &robot), CCD_E_INDEX, "pairs[1] is [1 3]");
    FAILS(make(joints, shapes, 3, pairs, &robot), CCD_E_ARGUMENT,
          "shapes: 3 vertices, 0 edges and 1 faces are in no shape");
    FAILS(make(NULL, shapes, 4, pairs, &robot), CCD_E_ARGUMENT, "joints is NULL");
    FAILS(make(joints, NULL, 4, pairs, &robot), CCD_E_ARGUMENT, "shapes is NULL");
    FAILS(make(joints, shapes, 4, NULL, &robot), CCD_E_ARGUMENT, "pairs is NULL");
    FAILS(make(joints, shapes, 4, pairs, NULL), CCD_E_ARGUMENT, "out is NULL");
    ccd_robot_joint bad[2] = {joints[0], joints[1]};
    bad[1].parent = 3;
    FAILS(make(bad, shapes, 4, pairs, &robot), CCD_E_INDEX, "joints[1] joins the links 3 and 2");
    bad[1] = joints[1];
    bad[1].rotation[4] = 2;
    FAILS(make(bad, shapes, 4, pairs, &robot), CCD_E_ARGUMENT, "joints[1].rotation is no rotation");
    bad[1] = joints[1];
    bad[1].position[1] = NAN;
    FAILS(make(bad, shapes, 4, pairs, &robot), CCD_E_NONFINITE, "joints[1].position");
    ccd_robot_shape wrong[4];
    memcpy(wrong, shapes, sizeof wrong);
    wrong[2].link = 1;
    FAILS(make(joints, wrong, 4, pairs, &robot), CCD_E_ARGUMENT, "shapes[2].link is 1: the body's first shape has 2");
    wrong[2] = shapes[2];
    wrong[3].body = 5;
    FAILS(make(joints, wrong, 4, pairs, &robot), CCD_E_ARGUMENT, "shapes[3].body is 5: must be 1 or 2");
    wrong[3] = shapes[3];
    wrong[0].vertices = -1;
    FAILS(make(joints, wrong, 4, pairs, &robot), CCD_E_ARGUMENT, "shapes[0].vertices is -1");
    CHECK(robot == NULL);

    OK(make(joints, shapes, 4, pairs, &robot));
    const double q[4] = {0, 0, .5, NAN};
    ccd_robot_edge e;
    FAILS(ccd_robot_check_edge(robot, q, &q[2], 0, NULL, &e), CCD_E_NONFINITE, "q1[0][1] is NaN");
    CHECK(e.verdict == CCD_UNDECIDED && e.body_a == -1 && e.s_free == 0);
    FAILS(ccd_robot_check_edge(robot, NULL, q, 0, NULL, &e), CCD_E_ARGUMENT, "q0 is NULL");
    FAILS(ccd_robot_check_edge(robot, q, q, 0, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_robot_check_edge(robot, q, q, 2, NULL, &e), CCD_E_ARGUMENT, "any is 2");
    FAILS(ccd_robot_check_path(robot, q, 1, 0, NULL, &e), CCD_E_ARGUMENT, "count is below 2");
    FAILS(ccd_robot_check_path(robot, NULL, 2, 0, NULL, &e), CCD_E_ARGUMENT, "waypoints is NULL");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.t_max = .5;
    FAILS(ccd_robot_check_edge(robot, q, q, 0, &o, &e), CCD_E_UNSUPPORTED, "t_max");
    o.t_max = 1;
    o.norm = CCD_NORM_MAX;
    FAILS(ccd_robot_check_edge(robot, q, q, 0, &o, &e), CCD_E_UNSUPPORTED, "CCD_NORM_MAX");
    OK(ccd_robot_destroy(robot));
}

int main(void) {
    fill();
    verdicts();
    errors();
    return done();
}
