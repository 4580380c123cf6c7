// ipc_broad_phase.cpp - the contract of ipc::BroadPhase, kept by the adapter. Also builds against ipc-toolkit's own headers.
#include <ccd/compat/ipc_broad_phase.hpp>

#include "points.hpp"

#include <algorithm>
#include <set>

namespace {

using Pairs = std::set<std::pair<int, int>>;

/// The adapter, with a look at its boxes for the brute force below.
class Broad : public ccd::compat::IpcBroadPhase {
public:
    const ipc::AABBs &boxes(int k) const { return k == 0 ? vertex_boxes : k == 1 ? edge_boxes : face_boxes; }

    /// All pairs of elements with j and k vertices, by the definition.
    Pairs brute(int j, int k) const {
        Pairs out;
        const ipc::AABBs &a = boxes(j - 1), &b = boxes(k - 1);
        for (std::size_t i = 0; i < a.size(); i++) {
            for (std::size_t m = j == k ? i + 1 : 0; m < b.size(); m++) {
                const bool meet = (a[i].min <= b[m].max).all() && (b[m].min <= a[i].max).all();
                bool any = false, share = false;
                for (int p = 0; p < j; p++) {
                    for (int q = 0; q < k; q++) {
                        const auto v = a[i].vertex_ids[static_cast<std::size_t>(p)];
                        const auto w = b[m].vertex_ids[static_cast<std::size_t>(q)];
                        any |= can_vertices_collide(static_cast<std::size_t>(v), static_cast<std::size_t>(w));
                        share |= v == w;
                    }
                }
                if (meet && any && !share) {
                    out.insert({static_cast<int>(i), static_cast<int>(m)});
                }
            }
        }
        return out;
    }
};

/// A strip of triangles that winds through a square or a cube.
struct Strip {
    Eigen::MatrixXd x0, x1;
    Eigen::MatrixXi edges, faces;

    Strip(int dim, int n) : x0(n, dim), x1(n, dim), edges(n - 1, 2), faces(n - 2, 3) {
        std::mt19937_64 source(static_cast<std::uint64_t>(dim));
        std::uniform_real_distribution<double> place(0, 1), step(-0.05, 0.05);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < dim; k++) {
                x0(i, k) = place(source);
                x1(i, k) = x0(i, k) + step(source);
            }
        }
        for (int i = 0; i + 1 < n; i++) {
            edges.row(i) << i, i + 1;
        }
        for (int i = 0; i + 2 < n; i++) {
            faces.row(i) << i, i + 1, i + 2;
        }
    }
};

/// A candidate list as a set; each pair comes once.
template <class Candidate, class First, class Second>
Pairs pairs(const std::vector<Candidate> &list, First first, Second second) {
    Pairs out;
    for (const Candidate &c : list) {
        out.insert({static_cast<int>(c.*first), static_cast<int>(c.*second)});
    }
    CHECK(out.size() == list.size());
    return out;
}

void compare(const Broad &broad, bool some) {
    std::vector<ipc::VertexVertexCandidate> vv(1, {5, 6}); // what was there goes
    broad.detect_vertex_vertex_candidates(vv);
    CHECK(pairs(vv, &ipc::VertexVertexCandidate::vertex0_id, &ipc::VertexVertexCandidate::vertex1_id) == broad.brute(1, 1));
    std::vector<ipc::EdgeVertexCandidate> ev;
    broad.detect_edge_vertex_candidates(ev);
    CHECK(pairs(ev, &ipc::EdgeVertexCandidate::edge_id, &ipc::EdgeVertexCandidate::vertex_id) == broad.brute(2, 1));
    std::vector<ipc::EdgeEdgeCandidate> ee;
    broad.detect_edge_edge_candidates(ee);
    CHECK(pairs(ee, &ipc::EdgeEdgeCandidate::edge0_id, &ipc::EdgeEdgeCandidate::edge1_id) == broad.brute(2, 2));
    std::vector<ipc::FaceVertexCandidate> fv;
    broad.detect_face_vertex_candidates(fv);
    CHECK(pairs(fv, &ipc::FaceVertexCandidate::face_id, &ipc::FaceVertexCandidate::vertex_id) == broad.brute(3, 1));
    std::vector<ipc::EdgeFaceCandidate> ef;
    broad.detect_edge_face_candidates(ef);
    CHECK(pairs(ef, &ipc::EdgeFaceCandidate::edge_id, &ipc::EdgeFaceCandidate::face_id) == broad.brute(2, 3));
    std::vector<ipc::FaceFaceCandidate> ff;
    broad.detect_face_face_candidates(ff);
    CHECK(pairs(ff, &ipc::FaceFaceCandidate::face0_id, &ipc::FaceFaceCandidate::face1_id) == broad.brute(3, 3));
    CHECK(!some || (!ev.empty() && !ee.empty() && !fv.empty() && !ef.empty() && !ff.empty()));
}

void every_build_and_kind() {
    for (int dim : {2, 3}) {
        const Strip s(dim, 100);
        Broad broad;
        CHECK(static_cast<ipc::BroadPhase &>(broad).name() == "libccd");
        for (double radius : {0.0, 0.02}) {
            broad.build(s.x0, s.edges, s.faces, radius);
            compare(broad, true);
            broad.build(s.x0, s.x1, s.edges, s.faces, radius);
            compare(broad, true);
        }
        Broad again;
        again.build(broad.boxes(0), s.edges, s.faces, static_cast<std::uint8_t>(dim));
        compare(again, true);
        CHECK(again.brute(2, 2) == broad.brute(2, 2));
    }
}

void filters_are_asked() {
    const Strip s(3, 100);
    Broad broad;
    broad.build(s.x0, s.x1, s.edges, s.faces);
    const std::size_t all = broad.brute(2, 2).size();
    broad.can_vertices_collide = [](std::size_t i, std::size_t j) { return (i < 50) != (j < 50); };
    compare(broad, true);
    CHECK(broad.brute(2, 2).size() < all);
    broad.can_vertices_collide = [](std::size_t, std::size_t) { return false; };
    std::vector<ipc::EdgeEdgeCandidate> none;
    broad.detect_edge_edge_candidates(none);
    CHECK(none.empty());
}

void nothing() {
    Broad broad;
    compare(broad, false);
    broad.build(Eigen::MatrixXd::Zero(1, 3), Eigen::MatrixXi(), Eigen::MatrixXi());
    compare(broad, false);
}

} // namespace

int main() {
    every_build_and_kind();
    filters_are_asked();
    nothing();
    return failures == 0 ? 0 : 1;
}
