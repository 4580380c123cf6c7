//go:build !windows

/*
 * fork.c - after fork() only the forking thread lives on in the child: the garbage collector's and the scheduler's threads
 * are gone, and a call into Go would never return. So the child is detected, and every call refuses.
 *
 * The Go runtime starts when the library is loaded, not at the first call: a process counts as one that uses the library
 * from that moment on. vfork and posix_spawn followed by exec are not concerned.
 */
#include "internal.h"

#include <pthread.h>

static volatile int forked; /* written once, in a child that has no other thread yet */

static void in_child(void) { forked = 1; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

int ccd_is_forked(void) { return forked; }
