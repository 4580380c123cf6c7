// scalable_ccd_step.cpp - a test in the shape of Scalable CCD's own: meshes at both ends of a step, boxes, both sweeps, with its timer and
// logger, against every true pair. And what else its headers declare.
#include <scalable_ccd/broad_phase/sort_and_sweep.hpp>
#include <scalable_ccd/config.hpp>
#include <scalable_ccd/scalar.hpp>
#include <scalable_ccd/utils/logger.hpp>
#include <scalable_ccd/utils/merge_local_overlaps.hpp>
#include <scalable_ccd/utils/pca.hpp>
#include <scalable_ccd/utils/profiler.hpp>
#include <scalable_ccd/utils/timer.hpp>

#include "points.hpp"

#include <set>
#include <type_traits>

using namespace scalable_ccd;

namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// A cloth of n x n vertices over a bump, that falls.
void parse_mesh(int n, Eigen::MatrixXd &V0, Eigen::MatrixXd &V1, Eigen::MatrixXi &F, Eigen::MatrixXi &E) {
    V0.resize(n * n, 3), V1.resize(n * n, 3), F.resize(2 * (n - 1) * (n - 1), 3);
    int f = 0;
    std::set<std::pair<int, int>> edges;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
            V0.row(i * n + j) << x, y, std::sin(9 * x) * std::cos(7 * y) / 8;
            V1.row(i * n + j) << x + y / 16, y, std::sin(9 * x) * std::cos(7 * y) / 8 - 0.125 * std::exp(-x * x - y * y);
            if (i + 1 < n && j + 1 < n) {
                F.row(f++) << i * n + j, i * n + j + 1, (i + 1) * n + j;
                F.row(f++) << i * n + j + 1, (i + 1) * n + j + 1, (i + 1) * n + j;
            }
        }
    }
    for (int r = 0; r < F.rows(); r++) {
        for (int k = 0; k < 3; k++) {
            edges.insert(std::minmax(F(r, k), F(r, (k + 1) % 3)));
        }
    }
    E.resize(static_cast<Eigen::Index>(edges.size()), 2);
    Eigen::Index e = 0;
    for (const auto &[a, b] : edges) {
        E.row(e++) << a, b;
    }
}

std::vector<AABB> vertex_boxes, edge_boxes, face_boxes;

void parse_mesh(int n) {
    Eigen::MatrixXd V0, V1;
    Eigen::MatrixXi F, E;
    parse_mesh(n, V0, V1, F, E);
    build_vertex_boxes(V0, V1, vertex_boxes);
    build_edge_boxes(vertex_boxes, E, edge_boxes);
    build_face_boxes(vertex_boxes, F, face_boxes);
}

/// Every pair of boxes that meet and share no vertex, by the definition.
std::set<std::pair<int, int>> ground_truth(const std::vector<AABB> &a, const std::vector<AABB> &b) {
    std::set<std::pair<int, int>> out;
    for (const AABB &x : a) {
        for (const AABB &y : b) {
            bool shared = false;
            for (long i : x.vertex_ids) {
                for (long j : y.vertex_ids) {
                    shared |= i == j;
                }
            }
            if (x.intersects(y) && !shared && (&a != &b || x.element_id < y.element_id)) {
                out.emplace(static_cast<int>(x.element_id), static_cast<int>(y.element_id));
            }
        }
    }
    return out;
}

void compare(const Pairs &overlaps, const std::set<std::pair<int, int>> &truth) {
    logger().trace("Comparing {:d} pairs", overlaps.size());
    CHECK((std::set(overlaps.begin(), overlaps.end()) == truth) && overlaps.size() == truth.size());
    CHECK(truth.size() > 100);
}

void cpu_broad_phase() {
    parse_mesh(20);
    CHECK(vertex_boxes.size() == 400 && edge_boxes.size() == 1121 && face_boxes.size() == 722);

    Timer timer;
    timer.start();
    SCALABLE_CCD_CPU_PROFILE_POINT("broad phase");
    int sort_axis = 0;
    Pairs vf_overlaps, ee_overlaps;
    sort_and_sweep(vertex_boxes, face_boxes, sort_axis, vf_overlaps);
    CHECK(sort_axis == 0 || sort_axis == 1);
    sort_axis = 0;
    sort_and_sweep(edge_boxes, sort_axis, ee_overlaps);
    timer.stop();
    logger().trace("Elapsed time: {:.6f} ms", timer.getElapsedTimeInMilliSec());
    CHECK(timer.getElapsedTimeInMilliSec() > 0 && timer.getElapsedTimeInNanoSec() > timer.getElapsedTimeInMicroSec());

    compare(vf_overlaps, ground_truth(vertex_boxes, face_boxes));
    compare(ee_overlaps, ground_truth(edge_boxes, edge_boxes));
}

/// The sweep itself, of one list, and of two in one whose first has ids below 0.
void sweeps() {
    int axis = 0;
    Pairs want, got = {{-1, -1}};
    sort_and_sweep(edge_boxes, axis, want);
    sort_along_axis(axis, edge_boxes);
    sweep<false>(edge_boxes, axis, got);
    CHECK((std::set(want.begin(), want.end()) == std::set(got.begin(), got.end())));

    std::vector<AABB> both = face_boxes;
    for (AABB box : vertex_boxes) {
        box.element_id = -box.element_id - 1;
        both.push_back(box);
    }
    sort_along_axis(axis, both);
    sweep<true>(both, axis, got);
    compare(got, ground_truth(vertex_boxes, face_boxes));
}

void numbers() {
    static_assert(std::is_same_v<Scalar, double>, "of this precision alone");
    CHECK(nextafter_up(1) == 1 + 0x1p-52 && nextafter_down(1) == 1 - 0x1p-53);
    CHECK(nextafter_up(0) == 0x1p-1074 && nextafter_down(0) == -0x1p-1074 && nextafter_down(-INF) == -INF &&
          nextafter_up(INF) == INF);
    CHECK(std::string(SCALABLE_CCD_VER) == SCALABLE_CCD_VER_MAJOR "." SCALABLE_CCD_VER_MINOR "." SCALABLE_CCD_VER_PATCH);
#ifndef SCALABLE_CCD_USE_DOUBLE
    CHECK(false);
#endif
}

void merging() {
    const std::vector<Pairs> local = {{{1, 2}, {3, 4}}, {}, {{5, 6}}};
    Pairs all = {{9, 9}};
    merge_local_overlaps(local, all);
    CHECK(all == (Pairs{{1, 2}, {3, 4}, {5, 6}}));
}

/// Distances stay, and the first axis is the one along which the vertices vary most.
void principal_axes() {
    Eigen::MatrixXd V0, V1;
    Eigen::MatrixXi F, E;
    parse_mesh(12, V0, V1, F, E);
    Eigen::Matrix3d turn;
    turn << 0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6;
    V0.col(0) *= 5, V1.col(0) *= 5;
    Eigen::MatrixXd a = V0 * turn, b = V1 * turn;
    nipals_pca(a, b);
    CHECK(std::abs((a.row(7) - b.row(90)).norm() - (V0.row(7) - V1.row(90)).norm()) < 1e-12);
    const auto variance = [&](int k) {
        return (a.col(k).array() - a.col(k).mean()).square().sum() + (b.col(k).array() - b.col(k).mean()).square().sum();
    };
    CHECK(variance(0) > 10 * variance(1) && variance(1) > variance(2));
    Eigen::MatrixXd none(0, 3), also(0, 3);
    nipals_pca(none, also);
    CHECK(none.rows() == 0);
}

} // namespace

int main() {
    cpu_broad_phase();
    sweeps();
    numbers();
    merging();
    principal_axes();
    return failures == 0 ? 0 : 1;
}
