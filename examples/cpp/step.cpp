// step.cpp - one step of a mesh, in C++: the earliest impact, and every impact.
//
//   step A B [MIN_SEPARATION]
//
// A and B are the mesh at the start and at the end of the step (OBJ, PLY, STL or OFF). The programs of examples/c, go and
// python print the same, to the bit.
//
//   c++ -std=c++17 step.cpp -lccd -o step
#include <ccd/ccd.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

const char *name(std::int32_t kind) {
    static const char *const names[] = {"", "vertex-face", "edge-edge", "point-edge", "point-point"};
    return names[kind];
}

void run(const char *start, const char *end, double min_separation) {
    const ccd::file::Surface a = ccd::file::read(start), b = ccd::file::read(end);
    const ccd::Mesh mesh(a.vertices.size() / 3, {}, a.faces); // {}: the edges are those of the faces
    const auto [vertices, edges, faces] = mesh.counts();
    std::printf("mesh: %zu vertices, %zu edges, %zu faces\n", vertices, edges, faces);

    ccd::Options options;
    options.min_separation = min_separation;
    const ccd::Impact first = ccd::step::earliest(mesh, a.vertices, b.vertices, options);
    if (first.verdict == CCD_SEPARATE) {
        std::printf("separate for the whole step\n");
    } else {
        std::printf("earliest: %s %lld %lld at t = %.17g\n", name(first.kind), static_cast<long long>(first.a),
                    static_cast<long long>(first.b), first.toi_lo);
    }

    const std::vector<ccd::Impact> impacts = ccd::step::collisions(mesh, a.vertices, b.vertices, options);
    std::printf("impacts: %zu\n", impacts.size());
    for (const ccd::Impact &i : impacts) {
        std::printf("%s %lld %lld %.17g %.17g\n", name(i.kind), static_cast<long long>(i.a), static_cast<long long>(i.b),
                    i.toi_lo, i.toi_hi);
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: step A B [MIN_SEPARATION]\n");
        return 2;
    }
    try {
        run(argv[1], argv[2], argc > 3 ? std::strtod(argv[3], nullptr) : 0);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    }
    return 0;
}
