#include "selftest.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "families.h"
#include "parts.h"
#include "report.h"

namespace judge {

namespace {

bool accepted(const Query &query, const ccd_impact &answer) {
    Effort effort;
    std::string why;
    ContactData data;
    const Proof p = times_are_right(euclidean, Motion(query), query, answer, effort, why);
    return p == Proof::yes &&
           (answer.verdict != CCD_CONTACT || contact_is_right(query, answer, CCD_NORM_EUCLIDEAN, data, why));
}

double largest(const Query &query, int axis) {
    double most = 0;
    for (int i = axis; i < 6 * points(query.kind); i += 3) {
        most = std::fmax(most, std::fabs(query.q[i]));
    }
    return most;
}

constexpr int defects = 14;

// Plant a defect. Returns false where it would change nothing, or might leave the answer right.
bool plant(int defect, const Query &query, ccd_impact &a) {
    const double inf = std::numeric_limits<double>::infinity();
    const bool contact = a.verdict == CCD_CONTACT, late = contact && a.toi_lo > 0, gap = contact && a.toi_lo < a.toi_hi;
    switch (defect) {
    case 0: // one double later
        a.toi_lo = std::nextafter(a.toi_lo, 2), a.toi_hi = std::nextafter(a.toi_hi, 2);
        return contact && a.toi_hi <= query.t_max && a.toi_hi < 1;
    case 1: // one double earlier
        a.toi_lo = std::nextafter(a.toi_lo, -1), a.toi_hi = std::nextafter(a.toi_hi, -1);
        return late;
    case 2: // a time in a gap called a double
        a.toi_hi = a.toi_lo;
        return gap;
    case 3:
        a.toi_lo = a.toi_hi;
        return gap;
    case 4: // a double called a gap
        a.toi_lo = std::nextafter(a.toi_lo, -1);
        return late && !gap;
    case 5:
        a.toi_hi = std::nextafter(a.toi_hi, 2);
        return late && !gap && a.toi_hi <= query.t_max;
    case 6:
        a.verdict = CCD_SEPARATE, a.toi_lo = a.toi_hi = inf, a.flags = 0;
        return contact;
    case 7:
        a.verdict = CCD_CONTACT, a.toi_lo = 0.5 * query.t_max, a.toi_hi = std::nextafter(a.toi_lo, 2);
        return !contact && query.t_max > 0;
    case 8:
        a.flags ^= CCD_INITIAL_CONTACT;
        return contact;
    case 9:
        a.normal[0] = -a.normal[0], a.normal[1] = -a.normal[1], a.normal[2] = -a.normal[2];
        return contact;
    case 10:
        a.normal[1] += 1e-9;
        return contact;
    case 11:
        a.u = a.u > 0.5 ? a.u - 0x1p-20 : a.u + 0x1p-20;
        return contact && query.kind != CCD_POINT_POINT;
    case 12:
        a.point[2] += 0x1p-44 * largest(query, 2);
        return contact && largest(query, 2) > 0;
    default:
        a.verdict = CCD_UNDECIDED;
        return true;
    }
}

// Numbers of moderate size: what is planted is then larger than the bounds of the laws.
void make(Random &r, Query &query) {
    static const int list[] = {1, 7, 10, 15};
    families()[list[r.whole(0, 3)]].make(r, query);
    query.t_max = 1;
}

// The exact distance beside one that is computed in floats by other formulas. Returns the largest difference; lengths are about 1.
double compare_distances() {
    double worst = 0;
    for (int i = 0; i < 2000; i++) {
        Random r{std::uint64_t(i) + 5000};
        Query query{};
        families()[1].make(r, query);
        const double t = r.unit();
        const Polygon p = Motion(query).at(t);
        const Fraction squared = squared_distance(p);
        const double exact = std::ldexp(std::sqrt(mpq_class(squared.num, squared.den).get_d()), int(p.unit));
        worst = std::fmax(worst, std::fabs(double(distance(query, t)) - exact));
    }
    return worst;
}

} // namespace

bool selftest() {
    const Norm *chosen = norm;
    norm = &euclidean;
    long planted[defects] = {}, missed[defects] = {}, refused = 0;
    for (int i = 0; i < 400; i++) {
        Random r{std::uint64_t(i)};
        Query query{};
        make(r, query);
        const ccd_impact answer = single(query, options_of(query));
        refused += !accepted(query, answer);
        for (int k = 0; k < defects; k++) {
            ccd_impact bad = answer;
            if (plant(k, query, bad)) {
                planted[k]++;
                missed[k] += accepted(query, bad);
            }
        }
    }
    norm = chosen;
    const double difference = compare_distances();
    bool good = refused == 0 && difference < 1e-12;
    std::printf("selftest: %ld right answers refused; distances differ by %.1e at most; defects missed of planted:",
                refused, difference);
    for (int k = 0; k < defects; k++) {
        std::printf(" %ld/%ld", missed[k], planted[k]);
        good = good && planted[k] > 0 && missed[k] == 0;
    }
    std::printf("\n");
    return good;
}

} // namespace judge
