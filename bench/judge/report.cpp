#include "report.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace judge {

const Norm *norm = &euclidean;

double seconds() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void Tally::operator+=(const Tally &o) {
    queries += o.queries, contacts += o.contacts, starts += o.starts, exact_times += o.exact_times;
    unproven += o.unproven, wrong += o.wrong, many += o.many, coincident += o.coincident;
    library_seconds += o.library_seconds, judge_seconds += o.judge_seconds;
    slowest = std::max(slowest, o.slowest);
    effort.nodes += o.effort.nodes, effort.lipschitz += o.effort.lipschitz, effort.sturm += o.effort.sturm;
    effort.deepest = std::max(effort.deepest, o.effort.deepest);
    worst.excess = std::max(worst.excess, o.worst.excess);
    worst.farther = std::max(worst.farther, o.worst.farther);
    worst.slant = std::max(worst.slant, o.worst.slant);
    worst.point = std::max(worst.point, o.worst.point);
    worst.off_middle = std::max(worst.off_middle, o.worst.off_middle);
}

namespace {

void print_query(const Query &query) {
    std::printf("    kind %d  d %a  t_max %a\n", query.kind, query.d, query.t_max);
    const int n = points(query.kind);
    for (int i = 0; i < 2 * n; i++) {
        std::printf("    %a, %a, %a,%s", query.q[3 * i], query.q[3 * i + 1], query.q[3 * i + 2],
                    i == n - 1 ? "\n\n" : "\n");
    }
}

void note(const char *word, const Query &query, const ccd_impact &answer, const char *family, long index,
          const std::string &why) {
    std::printf("%s: %s %ld: %s\n", word, family, index, why.c_str());
    std::printf("    verdict %d  toi [%a, %a]  u %a  v %a  flags %u\n", answer.verdict, answer.toi_lo, answer.toi_hi,
                answer.u, answer.v, answer.flags);
    std::printf("    normal %a %a %a  point %a %a %a\n", answer.normal[0], answer.normal[1], answer.normal[2],
                answer.point[0], answer.point[1], answer.point[2]);
    print_query(query);
    std::fflush(stdout);
}

bool empty(const ccd_impact &a) {
    const double numbers[] = {a.point[0], a.point[1], a.point[2], a.normal[0], a.normal[1], a.normal[2]};
    return std::all_of(numbers, numbers + 6, [](double x) { return x == 0; }) && a.u == a.u && a.v == a.v;
}

} // namespace

void fault(const Query &query, const char *family, long index, const std::string &why, Tally &tally) {
    tally.wrong++;
    std::printf("WRONG: %s %ld: %s\n", family, index, why.c_str());
    print_query(query);
    std::fflush(stdout);
}

void judge(const Query &query, const ccd_impact &answer, const char *family, long index, Tally &tally) {
    const double begin = seconds();
    const Motion motion(query);
    std::string why;
    Proof p = times_are_right(*norm, motion, query, answer, tally.effort, why);
    tally.queries++;
    ContactData data;
    if (p == Proof::yes && answer.verdict == CCD_CONTACT) {
        tally.contacts++;
        tally.starts += answer.toi_hi == 0;
        tally.exact_times += answer.toi_hi == answer.toi_lo && answer.toi_hi > 0;
    }
    if (p != Proof::no && answer.verdict == CCD_CONTACT) {
        std::string data_why;
        if (!contact_is_right(query, answer, norm->number, data, data_why)) {
            p = Proof::no;
            why = data_why;
        }
        tally.many += data.many;
        tally.coincident += data.coincident;
        tally.worst.excess = std::max(tally.worst.excess, data.excess);
        tally.worst.farther = std::max(tally.worst.farther, data.farther);
        tally.worst.slant = std::max(tally.worst.slant, data.slant);
        tally.worst.point = std::max(tally.worst.point, data.point);
        tally.worst.off_middle = std::max(tally.worst.off_middle, data.off_middle);
    } else if (p != Proof::no && !empty(answer)) {
        p = Proof::no;
        why = "separate, but the contact data are not zeros";
    }
    const double took = seconds() - begin;
    tally.judge_seconds += took;
    tally.slowest = std::max(tally.slowest, took);
    if (p != Proof::yes) {
        (p == Proof::no ? tally.wrong : tally.unproven)++;
        note(p == Proof::no ? "WRONG" : "UNPROVEN", query, answer, family, index, why);
    }
}

void print_header() {
    std::printf("| queries | number | contacts | starts within d | at a double | separate | unproven | wrong | library s | "
                "judge s | "
                "farther / eps | slant / eps | many | off middle / eps |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_row(const char *name, const Tally &t) {
    std::printf("| %s | %ld | %ld | %ld | %ld | %ld | %ld | %ld | %.1f | %.1f | %.2f | %.2f | %ld | %.2g |\n", name,
                t.queries, t.contacts, t.starts, t.exact_times, t.queries - t.contacts, t.unproven, t.wrong,
                t.library_seconds, t.judge_seconds, t.worst.farther, t.worst.slant, t.many, t.worst.off_middle);
    std::fflush(stdout);
}

ccd_options options_of(const Query &query) {
    ccd_options o;
    ccd_options_init(&o, sizeof o);
    o.method = CCD_METHOD_EXACT;
    o.norm = norm->number;
    o.min_separation = query.d;
    o.t_max = query.t_max;
    return o;
}

namespace {
void check(ccd_status status) {
    if (status != CCD_OK) {
        char text[512];
        ccd_last_error(text, sizeof text);
        std::printf("FAILED: %s\n", text);
        std::exit(2);
    }
}
} // namespace

ccd_impact single(const Query &query, const ccd_options &options) {
    ccd_impact out;
    switch (query.kind) {
    case CCD_VERTEX_FACE:
        check(ccd_pair_vertex_face(query.q, &options, &out));
        break;
    case CCD_EDGE_EDGE:
        check(ccd_pair_edge_edge(query.q, &options, &out));
        break;
    case CCD_POINT_EDGE:
        check(ccd_pair_point_edge(query.q, &options, &out));
        break;
    default:
        check(ccd_pair_point_point(query.q, &options, &out));
    }
    return out;
}

void many(int kind, const double *q, std::size_t n, const ccd_options &options, ccd_impact *out) {
    switch (kind) {
    case CCD_VERTEX_FACE:
        check(ccd_pairs_vertex_face(q, n, &options, out));
        break;
    case CCD_EDGE_EDGE:
        check(ccd_pairs_edge_edge(q, n, &options, out));
        break;
    case CCD_POINT_EDGE:
        check(ccd_pairs_point_edge(q, n, &options, out));
        break;
    default:
        check(ccd_pairs_point_point(q, n, &options, out));
    }
}

bool same(const ccd_impact &a, const ccd_impact &b) {
    ccd_impact c = b;
    c.a = a.a;
    c.b = a.b;
    return std::memcmp(&a, &c, sizeof a) == 0;
}

} // namespace judge
