// ccd_wrapper.cpp - the documented behavior of the calls of the CCD-Wrapper benchmark, and its own unit tests' scenes.
#include <ccd.hpp>

#include "points.hpp"

namespace {

using ccd::CCDMethod;

/// The loops of the benchmark: rows of a matrix convert to points, methods to and from numbers.
using Rows = Eigen::Matrix<double, 8, 3>;

Rows rows(const Scene &s) {
    Rows r;
    const V points[] = {s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1};
    for (int i = 0; i < 8; i++) {
        r.row(i) = points[i];
    }
    return r;
}

bool face(const Rows &r, CCDMethod m) {
    return ccd::vertexFaceCCD(r.row(0), r.row(1), r.row(2), r.row(3), r.row(4), r.row(5), r.row(6), r.row(7), m);
}

bool edge(const Rows &r, CCDMethod m) {
    return ccd::edgeEdgeCCD(r.row(0), r.row(1), r.row(2), r.row(3), r.row(4), r.row(5), r.row(6), r.row(7), m, 1e-3, 10);
}

bool face_ms(const Rows &r, double d, CCDMethod m) {
    return ccd::vertexFaceMSCCD(r.row(0), r.row(1), r.row(2), r.row(3), r.row(4), r.row(5), r.row(6), r.row(7), d, m);
}

bool edge_ms(const Rows &r, double d, CCDMethod m) {
    return ccd::edgeEdgeMSCCD(r.row(0), r.row(1), r.row(2), r.row(3), r.row(4), r.row(5), r.row(6), r.row(7), d, m, 1e-6,
                              1000000, {{-1, -1, -1}});
}

void every_method() {
    CHECK(ccd::FLOATING_POINT_ROOT_FINDER == 0 && ccd::TIGHT_INCLUSION == ccd::NUM_CCD_METHODS - 1);
    CHECK(std::string(ccd::method_names[CCDMethod::TIGHT_INCLUSION]) == "TightInclusion");
    const Rows fall = rows(FALL), past = rows(shifted(FALL, V(1.5, 0, 0), 1));
    const Rows cross = rows(CROSS), aside = rows(shifted(CROSS, V(0, 1.5, 0), 2));
    for (int i = 0; i < ccd::NUM_CCD_METHODS; i++) {
        const CCDMethod m = CCDMethod(i);
        CHECK(ccd::is_method_enabled(m) && ccd::is_conservative_method(m));
        CHECK(face(fall, m) && !face(past, m) && edge(cross, m) && !edge(aside, m));
        CHECK(!face_ms(past, 0.7, m) && face_ms(past, 0.76, m));
        CHECK(!edge_ms(aside, 0.4, m) && edge_ms(aside, 0.5, m));
    }
}

/// A vertex and a face that move towards each other by the smallest of differences: a root finder in floats errs here.
void by_a_hair() {
    const double eps = std::numeric_limits<float>::epsilon();
    for (double z : {0.0, -1.0}) {
        for (double down : {-1.0, 0.0, 0.5 - eps, 0.5, 0.5 + eps, 1.0, 2.0}) {
            for (double up : {-1.0, 0.0, 0.5 - eps, 0.5, 0.5 + eps, 1.0, 2.0}) {
                for (double dz : {-eps, 0.0, eps}) {
                    Scene s = {V(0, 1, z), V(-1, 0, 1), V(1, 0, 1), V(0, 0, -1), {}, {}, {}, {}};
                    s.a1 = s.a + V(0, -down, dz), s.b1 = s.b + V(0, up, 0), s.c1 = s.c + V(0, up, 0),
                    s.d1 = s.d + V(0, up, 0);
                    // They meet at t = 1 / (down + up), when the vertex has gone dz t along the face's tip at z = -1.
                    const bool hit = down + up >= 1 && z + dz / std::max(down + up, 1.0) >= -1;
                    CHECK(face(rows(s), ccd::TIGHT_INCLUSION) == hit);
                    std::swap(s.b, s.c), std::swap(s.b1, s.c1);
                    CHECK(face(rows(s), ccd::BSC) == hit);
                }
            }
        }
    }
}

/// True is the safe answer.
void failure() {
    Scene s = shifted(FALL, V(9, 0, 0), 1);
    CHECK(!face(rows(s), ccd::ROOT_PARITY) && face(rows(s), ccd::NUM_CCD_METHODS) && face(rows(s), CCDMethod(15)));
    CHECK(face_ms(rows(s), -1, ccd::TIGHT_INCLUSION));
    s.b.y() = std::numeric_limits<double>::quiet_NaN();
    CHECK(face(rows(s), ccd::ROOT_PARITY) && edge(rows(s), ccd::ROOT_PARITY));
}

} // namespace

int main() {
    every_method();
    by_a_hair();
    failure();
    return failures == 0 ? 0 : 1;
}
