// points.hpp - queries that the tests of all narrow interfaces ask, with their true answers.
#ifndef POINTS_HPP
#define POINTS_HPP

#include <check.hpp>

#include <Eigen/Core>

#include <limits>
#include <random>

using V = Eigen::Vector3d;
constexpr double INF = std::numeric_limits<double>::infinity();

/// Four points that move: vertex and face, or two edges.
struct Scene {
    V a, b, c, d, a1, b1, c1, d1;
};

/// A vertex that falls on a face from height 1 to -1, and meets it at t = 1/2.
inline const Scene FALL = {V(.25, .25, 1),  V(0, 0, 0), V(1, 0, 0), V(0, 1, 0),
                           V(.25, .25, -1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0)};
/// An edge that falls across another from height 1 to -1.
inline const Scene CROSS = {V(-1, 0, 1),  V(1, 0, 1),  V(0, -1, 0), V(0, 1, 0),
                            V(-1, 0, -1), V(1, 0, -1), V(0, -1, 0), V(0, 1, 0)};

/// The scene with its first `moving` points displaced by x at both ends.
inline Scene shifted(Scene s, const V &x, int moving) {
    V *const start[] = {&s.a, &s.b}, *const end[] = {&s.a1, &s.b1};
    for (int i = 0; i < moving; i++) {
        *start[i] += x;
        *end[i] += x;
    }
    return s;
}

/// Whether a time is that at which scenes like these, of a speed of 2, are still 1e-6 apart: a little before t.
inline bool just_before(double toi, double t) { return toi < t - 0.4e-6 && toi > t - 0.6e-6; }

/// Random points in a cube, for comparing an interface with the library.
inline Scene random_scene(std::mt19937_64 &source) {
    std::uniform_real_distribution<double> x(-1, 1);
    Scene s;
    for (V *p : {&s.a, &s.b, &s.c, &s.d, &s.a1, &s.b1, &s.c1, &s.d1}) {
        *p = V(x(source), x(source), x(source));
    }
    return s;
}

/// The library's own answer.
inline ccd::Impact ask(ccd::Impact (*pair)(ccd::View<double>, const ccd::Options &), const Scene &s, double separation,
                       ccd_norm norm = CCD_NORM_MAX, std::uint32_t flags = 0) {
    std::array<double, 24> q;
    const V points[] = {s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1};
    for (std::size_t i = 0; i < 24; i++) {
        q[i] = points[i / 3][static_cast<Eigen::Index>(i % 3)];
    }
    ccd::Options o;
    o.min_separation = separation;
    o.norm = norm;
    o.flags = flags;
    return pair(q, o);
}

#endif // POINTS_HPP
