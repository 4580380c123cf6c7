/* badinput.c - what is wrong is refused with a status and a text that names it; nothing crashes, and answers stay safe. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "steps.h"

#include <math.h>

static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e200, -1e200};
enum { WRONG = sizeof wrong / sizeof *wrong };

typedef ccd_status (*single)(const double *, const ccd_options *, ccd_impact *);
typedef ccd_status (*many)(const double *, size_t, const ccd_options *, ccd_impact *);

static const struct {
    int32_t kind;
    int length;
    single one;
    many all;
} kinds[] = {
    {CCD_VERTEX_FACE, 24, ccd_pair_vertex_face, ccd_pairs_vertex_face},
    {CCD_EDGE_EDGE, 24, ccd_pair_edge_edge, ccd_pairs_edge_edge},
    {CCD_POINT_EDGE, 18, ccd_pair_point_edge, ccd_pairs_point_edge},
    {CCD_POINT_POINT, 12, ccd_pair_point_point, ccd_pairs_point_point},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void blank(const ccd_impact *out, int32_t kind, int64_t a) {
    CHECK(out->verdict == CCD_UNDECIDED && out->kind == kind && out->a == a && out->b == -1);
    CHECK(out->toi_lo == 0 && out->toi_hi == 1 && out->u == 0 && out->point[2] == 0 && out->flags == 0);
}

static void pair_coordinates(void) {
    for (int k = 0; k < KINDS; k++) {
        for (int w = 0; w < WRONG; w++) {
            for (int i = 0; i < kinds[k].length; i++) {
                double q[24];
                char name[16];
                ccd_impact out;
                memcpy(q, falling, sizeof q);
                q[i] = wrong[w];
                snprintf(name, sizeof name, "q[%d]", i);
                memset(&out, 0xff, sizeof out);
                FAILS(kinds[k].one(q, NULL, &out), CCD_E_NONFINITE, name);
                blank(&out, kinds[k].kind, -1);
            }
        }
    }
}

static void pair_pointers(void) {
    for (int k = 0; k < KINDS; k++) {
        ccd_impact out;
        memset(&out, 0xff, sizeof out);
        FAILS(kinds[k].one(NULL, NULL, &out), CCD_E_ARGUMENT, "q is NULL");
        blank(&out, kinds[k].kind, -1);
        FAILS(kinds[k].one(falling, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    }
}

/* The first bad query is the one that is named, whichever thread meets it. */
static void batches(void) {
    enum { N = 1500 };
    static double q[24 * N];
    static ccd_impact out[N];
    for (int k = 0; k < KINDS; k++) {
        for (int threads = 1; threads <= 3; threads++) {
            ccd_options o;
            ccd_options_init(&o, sizeof o);
            o.threads = threads;
            for (int i = 0; i < kinds[k].length * N; i++) { /* the first point is far from the others */
                q[i] = i % (kinds[k].length / 2) < 3 ? 10 : i % 7;
            }
            q[kinds[k].length * 1400 + 5] = NAN;
            q[kinds[k].length * 900 + 3] = INFINITY;
            q[kinds[k].length * 899 + 4] = 1e200;
            memset(out, 0xff, sizeof out);
            FAILS(kinds[k].all(q, N, &o, out), CCD_E_NONFINITE, "query 899: q[4] is 1e+200");
            for (int i = 0; i < N; i++) {
                blank(out + i, kinds[k].kind, i);
            }
        }
        ccd_impact one;
        FAILS(kinds[k].all(NULL, 3, NULL, out), CCD_E_ARGUMENT, "q is NULL");
        FAILS(kinds[k].all(q, 3, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
        FAILS(kinds[k].all(falling, SIZE_MAX / 192 + 1, NULL, &one), CCD_E_ARGUMENT, "n is "); /* n * 24 * 8 wraps */
        FAILS(kinds[k].all(falling, SIZE_MAX, NULL, &one), CCD_E_ARGUMENT, "n is ");
    }
}

static ccd_status create(size_t vertices, const int32_t *edges, size_t n_edges, const int32_t *faces, size_t n_faces) {
    static int anything;
    ccd_mesh *mesh = (ccd_mesh *)(void *)&anything;
    ccd_status status = ccd_mesh_create(vertices, edges, n_edges, faces, n_faces, &mesh);
    CHECK((status == CCD_OK) == (mesh != NULL));
    if (mesh != NULL) {
        OK(ccd_mesh_destroy(mesh));
    }
    return status;
}

static void topology(void) {
    const int32_t beyond[6] = {0, 1, 2, 1, 2, 6}, negative[3] = {0, -1, 2}, twice[3] = {0, 3, 3};
    FAILS(create(6, NULL, 0, beyond, 2), CCD_E_INDEX, "faces[1][2] is 6");
    FAILS(create(6, NULL, 0, negative, 1), CCD_E_INDEX, "faces[0][1] is -1");
    FAILS(create(6, NULL, 0, twice, 1), CCD_E_INDEX, "faces[0]");
    const int32_t same[6] = {0, 1, 2, 1, 2, 0};
    FAILS(create(6, NULL, 0, same, 2), CCD_E_INDEX, "faces[1]");
    const int32_t edges[8] = {0, 1, 1, 2, 2, 0, 4, 9}, loop[8] = {0, 1, 1, 2, 2, 0, 4, 4};
    FAILS(create(6, edges, 4, tri_faces, 1), CCD_E_INDEX, "edges[3][1] is 9");
    FAILS(create(6, loop, 4, tri_faces, 1), CCD_E_INDEX, "edges[3]");
    FAILS(create(6, edges, 2, tri_faces, 1), CCD_E_INDEX, "faces[0]"); /* an edge of a face is missing */

    FAILS(create(6, NULL, 3, tri_faces, 2), CCD_E_ARGUMENT, "edges is NULL");
    FAILS(create(6, NULL, 0, NULL, 2), CCD_E_ARGUMENT, "faces is NULL");
    FAILS(create((size_t)1 << 31, NULL, 0, NULL, 0), CCD_E_ARGUMENT, "vertices is 2147483648");
    FAILS(create(SIZE_MAX, NULL, 0, NULL, 0), CCD_E_ARGUMENT, "vertices is");
    FAILS(create(6, NULL, 0, tri_faces, SIZE_MAX / 12 + 2), CCD_E_ARGUMENT, "n_faces is");
    FAILS(create(6, edges, SIZE_MAX / 8 + 2, tri_faces, 1), CCD_E_ARGUMENT, "n_edges is");
    FAILS(ccd_mesh_create(6, NULL, 0, tri_faces, 2, NULL), CCD_E_ARGUMENT, "out is NULL");
}

/* No vertices and no faces are meshes in which nothing collides. */
static void nothing(void) {
    const size_t vertices[] = {0, 6};
    for (int i = 0; i < 2; i++) {
        ccd_mesh *mesh = NULL;
        ccd_impact out;
        ccd_candidates *c = NULL;
        double alpha = 0;
        size_t vf, ee;
        OK(ccd_mesh_create(vertices[i], NULL, 0, NULL, 0, &mesh));
        const double *x = vertices[i] == 0 ? NULL : tri_x0;
        OK(ccd_step_earliest(mesh, x, x, vertices[i], NULL, &out));
        CHECK(out.verdict == CCD_SEPARATE && isinf(out.toi_lo));
        OK(ccd_step_size(mesh, x, x, vertices[i], NULL, &alpha));
        CHECK(alpha == 1);
        OK(ccd_broad_candidates(mesh, x, x, vertices[i], NULL, &c));
        OK(ccd_candidates_count(c, &vf, &ee));
        CHECK(vf == 0 && ee == 0);
        OK(ccd_candidates_destroy(c));
        OK(ccd_mesh_destroy(mesh));
    }
}

static void filters(void) {
    ccd_mesh *mesh = triangles();
    const int32_t patch[TRI_VERTICES] = {0};
    const uint8_t fixed[TRI_VERTICES] = {0};
    const int64_t pairs[4] = {0, 1, 0, 2};
    FAILS(ccd_mesh_set_groups(mesh, patch, 5), CCD_E_ARGUMENT, "n is 5: group has");
    FAILS(ccd_mesh_set_static(mesh, fixed, 7), CCD_E_ARGUMENT, "n is 7: is_static has");
    FAILS(ccd_mesh_set_groups(mesh, patch, SIZE_MAX), CCD_E_ARGUMENT, "n is");
    FAILS(ccd_mesh_set_excluded(mesh, CCD_VERTEX_FACE, pairs, 2), CCD_E_INDEX, "pairs[1][1] is 2");
    FAILS(ccd_mesh_set_excluded(mesh, 0, pairs, 2), CCD_E_ARGUMENT, "kind is 0");
    FAILS(ccd_mesh_set_excluded(mesh, 6, pairs, 2), CCD_E_ARGUMENT, "kind is 6");
    FAILS(ccd_mesh_set_excluded(mesh, CCD_EDGE_EDGE, NULL, 2), CCD_E_ARGUMENT, "pairs is NULL");
    OK(ccd_mesh_destroy(mesh));
}

/* Each of the calls that take two frames, behind one signature. */
static ccd_status earliest(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    ccd_impact out;
    memset(&out, 0xff, sizeof out);
    ccd_status status = ccd_step_earliest(m, x0, x1, n, o, &out);
    if (status != CCD_OK) {
        blank(&out, 0, -1);
    }
    return status;
}

static ccd_status collisions(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    ccd_impacts *out = (ccd_impacts *)m;
    ccd_status status = ccd_step_collisions(m, x0, x1, n, o, &out);
    CHECK((status == CCD_OK) == (out != NULL));
    if (out != NULL) {
        OK(ccd_impacts_destroy(out));
    }
    return status;
}

static ccd_status size(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    double alpha = 7;
    ccd_status status = ccd_step_size(m, x0, x1, n, o, &alpha);
    CHECK(status == CCD_OK || alpha == 0);
    return status;
}

static ccd_status advance(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    double alpha = 7, x[3 * TRI_VERTICES] = {7};
    ccd_status status = ccd_step_advance(m, x0, x1, n, 1, o, &alpha, x);
    CHECK(status == CCD_OK || alpha == 0);
    CHECK(status == CCD_OK || x[0] == 7 || memcmp(x, x0, sizeof x) == 0);
    CHECK((status != CCD_E_NONFINITE && o == NULL) || status == CCD_OK || memcmp(x, x0, sizeof x) == 0);
    return status;
}

static ccd_status pairs(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    const int64_t pair[2] = {3, 0};
    ccd_impact out;
    memset(&out, 0xff, sizeof out);
    ccd_status status = step_pairs(m, x0, x1, n, CCD_VERTEX_FACE, pair, 1, o, &out);
    if (status != CCD_OK) {
        blank(&out, CCD_VERTEX_FACE, 0);
    }
    return status;
}

static ccd_status candidates(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    ccd_candidates *out = (ccd_candidates *)m;
    ccd_status status = ccd_broad_candidates(m, x0, x1, n, o, &out);
    CHECK((status == CCD_OK) == (out != NULL));
    if (out != NULL) {
        OK(ccd_candidates_destroy(out));
    }
    return status;
}

/* The same with a region that owns all pairs. */
static ccd_status region_size(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    const ccd_region everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    ccd_options with;
    ccd_options_init(&with, sizeof with);
    if (o != NULL) {
        with = *o;
    }
    with.region = &everything;
    double alpha = 7;
    ccd_status status = ccd_step_size(m, x0, x1, n, &with, &alpha);
    CHECK(status == CCD_OK || alpha == 0);
    return status;
}

static ccd_status activeset(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    ccd_constraints *out = (ccd_constraints *)m;
    ccd_status status = step_activeset(m, x0, x1, n, o, &out);
    CHECK((status == CCD_OK) == (out != NULL));
    if (out != NULL) {
        OK(ccd_constraints_destroy(out));
    }
    return status;
}

static ccd_status sizes(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    double alphas[TRI_VERTICES], y[3 * TRI_VERTICES];
    ccd_sizes_report out = {7, 7, 7, 7};
    ccd_status status = step_sizes(m, x0, x1, n, NULL, 0.9, 0.5, 64, o, alphas, y, &out);
    CHECK(status == CCD_OK || (out.used == 0 && out.floor == 0 && out.resting == 0 && out.passes == 0));
    return status;
}

/* After an error nothing is known of a gradient. */
static int unknown(const ccd_gradient *g) {
    int yes = g->state == CCD_GRADIENT_UNDETERMINED && g->vertices[0] == -1 && g->toi != g->toi;
    for (int k = 0; k < 12; k++) {
        yes = yes && g->x0[k] != g->x0[k] && g->x1[k] != g->x1[k];
    }
    return yes;
}

static ccd_status gradients(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    const ccd_impact given = {.kind = CCD_VERTEX_FACE, .a = 3, .b = 0};
    ccd_gradient out;
    memset(&out, 0, sizeof out);
    ccd_status status = step_gradients(m, x0, x1, n, &given, 1, o, &out);
    CHECK(status == CCD_OK || unknown(&out));
    return status;
}

static ccd_status advance_batch(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    double alpha = 7, x[3 * TRI_VERTICES] = {7};
    ccd_impact out;
    ccd_status status = ccd_step_advance_batch(m, x0, x1, n, 1, 1, o, &alpha, x, &out);
    CHECK(status == CCD_OK || (alpha == 0 && out.verdict == CCD_UNDECIDED && out.toi_lo == 0));
    CHECK(status == CCD_OK || x[0] == 7 || memcmp(x, x0, sizeof x) == 0);
    return status;
}

/* A response needs a positive separation. */
static ccd_status respond(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    ccd_options with;
    ccd_options_init(&with, sizeof with);
    if (o != NULL) {
        with = *o;
    }
    with.min_separation = with.min_separation == 0 ? 0.5 : with.min_separation;
    double x[3 * TRI_VERTICES] = {7};
    ccd_response out = {7, 7, 7, {.alpha = 7}};
    ccd_status status = ccd_step_respond(m, x0, x1, n, NULL, 0, 0.25, 4, &with, x, &out);
    CHECK(status == CCD_OK || (out.alpha == 0 && out.contacts == 0 && out.rounds == 0 && out.why.alpha == 0 &&
                               out.why.impact.verdict == CCD_UNDECIDED && out.why.others[4].a == -1));
    CHECK(status == CCD_OK || x[0] == 7 || memcmp(x, x0, sizeof x) == 0);
    return status;
}

/* A line search needs a positive separation. */
static ccd_status linesearch(ccd_mesh *m, const double *x0, const double *x1, size_t n, const ccd_options *o) {
    ccd_options with;
    ccd_options_init(&with, sizeof with);
    if (o != NULL) {
        with = *o;
    }
    with.min_separation = with.min_separation == 0 ? 0.5 : with.min_separation;
    ccd_linesearch_bound out = {7, 7, 7};
    ccd_status status = step_linesearch(m, x0, x1, n, 0.5, &with, &out);
    CHECK(status == CCD_OK || (out.alpha == 0 && out.distance == 0 && out.separation == 0));
    return status;
}

typedef ccd_status (*framed)(ccd_mesh *, const double *, const double *, size_t, const ccd_options *);
static const framed calls[] = {earliest,   collisions, size,  pairs,     candidates,    region_size, activeset,
                               linesearch, advance,    sizes, gradients, advance_batch, respond};
enum { CALLS = sizeof calls / sizeof *calls };

static void frames(framed call) {
    ccd_mesh *mesh = triangles();
    double x[3 * TRI_VERTICES];
    OK(call(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL));
    for (int w = 0; w < WRONG; w++) {
        memcpy(x, tri_x0, sizeof x);
        x[3 * 4 + 1] = wrong[w];
        FAILS(call(mesh, x, tri_x1, TRI_VERTICES, NULL), CCD_E_NONFINITE, "x0[4][1]");
        FAILS(call(mesh, tri_x0, x, TRI_VERTICES, NULL), CCD_E_NONFINITE, "x1[4][1]");
    }
    FAILS(call(mesh, tri_x0, tri_x1, TRI_VERTICES - 1, NULL), CCD_E_ARGUMENT, "n is 5: ");
    FAILS(call(mesh, tri_x0, tri_x1, SIZE_MAX / 192 + 1, NULL), CCD_E_ARGUMENT, "n is");
    FAILS(call(mesh, NULL, tri_x1, TRI_VERTICES, NULL), CCD_E_ARGUMENT, "x0 is NULL");
    FAILS(call(mesh, tri_x0, NULL, TRI_VERTICES, NULL), CCD_E_ARGUMENT, "x1 is NULL");

    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.tolerance = -1;
    FAILS(call(mesh, tri_x0, tri_x1, TRI_VERTICES, &o), CCD_E_ARGUMENT, "options.tolerance");
    ccd_options_init(&o, sizeof o);
    o.min_separation = -1;
    FAILS(call(mesh, tri_x0, tri_x1, TRI_VERTICES, &o), CCD_E_ARGUMENT, "options.min_separation");
    ccd_options_init(&o, sizeof o);
    o.t_max = 1.5;
    FAILS(call(mesh, tri_x0, tri_x1, TRI_VERTICES, &o), CCD_E_ARGUMENT, "options.t_max");

    OK(ccd_mesh_destroy(mesh));
    FAILS(call(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL), CCD_E_HANDLE, "mesh was destroyed");
    FAILS(call(NULL, tri_x0, tri_x1, TRI_VERTICES, NULL), CCD_E_HANDLE, "mesh is NULL");
}

static void alphas_of_vertices(ccd_mesh *mesh) {
    const size_t n = TRI_VERTICES;
    const double shares[] = {0, -1, 1, NAN, INFINITY}, ratios[] = {-1, nextafter(1, 2), NAN};
    double alphas[TRI_VERTICES], y[6 * TRI_VERTICES] = {7};
    int32_t groups[TRI_VERTICES] = {0, 0, 0, -1, TRI_VERTICES, 0};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        y[0] = alphas[0] = 7;
        FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, shares[i], 0.5, 64, NULL, alphas, y, NULL), CCD_E_ARGUMENT,
              "share is");
        CHECK(alphas[0] == 0 && memcmp(y, tri_x0, sizeof tri_x0) == 0);
    }
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, ratios[i], 64, NULL, alphas, y, NULL), CCD_E_ARGUMENT,
              "keep_ratio is");
    }
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, 0, NULL, alphas, y, NULL), CCD_E_ARGUMENT, "max_passes is 0");
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, INT64_MIN, NULL, alphas, y, NULL), CCD_E_ARGUMENT,
          "max_passes is -");
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, groups, 0.9, 0.5, 64, NULL, alphas, y, NULL), CCD_E_INDEX, "groups[4] is 6");
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, 64, NULL, NULL, y, NULL), CCD_E_ARGUMENT, "alphas is NULL");
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, 64, NULL, alphas, NULL, NULL), CCD_E_ARGUMENT, "y is NULL");
    y[0] = 7;
    FAILS(step_sizes(mesh, y + 3, tri_x1, n, NULL, 0.9, 0.5, 64, NULL, alphas, y, NULL), CCD_E_ARGUMENT, "y overlaps x0");
    CHECK(y[0] == 7);
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, 64, NULL, y + 17, y, NULL), CCD_E_ARGUMENT,
          "alphas overlaps y");
    FAILS(step_sizes(mesh, y, tri_x1, n, NULL, 0.9, 0.5, 64, NULL, y + 2, y, NULL), CCD_E_ARGUMENT, "alphas overlaps x0");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, 64, &o, alphas, y, NULL), CCD_E_UNSUPPORTED,
          "options.method is 1");
    ccd_options_init(&o, sizeof o);
    o.t_max = 0.5;
    FAILS(step_sizes(mesh, tri_x0, tri_x1, n, NULL, 0.9, 0.5, 64, &o, alphas, y, NULL), CCD_E_UNSUPPORTED,
          "options.t_max is 0.5");
}

static void derivatives(ccd_mesh *mesh) {
    const size_t n = TRI_VERTICES;
    ccd_impact given[2] = {{.kind = CCD_VERTEX_FACE, .a = 3}, {.kind = CCD_VERTEX_FACE, .a = 6}};
    ccd_gradient out[2];
    memset(out, 0, sizeof out);
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, given, 2, NULL, out), CCD_E_INDEX, "impacts[1].a is 6: out of range");
    CHECK(unknown(out) && unknown(out + 1));
    given[1] = (ccd_impact){.kind = CCD_EDGE_EDGE, .b = -2};
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, given, 2, NULL, out), CCD_E_INDEX, "impacts[1].b is -2");
    given[1] = (ccd_impact){.kind = 9};
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, given, 2, NULL, out), CCD_E_ARGUMENT, "impacts[1].kind is 9");
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, NULL, 2, NULL, out), CCD_E_ARGUMENT, "impacts is NULL");
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, given, 2, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, given, SIZE_MAX / 288 + 1, NULL, out), CCD_E_ARGUMENT, "count is");
    double q[48] = {0};
    memset(out, 0, sizeof out);
    q[24 + 7] = NAN;
    FAILS(ccd_pairs_gradients(CCD_VERTEX_FACE, q, 2, NULL, out), CCD_E_NONFINITE, "query 1: q[7]");
    CHECK(unknown(out) && unknown(out + 1));
    FAILS(ccd_pairs_gradients(CCD_EDGE_FACE, q, 1, NULL, out), CCD_E_ARGUMENT, "kind is 5");
    FAILS(ccd_pairs_gradients(CCD_VERTEX_FACE, NULL, 1, NULL, out), CCD_E_ARGUMENT, "q is NULL");
    FAILS(ccd_pairs_gradients(CCD_VERTEX_FACE, q, 1, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_APART_AT_TOI;
    FAILS(ccd_pairs_gradients(CCD_VERTEX_FACE, falling, 1, &o, out), CCD_E_UNSUPPORTED, "CCD_APART_AT_TOI");
    FAILS(step_gradients(mesh, tri_x0, tri_x1, n, given, 1, &o, out), CCD_E_UNSUPPORTED,
          "options.flags has CCD_APART_AT_TOI");
}

static void step_arguments(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact out[2];
    const int64_t beyond[4] = {3, 0, 6, 0}, negative[2] = {0, -1};
    const size_t n = TRI_VERTICES;
    FAILS(ccd_step_earliest(mesh, tri_x0, tri_x1, n, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_step_collisions(mesh, tri_x0, tri_x1, n, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_step_size(mesh, tri_x0, tri_x1, n, NULL, NULL), CCD_E_ARGUMENT, "alpha is NULL");
    double alpha, x[6 * TRI_VERTICES] = {7};
    const double shares[] = {0, -1, nextafter(1, 2), NAN, INFINITY};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        x[0] = 7;
        FAILS(ccd_step_advance(mesh, tri_x0, tri_x1, n, shares[i], NULL, &alpha, x), CCD_E_ARGUMENT, "share is");
        CHECK(alpha == 0 && memcmp(x, tri_x0, sizeof tri_x0) == 0);
    }
    FAILS(ccd_step_advance(mesh, tri_x0, tri_x1, n, 1, NULL, NULL, x), CCD_E_ARGUMENT, "alpha is NULL");
    FAILS(ccd_step_advance(mesh, tri_x0, tri_x1, n, 1, NULL, &alpha, NULL), CCD_E_ARGUMENT, "x is NULL");
    x[0] = 7;
    FAILS(ccd_step_advance(mesh, x + 3, tri_x1, n, 1, NULL, &alpha, x), CCD_E_ARGUMENT, "x overlaps x0");
    CHECK(alpha == 0 && x[0] == 7);
    FAILS(ccd_step_advance(mesh, tri_x0, x + 3, n, 1, NULL, &alpha, x), CCD_E_ARGUMENT, "x overlaps x1");
    CHECK(alpha == 0 && memcmp(x, tri_x0, sizeof tri_x0) == 0);
    alphas_of_vertices(mesh);
    derivatives(mesh);
    FAILS(ccd_broad_candidates(mesh, tri_x0, tri_x1, n, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(step_pairs(mesh, tri_x0, tri_x1, n, CCD_VERTEX_FACE, beyond, 2, NULL, out), CCD_E_INDEX, "pairs[1][0] is 6");
    FAILS(step_pairs(mesh, tri_x0, tri_x1, n, CCD_EDGE_EDGE, negative, 1, NULL, out), CCD_E_INDEX, "pairs[0][1] is -1");
    FAILS(step_pairs(mesh, tri_x0, tri_x1, n, 9, beyond, 2, NULL, out), CCD_E_ARGUMENT, "kind is 9");
    FAILS(step_pairs(mesh, tri_x0, tri_x1, n, CCD_EDGE_EDGE, NULL, 2, NULL, out), CCD_E_ARGUMENT, "pairs is NULL");
    FAILS(step_pairs(mesh, tri_x0, tri_x1, n, CCD_EDGE_EDGE, beyond, 1, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(step_pairs(mesh, tri_x0, tri_x1, n, CCD_EDGE_EDGE, beyond, SIZE_MAX / 16 + 1, NULL, out), CCD_E_ARGUMENT,
          "count is");
    OK(step_pairs(mesh, tri_x0, tri_x1, n, CCD_EDGE_EDGE, NULL, 0, NULL, NULL));
    OK(ccd_mesh_destroy(mesh));
}

static ccd_status counts(ccd_mesh *mesh) {
    size_t vertices = 7;
    ccd_status status = ccd_mesh_counts(mesh, &vertices, NULL, NULL);
    CHECK(status == CCD_OK || vertices == 0);
    return status;
}

/* A handle is NULL, destroyed, of another type, or any word at all. */
static void handles(void) {
    ccd_mesh *mesh = triangles();
    ccd_candidates *c = NULL;
    int local;
    OK(ccd_broad_candidates(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, &c));
    FAILS(ccd_mesh_destroy(NULL), CCD_E_HANDLE, "mesh is NULL");
    FAILS(ccd_candidates_destroy(NULL), CCD_E_HANDLE, "candidates is NULL");
    FAILS(ccd_impacts_destroy(NULL), CCD_E_HANDLE, "impacts is NULL");
    FAILS(ccd_surface_file_destroy(NULL), CCD_E_HANDLE, "file is NULL");
    FAILS(ccd_mesh_destroy((ccd_mesh *)c), CCD_E_HANDLE, "mesh is a handle of another type: ccd_candidates");
    FAILS(ccd_impacts_destroy((ccd_impacts *)mesh), CCD_E_HANDLE, "another type: ccd_mesh");
    FAILS(counts((ccd_mesh *)(void *)&local), CCD_E_HANDLE, "no handle of this library");
    for (uintptr_t word = 1; word != 0; word <<= 1) {
        FAILS(counts((ccd_mesh *)word), CCD_E_HANDLE, "mesh is ");
        FAILS(counts((ccd_mesh *)(UINTPTR_MAX - word)), CCD_E_HANDLE, "mesh is ");
    }
    OK(ccd_mesh_destroy(mesh));
    FAILS(ccd_mesh_destroy(mesh), CCD_E_HANDLE, "mesh was destroyed");
    OK(ccd_candidates_destroy(c));
    FAILS(ccd_candidates_destroy(c), CCD_E_HANDLE, "candidates was destroyed");
    size_t count = 7;
    FAILS(ccd_candidates_count(c, &count, NULL), CCD_E_HANDLE, "candidates was destroyed");
    CHECK(count == 0);

    /* A stale handle is never that of a younger object, however many there are. */
    for (int i = 0; i < 1000; i++) {
        ccd_mesh *younger = triangles();
        CHECK(younger != mesh);
        FAILS(counts(mesh), CCD_E_HANDLE, "mesh was destroyed");
        OK(ccd_mesh_destroy(younger));
    }
}

static void write_file(const char *path, const void *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    CHECK(f != NULL && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static void files(void) {
    ccd_surface_file *file = NULL;
    FAILS(ccd_surface_file_read(NULL, &file), CCD_E_ARGUMENT, "path is NULL");
    FAILS(ccd_surface_file_read("/nowhere/at.all", &file), CCD_E_FILE, "/nowhere/at.all");
    FAILS(ccd_surface_file_read("/nowhere/at.all", NULL), CCD_E_ARGUMENT, "out is NULL");

    static const char ply[] = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                              "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    char bytes[sizeof ply - 1 + 36 + 13];
    const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int32_t face[3] = {0, 1, 2};
    memcpy(bytes, ply, sizeof ply - 1);
    memcpy(bytes + sizeof ply - 1, xyz, 36);
    bytes[sizeof ply - 1 + 36] = 3;
    memcpy(bytes + sizeof ply - 1 + 37, face, 12);
    for (size_t n = 0; n < sizeof bytes; n++) { /* cut short at every byte */
        file = (ccd_surface_file *)(void *)bytes;
        write_file("badinput.ply", bytes, n);
        FAILS(ccd_surface_file_read("badinput.ply", &file), CCD_E_FILE, "badinput.ply");
        CHECK(file == NULL);
    }
    size_t vertices, edges, faces;
    write_file("badinput.ply", bytes, sizeof bytes);
    OK(ccd_surface_file_read("badinput.ply", &file));
    OK(ccd_surface_file_counts(file, &vertices, &edges, &faces));
    CHECK(vertices == 3 && edges == 0 && faces == 1);
    double x[9];
    int32_t f[3];
    OK(ccd_surface_file_copy(file, x, NULL, f));
    CHECK(x[3] == 1 && x[7] == 1 && memcmp(f, face, sizeof f) == 0);
    OK(ccd_surface_file_destroy(file));
    FAILS(ccd_surface_file_copy(file, x, NULL, f), CCD_E_HANDLE, "file was destroyed");

    char text[8];
    size_t length = 0, count = 0, left, fields, notes;
    const int32_t again[9] = {0, 1, 2, 1, 2, 0, 1, 1, 2}, beyond[3] = {0, 1, 3};
    OK(ccd_surface_file_clean(x, 3, NULL, 0, again, 3, &file));
    OK(ccd_surface_file_remarks(file, &left, &fields, &notes));
    CHECK(left == 2 && fields == 0 && notes == 0);
    OK(ccd_surface_file_left_out(file, 0, text, sizeof text, &length, &count));
    CHECK(strcmp(text, "faces t") == 0 && length == strlen("faces that repeat a vertex") && count == 1);
    FAILS(ccd_surface_file_left_out(file, 2, text, sizeof text, &length, &count), CCD_E_INDEX, "index is 2: there are 2");
    FAILS(ccd_surface_file_left_out(file, 0, NULL, 1, &length, &count), CCD_E_ARGUMENT, "text is NULL");
    FAILS(ccd_surface_file_note(file, 0, text, sizeof text, &length), CCD_E_INDEX, "index is 0: there are 0");
    FAILS(ccd_surface_file_field(file, 0, text, sizeof text, &length, &count), CCD_E_INDEX, "index is 0: there are 0");
    FAILS(ccd_surface_file_field_values(file, 0, x), CCD_E_INDEX, "index is 0: there are 0");
    OK(ccd_surface_file_unused(file, NULL, 0, &count));
    CHECK(count == 0);
    double deviation = 1;
    OK(ccd_surface_file_deviation(file, &deviation));
    CHECK(deviation == 0);
    FAILS(ccd_surface_file_deviation(file, NULL), CCD_E_ARGUMENT, "deviation is NULL");
    OK(ccd_surface_file_destroy(file));
    FAILS(ccd_surface_file_clean(x, 3, NULL, 0, beyond, 1, &file), CCD_E_INDEX, "faces[0][2] is 3");
    FAILS(ccd_surface_file_clean(NULL, 3, NULL, 0, beyond, 1, &file), CCD_E_ARGUMENT, "x is NULL");
    int32_t places[3];
    x[4] = NAN;
    FAILS(ccd_points_weld(x, 3, 0, places, &count), CCD_E_NONFINITE, "x[1][1] is NaN");
    FAILS(ccd_points_weld(x, 1, 0, places, NULL), CCD_E_ARGUMENT, "count is NULL");
    FAILS(ccd_points_weld(x, 1, -1, places, &count), CCD_E_ARGUMENT, "bits is -1");
    const double arrow[12] = {0, 0, 0, 2, -1, 0, 1, 0, 0, 2, 1, 0}; /* concave at (1, 0, 0) */
    const int32_t corners[4] = {0, 1, 2, 3}, four = 4, two = 2, five = 5, three = 3;
    int32_t triangles[6];
    OK(ccd_polygons_cut(arrow, 4, corners, 4, &four, 1, triangles, &count));
    CHECK(count == 0 && triangles[0] != triangles[3]);
    OK(ccd_polygons_cut(arrow, 4, corners, 4, &four, 1, triangles, NULL));
    OK(ccd_polygons_cut(NULL, 0, NULL, 0, NULL, 0, NULL, &count));
    FAILS(ccd_polygons_cut(arrow, 4, corners, 4, &two, 1, triangles, &count), CCD_E_ARGUMENT, "sizes[0] is 2");
    FAILS(ccd_polygons_cut(arrow, 4, corners, 4, &five, 1, triangles, &count), CCD_E_ARGUMENT, "corners has 4 items");
    FAILS(ccd_polygons_cut(arrow, 4, corners, 4, &three, 1, triangles, &count), CCD_E_ARGUMENT, "sizes wants 3");
    FAILS(ccd_polygons_cut(arrow, 3, corners, 4, &four, 1, triangles, &count), CCD_E_INDEX, "corners[3] is 3");
    FAILS(ccd_polygons_cut(x, 3, corners, 3, &three, 1, triangles, &count), CCD_E_NONFINITE, "x[1][1] is NaN");
    FAILS(ccd_polygons_cut(arrow, 4, NULL, 4, &four, 1, triangles, &count), CCD_E_ARGUMENT, "corners is NULL");
    FAILS(ccd_polygons_cut(arrow, 4, corners, 4, &four, 1, NULL, &count), CCD_E_ARGUMENT, "triangles is NULL");
    const uint8_t marks[4] = {0, 0, 0, 1};
    ccd_mesh *mesh = NULL;
    OK(ccd_mesh_create_ignoring(4, NULL, 0, face, 1, marks, 4, &mesh));
    OK(ccd_mesh_destroy(mesh));
    FAILS(ccd_mesh_create_ignoring(4, NULL, 0, face, 1, marks, 3, &mesh), CCD_E_ARGUMENT, "ignored has 3 values");
    FAILS(ccd_mesh_create_ignoring(4, NULL, 0, face, 1, NULL, 4, &mesh), CCD_E_ARGUMENT, "ignored is NULL");
    remove("badinput.ply");
}

int main(void) {
    pair_coordinates();
    pair_pointers();
    batches();
    topology();
    nothing();
    filters();
    for (int i = 0; i < CALLS; i++) {
        frames(calls[i]);
    }
    step_arguments();
    handles();
    files();
    return done();
}
