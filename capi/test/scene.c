/* scene.c - scenes that live over many steps, each call against the step of a mesh whose other vertices are static. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = TRI_VERTICES, MOST = 64 };
static const int32_t falling_ones[3] = {3, 4, 5};
static const int32_t everything[N] = {0, 1, 2, 3, 4, 5};

/* x0 + alpha * (x1 - x0) of the falling triangle. */
static const double *at(double alpha) {
    static double x[9];
    for (int i = 0; i < 9; i++) {
        x[i] = tri_x0[9 + i] + alpha * (tri_x1[9 + i] - tri_x0[9 + i]);
    }
    return x;
}

static ccd_scene *scene_of(ccd_mesh *mesh) {
    ccd_scene *scene = NULL;
    OK(ccd_scene_create(mesh, tri_x0, N, &scene));
    return scene;
}

static void has_state(ccd_scene *scene, size_t known, size_t crossings) {
    size_t k = 7, c = 7;
    OK(ccd_scene_state(scene, &k, &c));
    CHECK(k == known && c == crossings);
    OK(ccd_scene_state(scene, NULL, NULL));
}

static void same_bits(void) {
    ccd_mesh *mesh = triangles(), *frozen = triangles();
    ccd_scene *scene = scene_of(mesh);
    const uint8_t still[N] = {1, 1, 1, 0, 0, 0};
    OK(ccd_mesh_set_static(frozen, still, N));
    OK(ccd_mesh_destroy(mesh)); /* the scene holds it */
    ccd_impact a, b, all[MOST], some[MOST];
    ccd_impacts *list = NULL;
    size_t n = 0, m = 0;
    double alpha = 0, size = 0, x[3 * N], y[9], alphas[N], more[3];
    ccd_sizes_report report, own;
    OK(ccd_step_earliest(frozen, tri_x0, tri_x1, N, NULL, &a));
    OK(scene_earliest(scene, falling_ones, at(1), 3, NULL, &b));
    CHECK(memcmp(&a, &b, sizeof a) == 0 && b.verdict == CCD_CONTACT && b.toi_lo == 0.5);
    OK(scene_earliest(scene, NULL, tri_x1, N, NULL, &b));
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    OK(scene_earliest(scene, NULL, NULL, 0, NULL, &b)); /* nothing moves */
    CHECK(b.verdict == CCD_SEPARATE);
    OK(ccd_step_collisions(frozen, tri_x0, tri_x1, N, NULL, &list));
    OK(ccd_impacts_copy(list, all, MOST, &n));
    OK(ccd_impacts_destroy(list));
    OK(scene_collisions(scene, falling_ones, at(1), 3, NULL, &list));
    OK(ccd_impacts_copy(list, some, MOST, &m));
    OK(ccd_impacts_destroy(list));
    CHECK(n > 0 && n == m && memcmp(all, some, n * sizeof *all) == 0);
    OK(ccd_step_size(frozen, tri_x0, tri_x1, N, NULL, &size));
    OK(scene_size(scene, falling_ones, at(1), 3, NULL, &alpha));
    CHECK(size == alpha && size > 0.4);
    OK(ccd_step_advance(frozen, tri_x0, tri_x1, N, 0.9, NULL, &size, x));
    OK(scene_advance(scene, falling_ones, at(1), 3, 0.9, NULL, &alpha, y));
    CHECK(size == alpha && memcmp(x + 9, y, sizeof y) == 0);
    OK(step_sizes(frozen, tri_x0, tri_x1, N, NULL, 0.9, 0.5, 64, NULL, alphas, x, &report));
    memcpy(y, at(1), sizeof y);
    OK(scene_sizes(scene, falling_ones, y, 3, NULL, 0.9, 0.5, 64, NULL, more, y, &own));
    CHECK(memcmp(x + 9, y, sizeof y) == 0 && memcmp(alphas + 3, more, sizeof more) == 0 &&
          memcmp(&report, &own, sizeof own) == 0);
    OK(ccd_mesh_destroy(frozen));
    OK(ccd_scene_destroy(scene));
    FAILS(ccd_scene_destroy(scene), CCD_E_HANDLE, "scene was destroyed");
}

static void commits_and_state(void) {
    ccd_mesh *mesh = triangles();
    ccd_scene *scene = scene_of(mesh);
    ccd_impact out;
    double alpha, x[3 * N], y[9];
    has_state(scene, 0, 0);
    FAILS(ccd_scene_commit_proven(scene), CCD_E_ARGUMENT, "no proven motion");
    OK(ccd_scene_check(scene, NULL));
    has_state(scene, N, 0);
    OK(scene_earliest(scene, falling_ones, at(0.25), 3, NULL, &out));
    CHECK(out.verdict == CCD_SEPARATE);
    OK(ccd_scene_commit_proven(scene));
    has_state(scene, N, 0);
    OK(ccd_scene_positions(scene, x, N));
    CHECK(memcmp(x, tri_x0, 9 * sizeof *x) == 0 && memcmp(x + 9, at(0.25), sizeof y) == 0);
    OK(scene_advance(scene, falling_ones, at(1), 3, 0.9, NULL, &alpha, y));
    CHECK(alpha > 0 && alpha < 1);
    OK(ccd_scene_commit(scene, falling_ones, y, 3));
    has_state(scene, N, 0);
    FAILS(ccd_scene_commit_proven(scene), CCD_E_ARGUMENT, "no proven motion");
    OK(scene_earliest(scene, falling_ones, at(1), 3, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT);
    FAILS(ccd_scene_commit_proven(scene), CCD_E_ARGUMENT, "no proven motion");

    /* Stood upright through the fixed triangle: not proven. Its edges cross the face. */
    const double through[9] = {0.25, 0.25, -1, 0.5, 0.25, 1, 0.25, 0.5, 1};
    OK(ccd_scene_commit(scene, falling_ones, through, 3));
    has_state(scene, 3, 0);
    OK(ccd_scene_check(scene, NULL));
    has_state(scene, N, 2);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.flags = CCD_CHECK_START;
    OK(scene_earliest(scene, falling_ones, through, 3, &o, &out));
    CHECK(out.kind == CCD_EDGE_FACE && out.toi_lo == 0);
    OK(ccd_scene_reset(scene, tri_x0, N));
    has_state(scene, 0, 0);
    OK(ccd_scene_destroy(scene));
    OK(ccd_mesh_destroy(mesh));
}

static void refuses(void) {
    ccd_mesh *mesh = triangles();
    ccd_scene *scene = scene_of(mesh), *none = scene;
    ccd_impact out;
    ccd_options o;
    double alpha = 7, y[9], alphas[3] = {7, 7, 7}, bad[9];
    const int32_t twice[3] = {3, 3, 4}, back[3] = {3, 5, 4}, beyond[3] = {3, 4, 6}, negative[3] = {-1, 4, 5};
    memcpy(bad, at(1), sizeof bad);
    FAILS(ccd_scene_create(mesh, tri_x0, 5, &none), CCD_E_ARGUMENT, "n is 5");
    CHECK(none == NULL);
    FAILS(ccd_scene_create(mesh, NULL, N, &none), CCD_E_ARGUMENT, "x0 is NULL");
    FAILS(ccd_scene_create(mesh, tri_x0, N, NULL), CCD_E_ARGUMENT, "out is NULL");
    FAILS(ccd_scene_create(NULL, tri_x0, N, &none), CCD_E_HANDLE, "mesh is NULL");
    FAILS(scene_earliest(scene, twice, bad, 3, NULL, &out), CCD_E_INDEX, "moved[1] is 3, as is moved[0]");
    FAILS(scene_earliest(scene, back, bad, 3, NULL, &out), CCD_E_INDEX, "moved[2] is 4, after 5");
    FAILS(ccd_scene_commit(scene, beyond, bad, 3), CCD_E_INDEX, "moved[2] is 6");
    FAILS(scene_advance(scene, negative, bad, 3, 1, NULL, &alpha, y), CCD_E_INDEX, "moved[0] is -1");
    CHECK(alpha == 0);
    FAILS(scene_earliest(scene, NULL, bad, 3, NULL, &out), CCD_E_ARGUMENT,
          "moved is NULL, for all vertices, but count is 3");
    FAILS(scene_earliest(scene, falling_ones, NULL, 3, NULL, &out), CCD_E_ARGUMENT, "x1 is NULL");
    FAILS(scene_earliest(scene, falling_ones, bad, 3, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");
    bad[4] = NAN;
    FAILS(scene_earliest(scene, falling_ones, bad, 3, NULL, &out), CCD_E_NONFINITE, "x1[1][1] is NaN");
    FAILS(ccd_scene_commit(scene, falling_ones, bad, 3), CCD_E_NONFINITE, "x[1][1] is NaN");
    FAILS(scene_sizes(scene, falling_ones, bad, 3, NULL, 0.9, 0.5, 64, NULL, alphas, y, NULL), CCD_E_NONFINITE, "x1[1][1]");
    CHECK(alphas[0] == 0 && memcmp(y, tri_x0 + 9, sizeof y) == 0);
    FAILS(ccd_scene_reset(scene, bad, 3), CCD_E_ARGUMENT, "n is 3");
    memcpy(bad, at(1), sizeof bad);
    const int32_t groups[3] = {0, N, -1};
    FAILS(scene_sizes(scene, falling_ones, bad, 3, groups, 0.9, 0.5, 64, NULL, alphas, y, NULL), CCD_E_INDEX,
          "groups[1] is 6");
    FAILS(scene_sizes(scene, falling_ones, bad, 3, NULL, 2, 0.5, 64, NULL, alphas, y, NULL), CCD_E_ARGUMENT, "share is 2");
    FAILS(scene_sizes(scene, falling_ones, bad, 3, NULL, 0.9, 0.5, 64, NULL, bad + 6, y, NULL), CCD_E_ARGUMENT,
          "alphas overlaps x1");
    ccd_options_init(&o, sizeof o);
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    FAILS(scene_earliest(scene, falling_ones, bad, 3, &o, &out), CCD_E_UNSUPPORTED, "CCD_METHOD_TIGHT_INCLUSION");
    ccd_options_init(&o, sizeof o);
    o.scene_bound[1] = 10;
    FAILS(scene_earliest(scene, falling_ones, bad, 3, &o, &out), CCD_E_UNSUPPORTED, "scene_bound");
    const ccd_device_array there = {.data = bad};
    ccd_options_init(&o, sizeof o);
    o.device_x1 = &there;
    FAILS(scene_earliest(scene, falling_ones, bad, 3, &o, &out), CCD_E_UNSUPPORTED, "options.device_x1 is not NULL");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);

    const uint8_t still[N] = {1, 1, 1, 0, 0, 0};
    OK(ccd_mesh_set_static(mesh, still, N));
    FAILS(scene_earliest(scene, falling_ones, bad, 3, NULL, &out), CCD_E_ARGUMENT, "were set after it was created");
    FAILS(ccd_scene_commit(scene, falling_ones, bad, 3), CCD_E_ARGUMENT, "were set after it was created");
    OK(ccd_scene_destroy(scene));
    scene = scene_of(mesh);
    double all[3 * N];
    memcpy(all, tri_x1, sizeof all);
    OK(scene_earliest(scene, everything, all, N, NULL, &out)); /* static ones that stay */
    CHECK(out.toi_lo == 0.5);
    all[3] += 1;
    FAILS(scene_earliest(scene, everything, all, N, NULL, &out), CCD_E_ARGUMENT, "moved[1] = 1, which set_static marks");
    OK(ccd_scene_commit(scene, everything, all, N));
    OK(ccd_scene_destroy(scene));
    OK(ccd_mesh_destroy(mesh));
}

/* Impacts of the scene against those of a mesh of the parts in order; the first has the number first, of triangles. */
static void same_as(ccd_scene *scene, int first, const int32_t *corners, size_t parts, const double *x, const double *to,
                    const int32_t *moved) {
    ccd_mesh *mesh = NULL;
    ccd_impacts *list = NULL;
    ccd_impact want[MOST], got[MOST];
    size_t n = 0, m = 0;
    const size_t vertices = 3 * parts, last = vertices - 3;
    uint8_t still[18];
    memset(still, 1, sizeof still);
    memset(still + last, 0, 3);
    OK(ccd_mesh_create(vertices, NULL, 0, corners, parts, &mesh));
    OK(ccd_mesh_set_static(mesh, still, vertices));
    OK(ccd_step_collisions(mesh, x, to, vertices, NULL, &list));
    OK(ccd_impacts_copy(list, want, MOST, &n));
    OK(ccd_impacts_destroy(list));
    OK(scene_collisions(scene, moved, to + 3 * last, 3, NULL, &list));
    OK(ccd_impacts_copy(list, got, MOST, &m));
    OK(ccd_impacts_destroy(list));
    for (size_t i = 0; i < m && i < MOST; i++) {
        got[i].a -= 3 * first; /* vertices, or edges */
        got[i].b -= got[i].kind == CCD_VERTEX_FACE ? first : 3 * first;
    }
    CHECK(n > 0 && n == m && memcmp(want, got, n * sizeof *want) == 0);
    OK(ccd_mesh_destroy(mesh));
}

static void parts(void) {
    const int32_t corners[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const double low[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    double x[27], to[27];
    ccd_mesh *one = NULL;
    ccd_scene *scene = NULL;
    ccd_scene_part part, list[3];
    size_t v = 9, e = 9, f = 9, n = 9;
    OK(ccd_mesh_create(3, NULL, 0, corners, 1, &one));
    OK(ccd_scene_create(one, low, 3, &scene));
    for (int i = 0; i < 27; i++) {
        x[i] = to[i] = low[i % 9] + (i % 3 == 2 ? i / 9 : 0.01 * (i / 9));
        to[i] -= i >= 18 && i % 3 == 2 ? 3 : 0;
    }
    OK(ccd_scene_check(scene, NULL));
    has_state(scene, 3, 0);
    OK(ccd_scene_add(scene, one, x + 9, 3, &part));
    CHECK(part.id == 1 && part.first_vertex == 3 && part.first_edge == 3 && part.first_face == 1 && part.vertices == 3 &&
          part.edges == 3 && part.faces == 1);
    has_state(scene, 3, 0);
    OK(ccd_scene_add(scene, one, x + 18, 3, NULL));
    same_as(scene, 0, corners, 3, x, to, (const int32_t[3]){6, 7, 8});
    OK(ccd_scene_counts(scene, &v, &e, &f));
    CHECK(v == 9 && e == 9 && f == 3);
    OK(ccd_scene_counts(scene, NULL, NULL, NULL));
    OK(ccd_scene_check(scene, NULL));
    has_state(scene, 9, 0);
    OK(scene_size(scene, (const int32_t[3]){6, 7, 8}, x + 18, 3, NULL, to));
    OK(ccd_scene_remove(scene, 1));
    has_state(scene, 6, 0);
    FAILS(ccd_scene_commit_proven(scene), CCD_E_ARGUMENT, "no proven motion");
    FAILS(ccd_scene_remove(scene, 1), CCD_E_INDEX, "part is 1: the scene has no such part: it was removed");
    FAILS(ccd_scene_commit(scene, (const int32_t[1]){4}, low, 1), CCD_E_INDEX, "moved[0] is 4: the part with this vertex");
    FAILS(ccd_scene_commit(scene, NULL, x, 9), CCD_E_ARGUMENT, "some numbers are free");
    FAILS(ccd_scene_reset(scene, x, 6), CCD_E_ARGUMENT, "n is 6: x has one row per vertex, and the scene has 9");
    OK(ccd_scene_positions(scene, to, 9));
    CHECK(to[9] == 0 && memcmp(to + 18, x + 18, 9 * sizeof *x) == 0);
    OK(ccd_scene_add(scene, one, x + 9, 3, &part)); /* into the gap */
    CHECK(part.id == 3 && part.first_vertex == 3);
    OK(ccd_scene_parts(scene, list, 3, &n));
    CHECK(n == 3 && list[0].id == 0 && list[1].id == 3 && list[2].id == 2 && list[2].first_face == 2);
    FAILS(ccd_scene_parts(scene, list, 2, &n), CCD_E_ARGUMENT, "cap is 2, but there are 3 items");
    FAILS(ccd_scene_add(scene, one, x, 4, &part), CCD_E_ARGUMENT, "n is 4: x has one row per vertex, and the mesh has 3");
    CHECK(part.id == -1 && part.vertices == 0);
    FAILS(ccd_scene_add(scene, one, NULL, 3, NULL), CCD_E_ARGUMENT, "x is NULL");
    FAILS(ccd_scene_add(scene, NULL, x, 3, NULL), CCD_E_HANDLE, "mesh is NULL");
    FAILS(ccd_scene_remove(NULL, 0), CCD_E_HANDLE, "scene is NULL");
    OK(ccd_scene_remove(scene, 0));
    OK(ccd_mesh_destroy(one)); /* the scene holds it */
    memcpy(to, x, sizeof to);
    for (int i = 20; i < 27; i += 3) {
        to[i] -= 3;
    }
    same_as(scene, 1, corners, 2, x + 9, to + 9, (const int32_t[3]){6, 7, 8});
    OK(ccd_scene_destroy(scene));
}

int main(void) {
    parts();
    same_bits();
    commits_and_state();
    refuses();
    return done();
}
