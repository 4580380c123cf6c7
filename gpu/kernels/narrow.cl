/*
 * narrow.cl - the narrow phase of the exact method on lists of queries, with the functions of simd/text. An item is a query: position
 * list[i], vertices idx[4 list[i]], ... (records of eight doubles {x0 y0 z0 0 x1 y1 z1 0}). face: vertex-face, else edge-edge.
 *
 * k, the constants of a call: [0] and [1] the weights of the ends at tmax, [2] and [3] the separation once and three times, [4] to [12] the
 * ends of the pieces of time, [16] on the bounds of the pieces (linear.PieceBounds).
 */
#define K_ENDS 4
#define K_PIECES 16

typedef struct { GLOBAL const double *p0, *p1, *p2, *p3; } points;
typedef struct { ccdk_motion a, b, c; } motions;

FN points load_points(GLOBAL const double *rec, GLOBAL const int *idx, int at) {
    points p;
    idx += 4 * (size_t)at;
    p.p0 = rec + 8 * (size_t)idx[0];
    p.p1 = rec + 8 * (size_t)idx[1];
    p.p2 = rec + 8 * (size_t)idx[2];
    p.p3 = rec + 8 * (size_t)idx[3];
    return p;
}
FN motions load_motions(points p, int face) {
    motions m;
    m.a = ccdk_difference(p.p0, face ? p.p1 : p.p2);
    m.b = ccdk_difference(p.p1, face ? p.p2 : p.p0);
    m.c = ccdk_difference(face ? p.p1 : p.p2, p.p3);
    return m;
}

KERNEL filter(GLOBAL const double *rec, GLOBAL const int *idx, GLOBAL const int *list, uint n, int face, GLOBAL const double *k,
              GLOBAL uint *keep) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const motions m = load_motions(load_points(rec, idx, list[i]), face);
    int apart;
    if (k[1] == 1 && k[2] == 0) {
        apart = face ? ccdk_filter_whole_vf(m.a, m.b, m.c) : ccdk_filter_whole_ee(m.a, m.b, m.c);
    } else {
        apart = face ? ccdk_filter_part_vf(m.a, m.b, m.c, k[0], k[1], k[2], k[3]) : ccdk_filter_part_ee(m.a, m.b, m.c, k[0], k[1], k[2], k[3]);
    }
    keep[i] = !apart;
}

/* mask[i]: bit p is set if the query may touch on piece p of the time; keep[i]: whether any is. */
KERNEL pieces(GLOBAL const double *rec, GLOBAL const int *idx, GLOBAL const int *list, uint n, int face, GLOBAL const double *k,
              GLOBAL uchar *mask, GLOBAL uint *keep) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const motions m = load_motions(load_points(rec, idx, list[i]), face);
    const double sep = k[K_PIECES], sep3 = k[K_PIECES + 1];
    const ccdk_form f = sep == 0 ? ccdk_piece_form(m.a, m.b, m.c) : ccdk_piece_form_sep(m.a, m.b, m.c, sep, sep3);
    uint left = 0;
    for (int p = 0; p < 8; p++) {
        if (ccdk_signs(f, k + K_PIECES + 2 + p)) {
            continue;
        }
        const double start = k[K_ENDS + p], end = k[K_ENDS + p + 1];
        int apart;
        if (sep == 0) {
            apart = face ? ccdk_turns_vf(m.a, m.b, m.c, start, end) : ccdk_turns_ee(m.a, m.b, m.c, start, end);
        } else {
            apart = face ? ccdk_turns_apart_vf(m.a, m.b, m.c, start, end, sep) : ccdk_turns_apart_ee(m.a, m.b, m.c, start, end, sep);
        }
        left |= apart ? 0 : 1u << p;
    }
    mask[i] = (uchar)left;
    keep[i] = left != 0;
}

/*
 * The first contact on the pieces that are left. state[i]: 2 a contact at toi[i]; else undecided, on the first piece that is left in
 * mask[i]; pieces without contact are taken out of the mask, and a query without pieces is separate.
 */
KERNEL roots(GLOBAL const double *rec, GLOBAL const int *idx, GLOBAL const int *list, uint n, int face, GLOBAL const double *k,
             GLOBAL uchar *mask, GLOBAL double *toi, GLOBAL uchar *state) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const points at = load_points(rec, idx, list[i]);
    const ccdk_exact_motion a = ccdk_exact_difference(at.p0, face ? at.p1 : at.p2);
    const ccdk_exact_motion b = ccdk_exact_difference(at.p1, face ? at.p2 : at.p0);
    const ccdk_exact_motion c = ccdk_exact_difference(face ? at.p1 : at.p2, at.p3);
    uint left = mask[i];
    int s = 1;
    double t = 0;
    for (int p = 0; p < 8 && s == 1; p++) {
        if (left >> p & 1) {
            const double start = k[K_ENDS + p], end = k[K_ENDS + p + 1];
            s = face ? ccdk_roots_vf(a, b, c, start, end, &t) : ccdk_roots_ee(a, b, c, start, end, &t);
            left &= s == 1 ? ~(1u << p) : 255u;
        }
    }
    mask[i] = (uchar)left;
    toi[i] = s == 2 ? t : 0;
    state[i] = (uchar)(s == 1 ? 0 : s);
}

/* The cubics and their bounds, for the self-test: six values a query. */
KERNEL forms(GLOBAL const double *rec, GLOBAL const int *idx, uint n, int face, GLOBAL double *out) {
    const uint i = ITEM();
    if (i < n) {
        const motions m = load_motions(load_points(rec, idx, (int)i), face);
        const ccdk_form f = ccdk_piece_form(m.a, m.b, m.c);
        GLOBAL double *o = out + 6 * (size_t)i;
        o[0] = f.f0; o[1] = f.f1; o[2] = f.f2; o[3] = f.f3; o[4] = f.e; o[5] = f.e3;
    }
}
