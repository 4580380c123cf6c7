// pose.hpp - poses of rigid bodies, and 4x4 matrices. Part of ccd.hpp.
#ifndef LIBCCD_TOI_POSE_HPP
#define LIBCCD_TOI_POSE_HPP

#include <ccd/common.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace ccd {
namespace rigid {

/// A pose: the body's point p is at position + R(rotation) p. The body's own coordinates until its members are set.
struct Pose {
    std::array<double, 4> rotation{{1, 0, 0, 0}}; ///< a quaternion w, x, y, z
    std::array<double, 3> position{{0, 0, 0}};    ///< position in world coordinates
};

/// The rows of a 4x4 matrix.
using Rows = std::array<std::array<double, 4>, 4>;

/// Make a pose of the rows of a 4x4 matrix. The quaternion is computed from its largest component.
/// @param m       a rotation within 1e-6 (entries of R^T R), the position in the last column, and 0, 0, 0, 1 in the last row
/// @throws Error  CCD_E_ARGUMENT: the matrix is transposed, scales or mirrors; CCD_E_NONFINITE
inline Pose pose_from_matrix(const Rows &m) {
    if (m[3] != std::array<double, 4>{{0, 0, 0, 1}}) {
        throw Error(CCD_E_ARGUMENT, "m: the last row is not 0, 0, 0, 1; the position is the last column");
    }
    for (std::size_t i = 0; i < 3; i++) {
        for (std::size_t j = 0; j < 4; j++) {
            if (!(std::abs(m[i][j]) <= 1e60)) {
                throw Error(CCD_E_NONFINITE, "m[" + std::to_string(i) + "][" + std::to_string(j) + "] is " +
                                                 detail::shown(m[i][j]) + ": not finite or above 1e60 in magnitude");
            }
        }
    }
    double off = 0;
    bool rotation = true;
    for (std::size_t i = 0; i < 3; i++) {
        for (std::size_t j = 0; j < 3; j++) {
            const double product = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            const double error = std::abs(product - (i == j ? 1 : 0));
            rotation = rotation && error <= 1e-6; // a rotation in single precision is off by 2e-7
            off = error > off ? error : off;
        }
    }
    if (!rotation) {
        throw Error(CCD_E_ARGUMENT,
                    "m: no rotation, R^T R is off the identity by " + detail::shown(off) + "; scale the vertices");
    }
    const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (determinant < 0) {
        throw Error(CCD_E_ARGUMENT, "m: no rotation, the determinant is -1; mirror the vertices");
    }
    // Four times the outer product of the quaternion with itself; its largest row has the least rounding.
    const double trace = m[0][0] + m[1][1] + m[2][2];
    Rows outer{};
    outer[0] = {{1 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]}};
    for (std::size_t i = 0; i < 3; i++) {
        outer[i + 1][0] = outer[0][i + 1];
        for (std::size_t j = 0; j < 3; j++) {
            outer[i + 1][j + 1] = i == j ? 1 + 2 * m[i][i] - trace : m[i][j] + m[j][i];
        }
    }
    std::size_t largest = 0;
    for (std::size_t i = 1; i < 4; i++) {
        largest = outer[i][i] > outer[largest][largest] ? i : largest;
    }
    const std::array<double, 4> &q = outer[largest];
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    Pose out;
    for (std::size_t i = 0; i < 4; i++) {
        out.rotation[i] = q[i] / length;
    }
    out.position = {{m[0][3], m[1][3], m[2][3]}};
    return out;
}

/// Make a pose of a matrix whose entry in row i and column j is m(i, j), as of Eigen's Matrix4d and Isometry3d.
/// @throws Error as pose_from_matrix of rows
template <class Matrix> auto pose_from_matrix(const Matrix &m) -> decltype(static_cast<double>(m(0, 0)), Pose()) {
    Rows rows{};
    for (std::size_t i = 0; i < 4; i++) {
        for (std::size_t j = 0; j < 4; j++) {
            rows[i][j] = static_cast<double>(m(static_cast<int>(i), static_cast<int>(j)));
        }
    }
    return pose_from_matrix(rows);
}

/// The rows of the 4x4 matrix of a pose, for any quaternion but 0.
inline Rows matrix(const Pose &pose) {
    const double length = std::sqrt(pose.rotation[0] * pose.rotation[0] + pose.rotation[1] * pose.rotation[1] +
                                    pose.rotation[2] * pose.rotation[2] + pose.rotation[3] * pose.rotation[3]);
    const double w = pose.rotation[0] / length, x = pose.rotation[1] / length;
    const double y = pose.rotation[2] / length, z = pose.rotation[3] / length;
    return {{{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), pose.position[0]}},
             {{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), pose.position[1]}},
             {{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pose.position[2]}},
             {{0, 0, 0, 1}}}};
}

} // namespace rigid
} // namespace ccd

#endif
