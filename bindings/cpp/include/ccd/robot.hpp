// robot.hpp - edges of robots in joint space: proofs that nothing touches, or contacts. Part of ccd.hpp.
#ifndef LIBCCD_TOI_ROBOT_HPP
#define LIBCCD_TOI_ROBOT_HPP

#include <ccd/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace ccd {

/// Robots: trees of joints with bodies, and edges on which the joints' variables change linearly, or as polynomials.
namespace robot {

/// A joint: ccd_robot_joint. It is fixed, and does not turn or move the child, until its members are set.
struct Joint : ccd_robot_joint {
    /// A fixed joint from link 0 to link 1.
    Joint() : ccd_robot_joint{CCD_JOINT_FIXED, 0, 1, 0, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {}, {}, 0} {}
    /// A joint of the C interface.
    Joint(const ccd_robot_joint &j) : ccd_robot_joint(j) {}
};
static_assert(sizeof(Joint) == 160, "ccd_robot_joint has 160 bytes");

/// What is known of an edge.
using Edge = ccd_robot_edge;

/// Whether a pair can meet while all variables are within ranges.
using Meeting = ccd_robot_meeting;

/// What a robot is made of, and the obstacles around it.
struct Model {
    std::size_t variables = 0;                      ///< the number of joint variables
    std::vector<Joint> joints;                      ///< a tree of all links
    std::vector<ccd_robot_shape> shapes;            ///< those of body 0 first
    std::vector<double> vertices;                   ///< three coordinates each, those of the first shape first
    std::vector<double> radii;                      ///< empty for zeros, or one for each vertex
    std::vector<std::array<std::int32_t, 2>> edges; ///< of the shapes, in their order
    std::vector<std::array<std::int32_t, 3>> faces; ///< of the shapes, in their order
    std::vector<std::array<std::int32_t, 2>> pairs; ///< bodies that are tested against each other
    /// empty, or one for each pair: what counts as a contact of it, in place of Options::min_separation; NaN for that
    std::vector<double> separations;
    std::int32_t first = 0; ///< the number of the first body: that of Robot::bodies() in what Robot::with adds

    /// Add a body of one shape.
    /// @param link   that carries it; -1 for an obstacle, which rests
    /// @param x      coordinates of vertices, three each, in those of the link
    /// @param corner triangles; empty for points
    /// @param radius of the points within it of each triangle, edge or lone vertex
    /// @param ends   edges in no triangle
    /// @returns the number of the body
    /// @throws Error x has no three coordinates for each vertex
    std::int32_t add(std::int32_t link, const std::vector<double> &x,
                     const std::vector<std::array<std::int32_t, 3>> &corner = {}, double radius = 0,
                     const std::vector<std::array<std::int32_t, 2>> &ends = {}) {
        if (x.size() % 3 != 0) {
            throw detail::wrong_size("x", x.size(), "numbers", "must be a multiple of 3, for three coordinates each");
        }
        const std::int32_t body = shapes.empty() ? first : shapes.back().body + 1;
        const std::size_t count = x.size() / 3;
        shapes.push_back({body, link, static_cast<std::int64_t>(count), static_cast<std::int64_t>(ends.size()),
                          static_cast<std::int64_t>(corner.size())});
        radii.resize(vertices.size() / 3, 0);
        radii.resize(radii.size() + count, radius);
        vertices.insert(vertices.end(), x.begin(), x.end());
        faces.insert(faces.end(), corner.begin(), corner.end());
        edges.insert(edges.end(), ends.begin(), ends.end());
        return body;
    }

    /// Add a body of boxes along the axes, as those of an octomap or of voxels; each is a solid of its own.
    /// @param link    that carries it; -1 for an obstacle
    /// @param centers three coordinates each
    /// @param size    lengths of the sides, three for each box, or three for all
    /// @returns the number of the body
    /// @throws Error  the sizes do not fit
    std::int32_t add_boxes(std::int32_t link, const std::vector<double> &centers, const std::vector<double> &size) {
        if (centers.empty() || centers.size() % 3 != 0) {
            throw detail::wrong_size("centers", centers.size(), "numbers", "must have three coordinates for each box");
        }
        if (size.size() != 3 && size.size() != centers.size()) {
            throw detail::wrong_size("size", size.size(), "numbers",
                                     "must have 3, or " + std::to_string(centers.size()) + " as centers");
        }
        const std::vector<std::array<std::int32_t, 3>> sides{{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}},
                                                             {{0, 1, 4}}, {{1, 5, 4}}, {{2, 6, 3}}, {{3, 6, 7}},
                                                             {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
        std::int32_t body = 0;
        for (std::size_t i = 0; i < centers.size(); i += 3) {
            std::vector<double> x;
            for (unsigned corner = 0; corner < 8; corner++) {
                for (unsigned k = 0; k < 3; k++) {
                    const double half = .5 * size[(size.size() == 3 ? 0 : i) + k];
                    x.push_back(centers[i + k] + ((corner >> k) & 1u ? half : -half));
                }
            }
            const std::int32_t made = add(link, x, sides);
            body = i == 0 ? made : body;
            shapes.back().body = body;
        }
        return body;
    }

    /// Add a link that moves in a plane: two slides along x and y of the parent, then a turn about z, on three further variables. So
    /// stands a mobile base, or an obstacle that moves in a plane.
    /// @param parent   a link
    /// @param position of the link at 0, in the parent's coordinates
    /// @returns the link; its variables x, y and angle are the last three. Two links lie between it and the parent
    std::int32_t add_planar(std::int32_t parent, const std::array<double, 3> &position = {}) {
        return add_chain(parent, position, {0, 1, 5});
    }

    /// Add a link that moves freely: slides along x, y and z, then turns about x, y and z of the frame so far, on six further variables.
    /// Between two values each angle changes linearly, which is not the shortest turn unless two of them stay.
    /// @returns the link; its variables are the last six. Five links lie between it and the parent
    std::int32_t add_floating(std::int32_t parent, const std::array<double, 3> &position = {}) {
        return add_chain(parent, position, {0, 1, 2, 3, 4, 5});
    }

    /// Add a link that moves freely and turns as slerp has it, on eight further variables: slides along x, y and z, then turns about z, y, z,
    /// y and z. `slerp` has their values on an edge between two poses, on which the third turn alone is not at rest.
    /// @returns the link; its variables are the last eight. Seven links lie between it and the parent
    std::int32_t add_free(std::int32_t parent, const std::array<double, 3> &position = {}) {
        return add_chain(parent, position, {0, 1, 2, 5, 4, 5, 4, 5});
    }

    /// Pad a body: its radii grow by a length.
    /// @throws Error there is no such body
    void pad(std::int32_t body, double by) {
        radii.resize(vertices.size() / 3, 0);
        std::size_t at = 0;
        bool found = false;
        for (const ccd_robot_shape &shape : shapes) {
            for (std::int64_t i = 0; i < shape.vertices; i++, at++) {
                radii[at] += shape.body == body ? by : 0;
            }
            found = found || shape.body == body;
        }
        if (!found) {
            throw Error(CCD_E_ARGUMENT, "body is " + std::to_string(body) + ": the model has no such body");
        }
    }

private:
    /// Joints one after the other: 0 to 2 slide along x, y and z, 3 to 5 turn about them.
    std::int32_t add_chain(std::int32_t parent, const std::array<double, 3> &position, const std::vector<int> &kinds) {
        std::int32_t next = parent + 1;
        for (const Joint &j : joints) {
            next = std::max({next, j.parent + 1, j.child + 1});
        }
        for (std::size_t i = 0; i < kinds.size(); i++, next++) {
            Joint j;
            j.kind = kinds[i] < 3 ? CCD_JOINT_PRISMATIC : CCD_JOINT_REVOLUTE;
            j.parent = i == 0 ? parent : next - 1;
            j.child = next;
            j.variable = static_cast<std::int32_t>(variables++);
            j.axis[kinds[i] % 3] = 1;
            for (std::size_t k = 0; i == 0 && k < 3; k++) {
                j.position[k] = position[k];
            }
            joints.push_back(j);
        }
        return next - 1;
    }
};

/// The values of the eight variables of Model::add_free on an edge from one pose to another: straight, and by the shortest turn about one
/// axis, as slerp and the floating joints of MoveIt turn. The eight at the start, then those at the end; all edges have values of their own,
/// so that an edge need not begin with the values that the one before it ends with.
///
/// With an axis A z, A = Rz(f) Ry(g), the turn by u from R is R A Rz(u) A^T. R A = Rz(a) Ry(b) Rz(c) gives Rz(a) Ry(b) Rz(c + u) Ry(-g) Rz(-f).
/// In doubles it is within 1e-14 of slerp between the normalized quaternions.
/// @param from  x, y, z and a quaternion x, y, z, w, of any length, as MoveIt and Eigen order them
/// @param to    likewise
/// @throws Error a quaternion is 0, or a number is not finite
inline std::array<double, 16> slerp(const std::array<double, 7> &from, const std::array<double, 7> &to) {
    using Quaternion = std::array<double, 4>;
    const auto unit = [](const std::string &name, const std::array<double, 7> &pose) {
        double most = 0;
        for (std::size_t i = 0; i < 7; i++) {
            if (!(std::abs(pose[i]) <= 1e150)) {
                throw Error(CCD_E_NONFINITE, name + "[" + std::to_string(i) + "] is " + detail::shown(pose[i]) +
                                                 ": not finite or above 1e150 in magnitude");
            }
            most = i < 3 ? 0 : (std::max)(most, std::abs(pose[i]));
        }
        if (most == 0) {
            throw Error(CCD_E_ARGUMENT,
                        name + "[3] to [6] are 0: must be a quaternion other than 0; no rotation is 0, 0, 0, 1");
        }
        Quaternion q{{pose[3] / most, pose[4] / most, pose[5] / most, pose[6] / most}};
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (double &x : q) {
            x /= length;
        }
        return q;
    };
    const auto product = [](const Quaternion &p, const Quaternion &q) {
        return Quaternion{
            {p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1], p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
             p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3], p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]}};
    };
    const Quaternion p = unit("from", from), q = unit("to", to);
    Quaternion turn = product({{-p[0], -p[1], -p[2], p[3]}}, q);
    for (double &x : turn) {
        x = turn[3] < 0 && &x != &turn[3] ? -x : x;
    }
    turn[3] = std::abs(turn[3]);
    const double sine = std::hypot(std::hypot(turn[0], turn[1]), turn[2]), angle = 2 * std::atan2(sine, turn[3]);
    const double f = std::atan2(turn[1], turn[0]), g = std::atan2(std::hypot(turn[0], turn[1]), turn[2]);
    const double cf = std::cos(f / 2), sf = std::sin(f / 2), cg = std::cos(g / 2), sg = std::sin(g / 2);
    const Quaternion r = product(p, {{-sf * sg, cf * sg, sf * cg, cf * cg}});
    const double sum = std::atan2(r[2], r[3]), difference = std::atan2(-r[0], r[1]);
    const double a = sum + difference, c = sum - difference;
    const double b = 2 * std::atan2(std::hypot(r[0], r[1]), std::hypot(r[2], r[3]));
    return {{from[0], from[1], from[2], a, b, c, -g, -f, to[0], to[1], to[2], a, b, c + angle, -g, -f}};
}

/// A path of the variables of a robot: edges on which they are polynomials, from one time to the next.
class Path {
public:
    /// Edges of any polynomials.
    /// @param variables of the robot, at least 1
    /// @param degree    from 0 to 5
    /// @param control   control values as ccd_robot_check_curves takes them: for each edge degree + 1 rows
    /// @param times     ascending, of the ends of the edges; 0, 1, 2 ... if empty
    /// @throws Error    the sizes do not fit, or the times do not ascend
    Path(std::size_t variables, int degree, std::vector<double> control, std::vector<double> times = {})
        : variables_(variables), degree_(degree), control_(std::move(control)), times_(std::move(times)) {
        if (variables == 0) {
            throw Error(CCD_E_ARGUMENT, "variables is 0: must be at least 1");
        }
        if (degree < 0 || degree > 5) {
            throw Error(CCD_E_ARGUMENT, "degree is " + std::to_string(degree) + ": must be 0 to 5");
        }
        const std::size_t row = variables * static_cast<std::size_t>(degree + 1);
        if (control_.size() % row != 0) {
            throw detail::wrong_size("control", control_.size(), "numbers",
                                     "must be a multiple of " + std::to_string(row) +
                                         ", as an edge has degree + 1 rows of all variables");
        }
        edges_ = control_.size() / row;
        const bool counted = times_.empty();
        while (counted && times_.size() <= edges_) {
            times_.push_back(static_cast<double>(times_.size()));
        }
        check_times(times_, edges_ + 1);
    }

    /// Straight edges between waypoints.
    /// @param variables of the robot
    /// @param values    of the waypoints, rows of all variables, at least two
    /// @param times     of the waypoints, ascending; 0, 1, 2 ... if empty
    /// @throws Error    as the constructor
    static Path linear(std::size_t variables, View<double> values, std::vector<double> times = {}) {
        const std::size_t n = rows(variables, values);
        std::vector<double> control;
        for (std::size_t i = 0; i + 1 < n; i++) {
            control.insert(control.end(), values.data() + i * variables, values.data() + (i + 2) * variables);
        }
        return Path(variables, 1, std::move(control), std::move(times));
    }

    /// Edges that have given values and velocities, and accelerations if there are any, at the waypoints: cubics, or quintics. So the
    /// controllers of ROS interpolate a trajectory, and so toppra and MoveIt give them.
    /// @param variables     of the robot
    /// @param times         of the waypoints, ascending, at least two
    /// @param values        rows of all variables
    /// @param velocities    as many, a unit of time
    /// @param accelerations as many, or none
    /// @throws Error        as the constructor. The control values are rounded to doubles, which are what is checked
    static Path hermite(std::size_t variables, std::vector<double> times, View<double> values, View<double> velocities,
                        View<double> accelerations = {}) {
        const std::size_t n = rows(variables, values);
        const bool fifth = accelerations.size() > 0;
        detail::same_size("values", values.size(), "velocities", velocities.size(), "numbers");
        if (fifth) {
            detail::same_size("values", values.size(), "accelerations", accelerations.size(), "numbers");
        }
        check_times(times, n);
        std::vector<double> control;
        const auto row = [&](std::size_t i, double first, double second, double h) {
            for (std::size_t k = i * variables; k < (i + 1) * variables; k++) {
                const double bend = fifth ? second * h * h * accelerations.data()[k] : 0;
                control.push_back(values.data()[k] + first * h * velocities.data()[k] + bend);
            }
        };
        for (std::size_t i = 0; i + 1 < n; i++) {
            const double h = times[i + 1] - times[i];
            row(i, 0, 0, h);
            row(i, 1 / (fifth ? 5. : 3.), 0, h);
            if (fifth) {
                row(i, .4, .05, h);
                row(i + 1, -.4, .05, h);
            }
            row(i + 1, -1 / (fifth ? 5. : 3.), 0, h);
            row(i + 1, 0, 0, h);
        }
        return Path(variables, fifth ? 5 : 3, std::move(control), std::move(times));
    }

    std::size_t edges() const noexcept { return edges_; }         ///< number of edges
    std::size_t variables() const noexcept { return variables_; } ///< number of variables
    int degree() const noexcept { return degree_; }               ///< degree of the polynomials
    View<double> control() const noexcept { return control_; }    ///< control values, edge by edge
    View<double> times() const noexcept { return times_; }        ///< times of the ends of the edges
    /// The time at s on an edge, rounded.
    double time(std::size_t edge, double s) const { return times_.at(edge) + s * (times_.at(edge + 1) - times_.at(edge)); }

private:
    static std::size_t rows(std::size_t variables, View<double> values) {
        const std::size_t n = variables == 0 ? 0 : values.size() / variables;
        if (n < 2 || values.size() != n * variables) {
            throw detail::wrong_size("values", values.size(), "numbers",
                                     "must be at least two rows of " + std::to_string(variables) + " variables");
        }
        return n;
    }

    static void check_times(const std::vector<double> &times, std::size_t count) {
        if (times.size() != count) {
            throw detail::wrong_size("times", times.size(), "numbers",
                                     "must have " + std::to_string(count) + ", one for each waypoint");
        }
        for (std::size_t i = 0; i + 1 < count; i++) {
            if (!(times[i] < times[i + 1])) {
                throw Error(CCD_E_ARGUMENT, "times[" + std::to_string(i + 1) + "] is " + detail::shown(times[i + 1]) +
                                                ", after " + detail::shown(times[i]) + ": times must ascend");
            }
        }
    }

    std::size_t variables_, edges_ = 0;
    int degree_;
    std::vector<double> control_, times_;
};

/// A robot among obstacles, prepared for checks. Threads may share one.
class Robot {
public:
    /// Check a model and build its trees.
    /// @throws Error as ccd_robot_create
    explicit Robot(const Model &m) : variables_(m.variables), pairs_(m.pairs.size()), bodies_(count(m)) {
        check_sizes(m);
        detail::check(ccd_robot_create(m.variables, m.joints.data(), m.joints.size(), m.shapes.data(), m.shapes.size(),
                                       m.vertices.data(), m.vertices.size() / 3, m.radii.empty() ? nullptr : m.radii.data(),
                                       m.edges.empty() ? nullptr : m.edges.data()->data(), m.edges.size(),
                                       m.faces.empty() ? nullptr : m.faces.data()->data(), m.faces.size(),
                                       m.pairs.empty() ? nullptr : m.pairs.data()->data(), m.pairs.size(),
                                       m.separations.empty() ? nullptr : m.separations.data(), robot_.out()));
    }

    /// A robot with further bodies, as what it grasps or an obstacle that is new, and without others. It shares the trees of the bodies
    /// that stay. This robot stays as it is: going back to it detaches what was attached.
    /// @param added   bodies and pairs; its joints have no effect, and its `first` is bodies()
    /// @param without bodies whose pairs are not tested any more
    /// @throws Error  as ccd_robot_change
    Robot with(const Model &added, View<std::int32_t> without = {}) const {
        const Model &m = added;
        check_sizes(m);
        if (!m.shapes.empty() && m.first != bodies_) {
            throw Error(CCD_E_ARGUMENT, "added.first is " + std::to_string(m.first) + ": must be " +
                                            std::to_string(bodies_) + ", the robot's bodies(); set it before add");
        }
        Robot out(variables_, pairs_ + m.pairs.size(), bodies_ + count(m));
        detail::check(ccd_robot_change(
            robot_.get(), m.shapes.data(), m.shapes.size(), m.vertices.data(), m.vertices.size() / 3,
            m.radii.empty() ? nullptr : m.radii.data(), m.edges.empty() ? nullptr : m.edges.data()->data(), m.edges.size(),
            m.faces.empty() ? nullptr : m.faces.data()->data(), m.faces.size(),
            m.pairs.empty() ? nullptr : m.pairs.data()->data(), m.pairs.size(),
            m.separations.empty() ? nullptr : m.separations.data(), without.data(), without.size(), out.robot_.out()));
        return out;
    }

    /// Decide whether tested bodies touch while each variable goes linearly from its value in q0 to that in q1.
    /// @param q0      one value for each variable
    /// @param q1      as many
    /// @param any     stop at any contact; else find the first one
    /// @param options tolerance, min_separation, max_iterations
    /// @throws Error  as ccd_robot_check_edge
    Edge check_edge(View<double> q0, View<double> q1, bool any = false, const Options &options = {}) const {
        Edge out;
        row("q0", q0);
        row("q1", q1);
        detail::Guard guard(options);
        guard.check(ccd_robot_check_edge(robot_.get(), q0.data(), q1.data(), any, guard.get(), &out));
        return out;
    }

    /// Decide many edges on all threads, from row i of q0 to row i of q1.
    /// @throws Error as check_edge
    std::vector<Edge> check_edges(View<double> q0, View<double> q1, bool any = false, const Options &options = {}) const {
        std::vector<Edge> out(variables_ == 0 ? 0 : q0.size() / variables_);
        if (q0.size() != out.size() * variables_) {
            throw detail::wrong_size("q0", q0.size(), "numbers",
                                     "must be rows of " + std::to_string(variables_) + " variables");
        }
        detail::same_size("q0", q0.size(), "q1", q1.size(), "numbers");
        detail::Guard guard(options);
        guard.check(ccd_robot_check_edges(robot_.get(), q0.data(), q1.data(), out.size(), any, guard.get(), out.data()));
        return out;
    }

    /// Decide the edges between waypoints, rows of one value for each variable.
    /// @throws Error as check_edge
    std::vector<Edge> check_path(View<double> waypoints, bool any = false, const Options &options = {}) const {
        const std::size_t count = variables_ == 0 ? 0 : waypoints.size() / variables_;
        if (count < 2 || waypoints.size() != count * variables_) {
            throw detail::wrong_size("waypoints", waypoints.size(), "numbers",
                                     "must be at least two rows of " + std::to_string(variables_) + " variables");
        }
        std::vector<Edge> out(count - 1);
        detail::Guard guard(options);
        guard.check(ccd_robot_check_path(robot_.get(), waypoints.data(), count, any, guard.get(), out.data()));
        return out;
    }

    /// Decide the edges of a path of polynomials.
    /// @throws Error as ccd_robot_check_curves, or the path has other variables
    std::vector<Edge> check_path(const Path &path, bool any = false, const Options &options = {}) const {
        std::vector<Edge> out(same(path).edges());
        detail::Guard guard(options);
        guard.check(ccd_robot_check_curves(robot_.get(), path.control().data(), path.degree(), out.size(), any, guard.get(),
                                           out.data()));
        return out;
    }

    /// Bracket the least distance of all tested pairs on an edge.
    /// @param q0      one value for each variable
    /// @param q1      as many
    /// @param options tolerance, the width of the bracket; max_iterations
    /// @throws Error  as ccd_robot_clearance
    RigidSceneGap clearance(View<double> q0, View<double> q1, const Options &options = {}) const {
        row("q0", q0);
        row("q1", q1);
        std::vector<double> both(q0.begin(), q0.end());
        both.insert(both.end(), q1.begin(), q1.end());
        RigidSceneGap out;
        detail::Guard guard(options);
        guard.check(ccd_robot_clearance(robot_.get(), both.data(), 1, 1, 1, guard.get(), &out),
                    {{"control[0]", "q0"}, {"control[1]", "q1"}});
        return out;
    }

    /// Bracket the least distance on each edge of a path, or on each of the parts of equal length that edges are cut into.
    /// @returns path.edges() * parts results, those of the first edge first
    /// @throws Error as ccd_robot_clearance, or the path has other variables
    std::vector<RigidSceneGap> clearance(const Path &path, std::size_t parts = 1, const Options &options = {}) const {
        std::vector<RigidSceneGap> out(same(path).edges() * parts);
        detail::Guard guard(options);
        guard.check(ccd_robot_clearance(robot_.get(), path.control().data(), path.degree(), path.edges(), parts,
                                        guard.get(), out.data()));
        return out;
    }

    /// All pairs of bodies that touch at a configuration.
    /// @param q       one value for each variable
    /// @returns       as ccd_robot_touching: a result for each pair that is not proven separate
    /// @throws Error  as ccd_robot_touching
    std::vector<Edge> touching(View<double> q, const Options &options = {}) const {
        row("q", q);
        return touching(q.data(), 0, true, options, {{"control", "q"}});
    }

    /// All pairs of bodies that touch on an edge, each with its first contact, or with any.
    /// @throws Error as ccd_robot_touching
    std::vector<Edge> touching(View<double> q0, View<double> q1, bool any = false, const Options &options = {}) const {
        row("q0", q0);
        row("q1", q1);
        std::vector<double> both(q0.begin(), q0.end());
        both.insert(both.end(), q1.begin(), q1.end());
        return touching(both.data(), 1, any, options, {{"control[0]", "q0"}, {"control[1]", "q1"}});
    }

    /// Which pairs can meet for any values of the variables within ranges.
    /// @param lower   one value for each variable
    /// @param upper   as many, not below
    /// @returns       a result for each pair, in their order
    /// @throws Error  as ccd_robot_ranges
    std::vector<Meeting> ranges(View<double> lower, View<double> upper, const Options &options = {}) const {
        row("lower", lower);
        row("upper", upper);
        std::vector<Meeting> out(pairs_);
        std::size_t count = 0;
        detail::Guard guard(options);
        guard.check(
            ccd_robot_ranges(robot_.get(), lower.data(), upper.data(), guard.get(), out.data(), out.size(), &count));
        out.resize(count);
        return out;
    }

    std::int32_t bodies() const noexcept { return bodies_; }      ///< the number of bodies
    std::size_t variables() const noexcept { return variables_; } ///< the number of joint variables
    ccd_robot *handle() const noexcept { return robot_.get(); }   ///< the handle in C

private:
    Robot(std::size_t variables, std::size_t pairs, std::int32_t bodies)
        : variables_(variables), pairs_(pairs), bodies_(bodies) {}

    static std::int32_t count(const Model &m) { return m.shapes.empty() ? 0 : m.shapes.back().body + 1 - m.first; }

    static void check_sizes(const Model &m) {
        if (m.vertices.size() % 3 != 0) {
            throw detail::wrong_size("vertices", m.vertices.size(), "numbers",
                                     "must have three coordinates for each vertex");
        }
        if (!m.radii.empty() && m.radii.size() != m.vertices.size() / 3) {
            throw detail::wrong_size("radii", m.radii.size(), "numbers",
                                     "must have " + std::to_string(m.vertices.size() / 3) + ", one for each vertex");
        }
        if (!m.separations.empty() && m.separations.size() != m.pairs.size()) {
            throw detail::wrong_size("separations", m.separations.size(), "numbers",
                                     "must have " + std::to_string(m.pairs.size()) + ", one for each pair");
        }
    }

    const Path &same(const Path &path) const {
        if (path.variables() != variables_) {
            throw detail::wrong_size("path", path.variables(), "variables",
                                     "must have " + std::to_string(variables_) + ", as the robot");
        }
        return path;
    }

    std::vector<Edge> touching(const double *control, int degree, bool any, const Options &options,
                               std::initializer_list<detail::Name> names) const {
        std::vector<Edge> out(pairs_ + 1);
        std::size_t count = 0;
        detail::Guard guard(options);
        guard.check(ccd_robot_touching(robot_.get(), control, degree, any, guard.get(), out.data(), out.size(), &count),
                    names);
        out.resize(count);
        return out;
    }

    void row(const char *name, View<double> q) const {
        if (q.size() != variables_) {
            throw detail::wrong_size(name, q.size(), "numbers",
                                     "must have " + std::to_string(variables_) + ", one for each variable");
        }
    }

    std::size_t variables_, pairs_;
    std::int32_t bodies_;
    detail::Handle<ccd_robot, ccd_robot_destroy> robot_;
};

} // namespace robot
} // namespace ccd

#endif // LIBCCD_TOI_ROBOT_HPP
