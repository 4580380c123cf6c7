// fcl.cpp - FCL's conservative advancement for meshes (RSS volumes, the only path of FCL 0.7 that was found conservative) on the trials of
// the data folder, in the processor time of one thread. Prints one JSON document like bench/rigid. bench/run.py builds it where
// Debian's libfcl-dev is installed: c++ -O2 -std=c++17 -I/usr/include/eigen3 fcl.cpp -lfcl
//
// First it answers cases that are known, then it compares each answer with the reference, and it fails where FCL misses a contact,
// is late, or reports one where the bodies keep farther apart than it stops: then the figures are those of something else.
#include <fcl/fcl.h>

#include <fcl/narrowphase/detail/conservative_advancement_func_matrix.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_conservative_advancement_traversal_node.h>

#include <algorithm>
#include <cmath>
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

std::shared_ptr<Tree> tree_of(const std::vector<fcl::Vector3d> &points, const std::vector<fcl::Triangle> &faces) {
    auto tree = std::make_shared<Tree>();
    tree->beginModel();
    tree->addSubModel(points, faces);
    tree->endModel();
    return tree;
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
    triangles += n[1];
    return tree_of(points, faces);
}

// The pose at t = 0 and t = 1; the trials turn by less than pi, so FCL finds the same motion between them. Its constructor of four poses
// never sets the point that the motion turns about (FCL 0.7): the fifth argument is that point.
fcl::InterpMotion<double> motion(const double *x) {
    const fcl::Vector3d at(x[0], x[1], x[2]), v(x[7], x[8], x[9]), w(x[10], x[11], x[12]);
    const fcl::Matrix3d r = fcl::Quaterniond(x[3], x[4], x[5], x[6]).normalized().toRotationMatrix();
    const double angle = w.norm();
    const fcl::Matrix3d turn =
        angle > 0 ? fcl::AngleAxisd(angle, w / angle).toRotationMatrix() : fcl::Matrix3d(fcl::Matrix3d::Identity());
    return {r, at, turn * r, at + v, fcl::Vector3d::Zero()};
}

double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

struct Answer {
    double toc, took; // toc: 1 without a hit
};

Answer answer(const Tree &a, const fcl::InterpMotion<double> &ma, const Tree &b, const fcl::InterpMotion<double> &mb) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    double toc = 1;
    const double start = now();
    const bool hit =
        fcl::detail::conservativeAdvancementMeshOriented<fcl::RSSd, Node>(a, &ma, b, &mb, request, result, toc);
    return {hit ? toc : 1, now() - start};
}

double distance(const Tree &a, const fcl::InterpMotion<double> &ma, const Tree &b, const fcl::InterpMotion<double> &mb,
                double t) {
    ma.integrate(t), mb.integrate(t);
    fcl::Transform3d ta, tb;
    ma.getCurrentTransform(ta), mb.getCurrentTransform(tb);
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(&a, ta, &b, tb, request, result);
}

// FCL stops at most this far from the contact: 2e-3 at the speed 512.
constexpr double STOPS = 5e-3;

// Two tetrahedra of which one falls on the other at t = 1/2, turned about the vertical by up to half a turn or not at all, or passes.
bool known() {
    const auto body =
        tree_of({{0, 0, 0}, {1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}});
    const auto base =
        tree_of({{-5, -5, 0}, {5, -5, 0}, {0, 9, 0}, {0, 0, -1}}, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}});
    const double rest[13] = {0, 0, 0, 1};
    for (const double turn : {0.0, 1.0, 3.0}) {
        for (const double aside : {0.0, 30.0}) {
            const double falls[13] = {aside, 0, 1, 1, 0, 0, 0, 0, 0, -2, 0, 0, turn};
            const double toc = answer(*body, motion(falls), *base, motion(rest)).toc;
            if (aside > 0 ? toc != 1 : std::abs(toc - 0.5) > STOPS) {
                std::fprintf(stderr, "FCL: a known case has the time %g: turn %g, aside %g\n", toc, turn, aside);
                return false;
            }
        }
    }
    return true;
}

} // namespace

int main(int argc, char **argv) {
    if (!known()) {
        return 1;
    }
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
            const std::vector<double> reference = doubles(folder + "ref_" + name);
            double total = 0, worst = 0;
            int hits = 0, near = 0, wrong = 0;
            const std::size_t n = rows.size() / 26;
            for (std::size_t i = 0; i < n; i++) {
                const fcl::InterpMotion<double> ma = motion(&rows[26 * i]), mb = motion(&rows[26 * i + 13]);
                const auto [toc, took] = answer(*a, ma, *b, mb);
                total += took;
                worst = std::max(worst, took);
                const bool hit = toc < 1;
                hits += hit;
                const double truth = reference[2 * i]; // -1: none, -2: not known
                const bool none = truth == -1;
                near += hit && none;
                if ((truth >= 0 && (!hit || toc > truth + 1e-6)) ||
                    (hit && none && distance(*a, ma, *b, mb, toc) > STOPS)) {
                    std::fprintf(stderr, "FCL: trial %zu of %s: %g, the reference has %g\n", i, name.c_str(), toc, truth);
                    wrong++;
                }
            }
            if (wrong > 0) {
                std::fprintf(stderr, "FCL: %d of %zu answers are wrong\n", wrong, n);
                return 1;
            }
            std::printf(
                "%s{\"a\": \"%s\", \"b\": \"%s\", \"speed\": %d, \"triangles\": %d, \"queries\": %zu, \"mean_us\": %g, "
                "\"worst_us\": %g, \"hits\": %d, \"missed\": 0, \"near\": %d}",
                separator, pair[0].c_str(), pair[1].c_str(), speed, triangles, n, total / n, worst, hits, near);
            separator = ",\n";
        }
    }
    std::printf("]\n");
}
