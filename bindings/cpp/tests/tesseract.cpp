// The example for Tesseract, on stubs of its interfaces: what an environment becomes, and which trajectories are proven.
#define CCD_TESSERACT_STUBS
#include "../../../examples/planning/tesseract.hpp"

#include "check.hpp"

#include <cmath>

using namespace tesseract_scene_graph;

namespace {

/// An arm: a shoulder that turns, an elbow that follows it by two, and a slide at the end, beside what the tests add.
struct Arm {
    Arm() {
        for (const char *name : {"base", "upper", "lower", "tip"}) {
            link(name);
        }
        put("upper", std::make_shared<tesseract_geometry::Cylinder>(.05, 1.), at(.5, 0, 0) * turned());
        put("lower", std::make_shared<tesseract_geometry::Box>(.5, .1, .1), at(.25, 0, 0));
        put("tip", std::make_shared<tesseract_geometry::Sphere>(.1), at(0, 0, 0));
        shoulder = joint("shoulder", JointType::CONTINUOUS, "base", "upper", at(0, 0, 0));
        elbow = joint("elbow", JointType::REVOLUTE, "upper", "lower", at(1, 0, 0));
        shoulder->axis = elbow->axis = Eigen::Vector3d::UnitZ();
        elbow->mimic = std::make_shared<JointMimic>();
        elbow->mimic->multiplier = 2, elbow->mimic->joint_name = "shoulder";
        slide = joint("slide", JointType::PRISMATIC, "lower", "tip", at(.5, 0, 0));
        allow("base", "upper"), allow("upper", "lower"), allow("lower", "tip");
        allow("upper", "tip");
        environment.graph_ = graph;
        environment.matrix_ = matrix;
    }

    static Eigen::Isometry3d at(double x, double y, double z) { return Eigen::Isometry3d(Eigen::Translation3d(x, y, z)); }

    static Eigen::Isometry3d turned() { // z becomes x
        return Eigen::Isometry3d(Eigen::AngleAxisd(std::acos(0.), Eigen::Vector3d::UnitY()));
    }

    void link(const std::string &name) {
        links[name] = std::make_shared<Link>(name);
        graph->links_.push_back(links[name]);
    }

    std::shared_ptr<Joint> joint(const std::string &name, JointType type, const std::string &parent,
                                 const std::string &child, const Eigen::Isometry3d &where) {
        auto made = std::make_shared<Joint>(name);
        made->type = type, made->parent_link_name = parent, made->child_link_name = child;
        made->parent_to_joint_origin_transform = where;
        graph->joints_.push_back(made);
        return made;
    }

    void put(const std::string &name, tesseract_geometry::Geometry::Ptr geometry, const Eigen::Isometry3d &where) {
        auto part = std::make_shared<Collision>();
        part->geometry = std::move(geometry), part->origin = where;
        links[name]->collision.push_back(part);
    }

    /// An object of the world, or one that a link carries: a link on a fixed joint.
    void fix(const std::string &name, const std::string &parent, tesseract_geometry::Geometry::Ptr geometry,
             const Eigen::Isometry3d &where) {
        link(name);
        put(name, std::move(geometry), at(0, 0, 0));
        joint("to " + name, JointType::FIXED, parent, name, where);
    }

    void allow(const std::string &a, const std::string &b) {
        matrix->entries_[a < b ? std::make_pair(a, b) : std::make_pair(b, a)] = "adjacent";
    }

    ccd_tesseract::Proof prove(const std::vector<std::vector<double>> &states,
                               std::vector<std::string> names = {"slide", "shoulder"}, double speed = NAN) const {
        tesseract_common::JointTrajectory way;
        for (const auto &q : states) {
            tesseract_common::JointState state;
            state.joint_names = names;
            state.position = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
            state.time = static_cast<double>(way.states.size());
            if (speed == speed) {
                state.velocity = Eigen::VectorXd::Constant(state.position.size(), 0);
                state.velocity[1] = speed;
            }
            way.states.push_back(state);
        }
        return ccd_tesseract::Scene(environment).prove(way);
    }

    std::map<std::string, std::shared_ptr<Link>> links;
    std::shared_ptr<Joint> shoulder, elbow, slide;
    std::shared_ptr<SceneGraph> graph = std::make_shared<SceneGraph>();
    std::shared_ptr<tesseract_common::AllowedCollisionMatrix> matrix =
        std::make_shared<tesseract_common::AllowedCollisionMatrix>();
    tesseract_environment::Environment environment;
};

template <class Call> bool refused(const Call &call, const std::string &words) {
    try {
        call();
    } catch (const std::invalid_argument &e) {
        return std::string(e.what()).find(words) != std::string::npos;
    }
    return false;
}

/// The tip is at (1.5 + slide, 0) where all is 0, before a wall at x = 2.
void frames() {
    Arm arm;
    arm.fix("wall", "base", std::make_shared<tesseract_geometry::Box>(.2, 9., 9.), Arm::at(2.1, 0, 0));
    CHECK(ccd_tesseract::Scene(arm.environment).names() == std::vector<std::string>({"shoulder", "slide"}));
    CHECK(arm.prove({{0, 0}, {.39, 0}}).free && arm.prove({{.39, 0}}).free && arm.prove({}).free);
    const auto slid = arm.prove({{0, 0}, {.2, 0}, {1, 0}});
    CHECK(!slid.free && !slid.undecided && slid.edge == 1 && std::abs(slid.s - .25) < 1e-4);
    CHECK(slid.a == "tip" && slid.b == "wall");
    // The elbow follows the shoulder by two: at 0.5 the tip is at cos 0.5 + 0.5 cos 1.5.
    const double reach = std::cos(.5) + .5 * std::cos(1.5);
    arm.put("wall", std::make_shared<tesseract_geometry::Sphere>(.1),
            Arm::at(reach - 2.1, std::sin(.5) + .5 * std::sin(1.5) + .19, 0));
    CHECK(!arm.prove({{0, .5}}).free && arm.prove({{-.1, .5}}).free);
    // What the trajectory does not name stays where the environment has it.
    CHECK(arm.prove({{.39}}, {"slide"}).free);
    arm.environment.state_.joints["slide"] = .41;
    CHECK(arm.prove({{0}}, {"shoulder"}).a == "tip" && arm.prove({{1.5}}, {"shoulder"}).free);
    CHECK(refused([&] { arm.prove({{0, 0}}, {"slide", "elbow"}); }, "elbow, which does not move"));
    CHECK(refused([&] { arm.prove({{0, 0, 0}}); }, "another number of values"));
}

/// With velocities the trajectory is the controllers' cubic: at the speed -4 it swings past its ends.
void cubics() {
    Arm arm;
    arm.fix("post", "base", std::make_shared<tesseract_geometry::Box>(.02, .02, 1.),
            Arm::at(std::cos(-.3) * .8, std::sin(-.3) * .8, 0));
    CHECK(arm.prove({{0, 0}, {0, .1}}).free && arm.prove({{0, 0}, {0, .1}}, {"slide", "shoulder"}, 0).free);
    const auto swung = arm.prove({{0, 0}, {0, .1}}, {"slide", "shoulder"}, -4);
    CHECK(!swung.free && swung.a == "upper" && swung.b == "post");
}

void margins_and_matrix() {
    Arm arm;
    arm.fix("wall", "base", std::make_shared<tesseract_geometry::Box>(.2, 9., 9.), Arm::at(2.1, 0, 0));
    arm.fix("part", "tip", std::make_shared<tesseract_geometry::Capsule>(.05, .4), Arm::at(.2, 0, 0) * Arm::turned());
    arm.allow("tip", "part"), arm.allow("lower", "part");
    const std::vector<std::vector<double>> near{{0, 0}, {.04, 0}}; // the part ends at 1.95 + slide
    CHECK(arm.prove(near).free && arm.prove({{0, 0}, {.06, 0}}).a == "part");
    arm.environment.margins_.margin_ = .02;
    CHECK(!arm.prove(near).free);
    arm.environment.margins_.pairs_[{"part", "wall"}] = .005;
    CHECK(arm.prove(near).free);
    arm.environment.margins_.pairs_[{"part", "wall"}] = -.005;
    CHECK(refused([&] { arm.prove(near); }, "below 0"));
    arm.environment.margins_.pairs_.clear();
    arm.allow("part", "wall");
    CHECK(arm.prove(near).free);
    arm.matrix->entries_.erase({"part", "wall"});
    arm.graph->off_ = "part"; // a link whose collisions are switched off
    CHECK(arm.prove(near).free);
}

void shapes() {
    using tesseract_geometry::PolygonMesh;
    Arm arm;
    // A square at x = 2, as a polygon with four corners, then as two triangles.
    const tesseract_common::VectorVector3d x{{2, -1, -1}, {2, 1, -1}, {2, 1, 1}, {2, -1, 1}};
    Eigen::VectorXi polygon(5), triangles(8);
    polygon << 4, 0, 1, 2, 3;
    triangles << 3, 0, 1, 2, 3, 0, 2, 3;
    arm.fix("sheet", "base", nullptr, Arm::at(0, 0, 0));
    for (const bool whole : {true, false}) {
        const auto type = whole ? tesseract_geometry::POLYGON_MESH : tesseract_geometry::MESH;
        arm.links["sheet"]->collision[0]->geometry = std::make_shared<PolygonMesh>(type, x, whole ? polygon : triangles);
        CHECK(arm.prove({{0, 0}, {.39, 0}}).free && arm.prove({{0, 0}, {.41, 0}}).b == "sheet");
        arm.links["sheet"]->collision[0]->origin = Arm::at(0, .9, .9); // the corner that the second triangle alone has
        CHECK(arm.prove({{.41, 0}}).b == "sheet");
        arm.links["sheet"]->collision[0]->origin = Arm::at(0, 0, 0);
    }
    arm.links["sheet"]->collision[0]->geometry = std::make_shared<tesseract_geometry::Geometry>(tesseract_geometry::PLANE);
    CHECK(refused([&] { arm.prove({{0, 0}}); }, "sheet has a cone, a plane"));
    Arm other;
    other.slide->type = JointType::FLOATING;
    CHECK(refused([&] { other.prove({{0, 0}}); }, "slide is planar or floating"));
    other.slide->type = JointType::PRISMATIC;
    other.elbow->mimic->joint_name = "elbow";
    CHECK(refused([&] { other.prove({{0, 0}}); }, "elbow mimics no joint, or itself"));
    other.elbow->mimic->joint_name = "none";
    CHECK(refused([&] { other.prove({{0, 0}}); }, "elbow mimics no joint, or itself"));
    other.graph->tree_ = false;
    CHECK(refused([&] { other.prove({{0, 0}}); }, "no tree"));
}

} // namespace

int main() {
    frames();
    cubics();
    margins_and_matrix();
    shapes();
    return failures == 0 ? 0 : 1;
}
