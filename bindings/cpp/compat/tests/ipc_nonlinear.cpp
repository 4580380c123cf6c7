// ipc_nonlinear.cpp - the adapter for ipc::NonlinearCCD: known times, the sum of deviations, random turning bodies, bad callbacks.
#include <ccd/compat/ipc_nonlinear.hpp>

#include "points.hpp"

namespace {

using ccd::compat::IpcNonlinearCCD;
constexpr double PI = 3.14159265358979323846;

/// A point that turns about a line parallel to z, and slides.
struct Turning {
    V p, axis = V::Zero(), v = V::Zero();
    double w = 0;

    V operator()(double t) const {
        const V d = p - axis;
        const double c = std::cos(w * t), s = std::sin(w * t);
        return V(c * d[0] - s * d[1], s * d[0] + c * d[1], d[2]) + axis + t * v;
    }
    double max_distance_from_linear(double t0, double t1) const {
        const double r = (p - axis).head(2).norm(), turn = w * (t1 - t0);
        return std::min(r * turn * turn / 8, 2 * r);
    }
};

/// A parabola that bulges towards its mirror image, in the plane; its deviation is exact.
struct Bow {
    double sign;

    Eigen::Vector2d operator()(double t) const { return {0, sign * (.036 * t * (1 - t) - (.01845 - .00495 * t) / 2)}; }
    double max_distance_from_linear(double t0, double t1) const { return .009 * (t1 - t0) * (t1 - t0); }
};

/// What its callbacks return is given.
struct Given {
    V x;
    double bound;

    V operator()(double) const { return x; }
    double max_distance_from_linear(double, double) const { return bound; }
};

void known_times() {
    const IpcNonlinearCCD exact(1e-9, 1000, 1), usual;
    const Turning wall[3] = {{V(-2, .5, -1)}, {V(2, .5, -1)}, {V(0, .5, 2)}};
    double toi = -1;
    const Turning quarter{V(1, 0, 0), V::Zero(), V::Zero(), PI / 2};
    CHECK(exact.point_triangle_ccd(quarter, wall[0], wall[1], wall[2], toi) && toi <= 1. / 3 && toi > 1. / 3 - 1e-8);
    CHECK(usual.point_triangle_ccd(quarter, wall[0], wall[1], wall[2], toi) && toi < 1. / 3 - 1e-7 && toi > 1. / 3 - 1e-5);
    CHECK(std::abs(quarter(toi)[1] - .5) >= 1e-6);
    CHECK(!exact.point_triangle_ccd(quarter, wall[0], wall[1], wall[2], toi, 0, 0.33) && toi == INF);
    CHECK(exact.point_triangle_ccd(quarter, wall[0], wall[1], wall[2], toi, 0.5) && toi == 0);
    for (const double gap : {1e-2, 1e-4, 1e-6, 1e-8}) {
        const Turning half{V(1, 0, 0), V::Zero(), V::Zero(), PI};
        const double y = 1 + gap, z = 1 - gap, dip = std::asin(z) / PI;
        CHECK(!exact.point_triangle_ccd(half, Turning{V(-1, y, -1)}, Turning{V(1, y, -1)}, Turning{V(0, y, 2)}, toi));
        CHECK(exact.point_triangle_ccd(half, Turning{V(-1, z, -1)}, Turning{V(1, z, -1)}, Turning{V(0, z, 2)}, toi) &&
              toi <= dip && toi > dip - 2e-6);
    }
}

void deviations_add_up() {
    double toi = -1;
    for (const double rescaling : {.5, .8, 1.}) { // .072 t^2 - .07695 t + .01845 = 0
        const double true_time = (.07695 - std::sqrt(.07695 * .07695 - 4 * .072 * .01845)) / .144;
        CHECK(IpcNonlinearCCD(1e-6, 1000, rescaling).point_point_ccd(Bow{1}, Bow{-1}, toi));
        CHECK(toi <= true_time && toi > true_time - .02 && std::abs(true_time - .36319) < 1e-5);
    }
    CHECK(IpcNonlinearCCD().point_edge_ccd(Bow{1}, Bow{-1}, Bow{-1}, toi) && toi < .36320);
}

/// Turning edges and faces: no sign change inside among samples is missed or comes before the time that is reported.
void against_samples() {
    std::mt19937 r(5);
    std::uniform_real_distribution<double> u(-1, 1);
    const auto at_random = [&] { return V(u(r), u(r), u(r)); };
    const IpcNonlinearCCD ccd;
    int crossed = 0;
    for (int trial = 0; trial < 400; trial++) {
        Turning a[2], b[2];
        const V c = at_random(), d = at_random(), v = at_random(), w = at_random();
        const double va = 4 * u(r), vb = 4 * u(r);
        for (int i = 0; i < 2; i++) {
            a[i] = {2 * at_random(), c, v, va};
            b[i] = {2 * at_random(), d, w, vb};
        }
        double toi = -1, before = 0;
        const bool hit = ccd.edge_edge_ccd(a[0], a[1], b[0], b[1], toi);
        for (int k = 0; k <= 500; k++) {
            const double t = k / 500.;
            const V p = a[0](t), e = a[1](t) - p, f = b[1](t) - b[0](t), g = b[0](t) - p, n = e.cross(f);
            const double volume = g.dot(n), s = g.cross(f).dot(n) / n.squaredNorm(),
                         m = g.cross(e).dot(n) / n.squaredNorm();
            if (k > 0 && (volume > 0) != (before > 0) && std::min({s, m, 1 - s, 1 - m}) > .02) {
                CHECK(hit && toi <= t);
                crossed++;
                break;
            }
            before = volume;
        }
        CHECK(hit || toi == INF);
    }
    CHECK(crossed > 20);
}

void bad_callbacks() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const IpcNonlinearCCD ccd;
    const Given rest{V(0, 0, 0), 0};
    double toi = -1;
    THROWS(ccd.point_point_ccd(Given{V(0, nan, 1), 0}, rest, toi), CCD_E_NONFINITE, "position at t = 0.0");
    THROWS(ccd.point_point_ccd(Given{V(0, 0, 1), nan}, rest, toi), CCD_E_NONFINITE, "max_distance_from_linear is");
    THROWS(ccd.point_point_ccd(Given{V(0, 0, 1), -1}, rest, toi), CCD_E_NONFINITE, "max_distance_from_linear is -1");
    THROWS(ccd.point_point_ccd(rest, rest, toi, -1), CCD_E_ARGUMENT, "min_distance is -1");
    THROWS(ccd.point_point_ccd(rest, rest, toi, 0, 2), CCD_E_ARGUMENT, "tmax is 2");
    THROWS(IpcNonlinearCCD(nan).point_point_ccd(rest, rest, toi), CCD_E_ARGUMENT, "tolerance is");
    CHECK(ccd.point_point_ccd(Given{V(0, 0, 1), INF}, rest, toi) && toi == 0); // no bound is known: a hit
    CHECK(ccd.point_point_ccd(Given{V(0, 0, 1), 2}, rest, toi) && toi == 0);   // it does not fall either
}

} // namespace

int main() {
    known_times();
    deviations_add_up();
    against_samples();
    bad_callbacks();
    return failures != 0;
}
