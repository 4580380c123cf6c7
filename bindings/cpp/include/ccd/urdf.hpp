// urdf.hpp - robots from URDF and SRDF files for robot.hpp. Part of ccd.hpp.
#ifndef LIBCCD_TOI_URDF_HPP
#define LIBCCD_TOI_URDF_HPP

#include <ccd/robot.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ccd {
namespace robot {

/// A variable of a robot that was read.
struct Variable {
    std::string name;     ///< of the joint; NAME/x and so on of a planar or a floating one
    double lower;         ///< the least value that the joint may have; -infinity without a limit
    double upper;         ///< the greatest one
    bool turning = false; ///< whether a whole turn brings all links back, so that an edge may go the short way
};

/// How read_urdf reads.
struct ReadOptions {
    std::string srdf; ///< an SRDF file of allowed pairs; empty for none
    /// where package://NAME/PATH, or model://NAME/PATH, is: folders that hold packages by their names, or NAME=FOLDER; if empty, the folders
    /// above the file
    std::vector<std::string> packages;
    int segments = 32;          ///< sides of the prism around a cylinder, from 3 to 4096
    bool test_adjacent = false; ///< whether the two links of a joint are tested against each other, too
    bool mobile = false;        ///< whether the robot stands on the planar or floating virtual_joint of the SRDF file
};

/// A robot that was read: a model, with its names. Obstacles may be added to the model, and pairs with them.
struct Description {
    Model model;
    std::vector<std::string> links;  ///< by the numbers that joints and shapes have
    std::vector<std::string> joints; ///< the name of each joint of the model; slides and turns of one joint share it
    std::vector<Variable> variables; ///< in the order of an edge's values

    /// The number of a link.
    /// @throws Error there is no such link
    std::int32_t link(const std::string &name) const {
        const auto at = std::find(links.begin(), links.end(), name);
        if (at == links.end()) {
            throw Error(CCD_E_ARGUMENT, "name is '" + name + "': the robot has no such link");
        }
        return static_cast<std::int32_t>(at - links.begin());
    }

    /// The body of a link: its shapes.
    /// @throws Error there is no such link, or it has no shapes
    std::int32_t body(const std::string &name) const {
        const std::int32_t number = link(name);
        for (const ccd_robot_shape &shape : model.shapes) {
            if (shape.link == number) {
                return shape.body;
            }
        }
        throw Error(CCD_E_ARGUMENT, "name is '" + name + "': this link has no shapes");
    }

    /// Test an obstacle, which was added to the model, against the bodies of all links that move relative to the base.
    /// @throws Error there is no such body, or a link carries it
    void test(std::int32_t obstacle) {
        const std::string said = "obstacle is " + std::to_string(obstacle) + ": ";
        if (obstacle < 0 || model.shapes.empty() || obstacle > model.shapes.back().body) {
            throw Error(CCD_E_ARGUMENT, said + "the model has no such body");
        }
        const std::vector<char> moving = moves();
        std::vector<std::int32_t> bodies;
        for (const ccd_robot_shape &shape : model.shapes) {
            if (shape.body == obstacle && shape.link >= 0) {
                throw Error(CCD_E_ARGUMENT, said + "link " + std::to_string(shape.link) + " carries it");
            }
            const bool another = bodies.empty() || bodies.back() != shape.body;
            if (shape.link >= 0 && another && moving[static_cast<std::size_t>(shape.link)] != 0) {
                bodies.push_back(shape.body);
            }
        }
        for (const std::int32_t body : bodies) {
            model.pairs.push_back({{body, obstacle}});
        }
    }

private:
    /// For each link whether it moves relative to the base.
    std::vector<char> moves() const {
        std::vector<char> found(model.joints.size() + 1, 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (const Joint &j : model.joints) {
                const bool turns = j.kind != CCD_JOINT_FIXED && (j.factor > 0 || j.factor < 0);
                char &child = found[static_cast<std::size_t>(j.child)];
                if (child == 0 && (turns || found[static_cast<std::size_t>(j.parent)] != 0)) {
                    child = 1;
                    changed = true;
                }
            }
        }
        return found;
    }
};

/// Read a robot from a URDF file: joints, and the collision shapes of its links. A planar joint has the variables x, y and theta, a floating
/// one those of Model::add_free, which `slerp` computes.
/// @param path   the file
/// @throws Error as ccd_robot_file_read; the message names the file, and the link or joint
inline Description read_urdf(const std::string &path, const ReadOptions &options = {}) {
    std::string packages;
    for (const std::string &line : options.packages) {
        packages += line + "\n";
    }
    detail::Handle<ccd_robot_file, ccd_robot_file_destroy> file;
    detail::check(ccd_robot_file_read(
        path.c_str(), options.srdf.empty() ? nullptr : options.srdf.c_str(), packages.empty() ? nullptr : packages.c_str(),
        options.segments, (options.test_adjacent ? CCD_ROBOT_TEST_ADJACENT : 0u) | (options.mobile ? CCD_ROBOT_MOBILE : 0u),
        file.out()));
    std::size_t links = 0, variables = 0, shapes = 0, vertices = 0, edges = 0, faces = 0, pairs = 0;
    detail::check(ccd_robot_file_counts(file.get(), &links, &variables, &shapes, &vertices, &edges, &faces, &pairs));
    Description out;
    Model &m = out.model;
    std::vector<ccd_robot_variable> values(variables);
    m.variables = variables;
    m.joints.resize(links - 1);
    m.shapes.resize(shapes);
    m.vertices.resize(3 * vertices);
    m.radii.resize(vertices);
    m.edges.resize(edges);
    m.faces.resize(faces);
    m.pairs.resize(pairs);
    detail::check(ccd_robot_file_copy(file.get(), m.joints.data(), values.data(), m.shapes.data(), m.vertices.data(),
                                      m.radii.data(), edges == 0 ? nullptr : m.edges.data()->data(),
                                      faces == 0 ? nullptr : m.faces.data()->data(),
                                      pairs == 0 ? nullptr : m.pairs.data()->data()));
    const auto name = [&file](std::int32_t of, std::size_t index) {
        std::size_t length = 0;
        detail::check(ccd_robot_file_name(file.get(), of, index, nullptr, 0, &length));
        std::string text(length + 1, '\0');
        detail::check(ccd_robot_file_name(file.get(), of, index, &text[0], text.size(), &length));
        text.resize(length);
        return text;
    };
    for (std::size_t i = 0; i < links; i++) {
        out.links.push_back(name(CCD_ROBOT_LINK, i));
    }
    for (std::size_t i = 0; i + 1 < links; i++) {
        out.joints.push_back(name(CCD_ROBOT_JOINT, i));
    }
    for (std::size_t i = 0; i < variables; i++) {
        out.variables.push_back({name(CCD_ROBOT_VARIABLE, i), values[i].lower, values[i].upper, values[i].turning != 0});
    }
    return out;
}

} // namespace robot
} // namespace ccd

#endif // LIBCCD_TOI_URDF_HPP
