/* status.c - the names of statuses, the version, and the text of each thread's last error. */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *ccd_status_name(ccd_status status) {
    switch (status) {
    case CCD_OK:
        return "CCD_OK";
    case CCD_E_ARGUMENT:
        return "CCD_E_ARGUMENT";
    case CCD_E_NONFINITE:
        return "CCD_E_NONFINITE";
    case CCD_E_INDEX:
        return "CCD_E_INDEX";
    case CCD_E_HANDLE:
        return "CCD_E_HANDLE";
    case CCD_E_MEMORY:
        return "CCD_E_MEMORY";
    case CCD_E_CANCELLED:
        return "CCD_E_CANCELLED";
    case CCD_E_FORKED:
        return "CCD_E_FORKED";
    case CCD_E_UNSUPPORTED:
        return "CCD_E_UNSUPPORTED";
    case CCD_E_INTERNAL:
        return "CCD_E_INTERNAL";
    case CCD_E_FILE:
        return "CCD_E_FILE";
    }
    return "unknown status";
}

uint32_t ccd_version(void) { return CCD_VERSION; }

/*
 * The text lives behind a pthread key, not in a _Thread_local array: a library that is opened at run time gets its static
 * thread storage from a small reserve of the loader, which is not ours to use up. The key's destructor frees the text when
 * the thread ends.
 */
static char no_memory[] = "no memory for the text of the error";

static pthread_key_t key;
static int key_exists;

static void release(void *text) {
    if (text != no_memory) {
        free(text);
    }
}

__attribute__((constructor)) static void make_key(void) { key_exists = pthread_key_create(&key, release) == 0; }

void ccd_error_set(const char *bytes, size_t length) {
    if (!key_exists) {
        return;
    }
    char *text = malloc(length + 1);
    if (text == NULL) {
        text = no_memory;
    } else {
        memcpy(text, bytes, length);
        text[length] = 0;
    }
    char *old = pthread_getspecific(key);
    if (pthread_setspecific(key, text) != 0) {
        old = text;
    }
    release(old);
}

ccd_status ccd_error_forked(void) {
    static const char text[] = "this process is the child of a fork: the library's threads stayed in the parent; "
                               "load the library in the child, or start the child with exec";
    ccd_error_set(text, sizeof text - 1);
    return CCD_E_FORKED;
}

size_t ccd_last_error(char *buf, size_t cap) {
    const char *text = key_exists ? pthread_getspecific(key) : NULL;
    size_t length = text == NULL ? 0 : strlen(text);
    if (buf == NULL || cap == 0) {
        return length;
    }
    size_t n = length < cap - 1 ? length : cap - 1;
    if (n > 0) {
        memcpy(buf, text, n);
    }
    buf[n] = 0;
    return length;
}
