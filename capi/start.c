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

#if defined(__linux__) && !defined(__GLIBC__)

/*
 * musl calls constructors without arguments, and Go's reads the program's arguments, environment and auxiliary vector behind them. So the
 * static archive has Go's constructor in a section that nobody runs (build.sh), and it is called from here, with an environment and an empty
 * vector: Go then reads /proc/self/auxv.
 */
#include <stdlib.h>

typedef void start_function(int, char **, char **);
extern start_function *const __start_ccd_go_start[] __attribute__((weak)), *const __stop_ccd_go_start[]
    __attribute__((weak));
extern char **environ;

static void start_go(void) {
    static char name[] = "ccd";
    size_t n = 0;
    while (environ != NULL && environ[n] != NULL) {
        n++;
    }
    char **block = calloc(n + 5, sizeof *block); /* the name, NULL; the environment, NULL; AT_NULL, 0 */
    if (block == NULL) {
        abort(); /* Go would do so too */
    }
    block[0] = name;
    for (size_t i = 0; i < n; i++) {
        block[2 + i] = environ[i];
    }
    for (start_function *const *start = __start_ccd_go_start; start != __stop_ccd_go_start; start++) {
        (*start)(1, block, block + 2);
    }
}

#else

static void start_go(void) {} /* a constructor of Go's own does it */

#endif

static ccd_environment environment;
static sigset_t mask;
static int masked;

__attribute__((constructor(101))) static void before(void) {
    sigset_t all;
    sigfillset(&all);
    environment = ccd_environment_enter();
    masked = pthread_sigmask(SIG_SETMASK, &all, &mask) == 0;
    start_go();
}

__attribute__((constructor)) static void after(void) {
    if (masked) {
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    }
    ccd_environment_leave(&environment);
}
