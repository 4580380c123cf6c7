// The max norm: the distance is at most d where the polygon meets the cube of half-width d. They are apart exactly where one of these
// axes separates them: an axis of the cube, the normal of the polygon, a side of the polygon times an axis of the cube.
//
// In an interval of time each axis is a polynomial, and so is what each corner of the polygon keeps from each corner of the cube along it.
// An interval is clear if one axis keeps all of it positive. Others are halved, and the middle is decided exactly.
#include <algorithm>

#include "poly.h"
#include "proof.h"

namespace judge {

namespace {

constexpr int max_depth = 120;
constexpr long max_nodes = 4000;

struct VecPoly {
    Poly x[3];
};

// Corners that move from one place to another, as polynomials, and the half-width.
struct Moving {
    int n, sides;
    VecPoly w[4];
    Poly half; // d, of degree 0
};

Poly constant(const Z &k) {
    Poly p;
    p.c[0] = k;
    return p;
}

Moving moving(const Polygon &from, const Polygon &to) {
    Moving m;
    m.n = from.n;
    m.sides = m.n > 2 ? m.n : m.n - 1;
    for (int i = 0; i < m.n; i++) {
        for (int k = 0; k < 3; k++) {
            m.w[i].x[k] = weighted::linear(from.w[i].x[k], to.w[i].x[k]);
        }
    }
    m.half = constant(from.d);
    return m;
}

VecPoly side(const Moving &m, int i) {
    VecPoly e;
    for (int k = 0; k < 3; k++) {
        e.x[k] = weighted::sub(m.w[(i + 1) % m.n].x[k], m.w[i].x[k]);
    }
    return e;
}

// Calls test(axis) for each axis, sign included, until one returns true.
template <class Test> bool any_axis(const Moving &m, Test test) {
    const Poly zero = constant(0), one = constant(1), minus = constant(-1);
    for (const Poly *s : {&one, &minus}) {
        for (int k = 0; k < 3; k++) {
            VecPoly a{{zero, zero, zero}};
            a.x[k] = *s;
            if (test(a)) {
                return true;
            }
        }
        for (int i = 0; i < m.sides; i++) {
            const VecPoly e = side(m, i);
            for (int k = 0; k < 3; k++) {
                const int u = (k + 1) % 3, v = (k + 2) % 3;
                VecPoly a;
                a.x[k] = weighted::sub(e.x[k], e.x[k]); // 0, of the same degree
                a.x[u] = weighted::mul(*s, e.x[v]);
                a.x[v] = weighted::sub(a.x[k], weighted::mul(*s, e.x[u]));
                if (test(a)) {
                    return true;
                }
            }
        }
        if (m.n > 2) {
            const VecPoly b = side(m, 0), c = side(m, 1);
            VecPoly a;
            for (int k = 0; k < 3; k++) {
                const int u = (k + 1) % 3, v = (k + 2) % 3;
                a.x[k] = weighted::mul(*s, weighted::sub(weighted::mul(b.x[u], c.x[v]), weighted::mul(b.x[v], c.x[u])));
            }
            if (test(a)) {
                return true;
            }
        }
    }
    return false;
}

// What corner i of the polygon keeps from the corner of the cube with the given signs, along the axis.
Poly gap(const Moving &m, const VecPoly &axis, int i, int signs) {
    using namespace weighted;
    Poly sum;
    for (int k = 0; k < 3; k++) {
        const Poly half = m.half; // the corner of the cube is constant in time: raise it to degree 1
        Poly reach = linear(half.c[0], half.c[0]);
        if (signs >> k & 1) {
            reach = scale(-1, reach);
        }
        const Poly term = mul(axis.x[k], sub(m.w[i].x[k], reach));
        sum = k == 0 ? term : add(sum, term);
    }
    return unweighted(sum);
}

template <class Good> bool keeps(const Moving &m, const VecPoly &axis, Good good) {
    for (int i = 0; i < m.n; i++) {
        for (int signs = 0; signs < 8; signs++) {
            if (!good(gap(m, axis, i, signs))) {
                return false;
            }
        }
    }
    return true;
}

bool separated_between(const Polygon &from, const Polygon &to) {
    const Moving m = moving(from, to);
    return any_axis(
        m, [&](const VecPoly &axis) { return keeps(m, axis, [](const Poly &p) { return has_sign_inside(p, 1); }); });
}

bool vanishes(const VecPoly &axis) {
    return std::all_of(axis.x, axis.x + 3, [](const Poly &p) { return p.c[0] == 0; });
}

// An exact search, as Search in proof.cpp, that computes each interval from the ends of the whole.
class Search {
public:
    Search(const Motion &motion, double a, double b, Effort &effort) : work(effort) {
        const Dyadic s(a), t(b);
        const long e = std::min({s.e, t.e, 0L});
        from = motion.at(Z(s.m << (s.e - e)), e);
        to = motion.at(Z(t.m << (t.e - e)), e);
    }
    Proof visit(int depth, const Z &index) {
        work.nodes++;
        work.deepest = std::max(work.deepest, long(depth));
        if (separated_between(at(depth, index), at(depth, index + 1))) {
            return Proof::yes;
        }
        if (++nodes > max_nodes || depth == max_depth) {
            return Proof::open;
        }
        if (compare_max_norm(at(depth + 1, 2 * index + 1)) <= 0) {
            return Proof::no;
        }
        const Proof left = visit(depth + 1, 2 * index);
        return left == Proof::yes ? visit(depth + 1, 2 * index + 1) : left;
    }

private:
    Polygon from, to;
    Effort &work;
    long nodes = 0;

    // The polygon at index * 2^-depth of the interval, in units of 2^-depth.
    Polygon at(int depth, const Z &index) const {
        Polygon p;
        p.n = from.n;
        p.d = from.d << depth;
        for (int i = 0; i < p.n; i++) {
            for (int k = 0; k < 3; k++) {
                p.w[i].x[k] = (from.w[i].x[k] << depth) + index * (to.w[i].x[k] - from.w[i].x[k]);
            }
        }
        return p;
    }
};

} // namespace

int compare_max_norm(const Polygon &p) {
    const Moving m = moving(p, p);
    const auto apart = [&](int least) {
        return any_axis(m, [&](const VecPoly &axis) {
            return !vanishes(axis) && keeps(m, axis, [&](const Poly &g) { return sgn(g.c[0]) >= least; });
        });
    };
    return apart(1) ? 1 : apart(0) ? 0 : -1;
}

Proof clear_max_norm(const Motion &motion, double a, double b, Effort &effort) {
    return Search(motion, a, b, effort).visit(0, 0);
}

Proof contact_max_norm(const Motion &motion, double a, double b, Effort &effort) {
    const Proof p = Search(motion, a, b, effort).visit(0, 0);
    return p == Proof::open ? p : p == Proof::yes ? Proof::no : Proof::yes;
}

} // namespace judge
