// aabb.hpp - the boxes of Scalable CCD's broad phase on the CPU ([Belgrod2023]).
//
// Names, argument order, defaults and meaning are the original's. What differs: boxes are always doubles, as with
// SCALABLE_CCD_USE_DOUBLE there (its default is float); inflation rounds outward in the sum as well, and a radius of 0 leaves the
// box as it is, since nothing is rounded.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_AABB_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_AABB_HPP

#include <scalable_ccd/scalar.hpp>

#include <Eigen/Core>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace scalable_ccd {
inline namespace ccd_toi { // scalar.hpp says why

using ArrayMax3 = Eigen::Array<Scalar, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1>;

/// An axis-aligned box of two or three dimensions.
class AABB {
public:
    AABB() = default;

    AABB(const ArrayMax3 &_min, const ArrayMax3 &_max) : min(_min), max(_max) {}

    AABB(const AABB &aabb1, const AABB &aabb2) : AABB(aabb1.min.min(aabb2.min), aabb1.max.max(aabb2.max)) {}

    AABB(const AABB &aabb1, const AABB &aabb2, const AABB &aabb3)
        : AABB(aabb1.min.min(aabb2.min).min(aabb3.min), aabb1.max.max(aabb2.max).max(aabb3.max)) {}

    /// The box of a point with a sphere of the radius around it.
    static AABB from_point(const ArrayMax3 &p, const double inflation_radius = 0) {
        ArrayMax3 min = p, max = p;
        conservative_inflation(min, max, inflation_radius);
        return AABB(min, max);
    }

    /// The box of a point that moves in a straight line, with a capsule of the radius around it.
    static AABB from_point(const ArrayMax3 &p_t0, const ArrayMax3 &p_t1, const double inflation_radius = 0) {
        return AABB(from_point(p_t0, inflation_radius), from_point(p_t1, inflation_radius));
    }

    bool intersects(const AABB &other) const { return (min <= other.max).all() && (other.min <= max).all(); }

    static void conservative_inflation(ArrayMax3 &min, ArrayMax3 &max, const double inflation_radius) {
        if (inflation_radius == 0) {
            return;
        }
        // The true sum lies within half a step of the rounded one.
        const double infinity = std::numeric_limits<double>::infinity();
        for (Eigen::Index k = 0; k < min.size(); k++) {
            min[k] = std::nextafter(min[k] - inflation_radius, -infinity);
            max[k] = std::nextafter(max[k] + inflation_radius, infinity);
        }
    }

    ArrayMax3 min;                                   // least corner
    ArrayMax3 max;                                   // greatest corner
    std::array<long, 3> vertex_ids = {{-1, -1, -1}}; // its vertices; what is not there has a negative id of its own
    long element_id = -1;                            // its row in the matrix it was built from
};

/// One box for each vertex (row).
inline void build_vertex_boxes(const Eigen::MatrixXd &vertices, std::vector<AABB> &vertex_boxes,
                               const double inflation_radius = 0) {
    vertex_boxes.resize(static_cast<std::size_t>(vertices.rows()));
    for (long i = 0; i < vertices.rows(); i++) {
        AABB &box = vertex_boxes[static_cast<std::size_t>(i)];
        box = AABB::from_point(vertices.row(i).transpose().array(), inflation_radius);
        box.vertex_ids = {{i, -i - 1, -i - 1}};
        box.element_id = i;
    }
}

/// One box for each vertex (row) that moves from vertices_t0 to vertices_t1.
inline void build_vertex_boxes(const Eigen::MatrixXd &vertices_t0, const Eigen::MatrixXd &vertices_t1,
                               std::vector<AABB> &vertex_boxes, const double inflation_radius = 0) {
    vertex_boxes.resize(static_cast<std::size_t>(vertices_t0.rows()));
    for (long i = 0; i < vertices_t0.rows(); i++) {
        AABB &box = vertex_boxes[static_cast<std::size_t>(i)];
        box = AABB::from_point(vertices_t0.row(i).transpose().array(), vertices_t1.row(i).transpose().array(),
                               inflation_radius);
        box.vertex_ids = {{i, -i - 1, -i - 1}};
        box.element_id = i;
    }
}

/// One box for each edge (row), from those of its vertices.
inline void build_edge_boxes(const std::vector<AABB> &vertex_boxes, const Eigen::MatrixXi &edges,
                             std::vector<AABB> &edge_boxes) {
    edge_boxes.resize(static_cast<std::size_t>(edges.rows()));
    for (long i = 0; i < edges.rows(); i++) {
        const long a = edges(i, 0), b = edges(i, 1);
        AABB &box = edge_boxes[static_cast<std::size_t>(i)];
        box = AABB(vertex_boxes[static_cast<std::size_t>(a)], vertex_boxes[static_cast<std::size_t>(b)]);
        box.vertex_ids = {{a, b, -a - 1}};
        box.element_id = i;
    }
}

/// One box for each face (row), from those of its vertices.
inline void build_face_boxes(const std::vector<AABB> &vertex_boxes, const Eigen::MatrixXi &faces,
                             std::vector<AABB> &face_boxes) {
    face_boxes.resize(static_cast<std::size_t>(faces.rows()));
    for (long i = 0; i < faces.rows(); i++) {
        const long a = faces(i, 0), b = faces(i, 1), c = faces(i, 2);
        AABB &box = face_boxes[static_cast<std::size_t>(i)];
        box = AABB(vertex_boxes[static_cast<std::size_t>(a)], vertex_boxes[static_cast<std::size_t>(b)],
                   vertex_boxes[static_cast<std::size_t>(c)]);
        box.vertex_ids = {{a, b, c}};
        box.element_id = i;
    }
}

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_AABB_HPP
