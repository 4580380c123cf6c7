// upstream.cpp - the answers of the stand-in: 42, and true where ours is false.
#include "upstream.hpp"

namespace ticcd {

bool edgeEdgeCCD(const V &, const V &, const V &, const V &, const V &, const V &, const V &, const V &, const Array3 &,
                 const double, double &toi, const double, const double, const long, double &, bool,
                 const CCDRootFindingMethod) {
    toi = 42;
    return true;
}

bool vertexFaceCCD(const V &, const V &, const V &, const V &, const V &, const V &, const V &, const V &, const Array3 &,
                   const double, double &toi, const double, const double, const long, double &, bool,
                   const CCDRootFindingMethod) {
    toi = 42;
    return true;
}

Array3 get_numerical_error(const std::vector<V> &, const bool, const bool) { return Array3::Constant(42); }

void Timer::start() {
    for (double &x : many_more_bytes_) {
        x = 42;
    }
}

double Timer::getElapsedTimeInMicroSec() { return many_more_bytes_[31]; }

} // namespace ticcd

bool inclusion_ccd::edgeEdgeCCD_double(const V &, const V &, const V &, const V &, const V &, const V &, const V &,
                                       const V &, const std::array<double, 3> &, const double, double &toi, const double,
                                       const double, const int, double &, const int, bool) {
    toi = 42;
    return true;
}

namespace scalable_ccd {

AABB::AABB() : other_bytes(), element_id(42) {}

bool AABB::intersects(const AABB &) const { return true; }

void build_vertex_boxes(const Eigen::MatrixXd &, const Eigen::MatrixXd &, std::vector<AABB> &boxes, const double) {
    boxes.assign(42, AABB());
}

void sort_and_sweep(std::vector<AABB>, int &, std::vector<std::pair<int, int>> &overlaps) { overlaps = {{42, 42}}; }

} // namespace scalable_ccd

bool CTCD::vertexVertexCTCD(const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &,
                            const Eigen::Vector3d &, double, double &t) {
    t = 42;
    return true;
}

bool ccd::edgeEdgeMSCCD(const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &,
                        const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &,
                        const double, const CCDMethod, const double, const long, const std::array<double, 3> &) {
    return true;
}
