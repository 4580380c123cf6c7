// tight_inclusion_options.cpp - what a program may define before it includes Tight Inclusion's headers.
#define CCD_NO_GLOBAL_TYPES         // it has other types of these names
#define TIGHT_INCLUSION_NO_ZERO_TOI // a build of 1.0.0 with this option has this default of no_zero_toi
#define TIGHT_INCLUSION_WITH_TIMER

struct Scalar {};
struct Vector3d {};
struct VectorMax3d {};

#include <tight_inclusion/eigen_ext.hpp>
#include <tight_inclusion/inclusion_ccd.hpp>
#include <tight_inclusion/timer.hpp>

#include "points.hpp"

int main() {
    double toi, reached;
    CHECK(inclusion_ccd::DEFAULT_NO_ZERO_TOI && !ticcd::DEFAULT_NO_ZERO_TOI);
    CHECK(inclusion_ccd::vertexFaceCCD_double(FALL.a, FALL.b, FALL.c, FALL.d, FALL.a1, FALL.b1, FALL.c1, FALL.d1,
                                              {{-1, -1, -1}}, 0, toi, 1e-6, 1, -1, reached));
    CHECK(just_before(toi, 0.5));

    double total = 0;
    {
        TIGHT_INCLUSION_SCOPED_TIMER(total);
        while (tight_inclusion_timer.getElapsedTimeInMicroSec() < 10) {
        }
    }
    CHECK(total >= 10);
    return failures == 0 ? 0 : 1;
}
