// Plans with RRTConnect of OMPL so that every edge of the path is proven free, then by samples 0.1 and 0.01 apart.
//
//   sudo apt install libompl-dev libeigen3-dev
//   c++ -std=c++17 -O2 ompl_plan.cpp -I/usr/include/ompl-1.5 -I/usr/include/eigen3 -lccd-toi -lompl
//
// The program ends with 1 if the path that was planned with proofs is not free, or OMPL finds none.
#include "ompl.hpp"

#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

/// The corners and triangles of a box.
std::int32_t add_box(ccd::robot::Model &model, std::int32_t link, std::array<double, 3> at, std::array<double, 3> size) {
    std::vector<double> x;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            const std::size_t axis = static_cast<std::size_t>(k);
            x.push_back(at[axis] + ((i >> (2 - k) & 1) - 0.5) * size[axis]);
        }
    }
    return model.add(link, x,
                     {{{0, 1, 3}},
                      {{0, 3, 2}},
                      {{4, 6, 7}},
                      {{4, 7, 5}},
                      {{0, 4, 5}},
                      {{0, 5, 1}},
                      {{2, 3, 7}},
                      {{2, 7, 6}},
                      {{0, 2, 6}},
                      {{0, 6, 4}},
                      {{1, 5, 7}},
                      {{1, 7, 3}}});
}

/// An arm with six revolute joints, with capsules for links and a fork of thin prongs, in front of a shelf with wires.
ccd::robot::Model scene() {
    const double axes[6][3] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    const double places[6][3] = {{0, 0, 0.1}, {0, 0, 0.1}, {0, 0, 0.45}, {0.2, 0, 0}, {0.2, 0, 0}, {0.1, 0, 0}};
    ccd::robot::Model model;
    model.variables = 6;
    model.joints.resize(6);
    for (std::int32_t i = 0; i < 6; i++) {
        ccd::robot::Joint &joint = model.joints[static_cast<std::size_t>(i)];
        joint.kind = CCD_JOINT_REVOLUTE;
        joint.parent = joint.variable = i;
        joint.child = i + 1;
        std::copy_n(axes[i], 3, joint.axis);
        std::copy_n(places[i], 3, joint.position);
    }
    std::vector<std::vector<std::int32_t>> links(7); // the bodies of each link
    links[0] = {add_box(model, 0, {0, 0, 0}, {0.2, 0.2, 0.05})};
    links[1] = {model.add(1, {0, 0, 0}, {}, 0.07)};
    links[2] = {model.add(2, {0, 0, 0.025, 0, 0, 0.425}, {}, 0.05, {{{0, 1}}})};
    links[3] = {model.add(3, {0, 0, 0, 0.2, 0, 0}, {}, 0.04, {{{0, 1}}})};
    links[4] = {model.add(4, {0, 0, 0, 0.2, 0, 0}, {}, 0.035, {{{0, 1}}})};
    links[5] = {model.add(5, {0, 0, 0}, {}, 0.04)};
    links[6] = {add_box(model, 6, {0.08, 0, 0}, {0.01, 0.08, 0.01}),
                add_box(model, 6, {0.16, -0.03, 0}, {0.16, 0.008, 0.008}),
                add_box(model, 6, {0.16, 0.03, 0}, {0.16, 0.008, 0.008})};
    std::vector<std::int32_t> shelf;
    for (const double z : {0.35, 0.65, 0.95}) {
        shelf.push_back(add_box(model, -1, {0.75, 0, z}, {0.3, 1.0, 0.01}));
    }
    for (const double y : {-0.5, 0.0, 0.5}) {
        shelf.push_back(add_box(model, -1, {0.75, y, 0.65}, {0.3, 0.01, 0.6}));
    }
    for (const double z : {0.42, 0.88}) {
        shelf.push_back(add_box(model, -1, {0.58, 0, z}, {0.003, 1.0, 0.003}));
    }
    for (std::size_t a = 1; a < 7; a++) {
        for (const std::int32_t i : links[a]) {
            for (const std::int32_t j : shelf) {
                model.pairs.push_back({i, j});
            }
            for (std::size_t b = a + 3; b < 7; b++) { // links nearer along the chain always touch, or never
                for (const std::int32_t j : links[b]) {
                    model.pairs.push_back({i, j});
                }
            }
        }
    }
    for (std::size_t b = 3; b < 7; b++) {
        for (const std::int32_t j : links[b]) {
            model.pairs.push_back({links[0][0], j});
        }
    }
    return model;
}

/// Plans with proofs, or by samples this far apart; prints, and returns the number of edges that are not proven free, -1 if
/// there is no path.
int plan(const std::shared_ptr<const ccd::robot::Robot> &robot, double resolution, double seconds) {
    ompl::RNG::setSeed(1);
    auto space = std::make_shared<ob::RealVectorStateSpace>(6);
    space->setBounds(-3.141592653589793, 3.141592653589793);
    og::SimpleSetup setup(space);
    const ob::SpaceInformationPtr &info = setup.getSpaceInformation();
    setup.setStateValidityChecker(std::make_shared<ccd_ompl::StateValidityChecker>(info, robot));
    if (resolution == 0) {
        info->setMotionValidator(std::make_shared<ccd_ompl::MotionValidator>(info, robot));
    } else {
        info->setStateValidityCheckingResolution(resolution / space->getMaximumExtent());
    }
    ob::ScopedState<> start(space), goal(space);
    const double from[6] = {0.6, 0.2, 0.1, 0.0, -0.3, 0.0}, to[6] = {-0.6, -0.1, -0.35, 0.0, 0.45, 1.2};
    for (unsigned i = 0; i < 6; i++) {
        start[i] = from[i];
        goal[i] = to[i];
    }
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<og::RRTConnect>(info));
    const std::clock_t begun = std::clock();
    setup.solve(seconds);
    if (!setup.haveExactSolutionPath()) {
        std::printf("no path in %g s\n", seconds);
        return -1;
    }
    setup.simplifySolution(seconds);
    const double spent = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    std::vector<double> waypoints;
    for (const ob::State *state : setup.getSolutionPath().getStates()) {
        const double *q = state->as<ob::RealVectorStateSpace::StateType>()->values;
        waypoints.insert(waypoints.end(), q, q + 6);
    }
    int wrong = 0;
    const std::vector<ccd::robot::Edge> edges = robot->check_path(waypoints);
    for (const ccd::robot::Edge &edge : edges) {
        wrong += edge.verdict != CCD_SEPARATE;
    }
    if (resolution == 0) {
        std::printf("proofs");
    } else {
        std::printf("samples %g apart", resolution);
    }
    std::printf(": %zu edges in %.4f s of processor time, %d not free\n", edges.size(), spent, wrong);
    return wrong;
}

} // namespace

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 20;
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    const auto robot = std::make_shared<const ccd::robot::Robot>(scene());
    const int proven = plan(robot, 0, seconds);
    plan(robot, 0.1, seconds);
    plan(robot, 0.01, seconds);
    return proven == 0 ? 0 : 1;
}
