// scene.hpp - a mesh with its positions, of which some vertices move in each step. Part of ccd.hpp.
#ifndef LIBCCD_TOI_SCENE_HPP
#define LIBCCD_TOI_SCENE_HPP

#include <ccd/step.hpp>

namespace ccd {

/// Scenes that live over many steps.
namespace scene {

/// What a scene knows of the edges and faces that share a point.
struct State {
    std::size_t known;     ///< number of vertices whose state is known; the state of the scene is known if these are all
    std::size_t crossings; ///< number of edge-face pairs of these vertices that share a point
};

using Part = ccd_scene_part; ///< a part of a scene: its id, first numbers and counts

/// A mesh with its positions, for steps in which some vertices move: a large static world with a few movers. A call costs what moves. moved
/// holds vertices in ascending order, x1 a row for each of them; all others stay. Results have the bits of a step of a mesh whose other
/// vertices are static: pairs of which no vertex is in moved are skipped. Threads may share a scene; its calls run one after the other.
class Scene {
public:
    /// Create a scene with its vertices at x0, n x 3. It has the filters and radii that the mesh has now: after any of them is set,
    /// calls throw.
    /// @throws Error as ccd_scene_create
    Scene(const Mesh &mesh, const Points &x0) {
        detail::check(ccd_scene_create(mesh.handle(), x0.data(), x0.rows("x0"), scene_.out()));
    }

    ccd_scene *handle() const noexcept { return scene_.get(); } ///< the handle in C

    /// Add a mesh with its vertices at x, n x 3, with the filters and radii that it has now. Numbers of other parts stay. The state
    /// of its vertices is unknown.
    /// @throws Error as ccd_scene_add
    Part add(const Mesh &mesh, const Points &x) {
        Part out;
        detail::check(ccd_scene_add(handle(), mesh.handle(), x.data(), x.rows("x"), &out));
        return out;
    }

    /// Remove a part, by its id; 0 is the mesh of the constructor. Its numbers are free. Other parts keep theirs.
    /// @throws Error CCD_E_INDEX if there is no such part
    void remove(std::int64_t part) { detail::check(ccd_scene_remove(handle(), part)); }

    /// List the parts in the order of their numbers.
    std::vector<Part> parts() const {
        std::size_t count = 0;
        detail::check(ccd_scene_parts(handle(), nullptr, 0, &count));
        std::vector<Part> out(count);
        detail::check(ccd_scene_parts(handle(), out.data(), out.size(), &count));
        return out;
    }

    /// The number after the last vertex in use: how many rows positions and reset have.
    std::size_t vertices() const {
        std::size_t count = 0;
        detail::check(ccd_scene_counts(handle(), &count, nullptr, nullptr));
        return count;
    }

    /// The step on which vertex moved[i] goes from where it is when a call begins to row i of x1. Arrays of its calls have a row for each
    /// vertex in moved, which it borrows as x1. A call that proves the whole motion lets commit keep the state: earliest, collisions,
    /// visit, intervals and activeset that find nothing with t_max 1, size and linesearch that return 1, advance and sizes always.
    /// @throws Error as ccd_step_create_scene; CCD_E_ARGUMENT for another number of rows
    Step step(View<std::int32_t> moved, Points x1) const {
        const std::size_t n = rows(moved, x1, "x1");
        Step out(Points(View<double>(nullptr, 3 * n)), std::move(x1));
        detail::check(ccd_step_create_scene(handle(), moved.data(), out.x1_, n, out.step_.out()));
        return out;
    }

    /// Place the vertices in moved at x. If the last call proved just this motion, the state is kept; otherwise it becomes unknown for
    /// the vertices whose positions change.
    /// @throws Error as ccd_scene_commit
    void commit(View<std::int32_t> moved, const Points &x) {
        detail::check(ccd_scene_commit(handle(), moved.data(), x.data(), rows(moved, x, "x")));
    }

    /// Place the vertices at the positions to which the last call proved the motion.
    /// @throws Error CCD_E_ARGUMENT if none is proven
    void commit_proven() { detail::check(ccd_scene_commit_proven(handle())); }

    /// Place all vertices at x, n x 3. Nothing is known of intersections there.
    /// @throws Error as ccd_scene_reset
    void reset(const Points &x) { detail::check(ccd_scene_reset(handle(), x.data(), x.rows("x"))); }

    /// Copy the positions of all vertices, n x 3; rows with free numbers are 0.
    std::vector<double> positions() const { return positions(vertices()); }

    /// Copy the positions of all n vertices, n x 3.
    /// @param n number of vertices of the scene, as vertices()
    std::vector<double> positions(std::size_t n) const {
        std::vector<double> x(3 * n);
        detail::check(ccd_scene_positions(handle(), x.data(), n));
        return x;
    }

    /// What is known of the edges and faces that share a point.
    State state() const {
        State out{0, 0};
        detail::check(ccd_scene_state(handle(), &out.known, &out.crossings));
        return out;
    }

    /// Make the state known: test the edges and faces of the vertices whose state is unknown.
    /// @throws Error as ccd_scene_check
    State check(const Options &options = {}) {
        detail::Guard guard(options);
        guard.check(ccd_scene_check(handle(), guard.get()));
        return state();
    }

private:
    static std::size_t rows(View<std::int32_t> moved, const Points &x, const char *name) {
        if (moved.size() != x.rows("x")) {
            throw Error(CCD_E_ARGUMENT, std::string(name) + " has " + std::to_string(x.rows("x")) + " rows: moved has " +
                                            std::to_string(moved.size()) + " vertices");
        }
        return x.rows("x");
    }

    detail::Handle<ccd_scene, ccd_scene_destroy> scene_;
};

} // namespace scene

} // namespace ccd

#endif // LIBCCD_TOI_SCENE_HPP
