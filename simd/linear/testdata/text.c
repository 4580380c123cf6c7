/*
 * Runs the kernels' text on queries from standard input and writes what they answer and compute, for TestTextLaw7SameBits.
 * Input: n; 4 filter bounds, 130 bounds of pieces, 9 ends; n queries of a kind (1: vertex-face) and four records.
 */
#include "prelude.h"

#include "filter.cl"

#include "roots.cl"

#include <stdio.h>
#include <stdlib.h>

enum { QUERY = 33, ANSWER = 62 };
static double bounds[4], pieces[130], ends[9], in[QUERY], out[ANSWER];
static int count;

static void put(double x) { out[count++] = x; }
static void put_vector(ccdk_vector v) {
    put(v.x);
    put(v.y);
    put(v.z);
}

static void whole(int face, ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const double w0 = bounds[0], w1 = bounds[1], sep = bounds[2], sep3 = bounds[3];
    put(face ? ccdk_filter_whole_vf(a, b, c) : ccdk_filter_whole_ee(a, b, c));
    put(face ? ccdk_filter_part_vf(a, b, c, w0, w1, sep, sep3) : ccdk_filter_part_ee(a, b, c, w0, w1, sep, sep3));
}

static void on_pieces(int face, ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const double sep = pieces[0];
    const ccdk_form f = sep > 0 ? ccdk_piece_form_sep(a, b, c, sep, pieces[1]) : ccdk_piece_form(a, b, c);
    int k, signs = 0, turns = 0, apart = 0;
    for (k = 0; k < 8; k++) {
        const double s = ends[k], e = ends[k + 1];
        signs |= ccdk_signs(f, pieces + 2 + k) << k;
        turns |= (face ? ccdk_turns_vf(a, b, c, s, e) : ccdk_turns_ee(a, b, c, s, e)) << k;
        if (sep > 0)
            apart |= (face ? ccdk_turns_apart_vf(a, b, c, s, e, sep) : ccdk_turns_apart_ee(a, b, c, s, e, sep)) << k;
    }
    put(signs);
    put(turns);
    put(apart);
}

/* What is computed on the way. */
static void values(int face, ccdk_motion a, ccdk_motion b, ccdk_motion c) {
    const ccdk_query q = ccdk_measure(a, b, c);
    const ccdk_directions d = face ? ccdk_directions_vf(a, b, c) : ccdk_directions_ee(a, b, c);
    const ccdk_form f = ccdk_piece_form_sep(a, b, c, pieces[0], pieces[1]);
    put(ccdk_sum(q.scale));
    put_vector(ccdk_blend(b, bounds[0], bounds[1]));
    put_vector(d.u);
    put_vector(d.v);
    put_vector(d.t);
    put_vector(d.uv);
    put_vector(d.vt);
    put_vector(d.tu);
    put_vector(ccdk_cross(d.uv, d.t));
    put(ccdk_dot(d.uv, a.begin));
    put(f.f0);
    put(f.f1);
    put(f.f2);
    put(f.f3);
    put(f.e);
    put(f.e3);
}

static void roots(int face, ccdk_exact_motion a, ccdk_exact_motion b, ccdk_exact_motion c) {
    int k;
    ccdk_isolation r;
    for (k = 0; k < 8; k++) {
        double toi;
        put(face ? ccdk_roots_vf(a, b, c, ends[k], ends[k + 1], &toi) : ccdk_roots_ee(a, b, c, ends[k], ends[k + 1], &toi));
        put(toi);
    }
    r = ccdk_isolate(a, b, c, ends[0], ends[8]);
    put(r.f.c0.high);
    put(r.f.c0.low);
    put(r.f.c1.high);
    put(r.f.c1.low);
    put(r.f.c2.high);
    put(r.f.c2.low);
    put(r.f.c3.high);
    put(r.f.c3.low);
    put(r.bound);
}

static void query(void) {
    const int face = in[0] != 0;
    const double *p = in + 1;
    const double *x[3], *y[3];
    x[0] = p, y[0] = face ? p + 8 : p + 16;
    x[1] = p + 8, y[1] = face ? p + 16 : p;
    x[2] = face ? p + 8 : p + 16, y[2] = p + 24;
    const ccdk_motion a = ccdk_difference(x[0], y[0]), b = ccdk_difference(x[1], y[1]), c = ccdk_difference(x[2], y[2]);
    count = 0;
    whole(face, a, b, c);
    on_pieces(face, a, b, c);
    values(face, a, b, c);
    roots(face, ccdk_exact_difference(x[0], y[0]), ccdk_exact_difference(x[1], y[1]), ccdk_exact_difference(x[2], y[2]));
}

static void read_all(double *to, size_t n) {
    if (fread(to, sizeof *to, n, stdin) != n)
        exit(1);
}

int main(void) {
    double n;
    while (fread(&n, sizeof n, 1, stdin) == 1) {
        read_all(bounds, 4);
        read_all(pieces, 130);
        read_all(ends, 9);
        for (; n > 0; n--) {
            read_all(in, QUERY);
            query();
            if (fwrite(out, sizeof *out, (size_t)count, stdout) != (size_t)count)
                return 1;
        }
    }
    return 0;
}
