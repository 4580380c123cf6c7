// ccd_wrapper.cpp - a program written for the CCD-Wrapper benchmark.
#include <ccd.hpp>

int main() {
    using V = Eigen::Vector3d;
    return ccd::edgeEdgeCCD(V(-1, 0, 1), V(1, 0, 1), V(0, -1, 0), V(0, 1, 0), V(-1, 0, -1), V(1, 0, -1), V(0, -1, 0),
                            V(0, 1, 0), ccd::CCDMethod::TIGHT_INCLUSION)
               ? 0
               : 1;
}
