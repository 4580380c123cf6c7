#include "parts.h"

#include <algorithm>
#include <cmath>

namespace judge {

std::uint64_t Random::bits() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
double Random::unit() { return double(bits() >> 11) * 0x1p-53; }
double Random::power(double a, double b) { return std::pow(10.0, real(a, b)); }

double *at(Query &q, int end, int i) { return q.q + 3 * (points(q.kind) * end + i); }

void any_kind(Random &r, Query &q) {
    const int k = r.whole(0, 19);
    q.kind = k < 7 ? CCD_VERTEX_FACE : k < 14 ? CCD_EDGE_EDGE : k < 17 ? CCD_POINT_EDGE : CCD_POINT_POINT;
}
void surface_kind(Random &r, Query &q) { q.kind = r.chance(0.5) ? CCD_VERTEX_FACE : CCD_EDGE_EDGE; }

void fill(Random &r, Query &q, double size) {
    for (int k = 0; k < 6 * points(q.kind); k++) {
        q.q[k] = r.real(-size, size);
    }
}
void fill_whole(Random &r, Query &q, int size, double unit) {
    for (int k = 0; k < 6 * points(q.kind); k++) {
        q.q[k] = unit * r.whole(-size, size);
    }
}

bool of_a(const Query &q, int i) { return i == 0 || (i == 1 && q.kind == CCD_EDGE_EDGE); }

// Parameters in the domain: often on its border.
void place(Random &r, const Query &q, double &u, double &v) {
    const auto one = [&] { return r.chance(0.2) ? 0.0 : r.chance(0.2) ? 1.0 : r.chance(0.1) ? 0.5 : r.unit(); };
    u = q.kind == CCD_POINT_POINT ? 0 : one();
    v = q.kind == CCD_POINT_POINT || q.kind == CCD_POINT_EDGE ? 0 : one();
    if (q.kind == CCD_VERTEX_FACE && u + v > 1) {
        v = 1 - u;
    }
}

static void weights(const Query &q, double u, double v, double w[4]) {
    const double vf[4] = {1, -(1 - u - v), -u, -v}, ee[4] = {1 - u, u, -(1 - v), -v}, pe[4] = {1, -(1 - u), -u, 0},
                 pp[4] = {1, -1, 0, 0};
    const double *from = q.kind == CCD_VERTEX_FACE ? vf : q.kind == CCD_EDGE_EDGE ? ee : q.kind == CCD_POINT_EDGE ? pe : pp;
    std::copy_n(from, 4, w);
}

// Move a so that p_a - p_b at t is about `target`, for u, v on the primitives.
void aim_at(Query &q, double t, double u, double v, const double target[3]) {
    double w[4];
    weights(q, u, v, w);
    for (int k = 0; k < 3; k++) {
        double f = 0;
        for (int i = 0; i < points(q.kind); i++) {
            f += w[i] * (at(q, 0, i)[k] + t * (at(q, 1, i)[k] - at(q, 0, i)[k]));
        }
        for (int i = 0; i < points(q.kind); i++) {
            if (of_a(q, i)) {
                at(q, 0, i)[k] += target[k] - f;
                at(q, 1, i)[k] += target[k] - f;
            }
        }
    }
}
void aim(Random &r, Query &q, double size) {
    double u, v, target[3];
    place(r, q, u, v);
    for (double &x : target) {
        x = r.chance(0.3) ? 0 : size * r.real(-1, 1);
    }
    aim_at(q, r.unit(), u, v, target);
}

double some_d(Random &r, double size) {
    switch (r.whole(0, 5)) {
    case 0:
        return size * 1e-3;
    case 1:
        return size * 1e-2;
    case 2:
        return size * std::sqrt(2) / 64;
    case 3:
        return size * std::ldexp(1.0, r.whole(-20, -2));
    default:
        return size * r.power(-6, -0.3);
    }
}

void scale_all(Query &q, double k) {
    for (double &x : q.q) {
        x *= k;
    }
    q.d *= k;
}

double ulps(double x, int n) {
    for (; n > 0; n--) {
        x = std::nextafter(x, INFINITY);
    }
    for (; n < 0; n++) {
        x = std::nextafter(x, 0);
    }
    return x;
}

Pythagorean pythagorean(Random &r) {
    static const int list[][4] = {{1, 0, 0, 1},   {0, 0, 2, 2},   {3, 4, 0, 5},    {1, 2, 2, 3},  {2, 3, 6, 7},
                                  {1, 4, 8, 9},   {4, 4, 7, 9},   {5, 12, 0, 13},  {2, 6, 9, 11}, {6, 6, 7, 11},
                                  {2, 5, 14, 15}, {8, 9, 12, 17}, {1, 12, 12, 17}, {8, 15, 0, 17}};
    const int *p = list[r.whole(0, 13)];
    const int turn = r.whole(0, 2);
    Pythagorean out;
    for (int k = 0; k < 3; k++) {
        out.x[k] = p[(k + turn) % 3] * (r.chance(0.5) ? 1 : -1);
    }
    out.length = p[3];
    return out;
}

void cross(const int a[3], const int b[3], int out[3]) {
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

// Place the points so that at the time of F = p the nearest points are a's first point and b's first (feature 0), or lie on a side of b
// (feature 1) or between two edges or inside a face (feature 2): everything else is beyond the planes through them across p. Integers.
void around(Random &r, Query &q, const int p[3], const int start[3], const int end[3], int feature) {
    int side[3], other[3];
    const int some[3] = {r.whole(-3, 3), r.whole(-3, 3), r.whole(1, 4)};
    cross(p, some, side);
    cross(p, side, other);
    const auto put = [&](int i, int along, int across, int back, bool a) {
        for (int k = 0; k < 3; k++) {
            const int base = along * side[k] + across * other[k] + back * p[k];
            at(q, 0, i)[k] = a ? base + start[k] : base;
            at(q, 1, i)[k] = a ? base + end[k] : base;
        }
    };
    const int back = feature == 2 ? 0 : -r.whole(1, 3), n = r.whole(1, 3);
    switch (q.kind) {
    case CCD_VERTEX_FACE:
        put(0, 0, 0, 0, true);
        put(1, feature == 0 ? 0 : -n, feature == 2 ? -1 : 0, 0, false);
        put(2, feature == 0 ? -1 : n, feature == 2 ? -1 : 0, feature == 0 ? back : 0, false);
        put(3, r.whole(-2, 2), n, back, false);
        break;
    case CCD_EDGE_EDGE:
        put(0, feature == 2 ? -n : 0, 0, 0, true);
        put(1, n, r.whole(-1, 1) * (feature != 2), feature == 2 ? 0 : r.whole(1, 3), true);
        put(2, 0, feature == 0 ? 0 : -n, 0, false);
        put(3, 0, r.whole(1, 3), feature == 0 ? back : 0, false);
        break;
    case CCD_POINT_EDGE:
        put(0, 0, 0, 0, true);
        put(1, feature == 0 ? 0 : -n, 0, 0, false);
        put(2, n, 0, feature == 0 ? back : 0, false);
        break;
    default:
        put(0, 0, 0, 0, true);
        put(1, 0, 0, 0, false);
    }
}

static long double point_distance(const long double w[4][3], int n) {
    // the least |sum of weights w|: coordinate descent over the domain is enough to aim with
    long double best = INFINITY;
    const auto length = [&](long double u, long double v) {
        long double s = 0;
        for (int k = 0; k < 3; k++) {
            const long double f =
                w[0][k] + u * (n > 1 ? w[1][k] - w[0][k] : 0) + v * (n > 2 ? w[n == 3 ? 2 : 3][k] - w[0][k] : 0);
            s += f * f;
        }
        return std::sqrt(s);
    };
    const auto dot = [&](int i, int j, int k, int l) {
        long double s = 0;
        for (int x = 0; x < 3; x++) {
            s += (w[i][x] - (j < 0 ? 0 : w[j][x])) * (w[k][x] - (l < 0 ? 0 : w[l][x]));
        }
        return s;
    };
    const auto clamp = [](long double x) { return x < 0 ? 0 : x > 1 ? 1 : x; };
    const int last = n == 3 ? 2 : 3;
    if (n == 1) {
        return length(0, 0);
    }
    const auto foot = [&](int i, int j) { return clamp(-dot(i, -1, j, i) / dot(j, i, j, i)); };
    best = std::min(best, length(foot(0, 1), 0));
    if (n > 2) {
        best = std::min(best, length(0, foot(0, last)));
        if (n == 3) {
            const long double s = foot(1, 2);
            best = std::min(best, length(1 - s, s));
        } else {
            best = std::min(best, length(1, foot(1, 2)));
            best = std::min(best, length(foot(3, 2), 1));
        }
        const long double bb = dot(1, 0, 1, 0), cc = dot(last, 0, last, 0), bc = dot(1, 0, last, 0), ab = dot(0, -1, 1, 0),
                          ac = dot(0, -1, last, 0), det = bb * cc - bc * bc;
        const long double u = (bc * ac - cc * ab) / det, v = (bc * ab - bb * ac) / det;
        if (det > 0 && u >= 0 && v >= 0 && (n == 3 ? u + v <= 1 : u <= 1 && v <= 1)) {
            best = std::min(best, length(u, v));
        }
    }
    return best;
}

long double distance(const Query &q, long double t) {
    static const int first[4][4] = {{0, 0, 0}, {0, 1, 1, 0}, {0, 0}, {0}};
    static const int second[4][4] = {{1, 2, 3}, {2, 2, 3, 3}, {1, 2}, {1}};
    const int n = points(q.kind), count = corners(q.kind);
    long double w[4][3];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const auto p = [&](int j) {
                const long double a = q.q[3 * j + k], b = q.q[3 * (n + j) + k];
                return a + t * (b - a);
            };
            w[i][k] = p(first[q.kind - 1][i]) - p(second[q.kind - 1][i]);
        }
    }
    return point_distance(w, count);
}

// The least distance over [0, 1] about the best of some samples.
long double least_distance(const Query &q) {
    const int n = 64;
    int best = 0;
    long double value = INFINITY;
    for (int i = 0; i <= n; i++) {
        const long double d = distance(q, (long double)(i) / n);
        if (d < value) {
            value = d, best = i;
        }
    }
    long double a = std::max(0, best - 1) / (long double)(n), b = std::min(n, best + 1) / (long double)(n);
    for (int i = 0; i < 70; i++) {
        const long double x = a + (b - a) / 3, y = b - (b - a) / 3;
        (distance(q, x) < distance(q, y) ? b : a) = distance(q, x) < distance(q, y) ? y : x;
    }
    return std::min(value, distance(q, (a + b) / 2));
}

} // namespace judge
