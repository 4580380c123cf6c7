/*
 * ccd/ccd.h - a stand-in for the header of the other libccd (github.com/danfis/libccd), with its guard, its include path and
 * the names it takes, for machines that do not have it.
 */
#ifndef __CCD_H__
#define __CCD_H__

#define CCD_EXPORT __attribute__((visibility("default")))
#define CCD_EPS 2.2204460492503131e-16
#define CCD_ONE 1.
#define CCD_ZERO 0.
#define CCD_INIT(ccd)                                                                                                      \
    do {                                                                                                                   \
        (ccd)->support1 = NULL;                                                                                            \
        (ccd)->support2 = NULL;                                                                                            \
        (ccd)->max_iterations = 100;                                                                                       \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif

typedef double ccd_real_t;
typedef struct _ccd_vec3_t {
    ccd_real_t v[3];
} ccd_vec3_t;
typedef struct _ccd_quat_t {
    ccd_real_t q[4];
} ccd_quat_t;
typedef void (*ccd_support_fn)(const void *obj, const ccd_vec3_t *dir, ccd_vec3_t *vec);
typedef struct _ccd_t {
    ccd_support_fn support1, support2;
    unsigned long max_iterations;
} ccd_t;

CCD_EXPORT extern ccd_vec3_t *ccd_vec3_origin;
CCD_EXPORT int ccdGJKIntersect(const void *obj1, const void *obj2, const ccd_t *ccd);

#ifdef __cplusplus
}
#endif

#endif
