// Rational.hpp - empty, as there without GMP: rational numbers are a build option of Tight Inclusion 1.0.0, and no part of its queries.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_RATIONAL_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_RATIONAL_HPP
#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_RATIONAL_HPP
