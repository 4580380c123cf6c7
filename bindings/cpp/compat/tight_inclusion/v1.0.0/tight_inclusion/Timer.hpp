// Timer.hpp - the timer of Tight Inclusion 1.0.0.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_TIMER_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_TIMER_HPP

#include <ccd/compat/stopwatch.hpp>

namespace inclusion_ccd {
inline namespace ccd_toi {

class Timer : public ccd::compat::Stopwatch {};

} // namespace ccd_toi
} // namespace inclusion_ccd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_1_0_0_TIMER_HPP
