// motion.cpp - motions in C++: every constructor against a known time or the C call, the times of C, ownership, and bad input.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace {

constexpr double pi = 3.14159265358979323846;
using ccd::Kind;
using ccd::Motion;

// A vertex dips through a face that rests, on a parabola with its lowest point at -1/4.
const std::vector<double> dip = {.2, .2, 1, 0, 0, 0, 1,  0,  0, 0, 1, 0, .2, .2, -1.5, 0, 0, 0,
                                 1,  0,  0, 0, 1, 0, .2, .2, 1, 0, 0, 0, 1,  0,  0,    0, 1, 0};
const std::vector<std::int32_t> four = {0, 1, 2, 3};

void polynomials() {
    const Motion motion(4, 2, dip);
    CHECK(motion.vertices() == 4 && motion.degree() == 2 && motion.pieces() == 1);
    CHECK(motion.control() == dip && (motion.times() == std::vector<double>{0, 1}));
    CHECK(motion.radius() == std::vector<double>(4, 0));
    CHECK(motion.at(0.5)[2] == -0.25 && motion.at(0.5).size() == 12);
    const Motion::Place place = motion.enclose(0.25);
    CHECK(place.x == motion.at(0.25) && place.radius.size() == 4 && place.radius[0] < 1e-15);

    // 1 - 5 s + 5 s^2 = 0 at s = 1/2 - sqrt(1/20).
    ccd::Impact c;
    CHECK(ccd_motion_pairs(motion.handle(), CCD_VERTEX_FACE, four.data(), 1, nullptr, &c) == CCD_OK);
    const std::vector<ccd::Impact> two = motion.pairs(Kind::vertex_face, {0, 1, 2, 3, 0, 2, 3, 1});
    CHECK(two.size() == 2 && same_bits(two[0], c) && two[1].a == 1 && two[1].toi_lo == c.toi_lo);
    CHECK(std::abs(c.toi_lo - (0.5 - std::sqrt(0.05))) < 1e-15 && (c.flags & CCD_CERTIFIED) != 0);
    const ccd::Impact one = motion.pair(Kind::vertex_face, four);
    CHECK(one.a == -1 && one.toi_lo == c.toi_lo && one.verdict == CCD_CONTACT);
    ccd::Options options;
    options.t_max = 0.25;
    CHECK(motion.pair(Kind::vertex_face, {0, 1, 2, 3}, options).verdict == CCD_SEPARATE);
    CHECK(motion.pairs(Kind::vertex_face, {}).empty());

    // The first half alone and the rest, in two pieces: 1 - 5 s + 5 s^2 halves to 1, -1/4, -1/4.
    std::vector<double> halves;
    for (const double z : {1., -.25, -.25, -.25, -.25, 1.}) {
        halves.insert(halves.end(), dip.begin(), dip.begin() + 12);
        halves[halves.size() - 10] = z;
    }
    CHECK(Motion(4, 2, halves).pair(Kind::vertex_face, four).toi_lo == c.toi_lo);
    CHECK(Motion(4, 2, halves, {0., 0.5, 1.}).pair(Kind::vertex_face, four).toi_lo == c.toi_lo);
    CHECK(Motion(4, 2, halves, {0., 0.25, 1.}).pair(Kind::vertex_face, four).toi_lo < c.toi_lo);
}

// A motion of degree 1 has the bits of the linear query.
void straight() {
    const double q[24] = {.25, .25, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0, //
                          .25, .25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    CHECK(same_bits(Motion(4, 1, q).pair(Kind::vertex_face, four), ccd::pair::vertex_face(q)));
    CHECK(same_bits(Motion(4, 1, q).pair(Kind::edge_edge, four), ccd::pair::edge_edge(q)));
    CHECK(same_bits(Motion(3, 1, ccd::View<double>(q, 18)).pair(Kind::point_edge, {0, 1, 2}),
                    ccd::pair::point_edge(ccd::View<double>(q, 18))));
}

// Radii add up: two points at the distance 1 with radii .01 and .02 may come as near as .97.
void radii() {
    const Motion tube(2, 1, {0., 0., 0., 0., 1., 0., 1., 0., 0., 1., 1., 0.}, {}, {.01, .02});
    ccd::Options options;
    options.min_separation = 0.96;
    CHECK(tube.pair(Kind::point_point, {0, 1}, options).verdict == CCD_SEPARATE);
    options.min_separation = 0.98;
    CHECK(tube.pair(Kind::point_point, {0, 1}, options).verdict == CCD_CONTACT);
    CHECK((tube.radius() == std::vector<double>{.01, .02}) && tube.enclose(1).radius[1] >= .02);
}

void meets(const Motion &motion, Kind kind, double toi, double early) {
    ccd::Options options;
    options.tolerance = 1e-9;
    const std::size_t points = kind == Kind::point_point ? 2 : 4;
    const ccd::Impact out = motion.pair(kind, {four.data(), points}, options);
    CHECK(out.verdict == CCD_CONTACT && out.toi_lo <= toi && toi - out.toi_lo < early);
}

void constructors() {
    meets(Motion::accelerated({0., 0., 0., 0., 0., 1.}, {0., 0., 2.25, 0., 0., 0.}, {0., 0., -2.5, 0., 0., 0.}),
          Kind::point_point, 0.8, 1e-12);
    // 2 (3 s^2 - 2 s^3) = 1 at 1/2.
    const std::vector<double> x = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0}, v(12);
    meets(Motion::hermite(2, x, v), Kind::point_point, 0.5, 1e-12);
    meets(Motion::hermite(2, x, v, {0., 1.}), Kind::point_point, 0.5, 1e-12);
    // A motion and its way back, in two pieces of unequal length: half of the first is at 1/8.
    std::vector<double> there = x;
    there.insert(there.end(), x.begin(), x.begin() + 6);
    const Motion back = Motion::hermite(2, there, std::vector<double>(18), {0., 0.25, 1.});
    CHECK(back.pieces() == 2 && (back.times() == std::vector<double>{0, 0.25, 1}));
    meets(back, Kind::point_point, 0.125, 1e-12);
    const std::vector<double> b = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0}; // 2 s
    const Motion spline = Motion::bspline(2, b, {0., 0., 0., 1., 1., 1.});
    CHECK(spline.vertices() == 2 && spline.degree() == 2);
    meets(spline, Kind::point_point, 0.5, 1e-12);
    const std::vector<double> matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 1}; // x shrinks to 0 at 1/2
    meets(Motion::affine({-1., 0., 0., 1., 0., 0.}, matrix, {0., 0., 0., 0., 0., 0.}), Kind::point_point, 0.5, 1e-12);

    // A point turns by a quarter, and meets a plate at a third.
    const std::vector<double> corners = {1, 0, 0, 0, .5, -1, 2, .5, -1, 1, .5, 2}, weights = {1, 0, 0, 1, 0, 1, 0, 1};
    std::vector<ccd::rigid::Motion> bones(2);
    bones[0].angular_velocity[2] = pi / 2;
    const Motion turn = Motion::skinned(corners, bones, weights);
    CHECK(turn.degree() == 3 && turn.pieces() == 2 && turn.radius()[0] < 0.002 && turn.radius()[0] > 0);
    meets(turn, Kind::vertex_face, 1.0 / 3, 1e-9);
    const Motion quintic = Motion::skinned(corners, bones, weights, 1, 5);
    CHECK(quintic.degree() == 5 && quintic.pieces() == 1 && quintic.radius()[0] < std::pow(pi / 2, 6) / 46000);
    meets(quintic, Kind::vertex_face, 1.0 / 3, 1e-9);
    CHECK(Motion::rigid({1., 0., 0.}, bones[0], 1, 5).radius()[0] == quintic.radius()[0]);
    THROWS(Motion::rigid({1., 0., 0.}, bones[0], 1, 4), CCD_E_ARGUMENT, "degree is 4: must be 3 or 5");
    const Motion body = Motion::rigid({1., 0., 0.}, bones[0], 3);
    CHECK(body.pieces() == 3 && std::abs(body.at(1)[0]) < 1e-15 && std::abs(body.at(1)[1] - 1) < 1e-15);
    const std::vector<std::int32_t> links = {0, -1, -1, -1};
    const Motion::Joint joint(CCD_JOINT_REVOLUTE, -1, {}, {0, 0, 2}, 0, pi / 2);
    meets(Motion::chain(corners, links, {joint}), Kind::vertex_face, 1.0 / 3, 1e-9);
    meets(Motion::chain(corners, links, {joint}, 0, 5), Kind::vertex_face, 1.0 / 3, 1e-9);
    CHECK(Motion::chain({1., 0., 0.}, {0}, {Motion::Joint()}).at(1)[0] == 1);
}

void ownership() {
    Motion a(4, 2, dip);
    const ccd_motion *handle = a.handle();
    Motion b = std::move(a);
    CHECK(b.handle() == handle && b.vertices() == 4);
    THROWS(a.vertices(), CCD_E_HANDLE, "motion is NULL"); // moved from
    b = Motion::rigid({1., 0., 0.}, ccd::rigid::Motion());
    CHECK(b.vertices() == 1);

    // What the progress function throws cancels the call, and comes out of it.
    const Motion motion(4, 2, dip);
    std::vector<std::int32_t> many;
    for (int i = 0; i < 20000; i++) {
        many.insert(many.end(), {0, 1, 2, 3});
    }
    ccd::Options options;
    options.on_progress = [](double) -> bool { throw std::runtime_error("enough"); };
    try {
        motion.pairs(Kind::vertex_face, many, options);
        CHECK(false && "it returns");
    } catch (const std::runtime_error &e) {
        CHECK(std::string(e.what()) == "enough");
    }
    options.on_progress = [](double) { return true; };
    THROWS(motion.pairs(Kind::vertex_face, many, options), CCD_E_CANCELLED, "");
}

void bad_input() {
    const Motion motion(4, 2, dip);
    std::vector<double> bad = dip;
    bad[13] = std::numeric_limits<double>::quiet_NaN();
    THROWS(Motion(4, 2, bad), CCD_E_NONFINITE, "control[0][1][0][1] is NaN");
    THROWS(Motion(4, 9, dip), CCD_E_ARGUMENT, "degree is 9");
    THROWS(Motion(4, -1, dip), CCD_E_ARGUMENT, "degree is -1");
    THROWS(Motion(0, 2, dip), CCD_E_ARGUMENT, "control has 12 points");
    THROWS(Motion(std::numeric_limits<std::size_t>::max(), 2, dip), CCD_E_ARGUMENT, "control has 12 points");
    THROWS(Motion(5, 2, dip), CCD_E_ARGUMENT, "must be a multiple of 3 times 5");
    THROWS(Motion(4, 2, dip, {0., 0.5, 1.}), CCD_E_ARGUMENT, "times has 3 items: 1 pieces have 2 ends");
    THROWS(Motion(4, 2, dip, {0., 2.}), CCD_E_ARGUMENT, "times");
    THROWS(Motion(4, 2, dip, {}, {1.}), CCD_E_ARGUMENT, "radius has 1 numbers: must have 4");
    THROWS(Motion(4, 2, dip, {}, {0., 0., -1., 0.}), CCD_E_ARGUMENT, "radius[0][2] is -1");
    THROWS(Motion::accelerated({0., 0., 0.}, {0., 0., 0.}, {}), CCD_E_ARGUMENT, "a has 0");
    THROWS(Motion::hermite(2, {0., 0., 0., 1., 0., 0.}, {0., 0., 0., 1., 0., 0.}), CCD_E_ARGUMENT, "at 1 times");
    THROWS(Motion::hermite(1, {0., 0., 0., 1., 0., 0.}, {}), CCD_E_ARGUMENT, "v has 0 rows");
    THROWS(Motion::bspline(2, dip, {0., 0., 1., 1.}), CCD_E_ARGUMENT, "knots has 4 numbers");
    THROWS(Motion::bspline(6, dip, {}), CCD_E_ARGUMENT, "degree is 6");
    THROWS(Motion::affine({1., 0., 0.}, {1., 2.}, {0., 0., 0.}), CCD_E_ARGUMENT, "matrix has 2 numbers");
    THROWS(Motion::affine({1., 0., 0.}, std::vector<double>(9), {0., 0., 0.}), CCD_E_ARGUMENT, "offset has 1 rows");
    ccd::rigid::Motion nowhere;
    nowhere.rotation[0] = 0;
    THROWS(Motion::rigid({1., 0., 0.}, nowhere), CCD_E_ARGUMENT, "rotation");
    THROWS(Motion::skinned({1., 0., 0.}, std::vector<ccd::rigid::Motion>(2), {1.}), CCD_E_ARGUMENT,
           "weights has 1 numbers: must have 2");
    THROWS(Motion::chain({1., 0., 0.}, {3}, {}), CCD_E_INDEX, "links[0] is 3");
    THROWS(Motion::chain({1., 0., 0.}, {}, {}), CCD_E_ARGUMENT, "links has 0 items");
    THROWS(motion.at(1.5), CCD_E_ARGUMENT, "t is 1.5");
    THROWS(motion.enclose(-1), CCD_E_ARGUMENT, "t is -1");
    THROWS(motion.pair(Kind::vertex_face, {0, 1, 2}), CCD_E_ARGUMENT, "index has 3 items");
    THROWS(motion.pair(Kind::edge_face, four), CCD_E_ARGUMENT, "kind is");
    THROWS(motion.pairs(Kind::point_edge, four), CCD_E_ARGUMENT, "no multiple of 3");
    THROWS(motion.pairs(Kind::vertex_face, {0, 1, 2, 4}), CCD_E_INDEX, "vertices[3] is 4");
    ccd::Options options;
    options.method = CCD_METHOD_TIGHT_INCLUSION;
    THROWS(motion.pair(Kind::vertex_face, four, options), CCD_E_UNSUPPORTED, "options.method");
}

// Two triangles, of which one falls from rest from height 1 at an acceleration of 4.
void steps() {
    const std::vector<double> x = {0, 0, 0, 1, 0, 0, 0, 1, 0, .2, .2, 1, 1, .2, 1, .2, 1, 1}, v(18);
    std::vector<double> a(18);
    a[11] = a[14] = a[17] = -4;
    const Motion fall = Motion::accelerated(x, v, a);
    const ccd::Mesh mesh(6, {}, std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
    const ccd::Impact first = ccd::step::earliest(mesh, fall);
    CHECK(first.verdict == CCD_CONTACT && first.kind == CCD_VERTEX_FACE && first.a == 3 && first.b == 0);
    CHECK(first.toi_lo <= std::sqrt(.5) && std::sqrt(.5) <= first.toi_hi && first.toi_hi - first.toi_lo < 1e-15);
    const std::vector<ccd::Impact> all = ccd::step::collisions(mesh, fall);
    CHECK(all.size() == 3 && std::memcmp(&all[0], &first, sizeof first) == 0);
    const double alpha = ccd::step::size(mesh, fall);
    CHECK(alpha < first.toi_lo && alpha > first.toi_lo - 1e-15);
    std::size_t owned = 0; // by the two halves of space along x
    double safe = 1;
    const double inf = std::numeric_limits<double>::infinity();
    const ccd_region halves[] = {{{-inf, -inf, -inf}, {0.25, inf, inf}}, {{0.25, -inf, -inf}, {inf, inf, inf}}};
    for (const ccd_region &half : halves) {
        ccd::Options own;
        own.region = &half;
        const std::vector<ccd::Impact> part = ccd::step::collisions(mesh, fall, own);
        CHECK((ccd::step::earliest(mesh, fall, own).verdict == CCD_CONTACT) == !part.empty());
        owned += part.size();
        safe = std::min(safe, ccd::step::size(mesh, fall, own));
        THROWS(ccd::step::advance(mesh, fall, 1, own), CCD_E_UNSUPPORTED, "options.region");
    }
    CHECK(owned == all.size() && safe == alpha);
    const ccd::Step curved(mesh, fall);
    CHECK(curved.vertices() == 6 && std::memcmp(&curved.collisions()[0], &first, sizeof first) == 0);
    THROWS(curved.activeset(), CCD_E_UNSUPPORTED, "motion: it has no constraints");
    ccd::Options keep;
    keep.min_separation = 1.5;
    const ccd::LinesearchBound bound = ccd::Step(mesh, fall).linesearch(0.2, keep);
    CHECK(bound.distance == 0.75 && std::abs(bound.separation - 0.15) < 1e-15);
    CHECK(bound.alpha < std::sqrt(0.425) && bound.alpha > std::sqrt(0.425) - 1e-14);
    THROWS(ccd::Step(mesh, fall).linesearch(1, keep), CCD_E_ARGUMENT, "keep_ratio is 1");
    ccd::Options far;
    far.min_separation = .5;
    CHECK(std::abs(ccd::step::size(mesh, fall, far) - .5) < 1e-15);
    THROWS(ccd::step::earliest(ccd::Mesh(3, {}, std::vector<std::int32_t>{0, 1, 2}), fall), CCD_E_ARGUMENT,
           "motion has 6 vertices");
}

// The calls that plain steps have, on the same fall.
void calls() {
    const std::vector<double> x = {0, 0, 0, 1, 0, 0, 0, 1, 0, .2, .2, 1, 1, .2, 1, .2, 1, 1}, v(18);
    std::vector<double> a(18);
    a[11] = a[14] = a[17] = -4;
    const Motion fall = Motion::accelerated(x, v, a);
    const ccd::Mesh mesh(6, {}, std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
    const std::vector<ccd::Impact> all = ccd::step::collisions(mesh, fall);
    std::size_t seen = 0;
    CHECK(ccd::Step(mesh, fall).visit([&](ccd::View<ccd::Impact> portion) {
        seen += portion.size();
        return false;
    }));
    CHECK(seen == all.size());
    CHECK(!ccd::Step(mesh, fall).visit([](ccd::View<ccd::Impact>) { return true; }));
    THROWS(ccd::Step(mesh, fall).visit(nullptr), CCD_E_ARGUMENT, "visitor is empty");
    const std::vector<ccd::Pair> some = {{3, 0}, {0, 1}};
    const std::vector<ccd::Impact> given = ccd::Step(mesh, fall).pairs(Kind::vertex_face, some);
    CHECK(given.size() == 2 && std::memcmp(&given[0], &all[0], sizeof all[0]) == 0 && given[1].verdict == CCD_SEPARATE);
    THROWS(ccd::Step(mesh, fall).pairs(Kind::vertex_face, std::vector<ccd::Pair>{{3, 9}}), CCD_E_INDEX, "pairs[0][1] is 9");

    const ccd::broad::Candidates near = ccd::broad::candidates(mesh, fall);
    const ccd::Impact first = near.step(fall).earliest();
    CHECK(std::memcmp(&first, &all[0], sizeof first) == 0 && near.step(fall).collisions().size() == all.size());
    CHECK(near.step(fall).size() == ccd::step::size(mesh, fall));
    const Motion half = fall.cut(std::vector<double>{1, 1, 1, .5, .5, .5});
    CHECK(near.step(half).size() == 1 && half.at(1)[11] == .5 && half.at(1)[2] == 0);
    a[11] = -8;
    THROWS(near.step(Motion::accelerated(x, v, a)).size(), CCD_E_ARGUMENT, "control[0][2][3][2] is -3");
    THROWS(fall.cut(std::vector<double>(5)), CCD_E_ARGUMENT, "n is 5");

    const ccd::step::Advanced step = ccd::step::advance(mesh, fall);
    CHECK(step.alpha < std::sqrt(.5) && step.alpha > std::sqrt(.5) - 1e-14 && step.x[11] > 0 && step.x[11] < 1e-14);
    THROWS(ccd::step::advance(mesh, fall, 0), CCD_E_ARGUMENT, "share is 0");
    const ccd::step::Sizes sizes = ccd::Step(mesh, fall).sizes();
    CHECK(sizes.alpha[0] == 1 && sizes.alpha[3] > .6 && sizes.alpha[3] < .64 && sizes.report.resting == 0);
    CHECK(ccd::step::earliest(mesh, fall.cut(sizes.alpha)).verdict == CCD_SEPARATE);
    ccd::step::SizesOptions how;
    const std::vector<std::int32_t> groups(5);
    how.groups = groups;
    THROWS(ccd::Step(mesh, fall).sizes(how), CCD_E_ARGUMENT, "groups has 5 ids");
}

#if CCD_HAS_EIGEN
void eigen() {
    const Eigen::MatrixXd x = Eigen::MatrixXd::Random(5, 3); // columns first: it is copied
    ccd::rigid::Motion slide;
    slide.velocity[0] = 1;
    const Motion motion = Motion::rigid(x, slide, 1);
    const std::vector<double> end = motion.at(1);
    for (Eigen::Index i = 0; i < 5; i++) {
        CHECK(std::abs(end[static_cast<std::size_t>(3 * i)] - x(i, 0) - 1) < 1e-15);
    }
}
#endif

} // namespace

int main() {
    polynomials();
    straight();
    radii();
    constructors();
    ownership();
    bad_input();
    steps();
    calls();
#if CCD_HAS_EIGEN
    eigen();
#endif
    return failures != 0;
}
