/* smoke.c - every call once, on inputs whose answer is known. */
#include "check.h"

#include <math.h>

/* The clock of Windows ticks every 0.5 to 16 ms: a short call may take 0 there. */
static int took_time(const ccd_stats *stats) {
#ifdef _WIN32
    return stats->seconds_total >= 0;
#else
    return stats->seconds_total > 0;
#endif
}

static void names(void) {
    CHECK(ccd_version() == CCD_VERSION);
    CHECK(strcmp(ccd_status_name(CCD_OK), "CCD_OK") == 0);
    CHECK(strcmp(ccd_status_name(CCD_E_FILE), "CCD_E_FILE") == 0);
    CHECK(strcmp(ccd_status_name(77), "unknown status") == 0);
    const char *level = ccd_simd_level();
    CHECK(strcmp(level, "generic") == 0 || strcmp(level, "avx2") == 0 || strcmp(level, "avx512") == 0);
    CHECK(ccd_last_error(NULL, 0) == 0);
}

static void last_error(void) {
    ccd_impact out;
    char whole[512], part[8];
    FAILS(ccd_pair_vertex_face(NULL, NULL, &out), CCD_E_ARGUMENT, "q is NULL");
    size_t length = ccd_last_error(whole, sizeof whole);
    CHECK(length == strlen(whole));
    CHECK(ccd_last_error(part, sizeof part) == length);
    CHECK(strlen(part) == sizeof part - 1 && strncmp(part, whole, sizeof part - 1) == 0);
    OK(ccd_pair_vertex_face(falling, NULL, &out)); /* does not clear the text */
    CHECK(ccd_last_error(NULL, 0) == length);
}

static void one_pair(void) {
    ccd_impact out;
    memset(&out, 0xff, sizeof out);
    OK(ccd_pair_vertex_face(falling, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && out.kind == CCD_VERTEX_FACE && out.a == -1 && out.b == -1);
    CHECK(out.toi_lo <= 0.5 && out.toi_lo > 0.49 && out.toi_hi >= out.toi_lo && out.reserved == 0);
    CHECK(fabs(out.u - 0.25) < 1e-3 && fabs(out.v - 0.25) < 1e-3);
    CHECK(fabs(out.point[2]) < 1e-3 && fabs(out.normal[2]) > 0.99);

    const double crossing[24] = {-1, 0, 1,  1, 0, 1,  0, -1, 0, 0, 1, 0, /* t = 0 */
                                 -1, 0, -1, 1, 0, -1, 0, -1, 0, 0, 1, 0 /* t = 1 */};
    OK(ccd_pair_edge_edge(crossing, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && out.kind == CCD_EDGE_EDGE && out.toi_lo <= 0.5 && out.toi_lo > 0.49);

    const double on_edge[18] = {0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 1, 0, 0};
    OK(ccd_pair_point_edge(on_edge, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && out.kind == CCD_POINT_EDGE && out.toi_lo <= 0.5 && out.toi_lo > 0.49);

    const double on_point[12] = {0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0};
    OK(ccd_pair_point_point(on_point, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT && out.kind == CCD_POINT_POINT && out.toi_lo <= 0.5 && out.toi_lo > 0.49);

    ccd_options half;
    ccd_options_init(&half, sizeof half);
    half.t_max = 0.25;
    OK(ccd_pair_vertex_face(falling, &half, &out));
    CHECK(out.verdict == CCD_SEPARATE && isinf(out.toi_lo) && isinf(out.toi_hi));
}

/* A batch gives the bits of single calls, on any number of threads. */
static void batch(void) {
    enum { N = 1000 };
    static double q[24 * N];
    static ccd_impact out[N];
    for (int i = 0; i < N; i++) {
        memcpy(q + 24 * i, falling, sizeof falling);
        q[24 * i + 12 + 2] = 1.5 - 4.0 * i / N; /* the vertex ends here, above the face for small i */
    }
    for (int threads = 1; threads <= 3; threads++) {
        ccd_options o;
        ccd_stats stats = {.struct_size = sizeof stats};
        ccd_options_init(&o, sizeof o);
        o.threads = threads;
        o.stats = &stats;
        memset(out, 0xff, sizeof out);
        OK(ccd_pairs_vertex_face(q, N, &o, out));
        int64_t impacts = 0;
        for (int i = 0; i < N; i++) {
            ccd_impact one;
            OK(ccd_pair_vertex_face(q + 24 * i, NULL, &one));
            one.a = i;
            CHECK(memcmp(&one, out + i, sizeof one) == 0);
            impacts += one.verdict != CCD_SEPARATE;
        }
        CHECK(impacts > 0 && impacts < N);
        CHECK(stats.candidates[0] == N && stats.impacts == impacts && stats.undecided == 0);
        CHECK(took_time(&stats));
        CHECK(stats.threads >= 1 && stats.threads <= threads);
    }
    OK(ccd_pairs_edge_edge(NULL, 0, NULL, NULL));
    OK(ccd_pairs_point_edge(NULL, 0, NULL, NULL));
    OK(ccd_pairs_point_point(NULL, 0, NULL, NULL));
}

/* With CCD_APART_AT_TOI the time is that of a distance of tolerance, or of half of what the pair is apart at the start. */
static void apart_at_toi(void) {
    ccd_options o;
    ccd_impact exact, apart;
    double q[24];
    memcpy(q, falling, sizeof q);
    ccd_options_init(&o, sizeof o);
    OK(ccd_pair_vertex_face(q, &o, &exact));
    o.flags = CCD_APART_AT_TOI;
    o.tolerance = 1.0 / 64;
    OK(ccd_pair_vertex_face(q, &o, &apart));
    CHECK(apart.verdict == CCD_CONTACT && apart.toi_lo < exact.toi_lo);
    o.flags = 0;
    o.min_separation = 1.0 / 64;
    ccd_impact want;
    OK(ccd_pair_vertex_face(q, &o, &want));
    CHECK(memcmp(&apart, &want, sizeof apart) == 0);
    o.flags = CCD_APART_AT_TOI;
    o.method = CCD_METHOD_TIGHT_INCLUSION;
    FAILS(ccd_pair_vertex_face(q, &o, &apart), CCD_E_UNSUPPORTED, "CCD_APART_AT_TOI");
}

static int32_t count_progress(double fraction, void *user) {
    CHECK(fraction >= 0 && fraction <= 1);
    ++*(int *)user;
    return 0;
}

static int32_t cancel(double fraction, void *user) {
    (void)fraction;
    (void)user;
    return 1;
}

static void progress(void) {
    enum { N = 1000 };
    static double q[24 * N];
    static ccd_impact out[N];
    for (int i = 0; i < N; i++) {
        memcpy(q + 24 * i, falling, sizeof falling);
    }
    int calls = 0;
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.threads = 2;
    o.progress = count_progress;
    o.progress_user = &calls;
    OK(ccd_pairs_vertex_face(q, N, &o, out));
    CHECK(calls > 0);
    o.progress = cancel;
    o.progress_user = (void *)1; /* any word may be passed on */
    FAILS(ccd_pairs_vertex_face(q, N, &o, out), CCD_E_CANCELLED, "cancelled");
    for (int i = 0; i < N; i++) {
        CHECK(out[i].verdict == CCD_UNDECIDED && out[i].toi_lo == 0 && out[i].a == i);
    }
}

static void topology(void) {
    ccd_mesh *mesh = triangles();
    size_t vertices, edges, faces, count;
    OK(ccd_mesh_counts(mesh, &vertices, &edges, &faces));
    CHECK(vertices == 6 && edges == 6 && faces == 2);
    OK(ccd_mesh_counts(mesh, NULL, NULL, NULL));

    const int32_t expected[12] = {0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5};
    int32_t e[12], f[6];
    OK(ccd_mesh_edges(mesh, e, 6, &count));
    CHECK(count == 6 && memcmp(e, expected, sizeof e) == 0);
    OK(ccd_mesh_edges(mesh, NULL, 0, &count));
    CHECK(count == 6);
    OK(ccd_mesh_faces(mesh, f, 2, &count));
    CHECK(count == 2 && memcmp(f, tri_faces, sizeof f) == 0);
    FAILS(ccd_mesh_faces(mesh, f, 1, &count), CCD_E_ARGUMENT, "cap is 1");
    CHECK(count == 2);
    OK(ccd_mesh_destroy(mesh));
}

static size_t candidates_of(ccd_mesh *mesh, const ccd_options *o) {
    ccd_candidates *c = NULL;
    size_t vf, ee, count, all = 0;
    OK(ccd_broad_candidates(mesh, tri_x0, tri_x1, TRI_VERTICES, o, &c));
    OK(ccd_candidates_count(c, &vf, &ee));
    for (int32_t kind = CCD_VERTEX_FACE; kind <= CCD_POINT_POINT; kind++) {
        int64_t pairs[2 * 64];
        OK(ccd_candidates_count_kind(c, kind, &count));
        all += count;
        size_t copied;
        OK(ccd_candidates_copy(c, kind, pairs, 64, &copied));
        CHECK(copied == count);
        for (size_t i = 2; i + 1 < 2 * copied; i += 2) { /* sorted */
            CHECK(pairs[i - 2] < pairs[i] || (pairs[i - 2] == pairs[i] && pairs[i - 1] < pairs[i + 1]));
        }
    }
    CHECK(vf + ee == all); /* no codimensional parts here */
    OK(ccd_candidates_count_kind(c, 0, &count));
    CHECK(count == all);
    FAILS(ccd_candidates_count_kind(c, -1, &count), CCD_E_ARGUMENT, "kind is -1");
    OK(ccd_candidates_destroy(c));
    return all;
}

static void candidates(void) {
    ccd_mesh *mesh = triangles();
    ccd_options brute;
    ccd_options_init(&brute, sizeof brute);
    brute.flags = CCD_BRUTE_FORCE;
    size_t all = candidates_of(mesh, NULL);
    CHECK(all > 0 && candidates_of(mesh, &brute) == all);

    const int32_t one_patch[TRI_VERTICES] = {0};
    const uint8_t all_static[TRI_VERTICES] = {1, 1, 1, 1, 1, 1};
    OK(ccd_mesh_set_groups(mesh, one_patch, TRI_VERTICES));
    CHECK(candidates_of(mesh, NULL) == 0);
    OK(ccd_mesh_set_groups(mesh, NULL, 0));
    CHECK(candidates_of(mesh, NULL) == all);
    OK(ccd_mesh_set_component_groups(mesh)); /* two components, which may still meet each other */
    CHECK(candidates_of(mesh, NULL) == all);
    OK(ccd_mesh_set_static(mesh, all_static, TRI_VERTICES));
    CHECK(candidates_of(mesh, NULL) == 0);
    OK(ccd_mesh_set_static(mesh, NULL, 0));
    const int64_t pair[2] = {3, 0};
    OK(ccd_mesh_set_excluded(mesh, CCD_VERTEX_FACE, pair, 1));
    CHECK(candidates_of(mesh, NULL) == all - 1);
    OK(ccd_mesh_set_excluded(mesh, CCD_VERTEX_FACE, NULL, 0));
    CHECK(candidates_of(mesh, NULL) == all);
    OK(ccd_mesh_destroy(mesh));
}

/** Counts impacts, and stops after `most` portions. */
struct visited {
    size_t impacts, portions, most;
};

static int32_t visit(const ccd_impact *impacts, size_t count, void *user) {
    struct visited *v = user;
    for (size_t i = 0; i < count; i++) {
        v->impacts += impacts[i].verdict == CCD_CONTACT;
    }
    return ++v->portions >= v->most;
}

static void step(void) {
    ccd_mesh *mesh = triangles();
    ccd_stats stats = {.struct_size = sizeof stats};
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.stats = &stats;
    ccd_impact first;
    memset(&first, 0xff, sizeof first);
    OK(ccd_step_earliest(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, &first));
    CHECK(first.verdict == CCD_CONTACT && first.toi_lo <= 0.5 && first.toi_lo > 0.49);
    CHECK(stats.struct_size == sizeof stats && stats.boxes > 0 && took_time(&stats) && stats.threads > 0);

    ccd_impacts *impacts = NULL;
    size_t count, copied;
    ccd_impact list[64];
    OK(ccd_step_collisions(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, &impacts));
    OK(ccd_impacts_count(impacts, &count));
    CHECK(count >= 3 && count <= 64 && stats.impacts == (int64_t)count && stats.candidates[0] > 0);
    OK(ccd_impacts_copy(impacts, list, 64, &copied));
    CHECK(copied == count && memcmp(list, &first, sizeof first) == 0);
    for (size_t i = 1; i < count; i++) {
        CHECK(list[i - 1].toi_lo <= list[i].toi_lo);
    }
    OK(ccd_impacts_destroy(impacts));

    struct visited all = {0, 0, 64}, one = {0, 0, 1};
    OK(ccd_step_visit(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, visit, &all));
    CHECK(all.impacts == count && stats.impacts == (int64_t)count);
    FAILS(ccd_step_visit(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, visit, &one), CCD_E_CANCELLED, "stopped by the visitor");
    CHECK(one.portions == 1 && one.impacts > 0);
    FAILS(ccd_step_visit(mesh, tri_x0, tri_x1, TRI_VERTICES, &o, NULL, NULL), CCD_E_ARGUMENT, "visit is NULL");

    const int64_t pairs[4] = {3, 0, 0, 1}; /* a vertex that falls through the face, and one that is never met */
    ccd_impact answers[2];
    OK(ccd_step_pairs(mesh, tri_x0, tri_x1, TRI_VERTICES, CCD_VERTEX_FACE, pairs, 2, NULL, answers));
    CHECK(answers[0].verdict == CCD_CONTACT && answers[0].a == 3 && answers[0].b == 0);
    CHECK(answers[1].verdict == CCD_SEPARATE && answers[1].a == 0 && answers[1].b == 1);

    double alpha = 7;
    OK(ccd_step_size(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, &alpha));
    CHECK(alpha > 0.49 && alpha <= 0.5);
    OK(ccd_step_size(mesh, tri_x0, tri_x0, TRI_VERTICES, NULL, &alpha));
    CHECK(alpha == 1);
    OK(ccd_mesh_destroy(mesh));
}

int main(void) {
    names();
    one_pair();
    last_error();
    batch();
    apart_at_toi();
    progress();
    topology();
    candidates();
    step();
    return done();
}
