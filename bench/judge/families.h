// families.h - families of queries, each made to be hard in one way.
#pragma once

#include <cstdint>
#include <vector>

#include "exact.h"

namespace judge {

/// splitmix64: the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state(seed) {}
    std::uint64_t bits();
    double unit(); ///< a number in [0, 1)
    double real(double a, double b) { return a + (b - a) * unit(); }
    int whole(int a, int b) { return a + int(bits() % std::uint64_t(b - a + 1)); } ///< a whole number in [a, b]
    bool chance(double p) { return unit() < p; }
    double power(double a, double b); ///< 10^x, x in [a, b]
private:
    std::uint64_t state;
};

struct Family {
    const char *name;
    void (*make)(Random &, Query &);
    double share; ///< share of the queries, relative to other families
};

const std::vector<Family> &families();

} // namespace judge
