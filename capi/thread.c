//go:build !windows

/*
 * thread.c - the first call of a thread. Go makes itself at home there then: for as long as the thread lives, it unblocks signals that it
 * would like to have, SIGCHLD, SIGPROF and SIGURG among them. A host that blocks these, to fetch them with sigwait or a signalfd, would
 * lose those that the kernel now delivers to this thread. So Go is called for nothing once, and the mask is put back behind it; later
 * calls leave it alone. With SIGURG blocked Go stops this thread's computing for its garbage collector a little later, that is all.
 *
 * What the processor raises, a fault, stays unblocked: no thread can wait for it, and the kernel ends a process that has it blocked.
 */
#include "_cgo_export.h"
#include "internal.h"

#include <pthread.h>
#include <signal.h>

static pthread_key_t key; /* not NULL on threads that have called */
static int key_exists;

__attribute__((constructor)) static void make_key(void) { key_exists = pthread_key_create(&key, NULL) == 0; }

static void first_call(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    sigset_t host;
    int known = pthread_sigmask(SIG_SETMASK, NULL, &host) == 0;
    go_simd_level();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(&host, faults[i]);
    }
    if (known) {
        pthread_sigmask(SIG_SETMASK, &host, NULL);
    }
    pthread_setspecific(key, &key);
}

void ccd_thread_enter(void) {
    if (key_exists && pthread_getspecific(key) == NULL) {
        first_call();
    }
}
