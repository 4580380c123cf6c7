/* proximity.c - what is true of one frame: intersections and distances. */
#include "_cgo_export.h"
#include "internal.h"

#include <math.h>

ccd_status ccd_proximity_intersections(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                       ccd_intersections **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_proximity_intersections((uintptr_t)mesh, (double *)x, n, (void *)options, (uintptr_t *)out);
}

/* An error leaves 1: nobody must take a call that failed for a proof. */
ccd_status ccd_proximity_intersects(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options, int32_t *out) {
    if (out != NULL) {
        *out = 1;
    }
    CCD_ENTER();
    return go_proximity_intersects((uintptr_t)mesh, (double *)x, n, (void *)options, out);
}

ccd_status ccd_proximity_near(ccd_mesh *mesh, const double *x, size_t n, double d, const ccd_options *options,
                              ccd_near_pairs **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_proximity_near((uintptr_t)mesh, (double *)x, n, d, (void *)options, (uintptr_t *)out);
}

/* An error leaves [0, +Inf], which encloses any distance. */
ccd_status ccd_proximity_distance(ccd_mesh *mesh, const double *x, size_t n, const ccd_options *options,
                                  ccd_near_pair *out) {
    if (out != NULL) {
        *out = (ccd_near_pair){.a = -1, .b = -1, .hi = INFINITY};
    }
    CCD_ENTER();
    return go_proximity_distance((uintptr_t)mesh, (double *)x, n, (void *)options, out);
}

ccd_status ccd_intersections_count(ccd_intersections *intersections, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_intersections_count((uintptr_t)intersections, count);
}

ccd_status ccd_intersections_copy(ccd_intersections *intersections, ccd_intersection *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_intersections_copy((uintptr_t)intersections, dst, cap, count);
}

ccd_status ccd_intersections_destroy(ccd_intersections *intersections) {
    CCD_ENTER();
    return go_intersections_destroy((uintptr_t)intersections);
}

ccd_status ccd_near_pairs_count(ccd_near_pairs *near_pairs, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_near_pairs_count((uintptr_t)near_pairs, count);
}

ccd_status ccd_near_pairs_copy(ccd_near_pairs *near_pairs, ccd_near_pair *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_near_pairs_copy((uintptr_t)near_pairs, dst, cap, count);
}

ccd_status ccd_near_pairs_destroy(ccd_near_pairs *near_pairs) {
    CCD_ENTER();
    return go_near_pairs_destroy((uintptr_t)near_pairs);
}
