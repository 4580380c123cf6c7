/*
 * loading.c - checks that a process with many threads can load the library, that two threads may make the first call at the same
 * time, and that dlclose is harmless: the library stays loaded, because the Go runtime cannot be stopped, and a second dlopen
 * returns the same one.
 */
#define _GNU_SOURCE
#include "host.h"

enum { THREADS = 64, CALLERS = 2 };

static pthread_barrier_t barrier;
static int stop_idling;

static void *idle(void *unused) {
    while (!__atomic_load_n(&stop_idling, __ATOMIC_ACQUIRE)) {
        usleep(1000);
    }
    return unused;
}

static void *first_call(void *unused) {
    pthread_barrier_wait(&barrier);
    call_once();
    return unused;
}

int main(int argc, char **argv) {
    (void)argc;
    pthread_t threads[THREADS], callers[CALLERS];
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, idle, NULL) == 0);
    }
    void *library = load(argv[1]);
    pthread_barrier_init(&barrier, NULL, CALLERS);
    for (int i = 0; i < CALLERS; i++) {
        CHECK(pthread_create(&callers[i], NULL, first_call, NULL) == 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i], NULL);
    }

    pair_call vertex_face_before = vertex_face;
    CHECK(dlclose(library) == 0);
    call_once(); /* the library is still loaded */
    CHECK(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL);
    load(argv[1]);
    CHECK(vertex_face == vertex_face_before);
    call_once();

    __atomic_store_n(&stop_idling, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return host_done();
}
