// motion.hpp - paths of vertices that are not straight, and pairs that move on them. Part of ccd.hpp.
#ifndef LIBCCD_TOI_MOTION_HPP
#define LIBCCD_TOI_MOTION_HPP

#include <ccd/rigid.hpp>
#include <ccd/step.hpp>

namespace ccd {

/// Paths of vertices for t in [0, 1]: Bezier control points in time, piece by piece, with a radius.
///
/// With s = (t - times[j]) / (times[j+1] - times[j]), vertex i is within radius[j][i] of sum_l B_l(s) control[j][l][i] in the Euclidean
/// norm, B_l the Bernstein polynomials of the degree. Radius 0 is one path, and results for it are exact. The static
/// functions make motions of other descriptions, with radii that are proven.
///
/// A motion does not change. It can be moved, not copied; threads may share one. A motion that was moved from throws CCD_E_HANDLE.
///
///     // A vertex dips through a face and returns; its path is a parabola whose lowest point is at -1/4.
///     const double control[] = {.2, .2, 1,    0, 0, 0, 1, 0, 0, 0, 1, 0,  // 4 vertices, at each of 3 control points
///                               .2, .2, -1.5, 0, 0, 0, 1, 0, 0, 0, 1, 0,
///                               .2, .2, 1,    0, 0, 0, 1, 0, 0, 0, 1, 0};
///     ccd::Motion dip(4, 2, control);
///     ccd::Impact hit = dip.pair(ccd::Kind::vertex_face, {0, 1, 2, 3});  // hit.toi_lo is 0.27639...
class Motion {
public:
    /// A joint between a link and its parent. A point p of the link is at position + R(rotation) J(t) p in the parent's
    /// coordinates: J turns about the axis, or slides along it, by value0 + t (value1 - value0). An axis has any length but 0.
    struct Joint : ccd_motion_joint {
        /// A fixed joint at the origin of the base, with the axis z.
        Joint() : ccd_motion_joint{CCD_JOINT_FIXED, -1, {1, 0, 0, 0}, {}, {0, 0, 1}, 0, 0} {}
        /// A joint of the C interface.
        Joint(const ccd_motion_joint &joint) : ccd_motion_joint(joint) {}
        /// A joint.
        /// @param type  CCD_JOINT_FIXED, CCD_JOINT_REVOLUTE (radians) or CCD_JOINT_PRISMATIC (a length)
        /// @param base  index of the parent's joint, which comes first; -1: the base of the chain
        /// @param place of the link's coordinates in the parent's
        /// @param along the axis, in the link's coordinates
        /// @param from  value at t = 0
        /// @param to    value at t = 1
        Joint(std::int32_t type, std::int32_t base, const ccd::rigid::Pose &place, const std::array<double, 3> &along,
              double from, double to)
            : ccd_motion_joint{type,
                               base,
                               {place.rotation[0], place.rotation[1], place.rotation[2], place.rotation[3]},
                               {place.position[0], place.position[1], place.position[2]},
                               {along[0], along[1], along[2]},
                               from,
                               to} {}
    };

    /// Create a motion from control points.
    /// @param vertices number of vertices n, at least 1
    /// @param degree   1 to 5
    /// @param control  pieces x (degree + 1) x n points, of magnitude at most 1e150
    /// @param times    pieces + 1 ends of the pieces, ascending from 0 to 1; none: equal pieces
    /// @param radius   pieces x n radii; none: 0
    /// @throws Error   as ccd_motion_create
    Motion(std::size_t vertices, int degree, const Points &control, View<double> times = {}, View<double> radius = {}) {
        if (degree < 1 || degree > 5) {
            throw Error(CCD_E_ARGUMENT, "degree is " + std::to_string(degree) + ": must be 1 to 5");
        }
        const std::size_t pieces = groups("control", control, static_cast<std::size_t>(degree) + 1, vertices);
        if (radius.size() != 0 && radius.size() != pieces * vertices) {
            throw Error(CCD_E_ARGUMENT, "radius has " + std::to_string(radius.size()) + " numbers: must have " +
                                            std::to_string(pieces * vertices) + ", or none");
        }
        const std::vector<double> equal = ends(pieces, times);
        detail::check(ccd_motion_create(vertices, degree, pieces, times.size() == 0 ? equal.data() : times.data(),
                                        control.data(), radius.size() == 0 ? nullptr : radius.data(), motion_.out()));
    }

    /// Constant acceleration: x + t v + t^2 a / 2. Degree 2. The radii are 0 where x, x + v/2 and x + v + a/2 are doubles.
    /// @param x      positions at t = 0, n x 3
    /// @param v      velocities at t = 0, lengths per step: h times those of a time step of h seconds
    /// @param a      accelerations, h^2 times those of such a step
    /// @throws Error as ccd_motion_accelerated
    ///
    ///     // A point is thrown upwards, and meets another one that rests, at t = 1/2.
    ///     auto thrown = ccd::Motion::accelerated({0, 0, 0, 0, 0, 1}, {0, 0, 3, 0, 0, 0}, {0, 0, -4, 0, 0, 0});
    ///     double t = thrown.pair(ccd::Kind::point_point, {0, 1}).toi_lo;
    static Motion accelerated(const Points &x, const Points &v, const Points &a) {
        if (v.rows("v") != x.rows("x") || a.rows("a") != x.rows("x")) {
            throw Error(CCD_E_ARGUMENT, "x has " + std::to_string(x.rows("x")) + " rows, v has " +
                                            std::to_string(v.rows("v")) + ", a has " + std::to_string(a.rows("a")));
        }
        Motion out;
        detail::check(ccd_motion_accelerated(x.rows("x"), x.data(), v.data(), a.data(), out.motion_.out()));
        return out;
    }

    /// Cubic Hermite interpolation: through positions with given velocities. The radii hold what rounding takes.
    /// @param vertices number of vertices n
    /// @param x        positions at the times, (pieces + 1) x n points
    /// @param v        velocities, as many: lengths per step
    /// @param times    pieces + 1 times, ascending from 0 to 1; none: equal pieces
    /// @throws Error   as ccd_motion_hermite
    static Motion hermite(std::size_t vertices, const Points &x, const Points &v, View<double> times = {}) {
        const std::size_t positions = groups("x", x, 1, vertices);
        if (v.rows("v") != x.rows("x")) {
            throw Error(CCD_E_ARGUMENT, "v has " + std::to_string(v.rows("v")) + " rows: must have " +
                                            std::to_string(x.rows("x")) + ", as x");
        }
        if (positions < 2) {
            throw Error(CCD_E_ARGUMENT,
                        "x has the positions at " + std::to_string(positions) + " times: must be 2 or more");
        }
        const std::vector<double> equal = ends(positions - 1, times);
        Motion out;
        detail::check(ccd_motion_hermite(vertices, positions - 1, times.size() == 0 ? equal.data() : times.data(), x.data(),
                                         v.data(), out.motion_.out()));
        return out;
    }

    /// B-splines in time, with a piece for each interval between knots. The radii hold what rounding takes.
    /// @param degree  1 to 5
    /// @param control m x n points, m = knots.size() - degree - 1
    /// @param knots   ascending; knots[degree] is 0 and knots[m] is 1; at most degree of them are equal between
    /// @throws Error  as ccd_motion_bspline
    static Motion bspline(int degree, const Points &control, View<double> knots) {
        if (degree < 1 || degree > 5) {
            throw Error(CCD_E_ARGUMENT, "degree is " + std::to_string(degree) + ": must be 1 to 5");
        }
        const std::size_t order = static_cast<std::size_t>(degree) + 1;
        if (knots.size() < 2 * order) {
            throw Error(CCD_E_ARGUMENT, "knots has " + std::to_string(knots.size()) + " numbers: degree " +
                                            std::to_string(degree) + " takes at least " + std::to_string(2 * order));
        }
        const std::size_t vertices = groups("control", control, 1, knots.size() - order);
        Motion out;
        detail::check(ccd_motion_bspline(vertices, degree, knots.data(), knots.size(), control.data(), out.motion_.out()));
        return out;
    }

    /// An affine body: vertex i is at A(t) x_i + b(t), A and b polynomials in t. The radii hold what rounding takes.
    /// @param x      vertices of the body, n x 3
    /// @param matrix degree + 1 control matrices of A, 3 x 3 by rows
    /// @param offset degree + 1 control points of b
    /// @throws Error as ccd_motion_affine
    static Motion affine(const Points &x, View<double> matrix, const Points &offset) {
        if (matrix.size() != 9 * offset.rows("offset")) {
            throw Error(CCD_E_ARGUMENT, "matrix has " + std::to_string(matrix.size()) +
                                            " numbers: must have 9 for each of " + std::to_string(offset.rows("offset")) +
                                            " rows of offset");
        }
        if (offset.rows("offset") < 2 || offset.rows("offset") > 6) {
            throw Error(CCD_E_ARGUMENT,
                        "offset has " + std::to_string(offset.rows("offset")) + " rows: degrees 1 to 5 have 2 to 6");
        }
        Motion out;
        detail::check(ccd_motion_affine(x.rows("x"), static_cast<std::int32_t>(offset.rows("offset")) - 1, x.data(),
                                        matrix.data(), offset.data(), out.motion_.out()));
        return out;
    }

    /// A rigid body that turns and moves at constant rates, for t in [0, 1]; a screw if both are along one line. The radius of a
    /// vertex at the distance R from the axis that turns by w in a piece is w^4 R / 384 for degree 3, w^6 R / 46080 for degree 5,
    /// and rounding. pair and pairs halve pieces near a contact until the radii are below the tolerance.
    /// @param x      vertices in body coordinates, n x 3
    /// @param body   how the body moves
    /// @param pieces pieces of equal length; 0: one a radian
    /// @param degree of the pieces, 3 or 5
    /// @throws Error as ccd_motion_rigid
    static Motion rigid(const Points &x, const ccd::rigid::Motion &body, std::size_t pieces = 0, int degree = 3) {
        Motion out;
        detail::check(ccd_motion_rigid(x.rows("x"), x.data(), &body, degree, pieces, out.motion_.out()));
        return out;
    }

    /// Linear blend skinning: vertex i is at the sum over the bones b of weights[i][b] times where bones[b] brings x_i.
    /// @param x       vertices, n x 3
    /// @param bones   how the bones move
    /// @param weights n x bones numbers, which need not add up to 1
    /// @param pieces  as in rigid
    /// @param degree  as in rigid
    /// @throws Error  as ccd_motion_skinned
    static Motion skinned(const Points &x, View<ccd::rigid::Motion> bones, View<double> weights, std::size_t pieces = 0,
                          int degree = 3) {
        if (weights.size() != x.rows("x") * bones.size()) {
            throw Error(CCD_E_ARGUMENT, "weights has " + std::to_string(weights.size()) + " numbers: must have " +
                                            std::to_string(bones.size()) + " for each of " + std::to_string(x.rows("x")) +
                                            " vertices");
        }
        Motion out;
        detail::check(ccd_motion_skinned(x.rows("x"), x.data(), bones.data(), bones.size(), weights.data(), degree, pieces,
                                         out.motion_.out()));
        return out;
    }

    /// The links of a tree of joints, such as those of a robot.
    /// @param x      vertices, each in the coordinates of its link, n x 3
    /// @param links  for each vertex the joint that moves its link; -1: the base
    /// @param joints parents first
    /// @param pieces as in rigid; 0: one a radian of all turns from the base to a link
    /// @param degree as in rigid
    /// @throws Error as ccd_motion_chain
    ///
    ///     const ccd::Motion::Joint elbow(CCD_JOINT_REVOLUTE, -1, {}, {0, 0, 1}, 0, 1.5);  // turns by 1.5 about z
    ///     auto arm = ccd::Motion::chain({1, 0, 0}, {0}, {elbow});
    static Motion chain(const Points &x, View<std::int32_t> links, View<Joint> joints, std::size_t pieces = 0,
                        int degree = 3) {
        if (links.size() != x.rows("x")) {
            throw Error(CCD_E_ARGUMENT, "links has " + std::to_string(links.size()) + " items: must have " +
                                            std::to_string(x.rows("x")) + ", one for each vertex");
        }
        Motion out;
        detail::check(ccd_motion_chain(x.rows("x"), x.data(), links.data(), joints.data(), joints.size(), degree, pieces,
                                       out.motion_.out()));
        return out;
    }

    /// Number of vertices.
    std::size_t vertices() const { return counts().vertices; }
    /// Number of pieces.
    std::size_t pieces() const { return counts().pieces; }
    /// Degree of the paths in t.
    int degree() const { return static_cast<int>(counts().degree); }

    /// Ends of the pieces, pieces + 1 numbers.
    std::vector<double> times() const { return copied(ccd_motion_times, counts().pieces + 1); }
    /// Coordinates of the control points, pieces x (degree + 1) x n x 3.
    std::vector<double> control() const {
        const Counts c = counts();
        return copied(ccd_motion_control, 3 * c.pieces * (c.degree + 1) * c.vertices);
    }
    /// Radii, pieces x n.
    std::vector<double> radius() const {
        const Counts c = counts();
        return copied(ccd_motion_radii, c.pieces * c.vertices);
    }

    /// Where the vertices are at a time.
    struct Place {
        std::vector<double> x;      ///< positions, n x 3
        std::vector<double> radius; ///< bounds on the distance of each vertex from its position: its radius, and rounding
    };

    /// Compute where the vertices are at a time, and how far they may be from there.
    /// @param t      in [0, 1]
    /// @throws Error CCD_E_ARGUMENT for another t
    Place enclose(double t) const {
        const std::size_t n = vertices();
        Place out{std::vector<double>(3 * n), std::vector<double>(n)};
        detail::check(ccd_motion_at(handle(), t, out.x.data(), out.radius.data(), n));
        return out;
    }

    /// Compute the positions at a time, n x 3: of the polynomials, rounded.
    /// @param t      in [0, 1]
    /// @throws Error CCD_E_ARGUMENT for another t
    std::vector<double> at(double t) const {
        std::vector<double> x(3 * vertices());
        detail::check(ccd_motion_at(handle(), t, x.data(), nullptr, x.size() / 3));
        return x;
    }

    /// Compute when one pair of primitives first comes into contact.
    /// @param kind   of the pair
    /// @param index  its vertices: v, f0, f1, f2; a0, a1, b0, b1; p, e0, e1; or p, q
    /// @param options as in pairs
    /// @return       the impact, with a and b -1
    /// @throws Error as pairs
    Impact pair(Kind kind, View<std::int32_t> index, const Options &options = {}) const {
        if (points(kind) != index.size()) {
            throw Error(CCD_E_ARGUMENT, "index has " + std::to_string(index.size()) + " items: a pair of this kind has " +
                                            std::to_string(points(kind)) + " vertices");
        }
        Impact out;
        detail::Guard guard(options);
        guard.check(ccd_motion_pairs(handle(), static_cast<std::int32_t>(kind), index.data(), 1, guard.get(), &out));
        out.a = -1;
        return out;
    }

    /// Create the motion on which vertex i goes along its path up to ends[i], as t runs from 0 to 1. The motion has one piece.
    /// @param ends   times in [0, 1], one for each vertex
    /// @throws Error as ccd_motion_cut
    ///
    ///     ccd::Motion half = motion.cut(std::vector<double>(motion.vertices(), 0.5));
    Motion cut(View<double> ends) const {
        Motion out;
        detail::check(ccd_motion_cut(handle(), ends.data(), ends.size(), out.motion_.out()));
        return out;
    }

    /// Compute when pairs of primitives first come into contact.
    ///
    /// Where all radii are 0 the result is exact, as that of ccd::pair; a motion of degree 1 with one piece has the same bits.
    /// Otherwise let rho be the largest radius of a's vertices and the largest of b's together. CCD_SEPARATE and every time
    /// before toi_lo are proven; CCD_CONTACT means a distance of at most min_separation + 2 rho.
    /// @param kind    of all pairs
    /// @param index   their vertices, as in pair, one pair after the other
    /// @param options min_separation, norm, t_max, tolerance, max_iterations, threads, on_progress; the method must be exact
    /// @return        impacts in order, with the index of the pair as a
    /// @throws Error  as ccd_motion_pairs
    std::vector<Impact> pairs(Kind kind, View<std::int32_t> index, const Options &options = {}) const {
        const std::size_t each = points(kind);
        if (index.size() % each != 0) {
            throw Error(CCD_E_ARGUMENT,
                        "index has " + std::to_string(index.size()) + " items, no multiple of " + std::to_string(each));
        }
        std::vector<Impact> out(index.size() / each);
        detail::Guard guard(options);
        guard.check(
            ccd_motion_pairs(handle(), static_cast<std::int32_t>(kind), index.data(), out.size(), guard.get(), out.data()));
        return out;
    }

    ccd_motion *handle() const noexcept { return motion_.get(); } ///< the handle in C

private:
    struct Counts {
        std::size_t vertices = 0, pieces = 0, degree = 0;
    };

    Motion() = default;

    Counts counts() const {
        Counts c;
        detail::check(ccd_motion_counts(handle(), &c.vertices, &c.pieces, &c.degree));
        return c;
    }

    std::vector<double> copied(ccd_status (*copy)(ccd_motion *, double *, std::size_t, std::size_t *),
                               std::size_t size) const {
        std::vector<double> out(size);
        std::size_t count = 0;
        detail::check(copy(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// How many groups of `a` times `b` points there are; b comes from the caller.
    static std::size_t groups(const char *name, const Points &points, std::size_t a, std::size_t b) {
        if (b == 0 || b > points.rows("points") || points.rows("points") % (a * b) != 0) {
            throw Error(CCD_E_ARGUMENT, std::string(name) + " has " + std::to_string(points.rows("points")) +
                                            " points: must be a multiple of " + std::to_string(a) + " times " +
                                            std::to_string(b) + ", above 0");
        }
        return points.rows("points") / (a * b);
    }

    /// Ends of equal pieces, where none are given.
    static std::vector<double> ends(std::size_t pieces, View<double> times) {
        std::vector<double> out;
        if (times.size() == 0) {
            for (std::size_t i = 0; i <= pieces; i++) {
                out.push_back(static_cast<double>(i) / static_cast<double>(pieces));
            }
        } else if (times.size() != pieces + 1) {
            throw Error(CCD_E_ARGUMENT, "times has " + std::to_string(times.size()) + " items: " + std::to_string(pieces) +
                                            " pieces have " + std::to_string(pieces + 1) + " ends");
        }
        return out;
    }

    static std::size_t points(Kind kind) {
        switch (kind) {
        case Kind::vertex_face:
        case Kind::edge_edge:
            return 4;
        case Kind::point_edge:
            return 3;
        case Kind::point_point:
            return 2;
        case Kind::edge_face:
            break;
        }
        throw Error(CCD_E_ARGUMENT, "kind is " + std::to_string(static_cast<int>(kind)) +
                                        ": must be vertex_face, edge_edge, point_edge or point_point");
    }

    detail::Handle<ccd_motion, ccd_motion_destroy> motion_;
};
static_assert(sizeof(Motion::Joint) == 104, "ccd_motion_joint has 104 bytes");

inline Step::Step(const Mesh &mesh, const Motion &motion) : n_(motion.vertices()) {
    detail::check(ccd_step_create_motion(mesh.handle(), motion.handle(), step_.out()));
}

namespace step {

/// Compute the earliest impact of a step whose vertices move as a motion says. Where all radii of the motion are 0 the result is exact;
/// where they are above 0, CCD_SEPARATE and every time before toi_lo are proofs as well.
///
///     ccd::Mesh mesh(6, {}, faces);
///     ccd::Motion fall = ccd::Motion::accelerated(x, v, a); // 6 points each
///     ccd::Impact first = ccd::step::earliest(mesh, fall);
/// @param mesh    the mesh, with its filters and radii
/// @param motion  of as many vertices
/// @param options min_separation, norm, t_max, threads, memory_limit, on_progress ...; the method must be exact
/// @return        the impact with the least toi_lo, of equal ones the first in the order (kind, a, b)
/// @throws Error  as ccd_step_create_motion and ccd_step_run_earliest
inline Impact earliest(const Mesh &mesh, const Motion &motion, const Options &options = {}) {
    return Step(mesh, motion).earliest(options);
}

/// List every impact of a motion, sorted by (toi_lo, kind, a, b).
/// @throws Error as earliest
inline std::vector<Impact> collisions(const Mesh &mesh, const Motion &motion, const Options &options = {}) {
    return Step(mesh, motion).collisions(options);
}

/// Compute a safe time of a motion.
/// @return       alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than options.min_separation
/// @throws Error as earliest
inline double size(const Mesh &mesh, const Motion &motion, const Options &options = {}) {
    return Step(mesh, motion).size(options);
}

/// Advance as far as is safe, times share: a time, and the positions there, rounded: Step::advance.
/// @throws Error as earliest
inline Advanced advance(const Mesh &mesh, const Motion &motion, double share = 1, const Options &options = {}) {
    return Step(mesh, motion).advance(share, options);
}

} // namespace step

namespace broad {

/// Find all pairs whose boxes overlap, each the box of all control points of its primitive, inflated by options.min_separation and
/// radii. They hold for every motion whose control points are within the boxes of their vertices.
/// @param mesh    the mesh, with its filters
/// @param motion  of as many vertices
/// @param options min_separation, threads, memory_limit, on_progress
/// @throws Error  as ccd_motion_candidates
inline Candidates candidates(const Mesh &mesh, const Motion &motion, const Options &options = {}) {
    Candidates out;
    detail::Guard guard(options);
    guard.check(ccd_motion_candidates(mesh.handle(), motion.handle(), guard.get(), out.candidates_.out()));
    return out;
}

inline Step Candidates::step(const Motion &motion) const {
    Step out;
    out.n_ = motion.vertices();
    detail::check(ccd_step_create_candidates_motion(handle(), motion.handle(), out.step_.out()));
    return out;
}

} // namespace broad

} // namespace ccd

#endif // LIBCCD_TOI_MOTION_HPP
