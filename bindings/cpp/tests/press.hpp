// press.hpp - a crank press, for the tests of closed chains: its model, its paths beside the closed formula, and whether they are free.
#pragma once

#include "check.hpp"

#include <cmath>
#include <vector>

namespace {

/// A crank of 1 and a rod of 3 push a ball of 0.5 to a wall: at cos q + sqrt(9 - sin^2 q), so to 4 at the dead center.
ccd::robot::Model press(double wall) {
    ccd::robot::Model m;
    m.variables = 3;
    m.joints.resize(3);
    for (std::int32_t i = 0; i < 3; i++) {
        ccd::robot::Joint &j = m.joints[static_cast<std::size_t>(i)];
        j.kind = i < 2 ? CCD_JOINT_REVOLUTE : CCD_JOINT_PRISMATIC;
        j.parent = i == 1 ? 1 : 0;
        j.child = i + 1;
        j.variable = i;
        j.axis[i < 2 ? 2 : 0] = i == 2 ? 5 : 1; // an axis has any length
    }
    m.joints[1].position[0] = 1;
    const auto ball = m.add(3, {0, 0, 0}, {}, .5);
    const auto plate = m.add(-1, {wall, -9, -9, wall, 9, -9, wall, 0, 9}, {{{0, 1, 2}}});
    m.pairs = {{{ball, plate}}};
    return m;
}

/// The value of a polynomial of degree 5 by Bernstein's sum.
double value(const ccd::robot::Path &path, std::size_t edge, std::size_t variable, double s) {
    const double choose[6] = {1, 5, 10, 10, 5, 1};
    double sum = 0;
    for (std::size_t i = 0; i < 6; i++) {
        sum += choose[i] * path.control().data()[(edge * 6 + i) * path.variables() + variable] *
               std::pow(s, static_cast<double>(i)) * std::pow(1 - s, static_cast<double>(5 - i));
    }
    return sum;
}

/// The slider is within its radius of the closed formula, everywhere on a path.
void slider(const ccd::robot::Path &way, double off) {
    for (std::size_t edge = 0; edge < way.edges(); edge++) {
        for (const double s : {0., .3, .8, 1.}) {
            const double q = value(way, edge, 0, s), sine = std::sin(q), x = value(way, edge, 2, s);
            CHECK(std::abs(x - std::cos(q) - std::sqrt(9 - sine * sine)) <= off + 1e-14);
        }
    }
}

/// Whether all edges of a path are free, each of which is decided.
bool free_along(const ccd::robot::Path &way, const ccd::robot::Model &m) {
    bool free = true;
    for (const auto &edge : ccd::robot::Robot(m).check_path(way)) {
        free = free && edge.verdict == CCD_SEPARATE;
        CHECK(edge.verdict != CCD_UNDECIDED);
    }
    return free;
}

} // namespace
