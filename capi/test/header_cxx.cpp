// header_cxx.cpp - the header compiles as C++17, and its functions have C linkage.
#include "ccd.h"
#include "ccd.h"

int main() {
    ccd_options options;
    ccd_options_init(&options, sizeof options);
    return options.struct_size == sizeof options && ccd_version() == CCD_VERSION ? 0 : 1;
}
