// logger.hpp - the logger of Scalable CCD, for callers that write to it: see ccd/compat/logger.hpp.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_LOGGER_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_LOGGER_HPP

#include <ccd/compat/logger.hpp>

namespace scalable_ccd {
inline namespace ccd_toi {

namespace detail {
struct LoggerName {
    static const char *name() { return "scalable_ccd"; }
};
} // namespace detail

/// A template, so that files with and without spdlog have a function each.
template <class Logger = ccd::compat::Logger> Logger &logger() { return *ccd::compat::logger_of<detail::LoggerName>(); }

inline void set_logger(std::shared_ptr<ccd::compat::Logger> logger) {
    ccd::compat::set_logger_of<detail::LoggerName>(std::move(logger));
}

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_LOGGER_HPP
