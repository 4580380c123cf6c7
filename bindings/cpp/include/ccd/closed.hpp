// closed.hpp - closed chains of joints for robot.hpp: four-bars, parallel grippers, slider-cranks. Part of ccd.hpp.
#ifndef LIBCCD_TOI_CLOSED_HPP
#define LIBCCD_TOI_CLOSED_HPP

#include <ccd/robot.hpp>
#include <ccd/spline.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ccd {
namespace robot {

/// A constraint that closes a chain in place of a joint that was cut: ccd_robot_loop. `pin`, `slot` and `ball` make the usual ones.
struct Loop : ccd_robot_loop {
    /// A constraint without rows, until they are set.
    Loop() : ccd_robot_loop{} {}
    /// A constraint of the C interface.
    Loop(const ccd_robot_loop &l) : ccd_robot_loop(l) {}

    /// The hinge of a planar chain: two equations, across the axis. The other joints of the loop turn about axes that are parallel to this
    /// one, or slide across it.
    /// @param a       a link
    /// @param point_a of the axis, in its coordinates
    /// @param b       the other link
    /// @param point_b of the axis, in its coordinates
    /// @param axis    in the coordinates of b, of any length above 0
    /// @throws Error  the axis is 0
    static Loop pin(std::int32_t a, const std::array<double, 3> &point_a, std::int32_t b,
                    const std::array<double, 3> &point_b, const std::array<double, 3> &axis = {{0, 0, 1}}) {
        const auto n = unit("axis", axis);
        std::size_t least = 0;
        for (std::size_t k = 1; k < 3; k++) {
            least = std::abs(n[k]) < std::abs(n[least]) ? k : least;
        }
        std::array<double, 3> other{};
        other[least] = 1;
        const auto first = unit("axis", cross(n, other)), second = cross(n, first);
        return made(a, point_a, b, point_b, {first, second});
    }

    /// A pin in a straight slot of a planar chain: one equation.
    /// @param a       the link with the pin
    /// @param point_a the pin, in its coordinates
    /// @param b       the link with the slot
    /// @param point_b a point of the slot, in its coordinates
    /// @param along   direction of the slot, in the coordinates of b
    /// @param axis    direction across the plane of the chain, in the coordinates of b
    /// @throws Error  the directions are 0 or parallel
    static Loop slot(std::int32_t a, const std::array<double, 3> &point_a, std::int32_t b,
                     const std::array<double, 3> &point_b, const std::array<double, 3> &along,
                     const std::array<double, 3> &axis) {
        const auto n = cross(unit("axis", axis), unit("along", along));
        if (!(std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) > 1e-9)) {
            throw Error(CCD_E_ARGUMENT, "along and axis are parallel");
        }
        return made(a, point_a, b, point_b, {unit("along", n)});
    }

    /// A ball joint: three equations.
    /// @param a       a link
    /// @param point_a the center, in its coordinates
    /// @param b       the other link
    /// @param point_b the center, in its coordinates
    static Loop ball(std::int32_t a, const std::array<double, 3> &point_a, std::int32_t b,
                     const std::array<double, 3> &point_b) {
        return made(a, point_a, b, point_b, {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}});
    }

private:
    static std::array<double, 3> cross(const std::array<double, 3> &v, const std::array<double, 3> &w) {
        return {{v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]}};
    }

    static std::array<double, 3> unit(const char *name, const std::array<double, 3> &v) {
        const double length = std::hypot(std::hypot(v[0], v[1]), v[2]);
        if (!(length > 0 && length <= 1e60)) {
            throw Error(CCD_E_ARGUMENT,
                        std::string(name) + " has the length " + detail::shown(length) + ": must be above 0, at most 1e60");
        }
        return {{v[0] / length, v[1] / length, v[2] / length}};
    }

    static Loop made(std::int32_t a, const std::array<double, 3> &point_a, std::int32_t b,
                     const std::array<double, 3> &point_b, const std::vector<std::array<double, 3>> &across) {
        Loop l;
        l.a = a;
        l.b = b;
        l.rows = static_cast<std::int32_t>(across.size());
        for (std::size_t k = 0; k < 3; k++) {
            l.point_a[k] = point_a[k];
            l.point_b[k] = point_b[k];
            for (std::size_t row = 0; row < across.size(); row++) {
                l.across[3 * row + k] = across[row][k];
            }
        }
        return l;
    }
};
static_assert(sizeof(Loop) == 136, "ccd_robot_loop has 136 bytes");

/// The motion of closed chains along a path: `close` makes it.
struct Closed {
    Path path;                        ///< of all variables, of degree 5, with the times of the path that was given
    std::vector<std::int32_t> follow; ///< the variables that follow
    std::vector<double> errors;       ///< their radii: how far each may be from the exact motion
    std::vector<std::int32_t> drives; ///< the variables that drive the loops

    /// Add the radii to Joint::error of all joints of a model that follow, so that what is proven of the robot holds for the exact chain. Call
    /// it once, before the robot is made.
    void let_err(Model &model) const {
        for (std::size_t k = 0; k < follow.size(); k++) {
            for (Joint &j : model.joints) {
                if (j.kind != CCD_JOINT_FIXED && j.variable == follow[k]) {
                    j.error = (j.error + std::abs(j.factor) * errors[k]) * (1 + 0x1p-50);
                }
            }
        }
    }
};

/// Close chains of joints along a path: compute the variables that follow, with proven radii. The result is cut into pieces of degree 5.
///
///   const auto closed = ccd::robot::close(model, path, {Loop::pin(2, {{3, 0, 0}}, 3, {{0, 0, 0}})}, {1, 2}, {0, 4});
///   closed.let_err(model);
///   const auto edges = ccd::robot::Robot(model).check_path(closed.path);
///
/// @param model     its joints are a tree: one joint of each loop is cut
/// @param path      of all variables; its values of those that follow are not read
/// @param loops     constraints, with as many equations as there are variables that follow
/// @param follow    the variables that follow
/// @param start     values near those at the start of the path, which choose the branch
/// @param tolerance what the radii are at most, in radians or lengths: in [1e-11, 1e-3]
/// @throws Error    as ccd_robot_closed_create: also where no proof is found, near a configuration where branches meet or a drive cannot go on
inline Closed close(const Model &model, const Path &path, const std::vector<Loop> &loops, View<std::int32_t> follow,
                    View<double> start, double tolerance = 1e-9) {
    if (path.variables() != model.variables) {
        throw Error(CCD_E_ARGUMENT, "path has " + std::to_string(path.variables()) + " variables: the model has " +
                                        std::to_string(model.variables));
    }
    detail::same_size("follow", follow.size(), "start", start.size(), "items");
    detail::Handle<ccd_robot_closed, ccd_robot_closed_destroy> closed;
    detail::check(ccd_robot_closed_create(model.variables, model.joints.data(), model.joints.size(), loops.data(),
                                          loops.size(), follow.data(), start.data(), follow.size(), path.control().data(),
                                          path.degree(), path.edges(), tolerance, closed.out()));
    std::size_t pieces = 0, count = 0;
    detail::check(ccd_robot_closed_counts(closed.get(), &pieces, &count));
    std::vector<double> control(pieces * 6 * model.variables), ends(2 * pieces), errors(follow.size()), times;
    std::vector<std::int64_t> edges(pieces);
    std::vector<std::int32_t> drives(count);
    detail::check(
        ccd_robot_closed_copy(closed.get(), control.data(), edges.data(), ends.data(), errors.data(), drives.data()));
    for (std::size_t i = 0; i < pieces; i++) {
        times.push_back(path.time(static_cast<std::size_t>(edges[i]), ends[2 * i]));
    }
    times.push_back(path.times().data()[path.edges()]);
    return {Path(model.variables, 5, std::move(control), std::move(times)),
            std::vector<std::int32_t>(follow.begin(), follow.end()), std::move(errors), std::move(drives)};
}

/// Close chains that one drive moves, for all of its values in a range: the result is made once, and Spline::follow puts it behind the drive
/// on many paths. Its names are "variable 0" and so on.
/// @param model     as in close
/// @param loops     in whose joints there are no variables but the drive and those that follow
/// @param drive     the variable of the drive
/// @param lower     its least value
/// @param upper     its greatest value
/// @param follow    the variables that follow
/// @param start     values near those at `lower`, which choose the branch
/// @param tolerance as in close
/// @throws Error    as close, or another variable drives the loops
inline Spline closing(const Model &model, const std::vector<Loop> &loops, std::int32_t drive, double lower, double upper,
                      View<std::int32_t> follow, View<double> start, double tolerance = 1e-9) {
    const std::size_t n = model.variables;
    if (drive < 0 || static_cast<std::size_t>(drive) >= n) {
        throw Error(CCD_E_ARGUMENT,
                    "drive is " + std::to_string(drive) + ": out of range for " + std::to_string(n) + " variables");
    }
    if (!(lower < upper)) {
        throw Error(CCD_E_ARGUMENT,
                    "lower is " + detail::shown(lower) + ", upper is " + detail::shown(upper) + ": must be below it");
    }
    const auto column = static_cast<std::size_t>(drive);
    std::vector<double> ends(2 * n);
    ends[column] = lower;
    ends[n + column] = upper;
    const Closed whole = close(model, Path::linear(n, ends), loops, follow, start, tolerance);
    for (const std::int32_t other : whole.drives) {
        if (other != drive) {
            throw Error(CCD_E_ARGUMENT, "loops: variable " + std::to_string(other) +
                                            " drives them too: close them along each path, by close");
        }
    }
    std::vector<std::string> names;
    std::vector<double> knots, control;
    for (const std::int32_t v : whole.follow) {
        names.push_back("variable " + std::to_string(v));
    }
    const double *rows = whole.path.control().data();
    for (std::size_t row = 0; row < whole.path.edges() * 6; row++) {
        if (row % 6 == 0) {
            knots.push_back(rows[row * n + column]);
        }
        for (const std::int32_t v : whole.follow) {
            control.push_back(rows[row * n + static_cast<std::size_t>(v)]);
        }
    }
    knots.push_back(upper);
    return Spline("variable " + std::to_string(drive), std::move(names), whole.errors, std::move(knots), 5,
                  std::move(control));
}

} // namespace robot
} // namespace ccd

#endif // LIBCCD_TOI_CLOSED_HPP
