// tight_inclusion_utils.cpp - a caller in the shape of IPC's CCDUtils.cpp, which includes this one header of Tight Inclusion 1.0.0.
#include <tight_inclusion/interval_root_finder.hpp>

#include <check.hpp>

using Scalar = float; // a program's own: the header makes no type global
using Vector3d = int;

int main() {
    const std::vector<Eigen::Vector3d> box = {Eigen::Vector3d(-1, -2, -3), Eigen::Vector3d(1, 1, 8)};
    const std::array<double, 3> vf = inclusion_ccd::get_numerical_error(box, /*check_vf=*/true, true);
    const std::array<double, 3> ee = inclusion_ccd::get_numerical_error(box, /*check_vf=*/false, true);
    const ticcd::Array3 same = ticcd::get_numerical_error(box, true, true);
    for (std::size_t k = 0; k < 3; k++) {
        CHECK(vf[k] == same[static_cast<Eigen::Index>(k)] && ee[k] > 0 && ee[k] < vf[k]);
    }
    return failures == 0 ? 0 : 1;
}
