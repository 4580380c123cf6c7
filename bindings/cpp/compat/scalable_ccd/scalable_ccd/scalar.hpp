// scalar.hpp - the numbers of Scalable CCD, in double precision.
//
// Everything of this interface is in an inline namespace: scalable_ccd::sort_and_sweep here is another symbol than the original's, so
// that a program may hold both libraries, and each caller gets the one whose header it includes.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_SCALAR_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_SCALAR_HPP

#include <scalable_ccd/config.hpp>

#include <cmath>
#include <limits>

namespace scalable_ccd {
inline namespace ccd_toi {

using Scalar = double;

/// The next number below; of the least finite one and of what is not finite, as std::nextafter has it.
inline Scalar nextafter_down(const Scalar x) { return std::nextafter(x, -std::numeric_limits<Scalar>::infinity()); }

/// The next number above.
inline Scalar nextafter_up(const Scalar x) { return std::nextafter(x, std::numeric_limits<Scalar>::infinity()); }

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_SCALAR_HPP
