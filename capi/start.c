//go:build !windows

/*
 * start.c - Go's first thread is created by a constructor of Go's while the library is being loaded, and hands on to all others what it
 * has from the thread that loads the library. So two constructors of our own surround that one: the first runs before all that have no
 * priority, the second after it, for it is linked behind it. capi/test/guest/plugin.c would see another order. They give Go's threads
 *
 *   - the default floating-point environment (environment.h);
 *   - a mask that blocks all signals but those that Go insists on: what is sent to the process is for the host's threads, which may have a
 *     handler that wants their stacks, or block it and wait for it.
 */
#include "internal.h"

#include <pthread.h>
#include <signal.h>

static ccd_environment environment;
static sigset_t mask;
static int masked;

__attribute__((constructor(101))) static void before(void) {
    sigset_t all;
    sigfillset(&all);
    environment = ccd_environment_enter();
    masked = pthread_sigmask(SIG_SETMASK, &all, &mask) == 0;
}

__attribute__((constructor)) static void after(void) {
    if (masked) {
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    }
    ccd_environment_leave(&environment);
}
