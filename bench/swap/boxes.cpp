// boxes.cpp - times Scalable CCD's broad phase on the CPU through bindings/cpp/compat: boxes, then edges against edges and vertices
// against faces. For bench/ccdbench/swap.py.
//
//   boxes VERTICES EDGES FACES ROUNDS < SCENE    x0 and x1 as doubles, then edges and faces as 32-bit integers, all row by row
//
// Prints the number of pairs, then a line a round: microseconds of the processor.
#include <scalable_ccd/broad_phase/aabb.hpp>
#include <scalable_ccd/broad_phase/sort_and_sweep.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

template <class T> static Eigen::Matrix<T, -1, -1> read(long rows, long columns) {
    Eigen::Matrix<T, -1, -1, Eigen::RowMajor> m(rows, columns);
    if (std::fread(m.data(), sizeof(T), static_cast<std::size_t>(m.size()), stdin) != static_cast<std::size_t>(m.size())) {
        std::exit(1);
    }
    return m;
}

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

int main(int, char **argv) {
    const long n = std::atol(argv[1]);
    const Eigen::MatrixXd x0 = read<double>(n, 3), x1 = read<double>(n, 3);
    const Eigen::MatrixXi edges = read<int>(std::atol(argv[2]), 2), faces = read<int>(std::atol(argv[3]), 3);
    std::vector<double> times;
    std::size_t pairs = 0;
    for (int round = 0; round < std::atoi(argv[4]); round++) {
        const double start = now();
        std::vector<scalable_ccd::AABB> v, e, f;
        scalable_ccd::build_vertex_boxes(x0, x1, v);
        scalable_ccd::build_edge_boxes(v, edges, e);
        scalable_ccd::build_face_boxes(v, faces, f);
        std::vector<std::pair<int, int>> ee, vf;
        int axis = 0;
        scalable_ccd::sort_and_sweep(e, axis, ee);
        scalable_ccd::sort_and_sweep(v, f, axis, vf);
        times.push_back(now() - start);
        pairs = ee.size() + vf.size();
    }
    std::printf("%zu\n", pairs);
    for (double time : times) {
        std::printf("%.1f\n", time);
    }
}
