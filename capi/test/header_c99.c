/* header_c99.c - the header compiles as strict C99, twice over, and needs no other. */
#include "ccd.h"
#include "ccd.h"

int main(void) {
    ccd_options options;
    ccd_options_init(&options, sizeof options);
    return options.struct_size == sizeof options && ccd_version() == CCD_VERSION ? 0 : 1;
}
