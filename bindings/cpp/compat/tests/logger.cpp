// logger.cpp - the loggers of Tight Inclusion and Scalable CCD where spdlog is: they are spdlog's, one for each interface. In another file
// of the same program they are not, as where spdlog is missing.
#include <scalable_ccd/utils/logger.hpp>
#include <tight_inclusion/logger.hpp>

#include <check.hpp>

bool quiet_loggers(); // logger_quiet.cpp

static_assert(std::is_same_v<ccd::compat::Logger, spdlog::logger>, "the logger is spdlog's");

int main() {
    spdlog::logger &log = ticcd::logger();
    CHECK(&log == &ticcd::logger() && log.name() == "ticcd" && scalable_ccd::logger().name() == "scalable_ccd");
    log.set_level(spdlog::level::debug);
    log.trace("below the level: {:d}", 1);
    log.debug("Using {} precision", "double");
    scalable_ccd::logger().warn("more threads than available ({:d} > {:d})", 3, 2);
    scalable_ccd::logger().debug("below the level");
    CHECK(log.lines() == std::vector<std::string>{"Using {} precision"} && scalable_ccd::logger().lines().size() == 1);

    const auto mine = std::make_shared<spdlog::logger>("mine", std::make_shared<spdlog::sinks::stdout_color_sink_mt>());
    ticcd::set_logger(mine);
    CHECK(&ticcd::logger() == mine.get() && scalable_ccd::logger().name() == "scalable_ccd");
    ticcd::set_logger(nullptr); // the first one anew
    CHECK(ticcd::logger().name() == "ticcd" && ticcd::logger().lines().empty());

    CHECK(quiet_loggers() && log.name() == "ticcd" && ticcd::logger().lines().empty());
    return failures == 0 ? 0 : 1;
}
