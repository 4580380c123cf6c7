/*
 * broad.cl - the broad phase: boxes of primitives at both ends of the motion, sorted along the first axis and then by the cells of a grid
 * along the others, and a sweep within each cell that first counts and then writes. No atomics: each list has one order, whatever the device,
 * and a pair one position in it. Package simd/pairs is the same in Go, and says what the arguments are.
 *
 * k, the constants of a plan: [0] scale, [1] the end of time, [2] the error of a coordinate there, [3] the inflation of all boxes, [4] the
 * center at the first end, three axes of the space, [7] at the last end; [10] the slab; [12] the grid: the origin and the cells per unit along
 * both axes, then the last cells.
 * axes: the coordinate axes of the space, two bits each, and then that of the slab, 3 for none.
 */
#define K_CENTER 4
#define K_SLAB 10
#define K_GRID 12

/* pairs.Box: the least at both ends and minus the largest at both ends, three floats each. */
typedef struct {
    float ends[12];
    uint id;
    int group;
    double least;
} box;
#define STATIC 0x80000000u

/* The vertices of a mesh and of one of its sets. each: the inflation of the primitives at a vertex; null: k[3]. */
typedef struct {
    GLOBAL const double *rec, *each, *k;
    GLOBAL const int *verts;
    uint width, axes;
} shape;

FN int vertex_of(GLOBAL const int *verts, uint width, uint id, uint i) {
    return width == 1 ? (int)id : verts[(size_t)width * id + i];
}

FN double inflation_of(const shape *s, uint id) {
    if (!s->each) {
        return s->k[3];
    }
    double most = 0;
    for (uint i = 0; i < s->width; i++) {
        const double r = s->each[vertex_of(s->verts, s->width, id, i)];
        most = r > most ? r : most;
    }
    return most;
}

/* Along an axis of the space: the least at both ends, and minus the largest. */
FN void ends_of(const shape *s, uint id, uint axis, float e[4]) {
    GLOBAL const double *k = s->k;
    const uint a = s->axes >> 2 * axis & 3;
    const float grow = (float)(MUL64(MUL64(k[0], inflation_of(s, id) + k[2]) + 0x1p-120, 1 + 0x1p-20));
    for (int j = 0; j < 4; j++) {
        e[j] = 0x1.fffffep127f;
    }
    for (uint i = 0; i < s->width; i++) {
        GLOBAL const double *r = s->rec + 8 * (size_t)vertex_of(s->verts, s->width, id, i);
        for (int end = 0; end < 2; end++) {
            double x = r[4 * end + a];
            if (end && k[1] < 1) {
                x = FMA64(k[1], x - r[a], r[a]);
            }
            const float z = (float)(MUL64(x - k[K_CENTER + 3 * end + axis], k[0]));
            const float more = MUL32(z < 0 ? -z : z, 0x1p-22f) + grow;
            const float lo = z - more, minus = -z - more;
            e[end] = lo < e[end] ? lo : e[end];
            e[2 + end] = minus < e[2 + end] ? minus : e[2 + end];
        }
    }
}

FN float least32(float a, float b) { return a < b ? a : b; }
FN float least_of(GLOBAL const box *b, uint axis) { return least32(b->ends[axis], b->ends[3 + axis]); }
FN float largest_of(GLOBAL const box *b, uint axis) { return -least32(b->ends[6 + axis], b->ends[9 + axis]); }

/* A key in the order of the minima along the first axis, and the primitive: of the i-th of a set, which ids lists where it is not null. */
KERNEL broad_keys(GLOBAL const double *rec, GLOBAL const double *each, GLOBAL const double *k, GLOBAL const int *verts,
                  uint width, uint axes, GLOBAL const int *ids, uint n, GLOBAL uint *key, GLOBAL uint *value) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const shape s = {rec, each, k, verts, width, axes};
    const uint id = ids ? (uint)ids[i] : i;
    float e[4];
    ends_of(&s, id, 0, e);
    const float x = least32(e[0], e[1]);
    const uint b = BITS32(x);
    key[i] = x == 0 ? 0x80000000u : b >> 31 ? ~b : b | 0x80000000u;
    value[i] = id;
}

/* The boxes of the primitives of a list. */
KERNEL broad_boxes(GLOBAL const double *rec, GLOBAL const double *each, GLOBAL const double *k, GLOBAL const int *verts,
                   uint width, uint axes, GLOBAL const uint *list, uint n, GLOBAL const int *group,
                   GLOBAL const uchar *fixed, GLOBAL box *out) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const shape s = {rec, each, k, verts, width, axes};
    const uint id = list[i], slab = axes >> 6 & 3;
    for (uint axis = 0; axis < 3; axis++) {
        float e[4];
        ends_of(&s, id, axis, e);
        for (uint j = 0; j < 4; j++) {
            out[i].ends[3 * j + axis] = e[j];
        }
    }
    int common = -1;
    uint all = 1;
    double least = 0;
    for (uint j = 0; j < width; j++) {
        const int v = vertex_of(verts, width, id, j);
        if (group) {
            common = j == 0 || group[v] == common ? group[v] : -1;
        }
        all &= fixed ? fixed[v] : 0;
        if (slab < 3) {
            const double x0 = rec[8 * (size_t)v + slab], x1 = rec[8 * (size_t)v + 4 + slab], x = x0 < x1 ? x0 : x1;
            least = j == 0 || x < least ? x : least;
        }
    }
    out[i].id = id | all << 31;
    out[i].group = common;
    out[i].least = least;
}

/* The cell of x along axis 1 + axis of the space. The map is monotone, because each of its roundings is. */
FN uint cell_of(GLOBAL const double *k, uint axis, float x) {
    const float y = MUL32(x - (float)k[K_GRID + axis], (float)k[K_GRID + 2 + axis]), last = (float)k[K_GRID + 4 + axis];
    return !(y > 0) ? 0 : y > last ? (uint)last : (uint)y;
}

/* The numbers of cells of boxes. */
KERNEL broad_cells(GLOBAL const box *b, uint n, GLOBAL const double *k, GLOBAL uint *count) {
    const uint i = ITEM();
    if (i < n) {
        count[i] = (cell_of(k, 0, largest_of(b + i, 1)) - cell_of(k, 0, least_of(b + i, 1)) + 1) *
                   (cell_of(k, 1, largest_of(b + i, 2)) - cell_of(k, 1, least_of(b + i, 2)) + 1);
    }
}

/* An entry for each cell of each box: the cell and the box. at and before: as scan_wide writes them. */
KERNEL broad_entries(GLOBAL const box *b, uint n, GLOBAL const double *k, GLOBAL const ulong *at,
                     GLOBAL const ulong *before, uint along, GLOBAL uint *cell, GLOBAL uint *of) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const uint z0 = cell_of(k, 1, least_of(b + i, 2)), z1 = cell_of(k, 1, largest_of(b + i, 2)),
               y1 = cell_of(k, 0, largest_of(b + i, 1));
    uint j = (uint)(at[i] + before[i / TILE]);
    for (uint y = cell_of(k, 0, least_of(b + i, 1)); y <= y1; y++) {
        for (uint z = z0; z <= z1; z++, j++) {
            cell[j] = y * along + z;
            of[j] = i;
        }
    }
}

/* start[c]: the first of n entries, in the order of their cells, whose cell is c or more. */
KERNEL broad_starts(GLOBAL const uint *cell, uint n, uint cells, GLOBAL uint *start) {
    const uint c = ITEM();
    if (c > cells) {
        return;
    }
    uint lo = 0, hi = n;
    while (lo < hi) {
        const uint mid = lo + (hi - lo) / 2;
        if (cell[mid] < c) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    start[c] = lo;
}

/* at[i] = the sum of x[0] ... x[i-1] within the tile of i; total[g]: of the whole tile g. Sums are of 64 bits. */
KERNEL scan_wide(GLOBAL const uint *x, uint n, GLOBAL ulong *at, GLOBAL ulong *total) {
    LOCAL ulong part[WG];
    const uint first = GROUP() * TILE + LANE() * PER;
    ulong before[PER], sum = 0;
    for (uint j = 0; j < PER; j++) {
        before[j] = sum;
        sum += first + j < n ? x[first + j] : 0;
    }
    part[LANE()] = sum;
    BARRIER();
    for (uint d = 1; d < WG; d *= 2) {
        const ulong left = LANE() >= d ? part[LANE() - d] : 0;
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

/* A stable sort by four bits of the keys: how many keys of a tile have each value of the bits, value by value, and after prefix sums the move. */
KERNEL radix_count(GLOBAL const uint *key, uint n, uint shift, uint tiles, GLOBAL uint *count) {
    LOCAL uint mine[16 * WG];
    const uint first = GROUP() * TILE + LANE() * PER;
    for (uint d = 0; d < 16; d++) {
        mine[d * WG + LANE()] = 0;
    }
    for (uint j = 0; j < PER; j++) {
        if (first + j < n) {
            mine[(key[first + j] >> shift & 15) * WG + LANE()]++;
        }
    }
    BARRIER();
    if (LANE() < 16) {
        uint sum = 0;
        for (uint j = 0; j < WG; j++) {
            sum += mine[LANE() * WG + j];
        }
        count[LANE() * tiles + GROUP()] = sum;
    }
}

KERNEL radix_move(GLOBAL const uint *key, GLOBAL const uint *value, uint n, uint shift, uint tiles, GLOBAL const uint *at,
                  GLOBAL uint *key1, GLOBAL uint *value1) {
    LOCAL uint next[16 * WG];
    const uint first = GROUP() * TILE + LANE() * PER;
    for (uint d = 0; d < 16; d++) {
        next[d * WG + LANE()] = 0;
    }
    for (uint j = 0; j < PER; j++) {
        if (first + j < n) {
            next[(key[first + j] >> shift & 15) * WG + LANE()]++;
        }
    }
    BARRIER();
    if (LANE() < 16) {
        uint sum = at[LANE() * tiles + GROUP()];
        for (uint j = 0; j < WG; j++) {
            const uint here = next[LANE() * WG + j];
            next[LANE() * WG + j] = sum;
            sum += here;
        }
    }
    BARRIER();
    for (uint j = 0; j < PER; j++) {
        if (first + j < n) {
            const uint x = key[first + j], to = next[(x >> shift & 15) * WG + LANE()]++;
            key1[to] = x;
            value1[to] = value[first + j];
        }
    }
}

/* The entries of a layer: entry i is box of[i] in cell[i]. */
typedef struct {
    GLOBAL const box *boxes;
    GLOBAL const uint *of, *cell, *start;
    GLOBAL const int *verts;
    uint width;
} layer;

/* What decides whether a query and a target are a pair. */
typedef struct {
    GLOBAL const double *rec, *each, *k;
    GLOBAL const ulong *excluded;
    uint excludes, along, mode, axes;
} rules;
/* The modes, as in simd/pairs. EXACT is added where boxes of doubles are compared too. */
#define ITSELF 0u
#define SECOND 1u
#define EXACT 4u

/* The least double not below a + b. */
FN double add_up(double a, double b) {
    const double s = a + b, c = s - a, e = (a - (s - c)) + (b - c);
    if (!(e > 0)) {
        return s;
    }
    return s == 0 ? CCDK_FLOAT(1) : s > 0 ? CCDK_FLOAT(CCDK_BITS(s) + 1) : CCDK_FLOAT(CCDK_BITS(s) - 1);
}

/* The bounds of a primitive along a coordinate axis over the whole step, inflated by r. */
FN void bounds_of(const shape *s, uint id, uint axis, double r, double *lo, double *hi) {
    for (uint i = 0; i < s->width; i++) {
        GLOBAL const double *v = s->rec + 8 * (size_t)vertex_of(s->verts, s->width, id, i);
        const double a = v[axis] < v[4 + axis] ? v[axis] : v[4 + axis], b = v[axis] < v[4 + axis] ? v[4 + axis] : v[axis];
        *lo = i == 0 || a < *lo ? a : *lo;
        *hi = i == 0 || b > *hi ? b : *hi;
    }
    if (r != 0) {
        *lo = -add_up(-*lo, r);
        *hi = add_up(*hi, r);
    }
}

FN int overlap(const shape *p, uint a, const shape *q, uint b) {
    const double r = inflation_of(p, a), s = inflation_of(q, b);
    for (uint axis = 0; axis < 3; axis++) {
        double lo = 0, hi = 0, from = 0, to = 0;
        bounds_of(p, a, axis, r, &lo, &hi);
        bounds_of(q, b, axis, s, &from, &to);
        if (lo > to || from > hi) {
            return 0;
        }
    }
    return 1;
}

FN int is_excluded(const rules *u, uint a, uint b) {
    const ulong pair = (ulong)a << 32 | b;
    uint lo = 0, hi = u->excludes;
    while (lo < hi) {
        const uint mid = lo + (hi - lo) / 2;
        if (u->excluded[mid] < pair) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < u->excludes && u->excluded[lo] == pair;
}

/* Whether one box lies above the other at both ends along some axis; with whole, over the whole motion. */
FN int apart_of(GLOBAL const box *x, GLOBAL const box *y, uint whole) {
    for (uint k = 0; k < 3; k++) {
        if (whole) {
            if (least_of(y, k) > largest_of(x, k) || least_of(x, k) > largest_of(y, k)) {
                return 1;
            }
            continue;
        }
        if ((y->ends[k] > -x->ends[6 + k] && y->ends[3 + k] > -x->ends[9 + k]) ||
            (x->ends[k] > -y->ends[6 + k] && x->ends[3 + k] > -y->ends[9 + k])) {
            return 1;
        }
    }
    return 0;
}

/* Whether a query and a target in cell c are a pair, which is a, b in the order of the family. */
FN int is_pair(const rules *u, const layer *q, const layer *t, GLOBAL const box *x, GLOBAL const box *y, uint c, uint *a,
               uint *b) {
    if (apart_of(x, y, u->mode & EXACT)) {
        return 0;
    }
    for (uint axis = 0; axis < 2; axis++) {
        const float v = least_of(x, 1 + axis), w = least_of(y, 1 + axis);
        if (cell_of(u->k, axis, v < w ? w : v) != (axis ? c % u->along : c / u->along)) {
            return 0;
        }
    }
    if ((x->group >= 0 && x->group == y->group) || x->id & y->id & STATIC) {
        return 0;
    }
    if ((u->axes >> 6 & 3) < 3) {
        const double larger = x->least < y->least ? y->least : x->least;
        if (larger < u->k[K_SLAB] || larger >= u->k[K_SLAB + 1]) {
            return 0;
        }
    }
    const uint i = x->id & ~STATIC, j = y->id & ~STATIC;
    for (uint v = 0; v < q->width; v++) {
        for (uint w = 0; w < t->width; w++) {
            if (vertex_of(q->verts, q->width, i, v) == vertex_of(t->verts, t->width, j, w)) {
                return 0;
            }
        }
    }
    const uint mode = u->mode & 3, swap = mode == SECOND || (mode == ITSELF && i > j);
    *a = swap ? j : i;
    *b = swap ? i : j;
    if (u->excludes && is_excluded(u, *a, *b)) {
        return 0;
    }
    if (!(u->mode & EXACT)) {
        return 1;
    }
    const shape first = {u->rec, u->each, u->k, q->verts, q->width, u->axes},
                second = {u->rec, u->each, u->k, t->verts, t->width, u->axes};
    return overlap(&first, i, &second, j);
}

/*
 * The sweep of query i, which is an entry of q: its pairs have the positions from position on, and those from from to to - 1 are written to
 * pairs if it is not null. Returns the position after the last pair, or to.
 */
FN ulong sweep(const rules *u, const layer *q, const layer *t, uint i, ulong position, ulong from, ulong to,
               GLOBAL uint *pairs) {
    const uint c = q->cell[i], end = t->start[c + 1], mode = u->mode & 3;
    GLOBAL const box *x = q->boxes + q->of[i];
    const float begin = least_of(x, 0), last = largest_of(x, 0);
    uint j = i + 1;
    if (mode != ITSELF) {
        uint hi = end;
        j = t->start[c];
        while (j < hi) {
            const uint mid = j + (hi - j) / 2;
            const float y = least_of(t->boxes + t->of[mid], 0);
            if (y > begin || (mode == SECOND && y == begin)) {
                hi = mid;
            } else {
                j = mid + 1;
            }
        }
    }
    for (; j < end && position < to; j++) {
        GLOBAL const box *y = t->boxes + t->of[j];
        if (least_of(y, 0) > last) {
            break;
        }
        uint a, b;
        if (!is_pair(u, q, t, x, y, c, &a, &b)) {
            continue;
        }
        if (pairs && position >= from) {
            pairs[2 * (position - from)] = a;
            pairs[2 * (position - from) + 1] = b;
        }
        position++;
    }
    return position;
}

#define SWEEP_ARGUMENTS                                                                                                    \
    GLOBAL const double *rec, GLOBAL const double *each, GLOBAL const double *k, GLOBAL const ulong *excluded,             \
        uint excludes, uint along, uint mode, uint axes, GLOBAL const box *qboxes, GLOBAL const uint *qof,                 \
        GLOBAL const uint *qcell, GLOBAL const int *qverts, uint qwidth, GLOBAL const box *tboxes, GLOBAL const uint *tof, \
        GLOBAL const uint *tstart, GLOBAL const int *tverts, uint twidth, uint n
#define SWEEP_RULES const rules u = {rec, each, k, excluded, excludes, along, mode, axes}
#define SWEEP_LAYERS const layer q = {qboxes, qof, qcell, 0, qverts, qwidth}, t = {tboxes, tof, 0, tstart, tverts, twidth}

/* The number of pairs of each of n queries. */
KERNEL sweep_count(SWEEP_ARGUMENTS, GLOBAL uint *count) {
    const uint i = ITEM();
    if (i < n) {
        SWEEP_RULES;
        SWEEP_LAYERS;
        count[i] = (uint)sweep(&u, &q, &t, i, 0, 0, ~(ulong)0, 0);
    }
}

/* The pairs of the positions from window[0] to window[1] - 1, by queries from window[2] on. */
KERNEL sweep_write(SWEEP_ARGUMENTS, GLOBAL const ulong *at, GLOBAL const ulong *before, GLOBAL const ulong *window,
                   GLOBAL uint *pairs) {
    const uint i = ITEM() + (uint)window[2];
    if (i < n) {
        const ulong position = at[i] + before[i / TILE], next = i + 1 < n ? at[i + 1] + before[(i + 1) / TILE] : ~(ulong)0;
        if (position < window[1] && next > window[0] && next > position) {
            SWEEP_RULES;
            SWEEP_LAYERS;
            sweep(&u, &q, &t, i, position, window[0], window[1], pairs);
        }
    }
}

/* The four vertices of pairs of vertices and faces, or of edges. */
KERNEL pair_vertices(GLOBAL const uint *pairs, uint n, uint face, GLOBAL const int *edges, GLOBAL const int *faces,
                     GLOBAL int *idx) {
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    const size_t a = pairs[2 * (size_t)i], b = pairs[2 * (size_t)i + 1], to = 4 * (size_t)i;
    idx[to] = face ? (int)a : edges[2 * a];
    idx[to + 1] = face ? faces[3 * b] : edges[2 * a + 1];
    idx[to + 2] = face ? faces[3 * b + 1] : edges[2 * b];
    idx[to + 3] = face ? faces[3 * b + 2] : edges[2 * b + 1];
}

/* The pairs at the positions of a list. */
KERNEL pairs_at(GLOBAL const uint *pairs, GLOBAL const int *list, uint n, GLOBAL uint *out) {
    const uint i = ITEM();
    if (i < n) {
        out[2 * (size_t)i] = pairs[2 * (size_t)list[i]];
        out[2 * (size_t)i + 1] = pairs[2 * (size_t)list[i] + 1];
    }
}
