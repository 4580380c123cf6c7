// exact.h - the moving polygon of a query, over the integers.
//
// Let A be a primitive and B another. Their distance is the distance of the origin from the polygon of differences p_a - p_b: a triangle
// for vertex-face, a parallelogram for edge-edge, a segment for point-edge, a point for point-point. Its corners move on straight lines. All
// doubles are integers times a power of two, so the corners at a double time are vectors of integers after one common scaling.
#pragma once

#include <gmpxx.h>

#include "ccd.h"

namespace judge {

using Z = mpz_class;

/// One query as a user makes it.
struct Query {
    int kind;
    double q[24]; ///< the points at t = 0, then at t = 1, in the order of ccd.h
    double d;     ///< min_separation
    double t_max;
};

/// Number of points of a kind.
constexpr int points(int kind) { return kind == CCD_POINT_POINT ? 2 : kind == CCD_POINT_EDGE ? 3 : 4; }
/// Number of corners of the polygon of differences.
constexpr int corners(int kind) {
    return kind == CCD_POINT_POINT ? 1 : kind == CCD_POINT_EDGE ? 2 : kind == CCD_VERTEX_FACE ? 3 : 4;
}

struct Vec {
    Z x[3];
};
Vec operator+(const Vec &a, const Vec &b);
Vec operator-(const Vec &a, const Vec &b);
Vec operator*(const Z &k, const Vec &a);
Vec cross(const Vec &a, const Vec &b);
Z dot(const Vec &a, const Vec &b);

/// A double as mantissa * 2^exponent, with an odd mantissa; 0 is 0 * 2^0.
struct Dyadic {
    Z m;
    long e = 0;
    Dyadic() = default;
    explicit Dyadic(double x);
};

/// The corners of the polygon at one time, in units of 2^unit, and the distance d in the same unit.
struct Polygon {
    int n = 0;
    Vec w[4];
    Z d;
    long unit = 0;
};

/// The motion of the polygon: the corners are start + t speed, in units of 2^unit.
struct Motion {
    int kind = 0, n = 0;
    Vec start[4], speed[4];
    Z d;
    long unit = 0;
    explicit Motion(const Query &query);
    /// The polygon at t = m * 2^e, e <= 0.
    Polygon at(const Z &m, long e) const;
    Polygon at(double t) const;
};

/// The least squared distance of the origin from the polygon, as a fraction, in the unit of the polygon squared.
struct Fraction {
    Z num, den;
};
Fraction squared_distance(const Polygon &p);

/// Sign of distance - d: -1, 0 or 1.
int compare_distance(const Polygon &p);

} // namespace judge
