/*
 * environment.h - the floating-point environment that the library computes in, whatever its caller's is.
 *
 * Every bound in docs/numerics.md is proven for IEEE 754's defaults: rounding to nearest, denormals kept, no traps. A host may have
 * chosen others for its thread: to round upward, to flush denormals to zero (all it takes is some library that was linked with
 * -ffast-math), to trap. Go neither looks nor cares, and a thread takes its environment from the one that creates it. So
 *
 *   - a call enters with the defaults and leaves with the caller's own, sticky flags included (CCD_ENTER in internal.h);
 *   - Go's first thread is created with the defaults (start.c), and so are all others, being created within calls or by it;
 *   - what the caller's progress function does to the environment ends with it (options.c).
 */
#ifndef CCD_ENVIRONMENT_H
#define CCD_ENVIRONMENT_H

#include <stdint.h>

#if defined(__x86_64__)

/* MXCSR: its six lowest bits are the sticky flags, the rest is control. x87's own word is left alone, for nothing here uses x87. */
typedef uint32_t ccd_environment;

#define CCD_MXCSR_FLAGS 0x3fu
#define CCD_MXCSR_DEFAULT 0x1f80u

static inline ccd_environment ccd_environment_enter(void) {
    ccd_environment host = __builtin_ia32_stmxcsr();
    if ((host & ~CCD_MXCSR_FLAGS) != CCD_MXCSR_DEFAULT) {
        __builtin_ia32_ldmxcsr(CCD_MXCSR_DEFAULT);
    }
    return host;
}

static inline void ccd_environment_leave(const ccd_environment *host) {
    if (__builtin_ia32_stmxcsr() != *host) {
        __builtin_ia32_ldmxcsr(*host);
    }
}

#elif defined(__aarch64__)

/* FPCR is control, FPSR the sticky flags. */
typedef struct {
    uint64_t control, status;
} ccd_environment;

static inline ccd_environment ccd_environment_get(void) {
    ccd_environment now;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(now.control), "=r"(now.status) : : "memory");
    return now;
}

static inline void ccd_environment_control(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
}

static inline ccd_environment ccd_environment_enter(void) {
    ccd_environment host = ccd_environment_get();
    if (host.control != 0) {
        ccd_environment_control(0);
    }
    return host;
}

static inline void ccd_environment_leave(const ccd_environment *host) {
    ccd_environment now = ccd_environment_get();
    if (now.control != host->control) {
        ccd_environment_control(host->control);
    }
    if (now.status != host->status) {
        __asm__ volatile("msr fpsr, %0" : : "r"(host->status) : "memory");
    }
}

#else

#include <fenv.h>

typedef fenv_t ccd_environment;

static inline ccd_environment ccd_environment_enter(void) {
    ccd_environment host;
    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    return host;
}

static inline void ccd_environment_leave(const ccd_environment *host) { fesetenv(host); }

#endif

#endif /* CCD_ENVIRONMENT_H */
