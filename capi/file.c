/* file.c - surfaces and queries from files. */
#include "_cgo_export.h"
#include "internal.h"

ccd_status ccd_file_read(const char *path, ccd_file **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_file_read((char *)path, (uintptr_t *)out);
}

ccd_status ccd_file_counts(ccd_file *file, size_t *vertices, size_t *edges, size_t *faces) {
    CCD_BLANK_COUNT(vertices);
    CCD_BLANK_COUNT(edges);
    CCD_BLANK_COUNT(faces);
    CCD_ENTER();
    return go_file_counts((uintptr_t)file, vertices, edges, faces);
}

ccd_status ccd_file_copy(ccd_file *file, double *vertices, int32_t *edges, int32_t *faces) {
    CCD_ENTER();
    return go_file_copy((uintptr_t)file, vertices, edges, faces);
}

ccd_status ccd_file_destroy(ccd_file *file) {
    CCD_ENTER();
    return go_file_destroy((uintptr_t)file);
}

ccd_status ccd_queries_read(const char *path, ccd_queries **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_queries_read((char *)path, (uintptr_t *)out);
}

ccd_status ccd_queries_count(ccd_queries *queries, size_t *count, int32_t *has_truth) {
    CCD_BLANK_COUNT(count);
    CCD_BLANK_COUNT(has_truth);
    CCD_ENTER();
    return go_queries_count((uintptr_t)queries, count, has_truth);
}

ccd_status ccd_queries_copy(ccd_queries *queries, double *q, int32_t *truth) {
    CCD_ENTER();
    return go_queries_copy((uintptr_t)queries, q, truth);
}

ccd_status ccd_queries_destroy(ccd_queries *queries) {
    CCD_ENTER();
    return go_queries_destroy((uintptr_t)queries);
}
