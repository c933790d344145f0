/* Every shape, what a store says of it, hulls cooked without a store, a custom shape in C. */
#include <math.h>

#include "check.h"

/* A ball of radius lengths.x, by its support function. */
static void ball_lanes(size_t count, const float* lengths, const float* directions, float* points) {
    for (size_t i = 0; i < count; ++i) {
        const float x = directions[i], y = directions[count + i], z = directions[2 * count + i];
        const float r = lengths[i] / sqrtf(x * x + y * y + z * z);
        points[i] = r * x, points[count + i] = r * y, points[2 * count + i] = r * z;
    }
}

static abut_dvec3 ball(const abut_dvec3* lengths, const abut_dvec3* d) {
    const double r = lengths->x / sqrt(d->x * d->x + d->y * d->y + d->z * d->z);
    const abut_dvec3 point = {r * d->x, r * d->y, r * d->z};
    return point;
}

static const abut_custom_shape kBall = {"ball", ball_lanes, ball};

static const abut_vec3 kOctahedron[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const abut_vec3 kCube[] = {{1, 2, 3},  {-1, 2, 3},  {1, -2, 3},  {-1, -2, 3},
                                  {1, 2, -3}, {-1, 2, -3}, {1, -2, -3}, {-1, -2, -3}};

static void check_kinds(abut_store* store) {
    const abut_vec3 lengths = {0.5f, 0.5f, 0.5f}, up = {0, 2, 0};
    abut_instance_options options = abut_instance_options_default();
    abut_shape_id id[9];
    options.rounding = 0.125f;
    RUNS(abut_store_add_sphere(store, 0.5f, NULL, &id[0], &error));
    RUNS(abut_store_add_capsule(store, 0.5f, 1, NULL, &id[1], &error));
    RUNS(abut_store_add_box(store, lengths, &options, &id[2], &error));
    RUNS(abut_store_add_hull(store, kOctahedron, 6, NULL, NULL, &id[3], &error));
    RUNS(abut_store_add_cylinder(store, 0.5f, 1, NULL, &id[4], &error));
    RUNS(abut_store_add_cone(store, 0.5f, 1, NULL, &id[5], &error));
    RUNS(abut_store_add_ellipsoid(store, lengths, NULL, &id[6], &error));
    RUNS(abut_store_add_custom(store, &kBall, lengths, NULL, &id[7], &error));
    RUNS(abut_store_add_halfspace(store, up, 1, NULL, &id[8], &error));
    for (abut_shape_kind kind = 0; kind < 9; ++kind) {
        abut_shape_view view = {.size = sizeof view};
        CHECK(abut_shape_id_kind(id[kind]) == kind && abut_store_contains(store, id[kind]));
        RUNS(abut_store_view(store, id[kind], &view, &error));
        CHECK(view.kind == kind && view.scale.x == 1 && view.rounding == (kind == ABUT_BOX ? 0.125f : 0.0f));
        CHECK(view.custom == (kind == ABUT_CUSTOM ? &kBall : NULL));
        CHECK(abut_store_ids_left(store, kind) > 1000000);
    }
    CHECK(abut_store_size(store) == 9);

    options.scale.x = 2, options.scale.y = 3, options.scale.z = 4;
    abut_shape_id twin = ABUT_NO_SHAPE;
    abut_shape_view view = {.size = sizeof view};
    RUNS(abut_store_add_instance(store, id[3], &options, &twin, &error));
    RUNS(abut_store_view(store, twin, &view, &error));
    CHECK(view.bounds_max.y == 3.125f && view.bounds_min.z == -4.125f);
    RUNS(abut_store_set_user_data(store, twin, 1234567890123u, &error));
    RUNS(abut_store_set_instance(store, twin, NULL, &error));
    RUNS(abut_store_view(store, twin, &view, &error));
    CHECK(view.bounds_max.y == 1 && abut_store_user_data(store, twin) == 1234567890123u);
    RUNS(abut_store_remove(store, twin, &error));
    CHECK(!abut_store_contains(store, twin) && abut_store_user_data(store, twin) == 0);
    RUNS(abut_store_forget_removed(store, &error));
}

/* A capsule from one point of its body to another. */
static void check_poses(abut_store* store) {
    const abut_vec3 bottom = {1, 0, 0}, top = {1, 0, 3};
    abut_instance_options options = abut_instance_options_default();
    CHECK(options.pose.orientation.w == 1 && options.pose.position.x == 0);
    float half_height = 0;
    abut_axis_between(bottom, top, &half_height, &options.pose);
    CHECK(half_height == 1.5f && options.pose.position.x == 1 && options.pose.position.z == 1.5f);
    abut_shape_id id = ABUT_NO_SHAPE;
    RUNS(abut_store_add_capsule(store, 0.25f, half_height, &options, &id, &error));
    abut_shape_view view = {.size = sizeof view};
    RUNS(abut_store_view(store, id, &view, &error));
    CHECK(memcmp(&view.pose, &options.pose, sizeof view.pose) == 0 && view.bounds_max.y == 1.75f);
    abut_body body;
    abut_bounds bounds;
    memset(&body, 0, sizeof body);
    body.shape = id, body.orientation.w = 1;
    abut_bodies bodies;
    memset(&bodies, 0, sizeof bodies);
    bodies.records.data = &body, bodies.records.count = 1;
    RUNS(abut_world_bounds(store, &bodies, &bounds, 1, NULL, &error));
    CHECK(bounds.max.z > 3.2499f && bounds.max.z < 3.2501f && bounds.min.x > 0.7499f && bounds.min.x < 0.7501f);
    /* A header without poses: the struct ends before it. */
    options.size = offsetof(abut_instance_options, pose);
    options.pose.orientation.w = 9;
    RUNS(abut_store_set_instance(store, id, &options, &error));
    RUNS(abut_store_view(store, id, &view, &error));
    CHECK(view.pose.position.x == 0 && view.pose.orientation.w == 1);
    options.size = sizeof options;
    REFUSED(ABUT_BAD_SHAPE, "pose.orientation", abut_store_set_instance(store, id, &options, &error));
    RUNS(abut_store_remove(store, id, &error));
}

static void check_hulls(abut_store* store) {
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_hull_report report = {.size = sizeof report};
    abut_hull_face face;
    const abut_hull_edge* edges = NULL;
    abut_vec3 vertices[6];
    size_t count = 0;
    RUNS(abut_store_add_hull(store, kOctahedron, 6, NULL, NULL, &id, &error));
    RUNS(abut_store_hull_report(store, id, &report, &error));
    CHECK(report.vertices == 6 && report.faces == 8 && report.edges == 12 && report.dimension == 3 && !report.is_box);
    RUNS(abut_store_hull_vertices(store, id, vertices, 6, &count, &error));
    CHECK(count == 6);
    RUNS(abut_store_hull_vertices(store, id, NULL, 0, &count, &error));
    CHECK(count == 6);
    for (uint32_t f = 0; f < report.faces; ++f) {
        RUNS(abut_store_hull_face(store, id, f, &face, &error));
        CHECK(face.corner_count == 3 && fabsf(face.offset - 0.57735f) < 1e-5f);
        for (size_t i = 0; i < face.corner_count; ++i) {
            const abut_vec3 v = vertices[face.corners[i]];
            CHECK(fabsf(face.normal.x * v.x + face.normal.y * v.y + face.normal.z * v.z - face.offset) < 1e-6f);
        }
    }
    REFUSED(ABUT_BAD_ARGUMENT, "face is 8, the hull has 8", abut_store_hull_face(store, id, 8, &face, &error));
    RUNS(abut_store_hull_edges(store, id, &edges, &count, &error));
    CHECK(count == 12 && edges[0].v0 < edges[0].v1 && edges[0].f0 != edges[0].f1);

    const abut_vec3 wide = {2, 1, 1};
    abut_hull_face scaled;
    RUNS(abut_scaled_hull_face(&face, wide, &scaled, &error));
    CHECK(fabsf(scaled.normal.x) < fabsf(scaled.normal.y) && scaled.corner_count == 3);

    abut_mass_properties mass;
    RUNS(abut_store_mass_properties(store, id, 3, &mass, &error));
    CHECK(fabs(mass.volume - 4.0 / 3) < 1e-9 && fabs(mass.mass - 4) < 1e-9 && fabs(mass.centre[0]) < 1e-9);
}

static void check_boxes(abut_store* store) {
    abut_hull_options options = abut_hull_options_default();
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_shape_view view = {.size = sizeof view};
    abut_cooked_hull* cooked = NULL;
    abut_hull_report report = {.size = sizeof report};
    RUNS(abut_cook_hull(kCube, 8, NULL, &cooked, &error));
    RUNS(abut_cooked_hull_report(cooked, &report, &error));
    CHECK(report.is_box && report.box_half_extents.y == 2 && report.box_centre.z == 0);
    abut_cooked_hull_destroy(cooked);
    options.recognise_box = true;
    RUNS(abut_store_add_hull(store, kCube, 8, NULL, &options, &id, &error));
    RUNS(abut_store_view(store, id, &view, &error));
    CHECK(view.kind == ABUT_BOX && view.half_extents.x == 1 && view.half_extents.y == 2 && view.half_extents.z == 3);
}

static void check_cooked_bytes(abut_store* store) {
    abut_cooked_hull *cooked = NULL, *again = NULL;
    abut_shape_id id = ABUT_NO_SHAPE;
    unsigned char bytes[4096], copy[4096];
    RUNS(abut_cook_hull(kOctahedron, 6, NULL, &cooked, &error));
    const size_t count = abut_cooked_hull_byte_count(cooked);
    CHECK(count > 0 && count <= sizeof bytes);
    REFUSED(ABUT_BAD_SIZE, "bytes has room for 3", abut_cooked_hull_write(cooked, bytes, 3, &error));
    RUNS(abut_cooked_hull_write(cooked, bytes, sizeof bytes, &error));
    RUNS(abut_cooked_hull_read(bytes, count, &again, &error));
    RUNS(abut_cooked_hull_write(again, copy, sizeof copy, &error));
    CHECK(memcmp(bytes, copy, count) == 0);
    RUNS(abut_store_add_cooked_hull(store, again, NULL, &id, &error));
    CHECK(abut_shape_id_kind(id) == ABUT_HULL);
    abut_cooked_hull_destroy(again);
    abut_cooked_hull_destroy(cooked);
    again = NULL;
    bytes[count / 2] ^= 0x55;
    CHECK(abut_cooked_hull_read(bytes, count, &again, NULL) != ABUT_OK && again == NULL);
    CHECK(abut_cooked_hull_read(bytes, count - 1, &again, NULL) != ABUT_OK && again == NULL);
}

static void check_compounds(abut_store* store) {
    const abut_vec3 half = {0.5f, 0.5f, 0.5f};
    abut_shape_id box = ABUT_NO_SHAPE, compound = ABUT_NO_SHAPE;
    RUNS(abut_store_add_box(store, half, NULL, &box, &error));
    const abut_compound_child children[] = {{box, {-1, 0, 0}, {0, 0, 0, 1}, 11}, {box, {1, 0, 0}, {0, 0, 0, 1}, 22}};
    RUNS(abut_store_add_compound(store, children, 2, NULL, &compound, &error));
    abut_compound_child read[2];
    size_t count = 0;
    RUNS(abut_store_compound_children(store, compound, read, 2, &count, &error));
    CHECK(count == 2 && read[1].position.x == 1 && read[1].user_data == 22);
    CHECK(abut_store_child_user_data(store, compound, 0) == 11 && abut_store_child_user_data(store, compound, 1) == 22);
    CHECK(abut_store_child_user_data(store, compound, 2) == 0);
    abut_shape_id cloud = ABUT_NO_SHAPE;
    RUNS(abut_store_add_point_cloud(store, &half, 1, 0.1f, NULL, &cloud, &error));
    RUNS(abut_store_compound_children(store, cloud, read + 1, 1, &count, &error));
    CHECK(count == 1 && read[1].position.z == 0.5f);
    REFUSED(ABUT_BAD_SHAPE, "radius", abut_store_add_point_cloud(store, &half, 1, -1, NULL, &cloud, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "compound's own", abut_store_remove(store, read[0].shape, &error));
}

void test_shapes(void) {
    abut_store* store = NULL;
    RUNS(abut_store_create(&store, &error));
    check_kinds(store);
    check_poses(store);
    check_hulls(store);
    check_boxes(store);
    check_cooked_bytes(store);
    check_compounds(store);
    abut_store_destroy(store);
}
