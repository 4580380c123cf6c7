/* step.c - whole steps, and parts of them. */
#include "_cgo_export.h"
#include "internal.h"

#include <math.h>

ccd_status ccd_step_earliest(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                             ccd_impact *out) {
    ccd_impact_blank(out, 0, -1);
    CCD_ENTER();
    return go_step_earliest((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, out);
}

ccd_status ccd_step_collisions(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                               ccd_impacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_step_collisions((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, (uintptr_t *)out);
}

ccd_status ccd_step_visit(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                          ccd_visitor visit, void *user) {
    CCD_ENTER();
    return go_step_visit((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, (uintptr_t)visit,
                         (uintptr_t)user);
}

static ccd_status enter_pairs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, int32_t kind,
                              const int64_t *pairs, size_t count, const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_step_pairs((uintptr_t)mesh, (double *)x0, (double *)x1, n, kind, (void *)pairs, count, (void *)options, out);
}

ccd_status ccd_step_pairs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, int32_t kind, const int64_t *pairs,
                          size_t count, const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_pairs(mesh, x0, x1, n, kind, pairs, count, options, out);
    if (status != CCD_OK) {
        ccd_impacts_blank(out, count, kind);
    }
    return status;
}

ccd_status ccd_step_size(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                         double *alpha) {
    CCD_BLANK_COUNT(alpha);
    CCD_ENTER();
    return go_step_size((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, alpha);
}

ccd_status ccd_impacts_count(ccd_impacts *impacts, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_impacts_count((uintptr_t)impacts, count);
}

ccd_status ccd_impacts_copy(ccd_impacts *impacts, ccd_impact *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_impacts_copy((uintptr_t)impacts, dst, cap, count);
}

ccd_status ccd_impacts_destroy(ccd_impacts *impacts) {
    CCD_ENTER();
    return go_impacts_destroy((uintptr_t)impacts);
}

ccd_status ccd_candidates_earliest(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                                   const ccd_options *options, ccd_impact *out) {
    ccd_impact_blank(out, 0, -1);
    CCD_ENTER();
    return go_candidates_earliest((uintptr_t)candidates, (double *)x0, (double *)x1, n, (void *)options, out);
}

ccd_status ccd_candidates_collisions(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                                     const ccd_options *options, ccd_impacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_candidates_collisions((uintptr_t)candidates, (double *)x0, (double *)x1, n, (void *)options,
                                    (uintptr_t *)out);
}

ccd_status ccd_candidates_size(ccd_candidates *candidates, const double *x0, const double *x1, size_t n,
                               const ccd_options *options, double *alpha) {
    CCD_BLANK_COUNT(alpha);
    CCD_ENTER();
    return go_candidates_size((uintptr_t)candidates, (double *)x0, (double *)x1, n, (void *)options, alpha);
}

ccd_status ccd_step_linesearch(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, double share,
                               const ccd_options *options, ccd_bound *out) {
    if (out != NULL) {
        *out = (ccd_bound){0};
    }
    CCD_ENTER();
    return go_step_linesearch((uintptr_t)mesh, (double *)x0, (double *)x1, n, share, (void *)options, out);
}

ccd_status ccd_step_activeset(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                              ccd_constraints **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_step_activeset((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, (uintptr_t *)out);
}

ccd_status ccd_constraints_count(ccd_constraints *constraints, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_constraints_count((uintptr_t)constraints, count);
}

ccd_status ccd_constraints_copy(ccd_constraints *constraints, ccd_constraint *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_constraints_copy((uintptr_t)constraints, dst, cap, count);
}

ccd_status ccd_constraints_destroy(ccd_constraints *constraints) {
    CCD_ENTER();
    return go_constraints_destroy((uintptr_t)constraints);
}

static ccd_status enter_slabs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, ccd_slab *slabs) {
    CCD_ENTER();
    return go_step_slabs((uintptr_t)mesh, (double *)x0, (double *)x1, n, count, (void *)slabs);
}

/* An error leaves slabs that every call refuses: one that merely owned no pairs would pass for a proof. */
ccd_status ccd_step_slabs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, ccd_slab *slabs) {
    ccd_status status = enter_slabs(mesh, x0, x1, n, count, slabs);
    if (status != CCD_OK && slabs != NULL && count <= CCD_MOST_SLABS) {
        for (size_t i = 0; i < count; i++) {
            slabs[i] = (ccd_slab){.lo = NAN, .hi = NAN};
        }
    }
    return status;
}

ccd_status ccd_step_slab_earliest(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_slab *slab,
                                  const ccd_options *options, ccd_impact *out) {
    ccd_impact_blank(out, 0, -1);
    CCD_ENTER();
    return go_step_slab_earliest((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)slab, (void *)options, out);
}

ccd_status ccd_step_slab_collisions(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_slab *slab,
                                    const ccd_options *options, ccd_impacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_step_slab_collisions((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)slab, (void *)options,
                                   (uintptr_t *)out);
}

ccd_status ccd_step_slab_size(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_slab *slab,
                              const ccd_options *options, double *alpha) {
    CCD_BLANK_COUNT(alpha);
    CCD_ENTER();
    return go_step_slab_size((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)slab, (void *)options, alpha);
}
