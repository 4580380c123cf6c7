/*
 * step.c - one step of a mesh, in C: the earliest impact, and every impact.
 *
 *   step A B [MIN_SEPARATION]
 *
 * A and B are the mesh at the start and at the end of the step (OBJ, PLY, STL or OFF). The programs of examples/cpp, go and
 * python print the same, to the bit.
 *
 *   cc step.c -lccd -o step
 */
#include <ccd.h>

#include <stdio.h>
#include <stdlib.h>

/* End the program with the library's own words unless the call went well. */
static void ok(ccd_status status) {
    if (status != CCD_OK) {
        char text[512];
        ccd_last_error(text, sizeof text);
        fprintf(stderr, "%s: %s\n", ccd_status_name(status), text);
        exit(2);
    }
}

static void *allocate(size_t items, size_t size) {
    void *p = calloc(items + 1, size);
    if (p == NULL) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return p;
}

static const char *kind_name(int32_t kind) {
    static const char *const names[] = {"", "vertex-face", "edge-edge", "point-edge", "point-point"};
    return names[kind];
}

/* The vertices of a file, and its faces if they are wanted. */
static double *read_frame(const char *path, size_t *vertices, int32_t **faces, size_t *n_faces) {
    ccd_surface_file *file;
    ok(ccd_surface_file_read(path, &file));
    ok(ccd_surface_file_counts(file, vertices, NULL, n_faces));
    double *x = allocate(*vertices, 3 * sizeof *x);
    if (faces != NULL) {
        *faces = allocate(*n_faces, 3 * sizeof **faces);
    }
    ok(ccd_surface_file_copy(file, x, NULL, faces == NULL ? NULL : *faces));
    ok(ccd_surface_file_destroy(file));
    return x;
}

int main(int argc, char **argv) {
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: step A B [MIN_SEPARATION]\n");
        return 2;
    }
    size_t vertices, vertices_at_end, edges, n_faces;
    int32_t *faces;
    double *x0 = read_frame(argv[1], &vertices, &faces, &n_faces);
    double *x1 = read_frame(argv[2], &vertices_at_end, NULL, NULL);
    if (vertices != vertices_at_end) {
        fprintf(stderr, "%s has %zu vertices, %s has %zu\n", argv[1], vertices, argv[2], vertices_at_end);
        return 2;
    }
    ccd_options options;
    ccd_options_init(&options, sizeof options);
    options.min_separation = argc > 3 ? strtod(argv[3], NULL) : 0;

    ccd_mesh *mesh; /* NULL: the edges are those of the faces */
    ok(ccd_mesh_create(vertices, NULL, 0, faces, n_faces, &mesh));
    ok(ccd_mesh_counts(mesh, NULL, &edges, NULL));
    printf("mesh: %zu vertices, %zu edges, %zu faces\n", vertices, edges, n_faces);

    ccd_impact first;
    ok(ccd_step_earliest(mesh, x0, x1, vertices, &options, &first));
    if (first.verdict == CCD_SEPARATE) {
        printf("separate for the whole step\n");
    } else {
        printf("earliest: %s %lld %lld at t = %.17g\n", kind_name(first.kind), (long long)first.a, (long long)first.b,
               first.toi_lo);
    }

    ccd_impacts *impacts;
    size_t count;
    ok(ccd_step_collisions(mesh, x0, x1, vertices, &options, &impacts));
    ok(ccd_impacts_count(impacts, &count));
    ccd_impact *list = allocate(count, sizeof *list);
    ok(ccd_impacts_copy(impacts, list, count, &count));
    printf("impacts: %zu\n", count);
    for (size_t i = 0; i < count; i++) {
        printf("%s %lld %lld %.17g %.17g\n", kind_name(list[i].kind), (long long)list[i].a, (long long)list[i].b,
               list[i].toi_lo, list[i].toi_hi);
    }

    ok(ccd_impacts_destroy(impacts));
    ok(ccd_mesh_destroy(mesh));
    free(list);
    free(faces);
    free(x0);
    free(x1);
    return 0;
}
