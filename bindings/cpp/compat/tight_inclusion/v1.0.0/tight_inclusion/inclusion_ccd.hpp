// inclusion_ccd.hpp - the interface of Tight Inclusion 1.0.0 ([Wang2021], namespace inclusion_ccd, double precision), which Rigid IPC,
// Codimensional IPC, IPC and early releases of ipc-toolkit call, over libccd.
//
// Names, argument order, defaults, return values and meaning are the original's. What differs is what tight_inclusion/ccd.hpp lists for
// later releases: results are exact, so err, tolerance and max_itr change nothing, no query takes long, and output_tolerance is the
// tolerance passed. Of CCD_TYPE 0, which ignores t_max and no_zero_toi there, both are kept here.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_INCLUSION_CCD_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_INCLUSION_CCD_HPP

#include <tight_inclusion/Types.hpp>
#include <tight_inclusion/interval_root_finder.hpp>
#include <tight_inclusion/rational/ccd.hpp>

#include <array>

namespace inclusion_ccd {
inline namespace ccd_toi { // another symbol than the original's: see tight_inclusion/types.hpp

#ifdef TIGHT_INCLUSION_NO_ZERO_TOI
static constexpr bool DEFAULT_NO_ZERO_TOI = true;
#else
static constexpr bool DEFAULT_NO_ZERO_TOI = false;
#endif

/// Whether two edges come within ms of each other for a t in [0, t_max], and the earliest such time.
inline bool edgeEdgeCCD_double(const Eigen::Vector3d &a0_start, const Eigen::Vector3d &a1_start,
                               const Eigen::Vector3d &b0_start, const Eigen::Vector3d &b1_start,
                               const Eigen::Vector3d &a0_end, const Eigen::Vector3d &a1_end, const Eigen::Vector3d &b0_end,
                               const Eigen::Vector3d &b1_end, const std::array<double, 3> & /*err*/, const double ms,
                               double &toi, const double tolerance, const double t_max, const int max_itr,
                               double &output_tolerance, const int /*CCD_TYPE*/ = 1,
                               bool no_zero_toi = DEFAULT_NO_ZERO_TOI) {
    return ticcd::edgeEdgeCCD(a0_start, a1_start, b0_start, b1_start, a0_end, a1_end, b0_end, b1_end,
                              Eigen::Array3d::Constant(-1), ms, toi, tolerance, t_max, max_itr, output_tolerance,
                              no_zero_toi);
}

/// Whether a vertex and a face come within ms of each other for a t in [0, t_max], and the earliest such time.
inline bool vertexFaceCCD_double(const Eigen::Vector3d &vertex_start, const Eigen::Vector3d &face_vertex0_start,
                                 const Eigen::Vector3d &face_vertex1_start, const Eigen::Vector3d &face_vertex2_start,
                                 const Eigen::Vector3d &vertex_end, const Eigen::Vector3d &face_vertex0_end,
                                 const Eigen::Vector3d &face_vertex1_end, const Eigen::Vector3d &face_vertex2_end,
                                 const std::array<double, 3> & /*err*/, const double ms, double &toi,
                                 const double tolerance, const double t_max, const int max_itr, double &output_tolerance,
                                 const int /*CCD_TYPE*/ = 1, bool no_zero_toi = DEFAULT_NO_ZERO_TOI) {
    return ticcd::vertexFaceCCD(vertex_start, face_vertex0_start, face_vertex1_start, face_vertex2_start, vertex_end,
                                face_vertex0_end, face_vertex1_end, face_vertex2_end, Eigen::Array3d::Constant(-1), ms, toi,
                                tolerance, t_max, max_itr, output_tolerance, no_zero_toi);
}

/// Declared there where it is built with GMP.
inline bool edgeEdgeCCD_rational(const Eigen::Vector3d &a0s, const Eigen::Vector3d &a1s, const Eigen::Vector3d &b0s,
                                 const Eigen::Vector3d &b1s, const Eigen::Vector3d &a0e, const Eigen::Vector3d &a1e,
                                 const Eigen::Vector3d &b0e, const Eigen::Vector3d &b1e,
                                 const std::array<double, 3> & /*err*/, const double ms, double &toi) {
    return ticcd::rational::edgeEdgeCCD(a0s, a1s, b0s, b1s, a0e, a1e, b0e, b1e, Eigen::Array3d::Constant(-1), ms, toi);
}

inline bool vertexFaceCCD_rational(const Eigen::Vector3d &vertex_start, const Eigen::Vector3d &face_vertex0_start,
                                   const Eigen::Vector3d &face_vertex1_start, const Eigen::Vector3d &face_vertex2_start,
                                   const Eigen::Vector3d &vertex_end, const Eigen::Vector3d &face_vertex0_end,
                                   const Eigen::Vector3d &face_vertex1_end, const Eigen::Vector3d &face_vertex2_end,
                                   const std::array<double, 3> & /*err*/, const double ms, double &toi) {
    return ticcd::rational::vertexFaceCCD(vertex_start, face_vertex0_start, face_vertex1_start, face_vertex2_start,
                                          vertex_end, face_vertex0_end, face_vertex1_end, face_vertex2_end,
                                          Eigen::Array3d::Constant(-1), ms, toi);
}

/// Whether the calls above compute in GMP's rational numbers: they do not.
inline bool using_rational_method() { return false; }

inline long return_queue_size() { return ticcd::return_queue_size(); }

} // namespace ccd_toi
} // namespace inclusion_ccd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_INCLUSION_CCD_HPP
