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

/*
 * prelude.h: what C99, C++, CUDA C++ and OpenCL C write differently, for the generated kernels.
 *
 * Every operation rounds by itself, to nearest: a product is CCDK_MUL, which no compiler may fuse with a sum, and CCDK_FMA is
 * a*b + c rounded once. Beside that the kernels add, subtract, divide and compare doubles.
 */
#ifndef CCDK_PRELUDE
#define CCDK_PRELUDE

#if defined(__FAST_MATH__) || defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ || defined(__ASSOCIATIVE_MATH__) ||    \
    defined(_M_FP_FAST) || defined(__FAST_RELAXED_MATH__)
#error "ccd: compile without -ffast-math (/fp:fast, -cl-fast-relaxed-math): its bounds need sums as they are written"
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 2 || __FLT_EVAL_METHOD__ == -1)
#error "ccd: compile with -msse2 -mfpmath=sse: the x87 unit rounds twice"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CCDK_GNU
#endif

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define CCDK_FN static inline
#define CCDK_API static inline
#define CCDK_GLOBAL __global
typedef ulong ccdk_u64;
#define CCDK_BITS(x) as_ulong(x)
#define CCDK_FLOAT(bits) as_double((ulong)(bits))
#ifndef CCDK_MUL
#define CCDK_MUL(a, b) ((a) * (b))
#endif
#if defined(__NVPTX__) || defined(__AMDGCN__) /* compiled ahead of time, without a library of functions */
#define CCDK_FMA(a, b, c) __builtin_fma(a, b, c)
#define CCDK_ABS(x) __builtin_fabs(x)
#else
#define CCDK_FMA(a, b, c) fma(a, b, c)
#define CCDK_ABS(x) fabs(x)
#endif

#else /* C, C++ and CUDA C++ */
#define CCDK_GLOBAL
typedef unsigned long long ccdk_u64;
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)
#define CCDK_FN static __host__ __device__ __forceinline__
#define CCDK_API static __host__ __device__
#elif defined(_MSC_VER) && !defined(__cplusplus)
#define CCDK_FN static __inline
#elif defined(CCDK_GNU)
#define CCDK_FN __attribute__((unused)) static inline
#else
#define CCDK_FN static inline
#endif
#ifndef CCDK_API
#define CCDK_API CCDK_FN
#endif
#if defined(_MSC_VER) && !defined(CCDK_GNU)
#pragma fp_contract(off)
#elif !defined(CCDK_GNU)
#pragma STDC FP_CONTRACT OFF
#endif

typedef union {
    double x;
    ccdk_u64 bits;
} ccdk_word;
CCDK_FN ccdk_u64 ccdk_bits_of(double x) {
    ccdk_word w;
    w.x = x;
    return w.bits;
}
CCDK_FN double ccdk_float_of(ccdk_u64 bits) {
    ccdk_word w;
    w.bits = bits;
    return w.x;
}
#define CCDK_BITS(x) ccdk_bits_of(x)
#define CCDK_FLOAT(bits) ccdk_float_of(bits)

#if defined(__CUDA_ARCH__)
#define CCDK_ABS(x) fabs(x)
#elif defined(CCDK_GNU)
#define CCDK_ABS(x) __builtin_fabs(x)
#else
#define CCDK_ABS(x) CCDK_FLOAT(CCDK_BITS(x) & 0x7fffffffffffffff)
#endif

/* The product is finished before anything else sees it, whatever -ffp-contract says. */
#ifndef CCDK_MUL
#if defined(__CUDA_ARCH__)
#define CCDK_MUL(a, b) __dmul_rn(a, b)
#elif defined(CCDK_GNU) && (defined(__x86_64__) || defined(__i386__)) && (defined(__FMA__) || defined(__FMA4__))
#define CCDK_FENCE "+x"
#elif defined(CCDK_GNU) && (defined(__aarch64__) || defined(__arm__))
#define CCDK_FENCE "+w"
#elif defined(CCDK_GNU) && defined(__riscv)
#define CCDK_FENCE "+f"
#elif defined(CCDK_GNU) && !defined(__x86_64__) && !defined(__i386__)
#define CCDK_FENCE "+m"
#endif
#if defined(CCDK_FENCE)
CCDK_FN double ccdk_mul(double a, double b) {
    double r = a * b;
    __asm__("" : CCDK_FENCE(r));
    return r;
}
#define CCDK_MUL(a, b) ccdk_mul(a, b)
#elif !defined(CCDK_MUL)
#define CCDK_MUL(a, b) ((a) * (b))
#endif
#endif

#if defined(CCDK_FMA) /* a test gives it */
#elif !defined(CCDK_SOFT_FMA) && defined(__CUDA_ARCH__)
#define CCDK_FMA(a, b, c) __fma_rn(a, b, c)
#elif !defined(CCDK_SOFT_FMA) && defined(CCDK_GNU) && (defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__))
#define CCDK_FMA(a, b, c) __builtin_fma(a, b, c)
#else

/* 128 bits. */
typedef struct {
    ccdk_u64 high;
    ccdk_u64 low;
} ccdk_wide;
CCDK_FN ccdk_wide ccdk_make_wide(ccdk_u64 high, ccdk_u64 low) {
    ccdk_wide r;
    r.high = high;
    r.low = low;
    return r;
}
/* a*b of numbers below 2^53 */
CCDK_FN ccdk_wide ccdk_wide_product(ccdk_u64 a, ccdk_u64 b) {
    const ccdk_u64 a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    const ccdk_u64 low = a0 * b0, middle = a1 * b0 + a0 * b1 + (low >> 32);
    return ccdk_make_wide(a1 * b1 + (middle >> 32), middle << 32 | (low & 0xffffffff));
}
CCDK_FN ccdk_wide ccdk_wide_left(ccdk_wide a, int n) {
    if (n >= 64)
        return ccdk_make_wide(a.low << (n - 64), 0);
    return n ? ccdk_make_wide(a.high << n | a.low >> (64 - n), a.low << n) : a;
}
/* Shifted right; bits that fall off are kept as the last bit. */
CCDK_FN ccdk_wide ccdk_wide_right(ccdk_wide a, int n) {
    ccdk_wide r = a;
    ccdk_u64 lost = 0;
    if (n >= 128)
        return ccdk_make_wide(0, (a.high | a.low) != 0);
    if (n >= 64) {
        lost = a.low;
        r = ccdk_make_wide(0, a.high);
        n -= 64;
    }
    if (n) {
        lost |= r.low << (64 - n);
        r = ccdk_make_wide(r.high >> n, r.low >> n | r.high << (64 - n));
    }
    r.low |= lost != 0;
    return r;
}
CCDK_FN int ccdk_wide_length(ccdk_wide a) {
    const ccdk_u64 x = a.high ? a.high : a.low;
    int n = a.high ? 64 : 0, k;
    ccdk_u64 y = x;
    for (k = 32; k; k >>= 1)
        if (y >> k) {
            y >>= k;
            n += k;
        }
    return y ? n + 1 : n;
}
/* The mantissa of a finite number that is not zero, in [2^52, 2^53), and its exponent. */
CCDK_FN ccdk_u64 ccdk_unpack(double x, int *exponent) {
    const ccdk_u64 bits = CCDK_BITS(x);
    ccdk_u64 m = bits & 0xfffffffffffff;
    *exponent = (int)(bits >> 52 & 0x7ff) - 1075;
    if (*exponent > -1075)
        return m | 0x10000000000000;
    for (*exponent = -1074; !(m >> 52); m <<= 1)
        --*exponent;
    return m;
}
/*
 * a*b + c rounded once, in integers, for processors without the instruction: the same bits as math.FMA of Go for all doubles but the
 * payloads of NaN. The product has 106 bits, 20 of 126 are free below it and 73 below c: what is shifted out of the smaller one
 * matters to rounding only as being there, because the larger one loses at most two bits by cancellation then.
 */
CCDK_FN double ccdk_fma(double a, double b, double c) {
    const ccdk_u64 mask = 0x7fffffffffffffff, infinite = 0x7ff0000000000000;
    const ccdk_u64 ba = CCDK_BITS(a) & mask, bb = CCDK_BITS(b) & mask, bc = CCDK_BITS(c) & mask;
    ccdk_u64 sign = (CCDK_BITS(a) ^ CCDK_BITS(b)) >> 63, bits;
    const ccdk_u64 signc = CCDK_BITS(c) >> 63;
    ccdk_wide p, q, s;
    int ea, eb, ec, ep, n, rest;
    if (!ba || !bb || ba >= infinite || bb >= infinite)
        return CCDK_MUL(a, b) + c;
    if (bc >= infinite)
        return c + c;
    if (!bc)
        return CCDK_MUL(a, b);
    {
        const ccdk_u64 ma = ccdk_unpack(a, &ea), mb = ccdk_unpack(b, &eb), mc = ccdk_unpack(c, &ec);
        p = ccdk_wide_left(ccdk_wide_product(ma, mb), 20);
        q = ccdk_wide_left(ccdk_make_wide(0, mc), 73);
    }
    ep = ea + eb - 20;
    ec -= 73;
    if (ep < ec) {
        p = ccdk_wide_right(p, ec - ep);
        ep = ec;
    } else {
        q = ccdk_wide_right(q, ep - ec);
    }
    if (sign == signc) {
        s = ccdk_make_wide(p.high + q.high + (p.low + q.low < p.low), p.low + q.low);
    } else {
        if (p.high < q.high || (p.high == q.high && p.low < q.low)) {
            s = p;
            p = q;
            q = s;
            sign = signc;
        }
        s = ccdk_make_wide(p.high - q.high - (p.low < q.low), p.low - q.low);
    }
    n = ccdk_wide_length(s);
    if (!n)
        return 0.0;
    rest = n - 53;
    if (ep + rest < -1074)
        rest = -1074 - ep; /* a denormal */
    if (rest <= 0) {
        s = ccdk_wide_left(s, -rest);
    } else {
        s = rest > 1 ? ccdk_wide_right(s, rest - 2)
                     : ccdk_wide_left(s, 1); /* two bits more: half a unit, and what is below */
        s.low = (s.low >> 2) + (s.low >> 1 & (s.low | s.low >> 2) & 1);
    }
    ep += rest;
    bits = s.low;
    if (s.low >> 52) {
        if (ep > 971 || (ep == 971 && s.low >> 53))
            bits = infinite;
        else
            bits = ((ccdk_u64)(ep + 1074) << 52) + s.low;
    }
    return CCDK_FLOAT(sign << 63 | bits);
}
#define CCDK_FMA(a, b, c) ccdk_fma(a, b, c)
#endif
#endif

CCDK_FN double ccdk_min(double a, double b) { return a < b ? a : b; }
CCDK_FN double ccdk_max(double a, double b) { return a > b ? a : b; }
CCDK_FN double ccdk_sign_bit(double x) { return CCDK_FLOAT(CCDK_BITS(x) & 0x8000000000000000); }
CCDK_FN double ccdk_bits_xor(double a, double b) { return CCDK_FLOAT(CCDK_BITS(a) ^ CCDK_BITS(b)); }
CCDK_FN double ccdk_bits_add(double a, double b) { return CCDK_FLOAT(CCDK_BITS(a) + CCDK_BITS(b)); }
CCDK_FN double ccdk_bits_sub(double a, double b) { return CCDK_FLOAT(CCDK_BITS(a) - CCDK_BITS(b)); }
#endif

/* clang-format off: from here on generated by ccd/simd/_gen */

#define CCDK_AXIS_BOUND 7.771561172376096e-16 /* 0x1.cp-51 */
#define CCDK_SMALLEST 3.054936363499605e-151 /* 0x1p-500 */
#define CCDK_CUBIC_END_BOUND 1.9984014443252818e-15 /* 0x1.2p-49 */
#define CCDK_CUBIC_MIDDLE_BOUND 6.661338147750939e-15 /* 0x1.ep-48 */
#define CCDK_DIRECTION_BOUND 1.1102230246251565e-15 /* 0x1.4p-50 */
#define CCDK_LARGEST 1.8092513943330656e+75 /* 0x1p+250 */
#define CCDK_LARGEST_PIECE 1.42724769270596e+45 /* 0x1p+150 */
#define CCDK_PIECE_END_BOUND 3.552713678800501e-15 /* 0x1p-48 */
#define CCDK_PIECE_MIDDLE_BOUND 1.0658141036401503e-14 /* 0x1.8p-47 */
#define CCDK_END_BOUND 2.524354896707238e-29 /* 0x1p-95 */
#define CCDK_MIDDLE_BOUND 1.0097419586828951e-28 /* 0x1p-93 */
#define CCDK_SMALLEST_VOLUME 3.8725919148493183e-121 /* 0x1p-400 */
#define CCDK_MINOR_BOUND 1.7763568394002505e-15 /* 0x1p-49 */
#define CCDK_LEAST_MINOR 1.499696813895631e-241 /* 0x1p-800 */
#define CCDK_LEAST_TIME 8.673617379884035e-19 /* 0x1p-60 */

typedef struct {
    double x;
    double y;
    double z;
} ccdk_vector;
CCDK_FN ccdk_vector ccdk_make_vector(double x, double y, double z) {
    ccdk_vector r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

typedef struct {
    ccdk_vector begin;
    ccdk_vector end;
} ccdk_motion;
CCDK_FN ccdk_motion ccdk_make_motion(ccdk_vector begin, ccdk_vector end) {
    ccdk_motion r;
    r.begin = begin;
    r.end = end;
    return r;
}

CCDK_FN ccdk_vector ccdk_abs(ccdk_vector a) {
    return ccdk_make_vector(CCDK_ABS(a.x), CCDK_ABS(a.y), CCDK_ABS(a.z));
}

CCDK_FN ccdk_vector ccdk_max_of(ccdk_vector a, ccdk_vector b) {
    return ccdk_make_vector(ccdk_max(a.x, b.x), ccdk_max(a.y, b.y), ccdk_max(a.z, b.z));
}

CCDK_FN ccdk_vector ccdk_plus(ccdk_vector a, ccdk_vector b) {
    return ccdk_make_vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

typedef struct {
    ccdk_motion a;
    ccdk_motion b;
    ccdk_motion c;
    ccdk_vector ma;
    ccdk_vector mb;
    ccdk_vector mc;
    ccdk_vector scale;
} ccdk_query;
CCDK_FN ccdk_query ccdk_make_query(ccdk_motion a, ccdk_motion b, ccdk_motion c, ccdk_vector ma, ccdk_vector mb, ccdk_vector mc, ccdk_vector scale) {
    ccdk_query r;
    r.a = a;
    r.b = b;
    r.c = c;
    r.ma = ma;
    r.mb = mb;
    r.mc = mc;
    r.scale = scale;
    return r;
}

CCDK_FN ccdk_query ccdk_measure(ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_vector v0 = ccdk_max_of(ccdk_abs(a.begin), ccdk_abs(a.end));
    const ccdk_vector v1 = ccdk_max_of(ccdk_abs(b.begin), ccdk_abs(b.end));
    const ccdk_vector v2 = ccdk_max_of(ccdk_abs(c.begin), ccdk_abs(c.end));
    return ccdk_make_query(a, b, c, v0, v1, v2, ccdk_plus(ccdk_plus(v0, v1), v2));
}

CCDK_FN double ccdk_sum(ccdk_vector a) {
    return (a.x + a.y) + a.z;
}

typedef struct {
    double lo;
    double hi;
} ccdk_range;
CCDK_FN ccdk_range ccdk_make_range(double lo, double hi) {
    ccdk_range r;
    r.lo = lo;
    r.hi = hi;
    return r;
}

CCDK_FN ccdk_range ccdk_reach_vf(double a, double b, double c) {
    return ccdk_make_range(a + ccdk_min(ccdk_min(b, c), 0.0), a + ccdk_max(ccdk_max(b, c), 0.0));
}

CCDK_FN int ccdk_beyond(ccdk_range r0, ccdk_range r1, double e) {
    return ccdk_max(ccdk_min(r0.lo, r1.lo), -ccdk_max(r0.hi, r1.hi)) > e;
}

CCDK_FN int ccdk_axis_apart_vf(double scale, double a0, double b0, double c0, double a1, double b1, double c1) {
    const int v0 = ccdk_beyond(ccdk_reach_vf(a0, b0, c0), ccdk_reach_vf(a1, b1, c1), CCDK_MUL(scale, CCDK_AXIS_BOUND));
    return v0 && (scale >= CCDK_SMALLEST);
}

CCDK_FN ccdk_vector ccdk_cross(ccdk_vector a, ccdk_vector b) {
    return ccdk_make_vector(CCDK_MUL(a.y, b.z) - CCDK_MUL(a.z, b.y), CCDK_MUL(a.z, b.x) - CCDK_MUL(a.x, b.z), CCDK_MUL(a.x, b.y) - CCDK_MUL(a.y, b.x));
}

CCDK_FN double ccdk_dot(ccdk_vector a, ccdk_vector b) {
    return (CCDK_MUL(a.x, b.x) + CCDK_MUL(a.y, b.y)) + CCDK_MUL(a.z, b.z);
}

CCDK_FN ccdk_vector ccdk_permanent(ccdk_vector a, ccdk_vector b) {
    return ccdk_make_vector(CCDK_MUL(a.y, b.z) + CCDK_MUL(a.z, b.y), CCDK_MUL(a.z, b.x) + CCDK_MUL(a.x, b.z), CCDK_MUL(a.x, b.y) + CCDK_MUL(a.y, b.x));
}

typedef struct {
    double f0;
    double f1;
    double f2;
    double f3;
    double e;
    double e3;
} ccdk_form;
CCDK_FN ccdk_form ccdk_make_form(double f0, double f1, double f2, double f3, double e, double e3) {
    ccdk_form r;
    r.f0 = f0;
    r.f1 = f1;
    r.f2 = f2;
    r.f3 = f3;
    r.e = e;
    r.e3 = e3;
    return r;
}

CCDK_FN int ccdk_one_sign(ccdk_form f) {
    const double v0 = ccdk_sign_bit(f.f0);
    return ((ccdk_bits_xor(f.f0, v0) > f.e) && (ccdk_bits_xor(f.f3, v0) > f.e)) && ((ccdk_bits_xor(f.f1, v0) >= f.e3) && (ccdk_bits_xor(f.f2, v0) >= f.e3));
}

CCDK_FN int ccdk_cubic_apart(ccdk_query q) {
    const ccdk_vector v0 = ccdk_cross(q.b.begin, q.c.begin);
    const ccdk_vector v1 = ccdk_cross(q.b.end, q.c.end);
    const ccdk_vector v2 = ccdk_plus(ccdk_cross(q.b.begin, q.c.end), ccdk_cross(q.b.end, q.c.begin));
    const double v3 = ccdk_dot(q.ma, ccdk_permanent(q.mb, q.mc));
    const ccdk_form v4 = ccdk_make_form(ccdk_dot(q.a.begin, v0), ccdk_dot(q.a.end, v0) + ccdk_dot(q.a.begin, v2), ccdk_dot(q.a.end, v2) + ccdk_dot(q.a.begin, v1), ccdk_dot(q.a.end, v1), CCDK_MUL(v3, CCDK_CUBIC_END_BOUND), CCDK_MUL(v3, CCDK_CUBIC_MIDDLE_BOUND));
    return ccdk_one_sign(v4) && (v3 >= CCDK_SMALLEST);
}

typedef struct {
    ccdk_vector u;
    ccdk_vector v;
    ccdk_vector t;
    ccdk_vector uv;
    ccdk_vector vt;
    ccdk_vector tu;
} ccdk_directions;
CCDK_FN ccdk_directions ccdk_make_directions(ccdk_vector u, ccdk_vector v, ccdk_vector t, ccdk_vector uv, ccdk_vector vt, ccdk_vector tu) {
    ccdk_directions r;
    r.u = u;
    r.v = v;
    r.t = t;
    r.uv = uv;
    r.vt = vt;
    r.tu = tu;
    return r;
}

CCDK_FN ccdk_directions ccdk_directions_vf(ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_vector v0 = ccdk_plus(b.begin, b.end);
    const ccdk_vector v1 = ccdk_plus(c.begin, c.end);
    const double v2 = (a.end.x - a.begin.x) + CCDK_MUL(0.3333333333333333, (b.end.x - b.begin.x) + (c.end.x - c.begin.x));
    const double v3 = (a.end.y - a.begin.y) + CCDK_MUL(0.3333333333333333, (b.end.y - b.begin.y) + (c.end.y - c.begin.y));
    const double v4 = (a.end.z - a.begin.z) + CCDK_MUL(0.3333333333333333, (b.end.z - b.begin.z) + (c.end.z - c.begin.z));
    const ccdk_vector v5 = ccdk_make_vector(v2, v3, v4);
    return ccdk_make_directions(v0, v1, ccdk_make_vector(v2, v3, v4), ccdk_cross(v0, v1), ccdk_cross(v1, v5), ccdk_cross(v5, v0));
}

CCDK_FN int ccdk_direction_apart_vf(ccdk_query q, ccdk_vector d) {
    const double v0 = ccdk_dot(ccdk_abs(d), q.scale);
    const int v1 = ccdk_beyond(ccdk_reach_vf(ccdk_dot(d, q.a.begin), ccdk_dot(d, q.b.begin), ccdk_dot(d, q.c.begin)), ccdk_reach_vf(ccdk_dot(d, q.a.end), ccdk_dot(d, q.b.end), ccdk_dot(d, q.c.end)), CCDK_MUL(v0, CCDK_DIRECTION_BOUND));
    return v1 && (v0 >= CCDK_SMALLEST);
}

CCDK_FN int ccdk_filter_vf(ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_query v0 = ccdk_measure(a, b, c);
    if (!(ccdk_sum(v0.scale) <= CCDK_LARGEST)) return 0;
    const int v1 = ccdk_axis_apart_vf(v0.scale.x, v0.a.begin.x, v0.b.begin.x, v0.c.begin.x, v0.a.end.x, v0.b.end.x, v0.c.end.x);
    if (v1) return 1;
    const int v2 = ccdk_axis_apart_vf(v0.scale.y, v0.a.begin.y, v0.b.begin.y, v0.c.begin.y, v0.a.end.y, v0.b.end.y, v0.c.end.y);
    if (v2) return 1;
    const int v3 = ccdk_axis_apart_vf(v0.scale.z, v0.a.begin.z, v0.b.begin.z, v0.c.begin.z, v0.a.end.z, v0.b.end.z, v0.c.end.z);
    if (v3) return 1;
    if (ccdk_cubic_apart(v0)) return 1;
    const ccdk_directions v4 = ccdk_directions_vf(v0.a, v0.b, v0.c);
    if (ccdk_direction_apart_vf(v0, v4.uv)) return 1;
    if (ccdk_direction_apart_vf(v0, v4.vt)) return 1;
    if (ccdk_direction_apart_vf(v0, v4.tu)) return 1;
    return 0;
}

CCDK_FN ccdk_range ccdk_reach_ee(double a, double b, double c) {
    return ccdk_make_range((a + ccdk_min(b, 0.0)) + ccdk_min(c, 0.0), (a + ccdk_max(b, 0.0)) + ccdk_max(c, 0.0));
}

CCDK_FN int ccdk_axis_apart_ee(double scale, double a0, double b0, double c0, double a1, double b1, double c1) {
    const int v0 = ccdk_beyond(ccdk_reach_ee(a0, b0, c0), ccdk_reach_ee(a1, b1, c1), CCDK_MUL(scale, CCDK_AXIS_BOUND));
    return v0 && (scale >= CCDK_SMALLEST);
}

CCDK_FN ccdk_directions ccdk_directions_ee(ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_vector v0 = ccdk_plus(b.begin, b.end);
    const ccdk_vector v1 = ccdk_plus(c.begin, c.end);
    const double v2 = (a.end.x - a.begin.x) + CCDK_MUL(0.5, (b.end.x - b.begin.x) + (c.end.x - c.begin.x));
    const double v3 = (a.end.y - a.begin.y) + CCDK_MUL(0.5, (b.end.y - b.begin.y) + (c.end.y - c.begin.y));
    const double v4 = (a.end.z - a.begin.z) + CCDK_MUL(0.5, (b.end.z - b.begin.z) + (c.end.z - c.begin.z));
    const ccdk_vector v5 = ccdk_make_vector(v2, v3, v4);
    return ccdk_make_directions(v0, v1, ccdk_make_vector(v2, v3, v4), ccdk_cross(v0, v1), ccdk_cross(v1, v5), ccdk_cross(v5, v0));
}

CCDK_FN int ccdk_direction_apart_ee(ccdk_query q, ccdk_vector d) {
    const double v0 = ccdk_dot(ccdk_abs(d), q.scale);
    const int v1 = ccdk_beyond(ccdk_reach_ee(ccdk_dot(d, q.a.begin), ccdk_dot(d, q.b.begin), ccdk_dot(d, q.c.begin)), ccdk_reach_ee(ccdk_dot(d, q.a.end), ccdk_dot(d, q.b.end), ccdk_dot(d, q.c.end)), CCDK_MUL(v0, CCDK_DIRECTION_BOUND));
    return v1 && (v0 >= CCDK_SMALLEST);
}

CCDK_FN int ccdk_filter_ee(ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_query v0 = ccdk_measure(a, b, c);
    if (!(ccdk_sum(v0.scale) <= CCDK_LARGEST)) return 0;
    const int v1 = ccdk_axis_apart_ee(v0.scale.x, v0.a.begin.x, v0.b.begin.x, v0.c.begin.x, v0.a.end.x, v0.b.end.x, v0.c.end.x);
    if (v1) return 1;
    const int v2 = ccdk_axis_apart_ee(v0.scale.y, v0.a.begin.y, v0.b.begin.y, v0.c.begin.y, v0.a.end.y, v0.b.end.y, v0.c.end.y);
    if (v2) return 1;
    const int v3 = ccdk_axis_apart_ee(v0.scale.z, v0.a.begin.z, v0.b.begin.z, v0.c.begin.z, v0.a.end.z, v0.b.end.z, v0.c.end.z);
    if (v3) return 1;
    if (ccdk_cubic_apart(v0)) return 1;
    const ccdk_directions v4 = ccdk_directions_ee(v0.a, v0.b, v0.c);
    if (ccdk_direction_apart_ee(v0, v4.uv)) return 1;
    if (ccdk_direction_apart_ee(v0, v4.vt)) return 1;
    if (ccdk_direction_apart_ee(v0, v4.tu)) return 1;
    return 0;
}

CCDK_FN ccdk_form ccdk_piece_form(ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_query v0 = ccdk_measure(a, b, c);
    const ccdk_vector v1 = ccdk_cross(v0.b.begin, v0.c.begin);
    const ccdk_vector v2 = ccdk_cross(v0.b.end, v0.c.end);
    const ccdk_vector v3 = ccdk_plus(ccdk_cross(v0.b.begin, v0.c.end), ccdk_cross(v0.b.end, v0.c.begin));
    const double v4 = ccdk_dot(v0.ma, ccdk_permanent(v0.mb, v0.mc));
    const int v5 = (ccdk_sum(v0.scale) <= CCDK_LARGEST_PIECE) && (v4 >= CCDK_SMALLEST);
    return ccdk_make_form(ccdk_dot(v0.a.begin, v1), ccdk_dot(v0.a.end, v1) + ccdk_dot(v0.a.begin, v3), ccdk_dot(v0.a.end, v3) + ccdk_dot(v0.a.begin, v2), ccdk_dot(v0.a.end, v2), v5 ? CCDK_MUL(v4, CCDK_PIECE_END_BOUND) : CCDK_FLOAT(0x7ff0000000000000), v5 ? CCDK_MUL(v4, CCDK_PIECE_MIDDLE_BOUND) : CCDK_FLOAT(0x7ff0000000000000));
}

CCDK_FN int ccdk_piece_signs(ccdk_form f, double w0, double w1, double w2, double w3, double w4, double w5, double w6, double w7, double w8, double w9, double w10, double w11, double w12, double w13, double w14, double w15) {
    const ccdk_form v0 = ccdk_make_form(((CCDK_MUL(f.f0, w0) + CCDK_MUL(f.f1, w1)) + CCDK_MUL(f.f2, w2)) + CCDK_MUL(f.f3, w3), ((CCDK_MUL(f.f0, w4) + CCDK_MUL(f.f1, w5)) + CCDK_MUL(f.f2, w6)) + CCDK_MUL(f.f3, w7), ((CCDK_MUL(f.f0, w8) + CCDK_MUL(f.f1, w9)) + CCDK_MUL(f.f2, w10)) + CCDK_MUL(f.f3, w11), ((CCDK_MUL(f.f0, w12) + CCDK_MUL(f.f1, w13)) + CCDK_MUL(f.f2, w14)) + CCDK_MUL(f.f3, w15), f.e, f.e3);
    return ccdk_one_sign(v0);
}

CCDK_FN ccdk_vector ccdk_blend(ccdk_motion m, double w0, double w1) {
    return ccdk_make_vector(CCDK_MUL(m.begin.x, w0) + CCDK_MUL(m.end.x, w1), CCDK_MUL(m.begin.y, w0) + CCDK_MUL(m.end.y, w1), CCDK_MUL(m.begin.z, w0) + CCDK_MUL(m.end.z, w1));
}

CCDK_FN ccdk_vector ccdk_minus(ccdk_vector a, ccdk_vector b) {
    return ccdk_make_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

CCDK_FN int ccdk_turns_vf(ccdk_motion a, ccdk_motion b, ccdk_motion c, double start, double end) {
    const ccdk_query v0 = ccdk_measure(a, b, c);
    if (!(ccdk_sum(v0.scale) <= CCDK_LARGEST_PIECE)) return 0;
    const double v1 = 1.0 - start;
    const double v2 = 1.0 - end;
    const ccdk_vector v3 = ccdk_blend(a, v1, start);
    const ccdk_vector v4 = ccdk_blend(a, v2, end);
    const ccdk_vector v5 = ccdk_blend(b, v1, start);
    const ccdk_vector v6 = ccdk_blend(b, v2, end);
    const ccdk_vector v7 = ccdk_blend(c, v1, start);
    const ccdk_vector v8 = ccdk_blend(c, v2, end);
    if (ccdk_axis_apart_vf(v0.scale.x, v3.x, v5.x, v7.x, v4.x, v6.x, v8.x)) return 1;
    if (ccdk_axis_apart_vf(v0.scale.y, v3.y, v5.y, v7.y, v4.y, v6.y, v8.y)) return 1;
    if (ccdk_axis_apart_vf(v0.scale.z, v3.z, v5.z, v7.z, v4.z, v6.z, v8.z)) return 1;
    const ccdk_directions v9 = ccdk_directions_vf(ccdk_make_motion(v3, v4), ccdk_make_motion(v5, v6), ccdk_make_motion(v7, v8));
    const ccdk_query v10 = ccdk_make_query(ccdk_make_motion(v3, v4), ccdk_make_motion(v5, v6), ccdk_make_motion(v7, v8), v0.ma, v0.mb, v0.mc, v0.scale);
    if (ccdk_direction_apart_vf(v10, v9.uv)) return 1;
    if (ccdk_direction_apart_vf(v10, v9.vt)) return 1;
    if (ccdk_direction_apart_vf(v10, v9.tu)) return 1;
    if (ccdk_direction_apart_vf(v10, ccdk_cross(v9.uv, v9.u))) return 1;
    if (ccdk_direction_apart_vf(v10, ccdk_cross(v9.uv, v9.v))) return 1;
    if (ccdk_direction_apart_vf(v10, ccdk_cross(v9.uv, ccdk_minus(v9.u, v9.v)))) return 1;
    return 0;
}

CCDK_FN int ccdk_turns_ee(ccdk_motion a, ccdk_motion b, ccdk_motion c, double start, double end) {
    const ccdk_query v0 = ccdk_measure(a, b, c);
    if (!(ccdk_sum(v0.scale) <= CCDK_LARGEST_PIECE)) return 0;
    const double v1 = 1.0 - start;
    const double v2 = 1.0 - end;
    const ccdk_vector v3 = ccdk_blend(a, v1, start);
    const ccdk_vector v4 = ccdk_blend(a, v2, end);
    const ccdk_vector v5 = ccdk_blend(b, v1, start);
    const ccdk_vector v6 = ccdk_blend(b, v2, end);
    const ccdk_vector v7 = ccdk_blend(c, v1, start);
    const ccdk_vector v8 = ccdk_blend(c, v2, end);
    if (ccdk_axis_apart_ee(v0.scale.x, v3.x, v5.x, v7.x, v4.x, v6.x, v8.x)) return 1;
    if (ccdk_axis_apart_ee(v0.scale.y, v3.y, v5.y, v7.y, v4.y, v6.y, v8.y)) return 1;
    if (ccdk_axis_apart_ee(v0.scale.z, v3.z, v5.z, v7.z, v4.z, v6.z, v8.z)) return 1;
    const ccdk_directions v9 = ccdk_directions_ee(ccdk_make_motion(v3, v4), ccdk_make_motion(v5, v6), ccdk_make_motion(v7, v8));
    const ccdk_query v10 = ccdk_make_query(ccdk_make_motion(v3, v4), ccdk_make_motion(v5, v6), ccdk_make_motion(v7, v8), v0.ma, v0.mb, v0.mc, v0.scale);
    if (ccdk_direction_apart_ee(v10, v9.uv)) return 1;
    if (ccdk_direction_apart_ee(v10, v9.vt)) return 1;
    if (ccdk_direction_apart_ee(v10, v9.tu)) return 1;
    if (ccdk_direction_apart_ee(v10, ccdk_cross(v9.uv, v9.u))) return 1;
    if (ccdk_direction_apart_ee(v10, ccdk_cross(v9.uv, v9.v))) return 1;
    if (ccdk_direction_apart_ee(v10, ccdk_cross(v9.uv, v9.t))) return 1;
    return 0;
}

typedef struct {
    double high;
    double low;
} ccdk_pair;
CCDK_FN ccdk_pair ccdk_make_pair(double high, double low) {
    ccdk_pair r;
    r.high = high;
    r.low = low;
    return r;
}

typedef struct {
    ccdk_pair x;
    ccdk_pair y;
    ccdk_pair z;
} ccdk_exact_vector;
CCDK_FN ccdk_exact_vector ccdk_make_exact_vector(ccdk_pair x, ccdk_pair y, ccdk_pair z) {
    ccdk_exact_vector r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

typedef struct {
    ccdk_exact_vector begin;
    ccdk_exact_vector end;
} ccdk_exact_motion;
CCDK_FN ccdk_exact_motion ccdk_make_exact_motion(ccdk_exact_vector begin, ccdk_exact_vector end) {
    ccdk_exact_motion r;
    r.begin = begin;
    r.end = end;
    return r;
}

CCDK_FN ccdk_vector ccdk_largest(ccdk_motion m) {
    return ccdk_make_vector(ccdk_max(CCDK_ABS(m.begin.x), CCDK_ABS(m.end.x)), ccdk_max(CCDK_ABS(m.begin.y), CCDK_ABS(m.end.y)), ccdk_max(CCDK_ABS(m.begin.z), CCDK_ABS(m.end.z)));
}

CCDK_FN ccdk_pair ccdk_settle(double s, double e) {
    const double v0 = s + e;
    return ccdk_make_pair(v0, e - (v0 - s));
}

CCDK_FN ccdk_pair ccdk_pair_times(ccdk_pair x, ccdk_pair y) {
    const double v0 = CCDK_MUL(x.high, y.high);
    const ccdk_pair v1 = ccdk_settle(v0, CCDK_FMA(x.high, y.low, CCDK_FMA(x.low, y.high, CCDK_FMA(x.high, y.high, -v0))));
    return v1;
}

CCDK_FN ccdk_pair ccdk_two_difference(double a, double b) {
    const double v0 = a - b;
    const double v1 = v0 - a;
    return ccdk_make_pair(v0, (a - (v0 - v1)) - (b + v1));
}

CCDK_FN ccdk_pair ccdk_pair_minus(ccdk_pair x, ccdk_pair y) {
    const ccdk_pair v0 = ccdk_two_difference(x.high, y.high);
    return ccdk_settle(v0.high, v0.low + (x.low - y.low));
}

CCDK_FN ccdk_exact_vector ccdk_exact_cross(ccdk_exact_vector a, ccdk_exact_vector b) {
    return ccdk_make_exact_vector(ccdk_pair_minus(ccdk_pair_times(a.y, b.z), ccdk_pair_times(a.z, b.y)), ccdk_pair_minus(ccdk_pair_times(a.z, b.x), ccdk_pair_times(a.x, b.z)), ccdk_pair_minus(ccdk_pair_times(a.x, b.y), ccdk_pair_times(a.y, b.x)));
}

CCDK_FN ccdk_pair ccdk_two_sum(double a, double b) {
    const double v0 = a + b;
    const double v1 = v0 - a;
    return ccdk_make_pair(v0, (a - (v0 - v1)) + (b - v1));
}

CCDK_FN ccdk_pair ccdk_pair_plus(ccdk_pair x, ccdk_pair y) {
    const ccdk_pair v0 = ccdk_two_sum(x.high, y.high);
    return ccdk_settle(v0.high, v0.low + (x.low + y.low));
}

CCDK_FN ccdk_exact_vector ccdk_exact_plus(ccdk_exact_vector a, ccdk_exact_vector b) {
    return ccdk_make_exact_vector(ccdk_pair_plus(a.x, b.x), ccdk_pair_plus(a.y, b.y), ccdk_pair_plus(a.z, b.z));
}

CCDK_FN ccdk_pair ccdk_exact_dot(ccdk_exact_vector a, ccdk_exact_vector b) {
    const ccdk_pair v0 = ccdk_pair_plus(ccdk_pair_plus(ccdk_pair_times(a.x, b.x), ccdk_pair_times(a.y, b.y)), ccdk_pair_times(a.z, b.z));
    return v0;
}

CCDK_FN ccdk_pair ccdk_pair_twice(ccdk_pair x) {
    return ccdk_make_pair(x.high + x.high, x.low + x.low);
}

typedef struct {
    ccdk_pair c0;
    ccdk_pair c1;
    ccdk_pair c2;
    ccdk_pair c3;
} ccdk_cubic;
CCDK_FN ccdk_cubic ccdk_make_cubic(ccdk_pair c0, ccdk_pair c1, ccdk_pair c2, ccdk_pair c3) {
    ccdk_cubic r;
    r.c0 = c0;
    r.c1 = c1;
    r.c2 = c2;
    r.c3 = c3;
    return r;
}

CCDK_FN ccdk_pair ccdk_pair_scaled(ccdk_pair x, double y) {
    const double v0 = CCDK_MUL(x.high, y);
    return ccdk_settle(v0, CCDK_FMA(x.low, y, CCDK_FMA(x.high, y, -v0)));
}

CCDK_FN ccdk_pair ccdk_horner(ccdk_cubic c, double x) {
    const ccdk_pair v0 = ccdk_pair_scaled(ccdk_pair_plus(ccdk_pair_scaled(ccdk_pair_plus(ccdk_pair_scaled(c.c3, x), c.c2), x), c.c1), x);
    return ccdk_pair_plus(v0, c.c0);
}

CCDK_FN ccdk_pair ccdk_blossom(ccdk_cubic c, double s, double e) {
    const ccdk_pair v0 = ccdk_pair_plus(ccdk_pair_plus(ccdk_pair_scaled(c.c0, 3.0), ccdk_pair_scaled(c.c1, (s + s) + e)), ccdk_pair_scaled(c.c2, CCDK_MUL(s, s + (e + e))));
    return ccdk_pair_plus(v0, ccdk_pair_scaled(c.c3, CCDK_MUL(CCDK_MUL(CCDK_MUL(s, s), e), 3.0)));
}

typedef struct {
    ccdk_cubic f;
    double bound;
    double x;
    int none;
    int one;
} ccdk_isolation;
CCDK_FN ccdk_isolation ccdk_make_isolation(ccdk_cubic f, double bound, double x, int none, int one) {
    ccdk_isolation r;
    r.f = f;
    r.bound = bound;
    r.x = x;
    r.none = none;
    r.one = one;
    return r;
}

CCDK_FN ccdk_isolation ccdk_isolate(ccdk_exact_motion a, ccdk_exact_motion b, ccdk_exact_motion c, double start, double end) {
    const ccdk_motion v0 = ccdk_make_motion(ccdk_make_vector(a.begin.x.high, a.begin.y.high, a.begin.z.high), ccdk_make_vector(a.end.x.high, a.end.y.high, a.end.z.high));
    const ccdk_vector v1 = ccdk_largest(v0);
    const ccdk_motion v2 = ccdk_make_motion(ccdk_make_vector(b.begin.x.high, b.begin.y.high, b.begin.z.high), ccdk_make_vector(b.end.x.high, b.end.y.high, b.end.z.high));
    const ccdk_vector v3 = ccdk_largest(v2);
    const ccdk_motion v4 = ccdk_make_motion(ccdk_make_vector(c.begin.x.high, c.begin.y.high, c.begin.z.high), ccdk_make_vector(c.end.x.high, c.end.y.high, c.end.z.high));
    const ccdk_vector v5 = ccdk_largest(v4);
    const double v6 = ccdk_dot(v1, ccdk_permanent(v3, v5));
    const double v7 = CCDK_MUL(v6, CCDK_END_BOUND);
    const double v8 = CCDK_MUL(v6, CCDK_MIDDLE_BOUND);
    const ccdk_exact_vector v9 = ccdk_exact_cross(b.begin, c.begin);
    const ccdk_exact_vector v10 = ccdk_exact_cross(b.end, c.end);
    const ccdk_exact_vector v11 = ccdk_exact_plus(ccdk_exact_cross(b.begin, c.end), ccdk_exact_cross(b.end, c.begin));
    const ccdk_pair v12 = ccdk_exact_dot(a.begin, v9);
    const ccdk_pair v13 = ccdk_pair_plus(ccdk_exact_dot(a.end, v9), ccdk_exact_dot(a.begin, v11));
    const ccdk_pair v14 = ccdk_pair_plus(ccdk_exact_dot(a.end, v11), ccdk_exact_dot(a.begin, v10));
    const ccdk_pair v15 = ccdk_pair_minus(ccdk_pair_minus(v13, v12), ccdk_pair_twice(v12));
    const ccdk_pair v16 = ccdk_pair_plus(ccdk_pair_plus(ccdk_pair_minus(v14, ccdk_pair_twice(v13)), ccdk_pair_twice(v12)), v12);
    const ccdk_pair v17 = ccdk_pair_minus(ccdk_pair_plus(ccdk_pair_minus(ccdk_exact_dot(a.end, v10), v14), v13), v12);
    const ccdk_cubic v18 = ccdk_make_cubic(v12, v15, v16, v17);
    const ccdk_pair v19 = ccdk_horner(v18, start);
    const double v20 = ccdk_sign_bit(v19.high);
    const double v21 = ccdk_bits_xor(v19.high, v20);
    const double v22 = ccdk_bits_xor(ccdk_blossom(v18, end, start).high, v20);
    const double v23 = ccdk_bits_xor(ccdk_horner(v18, end).high, v20);
    const int v24 = (ccdk_sum(ccdk_plus(ccdk_plus(v1, v3), v5)) <= CCDK_LARGEST) && (v6 >= CCDK_SMALLEST_VOLUME);
    const int v25 = v24 && (v21 > v7);
    const int v26 = ccdk_bits_xor(ccdk_blossom(v18, start, end).high, v20) >= v8;
    return ccdk_make_isolation(ccdk_make_cubic(ccdk_make_pair(ccdk_bits_xor(v12.high, v20), ccdk_bits_xor(v12.low, v20)), ccdk_make_pair(ccdk_bits_xor(v15.high, v20), ccdk_bits_xor(v15.low, v20)), ccdk_make_pair(ccdk_bits_xor(v16.high, v20), ccdk_bits_xor(v16.low, v20)), ccdk_make_pair(ccdk_bits_xor(v17.high, v20), ccdk_bits_xor(v17.low, v20))), v7, start + CCDK_MUL(end - start, v21 / (v21 - v23)), (v25 && (v23 > v7)) && (v26 && (v22 >= v8)), (v25 && (v23 < (-v7))) && (v26 || (v22 <= (-v8))));
}

typedef struct {
    double x;
    double lo;
    double hi;
    double slope;
    double live;
} ccdk_iterate;
CCDK_FN ccdk_iterate ccdk_make_iterate(double x, double lo, double hi, double slope, double live) {
    ccdk_iterate r;
    r.x = x;
    r.lo = lo;
    r.hi = hi;
    r.slope = slope;
    r.live = live;
    return r;
}

CCDK_FN ccdk_iterate ccdk_newton(ccdk_cubic f, ccdk_iterate i) {
    const double v0 = CCDK_FMA(CCDK_FMA(CCDK_FMA(f.c3.high, i.x, f.c2.high), i.x, f.c1.high), i.x, f.c0.high);
    const int v1 = v0 > 0.0;
    const double v2 = v1 ? i.x : i.lo;
    const double v3 = v1 ? i.hi : i.x;
    const double v4 = CCDK_FMA(CCDK_FMA((f.c3.high + f.c3.high) + f.c3.high, i.x, f.c2.high + f.c2.high), i.x, f.c1.high);
    const double v5 = i.x - (v0 / v4);
    const double v6 = ((v5 > v2) && (v5 < v3)) ? v5 : CCDK_MUL(v2 + v3, 0.5);
    const int v7 = i.live > 0.0;
    return ccdk_make_iterate(v7 ? v6 : i.x, v2, v3, v7 ? v4 : i.slope, (CCDK_ABS(v6 - i.x) <= CCDK_MUL(i.x, 2.842170943040401e-14)) ? 0.0 : i.live);
}

CCDK_FN ccdk_vector ccdk_minor_bound(ccdk_vector area) {
    return ccdk_make_vector(CCDK_MUL(area.x, CCDK_MINOR_BOUND) + CCDK_LEAST_MINOR, CCDK_MUL(area.y, CCDK_MINOR_BOUND) + CCDK_LEAST_MINOR, CCDK_MUL(area.z, CCDK_MINOR_BOUND) + CCDK_LEAST_MINOR);
}

typedef struct {
    double x;
    int certain;
    int contact;
    int outside;
} ccdk_certificate;
CCDK_FN ccdk_certificate ccdk_make_certificate(double x, int certain, int contact, int outside) {
    ccdk_certificate r;
    r.x = x;
    r.certain = certain;
    r.contact = contact;
    r.outside = outside;
    return r;
}

CCDK_FN ccdk_certificate ccdk_certify_vf(ccdk_exact_motion a, ccdk_exact_motion b, ccdk_exact_motion c, ccdk_cubic f, double start, double end, double bound, double x, double slope) {
    const double v0 = ccdk_min(ccdk_max(x, CCDK_LEAST_TIME), 1.0);
    const ccdk_pair v1 = ccdk_two_sum(v0, -(ccdk_horner(f, v0).high / slope));
    const double v2 = ccdk_max((v1.low < 0.0) ? ccdk_bits_sub(v1.high, CCDK_FLOAT(1)) : v1.high, CCDK_LEAST_TIME);
    const double v3 = ccdk_min(v2, 1.0);
    const ccdk_pair v4 = ccdk_two_sum(v3, -(ccdk_horner(f, v3).high / slope));
    const double v5 = ccdk_max((v4.low < 0.0) ? ccdk_bits_sub(v4.high, CCDK_FLOAT(1)) : v4.high, CCDK_LEAST_TIME);
    const double v6 = ccdk_min(v5, 1.0);
    const double v7 = 1.0 - v6;
    const ccdk_motion v8 = ccdk_make_motion(ccdk_make_vector(a.begin.x.high, a.begin.y.high, a.begin.z.high), ccdk_make_vector(a.end.x.high, a.end.y.high, a.end.z.high));
    const ccdk_vector v9 = ccdk_blend(v8, v7, v6);
    const ccdk_vector v10 = ccdk_largest(v8);
    const ccdk_motion v11 = ccdk_make_motion(ccdk_make_vector(b.begin.x.high, b.begin.y.high, b.begin.z.high), ccdk_make_vector(b.end.x.high, b.end.y.high, b.end.z.high));
    const ccdk_vector v12 = ccdk_blend(v11, v7, v6);
    const ccdk_vector v13 = ccdk_largest(v11);
    const ccdk_motion v14 = ccdk_make_motion(ccdk_make_vector(c.begin.x.high, c.begin.y.high, c.begin.z.high), ccdk_make_vector(c.end.x.high, c.end.y.high, c.end.z.high));
    const ccdk_vector v15 = ccdk_blend(v14, v7, v6);
    const ccdk_vector v16 = ccdk_largest(v14);
    const ccdk_vector v17 = ccdk_cross(v12, v15);
    const ccdk_vector v18 = ccdk_minor_bound(ccdk_permanent(v13, v16));
    const ccdk_vector v19 = ccdk_cross(v15, v9);
    const ccdk_vector v20 = ccdk_minor_bound(ccdk_permanent(v16, v10));
    const ccdk_vector v21 = ccdk_cross(v9, v12);
    const ccdk_vector v22 = ccdk_minor_bound(ccdk_permanent(v10, v13));
    const int v23 = CCDK_ABS(v17.y) > CCDK_ABS(v17.x);
    const double v24 = v23 ? v17.y : v17.x;
    const int v25 = CCDK_ABS(v17.z) > CCDK_ABS(v24);
    const double v26 = v25 ? v17.z : v24;
    const double v27 = v25 ? v18.z : (v23 ? v18.y : v18.x);
    const double v28 = v25 ? v20.z : (v23 ? v20.y : v20.x);
    const double v29 = v25 ? v22.z : (v23 ? v22.y : v22.x);
    const double v30 = ccdk_sign_bit(v26);
    const double v31 = ccdk_bits_xor(v26, v30);
    const double v32 = ccdk_bits_xor(v25 ? v19.z : (v23 ? v19.y : v19.x), v30);
    const double v33 = ccdk_bits_xor(v25 ? v21.z : (v23 ? v21.y : v21.x), v30);
    const double v34 = (v31 - v32) - v33;
    const double v35 = (v27 + v28) + v29;
    const int v36 = (ccdk_horner(f, v6).high > bound) && (ccdk_horner(f, ccdk_bits_add(v6, CCDK_FLOAT(1))).high < (-bound));
    return ccdk_make_certificate(v6, ((v36 && ((v6 >= start) && (v6 < end))) && (v6 > CCDK_LEAST_TIME)) && (v31 > v27), ((v32 > v28) && (v33 > v29)) && (v34 > v35), ((v32 < (-v28)) || (v33 < (-v29))) || (v34 < (-v35)));
}

// ccdk_roots_vf is simd's roots on a piece of time: 0 undecided, 1 no contact, 2 the first contact at *toi, rounded down.
CCDK_FN int ccdk_roots_vf(ccdk_exact_motion a, ccdk_exact_motion b, ccdk_exact_motion c, double start, double end, double *toi) {
    const ccdk_isolation r = ccdk_isolate(a, b, c, start, end);
    ccdk_iterate i = ccdk_make_iterate(r.x, start, end, 0.0, 1.0);
    int turn;
    *toi = 0.0;
    if (!r.one) return r.none;
    for (turn = 0; turn < 40 && i.live > 0.0; turn++) i = ccdk_newton(r.f, i);
    {
        const ccdk_certificate s = ccdk_certify_vf(a, b, c, r.f, start, end, r.bound, i.x, i.slope);
        if (!s.certain) return 0;
        if (s.contact) *toi = s.x;
        return s.contact ? 2 : s.outside;
    }
}

CCDK_FN ccdk_certificate ccdk_certify_ee(ccdk_exact_motion a, ccdk_exact_motion b, ccdk_exact_motion c, ccdk_cubic f, double start, double end, double bound, double x, double slope) {
    const double v0 = ccdk_min(ccdk_max(x, CCDK_LEAST_TIME), 1.0);
    const ccdk_pair v1 = ccdk_two_sum(v0, -(ccdk_horner(f, v0).high / slope));
    const double v2 = ccdk_max((v1.low < 0.0) ? ccdk_bits_sub(v1.high, CCDK_FLOAT(1)) : v1.high, CCDK_LEAST_TIME);
    const double v3 = ccdk_min(v2, 1.0);
    const ccdk_pair v4 = ccdk_two_sum(v3, -(ccdk_horner(f, v3).high / slope));
    const double v5 = ccdk_max((v4.low < 0.0) ? ccdk_bits_sub(v4.high, CCDK_FLOAT(1)) : v4.high, CCDK_LEAST_TIME);
    const double v6 = ccdk_min(v5, 1.0);
    const double v7 = 1.0 - v6;
    const ccdk_motion v8 = ccdk_make_motion(ccdk_make_vector(a.begin.x.high, a.begin.y.high, a.begin.z.high), ccdk_make_vector(a.end.x.high, a.end.y.high, a.end.z.high));
    const ccdk_vector v9 = ccdk_blend(v8, v7, v6);
    const ccdk_vector v10 = ccdk_largest(v8);
    const ccdk_motion v11 = ccdk_make_motion(ccdk_make_vector(b.begin.x.high, b.begin.y.high, b.begin.z.high), ccdk_make_vector(b.end.x.high, b.end.y.high, b.end.z.high));
    const ccdk_vector v12 = ccdk_blend(v11, v7, v6);
    const ccdk_vector v13 = ccdk_largest(v11);
    const ccdk_motion v14 = ccdk_make_motion(ccdk_make_vector(c.begin.x.high, c.begin.y.high, c.begin.z.high), ccdk_make_vector(c.end.x.high, c.end.y.high, c.end.z.high));
    const ccdk_vector v15 = ccdk_blend(v14, v7, v6);
    const ccdk_vector v16 = ccdk_largest(v14);
    const ccdk_vector v17 = ccdk_cross(v12, v15);
    const ccdk_vector v18 = ccdk_minor_bound(ccdk_permanent(v13, v16));
    const ccdk_vector v19 = ccdk_cross(v15, v9);
    const ccdk_vector v20 = ccdk_minor_bound(ccdk_permanent(v16, v10));
    const ccdk_vector v21 = ccdk_cross(v9, v12);
    const ccdk_vector v22 = ccdk_minor_bound(ccdk_permanent(v10, v13));
    const int v23 = CCDK_ABS(v17.y) > CCDK_ABS(v17.x);
    const double v24 = v23 ? v17.y : v17.x;
    const int v25 = CCDK_ABS(v17.z) > CCDK_ABS(v24);
    const double v26 = v25 ? v17.z : v24;
    const double v27 = v25 ? v18.z : (v23 ? v18.y : v18.x);
    const double v28 = v25 ? v20.z : (v23 ? v20.y : v20.x);
    const double v29 = v25 ? v22.z : (v23 ? v22.y : v22.x);
    const double v30 = ccdk_sign_bit(v26);
    const double v31 = ccdk_bits_xor(v26, v30);
    const double v32 = ccdk_bits_xor(v25 ? v19.z : (v23 ? v19.y : v19.x), v30);
    const double v33 = ccdk_bits_xor(v25 ? v21.z : (v23 ? v21.y : v21.x), v30);
    const double v34 = v31 - v32;
    const double v35 = v27 + v28;
    const double v36 = v31 - v33;
    const double v37 = v27 + v29;
    const int v38 = (ccdk_horner(f, v6).high > bound) && (ccdk_horner(f, ccdk_bits_add(v6, CCDK_FLOAT(1))).high < (-bound));
    return ccdk_make_certificate(v6, ((v38 && ((v6 >= start) && (v6 < end))) && (v6 > CCDK_LEAST_TIME)) && (v31 > v27), (((v32 > v28) && (v33 > v29)) && (v34 > v35)) && (v36 > v37), (((v32 < (-v28)) || (v33 < (-v29))) || (v34 < (-v35))) || (v36 < (-v37)));
}

// ccdk_roots_ee is simd's roots on a piece of time: 0 undecided, 1 no contact, 2 the first contact at *toi, rounded down.
CCDK_FN int ccdk_roots_ee(ccdk_exact_motion a, ccdk_exact_motion b, ccdk_exact_motion c, double start, double end, double *toi) {
    const ccdk_isolation r = ccdk_isolate(a, b, c, start, end);
    ccdk_iterate i = ccdk_make_iterate(r.x, start, end, 0.0, 1.0);
    int turn;
    *toi = 0.0;
    if (!r.one) return r.none;
    for (turn = 0; turn < 40 && i.live > 0.0; turn++) i = ccdk_newton(r.f, i);
    {
        const ccdk_certificate s = ccdk_certify_ee(a, b, c, r.f, start, end, r.bound, i.x, i.slope);
        if (!s.certain) return 0;
        if (s.contact) *toi = s.x;
        return s.contact ? 2 : s.outside;
    }
}

/* The difference of two of the four points of a query, with its rounding errors. */
CCDK_FN ccdk_exact_vector ccdk_point_minus(const double *p, const double *q) {
    return ccdk_make_exact_vector(ccdk_two_difference(p[0], q[0]), ccdk_two_difference(p[1], q[1]), ccdk_two_difference(p[2], q[2]));
}
CCDK_FN ccdk_exact_motion ccdk_relative(const double *q, int i, int j) {
    return ccdk_make_exact_motion(ccdk_point_minus(q + 3 * i, q + 3 * j), ccdk_point_minus(q + 12 + 3 * i, q + 12 + 3 * j));
}
CCDK_FN ccdk_motion ccdk_rounded(ccdk_exact_motion m) {
    return ccdk_make_motion(ccdk_make_vector(m.begin.x.high, m.begin.y.high, m.begin.z.high),
                            ccdk_make_vector(m.end.x.high, m.end.y.high, m.end.z.high));
}

/* Whether all 24 coordinates are finite and no larger than the library takes. A maximum may hide a NaN, so each is looked at. */
CCDK_FN int ccdk_valid(const double *q) {
    int k, valid = 1;
    for (k = 0; k < 24; k++) valid &= CCDK_ABS(q[k]) <= 1e150;
    return valid;
}

/*
 * Whether the cubic keeps its sign on [s, e]. s and e are multiples of 2^-15, so that every weight is exact: an integer below
 * 2^48 times a power of two.
 */
CCDK_FN int ccdk_cubic_keeps_sign(ccdk_form f, double s, double e) {
    const double r = 1.0 - s, q = 1.0 - e;
    const double rr = CCDK_MUL(r, r), rs = CCDK_MUL(r, s), ss = CCDK_MUL(s, s), qq = CCDK_MUL(q, q), qe = CCDK_MUL(q, e), ee = CCDK_MUL(e, e);
    return ccdk_piece_signs(f, CCDK_MUL(rr, r), CCDK_MUL(rr, s), CCDK_MUL(rs, s), CCDK_MUL(ss, s),
                            CCDK_MUL(rr, q + q + q), CCDK_MUL(rs, q + q) + CCDK_MUL(rr, e), CCDK_MUL(rs, e + e) + CCDK_MUL(ss, q), CCDK_MUL(ss, e + e + e),
                            CCDK_MUL(qq, r + r + r), CCDK_MUL(qe, r + r) + CCDK_MUL(qq, s), CCDK_MUL(qe, s + s) + CCDK_MUL(ee, r), CCDK_MUL(ee, s + s + s),
                            CCDK_MUL(qq, q), CCDK_MUL(qq, e), CCDK_MUL(qe, e), CCDK_MUL(ee, e));
}

/* Whether the pair is certainly apart on [s, e]. */
CCDK_FN int ccdk_apart_vf(ccdk_form f, ccdk_motion a, ccdk_motion b, ccdk_motion c, double s, double e) {
    return ccdk_cubic_keeps_sign(f, s, e) || ccdk_turns_vf(a, b, c, s, e);
}

/* A time in [s, e] before which the pair is certainly apart, if it is before s: found by halving, to 2^-12 of the piece. */
CCDK_FN double ccdk_safe_vf(ccdk_form f, ccdk_motion a, ccdk_motion b, ccdk_motion c, double s, double e) {
    int k;
    for (k = 0; k < 12; k++) {
        const double middle = CCDK_MUL(0.5, s + e);
        if (ccdk_apart_vf(f, a, b, c, s, middle)) s = middle;
        else e = middle;
    }
    return s;
}

/* Whether the pair is certainly apart throughout: the first and cheapest part of ccd_device_vertex_face. 1 is a proof, 0 nothing. */
CCDK_API int ccd_device_vertex_face_filter(const double *q) {
    return ccdk_valid(q) && ccdk_filter_vf(ccdk_rounded(ccdk_relative(q, 0, 1)), ccdk_rounded(ccdk_relative(q, 1, 2)), ccdk_rounded(ccdk_relative(q, 1, 3)));
}

CCDK_API int ccd_device_vertex_face(const double *q, double *toi) {
    const ccdk_exact_motion a = ccdk_relative(q, 0, 1), b = ccdk_relative(q, 1, 2), c = ccdk_relative(q, 1, 3);
    const ccdk_motion ra = ccdk_rounded(a), rb = ccdk_rounded(b), rc = ccdk_rounded(c);
    ccdk_form f;
    int k;
    *toi = 0.0;
    if (!ccdk_valid(q)) return CCD_DEVICE_UNDECIDED;
    *toi = CCDK_FLOAT(0x7ff0000000000000);
    if (ccdk_filter_vf(ra, rb, rc)) return CCD_DEVICE_SEPARATE;
    f = ccdk_piece_form(ra, rb, rc);
    for (k = 0; k < 8; k++) {
        const double s = CCDK_MUL(0.125, k), e = s + 0.125;
        double root = 0.0;
        int state;
        if (ccdk_apart_vf(f, ra, rb, rc, s, e)) continue;
        state = ccdk_roots_vf(a, b, c, s, e, &root);
        if (state == CCD_DEVICE_SEPARATE) continue;
        *toi = state == CCD_DEVICE_CONTACT ? root : ccdk_safe_vf(f, ra, rb, rc, s, e);
        return state;
    }
    return CCD_DEVICE_SEPARATE;
}

/* As ccd_device_vertex_face, of 24 floats. Every float is a double, so the answer is that for the same points. */
CCDK_API int ccd_device_vertex_face_f32(const float *q, double *toi) {
    double x[24];
    int k;
    for (k = 0; k < 24; k++) x[k] = (double)q[k];
    return ccd_device_vertex_face(x, toi);
}

/* Whether the pair is certainly apart on [s, e]. */
CCDK_FN int ccdk_apart_ee(ccdk_form f, ccdk_motion a, ccdk_motion b, ccdk_motion c, double s, double e) {
    return ccdk_cubic_keeps_sign(f, s, e) || ccdk_turns_ee(a, b, c, s, e);
}

/* A time in [s, e] before which the pair is certainly apart, if it is before s: found by halving, to 2^-12 of the piece. */
CCDK_FN double ccdk_safe_ee(ccdk_form f, ccdk_motion a, ccdk_motion b, ccdk_motion c, double s, double e) {
    int k;
    for (k = 0; k < 12; k++) {
        const double middle = CCDK_MUL(0.5, s + e);
        if (ccdk_apart_ee(f, a, b, c, s, middle)) s = middle;
        else e = middle;
    }
    return s;
}

/* Whether the pair is certainly apart throughout: the first and cheapest part of ccd_device_edge_edge. 1 is a proof, 0 nothing. */
CCDK_API int ccd_device_edge_edge_filter(const double *q) {
    return ccdk_valid(q) && ccdk_filter_ee(ccdk_rounded(ccdk_relative(q, 0, 2)), ccdk_rounded(ccdk_relative(q, 1, 0)), ccdk_rounded(ccdk_relative(q, 2, 3)));
}

CCDK_API int ccd_device_edge_edge(const double *q, double *toi) {
    const ccdk_exact_motion a = ccdk_relative(q, 0, 2), b = ccdk_relative(q, 1, 0), c = ccdk_relative(q, 2, 3);
    const ccdk_motion ra = ccdk_rounded(a), rb = ccdk_rounded(b), rc = ccdk_rounded(c);
    ccdk_form f;
    int k;
    *toi = 0.0;
    if (!ccdk_valid(q)) return CCD_DEVICE_UNDECIDED;
    *toi = CCDK_FLOAT(0x7ff0000000000000);
    if (ccdk_filter_ee(ra, rb, rc)) return CCD_DEVICE_SEPARATE;
    f = ccdk_piece_form(ra, rb, rc);
    for (k = 0; k < 8; k++) {
        const double s = CCDK_MUL(0.125, k), e = s + 0.125;
        double root = 0.0;
        int state;
        if (ccdk_apart_ee(f, ra, rb, rc, s, e)) continue;
        state = ccdk_roots_ee(a, b, c, s, e, &root);
        if (state == CCD_DEVICE_SEPARATE) continue;
        *toi = state == CCD_DEVICE_CONTACT ? root : ccdk_safe_ee(f, ra, rb, rc, s, e);
        return state;
    }
    return CCD_DEVICE_SEPARATE;
}

/* As ccd_device_edge_edge, of 24 floats. Every float is a double, so the answer is that for the same points. */
CCDK_API int ccd_device_edge_edge_f32(const float *q, double *toi) {
    double x[24];
    int k;
    for (k = 0; k < 24; k++) x[k] = (double)q[k];
    return ccd_device_edge_edge(x, toi);
}

CCDK_FN ccdk_u64 ccdk_check_next(ccdk_u64 *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 32;
}
CCDK_FN ccdk_u64 ccdk_check_mix(ccdk_u64 sum, double x) { return (sum ^ CCDK_BITS(x)) * 1099511628211u; }
CCDK_FN ccdk_u64 ccdk_check_vector(ccdk_u64 sum, ccdk_vector v) {
    return ccdk_check_mix(ccdk_check_mix(ccdk_check_mix(sum, v.x), v.y), v.z);
}

/*
 * 0 if this compiler rounds as the proofs want, else the number of the first check that fails:
 *   1  the fused multiply-add rounds more than once
 *   2  tiny floats are not widened exactly (denormals are flushed to zero)
 *   3  verdicts, times or values on their way have other bits: products were fused with sums, or sums reordered
 * It computes 64 queries. The compiler cannot know their coordinates.
 */
CCDK_API int ccd_device_check(void) {
    volatile ccdk_u64 start = 20231123u;
    volatile float tiny = 1.40129846432481707e-45f;
    ccdk_u64 seed = start, sum = 14695981039346656037u;
    int i, k;
    for (i = 0; i < 256; i++) {
        const double a = (double)ccdk_check_next(&seed) + 0.75, b = 1.0 + CCDK_MUL((double)ccdk_check_next(&seed), 2.3283064365386963e-10);
        const double c = -CCDK_MUL(a, b);
        sum = ccdk_check_mix(ccdk_check_mix(sum, CCDK_FMA(a, b, c)), CCDK_FMA(b, b, a));
    }
    if (sum != 0xe57b23b0ca8e8453) return 1;
    if (CCDK_BITS((double)tiny) != 0x36a0000000000000) return 2;
    for (i = 0; i < 64; i++) {
        double q[24], toi;
        for (k = 0; k < 24; k++) q[k] = CCDK_MUL((double)ccdk_check_next(&seed) - 2147483648.0, 4.6566128730773926e-10);
        for (k = 0; k < 3; k++) q[k] += (double)(i & 3) - 1.0; /* so that more of them touch */
        {
            const ccdk_motion a = ccdk_rounded(ccdk_relative(q, 0, 1)), b = ccdk_rounded(ccdk_relative(q, 1, 2));
            const ccdk_motion c = ccdk_rounded(ccdk_relative(q, 1, 3));
            const ccdk_form f = ccdk_piece_form(a, b, c);
            const ccdk_directions d = ccdk_directions_vf(a, b, c);
            sum = ccdk_check_mix(ccdk_check_mix(ccdk_check_mix(ccdk_check_mix(sum, f.f0), f.f1), f.f2), f.f3);
            sum = ccdk_check_vector(ccdk_check_vector(sum, d.uv), d.tu);
        }
        sum = ccdk_check_mix(sum, (double)ccd_device_vertex_face(q, &toi));
        sum = ccdk_check_mix(sum, toi);
        sum = ccdk_check_mix(sum, (double)ccd_device_edge_edge(q, &toi));
        sum = ccdk_check_mix(sum, toi);
    }
    return sum != 0x65955ef5fcfd2f68 ? 3 : 0;
}


#endif
