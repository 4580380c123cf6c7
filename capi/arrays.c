/* arrays.c - the calls with an array of results. It takes its safe values only after a failure. */
#include "_cgo_export.h"
#include "safe.h"

void ccd_impacts_safe(ccd_impact *out, size_t n, int32_t kind) {
    if (out == NULL || n > CCD_MAX_ITEMS) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ccd_safe_impact(&out[i]);
        out[i].kind = kind;
        out[i].a = (int64_t)i;
    }
}

static ccd_status enter_step_pairs(ccd_step *step, int32_t kind, const int64_t *pairs, size_t count,
                                   const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_step_run_pairs((uintptr_t)step, kind, (void *)pairs, count, (void *)options, out);
}

ccd_status ccd_step_run_pairs(ccd_step *step, int32_t kind, const int64_t *pairs, size_t count, const ccd_options *options,
                              ccd_impact *out) {
    ccd_status status = enter_step_pairs(step, kind, pairs, count, options, out);
    if (status != CCD_OK) {
        ccd_impacts_safe(out, count, kind);
    }
    return status;
}

static ccd_status enter_worlds(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count,
                               const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_step_earliest_batch((uintptr_t)mesh, (double *)x0, (double *)x1, n, count, (void *)options, out);
}

ccd_status ccd_step_earliest_batch(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count,
                                   const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_worlds(mesh, x0, x1, n, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_impact(&out[i]);
    }
    return status;
}

static ccd_status enter_advances(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, double share,
                                 const ccd_options *options, double *alphas, double *x, ccd_impact *out) {
    CCD_ENTER();
    return go_step_advance_batch((uintptr_t)mesh, (double *)x0, (double *)x1, n, count, share, (void *)options, alphas, x,
                                 out);
}

ccd_status ccd_step_advance_batch(ccd_mesh *mesh, const double *x0, const double *x1, size_t n, size_t count, double share,
                                  const ccd_options *options, double *alphas, double *x, ccd_impact *out) {
    ccd_status status = enter_advances(mesh, x0, x1, n, count, share, options, alphas, x, out);
    if (status == CCD_OK || count > CCD_MAX_ITEMS) {
        return status;
    }
    ccd_safe_zeros(alphas, count * sizeof *alphas);
    for (size_t i = 0; out != NULL && i < count; i++) {
        ccd_safe_impact(&out[i]);
    }
    return status;
}

static ccd_status enter_batch(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              size_t count, const ccd_options *options, ccd_rigid_impact *out) {
    CCD_ENTER();
    return go_rigid_earliest_batch((uintptr_t)a, (void *)ma, (uintptr_t)b, (void *)mb, count, (void *)options, out);
}

ccd_status ccd_rigid_earliest_batch(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b,
                                    const ccd_rigid_motion *mb, size_t count, const ccd_options *options,
                                    ccd_rigid_impact *out) {
    ccd_status status = enter_batch(a, ma, b, mb, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_rigid_impact(&out[i]);
    }
    return status;
}

ccd_status ccd_rigid_earliest(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                              const ccd_options *options, ccd_rigid_impact *out) {
    return ccd_rigid_earliest_batch(a, ma, b, mb, 1, options, out);
}

static ccd_status enter_distances(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b, const ccd_rigid_pose *pb,
                                  size_t count, const ccd_options *options, ccd_rigid_gap *out) {
    CCD_ENTER();
    return go_rigid_distance_batch((uintptr_t)a, (void *)pa, (uintptr_t)b, (void *)pb, count, (void *)options, out);
}

ccd_status ccd_rigid_distance_batch(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                    const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                    ccd_rigid_gap *out) {
    ccd_status status = enter_distances(a, pa, b, pb, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_rigid_gap(&out[i]);
    }
    return status;
}

ccd_status ccd_rigid_distance(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b, const ccd_rigid_pose *pb,
                              const ccd_options *options, ccd_rigid_gap *out) {
    return ccd_rigid_distance_batch(a, pa, b, pb, 1, options, out);
}

static ccd_status enter_profile(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b,
                                const ccd_rigid_motion *mb, const double *times, size_t count, const ccd_options *options,
                                ccd_rigid_gap *out) {
    CCD_ENTER();
    return go_rigid_profile((uintptr_t)a, (void *)ma, (uintptr_t)b, (void *)mb, (void *)times, count, (void *)options, out);
}

ccd_status ccd_rigid_profile(ccd_rigid_body *a, const ccd_rigid_motion *ma, ccd_rigid_body *b, const ccd_rigid_motion *mb,
                             const double *times, size_t count, const ccd_options *options, ccd_rigid_gap *out) {
    ccd_status status = enter_profile(a, ma, b, mb, times, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_rigid_gap(&out[i]);
    }
    return status;
}

static ccd_status enter_step_profile(ccd_step *step, const double *times, size_t count, const ccd_options *options,
                                     ccd_clearance *out) {
    CCD_ENTER();
    return go_step_run_profile((uintptr_t)step, (void *)times, count, (void *)options, out);
}

ccd_status ccd_step_run_profile(ccd_step *step, const double *times, size_t count, const ccd_options *options,
                                ccd_clearance *out) {
    ccd_status status = enter_step_profile(step, times, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_clearance(&out[i]);
    }
    return status;
}

static ccd_status enter_distance_gradients(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                           const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                           ccd_rigid_gap_gradient *out) {
    CCD_ENTER();
    return go_rigid_distance_gradients((uintptr_t)a, (void *)pa, (uintptr_t)b, (void *)pb, count, (void *)options, out);
}

ccd_status ccd_rigid_distance_gradients(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                        const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                        ccd_rigid_gap_gradient *out) {
    ccd_status status = enter_distance_gradients(a, pa, b, pb, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        out[i] = (ccd_rigid_gap_gradient){.state = CCD_GRADIENT_UNDETERMINED};
        ccd_safe_rigid_gap(&out[i].gap);
        for (int k = 0; k < 3; k++) {
            out[i].position_a[k] = out[i].rotation_a[k] = out[i].position_b[k] = out[i].rotation_b[k] = NAN;
        }
    }
    return status;
}

static ccd_status enter_penetrations(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                     const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                     ccd_rigid_penetration *out) {
    CCD_ENTER();
    return go_rigid_penetration_batch((uintptr_t)a, (void *)pa, (uintptr_t)b, (void *)pb, count, (void *)options, out);
}

ccd_status ccd_rigid_penetration_batch(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                       const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                       ccd_rigid_penetration *out) {
    ccd_status status = enter_penetrations(a, pa, b, pb, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_rigid_penetration(&out[i]);
    }
    return status;
}

ccd_status ccd_rigid_penetration_depth(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                       const ccd_rigid_pose *pb, const ccd_options *options, ccd_rigid_penetration *out) {
    return ccd_rigid_penetration_batch(a, pa, b, pb, 1, options, out);
}

static ccd_status enter_penetration_gradients(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                              const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                              ccd_rigid_penetration_gradient *out) {
    CCD_ENTER();
    return go_rigid_penetration_gradients((uintptr_t)a, (void *)pa, (uintptr_t)b, (void *)pb, count, (void *)options, out);
}

ccd_status ccd_rigid_penetration_gradients(ccd_rigid_body *a, const ccd_rigid_pose *pa, ccd_rigid_body *b,
                                           const ccd_rigid_pose *pb, size_t count, const ccd_options *options,
                                           ccd_rigid_penetration_gradient *out) {
    ccd_status status = enter_penetration_gradients(a, pa, b, pb, count, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        out[i] = (ccd_rigid_penetration_gradient){.state = CCD_GRADIENT_UNDETERMINED};
        ccd_safe_rigid_penetration(&out[i].penetration);
        for (int k = 0; k < 3; k++) {
            out[i].position_a[k] = out[i].rotation_a[k] = out[i].position_b[k] = out[i].rotation_b[k] = NAN;
        }
    }
    return status;
}

static ccd_status enter_robot(ccd_robot *robot, const double *q0, const double *q1, size_t count, int32_t path, int32_t any,
                              const ccd_options *options, ccd_robot_edge *out) {
    CCD_ENTER();
    return go_robot_check((uintptr_t)robot, (double *)q0, (double *)q1, count, path, any, (void *)options, out);
}

static ccd_status check_robot(ccd_robot *robot, const double *q0, const double *q1, size_t count, int32_t path, int32_t any,
                              const ccd_options *options, ccd_robot_edge *out) {
    ccd_status status = enter_robot(robot, q0, q1, count, path, any, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_robot_edge(&out[i]);
    }
    return status;
}

ccd_status ccd_robot_check_edge(ccd_robot *robot, const double *q0, const double *q1, int32_t any,
                                const ccd_options *options, ccd_robot_edge *out) {
    return check_robot(robot, q0, q1, 1, 0, any, options, out);
}

ccd_status ccd_robot_check_edges(ccd_robot *robot, const double *q0, const double *q1, size_t count, int32_t any,
                                 const ccd_options *options, ccd_robot_edge *out) {
    return check_robot(robot, q0, q1, count, 0, any, options, out);
}

ccd_status ccd_robot_check_path(ccd_robot *robot, const double *waypoints, size_t count, int32_t any,
                                const ccd_options *options, ccd_robot_edge *out) {
    return check_robot(robot, waypoints, NULL, count == 0 ? 0 : count - 1, 1, any, options, out);
}

static ccd_status enter_curves(ccd_robot *robot, const double *control, int32_t degree, size_t count, int32_t any,
                               const ccd_options *options, ccd_robot_edge *out) {
    CCD_ENTER();
    return go_robot_check_curves((uintptr_t)robot, (double *)control, degree, count, any, (void *)options, out);
}

ccd_status ccd_robot_check_curves(ccd_robot *robot, const double *control, int32_t degree, size_t count, int32_t any,
                                  const ccd_options *options, ccd_robot_edge *out) {
    ccd_status status = enter_curves(robot, control, degree, count, any, options, out);
    for (size_t i = 0; status != CCD_OK && out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        ccd_safe_robot_edge(&out[i]);
    }
    return status;
}

static ccd_status enter_clearance(ccd_robot *robot, const double *control, int32_t degree, size_t count, size_t parts,
                                  const ccd_options *options, ccd_rigid_scene_gap *out) {
    CCD_ENTER();
    return go_robot_clearance((uintptr_t)robot, (double *)control, degree, count, parts, (void *)options, out);
}

ccd_status ccd_robot_clearance(ccd_robot *robot, const double *control, int32_t degree, size_t count, size_t parts,
                               const ccd_options *options, ccd_rigid_scene_gap *out) {
    ccd_status status = enter_clearance(robot, control, degree, count, parts, options, out);
    if (status != CCD_OK && out != NULL && parts > 0 && count <= CCD_MAX_ITEMS / parts) {
        for (size_t i = 0; i < count * parts; i++) {
            ccd_safe_rigid_scene_gap(&out[i]);
        }
    }
    return status;
}

/* After an error no derivative is known. */
static void gradients_safe(ccd_gradient *out, size_t count) {
    for (size_t i = 0; out != NULL && count <= CCD_MAX_ITEMS && i < count; i++) {
        out[i] = (ccd_gradient){.toi = NAN, .vertices = {-1, -1, -1, -1}, .state = CCD_GRADIENT_UNDETERMINED};
        for (int k = 0; k < 12; k++) {
            out[i].x0[k] = out[i].x1[k] = NAN;
        }
    }
}

static ccd_status enter_step_gradients(ccd_step *step, const ccd_impact *impacts, size_t count, const ccd_options *options,
                                       ccd_gradient *out) {
    CCD_ENTER();
    return go_step_run_gradients((uintptr_t)step, (void *)impacts, count, (void *)options, out);
}

ccd_status ccd_step_run_gradients(ccd_step *step, const ccd_impact *impacts, size_t count, const ccd_options *options,
                                  ccd_gradient *out) {
    ccd_status status = enter_step_gradients(step, impacts, count, options, out);
    if (status != CCD_OK) {
        gradients_safe(out, count);
    }
    return status;
}

static ccd_status enter_pairs_gradients(int32_t kind, const double *q, size_t count, const ccd_options *options,
                                        ccd_gradient *out) {
    CCD_ENTER();
    return go_pairs_gradients(kind, (double *)q, count, (void *)options, out);
}

ccd_status ccd_pairs_gradients(int32_t kind, const double *q, size_t count, const ccd_options *options, ccd_gradient *out) {
    ccd_status status = enter_pairs_gradients(kind, q, count, options, out);
    if (status != CCD_OK) {
        gradients_safe(out, count);
    }
    return status;
}

static ccd_status enter_motion_pairs(ccd_motion *motion, int32_t kind, const int32_t *vertices, size_t count,
                                     const ccd_options *options, ccd_impact *out) {
    CCD_ENTER();
    return go_motion_pairs((uintptr_t)motion, kind, (int32_t *)vertices, count, (void *)options, out);
}

ccd_status ccd_motion_pairs(ccd_motion *motion, int32_t kind, const int32_t *vertices, size_t count,
                            const ccd_options *options, ccd_impact *out) {
    ccd_status status = enter_motion_pairs(motion, kind, vertices, count, options, out);
    if (status != CCD_OK) {
        ccd_impacts_safe(out, count, kind);
    }
    return status;
}
