/* penetration.c - how deep rigid bodies overlap, starts that cross and their untangling, and that errors leave safe answers. */
#include "check.h"

#include <math.h>

static ccd_rigid_body *cube, *ball;
static const ccd_rigid_pose here = {.rotation = {1, 0, 0, 0}};
static const ccd_rigid_pose beside = {.rotation = {1, 0, 0, 0}, .position = {1.5, 0.25, 0}};

static void depths(void) {
    ccd_rigid_penetration p, batch[3];
    OK(ccd_rigid_penetration_depth(cube, &beside, cube, &here, NULL, &p));
    CHECK(p.flags == CCD_PENETRATION_OVERLAPPING && p.reserved == 0 && p.lo <= 0.5 && p.hi >= 0.5 && p.hi - p.lo < 1e-14);
    CHECK(p.normal[0] == 1 && p.normal[1] == 0 && fabs(p.translation[0] - 0.5) < 1e-14 && p.translation[1] == 0);
    CHECK(fabs(p.point_a[0] - 0.5) <= p.epsilon && fabs(p.point_b[0] - 1) <= p.epsilon && p.epsilon < 1e-13);
    ccd_rigid_pose a[3] = {beside, beside, beside}, b[3] = {here, here, here};
    a[1].position[0] = 2;
    a[2].position[0] = 3;
    OK(ccd_rigid_penetration_batch(cube, a, cube, b, 3, NULL, batch));
    CHECK(memcmp(&p, &batch[0], sizeof p) == 0);
    for (int i = 1; i < 3; i++) {
        CHECK(batch[i].flags == 0 && batch[i].lo == 0 && batch[i].hi == 0 && batch[i].normal[0] == 0);
    }
    OK(ccd_rigid_penetration_batch(cube, NULL, cube, NULL, 0, NULL, NULL));
}

static void gradients(void) {
    ccd_rigid_penetration_gradient g[3];
    ccd_rigid_pose a[3] = {beside, beside, here}, b[3] = {here, here, here};
    a[0].position[0] = 1.25;
    a[1].position[0] = 3;
    OK(ccd_rigid_penetration_gradients(ball, a, cube, b, 3, NULL, g));
    CHECK(g[0].state == CCD_GRADIENT_DEFINED && g[0].position_b[0] == 1 && g[0].position_a[0] == -1);
    CHECK(fabs(g[0].rotation_b[2] + 0.25) < 1e-12 && fabs(g[0].penetration.hi - 0.25) < 1e-12);
    CHECK(g[1].state == CCD_GRADIENT_NO_IMPACT && g[1].position_a[0] == 0 && g[1].penetration.hi == 0);
    CHECK(g[2].state == CCD_GRADIENT_TIE && isnan(g[2].position_a[0]));
}

static void untangling(void) {
    double x[48], y[48];
    int32_t faces[72];
    static const int32_t box[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    for (int i = 0; i < 16; i++) {
        x[3 * i] = (i & 1) + (i >= 8 ? 0.875 : 0);
        x[3 * i + 1] = (i >> 1 & 1) + (i >= 8 ? 0.25 : 0);
        x[3 * i + 2] = (i >> 2 & 1) + (i >= 8 ? 0.25 : 0);
    }
    for (int i = 0; i < 72; i++) {
        faces[i] = box[i % 36] + (i >= 36 ? 8 : 0);
    }
    ccd_mesh *mesh;
    OK(ccd_mesh_create(16, NULL, 0, faces, 24, &mesh));
    ccd_crossings *found;
    size_t count = 0;
    OK(ccd_proximity_crossings(mesh, x, 16, NULL, &found));
    OK(ccd_crossings_count(found, &count));
    CHECK(count == 1);
    ccd_crossing c;
    OK(ccd_crossings_copy(found, &c, 1, &count));
    CHECK(c.a == 0 && c.b == 8 && c.pairs > 0 && c.edge >= 0 && c.face >= 0 && fabs(c.depth - 0.25) < 1e-15);
    OK(ccd_crossings_destroy(found));
    double masses[16];
    for (int i = 0; i < 16; i++) {
        masses[i] = i < 8 ? INFINITY : 1;
    }
    ccd_untangled r;
    int32_t meets = 1;
    OK(ccd_proximity_untangle(mesh, x, 16, masses, 0, NULL, y, &r));
    CHECK(r.clean == 1 && r.after == 0 && r.before == c.pairs && r.moved == 8 && memcmp(x, y, 24 * sizeof *x) == 0);
    OK(ccd_proximity_intersects(mesh, y, 16, NULL, &meets));
    CHECK(meets == 0);
    masses[3] = -1;
    y[0] = 7;
    FAILS(ccd_proximity_untangle(mesh, x, 16, masses, 0, NULL, y, &r), CCD_E_ARGUMENT, "masses[3]");
    CHECK(r.clean == 0 && y[0] == 7);
    CHECK(ccd_proximity_untangle(mesh, x, 16, NULL, 0, NULL, NULL, &r) == CCD_E_ARGUMENT);
    CHECK(ccd_proximity_untangle(mesh, x, 16, NULL, 0, NULL, y, NULL) == CCD_E_ARGUMENT);
    CHECK(ccd_proximity_crossings(mesh, x, 15, NULL, &found) == CCD_E_ARGUMENT && found == NULL);
    OK(ccd_mesh_destroy(mesh));
}

static void errors(void) {
    ccd_rigid_penetration p;
    ccd_rigid_pose bad = here;
    bad.position[1] = NAN;
    CHECK(ccd_rigid_penetration_depth(cube, &bad, cube, &here, NULL, &p) == CCD_E_NONFINITE);
    CHECK(p.lo == 0 && isinf(p.hi));
    CHECK(ccd_rigid_penetration_depth(NULL, &here, cube, &here, NULL, &p) == CCD_E_HANDLE);
    CHECK(ccd_rigid_penetration_depth(cube, &here, cube, NULL, NULL, &p) == CCD_E_ARGUMENT);
    CHECK(ccd_rigid_penetration_depth(cube, &here, cube, &here, NULL, NULL) == CCD_E_ARGUMENT);
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.min_separation = 1;
    CHECK(ccd_rigid_penetration_depth(cube, &here, cube, &here, &o, &p) == CCD_E_UNSUPPORTED);
    ccd_rigid_penetration_gradient g;
    CHECK(ccd_rigid_penetration_gradients(cube, &here, cube, &bad, 1, NULL, &g) == CCD_E_NONFINITE);
    CHECK(g.state == CCD_GRADIENT_UNDETERMINED && isinf(g.penetration.hi) && isnan(g.rotation_a[2]));
}

int main(void) {
    const double size[3] = {2, 2, 2};
    OK(ccd_rigid_body_box(size, &cube));
    OK(ccd_rigid_body_sphere(0.5, &ball));
    depths();
    gradients();
    untangling();
    errors();
    OK(ccd_rigid_body_destroy(cube));
    OK(ccd_rigid_body_destroy(ball));
    return done();
}
