// scalable_ccd.cpp - a program written for Scalable CCD's broad phase on the CPU.
#include <scalable_ccd/broad_phase/sort_and_sweep.hpp>

int main() {
    Eigen::MatrixXd x0(4, 3), x1(4, 3);
    x0 << 0, 0, 0, 1, 0, 0, 0, -1, 1, 0, 1, 1;
    x1 << 0, 0, 0, 1, 0, 0, 0, -1, -1, 0, 1, -1;
    Eigen::MatrixXi edges(2, 2);
    edges << 0, 1, 2, 3;
    std::vector<scalable_ccd::AABB> vertices, boxes;
    scalable_ccd::build_vertex_boxes(x0, x1, vertices);
    scalable_ccd::build_edge_boxes(vertices, edges, boxes);
    int axis = 0;
    std::vector<std::pair<int, int>> overlaps;
    scalable_ccd::sort_and_sweep(boxes, axis, overlaps);
    return overlaps.size() == 1 && overlaps[0] == std::pair(0, 1) ? 0 : 1;
}
