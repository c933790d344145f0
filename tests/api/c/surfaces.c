/* Triangle meshes and height fields: added, read, asked. */
#include <math.h>

#include "check.h"

static const abut_vec3 kCorners[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}};
static const abut_mesh_triangle kFloor[] = {{{0, 3, 2}}, {{0, 2, 1}}}; /* the front is +Y */

static void check_reports(abut_store* store) {
    abut_shape_id mesh = ABUT_NO_SHAPE, field = ABUT_NO_SHAPE;
    abut_mesh_report report = {.size = sizeof report};
    abut_heightfield_report of_field = {.size = sizeof of_field};
    const uint32_t values[] = {7, 8};
    abut_mesh_options options = abut_mesh_options_default();
    CHECK(options.sides == ABUT_SIDES_FRONT && options.weld_tolerance == 0 && options.user_values == NULL);
    options.sides = ABUT_SIDES_BOTH, options.user_values = values, options.user_value_count = 2;
    RUNS(abut_store_add_mesh(store, kCorners, 4, kFloor, 2, NULL, &options, &mesh, &error));
    RUNS(abut_store_mesh_report(store, mesh, &report, &error));
    CHECK(report.triangles == 2 && report.vertices == 4 && report.flat_edges == 1 && report.open_edges == 4 &&
          report.sides == ABUT_SIDES_BOTH);
    CHECK(report.bytes > 0 && abut_shape_id_kind(mesh) == ABUT_MESH && abut_store_ids_left(store, ABUT_MESH) > 1000000);

    const float heights[] = {0, 0, 0, 0, 1, 0, NAN, 0, 0};
    abut_heightfield_options spaced = abut_heightfield_options_default();
    spaced.spacing_x = 0.5f;
    RUNS(abut_store_add_heightfield(store, heights, 3, 3, NULL, &spaced, &field, &error));
    RUNS(abut_store_heightfield_report(store, field, &of_field, &error));
    CHECK(of_field.rows == 3 && of_field.columns == 3 && of_field.holes == 1 && of_field.spacing_x == 0.5f &&
          of_field.spacing_z == 1);
    CHECK(of_field.triangles == 6 || of_field.triangles == 7);

    abut_vec3 vertices[8];
    abut_mesh_triangle triangles[4];
    float samples[9];
    size_t count = 0;
    RUNS(abut_store_mesh_vertices(store, mesh, vertices, 8, &count, &error));
    CHECK(count == 4);
    RUNS(abut_store_mesh_triangles(store, mesh, triangles, 4, &count, &error));
    CHECK(count == report.input_triangles && triangles[0].corners[0] < 4 &&
          triangles[0].corners[0] != triangles[0].corners[1]);
    RUNS(abut_store_mesh_triangles(store, mesh, NULL, 0, &count, &error));
    CHECK(count == report.input_triangles);
    CHECK(abut_store_triangle_user_value(store, mesh, 99) == 0 && abut_store_triangle_user_value(NULL, mesh, 0) == 0);
    RUNS(abut_store_field_heights(store, field, samples, 9, &count, &error));
    CHECK(count == 9 && samples[4] == 1 && isnan(samples[6]));
    REFUSED(ABUT_BAD_ARGUMENT, "vertices is null", abut_store_mesh_vertices(store, mesh, NULL, 4, &count, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "expected a mesh",
            abut_store_mesh_triangles(store, field, triangles, 4, &count, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "expected a heightfield",
            abut_store_field_heights(store, mesh, samples, 9, &count, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "expected a heightfield", abut_store_heightfield_report(store, mesh, &of_field, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "triangles",
            abut_store_add_mesh(store, kCorners, 4, NULL, 2, NULL, NULL, &mesh, &error));
    REFUSED(ABUT_BAD_SHAPE, "triangles[",
            abut_store_add_mesh(store, kCorners, 3, kFloor, 2, NULL, NULL, &mesh, &error));
    options.sides = 2;
    REFUSED(ABUT_BAD_ARGUMENT, "sides is 2",
            abut_store_add_mesh(store, kCorners, 4, kFloor, 2, NULL, &options, &mesh, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "heights", abut_store_add_heightfield(store, NULL, 3, 3, NULL, NULL, &field, &error));
}

static void check_cells(abut_store* store) {
    abut_shape_id field = ABUT_NO_SHAPE;
    abut_heightfield_report report = {.size = sizeof report};
    const float heights[9] = {0};
    const uint8_t cells[4] = {ABUT_CELL_HOLE, ABUT_CELL_OTHER_DIAGONAL, 0, 0}, bad[2] = {0, 4};
    uint8_t read[4];
    size_t count = 0;
    abut_heightfield_options options = abut_heightfield_options_default();
    options.cells = cells, options.cell_count = 4;
    RUNS(abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
    RUNS(abut_store_heightfield_report(store, field, &report, &error));
    CHECK(report.hole_cells == 1 && report.other_diagonals == 1 && report.triangles == 6 && report.holes == 0);
    RUNS(abut_store_field_cells(store, field, read, 4, &count, &error));
    CHECK(count == 4 && memcmp(read, cells, 4) == 0);
    RUNS(abut_store_field_cells(store, field, NULL, 0, &count, &error));
    CHECK(count == 4);
    options.cell_count = 3;
    REFUSED(ABUT_BAD_SHAPE, "cells has 3 flags",
            abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
    options.cells = NULL;
    REFUSED(ABUT_BAD_ARGUMENT, "abut_heightfield_options.cells",
            abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
    options.cells = bad + 1, options.cell_count = 1;
    REFUSED(ABUT_BAD_SHAPE, "cells[0] is 4",
            abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
    /* A header without cells: the structs end before them. */
    options.size = offsetof(abut_heightfield_options, cells);
    RUNS(abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
    report.size = offsetof(abut_heightfield_report, hole_cells);
    report.hole_cells = 99;
    RUNS(abut_store_heightfield_report(store, field, &report, &error));
    CHECK(report.hole_cells == 99 && report.triangles == 8);
    /* What is below is solid. */
    options = abut_heightfield_options_default();
    options.thickness = 0.5f, report.size = sizeof report;
    RUNS(abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
    RUNS(abut_store_heightfield_report(store, field, &report, &error));
    CHECK(report.thickness == 0.5f);
    options.thickness = -1;
    REFUSED(ABUT_BAD_SHAPE, "thickness must be 0 or more",
            abut_store_add_heightfield(store, heights, 3, 3, NULL, &options, &field, &error));
}

static void check_cooked(abut_store* store) {
    abut_cooked_mesh *cooked = NULL, *again = NULL;
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_mesh_report report = {.size = sizeof report};
    unsigned char bytes[1024], copy[1024];
    RUNS(abut_cook_mesh(kCorners, 4, kFloor, 2, NULL, &cooked, &error));
    const size_t count = abut_cooked_mesh_byte_count(cooked);
    CHECK(count == 72 + 4 * 12 + 2 * 28 && abut_cooked_mesh_byte_count(NULL) == 0);
    REFUSED(ABUT_BAD_SIZE, "bytes has room for 3", abut_cooked_mesh_write(cooked, bytes, 3, &error));
    RUNS(abut_cooked_mesh_write(cooked, bytes, sizeof bytes, &error));
    RUNS(abut_cooked_mesh_read(bytes, count, &again, &error));
    RUNS(abut_cooked_mesh_write(again, copy, sizeof copy, &error));
    CHECK(memcmp(bytes, copy, count) == 0);
    RUNS(abut_cooked_mesh_report(again, &report, &error));
    CHECK(report.triangles == 2 && report.flat_edges == 1 && report.open_edges == 4);
    RUNS(abut_store_add_cooked_mesh(store, again, NULL, &id, &error));
    CHECK(abut_shape_id_kind(id) == ABUT_MESH);
    abut_cooked_mesh_destroy(again);
    abut_cooked_mesh_destroy(cooked);
    abut_mesh_options solid = abut_mesh_options_default();
    solid.solid = true, again = NULL;
    REFUSED(ABUT_BAD_SHAPE, "solid is true, but the mesh has 4 open edges",
            abut_cook_mesh(kCorners, 4, kFloor, 2, &solid, &again, &error));
    RUNS(abut_store_mesh_report(store, id, &report, &error)); /* the store keeps what it needs */
    again = NULL;
    bytes[count / 2] ^= 0x55;
    REFUSED(ABUT_BAD_SHAPE, "checksum", abut_cooked_mesh_read(bytes, count, &again, &error));
    CHECK(abut_cooked_mesh_read(bytes, count - 1, &again, NULL) != ABUT_OK && again == NULL);
    REFUSED(ABUT_BAD_SHAPE, "triangles[0][1] is 3", abut_cook_mesh(kCorners, 3, kFloor, 2, NULL, &again, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "mesh is null", abut_store_add_cooked_mesh(store, NULL, NULL, &id, &error));
}

static void check_answers(abut_store* store) {
    abut_shape_id ids[3];
    const float heights[] = {0, 0, 0, 0};
    abut_heightfield_options spaced = abut_heightfield_options_default();
    spaced.spacing_x = spaced.spacing_z = 4;
    RUNS(abut_store_add_mesh(store, kCorners, 4, kFloor, 2, NULL, NULL, &ids[0], &error));
    RUNS(abut_store_add_heightfield(store, heights, 2, 2, NULL, &spaced, &ids[1], &error));
    RUNS(abut_store_add_sphere(store, 1, NULL, &ids[2], &error));

    abut_body bodies[3];
    memset(bodies, 0, sizeof bodies);
    for (int i = 0; i < 3; ++i) bodies[i].shape = ids[i], bodies[i].orientation.w = 1;
    bodies[2].position.x = 2, bodies[2].position.y = 1.5f, bodies[2].position.z = 1;
    const abut_pair pairs[] = {{0, 2}, {2, 1}};
    float distances[2] = {0, 0};
    abut_status statuses[2];
    abut_frame frame = abut_frame_default();
    frame.shapes = store;
    frame.bodies = abut_body_records(bodies, 3);
    frame.pairs = abut_array(pairs, 2);
    const abut_distance_columns columns = {
        .size = sizeof columns, .count = 2, .signed_distance = distances, .status = statuses};
    abut_narrow_phase* narrow = NULL;
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    RUNS(abut_narrow_phase_distance(narrow, &frame, &columns, NULL, &error));
    CHECK(statuses[0] == ABUT_STATUS_OK && fabsf(distances[0] - 0.5f) < 1e-5f);
    CHECK(statuses[1] == ABUT_STATUS_OK && fabsf(distances[1] - 0.5f) < 1e-5f);
    uint32_t first[3], triangles[8];
    abut_manifold found[2];
    abut_contact contacts[8];
    abut_manifold_columns m = {.size = sizeof m,
                               .first_manifold = first,
                               .first_manifold_count = 3,
                               .manifolds = found,
                               .manifold_room = 2,
                               .contacts = contacts,
                               .contact_room = 8,
                               .triangles = triangles};
    bodies[2].position.y = 1, bodies[2].position.x = 1, bodies[2].position.z = 2;
    RUNS(abut_narrow_phase_collide(narrow, &frame, &m, &error));
    CHECK(m.manifold_count == 2 && triangles[0] == found[0].child_a && triangles[1] == found[1].child_b);
    abut_narrow_phase_destroy(narrow);
}

static void check_sharing(void) {
    abut_store* store = NULL;
    abut_shape_id ids[3];
    size_t counts[3];
    RUNS(abut_store_create(&store, &error));
    for (int i = 0; i < 3; ++i) {
        RUNS(abut_store_share_equal(store, i == 1, &error));
        RUNS(abut_store_add_mesh(store, kCorners, 4, kFloor, 2, NULL, NULL, &ids[i], &error));
        counts[i] = abut_store_byte_count(store);
    }
    CHECK(ids[0] != ids[1] && ids[1] != ids[2] && counts[1] - counts[0] < counts[2] - counts[1]);
    REFUSED(ABUT_BAD_ARGUMENT, "store is null", abut_store_share_equal(NULL, true, &error));
    abut_store_destroy(store);
}

void test_surfaces(void) {
    abut_store* store = NULL;
    RUNS(abut_store_create(&store, &error));
    check_reports(store);
    check_cells(store);
    check_sharing();
    check_cooked(store);
    check_answers(store);
    abut_store_destroy(store);
}
