// timer.hpp - the timer of Scalable CCD, for callers that measure with it. While it runs, it tells the time until now.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_TIMER_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_TIMER_HPP

#include <ccd/compat/stopwatch.hpp>

namespace scalable_ccd {
inline namespace ccd_toi {

class Timer : public ccd::compat::Stopwatch {
public:
    virtual ~Timer() = default;
};

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_TIMER_HPP
