// logger.hpp - in place of ipc-toolkit's, which wants the exact spdlog of its own build: what it would log is left out.
#pragma once

#include <stdexcept>
#include <string>

namespace ipc {

template <class... Args> [[noreturn]] void log_and_throw_error(const std::string &message, const Args &...) {
    throw std::runtime_error(message);
}

} // namespace ipc
