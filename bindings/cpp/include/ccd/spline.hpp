// spline.hpp - joints that follow a drive, and paths, from files that Python writes: closed chains for robot.hpp. Part of ccd.hpp.
#ifndef LIBCCD_TOI_SPLINE_HPP
#define LIBCCD_TOI_SPLINE_HPP

#include <ccd/robot.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <locale>
#include <string>
#include <utility>
#include <vector>

namespace ccd {
namespace robot {

/// Joints as piecewise polynomials of degree 1 to 5, each with a radius: how far it may be from them. They go over time, as the path of a
/// closed chain, or over the value of a drive, as a four-bar, a gripper or a cam. ccd.robot.Path.save and ccd.robot.Coupling.save of Python
/// write the files: that closes loops and proves the radii, and this class lets a C++ program use them.
class Spline {
public:
    /// @param over    the name of the drive; empty for times
    /// @param names   of the joints
    /// @param errors  their radii, at least 0
    /// @param knots   values of the drive, or times, ascending: pieces lie between them
    /// @param degree  from 1 to 5
    /// @param control in the form of Bernstein: for each piece degree + 1 rows of a value for each joint. Pieces join
    /// @throws Error  the sizes do not fit, knots do not ascend, a number is not finite, a radius is below 0, or pieces do not join
    Spline(std::string over, std::vector<std::string> names, std::vector<double> errors, std::vector<double> knots,
           int degree, std::vector<double> control)
        : over_(std::move(over)), names_(std::move(names)), errors_(std::move(errors)), knots_(std::move(knots)),
          degree_(degree), control_(std::move(control)) {
        if (names_.empty()) {
            throw detail::wrong_size("names", 0, "items", "must have one for each joint, at least 1");
        }
        if (degree < 1 || degree > 5) {
            throw Error(CCD_E_ARGUMENT, "degree is " + std::to_string(degree) + ": must be 1 to 5");
        }
        if (knots_.size() < 2) {
            throw detail::wrong_size("knots", knots_.size(), "numbers", "must have at least 2, the ends of a piece");
        }
        const std::size_t n = names_.size(), rows = static_cast<std::size_t>(degree) + 1;
        detail::same_size("names", n, "errors", errors_.size(), "items");
        if (control_.size() != (knots_.size() - 1) * rows * n) {
            throw detail::wrong_size("control", control_.size(), "numbers",
                                     "must have " + std::to_string((knots_.size() - 1) * rows * n) +
                                         ", degree + 1 rows of a number for each joint for each piece");
        }
        finite("control", control_);
        finite("errors", errors_);
        finite("knots", knots_);
        for (std::size_t i = 0; i < n; i++) {
            if (errors_[i] < 0) {
                throw Error(CCD_E_ARGUMENT,
                            "errors[" + std::to_string(i) + "] is " + detail::shown(errors_[i]) + ": must not be negative");
            }
        }
        for (std::size_t i = 1; i < knots_.size(); i++) {
            if (!(knots_[i - 1] < knots_[i])) {
                throw Error(CCD_E_ARGUMENT, "knots[" + std::to_string(i) + "] is " + detail::shown(knots_[i]) + ", after " +
                                                detail::shown(knots_[i - 1]) + ": knots must ascend");
            }
        }
        for (std::size_t i = rows * n; i < control_.size();
             i += rows * n) { // Where pieces differ by rounding, they are joined.
            for (std::size_t k = 0; k < n; k++) {
                const double before = control_[i - n + k];
                if (std::abs(control_[i + k] - before) > 1e-9 * (1 + std::abs(before))) {
                    throw Error(CCD_E_ARGUMENT, "control: piece " + std::to_string(i / (rows * n)) + " begins with " +
                                                    detail::shown(control_[i + k]) + " for joint " + std::to_string(k) +
                                                    ", where the piece before it ends with " + detail::shown(before) +
                                                    ": pieces must join");
                }
                control_[i + k] = before;
            }
        }
    }

    /// Read a file that ccd.robot.Path.save or ccd.robot.Coupling.save has written.
    /// @throws Error CCD_E_FILE if it cannot be read or is malformed, or as the constructor
    static Spline read(const std::string &path) {
        std::ifstream file(path);
        file.imbue(std::locale::classic());
        std::string line, over, word;
        if (!file) {
            throw Error(CCD_E_FILE, path + " cannot be opened");
        }
        const auto require = [&](bool fine, const char *what) {
            if (!fine || !file) {
                throw Error(CCD_E_FILE, path + " is malformed: " + what);
            }
        };
        const auto next = [&] {
            std::getline(file, line);
            if (!line.empty() && line.back() == '\r') {
                line.pop_back();
            }
        };
        next();
        require(line == "ccd spline 1", "its first line must be 'ccd spline 1'");
        next();
        require(line.compare(0, 4, "over") == 0, "its second line must be 'over' and the name of a drive");
        over = line.size() > 5 ? line.substr(5) : std::string();
        std::size_t count = 0;
        const auto counted = [&](const char *what) {
            file >> count >> word;
            require(word == what && count <= most, "a number of joints or knots is missing");
        };
        counted("joints");
        std::vector<std::string> names(count);
        std::vector<double> errors(count);
        for (std::size_t i = 0; i < count; i++) {
            file >> errors[i];
            require(file.get() == ' ', "a joint has no name");
            next();
            names[i] = line;
        }
        counted("knots");
        std::vector<double> knots(count);
        for (double &x : knots) {
            file >> x;
        }
        int degree = 0;
        file >> word >> degree;
        require(word == "degree" && degree >= 1 && degree <= 5 && count >= 2, "it has no degree from 1 to 5, or no pieces");
        const std::size_t rows = (count - 1) * static_cast<std::size_t>(degree + 1);
        require(names.empty() || rows <= most / names.size(), "it has too many control values");
        std::vector<double> control(rows * names.size());
        for (double &x : control) {
            file >> x;
        }
        require(true, "it ends too early, or holds what is no number");
        if (file >> word) {
            throw Error(CCD_E_FILE, path + " is malformed: it goes on after its control values");
        }
        return Spline(std::move(over), std::move(names), std::move(errors), std::move(knots), degree, std::move(control));
    }

    const std::string &over() const noexcept { return over_; }                ///< the drive's name; empty for times
    const std::vector<std::string> &names() const noexcept { return names_; } ///< of the joints
    View<double> errors() const noexcept { return errors_; }                  ///< their radii
    View<double> knots() const noexcept { return knots_; }                    ///< values of the drive, or times
    int degree() const noexcept { return degree_; }                           ///< of the polynomials
    View<double> control() const noexcept { return control_; }                ///< control values, piece by piece

    /// The path over time of all variables of a robot, of which the joints are some. The others rest.
    /// @param rest      a value for each variable of the robot
    /// @param variables the variable of each joint
    /// @throws Error    it goes over a drive, or a variable is out of range or given twice
    Path path(View<double> rest, View<std::int32_t> variables) const {
        if (!over_.empty()) {
            throw Error(CCD_E_ARGUMENT, "the joints follow " + over_ + ": call follow");
        }
        check(variables, rest.size(), -1);
        const std::size_t n = names_.size(), rows = control_.size() / n;
        std::vector<double> control;
        for (std::size_t row = 0; row < rows; row++) {
            control.insert(control.end(), rest.begin(), rest.end());
            for (std::size_t k = 0; k < n; k++) {
                control[row * rest.size() + static_cast<std::size_t>(variables.data()[k])] = control_[row * n + k];
            }
        }
        return Path(rest.size(), degree_, std::move(control), knots_);
    }

    /// Let the joints follow their drive on a path.
    /// @param path      on each edge of which the drive goes straight; its values of the joints that follow are replaced
    /// @param drive     the variable of the drive
    /// @param variables the variable of each joint that follows
    /// @returns         the path with degree 5, cut where the drive passes knots, with the times of the path
    /// @throws Error    the joints go over time, the drive leaves the knots or does not go straight, or a variable is out of range or given
    ///                  twice
    Path follow(const Path &path, std::int32_t drive, View<std::int32_t> variables) const {
        if (over_.empty()) {
            throw Error(CCD_E_ARGUMENT, "the joints go over time: call path");
        }
        const std::size_t all = path.variables(), n = names_.size(), wide = static_cast<std::size_t>(degree_ + 1) * n;
        if (drive < 0 || static_cast<std::size_t>(drive) >= all) {
            throw Error(CCD_E_ARGUMENT,
                        "drive is " + std::to_string(drive) + ": out of range for " + std::to_string(all) + " variables");
        }
        check(variables, all, drive);
        const std::size_t rows = static_cast<std::size_t>(path.degree()) + 1;
        std::vector<double> control, times{path.times().data()[0]};
        for (std::size_t edge = 0; edge < path.edges(); edge++) {
            const double *own = path.control().data() + edge * rows * all;
            const auto at = [&](std::size_t row) { return own[row * all + static_cast<std::size_t>(drive)]; };
            const double x0 = at(0), x1 = at(rows - 1);
            straight(at, rows, edge);
            std::vector<double> stops{0};
            cut(x0, x1, stops);
            stops.push_back(1);
            for (std::size_t i = 0; i + 1 < stops.size(); i++) {
                const double a = stops[i], b = stops[i + 1], middle = x0 + (a + b) / 2 * (x1 - x0);
                const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, middle);
                const std::size_t piece = static_cast<std::size_t>(above - knots_.begin()) - 1;
                std::vector<double> part = restricted(own, rows, all, a, b);
                const double first = knots_[piece], width = knots_[piece + 1] - first;
                const auto place = [&](double x) { return std::min(std::max((x - first) / width, 0.), 1.); };
                const auto drives = static_cast<std::size_t>(drive);
                const auto found = restricted(control_.data() + piece * wide, wide / n, n, place(part[drives]),
                                              place(part[5 * all + drives]));
                for (std::size_t row = 0; row < 6; row++) {
                    for (std::size_t k = 0; k < n; k++) {
                        part[row * all + static_cast<std::size_t>(variables.data()[k])] = found[row * n + k];
                    }
                }
                control.insert(control.end(), part.begin(), part.end());
                times.push_back(b < 1 ? path.time(edge, b) : path.times().data()[edge + 1]);
            }
        }
        return Path(all, 5, std::move(control), std::move(times));
    }

    /// Add what the joints may err by to Joint::error of all joints of a model that follow them, so that what is proven of the robot holds
    /// for the exact chain. Call it once, before the robot is made.
    /// @param model     whose joints have their factors
    /// @param variables the variable of each joint of the spline
    /// @throws Error    a variable is out of range or given twice
    void let_err(Model &model, View<std::int32_t> variables) const {
        check(variables, model.variables, -1);
        const std::vector<double> off = radii();
        for (std::size_t k = 0; k < off.size(); k++) {
            for (Joint &j : model.joints) {
                if (j.kind != CCD_JOINT_FIXED && j.variable == variables.data()[k]) {
                    j.error = (j.error + std::abs(j.factor) * off[k]) * (1 + 0x1p-50);
                }
            }
        }
    }

    /// How far each joint may be from the path that follow() or path() makes: its radius, and the rounding of follow().
    /// docs/proofs/robots.md ("Loops") has the bound.
    std::vector<double> radii() const {
        std::vector<double> off(errors_);
        if (over_.empty()) {
            return off;
        }
        const std::size_t n = names_.size(), rows = static_cast<std::size_t>(degree_) + 1;
        double width = knots_[1] - knots_[0], far = 0;
        for (std::size_t i = 0; i < knots_.size(); i++) {
            far = std::max(far, std::abs(knots_[i]));
            width = i == 0 ? width : std::min(width, knots_[i] - knots_[i - 1]);
        }
        for (std::size_t k = 0; k < n; k++) {
            double size = 0, step = 0;
            for (std::size_t i = k; i < control_.size(); i += n) {
                size = std::max(size, std::abs(control_[i]));
                if (i / n % rows > 0) {
                    step = std::max(step, 5 * std::abs(control_[i] - control_[i - n]));
                }
            }
            off[k] += 0x1p-46 * size + 0x1p-45 * step * (1 + far / width);
        }
        return off;
    }

private:
    static constexpr std::size_t most = 10000000; // Numbers of a file.

    static void finite(const std::string &name, const std::vector<double> &list) {
        for (std::size_t i = 0; i < list.size(); i++) {
            if (!(std::abs(list[i]) <= 1e150)) {
                throw Error(CCD_E_NONFINITE, name + "[" + std::to_string(i) + "] is " + detail::shown(list[i]) +
                                                 ": not finite or above 1e150 in magnitude");
            }
        }
    }

    void check(View<std::int32_t> variables, std::size_t count, std::int32_t drive) const {
        std::vector<bool> seen(count);
        if (variables.size() != names_.size()) {
            throw detail::wrong_size("variables", variables.size(), "items",
                                     "must have " + std::to_string(names_.size()) + ", one for each joint");
        }
        for (std::size_t k = 0; k < variables.size(); k++) {
            const std::int32_t v = variables.data()[k];
            const auto i = static_cast<std::size_t>(v);
            if (v < 0 || i >= count || v == drive || seen[i]) {
                throw Error(CCD_E_ARGUMENT,
                            "variables[" + std::to_string(k) + "] is " + std::to_string(v) + ": " +
                                (v < 0 || i >= count ? "out of range for " + std::to_string(count) + " variables"
                                 : v == drive        ? "that is the drive"
                                                     : "it is given twice"));
            }
            seen[i] = true;
        }
    }

    /// Refuse an edge on which the drive leaves the knots, or does not go straight.
    template <class At> void straight(const At &at, std::size_t rows, std::size_t edge) const {
        double far = 0;
        for (std::size_t i = 0; i < rows; i++) {
            if (!(at(i) >= knots_.front() && at(i) <= knots_.back())) {
                throw Error(CCD_E_ARGUMENT, "path: on edge " + std::to_string(edge) + " the drive " + over_ + " is " +
                                                detail::shown(at(i)) + ": it leaves the knots, " +
                                                detail::shown(knots_.front()) + " to " + detail::shown(knots_.back()));
            }
            far = std::max(far, std::abs(at(i)));
        }
        for (std::size_t i = 1; i + 1 < rows; i++) {
            const double share = static_cast<double>(i) / static_cast<double>(rows - 1);
            if (std::abs(at(i) - (at(0) + share * (at(rows - 1) - at(0)))) > 1e-14 * far) {
                throw Error(CCD_E_ARGUMENT, "path: on edge " + std::to_string(edge) + " the drive " + over_ +
                                                " does not go straight: close the loops along the path");
            }
        }
    }

    /// Where an edge of the drive passes knots, ascending, in (0, 1).
    void cut(double x0, double x1, std::vector<double> &stops) const {
        const auto low = std::upper_bound(knots_.begin(), knots_.end(), std::min(x0, x1));
        const auto high = std::lower_bound(knots_.begin(), knots_.end(), std::max(x0, x1));
        for (auto x = low; x < high; ++x) {
            const double s = (*x - x0) / (x1 - x0);
            if (s > 0 && s < 1) {
                stops.push_back(s);
            }
        }
        std::sort(stops.begin(), stops.end());
        stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    }

    /// Six rows of control values of the same polynomials over [a, b], by blossoms and elevations, rounded.
    static std::vector<double> restricted(const double *control, std::size_t rows, std::size_t n, double a, double b) {
        std::vector<double> out(6 * n), d(rows);
        for (std::size_t k = 0; k < n; k++) {
            for (std::size_t ones = 0; ones < rows; ones++) {
                for (std::size_t i = 0; i < rows; i++) {
                    d[i] = control[i * n + k];
                }
                for (std::size_t step = 0; step + 1 < rows; step++) {
                    const double s = step < ones ? b : a;
                    for (std::size_t i = 0; i + 1 + step < rows; i++) {
                        d[i] = d[i] + s * (d[i + 1] - d[i]);
                    }
                }
                out[ones * n + k] = d[0];
            }
            for (std::size_t size = rows; size < 6; size++) { // Elevation, from the last row on.
                out[size * n + k] = out[(size - 1) * n + k];
                for (std::size_t i = size - 1; i > 0; i--) {
                    const double part = static_cast<double>(i) / static_cast<double>(size);
                    out[i * n + k] = part * out[(i - 1) * n + k] + (1 - part) * out[i * n + k];
                }
            }
        }
        return out;
    }

    std::string over_;
    std::vector<std::string> names_;
    std::vector<double> errors_, knots_;
    int degree_;
    std::vector<double> control_;
};

} // namespace robot
} // namespace ccd

#endif // LIBCCD_TOI_SPLINE_HPP
