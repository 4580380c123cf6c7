/*
 * failing.c - a stand-in for libOpenCL.so.1: it passes every call on to the real one, but for the call whose number CCD_FAIL_CALL names,
 * which fails. The number of calls since CCD_FAIL_CALL changed last is written to the file that CCD_FAIL_COUNT names, as eight bytes.
 */
#define _GNU_SOURCE
#include "fails.h"

#include <dlfcn.h>

typedef struct opaque *object;

static void *real(const char *name) {
    static void *library;
    if (!library) {
        library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    }
    void *f = library ? dlsym(library, name) : NULL;
    if (!f) {
        abort();
    }
    return f;
}

enum { OUT_OF_RESOURCES = -5 };

#define STATUS(name, parameters, arguments)                                                                                \
    int name parameters { return fails() ? OUT_OF_RESOURCES : ((int(*) parameters)real(#name))arguments; }
#define OBJECT(name, parameters, arguments)                                                                                \
    object name parameters {                                                                                               \
        if (fails()) {                                                                                                     \
            *e = OUT_OF_RESOURCES;                                                                                         \
            return NULL;                                                                                                   \
        }                                                                                                                  \
        return ((object(*) parameters)real(#name))arguments;                                                               \
    }
/* What gives something back does it all the same: the failure is in what it says. */
#define RELEASE(name)                                                                                                      \
    int name(object o) {                                                                                                   \
        const int e = ((int (*)(object))real(#name))(o);                                                                   \
        return fails() ? OUT_OF_RESOURCES : e;                                                                             \
    }

STATUS(clGetPlatformIDs, (uint32_t a, object *b, uint32_t *c), (a, b, c))
STATUS(clGetDeviceIDs, (object a, uint64_t b, uint32_t c, object *d, uint32_t *e), (a, b, c, d, e))
STATUS(clGetDeviceInfo, (object a, uint32_t b, size_t c, void *d, size_t *e), (a, b, c, d, e))
OBJECT(clCreateContext, (const intptr_t *a, uint32_t b, const object *c, void *d, void *x, int *e), (a, b, c, d, x, e))
RELEASE(clReleaseContext)
OBJECT(clCreateCommandQueue, (object a, object b, uint64_t c, int *e), (a, b, c, e))
RELEASE(clReleaseCommandQueue)
OBJECT(clCreateProgramWithSource, (object a, uint32_t b, const char **c, const size_t *d, int *e), (a, b, c, d, e))
STATUS(clBuildProgram, (object a, uint32_t b, const object *c, const char *d, void *x, void *y), (a, b, c, d, x, y))
STATUS(clGetProgramBuildInfo, (object a, object b, uint32_t c, size_t d, void *x, size_t *y), (a, b, c, d, x, y))
RELEASE(clReleaseProgram)
OBJECT(clCreateKernel, (object a, const char *b, int *e), (a, b, e))
RELEASE(clReleaseKernel)
STATUS(clSetKernelArg, (object a, uint32_t b, size_t c, const void *d), (a, b, c, d))
OBJECT(clCreateBuffer, (object a, uint64_t b, size_t c, void *d, int *e), (a, b, c, d, e))
RELEASE(clReleaseMemObject)
STATUS(clEnqueueWriteBuffer,
       (object a, object b, uint32_t c, size_t d, size_t e, const void *f, uint32_t g, void *h, void *i),
       (a, b, c, d, e, f, g, h, i))
STATUS(clEnqueueReadBuffer, (object a, object b, uint32_t c, size_t d, size_t e, void *f, uint32_t g, void *h, void *i),
       (a, b, c, d, e, f, g, h, i))
STATUS(clEnqueueNDRangeKernel,
       (object a, object b, uint32_t c, const size_t *d, const size_t *e, const size_t *f, uint32_t g, void *h, void *i),
       (a, b, c, d, e, f, g, h, i))
STATUS(clFinish, (object a), (a))
