/* reason.c - why a verdict is undecided, in words. */
#include "internal.h"

const char *ccd_reason(uint32_t flags) {
    if (flags & CCD_REASON_AREA) {
        return "area: contact over an area or along a curve, on which max_iterations or the memory of a query was spent";
    }
    if (flags & CCD_REASON_ITERATIONS) {
        return "iterations: max_iterations was reached";
    }
    if (flags & CCD_REASON_MEMORY) {
        return "memory: that of one query was reached, memory_limit (patches: 256 MiB if it is 0)";
    }
    if (flags & CCD_REASON_COARSE) {
        return "coarse: doubles are too coarse for the tolerance";
    }
    return "";
}
