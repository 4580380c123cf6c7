// ipc_narrow_phase.hpp - libccd as a narrow phase of ipc-toolkit 1.6.
//
//   ccd::compat::IpcNarrowPhase ccd;                       // was: ipc::TightInclusionCCD ccd;
//   candidates.compute_collision_free_stepsize(mesh, x0, x1, 0, ccd);
//
// The contract is that of ipc::NarrowPhaseCCD as released in 1.6 (conservative_rescaling is a member of the base), the strategy
// that of ipc::TightInclusionCCD: keep a margin of (1 - conservative_rescaling) of the initial distance, at most 1e-4, beyond
// min_distance; where that leaves a step below 1e-6, keep min_distance itself and scale the time. What differs:
//
//   sound       Up to toi the Euclidean distance exceeds min_distance, proven, also in the second attempt, where the original may
//               halve min_distance.
//   exact       The margin is kept exactly, in the max norm as there: tolerance and max_iterations matter only where a
//               min_distance > 0 is kept in the Euclidean norm, in the second attempt, and without a margin.
//   no margin   With conservative_rescaling = 1 the original stops earlier than the contact by what its tolerance allows, and callers
//               compare its time with one that they computed in doubles. So the time is that at which the distance first falls to
//               min_distance and the tolerance, or to a part of the tolerance where the start is not twice as far (CCD_APART_AT_TOI).
//   toi         Always written: infinite without a collision, 0 when the primitives are within min_distance at t=0.
//   errors      Coordinates that are not finite and options out of range are thrown as ccd::Error; nothing is printed.
//
// One object may serve any number of threads.
#ifndef LIBCCD_TOI_COMPAT_IPC_NARROW_PHASE_HPP
#define LIBCCD_TOI_COMPAT_IPC_NARROW_PHASE_HPP

#include <ccd/compat/distance.hpp>
#include <ccd/compat/query.hpp>

#include <ipc/ccd/narrow_phase_ccd.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ccd::compat {

class IpcNarrowPhase : public ::ipc::NarrowPhaseCCD {
    template <class Point> using In = const Eigen::Ref<const Point> &; // Eigen::ConstRef of ipc-toolkit
    using Vector = ::ipc::VectorMax3d;
    using Vector3 = Eigen::Vector3d;

public:
    static constexpr double DEFAULT_TOLERANCE = 1e-6;
    static constexpr long DEFAULT_MAX_ITERATIONS = 10'000'000L;
    static constexpr double DEFAULT_CONSERVATIVE_RESCALING = 0.8;
    static constexpr double SMALL_TOI = 1e-6;

    explicit IpcNarrowPhase(const double tolerance_ = DEFAULT_TOLERANCE,
                            const long max_iterations_ = DEFAULT_MAX_ITERATIONS,
                            const double conservative_rescaling_ = DEFAULT_CONSERVATIVE_RESCALING)
        : tolerance(tolerance_), max_iterations(max_iterations_) {
        conservative_rescaling = conservative_rescaling_;
    }

    bool point_point_ccd(In<Vector> p0_t0, In<Vector> p1_t0, In<Vector> p0_t1, In<Vector> p1_t1, double &toi,
                         const double min_distance = 0.0, const double tmax = 1.0) const override {
        const auto q = query(p0_t0, p1_t0, p0_t1, p1_t1);
        return decide(pair::point_point, q, (at(q, 0) - at(q, 1)).squaredNorm(), toi, min_distance, tmax);
    }

    bool point_edge_ccd(In<Vector> p_t0, In<Vector> e0_t0, In<Vector> e1_t0, In<Vector> p_t1, In<Vector> e0_t1,
                        In<Vector> e1_t1, double &toi, const double min_distance = 0.0,
                        const double tmax = 1.0) const override {
        const auto q = query(p_t0, e0_t0, e1_t0, p_t1, e0_t1, e1_t1);
        return decide(pair::point_edge, q, point_segment(at(q, 0), at(q, 1), at(q, 2)), toi, min_distance, tmax);
    }

    bool point_triangle_ccd(In<Vector3> p_t0, In<Vector3> t0_t0, In<Vector3> t1_t0, In<Vector3> t2_t0, In<Vector3> p_t1,
                            In<Vector3> t0_t1, In<Vector3> t1_t1, In<Vector3> t2_t1, double &toi,
                            const double min_distance = 0.0, const double tmax = 1.0) const override {
        const auto q = query(p_t0, t0_t0, t1_t0, t2_t0, p_t1, t0_t1, t1_t1, t2_t1);
        return decide(pair::vertex_face, q, point_triangle(p_t0, t0_t0, t1_t0, t2_t0), toi, min_distance, tmax);
    }

    bool edge_edge_ccd(In<Vector3> ea0_t0, In<Vector3> ea1_t0, In<Vector3> eb0_t0, In<Vector3> eb1_t0, In<Vector3> ea0_t1,
                       In<Vector3> ea1_t1, In<Vector3> eb0_t1, In<Vector3> eb1_t1, double &toi,
                       const double min_distance = 0.0, const double tmax = 1.0) const override {
        const auto q = query(ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1);
        return decide(pair::edge_edge, q, segment_segment(ea0_t0, ea1_t0, eb0_t0, eb1_t0), toi, min_distance, tmax);
    }

    double tolerance;    // how near to min_distance a reported collision must be; of the second attempt
    long max_iterations; // boxes a query may look at there; 0 or less: any number

private:
    using PairQuery = Impact (*)(View<double>, const Options &);

    template <std::size_t Count> static Vector3 at(const std::array<double, Count> &q, std::size_t i) {
        return Vector3(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
    }

    /// The strategy. squared is the squared distance at t=0. It only sets the margin, and is rounded: one that is too large makes
    /// the first attempt start in contact, and then the second decides.
    template <std::size_t Count>
    bool decide(PairQuery pair, const std::array<double, Count> &q, double squared, double &toi, double min_distance,
                double tmax) const {
        const bool moves = !std::equal(q.begin(), q.begin() + Count / 2, q.begin() + Count / 2);
        const double gap = std::sqrt(squared) - min_distance;
        const double margin = std::min((1 - conservative_rescaling) * gap, 1e-4);
        if (moves && margin > 0) {
            toi = pair(q, options(min_distance + margin, tmax)).toi_lo;
            if (toi >= SMALL_TOI) {
                return toi <= tmax;
            }
        }
        toi = pair(q, last(min_distance, gap, tmax)).toi_lo;
        if (!moves && toi > 0) {
            toi = std::numeric_limits<double>::infinity(); // the distance at t=0 is that of all times
        }
        if (!(toi <= tmax)) {
            return false;
        }
        const double scaled = toi * std::min(conservative_rescaling, 1.0);
        toi = scaled > 0 ? scaled : toi; // the least positive time stays positive
        return true;
    }

    /// Options of the second attempt: min_distance itself, and a positive time unless the primitives start within it.
    Options last(double min_distance, double gap, double tmax) const {
        const std::uint32_t apart = conservative_rescaling >= 1 && tolerance > 0 ? CCD_APART_AT_TOI : 0;
        Options o =
            options(min_distance, tmax, CCD_NO_ZERO_TOI | apart, min_distance > 0 ? CCD_NORM_EUCLIDEAN : CCD_NORM_MAX);
        o.tolerance = gap > 0 ? std::min(tolerance, std::max(gap / 2, std::numeric_limits<double>::min())) : tolerance;
        o.max_iterations = std::max(max_iterations, 0L);
        return o;
    }
};

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_IPC_NARROW_PHASE_HPP
