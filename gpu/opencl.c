//go:build linux && cgo

/*
 * opencl.c - devices of libOpenCL.so.1, which finds the drivers of all vendors. The prototypes are written down here from the OpenCL 1.2
 * specification, so no header is needed. The kernels are compiled by the driver when a device is opened.
 *
 * A processor that offers itself as an OpenCL device (PoCL) is listed and refused, unless CCD_OPENCL_CPU=1: the library's own
 * kernels are faster there. Tests set it.
 */
#define _GNU_SOURCE
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct opaque *object;

enum {
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_MEM_READ_WRITE = 1,
};
#define CL_DEVICE_TYPE_CPU 2u
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFFu
/* Of CL_DEVICE_DOUBLE_FP_CONFIG: denormals, infinities and NaN, rounding to nearest, fma. */
#define CL_FP_NEEDED (1u << 0 | 1u << 1 | 1u << 2 | 1u << 5)

static struct {
    int (*GetPlatformIDs)(uint32_t, object *, uint32_t *);
    int (*GetDeviceIDs)(object, uint64_t, uint32_t, object *, uint32_t *);
    int (*GetDeviceInfo)(object, uint32_t, size_t, void *, size_t *);
    object (*CreateContext)(const intptr_t *, uint32_t, const object *, void *, void *, int *);
    int (*ReleaseContext)(object);
    object (*CreateCommandQueue)(object, object, uint64_t, int *);
    int (*ReleaseCommandQueue)(object);
    object (*CreateProgramWithSource)(object, uint32_t, const char **, const size_t *, int *);
    int (*BuildProgram)(object, uint32_t, const object *, const char *, void *, void *);
    int (*GetProgramBuildInfo)(object, object, uint32_t, size_t, void *, size_t *);
    int (*ReleaseProgram)(object);
    object (*CreateKernel)(object, const char *, int *);
    int (*ReleaseKernel)(object);
    int (*SetKernelArg)(object, uint32_t, size_t, const void *);
    object (*CreateBuffer)(object, uint64_t, size_t, void *, int *);
    int (*ReleaseMemObject)(object);
    int (*EnqueueWriteBuffer)(object, object, uint32_t, size_t, size_t, const void *, uint32_t, void *, void *);
    int (*EnqueueReadBuffer)(object, object, uint32_t, size_t, size_t, void *, uint32_t, void *, void *);
    int (*EnqueueNDRangeKernel)(object, object, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *,
                                void *);
    int (*Finish)(object);
} cl;

static const char *const names[] = {
    "clGetPlatformIDs",     "clGetDeviceIDs",        "clGetDeviceInfo",        "clCreateContext",
    "clReleaseContext",     "clCreateCommandQueue",  "clReleaseCommandQueue",  "clCreateProgramWithSource",
    "clBuildProgram",       "clGetProgramBuildInfo", "clReleaseProgram",       "clCreateKernel",
    "clReleaseKernel",      "clSetKernelArg",        "clCreateBuffer",         "clReleaseMemObject",
    "clEnqueueWriteBuffer", "clEnqueueReadBuffer",   "clEnqueueNDRangeKernel", "clFinish",
};
#define FUNCTIONS (int)(sizeof names / sizeof *names)
_Static_assert(sizeof cl == sizeof names, "a name for each function");

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64, MAX_KERNELS = 64 };

struct ccd_gpu {
    object device, context, queue, program;
    struct {
        char name[64];
        object kernel;
    } kernels[MAX_KERNELS];
    int count;
    char error[CCD_GPU_LOG];
};

/* load opens the library once: 0, or -1. The caller holds a lock. */
static int load(char why[CCD_GPU_TEXT]) {
    static void *library;
    if (library) {
        return 0;
    }
    static const char *const paths[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    void *opened = ccd_gpu_library("CCD_OPENCL", paths, why);
    if (!opened || ccd_gpu_functions(opened, names, (void **)&cl, FUNCTIONS, why)) {
        return -1;
    }
    library = opened;
    return 0;
}

/* devices writes the devices of all platforms, in the order of the drivers: those that are no processors first. */
static int devices(object *list, int cap, char why[CCD_GPU_TEXT]) {
    object platforms[MAX_PLATFORMS];
    uint32_t n = 0;
    if (cl.GetPlatformIDs(MAX_PLATFORMS, platforms, &n) || n == 0) {
        snprintf(why, CCD_GPU_TEXT, "OpenCL has no driver");
        return 0;
    }
    int count = 0;
    for (int processors = 0; processors < 2; processors++) {
        for (uint32_t p = 0; p < n && p < MAX_PLATFORMS; p++) {
            object found[MAX_DEVICES];
            uint32_t m = 0;
            if (cl.GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, found, &m)) {
                continue;
            }
            for (uint32_t d = 0; d < m && d < MAX_DEVICES && count < cap; d++) {
                uint64_t type = 0;
                cl.GetDeviceInfo(found[d], CL_DEVICE_TYPE, sizeof type, &type, NULL);
                if (!!(type & CL_DEVICE_TYPE_CPU) == processors) {
                    list[count++] = found[d];
                }
            }
        }
    }
    if (count == 0) {
        snprintf(why, CCD_GPU_TEXT, "OpenCL's drivers have no device");
    }
    return count;
}

static uint64_t number(object device, uint32_t what, size_t size) {
    uint64_t value = 0; /* little-endian, as all processors that this file is built for */
    return cl.GetDeviceInfo(device, what, size, &value, NULL) ? 0 : value;
}

static void describe(object device, ccd_gpu_info *out) {
    char version[CCD_GPU_TEXT / 2] = "", driver[CCD_GPU_TEXT / 4] = "";
    memset(out, 0, sizeof *out);
    cl.GetDeviceInfo(device, CL_DEVICE_NAME, sizeof out->name - 1, out->name, NULL);
    cl.GetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    cl.GetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
    snprintf(out->driver, sizeof out->driver, "%s, driver %s", version, driver);
    out->memory = number(device, CL_DEVICE_GLOBAL_MEM_SIZE, 8);
    out->processor = !!(number(device, CL_DEVICE_TYPE, 8) & CL_DEVICE_TYPE_CPU);
    const char *allowed = secure_getenv("CCD_OPENCL_CPU");
    const char *why = "";
    if (!number(device, CL_DEVICE_AVAILABLE, 4)) {
        why = "the driver says that it is not available";
    } else if (!number(device, CL_DEVICE_COMPILER_AVAILABLE, 4)) {
        why = "its driver has no compiler";
    } else if (!number(device, CL_DEVICE_ENDIAN_LITTLE, 4)) {
        why = "it is big-endian";
    } else if ((number(device, CL_DEVICE_DOUBLE_FP_CONFIG, 8) & CL_FP_NEEDED) != CL_FP_NEEDED) {
        why = "it has no double precision with denormals, rounding to nearest and fma";
    } else if (number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)) < 256) {
        why = "its groups have less than 256 items";
    } else if (number(device, CL_DEVICE_LOCAL_MEM_SIZE, 8) < 32 << 10) {
        why = "it has less than 32 KiB of local memory";
    } else if (out->processor && !(allowed && !strcmp(allowed, "1"))) {
        why = "it is a processor, on which device 'cpu' is faster; CCD_OPENCL_CPU=1 in the environment allows it";
    }
    snprintf(out->refused, sizeof out->refused, "%s", why);
}

static int list(ccd_gpu_info *out, int cap, char why[CCD_GPU_TEXT]) {
    object found[MAX_DEVICES];
    if (load(why)) {
        return 0;
    }
    const int n = devices(found, cap < MAX_DEVICES ? cap : MAX_DEVICES, why);
    for (int i = 0; i < n; i++) {
        describe(found[i], &out[i]);
    }
    return n;
}

static int failed(ccd_gpu *g, const char *what, int code) {
    snprintf(g->error, sizeof g->error, "%s failed with OpenCL's error %d", what, code);
    return -1;
}

static void shut(ccd_gpu *g) {
    for (int i = 0; i < g->count; i++) {
        cl.ReleaseKernel(g->kernels[i].kernel);
    }
    if (g->program) {
        cl.ReleaseProgram(g->program);
    }
    if (g->queue) {
        cl.ReleaseCommandQueue(g->queue);
    }
    if (g->context) {
        cl.ReleaseContext(g->context);
    }
    free(g);
}

/* quote appends the beginning of the compiler's messages to the error. */
static void quote(ccd_gpu *g) {
    size_t size = 0;
    if (cl.GetProgramBuildInfo(g->program, g->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size == 0 ||
        size > 1 << 24) {
        return;
    }
    char *log = calloc(1, size + 1);
    if (log && !cl.GetProgramBuildInfo(g->program, g->device, CL_PROGRAM_BUILD_LOG, size, log, NULL)) {
        const size_t n = strlen(g->error);
        snprintf(g->error + n, sizeof g->error - n, ": %s", log);
    }
    free(log);
}

static int start(ccd_gpu *g, const char *text, size_t length, const char *options) {
    int e = 0;
    g->context = cl.CreateContext(NULL, 1, &g->device, NULL, NULL, &e);
    if (!g->context || e) {
        return failed(g, "clCreateContext", e);
    }
    g->queue = cl.CreateCommandQueue(g->context, g->device, 0, &e);
    if (!g->queue || e) {
        return failed(g, "clCreateCommandQueue", e);
    }
    g->program = cl.CreateProgramWithSource(g->context, 1, &text, &length, &e);
    if (!g->program || e) {
        return failed(g, "clCreateProgramWithSource", e);
    }
    e = cl.BuildProgram(g->program, 1, &g->device, options, NULL, NULL);
    if (e) {
        failed(g, "clBuildProgram", e);
        quote(g);
        return -1;
    }
    return 0;
}

static ccd_gpu *open_(int index, const char *text, size_t length, const char *options, char log[CCD_GPU_LOG]) {
    object found[MAX_DEVICES];
    char why[CCD_GPU_TEXT] = "";
    if (load(why) || index >= devices(found, MAX_DEVICES, why)) {
        snprintf(log, CCD_GPU_LOG, "%s", *why ? why : "there is no device of this index");
        return NULL;
    }
    ccd_gpu *g = calloc(1, sizeof *g);
    if (!g) {
        snprintf(log, CCD_GPU_LOG, "no memory");
        return NULL;
    }
    g->device = found[index];
    if (start(g, text, length, options)) {
        snprintf(log, CCD_GPU_LOG, "%s", g->error);
        shut(g);
        return NULL;
    }
    return g;
}

static int alloc(ccd_gpu *g, size_t bytes, ccd_gpu_buffer *out) {
    int e = 0;
    object b = cl.CreateBuffer(g->context, CL_MEM_READ_WRITE, bytes, NULL, &e);
    *out = (uintptr_t)b;
    if (!b || e) {
        *out = 0;
        return failed(g, "clCreateBuffer", e);
    }
    return 0;
}

static void release(ccd_gpu *g, ccd_gpu_buffer b) {
    (void)g;
    cl.ReleaseMemObject((object)(uintptr_t)b);
}

static int up(ccd_gpu *g, ccd_gpu_buffer to, const void *from, size_t bytes) {
    const int e = cl.EnqueueWriteBuffer(g->queue, (object)(uintptr_t)to, 1, 0, bytes, from, 0, NULL, NULL);
    return e ? failed(g, "clEnqueueWriteBuffer", e) : 0;
}

static int down(ccd_gpu *g, void *to, ccd_gpu_buffer from, size_t bytes) {
    const int e = cl.EnqueueReadBuffer(g->queue, (object)(uintptr_t)from, 1, 0, bytes, to, 0, NULL, NULL);
    return e ? failed(g, "clEnqueueReadBuffer", e) : 0;
}

static object kernel(ccd_gpu *g, const char *name) {
    for (int i = 0; i < g->count; i++) {
        if (!strcmp(g->kernels[i].name, name)) {
            return g->kernels[i].kernel;
        }
    }
    int e = 0;
    if (g->count == MAX_KERNELS || strlen(name) >= sizeof g->kernels[0].name) {
        failed(g, name, -1);
        return NULL;
    }
    object made = cl.CreateKernel(g->program, name, &e);
    if (!made || e) {
        failed(g, "clCreateKernel", e);
        return NULL;
    }
    snprintf(g->kernels[g->count].name, sizeof g->kernels[0].name, "%s", name);
    g->kernels[g->count++].kernel = made;
    return made;
}

static int launch(ccd_gpu *g, const char *name, size_t groups, const ccd_gpu_arg *args, int n) {
    object k = kernel(g, name);
    if (!k) {
        return -1;
    }
    for (int i = 0; i < n; i++) {
        const int e = cl.SetKernelArg(k, (uint32_t)i, args[i].size, &args[i].value);
        if (e) {
            return failed(g, "clSetKernelArg", e);
        }
    }
    const size_t local = 256, global = 256 * groups;
    const int e = cl.EnqueueNDRangeKernel(g->queue, k, 1, NULL, &global, &local, 0, NULL, NULL);
    return e ? failed(g, "clEnqueueNDRangeKernel", e) : 0;
}

static int finish(ccd_gpu *g) {
    const int e = cl.Finish(g->queue);
    return e ? failed(g, "clFinish", e) : 0;
}

/* A buffer of OpenCL belongs to its context, and a queue of one context cannot wait for another's: no arrays of callers. */
static int wait_(ccd_gpu *g, uint64_t stream) {
    (void)stream;
    snprintf(g->error, sizeof g->error, "a device of OpenCL waits for no stream of the caller's");
    return -1;
}

static int find(uint64_t address, int *index, int *known, char why[CCD_GPU_TEXT]) {
    (void)address, (void)index;
    *known = 1;
    snprintf(why, CCD_GPU_TEXT, "a buffer of OpenCL belongs to a context of the caller's");
    return -1;
}

static const char *error(const ccd_gpu *g) { return g->error; }

const ccd_gpu_driver ccd_gpu_opencl = {list, open_, shut, alloc, release, up, down, launch, finish, wait_, find, error};
