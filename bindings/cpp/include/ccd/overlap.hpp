// overlap.hpp - volumes that solids have in common, and depths of points. Part of ccd.hpp.
#ifndef LIBCCD_TOI_OVERLAP_HPP
#define LIBCCD_TOI_OVERLAP_HPP

#include <ccd/mesh.hpp>

#include <utility>

namespace ccd {

/// How far closed surfaces are in each other: the volume that two solids have in common, and how deep points are in a solid.
namespace overlap {

/// Compute the volume that the faces of a mesh enclose, which is between both numbers: negative where they are wound inwards.
/// @param x      vertices, n x 3
/// @throws Error as ccd_overlap_solid: CCD_E_ARGUMENT also where the faces are not closed
inline std::pair<double, double> solid(const Mesh &mesh, const Points &x, const Options &options = {}) {
    std::pair<double, double> out;
    detail::Guard guard(options);
    guard.check(ccd_overlap_solid(mesh.handle(), x.data(), x.rows("x"), guard.get(), &out.first, &out.second));
    return out;
}

/// Compute the volume that the solids of two meshes have in common. Options::tolerance is the relative width of the bracket; 0 is 1e-6.
/// @param xa     vertices of the first mesh, n x 3
/// @param xb     those of the second one
/// @param shells CCD_SHELLS_REFUSE or CCD_SHELLS_COUNT
/// @throws Error as ccd_overlap_volume
inline Overlap volume(const Mesh &a, const Points &xa, const Mesh &b, const Points &xb,
                      ccd_shells shells = CCD_SHELLS_REFUSE, const Options &options = {}) {
    Overlap out;
    detail::Guard guard(options);
    guard.check(ccd_overlap_volume(a.handle(), xa.data(), xa.rows("xa"), b.handle(), xb.data(), xb.rows("xb"), shells,
                                   guard.get(), &out));
    return out;
}

/// Compute where points lie to the faces of a mesh: how deep in their solid, and by which way out.
/// @param points k x 3
/// @throws Error as ccd_overlap_depths
inline std::vector<Depth> depths(const Mesh &mesh, const Points &x, const Points &points, const Options &options = {}) {
    std::vector<Depth> out(points.rows("points"));
    detail::Guard guard(options);
    guard.check(ccd_overlap_depths(mesh.handle(), x.data(), x.rows("x"), points.data(), points.rows("points"), guard.get(),
                                   out.data()));
    return out;
}

} // namespace overlap

} // namespace ccd

#endif // LIBCCD_TOI_OVERLAP_HPP
