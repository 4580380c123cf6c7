/* pair.c - queries of one pair, and batches of them. */
#include "_cgo_export.h"
#include "internal.h"

#include <math.h>
#include <string.h>

void ccd_impact_blank(ccd_impact *out, int32_t kind, int64_t a) {
    if (out == NULL) {
        return;
    }
    memset(out, 0, sizeof *out);
    out->verdict = CCD_UNDECIDED;
    out->kind = kind;
    out->a = a;
    out->b = -1;
    out->toi_hi = 1;
    out->width = INFINITY;
}

void ccd_impacts_blank(ccd_impact *out, size_t n, int32_t kind) {
    if (out == NULL || n > CCD_MOST_ITEMS) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ccd_impact_blank(out + i, kind, (int64_t)i);
    }
}

static ccd_status enter_pair(int32_t kind, const double *q, const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_pair(kind, (double *)q, (void *)options, out);
}

static ccd_status enter_pairs(int32_t kind, const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_pairs(kind, (double *)q, n, (void *)options, out);
}

/* One pair. The answer is blanked only after a failure: the write would be a good part of what a quick query costs. */
static ccd_status pair(int32_t kind, const double *q, const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_pair(kind, q, options, out);
    if (status != CCD_OK) {
        ccd_impact_blank(out, kind, -1);
    }
    return status;
}

static ccd_status pairs(int32_t kind, const double *q, size_t n, const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_pairs(kind, q, n, options, out);
    if (status != CCD_OK) {
        ccd_impacts_blank(out, n, kind);
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
