// ipc_toolkit.hpp - the adapters for ipc-toolkit 1.6.
#ifndef LIBCCD_TOI_COMPAT_IPC_TOOLKIT_HPP
#define LIBCCD_TOI_COMPAT_IPC_TOOLKIT_HPP

#include <ccd/compat/ipc_broad_phase.hpp>
#include <ccd/compat/ipc_narrow_phase.hpp>
#include <ccd/compat/ipc_nonlinear.hpp>

#endif // LIBCCD_TOI_COMPAT_IPC_TOOLKIT_HPP
