/* fork.c - the child of a fork gets CCD_E_FORKED from every call, at once, and safe answers; the parent is not disturbed. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "steps.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(ccd_mesh *mesh) {
    ccd_impact out;
    memset(&out, 0xff, sizeof out);
    FAILS(ccd_pair_vertex_face(falling, NULL, &out), CCD_E_FORKED, "fork");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0 && out.kind == CCD_VERTEX_FACE);

    ccd_mesh *other = mesh;
    FAILS(ccd_mesh_create(TRI_VERTICES, NULL, 0, tri_faces, TRI_FACES, &other), CCD_E_FORKED, "fork");
    CHECK(other == NULL);

    memset(&out, 0xff, sizeof out);
    FAILS(ccd_step_earliest(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, &out), CCD_E_FORKED, "fork");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);
    double alpha = 7;
    FAILS(ccd_step_size(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, &alpha), CCD_E_FORKED, "fork");
    CHECK(alpha == 0);
    double x[3 * TRI_VERTICES];
    alpha = 7;
    FAILS(ccd_step_advance(mesh, tri_x0, tri_x1, TRI_VERTICES, 1, NULL, &alpha, x), CCD_E_FORKED, "fork");
    CHECK(alpha == 0);
    double alphas[TRI_VERTICES];
    ccd_sizes_report report = {7, 7, 7, 7};
    FAILS(step_sizes(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, 0.9, 0.5, 64, NULL, alphas, x, &report), CCD_E_FORKED,
          "fork");
    CHECK(report.used == 0 && report.floor == 0 && report.resting == 0 && report.passes == 0);
    size_t colors = 7;
    FAILS(ccd_step_colors(NULL, 0, 0, NULL, NULL, &colors), CCD_E_FORKED, "fork");
    CHECK(colors == 0);
    ccd_scene *scene = (ccd_scene *)mesh;
    FAILS(ccd_scene_create(mesh, tri_x0, TRI_VERTICES, &scene), CCD_E_FORKED, "fork");
    CHECK(scene == NULL);
    ccd_neighbors *neighbors = (ccd_neighbors *)mesh;
    FAILS(ccd_neighbors_create(mesh, tri_x0, TRI_VERTICES, 1, NULL, &neighbors), CCD_E_FORKED, "fork");
    CHECK(neighbors == NULL);
    FAILS(ccd_trim(), CCD_E_FORKED, "fork");
    ccd_gradient gradient = {.state = CCD_GRADIENT_DEFINED};
    FAILS(step_gradients(mesh, tri_x0, tri_x1, TRI_VERTICES, &out, 1, NULL, &gradient), CCD_E_FORKED, "fork");
    CHECK(gradient.state == CCD_GRADIENT_UNDETERMINED && gradient.x0[0] != gradient.x0[0]);
    gradient.state = CCD_GRADIENT_DEFINED;
    FAILS(ccd_pairs_gradients(CCD_VERTEX_FACE, falling, 1, NULL, &gradient), CCD_E_FORKED, "fork");
    CHECK(gradient.state == CCD_GRADIENT_UNDETERMINED);
    ccd_linesearch_bound bound = {7, 7, 7};
    FAILS(step_linesearch(mesh, tri_x0, tri_x1, TRI_VERTICES, 0.5, NULL, &bound), CCD_E_FORKED, "fork");
    CHECK(bound.alpha == 0 && bound.distance == 0 && bound.separation == 0);
    ccd_step *step = (ccd_step *)mesh;
    FAILS(ccd_step_create(mesh, tri_x0, tri_x1, TRI_VERTICES, &step), CCD_E_FORKED, "fork");
    CHECK(step == NULL);
    memset(&out, 0xff, sizeof out);
    FAILS(ccd_step_run_earliest((ccd_step *)mesh, NULL, &out), CCD_E_FORKED, "fork");
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);
    int32_t some = 0;
    FAILS(ccd_proximity_intersects(mesh, tri_x0, TRI_VERTICES, NULL, &some), CCD_E_FORKED, "fork");
    CHECK(some == 1);
    ccd_near_pair nearest = {.distance_lo = 7};
    FAILS(ccd_proximity_distance(mesh, tri_x0, TRI_VERTICES, NULL, &nearest), CCD_E_FORKED, "fork");
    CHECK(nearest.distance_lo == 0 && nearest.distance_hi > 1e308);
    const ccd_rigid_motion still = {.rotation = {1}};
    ccd_rigid_impact hit = {.toi_lo = 7};
    FAILS(ccd_rigid_earliest(NULL, &still, NULL, &still, NULL, &hit), CCD_E_FORKED, "fork");
    CHECK(hit.verdict == CCD_UNDECIDED && hit.toi_lo < -1e308);
    FAILS(ccd_mesh_destroy(mesh), CCD_E_FORKED, "fork");

    CHECK(ccd_version() == CCD_VERSION);
    CHECK(strcmp(ccd_status_name(CCD_E_FORKED), "CCD_E_FORKED") == 0);
    CHECK(ccd_simd_level() != NULL);
}

int main(void) {
    ccd_mesh *mesh = triangles();
    ccd_impact out;
    OK(ccd_pair_vertex_face(falling, NULL, &out));
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        alarm(20); /* a hang is a failure */
        child(mesh);
        _exit(done());
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    OK(ccd_pair_vertex_face(falling, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT);
    OK(ccd_mesh_destroy(mesh));
    return done();
}
