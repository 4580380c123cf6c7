/* rigid.c - rigid bodies and the earliest contact of two of them. */
#include "_cgo_export.h"
#include "internal.h"

#include <math.h>
#include <string.h>

void ccd_rigid_options_init(ccd_rigid_options *options, size_t struct_size) {
    const ccd_rigid_options defaults = {
        .struct_size = struct_size,
        .t1 = 1,
        .separation = 1e-10,
        .tolerance = 1e-10,
        .max_steps = 1000000,
    };
    if (options == NULL) {
        return;
    }
    memset(options, 0, struct_size);
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* The answers that promise nothing. */
static void blank(ccd_rigid_impact *out, size_t count) {
    for (size_t i = 0; out != NULL && count <= CCD_MOST_ITEMS && i < count; i++) {
        out[i] = (ccd_rigid_impact){.toi_lo = -INFINITY, .toi_hi = INFINITY, .face_a = -1, .face_b = -1};
    }
}

ccd_status ccd_rigid_body_create(const double *vertices, size_t n_vertices, const int32_t *faces, size_t n_faces,
                                 ccd_rigid_body **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_rigid_body_create((double *)vertices, n_vertices, (int32_t *)faces, n_faces, (uintptr_t *)out);
}

ccd_status ccd_rigid_body_destroy(ccd_rigid_body *body) {
    CCD_ENTER();
    return go_rigid_body_destroy((uintptr_t)body);
}

ccd_status ccd_rigid_earliest(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              const ccd_rigid_options *options, ccd_rigid_impact *out) {
    return ccd_rigid_batch(a, ma, b, mb, 1, options, out);
}

static ccd_status enter_batch(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              size_t count, const ccd_rigid_options *options, ccd_rigid_impact *out) {
    CCD_ENTER();
    return go_rigid_batch((uintptr_t)a, (void *)ma, (uintptr_t)b, (void *)mb, count, (void *)options, out);
}

ccd_status ccd_rigid_batch(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                           size_t count, const ccd_rigid_options *options, ccd_rigid_impact *out) {
    ccd_status status = enter_batch(a, ma, b, mb, count, options, out);
    if (status != CCD_OK) {
        blank(out, count);
    }
    return status;
}

ccd_status ccd_rigid_pose(const ccd_rigid_motion *motion, double t, double rotation[4], double position[3]) {
    if (rotation != NULL) {
        memset(rotation, 0, 4 * sizeof *rotation);
    }
    if (position != NULL) {
        memset(position, 0, 3 * sizeof *position);
    }
    CCD_ENTER();
    return go_rigid_pose((void *)motion, t, rotation, position);
}

ccd_status ccd_rigid_between(const double rotation0[4], const double position0[3], const double rotation1[4],
                             const double position1[3], double duration, const double *pivot, ccd_rigid_motion *out) {
    if (out != NULL) {
        memset(out, 0, sizeof *out);
    }
    CCD_ENTER();
    return go_rigid_between((double *)rotation0, (double *)position0, (double *)rotation1, (double *)position1, duration,
                            (double *)pivot, out);
}

ccd_status ccd_rigid_screw(const double rotation[4], const double position[3], const double on[3], const double spin[3],
                           double slide, ccd_rigid_motion *out) {
    if (out != NULL) {
        memset(out, 0, sizeof *out);
    }
    CCD_ENTER();
    return go_rigid_screw((double *)rotation, (double *)position, (double *)on, (double *)spin, slide, out);
}

ccd_status ccd_rigid_scene_earliest(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                    const int32_t *groups, const int32_t *skip, size_t n_skip,
                                    const ccd_rigid_options *rigid, const ccd_options *options, ccd_rigid_contact *out) {
    if (out != NULL) {
        out->a = out->b = -1;
        blank(&out->impact, 1);
    }
    CCD_ENTER();
    return go_rigid_scene_earliest((uintptr_t *)bodies, (void *)motions, count, (int32_t *)groups, (void *)skip, n_skip,
                                   (void *)rigid, (void *)options, out);
}

ccd_status ccd_rigid_scene_contacts(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                    const int32_t *groups, const int32_t *skip, size_t n_skip,
                                    const ccd_rigid_options *rigid, const ccd_options *options, ccd_rigid_contacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_rigid_scene_contacts((uintptr_t *)bodies, (void *)motions, count, (int32_t *)groups, (void *)skip, n_skip,
                                   (void *)rigid, (void *)options, (uintptr_t *)out);
}

ccd_status ccd_rigid_contacts_count(ccd_rigid_contacts *contacts, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_rigid_contacts_count((uintptr_t)contacts, count);
}

ccd_status ccd_rigid_contacts_copy(ccd_rigid_contacts *contacts, ccd_rigid_contact *dst, size_t cap, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_rigid_contacts_copy((uintptr_t)contacts, dst, cap, count);
}

ccd_status ccd_rigid_contacts_destroy(ccd_rigid_contacts *contacts) {
    CCD_ENTER();
    return go_rigid_contacts_destroy((uintptr_t)contacts);
}

ccd_status ccd_rigid_mesh_earliest(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                   ccd_mesh *mesh, const double *x0, const double *x1, size_t n,
                                   const ccd_rigid_options *rigid, const ccd_options *options,
                                   ccd_rigid_mesh_contact *out) {
    if (out != NULL) {
        out->body = -1;
        out->element = out->reserved = 0;
        blank(&out->impact, 1);
    }
    CCD_ENTER();
    return go_rigid_mesh_earliest((uintptr_t *)bodies, (void *)motions, count, (uintptr_t)mesh, (double *)x0, (double *)x1,
                                  n, (void *)rigid, (void *)options, out);
}

ccd_status ccd_rigid_mesh_collisions(ccd_rigid_body *const *bodies, const ccd_rigid_motion *motions, size_t count,
                                     ccd_mesh *mesh, const double *x0, const double *x1, size_t n,
                                     const ccd_rigid_options *rigid, const ccd_options *options,
                                     ccd_rigid_mesh_contacts **out) {
    CCD_BLANK_HANDLE(out);
    CCD_ENTER();
    return go_rigid_mesh_collisions((uintptr_t *)bodies, (void *)motions, count, (uintptr_t)mesh, (double *)x0,
                                    (double *)x1, n, (void *)rigid, (void *)options, (uintptr_t *)out);
}

ccd_status ccd_rigid_mesh_contacts_count(ccd_rigid_mesh_contacts *contacts, size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_rigid_mesh_contacts_count((uintptr_t)contacts, count);
}

ccd_status ccd_rigid_mesh_contacts_copy(ccd_rigid_mesh_contacts *contacts, ccd_rigid_mesh_contact *dst, size_t cap,
                                        size_t *count) {
    CCD_BLANK_COUNT(count);
    CCD_ENTER();
    return go_rigid_mesh_contacts_copy((uintptr_t)contacts, dst, cap, count);
}

ccd_status ccd_rigid_mesh_contacts_destroy(ccd_rigid_mesh_contacts *contacts) {
    CCD_ENTER();
    return go_rigid_mesh_contacts_destroy((uintptr_t)contacts);
}
