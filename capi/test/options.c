/* options.c - the options grow at their end: shorter and longer structs, and values out of their range. */
#include "check.h"

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
    CHECK(o.struct_size == sizeof o && o.tolerance == 1e-6 && o.min_separation == 0 && o.t_max == 1);
    CHECK(o.max_boxes == 1000000 && o.method == CCD_METHOD_DEFAULT && o.threads == 0 && o.flags == 0 && o.reserved == 0);
    CHECK(o.memory_limit == 0 && o.progress == NULL && o.progress_user == NULL && o.stats == NULL);
    CHECK(o.scene_bound[0] == 0 && o.scene_bound[1] == 0 && o.scene_bound[2] == 0);
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
    REJECTS(tolerance, 0);
    REJECTS(tolerance, NAN);
    REJECTS(tolerance, INFINITY);
    REJECTS(min_separation, -1e-3);
    REJECTS(min_separation, NAN);
    REJECTS(min_separation, INFINITY);
    REJECTS(t_max, -0.1);
    REJECTS(t_max, 1.1);
    REJECTS(t_max, NAN);
    REJECTS(max_boxes, -1);
    REJECTS(method, 99);
    REJECTS(method, -1);
    REJECTS(threads, -1);
    REJECTS(flags, 1u << 31);
    REJECTS(reserved, 1);
    REJECTS(scene_bound[1], -1);
    REJECTS(scene_bound[2], NAN);

    ccd_options o = fresh();
    o.scene_bound[0] = o.scene_bound[1] = o.scene_bound[2] = 0.5;
    FAILS(solve(&o), CCD_E_ARGUMENT, "scene_bound");
}

static void statistics(void) {
    ccd_stats stats = {.struct_size = sizeof stats, .threads = 77};
    ccd_options o = fresh();
    o.stats = &stats;
    OK(solve(&o));
    CHECK(stats.struct_size == sizeof stats && stats.candidates[0] == 1 && stats.impacts == 1 && stats.threads == 1);
    stats.struct_size = 0;
    FAILS(solve(&o), CCD_E_ARGUMENT, "options.stats.struct_size");
}

int main(void) {
    defaults();
    shorter();
    longer();
    ranges();
    statistics();
    return done();
}
