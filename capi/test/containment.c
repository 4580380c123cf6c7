/* containment.c - what closed surfaces enclose, and that errors leave safe results. */
#include "check.h"

#include <math.h>

enum { CUBE_VERTICES = 8, CUBE_FACES = 12 };

static const int32_t cube_faces[3 * CUBE_FACES] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                                   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static const ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};

/* The vertices of a cube around the origin. */
static void cube(double half, double *x) {
    for (int v = 0; v < CUBE_VERTICES; v++) {
        x[3 * v] = v & 1 ? half : -half;
        x[3 * v + 1] = v & 2 ? half : -half;
        x[3 * v + 2] = v & 4 ? half : -half;
    }
}

static void meshes(void) {
    double x[2 * 3 * CUBE_VERTICES];
    int32_t faces[2 * 3 * CUBE_FACES], windings[4];
    cube(1, x);
    cube(0.25, x + 3 * CUBE_VERTICES);
    for (int i = 0; i < 3 * CUBE_FACES; i++) {
        faces[i] = cube_faces[i];
        faces[3 * CUBE_FACES + i] = cube_faces[i] + CUBE_VERTICES;
    }
    ccd_mesh *mesh = NULL;
    OK(ccd_mesh_create(2 * CUBE_VERTICES, NULL, 0, faces, 2 * CUBE_FACES, &mesh));
    const double points[12] = {0, 0, 0, 0.5, 0, 0, 1, 0, 0, 2, 0, 0};
    OK(ccd_proximity_winding(mesh, x, 2 * CUBE_VERTICES, points, 4, NULL, windings));
    CHECK(windings[0] == 2 && windings[1] == 1 && windings[2] == CCD_ON_SURFACE && windings[3] == 0);
    ccd_nested_pairs *found = NULL;
    ccd_nested_pair pair;
    size_t count = 0;
    OK(ccd_proximity_nested(mesh, x, 2 * CUBE_VERTICES, NULL, &found));
    OK(ccd_nested_pairs_count(found, &count));
    CHECK(count == 1);
    OK(ccd_nested_pairs_copy(found, &pair, 1, &count));
    CHECK(pair.inner == CUBE_FACES && pair.outer == 0 && pair.winding == 1 && pair.reserved == 0);
    OK(ccd_nested_pairs_destroy(found));

    FAILS(ccd_proximity_winding(mesh, x, 2, points, 4, NULL, windings), CCD_E_ARGUMENT, "n is 2");
    for (int i = 0; i < 4; i++) {
        CHECK(windings[i] == CCD_WINDING_UNKNOWN);
    }
    FAILS(ccd_proximity_winding(mesh, x, 2 * CUBE_VERTICES, NULL, 4, NULL, windings), CCD_E_ARGUMENT, "points is NULL");
    FAILS(ccd_proximity_winding(mesh, x, 2 * CUBE_VERTICES, points, 4, NULL, NULL), CCD_E_ARGUMENT, "windings is NULL");
    FAILS(ccd_proximity_nested(mesh, NULL, 2 * CUBE_VERTICES, NULL, &found), CCD_E_ARGUMENT, "x is NULL");
    CHECK(found == NULL);
    OK(ccd_mesh_destroy(mesh));
    OK(ccd_mesh_create(CUBE_VERTICES, NULL, 0, faces, CUBE_FACES - 1, &mesh));
    FAILS(ccd_proximity_winding(mesh, x, CUBE_VERTICES, points, 4, NULL, windings), CCD_E_ARGUMENT,
          "the surface is open there; 3 edges are not closed");
    OK(ccd_mesh_destroy(mesh));
}

static void bodies(void) {
    double x[3 * CUBE_VERTICES];
    ccd_rigid_body *outer = NULL, *inner = NULL, *open = NULL;
    cube(1, x);
    OK(ccd_rigid_body_create(x, CUBE_VERTICES, cube_faces, CUBE_FACES, &outer));
    OK(ccd_rigid_body_create(x, CUBE_VERTICES, cube_faces + 6, CUBE_FACES - 2, &open));
    cube(0.25, x);
    OK(ccd_rigid_body_create(x, CUBE_VERTICES, cube_faces, CUBE_FACES, &inner));
    ccd_rigid_motion first[3] = {still, still, still};
    const ccd_rigid_motion second[3] = {still, still, still};
    first[1].position[2] = 0.75; /* face on face, from inside */
    first[2].position[2] = 2;
    ccd_containment where[3];
    OK(ccd_rigid_containment(inner, first, outer, second, 3, 0, NULL, where));
    CHECK(where[0] == CCD_CONTAINMENT_INSIDE && where[1] == CCD_CONTAINMENT_CROSSING &&
          where[2] == CCD_CONTAINMENT_OUTSIDE);
    OK(ccd_rigid_containment(outer, second, inner, first, 1, 0, NULL, where));
    CHECK(where[0] == CCD_CONTAINMENT_CONTAINS);
    first[0].velocity[0] = 3;
    OK(ccd_rigid_containment(inner, first, outer, second, 1, 1, NULL, where));
    CHECK(where[0] == CCD_CONTAINMENT_OUTSIDE);
    FAILS(ccd_rigid_containment(inner, first, open, second, 3, 0, NULL, where), CCD_E_ARGUMENT, "b: faces[2]: the edge");
    for (int i = 0; i < 3; i++) {
        CHECK(where[i] == CCD_CONTAINMENT_UNDECIDED);
    }
    FAILS(ccd_rigid_containment(inner, NULL, outer, second, 3, 0, NULL, where), CCD_E_ARGUMENT, "ma is NULL");
    FAILS(ccd_rigid_containment(inner, first, outer, second, 3, NAN, NULL, where), CCD_E_NONFINITE, "t is NaN");
    FAILS(ccd_rigid_containment(NULL, first, outer, second, 3, 0, NULL, where), CCD_E_HANDLE, "a is NULL");

    const double points[6] = {0, 0, 2, 0, 0, 2.25};
    int32_t windings[2];
    OK(ccd_rigid_winding(inner, &first[2], 0, points, 2, NULL, windings));
    CHECK(windings[0] == 1 && windings[1] == CCD_ON_SURFACE);
    FAILS(ccd_rigid_winding(open, &still, 0, points, 2, NULL, windings), CCD_E_ARGUMENT, "body: faces[2]: the edge");
    CHECK(windings[0] == CCD_WINDING_UNKNOWN && windings[1] == CCD_WINDING_UNKNOWN);
    FAILS(ccd_rigid_winding(inner, NULL, 0, points, 2, NULL, windings), CCD_E_ARGUMENT, "motion is NULL");
    OK(ccd_rigid_body_destroy(open));
    OK(ccd_rigid_body_destroy(inner));
    OK(ccd_rigid_body_destroy(outer));
}

int main(void) {
    meshes();
    bodies();
    return done();
}
