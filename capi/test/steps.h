/*
 * steps.h - calls on a step that is made for one call. A test that is about a call and not about ccd_step says what moves in the call
 * itself: step_sizes(mesh, x0, x1, n, ...) is ccd_step_create and ccd_step_run_sizes.
 */
#ifndef CCD_TEST_STEPS_H
#define CCD_TEST_STEPS_H

#include <ccd.h>

/* Runs a call on the step that create makes. Where it cannot, the call still gives its results their safe values. */
#define ON_STEP(create, run)                                                                                               \
    ccd_step *step = NULL;                                                                                                 \
    ccd_status made = create, status = run;                                                                                \
    if (made != CCD_OK) {                                                                                                  \
        return create; /* again, for the message */                                                                        \
    }                                                                                                                      \
    return ccd_step_destroy(step) == CCD_OK ? status : CCD_E_INTERNAL
#define X const double *x0, const double *x1, size_t n
#define O const ccd_options *options
#define MESH_STEP(run) ON_STEP(ccd_step_create(mesh, x0, x1, n, &step), run)
#define CANDIDATES_STEP(run) ON_STEP(ccd_step_create_candidates(candidates, x0, x1, n, &step), run)
#define NEIGHBORS_STEP(run) ON_STEP(ccd_step_create_neighbors(neighbors, x0, x1, n, &step), run)
#define SCENE_STEP(run) ON_STEP(ccd_step_create_scene(scene, moved, x1, count, &step), run)
#define MOTION_STEP(run) ON_STEP(ccd_step_create_motion(mesh, motion, &step), run)
#define CANDIDATES_MOTION_STEP(run) ON_STEP(ccd_step_create_candidates_motion(candidates, motion, &step), run)

static inline ccd_status step_visit(ccd_mesh *mesh, X, O, ccd_visitor visit, void *user) {
    MESH_STEP(ccd_step_run_visit(step, options, visit, user));
}
static inline ccd_status step_pairs(ccd_mesh *mesh, X, int32_t kind, const int64_t *pairs, size_t pair_count, O,
                                    ccd_impact *out) {
    MESH_STEP(ccd_step_run_pairs(step, kind, pairs, pair_count, options, out));
}
static inline ccd_status step_intervals(ccd_mesh *mesh, X, O, ccd_intervals **out) {
    MESH_STEP(ccd_step_run_intervals(step, options, out));
}
static inline ccd_status step_pairs_intervals(ccd_mesh *mesh, X, int32_t kind, const int64_t *pairs, size_t pair_count, O,
                                              ccd_intervals **out) {
    MESH_STEP(ccd_step_run_pairs_intervals(step, kind, pairs, pair_count, options, out));
}
static inline ccd_status step_clearance(ccd_mesh *mesh, X, O, ccd_clearance *out) {
    MESH_STEP(ccd_step_run_clearance(step, options, out));
}
static inline ccd_status step_sizes(ccd_mesh *mesh, X, const int32_t *groups, double share, double keep_ratio,
                                    int64_t max_passes, O, double *alphas, double *y, ccd_sizes_report *out) {
    MESH_STEP(ccd_step_run_sizes(step, groups, share, keep_ratio, max_passes, options, alphas, y, n, out));
}
static inline ccd_status step_linesearch(ccd_mesh *mesh, X, double keep_ratio, O, ccd_linesearch_bound *out) {
    MESH_STEP(ccd_step_run_linesearch(step, keep_ratio, options, out));
}
static inline ccd_status step_activeset(ccd_mesh *mesh, X, O, ccd_constraints **out) {
    MESH_STEP(ccd_step_run_activeset(step, options, out));
}
static inline ccd_status step_gradients(ccd_mesh *mesh, X, const ccd_impact *impacts, size_t impact_count, O,
                                        ccd_gradient *out) {
    MESH_STEP(ccd_step_run_gradients(step, impacts, impact_count, options, out));
}

static inline ccd_status candidates_earliest(ccd_candidates *candidates, X, O, ccd_impact *out) {
    CANDIDATES_STEP(ccd_step_run_earliest(step, options, out));
}
static inline ccd_status candidates_collisions(ccd_candidates *candidates, X, O, ccd_impacts **out) {
    CANDIDATES_STEP(ccd_step_run_collisions(step, options, out));
}
static inline ccd_status candidates_intervals(ccd_candidates *candidates, X, O, ccd_intervals **out) {
    CANDIDATES_STEP(ccd_step_run_intervals(step, options, out));
}
static inline ccd_status candidates_size(ccd_candidates *candidates, X, O, double *alpha) {
    CANDIDATES_STEP(ccd_step_run_size(step, options, alpha));
}
static inline ccd_status candidates_advance(ccd_candidates *candidates, X, double share, O, double *alpha, double *x) {
    CANDIDATES_STEP(ccd_step_run_advance(step, share, options, alpha, x, n));
}

static inline ccd_status neighbors_earliest(ccd_neighbors *neighbors, X, O, ccd_impact *out) {
    NEIGHBORS_STEP(ccd_step_run_earliest(step, options, out));
}
static inline ccd_status neighbors_collisions(ccd_neighbors *neighbors, X, O, ccd_impacts **out) {
    NEIGHBORS_STEP(ccd_step_run_collisions(step, options, out));
}
static inline ccd_status neighbors_size(ccd_neighbors *neighbors, X, O, double *alpha) {
    NEIGHBORS_STEP(ccd_step_run_size(step, options, alpha));
}
static inline ccd_status neighbors_advance(ccd_neighbors *neighbors, X, double share, O, double *alpha, double *x) {
    NEIGHBORS_STEP(ccd_step_run_advance(step, share, options, alpha, x, n));
}

static inline ccd_status scene_earliest(ccd_scene *scene, const int32_t *moved, const double *x1, size_t count, O,
                                        ccd_impact *out) {
    SCENE_STEP(ccd_step_run_earliest(step, options, out));
}
static inline ccd_status scene_collisions(ccd_scene *scene, const int32_t *moved, const double *x1, size_t count, O,
                                          ccd_impacts **out) {
    SCENE_STEP(ccd_step_run_collisions(step, options, out));
}
static inline ccd_status scene_size(ccd_scene *scene, const int32_t *moved, const double *x1, size_t count, O,
                                    double *alpha) {
    SCENE_STEP(ccd_step_run_size(step, options, alpha));
}
static inline ccd_status scene_advance(ccd_scene *scene, const int32_t *moved, const double *x1, size_t count, double share,
                                       O, double *alpha, double *x) {
    SCENE_STEP(ccd_step_run_advance(step, share, options, alpha, x, count));
}
static inline ccd_status scene_sizes(ccd_scene *scene, const int32_t *moved, const double *x1, size_t count,
                                     const int32_t *groups, double share, double keep_ratio, int64_t max_passes, O,
                                     double *alphas, double *y, ccd_sizes_report *out) {
    SCENE_STEP(ccd_step_run_sizes(step, groups, share, keep_ratio, max_passes, options, alphas, y, count, out));
}

static inline ccd_status motion_earliest(ccd_mesh *mesh, ccd_motion *motion, O, ccd_impact *out) {
    MOTION_STEP(ccd_step_run_earliest(step, options, out));
}
static inline ccd_status motion_collisions(ccd_mesh *mesh, ccd_motion *motion, O, ccd_impacts **out) {
    MOTION_STEP(ccd_step_run_collisions(step, options, out));
}
static inline ccd_status motion_visit(ccd_mesh *mesh, ccd_motion *motion, O, ccd_visitor visit, void *user) {
    MOTION_STEP(ccd_step_run_visit(step, options, visit, user));
}
static inline ccd_status motion_pairs(ccd_mesh *mesh, ccd_motion *motion, int32_t kind, const int64_t *pairs,
                                      size_t pair_count, O, ccd_impact *out) {
    MOTION_STEP(ccd_step_run_pairs(step, kind, pairs, pair_count, options, out));
}
static inline ccd_status motion_size(ccd_mesh *mesh, ccd_motion *motion, O, double *alpha) {
    MOTION_STEP(ccd_step_run_size(step, options, alpha));
}
static inline ccd_status motion_advance(ccd_mesh *mesh, ccd_motion *motion, double share, O, double *alpha, double *x,
                                        size_t n) {
    MOTION_STEP(ccd_step_run_advance(step, share, options, alpha, x, n));
}
static inline ccd_status motion_sizes(ccd_mesh *mesh, ccd_motion *motion, const int32_t *groups, double share,
                                      double keep_ratio, int64_t max_passes, O, double *alphas, double *y, size_t n,
                                      ccd_sizes_report *out) {
    MOTION_STEP(ccd_step_run_sizes(step, groups, share, keep_ratio, max_passes, options, alphas, y, n, out));
}
static inline ccd_status motion_linesearch(ccd_mesh *mesh, ccd_motion *motion, double keep_ratio, O,
                                           ccd_linesearch_bound *out) {
    MOTION_STEP(ccd_step_run_linesearch(step, keep_ratio, options, out));
}

static inline ccd_status candidates_motion_earliest(ccd_candidates *candidates, ccd_motion *motion, O, ccd_impact *out) {
    CANDIDATES_MOTION_STEP(ccd_step_run_earliest(step, options, out));
}
static inline ccd_status candidates_motion_collisions(ccd_candidates *candidates, ccd_motion *motion, O,
                                                      ccd_impacts **out) {
    CANDIDATES_MOTION_STEP(ccd_step_run_collisions(step, options, out));
}
static inline ccd_status candidates_motion_size(ccd_candidates *candidates, ccd_motion *motion, O, double *alpha) {
    CANDIDATES_MOTION_STEP(ccd_step_run_size(step, options, alpha));
}

#undef X
#undef O
#endif /* CCD_TEST_STEPS_H */
