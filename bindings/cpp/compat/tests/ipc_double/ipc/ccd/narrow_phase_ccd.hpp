// narrow_phase_ccd.hpp - a double of ipc-toolkit's interface for the tests: what libccd's adapter derives from, nothing else. The
// declarations follow release 1.6.1; the real headers need a dozen libraries that are not packaged.
#pragma once

#include <Eigen/Core>

namespace Eigen {
template <class T> using ConstRef = const Ref<const T> &;
} // namespace Eigen

namespace ipc {

using VectorMax3d = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1>;

class NarrowPhaseCCD {
    using P = Eigen::ConstRef<VectorMax3d>;
    using P3 = Eigen::ConstRef<Eigen::Vector3d>;

public:
    NarrowPhaseCCD() = default;
    virtual ~NarrowPhaseCCD() = default;

    virtual bool point_point_ccd(P, P, P, P, double &toi, const double min_distance = 0.0,
                                 const double tmax = 1.0) const = 0;
    virtual bool point_edge_ccd(P, P, P, P, P, P, double &toi, const double min_distance = 0.0,
                                const double tmax = 1.0) const = 0;
    virtual bool point_triangle_ccd(P3, P3, P3, P3, P3, P3, P3, P3, double &toi, const double min_distance = 0.0,
                                    const double tmax = 1.0) const = 0;
    virtual bool edge_edge_ccd(P3, P3, P3, P3, P3, P3, P3, P3, double &toi, const double min_distance = 0.0,
                               const double tmax = 1.0) const = 0;

    double conservative_rescaling;
};

} // namespace ipc
