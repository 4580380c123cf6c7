// scalable_ccd.cpp - the documented behavior of Scalable CCD's broad phase on the CPU.
#include <scalable_ccd/broad_phase/aabb.hpp>
#include <scalable_ccd/broad_phase/sort_and_sweep.hpp>

#include "points.hpp"

#include <algorithm>
#include <set>

namespace {

using scalable_ccd::AABB;
using Boxes = std::vector<AABB>;
using Pairs = std::vector<std::pair<int, int>>;

/// Random small elements in a square or a cube, that move a little.
struct Mesh {
    Eigen::MatrixXd x0, x1;
    Eigen::MatrixXi edges, faces;
    Boxes v, e, f;

    Mesh(int seed, int n, int dim, double radius) : x0(n, dim), x1(n, dim), edges(n - 2, 2), faces(n - 2, 3) {
        std::mt19937_64 source(static_cast<std::uint64_t>(seed));
        std::uniform_real_distribution<double> place(0, 1), step(-0.1, 0.1);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < dim; k++) {
                x0(i, k) = place(source);
                x1(i, k) = x0(i, k) + step(source);
            }
        }
        for (int i = 0; i + 2 < n; i++) {
            edges.row(i) << i, i + 1;
            faces.row(i) << i, i + 1, i + 2;
        }
        scalable_ccd::build_vertex_boxes(x0, x1, v, radius);
        scalable_ccd::build_edge_boxes(v, edges, e);
        scalable_ccd::build_face_boxes(v, faces, f);
    }
};

void boxes_hold_what_they_enclose() {
    for (int dim : {2, 3}) {
        const Mesh m(dim, 50, dim, 0.125);
        CHECK(m.v.size() == 50 && m.e.size() == 48 && m.f.size() == 48);
        for (int i = 0; i < 50; i++) {
            const AABB &b = m.v[static_cast<std::size_t>(i)];
            CHECK(b.element_id == i && b.vertex_ids[0] == i && b.vertex_ids[1] < 0 && b.min.size() == dim);
            for (int k = 0; k < dim; k++) {
                const double lo = std::min(m.x0(i, k), m.x1(i, k)), hi = std::max(m.x0(i, k), m.x1(i, k));
                CHECK(b.min[k] <= lo - 0.125 && b.max[k] >= hi + 0.125);
                CHECK(b.min[k] >= lo - 0.1250001 && b.max[k] <= hi + 0.1250001);
            }
        }
        const AABB &e = m.e[7], &f = m.f[9];
        CHECK((e.min == m.v[7].min.min(m.v[8].min)).all() && (e.max == m.v[7].max.max(m.v[8].max)).all());
        CHECK((f.min == m.v[9].min.min(m.v[10].min).min(m.v[11].min)).all());
        CHECK(e.vertex_ids[0] == 7 && e.vertex_ids[1] == 8 && e.vertex_ids[2] < 0 && e.element_id == 7);
        CHECK(f.vertex_ids[2] == 11 && f.element_id == 9);
    }
    Boxes still;
    const Mesh m(1, 9, 3, 0);
    scalable_ccd::build_vertex_boxes(m.x0, still);
    CHECK((still[4].min == still[4].max).all() && still[4].min.isApprox(m.x0.row(4).transpose().array()));
    CHECK(still[4].intersects(still[4]) && !still[4].intersects(still[5]));
    // The sum is rounded outward: 1 - 1e-30 is no double.
    const AABB tiny = AABB::from_point(Eigen::Array3d::Ones(), 1e-30);
    CHECK(tiny.min[0] < 1 && tiny.max[0] > 1);
}

bool share(const AABB &a, const AABB &b) {
    for (long i : a.vertex_ids) {
        for (long j : b.vertex_ids) {
            if (i >= 0 && i == j) {
                return true;
            }
        }
    }
    return false;
}

Pairs brute(const Boxes &a, const Boxes &b) {
    Pairs out;
    for (const AABB &x : a) {
        for (const AABB &y : b) {
            if ((&a != &b || x.element_id < y.element_id) && x.intersects(y) && !share(x, y)) {
                out.emplace_back(x.element_id, y.element_id);
            }
        }
    }
    return out;
}

void sweep_finds_every_pair_once() {
    for (int dim : {2, 3}) {
        for (double radius : {0.0, 0.01}) {
            const Mesh m(10 + dim, 120, dim, radius);
            for (const auto &[a, b] : {std::pair(&m.e, &m.v), {&m.f, &m.v}, {&m.e, &m.f}}) {
                int axis = 0;
                Pairs pairs = {{-5, -5}}; // what was there goes
                scalable_ccd::sort_and_sweep(*a, *b, axis, pairs);
                CHECK(pairs == brute(*a, *b) && !pairs.empty());
            }
            for (const Boxes *a : {&m.v, &m.e, &m.f}) {
                int axis = dim - 1;
                Pairs pairs;
                scalable_ccd::sort_and_sweep(*a, axis, pairs);
                CHECK(pairs == brute(*a, *a));
                CHECK(axis >= 0 && axis < dim);
            }
        }
    }
}

/// Ids are those of the elements, not of places; boxes that touch overlap.
void ids_and_touching() {
    Boxes boxes;
    scalable_ccd::build_vertex_boxes((Eigen::MatrixXd(3, 3) << 0, 0, 0, 1, 0, 0, 5, 5, 5).finished(),
                                     (Eigen::MatrixXd(3, 3) << 1, 1, 0, 2, 1, 0, 6, 5, 5).finished(), boxes);
    std::reverse(boxes.begin(), boxes.end());
    boxes[0].element_id = 40, boxes[1].element_id = 30, boxes[2].element_id = 20;
    int axis = 0;
    Pairs pairs;
    scalable_ccd::sort_and_sweep(boxes, axis, pairs);
    CHECK(pairs == (Pairs{{20, 30}}));
    CHECK(axis == 2); // centers (.5, .5, 0), (1.5, .5, 0), (5.5, 5, 5)

    scalable_ccd::sort_along_axis(1, boxes);
    CHECK(std::is_sorted(boxes.begin(), boxes.end(), [](const AABB &a, const AABB &b) { return a.min[1] < b.min[1]; }));
}

void next_axis_is_that_of_the_largest_variance() {
    Boxes boxes;
    scalable_ccd::build_vertex_boxes((Eigen::MatrixXd(3, 3) << 0, 0, 0, 1, 9, 2, 2, 0, 4).finished(), boxes);
    int axis = 0;
    Pairs pairs;
    scalable_ccd::sort_and_sweep(boxes, axis, pairs);
    CHECK(axis == 1);
    scalable_ccd::sort_and_sweep(boxes, boxes, axis, pairs);
    CHECK(axis == 1);
}

void nothing_and_bad_input() {
    int axis = 2;
    Boxes none, one(1);
    Pairs pairs = {{1, 2}};
    scalable_ccd::sort_and_sweep(none, axis, pairs);
    CHECK(pairs.empty() && axis == 2);
    one[0] = AABB::from_point(Eigen::Array3d::Zero());
    pairs = {{1, 2}};
    scalable_ccd::sort_and_sweep(one, none, axis, pairs);
    CHECK(pairs.empty());
    Boxes bad = {one[0], one[0]};
    bad[1].max[1] = std::numeric_limits<double>::quiet_NaN();
    THROWS(scalable_ccd::sort_and_sweep(bad, axis, pairs), CCD_E_NONFINITE, "");
}

} // namespace

int main() {
    boxes_hold_what_they_enclose();
    sweep_finds_every_pair_once();
    ids_and_touching();
    next_axis_is_that_of_the_largest_variance();
    nothing_and_bad_input();
    return failures == 0 ? 0 : 1;
}
