// ccd.hpp - the interface of Tight Inclusion ([Wang2021], release 1.0.6, namespace ticcd, double precision) over libccd. That of release
// 1.0.0, namespace inclusion_ccd, is in inclusion_ccd.hpp.
//
// Names, argument order, defaults, return values and meaning are the original's. What differs:
//
//   exact       Every verdict is exact, in the max norm as there, so max_itr and the search method change nothing: a tolerance
//               of any size is met, no query takes long, output_tolerance is the tolerance that was passed.
//   tolerance   toi is the exact time at which the distance first falls to ms and the tolerance, or to a part of the tolerance
//               where the start is not twice as far (CCD_APART_AT_TOI). So the primitives are apart there, as the original leaves
//               them: a normal or a logarithm of their distance is finite. A tolerance of 0 or less gives the time of ms itself.
//   err         The original adds err, and by default takes it too small when a coordinate is above 1 (get_numerical_error):
//               a collision could be missed. Nothing is rounded here, so err is ignored.
//   no_zero_toi The original halves ms until the time is positive, and never ends when the query starts in contact. Here the
//               time is positive whenever the distance at t=0 exceeds ms, by law 8 and with ms as given; a query that starts
//               in contact gives true with toi = 0.
//   DFS         The original's depth-first search ignores t_max and no_zero_toi and leaves output_tolerance unwritten.
//   toi         Always written: infinite without a collision.
//   errors      Coordinates that are not finite, ms < 0 and t_max outside [0, 1] are thrown as ccd::Error.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_CCD_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_CCD_HPP

#include <ccd/compat/query.hpp>
#include <tight_inclusion/config.hpp>
#include <tight_inclusion/interval.hpp>
#include <tight_inclusion/types.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace ticcd {
inline namespace ccd_toi { // types.hpp says why

static constexpr bool DEFAULT_NO_ZERO_TOI = false;
static constexpr Scalar DEFAULT_CCD_DISTANCE_TOL = 1e-6;

enum class CCDRootFindingMethod {
    DEPTH_FIRST_SEARCH,
    BREADTH_FIRST_SEARCH,
};

namespace detail {

inline bool answer(const ccd::Impact &hit, Scalar tolerance, Scalar &toi, Scalar &output_tolerance) {
    toi = hit.toi_lo;
    output_tolerance = tolerance;
    return hit.verdict != CCD_SEPARATE;
}

inline ccd::Options options(Scalar ms, Scalar t_max, Scalar tolerance, bool no_zero_toi) {
    ccd::Options o = ccd::compat::options(ms, t_max, no_zero_toi ? CCD_NO_ZERO_TOI : 0);
    if (tolerance > 0 && tolerance <= std::numeric_limits<Scalar>::max()) {
        o.tolerance = tolerance;
        o.flags |= CCD_APART_AT_TOI;
    }
    return o;
}

} // namespace detail

/// Whether two edges come within ms of each other for a t in [0, t_max], and the earliest such time.
inline bool edgeEdgeCCD(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0, const Vector3 &eb1_t0,
                        const Vector3 &ea0_t1, const Vector3 &ea1_t1, const Vector3 &eb0_t1, const Vector3 &eb1_t1,
                        const Array3 & /*err*/, const Scalar ms, Scalar &toi, const Scalar tolerance, const Scalar t_max,
                        const long /*max_itr*/, Scalar &output_tolerance, bool no_zero_toi = DEFAULT_NO_ZERO_TOI,
                        const CCDRootFindingMethod = CCDRootFindingMethod::BREADTH_FIRST_SEARCH) {
    const auto q = ccd::compat::query(ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1);
    return detail::answer(ccd::pair::edge_edge(q, detail::options(ms, t_max, tolerance, no_zero_toi)), tolerance, toi,
                          output_tolerance);
}

/// Whether a vertex and a face come within ms of each other for a t in [0, t_max], and the earliest such time.
inline bool vertexFaceCCD(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0, const Vector3 &f2_t0,
                          const Vector3 &v_t1, const Vector3 &f0_t1, const Vector3 &f1_t1, const Vector3 &f2_t1,
                          const Array3 & /*err*/, const Scalar ms, Scalar &toi, const Scalar tolerance, const Scalar t_max,
                          const long /*max_itr*/, Scalar &output_tolerance, bool no_zero_toi = DEFAULT_NO_ZERO_TOI,
                          const CCDRootFindingMethod = CCDRootFindingMethod::BREADTH_FIRST_SEARCH) {
    const auto q = ccd::compat::query(v_t0, f0_t0, f1_t0, f2_t0, v_t1, f0_t1, f1_t1, f2_t1);
    return detail::answer(ccd::pair::vertex_face(q, detail::options(ms, t_max, tolerance, no_zero_toi)), tolerance, toi,
                          output_tolerance);
}

namespace detail {

/// For each parameter, the step that moves F by at most distance_tolerance, shared among the three: distance_tolerance over
/// three times the longest edge of the hexahedron p[t][u][v] along that parameter; infinite where it has no length.
inline Array3 tolerances(const Vector3 (&p)[2][2][2], Scalar distance_tolerance) {
    Array3 longest = Array3::Zero();
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            longest[0] = std::max(longest[0], (p[1][i][j] - p[0][i][j]).lpNorm<Eigen::Infinity>());
            longest[1] = std::max(longest[1], (p[i][1][j] - p[i][0][j]).lpNorm<Eigen::Infinity>());
            longest[2] = std::max(longest[2], (p[i][j][1] - p[i][j][0]).lpNorm<Eigen::Infinity>());
        }
    }
    Array3 out;
    for (int k = 0; k < 3; k++) {
        out[k] = longest[k] > 0 ? distance_tolerance / (3 * longest[k]) : std::numeric_limits<Scalar>::infinity();
    }
    return out;
}

} // namespace detail

/// The tolerances in t, u and v that belong to a tolerance in distance.
inline Array3 compute_vertex_face_tolerances(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0,
                                             const Vector3 &f2_t0, const Vector3 &v_t1, const Vector3 &f0_t1,
                                             const Vector3 &f1_t1, const Vector3 &f2_t1,
                                             const Scalar distance_tolerance = DEFAULT_CCD_DISTANCE_TOL) {
    const Vector3 p[2][2][2] = {{{v_t0 - f0_t0, v_t0 - f2_t0}, {v_t0 - f1_t0, v_t0 - (f1_t0 + f2_t0 - f0_t0)}},
                                {{v_t1 - f0_t1, v_t1 - f2_t1}, {v_t1 - f1_t1, v_t1 - (f1_t1 + f2_t1 - f0_t1)}}};
    return detail::tolerances(p, distance_tolerance);
}

/// The same for two edges. The original takes the second edge at t=0 for both ends; here it moves.
inline Array3 compute_edge_edge_tolerances(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0,
                                           const Vector3 &eb1_t0, const Vector3 &ea0_t1, const Vector3 &ea1_t1,
                                           const Vector3 &eb0_t1, const Vector3 &eb1_t1,
                                           const Scalar distance_tolerance = DEFAULT_CCD_DISTANCE_TOL) {
    const Vector3 p[2][2][2] = {{{ea0_t0 - eb0_t0, ea0_t0 - eb1_t0}, {ea1_t0 - eb0_t0, ea1_t0 - eb1_t0}},
                                {{ea0_t1 - eb0_t1, ea0_t1 - eb1_t1}, {ea1_t1 - eb0_t1, ea1_t1 - eb1_t1}}};
    return detail::tolerances(p, distance_tolerance);
}

/// The greatest length of the original's queue. This implementation has no queue: 0.
inline long return_queue_size() { return 0; }

} // namespace ccd_toi
} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_CCD_HPP
