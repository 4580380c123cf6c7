// bindings.cpp - every function of ccd.hpp on pairs and meshes once, against the C call of the same name; bodies.cpp has the others.
// Compiled as C++17 and C++20.
#include "check.hpp"

static_assert(CCD_HAS_EIGEN == EXPECT_EIGEN, "the build says whether Eigen is on the include path");

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>

#if __cplusplus >= 202002L
#include <span>
#endif

namespace {

// A fixed triangle, and one that falls through it: see capi/test/check.h.
const std::vector<double> x0 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, 1, .5, .25, 1, .25, .5, 1};
const std::vector<double> x1 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, -1, .5, .25, -1, .25, .5, -1};
const std::int32_t faces[] = {0, 1, 2, 3, 4, 5};
const double falling[24] = {.25, .25, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0, //
                            .25, .25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};

void versions() {
    CHECK(ccd::version() == CCD_VERSION);
    CHECK(std::string(ccd::simd_level()) == ccd_simd_level());
    CHECK(std::string(ccd::reason(CCD_REASON_ITERATIONS)) == "iterations: max_iterations was reached");
    CHECK(std::string(ccd::reason(CCD_CERTIFIED)).empty());
}

void thick() {
    const std::int32_t sheet[] = {0, 1, 2, 1, 3, 2, 1, 4, 3};
    const std::vector<double> rest{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 0};
    ccd::Mesh mesh(5, {}, sheet);
    ccd::Options options;
    options.min_separation = 1.2;
    CHECK(ccd::step::advance(mesh, rest, rest, 1, options).alpha == 0);
    const ccd::Why why = ccd::Step(mesh, rest, rest).why(options);
    CHECK(why.cause == CCD_CAUSE_SEPARATION && why.rings == 1 && why.alpha == 0 && why.initial > 0);
    CHECK(ccd::step::text(why).find("exclude_near") != std::string::npos);
    CHECK(ccd::step::exclude_near(mesh, rest, 0, options) > 0 && ccd::step::exclude_near(mesh, rest, 0, options) == 0);
    CHECK(ccd::step::earliest(mesh, rest, rest, options).verdict == CCD_SEPARATE);
    CHECK(ccd::step::text(ccd::Step(mesh, rest, rest).why(options)) == "No pair limits the step: alpha is 1.");
}

void one_pair() {
    ccd::Impact c, cxx = ccd::pair::vertex_face(falling);
    CHECK(ccd_pair_vertex_face(falling, nullptr, &c) == CCD_OK && same_bits(c, cxx) && c.verdict == CCD_CONTACT);
    ccd::Options half;
    half.t_max = 0.25;
    CHECK(ccd::pair::vertex_face(falling, half).verdict == CCD_SEPARATE);
    THROWS(ccd::pair::vertex_face({1., 2., 3.}), CCD_E_ARGUMENT, "q has 3 numbers");
    CHECK(ccd::pair::clearance(ccd::Kind::vertex_face, falling).hi == 0);
    const std::vector<ccd::Interval> times = ccd::pair::intervals(ccd::Kind::vertex_face, falling);
    CHECK(times.size() == 1 && times[0].enter == 0.5 && times[0].exit == 0.5 &&
          times[0].side_before == -times[0].side_after);
    CHECK(ccd::pairs::intervals(ccd::Kind::vertex_face, falling)[0].a == 0);
    THROWS(ccd::pair::intervals(ccd::Kind::point_edge, falling), CCD_E_ARGUMENT, "q has 24 numbers, not 18");
    THROWS(ccd::pairs::intervals(ccd::Kind::point_edge, falling), CCD_E_ARGUMENT, "no multiple of 18");
    THROWS(ccd::pair::intervals(ccd::Kind::edge_face, falling), CCD_E_ARGUMENT, "kind is 5");
    half.t_max = 2;
    THROWS(ccd::pair::vertex_face(falling, half), CCD_E_ARGUMENT, "options.t_max");
}

void batch() {
    std::vector<double> q;
    for (std::size_t i = 0; i < 300; i++) {
        q.insert(q.end(), falling, falling + 24);
        q[24 * i + 14] = 1.5 - 4.0 * static_cast<double>(i) / 300;
    }
    std::vector<ccd::Impact> all = ccd::pairs::vertex_face(q);
    CHECK(all.size() == 300);
    for (std::size_t i = 0; i < all.size(); i++) {
        ccd::Impact one = ccd::pair::vertex_face({q.data() + 24 * i, 24});
        one.a = static_cast<std::int64_t>(i);
        CHECK(same_bits(one, all[i]));
    }
    CHECK(ccd::pairs::edge_edge({}).empty() && ccd::pairs::point_edge({}).empty() && ccd::pairs::point_point({}).empty());
    q[24 * 7 + 2] = NAN;
    THROWS(ccd::pairs::vertex_face(q), CCD_E_NONFINITE, "query 7: q[2]");
    q.pop_back();
    THROWS(ccd::pairs::vertex_face(q), CCD_E_ARGUMENT, "no multiple of 24");
}

void meshes() {
    ccd::Mesh mesh(6, {}, faces);
    CHECK(mesh.vertices() == 6 && mesh.edges().size() == 6 && mesh.faces().size() == 2);
    CHECK((mesh.edges()[1] == std::array<std::int32_t, 2>{0, 2}) &&
          (mesh.faces()[1] == std::array<std::int32_t, 3>{3, 4, 5}));
    ccd::Mesh moved = std::move(mesh);
    CHECK(moved.vertices() == 6);
    THROWS(mesh.vertices(), CCD_E_HANDLE, "mesh is NULL"); // moved from
    ccd::Mesh rods(4, {0, 1, 2, 3}, {});
    CHECK(rods.edges().size() == 2 && rods.faces().empty());
    THROWS(ccd::Mesh(5, {}, faces), CCD_E_INDEX, "faces[1][2] is 5");
    THROWS(ccd::Mesh(5, {}, {0, 1}), CCD_E_ARGUMENT, "faces has 2 numbers: must be a multiple of 3, for rows of 3");
    std::vector<std::array<std::int32_t, 3>> triples = {{0, 1, 2}, {3, 4, 5}};
    CHECK(ccd::Mesh(6, {}, triples).faces() == triples);
}

void filters() {
    ccd::Mesh mesh(6, {}, faces);
    auto count = [&] {
        ccd::broad::Candidates c = ccd::broad::candidates(mesh, x0, x1);
        CHECK(c.pairs(ccd::Kind::vertex_face).size() == c.count(ccd::Kind::vertex_face));
        return c.count(ccd::Kind::vertex_face) + c.count(ccd::Kind::edge_edge);
    };
    const std::size_t all = count();
    CHECK(all > 1);
    mesh.set_groups({0, 0, 0, 0, 0, 0});
    CHECK(count() == 0);
    mesh.set_groups({});
    mesh.set_component_groups();
    CHECK(count() == all);
    mesh.set_static(std::vector<std::uint8_t>(6, 1));
    CHECK(count() == 0);
    mesh.set_static({});
    mesh.set_excluded(ccd::Kind::vertex_face, {{3, 0}});
    CHECK(count() == all - 1);
    mesh.set_excluded(ccd::Kind::vertex_face, {});
    CHECK(count() == all);
    THROWS(mesh.set_excluded(ccd::Kind::vertex_face, {{3, 2}}), CCD_E_INDEX, "pairs[0][1] is 2");
    mesh.set_radii(std::vector<double>(6, 0.0625));
    ccd::Options options;
    const ccd::Impact thick = ccd::step::earliest(mesh, x0, x1, options);
    mesh.set_radii({});
    options.min_separation = 0.125;
    CHECK(same_bits(thick, ccd::step::earliest(mesh, x0, x1, options)) && thick.verdict == CCD_CONTACT);
    THROWS(mesh.set_radii({0, 0, 0, -1, 0, 0}), CCD_E_ARGUMENT, "radius[3] is -1");
    THROWS(mesh.set_radii({0, 0, 0, 0, 0, std::nan("")}), CCD_E_NONFINITE, "radius[5] is NaN");
}

// The second triangle falls on the first, which has no inverse mass, and ends at its separation.
void responses(const ccd::Mesh &mesh) {
    const std::vector<double> fixed = {0, 0, 0, 1, 1, 1};
    ccd::step::RespondOptions how;
    how.inverse_mass = fixed;
    how.max_rounds = 100;
    ccd::Options options;
    options.min_separation = 0.02;
    const ccd::step::Responded found = ccd::step::respond(mesh, x0, x1, how, options);
    CHECK(found.contacts > 0 && found.rounds > 0 && found.rounds <= 100 && found.alpha == 1);
    CHECK(std::equal(x0.begin(), x0.begin() + 9, found.x.begin()) && std::abs(found.x[11] - 0.02) < 1e-6);
    options.min_separation = 0.005;
    CHECK(ccd::step::earliest(mesh, x0, found.x, options).verdict == CCD_SEPARATE);
    CHECK((found.alpha == 1) == (found.why.cause == CCD_CAUSE_NONE) && found.why.alpha == found.alpha);
    ccd::Options wide = options;
    wide.min_separation = 8;
    const ccd::step::Responded stuck = ccd::step::respond(mesh, x0, x1, how, wide);
    CHECK(stuck.alpha == 0 && stuck.why.cause == CCD_CAUSE_SEPARATION && stuck.why.min_separation == 8 * how.keep);
    CHECK(ccd::step::text(stuck.why).find("min_separation times keep") != std::string::npos);
    THROWS(ccd::step::respond(mesh, x0, x1, how, {}), CCD_E_ARGUMENT, "options.min_separation is 0: must be positive");
    how.friction = -1;
    THROWS(ccd::step::respond(mesh, x0, x1, how, options), CCD_E_ARGUMENT, "how.friction is -1");
    how.inverse_mass = x0;
    THROWS(ccd::step::respond(mesh, x0, x1, how, options), CCD_E_ARGUMENT, "how.inverse_mass has 18 numbers: must have 6");
}

// The second triangle falls, and rests before it touches the first.
void scenes(const ccd::Mesh &mesh) {
    ccd::scene::Scene scene(mesh, x0);
    const std::vector<std::int32_t> moved = {3, 4, 5};
    const std::vector<double> to(x1.begin() + 9, x1.end());
    CHECK(scene.check().known == 6 && scene.state().crossings == 0);
    CHECK(scene.step(moved, to).earliest().toi_lo == ccd::step::earliest(mesh, x0, x1).toi_lo);
    CHECK(scene.step(moved, to).collisions().size() == ccd::step::collisions(mesh, x0, x1).size());
    CHECK(scene.step(moved, to).size() == ccd::step::size(mesh, x0, x1));
    const ccd::step::Sizes each = scene.step(moved, to).sizes();
    CHECK(each.alpha.size() == 3 && each.y.size() == 9 && each.report.used < 1);
    const ccd::step::Advanced far = scene.step(moved, to).advance(0.9);
    scene.commit_proven();
    CHECK(scene.positions(6)[9] == far.x[0] && scene.state().known == 6);
    scene.commit(moved, to);
    CHECK(scene.state().known == 3);
    scene.reset(x0);
    CHECK(scene.state().known == 0 && scene.step({}, {}).earliest().verdict == CCD_SEPARATE);
    scene.commit_proven();
    THROWS(scene.commit_proven(), CCD_E_ARGUMENT, "no proven motion");
    THROWS(scene.step(moved, x1).earliest(), CCD_E_ARGUMENT, "x1 has 6 rows: moved has 3 vertices");
    THROWS(scene.step({4, 3}, {0., 0., 0., 1., 1., 1.}).earliest(), CCD_E_INDEX, "moved[1] is 3, after 4");
    const ccd::Mesh one(3, {}, std::vector<std::int32_t>{0, 1, 2});
    const ccd::scene::Part low = scene.add(one, {0., 0., -3., 1., 0., -3., 0., 1., -3.});
    CHECK(low.id == 1 && low.first_vertex == 6 && low.first_face == 2 && low.edges == 3 && scene.vertices() == 9);
    scene.remove(0);
    CHECK(scene.parts().size() == 1 && scene.parts()[0].id == 1 && scene.positions()[0] == 0 &&
          scene.positions()[20] == -3);
    CHECK(scene.add(mesh, x0).first_vertex == 0 && scene.step(moved, to).earliest().toi_lo == 0.5 &&
          scene.parts().size() == 2);
    THROWS(scene.remove(0), CCD_E_INDEX, "part is 0: the scene has no such part: it was removed");
    THROWS(scene.add(mesh, {0., 0., 0.}), CCD_E_ARGUMENT, "n is 1: x has one row per vertex, and the mesh has 6");
}

void steps() {
    ccd::Mesh mesh(6, {}, faces);
    ccd::Stats stats{};
    stats.struct_size = sizeof stats;
    ccd::Options options;
    options.stats = &stats;
    ccd::Impact c, first = ccd::step::earliest(mesh, x0, x1, options);
    CHECK(ccd_step_earliest(mesh.handle(), x0.data(), x1.data(), 6, nullptr, &c) == CCD_OK && same_bits(c, first));
    CHECK(stats.boxes > 0 && first.verdict == CCD_CONTACT && first.toi_lo <= 0.5 && first.toi_lo > 0.49);
    std::vector<ccd::Impact> all = ccd::step::collisions(mesh, x0, x1, options);
    CHECK(all.size() >= 3 && same_bits(all[0], first) && stats.impacts == static_cast<std::int64_t>(all.size()));
    std::size_t visited = 0;
    const auto one = [&](ccd::View<ccd::Impact> portion) {
        for (const ccd::Impact &impact : portion) {
            visited += impact.verdict == CCD_CONTACT ? 1 : 0;
        }
        return visited == 0;
    };
    CHECK(ccd::Step(mesh, x0, x1).visit(one) && visited == all.size());
    CHECK(!ccd::Step(mesh, x0, x1).visit([](ccd::View<ccd::Impact>) { return true; }));
    THROWS(ccd::Step(mesh, x0, x1).visit(nullptr), CCD_E_ARGUMENT, "visitor is empty");
    try {
        ccd::Step(mesh, x0, x1).visit([](ccd::View<ccd::Impact>) -> bool { throw 5; });
        CHECK(false);
    } catch (int thrown) {
        CHECK(thrown == 5);
    }
    ccd::Options stopping;
    stopping.on_progress = [](double) { return true; };
    THROWS(ccd::Step(mesh, x0, x1).visit(one, stopping), CCD_E_CANCELLED, "progress");
    std::vector<ccd::Impact> given = ccd::Step(mesh, x0, x1).pairs(ccd::Kind::vertex_face, {{3, 0}, {0, 1}});
    CHECK(given.size() == 2 && given[0].verdict == CCD_CONTACT && given[1].verdict == CCD_SEPARATE);
    const double alpha = ccd::step::size(mesh, x0, x1);
    CHECK(alpha > 0.49 && alpha <= 0.5 && ccd::step::size(mesh, x0, x0) == 1);
    const ccd::step::Advanced moved = ccd::step::advance(mesh, x0, x1);
    CHECK(moved.alpha > 0.4999 && moved.alpha < 0.5 && moved.x.size() == x0.size());
    CHECK(ccd::step::earliest(mesh, x0, moved.x).verdict == CCD_SEPARATE);
    CHECK(ccd::step::advance(mesh, x0, x1, 0.5).alpha < 0.25 && ccd::step::advance(mesh, x0, x0).alpha == 1);
    CHECK(ccd::broad::candidates(mesh, x0, x1).step(x0, x1).advance().x == moved.x);
    THROWS(ccd::step::advance(mesh, x0, x1, 2), CCD_E_ARGUMENT, "share is 2");
    const std::vector<ccd::Interval> times = ccd::Step(mesh, x0, x1).intervals();
    CHECK(!times.empty() && times.size() == ccd::step::collisions(mesh, x0, x1).size() && times[0].enter == 0.5);
    const std::vector<ccd::Interval> of_pairs =
        ccd::Step(mesh, x0, x1).pairs_intervals(ccd::Kind::vertex_face, {{3, 0}, {0, 1}, {3, 0}});
    CHECK(of_pairs.size() == 2 && of_pairs[0].a == 3 && of_pairs[0].b == 0 && of_pairs[1].a == 3);
    CHECK(of_pairs[0].enter == given[0].toi_lo && of_pairs[0].exit >= of_pairs[0].enter);
    CHECK(ccd::Step(mesh, x0, x1).pairs_intervals(ccd::Kind::vertex_face, {}).empty());
    THROWS(ccd::Step(mesh, x0, x1).pairs_intervals(ccd::Kind::vertex_face, {{6, 0}}), CCD_E_INDEX, "pair");
    const ccd::Clearance least = ccd::Step(mesh, x0, x0).clearance();
    CHECK(least.lo <= 1 && least.hi >= 1 && least.hi - least.lo <= 1e-9 && least.kind != 0);
    ccd::Options tight;
    tight.method = CCD_METHOD_TIGHT_INCLUSION;
    THROWS(ccd::Step(mesh, x0, x1).intervals(tight), CCD_E_UNSUPPORTED, "options.method");
    const ccd::step::Sizes each = ccd::Step(mesh, x0, x1).sizes();
    CHECK(each.alpha.size() == 6 && each.y.size() == x0.size() && each.report.passes >= 2 && each.report.resting == 0);
    CHECK(each.report.used > 0 && each.report.used < 1 && each.alpha[3] >= each.report.floor);
    CHECK(ccd::step::earliest(mesh, x0, each.y).verdict == CCD_SEPARATE);
    const std::vector<std::int32_t> body = {0, 0, 0, 1, 1, 1};
    ccd::step::SizesOptions how;
    how.groups = body;
    how.share = 0.5;
    const ccd::step::Sizes bodies = ccd::Step(mesh, x0, x1).sizes(how);
    CHECK(bodies.alpha[3] == bodies.alpha[4] && bodies.alpha[4] == bodies.alpha[5] && bodies.alpha[3] < each.alpha[3]);
    how.share = 2;
    THROWS(ccd::Step(mesh, x0, x1).sizes(how), CCD_E_ARGUMENT, "share is 2");
    responses(mesh);
    scenes(mesh);
    const std::vector<ccd::Gradient> slopes = ccd::Step(mesh, x0, x1).gradients(given);
    CHECK(slopes.size() == 2 && slopes[0].state == CCD_GRADIENT_DEFINED && slopes[1].state == CCD_GRADIENT_NO_IMPACT);
    CHECK(slopes[0].vertices[0] == 3 && slopes[0].x1[2] > 0 && slopes[0].toi == given[0].toi_lo);
    CHECK(ccd::Step(mesh, x0, x1).gradients(ccd::View<ccd::Impact>()).empty());
    ccd::Impact beyond = given[0];
    beyond.a = 9;
    THROWS(ccd::Step(mesh, x0, x1).gradients(std::vector<ccd::Impact>{beyond}), CCD_E_INDEX, "impacts[0].a is 9");
    const std::vector<double> points4 = {-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    ccd::Options apart;
    apart.min_separation = 0.5;
    const std::vector<ccd::Gradient> two = ccd::pairs::gradients(ccd::Kind::point_point, points4, apart);
    CHECK(two.size() == 1 && two[0].state == CCD_GRADIENT_DEFINED && two[0].toi == 0.25 && two[0].x1[0] == -0.125);
    THROWS(ccd::pairs::gradients(ccd::Kind::point_edge, points4), CCD_E_ARGUMENT, "q has 12 numbers");
    THROWS(ccd::step::size(mesh, x0, {0., 0., 0.}), CCD_E_ARGUMENT, "x0 has 6 vertices, x1 has 1");
    std::vector<std::array<double, 3>> points = {{0, 0, 0}};
    THROWS(ccd::step::size(mesh, points, points), CCD_E_ARGUMENT,
           "n is 1: x0 and x1 have one row per vertex, and the mesh has 6");
}

// Vertices on a device: the members of the options reach the library, which names them.
void device_arrays() {
    ccd::Mesh mesh(6, {}, faces);
    ccd::DeviceArray a{}, b{};
    ccd::Options options;
    options.device_x0 = &a;
    const auto call = [&] { return ccd::step::earliest(mesh, ccd::on_device(6), ccd::on_device(6), options); };
    THROWS(call(), CCD_E_ARGUMENT, "one of options.device_x0 and options.device_x1 is NULL");
    options.device_x1 = &b;
    THROWS(ccd::step::earliest(mesh, x0, x1, options), CCD_E_ARGUMENT, "x0 is not NULL");
    THROWS(ccd::step::size(mesh, ccd::on_device(5), ccd::on_device(5), options), CCD_E_ARGUMENT, "the mesh has 6");
    THROWS(call(), CCD_E_ARGUMENT, "options.device_x0.dtype is 0");
    a.dtype = b.dtype = CCD_FLOAT32;
    THROWS(ccd::step::advance(mesh, ccd::on_device(6), ccd::on_device(6), 1, options), CCD_E_ARGUMENT,
           "options.device_x0.data is NULL");
    std::array<double, 24> q{};
    q[2] = 9;
    THROWS(ccd::pair::vertex_face(q, options), CCD_E_UNSUPPORTED, "options.device_x0");
}

// Known candidates, line search, active set and slabs, against the whole step.
void parts() {
    ccd::Mesh mesh(6, {}, faces);
    const ccd::Impact first = ccd::step::earliest(mesh, x0, x1);
    const std::vector<ccd::Impact> all = ccd::step::collisions(mesh, x0, x1);
    const double size = ccd::step::size(mesh, x0, x1);

    const ccd::broad::Candidates known = ccd::broad::candidates(mesh, x0, x1);
    CHECK(same_bits(known.step(x0, x1).earliest(), first) && known.step(x0, x1).collisions().size() == all.size());
    CHECK(known.step(x0, x1).size() == size && known.step(x0, x0).size() == 1);
    const std::vector<ccd::Interval> times = ccd::Step(mesh, x0, x1).intervals(), among = known.step(x0, x1).intervals();
    CHECK(!times.empty() && among.size() == times.size());
    for (std::size_t i = 0; i < among.size(); ++i) {
        CHECK(among[i].enter == times[i].enter && among[i].exit == times[i].exit && among[i].kind == times[i].kind &&
              among[i].a == times[i].a && among[i].b == times[i].b);
    }
    std::vector<double> outside = x1;
    outside[3 * 3 + 2] = -1.5;
    THROWS(known.step(x0, outside).size(), CCD_E_ARGUMENT, "x1[3][2] is -1.5: outside of [-1, 1]");

    ccd::Options options;
    THROWS(ccd::Step(mesh, x0, x1).linesearch(0.25, options), CCD_E_ARGUMENT, "options.min_separation");
    options.min_separation = 0.5;
    const ccd::LinesearchBound bound = ccd::Step(mesh, x0, x1).linesearch(0.25, options);
    CHECK(bound.distance == 0.5 && bound.separation == 0.125 && bound.alpha > 0.43 && bound.alpha < 0.4375);
    const std::vector<ccd::Impact> two = ccd::Step(mesh, x0, x1).first_impacts(2);
    CHECK(two.size() == 2 && same_bits(two[0], all[0]) && same_bits(two[1], all[1]));
    CHECK(ccd::Step(mesh, x0, x1).first_impacts(all.size() + 1).size() == all.size());
    THROWS(ccd::Step(mesh, x0, x1).first_impacts(0), CCD_E_ARGUMENT, "count is 0: must be at least 1");
    const std::vector<std::int32_t> corner = {all[0].a < 0 ? 0 : static_cast<std::int32_t>(all[0].a)};
    ccd::Group top, bottom;
    top.vertices = corner;
    const std::vector<std::int32_t> face = {static_cast<std::int32_t>(all[0].b)};
    bottom.faces = face;
    const std::vector<ccd::Impact> one = ccd::Step(mesh, x0, x1).between(top, bottom).collisions();
    CHECK(all[0].kind == CCD_VERTEX_FACE && one.size() == 1 && same_bits(one[0], all[0]));
    THROWS(known.step(x0, x1).between(top, top), CCD_E_INDEX, "b.vertices[0] is ");
    THROWS(known.step(x0, x1).earliest(options), CCD_E_ARGUMENT, "candidates are for a separation of 0, not 0.5");

    const std::vector<ccd::Constraint> active = ccd::Step(mesh, x0, x1).activeset(options);
    CHECK(!active.empty() && same_bits(active[0].impact, ccd::step::earliest(mesh, x0, x1, options)));
    CHECK(active.size() == ccd::step::collisions(mesh, x0, x1, options).size());

    std::size_t owned = 0; // pairs that the two halves of space along z own
    const double inf = std::numeric_limits<double>::infinity();
    const ccd_region halves[] = {{{-inf, -inf, -inf}, {inf, inf, 0.5}}, {{-inf, -inf, 0.5}, {inf, inf, inf}}};
    for (const ccd_region &half : halves) {
        ccd::Options own;
        own.region = &half;
        owned += ccd::step::collisions(mesh, x0, x1, own).size();
        THROWS(ccd::Step(mesh, x0, x1).activeset(own), CCD_E_UNSUPPORTED, "options.region");
    }
    CHECK(owned == all.size());
}

// A step borrows its arrays, holds what it is made of, and lives on where it is moved.
void step_values() {
    std::vector<double> a = x0, b = x1;
    std::unique_ptr<ccd::Step> step;
    ccd::Impact first;
    {
        const ccd::Mesh mesh(6, {}, faces);
        first = ccd::step::earliest(mesh, a, b);
        step = std::make_unique<ccd::Step>(mesh, a, b);
    } // the step holds the mesh
    CHECK(same_bits(step->earliest(), first) && step->vertices() == 6);
    std::vector<double> many0 = a, many1 = a; // two worlds: one at rest, one that falls
    many0.insert(many0.end(), a.begin(), a.end());
    many1.insert(many1.end(), b.begin(), b.end());
    const ccd::Mesh mesh(6, {}, faces);
    const std::vector<ccd::Impact> worlds = ccd::step::earliest_batch(mesh, many0, many1);
    CHECK(worlds.size() == 2 && worlds[0].verdict == CCD_SEPARATE && same_bits(worlds[1], first));
    const ccd::step::AdvancedWorlds moved = ccd::step::advance_batch(mesh, many0, many1, 0.5);
    const ccd::step::Advanced alone = ccd::step::advance(mesh, a, b, 0.5);
    CHECK(moved.alpha == std::vector<double>({0.5, alone.alpha}) && same_bits(moved.impacts[1], first));
    CHECK(std::equal(alone.x.begin(), alone.x.end(), moved.x.begin() + 18) && moved.x.size() == 36);
    THROWS(ccd::step::advance_batch(mesh, many0, many1, 0), CCD_E_ARGUMENT, "share is 0");
    many0.resize(24), many1.resize(24);
    THROWS(ccd::step::advance_batch(mesh, many0, many1), CCD_E_ARGUMENT, "x0 has 8 rows: must be a multiple");
    THROWS(ccd::step::earliest_batch(mesh, many0, many1), CCD_E_ARGUMENT, "x0 has 8 rows: must be a multiple");
    const ccd::Step other = std::move(*step);
    CHECK(same_bits(other.earliest(), first) && other.handle() != nullptr);
    std::copy(a.begin(), a.end(), b.begin()); // the same memory, other positions
    CHECK(other.earliest().verdict == CCD_SEPARATE && other.size() == 1);
    THROWS(ccd::Step(ccd::Mesh(5, {}, std::vector<std::int32_t>{0, 1, 2}), a, b), CCD_E_ARGUMENT, "and the mesh has 5");
    THROWS(ccd::Step(ccd::Mesh(6, {}, faces), a, std::vector<double>(3)), CCD_E_ARGUMENT, "x1 has 1");
}

// A progress function may cancel, and it may throw: the exception comes out behind the call, not through the library.
void progress() {
    ccd::Mesh mesh(6, {}, faces);
    ccd::Options options;
    int calls = 0;
    std::vector<double> q;
    for (int i = 0; i < 600; i++) {
        q.insert(q.end(), falling, falling + 24);
    }
    options.on_progress = [&](double fraction) {
        CHECK(fraction >= 0 && fraction <= 1);
        calls++;
        return false;
    };
    CHECK(ccd::pairs::vertex_face(q, options).size() == 600 && calls > 0);
    options.on_progress = [](double) { return true; };
    THROWS(ccd::pairs::vertex_face(q, options), CCD_E_CANCELLED, "cancelled");
    options.on_progress = [](double) -> bool { throw std::out_of_range("mine"); };
    try {
        ccd::pairs::vertex_face(q, options);
        CHECK(false); // it should have thrown
    } catch (const std::out_of_range &e) {
        CHECK(std::string(e.what()) == "mine");
    }
}

void files() {
    const std::string path = scratch_file("bindings.off");
    std::FILE *f = std::fopen(path.c_str(), "w");
    std::fputs("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", f);
    std::fclose(f);
    ccd::file::Surface s = ccd::file::read(path);
    std::remove(path.c_str());
    CHECK(s.vertices.size() == 12 && s.faces.size() == 6 && s.edges.empty());
    THROWS(ccd::file::read("/nowhere/at.all"), CCD_E_FILE, "/nowhere/at.all");
    const std::vector<double> x{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    s = ccd::file::clean(x, {}, std::vector<std::int32_t>{0, 1, 2, 1, 2, 0, 0, 1, 1});
    CHECK(s.faces.size() == 3 && s.unused == std::vector<std::int32_t>{3} && s.remarks.left_out.size() == 3);
    CHECK(s.remarks.left_out[1].what == "faces given twice" && s.remarks.left_out[1].count == 1);
    CHECK(s.mesh().vertices() == 4);
    CHECK(ccd::step::collisions(s.mesh(), x, x).empty());
    THROWS(ccd::Mesh(4, {}, s.faces, std::vector<std::uint8_t>{1, 0, 0, 0}), CCD_E_ARGUMENT, "ignored[0]");
    std::vector<std::int32_t> places;
    CHECK(ccd::weld(x, 0, places) == 3 && places == (std::vector<std::int32_t>{0, 1, 2, 0}));
    THROWS(ccd::weld(x, 49, places), CCD_E_ARGUMENT, "bits is 49");
    const std::vector<std::array<double, 3>> arrow{{{0, 0, 0}}, {{2, -1, 0}}, {{1, 0, 0}}, {{2, 1, 0}}};
    std::vector<std::int32_t> triangles;
    CHECK(ccd::cut_polygons(arrow, {0, 1, 2, 3}, {4}, triangles) == 0 && triangles.size() == 6);
    CHECK(std::count(triangles.begin(), triangles.end(), 2) == 2); // both triangles have the concave corner
    THROWS(ccd::cut_polygons(arrow, {0, 1, 2}, {4}, triangles), CCD_E_ARGUMENT, "corners has 3 items");
    f = std::fopen(path.c_str(), "w");
    std::fputs(
        "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nCELLS 2 7\n"
        "3 0 1 2\n2 0 1\nCELL_TYPES 2\n5\n3\nPOINT_DATA 3\nVECTORS u float\n1 2 3 4 5 6 7 8 9\n",
        f);
    std::fclose(f);
    const ccd::Cells cells = ccd::volume::read(path);
    s = ccd::file::read(path);
    std::remove(path.c_str());
    CHECK(cells.remarks.fields.size() == 1 && cells.remarks.fields[0].name == "u" &&
          cells.remarks.fields[0].values[8] == 9);
    CHECK(cells.remarks.left_out.size() == 1 && cells.remarks.left_out[0].what == "lines");
    CHECK(s.remarks.fields[0].components == 3 && s.edges.size() == 2 && s.remarks.left_out.empty());
    CHECK(s.mesh().edges().size() == 3 && s.mesh().edges()[0] == (std::array<std::int32_t, 2>{{0, 1}}));
}

void proximity() {
    ccd::Mesh mesh(6, {}, faces);
    std::vector<double> x = x0;
    for (std::size_t i = 3; i < 6; i++) {
        x[3 * i + 2] = 0.25;
    }
    CHECK(!ccd::proximity::intersects(mesh, x));
    CHECK(ccd::proximity::intersections(mesh, x).empty());
    const std::vector<ccd::NearPair> near = ccd::proximity::near(mesh, x, 0.3);
    CHECK(near.size() == 3 && near[0].kind == CCD_VERTEX_FACE && near[0].distance_lo <= 0.25 &&
          near[0].distance_hi >= 0.25);
    CHECK(ccd::proximity::near(mesh, x, 0.2).empty());
    const ccd::NearPair nearest = ccd::proximity::distance(mesh, x);
    CHECK(nearest.kind == CCD_VERTEX_FACE && nearest.distance_lo <= 0.25 && nearest.distance_hi >= 0.25);
    x[3 * 3 + 2] = -0.25;
    CHECK(ccd::proximity::intersects(mesh, x));
    const std::vector<ccd::Intersection> found = ccd::proximity::intersections(mesh, x);
    CHECK(found.size() == 2 && found[0].kind == static_cast<std::int32_t>(ccd::Kind::edge_face));
    const ccd::NearPair through = ccd::proximity::distance(mesh, x);
    CHECK(through.kind == CCD_EDGE_FACE && through.a == found[0].a && through.b == found[0].b && through.distance_hi == 0);
    THROWS(ccd::proximity::near(mesh, x, -1), CCD_E_ARGUMENT, "d is -1");
    x.resize(15);
    THROWS(ccd::proximity::intersects(mesh, x), CCD_E_ARGUMENT, "n is 5");
}

void checked_start() {
    ccd::Mesh mesh(6, {}, faces);
    std::vector<double> x = x0;
    x[3 * 3 + 2] = -0.25; // a vertex of one triangle is below the other
    CHECK(ccd::step::earliest(mesh, x, x).verdict == CCD_SEPARATE && ccd::step::size(mesh, x, x) == 1);
    ccd::Options checked;
    checked.flags |= CCD_CHECK_START;
    const std::vector<ccd::Impact> found = ccd::step::collisions(mesh, x, x, checked);
    CHECK(found.size() == 2 && found[0].kind == static_cast<std::int32_t>(ccd::Kind::edge_face) && found[0].toi_lo == 0 &&
          (found[0].flags & CCD_INTERSECTING) != 0);
    const ccd::Impact hit = ccd::step::earliest(mesh, x, x, checked);
    CHECK(hit.kind == found[0].kind && hit.a == found[0].a && hit.b == found[0].b &&
          ccd::step::size(mesh, x, x, checked) == 0);
    THROWS(ccd::Step(mesh, x, x).activeset(checked), CCD_E_ARGUMENT, "passes through face");
    CHECK(ccd::step::earliest(mesh, x0, x0, checked).verdict == CCD_SEPARATE);
}

#if __cplusplus >= 202002L
void spans() {
    std::span<const double> a(x0), b(x1);
    ccd::Mesh mesh(6, {}, std::span<const std::int32_t>(faces));
    CHECK(same_bits(ccd::step::earliest(mesh, a, b), ccd::step::earliest(mesh, x0, x1)));
    CHECK(ccd::pair::vertex_face(std::span<const double>(falling)).verdict == CCD_CONTACT);
}
#endif

#if CCD_HAS_EIGEN
// Any storage order and scalar; the answers are those of the flat arrays.
void eigen() {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
    const RowMajor r0 = Eigen::Map<const RowMajor>(x0.data(), 6, 3), r1 = Eigen::Map<const RowMajor>(x1.data(), 6, 3);
    const Eigen::MatrixXd c0 = r0, c1 = r1;
    Eigen::MatrixXi f(2, 3);
    f << 0, 1, 2, 3, 4, 5;
    const Eigen::Matrix<std::int64_t, Eigen::Dynamic, 3> wide = f.cast<std::int64_t>();
    ccd::Mesh mesh(6, {}, f), other(6, {}, wide);
    CHECK(mesh.faces() == other.faces());
    const ccd::Impact first = ccd::step::earliest(mesh, x0, x1);
    CHECK(same_bits(first, ccd::step::earliest(mesh, r0, r1)));
    CHECK(same_bits(first, ccd::step::earliest(mesh, c0, c1)));
    CHECK(same_bits(first, ccd::step::earliest(mesh, c0, c0 + (c1 - c0))));
    CHECK(ccd::Points(r0).data() == r0.data()); // borrowed
    CHECK(ccd::Points(c0).data() != c0.data()); // copied
    RowMajor padded_storage = RowMajor::Zero(12, 3);
    for (int i = 0; i < 6; i++) {
        padded_storage.row(2 * i) = r0.row(i);
    }
    Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>> padded(padded_storage.data(), 6, 3, Eigen::OuterStride<>(6));
    CHECK(same_bits(first, ccd::step::earliest(mesh, padded, r1)));
    THROWS(ccd::step::earliest(mesh, Eigen::MatrixXd::Zero(6, 2), r1), CCD_E_ARGUMENT, "2 columns");
    Eigen::Matrix<std::int64_t, 1, 3> huge(0, 1, std::int64_t{1} << 40);
    THROWS(ccd::Mesh(6, {}, huge), CCD_E_INDEX, "faces[0][2] is 1099511627776: must be a 32-bit integer");
}
#endif

} // namespace

int main() {
    versions();
    thick();
    one_pair();
    batch();
    meshes();
    filters();
    steps();
    step_values();
    device_arrays();
    parts();
    proximity();
    checked_start();
    progress();
    files();
#if __cplusplus >= 202002L
    spans();
#endif
#if CCD_HAS_EIGEN
    eigen();
#endif
    return failures != 0;
}
