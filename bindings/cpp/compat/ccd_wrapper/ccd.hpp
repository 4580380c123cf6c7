// ccd.hpp - the calls of the CCD-Wrapper benchmark ([Wang2021]), computed by libccd.
//
// Names, argument order, defaults, the numbers of the methods and the meaning are the original's. What differs:
//
//   method      All methods are enabled and return the exact result. The original's CCD calls pass DEFAULT_MIN_DISTANCE to the
//               minimum-separation root finder, because at 0 it misses collisions; here they pass 0.
//   MSCCD       Every method may be used, not only those with a minimum separation. min_distance is measured in the max norm,
//               as Tight Inclusion does; that encloses the Euclidean norm of the root finders, so no collision is missed.
//   tolerance, max_iter, err are ignored: the result has no tolerance.
//   failure     As there, the answer is true, which is the safe one, when the call fails: coordinates that are not finite, a
//               negative min_distance, a method that does not exist. Nothing is printed; ccd_last_error has the text.
#ifndef LIBCCD_TOI_COMPAT_CCD_WRAPPER_HPP
#define LIBCCD_TOI_COMPAT_CCD_WRAPPER_HPP

#include <ccd/compat/query.hpp>

#include <Eigen/Core>

#include <array>

namespace ccd {
inline namespace ccd_toi { // its symbols are others than the original's, so that a program may hold both

enum CCDMethod {
    FLOATING_POINT_ROOT_FINDER = 0,
    MIN_SEPARATION_ROOT_FINDER,
    ROOT_PARITY,
    RATIONAL_ROOT_PARITY,
    MIN_SEPARATION_ROOT_PARITY,
    RATIONAL_MIN_SEPARATION_ROOT_PARITY,
    BSC,
    TIGHT_CCD,
    SAFE_CCD,
    UNIVARIATE_INTERVAL_ROOT_FINDER,
    MULTIVARIATE_INTERVAL_ROOT_FINDER,
    TIGHT_INCLUSION,
    NUM_CCD_METHODS // the number of methods, not a method
};

inline constexpr const char *method_names[NUM_CCD_METHODS] = {
    "FloatingPointRootFinder",
    "MinSeparationRootFinder",
    "RootParity",
    "RationalRootParity",
    "MinSeparationRootParity",
    "RationalMinSeparationRootParity",
    "BSC",
    "TightCCD",
    "SafeCCD",
    "UnivariateIntervalRootFinder",
    "MultivariateIntervalRootFinder",
    "TightInclusion",
};

inline constexpr double DEFAULT_MIN_DISTANCE = 1e-8;

inline bool is_method_enabled(const CCDMethod &method) { return method >= 0 && method < NUM_CCD_METHODS; }

inline bool is_minimum_separation_method(const CCDMethod &method) { return is_method_enabled(method); }

inline bool is_conservative_method(const CCDMethod &method) { return is_method_enabled(method); }

inline bool is_time_of_impact_computed(const CCDMethod &method) { return is_method_enabled(method); }

namespace wrapper_detail { // ccd::detail is another

inline bool collides(Impact (*pair)(View<double>, const Options &), const std::array<double, 24> &q, double min_distance,
                     CCDMethod method) noexcept {
    try {
        return !is_method_enabled(method) || pair(q, compat::options(min_distance)).verdict != CCD_SEPARATE;
    } catch (...) {
        return true;
    }
}

} // namespace wrapper_detail

/// Whether a vertex and a face come within min_distance of each other for a t in [0, 1].
inline bool vertexFaceMSCCD(const Eigen::Vector3d &vertex_start, const Eigen::Vector3d &face_vertex0_start,
                            const Eigen::Vector3d &face_vertex1_start, const Eigen::Vector3d &face_vertex2_start,
                            const Eigen::Vector3d &vertex_end, const Eigen::Vector3d &face_vertex0_end,
                            const Eigen::Vector3d &face_vertex1_end, const Eigen::Vector3d &face_vertex2_end,
                            const double min_distance, const CCDMethod method, const double /*tolerance*/ = 1e-6,
                            const long /*max_iter*/ = 1000000, const std::array<double, 3> & /*err*/ = {{-1, -1, -1}}) {
    return wrapper_detail::collides(pair::vertex_face,
                                    compat::query(vertex_start, face_vertex0_start, face_vertex1_start, face_vertex2_start,
                                                  vertex_end, face_vertex0_end, face_vertex1_end, face_vertex2_end),
                                    min_distance, method);
}

/// Whether two edges come within min_distance of each other for a t in [0, 1].
inline bool edgeEdgeMSCCD(const Eigen::Vector3d &edge0_vertex0_start, const Eigen::Vector3d &edge0_vertex1_start,
                          const Eigen::Vector3d &edge1_vertex0_start, const Eigen::Vector3d &edge1_vertex1_start,
                          const Eigen::Vector3d &edge0_vertex0_end, const Eigen::Vector3d &edge0_vertex1_end,
                          const Eigen::Vector3d &edge1_vertex0_end, const Eigen::Vector3d &edge1_vertex1_end,
                          const double min_distance, const CCDMethod method, const double /*tolerance*/ = 1e-6,
                          const long /*max_iter*/ = 1000000, const std::array<double, 3> & /*err*/ = {{-1, -1, -1}}) {
    return wrapper_detail::collides(pair::edge_edge,
                                    compat::query(edge0_vertex0_start, edge0_vertex1_start, edge1_vertex0_start,
                                                  edge1_vertex1_start, edge0_vertex0_end, edge0_vertex1_end,
                                                  edge1_vertex0_end, edge1_vertex1_end),
                                    min_distance, method);
}

/// Whether a vertex and a face collide for a t in [0, 1].
inline bool vertexFaceCCD(const Eigen::Vector3d &vertex_start, const Eigen::Vector3d &face_vertex0_start,
                          const Eigen::Vector3d &face_vertex1_start, const Eigen::Vector3d &face_vertex2_start,
                          const Eigen::Vector3d &vertex_end, const Eigen::Vector3d &face_vertex0_end,
                          const Eigen::Vector3d &face_vertex1_end, const Eigen::Vector3d &face_vertex2_end,
                          const CCDMethod method, const double tolerance = 1e-6, const long max_iter = 1000000,
                          const std::array<double, 3> &err = {{-1, -1, -1}}) {
    return vertexFaceMSCCD(vertex_start, face_vertex0_start, face_vertex1_start, face_vertex2_start, vertex_end,
                           face_vertex0_end, face_vertex1_end, face_vertex2_end, 0, method, tolerance, max_iter, err);
}

/// Whether two edges collide for a t in [0, 1].
inline bool edgeEdgeCCD(const Eigen::Vector3d &edge0_vertex0_start, const Eigen::Vector3d &edge0_vertex1_start,
                        const Eigen::Vector3d &edge1_vertex0_start, const Eigen::Vector3d &edge1_vertex1_start,
                        const Eigen::Vector3d &edge0_vertex0_end, const Eigen::Vector3d &edge0_vertex1_end,
                        const Eigen::Vector3d &edge1_vertex0_end, const Eigen::Vector3d &edge1_vertex1_end,
                        const CCDMethod method, const double tolerance = 1e-6, const long max_iter = 1000000,
                        const std::array<double, 3> &err = {{-1, -1, -1}}) {
    return edgeEdgeMSCCD(edge0_vertex0_start, edge0_vertex1_start, edge1_vertex0_start, edge1_vertex1_start,
                         edge0_vertex0_end, edge0_vertex1_end, edge1_vertex0_end, edge1_vertex1_end, 0, method, tolerance,
                         max_iter, err);
}

} // namespace ccd_toi
} // namespace ccd

#endif // LIBCCD_TOI_COMPAT_CCD_WRAPPER_HPP
