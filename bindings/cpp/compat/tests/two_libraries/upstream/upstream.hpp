// upstream.hpp - a stand-in for the libraries of others: functions of the names and signatures of their headers, which are not inline, in
// one library. Each answers with a number that no query has.
#ifndef UPSTREAM_HPP
#define UPSTREAM_HPP

#include <Eigen/Core>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ticcd {

using V = Eigen::Vector3d;
using Array3 = Eigen::Array3d;
enum class CCDRootFindingMethod { DEPTH_FIRST_SEARCH, BREADTH_FIRST_SEARCH };

bool edgeEdgeCCD(const V &, const V &, const V &, const V &, const V &, const V &, const V &, const V &, const Array3 &err,
                 const double ms, double &toi, const double tolerance, const double t_max, const long max_itr,
                 double &output_tolerance, bool no_zero_toi = false,
                 const CCDRootFindingMethod = CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
bool vertexFaceCCD(const V &, const V &, const V &, const V &, const V &, const V &, const V &, const V &,
                   const Array3 &err, const double ms, double &toi, const double tolerance, const double t_max,
                   const long max_itr, double &output_tolerance, bool no_zero_toi = false,
                   const CCDRootFindingMethod = CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
Array3 get_numerical_error(const std::vector<V> &vertices, const bool is_vertex_face, const bool using_minimum_separation);

class Timer {
public:
    void start();
    double getElapsedTimeInMicroSec();

private:
    double many_more_bytes_[32];
};

} // namespace ticcd

namespace inclusion_ccd {

using V = Eigen::Vector3d;

bool edgeEdgeCCD_double(const V &, const V &, const V &, const V &, const V &, const V &, const V &, const V &,
                        const std::array<double, 3> &err, const double ms, double &toi, const double tolerance,
                        const double t_max, const int max_itr, double &output_tolerance, const int CCD_TYPE = 1,
                        bool no_zero_toi = false);

} // namespace inclusion_ccd

namespace scalable_ccd {

class AABB {
public:
    AABB();
    bool intersects(const AABB &other) const;

    std::array<float, 64> other_bytes;
    long element_id;
};

void build_vertex_boxes(const Eigen::MatrixXd &vertices_t0, const Eigen::MatrixXd &vertices_t1, std::vector<AABB> &boxes,
                        const double inflation_radius = 0);
void sort_and_sweep(std::vector<AABB> boxes, int &sort_axis, std::vector<std::pair<int, int>> &overlaps);

} // namespace scalable_ccd

class CTCD {
public:
    static bool vertexVertexCTCD(const Eigen::Vector3d &q1start, const Eigen::Vector3d &q2start,
                                 const Eigen::Vector3d &q1end, const Eigen::Vector3d &q2end, double eta, double &t);
};

namespace ccd {

enum CCDMethod { FLOATING_POINT_ROOT_FINDER = 0 };

bool edgeEdgeMSCCD(const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &,
                   const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &, const Eigen::Vector3d &,
                   const double min_distance, const CCDMethod method, const double tolerance = 1e-6,
                   const long max_iter = 1000000, const std::array<double, 3> &err = {{-1, -1, -1}});

} // namespace ccd

#endif // UPSTREAM_HPP
