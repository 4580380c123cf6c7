/* contacts.c - contact Jacobians, tangents, effective masses and colors: against loops over the records, and bad input. */
#include "check.h"
#include "steps.h"

#include <math.h>

enum { N = TRI_VERTICES, MOST = 64 };

static ccd_constraint active[MOST];
static size_t count;

/* The triangles meet at 0.5. */
static void list(void) {
    ccd_mesh *mesh = triangles();
    ccd_constraints *constraints;
    OK(step_activeset(mesh, tri_x0, tri_x1, N, NULL, &constraints));
    OK(ccd_constraints_copy(constraints, active, MOST, &count));
    OK(ccd_constraints_destroy(constraints));
    OK(ccd_mesh_destroy(mesh));
    CHECK(count > 1);
}

/* Both frames against a loop over the records, and J x1 against the gaps. */
static void rows(void) {
    static int32_t starts[3 * MOST + 1], columns[36 * MOST];
    static double values[36 * MOST];
    for (int frame = CCD_FRAME_NORMAL; frame <= CCD_FRAME_CONTACT; frame += 2) {
        OK(ccd_step_jacobian(active, count, N, frame, starts, columns, values));
        CHECK(starts[0] == 0 && (size_t)starts[(size_t)frame * count] <= 12 * (size_t)frame * count);
        for (size_t i = 0; i < count; i++) {
            double axes[9], product = 0;
            memcpy(axes, active[i].impact.normal, 3 * sizeof *axes);
            OK(ccd_step_tangents(axes, 1, axes + 3));
            for (int row = 0; row < frame; row++) {
                double dense[3 * N] = {0}, sum = 0, want = 0;
                size_t at = (size_t)frame * i + (size_t)row;
                for (int32_t k = starts[at]; k < starts[at + 1]; k++) {
                    CHECK(k == starts[at] || columns[k - 1] < columns[k]);
                    dense[columns[k]] = values[k];
                    sum += values[k] * tri_x1[columns[k]];
                }
                for (int v = 0; v < 4; v++) {
                    for (int k = 0; k < 3; k++) {
                        int32_t column = 3 * active[i].vertices[v] + k;
                        CHECK(active[i].weights[v] == 0 || dense[column] == active[i].weights[v] * axes[3 * row + k]);
                        want += active[i].weights[v] * axes[3 * row + k] * tri_x1[column];
                    }
                }
                CHECK(fabs(sum - want) < 1e-15);
                product = row == 0 ? sum : product;
            }
            CHECK(fabs(product - active[i].gap) < 1e-15);
        }
    }
    OK(ccd_step_jacobian(NULL, 0, 0, CCD_FRAME_NORMAL, starts, NULL, NULL));
    CHECK(starts[0] == 0);
}

static void masses_and_colors(void) {
    const double inverse[N] = {0, 0, 0, 0.5, 2, 3};
    double masses[MOST];
    int32_t colors[MOST];
    size_t color_count = 7;
    OK(ccd_step_effective_mass(active, count, inverse, N, masses));
    for (size_t i = 0; i < count; i++) {
        double k = 0;
        for (int v = 0; v < 4; v++) {
            k += active[i].weights[v] * active[i].weights[v] * inverse[active[i].vertices[v]];
        }
        CHECK(fabs(masses[i] * k - 1) < 1e-14);
    }
    OK(ccd_step_colors(active, count, N, inverse, colors, &color_count));
    CHECK(color_count >= 1 && color_count <= count);
    for (size_t i = 0; i < count; i++) {
        CHECK(colors[i] >= 0 && (size_t)colors[i] < color_count);
        for (size_t j = 0; j < i; j++) {
            for (int v = 0; v < 16; v++) {
                int32_t a = active[i].vertices[v / 4], b = active[j].vertices[v % 4];
                CHECK(a != b || a < 3 || active[i].weights[v / 4] == 0 || active[j].weights[v % 4] == 0 ||
                      colors[i] != colors[j]);
            }
        }
    }
    OK(ccd_step_colors(active, count, N, NULL, colors, NULL));
    const double still[N] = {0};
    OK(ccd_step_effective_mass(active, count, still, N, masses));
    OK(ccd_step_colors(active, count, N, still, colors, &color_count));
    CHECK(masses[0] == 0 && masses[count - 1] == 0 && color_count == 1 && colors[count - 1] == 0);
}

static void refusals(void) {
    int32_t starts[3] = {7, 7, 7}, columns[24], colors[2] = {7, 7};
    double values[24], masses[2] = {7, 7}, tangents[12] = {7}, inverse[N] = {1, 1, 1, 1, 1, 1};
    const double normals[6] = {0, 0, 1, 0, NAN, 0};
    size_t color_count = 7;
    FAILS(ccd_step_jacobian(active, 2, 3, CCD_FRAME_NORMAL, starts, columns, values), CCD_E_INDEX,
          "constraints[0].vertices[0] is 3: there are 3 vertices");
    CHECK(starts[0] == 0 && starts[1] == 0 && starts[2] == 0);
    FAILS(ccd_step_jacobian(active, 2, N, 2, starts, columns, values), CCD_E_ARGUMENT, "frame is 2");
    FAILS(ccd_step_jacobian(active, 2, N, -1, starts, columns, values), CCD_E_ARGUMENT, "frame is -1");
    FAILS(ccd_step_jacobian(NULL, 2, N, 1, starts, columns, values), CCD_E_ARGUMENT, "constraints is NULL, but count is 2");
    FAILS(ccd_step_jacobian(active, 2, N, 1, NULL, columns, values), CCD_E_ARGUMENT, "row_starts is NULL");
    FAILS(ccd_step_jacobian(active, 2, N, 1, starts, NULL, values), CCD_E_ARGUMENT, "columns is NULL");
    FAILS(ccd_step_jacobian(active, 2, N, 1, starts, columns, NULL), CCD_E_ARGUMENT, "values is NULL");
    FAILS(ccd_step_jacobian(active, (size_t)-1, N, 3, starts, columns, values), CCD_E_ARGUMENT,
          "count is 18446744073709551615");
    FAILS(ccd_step_jacobian(active, 2, (size_t)-1, 3, starts, columns, values), CCD_E_ARGUMENT,
          "n is 18446744073709551615");
    FAILS(ccd_step_tangents(normals, 2, tangents), CCD_E_NONFINITE, "normals[1][1] is NaN");
    CHECK(tangents[0] == 0);
    FAILS(ccd_step_tangents(normals, 2, NULL), CCD_E_ARGUMENT, "tangents is NULL");
    FAILS(ccd_step_tangents(NULL, 2, tangents), CCD_E_ARGUMENT, "normals is NULL");
    FAILS(ccd_step_effective_mass(active, 2, NULL, N, masses), CCD_E_ARGUMENT, "inverse_mass is NULL");
    CHECK(masses[0] == 0 && masses[1] == 0);
    FAILS(ccd_step_effective_mass(active, 2, inverse, N, NULL), CCD_E_ARGUMENT, "masses is NULL");
    FAILS(ccd_step_jacobian(active, 2, N, 1, active[1].vertices, columns, values), CCD_E_ARGUMENT, "row_starts overlaps");
    FAILS(ccd_step_jacobian(active, 2, N, 1, starts, columns, active[1].weights), CCD_E_ARGUMENT, "values overlaps");
    FAILS(ccd_step_tangents(tangents + 3, 1, tangents), CCD_E_ARGUMENT, "tangents overlaps normals");
    FAILS(ccd_step_effective_mass(active, 2, inverse, N, inverse + 5), CCD_E_ARGUMENT, "masses overlaps inverse_mass");
    FAILS(ccd_step_colors(active, 2, N, NULL, active[0].vertices, NULL), CCD_E_ARGUMENT, "colors overlaps constraints");
    CHECK(active[1].vertices[0] >= 0 && inverse[5] == 1);
    inverse[4] = -1;
    FAILS(ccd_step_effective_mass(active, 2, inverse, N, masses), CCD_E_ARGUMENT, "inverse_mass[4] is -1");
    FAILS(ccd_step_colors(active, 2, N, inverse, colors, &color_count), CCD_E_ARGUMENT, "inverse_mass[4] is -1");
    CHECK(color_count == 0 && colors[0] == -1 && colors[1] == -1);
    FAILS(ccd_step_colors(active, 2, N, NULL, NULL, &color_count), CCD_E_ARGUMENT, "colors is NULL");
    active[1].weights[2] = INFINITY;
    FAILS(ccd_step_colors(active, 2, N, NULL, colors, &color_count), CCD_E_NONFINITE, "constraints[1].weights[2] is +Inf");
}

int main(void) {
    list();
    rows();
    masses_and_colors();
    refusals();
    return done();
}
