#include "contact.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace judge {

namespace {

using F = mpf_class;
constexpr int precision = 320; // bits; an eps is at least 2^-52 of the lengths it is compared with
constexpr double unit_roundoff = 0x1p-53;

F real(const Z &m, long e) {
    F x(m, precision);
    if (e >= 0) {
        mpf_mul_2exp(x.get_mpf_t(), x.get_mpf_t(), e);
    } else {
        mpf_div_2exp(x.get_mpf_t(), x.get_mpf_t(), -e);
    }
    return x;
}

F real(double x) {
    const Dyadic d(x);
    return real(d.m, d.e);
}

struct Real3 {
    F x[3];
};

Real3 real(const Vec &v, long unit) { return {{real(v.x[0], unit), real(v.x[1], unit), real(v.x[2], unit)}}; }
F dot(const Real3 &a, const Real3 &b) { return F(a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2], precision); }
F length(const Real3 &a) { return sqrt(dot(a, a)); }

F largest(const Real3 &a) { return std::max({F(abs(a.x[0])), F(abs(a.x[1])), F(abs(a.x[2]))}); }

// Integer vectors in units of 2^unit.
struct Exact {
    Vec v;
    long unit;
};

// a + u (b - a), u a double
Exact between(const Exact &a, const Exact &b, double u) {
    const Dyadic k(u);
    const long e = std::min(k.e, 0L), unit = std::min(a.unit, b.unit);
    const Vec p = Z(Z(1) << (a.unit - unit)) * a.v, q = Z(Z(1) << (b.unit - unit)) * b.v;
    return {Z(Z(1) << -e) * p + Z(k.m << (k.e - e)) * (q - p), unit + e};
}

Exact from_doubles(const double *x) {
    Dyadic c[3];
    long unit = LONG_MAX;
    for (int k = 0; k < 3; k++) {
        c[k] = Dyadic(x[k]);
        unit = c[k].m != 0 ? std::min(unit, c[k].e) : unit;
    }
    unit = unit == LONG_MAX ? 0 : unit;
    Exact out{{}, unit};
    for (int k = 0; k < 3; k++) {
        out.v.x[k] = c[k].m == 0 ? Z(0) : Z(c[k].m << (c[k].e - unit));
    }
    return out;
}

Exact minus(const Exact &a, const Exact &b) {
    const long unit = std::min(a.unit, b.unit);
    return {Z(Z(1) << (a.unit - unit)) * a.v - Z(Z(1) << (b.unit - unit)) * b.v, unit};
}

// The two points in contact at the time t.
struct Pair {
    Exact a, b;
};

Pair points_at(const Query &query, double t, double u, double v) {
    const int n = points(query.kind);
    Exact p[4];
    for (int i = 0; i < n; i++) {
        p[i] = between(from_doubles(query.q + 3 * i), from_doubles(query.q + 3 * (n + i)), t);
    }
    switch (query.kind) {
    case CCD_VERTEX_FACE: { // f0 + u (f1 - f0) + v (f2 - f0)
        const Exact along = between(p[1], p[2], u), side = minus(between(p[1], p[3], v), p[1]);
        const Exact zero{{}, 0};
        return {p[0], minus(along, minus(zero, side))};
    }
    case CCD_EDGE_EDGE:
        return {between(p[0], p[1], u), between(p[2], p[3], v)};
    case CCD_POINT_EDGE:
        return {p[0], between(p[1], p[2], u)};
    default:
        return {p[0], p[1]};
    }
}

// eps of docs/numerics.md, not rounded down.
double error_bound(const Query &query) {
    const int n = points(query.kind);
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double largest[3] = {0, 0, 0};
        for (int end = 0; end < 2; end++) {
            const double *x = query.q + 3 * n * end + k;
            double term[3] = {0, 0, 0};
            switch (query.kind) {
            case CCD_VERTEX_FACE:
                term[0] = x[0] - x[3], term[1] = x[3] - x[6], term[2] = x[3] - x[9];
                break;
            case CCD_EDGE_EDGE:
                term[0] = x[0] - x[6], term[1] = x[3] - x[0], term[2] = x[6] - x[9];
                break;
            case CCD_POINT_EDGE:
                term[0] = x[0] - x[3], term[1] = x[3] - x[6];
                break;
            default:
                term[0] = x[0] - x[3];
            }
            for (int i = 0; i < 3; i++) {
                largest[i] = std::max(largest[i], std::fabs(term[i]));
            }
        }
        most = std::max(most, largest[0] + largest[1] + largest[2]);
    }
    return 16 * unit_roundoff * most * (1 + 0x1p-50) + 16 * 0x1p-1074;
}

bool in_domain(const Query &query, double u, double v) {
    const bool square = u >= 0 && u <= 1 && v >= 0 && v <= 1;
    switch (query.kind) {
    case CCD_VERTEX_FACE:
        return square && v <= 1 - u;
    case CCD_EDGE_EDGE:
        return square;
    case CCD_POINT_EDGE:
        return square && v == 0;
    default:
        return u == 0 && v == 0;
    }
}

// Where nearest points are many, at a time: B and C are parallel, or one of them is 0, and F has its least length on a segment of u, v.
// The middle of it. Needs B or C other than 0. Returns false where the nearest point is unique.
bool middle_of_nearest(const Query &query, const Polygon &p, double &u, double &v) {
    if (query.kind != CCD_VERTEX_FACE && query.kind != CCD_EDGE_EDGE) {
        return false;
    }
    const bool face = query.kind == CCD_VERTEX_FACE;
    const Vec b = p.w[1] - p.w[0], c = (face ? p.w[2] : p.w[3]) - p.w[0], n = cross(b, c);
    if (dot(n, n) != 0) {
        return false;
    }
    const Vec axis = dot(b, b) != 0 ? b : c;
    if (dot(axis, axis) == 0) {
        return false;
    }
    // s = A.axis + u B.axis + v C.axis at the corners of the domain; nearest is where |s| is least
    const int count = face ? 3 : 4;
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, triangle[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    mpq_class s[4];
    int low = 0, high = 0;
    for (int i = 0; i < count; i++) {
        s[i] = dot(p.w[i], axis);
        low = s[i] < s[low] ? i : low;
        high = s[i] > s[high] ? i : high;
    }
    const mpq_class level = s[low] > 0 ? s[low] : s[high] < 0 ? s[high] : mpq_class(0);
    mpq_class least[2] = {2, 2}, most[2] = {-1, -1};
    const auto take = [&](const mpq_class &x, const mpq_class &y) {
        least[0] = std::min(least[0], x), most[0] = std::max(most[0], x);
        least[1] = std::min(least[1], y), most[1] = std::max(most[1], y);
    };
    for (int i = 0; i < count; i++) {
        const int j = (i + 1) % count;
        const int *x = face ? triangle[i] : corner[i], *y = face ? triangle[j] : corner[j];
        if (s[i] == level) {
            take(x[0], x[1]);
        }
        if ((s[i] < level && level < s[j]) || (s[j] < level && level < s[i])) {
            const mpq_class k = (level - s[i]) / (s[j] - s[i]);
            take(x[0] + k * (y[0] - x[0]), x[1] + k * (y[1] - x[1]));
        }
    }
    u = mpq_class((least[0] + most[0]) / 2).get_d();
    v = mpq_class((least[1] + most[1]) / 2).get_d();
    return least[0] != most[0] || least[1] != most[1];
}

// In units of eps, with the lengths of B and C.
double off_middle(const Polygon &p, const Query &query, double du, double dv, double eps) {
    const Vec b = p.w[1] - p.w[0], c = (query.kind == CCD_VERTEX_FACE ? p.w[2] : p.w[3]) - p.w[0];
    const F x = real(std::fabs(du)) * length(real(b, p.unit)), y = real(std::fabs(dv)) * length(real(c, p.unit));
    return F(std::max(x, y) / real(eps)).get_d();
}

bool points_are_right(const Query &query, const ccd_impact &answer, int norm, const Polygon &at_hi, double eps,
                      ContactData &data, std::string &why, Real3 &difference) {
    const Pair pair = points_at(query, answer.toi_hi, answer.u, answer.v);
    const Exact f = minus(pair.a, pair.b);
    difference = real(f.v, f.unit);
    if (norm == CCD_NORM_MAX) {
        const F most = largest(difference), slack = 0x1p-42 * (real(eps) * 0x1p49 + real(query.d)); // 2^-42 (S + d)
        why = most > real(query.d) + slack ? "the points at toi_hi are farther apart than d + 2^-42 (S + d)" : "";
        return why.empty();
    }
    const F far = length(difference), bound = real(eps);
    const Fraction squared = squared_distance(at_hi);
    const F ratio(real(squared.num, 2 * at_hi.unit) / F(squared.den, precision), precision);
    const F distance = sqrt(ratio);
    data.excess = F((far - real(query.d)) / bound).get_d();
    data.farther = F((far - distance) / bound).get_d();
    double u, v;
    if (middle_of_nearest(query, at_hi, u, v)) {
        data.many = true;
        data.off_middle = off_middle(at_hi, query, answer.u - u, answer.v - v, eps);
    }
    if (data.excess > 2) {
        why = "the points at toi_hi are farther apart than d + 2 eps: by " + std::to_string(data.excess) + " eps";
    } else if (data.farther > 2) {
        why = "the points at toi_hi are not nearest points: farther by " + std::to_string(data.farther) + " eps";
    } else if (data.off_middle > 2) {
        why = "the points at toi_hi are not in the middle of the nearest ones";
    }
    return why.empty();
}

// dF/dt at u, v, and the largest speed of a point.
Real3 velocity(const Query &query, const ccd_impact &answer, F &fastest) {
    const Pair from = points_at(query, 0, answer.u, answer.v), to = points_at(query, 1, answer.u, answer.v);
    const Exact w = minus(minus(to.a, to.b), minus(from.a, from.b));
    fastest = 0;
    const int n = points(query.kind);
    for (int i = 0; i < n; i++) {
        const Exact move = minus(from_doubles(query.q + 3 * (n + i)), from_doubles(query.q + 3 * i));
        fastest += length(real(move.v, move.unit));
    }
    return real(w.v, w.unit);
}

// Along p_a - p_b where it exceeds 5 eps on some axis, against the motion where it is below 3.4 eps on each; between them either.
bool normal_is_right(const Query &query, const ccd_impact &answer, const Real3 &difference, double eps, ContactData &data,
                     std::string &why) {
    const Real3 n{{real(answer.normal[0]), real(answer.normal[1]), real(answer.normal[2])}};
    const F unit = length(n);
    if (abs(unit - 1) > 0x1p-50) {
        why = "the normal is not a unit vector";
        return false;
    }
    const F most = largest(difference);
    F fastest(0, precision);
    const Real3 motion = velocity(query, answer, fastest);
    const bool against = dot(n, motion) <= 0x1p-39 * fastest;
    data.coincident = most <= 5 * real(eps);
    if (data.coincident && against) {
        return true;
    }
    if (most <= 3.4 * real(eps)) {
        why = "the points coincide, and the normal is not against their motion";
        return false;
    }
    const F along(dot(n, difference) / (unit * unit), precision);
    Real3 across;
    for (int k = 0; k < 3; k++) {
        across.x[k] = F(difference.x[k] - along * n.x[k], precision);
    }
    data.slant = F(length(across) / real(eps)).get_d();
    if (along <= 0) {
        why = "the normal does not point from b to a";
    } else if (data.slant > 8) {
        why = "the normal is not along p_a - p_b at toi_hi";
    }
    return why.empty();
}

bool point_is_right(const Query &query, const ccd_impact &answer, ContactData &data, std::string &why) {
    const Pair pair = points_at(query, answer.toi_lo, answer.u, answer.v);
    const bool on_b = query.kind == CCD_VERTEX_FACE || query.kind == CCD_POINT_EDGE;
    const Exact place = on_b ? pair.b : between(pair.a, pair.b, 0.5);
    const int n = points(query.kind);
    for (int k = 0; k < 3; k++) {
        double most = 0;
        for (int i = 0; i < 2 * n; i++) {
            most = std::max(most, std::fabs(query.q[3 * i + k]));
        }
        const F error = abs(real(answer.point[k]) - real(place.v.x[k], place.unit));
        const double allowed = unit_roundoff * most + 0x1p-1074;
        data.point = std::max(data.point, F(error / real(allowed)).get_d());
    }
    if (data.point > 20) {
        why = "the point is off by more than 20 roundings";
    }
    return why.empty();
}

} // namespace

bool contact_is_right(const Query &query, const ccd_impact &answer, int norm, ContactData &data, std::string &why) {
    const double numbers[] = {answer.u,         answer.v,         answer.point[0],  answer.point[1], answer.point[2],
                              answer.normal[0], answer.normal[1], answer.normal[2], answer.width};
    for (const double x : numbers) {
        if (!std::isfinite(x)) {
            why = "a number is not finite";
            return false;
        }
    }
    if (answer.width < 0) {
        why = "the width is negative";
        return false;
    }
    if (!in_domain(query, answer.u, answer.v)) {
        why = "u, v lie outside the domain";
        return false;
    }
    const double eps = error_bound(query);
    Real3 difference;
    const Polygon at_hi = Motion(query).at(answer.toi_hi);
    return points_are_right(query, answer, norm, at_hi, eps, data, why, difference) &&
           normal_is_right(query, answer, difference, eps, data, why) && point_is_right(query, answer, data, why);
}

} // namespace judge
