// ccd.hpp - the queries that Tight Inclusion computes in rational numbers where it is built with GMP. All of libccd's are exact.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_RATIONAL_CCD_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_RATIONAL_CCD_HPP

#include <tight_inclusion/ccd.hpp>

namespace ticcd {
inline namespace ccd_toi {
namespace rational {

inline bool edgeEdgeCCD(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0, const Vector3 &eb1_t0,
                        const Vector3 &ea0_t1, const Vector3 &ea1_t1, const Vector3 &eb0_t1, const Vector3 &eb1_t1,
                        const Array3 &err, const Scalar ms, Scalar &toi) {
    Scalar reached;
    return ticcd::edgeEdgeCCD(ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1, err, ms, toi,
                              DEFAULT_CCD_DISTANCE_TOL, 1, -1, reached);
}

inline bool vertexFaceCCD(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0, const Vector3 &f2_t0,
                          const Vector3 &v_t1, const Vector3 &f0_t1, const Vector3 &f1_t1, const Vector3 &f2_t1,
                          const Array3 &err, const Scalar ms, Scalar &toi) {
    Scalar reached;
    return ticcd::vertexFaceCCD(v_t0, f0_t0, f1_t0, f2_t0, v_t1, f0_t1, f1_t1, f2_t1, err, ms, toi,
                                DEFAULT_CCD_DISTANCE_TOL, 1, -1, reached);
}

} // namespace rational
} // namespace ccd_toi
} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_RATIONAL_CCD_HPP
