//go:build linux && cgo

/*
 * cuda.c - devices of NVIDIA's driver, libcuda.so.1. The prototypes are written down here from its documentation, so no header is
 * needed. The kernels come as PTX, which clang compiled ahead of time (ptx.go); the driver compiles it for the device when it is opened.
 *
 * A device is used in its primary context, which it shares with other libraries of the process. A thread of Go may change between two
 * calls, so each function pushes the context and pops it again.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct opaque *object;
typedef uint64_t pointer; /* CUdeviceptr */

enum { MAJOR = 75, MINOR = 76, LEAST_MAJOR = 7 }; /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_... ; the PTX is for sm_70 */

static struct {
    int (*Init)(unsigned);
    int (*DriverGetVersion)(int *);
    int (*DeviceGetCount)(int *);
    int (*DeviceGet)(int *, int);
    int (*DeviceGetName)(char *, int, int);
    int (*DeviceGetAttribute)(int *, int, int);
    int (*DeviceTotalMem)(size_t *, int);
    int (*PrimaryCtxRetain)(object *, int);
    int (*PrimaryCtxRelease)(int);
    int (*CtxPush)(object);
    int (*CtxPop)(object *);
    int (*CtxSynchronize)(void);
    int (*ModuleLoadData)(object *, const void *);
    int (*ModuleUnload)(object);
    int (*ModuleGetFunction)(object *, object, const char *);
    int (*MemAlloc)(pointer *, size_t);
    int (*MemFree)(pointer);
    int (*CopyUp)(pointer, const void *, size_t, object);
    int (*CopyDown)(void *, pointer, size_t, object);
    int (*StreamCreate)(object *, unsigned);
    int (*StreamDestroy)(object);
    int (*StreamSynchronize)(object);
    int (*EventCreate)(object *, unsigned);
    int (*EventDestroy)(object);
    int (*EventRecord)(object, object);
    int (*StreamWaitEvent)(object, object, unsigned);
    int (*PointerGetAttribute)(void *, int, pointer);
    int (*LaunchKernel)(object, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, object, void **,
                        void **);
} cu;

static const char *const names[] = {
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDeviceGetAttribute",
    "cuDeviceTotalMem_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuCtxSynchronize",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventRecord",
    "cuStreamWaitEvent",
    "cuPointerGetAttribute",
    "cuLaunchKernel",
};
#define FUNCTIONS (int)(sizeof names / sizeof *names)
_Static_assert(sizeof cu == sizeof names, "a name for each function");

enum { MAX_KERNELS = 64, NON_BLOCKING = 1, DISABLE_TIMING = 2, INVALID_VALUE = 1, NO_CONTEXT = 201 };
enum { MEMORY_TYPE = 2, DEVICE_ORDINAL = 9 }; /* CU_POINTER_ATTRIBUTE_... */
enum { TYPE_DEVICE = 2, TYPE_UNIFIED = 4 };   /* CU_MEMORYTYPE_... */

struct ccd_gpu {
    int device;
    object context, module, stream;
    struct {
        char name[64];
        object function;
    } kernels[MAX_KERNELS];
    int count;
    char error[CCD_GPU_LOG];
};

/* load opens the library once and starts the driver: 0, or -1. The caller holds a lock. */
static int load(char why[CCD_GPU_TEXT]) {
    static void *library;
    if (library) {
        return 0;
    }
    static const char *const paths[] = {"libcuda.so.1", NULL};
    void *opened = ccd_gpu_library("CCD_LIBCUDA", paths, why);
    if (!opened || ccd_gpu_functions(opened, names, (void **)&cu, FUNCTIONS, why)) {
        return -1;
    }
    const int e = cu.Init(0);
    if (e) {
        snprintf(why, CCD_GPU_TEXT, "cuInit failed with CUDA's error %d", e);
        return -1;
    }
    library = opened;
    return 0;
}

static int devices(char why[CCD_GPU_TEXT]) {
    int n = 0;
    if (load(why)) {
        return 0;
    }
    const int e = cu.DeviceGetCount(&n);
    if (e) {
        snprintf(why, CCD_GPU_TEXT, "cuDeviceGetCount failed with CUDA's error %d", e);
        return 0;
    }
    return n;
}

static void describe(int index, ccd_gpu_info *out) {
    int device = 0, major = 0, minor = 0, version = 0;
    size_t memory = 0;
    memset(out, 0, sizeof *out);
    if (cu.DeviceGet(&device, index) || cu.DeviceGetName(out->name, sizeof out->name - 1, device) ||
        cu.DeviceGetAttribute(&major, MAJOR, device) || cu.DeviceGetAttribute(&minor, MINOR, device) ||
        cu.DeviceTotalMem(&memory, device) || cu.DriverGetVersion(&version)) {
        snprintf(out->refused, sizeof out->refused, "the driver does not describe it");
    } else if (major < LEAST_MAJOR) {
        snprintf(out->refused, sizeof out->refused, "its compute capability is %d.%d, less than 7.0", major, minor);
    }
    out->memory = memory;
    snprintf(out->driver, sizeof out->driver, "CUDA %d.%d, compute capability %d.%d", version / 1000, version % 1000 / 10,
             major, minor);
}

static int list(ccd_gpu_info *out, int cap, char why[CCD_GPU_TEXT]) {
    const int n = devices(why);
    for (int i = 0; i < n && i < cap; i++) {
        describe(i, &out[i]);
    }
    return n < cap ? n : cap;
}

static int failed(ccd_gpu *g, const char *what, int code) {
    snprintf(g->error, sizeof g->error, "%s failed with CUDA's error %d", what, code);
    return -1;
}

/* enter makes the device's context the thread's; leave gives the thread its own back. */
static int enter(ccd_gpu *g) {
    const int e = cu.CtxPush(g->context);
    return e ? failed(g, "cuCtxPushCurrent", e) : 0;
}

static int leave(ccd_gpu *g, const char *what, int code) {
    object popped;
    const int e = cu.CtxPop(&popped);
    if (code) {
        return failed(g, what, code);
    }
    return e ? failed(g, "cuCtxPopCurrent", e) : 0;
}

static void shut(ccd_gpu *g) {
    if (g->context && !cu.CtxPush(g->context)) {
        object popped;
        if (g->stream) {
            cu.StreamDestroy(g->stream);
        }
        if (g->module) {
            cu.ModuleUnload(g->module);
        }
        cu.CtxPop(&popped);
    }
    if (g->context) {
        cu.PrimaryCtxRelease(g->device);
    }
    free(g);
}

static int start(ccd_gpu *g, int index, const char *program) {
    int e = cu.DeviceGet(&g->device, index);
    if (e) {
        return failed(g, "cuDeviceGet", e);
    }
    e = cu.PrimaryCtxRetain(&g->context, g->device);
    if (e) {
        g->context = NULL;
        return failed(g, "cuDevicePrimaryCtxRetain", e);
    }
    if (enter(g)) {
        return -1;
    }
    const char *what = "cuModuleLoadData";
    e = cu.ModuleLoadData(&g->module, program);
    if (!e) {
        what = "cuStreamCreate";
        e = cu.StreamCreate(&g->stream, NON_BLOCKING);
    } else {
        g->module = NULL;
    }
    if (e) {
        g->stream = NULL;
    }
    return leave(g, what, e);
}

static ccd_gpu *open_(int index, const char *program, size_t length, const char *options, char log[CCD_GPU_LOG]) {
    char why[CCD_GPU_TEXT] = "";
    (void)length, (void)options;
    if (index >= devices(why)) {
        snprintf(log, CCD_GPU_LOG, "%s", *why ? why : "there is no device of this index");
        return NULL;
    }
    ccd_gpu *g = calloc(1, sizeof *g);
    if (!g) {
        snprintf(log, CCD_GPU_LOG, "no memory");
        return NULL;
    }
    if (start(g, index, program)) {
        snprintf(log, CCD_GPU_LOG, "%s", g->error);
        shut(g);
        return NULL;
    }
    return g;
}

static int alloc(ccd_gpu *g, size_t bytes, ccd_gpu_buffer *out) {
    *out = 0;
    if (enter(g)) {
        return -1;
    }
    const int e = cu.MemAlloc(out, bytes);
    if (e) {
        *out = 0;
    }
    return leave(g, "cuMemAlloc", e);
}

static void release(ccd_gpu *g, ccd_gpu_buffer b) {
    if (!enter(g)) {
        leave(g, "cuMemFree", cu.MemFree(b));
    }
}

/* The host's memory may go when a copy has returned, so both copies wait. */
static int up(ccd_gpu *g, ccd_gpu_buffer to, const void *from, size_t bytes) {
    if (enter(g)) {
        return -1;
    }
    int e = cu.CopyUp(to, from, bytes, g->stream);
    const int waited = cu.StreamSynchronize(g->stream);
    return leave(g, e ? "cuMemcpyHtoDAsync" : "cuStreamSynchronize", e ? e : waited);
}

static int down(ccd_gpu *g, void *to, ccd_gpu_buffer from, size_t bytes) {
    if (enter(g)) {
        return -1;
    }
    int e = cu.CopyDown(to, from, bytes, g->stream);
    const int waited = cu.StreamSynchronize(g->stream);
    return leave(g, e ? "cuMemcpyDtoHAsync" : "cuStreamSynchronize", e ? e : waited);
}

static object kernel(ccd_gpu *g, const char *name) {
    for (int i = 0; i < g->count; i++) {
        if (!strcmp(g->kernels[i].name, name)) {
            return g->kernels[i].function;
        }
    }
    object made = NULL;
    if (g->count == MAX_KERNELS || strlen(name) >= sizeof g->kernels[0].name) {
        failed(g, name, -1);
        return NULL;
    }
    const int e = cu.ModuleGetFunction(&made, g->module, name);
    if (e || !made) {
        failed(g, "cuModuleGetFunction", e);
        return NULL;
    }
    snprintf(g->kernels[g->count].name, sizeof g->kernels[0].name, "%s", name);
    g->kernels[g->count++].function = made;
    return made;
}

static int launch(ccd_gpu *g, const char *name, size_t groups, const ccd_gpu_arg *args, int n) {
    void *places[CCD_GPU_MAX_ARGS];
    if (enter(g)) {
        return -1;
    }
    object k = kernel(g, name);
    if (!k) {
        object popped;
        cu.CtxPop(&popped);
        return -1;
    }
    for (int i = 0; i < n; i++) {
        places[i] = (void *)&args[i].value; /* the driver copies as many bytes as the kernel declares; little-endian */
    }
    const int e = cu.LaunchKernel(k, (unsigned)groups, 1, 1, 256, 1, 1, 0, g->stream, places, NULL);
    return leave(g, "cuLaunchKernel", e);
}

static int finish(ccd_gpu *g) {
    if (enter(g)) {
        return -1;
    }
    return leave(g, "cuCtxSynchronize", cu.CtxSynchronize());
}

static int wait_(ccd_gpu *g, uint64_t stream) {
    object event = NULL;
    if (enter(g)) {
        return -1;
    }
    const char *what = "cuEventCreate";
    int e = cu.EventCreate(&event, DISABLE_TIMING);
    if (!e) {
        what = "cuEventRecord";
        e = cu.EventRecord(event, (object)(uintptr_t)stream);
        if (!e) {
            what = "cuStreamWaitEvent";
            e = cu.StreamWaitEvent(g->stream, event, 0);
        }
        const int destroyed = cu.EventDestroy(event); /* the driver keeps it until the stream has waited */
        if (!e && destroyed) {
            what = "cuEventDestroy";
            e = destroyed;
        }
    }
    return leave(g, what, e);
}

/* in_context makes the primary context of the first device that of a thread that has none; out_of_context takes it away again. */
static int in_context(int *device) {
    object context = NULL;
    int e = cu.DeviceGet(device, 0);
    if (e || (e = cu.PrimaryCtxRetain(&context, *device))) {
        return e;
    }
    e = cu.CtxPush(context);
    if (e) {
        cu.PrimaryCtxRelease(*device);
    }
    return e;
}

static void out_of_context(int device) {
    object popped;
    cu.CtxPop(&popped);
    cu.PrimaryCtxRelease(device);
}

/*
 * attribute reads an attribute of an address: 0, or -1 with a text in why. *known: the driver said that it knows no such memory.
 */
static int attribute(int what, pointer address, int *value, int *known, char why[CCD_GPU_TEXT]) {
    int e = cu.PointerGetAttribute(value, what, address);
    if (e == NO_CONTEXT) {
        int device = 0;
        e = in_context(&device);
        if (e) {
            snprintf(why, CCD_GPU_TEXT, "the context of the first device failed with CUDA's error %d", e);
            return -1;
        }
        e = cu.PointerGetAttribute(value, what, address);
        out_of_context(device);
    }
    if (e) {
        *known = e == INVALID_VALUE;
        if (*known) {
            snprintf(why, CCD_GPU_TEXT, "not memory that CUDA knows");
        } else {
            snprintf(why, CCD_GPU_TEXT, "cuPointerGetAttribute failed with CUDA's error %d", e);
        }
        return -1;
    }
    return 0;
}

static int find(uint64_t address, int *index, int *known, char why[CCD_GPU_TEXT]) {
    int type = 0;
    *known = 0;
    if (!devices(why)) {
        return -1;
    }
    if (attribute(MEMORY_TYPE, address, &type, known, why)) {
        return -1;
    }
    if (type != TYPE_DEVICE && type != TYPE_UNIFIED) {
        *known = 1;
        snprintf(why, CCD_GPU_TEXT, "memory of the host");
        return -1;
    }
    if (attribute(DEVICE_ORDINAL, address, index, known, why)) {
        *known = 0; /* it is memory of a device, whose number the driver does not say */
        return -1;
    }
    *known = 1;
    return 0;
}

static const char *error(const ccd_gpu *g) { return g->error; }

const ccd_gpu_driver ccd_gpu_cuda = {list, open_, shut, alloc, release, up, down, launch, finish, wait_, find, error};
