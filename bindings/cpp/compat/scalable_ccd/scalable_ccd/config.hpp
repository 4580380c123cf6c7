// config.hpp - how Scalable CCD would have been built to be what this interface is: on the CPU, in double precision.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_CONFIG_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_CONFIG_HPP

#define SCALABLE_CCD_NAME "ScalableCCD"
#define SCALABLE_CCD_VER "0.1.0" // strings there too
#define SCALABLE_CCD_VER_MAJOR "0"
#define SCALABLE_CCD_VER_MINOR "1"
#define SCALABLE_CCD_VER_PATCH "0"

#ifndef SCALABLE_CCD_USE_DOUBLE
#define SCALABLE_CCD_USE_DOUBLE
#endif

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_CONFIG_HPP
