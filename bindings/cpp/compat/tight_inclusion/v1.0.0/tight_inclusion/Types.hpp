// Types.hpp - the types of Tight Inclusion 1.0.0, in double precision. They are global there, and so here; CCD_NO_GLOBAL_TYPES leaves
// them out for a program that has other types of these names.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_TYPES_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_TYPES_HPP

#include <Eigen/Core>

#ifndef TIGHT_INCLUSION_DOUBLE
#define TIGHT_INCLUSION_DOUBLE
#endif

#ifndef CCD_NO_GLOBAL_TYPES
typedef double Scalar;
typedef Eigen::Vector3d Vector3d;
#endif

inline namespace ccd_toi {
inline bool ticcd_using_double() { return true; }
} // namespace ccd_toi

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_TYPES_HPP
