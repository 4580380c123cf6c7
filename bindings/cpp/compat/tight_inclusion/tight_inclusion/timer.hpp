// timer.hpp - the timers of Tight Inclusion, for callers that measure with them.
//
// What differs: a ScopedTimer that was stopped adds nothing more at its end.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TIMER_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TIMER_HPP

#include <ccd/compat/stopwatch.hpp>
#include <tight_inclusion/config.hpp>

#ifdef TIGHT_INCLUSION_WITH_TIMER
#define TIGHT_INCLUSION_SCOPED_TIMER(total_time) ticcd::ScopedTimer tight_inclusion_timer(total_time)
#else
#define TIGHT_INCLUSION_SCOPED_TIMER(total_time)
#endif

namespace ticcd {
inline namespace ccd_toi {

class Timer : public ccd::compat::Stopwatch {};

/// Adds the microseconds of its life to a total.
class ScopedTimer {
public:
    ScopedTimer() { start(); }
    ScopedTimer(double &total_time) : total_(&total_time) { start(); }
    ScopedTimer(const ScopedTimer &) = delete;
    ScopedTimer &operator=(const ScopedTimer &) = delete;
    virtual ~ScopedTimer() { stop(); }

    void start() { timer_.start(); }

    void stop() {
        const bool counts = timer_.running();
        timer_.stop();
        if (counts && total_ != nullptr) {
            *total_ += getElapsedTimeInMicroSec();
        }
    }

    double getElapsedTimeInMicroSec() const { return timer_.getElapsedTimeInMicroSec(); }
    const Timer &timer() const { return timer_; }

private:
    Timer timer_;
    double *total_ = nullptr;
};

} // namespace ccd_toi
} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_TIMER_HPP
