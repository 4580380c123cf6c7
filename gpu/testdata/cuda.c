/*
 * cuda.c - a stand-in for libcuda.so.1 on OpenCL: one device, whose kernels are those of the file that CCD_STANDIN_PROGRAM names, whatever
 * module is loaded. Memory is poisoned when it is allocated. Without a current context every call fails, as NVIDIA's does.
 */
#define _GNU_SOURCE
#include "fails.h"

#include <dlfcn.h>

typedef struct opaque *object;

static void *cl(const char *name) {
    static void *library;
    if (!library) {
        library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    }
    void *f = library ? dlsym(library, name) : NULL;
    if (!f) {
        fprintf(stderr, "no %s\n", name);
        abort();
    }
    return f;
}
#define CL(result, name, ...) ((result(*)(__VA_ARGS__))cl(#name))

enum { NO_CONTEXT = 201, INVALID = 1, OUT_OF_MEMORY = 2, BAD_IMAGE = 200, UNKNOWN = 999 };
static object device, context, queue;
static __thread int current; /* contexts that this thread has pushed */
static int retained;

#define CALL(code)                                                                                                         \
    if (fails())                                                                                                           \
    return code
#define NEEDS_CONTEXT(code)                                                                                                \
    CALL(code);                                                                                                            \
    if (current < 1)                                                                                                       \
    return NO_CONTEXT

int cuInit(unsigned flags) {
    CALL(UNKNOWN);
    object platform;
    int e;
    if (flags || CL(int, clGetPlatformIDs, uint32_t, object *, uint32_t *)(1, &platform, NULL) ||
        CL(int, clGetDeviceIDs, object, uint64_t, uint32_t, object *, uint32_t *)(platform, 0xFFFFFFFF, 1, &device, NULL)) {
        return UNKNOWN;
    }
    context =
        CL(object, clCreateContext, void *, uint32_t, object *, void *, void *, int *)(NULL, 1, &device, NULL, NULL, &e);
    queue = CL(object, clCreateCommandQueue, object, object, uint64_t, int *)(context, device, 0, &e);
    return e ? UNKNOWN : 0;
}
int cuDriverGetVersion(int *v) {
    CALL(INVALID);
    *v = 12040;
    return 0;
}
int cuDeviceGetCount(int *n) {
    CALL(INVALID);
    *n = 1;
    return 0;
}
int cuDeviceGet(int *d, int i) {
    CALL(INVALID);
    *d = 7;
    return i ? INVALID : 0;
}
int cuDeviceGetName(char *name, int n, int d) {
    CALL(INVALID);
    snprintf(name, n, "stand-in");
    return d == 7 ? 0 : INVALID;
}
int cuDeviceGetAttribute(int *v, int what, int d) {
    CALL(INVALID);
    *v = what == 75 ? 8 : 6;
    return d == 7 ? 0 : INVALID;
}
int cuDeviceTotalMem_v2(size_t *n, int d) {
    CALL(INVALID);
    *n = 1 << 30;
    return d == 7 ? 0 : INVALID;
}
int cuDevicePrimaryCtxRetain(object *c, int d) {
    CALL(OUT_OF_MEMORY);
    retained++;
    *c = context;
    return d == 7 ? 0 : INVALID;
}
int cuDevicePrimaryCtxRelease(int d) {
    retained--;
    CALL(UNKNOWN);
    return d == 7 && retained >= 0 ? 0 : INVALID;
}
int cuCtxPushCurrent_v2(object c) {
    CALL(UNKNOWN);
    current++;
    return c == context ? 0 : INVALID;
}
int cuCtxPopCurrent_v2(object *c) {
    *c = context;
    if (--current < 0)
        abort(); /* popped more than pushed */
    CALL(UNKNOWN);
    return 0;
}
int cuModuleLoadData(object *m, const void *image) {
    NEEDS_CONTEXT(BAD_IMAGE);
    if (!strstr(image, ".visible .entry filter32(") || !strstr(image, ".target sm_70"))
        return BAD_IMAGE;
    FILE *f = fopen(getenv("CCD_STANDIN_PROGRAM"), "rb");
    static char text[1 << 20];
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    const char *at = text;
    int e = 0;
    if (f)
        fclose(f);
    *m = CL(object, clCreateProgramWithSource, object, uint32_t, const char **, size_t *, int *)(context, 1, &at, &n, &e);
    return e || CL(int, clBuildProgram, object, uint32_t, object *, const char *, void *,
                   void *)(*m, 1, &device, "-cl-std=CL1.2 -cl-kernel-arg-info", NULL, NULL)
               ? BAD_IMAGE
               : 0;
}
int cuModuleUnload(object m) {
    NEEDS_CONTEXT(UNKNOWN);
    return CL(int, clReleaseProgram, object)(m) ? UNKNOWN : 0;
}
int cuModuleGetFunction(object *f, object m, const char *name) {
    int e = 0;
    NEEDS_CONTEXT(INVALID);
    *f = CL(object, clCreateKernel, object, const char *, int *)(m, name, &e);
    return e ? INVALID : 0;
}
int cuMemAlloc_v2(uint64_t *p, size_t n) {
    int e = 0;
    NEEDS_CONTEXT(OUT_OF_MEMORY);
    object b = CL(object, clCreateBuffer, object, uint64_t, size_t, void *, int *)(context, 1, n, NULL, &e);
    char *poison = malloc(n);
    memset(poison, 0xA5, n);
    e |= CL(int, clEnqueueWriteBuffer, object, object, uint32_t, size_t, size_t, void *, uint32_t, void *,
            void *)(queue, b, 1, 0, n, poison, 0, NULL, NULL);
    free(poison);
    *p = (uintptr_t)b;
    return e ? OUT_OF_MEMORY : 0;
}
int cuMemFree_v2(uint64_t p) {
    if (current < 1)
        return NO_CONTEXT;
    const int e = CL(int, clReleaseMemObject, object)((object)(uintptr_t)p);
    CALL(UNKNOWN);
    return e ? INVALID : 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t n, object stream) {
    NEEDS_CONTEXT(UNKNOWN);
    return !stream || CL(int, clEnqueueWriteBuffer, object, object, uint32_t, size_t, size_t, const void *, uint32_t,
                         void *, void *)(queue, (object)(uintptr_t)to, 1, 0, n, from, 0, NULL, NULL)
               ? INVALID
               : 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t n, object stream) {
    NEEDS_CONTEXT(UNKNOWN);
    return !stream || CL(int, clEnqueueReadBuffer, object, object, uint32_t, size_t, size_t, void *, uint32_t, void *,
                         void *)(queue, (object)(uintptr_t)from, 1, 0, n, to, 0, NULL, NULL)
               ? INVALID
               : 0;
}
int cuStreamCreate(object *s, unsigned flags) {
    NEEDS_CONTEXT(OUT_OF_MEMORY);
    *s = queue;
    return flags == 1 ? 0 : INVALID;
}
int cuStreamDestroy_v2(object s) {
    NEEDS_CONTEXT(UNKNOWN);
    return s == queue ? 0 : INVALID;
}
int cuStreamSynchronize(object s) {
    NEEDS_CONTEXT(UNKNOWN);
    return s != queue || CL(int, clFinish, object)(queue) ? UNKNOWN : 0;
}
int cuLaunchKernel(object f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   object stream, void **arguments, void **extra) {
    NEEDS_CONTEXT(UNKNOWN);
    if (stream != queue || bx != 256 || by != 1 || bz != 1 || gy != 1 || gz != 1 || gx < 1 || shared || extra)
        return INVALID;
    uint32_t n = 0;
    CL(int, clGetKernelInfo, object, uint32_t, size_t, void *, size_t *)(f, 0x1191, sizeof n, &n, NULL);
    for (uint32_t i = 0; i < n; i++) { /* the sizes of arguments are the kernel's to know: 8 for a pointer, else 4 */
        uint32_t space = 0;
        if (CL(int, clGetKernelArgInfo, object, uint32_t, uint32_t, size_t, void *, size_t *)(f, i, 0x1196, sizeof space,
                                                                                              &space, NULL) ||
            CL(int, clSetKernelArg, object, uint32_t, size_t, void *)(f, i, space == 0x119B ? 8 : 4, arguments[i])) {
            return INVALID;
        }
    }
    const size_t local = 256, global = 256 * (size_t)gx;
    return CL(int, clEnqueueNDRangeKernel, object, object, uint32_t, void *, const size_t *, const size_t *, uint32_t,
              void *, void *)(queue, f, 1, NULL, &global, &local, 0, NULL, NULL)
               ? UNKNOWN
               : 0;
}
