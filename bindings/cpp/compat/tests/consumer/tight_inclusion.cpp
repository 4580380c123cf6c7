// tight_inclusion.cpp - a program written for Tight Inclusion.
#include <tight_inclusion/ccd.hpp>
#include <tight_inclusion/inclusion_ccd.hpp>
#include <tight_inclusion/logger.hpp>

#ifdef EXPECT_SPDLOG
static_assert(CCD_HAS_SPDLOG, "the target of spdlog is linked where the program has one");
#endif

int main() {
    using V = Eigen::Vector3d;
    double toi, reached;
    const bool hit = ticcd::vertexFaceCCD(V(.25, .25, 1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(.25, .25, -1), V(0, 0, 0),
                                          V(1, 0, 0), V(0, 1, 0), Eigen::Array3d(-1, -1, -1), 0, toi, 1e-6, 1, -1, reached);
    double old_toi;
    const bool old =
        inclusion_ccd::vertexFaceCCD_double(V(.25, .25, 1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(.25, .25, -1), V(0, 0, 0),
                                            V(1, 0, 0), V(0, 1, 0), {{-1, -1, -1}}, 0, old_toi, 1e-6, 1, 1000000, reached);
    ticcd::logger().debug("time of impact {}", toi);
    // The primitives are left apart at toi, by the tolerance.
    return hit && toi > 0.499 && toi < 0.5 && old && old_toi > 0.499 && old_toi < 0.5 ? 0 : 1;
}
