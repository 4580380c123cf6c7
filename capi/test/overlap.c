/* overlap.c - volumes that solids have in common, depths of points, and that errors leave safe results. */
#include "check.h"

#include <math.h>

enum { CUBE_VERTICES = 8, CUBE_FACES = 12 };

static const int32_t cube_faces[3 * CUBE_FACES] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                                   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static const ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};

/* The vertices of a cube of size 2 with its least corner at (at, at, at). */
static void cube(double at, double *x) {
    for (int v = 0; v < CUBE_VERTICES; v++) {
        x[3 * v] = at + (v & 1 ? 2 : 0);
        x[3 * v + 1] = at + (v & 2 ? 2 : 0);
        x[3 * v + 2] = at + (v & 4 ? 2 : 0);
    }
}

static void meshes(void) {
    double x[3 * CUBE_VERTICES], y[3 * CUBE_VERTICES], lo = 0, hi = 0;
    cube(0, x);
    ccd_mesh *mesh = NULL, *open = NULL;
    OK(ccd_mesh_create(CUBE_VERTICES, NULL, 0, cube_faces, CUBE_FACES, &mesh));
    OK(ccd_mesh_create(CUBE_VERTICES, NULL, 0, cube_faces, CUBE_FACES - 1, &open));
    OK(ccd_overlap_solid(mesh, x, CUBE_VERTICES, NULL, &lo, &hi));
    CHECK(lo <= 8 && hi >= 8 && hi - lo < 1e-14);
    FAILS(ccd_overlap_solid(open, x, CUBE_VERTICES, NULL, &lo, &hi), CCD_E_ARGUMENT, "mesh: faces[");
    CHECK(isinf(lo) && lo < 0 && isinf(hi) && hi > 0);
    FAILS(ccd_overlap_solid(mesh, x, CUBE_VERTICES, NULL, NULL, &hi), CCD_E_ARGUMENT, "lo is NULL");

    ccd_overlap found;
    cube(1, y);
    OK(ccd_overlap_volume(mesh, x, CUBE_VERTICES, mesh, y, CUBE_VERTICES, CCD_SHELLS_REFUSE, NULL, &found));
    CHECK(found.volume_lo <= 1 && found.volume_hi >= 1 && found.volume_hi - found.volume_lo <= 1e-6 && found.flags == 0);
    CHECK(found.containment == CCD_CONTAINMENT_CROSSING && found.a_lo <= 8 && found.b_hi >= 8);
    cube(2, y);
    OK(ccd_overlap_volume(mesh, x, CUBE_VERTICES, mesh, y, CUBE_VERTICES, CCD_SHELLS_REFUSE, NULL, &found));
    CHECK(found.volume_lo == 0 && found.volume_hi == 0);
    FAILS(ccd_overlap_volume(mesh, x, CUBE_VERTICES, open, y, CUBE_VERTICES, CCD_SHELLS_REFUSE, NULL, &found),
          CCD_E_ARGUMENT, "b: faces[");
    CHECK(isinf(found.volume_lo) && isinf(found.volume_hi) && found.flags == CCD_OVERLAP_UNFINISHED);
    FAILS(ccd_overlap_volume(mesh, x, CUBE_VERTICES, mesh, y, 3, CCD_SHELLS_REFUSE, NULL, &found), CCD_E_ARGUMENT,
          "nb is 3");
    FAILS(ccd_overlap_volume(mesh, x, CUBE_VERTICES, mesh, y, CUBE_VERTICES, 2, NULL, &found), CCD_E_ARGUMENT,
          "shells is 2");
    FAILS(ccd_overlap_volume(mesh, x, CUBE_VERTICES, mesh, y, CUBE_VERTICES, 0, NULL, NULL), CCD_E_ARGUMENT, "out is NULL");

    const double points[6] = {1, 1, 0.25, 1, 1, 2};
    ccd_depth depths[2];
    OK(ccd_overlap_depths(mesh, x, CUBE_VERTICES, points, 2, NULL, depths));
    CHECK(depths[0].winding == 1 && fabs(depths[0].distance_hi - 0.25) < 1e-12 && depths[0].normal[2] == 1 &&
          depths[0].state == CCD_GRADIENT_DEFINED);
    CHECK(depths[1].winding == CCD_ON_SURFACE && depths[1].distance_hi == 0 && depths[1].state == CCD_GRADIENT_INITIAL);
    FAILS(ccd_overlap_depths(open, x, CUBE_VERTICES, points, 2, NULL, depths), CCD_E_ARGUMENT, "mesh: faces[");
    CHECK(depths[0].winding == CCD_WINDING_UNKNOWN && depths[0].distance_lo == 0 && isinf(depths[0].distance_hi));
    OK(ccd_mesh_destroy(open));
    OK(ccd_mesh_destroy(mesh));
}

static void bodies(void) {
    double x[3 * CUBE_VERTICES];
    cube(0, x);
    ccd_rigid_body *body = NULL;
    OK(ccd_rigid_body_create(x, CUBE_VERTICES, cube_faces, CUBE_FACES, &body));
    const ccd_rigid_motion first[2] = {still, still};
    ccd_rigid_motion second[2] = {still, still};
    second[0].position[0] = 1.5;
    second[1].velocity[0] = 1;
    ccd_overlap found[2];
    OK(ccd_rigid_overlaps(body, first, body, second, 2, 1, CCD_SHELLS_REFUSE, NULL, found));
    CHECK(found[0].volume_lo <= 2 && found[0].volume_hi >= 2 && found[1].volume_lo <= 4 && found[1].volume_hi >= 4);
    FAILS(ccd_rigid_overlaps(body, first, body, second, 2, NAN, CCD_SHELLS_REFUSE, NULL, found), CCD_E_NONFINITE,
          "t is NaN");
    CHECK(isinf(found[0].volume_lo) && isinf(found[1].volume_hi) && found[1].flags == CCD_OVERLAP_UNFINISHED);
    const double point[3] = {2.5, 1, 1};
    ccd_depth depth;
    OK(ccd_rigid_depths(body, &second[1], 1, point, 1, NULL, &depth));
    CHECK(depth.winding == 1 && fabs(depth.distance_hi - 0.5) < 1e-12 && fabs(depth.normal[0] + 1) < 1e-12);
    FAILS(ccd_rigid_depths(body, NULL, 0, point, 1, NULL, &depth), CCD_E_ARGUMENT, "motion is NULL");
    CHECK(depth.face == -1 && depth.winding == CCD_WINDING_UNKNOWN);
    OK(ccd_rigid_body_destroy(body));
}

int main(void) {
    meshes();
    bodies();
    return done();
}
