//go:build linux && cgo

/* driver.c - what both drivers need: libraries found at run time, and signals kept from the threads that they start. */
#define _GNU_SOURCE /* secure_getenv */
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *ccd_gpu_library(const char *variable, const char *const *names, char why[CCD_GPU_TEXT]) {
    const char *given = secure_getenv(variable);
    const char *const one[] = {given, NULL};
    const char *const *from = given && *given ? one : names;
    for (int i = 0; from[i]; i++) {
        void *library = dlopen(from[i], RTLD_NOW | RTLD_LOCAL);
        if (library) {
            return library;
        }
    }
    snprintf(why, CCD_GPU_TEXT, "%s cannot be loaded", from[0]);
    return NULL;
}

int ccd_gpu_functions(void *library, const char *const *names, void **places, int n, char why[CCD_GPU_TEXT]) {
    for (int i = 0; i < n; i++) {
        places[i] = dlsym(library, names[i]);
        if (!places[i]) {
            snprintf(why, CCD_GPU_TEXT, "the driver's library has no function %s", names[i]);
            return -1;
        }
    }
    return 0;
}

_Static_assert(sizeof(sigset_t) <= 128, "device_cgo.go reserves 128 bytes");

void ccd_gpu_signals_block(void *saved) {
    sigset_t all;
    sigfillset(&all);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}; /* a blocked fault ends the process */
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(&all, faults[i]);
    }
    pthread_sigmask(SIG_BLOCK, &all, saved);
}

void ccd_gpu_signals_restore(const void *saved) { pthread_sigmask(SIG_SETMASK, saved, NULL); }
