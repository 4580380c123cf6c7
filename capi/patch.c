/* patch.c - curved patches: bare pairs, bodies, manifolds. */
#include "_cgo_export.h"
#include "internal.h"

/* What an impact says when no call has written it: nothing is known, and no time is safe. */
static void blank(ccd_patch_impact *out) {
    static const ccd_patch_impact nothing = {.a = -1, .b = -1};
    if (out != NULL) {
        *out = nothing;
    }
}

ccd_status ccd_patch_pair(const ccd_patch_form *a, const double *a0, const double *a1, const double *wa,
                          const ccd_patch_form *b, const double *b0, const double *b1, const double *wb,
                          const ccd_options *options, ccd_patch_impact *out) {
    blank(out);
    CCD_ENTER();
    return go_patch_pair((void *)a, (double *)a0, (double *)a1, (double *)wa, (void *)b, (double *)b0, (double *)b1,
                         (double *)wb, (void *)options, out);
}

ccd_status ccd_patch_create(size_t points, const ccd_patch_form *forms, size_t n, const int32_t *index, size_t n_index,
                            const double *weights, ccd_patch **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_patch_create(points, (void *)forms, n, (int32_t *)index, n_index, (double *)weights, (uintptr_t *)out);
}

ccd_status ccd_patch_create_nurbs(int32_t u, int32_t v, const double *knots_u, size_t n_knots_u, const double *knots_v,
                                  size_t n_knots_v, const double *weights, ccd_patch **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_patch_create_nurbs(u, v, (double *)knots_u, n_knots_u, (double *)knots_v, n_knots_v, (double *)weights,
                                 (uintptr_t *)out);
}

ccd_status ccd_patch_destroy(ccd_patch *body) {
    CCD_ENTER();
    return go_patch_destroy((uintptr_t)body);
}

ccd_status ccd_patch_counts(ccd_patch *body, size_t *points, size_t *patches) {
    CCD_BLANK_COUNT(points);
    CCD_BLANK_COUNT(patches);
    CCD_ENTER();
    return go_patch_counts((uintptr_t)body, points, patches);
}

ccd_status ccd_patch_earliest(ccd_patch *a, const double *a0, const double *a1, size_t n_a, ccd_patch *b, const double *b0,
                              const double *b1, size_t n_b, const ccd_options *options, ccd_patch_impact *out) {
    blank(out);
    CCD_ENTER();
    return go_patch_earliest((uintptr_t)a, (double *)a0, (double *)a1, n_a, (uintptr_t)b, (double *)b0, (double *)b1, n_b,
                             (void *)options, out);
}

ccd_status ccd_patch_collisions(ccd_patch *a, const double *a0, const double *a1, size_t n_a, ccd_patch *b,
                                const double *b0, const double *b1, size_t n_b, const ccd_options *options,
                                ccd_patch_impacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_patch_collisions((uintptr_t)a, (double *)a0, (double *)a1, n_a, (uintptr_t)b, (double *)b0, (double *)b1, n_b,
                               (void *)options, (uintptr_t *)out);
}

ccd_status ccd_patch_manifold(ccd_patch *a, const double *a0, const double *a1, size_t n_a, ccd_patch *b, const double *b0,
                              const double *b1, size_t n_b, double lag, double apart, const ccd_options *options,
                              ccd_patch_impacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_patch_manifold((uintptr_t)a, (double *)a0, (double *)a1, n_a, (uintptr_t)b, (double *)b0, (double *)b1, n_b,
                             lag, apart, (void *)options, (uintptr_t *)out);
}

/* What was left out when no call has said: nothing is known from the start. */
static void blank_left(ccd_patch_left *left) {
    static const ccd_patch_left unknown = {0, 0};
    if (left != NULL) {
        *left = unknown;
    }
}

ccd_status ccd_patch_self_earliest(ccd_patch *body, const double *x0, const double *x1, size_t n, double neighbourhood,
                                   const ccd_options *options, ccd_patch_impact *out, ccd_patch_left *left) {
    blank(out);
    blank_left(left);
    CCD_ENTER();
    return go_patch_self_earliest((uintptr_t)body, (double *)x0, (double *)x1, n, neighbourhood, (void *)options, out,
                                  left);
}

ccd_status ccd_patch_self_collisions(ccd_patch *body, const double *x0, const double *x1, size_t n, double neighbourhood,
                                     const ccd_options *options, ccd_patch_impacts **out, ccd_patch_left *left) {
    CCD_BLANK_HANDLE(out);
    blank_left(left);
    CCD_ENTER();
    return go_patch_self_collisions((uintptr_t)body, (double *)x0, (double *)x1, n, neighbourhood, (void *)options,
                                    (uintptr_t *)out, left);
}

ccd_status ccd_patch_self_manifold(ccd_patch *body, const double *x0, const double *x1, size_t n, double lag, double apart,
                                   double neighbourhood, const ccd_options *options, ccd_patch_impacts **out,
                                   ccd_patch_left *left) {
    CCD_BLANK_HANDLE(out);
    blank_left(left);
    CCD_ENTER();
    return go_patch_self_manifold((uintptr_t)body, (double *)x0, (double *)x1, n, lag, apart, neighbourhood,
                                  (void *)options, (uintptr_t *)out, left);
}

ccd_status ccd_patch_impacts_count(ccd_patch_impacts *impacts, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_patch_impacts_count((uintptr_t)impacts, count);
}

ccd_status ccd_patch_impacts_copy(ccd_patch_impacts *impacts, ccd_patch_impact *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_patch_impacts_copy((uintptr_t)impacts, dst, cap, count);
}

ccd_status ccd_patch_impacts_destroy(ccd_patch_impacts *impacts) {
    CCD_ENTER();
    return go_patch_impacts_destroy((uintptr_t)impacts);
}

ccd_status ccd_patch_file_read(const char *path, ccd_patch_file **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_patch_file_read((char *)path, (uintptr_t *)out);
}

ccd_status ccd_patch_file_counts(ccd_patch_file *file, size_t *points, size_t *patches, size_t *indices, size_t *weights,
                                 double *lost) {
    CCD_BLANK_COUNT(points);
    CCD_BLANK_COUNT(patches);
    CCD_BLANK_COUNT(indices);
    CCD_BLANK_COUNT(weights);
    CCD_ENTER();
    return go_patch_file_counts((uintptr_t)file, points, patches, indices, weights, lost);
}

ccd_status ccd_patch_file_copy(ccd_patch_file *file, double *points, ccd_patch_form *forms, int32_t *index,
                               double *weights) {
    CCD_ENTER();
    return go_patch_file_copy((uintptr_t)file, points, forms, index, weights);
}

ccd_status ccd_patch_file_destroy(ccd_patch_file *file) {
    CCD_ENTER();
    return go_patch_file_destroy((uintptr_t)file);
}
