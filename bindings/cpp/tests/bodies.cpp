// bodies.cpp - every function of ccd.hpp on rigid bodies, volumes and curved patches once, against the C call of the same name. Compiled as
// C++17 and C++20.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

namespace {

/// Row i and column j, as Eigen's matrices have them.
struct Entries {
    ccd::rigid::Rows rows;
    double operator()(int i, int j) const { return rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }
};

void poses() {
    using namespace ccd::rigid;
    const Pose none;
    CHECK(none.rotation[0] == 1 && none.rotation[3] == 0 && none.position[2] == 0);
    CHECK(same_bits(pose_from_matrix(matrix(none)), none));
    const double unit[][4] = {{1, 2, 3, 4}, {0, 1, 2, 2},  {0, 0, 1, 0},    {0, 1, 0, 0},
                              {0, 0, 0, 1}, {-1, 5, 1, 1}, {1e-9, 1, 0, 0}, {2, 0, 0, 0}};
    for (const auto &q : unit) { // each component is the largest of some
        Pose pose;
        pose.rotation = {q[0], q[1], q[2], q[3]};
        pose.position = {1, -2, 3};
        const Rows m = matrix(pose);
        const Pose rows = pose_from_matrix(m), entries = pose_from_matrix(Entries{m});
        CHECK(same_bits(rows, entries) && rows.position == pose.position);
        const Rows again = matrix(rows);
        double dot = 0, length = 0;
        for (std::size_t i = 0; i < 4; i++) {
            dot += q[i] * rows.rotation[i];
            length += q[i] * q[i];
            for (std::size_t j = 0; j < 4; j++) {
                CHECK(std::abs(again[i][j] - m[i][j]) < 2e-15);
            }
        }
        CHECK(std::abs(std::abs(dot) / std::sqrt(length) - 1) < 1e-15);
    }
    // A quarter turn about z takes x to y, and the library turns the same way.
    Rows quarter = {{{{0, -1, 0, 0}}, {{1, 0, 0, 0}}, {{0, 0, 1, 5}}, {{0, 0, 0, 1}}}};
    const Motion way = motion_between(none, pose_from_matrix(quarter));
    CHECK(std::abs(way.angular_velocity[2] - std::acos(0.0)) < 1e-15 && way.velocity[2] == 5);
    Rows wrong = quarter;
    wrong[3][0] = 1;
    THROWS(pose_from_matrix(wrong), CCD_E_ARGUMENT, "the last row is not 0, 0, 0, 1");
    wrong = quarter;
    wrong[0][1] = -2;
    THROWS(pose_from_matrix(wrong), CCD_E_ARGUMENT, "off the identity by 3;");
    wrong[0][1] = 1;
    THROWS(pose_from_matrix(wrong), CCD_E_ARGUMENT, "the determinant is -1");
    for (std::size_t i = 0; i < 9; i++) {
        wrong = quarter;
        wrong[i / 3][i % 3] = std::nan("");
        THROWS(pose_from_matrix(wrong), CCD_E_NONFINITE, "is nan: not finite");
    }
}

void rigid() {
    const std::vector<double> tetra = {0, 0, 0, 1, 0, 1, -1, 1, 1, -1, -1, 1},
                              plate = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
    const std::int32_t sides[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}, halves[] = {0, 1, 2, 0, 2, 3};
    ccd::rigid::Body cone(tetra, sides), ground(plate, halves);
    ccd::rigid::Motion down, still;
    down.position[2] = 1;
    down.velocity[2] = -2;
    down.angular_velocity[2] = 3;
    ccd::RigidImpact c, cxx = ccd::rigid::earliest(cone, down, ground, still);
    CHECK(ccd_rigid_earliest(cone.handle(), &down, ground.handle(), &still, nullptr, &c) == CCD_OK && same_bits(c, cxx));
    CHECK(cxx.verdict == CCD_CONTACT && cxx.toi_lo < 0.5 && cxx.toi_lo > 0.5 - 1e-9);
    const std::vector<ccd::rigid::Motion> ma = {down, still}, mb = {still, still};
    const std::vector<ccd::RigidImpact> all = ccd::rigid::earliest_batch(cone, ma, ground, mb);
    CHECK(all.size() == 2 && same_bits(all[0], cxx) && all[1].flags == CCD_INITIAL_CONTACT);
    ccd::Options half;
    half.t_max = 0.25;
    CHECK(ccd::rigid::earliest(cone, down, ground, still, half).verdict == CCD_SEPARATE);
    const ccd::rigid::Pose there = ccd::rigid::motion_pose(down, 0.25);
    CHECK(there.position[2] == 0.5);
    const ccd::rigid::Motion way = ccd::rigid::motion_between(ccd::rigid::motion_pose(down, 0), there, 0.25);
    CHECK(way.velocity[2] == -2 && std::abs(way.angular_velocity[2] - down.angular_velocity[2]) < 1e-14);
    CHECK(ccd::rigid::motion_screw(there, {1, 0, 0}, {0, 0, 2}, 3).velocity[2] == 3);
    const ccd::rigid::Motion made({{{1, 0, 0, 0}}, {{0, 0, 1}}}, {0, 0, -2}, {0, 0, 3});
    CHECK(same_bits(made, down) && same_bits(ccd::rigid::earliest(cone, made, ground, ccd::rigid::Pose()), cxx));
    ccd::rigid::Pose turned; // a quarter about z
    turned.rotation = {1, 0, 0, 1};
    turned.position = {5, 0, 0};
    const ccd::rigid::Motion about(turned, {0, 0, 1}, {0, 0, 2}, {1, 0, 0});
    CHECK(about.pivot[0] == 1 && std::abs(about.position[0] - 5) < 1e-15 && std::abs(about.position[1] - 1) < 1e-15);
    const std::vector<double> world = about.at(2, {1, 0, 0, 2, 0, 0}), body = about.back(2, world);
    CHECK(world.size() == 6 && std::abs(world[0] - 5) < 1e-14 && std::abs(world[1] - 1) < 1e-14 && world[2] == 2);
    CHECK(std::abs(std::hypot(world[3] - 5, world[4] - 1) - 1) < 1e-14);
    for (std::size_t i = 0; i < 6; i++) {
        CHECK(std::abs(body[i] - (i == 0 ? 1 : i == 3 ? 2 : 0)) < 1e-14);
    }
    turned.rotation = {};
    THROWS(ccd::rigid::Motion(turned, {}, {}, {1, 0, 0}), CCD_E_ARGUMENT, "rotation");
    ccd::rigid::Scene scene;
    scene.add(cone, down);
    scene.add(ground, still);
    const ccd::RigidSceneImpact first = scene.earliest();
    CHECK(first.a == 0 && first.b == 1 && same_bits(first.impact, cxx));
    const std::vector<ccd::RigidSceneImpact> impacts = scene.collisions();
    CHECK(impacts.size() == 1 && same_bits(impacts[0], first));
    scene.skip = {{1, 0}};
    CHECK(scene.collisions().empty() && scene.earliest().impact.verdict == CCD_SEPARATE);
    const std::vector<double> raised = {-5, -5, 1, 5, -5, 1, 5, 5, 1, -5, 5, 1};
    ccd::Mesh sheet(4, {}, halves);
    const ccd::RigidMeshImpact met = scene.mesh_earliest(sheet, plate, raised); /* 1 - 2 t meets t */
    CHECK(met.body == 1 && met.impact.flags == CCD_INITIAL_CONTACT && met.impact.toi_lo == 0);
    scene.bodies.pop_back();
    scene.motions.pop_back();
    const std::vector<ccd::RigidMeshImpact> mesh_impacts = scene.mesh_collisions(sheet, plate, raised);
    CHECK(mesh_impacts.size() == 2 && same_bits(mesh_impacts[0], scene.mesh_earliest(sheet, plate, raised)));
    CHECK(mesh_impacts[0].impact.toi_lo < 1.0 / 3 && mesh_impacts[0].impact.toi_lo > 1.0 / 3 - 1e-9);
    scene.add(ground, still);
    scene.groups = {1};
    THROWS(scene.earliest(), CCD_E_ARGUMENT, ", as bodies");
    half.t_min = 1; // above t_max
    THROWS(ccd::rigid::earliest(cone, down, ground, still, half), CCD_E_ARGUMENT, "options.t_max");
    THROWS(ccd::rigid::earliest_batch(cone, ma, ground, {still}), CCD_E_ARGUMENT, "mb has 1 motions: must have ");
    THROWS(ccd::rigid::Body(plate, {0, 1, 4}), CCD_E_INDEX, "faces[0][2]");
}

void shapes() {
    using ccd::rigid::Body;
    const Body box = Body::box({2, 4, 6}), ball = Body::sphere(0.5), capsule = Body::capsule(0.25, 2);
    const Body cylinder = Body::cylinder(1, 2, 1e-3), cone = Body::cone(1, 2), padded = box.padded(0.5);
    const std::vector<double> points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const Body hull = Body::hull(points);
    ccd::rigid::Pose here, there;
    there.position = {4, 0, 0};
    const struct {
        const Body &body;
        double distance;
    } all[] = {{box, 2.5}, {ball, 3}, {capsule, 3.25}, {cylinder, 2.5}, {cone, 2.5}, {padded, 2}, {hull, 2.5}};
    for (const auto &one : all) {
        const ccd::RigidGap gap = ccd::rigid::distance(one.body, here, ball, there);
        const double wide = one.body.describe().deviation + 1e-10;
        CHECK(gap.hi - gap.lo <= wide && gap.lo <= one.distance + 1 && gap.hi > 0);
        if (&one.body != &cone) { // whose slanted side is nearest
            CHECK(gap.lo <= one.distance && gap.hi >= one.distance);
        }
    }
    CHECK(padded.describe().radius == 0.5 && padded.describe().solid == 1 && ball.describe().solid == 0);
    CHECK(ccd::rigid::distance(box, here, ball, here).flags == (CCD_GAP_INTERSECTING | CCD_GAP_INSIDE));
    THROWS(Body::sphere(-1), CCD_E_ARGUMENT, "radius is -1");
    THROWS(box.padded(-1), CCD_E_ARGUMENT, "padding is -1");
    CHECK(box.deviating(0.25).describe().deviation == 0.25 && box.deviating(0.25).describe().radius == 0);
    THROWS(box.deviating(-1), CCD_E_ARGUMENT, "deviation is -1");
    THROWS(Body::cylinder(1, 1, -1), CCD_E_ARGUMENT, "deviation is -1");
}

void depths() {
    using ccd::rigid::Body;
    Body cube = Body::box({2, 2, 2}), ball = Body::sphere(0.5);
    ccd::rigid::Pose beside, here;
    beside.position = {1.25, 0.25, 0};
    ccd_rigid_pose x = {{1, 0, 0, 0}, {1.25, 0.25, 0}}, y = {{1, 0, 0, 0}, {0, 0, 0}};
    ccd::RigidPenetration c, cxx = ccd::rigid::penetration_depth(cube, beside, cube, here);
    CHECK(ccd_rigid_penetration_depth(cube.handle(), &x, cube.handle(), &y, nullptr, &c) == CCD_OK && same_bits(c, cxx));
    CHECK(cxx.lo <= 0.75 && cxx.hi >= 0.75 && cxx.hi - cxx.lo < 1e-14 && cxx.normal[0] == 1);
    const std::vector<ccd::rigid::Pose> pa = {beside, here}, pb = {here, here}, one = {here};
    const std::vector<ccd::RigidPenetration> all = ccd::rigid::penetration_batch(cube, pa, cube, pb);
    CHECK(all.size() == 2 && same_bits(all[0], cxx) && all[1].lo <= 2 && all[1].hi >= 2);
    const auto slopes = ccd::rigid::penetration_gradients(ball, pa, cube, pb);
    CHECK(slopes.size() == 2 && slopes[0].state == CCD_GRADIENT_DEFINED && slopes[1].state == CCD_GRADIENT_TIE);
    CHECK(slopes[0].position_b[0] == 1 && std::abs(slopes[0].rotation_b[2] + 0.25) < 1e-12);
    THROWS(ccd::rigid::penetration_batch(cube, pa, cube, one), CCD_E_ARGUMENT, "pb has 1 poses: must have ");
    THROWS(ccd::rigid::penetration_gradients(cube, pa, cube, one), CCD_E_ARGUMENT, "pb has 1 poses: must have ");
}

void untangling() {
    const std::vector<std::int32_t> faces = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7};
    const std::vector<double> x = {0,    0,    0,    1,    0,    0,    0,    1,    0,    0,    0,    1,
                                   0.25, 0.25, 0.25, 1.25, 0.25, 0.25, 0.25, 1.25, 0.25, 0.25, 0.25, 1.25};
    ccd::Mesh mesh(8, {}, faces);
    const std::vector<ccd::Crossing> found = ccd::proximity::crossings(mesh, x);
    CHECK(found.size() == 1 && found[0].a == 0 && found[0].b == 4 && found[0].pairs == 3);
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> masses = {inf, inf, inf, inf, 1, 1, 1, 1};
    std::vector<double> y;
    const ccd::Untangled done = ccd::proximity::untangle(mesh, x, y, masses);
    CHECK(done.clean == 1 && done.before == 3 && done.after == 0 && !ccd::proximity::intersects(mesh, y));
    CHECK(y.size() == x.size() && std::equal(x.begin(), x.begin() + 12, y.begin()));
    const std::vector<double> few = {1};
    THROWS(ccd::proximity::untangle(mesh, x, y, few), CCD_E_ARGUMENT, "masses has ");
}

void gaps() {
    const std::vector<double> tetra = {0, 0, 0, 1, 0, 1, -1, 1, 1, -1, -1, 1},
                              plate = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
    const std::int32_t sides[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}, halves[] = {0, 1, 2, 0, 2, 3};
    ccd::rigid::Body cone(tetra, sides), ground(plate, halves);
    ccd::rigid::Pose above, here;
    above.position = {0.25, 0.5, 0.75};
    ccd_rigid_pose x = {{1, 0, 0, 0}, {0.25, 0.5, 0.75}}, y = {{1, 0, 0, 0}, {0, 0, 0}};
    ccd::RigidGap c, cxx = ccd::rigid::distance(cone, above, ground, here);
    CHECK(ccd_rigid_distance(cone.handle(), &x, ground.handle(), &y, nullptr, &c) == CCD_OK && same_bits(c, cxx));
    CHECK(cxx.lo <= 0.75 && cxx.hi >= 0.75 && cxx.hi - cxx.lo < 1e-10);
    ccd::rigid::Pose touching = above;
    touching.position[2] = 0;
    const std::vector<ccd::rigid::Pose> pa = {above, touching}, pb = {here, here};
    const std::vector<ccd::RigidGap> all = ccd::rigid::distance_batch(cone, pa, ground, pb);
    CHECK(all.size() == 2 && same_bits(all[0], cxx) && all[1].flags == CCD_GAP_INTERSECTING && all[1].hi == 0);
    const std::vector<ccd::RigidGapGradient> slopes = ccd::rigid::distance_gradients(cone, pa, ground, pb);
    ccd_rigid_gap_gradient slope;
    CHECK(ccd_rigid_distance_gradients(cone.handle(), &x, ground.handle(), &y, 1, nullptr, &slope) == CCD_OK);
    CHECK(slopes.size() == 2 && same_bits(slopes[0], slope) && slope.state == CCD_GRADIENT_DEFINED);
    CHECK(slope.position_a[2] == 1 && slopes[1].state == CCD_GRADIENT_INITIAL);
    CHECK(!ccd::rigid::intersects(cone, above, ground, here) && ccd::rigid::intersects(cone, touching, ground, here));
    const std::vector<ccd::rigid::Pose> one = {here};
    THROWS(ccd::rigid::distance_batch(cone, pa, ground, one), CCD_E_ARGUMENT, "pb has 1 poses: must have ");
    THROWS(ccd::rigid::distance_gradients(cone, pa, ground, one), CCD_E_ARGUMENT, "pb has 1 poses: must have ");
    ccd::Options coarse;
    coarse.tolerance = 0.25;
    cxx = ccd::rigid::distance(cone, above, ground, here, coarse);
    CHECK(cxx.lo <= 0.75 && cxx.hi >= 0.75 && cxx.hi - cxx.lo <= 0.25);
    ccd::rigid::Motion down, still;
    down.position[2] = 1;
    down.velocity[2] = -0.75;
    cxx = ccd::rigid::clearance(cone, down, ground, still);
    CHECK(ccd_rigid_clearance(cone.handle(), &down, ground.handle(), &still, nullptr, &c) == CCD_OK && same_bits(c, cxx));
    CHECK(cxx.lo <= 0.25 && cxx.hi >= 0.25 && cxx.hi - cxx.lo < 1e-7 && std::abs(cxx.time - 1) < 1e-6);
    const std::vector<ccd::RigidGap> curve = ccd::rigid::profile(cone, down, ground, still, {0, 1});
    CHECK(curve.size() == 2 && curve[1].time == 1 && curve[0].lo <= 1 && curve[0].hi >= 1 && cxx.lo <= curve[1].hi);
    THROWS(ccd::rigid::profile(cone, down, ground, still, {0, NAN}), CCD_E_NONFINITE, "times[1] is NaN");
    ccd::rigid::Scene scene;
    scene.add(cone, still);
    scene.add(ground, still);
    const std::vector<ccd::rigid::Pose> at = {above, here};
    const std::vector<ccd::RigidSceneGap> near = scene.within(at, 1);
    CHECK(near.size() == 1 && near[0].a == 0 && near[0].b == 1 && near[0].gap.lo <= 0.75 && near[0].gap.hi >= 0.75);
    CHECK(scene.within(at, 0.5).empty());
    THROWS(scene.within(one, 1), CCD_E_ARGUMENT, "poses has 1 items: must have 2, as bodies");
}

void contacts() {
    const ccd::rigid::Body table = ccd::rigid::Body::box({4, 4, 2}), box = ccd::rigid::Body::box({1, 1, 1});
    ccd::rigid::Pose on, here;
    on.position = {0, 0, 1.5};
    const ccd::rigid::Manifold found = ccd::rigid::manifold(box, on, table, here, 1e-6, true);
    CHECK(found.points.size() == 4 && found.flags == 0 && found.points[0].normal[2] == 1 && found.points[3].gap_lo <= 0);
    on.position[2] = 1;
    CHECK((ccd::rigid::manifold(box, on, table, here, 1e-6).flags & CCD_MANIFOLD_CROSSING) != 0);
    CHECK(ccd::rigid::manifold(box, on, table, here, 1e-6, CCD_MANIFOLD_LEAD_OUT).points.size() == 4);
    THROWS(ccd::rigid::manifold(box, on, table, here, -1), CCD_E_ARGUMENT, "tolerance is -1");
    ccd::rigid::Motion pushed, still;
    pushed.position[2] = 1.5;
    pushed.velocity[0] = 5;
    const ccd::Slide end = ccd::rigid::slide(box, pushed, table, still, 1e-6);
    CHECK(end.event == CCD_SLIDE_PARTS && end.t_lo <= 0.5000002 && end.t_hi >= 0.5000002 && end.t_hi - end.t_lo < 1e-7);
    std::vector<ccd::rigid::Body> one, parts;
    one.push_back(ccd::rigid::Body::box({1, 1, 1}));
    parts.push_back(ccd::rigid::Body::sphere(1e-3)); // in the middle of the table
    parts.push_back(ccd::rigid::Body::box({4, 4, 2}));
    const ccd::Slide of_parts = ccd::rigid::slide(one, pushed, parts, still, 1e-6);
    CHECK(of_parts.event == end.event && of_parts.part_a == 0 && of_parts.part_b == 1);
    CHECK(of_parts.t_lo <= 0.5000002 && of_parts.t_hi >= 0.5000002);
    const auto corners = table.vertices();
    const auto triangles = table.faces();
    CHECK(corners.size() == 8 && triangles.size() == 12 && corners[7] == (std::array<double, 3>{2, 2, 1}));
    CHECK(ccd::rigid::Body::sphere(1).vertices().size() == 1 && triangles[0] == (std::array<std::int32_t, 3>{0, 2, 3}));
    pushed.velocity[0] = 0;
    pushed.velocity[2] = -1;
    const ccd::Slide deep = ccd::rigid::first_depth(box, pushed, table, still, 0.25);
    CHECK(deep.event == CCD_SLIDE_PENETRATES && deep.t_lo <= 0.25 && deep.t_hi >= 0.25 && deep.t_hi - deep.t_lo < 1e-5);
    THROWS(ccd::rigid::first_depth(box, pushed, table, still, 0), CCD_E_ARGUMENT, "limit is 0");
}

void volumes() {
    const std::vector<ccd::Element> kinds{ccd::Element::tetrahedron, ccd::Element::tetrahedron};
    const std::vector<std::int32_t> corners{0, 1, 2, 3, 0, 1, 2, 4};
    ccd::Volume v(5, kinds, corners);
    CHECK((v.counts() == std::array<std::size_t, 4>{5, 2, 9, 7}) && v.edges().size() == 9 && v.faces().size() == 7);
    std::vector<double> a{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 2, 1, 1, -2}, b = a;
    b[3 * 3 + 2] = -1;
    const ccd::VolumeImpact first = ccd::volume::earliest(v, a, b);
    CHECK(first.impact.verdict == CCD_CONTACT && first.pair_class == CCD_VOLUME_WITHIN_ELEMENT && first.vertices[0] == 3);
    const std::vector<ccd::VolumeImpact> all = ccd::volume::collisions(v, a, b);
    CHECK(all.size() == 1 && std::memcmp(&all[0], &first, sizeof first) == 0);
    CHECK(ccd::volume::collisions(v, a, b, CCD_VOLUME_BETWEEN_OBJECTS).empty());
    ccd::Options volccd;
    volccd.method = CCD_METHOD_VOLCCD;
    CHECK(ccd::volume::collisions(v, a, b, 0, volccd).size() == all.size());
    for (std::int32_t i = 0; i < 3; i++) {
        CHECK(v.split(i, {1}) == 5 + i && v.origins()[static_cast<std::size_t>(5 + i)] == i);
        v.merge(5 + i, i);
    }
    CHECK(v.add_vertices({-1}) == 8 && v.add({ccd::Element::triangle}, {0, 3, 8}) == 2);
    CHECK((v.elements() == std::vector<std::int32_t>{10, 10, 5}) && v.corners().size() == 11);
    v.remove({0});
    CHECK((v.elements() == std::vector<std::int32_t>{0, 10, 5}));
    CHECK((v.corners() == std::vector<std::int32_t>{0, 1, 2, 4, 0, 3, 8}));
    CHECK(ccd::Volume(0, {}, {}).elements().empty() && ccd::Volume(0, {}, {}).corners().empty());
    THROWS(v.remove({0}), CCD_E_INDEX, "elements[0] is 0, which was removed");
    THROWS(ccd::Volume(4, kinds, corners), CCD_E_INDEX, "elements[1], a tetrahedron: its corner 3 is 4");
    ccd::volume::backtrack(a, b, std::vector<double>(15, 2.0), 0.5, {1});
    CHECK(a[3] == 3 && a[4] == -1 && a[6] == 0);
    THROWS(ccd::volume::read("no/such/file"), CCD_E_FILE, "no such file");
}

void patches() {
    const std::vector<double> flat{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}, above{.25, .5, 1}, below{.25, .5, -1};
    const ccd::PatchForm quad{CCD_PATCH_QUAD, 1, 1}, point{CCD_PATCH_CURVE, 0, 0};
    const ccd::PatchBody a(4, {quad}, {0, 1, 2, 3}), b(1, {point}, {0});
    const ccd::PatchBody n = ccd::PatchBody::nurbs(1, 1, {0, 0, 1, 1}, {0, 0, 1, 1});
    CHECK((n.counts() == std::array<std::size_t, 2>{4, 1}));
    // The middle of an arc of three nodes is at -1/4 in the end; its control point there is lower, and meets nothing.
    const ccd::PatchBody arc = ccd::PatchBody::lagrange(3, {{CCD_PATCH_CURVE, 2, 0}}, {0, 1, 2});
    const std::vector<double> high{0., .5, 1.75, .5, .5, 1., 1., .5, 1.75}, low{0., .5, .5, .5, .5, -.25, 1., .5, .5};
    const ccd::Points arc0(high), arc1(low);
    const ccd::Points f(flat), up(above), down(below);
    const ccd::PatchImpact touch = ccd::patch::earliest({arc, arc0, arc1}, {a, f, f});
    CHECK(touch.verdict == CCD_CONTACT && touch.toi_lo <= 0.8 && touch.toi_lo > 0.79999);
    THROWS(ccd::PatchBody::lagrange(3, {{CCD_PATCH_CURVE, 7, 0}}, {0, 1, 2, 0, 1, 2, 0, 1}), CCD_E_ARGUMENT, "degrees 7");
    const ccd::PatchImpact one = ccd::patch::pair({quad, f, f}, {point, up, down});
    // Half of the quad is cut away by a loop: the point hits the half that stays.
    const ccd::PatchBody cut = a.trim({0., 0., 1., 0., 1., .4, 0., .4}, {4}, {1}, {1e-9, 1e-9}, {0}, {0., 1., 0., 1.});
    const ccd::PatchBody kept = a.trim({0., 0., 1., 0., 1., .6, 0., .6}, {4}, {1}, {1e-9, 1e-9}, {0}, {0., 1., 0., 1.});
    CHECK(cut.faces() == 1 && a.faces() == 0 && cut.join({0, 0, 1}, {0., 0., 1., 0.}).faces() == 1);
    CHECK(ccd::patch::earliest({cut, f, f}, {b, up, down}).verdict == CCD_SEPARATE);
    CHECK(ccd::patch::earliest({kept, f, f}, {b, up, down}).toi_lo > 0.4999);
    THROWS(a.trim({0., 0., 1.}, {3}, {1}, {0., 0.}, {0}, {0., 1., 0., 1.}), CCD_E_ARGUMENT,
           "corners has 3 numbers: must be x and y of each corner");
    THROWS(a.join({0, 0, 1}, {0., 0., 1., 0.}), CCD_E_ARGUMENT, "trim it first");
    CHECK(one.verdict == CCD_CONTACT && one.a == -1 && one.toi_lo <= 0.5 && one.uv_a[1] > 0.499 && one.uv_a[1] < 0.501);
    for (const std::int32_t degree : {65535, 2147483647, -1}) { // refused before anything is computed of it
        for (const std::int32_t shape : {CCD_PATCH_QUAD, CCD_PATCH_TRIANGLE}) {
            const ccd::patch::Patch wrong{{shape, degree, degree}, f, f}, right{point, up, down};
            THROWS(ccd::patch::pair(wrong, right), CCD_E_ARGUMENT, "degree");
        }
    }
    const ccd::PatchImpact first = ccd::patch::earliest({a, f, f}, {b, up, down});
    CHECK(first.verdict == CCD_CONTACT && first.a == 0 && first.toi_lo == one.toi_lo);
    const std::vector<ccd::PatchImpact> all = ccd::patch::collisions({n, f, f}, {b, up, down});
    CHECK(all.size() == 1 && std::memcmp(&all[0], &first, sizeof first) == 0);
    CHECK(ccd::patch::manifold({a, f, f}, {n, f, f}, 0, 0.25).size() > 4);
    const std::vector<double> open{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1};
    const std::vector<double> shut{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, -1, 1, 1, -1};
    const ccd::PatchBody book(6, {quad, quad}, {0, 1, 2, 3, 0, 1, 4, 5});
    const ccd::Points o(open), s(shut);
    ccd::patch::Unresolved unresolved;
    CHECK(ccd::patch::self_earliest({book, o, o}, {}, {0, &unresolved}).verdict == CCD_SEPARATE && unresolved.pairs == 0);
    const ccd::PatchImpact shuts = ccd::patch::self_earliest({book, o, s});
    CHECK(shuts.verdict == CCD_CONTACT && shuts.b == 1 && shuts.toi_lo <= 0.5 && shuts.toi_lo > 0.4999);
    CHECK(ccd::patch::self_collisions({book, o, s}, {}, {0.125}).size() == 1);
    CHECK(!ccd::patch::self_manifold({book, o, s}, 0, 0.4, {}, {0.125}).empty());
    THROWS(ccd::patch::self_earliest({book, o, s}, {}, {0.75}), CCD_E_ARGUMENT, "near.width is 0.75");
    THROWS(ccd::patch::pair({quad, up, f}, {point, up, down}), CCD_E_ARGUMENT, "as its form asks for");
    THROWS(ccd::patch::earliest({a, up, up}, {b, up, down}), CCD_E_ARGUMENT, "n_a is 1");
    THROWS(ccd::PatchBody(4, {quad}, {0, 1, 2, 4}), CCD_E_INDEX, "index[3] is 4");
}

// A file of curved patches is read into what makes a body.
void patch_files() {
    const std::string path = scratch_file("patches.obj");
    std::ofstream(path) << "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 3 4\n"
                           "parm u 0 1\nparm v 0 1\nend\n";
    const ccd::patch::Model m = ccd::patch::read(path);
    std::remove(path.c_str());
    CHECK(m.points.size() == 12 && m.forms.size() == 1 && m.index.size() == 4 && m.weights.empty() && m.lost == 0);
    CHECK(m.forms[0].shape == CCD_PATCH_QUAD && m.forms[0].u == 1 && m.forms[0].v == 1);
    const std::vector<double> above{.25, .5, 1}, below{.25, .5, -1};
    const ccd::PatchBody sheet = m.body(), drop(1, {{CCD_PATCH_CURVE, 0, 0}}, {0});
    const ccd::Points x(m.points), up(above), down(below);
    CHECK(ccd::patch::earliest({sheet, x, x}, {drop, up, down}).verdict == CCD_CONTACT);
    THROWS(ccd::patch::read("no/such/file.bpt"), CCD_E_FILE, "no such file");
}

// What closed surfaces enclose, against the C calls.
void containment() {
    const std::vector<double> corners{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::vector<std::int32_t> sides{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    std::vector<double> both(corners);
    std::vector<std::int32_t> faces(sides);
    for (std::size_t i = 0; i < corners.size(); i++) {
        both.push_back(0.125 + 0.25 * corners[i]);
        faces.push_back(sides[i] + 4);
    }
    const ccd::Mesh mesh(8, {}, ccd::Faces(faces));
    const std::vector<double> points{0.1875, 0.1875, 0.1875, 0.5, 0.25, 0.125, 0.25, 0.25, 0, 2, 0, 0};
    const std::vector<std::int32_t> winding = ccd::proximity::winding(mesh, ccd::Points(both), ccd::Points(points));
    CHECK(winding == (std::vector<std::int32_t>{2, 1, CCD_ON_SURFACE, 0}));
    const std::vector<ccd::NestedPair> nested = ccd::proximity::nested(mesh, ccd::Points(both));
    CHECK(nested.size() == 1 && nested[0].inner == 4 && nested[0].outer == 0 && nested[0].winding == 1);
    const ccd::rigid::Body large{ccd::Points(corners), ccd::Faces(sides)};
    const std::vector<double> inner(both.begin() + 12, both.end());
    const ccd::rigid::Body small{ccd::Points(inner), ccd::Faces(sides)};
    ccd::rigid::Motion still, fall;
    fall.velocity[2] = -1;
    CHECK(ccd::rigid::containment(small, still, large, still) == CCD_CONTAINMENT_INSIDE);
    CHECK(ccd::rigid::containment(large, still, small, still) == CCD_CONTAINMENT_CONTAINS);
    CHECK(ccd::rigid::containment(small, fall, large, still, 0.125) == CCD_CONTAINMENT_CROSSING);
    CHECK(ccd::rigid::containment(small, fall, large, still, 1) == CCD_CONTAINMENT_OUTSIDE);
    const std::vector<ccd::rigid::Motion> first{still, fall}, second{still, still};
    CHECK(ccd::rigid::containment_batch(small, first, large, second, 1) ==
          (std::vector<ccd_containment>{CCD_CONTAINMENT_INSIDE, CCD_CONTAINMENT_OUTSIDE}));
    THROWS(ccd::rigid::containment_batch(small, first, large, {}, 1), CCD_E_ARGUMENT, "mb has 0 motions: must have ");
    CHECK(ccd::rigid::winding(large, still, ccd::Points(points)) == (std::vector<std::int32_t>{1, 1, CCD_ON_SURFACE, 0}));
    const ccd::rigid::Body open{ccd::Points(corners), ccd::Faces(std::vector<std::int32_t>{0, 2, 1})};
    THROWS(ccd::rigid::winding(open, still, ccd::Points(points)), CCD_E_ARGUMENT, "body: faces[0]: the edge");
    THROWS(ccd::rigid::containment(large, still, open, still), CCD_E_ARGUMENT, "b: faces[0]: the edge");
}

// Volumes that solids have in common and depths, against the C calls.
void overlaps() {
    const std::vector<double> corners{0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::vector<std::int32_t> sides{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    std::vector<double> moved(corners);
    for (std::size_t i = 0; i < moved.size(); i += 3) {
        moved[i] += 3;
    }
    const ccd::Mesh mesh(4, {}, ccd::Faces(sides));
    const auto [lo, hi] = ccd::overlap::solid(mesh, ccd::Points(corners));
    CHECK(lo <= 1 && hi >= 1 && hi - lo < 1e-14);
    const ccd::Overlap found = ccd::overlap::volume(mesh, ccd::Points(corners), mesh, ccd::Points(moved));
    CHECK(found.volume_lo <= 0.125 && found.volume_hi >= 0.125 && found.flags == 0);
    const std::vector<double> point{1, 0.25, 0.125};
    const std::vector<ccd::Depth> depth = ccd::overlap::depths(mesh, ccd::Points(corners), ccd::Points(point));
    CHECK(depth.size() == 1 && depth[0].winding == 1 && depth[0].normal[2] == 1);
    const ccd::rigid::Body body{ccd::Points(corners), ccd::Faces(sides)};
    ccd::rigid::Motion still, fall;
    fall.velocity[0] = 3;
    const std::vector<ccd::rigid::Motion> first{still, still}, second{still, fall};
    const std::vector<ccd::Overlap> both = ccd::rigid::overlaps(body, first, body, second, 1);
    CHECK(same_bits(both[0], ccd::rigid::overlap(body, first[0], body, second[0], 1)));
    CHECK(both[0].volume_hi >= 1 && both[1].volume_lo <= 0.125 && both[1].volume_hi >= 0.125);
    THROWS(ccd::rigid::overlaps(body, first, body, {}, 1), CCD_E_ARGUMENT, "mb has 0 motions: must have ");
    CHECK(ccd::rigid::depths(body, still, ccd::Points(point))[0].winding == 1);
    const ccd::Mesh open(4, {}, ccd::Faces(std::vector<std::int32_t>{0, 2, 1}));
    THROWS(ccd::overlap::solid(open, ccd::Points(corners)), CCD_E_ARGUMENT, "mesh: faces[0]: the edge");
}

/// A bar with a ball at its tip turns towards a wall at y = 1.
void robots() {
    using namespace ccd::robot;
    Model m;
    m.variables = 1;
    m.joints.resize(1);
    m.joints[0].kind = CCD_JOINT_REVOLUTE;
    m.joints[0].axis[2] = 1;
    const auto bar = m.add(1, {0, 0, -.1, 0, 0, .1, 1, 0, 0}, {{{0, 1, 2}}});
    const auto tip = m.add(1, {1.1, 0, 0}, {}, .1);
    const auto wall = m.add(-1, {-9, 1, -9, 9, 1, -9, 0, 1, 9}, {{{0, 1, 2}}});
    CHECK(bar == 0 && tip == 1 && wall == 2);
    m.pairs = {{{bar, wall}}, {{tip, wall}}};
    const Robot robot(m);
    CHECK(robot.variables() == 1);
    const std::vector<double> way = {0, .5, 1.5, .1};
    const auto path = robot.check_path(way);
    CHECK(path.size() == 3 && path[0].verdict == CCD_SEPARATE && path[1].verdict == CCD_CONTACT && path[1].body_a == tip);
    const double s = std::asin(.9 / 1.1) - .5; // the ball's center is at 1.1 sin(angle)
    CHECK(std::abs(path[1].s - s) < 1e-5 && path[1].s_free <= s && path[1].how == CCD_ROBOT_NEAR);
    const std::vector<double> q0 = {0, .5, 1.5}, q1 = {.5, 1.5, .1};
    const auto edges = robot.check_edges(q0, q1);
    for (std::size_t i = 0; i < 3; i++) {
        CHECK(same_bits(edges[i], path[i]));
        CHECK(same_bits(edges[i], robot.check_edge({&q0[i], 1}, {&q1[i], 1})));
        CHECK(robot.check_edge({&q0[i], 1}, {&q1[i], 1}, true).verdict == path[i].verdict);
    }
    ccd::Options wide;
    wide.min_separation = .5;
    CHECK(robot.check_edge({&q0[0], 1}, {&q1[0], 1}, false, wide).verdict == CCD_CONTACT);
    THROWS(robot.check_edges(q0, way), CCD_E_ARGUMENT, "q1 has 4 numbers: must have 3, as q0");
    THROWS(robot.check_path(std::vector<double>{1}), CCD_E_ARGUMENT, "at least two rows");
    m.pairs[0][0] = 7;
    THROWS(Robot(m), CCD_E_INDEX, "pairs[0] is [7 2]");
}

} // namespace

int main() {
    containment();
    overlaps();
    poses();
    rigid();
    gaps();
    contacts();
    depths();
    untangling();
    shapes();
    robots();
    volumes();
    patches();
    patch_files();
    return failures != 0;
}
