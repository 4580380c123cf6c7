// poly.h - polynomials on an interval, in Bernstein form over the integers.
//
// A polynomial of degree n on [a, b] has the coefficients c_0 ... c_n: the sum of c_i C(n,i) (1-x)^(n-i) x^i, x = (t-a)/(b-a). Its value at
// a is c_0, that at b is c_n, and between them it lies within the least and the largest coefficient. All lengths share one unit, and a
// polynomial may be multiplied by any positive number: only signs count.
#pragma once

#include "exact.h"

namespace judge {

struct Poly {
    int n = 0;
    Z c[7];
};

/// Products work on coefficients that are multiplied by binomials: those of a product are then a plain convolution.
namespace weighted {
Poly linear(const Z &a, const Z &b);
Poly mul(const Poly &a, const Poly &b);
Poly add(const Poly &a, const Poly &b);
Poly sub(const Poly &a, const Poly &b);
Poly raise(const Poly &a); ///< degree + 2
Poly scale(const Z &k, const Poly &a);
Poly unweighted(const Poly &a); ///< Bernstein coefficients, times a constant
} // namespace weighted

/// Cut at the middle.
void halve(const Poly &p, Poly &left, Poly &right);

/// The polynomial is positive (sign 1) or negative (sign -1) between the ends of its interval: no coefficient has the other sign, and
/// not all are 0.
bool has_sign_inside(const Poly &p, int sign);

/// Number of different roots between the ends of the interval. The polynomial must not be 0.
int roots_inside(const Poly &p);

} // namespace judge
