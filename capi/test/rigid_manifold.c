/* rigid_manifold.c - where bodies touch, and how long they do, and that errors leave safe answers. */
#include "check.h"

#include <math.h>

static ccd_rigid_body *table, *box;
static const ccd_rigid_pose here = {.rotation = {1, 0, 0, 0}};
static const ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};

static void manifold(void) {
    ccd_rigid_pose on = {.rotation = {1, 0, 0, 0}, .position = {1.75, 0, 1.5}};
    ccd_rigid_manifold_points *points;
    ccd_rigid_manifold_point list[8];
    uint32_t flags = 9;
    size_t count;
    OK(ccd_rigid_manifold(box, &on, table, &here, 1e-6, 0, NULL, &flags, &points));
    OK(ccd_rigid_manifold_points_count(points, &count));
    CHECK(count == 4 && flags == 0);
    OK(ccd_rigid_manifold_points_copy(points, list, 8, &count));
    CHECK(count == 4);
    for (size_t i = 0; i < count; i++) {
        const ccd_rigid_manifold_point *p = &list[i];
        CHECK(p->gap_lo <= 0 && p->gap_hi >= 0 && p->gap_hi - p->gap_lo < 1e-10 && p->normal[2] == 1 && p->reserved == 0);
        CHECK(p->group == 0 && p->index_a >= 0 && p->index_b >= 0 && p->epsilon < 1e-10);
        CHECK(fabs(p->point_a[2] - 1) <= p->epsilon && fabs(p->point_b[2] - 1) <= p->epsilon);
        CHECK((fabs(p->point_a[0] - 1.25) <= 1e-9 || fabs(p->point_a[0] - 2) <= 1e-9) && fabs(p->point_a[1]) > 0.49);
    }
    OK(ccd_rigid_manifold_points_destroy(points));
    on.position[2] = 1;
    OK(ccd_rigid_manifold(box, &on, table, &here, 1e-6, 1, NULL, &flags, &points));
    OK(ccd_rigid_manifold_points_count(points, &count));
    CHECK(count == 0 && (flags & CCD_MANIFOLD_CROSSING) != 0);
    OK(ccd_rigid_manifold_points_destroy(points));
    OK(ccd_rigid_manifold(box, &on, table, &here, 1e-6, CCD_MANIFOLD_REDUCE | CCD_MANIFOLD_LEAD_OUT, NULL, &flags,
                          &points));
    OK(ccd_rigid_manifold_points_copy(points, list, 8, &count));
    CHECK(count == 4 && (flags & CCD_MANIFOLD_CROSSING) != 0 && (flags & CCD_MANIFOLD_DEEP) != 0);
    for (size_t i = 0; i < count; i++)
        CHECK(list[i].gap_lo <= -0.5 && list[i].gap_hi >= -0.5 && list[i].point_a[2] == 0.5 && list[i].point_b[2] == 1);
    OK(ccd_rigid_manifold_points_destroy(points));
    FAILS(ccd_rigid_manifold(box, &on, table, &here, 1, 4, NULL, &flags, &points), CCD_E_ARGUMENT, "how is 4");
    FAILS(ccd_rigid_manifold(box, &on, table, &here, -1, 0, NULL, &flags, &points), CCD_E_ARGUMENT, "tolerance is -1");
    CHECK(points == NULL && flags == (CCD_MANIFOLD_CROSSING | CCD_MANIFOLD_INSIDE));
    FAILS(ccd_rigid_manifold(box, NULL, table, &here, 0, 0, NULL, NULL, &points), CCD_E_ARGUMENT, "pa is NULL");
    on.rotation[0] = 0;
    FAILS(ccd_rigid_manifold(box, &on, table, &here, 0, 0, NULL, NULL, &points), CCD_E_ARGUMENT, "pa: rotation is 0");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.min_separation = 1;
    FAILS(ccd_rigid_manifold(box, &here, table, &here, 0, 0, &o, NULL, &points), CCD_E_UNSUPPORTED, "min_separation");
}

static void slide(void) {
    ccd_rigid_motion along = {.rotation = {1, 0, 0, 0}, .position = {0, 0, 1.5}, .velocity = {5, 0, 0}};
    ccd_slide s;
    OK(ccd_rigid_slide(box, &along, table, &still, 1e-6, NULL, &s));
    CHECK(s.event == CCD_SLIDE_PARTS && s.flags == 0 && s.t_lo <= (2.5 + 1e-6) / 5 && s.t_hi >= (2.5 + 1e-6) / 5);
    CHECK(s.t_hi - s.t_lo < 1e-8 && s.hi >= 1e-6 && s.lo > 1e-6 && s.hi < 2e-6 && s.iterations > 0 && s.part_a == 0 &&
          s.part_b == 0);
    along.velocity[0] = 2;
    OK(ccd_rigid_slide(box, &along, table, &still, 1e-6, NULL, &s));
    CHECK(s.event == CCD_SLIDE_STAYS && s.t_lo == 1 && isinf(s.t_hi) && s.normal[2] > 0.999);
    along.velocity[2] = -1;
    OK(ccd_rigid_slide(box, &along, table, &still, 1e-3, NULL, &s));
    CHECK(s.event == CCD_SLIDE_PENETRATES && s.t_lo <= 1e-3 && s.t_hi >= 1e-3 && s.hi < -1e-3);
    ccd_rigid_body *parts[2] = {table, box};
    OK(ccd_rigid_slide_parts(&box, 1, &along, parts, 2, &still, 1e-3, NULL, &s));
    CHECK(s.event == CCD_SLIDE_PENETRATES && s.part_b == 0);
    FAILS(ccd_rigid_slide_parts(&box, 1, &along, parts, 0, &still, 1e-3, NULL, &s), CCD_E_ARGUMENT, "b has no parts");
    parts[1] = NULL;
    FAILS(ccd_rigid_slide_parts(&box, 1, &along, parts, 2, &still, 1e-3, NULL, &s), CCD_E_HANDLE, "b[1]");
    FAILS(ccd_rigid_slide(box, &along, table, &still, 0, NULL, &s), CCD_E_ARGUMENT, "tolerance is 0");
    CHECK(s.event == CCD_SLIDE_UNDECIDED && isinf(s.t_lo) && s.t_lo < 0 && isinf(s.hi));
    FAILS(ccd_rigid_slide(box, NULL, table, &still, 1, NULL, &s), CCD_E_ARGUMENT, "ma is NULL");
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.tolerance = 1;
    FAILS(ccd_rigid_slide(box, &along, table, &still, 1, &o, &s), CCD_E_UNSUPPORTED, "tolerance");

    ccd_rigid_motion falls = {.rotation = {1, 0, 0, 0}, .position = {0, 0, 2}, .velocity = {0, 0, -1}};
    OK(ccd_rigid_first_depth(&box, 1, &falls, parts, 1, &still, 0.25, NULL, &s));
    CHECK(s.event == CCD_SLIDE_PENETRATES && s.t_lo <= 0.75 && s.t_hi >= 0.75 && s.t_hi - s.t_lo < 1e-5 && s.hi < -0.25);
    OK(ccd_rigid_first_depth(&box, 1, &falls, parts, 1, &still, 0.75, NULL, &s));
    CHECK(s.event == CCD_SLIDE_STAYS && s.flags == 0 && isinf(s.t_hi));
    FAILS(ccd_rigid_first_depth(&box, 1, &falls, parts, 1, &still, -1, NULL, &s), CCD_E_ARGUMENT, "limit is -1");
    FAILS(ccd_rigid_first_depth(&box, 1, &falls, parts, 2, &still, 1, NULL, &s), CCD_E_HANDLE, "b[1]");
}

int main(void) {
    static const double large[3] = {4, 4, 2}, small[3] = {1, 1, 1};
    OK(ccd_rigid_body_box(large, &table));
    OK(ccd_rigid_body_box(small, &box));
    manifold();
    slide();
    OK(ccd_rigid_body_destroy(table));
    OK(ccd_rigid_body_destroy(box));
    return done();
}
