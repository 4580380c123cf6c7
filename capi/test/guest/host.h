/* host.h - a host that loads the library by its name while it runs, and makes a call whose answer it knows. */
#ifndef HOST_H
#define HOST_H

#include "ccd.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int host_failures;

#define CHECK(condition)                                                                                                   \
    do {                                                                                                                   \
        if (!(condition)) {                                                                                                \
            __atomic_add_fetch(&host_failures, 1, __ATOMIC_RELAXED);                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                \
        }                                                                                                                  \
    } while (0)

typedef ccd_status (*pair_call)(const double *, const ccd_options *, ccd_impact *);
static pair_call vertex_face;

static int load_flags = RTLD_NOW | RTLD_LOCAL;

/* Loads the library; the handle. */
static inline void *load(const char *path) {
    void *library = dlopen(path, load_flags);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    *(void **)&vertex_face = dlsym(library, "ccd_pair_vertex_face");
    CHECK(vertex_face != NULL);
    return library;
}

/* A vertex that falls through a triangle at t = 1/2. */
static inline void call_once(void) {
    static const double q[24] = {0.25, 0.25, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0,  /* t = 0 */
                                 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0}; /* t = 1 */
    ccd_impact out;
    CHECK(vertex_face(q, NULL, &out) == CCD_OK);
    CHECK(out.verdict == CCD_CONTACT && out.toi_lo == 0.5);
}

static inline int host_done(void) { return host_failures > 0; }

#endif /* HOST_H */
