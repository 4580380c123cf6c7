#include "scenes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "families.h"
#include "step.h"

namespace judge {

namespace {

// A sample of the candidates: at most half are contacts that do not begin within d, an eighth those that do.
void judge_candidates(const Scene &scene, const Step &step, int kind, double share, double motion, long wanted,
                      Tally &total) {
    Query any{};
    any.d = share * step.size;
    any.t_max = 1;
    ccd_options options = options_of(any);
    options.threads = 1;
    const std::vector<std::int64_t> pairs = step.candidates(kind, options);
    const std::size_t count = pairs.size() / 2;
    Random r(count + kind);
    std::vector<Query> queries;
    std::vector<double> q;
    const long sample = 12 * wanted;
    for (long i = 0; i < std::min(sample, long(count)); i++) {
        const std::size_t k = sample >= long(count) ? i : r.bits() % count;
        queries.push_back(step.query(kind, pairs[2 * k], pairs[2 * k + 1], any.d));
        q.insert(q.end(), queries.back().q, queries.back().q + 24);
    }
    Tally tally;
    std::vector<ccd_impact> answers(queries.size());
    const double begin = seconds();
    many(kind, q.data(), queries.size(), options, answers.data());
    tally.library_seconds = seconds() - begin;
    const std::string name = label(scene, kind, share, motion);
    const auto group = [](const ccd_impact &x) {
        return x.verdict != CCD_CONTACT ? 2 : x.flags & CCD_INITIAL_CONTACT ? 1 : 0;
    };
    long found[3] = {}, room[3] = {wanted / 2, wanted / 8, 0};
    for (const ccd_impact &answer : answers) {
        found[group(answer)]++;
    }
    room[2] = wanted - std::min(found[0], room[0]) - std::min(found[1], room[1]);
    for (std::size_t i = 0; i < queries.size(); i++) {
        if (--room[group(answers[i])] < 0) {
            continue;
        }
        judge(queries[i], answers[i], name.c_str(), long(i), tally);
        if (i % 4 == 0) {
            options.method = CCD_METHOD_DEFAULT;
            if (!same(single(queries[i], options), answers[i])) {
                fault(queries[i], name.c_str(), long(i), "the answer of one pair has other bits than that of a list",
                      tally);
            }
        }
    }
    print_row(name.c_str(), tally);
    total += tally;
}

double number(const std::string &num, const std::string &den) { return mpq_class(mpz_class(num), mpz_class(den)).get_d(); }

std::vector<Query> read_csv(const std::string &path, int kind) {
    std::vector<Query> out;
    std::ifstream in(path);
    std::string line;
    for (int row = 0; std::getline(in, line); row++) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        std::string num, den;
        if (row % 8 == 0) {
            out.push_back({});
            out.back().kind = kind;
            out.back().t_max = 1;
        }
        for (int k = 0; k < 3 && fields >> num >> den; k++) {
            out.back().q[3 * (row % 8) + k] = number(num, den);
        }
    }
    return out;
}

void judge_handmade(const std::string &folder, Tally &total) {
    static const double list[] = {1e-6, 1e-3, 0.0625, 1, 0.01 * 1.4142135623730951};
    std::vector<std::string> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".csv") {
            files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    Tally tally;
    for (const std::string &file : files) {
        const bool edges = file.find("edge-edge") != std::string::npos;
        long index = 0;
        for (Query &query : read_csv(file, edges ? CCD_EDGE_EDGE : CCD_VERTEX_FACE)) {
            for (const double d : list) {
                query.d = d;
                const double begin = seconds();
                const ccd_impact answer = single(query, options_of(query));
                tally.library_seconds += seconds() - begin;
                judge(query, answer, file.c_str(), index, tally);
            }
            index++;
        }
    }
    print_row("hand-made", tally);
    total += tally;
}

} // namespace

void run_scenes(const std::string &data, const std::string &only, long queries, Tally &total) {
    static const double shares[] = {1e-4, 3e-4 * 1.4142135623730951, 1e-3, 3.1415926535897931e-3};
    if (!std::filesystem::exists(data)) {
        std::printf("no data at %s: scenes are skipped\n", data.c_str());
        return;
    }
    for (const Scene &scene : scenes) {
        for (const double motion : {1.0, 8.0}) {
            if (!only.empty() && only != scene.name) {
                continue;
            }
            const Step step(data + "/scenes/" + scene.name + "/frames", scene, motion);
            for (const double share : shares) {
                judge_candidates(scene, step, CCD_VERTEX_FACE, share, motion, queries / 48, total);
                judge_candidates(scene, step, CCD_EDGE_EDGE, share, motion, queries / 48, total);
            }
        }
    }
    if (only.empty()) {
        judge_handmade(data + "/queries", total);
    }
}

} // namespace judge
