// jacobian.cpp - contact Jacobians in C++: against loops over the records, as a map of Eigen's, and bad input.
#include "check.hpp"

#include <cmath>

namespace {

// A fixed triangle, and one that falls through it.
const std::vector<double> x0 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, 1, .5, .25, 1, .25, .5, 1};
const std::vector<double> x1 = {0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, -1, .5, .25, -1, .25, .5, -1};
const std::vector<std::int32_t> faces = {0, 1, 2, 3, 4, 5};
const std::vector<double> inverse_mass = {0, 0, 0, 1, 2, 4};

/// The product of a matrix in compressed rows and a vector.
std::vector<double> product(const ccd::step::Jacobian &j, const std::vector<double> &x) {
    std::vector<double> out(j.rows);
    for (std::size_t row = 0; row < j.rows; row++) {
        for (std::int32_t k = j.row_starts[row]; k < j.row_starts[row + 1]; k++) {
            const std::size_t at = static_cast<std::size_t>(k);
            out[row] += j.values[at] * x[static_cast<std::size_t>(j.columns[at])];
        }
    }
    return out;
}

void rows(const std::vector<ccd::Constraint> &active) {
    const ccd::step::Jacobian normal = ccd::step::jacobian(active, 6);
    CHECK(normal.rows == active.size() && normal.cols == 18 && normal.row_starts.size() == normal.rows + 1);
    CHECK(normal.values.size() == 12 * normal.rows && normal.columns.size() == normal.values.size());
    const std::vector<double> gap = product(normal, x1);
    const ccd::step::Jacobian contact = ccd::step::jacobian(active, 6, ccd::step::Frame::contact);
    const std::vector<double> all = product(contact, x1);
    for (std::size_t i = 0; i < active.size(); i++) {
        CHECK(std::abs(gap[i] - active[i].gap) < 1e-15 && all[3 * i] == gap[i]);
        const std::vector<double> t = ccd::step::tangents(active[i].impact.normal);
        for (std::size_t side = 0; side < 2; side++) {
            double along = 0;
            for (std::size_t v = 0; v < 4; v++) {
                for (std::size_t k = 0; k < 3; k++) {
                    along += active[i].weights[v] * t[3 * side + k] *
                             x1[3 * static_cast<std::size_t>(active[i].vertices[v]) + k];
                }
            }
            CHECK(std::abs(all[3 * i + 1 + side] - along) < 1e-15);
        }
    }
    CHECK(ccd::step::jacobian({}, 6).row_starts == std::vector<std::int32_t>{0});
    THROWS(ccd::step::jacobian(active, 3), CCD_E_INDEX, "constraints[0].vertices[0] is 3");
}

void masses_and_colors(const std::vector<ccd::Constraint> &active) {
    const std::vector<double> masses = ccd::step::effective_mass(active, inverse_mass);
    for (std::size_t i = 0; i < active.size(); i++) {
        double k = 0;
        for (std::size_t v = 0; v < 4; v++) {
            k +=
                active[i].weights[v] * active[i].weights[v] * inverse_mass[static_cast<std::size_t>(active[i].vertices[v])];
        }
        CHECK(std::abs(masses[i] * k - 1) < 1e-14);
    }
    const ccd::step::Colors all = ccd::step::colors(active, 6), some = ccd::step::colors(active, 6, inverse_mass);
    CHECK(all.colors.size() == active.size() && all.colors[0] == 0 && some.count >= 1 && some.count <= all.count);
    THROWS(ccd::step::colors(active, 6, {1., 2.}), CCD_E_ARGUMENT, "inverse_mass has 2 numbers");
    THROWS(ccd::step::effective_mass(active, {1., 1., 1., 1., 1., -1.}), CCD_E_ARGUMENT, "inverse_mass[5] is -1");
    THROWS(ccd::step::tangents({1., 2., 3., 0., 0., 0.}), CCD_E_ARGUMENT, "normals[1] is 0");
}

#if CCD_HAS_EIGEN
// The map has the arrays' memory, and Eigen computes with it.
void eigen(const std::vector<ccd::Constraint> &active) {
    const ccd::step::Jacobian j = ccd::step::jacobian(active, 6, ccd::step::Frame::contact);
    const auto map = j.matrix();
    CHECK(map.valuePtr() == j.values.data() && map.innerIndexPtr() == j.columns.data() && map.isCompressed());
    const Eigen::VectorXd along = map * Eigen::Map<const Eigen::VectorXd>(x1.data(), 18);
    const std::vector<double> want = product(j, x1);
    for (std::size_t i = 0; i < j.rows; i++) {
        CHECK(std::abs(along[static_cast<Eigen::Index>(i)] - want[i]) < 1e-15);
    }
    Eigen::VectorXd inverse(18);
    for (Eigen::Index i = 0; i < 18; i++) {
        inverse[i] = inverse_mass[static_cast<std::size_t>(i / 3)];
    }
    const Eigen::SparseMatrix<double> scaled = inverse.asDiagonal() * map.transpose();
    const Eigen::SparseMatrix<double> delassus = map * scaled;
    const std::vector<double> masses = ccd::step::effective_mass(active, inverse_mass);
    for (Eigen::Index i = 0; i < delassus.rows(); i++) {
        CHECK(std::abs(delassus.coeff(i, i) * masses[static_cast<std::size_t>(i / 3)] - 1) < 1e-14);
        for (Eigen::Index k = 3 * (i / 3); k < i; k++) { // the frames are orthonormal: a constraint's block is diagonal
            CHECK(std::abs(delassus.coeff(i, k)) < 1e-14);
        }
    }
}
#endif

} // namespace

int main() {
    const ccd::Mesh mesh(6, {}, faces);
    const std::vector<ccd::Constraint> active = ccd::Step(mesh, x0, x1).activeset();
    CHECK(active.size() > 1);
    rows(active);
    masses_and_colors(active);
#if CCD_HAS_EIGEN
    eigen(active);
#endif
    return failures != 0;
}
