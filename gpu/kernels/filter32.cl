/*
 * filter32.cl - a filter in single precision before those in double precision, for devices whose doubles are slow. It computes the eighteen
 * differences in double precision and rounds them; the rest is single. docs/proofs/kernels.md derives the bounds; gpu/filter32.go is the
 * same in Go.
 *
 * Nothing here may contract a * b + c; denormals may be flushed to zero.
 */
typedef struct { float x, y, z; } f32x3;
typedef struct { f32x3 begin, end, most; } f32_motion; /* at both ends of the interval; the larger magnitudes over it and the whole step */
typedef struct { f32_motion a, b, c; f32x3 scale; } f32_query;

#define F32_U 0x1p-24f
#define F32_AXIS_BOUND (4 * F32_U)
#define F32_DIRECTION_BOUND (7 * F32_U)
#define F32_CUBIC_END_BOUND (9 * F32_U)
#define F32_CUBIC_MIDDLE_BOUND (30 * F32_U)
#define F32_NORM_BOUND (6 * F32_U)
#define F32_SEPARATION_SLACK (1 + 0x1p-20)
#define F32_LEAST 0x1p-100f   /* a magnitude below it counts as this much */
#define F32_SMALLEST 0x1p-60f /* a test of a smaller magnitude proves nothing */
#define F32_LARGEST 0x1p30f   /* nor does any test of a larger query */

FN f32x3 f32_make(float x, float y, float z) { f32x3 r; r.x = x; r.y = y; r.z = z; return r; }
FN f32x3 f32_plus(f32x3 a, f32x3 b) { return f32_make(a.x + b.x, a.y + b.y, a.z + b.z); }
FN f32x3 f32_minus(f32x3 a, f32x3 b) { return f32_make(a.x - b.x, a.y - b.y, a.z - b.z); }
FN float f32_abs(float x) { return x < 0 ? -x : x; }
FN float f32_max(float a, float b) { return a > b ? a : b; }
FN float f32_min(float a, float b) { return a < b ? a : b; }
FN f32x3 f32_largest(f32x3 a, f32x3 b) {
    return f32_make(f32_max(f32_abs(a.x), f32_abs(b.x)), f32_max(f32_abs(a.y), f32_abs(b.y)), f32_max(f32_abs(a.z), f32_abs(b.z)));
}
FN f32x3 f32_cross(f32x3 a, f32x3 b) {
    return f32_make(MUL32(a.y, b.z) - MUL32(a.z, b.y), MUL32(a.z, b.x) - MUL32(a.x, b.z), MUL32(a.x, b.y) - MUL32(a.y, b.x));
}
FN f32x3 f32_permanent(f32x3 a, f32x3 b) {
    return f32_make(MUL32(a.y, b.z) + MUL32(a.z, b.y), MUL32(a.z, b.x) + MUL32(a.x, b.z), MUL32(a.x, b.y) + MUL32(a.y, b.x));
}
FN float f32_dot(f32x3 a, f32x3 b) { return MUL32(a.x, b.x) + MUL32(a.y, b.y) + MUL32(a.z, b.z); }

/* p - q at both ends of [0, tmax], whose weights are w0 and w1, and the magnitudes. The blend is in double precision. */
FN f32_motion f32_difference(GLOBAL const double *p, GLOBAL const double *q, double w0, double w1) {
    f32_motion m;
    const double x0 = p[0] - q[0], y0 = p[1] - q[1], z0 = p[2] - q[2], x1 = p[4] - q[4], y1 = p[5] - q[5], z1 = p[6] - q[6];
    const f32x3 whole = f32_make((float)x1, (float)y1, (float)z1), least = f32_make(F32_LEAST, F32_LEAST, F32_LEAST);
    m.begin = f32_make((float)x0, (float)y0, (float)z0);
    m.end = whole;
    if (w1 != 1) {
        m.end = f32_make((float)(MUL64(x0, w0) + MUL64(x1, w1)), (float)(MUL64(y0, w0) + MUL64(y1, w1)), (float)(MUL64(z0, w0) + MUL64(z1, w1)));
    }
    m.most = f32_largest(f32_largest(m.begin, whole), least);
    return m;
}

FN float f32_lowest(int face, float a, float b, float c) {
    return face ? a + f32_min(f32_min(b, c), 0.0f) : a + f32_min(b, 0.0f) + f32_min(c, 0.0f);
}

/* a + u b + v c exceeds e at both ends, or lies below -e at both. */
FN int f32_beyond(int face, float e, float a0, float b0, float c0, float a1, float b1, float c1) {
    if (!(f32_abs(a0) > e)) {
        return 0;
    }
    if (a0 < 0) {
        a0 = -a0; b0 = -b0; c0 = -c0; a1 = -a1; b1 = -b1; c1 = -c1;
    }
    return f32_lowest(face, a0, b0, c0) > e && f32_lowest(face, a1, b1, c1) > e;
}
typedef struct { float once, thrice; } f32_reach; /* a separation with slack, and three times that */

/* From the separations of the constants, in double precision; a positive one is raised so that it is not flushed. */
FN f32_reach f32_separation(double once, double thrice) {
    f32_reach r;
    r.once = once > 0 ? f32_max((float)MUL64(once, F32_SEPARATION_SLACK), F32_LEAST) : 0;
    r.thrice = once > 0 ? f32_max((float)MUL64(thrice, F32_SEPARATION_SLACK), 3 * F32_LEAST) : 0;
    return r;
}
FN int f32_axis(int face, float scale, float sep, float a0, float b0, float c0, float a1, float b1, float c1) {
    return scale >= F32_SMALLEST && f32_beyond(face, MUL32(scale, F32_AXIS_BOUND) + sep, a0, b0, c0, a1, b1, c1);
}
FN int f32_axes(int face, const f32_query *q, float sep) {
    return f32_axis(face, q->scale.x, sep, q->a.begin.x, q->b.begin.x, q->c.begin.x, q->a.end.x, q->b.end.x, q->c.end.x) ||
           f32_axis(face, q->scale.y, sep, q->a.begin.y, q->b.begin.y, q->c.begin.y, q->a.end.y, q->b.end.y, q->c.end.y) ||
           f32_axis(face, q->scale.z, sep, q->a.begin.z, q->b.begin.z, q->c.begin.z, q->a.end.z, q->b.end.z, q->c.end.z);
}
FN float f32_size(const f32_query *q, f32x3 d) { return f32_dot(f32_make(f32_abs(d.x), f32_abs(d.y), f32_abs(d.z)), q->scale); }
FN float f32_sum(f32x3 d) { return f32_abs(d.x) + f32_abs(d.y) + f32_abs(d.z); }
FN int f32_direction(int face, const f32_query *q, f32x3 d, float sep) {
    const float size = f32_size(q, d);
    return size >= F32_SMALLEST &&
           f32_beyond(face, MUL32(size, F32_DIRECTION_BOUND) + MUL32(sep, f32_sum(d)), f32_dot(d, q->a.begin), f32_dot(d, q->b.begin), f32_dot(d, q->c.begin),
                      f32_dot(d, q->a.end), f32_dot(d, q->b.end), f32_dot(d, q->c.end));
}
/* The cubic A.(B x C) in Bernstein form, the middle ones times three; the permanent of the maxima; a bound on |B x C|_1. */
typedef struct { float f0, f1, f2, f3, volume, norm; } f32_form;
FN f32_form f32_cubic(const f32_query *q) {
    f32_form r;
    const f32x3 n0 = f32_cross(q->b.begin, q->c.begin), n2 = f32_cross(q->b.end, q->c.end);
    const f32x3 n1 = f32_plus(f32_cross(q->b.begin, q->c.end), f32_cross(q->b.end, q->c.begin));
    r.f0 = f32_dot(q->a.begin, n0);
    r.f1 = f32_dot(q->a.end, n0) + f32_dot(q->a.begin, n1);
    r.f2 = f32_dot(q->a.end, n1) + f32_dot(q->a.begin, n2);
    r.f3 = f32_dot(q->a.end, n2);
    const f32x3 area = f32_permanent(q->b.most, q->c.most);
    const f32x3 half_n1 = f32_make(MUL32(0.5f, n1.x), MUL32(0.5f, n1.y), MUL32(0.5f, n1.z));
    r.volume = f32_dot(q->a.most, area);
    r.norm = f32_sum(f32_largest(f32_largest(n0, half_n1), n2)) + MUL32(f32_sum(area), F32_NORM_BOUND);
    return r;
}
FN int f32_signs(f32_form f, f32_reach sep) {
    const float e = MUL32(f.volume, F32_CUBIC_END_BOUND) + MUL32(sep.once, f.norm);
    const float e3 = MUL32(f.volume, F32_CUBIC_MIDDLE_BOUND) + MUL32(sep.thrice, f.norm);
    if (!(f.volume >= F32_SMALLEST)) {
        return 0;
    }
    if (f.f0 < 0) {
        f.f0 = -f.f0; f.f1 = -f.f1; f.f2 = -f.f2; f.f3 = -f.f3;
    }
    return f.f0 > e && f.f3 > e && f.f1 >= e3 && f.f2 >= e3;
}

typedef struct { f32x3 u, v, t; } f32_frame;
/* The derivatives of F = A + u B + v C by u, v and t at the middle, times two where that saves a product. */
FN f32_frame f32_derivatives(int face, const f32_query *q) {
    f32_frame d;
    const float middle = face ? 1.0f / 3 : 0.5f;
    const f32x3 da = f32_minus(q->a.end, q->a.begin), s = f32_plus(f32_minus(q->b.end, q->b.begin), f32_minus(q->c.end, q->c.begin));
    d.u = f32_plus(q->b.begin, q->b.end);
    d.v = f32_plus(q->c.begin, q->c.end);
    d.t = f32_make(da.x + MUL32(middle, s.x), da.y + MUL32(middle, s.y), da.z + MUL32(middle, s.z));
    return d;
}
FN f32_query f32_load(GLOBAL const double *rec, GLOBAL const int *idx, int face, double w0, double w1) {
    GLOBAL const double *p0 = rec + 8 * (size_t)idx[0], *p1 = rec + 8 * (size_t)idx[1];
    GLOBAL const double *p2 = rec + 8 * (size_t)idx[2], *p3 = rec + 8 * (size_t)idx[3];
    f32_query q;
    q.a = f32_difference(p0, face ? p1 : p2, w0, w1);
    q.b = f32_difference(p1, face ? p2 : p0, w0, w1);
    q.c = f32_difference(face ? p1 : p2, p3, w0, w1);
    q.scale = f32_plus(f32_plus(q.a.most, q.b.most), q.c.most);
    return q;
}

/* 1: the query keeps |F|max above the separation at all times in [0, tmax]; 0: it may not. */
FN int f32_apart(int face, const f32_query *q, f32_reach sep) {
    if (!(q->scale.x + q->scale.y + q->scale.z <= F32_LARGEST && sep.once <= F32_LARGEST)) {
        return 0;
    }
    if (f32_axes(face, q, sep.once) || f32_signs(f32_cubic(q), sep)) {
        return 1;
    }
    const f32_frame d = f32_derivatives(face, q);
    return f32_direction(face, q, f32_cross(d.u, d.v), sep.once) || f32_direction(face, q, f32_cross(d.v, d.t), sep.once) ||
           f32_direction(face, q, f32_cross(d.t, d.u), sep.once);
}

/*
 * The queries of each group that may touch: of n, the first faces of which are vertex-face. k: the weights of the ends, the separation with
 * slack, and three times that. many: null, or for each block of `each` queries how many of its first places hold one; the rest is empty.
 */
KERNEL filter32(GLOBAL const double *rec, GLOBAL const int *idx, uint after, uint n, GLOBAL const uint *many, uint each, uint faces,
                GLOBAL const double *k, GLOBAL uint *list, GLOBAL uint *total) {
    LOCAL uint part[WG];
    const uint i = ITEM();
    uint keep = 0;
    if (i < n && (!many || i % each < many[i / each])) {
        const int face = i < faces;
        const f32_query q = f32_load(rec, idx + after + 4 * (size_t)i, face, k[0], k[1]);
        keep = !f32_apart(face, &q, f32_separation(k[2], k[3]));
    }
    const uint to = place_of(part, keep, total);
    if (keep) {
        list[to] = i;
    }
}

/* What a query computes on its way, 24 values; the tests compare them with those of gpu/filter32.go. */
KERNEL filter32_trace(GLOBAL const double *rec, GLOBAL const int *idx, uint n, int face, GLOBAL const double *w, GLOBAL float *out) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    GLOBAL const int *at = idx + 4 * (size_t)i;
    GLOBAL float *o = out + 24 * (size_t)i;
    const f32_query q = f32_load(rec, at, face, w[0], w[1]);
    const f32_form f = f32_cubic(&q);
    o[20] = f.norm;
    o[0] = f.f0; o[1] = f.f1; o[2] = f.f2; o[3] = f.f3; o[4] = f.volume;
    o[5] = q.scale.x; o[6] = q.scale.y; o[7] = q.scale.z;
    const f32_frame d = f32_derivatives(face, &q);
    const f32x3 dir[3] = {f32_cross(d.u, d.v), f32_cross(d.v, d.t), f32_cross(d.t, d.u)};
    for (int k = 0; k < 3; k++) {
        const f32x3 x = dir[k];
        o[8 + 4 * k] = f32_size(&q, x);
        o[9 + 4 * k] = f32_dot(x, q.a.begin);
        o[10 + 4 * k] = f32_lowest(face, f32_dot(x, q.a.begin), f32_dot(x, q.b.begin), f32_dot(x, q.c.begin));
        o[11 + 4 * k] = f32_lowest(face, f32_dot(x, q.a.end), f32_dot(x, q.b.end), f32_dot(x, q.c.end));
        o[21 + k] = f32_sum(x);
    }
}
