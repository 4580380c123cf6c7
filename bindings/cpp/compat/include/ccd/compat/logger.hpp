// logger.hpp - the loggers that interfaces of others hand out. libccd itself logs nothing: they are for the caller's own lines.
//
// They are spdlog's, as there, where the macro CCD_WITH_SPDLOG says that the program links spdlog: our CMake targets define it where a
// target spdlog::spdlog exists. A header on the include path says nothing, because spdlog may be built as a library, with a library fmt
// beside it, as Debian's is. CCD_NO_SPDLOG turns them off for one file. Without spdlog they take every call and write nothing, since the
// format of a line is spdlog's.
#ifndef LIBCCD_TOI_COMPAT_LOGGER_HPP
#define LIBCCD_TOI_COMPAT_LOGGER_HPP

#if defined(CCD_WITH_SPDLOG) && !defined(CCD_NO_SPDLOG)
#define CCD_HAS_SPDLOG 1
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#else
#define CCD_HAS_SPDLOG 0
#endif

#include <memory>
#include <utility>

namespace ccd::compat {

#if CCD_HAS_SPDLOG

inline namespace with_spdlog { // two files of a program may differ in what they find: their functions are different ones

using Logger = spdlog::logger;

/// A logger to the standard output under this name. It is not registered with spdlog: another library may use the name.
inline std::shared_ptr<Logger> new_logger(const char *name) {
    return std::make_shared<Logger>(name, std::make_shared<spdlog::sinks::stdout_color_sink_mt>());
}

} // namespace with_spdlog

#else

inline namespace without_spdlog {

/// Takes what spdlog's loggers take, and writes nothing.
class Logger {
public:
    template <class... Args> void trace(const Args &...) {}
    template <class... Args> void debug(const Args &...) {}
    template <class... Args> void info(const Args &...) {}
    template <class... Args> void warn(const Args &...) {}
    template <class... Args> void error(const Args &...) {}
    template <class... Args> void critical(const Args &...) {}
    template <class... Args> void log(const Args &...) {}
    template <class Level> void set_level(const Level &) {}
    template <class Level> bool should_log(const Level &) const { return false; }
    void flush() {}
};

inline std::shared_ptr<Logger> new_logger(const char * /*name*/) { return std::make_shared<Logger>(); }

} // namespace without_spdlog

#endif

/// The logger of the interface that the type stands for. Interface::name() names it.
template <class Interface> std::shared_ptr<Logger> &logger_of() {
    static std::shared_ptr<Logger> logger = new_logger(Interface::name());
    return logger;
}

/// Sets the logger of an interface; none stands for the first one. Not for use by several threads at once, as there.
template <class Interface> void set_logger_of(std::shared_ptr<Logger> logger) {
    logger_of<Interface>() = logger ? std::move(logger) : new_logger(Interface::name());
}

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_LOGGER_HPP
