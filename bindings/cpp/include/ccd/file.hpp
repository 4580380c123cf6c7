// file.hpp - mesh files. Part of ccd.hpp.
#ifndef LIBCCD_TOI_FILE_HPP
#define LIBCCD_TOI_FILE_HPP

#include <ccd/common.hpp>

namespace ccd {

/// Mesh files.
namespace file {

/// Content of a mesh file, in packed rows.
struct Surface {
    std::vector<double> vertices;    ///< x, y, z of each vertex
    std::vector<std::int32_t> edges; ///< two vertices of each line element of the file; not the edges of the faces
    std::vector<std::int32_t> faces; ///< three vertices of each triangle
};

/// Read an OBJ, PLY, STL or OFF file, or the surface in one of MSH, MEDIT or VTK. The content determines the format; polygons are
/// split into triangles.
/// @param path   a regular file, in UTF-8
/// @throws Error CCD_E_FILE if the file cannot be opened, or is truncated or malformed
inline Surface read(const std::string &path) {
    detail::Handle<ccd_surface_file, ccd_surface_file_destroy> file;
    detail::check(ccd_surface_file_read(path.c_str(), file.out()));
    std::size_t vertices = 0, edges = 0, faces = 0;
    detail::check(ccd_surface_file_counts(file.get(), &vertices, &edges, &faces));
    Surface s{std::vector<double>(3 * vertices), std::vector<std::int32_t>(2 * edges),
              std::vector<std::int32_t>(3 * faces)};
    detail::check(ccd_surface_file_copy(file.get(), s.vertices.data(), s.edges.data(), s.faces.data()));
    return s;
}

} // namespace file

} // namespace ccd

#endif // LIBCCD_TOI_FILE_HPP
