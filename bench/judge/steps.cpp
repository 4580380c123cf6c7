#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <tuple>
#include <vector>

#include "families.h"
#include "scenes.h"
#include "step.h"

namespace judge {

namespace {

bool before(const ccd_impact &a, const ccd_impact &b) {
    return std::make_tuple(a.toi_lo, a.kind, a.a, a.b) < std::make_tuple(b.toi_lo, b.kind, b.a, b.b);
}
bool by_pair(const ccd_impact &a, const ccd_impact &b) {
    return std::make_tuple(a.kind, a.a, a.b) < std::make_tuple(b.kind, b.a, b.b);
}

// What is asked of a step.
struct Setting {
    double share;  // d, of the size of the scene
    double radius; // 0, or radii up to this share of the size
    double t_max;
};

// The least double that is not below the sum.
double sum_upward(double a, double b, double c) {
    const mpq_class exact = mpq_class(a) + mpq_class(b) + mpq_class(c);
    const double down = exact.get_d();
    return mpq_class(down) < exact ? std::nextafter(down, INFINITY) : down;
}

// All checks of one step.
class StepCheck {
public:
    StepCheck(const Scene &scene, const Step &s, const Setting &setting, double motion)
        : step(s), name(label(scene, CCD_VERTEX_FACE, setting.share, motion)) {
        name.replace(name.find(" VF"), 3, " step");
        name += setting.t_max < 1 ? ", t_max 0.37" : "";
        name += setting.radius > 0 ? ", radii" : "";
        any.d = setting.share * step.size;
        any.t_max = setting.t_max;
        set_radii(setting.radius * step.size);
        options = options_of(any);
        options.method = CCD_METHOD_DEFAULT;
        const double begin = seconds();
        ccd_impacts *handle;
        need(ccd_step_collisions(step.mesh, step.x0.data(), step.x1.data(), step.n(), &options, &handle));
        tally.library_seconds = seconds() - begin;
        std::size_t count;
        need(ccd_impacts_count(handle, &count));
        list.resize(count);
        need(ccd_impacts_copy(handle, list.data(), count, &count));
        need(ccd_impacts_destroy(handle));
    }
    ~StepCheck() { ccd_mesh_set_radii(step.mesh, nullptr, 0); }
    StepCheck(const StepCheck &) = delete;
    StepCheck &operator=(const StepCheck &) = delete;

    Tally check(long wanted) {
        order();
        for (const int kind : {CCD_VERTEX_FACE, CCD_EDGE_EDGE}) {
            all_candidates(kind);
            brute_force(kind, wanted);
        }
        print_row(name.c_str(), tally);
        std::printf("%zu impacts; %ld candidates compared as single pairs; %ld pairs tested by their boxes\n\n",
                    list.size(), compared, boxes);
        return tally;
    }

private:
    const Step &step;
    std::string name;
    Query any{};
    ccd_options options;
    std::vector<ccd_impact> list;
    Tally tally;
    std::vector<double> radii;
    long compared = 0, boxes = 0;

    void set_radii(double most) {
        if (most > 0) {
            Random r(7);
            for (std::size_t i = 0; i < step.n(); i++) {
                radii.push_back(r.chance(0.2) ? 0 : r.real(0, most));
            }
            need(ccd_mesh_set_radii(step.mesh, radii.data(), radii.size()));
        }
    }

    double radius(int kind, bool b, std::int64_t i) const {
        std::int32_t v[3];
        double most = 0;
        for (int k = step.vertices(kind, b, i, v) - 1; k >= 0 && !radii.empty(); k--) {
            most = std::max(most, radii[v[k]]);
        }
        return most;
    }

    Query query_of(int kind, std::int64_t a, std::int64_t b) const {
        Query query = step.query(kind, a, b, any.d);
        query.d = sum_upward(any.d, radius(kind, false, a), radius(kind, true, b));
        query.t_max = any.t_max;
        return query;
    }

    void order() {
        if (!std::is_sorted(list.begin(), list.end(), before)) {
            fault(any, name.c_str(), 0, "impacts are not sorted", tally);
        }
        ccd_impact first;
        double alpha;
        need(ccd_step_earliest(step.mesh, step.x0.data(), step.x1.data(), step.n(), &options, &first));
        need(ccd_step_size(step.mesh, step.x0.data(), step.x1.data(), step.n(), &options, &alpha));
        const bool none = list.empty();
        if (none ? first.verdict != CCD_SEPARATE : !same(first, list[0]) || first.a != list[0].a || first.b != list[0].b) {
            fault(any, name.c_str(), 0, "the earliest impact is not the first of all", tally);
        }
        if (alpha != (none ? any.t_max : list[0].toi_lo == 0 ? 0 : std::nextafter(list[0].toi_lo, 0.0))) {
            fault(any, name.c_str(), 0, "the size of the step is not the double below the earliest impact", tally);
        }
        std::sort(list.begin(), list.end(), by_pair);
    }

    const ccd_impact *find(int kind, std::int64_t a, std::int64_t b) const {
        ccd_impact key{};
        key.kind = kind, key.a = a, key.b = b;
        const auto at = std::lower_bound(list.begin(), list.end(), key, by_pair);
        return at != list.end() && !by_pair(key, *at) ? &*at : nullptr;
    }

    // The answer for a pair by itself, beside that of the step.
    void compare(const Query &query, const ccd_impact &answer, std::int64_t a, std::int64_t b, long index) {
        const ccd_impact *found = find(query.kind, a, b);
        if (answer.verdict == CCD_SEPARATE ? found != nullptr : found == nullptr || !same(*found, answer)) {
            fault(query, name.c_str(), index, "the step and the pair differ", tally);
        }
    }

    ccd_impact single_of(const Query &query) const {
        ccd_options own = options;
        own.min_separation = query.d;
        return single(query, own);
    }

    void all_candidates(int kind) {
        const std::vector<std::int64_t> pairs = step.candidates(kind, options);
        const std::size_t count = pairs.size() / 2, block = 1 << 16;
        std::vector<ccd_impact> answers(block), by_step(block);
        std::size_t listed = 0;
        for (std::size_t from = 0; from < count; from += block) {
            const std::size_t n = std::min(block, count - from);
            std::vector<double> q(24 * n);
            for (std::size_t i = 0; i < n; i++) {
                const Query query = query_of(kind, pairs[2 * (from + i)], pairs[2 * (from + i) + 1]);
                std::copy_n(query.q, 24, &q[24 * i]);
            }
            if (radii.empty()) {
                many(kind, q.data(), n, options, answers.data());
            } else {
                for (std::size_t i = 0; i < n; i++) {
                    answers[i] = single_of(query_of(kind, pairs[2 * (from + i)], pairs[2 * (from + i) + 1]));
                }
            }
            ccd_step *whole = nullptr;
            need(ccd_step_create(step.mesh, step.x0.data(), step.x1.data(), step.n(), &whole));
            need(ccd_step_run_pairs(whole, kind, &pairs[2 * from], n, &options, by_step.data()));
            need(ccd_step_destroy(whole));
            for (std::size_t i = 0; i < n; i++) {
                const std::int64_t a = pairs[2 * (from + i)], b = pairs[2 * (from + i) + 1];
                listed += answers[i].verdict != CCD_SEPARATE;
                const Query query = query_of(kind, a, b);
                compare(query, answers[i], a, b, long(from + i));
                if (!same(by_step[i], answers[i])) {
                    fault(query, name.c_str(), long(from + i), "ccd_step_run_pairs and the pair differ", tally);
                }
            }
        }
        compared += long(count);
        const auto of_kind = std::count_if(list.begin(), list.end(), [&](const ccd_impact &x) { return x.kind == kind; });
        if (std::size_t(of_kind) != listed) {
            fault(any, name.c_str(), 0, "the step lists impacts that are no candidates", tally);
        }
    }

    // Some axis keeps the boxes of the two motions farther apart than d: fl(x - y) > d implies x - y > d.
    bool apart(const Query &query) const {
        const int split = query.kind == CCD_VERTEX_FACE ? 1 : 2;
        for (int k = 0; k < 3; k++) {
            double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
            for (int i = 0; i < 8; i++) {
                const int side = i % 4 >= split;
                low[side] = std::min(low[side], query.q[3 * i + k]);
                high[side] = std::max(high[side], query.q[3 * i + k]);
            }
            if (low[0] - high[1] > query.d || low[1] - high[0] > query.d) {
                return true;
            }
        }
        return false;
    }

    bool share_a_vertex(int kind, std::int64_t a, std::int64_t b) const {
        std::int32_t v[3], w[3];
        const int n = step.vertices(kind, false, a, v), m = step.vertices(kind, true, b, w);
        return std::find_first_of(v, v + n, w, w + m) != v + n;
    }

    // Some primitives against all others: pairs whose boxes come within d are judged, and the step must list the contacts.
    void brute_force(int kind, long wanted) {
        const std::size_t n = kind == CCD_VERTEX_FACE ? step.n() : step.edges.size() / 2;
        const std::size_t m = kind == CCD_VERTEX_FACE ? step.faces.size() / 3 : n;
        Random r(m);
        const long end = tally.queries + wanted / 2;
        for (int tries = 0; tries < 2000 && tally.queries < end; tries++) {
            const ccd_impact *known = list.empty() ? nullptr : &list[r.bits() % list.size()];
            const std::int64_t one = known && known->kind == kind && tries % 2 ? known->a : std::int64_t(r.bits() % n);
            for (std::size_t other = 0; other < m; other++) {
                const bool flip = kind == CCD_EDGE_EDGE && std::int64_t(other) < one;
                const std::int64_t a = flip ? other : one, b = flip ? one : other;
                if (share_a_vertex(kind, a, b)) {
                    continue;
                }
                const Query query = query_of(kind, a, b);
                boxes++;
                if (apart(query)) {
                    if (find(kind, a, b)) {
                        fault(query, name.c_str(), tries, "the step lists a pair that is farther apart than d", tally);
                    }
                    continue;
                }
                const ccd_impact answer = single_of(query);
                judge(query, answer, name.c_str(), tries, tally);
                compare(query, answer, a, b, tries);
            }
        }
    }
};

} // namespace

void run_steps(const std::string &data, const std::string &only, long queries, Tally &total) {
    if (!std::filesystem::exists(data)) {
        std::printf("no data at %s: steps are skipped\n", data.c_str());
        return;
    }
    for (const Scene &scene : scenes) {
        for (const double motion : {1.0, 8.0}) {
            if (!only.empty() && only != scene.name) {
                continue;
            }
            const Step step(data + "/scenes/" + scene.name + "/frames", scene, motion);
            const double irrational = 1e-4 * 2.7182818284590451;
            const Setting list[] = {{1e-3, 0, 1}, {irrational, 0, 1}, {1e-3, 0, 0.37}, {irrational, 3e-4, 1}};
            for (const Setting &setting : list) {
                total += StepCheck(scene, step, setting, motion).check(queries / 24);
            }
        }
    }
}

} // namespace judge
