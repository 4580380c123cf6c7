/*
 * probe.cl - what a device makes of single operations. The self-test compares every result with the processor's, so a device whose
 * compiler contracts a * b + c, or whose arithmetic is not that of IEEE 754, is refused.
 */
KERNEL probe(GLOBAL const double *x, uint n, GLOBAL double *out) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const double a = x[3 * (size_t)i], b = x[3 * (size_t)i + 1], c = x[3 * (size_t)i + 2];
    GLOBAL double *o = out + 8 * (size_t)i;
    o[0] = a + b;
    o[1] = a - b;
    o[2] = MUL64(a, b);
    o[3] = FMA64(a, b, c);
    o[4] = MUL64(a, b) + c;
    o[5] = MUL64(a, b) - MUL64(b, c);
    o[6] = c - MUL64(a, b);
    o[7] = a * b + c;
}
KERNEL probe32(GLOBAL const double *x, uint n, GLOBAL float *out) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const float a = (float)x[3 * (size_t)i], b = (float)x[3 * (size_t)i + 1], c = (float)x[3 * (size_t)i + 2];
    GLOBAL float *o = out + 8 * (size_t)i;
    o[0] = a;
    o[1] = a + b;
    o[2] = a - b;
    o[3] = MUL32(a, b);
    o[4] = MUL32(a, b) + c;
    o[5] = MUL32(a, b) - MUL32(b, c);
    o[6] = c - MUL32(a, b);
    o[7] = a * b + c;
}
