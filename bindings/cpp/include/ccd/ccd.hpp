// ccd.hpp - continuous collision detection for C++17: ccd.h with owners, views and exceptions. Header only.
//
//   ccd::Mesh mesh(vertices, edges, faces);                     // edges {} to derive them from the faces
//   ccd::Impact hit = ccd::step::earliest(mesh, x0, x1);
//   if (hit.verdict == CCD_CONTACT) ...                         // hit.toi_lo is a safe step whatever the verdict
//
// Names are those of C: ccd_step_earliest is ccd::step::earliest. What a call promises is said in ccd.h, law by law. A status
// that is not CCD_OK is thrown as ccd::Error. Arrays are borrowed for a call: any contiguous container does, and so do Eigen's
// matrices where Eigen is on the include path (CCD_NO_EIGEN turns that off); they are copied only where their layout asks for
// it. No exception crosses into the library: one that a progress function throws cancels the call and is thrown again behind it.
#ifndef LIBCCD_TOI_CCD_HPP
#define LIBCCD_TOI_CCD_HPP

#include <ccd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define CCD_HAS_EIGEN 0
#ifndef CCD_NO_EIGEN
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#undef CCD_HAS_EIGEN
#define CCD_HAS_EIGEN 1
#endif
#endif

namespace ccd {

// ---- words ---------------------------------------------------------------------------------------------------------------

using Impact = ccd_impact;
using Stats = ccd_stats;
using Pair = std::array<std::int64_t, 2>; // two primitives, as in Impact::a and b
using Bound = ccd_bound;                  // what a line search may do
using Constraint = ccd_constraint;        // a pair that must be kept apart, linearised
using Slab = ccd_slab;                    // a part of a step's pairs

static_assert(sizeof(Impact) == 120, "ccd_impact has 120 bytes");
static_assert(sizeof(Constraint) == 176, "ccd_constraint has 176 bytes");
static_assert(sizeof(Pair) == 2 * sizeof(std::int64_t), "pairs are packed");

enum class Kind : std::int32_t {
    vertex_face = CCD_VERTEX_FACE,
    edge_edge = CCD_EDGE_EDGE,
    point_edge = CCD_POINT_EDGE,
    point_point = CCD_POINT_POINT,
};

/// CCD_VERSION of the library that was loaded.
inline std::uint32_t version() noexcept { return ccd_version(); }

/// The SIMD level in use: "generic", "avx2" or "avx512".
inline const char *simd_level() noexcept { return ccd_simd_level(); }

/// A call that did not return CCD_OK. what() names the argument and the index that is wrong.
class Error : public std::runtime_error {
public:
    Error(ccd_status status, const std::string &text)
        : std::runtime_error(std::string(ccd_status_name(status)) + ": " + text), status_(status) {}

    ccd_status status() const noexcept { return status_; }

private:
    ccd_status status_;
};

namespace detail {

inline void check(ccd_status status) {
    if (status == CCD_OK) {
        return;
    }
    std::string text(ccd_last_error(nullptr, 0), '\0');
    ccd_last_error(text.data(), text.size() + 1);
    throw Error(status, text);
}

template <class C, class = void> struct is_eigen : std::false_type {};
template <class C> struct is_eigen<C, std::void_t<decltype(C::IsRowMajor)>> : std::true_type {};

template <class C, class T, class = void> struct is_array_of : std::false_type {};
template <class C, class T>
struct is_array_of<C, T,
                   std::void_t<decltype(std::declval<const C &>().data()), decltype(std::declval<const C &>().size())>>
    : std::bool_constant<!is_eigen<C>::value &&
                         std::is_convertible_v<decltype(std::declval<const C &>().data()), const T *>> {};

} // namespace detail

/// A borrowed array: of a pointer and a size, a C array, or any container with data() and size().
template <class T> class View {
public:
    View() noexcept = default;
    View(const T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    View(std::initializer_list<T> list) noexcept : data_(list.begin()), size_(list.size()) {}
    template <std::size_t N> View(const T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class C, class = std::enable_if_t<detail::is_array_of<C, T>::value>>
    View(const C &container) noexcept : data_(container.data()), size_(container.size()) {}

    const T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

private:
    const T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// A matrix of n rows and W columns, row by row, borrowed where it already lies so and copied where not.
template <class T, int W> class Rows {
public:
    Rows() noexcept = default;
    template <std::size_t N> Rows(const T (&array)[N]) : Rows(View<T>(array)) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<const C &, View<T>>>>
    Rows(const C &array) : Rows(View<T>(array)) {}
    /// The rows themselves, as a container of std::array or the like.
    template <class C, class = std::enable_if_t<detail::is_array_of<C, std::array<T, W>>::value>, class = void>
    Rows(const C &rows) : view_(rows.size() == 0 ? nullptr : rows.data()->data(), rows.size() * W) {}
    Rows(std::initializer_list<T> list) : Rows(View<T>(list)) {}
    Rows(View<T> flat) : view_(flat) {
        if (flat.size() % W != 0) {
            throw Error(CCD_E_ARGUMENT, "an array of " + std::to_string(flat.size()) + " numbers is no matrix of " +
                                            std::to_string(W) + " columns");
        }
    }
#if CCD_HAS_EIGEN
    /// Any dense expression of n x W. A row-major matrix of T without padding is borrowed.
    template <class D> Rows(const Eigen::MatrixBase<D> &matrix) {
        if (matrix.cols() != W && matrix.size() != 0) {
            throw Error(CCD_E_ARGUMENT, "a matrix of " + std::to_string(matrix.cols()) + " columns, where " +
                                            std::to_string(W) + " are wanted");
        }
        if constexpr (std::is_same_v<typename D::Scalar, T> && D::IsRowMajor && (D::Flags & Eigen::DirectAccessBit) != 0) {
            if (matrix.derived().innerStride() == 1 && matrix.derived().outerStride() == W) {
                view_ = View<T>(matrix.derived().data(), static_cast<std::size_t>(matrix.size()));
                return;
            }
        }
        copy(matrix.derived().eval());
    }
#endif
    Rows(const Rows &) = delete; // a parameter: it may borrow from a temporary
    Rows &operator=(const Rows &) = delete;

    const T *data() const noexcept { return view_.data(); }
    std::size_t rows() const noexcept { return view_.size() / W; }

private:
#if CCD_HAS_EIGEN
    template <class M> void copy(const M &matrix) {
        own_.reserve(static_cast<std::size_t>(matrix.size()));
        for (Eigen::Index i = 0; i < matrix.rows(); i++) {
            for (Eigen::Index j = 0; j < W && j < matrix.cols(); j++) {
                const auto x = matrix(i, j);
                const T y = static_cast<T>(x);
                if (std::is_integral_v<T> && static_cast<decltype(+x)>(y) != +x) {
                    throw Error(CCD_E_INDEX, "row " + std::to_string(i) + " has an index that is no 32-bit integer");
                }
                own_.push_back(y);
            }
        }
        view_ = View<T>(own_.data(), own_.size());
    }
#endif
    View<T> view_;
    std::vector<T> own_;
};

using Points = Rows<double, 3>;      // one frame of a mesh
using Edges = Rows<std::int32_t, 2>; // pairs of vertices
using Faces = Rows<std::int32_t, 3>; // triples of vertices

/// The options of a call, with the defaults of ccd_options_init. Set the members of ccd_options, or on_progress.
struct Options : ccd_options {
    Options() noexcept { ccd_options_init(this, sizeof(ccd_options)); }

    /// Called from time to time, from any thread but never from two at once; true cancels the call.
    std::function<bool(double fraction)> on_progress;
};

namespace detail {

/// Runs a call under options whose progress function may throw.
class Guard {
public:
    explicit Guard(const Options &options) : options_(options), report_(&options.on_progress) {
        if (options.on_progress) {
            options_.progress = &Guard::progress;
            options_.progress_user = this;
        }
    }

    const ccd_options *get() const noexcept { return &options_; }

    void check(ccd_status status) const {
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
        detail::check(status);
    }

private:
    static std::int32_t progress(double fraction, void *self) noexcept {
        Guard *g = static_cast<Guard *>(self);
        try {
            return (*g->report_)(fraction) ? 1 : 0;
        } catch (...) {
            g->thrown_ = std::current_exception();
            return 1;
        }
    }

    ccd_options options_;
    const std::function<bool(double)> *report_;
    std::exception_ptr thrown_;
};

/// The sole owner of a handle.
template <class H, ccd_status (*Destroy)(H *)> class Handle {
public:
    Handle() noexcept = default;
    Handle(Handle &&other) noexcept : h_(std::exchange(other.h_, nullptr)) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(h_, other.h_);
        return *this;
    }
    ~Handle() {
        if (h_ != nullptr) {
            Destroy(h_);
        }
    }

    H *get() const noexcept { return h_; }
    H **out() noexcept { return &h_; }

private:
    H *h_ = nullptr;
};

/// One query: all points at t=0, then all at t=1. The size is checked here.
template <std::size_t N> const double *query(View<double> q) {
    if (q.size() != N) {
        throw Error(CCD_E_ARGUMENT, "q has " + std::to_string(q.size()) + " numbers, not " + std::to_string(N));
    }
    return q.data();
}

template <std::size_t N>
std::vector<Impact> batch(ccd_status (*call)(const double *, std::size_t, const ccd_options *, ccd_impact *),
                          View<double> q, const Options &options) {
    if (q.size() % N != 0) {
        throw Error(CCD_E_ARGUMENT, "q has " + std::to_string(q.size()) + " numbers, no multiple of " + std::to_string(N));
    }
    std::vector<Impact> out(q.size() / N);
    Guard guard(options);
    guard.check(call(q.data(), out.size(), guard.get(), out.data()));
    return out;
}

inline bool within_limits(const double *q, int n) noexcept {
    bool good = true;
    for (int i = 0; i < n; i++) {
        good &= q[i] <= 1e150 && q[i] >= -1e150; // false for NaN
    }
    return good;
}

/// Whether an axis keeps A points and the B that follow them more than d apart for the whole step.
///
/// This is exact. On one axis all differences between a point of the one side and one of the other are linear in t, so their
/// signs at both ends hold between. And fl(x - y) > d means x - y > d: rounding is monotone and d is a double. Compilers that
/// are allowed to rearrange sums could undo that, so there the library alone decides.
template <int A, int B> bool apart(const double *q, double d) noexcept {
#ifdef __FAST_MATH__
    (void)q, (void)d;
    return false;
#else
    for (int k = 0; k < 3; k++) {
        bool above = true, below = true;
        for (int end = 0; end < 2; end++) {
            const double *p = q + 3 * (A + B) * end + k;
            double alo = p[0], ahi = p[0], blo = p[3 * A], bhi = p[3 * A];
            for (int i = 1; i < A; i++) {
                alo = p[3 * i] < alo ? p[3 * i] : alo;
                ahi = p[3 * i] > ahi ? p[3 * i] : ahi;
            }
            for (int i = A + 1; i < A + B; i++) {
                blo = p[3 * i] < blo ? p[3 * i] : blo;
                bhi = p[3 * i] > bhi ? p[3 * i] : bhi;
            }
            above &= alo - bhi > d;
            below &= blo - ahi > d;
        }
        if (above || below) {
            return within_limits(q, 6 * (A + B)); // a coordinate that is not finite is the library's to report
        }
    }
    return false;
#endif
}

/// Options that the library would accept for any query, whatever it says, and that want nothing beside the answer.
inline bool plain(const ccd_options &o) noexcept {
    const double most = std::numeric_limits<double>::max();
    return o.struct_size == sizeof o && o.tolerance > 0 && o.tolerance <= most && o.min_separation >= 0 &&
           o.min_separation <= 1e150 && o.t_max >= 0 && o.t_max <= 1 && o.max_boxes >= 0 &&
           o.method == CCD_METHOD_DEFAULT && o.threads >= 0 &&
           (o.flags & ~(CCD_NO_ZERO_TOI | CCD_EUCLIDEAN | CCD_BRUTE_FORCE)) == 0 && o.reserved == 0 &&
           o.scene_bound[0] == 0 && o.scene_bound[1] == 0 && o.scene_bound[2] == 0 && o.stats == nullptr;
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

template <Kind K, int A, int B> Impact pair(PairCall call, View<double> q) {
    const double *p = query<6 * (A + B)>(q);
    if (apart<A, B>(p, 0)) {
        return separate(K);
    }
    Impact out;
    check(call(p, nullptr, &out));
    return out;
}

template <Kind K, int A, int B> Impact pair(PairCall call, View<double> q, const Options &options) {
    const double *p = query<6 * (A + B)>(q);
    if (plain(options) && apart<A, B>(p, options.min_separation)) {
        return separate(K);
    }
    Impact out;
    Guard guard(options);
    guard.check(call(p, guard.get(), &out));
    return out;
}

} // namespace detail

// ---- one pair ------------------------------------------------------------------------------------------------------------

/// Queries of one pair. q is all points at t=0, then all at t=1. A pair that one axis keeps apart is answered inline, with the
/// library's own bits: most pairs never cross into it.
namespace pair {

/// v f0 f1 f2 at t=0, then t=1: 24 numbers.
inline Impact vertex_face(View<double> q) { return detail::pair<Kind::vertex_face, 1, 3>(ccd_pair_vertex_face, q); }
inline Impact vertex_face(View<double> q, const Options &options) {
    return detail::pair<Kind::vertex_face, 1, 3>(ccd_pair_vertex_face, q, options);
}

/// a0 a1 b0 b1 at t=0, then t=1: 24 numbers.
inline Impact edge_edge(View<double> q) { return detail::pair<Kind::edge_edge, 2, 2>(ccd_pair_edge_edge, q); }
inline Impact edge_edge(View<double> q, const Options &options) {
    return detail::pair<Kind::edge_edge, 2, 2>(ccd_pair_edge_edge, q, options);
}

/// p e0 e1 at t=0, then t=1: 18 numbers.
inline Impact point_edge(View<double> q) { return detail::pair<Kind::point_edge, 1, 2>(ccd_pair_point_edge, q); }
inline Impact point_edge(View<double> q, const Options &options) {
    return detail::pair<Kind::point_edge, 1, 2>(ccd_pair_point_edge, q, options);
}

/// p q at t=0, then t=1: 12 numbers.
inline Impact point_point(View<double> q) { return detail::pair<Kind::point_point, 1, 1>(ccd_pair_point_point, q); }
inline Impact point_point(View<double> q, const Options &options) {
    return detail::pair<Kind::point_point, 1, 1>(ccd_pair_point_point, q, options);
}

} // namespace pair

/// Many queries in one call; answer i has the bits of the single call, with a = i.
namespace pairs {

inline std::vector<Impact> vertex_face(View<double> q, const Options &options = {}) {
    return detail::batch<24>(ccd_pairs_vertex_face, q, options);
}
inline std::vector<Impact> edge_edge(View<double> q, const Options &options = {}) {
    return detail::batch<24>(ccd_pairs_edge_edge, q, options);
}
inline std::vector<Impact> point_edge(View<double> q, const Options &options = {}) {
    return detail::batch<18>(ccd_pairs_point_edge, q, options);
}
inline std::vector<Impact> point_point(View<double> q, const Options &options = {}) {
    return detail::batch<12>(ccd_pairs_point_point, q, options);
}

} // namespace pairs

// ---- mesh ----------------------------------------------------------------------------------------------------------------

/// The topology of a surface with its filters. Threads may share one.
class Mesh {
public:
    /// No edges: those of the faces.
    Mesh(std::size_t vertices, const Edges &edges, const Faces &faces) {
        detail::check(ccd_mesh_create(vertices, edges.data(), edges.rows(), faces.data(), faces.rows(), mesh_.out()));
    }

    ccd_mesh *handle() const noexcept { return mesh_.get(); }

    std::size_t vertices() const { return counts()[0]; }

    std::vector<std::array<std::int32_t, 2>> edges() const {
        std::vector<std::array<std::int32_t, 2>> out(counts()[1]);
        std::size_t count;
        detail::check(ccd_mesh_edges(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    std::vector<std::array<std::int32_t, 3>> faces() const {
        std::vector<std::array<std::int32_t, 3>> out(counts()[2]);
        std::size_t count;
        detail::check(ccd_mesh_faces(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    /// Numbers of vertices, edges and faces.
    std::array<std::size_t, 3> counts() const {
        std::array<std::size_t, 3> n{};
        detail::check(ccd_mesh_counts(handle(), &n[0], &n[1], &n[2]));
        return n;
    }

    /// Patch ids, one per vertex: two vertices of one patch never collide. None takes the filter away.
    void set_patches(View<std::int32_t> patch) {
        detail::check(ccd_mesh_set_patches(handle(), patch.data(), patch.size()));
    }

    /// One patch per connected component.
    void set_components() { detail::check(ccd_mesh_set_components(handle())); }

    /// Static vertices, one byte each. None takes the filter away.
    void set_static(View<std::uint8_t> is_static) {
        detail::check(ccd_mesh_set_static(handle(), is_static.data(), is_static.size()));
    }

    /// Leave out these pairs of the kind.
    void set_excluded(Kind kind, View<Pair> pairs) {
        const std::int64_t *p = pairs.size() == 0 ? nullptr : pairs.data()->data();
        detail::check(ccd_mesh_set_excluded(handle(), static_cast<std::int32_t>(kind), p, pairs.size()));
    }

private:
    detail::Handle<ccd_mesh, ccd_mesh_destroy> mesh_;
};

// ---- broad phase -----------------------------------------------------------------------------------------------------------

namespace detail {

/// The number of vertices of two frames, which must be one number.
inline std::size_t vertices(const Points &x0, const Points &x1) {
    if (x0.rows() != x1.rows()) {
        throw Error(CCD_E_ARGUMENT,
                    "x0 has " + std::to_string(x0.rows()) + " vertices, x1 has " + std::to_string(x1.rows()));
    }
    return x0.rows();
}

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

namespace broad {

/// The candidates of a step, for their pairs and for the steps of a line search: those of x0 -> x0 + dx serve for every
/// x0 -> x0 + alpha * dx, and for any separation up to theirs. A vertex that leaves the box it moved in is an error.
class Candidates {
public:
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

    /// step::earliest without a broad phase.
    Impact earliest(const Points &x0, const Points &x1, const Options &options = {}) const {
        Impact out;
        detail::Guard guard(options);
        guard.check(ccd_candidates_earliest(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &out));
        return out;
    }

    /// step::collisions without a broad phase.
    std::vector<Impact> collisions(const Points &x0, const Points &x1, const Options &options = {}) const {
        detail::Impacts impacts;
        detail::Guard guard(options);
        guard.check(ccd_candidates_collisions(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(),
                                              impacts.out()));
        return detail::copied(impacts);
    }

    /// step::size without a broad phase.
    double size(const Points &x0, const Points &x1, const Options &options = {}) const {
        double alpha = 0;
        detail::Guard guard(options);
        guard.check(ccd_candidates_size(handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &alpha));
        return alpha;
    }

    ccd_candidates *handle() const noexcept { return candidates_.get(); }

private:
    friend Candidates candidates(const Mesh &, const Points &, const Points &, const Options &);
    detail::Handle<ccd_candidates, ccd_candidates_destroy> candidates_;
};

/// All pairs whose swept boxes overlap, filters applied.
inline Candidates candidates(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    Candidates out;
    detail::Guard guard(options);
    guard.check(ccd_broad_candidates(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(),
                                     out.candidates_.out()));
    return out;
}

} // namespace broad

// ---- step ----------------------------------------------------------------------------------------------------------------

namespace step {

/// The earliest impact; verdict CCD_SEPARATE is a proof that there is none.
inline Impact earliest(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    Impact out;
    detail::Guard guard(options);
    guard.check(ccd_step_earliest(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &out));
    return out;
}

/// Every pair that is not CCD_SEPARATE, sorted by (toi_lo, kind, a, b).
inline std::vector<Impact> collisions(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    detail::Impacts impacts;
    detail::Guard guard(options);
    guard.check(
        ccd_step_collisions(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), impacts.out()));
    return detail::copied(impacts);
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

/// A safe step: up to it all pairs keep more than min_separation.
inline double size(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    double alpha = 0;
    detail::Guard guard(options);
    guard.check(ccd_step_size(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &alpha));
    return alpha;
}

/// A bound on the steps of a line search that keeps a share, in (0, 1), of the distance there is at x0.
/// options.min_separation, which must be positive, caps the distance that is looked for.
inline Bound linesearch(const Mesh &mesh, const Points &x0, const Points &x1, double share, const Options &options) {
    Bound out{};
    detail::Guard guard(options);
    guard.check(
        ccd_step_linesearch(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), share, guard.get(), &out));
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

// ---- files ---------------------------------------------------------------------------------------------------------------

namespace file {

/// What a mesh file holds. Every row is packed: x, y, z; two vertices; three vertices.
struct Surface {
    std::vector<double> vertices;
    std::vector<std::int32_t> edges; // line elements of the file, not the edges of the faces
    std::vector<std::int32_t> faces;
};

/// Read an OBJ, PLY, STL or OFF file.
inline Surface read(const std::string &path) {
    detail::Handle<ccd_file, ccd_file_destroy> file;
    detail::check(ccd_file_read(path.c_str(), file.out()));
    std::size_t vertices = 0, edges = 0, faces = 0;
    detail::check(ccd_file_counts(file.get(), &vertices, &edges, &faces));
    Surface s{std::vector<double>(3 * vertices), std::vector<std::int32_t>(2 * edges),
              std::vector<std::int32_t>(3 * faces)};
    detail::check(ccd_file_copy(file.get(), s.vertices.data(), s.edges.data(), s.faces.data()));
    return s;
}

} // namespace file

namespace queries {

/// Queries from a file of the 2021 dataset: 24 numbers each, and truths of 0 or 1 (-1 where the file has none).
struct Queries {
    std::vector<double> q;
    std::vector<std::int32_t> truth;
};

inline Queries read(const std::string &path) {
    detail::Handle<ccd_queries, ccd_queries_destroy> queries;
    detail::check(ccd_queries_read(path.c_str(), queries.out()));
    std::size_t count = 0;
    detail::check(ccd_queries_count(queries.get(), &count, nullptr));
    Queries out{std::vector<double>(24 * count), std::vector<std::int32_t>(count)};
    detail::check(ccd_queries_copy(queries.get(), out.q.data(), out.truth.data()));
    return out;
}

} // namespace queries
} // namespace ccd

#endif // LIBCCD_TOI_CCD_HPP
