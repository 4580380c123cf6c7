// pair.hpp - queries of one pair, and lists of them. Part of ccd.hpp.
#ifndef LIBCCD_TOI_PAIR_HPP
#define LIBCCD_TOI_PAIR_HPP

#include <ccd/common.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace ccd {

namespace detail {

/// One query: all points at t=0, then all at t=1. The size is checked here.
template <std::size_t Count> const double *query(View<double> q) {
    if (q.size() != Count) {
        throw Error(CCD_E_ARGUMENT, "q has " + std::to_string(q.size()) + " numbers, not " + std::to_string(Count));
    }
    return q.data();
}

template <std::size_t Count>
std::vector<Impact> batch(ccd_status (*call)(const double *, std::size_t, const ccd_options *, ccd_impact *),
                          View<double> q, const Options &options) {
    if (q.size() % Count != 0) {
        throw Error(CCD_E_ARGUMENT,
                    "q has " + std::to_string(q.size()) + " numbers, no multiple of " + std::to_string(Count));
    }
    std::vector<Impact> out(q.size() / Count);
    Guard guard(options);
    guard.check(call(q.data(), out.size(), guard.get(), out.data()));
    return out;
}

/// The bits of x: for numbers that are not negative they rise with x, above them lie infinity, then NaN, then all that have a sign.
/// No option of a compiler and no environment of a thread changes what they say.
inline std::uint64_t bits(double x) noexcept {
    std::uint64_t b;
    static_assert(sizeof b == sizeof x, "doubles are of IEEE 754");
    std::memcpy(&b, &x, sizeof b);
    return b;
}

inline bool within_limits(const double *q, int n) noexcept {
    bool good = true;
    for (int i = 0; i < n; i++) {
        good &= (bits(q[i]) & ~(std::uint64_t{1} << 63)) <= bits(1e150);
    }
    return good;
}

/// Whether an axis keeps First points and the Second that follow them more than d apart for the whole step; d is 0 or at least 2^-900.
///
/// This is exact. On one axis all differences between a point of the one side and one of the other are linear in t, so their
/// signs at both ends hold between. And fl(x - y) > d means x - y > d: rounding is monotone, in whichever direction the host's
/// thread rounds, and d is a double. Where that thread takes denormals for zeros, d = 0 stays true, for that is monotone
/// too; and a difference above 2^-900 of which one side was such a zero is the other side, a double that exceeds d by 2^-952 at
/// least, more than the denormal could take away. Compilers that are allowed to rearrange sums could undo all of it, so there the
/// library alone decides.
template <int First, int Second> bool apart(const double *q, double d) noexcept {
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(_M_FP_FAST)
    (void)q, (void)d;
    return false;
#else
    for (int k = 0; k < 3; k++) {
        bool above = true, below = true;
        for (int end = 0; end < 2; end++) {
            const double *p = q + 3 * (First + Second) * end + k;
            double alo = p[0], ahi = p[0], blo = p[3 * First], bhi = p[3 * First];
            for (int i = 1; i < First; i++) {
                alo = p[3 * i] < alo ? p[3 * i] : alo;
                ahi = p[3 * i] > ahi ? p[3 * i] : ahi;
            }
            for (int i = First + 1; i < First + Second; i++) {
                blo = p[3 * i] < blo ? p[3 * i] : blo;
                bhi = p[3 * i] > bhi ? p[3 * i] : bhi;
            }
            above &= alo - bhi > d;
            below &= blo - ahi > d;
        }
        if (above || below) {
            return within_limits(q, 6 * (First + Second)); // a coordinate that is not finite is the library's to report
        }
    }
    return false;
#endif
}

/// Reports whether the library accepts the options for any query and the call needs nothing but the impact.
inline bool plain(const ccd_options &o) noexcept {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::uint64_t d = bits(o.min_separation), tolerance = bits(o.tolerance);
    return o.struct_size == sizeof o && tolerance < bits(infinity) &&
           (d == 0 || (d >= bits(0x1p-900) && d <= bits(1e150))) && bits(o.t_min) == 0 && bits(o.t_max) <= bits(1) &&
           o.max_iterations >= 0 && o.method == CCD_METHOD_DEFAULT && o.threads >= 0 &&
           (o.flags & ~(CCD_NO_ZERO_TOI | CCD_BRUTE_FORCE | CCD_APART_AT_TOI)) == 0 && o.norm >= CCD_NORM_DEFAULT &&
           o.norm <= CCD_NORM_EUCLIDEAN && o.device == CCD_DEVICE_CPU && o.device_index == 0 &&
           (bits(o.scene_bound[0]) | bits(o.scene_bound[1]) | bits(o.scene_bound[2])) == 0 && o.stats == nullptr &&
           o.device_x0 == nullptr && o.device_x1 == nullptr;
}

inline Impact separate(Kind kind) noexcept {
    Impact out{};
    out.verdict = CCD_SEPARATE;
    out.kind = static_cast<std::int32_t>(kind);
    out.a = out.b = -1;
    out.toi_lo = out.toi_hi = std::numeric_limits<double>::infinity();
    return out;
}

using PairCall = ccd_status (*)(const double *, const ccd_options *, ccd_impact *);

template <Kind PairKind, int First, int Second> Impact pair(PairCall call, View<double> q) {
    const double *p = query<6 * (First + Second)>(q);
    if (apart<First, Second>(p, 0)) {
        return separate(PairKind);
    }
    Impact out;
    check(call(p, nullptr, &out));
    return out;
}

template <Kind PairKind, int First, int Second> Impact pair(PairCall call, View<double> q, const Options &options) {
    const double *p = query<6 * (First + Second)>(q);
    if (plain(options) && apart<First, Second>(p, options.min_separation)) {
        return separate(PairKind);
    }
    Impact out;
    Guard guard(options);
    guard.check(call(p, guard.get(), &out));
    return out;
}

/// The numbers of a query of a kind; 0 for edge_face, which has none.
constexpr std::size_t query_size(Kind kind) noexcept {
    return kind == Kind::point_point                              ? 12
           : kind == Kind::point_edge                             ? 18
           : kind == Kind::vertex_face || kind == Kind::edge_edge ? 24
                                                                  : 0;
}

using Intervals = Handle<ccd_intervals, ccd_intervals_destroy>;

inline std::vector<Interval> copied(const Intervals &intervals) {
    std::size_t count = 0;
    check(ccd_intervals_count(intervals.get(), &count));
    std::vector<Interval> out(count);
    check(ccd_intervals_copy(intervals.get(), out.data(), out.size(), &count));
    return out;
}

inline void check_queries(Kind kind, std::size_t numbers, bool one) {
    const std::size_t n = query_size(kind);
    if (n != 0 && (one ? numbers != n : numbers % n != 0)) {
        throw Error(CCD_E_ARGUMENT, "q has " + std::to_string(numbers) +
                                        (one ? " numbers, not " : " numbers, no multiple of ") + std::to_string(n));
    }
}

} // namespace detail

/// Queries of one pair. q holds all points at t = 0, then all at t = 1. A pair that one axis separates is decided inline, with the
/// same bits as the library's.
namespace pair {

/// Compute when a vertex and a face first come into contact.
/// @param q      points v f0 f1 f2 at t = 0, then at t = 1: 24 numbers
/// @throws Error CCD_E_ARGUMENT for another size, CCD_E_NONFINITE for a coordinate that is not finite or above 1e150
inline Impact vertex_face(View<double> q) { return detail::pair<Kind::vertex_face, 1, 3>(ccd_pair_vertex_face, q); }
/// The same with options.
inline Impact vertex_face(View<double> q, const Options &options) {
    return detail::pair<Kind::vertex_face, 1, 3>(ccd_pair_vertex_face, q, options);
}

/// Compute when two edges first come into contact.
/// @param q      points a0 a1 b0 b1 at t = 0, then at t = 1: 24 numbers
/// @throws Error as vertex_face
inline Impact edge_edge(View<double> q) { return detail::pair<Kind::edge_edge, 2, 2>(ccd_pair_edge_edge, q); }
/// The same with options.
inline Impact edge_edge(View<double> q, const Options &options) {
    return detail::pair<Kind::edge_edge, 2, 2>(ccd_pair_edge_edge, q, options);
}

/// Compute when a point and an edge first come into contact.
/// @param q      points p e0 e1 at t = 0, then at t = 1: 18 numbers
/// @throws Error as vertex_face
inline Impact point_edge(View<double> q) { return detail::pair<Kind::point_edge, 1, 2>(ccd_pair_point_edge, q); }
/// The same with options.
inline Impact point_edge(View<double> q, const Options &options) {
    return detail::pair<Kind::point_edge, 1, 2>(ccd_pair_point_edge, q, options);
}

/// Compute when two points first come into contact.
/// @param q      points p q at t = 0, then at t = 1: 12 numbers
/// @throws Error as vertex_face
inline Impact point_point(View<double> q) { return detail::pair<Kind::point_point, 1, 1>(ccd_pair_point_point, q); }
/// The same with options.
inline Impact point_point(View<double> q, const Options &options) {
    return detail::pair<Kind::point_point, 1, 1>(ccd_pair_point_point, q, options);
}

/// Find every interval of contact of a pair, in order: with sides without a separation.
/// @param q       as the function of that kind takes it
/// @param options the method must be exact
/// @throws Error  as vertex_face, CCD_E_UNSUPPORTED for options without intervals
inline std::vector<Interval> intervals(Kind kind, View<double> q, const Options &options = {}) {
    detail::check_queries(kind, q.size(), true);
    std::vector<Interval> out(4);
    detail::Guard guard(options);
    std::size_t count = 0;
    const ccd_status status =
        ccd_pair_intervals(static_cast<std::int32_t>(kind), q.data(), guard.get(), out.data(), out.size(), &count);
    if (count <= out.size()) {
        guard.check(status);
        out.resize(count);
        return out;
    }
    out.resize(count);
    guard.check(ccd_pair_intervals(static_cast<std::int32_t>(kind), q.data(), guard.get(), out.data(), out.size(), &count));
    return out;
}

/// Bracket the least Euclidean distance of a pair over a step, and find a time at which it is reached.
/// @param q       as the function of that kind takes it
/// @param options t_max counts; the method must be exact
/// @throws Error  as vertex_face, CCD_E_UNSUPPORTED for other methods and the max norm
inline Clearance clearance(Kind kind, View<double> q, const Options &options = {}) {
    detail::check_queries(kind, q.size(), true);
    Clearance out;
    detail::Guard guard(options);
    guard.check(ccd_pair_clearance(static_cast<std::int32_t>(kind), q.data(), guard.get(), &out));
    return out;
}

} // namespace pair

/// Many queries in one call, on several threads. Result i has the bits of the single query, with a = i.
namespace pairs {

/// n queries of pair::vertex_face: n x 24 numbers.
/// @throws Error as pair::vertex_face; the message names the query
inline std::vector<Impact> vertex_face(View<double> q, const Options &options = {}) {
    return detail::batch<24>(ccd_pairs_vertex_face, q, options);
}
/// n queries of pair::edge_edge: n x 24 numbers.
/// @throws Error as pair::edge_edge; the message names the query
inline std::vector<Impact> edge_edge(View<double> q, const Options &options = {}) {
    return detail::batch<24>(ccd_pairs_edge_edge, q, options);
}
/// n queries of pair::point_edge: n x 18 numbers.
/// @throws Error as pair::point_edge; the message names the query
inline std::vector<Impact> point_edge(View<double> q, const Options &options = {}) {
    return detail::batch<18>(ccd_pairs_point_edge, q, options);
}
/// n queries of pair::point_point: n x 12 numbers.
/// @throws Error as pair::point_point; the message names the query
inline std::vector<Impact> point_point(View<double> q, const Options &options = {}) {
    return detail::batch<12>(ccd_pairs_point_point, q, options);
}

/// The derivatives of the times of impact of n queries of one kind, as step::gradients: n times the numbers of pair::vertex_face
/// and so on. Their vertices are 0, 1, 2, 3 in the order of the query.
/// @throws Error as pair::vertex_face; the message names the query
inline std::vector<Gradient> gradients(Kind kind, View<double> q, const Options &options = {}) {
    const auto k = static_cast<std::int32_t>(kind);
    const std::size_t numbers = k == CCD_POINT_EDGE ? 18 : k == CCD_POINT_POINT ? 12 : 24;
    if (q.size() % numbers != 0) {
        throw Error(CCD_E_ARGUMENT,
                    "q has " + std::to_string(q.size()) + " numbers: must be a multiple of " + std::to_string(numbers));
    }
    std::vector<Gradient> out(q.size() / numbers);
    detail::Guard guard(options);
    guard.check(ccd_pairs_gradients(k, q.data(), out.size(), guard.get(), out.data()));
    return out;
}

/// n queries of pair::intervals, query by query, with a = the query.
/// @throws Error as pair::intervals; the message names the query
inline std::vector<Interval> intervals(Kind kind, View<double> q, const Options &options = {}) {
    detail::check_queries(kind, q.size(), false);
    const std::size_t n = detail::query_size(kind);
    detail::Intervals found;
    detail::Guard guard(options);
    guard.check(ccd_pairs_intervals(static_cast<std::int32_t>(kind), q.data(), n == 0 ? 0 : q.size() / n, guard.get(),
                                    found.out()));
    return detail::copied(found);
}

} // namespace pairs

} // namespace ccd

#endif // LIBCCD_TOI_PAIR_HPP
