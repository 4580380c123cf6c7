// types.hpp - the types of the Tight Inclusion interface, in double precision.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TYPES_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TYPES_HPP

#include <Eigen/Core>

namespace ticcd {

typedef double Scalar;
typedef Eigen::Matrix<Scalar, 3, 1> Vector3;
typedef Eigen::Array<Scalar, 3, 1> Array3;

} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TYPES_HPP
