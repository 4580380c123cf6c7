/*
 * device.h - what kernels need beside simd/text/prelude.h: groups of 256 items, their barriers, and single precision.
 *
 * OpenCL C as a driver compiles it; OpenCL C that clang compiles ahead to PTX; CUDA C for NVRTC and nvcc.
 */
#define WG 256u
#define FN CCDK_FN
#define GLOBAL CCDK_GLOBAL
#define MUL64(a, b) CCDK_MUL(a, b)
#define FMA64(a, b, c) CCDK_FMA(a, b, c)

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define KERNEL extern "C" __global__ void __launch_bounds__(256)
#define LOCAL __shared__
#define IN_LOCAL
#define ITEM() (blockIdx.x * WG + threadIdx.x)
#define LANE() (threadIdx.x)
#define GROUP() (blockIdx.x)
#define BARRIER() __syncthreads()
#define MUL32(a, b) __fmul_rn(a, b)
#define BITS32(x) __float_as_uint(x)
#define SQRT64(x) __dsqrt_rn(x)
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong; /* 64 bits, as on Linux */
#else
#define KERNEL __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
#define LOCAL __local
#define IN_LOCAL __local
#define MUL32(a, b) ((a) * (b))
#define BITS32(x) as_uint(x)
#if defined(__NVPTX__) /* no library of built-ins is linked */
#define ITEM() ((uint)__nvvm_read_ptx_sreg_ctaid_x() * WG + (uint)__nvvm_read_ptx_sreg_tid_x())
#define LANE() ((uint)__nvvm_read_ptx_sreg_tid_x())
#define GROUP() ((uint)__nvvm_read_ptx_sreg_ctaid_x())
#define SQRT64(x) __builtin_sqrt(x)
#define BARRIER() __syncthreads()
#else
#define ITEM() ((uint)get_global_id(0))
#define LANE() ((uint)get_local_id(0))
#define GROUP() ((uint)get_group_id(0))
#define SQRT64(x) sqrt(x)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#endif
#endif
