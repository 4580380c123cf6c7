// Tests candidate pairs of a step on a GPU with ccd/device.h: nvcc -I ../../include step.cu && ./a.out
//
// First a small kernel sorts out what is certainly apart; the full test, which needs more registers, sees what is left.
#include "ccd/device.h"

// One vertex-face candidate a thread: positions are of all vertices, pairs are {v, f0, f1, f2}.
__device__ void gather(const double *x0, const double *x1, const int *pair, double *q) {
    for (int k = 0; k < 4; k++)
        for (int axis = 0; axis < 3; axis++) {
            q[3 * k + axis] = x0[3 * pair[k] + axis];
            q[12 + 3 * k + axis] = x1[3 * pair[k] + axis];
        }
}

extern "C" __global__ void check(int *result) { *result = ccd_device_check(); }

extern "C" __global__ void filter(const double *x0, const double *x1, const int *pairs, int n, int *left, int *count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double q[24];
    gather(x0, x1, pairs + 4 * i, q);
    if (!ccd_device_vertex_face_filter(q)) left[atomicAdd(count, 1)] = i;
}

extern "C" __global__ void decide(const double *x0, const double *x1, const int *pairs, const int *left, const int *count, int *verdict,
                                  double *toi) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= *count) return;
    double q[24];
    gather(x0, x1, pairs + 4 * left[j], q);
    verdict[left[j]] = ccd_device_vertex_face(q, &toi[left[j]]);
}

#ifndef __CUDACC_RTC__
#include <cstdio>
#include <vector>

// A vertex falls through the first of two triangles.
int main() {
    const std::vector<double> x0 = {0.25, 0.5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0};
    std::vector<double> x1 = x0;
    x1[2] = -2;
    const std::vector<int> pairs = {0, 1, 2, 3, 0, 4, 5, 6};
    const int n = int(pairs.size()) / 4;
    double *d0, *d1, *toi;
    int *p, *left, *count, *verdict;
    cudaMallocManaged(&d0, x0.size() * sizeof *d0);
    cudaMallocManaged(&d1, x1.size() * sizeof *d1);
    cudaMallocManaged(&p, pairs.size() * sizeof *p);
    cudaMallocManaged(&toi, n * sizeof *toi);
    cudaMallocManaged(&left, n * sizeof *left);
    cudaMallocManaged(&verdict, n * sizeof *verdict);
    cudaMallocManaged(&count, sizeof *count);
    for (size_t i = 0; i < x0.size(); i++) d0[i] = x0[i], d1[i] = x1[i];
    for (size_t i = 0; i < pairs.size(); i++) p[i] = pairs[i];
    for (int i = 0; i < n; i++) verdict[i] = CCD_DEVICE_SEPARATE;

    check<<<1, 1>>>(count);
    if (cudaDeviceSynchronize() != cudaSuccess || *count != 0) {
        std::printf("no device, or its compiler changed the roundings\n");
        return 1;
    }
    filter<<<(n + 127) / 128, 128>>>(d0, d1, p, n, left, count);
    decide<<<(n + 127) / 128, 128>>>(d0, d1, p, left, count, verdict, toi);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        if (verdict[i] != CCD_DEVICE_SEPARATE)
            std::printf("pair %d: %s %.17g\n", i, verdict[i] == CCD_DEVICE_CONTACT ? "contact at" : "safe before", toi[i]);
    return 0;
}
#endif
