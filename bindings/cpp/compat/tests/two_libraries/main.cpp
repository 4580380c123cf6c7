// main.cpp - a program that holds our drop-in headers and the libraries that they stand for: each caller gets the answers of the library
// whose header it includes, in whatever order they are linked.
#include "calls.hpp"

#include <cstdio>

namespace {

int failures = 0;

void check(bool good, const char *what) {
    if (!good) {
        failures++;
        std::fprintf(stderr, "the caller of %s\n", what);
    }
}

// The drop-in for Tight Inclusion leaves the primitives apart at toi, by the tolerance.
bool just_before(double toi, double contact) { return toi > contact - 1e-3 && toi < contact; }

} // namespace

int main() {
    const Answers ours = calls_ours(), theirs = calls_theirs();
    check(just_before(ours.edge_edge, 0.5) && just_before(ours.vertex_face, 0.5), "our ticcd gets other times");
    check(ours.error > 0 && ours.error < 1, "our ticcd::get_numerical_error gets another");
    check(just_before(ours.old_edge_edge, 0.5), "our inclusion_ccd gets another time");
    check(ours.vertex_vertex == 0.5, "our CTCD gets another time");
    check(ours.timer != 42, "our ticcd::Timer gets another");
    check(!ours.wrapper, "our CCD-Wrapper gets another answer");
    check(ours.boxes == 3 && ours.overlap == 1, "our scalable_ccd gets other boxes");
    check(theirs.edge_edge == 42 && theirs.vertex_face == 42 && theirs.error == 42, "their ticcd gets ours");
    check(theirs.old_edge_edge == 42, "their inclusion_ccd gets ours");
    check(theirs.vertex_vertex == 42, "their CTCD gets ours");
    check(theirs.timer == 42, "their ticcd::Timer gets ours");
    check(theirs.wrapper, "their CCD-Wrapper gets ours");
    check(theirs.boxes == 42 && theirs.overlap == 42, "their scalable_ccd gets ours");
    return failures == 0 ? 0 : 1;
}
