/*
 * lists.cl - lists and a stable sort without atomics: a list has one order, whatever the device. All sizes are below 2^31.
 *
 * A stage of the narrow phase writes what each of its groups keeps to the beginning of that group's part of a list, and how many that are.
 * The next stage finds its items there by itself, so stages follow each other without the host, and without launches for sums.
 */
#define PER 8u           /* items of a lane in a tile of a sort */
#define TILE (WG * PER)
#define MOST_GROUPS 1024u /* of a list of a narrow phase */

/* The sum of x over the lanes up to this one. part has it for each lane until the next barrier. */
FN uint scan_group(IN_LOCAL uint *part, uint x) {
    part[LANE()] = x;
    BARRIER();
    for (uint d = 1; d < WG; d *= 2) {
        const uint left = LANE() >= d ? part[LANE() - d] : 0;
        BARRIER();
        part[LANE()] += left;
        BARRIER();
    }
    return part[LANE()];
}

/* The same in 64 bits. */
FN ulong scan_wide(IN_LOCAL ulong *part, ulong x) {
    part[LANE()] = x;
    BARRIER();
    for (uint d = 1; d < WG; d *= 2) {
        const ulong left = LANE() >= d ? part[LANE() - d] : 0;
        BARRIER();
        part[LANE()] += left;
        BARRIER();
    }
    return part[LANE()];
}

/* The place in the list of this group of an item that is kept; total gets how many the group keeps. */
FN uint place_of(IN_LOCAL uint *part, uint keep, GLOBAL uint *total) {
    const uint upto = scan_group(part, keep);
    if (LANE() == WG - 1) {
        total[GROUP()] = upto;
    }
    return GROUP() * WG + upto - keep;
}

/* Where the r-th of the items that so many groups have kept is in their list, or ~0 if there are fewer; *n: how many there are. */
FN uint kept_at(IN_LOCAL uint *before, IN_LOCAL uint *part, GLOBAL const uint *total, uint groups, uint r, uint *n) {
    const uint each = MOST_GROUPS / WG, first = LANE() * each;
    uint sum = 0;
    for (uint j = 0; j < each; j++) {
        sum += first + j < groups ? total[first + j] : 0;
    }
    uint here = scan_group(part, sum) - sum;
    for (uint j = 0; j < each; j++) {
        before[first + j] = here;
        here += first + j < groups ? total[first + j] : 0;
    }
    *n = part[WG - 1];
    BARRIER();
    if (r >= *n) {
        return ~0u;
    }
    uint lo = 0, hi = groups;
    while (hi - lo > 1) {
        const uint mid = lo + (hi - lo) / 2;
        if (before[mid] <= r) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo * WG + r - before[lo];
}

/*
 * A sort of segments, each by itself: segment l has at[2 l + 1] keys from place at[2 l] on, a multiple of TILE. Each pass takes eight bits of
 * the keys: radix_tile sorts each tile and counts its digits, radix_move moves the keys to the places that the counts of all tiles say.
 */
FN uint segment_of(GLOBAL const uint *at, uint segments, uint i) {
    uint l = segments - 1;
    while (l > 0 && at[2 * l] > i) { /* an empty one begins where the next one does, or at the end */
        l--;
    }
    return l;
}

/* The number of keys of a tile; there may be more tiles than those of the segments. */
FN uint tile_of(GLOBAL const uint *at, uint segments, uint tile) {
    const uint l = segment_of(at, segments, tile * TILE), end = at[2 * l] + at[2 * l + 1];
    return end <= tile * TILE ? 0 : end - tile * TILE < TILE ? end - tile * TILE : TILE;
}

/* Sort the first n of a tile by eight bits, four at a time, and write it and the number of keys of each digit. */
FN void sort_tile(IN_LOCAL uint *key, IN_LOCAL uint *value, IN_LOCAL ushort *count, IN_LOCAL uint *part, uint n, uint shift,
                  GLOBAL uint *key1, GLOBAL uint *value1, GLOBAL uint *counts) {
    const uint first = LANE() * PER;
    for (uint round = 0; round < 2; round++) {
        const uint low = shift + 4 * round;
        uint k[PER], v[PER];
        for (uint d = 0; d < 16; d++) {
            count[d * WG + LANE()] = 0;
        }
        for (uint j = 0; j < PER; j++) {
            k[j] = key[first + j];
            v[j] = value[first + j];
            count[(first + j < n ? k[j] >> low & 15 : 15) * WG + LANE()]++; /* what is beyond the end stays there */
        }
        BARRIER();
        uint sum = 0;
        for (uint j = 0; j < 16; j++) {
            sum += count[16 * LANE() + j];
        }
        uint here = scan_group(part, sum) - sum;
        for (uint j = 0; j < 16; j++) {
            const uint x = count[16 * LANE() + j];
            count[16 * LANE() + j] = (ushort)here;
            here += x;
        }
        BARRIER();
        for (uint j = 0; j < PER; j++) {
            const uint to = count[(first + j < n ? k[j] >> low & 15 : 15) * WG + LANE()]++;
            key[to] = k[j];
            value[to] = v[j];
        }
        BARRIER();
    }
    count[LANE()] = 0;      /* where a digit begins */
    count[WG + LANE()] = 0; /* how many keys have it */
    BARRIER();
    for (uint j = 0; j < PER; j++) {
        const uint p = LANE() + WG * j;
        if (p < n) {
            const uint d = key[p] >> shift & 255;
            if (p == 0 || (key[p - 1] >> shift & 255) != d) {
                count[d] = (ushort)p;
            }
        }
    }
    BARRIER();
    for (uint j = 0; j < PER; j++) {
        const uint p = LANE() + WG * j;
        if (p < n) {
            const uint d = key[p] >> shift & 255;
            if (p == n - 1 || (key[p + 1] >> shift & 255) != d) {
                count[WG + d] = (ushort)(p + 1 - count[d]);
            }
            key1[GROUP() * TILE + p] = key[p];
            value1[GROUP() * TILE + p] = value[p];
        }
    }
    BARRIER();
    counts[GROUP() * WG + LANE()] = count[WG + LANE()];
}

/* The keys of all segments, tile by tile in the order of eight bits. at: where the segments are, from place from on. */
KERNEL radix_tile(GLOBAL const uint *key, GLOBAL const uint *value, GLOBAL const uint *at, uint from, uint segments, uint shift,
                  GLOBAL uint *key1, GLOBAL uint *value1, GLOBAL uint *counts) {
    LOCAL uint k[TILE], v[TILE], part[WG];
    LOCAL ushort count[16 * WG];
    const uint n = tile_of(at + from, segments, GROUP());
    for (uint j = 0; j < PER; j++) {
        const uint p = LANE() + WG * j;
        k[p] = p < n ? key[GROUP() * TILE + p] : 0;
        v[p] = p < n ? value[GROUP() * TILE + p] : 0;
    }
    BARRIER();
    sort_tile(k, v, count, part, n, shift, key1, value1, counts);
}

#define BLOCK 64u /* tiles whose counts are added up where there are many */

FN uint tiles_of(GLOBAL const uint *at, uint l) { return (at[2 * l + 1] + TILE - 1) / TILE; }
FN uint blocks_before(GLOBAL const uint *at, uint l) {
    uint n = 0;
    for (uint i = 0; i < l; i++) {
        n += (tiles_of(at, i) + BLOCK - 1) / BLOCK;
    }
    return n;
}

/* sums: the counts of each digit in a block of tiles of one segment. */
KERNEL radix_sum(GLOBAL const uint *counts, GLOBAL const uint *at, uint from, uint segments, GLOBAL uint *sums) {
    at += from;
    uint l = segments - 1;
    while (l > 0 && blocks_before(at, l) > GROUP()) {
        l--;
    }
    const uint first = at[2 * l] / TILE + BLOCK * (GROUP() - blocks_before(at, l)), end = at[2 * l] / TILE + tiles_of(at, l);
    uint sum = 0;
    for (uint t = first; t < end && t < first + BLOCK; t++) {
        sum += counts[t * WG + LANE()];
    }
    sums[GROUP() * WG + LANE()] = sum;
}

/* The keys of tiles that radix_tile has sorted, to where they are in the order of the segment. blocked: sums has those of radix_sum. */
KERNEL radix_move(GLOBAL const uint *key, GLOBAL const uint *value, GLOBAL const uint *at, uint from, uint segments, uint shift,
                  GLOBAL const uint *counts, GLOBAL const uint *sums, uint blocked, GLOBAL uint *key1, GLOBAL uint *value1) {
    LOCAL uint part[WG], to[WG];
    at += from;
    const uint tile = GROUP(), n = tile_of(at, segments, tile), l = segment_of(at, segments, tile * TILE);
    const uint first = at[2 * l] / TILE, end = first + tiles_of(at, l), mine = counts[tile * WG + LANE()];
    uint before = 0, all = 0, low = first; /* of the digit LANE() */
    if (blocked) {
        const uint block = blocks_before(at, l), here = block + (tile - first) / BLOCK, last = block + (end - first + BLOCK - 1) / BLOCK;
        for (uint i = block; i < last; i++) {
            const uint x = sums[i * WG + LANE()];
            all += x;
            before += i < here ? x : 0;
        }
        low = first + BLOCK * (here - block);
        for (uint t = low; t < tile; t++) {
            before += counts[t * WG + LANE()];
        }
    } else {
        for (uint t = first; t < end; t++) {
            const uint x = counts[t * WG + LANE()];
            all += x;
            before += t < tile ? x : 0;
        }
    }
    const uint digits = scan_group(part, all) - all;
    BARRIER();
    const uint begin = scan_group(part, mine) - mine; /* the place of the digit in its tile */
    to[LANE()] = at[2 * l] + digits + before - begin;
    BARRIER();
    for (uint j = 0; j < PER; j++) {
        const uint p = LANE() + WG * j;
        if (p < n) {
            const uint x = key[tile * TILE + p], place = to[x >> shift & 255] + p;
            key1[place] = x;
            value1[place] = value[tile * TILE + p];
        }
    }
}
