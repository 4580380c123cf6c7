#include "exact.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace judge {

Vec operator+(const Vec &a, const Vec &b) { return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}}; }
Vec operator-(const Vec &a, const Vec &b) { return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}}; }
Vec operator*(const Z &k, const Vec &a) { return {{k * a.x[0], k * a.x[1], k * a.x[2]}}; }
Vec cross(const Vec &a, const Vec &b) {
    return {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
Z dot(const Vec &a, const Vec &b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }

Dyadic::Dyadic(double x) {
    if (x == 0) {
        return;
    }
    int power;
    m = std::frexp(x, &power) * 9007199254740992.0; // 2^53 times the fraction is an integer
    e = power - 53;
    const unsigned long zeros = mpz_scan1(m.get_mpz_t(), 0);
    m >>= zeros;
    e += long(zeros);
}

Motion::Motion(const Query &query) : kind(query.kind), n(corners(query.kind)) {
    const int count = points(kind);
    Dyadic c[2][4][3], length(query.d);
    unit = length.m != 0 ? length.e : LONG_MAX;
    for (int k = 0; k < 6 * count; k++) {
        Dyadic &x = c[k / (3 * count)][k / 3 % count][k % 3];
        x = Dyadic(query.q[k]);
        unit = x.m != 0 ? std::min(unit, x.e) : unit;
    }
    unit = unit == LONG_MAX ? 0 : unit;
    d = length.m == 0 ? Z(0) : Z(length.m << (length.e - unit));
    Vec p[2][4];
    for (int k = 0; k < 6 * count; k++) {
        const Dyadic &x = c[k / (3 * count)][k / 3 % count][k % 3];
        p[k / (3 * count)][k / 3 % count].x[k % 3] = x.m == 0 ? Z(0) : Z(x.m << (x.e - unit));
    }
    static const int first[4][4] = {{0, 0, 0}, {0, 1, 1, 0}, {0, 0}, {0}};
    static const int second[4][4] = {{1, 2, 3}, {2, 2, 3, 3}, {1, 2}, {1}};
    for (int i = 0; i < n; i++) {
        start[i] = p[0][first[kind - 1][i]] - p[0][second[kind - 1][i]];
        speed[i] = p[1][first[kind - 1][i]] - p[1][second[kind - 1][i]] - start[i];
    }
}

Polygon Motion::at(const Z &m, long e) const {
    Polygon p;
    p.n = n;
    p.unit = unit + e;
    p.d = d << -e;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            p.w[i].x[k] = (start[i].x[k] << -e) + m * speed[i].x[k];
        }
    }
    return p;
}

Polygon Motion::at(double t) const {
    const Dyadic x(t);
    return x.e > 0 ? at(Z(x.m << x.e), 0) : at(x.m, x.e);
}

namespace {

// The candidates for the nearest point: corners; the foot on a side; the foot in the plane. visit(num, den) gets the squared distance of
// each candidate that lies in the polygon. The nearest point is one of them.
template <class Visit> void candidates(const Polygon &p, Visit visit) {
    const Z one = 1;
    for (int i = 0; i < p.n; i++) {
        visit(dot(p.w[i], p.w[i]), one);
    }
    const int sides = p.n > 2 ? p.n : p.n - 1;
    Vec moment[4], normal;
    for (int i = 0; i < sides; i++) {
        const Vec &a = p.w[i], &b = p.w[(i + 1) % p.n], e = b - a;
        moment[i] = cross(a, b);
        normal = normal + moment[i];
        const Z ee = dot(e, e);
        if (ee > 0 && dot(a, e) <= 0 && dot(b, e) >= 0) {
            visit(dot(moment[i], moment[i]), ee);
        }
    }
    const Z nn = dot(normal, normal);
    if (p.n < 3 || nn == 0) {
        return;
    }
    for (int i = 0; i < sides; i++) {
        if (dot(moment[i], normal) < 0) {
            return;
        }
    }
    const Z height = dot(p.w[0], normal);
    visit(height * height, nn);
}

} // namespace

Fraction squared_distance(const Polygon &p) {
    Fraction best{-1, 1};
    candidates(p, [&](const Z &num, const Z &den) {
        if (best.num < 0 || num * best.den < best.num * den) {
            best = {num, den};
        }
    });
    return best;
}

int compare_distance(const Polygon &p) {
    const Z dd = p.d * p.d;
    int least = 1;
    candidates(p, [&](const Z &num, const Z &den) { least = std::min(least, sgn(Z(num - dd * den))); });
    return least;
}

} // namespace judge
