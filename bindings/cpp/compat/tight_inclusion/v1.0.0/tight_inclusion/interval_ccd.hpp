// interval_ccd.hpp - the name of inclusion_ccd.hpp before release 1.0.0.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_INTERVAL_CCD_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_INTERVAL_CCD_HPP

#include <tight_inclusion/inclusion_ccd.hpp>

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_INTERVAL_CCD_HPP
