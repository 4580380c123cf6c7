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
