// ctcd.cpp - a program written for CTCD.h.
#include <CTCD.h>

int main() {
    double t = -1;
    using V = Eigen::Vector3d;
    return CTCD::vertexVertexCTCD(V(0, 0, 1), V(0, 0, 0), V(0, 0, -1), V(0, 0, 0), 0, t) && t == 0.5 ? 0 : 1;
}
