// interval_root_finder.hpp - the searches of Tight Inclusion, which here are the exact queries of ccd.hpp.
//
// What differs: tol, err and max_itr change nothing, for the answer has no tolerance; a depth-first search looks at all of [0, 1], as
// there. A query that starts within ms gives true and toi = 0, and toi is infinite without a collision.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP

#include <tight_inclusion/ccd.hpp>

#include <cmath>
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
template <class T> T at(const NumCCD &t, const int dim, const Vector3 &start, const Vector3 &end) {
    return (T(end[dim]) - T(start[dim])) * T(t.value()) + T(start[dim]);
}

} // namespace detail

/// One coordinate of the difference of two edges' points at (t, u, v), rounded as T rounds.
template <typename T>
T function_f_ee(const NumCCD &tpara, const NumCCD &upara, const NumCCD &vpara, const int dim, const Vector3 &ea0_t0,
                const Vector3 &ea1_t0, const Vector3 &eb0_t0, const Vector3 &eb1_t0, const Vector3 &ea0_t1,
                const Vector3 &ea1_t1, const Vector3 &eb0_t1, const Vector3 &eb1_t1) {
    const T a0 = detail::at<T>(tpara, dim, ea0_t0, ea0_t1), a1 = detail::at<T>(tpara, dim, ea1_t0, ea1_t1);
    const T b0 = detail::at<T>(tpara, dim, eb0_t0, eb0_t1), b1 = detail::at<T>(tpara, dim, eb1_t0, eb1_t1);
    return ((a1 - a0) * T(upara.value()) + a0) - ((b1 - b0) * T(vpara.value()) + b0);
}

/// One coordinate of the difference of a vertex and a face's point at (t, u, v), rounded as T rounds.
template <typename T>
T function_f_vf(const NumCCD &tpara, const NumCCD &upara, const NumCCD &vpara, const int dim, const Vector3 &v_t0,
                const Vector3 &f0_t0, const Vector3 &f1_t0, const Vector3 &f2_t0, const Vector3 &v_t1, const Vector3 &f0_t1,
                const Vector3 &f1_t1, const Vector3 &f2_t1) {
    const T v = detail::at<T>(tpara, dim, v_t0, v_t1), f0 = detail::at<T>(tpara, dim, f0_t0, f0_t1);
    const T f1 = detail::at<T>(tpara, dim, f1_t0, f1_t1), f2 = detail::at<T>(tpara, dim, f2_t0, f2_t1);
    return v - ((f1 - f0) * T(upara.value()) + (f2 - f0) * T(vpara.value()) + f0);
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

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP
