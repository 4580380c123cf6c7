// robot.hpp - edges of robots in joint space: proofs that nothing touches, or contacts. Part of ccd.hpp.
#ifndef LIBCCD_TOI_ROBOT_HPP
#define LIBCCD_TOI_ROBOT_HPP

#include <ccd/common.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace ccd {

/// Robots: trees of joints with bodies, and edges on which all joints change linearly.
namespace robot {

/// A joint: ccd_robot_joint. It is fixed, and does not turn or move the child, until its members are set.
struct Joint : ccd_robot_joint {
    /// A fixed joint from link 0 to link 1.
    Joint() : ccd_robot_joint{CCD_JOINT_FIXED, 0, 1, 0, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {}, {}} {}
    /// A joint of the C interface.
    Joint(const ccd_robot_joint &j) : ccd_robot_joint(j) {}
};
static_assert(sizeof(Joint) == 152, "ccd_robot_joint has 152 bytes");

/// What is known of an edge.
using Edge = ccd_robot_edge;

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

    /// Add a body of one shape.
    /// @param link   that carries it; -1 for an obstacle, which rests
    /// @param x      coordinates of vertices, three each, in those of the link
    /// @param corner triangles; empty for points
    /// @param radius of the points within it of each triangle, edge or lone vertex
    /// @param ends   edges in no triangle
    /// @returns the number of the body
    std::int32_t add(std::int32_t link, const std::vector<double> &x,
                     const std::vector<std::array<std::int32_t, 3>> &corner = {}, double radius = 0,
                     const std::vector<std::array<std::int32_t, 2>> &ends = {}) {
        const std::int32_t body = shapes.empty() ? 0 : shapes.back().body + 1;
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
};

/// A robot among obstacles, prepared for checks. Threads may share one.
class Robot {
public:
    /// Check a model and build its trees.
    /// @throws Error as ccd_robot_create
    explicit Robot(const Model &m) : variables_(m.variables) {
        if (!m.radii.empty() && m.radii.size() != m.vertices.size() / 3) {
            throw Error(CCD_E_ARGUMENT, "radii has another size than vertices");
        }
        detail::check(ccd_robot_create(m.variables, m.joints.data(), m.joints.size(), m.shapes.data(), m.shapes.size(),
                                       m.vertices.data(), m.vertices.size() / 3, m.radii.empty() ? nullptr : m.radii.data(),
                                       m.edges.empty() ? nullptr : m.edges.data()->data(), m.edges.size(),
                                       m.faces.empty() ? nullptr : m.faces.data()->data(), m.faces.size(),
                                       m.pairs.empty() ? nullptr : m.pairs.data()->data(), m.pairs.size(), robot_.out()));
    }

    /// Decide whether tested bodies touch while each variable goes linearly from its value in q0 to that in q1.
    /// @param q0      one value for each variable
    /// @param q1      as many
    /// @param any     stop at any contact; else find the first one
    /// @param options tolerance, min_separation, max_iterations
    /// @throws Error  as ccd_robot_check_edge
    Edge check_edge(View<double> q0, View<double> q1, bool any = false, const Options &options = {}) const {
        Edge out;
        rows(q0, q1, 1);
        detail::Guard guard(options);
        guard.check(ccd_robot_check_edge(robot_.get(), q0.data(), q1.data(), any, guard.get(), &out));
        return out;
    }

    /// Decide many edges on all threads, from row i of q0 to row i of q1.
    /// @throws Error as check_edge
    std::vector<Edge> check_edges(View<double> q0, View<double> q1, bool any = false, const Options &options = {}) const {
        std::vector<Edge> out(variables_ == 0 ? 0 : q0.size() / variables_);
        rows(q0, q1, out.size());
        detail::Guard guard(options);
        guard.check(ccd_robot_check_edges(robot_.get(), q0.data(), q1.data(), out.size(), any, guard.get(), out.data()));
        return out;
    }

    /// Decide the edges between waypoints, rows of one value for each variable.
    /// @throws Error as check_edge
    std::vector<Edge> check_path(View<double> waypoints, bool any = false, const Options &options = {}) const {
        const std::size_t count = variables_ == 0 ? 0 : waypoints.size() / variables_;
        if (count < 2 || waypoints.size() != count * variables_) {
            throw Error(CCD_E_ARGUMENT, "waypoints is no array of at least two rows of all variables");
        }
        std::vector<Edge> out(count - 1);
        detail::Guard guard(options);
        guard.check(ccd_robot_check_path(robot_.get(), waypoints.data(), count, any, guard.get(), out.data()));
        return out;
    }

    std::size_t variables() const noexcept { return variables_; } ///< the number of joint variables
    ccd_robot *handle() const noexcept { return robot_.get(); }   ///< the handle in C

private:
    void rows(View<double> q0, View<double> q1, std::size_t count) const {
        if (q0.size() != count * variables_ || q1.size() != q0.size()) {
            throw Error(CCD_E_ARGUMENT, "q0 and q1 are no rows of all variables");
        }
    }

    std::size_t variables_;
    detail::Handle<ccd_robot, ccd_robot_destroy> robot_;
};

} // namespace robot
} // namespace ccd

#endif // LIBCCD_TOI_ROBOT_HPP
