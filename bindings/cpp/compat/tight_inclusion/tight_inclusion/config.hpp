// config.hpp - how Tight Inclusion would have been built to be what this interface is: in double precision, without its options.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_CONFIG_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_CONFIG_HPP

#define TIGHT_INCLUSION_NAME "TightInclusion"
#define TIGHT_INCLUSION_VER "1.0.6" // the release whose interface this is; these are strings there too
#define TIGHT_INCLUSION_VER_MAJOR "1"
#define TIGHT_INCLUSION_VER_MINOR "0"
#define TIGHT_INCLUSION_VER_PATCH "6"

#ifndef TIGHT_INCLUSION_WITH_DOUBLE_PRECISION
#define TIGHT_INCLUSION_WITH_DOUBLE_PRECISION
#endif

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_CONFIG_HPP
