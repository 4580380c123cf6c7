// closed.cpp - closed chains that are closed in C++: along a path, over the range of a drive, and what is refused. Compiled as C++17 and C++20.
#include "press.hpp"

namespace {

using ccd::robot::Closed;
using ccd::robot::Joint;
using ccd::robot::Loop;
using ccd::robot::Model;
using ccd::robot::Path;
using ccd::robot::Spline;

/// The press with a lift, the fourth variable, which is in no loop.
Model with_lift(double wall) {
    Model m = press(wall);
    Joint lift = m.joints[2];
    lift.child = 4, lift.variable = 3;
    m.joints.push_back(lift);
    m.variables = 4;
    return m;
}

const std::vector<Loop> loops{Loop::pin(2, {{3, 0, 0}}, 3, {{0, 0, 0}})};

void paths() {
    const Path cranks = Path::hermite(4, {2, 7, 8}, std::vector<double>{-.75, 9, 9, 0, .5, 9, 9, 1, .25, 9, 9, 0},
                                      std::vector<double>{.1, 0, 0, 0, .3, 0, 0, 0, 0, 0, 0, 0});
    const Closed closed = ccd::robot::close(with_lift(9), cranks, loops, {1, 2}, {0, 4});
    CHECK(closed.follow == (std::vector<std::int32_t>{1, 2}) && closed.drives == std::vector<std::int32_t>{0});
    CHECK(closed.errors[0] > 0 && closed.errors[1] > 0 && closed.errors[0] <= 1e-9 && closed.errors[1] <= 1e-9);
    const Path &way = closed.path;
    CHECK(way.degree() == 5 && way.times().data()[0] == 2 && way.times().data()[way.edges()] == 8);
    slider(way, closed.errors[1]);
    double before = 0; // the lift goes as it was given, joined, by way of the time
    for (std::size_t edge = 0; edge < way.edges(); edge++) {
        CHECK(std::abs(value(way, edge, 3, 0) - before) < 1e-12);
        before = value(way, edge, 3, 1);
    }
    CHECK(std::abs(before) < 1e-12);
    for (const double gap : {1e-5, -1e-5}) {
        Model m = with_lift(4.5 + gap);
        closed.let_err(m);
        CHECK(m.joints[0].error == 0 && m.joints[2].error >= closed.errors[1] && m.joints[2].error < 1.1e-9);
        CHECK(free_along(way, m) == (gap > 0));
    }
}

void ranges() {
    const Spline chain = ccd::robot::closing(with_lift(9), loops, 0, -2, 2, {1, 2}, {2.3, 2.4}, 1e-7);
    CHECK(chain.over() == "variable 0" && chain.names()[1] == "variable 2" && chain.errors().data()[1] <= 1e-7);
    CHECK(chain.knots().data()[0] == -2 && chain.knots().data()[chain.knots().size() - 1] == 2);
    const std::vector<std::int32_t> follow{1, 2};
    const Path there = Path::linear(4, std::vector<double>{-.75, 0, 0, 1, .5, 0, 0, 2}),
               way = chain.follow(there, 0, follow);
    slider(way, chain.radii()[1]);
    CHECK(value(way, 0, 3, 0) == 1);
    for (const double gap : {1e-5, -1e-5}) {
        Model m = with_lift(4.5 + gap);
        chain.let_err(m, follow);
        CHECK(free_along(way, m) == (gap > 0));
    }
    // The lift does not move a loop, but with the slider on it its value counts.
    Model m = with_lift(9);
    m.joints[0].parent = 4;
    THROWS(ccd::robot::closing(m, loops, 0, -1, 1, {1, 2}, {1.3, 3.4}), CCD_E_ARGUMENT, "variable 3 drives them too");
    THROWS(ccd::robot::closing(m, loops, 4, -1, 1, {1, 2}, {1.3, 3.4}), CCD_E_ARGUMENT, "drive is 4: out of range");
    THROWS(ccd::robot::closing(m, loops, 0, 1, 1, {1, 2}, {1.3, 3.4}), CCD_E_ARGUMENT, "lower is 1, upper is 1");
}

void refusals() {
    const Model m = with_lift(9);
    const Path way = Path::linear(4, std::vector<double>{0, 0, 0, 0, 1, 0, 0, 0});
    const auto closed = [&](const std::vector<Loop> &given, const std::vector<std::int32_t> &follow,
                            const std::vector<double> &start) { return ccd::robot::close(m, way, given, follow, start); };
    THROWS(ccd::robot::close(m, Path::linear(1, std::vector<double>{0, 1}), loops, {1, 2}, {0, 4}), CCD_E_ARGUMENT,
           "path has 1 variables: the model has 4");
    THROWS(closed(loops, {1, 2}, {0}), CCD_E_ARGUMENT, "start has 1 items: must have 2, as follow");
    THROWS(closed({}, {1, 2}, {0, 4}), CCD_E_ARGUMENT, "loops is empty");
    THROWS(closed({Loop()}, {1, 2}, {0, 4}), CCD_E_ARGUMENT, "loops[0].rows is 0: must be 1 to 3");
    THROWS(closed({Loop::ball(2, {{3, 0, 0}}, 3, {{0, 0, 0}})}, {1, 2}, {0, 4}), CCD_E_ARGUMENT,
           "loops have 3 equations, and follow has 2 variables");
    THROWS(closed(loops, {1, 3}, {0, 4}), CCD_E_ARGUMENT, "follow[1] is 3: no joint of a loop has this variable");
    THROWS(closed(loops, {1, 4}, {0, 4}), CCD_E_INDEX, "follow[1] is 4: must be one of 4 variables");
    THROWS(closed(loops, {1, 1}, {0, 4}), CCD_E_ARGUMENT, "follow[1] is 1, as follow[0]");
    THROWS(closed({Loop::pin(2, {{9, 0, 0}}, 5, {{0, 0, 0}})}, {1, 2}, {0, 4}), CCD_E_INDEX, "must be two of 5");
    THROWS(closed({Loop::pin(2, {{9, 0, 0}}, 2, {{0, 0, 0}})}, {1, 2}, {0, 4}), CCD_E_ARGUMENT, "joins link 2 with itself");
    THROWS(closed({Loop::pin(2, {{3, 0, 0}}, 3, {{0, 5, 0}})}, {1, 2}, {0, 4}), CCD_E_ARGUMENT,
           "cannot be closed at the start");
    THROWS(closed({Loop::pin(2, {{NAN, 0, 0}}, 3, {{0, 0, 0}})}, {1, 2}, {0, 4}), CCD_E_NONFINITE, "loops[0].point_a");
    THROWS(ccd::robot::close(m, way, loops, {1, 2}, {0, 4}, 1e-15), CCD_E_ARGUMENT, "tolerance is 1e-15");
    THROWS(Loop::pin(0, {}, 1, {}, {{0, 0, 0}}), CCD_E_ARGUMENT, "axis has the length 0");
    THROWS(Loop::slot(0, {}, 1, {}, {{0, 0, 2}}, {{0, 0, 1}}), CCD_E_ARGUMENT, "parallel");
    // The slider drives the crank: 4 is the dead center.
    const Path out = Path::linear(4, std::vector<double>{0, 0, 3, 0, 0, 0, 4.5, 0});
    THROWS(ccd::robot::close(m, out, loops, {0, 1}, {1, -1.3}), CCD_E_ARGUMENT, "variable 2 at");
    Model loose = m;
    loose.joints[0].error = .1;
    THROWS(ccd::robot::close(loose, way, loops, {1, 2}, {0, 4}), CCD_E_ARGUMENT, "joints[0].error is 0.1: must be 0");
}

} // namespace

int main() {
    paths();
    ranges();
    refusals();
    return failures != 0;
}
