// spdlog.h - stands for a spdlog that lies on the system's path and that the program does not link: our headers must leave it alone.
#error "the program does not link this spdlog"
