/*
 * fails.h - the call whose number CCD_FAIL_CALL names fails; CCD_FAIL_COUNT names the file that gets the number of calls. Where no
 * call is to fail (0), the names of all go to the file of this name with ".names" after it, a line each. Where CCD_FAIL_ONLY is set,
 * only functions count whose names begin with it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fails counts a call of the function that it is in, and reports whether it is the one to fail. */
#define fails() failing(__func__)

static int failing(const char *function) {
    static char last[32];
    static uint64_t calls;
    const char *now = getenv("CCD_FAIL_CALL"), *file = getenv("CCD_FAIL_COUNT");
    now = now ? now : "";
    if (strcmp(now, last) != 0) {
        snprintf(last, sizeof last, "%s", now);
        calls = 0;
    }
    const char *only = getenv("CCD_FAIL_ONLY");
    if (only && strncmp(function, only, strlen(only)) != 0) {
        return 0;
    }
    calls++;
    FILE *f = file ? fopen(file, "wb") : NULL;
    if (f) {
        fwrite(&calls, sizeof calls, 1, f);
        fclose(f);
    }
    char path[4096];
    if (file && strcmp(now, "0") == 0 && snprintf(path, sizeof path, "%s.names", file) < (int)sizeof path &&
        (f = fopen(path, calls == 1 ? "wb" : "ab"))) {
        fprintf(f, "%s\n", function);
        fclose(f);
    }
    return *now && calls == strtoull(now, NULL, 10);
}
