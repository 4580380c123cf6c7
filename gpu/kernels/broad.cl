/*
 * broad.cl - the broad phase: boxes of primitives at both ends of the motion, sorted along the first axis and then by the cells of a grid
 * along the others, and a sweep within each cell that first counts and then writes. No atomics: each list has one order, whatever the device,
 * and a pair one position in it. Package simd/pairs is the same in Go, and says what the arguments are.
 *
 * A launch does a step for the layers of all families. plan is what the host has copied at once: the constants of each family, [0] scale, [1] the end of time, [2] the error of a coordinate there, [3] the inflation of all boxes, [4] the center at the first end, three
 * axes of the space, [7] at the last end; [10] the slab; [12] the grid: the origin and the cells per unit along both axes, then the last
 * cells. From table on it has numbers of 32 bits: five of the plan, then those of each layer, then where the items of each layer begin and
 * how many there are, then lists of primitives.
 * axes: the coordinate axes of the space, two bits each, and then that of the slab, 3 for none.
 */
#define K_CENTER 4
#define K_SLAB 10
#define K_GRID 12

/*
 * The numbers of a plan: where mesh has its edges and faces and, plus one, its groups and its static vertices; and plus one, where plan has
 * each.
 */
#define T_FACES 0
#define T_GROUP 1
#define T_STATIC 2
#define T_EACH 3
#define T_EDGES 4
#define T_LAYERS 5
/* The numbers of a layer. */
#define L_WIDTH 0
#define L_IDS 1   /* where the table has the list of its primitives; 0: all of the mesh */
#define L_FAMILY 2 /* where plan has the constants of its family */
#define L_BOX 3   /* its first box */
#define L_START 4 /* its first cell in starts */
#define L_CELLS 5
#define L_ALONG 6
#define L_TARGET 7 /* the layer with which its entries are paired */
#define L_MODE 8
#define L_EXCLUDED 9 /* where plan has the excluded pairs of the family, and how many there are */
#define L_EXCLUDES 10
#define L_WORLD 11 /* the number of its primitives in a copy of the mesh; 0: there are no copies. Each copy has cells of its own. */
#define L_ROWS 12  /* the rows of cells of a copy */
#define L_LIST 13  /* the place of its list where lists are begun at once; ~0: it is not among them */
#define L_NUMBERS 14

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

/* A plan, as kernels are given it. */
#define PLAN GLOBAL const double *rec, GLOBAL const double *plan, uint table_at, uint layers, GLOBAL const int *mesh, uint axes
#define TABLE GLOBAL const uint *const table = (GLOBAL const uint *)(plan + table_at)

FN GLOBAL const uint *layer_at(GLOBAL const uint *table, uint l) { return table + T_LAYERS + L_NUMBERS * l; }
/* Where the items of the layers are. */
FN GLOBAL const uint *items_of(GLOBAL const uint *table, uint layers) { return table + T_LAYERS + L_NUMBERS * layers; }
FN GLOBAL const int *verts_of(GLOBAL const uint *table, GLOBAL const int *mesh, uint width) {
    return mesh + table[width == 3 ? T_FACES : T_EDGES];
}
FN shape shape_of(GLOBAL const double *rec, GLOBAL const double *plan, GLOBAL const uint *table, GLOBAL const int *mesh, uint l, uint axes) {
    GLOBAL const uint *at = layer_at(table, l);
    GLOBAL const double *each = table[T_EACH] ? plan + (table[T_EACH] - 1) : 0;
    const shape s = {rec, each, plan + at[L_FAMILY], verts_of(table, mesh, at[L_WIDTH]), at[L_WIDTH], axes};
    return s;
}

/* Keys in the order of the minima along the first axis, and the primitives, in tiles that are in the order of their lowest eight bits. */
KERNEL broad_keys(PLAN, GLOBAL uint *key, GLOBAL uint *value, GLOBAL uint *counts) {
    LOCAL uint keys[TILE], values[TILE], part[WG];
    LOCAL ushort count[16 * WG];
    TABLE;
    GLOBAL const uint *at = items_of(table, layers);
    const uint l = segment_of(at, layers, GROUP() * TILE), ids = layer_at(table, l)[L_IDS], n = tile_of(at, layers, GROUP());
    const shape s = shape_of(rec, plan, table, mesh, l, axes);
    for (uint j = 0; j < PER; j++) {
        const uint p = LANE() + WG * j, i = GROUP() * TILE + p - at[2 * l];
        uint k = 0, id = 0;
        if (p < n) {
            float e[4];
            id = ids ? table[ids + i] : i;
            ends_of(&s, id, 0, e);
            const float x = least32(e[0], e[1]);
            const uint b = BITS32(x);
            k = x == 0 ? 0x80000000u : b >> 31 ? ~b : b | 0x80000000u;
        }
        keys[p] = k;
        values[p] = id;
    }
    BARRIER();
    sort_tile(keys, values, count, part, n, 0, key, value, counts);
}

/* The box of a primitive. */
FN void make_box(const shape *s, uint id, GLOBAL const int *group, GLOBAL const uchar *fixed, GLOBAL box *out) {
    const uint slab = s->axes >> 6 & 3;
    for (uint axis = 0; axis < 3; axis++) {
        float e[4];
        ends_of(s, id, axis, e);
        for (uint j = 0; j < 4; j++) {
            out->ends[3 * j + axis] = e[j];
        }
    }
    int common = -1;
    uint all = 1;
    double least = 0;
    for (uint j = 0; j < s->width; j++) {
        const int v = vertex_of(s->verts, s->width, id, j);
        if (group) {
            common = j == 0 || group[v] == common ? group[v] : -1;
        }
        all &= fixed ? fixed[v] : 0;
        if (slab < 3) {
            const double x0 = s->rec[8 * (size_t)v + slab], x1 = s->rec[8 * (size_t)v + 4 + slab], x = x0 < x1 ? x0 : x1;
            least = j == 0 || x < least ? x : least;
        }
    }
    out->id = id | all << 31;
    out->group = common;
    out->least = least;
}

/* The cell of x along axis 1 + axis of the space. The map is monotone, because each of its roundings is. */
FN uint cell_of(GLOBAL const double *k, uint axis, float x) {
    const float y = MUL32(x - (float)k[K_GRID + axis], (float)k[K_GRID + 2 + axis]), last = (float)k[K_GRID + 4 + axis];
    return !(y > 0) ? 0 : y > last ? (uint)last : (uint)y;
}

/*
 * The boxes of the primitives of a list, unless they are made already, and in how many cells each is: before[i] is the sum of those of the
 * boxes before i of its group, sums from place layers on the sums of the groups.
 */
KERNEL broad_boxes(PLAN, GLOBAL const uint *value, uint made, GLOBAL box *boxes, GLOBAL ulong *before, GLOBAL ulong *sums) {
    LOCAL ulong part[WG];
    TABLE;
    GLOBAL const uint *at = items_of(table, layers);
    const uint item = ITEM(), l = segment_of(at, layers, item), i = item - at[2 * l];
    ulong cells = 0;
    if (i < at[2 * l + 1]) {
        GLOBAL box *b = boxes + layer_at(table, l)[L_BOX] + i;
        const shape s = shape_of(rec, plan, table, mesh, l, axes);
        if (!made) {
            make_box(&s, value[item], table[T_GROUP] ? mesh + (table[T_GROUP] - 1) : 0,
                     table[T_STATIC] ? (GLOBAL const uchar *)(mesh + (table[T_STATIC] - 1)) : 0, b);
        }
        cells = (ulong)(cell_of(s.k, 0, largest_of(b, 1)) - cell_of(s.k, 0, least_of(b, 1)) + 1) *
                (cell_of(s.k, 1, largest_of(b, 2)) - cell_of(s.k, 1, least_of(b, 2)) + 1);
    }
    const ulong upto = scan_wide(part, cells);
    before[item] = upto - cells;
    if (LANE() == WG - 1) {
        sums[layers + GROUP()] = upto;
    }
}

/*
 * One group: the sums of groups, from place layers on, become those of the groups before them in their layer; those of whole layers come
 * first, and if totals is not null there too. at: where the items of a layer are, from place from on; entries, if not null: where so many
 * items of each layer are, in tiles; if these are more than most items, as if there were none.
 */
KERNEL broad_sums(GLOBAL const uint *at, uint from, uint layers, GLOBAL ulong *sums, GLOBAL uint *entries, uint most, GLOBAL ulong *totals,
                  uint place) {
    LOCAL ulong part[WG];
    ulong next = 0;
    at += from;
    for (uint l = 0; l < layers; l++) {
        const uint groups = (at[2 * l + 1] + WG - 1) / WG;
        GLOBAL ulong *of = sums + layers + at[2 * l] / WG;
        ulong sum = 0;
        for (uint g = 0; g < groups; g += WG) {
            const ulong x = g + LANE() < groups ? of[g + LANE()] : 0, upto = scan_wide(part, x);
            if (g + LANE() < groups) {
                of[g + LANE()] = sum + upto - x;
            }
            sum += part[WG - 1];
            BARRIER();
        }
        if (LANE() == 0) {
            sums[l] = sum;
            if (totals) {
                totals[place + l] = sum;
            }
            if (entries) {
                entries[2 * l] = (uint)next;
                entries[2 * l + 1] = (uint)sum;
            }
        }
        next += (sum + TILE - 1) / TILE * TILE;
    }
    if (entries && next > most && LANE() == 0) {
        for (uint l = 0; l < layers; l++) {
            entries[2 * l] = 0;
            entries[2 * l + 1] = 0;
        }
    }
}

/* The first row of cells of the copy that a primitive is in: the copies follow each other along the second axis. */
FN uint row_of(uint id, uint world, uint rows) { return world ? id / world * rows : 0; }

/* An entry for each cell of each box: the cell and the box. */
KERNEL broad_entries(PLAN, GLOBAL const box *boxes, GLOBAL const ulong *before, GLOBAL const ulong *sums, GLOBAL const uint *entries,
                     GLOBAL uint *cell, GLOBAL uint *of) {
    TABLE;
    GLOBAL const uint *at = items_of(table, layers);
    const uint item = ITEM(), l = segment_of(at, layers, item), i = item - at[2 * l], along = layer_at(table, l)[L_ALONG];
    if (i >= at[2 * l + 1] || entries[2 * l + 1] == 0) {
        return;
    }
    GLOBAL const double *k = plan + layer_at(table, l)[L_FAMILY];
    GLOBAL const box *b = boxes + layer_at(table, l)[L_BOX] + i;
    const uint row = row_of(b->id & ~STATIC, layer_at(table, l)[L_WORLD], layer_at(table, l)[L_ROWS]);
    const uint z0 = cell_of(k, 1, least_of(b, 2)), z1 = cell_of(k, 1, largest_of(b, 2)), y1 = cell_of(k, 0, largest_of(b, 1));
    uint j = entries[2 * l] + (uint)(before[item] + sums[layers + GROUP()]);
    for (uint y = cell_of(k, 0, least_of(b, 1)); y <= y1; y++) {
        for (uint z = z0; z <= z1; z++, j++) {
            cell[j] = (row + y) * along + z;
            of[j] = i;
        }
    }
}

/* starts: of cell c of a layer, and of the end, the first of its entries, in the order of their cells, whose cell is c or more. */
KERNEL broad_starts(GLOBAL const double *plan, uint table_at, uint layers, GLOBAL const uint *cell, GLOBAL const uint *entries, uint n,
                    GLOBAL uint *starts) {
    TABLE;
    const uint i = ITEM();
    if (i >= n) {
        return;
    }
    uint l = layers - 1;
    while (l > 0 && layer_at(table, l)[L_START] > i) {
        l--;
    }
    const uint c = i - layer_at(table, l)[L_START];
    uint lo = 0, hi = entries[2 * l + 1];
    cell += entries[2 * l];
    while (lo < hi) {
        const uint mid = lo + (hi - lo) / 2;
        if (cell[mid] < c) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    starts[i] = lo;
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
    uint excludes, along, mode, axes, world, rows;
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
        const uint home = axis ? c % u->along : c / u->along - row_of(x->id & ~STATIC, u->world, u->rows);
        if (cell_of(u->k, axis, v < w ? w : v) != home) {
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

/* The four vertices of a pair of a vertex and a face, or of edges, which the queries of ITSELF are. */
FN void vertices_of(uint mode, const layer *q, uint a, uint b, GLOBAL const int *faces, GLOBAL int *idx) {
    if (mode == ITSELF) {
        idx[0] = q->verts[2 * (size_t)a];
        idx[1] = q->verts[2 * (size_t)a + 1];
        idx[2] = q->verts[2 * (size_t)b];
        idx[3] = q->verts[2 * (size_t)b + 1];
        return;
    }
    idx[0] = (int)a;
    for (uint j = 0; j < 3; j++) {
        idx[1 + j] = faces[3 * (size_t)b + j];
    }
}

/*
 * The sweep of query i, which is an entry of q: its pairs have the positions from position on, and those from from to to - 1 are written to
 * pairs if it is not null, and their vertices to idx if that is not null. Returns the position after the last pair, or to.
 */
FN ulong sweep(const rules *u, const layer *q, const layer *t, uint i, ulong position, ulong from, ulong to,
               GLOBAL uint *pairs, GLOBAL int *idx, GLOBAL const int *faces) {
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
            const ulong at = position - from;
            pairs[2 * at] = a;
            pairs[2 * at + 1] = b;
            if (idx) {
                vertices_of(u->mode & 3, q, a, b, faces, idx + 4 * at);
            }
        }
        position++;
    }
    return position;
}

/* What a sweep reads. */
#define SWEEP                                                                                                              \
    PLAN, GLOBAL const box *boxes, GLOBAL const uint *ents, GLOBAL const uint *cells, GLOBAL const uint *starts,           \
        GLOBAL const uint *entries

FN layer layer_of(GLOBAL const uint *table, GLOBAL const int *mesh, uint l, GLOBAL const box *boxes, GLOBAL const uint *ents,
                  GLOBAL const uint *cells, GLOBAL const uint *starts, GLOBAL const uint *entries) {
    GLOBAL const uint *at = layer_at(table, l);
    const layer r = {boxes + at[L_BOX], ents + entries[2 * l], cells + entries[2 * l], starts + at[L_START],
                     verts_of(table, mesh, at[L_WIDTH]), at[L_WIDTH]};
    return r;
}
FN rules rules_of(GLOBAL const double *rec, GLOBAL const double *plan, GLOBAL const uint *table, uint l, uint axes) {
    GLOBAL const uint *at = layer_at(table, l);
    GLOBAL const double *each = table[T_EACH] ? plan + (table[T_EACH] - 1) : 0;
    const rules u = {rec, each, plan + at[L_FAMILY], (GLOBAL const ulong *)(plan + at[L_EXCLUDED]), at[L_EXCLUDES], at[L_ALONG],
                     at[L_MODE], axes, at[L_WORLD], at[L_ROWS]};
    return u;
}

/* The number of pairs of each entry, which is a query of the list of its layer: before and sums as broad_boxes writes them. */
KERNEL sweep_count(SWEEP, GLOBAL ulong *before, GLOBAL ulong *sums) {
    LOCAL ulong part[WG];
    TABLE;
    const uint item = ITEM(), l = segment_of(entries, layers, item), i = item - entries[2 * l];
    ulong n = 0;
    if (i < entries[2 * l + 1]) {
        const rules u = rules_of(rec, plan, table, l, axes);
        const layer q = layer_of(table, mesh, l, boxes, ents, cells, starts, entries),
                    t = layer_of(table, mesh, layer_at(table, l)[L_TARGET], boxes, ents, cells, starts, entries);
        n = sweep(&u, &q, &t, i, 0, 0, ~(ulong)0, 0, 0, 0);
    }
    const ulong upto = scan_wide(part, n);
    before[item] = upto - n;
    if (LANE() == WG - 1) {
        sums[layers + GROUP()] = upto;
    }
}

/*
 * The pairs of list l of the positions from from to to - 1, whose low and high 32 bits are given, by queries from first on; and if idx is
 * not null their vertices. With each > 0 the first so many pairs of all lists that have a place, at each * place; many: how many these are.
 */
KERNEL sweep_write(SWEEP, GLOBAL const ulong *before, GLOBAL const ulong *sums, uint l, uint from0, uint from1, uint to0, uint to1,
                   uint first, uint each, GLOBAL uint *many, GLOBAL uint *pairs, GLOBAL int *idx) {
    TABLE;
    ulong from = (ulong)from1 << 32 | from0, to = (ulong)to1 << 32 | to0;
    uint i = ITEM() + first;
    if (each) {
        if (ITEM() == 0) {
            for (l = 0; l < layers; l++) {
                const uint place = layer_at(table, l)[L_LIST];
                if (place != ~0u) {
                    many[place] = sums[l] < each ? (uint)sums[l] : each;
                }
            }
        }
        l = segment_of(entries, layers, ITEM());
        const uint place = layer_at(table, l)[L_LIST];
        if (place == ~0u) {
            return;
        }
        i = ITEM() - entries[2 * l];
        from = 0;
        to = each;
        pairs += 2 * (size_t)each * place;
        idx += 4 * (size_t)each * place;
    }
    const uint item = entries[2 * l] + i, n = entries[2 * l + 1];
    if (i < n) {
        const ulong position = before[item] + sums[layers + item / WG];
        const ulong next = i + 1 < n ? before[item + 1] + sums[layers + (item + 1) / WG] : ~(ulong)0;
        if (position < to && next > from && next > position) {
            const rules u = rules_of(rec, plan, table, l, axes);
            const layer q = layer_of(table, mesh, l, boxes, ents, cells, starts, entries),
                        t = layer_of(table, mesh, layer_at(table, l)[L_TARGET], boxes, ents, cells, starts, entries);
            sweep(&u, &q, &t, i, position, from, to, pairs, idx, mesh + table[T_FACES]);
        }
    }
}
