// config.hpp - what ipc-toolkit's own build generates, and its wheel leaves out; the values are those of release 1.6.1.
#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace ipc {

using index_t = std::int32_t;
static constexpr int VERTEX_DERIVATIVE_LAYOUT = Eigen::RowMajor;

} // namespace ipc
