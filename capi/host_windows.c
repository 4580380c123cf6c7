/*
 * host_windows.c - what fork.c, start.c and thread.c do elsewhere. Windows has neither fork nor signals, and gives a new thread the default
 * floating-point environment, whatever that of its creator is: Go's threads have it from the start, and a call enters it as elsewhere
 * (environment.h).
 */
#include "internal.h"

int ccd_is_forked(void) { return 0; }

void ccd_thread_enter(void) {}
