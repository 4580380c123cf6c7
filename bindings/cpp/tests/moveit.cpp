// The example for MoveIt 2, on stubs of its interfaces: what a planning scene becomes, and which trajectories are accepted.
#define CCD_MOVEIT_STUBS
#include "../../../examples/planning/moveit.hpp"

#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace moveit::core;

namespace {

/// An arm: a base that moves in the plane, a shoulder that turns, an elbow that follows it, and a slide at the end.
struct Arm {
    Arm() {
        for (std::size_t i = 0; i < 4; i++) {
            links[i].name_ = "link" + std::to_string(i);
            links[i].index_ = i;
            model->links_.push_back(&links[i]);
        }
        put(links[1], std::make_shared<shapes::Cylinder>(.05, 1.), at(.5, 0, 0) * turned());
        put(links[2], std::make_shared<shapes::Box>(.5, .1, .1), at(.25, 0, 0));
        put(links[3], std::make_shared<shapes::Sphere>(.1), at(0, 0, 0));
        links[2].origin_ = at(1, 0, 0);
        links[3].origin_ = at(.5, 0, 0);
        root.type_ = JointModel::PLANAR, root.name_ = "root", root.child_ = &links[0];
        shoulder.type_ = elbow.type_ = JointModel::REVOLUTE;
        shoulder.name_ = "shoulder", shoulder.first_ = 3, shoulder.parent_ = &links[0], shoulder.child_ = &links[1];
        shoulder.continuous_ = true;
        elbow.name_ = "elbow", elbow.first_ = 4, elbow.parent_ = &links[1], elbow.child_ = &links[2];
        elbow.mimic_ = &shoulder, elbow.factor_ = 2;
        slide.type_ = JointModel::PRISMATIC, slide.name_ = "slide", slide.first_ = 5;
        slide.parent_ = &links[2], slide.child_ = &links[3];
        model->joints_ = {&root, &shoulder, &elbow, &slide};
        model->variables_ = 6;
        scene->model_ = model, scene->world_ = world, scene->env_ = env;
        for (std::size_t i = 0; i < 3; i++) {
            scene->matrix_.entries_[{links[i].name_, links[i + 1].name_}] = collision_detection::AllowedCollision::ALWAYS;
        }
    }

    static Eigen::Isometry3d at(double x, double y, double z) { return Eigen::Isometry3d(Eigen::Translation3d(x, y, z)); }

    static Eigen::Isometry3d turned() { // z becomes x
        return Eigen::Isometry3d(Eigen::AngleAxisd(std::acos(0.), Eigen::Vector3d::UnitY()));
    }

    static void put(LinkModel &link, shapes::ShapeConstPtr shape, const Eigen::Isometry3d &pose) {
        link.shapes_.push_back(std::move(shape));
        link.poses_.push_back(pose);
    }

    void put(const std::string &id, shapes::ShapeConstPtr shape, const Eigen::Isometry3d &pose) {
        auto object = std::make_shared<collision_detection::World::Object>();
        object->shapes_.push_back(std::move(shape));
        object->global_shape_poses_.push_back(pose);
        world->objects_[id] = object;
    }

    ccd_moveit::Proof prove(const std::vector<std::vector<double>> &waypoints, double speed = NAN) const {
        robot_trajectory::RobotTrajectory way;
        for (const auto &q : waypoints) {
            RobotState state;
            state.positions_ = q;
            state.bodies_ = carried;
            if (speed == speed) {
                state.velocities_.assign(q.size(), 0);
                state.velocities_[shoulder.first_] = speed;
            }
            way.states_.push_back(state);
            way.durations_.push_back(1);
        }
        return ccd_moveit::Scene(*scene, way.states_[0]).prove(way);
    }

    LinkModel links[4];
    PlanarJointModel root;
    RevoluteJointModel shoulder, elbow;
    PrismaticJointModel slide;
    std::shared_ptr<RobotModel> model = std::make_shared<RobotModel>();
    std::shared_ptr<collision_detection::World> world = std::make_shared<collision_detection::World>();
    std::shared_ptr<collision_detection::CollisionEnv> env = std::make_shared<collision_detection::CollisionEnv>();
    std::shared_ptr<planning_scene::PlanningScene> scene = std::make_shared<planning_scene::PlanningScene>();
    std::vector<const AttachedBody *> carried;
};

/// The ball at the end is at (1.5 + slide, 0) where all is 0, in a world with a wall at x = 2.
void frames() {
    Arm arm;
    arm.put("wall", std::make_shared<shapes::Box>(.2, 9., 9.), Arm::at(2.1, 0, 0));
    CHECK(arm.prove({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .39}}).free);
    const auto slid = arm.prove({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .8}});
    CHECK(!slid.free && !slid.undecided && slid.edge == 0 && std::abs(slid.s - .5) < 1e-4);
    CHECK(slid.a == "link3" && slid.b == "wall");
    CHECK(arm.prove({{0, 0, 0, 0, 0, 0}, {.39, 3, 0, 0, 0, 0}}).free); // the base moves
    CHECK(!arm.prove({{0, 0, 0, 0, 0, 0}, {.41, 3, 0, 0, 0, 0}}).free);
    CHECK(arm.prove({{-1, 0, 3.1, 0, 0, .3}, {-1, 0, -3.1, 0, 0, .3}}).free); // it turns the short way
    CHECK(!arm.prove({{0, 0, 3.1, 0, 0, .3}, {0, 0, 0, 0, 0, .41}}).free);
    // The elbow follows the shoulder by two: at 0.5 the ball is at cos 0.5 + 0.5 cos 1.5.
    arm.put("wall", std::make_shared<shapes::Box>(.2, 9., 9.), Arm::at(.201 + std::cos(.5) + .5 * std::cos(1.5), 0, 0));
    CHECK(arm.prove({{-.9, 0, 0, .5, 0, 0}, {0, 0, 0, .5, 0, 0}}).free);
    CHECK(arm.prove({{-.9, 0, 0, .5, 0, 0}, {.01, 0, 0, .5, 0, 0}}).a == "link3");
}

void matrix_and_padding() {
    Arm arm;
    arm.put("wall", std::make_shared<shapes::Box>(.2, 9., 9.), Arm::at(2.1, 0, 0));
    const std::vector<std::vector<double>> near{{0, 0, 0, 0, 0, .2}, {0, 0, 0, 0, 0, .35}};
    CHECK(arm.prove(near).free);
    arm.env->padding_["link3"] = .06;
    CHECK(!arm.prove(near).free);
    using namespace collision_detection::AllowedCollision;
    arm.scene->matrix_.entries_[{"link3", "wall"}] = CONDITIONAL;
    CHECK(!arm.prove(near).free);
    arm.scene->matrix_.entries_[{"link3", "wall"}] = ALWAYS;
    CHECK(arm.prove(near).free);
    arm.env->scale_ = 1.1;
    bool refused = false;
    try {
        arm.prove(near);
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    CHECK(refused);
}

void attached() {
    Arm arm;
    arm.put("wall", std::make_shared<shapes::Box>(.2, 9., 9.), Arm::at(2.1, 0, 0));
    AttachedBody part;
    part.name_ = "part", part.link_ = &arm.links[3];
    part.shapes_.push_back(std::make_shared<shapes::Box>(.4, .05, .05));
    part.poses_.push_back(Arm::at(.25, 0, 0));
    arm.carried = {&part};
    const std::vector<std::vector<double>> still{{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .04}};
    CHECK(arm.prove(still).free); // its end is at 1.95 + slide
    const auto hit = arm.prove({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .1}});
    CHECK(!hit.free && hit.a == "part" && hit.b == "wall" && std::abs(hit.s - .5) < 1e-4);
    part.poses_[0] = Arm::at(-.2, 0, 0); // it is in link 2
    CHECK(!arm.prove(still).free);
    part.touch_ = {"link2"};
    CHECK(arm.prove(still).free);
}

void shapes_of_the_world() {
    Arm arm;
    auto tree = std::make_shared<octomap::OcTree>();
    tree->leaves_ = {{{1.95, 0, 0}, .1, false}, {{2.05, 0, 0}, .1, true}};
    arm.put("map", std::make_shared<shapes::OcTree>(tree), Arm::at(0, 0, 0));
    CHECK(arm.prove({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .39}}).free);
    CHECK(!arm.prove({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .41}}).free);
    arm.put(
        "map",
        std::make_shared<shapes::Mesh>(std::vector<double>{2, -1, -1, 2, 1, -1, 2, 0, 1}, std::vector<unsigned>{0, 1, 2}),
        Arm::at(0, 0, 0));
    CHECK(!arm.prove({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, .41}}).free);
    arm.put("map", std::make_shared<shapes::Plane>(), Arm::at(0, 0, 0));
    bool refused = false;
    try {
        arm.prove({{0, 0, 0, 0, 0, 0}});
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    CHECK(refused);
}

/// With velocities the trajectory is the controllers' cubic: at the speed 4 it swings past its ends by 0.148 * 4.
void cubics() {
    Arm arm;
    arm.put("post", std::make_shared<shapes::Box>(.02, .02, 1.), Arm::at(std::cos(-.3) * .8, std::sin(-.3) * .8, 0));
    const std::vector<std::vector<double>> way{{0, 0, 0, 0, 0, 0}, {0, 0, 0, .1, 0, 0}};
    CHECK(arm.prove(way).free && arm.prove(way, 0).free);
    const auto swung = arm.prove(way, -4);
    CHECK(!swung.free && swung.a == "link1" && swung.b == "post");
}

/// The arm on a floating joint: seven variables, then shoulder and slide. Beside samples of Eigen's slerp, which MoveIt uses.
void floating() {
    Arm arm;
    arm.root.type_ = JointModel::FLOATING;
    arm.shoulder.first_ = 7, arm.elbow.first_ = 8, arm.slide.first_ = 9;
    arm.model->variables_ = 10;
    arm.links[0].origin_ = Arm::at(0, 0, .25) * Arm::turned(); // where the joint is
    const auto state = [](const Eigen::Vector3d &at, const Eigen::Quaterniond &q, double slide) {
        return std::vector<double>{at[0], at[1], at[2], q.x(), q.y(), q.z(), q.w(), 0, 0, slide};
    };
    std::srand(1);
    int hits = 0;
    for (int n = 0; n < 40; n++) {
        const Eigen::Vector3d from = Eigen::Vector3d::Random(), to = Eigen::Vector3d::Random();
        const Eigen::Quaterniond p(Eigen::Vector4d::Random().normalized()), q(Eigen::Vector4d::Random().normalized());
        const double r = .05;
        const Eigen::Vector3d post = 1.5 * Eigen::Vector3d::Random();
        arm.put("post", std::make_shared<shapes::Sphere>(r), Arm::at(post[0], post[1], post[2]));
        const auto proof = arm.prove({state(from, p, 0), state(to, q, .3)});
        double gap = 9; // of the ball at the end from the post, before the contact
        for (int i = 0; i <= 1000; i++) {
            const double s = i * 1e-3;
            if (proof.free || s <= proof.s) {
                const Eigen::Isometry3d base =
                    arm.links[0].origin_ * Eigen::Translation3d(from + s * (to - from)) * Eigen::Isometry3d(p.slerp(s, q));
                gap = std::min(gap, (base * Eigen::Vector3d(1.5 + .3 * s, 0, 0) - post).norm() - .1 - r);
            }
        }
        CHECK(gap > -1e-9);
        if (!proof.free && proof.a == "link3" && !proof.undecided) {
            hits++;
            const Eigen::Isometry3d base = arm.links[0].origin_ * Eigen::Translation3d(from + proof.s * (to - from)) *
                                           Eigen::Isometry3d(p.slerp(proof.s, q));
            CHECK(std::abs((base * Eigen::Vector3d(1.5 + .3 * proof.s, 0, 0) - post).norm() - .1 - r) < 1e-4);
        }
    }
    CHECK(hits > 0);
    // With velocities it may rest, and not move.
    arm.world->objects_.clear();
    const auto here = state({0, 0, 0}, {1, 2, 3, 4}, 0), there = state({0, 0, 0}, {1, 2, 3, 4.1}, 0);
    CHECK(arm.prove({here, here}, .1).free && arm.prove({here, there}).free);
    bool refused = false;
    try {
        arm.prove({here, there}, .1);
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    CHECK(refused);
}

void adapter() {
    Arm arm;
    arm.put("wall", std::make_shared<shapes::Box>(.2, 9., 9.), Arm::at(2.1, 0, 0));
    const ccd_moveit::ProveSolution prove;
    for (const double to : {.2, .6}) {
        planning_interface::MotionPlanResponse response;
        response.trajectory = std::make_shared<robot_trajectory::RobotTrajectory>();
        for (const double x : {0., to}) {
            RobotState state;
            state.positions_ = {0, 0, 0, 0, 0, x};
            response.trajectory->states_.push_back(state);
        }
        prove.adapt(arm.scene, {}, response);
        CHECK((response.error_code.val == moveit_msgs::msg::MoveItErrorCodes::SUCCESS) == (to < .4));
    }
    planning_interface::MotionPlanResponse empty;
    prove.adapt(arm.scene, {}, empty);
    CHECK(empty.error_code.val == moveit_msgs::msg::MoveItErrorCodes::INVALID_MOTION_PLAN);
    arm.root.model_ = PlanarJointModel::DIFF_DRIVE; // no proof: not accepted
    planning_interface::MotionPlanResponse car;
    car.trajectory = std::make_shared<robot_trajectory::RobotTrajectory>();
    car.trajectory->states_.resize(1);
    prove.adapt(arm.scene, {}, car);
    CHECK(car.error_code.val == moveit_msgs::msg::MoveItErrorCodes::INVALID_MOTION_PLAN);
}

} // namespace

int main() {
    frames();
    matrix_and_padding();
    attached();
    shapes_of_the_world();
    cubics();
    floating();
    adapter();
    return failures == 0 ? 0 : 1;
}
