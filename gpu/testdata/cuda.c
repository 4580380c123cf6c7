/*
 * cuda.c - a stand-in for libcuda.so.1 on OpenCL: one device, whose kernels are those of the file that CCD_STANDIN_PROGRAM names, whatever
 * module is loaded. Memory is poisoned when it is allocated. Without a current context every call fails, as NVIDIA's does.
 */
#define _GNU_SOURCE
#include "fails.h"

#include <dlfcn.h>
#include <time.h>

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
    if (context && !flags) {
        return 0; /* another library of the process has started the driver */
    }
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
/* Memory is shared virtual memory of OpenCL: an address of the host, of which a caller may take any part, as NVIDIA's is. */
enum { READ_WRITE = 1, FINE_GRAINED = 1 << 10 };
static struct memory {
    struct memory *next;
    char *at;
    size_t size;
} * memories;

/* holder finds the memory that holds an address. */
static struct memory *holder(uint64_t p) {
    for (struct memory *m = memories; m; m = m->next)
        if (p - (uintptr_t)m->at < m->size)
            return m;
    return NULL;
}
static int finish(void) { return CL(int, clFinish, object)(queue); }
static int is_late(uint64_t p, size_t n);

int cuMemAlloc_v2(uint64_t *p, size_t n) {
    NEEDS_CONTEXT(OUT_OF_MEMORY);
    struct memory *m = malloc(sizeof *m);
    m->at = CL(void *, clSVMAlloc, object, uint64_t, size_t, uint32_t)(context, READ_WRITE | FINE_GRAINED, n, 0);
    if (!m->at)
        return OUT_OF_MEMORY;
    memset(m->at, 0xA5, n);
    m->size = n;
    m->next = memories;
    memories = m;
    *p = (uintptr_t)m->at;
    return 0;
}
int cuMemFree_v2(uint64_t p) {
    if (current < 1)
        return NO_CONTEXT;
    struct memory *m = holder(p);
    if (!m || (uintptr_t)m->at != p)
        return INVALID;
    if (is_late(p, m->size))
        abort(); /* freed while work on it is not done */
    for (struct memory **at = &memories; *at; at = &(*at)->next)
        if (*at == m) {
            *at = m->next;
            break;
        }
    const int e = finish();
    CL(void, clSVMFree, object, void *)(context, m->at);
    free(m);
    CALL(UNKNOWN);
    return e ? INVALID : 0;
}

/*
 * A stream of the caller's whose work is late: copies made while CCD_STANDIN_LATE names the stream (a number) are done when a stream waits
 * for an event that was recorded there, or when the context is waited for, and not before.
 */
static struct late {
    struct late *next;
    uint64_t to, stream;
    size_t n;
    char from[];
} * lates;

/* do_late does what a stream, or all of them, have put off. */
static void do_late(uint64_t stream, int all) {
    for (struct late **at = &lates; *at;) {
        struct late *l = *at;
        if (all || l->stream == stream) {
            memcpy((void *)(uintptr_t)l->to, l->from, l->n);
            *at = l->next;
            free(l);
        } else
            at = &l->next;
    }
}
static int is_late(uint64_t p, size_t n) {
    for (struct late *l = lates; l; l = l->next)
        if (l->to - p < n)
            return 1;
    return 0;
}
int cuCtxSynchronize(void) {
    NEEDS_CONTEXT(UNKNOWN);
    do_late(0, 1);
    return finish() ? UNKNOWN : 0;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t n, object stream) {
    NEEDS_CONTEXT(UNKNOWN);
    struct memory *m = holder(to);
    if (!stream || !m || to + n > (uintptr_t)m->at + m->size || finish())
        return INVALID;
    const char *late = getenv("CCD_STANDIN_LATE");
    if (!late || !*late) {
        memcpy((void *)(uintptr_t)to, from, n);
        return 0;
    }
    struct late *l = malloc(sizeof *l + n);
    *l = (struct late){.next = lates, .to = to, .stream = strtoull(late, NULL, 10), .n = n};
    memcpy(l->from, from, n);
    lates = l;
    return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t n, object stream) {
    NEEDS_CONTEXT(UNKNOWN);
    struct memory *m = holder(from);
    if (!stream || !m || from + n > (uintptr_t)m->at + m->size || finish())
        return INVALID;
    memcpy(to, (void *)(uintptr_t)from, n);
    return 0;
}

struct event {
    object stream;
    int recorded, timed;
    struct timespec at; /* time at which all work before a timed event had ended */
};
static int events; /* number of events that are not destroyed */

int cuEventCreate(object *e, unsigned flags) {
    NEEDS_CONTEXT(OUT_OF_MEMORY);
    *e = calloc(1, sizeof(struct event));
    ((struct event *)*e)->timed = flags == 0;
    events++;
    return flags == 0 || flags == 2 ? 0 : INVALID;
}
int cuEventDestroy_v2(object e) {
    if (current < 1 || !events)
        return NO_CONTEXT;
    events--;
    free(e);
    CALL(UNKNOWN);
    return 0;
}
int cuEventRecord(object e, object stream) {
    NEEDS_CONTEXT(UNKNOWN);
    struct event *event = (void *)e;
    event->stream = stream;
    event->recorded = 1;
    if (event->timed) {
        finish();
        clock_gettime(CLOCK_MONOTONIC, &event->at);
    }
    return (uintptr_t)stream == 0xBAD ? 400 : 0; /* a stream of another context */
}
int cuEventElapsedTime(float *milliseconds, object from, object to) {
    NEEDS_CONTEXT(UNKNOWN);
    const struct event *a = (void *)from, *b = (void *)to;
    if (!a->recorded || !b->recorded || !a->timed || !b->timed)
        return INVALID;
    *milliseconds = 1e3f * (float)(b->at.tv_sec - a->at.tv_sec) + 1e-6f * (float)(b->at.tv_nsec - a->at.tv_nsec);
    return 0;
}
int cuStreamWaitEvent(object stream, object e, unsigned flags) {
    NEEDS_CONTEXT(UNKNOWN);
    const struct event *event = (void *)e;
    if (stream != queue || !event->recorded || flags)
        return INVALID;
    do_late((uintptr_t)event->stream, 0);
    return 0;
}
/* What CCD_STANDIN_PINNED names is memory of the host that CUDA knows. */
int cuPointerGetAttribute(void *value, int what, uint64_t p) {
    NEEDS_CONTEXT(UNKNOWN);
    const char *pinned = getenv("CCD_STANDIN_PINNED");
    if (what == 2 && pinned && strtoull(pinned, NULL, 10) == p)
        *(int *)value = 1;
    else if (!holder(p))
        return INVALID;
    else if (what == 2)
        *(int *)value = 2;
    else if (what == 9)
        *(int *)value = 0;
    else
        return INVALID;
    return 0;
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
    for (uint32_t i = 0; i < n; i++) { /* an argument is a pointer or has four bytes, as the kernel knows */
        uint32_t space = 0;
        if (CL(int, clGetKernelArgInfo, object, uint32_t, uint32_t, size_t, void *, size_t *)(f, i, 0x1196, sizeof space,
                                                                                              &space, NULL) ||
            (space == 0x119B ? CL(int, clSetKernelArgSVMPointer, object, uint32_t, void *)(f, i, *(void **)arguments[i])
                             : CL(int, clSetKernelArg, object, uint32_t, size_t, void *)(f, i, 4, arguments[i]))) {
            return INVALID;
        }
    }
    const size_t local = 256, global = 256 * (size_t)gx;
    return CL(int, clEnqueueNDRangeKernel, object, object, uint32_t, void *, const size_t *, const size_t *, uint32_t,
              void *, void *)(queue, f, 1, NULL, &global, &local, 0, NULL, NULL)
               ? UNKNOWN
               : 0;
}
