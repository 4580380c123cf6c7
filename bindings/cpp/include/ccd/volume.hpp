// volume.hpp - volumes of elements. Part of ccd.hpp.
#ifndef LIBCCD_TOI_VOLUME_HPP
#define LIBCCD_TOI_VOLUME_HPP

#include <ccd/remarks.hpp>

namespace ccd {

using VolumeImpact = ccd_volume_impact; ///< impact of two features of a volume
static_assert(sizeof(VolumeImpact) == 152, "ccd_volume_impact has 152 bytes");

/// Type of an element. The numbers and the order of the corners are VTK's.
enum class Element : std::int32_t {
    triangle = CCD_ELEMENT_TRIANGLE,           ///< a shell of 3 corners
    quadrilateral = CCD_ELEMENT_QUADRILATERAL, ///< a shell of 4 corners
    tetrahedron = CCD_ELEMENT_TETRAHEDRON,     ///< 4 corners
    hexahedron = CCD_ELEMENT_HEXAHEDRON,       ///< 8 corners
    prism = CCD_ELEMENT_PRISM,                 ///< 6 corners
    pyramid = CCD_ELEMENT_PYRAMID,             ///< 5 corners, the apex last
};

/// Elements of a file.
struct Cells {
    std::vector<double> vertices;      ///< x, y, z of each vertex
    std::vector<Element> kinds;        ///< type of each element
    std::vector<std::int32_t> corners; ///< vertices of one element after the other
    Remarks remarks;                   ///< what was left out, data at the points, and notes
};

/// A deforming mesh of elements with its features, and search structures that it keeps between steps. Threads may share a volume;
/// their calls run one after the other.
class Volume {
public:
    /// Create a volume.
    /// @param vertices number of vertices
    /// @param kinds    type of each element
    /// @param corners  vertices of one element after the other
    /// @throws Error   CCD_E_ARGUMENT or CCD_E_INDEX; the message names the element
    Volume(std::size_t vertices, View<Element> kinds, View<std::int32_t> corners) {
        detail::check(
            ccd_volume_create(vertices, numbers(kinds), kinds.size(), corners.data(), corners.size(), volume_.out()));
    }
    /// The volume of the elements of a file.
    explicit Volume(const Cells &cells) : Volume(cells.vertices.size() / 3, cells.kinds, cells.corners) {}

    ccd_volume *handle() const noexcept { return volume_.get(); } ///< the handle in C

    /// Numbers of vertices, elements, edges and faces, removed ones included.
    std::array<std::size_t, 4> counts() const {
        std::array<std::size_t, 4> n{};
        detail::check(ccd_volume_counts(handle(), &n[0], &n[1], &n[2], &n[3]));
        return n;
    }

    /// Copy of the edges; -1 in entries that are not in use.
    std::vector<std::array<std::int32_t, 2>> edges() const {
        std::vector<std::array<std::int32_t, 2>> out(counts()[2]);
        std::size_t count;
        detail::check(ccd_volume_edges(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    /// Copy of the faces; -1 in entries that are not in use.
    std::vector<std::array<std::int32_t, 3>> faces() const {
        std::vector<std::array<std::int32_t, 3>> out(counts()[3]);
        std::size_t count;
        detail::check(ccd_volume_faces(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    /// Copy of the type of every element, CCD_ELEMENT_TETRAHEDRON ...; 0 for removed elements.
    std::vector<std::int32_t> elements() const {
        std::vector<std::int32_t> out(counts()[1]);
        std::size_t count;
        detail::check(ccd_volume_elements(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// Copy of the vertices of one element after the other, after all edits; removed elements have none.
    std::vector<std::int32_t> corners() const {
        std::size_t count = 0;
        detail::check(ccd_volume_corners(handle(), nullptr, 0, &count));
        std::vector<std::int32_t> out(count);
        detail::check(ccd_volume_corners(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// For every vertex the original vertex that it was split from, or itself.
    std::vector<std::int32_t> origins() const {
        std::vector<std::int32_t> out(counts()[0]);
        std::size_t count;
        detail::check(ccd_volume_origins(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// Append vertices. Edits belong between steps; one that throws changes nothing.
    /// @param origin for each new vertex the vertex that it was split from, or -1
    /// @return       index of the first new vertex
    /// @throws Error CCD_E_INDEX for an origin out of range
    std::int32_t add_vertices(View<std::int32_t> origin) {
        std::int32_t first = -1;
        detail::check(ccd_volume_add_vertices(handle(), origin.data(), origin.size(), &first));
        return first;
    }

    /// Append elements, as in the constructor.
    /// @return       index of the first new element
    /// @throws Error CCD_E_ARGUMENT or CCD_E_INDEX; the message names the element, by its index in the volume
    std::int32_t add(View<Element> kinds, View<std::int32_t> corners) {
        std::int32_t first = -1;
        detail::check(ccd_volume_add(handle(), numbers(kinds), kinds.size(), corners.data(), corners.size(), &first));
        return first;
    }

    /// Remove elements, and the features that no other element has.
    /// @param elements indices of elements
    /// @throws Error   CCD_E_INDEX for one that is out of range, or was removed
    void remove(View<std::int32_t> elements) {
        detail::check(ccd_volume_remove(handle(), elements.data(), elements.size()));
    }

    /// Split a vertex: give these elements a new vertex of the same origin in its place.
    /// @param vertex   the vertex
    /// @param elements indices of the elements that get the new vertex
    /// @return         index of the new vertex
    /// @throws Error   CCD_E_INDEX for an index out of range, or an element without the vertex
    std::int32_t split(std::int32_t vertex, View<std::int32_t> elements) {
        std::int32_t new_vertex = -1;
        detail::check(ccd_volume_split(handle(), vertex, elements.data(), elements.size(), &new_vertex));
        return new_vertex;
    }

    /// Replace a vertex by another in all elements.
    /// @throws Error CCD_E_INDEX for a vertex out of range, the same vertex, or an element that has both
    void merge(std::int32_t from, std::int32_t into) { detail::check(ccd_volume_merge(handle(), from, into)); }

    /// Set a radius for each vertex, as Mesh::set_radii does. New vertices have the radius of the vertex that they are split
    /// from, or 0.
    /// @param radius one length for each vertex, finite, at least 0; empty: remove the radii
    /// @throws Error CCD_E_ARGUMENT or CCD_E_NONFINITE; the message names the index
    void set_radii(View<double> radius) { detail::check(ccd_volume_set_radii(handle(), radius.data(), radius.size())); }

private:
    static const std::int32_t *numbers(const View<Element> &kinds) noexcept {
        return reinterpret_cast<const std::int32_t *>(kinds.data()); // its underlying type
    }

    detail::Handle<ccd_volume, ccd_volume_destroy> volume_;
};

/// Steps of volumes of elements, and files.
namespace volume {

/// Compute the earliest impact of a step. The verdict CCD_SEPARATE is a proof that there is none.
/// @param x0        vertices at t = 0, n x 3
/// @param x1        vertices at t = 1, n x 3
/// @param selection 0, or a sum of CCD_VOLUME_*: the classes of pairs to test
/// @throws Error    as ccd_volume_earliest
inline VolumeImpact earliest(const Volume &volume, const Points &x0, const Points &x1, std::uint32_t selection = 0,
                             const Options &options = {}) {
    VolumeImpact out;
    detail::Guard guard(options);
    guard.check(
        ccd_volume_earliest(volume.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), selection, guard.get(), &out));
    return out;
}

/// List every impact, in the order of time, kind and vertices.
/// @throws Error as earliest
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

/// Compute start positions of vertices that were created during a step: x0 = x1 - duration * velocity, for the listed ones.
/// @param x0       n x 3, written
/// @param velocity mean velocity of each vertex over the step, n x 3
/// @throws Error   as ccd_volume_backtrack
inline void backtrack(std::vector<double> &x0, const Points &x1, const Points &velocity, double duration,
                      View<std::int32_t> vertices) {
    detail::same_size("x1", 3 * x1.rows("x1"), "x0", x0.size(), "numbers");
    detail::same_size("x1", x1.rows("x1"), "velocity", velocity.rows("velocity"), "rows");
    detail::check(ccd_volume_backtrack(x0.data(), x1.data(), velocity.data(), x1.rows("x1"), duration, vertices.data(),
                                       vertices.size()));
}

/// Read a file of elements: VTK (legacy, XML), Gmsh MSH 2 and 4, MEDIT. The content determines the format.
/// @param path   a regular file, in UTF-8
/// @throws Error CCD_E_FILE if the file cannot be opened, or is truncated or malformed
inline Cells read(const std::string &path) {
    detail::Handle<ccd_cells, ccd_cells_destroy> cells;
    detail::check(ccd_cells_read(path.c_str(), cells.out()));
    std::size_t vertices = 0, elements = 0, corners = 0;
    detail::check(ccd_cells_counts(cells.get(), &vertices, &elements, &corners));
    Cells out{std::vector<double>(3 * vertices), std::vector<Element>(elements), std::vector<std::int32_t>(corners),
              detail::remarks_of(cells.get(), vertices, ccd_cells_remarks, ccd_cells_left_out, ccd_cells_note,
                                 ccd_cells_field, ccd_cells_field_values)};
    detail::check(ccd_cells_copy(cells.get(), out.vertices.data(), reinterpret_cast<std::int32_t *>(out.kinds.data()),
                                 out.corners.data()));
    return out;
}

} // namespace volume

} // namespace ccd

#endif // LIBCCD_TOI_VOLUME_HPP
