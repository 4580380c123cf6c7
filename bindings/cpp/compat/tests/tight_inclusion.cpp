// tight_inclusion.cpp - the documented behavior of the Tight Inclusion interface.
#include <tight_inclusion/ccd.hpp>
#include <tight_inclusion/interval_root_finder.hpp>

#include "points.hpp"

namespace {

using ticcd::Array3;
using Method = ticcd::CCDRootFindingMethod;

const Array3 AUTO = Array3::Constant(-1);

struct Answer {
    bool hit;
    double toi = -1, tolerance = -1;
};

Answer face(const Scene &s, double ms = 0, double t_max = 1, long max_itr = -1, bool no_zero = false,
            Method method = Method::BREADTH_FIRST_SEARCH, const Array3 &err = AUTO) {
    Answer a;
    a.hit = ticcd::vertexFaceCCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, err, ms, a.toi, 1e-6, t_max, max_itr,
                                 a.tolerance, no_zero, method);
    return a;
}

Answer edge(const Scene &s, double ms = 0, double t_max = 1, long max_itr = -1, bool no_zero = false,
            Method method = Method::BREADTH_FIRST_SEARCH, const Array3 &err = AUTO) {
    Answer a;
    a.hit = ticcd::edgeEdgeCCD(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, err, ms, a.toi, 1e-6, t_max, max_itr,
                               a.tolerance, no_zero, method);
    return a;
}

void hits_and_misses() {
    CHECK(face(FALL).hit && just_before(face(FALL).toi, 0.5));
    CHECK(edge(CROSS).hit && just_before(edge(CROSS).toi, 0.5));
    const Answer v = face(shifted(FALL, V(2, 0, 0), 1)), e = edge(shifted(CROSS, V(0, 3, 0), 2));
    CHECK(!v.hit && v.toi == INF && v.tolerance == 1e-6);
    CHECK(!e.hit && e.toi == INF && e.tolerance == 1e-6);

    // The defaults of the last two arguments.
    double toi, reached;
    CHECK(ticcd::vertexFaceCCD(FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1, FALL.c1, FALL.d1, AUTO, 0, toi, 1e-6, 1,
                               1000000, reached));
    CHECK(just_before(toi, 0.5) && reached == 1e-6);
}

/// At toi the primitives are apart, in floats too, as the original leaves them.
void apart_at_toi() {
    const double t = face(FALL).toi;
    const V v = FALL.a + t * (FALL.a1 - FALL.a);
    CHECK(v.z() > 0.9e-6 && v.z() < 1.1e-6);
    Scene near = FALL; // half of what there is at the start
    near.a.z() = 1e-7;
    const double z = near.a.z() + face(near).toi * (near.a1 - near.a).z();
    CHECK(z > 3e-8 && z < 7e-8);
    double toi, reached;
    CHECK(ticcd::vertexFaceCCD(FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1, FALL.c1, FALL.d1, AUTO, 0, toi, 0, 1, -1,
                               reached));
    CHECK(toi == 0.5 && reached == 0); // a tolerance of 0: the time of contact itself
}

void separation_is_in_the_max_norm() {
    CHECK(just_before(face(FALL, 0.5).toi, 0.25));
    CHECK(just_before(edge(CROSS, 0.5).toi, 0.25));
    // The ends come as near as (5/8, 3/4): 0.75 in the max norm, 0.976 in the Euclidean.
    const Scene beyond = shifted(CROSS, V(1.625, 1.75, 0), 2);
    CHECK(!edge(beyond, 0.7).hit && edge(beyond, 0.75).hit);
}

void times_end_at_t_max() {
    CHECK(!face(FALL, 0, 0.49).hit && face(FALL, 0, 0.49).toi == INF);
    CHECK(face(FALL, 0, 0.5).hit && just_before(face(FALL, 0, 0.5).toi, 0.5));
    CHECK(!edge(CROSS, 0, 0.49).hit && edge(CROSS, 0, 0.5).hit);
}

void what_changes_nothing() {
    for (Method m : {Method::DEPTH_FIRST_SEARCH, Method::BREADTH_FIRST_SEARCH}) {
        for (long max_itr : {-1L, 0L, 1L, 1000000L}) {
            const Answer v = face(FALL, 0.25, 0.75, max_itr, true, m, Array3::Constant(1e-3));
            const Answer e = edge(CROSS, 0.25, 0.75, max_itr, true, m, Array3::Constant(1e-3));
            CHECK(v.hit && just_before(v.toi, 0.375) && v.tolerance == 1e-6);
            CHECK(e.hit && just_before(e.toi, 0.375) && e.tolerance == 1e-6);
        }
    }
}

void zero_times() {
    Scene near = FALL;
    near.a.z() = 1e-12;
    CHECK(face(near, 0, 1, 1000000, true).hit && face(near, 0, 1, 1000000, true).toi > 0);
    CHECK(face(near, 1e-3, 1, 1000000).toi == 0);
    near.a.z() = 0; // contact at once: the original never ends
    CHECK(face(near, 0, 1, 1000000, true).hit && face(near, 0, 1, 1000000, true).toi == 0);
    Scene touch = CROSS;
    touch.a.z() = touch.b.z() = 0;
    CHECK(edge(touch, 0, 1, 1000000, true).hit && edge(touch, 0, 1, 1000000, true).toi == 0);
}

void agrees_with_the_library() {
    std::mt19937_64 source(1);
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        const Scene s = random_scene(source);
        const double ms = i % 2 == 0 ? 0 : 1e-2;
        const ccd::Impact v = ask(ccd::pair::vertex_face, s, ms, CCD_NORM_MAX, CCD_APART_AT_TOI);
        const ccd::Impact e = ask(ccd::pair::edge_edge, s, ms, CCD_NORM_MAX, CCD_APART_AT_TOI);
        CHECK(face(s, ms).hit == (v.verdict == CCD_CONTACT) && face(s, ms).toi == v.toi_lo);
        CHECK(edge(s, ms).hit == (e.verdict == CCD_CONTACT) && edge(s, ms).toi == e.toi_lo);
        hits += face(s, ms).hit + edge(s, ms).hit;
    }
    CHECK(hits > 100);
}

void numerical_error() {
    const double u = std::ldexp(1, -53);
    const std::vector<V> unit = {V(0, 0.5, -1), V(0.25, 0, 1)}, large = {V(0, 0.5, -8), V(1, 1, 4)};
    for (bool vf : {false, true}) {
        for (bool ms : {false, true}) {
            const double c = ((vf ? 60 : 56) + (ms ? 8 : 0)) * u;
            const Array3 e = ticcd::get_numerical_error(unit, vf, ms), f = ticcd::get_numerical_error(large, vf, ms);
            CHECK((e >= c).all() && (e <= c * (1 + 1e-14)).all());
            CHECK(f[0] == e[0] && f[1] == e[1] && f[2] >= 512 * c); // the original has c
        }
    }
}

/// A step of the tolerance in one parameter moves no corner of F by more than a third of the distance.
void parameter_tolerances() {
    const Array3 v =
        ticcd::compute_vertex_face_tolerances(FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1, FALL.c1, FALL.d1);
    CHECK(v.isApprox(Array3(1e-6 / 6, 1e-6 / 3, 1e-6 / 3)));
    const Array3 e = ticcd::compute_edge_edge_tolerances(CROSS.a, CROSS.b, CROSS.c, CROSS.d, CROSS.a1, CROSS.b1, CROSS.c1,
                                                         CROSS.d1, 1e-3);
    CHECK(e.isApprox(Array3(1e-3 / 6, 1e-3 / 6, 1e-3 / 6)));
    Scene other = CROSS; // the same motion of the second edge alone
    std::swap(other.a, other.c), std::swap(other.b, other.d), std::swap(other.a1, other.c1), std::swap(other.b1, other.d1);
    CHECK(ticcd::compute_edge_edge_tolerances(other.a, other.b, other.c, other.d, other.a1, other.b1, other.c1, other.d1,
                                              1e-3)
              .isApprox(e));
    const V o = V::Zero();
    CHECK((ticcd::compute_vertex_face_tolerances(o, o, o, o, o, o, o, o) == INF).all());
}

void bad_input() {
    Scene s = FALL;
    s.c1.y() = std::numeric_limits<double>::quiet_NaN();
    THROWS(face(s), CCD_E_NONFINITE, "q[19]");
    THROWS(face(FALL, -1), CCD_E_ARGUMENT, "min_separation");
    THROWS(edge(CROSS, 0, 1.5), CCD_E_ARGUMENT, "t_max");
}

} // namespace

int main() {
    hits_and_misses();
    apart_at_toi();
    separation_is_in_the_max_norm();
    times_end_at_t_max();
    what_changes_nothing();
    zero_times();
    agrees_with_the_library();
    numerical_error();
    parameter_tolerances();
    bad_input();
    return failures == 0 ? 0 : 1;
}
