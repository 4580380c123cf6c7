/*
 * internal.h - what the C side of the library shares with its Go side. Nothing of it is exported.
 *
 * A ccd_* function is C: it gives the out parameters their safe values (safe.h), returns an error in a forked child, enters the
 * floating-point environment that all bounds are proven for, and calls the Go function of the same name (go_*). shims.c is generated
 * from ccd.h; pair.c and arrays.c are by hand. cgo allows no C definitions beside its exports, and the loader must find these functions
 * even where Go's runtime cannot be entered.
 */
#ifndef CCD_INTERNAL_H
#define CCD_INTERNAL_H

/* Everything is compiled with hidden visibility, but for what the public header declares. */
#pragma GCC visibility push(default)
#include "ccd.h"
#pragma GCC visibility pop

#include "environment.h"

/** 1 in the child of a fork. */
int ccd_is_forked(void);

/** Before a call of Go: once a thread, see to it that Go leaves the thread's signals as they are. */
void ccd_thread_enter(void);

/** Store the text of an error for this thread. Go calls it on the thread that called the library. */
void ccd_error_set(const char *text, size_t length);

/** Store the text that a forked child gets and return CCD_E_FORKED. */
ccd_status ccd_error_forked(void);

/** Call the caller's progress function; both words came from its options. */
int32_t ccd_progress_call(uintptr_t function, double fraction, uintptr_t user);

/** Call the caller's visitor with count impacts; it and user are the caller's. */
int32_t ccd_visit_call(uintptr_t function, const void *impacts, size_t count, uintptr_t user);

/** The safe values of n impacts of the kind, with a = 0, 1, ...; does nothing where an array of n cannot be. */
void ccd_impacts_safe(ccd_impact *out, size_t n, int32_t kind);

/** The largest number of items of an array: an item takes up to 288 bytes, and user space ends at 2^48. */
#define CCD_MAX_ITEMS ((size_t)1 << 39)

/**
 * Before a call of Go: leave the calling function with CCD_E_FORKED in the child of a fork; else compute in the default
 * floating-point environment until the calling function returns, and give the caller's own back then. A thread's signals stay
 * as they are.
 */
#define CCD_ENTER()                                                                                                        \
    if (ccd_is_forked()) {                                                                                                 \
        return ccd_error_forked();                                                                                         \
    }                                                                                                                      \
    CCD_ENVIRONMENT();                                                                                                     \
    ccd_thread_enter()

/** The floating-point half of it, for a scope. */
#define CCD_ENVIRONMENT()                                                                                                  \
    ccd_environment ccd_host __attribute__((cleanup(ccd_environment_leave), unused)) = ccd_environment_enter()

#endif /* CCD_INTERNAL_H */
