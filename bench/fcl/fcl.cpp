// fcl.cpp - FCL's conservative advancement for meshes (RSS volumes, the only path of FCL 0.7 that was found conservative) on the trials of
// the data folder, in the processor time of one thread. Prints one JSON document like bench/rigid. bench/run.py builds it where
// Debian's libfcl-dev is installed: c++ -O2 -std=c++17 -I/usr/include/eigen3 fcl.cpp -lfcl
#include <fcl/fcl.h>

#include <fcl/narrowphase/detail/conservative_advancement_func_matrix.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_conservative_advancement_traversal_node.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

using Tree = fcl::BVHModel<fcl::RSSd>;
using Node = fcl::detail::MeshConservativeAdvancementTraversalNodeRSSd;

std::vector<char> bytes(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<double> doubles(const std::string &path) {
    const std::vector<char> raw = bytes(path);
    std::vector<double> out(raw.size() / sizeof(double));
    std::copy_n(raw.data(), out.size() * sizeof(double), reinterpret_cast<char *>(out.data()));
    return out;
}

std::shared_ptr<Tree> mesh(const std::string &path, int &triangles) {
    const std::vector<char> raw = bytes(path);
    std::int32_t n[2];
    std::copy_n(raw.data(), sizeof n, reinterpret_cast<char *>(n));
    std::vector<double> v(3 * n[0]);
    std::vector<std::int32_t> f(3 * n[1]);
    std::copy_n(raw.data() + 8, v.size() * 8, reinterpret_cast<char *>(v.data()));
    std::copy_n(raw.data() + 8 + v.size() * 8, f.size() * 4, reinterpret_cast<char *>(f.data()));
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> faces;
    for (std::int32_t i = 0; i < n[0]; i++) {
        points.emplace_back(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    }
    for (std::int32_t i = 0; i < n[1]; i++) {
        faces.emplace_back(f[3 * i], f[3 * i + 1], f[3 * i + 2]);
    }
    auto tree = std::make_shared<Tree>();
    tree->beginModel();
    tree->addSubModel(points, faces);
    tree->endModel();
    triangles += n[1];
    return tree;
}

// The pose at t = 0 and t = 1; the trials turn by less than pi, so FCL finds the same motion between them.
fcl::InterpMotion<double> motion(const double *x) {
    const fcl::Vector3d at(x[0], x[1], x[2]), v(x[7], x[8], x[9]), w(x[10], x[11], x[12]);
    const fcl::Matrix3d r = fcl::Quaterniond(x[3], x[4], x[5], x[6]).normalized().toRotationMatrix();
    const double angle = w.norm();
    const fcl::Matrix3d turn =
        angle > 0 ? fcl::AngleAxisd(angle, w / angle).toRotationMatrix() : fcl::Matrix3d(fcl::Matrix3d::Identity());
    return {r, at, turn * r, at + v};
}

double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

} // namespace

int main(int argc, char **argv) {
    const std::string folder = std::string(argc > 1 ? argv[1] : "../shared/data") + "/rigid/";
    const std::string pairs[][2] = {{"bunny", "bunny"}, {"gear", "gear"}, {"screw", "nut"}};
    const char *separator = "[";
    for (const auto &pair : pairs) {
        int triangles = 0;
        const auto a = mesh(folder + "mesh_" + pair[0] + ".bin", triangles);
        const auto b = mesh(folder + "mesh_" + pair[1] + ".bin", triangles);
        for (int speed : {4, 512}) {
            const std::string name = pair[0] + "_" + pair[1] + "_" + std::to_string(speed) + ".bin";
            const std::vector<double> rows = doubles(folder + "trials_" + name);
            double total = 0, worst = 0;
            int hits = 0;
            const std::size_t n = rows.size() / 26;
            for (std::size_t i = 0; i < n; i++) {
                const fcl::InterpMotion<double> ma = motion(&rows[26 * i]), mb = motion(&rows[26 * i + 13]);
                fcl::CollisionRequestd request;
                fcl::CollisionResultd result;
                double toc = 1;
                const double start = now();
                const bool hit = fcl::detail::conservativeAdvancementMeshOriented<fcl::RSSd, Node>(*a, &ma, *b, &mb,
                                                                                                   request, result, toc);
                const double took = now() - start;
                total += took;
                worst = std::max(worst, took);
                hits += hit && toc < 1;
            }
            std::printf(
                "%s{\"a\": \"%s\", \"b\": \"%s\", \"speed\": %d, \"triangles\": %d, \"queries\": %zu, \"mean_us\": %g, "
                "\"worst_us\": %g, \"hits\": %d}",
                separator, pair[0].c_str(), pair[1].c_str(), speed, triangles, n, total / n, worst, hits);
            separator = ",\n";
        }
    }
    std::printf("]\n");
}
