/* Two dimensions: shapes, the queries over every layout of bodies, and what is refused. */
#include <math.h>

#include "check.h"

enum { kPairs = 4 };

static const abut_vec2 kRoof[] = {{3, 0}, {3, 0}, {0, 1}, {-3, 0}}; /* two points are equal */
static const abut_vec2 kTriangle[] = {{0, 0}, {2, 0}, {0.5f, 0.5f}, {0, 2}};

struct world {
    abut_d2_store* store;
    abut_shape_id circle, box, ground, two;
    abut_d2_body bodies[4];
    abut_pair pairs[kPairs];
};

static struct world make_world(void) {
    struct world w;
    const abut_vec2 half = {1, 0.5f};
    memset(&w, 0, sizeof w);
    RUNS(abut_d2_store_create(&w.store, &error));
    RUNS(abut_d2_store_add_circle(w.store, 0.5f, NULL, &w.circle, &error));
    RUNS(abut_d2_store_add_box(w.store, half, NULL, &w.box, &error));
    RUNS(abut_d2_store_add_chain(w.store, kRoof, 4, false, NULL, &w.ground, &error));
    const abut_d2_compound_child children[] = {{w.circle, {{9, 0}, {1, 0}}}, {w.box, {{0, 0}, {0, 1}}}};
    RUNS(abut_d2_store_add_compound(w.store, children, 2, NULL, &w.two, &error));
    const abut_d2_body bodies[] = {{{0, 1.4f}, {1, 0}, w.circle},
                                   {{0, 0}, {1, 0}, w.ground},
                                   {{1.25f, 1.4f}, {1, 0}, w.box},
                                   {{0, 4}, {1, 0}, w.two}};
    const abut_pair pairs[kPairs] = {{0, 1}, {0, 2}, {2, 0}, {3, 2}};
    memcpy(w.bodies, bodies, sizeof bodies);
    memcpy(w.pairs, pairs, sizeof pairs);
    return w;
}

static abut_d2_frame frame_of(const struct world* w) {
    abut_d2_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.size = sizeof frame, frame.shapes = w->store;
    frame.bodies = abut_d2_body_records(w->bodies, 4), frame.pairs = abut_array(w->pairs, kPairs);
    return frame;
}

static void check_shapes(void) {
    struct world w = make_world();
    abut_d2_instance_options options = abut_d2_instance_options_default();
    CHECK(options.size == sizeof options && options.rounding == 0 && options.scale.x == 1 && options.scale.y == 1 &&
          options.pose.rotation.c == 1 && options.pose.rotation.s == 0);
    const abut_rot quarter = {0, 1}, turn = abut_rotation_of(2);
    CHECK(fabsf(turn.c + 0.41614684f) < 1e-7f && fabsf(turn.s - 0.9092974f) < 1e-7f);
    const abut_vec2 up = {0, 2}, from = {1, 0}, to = {3, 0}, half = {-1, 1}, stretched = {2, 1};
    abut_shape_id id = ABUT_NO_SHAPE, plane = ABUT_NO_SHAPE, polygon = ABUT_NO_SHAPE, instance = ABUT_NO_SHAPE;
    RUNS(abut_d2_store_add_capsule(w.store, 0.25f, 1, NULL, &id, &error));
    CHECK(abut_shape_id_kind(id) == ABUT_D2_CAPSULE);
    RUNS(abut_d2_store_add_segment(w.store, from, to, 0.5f, NULL, &id, &error));
    RUNS(abut_d2_store_add_halfplane(w.store, up, 0, NULL, &plane, &error));
    CHECK(abut_shape_id_kind(plane) == ABUT_D2_HALFPLANE);
    RUNS(abut_d2_store_add_polygon(w.store, kTriangle, 4, NULL, &polygon, &error));
    options.rounding = 0.5f, options.scale = stretched;
    options.pose.position = up, options.pose.rotation = quarter;
    RUNS(abut_d2_store_add_instance(w.store, w.box, &options, &instance, &error));
    CHECK(abut_d2_store_size(w.store) == 9 && abut_d2_store_contains(w.store, polygon));

    abut_d2_shape_view view = {.size = sizeof view};
    RUNS(abut_d2_store_view(w.store, instance, &view, &error));
    CHECK(view.kind == ABUT_D2_BOX && view.rounding == 0.5f && view.radius == 0.5f && view.corners == 4);
    CHECK(fabsf(view.bounds_min.x + 1) < 1e-5f && fabsf(view.bounds_max.y - 4.5f) < 1e-5f && view.extent > 2.4f);

    abut_vec2 corners[8];
    size_t count = 0;
    RUNS(abut_d2_store_corners(w.store, polygon, corners, 8, &count, &error));
    CHECK(count == 3 && memcmp(corners, kTriangle, 2 * sizeof *corners) == 0);
    RUNS(abut_d2_store_corners(w.store, w.ground, NULL, 0, &count, &error));
    CHECK(count == 4);
    abut_d2_compound_child child;
    RUNS(abut_d2_store_compound_children(w.store, w.two, &child, 1, &count, &error));
    CHECK(count == 2 && child.pose.position.x == 9);
    abut_d2_mass_properties mass;
    RUNS(abut_d2_store_mass_properties(w.store, w.box, 3, &mass, &error));
    CHECK(mass.mass == 6 && mass.center.x == 0 && fabsf(mass.inertia - 2.5f) < 1e-5f);

    const abut_error_code argument = ABUT_BAD_ARGUMENT, shape = ABUT_BAD_SHAPE;
    id = 77;
    REFUSED(shape, "radius", abut_d2_store_add_circle(w.store, -1, NULL, &id, &error));
    REFUSED(shape, "half_extents", abut_d2_store_add_box(w.store, half, NULL, &id, &error));
    REFUSED(shape, "points", abut_d2_store_add_polygon(w.store, kTriangle, 0, NULL, &id, &error));
    REFUSED(argument, "points", abut_d2_store_add_polygon(w.store, NULL, 3, NULL, &id, &error));
    REFUSED(argument, "children", abut_d2_store_add_compound(w.store, NULL, 3, NULL, &id, &error));
    REFUSED(argument, "id is null", abut_d2_store_add_circle(w.store, 1, NULL, NULL, &error));
    REFUSED(argument, "store is null", abut_d2_store_add_circle(NULL, 1, NULL, &id, &error));
    options.reserved = 1;
    REFUSED(argument, "reserved", abut_d2_store_add_circle(w.store, 1, &options, &id, &error));
    options.size = 5;
    REFUSED(argument, "abut_d2_instance_options.size", abut_d2_store_add_circle(w.store, 1, &options, &id, &error));
    CHECK(id == 77);
    REFUSED(ABUT_UNSUPPORTED, "halfplane", abut_d2_store_mass_properties(w.store, plane, 1, &mass, &error));
    REFUSED(argument, "box", abut_d2_store_compound_children(w.store, w.box, &child, 1, &count, &error));
    RUNS(abut_d2_store_remove(w.store, polygon, &error));
    REFUSED(argument, "living", abut_d2_store_remove(w.store, polygon, &error));
    REFUSED(argument, "living", abut_d2_store_view(w.store, polygon, &view, &error));
    CHECK(!abut_d2_store_contains(w.store, polygon) && !abut_d2_store_contains(NULL, 0) &&
          abut_d2_store_size(NULL) == 0);
    abut_d2_store_destroy(w.store);
}

static void check_layouts(abut_d2_narrow_phase* narrow, const struct world* w, const float* expected) {
    struct {
        abut_dvec2 position;
        float angle;
        abut_shape_id shape;
    } own[4];
    float distance[kPairs];
    const abut_d2_distance_columns d = {.size = sizeof d, .count = kPairs, .signed_distance = distance};
    for (int i = 0; i < 4; ++i) {
        own[i].position.x = w->bodies[i].position.x, own[i].position.y = w->bodies[i].position.y;
        own[i].angle = 0, own[i].shape = w->bodies[i].shape;
    }
    abut_d2_frame frame = frame_of(w);
    memset(&frame.bodies, 0, sizeof frame.bodies);
    frame.bodies.shapes = abut_strided(&own[0].shape, 4, sizeof own[0]);
    frame.bodies.double_positions = abut_strided(&own[0].position, 4, sizeof own[0]);
    frame.bodies.angles = abut_strided(&own[0].angle, 4, sizeof own[0]);
    RUNS(abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    for (int i = 0; i < kPairs; ++i) CHECK(fabsf(distance[i] - expected[i]) < 1e-6f);
    frame.bodies.records = abut_array(w->bodies, 4);
    REFUSED(ABUT_BAD_ARGUMENT, "records and columns", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    frame = frame_of(w);
    frame.bodies.reserved[1].stride = 4;
    REFUSED(ABUT_BAD_ARGUMENT, "reserved", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
}

static void check_contacts(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame, const float* distance) {
    uint32_t first[kPairs + 1];
    abut_d2_manifold manifolds[kPairs];
    abut_status status[kPairs];
    abut_d2_manifold_columns m = {.size = sizeof m,
                                  .first_manifold = first,
                                  .first_manifold_count = kPairs + 1,
                                  .manifolds = manifolds,
                                  .manifold_room = kPairs,
                                  .status = status,
                                  .status_count = kPairs};
    RUNS(abut_d2_narrow_phase_collide(narrow, frame, &m, &error));
    CHECK(m.manifold_count == 3 && m.manifolds_needed == 3 && first[kPairs] == 3);
    CHECK(manifolds[0].contacts[0].separation == distance[0] && manifolds[0].normal.y < -0.9f);
    CHECK(manifolds[1].normal.x == -manifolds[2].normal.x && manifolds[2].pair == 2);
    m.manifold_room = 1;
    RUNS(abut_d2_narrow_phase_collide(narrow, frame, &m, &error));
    CHECK(m.manifold_count == 1 && m.manifolds_needed == 3 && status[1] == ABUT_STATUS_NO_ROOM);

    const float wide[kPairs] = {2, 2, 2, 2};
    abut_d2_frame margins = *frame;
    margins.margins = abut_array(wide, kPairs);
    m.manifold_room = kPairs;
    RUNS(abut_d2_narrow_phase_collide(narrow, &margins, &m, &error));
    CHECK(m.manifolds_needed > 3);

    abut_d2_manifolds* all = NULL;
    abut_d2_manifold_columns grown = {.size = sizeof grown};
    RUNS(abut_d2_manifolds_create(&all, &error));
    RUNS(abut_d2_narrow_phase_collide_all(narrow, frame, all, &error));
    RUNS(abut_d2_manifolds_columns(all, &grown, &error));
    CHECK(grown.manifold_count == 3 && grown.status_count == kPairs && grown.first_manifold_count == kPairs + 1);
    CHECK(grown.manifolds[0].contacts[0].separation == distance[0]);
    abut_d2_manifolds_destroy(all);
}

static void check_motions(abut_d2_narrow_phase* narrow, const struct world* w, const abut_d2_frame* frame) {
    abut_d2_body ends[4];
    uint32_t bits[1];
    double time[kPairs];
    abut_d2_cast_columns c = {.size = sizeof c, .count = kPairs, .bits = bits, .time = time};
    memcpy(ends, w->bodies, sizeof ends);
    ends[3].position.y = -6;
    abut_d2_motions motions = {.size = sizeof motions, .ends = abut_d2_body_records(ends, 4)};
    abut_cast_options options = abut_cast_options_default();
    options.start = ABUT_CAST_IGNORE;
    RUNS(abut_d2_narrow_phase_cast(narrow, frame, &motions, &c, &options, &error));
    CHECK(c.hit_count == 1 && bits[0] == 8 && fabs(time[3] - 0.11) < 1e-4 && time[0] == 1);
    options.start = 3;
    REFUSED(ABUT_BAD_ARGUMENT, "start", abut_d2_narrow_phase_cast(narrow, frame, &motions, &c, &options, &error));
    motions.size = 3;
    REFUSED(ABUT_BAD_ARGUMENT, "abut_d2_motions.size",
            abut_d2_narrow_phase_cast(narrow, frame, &motions, &c, NULL, &error));

    const abut_vec2 origins[] = {{0, 9}, {0, -9}}, directions[] = {{0, -16}, {0, 16}};
    const abut_pair pairs[] = {{0, 1}, {1, 1}};
    double fraction[2];
    abut_vec2 point[2], nearest[2];
    float distance[2];
    abut_d2_frame rays_of = *frame;
    rays_of.pairs = abut_array(pairs, 2);
    const abut_d2_rays rays = {
        .size = sizeof rays, .origins = abut_array(origins, 2), .directions = abut_array(directions, 2)};
    abut_d2_ray_columns r = {.size = sizeof r, .count = 2, .bits = bits, .fraction = fraction, .point = point};
    RUNS(abut_d2_narrow_phase_raycast(narrow, &rays_of, &rays, &r, NULL, &error));
    CHECK(r.hit_count == 1 && bits[0] == 1 && fabs(fraction[0] - 0.5) < 1e-9 && fraction[1] == 1 &&
          fabsf(point[0].y - 1) < 1e-6f);
    const abut_d2_points points = {.size = sizeof points, .positions = abut_array(origins, 2)};
    abut_d2_point_columns p = {.size = sizeof p, .count = 2, .signed_distance = distance, .nearest = nearest};
    RUNS(abut_d2_narrow_phase_measure(narrow, &rays_of, &points, &p, NULL, &error));
    CHECK(distance[0] == 8 && nearest[0].y == 1 && isinf(distance[1]));
}

/* Columns that are null, short, or not strided by a multiple of 4: errors that name them, and nothing is written. */
static void check_refused_columns(abut_d2_narrow_phase* narrow, const struct world* w) {
    float distance[kPairs] = {7, 7, 7, 7};
    abut_d2_distance_columns d = {.size = sizeof d, .count = kPairs, .signed_distance = distance};
    const abut_error_code argument = ABUT_BAD_ARGUMENT;
    abut_d2_frame frame = frame_of(w);
    frame.pairs.data = NULL;
    REFUSED(argument, "pairs", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    frame = frame_of(w), frame.bodies.records.data = NULL;
    REFUSED(argument, "bodies", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    frame = frame_of(w), frame.bodies.records.stride = 18;
    REFUSED(argument, "bodies", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    frame = frame_of(w), frame.shapes = NULL;
    REFUSED(argument, "shapes", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    frame = frame_of(w), frame.margins = abut_array(distance, 1);
    REFUSED(ABUT_BAD_SIZE, "margins", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    frame = frame_of(w), d.count = 1;
    REFUSED(ABUT_BAD_SIZE, "signed_distance", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    d.count = kPairs, d.signed_distance = NULL;
    REFUSED(argument, "signed_distance", abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    CHECK(distance[0] == 7 && distance[3] == 7);
    frame.pairs.count = 0, d.count = 0;
    RUNS(abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error)); /* no pairs, no columns */

    /* A newer program's struct, of which this library does not know the end. */
    struct {
        abut_d2_frame now;
        uint64_t added;
    } future;
    memset(&future, 0, sizeof future);
    future.now = frame_of(w), future.now.size = sizeof future, d.signed_distance = distance, d.count = kPairs;
    RUNS(abut_d2_narrow_phase_distance(narrow, &future.now, &d, NULL, &error));
    future.added = 1;
    REFUSED(argument, "abut_d2_frame: byte", abut_d2_narrow_phase_distance(narrow, &future.now, &d, NULL, &error));
}

static void check_configurations(abut_d2_narrow_phase* narrow, const struct world* w) {
    const abut_d2_body robot[] = {{{0, 9}, {1, 0}, w->circle},
                                  {{9, 9}, {1, 0}, w->circle},
                                  {{0, 1.4f}, {1, 0}, w->circle},
                                  {{0.5f, 1.4f}, {1, 0}, w->circle}};
    const abut_pair pairs[] = {{0, 1}, {0, 2}, {1, 2}};
    abut_d2_configurations all;
    memset(&all, 0, sizeof all);
    all.size = sizeof all, all.shapes = w->store, all.robot_bodies = 2;
    all.robot = abut_d2_body_records(robot, 4), all.obstacles = abut_d2_body_records(w->bodies + 1, 1);
    all.pairs = abut_array(pairs, 3);
    uint32_t first[2], nearest[2];
    float distance[2];
    abut_vec2 normal[2];
    abut_any_overlap_columns any = {.size = sizeof any, .count = 2, .pair = first};
    const abut_d2_least_distance_columns least = {
        .size = sizeof least, .count = 2, .signed_distance = distance, .pair = nearest, .normal = normal};
    RUNS(abut_d2_narrow_phase_any_overlap(narrow, &all, &any, &error));
    CHECK(first[0] == ABUT_NO_PAIR && first[1] == 0);
    RUNS(abut_d2_narrow_phase_least_distance(narrow, &all, &least, NULL, &error));
    CHECK(nearest[0] == 1 && fabsf(distance[0] - 7.5f) < 1e-5f && nearest[1] == 0 && distance[1] == -0.5f);
    CHECK(normal[1].x == 1);
    any.count = 1;
    REFUSED(ABUT_BAD_SIZE, "pair", abut_d2_narrow_phase_any_overlap(narrow, &all, &any, &error));
    all.robot_bodies = 3;
    REFUSED(ABUT_BAD_SIZE, "robot", abut_d2_narrow_phase_least_distance(narrow, &all, &least, NULL, &error));
    all.size = 5;
    REFUSED(ABUT_BAD_ARGUMENT, "abut_d2_configurations.size",
            abut_d2_narrow_phase_least_distance(narrow, &all, &least, NULL, &error));
}

/* Bounds, candidate pairs and impulses from frame to frame. */
static void check_frames(abut_d2_narrow_phase* narrow, const struct world* w) {
    abut_bounds bounds[4], swept[4];
    abut_d2_body ends[4];
    const abut_d2_bodies bodies = abut_d2_body_records(w->bodies, 4);
    const abut_dvec2 origin = {0, 1};
    memcpy(ends, w->bodies, sizeof ends);
    ends[2].position.x += 5;
    const abut_d2_motions motions = {.size = sizeof motions, .ends = abut_d2_body_records(ends, 4)};
    RUNS(abut_d2_world_bounds(w->store, &bodies, bounds, 4, NULL, &error));
    CHECK(fabsf(bounds[2].min.y - 0.9f) < 1e-6f && bounds[2].max.x == 2.25f && bounds[2].min.z == 0);
    RUNS(abut_d2_swept_bounds(w->store, &bodies, &motions, swept, 4, &origin, &error));
    CHECK(fabsf(swept[2].min.y + 0.1f) < 1e-6f && swept[2].min.x == 0.25f && fabsf(swept[2].max.x - 7.25f) < 1e-5f);
    REFUSED(ABUT_BAD_SIZE, "bounds", abut_d2_world_bounds(w->store, &bodies, bounds, 3, NULL, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "bounds", abut_d2_world_bounds(w->store, &bodies, NULL, 4, NULL, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "motions is null",
            abut_d2_swept_bounds(w->store, &bodies, NULL, swept, 4, NULL, &error));

    abut_warm_table* table = NULL;
    abut_d2_manifolds* manifolds = NULL;
    abut_mutable_column caches;
    abut_contact_impulse* impulses = NULL;
    size_t count = 0;
    abut_d2_frame frame = frame_of(w);
    abut_d2_manifold_columns m = {.size = sizeof m};
    RUNS(abut_warm_table_create(&table, &error));
    RUNS(abut_d2_manifolds_create(&manifolds, &error));
    for (int step = 0; step < 3; ++step) {
        RUNS(abut_warm_table_begin(table, frame.pairs, &caches, &error));
        RUNS(abut_d2_narrow_phase_collide_all(narrow, &frame, manifolds, &error));
        RUNS(abut_d2_manifolds_columns(manifolds, &m, &error));
        RUNS(abut_d2_warm_table_carry_over(table, &frame, &m, NULL, &error));
        RUNS(abut_warm_table_impulses(table, &impulses, &count, &error));
        CHECK(count == 2 * m.manifold_count && count > 0);
        for (size_t i = 0; i < count; ++i) {
            const bool is_contact = i % 2 < m.manifolds[i / 2].contact_count;
            CHECK(impulses[i].normal == (step > 0 && is_contact ? (float)(i + 1) : 0.0f));
            impulses[i].normal = (float)(i + 1);
        }
    }
    m.first_manifold = NULL;
    REFUSED(ABUT_BAD_ARGUMENT, "first_manifold", abut_d2_warm_table_carry_over(table, &frame, &m, NULL, &error));
    RUNS(abut_d2_manifolds_columns(manifolds, &m, &error));
    m.manifolds = NULL;
    REFUSED(ABUT_BAD_ARGUMENT, "manifolds", abut_d2_warm_table_carry_over(table, &frame, &m, NULL, &error));
    RUNS(abut_d2_manifolds_columns(manifolds, &m, &error));
    frame.pairs.count = 1;
    REFUSED(ABUT_BAD_SIZE, "pairs", abut_d2_warm_table_carry_over(table, &frame, &m, NULL, &error));
    abut_d2_manifolds_destroy(manifolds);
    abut_warm_table_destroy(table);
}

void test_plane(void) {
    check_shapes();
    struct world w = make_world();
    abut_d2_narrow_phase* narrow = NULL;
    const abut_d2_frame frame = frame_of(&w);
    uint32_t bits[1];
    float distance[kPairs];
    abut_vec2 normal[kPairs], point_a[kPairs];
    abut_status status[kPairs];
    abut_overlap_columns o = {.size = sizeof o, .bits = bits, .bit_words = 1};
    const abut_d2_distance_columns d = {.size = sizeof d,
                                        .count = kPairs,
                                        .signed_distance = distance,
                                        .normal = normal,
                                        .point_a = point_a,
                                        .status = status};
    RUNS(abut_d2_narrow_phase_create(NULL, &narrow, &error));
    CHECK(abut_d2_narrow_phase_isa(narrow) == abut_best_isa() && abut_d2_narrow_phase_isa(NULL) == ABUT_ISA_BEST);
    RUNS(abut_d2_narrow_phase_overlap(narrow, &frame, &o, &error));
    RUNS(abut_d2_narrow_phase_distance(narrow, &frame, &d, NULL, &error));
    CHECK(bits[0] == 7 && o.hit_count == 3 && fabsf(distance[0] + 0.1f) < 1e-6f && fabsf(distance[3] - 1.1f) < 1e-5f);
    CHECK(normal[1].x == 1 && point_a[1].x == 0.5f && status[3] == ABUT_STATUS_OK);
    check_layouts(narrow, &w, distance);
    check_contacts(narrow, &frame, distance);
    check_motions(narrow, &w, &frame);
    check_refused_columns(narrow, &w);
    check_configurations(narrow, &w);
    check_frames(narrow, &w);

    abut_counters counters = {.size = sizeof counters};
    RUNS(abut_d2_narrow_phase_counters(narrow, &counters, &error));
    CHECK(counters.pairs == kPairs);
    abut_settings settings = abut_settings_default();
    abut_d2_narrow_phase* refused = NULL;
    settings.speculative_margin = -1;
    REFUSED(ABUT_BAD_ARGUMENT, "-1", abut_d2_narrow_phase_create(&settings, &refused, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "frame is null", abut_d2_narrow_phase_overlap(narrow, NULL, &o, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "narrow is null", abut_d2_narrow_phase_overlap(NULL, &frame, &o, &error));
    CHECK(refused == NULL);
    abut_d2_narrow_phase_destroy(narrow);
    abut_d2_store_destroy(w.store);
}
