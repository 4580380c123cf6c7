// errors.cpp - the messages of mistakes in C++: each names the argument as its caller wrote it, the index, and what must be.
#include "check.hpp"

#include <cmath>
#include <limits>

namespace {

using Numbers = std::vector<double>;
using Indices = std::vector<std::int32_t>;
const double nan = std::numeric_limits<double>::quiet_NaN();

const Numbers x0 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, 1, .5, .25, 1, .25, .5, 1};
const Numbers x1 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, -1, .5, .25, -1, .25, .5, -1};
const Numbers part(5), few(15); // no rows of three; five vertices
const Indices faces = {0, 1, 2, 3, 4, 5};

void matrices() {
    THROWS(ccd::Mesh(6, {}, Indices{0, 1, 2, 3}), CCD_E_ARGUMENT, "faces has 4 numbers: must be a multiple of 3");
    THROWS(ccd::Mesh(6, Indices{0, 1, 2}, {}), CCD_E_ARGUMENT, "edges has 3 numbers: must be a multiple of 2");
    ccd::Mesh mesh(6, {}, faces);
    THROWS(ccd::step::earliest(mesh, part, x1), CCD_E_ARGUMENT, "x0 has 5 numbers: must be a multiple of 3");
    THROWS(ccd::step::earliest(mesh, x0, part), CCD_E_ARGUMENT, "x1 has 5 numbers: must be a multiple of 3");
    THROWS(ccd::Step(mesh, x0, part), CCD_E_ARGUMENT, "x1 has 5 numbers");
    THROWS(ccd::broad::candidates(mesh, part, x1), CCD_E_ARGUMENT, "x0 has 5 numbers");
    THROWS(ccd::step::exclude_near(mesh, part), CCD_E_ARGUMENT, "rest has 5 numbers");
    THROWS(ccd::step::tangents({0, 0}), CCD_E_ARGUMENT, "normals has 2 numbers");
    THROWS(ccd::proximity::near(mesh, part, 1), CCD_E_ARGUMENT, "x has 5 numbers");
    THROWS(ccd::proximity::winding(mesh, x0, {0, 0}), CCD_E_ARGUMENT, "points has 2 numbers");
    THROWS(ccd::overlap::volume(mesh, x0, mesh, part), CCD_E_ARGUMENT, "xb has 5 numbers");
    THROWS(ccd::overlap::depths(mesh, x0, {1, 2}), CCD_E_ARGUMENT, "points has 2 numbers");
    THROWS(ccd::neighbors::Neighbors(mesh, part, 1), CCD_E_ARGUMENT, "x has 5 numbers");
    THROWS(ccd::scene::Scene(mesh, part), CCD_E_ARGUMENT, "x0 has 5 numbers");
    THROWS(ccd::rigid::Body(part, faces), CCD_E_ARGUMENT, "vertices has 5 numbers");
    THROWS(ccd::rigid::Body::hull(part), CCD_E_ARGUMENT, "points has 5 numbers");
    THROWS(ccd::Motion::accelerated(x0, part, x1), CCD_E_ARGUMENT, "v has 5 numbers");
    THROWS(ccd::file::clean(part, {}, faces), CCD_E_ARGUMENT, "x has 5 numbers");
#if EXPECT_EIGEN
    const Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(3, 6);
    THROWS(ccd::step::earliest(mesh, x0, columns), CCD_E_ARGUMENT,
           "x1 has 3 rows and 6 columns: must have 3 columns; pass its transpose");
    Eigen::MatrixXd floats(1, 3);
    floats << 0, 1.5, 2;
    THROWS(ccd::Mesh(6, {}, floats), CCD_E_INDEX, "faces[0][1] is 1.5: must be a 32-bit integer");
#endif
}

void sizes() {
    ccd::Mesh mesh(6, {}, faces);
    THROWS(ccd::step::earliest(mesh, few, few), CCD_E_ARGUMENT, "x0 and x1 have one row per vertex, and the mesh has 6");
    THROWS(ccd::step::exclude_near(mesh, few), CCD_E_ARGUMENT, "rest has 5 rows: must have 6, as the mesh");
    Numbers wrong = x0;
    wrong[7] = nan;
    THROWS(ccd::step::exclude_near(mesh, wrong), CCD_E_NONFINITE, "rest[2][1] is NaN");
    THROWS(ccd::proximity::near(mesh, few, 1), CCD_E_ARGUMENT, "x has one row per vertex, and the mesh has 6");
    THROWS(ccd::overlap::volume(mesh, x0, mesh, few), CCD_E_ARGUMENT, "xb has one row per vertex, and the mesh has 6");
    ccd::scene::Scene scene(mesh, x0);
    THROWS(scene.reset(few), CCD_E_ARGUMENT, "x has one row per vertex, and the scene has 6");
    Numbers y;
    THROWS(ccd::proximity::untangle(mesh, x0, y, {1, 1}), CCD_E_ARGUMENT, "masses has 2 numbers: must have 6, as x");
    Numbers start(3);
    THROWS(ccd::volume::backtrack(start, x0, x0, 1, {0}), CCD_E_ARGUMENT, "x0 has 3 numbers: must have 18, as x1");
    const ccd::Step step(mesh, x0, x1);
    const Indices two = {1, 2};
    ccd::step::SizesOptions how;
    how.groups = two;
    THROWS(step.sizes(how), CCD_E_ARGUMENT, "how.groups has 2 ids: there are 6 vertices");
    how = {};
    how.share = 0;
    THROWS(step.sizes(how), CCD_E_ARGUMENT, "how.share is 0");
    THROWS(step.visit(nullptr), CCD_E_ARGUMENT, "visitor is empty: give a function");
    const ccd::Mesh taken = std::move(mesh);
    THROWS(ccd::step::earliest(mesh, x0, x1), CCD_E_HANDLE,
           "mesh is NULL: an object has no handle any more after std::move");
    // One that says "out of range" says it once.
    THROWS(step.pairs(ccd::Kind::vertex_face, {{0, 7}}), CCD_E_INDEX, "pairs[0][1] is 7: out of range for 2 faces");
    try {
        step.pairs(ccd::Kind::vertex_face, {{0, 7}});
    } catch (const ccd::Error &e) {
        CHECK(std::string(e.what()) == "CCD_E_INDEX: pairs[0][1] is 7: out of range for 2 faces");
    }
}

void bodies() {
    const ccd::rigid::Body a = ccd::rigid::Body::box({{1, 1, 1}}), b = ccd::rigid::Body::sphere(1);
    ccd::rigid::Motion still, wrong;
    wrong.rotation[0] = 0;
    THROWS(ccd::rigid::earliest(a, still, b, wrong), CCD_E_ARGUMENT,
           "mb: rotation is 0: must be a quaternion other than 0");
    wrong.rotation[0] = 1, wrong.velocity[1] = nan;
    THROWS(ccd::rigid::earliest(a, wrong, b, still), CCD_E_NONFINITE, "ma: velocity[1] is NaN");
    using Motions = std::vector<ccd::rigid::Motion>;
    THROWS(ccd::rigid::earliest_batch(a, Motions{still, wrong}, b, Motions(2)), CCD_E_NONFINITE,
           "ma[1]: velocity[1] is NaN");
    THROWS(ccd::rigid::earliest_batch(a, Motions(2), b, Motions(1)), CCD_E_ARGUMENT,
           "mb has 1 motions: must have 2, as ma");
    const ccd::rigid::Pose here;
    ccd::rigid::Pose none;
    none.rotation = {{0, 0, 0, 0}};
    using Poses = std::vector<ccd::rigid::Pose>;
    THROWS(ccd::rigid::distance(a, here, b, none), CCD_E_ARGUMENT, "pb: rotation is 0");
    THROWS(ccd::rigid::distance_batch(a, Poses{here, none}, b, Poses(2)), CCD_E_ARGUMENT, "pa[1]: rotation is 0");
    THROWS(ccd::rigid::distance_batch(a, Poses(2), b, Poses(1)), CCD_E_ARGUMENT, "pb has 1 poses: must have 2, as pa");
    THROWS(ccd::rigid::motion_between(here, none), CCD_E_ARGUMENT, "to.rotation is 0: must be a quaternion other than 0");
    none = here, none.position[2] = nan;
    THROWS(ccd::rigid::motion_between(none, here), CCD_E_NONFINITE, "from.position[2] is NaN");
    none.position[2] = 0, none.rotation[0] = 0;
    THROWS(ccd::rigid::motion_screw(none, {}, {{0, 0, 1}}, 0), CCD_E_ARGUMENT, "pose.rotation is 0");
    ccd::rigid::Rows m{{{{1, 0, 0, nan}}, {{0, 1, 0, 0}}, {{0, 0, 1, 0}}, {{0, 0, 0, 1}}}};
    THROWS(ccd::rigid::pose_from_matrix(m), CCD_E_NONFINITE, "m[0][3] is nan: not finite");
    ccd::rigid::Scene scene;
    scene.add(a, still);
    scene.groups = {1, 2};
    THROWS(scene.earliest(), CCD_E_ARGUMENT, "groups has 2 items: must have 1, as bodies");
    scene.groups.clear();
    THROWS(scene.within(Poses(3), 1), CCD_E_ARGUMENT, "poses has 3 items: must have 1, as bodies");
}

void patches() {
    const Numbers t = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const ccd::PatchForm form{CCD_PATCH_TRIANGLE, 1, 1};
    const ccd::PatchBody body(3, {form}, {0, 1, 2});
    THROWS(ccd::PatchBody(3, {form}, {0, 1, 2}, {1, 2}), CCD_E_ARGUMENT, "weights has 2 numbers: must have 3, as index");
    THROWS(ccd::PatchBody::nurbs(1, 1, {0, 0, 1, 1}, {0, 0, 1, 1}, {1}), CCD_E_ARGUMENT,
           "weights has 1 numbers: must have 4, one for each control point");
    THROWS(ccd::patch::earliest({body, x0, x0}, {body, t, t}), CCD_E_ARGUMENT, "body a has 3 control points");
    THROWS(ccd::patch::self_earliest({body, t, t}, {}, {9, nullptr}), CCD_E_ARGUMENT, "near.width is 9: must be 0 or in");
}

void robots() {
    using namespace ccd::robot;
    Model model;
    model.variables = 1;
    Joint joint;
    joint.kind = CCD_JOINT_REVOLUTE, joint.axis[2] = 1;
    model.joints = {joint};
    const Numbers point = {2, 0, 0};
    model.pairs = {{{model.add(1, x0), model.add(-1, point)}}};
    const Robot robot(model);
    THROWS(robot.check_edge(Numbers{0}, {0, 1}), CCD_E_ARGUMENT, "q1 has 2 numbers: must have 1, one for each variable");
    THROWS(robot.check_edge(Numbers{nan}, Numbers{0}), CCD_E_NONFINITE, "q0[0] is NaN");
    THROWS(robot.check_edges({0, 1}, Numbers{0}), CCD_E_ARGUMENT, "q1 has 1 numbers: must have 2, as q0");
    THROWS(robot.touching(Numbers{nan}), CCD_E_NONFINITE, "q[0] is NaN");
    THROWS(robot.touching(Numbers{0}, Numbers{nan}), CCD_E_NONFINITE, "q1[0] is NaN");
    THROWS(robot.clearance(Numbers{nan}, Numbers{0}), CCD_E_NONFINITE, "q0[0] is NaN");
    THROWS(robot.ranges({}, Numbers{0}), CCD_E_ARGUMENT, "lower has 0 numbers: must have 1");
    THROWS(robot.check_path(Numbers{0}), CCD_E_ARGUMENT,
           "waypoints has 1 numbers: must be at least two rows of 1 variables");
    THROWS(robot.check_path(Path::linear(2, {0, 1, 2, 3})), CCD_E_ARGUMENT,
           "path has 2 variables: must have 1, as the robot");
    THROWS(Path(1, 9, {0, 1}), CCD_E_ARGUMENT, "degree is 9: must be 0 to 5");
    THROWS(Path(1, 1, {0, 1, 2}), CCD_E_ARGUMENT, "control has 3 numbers: must be a multiple of 2");
    THROWS(Path::linear(2, {0, 1, 2}), CCD_E_ARGUMENT, "values has 3 numbers: must be at least two rows of 2 variables");
    THROWS(Path::hermite(1, {0, 1}, {0, 1}, Numbers{0}), CCD_E_ARGUMENT,
           "velocities has 1 numbers: must have 2, as values");
    Model more = model;
    THROWS(more.add(1, {1, 2}), CCD_E_ARGUMENT, "x has 2 numbers: must be a multiple of 3");
    THROWS(more.add_boxes(1, {1, 2}, {1, 1, 1}), CCD_E_ARGUMENT, "centers has 2 numbers: must have three coordinates");
    THROWS(more.add_boxes(1, {1, 2, 3}, {1, 1}), CCD_E_ARGUMENT, "size has 2 numbers: must have 3");
    THROWS(more.pad(9, 1), CCD_E_ARGUMENT, "body is 9: the model has no such body");
    THROWS(robot.with(more), CCD_E_ARGUMENT, "added.first is 0: must be 2, the robot's bodies(); set it before add");
    more.vertices.push_back(1);
    THROWS(Robot(more), CCD_E_ARGUMENT, "vertices has 22 numbers: must have three coordinates for each vertex");
    THROWS(slerp({}, {}), CCD_E_ARGUMENT, "from[3] to [6] are 0: must be a quaternion other than 0");
    THROWS(slerp({{0, 0, 0, 0, 0, 0, 1}}, {{0, nan, 0, 0, 0, 0, 1}}), CCD_E_NONFINITE, "to[1] is nan: not finite");
    THROWS(Spline("", {"a"}, {0}, {0, 1}, 1, Numbers{0}), CCD_E_ARGUMENT, "control has 1 numbers: must have 2");
    THROWS(Spline("", {"a"}, {-1}, {0, 1}, 1, {0, 1}), CCD_E_ARGUMENT, "errors[0] is -1: must not be negative");
    THROWS(Spline("", {"a"}, {0}, {0, 1}, 1, {0, nan}), CCD_E_NONFINITE, "control[1] is nan: not finite");
    THROWS(Spline("", {"a", "b"}, {0}, {0, 1}, 1, {0, 1}), CCD_E_ARGUMENT, "errors has 1 items: must have 2, as names");
}

} // namespace

int main() {
    matrices();
    sizes();
    bodies();
    patches();
    robots();
    return failures != 0;
}
