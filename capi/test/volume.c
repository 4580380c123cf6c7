/* volume.c - volumes of elements: topology, edits, steps, and that errors leave safe answers. */
#include "check.h"

enum { N = 5, MOST = 64 };

static const int32_t kinds[2] = {CCD_ELEMENT_TETRAHEDRON, CCD_ELEMENT_TETRAHEDRON};
static const int32_t corners[8] = {0, 1, 2, 3, 0, 1, 2, 4};
static const double x0[3 * N] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 2, 1, 1, -2};

static ccd_volume *two(void) {
    ccd_volume *v = NULL;
    OK(ccd_volume_create(N, kinds, 2, corners, 8, &v));
    return v;
}

static void topology(void) {
    ccd_volume *v = two();
    size_t n[4], count = 0;
    int32_t edges[2 * 9], faces[3 * 7], origins[N];
    OK(ccd_volume_counts(v, &n[0], &n[1], &n[2], &n[3]));
    CHECK(n[0] == 5 && n[1] == 2 && n[2] == 9 && n[3] == 7);
    OK(ccd_volume_edges(v, edges, 9, &count));
    CHECK(count == 9 && edges[0] == 0 && edges[1] == 1);
    OK(ccd_volume_faces(v, faces, 7, &count));
    CHECK(count == 7 && faces[0] == 0 && faces[1] == 1 && faces[2] == 2);
    OK(ccd_volume_origins(v, origins, N, &count));
    CHECK(count == N && origins[4] == 4);
    int32_t types[3], all[16];
    OK(ccd_volume_elements(v, types, 3, &count));
    CHECK(count == 2 && memcmp(types, kinds, sizeof kinds) == 0);
    OK(ccd_volume_corners(v, all, 16, &count));
    CHECK(count == 8 && memcmp(all, corners, sizeof corners) == 0);
    const int32_t shell[3] = {3, 4, 0}, triangle[1] = {CCD_ELEMENT_TRIANGLE}, gone[1] = {0};
    int32_t number = -1;
    OK(ccd_volume_add(v, triangle, 1, shell, 3, &number));
    OK(ccd_volume_remove(v, gone, 1));
    OK(ccd_volume_elements(v, types, 3, &count));
    CHECK(count == 3 && types[0] == 0 && types[1] == CCD_ELEMENT_TETRAHEDRON && types[2] == CCD_ELEMENT_TRIANGLE);
    OK(ccd_volume_corners(v, NULL, 0, &count));
    CHECK(count == 7);
    OK(ccd_volume_corners(v, all, 7, &count));
    CHECK(memcmp(all, corners + 4, 4 * sizeof *all) == 0 && memcmp(all + 4, shell, sizeof shell) == 0);
    FAILS(ccd_volume_corners(v, all, 6, &count), CCD_E_ARGUMENT, "cap is 6, but there are 7 items");
    OK(ccd_volume_destroy(v));
    v = two();
    FAILS(ccd_volume_edges(v, edges, 8, &count), CCD_E_ARGUMENT, "cap is 8, but there are 9 items");
    OK(ccd_volume_destroy(v));
    FAILS(ccd_volume_destroy(v), CCD_E_HANDLE, "volume was destroyed");

    const int32_t twice[4] = {0, 1, 1, 3}, type[1] = {300};
    v = (ccd_volume *)&n;
    FAILS(ccd_volume_create(N, kinds, 1, twice, 4, &v), CCD_E_INDEX, "elements[0], a tetrahedron, repeats vertex 1");
    CHECK(v == NULL);
    FAILS(ccd_volume_create(N, kinds, 2, corners, 7, &v), CCD_E_ARGUMENT, "corners ends within elements[1]");
    FAILS(ccd_volume_create(N, type, 1, corners, 4, &v), CCD_E_ARGUMENT, "kinds[0] is 300");
    FAILS(ccd_volume_create(N, kinds, 1, NULL, 4, &v), CCD_E_ARGUMENT, "corners is NULL");
    FAILS(ccd_volume_create(N, kinds, 2, corners, 8, NULL), CCD_E_ARGUMENT, "out is NULL");
}

/* The upper vertex goes down through the shared side, then past the lower vertex's tetrahedron. */
static void steps(void) {
    ccd_volume *v = two();
    ccd_volume_impact first, list[MOST];
    ccd_volume_impacts *impacts = NULL;
    size_t count = 0;
    double x1[3 * N];
    memcpy(x1, x0, sizeof x1);
    x1[3 * 3 + 2] = -1;
    OK(ccd_volume_earliest(v, x0, x1, N, 0, NULL, &first));
    CHECK(first.impact.verdict == CCD_CONTACT && first.pair_class == CCD_VOLUME_WITHIN_ELEMENT && first.impact.a == 3);
    CHECK(first.vertices[0] == 3 && first.vertices[3] == 2 && first.elements[0] == 0 && first.elements[1] == 0);
    OK(ccd_volume_collisions(v, x0, x1, N, 0, NULL, &impacts));
    OK(ccd_volume_impacts_count(impacts, &count));
    CHECK(count == 1);
    OK(ccd_volume_impacts_copy(impacts, list, MOST, &count));
    CHECK(count == 1 && memcmp(&list[0], &first, sizeof first) == 0);
    OK(ccd_volume_impacts_destroy(impacts));
    const ccd_method methods[5] = {CCD_METHOD_DEFAULT, CCD_METHOD_TIGHT_INCLUSION, CCD_METHOD_TIME_CONTRACTED,
                                   CCD_METHOD_EXACT, CCD_METHOD_VOLCCD};
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    for (int i = 0; i < 5; i++) {
        o.method = methods[i];
        OK(ccd_volume_earliest(v, x0, x1, N, 0, &o, &first));
        CHECK(first.impact.verdict == CCD_CONTACT && first.impact.a == 3);
        if (o.method != CCD_METHOD_TIGHT_INCLUSION && o.method != CCD_METHOD_TIME_CONTRACTED) {
            CHECK(memcmp(&list[0], &first, sizeof first) == 0);
        }
    }
    OK(ccd_volume_earliest(v, x0, x1, N, CCD_VOLUME_BETWEEN_OBJECTS, NULL, &first));
    CHECK(first.impact.verdict == CCD_SEPARATE && first.pair_class == 0);

    memset(&first, 0xff, sizeof first);
    FAILS(ccd_volume_earliest(v, x0, x1, N, 4096, NULL, &first), CCD_E_ARGUMENT, "selection is 0x1000");
    CHECK(first.impact.verdict == CCD_UNDECIDED && first.impact.toi_lo == 0 && first.vertices[0] == -1);
    FAILS(ccd_volume_earliest(v, x0, x1, 4, 0, NULL, &first), CCD_E_ARGUMENT, "x0 has 12 coordinates");
    x1[7] = 0.0 / 0.0;
    FAILS(ccd_volume_collisions(v, x0, x1, N, 0, NULL, &impacts), CCD_E_NONFINITE, "x1[2][1]");
    CHECK(impacts == NULL);
    FAILS(ccd_volume_impacts_count((ccd_volume_impacts *)v, &count), CCD_E_HANDLE, "ccd_volume");
    OK(ccd_volume_destroy(v));
}

/* The shared side is split and opened; the two sides touch at t = 0 by construction, a class of its own. */
static void edits(void) {
    ccd_volume *v = two();
    ccd_volume_impact first;
    const int32_t upper[1] = {0}, lower[1] = {1}, none[1] = {7};
    double a[3 * 8], b[3 * 8], velocity[3 * 8] = {0};
    int32_t new_vertex = 0, listed[3];
    for (int32_t i = 0; i < 3; i++) {
        OK(ccd_volume_split(v, i, lower, 1, &new_vertex));
        CHECK(new_vertex == N + i);
        listed[i] = new_vertex;
    }
    memcpy(b, x0, sizeof x0);
    memcpy(b + 15, x0, 9 * sizeof *b);
    memcpy(a, b, sizeof a);
    for (int i = 5; i < 8; i++) {
        b[3 * i + 2] = -1;
        velocity[3 * i + 2] = -2;
    }
    a[17] = a[20] = a[23] = 99;
    OK(ccd_volume_backtrack(a, b, velocity, 8, 0.5, listed, 3));
    CHECK(a[17] == 0 && a[20] == 0 && a[23] == 0);
    OK(ccd_volume_earliest(v, a, b, 8, CCD_VOLUME_AT_SPLIT, NULL, &first));
    CHECK(first.impact.verdict == CCD_CONTACT && first.impact.toi_lo == 0 && first.pair_class == CCD_VOLUME_AT_SPLIT);
    OK(ccd_volume_earliest(v, a, b, 8, CCD_VOLUME_BETWEEN_OBJECTS, NULL, &first));
    CHECK(first.impact.verdict == CCD_SEPARATE);

    new_vertex = 5;
    FAILS(ccd_volume_split(v, 3, lower, 1, &new_vertex), CCD_E_INDEX, "it does not have vertex 3");
    CHECK(new_vertex == -1);
    FAILS(ccd_volume_remove(v, none, 1), CCD_E_INDEX, "elements[0] is 7: out of range");
    for (int32_t i = 0; i < 3; i++) {
        OK(ccd_volume_merge(v, N + i, i));
    }
    OK(ccd_volume_add_vertices(v, none, 1, &new_vertex));
    CHECK(new_vertex == 8);
    const int32_t another[4] = {0, 1, 3, 8};
    OK(ccd_volume_add(v, kinds, 1, another, 4, &new_vertex));
    CHECK(new_vertex == 2);
    OK(ccd_volume_remove(v, upper, 1));
    size_t elements = 0;
    OK(ccd_volume_counts(v, NULL, &elements, NULL, NULL));
    CHECK(elements == 3);
    OK(ccd_volume_destroy(v));
    FAILS(ccd_volume_backtrack(a, b, velocity, 2, 0.5, listed, 1), CCD_E_INDEX, "vertices[0] is 5");
}

static void files(void) {
    ccd_cells *cells = NULL;
    FAILS(ccd_cells_read("no/such/file.vtk", &cells), CCD_E_FILE, "no such file");
    FAILS(ccd_cells_read(NULL, &cells), CCD_E_ARGUMENT, "path is NULL");
    FAILS(ccd_cells_destroy(NULL), CCD_E_HANDLE, "cells is NULL");
}

int main(void) {
    topology();
    steps();
    edits();
    files();
    return done();
}
