// tight_inclusion_search.cpp - what Tight Inclusion declares of its search: numbers k / 2^n, intervals, root finders, F itself.
#include <tight_inclusion/interval.hpp>
#include <tight_inclusion/interval_root_finder.hpp>

#include "points.hpp"

namespace {

using ticcd::Interval;
using ticcd::NumCCD;

template <class F> bool overflows(F f) {
    try {
        f();
        return false;
    } catch (const std::overflow_error &) {
        return true;
    }
}

void powers() {
    std::uint64_t odd = 9;
    CHECK(ticcd::power(3, 4) == 48 && ticcd::pow2(0) == 1 && ticcd::pow2(63) == std::uint64_t{1} << 63);
    CHECK(ticcd::power(0, 200) == 0 && overflows([] { ticcd::power(1, 64); }) && overflows([] { ticcd::power(3, 63); }));
    CHECK(ticcd::reduction(48, odd) == 4 && odd == 3);
    CHECK(ticcd::reduction(7, odd) == 0 && odd == 7);
    CHECK(ticcd::reduction(0, odd) == 0 && odd == 0);
    CHECK(ticcd::reduction(std::uint64_t{1} << 63, odd) == 63 && odd == 1);
}

void numbers() {
    CHECK(NumCCD(3, 2).value() == 0.75 && NumCCD(3, 2).denominator() == 4 && double(NumCCD(1, 63)) == 0x1p-63);
    CHECK(NumCCD(0.75) == NumCCD(3, 2) && NumCCD(0.0) == NumCCD(0, 0) && NumCCD(5.0) == NumCCD(5, 0));
    CHECK(NumCCD(0x1.fffffffffffffp0).value() == 0x1.fffffffffffffp0 && NumCCD(0x1p-63) == NumCCD(1, 63));
    CHECK(overflows([] { NumCCD n(0x1p-64); }) && overflows([] { NumCCD n(-1.0); }) && overflows([] { NumCCD n(0x1p64); }));
    CHECK(overflows([] { NumCCD n(std::numeric_limits<double>::quiet_NaN()); }));
    CHECK(NumCCD(1, 1) + NumCCD(1, 2) == NumCCD(3, 2) && NumCCD(1, 1) + NumCCD(1, 1) == NumCCD(1, 0));
    CHECK(NumCCD(2, 2) + NumCCD(0, 9) == NumCCD(1, 1)); // a sum is reduced
    CHECK(overflows([] { NumCCD(~std::uint64_t{0}, 0) + NumCCD(1, 0); }));
    // All orders of k / 2^n with n <= 5, against doubles, in which these are exact.
    for (std::uint64_t a = 0; a <= 40; a++) {
        for (std::uint64_t b = 0; b <= 40; b++) {
            for (int powers = 0; powers < 36; powers++) {
                const NumCCD x(a, static_cast<std::uint8_t>(powers / 6)), y(b, static_cast<std::uint8_t>(powers % 6));
                const double p = x.value(), q = y.value();
                CHECK((x < y) == (p < q) && (x <= y) == (p <= q) && (x > y) == (p > q) && (x >= y) == (p >= q));
                CHECK((x + y).value() == p + q && NumCCD::is_sum_leq_1(x, y) == (p + q <= 1));
                CHECK((x < q) == (p < q) && (x > q) == (p > q) && (x == q) == (p == q));
            }
        }
    }
    // Neighbors that no double tells apart.
    const NumCCD below(~std::uint64_t{0} >> 1, 63), one(1, 0);
    CHECK(below < one && !(one < below) && below != one && below.value() == 1);
    CHECK(NumCCD::is_sum_leq_1(below, NumCCD(1, 63)) && !NumCCD::is_sum_leq_1(one, NumCCD(1, 63)));
    CHECK(!NumCCD::is_sum_leq_1(below, below) && !NumCCD::is_sum_leq_1(one, one));
    CHECK(overflows([&] { (void)(NumCCD(1, 64) < one); }));
}

void intervals() {
    const Interval unit(NumCCD(0, 0), NumCCD(1, 0));
    const auto [left, right] = unit.bisect();
    CHECK(left.lower == unit.lower && left.upper == NumCCD(1, 1) && right.lower == NumCCD(1, 1) &&
          right.upper == unit.upper);
    const auto [a, b] = right.bisect();
    CHECK(a.upper == NumCCD(3, 2) && b.lower == NumCCD(3, 2));
    CHECK(overflows([] { Interval(NumCCD(0, 0), NumCCD(1, 63)).bisect(); }));
    CHECK(right.overlaps(0, 0.5) && right.overlaps(1, 2) && right.overlaps(0.6, 0.7) && right.overlaps(0, 2));
    CHECK(!right.overlaps(0, 0.49) && !right.overlaps(1.01, 2));
    CHECK((ticcd::width({unit, left, a}) == ticcd::Array3(1, 0.5, 0.25)).all());
}

void root_finders() {
    const ticcd::Array3 tol(1e-6, 1e-6, 1e-6), err(0, 0, 0);
    std::mt19937_64 source(3);
    int hits = 0;
    for (int i = 0; i < 300; i++) {
        const Scene s = random_scene(source);
        const double ms = i % 2 == 0 ? 0 : 1e-2, t_max = i % 3 == 0 ? 0.5 : 1;
        double all, some, want, reached;
        const bool vf = ticcd::vertex_face_interval_root_finder_BFS(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, tol, 1e-6,
                                                                    err, ms, t_max, -1, some, reached);
        CHECK(reached == 1e-6);
        CHECK(vf ==
              ticcd::vertexFaceCCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, err, ms, want, 1e-6, t_max, -1, reached));
        CHECK(some == want);
        const bool ee = ticcd::edge_edge_interval_root_finder_BFS(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, tol, 1e-6,
                                                                  err, ms, t_max, -1, some, reached);
        CHECK(ee ==
              ticcd::edgeEdgeCCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, err, ms, want, 1e-6, t_max, -1, reached));
        CHECK(some == want);
        // Depth first: all of [0, 1].
        CHECK(ticcd::vertex_face_interval_root_finder_DFS(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, tol, err, ms, all) ==
              ticcd::vertexFaceCCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, err, ms, want, 1e-6, 1, -1, reached));
        CHECK(all == want);
        CHECK(ticcd::edge_edge_interval_root_finder_DFS(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, tol, err, ms, all) ==
              ticcd::edgeEdgeCCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, err, ms, want, 1e-6, 1, -1, reached));
        CHECK(all == want);
        hits += vf + ee;
    }
    CHECK(hits > 20);
    ticcd::print_times();
}

/// F vanishes at a contact, in each coordinate: at t = 1/2 the vertex is at (1/4, 1/4) of the face, the edges cross in their middles.
void functions() {
    const NumCCD half(1, 1), quarter(1, 2), zero(0, 0), one(1, 0);
    for (int dim = 0; dim < 3; dim++) {
        const auto f = [dim](const NumCCD &t, const NumCCD &u, const NumCCD &v) {
            return ticcd::function_f_vf<double>(t, u, v, dim, FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1, FALL.c1,
                                                FALL.d1);
        };
        const auto e = [dim](const NumCCD &t, const NumCCD &u, const NumCCD &v) {
            return ticcd::function_f_ee<double>(t, u, v, dim, CROSS.a, CROSS.b, CROSS.c, CROSS.d, CROSS.a1, CROSS.b1,
                                                CROSS.c1, CROSS.d1);
        };
        CHECK(f(half, quarter, quarter) == 0 && e(half, half, half) == 0);
        CHECK(f(zero, one, zero) == (V(.25, .25, 1) - V(1, 0, 0))[dim] &&
              f(one, zero, one) == (V(.25, .25, -1) - V(0, 1, 0))[dim]);
        CHECK(e(zero, one, zero) == (V(1, 0, 1) - V(0, -1, 0))[dim]);
    }
}

} // namespace

int main() {
    powers();
    numbers();
    intervals();
    root_finders();
    functions();
    return failures == 0 ? 0 : 1;
}
