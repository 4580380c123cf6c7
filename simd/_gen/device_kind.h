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

/* For each kind. */
/* Whether the pair is certainly apart on [s, e]. */
CCDK_FN int ccdk_apart_@KIND@(ccdk_form f, ccdk_motion a, ccdk_motion b, ccdk_motion c, double s, double e) {
    return ccdk_cubic_keeps_sign(f, s, e) || ccdk_turns_@KIND@(a, b, c, s, e);
}

/* A time in [s, e] before which the pair is certainly apart, if it is before s: found by halving, to 2^-12 of the piece. */
CCDK_FN double ccdk_safe_@KIND@(ccdk_form f, ccdk_motion a, ccdk_motion b, ccdk_motion c, double s, double e) {
    int k;
    for (k = 0; k < 12; k++) {
        const double middle = CCDK_MUL(0.5, s + e);
        if (ccdk_apart_@KIND@(f, a, b, c, s, middle)) s = middle;
        else e = middle;
    }
    return s;
}

/* Whether the pair is certainly apart throughout: the first and cheapest part of ccd_device_@NAME@. 1 is a proof, 0 nothing. */
CCDK_API int ccd_device_@NAME@_filter(const double *q) {
    return ccdk_valid(q) && ccdk_filter_@KIND@(ccdk_rounded(ccdk_relative(q, @A@)), ccdk_rounded(ccdk_relative(q, @B@)), ccdk_rounded(ccdk_relative(q, @C@)));
}

CCDK_API int ccd_device_@NAME@(const double *q, double *toi) {
    const ccdk_exact_motion a = ccdk_relative(q, @A@), b = ccdk_relative(q, @B@), c = ccdk_relative(q, @C@);
    const ccdk_motion ra = ccdk_rounded(a), rb = ccdk_rounded(b), rc = ccdk_rounded(c);
    ccdk_form f;
    int k;
    *toi = 0.0;
    if (!ccdk_valid(q)) return CCD_DEVICE_UNDECIDED;
    *toi = CCDK_FLOAT(0x7ff0000000000000);
    if (ccdk_filter_@KIND@(ra, rb, rc)) return CCD_DEVICE_SEPARATE;
    f = ccdk_piece_form(ra, rb, rc);
    for (k = 0; k < 8; k++) {
        const double s = CCDK_MUL(0.125, k), e = s + 0.125;
        double root = 0.0;
        int state;
        if (ccdk_apart_@KIND@(f, ra, rb, rc, s, e)) continue;
        state = ccdk_roots_@KIND@(a, b, c, s, e, &root);
        if (state == CCD_DEVICE_SEPARATE) continue;
        *toi = state == CCD_DEVICE_CONTACT ? root : ccdk_safe_@KIND@(f, ra, rb, rc, s, e);
        return state;
    }
    return CCD_DEVICE_SEPARATE;
}

/* As ccd_device_@NAME@, of 24 floats. Every float is a double, so the answer is that for the same points. */
CCDK_API int ccd_device_@NAME@_f32(const float *q, double *toi) {
    double x[24];
    int k;
    for (k = 0; k < 24; k++) x[k] = (double)q[k];
    return ccd_device_@NAME@(x, toi);
}

