/*
 * safe.h - the safe values of out parameters. A call that fails leaves them: nothing is known, no time is safe, no object is there. Each
 * function accepts NULL, which the Go side reports.
 */
#ifndef CCD_SAFE_H
#define CCD_SAFE_H

#include "internal.h"

#include <math.h>
#include <string.h>

/** One number, or a handle. */
#define CCD_SAFE(out, value) ((out) == NULL ? (void)0 : (void)(*(out) = (value)))

static inline void ccd_safe_zeros(void *out, size_t size) {
    if (out != NULL) {
        memset(out, 0, size);
    }
}

static inline void ccd_safe_impact(ccd_impact *out) {
    CCD_SAFE(out, ((ccd_impact){.a = -1, .b = -1, .toi_hi = 1, .width = INFINITY}));
}

static inline void ccd_safe_rigid_body_info(ccd_rigid_body_info *out) {
    CCD_SAFE(out, ((ccd_rigid_body_info){.faces = -1}));
}

/** [0, +Inf] encloses any distance. */
static inline void ccd_safe_near_pair(ccd_near_pair *out) {
    CCD_SAFE(out, ((ccd_near_pair){.a = -1, .b = -1, .distance_hi = INFINITY}));
}

/** [0, +Inf] encloses any distance. */
static inline void ccd_safe_clearance(ccd_clearance *out) {
    CCD_SAFE(out, ((ccd_clearance){.a = -1, .b = -1, .hi = INFINITY}));
}

static inline void ccd_safe_why(ccd_why *out) {
    CCD_SAFE(out, ((ccd_why){.impact = {.verdict = CCD_UNDECIDED, .a = -1, .b = -1, .toi_hi = 1},
                             .distance_hi = INFINITY,
                             .vertices = {-1, -1, -1, -1, -1},
                             .rings = -1,
                             .same = {-1, -1}}));
    for (int i = 0; out && i < 5; i++) {
        CCD_SAFE(&out->others[i], ((ccd_limit){.toi_lo = INFINITY, .a = -1, .b = -1, .vertices = {-1, -1, -1, -1, -1}}));
    }
}

static inline void ccd_safe_device_column(ccd_device_column *out) { ccd_safe_zeros(out, sizeof *out); }

static inline void ccd_safe_linesearch_bound(ccd_linesearch_bound *out) { CCD_SAFE(out, ((ccd_linesearch_bound){0})); }

static inline void ccd_safe_neighbors_report(ccd_neighbors_report *out) { CCD_SAFE(out, ((ccd_neighbors_report){0})); }
static inline void ccd_safe_response(ccd_response *out) {
    CCD_SAFE(out, ((ccd_response){0}));
    ccd_safe_why(out ? &out->why : NULL);
}
static inline void ccd_safe_sizes_report(ccd_sizes_report *out) { CCD_SAFE(out, ((ccd_sizes_report){0})); }

static inline void ccd_safe_scene_part(ccd_scene_part *out) { CCD_SAFE(out, ((ccd_scene_part){.id = -1})); }

static inline void ccd_safe_rigid_motion(ccd_rigid_motion *out) { ccd_safe_zeros(out, sizeof *out); }

static inline void ccd_safe_rigid_impact(ccd_rigid_impact *out) {
    CCD_SAFE(out, ((ccd_rigid_impact){.toi_lo = -INFINITY, .toi_hi = INFINITY, .index_a = -1, .index_b = -1}));
}

static inline void ccd_safe_rigid_scene_impact(ccd_rigid_scene_impact *out) {
    if (out != NULL) {
        out->a = out->b = -1;
        ccd_safe_rigid_impact(&out->impact);
    }
}

static inline void ccd_safe_rigid_mesh_impact(ccd_rigid_mesh_impact *out) {
    if (out != NULL) {
        out->body = -1;
        out->shape = out->reserved = 0;
        ccd_safe_rigid_impact(&out->impact);
    }
}

/** [0, +Inf] encloses any depth. */
static inline void ccd_safe_rigid_penetration(ccd_rigid_penetration *out) {
    CCD_SAFE(out, ((ccd_rigid_penetration){.hi = INFINITY}));
}

static inline void ccd_safe_untangled(ccd_untangled *out) { CCD_SAFE(out, ((ccd_untangled){0})); }

/** [0, +Inf] encloses any distance. */
static inline void ccd_safe_rigid_gap(ccd_rigid_gap *out) {
    CCD_SAFE(out, ((ccd_rigid_gap){.hi = INFINITY, .index_a = -1, .index_b = -1}));
}

static inline void ccd_safe_rigid_scene_gap(ccd_rigid_scene_gap *out) {
    if (out != NULL) {
        out->a = out->b = -1;
        ccd_safe_rigid_gap(&out->gap);
    }
}

/** [-Inf, +Inf] encloses any signed distance, and nothing is proven from the start on. */
static inline void ccd_safe_slide(ccd_slide *out) {
    CCD_SAFE(out, ((ccd_slide){.t_lo = -INFINITY, .t_hi = INFINITY, .lo = -INFINITY, .hi = INFINITY}));
}

/** [-Inf, +Inf] encloses any volume. */
static inline void ccd_safe_overlap(ccd_overlap *out) {
    CCD_SAFE(out, ((ccd_overlap){.volume_lo = -INFINITY,
                                 .volume_hi = INFINITY,
                                 .a_lo = -INFINITY,
                                 .a_hi = INFINITY,
                                 .b_lo = -INFINITY,
                                 .b_hi = INFINITY,
                                 .flags = CCD_OVERLAP_UNFINISHED}));
}

static inline void ccd_safe_robot_edge(ccd_robot_edge *out) {
    CCD_SAFE(out, ((ccd_robot_edge){.body_a = -1, .body_b = -1}));
}

static inline void ccd_safe_volume_impact(ccd_volume_impact *out) {
    CCD_SAFE(out, ((ccd_volume_impact){.vertices = {-1, -1, -1, -1}, .elements = {-1, -1}}));
    ccd_safe_impact(out == NULL ? NULL : &out->impact);
}

static inline void ccd_safe_patch_impact(ccd_patch_impact *out) { CCD_SAFE(out, ((ccd_patch_impact){.a = -1, .b = -1})); }

/** Nothing is proven from the start on. */
static inline void ccd_safe_patch_unresolved(ccd_patch_unresolved *out) { CCD_SAFE(out, ((ccd_patch_unresolved){0})); }

#endif /* CCD_SAFE_H */
