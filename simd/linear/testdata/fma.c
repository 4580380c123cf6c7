/* Reads triples of doubles and writes ccdk_fma of each, for TestTextFma. */
#include "prelude.h"

#include <stdio.h>

int main(void) {
    double x[3];
    while (fread(x, sizeof *x, 3, stdin) == 3) {
        const double r = ccdk_fma(x[0], x[1], x[2]);
        if (fwrite(&r, sizeof r, 1, stdout) != 1)
            return 1;
    }
    return 0;
}
