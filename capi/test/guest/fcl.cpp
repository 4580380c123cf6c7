// fcl.cpp - one program uses FCL, which stands on the other libccd, and this library, and each answers as it does alone.
#include <ccd/ccd.hpp>
#include <fcl/fcl.h>

#include <cstdio>
#include <memory>

static bool solids_meet(double distance) {
    fcl::CollisionObjectd a(std::make_shared<fcl::Boxd>(1, 1, 1)), b(std::make_shared<fcl::Cylinderd>(0.5, 1));
    b.setTranslation(fcl::Vector3d(distance, 0, 0));
    b.computeAABB();
    fcl::CollisionRequestd request;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResultd result;
    return fcl::collide(&a, &b, request, result) > 0;
}

int main() {
    const double q[12] = {0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0};
    for (int i = 0; i < 100; i++) {
        if (!solids_meet(0.9) || solids_meet(1.1) || ccd::pair::point_point(q).toi_lo != 0.5) {
            std::puts("an answer is wrong where both libraries are loaded");
            return 1;
        }
    }
    return 0;
}
