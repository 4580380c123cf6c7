// distance.hpp - distances of primitives at rest, in floating point: good to some roundings, no proof.
#ifndef LIBCCD_TOI_COMPAT_DISTANCE_HPP
#define LIBCCD_TOI_COMPAT_DISTANCE_HPP

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <algorithm>

namespace ccd::compat {

/// The squared distance of a point and a segment, which may be a point.
inline double point_segment(const Eigen::Vector3d &p, const Eigen::Vector3d &a, const Eigen::Vector3d &b) {
    const Eigen::Vector3d ab = b - a, ap = p - a;
    const double length = ab.squaredNorm();
    const double t = length > 0 ? std::clamp(ap.dot(ab) / length, 0.0, 1.0) : 0;
    return (ap - t * ab).squaredNorm();
}

/// The squared distance of a point and a triangle: the least of its edges, and of its plane where the point projects into it.
inline double point_triangle(const Eigen::Vector3d &p, const Eigen::Vector3d &a, const Eigen::Vector3d &b,
                             const Eigen::Vector3d &c) {
    const double border = std::min({point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)});
    const Eigen::Vector3d ab = b - a, ac = c - a, ap = p - a, n = ab.cross(ac);
    const double area = n.squaredNorm(), u = ap.cross(ac).dot(n), v = ab.cross(ap).dot(n);
    if (!(area > 0) || u < 0 || v < 0 || u + v > area) {
        return border;
    }
    const double height = ap.dot(n);
    return std::min(border, height * height / area);
}

/// The squared distance of two segments: the least of their ends, and of their lines where the nearest points lie inside both.
inline double segment_segment(const Eigen::Vector3d &a0, const Eigen::Vector3d &a1, const Eigen::Vector3d &b0,
                              const Eigen::Vector3d &b1) {
    const double ends = std::min(
        {point_segment(a0, b0, b1), point_segment(a1, b0, b1), point_segment(b0, a0, a1), point_segment(b1, a0, a1)});
    const Eigen::Vector3d d = a1 - a0, e = b1 - b0, r = a0 - b0;
    const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
    const double det = dd * ee - de * de;
    if (!(det > 0)) {
        return ends;
    }
    const double s = (de * er - dr * ee) / det, t = (dd * er - de * dr) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) {
        return ends;
    }
    return std::min(ends, (r + s * d - t * e).squaredNorm());
}

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_DISTANCE_HPP
