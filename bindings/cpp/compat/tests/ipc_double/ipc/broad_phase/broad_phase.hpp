// broad_phase.hpp - a double of ipc-toolkit's interface for the tests: boxes, filters and what libccd's adapter derives from. The
// declarations follow release 1.6.1.
#pragma once

#include <ipc/ccd/narrow_phase_ccd.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace ipc {

using index_t = std::int32_t;
using CollisionFilter = std::function<bool(std::size_t, std::size_t)>;

struct alignas(64) AABB {
    Eigen::Array3d min = Eigen::Array3d::Zero(), max = Eigen::Array3d::Zero();
    std::array<index_t, 3> vertex_ids = {{-1, -1, -1}};
};

using AABBs = std::vector<AABB>;

struct VertexVertexCandidate {
    VertexVertexCandidate(index_t a, index_t b) : vertex0_id(a), vertex1_id(b) {}
    index_t vertex0_id, vertex1_id;
};
struct EdgeVertexCandidate {
    EdgeVertexCandidate(index_t e, index_t v) : edge_id(e), vertex_id(v) {}
    index_t edge_id, vertex_id;
};
struct EdgeEdgeCandidate {
    EdgeEdgeCandidate(index_t a, index_t b) : edge0_id(a), edge1_id(b) {}
    index_t edge0_id, edge1_id;
};
struct FaceVertexCandidate {
    FaceVertexCandidate(index_t f, index_t v) : face_id(f), vertex_id(v) {}
    index_t face_id, vertex_id;
};
struct EdgeFaceCandidate {
    EdgeFaceCandidate(index_t e, index_t f) : edge_id(e), face_id(f) {}
    index_t edge_id, face_id;
};
struct FaceFaceCandidate {
    FaceFaceCandidate(index_t a, index_t b) : face0_id(a), face1_id(b) {}
    index_t face0_id, face1_id;
};

class BroadPhase {
    using Reals = Eigen::ConstRef<Eigen::MatrixXd>;
    using Indices = Eigen::ConstRef<Eigen::MatrixXi>;

public:
    virtual ~BroadPhase() = default;
    virtual std::string name() const = 0;

    virtual void build(Reals vertices, Indices edges, Indices faces, const double inflation_radius = 0) {
        build(vertices, vertices, edges, faces, inflation_radius);
    }
    virtual void build(Reals vertices_t0, Reals vertices_t1, Indices edges, Indices faces,
                       const double inflation_radius = 0) {
        const double infinity = std::numeric_limits<double>::infinity();
        AABBs boxes(static_cast<std::size_t>(vertices_t0.rows()));
        for (Eigen::Index i = 0; i < vertices_t0.rows(); i++) {
            AABB &box = boxes[static_cast<std::size_t>(i)];
            for (Eigen::Index k = 0; k < vertices_t0.cols(); k++) {
                box.min[k] = std::nextafter(std::fmin(vertices_t0(i, k), vertices_t1(i, k)) - inflation_radius, -infinity);
                box.max[k] = std::nextafter(std::fmax(vertices_t0(i, k), vertices_t1(i, k)) + inflation_radius, infinity);
            }
            box.vertex_ids[0] = static_cast<index_t>(i);
        }
        build(boxes, edges, faces, static_cast<std::uint8_t>(vertices_t0.cols()));
    }
    virtual void build(const AABBs &boxes, Indices edges, Indices faces, const std::uint8_t dimension) {
        vertex_boxes = boxes;
        dim = dimension;
        edge_boxes = join(edges);
        face_boxes = join(faces);
    }

    virtual void detect_vertex_vertex_candidates(std::vector<VertexVertexCandidate> &candidates) const = 0;
    virtual void detect_edge_vertex_candidates(std::vector<EdgeVertexCandidate> &candidates) const = 0;
    virtual void detect_edge_edge_candidates(std::vector<EdgeEdgeCandidate> &candidates) const = 0;
    virtual void detect_face_vertex_candidates(std::vector<FaceVertexCandidate> &candidates) const = 0;
    virtual void detect_edge_face_candidates(std::vector<EdgeFaceCandidate> &candidates) const = 0;
    virtual void detect_face_face_candidates(std::vector<FaceFaceCandidate> &candidates) const = 0;

    CollisionFilter can_vertices_collide = [](std::size_t, std::size_t) { return true; };

protected:
    virtual bool can_edge_vertex_collide(std::size_t e, std::size_t v) const {
        return apart(edge_boxes[e], vertex_boxes[v]);
    }
    virtual bool can_edges_collide(std::size_t a, std::size_t b) const { return apart(edge_boxes[a], edge_boxes[b]); }
    virtual bool can_face_vertex_collide(std::size_t f, std::size_t v) const {
        return apart(face_boxes[f], vertex_boxes[v]);
    }
    virtual bool can_edge_face_collide(std::size_t e, std::size_t f) const { return apart(edge_boxes[e], face_boxes[f]); }
    virtual bool can_faces_collide(std::size_t a, std::size_t b) const { return apart(face_boxes[a], face_boxes[b]); }

    AABBs vertex_boxes, edge_boxes, face_boxes;
    std::uint8_t dim = 0;

private:
    AABBs join(Indices elements) const {
        AABBs out(static_cast<std::size_t>(elements.rows()));
        for (Eigen::Index i = 0; i < elements.rows(); i++) {
            AABB &box = out[static_cast<std::size_t>(i)];
            for (Eigen::Index k = 0; k < elements.cols(); k++) {
                const AABB &v = vertex_boxes[static_cast<std::size_t>(elements(i, k))];
                box.min = k == 0 ? v.min : box.min.min(v.min).eval();
                box.max = k == 0 ? v.max : box.max.max(v.max).eval();
                box.vertex_ids[static_cast<std::size_t>(k)] = elements(i, k);
            }
        }
        return out;
    }

    /// They share no vertex, and some vertex of the one may collide with one of the other.
    bool apart(const AABB &a, const AABB &b) const {
        bool any = false;
        for (index_t i : a.vertex_ids) {
            for (index_t j : b.vertex_ids) {
                if (i < 0 || j < 0) {
                    continue;
                }
                if (i == j) {
                    return false;
                }
                any |= can_vertices_collide(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
            }
        }
        return any;
    }
};

} // namespace ipc
