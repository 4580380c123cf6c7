// spdlog.h - in place of spdlog, which is not everywhere: what ccd/compat/logger.hpp and a caller in the shape of others' use of it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spdlog {

namespace level {
enum level_enum { trace, debug, info, warn, err, critical, off };
} // namespace level

namespace sinks {
class sink {
public:
    std::vector<std::string> lines;
};
} // namespace sinks

/// Keeps the formats of the lines at or above its level.
class logger {
public:
    logger(std::string name, std::shared_ptr<sinks::sink> to) : name_(std::move(name)), to_(std::move(to)) {}

    const std::string &name() const { return name_; }
    const std::vector<std::string> &lines() const { return to_->lines; }
    void set_level(level::level_enum l) { level_ = l; }
    template <class... Args> void trace(const char *format, const Args &...) { put(level::trace, format); }
    template <class... Args> void debug(const char *format, const Args &...) { put(level::debug, format); }
    template <class... Args> void info(const char *format, const Args &...) { put(level::info, format); }
    template <class... Args> void warn(const char *format, const Args &...) { put(level::warn, format); }
    template <class... Args> void error(const char *format, const Args &...) { put(level::err, format); }

private:
    void put(level::level_enum l, const char *format) {
        if (l >= level_) {
            to_->lines.emplace_back(format);
        }
    }

    std::string name_;
    std::shared_ptr<sinks::sink> to_;
    level::level_enum level_ = level::info;
};

} // namespace spdlog
