// logger_quiet.cpp - the loggers without spdlog take what spdlog's take, and write nothing.
#define CCD_NO_SPDLOG
#include <scalable_ccd/utils/logger.hpp>
#include <tight_inclusion/logger.hpp>

bool quiet_loggers() {
    auto &log = ticcd::logger();
    log.set_level(0);
    log.trace("{}", 1);
    log.debug("{} {}", 1, "two");
    log.info("three");
    log.warn("{:.3f}", 4.0);
    log.error("five");
    log.critical("six");
    log.log(2, "seven");
    log.flush();
    scalable_ccd::logger().info("eight");
    const auto mine = std::make_shared<ccd::compat::Logger>();
    ticcd::set_logger(mine);
    const bool set = &ticcd::logger() == mine.get();
    ticcd::set_logger(nullptr);
    return set && !log.should_log(3) && &ticcd::logger() != mine.get();
}
