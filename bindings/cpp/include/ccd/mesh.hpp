// mesh.hpp - a mesh and its filters. Part of ccd.hpp.
#ifndef LIBCCD_TOI_MESH_HPP
#define LIBCCD_TOI_MESH_HPP

#include <ccd/common.hpp>

namespace ccd {

/// The topology of a surface with its filters. Threads may share one.
class Mesh {
public:
    /// Without edges, those of the faces are taken.
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

    /// Collision groups, one number per vertex: two vertices of one group never collide. An empty array removes the filter.
    void set_groups(View<std::int32_t> group) { detail::check(ccd_mesh_set_groups(handle(), group.data(), group.size())); }

    /// One group per connected component.
    void set_component_groups() { detail::check(ccd_mesh_set_component_groups(handle())); }

    /// Static vertices, one byte each. An empty array removes the filter.
    void set_static(View<std::uint8_t> is_static) {
        detail::check(ccd_mesh_set_static(handle(), is_static.data(), is_static.size()));
    }

    /// Skip these pairs of the kind.
    void set_excluded(Kind kind, View<Pair> pairs) {
        const std::int64_t *p = pairs.size() == 0 ? nullptr : pairs.data()->data();
        detail::check(ccd_mesh_set_excluded(handle(), static_cast<std::int32_t>(kind), p, pairs.size()));
    }

    /// A radius per vertex: thickness. The separation of a pair is min_separation plus the radii of both, that of an edge or a face
    /// being the largest of its vertices'. An empty array removes them.
    void set_radii(View<double> radius) { detail::check(ccd_mesh_set_radii(handle(), radius.data(), radius.size())); }

private:
    detail::Handle<ccd_mesh, ccd_mesh_destroy> mesh_;
};

} // namespace ccd

#endif // LIBCCD_TOI_MESH_HPP
