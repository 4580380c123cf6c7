/*
 * environment.c - Go's first thread is created by a constructor of Go's while the library is being loaded, and gets its
 * floating-point environment from the thread that loads it. Two constructors of our own surround that one: the first runs before all
 * that have no priority, the second after it, for it is linked behind it. capi/test/guest/environment.c would see another order.
 */
#include "internal.h"

static ccd_environment loading;

__attribute__((constructor(101))) static void before(void) { loading = ccd_environment_enter(); }

__attribute__((constructor)) static void after(void) { ccd_environment_leave(&loading); }
