// interval_root_finder.hpp - the searches of Tight Inclusion, which here are the exact queries of ccd.hpp.
//
// What differs: tol, err and max_itr change nothing, for the answer has no tolerance; a depth-first search looks at all of [0, 1], as
// there. A query that starts within ms gives true and toi = 0, and toi is infinite without a collision.
//
// Release 1.0.0 has a header of this name too, for the namespace inclusion_ccd: its names are at the end.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP

#include <tight_inclusion/ccd.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace ticcd {
inline namespace ccd_toi {

/// A query of the vertices in the order of vertexFaceCCD or edgeEdgeCCD.
template <bool is_vertex_face>
bool interval_root_finder_BFS(const Vector3 &a_t0, const Vector3 &b_t0, const Vector3 &c_t0, const Vector3 &d_t0,
                              const Vector3 &a_t1, const Vector3 &b_t1, const Vector3 &c_t1, const Vector3 &d_t1,
                              const Array3 & /*tol*/, const Scalar co_domain_tolerance, const Array3 &err, const Scalar ms,
                              const Scalar max_time, const long max_itr, Scalar &toi, Scalar &output_tolerance) {
    constexpr auto query = is_vertex_face ? vertexFaceCCD : edgeEdgeCCD;
    return query(a_t0, b_t0, c_t0, d_t0, a_t1, b_t1, c_t1, d_t1, err, ms, toi, co_domain_tolerance, max_time, max_itr,
                 output_tolerance, DEFAULT_NO_ZERO_TOI, CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
}

/// The same over [0, 1].
template <bool is_vertex_face>
bool interval_root_finder_DFS(const Vector3 &a_t0, const Vector3 &b_t0, const Vector3 &c_t0, const Vector3 &d_t0,
                              const Vector3 &a_t1, const Vector3 &b_t1, const Vector3 &c_t1, const Vector3 &d_t1,
                              const Array3 &tol, const Array3 &err, const Scalar ms, Scalar &toi) {
    Scalar reached;
    return interval_root_finder_BFS<is_vertex_face>(a_t0, b_t0, c_t0, d_t0, a_t1, b_t1, c_t1, d_t1, tol,
                                                    DEFAULT_CCD_DISTANCE_TOL, err, ms, 1, -1, toi, reached);
}

inline bool edge_edge_interval_root_finder_DFS(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0,
                                               const Vector3 &eb1_t0, const Vector3 &ea0_t1, const Vector3 &ea1_t1,
                                               const Vector3 &eb0_t1, const Vector3 &eb1_t1, const Array3 &tol,
                                               const Array3 &err, const Scalar ms, Scalar &toi) {
    return interval_root_finder_DFS<false>(ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1, tol, err, ms,
                                           toi);
}

inline bool vertex_face_interval_root_finder_DFS(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0,
                                                 const Vector3 &f2_t0, const Vector3 &v_t1, const Vector3 &f0_t1,
                                                 const Vector3 &f1_t1, const Vector3 &f2_t1, const Array3 &tol,
                                                 const Array3 &err, const Scalar ms, Scalar &toi) {
    return interval_root_finder_DFS<true>(v_t0, f0_t0, f1_t0, f2_t0, v_t1, f0_t1, f1_t1, f2_t1, tol, err, ms, toi);
}

inline bool edge_edge_interval_root_finder_BFS(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0,
                                               const Vector3 &eb1_t0, const Vector3 &ea0_t1, const Vector3 &ea1_t1,
                                               const Vector3 &eb0_t1, const Vector3 &eb1_t1, const Array3 &tol,
                                               const Scalar co_domain_tolerance, const Array3 &err, const Scalar ms,
                                               const Scalar max_time, const long max_itr, Scalar &toi,
                                               Scalar &output_tolerance) {
    return interval_root_finder_BFS<false>(ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1, tol,
                                           co_domain_tolerance, err, ms, max_time, max_itr, toi, output_tolerance);
}

inline bool vertex_face_interval_root_finder_BFS(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0,
                                                 const Vector3 &f2_t0, const Vector3 &v_t1, const Vector3 &f0_t1,
                                                 const Vector3 &f1_t1, const Vector3 &f2_t1, const Array3 &tol,
                                                 const Scalar co_domain_tolerance, const Array3 &err, const Scalar ms,
                                                 const Scalar max_time, const long max_itr, Scalar &toi,
                                                 Scalar &output_tolerance) {
    return interval_root_finder_BFS<true>(v_t0, f0_t0, f1_t0, f2_t0, v_t1, f0_t1, f1_t1, f2_t1, tol, co_domain_tolerance,
                                          err, ms, max_time, max_itr, toi, output_tolerance);
}

namespace detail {

/// The coordinate dim of a point that moves, at the time t.
template <class Number> Number at(const NumCCD &t, const int dim, const Vector3 &start, const Vector3 &end) {
    return (Number(end[dim]) - Number(start[dim])) * Number(t.value()) + Number(start[dim]);
}

} // namespace detail

/// One coordinate of the difference of two edges' points at (t, u, v), rounded as Number rounds.
template <typename Number>
Number function_f_ee(const NumCCD &tpara, const NumCCD &upara, const NumCCD &vpara, const int dim, const Vector3 &ea0_t0,
                     const Vector3 &ea1_t0, const Vector3 &eb0_t0, const Vector3 &eb1_t0, const Vector3 &ea0_t1,
                     const Vector3 &ea1_t1, const Vector3 &eb0_t1, const Vector3 &eb1_t1) {
    const Number a0 = detail::at<Number>(tpara, dim, ea0_t0, ea0_t1), a1 = detail::at<Number>(tpara, dim, ea1_t0, ea1_t1);
    const Number b0 = detail::at<Number>(tpara, dim, eb0_t0, eb0_t1), b1 = detail::at<Number>(tpara, dim, eb1_t0, eb1_t1);
    return ((a1 - a0) * Number(upara.value()) + a0) - ((b1 - b0) * Number(vpara.value()) + b0);
}

/// One coordinate of the difference of a vertex and a face's point at (t, u, v), rounded as Number rounds.
template <typename Number>
Number function_f_vf(const NumCCD &tpara, const NumCCD &upara, const NumCCD &vpara, const int dim, const Vector3 &v_t0,
                     const Vector3 &f0_t0, const Vector3 &f1_t0, const Vector3 &f2_t0, const Vector3 &v_t1,
                     const Vector3 &f0_t1, const Vector3 &f1_t1, const Vector3 &f2_t1) {
    const Number v = detail::at<Number>(tpara, dim, v_t0, v_t1), f0 = detail::at<Number>(tpara, dim, f0_t0, f0_t1);
    const Number f1 = detail::at<Number>(tpara, dim, f1_t0, f1_t1), f2 = detail::at<Number>(tpara, dim, f2_t0, f2_t1);
    return v - ((f1 - f0) * Number(upara.value()) + (f2 - f0) * Number(vpara.value()) + f0);
}

/// The original prints what its parts took, where it was built to measure them. Here nothing is printed.
inline void print_times() {}

/// The error of evaluating F on each axis for a scene whose bounding box has these vertices ([Wang2021], eq. 8). The original
/// caps the coordinates at 1 where the paper raises them to 1 and so gives no bound above 1; this one does.
inline Array3 get_numerical_error(const std::vector<Vector3> &vertices, const bool is_vertex_face,
                                  const bool using_minimum_separation) {
    // The paper's constants, in units of 2^-53: 60 and 68 for vertex-face, 56 and 64 for edge-edge.
    const double units = (is_vertex_face ? 60 : 56) + (using_minimum_separation ? 8 : 0);
    Array3 gamma = Array3::Ones();
    for (const Vector3 &v : vertices) {
        gamma = gamma.max(v.array().abs());
    }
    const double u = std::numeric_limits<double>::epsilon() / 2;
    return units * u * gamma * gamma * gamma * (1 + 8 * u); // the four products err by less than 8u
}

} // namespace ccd_toi
} // namespace ticcd

namespace inclusion_ccd {
inline namespace ccd_toi {

/// VectorMax3d of release 1.0.0, which is global in eigen_ext.hpp.
using Tolerances = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1>;

/// A query of the vertices in the order of vertexFaceCCD_double, or of edgeEdgeCCD_double where check_vf is false.
inline bool interval_root_finder_double_horizontal_tree(const Tolerances & /*tol*/, const double co_domain_tolerance,
                                                        double &toi, const bool check_vf, const std::array<double, 3> err,
                                                        const double ms, const Eigen::Vector3d &a0s,
                                                        const Eigen::Vector3d &a1s, const Eigen::Vector3d &b0s,
                                                        const Eigen::Vector3d &b1s, const Eigen::Vector3d &a0e,
                                                        const Eigen::Vector3d &a1e, const Eigen::Vector3d &b0e,
                                                        const Eigen::Vector3d &b1e, const double max_time,
                                                        const int max_itr, double &output_tolerance) {
    const auto query = check_vf ? ticcd::vertexFaceCCD : ticcd::edgeEdgeCCD;
    return query(a0s, a1s, b0s, b1s, a0e, a1e, b0e, b1e, ticcd::Array3(err[0], err[1], err[2]), ms, toi,
                 co_domain_tolerance, max_time, max_itr, output_tolerance, ticcd::DEFAULT_NO_ZERO_TOI,
                 ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
}

/// The same over [0, 1].
inline bool interval_root_finder_double_normalCCD(const Tolerances &tol, double &toi, const bool check_vf,
                                                  const std::array<double, 3> err, const double ms,
                                                  const Eigen::Vector3d &a0s, const Eigen::Vector3d &a1s,
                                                  const Eigen::Vector3d &b0s, const Eigen::Vector3d &b1s,
                                                  const Eigen::Vector3d &a0e, const Eigen::Vector3d &a1e,
                                                  const Eigen::Vector3d &b0e, const Eigen::Vector3d &b1e) {
    double reached;
    return interval_root_finder_double_horizontal_tree(tol, ticcd::DEFAULT_CCD_DISTANCE_TOL, toi, check_vf, err, ms, a0s,
                                                       a1s, b0s, b1s, a0e, a1e, b0e, b1e, 1, -1, reached);
}

/// The error of evaluating F on each axis: ticcd::get_numerical_error.
inline std::array<double, 3> get_numerical_error(const std::vector<Eigen::Vector3d> &vertices, const bool &check_vf,
                                                 const bool using_minimum_separation) {
    const Eigen::Array3d e = ticcd::get_numerical_error(vertices, check_vf, using_minimum_separation);
    return {{e[0], e[1], e[2]}};
}

/// These print what parts of the original took, where it was built to measure them. Here nothing is measured.
inline void print_time_2() {}
inline double print_time_rational() { return 0; }
inline int print_refine() { return 0; }

} // namespace ccd_toi
} // namespace inclusion_ccd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP
