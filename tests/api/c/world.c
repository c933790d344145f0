/* Rays, overlaps and casts against a whole world, and what is refused. */
#include "check.h"

enum { kBodies = 40 };

struct world_scene {
    abut_store* store;
    abut_world_tree* tree;
    abut_body records[kBodies];
    abut_bounds bounds[kBodies];
    uint32_t groups[kBodies];
    abut_bodies bodies;
    abut_world world;
};

/* Balls of half a metre along x, every metre; the last one has a bad pose. */
static void make_world(struct world_scene* scene) {
    abut_shape_id ball = ABUT_NO_SHAPE;
    memset(scene, 0, sizeof *scene);
    RUNS(abut_store_create(&scene->store, &error));
    RUNS(abut_store_add_sphere(scene->store, 0.5f, NULL, &ball, &error));
    for (int i = 0; i < kBodies; ++i) {
        const abut_body body = {{2 * (float)i, 0, 0}, ball, {0, 0, 0, i + 1 < kBodies ? 1.0f : 0.0f}};
        scene->records[i] = body, scene->groups[i] = i % 2 ? 1u : 2u;
    }
    scene->bodies = abut_body_records(scene->records, kBodies);
    RUNS(abut_world_bounds(scene->store, &scene->bodies, scene->bounds, kBodies, NULL, &error));
    RUNS(abut_world_tree_create(NULL, &scene->tree, &error));
    const abut_boxes boxes = {.size = sizeof boxes,
                              .bounds = abut_array(scene->bounds, kBodies),
                              .groups = abut_array(scene->groups, kBodies)};
    RUNS(abut_world_tree_build(scene->tree, &boxes, NULL, &error));
    const uint32_t* bad = NULL;
    CHECK(abut_world_tree_bad(scene->tree, &bad) == 1 && bad[0] == kBodies - 1);
    scene->world = (abut_world){sizeof(abut_world), scene->store, &scene->bodies, scene->tree};
}

static void check_rays(const struct world_scene* scene, abut_narrow_phase* narrow) {
    const abut_vec3 origins[] = {{-1, 0, 0}, {6, 3, 0}, {0, 9, 0}}, directions[] = {{10, 0, 0}, {0, -6, 0}, {0, 1, 0}};
    const abut_query_sides sides[] = {ABUT_QUERY_FRONT, ABUT_QUERY_BACK, ABUT_QUERY_BOTH};
    const abut_rays rays = {.size = sizeof rays,
                            .origins = abut_array(origins, 3),
                            .directions = abut_array(directions, 3),
                            .sides = sides};
    uint32_t body[6], left_out[3];
    double fraction[6];
    abut_vec3 normal[6];
    abut_world_ray_columns out = {.size = sizeof out,
                                  .count = 3,
                                  .slot_count = 6,
                                  .body = body,
                                  .fraction = fraction,
                                  .normal = normal,
                                  .left_out = left_out};
    RUNS(abut_narrow_phase_raycast_world(narrow, &scene->world, &rays, &out, NULL, &error));
    CHECK(body[0] == 0 && body[1] == 3 && body[2] == ABUT_NO_BODY);
    CHECK(fraction[0] > 0.049 && fraction[0] < 0.051 && normal[0].x < -0.999f && fraction[2] == 1);
    abut_world_ray_options options = abut_world_ray_options_default();
    CHECK(options.max_hits == 1 && !options.any && !options.count_left_out);
    options.max_hits = 2, options.count_left_out = true;
    RUNS(abut_narrow_phase_raycast_world(narrow, &scene->world, &rays, &out, &options, &error));
    CHECK(body[0] == 0 && body[1] == 1 && body[2] == 3 && body[3] == ABUT_NO_BODY);
    CHECK(left_out[0] == 3 && left_out[1] == 0);
    /* The first ray sees odd bodies, the second one not the body that it hit. */
    const uint32_t masks[] = {1, 3, 3}, ignored[] = {ABUT_NO_BODY, 3, ABUT_NO_BODY};
    const abut_world_filter filter = {
        .size = sizeof filter, .masks = abut_array(masks, 3), .ignored = abut_array(ignored, 3)};
    options.filter = &filter;
    RUNS(abut_narrow_phase_raycast_world(narrow, &scene->world, &rays, &out, &options, &error));
    CHECK(body[0] == 1 && body[1] == 3 && body[2] == ABUT_NO_BODY && left_out[0] == 0);
    options.max_hits = 0;
    REFUSED(ABUT_BAD_ARGUMENT, "max_hits is 0",
            abut_narrow_phase_raycast_world(narrow, &scene->world, &rays, &out, &options, &error));
    options.max_hits = 3;
    REFUSED(ABUT_BAD_SIZE, "WorldRayColumns::body",
            abut_narrow_phase_raycast_world(narrow, &scene->world, &rays, &out, &options, &error));
    abut_world none = scene->world;
    none.tree = NULL;
    REFUSED(ABUT_BAD_ARGUMENT, "abut_world.tree is null",
            abut_narrow_phase_raycast_world(narrow, &none, &rays, &out, NULL, &error));
}

static void check_shapes(const struct world_scene* scene, abut_narrow_phase* narrow) {
    abut_body shapes[2], ends[2];
    shapes[0] = (abut_body){{1, 0, 0}, scene->records[0].shape, {0, 0, 0, 1}};
    shapes[1] = (abut_body){{4, 5, 0}, scene->records[0].shape, {0, 0, 0, 1}};
    memcpy(ends, shapes, sizeof shapes);
    ends[0].position.y = 9, ends[1].position.y = -5;
    const abut_bodies queries = abut_body_records(shapes, 2), moved = abut_body_records(ends, 2);
    abut_pair pairs[1];
    abut_status status[2];
    abut_world_overlap_columns found = {
        .size = sizeof found, .count = 2, .pairs = pairs, .pair_room = 1, .status = status};
    RUNS(abut_narrow_phase_overlap_world(narrow, &scene->world, &queries, &found, NULL, &error));
    CHECK(found.pair_count == 2 && pairs[0].a == 0 && pairs[0].b == 0 && status[1] == ABUT_STATUS_OK);
    const abut_motions motions = {.size = sizeof motions, .ends = &moved, .end_count = 1};
    uint32_t body[2];
    double time[2];
    abut_world_cast_columns out = {.size = sizeof out, .count = 2, .body = body, .time = time};
    abut_world_cast_options options = abut_world_cast_options_default();
    CHECK(options.tolerance > 0 && options.start == ABUT_CAST_STOP);
    options.start = ABUT_CAST_IGNORE;
    RUNS(abut_narrow_phase_cast_world(narrow, &scene->world, &queries, &motions, &out, &options, &error));
    CHECK(body[0] == ABUT_NO_BODY && time[0] == 1 && body[1] == 2 && time[1] > 0.39 && time[1] < 0.41);
    options.start = 7;
    REFUSED(ABUT_BAD_ARGUMENT, "start is 7",
            abut_narrow_phase_cast_world(narrow, &scene->world, &queries, &motions, &out, &options, &error));
}

void test_world(void) {
    struct world_scene scene;
    abut_narrow_phase* narrow = NULL;
    make_world(&scene);
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    check_rays(&scene, narrow);
    check_shapes(&scene, narrow);
    REFUSED(ABUT_BAD_ARGUMENT, "tree", abut_world_tree_create(NULL, NULL, &error));
    abut_narrow_phase_destroy(narrow);
    abut_world_tree_destroy(scene.tree);
    abut_world_tree_destroy(NULL);
    abut_store_destroy(scene.store);
}
