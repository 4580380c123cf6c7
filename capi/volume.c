/* volume.c - volumes of elements: topology, edits, steps. */
#include "_cgo_export.h"
#include "internal.h"

ccd_status ccd_volume_create(size_t vertices, const int32_t *kinds, size_t n, const int32_t *corners, size_t n_corners,
                             ccd_volume **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_volume_create(vertices, (int32_t *)kinds, n, (int32_t *)corners, n_corners, (uintptr_t *)out);
}

ccd_status ccd_volume_destroy(ccd_volume *volume) {
    CCD_ENTER();
    return go_volume_destroy((uintptr_t)volume);
}

ccd_status ccd_volume_counts(ccd_volume *volume, size_t *vertices, size_t *elements, size_t *edges, size_t *faces) {
    CCD_BLANK_COUNT(vertices);
    CCD_BLANK_COUNT(elements);
    CCD_BLANK_COUNT(edges);
    CCD_BLANK_COUNT(faces);
    CCD_ENTER();
    return go_volume_counts((uintptr_t)volume, vertices, elements, edges, faces);
}

ccd_status ccd_volume_edges(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_edges((uintptr_t)volume, dst, cap, count);
}

ccd_status ccd_volume_faces(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_faces((uintptr_t)volume, dst, cap, count);
}

ccd_status ccd_volume_elements(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_elements((uintptr_t)volume, dst, cap, count);
}

ccd_status ccd_volume_corners(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_corners((uintptr_t)volume, dst, cap, count);
}

ccd_status ccd_volume_origins(ccd_volume *volume, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_origins((uintptr_t)volume, dst, cap, count);
}

/* The number of what was not made. */
#define BLANK_NUMBER(out) ((out) == NULL ? (void)0 : (void)(*(out) = -1))

ccd_status ccd_volume_add_vertices(ccd_volume *volume, const int32_t *origin, size_t n, int32_t *first) {
    BLANK_NUMBER(first);
    CCD_ENTER();
    return go_volume_add_vertices((uintptr_t)volume, (int32_t *)origin, n, first);
}

ccd_status ccd_volume_add(ccd_volume *volume, const int32_t *kinds, size_t n, const int32_t *corners, size_t n_corners,
                          int32_t *first) {
    BLANK_NUMBER(first);
    CCD_ENTER();
    return go_volume_add((uintptr_t)volume, (int32_t *)kinds, n, (int32_t *)corners, n_corners, first);
}

ccd_status ccd_volume_remove(ccd_volume *volume, const int32_t *elements, size_t n) {
    CCD_ENTER();
    return go_volume_remove((uintptr_t)volume, (int32_t *)elements, n);
}

ccd_status ccd_volume_split(ccd_volume *volume, int32_t vertex, const int32_t *elements, size_t n, int32_t *fresh) {
    BLANK_NUMBER(fresh);
    CCD_ENTER();
    return go_volume_split((uintptr_t)volume, vertex, (int32_t *)elements, n, fresh);
}

ccd_status ccd_volume_merge(ccd_volume *volume, int32_t from, int32_t into) {
    CCD_ENTER();
    return go_volume_merge((uintptr_t)volume, from, into);
}

ccd_status ccd_volume_earliest(ccd_volume *volume, const double *x0, const double *x1, size_t n, uint32_t selection,
                               const ccd_options *options, ccd_volume_contact *out) {
    if (out != NULL) {
        static const ccd_volume_contact blank = {.vertices = {-1, -1, -1, -1}, .elements = {-1, -1}};
        *out = blank;
        ccd_impact_blank(&out->impact, 0, -1);
    }
    CCD_ENTER();
    return go_volume_earliest((uintptr_t)volume, (double *)x0, (double *)x1, n, selection, (void *)options, out);
}

ccd_status ccd_volume_collisions(ccd_volume *volume, const double *x0, const double *x1, size_t n, uint32_t selection,
                                 const ccd_options *options, ccd_volume_contacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_volume_collisions((uintptr_t)volume, (double *)x0, (double *)x1, n, selection, (void *)options,
                                (uintptr_t *)out);
}

ccd_status ccd_volume_contacts_count(ccd_volume_contacts *contacts, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_contacts_count((uintptr_t)contacts, count);
}

ccd_status ccd_volume_contacts_copy(ccd_volume_contacts *contacts, ccd_volume_contact *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_volume_contacts_copy((uintptr_t)contacts, dst, cap, count);
}

ccd_status ccd_volume_contacts_destroy(ccd_volume_contacts *contacts) {
    CCD_ENTER();
    return go_volume_contacts_destroy((uintptr_t)contacts);
}

ccd_status ccd_volume_trajectories(double *x0, const double *x1, const double *velocity, size_t n, double seconds,
                                   const int32_t *vertices, size_t count) {
    CCD_ENTER();
    return go_volume_trajectories(x0, (double *)x1, (double *)velocity, n, seconds, (int32_t *)vertices, count);
}

ccd_status ccd_cells_read(const char *path, ccd_cells **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_cells_read((char *)path, (uintptr_t *)out);
}

ccd_status ccd_cells_counts(ccd_cells *cells, size_t *vertices, size_t *elements, size_t *corners) {
    CCD_BLANK_COUNT(vertices);
    CCD_BLANK_COUNT(elements);
    CCD_BLANK_COUNT(corners);
    CCD_ENTER();
    return go_cells_counts((uintptr_t)cells, vertices, elements, corners);
}

ccd_status ccd_cells_copy(ccd_cells *cells, double *vertices, int32_t *kinds, int32_t *corners) {
    CCD_ENTER();
    return go_cells_copy((uintptr_t)cells, vertices, kinds, corners);
}

ccd_status ccd_cells_destroy(ccd_cells *cells) {
    CCD_ENTER();
    return go_cells_destroy((uintptr_t)cells);
}
