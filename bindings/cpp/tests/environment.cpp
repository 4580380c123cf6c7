// environment.cpp - what ccd.hpp answers inline has the library's bits in whatever floating-point environment the host's thread is, and
// hides no error there. Compiled with -ffast-math and its parts as well, for this half of the answer is compiled by the host.
#include "check.hpp"

#include <cfenv>
#include <cstdint>
#include <limits>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace {

std::uint32_t state = 1;
int random(int n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 16) % static_cast<unsigned>(n));
}

double from_bits(std::uint64_t b) {
    double x;
    std::memcpy(&x, &b, sizeof x);
    return x;
}

// Near the least normal number, ordinary, or one step around it: whole numbers of units, made without arithmetic of the host's.
double coordinate(int scale) {
    const std::uint64_t least[] = {0x0010000000000000, 0x3ff0000000000000, 0x0010000000000000};
    const std::uint64_t spread = scale == 2 ? 3 : std::uint64_t{1} << 51;
    const std::uint64_t b = least[scale] + spread * static_cast<std::uint64_t>(random(8)) - 2 * spread;
    return from_bits(b | (random(4) == 0 ? std::uint64_t{1} << 63 : 0));
}

template <std::size_t N, class F>
void agrees(ccd_status (*call)(const double *, const ccd_options *, ccd_impact *), F face, const ccd::Options &options) {
    const double d = options.min_separation;
    for (int trial = 0; trial < 150; trial++) {
        double q[N];
        for (double &x : q) {
            x = coordinate(d == 0 ? trial % 3 : d == 0x1p-3 ? 1 : trial % 2 * 2); // a separation has its own scale
        }
        if (trial % 50 == 49) {
            q[random(N)] = std::numeric_limits<double>::quiet_NaN();
        }
        ccd::Impact c, inlined{};
        const ccd_status status = call(q, &options, &c);
        ccd_status thrown = CCD_OK;
        try {
            inlined = face(q, options);
        } catch (const ccd::Error &e) {
            thrown = e.status();
        }
        CHECK(status == thrown && (status != CCD_OK || std::memcmp(&c, &inlined, sizeof c) == 0));
    }
}

void all_agree() {
    const double tiny = from_bits(3);
    const double separations[] = {0, 0x1p-1022, 0x1p-3, 0x1.8p-1022, tiny, -tiny};
    for (double d : separations) {
        ccd::Options o;
        o.min_separation = d;
        o.max_iterations = 64; // whatever the answer, both give it
        agrees<24>(
            ccd_pair_vertex_face, [](const double(&q)[24], auto &w) { return ccd::pair::vertex_face(q, w); }, o);
        agrees<24>(
            ccd_pair_edge_edge, [](const double(&q)[24], auto &w) { return ccd::pair::edge_edge(q, w); }, o);
        agrees<18>(
            ccd_pair_point_edge, [](const double(&q)[18], auto &w) { return ccd::pair::point_edge(q, w); }, o);
        agrees<12>(
            ccd_pair_point_point, [](const double(&q)[12], auto &w) { return ccd::pair::point_point(q, w); }, o);
    }
    const double far[12] = {0, 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0};
    ccd::Options o;
    o.t_max = -tiny;
    THROWS(ccd::pair::point_point(far, o), CCD_E_ARGUMENT, "options.t_max");
    o.t_max = 1;
    o.tolerance = -tiny;
    THROWS(ccd::pair::point_point(far, o), CCD_E_ARGUMENT, "options.tolerance");
}

} // namespace

int main() {
    for (int round : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
        std::fesetround(round);
        all_agree();
        CHECK(std::fegetround() == round);
    }
    std::fesetround(FE_TONEAREST);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); // denormals are zero, as operands and as results
    all_agree();
    CHECK((_mm_getcsr() & 0x8040) == 0x8040);
#endif
    return failures != 0;
}
