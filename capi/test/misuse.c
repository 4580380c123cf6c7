/*
 * misuse.c - every function of the interface, none left out, gets what no caller should pass: the table is made from ccd.h (`go run
 * ./interface misuse`). Nothing crashes or is CCD_E_INTERNAL; an error names an argument; no call that fails makes an object.
 *
 * What a caller owes stays owed: a pointer that is not NULL has what its count says. Counts are small, or so large that no memory has
 * them.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "steps.h"
#include "misuse_table.h"

#include <math.h>

enum { FUNCTIONS = sizeof functions / sizeof *functions, TYPES = sizeof types / sizeof *types };

static void *live[TYPES], *dead[TYPES]; /* a handle of each type, and one that was destroyed */

static uint32_t state = 1;
static uint32_t dice(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * n) >> 32);
}

/* ---- what is passed ---- */

enum { BYTES = 1 << 16, BUFFERS = 8 };
static union {
    unsigned char bytes[BYTES];
    double reals[BYTES / 8];
    int32_t numbers[BYTES / 4];
    void *words[BYTES / 8];
} buffer[BUFFERS];

static void fill(int i) {
    static const double odd[] = {0, -0.0, 1, -1, 0.5, NAN, INFINITY, 1e200, 1e-310, 1e150, 7};
    const int how = (int)dice(8);
    for (int k = 0; k < BYTES / 8; k++) {
        switch (how) {
        case 0:
            buffer[i].words[k] = NULL;
            break;
        case 1:
            memset(buffer[i].bytes + 8 * k, 0xff, 8);
            break;
        case 2:
            buffer[i].words[k] = live[dice(TYPES)];
            break;
        case 3: /* indices */
            buffer[i].numbers[2 * k] = (int32_t)dice(7);
            buffer[i].numbers[2 * k + 1] = (int32_t)dice(7) - (dice(50) == 0);
            break;
        case 4: /* kinds of elements, shapes */
            buffer[i].numbers[2 * k] = (int32_t)dice(16);
            buffer[i].numbers[2 * k + 1] = (int32_t)dice(4);
            break;
        case 5:
            buffer[i].reals[k] = odd[dice(sizeof odd / sizeof *odd)];
            break;
        default:
            buffer[i].reals[k] = (int)dice(9) * 0.25 - 1;
        }
    }
}

static size_t any_size(void) {
    static const size_t huge[] = {SIZE_MAX,          SIZE_MAX / 2,      SIZE_MAX / 8 + 1,
                                  SIZE_MAX / 12 + 2, SIZE_MAX / 24 + 1, SIZE_MAX / 192 + 1,
                                  (size_t)1 << 62,   (size_t)1 << 61,   (size_t)1 << 48};
    return dice(4) == 0 ? huge[dice(sizeof huge / sizeof *huge)] : dice(3) == 0 ? 6 : dice(9);
}

static int64_t any_number(void) {
    static const int64_t odd[] = {-1, INT32_MAX, INT32_MIN, 1 << 20, 300};
    return dice(4) == 0 ? odd[dice(5)] : (int64_t)dice(12);
}

static double any_real(void) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 1e200, 1e-310, 1e150, 2};
    return dice(3) == 0 ? odd[dice(8)] : (int)dice(5) * 0.25;
}

static const char *any_text(void) {
    static const char *const texts[] = {"", "/", "/nowhere/at.all", "misuse.obj", "misuse.csv", "\xff\xfe%s%n.ply", "."};
    return texts[dice(sizeof texts / sizeof *texts)];
}

/* The only type of a callback that is an argument. */
static int32_t visitor(const ccd_impact *impacts, size_t count, void *user) {
    (void)impacts, (void)user;
    return dice(4) == 0 && count > 0;
}

static ccd_stats stats;

/* The structs lie on pages of zeros: a size may say that they are longer. */
static void *any_options(void) {
    static union {
        ccd_options options;
        unsigned char page[8192];
    } u;
    static const size_t sizes[] = {0, 1, 8, 64, 71, 4096, 4104, SIZE_MAX};
    static const ccd_method methods[] = {
        CCD_METHOD_DEFAULT, CCD_METHOD_TIGHT_INCLUSION, CCD_METHOD_TIME_CONTRACTED, CCD_METHOD_EXACT,
        CCD_METHOD_D2M,     CCD_METHOD_D2M_SPHERES,     CCD_METHOD_VOLCCD};
    memset(&u, 0, sizeof u);
    ccd_options_init(&u.options, sizeof u.options);
    u.options.max_iterations = 200;
    switch (dice(10)) {
    case 0:
        u.options.struct_size = sizes[dice(8)];
        break;
    case 1:
        u.page[sizeof(ccd_options) + dice(64)] = 1;
        u.options.struct_size += 64;
        break;
    case 2:
        u.options.tolerance = any_real();
        u.options.t_max = any_real();
        u.options.t_min = dice(2) ? 0 : any_real();
        break;
    case 3:
        u.options.method = dice(2) ? methods[dice(7)] : (ccd_method)any_number();
        u.options.flags = dice(2) ? dice(64) : (uint32_t)any_number();
        break;
    case 4:
        u.options.threads = (int32_t)any_number();
        u.options.memory_limit = any_size();
        break;
    case 5:
        u.options.max_iterations = any_number();
        u.options.max_iterations = u.options.max_iterations > 300 ? 300 : u.options.max_iterations;
        break;
    case 6:
        u.options.scene_bound[dice(3)] = any_real();
        break;
    case 7:
        stats.struct_size = dice(2) ? sizeof stats : sizes[dice(8)];
        u.options.stats = &stats;
        break;
    default:
        u.options.min_separation = any_real();
        u.options.norm = dice(8) == 0 ? (int32_t)any_number() : (int32_t)dice(3);
        u.options.device = dice(8) == 0 ? (int32_t)any_number() : 0;
        u.options.device_index = dice(8) == 0 ? (int32_t)any_number() : 0;
    }
    return &u;
}

static void *any_object(int type) {
    switch (dice(8)) {
    case 0:
        return NULL;
    case 1:
        return dead[type];
    case 2:
        return live[dice(TYPES)];
    case 3:
        return (void *)buffer;
    case 4:
        return (void *)((uintptr_t)1 << dice(64));
    }
    return live[type];
}

/* Lists of garbage in a group, which may overlap those of another. */
static void *any_group(void) {
    static ccd_group groups[2];
    ccd_group *g = &groups[dice(2)];
    const int32_t **lists[] = {&g->vertices, &g->edges, &g->faces};
    size_t *counts[] = {&g->vertex_count, &g->edge_count, &g->face_count};
    for (int i = 0; i < 3; i++) {
        *lists[i] = dice(4) == 0 ? NULL : (const int32_t *)&buffer[dice(BUFFERS)];
        *counts[i] = (size_t)dice(4);
    }
    return g;
}

static void *made; /* what a call made */

static union value any(const struct argument *a) {
    union value v = {0};
    switch (a->class) {
    case NUMBER:
        v.number = any_number();
        break;
    case SIZE:
        v.size = any_size();
        break;
    case REAL:
        v.real = any_real();
        break;
    case TEXT:
        v.pointer = dice(8) == 0 ? NULL : (void *)any_text();
        break;
    case OPTIONS:
        v.pointer = dice(3) == 0 ? NULL : any_options();
        break;
    case GROUP: /* a struct with pointers: what it points to must be readable */
        v.pointer = dice(8) == 0 ? NULL : any_group();
        break;
    case OBJECT:
        v.pointer = any_object(a->type);
        break;
    case NEW_OBJECT:
        v.pointer = dice(8) == 0 ? NULL : &made;
        break;
    case CALLBACK: /* a function that is not NULL must be one */
        v.function = NULL;
        if (dice(8) != 0) {
            v.function = (void (*)(void))visitor;
        }
        break;
    case INPUT:
    case OUTPUT: /* they may overlap, too */
        v.pointer = dice(8) == 0 ? NULL : &buffer[dice(BUFFERS)];
    }
    return v;
}

/* ---- what must hold ---- */

/* The text names an argument, an option, a query, a patch, or the file. */
static int names_one(int f, const char *text) {
    for (int i = 0; i < functions[f].arguments; i++) {
        if (strstr(text, functions[f].argument[i].name) != NULL) {
            return 1;
        }
        if (functions[f].argument[i].class == TEXT && text[0] != 0) {
            return 1;
        }
    }
    return strstr(text, "options") != NULL || strstr(text, "query ") != NULL || strncmp(text, "patch ", 6) == 0;
}

static ccd_status call(int f, const union value *a) {
    char text[1024] = "";
    made = (void *)buffer;
    ccd_status status = functions[f].call(a);
    int bad = status > 0 || strcmp(ccd_status_name(status), "unknown status") == 0 || status == CCD_E_INTERNAL;
    for (int i = 0; i < functions[f].arguments; i++) {
        const struct argument *argument = &functions[f].argument[i];
        if (argument->class == NEW_OBJECT && a[i].pointer != NULL) {
            bad |= (status == CCD_OK) != (made != NULL);
            if (status == CCD_OK && types[argument->type].destroy(made) != CCD_OK) {
                bad = 1;
            }
        }
    }
    if (status != CCD_OK) {
        ccd_last_error(text, sizeof text);
        bad |= !names_one(f, text);
    }
    if (bad) {
        failures++;
        fprintf(stderr, "%s: %s: %s\n", functions[f].name, ccd_status_name(status), text);
    }
    return status;
}

/* Nothing at all: only calls on a list, of queries, constraints, normals or polygons, have an answer for an empty one. */
static void nothing(int f) {
    static const char *const lists[] = {"ccd_pairs_",        "ccd_volume_backtrack",
                                        "ccd_step_tangents", "ccd_step_effective_mass",
                                        "ccd_step_colors",   "ccd_polygons_cut"};
    const union value a[16] = {{0}};
    int empty = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        empty |= strncmp(functions[f].name, lists[i], strlen(lists[i])) == 0;
    }
    ccd_status status = call(f, a);
    CHECK(status != CCD_OK || empty || functions[f].arguments == 0);
}

/* Each handle in turn is none, the others are good: that one is named. */
static void handles(int f) {
    for (int i = 0; i < functions[f].arguments; i++) {
        const struct argument *wrong = &functions[f].argument[i];
        if (wrong->class != OBJECT) {
            continue;
        }
        void *const words[] = {NULL, dead[wrong->type], live[(wrong->type + 1) % TYPES], &state, (void *)(intptr_t)-1};
        for (int w = 0; w < 5; w++) {
            union value a[16] = {{0}};
            for (int k = 0; k < functions[f].arguments; k++) {
                const struct argument *argument = &functions[f].argument[k];
                a[k].pointer = argument->class == OBJECT ? live[argument->type] : NULL;
            }
            a[i].pointer = words[w];
            FAILS(functions[f].call(a), CCD_E_HANDLE, wrong->name);
        }
    }
}

static void anything(int f) {
    for (int round = 0; round < 400; round++) {
        union value a[16] = {{0}};
        for (int i = 0; round % 8 == 0 && i < BUFFERS; i++) {
            fill(i);
        }
        for (int i = 0; i < functions[f].arguments; i++) {
            a[i] = any(&functions[f].argument[i]);
        }
        const char *name = functions[f].name;
        if (strstr(name, "_destroy") != NULL || strncmp(name, "ccd_volume_", 11) == 0 ||
            strncmp(name, "ccd_mesh_set", 12) == 0) {
            for (int i = 0; i < functions[f].arguments; i++) { /* what changes an object gets none that is needed */
                a[i].pointer =
                    functions[f].argument[i].class == OBJECT && a[i].pointer == live[functions[f].argument[i].type]
                        ? dead[functions[f].argument[i].type]
                        : a[i].pointer;
            }
        }
        call(f, a);
    }
}

/* ---- a living object of each type ---- */

static int type_of(const char *name) {
    for (int i = 0; i < TYPES; i++) {
        if (strcmp(types[i].name, name) == 0) {
            return i;
        }
    }
    CHECK(!"a type of the header");
    return 0;
}
#define MAKE(type, call)                                                                                                   \
    do {                                                                                                                   \
        type *made_now = NULL;                                                                                             \
        type **out = &made_now;                                                                                            \
        OK(call);                                                                                                          \
        objects[type_of(#type)] = made_now;                                                                                \
    } while (0)

/* Columns need a device of NVIDIA's driver: where none can be used, NULL stands for them. */
static void make_columns(void **objects) {
    ccd_device_columns *columns = NULL;
    const ccd_status status = ccd_impacts_to_device(objects[type_of("ccd_impacts")], NULL, &columns);
    CHECK(status == CCD_OK ? columns != NULL : status == CCD_E_UNSUPPORTED && columns == NULL);
    objects[type_of("ccd_device_columns")] = columns;
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void make(void **objects) {
    static const int32_t kinds[1] = {CCD_ELEMENT_TETRAHEDRON}, corners[4] = {0, 1, 2, 3};
    static const double v0[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, .1, .1, 1}, v1[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, .1, .1, -1};
    static const int32_t sides[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    static const ccd_rigid_motion still = {.rotation = {1, 0, 0, 0}};
    static const ccd_rigid_motion motions[2] = {{.rotation = {1, 0, 0, 0}},
                                                {.rotation = {1, 0, 0, 0}, .position = {.1, .1, .1}}};
    static const ccd_patch_form form = {CCD_PATCH_QUAD, 1, 1};
    static const int32_t index[4] = {0, 1, 2, 3};
    static const double flat[12] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0},
                        crossed[12] = {0, 0, 1, 0, 1, 1, 1, 0, -1, 1, 1, -1};
    write_file("misuse.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_file("misuse.csv", "1,2,3,4,5,8,1\n1,2,3,4,5,8,1\n1,2,3,4,5,8,1\n1,2,3,4,5,8,1\n"
                             "1,2,3,4,5,8,1\n1,2,3,4,5,8,1\n1,2,3,4,5,8,1\n1,2,3,4,5,8,1\n");
    write_file("misuse.mesh", "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                              "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
    write_file("misuse.bpt", "1\n1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n");
    MAKE(ccd_mesh, ccd_mesh_create(TRI_VERTICES, NULL, 0, tri_faces, TRI_FACES, out));
    ccd_mesh *mesh = objects[type_of("ccd_mesh")];
    static const double dip[9] = {0, 0, 1, 0, 0, -3, 0, 0, 1};
    MAKE(ccd_motion, ccd_motion_create(1, 2, 1, NULL, dip, NULL, out));
    MAKE(ccd_candidates, ccd_broad_candidates(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, out));
    MAKE(ccd_scene, ccd_scene_create(mesh, tri_x0, TRI_VERTICES, out));
    MAKE(ccd_step, ccd_step_create(mesh, tri_x0, tri_x1, TRI_VERTICES, out));
    MAKE(ccd_neighbors, ccd_neighbors_create(mesh, tri_x0, TRI_VERTICES, 2, NULL, out));
    MAKE(ccd_impacts, ccd_step_collisions(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, out));
    make_columns(objects);
    MAKE(ccd_intervals, step_intervals(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, out));
    MAKE(ccd_constraints, step_activeset(mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, out));
    MAKE(ccd_intersections, ccd_proximity_intersections(mesh, tri_x0, TRI_VERTICES, NULL, out));
    MAKE(ccd_crossings, ccd_proximity_crossings(mesh, tri_x0, TRI_VERTICES, NULL, out));
    MAKE(ccd_near_pairs, ccd_proximity_near(mesh, tri_x0, TRI_VERTICES, 2, NULL, out));
    MAKE(ccd_nested_pairs, ccd_proximity_nested(mesh, tri_x0, TRI_VERTICES, NULL, out));
    MAKE(ccd_rigid_body, ccd_rigid_body_create(v0, 4, sides, 4, out));
    ccd_rigid_body *body = objects[type_of("ccd_rigid_body")], *const bodies[2] = {body, body};
    MAKE(ccd_rigid_scene_impacts, ccd_rigid_scene_collisions(bodies, motions, 2, NULL, NULL, 0, NULL, out));
    static const ccd_rigid_pose poses[2] = {{.rotation = {1, 0, 0, 0}}, {.rotation = {1, 0, 0, 0}}};
    MAKE(ccd_rigid_scene_gaps, ccd_rigid_scene_within(bodies, poses, 2, NULL, NULL, 0, 1, NULL, out));
    MAKE(ccd_rigid_manifold_points, ccd_rigid_manifold(body, poses, body, poses + 1, 1e-6, 0, NULL, NULL, out));
    MAKE(ccd_rigid_mesh_impacts,
         ccd_rigid_mesh_collisions(bodies, &still, 1, mesh, tri_x0, tri_x1, TRI_VERTICES, NULL, out));
    static const ccd_robot_joint joint = {CCD_JOINT_REVOLUTE,          0,   1,         0, 1, 0,
                                          {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}, {0, 0, 1}, 0};
    static const ccd_robot_shape robot_shapes[2] = {{0, 1, 1, 0, 0}, {1, -1, 1, 0, 0}};
    static const int32_t robot_pair[2] = {0, 1};
    MAKE(ccd_robot,
         ccd_robot_create(1, &joint, 1, robot_shapes, 2, v0, 2, NULL, NULL, 0, NULL, 0, robot_pair, 1, NULL, out));
    write_file("misuse.urdf",
               "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry></collision>"
               "</link></robot>");
    MAKE(ccd_robot_file, ccd_robot_file_read("misuse.urdf", NULL, NULL, 32, 0, out));
    static const ccd_robot_joint crank[3] = {
        {CCD_JOINT_REVOLUTE, 0, 1, 0, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 1}, 0},
        {CCD_JOINT_REVOLUTE, 1, 2, 1, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0}, {0, 0, 1}, 0},
        {CCD_JOINT_PRISMATIC, 0, 3, 2, 1, 0, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {1, 0, 0}, 0},
    };
    static const ccd_robot_loop pin = {2, 3, 2, 0, {3, 0, 0}, {0, 0, 0}, {1, 0, 0, 0, 1, 0}};
    static const int32_t follow[2] = {1, 2};
    static const double start[2] = {.3, 3.4}, turn[6] = {-.1, 0, 0, .1, 0, 0};
    MAKE(ccd_robot_closed, ccd_robot_closed_create(3, crank, 3, &pin, 1, follow, start, 2, turn, 1, 1, 1e-9, out));
    MAKE(ccd_volume, ccd_volume_create(4, kinds, 1, corners, 4, out));
    MAKE(ccd_volume_impacts, ccd_volume_collisions(objects[type_of("ccd_volume")], v0, v1, 4, 0, NULL, out));
    MAKE(ccd_patch_body, ccd_patch_body_create(4, &form, 1, index, 4, NULL, out));
    ccd_patch_body *patch = objects[type_of("ccd_patch_body")];
    MAKE(ccd_patch_impacts, ccd_patch_collisions(patch, flat, flat, 4, patch, crossed, crossed, 4, NULL, out));
    MAKE(ccd_surface_file, ccd_surface_file_read("misuse.obj", out));
    MAKE(ccd_cells, ccd_cells_read("misuse.mesh", out));
    MAKE(ccd_patch_model, ccd_patch_model_read("misuse.bpt", out));
}

int main(void) {
    make(live);
    make(dead);
    for (int i = 0; i < TYPES; i++) {
        if (i == type_of("ccd_device_columns") && live[i] == NULL) {
            continue;
        }
        CHECK(live[i] != NULL && dead[i] != NULL); /* there are handles of every type */
        OK(types[i].destroy(dead[i]));
    }
    for (int f = 0; f < FUNCTIONS; f++) {
        nothing(f);
        handles(f);
        anything(f);
    }
    for (int i = 0; i < TYPES; i++) {
        if (live[i] != NULL) {
            OK(types[i].destroy(live[i]));
        }
    }
    const char *const files[] = {"misuse.obj", "misuse.mesh", "misuse.bpt"};
    for (int i = 0; i < 3; i++) {
        remove(files[i]);
    }
    return done();
}
