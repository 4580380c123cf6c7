// pca.hpp - turns a scene so that its principal axes are those of coordinates, to spread boxes along the first.
//
// What differs: the axes are the eigenvectors of the covariance, by Eigen, in the order of falling variance, with no iteration to a
// tolerance. As there, coordinates are rounded: boxes must be built from the turned vertices.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_PCA_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_PCA_HPP

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace scalable_ccd {
inline namespace ccd_toi {

inline void nipals_pca(Eigen::MatrixXd &vertices_t0, Eigen::MatrixXd &vertices_t1) {
    if (vertices_t0.rows() == 0) {
        return;
    }
    Eigen::MatrixXd all(vertices_t0.rows() + vertices_t1.rows(), vertices_t0.cols());
    all << vertices_t0, vertices_t1;
    const Eigen::RowVectorXd center = all.colwise().mean();
    all.rowwise() -= center;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(all.transpose() * all); // axes by rising variance
    const Eigen::MatrixXd turn = axes.eigenvectors().rowwise().reverse();
    vertices_t0 = ((vertices_t0.rowwise() - center) * turn).eval();
    vertices_t1 = ((vertices_t1.rowwise() - center) * turn).eval();
}

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_PCA_HPP
