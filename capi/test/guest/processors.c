/*
 * processors.c - processors THREADS: how many threads a call of many queries takes when options.threads is THREADS, and a digest of its
 * answers.
 */
#include "ccd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUERIES = 128 * 16 }; /* work for 16 threads */

int main(int argc, char **argv) {
    static double q[24 * QUERIES];
    static ccd_impact out[QUERIES];
    uint32_t state = 1;
    for (int i = 0; i < 24 * QUERIES; i++) {
        state = state * 1664525u + 1013904223u;
        q[i] = (double)(state >> 8) / (1 << 24) + (i % 24 < 12 && i % 3 == 0);
    }
    ccd_stats stats = {.struct_size = sizeof stats};
    ccd_options options;
    ccd_options_init(&options, sizeof options);
    options.threads = argc > 1 ? atoi(argv[1]) : 0;
    options.stats = &stats;
    if (ccd_pairs_edge_edge(q, QUERIES, &options, out) != CCD_OK) {
        return 1;
    }
    uint64_t digest = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < sizeof out; i++) {
        digest = (digest ^ ((const unsigned char *)out)[i]) * 1099511628211u;
    }
    printf("%d threads, answers %016llx\n", (int)stats.threads, (unsigned long long)digest);
    return 0;
}
