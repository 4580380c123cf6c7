// ipc_toolkit.cpp - a program written for ipc-toolkit, with libccd as both phases.
#include <ccd/compat/ipc_toolkit.hpp>

int main() {
    const ccd::compat::IpcNarrowPhase narrow;
    using V = Eigen::Vector3d;
    double toi = -1;
    const bool hit = narrow.point_triangle_ccd(V(.25, .25, 1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(.25, .25, -1),
                                               V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), toi);
    ccd::compat::IpcBroadPhase broad;
    broad.build(Eigen::MatrixXd::Zero(2, 3), Eigen::MatrixXi(), Eigen::MatrixXi());
    std::vector<ipc::VertexVertexCandidate> candidates;
    broad.detect_vertex_vertex_candidates(candidates);
    return hit && toi > 0.499 && toi < 0.5 && candidates.size() == 1 ? 0 : 1;
}
