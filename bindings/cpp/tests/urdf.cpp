// urdf.cpp - robots from URDF and SRDF files. Compiled as C++17 and C++20.
#include "check.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

using ccd::robot::Description;
using ccd::robot::read_urdf;
using ccd::robot::ReadOptions;
using ccd::robot::Robot;

const std::string urdf = "urdf_test.urdf", srdf = "urdf_test.srdf", tip = "urdf_test.obj";

void write(const std::string &name, const std::string &text) { std::ofstream(name, std::ios::binary) << text; }

/// An arm of a ball at 1.1 that turns about z, on a base with a box, and a finger that follows by half.
const std::string arm =
    "<robot name='arm'><link name='base'><collision><geometry><box size='.1 .1 .1'/></geometry></collision></link>"
    "<link name='arm'><collision><origin xyz='1.1 0 0'/><geometry><sphere radius='.1'/></geometry></collision></link>"
    "<link name='finger'><collision><geometry><mesh filename='urdf_test.obj' scale='-1 1 1'/></geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"
    "<limit lower='-2' upper='3'/></joint>"
    "<joint name='close' type='continuous'><parent link='arm'/><child link='finger'/><origin xyz='0 0 5'/>"
    "<mimic joint='turn' multiplier='.5'/></joint></robot>";

void reads() {
    write(urdf, arm);
    write(tip, "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 2 4 3\nf 2 3 5\nf 2 5 4\nf 3 4 5\n");
    Description arm_of = read_urdf(urdf);
    CHECK(arm_of.links.size() == 3 && arm_of.links[2] == "finger" && arm_of.link("arm") == 1 &&
          arm_of.joints[1] == "close");
    CHECK(arm_of.variables.size() == 1 && arm_of.variables[0].name == "turn" && !arm_of.variables[0].turning);
    CHECK(same_bits(arm_of.variables[0].lower, -2.0) && same_bits(arm_of.variables[0].upper, 3.0));
    CHECK(same_bits(arm_of.model.joints[1].factor, .5) && arm_of.model.pairs.size() == 1); // base and finger
    CHECK(arm_of.body("finger") == 2 && arm_of.model.shapes[2].vertices == 4);
    CHECK(same_bits(arm_of.model.vertices[3 * (8 + 1 + 1)], -1.0)); // the mirror image of the second vertex in use
    const auto wall = arm_of.model.add(-1, {-9, 1, -9, 9, 1, -9, 0, 1, 9}, {{{0, 1, 2}}});
    arm_of.test(wall);
    CHECK(arm_of.model.pairs.size() == 3 && arm_of.model.pairs[1][0] == 1 && arm_of.model.pairs[1][1] == wall);
    const Robot robot(arm_of.model);
    const auto hit = robot.check_edge({0}, {1.5});
    CHECK(hit.verdict == CCD_CONTACT && hit.body_a == arm_of.body("arm") && hit.body_b == wall);
    CHECK(std::abs(1.5 * hit.s - std::asin(.9 / 1.1)) < 1e-5);
    THROWS(arm_of.test(0), CCD_E_ARGUMENT, "obstacle is 0: link 0 carries it");
    THROWS(arm_of.test(9), CCD_E_ARGUMENT, "obstacle is 9: the model has no such body");
    THROWS(arm_of.link("leg"), CCD_E_ARGUMENT, "name is 'leg': the robot has no such link");
    ReadOptions all;
    all.test_adjacent = true;
    CHECK(read_urdf(urdf, all).model.pairs.size() == 3);
}

void stands() {
    ReadOptions options;
    options.srdf = srdf;
    options.mobile = true;
    write(srdf, "<robot name='arm'><disable_collisions link1='finger' link2='base'/>"
                "<virtual_joint name='drive' type='planar' parent_frame='odom' child_link='base'/></robot>");
    const Description rover = read_urdf(urdf, options);
    CHECK(rover.model.pairs.empty() && rover.links[0] == "odom" && rover.variables.size() == 4);
    CHECK(rover.variables[2].name == "drive/theta" && rover.variables[2].turning && !rover.variables[3].turning);
    options.mobile = false;
    CHECK(read_urdf(urdf, options).links[0] == "base" && read_urdf(urdf, options).model.pairs.empty());
    options.mobile = true;
    write(srdf,
          "<robot name='arm'><virtual_joint name='fly' type='floating' parent_frame='odom' child_link='base'/></robot>");
    Description ship = read_urdf(urdf, options);
    const auto wall = ship.model.add(-1, {-9, 1, -9, 9, 1, -9, 0, 1, 9}, {{{0, 1, 2}}});
    ship.test(wall);
    CHECK(ship.model.variables == 9 && ship.model.pairs.size() == 4);
    // A quarter of a turn about z by slerp, the arm at rest: as the arm that turns.
    const auto way = ccd::robot::slerp({{0, 0, 0, 0, 0, 0, 1}}, {{0, 0, 0, 0, 0, std::sqrt(.5), std::sqrt(.5)}});
    std::vector<double> q0(way.begin(), way.begin() + 8), q1(way.begin() + 8, way.end());
    q0.push_back(0);
    q1.push_back(0);
    const auto hit = Robot(ship.model).check_edge(q0, q1);
    CHECK(hit.verdict == CCD_CONTACT && std::abs(std::acos(0) * hit.s - std::asin(.9 / 1.1)) < 1e-5);
}

void refuses() {
    write(urdf, arm + "<x/>");
    THROWS(read_urdf(urdf), CCD_E_FILE, "urdf_test.urdf: line 1: <x> follows the root");
    write(urdf, "<robot name='a'><link name='l'><collision><geometry><mesh "
                "filename='a.dae'/></geometry></collision></link></robot>");
    THROWS(read_urdf(urdf), CCD_E_UNSUPPORTED, "link \"l\": collision 0: ");
    THROWS(read_urdf(urdf), CCD_E_UNSUPPORTED, "is a COLLADA file");
    ReadOptions options;
    options.segments = 2;
    THROWS(read_urdf(urdf, options), CCD_E_ARGUMENT, "segments is 2: must be in [3, 4096]");
    THROWS(read_urdf("no_such_file"), CCD_E_FILE, "no such file");
}

} // namespace

int main() {
    reads();
    stands();
    refuses();
    for (const std::string &name : {urdf, srdf, tip}) {
        std::remove(name.c_str());
    }
    return failures != 0;
}
