// stdout_color_sinks.h - in place of spdlog's: a sink that is not written to the standard output.
#pragma once

#include <spdlog/spdlog.h>

namespace spdlog::sinks {
class stdout_color_sink_mt : public sink {};
} // namespace spdlog::sinks
