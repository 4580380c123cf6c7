// ipc_broad_phase.hpp - libccd as a broad phase of ipc-toolkit 1.6.
//
//   ccd::compat::IpcBroadPhase broad_phase;                // was: ipc::LBVH broad_phase;
//   candidates.build(mesh, x0, x1, inflation_radius, &broad_phase);
//
// The boxes are ipc-toolkit's own (ipc::BroadPhase::build, all its overloads, 2D and 3D), and so are the filters; which boxes
// overlap is decided by libccd, exactly. The contract of detect_* is the one released in 1.6: the list that is handed over holds
// the candidates of this call when it returns. (Releases before appended to it, 1.6 asks for an empty one; what was in it is dropped
// here.) What differs: candidates come sorted, the same for any number of threads. Boxes that are not finite are thrown as
// ccd::Error. Any number of threads may call detect_* of one object.
#ifndef LIBCCD_TOI_COMPAT_IPC_BROAD_PHASE_HPP
#define LIBCCD_TOI_COMPAT_IPC_BROAD_PHASE_HPP

#include <ccd/compat/boxes.hpp>

#include <ipc/broad_phase/broad_phase.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ccd::compat {

class IpcBroadPhase : public ::ipc::BroadPhase {
public:
    std::string name() const override { return "libccd"; }

    void detect_vertex_vertex_candidates(std::vector<::ipc::VertexVertexCandidate> &candidates) const override {
        candidates.clear();
        overlaps(vertex_boxes, [&](std::size_t i, std::size_t j) {
            if (can_vertices_collide(i, j)) {
                candidates.emplace_back(i, j);
            }
        });
    }

    void detect_edge_vertex_candidates(std::vector<::ipc::EdgeVertexCandidate> &candidates) const override {
        candidates.clear();
        overlaps(edge_boxes, vertex_boxes, [&](std::size_t i, std::size_t j) {
            if (can_edge_vertex_collide(i, j)) {
                candidates.emplace_back(i, j);
            }
        });
    }

    void detect_edge_edge_candidates(std::vector<::ipc::EdgeEdgeCandidate> &candidates) const override {
        candidates.clear();
        overlaps(edge_boxes, [&](std::size_t i, std::size_t j) {
            if (can_edges_collide(i, j)) {
                candidates.emplace_back(i, j);
            }
        });
    }

    void detect_face_vertex_candidates(std::vector<::ipc::FaceVertexCandidate> &candidates) const override {
        candidates.clear();
        overlaps(face_boxes, vertex_boxes, [&](std::size_t i, std::size_t j) {
            if (can_face_vertex_collide(i, j)) {
                candidates.emplace_back(i, j);
            }
        });
    }

    void detect_edge_face_candidates(std::vector<::ipc::EdgeFaceCandidate> &candidates) const override {
        candidates.clear();
        overlaps(edge_boxes, face_boxes, [&](std::size_t i, std::size_t j) {
            if (can_edge_face_collide(i, j)) {
                candidates.emplace_back(i, j);
            }
        });
    }

    void detect_face_face_candidates(std::vector<::ipc::FaceFaceCandidate> &candidates) const override {
        candidates.clear();
        overlaps(face_boxes, [&](std::size_t i, std::size_t j) {
            if (can_faces_collide(i, j)) {
                candidates.emplace_back(i, j);
            }
        });
    }
};

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_IPC_BROAD_PHASE_HPP
