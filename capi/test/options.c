/* options.c - the options grow at their end: shorter and longer structs, and values out of their range. */
#include "check.h"
#include "steps.h"

#include <math.h>

static ccd_status solve(const ccd_options *o) {
    ccd_impact out;
    memset(&out, 0xff, sizeof out);
    ccd_status status = ccd_pair_vertex_face(falling, o, &out);
    if (status != CCD_OK) {
        CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0 && out.a == -1 && out.b == -1);
    }
    return status;
}

static ccd_options fresh(void) {
    ccd_options o;
    memset(&o, 0xff, sizeof o);
    ccd_options_init(&o, sizeof o);
    return o;
}

static void defaults(void) {
    ccd_options o = fresh();
    CHECK(o.struct_size == sizeof o && o.tolerance == 0 && o.min_separation == 0 && o.t_min == 0 && o.t_max == 1);
    CHECK(o.max_iterations == 1000000 && o.method == CCD_METHOD_DEFAULT && o.threads == 0 && o.flags == 0);
    CHECK(o.norm == CCD_NORM_DEFAULT && o.device == CCD_DEVICE_CPU && o.device_index == 0);
    CHECK(o.memory_limit == 0 && o.progress == NULL && o.progress_user == NULL && o.stats == NULL);
    CHECK(o.scene_bound[0] == 0 && o.scene_bound[1] == 0 && o.scene_bound[2] == 0);
    CHECK(o.device_x0 == NULL && o.device_x1 == NULL && o.region == NULL);
    OK(solve(&o));
    ccd_options_init(NULL, sizeof o);
}

/* An older caller's struct ends early. Nothing beyond it is written or read. */
static void shorter(void) {
    ccd_options o;
    memset(&o, 0xff, sizeof o);
    size_t size = offsetof(ccd_options, progress);
    ccd_options_init(&o, size);
    CHECK(o.struct_size == size && o.t_max == 1);
    for (size_t i = size; i < sizeof o; i++) {
        CHECK(((unsigned char *)&o)[i] == 0xff);
    }
    OK(solve(&o));
    for (size_t bad = 0; bad < size; bad++) {
        o.struct_size = bad;
        FAILS(solve(&o), CCD_E_ARGUMENT, "options.struct_size");
    }
    o.struct_size = size + 4;
    FAILS(solve(&o), CCD_E_ARGUMENT, "options.struct_size");
}

/* A newer caller's struct is longer: what this library does not know must be zero. */
static void longer(void) {
    struct {
        ccd_options known;
        double news[3];
    } o;
    memset(&o, 0xff, sizeof o);
    ccd_options_init(&o.known, sizeof o);
    CHECK(o.known.struct_size == sizeof o && o.news[0] == 0 && o.news[2] == 0);
    OK(solve(&o.known));
    o.news[1] = 2;
    FAILS(solve(&o.known), CCD_E_UNSUPPORTED, "beyond what this version");
    o.known.struct_size = (size_t)1 << 40;
    FAILS(solve(&o.known), CCD_E_ARGUMENT, "options.struct_size");
}

#define REJECTS(member, value)                                                                                             \
    do {                                                                                                                   \
        ccd_options o = fresh();                                                                                           \
        o.member = value;                                                                                                  \
        FAILS(solve(&o), CCD_E_ARGUMENT, "options." #member);                                                              \
    } while (0)

static void ranges(void) {
    REJECTS(tolerance, -1e-6);
    REJECTS(tolerance, NAN);
    REJECTS(tolerance, INFINITY);
    REJECTS(min_separation, -1e-3);
    REJECTS(min_separation, NAN);
    REJECTS(min_separation, INFINITY);
    REJECTS(t_max, -0.1);
    REJECTS(t_max, 1.1);
    REJECTS(t_max, NAN);
    REJECTS(max_iterations, -1);
    REJECTS(method, 99);
    REJECTS(method, 4);
    REJECTS(method, 64);
    REJECTS(method, 66); /* 64 + 2 */
    REJECTS(method, -1);
    REJECTS(threads, -1);
    REJECTS(flags, 1u << 31);
    REJECTS(norm, 3);
    REJECTS(norm, -1);
    REJECTS(device, 3);
    REJECTS(device, -1);
    REJECTS(device_index, -1);
    REJECTS(scene_bound[1], -1);
    REJECTS(scene_bound[2], NAN);

    ccd_options o = fresh();
    o.scene_bound[0] = o.scene_bound[1] = o.scene_bound[2] = 0.5;
    FAILS(solve(&o), CCD_E_ARGUMENT, "scene_bound");
}

/* Vertices on a device: what can be refused without a driver. bindings/python/tests/test_device_arrays.py has the rest. */
static void device_arrays(void) {
    ccd_mesh *mesh = triangles();
    ccd_options o = fresh();
    ccd_device_array a = {.data = tri_x0, .dtype = CCD_FLOAT64, .device = -1}, b = a;
    ccd_impact out;
    double alpha = 7, x[3 * TRI_VERTICES] = {7};
    char text[256];
#define ON_DEVICE ccd_step_earliest(mesh, NULL, NULL, TRI_VERTICES, &o, &out)
    o.device_x0 = &a;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "one of options.device_x0 and options.device_x1 is NULL");
    o.device_x1 = &b;
    FAILS(ccd_step_earliest(mesh, tri_x0, NULL, TRI_VERTICES, &o, &out), CCD_E_ARGUMENT, "x0 is not NULL");
    FAILS(ccd_step_earliest(mesh, NULL, tri_x1, TRI_VERTICES, &o, &out), CCD_E_ARGUMENT, "x1 is not NULL");
    FAILS(ccd_step_earliest(mesh, NULL, NULL, TRI_VERTICES - 1, &o, &out), CCD_E_ARGUMENT,
          "n is 5: x0 and x1 have one row per vertex");
    b.dtype = 0;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "options.device_x1.dtype is 0: must be CCD_FLOAT64 or CCD_FLOAT32");
    b.dtype = CCD_FLOAT32;
    b.reserved = 5;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "options.device_x1.reserved is 5");
    b.reserved = 0;
    b.data = NULL;
    a.stride = 25;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "options.device_x0.stride is 25: not a multiple of 8");
    a.stride = 0;
    a.data = (const char *)tri_x0 + 4;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "not a multiple of 8, the size of a coordinate");
    a.data = NULL;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "options.device_x0.data is NULL, but there are 6 vertices");
    a.data = tri_x0;
    a.device = -2;
    FAILS(ON_DEVICE, CCD_E_ARGUMENT, "options.device_x0.device is -2");
    a.device = -1;
    const ccd_status status = ON_DEVICE; /* memory of the host */
    ccd_last_error(text, sizeof text);
    CHECK(status == CCD_E_ARGUMENT || status == CCD_E_UNSUPPORTED); /* nobody can say without NVIDIA's driver */
    CHECK(strstr(text, "options.device_x0") != NULL);
    CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);
    CHECK(ccd_step_advance(mesh, NULL, NULL, TRI_VERTICES, 1, &o, &alpha, x) == status && alpha == 0 && x[0] == 7);
    OK(ccd_mesh_destroy(mesh));
}

/* A tolerance of 0 stands for the default of the call, here 1e-6. */
static void default_tolerance(void) {
    static const double crossing[24] = {0.2, 0.3, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0, //
                                        0.1, 0.2, -2, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double tolerances[3] = {0, 1e-6, 1e-3};
    ccd_impact out[3];
    for (int i = 0; i < 3; i++) {
        ccd_options o = fresh();
        o.tolerance = tolerances[i];
        o.method = CCD_METHOD_TIGHT_INCLUSION;
        OK(ccd_pair_vertex_face(crossing, &o, &out[i]));
    }
    CHECK(memcmp(&out[0], &out[1], sizeof *out) == 0 && memcmp(&out[0], &out[2], sizeof *out) != 0);
}

/* An undecided result says why in its flags, and ccd_reason has words for it. */
static void reason(void) {
    static const double crossing[24] = {0.2, 0.3, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0, //
                                        0.1, 0.2, -2, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    ccd_options o = fresh();
    ccd_impact out;
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    o.max_iterations = 4;
    OK(ccd_pair_vertex_face(crossing, &o, &out));
    CHECK(out.verdict == CCD_UNDECIDED && out.flags == CCD_REASON_ITERATIONS);
    CHECK(strcmp(ccd_reason(out.flags), "iterations: max_iterations was reached") == 0);
    CHECK(strncmp(ccd_reason(CCD_REASON_AREA | CCD_REASON_MEMORY), "area: ", 6) == 0);
    CHECK(strncmp(ccd_reason(CCD_REASON_MEMORY), "memory: ", 8) == 0 &&
          strncmp(ccd_reason(CCD_REASON_COARSE), "coarse: ", 8) == 0);
    CHECK(strcmp(ccd_reason(CCD_CERTIFIED | CCD_INITIAL_CONTACT), "") == 0);
    OK(ccd_pair_vertex_face(crossing, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && strcmp(ccd_reason(out.flags), "") == 0);
}

/* What the interface has and some calls do not: the text names the value and the calls. */
#define UNSUPPORTED(call, member, value, text)                                                                             \
    do {                                                                                                                   \
        ccd_options o = fresh();                                                                                           \
        o.member = value;                                                                                                  \
        FAILS(call, CCD_E_UNSUPPORTED, "options." #member " is " text);                                                    \
    } while (0)

#define NOFLAG(call, flag, calls)                                                                                          \
    do {                                                                                                                   \
        ccd_options o = fresh();                                                                                           \
        o.flags = flag;                                                                                                    \
        FAILS(call, CCD_E_UNSUPPORTED, "options.flags has " #flag ": " calls);                                             \
    } while (0)

static void unsupported(void) {
    static const ccd_patch_form curve = {CCD_PATCH_CURVE, 1, 0};
    static const int32_t kinds[1] = {CCD_ELEMENT_TETRAHEDRON}, corners[4] = {0, 1, 2, 3};
    static const double x[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    ccd_mesh *mesh = NULL;
    ccd_volume *volume = NULL;
    ccd_rigid_body *body = NULL;
    OK(ccd_mesh_create(TRI_VERTICES, NULL, 0, tri_faces, TRI_FACES, &mesh));
    OK(ccd_volume_create(4, kinds, 1, corners, 4, &volume));
    OK(ccd_rigid_body_create(tri_x0, TRI_VERTICES, tri_faces, TRI_FACES, &body));
    const ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}}, far = {.rotation = {1, 0, 0, 0}, .position = {0, 0, 9}};
    ccd_impact out;
    ccd_candidates *candidates = NULL;
    ccd_near_pair near;
    ccd_patch_impact patch;
    ccd_volume_impact inside;
    ccd_rigid_impact rigid;
#define STEP ccd_step_earliest(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, &out)
#define BROAD ccd_broad_candidates(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, &candidates)
#define DISTANCE ccd_proximity_distance(mesh, tri_x0, TRI_VERTICES, &o, &near)
#define PATCH ccd_patch_pair(&curve, x, x, NULL, &curve, x + 6, x + 6, NULL, &o, &patch)
#define VOLUME ccd_volume_earliest(volume, x, x, 4, 0, &o, &inside)
#define RIGID ccd_rigid_earliest(body, &still, body, &far, &o, &rigid)
    UNSUPPORTED(solve(&o), device, CCD_DEVICE_GPU, "CCD_DEVICE_GPU: ccd_pair_*");
    UNSUPPORTED(DISTANCE, device, CCD_DEVICE_GPU, "CCD_DEVICE_GPU: ccd_proximity_*");
    UNSUPPORTED(PATCH, device, CCD_DEVICE_GPU, "CCD_DEVICE_GPU: ccd_patch_*");
    UNSUPPORTED(VOLUME, device, CCD_DEVICE_GPU, "CCD_DEVICE_GPU: ccd_volume_*");
    UNSUPPORTED(RIGID, device, CCD_DEVICE_GPU, "CCD_DEVICE_GPU: ccd_rigid_*");
    static const ccd_device_array array = {.data = &array, .dtype = CCD_FLOAT64};
    UNSUPPORTED(solve(&o), device_x0, &array, "not NULL: ccd_pair_*");
    UNSUPPORTED(BROAD, device_x1, &array, "not NULL: ccd_broad_*");
    UNSUPPORTED(DISTANCE, device_x0, &array, "not NULL: ccd_proximity_*");
    UNSUPPORTED(PATCH, device_x1, &array, "not NULL: ccd_patch_*");
    UNSUPPORTED(VOLUME, device_x0, &array, "not NULL: ccd_volume_*");
    UNSUPPORTED(RIGID, device_x0, &array, "not NULL: ccd_rigid_*");
    ccd_scene *scene = NULL;
    OK(ccd_scene_create(mesh, tri_x0, TRI_VERTICES, &scene));
    UNSUPPORTED(scene_earliest(scene, NULL, tri_x1, TRI_VERTICES, &o, &out), device_x1, &array,
                "not NULL: steps of a scene");
    OK(ccd_scene_destroy(scene));
    UNSUPPORTED(STEP, device_index, 1, "1");
    UNSUPPORTED(RIGID, device_index, 7, "7");

    UNSUPPORTED(solve(&o), t_min, 0.5, "0.5: ccd_pair_*");
    UNSUPPORTED(solve(&o), t_min, NAN, "NaN");
    UNSUPPORTED(STEP, t_min, 0.5, "0.5: ccd_step_*");
    UNSUPPORTED(PATCH, t_min, 0.5, "0.5: ccd_patch_*");
    UNSUPPORTED(VOLUME, t_min, -1, "-1: ccd_volume_*");

    UNSUPPORTED(DISTANCE, norm, CCD_NORM_MAX, "CCD_NORM_MAX: ccd_proximity_*");
    UNSUPPORTED(PATCH, norm, CCD_NORM_MAX, "CCD_NORM_MAX: ccd_patch_*");
    UNSUPPORTED(RIGID, norm, CCD_NORM_MAX, "CCD_NORM_MAX: ccd_rigid_*");

    UNSUPPORTED(solve(&o), method, CCD_METHOD_D2M, "CCD_METHOD_D2M: ccd_pair_*");
    UNSUPPORTED(STEP, method, CCD_METHOD_VOLCCD, "CCD_METHOD_VOLCCD: ccd_step_*");
    UNSUPPORTED(BROAD, method, CCD_METHOD_VOLCCD, "CCD_METHOD_VOLCCD: ccd_broad_*");
    UNSUPPORTED(DISTANCE, method, CCD_METHOD_D2M_SPHERES, "CCD_METHOD_D2M_SPHERES: ccd_proximity_*");
    UNSUPPORTED(PATCH, method, CCD_METHOD_EXACT, "CCD_METHOD_EXACT: ccd_patch_*");
    UNSUPPORTED(VOLUME, method, CCD_METHOD_D2M, "CCD_METHOD_D2M: ccd_volume_*");
    UNSUPPORTED(RIGID, method, CCD_METHOD_EXACT, "CCD_METHOD_EXACT: ccd_rigid_*");

    NOFLAG(STEP, CCD_IGNORE_SEPARATING, "ccd_step_*");
    NOFLAG(solve(&o), CCD_CHECK_START, "ccd_pair_*");
    NOFLAG(PATCH, CCD_CHECK_START, "ccd_patch_*");
    NOFLAG(VOLUME, CCD_CHECK_START, "ccd_volume_*");
    NOFLAG(RIGID, CCD_CHECK_START, "ccd_rigid_*");
    NOFLAG(STEP, CCD_APART_AT_TOI, "ccd_step_*");
    NOFLAG(RIGID, CCD_NO_ZERO_TOI, "ccd_rigid_*");
    NOFLAG(RIGID, CCD_BRUTE_FORCE, "ccd_rigid_*");

    const int32_t norms[3] = {CCD_NORM_DEFAULT, CCD_NORM_MAX, CCD_NORM_EUCLIDEAN};
    for (int i = 0; i < 3; i++) {
        ccd_options o = fresh();
        o.norm = norms[i];
        OK(solve(&o));
        OK(STEP);
        OK(VOLUME);
        if (o.norm != CCD_NORM_MAX) {
            OK(DISTANCE);
            OK(PATCH);
            OK(RIGID);
        }
    }
    OK(ccd_mesh_destroy(mesh));
    OK(ccd_volume_destroy(volume));
    OK(ccd_rigid_body_destroy(body));
}

/* The distance is (0.3, 0.4, 0): 0.4 in the max norm, 0.5 in the Euclidean one. */
static void norms(void) {
    static const double still[12] = {0, 0, 0, 0.3, 0.4, 0, 0, 0, 0, 0.3, 0.4, 0};
    ccd_impact out;
    ccd_options o = fresh();
    o.min_separation = 0.45;
    OK(ccd_pair_point_point(still, &o, &out));
    CHECK(out.verdict == CCD_SEPARATE); /* the Euclidean norm */
    o.norm = CCD_NORM_MAX;
    OK(ccd_pair_point_point(still, &o, &out));
    CHECK(out.verdict == CCD_CONTACT);
    o.norm = CCD_NORM_EUCLIDEAN;
    OK(ccd_pair_point_point(still, &o, &out));
    CHECK(out.verdict == CCD_SEPARATE);
    static const ccd_patch_form point = {CCD_PATCH_CURVE, 0, 0};
    ccd_patch_impact patch;
    o.norm = CCD_NORM_DEFAULT;
    OK(ccd_patch_pair(&point, still, still, NULL, &point, still + 3, still + 3, NULL, &o, &patch));
    CHECK(patch.verdict == CCD_SEPARATE);
}

static void statistics(void) {
    ccd_stats stats = {.struct_size = sizeof stats, .threads = 77};
    ccd_options o = fresh();
    o.stats = &stats;
    OK(solve(&o));
    CHECK(stats.struct_size == sizeof stats && stats.candidates[0] == 1 && stats.impacts == 1 && stats.threads == 1);
    stats.struct_size = offsetof(ccd_stats, device_used); /* a caller compiled before there were members for devices */
    stats.device_used = 77;
    OK(solve(&o));
    CHECK(stats.struct_size == offsetof(ccd_stats, device_used) && stats.impacts == 1 && stats.device_used == 77);
    stats.struct_size = sizeof stats;
    OK(solve(&o));
    CHECK(stats.device_used == 0 && stats.device_seconds == 0 && stats.device_peak_bytes == 0 && stats.plans == 0);
    stats.struct_size = offsetof(ccd_stats, plans); /* a caller compiled before plans were counted */
    stats.plans = 77;
    OK(solve(&o));
    CHECK(stats.struct_size == offsetof(ccd_stats, plans) && stats.impacts == 1 && stats.plans == 77);
    stats.struct_size = 0;
    FAILS(solve(&o), CCD_E_ARGUMENT, "options.stats.struct_size");
}

int main(void) {
    defaults();
    shorter();
    longer();
    ranges();
    device_arrays();
    default_tolerance();
    reason();
    unsupported();
    norms();
    statistics();
    return done();
}
