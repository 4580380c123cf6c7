// neighbors.hpp - near pairs that are kept while vertices move little. Part of ccd.hpp.
#ifndef LIBCCD_TOI_NEIGHBORS_HPP
#define LIBCCD_TOI_NEIGHBORS_HPP

#include <ccd/step.hpp>

namespace ccd {

/// Neighbor lists: near pairs that are kept while vertices move little.
namespace neighbors {

using Report = ccd_neighbors_report; ///< what a list holds, and what it did

/// Near pairs of a mesh, for the calls of a Newton method, a line search or a simulation. Results have the bits of proximity::near
/// and ccd::step for the same arguments: the list serves a call where its pairs suffice, and finds pairs again where that pays.
/// Threads may share a list.
///
///   ccd::neighbors::Neighbors list(mesh, x, 3 * d);
///   auto pairs = list.near(x, d);
///   double alpha = list.step(x, x1).size();
class Neighbors {
public:
    /// Find the pairs that are at most reach apart.
    /// @param mesh    the mesh; the list holds it
    /// @param x       vertices, n x 3
    /// @param reach   a length above 0: two to four times the largest distance of the calls is usual
    /// @param options as in proximity::near
    /// @throws Error  as ccd_neighbors_create
    Neighbors(const Mesh &mesh, const Points &x, double reach, const Options &options = {}) {
        detail::Guard guard(options);
        guard.check(ccd_neighbors_create(mesh.handle(), x.data(), x.rows("x"), reach, guard.get(), neighbors_.out()));
    }

    ccd_neighbors *handle() const noexcept { return neighbors_.get(); } ///< the handle in C

    /// As proximity::near, for a distance d of at most the reach.
    /// @throws Error as ccd_neighbors_near
    std::vector<NearPair> near(const Points &x, double d, const Options &options = {}) const {
        detail::Handle<ccd_near_pairs, ccd_near_pairs_destroy> found;
        detail::Guard guard(options);
        guard.check(ccd_neighbors_near(handle(), x.data(), x.rows("x"), d, guard.get(), found.out()));
        std::size_t count = 0;
        detail::check(ccd_near_pairs_count(found.get(), &count));
        std::vector<NearPair> out(count);
        detail::check(ccd_near_pairs_copy(found.get(), out.data(), out.size(), &count));
        return out;
    }

    /// The step of the list's mesh from x0 to x1, whose calls use the list where they can, for a min_separation of at most the reach.
    /// @throws Error as ccd_step_create_neighbors
    Step step(Points x0, Points x1) const {
        Step out(std::move(x0), std::move(x1));
        detail::check(ccd_step_create_neighbors(handle(), out.x0_, out.x1_, out.n_, out.step_.out()));
        return out;
    }

    /// What the list holds, and what it did so far.
    Report state() const {
        Report out;
        detail::check(ccd_neighbors_state(handle(), &out));
        return out;
    }

private:
    detail::Handle<ccd_neighbors, ccd_neighbors_destroy> neighbors_;
};

} // namespace neighbors

} // namespace ccd

#endif // LIBCCD_TOI_NEIGHBORS_HPP
