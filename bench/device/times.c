/*
 * times.c - stands before NVIDIA's driver (CCD_LIBCUDA names this library) and measures every kernel with two events. All other calls go to
 * libcuda.so.1, on which this library depends. ccd_times writes what was measured: a line for each kernel with its launches, the sum of their
 * times and the median, in milliseconds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct opaque *object;

enum { KERNELS = 64, LAUNCHES = 1 << 16, OPEN = 4096 };
static struct {
    char name[64];
    object function;
    int launches;
    float *times;
} kernels[KERNELS];
static struct {
    object before, after;
    int kernel;
} open_[OPEN]; /* launches whose events are not read */
static int kernel_count, open_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *real(const char *name) {
    static void *library;
    if (!library) {
        library = dlopen("libcuda.so.1", RTLD_NOW);
    }
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        fprintf(stderr, "times: libcuda.so.1 has no %s\n", name);
        abort();
    }
    return found;
}
#define REAL(name, ...) ((int (*)(__VA_ARGS__))real(name))

/* read_ reads the events of all launches, which have ended. */
static void read_(void) {
    for (int i = 0; i < open_count; i++) {
        float time = 0;
        const int k = open_[i].kernel;
        if (!REAL("cuEventElapsedTime", float *, object, object)(&time, open_[i].before, open_[i].after) &&
            kernels[k].launches < LAUNCHES) {
            kernels[k].times[kernels[k].launches++] = time;
        }
        REAL("cuEventDestroy_v2", object)(open_[i].before);
        REAL("cuEventDestroy_v2", object)(open_[i].after);
    }
    open_count = 0;
}

int cuModuleGetFunction(object *function, object module, const char *name) {
    const int e = REAL("cuModuleGetFunction", object *, object, const char *)(function, module, name);
    pthread_mutex_lock(&lock);
    if (!e && kernel_count < KERNELS) {
        snprintf(kernels[kernel_count].name, sizeof kernels[0].name, "%s", name);
        kernels[kernel_count].times = calloc(LAUNCHES, sizeof(float));
        kernels[kernel_count++].function = *function;
    }
    pthread_mutex_unlock(&lock);
    return e;
}

int cuLaunchKernel(object f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   object stream, void **arguments, void **extra) {
    pthread_mutex_lock(&lock);
    int k = 0, timed = 0;
    while (k < kernel_count && kernels[k].function != f) {
        k++;
    }
    if (k < kernel_count && open_count < OPEN) {
        timed = !REAL("cuEventCreate", object *, unsigned)(&open_[open_count].before, 0) &&
                !REAL("cuEventCreate", object *, unsigned)(&open_[open_count].after, 0) &&
                !REAL("cuEventRecord", object, object)(open_[open_count].before, stream);
    }
    const int e = REAL("cuLaunchKernel", object, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       object, void **, void **)(f, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra);
    if (timed && !e && !REAL("cuEventRecord", object, object)(open_[open_count].after, stream)) {
        open_[open_count++].kernel = k;
    }
    pthread_mutex_unlock(&lock);
    return e;
}

int cuStreamSynchronize(object stream) {
    const int e = REAL("cuStreamSynchronize", object)(stream);
    pthread_mutex_lock(&lock);
    read_(); /* the library has one stream, so all launches have ended */
    pthread_mutex_unlock(&lock);
    return e;
}

static int ascending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* ccd_times writes the lines to a buffer of n bytes, and forgets what was measured. */
void ccd_times(char *out, size_t n) {
    size_t at = 0;
    *out = 0;
    pthread_mutex_lock(&lock);
    for (int k = 0; k < kernel_count; k++) {
        const int count = kernels[k].launches;
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += kernels[k].times[i];
        }
        qsort(kernels[k].times, (size_t)count, sizeof(float), ascending);
        if (count && at < n) {
            at += (size_t)snprintf(out + at, n - at, "%s %d %.6f %.6f\n", kernels[k].name, count, sum,
                                   kernels[k].times[count / 2]);
        }
        kernels[k].launches = 0;
    }
    pthread_mutex_unlock(&lock);
}
