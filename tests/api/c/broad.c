/* Candidate pairs: from bodies to contacts in three calls, two sets, rays, bad boxes and refused arguments. */
#include "check.h"

enum { kBodies = 4 };

static void check_three_calls(void) {
    abut_store* store = NULL;
    abut_narrow_phase* narrow = NULL;
    abut_manifolds* manifolds = NULL;
    abut_broad_phase* broad = NULL;
    const abut_vec3 half = {0.5f, 0.5f, 0.5f};
    abut_shape_id box = ABUT_NO_SHAPE;
    RUNS(abut_store_create(&store, &error));
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    RUNS(abut_manifolds_create(&manifolds, &error));
    RUNS(abut_broad_phase_create(NULL, &broad, &error));
    RUNS(abut_store_add_box(store, half, NULL, &box, &error));
    abut_body bodies[kBodies];
    for (int i = 0; i < kBodies; ++i) {
        const abut_body body = {{0.9f * (float)i, 0, 0}, box, {0, 0, 0, 1}};
        bodies[i] = body;
    }
    abut_bounds bounds[kBodies];
    const abut_bodies columns = abut_body_records(bodies, kBodies);
    abut_boxes boxes = {.size = sizeof boxes};
    abut_pair_list list = {.size = sizeof list};
    abut_frame frame = abut_frame_default();
    abut_manifold_columns answer = {.size = sizeof answer};
    RUNS(abut_world_bounds(store, &columns, bounds, kBodies, NULL, &error));
    boxes.bounds = abut_array(bounds, kBodies);
    RUNS(abut_broad_phase_find_pairs(broad, &boxes, &list, &error));
    CHECK(list.pair_count == 3 && list.bad_a_count == 0 && list.bad_b_count == 0);
    for (uint32_t i = 0; i < 3; ++i) CHECK(list.pairs[i].a == i && list.pairs[i].b == i + 1);
    frame.shapes = store;
    frame.bodies = columns;
    frame.pairs = abut_array(list.pairs, list.pair_count);
    RUNS(abut_narrow_phase_collide_all(narrow, &frame, manifolds, &error));
    RUNS(abut_manifolds_columns(manifolds, &answer, &error));
    CHECK(answer.manifold_count == 3 && answer.contact_count == 12);

    abut_bounds swept[kBodies];
    const abut_column none = {NULL, 0, 0};
    RUNS(abut_swept_bounds(store, &columns, &columns, swept, kBodies, NULL, none, &error));
    CHECK(memcmp(swept, bounds, sizeof bounds) == 0);
    REFUSED(ABUT_BAD_ARGUMENT, "end", abut_swept_bounds(store, &columns, NULL, swept, kBodies, NULL, none, &error));

    abut_previous_pair previous[3];
    const abut_pair now[3] = {{0, 1}, {0, 2}, {2, 3}};
    RUNS(abut_match_pairs(list.pairs, list.pair_count, now, 3, previous, &error));
    CHECK(previous[0].index == 0 && previous[1].index == ABUT_NO_PAIR && previous[2].index == 2);
    REFUSED(ABUT_BAD_ARGUMENT, "now", abut_match_pairs(NULL, 0, NULL, 3, previous, &error));

    abut_broad_phase_destroy(broad);
    abut_manifolds_destroy(manifolds);
    abut_narrow_phase_destroy(narrow);
    abut_store_destroy(store);
}

static void check_sets_and_rays(void) {
    const abut_bounds a[2] = {{{0, 0, 0}, {1, 1, 1}}, {{5, 5, 5}, {4, 6, 6}}},
                      b[2] = {{{9, 9, 9}, {9, 9, 9}}, {{1, 1, 1}, {2, 2, 2}}};
    const abut_vec3 origins[2] = {{-1, 0.5f, 0.5f}, {0, 0, 0}}, directions[2] = {{1, 0, 0}, {0, 0, 0}};
    abut_broad_settings settings = abut_broad_settings_default();
    abut_broad_phase* broad = NULL;
    abut_boxes first = {.size = sizeof first}, second = {.size = sizeof second};
    abut_box_rays rays = {.size = sizeof rays};
    abut_pair_list list = {.size = sizeof list};
    settings.executor = abut_serial_executor();
    RUNS(abut_broad_phase_create(&settings, &broad, &error));
    first.bounds = abut_array(a, 2);
    second.bounds = abut_array(b, 2);
    RUNS(abut_broad_phase_find_pairs_of_sets(broad, &first, &second, &list, &error));
    CHECK(list.pair_count == 1 && list.pairs[0].a == 0 && list.pairs[0].b == 1);
    CHECK(list.bad_a_count == 1 && list.bad_a[0] == 1 && list.bad_b_count == 0);
    rays.origins = abut_array(origins, 2);
    rays.directions = abut_array(directions, 2);
    RUNS(abut_broad_phase_find_ray_pairs(broad, &rays, &first, &list, &error));
    CHECK(list.pair_count == 1 && list.pairs[0].a == 0 && list.pairs[0].b == 0);
    CHECK(list.bad_a_count == 1 && list.bad_a[0] == 1 && list.bad_b_count == 1 && list.bad_b[0] == 1);

    const uint8_t moving[2] = {1, 0};
    first.moving = abut_array(moving, 1);
    REFUSED(ABUT_BAD_SIZE, "moving", abut_broad_phase_find_pairs(broad, &first, &list, &error));
    first.moving = abut_array(moving, 2);
    RUNS(abut_broad_phase_find_pairs(broad, &first, &list, &error));
    first.margin = -1;
    REFUSED(ABUT_BAD_ARGUMENT, "margin", abut_broad_phase_find_pairs(broad, &first, &list, &error));
    first.margin = 0;
    first.size = 4;
    REFUSED(ABUT_BAD_ARGUMENT, "abut_boxes.size is", abut_broad_phase_find_pairs(broad, &first, &list, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "broad", abut_broad_phase_find_pairs(NULL, &second, &list, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "out", abut_broad_phase_find_pairs(broad, &second, NULL, &error));
    abut_broad_phase_destroy(broad);
    broad = NULL;
    settings.threads = 5000;
    REFUSED(ABUT_BAD_ARGUMENT, "threads", abut_broad_phase_create(&settings, &broad, &error));
    CHECK(broad == NULL);
    abut_broad_phase_destroy(NULL);
}

void test_broad(void) {
    check_three_calls();
    check_sets_and_rays();
}
