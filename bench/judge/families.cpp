#include "families.h"

#include <algorithm>
#include <cmath>

#include "parts.h"

namespace judge {

namespace {

void at_random(Random &r, Query &q) {
    any_kind(r, q);
    fill(r, q, 1);
    q.d = some_d(r, 1);
}

void aimed(Random &r, Query &q) {
    at_random(r, q);
    aim(r, q, q.d);
}

void short_time(Random &r, Query &q) {
    aimed(r, q);
    const int k = r.whole(0, 4);
    q.t_max = k == 0 ? 0 : k == 1 ? std::ldexp(1.0, -r.whole(1, 60)) : k == 2 ? r.power(-300, -1) : r.unit();
}

void small_moves(Random &r, Query &q) { // near and moving little, as in a scene
    aimed(r, q);
    const double k = r.power(-6, -1);
    const int n = 3 * points(q.kind);
    for (int i = 0; i < n; i++) {
        q.q[i] = q.q[n + i] + k * (q.q[i] - q.q[n + i]);
    }
    q.d = r.chance(0.5) ? double(distance(q, r.unit())) : q.d;
}

void near_parallel(Random &r, Query &q) {
    surface_kind(r, q);
    fill(r, q, 1);
    const double tilt = std::ldexp(1.0, -r.whole(2, 60));
    const bool moving = r.chance(0.3);
    double noise[3];
    for (int end = 0; end < 2; end++) {
        const double k = r.real(0.3, 2);
        for (int x = 0; x < 3; x++) {
            noise[x] = end == 0 || moving ? tilt * r.real(-1, 1) : noise[x];
            const int a = q.kind == CCD_EDGE_EDGE ? 0 : 1, b = q.kind == CCD_EDGE_EDGE ? 2 : 1;
            at(q, end, b + (q.kind == CCD_EDGE_EDGE ? 1 : 2))[x] =
                at(q, end, b)[x] + k * (at(q, end, a + 1)[x] - at(q, end, a)[x]) + noise[x];
        }
    }
    q.d = some_d(r, 1);
    aim(r, q, q.d);
}

void parallel(Random &r, Query &q) { // exactly, at all times; small integers
    q.kind = CCD_EDGE_EDGE;
    const double unit = std::ldexp(1.0, r.whole(-8, 2));
    const int along[3] = {r.whole(-4, 4), r.whole(-4, 4), r.whole(1, 4)};
    const int la = r.whole(1, 4), lb = r.whole(-4, 4), s = r.whole(-4, 4), turn = r.chance(0.5);
    for (int x = 0; x < 3; x++) {
        const int off = r.whole(-9, 9), move = r.whole(-12, 12), drift = turn * r.whole(-2, 2);
        at(q, 0, 2)[x] = 0, at(q, 1, 2)[x] = unit * drift;
        at(q, 0, 3)[x] = unit * lb * along[x], at(q, 1, 3)[x] = unit * (lb * along[x] + drift);
        at(q, 0, 0)[x] = unit * (s * along[x] + off), at(q, 1, 0)[x] = unit * (s * along[x] + off + move);
        at(q, 0, 1)[x] = unit * ((s + la) * along[x] + off), at(q, 1, 1)[x] = unit * ((s + la) * along[x] + off + move);
    }
    q.d = r.chance(0.5) ? unit * r.whole(1, 5) : unit * r.real(0.2, 5);
}

void coplanar(Random &r, Query &q) {
    surface_kind(r, q);
    r.chance(0.5) ? fill(r, q, 1) : fill_whole(r, q, 8, 0.125);
    q.d = r.chance(0.5) ? some_d(r, 1) : std::ldexp(1.0, -r.whole(2, 6));
    if (r.chance(0.5)) {
        aim(r, q, q.d);
    }
    const int axis = r.whole(0, 2), where = r.whole(0, 2);
    for (int i = 0; i < points(q.kind); i++) {
        if (where != 0) {
            at(q, 0, i)[axis] = of_a(q, i) ? q.d * r.whole(0, 2) : 0;
        }
        if (where != 1) {
            at(q, 1, i)[axis] = of_a(q, i) && r.chance(0.3) ? q.d : 0;
        }
    }
}

void grazing(Random &r, Query &q) {
    any_kind(r, q);
    fill(r, q, 1);
    aim(r, q, 0.3);
    const double least = double(least_distance(q));
    const int k = r.whole(0, 3);
    q.d = k == 0 ? ulps(least, r.whole(-3, 3)) : least * (1 + (r.chance(0.5) ? 1 : -1) * r.power(-17, -6));
    q.d = q.d > 0 ? q.d : 1e-3;
}

void grazing_exactly(Random &r, Query &q) { // least distance d exactly, at a rational time
    any_kind(r, q);
    const Pythagorean p = pythagorean(r);
    const int some[3] = {r.whole(-5, 5), r.whole(-5, 5), r.whole(-5, 5)};
    int w[3], from[3], to[3];
    cross(p.x, some, w);
    const int before = r.whole(0, 4), after = r.whole(1, 7);
    for (int k = 0; k < 3; k++) {
        from[k] = p.x[k] - before * w[k];
        to[k] = p.x[k] + after * w[k];
    }
    around(r, q, p.x, from, to, r.whole(0, 2));
    q.d = p.length;
    const int n = r.whole(-2, 2), which = r.whole(0, 3 * points(q.kind) - 1);
    if (r.chance(0.3)) {
        q.d = ulps(q.d, n);
    } else if (r.chance(0.3)) {
        q.q[which] = q.q[which] != 0 || r.chance(0.01) ? ulps(q.q[which], n) : n * r.power(-30, -10);
    }
    scale_all(q, std::ldexp(1.0, r.whole(-12, 12)));
}

void dyadic(Random &r, Query &q) {
    any_kind(r, q);
    fill_whole(r, q, r.whole(2, 10), 1);
    static const double list[] = {0.25, 0.5, 1, 1.25, 2, 3, 5, 1.5, 0.75};
    q.d = list[r.whole(0, 8)];
    scale_all(q, std::ldexp(1.0, r.whole(-10, 10)));
}

void head_on(Random &r, Query &q) { // contact at a double: F = p + (t - s) (-p k), s dyadic
    any_kind(r, q);
    const Pythagorean p = pythagorean(r);
    int from[3], to[3];
    const int before = r.whole(0, 8),
              after = r.chance(0.5) ? (1 << r.whole(before > 4 ? 3 : 2, 4)) - before : r.whole(1, 9);
    for (int k = 0; k < 3; k++) {
        from[k] = p.x[k] * (1 + before);
        to[k] = p.x[k] * (1 - std::max(after, 0));
    }
    around(r, q, p.x, from, to, r.whole(0, 2));
    q.d = p.length;
    if (r.chance(0.3)) {
        q.d = ulps(q.d, r.whole(-1, 1));
    }
    scale_all(q, std::ldexp(1.0, r.whole(-12, 12)));
}

void start_at_d(Random &r, Query &q) {
    any_kind(r, q);
    const Pythagorean p = pythagorean(r);
    const int to[3] = {r.whole(-9, 9), r.whole(-9, 9), r.whole(-9, 9)};
    around(r, q, p.x, p.x, r.chance(0.2) ? p.x : to, r.whole(0, 2));
    q.d = ulps(p.length, r.chance(0.5) ? 0 : r.whole(-1, 1));
    scale_all(q, std::ldexp(1.0, r.whole(-12, 12)));
}

void start_within(Random &r, Query &q) {
    any_kind(r, q);
    fill(r, q, 1);
    double u, v, target[3];
    place(r, q, u, v);
    q.d = some_d(r, 1);
    const double depth = r.chance(0.3) ? 0 : r.power(-17, 0);
    for (double &x : target) {
        x = q.d * depth * r.real(-0.6, 0.6);
    }
    aim_at(q, 0, u, v, target);
}

void collapse(Random &r, Query &q, int end) {
    const int n = points(q.kind);
    const int k = r.whole(0, 3), i = r.whole(0, n - 1), j = r.whole(0, n - 1), m = r.whole(0, n - 1);
    const double s = k == 0 ? 0 : k == 1 ? 0.5 : k == 2 ? r.whole(-4, 4) * 0.25 : r.real(-1, 2);
    for (int x = 0; x < 3; x++) {
        at(q, end, i)[x] = at(q, end, j)[x] + s * (at(q, end, m)[x] - at(q, end, j)[x]);
    }
}

void degenerate(Random &r, Query &q) {
    any_kind(r, q);
    r.chance(0.5) ? fill(r, q, 1) : fill_whole(r, q, 6, 0.25);
    q.d = r.chance(0.5) ? some_d(r, 1) : std::ldexp(1.0, -r.whole(0, 6));
    const int end = r.whole(0, 2), times = r.whole(1, 3);
    for (int i = 0; i < times; i++) {
        if (end != 1) {
            collapse(r, q, 0);
        }
        if (end != 0) {
            collapse(r, q, 1);
        }
    }
    if (r.chance(0.7)) {
        aim(r, q, q.d);
    }
}

void points_and_lines(Random &r, Query &q) { // primitives that are points or lie on a line at all times
    surface_kind(r, q);
    fill_whole(r, q, 6, 0.25);
    const int first = q.kind == CCD_VERTEX_FACE ? 1 : 2 * r.whole(0, 1), how = r.whole(0, 2);
    const int from = r.whole(0, 2), to = r.whole(-2, 3);
    for (int end = 0; end < 2; end++) {
        for (int x = 0; x < 3; x++) {
            double *p = at(q, end, first) + x;
            if (how == 0 || q.kind == CCD_EDGE_EDGE) {
                p[3] = p[0];
            }
            if (q.kind == CCD_VERTEX_FACE) {
                p[6] = how == 2 ? p[0] : p[0] + 0.5 * (to - from) * (p[3] - p[0]);
            }
        }
    }
    q.d = r.chance(0.5) ? 0.25 * r.whole(1, 6) : r.real(0.05, 1.5);
}

void borders(Random &r, Query &q) { // the nearest feature changes at the contact
    any_kind(r, q);
    fill_whole(r, q, 4, 1);
    double u = 0, v = 0;
    if (q.kind != CCD_POINT_POINT) {
        u = 0.5 * r.whole(0, 2);
        v = q.kind == CCD_POINT_EDGE ? 0 : q.kind == CCD_VERTEX_FACE ? (1 - u) * r.whole(0, 1) : 0.5 * r.whole(0, 2);
    }
    const Pythagorean p = pythagorean(r);
    const double s = std::ldexp(1.0, -r.whole(0, 3));
    const double target[3] = {s * p.x[0], s * p.x[1], s * p.x[2]};
    aim_at(q, 0.25 * r.whole(1, 4), u, v, target);
    q.d = s * p.length;
}

void flat_borders(Random &r, Query &q) { // a falling point over a corner or a side of a flat triangle, edges over ends
    surface_kind(r, q);
    fill_whole(r, q, 4, 1);
    const int height = r.whole(2, 9), fall = r.whole(1, 12);
    const double h = r.chance(0.5) ? 1 : r.real(0.1, 1.5);
    for (int i = 0; i < 4; i++) {
        for (int x = 0; x < 3; x++) {
            at(q, 1, i)[x] = at(q, 0, i)[x];
        }
        at(q, 0, i)[2] = of_a(q, i) ? height : 0;
        at(q, 1, i)[2] = of_a(q, i) ? height - fall : 0;
    }
    q.d = h;
}

void far_away(Random &r, Query &q) {
    aimed(r, q);
    const double size = r.chance(0.5) ? 1e6 : r.power(3, 14);
    for (int k = 0; k < 6 * points(q.kind); k++) {
        q.q[k] += size * (k % 3 == 0 ? 1 : k % 3 == 1 ? -0.7 : 0.3);
    }
    q.d = r.chance(0.3) ? size * 1e-15 * r.real(0.1, 10) : q.d;
}

void tiny(Random &r, Query &q) {
    aimed(r, q);
    scale_all(q, r.chance(0.5) ? 1e-100 : r.power(-305, -20));
    q.d = q.d > 0 ? q.d : 5e-324;
}

void huge(Random &r, Query &q) {
    aimed(r, q);
    scale_all(q, r.chance(0.5) ? 1e100 : r.power(20, 149.5));
}

void spread(Random &r, Query &q, int span) {
    aimed(r, q);
    for (int k = 0; k < 6 * points(q.kind); k++) {
        q.q[k] = r.chance(0.1) ? 0 : std::ldexp(q.q[k], r.whole(-span, span));
    }
    if (r.chance(0.5)) {
        q.d = std::ldexp(q.d, r.whole(-span, span));
    }
    if (r.chance(0.5)) {
        aim(r, q, q.d);
    }
}
void mixed(Random &r, Query &q) { spread(r, q, 60); }
void wide(Random &r, Query &q) { spread(r, q, r.whole(100, 400)); }

void small_d(Random &r, Query &q) {
    any_kind(r, q);
    fill(r, q, 1);
    const double zero[3] = {0, 0, 0};
    double u, v;
    place(r, q, u, v);
    aim_at(q, r.unit(), u, v, zero);
    q.d = r.power(r.chance(0.5) ? -20 : -320, -9);
    q.d = q.d > 0 ? q.d : 5e-324;
}

void large_d(Random &r, Query &q) {
    any_kind(r, q);
    fill(r, q, 1);
    const double size = r.power(1, 6);
    q.d = size;
    const double start = size * r.real(1, 1.5), end = size * r.real(0, 1.2);
    double w[3], s = 0;
    for (double &x : w) {
        x = r.real(-1, 1), s += x * x;
    }
    for (int i = 0; i < points(q.kind); i++) {
        for (int k = 0; k < 3 && of_a(q, i); k++) {
            at(q, 0, i)[k] += start * w[k] / std::sqrt(s);
            at(q, 1, i)[k] += end * w[k] / std::sqrt(s);
        }
    }
}

void fast(Random &r, Query &q) { // contact at a tiny time
    aimed(r, q);
    const double k = r.power(2, r.chance(0.5) ? 100 : 20);
    const int n = 3 * points(q.kind);
    for (int i = 0; i < n; i++) {
        q.q[n + i] *= k;
    }
    q.d = r.chance(0.5) ? double(distance(q, 0)) * (1 - r.power(-16, -1)) : q.d;
    q.d = q.d > 0 ? q.d : 1e-3;
}

void folding(Random &r, Query &q) { // edges and faces that pass through zero length or area during the step
    any_kind(r, q);
    const bool whole = r.chance(0.5);
    whole ? fill_whole(r, q, 6, 0.5) : fill(r, q, 1);
    const int n = points(q.kind), i = r.whole(0, n - 1), j = r.whole(0, n - 1);
    for (int x = 0; x < 3; x++) {
        at(q, 1, i)[x] = at(q, 0, j)[x];
        at(q, 1, j)[x] = at(q, 0, i)[x];
    }
    q.d = whole ? 0.5 * r.whole(1, 3) : some_d(r, 1);
    if (r.chance(0.5)) {
        aim(r, q, q.d);
    }
}

void resting(Random &r, Query &q) { // no motion at all, or none relative to each other
    any_kind(r, q);
    fill(r, q, 1);
    aim(r, q, 0.5);
    const bool drift = r.chance(0.3);
    const int n = 3 * points(q.kind);
    for (int i = 0; i < n; i++) {
        q.q[n + i] = q.q[i] + (drift ? 0.25 * (i % 3) : 0);
    }
    q.d = ulps(double(distance(q, 0)), r.whole(-2, 2));
    q.d = q.d > 0 ? q.d : 1e-3;
}

void sliding(Random &r, Query &q) { // a move in a plane at distance d, or a little more, over borders and corners
    surface_kind(r, q);
    fill_whole(r, q, 5, 1);
    const double h = r.whole(1, 3);
    const int axis = r.whole(0, 2);
    const double noise = r.chance(0.5) ? 0 : r.power(-17, -3);
    for (int i = 0; i < 4; i++) {
        for (int x = 0; x < 3; x++) {
            at(q, 1, i)[x] = of_a(q, i) ? at(q, 1, i)[x] : at(q, 0, i)[x];
        }
        at(q, 0, i)[axis] = of_a(q, i) ? h * (1 + noise * r.real(-1, 1)) : 0;
        at(q, 1, i)[axis] = of_a(q, i) ? h * (1 + noise * r.real(-1, 1)) : 0;
    }
    q.d = ulps(h, r.chance(0.7) ? 0 : r.whole(-2, 2));
    scale_all(q, std::ldexp(1.0, r.whole(-6, 6)));
}

void rotating(Random &r, Query &q) { // b turns; its points move on chords
    surface_kind(r, q);
    fill(r, q, 1);
    const double angle = r.real(-1, 1) * (r.chance(0.5) ? 3 : 0.1), c = std::cos(angle), s = std::sin(angle);
    for (int i = 0; i < 4; i++) {
        const double *p = at(q, 0, i);
        const double turned[3] = {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]};
        std::copy_n(of_a(q, i) ? p : turned, 3, at(q, 1, i));
    }
    q.d = some_d(r, 1);
    aim(r, q, q.d);
}

void slivers(Random &r, Query &q) { // long thin triangles, short edges
    surface_kind(r, q);
    fill(r, q, 1);
    const double thin = r.power(-16, -2);
    const int i = q.kind == CCD_VERTEX_FACE ? r.whole(1, 2) : 2 * r.whole(0, 1);
    for (int end = 0; end < 2; end++) {
        for (int x = 0; x < 3; x++) {
            at(q, end, i + 1)[x] = at(q, end, i)[x] + thin * r.real(-1, 1);
        }
    }
    q.d = r.chance(0.3) ? thin * r.real(0.1, 10) : some_d(r, 1);
    aim(r, q, q.d);
}

void common_point(Random &r, Query &q) { // a and b share a point at one end or both
    any_kind(r, q);
    fill(r, q, 1);
    const int b = q.kind == CCD_EDGE_EDGE ? r.whole(2, 3) : r.whole(1, points(q.kind) - 1), end = r.whole(0, 2);
    for (int x = 0; x < 3; x++) {
        if (end != 1) {
            at(q, 0, b)[x] = at(q, 0, 0)[x];
        }
        if (end != 0) {
            at(q, 1, b)[x] = at(q, 1, 0)[x];
        }
    }
    q.d = r.chance(0.5) ? some_d(r, 1) : r.power(-300, -8);
}

} // namespace

const std::vector<Family> &families() {
    static const std::vector<Family> list = {
        {"random", at_random, 1},
        {"aimed", aimed, 1.5},
        {"short t_max", short_time, 1},
        {"small moves", small_moves, 1.5},
        {"near parallel", near_parallel, 1},
        {"parallel", parallel, 1},
        {"coplanar", coplanar, 1},
        {"grazing", grazing, 1.5},
        {"grazing exactly", grazing_exactly, 1.5},
        {"small integers", dyadic, 1},
        {"head on", head_on, 1},
        {"start at d", start_at_d, 1},
        {"start within d", start_within, 0.5},
        {"degenerate", degenerate, 1},
        {"points and lines", points_and_lines, 0.5},
        {"borders", borders, 1},
        {"flat borders", flat_borders, 0.5},
        {"far away", far_away, 1},
        {"tiny", tiny, 0.5},
        {"huge", huge, 0.5},
        {"mixed exponents", mixed, 1},
        {"wide exponents", wide, 0.05},
        {"small d", small_d, 0.7},
        {"large d", large_d, 0.7},
        {"fast", fast, 0.7},
        {"folding", folding, 1},
        {"resting", resting, 0.5},
        {"sliding", sliding, 1},
        {"rotating", rotating, 0.7},
        {"slivers", slivers, 1},
        {"common point", common_point, 0.5},
    };
    return list;
}

} // namespace judge
