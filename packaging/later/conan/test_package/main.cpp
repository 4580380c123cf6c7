// A vertex falls through a face: the program reports whether the package's library and headers find it.
#include <ccd.h>

int main() {
    const double q[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    ccd_impact hit;
    return ccd_pair_vertex_face(q, nullptr, &hit) == CCD_OK && hit.toi_lo == 0.5 ? 0 : 1;
}
