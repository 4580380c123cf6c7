// An independent check of the exact method with a Euclidean min_separation. README.md says what it judges and how to run it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "families.h"
#include "report.h"
#include "scenes.h"
#include "selftest.h"

namespace judge {
namespace {

struct Arguments {
    long queries = 2000, from = 0;
    std::string data, only;
    bool selftest = false, scenes = false, steps = false, families = false;
};

// The answer of a list of nine must be that of the call for one pair.
void compare_with_list(const Query &query, const ccd_impact &answer, std::vector<double> &others, const char *family,
                       long index, Tally &tally) {
    const std::size_t size = 6 * points(query.kind);
    if (others.size() < 8 * size) {
        others.insert(others.end(), query.q, query.q + size);
        return;
    }
    std::vector<double> list = others;
    const std::size_t slot = index % 9;
    list.insert(list.begin() + slot * size, query.q, query.q + size);
    std::vector<ccd_impact> out(9);
    ccd_options options = options_of(query);
    options.method = CCD_METHOD_DEFAULT;
    options.tolerance = 0.1; // the exact method ignores both
    options.max_iterations = 1;
    many(query.kind, list.data(), 9, options, out.data());
    if (!same(out[slot], answer)) {
        fault(query, family, index, "the answer of a list, by the default method, has other bits", tally);
    }
    std::memcpy(&others[(index / 9) % 8 * size], query.q, size * sizeof(double));
}

// Law 6: a power of two in all lengths changes no bit of t, u, v. Queries near the limits of doubles are left out.
void compare_with_scaled(const Query &query, const ccd_impact &answer, int power, const char *family, long index,
                         Tally &tally) {
    Query scaled = query;
    scaled.d = std::ldexp(query.d, power);
    bool moderate = query.d > 0x1p-400 && query.d < 0x1p400;
    for (double &x : scaled.q) {
        moderate = moderate && (x == 0 || (std::fabs(x) > 0x1p-400 && std::fabs(x) < 0x1p400));
        x = std::ldexp(x, power);
    }
    if (!moderate) {
        return;
    }
    const ccd_impact other = single(scaled, options_of(scaled));
    if (other.verdict != answer.verdict || other.toi_lo != answer.toi_lo || other.toi_hi != answer.toi_hi ||
        other.u != answer.u || other.v != answer.v) {
        fault(query, family, index, "the answer changes when lengths are multiplied by 2^" + std::to_string(power), tally);
    }
}

// Cut a query where it was in contact: at toi_lo, toi_hi and just before.
void cut(Query &query, const ccd_impact &answer, int how) {
    const double t[] = {answer.toi_lo, answer.toi_hi, std::nextafter(answer.toi_lo, 0.0)};
    query.t_max = t[how % 3];
}

void run_family(const Family &family, long count, long from, Tally &tally) {
    std::vector<double> others[5];
    for (long i = from; i < from + count; i++) {
        Random r(std::uint64_t(i) * 1000003 + std::uint64_t(family.name[0]) * 8191 + std::strlen(family.name));
        Query query{};
        query.t_max = 1;
        family.make(r, query);
        const double begin = seconds();
        ccd_impact answer = single(query, options_of(query));
        if (answer.verdict == CCD_CONTACT && r.chance(0.1)) {
            cut(query, answer, r.whole(0, 2));
            answer = single(query, options_of(query));
        }
        tally.library_seconds += seconds() - begin;
        judge(query, answer, family.name, i, tally);
        if (r.chance(0.25)) {
            compare_with_list(query, answer, others[query.kind], family.name, i, tally);
            compare_with_scaled(query, answer, r.whole(-60, 60), family.name, i, tally);
        }
    }
}

void run_families(const Arguments &arguments, Tally &total) {
    double shares = 0;
    for (const Family &family : families()) {
        shares += family.share;
    }
    for (const Family &family : families()) {
        if (!arguments.only.empty() && arguments.only != family.name) {
            continue;
        }
        Tally tally;
        const double share = arguments.only.empty() ? family.share / shares : 1;
        run_family(family, std::lround(double(arguments.queries) * share), arguments.from, tally);
        print_row(family.name, tally);
        total += tally;
    }
}

int usage() {
    std::puts(
        "judge [--selftest] [--families] [--scenes] [--steps] [--max-norm] [--queries N] [--from I] [--only NAME] [--data "
        "FOLDER]\n"
        "  N queries from families (and as many from scenes); I is the index of the first; NAME is a family or a scene");
    return 2;
}

int run(const Arguments &arguments) {
    if (arguments.selftest && !selftest()) {
        return 1;
    }
    Tally total;
    print_header();
    if (arguments.families) {
        run_families(arguments, total);
    }
    if (arguments.scenes) {
        run_scenes(arguments.data, arguments.only, arguments.queries, total);
    }
    if (arguments.steps) {
        run_steps(arguments.data, arguments.only, arguments.queries, total);
    }
    print_row("all", total);
    std::printf("deepest interval 2^-%ld, intervals %ld, bounds by speed %ld, Sturm chains %ld, slowest query %.3f s; "
                "points at most %.2f "
                "roundings off; nearer than 5 eps %ld\n",
                total.effort.deepest, total.effort.nodes, total.effort.lipschitz, total.effort.sturm, total.slowest,
                total.worst.point, total.coincident);
    return total.wrong == 0 ? 0 : 1;
}

} // namespace
} // namespace judge

int main(int argc, char **argv) {
    judge::Arguments a;
    const char *data = std::getenv("CCD_DATA");
    a.data = data ? data : "../shared/data";
    for (int i = 1; i < argc; i++) {
        const std::string s = argv[i];
        const bool more = i + 1 < argc;
        if (s == "--selftest") {
            a.selftest = true;
        } else if (s == "--families") {
            a.families = true;
        } else if (s == "--scenes") {
            a.scenes = true;
        } else if (s == "--max-norm") {
            judge::norm = &judge::max_norm;
        } else if (s == "--steps") {
            a.steps = true;
        } else if (s == "--queries" && more) {
            a.queries = std::atol(argv[++i]);
        } else if (s == "--from" && more) {
            a.from = std::atol(argv[++i]);
        } else if (s == "--only" && more) {
            a.only = argv[++i];
        } else if (s == "--data" && more) {
            a.data = argv[++i];
        } else {
            return judge::usage();
        }
    }
    return judge::run(a);
}
