// profiler.hpp - the marks of Scalable CCD's profiler, which do nothing, as in a build of it without SCALABLE_CCD_WITH_PROFILER.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_PROFILER_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_PROFILER_HPP

#include <scalable_ccd/config.hpp>

#define SCALABLE_CCD_CPU_PROFILE_POINT(...)
#define SCALABLE_CCD_GPU_PROFILE_POINT(...)

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_PROFILER_HPP
