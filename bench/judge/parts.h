// parts.h - what families of queries are made of.
#pragma once

#include "families.h"

namespace judge {

/// Point i of a query at t = 0 (end 0) or t = 1.
double *at(Query &q, int end, int i);
/// The point belongs to primitive a.
bool of_a(const Query &q, int i);

void any_kind(Random &r, Query &q);
void surface_kind(Random &r, Query &q); ///< vertex-face or edge-edge

/// Coordinates in [-size, size]; whole multiples of unit.
void fill(Random &r, Query &q, double size);
void fill_whole(Random &r, Query &q, int size, double unit);

/// Parameters in the domain: often on its border.
void place(Random &r, const Query &q, double &u, double &v);
/// Move a so that p_a - p_b at t is about `target`, for u, v on the primitives.
void aim_at(Query &q, double t, double u, double v, const double target[3]);
/// The same at a random time and place, for a target of about this size.
void aim(Random &r, Query &q, double size);

double some_d(Random &r, double size);
void scale_all(Query &q, double k);
double ulps(double x, int n); ///< n doubles above x > 0; below for n < 0

/// Integer vectors of integer length.
struct Pythagorean {
    int x[3], length;
};
Pythagorean pythagorean(Random &r);
void cross(const int a[3], const int b[3], int out[3]);

/// Place the points so that a's first point moves from `start` to `end`, relative to b's, and that at the time of F = p the nearest points
/// are a's first and b's first (feature 0), or lie on a side of b (feature 1), or between two edges or inside a face (feature 2). Integers.
void around(Random &r, Query &q, const int p[3], const int start[3], const int end[3], int feature);

/// The distance at t, in floats; the least one over [0, 1], about the best of some samples. Both are only to aim with.
long double distance(const Query &q, long double t);
long double least_distance(const Query &q);

} // namespace judge
