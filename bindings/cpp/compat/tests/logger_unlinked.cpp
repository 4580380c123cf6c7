// logger_unlinked.cpp - a header of spdlog on the include path is not taken where nothing says that the program links spdlog.
#include <scalable_ccd/utils/logger.hpp>
#include <tight_inclusion/logger.hpp>

static_assert(!CCD_HAS_SPDLOG, "the program does not link spdlog");

int main() {
    ticcd::logger().info("{}", 1);
    scalable_ccd::logger().info("{}", 2);
    return ticcd::logger().should_log(0) ? 1 : 0;
}
