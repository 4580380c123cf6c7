// ipc_nonlinear.hpp - libccd in place of ipc::NonlinearCCD of ipc-toolkit 1.6.
//
//   ccd::compat::IpcNonlinearCCD ccd;                      // was: ipc::NonlinearCCD ccd;
//   bool hit = ccd.point_triangle_ccd(p, t0, t1, t2, toi); // ipc::NonlinearTrajectory, or any class with its two methods
//
// A trajectory has operator()(t), its position, and max_distance_from_linear(t0, t1), a bound on its distance from uniform motion on the
// chord of a piece. What differs:
//
//   sum         The deviations of both sides add up. ipc-toolkit takes the larger one for two points, and can be late or miss.
//   hit         A pair that comes within min_distance and the tolerance, or that is not decided within max_iterations pieces (at most
//               131,072). No hit is a proof, as long as the bounds hold.
//   toi         Up to it the pair keeps min_distance and (1 - conservative_rescaling) of the gap at the start, at most the tolerance, more.
//               Infinite without a hit, 0 where the distance at the start is at most min_distance.
//   errors      Positions that are not finite, negative bounds and options out of range are thrown as ccd::Error.
//
// docs/proofs/motions.md, "Paths given by callbacks", has the proof. One object may serve any number of threads.
#ifndef LIBCCD_TOI_COMPAT_IPC_NONLINEAR_HPP
#define LIBCCD_TOI_COMPAT_IPC_NONLINEAR_HPP

#include <ccd/compat/distance.hpp>
#include <ccd/compat/query.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace ccd::compat {

class IpcNonlinearCCD {
public:
    static constexpr double DEFAULT_TOLERANCE = 1e-6;
    static constexpr long DEFAULT_MAX_ITERATIONS = 10'000'000L;
    static constexpr double DEFAULT_CONSERVATIVE_RESCALING = 0.8;

    explicit IpcNonlinearCCD(const double tolerance_ = DEFAULT_TOLERANCE,
                             const long max_iterations_ = DEFAULT_MAX_ITERATIONS,
                             const double conservative_rescaling_ = DEFAULT_CONSERVATIVE_RESCALING)
        : tolerance(tolerance_), max_iterations(max_iterations_), conservative_rescaling(conservative_rescaling_) {}

    template <class Path0, class Path1>
    bool point_point_ccd(const Path0 &p0, const Path1 &p1, double &toi, const double min_distance = 0.0,
                         const double tmax = 1.0) const {
        const auto distance = [](const Ends<2> &x) { return (x[0] - x[1]).norm(); };
        return decide<2, 1>({{of(p0), of(p1)}}, pair::point_point, distance, toi, min_distance, tmax);
    }

    template <class Path0, class Path1, class Path2>
    bool point_edge_ccd(const Path0 &p, const Path1 &e0, const Path2 &e1, double &toi, const double min_distance = 0.0,
                        const double tmax = 1.0) const {
        const auto distance = [](const Ends<3> &x) { return std::sqrt(point_segment(x[0], x[1], x[2])); };
        return decide<3, 1>({{of(p), of(e0), of(e1)}}, pair::point_edge, distance, toi, min_distance, tmax);
    }

    template <class Path0, class Path1, class Path2, class Path3>
    bool edge_edge_ccd(const Path0 &ea0, const Path1 &ea1, const Path2 &eb0, const Path3 &eb1, double &toi,
                       const double min_distance = 0.0, const double tmax = 1.0) const {
        const auto distance = [](const Ends<4> &x) { return std::sqrt(segment_segment(x[0], x[1], x[2], x[3])); };
        return decide<4, 2>({{of(ea0), of(ea1), of(eb0), of(eb1)}}, pair::edge_edge, distance, toi, min_distance, tmax);
    }

    template <class Path0, class Path1, class Path2, class Path3>
    bool point_triangle_ccd(const Path0 &p, const Path1 &t0, const Path2 &t1, const Path3 &t2, double &toi,
                            const double min_distance = 0.0, const double tmax = 1.0) const {
        const auto distance = [](const Ends<4> &x) { return std::sqrt(point_triangle(x[0], x[1], x[2], x[3])); };
        return decide<4, 1>({{of(p), of(t0), of(t1), of(t2)}}, pair::vertex_face, distance, toi, min_distance, tmax);
    }

    double tolerance;              // what a distance may exceed min_distance by in a hit
    long max_iterations;           // pieces of time; 0 or less: the limit alone
    double conservative_rescaling; // share of the gap that a step may take; 1: the last time that is proven

private:
    using Vector = Eigen::Vector3d;
    template <std::size_t Count> using Ends = std::array<Vector, Count>;
    using PairQuery = Impact (*)(View<double>, const Options &);

    struct Path {
        std::function<Vector(double)> at;
        std::function<double(double, double)> deviation;
    };

    template <class Trajectory> static Path of(const Trajectory &path) {
        return {[&path](double t) {
                    const auto p = path(t);
                    Vector x(p[0], p[1], p.size() > 2 ? p[2] : 0);
                    if (!(std::abs(x[0]) <= 1e150 && std::abs(x[1]) <= 1e150 && std::abs(x[2]) <= 1e150)) {
                        throw Error(CCD_E_NONFINITE,
                                    "the position at t = " + std::to_string(t) + " is not finite or above 1e150");
                    }
                    return x;
                },
                [&path](double t0, double t1) {
                    const double bound = path.max_distance_from_linear(t0, t1);
                    if (!(bound >= 0)) {
                        throw Error(CCD_E_NONFINITE, "max_distance_from_linear is " + std::to_string(bound) +
                                                         " from t = " + std::to_string(t0) + ": must be at least 0");
                    }
                    return bound;
                }};
    }

    static double up(double x) { return x > 0 ? std::nextafter(x, std::numeric_limits<double>::infinity()) : x; }

    /// A pair of Count points, of which the first Firsts are those of the first primitive.
    template <std::size_t Count, std::size_t Firsts> struct Search {
        const std::array<Path, Count> &paths;
        PairQuery pair;
        double tolerance;
        long pieces;

        Ends<Count> at(double t) const {
            Ends<Count> x;
            for (std::size_t i = 0; i < Count; i++) {
                x[i] = paths[i].at(t);
            }
            return x;
        }

        /// A time up to which the pair keeps more than `distance`, infinite if up to tmax: from the left to the right.
        double until(double t, double tmax, double distance) {
            const double infinity = std::numeric_limits<double>::infinity();
            std::vector<double> ends{tmax};
            while (!ends.empty()) {
                const double end = ends.back();
                if (!(t < end)) {
                    ends.pop_back();
                    continue;
                }
                if (pieces-- <= 0) {
                    return t;
                }
                double deviations[2] = {0, 0};
                for (std::size_t i = 0; i < Count; i++) {
                    double &most = deviations[i < Firsts ? 0 : 1];
                    most = std::max(most, paths[i].deviation(t, end));
                }
                const double rho = up(deviations[0] + deviations[1]);
                const double proven = rho <= 1e150 ? linear(t, end, distance, rho) : t;
                if (proven == infinity) {
                    t = end;
                    ends.pop_back();
                    continue;
                }
                const double left = end - t;
                t = std::max(t, proven);
                if (2 * rho <= tolerance) {
                    return t;
                }
                if (end - t > 0.5 * left) { // else the rest is short enough to be tried
                    const double middle = t + 0.5 * (end - t);
                    if (!(t < middle && middle < end)) {
                        return t;
                    }
                    ends.push_back(middle);
                } else if (!(t < end)) {
                    return t;
                }
            }
            return infinity;
        }

        /// Up to when the chords of a piece keep more than the distance and rho. Positions are off by at most 2^-45 of the largest
        /// coordinate; t + s (end - t) is rounded three times, by less than 2^-51 of itself together.
        double linear(double t, double end, double distance, double rho) const {
            const Ends<Count> x0 = at(t), x1 = at(end);
            std::array<double, 6 * Count> q;
            double largest = 0;
            for (std::size_t i = 0; i < Count; i++) {
                for (std::size_t k = 0; k < 3; k++) {
                    q[3 * i + k] = x0[i][static_cast<Eigen::Index>(k)];
                    q[3 * (Count + i) + k] = x1[i][static_cast<Eigen::Index>(k)];
                }
                largest = std::max({largest, x0[i].cwiseAbs().maxCoeff(), x1[i].cwiseAbs().maxCoeff()});
            }
            double wide = up(up(distance + rho) + 0x1p-44 * largest);
            wide = wide > 0 ? std::max(wide, 0x1p-900) : 0;
            if (wide > 1e150) {
                return t;
            }
            const Impact found = pair(q, options(wide, 1, 0, CCD_NORM_EUCLIDEAN));
            if (found.verdict == CCD_SEPARATE) {
                return std::numeric_limits<double>::infinity();
            }
            return std::min(std::max(t, (t + found.toi_lo * (end - t)) * (1 - 0x1p-51)), end);
        }
    };

    template <std::size_t Count, std::size_t Firsts, class Distance>
    bool decide(const std::array<Path, Count> &paths, PairQuery pair, Distance distance, double &toi, double min_distance,
                double tmax) const {
        toi = 0;
        check("min_distance", min_distance, 1e150);
        check("tmax", tmax, 1);
        check("tolerance", tolerance, std::numeric_limits<double>::max());
        check("conservative_rescaling", conservative_rescaling, 1);
        const long limit = 1L << 17;
        Search<Count, Firsts> search{paths, pair, tolerance, max_iterations > 0 ? std::min(max_iterations, limit) : limit};
        const double gap = distance(search.at(0)) - min_distance; // rounded: it sets what is left, and no proof rests on it
        if (!(gap > 0)) {
            return true;
        }
        const double leave = std::min((1 - conservative_rescaling) * gap, tolerance);
        search.tolerance = std::min(tolerance, 0.25 * (gap - leave));
        const double stop = search.until(0, tmax, min_distance + leave);
        search.tolerance = tolerance;
        toi = std::numeric_limits<double>::infinity();
        if (stop > tmax || (leave > 0 && search.until(stop, tmax, min_distance) > tmax)) {
            return false;
        }
        toi = stop;
        return true;
    }

    static void check(const char *name, double x, double most) {
        if (!(x >= 0 && x <= most)) {
            throw Error(CCD_E_ARGUMENT, std::string(name) + " is " + std::to_string(x) + ": out of range");
        }
    }
};

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_IPC_NONLINEAR_HPP
