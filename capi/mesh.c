/* mesh.c - the topology of a surface and its filters. */
#include "_cgo_export.h"
#include "internal.h"

ccd_status ccd_mesh_create(size_t vertices, const int32_t *edges, size_t n_edges, const int32_t *faces, size_t n_faces,
                           ccd_mesh **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_mesh_create(vertices, (int32_t *)edges, n_edges, (int32_t *)faces, n_faces, (uintptr_t *)out);
}

ccd_status ccd_mesh_destroy(ccd_mesh *mesh) {
    CCD_ENTER();
    return go_mesh_destroy((uintptr_t)mesh);
}

ccd_status ccd_mesh_counts(ccd_mesh *mesh, size_t *vertices, size_t *edges, size_t *faces) {
    CCD_BLANK_COUNT(vertices);
    CCD_BLANK_COUNT(edges);
    CCD_BLANK_COUNT(faces);
    CCD_ENTER();
    return go_mesh_counts((uintptr_t)mesh, vertices, edges, faces);
}

ccd_status ccd_mesh_edges(ccd_mesh *mesh, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_mesh_edges((uintptr_t)mesh, dst, cap, count);
}

ccd_status ccd_mesh_faces(ccd_mesh *mesh, int32_t *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_mesh_faces((uintptr_t)mesh, dst, cap, count);
}

ccd_status ccd_mesh_set_patches(ccd_mesh *mesh, const int32_t *patch, size_t n) {
    CCD_ENTER();
    return go_mesh_set_patches((uintptr_t)mesh, (int32_t *)patch, n);
}

ccd_status ccd_mesh_set_components(ccd_mesh *mesh) {
    CCD_ENTER();
    return go_mesh_set_components((uintptr_t)mesh);
}

ccd_status ccd_mesh_set_static(ccd_mesh *mesh, const uint8_t *is_static, size_t n) {
    CCD_ENTER();
    return go_mesh_set_static((uintptr_t)mesh, (uint8_t *)is_static, n);
}

ccd_status ccd_mesh_set_excluded(ccd_mesh *mesh, int32_t kind, const int64_t *pairs, size_t count) {
    CCD_ENTER();
    return go_mesh_set_excluded((uintptr_t)mesh, kind, (void *)pairs, count);
}
