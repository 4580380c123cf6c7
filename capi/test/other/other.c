/* other.c - the stand-in for the other libccd. Its one query asks whether the two supports along x overlap. */
#include "ccd/ccd.h"

static ccd_vec3_t origin;
CCD_EXPORT ccd_vec3_t *ccd_vec3_origin = &origin;

CCD_EXPORT int ccdGJKIntersect(const void *obj1, const void *obj2, const ccd_t *ccd) {
    const ccd_vec3_t right = {{1, 0, 0}}, left = {{-1, 0, 0}};
    ccd_vec3_t lo, hi;
    ccd->support1(obj1, &right, &hi);
    ccd->support2(obj2, &left, &lo);
    if (hi.v[0] < lo.v[0]) {
        return 0;
    }
    ccd->support2(obj2, &right, &hi);
    ccd->support1(obj1, &left, &lo);
    return hi.v[0] >= lo.v[0];
}
