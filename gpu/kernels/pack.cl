/*
 * pack.cl - positions that a caller has on the device, as the records that the other kernels read: {x0 y0 z0 0 x1 y1 z1 0} for each vertex.
 */

/*
 * Vertex i of x, three doubles (wide) or floats that begin i * stride numbers after x, becomes one end of record i: end 0 is t = 0, end 1 is
 * t = 1. A float becomes the double that equals it.
 */
KERNEL pack(GLOBAL const double *x, int stride, int wide, int end, uint n, GLOBAL double *rec) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    GLOBAL double *to = rec + 8 * (size_t)i + 4 * end;
    const long first = (long)i * stride;
    GLOBAL const double *from64 = x + first;
    GLOBAL const float *from32 = (GLOBAL const float *)x + first;
    if (wide) {
        to[0] = from64[0]; to[1] = from64[1]; to[2] = from64[2];
    } else {
        to[0] = from32[0]; to[1] = from32[1]; to[2] = from32[2];
    }
    to[3] = 0;
}
