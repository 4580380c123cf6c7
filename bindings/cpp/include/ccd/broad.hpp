// broad.hpp - candidates of a step, kept. Part of ccd.hpp.
#ifndef LIBCCD_TOI_BROAD_HPP
#define LIBCCD_TOI_BROAD_HPP

#include <ccd/mesh.hpp>
#include <ccd/pair.hpp>

namespace ccd {

class Motion;

namespace detail {

using Impacts = Handle<ccd_impacts, ccd_impacts_destroy>;

/// The impacts behind a handle.
inline std::vector<Impact> copied(const Impacts &impacts) {
    std::size_t count = 0;
    check(ccd_impacts_count(impacts.get(), &count));
    std::vector<Impact> out(count);
    check(ccd_impacts_copy(impacts.get(), out.data(), out.size(), &count));
    return out;
}

} // namespace detail

namespace step {

/// A step, and the positions that it leads to: three coordinates a vertex.
struct Advanced {
    double alpha;          ///< a number in [0, share * t_max]; 0: x is x0, bit for bit
    std::vector<double> x; ///< x0 + alpha (x1 - x0), rounded
};

} // namespace step

/// The broad phase alone: candidate pairs.
namespace broad {

/// Candidate pairs of a step, to inspect, or for the steps of a line search: those of x0 -> x0 + dx are valid for every
/// x0 -> x0 + alpha * dx with alpha in [0, 1], and for any separation up to theirs. A vertex that leaves the box of its motion is an
/// error. Threads may share candidates.
class Candidates {
public:
    /// Number of pairs of one kind.
    std::size_t count(Kind kind) const {
        std::size_t n = 0;
        detail::check(ccd_candidates_count_kind(candidates_.get(), static_cast<std::int32_t>(kind), &n));
        return n;
    }

    /// The pairs of one kind, sorted.
    std::vector<Pair> pairs(Kind kind) const {
        std::vector<Pair> out(count(kind));
        std::size_t n;
        detail::check(ccd_candidates_copy(candidates_.get(), static_cast<std::int32_t>(kind),
                                          out.empty() ? nullptr : out.data()->data(), out.size(), &n));
        return out;
    }

    /// As step::earliest, among these pairs, without a broad phase.
    /// @throws Error also CCD_E_ARGUMENT for a vertex outside the box of its motion
    Impact earliest(const Points &x0, const Points &x1, const Options &options = {}) const {
        Impact out;
        detail::Guard guard(options);
        guard.check(ccd_candidates_earliest(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &out));
        return out;
    }

    /// As step::collisions, among these pairs, without a broad phase.
    std::vector<Impact> collisions(const Points &x0, const Points &x1, const Options &options = {}) const {
        detail::Impacts impacts;
        detail::Guard guard(options);
        guard.check(ccd_candidates_collisions(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(),
                                              impacts.out()));
        return detail::copied(impacts);
    }

    /// As step::intervals, among these pairs, without a broad phase.
    std::vector<Interval> intervals(const Points &x0, const Points &x1, const Options &options = {}) const {
        detail::Intervals found;
        detail::Guard guard(options);
        guard.check(
            ccd_candidates_intervals(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), found.out()));
        return detail::copied(found);
    }

    /// As step::size, among these pairs, without a broad phase.
    double size(const Points &x0, const Points &x1, const Options &options = {}) const {
        double alpha = 0;
        detail::Guard guard(options);
        guard.check(ccd_candidates_size(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &alpha));
        return alpha;
    }

    /// As step::advance, among these pairs, without a broad phase.
    step::Advanced advance(const Points &x0, const Points &x1, double share = 1, const Options &options = {}) const {
        step::Advanced out{0, std::vector<double>(3 * detail::vertices(x0, x1))};
        detail::Guard guard(options);
        guard.check(ccd_candidates_advance(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), share, guard.get(),
                                           &out.alpha, out.x.data()));
        return out;
    }

    /// As step::earliest of a motion, among these pairs. (motion.hpp)
    /// @throws Error also CCD_E_ARGUMENT for a control point outside the box of its vertex, and for larger radii
    Impact earliest(const Motion &motion, const Options &options = {}) const;
    /// As step::collisions of a motion, among these pairs.
    std::vector<Impact> collisions(const Motion &motion, const Options &options = {}) const;
    /// As step::size of a motion, among these pairs.
    double size(const Motion &motion, const Options &options = {}) const;

    ccd_candidates *handle() const noexcept { return candidates_.get(); } ///< the handle in C

private:
    friend Candidates candidates(const Mesh &, const Points &, const Points &, const Options &);
    friend Candidates candidates(const Mesh &, const Motion &, const Options &);
    detail::Handle<ccd_candidates, ccd_candidates_destroy> candidates_;
};

/// Find all pairs whose swept boxes, inflated by options.min_separation, overlap. Filters apply; pairs with a common vertex are
/// skipped. No contact is outside the list.
/// @param mesh    the mesh, with its filters
/// @param x0      vertices at t = 0, n x 3
/// @param x1      vertices at t = 1, n x 3
/// @param options min_separation, threads, memory_limit, on_progress
/// @throws Error  as ccd_broad_candidates
inline Candidates candidates(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    Candidates out;
    detail::Guard guard(options);
    guard.check(ccd_broad_candidates(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(),
                                     out.candidates_.out()));
    return out;
}

} // namespace broad

} // namespace ccd

#endif // LIBCCD_TOI_BROAD_HPP
