/* patch.c - curved patches: bare pairs, bodies, NURBS, manifolds, and that errors leave safe answers. */
#include "check.h"

static const ccd_patch_form plane = {CCD_PATCH_QUAD, 1, 1}, point = {CCD_PATCH_CURVE, 0, 0};
static const double flat[12] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};
static const double above[3] = {.25, .5, 1}, below[3] = {.25, .5, -1};

static void pair(void) {
    ccd_patch_impact out;
    const double w[4] = {1, 1, 2, 2}, zero[4] = {1, 1, 0, 1};
    OK(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && out.a == -1 && out.b == -1 && out.toi_lo <= .5 && out.toi_hi >= .5 - 1e-6);
    CHECK(out.uv_a[0] > .2499 && out.uv_a[0] < .2501 && out.uv_a[1] > .4999 && out.uv_a[1] < .5001 && out.normal[2] < -.99);
    OK(ccd_patch_pair(&plane, flat, flat, w, &point, above, below, NULL, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT);

    ccd_options options;
    ccd_options_init(&options, sizeof options);
    options.t_max = .25;
    OK(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &options, &out));
    CHECK(out.verdict == CCD_SEPARATE && out.toi_lo > 1 && out.normal[2] == 0);
    options.min_separation = .75;
    OK(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &options, &out));
    CHECK(out.verdict == CCD_CONTACT && out.toi_lo <= .125);

    const ccd_method methods[2] = {CCD_METHOD_TIME_CONTRACTED, CCD_METHOD_TIGHT_INCLUSION};
    for (int i = 0; i < 2; i++) {
        options.method = methods[i];
        options.max_iterations = 10000;
        OK(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &options, &out));
        CHECK(out.verdict == CCD_CONTACT && out.toi_lo <= .125 && out.toi_lo > .1249);
        options.max_iterations = 1;
        OK(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &options, &out));
        CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo <= .125);
    }
    options.max_iterations = 0;

    memset(&out, 0xff, sizeof out);
    FAILS(ccd_patch_pair(&plane, flat, flat, zero, &point, above, below, NULL, NULL, &out), CCD_E_ARGUMENT,
          "a: weights[2] is 0");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0 && out.a == -1);
    options.method = CCD_METHOD_EXACT;
    FAILS(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &options, &out), CCD_E_UNSUPPORTED,
          "options.method is CCD_METHOD_EXACT: ccd_patch_*");
    const ccd_patch_form high = {CCD_PATCH_QUAD, 10, 1};
    FAILS(ccd_patch_pair(&high, flat, flat, NULL, &point, above, below, NULL, NULL, &out), CCD_E_ARGUMENT,
          "a: u degree 10");
    FAILS(ccd_patch_pair(&plane, flat, NULL, NULL, &point, above, below, NULL, NULL, &out), CCD_E_ARGUMENT, "a1 is NULL");
    FAILS(ccd_patch_pair(&plane, flat, flat, NULL, NULL, above, below, NULL, NULL, &out), CCD_E_ARGUMENT, "b is NULL");
    FAILS(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    const double nan[3] = {0, 0.0 / 0.0, 0};
    FAILS(ccd_patch_pair(&plane, flat, flat, NULL, &point, nan, below, NULL, NULL, &out), CCD_E_NONFINITE, "b: x0[0][1]");
}

static void files(void) {
    ccd_patch_model *model = (void *)1;
    FAILS(ccd_patch_model_read("/nowhere.bpt", &model), CCD_E_FILE, "nowhere");
    CHECK(model == NULL);
    FAILS(ccd_patch_model_read(NULL, &model), CCD_E_ARGUMENT, "path is NULL");
    FAILS(ccd_patch_model_destroy((void *)12345), CCD_E_HANDLE, "model");
}

/* Asks to stop at the call that *user counts down to. */
static int32_t countdown(double fraction, void *user) {
    CHECK(fraction >= 0 && fraction <= 1);
    return --*(int *)user <= 0;
}

/* Calls on bodies write statistics, and may be cancelled. */
static void statistics(void) {
    static const int32_t index[4] = {0, 1, 2, 3}, one[1] = {0};
    ccd_patch_body *a = NULL, *b = NULL;
    ccd_patch_impact first;
    ccd_patch_impacts *impacts = NULL;
    ccd_patch_unresolved unresolved;
    ccd_stats stats = {.struct_size = sizeof stats, .boxes = -1};
    ccd_options o;
    int calls = 1000000;
    ccd_options_init(&o, sizeof o);
    o.stats = &stats;
    o.progress = countdown;
    o.progress_user = &calls;
    OK(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &o, &first));
    CHECK(first.verdict == CCD_CONTACT && stats.boxes == 2 && stats.candidates[0] == 1 && stats.impacts == 1);
    CHECK(calls < 1000000);
    calls = 1;
    stats.boxes = -1;
    FAILS(ccd_patch_pair(&plane, flat, flat, NULL, &point, above, below, NULL, &o, &first), CCD_E_CANCELLED, "cancel");
    CHECK(first.verdict == CCD_UNDECIDED && first.toi_lo == 0 && stats.boxes == -1);
    calls = 1000000;
    OK(ccd_patch_body_create(4, &plane, 1, index, 4, NULL, &a));
    OK(ccd_patch_body_create(1, &point, 1, one, 1, NULL, &b));
    OK(ccd_patch_earliest(a, flat, flat, 4, b, above, below, 1, &o, &first));
    CHECK(stats.struct_size == sizeof stats && stats.boxes == 2 && stats.candidates[0] == 1 && stats.impacts == 1 &&
          calls < 1000000);
    CHECK(stats.undecided == 0 && stats.threads == 1 && stats.peak_bytes > 0 &&
          stats.seconds_total >= stats.seconds_narrow);
    stats.boxes = -1;
    OK(ccd_patch_self_earliest(a, flat, flat, 4, 0, &o, &first, &unresolved));
    CHECK(stats.boxes == 1 && stats.candidates[0] == 1 && stats.impacts == 0);
    calls = 1;
    stats.boxes = -1;
    FAILS(ccd_patch_earliest(a, flat, flat, 4, b, above, below, 1, &o, &first), CCD_E_CANCELLED, "cancel");
    CHECK(first.verdict == CCD_UNDECIDED && first.toi_lo == 0 && stats.boxes == -1);
    calls = 1;
    FAILS(ccd_patch_collisions(a, flat, flat, 4, b, above, below, 1, &o, &impacts), CCD_E_CANCELLED, "cancel");
    CHECK(impacts == NULL);
    OK(ccd_patch_body_destroy(a));
    OK(ccd_patch_body_destroy(b));
}

static void bodies(void) {
    static const int32_t index[4] = {0, 1, 2, 3}, one[1] = {0}, wrong[4] = {0, 1, 2, 4};
    static const double knots[4] = {0, 0, 1, 1};
    ccd_patch_body *a = NULL, *b = NULL, *n = NULL;
    ccd_patch_impact first, list[4];
    ccd_patch_impacts *impacts = NULL;
    size_t points = 0, patches = 0, count = 0;
    OK(ccd_patch_body_create(4, &plane, 1, index, 4, NULL, &a));
    OK(ccd_patch_body_create(1, &point, 1, one, 1, NULL, &b));
    OK(ccd_patch_body_create_nurbs(1, 1, knots, 4, knots, 4, NULL, &n));
    OK(ccd_patch_body_counts(n, &points, &patches));
    CHECK(points == 4 && patches == 1);
    OK(ccd_patch_earliest(a, flat, flat, 4, b, above, below, 1, NULL, &first));
    CHECK(first.verdict == CCD_CONTACT && first.a == 0 && first.b == 0 && first.toi_lo <= .5);
    OK(ccd_patch_earliest(n, flat, flat, 4, b, above, below, 1, NULL, &list[0]));
    CHECK(memcmp(&list[0], &first, sizeof first) == 0);
    OK(ccd_patch_collisions(a, flat, flat, 4, b, above, below, 1, NULL, &impacts));
    OK(ccd_patch_impacts_copy(impacts, list, 4, &count));
    CHECK(count == 1 && memcmp(&list[0], &first, sizeof first) == 0);
    OK(ccd_patch_impacts_destroy(impacts));
    OK(ccd_patch_manifold(a, flat, flat, 4, n, flat, flat, 4, 0, .25, NULL, &impacts));
    OK(ccd_patch_impacts_count(impacts, &count));
    CHECK(count > 4);
    FAILS(ccd_patch_impacts_copy(impacts, list, 4, &count), CCD_E_ARGUMENT, "cap is 4");
    OK(ccd_patch_impacts_destroy(impacts));
    FAILS(ccd_patch_manifold(a, flat, flat, 4, n, flat, flat, 4, 2, .25, NULL, &impacts), CCD_E_ARGUMENT, "t_window is 2");
    CHECK(impacts == NULL);

    FAILS(ccd_patch_earliest(a, flat, flat, 3, b, above, below, 1, NULL, &first), CCD_E_ARGUMENT, "n_a is 3");
    CHECK(first.verdict == CCD_UNDECIDED && first.toi_lo == 0);
    FAILS(ccd_patch_earliest(a, flat, flat, 4, NULL, above, below, 1, NULL, &first), CCD_E_HANDLE, "b is NULL");
    /* The middle of an arc of three nodes is at -1/4 in the end; its control point there is lower, and meets nothing. */
    static const ccd_patch_form p2 = {CCD_PATCH_CURVE, 2, 0}, p7 = {CCD_PATCH_CURVE, 7, 0};
    static const int32_t nodes[3] = {0, 1, 2}, many[8] = {0};
    static const double arc0[9] = {0, .5, 1.75, .5, .5, 1, 1, .5, 1.75}, arc1[9] = {0, .5, .5, .5, .5, -.25, 1, .5, .5},
                        far[9] = {0, 0, 0, 1e141};
    ccd_patch_body *arc = NULL;
    OK(ccd_patch_body_create_lagrange(3, &p2, 1, nodes, 3, &arc));
    OK(ccd_patch_body_counts(arc, &points, &patches));
    CHECK(points == 3 && patches == 1);
    OK(ccd_patch_earliest(arc, arc0, arc1, 3, a, flat, flat, 4, NULL, &first));
    CHECK(first.verdict == CCD_CONTACT && first.toi_lo <= .8 && first.toi_lo > .79999);
    CHECK(first.uv_a[0] > .49 && first.uv_a[0] < .51);
    FAILS(ccd_patch_earliest(arc, arc0, far, 3, a, flat, flat, 4, NULL, &first), CCD_E_NONFINITE, "x1[1][0] is 1e+141");
    OK(ccd_patch_body_destroy(arc));
    FAILS(ccd_patch_body_create_lagrange(1, &p7, 1, many, 8, &arc), CCD_E_ARGUMENT, "patch 0: degrees 7 and 0");
    CHECK(arc == NULL);
    FAILS(ccd_patch_body_create_lagrange(2, &p2, 1, nodes, 3, &arc), CCD_E_INDEX, "index[2] is 2");
    FAILS(ccd_patch_body_create_lagrange(3, &p2, 1, nodes, 3, NULL), CCD_E_ARGUMENT, "out is NULL");

    /* Of the quad a the triangle at its first corner counts. The face's plane is [0, 2] x [0, 4]. */
    static const double corners[6] = {0, 0, 2, 0, 0, 4}, exact[2] = {1e-9, 1e-9}, window[4] = {0, 2, 0, 4};
    static const double off0[3] = {.75, .75, 1}, off1[3] = {.75, .75, -1}, on0[3] = {.25, .25, 1}, on1[3] = {.25, .25, -1};
    static const int32_t three = 3, one_loop = 1, face0 = 0, face1 = 1, joint[3] = {0, 0, 2}, bad_joint[3] = {0, 0, 3};
    static const double places[8] = {0, 0, 0, 0, 2, 0, 2, 0};
    ccd_patch_body *cut = NULL, *joined = NULL;
    size_t faces = 7;
    OK(ccd_patch_body_trim(a, corners, 3, &three, 1, &one_loop, exact, 1, &face0, window, 1, &cut));
    OK(ccd_patch_body_faces(cut, &faces));
    CHECK(faces == 1);
    OK(ccd_patch_body_faces(a, &faces));
    CHECK(faces == 0);
    OK(ccd_patch_earliest(cut, flat, flat, 4, b, off0, off1, 1, NULL, &first));
    CHECK(first.verdict == CCD_SEPARATE);
    OK(ccd_patch_earliest(cut, flat, flat, 4, b, on0, on1, 1, NULL, &first));
    CHECK(first.verdict == CCD_CONTACT && first.toi_lo <= .5 && first.toi_lo > .4999);
    OK(ccd_patch_body_join(cut, joint, 1, places, 2, &joined));
    OK(ccd_patch_earliest(joined, flat, flat, 4, b, off0, off1, 1, NULL, &first));
    CHECK(first.verdict == CCD_SEPARATE);
    OK(ccd_patch_body_destroy(joined));
    FAILS(ccd_patch_body_join(cut, bad_joint, 1, places, 2, &joined), CCD_E_ARGUMENT, "joint 0 has 3 places");
    CHECK(joined == NULL);
    FAILS(ccd_patch_body_join(a, joint, 1, places, 2, &joined), CCD_E_ARGUMENT, "trim it first");
    FAILS(ccd_patch_body_trim(cut, corners, 2, &three, 1, &one_loop, exact, 1, &face0, window, 1, &joined), CCD_E_ARGUMENT,
          "only 2 are left");
    FAILS(ccd_patch_body_trim(cut, corners, 3, &three, 1, &one_loop, exact, 1, &face1, window, 1, &joined), CCD_E_INDEX,
          "of[0] is 1");
    FAILS(ccd_patch_body_trim(cut, corners, 3, &three, 1, &one_loop, exact, 1, &face0, window, 2, &joined), CCD_E_ARGUMENT,
          "n is 2");
    OK(ccd_patch_body_destroy(cut));

    ccd_patch_body *none = a;
    FAILS(ccd_patch_body_create(4, &plane, 1, wrong, 4, NULL, &none), CCD_E_INDEX, "index[3] is 4");
    CHECK(none == NULL);
    FAILS(ccd_patch_body_create(4, &plane, 1, index, 3, NULL, &none), CCD_E_ARGUMENT, "index has 3 entries");
    FAILS(ccd_patch_body_create_nurbs(1, 1, knots, 3, knots, 4, NULL, &none), CCD_E_ARGUMENT, "knots_u has 3");
    FAILS(ccd_patch_body_create_nurbs(-1, 0, knots, 4, NULL, 0, NULL, &none), CCD_E_ARGUMENT, "u degree -1");
    OK(ccd_patch_body_destroy(a));
    FAILS(ccd_patch_body_destroy(a), CCD_E_HANDLE, "body was destroyed");
    FAILS(ccd_patch_impacts_count((ccd_patch_impacts *)b, &count), CCD_E_HANDLE, "ccd_patch_body");
    OK(ccd_patch_body_destroy(b));
    OK(ccd_patch_body_destroy(n));
}

/* Two sheets bound along an edge: the second comes down on the first, and it closes like a book. */
static void self(void) {
    static const int32_t index[8] = {0, 1, 2, 3, 0, 1, 4, 5};
    static const ccd_patch_form forms[2] = {{CCD_PATCH_QUAD, 1, 1}, {CCD_PATCH_QUAD, 1, 1}};
    double x0[18] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1}, x1[18];
    memcpy(x1, x0, sizeof x1);
    x1[12] = x1[15] = 1;
    x1[14] = x1[17] = -1;
    ccd_patch_body *body = NULL;
    ccd_patch_impact first, list[4];
    ccd_patch_impacts *impacts = NULL;
    ccd_patch_unresolved unresolved = {7, 7};
    size_t count = 0;
    OK(ccd_patch_body_create(6, forms, 2, index, 8, NULL, &body));
    OK(ccd_patch_self_earliest(body, x0, x0, 6, 0, NULL, &first, &unresolved));
    CHECK(first.verdict == CCD_SEPARATE && unresolved.pairs == 0 && unresolved.t_from > 1);
    OK(ccd_patch_self_earliest(body, x0, x1, 6, 0, NULL, &first, NULL));
    CHECK(first.verdict == CCD_CONTACT && first.a == 0 && first.b == 1 && first.toi_lo <= .5 && first.toi_lo > .4999);
    OK(ccd_patch_self_collisions(body, x0, x1, 6, .125, NULL, &impacts, &unresolved));
    OK(ccd_patch_impacts_copy(impacts, list, 4, &count));
    CHECK(count == 1 && list[0].toi_lo <= .5 && unresolved.t_from > .499);
    OK(ccd_patch_impacts_destroy(impacts));
    OK(ccd_patch_self_manifold(body, x0, x1, 6, 0, .5, .125, NULL, &impacts, NULL));
    OK(ccd_patch_impacts_count(impacts, &count));
    CHECK(count >= 1);
    OK(ccd_patch_impacts_destroy(impacts));

    FAILS(ccd_patch_self_earliest(body, x0, x1, 5, 0, NULL, &first, &unresolved), CCD_E_ARGUMENT, "n is 5");
    CHECK(first.verdict == CCD_UNDECIDED && first.toi_lo == 0 && unresolved.t_from == 0);
    FAILS(ccd_patch_self_earliest(body, x0, x1, 6, .75, NULL, &first, NULL), CCD_E_ARGUMENT, "neighbourhood is 0.75");
    FAILS(ccd_patch_self_earliest(body, x0, NULL, 6, 0, NULL, &first, NULL), CCD_E_ARGUMENT, "x1 is NULL");
    FAILS(ccd_patch_self_earliest(body, x0, x1, 6, 0, NULL, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_patch_self_collisions(body, x0, x1, 6, 0, NULL, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_patch_self_earliest(NULL, x0, x1, 6, 0, NULL, &first, NULL), CCD_E_HANDLE, "body is NULL");
    x1[4] = 0.0 / 0.0;
    FAILS(ccd_patch_self_manifold(body, x0, x1, 6, 0, 1, 0, NULL, &impacts, NULL), CCD_E_NONFINITE, "x1[1][1]");
    CHECK(impacts == NULL);
    OK(ccd_patch_body_destroy(body));
}

int main(void) {
    pair();
    files();
    bodies();
    statistics();
    self();
    return done();
}
