/*
 * Runs ccd/device.h on queries from standard input, for the tests of its laws. Writes what ccd_device_check returns; then, for each
 * query (1 for vertex-face, else 0, and 24 doubles), the filter's verdict, verdict and toi, and both again for the query rounded to floats.
 */
#include "ccd/device.h"

#include <stdio.h>

int main(void) {
    double in[25], out[5];
    float rounded[24];
    int k;
    out[0] = ccd_device_check();
    if (fwrite(out, sizeof *out, 1, stdout) != 1)
        return 1;
    fflush(stdout);
    while (fread(in, sizeof *in, 25, stdin) == 25) {
        const double *q = in + 1;
        for (k = 0; k < 24; k++)
            rounded[k] = (float)q[k];
        if (in[0] != 0) {
            out[0] = ccd_device_vertex_face_filter(q);
            out[1] = ccd_device_vertex_face(q, &out[2]);
            out[3] = ccd_device_vertex_face_f32(rounded, &out[4]);
        } else {
            out[0] = ccd_device_edge_edge_filter(q);
            out[1] = ccd_device_edge_edge(q, &out[2]);
            out[3] = ccd_device_edge_edge_f32(rounded, &out[4]);
        }
        if (fwrite(out, sizeof *out, 5, stdout) != 5)
            return 1;
        fflush(stdout);
    }
    return 0;
}
