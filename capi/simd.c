/* simd.c - the name of the SIMD level. */
#include "_cgo_export.h"
#include "internal.h"

const char *ccd_simd_level(void) {
    static const char *const names[] = {"generic", "avx2", "avx512"};
    if (ccd_is_forked()) {
        return names[0];
    }
    CCD_ENVIRONMENT();
    ccd_thread_enter();
    return names[go_simd_level()];
}
