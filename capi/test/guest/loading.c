/*
 * loading.c - the library is loaded late, by a process that has many threads; the first call comes from two of them at once; a
 * dlclose takes nothing away, for Go's runtime cannot be stopped: what was loaded stays, and loading again finds it.
 */
#define _GNU_SOURCE
#include "host.h"

enum { THREADS = 64, CALLERS = 2 };

static pthread_barrier_t barrier;
static volatile int finish;

static void *idle(void *unused) {
    while (!__atomic_load_n(&finish, __ATOMIC_ACQUIRE)) {
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

    pair_call before = vertex_face;
    CHECK(dlclose(library) == 0);
    call_once(); /* still there */
    CHECK(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL);
    load(argv[1]);
    CHECK(vertex_face == before);
    call_once();

    __atomic_store_n(&finish, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return host_done();
}
