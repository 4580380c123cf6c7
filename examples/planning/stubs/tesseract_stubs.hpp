// tesseract_stubs.hpp - STUBS, not Tesseract: the names of Tesseract's interfaces that tesseract.hpp calls, with what is needed to
// compile and test it where Tesseract is not installed. They are written from its headers; members that end in an underscore are the
// test's way to fill them. Nothing that compiles here is known to compile with Tesseract.
#ifndef LIBCCD_EXAMPLES_TESSERACT_STUBS_HPP
#define LIBCCD_EXAMPLES_TESSERACT_STUBS_HPP

#include <Eigen/Geometry>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tesseract_common {

using VectorVector3d = std::vector<Eigen::Vector3d, Eigen::aligned_allocator<Eigen::Vector3d>>;

class AllowedCollisionMatrix {
public:
    using ConstPtr = std::shared_ptr<const AllowedCollisionMatrix>;
    bool isCollisionAllowed(const std::string &a, const std::string &b) const {
        return entries_.count(a < b ? std::make_pair(a, b) : std::make_pair(b, a)) > 0;
    }
    std::map<std::pair<std::string, std::string>, std::string> entries_;
};

class CollisionMarginData {
public:
    double getPairCollisionMargin(const std::string &a, const std::string &b) const {
        const auto found = pairs_.find(a < b ? std::make_pair(a, b) : std::make_pair(b, a));
        return found == pairs_.end() ? margin_ : found->second;
    }
    double margin_ = 0;
    std::map<std::pair<std::string, std::string>, double> pairs_;
};

struct JointState {
    std::vector<std::string> joint_names;
    Eigen::VectorXd position, velocity, acceleration;
    double time = 0;
};

struct JointTrajectory {
    std::vector<JointState> states;
};

} // namespace tesseract_common

namespace tesseract_geometry {

enum GeometryType {
    UNINITIALIZED,
    SPHERE,
    CYLINDER,
    CAPSULE,
    CONE,
    BOX,
    PLANE,
    MESH,
    CONVEX_MESH,
    SDF_MESH,
    OCTREE,
    POLYGON_MESH
};

class Geometry {
public:
    using Ptr = std::shared_ptr<Geometry>;
    explicit Geometry(GeometryType type) : type_(type) {}
    virtual ~Geometry() = default;
    GeometryType getType() const { return type_; }
    GeometryType type_;
};

class Sphere : public Geometry {
public:
    explicit Sphere(double r) : Geometry(SPHERE), r_(r) {}
    double getRadius() const { return r_; }
    double r_;
};

class Capsule : public Geometry {
public:
    Capsule(double r, double l, GeometryType type = CAPSULE) : Geometry(type), r_(r), l_(l) {}
    double getRadius() const { return r_; }
    double getLength() const { return l_; }
    double r_, l_;
};

class Cylinder : public Capsule {
public:
    Cylinder(double r, double l) : Capsule(r, l, CYLINDER) {}
};

class Box : public Geometry {
public:
    Box(double x, double y, double z) : Geometry(BOX), x_(x), y_(y), z_(z) {}
    double getX() const { return x_; }
    double getY() const { return y_; }
    double getZ() const { return z_; }
    double x_, y_, z_;
};

class PolygonMesh : public Geometry {
public:
    PolygonMesh(GeometryType type, tesseract_common::VectorVector3d x, Eigen::VectorXi faces)
        : Geometry(type), x_(std::make_shared<tesseract_common::VectorVector3d>(std::move(x))),
          faces_(std::make_shared<Eigen::VectorXi>(std::move(faces))) {}
    const std::shared_ptr<const tesseract_common::VectorVector3d> &getVertices() const { return x_; }
    const std::shared_ptr<const Eigen::VectorXi> &getFaces() const { return faces_; }
    std::shared_ptr<const tesseract_common::VectorVector3d> x_;
    std::shared_ptr<const Eigen::VectorXi> faces_;
};

} // namespace tesseract_geometry

namespace tesseract_scene_graph {

struct Collision {
    using Ptr = std::shared_ptr<Collision>;
    Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();
    tesseract_geometry::Geometry::Ptr geometry;
};

class Link {
public:
    using ConstPtr = std::shared_ptr<const Link>;
    explicit Link(std::string name) : name_(std::move(name)) {}
    const std::string &getName() const { return name_; }
    std::vector<Collision::Ptr> collision;
    std::string name_;
};

struct JointMimic {
    double offset = 0, multiplier = 1;
    std::string joint_name;
};

enum class JointType { UNKNOWN, REVOLUTE, CONTINUOUS, PRISMATIC, FLOATING, PLANAR, FIXED };

class Joint {
public:
    using ConstPtr = std::shared_ptr<const Joint>;
    explicit Joint(std::string name) : name_(std::move(name)) {}
    const std::string &getName() const { return name_; }
    JointType type = JointType::FIXED;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
    std::string child_link_name, parent_link_name;
    Eigen::Isometry3d parent_to_joint_origin_transform = Eigen::Isometry3d::Identity();
    std::shared_ptr<JointMimic> mimic;
    std::string name_;
};

class SceneGraph {
public:
    using ConstPtr = std::shared_ptr<const SceneGraph>;
    std::vector<Link::ConstPtr> getLinks() const { return links_; }
    std::vector<Joint::ConstPtr> getJoints() const { return joints_; }
    bool isTree() const { return tree_; }
    bool getLinkCollisionEnabled(const std::string &name) const { return off_ != name; }
    std::vector<Link::ConstPtr> links_;
    std::vector<Joint::ConstPtr> joints_;
    bool tree_ = true;
    std::string off_;
};

struct SceneState {
    std::unordered_map<std::string, double> joints;
};

} // namespace tesseract_scene_graph

namespace tesseract_environment {

class Environment {
public:
    tesseract_scene_graph::SceneGraph::ConstPtr getSceneGraph() const { return graph_; }
    tesseract_scene_graph::SceneState getState() const { return state_; }
    tesseract_common::AllowedCollisionMatrix::ConstPtr getAllowedCollisionMatrix() const { return matrix_; }
    tesseract_common::CollisionMarginData getCollisionMarginData() const { return margins_; }
    tesseract_scene_graph::SceneGraph::ConstPtr graph_;
    tesseract_scene_graph::SceneState state_;
    tesseract_common::AllowedCollisionMatrix::ConstPtr matrix_;
    tesseract_common::CollisionMarginData margins_;
};

} // namespace tesseract_environment

#endif
