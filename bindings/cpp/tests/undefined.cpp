// undefined.cpp - arguments that the library refuses do not overflow in the headers before. Compiled with the sanitizer of undefined
// behavior, which traps where something does.
#include "check.hpp"

#include <limits>

namespace {

// A patch of any degrees is an error, and never undefined behavior.
void degrees_of_patches() {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max(),
                           least = std::numeric_limits<std::int32_t>::min();
    const double four[12] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}, none[1] = {0};
    const ccd::Points x(four), nothing(ccd::View<double>(none, 0));
    const ccd::patch::Patch good = {{CCD_PATCH_QUAD, 1, 1}, x, x};
    for (std::int32_t shape : {CCD_PATCH_CURVE, CCD_PATCH_QUAD, CCD_PATCH_TRIANGLE, 0, most}) {
        for (std::int32_t u : {least, -65536, -3, -2, -1, 46340, 65535, most - 1, most}) {
            for (std::int32_t v : {least, -65536, -3, -2, -1, 0, 1, 46340, 65535, most}) {
                THROWS(ccd::patch::pair({{shape, u, v}, x, x}, good), CCD_E_ARGUMENT, "");
                THROWS(ccd::patch::pair(good, {{shape, u, v}, x, x}), CCD_E_ARGUMENT, "");
                THROWS(ccd::patch::pair({{shape, u, v}, nothing, nothing}, good), CCD_E_ARGUMENT, "");
            }
        }
    }
    // 65536 * 65536 is 2^32: in 32 bits this form would want no points at all.
    THROWS(ccd::patch::pair({{CCD_PATCH_QUAD, 65535, 65535}, x, x}, good), CCD_E_ARGUMENT, "u degree 65535");
    THROWS(ccd::patch::pair({{CCD_PATCH_QUAD, 2, 1}, x, x}, good), CCD_E_ARGUMENT, "asks for (6): x0 has 4, x1 has 4");
    CHECK(ccd::patch::pair(good, good).verdict == CCD_CONTACT);
}

void degrees_of_nurbs() {
    const double knots[4] = {0, 0, 1, 1};
    for (int degree : {46341, 65535, std::numeric_limits<int>::max()}) {
        THROWS(ccd::PatchBody::nurbs(degree, 0, knots, {}), CCD_E_ARGUMENT, "");
        THROWS(ccd::PatchBody::nurbs(1, degree, knots, knots), CCD_E_ARGUMENT, "");
        THROWS(ccd::PatchBody::nurbs(degree, degree, knots, knots, {1, 1, 1, 1}), CCD_E_ARGUMENT, "weights");
    }
}

} // namespace

int main() {
    degrees_of_patches();
    degrees_of_nurbs();
    return failures != 0;
}
