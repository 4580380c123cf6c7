/*
 * narrow.cl - the narrow phase of the exact method on lists of queries, with the functions of simd/text: filter32, filter, pieces and roots,
 * of which each takes what the one before keeps. Query i has the vertices idx[4 i], ... (records of eight doubles {x0 y0 z0 0 x1 y1 z1 0}).
 * The first faces queries are vertex-face, the others edge-edge.
 *
 * k, the constants of a call: [0] and [1] the weights of the ends at tmax, [2] and [3] the separation once and three times, [4] to [12] the
 * ends of the pieces of time, [16] on the bounds of the pieces (linear.PieceBounds), [146] the end of time and the separation.
 */
#define K_ENDS 4
#define K_PIECES 16
#define K_EUCLID 146

typedef struct { GLOBAL const double *p0, *p1, *p2, *p3; } points;
typedef struct { ccdk_motion a, b, c; } motions;

FN points load_points(GLOBAL const double *rec, GLOBAL const int *idx, uint at) {
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

/* What a stage reads: the list that so many groups have made. */
#define KEPT GLOBAL const uint *list, GLOBAL const uint *total, uint groups

KERNEL filter(GLOBAL const double *rec, GLOBAL const int *idx, uint after, KEPT, uint faces, GLOBAL const double *k, GLOBAL uint *list1,
              GLOBAL uint *total1) {
    LOCAL uint before[MOST_GROUPS], part[WG];
    uint n, i = 0, keep = 0;
    const uint at = kept_at(before, part, total, groups, ITEM(), &n);
    if (at != ~0u) {
        i = list[at];
        const int face = i < faces;
        const motions m = load_motions(load_points(rec, idx + after, i), face);
        int apart;
        if (k[1] == 1 && k[2] == 0) {
            apart = face ? ccdk_filter_whole_vf(m.a, m.b, m.c) : ccdk_filter_whole_ee(m.a, m.b, m.c);
        } else {
            apart = face ? ccdk_filter_part_vf(m.a, m.b, m.c, k[0], k[1], k[2], k[3]) : ccdk_filter_part_ee(m.a, m.b, m.c, k[0], k[1], k[2], k[3]);
        }
        keep = !apart;
    }
    const uint to = place_of(part, keep, total1);
    if (keep) {
        list1[to] = i;
    }
}

/* mask1: bit p is set if the query may touch on piece p of the time; those are kept for which any is. */
KERNEL pieces(GLOBAL const double *rec, GLOBAL const int *idx, uint after, KEPT, uint faces, GLOBAL const double *k, GLOBAL uint *list1,
              GLOBAL uchar *mask1, GLOBAL uint *total1) {
    LOCAL uint before[MOST_GROUPS], part[WG];
    uint n, i = 0, left = 0;
    const uint at = kept_at(before, part, total, groups, ITEM(), &n);
    if (at != ~0u) {
        i = list[at];
        const int face = i < faces;
        const motions m = load_motions(load_points(rec, idx + after, i), face);
        const double sep = k[K_PIECES], sep3 = k[K_PIECES + 1];
        const ccdk_form f = sep == 0 ? ccdk_piece_form(m.a, m.b, m.c) : ccdk_piece_form_sep(m.a, m.b, m.c, sep, sep3);
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
    }
    const uint to = place_of(part, left != 0, total1);
    if (left) {
        list1[to] = i;
        mask1[to] = (uchar)left;
    }
}

/*
 * Of a separation in the Euclidean norm: those are kept that the certificate does not prove to keep more throughout. K_EUCLID: the end of
 * time and the separation.
 */
KERNEL euclid(GLOBAL const double *rec, GLOBAL const int *idx, uint after, KEPT, GLOBAL const uchar *mask, uint faces, GLOBAL const double *k,
              GLOBAL uint *list1, GLOBAL uchar *mask1, GLOBAL uint *total1) {
    LOCAL uint before[MOST_GROUPS], part[WG];
    uint n, i = 0, keep = 0;
    const uint at = kept_at(before, part, total, groups, ITEM(), &n);
    if (at != ~0u) {
        i = list[at];
        eu_query q;
        const int set = eu_load(&q, rec, idx + after + 4 * (size_t)i, i < faces, k[K_EUCLID + 1]);
        keep = set == 2 ? 0 : set == 0 || !eu_apart(&q, k[K_EUCLID]);
    }
    const uint to = place_of(part, keep, total1);
    if (keep) {
        list1[to] = i;
        mask1[to] = mask[at];
    }
}

/* What the host reads of a query: gpu.result. */
typedef struct {
    double toi;
    uint a, b;
    uint mask, state;
} result;

/*
 * The first contact on the pieces that are left, where times are wanted (a separation of 0). state: 2 a contact at toi; else undecided, on
 * the first piece that is left in mask; pieces without contact are taken out of the mask, and a query without pieces is separate. a and b:
 * the pair, or without pairs the number of the query; state has the number of the query from bit eight on. out[0].a: how many there are, of
 * which out[1] is the first; before it are at results, which the host reads with them.
 */
KERNEL roots(GLOBAL const double *rec, GLOBAL const int *idx, uint after, KEPT, GLOBAL const uchar *mask, uint faces, GLOBAL const double *k,
             GLOBAL const uint *pairs, GLOBAL result *out, uint at) {
    LOCAL uint before[MOST_GROUPS], part[WG];
    uint n;
    const uint r = ITEM(), place = kept_at(before, part, total, groups, r, &n);
    out += at;
    if (r == 0) {
        out[0].a = n;
    }
    if (place == ~0u) {
        return;
    }
    const uint i = list[place];
    uint left = mask[place];
    int s = 1;
    double t = 0;
    if (k[K_PIECES] == 0) {
        const int face = i < faces;
        const points p4 = load_points(rec, idx + after, i);
        const ccdk_exact_motion a = ccdk_exact_difference(p4.p0, face ? p4.p1 : p4.p2);
        const ccdk_exact_motion b = ccdk_exact_difference(p4.p1, face ? p4.p2 : p4.p0);
        const ccdk_exact_motion c = ccdk_exact_difference(face ? p4.p1 : p4.p2, p4.p3);
        for (int p = 0; p < 8 && s == 1; p++) {
            if (left >> p & 1) {
                const double start = k[K_ENDS + p], end = k[K_ENDS + p + 1];
                s = face ? ccdk_roots_vf(a, b, c, start, end, &t) : ccdk_roots_ee(a, b, c, start, end, &t);
                left &= s == 1 ? ~(1u << p) : 255u;
            }
        }
    }
    GLOBAL result *to = out + 1 + r;
    to->toi = s == 2 ? t : 0;
    to->a = pairs ? pairs[2 * (size_t)i] : i;
    to->b = pairs ? pairs[2 * (size_t)i + 1] : 0;
    to->mask = left;
    to->state = (uint)(s == 1 ? 0 : s) | i << 8;
}

/* The cubics and their bounds, for the self-test: six values a query. */
KERNEL forms(GLOBAL const double *rec, GLOBAL const int *idx, uint n, int face, GLOBAL double *out) {
    const uint i = ITEM();
    if (i < n) {
        const motions m = load_motions(load_points(rec, idx, i), face);
        const ccdk_form f = ccdk_piece_form(m.a, m.b, m.c);
        GLOBAL double *o = out + 6 * (size_t)i;
        o[0] = f.f0; o[1] = f.f1; o[2] = f.f2; o[3] = f.f3; o[4] = f.e; o[5] = f.e3;
    }
}
