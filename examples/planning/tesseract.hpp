// tesseract.hpp - proofs for Tesseract: an environment as a ccd::robot::Robot, whole trajectories decided, and a check of many states and
// edges for planners.
//
// Compiled here against stubs of Tesseract's interfaces (stubs/tesseract_stubs.hpp, written from its headers), never against Tesseract
// itself: the packages could not be had. With Tesseract installed leave CCD_TESSERACT_STUBS undefined. Versions whose namespaces are
// tesseract::environment and so on, in place of tesseract_environment, need these names.
#ifndef LIBCCD_EXAMPLES_TESSERACT_HPP
#define LIBCCD_EXAMPLES_TESSERACT_HPP

#include <ccd/robot.hpp>

#ifdef CCD_TESSERACT_STUBS
#include "stubs/tesseract_stubs.hpp"
#else
#include <tesseract_common/allowed_collision_matrix.h>
#include <tesseract_common/collision_margin_data.h>
#include <tesseract_common/joint_state.h>
#include <tesseract_environment/environment.h>
#include <tesseract_geometry/geometries.h>
#include <tesseract_scene_graph/graph.h>
#include <tesseract_scene_graph/joint.h>
#include <tesseract_scene_graph/link.h>
#include <tesseract_scene_graph/scene_state.h>
#endif

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ccd_tesseract {

/// What is proven of a trajectory.
struct Proof {
    bool free = true;       ///< proven: no pair comes within its margin on the whole trajectory
    bool undecided = false; ///< neither that nor a contact is proven, at the first edge that is not free
    std::size_t edge = 0;   ///< that edge: from state `edge` to the next one
    double s = 0;           ///< where on it, in [0, 1]
    std::string a, b;       ///< names of two links
};

/// An environment at its current state: trees are built once, and any number of trajectories checked. A change of the environment needs a new
/// one.
///
/// All links of the scene graph are links of the robot, obstacles and what is attached too. The variables are the joints that move, in the
/// order of names(); joints that a trajectory does not name stay where the environment's state has them.
class Scene {
public:
    /// @throws std::invalid_argument for what has no meaning here: a graph that is no tree, a planar or floating joint, a cone, a plane, an
    /// octree, a margin below 0
    explicit Scene(const tesseract_environment::Environment &environment) : Scene(Parts(environment)) {}

    /// The joints that move, in the order of the robot's variables.
    const std::vector<std::string> &names() const { return names_; }

    /// Decide a trajectory, as tesseract_collision::checkTrajectory does by samples: by quintics or cubics through its states if all have
    /// velocities (and accelerations) and times that ascend, and straight otherwise. Joints go from value to value, continuous ones too: so
    /// Tesseract interpolates.
    /// @throws std::invalid_argument a state names a joint that does not move, or has another number of values
    Proof prove(const tesseract_common::JointTrajectory &trajectory, const ccd::Options &options = {}) const {
        const std::size_t count = trajectory.states.size(), n = names_.size();
        if (count == 0 || n == 0) {
            return {};
        }
        std::vector<double> q, v, a, times;
        bool fast = count > 1, bends = true;
        for (std::size_t i = 0; i < (count == 1 ? 2 : count); i++) {
            const auto &state = trajectory.states[count == 1 ? 0 : i];
            const auto size = static_cast<Eigen::Index>(state.joint_names.size());
            fast = fast && state.velocity.size() == size && (i == 0 || state.time > times.back());
            bends = bends && state.acceleration.size() == size;
            times.push_back(state.time);
            fill(state, state.position, start_, q);
            fill(state, fast ? state.velocity : Eigen::VectorXd(Eigen::VectorXd::Zero(size)), std::vector<double>(n), v);
            fill(state, bends ? state.acceleration : Eigen::VectorXd(Eigen::VectorXd::Zero(size)), std::vector<double>(n),
                 a);
        }
        if (!bends) {
            a.clear();
        }
        const auto path = fast ? ccd::robot::Path::hermite(n, times, q, v, a) : ccd::robot::Path::linear(n, q);
        Proof found;
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
    using Joint = tesseract_scene_graph::Joint;
    using Type = tesseract_scene_graph::JointType;

    struct Parts {
        explicit Parts(const tesseract_environment::Environment &environment) {
            const auto graph = environment.getSceneGraph();
            if (!graph->isTree()) {
                throw std::invalid_argument("the scene graph is no tree: close loops by ccd::robot::close");
            }
            std::map<std::string, Joint::ConstPtr> by_name;
            for (const auto &link : graph->getLinks()) {
                const auto number = static_cast<std::int32_t>(links.size());
                links[link->getName()] = number;
            }
            const auto state = environment.getState();
            for (const auto &joint : graph->getJoints()) {
                by_name[joint->getName()] = joint;
                if (joint->type != Type::FIXED && !joint->mimic) {
                    variables[joint->getName()] = static_cast<std::int32_t>(names.size());
                    names.push_back(joint->getName());
                    const auto at = state.joints.find(joint->getName());
                    start.push_back(at == state.joints.end() ? 0 : at->second);
                }
            }
            model.variables = names.size();
            for (const auto &joint : graph->getJoints()) {
                add(*joint, by_name);
            }
            for (const auto &link : graph->getLinks()) {
                if (graph->getLinkCollisionEnabled(link->getName())) {
                    add(*link);
                }
            }
            const auto matrix = environment.getAllowedCollisionMatrix();
            const auto margins = environment.getCollisionMarginData();
            for (std::size_t i = 0; i < bodies.size(); i++) {
                for (std::size_t k = i + 1; k < bodies.size(); k++) {
                    if (!matrix->isCollisionAllowed(bodies[i], bodies[k])) {
                        const double margin = margins.getPairCollisionMargin(bodies[i], bodies[k]);
                        if (margin < 0) { // It allows a depth, which is no distance.
                            throw std::invalid_argument("the margin of " + bodies[i] + " and " + bodies[k] + " is below 0");
                        }
                        model.pairs.push_back({{static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)}});
                        model.separations.push_back(margin);
                    }
                }
            }
        }

        void add(const Joint &joint, const std::map<std::string, Joint::ConstPtr> &by_name) {
            ccd::robot::Joint j;
            j.parent = links.at(joint.parent_link_name), j.child = links.at(joint.child_link_name);
            const Eigen::Isometry3d &origin = joint.parent_to_joint_origin_transform;
            for (int i = 0; i < 3; i++) {
                j.position[i] = origin.translation()[i];
                j.axis[i] = joint.type == Type::FIXED ? 0 : joint.axis[i];
                for (int k = 0; k < 3; k++) {
                    j.rotation[3 * i + k] = origin.linear()(i, k);
                }
            }
            const Joint *followed = &joint;
            for (std::size_t steps = 0; followed->mimic; steps++) { // also a mimic of a mimic
                j.offset += j.factor * followed->mimic->offset;
                j.factor *= followed->mimic->multiplier;
                const auto next = by_name.find(followed->mimic->joint_name);
                if (next == by_name.end() || steps > by_name.size()) {
                    throw std::invalid_argument("joint " + joint.getName() + " mimics no joint, or itself");
                }
                followed = next->second.get();
            }
            switch (joint.type) {
            case Type::FIXED:
                break;
            case Type::REVOLUTE:
            case Type::CONTINUOUS:
                j.kind = CCD_JOINT_REVOLUTE;
                break;
            case Type::PRISMATIC:
                j.kind = CCD_JOINT_PRISMATIC;
                break;
            default:
                throw std::invalid_argument("joint " + joint.getName() + " is planar or floating: make it of several");
            }
            if (joint.type != Type::FIXED) {
                if (variables.count(followed->getName()) == 0) {
                    throw std::invalid_argument("joint " + joint.getName() + " mimics a joint that is fixed");
                }
                j.variable = variables.at(followed->getName());
            }
            model.joints.push_back(j);
        }

        /// Add a link with its geometries.
        void add(const tesseract_scene_graph::Link &link) {
            bool started = false;
            for (const auto &collision : link.collision) {
                add(*collision->geometry, collision->origin, links.at(link.getName()), link.getName());
                if (!started) {
                    bodies.push_back(link.getName());
                }
                started = true;
                model.shapes.back().body = static_cast<std::int32_t>(bodies.size()) - 1;
            }
        }

        void add(const tesseract_geometry::Geometry &given, const Eigen::Isometry3d &pose, std::int32_t link,
                 const std::string &name) {
            namespace geometry = tesseract_geometry;
            std::vector<double> x;
            std::vector<std::array<std::int32_t, 3>> faces;
            const auto point = [&](double a, double b, double c) {
                const Eigen::Vector3d p = pose * Eigen::Vector3d(a, b, c);
                x.insert(x.end(), p.data(), p.data() + 3);
            };
            switch (given.getType()) {
            case geometry::SPHERE:
                point(0, 0, 0);
                model.add(link, x, {}, static_cast<const geometry::Sphere &>(given).getRadius());
                return;
            case geometry::CAPSULE: { // length is that of the cylinder between the half balls
                const auto &c = static_cast<const geometry::Capsule &>(given);
                point(0, 0, -.5 * c.getLength());
                point(0, 0, .5 * c.getLength());
                model.add(link, x, {}, c.getRadius(), {{{0, 1}}});
                return;
            }
            case geometry::BOX: {
                const auto &b = static_cast<const geometry::Box &>(given);
                for (int i = 0; i < 8; i++) {
                    point(((i & 1) - .5) * b.getX(), ((i & 2) / 2 - .5) * b.getY(), ((i & 4) / 4 - .5) * b.getZ());
                }
                faces = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
                         {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
                break;
            }
            case geometry::CYLINDER: { // a prism around it, as ccd.robot has it
                const auto &c = static_cast<const geometry::Cylinder &>(given);
                constexpr std::int32_t n = 32;
                constexpr double pi = 3.14159265358979323846;
                const double r = c.getRadius() / std::cos(pi / n) * (1 + 1e-12);
                for (std::int32_t i = 0; i < 2 * n; i++) {
                    const double angle = 2 * pi * (i % n) / n;
                    point(r * std::cos(angle), r * std::sin(angle), (i < n ? -.5 : .5) * c.getLength());
                }
                point(0, 0, -.5 * c.getLength());
                point(0, 0, .5 * c.getLength());
                for (std::int32_t i = 0; i < n; i++) {
                    const std::int32_t k = (i + 1) % n;
                    faces.insert(faces.end(),
                                 {{{i, k, k + n}}, {{i, k + n, i + n}}, {{2 * n, k, i}}, {{2 * n + 1, i + n, k + n}}});
                }
                break;
            }
            case geometry::MESH: // its triangles
            case geometry::CONVEX_MESH:
            case geometry::POLYGON_MESH: { // fans of convex polygons
                const auto &mesh = static_cast<const geometry::PolygonMesh &>(given);
                for (const Eigen::Vector3d &p : *mesh.getVertices()) {
                    point(p[0], p[1], p[2]);
                }
                const Eigen::VectorXi &list = *mesh.getFaces();
                for (Eigen::Index i = 0; i < list.size(); i += list[i] + 1) {
                    for (Eigen::Index k = i + 2; k < i + list[i]; k++) {
                        faces.push_back({{list[i + 1], list[k], list[k + 1]}});
                    }
                }
                break;
            }
            default:
                throw std::invalid_argument(name +
                                            " has a cone, a plane, a signed distance field or an octree: give a mesh");
            }
            model.add(link, x, faces);
        }

        ccd::robot::Model model;
        std::vector<std::string> names, bodies;
        std::vector<double> start;
        std::map<std::string, std::int32_t> links, variables;
    };

    explicit Scene(Parts &&parts)
        : robot_(parts.model), names_(std::move(parts.names)), bodies_(std::move(parts.bodies)),
          start_(std::move(parts.start)), variables_(std::move(parts.variables)) {}

    /// Append the values of all variables: those of a state, and others where it has none.
    void fill(const tesseract_common::JointState &state, const Eigen::VectorXd &values, const std::vector<double> &others,
              std::vector<double> &out) const {
        if (values.size() != static_cast<Eigen::Index>(state.joint_names.size())) {
            throw std::invalid_argument("a state has another number of values than of joints");
        }
        const std::size_t first = out.size();
        out.insert(out.end(), others.begin(), others.end());
        for (std::size_t i = 0; i < state.joint_names.size(); i++) {
            const auto at = variables_.find(state.joint_names[i]);
            if (at == variables_.end()) {
                throw std::invalid_argument("a state names the joint " + state.joint_names[i] + ", which does not move");
            }
            out[first + static_cast<std::size_t>(at->second)] = values[static_cast<Eigen::Index>(i)];
        }
    }

    std::string name(std::int32_t body) const { return body < 0 ? std::string() : bodies_[static_cast<std::size_t>(body)]; }

    ccd::robot::Robot robot_;
    std::vector<std::string> names_, bodies_;
    std::vector<double> start_;
    std::map<std::string, std::int32_t> variables_;
};

} // namespace ccd_tesseract

#endif
