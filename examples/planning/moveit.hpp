// moveit.hpp - proofs for MoveIt 2: a planning scene as a ccd::robot::Robot, and a response adapter that accepts a trajectory only
// if all of it is proven free of collisions.
//
// Compiled here against stubs of MoveIt's interfaces (stubs/moveit_stubs.hpp, written from their documentation), never against
// MoveIt itself: the packages could not be had. With MoveIt installed leave CCD_MOVEIT_STUBS undefined.
#ifndef LIBCCD_EXAMPLES_MOVEIT_HPP
#define LIBCCD_EXAMPLES_MOVEIT_HPP

#include <ccd/robot.hpp>

#ifdef CCD_MOVEIT_STUBS
#include "stubs/moveit_stubs.hpp"
#else
#include <geometric_shapes/shapes.h>
#include <moveit/planning_interface/planning_response_adapter.hpp>
#include <moveit/planning_scene/planning_scene.hpp>
#include <moveit/robot_model/planar_joint_model.hpp>
#include <moveit/robot_model/prismatic_joint_model.hpp>
#include <moveit/robot_model/revolute_joint_model.hpp>
#include <moveit/robot_trajectory/robot_trajectory.hpp>
#include <octomap/octomap.h>
#include <rclcpp/rclcpp.hpp>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ccd_moveit {

namespace core = moveit::core;

/// What is proven of a trajectory.
struct Proof {
    bool free = true;       ///< proven: nothing touches on the whole trajectory
    bool undecided = false; ///< neither that nor a contact is proven, at the first edge that is not free
    std::size_t edge = 0;   ///< that edge: from waypoint `edge` to the next one
    double s = 0;           ///< where on it, in [0, 1]
    std::string a, b;       ///< names of two links, attached bodies or objects of the world
};

/// A planning scene, with the bodies that a state carries: trees are built once, and any number of trajectories checked.
///
/// Link 0 is MoveIt's model frame, in which the objects of the world are, and link i + 1 is the link with getLinkIndex() i. The
/// variables are all variables of the model, in MoveIt's order. A floating joint's are x, y, z and five angles, of which the last stands
/// after all others: see ccd::robot::slerp.
class Scene {
public:
    /// @param scene   the planning scene
    /// @param carrier a state: attached bodies are those that it carries
    /// @throws std::invalid_argument for what has no meaning here: a base that drives as a car, a plane, a cone, a scaled link
    Scene(const planning_scene::PlanningScene &scene, const core::RobotState &carrier) : Scene(Parts(scene, carrier)) {}

    /// Decide a trajectory, in the way that controllers follow it: by quintics or cubics through its waypoints if all have
    /// velocities (and accelerations), and straight otherwise. Continuous joints go the short way, and floating ones turn by slerp.
    /// @throws std::invalid_argument a floating joint moves on a trajectory with velocities: no controller says how
    Proof prove(const robot_trajectory::RobotTrajectory &trajectory, const ccd::Options &options = {}) const {
        Proof found;
        const std::size_t count = trajectory.getWayPointCount(), n = around_.size();
        if (count == 0 || n == 0) {
            return found;
        }
        std::vector<double> q, v, a, times;
        double time = 0;
        bool fast = true, bends = true;
        for (std::size_t i = 0; i < (count == 1 ? 2 : count); i++) {
            const core::RobotState &state = trajectory.getWayPoint(count == 1 ? 0 : i);
            q.insert(q.end(), state.getVariablePositions(), state.getVariablePositions() + n);
            time += i == 0 ? 0 : count == 1 ? 1 : trajectory.getWayPointDurationFromPrevious(i);
            times.push_back(time);
            fast = fast && state.hasVelocities() && (i == 0 || times[i] > times[i - 1]);
            bends = bends && state.hasAccelerations();
        }
        for (std::size_t i = n; i < q.size(); i++) { // The short way: whole turns are counted on.
            if (around_[i % n]) {
                q[i] -= 2 * pi * std::round((q[i] - q[i - n]) / (2 * pi));
            }
        }
        if (fast) {
            for (std::size_t i = 0; i < times.size(); i++) {
                const core::RobotState &state = trajectory.getWayPoint(count == 1 ? 0 : i);
                v.insert(v.end(), state.getVariableVelocities(), state.getVariableVelocities() + n);
                if (bends) {
                    a.insert(a.end(), state.getVariableAccelerations(), state.getVariableAccelerations() + n);
                }
            }
        }
        auto path = fast ? ccd::robot::Path::hermite(n, times, q, v, a) : ccd::robot::Path::linear(n, q);
        if (!floating_.empty()) {
            path = floated(path, q);
        }
        const auto edges = robot_.check_path(path, false, options);
        for (std::size_t i = 0; i < edges.size() && found.free; i++) {
            if (edges[i].verdict != CCD_SEPARATE) {
                found = {false,      edges[i].verdict != CCD_CONTACT, i,
                         edges[i].s, name(edges[i].body_a),           name(edges[i].body_b)};
            }
        }
        return found;
    }

    /// The robot, for planners that check edges themselves: see ompl.hpp.
    const ccd::robot::Robot &robot() const { return robot_; }

private:
    static constexpr double pi = 3.14159265358979323846;

    /// A body, and what MoveIt's matrix knows it by.
    struct Body {
        std::string name;
        int link;                    // of the robot, -1 for an object of the world
        std::set<std::string> touch; // links that an attached body may touch
    };

    /// A floating joint: its first variable, which begins seven of MoveIt's, and the eighth of ours.
    struct Floating {
        std::size_t first, last;
    };

    /// The path with the angles of floating joints in place of their quaternions, which are in the rows q of waypoints.
    ccd::robot::Path floated(const ccd::robot::Path &path, const std::vector<double> &q) const {
        const std::size_t n = around_.size(), all = robot_.variables(), rows = static_cast<std::size_t>(path.degree()) + 1;
        std::vector<double> control(path.edges() * rows * all);
        for (std::size_t i = 0; i < path.edges() * rows; i++) {
            std::copy_n(path.control().data() + i * n, n, control.data() + i * all);
            const double share = static_cast<double>(i % rows) / static_cast<double>(rows - 1);
            for (const Floating &joint : floating_) {
                std::array<double, 7> ends[2];
                for (std::size_t k = 0; k < 2; k++) {
                    std::copy_n(q.data() + (i / rows + k) * n + joint.first, 7, ends[k].begin());
                }
                if (rows > 2 && ends[0] != ends[1]) {
                    throw std::invalid_argument("a floating joint moves on a trajectory with velocities: leave them out");
                }
                const auto both = ccd::robot::slerp(ends[0], ends[1]);
                for (std::size_t k = 0; k < 8; k++) {
                    const double value = both[k] == both[k + 8] ? both[k] : both[k] + share * (both[k + 8] - both[k]);
                    control[i * all + (k < 7 ? joint.first + k : joint.last)] = share == 1 ? both[k + 8] : value;
                }
            }
        }
        return ccd::robot::Path(all, path.degree(), std::move(control), {path.times().begin(), path.times().end()});
    }

    struct Parts {
        Parts(const planning_scene::PlanningScene &scene, const core::RobotState &carrier) {
            const auto &kinematics = *scene.getRobotModel();
            model.variables = kinematics.getVariableCount();
            around.resize(model.variables);
            next = static_cast<std::int32_t>(kinematics.getLinkModels().size()) + 1;
            for (const core::JointModel *joint : kinematics.getJointModels()) {
                add(*joint);
            }
            const auto &pads = *scene.getCollisionEnv();
            for (const core::LinkModel *own : kinematics.getLinkModels()) {
                if (pads.getLinkScale(own->getName()) != 1) {
                    throw std::invalid_argument(own->getName() + " is scaled: pad it instead");
                }
                begin(own->getName(), index(own), pads.getLinkPadding(own->getName()));
                for (std::size_t k = 0; k < own->getShapes().size(); k++) {
                    add(*own->getShapes()[k], own->getCollisionOriginTransforms()[k]);
                }
            }
            std::vector<const core::AttachedBody *> carried;
            carrier.getAttachedBodies(carried);
            for (const core::AttachedBody *body : carried) {
                begin(body->getName(), index(body->getAttachedLink()),
                      pads.getLinkPadding(body->getAttachedLink()->getName()));
                touch = body->getTouchLinks();
                touch.insert(body->getAttachedLink()->getName());
                for (std::size_t k = 0; k < body->getShapes().size(); k++) {
                    add(*body->getShapes()[k], body->getShapePosesInLinkFrame()[k]);
                }
            }
            for (const std::string &id : scene.getWorld()->getObjectIds()) {
                const auto object = scene.getWorld()->getObject(id);
                begin(id, -1, 0);
                for (std::size_t k = 0; k < object->shapes_.size(); k++) {
                    add(*object->shapes_[k], object->global_shape_poses_[k]);
                }
            }
            pair(scene.getAllowedCollisionMatrix());
        }

        static std::int32_t index(const core::LinkModel *link) {
            return link == nullptr ? 0 : static_cast<std::int32_t>(link->getLinkIndex()) + 1;
        }

        void begin(const std::string &called, std::int32_t carrier, double padding) {
            name = called, link = carrier, pad = padding, started = false;
            touch.clear();
        }

        /// Add a joint; one in a plane becomes two slides and a turn, with links between them.
        void add(const core::JointModel &joint) {
            const core::LinkModel *child = joint.getChildLinkModel();
            ccd::robot::Joint j;
            j.parent = index(joint.getParentLinkModel()), j.child = index(child);
            const Eigen::Isometry3d &origin = child->getJointOriginTransform();
            for (int i = 0; i < 3; i++) {
                j.position[i] = origin.translation()[i];
                for (int k = 0; k < 3; k++) {
                    j.rotation[3 * i + k] = origin.linear()(i, k);
                }
            }
            const core::JointModel *followed = joint.getMimic() == nullptr ? &joint : joint.getMimic();
            double factor = joint.getMimicFactor(), offset = joint.getMimicOffset();
            while (followed->getMimic() != nullptr) { // a mimic of a mimic
                offset += factor * followed->getMimicOffset();
                factor *= followed->getMimicFactor();
                followed = followed->getMimic();
            }
            if (joint.getMimic() != nullptr) {
                j.factor = factor, j.offset = offset;
            }
            const std::size_t first = followed->getFirstVariableIndex();
            j.variable = static_cast<std::int32_t>(first);
            const auto along = [&](const Eigen::Vector3d &axis) {
                for (int i = 0; i < 3; i++) {
                    j.axis[i] = axis[i];
                }
            };
            switch (joint.getType()) {
            case core::JointModel::FIXED:
                j.variable = 0;
                break;
            case core::JointModel::REVOLUTE: {
                const auto &turn = static_cast<const core::RevoluteJointModel &>(joint);
                j.kind = CCD_JOINT_REVOLUTE;
                along(turn.getAxis());
                around[first] = around[first] || (turn.isContinuous() && followed == &joint);
                break;
            }
            case core::JointModel::PRISMATIC:
                j.kind = CCD_JOINT_PRISMATIC;
                along(static_cast<const core::PrismaticJointModel &>(joint).getAxis());
                break;
            case core::JointModel::PLANAR: {
                const auto &planar = static_cast<const core::PlanarJointModel &>(joint);
                if (planar.getMotionModel() != core::PlanarJointModel::HOLONOMIC) { // It turns, drives, and turns again.
                    throw std::invalid_argument("joint " + joint.getName() +
                                                " drives as a car: only holonomic bases are known");
                }
                chain(j, {0, 1, 5}, {first, first + 1, first + 2});
                around[first + 2] = true;
                return;
            }
            case core::JointModel::FLOATING:
                floating.push_back({first, model.variables});
                chain(j, {0, 1, 2, 5, 4, 5, 4, 5},
                      {first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, model.variables});
                model.variables++;
                return;
            default:
                throw std::invalid_argument("joint " + joint.getName() + " has an unknown type");
            }
            model.joints.push_back(j);
        }

        /// Add a chain of joints with links between them: slides along x, y, z (0 to 2), or turns about them (3 to 5).
        void chain(const ccd::robot::Joint &whole, const std::vector<int> &kinds,
                   const std::vector<std::size_t> &variables) {
            for (std::size_t k = 0; k < kinds.size(); k++) {
                ccd::robot::Joint part = k == 0 ? whole : ccd::robot::Joint();
                part.kind = kinds[k] < 3 ? CCD_JOINT_PRISMATIC : CCD_JOINT_REVOLUTE;
                part.parent = k == 0 ? whole.parent : next++;
                part.child = k + 1 == kinds.size() ? whole.child : next;
                part.variable = static_cast<std::int32_t>(variables[k]);
                part.axis[kinds[k] % 3] = 1;
                model.joints.push_back(part);
            }
        }

        /// Add a shape to the body that was begun.
        void add(const shapes::Shape &shape, const Eigen::Isometry3d &pose) {
            std::vector<double> x;
            std::vector<std::array<std::int32_t, 3>> faces;
            const auto point = [&](double a, double b, double c) {
                const Eigen::Vector3d p = pose * Eigen::Vector3d(a, b, c);
                x.insert(x.end(), p.data(), p.data() + 3);
            };
            const auto box = [&](const Eigen::Vector3d &middle, const Eigen::Vector3d &half) {
                x.clear();
                for (int i = 0; i < 8; i++) {
                    const Eigen::Vector3d sign((i & 1) * 2 - 1, (i & 2) - 1, (i & 4) / 2 - 1);
                    const Eigen::Vector3d p = middle + sign.cwiseProduct(half);
                    point(p[0], p[1], p[2]);
                }
                faces = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
                         {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
                keep(x, faces, 0);
            };
            switch (shape.type) {
            case shapes::SPHERE:
                point(0, 0, 0);
                return keep(x, faces, static_cast<const shapes::Sphere &>(shape).radius);
            case shapes::BOX: {
                const auto &s = static_cast<const shapes::Box &>(shape).size;
                return box(Eigen::Vector3d::Zero(), .5 * Eigen::Vector3d(s[0], s[1], s[2]));
            }
            case shapes::CYLINDER: { // a prism around it, as ccd.robot has it
                const auto &c = static_cast<const shapes::Cylinder &>(shape);
                constexpr int sides = 32;
                const double r = c.radius / std::cos(pi / sides) * (1 + 1e-12);
                for (int i = 0; i < 2 * sides; i++) {
                    const double angle = 2 * pi * (i % sides) / sides;
                    point(r * std::cos(angle), r * std::sin(angle), i < sides ? -.5 * c.length : .5 * c.length);
                }
                point(0, 0, -.5 * c.length);
                point(0, 0, .5 * c.length);
                for (std::int32_t i = 0; i < sides; i++) {
                    const std::int32_t k = (i + 1) % sides, n = sides;
                    faces.insert(faces.end(),
                                 {{{i, k, k + n}}, {{i, k + n, i + n}}, {{2 * n, k, i}}, {{2 * n + 1, i + n, k + n}}});
                }
                return keep(x, faces, 0);
            }
            case shapes::MESH: {
                const auto &mesh = static_cast<const shapes::Mesh &>(shape);
                for (unsigned i = 0; i < mesh.vertex_count; i++) {
                    point(mesh.vertices[3 * i], mesh.vertices[3 * i + 1], mesh.vertices[3 * i + 2]);
                }
                for (unsigned i = 0; i < mesh.triangle_count; i++) {
                    const unsigned *t = mesh.triangles + 3 * i;
                    faces.push_back({{static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]),
                                      static_cast<std::int32_t>(t[2])}});
                }
                return keep(x, faces, 0);
            }
            case shapes::OCTREE: {
                const auto &tree = *static_cast<const shapes::OcTree &>(shape).octree;
                for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
                    if (tree.isNodeOccupied(*leaf)) { // unknown space counts as empty, as in MoveIt
                        box({leaf.getX(), leaf.getY(), leaf.getZ()}, Eigen::Vector3d::Constant(.5 * leaf.getSize()));
                    }
                }
                return;
            }
            default:
                throw std::invalid_argument(name + " has a plane or a cone: give a mesh");
            }
        }

        void keep(const std::vector<double> &x, const std::vector<std::array<std::int32_t, 3>> &faces, double radius) {
            if (!started) {
                bodies.push_back({name, link, touch});
            }
            started = true;
            model.add(link, x, faces, radius + pad);
            model.shapes.back().body = static_cast<std::int32_t>(bodies.size()) - 1;
        }

        /// The pairs that the matrix does not always allow. One that it allows on a condition is tested.
        void pair(const collision_detection::AllowedCollisionMatrix &matrix) {
            for (std::size_t i = 0; i < bodies.size(); i++) {
                for (std::size_t k = i + 1; k < bodies.size(); k++) {
                    const Body &a = bodies[i], &b = bodies[k];
                    collision_detection::AllowedCollision::Type type = collision_detection::AllowedCollision::NEVER;
                    const bool known = matrix.getAllowedCollision(a.name, b.name, type);
                    const bool allowed = known && type == collision_detection::AllowedCollision::ALWAYS;
                    const bool touches = a.touch.count(b.name) + b.touch.count(a.name) > 0;
                    if (!allowed && !touches && (a.link >= 0 || b.link >= 0)) {
                        model.pairs.push_back({{static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)}});
                    }
                }
            }
        }

        ccd::robot::Model model;
        std::vector<Body> bodies;
        std::vector<bool> around; // Variables of MoveIt's: whether a whole turn changes nothing.
        std::vector<Floating> floating;
        std::int32_t next = 0; // The first link that MoveIt does not have.
        std::string name;
        std::set<std::string> touch;
        std::int32_t link = 0;
        double pad = 0;
        bool started = false;
    };

    explicit Scene(Parts &&parts)
        : robot_(parts.model), bodies_(std::move(parts.bodies)), around_(std::move(parts.around)),
          floating_(std::move(parts.floating)) {}

    std::string name(std::int32_t body) const {
        return body < 0 ? std::string() : bodies_[static_cast<std::size_t>(body)].name;
    }

    ccd::robot::Robot robot_;
    std::vector<Body> bodies_;
    std::vector<bool> around_;
    std::vector<Floating> floating_;
};

/// A response adapter that rejects a trajectory unless all of it is proven free. In the list of response adapters of a pipeline
/// it comes last, after time parameterization, in place of default_planning_response_adapters/ValidateSolution.
class ProveSolution : public planning_interface::PlanningResponseAdapter {
public:
    std::string getDescription() const override { return "ProveSolution"; }

    void adapt(const planning_scene::PlanningSceneConstPtr &scene, const planning_interface::MotionPlanRequest &,
               planning_interface::MotionPlanResponse &response) const override {
        using Codes = moveit_msgs::msg::MoveItErrorCodes;
        if (!response.trajectory || response.trajectory->getWayPointCount() == 0) {
            response.error_code.val = Codes::INVALID_MOTION_PLAN;
            return;
        }
        const auto logger = rclcpp::get_logger("ccd.prove_solution");
        try {
            const Proof proof = Scene(*scene, response.trajectory->getWayPoint(0)).prove(*response.trajectory);
            if (!proof.free) {
                RCLCPP_ERROR(logger, "edge %zu, s = %g: %s and %s %s", proof.edge, proof.s, proof.a.c_str(),
                             proof.b.c_str(), proof.undecided ? "come within the tolerance: undecided" : "collide");
                response.error_code.val = Codes::INVALID_MOTION_PLAN;
            }
        } catch (const std::exception &e) { // What cannot be proven is not accepted.
            RCLCPP_ERROR(logger, "no proof: %s", e.what());
            response.error_code.val = Codes::INVALID_MOTION_PLAN;
        }
    }
};

} // namespace ccd_moveit

#endif
