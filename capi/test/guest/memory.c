/*
 * memory.c - memory stays flat: memory LIBRARY [CALLS] makes that many calls (a million) through one pair, a mesh with its step, an
 * error and handles, and compares the resident memory after the first fifth with that at the end.
 */
#define _GNU_SOURCE
#include "host.h"

#include <string.h>

#define FUNCTION(name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(library, #name)

static long resident_kib(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
    long calls = argc > 2 ? atol(argv[2]) : 1000000;
    void *library = load(argv[1]);
    FUNCTION(ccd_mesh_create);
    FUNCTION(ccd_mesh_destroy);
    FUNCTION(ccd_step_collisions);
    FUNCTION(ccd_impacts_destroy);
    const int32_t faces[6] = {0, 1, 2, 3, 4, 5};
    const double x0[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, 1, .5, .25, 1, .25, .5, 1};
    double x1[18];
    memcpy(x1, x0, sizeof x1);
    x1[11] = x1[14] = x1[17] = -1;

    long early = 0, late = 0;
    for (long i = 0; i < calls; i++) {
        call_once();
        if (i % 50 == 0) { /* a mesh, its impacts, an error */
            ccd_mesh *mesh = NULL;
            ccd_impacts *impacts = NULL;
            CHECK(ccd_mesh_create_(6, NULL, 0, faces, 2, &mesh) == CCD_OK);
            CHECK(ccd_step_collisions_(mesh, x0, x1, 6, NULL, &impacts) == CCD_OK &&
                  ccd_impacts_destroy_(impacts) == CCD_OK);
            CHECK(ccd_step_collisions_(mesh, x0, NULL, 6, NULL, &impacts) == CCD_E_ARGUMENT && impacts == NULL);
            CHECK(ccd_mesh_destroy_(mesh) == CCD_OK && ccd_mesh_destroy_(mesh) == CCD_E_HANDLE);
        }
        if (i == calls / 5) {
            early = resident_kib();
        }
    }
    late = resident_kib();
    printf("resident after a fifth of %ld calls: %ld KiB, at the end: %ld KiB\n", calls, early, late);
    CHECK(late < early + 8 * 1024); /* Go's heap breathes by some MiB; a leak of 10 bytes a call would be 8 MiB */
    return host_done();
}
