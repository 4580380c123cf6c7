// interval_root_finder.hpp - get_numerical_error is declared here in the original; it is in ccd.hpp with the rest.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP

#include <tight_inclusion/ccd.hpp>

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_ROOT_FINDER_HPP
