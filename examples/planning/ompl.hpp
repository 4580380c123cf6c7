// ompl.hpp - validity checkers for OMPL that accept an edge or a configuration only if it is proven free of collisions.
//
// Needs OMPL 1.5 or newer and ccd/robot.hpp. A state's values, in OMPL's order, are the robot's variables. Spaces are real
// vectors, SO(2), and compounds of them. Threads may share the checkers.
#ifndef LIBCCD_EXAMPLES_OMPL_HPP
#define LIBCCD_EXAMPLES_OMPL_HPP

#include <ccd/robot.hpp>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ccd_ompl {

/// The values of a robot's variables in the states of a space.
class Values {
public:
    /// @throws std::invalid_argument if the space has other parts, or another number of values
    Values(const ompl::base::StateSpace *space, std::size_t variables) {
        add(space, {});
        std::size_t count = 0;
        for (const Part &part : parts_) {
            count += part.size == 0 ? 1 : part.size;
        }
        if (count != variables) {
            throw std::invalid_argument("the space has another number of values than the robot has variables");
        }
    }

    /// The values of a state.
    std::vector<double> of(const ompl::base::State *state) const {
        std::vector<double> found;
        for (const Part &part : parts_) {
            const ompl::base::State *s = state;
            for (const unsigned k : part.path) {
                s = s->as<ompl::base::CompoundState>()->components[k];
            }
            if (part.size == 0) {
                found.push_back(s->as<ompl::base::SO2StateSpace::StateType>()->value);
            } else {
                const double *values = s->as<ompl::base::RealVectorStateSpace::StateType>()->values;
                found.insert(found.end(), values, values + part.size);
            }
        }
        return found;
    }

    /// Where the space's interpolation from q0 to q1 ends: an angle more than pi away is reached the other way around.
    std::vector<double> reached(const std::vector<double> &q0, std::vector<double> q1) const {
        std::size_t i = 0;
        for (const Part &part : parts_) {
            if (part.size == 0 && std::abs(q1[i] - q0[i]) > pi) {
                q1[i] -= std::copysign(2 * pi, q1[i] - q0[i]);
            }
            i += part.size == 0 ? 1 : part.size;
        }
        return q1;
    }

private:
    static constexpr double pi = 3.14159265358979323846;
    struct Part {
        std::vector<unsigned> path; // the indices of components that lead to it
        std::size_t size;           // of a real vector; 0 for SO(2)
    };

    void add(const ompl::base::StateSpace *space, const std::vector<unsigned> &path) {
        if (space->isCompound()) {
            const auto *whole = space->as<ompl::base::CompoundStateSpace>();
            for (unsigned k = 0; k < whole->getSubspaceCount(); k++) {
                std::vector<unsigned> next = path;
                next.push_back(k);
                add(whole->getSubspace(k).get(), next);
            }
        } else if (dynamic_cast<const ompl::base::RealVectorStateSpace *>(space) != nullptr) {
            parts_.push_back({path, space->getDimension()});
        } else if (dynamic_cast<const ompl::base::SO2StateSpace *>(space) != nullptr) {
            parts_.push_back({path, 0});
        } else {
            throw std::invalid_argument("the space has a part that is no real vector and no SO(2): " + space->getName());
        }
    }

    std::vector<Part> parts_;
};

/// Accepts motions that are proven free: the edge as the space interpolates it.
class MotionValidator : public ompl::base::MotionValidator {
public:
    /// @param robot   the robot among its obstacles; not changed while planners run
    /// @param options tolerance, min_separation, max_iterations
    MotionValidator(const ompl::base::SpaceInformationPtr &si, std::shared_ptr<const ccd::robot::Robot> robot,
                    ccd::Options options = {})
        : ompl::base::MotionValidator(si), robot_(std::move(robot)), options_(std::move(options)),
          values_(si->getStateSpace().get(), robot_->variables()) {}

    bool checkMotion(const ompl::base::State *s1, const ompl::base::State *s2) const override {
        const std::vector<double> q0 = values_.of(s1), q1 = values_.reached(q0, values_.of(s2));
        return count(robot_->check_edge(q0, q1, true, options_).verdict == CCD_SEPARATE);
    }

    /// As OMPL asks: where the motion is not accepted, lastValid is the last state on it that is, with its fraction.
    bool checkMotion(const ompl::base::State *s1, const ompl::base::State *s2,
                     std::pair<ompl::base::State *, double> &lastValid) const override {
        const std::vector<double> q0 = values_.of(s1), q1 = values_.reached(q0, values_.of(s2));
        const ccd::robot::Edge edge = robot_->check_edge(q0, q1, false, options_);
        if (edge.verdict == CCD_SEPARATE) {
            return count(true);
        }
        // Before s_free nothing touches. At s_free itself the distance may be 0, so the state is a little before it.
        double s = edge.s_free;
        for (double back = 1e-9; s > 0 && !rests(q0, q1, s); back *= 4) {
            s = std::max(0.0, edge.s_free - back);
        }
        lastValid.second = s;
        if (lastValid.first != nullptr) {
            si_->getStateSpace()->interpolate(s1, s2, s, lastValid.first);
        }
        return count(false);
    }

private:
    bool rests(const std::vector<double> &q0, const std::vector<double> &q1, double s) const {
        std::vector<double> q(q0.size());
        for (std::size_t i = 0; i < q.size(); i++) {
            q[i] = q0[i] + s * (q1[i] - q0[i]);
        }
        return robot_->check_edge(q, q, true, options_).verdict == CCD_SEPARATE;
    }

    bool count(bool valid) const {
        valid ? valid_++ : invalid_++;
        return valid;
    }

    std::shared_ptr<const ccd::robot::Robot> robot_;
    ccd::Options options_;
    Values values_;
};

/// Accepts configurations that are proven free, within the bounds of the space.
class StateValidityChecker : public ompl::base::StateValidityChecker {
public:
    /// @param robot   the robot among its obstacles; not changed while planners run
    /// @param options tolerance, min_separation, max_iterations
    StateValidityChecker(const ompl::base::SpaceInformationPtr &si, std::shared_ptr<const ccd::robot::Robot> robot,
                         ccd::Options options = {})
        : ompl::base::StateValidityChecker(si), robot_(std::move(robot)), options_(std::move(options)),
          values_(si->getStateSpace().get(), robot_->variables()) {}

    bool isValid(const ompl::base::State *state) const override {
        const std::vector<double> q = values_.of(state);
        return si_->satisfiesBounds(state) && robot_->check_edge(q, q, true, options_).verdict == CCD_SEPARATE;
    }

private:
    std::shared_ptr<const ccd::robot::Robot> robot_;
    ccd::Options options_;
    Values values_;
};

} // namespace ccd_ompl

#endif // LIBCCD_EXAMPLES_OMPL_HPP
