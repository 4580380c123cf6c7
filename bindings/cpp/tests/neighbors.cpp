// neighbors.cpp - neighbor lists in C++: against fresh calls, and bad input.
#include "check.hpp"

namespace {

// A fixed triangle, and one that falls on it.
const std::vector<double> x0 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, .2, .5, .25, .2, .25, .5, .2};
const std::vector<std::int32_t> faces = {0, 1, 2, 3, 4, 5};

std::vector<double> lower(double by) {
    std::vector<double> x = x0;
    for (std::size_t i = 11; i < x.size(); i += 3) {
        x[i] -= by;
    }
    return x;
}

bool same(const std::vector<ccd::NearPair> &a, const std::vector<ccd::NearPair> &b) {
    return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

void same_as_fresh() {
    const ccd::Mesh mesh(6, {}, faces);
    const ccd::neighbors::Neighbors list(mesh, x0, 0.8);
    for (int i = 0; i < 6; i++) {
        const std::vector<double> x = lower(0.01 * i), x1 = lower(0.06 * (i + 1));
        CHECK(same(list.near(x, 0.3), ccd::proximity::near(mesh, x, 0.3)));
        CHECK(same_bits(list.step(x, x1).earliest(), ccd::step::earliest(mesh, x, x1)));
        const std::vector<ccd::Impact> a = list.step(x, x1).collisions(), b = ccd::step::collisions(mesh, x, x1);
        CHECK(a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0));
        CHECK(list.step(x, x1).size() == ccd::step::size(mesh, x, x1));
        const ccd::step::Advanced one = list.step(x, x1).advance(0.9), other = ccd::step::advance(mesh, x, x1, 0.9);
        CHECK(one.alpha == other.alpha && one.x == other.x);
    }
    const ccd::neighbors::Report state = list.state();
    CHECK(state.reach == 0.8 && state.pairs > 0 && state.builds >= 1 && state.served > 10 &&
          state.served + state.fresh == 30);
    ccd::trim();
    CHECK(same(list.near(x0, 0.3), ccd::proximity::near(mesh, x0, 0.3)));
}

void refusals() {
    const ccd::Mesh mesh(6, {}, faces);
    THROWS(ccd::neighbors::Neighbors(mesh, x0, -1), CCD_E_ARGUMENT, "reach is -1");
    THROWS(ccd::neighbors::Neighbors(mesh, std::vector<double>(15), 1), CCD_E_ARGUMENT, "n is 5");
    const ccd::neighbors::Neighbors list(mesh, x0, 1);
    THROWS(list.near(x0, 2), CCD_E_ARGUMENT, "d is 2");
    ccd::Options options;
    options.min_separation = 2;
    THROWS(list.step(x0, x0).size(options), CCD_E_ARGUMENT, "options.min_separation is 2");
}

} // namespace

int main() {
    same_as_fresh();
    refusals();
    return failures != 0;
}
