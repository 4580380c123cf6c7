// ipc_narrow_phase.cpp - the contract of ipc::NarrowPhaseCCD, kept by the adapter. Also builds against ipc-toolkit's own headers.
#include <ccd/compat/ipc_narrow_phase.hpp>

#include "points.hpp"

#include <atomic>
#include <thread>

namespace {

using ccd::compat::IpcNarrowPhase;

struct Answer {
    bool hit;
    double toi;
};

Answer face(const Scene &s, double d = 0, double tmax = 1, const IpcNarrowPhase &ccd = IpcNarrowPhase()) {
    Answer a{false, -1};
    const ipc::NarrowPhaseCCD &base = ccd;
    a.hit = base.point_triangle_ccd(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, a.toi, d, tmax);
    return a;
}

Answer edge(const Scene &s, double d = 0, double tmax = 1, const IpcNarrowPhase &ccd = IpcNarrowPhase()) {
    Answer a{false, -1};
    const ipc::NarrowPhaseCCD &base = ccd;
    a.hit = base.edge_edge_ccd(s.a, s.b, s.c, s.d, s.a1, s.b1, s.c1, s.d1, a.toi, d, tmax);
    return a;
}

/// Points of `dim` coordinates: the third is dropped in the plane.
ipc::VectorMax3d in(int dim, const V &p) { return p.head(dim); }

Answer point_edge(int dim, const V &p0, const V &p1, double d = 0, double tmax = 1,
                  const IpcNarrowPhase &ccd = IpcNarrowPhase()) {
    Answer a{false, -1};
    const auto e0 = in(dim, V(-1, 0, 0)), e1 = in(dim, V(1, 0, 0));
    a.hit = ccd.point_edge_ccd(in(dim, p0), e0, e1, in(dim, p1), e0, e1, a.toi, d, tmax);
    return a;
}

Answer point_point(int dim, const V &p0, const V &p1, double d = 0, double tmax = 1,
                   const IpcNarrowPhase &ccd = IpcNarrowPhase()) {
    Answer a{false, -1};
    const auto o = in(dim, V::Zero());
    a.hit = ccd.point_point_ccd(in(dim, p0), o, in(dim, p1), o, a.toi, d, tmax);
    return a;
}

bool miss(const Answer &a) { return !a.hit && a.toi == INF; }

/// Contact is at t = 1/2 at speed 2; the margin is 1e-4, kept exactly.
bool half(const Answer &a) { return a.hit && a.toi <= 0.49995 && a.toi > 0.49995 - 1e-15; }

void every_kind() {
    CHECK(half(face(FALL)) && half(edge(CROSS)));
    CHECK(miss(face(shifted(FALL, V(2, 0, 0), 1))) && miss(edge(shifted(CROSS, V(0, 3, 0), 2))));
    for (int dim : {2, 3}) {
        CHECK(half(point_edge(dim, V(0, 1, 0), V(0, -1, 0))) && half(point_point(dim, V(0, 1, 0), V(0, -1, 0))));
        CHECK(miss(point_edge(dim, V(2, 1, 0), V(2, -1, 0))) && miss(point_point(dim, V(1, 1, 0), V(1, -1, 0))));
    }
}

void tmax_ends_the_step() {
    CHECK(half(face(FALL, 0, 0.5)) && miss(face(FALL, 0, 0.49)));
    CHECK(half(edge(CROSS, 0, 0.5)) && miss(edge(CROSS, 0, 0.49)));
    CHECK(miss(point_edge(2, V(0, 1, 0), V(0, -1, 0), 0, 0.49)) && miss(point_point(3, V(0, 1, 0), V(0, -1, 0), 0, 0.49)));
}

void min_distance_is_kept() {
    const double d = 0.25, t = (1 - d - 1e-4) / 2; // d and the margin beyond it
    for (const Answer &a : {face(FALL, d), edge(CROSS, d), point_edge(2, V(0, 1, 0), V(0, -1, 0), d),
                            point_point(3, V(0, 1, 0), V(0, -1, 0), d)}) {
        CHECK(a.hit && a.toi <= t + 1e-16 && a.toi > t - 1e-12);
    }
}

/// Before t by what a tolerance of 1e-6 allows at the speed 2.
bool within_tolerance(const Answer &a, double t) { return a.hit && a.toi < t && a.toi > t - 0.5000001e-6; }

/// The margin: a share of the initial distance, at most 1e-4, and at 1 the tolerance alone.
void conservative_rescaling() {
    Scene near = FALL;
    near.a.z() = 1e-5, near.a1.z() = -1e-5;
    for (double share : {0.1, 0.5, 0.8, 0.9}) {
        const Answer a = face(near, 0, 1, IpcNarrowPhase(1e-6, 1000, share)); // the distance at toi is (1 - share) 1e-5
        CHECK(a.hit && a.toi > share / 2 - 1e-9 && a.toi < share / 2 + 1e-9);
    }
    CHECK(within_tolerance(face(FALL, 0, 1, IpcNarrowPhase(1e-6, 1000, 1)), 0.5));
    CHECK(within_tolerance(face(FALL, 0.25, 1, IpcNarrowPhase(1e-6, 1000, 1)), 0.375));
    CHECK(face(FALL, 0, 1, IpcNarrowPhase(0, 1000, 1)).toi == 0.5); // no tolerance: the contact itself
    IpcNarrowPhase ccd;
    CHECK(ccd.conservative_rescaling == 0.8 && ccd.tolerance == 1e-6 && ccd.max_iterations == 10000000);
    ccd.conservative_rescaling = 1;
    CHECK(within_tolerance(edge(CROSS, 0, 1, ccd), 0.5));
}

/// Callers compare the time of contact with one that they know in real numbers, while both are rounded (ipc-toolkit's "Point-edge ToI",
/// with conservative_rescaling = 1): a point falls onto an edge that moves, too.
void known_times() {
    const IpcNarrowPhase ccd(1e-6, 10'000'000, 1);
    for (const double speed : {1 + 1e-6, 2.0, 3.0, 4.0, 7.0}) {
        for (int share = 0; share < 5; share++) { // the edge's share of the speed, in fifths
            for (const double widens : {0.5, 0.0, -0.5}) {
                const double up = (share - 1) * speed / 2, down = -(3 - share) * speed / 2;
                for (const bool turned : {false, true}) {
                    const V a(-1, 0, 0), b(1, 0, 0), a1(-1 - widens, up, 0), b1(1 + widens, up, 0);
                    double toi = -1;
                    const bool hit =
                        ccd.point_edge_ccd(in(2, V(0, 1, 0)), in(2, turned ? b : a), in(2, turned ? a : b),
                                           in(2, V(0, 1 + down, 0)), in(2, turned ? b1 : a1), in(2, turned ? a1 : b1), toi);
                    CHECK(hit && toi <= 1 / speed && toi > 1 / speed - 1.01e-6);
                }
            }
        }
    }
}

/// Steps below 1e-6 are taken to min_distance itself, scaled, and stay positive.
void small_times() {
    Scene fast = FALL;
    fast.a.z() = 1e-9;
    const Answer a = face(fast);
    const double t = 1e-9 / (1 + 1e-9);
    CHECK(a.hit && a.toi > 0.79 * t && a.toi <= 0.8 * t);
    // The original halves min_distance here; the distance exceeds it up to toi.
    fast.a.z() = 0.25 + 1e-9;
    const Answer b = face(fast, 0.25);
    CHECK(b.hit && b.toi > 0 && b.toi < 1e-9);
}

/// The true distance is Euclidean: nearer than min_distance in the max norm at the start is no contact.
void euclidean_start() {
    const V p(0.2, 0.2, 0.2), away(1, 1, 1), close(0.1, 0.1, 0.1);
    CHECK(miss(point_point(3, p, away, 0.3)));
    const Answer a = point_point(3, p, close, 0.3); // 0.346 at t = 0, 0.173 at t = 1
    const double t = (std::sqrt(0.12) - 0.3) / (std::sqrt(0.12) - std::sqrt(0.03));
    CHECK(a.hit && a.toi > 0 && a.toi <= t);
}

void initial_contact() {
    Scene s = FALL;
    s.a.z() = 0;
    CHECK(face(s).hit && face(s).toi == 0);
    s.a.z() = 0.25;
    CHECK(face(s, 0.25).hit && face(s, 0.25).toi == 0);
    s.a1.z() = 9; // parting
    CHECK(face(s, 0.25).hit && face(s, 0.25).toi == 0);
    s = CROSS;
    s.a.z() = s.b.z() = 0;
    CHECK(edge(s).hit && edge(s).toi == 0);
    for (int dim : {2, 3}) {
        CHECK(point_edge(dim, V(.5, 0, 0), V(.5, 1, 0)).toi == 0 && point_point(dim, V(0, 0, 0), V(1, 0, 0)).toi == 0);
        CHECK(point_edge(dim, V(.5, .5, 0), V(.5, 1, 0), .5).toi == 0 &&
              point_point(dim, V(.5, 0, 0), V(1, 0, 0), .5).toi == 0);
    }
}

void no_motion() {
    Scene s = FALL;
    for (double z : {1.0, 1e-3, 1e-9, 1e-300}) {
        s.a.z() = s.a1.z() = z;
        CHECK(miss(face(s)) && miss(face(s, z / 2)));
        CHECK(face(s, z).hit && face(s, z).toi == 0);
        CHECK(miss(point_edge(2, V(0, z, 0), V(0, z, 0))) && point_edge(2, V(0, z, 0), V(0, z, 0), z).toi == 0);
        CHECK(miss(point_point(3, V(0, z, 0), V(0, z, 0))) && point_point(3, V(0, z, 0), V(0, z, 0), z).toi == 0);
    }
    s.a.z() = s.a1.z() = 0;
    CHECK(face(s).hit && face(s).toi == 0);
    s = CROSS;
    s.a1 = s.a, s.b1 = s.b;
    CHECK(miss(edge(s)) && miss(edge(s, 0.999)) && edge(s, 1).hit && edge(s, 1).toi == 0);
    // A common motion keeps the distance as well, as far as doubles can say.
    CHECK(miss(face({V(0, 0, 1), V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(8, 0, 1), V(8, 0, 0), V(9, 0, 0), V(8, 1, 0)})));
}

/// For random queries: no hit is missed, and up to toi the exact distance exceeds min_distance.
void sound() {
    std::mt19937_64 source(3);
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        const Scene s = random_scene(source);
        const double d = i % 2 == 0 ? 0 : 0.01;
        const ccd::Impact v = ask(ccd::pair::vertex_face, s, d, CCD_NORM_EUCLIDEAN),
                          e = ask(ccd::pair::edge_edge, s, d, CCD_NORM_EUCLIDEAN);
        const Answer a = face(s, d), b = edge(s, d);
        CHECK(a.hit || v.verdict != CCD_CONTACT || (v.flags & CCD_CERTIFIED) == 0);
        CHECK(b.hit || e.verdict != CCD_CONTACT || (e.flags & CCD_CERTIFIED) == 0);
        CHECK(a.toi <= std::max(v.toi_hi, v.toi_lo) && b.toi <= std::max(e.toi_hi, e.toi_lo));
        hits += a.hit + b.hit;
    }
    CHECK(hits > 100);
}

/// One object, many threads, the same answers.
void threads() {
    const IpcNarrowPhase ccd;
    std::vector<Scene> scenes;
    std::mt19937_64 source(4);
    for (int i = 0; i < 300; i++) {
        scenes.push_back(random_scene(source));
    }
    std::vector<double> alone;
    for (const Scene &s : scenes) {
        alone.push_back(face(s, 0, 1, ccd).toi);
    }
    std::atomic<int> differences = 0;
    std::vector<std::thread> crew;
    for (int k = 0; k < 8; k++) {
        crew.emplace_back([&] {
            for (std::size_t i = 0; i < scenes.size(); i++) {
                differences += face(scenes[i], 0, 1, ccd).toi != alone[i];
            }
        });
    }
    for (std::thread &t : crew) {
        t.join();
    }
    CHECK(differences == 0);
}

void bad_input() {
    Scene s = FALL;
    s.a1.x() = INF;
    THROWS(face(s), CCD_E_NONFINITE, "q[12]");
    THROWS(face(FALL, 0, 2), CCD_E_ARGUMENT, "t_max");
    THROWS(face(FALL, -1), CCD_E_ARGUMENT, "min_separation");
}

} // namespace

int main() {
    every_kind();
    tmax_ends_the_step();
    min_distance_is_kept();
    conservative_rescaling();
    known_times();
    small_times();
    euclidean_start();
    initial_contact();
    no_motion();
    sound();
    threads();
    bad_input();
    return failures == 0 ? 0 : 1;
}
