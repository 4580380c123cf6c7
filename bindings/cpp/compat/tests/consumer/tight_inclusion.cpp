// tight_inclusion.cpp - a program written for Tight Inclusion.
#include <tight_inclusion/ccd.hpp>

int main() {
    using V = Eigen::Vector3d;
    double toi, reached;
    const bool hit = ticcd::vertexFaceCCD(V(.25, .25, 1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(.25, .25, -1), V(0, 0, 0),
                                          V(1, 0, 0), V(0, 1, 0), Eigen::Array3d(-1, -1, -1), 0, toi, 1e-6, 1, -1, reached);
    return hit && toi == 0.5 ? 0 : 1;
}
