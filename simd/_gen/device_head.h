/*
 * ccd/device.h: continuous collision detection of one pair inside other programs' kernels.
 *
 * One file for C99, C++11, CUDA C++ and OpenCL C 1.2 with doubles. It needs no library, no heap and no other header.
 *
 *   double q[24] = {...}, toi;
 *   switch (ccd_device_vertex_face(q, &toi)) {
 *   case CCD_DEVICE_SEPARATE:  the pair touches at no t in [0, 1]; toi is infinite. A proof.
 *   case CCD_DEVICE_CONTACT:   the pair first touches at toi, or between toi and the next double; not before. A proof.
 *   case CCD_DEVICE_UNDECIDED: the pair does not touch at any t < toi; nothing is known of t >= toi.
 *   }
 *
 * q is as for ccd_pair_vertex_face: {v, f0, f1, f2} at t = 0, then the same four points at t = 1; {a0, a1, b0, b1} for
 * ccd_device_edge_edge. Points move on straight lines between the two. There is no minimum separation.
 *
 * Where it decides, verdict and toi are those of ccd_pair_* with CCD_METHOD_EXACT, bit for bit. It leaves undecided what floats cannot
 * decide: contact at a vertex or an edge of the other side, contact at t = 0, coplanar motion; and input that is not finite or beyond
 * 1e150, with toi = 0. In the steps of simulations that is one candidate in 10,000. Ask ccd_pair_* on the CPU for those, or step to less than toi.
 *
 * Compile without -ffast-math (nvcc: --use_fast_math is harmless to doubles, but flushes tiny floats). Products are never fused with
 * sums, whatever the compiler's default. Call ccd_device_check once on the device: it returns 0 if the compiler kept every rounding.
 *
 * ccdk_ and CCDK_ names are internal. docs/howto/device-header.md has examples, docs/proofs/kernels.md the proofs.
 */
#ifndef CCD_DEVICE_H
#define CCD_DEVICE_H

/* The verdicts; the numbers are those of ccd.h. */
#define CCD_DEVICE_UNDECIDED 0
#define CCD_DEVICE_SEPARATE 1
#define CCD_DEVICE_CONTACT 2
