/*
 * plugin.c - a host that knows nothing of the library loads a plugin that is linked with it, on a thread whose floating-point
 * environment is not the default, as it is in a program of which a part was linked with -ffast-math; then it runs the plugin on another
 * thread. The plugin is capi/test/environment.c: all its answers, on Go's threads too, must be those of the defaults.
 *
 * plugin PLUGIN: the environment is still the host's when the loading is over.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *run(void *entry) { return (void *)(intptr_t)(*(int (**)(void))entry)(); }

int main(int argc, char **argv) {
    (void)argc;
    fesetround(FE_UPWARD);
#ifdef __x86_64__
    const unsigned host = __builtin_ia32_stmxcsr() | 0x8040; /* denormal results and inputs are zero */
    __builtin_ia32_ldmxcsr(host);
#endif
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
#ifdef __x86_64__
    if (__builtin_ia32_stmxcsr() != host) {
        fprintf(stderr, "loading changed the environment from %x to %x\n", host, __builtin_ia32_stmxcsr());
        return 1;
    }
#endif
    if (fegetround() != FE_UPWARD) {
        fprintf(stderr, "loading changed the rounding\n");
        return 1;
    }
    int (*entry)(void);
    *(void **)&entry = dlsym(plugin, "plugin_main");
    pthread_t thread;
    void *failed = plugin;
    if (entry == NULL || pthread_create(&thread, NULL, run, &entry) != 0 || pthread_join(thread, &failed) != 0) {
        fprintf(stderr, "the plugin does not run\n");
        return 1;
    }
    return (int)(intptr_t)failed;
}
