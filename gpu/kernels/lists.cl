/*
 * lists.cl - prefix sums and lists without atomics: a list has one order, whatever the device. All sizes are below 2^31.
 */
#define PER 8u           /* items of a lane in a prefix sum */
#define TILE (WG * PER)

/* at[i] = the sum of x[0] ... x[i-1] within the tile of i; total[g]: of the whole tile g. */
KERNEL scan_tiles(GLOBAL const uint *x, uint n, GLOBAL uint *at, GLOBAL uint *total) {
    LOCAL uint part[WG];
    const uint first = GROUP() * TILE + LANE() * PER;
    uint before[PER], sum = 0;
    for (uint j = 0; j < PER; j++) {
        before[j] = sum;
        sum += first + j < n ? x[first + j] : 0;
    }
    part[LANE()] = sum;
    BARRIER();
    for (uint d = 1; d < WG; d *= 2) {
        const uint left = LANE() >= d ? part[LANE() - d] : 0;
        BARRIER();
        part[LANE()] += left;
        BARRIER();
    }
    for (uint j = 0; j < PER; j++) {
        if (first + j < n) {
            at[first + j] = part[LANE()] - sum + before[j];
        }
    }
    if (LANE() == WG - 1) {
        total[GROUP()] = part[LANE()];
    }
}

/* Add the sums of the tiles before. */
KERNEL scan_add(GLOBAL uint *at, uint n, GLOBAL const uint *before) {
    const uint i = ITEM();
    if (i < n) {
        at[i] += before[i / TILE];
    }
}

/* The positions that are kept, in order: out[at[i]] = from[i], or i where whole is 1. */
KERNEL compact(GLOBAL const int *from, int whole, GLOBAL const uint *keep, GLOBAL const uint *at, uint n, GLOBAL int *out) {
    const uint i = ITEM();
    if (i < n && keep[i]) {
        out[at[i]] = whole ? (int)i : from[i];
    }
}

/* The same of bytes. */
KERNEL compact_bytes(GLOBAL const uchar *from, GLOBAL const uint *keep, GLOBAL const uint *at, uint n, GLOBAL uchar *out) {
    const uint i = ITEM();
    if (i < n && keep[i]) {
        out[at[i]] = from[i];
    }
}

/* The list of all positions. */
KERNEL identity(uint n, GLOBAL int *out) {
    const uint i = ITEM();
    if (i < n) {
        out[i] = (int)i;
    }
}
