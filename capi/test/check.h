/* check.h - what the C tests share: a check that says where and what, and two small moving meshes. */
#ifndef CHECK_H
#define CHECK_H

#include "ccd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/** Note a failure with its place and go on. */
#define CHECK(condition)                                                                                                   \
    do {                                                                                                                   \
        if (!(condition)) {                                                                                                \
            failures++;                                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                \
        }                                                                                                                  \
    } while (0)

/** The call returns CCD_OK; its error text is shown otherwise. */
#define OK(call) check_status(call, CCD_OK, "", __FILE__, __LINE__)

/** The call returns the status, and the text of the error holds the words. */
#define FAILS(call, status, words) check_status(call, status, words, __FILE__, __LINE__)

static void check_status(ccd_status got, ccd_status want, const char *words, const char *file, int line) {
    char text[1024];
    ccd_last_error(text, sizeof text);
    if (got != want) {
        failures++;
        fprintf(stderr, "%s:%d: %s, want %s (%s)\n", file, line, ccd_status_name(got), ccd_status_name(want), text);
    } else if (want != CCD_OK && strstr(text, words) == NULL) {
        failures++;
        fprintf(stderr, "%s:%d: the text is \"%s\", want \"%s\" in it\n", file, line, text, words);
    }
}

/*
 * A fixed unit triangle in z = 0, and one above it that falls from z = 1 to z = -1: every one of its vertices reaches the
 * plane at t = 1/2, exactly.
 */
enum { TRI_VERTICES = 6, TRI_FACES = 2 };
static const int32_t tri_faces[3 * TRI_FACES] = {0, 1, 2, 3, 4, 5};
static const double tri_x0[3 * TRI_VERTICES] = {0,    0,    0, 1,   0,    0, 0,    1,   0, /* fixed */
                                                0.25, 0.25, 1, 0.5, 0.25, 1, 0.25, 0.5, 1 /* falling */};
static const double tri_x1[3 * TRI_VERTICES] = {0,    0,    0,  1,   0,    0,  0,    1,   0, /* fixed */
                                                0.25, 0.25, -1, 0.5, 0.25, -1, 0.25, 0.5, -1 /* falling */};

/** A vertex that falls through the same triangle, as a query. */
static const double falling[24] = {0.25, 0.25, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0, /* t = 0 */
                                   0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0 /* t = 1 */};

static inline ccd_mesh *triangles(void) {
    ccd_mesh *mesh = NULL;
    OK(ccd_mesh_create(TRI_VERTICES, NULL, 0, tri_faces, TRI_FACES, &mesh));
    return mesh;
}

/** The exit status of the test. */
static inline int done(void) {
    if (failures > 0) {
        fprintf(stderr, "%d failed\n", failures);
    }
    return failures > 0;
}

#endif /* CHECK_H */
