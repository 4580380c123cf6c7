/* pair.c - queries of one pair, and batches of them. */
#include "_cgo_export.h"
#include "safe.h"

static ccd_status enter_pair(int32_t kind, const double *q, const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_pair(kind, (double *)q, (void *)options, out);
}

static ccd_status enter_pairs(int32_t kind, const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_pairs(kind, (double *)q, n, (void *)options, out);
}

/* The safe values are written only after a failure: writing them first would take a good part of a quick query's time. */
static ccd_status pair(int32_t kind, const double *q, const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_pair(kind, q, options, out);
    if (status != CCD_OK) {
        ccd_safe_impact(out);
        if (out != NULL) {
            out->kind = kind;
        }
    }
    return status;
}

static ccd_status pairs(int32_t kind, const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_pairs(kind, q, n, options, out);
    if (status != CCD_OK) {
        ccd_impacts_safe(out, n, kind);
    }
    return status;
}

ccd_status ccd_pair_vertex_face(const double q[24], const ccd_options *options, ccd_impact *out) {
    return pair(CCD_VERTEX_FACE, q, options, out);
}

ccd_status ccd_pairs_vertex_face(const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    return pairs(CCD_VERTEX_FACE, q, n, options, out);
}

ccd_status ccd_pair_edge_edge(const double q[24], const ccd_options *options, ccd_impact *out) {
    return pair(CCD_EDGE_EDGE, q, options, out);
}

ccd_status ccd_pairs_edge_edge(const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    return pairs(CCD_EDGE_EDGE, q, n, options, out);
}

ccd_status ccd_pair_point_edge(const double q[18], const ccd_options *options, ccd_impact *out) {
    return pair(CCD_POINT_EDGE, q, options, out);
}

ccd_status ccd_pairs_point_edge(const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    return pairs(CCD_POINT_EDGE, q, n, options, out);
}

ccd_status ccd_pair_point_point(const double q[12], const ccd_options *options, ccd_impact *out) {
    return pair(CCD_POINT_POINT, q, options, out);
}

ccd_status ccd_pairs_point_point(const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    return pairs(CCD_POINT_POINT, q, n, options, out);
}
