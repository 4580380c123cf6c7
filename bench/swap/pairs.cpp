// pairs.cpp - times single queries through one of the interfaces of bindings/cpp/compat, chosen at compile time: as one who swaps
// it in calls it, from C++. For bench/ccdbench/swap.py.
//
//   pairs KIND < QUERIES    KIND is 1 (vertex-face) or 2 (edge-edge); 24 doubles a query, all points at t=0, then at t=1
//
// Prints a line a query: microseconds of this thread, whether there is a contact.
#if defined(TIGHT_INCLUSION)
#include <tight_inclusion/ccd.hpp>
#elif defined(CCD_WRAPPER)
#include <ccd.hpp>
#elif defined(CTCD_H)
#include <CTCD.h>
#elif defined(IPC_TOOLKIT)
#include <ccd/compat/ipc_narrow_phase.hpp>
#endif

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using V = Eigen::Vector3d;

static bool ask(bool face, const std::array<V, 8> &p) {
#if defined(TIGHT_INCLUSION)
    double toi, reached;
    const auto call = face ? ticcd::vertexFaceCCD : ticcd::edgeEdgeCCD;
    return call(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], ticcd::Array3::Constant(-1), 0, toi, 1e-6, 1, 1000000,
                reached, false, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
#elif defined(CCD_WRAPPER)
    const auto method = ccd::CCDMethod::TIGHT_INCLUSION;
    return face ? ccd::vertexFaceCCD(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], method)
                : ccd::edgeEdgeCCD(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], method);
#elif defined(CTCD_H)
    double t;
    return face ? CTCD::vertexFaceCTCD(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], 0, t)
                : CTCD::edgeEdgeCTCD(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], 0, t);
#elif defined(IPC_TOOLKIT)
    static const ccd::compat::IpcNarrowPhase narrow;
    double toi;
    return face ? narrow.point_triangle_ccd(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], toi)
                : narrow.edge_edge_ccd(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], toi);
#endif
}

static double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

int main(int, char **argv) {
    const bool face = std::atoi(argv[1]) == 1;
    std::array<double, 24> q;
    while (std::fread(q.data(), sizeof q, 1, stdin) == 1) {
        std::array<V, 8> p;
        for (std::size_t i = 0; i < 8; i++) {
            p[i] = V(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
        }
        const bool hit = ask(face, p); // untimed: the first touch
        std::array<double, 5> times;
        for (double &time : times) { // eight calls at a time, for the clock costs as much as one; the median counts
            const double start = now();
            for (int k = 0; k < 8; k++) {
                ask(face, p);
            }
            time = (now() - start) / 8;
        }
        std::nth_element(times.begin(), times.begin() + 2, times.end());
        std::printf("%.4f %d\n", times[2], hit);
    }
}
