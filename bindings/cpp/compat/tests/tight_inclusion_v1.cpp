// tight_inclusion_v1.cpp - callers in the shape of those of Tight Inclusion 1.0.0: its app, Rigid IPC, Codimensional IPC and IPC.
#include <tight_inclusion/Rational.hpp>
#include <tight_inclusion/Timer.hpp>
#include <tight_inclusion/eigen_ext.hpp>
#include <tight_inclusion/inclusion_ccd.hpp>
#include <tight_inclusion/interval_ccd.hpp>

#include "points.hpp"

namespace {

using namespace inclusion_ccd;

/// The app: types are global, errors are std::array.
void app() {
    const Vector3d a0s(-1, 0, 1), a1s(1, 0, 1), b0s(0, -1, 0), b1s(0, 1, 0);
    const Vector3d a0e(-1, 0, -1), a1e(1, 0, -1), b0e(0, -1, 0), b1e(0, 1, 0);
    const std::array<Scalar, 3> err = {{-1, -1, -1}};
    const Scalar ms = 0, tolerance = 1e-6, t_max = 1;
    const int max_itr = 1000000, CCD_TYPE = 1;
    Scalar toi, output_tolerance;
    Timer timer;
    timer.start();
    CHECK(inclusion_ccd::edgeEdgeCCD_double(a0s, a1s, b0s, b1s, a0e, a1e, b0e, b1e, err, ms, toi, tolerance, t_max, max_itr,
                                            output_tolerance, CCD_TYPE));
    CHECK(timer.getElapsedTimeInMicroSec() > 0);
    CHECK(just_before(toi, 0.5) && output_tolerance == tolerance && ticcd_using_double() && !using_rational_method());
    Eigen::Matrix<double, 8, 3> v;
    v << FALL.a.transpose(), FALL.b.transpose(), FALL.c.transpose(), FALL.d.transpose(), FALL.a1.transpose(),
        FALL.b1.transpose(), FALL.c1.transpose(), FALL.d1.transpose();
    CHECK(vertexFaceCCD_double(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6), v.row(7), err, 0.5,
                               toi, tolerance, t_max, max_itr, output_tolerance));
    CHECK(just_before(toi, 0.25));
    CHECK(vertexFaceCCD_rational(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6), v.row(7), err, 0.5,
                                 toi));
    CHECK(just_before(toi, 0.25));
    CHECK(edgeEdgeCCD_rational(a0s, a1s, b0s, b1s, a0e, a1e, b0e, b1e, err, ms, toi) && just_before(toi, 0.5));
    CHECK(!vertexFaceCCD_double(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6), v.row(7), err, 0, toi,
                                tolerance, 0.25, -1, output_tolerance, 0, true));
    CHECK(toi == INF && return_queue_size() == 0 && VectorMax3d(v.row(0).transpose()).size() == 3);
}

/// Rigid IPC: a point and an edge of the plane as edges of which one is a point; iterations as std::size_t.
bool point_edge_ccd(const Eigen::Vector2d &p_t0, const Eigen::Vector2d &e0_t0, const Eigen::Vector2d &e1_t0,
                    const Eigen::Vector2d &p_t1, const Eigen::Vector2d &e0_t1, const Eigen::Vector2d &e1_t1,
                    const std::array<double, 3> &err, const double min_distance, double &toi, const double tolerance,
                    const double tmax, const std::size_t max_iterations, double &output_tolerance, const int ccd_type = 1,
                    bool no_zero_toi = false) {
    const auto space = [](const Eigen::Vector2d &x) { return Eigen::Vector3d(x.x(), x.y(), 0); };
    return inclusion_ccd::edgeEdgeCCD_double(space(p_t0), space(p_t0), space(e0_t0), space(e1_t0), space(p_t1), space(p_t1),
                                             space(e0_t1), space(e1_t1), err, min_distance, toi, tolerance, tmax,
                                             static_cast<int>(max_iterations), output_tolerance, ccd_type, no_zero_toi);
}

void rigid_ipc() {
    using P = Eigen::Vector2d;
    double toi, output_tolerance;
    CHECK(point_edge_ccd(P(0, 1), P(-1, 0), P(1, 0), P(0, -1), P(-1, 0), P(1, 0), {{-1, -1, -1}}, 0, toi, 1e-6, 1.0,
                         1000000, output_tolerance));
    CHECK(just_before(toi, 0.5));
    CHECK(point_edge_ccd(P(0, 1), P(-1, 0), P(1, 0), P(0, -1), P(-1, 0), P(1, 0), {{-1, -1, -1}}, 0.5, toi, 1e-6, 1.0,
                         1000000, output_tolerance));
    CHECK(just_before(toi, 0.25));
    CHECK(!point_edge_ccd(P(2, 1), P(-1, 0), P(1, 0), P(2, -1), P(-1, 0), P(1, 0), {{-1, -1, -1}}, 0.5, toi, 1e-6, 1.0,
                          1000000, output_tolerance));
    // A contact at the start at distance 0: refinement ends.
    CHECK(point_edge_ccd(P(0, 0), P(-1, 0), P(1, 0), P(0, -1), P(-1, 0), P(1, 0), {{-1, -1, -1}}, 0, toi, 1e-6, 1.0,
                         1000000, output_tolerance, 1, true));
    CHECK(toi == 0);
}

/// Codimensional IPC: displacements, a thickness, a time that shrinks from pair to pair, iterations as a double.
template <class T>
bool point_triangle_ccd(const Eigen::Matrix<T, 3, 1> &p, const Eigen::Matrix<T, 3, 1> &t0, const Eigen::Matrix<T, 3, 1> &t1,
                        const Eigen::Matrix<T, 3, 1> &t2, const Eigen::Matrix<T, 3, 1> &dp, T distance, T eta, T thickness,
                        T &toc) {
    const T toc_prev = toc;
    T output_tolerance;
    const T gap = eta * (distance * distance - thickness * thickness) / (distance + thickness) + thickness;
    return inclusion_ccd::vertexFaceCCD_double(p, t0, t1, t2, p + dp, t0, t1, t2, {{-1, 0, 0}}, gap, toc, 1e-6, toc_prev,
                                               static_cast<int>(1e6), output_tolerance, 1);
}

void codim_ipc() {
    const V t0(0, 0, 0), t1(1, 0, 0), t2(0, 1, 0);
    double toc = 1;
    CHECK(point_triangle_ccd<double>(V(.25, .25, 1), t0, t1, t2, V(0, 0, -2), 1, 0.25, 0, toc)); // stops at a gap of 1/4
    CHECK(just_before(toc, 0.375));
    CHECK(!point_triangle_ccd<double>(V(.25, .25, 1), t0, t1, t2, V(0, 0, -1.5), 1, 0.25, 0, toc)); // contact at 1/2: later
    toc = 1;
    CHECK(point_triangle_ccd<double>(V(.25, .25, 1), t0, t1, t2, V(0, 0, -2), 1, 0, 0.5, toc) && just_before(toc, 0.25));
}

/// IPC: the error bound of a scene's box, and err of it.
void ipc() {
    const std::vector<V> box = {V(-1, -1, -1), V(1, 1, 8)};
    const std::array<double, 3> vf = inclusion_ccd::get_numerical_error(box, true, true),
                                ee = inclusion_ccd::get_numerical_error(box, false, false);
    const ticcd::Array3 same = ticcd::get_numerical_error(box, true, true);
    CHECK(vf[0] == same[0] && vf[1] == same[1] && vf[2] == same[2] && ee[2] < vf[2]);
    double toi, tolerance;
    CHECK(inclusion_ccd::vertexFaceCCD_double(FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1, FALL.c1, FALL.d1, vf, 0,
                                              toi, 1e-6, 1, -1, tolerance));
    CHECK(just_before(toi, 0.5));
}

/// The searches that its interval_root_finder.hpp declares are the queries of inclusion_ccd.hpp.
void root_finders() {
    const VectorMax3d tol = VectorMax3d::Constant(3, 1e-6);
    const std::array<double, 3> err = {{-1, -1, -1}};
    double toi, tolerance, whole;
    for (const double t_max : {1.0, 0.25}) {
        const bool vf =
            interval_root_finder_double_horizontal_tree(tol, 1e-3, toi, true, err, 0, FALL.a, FALL.b, FALL.c, FALL.d,
                                                        FALL.a1, FALL.b1, FALL.c1, FALL.d1, t_max, -1, tolerance);
        CHECK(vf == (t_max == 1) && (!vf || (toi > 0.499 && toi < 0.5)) && tolerance == 1e-3);
        const bool ee =
            interval_root_finder_double_horizontal_tree(tol, 1e-3, toi, false, err, 0.5, CROSS.a, CROSS.b, CROSS.c, CROSS.d,
                                                        CROSS.a1, CROSS.b1, CROSS.c1, CROSS.d1, t_max, -1, tolerance);
        CHECK(ee && toi > 0.249 && toi < 0.25);
    }
    CHECK(interval_root_finder_double_normalCCD(tol, whole, true, err, 0, FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1,
                                                FALL.c1, FALL.d1));
    CHECK(just_before(whole, 0.5));
    CHECK(interval_root_finder_double_normalCCD(tol, whole, false, err, 0, CROSS.a, CROSS.b, CROSS.c, CROSS.d, CROSS.a1,
                                                CROSS.b1, CROSS.c1, CROSS.d1));
    CHECK(just_before(whole, 0.5) && print_refine() == 0 && print_time_rational() == 0);
}

void agrees_with_later_releases() {
    std::mt19937_64 source(7);
    int hits = 0;
    for (int i = 0; i < 500; i++) {
        const Scene s = random_scene(source);
        const double ms = i % 2 == 0 ? 0 : 1e-2, t_max = i % 3 == 0 ? 0.5 : 1;
        double now, then, reached;
        for (bool faces : {false, true}) {
            const auto old_call = faces ? inclusion_ccd::vertexFaceCCD_double : inclusion_ccd::edgeEdgeCCD_double;
            const auto new_call = faces ? ticcd::vertexFaceCCD : ticcd::edgeEdgeCCD;
            const bool a = old_call(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, {{-1, -1, -1}}, ms, then, 1e-6, t_max, -1,
                                    reached, 1, false);
            const bool b = new_call(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, ticcd::Array3::Constant(-1), ms, now, 1e-6,
                                    t_max, -1, reached, false, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
            CHECK(a == b && then == now);
            hits += a;
        }
    }
    CHECK(hits > 20 && hits < 980);
}

void bad_input() {
    double toi, reached;
    Scene s = FALL;
    s.b.x() = std::numeric_limits<double>::quiet_NaN();
    THROWS(inclusion_ccd::vertexFaceCCD_double(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, {{-1, -1, -1}}, 0, toi, 1e-6, 1,
                                               -1, reached),
           CCD_E_NONFINITE, "q[3]");
}

} // namespace

int main() {
    app();
    rigid_ipc();
    codim_ipc();
    ipc();
    root_finders();
    agrees_with_later_releases();
    bad_input();
    return failures == 0 ? 0 : 1;
}
