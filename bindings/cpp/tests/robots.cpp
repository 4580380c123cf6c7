// robots.cpp - robots: edges, paths of polynomials, clearance, pairs that touch. Compiled as C++17 and C++20.
#include "check.hpp"

#include <cmath>
#include <vector>

namespace {

using ccd::robot::Edge;
using ccd::robot::Joint;
using ccd::robot::Model;
using ccd::robot::Path;
using ccd::robot::Robot;

/// A ball of radius 0.1 at 1.1 on an arm that turns, and a wall at y = 1.5 or elsewhere.
Model arm(double wall) {
    Model m;
    m.variables = 1;
    m.joints.resize(1);
    m.joints[0].kind = CCD_JOINT_REVOLUTE;
    m.joints[0].axis[2] = 1;
    const auto tip = m.add(1, {1.1, 0, 0}, {}, 0.1);
    const auto side = m.add(-1, {-9, wall, -9, 9, wall, -9, 0, wall, 9}, {{{0, 1, 2}}});
    m.pairs = {{{tip, side}}};
    return m;
}

void edges() {
    const Robot robot(arm(1));
    CHECK(robot.variables() == 1 && robot.handle() != nullptr);
    const Edge free = robot.check_edge({0}, {.5}, true), hit = robot.check_edge({0}, {1.5});
    CHECK(free.verdict == CCD_SEPARATE && hit.verdict == CCD_CONTACT && hit.how == CCD_ROBOT_NEAR);
    CHECK(std::abs(1.5 * hit.s - std::asin(.9 / 1.1)) < 1e-5);
    const auto both = robot.check_edges({0, 0}, {.5, 1.5}), path = robot.check_path(std::vector<double>{0, .5, 1.5});
    CHECK(both.size() == 2 && same_bits(both[0].s, 1.0) && same_bits(both[1], hit) && path.size() == 2);
    THROWS(robot.check_edge({0, 1}, {1, 2}), CCD_E_ARGUMENT, "q0 has 2 numbers: must have 1");
    THROWS(robot.check_path(std::vector<double>{0}), CCD_E_ARGUMENT, "at least two rows");
    Model wrong = arm(1);
    wrong.radii.pop_back();
    THROWS(Robot{wrong}, CCD_E_ARGUMENT, "radii has ");
}

void clearances() {
    const Robot robot(arm(1.5));
    ccd::Options o;
    o.tolerance = 1e-5;
    const auto one = robot.clearance({0}, {1}, o);
    const double least = 1.4 - 1.1 * std::sin(1);
    CHECK(one.a == 0 && one.b == 1 && one.gap.lo <= least && least <= one.gap.hi && one.gap.hi - one.gap.lo <= 1e-5);
    CHECK(one.gap.time == 1);
    const auto profile = robot.clearance(Path::linear(1, std::vector<double>{0, .5, 1}), 4, o);
    CHECK(profile.size() == 8);
    for (std::size_t i = 0; i < 8; i++) {
        const double at = 1.4 - 1.1 * std::sin(.125 * static_cast<double>(i + 1));
        CHECK(profile[i].gap.lo <= at && at <= profile[i].gap.hi);
    }
    THROWS(robot.clearance(Path::linear(2, std::vector<double>{0, .5, 1, 2})), CCD_E_ARGUMENT,
           "path has 2 variables: must have 1, as the robot");
    THROWS(robot.clearance(Path::linear(1, std::vector<double>{0, .5}), 0), CCD_E_ARGUMENT, "parts is 0");
}

void paths() {
    const Robot robot(arm(1));
    // The cubic from 0 to 0 with velocities 6 and -6 goes up to 1.5; the quintic with accelerations 0 does too.
    const std::vector<double> none{0, 0}, up{6, -6};
    const Path third = Path::hermite(1, {0, 1}, none, up), fifth = Path::hermite(1, {0, 1}, none, up, none);
    CHECK(third.degree() == 3 && third.edges() == 1 && fifth.degree() == 5 && third.variables() == 1);
    CHECK(third.control().data()[1] == 2 && third.control().data()[2] == 2 && fifth.control().data()[2] == 6 * .4);
    for (const Path &path : {third, fifth}) {
        const auto found = robot.check_path(path);
        CHECK(found.size() == 1 && found[0].verdict == CCD_CONTACT);
        double s = found[0].s, q = 0;
        const double choose[2][6] = {{1, 3, 3, 1, 0, 0}, {1, 5, 10, 10, 5, 1}};
        for (int i = 0; i <= path.degree(); i++) {
            q += choose[path.degree() == 5][i] * path.control().data()[i] * std::pow(s, i) *
                 std::pow(1 - s, path.degree() - i);
        }
        CHECK(std::abs(q - std::asin(.9 / 1.1)) < 1e-5 && s < .5);
    }
    CHECK(robot.check_path(Path::hermite(1, {2, 3}, none, std::vector<double>{2, -2}))[0].verdict == CCD_SEPARATE);
    const Path timed = Path::linear(1, std::vector<double>{0, .2, .3}, {1, 2, 5});
    CHECK(timed.time(1, .5) == 3.5 && timed.times().size() == 3 && Path(1, 0, {0, 1}).times().data()[2] == 2);
    THROWS(Path(1, 6, std::vector<double>(7)), CCD_E_ARGUMENT, "0 to 5");
    THROWS(Path(2, 1, {0, 1, 2}), CCD_E_ARGUMENT, "control has 3 numbers: must be a multiple of 4");
    THROWS(Path::linear(1, std::vector<double>{0, 1}, {1, 1}), CCD_E_ARGUMENT, "times[1] is 1, after 1: times must ascend");
    THROWS(Path::linear(1, std::vector<double>{0, 1}, {1}), CCD_E_ARGUMENT,
           "times has 1 numbers: must have 2, one for each waypoint");
    THROWS(Path::hermite(1, {0, 1}, none, std::vector<double>{1}), CCD_E_ARGUMENT,
           "velocities has 1 numbers: must have 2, as values");
    THROWS(Path::hermite(1, {0}, std::vector<double>{1}, none), CCD_E_ARGUMENT, "at least two rows");
}

void touching() {
    Model m = arm(.5);
    m.add(-1, {0, 1.1, 0}, {}, .05);
    m.pairs.push_back({{0, 2}});
    const Robot robot(m);
    const double up = std::acos(0.0);
    CHECK(robot.touching({0}).empty() && robot.touching({up}).size() == 1);
    const auto both = robot.touching({0}, {up});
    CHECK(both.size() == 2 && both[0].body_b == 1 && both[1].body_b == 2 && both[0].s < both[1].s);
    CHECK(robot.touching({0}, {up}, true).size() == 2);
    THROWS(robot.touching({0, 1}), CCD_E_ARGUMENT, "q has 2 numbers: must have 1");
}

/// What a robot grasps, voxels, padding, and a separation of one pair.
void changes() {
    const Robot robot(arm(1.5));
    CHECK(robot.bodies() == 2 && robot.check_edge({0}, {2}).verdict == CCD_SEPARATE);
    Model held;
    held.first = robot.bodies();
    const auto ball = held.add(1, {1.45, 0, 0}, {}, .1);
    held.pairs = {{{ball, 1}}};
    const Robot carrying = robot.with(held);
    CHECK(ball == 2 && carrying.bodies() == 3 && carrying.touching({std::acos(0.0)}).size() == 1);
    CHECK(robot.touching({std::acos(0.0)}).empty() && carrying.with({}, {ball}).touching({std::acos(0.0)}).empty());
    held.separations = {.2};
    CHECK(robot.with(held).check_edge({0}, {1}).verdict == CCD_CONTACT); // 1.45 sin(1) + .1 + .2 is above 1.5
    CHECK(carrying.check_edge({0}, {1}).verdict == CCD_SEPARATE);
    held.separations = {.2, .3};
    THROWS(robot.with(held), CCD_E_ARGUMENT, "separations has ");
    THROWS(robot.with({}, {7}), CCD_E_INDEX, "without[0] is 7");

    Model voxels = arm(9);
    const auto cells = voxels.add_boxes(-1, {0, 1.1, 0, 5, 5, 5, .1, 1.3, 0}, {.1, .1, .1});
    voxels.pairs.push_back({{0, cells}});
    const Robot among(voxels);
    CHECK(cells == 2 && among.bodies() == 3 && among.check_edge({0}, {3}).verdict == CCD_CONTACT);
    CHECK(among.check_edge({0}, {1}).verdict == CCD_SEPARATE);
    voxels.pad(0, .4);
    CHECK(Robot(voxels).check_edge({0}, {1.1}).verdict == CCD_CONTACT);
    THROWS(voxels.pad(7, .1), CCD_E_ARGUMENT, "no such body");
    THROWS(voxels.add_boxes(-1, {1, 2}, {1, 1, 1}), CCD_E_ARGUMENT, "centers has 2 numbers: must have three coordinates");
}

/// Bases and obstacles that move: a ball on a planar joint, and one on a floating joint that comes the other way.
void moving() {
    Model m;
    const auto base = m.add_planar(0), other = m.add_floating(0, {{10, 0, 0}});
    CHECK(base == 3 && other == 9 && m.variables == 9 && m.joints.size() == 9);
    const auto a = m.add(base, {1, 0, 0}, {}, .5), b = m.add(other, {0, 0, 0}, {}, .5);
    m.pairs = {{{a, b}}};
    const Robot robot(m);
    std::vector<double> q0(9), q1(9);
    q1[0] = 4, q1[3] = -4; // from 9 apart to 1 apart: they touch at the end alone
    std::vector<double> both(q0);
    both.insert(both.end(), q1.begin(), q1.end());
    const auto gap = robot.clearance(q0, q1).gap, half = robot.clearance(Path(9, 1, both), 2)[0].gap;
    CHECK(gap.lo < 1e-6 && gap.hi < 1e-5 && half.lo <= 4 && half.lo > 4 - 1e-5);
    q1[0] = 5, q1[3] = -5; // 1 + 5 s + 1 = 10 - 5 s
    CHECK(std::abs(robot.check_edge(q0, q1).s - .8) < 1e-6);
    q1[0] = 4.9;
    q0[2] = q1[2] = 2 * std::acos(0.0); // turned round, the ball is behind the base
    CHECK(robot.check_edge(q0, q1).verdict == CCD_SEPARATE);
    q1[0] = 6;
    q1[6] = q1[7] = q1[8] = 1; // the other one turns about its own center, which changes nothing
    CHECK(std::abs(robot.check_edge(q0, q1).s - 10. / 11) < 1e-6);
}

/// Poses of a free link beside slerp in long doubles: for random poses, turns by 0, half turns and tiny ones, and poles of the angles.
void slerps() {
    using Long = std::array<long double, 4>;
    const auto turned = [](const Long &q, const std::array<long double, 3> &v) { // q v q^-1
        std::array<long double, 3> t{}, out{};
        for (std::size_t i = 0; i < 3; i++) {
            t[i] = 2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]);
        }
        for (std::size_t i = 0; i < 3; i++) {
            out[i] = v[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3];
        }
        return out;
    };
    std::uint64_t state = 1;
    const auto random = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(static_cast<std::int64_t>(state) >> 11) * 0x1p-52;
    };
    for (int n = 0; n < 400; n++) {
        std::array<double, 7> from{}, to{};
        for (std::size_t i = 0; i < 7; i++) {
            from[i] = random();
            to[i] = n % 8 == 1 ? from[i] : n % 8 == 2 ? from[i] + 1e-9 * random() : n % 8 == 3 ? -from[i] : random();
        }
        if (n % 8 == 4) {
            from = {{1, 2, 3, 0, 0, 0, 2}},
            to = {{1, 2, 3, n % 3 == 0 ? 1. : 0., n % 3 == 1 ? 1. : 0., n % 3 == 2 ? -1. : 0., 0}};
        } else if (n % 8 == 5) {
            from[3] = from[4] = 0, to[5] = to[6] = 0;
        } else if (n % 8 == 6) {
            from[5] = from[6] = to[3] = to[4] = 0;
        }
        Long p{}, q{};
        long double pp = 0, qq = 0, dot = 0;
        for (std::size_t i = 0; i < 4; i++) {
            p[i] = from[i + 3], q[i] = to[i + 3];
            pp += p[i] * p[i], qq += q[i] * q[i];
        }
        for (std::size_t i = 0; i < 4; i++) {
            p[i] /= std::sqrt(pp), q[i] /= std::sqrt(qq);
            dot += p[i] * q[i];
        }
        long double apart = 0; // The angle from the chord, which is exact where the cosine is not.
        for (std::size_t i = 0; i < 4; i++) {
            q[i] = dot < 0 ? -q[i] : q[i];
            apart += (p[i] - q[i]) * (p[i] - q[i]);
        }
        const long double angle = 2 * std::asin(std::min(std::sqrt(apart) / 2, 1.0L));
        const auto rows = ccd::robot::slerp(from, to);
        for (const double s : {0., .3, .7, 1.}) {
            const long double u = s, less = angle > 1e-15L ? std::sin((1 - u) * angle) / std::sin(angle) : 1 - u;
            const long double more = angle > 1e-15L ? std::sin(u * angle) / std::sin(angle) : u;
            Long between{};
            for (std::size_t i = 0; i < 4; i++) {
                between[i] = less * p[i] + more * q[i];
            }
            for (std::size_t axis = 0; axis < 3; axis++) {
                std::array<long double, 3> v{}, w{};
                v[axis] = w[axis] = 1;
                for (std::size_t i = 8; i-- > 3;) {
                    const long double x = rows[i] + u * (static_cast<long double>(rows[i + 8]) - rows[i]);
                    const std::size_t k = i % 2 == 1 ? 0 : 2, m = i % 2 == 1 ? 1 : 0; // About z, or about y.
                    const long double first = v[k], second = v[m];
                    v[k] = std::cos(x) * first - std::sin(x) * second, v[m] = std::sin(x) * first + std::cos(x) * second;
                }
                w = turned(between, w);
                for (std::size_t i = 0; i < 3; i++) {
                    CHECK(std::abs(v[i] - w[i]) < 1e-14L);
                }
            }
        }
        CHECK(rows[0] == from[0] && rows[10] == to[2]);
    }
    Model m; // A ball at (1, 0, 0) of a free link that turns by half about z from x to -x passes a post at (0, 1).
    const auto link = m.add_free(0);
    const auto ball = m.add(link, {1, 0, 0}, {}, .1), post = m.add(-1, {0, 1.3, 0}, {}, .1);
    m.pairs = {{{ball, post}}};
    const auto way = [&](double up, double w) {
        const auto rows = ccd::robot::slerp({{0, 0, 0, 0, 0, 0, 1}}, {{0, up, 0, 0, 0, 1, w}});
        return Robot(m).check_path(Path(8, 1, {rows.begin(), rows.end()}))[0];
    };
    CHECK(link == 8 && m.variables == 8 && way(0, 1e-12).verdict == CCD_SEPARATE && way(.3, 1e-12).verdict == CCD_CONTACT);
    CHECK(way(.3, -1e-12).verdict == CCD_SEPARATE); // the short way is the other one
    THROWS(ccd::robot::slerp({}, {}), CCD_E_ARGUMENT, "from[3] to [6] are 0");
    THROWS(ccd::robot::slerp({{INFINITY, 0, 0, 0, 0, 0, 1}}, {}), CCD_E_NONFINITE, "not finite");
}

/// More links than a mask has bits: a row of balls on slides, each with a wall of its own, of which one is in the way.
void links() {
    Model m;
    m.variables = 1;
    std::vector<double> x;
    for (std::int32_t i = 1; i <= 90; i++) {
        Joint j;
        j.kind = CCD_JOINT_PRISMATIC;
        j.child = i;
        j.axis[0] = 1;
        j.position[1] = i;
        m.joints.push_back(j);
        m.add(i, {0, 0, 0}, {}, .1);
    }
    for (std::int32_t i = 1; i <= 90; i++) {
        const double y = i, at = i == 77 ? 1 : 3;
        const auto wall = m.add(-1, {at, y - .3, -1, at, y + .3, -1, at, y, 1}, {{{0, 1, 2}}});
        m.pairs.push_back({{i - 1, wall}});
    }
    const Robot robot(m);
    for (const bool any : {false, true}) {
        const Edge hit = robot.check_edge({0}, {2}, any);
        CHECK(hit.verdict == CCD_CONTACT && hit.body_a == 76 && hit.body_b == 90 + 76);
        CHECK(robot.check_edge({0}, {.8}, any).verdict == CCD_SEPARATE);
    }
    CHECK(robot.touching({0}, {2}).size() == 1);
    const auto table = robot.ranges({0}, {2});
    CHECK(table.size() == 90);
    for (std::size_t i = 0; i < table.size(); i++) {
        CHECK(table[i].verdict == (i == 76 ? CCD_CONTACT : CCD_SEPARATE));
    }
    THROWS(robot.ranges({2}, {0}), CCD_E_ARGUMENT, "must not be above it");
}

} // namespace

int main() {
    edges();
    clearances();
    paths();
    touching();
    changes();
    moving();
    slerps();
    links();
    return failures != 0;
}
