// interval.hpp - the numbers k / 2^n and the intervals of Tight Inclusion's search. libccd does not search so: they are here for
// callers that use them.
//
// What differs: a number that does not fit in 64 bits of k and a power of 63 is thrown as std::overflow_error, where the original
// asserts or wraps.
#ifndef LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_HPP
#define LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_HPP

#include <tight_inclusion/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace ticcd {
inline namespace ccd_toi {

/// a 2^b.
inline std::uint64_t power(const std::uint64_t a, const std::uint8_t b) {
    if (a != 0 && (b > 63 || a > ~std::uint64_t{0} >> b)) {
        throw std::overflow_error("power: " + std::to_string(a) + " * 2^" + std::to_string(b) + " has more than 64 bits");
    }
    return a == 0 ? 0 : a << b;
}

/// 2^exponent.
inline std::uint64_t pow2(const std::uint8_t exponent) { return power(1, exponent); }

/// n = result 2^t with an odd result, or 0 of 0; returns t.
inline std::uint8_t reduction(const std::uint64_t n, std::uint64_t &result) {
    std::uint8_t t = 0;
    result = n;
    while (result != 0 && result % 2 == 0) {
        result /= 2;
        t++;
    }
    return t;
}

/// The number numerator / 2^denom_power.
struct NumCCD {
    std::uint64_t numerator = 0;
    std::uint8_t denom_power = 0;

    NumCCD() = default;
    NumCCD(std::uint64_t p_numerator, std::uint8_t p_denom_power) : numerator(p_numerator), denom_power(p_denom_power) {}

    /// x itself, which is exact: x is not negative, and has no bit below 2^-63.
    NumCCD(Scalar x) {
        if (!(x >= 0 && x < 0x1p64)) {
            throw std::overflow_error("NumCCD: x is " + std::to_string(x) + ", and must lie in [0, 2^64)");
        }
        for (; x != std::floor(x); x *= 2) { // exact, and below 2^53: what is 2^52 or more is whole
            if (denom_power == 63) {
                throw std::overflow_error("NumCCD: x has bits below 2^-63");
            }
            denom_power++;
        }
        numerator = static_cast<std::uint64_t>(x);
    }

    std::uint64_t denominator() const { return pow2(denom_power); }

    /// Rounded once: the power of 2 divides exactly.
    Scalar value() const { return std::ldexp(static_cast<Scalar>(numerator), -static_cast<int>(denom_power)); }

    operator double() const { return value(); }

    NumCCD operator+(const NumCCD &other) const {
        const NumCCD a = reduced(), b = other.reduced();
        const std::uint8_t power_of_both = std::max(a.denom_power, b.denom_power);
        const std::uint64_t x = power(a.numerator, static_cast<std::uint8_t>(power_of_both - a.denom_power));
        const std::uint64_t y = power(b.numerator, static_cast<std::uint8_t>(power_of_both - b.denom_power));
        if (x > ~y) {
            throw std::overflow_error("NumCCD: the sum of " + std::to_string(value()) + " and " +
                                      std::to_string(other.value()) + " has more than 64 bits");
        }
        return NumCCD(x + y, power_of_both).reduced();
    }

    bool operator==(const NumCCD &other) const {
        return numerator == other.numerator && denom_power == other.denom_power; // the original compares the fractions too
    }
    bool operator!=(const NumCCD &other) const { return !(*this == other); }
    bool operator<(const NumCCD &other) const { return compare(other) < 0; }
    bool operator<=(const NumCCD &other) const { return compare(other) <= 0; }
    bool operator>=(const NumCCD &other) const { return compare(other) >= 0; }
    bool operator>(const NumCCD &other) const { return compare(other) > 0; }

    bool operator<(const Scalar other) const { return value() < other; }
    bool operator>(const Scalar other) const { return value() > other; }
    bool operator==(const Scalar other) const { return value() == other; }

    /// Whether the sum is at most 1.
    static bool is_sum_leq_1(const NumCCD &num1, const NumCCD &num2) {
        const NumCCD one(1, 0);
        return num1 <= one && num2 <= one && num1 + num2 <= one; // a sum of at most 2 by 63 powers fits
    }

private:
    NumCCD reduced() const {
        std::uint64_t odd;
        const std::uint8_t t = reduction(numerator, odd);
        if (numerator == 0) {
            return NumCCD(0, 0);
        }
        const std::uint8_t less = std::min(t, denom_power);
        return NumCCD(numerator >> less, static_cast<std::uint8_t>(denom_power - less));
    }

    /// The sign of this - other, by whole parts and then by fractions, so that nothing overflows.
    int compare(const NumCCD &other) const {
        const std::uint64_t a = whole(), b = other.whole();
        if (a != b) {
            return a < b ? -1 : 1;
        }
        const std::uint64_t x = fraction(), y = other.fraction();
        return x == y ? 0 : x < y ? -1 : 1;
    }
    std::uint64_t whole() const {
        if (denom_power > 63) {
            throw std::overflow_error("NumCCD: denom_power is " + std::to_string(denom_power) + ", and must be at most 63");
        }
        return numerator >> denom_power;
    }
    /// The fraction in units of 2^-64.
    std::uint64_t fraction() const { return denom_power == 0 ? 0 : numerator << (64 - denom_power); }
};

/// The numbers from lower to upper.
struct Interval {
    NumCCD lower, upper;

    Interval() = default;
    Interval(const NumCCD &p_lower, const NumCCD &p_upper) : lower(p_lower), upper(p_upper) {}

    /// Both halves.
    std::pair<Interval, Interval> bisect() const {
        const NumCCD sum = lower + upper;
        if (sum.numerator != 0 && sum.denom_power >= 63) {
            throw std::overflow_error("Interval: its middle has bits below 2^-63");
        }
        NumCCD middle(sum.numerator, static_cast<std::uint8_t>(sum.denom_power + 1));
        middle = middle + NumCCD(); // reduced
        return {Interval(lower, middle), Interval(middle, upper)};
    }

    /// Whether it and [r1, r2] share a number.
    bool overlaps(const Scalar r1, const Scalar r2) const { return !(lower > r2) && !(upper < r1); }
};

typedef std::array<Interval, 3> Interval3;

inline Array3 width(const Interval3 &x) {
    Array3 out;
    for (std::size_t i = 0; i < 3; i++) {
        out[static_cast<Eigen::Index>(i)] = x[i].upper.value() - x[i].lower.value();
    }
    return out;
}

} // namespace ccd_toi
} // namespace ticcd

#endif // LIBCCD_TOI_COMPAT_TIGHT_INCLUSION_INTERVAL_HPP
