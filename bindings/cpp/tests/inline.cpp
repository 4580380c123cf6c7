// inline.cpp - the rejection of separate pairs inside ccd.hpp gives the bits of the library, hides no error, and never
// rejects a pair whose gap is the minimum separation or less.
#include "check.hpp"

#include <cmath>

namespace {

// A small generator with a fixed seed: the same queries everywhere.
std::uint64_t state = 0x9e3779b97f4a7c15u;
double uniform() { // a number in [0, 1)
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
}

using Call = ccd_status (*)(const double *, const ccd_options *, ccd_impact *);

template <int A, int B, class F> void agrees(Call call, F face, double d) {
    constexpr int n = 6 * (A + B);
    ccd::Options options;
    options.min_separation = d;
    options.tolerance = 0.01; // the work of pairs that do meet is not the matter here
    int rejected = 0, crossed = 0;
    for (int trial = 0; trial < 4000; trial++) {
        double q[std::size_t{n}];
        const double offset = 3 * uniform() - 0.5;
        for (int i = 0; i < n; i++) {
            // Eighths make equal coordinates and gaps of exactly d common.
            q[i] = std::floor(uniform() * 8) / 8 + (i % (n / 2) < 3 * A && i % 3 == trial % 3 ? offset : 0);
            q[i] = trial % 2 == 0 ? std::floor(q[i] * 8) / 8 : q[i];
        }
        (ccd::detail::apart<A, B>(q, d) ? rejected : crossed)++;
        ccd::Impact c;
        CHECK(call(q, &options, &c) == CCD_OK);
        CHECK(same_bits(c, face(q, options)));
    }
    CHECK(rejected > 200 && crossed > 200); // both ways were taken
}

void all_agree() {
    for (double d : {0.0, 0.125, 1e-3}) {
        agrees<1, 3>(
            ccd_pair_vertex_face, [](const double(&q)[24], auto &o) { return ccd::pair::vertex_face(q, o); }, d);
        agrees<2, 2>(
            ccd_pair_edge_edge, [](const double(&q)[24], auto &o) { return ccd::pair::edge_edge(q, o); }, d);
        agrees<1, 2>(
            ccd_pair_point_edge, [](const double(&q)[18], auto &o) { return ccd::pair::point_edge(q, o); }, d);
        agrees<1, 1>(
            ccd_pair_point_point, [](const double(&q)[12], auto &o) { return ccd::pair::point_point(q, o); }, d);
    }
}

// The gap is exactly d, or exceeds it by less than a double can tell apart from it: no proof, no rejection.
void at_the_gap() {
    auto apart = [](double x, double y, double d) {
        const double q[12] = {x, 0, 0, y, 0, 0, x, 0, 0, y, 0, 0};
        return ccd::detail::apart<1, 1>(q, d);
    };
    CHECK(!apart(0, 0, 0) && apart(0, 0x1p-1074, 0) && apart(1, std::nextafter(1, 2), 0));
    CHECK(!apart(0, 0.1, 0.1) && apart(0, std::nextafter(0.1, 1), 0.1));
    CHECK(!apart(-0x1p-60, 1, 1)); // 1 + 2^-60 is above 1, but not above what 1 stands for after rounding
    CHECK(!apart(1e150, -1e150, 1e150 * 2) && !apart(0, 1, 1e150));
    CHECK(apart(-1, 1, 1.9) && apart(1, -1, 1.9) && !apart(-1, 1, 2));
}

// What is wrong is reported although an axis separates the pair.
void errors_are_not_hidden() {
    const double wrong[] = {NAN, INFINITY, -INFINITY, 1e200, -1e200};
    for (double w : wrong) {
        for (int i = 0; i < 12; i++) {
            double q[12] = {0, 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0};
            CHECK(ccd::pair::point_point(q).verdict == CCD_SEPARATE);
            q[i] = w;
            THROWS(ccd::pair::point_point(q), CCD_E_NONFINITE, "q[" + std::to_string(i) + "]");
        }
    }
    const double far[12] = {0, 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0};
    auto rejects = [&](auto set, const char *name) {
        ccd::Options o;
        set(o);
        THROWS(ccd::pair::point_point(far, o), CCD_E_ARGUMENT, name);
    };
    auto unsupported = [&](auto set, const char *name) {
        ccd::Options o;
        set(o);
        THROWS(ccd::pair::point_point(far, o), CCD_E_UNSUPPORTED, name);
    };
    unsupported([](auto &o) { o.t_min = 0.25; }, "options.t_min");
    unsupported([](auto &o) { o.device = 1; }, "options.device");
    unsupported([](auto &o) { o.method = CCD_METHOD_D2M; }, "options.method is CCD_METHOD_D2M: ccd_pair_*");
    unsupported([](auto &o) { o.flags = CCD_IGNORE_SEPARATING; }, "options.flags");
    rejects([](auto &o) { o.tolerance = -1e-6; }, "options.tolerance");
    rejects([](auto &o) { o.tolerance = INFINITY; }, "options.tolerance");
    rejects([](auto &o) { o.tolerance = NAN; }, "options.tolerance");
    rejects([](auto &o) { o.min_separation = NAN; }, "options.min_separation");
    rejects([](auto &o) { o.t_max = -1e-310; }, "options.t_max");
    rejects([](auto &o) { o.min_separation = -1; }, "options.min_separation");
    rejects([](auto &o) { o.t_max = NAN; }, "options.t_max");
    rejects([](auto &o) { o.max_iterations = -1; }, "options.max_iterations");
    rejects([](auto &o) { o.method = 9; }, "options.method");
    rejects([](auto &o) { o.threads = -1; }, "options.threads");
    rejects([](auto &o) { o.flags = 1u << 20; }, "options.flags");
    rejects([](auto &o) { o.norm = 3; }, "options.norm");
    rejects([](auto &o) { o.scene_bound[0] = o.scene_bound[1] = o.scene_bound[2] = 1; }, "scene_bound");
}

// Statistics are written for a pair that could have been rejected inline.
void statistics_are_written() {
    const double far[12] = {0, 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0};
    ccd::Stats stats{};
    stats.struct_size = sizeof stats;
    ccd::Options o;
    o.stats = &stats;
    CHECK(ccd::pair::point_point(far, o).verdict == CCD_SEPARATE && stats.candidates[3] == 1);
}

} // namespace

int main() {
    all_agree();
    at_the_gap();
    errors_are_not_hidden();
    statistics_are_written();
    return failures != 0;
}
