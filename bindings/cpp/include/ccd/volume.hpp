// volume.hpp - volumes of elements. Part of ccd.hpp.
#ifndef LIBCCD_TOI_VOLUME_HPP
#define LIBCCD_TOI_VOLUME_HPP

#include <ccd/common.hpp>

namespace ccd {

using VolumeImpact = ccd_volume_impact; // of two features of a volume
static_assert(sizeof(VolumeImpact) == 152, "ccd_volume_impact has 152 bytes");

/// Types of elements, with the numbers and the orders of corners of VTK.
enum class Element : std::int32_t {
    triangle = CCD_ELEMENT_TRIANGLE,
    quadrilateral = CCD_ELEMENT_QUADRILATERAL,
    tetrahedron = CCD_ELEMENT_TETRAHEDRON,
    hexahedron = CCD_ELEMENT_HEXAHEDRON,
    prism = CCD_ELEMENT_PRISM,
    pyramid = CCD_ELEMENT_PYRAMID,
};

/// Elements: their types, and the corners of one after the other.
struct Cells {
    std::vector<double> vertices; // x, y, z each
    std::vector<Element> kinds;
    std::vector<std::int32_t> corners;
};

/// A mesh of elements that deforms, with its edits. Threads may share one; their calls run one after the other.
class Volume {
public:
    Volume(std::size_t vertices, View<Element> kinds, View<std::int32_t> corners) {
        detail::check(
            ccd_volume_create(vertices, numbers(kinds), kinds.size(), corners.data(), corners.size(), volume_.out()));
    }
    explicit Volume(const Cells &cells) : Volume(cells.vertices.size() / 3, cells.kinds, cells.corners) {}

    ccd_volume *handle() const noexcept { return volume_.get(); }

    /// Numbers of vertices, elements, edges and faces, with those that were removed.
    std::array<std::size_t, 4> counts() const {
        std::array<std::size_t, 4> n{};
        detail::check(ccd_volume_counts(handle(), &n[0], &n[1], &n[2], &n[3]));
        return n;
    }

    std::vector<std::array<std::int32_t, 2>> edges() const {
        std::vector<std::array<std::int32_t, 2>> out(counts()[2]);
        std::size_t count;
        detail::check(ccd_volume_edges(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    std::vector<std::array<std::int32_t, 3>> faces() const {
        std::vector<std::array<std::int32_t, 3>> out(counts()[3]);
        std::size_t count;
        detail::check(ccd_volume_faces(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    /// The type of every element, CCD_ELEMENT_TETRAHEDRON ...; 0 for one that was removed.
    std::vector<std::int32_t> elements() const {
        std::vector<std::int32_t> out(counts()[1]);
        std::size_t count;
        detail::check(ccd_volume_elements(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// The vertices of one element after the other, with the edits so far; one that was removed has none.
    std::vector<std::int32_t> corners() const {
        std::size_t count = 0;
        detail::check(ccd_volume_corners(handle(), nullptr, 0, &count));
        std::vector<std::int32_t> out(count);
        detail::check(ccd_volume_corners(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// Of every vertex, the one it was split from in the end, or itself.
    std::vector<std::int32_t> origins() const {
        std::vector<std::int32_t> out(counts()[0]);
        std::size_t count;
        detail::check(ccd_volume_origins(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// Append vertices, each split from another or, with -1, from none; the number of the first.
    std::int32_t add_vertices(View<std::int32_t> origin) {
        std::int32_t first = -1;
        detail::check(ccd_volume_add_vertices(handle(), origin.data(), origin.size(), &first));
        return first;
    }

    /// Append elements; the number of the first.
    std::int32_t add(View<Element> kinds, View<std::int32_t> corners) {
        std::int32_t first = -1;
        detail::check(ccd_volume_add(handle(), numbers(kinds), kinds.size(), corners.data(), corners.size(), &first));
        return first;
    }

    void remove(View<std::int32_t> elements) {
        detail::check(ccd_volume_remove(handle(), elements.data(), elements.size()));
    }

    /// Give these elements at a vertex a new one in its place; its number.
    std::int32_t split(std::int32_t vertex, View<std::int32_t> elements) {
        std::int32_t new_vertex = -1;
        detail::check(ccd_volume_split(handle(), vertex, elements.data(), elements.size(), &new_vertex));
        return new_vertex;
    }

    /// Let all elements at one vertex have another in its place.
    void merge(std::int32_t from, std::int32_t into) { detail::check(ccd_volume_merge(handle(), from, into)); }

    /// A radius per vertex, as of a Mesh. New vertices have the radius of the vertex that they are split from, or 0. An empty array
    /// removes the radii.
    void set_radii(View<double> radius) { detail::check(ccd_volume_set_radii(handle(), radius.data(), radius.size())); }

private:
    static const std::int32_t *numbers(const View<Element> &kinds) noexcept {
        return reinterpret_cast<const std::int32_t *>(kinds.data()); // its underlying type
    }

    detail::Handle<ccd_volume, ccd_volume_destroy> volume_;
};

namespace volume {

/// The earliest impact; verdict CCD_SEPARATE is a proof that there is none. selection is 0 or a sum of CCD_VOLUME_*.
inline VolumeImpact earliest(const Volume &volume, const Points &x0, const Points &x1, std::uint32_t selection = 0,
                             const Options &options = {}) {
    VolumeImpact out;
    detail::Guard guard(options);
    guard.check(
        ccd_volume_earliest(volume.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), selection, guard.get(), &out));
    return out;
}

/// Every impact, in the order of time, kind and vertices.
inline std::vector<VolumeImpact> collisions(const Volume &volume, const Points &x0, const Points &x1,
                                            std::uint32_t selection = 0, const Options &options = {}) {
    detail::Handle<ccd_volume_impacts, ccd_volume_impacts_destroy> impacts;
    detail::Guard guard(options);
    guard.check(ccd_volume_collisions(volume.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), selection,
                                      guard.get(), impacts.out()));
    std::size_t count = 0;
    detail::check(ccd_volume_impacts_count(impacts.get(), &count));
    std::vector<VolumeImpact> out(count);
    detail::check(ccd_volume_impacts_copy(impacts.get(), out.data(), out.size(), &count));
    return out;
}

/// Place vertices that came into being during a step at its start: x0 = x1 - duration * velocity, for those listed.
inline void backtrack(std::vector<double> &x0, const Points &x1, const Points &velocity, double duration,
                      View<std::int32_t> vertices) {
    if (x0.size() != 3 * x1.rows() || velocity.rows() != x1.rows()) {
        throw Error(CCD_E_ARGUMENT, "x0, x1 and velocity must be of one size");
    }
    detail::check(
        ccd_volume_backtrack(x0.data(), x1.data(), velocity.data(), x1.rows(), duration, vertices.data(), vertices.size()));
}

/// Read a file of elements: VTK (legacy, XML), Gmsh MSH 2 and 4, MEDIT.
inline Cells read(const std::string &path) {
    detail::Handle<ccd_cells, ccd_cells_destroy> cells;
    detail::check(ccd_cells_read(path.c_str(), cells.out()));
    std::size_t vertices = 0, elements = 0, corners = 0;
    detail::check(ccd_cells_counts(cells.get(), &vertices, &elements, &corners));
    Cells out{std::vector<double>(3 * vertices), std::vector<Element>(elements), std::vector<std::int32_t>(corners)};
    detail::check(ccd_cells_copy(cells.get(), out.vertices.data(), reinterpret_cast<std::int32_t *>(out.kinds.data()),
                                 out.corners.data()));
    return out;
}

} // namespace volume

} // namespace ccd

#endif // LIBCCD_TOI_VOLUME_HPP
