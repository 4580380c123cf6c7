/* broad.c - the candidates of a step. */
#include "_cgo_export.h"
#include "internal.h"

ccd_status ccd_broad_candidates(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, const ccd_options *options,
                                ccd_candidates **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_broad_candidates((uintptr_t)mesh, (double *)x0, (double *)x1, n, (void *)options, (uintptr_t *)out);
}

ccd_status ccd_candidates_count(ccd_candidates *candidates, size_t *vertex_face, size_t *edge_edge) {
    CCD_BLANK_COUNT(vertex_face);
    CCD_BLANK_COUNT(edge_edge);
    CCD_ENTER();
    return go_candidates_count((uintptr_t)candidates, vertex_face, edge_edge);
}

ccd_status ccd_candidates_count_kind(ccd_candidates *candidates, int32_t kind, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_candidates_count_kind((uintptr_t)candidates, kind, count);
}

ccd_status ccd_candidates_copy(ccd_candidates *candidates, int32_t kind, int64_t *pairs, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_candidates_copy((uintptr_t)candidates, kind, pairs, cap, count);
}

ccd_status ccd_candidates_destroy(ccd_candidates *candidates) {
    CCD_ENTER();
    return go_candidates_destroy((uintptr_t)candidates);
}
