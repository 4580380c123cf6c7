/* fails.h - the call whose number CCD_FAIL_CALL names fails; CCD_FAIL_COUNT names the file that gets the number of calls. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fails counts a call, and reports whether it is the one to fail. */
static int fails(void) {
    static char last[32];
    static uint64_t calls;
    const char *now = getenv("CCD_FAIL_CALL"), *file = getenv("CCD_FAIL_COUNT");
    now = now ? now : "";
    if (strcmp(now, last) != 0) {
        snprintf(last, sizeof last, "%s", now);
        calls = 0;
    }
    calls++;
    FILE *f = file ? fopen(file, "wb") : NULL;
    if (f) {
        fwrite(&calls, sizeof calls, 1, f);
        fclose(f);
    }
    return *now && calls == strtoull(now, NULL, 10);
}
