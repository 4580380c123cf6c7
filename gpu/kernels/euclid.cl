/*
 * euclid.cl - the first stages of the Euclidean certificate: they prove that a pair keeps more than the separation d, in the Euclidean norm,
 * throughout [0, tmax]. gpu/euclid.go is the same in Go, and says where the theorem and the bounds are.
 *
 * Nothing here may contract a * b + c. Quotients and roots are rounded to nearest, as IEEE 754 has them.
 */
#define EU_ERROR (16 * 0x1p-53)
#define EU_TINY 0x1p-1000
#define EU_STEPS 40
#define EU_RANGE 400

typedef struct { double x0, x1; } eu_line;
typedef struct { eu_line p[4][3], e[3][3]; double most[3], d; int face; } eu_query;
typedef struct { double t, p[4][3], w[4], n[3], size; int flat; } eu_nearest;
typedef struct { int from, to; double s, v[3], square; } eu_foot;

FN double eu_max(double a, double b) { return a > b ? a : b; }
FN double eu_min(double a, double b) { return a < b ? a : b; }
FN double eu_abs(double x) { return x < 0 ? -x : x; }
FN double eu_at(const eu_line *x, double t) { return x->x0 + MUL64(t, x->x1 - x->x0); }
FN double eu_dot(const double *a, const double *b) { return MUL64(a[0], b[0]) + MUL64(a[1], b[1]) + MUL64(a[2], b[2]); }
FN int eu_corners(const eu_query *q) { return q->face ? 3 : 4; }

/* Corner c is point i less point j. */
FN void eu_corner(int face, int c, int *i, int *j) {
    *i = face ? 0 : c & 1;
    *j = face ? 1 + c : 2 + c / 2;
}
FN void eu_edge_points(int face, int e, int *i, int *j) {
    *i = face ? (e == 2 ? 3 : 1) : (e ? 2 : 1);
    *j = face ? (e == 1 ? 3 : 2) : (e ? 3 : 0);
}
/* A side goes from a corner along an edge to a corner. */
FN void eu_side(int face, int i, int *from, int *edge, int *to) {
    *from = i < 2 ? 0 : face ? 2 : i == 2 ? 2 : 1;
    *edge = face ? i : i & 1;
    *to = face ? (i == 1 ? 2 : 1) : (i == 0 ? 1 : i == 1 ? 2 : 3);
}

/* 1: the query is set; 0: its unit is out of range; 2: an axis proves it apart. */
FN int eu_load(eu_query *q, GLOBAL const double *rec, GLOBAL const int *idx, int face, double d) {
    GLOBAL const double *p[4];
    const int corners = face ? 3 : 4, edges = face ? 3 : 2;
    double top = d;
    for (int i = 0; i < 4; i++) {
        p[i] = rec + 8 * (size_t)idx[i];
    }
    q->face = face;
    for (int axis = 0; axis < 3; axis++) {
        double lo = 0, hi = 0;
        for (int c = 0; c < corners; c++) {
            int i, j;
            eu_corner(face, c, &i, &j);
            eu_line x;
            x.x0 = p[i][axis] - p[j][axis];
            x.x1 = p[i][4 + axis] - p[j][4 + axis];
            q->p[c][axis] = x;
            lo = c == 0 ? eu_min(x.x0, x.x1) : eu_min(lo, eu_min(x.x0, x.x1));
            hi = c == 0 ? eu_max(x.x0, x.x1) : eu_max(hi, eu_max(x.x0, x.x1));
        }
        if (lo > d || hi < -d) {
            return 2;
        }
        q->most[axis] = eu_max(hi, -lo);
        top = eu_max(top, q->most[axis]);
    }
    for (int e = 0; e < edges; e++) {
        int i, j;
        eu_edge_points(face, e, &i, &j);
        for (int axis = 0; axis < 3; axis++) {
            eu_line x;
            x.x0 = p[i][axis] - p[j][axis];
            x.x1 = p[i][4 + axis] - p[j][4 + axis];
            q->e[e][axis] = x;
            top = eu_max(top, eu_max(eu_abs(x.x0), eu_abs(x.x1)));
        }
    }
    const int exponent = (int)(CCDK_BITS(top) >> 52) - 1023;
    if (exponent <= -EU_RANGE || exponent >= EU_RANGE) {
        return 0;
    }
    const double unit = CCDK_FLOAT((ulong)(1023 - exponent) << 52);
    q->d = MUL64(d, unit);
    for (int axis = 0; axis < 3; axis++) {
        q->most[axis] = MUL64(q->most[axis], unit);
        for (int c = 0; c < corners; c++) {
            q->p[c][axis].x0 = MUL64(q->p[c][axis].x0, unit);
            q->p[c][axis].x1 = MUL64(q->p[c][axis].x1, unit);
        }
        for (int e = 0; e < edges; e++) {
            q->e[e][axis].x0 = MUL64(q->e[e][axis].x0, unit);
            q->e[e][axis].x1 = MUL64(q->e[e][axis].x1, unit);
        }
    }
    return 1;
}

FN void eu_edge(const eu_query *q, int i, double t, double *e) {
    for (int axis = 0; axis < 3; axis++) {
        e[axis] = eu_at(&q->e[i][axis], t);
    }
}

FN void eu_towards(eu_nearest *x, const double *v) {
    const double l = SQRT64(eu_dot(v, v));
    if (!(l > 0x1p-400)) {
        x->n[0] = 1; x->n[1] = 0; x->n[2] = 0;
        x->size = 1;
        return;
    }
    const double s = 1 / l;
    for (int axis = 0; axis < 3; axis++) {
        x->n[axis] = MUL64(v[axis], s);
    }
    x->size = SQRT64(eu_dot(x->n, x->n));
}

FN eu_foot eu_foot_of(const eu_query *q, const eu_nearest *x, int side) {
    eu_foot f;
    int from, edge, to;
    double e[3];
    eu_side(q->face, side, &from, &edge, &to);
    eu_edge(q, edge, x->t, e);
    const double *a = x->p[from];
    const double ee = eu_dot(e, e), pe = -eu_dot(a, e);
    f.s = 0;
    if (!(pe > 0)) {
        f.from = f.to = from;
    } else if (!(pe < ee)) {
        f.from = f.to = to;
    } else {
        f.from = from;
        f.to = to;
        f.s = pe / ee;
    }
    for (int axis = 0; axis < 3; axis++) {
        f.v[axis] = f.from == f.to ? x->p[f.from][axis] : a[axis] + MUL64(f.s, e[axis]);
    }
    if (f.from != f.to) {
        const double c = eu_dot(f.v, e) / ee;
        for (int axis = 0; axis < 3; axis++) {
            f.v[axis] -= MUL64(c, e[axis]);
        }
    }
    f.square = eu_dot(f.v, f.v);
    return f;
}

FN void eu_look(const eu_query *q, double t, eu_nearest *x) {
    const int corners = eu_corners(q);
    double b[3], c[3];
    x->t = t;
    x->flat = 0;
    for (int i = 0; i < 4; i++) {
        x->w[i] = 0;
        for (int axis = 0; axis < 3; axis++) {
            x->p[i][axis] = i < corners ? eu_at(&q->p[i][axis], t) : 0;
        }
    }
    eu_edge(q, 0, t, b);
    eu_edge(q, 1, t, c);
    const double *a = x->p[0];
    const double bb = eu_dot(b, b), bc = eu_dot(b, c), cc = eu_dot(c, c), ab = -eu_dot(a, b), ac = -eu_dot(a, c);
    const double det = MUL64(bb, cc) - MUL64(bc, bc);
    double u = MUL64(cc, ab) - MUL64(bc, ac), v = MUL64(bb, ac) - MUL64(bc, ab);
    const int flat = !(det > MUL64(0x1p-40, MUL64(bb, cc)));
    const int beyond[4] = {flat || !(v > 0), flat || !(u > 0), q->face ? flat || !(u + v < det) : flat || !(v < det),
                           q->face ? 0 : flat || !(u < det)};
    if (!(beyond[0] || beyond[1] || beyond[2] || beyond[3])) {
        const double s = 1 / det;
        u = MUL64(u, s);
        v = MUL64(v, s);
        x->flat = 1;
        if (q->face) {
            x->w[0] = eu_max(0, 1 - u - v);
            x->w[1] = u;
            x->w[2] = v;
        } else {
            const double w = eu_max(0, 1 - u), z = eu_max(0, 1 - v);
            x->w[0] = MUL64(w, z);
            x->w[1] = MUL64(u, z);
            x->w[2] = MUL64(w, v);
            x->w[3] = MUL64(u, v);
        }
        double n[3] = {MUL64(b[1], c[2]) - MUL64(b[2], c[1]), MUL64(b[2], c[0]) - MUL64(b[0], c[2]), MUL64(b[0], c[1]) - MUL64(b[1], c[0])};
        if (eu_dot(a, n) < 0) {
            n[0] = -n[0]; n[1] = -n[1]; n[2] = -n[2];
        }
        eu_towards(x, n);
        return;
    }
    eu_foot best;
    best.from = -1;
    for (int i = 0; i < corners; i++) {
        if (beyond[i]) {
            const eu_foot f = eu_foot_of(q, x, i);
            if (best.from < 0 || f.square < best.square) {
                best = f;
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        x->w[i] = i == best.to ? best.s : 0;
        x->w[i] = i == best.from ? (best.from == best.to ? 1 : 1 - best.s) : x->w[i];
    }
    eu_towards(x, best.v);
}

FN double eu_rounding(const eu_query *q, const eu_nearest *x, const eu_nearest *y) {
    double s = MUL64(q->d, eu_max(x->size, y->size));
    for (int axis = 0; axis < 3; axis++) {
        s += MUL64(eu_max(eu_abs(x->n[axis]), eu_abs(y->n[axis])), q->most[axis]);
    }
    return MUL64(EU_ERROR, s) + EU_TINY;
}

FN int eu_fixed(const eu_query *q, double tmax, eu_nearest *x) {
    eu_look(q, MUL64(0.5, tmax), x);
    const double least = eu_rounding(q, x, x) + MUL64(q->d, x->size);
    for (int c = 0; c < eu_corners(q); c++) {
        double p[3], r[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = eu_at(&q->p[c][axis], 0);
            r[axis] = eu_at(&q->p[c][axis], tmax);
        }
        if (!(eu_dot(x->n, p) > least && eu_dot(x->n, r) > least)) {
            return 0;
        }
    }
    return 1;
}

FN double eu_chord(double c0, double c1, double c2) {
    double s = 1;
    if (!(c1 > 0)) {
        s = eu_min(s, MUL64(c0 / (c0 - c1) / 2, 1 - 0x1p-49));
    }
    if (!(c2 > 0)) {
        s = eu_min(s, MUL64(MUL64(2, c0 / (c0 - c2)) / 2, 1 - 0x1p-49));
        if (c1 > 0) {
            s = eu_min(s, MUL64((1 + c1 / (c1 - c2)) / 2, 1 - 0x1p-49));
        }
    }
    return s > 0 ? s : 0;
}

FN double eu_positive(double c0, double c1, double c2) {
    if (!(c0 > 0)) {
        return 0;
    }
    if (c1 > 0 && c2 > 0) {
        return 1;
    }
    const double sq = MUL64(c1, c1), pr = MUL64(c0, c2), disc = sq - pr;
    if (disc < -(MUL64(0x1p-48, sq + eu_abs(pr)) + EU_TINY)) {
        return 1;
    }
    const double x = c0 / (SQRT64(eu_max(disc, 0)) - c1);
    const double s = MUL64(x / (1 + x), 1 - 0x1p-40);
    if (!(x > 0 && s < 1)) {
        return eu_chord(c0, c1, c2);
    }
    const double w = 1 - s, a1 = eu_abs(c1), a2 = eu_abs(c2);
    const double l = MUL64(w, c0) + MUL64(s, c1), m = MUL64(w, l) + MUL64(s, MUL64(w, c1) + MUL64(s, c2));
    const double size = MUL64(w, c0) + MUL64(s, a1), sizes = MUL64(w, size) + MUL64(s, MUL64(w, a1) + MUL64(s, a2));
    if (l > MUL64(0x1p-49, size) + EU_TINY && m > MUL64(0x1p-48, sizes) + EU_TINY) {
        return s;
    }
    return eu_chord(c0, c1, c2);
}

FN double eu_certificate(const eu_query *q, const eu_nearest *x, const eu_nearest *y, const eu_nearest *n, const eu_nearest *m) {
    double c0 = 0, c1 = 0, c2 = 0;
    for (int c = 0; c < eu_corners(q); c++) {
        const double d0 = eu_dot(n->n, x->p[c]), d1 = eu_dot(n->n, y->p[c]) + eu_dot(m->n, x->p[c]), d2 = eu_dot(m->n, y->p[c]);
        c0 = c == 0 ? d0 : eu_min(c0, d0);
        c1 = c == 0 ? d1 : eu_min(c1, d1);
        c2 = c == 0 ? d2 : eu_min(c2, d2);
    }
    const double e = eu_rounding(q, n, m);
    return eu_positive(c0 - MUL64(q->d, n->size) - e, MUL64(c1 - MUL64(q->d, n->size + m->size), 0.5) - e, c2 - MUL64(q->d, m->size) - e);
}

FN double eu_reach(const eu_query *q, const eu_nearest *x, eu_nearest *y) {
    double c = eu_dot(x->n, y->n), s = 0;
    if (c < 0 && y->flat) {
        y->n[0] = -y->n[0]; y->n[1] = -y->n[1]; y->n[2] = -y->n[2];
        c = -c;
    }
    if (c > 0.25) {
        s = eu_certificate(q, x, y, x, y);
    }
    if (s < 0.25 && c < 0.9) {
        s = eu_max(s, eu_certificate(q, x, y, x, x));
    }
    return s;
}

FN double eu_gap(const eu_query *q, const eu_nearest *x, double *closing) {
    double gap = -q->d;
    *closing = 0;
    for (int c = 0; c < eu_corners(q); c++) {
        const double w = x->w[c];
        if (w == 0) {
            continue;
        }
        double v[3];
        for (int axis = 0; axis < 3; axis++) {
            v[axis] = q->p[c][axis].x1 - q->p[c][axis].x0;
        }
        gap += MUL64(w, eu_dot(x->n, x->p[c]));
        *closing -= MUL64(w, eu_dot(x->n, v));
    }
    return gap;
}

/* 1: the query keeps more than d throughout [0, tmax]; 0: it may not. */
FN int eu_apart(const eu_query *q, double tmax) {
    eu_nearest x, y;
    if (eu_fixed(q, tmax, &x)) {
        return 1;
    }
    eu_look(q, 0, &x);
    eu_look(q, tmax, &y);
    int held = 0;
    for (int i = 0; i < EU_STEPS; i++) {
        const double a = x.t, b = y.t, s = eu_reach(q, &x, &y);
        if (s == 0) {
            return 0;
        }
        if (s == 1) {
            if (b == tmax) {
                return 1;
            }
            x = y;
        } else {
            const double next = a + MUL64(MUL64(s, b - a), 1 - 0x1p-50);
            if (!(next > a)) {
                return 0;
            }
            const double below = CCDK_FLOAT(CCDK_BITS(next) - 1);
            if (!(below > a)) {
                return 0;
            }
            eu_look(q, below, &x);
        }
        double closing;
        const double gap = eu_gap(q, &x, &closing);
        if (!(gap > MUL64(256 * 0x1p-53, 1 + q->d))) {
            return 0;
        }
        double step = MUL64(1.0625, gap / closing);
        if (!(step > 0) || step > tmax - x.t) {
            step = tmax - x.t;
            if (held++, s < 1 && held % 2 == 0) {
                step = MUL64(8, b - a);
            }
        }
        const double after = CCDK_FLOAT(CCDK_BITS(x.t) + 1), next = x.t + step;
        eu_look(q, eu_min(tmax, next > after ? next : after), &y);
    }
    return 0;
}
