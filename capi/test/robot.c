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
    {CCD_JOINT_REVOLUTE, 0, 1, 0, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 1}, 0},
    {CCD_JOINT_REVOLUTE, 1, 2, 1, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0}, {0, 0, 2}, 0},
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
    return ccd_robot_create(2, j, 2, s, n_shapes, x, VERTICES, radii, NULL, 0, faces, FACES, p, 2, NULL, out);
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
    /* At 0.7 its height is 1.3529, 0.047 below where it touches: free within 0.02 radians, not within 0.04. */
    ccd_robot_joint loose[2] = {joints[0], joints[1]};
    const double ends[4] = {0, 0, .7, 0};
    for (int k = 1; k < 3; k++) {
        ccd_robot *off = NULL;
        loose[0].error = .02 * k;
        OK(make(loose, shapes, 4, pairs, &off));
        OK(ccd_robot_check_edge(off, ends, ends + 2, 0, NULL, e));
        CHECK(e[0].verdict == (k == 1 ? CCD_SEPARATE : CCD_UNDECIDED));
        ccd_robot_destroy(off);
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
    bad[1].error = -1;
    FAILS(make(bad, shapes, 4, pairs, &robot), CCD_E_ARGUMENT, "joints[1].error is -1");
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
    FAILS(ccd_robot_check_edge(robot, q, &q[2], 0, NULL, &e), CCD_E_NONFINITE, "q1[1] is NaN");
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
    ccd_options_init(&o, sizeof o);
    o.min_separation = 1e61;
    FAILS(ccd_robot_check_edge(robot, q, q, 0, &o, &e), CCD_E_ARGUMENT, "options.min_separation is 1e+61");
    o.min_separation = 0;
    o.tolerance = 1e61;
    FAILS(ccd_robot_check_edge(robot, q, q, 0, &o, &e), CCD_E_ARGUMENT, "options.tolerance is 1e+61");
    OK(ccd_robot_destroy(robot));
}

/* The tip at 2.1 sin(a) and 0.1 around it keep 1.4 - 2.1 sin(a) from the wall. */
static void clearances(void) {
    ccd_robot *robot = NULL;
    OK(make(joints, shapes, 4, pairs, &robot));
    const double q[8] = {0, 0, .5, 0, 1.2, 0, .5, 0};
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.tolerance = 1e-4;
    ccd_rigid_scene_gap g[4], one[8], again[8];
    OK(ccd_robot_clearance(robot, q, 1, 1, 1, &o, g));
    CHECK(g[0].a == 1 && g[0].b == 2 && g[0].gap.flags == 0 && g[0].gap.time == 1 && g[0].gap.feature_a == -1);
    CHECK(fabs(g[0].gap.hi - (1.4 - 2.1 * sin(.5))) < 1e-4 && g[0].gap.lo <= g[0].gap.hi &&
          g[0].gap.hi - g[0].gap.lo <= 1e-4);
    CHECK(g[0].gap.index_a == 12 && g[0].gap.index_b == 0 && fabs(g[0].gap.normal[1] + 1) < 1e-9 &&
          fabs(g[0].gap.point_b[1] - 1.5) < 1e-9);
    OK(ccd_robot_clearance(robot, q, 1, 2, 4, &o, one)); /* two edges: the second one touches the wall at once or later */
    for (int k = 0; k < 4; k++) {
        CHECK(fabs(one[k].gap.hi - (1.4 - 2.1 * sin(.125 * (k + 1)))) < 1e-4 &&
              fabs(one[k].gap.time - .25 * (k + 1)) < 1e-3);
    }
    CHECK(one[4].gap.flags == CCD_GAP_INTERSECTING && one[4].gap.hi == 0 && one[7].gap.lo > 0);
    o.threads = 3;
    OK(ccd_robot_clearance(robot, q, 1, 2, 4, &o, again));
    CHECK(memcmp(one, again, sizeof one) == 0);
    o.threads = 1;
    o.max_iterations = 2;
    OK(ccd_robot_clearance(robot, q, 1, 1, 1, &o, g));
    CHECK(g[0].gap.flags == CCD_GAP_UNFINISHED && g[0].gap.lo == 0 && g[0].gap.hi > 0);
    OK(ccd_robot_clearance(robot, NULL, 1, 0, 1, NULL, NULL));
    FAILS(ccd_robot_clearance(robot, q, 1, 1, 0, NULL, g), CCD_E_ARGUMENT, "parts is 0");
    FAILS(ccd_robot_clearance(robot, q, 6, 1, 1, NULL, g), CCD_E_ARGUMENT, "degree is 6: must be in [0, 5]");
    CHECK(g[0].a == -1 && g[0].gap.lo == 0 && isinf(g[0].gap.hi));
    FAILS(ccd_robot_clearance(robot, NULL, 1, 1, 1, NULL, g), CCD_E_ARGUMENT, "control is NULL");
    FAILS(ccd_robot_clearance(robot, q, 1, 1, 1, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    OK(ccd_robot_destroy(robot));
    FAILS(ccd_robot_clearance(robot, q, 1, 1, 1, NULL, g), CCD_E_HANDLE, "robot was destroyed");
}

/* A parabola to an angle and back: it touches the wall between, where the straight edge does not. */
static void curves(void) {
    ccd_robot *robot = NULL;
    OK(make(joints, shapes, 4, pairs, &robot));
    const double q[6] = {0, 0, 1.8, 0, 0, 0}, none[6] = {0, 0, 1.2, 0, 0, 0};
    ccd_robot_edge e[2], line;
    ccd_rigid_scene_gap g;
    double two[12];
    memcpy(two, q, sizeof q);
    memcpy(&two[6], none, sizeof none);
    OK(ccd_robot_check_curves(robot, two, 2, 2, 0, NULL, e));
    /* 3.6 s (1 - s) is asin(1.4 / 2.1) there. */
    const double s = .5 - sqrt(.25 - asin(1.4 / 2.1) / 3.6);
    CHECK(e[0].verdict == CCD_CONTACT && fabs(e[0].s - s) < 1e-5 && e[0].s_free <= s && e[0].body_a == 1);
    CHECK(e[1].verdict == CCD_SEPARATE);
    OK(ccd_robot_clearance(robot, none, 2, 1, 1, NULL, &g));
    CHECK(fabs(g.gap.hi - (1.4 - 2.1 * sin(.6))) < 2e-6 && fabs(g.gap.time - .5) < 1e-2);
    OK(ccd_robot_check_curves(robot, q, 1, 1, 0, NULL, e));
    OK(ccd_robot_check_edge(robot, q, &q[2], 0, NULL, &line));
    CHECK(memcmp(&e[0], &line, sizeof line) == 0);
    OK(ccd_robot_check_curves(robot, NULL, 3, 0, 0, NULL, NULL));
    const double bad[4] = {0, 0, 1, INFINITY};
    FAILS(ccd_robot_check_curves(robot, bad, 1, 1, 0, NULL, e), CCD_E_NONFINITE, "control[1][1] is +Inf");
    CHECK(e[0].verdict == CCD_UNDECIDED && e[0].body_a == -1);
    FAILS(ccd_robot_check_curves(robot, q, -1, 1, 0, NULL, e), CCD_E_ARGUMENT, "degree is -1");
    FAILS(ccd_robot_check_curves(robot, NULL, 2, 1, 0, NULL, e), CCD_E_ARGUMENT, "control is NULL");
    FAILS(ccd_robot_check_curves(robot, q, 2, 1, 0, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    OK(ccd_robot_destroy(robot));
}

/* All pairs that touch, at a configuration and on an edge. */
static void touching(void) {
    ccd_robot *robot = NULL;
    OK(make(joints, shapes, 4, pairs, &robot));
    const double q[4] = {1.5707963267948966, 0, 0,
                         0}; /* straight up: the tip is behind the wall, the second box through it */
    ccd_robot_edge list[4];
    size_t count = 9;
    OK(ccd_robot_touching(robot, q, 0, 0, NULL, list, 4, &count));
    CHECK(count == 1 && list[0].verdict == CCD_CONTACT && list[0].body_a == 1 && list[0].body_b == 2 && list[0].s == 0);
    OK(ccd_robot_touching(robot, &q[2], 0, 0, NULL, list, 4, &count));
    CHECK(count == 0);
    OK(ccd_robot_touching(robot, q, 1, 1, NULL, list, 4, &count));
    CHECK(count == 1);
    OK(ccd_robot_touching(robot, q, 1, 0, NULL, NULL, 0, &count));
    CHECK(count == 1);
    FAILS(ccd_robot_touching(robot, q, 0, 0, NULL, list, 0, &count), CCD_E_ARGUMENT, "cap is 0, but there are 1 items");
    CHECK(count == 1);
    FAILS(ccd_robot_touching(robot, q, 0, 0, NULL, NULL, 4, &count), CCD_E_ARGUMENT, "the array is NULL");
    FAILS(ccd_robot_touching(robot, q, 0, 0, NULL, list, 4, NULL), CCD_E_ARGUMENT, "count is NULL");
    FAILS(ccd_robot_touching(robot, NULL, 0, 0, NULL, list, 4, &count), CCD_E_ARGUMENT, "control is NULL");
    CHECK(count == 0);
    FAILS(ccd_robot_touching(robot, q, 0, 3, NULL, list, 4, &count), CCD_E_ARGUMENT, "any is 3");
    OK(ccd_robot_destroy(robot));
}

/* A robot that grasps a ball and has another wall in place of the first, and a separation for a pair. */
static void changes(void) {
    ccd_robot *robot = NULL, *held = NULL;
    OK(make(joints, shapes, 4, pairs, &robot));
    const double ball[3] = {1.4, 0, 0}, radius[1] = {.1}, q[4] = {.5, 0, .7, 0};
    const ccd_robot_shape one = {3, 2, 1, 0, 0};
    const int32_t pair[2] = {3, 2}, gone[1] = {1};
    ccd_robot_edge e;
    OK(ccd_robot_check_edge(robot, q, &q[2], 0, NULL, &e));
    CHECK(e.verdict == CCD_SEPARATE);
    OK(ccd_robot_change(robot, &one, 1, ball, 1, radius, NULL, 0, NULL, 0, pair, 1, NULL, NULL, 0, &held));
    OK(ccd_robot_check_edge(held, q, &q[2], 0, NULL, &e)); /* the ball at 2.4 touches where its center is at 1.4 */
    CHECK(e.verdict == CCD_CONTACT && e.body_a == 3 && e.body_b == 2 && fabs(.5 + .2 * e.s - asin(1.4 / 2.4)) < 1e-5);
    OK(ccd_robot_destroy(robot));
    OK(ccd_robot_check_edge(held, q, &q[2], 0, NULL, &e));
    CHECK(e.verdict == CCD_CONTACT);
    ccd_robot *without = NULL, *far = NULL;
    const int32_t ball_gone[1] = {3};
    OK(ccd_robot_change(held, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, ball_gone, 1, &without));
    OK(ccd_robot_check_edge(without, q, &q[2], 0, NULL, &e));
    CHECK(e.verdict == CCD_SEPARATE);
    const double separation[1] = {.3};
    OK(ccd_robot_change(held, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, pair, 1, separation, gone, 1, &far));
    OK(ccd_robot_check_edge(far, q, &q[2], 0, NULL, &e)); /* its center is at 1.1 */
    CHECK(e.verdict == CCD_CONTACT && e.body_a == 3 && e.s == 0);
    FAILS(ccd_robot_change(held, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, gone, 0, NULL), CCD_E_ARGUMENT,
          "out is NULL");
    ccd_robot *none = held;
    const int32_t many[1] = {4}, wrong[2] = {3, 9};
    FAILS(ccd_robot_change(held, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, many, 1, &none), CCD_E_INDEX,
          "without[0] is 4: must be one of the 4 bodies");
    CHECK(none == NULL);
    FAILS(ccd_robot_change(held, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, wrong, 1, NULL, NULL, 0, &none), CCD_E_INDEX,
          "pairs[0] is [3 9]");
    FAILS(ccd_robot_change(held, &one, 1, ball, 1, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0, &none), CCD_E_ARGUMENT,
          "shapes[0].body is 3: must be 4, as bodies are numbered in order");
    const double minus[1] = {-1};
    FAILS(ccd_robot_change(held, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, pair, 1, minus, NULL, 0, &none), CCD_E_ARGUMENT,
          "separations[0] is -1");
    OK(ccd_robot_destroy(held));
    OK(ccd_robot_destroy(without));
    OK(ccd_robot_destroy(far));
    FAILS(ccd_robot_change(far, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0, &none), CCD_E_HANDLE,
          "robot was destroyed");
}

/* The tip at 2.1 reaches the wall beyond asin(1.4 / 2.1) if the second joint stays. */
static void ranges(void) {
    ccd_robot *robot = NULL;
    OK(make(joints, shapes, 4, pairs, &robot));
    const double reach = asin(1.4 / 2.1), lower[2] = {-.5, 0};
    double upper[2] = {reach - 1e-3, 0};
    ccd_robot_meeting table[2];
    size_t count = 0;
    OK(ccd_robot_ranges(robot, lower, upper, NULL, table, 2, &count));
    CHECK(count == 2 && table[0].verdict == CCD_SEPARATE && table[1].verdict == CCD_SEPARATE);
    CHECK(table[1].body_a == 1 && table[1].body_b == 2 && table[1].iterations > 0);
    upper[0] = reach + 1e-3;
    OK(ccd_robot_ranges(robot, lower, upper, NULL, table, 2, &count));
    CHECK(table[0].verdict == CCD_SEPARATE && table[1].verdict == CCD_CONTACT);
    FAILS(ccd_robot_ranges(robot, upper, lower, NULL, table, 2, &count), CCD_E_ARGUMENT, "lower[0] is");
    FAILS(ccd_robot_ranges(robot, lower, upper, NULL, table, 1, &count), CCD_E_ARGUMENT, "cap is 1");
    FAILS(ccd_robot_ranges(robot, NULL, upper, NULL, table, 2, &count), CCD_E_ARGUMENT, "lower is NULL");
    FAILS(ccd_robot_ranges(robot, lower, upper, NULL, table, 2, NULL), CCD_E_ARGUMENT, "count is NULL");
    OK(ccd_robot_destroy(robot));
}

/* A robot of a file is that of the arrays: a turn with a limit, and an obstacle that is added. */
static void files(void) {
    const char *name = "robot_test.urdf";
    FILE *text = fopen(name, "w");
    CHECK(text != NULL);
    if (text == NULL) {
        return;
    }
    fputs("<robot><link name='base'/><link name='arm'><collision><origin xyz='1.1 0 0'/><geometry><sphere radius='.1'/>"
          "</geometry></collision></link><joint name='turn' type='revolute'><parent link='base'/><child link='arm'/>"
          "<axis xyz='0 0 2'/><limit lower='-1' upper='2'/></joint></robot>",
          text);
    fclose(text);
    ccd_robot_file *file = NULL;
    CHECK(ccd_robot_file_read(name, NULL, NULL, 0, 0, &file) == CCD_OK);
    size_t links = 9, variables = 9, n_shapes = 9, vertices = 9, edges = 9, n_faces = 9, n_pairs = 9, length = 0;
    CHECK(ccd_robot_file_counts(file, &links, &variables, &n_shapes, &vertices, &edges, &n_faces, &n_pairs) == CCD_OK);
    CHECK(links == 2 && variables == 1 && n_shapes == 1 && vertices == 1 && edges == 0 && n_faces == 0 && n_pairs == 0);
    ccd_robot_joint joint;
    ccd_robot_variable variable;
    ccd_robot_shape both[2] = {{0, 0, 0, 0, 0}, {1, -1, 3, 0, 1}};
    double points[12] = {0, 0, 0, -9, 1, -9, 9, 1, -9, 0, 1, 9}, radius[4] = {0};
    CHECK(ccd_robot_file_copy(file, &joint, &variable, both, points, radius, NULL, NULL, NULL) == CCD_OK);
    CHECK(joint.kind == CCD_JOINT_REVOLUTE && joint.axis[2] == 1 && variable.lower == -1 && variable.upper == 2);
    CHECK(variable.turning == 0 && both[0].link == 1 && points[0] == 1.1 && radius[0] == .1);
    char word[4];
    CHECK(ccd_robot_file_name(file, CCD_ROBOT_VARIABLE, 0, word, sizeof word, &length) == CCD_OK);
    CHECK(length == 4 && strcmp(word, "tur") == 0);
    CHECK(ccd_robot_file_name(file, CCD_ROBOT_LINK, 2, NULL, 0, &length) == CCD_E_INDEX);
    CHECK(ccd_robot_file_name(file, 3, 0, NULL, 0, &length) == CCD_E_ARGUMENT);
    CHECK(ccd_robot_file_destroy(file) == CCD_OK);
    const int32_t triangle[3] = {0, 1, 2}, pair[2] = {0, 1};
    const double q0 = 0, q1 = 1.5;
    ccd_robot *robot = NULL;
    ccd_robot_edge edge;
    CHECK(ccd_robot_create(1, &joint, 1, both, 2, points, 4, radius, NULL, 0, triangle, 1, pair, 1, NULL, &robot) ==
          CCD_OK);
    CHECK(ccd_robot_check_edge(robot, &q0, &q1, 0, NULL, &edge) == CCD_OK && edge.verdict == CCD_CONTACT);
    CHECK(fabs(1.5 * edge.s - asin(.9 / 1.1)) < 1e-5);
    ccd_robot_destroy(robot);
    CHECK(ccd_robot_file_read(name, NULL, NULL, 0, 4, &file) == CCD_E_ARGUMENT && file == NULL);
    CHECK(ccd_robot_file_read(NULL, NULL, NULL, 0, 0, &file) == CCD_E_ARGUMENT);
    remove(name);
    CHECK(ccd_robot_file_read(name, NULL, NULL, 0, 0, &file) == CCD_E_FILE);
}

/* A crank of 1 and a rod of 3 push a slider: at cos q + sqrt(9 - sin^2 q). Counts, copies and errors. */
static void closed(void) {
    const ccd_robot_joint chain[3] = {
        {CCD_JOINT_REVOLUTE, 0, 1, 0, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 1}, 0},
        {CCD_JOINT_REVOLUTE, 1, 2, 1, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0}, {0, 0, 1}, 0},
        {CCD_JOINT_PRISMATIC, 0, 3, 2, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {1, 0, 0}, 0},
    };
    const ccd_robot_loop pin = {2, 3, 2, 0, {3, 0, 0}, {0, 0, 0}, {1, 0, 0, 0, 1, 0}};
    const int32_t follow[2] = {1, 2};
    const double start[2] = {.3, 3.4}, q[6] = {-1, 0, 0, 1, 0, 0};
    static double control[64 * 6 * 3], ends[2 * 64], errors[2];
    static int64_t edges[64];
    int32_t drives[1] = {-1};
    size_t pieces = 0, count = 0;
    ccd_robot_closed *way = NULL;
    OK(ccd_robot_closed_create(3, chain, 3, &pin, 1, follow, start, 2, q, 1, 1, 1e-9, &way));
    OK(ccd_robot_closed_counts(way, &pieces, &count));
    CHECK(pieces > 1 && pieces <= 64 && count == 1);
    OK(ccd_robot_closed_counts(way, NULL, NULL));
    OK(ccd_robot_closed_copy(way, control, edges, ends, errors, drives));
    OK(ccd_robot_closed_copy(way, NULL, NULL, NULL, NULL, NULL));
    CHECK(drives[0] == 0 && errors[0] > 0 && errors[0] <= 1e-9 && errors[1] > 0 && errors[1] <= 1e-9);
    CHECK(ends[0] == 0 && ends[2 * pieces - 1] == 1 && edges[0] == 0 && edges[pieces - 1] == 0);
    for (size_t i = 0; i < pieces; i++) {
        const double *first = control + 18 * i, sine = sin(first[0]);
        CHECK(fabs(first[2] - cos(first[0]) - sqrt(9 - sine * sine)) < 1e-12);
        CHECK(fabs(first[0] - (-1 + 2 * ends[2 * i])) < 1e-12);
        CHECK(i == 0 || (ends[2 * i] == ends[2 * i - 1] && memcmp(first, first - 3, 24) == 0));
    }
    OK(ccd_robot_closed_destroy(way));
    FAILS(ccd_robot_closed_counts(way, &pieces, &count), CCD_E_HANDLE, "closed");
    FAILS(ccd_robot_closed_create(3, chain, 3, &pin, 1, follow, start, 2, q, 1, 1, 1e-9, NULL), CCD_E_ARGUMENT, "out");
    const double far[2] = {NAN, 0};
    FAILS(ccd_robot_closed_create(3, chain, 3, &pin, 1, follow, far, 2, q, 1, 1, 1e-9, &way), CCD_E_NONFINITE, "start[0]");
    FAILS(ccd_robot_closed_create(3, chain, 3, &pin, 1, follow, start, 2, q, 6, 1, 1e-9, &way), CCD_E_ARGUMENT,
          "degree is 6");
    FAILS(ccd_robot_closed_create(3, chain, 3, &pin, 1, follow, start, 2, q, 1, 1, 1, &way), CCD_E_ARGUMENT,
          "tolerance is 1");
    FAILS(ccd_robot_closed_create(3, chain, 3, NULL, 1, follow, start, 2, q, 1, 1, 1e-9, &way), CCD_E_ARGUMENT,
          "loops is NULL");
    FAILS(ccd_robot_closed_create(3, chain, 3, &pin, 1, follow, start, 2, q, 1, 0, 1e-9, &way), CCD_E_ARGUMENT,
          "count is 0");
    ccd_robot_loop none = pin;
    none.rows = 4;
    FAILS(ccd_robot_closed_create(3, chain, 3, &none, 1, follow, start, 2, q, 1, 1, 1e-9, &way), CCD_E_ARGUMENT,
          "loops[0].rows is 4: must be 1 to 3");
    CHECK(way == NULL);
}

int main(void) {
    fill();
    closed();
    files();
    ranges();
    changes();
    verdicts();
    clearances();
    curves();
    touching();
    errors();
    return done();
}
