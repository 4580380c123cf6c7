/* options.c - defaults of the options, and the way back to the caller's own functions. */
#include "internal.h"

#include <string.h>

void ccd_options_init(ccd_options *options, size_t struct_size) {
    const ccd_options defaults = {
        .struct_size = struct_size,
        .t_max = 1,
        .max_iterations = 1000000,
    };
    if (options == NULL) {
        return;
    }
    memset(options, 0, struct_size);
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* The function may choose an environment: that is taken back, for the thread it runs on goes on to compute. */
int32_t ccd_progress_call(uintptr_t function, double fraction, uintptr_t user) {
    CCD_ENVIRONMENT();
    return ((ccd_progress)function)(fraction, (void *)user);
}

int32_t ccd_visit_call(uintptr_t function, const void *impacts, size_t count, uintptr_t user) {
    CCD_ENVIRONMENT();
    return ((ccd_visitor)function)(impacts, count, (void *)user);
}
