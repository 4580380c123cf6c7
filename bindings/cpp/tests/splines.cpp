// splines.cpp - closed chains that Python has solved, in C++: files, paths that follow a drive, radii. Compiled as C++17 and C++20.
#include "press.hpp"

#include <fstream>

namespace {

using ccd::robot::Model;
using ccd::robot::Path;
using ccd::robot::Spline;

/// The file that test_robot_loops.py compares with Coupling.closing, at walls on both sides of what the ball reaches.
void chain() {
    const Spline chain = Spline::read(CCD_SPLINES "/slider_crank.coupling");
    CHECK(chain.over() == "crank" && chain.names().size() == 2 && chain.names()[1] == "slider" && chain.degree() == 5);
    CHECK(chain.errors().data()[1] > 0 && chain.errors().data()[1] < 1e-5);
    const std::vector<std::int32_t> follow{1, 2};
    const Path way = chain.follow(Path::linear(3, std::vector<double>{-.75, 0, 0, .5, 0, 0}, {2, 7}), 0, follow);
    CHECK(way.degree() == 5 && way.edges() > 5 && way.times().data()[0] == 2 && way.times().data()[way.edges()] == 7);
    const double off = chain.radii()[1];
    CHECK(off >= chain.errors().data()[1] && off < 1e-5);
    slider(way, off);
    for (std::size_t edge = 0; edge < way.edges(); edge++) {
        for (const double s : {0., .3, .8, 1.}) {
            CHECK(std::abs(value(way, edge, 0, s) - (-.75 + 1.25 * (way.time(edge, s) - 2) / 5)) < 1e-12);
        }
    }
    for (const double gap : {1e-5, -1e-5}) {
        Model m = press(4.5 + gap);
        chain.let_err(m, follow);
        CHECK(m.joints[0].error == 0 && m.joints[2].error >= off && m.joints[2].error < 1.001 * off);
        CHECK(free_along(way, m) == (gap > 0));
    }
    // A mimic of the slider by -2 errs by twice as much.
    Model m = press(9);
    m.joints[1] = m.joints[2];
    m.joints[1].child = 2, m.joints[1].factor = -2;
    chain.let_err(m, {1, 2});
    CHECK(m.joints[1].error >= 2 * off && m.joints[1].error < 2.001 * off);
}

/// A cam: straight to 0.1 at 1, then back; forth and back over the knot, a configuration, and drives that are not straight.
void cams() {
    const Spline cam("cam", {"lift"}, {1e-5}, {0, 1, 3}, 1, {0, .1, .1, 0});
    const Path there = Path::linear(2, std::vector<double>{.5, 7, 2, 7, .5, 7}), way = cam.follow(there, 0, {1});
    CHECK(way.edges() == 4 && std::abs(value(way, 0, 1, 0) - .05) < 1e-15 && std::abs(value(way, 1, 1, 1) - .05) < 1e-15);
    CHECK(value(way, 0, 1, 1) == .1 && way.times().data()[1] == there.time(0, 1. / 3) && way.times().data()[2] == 1);
    const Path still = cam.follow(Path(2, 0, {2, 7}), 0, {1}); // a configuration
    CHECK(still.edges() == 1 && std::abs(value(still, 0, 1, .5) - .05) < 1e-15 && value(still, 0, 0, 1) == 2);
    CHECK(cam.follow(Path(2, 2, {.5, 0, .75, 0, 1, 0}), 0, {1}).edges() == 1);
    THROWS(cam.follow(Path(2, 2, {.5, 0, .8, 0, 1, 0}), 0, {1}), CCD_E_ARGUMENT, "does not go straight");
    THROWS(cam.follow(Path::linear(2, std::vector<double>{2, 0, 4, 0}), 0, {1}), CCD_E_ARGUMENT, "leaves the knots");
    THROWS(cam.follow(there, 2, {1}), CCD_E_ARGUMENT, "drive is 2: out of range for 2 variables");
    THROWS(cam.follow(there, 0, {0}), CCD_E_ARGUMENT, "variables[0] is 0: that is the drive");
    THROWS(cam.follow(there, 0, {2}), CCD_E_ARGUMENT, "out of range");
    THROWS(cam.follow(there, 0, {}), CCD_E_ARGUMENT, "variables has 0 items: must have 1");
    THROWS(cam.path({0, 0}, {1}), CCD_E_ARGUMENT, "call follow");
    THROWS(Spline("cam", {"lift"}, {0}, {0, 1, 3}, 1, {0, .1, .2, 0}), CCD_E_ARGUMENT,
           "control: piece 1 begins with 0.2 for joint 0, where the piece before it ends with 0.1");
    THROWS(Spline("cam", {"lift"}, {0}, {0, 0}, 1, {0, .1}), CCD_E_ARGUMENT, "knots[1] is 0, after 0: knots must ascend");
    THROWS(Spline("cam", {"lift"}, {-1}, {0, 1}, 1, {0, .1}), CCD_E_ARGUMENT, "errors[0] is -1: must not be negative");
    THROWS(Spline("cam", {"lift"}, {0}, {0, 1}, 1, {0, INFINITY}), CCD_E_NONFINITE, "not finite");
    THROWS(Spline("cam", {"lift"}, {0}, {0, 1}, 6, std::vector<double>(7)), CCD_E_ARGUMENT, "degree is 6: must be 1 to 5");
}

/// A path over time, from a file and as it is, and files that are malformed.
void files() {
    const std::string name = scratch_file("way.spline");
    const auto write = [&](const std::string &text) { std::ofstream(name, std::ios::binary) << text; };
    const std::string good =
        "ccd spline 1\nover\n2 joints\n0.0 left arm\n1e-3 lift\n3 knots\n0\n1\n2.5\ndegree 1\n0 1\n1 2\n1 2\n3 5\n";
    write(good);
    const Spline way = Spline::read(name);
    CHECK(way.over().empty() && way.names()[0] == "left arm" && way.errors().data()[1] == 1e-3);
    const Path path = way.path({7, 8, 9}, {2, 0});
    CHECK(path.variables() == 3 && path.edges() == 2 && path.degree() == 1 && path.times().data()[2] == 2.5);
    const std::vector<double> rows{1, 8, 0, 2, 8, 1, 2, 8, 1, 5, 8, 3};
    CHECK(std::vector<double>(path.control().begin(), path.control().end()) == rows && way.radii()[1] == 1e-3);
    THROWS(way.follow(path, 0, {1, 2}), CCD_E_ARGUMENT, "call path");
    std::string dos = good;
    for (std::size_t at = dos.find('\n'); at != std::string::npos; at = dos.find('\n', at + 2)) {
        dos.insert(at, "\r");
    }
    write(dos);
    CHECK(Spline::read(name).names() == way.names());
    for (const char *part : {"ccd spline 1", "over", "2 joints", "1e-3", "3 knots", "degree 1", "3 5"}) {
        std::string bad = good;
        bad.replace(bad.find(part), std::string(part).size(), "x");
        write(bad);
        THROWS(Spline::read(name), CCD_E_FILE, "malformed");
    }
    for (std::size_t size = 0; size + 2 < good.size();
         size++) { // Cut anywhere, it is refused; a digit less may be another number.
        write(good.substr(0, size));
        THROWS(Spline::read(name), CCD_E_FILE, "malformed");
    }
    write(good + "4\n");
    THROWS(Spline::read(name), CCD_E_FILE, "goes on");
    THROWS(Spline::read("no_such_file"), CCD_E_FILE, "cannot be opened");
    std::remove(name.c_str());
}

} // namespace

int main() {
    chain();
    cams();
    files();
    return failures != 0;
}
