// CTCD.h - the classic floating-point interface of E. Vouga's collision detection, computed by libccd.
//
// Names, argument order and meaning are the original's: true when the primitives ever come within eta of each other
// (Euclidean) for a time in [0, 1]; the earliest such time is then stored in t, rounded down, and t is left alone otherwise.
// What differs:
//
//   whole       The original's vertexFaceCTCD sees only what projects into the face, its edgeEdgeCTCD no parallel edges and no
//               ends, and its caller covers the rest with vertexEdgeCTCD and vertexVertexCTCD. Here each primitive is taken with
//               its boundary; callers who call the others too lose only time.
//   eta = 0     Exact: no collision is missed by the roots of a polynomial in floating point, none is invented.
//   eta > 0     No approach is missed. One may be reported that stays up to eta / 1024 beyond eta.
//   errors      Coordinates that are not finite are thrown as ccd::Error.
//
// TimeInterval and the private solvers of the original are not part of the interface and not here.
#ifndef LIBCCD_TOI_COMPAT_CTCD_H
#define LIBCCD_TOI_COMPAT_CTCD_H

#include <ccd/compat/query.hpp>

#include <Eigen/Core>

#include <cmath>

inline namespace ccd_toi { // its symbols are others than the original's, so that a program may hold both

class CTCD {
public:
    static bool edgeEdgeCTCD(const Eigen::Vector3d &q0start, const Eigen::Vector3d &p0start, const Eigen::Vector3d &q1start,
                             const Eigen::Vector3d &p1start, const Eigen::Vector3d &q0end, const Eigen::Vector3d &p0end,
                             const Eigen::Vector3d &q1end, const Eigen::Vector3d &p1end, double eta, double &t,
                             bool /*print*/ = false) {
        const auto q = ccd::compat::query(q0start, p0start, q1start, p1start, q0end, p0end, q1end, p1end);
        return answer(ccd::pair::edge_edge(q, options(eta)), t);
    }

    static bool vertexFaceCTCD(const Eigen::Vector3d &q0start, const Eigen::Vector3d &q1start,
                               const Eigen::Vector3d &q2start, const Eigen::Vector3d &q3start, const Eigen::Vector3d &q0end,
                               const Eigen::Vector3d &q1end, const Eigen::Vector3d &q2end, const Eigen::Vector3d &q3end,
                               double eta, double &t) {
        const auto q = ccd::compat::query(q0start, q1start, q2start, q3start, q0end, q1end, q2end, q3end);
        return answer(ccd::pair::vertex_face(q, options(eta)), t);
    }

    static bool vertexEdgeCTCD(const Eigen::Vector3d &q0start, const Eigen::Vector3d &q1start,
                               const Eigen::Vector3d &q2start, const Eigen::Vector3d &q0end, const Eigen::Vector3d &q1end,
                               const Eigen::Vector3d &q2end, double eta, double &t) {
        const auto q = ccd::compat::query(q0start, q1start, q2start, q0end, q1end, q2end);
        return answer(ccd::pair::point_edge(q, options(eta)), t);
    }

    static bool vertexVertexCTCD(const Eigen::Vector3d &q1start, const Eigen::Vector3d &q2start,
                                 const Eigen::Vector3d &q1end, const Eigen::Vector3d &q2end, double eta, double &t) {
        const auto q = ccd::compat::query(q1start, q2start, q1end, q2end);
        return answer(ccd::pair::point_point(q, options(eta)), t);
    }

private:
    /// The original looks at eta squared only, so its sign means nothing.
    static ccd::Options options(double eta) {
        ccd::Options o = ccd::compat::options(std::fabs(eta), 1, 0, CCD_NORM_EUCLIDEAN);
        if (o.min_separation / 1024 > 0) {
            o.tolerance = o.min_separation / 1024;
        }
        return o;
    }

    static bool answer(const ccd::Impact &hit, double &t) {
        if (hit.verdict == CCD_SEPARATE) {
            return false;
        }
        t = hit.toi_lo;
        return true;
    }
};

} // namespace ccd_toi

#endif // LIBCCD_TOI_COMPAT_CTCD_H
