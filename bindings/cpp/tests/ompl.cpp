// The checkers of examples/planning/ompl.hpp: what they accept is proven free, and the last valid state is valid.
#include "../../../examples/planning/ompl.hpp"
#include "check.hpp"

#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

namespace ob = ompl::base;

namespace {

/// Two bars of length 1 in one plane, the first on a joint that turns, in front of a wall.
std::shared_ptr<const ccd::robot::Robot> arm() {
    ccd::robot::Model model;
    model.variables = 2;
    model.joints.resize(2);
    for (std::int32_t i = 0; i < 2; i++) {
        ccd::robot::Joint &joint = model.joints[static_cast<std::size_t>(i)];
        joint.kind = CCD_JOINT_REVOLUTE;
        joint.parent = joint.variable = i;
        joint.child = i + 1;
        joint.axis[2] = 1;
        joint.position[0] = i;
    }
    const auto upper = model.add(1, {0, 0, 0, 1, 0, 0}, {}, 0.01, {{{0, 1}}});
    const auto lower = model.add(2, {0, 0, 0, 1, 0, 0}, {}, 0.01, {{{0, 1}}});
    const auto wall = model.add(-1, {1.4, -0.3, -1, 1.4, 0.9, -1, 1.4, 0.9, 1, 1.4, -0.3, 1}, {{{0, 1, 2}}, {{0, 2, 3}}});
    model.pairs = {{{upper, wall}}, {{lower, wall}}};
    return std::make_shared<const ccd::robot::Robot>(model);
}

void random_motions(const ob::StateSpacePtr &space, int angles) {
    const auto robot = arm();
    auto info = std::make_shared<ob::SpaceInformation>(space);
    const auto valid = std::make_shared<ccd_ompl::StateValidityChecker>(info, robot);
    const auto motions = std::make_shared<ccd_ompl::MotionValidator>(info, robot);
    info->setStateValidityChecker(valid);
    info->setMotionValidator(motions);
    info->setup();
    ompl::RNG::setSeed(5);
    const auto sampler = space->allocStateSampler();
    ob::State *a = space->allocState(), *b = space->allocState(), *c = space->allocState();
    unsigned accepted = 0, tried = 0;
    for (int i = 0; i < 300; i++) {
        sampler->sampleUniform(a);
        sampler->sampleUniform(b);
        const bool free = motions->checkMotion(a, b);
        accepted += free;
        std::pair<ob::State *, double> last(c, -1);
        CHECK(motions->checkMotion(a, b, last) == free);
        if (!free) {
            CHECK(last.second >= 0 && last.second < 1);
            CHECK(last.second == 0 || valid->isValid(c));
            tried += last.second > 0;
        }
        for (int k = 0; k <= 20 && free; k++) { // what the space interpolates is free, angles the short way
            space->interpolate(a, b, k / 20.0, c);
            CHECK(valid->isValid(c));
        }
        std::pair<ob::State *, double> nowhere(nullptr, -1);
        CHECK(motions->checkMotion(a, b, nowhere) == free && (free || nowhere.second == last.second));
    }
    CHECK(accepted > 20 && tried > 20);
    CHECK(motions->getValidMotionCount() == 3 * accepted && motions->getCheckedMotionCount() == 900);
    for (ob::State *s : {a, b, c}) {
        space->freeState(s);
    }
    std::printf("%d angles: %u of 300 motions accepted\n", angles, accepted);
}

} // namespace

int main() {
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    auto reals = std::make_shared<ob::RealVectorStateSpace>(2);
    reals->setBounds(-3, 3);
    random_motions(reals, 0);
    auto mixed = std::make_shared<ob::CompoundStateSpace>();
    auto one = std::make_shared<ob::RealVectorStateSpace>(1);
    one->setBounds(-3, 3);
    mixed->addSubspace(std::make_shared<ob::SO2StateSpace>(), 1);
    mixed->addSubspace(one, 1);
    random_motions(mixed, 1);
    int refused = 0;
    for (const ob::StateSpacePtr &space : {ob::StateSpacePtr(std::make_shared<ob::SE2StateSpace>()),
                                           ob::StateSpacePtr(std::make_shared<ob::SO2StateSpace>()),
                                           ob::StateSpacePtr(std::make_shared<ob::RealVectorStateSpace>(3))}) {
        try {
            ccd_ompl::MotionValidator(std::make_shared<ob::SpaceInformation>(space), arm());
        } catch (const std::invalid_argument &) {
            refused++;
        }
    }
    CHECK(refused == 3);
    return failures != 0;
}
