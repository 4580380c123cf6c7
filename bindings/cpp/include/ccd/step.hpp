// step.hpp - whole steps. Part of ccd.hpp.
#ifndef LIBCCD_TOI_STEP_HPP
#define LIBCCD_TOI_STEP_HPP

#include <ccd/broad.hpp>

#include <exception>
#include <functional>

namespace ccd {

namespace detail {

/// Calls a visitor, which may throw.
struct Visit {
    const std::function<bool(View<Impact>)> *visitor;
    std::exception_ptr thrown;
    bool stopped;

    static std::int32_t call(const ccd_impact *impacts, std::size_t count, void *self) noexcept {
        Visit *v = static_cast<Visit *>(self);
        try {
            v->stopped = (*v->visitor)(View<Impact>(impacts, count));
        } catch (...) {
            v->thrown = std::current_exception();
            v->stopped = true;
        }
        return v->stopped ? 1 : 0;
    }
};

} // namespace detail

namespace step {

/// The earliest impact; verdict CCD_SEPARATE is a proof that there is none. An edge that passes through a face at x0 already is no impact:
/// law 10 of ccd.h. With options.flags |= CCD_CHECK_START it is, of kind edge_face, and comes first.
inline Impact earliest(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    Impact out;
    detail::Guard guard(options);
    guard.check(ccd_step_earliest(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &out));
    return out;
}

/// Every pair that is not CCD_SEPARATE, sorted by (toi_lo, kind, a, b); with CCD_CHECK_START edges through faces at x0 come first.
inline std::vector<Impact> collisions(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    detail::Impacts impacts;
    detail::Guard guard(options);
    guard.check(
        ccd_step_collisions(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), impacts.out()));
    return detail::copied(impacts);
}

/// Hands every pair that is not CCD_SEPARATE to the visitor, in portions that are valid until it returns, in no order, and keeps
/// none: what collisions lists, in memory that does not grow with it. It may be called from any thread, but never from two at once.
/// True from it stops the call. Returns whether it has seen all: false if it has stopped the call.
inline bool visit(const Mesh &mesh, const Points &x0, const Points &x1,
                  const std::function<bool(View<Impact> portion)> &visitor, const Options &options = {}) {
    detail::Visit state{&visitor, nullptr, false};
    detail::Guard guard(options);
    const ccd_status status = ccd_step_visit(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(),
                                             visitor ? &detail::Visit::call : nullptr, &state);
    if (state.thrown) {
        std::rethrow_exception(state.thrown);
    }
    if (status != CCD_E_CANCELLED || !state.stopped) {
        guard.check(status);
    }
    return !state.stopped;
}

/// The answers for given pairs, in their order.
inline std::vector<Impact> pairs(const Mesh &mesh, const Points &x0, const Points &x1, Kind kind, View<Pair> pairs,
                                 const Options &options = {}) {
    std::vector<Impact> out(pairs.size());
    detail::Guard guard(options);
    guard.check(ccd_step_pairs(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1),
                               static_cast<std::int32_t>(kind), pairs.size() == 0 ? nullptr : pairs.data()->data(),
                               pairs.size(), guard.get(), out.data()));
    return out;
}

/// A safe step: up to it all pairs keep more than min_separation, in real arithmetic. Positions that you compute from it are rounded, and
/// a pair may touch there: advance returns positions that are proven.
inline double size(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    double alpha = 0;
    detail::Guard guard(options);
    guard.check(ccd_step_size(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &alpha));
    return alpha;
}

/// Goes as far as is safe, times share, which is in (0, 1]. If alpha > 0, it is proven that all pairs keep more than min_separation on the
/// straight way from x0 to just the doubles of x.
inline Advanced advance(const Mesh &mesh, const Points &x0, const Points &x1, double share = 1,
                        const Options &options = {}) {
    Advanced out{0, std::vector<double>(3 * detail::vertices(x0, x1))};
    detail::Guard guard(options);
    guard.check(ccd_step_advance(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), share, guard.get(),
                                 &out.alpha, out.x.data()));
    return out;
}

/// A bound on the steps of a line search that keeps the part keep_ratio, in (0, 1), of the distance at x0.
/// options.min_separation, which must be positive, is the search radius: pairs farther apart are ignored.
inline LinesearchBound linesearch(const Mesh &mesh, const Points &x0, const Points &x1, double keep_ratio,
                                  const Options &options) {
    LinesearchBound out{};
    detail::Guard guard(options);
    guard.check(
        ccd_step_linesearch(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), keep_ratio, guard.get(), &out));
    return out;
}

/// Every pair that comes within options.min_separation, as a constraint for a solver, in the order of collisions.
inline std::vector<Constraint> activeset(const Mesh &mesh, const Points &x0, const Points &x1,
                                         const Options &options = {}) {
    detail::Handle<ccd_constraints, ccd_constraints_destroy> constraints;
    detail::Guard guard(options);
    guard.check(
        ccd_step_activeset(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), constraints.out()));
    std::size_t count = 0;
    detail::check(ccd_constraints_count(constraints.get(), &count));
    std::vector<Constraint> out(count);
    detail::check(ccd_constraints_copy(constraints.get(), out.data(), out.size(), &count));
    return out;
}

/// The step in count parts, each of which owns its pairs.
inline std::vector<Slab> slabs(const Mesh &mesh, const Points &x0, const Points &x1, std::size_t count) {
    std::vector<Slab> out(count <= (std::size_t{1} << 20) ? count : 0); // else the library says what is wrong
    detail::check(ccd_step_slabs(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), count, out.data()));
    return out;
}

/// The earliest impact among the pairs of a slab. The least over all slabs by (toi_lo, kind, a, b) is that of the step.
inline Impact slab_earliest(const Mesh &mesh, const Points &x0, const Points &x1, const Slab &slab,
                            const Options &options = {}) {
    Impact out;
    detail::Guard guard(options);
    guard.check(
        ccd_step_slab_earliest(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), &slab, guard.get(), &out));
    return out;
}

/// The impacts among the pairs of a slab. Those of all slabs are those of the step, each once.
inline std::vector<Impact> slab_collisions(const Mesh &mesh, const Points &x0, const Points &x1, const Slab &slab,
                                           const Options &options = {}) {
    detail::Impacts impacts;
    detail::Guard guard(options);
    guard.check(ccd_step_slab_collisions(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), &slab, guard.get(),
                                         impacts.out()));
    return detail::copied(impacts);
}

/// A safe step for the pairs of a slab. The least over all slabs is that of the step.
inline double slab_size(const Mesh &mesh, const Points &x0, const Points &x1, const Slab &slab,
                        const Options &options = {}) {
    double alpha = 0;
    detail::Guard guard(options);
    guard.check(
        ccd_step_slab_size(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), &slab, guard.get(), &alpha));
    return alpha;
}

} // namespace step

} // namespace ccd

#endif // LIBCCD_TOI_STEP_HPP
