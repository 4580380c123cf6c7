// Where is the distance at most d? The nearest point of the polygon is a corner, the foot of the origin on a side, or its foot in the plane
// inside. Each of these features has a polynomial g in time, g <= 0 where the feature's point is within d, and conditions, all >= 0 where
// this point lies in the polygon. The distance is at most d exactly where some feature with a length (an area) has g <= 0 and all its
// conditions.
//
// A feature is cleared on an interval if g has no negative coefficient there, or some condition no positive one. An interval in which no
// feature is left is clear. Others are halved, and the distance at the middle is decided exactly. Where polynomials vanish with their
// features (an edge loses its length at some time), a bound helps: distance at the middle > d + speed * half of the width.
#include "proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "poly.h"

namespace judge {

namespace {

constexpr int max_depth = 3000;
constexpr long max_nodes = 100000;

struct Feature {
    Poly g, condition[4];
    int conditions = 0;
};

struct Features {
    Feature f[9];
    int count = 0;
};

struct VecPoly {
    Poly x[3];
};

Poly dot(const VecPoly &a, const VecPoly &b) {
    using namespace weighted;
    return add(add(mul(a.x[0], b.x[0]), mul(a.x[1], b.x[1])), mul(a.x[2], b.x[2]));
}

VecPoly cross(const VecPoly &a, const VecPoly &b) {
    using namespace weighted;
    VecPoly c;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        c.x[k] = sub(mul(a.x[i], b.x[j]), mul(a.x[j], b.x[i]));
    }
    return c;
}

VecPoly sum(const VecPoly &a, const VecPoly &b) {
    return {{weighted::add(a.x[0], b.x[0]), weighted::add(a.x[1], b.x[1]), weighted::add(a.x[2], b.x[2])}};
}

VecPoly difference(const VecPoly &a, const VecPoly &b) {
    return {{weighted::sub(a.x[0], b.x[0]), weighted::sub(a.x[1], b.x[1]), weighted::sub(a.x[2], b.x[2])}};
}

// a - dd b, where the degree of b is that of a less 2
Poly less(const Poly &a, const Z &dd, const Poly &b) {
    return weighted::unweighted(weighted::sub(a, weighted::scale(dd, weighted::raise(b))));
}

Poly one() {
    Poly p;
    p.c[0] = 1;
    return p;
}

// The conditions of a side add up to its squared length, those of a plane to the squared normal, or twice that. A feature that has no
// length or area at any time is none: lesser ones hold its points.
bool vanishes(const Feature &f) {
    for (int k = 0; f.conditions > 0 && k <= f.condition[0].n; k++) {
        Z size = 0;
        for (int i = 0; i < f.conditions; i++) {
            size += f.condition[i].c[k];
        }
        if (size != 0) {
            return false;
        }
    }
    return f.conditions > 0;
}

void build(const Polygon &from, const Polygon &to, Features &out) {
    const int n = from.n, sides = n > 2 ? n : n - 1;
    const Z dd = from.d * from.d;
    VecPoly w[4], moment[4], normal;
    out.count = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            w[i].x[k] = weighted::linear(from.w[i].x[k], to.w[i].x[k]);
        }
        Feature &f = out.f[out.count++];
        f.conditions = 0;
        f.g = less(dot(w[i], w[i]), dd, one());
    }
    for (int i = 0; i < sides; i++) {
        const VecPoly &a = w[i], &b = w[(i + 1) % n], e = difference(b, a);
        moment[i] = cross(a, b);
        normal = i == 0 ? moment[i] : sum(normal, moment[i]);
        Feature &f = out.f[out.count++];
        f.g = less(dot(moment[i], moment[i]), dd, dot(e, e));
        f.conditions = 2;
        f.condition[0] = weighted::unweighted(weighted::scale(-1, dot(a, e)));
        f.condition[1] = weighted::unweighted(dot(b, e));
        out.count -= vanishes(f);
    }
    if (n < 3) {
        return;
    }
    Feature &f = out.f[out.count++];
    const Poly height = dot(w[0], normal);
    f.g = less(weighted::mul(height, height), dd, dot(normal, normal));
    f.conditions = sides;
    for (int i = 0; i < sides; i++) {
        f.condition[i] = weighted::unweighted(dot(moment[i], normal));
    }
    out.count -= vanishes(f);
}

bool cleared(const Feature &f) {
    if (has_sign_inside(f.g, 1)) {
        return true;
    }
    for (int i = 0; i < f.conditions; i++) {
        if (has_sign_inside(f.condition[i], -1)) {
            return true;
        }
    }
    return false;
}

// The feature has a point within d, and a length or area, at the end of its interval.
bool contact_at_end(const Feature &f) {
    if (sgn(f.g.c[f.g.n]) > 0) {
        return false;
    }
    Z size = f.conditions == 0 ? 1 : 0;
    for (int i = 0; i < f.conditions; i++) {
        const Z &value = f.condition[i].c[f.condition[i].n];
        if (sgn(value) < 0) {
            return false;
        }
        size += value;
    }
    return sgn(size) > 0;
}

void halve(const Feature &f, Feature &left, Feature &right) {
    left.conditions = right.conditions = f.conditions;
    halve(f.g, left.g, right.g);
    for (int i = 0; i < f.conditions; i++) {
        halve(f.condition[i], left.condition[i], right.condition[i]);
    }
}

// The common unit of the polygons at two times is the finer one.
void interval(const Motion &motion, double a, double b, Polygon &from, Polygon &to) {
    Dyadic s(a), t(b);
    const long e = std::min({s.e, t.e, 0L});
    from = motion.at(Z(s.m << (s.e - e)), e);
    to = motion.at(Z(t.m << (t.e - e)), e);
}

// A search for contact in an open interval.
class Search {
public:
    Search(const Motion &motion, double a, double b, Effort &effort) : work(effort) {
        interval(motion, a, b, from, to);
        Z most = 0;
        for (int i = 0; i < from.n; i++) {
            const Vec move = to.w[i] - from.w[i];
            most = std::max(most, dot(move, move));
        }
        speed = sqrt(most) + 1;
    }
    // no: there is contact. open: the search was ended.
    Proof clear() {
        build(from, to, level(0));
        return visit(0, 0);
    }
    // yes: there is contact.
    Proof contact() {
        limit = 60;
        const Proof p = clear();
        if (p != Proof::open) {
            return p == Proof::yes ? Proof::no : Proof::yes;
        }
        limit = max_depth;
        Features whole;
        build(from, to, whole);
        for (int i = 0; i < whole.count; i++) {
            if (touches(whole.f[i], 0)) {
                return Proof::yes;
            }
        }
        const Proof deep = clear();
        return deep == Proof::open ? deep : deep == Proof::yes ? Proof::no : Proof::yes;
    }

private:
    Polygon from, to;
    Z speed;
    Effort &work;
    long nodes = 0;
    int limit = max_depth;
    std::vector<std::unique_ptr<Features>> levels;

    Features &level(int depth) {
        while (int(levels.size()) <= depth + 1) {
            levels.push_back(std::make_unique<Features>());
        }
        return *levels[depth];
    }

    Proof visit(int depth, const Z &index) {
        Features &here = level(depth);
        int kept = 0;
        for (int i = 0; i < here.count; i++) {
            if (!cleared(here.f[i])) {
                if (kept != i) {
                    std::swap(here.f[kept], here.f[i]);
                }
                kept++;
            }
        }
        here.count = kept;
        work.deepest = std::max(work.deepest, long(depth));
        work.nodes++;
        if (kept == 0) {
            return Proof::yes;
        }
        if (depth >= 10 && depth % 6 == 4 && far(depth, index)) {
            return Proof::yes;
        }
        if (++nodes > max_nodes || depth == limit) {
            return Proof::open;
        }
        return split(depth, index);
    }

    Proof split(int depth, const Z &index) {
        auto right = std::make_unique<Features>();
        {
            Features &here = level(depth), &left = level(depth + 1);
            left.count = right->count = here.count;
            for (int i = 0; i < here.count; i++) {
                halve(here.f[i], left.f[i], right->f[i]);
                if (contact_at_end(left.f[i])) {
                    return Proof::no;
                }
            }
        }
        const Proof p = visit(depth + 1, 2 * index);
        if (p != Proof::yes) {
            return p;
        }
        std::swap(levels[depth + 1], right);
        return visit(depth + 1, 2 * index + 1);
    }

    // The distance at the middle exceeds d by more than any corner moves in half of the interval.
    bool far(int depth, const Z &index) {
        Polygon middle;
        middle.n = from.n;
        for (int i = 0; i < from.n; i++) {
            for (int k = 0; k < 3; k++) {
                middle.w[i].x[k] = (from.w[i].x[k] << (depth + 1)) + (2 * index + 1) * (to.w[i].x[k] - from.w[i].x[k]);
            }
        }
        middle.d = (from.d << (depth + 1)) + speed;
        work.lipschitz++;
        return compare_distance(middle) > 0;
    }

    // g has a root inside the interval, where all conditions hold.
    bool touches(const Feature &f, int depth) {
        work.sturm++;
        if (depth > 200 || cleared(f) || !has_root(f.g)) {
            return false;
        }
        bool all = true;
        for (int i = 0; i < f.conditions; i++) {
            all = all && has_sign_inside(f.condition[i], 1);
        }
        if (all) {
            return true;
        }
        Feature left, right;
        halve(f, left, right);
        return contact_at_end(left) || touches(left, depth + 1) || touches(right, depth + 1);
    }

    static bool has_root(const Poly &g) {
        bool zero = true;
        for (int i = 0; i <= g.n; i++) {
            zero = zero && g.c[i] == 0;
        }
        return !zero && roots_inside(g) > 0;
    }
};

Proof start_is_right(const Norm &norm, const Motion &motion, const ccd_impact &answer, std::string &why) {
    const bool within = norm.compare(motion.at(0.0)) <= 0;
    if (within != bool(answer.flags & CCD_INITIAL_CONTACT)) {
        why = within ? "no CCD_INITIAL_CONTACT at a start within d" : "CCD_INITIAL_CONTACT at a start beyond d";
        return Proof::no;
    }
    if (within && (answer.verdict != CCD_CONTACT || answer.toi_lo != 0 || answer.toi_hi != 0)) {
        why = "the start is within d, but the answer is not contact in [0, 0]";
        return Proof::no;
    }
    return Proof::yes;
}

// Nothing comes within d before t.
Proof safe_before(const Norm &norm, const Motion &motion, double t, Effort &effort, std::string &why) {
    const Proof p = norm.clear(motion, 0, t, effort);
    if (p == Proof::no) {
        why = "there is contact earlier";
    } else if (p == Proof::open) {
        why = "not proven: no contact earlier";
    }
    return p;
}

Proof separate_is_right(const Norm &norm, const Motion &motion, const Query &query, const ccd_impact &answer,
                        Effort &effort, std::string &why) {
    const double inf = std::numeric_limits<double>::infinity();
    if (answer.toi_lo != inf || answer.toi_hi != inf) {
        why = "separate with a finite time";
        return Proof::no;
    }
    if (norm.compare(motion.at(query.t_max)) <= 0) {
        why = "separate, but the distance at t_max is at most d";
        return Proof::no;
    }
    return query.t_max > 0 ? safe_before(norm, motion, query.t_max, effort, why) : Proof::yes;
}

Proof double_is_right(const Norm &norm, const Motion &motion, double t, Effort &effort, std::string &why) {
    if (norm.compare(motion.at(t)) != 0) {
        why = "toi_lo = toi_hi > 0, but the distance there is not d";
        return Proof::no;
    }
    return safe_before(norm, motion, t, effort, why);
}

Proof gap_is_right(const Norm &norm, const Motion &motion, double lo, double hi, Effort &effort, std::string &why) {
    if (norm.compare(motion.at(lo)) <= 0) {
        why = "the distance at toi_lo is at most d, but toi_hi is another double";
        return Proof::no;
    }
    const Proof before = lo > 0 ? safe_before(norm, motion, lo, effort, why) : Proof::yes;
    if (before != Proof::yes || norm.compare(motion.at(hi)) < 0) {
        return before;
    }
    const Proof inside = norm.contact(motion, lo, hi, effort);
    if (inside != Proof::yes) {
        why =
            inside == Proof::no ? "no contact between toi_lo and toi_hi" : "not proven: contact between toi_lo and toi_hi";
    }
    return inside;
}

} // namespace

Proof clear_between(const Motion &motion, double a, double b, Effort &effort) {
    return Search(motion, a, b, effort).clear();
}

Proof contact_between(const Motion &motion, double a, double b, Effort &effort) {
    return Search(motion, a, b, effort).contact();
}

Proof times_are_right(const Norm &norm, const Motion &motion, const Query &query, const ccd_impact &answer, Effort &effort,
                      std::string &why) {
    const Proof start = start_is_right(norm, motion, answer, why);
    if (start != Proof::yes || (answer.flags & CCD_INITIAL_CONTACT)) {
        return start;
    }
    if (answer.verdict == CCD_SEPARATE) {
        return separate_is_right(norm, motion, query, answer, effort, why);
    }
    const double lo = answer.toi_lo, hi = answer.toi_hi;
    const bool ordered = answer.verdict == CCD_CONTACT && lo >= 0 && hi <= query.t_max;
    if (!ordered || (hi != lo && hi != std::nextafter(lo, 2.0))) {
        why = answer.verdict == CCD_CONTACT ? "toi_lo and toi_hi are not neighbors in [0, t_max]" : "undecided";
        return Proof::no;
    }
    return hi == lo ? double_is_right(norm, motion, lo, effort, why) : gap_is_right(norm, motion, lo, hi, effort, why);
}

} // namespace judge
