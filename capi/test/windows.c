/*
 * windows.c - what only a host on Windows does. The library is loaded at run time, by a thread that flushes denormals and rounds up: its
 * own threads must compute in the defaults all the same. Exceptions of the host's code reach the host's handlers, floating-point traps
 * among them; paths are UTF-8; and the library stays loaded after FreeLibrary.
 */
/* check.h calls these two, which are loaded like all others. */
#include "ccd.h"
#include <stddef.h>
static __typeof__(&ccd_last_error) ccd_last_error_;
static __typeof__(&ccd_status_name) ccd_status_name_;
#define ccd_last_error ccd_last_error_
#define ccd_status_name ccd_status_name_
#include "check.h"
#undef ccd_last_error
#undef ccd_status_name

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define FUNCTIONS(each)                                                                                                    \
    each(ccd_mesh_create) each(ccd_mesh_destroy) each(ccd_step_collisions) each(ccd_impacts_count) each(ccd_impacts_copy)  \
        each(ccd_impacts_destroy) each(ccd_options_init) each(ccd_pair_vertex_face) each(ccd_surface_file_read)            \
            each(ccd_surface_file_counts) each(ccd_surface_file_destroy)
#define POINTER(name) static __typeof__(&name) name##_;
FUNCTIONS(POINTER)

static void load(void) {
    HMODULE library = LoadLibraryW(L"ccd-toi.dll");
    CHECK(library != NULL);
#define FIND(name)                                                                                                         \
    name##_ = (__typeof__(name##_))(uintptr_t)GetProcAddress(library, #name);                                              \
    CHECK(name##_ != NULL);
    FUNCTIONS(FIND)
    FIND(ccd_last_error)
    FIND(ccd_status_name)
    CHECK(FreeLibrary(library)); /* all goes on */
}

/* ---- the environment of Go's threads ---- */

#if defined(__x86_64__)
static void environment_set(unsigned word) { __builtin_ia32_ldmxcsr(word); }
static unsigned environment(void) { return __builtin_ia32_stmxcsr(); }
enum { DEFAULTS = 0x1f80, FLUSHED_UP = 0xdfc0, TRAPS_DIVISION = 0x1d80 };
#else
static void environment_set(unsigned word) { __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)word) : "memory"); }
static unsigned environment(void) {
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word) : : "memory");
    return (unsigned)word;
}
enum { DEFAULTS = 0, FLUSHED_UP = 1 << 24 | 1 << 22, TRAPS_DIVISION = 0 }; /* processors may have no traps */
#endif

enum { SIDE = 60, VERTICES = 2 * SIDE * SIDE, FACES = 4 * (SIDE - 1) * (SIDE - 1), MOST = 1 << 17 };

/* Two sheets of denormal size that cross at half the step: with denormals flushed everything is in one point. */
static void denormal_sheets(void) {
    static double x0[3 * VERTICES], x1[3 * VERTICES];
    static int32_t faces[3 * FACES];
    const double unit = 0x1p-1060;
    int f = 0;
    for (int i = 0; i < VERTICES; i++) {
        const int sheet = i / (SIDE * SIDE), column = i % SIDE, row = i / SIDE % SIDE;
        const double x[3] = {(16 * column + 5 * sheet) * unit, (16 * row + 3 * sheet) * unit, 8 * sheet * unit};
        memcpy(x0 + 3 * i, x, sizeof x);
        memcpy(x1 + 3 * i, x, sizeof x);
        x1[3 * i + 2] -= 16 * sheet * unit;
        if (column + 1 < SIDE && row + 1 < SIDE) {
            const int32_t two[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(faces + 6 * f++, two, sizeof two);
        }
    }
    ccd_mesh *mesh = NULL;
    OK(ccd_mesh_create_(VERTICES, NULL, 0, faces, FACES, &mesh));
    static ccd_impact list[2][MOST];
    size_t counts[2] = {0, 0};
    for (int i = 0; i < 2; i++) { /* one thread: the caller's own. Four: Go's too */
        ccd_options options;
        ccd_impacts *impacts = NULL;
        ccd_options_init_(&options, sizeof options);
        options.threads = i == 0 ? 1 : 4;
        environment_set(FLUSHED_UP);
        ccd_status status = ccd_step_collisions_(mesh, x0, x1, VERTICES, &options, &impacts);
        CHECK((environment() | 0x3f) == (FLUSHED_UP | 0x3f)); /* flags aside, which the host's own code may set */
        environment_set(DEFAULTS);
        OK(status);
        OK(ccd_impacts_copy_(impacts, list[i], MOST, &counts[i]));
        OK(ccd_impacts_destroy_(impacts));
    }
    CHECK(counts[0] > VERTICES && counts[0] <= MOST && counts[0] == counts[1]);
    CHECK(memcmp(list[0], list[1], counts[0] * sizeof *list[0]) == 0);
    for (size_t i = 0; i < counts[0]; i++) {
        CHECK(list[0][i].verdict == CCD_CONTACT && list[0][i].toi_lo == 0.5);
    }
    OK(ccd_mesh_destroy_(mesh));
}

/* ---- exceptions ---- */

static DWORD seen; /* the exception that the host's handler got */
static void *back[5];

static LONG CALLBACK handler(EXCEPTION_POINTERS *exception) {
    DWORD code = exception->ExceptionRecord->ExceptionCode;
    if (code == EXCEPTION_ACCESS_VIOLATION || code == EXCEPTION_FLT_DIVIDE_BY_ZERO || code == 0xe0cd0001) {
        seen = code;
        environment_set(DEFAULTS);
        __builtin_longjmp(back, 1);
    }
    return EXCEPTION_CONTINUE_SEARCH;
}

static volatile double zero;
static int *volatile nowhere;

static void raise_one(DWORD code) {
    if (code == EXCEPTION_ACCESS_VIOLATION) {
        *nowhere = 1;
    } else if (code == EXCEPTION_FLT_DIVIDE_BY_ZERO) {
        zero = 1 / zero;
    } else {
        RaiseException(code, 0, 0, NULL);
    }
}

static void exceptions(int late) {
    static const DWORD codes[] = {EXCEPTION_ACCESS_VIOLATION, 0xe0cd0001, EXCEPTION_FLT_DIVIDE_BY_ZERO};
    void *added = AddVectoredExceptionHandler(late ? 0 : 1, handler);
    CHECK(added != NULL);
    for (size_t i = 0; i < sizeof codes / sizeof *codes - (TRAPS_DIVISION == 0); i++) {
        ccd_impact hit;
        seen = 0;
        environment_set(TRAPS_DIVISION);
        ccd_status status = ccd_pair_vertex_face_(falling, NULL, &hit);
        CHECK((environment() & ~0x3fu) == TRAPS_DIVISION);
        if (__builtin_setjmp(back) == 0) {
            raise_one(codes[i]);
        }
        environment_set(DEFAULTS);
        OK(status);
        CHECK(seen == codes[i]);
    }
    RemoveVectoredExceptionHandler(added);
}

/* ---- paths ---- */

static void paths(void) {
    static const wchar_t wide[] = L"K\u00f6rper \u043a\u0443\u0431 \u7acb\u65b9.obj";
    static const char utf8[] = "K\xc3\xb6rper \xd0\xba\xd1\x83\xd0\xb1 \xe7\xab\x8b\xe6\x96\xb9.obj";
    FILE *file = _wfopen(wide, L"wb");
    CHECK(file != NULL);
    fputs("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", file);
    fclose(file);
    ccd_surface_file *read = NULL;
    size_t vertices = 0, faces = 0;
    OK(ccd_surface_file_read_(utf8, &read));
    OK(ccd_surface_file_counts_(read, &vertices, NULL, &faces));
    CHECK(vertices == 3 && faces == 1);
    OK(ccd_surface_file_destroy_(read));
    CHECK(_wremove(wide) == 0);
    FAILS(ccd_surface_file_read_(utf8, &read), CCD_E_FILE, utf8);
    CHECK(read == NULL);
    FAILS(ccd_surface_file_read_("NUL", &read), CCD_E_FILE, "NUL");
    FAILS(ccd_surface_file_read_(".", &read), CCD_E_FILE, "directory");
    FAILS(ccd_surface_file_read_("C:\\no\\such\\file.obj", &read), CCD_E_FILE, "C:\\no\\such\\file.obj");
    FAILS(ccd_surface_file_read_("\xff\xfe.obj", &read), CCD_E_FILE, ".obj");
}

int main(void) {
    environment_set(FLUSHED_UP);
    load();
    environment_set(DEFAULTS);
    denormal_sheets();
    exceptions(0);
    exceptions(1); /* behind Go's own */
    paths();
    return done();
}
