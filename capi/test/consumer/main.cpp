// main.cpp - uses the C++ and the C header as they were installed.
#include <ccd/ccd.hpp>

int main() {
    const double q[12] = {0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0};
    ccd_impact hit;
    if (ccd_pair_point_point(q, nullptr, &hit) != CCD_OK || hit.verdict != CCD_CONTACT) {
        return 1;
    }
    return ccd::version() == CCD_VERSION && ccd::pair::point_point(q).toi_lo == hit.toi_lo ? 0 : 1;
}
