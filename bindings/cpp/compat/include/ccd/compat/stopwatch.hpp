// stopwatch.hpp - the timers of the interfaces of others, in one.
#ifndef LIBCCD_TOI_COMPAT_STOPWATCH_HPP
#define LIBCCD_TOI_COMPAT_STOPWATCH_HPP

#include <chrono>

namespace ccd::compat {

/// Real time from start to stop, or to now while it runs; 0 before the first start.
class Stopwatch {
public:
    void start() {
        start_ = Clock::now();
        running_ = true;
    }

    void stop() {
        if (running_) {
            stop_ = Clock::now();
            running_ = false;
        }
    }

    bool running() const { return running_; }

    double getElapsedTime() const { return getElapsedTimeInSec(); }
    double getElapsedTimeInSec() const { return elapsed<std::ratio<1>>(); }
    double getElapsedTimeInMilliSec() const { return elapsed<std::milli>(); }
    double getElapsedTimeInMicroSec() const { return elapsed<std::micro>(); }
    double getElapsedTimeInNanoSec() const { return elapsed<std::nano>(); }

private:
    using Clock = std::chrono::steady_clock;

    template <class Unit> double elapsed() const {
        return std::chrono::duration<double, Unit>((running_ ? Clock::now() : stop_) - start_).count();
    }

    Clock::time_point start_, stop_;
    bool running_ = false;
};

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_STOPWATCH_HPP
