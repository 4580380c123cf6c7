// common.hpp - errors, borrowed arrays, options and owners of handles, for every part of ccd.hpp.
#ifndef LIBCCD_TOI_COMMON_HPP
#define LIBCCD_TOI_COMMON_HPP

#include <ccd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
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

/// Continuous collision detection: ccd.h with owners, views and exceptions.
namespace ccd {

using Impact = ccd_impact;                       ///< one impact: the result of a query, or the first impact of a step
using Stats = ccd_stats;                         ///< what a call did, and how long it took
using Pair = std::array<std::int64_t, 2>;        ///< indices of two primitives, as in Impact::a and b
using LinesearchBound = ccd_linesearch_bound;    ///< how far a line search may go
using SizesReport = ccd_sizes_report;            ///< what step::sizes did
using Gradient = ccd_gradient;                   ///< derivatives of a pair's time of impact
using Interval = ccd_interval;                   ///< a time during which a pair is in contact
using Clearance = ccd_clearance;                 ///< the least distance of a pair, or of all, over a step
using Constraint = ccd_constraint;               ///< a pair to be kept apart, linearized
using Limit = ccd_limit;                         ///< a pair that limits a step: Why::others
using Why = ccd_why;                             ///< what limits a step: Step::why
using DeviceArray = ccd_device_array;            ///< vertices in the memory of a device
using Intersection = ccd_intersection;           ///< two primitives that share a point
using NearPair = ccd_near_pair;                  ///< two primitives and their distance
using RigidBodyInfo = ccd_rigid_body_info;       ///< what a rigid body is
using Overlap = ccd_overlap;                     ///< volume that two solids have in common
using Depth = ccd_depth;                         ///< where a point lies to a closed surface
using RigidGap = ccd_rigid_gap;                  ///< distance of two rigid bodies
using RigidGapGradient = ccd_rigid_gap_gradient; ///< distance of two rigid bodies with derivatives by their poses
using RigidPenetration = ccd_rigid_penetration;  ///< the least translation that separates two rigid bodies
using RigidPenetrationGradient = ccd_rigid_penetration_gradient; ///< the same with derivatives by the poses
using Crossing = ccd_crossing;                                   ///< all intersections of two objects of a mesh
using Untangled = ccd_untangled;                                 ///< what proximity::untangle did
using RigidSceneGap = ccd_rigid_scene_gap;                       ///< distance of two rigid bodies of a scene
using NestedPair = ccd_nested_pair;                              ///< a component of a mesh inside another one
using RigidImpact = ccd_rigid_impact;                            ///< impact of two rigid bodies
using RigidSceneImpact = ccd_rigid_scene_impact;                 ///< impact of two bodies of a scene
using RigidMeshImpact = ccd_rigid_mesh_impact;                   ///< impact of a rigid body and a primitive of a mesh

using RigidManifoldPoint = ccd_rigid_manifold_point; ///< point of contact of two rigid bodies
using Slide = ccd_slide;                             ///< how long two rigid bodies stay in contact

static_assert(sizeof(Impact) == 120, "ccd_impact has 120 bytes");
static_assert(sizeof(Gradient) == 288, "ccd_gradient has 288 bytes");
static_assert(sizeof(Interval) == 48, "ccd_interval has 48 bytes");
static_assert(sizeof(Clearance) == 144, "ccd_clearance has 144 bytes");
static_assert(sizeof(Constraint) == 184, "ccd_constraint has 184 bytes");
static_assert(sizeof(Why) == 776, "ccd_why has 776 bytes");
static_assert(sizeof(Intersection) == 24, "ccd_intersection has 24 bytes");
static_assert(sizeof(NearPair) == 104, "ccd_near_pair has 104 bytes");
static_assert(sizeof(RigidBodyInfo) == 32, "ccd_rigid_body_info has 32 bytes");
static_assert(sizeof(Overlap) == 56, "ccd_overlap has 56 bytes");
static_assert(sizeof(Depth) == 96, "ccd_depth has 96 bytes");
static_assert(sizeof(RigidGap) == 144, "ccd_rigid_gap has 144 bytes");
static_assert(sizeof(RigidGapGradient) == 248, "ccd_rigid_gap_gradient has 248 bytes");
static_assert(sizeof(RigidManifoldPoint) == 128, "ccd_rigid_manifold_point has 128 bytes");
static_assert(sizeof(Slide) == 80, "ccd_slide has 80 bytes");
static_assert(sizeof(RigidPenetration) == 136, "ccd_rigid_penetration has 136 bytes");
static_assert(sizeof(RigidPenetrationGradient) == 240, "ccd_rigid_penetration_gradient has 240 bytes");
static_assert(sizeof(Crossing) == 48, "ccd_crossing has 48 bytes");
static_assert(sizeof(Untangled) == 40, "ccd_untangled has 40 bytes");
static_assert(sizeof(NestedPair) == 24, "ccd_nested_pair has 24 bytes");
static_assert(sizeof(RigidImpact) == 136, "ccd_rigid_impact has 136 bytes");
static_assert(sizeof(RigidSceneImpact) == 152, "ccd_rigid_scene_impact has 152 bytes");
static_assert(sizeof(RigidMeshImpact) == 152, "ccd_rigid_mesh_impact has 152 bytes");
static_assert(sizeof(Pair) == 2 * sizeof(std::int64_t), "pairs are packed");

/// Kind of a pair of primitives.
enum class Kind : std::int32_t {
    vertex_face = CCD_VERTEX_FACE, ///< a vertex and a triangle
    edge_edge = CCD_EDGE_EDGE,     ///< two edges
    point_edge = CCD_POINT_EDGE,   ///< a codimensional vertex and an edge
    point_point = CCD_POINT_POINT, ///< two codimensional vertices
    edge_face = CCD_EDGE_FACE,     ///< an edge through a face: a static intersection, or a start with CCD_CHECK_START
};

/// Version of the library that was loaded.
/// @return major * 10000 + minor * 100 + patch
inline std::uint32_t version() noexcept { return ccd_version(); }

/// The SIMD level in use: "generic", "avx2" or "avx512".
inline const char *simd_level() noexcept { return ccd_simd_level(); }

/// Why a verdict is CCD_UNDECIDED, by the flags of an impact: a text such as "iterations: max_iterations was reached", or "".
inline const char *reason(std::uint32_t flags) noexcept { return ccd_reason(flags); }

/// A call that did not return CCD_OK. what() names the argument and the index that is wrong.
class Error : public std::runtime_error {
public:
    /// An error with a status and a message.
    Error(ccd_status status, const std::string &text)
        : std::runtime_error(std::string(ccd_status_name(status)) + ": " + text), status_(status) {}

    /// The status, such as CCD_E_INDEX.
    ccd_status status() const noexcept { return status_; }

private:
    ccd_status status_;
};

namespace detail {

/// What an argument of a call in C is in C++, where their names differ: the start of a message, and what stands in its place.
struct Name {
    const char *c, *cpp;
};

inline void check(ccd_status status, std::initializer_list<Name> names = {}) {
    if (status == CCD_OK) {
        return;
    }
    std::string text(ccd_last_error(nullptr, 0), '\0');
    ccd_last_error(text.data(), text.size() + 1);
    for (const Name &name : names) {
        if (text.rfind(name.c, 0) == 0) {
            text.replace(0, std::strlen(name.c), name.cpp);
            break;
        }
    }
    const std::string null = " is NULL";
    if (status == CCD_E_HANDLE && text.size() > null.size() &&
        text.compare(text.size() - null.size(), null.size(), null) == 0) {
        text += ": an object has no handle any more after std::move";
    }
    throw Error(status, text);
}

/// An error about the size of an argument: "radii has 3 numbers: ", and what must be.
inline Error wrong_size(const std::string &name, std::size_t size, const char *what, const std::string &must) {
    return Error(CCD_E_ARGUMENT, name + " has " + std::to_string(size) + " " + what + ": " + must);
}

/// Refuse two arguments of different sizes.
inline void same_size(const char *a, std::size_t size_a, const char *b, std::size_t size_b, const char *what) {
    if (size_a != size_b) {
        throw wrong_size(b, size_b, what, "must have " + std::to_string(size_a) + ", as " + a);
    }
}

/// A number as messages have it: 0.1, nan.
inline std::string shown(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", x);
    return text;
}

} // namespace detail

/// Return to the system the memory that finished calls have left to later ones: see ccd_trim.
inline void trim() { detail::check(ccd_trim()); }

namespace detail {

template <class Container, class = void> struct is_eigen : std::false_type {};
template <class Container> struct is_eigen<Container, std::void_t<decltype(Container::IsRowMajor)>> : std::true_type {};

template <class Container, class Item, class = void> struct is_array_of : std::false_type {};
template <class Container, class Item>
struct is_array_of<
    Container, Item,
    std::void_t<decltype(std::declval<const Container &>().data()), decltype(std::declval<const Container &>().size())>>
    : std::bool_constant<!is_eigen<Container>::value &&
                         std::is_convertible_v<decltype(std::declval<const Container &>().data()), const Item *>> {};

} // namespace detail

/// A borrowed array: a pointer and a size, a C array, or any container with data() and size(). It must outlive the view.
template <class Item> class View {
public:
    /// No items.
    View() noexcept = default;
    /// size items at data.
    View(const Item *data, std::size_t size) noexcept : data_(data), size_(size) {}
    /// The items of a list in braces, for the call that it is an argument of.
    View(std::initializer_list<Item> list) noexcept : View(list.begin(), list.size()) {}
    /// A C array.
    template <std::size_t Count> View(const Item (&array)[Count]) noexcept : data_(array), size_(Count) {}
    /// A container with data() and size().
    template <class Container, class = std::enable_if_t<detail::is_array_of<Container, Item>::value>>
    View(const Container &container) noexcept : data_(container.data()), size_(container.size()) {}

    const Item *data() const noexcept { return data_; }        ///< the first item
    std::size_t size() const noexcept { return size_; }        ///< number of items
    const Item *begin() const noexcept { return data_; }       ///< the first item
    const Item *end() const noexcept { return data_ + size_; } ///< behind the last item

private:
    const Item *data_ = nullptr;
    std::size_t size_ = 0;
};

/// A matrix of n rows and Columns columns, row by row: borrowed if it has this layout, else copied. It is made for parameters: it may
/// borrow from a temporary, and cannot be copied. The call that takes it refuses another number of columns (CCD_E_ARGUMENT) and an index that
/// is no 32-bit integer (CCD_E_INDEX): its message names the argument.
template <class Item, int Columns> class Rows {
public:
    /// No rows.
    Rows() noexcept = default;
    /// Packed rows in a C array.
    template <std::size_t Count> Rows(const Item (&array)[Count]) : Rows(View<Item>(array)) {}
    /// Packed rows in a container of numbers.
    template <class Container, class = std::enable_if_t<std::is_convertible_v<const Container &, View<Item>>>>
    Rows(const Container &array) : Rows(View<Item>(array)) {}
    /// Rows in a container of std::array or the like.
    template <class Container,
              class = std::enable_if_t<detail::is_array_of<Container, std::array<Item, std::size_t{Columns}>>::value>,
              class = void>
    Rows(const Container &rows)
        : view_(rows.size() == 0 ? nullptr : rows.data()->data(), rows.size() * std::size_t{Columns}) {}
    /// Packed rows in braces.
    Rows(std::initializer_list<Item> list) : Rows(View<Item>(list)) {}
    /// Packed rows.
    Rows(View<Item> flat) : view_(flat) {
        if (flat.size() % Columns != 0) {
            wrong_ = " has " + std::to_string(flat.size()) + " numbers: must be a multiple of " + std::to_string(Columns) +
                     ", for rows of " + std::to_string(Columns);
        }
    }
#if CCD_HAS_EIGEN
    /// Any dense expression of n x Columns. A row-major matrix of Item without padding is borrowed.
    template <class Derived> Rows(const Eigen::MatrixBase<Derived> &matrix) {
        if (matrix.cols() != Columns && matrix.size() != 0) {
            wrong_ = " has " + std::to_string(matrix.rows()) + " rows and " + std::to_string(matrix.cols()) +
                     " columns: must have " + std::to_string(Columns) + " columns" +
                     (matrix.rows() == Columns ? "; pass its transpose"
                      : matrix.cols() == 1     ? "; pass the array itself"
                                               : "");
            return;
        }
        if constexpr (std::is_same_v<typename Derived::Scalar, Item> && Derived::IsRowMajor &&
                      (Derived::Flags & Eigen::DirectAccessBit) != 0) {
            if (matrix.derived().innerStride() == 1 && matrix.derived().outerStride() == Columns) {
                view_ = View<Item>(matrix.derived().data(), static_cast<std::size_t>(matrix.size()));
                return;
            }
        }
        copy(matrix.derived().eval());
    }
#endif
    Rows(const Rows &) = delete; // a parameter: it may borrow from a temporary
    Rows &operator=(const Rows &) = delete;

    const Item *data() const noexcept { return view_.data(); } ///< the first number

    /// Number of rows.
    /// @param name   of the argument, for the message
    /// @throws Error CCD_E_ARGUMENT for another number of columns, CCD_E_INDEX for an index that is no 32-bit integer
    std::size_t rows(const char *name) const {
        if (!wrong_.empty()) {
            throw Error(status_, name + wrong_);
        }
        return view_.size() / Columns;
    }

    /// The numbers, if this object has them and borrows none: data() stays valid as long as the vector does.
    std::vector<Item> take() noexcept { return std::move(own_); }

private:
#if CCD_HAS_EIGEN
    template <class Matrix> void copy(const Matrix &matrix) {
        own_.reserve(static_cast<std::size_t>(matrix.size()));
        for (Eigen::Index i = 0; i < matrix.rows(); i++) {
            for (Eigen::Index j = 0; j < Columns && j < matrix.cols(); j++) {
                const auto x = matrix(i, j);
                const Item y = static_cast<Item>(x);
                if (std::is_integral_v<Item> && static_cast<decltype(+x)>(y) != +x) {
                    status_ = CCD_E_INDEX;
                    wrong_ = "[" + std::to_string(i) + "][" + std::to_string(j) + "] is " + shown(x) +
                             ": must be a 32-bit integer";
                    return;
                }
                own_.push_back(y);
            }
        }
        view_ = View<Item>(own_.data(), own_.size());
    }
#endif
    template <class Entry> static std::string shown(const Entry &x) {
        if constexpr (std::is_integral_v<Entry>) {
            return std::to_string(x);
        } else {
            return detail::shown(static_cast<double>(x));
        }
    }

    View<Item> view_;
    std::vector<Item> own_;
    ccd_status status_ = CCD_E_ARGUMENT;
    std::string wrong_; // what is wrong with it, after its name
};

using Points = Rows<double, 3>;      ///< positions, n x 3
using Edges = Rows<std::int32_t, 2>; ///< vertex indices of edges, n x 2
using Faces = Rows<std::int32_t, 3>; ///< vertex indices of triangles, n x 3

/// Options of a call, with the defaults of ccd_options_init: tolerance, min_separation, t_max, method, norm, threads, flags ...
/// Set the members of ccd_options, or on_progress.
struct Options : ccd_options {
    /// The defaults.
    Options() noexcept { ccd_options_init(this, sizeof(ccd_options)); }

    /// Called with a fraction in [0, 1], from any thread, never from two at once; true cancels the call. An exception that it
    /// throws cancels the call, which rethrows it.
    std::function<bool(double fraction)> on_progress;
};

/// What stands for x0 and x1 in a step whose vertices are on a device: set options.device_x0 and device_x1 to them.
/// @param vertices the number of vertices
inline View<double> on_device(std::size_t vertices) noexcept { return View<double>(nullptr, 3 * vertices); }

namespace detail {

/// The number of vertices of x0 and x1, which must be equal.
inline std::size_t vertices(const Points &x0, const Points &x1) {
    if (x0.rows("x0") != x1.rows("x1")) {
        throw Error(CCD_E_ARGUMENT,
                    "x0 has " + std::to_string(x0.rows("x0")) + " vertices, x1 has " + std::to_string(x1.rows("x1")));
    }
    return x0.rows("x0");
}

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

    void check(ccd_status status, std::initializer_list<Name> names = {}) const {
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
        detail::check(status, names);
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
template <class Object, ccd_status (*Destroy)(Object *)> class Handle {
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

    Object *get() const noexcept { return h_; }
    Object **out() noexcept { return &h_; }

private:
    Object *h_ = nullptr;
};

} // namespace detail

} // namespace ccd

#endif // LIBCCD_TOI_COMMON_HPP
