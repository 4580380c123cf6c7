#include "poly.h"

#include <algorithm>
#include <vector>

namespace judge {

namespace {
const int binomial[7][7] = {
    {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1}};
const int multiple[7] = {1, 1, 2, 3, 12, 10, 60}; // least common multiples of the binomials of a row
} // namespace

namespace weighted {
Poly linear(const Z &a, const Z &b) {
    Poly p;
    p.n = 1;
    p.c[0] = a;
    p.c[1] = b;
    return p;
}
Poly mul(const Poly &a, const Poly &b) {
    Poly p;
    p.n = a.n + b.n;
    for (int i = 0; i <= a.n; i++) {
        for (int j = 0; j <= b.n; j++) {
            mpz_addmul(p.c[i + j].get_mpz_t(), a.c[i].get_mpz_t(), b.c[j].get_mpz_t());
        }
    }
    return p;
}
Poly add(const Poly &a, const Poly &b) {
    Poly p;
    p.n = a.n;
    for (int i = 0; i <= a.n; i++) {
        p.c[i] = a.c[i] + b.c[i];
    }
    return p;
}
Poly sub(const Poly &a, const Poly &b) {
    Poly p;
    p.n = a.n;
    for (int i = 0; i <= a.n; i++) {
        p.c[i] = a.c[i] - b.c[i];
    }
    return p;
}
Poly raise(const Poly &a) {
    Poly p;
    p.n = a.n + 2;
    for (int i = 0; i <= a.n; i++) {
        p.c[i] += a.c[i];
        p.c[i + 1] += 2 * a.c[i];
        p.c[i + 2] += a.c[i];
    }
    return p;
}
Poly scale(const Z &k, const Poly &a) {
    Poly p;
    p.n = a.n;
    for (int i = 0; i <= a.n; i++) {
        p.c[i] = k * a.c[i];
    }
    return p;
}
Poly unweighted(const Poly &a) {
    Poly p;
    p.n = a.n;
    for (int i = 0; i <= a.n; i++) {
        p.c[i] = a.c[i] * (multiple[a.n] / binomial[a.n][i]);
    }
    return p;
}
} // namespace weighted

void halve(const Poly &p, Poly &left, Poly &right) {
    const int n = p.n;
    left.n = right.n = n;
    for (int i = 0; i <= n; i++) {
        right.c[i] = p.c[i];
    }
    // de Casteljau without the division by two: after r rounds the coefficients are 2^r times too large, and are brought to 2^n.
    for (int r = 0; r <= n; r++) {
        left.c[r] = right.c[0] << (n - r);
        for (int i = 0; i < n - r; i++) {
            right.c[i] += right.c[i + 1];
        }
        right.c[n - r] <<= n - r;
    }
}

bool has_sign_inside(const Poly &p, int sign) {
    bool some = false;
    for (int i = 0; i <= p.n; i++) {
        const int s = sgn(p.c[i]) * sign;
        if (s < 0) {
            return false;
        }
        some = some || s > 0;
    }
    return some;
}

namespace {

using Dense = std::vector<Z>; // powers of x, without leading zeros

void trim(Dense &p) {
    while (!p.empty() && p.back() == 0) {
        p.pop_back();
    }
    Z g = 0;
    for (const Z &c : p) {
        g = gcd(g, c);
    }
    for (Z &c : p) {
        c /= g;
    }
}

Dense powers(const Poly &p) {
    Dense out(p.n + 1);
    for (int i = 0; i <= p.n; i++) { // c_i C(n,i) x^i (1-x)^(n-i)
        for (int j = 0; i + j <= p.n; j++) {
            const Z term = p.c[i] * (binomial[p.n][i] * binomial[p.n - i][j]);
            out[i + j] += j % 2 ? Z(-term) : term;
        }
    }
    trim(out);
    return out;
}

Dense derivative(const Dense &p) {
    Dense out;
    for (std::size_t i = 1; i < p.size(); i++) {
        out.push_back(p[i] * long(i));
    }
    trim(out);
    return out;
}

// A positive multiple of the remainder of a by b; the quotient too, up to a positive factor, where it is wanted.
Dense remainder(Dense a, const Dense &b, Dense *quotient = nullptr) {
    const Z lead = abs(b.back());
    if (quotient) {
        quotient->assign(a.size() - b.size() + 1, 0);
    }
    while (a.size() >= b.size()) {
        const std::size_t shift = a.size() - b.size();
        const Z factor = sgn(b.back()) * a.back();
        for (Z &c : a) {
            c *= lead;
        }
        if (quotient) {
            for (Z &c : *quotient) {
                c *= lead;
            }
            (*quotient)[shift] += factor;
        }
        for (std::size_t i = 0; i < b.size(); i++) {
            a[shift + i] -= factor * b[i];
        }
        while (!a.empty() && a.back() == 0) {
            a.pop_back();
        }
    }
    trim(a);
    return a;
}

int sign_at(const Dense &p, int x) { // x is 0 or 1
    if (p.empty()) {
        return 0;
    }
    if (x == 0) {
        return sgn(p[0]);
    }
    Z sum = 0;
    for (const Z &c : p) {
        sum += c;
    }
    return sgn(sum);
}

int changes(const std::vector<Dense> &chain, int x) {
    int count = 0, last = 0;
    for (const Dense &p : chain) {
        const int s = sign_at(p, x);
        count += s * last < 0;
        last = s != 0 ? s : last;
    }
    return count;
}

} // namespace

int roots_inside(const Poly &poly) {
    Dense p = powers(poly), q = derivative(p);
    if (p.size() < 2) {
        return 0;
    }
    Dense a = p, b = q; // p / gcd(p, p') has no multiple roots
    while (!b.empty()) {
        Dense r = remainder(a, b);
        a = std::move(b);
        b = std::move(r);
    }
    if (a.size() > 1) {
        Dense quotient;
        remainder(p, a, &quotient);
        trim(quotient);
        p = quotient;
    }
    std::vector<Dense> chain{p, derivative(p)};
    while (chain.back().size() > 1) {
        Dense r = remainder(chain[chain.size() - 2], chain.back());
        for (Z &c : r) {
            c = -c;
        }
        if (r.empty()) {
            break;
        }
        chain.push_back(std::move(r));
    }
    return changes(chain, 0) - changes(chain, 1) - (sign_at(p, 1) == 0); // Sturm counts the roots in (0, 1]
}

} // namespace judge
