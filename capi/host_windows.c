/*
 * host_windows.c - what fork.c, start.c and thread.c do elsewhere. Windows has neither fork nor signals, and gives a new thread the default
 * floating-point environment, whatever that of its creator is: Go's threads have it from the start, and a call enters it as elsewhere
 * (environment.h).
 *
 * Go's threads cannot be stopped, so the library stays loaded after FreeLibrary, as NODELETE lets it elsewhere.
 */
#include "internal.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

__attribute__((constructor)) static void stay_loaded(void) {
    HMODULE module;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const wchar_t *)&stay_loaded, &module);
}

int ccd_is_forked(void) { return 0; }

void ccd_thread_enter(void) {}
