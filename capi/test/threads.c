/*
 * threads.c - two threads use one mesh while a third makes and destroys others; then a mesh is destroyed while all use it:
 * calls under way end well, later ones get CCD_E_HANDLE. Each thread reads its own error text.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static ccd_mesh *shared;
static atomic_int started;

static void *use(void *unused) {
    (void)unused;
    for (int i = 0; i < 300; i++) {
        ccd_impact out;
        OK(ccd_step_earliest(shared, tri_x0, tri_x1, TRI_VERTICES, NULL, &out));
        CHECK(out.verdict == CCD_CONTACT && out.toi_lo <= 0.5 && out.toi_lo > 0.49);
    }
    return NULL;
}

static void *make_and_destroy(void *unused) {
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        ccd_mesh *mesh = triangles();
        OK(ccd_mesh_destroy(mesh));
        FAILS(ccd_mesh_destroy(mesh), CCD_E_HANDLE, "mesh was destroyed");
    }
    return NULL;
}

/* Uses the mesh until it is gone, and changes its filters meanwhile. */
static void *use_until_destroyed(void *unused) {
    const int32_t patch[TRI_VERTICES] = {0, 0, 0, 1, 1, 1};
    (void)unused;
    atomic_fetch_add(&started, 1);
    for (;;) {
        ccd_impact out;
        ccd_status status = ccd_step_earliest(shared, tri_x0, tri_x1, TRI_VERTICES, NULL, &out);
        if (status != CCD_OK) {
            check_status(status, CCD_E_HANDLE, "mesh was destroyed", __FILE__, __LINE__);
            CHECK(out.verdict == CCD_UNDECIDED && out.toi_lo == 0);
            return NULL;
        }
        CHECK(out.verdict == CCD_CONTACT);
        ccd_mesh_set_groups(shared, patch, TRI_VERTICES);
    }
}

/* The text of an error is the thread's own: it has the index that this thread got wrong. */
static void *own_error(void *index) {
    for (int i = 0; i < 500; i++) {
        double q[24];
        char name[16];
        ccd_impact out;
        memcpy(q, falling, sizeof q);
        q[(intptr_t)index] = 1e200;
        snprintf(name, sizeof name, "q[%d]", (int)(intptr_t)index);
        FAILS(ccd_pair_vertex_face(q, NULL, &out), CCD_E_NONFINITE, name);
    }
    return NULL;
}

static void run(int n, void *(*const work[])(void *), void *const argument[]) {
    pthread_t thread[8];
    for (int i = 0; i < n; i++) {
        CHECK(pthread_create(&thread[i], NULL, work[i], argument == NULL ? NULL : argument[i]) == 0);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(thread[i], NULL);
    }
}

static void *destroy_shared(void *unused) {
    (void)unused;
    while (atomic_load(&started) < 3) {
    }
    struct timespec wait = {.tv_nsec = 20000000};
    nanosleep(&wait, NULL);
    OK(ccd_mesh_destroy(shared));
    return NULL;
}

int main(void) {
    shared = triangles();
    run(3, (void *(*const[])(void *)){use, use, make_and_destroy}, NULL);
    run(4, (void *(*const[])(void *)){use_until_destroyed, use_until_destroyed, use_until_destroyed, destroy_shared}, NULL);
    run(4, (void *(*const[])(void *)){own_error, own_error, own_error, own_error},
        (void *const[]){(void *)3, (void *)7, (void *)11, (void *)23});
    return done();
}
