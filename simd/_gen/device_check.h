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

