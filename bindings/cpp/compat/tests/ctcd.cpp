// ctcd.cpp - the documented behavior of CTCD.h.
#include <CTCD.h>

#include "points.hpp"

namespace {

bool face(const Scene &s, double eta, double &t) {
    return CTCD::vertexFaceCTCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, eta, t);
}

bool edge(const Scene &s, double eta, double &t) {
    return CTCD::edgeEdgeCTCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, eta, t);
}

void contact() {
    double t = -1;
    CHECK(face(FALL, 0, t) && t == 0.5);
    CHECK(edge(CROSS, 0, t) && t == 0.5);
    const V o = V::Zero(), x(1, 0, 0), up(0, 0, 1);
    CHECK(CTCD::vertexEdgeCTCD(.5 * x + up, o, x, .5 * x - up, o, x, 0, t) && t == 0.5);
    CHECK(CTCD::vertexVertexCTCD(up, o, -up, o, 0, t) && t == 0.5);
    CHECK(CTCD::edgeEdgeCTCD(CROSS.a, CROSS.b, CROSS.c, CROSS.d, CROSS.a1, CROSS.b1, CROSS.c1, CROSS.d1, 0, t, true));
}

/// t is left alone without a collision, as in the original.
void no_contact() {
    double t = -7;
    CHECK(!face(shifted(FALL, V(2, 0, 0), 1), 0, t) && t == -7);
    CHECK(!edge(shifted(CROSS, V(0, 3, 0), 2), 0, t) && t == -7);
    const V o = V::Zero(), x(1, 0, 0), up(0, 0, 1);
    CHECK(!CTCD::vertexEdgeCTCD(2 * x + up, o, x, 2 * x - up, o, x, 0, t) && t == -7);
    CHECK(!CTCD::vertexVertexCTCD(x + up, o, x - up, o, 0.5, t) && t == -7);
}

/// eta is a Euclidean distance: reported within eta (1 + 1/1024), never later than it is reached.
void distance_eta() {
    for (double eta : {1e-9, 1e-4, 0.25}) {
        double t = -1;
        const double slack = eta / 1024;
        CHECK(face(FALL, eta, t) && t <= (1 - eta) / 2 && t >= (1 - eta - slack) / 2 - 1e-15);
        CHECK(edge(CROSS, eta, t) && t <= (1 - eta) / 2 && t >= (1 - eta - slack) / 2 - 1e-15);
        CHECK(face(FALL, -eta, t) && t <= (1 - eta) / 2); // the original looks at its square
    }
    // A point that passes a corner at (0.3, 0.4): 0.5 in the Euclidean norm, 0.4 in the max norm.
    double t = -1;
    const V p(-0.3, -0.4, 1), o = V::Zero();
    CHECK(!CTCD::vertexVertexCTCD(p, o, V(-0.3, -0.4, -1), o, 0.49, t));
    CHECK(CTCD::vertexVertexCTCD(p, o, V(-0.3, -0.4, -1), o, 0.51, t));
    const Scene past = {p, V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(-0.3, -0.4, -1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0)};
    CHECK(!face(past, 0.49, t) && face(past, 0.51, t)); // the original sees nothing outside the face
}

/// What the original warns of.
void parallel_edges() {
    double t = -1;
    const Scene s = {V(0, 0, 1), V(2, 0, 1), V(1, 0, 0), V(3, 0, 0), V(0, 0, -1), V(2, 0, -1), V(1, 0, 0), V(3, 0, 0)};
    CHECK(edge(s, 0, t) && t == 0.5);
    CHECK(edge(s, 0.5, t) && t <= 0.25 && t > 0.24);
}

void start_and_rest() {
    double t = -1;
    Scene s = FALL;
    s.a.z() = 0;
    CHECK(face(s, 0, t) && t == 0);
    s.a1 = s.a;
    CHECK(face(s, 0, t) && t == 0);
    s.a.z() = s.a1.z() = 1;
    CHECK(!face(s, 0.5, t));
}

/// No approach is missed, and what is reported comes near indeed: each answer is held against the library's own.
void agrees_with_the_library() {
    std::mt19937_64 source(2);
    for (int i = 0; i < 500; i++) {
        const Scene s = random_scene(source);
        double t = -1;
        CHECK(face(s, 0, t) == (ask(ccd::pair::vertex_face, s, 0).verdict == CCD_CONTACT));
        CHECK(edge(s, 0, t) == (ask(ccd::pair::edge_edge, s, 0).verdict == CCD_CONTACT));
        const double eta = 0.05;
        if (!face(s, eta, t)) {
            CHECK(ask(ccd::pair::vertex_face, s, eta * 0.999, CCD_NORM_EUCLIDEAN).verdict == CCD_SEPARATE);
        } else {
            CHECK(ask(ccd::pair::vertex_face, s, eta * 1.002, CCD_NORM_EUCLIDEAN).verdict == CCD_CONTACT);
        }
        if (!edge(s, eta, t)) {
            CHECK(ask(ccd::pair::edge_edge, s, eta * 0.999, CCD_NORM_EUCLIDEAN).verdict == CCD_SEPARATE);
        } else {
            CHECK(ask(ccd::pair::edge_edge, s, eta * 1.002, CCD_NORM_EUCLIDEAN).verdict == CCD_CONTACT);
        }
    }
}

void bad_input() {
    double t = -1;
    Scene s = FALL;
    s.a.x() = INF;
    THROWS(face(s, 0, t), CCD_E_NONFINITE, "q[0]");
}

} // namespace

int main() {
    contact();
    no_contact();
    distance_eta();
    parallel_edges();
    start_and_rest();
    agrees_with_the_library();
    bad_input();
    return failures == 0 ? 0 : 1;
}
