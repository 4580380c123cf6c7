/* step.c - whole steps. */
#include "_cgo_export.h"
#include "internal.h"

ccd_status ccd_step_earliest(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                             ccd_impact *out) {
    ccd_impact_blank(out, 0, -1);
    CCD_REFUSE_FORKED();
    return go_step_earliest((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, out);
}

ccd_status ccd_step_collisions(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                               ccd_impacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_REFUSE_FORKED();
    return go_step_collisions((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, (uintptr_t *)out);
}

ccd_status ccd_step_pairs(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, int32_t kind, const int64_t *pairs,
                          size_t count, const ccd_options *options, ccd_impact *out) {
    ccd_status status = ccd_is_forked() ? ccd_error_forked()
                                        : go_step_pairs((uintptr_t)mesh, (double *)x0, (double *)x1, n, kind, (void *)pairs,
                                                        count, (void *)options, out);
    if (status != CCD_OK) {
        ccd_impacts_blank(out, count, kind);
    }
    return status;
}

ccd_status ccd_step_size(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                         double *alpha) {
    CCD_BLANK_COUNT(alpha);
    CCD_REFUSE_FORKED();
    return go_step_size((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, alpha);
}

ccd_status ccd_impacts_count(ccd_impacts *impacts, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_REFUSE_FORKED();
    return go_impacts_count((uintptr_t)impacts, count);
}

ccd_status ccd_impacts_copy(ccd_impacts *impacts, ccd_impact *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_REFUSE_FORKED();
    return go_impacts_copy((uintptr_t)impacts, dst, cap, count);
}

ccd_status ccd_impacts_destroy(ccd_impacts *impacts) {
    CCD_REFUSE_FORKED();
    return go_impacts_destroy((uintptr_t)impacts);
}
