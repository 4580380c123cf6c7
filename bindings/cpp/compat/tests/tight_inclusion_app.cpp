// tight_inclusion_app.cpp - a program in the shape of Tight Inclusion's own: it goes through queries with known answers, measures, logs
// and counts. Headers, names and calls are those of its release; nothing but our headers is on the include path.
#include <tight_inclusion/ccd.hpp>
#include <tight_inclusion/config.hpp>
#include <tight_inclusion/logger.hpp>
#include <tight_inclusion/rational/ccd.hpp>
#include <tight_inclusion/timer.hpp>

#include "points.hpp"

using namespace ticcd;

namespace {

/// What the app reads from files: eight rows a query, and whether they collide.
struct Queries {
    Eigen::MatrixXd vertices;
    std::vector<bool> collides;
};

Queries make(bool is_edge_edge) {
    std::vector<Scene> scenes;
    Queries q;
    for (int i = -6; i <= 6; i++) {
        const double x =
            0.25 * i; // the vertex falls beside, on the boundary of, or onto the face; the edge beside or across
        scenes.push_back(shifted(is_edge_edge ? CROSS : FALL, V(is_edge_edge ? x : x, is_edge_edge ? 0 : -0.25, 0),
                                 is_edge_edge ? 2 : 1));
        q.collides.push_back(is_edge_edge ? std::abs(x) <= 1 : x + 0.25 >= 0 && x + 0.25 <= 1);
    }
    q.vertices.resize(static_cast<Eigen::Index>(8 * scenes.size()), 3);
    Eigen::Index row = 0;
    for (const Scene &s : scenes) {
        for (const V *p : {&s.a, &s.b, &s.c, &s.d, &s.a1, &s.b1, &s.c1, &s.d1}) {
            q.vertices.row(row++) = p->transpose();
        }
    }
    return q;
}

void check_queries(const bool is_edge_edge, const double minimum_separation, const double tolerance, const long max_itr) {
    const Eigen::Array3d err(-1, -1, -1);
    constexpr double t_max = 1;
    constexpr bool no_zero_toi = false;
    constexpr CCDRootFindingMethod ccd_method = CCDRootFindingMethod::BREADTH_FIRST_SEARCH;

    int positives = 0, false_positives = 0, false_negatives = 0;
    Timer timer;
    double microseconds = 0;
    const Queries queries = make(is_edge_edge);
    for (int i = 0; i < queries.vertices.rows(); i += 8) {
        const Eigen::Matrix<double, 8, 3> v = queries.vertices.middleRows<8>(i);
        const bool expected = queries.collides[static_cast<std::size_t>(i / 8)];
        bool result, rational;
        double toi, exact_toi, output_tolerance = tolerance;
        timer.start();
        if (is_edge_edge) {
            result =
                edgeEdgeCCD(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6), v.row(7), err,
                            minimum_separation, toi, tolerance, t_max, max_itr, output_tolerance, no_zero_toi, ccd_method);
            rational = rational::edgeEdgeCCD(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6), v.row(7),
                                             err, minimum_separation, exact_toi);
        } else {
            result = vertexFaceCCD(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6), v.row(7), err,
                                   minimum_separation, toi, tolerance, t_max, max_itr, output_tolerance, no_zero_toi,
                                   ccd_method);
            rational = rational::vertexFaceCCD(v.row(0), v.row(1), v.row(2), v.row(3), v.row(4), v.row(5), v.row(6),
                                               v.row(7), err, minimum_separation, exact_toi);
        }
        timer.stop();
        microseconds += timer.getElapsedTimeInMicroSec();
        positives += expected;
        false_positives += result && !expected;
        false_negatives += expected && !result;
        CHECK(result == rational && toi == exact_toi && output_tolerance == tolerance);
        CHECK(expected ? just_before(toi, 0.5) : toi == INF);
        if (result != expected) {
            logger().error("query #{}: {} where {} is expected", i / 8, result, expected);
        }
    }
    logger().info("total positives:      {:7d}", positives);
    logger().debug("average time:         {:g} us", microseconds / 13);
    CHECK(positives == (is_edge_edge ? 9 : 5) && false_positives == 0 && false_negatives == 0);
    CHECK(microseconds > 0);
}

void single_case() {
    const Vector3 ea0_t0(0.1, 0.1, 0.1), ea1_t0(0, 0, 1), ea0_t1(1, 0, 1), ea1_t1(0, 1, 1);
    const Vector3 eb0_t0(0.1, 0.1, 0.1), eb1_t0(0, 0, 0), eb0_t1(0, 1, 0), eb1_t1(1, 0, 0);
    const Array3 err(-1, -1, -1);
    constexpr double ms = 1e-8, tolerance = 1e-6, t_max = 1;
    constexpr long max_itr = 1'000'000;
    double toi, output_tolerance;
    // As the app passes them, with the first edge's end as the second's start: one edge stays at x + y = 1, the other below 1/5.
    bool hit = edgeEdgeCCD(ea0_t0, ea1_t0, ea0_t1, ea1_t1, eb0_t0, eb1_t0, eb0_t1, eb1_t1, err, ms, toi, tolerance, t_max,
                           max_itr, output_tolerance);
    logger().info("Double CCD result: {}", hit);
    CHECK(!hit && toi == INF && output_tolerance == tolerance);
    // As they are named: the edges share an end at the start.
    hit = edgeEdgeCCD(ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1, err, ms, toi, tolerance, t_max,
                      max_itr, output_tolerance);
    CHECK(hit && toi == 0 && output_tolerance == tolerance);
    CHECK(return_queue_size() == 0);
}

void configuration() {
#ifndef TIGHT_INCLUSION_WITH_DOUBLE_PRECISION
    CHECK(false); // Scalar is double
#endif
    static_assert(std::is_same_v<Scalar, double>, "of this precision alone");
    CHECK(std::string(TIGHT_INCLUSION_NAME) == "TightInclusion");
    CHECK(std::string(TIGHT_INCLUSION_VER) == TIGHT_INCLUSION_VER_MAJOR "." TIGHT_INCLUSION_VER_MINOR
                                                                        "." TIGHT_INCLUSION_VER_PATCH);
}

void spin(const Timer &timer, double microseconds) {
    while (timer.getElapsedTimeInMicroSec() < microseconds) {
    }
}

void timers() {
    Timer timer;
    CHECK(timer.getElapsedTime() == 0);
    timer.start();
    spin(timer, 100);
    timer.stop();
    const double us = timer.getElapsedTimeInMicroSec();
    spin(timer, us); // no time passes for one that stands
    CHECK(us >= 100 && timer.getElapsedTimeInMicroSec() == us);
    CHECK(std::abs(timer.getElapsedTimeInMilliSec() * 1e3 - us) < 1e-6 * us);
    CHECK(std::abs(timer.getElapsedTimeInSec() * 1e6 - us) < 1e-6 * us &&
          timer.getElapsedTime() == timer.getElapsedTimeInSec());

    double total = 0;
    {
        ScopedTimer outer(total);
        spin(outer.timer(), 50);
    }
    const double once = total;
    CHECK(once >= 50);
    {
        TIGHT_INCLUSION_SCOPED_TIMER(total); // nothing, unless TIGHT_INCLUSION_WITH_TIMER
        ScopedTimer stopped(total), alone;
        stopped.stop();
        total = 0;
    }
    CHECK(total == 0); // it was stopped before: its end adds nothing
}

} // namespace

int main() {
    for (const bool is_edge_edge : {false, true}) {
        check_queries(is_edge_edge, 0, 1e-6, 1'000'000);
    }
    single_case();
    configuration();
    timers();
    return failures == 0 ? 0 : 1;
}
