// logger.hpp - the logger of Tight Inclusion, for callers that write to it: see ccd/compat/logger.hpp.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_LOGGER_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_LOGGER_HPP

#include <ccd/compat/logger.hpp>

namespace ticcd {
inline namespace ccd_toi {

namespace detail {
struct LoggerName {
    static const char *name() { return "ticcd"; }
};
} // namespace detail

/// A template, so that files with and without spdlog have a function each.
template <class Logger = ccd::compat::Logger> Logger &logger() { return *ccd::compat::logger_of<detail::LoggerName>(); }

inline void set_logger(std::shared_ptr<ccd::compat::Logger> logger) {
    ccd::compat::set_logger_of<detail::LoggerName>(std::move(logger));
}

} // namespace ccd_toi
} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_LOGGER_HPP
