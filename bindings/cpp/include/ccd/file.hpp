// file.hpp - mesh files. Part of ccd.hpp.
#ifndef LIBCCD_TOI_FILE_HPP
#define LIBCCD_TOI_FILE_HPP

#include <ccd/common.hpp>

namespace ccd {

namespace file {

/// What a mesh file holds. Every row is packed: x, y, z; two vertices; three vertices.
struct Surface {
    std::vector<double> vertices;
    std::vector<std::int32_t> edges; // line elements of the file, not the edges of the faces
    std::vector<std::int32_t> faces;
};

/// Read an OBJ, PLY, STL or OFF file, or the surface in one of MSH, MEDIT or VTK.
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
