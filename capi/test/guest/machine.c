/*
 * machine.c - machine CPUS FOLDER PROGRAM ARGUMENTS... runs a program on a machine of so many processors, in a container whose files
 * cgroup, mountinfo and cpu.max are those of the folder, whatever machine this is.
 *
 * Go's runtime asks the kernel directly, so nothing between it and the kernel's calls would do: the program is traced, and two of its
 * calls are answered otherwise. sched_getaffinity finds the mask made up; openat finds /proc/self/cgroup and mountinfo in the folder, in
 * which the program runs, the name in its memory having been shortened. No privilege is needed, and no setting of the system is touched.
 *
 * The exit status is the program's; 77 where a process may not be traced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 256, UNTRACED = 77 };

/* What each thread is in the middle of. */
static struct thread {
    pid_t id;
    uint64_t mask; /* address that sched_getaffinity writes to, or 0 */
} threads[THREADS];

static unsigned long cpus; /* the first word of the mask */
static int memory;         /* the program's memory as a file */

static struct thread *thread_of(pid_t id) {
    for (int i = 0; i < THREADS; i++) {
        if (threads[i].id == id || threads[i].id == 0) {
            threads[i].id = id;
            return &threads[i];
        }
    }
    fprintf(stderr, "the program has more than %d threads\n", THREADS);
    exit(1);
}

/* The program opens the file of the same name in its folder instead. The text may be constant: this writes all the same. */
static void shorten(uint64_t name) {
    static const char *const files[] = {"/proc/self/cgroup", "/proc/self/mountinfo"};
    char text[32] = "";
    if (pread(memory, text, sizeof text - 1, (off_t)name) <= 0) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const char *shorter = strrchr(files[i], '/') + 1;
        if (strcmp(text, files[i]) == 0 && pwrite(memory, shorter, strlen(shorter) + 1, (off_t)name) < 0) {
            perror("pwrite");
            exit(1);
        }
    }
}

static void call(pid_t id) {
    struct __ptrace_syscall_info info;
    struct thread *t = thread_of(id);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, id, sizeof info, &info) < 0) {
        return;
    }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        t->mask = info.entry.nr == SYS_sched_getaffinity ? info.entry.args[2] : 0;
        if (info.entry.nr == SYS_openat) {
            shorten(info.entry.args[1]);
        }
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && t->mask != 0 && info.exit.rval >= (int64_t)sizeof cpus) {
        unsigned char all[1024] = {0};
        memcpy(all, &cpus, sizeof cpus);
        size_t size = (size_t)info.exit.rval < sizeof all ? (size_t)info.exit.rval : sizeof all;
        if (pwrite(memory, all, size, (off_t)t->mask) < 0) {
            perror("pwrite");
            exit(1);
        }
        t->mask = 0;
    }
}

static int trace(pid_t program) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", (int)program);
    for (int status;;) {
        pid_t id = waitpid(-1, &status, __WALL);
        if (id < 0) {
            perror("waitpid");
            return 1;
        }
        if (id == program && WIFEXITED(status)) {
            return WEXITSTATUS(status);
        }
        if (id == program && WIFSIGNALED(status)) {
            fprintf(stderr, "the program ended by signal %d\n", WTERMSIG(status));
            return 1;
        }
        if (!WIFSTOPPED(status)) {
            continue;
        }
        int signal = WSTOPSIG(status);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) { /* another memory */
            memory = open(name, O_RDWR);
        }
        if (signal == (SIGTRAP | 0x80)) {
            call(id);
        }
        if (signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP) {
            signal = 0;
        }
        ptrace(PTRACE_SYSCALL, id, 0, signal);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        return 2;
    }
    cpus = (1ul << atoi(argv[1])) - 1;
    pid_t program = fork();
    if (program == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0) {
            _exit(UNTRACED);
        }
        raise(SIGSTOP);
        if (chdir(argv[2]) == 0) {
            execv(argv[3], argv + 3);
        }
        perror(argv[3]);
        _exit(1);
    }
    int status;
    if (waitpid(program, &status, 0) < 0 || !WIFSTOPPED(status)) {
        return UNTRACED;
    }
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, program, 0, options) < 0 || ptrace(PTRACE_SYSCALL, program, 0, 0) < 0) {
        return UNTRACED;
    }
    return trace(program);
}
