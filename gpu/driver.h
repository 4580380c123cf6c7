/*
 * driver.h - what the package needs of a device: twelve functions, which cuda.c and opencl.c each fill in.
 *
 * The libraries of vendors are opened by dlopen at the first call, so nothing of them is needed to build or to load this package.
 * No function is called from two threads at once for one device. All return 0, or -1 with a text in the device's error.
 */
#ifndef CCD_GPU_DRIVER_H
#define CCD_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define CCD_GPU_TEXT 256
#define CCD_GPU_LOG 2048
#define CCD_GPU_MAX_ARGS 24

/* A buffer on a device; 0 is none. It is also the value of a kernel's argument. */
typedef uint64_t ccd_gpu_buffer;

/* A device as its driver lists it. refused says why it cannot be used; "" if nothing speaks against it before it is opened. */
typedef struct ccd_gpu_info {
    char name[CCD_GPU_TEXT], driver[CCD_GPU_TEXT], refused[CCD_GPU_TEXT];
    uint64_t memory;
    int32_t processor; /* the device is a CPU */
} ccd_gpu_info;

/* An argument of a kernel: size bytes (4 or 8) of value. */
typedef struct ccd_gpu_arg {
    uint64_t value;
    uint32_t size;
} ccd_gpu_arg;

typedef struct ccd_gpu ccd_gpu; /* an open device */

typedef struct ccd_gpu_driver {
    /* Write up to cap devices to list, and return their number; why says why there is none. */
    int (*list)(ccd_gpu_info *list, int cap, char why[CCD_GPU_TEXT]);
    /* Open the device at position index of the list with the kernels of program; NULL, with a text in log, if that fails. */
    ccd_gpu *(*open)(int index, const char *program, size_t length, const char *options, char log[CCD_GPU_LOG]);
    void (*close)(ccd_gpu *);
    int (*alloc)(ccd_gpu *, size_t bytes, ccd_gpu_buffer *);
    void (*free)(ccd_gpu *, ccd_gpu_buffer);
    int (*up)(ccd_gpu *, ccd_gpu_buffer to, const void *from, size_t bytes);
    int (*down)(ccd_gpu *, void *to, ccd_gpu_buffer from, size_t bytes);
    /* Run a kernel on groups of 256 items. Launches run one after the other; up and down wait for them. */
    int (*launch)(ccd_gpu *, const char *kernel, size_t groups, const ccd_gpu_arg *args, int n);
    /* Wait for all work on the device, that of other libraries in the same context too. */
    int (*finish)(ccd_gpu *);
    /* What is launched from now on waits for the work that is on a stream of the caller's, a value of the driver's. */
    int (*wait)(ccd_gpu *, uint64_t stream);
    /* The position in the list of the device in whose memory an address is: 0, or -1 with a text in why. *known: the driver could say. */
    int (*find)(uint64_t address, int *index, int *known, char why[CCD_GPU_TEXT]);
    const char *(*error)(const ccd_gpu *);
} ccd_gpu_driver;

extern const ccd_gpu_driver ccd_gpu_cuda, ccd_gpu_opencl;

/* Open the library whose path the variable names, or else the first of names that there is, which end with NULL. */
void *ccd_gpu_library(const char *variable, const char *const *names, char why[CCD_GPU_TEXT]);
/* Fill n places from functions of a library: places[i] gets names[i]. 0, or -1 with the name that is missing in why. */
int ccd_gpu_functions(void *library, const char *const *names, void **places, int n, char why[CCD_GPU_TEXT]);
/* Threads that a driver starts between these two calls get no signals: those are the host's. */
void ccd_gpu_signals_block(void *saved);
void ccd_gpu_signals_restore(const void *saved);

#endif
