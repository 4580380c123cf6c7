// moveit_stubs.hpp - STUBS, not MoveIt: the names of MoveIt 2's interfaces that moveit.hpp calls, with what is needed to compile and
// test it where MoveIt is not installed. They are written from its documentation; members that end in an underscore are the test's
// way to fill them. Nothing that compiles here is known to compile with MoveIt.
#ifndef LIBCCD_EXAMPLES_MOVEIT_STUBS_HPP
#define LIBCCD_EXAMPLES_MOVEIT_STUBS_HPP

#include <Eigen/Geometry>

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace octomap {

/// A tree of occupied and free boxes: here a list of leaves.
class OcTree {
public:
    struct Leaf {
        Eigen::Vector3d at;
        double size;
        bool occupied;
        double getX() const { return at[0]; }
        double getY() const { return at[1]; }
        double getZ() const { return at[2]; }
        double getSize() const { return size; }
        const Leaf &operator*() const { return *this; }
    };
    struct Iterator {
        const Leaf *at;
        double getX() const { return at->getX(); }
        double getY() const { return at->getY(); }
        double getZ() const { return at->getZ(); }
        double getSize() const { return at->getSize(); }
        const Leaf &operator*() const { return *at; }
        Iterator &operator++() {
            ++at;
            return *this;
        }
        bool operator!=(const Iterator &other) const { return at != other.at; }
    };
    Iterator begin_leafs() const { return {leaves_.data()}; }
    Iterator end_leafs() const { return {leaves_.data() + leaves_.size()}; }
    bool isNodeOccupied(const Leaf &leaf) const { return leaf.occupied; }
    std::vector<Leaf> leaves_;
};

} // namespace octomap

namespace shapes {

enum ShapeType { UNKNOWN_SHAPE, SPHERE, CYLINDER, CONE, BOX, PLANE, MESH, OCTREE };

struct Shape {
    explicit Shape(ShapeType kind) : type(kind) {}
    virtual ~Shape() = default;
    ShapeType type;
};
using ShapeConstPtr = std::shared_ptr<const Shape>;

struct Sphere : Shape {
    explicit Sphere(double r) : Shape(SPHERE), radius(r) {}
    double radius;
};
struct Cylinder : Shape {
    Cylinder(double r, double l) : Shape(CYLINDER), length(l), radius(r) {}
    double length, radius;
};
struct Box : Shape {
    Box(double x, double y, double z) : Shape(BOX), size{x, y, z} {}
    double size[3];
};
struct Plane : Shape {
    Plane() : Shape(PLANE) {}
};
struct Mesh : Shape {
    Mesh(std::vector<double> x, std::vector<unsigned> t)
        : Shape(MESH), x_(std::move(x)), t_(std::move(t)), vertex_count(static_cast<unsigned>(x_.size() / 3)),
          triangle_count(static_cast<unsigned>(t_.size() / 3)), vertices(x_.data()), triangles(t_.data()) {}
    Mesh(const Mesh &) = delete;
    std::vector<double> x_;
    std::vector<unsigned> t_;
    unsigned vertex_count, triangle_count;
    double *vertices;
    unsigned *triangles;
};
struct OcTree : Shape {
    explicit OcTree(std::shared_ptr<const octomap::OcTree> tree) : Shape(OCTREE), octree(std::move(tree)) {}
    std::shared_ptr<const octomap::OcTree> octree;
};

} // namespace shapes

namespace moveit {
namespace core {

using Poses = std::vector<Eigen::Isometry3d, Eigen::aligned_allocator<Eigen::Isometry3d>>;

class LinkModel {
public:
    const std::string &getName() const { return name_; }
    std::size_t getLinkIndex() const { return index_; }
    const Eigen::Isometry3d &getJointOriginTransform() const { return origin_; }
    const std::vector<shapes::ShapeConstPtr> &getShapes() const { return shapes_; }
    const Poses &getCollisionOriginTransforms() const { return poses_; }
    std::string name_;
    std::size_t index_ = 0;
    Eigen::Isometry3d origin_ = Eigen::Isometry3d::Identity();
    std::vector<shapes::ShapeConstPtr> shapes_;
    Poses poses_;
};

class JointModel {
public:
    enum JointType { UNKNOWN, REVOLUTE, PRISMATIC, PLANAR, FLOATING, FIXED };
    virtual ~JointModel() = default;
    JointType getType() const { return type_; }
    const std::string &getName() const { return name_; }
    std::size_t getFirstVariableIndex() const { return first_; }
    const JointModel *getMimic() const { return mimic_; }
    double getMimicFactor() const { return factor_; }
    double getMimicOffset() const { return offset_; }
    const LinkModel *getParentLinkModel() const { return parent_; }
    const LinkModel *getChildLinkModel() const { return child_; }
    JointType type_ = FIXED;
    std::string name_;
    std::size_t first_ = 0;
    const JointModel *mimic_ = nullptr;
    double factor_ = 1, offset_ = 0;
    const LinkModel *parent_ = nullptr, *child_ = nullptr;
};

class RevoluteJointModel : public JointModel {
public:
    const Eigen::Vector3d &getAxis() const { return axis_; }
    bool isContinuous() const { return continuous_; }
    Eigen::Vector3d axis_ = Eigen::Vector3d::UnitZ();
    bool continuous_ = false;
};

class PrismaticJointModel : public JointModel {
public:
    const Eigen::Vector3d &getAxis() const { return axis_; }
    Eigen::Vector3d axis_ = Eigen::Vector3d::UnitX();
};

class PlanarJointModel : public JointModel {
public:
    enum MotionModel { HOLONOMIC, DIFF_DRIVE };
    MotionModel getMotionModel() const { return model_; }
    MotionModel model_ = HOLONOMIC;
};

class RobotModel {
public:
    std::size_t getVariableCount() const { return variables_; }
    const std::vector<const LinkModel *> &getLinkModels() const { return links_; }
    const std::vector<const JointModel *> &getJointModels() const { return joints_; }
    std::size_t variables_ = 0;
    std::vector<const LinkModel *> links_;
    std::vector<const JointModel *> joints_;
};
using RobotModelConstPtr = std::shared_ptr<const RobotModel>;

class AttachedBody {
public:
    const std::string &getName() const { return name_; }
    const LinkModel *getAttachedLink() const { return link_; }
    const std::vector<shapes::ShapeConstPtr> &getShapes() const { return shapes_; }
    const Poses &getShapePosesInLinkFrame() const { return poses_; }
    const std::set<std::string> &getTouchLinks() const { return touch_; }
    std::string name_;
    const LinkModel *link_ = nullptr;
    std::vector<shapes::ShapeConstPtr> shapes_;
    Poses poses_;
    std::set<std::string> touch_;
};

class RobotState {
public:
    const double *getVariablePositions() const { return positions_.data(); }
    bool hasVelocities() const { return !velocities_.empty(); }
    const double *getVariableVelocities() const { return velocities_.data(); }
    bool hasAccelerations() const { return !accelerations_.empty(); }
    const double *getVariableAccelerations() const { return accelerations_.data(); }
    void getAttachedBodies(std::vector<const AttachedBody *> &bodies) const { bodies = bodies_; }
    std::vector<double> positions_, velocities_, accelerations_;
    std::vector<const AttachedBody *> bodies_;
};

} // namespace core
} // namespace moveit

namespace collision_detection {

namespace AllowedCollision {
enum Type { NEVER, ALWAYS, CONDITIONAL };
}

class AllowedCollisionMatrix {
public:
    bool getAllowedCollision(const std::string &a, const std::string &b, AllowedCollision::Type &type) const {
        const auto found = entries_.find(a < b ? std::make_pair(a, b) : std::make_pair(b, a));
        if (found == entries_.end()) {
            return false;
        }
        type = found->second;
        return true;
    }
    std::map<std::pair<std::string, std::string>, AllowedCollision::Type> entries_;
};

class World {
public:
    struct Object {
        std::vector<shapes::ShapeConstPtr> shapes_;
        moveit::core::Poses global_shape_poses_;
    };
    using ObjectConstPtr = std::shared_ptr<const Object>;
    std::vector<std::string> getObjectIds() const {
        std::vector<std::string> ids;
        for (const auto &item : objects_) {
            ids.push_back(item.first);
        }
        return ids;
    }
    ObjectConstPtr getObject(const std::string &id) const { return objects_.at(id); }
    std::map<std::string, ObjectConstPtr> objects_;
};
using WorldConstPtr = std::shared_ptr<const World>;

class CollisionEnv {
public:
    double getLinkPadding(const std::string &link) const {
        const auto found = padding_.find(link);
        return found == padding_.end() ? 0 : found->second;
    }
    double getLinkScale(const std::string &) const { return scale_; }
    std::map<std::string, double> padding_;
    double scale_ = 1;
};
using CollisionEnvConstPtr = std::shared_ptr<const CollisionEnv>;

} // namespace collision_detection

namespace planning_scene {

class PlanningScene {
public:
    const moveit::core::RobotModelConstPtr &getRobotModel() const { return model_; }
    const collision_detection::WorldConstPtr &getWorld() const { return world_; }
    const collision_detection::CollisionEnvConstPtr &getCollisionEnv() const { return env_; }
    const collision_detection::AllowedCollisionMatrix &getAllowedCollisionMatrix() const { return matrix_; }
    moveit::core::RobotModelConstPtr model_;
    collision_detection::WorldConstPtr world_;
    collision_detection::CollisionEnvConstPtr env_;
    collision_detection::AllowedCollisionMatrix matrix_;
};
using PlanningSceneConstPtr = std::shared_ptr<const PlanningScene>;

} // namespace planning_scene

namespace robot_trajectory {

class RobotTrajectory {
public:
    std::size_t getWayPointCount() const { return states_.size(); }
    const moveit::core::RobotState &getWayPoint(std::size_t i) const { return states_.at(i); }
    double getWayPointDurationFromPrevious(std::size_t i) const { return i < durations_.size() ? durations_[i] : 0; }
    std::vector<moveit::core::RobotState> states_;
    std::vector<double> durations_;
};
using RobotTrajectoryPtr = std::shared_ptr<RobotTrajectory>;

} // namespace robot_trajectory

namespace moveit_msgs {
namespace msg {
struct MoveItErrorCodes {
    static constexpr int SUCCESS = 1, INVALID_MOTION_PLAN = -2;
    int val = SUCCESS;
};
} // namespace msg
} // namespace moveit_msgs

namespace rclcpp {
struct Logger {
    std::string name;
};
inline Logger get_logger(const std::string &name) { return {name}; }
} // namespace rclcpp

#define RCLCPP_ERROR(logger, ...) (std::fprintf(stderr, "%s: ", (logger).name.c_str()), std::fprintf(stderr, __VA_ARGS__))

namespace planning_interface {

struct MotionPlanRequest {};

struct MotionPlanResponse {
    robot_trajectory::RobotTrajectoryPtr trajectory;
    moveit_msgs::msg::MoveItErrorCodes error_code;
};

class PlanningResponseAdapter {
public:
    virtual ~PlanningResponseAdapter() = default;
    virtual std::string getDescription() const = 0;
    virtual void adapt(const planning_scene::PlanningSceneConstPtr &scene, const MotionPlanRequest &request,
                       MotionPlanResponse &response) const = 0;
};

} // namespace planning_interface

#endif
