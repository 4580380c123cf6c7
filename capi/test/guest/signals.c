/*
 * signals.c - a host with handlers of its own keeps them: those of before the library was loaded, and those of after. It faults
 * on purpose in its own code, before, between and after calls, and is profiled by a timer during calls.
 *
 * signals LIBRARY [after]: with `after` the handlers are installed when the library is there already.
 */
#define _GNU_SOURCE
#include "host.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

static sigjmp_buf back;
static volatile sig_atomic_t faults, ticks, interrupts, hangups;

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
    faults++;
    siglongjmp(back, 1);
}
static void on_tick(int signal) { (void)signal, ticks++; }
static void on_interrupt(int signal) { (void)signal, interrupts++; }
static void on_hangup(int signal) { (void)signal, hangups++; }

static void install(int signal, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_RESTART};
    CHECK(sigaction(signal, &action, NULL) == 0);
}

static void handlers(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    install(SIGPROF, on_tick);
    install(SIGINT, on_interrupt);
    install(SIGHUP, on_hangup);
    struct itimerval often = {{0, 1000}, {0, 1000}};
    CHECK(setitimer(ITIMER_PROF, &often, NULL) == 0);
}

/* A read where nothing may be read: the host's handler must get it, and the host goes on. */
static void fault(void) {
    static volatile int *nothing;
    if (nothing == NULL) {
        nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    int before = faults;
    if (sigsetjmp(back, 1) == 0) {
        (void)*nothing;
    }
    CHECK(faults == before + 1);
}

static void *work(void *unused) {
    for (int i = 0; i < 100000; i++) {
        call_once();
    }
    return unused;
}

int main(int argc, char **argv) {
    int after = argc > 2 && strcmp(argv[2], "after") == 0;
    if (!after) {
        handlers();
        fault();
    }
    load(argv[1]);
    if (after) {
        call_once();
        handlers();
    }
    fault();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    }
    for (int i = 0; i < 50; i++) {
        fault();
        raise(SIGINT);
        kill(getpid(), SIGHUP);
        call_once();
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    fault();
    CHECK(interrupts == 50 && hangups > 0 && ticks > 10);

    struct sigaction now;
    CHECK(sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == on_interrupt);
    CHECK(sigaction(SIGPROF, NULL, &now) == 0 && now.sa_handler == on_tick);
    CHECK(sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
    CHECK(sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
    return host_done();
}
