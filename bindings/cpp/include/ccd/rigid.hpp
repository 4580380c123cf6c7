// rigid.hpp - rigid bodies that move and turn at constant rates. Part of ccd.hpp.
#ifndef LIBCCD_TOI_RIGID_HPP
#define LIBCCD_TOI_RIGID_HPP

#include <ccd/mesh.hpp>
#include <ccd/pose.hpp>

#include <algorithm>
#include <array>

namespace ccd {

/// Rigid bodies that move with constant velocity and angular velocity.
namespace rigid {

/// A motion: ccd_rigid_motion, at rest at the origin until its members are set.
struct Motion : ccd_rigid_motion {
    /// At rest at the origin.
    Motion() : ccd_rigid_motion{{1, 0, 0, 0}, {}, {}, {}, {}} {}
    /// A motion of the C interface.
    Motion(const ccd_rigid_motion &m) : ccd_rigid_motion(m) {}
    /// A body that has a pose at t = 0; without velocities it rests there.
    /// @param pose    pose at t = 0
    /// @param linear  velocity of the pivot, a length per unit of time
    /// @param angular angular velocity: axis times radians per unit of time, in world coordinates
    /// @param about   pivot: the point of the body, in its coordinates, that moves on a straight line
    /// @throws Error  CCD_E_ARGUMENT or CCD_E_NONFINITE where the pivot is not the origin and a number is wrong; else the calls that
    ///                take the motion say so
    Motion(const Pose &pose, const std::array<double, 3> &linear = {}, const std::array<double, 3> &angular = {},
           const std::array<double, 3> &about = {});

    /// Compute where points of the body are at the time t, n x 3 in world coordinates, rounded.
    /// @param points n x 3 in body coordinates
    /// @throws Error as motion_pose
    std::vector<double> at(double t, const Points &points) const;
    /// Compute where points of the world are in the coordinates of the body at the time t, n x 3, rounded.
    /// @param points n x 3 in world coordinates
    /// @throws Error as motion_pose
    std::vector<double> back(double t, const Points &points) const;
};
static_assert(sizeof(Motion) == 128, "ccd_rigid_motion has 128 bytes");

/// A rigid body with its bounding volume tree: of a surface, or of a shape, which is solid. Threads may share one.
class Body {
public:
    /// Create a body.
    /// @param vertices in body coordinates, n x 3
    /// @param faces    triangles; one that repeats a vertex is an edge or a point
    /// @throws Error   as ccd_rigid_body_create
    Body(const Points &vertices, const Faces &faces) {
        detail::check(ccd_rigid_body_create(vertices.data(), vertices.rows("vertices"), faces.data(), faces.rows("faces"),
                                            body_.out()));
    }

    /// A solid box of the given lengths along x, y and z, with its center at the origin. It is exact.
    /// @throws Error as ccd_rigid_body_box
    static Body box(const std::array<double, 3> &size) {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_box(size.data(), out); });
    }

    /// A ball with its center at the origin. It is exact.
    /// @throws Error as ccd_rigid_body_sphere
    static Body sphere(double radius) {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_sphere(radius, out); });
    }

    /// All points within a radius of a segment of the given length along z, whose middle is the origin. It is exact.
    /// @throws Error as ccd_rigid_body_capsule
    static Body capsule(double radius, double length) {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_capsule(radius, length, out); });
    }

    /// A solid cylinder about the z axis with its center at the origin, of facets with a deviation of at most deviation; 0 stands for 1e-4 of
    /// the radius.
    /// @throws Error as ccd_rigid_body_cylinder
    static Body cylinder(double radius, double length, double deviation = 0) {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_cylinder(radius, length, deviation, out); });
    }

    /// A solid cone about the z axis: its base at -length / 2, its tip at length / 2. The deviation is that of cylinder.
    /// @throws Error as ccd_rigid_body_cone
    static Body cone(double radius, double length, double deviation = 0) {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_cone(radius, length, deviation, out); });
    }

    /// The convex hull of points, n x 3. It is solid and exact.
    /// @throws Error as ccd_rigid_body_hull
    static Body hull(const Points &points) {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_hull(points.data(), points.rows("points"), out); });
    }

    /// The body that also holds all points within a distance of this one. It shares the tree. Where the sum of radius and padding is no double,
    /// radius is rounded down, and radius + deviation is not below the sum.
    /// @throws Error as ccd_rigid_body_padded
    Body padded(double padding) const {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_padded(handle(), padding, out); });
    }

    /// The body that the triangles stand for where they are off by a deviation, a length. Contact is of all points within it, so it is
    /// never late; brackets of distances are wider by it. It shares the tree. Deviations add up.
    /// @throws Error as ccd_rigid_body_deviating
    Body deviating(double deviation) const {
        return shape([&](ccd_rigid_body **out) { return ccd_rigid_body_deviating(handle(), deviation, out); });
    }

    /// What the body is: its triangles, radius and deviation, and whether it is solid.
    /// @throws Error as ccd_rigid_body_describe
    RigidBodyInfo describe() const {
        RigidBodyInfo out;
        detail::check(ccd_rigid_body_describe(handle(), &out));
        return out;
    }

    /// Copy of the vertices of its triangles, in body coordinates, without those that no triangle names. The radius is not in them.
    /// @throws Error as ccd_rigid_body_vertices
    std::vector<std::array<double, 3>> vertices() const {
        std::size_t count = 0;
        detail::check(ccd_rigid_body_vertices(handle(), nullptr, 0, &count));
        std::vector<std::array<double, 3>> out(count);
        detail::check(ccd_rigid_body_vertices(handle(), out.data()->data(), out.size(), &count));
        return out;
    }

    /// Copy of its triangles, indices into vertices(). Those of a solid body are counterclockwise from outside.
    /// @throws Error as ccd_rigid_body_faces
    std::vector<std::array<std::int32_t, 3>> faces() const {
        std::size_t count = 0;
        detail::check(ccd_rigid_body_faces(handle(), nullptr, 0, &count));
        std::vector<std::array<std::int32_t, 3>> out(count);
        detail::check(ccd_rigid_body_faces(handle(), out.data()->data(), out.size(), &count));
        return out;
    }

    ccd_rigid_body *handle() const noexcept { return body_.get(); } ///< the handle in C

private:
    Body() = default;
    template <class Make> static Body shape(Make make) {
        Body out;
        detail::check(make(out.body_.out()));
        return out;
    }
    detail::Handle<ccd_rigid_body, ccd_rigid_body_destroy> body_;
};

/// Compute the first time in [options.t_min, options.t_max] at which two bodies come into contact. The verdict CCD_SEPARATE is a
/// proof that there is none; otherwise advance to toi_lo itself.
/// @param ma      motion of a
/// @param mb      motion of b
/// @param options tolerance, min_separation, t_min, t_max, max_iterations, method
/// @throws Error  as ccd_rigid_earliest
inline RigidImpact earliest(const Body &a, const Motion &ma, const Body &b, const Motion &mb, const Options &options = {}) {
    RigidImpact out;
    detail::Guard guard(options);
    guard.check(ccd_rigid_earliest(a.handle(), &ma, b.handle(), &mb, guard.get(), &out));
    return out;
}

/// Queries of two bodies with many pairs of motions.
/// @param ma     motions of a
/// @param mb     motions of b, as many
/// @throws Error as earliest
inline std::vector<RigidImpact> earliest_batch(const Body &a, View<Motion> ma, const Body &b, View<Motion> mb,
                                               const Options &options = {}) {
    detail::same_size("ma", ma.size(), "mb", mb.size(), "motions");
    std::vector<RigidImpact> out(ma.size());
    detail::Guard guard(options);
    guard.check(ccd_rigid_earliest_batch(a.handle(), ma.data(), b.handle(), mb.data(), ma.size(), guard.get(), out.data()));
    return out;
}

static_assert(sizeof(Pose) == sizeof(ccd_rigid_pose), "a Pose is the 56 bytes of a ccd_rigid_pose");

namespace inner {
/// A pose as the C interface takes it.
inline ccd_rigid_pose pose(const Pose &in) {
    ccd_rigid_pose out;
    std::copy(in.rotation.begin(), in.rotation.end(), out.rotation);
    std::copy(in.position.begin(), in.position.end(), out.position);
    return out;
}
inline std::vector<ccd_rigid_pose> poses(View<Pose> in) {
    std::vector<ccd_rigid_pose> out(in.size());
    std::transform(in.begin(), in.end(), out.begin(), pose);
    return out;
}
/// The handles of the parts of a body.
inline std::vector<ccd_rigid_body *> handles(View<Body> parts) {
    std::vector<ccd_rigid_body *> out;
    for (const Body &body : parts) {
        out.push_back(body.handle());
    }
    return out;
}
} // namespace inner

/// Compute the distance of the surfaces of two bodies at exact poses, as a bracket [lo, hi]; both are 0 if and only if the surfaces share a
/// point.
/// @param pa      pose of a
/// @param pb      pose of b
/// @param options tolerance (0: as narrow as doubles tell), max_iterations
/// @throws Error  as ccd_rigid_distance
inline RigidGap distance(const Body &a, const Pose &pa, const Body &b, const Pose &pb, const Options &options = {}) {
    RigidGap out;
    const ccd_rigid_pose x = inner::pose(pa), y = inner::pose(pb);
    detail::Guard guard(options);
    guard.check(ccd_rigid_distance(a.handle(), &x, b.handle(), &y, guard.get(), &out));
    return out;
}

/// Distances of two bodies at many pairs of poses.
/// @param pa     poses of a
/// @param pb     poses of b, as many
/// @throws Error as distance
inline std::vector<RigidGap> distance_batch(const Body &a, View<Pose> pa, const Body &b, View<Pose> pb,
                                            const Options &options = {}) {
    detail::same_size("pa", pa.size(), "pb", pb.size(), "poses");
    const std::vector<ccd_rigid_pose> x = inner::poses(pa), y = inner::poses(pb);
    std::vector<RigidGap> out(x.size());
    detail::Guard guard(options);
    guard.check(ccd_rigid_distance_batch(a.handle(), x.data(), b.handle(), y.data(), x.size(), guard.get(), out.data()));
    return out;
}

/// Distances of two bodies at many pairs of poses, with their derivatives by the poses where `state` is CCD_GRADIENT_DEFINED.
/// @param pa      poses of a
/// @param pb      poses of b, as many
/// @param options as of distance
/// @throws Error  as ccd_rigid_distance_gradients
inline std::vector<RigidGapGradient> distance_gradients(const Body &a, View<Pose> pa, const Body &b, View<Pose> pb,
                                                        const Options &options = {}) {
    detail::same_size("pa", pa.size(), "pb", pb.size(), "poses");
    const std::vector<ccd_rigid_pose> x = inner::poses(pa), y = inner::poses(pb);
    std::vector<RigidGapGradient> out(x.size());
    detail::Guard guard(options);
    guard.check(
        ccd_rigid_distance_gradients(a.handle(), x.data(), b.handle(), y.data(), x.size(), guard.get(), out.data()));
    return out;
}

/// Compute how deep two bodies at exact poses overlap: the least translation of a that separates them, a bracket of its length, and the deepest
/// points. Of bodies that are not convex only hi and the translation are proven.
/// @param pa      pose of a
/// @param pb      pose of b
/// @param options tolerance (0: as narrow as doubles tell), max_iterations
/// @throws Error  as ccd_rigid_penetration_depth
inline RigidPenetration penetration_depth(const Body &a, const Pose &pa, const Body &b, const Pose &pb,
                                          const Options &options = {}) {
    RigidPenetration out;
    const ccd_rigid_pose x = inner::pose(pa), y = inner::pose(pb);
    detail::Guard guard(options);
    guard.check(ccd_rigid_penetration_depth(a.handle(), &x, b.handle(), &y, guard.get(), &out));
    return out;
}

/// Depths of two bodies at many pairs of poses.
/// @param pa     poses of a
/// @param pb     poses of b, as many
/// @throws Error as penetration_depth
inline std::vector<RigidPenetration> penetration_batch(const Body &a, View<Pose> pa, const Body &b, View<Pose> pb,
                                                       const Options &options = {}) {
    detail::same_size("pa", pa.size(), "pb", pb.size(), "poses");
    const std::vector<ccd_rigid_pose> x = inner::poses(pa), y = inner::poses(pb);
    std::vector<RigidPenetration> out(x.size());
    detail::Guard guard(options);
    guard.check(ccd_rigid_penetration_batch(a.handle(), x.data(), b.handle(), y.data(), x.size(), guard.get(), out.data()));
    return out;
}

/// Depths of two bodies at many pairs of poses, with their derivatives by the poses where `state` is CCD_GRADIENT_DEFINED.
/// @param pa     poses of a
/// @param pb     poses of b, as many
/// @throws Error as ccd_rigid_penetration_gradients
inline std::vector<RigidPenetrationGradient> penetration_gradients(const Body &a, View<Pose> pa, const Body &b,
                                                                   View<Pose> pb, const Options &options = {}) {
    detail::same_size("pa", pa.size(), "pb", pb.size(), "poses");
    const std::vector<ccd_rigid_pose> x = inner::poses(pa), y = inner::poses(pb);
    std::vector<RigidPenetrationGradient> out(x.size());
    detail::Guard guard(options);
    guard.check(
        ccd_rigid_penetration_gradients(a.handle(), x.data(), b.handle(), y.data(), x.size(), guard.get(), out.data()));
    return out;
}

/// Report whether the surfaces of two bodies share a point at exact poses. The result is exact.
/// @throws Error as distance
inline bool intersects(const Body &a, const Pose &pa, const Body &b, const Pose &pb) {
    const ccd_rigid_pose x = inner::pose(pa), y = inner::pose(pb);
    std::int32_t out = 1;
    detail::check(ccd_rigid_intersects(a.handle(), &x, b.handle(), &y, nullptr, &out));
    return out != 0;
}

/// Compute the least distance of two bodies that move, over [options.t_min, options.t_max]. It is at least lo at all times, which is a proof.
/// At the time of the result it is at most hi.
/// @param ma      motion of a
/// @param mb      motion of b
/// @param options tolerance, t_min, t_max, max_iterations
/// @throws Error  as ccd_rigid_clearance
inline RigidGap clearance(const Body &a, const Motion &ma, const Body &b, const Motion &mb, const Options &options = {}) {
    RigidGap out;
    detail::Guard guard(options);
    guard.check(ccd_rigid_clearance(a.handle(), &ma, b.handle(), &mb, guard.get(), &out));
    return out;
}

/// Compute the distances of two bodies that move at each of some times, for a plot: that at the true poses of the motions at times[i] is in
/// [lo, hi] of the gap i, whose time that is.
/// @param ma      motion of a
/// @param mb      motion of b
/// @param times   in any order
/// @param options tolerance, max_iterations (of each time), progress
/// @throws Error  as ccd_rigid_profile
inline std::vector<RigidGap> profile(const Body &a, const Motion &ma, const Body &b, const Motion &mb, View<double> times,
                                     const Options &options = {}) {
    std::vector<RigidGap> out(times.size());
    detail::Guard guard(options);
    guard.check(ccd_rigid_profile(a.handle(), &ma, b.handle(), &mb, times.data(), times.size(), guard.get(), out.data()));
    return out;
}

/// The contact of two bodies at poses.
struct Manifold {
    std::vector<RigidManifoldPoint> points; ///< in an order that does not depend on triangles
    std::uint32_t flags = 0;                ///< CCD_MANIFOLD_CROSSING, CCD_MANIFOLD_INSIDE, CCD_MANIFOLD_DEEP
};

/// List where two bodies touch at exact poses, within a tolerance.
/// @param pa        pose of a
/// @param pb        pose of b
/// @param tolerance how far apart, or how deep in each other, features in contact may be
/// @param how       0, or a sum of CCD_MANIFOLD_REDUCE and CCD_MANIFOLD_LEAD_OUT; true: at most four points of each group
/// @throws Error    as ccd_rigid_manifold
inline Manifold manifold(const Body &a, const Pose &pa, const Body &b, const Pose &pb, double tolerance,
                         std::int32_t how = 0, const Options &options = {}) {
    Manifold out;
    const ccd_rigid_pose x = inner::pose(pa), y = inner::pose(pb);
    detail::Handle<ccd_rigid_manifold_points, ccd_rigid_manifold_points_destroy> found;
    detail::Guard guard(options);
    guard.check(ccd_rigid_manifold(a.handle(), &x, b.handle(), &y, tolerance, how, guard.get(), &out.flags, found.out()));
    std::size_t count = 0;
    detail::check(ccd_rigid_manifold_points_count(found.get(), &count));
    out.points.resize(count);
    detail::check(ccd_rigid_manifold_points_copy(found.get(), out.points.data(), out.points.size(), &count));
    return out;
}

/// Compute the first time in [options.t_min, options.t_max] at which two convex bodies in contact penetrate by more than a tolerance, or
/// lose contact.
/// @param ma        motion of a
/// @param mb        motion of b
/// @param tolerance how far apart, or how deep in each other, bodies in contact may be
/// @param options   t_min, t_max, max_iterations
/// @throws Error    as ccd_rigid_slide
inline Slide slide(const Body &a, const Motion &ma, const Body &b, const Motion &mb, double tolerance,
                   const Options &options = {}) {
    Slide out;
    detail::Guard guard(options);
    guard.check(ccd_rigid_slide(a.handle(), &ma, b.handle(), &mb, tolerance, guard.get(), &out));
    return out;
}

/// Compute the same for bodies that are given by convex parts, which share the motion of their body.
/// @param a         the parts of one body
/// @param ma        its motion
/// @param b         those of the other
/// @param mb        its motion
/// @param tolerance how far apart, or how deep in each other, bodies in contact may be
/// @param options   t_min, t_max, max_iterations
/// @throws Error    as ccd_rigid_slide_parts
inline Slide slide(const std::vector<Body> &a, const Motion &ma, const std::vector<Body> &b, const Motion &mb,
                   double tolerance, const Options &options = {}) {
    Slide out;
    const std::vector<ccd_rigid_body *> x = inner::handles(a), y = inner::handles(b);
    detail::Guard guard(options);
    guard.check(ccd_rigid_slide_parts(x.data(), x.size(), &ma, y.data(), y.size(), &mb, tolerance, guard.get(), &out));
    return out;
}

/// Compute the first time in [options.t_min, options.t_max] at which two bodies that are given by convex parts overlap more deeply than a
/// limit: the event is CCD_SLIDE_PENETRATES, or CCD_SLIDE_STAYS if they never do.
/// @param a         the parts of one body
/// @param ma        its motion
/// @param b         those of the other
/// @param mb        its motion
/// @param limit     how deep in each other bodies may be
/// @param options   t_min, t_max, max_iterations
/// @throws Error    as ccd_rigid_first_depth
inline Slide first_depth(const std::vector<Body> &a, const Motion &ma, const std::vector<Body> &b, const Motion &mb,
                         double limit, const Options &options = {}) {
    Slide out;
    const std::vector<ccd_rigid_body *> x = inner::handles(a), y = inner::handles(b);
    detail::Guard guard(options);
    guard.check(ccd_rigid_first_depth(x.data(), x.size(), &ma, y.data(), y.size(), &mb, limit, guard.get(), &out));
    return out;
}

/// Compute the same for two convex bodies.
/// @param a         a convex body
/// @param ma        its motion
/// @param b         a convex body
/// @param mb        its motion
/// @param limit     how deep in each other the bodies may be
/// @param options   t_min, t_max, max_iterations
/// @throws Error    as ccd_rigid_first_depth
inline Slide first_depth(const Body &a, const Motion &ma, const Body &b, const Motion &mb, double limit,
                         const Options &options = {}) {
    Slide out;
    ccd_rigid_body *x = a.handle(), *y = b.handle();
    detail::Guard guard(options);
    guard.check(ccd_rigid_first_depth(&x, 1, &ma, &y, 1, &mb, limit, guard.get(), &out));
    return out;
}

/// Report how two closed bodies lie to each other at the time t: one of CCD_CONTAINMENT_*. Where earliest says CCD_SEPARATE, they lie so
/// for all t in [t_min, t_max].
/// @param ma      motion of a
/// @param mb      motion of b
/// @throws Error  as ccd_rigid_containment
inline ccd_containment containment(const Body &a, const Motion &ma, const Body &b, const Motion &mb, double t = 0,
                                   const Options &options = {}) {
    ccd_containment out = CCD_CONTAINMENT_UNDECIDED;
    detail::Guard guard(options);
    guard.check(ccd_rigid_containment(a.handle(), &ma, b.handle(), &mb, 1, t, guard.get(), &out));
    return out;
}

/// Report how two closed bodies lie to each other for many pairs of motions.
/// @param ma      motions of a
/// @param mb      motions of b, as many
/// @throws Error  as ccd_rigid_containment
inline std::vector<ccd_containment> containment_batch(const Body &a, View<Motion> ma, const Body &b, View<Motion> mb,
                                                      double t = 0, const Options &options = {}) {
    detail::same_size("ma", ma.size(), "mb", mb.size(), "motions");
    std::vector<ccd_containment> out(ma.size());
    detail::Guard guard(options);
    guard.check(ccd_rigid_containment(a.handle(), ma.data(), b.handle(), mb.data(), ma.size(), t, guard.get(), out.data()));
    return out;
}

/// Compute the winding numbers of a closed body, where its motion puts it at the time t, around points in the world: how often it
/// encloses each, or CCD_ON_SURFACE, or CCD_WINDING_UNKNOWN.
/// @param points k x 3
/// @throws Error as ccd_rigid_winding
inline std::vector<std::int32_t> winding(const Body &body, const Motion &motion, const Points &points, double t = 0,
                                         const Options &options = {}) {
    std::vector<std::int32_t> out(points.rows("points"));
    detail::Guard guard(options);
    guard.check(
        ccd_rigid_winding(body.handle(), &motion, t, points.data(), points.rows("points"), guard.get(), out.data()));
    return out;
}

/// Compute the volumes that two closed bodies have in common at the time t, for many pairs of motions.
/// @param ma      motions of a
/// @param mb      motions of b, as many
/// @param shells  CCD_SHELLS_REFUSE or CCD_SHELLS_COUNT
/// @throws Error  as ccd_rigid_overlaps
inline std::vector<Overlap> overlaps(const Body &a, View<Motion> ma, const Body &b, View<Motion> mb, double t = 0,
                                     ccd_shells shells = CCD_SHELLS_REFUSE, const Options &options = {}) {
    detail::same_size("ma", ma.size(), "mb", mb.size(), "motions");
    std::vector<Overlap> out(ma.size());
    detail::Guard guard(options);
    guard.check(
        ccd_rigid_overlaps(a.handle(), ma.data(), b.handle(), mb.data(), ma.size(), t, shells, guard.get(), out.data()));
    return out;
}

/// Compute the volume that two closed bodies have in common at the time t.
/// @param ma      motion of a
/// @param mb      motion of b
/// @param shells  CCD_SHELLS_REFUSE or CCD_SHELLS_COUNT
/// @throws Error  as ccd_rigid_overlaps
inline Overlap overlap(const Body &a, const Motion &ma, const Body &b, const Motion &mb, double t = 0,
                       ccd_shells shells = CCD_SHELLS_REFUSE, const Options &options = {}) {
    return overlaps(a, View<Motion>(&ma, 1), b, View<Motion>(&mb, 1), t, shells, options)[0];
}

/// Compute where points in the world lie to a closed body, where its motion puts it at the time t.
/// @param points k x 3
/// @throws Error as ccd_rigid_depths
inline std::vector<Depth> depths(const Body &body, const Motion &motion, const Points &points, double t = 0,
                                 const Options &options = {}) {
    std::vector<Depth> out(points.rows("points"));
    detail::Guard guard(options);
    guard.check(ccd_rigid_depths(body.handle(), &motion, t, points.data(), points.rows("points"), guard.get(), out.data()));
    return out;
}

/// Many bodies that move at once: bodies[i] by motions[i]. One body may be listed several times.
struct Scene {
    std::vector<ccd_rigid_body *> bodies; ///< handles of bodies that outlive the scene
    std::vector<Motion> motions;          ///< one for each body
    std::vector<std::int32_t> groups; ///< empty, or one each: bodies of one group >= 0 are not tested against each other
    std::vector<std::array<std::int32_t, 2>> skip; ///< pairs of bodies that are not tested

    /// Add a body with its motion.
    void add(const Body &body, const Motion &motion) {
        bodies.push_back(body.handle());
        motions.push_back(motion);
    }

    /// Compute the first impact of two bodies, in the order (toi_lo, a, b).
    /// @throws Error as ccd_rigid_scene_earliest
    RigidSceneImpact earliest(const Options &options = {}) const {
        RigidSceneImpact out;
        check();
        detail::Guard guard(options);
        guard.check(ccd_rigid_scene_earliest(bodies.data(), motions.data(), bodies.size(), group(), pairs(), skip.size(),
                                             guard.get(), &out));
        return out;
    }

    /// List the impact of every pair of bodies that is not separate, in the order (toi_lo, a, b).
    /// @throws Error as earliest
    std::vector<RigidSceneImpact> collisions(const Options &options = {}) const {
        check();
        detail::Handle<ccd_rigid_scene_impacts, ccd_rigid_scene_impacts_destroy> found;
        detail::Guard guard(options);
        guard.check(ccd_rigid_scene_collisions(bodies.data(), motions.data(), bodies.size(), group(), pairs(), skip.size(),
                                               guard.get(), found.out()));
        std::size_t count = 0;
        detail::check(ccd_rigid_scene_impacts_count(found.get(), &count));
        std::vector<RigidSceneImpact> out(count);
        detail::check(ccd_rigid_scene_impacts_copy(found.get(), out.data(), out.size(), &count));
        return out;
    }

    /// List the distances of all pairs of bodies, at poses instead of the motions, that may be at most a distance apart, in the order
    /// (a, b).
    /// @param poses  one for each body
    /// @throws Error as ccd_rigid_scene_within
    std::vector<RigidSceneGap> within(View<Pose> poses, double distance, const Options &options = {}) const {
        check("poses", poses.size());
        const std::vector<ccd_rigid_pose> x = inner::poses(poses);
        detail::Handle<ccd_rigid_scene_gaps, ccd_rigid_scene_gaps_destroy> found;
        detail::Guard guard(options);
        guard.check(ccd_rigid_scene_within(bodies.data(), x.data(), bodies.size(), group(), pairs(), skip.size(), distance,
                                           guard.get(), found.out()));
        std::size_t count = 0;
        detail::check(ccd_rigid_scene_gaps_count(found.get(), &count));
        std::vector<RigidSceneGap> out(count);
        detail::check(ccd_rigid_scene_gaps_copy(found.get(), out.data(), out.size(), &count));
        return out;
    }

    /// Compute the first impact of a body with a mesh whose vertices move from x0 at t_min to x1 at t_max, in the order (toi_lo, body,
    /// shape, index_b). Groups and skipped pairs have no effect.
    /// @throws Error as ccd_rigid_mesh_earliest
    RigidMeshImpact mesh_earliest(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) const {
        RigidMeshImpact out;
        check();
        detail::Guard guard(options);
        guard.check(ccd_rigid_mesh_earliest(bodies.data(), motions.data(), bodies.size(), mesh.handle(), x0.data(),
                                            x1.data(), detail::vertices(x0, x1), guard.get(), &out));
        return out;
    }

    /// List the impact of every body and primitive of a mesh that are not separate, in that order.
    /// @throws Error as mesh_earliest
    std::vector<RigidMeshImpact> mesh_collisions(const Mesh &mesh, const Points &x0, const Points &x1,
                                                 const Options &options = {}) const {
        check();
        detail::Handle<ccd_rigid_mesh_impacts, ccd_rigid_mesh_impacts_destroy> found;
        detail::Guard guard(options);
        guard.check(ccd_rigid_mesh_collisions(bodies.data(), motions.data(), bodies.size(), mesh.handle(), x0.data(),
                                              x1.data(), detail::vertices(x0, x1), guard.get(), found.out()));
        std::size_t count = 0;
        detail::check(ccd_rigid_mesh_impacts_count(found.get(), &count));
        std::vector<RigidMeshImpact> out(count);
        detail::check(ccd_rigid_mesh_impacts_copy(found.get(), out.data(), out.size(), &count));
        return out;
    }

private:
    void check() const { check("motions", motions.size()); }
    void check(const char *name, std::size_t size) const {
        detail::same_size("bodies", bodies.size(), name, size, "items");
        if (!groups.empty()) {
            detail::same_size("bodies", bodies.size(), "groups", groups.size(), "items");
        }
    }
    const std::int32_t *group() const noexcept { return groups.empty() ? nullptr : groups.data(); }
    const std::int32_t *pairs() const noexcept { return skip.empty() ? nullptr : skip.data()->data(); }
};

/// Compute the pose at the time t, rounded.
/// @throws Error CCD_E_ARGUMENT or CCD_E_NONFINITE
inline Pose motion_pose(const Motion &motion, double t) {
    Pose out;
    detail::check(ccd_rigid_motion_pose(&motion, t, out.rotation.data(), out.position.data()));
    return out;
}

/// Compute the motion of a body that turns about a line and slides along it.
/// @param pose             pose at t = 0
/// @param axis_point       a point of the line, in world coordinates
/// @param angular_velocity direction of the line times radians per unit of time
/// @param speed            along the line, per unit of time
/// @throws Error           CCD_E_ARGUMENT or CCD_E_NONFINITE
inline Motion motion_screw(const Pose &pose, const std::array<double, 3> &axis_point,
                           const std::array<double, 3> &angular_velocity, double speed) {
    Motion out;
    detail::check(ccd_rigid_motion_screw(pose.rotation.data(), pose.position.data(), axis_point.data(),
                                         angular_velocity.data(), speed, &out),
                  {{"rotation", "pose.rotation"}, {"position", "pose.position"}});
    return out;
}

/// Compute the motion from one pose at t = 0 to another at t = duration: the pivot moves on a straight line, and the body turns about
/// it at a constant rate, the shorter way.
/// @param duration above 0
/// @param pivot    in body coordinates; the center of mass is a good choice
/// @throws Error   CCD_E_ARGUMENT or CCD_E_NONFINITE
inline Motion motion_between(const Pose &from, const Pose &to, double duration = 1,
                             const std::array<double, 3> &pivot = {}) {
    Motion out;
    detail::check(ccd_rigid_motion_between(from.rotation.data(), from.position.data(), to.rotation.data(),
                                           to.position.data(), duration, pivot.data(), &out),
                  {{"rotation0", "from.rotation"},
                   {"position0", "from.position"},
                   {"rotation1", "to.rotation"},
                   {"position1", "to.position"}});
    return out;
}

inline Motion::Motion(const Pose &pose, const std::array<double, 3> &linear, const std::array<double, 3> &angular,
                      const std::array<double, 3> &about)
    : Motion() {
    std::copy(pose.rotation.begin(), pose.rotation.end(), rotation);
    std::copy(pose.position.begin(), pose.position.end(), position);
    if (about != std::array<double, 3>{}) {
        *this = motion_between(pose, pose, 1, about);
    }
    std::copy(linear.begin(), linear.end(), velocity);
    std::copy(angular.begin(), angular.end(), angular_velocity);
}

inline std::vector<double> Motion::at(double t, const Points &points) const {
    const Rows m = matrix(motion_pose(*this, t));
    const std::size_t n = points.rows("points");
    std::vector<double> out(3 * n);
    for (std::size_t i = 0; i < 3 * n; i++) {
        const double *p = points.data() + (i - i % 3);
        const std::array<double, 4> &row = m[i % 3];
        out[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
    }
    return out;
}

inline std::vector<double> Motion::back(double t, const Points &points) const {
    const Rows m = matrix(motion_pose(*this, t));
    const std::size_t n = points.rows("points");
    std::vector<double> out(3 * n);
    for (std::size_t i = 0; i < 3 * n; i++) {
        const double *p = points.data() + (i - i % 3);
        for (std::size_t k = 0; k < 3; k++) {
            out[i] += m[k][i % 3] * (p[k] - m[k][3]);
        }
    }
    return out;
}

} // namespace rigid

} // namespace ccd

#endif // LIBCCD_TOI_RIGID_HPP
