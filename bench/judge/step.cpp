#include "step.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace judge {

const Scene scenes[3] = {
    {"cloth-funnel", "227.ply", "228.ply"},
    {"armadillo-rollers", "326.ply", "327.ply"},
    {"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply"},
};

void need(ccd_status status) {
    if (status != CCD_OK) {
        char text[512];
        ccd_last_error(text, sizeof text);
        std::printf("FAILED: %s\n", text);
        std::exit(2);
    }
}

Step::Step(const std::string &folder, const Scene &scene, double motion) {
    x0 = read(folder + "/" + scene.first);
    x1 = read(folder + "/" + scene.second);
    for (std::size_t i = 0; i < x0.size(); i++) {
        x1[i] = motion == 1 ? x1[i] : x0[i] + motion * (x1[i] - x0[i]);
    }
    need(ccd_mesh_create(n(), nullptr, 0, faces.data(), faces.size() / 3, &mesh));
    std::size_t count;
    need(ccd_mesh_edges(mesh, nullptr, 0, &count));
    edges.resize(2 * count);
    need(ccd_mesh_edges(mesh, edges.data(), count, &count));
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t i = k; i < x0.size(); i += 3) {
            low = std::min(low, x0[i]), high = std::max(high, x0[i]);
        }
        size = std::max(size, high - low);
    }
}

std::vector<double> Step::read(const std::string &path) {
    ccd_surface_file *file;
    std::size_t vertices, n_edges, n_faces;
    need(ccd_surface_file_read(path.c_str(), &file));
    need(ccd_surface_file_counts(file, &vertices, &n_edges, &n_faces));
    std::vector<double> x(3 * vertices);
    std::vector<std::int32_t> file_edges(2 * n_edges);
    faces.resize(3 * n_faces);
    need(ccd_surface_file_copy(file, x.data(), file_edges.data(), faces.data()));
    need(ccd_surface_file_destroy(file));
    return x;
}

int Step::vertices(int kind, bool b, std::int64_t i, std::int32_t out[3]) const {
    const bool edge = kind == CCD_EDGE_EDGE;
    const int count = edge ? 2 : b ? 3 : 1;
    for (int k = 0; k < count; k++) {
        out[k] = edge ? edges[2 * i + k] : b ? faces[3 * i + k] : std::int32_t(i);
    }
    return count;
}

Query Step::query(int kind, std::int64_t a, std::int64_t b, double d) const {
    Query out{};
    out.kind = kind;
    out.d = d;
    out.t_max = 1;
    std::int32_t v[4];
    const int count = vertices(kind, false, a, v);
    vertices(kind, true, b, v + count);
    for (int i = 0; i < 4; i++) {
        std::copy_n(&x0[3 * v[i]], 3, out.q + 3 * i);
        std::copy_n(&x1[3 * v[i]], 3, out.q + 12 + 3 * i);
    }
    return out;
}

std::vector<std::int64_t> Step::candidates(int kind, const ccd_options &options) const {
    ccd_candidates *list;
    need(ccd_broad_candidates(mesh, x0.data(), x1.data(), n(), &options, &list));
    std::size_t count;
    need(ccd_candidates_count_kind(list, kind, &count));
    std::vector<std::int64_t> pairs(2 * count);
    need(ccd_candidates_copy(list, kind, pairs.data(), count, &count));
    need(ccd_candidates_destroy(list));
    return pairs;
}

std::string label(const Scene &scene, int kind, double share, double motion) {
    char text[128];
    std::snprintf(text, sizeof text, "%s %s d = %.3g size%s", scene.name, kind == CCD_VERTEX_FACE ? "VF" : "EE", share,
                  motion == 1 ? "" : ", motion x 8");
    return text;
}

} // namespace judge
