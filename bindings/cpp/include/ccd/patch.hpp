// patch.hpp - curved patches that move. Part of ccd.hpp.
#ifndef LIBCCD_TOI_PATCH_HPP
#define LIBCCD_TOI_PATCH_HPP

#include <ccd/common.hpp>

namespace ccd {

using PatchImpact = ccd_patch_impact; ///< one impact between two patches
static_assert(sizeof(PatchImpact) == 128, "ccd_patch_impact has 128 bytes");
using PatchForm = ccd_patch_form; ///< shape and degrees of a patch; ccd.h gives the order of control points
static_assert(sizeof(PatchForm) == 12, "ccd_patch_form has 12 bytes");

/// Moving patches on common control points. Threads may share a body.
class PatchBody {
public:
    /// Create a body.
    /// @param points  number of control points
    /// @param forms   shape and degrees of each patch
    /// @param index   control points of one patch after the other
    /// @param weights one for each entry of index, positive, or none: all equal
    /// @throws Error  as ccd_patch_body_create
    PatchBody(std::size_t points, View<PatchForm> forms, View<std::int32_t> index, View<double> weights = {}) {
        if (weights.size() != 0) {
            detail::same_size("index", index.size(), "weights", weights.size(), "numbers");
        }
        detail::check(ccd_patch_body_create(points, forms.data(), forms.size(), index.data(), index.size(),
                                            weights.size() ? weights.data() : nullptr, body_.out()));
    }

    /// Create the Bezier patches of a NURBS surface, whose control points are the body's.
    /// @param u      degree along u
    /// @param v      degree along v; 0, with no knots_v, for a curve
    /// @param knots_u knots along u in rising order
    /// @param knots_v knots along v in rising order
    /// @param weights one for each control point, positive, or none: all equal
    /// @throws Error  as ccd_patch_body_create_nurbs
    static PatchBody nurbs(int u, int v, View<double> knots_u, View<double> knots_v, View<double> weights = {}) {
        const auto points = [](std::size_t knots, int degree) {
            return knots > static_cast<std::size_t>(degree) ? knots - static_cast<std::size_t>(degree) - 1 : 0;
        };
        const std::size_t n = points(knots_u.size(), u) * (knots_v.size() ? points(knots_v.size(), v) : 1);
        if (weights.size() != 0 && weights.size() != n) {
            throw detail::wrong_size("weights", weights.size(), "numbers",
                                     "must have " + std::to_string(n) + ", one for each control point, or none");
        }
        PatchBody out;
        detail::check(ccd_patch_body_create_nurbs(u, v, knots_u.data(), knots_u.size(), knots_v.data(), knots_v.size(),
                                                  weights.size() ? weights.data() : nullptr, out.body_.out()));
        return out;
    }

    /// Create finite elements of higher order, which are given by their nodes: the body's control points are the nodes. Queries
    /// are about the elements: their error bounds include the conversion to control points.
    /// @param points number of nodes
    /// @param forms  shape and degrees of each element, at most 6
    /// @param index  nodes of one element after the other, equidistant, in the order of the control points of its form
    /// @throws Error as ccd_patch_body_create_lagrange
    ///
    ///     // A P2 triangle of Gmsh or VTK: corners 0, 1, 2, then the middles of 01, 12 and 20.
    ///     auto body = ccd::PatchBody::lagrange(6, {{CCD_PATCH_TRIANGLE, 2, 2}}, {0, 3, 1, 5, 4, 2});
    static PatchBody lagrange(std::size_t points, View<PatchForm> forms, View<std::int32_t> index) {
        PatchBody out;
        detail::check(ccd_patch_body_create_lagrange(points, forms.data(), forms.size(), index.data(), index.size(),
                                                     out.body_.out()));
        return out;
    }

    /// Create a body of the same patches, trimmed by the loops of their faces: see ccd_patch_body_trim.
    /// @param corners    x and y of the corners of all loops, one loop after the other
    /// @param loops      number of corners of each loop
    /// @param faces      number of loops of each face
    /// @param tolerances 2 for each face: along x and y of its plane
    /// @param face_of    face of each patch
    /// @param windows    4 for each patch: x at u = 0 and 1, y at v = 0 and 1
    /// @throws Error     as ccd_patch_body_trim
    PatchBody trim(View<double> corners, View<std::int32_t> loops, View<std::int32_t> faces, View<double> tolerances,
                   View<std::int32_t> face_of, View<double> windows) const {
        if (corners.size() % 2 != 0) {
            throw detail::wrong_size("corners", corners.size(), "numbers", "must be x and y of each corner");
        }
        if (tolerances.size() != 2 * faces.size()) {
            throw detail::wrong_size("tolerances", tolerances.size(), "numbers",
                                     "must have 2 for each of " + std::to_string(faces.size()) + " faces");
        }
        if (windows.size() != 4 * face_of.size()) {
            throw detail::wrong_size("windows", windows.size(), "numbers",
                                     "must have 4 for each of " + std::to_string(face_of.size()) + " patches");
        }
        PatchBody out;
        detail::check(ccd_patch_body_trim(handle(), corners.data(), corners.size() / 2, loops.data(), loops.size(),
                                          faces.data(), tolerances.data(), faces.size(), face_of.data(), windows.data(),
                                          face_of.size(), out.body_.out()));
        return out;
    }

    /// Create a trimmed body whose faces have curves or points in common: see ccd_patch_body_join.
    /// @param joints 3 for each: two faces and a number of places
    /// @param places 4 for each: x, y in the plane of the first face and of the second
    /// @throws Error as ccd_patch_body_join
    PatchBody join(View<std::int32_t> joints, View<double> places) const {
        if (joints.size() % 3 != 0) {
            throw detail::wrong_size("joints", joints.size(), "numbers", "must have 3 for each joint");
        }
        if (places.size() % 4 != 0) {
            throw detail::wrong_size("places", places.size(), "numbers", "must have 4 for each place");
        }
        PatchBody out;
        detail::check(ccd_patch_body_join(handle(), joints.data(), joints.size() / 3, places.data(), places.size() / 4,
                                          out.body_.out()));
        return out;
    }

    /// Number of faces of a trimmed body; 0 for one that is not trimmed.
    std::size_t faces() const {
        std::size_t n = 0;
        detail::check(ccd_patch_body_faces(handle(), &n));
        return n;
    }

    ccd_patch_body *handle() const noexcept { return body_.get(); } ///< the handle in C

    /// Numbers of control points and of patches.
    std::array<std::size_t, 2> counts() const {
        std::array<std::size_t, 2> n{};
        detail::check(ccd_patch_body_counts(handle(), &n[0], &n[1]));
        return n;
    }

private:
    PatchBody() = default;
    detail::Handle<ccd_patch_body, ccd_patch_body_destroy> body_;
};

/// Curved patches that move: Bezier curves, triangles and quads, polynomial or rational.
namespace patch {

/// A body over one step.
struct BodyStep {
    const PatchBody &body; ///< the body
    const Points &x0;      ///< control points at t = 0
    const Points &x1;      ///< control points at t = 1
};

/// One Bezier patch over one step.
struct Patch {
    PatchForm form;            ///< shape and degrees
    const Points &x0;          ///< control points at t = 0
    const Points &x1;          ///< control points at t = 1
    View<double> weights = {}; ///< one for each control point, positive, or none: all equal
};

namespace detail_patch {

/// The weights of a patch that has as many points as its form wants. The form is the caller's and not yet checked: a degree beyond
/// 9 is refused by the library, which names it, before it reads a control point.
inline const double *sized(const Patch &p) {
    const std::int64_t u = p.form.u, v = p.form.v;
    if (u < 0 || u > 9 || v < 0 || v > 9) {
        return p.weights.size() ? p.weights.data() : nullptr;
    }
    const std::int64_t wanted = p.form.shape == CCD_PATCH_TRIANGLE ? (u + 1) * (u + 2) / 2 : (u + 1) * (v + 1);
    const std::size_t points = static_cast<std::size_t>(wanted);
    if (p.x0.rows("x0") != points || p.x1.rows("x1") != points || (p.weights.size() != 0 && p.weights.size() != points)) {
        throw Error(CCD_E_ARGUMENT, "a patch has as many control points, and weights, as its form asks for (" +
                                        std::to_string(points) + "): x0 has " + std::to_string(p.x0.rows("x0")) +
                                        ", x1 has " + std::to_string(p.x1.rows("x1")) + ", weights has " +
                                        std::to_string(p.weights.size()));
    }
    return p.weights.size() ? p.weights.data() : nullptr;
}

inline std::vector<PatchImpact> listed(ccd_patch_impacts *impacts) {
    std::size_t count = 0;
    detail::check(ccd_patch_impacts_count(impacts, &count));
    std::vector<PatchImpact> out(count);
    detail::check(ccd_patch_impacts_copy(impacts, out.data(), out.size(), &count));
    return out;
}

} // namespace detail_patch

/// Compute the earliest impact of two patches. The verdict CCD_SEPARATE is a proof that there is none.
/// @throws Error as ccd_patch_pair
inline PatchImpact pair(const Patch &a, const Patch &b, const Options &options = {}) {
    PatchImpact out;
    const double *wa = detail_patch::sized(a), *wb = detail_patch::sized(b);
    detail::Guard guard(options);
    guard.check(
        ccd_patch_pair(&a.form, a.x0.data(), a.x1.data(), wa, &b.form, b.x0.data(), b.x1.data(), wb, guard.get(), &out));
    return out;
}

/// Compute the earliest impact between two bodies. The verdict CCD_SEPARATE is a proof that there is none.
/// @throws Error as ccd_patch_earliest
inline PatchImpact earliest(const BodyStep &a, const BodyStep &b, const Options &options = {}) {
    PatchImpact out;
    detail::Guard guard(options);
    guard.check(ccd_patch_earliest(a.body.handle(), a.x0.data(), a.x1.data(), detail::vertices(a.x0, a.x1), b.body.handle(),
                                   b.x0.data(), b.x1.data(), detail::vertices(b.x0, b.x1), guard.get(), &out));
    return out;
}

/// List the impact of every pair of patches that is not separate, in the order (toi_lo, a, b).
/// @throws Error as earliest
inline std::vector<PatchImpact> collisions(const BodyStep &a, const BodyStep &b, const Options &options = {}) {
    detail::Handle<ccd_patch_impacts, ccd_patch_impacts_destroy> impacts;
    detail::Guard guard(options);
    guard.check(ccd_patch_collisions(a.body.handle(), a.x0.data(), a.x1.data(), detail::vertices(a.x0, a.x1),
                                     b.body.handle(), b.x0.data(), b.x1.data(), detail::vertices(b.x0, b.x1), guard.get(),
                                     impacts.out()));
    return detail_patch::listed(impacts.get());
}

/// Sample where two bodies first come into contact. An earliest impact that is undecided is the only one.
/// @param t_window     fraction of the step: impacts that begin at most this much after the earliest count too
/// @param min_distance a length: points of the sample are at least this far from each other
/// @throws Error       as earliest
inline std::vector<PatchImpact> manifold(const BodyStep &a, const BodyStep &b, double t_window, double min_distance,
                                         const Options &options = {}) {
    detail::Handle<ccd_patch_impacts, ccd_patch_impacts_destroy> impacts;
    detail::Guard guard(options);
    guard.check(ccd_patch_manifold(a.body.handle(), a.x0.data(), a.x1.data(), detail::vertices(a.x0, a.x1), b.body.handle(),
                                   b.x0.data(), b.x1.data(), detail::vertices(b.x0, b.x1), t_window, min_distance,
                                   guard.get(), impacts.out()));
    return detail_patch::listed(impacts.get());
}

/// Pairs that a call on a body against itself could not decide: see ccd_patch_unresolved.
using Unresolved = ccd_patch_unresolved;
static_assert(sizeof(Unresolved) == 16, "ccd_patch_unresolved has 16 bytes");

/// The neighbourhood of common points of patches, within which pairs may be tested without min_separation.
struct Neighbourhood {
    double width = 0;                 ///< width in parameters, 2^-20 to 1/2; 0 stands for 1/64
    Unresolved *unresolved = nullptr; ///< receives the unresolved pairs, unless null
};

/// Compute the earliest impact of a body with itself. The verdict CCD_SEPARATE is a proof for all but the unresolved pairs.
/// @throws Error as ccd_patch_self_earliest
inline PatchImpact self_earliest(const BodyStep &f, const Options &options = {}, Neighbourhood near = {}) {
    PatchImpact out;
    detail::Guard guard(options);
    guard.check(ccd_patch_self_earliest(f.body.handle(), f.x0.data(), f.x1.data(), detail::vertices(f.x0, f.x1), near.width,
                                        guard.get(), &out, near.unresolved),
                {{"neighbourhood", "near.width"}});
    return out;
}

/// List the impact of every pair of patches of a body, a <= b, that is not separate, in the order (toi_lo, a, b).
/// @throws Error as self_earliest
inline std::vector<PatchImpact> self_collisions(const BodyStep &f, const Options &options = {}, Neighbourhood near = {}) {
    detail::Handle<ccd_patch_impacts, ccd_patch_impacts_destroy> impacts;
    detail::Guard guard(options);
    guard.check(ccd_patch_self_collisions(f.body.handle(), f.x0.data(), f.x1.data(), detail::vertices(f.x0, f.x1),
                                          near.width, guard.get(), impacts.out(), near.unresolved),
                {{"neighbourhood", "near.width"}});
    return detail_patch::listed(impacts.get());
}

/// Sample where a body first comes into contact with itself, as manifold.
/// @throws Error as self_earliest
inline std::vector<PatchImpact> self_manifold(const BodyStep &f, double t_window, double min_distance,
                                              const Options &options = {}, Neighbourhood near = {}) {
    detail::Handle<ccd_patch_impacts, ccd_patch_impacts_destroy> impacts;
    detail::Guard guard(options);
    guard.check(ccd_patch_self_manifold(f.body.handle(), f.x0.data(), f.x1.data(), detail::vertices(f.x0, f.x1), t_window,
                                        min_distance, near.width, guard.get(), impacts.out(), near.unresolved),
                {{"neighbourhood", "near.width"}});
    return detail_patch::listed(impacts.get());
}

/// Bezier patches of a file, in arrays as PatchBody takes them.
struct Model {
    std::vector<double> points;      ///< x, y, z of each control point
    std::vector<PatchForm> forms;    ///< shape and degrees of each patch
    std::vector<std::int32_t> index; ///< control points of one patch after the other
    std::vector<double> weights;     ///< one for each entry of index; empty: all equal
    double lost;                     ///< a length: bound on the rounding of knot insertion

    /// All patches as one body.
    PatchBody body() const { return PatchBody(points.size() / 3, forms, index, weights); }
};

/// Read curved patches: the Utah teapot's formats, OBJ with free-form curves and surfaces, or JSON with NURBS.
/// @param path   a regular file, in UTF-8
/// @throws Error CCD_E_FILE if the file cannot be opened, or is truncated or malformed
inline Model read(const std::string &path) {
    detail::Handle<ccd_patch_model, ccd_patch_model_destroy> file;
    detail::check(ccd_patch_model_read(path.c_str(), file.out()));
    std::size_t points = 0, patches = 0, index = 0, weights = 0;
    double lost = 0;
    detail::check(ccd_patch_model_counts(file.get(), &points, &patches, &index, &weights, &lost));
    Model m{std::vector<double>(3 * points), std::vector<PatchForm>(patches), std::vector<std::int32_t>(index),
            std::vector<double>(weights), lost};
    detail::check(ccd_patch_model_copy(file.get(), m.points.data(), m.forms.data(), m.index.data(), m.weights.data()));
    return m;
}

} // namespace patch

} // namespace ccd

#endif // LIBCCD_TOI_PATCH_HPP
