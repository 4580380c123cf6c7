// types.hpp - the types of the Tight Inclusion interface, in double precision.
//
// Everything of this interface is in an inline namespace: ticcd::edgeEdgeCCD here is another symbol than the original's, so that a
// program may hold both libraries, and each caller gets the one whose header it includes.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TYPES_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TYPES_HPP

#include <tight_inclusion/config.hpp>

#include <Eigen/Core>

namespace ticcd {
inline namespace ccd_toi {

typedef double Scalar;
typedef Eigen::Matrix<Scalar, 3, 1> Vector3;
typedef Eigen::Array<Scalar, 3, 1> Array3;

} // namespace ccd_toi
} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TYPES_HPP
