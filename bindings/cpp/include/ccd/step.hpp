// step.hpp - whole steps. Part of ccd.hpp.
#ifndef LIBCCD_TOI_STEP_HPP
#define LIBCCD_TOI_STEP_HPP

#include <ccd/broad.hpp>
#include <ccd/pair.hpp>

#include <array>
#include <exception>
#include <functional>
#include <memory>

namespace ccd {

namespace detail {

/// Calls a visitor, which may throw.
struct Visit {
    const std::function<bool(View<Impact>)> *visitor;
    std::exception_ptr thrown;
    bool stopped;

    static std::int32_t call(const ccd_impact *impacts, std::size_t count, void *self) noexcept {
        Visit *v = static_cast<Visit *>(self);
        try {
            v->stopped = (*v->visitor)(View<Impact>(impacts, count));
        } catch (...) {
            v->thrown = std::current_exception();
            v->stopped = true;
        }
        return v->stopped ? 1 : 0;
    }
};

/// The number of worlds of a mesh of n vertices in the rows of x0 and x1.
inline std::size_t worlds(std::size_t n, const Points &x0, const Points &x1) {
    const std::size_t rows = vertices(x0, x1), count = n == 0 ? 0 : rows / n;
    if (rows != count * n) {
        throw Error(CCD_E_ARGUMENT, "x0 has " + std::to_string(rows) +
                                        " rows: must be a multiple of the mesh's vertices, " + std::to_string(n));
    }
    return count;
}

} // namespace detail

/// Whole steps: vertex i moves on the segment from x0[i] to x1[i] as t runs from 0 to 1, or on the paths of a motion.
namespace step {

/// The sentences of a result of Step::why, or of the `why` of a response: which pair limits the step, why, and what to do.
/// @throws Error CCD_E_ARGUMENT for what they have not returned
inline std::string text(const Why &why) {
    char room[1024];
    detail::check(ccd_why_text(&why, room, sizeof room, nullptr));
    return room;
}

/// A step for each vertex, and the positions that the steps lead to.
struct Sizes {
    std::vector<double> alpha; ///< of each vertex: 0, or in [report.floor, 1]
    std::vector<double> y;     ///< positions x0 + alpha (x1 - x0), n x 3, rounded
    SizesReport report;        ///< passes, the used part of the motion, vertices that rest
};

/// How step::sizes chooses.
struct SizesOptions {
    View<std::int32_t> groups;    ///< an id for each vertex, or none: the vertices of a group have one alpha
    double share = 0.9;           ///< the part of the way to an impact that the pair's vertices go, in (0, 1)
    double keep_ratio = 0.5;      ///< the part of its distance that a pair within min_separation keeps, in [0, 1]
    std::int64_t max_passes = 64; ///< searches after which vertices in contact are stopped at x0
};

} // namespace step

/// Some primitives of a mesh, by their numbers: an object, or the part of one that is to be tested. They are borrowed.
struct Group {
    View<std::int32_t> vertices;
    View<std::int32_t> edges; ///< numbers of Mesh::edges
    View<std::int32_t> faces;
};

/// A step as a value: what moves, and which pairs count. Made of a mesh by the constructors, and by broad::Candidates::step,
/// neighbors::Neighbors::step and scene::Scene::step. Its methods are the calls; results have the bits of those of the same mesh and motion.
///
///     ccd::Step step(mesh, x0, x1);
///     auto bound = step.linesearch(0.2, options);
///     auto each = step.sizes();
///
/// A step borrows x0 and x1: they must outlive it, and their values may change between calls (an array in braces ends with the
/// statement). What is no packed row-major array of doubles, as an Eigen expression, it copies. It holds the mesh, the motion, the
/// candidates, the list or the scene. Threads may share a step. A call that it does not have throws CCD_E_UNSUPPORTED with the reason;
/// ccd.h lists them at ccd_step.
class Step {
public:
    /// The step of a mesh from x0 to x1, n x 3.
    /// @throws Error as ccd_step_create
    Step(const Mesh &mesh, Points x0, Points x1) : Step(std::move(x0), std::move(x1)) {
        detail::check(ccd_step_create(mesh.handle(), x0_, x1_, n_, step_.out()));
    }
    /// The step of a mesh on the paths of a motion. (motion.hpp)
    /// @throws Error as ccd_step_create_motion
    Step(const Mesh &mesh, const Motion &motion);

    /// The step with those of its pairs alone of which one primitive is in group a and the other in group b: one object against another, or
    /// vertices against faces one way. It borrows the arrays that this step
    /// borrows.
    /// @throws Error as ccd_step_create_between
    Step between(const Group &a, const Group &b) const {
        const ccd_group both[] = {group(a), group(b)};
        Step out;
        out.n_ = n_, out.x0_ = x0_, out.x1_ = x1_, out.own_ = own_;
        detail::check(ccd_step_create_between(handle(), &both[0], &both[1], out.step_.out()));
        return out;
    }

    ccd_step *handle() const noexcept { return step_.get(); } ///< the handle in C
    std::size_t vertices() const noexcept {
        return n_;
    } ///< vertices of the mesh, of a scene those that move: rows of results

    /// Compute the earliest impact. The verdict CCD_SEPARATE is a proof that no pair comes within options.min_separation; otherwise every
    /// step shorter than toi_lo is safe. An edge that passes through a face at x0 already is no impact, unless options.flags has
    /// CCD_CHECK_START: it then comes first, of kind edge_face (law 10 of ccd.h).
    /// @param options min_separation, norm, t_max, method, threads, memory_limit, on_progress ...
    /// @return        the impact with the least toi_lo, of equal ones the first in the order (kind, a, b)
    /// @throws Error  as ccd_step_earliest
    Impact earliest(const Options &options = {}) const {
        Impact out;
        detail::Guard guard(options);
        guard.check(ccd_step_run_earliest(handle(), guard.get(), &out));
        return out;
    }

    /// List the impact of every pair that is not CCD_SEPARATE, sorted by (toi_lo, kind, a, b); with CCD_CHECK_START edges through faces
    /// at x0 come first.
    /// @throws Error as earliest
    std::vector<Impact> collisions(const Options &options = {}) const {
        detail::Impacts impacts;
        detail::Guard guard(options);
        guard.check(ccd_step_run_collisions(handle(), guard.get(), impacts.out()));
        return detail::copied(impacts);
    }

    /// List the first count impacts of collisions, or all of them if there are no more. What comes later is left out: memory grows with
    /// count, and where impacts come early the call takes little more time than earliest.
    /// @param count  at least 1
    /// @throws Error as earliest
    std::vector<Impact> first_impacts(std::size_t count, const Options &options = {}) const {
        detail::Impacts impacts;
        detail::Guard guard(options);
        guard.check(ccd_step_run_first_impacts(handle(), count, guard.get(), impacts.out()));
        return detail::copied(impacts);
    }

    /// Pass the impacts of collisions to a visitor in portions, in no particular order, and store none.
    /// @param visitor called from any thread, never from two at once; a portion is valid until it returns; true stops the call. An
    ///                exception that it throws stops the call, which rethrows it
    /// @return        whether it received all: false if it stopped the call
    /// @throws Error  as earliest
    bool visit(const std::function<bool(View<Impact> portion)> &visitor, const Options &options = {}) const {
        if (!visitor) {
            throw Error(CCD_E_ARGUMENT, "visitor is empty: give a function that takes portions of impacts");
        }
        detail::Visit state{&visitor, nullptr, false};
        detail::Guard guard(options);
        const ccd_status status = ccd_step_run_visit(handle(), guard.get(), &detail::Visit::call, &state);
        if (state.thrown) {
            std::rethrow_exception(state.thrown);
        }
        if (status != CCD_E_CANCELLED || !state.stopped) {
            guard.check(status);
        }
        return !state.stopped;
    }

    /// Compute the impacts of given pairs of primitives, in their order, whether or not their boxes overlap.
    /// @param kind   kind of all pairs
    /// @param pairs  indices of the two primitives
    /// @throws Error as earliest; CCD_E_INDEX for a pair out of range
    std::vector<Impact> pairs(Kind kind, View<Pair> pairs, const Options &options = {}) const {
        std::vector<Impact> out(pairs.size());
        detail::Guard guard(options);
        guard.check(ccd_step_run_pairs(handle(), static_cast<std::int32_t>(kind),
                                       pairs.size() == 0 ? nullptr : pairs.data()->data(), pairs.size(), guard.get(),
                                       out.data()));
        return out;
    }

    /// Find every interval of contact of every pair, sorted by (enter, kind, a, b): the events of a trigger volume, all crossings of a sweep.
    /// @param options the method must be exact
    /// @throws Error  as earliest, CCD_E_UNSUPPORTED for options without intervals
    std::vector<Interval> intervals(const Options &options = {}) const {
        detail::Intervals found;
        detail::Guard guard(options);
        guard.check(ccd_step_run_intervals(handle(), guard.get(), found.out()));
        return detail::copied(found);
    }

    /// Find every interval of contact of given pairs of primitives, whether or not their boxes overlap, sorted as those of intervals.
    /// @param kind    kind of all pairs
    /// @param pairs   indices of the two primitives; a pair that is given twice is found twice
    /// @param options the method must be exact
    /// @throws Error  as intervals; CCD_E_INDEX for a pair out of range
    std::vector<Interval> pairs_intervals(Kind kind, View<Pair> pairs, const Options &options = {}) const {
        detail::Intervals found;
        detail::Guard guard(options);
        guard.check(ccd_step_run_pairs_intervals(handle(), static_cast<std::int32_t>(kind),
                                                 pairs.size() == 0 ? nullptr : pairs.data()->data(), pairs.size(),
                                                 guard.get(), found.out()));
        return detail::copied(found);
    }

    /// Bracket the least Euclidean distance, less radii, that any pair has during the step, and find the pair, a time and the points.
    /// @param options the method must be exact; min_separation does not matter
    /// @throws Error  as earliest, CCD_E_UNSUPPORTED for other methods and the max norm
    Clearance clearance(const Options &options = {}) const {
        Clearance out;
        detail::Guard guard(options);
        guard.check(ccd_step_run_clearance(handle(), guard.get(), &out));
        return out;
    }

    /// Bracket the least Euclidean distance, less radii, that any pair has at each of some times in [0, 1], for a plot.
    /// @param options as of clearance; not t_max
    /// @throws Error  as clearance; CCD_E_ARGUMENT for a time that is not in [0, 1]
    std::vector<Clearance> profile(View<double> times, const Options &options = {}) const {
        std::vector<Clearance> out(times.size());
        detail::Guard guard(options);
        guard.check(ccd_step_run_profile(handle(), times.data(), times.size(), guard.get(), out.data()));
        return out;
    }

    /// Say why the step is short: which pair limits it, and whether its radii, the separation, an intersection, vertices at one place or
    /// a spent budget are the reason. step::text says the same in words.
    /// @throws Error as earliest; CCD_E_UNSUPPORTED for scenes, regions and positions on a device
    Why why(const Options &options = {}) const {
        Why out;
        detail::Guard guard(options);
        guard.check(ccd_step_run_why(handle(), guard.get(), &out));
        return out;
    }

    /// Compute a safe step, in real arithmetic. Positions that you compute from it are rounded, and a pair may touch there: advance
    /// returns positions that are proven.
    /// @return       alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than options.min_separation
    /// @throws Error as earliest
    double size(const Options &options = {}) const {
        double alpha = 0;
        detail::Guard guard(options);
        guard.check(ccd_step_run_size(handle(), guard.get(), &alpha));
        return alpha;
    }

    /// Advance as far as is safe, times share. If alpha > 0, it is proven that all pairs keep more than options.min_separation on the
    /// straight way from x0 to just the doubles of x; on a motion at every t in [0, alpha] on their paths, and from there straight to x.
    /// @param share  the part of the step of size to take, in (0, 1]
    /// @throws Error as earliest
    step::Advanced advance(double share = 1, const Options &options = {}) const {
        step::Advanced out{0, std::vector<double>(3 * n_)};
        detail::Guard guard(options);
        guard.check(ccd_step_run_advance(handle(), share, guard.get(), &out.alpha, out.x.data(), n_));
        return out;
    }

    /// Choose a step for each vertex, so that one early contact does not stop the whole mesh. It is proven that all pairs keep their
    /// separations on the straight way from x0 to just the doubles of y, on a motion on the paths of motion.cut(alpha):
    /// options.min_separation where they are farther apart at t = 0, else keep_ratio times their distance there.
    /// @param options t_max must be 1 and the method exact
    /// @throws Error  as earliest; CCD_E_UNSUPPORTED for a motion of several pieces
    step::Sizes sizes(const step::SizesOptions &how = {}, const Options &options = {}) const {
        if (how.groups.size() != 0 && how.groups.size() != n_) {
            throw Error(CCD_E_ARGUMENT, "how.groups has " + std::to_string(how.groups.size()) + " ids: there are " +
                                            std::to_string(n_) + " vertices");
        }
        step::Sizes out{std::vector<double>(n_), std::vector<double>(3 * n_), {}};
        detail::Guard guard(options);
        guard.check(ccd_step_run_sizes(handle(), how.groups.size() == 0 ? nullptr : how.groups.data(), how.share,
                                       how.keep_ratio, how.max_passes, guard.get(), out.alpha.data(), out.y.data(), n_,
                                       &out.report),
                    {{"share", "how.share"}, {"keep_ratio", "how.keep_ratio"}, {"max_passes", "how.max_passes"}});
        return out;
    }

    /// Bound the steps x0 + t (x1 - x0) of a line search so that every pair keeps a fraction of its distance at x0. [Wang2021]
    /// @param keep_ratio the fraction to keep, in (0, 1); 0.2 is usual
    /// @param options    min_separation must be positive: it is a search radius, pairs farther apart are ignored
    /// @throws Error     as earliest
    LinesearchBound linesearch(double keep_ratio, const Options &options) const {
        LinesearchBound out{};
        detail::Guard guard(options);
        guard.check(ccd_step_run_linesearch(handle(), keep_ratio, guard.get(), &out));
        return out;
    }

    /// List every pair that comes within options.min_separation as a constraint for a solver, in the order of collisions. [Wang2021]
    /// @throws Error as earliest
    std::vector<Constraint> activeset(const Options &options = {}) const {
        detail::Handle<ccd_constraints, ccd_constraints_destroy> constraints;
        detail::Guard guard(options);
        guard.check(ccd_step_run_activeset(handle(), guard.get(), constraints.out()));
        std::size_t count = 0;
        detail::check(ccd_constraints_count(constraints.get(), &count));
        std::vector<Constraint> out(count);
        detail::check(ccd_constraints_copy(constraints.get(), out.data(), out.size(), &count));
        return out;
    }

    /// Compute how the times of some impacts of this step depend on x0 and x1. A gradient whose state is CCD_GRADIENT_DEFINED is
    /// proven; all others hold 0 or NaN.
    /// @param impacts  what earliest, collisions, pairs or visit returned; only kind, a and b are read
    /// @param options  min_separation, norm and t_max of the time that is differentiated
    /// @return         one gradient for each impact, in their order
    /// @throws Error   as earliest; CCD_E_INDEX for an impact that is not of this mesh
    std::vector<Gradient> gradients(View<Impact> impacts, const Options &options = {}) const {
        std::vector<Gradient> out(impacts.size());
        detail::Guard guard(options);
        guard.check(ccd_step_run_gradients(handle(), impacts.data(), impacts.size(), guard.get(), out.data()));
        return out;
    }

private:
    friend class broad::Candidates;
    friend class neighbors::Neighbors;
    friend class scene::Scene;

    static ccd_group group(const Group &g) noexcept {
        return {g.vertices.data(), g.vertices.size(), g.edges.data(), g.edges.size(), g.faces.data(), g.faces.size()};
    }

    Step() = default; // of a motion
    Step(Points &&x0, Points &&x1)
        : n_(detail::vertices(x0, x1)), x0_(x0.data()), x1_(x1.data()),
          own_(std::make_shared<const Copies>(Copies{x0.take(), x1.take()})) {}

    std::size_t n_ = 0;
    const double *x0_ = nullptr, *x1_ = nullptr; // borrowed, or in own_
    using Copies = std::array<std::vector<double>, 2>;
    std::shared_ptr<const Copies> own_; // shared with the steps between groups of this one
    detail::Handle<ccd_step, ccd_step_destroy> step_;
};

namespace broad {

inline Step Candidates::step(Points x0, Points x1) const {
    Step out(std::move(x0), std::move(x1));
    detail::check(ccd_step_create_candidates(handle(), out.x0_, out.x1_, out.n_, out.step_.out()));
    return out;
}

} // namespace broad

/// Calls on the step of a mesh, in one line. The other calls are those of ccd::Step.
namespace step {

/// Compute the earliest impact of the step of a mesh from x0 to x1: Step::earliest.
/// @param mesh    the mesh, with its filters
/// @param x0      vertices at t = 0, n x 3
/// @param x1      vertices at t = 1, n x 3
/// @param options as in Step::earliest
/// @throws Error  as ccd_step_earliest
inline Impact earliest(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    Impact out;
    detail::Guard guard(options);
    guard.check(ccd_step_earliest(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &out));
    return out;
}

/// Compute the earliest impact of each of several worlds: of one mesh at other positions. Threads take one world after the other.
/// @param x0      vertices at t = 0 of one world after the other, k n x 3
/// @param x1      vertices at t = 1, likewise
/// @return        k impacts, each with the bits of earliest
/// @throws Error  as ccd_step_earliest_batch; CCD_E_ARGUMENT if the rows are not those of whole worlds
inline std::vector<Impact> earliest_batch(const Mesh &mesh, const Points &x0, const Points &x1,
                                          const Options &options = {}) {
    const std::size_t n = mesh.vertices(), count = detail::worlds(n, x0, x1);
    std::vector<Impact> out(count);
    detail::Guard guard(options);
    guard.check(ccd_step_earliest_batch(mesh.handle(), x0.data(), x1.data(), n, count, guard.get(), out.data()));
    return out;
}

/// A step of each of several worlds, and the positions that it leads to.
struct AdvancedWorlds {
    std::vector<double> alpha;   ///< of each world; where it is 0, its positions are those of x0, bit for bit
    std::vector<double> x;       ///< positions of one world after the other, k n x 3
    std::vector<Impact> impacts; ///< what ended the step of each world, as of earliest_batch
};

/// Advance each of several worlds as far as is safe for it: of one mesh at other positions.
/// @param x0      vertices at t = 0 of one world after the other, k n x 3
/// @param x1      vertices at t = 1, likewise
/// @param share   the part of the step of size to take, in (0, 1]
/// @return        steps and positions of a world have the bits of advance for it
/// @throws Error  as ccd_step_advance_batch; CCD_E_ARGUMENT if the rows are not those of whole worlds
inline AdvancedWorlds advance_batch(const Mesh &mesh, const Points &x0, const Points &x1, double share = 1,
                                    const Options &options = {}) {
    const std::size_t n = mesh.vertices(), count = detail::worlds(n, x0, x1);
    AdvancedWorlds out{std::vector<double>(count), std::vector<double>(3 * n * count), std::vector<Impact>(count)};
    detail::Guard guard(options);
    guard.check(ccd_step_advance_batch(mesh.handle(), x0.data(), x1.data(), n, count, share, guard.get(), out.alpha.data(),
                                       out.x.data(), out.impacts.data()));
    return out;
}

/// List every impact: Step::collisions.
/// @throws Error as earliest
inline std::vector<Impact> collisions(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    detail::Impacts impacts;
    detail::Guard guard(options);
    guard.check(
        ccd_step_collisions(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), impacts.out()));
    return detail::copied(impacts);
}

/// Compute a safe step: Step::size.
/// @throws Error as earliest
inline double size(const Mesh &mesh, const Points &x0, const Points &x1, const Options &options = {}) {
    double alpha = 0;
    detail::Guard guard(options);
    guard.check(ccd_step_size(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), guard.get(), &alpha));
    return alpha;
}

/// Advance as far as is safe, times share: Step::advance.
/// @throws Error as earliest
inline Advanced advance(const Mesh &mesh, const Points &x0, const Points &x1, double share = 1,
                        const Options &options = {}) {
    Advanced out{0, std::vector<double>(3 * detail::vertices(x0, x1))};
    detail::Guard guard(options);
    guard.check(ccd_step_advance(mesh.handle(), x0.data(), x1.data(), detail::vertices(x0, x1), share, guard.get(),
                                 &out.alpha, out.x.data()));
    return out;
}

/// How step::respond treats contact.
struct RespondOptions {
    View<double> inverse_mass;   ///< of each vertex, 0 for one that contact does not move; none: 1
    double friction = 0;         ///< coefficient of Coulomb friction, in [0, 1e6]
    double keep = 0.25;          ///< the part of min_separation that the step keeps, in [0, 1)
    std::int64_t max_rounds = 4; ///< times that constraints are found, and treated once each, 1 to 1000
};

/// Positions after contact, and how they came about.
struct Responded {
    std::vector<double> x; ///< positions, n x 3; the straight way from x0 to just these doubles is proven
    double alpha;          ///< the part of the way to the ends of the response that was safe; 1 if all of it
    std::int64_t contacts; ///< constraints of the first round
    std::int64_t rounds;   ///< rounds; less than how.max_rounds if no pair was left that comes too near
    Why why;               ///< what limits the way to the ends of the response, as Step::why has it; text says it in words
};

/// Move the ends of a step apart where pairs come too near, and go as far as is safe: positions after contact. Velocities follow,
/// (x - x0) / dt. A helper for those who have no solver: it treats each contact for itself, and no forces are balanced. What it leaves
/// undone is stopped before contact, so nothing passes through whatever the response does: all pairs keep more than how.keep times
/// min_separation, and their radii. Contact moves no static vertex.
/// @param x1      where the vertices would be at t = 1 without contact, n x 3
/// @param how     masses, friction, the part of the separation that is kept, rounds
/// @param options min_separation must be positive: it is the room in which resting contact moves on
/// @throws Error  as ccd_step_respond
inline Responded respond(const Mesh &mesh, const Points &x0, const Points &x1, const RespondOptions &how,
                         const Options &options) {
    const std::size_t n = detail::vertices(x0, x1);
    if (how.inverse_mass.size() != 0) {
        detail::same_size("the mesh", mesh.vertices(), "how.inverse_mass", how.inverse_mass.size(), "numbers");
    }
    Responded out{std::vector<double>(3 * n), 0, 0, 0, {}};
    ccd_response report{};
    detail::Guard guard(options);
    guard.check(ccd_step_respond(mesh.handle(), x0.data(), x1.data(), n,
                                 how.inverse_mass.size() == 0 ? nullptr : how.inverse_mass.data(), how.friction, how.keep,
                                 how.max_rounds, guard.get(), out.x.data(), &report),
                {{"inverse_mass", "how.inverse_mass"},
                 {"friction", "how.friction"},
                 {"keep", "how.keep"},
                 {"max_rounds", "how.max_rounds"}});
    out.alpha = report.alpha, out.contacts = report.contacts, out.rounds = report.rounds, out.why = report.why;
    return out;
}

/// Exclude pairs of a mesh that are near in it, beside those that are excluded: thick cloth would be in contact with itself at rest.
/// @param rest   positions at rest: pairs within their separation there
/// @param rings  0 to 64; above 0: only pairs within so many edges of each other
/// @return       the number of pairs that were not excluded before
/// @throws Error as ccd_mesh_exclude_near
inline std::size_t exclude_near(Mesh &mesh, const Points &rest, int rings = 0, const Options &options = {}) {
    std::size_t count = 0;
    detail::same_size("the mesh", mesh.vertices(), "rest", rest.rows("rest"), "rows");
    detail::Guard guard(options);
    guard.check(ccd_mesh_exclude_near(mesh.handle(), rest.data(), rest.rows("rest"), rings, guard.get(), &count),
                {{"x[", "rest["}, {"x0[", "rest["}});
    return count;
}

/// Exclude all pairs of a mesh that are within so many edges of each other, 1 to 64.
/// @return       the number of pairs that were not excluded before
/// @throws Error CCD_E_ARGUMENT
inline std::size_t exclude_near(Mesh &mesh, int rings) {
    std::size_t count = 0;
    detail::check(ccd_mesh_exclude_near(mesh.handle(), nullptr, 0, rings, nullptr, &count));
    return count;
}

} // namespace step

} // namespace ccd

#endif // LIBCCD_TOI_STEP_HPP
