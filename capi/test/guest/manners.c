/*
 * manners.c - what a host may have done to itself, one at a time: manners LIBRARY NAME. The library must answer as ever, and leave
 * everything as it was. run.sh starts it once for each name.
 */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#define FUNCTION(name) static __typeof__(&name) name##_
FUNCTION(ccd_mesh_create);
FUNCTION(ccd_mesh_destroy);
FUNCTION(ccd_step_collisions);
FUNCTION(ccd_impacts_count);
FUNCTION(ccd_impacts_destroy);
FUNCTION(ccd_pair_edge_edge);
FUNCTION(ccd_options_init);
FUNCTION(ccd_surface_file_read);
FUNCTION(ccd_surface_file_counts);
FUNCTION(ccd_surface_file_destroy);
FUNCTION(ccd_last_error);

static void load_all(const char *path) {
    void *library = load(path);
#define FIND(name) *(void **)&name##_ = dlsym(library, #name)
    FIND(ccd_mesh_create);
    FIND(ccd_mesh_destroy);
    FIND(ccd_step_collisions);
    FIND(ccd_impacts_count);
    FIND(ccd_impacts_destroy);
    FIND(ccd_pair_edge_edge);
    FIND(ccd_options_init);
    FIND(ccd_surface_file_read);
    FIND(ccd_surface_file_counts);
    FIND(ccd_surface_file_destroy);
    FIND(ccd_last_error);
    CHECK(ccd_last_error_ != NULL);
}

enum { SIDE = 40, POINTS = 2 * SIDE * SIDE, FACES = 4 * (SIDE - 1) * (SIDE - 1) };
static double x0[3 * POINTS], x1[3 * POINTS];
static int32_t faces[3 * FACES];

/* Two wavy sheets, of which one falls through the other. */
static void prepare(void) {
    int f = 0;
    for (int i = 0; i < POINTS; i++) {
        int sheet = i / (SIDE * SIDE), column = i % SIDE, row = i / SIDE % SIDE;
        const double x[3] = {column + 0.3 * sheet, row + 0.2 * sheet, sheet + 0.01 * ((7 * i) % 13)};
        memcpy(x0 + 3 * i, x, sizeof x);
        memcpy(x1 + 3 * i, x, sizeof x);
        x1[3 * i + 2] -= 2.1 * sheet;
        if (column + 1 < SIDE && row + 1 < SIDE) {
            const int32_t two[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(faces + 6 * f++, two, sizeof two);
        }
    }
}

static size_t first_count; /* number of the first impacts, by which later ones are judged */

/* A whole step on all threads, a query by each method, an error. */
static void work(void) {
    ccd_mesh *mesh = NULL;
    ccd_impacts *impacts = NULL;
    size_t count = 0, none = 0;
    call_once();
    CHECK(ccd_mesh_create_(POINTS, NULL, 0, faces, FACES, &mesh) == CCD_OK);
    CHECK(ccd_step_collisions_(mesh, x0, x1, POINTS, NULL, &impacts) == CCD_OK);
    CHECK(ccd_impacts_count_(impacts, &count) == CCD_OK && count > 1000);
    CHECK(__atomic_compare_exchange_n(&first_count, &none, count, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || none == count);
    CHECK(ccd_impacts_destroy_(impacts) == CCD_OK && ccd_mesh_destroy_(mesh) == CCD_OK);
    for (ccd_method method = CCD_METHOD_DEFAULT; method <= CCD_METHOD_EXACT; method++) {
        ccd_options options;
        ccd_impact out;
        ccd_options_init_(&options, sizeof options);
        options.method = method;
        CHECK(ccd_pair_edge_edge_(x0, &options, &out) == CCD_OK);
        CHECK(ccd_pair_edge_edge_(NULL, &options, &out) == CCD_E_ARGUMENT);
    }
}

static void *worker(void *times) {
    for (intptr_t i = 0; i < (intptr_t)times; i++) {
        work();
    }
    return NULL;
}

static void in_thread(void *(*call)(void *), void *argument, size_t stack) {
    pthread_t thread;
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(stack == 0 || pthread_attr_setstacksize(&attributes, stack) == 0);
    CHECK(pthread_create(&thread, &attributes, call, argument) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

/* Stacks of 64 KiB: Go computes on stacks of its own. */
static void small_stacks(void) {
    pthread_t threads[4];
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, 64 << 10) == 0);
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_create(&threads[i], &attributes, worker, (void *)4) == 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Many threads, each for one call. */
static void short_lives(void) {
    for (int i = 0; i < 3000; i++) {
        in_thread((void *(*)(void *))(void (*)(void))call_once, NULL, 0);
    }
}

static volatile sig_atomic_t ticks;
static void on_tick(int signal) { (void)signal, ticks++; }

/* A profiler's timer at 1 kHz that does not restart what it interrupts, on a stack for signals that is the host's own. */
static void profiled(void) {
    size_t size = (size_t)sysconf(_SC_SIGSTKSZ);
    stack_t own = {.ss_sp = malloc(size), .ss_size = size}, after;
    CHECK(own.ss_sp != NULL && sigaltstack(&own, NULL) == 0);
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    CHECK(sigaction(SIGPROF, &action, NULL) == 0 && setitimer(ITIMER_PROF, &often, NULL) == 0);
    worker((void *)30);
    in_thread(worker, (void *)5, 0);
    CHECK(setitimer(ITIMER_PROF, &never, NULL) == 0);
    CHECK(sigaltstack(NULL, &after) == 0 && after.ss_sp == own.ss_sp && after.ss_size == size);
    CHECK(ticks > 10);
}

/* All signals are blocked, as on the threads of a server, which fetches them by name: none goes astray, and none comes unblocked. */
static void *blocked_worker(void *times) {
    sigset_t before, after, mine;
    const struct timespec seconds = {.tv_sec = 5};
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR1);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &before) == 0);
    call_once();
    for (intptr_t i = 0; i < (intptr_t)times; i++) {
        CHECK(kill(getpid(), SIGUSR1) == 0);
        work();
        CHECK(sigtimedwait(&mine, NULL, &seconds) == SIGUSR1);
    }
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &after) == 0);
    for (int i = 1; i < NSIG; i++) {
        int fault = i == SIGSEGV || i == SIGBUS || i == SIGFPE || i == SIGILL || i == SIGTRAP;
        CHECK(fault || sigismember(&after, i) == sigismember(&before, i));
    }
    return NULL;
}
static void blocked_signals(void) {
    sigset_t all;
    sigfillset(&all);
    CHECK(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0); /* this thread blocks them too: nobody else may take them */
    in_thread(blocked_worker, (void *)10, 0);
}

/* Nobody has the files 0, 1 and 2: nothing is written to what comes to have these numbers. */
static void closed_files(void) {
    char name[] = "/tmp/ccd-mannersXXXXXX";
    int file = mkstemp(name);
    struct stat status;
    for (int i = 0; i < 3; i++) {
        close(i);
    }
    CHECK(file >= 0 && dup2(file, 1) == 1 && dup2(file, 2) == 2);
    work();
    CHECK(fstat(file, &status) == 0 && status.st_size == 0);
    unlink(name);
}

/* No more files can be opened: calls need none, and reading one is refused. */
static void no_files(void) {
    ccd_surface_file *file = (ccd_surface_file *)(void *)x0;
    struct rlimit none = {3, 3};
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    int most = dup(0);
    CHECK(most < 0 && errno == EMFILE);
    work();
    CHECK(ccd_surface_file_read_("/etc/passwd", &file) == CCD_E_FILE && file == NULL);
}

/* The folder it stands in is gone. */
static void no_folder(void) {
    char name[] = "/tmp/ccd-mannersXXXXXX";
    ccd_surface_file *file = NULL;
    CHECK(mkdtemp(name) != NULL && chdir(name) == 0 && rmdir(name) == 0);
    work();
    CHECK(ccd_surface_file_read_("a.obj", &file) == CCD_E_FILE && file == NULL);
}

/* Numbers are written with a comma in the host's language: files and texts of errors are not. */
static void comma(void) {
    static const char *const languages[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
    for (int i = 0; i < 4 && setlocale(LC_ALL, languages[i]) == NULL; i++) {
    }
    char point[16], text[256], name[] = "/tmp/ccd-mannersXXXXXX";
    snprintf(point, sizeof point, "%.1f", 0.5);
    printf("%s", strcmp(point, "0,5") == 0 ? "" : "no language with a decimal comma is installed\n");
    static const char surface[] = "v 0 0 0.5\nv 1.25 0 0\nv 0 1e-3 0\nf 1 2 3\n";
    int file = mkstemp(name);
    CHECK(file >= 0 && write(file, surface, sizeof surface - 1) == (ssize_t)sizeof surface - 1);
    char obj[64];
    snprintf(obj, sizeof obj, "%s.obj", name);
    CHECK(rename(name, obj) == 0);
    ccd_surface_file *read = NULL;
    size_t vertices = 0;
    CHECK(ccd_surface_file_read_(obj, &read) == CCD_OK && ccd_surface_file_counts_(read, &vertices, NULL, NULL) == CCD_OK &&
          vertices == 3);
    CHECK(ccd_surface_file_destroy_(read) == CCD_OK);
    unlink(obj);
    double q[24] = {0};
    ccd_impact out;
    q[3] = 1.5e200;
    CHECK(vertex_face(q, NULL, &out) == CCD_E_NONFINITE);
    ccd_last_error_(text, sizeof text);
    CHECK(strstr(text, "1.5e+200") != NULL);
    work();
}

/* A call where a thread ends, and where the process does. */
static pthread_key_t key;
static void at_end(void *unused) {
    (void)unused;
    call_once();
}
static void *with_key(void *unused) {
    call_once();
    CHECK(pthread_setspecific(key, &key) == 0);
    return unused;
}
static void at_exit(void) {
    work();
    if (host_failures > 0) {
        _exit(1);
    }
}
static void late_calls(void) {
    CHECK(pthread_key_create(&key, at_end) == 0);
    for (int i = 0; i < 100; i++) {
        in_thread(with_key, NULL, 0);
    }
    CHECK(atexit(at_exit) == 0);
}

/* Other programs are started; the children of the host are its own to wait for. */
static void programs(void) {
    work();
    for (int i = 0; i < 20; i++) {
        CHECK(system("exit 3") == 3 << 8);
        work();
    }
    int status;
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* Loaded with RTLD_DEEPBIND: see main. */
static void deep_binding(void) { in_thread(worker, (void *)10, 0); }

static const struct {
    const char *name;
    void (*host)(void);
} hosts[] = {
    {"small_stacks", small_stacks}, {"short_lives", short_lives},
    {"profiled", profiled},         {"blocked_signals", blocked_signals},
    {"closed_files", closed_files}, {"no_files", no_files},
    {"no_folder", no_folder},       {"comma", comma},
    {"late_calls", late_calls},     {"programs", programs},
    {"deep_binding", deep_binding},
};

int main(int argc, char **argv) {
    if (argc < 3) {
        for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
            puts(hosts[i].name);
        }
        return 0;
    }
    load_flags |= strcmp(argv[2], "deep_binding") == 0 ? RTLD_DEEPBIND : 0;
    prepare();
    load_all(argv[1]);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        if (strcmp(argv[2], hosts[i].name) == 0) {
            hosts[i].host();
            return host_done();
        }
    }
    return 2;
}
