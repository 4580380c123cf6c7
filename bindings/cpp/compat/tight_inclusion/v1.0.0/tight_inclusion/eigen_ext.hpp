// eigen_ext.hpp - a vector of at most three coordinates, as Tight Inclusion 1.0.0 has it. Global there, and so here.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_EIGEN_EXT_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_EIGEN_EXT_HPP

#include <Eigen/Core>

#ifndef CCD_NO_GLOBAL_TYPES
typedef Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1> VectorMax3d;
#endif

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_EIGEN_EXT_HPP
