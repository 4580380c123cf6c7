// query.hpp - what the drop-in headers share: points of theirs become a query of ours.
#ifndef LIBCCD_TOI_COMPAT_QUERY_HPP
#define LIBCCD_TOI_COMPAT_QUERY_HPP

#include <ccd/ccd.hpp>

#include <array>
#include <cstddef>

namespace ccd::compat {

/// The coordinates of the points in the order given, as the calls of ccd.h want them: all points at t=0, then all at t=1. A
/// point of two coordinates lies in the plane z = 0.
template <class... Points> std::array<double, 3 * sizeof...(Points)> query(const Points &...points) {
    std::array<double, 3 * sizeof...(Points)> q;
    double *at = q.data();
    const auto put = [&at](const auto &p) {
        *at++ = p[0];
        *at++ = p[1];
        *at++ = p.size() > 2 ? p[2] : 0;
    };
    (put(points), ...);
    return q;
}

/// The default options with what the other libraries' interfaces let one choose.
inline Options options(double min_separation, double t_max = 1, std::uint32_t flags = 0, ccd_norm norm = CCD_NORM_MAX) {
    Options o;
    o.min_separation = min_separation;
    o.t_max = t_max;
    o.flags = flags;
    o.norm = norm;
    return o;
}

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_QUERY_HPP
