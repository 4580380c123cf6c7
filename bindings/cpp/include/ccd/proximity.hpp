// proximity.hpp - static intersection and distance queries. Part of ccd.hpp.
#ifndef LIBCCD_TOI_PROXIMITY_HPP
#define LIBCCD_TOI_PROXIMITY_HPP

#include <ccd/mesh.hpp>

namespace ccd {

/// Static intersection and distance queries. The mesh's filters apply; distances are Euclidean.
namespace proximity {

/// List every pair of primitives that shares a point, exactly: edge-face pairs first, then by (kind, a, b).
/// @param x      vertices, n x 3
/// @throws Error as ccd_proximity_intersections
inline std::vector<Intersection> intersections(const Mesh &mesh, const Points &x, const Options &options = {}) {
    detail::Handle<ccd_intersections, ccd_intersections_destroy> found;
    detail::Guard guard(options);
    guard.check(ccd_proximity_intersections(mesh.handle(), x.data(), x.rows("x"), guard.get(), found.out()));
    std::size_t count = 0;
    detail::check(ccd_intersections_count(found.get(), &count));
    std::vector<Intersection> out(count);
    detail::check(ccd_intersections_copy(found.get(), out.data(), out.size(), &count));
    return out;
}

/// Report whether there is any intersection; stop at the first.
/// @throws Error as intersections
inline bool intersects(const Mesh &mesh, const Points &x, const Options &options = {}) {
    std::int32_t out = 1;
    detail::Guard guard(options);
    guard.check(ccd_proximity_intersects(mesh.handle(), x.data(), x.rows("x"), guard.get(), &out));
    return out != 0;
}

/// List which objects of a mesh, its connected components, cross or touch, sorted by (a, b): empty if and only if nothing intersects.
/// @throws Error as intersections
inline std::vector<Crossing> crossings(const Mesh &mesh, const Points &x, const Options &options = {}) {
    detail::Handle<ccd_crossings, ccd_crossings_destroy> found;
    detail::Guard guard(options);
    guard.check(ccd_proximity_crossings(mesh.handle(), x.data(), x.rows("x"), guard.get(), found.out()));
    std::size_t count = 0;
    detail::check(ccd_crossings_count(found.get(), &count));
    std::vector<Crossing> out(count);
    detail::check(ccd_crossings_copy(found.get(), out.data(), out.size(), &count));
    return out;
}

/// Find positions near x at which nothing intersects: a helper, which may fail; `clean` of the result says whether the exact check found
/// nothing at y.
/// @param y      written: n x 3 doubles; the best positions that were found where `clean` is 0
/// @param masses empty (all alike), or n values above 0; infinity for a vertex that stays
/// @param rounds the most rounds of moves, 0 for 200
/// @throws Error as ccd_proximity_untangle
inline Untangled untangle(const Mesh &mesh, const Points &x, std::vector<double> &y, View<double> masses = {},
                          std::int32_t rounds = 0, const Options &options = {}) {
    if (masses.size() != 0) {
        detail::same_size("x", x.rows("x"), "masses", masses.size(), "numbers");
    }
    Untangled out;
    std::vector<double> found(3 * x.rows("x"));
    detail::Guard guard(options);
    guard.check(ccd_proximity_untangle(mesh.handle(), x.data(), x.rows("x"), masses.size() != 0 ? masses.data() : nullptr,
                                       rounds, guard.get(), found.data(), &out));
    y = std::move(found);
    return out;
}

/// List every pair of a step within the distance d, with its distance, sorted by (kind, a, b). Edges through faces are not listed: see
/// intersections.
/// @param d      a length in [0, 1e150]
/// @throws Error as intersections
inline std::vector<NearPair> near(const Mesh &mesh, const Points &x, double d, const Options &options = {}) {
    detail::Handle<ccd_near_pairs, ccd_near_pairs_destroy> found;
    detail::Guard guard(options);
    guard.check(ccd_proximity_near(mesh.handle(), x.data(), x.rows("x"), d, guard.get(), found.out()));
    std::size_t count = 0;
    detail::check(ccd_near_pairs_count(found.get(), &count));
    std::vector<NearPair> out(count);
    detail::check(ccd_near_pairs_copy(found.get(), out.data(), out.size(), &count));
    return out;
}

/// Compute the smallest distance of all pairs, which is in [distance_lo, distance_hi]. It is 0, of kind edge_face, where an edge passes
/// through a face.
/// @return       the pair that has it; kind 0 and +Inf if there is no pair
/// @throws Error as intersections
inline NearPair distance(const Mesh &mesh, const Points &x, const Options &options = {}) {
    NearPair out;
    detail::Guard guard(options);
    guard.check(ccd_proximity_distance(mesh.handle(), x.data(), x.rows("x"), guard.get(), &out));
    return out;
}

/// Compute the winding numbers of the faces of a mesh around points, exactly: how often they enclose each, or CCD_ON_SURFACE.
/// @param points k x 3
/// @throws Error as ccd_proximity_winding: CCD_E_ARGUMENT also where the faces are not closed
inline std::vector<std::int32_t> winding(const Mesh &mesh, const Points &x, const Points &points,
                                         const Options &options = {}) {
    std::vector<std::int32_t> out(points.rows("points"));
    detail::Guard guard(options);
    guard.check(ccd_proximity_winding(mesh.handle(), x.data(), x.rows("x"), points.data(), points.rows("points"),
                                      guard.get(), out.data()));
    return out;
}

/// List the connected components of a mesh that are inside closed others and do not touch them, sorted by (inner, outer).
/// @throws Error as ccd_proximity_nested
inline std::vector<NestedPair> nested(const Mesh &mesh, const Points &x, const Options &options = {}) {
    detail::Handle<ccd_nested_pairs, ccd_nested_pairs_destroy> found;
    detail::Guard guard(options);
    guard.check(ccd_proximity_nested(mesh.handle(), x.data(), x.rows("x"), guard.get(), found.out()));
    std::size_t count = 0;
    detail::check(ccd_nested_pairs_count(found.get(), &count));
    std::vector<NestedPair> out(count);
    detail::check(ccd_nested_pairs_copy(found.get(), out.data(), out.size(), &count));
    return out;
}

} // namespace proximity

} // namespace ccd

#endif // LIBCCD_TOI_PROXIMITY_HPP
