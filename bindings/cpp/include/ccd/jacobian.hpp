// jacobian.hpp - contact Jacobians: constraints as the matrices of a solver. Part of ccd.hpp.
#ifndef LIBCCD_TOI_JACOBIAN_HPP
#define LIBCCD_TOI_JACOBIAN_HPP

#include <ccd/common.hpp>

#if CCD_HAS_EIGEN
#include <Eigen/SparseCore>
#endif

namespace ccd {

namespace step {

/// What the rows of a contact Jacobian measure. The value is the number of rows of a constraint.
enum class Frame : std::int32_t {
    normal = CCD_FRAME_NORMAL,   ///< along the normal
    contact = CCD_FRAME_CONTACT, ///< along the normal and both tangents
};

/// A sparse matrix in compressed rows: row i has values[k] at columns[k] for row_starts[i] <= k < row_starts[i + 1]. Columns ascend.
struct Jacobian {
    std::size_t rows = 0;                 ///< number of rows
    std::size_t cols = 0;                 ///< number of columns, 3 for each vertex
    std::vector<std::int32_t> row_starts; ///< rows + 1 numbers
    std::vector<std::int32_t> columns;    ///< column of each entry
    std::vector<double> values;           ///< value of each entry

#if CCD_HAS_EIGEN
    /// The matrix for Eigen, without a copy: this object must outlive the map.
    Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>> matrix() const {
        return {static_cast<Eigen::Index>(rows),
                static_cast<Eigen::Index>(cols),
                static_cast<Eigen::Index>(values.size()),
                row_starts.data(),
                columns.data(),
                values.data()};
    }
#endif
};

/// Compute the contact Jacobian J of constraints: J x is the distance of their points along the normal (and tangents), J^T l the
/// impulse on the vertices of impulses l along them.
/// @param constraints of activeset, or of your own: vertices, weights and impact.normal are read
/// @param n           number of vertices
/// @param frame       one row for each constraint, or three
/// @throws Error      as ccd_step_jacobian
inline Jacobian jacobian(View<Constraint> constraints, std::size_t n, Frame frame = Frame::normal) {
    Jacobian out;
    out.rows = constraints.size() * static_cast<std::size_t>(frame);
    out.cols = 3 * n;
    out.row_starts.resize(out.rows + 1);
    out.columns.resize(12 * out.rows);
    out.values.resize(12 * out.rows);
    detail::check(ccd_step_jacobian(constraints.data(), constraints.size(), n, static_cast<ccd_frame>(frame),
                                    out.row_starts.data(), out.columns.data(), out.values.data()));
    out.columns.resize(static_cast<std::size_t>(out.row_starts.back()));
    out.values.resize(out.columns.size());
    return out;
}

/// Compute two tangents for each normal, with which it is a right-handed orthonormal frame. [Duff2017]
/// @param normals n x 3: directions of any length but 0
/// @return        n x 6 numbers: for each normal the first tangent and the second
/// @throws Error  as ccd_step_tangents
inline std::vector<double> tangents(const Points &normals) {
    std::vector<double> out(6 * normals.rows("normals"));
    detail::check(ccd_step_tangents(normals.data(), normals.rows("normals"), out.data()));
    return out;
}

/// Compute the effective mass of each constraint, 1 / (J M^-1 J^T) on the diagonal; 0 where no impulse moves the points.
/// @param inverse_mass of each vertex; 0 for one that nothing moves
/// @throws Error       as ccd_step_effective_mass
inline std::vector<double> effective_mass(View<Constraint> constraints, View<double> inverse_mass) {
    std::vector<double> out(constraints.size());
    detail::check(ccd_step_effective_mass(constraints.data(), constraints.size(), inverse_mass.data(), inverse_mass.size(),
                                          out.data()));
    return out;
}

/// Colors of constraints.
struct Colors {
    std::vector<std::int32_t> colors; ///< the color of each constraint, from 0
    std::size_t count = 0;            ///< number of colors
};

/// Give each constraint a color, so that no two of a color share a vertex that moves: a Gauss-Seidel solver may treat them in
/// parallel.
/// @param n            number of vertices
/// @param inverse_mass of each vertex, which moves if it is positive; none: all vertices move
/// @throws Error       as ccd_step_colors
inline Colors colors(View<Constraint> constraints, std::size_t n, View<double> inverse_mass = {}) {
    if (inverse_mass.size() != 0 && inverse_mass.size() != n) {
        throw Error(CCD_E_ARGUMENT, "inverse_mass has " + std::to_string(inverse_mass.size()) + " numbers: there are " +
                                        std::to_string(n) + " vertices");
    }
    Colors out{std::vector<std::int32_t>(constraints.size()), 0};
    detail::check(ccd_step_colors(constraints.data(), constraints.size(), n,
                                  inverse_mass.size() == 0 ? nullptr : inverse_mass.data(), out.colors.data(), &out.count));
    return out;
}

} // namespace step

} // namespace ccd

#endif // LIBCCD_TOI_JACOBIAN_HPP
