/* two_libccd.c - one source file includes both libraries' headers, and one program links and uses both. */
#include <stddef.h>

#include <ccd/ccd.h> /* theirs */

#include "check.h" /* includes ours */

#include <math.h>

typedef struct ball {
    double center[3], radius;
} ball;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    const ball *b = object;
    const double *d = direction->v;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++) {
        point->v[k] = b->center[k] + (length > 0 ? b->radius * d[k] / length : 0);
    }
}

int main(void) {
    const ball a = {{0, 0, 0}, 1}, near_a = {{1.5, 0, 0}, 1}, far = {{5, 0, 0}, 1};
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support;
    ccd.support2 = support;
    ccd.max_iterations = 100;
    CHECK(ccdGJKIntersect(&a, &near_a, &ccd) == 1);

    ccd_impact out;
    OK(ccd_pair_vertex_face(falling, NULL, &out));
    CHECK(out.verdict == CCD_CONTACT);

    CHECK(ccdGJKIntersect(&a, &far, &ccd) == 0);
    CHECK(ccd_vec3_origin->v[0] == 0);
    CHECK(ccd_version() == CCD_VERSION);
    return done();
}
