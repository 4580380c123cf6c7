// file.hpp - mesh files. Part of ccd.hpp.
#ifndef LIBCCD_TOI_FILE_HPP
#define LIBCCD_TOI_FILE_HPP

#include <ccd/mesh.hpp>
#include <ccd/remarks.hpp>

#include <algorithm>

namespace ccd {

/// Mesh files.
namespace file {

/// Content of a mesh file, in packed rows.
struct Surface {
    std::vector<double> vertices;    ///< x, y, z of each vertex
    std::vector<std::int32_t> edges; ///< two vertices of each line element of the file; not the edges of the faces
    std::vector<std::int32_t> faces; ///< three vertices of each triangle

    std::vector<std::int32_t> unused; ///< vertices that no face, edge or point of the file uses, ascending
    Remarks remarks;                  ///< what was left out, data at the points, and notes
    double deviation =
        0; ///< curved faces and lines of the file, of cells of order 2, are at most this far from the flat ones here

    /// The mesh: edges of the faces, and the file's own as codimensional ones. Unused vertices keep their numbers and are no particles.
    /// @throws Error as Mesh
    Mesh mesh() const {
        std::vector<std::uint8_t> ignored(vertices.size() / 3);
        for (std::int32_t v : unused) {
            ignored.at(static_cast<std::size_t>(v)) = 1;
        }
        if (edges.empty()) {
            return Mesh(ignored.size(), {}, faces, ignored);
        }
        std::vector<std::array<std::int32_t, 2>> all; // the larger vertex first
        const auto add = [&all](std::int32_t a, std::int32_t b) { all.push_back({{(std::max)(a, b), (std::min)(a, b)}}); };
        for (std::size_t i = 0; i + 2 < faces.size(); i += 3) {
            add(faces[i], faces[i + 1]);
            add(faces[i + 1], faces[i + 2]);
            add(faces[i + 2], faces[i]);
        }
        for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
            add(edges[i], edges[i + 1]);
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::vector<std::int32_t> flat;
        for (const auto &e : all) {
            flat.push_back(e[1]);
            flat.push_back(e[0]);
        }
        return Mesh(ignored.size(), flat, faces, ignored);
    }
};

namespace detail_file {

/// The surface behind a handle.
inline Surface take(ccd_surface_file *file) {
    std::size_t vertices = 0, edges = 0, faces = 0, unused = 0;
    detail::check(ccd_surface_file_counts(file, &vertices, &edges, &faces));
    detail::check(ccd_surface_file_unused(file, nullptr, 0, &unused));
    Surface s{std::vector<double>(3 * vertices),
              std::vector<std::int32_t>(2 * edges),
              std::vector<std::int32_t>(3 * faces),
              std::vector<std::int32_t>(unused),
              detail::remarks_of(file, vertices, ccd_surface_file_remarks, ccd_surface_file_left_out, ccd_surface_file_note,
                                 ccd_surface_file_field, ccd_surface_file_field_values),
              0};
    detail::check(ccd_surface_file_deviation(file, &s.deviation));
    detail::check(ccd_surface_file_copy(file, s.vertices.data(), s.edges.data(), s.faces.data()));
    detail::check(ccd_surface_file_unused(file, s.unused.data(), unused, &unused));
    return s;
}

} // namespace detail_file

/// Read an OBJ, PLY, STL or OFF file, or the surface in one of MSH, MEDIT or VTK. The content determines the format; polygons are
/// split into triangles.
/// @param path   a regular file, in UTF-8
/// @throws Error CCD_E_FILE if the file cannot be opened, or is truncated or malformed
inline Surface read(const std::string &path) {
    detail::Handle<ccd_surface_file, ccd_surface_file_destroy> file;
    detail::check(ccd_surface_file_read(path.c_str(), file.out()));
    return detail_file::take(file.get());
}

/// Do for arrays what read does for files: leave out the faces and edges that Mesh refuses, and count them.
/// @param x      vertices
/// @param edges  codimensional edges; those of the faces need not be among them
/// @param faces  triangles
/// @throws Error CCD_E_NONFINITE, CCD_E_INDEX; the message names the index
inline Surface clean(const Points &x, const Edges &edges, const Faces &faces) {
    detail::Handle<ccd_surface_file, ccd_surface_file_destroy> file;
    detail::check(ccd_surface_file_clean(x.data(), x.rows("x"), edges.data(), edges.rows("edges"), faces.data(),
                                         faces.rows("faces"), file.out()));
    return detail_file::take(file.get());
}

} // namespace file

} // namespace ccd

#endif // LIBCCD_TOI_FILE_HPP
