// mesh.hpp - a mesh and its filters. Part of ccd.hpp.
#ifndef LIBCCD_TOI_MESH_HPP
#define LIBCCD_TOI_MESH_HPP

#include <ccd/common.hpp>

namespace ccd {

/// The topology of a surface, filters that say which pairs are tested, and radii. Threads may share a mesh.
class Mesh {
public:
    /// Create a mesh.
    /// @param vertices number of vertices
    /// @param edges    every edge of every face once, and further ones, which are codimensional; none: the edges of the faces
    /// @param faces    triangles
    /// @throws Error   CCD_E_INDEX for an index out of range or a repeated vertex, CCD_E_ARGUMENT for a face given twice
    Mesh(std::size_t vertices, const Edges &edges, const Faces &faces) {
        detail::check(
            ccd_mesh_create(vertices, edges.data(), edges.rows("edges"), faces.data(), faces.rows("faces"), mesh_.out()));
    }

    /// Create a mesh some of whose vertices are in no edge and no particles either: no pair has them.
    /// @param ignored  one byte for each vertex, 0 or not
    /// @throws Error   as above, and CCD_E_ARGUMENT for an ignored vertex of an edge
    Mesh(std::size_t vertices, const Edges &edges, const Faces &faces, View<std::uint8_t> ignored) {
        detail::check(ccd_mesh_create_ignoring(vertices, edges.data(), edges.rows("edges"), faces.data(),
                                               faces.rows("faces"), ignored.data(), ignored.size(), mesh_.out()));
    }

    ccd_mesh *handle() const noexcept { return mesh_.get(); } ///< the handle in C

    /// Number of vertices.
    std::size_t vertices() const { return counts()[0]; }

    /// Copy of the edges. Impact::a and b of edges are indices into it.
    std::vector<std::array<std::int32_t, 2>> edges() const {
        std::vector<std::array<std::int32_t, 2>> out(counts()[1]);
        std::size_t count;
        detail::check(ccd_mesh_edges(handle(), out.empty() ? nullptr : out.data()->data(), out.size(), &count));
        return out;
    }

    /// Copy of the faces.
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

    /// Set collision groups: two vertices of one group never collide; those of a negative one collide with everything.
    /// @param group  one number for each vertex; empty: remove the filter
    /// @throws Error CCD_E_ARGUMENT for another number of them
    void set_groups(View<std::int32_t> group) { detail::check(ccd_mesh_set_groups(handle(), group.data(), group.size())); }

    /// Set one collision group for each connected component: no component collides with itself.
    void set_component_groups() { detail::check(ccd_mesh_set_component_groups(handle())); }

    /// Set static vertices: pairs whose vertices are all static are skipped.
    /// @param is_static one byte for each vertex, 0 or not; empty: remove the filter
    /// @throws Error    CCD_E_ARGUMENT for another number of them
    void set_static(View<std::uint8_t> is_static) {
        detail::check(ccd_mesh_set_static(handle(), is_static.data(), is_static.size()));
    }

    /// Skip these pairs of one kind. Replaces the earlier list of that kind.
    /// @param kind   kind of all pairs; Kind::edge_face for intersections alone
    /// @param pairs  indices of the two primitives as in Impact::a and b
    /// @throws Error CCD_E_INDEX for an index out of range; the message names it
    void set_excluded(Kind kind, View<Pair> pairs) {
        const std::int64_t *p = pairs.size() == 0 ? nullptr : pairs.data()->data();
        detail::check(ccd_mesh_set_excluded(handle(), static_cast<std::int32_t>(kind), p, pairs.size()));
    }

    /// Set a radius for each vertex: thickness. The separation of a pair is min_separation plus the radii of both; the radius of an edge or
    /// a face is the largest of its vertices'.
    /// @param radius one length for each vertex, finite, at least 0; empty: remove the radii
    /// @throws Error CCD_E_ARGUMENT or CCD_E_NONFINITE; the message names the index
    void set_radii(View<double> radius) { detail::check(ccd_mesh_set_radii(handle(), radius.data(), radius.size())); }

private:
    detail::Handle<ccd_mesh, ccd_mesh_destroy> mesh_;
};

} // namespace ccd

#endif // LIBCCD_TOI_MESH_HPP
