/* The three queries over every layout of bodies, with an executor of the program's own. */
#include <math.h>

#include "check.h"

enum { kBodies = 6, kPairs = 15 };

struct engine_body {
    uint64_t name;
    abut_dvec3 position;
    abut_quat orientation;
    abut_shape_id shape;
};

struct scene {
    abut_store* store;
    abut_body records[kBodies];
    struct engine_body own[kBodies];
    abut_pair pairs[kPairs];
};

struct answers {
    uint32_t bits[1], hits[kPairs];
    float distance[kPairs];
    abut_vec3 normal[kPairs];
    uint32_t first[kPairs + 1];
    abut_manifold manifolds[kPairs];
    abut_contact contacts[4 * kPairs];
    abut_status status[kPairs];
};

static struct scene make_scene(void) {
    const abut_vec3 half = {0.5f, 0.25f, 0.75f};
    struct scene scene;
    abut_shape_id box = ABUT_NO_SHAPE, ball = ABUT_NO_SHAPE;
    size_t pair = 0;
    memset(&scene, 0, sizeof scene);
    RUNS(abut_store_create(&scene.store, &error));
    RUNS(abut_store_add_box(scene.store, half, NULL, &box, &error));
    RUNS(abut_store_add_sphere(scene.store, 0.5f, NULL, &ball, &error));
    for (int i = 0; i < kBodies; ++i) {
        const abut_body body = {
            {0.5f * (float)i, 0.25f * (float)(i * i % 3), 0}, i % 2 ? ball : box, {0, 0.6f, 0, 0.8f}};
        const struct engine_body own = {
            (uint64_t)i, {body.position.x, body.position.y, body.position.z}, body.orientation, body.shape};
        scene.records[i] = body, scene.own[i] = own;
        for (int k = 0; k < i; ++k, ++pair) scene.pairs[pair].a = (uint32_t)k, scene.pairs[pair].b = (uint32_t)i;
    }
    return scene;
}

static struct answers ask(abut_narrow_phase* narrow, const abut_frame* frame) {
    struct answers a;
    memset(&a, 0, sizeof a);
    abut_overlap_columns o = {.size = sizeof o, .bits = a.bits, .bit_words = 1, .hits = a.hits, .hit_room = kPairs};
    const abut_distance_columns d = {
        .size = sizeof d, .count = kPairs, .signed_distance = a.distance, .normal = a.normal, .status = a.status};
    abut_manifold_columns m = {.size = sizeof m,
                               .first_manifold = a.first,
                               .first_manifold_count = kPairs + 1,
                               .manifolds = a.manifolds,
                               .manifold_room = kPairs,
                               .contacts = a.contacts,
                               .contact_room = 4 * kPairs};
    RUNS(abut_narrow_phase_overlap(narrow, frame, &o, &error));
    RUNS(abut_narrow_phase_distance(narrow, frame, &d, NULL, &error));
    RUNS(abut_narrow_phase_collide(narrow, frame, &m, &error));
    CHECK(o.hit_count > 0 && o.hit_count < kPairs && m.manifolds_needed == m.manifold_count && m.contact_count > 0);
    for (size_t i = 0; i < kPairs; ++i)
        CHECK(((a.bits[0] >> i) & 1) == (a.distance[i] <= 0) && a.status[i] == ABUT_STATUS_OK);
    return a;
}

/* Down at a box, beside it, and from its inside. */
static void check_rays(const struct scene* scene) {
    abut_body body;
    memset(&body, 0, sizeof body);
    body = (abut_body){{0, 3, 0}, scene->records[0].shape, {0, 0, 0, 1}};
    const abut_pair pairs[] = {{0, 0}, {1, 0}, {2, 0}};
    const abut_vec3 origins[] = {{0, 9, 0}, {99, 9, 0}, {0, 3, 0}},
                    directions[] = {{0, -12, 0}, {0, -12, 0}, {1, 0, 0}};
    abut_frame frame = abut_frame_default();
    frame.shapes = scene->store;
    frame.bodies = abut_body_records(&body, 1);
    frame.pairs = abut_array(pairs, 3);
    abut_rays rays = {.size = sizeof rays, .origins = abut_array(origins, 3), .directions = abut_array(directions, 3)};
    uint32_t bits = 0, hits[3];
    double fraction[3];
    uint8_t inside[3];
    uint16_t face[3];
    abut_vec3 normal[3];
    abut_status status[3];
    abut_ray_columns out = {.size = sizeof out,
                            .count = 3,
                            .bits = &bits,
                            .fraction = fraction,
                            .normal = normal,
                            .inside = inside,
                            .status = status,
                            .hits = hits,
                            .hit_room = 3,
                            .face = face};
    abut_ray_options options = abut_ray_options_default();
    CHECK(options.reduction == ABUT_RAY_EVERY_PAIR);
    abut_narrow_phase* narrow = NULL;
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    RUNS(abut_narrow_phase_raycast(narrow, &frame, &rays, &out, NULL, &error));
    CHECK(bits == 5 && out.hit_count == 2 && hits[1] == 2 && fraction[0] > 0.3 && fraction[0] < 0.5 &&
          fraction[1] == 1 && fraction[2] == 0);
    CHECK(normal[0].y > 0.5f && normal[2].x == 0 && inside[0] == 0 && inside[2] == 1 && status[0] == ABUT_STATUS_OK);
    CHECK(face[0] == 2 && face[1] == ABUT_NO_FACE && face[2] == ABUT_NO_FACE);
    options.reduction = ABUT_RAY_FIRST_OF_RAY;
    RUNS(abut_narrow_phase_raycast(narrow, &frame, &rays, &out, &options, &error));
    CHECK(bits == 5);
    options.reduction = 3;
    REFUSED(ABUT_BAD_ARGUMENT, "reduction is 3",
            abut_narrow_phase_raycast(narrow, &frame, &rays, &out, &options, &error));
    rays.double_origins = rays.origins;
    REFUSED(ABUT_BAD_ARGUMENT, "origins", abut_narrow_phase_raycast(narrow, &frame, &rays, &out, NULL, &error));
    abut_narrow_phase_destroy(narrow);
}

/* A ball falls on a box, and passes beside it where the box moves away. */
static void check_casts(const struct scene* scene) {
    abut_body bodies[2], ends[2][2];
    memset(bodies, 0, sizeof bodies);
    bodies[0] = (abut_body){{0, 3, 0}, scene->records[1].shape, {0, 0, 0, 1}};
    bodies[1] = (abut_body){{0, 0, 0}, scene->records[0].shape, {0, 0, 0, 1}};
    memcpy(ends[0], bodies, sizeof bodies), memcpy(ends[1], bodies, sizeof bodies);
    ends[0][0].position.y = 2, ends[1][0].position.y = 0;
    const abut_pair pairs[] = {{0, 1}};
    const abut_bodies path[] = {abut_body_records(ends[0], 2), abut_body_records(ends[1], 2)};
    abut_frame frame = abut_frame_default();
    frame.shapes = scene->store;
    frame.bodies = abut_body_records(bodies, 2);
    frame.pairs = abut_array(pairs, 1);
    abut_motions motions = {.size = sizeof motions, .ends = path, .end_count = 2};
    uint32_t bits = 0, hits[1];
    double time = 0;
    float distance = 1;
    abut_vec3 normal;
    abut_status status;
    abut_cast_columns out = {.size = sizeof out,
                             .count = 1,
                             .bits = &bits,
                             .time = &time,
                             .signed_distance = &distance,
                             .normal = &normal,
                             .status = &status,
                             .hits = hits,
                             .hit_room = 1};
    abut_cast_options options = abut_cast_options_default();
    CHECK(options.tolerance > 0 && options.target == 0);
    abut_narrow_phase* narrow = NULL;
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, NULL, &error));
    CHECK(status == ABUT_STATUS_OK && bits == 1 && out.hit_count == 1 && hits[0] == 0 && distance >= 0 &&
          distance < 1e-3f && normal.y < -0.999f);
    const double touch = 3 - (time < 0.5 ? 2 * time : 1 + 4 * (time - 0.5)); /* the ball's height */
    options.target = 0.25f;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 1 && fabs(3 - (time < 0.5 ? 2 * time : 1 + 4 * (time - 0.5)) - touch - 0.25) < 1e-3);
    motions.end_count = 1;
    options.target = 0;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 0 && out.hit_count == 0 && time == 1 && isinf(distance));
    motions.end_count = 0;
    REFUSED(ABUT_BAD_ARGUMENT, "end_count is 0", abut_narrow_phase_cast(narrow, &frame, &motions, &out, NULL, &error));
    motions.end_count = 1, options.start = 3;
    REFUSED(ABUT_BAD_ARGUMENT, "start is 3", abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    abut_narrow_phase_destroy(narrow);
}

/* Backwards, to show that the order is the executor's own. */
static void run_backwards(void* context, size_t count, abut_task task, void* task_context) {
    *(size_t*)context += count;
    while (count > 0) task(task_context, --count);
}

static void run_nothing(void* context, size_t count, abut_task task, void* task_context) {
    (void)context, (void)count, (void)task, (void)task_context;
}

static void check_layouts(const struct scene* scene, abut_frame frame) {
    abut_narrow_phase* narrow = NULL;
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    CHECK(abut_isa_is_supported(abut_narrow_phase_isa(narrow)));
    const struct answers records = ask(narrow, &frame);
    abut_counters counters = {.size = sizeof counters};
    RUNS(abut_narrow_phase_counters(narrow, &counters, &error));
    CHECK(counters.pairs == kPairs && counters.wide + counters.exact == kPairs && counters.wide > 0);
    abut_settings settings = abut_settings_default();
    settings.depth = ABUT_DEPTH_EXACT;
    abut_narrow_phase* exact = NULL;
    RUNS(abut_narrow_phase_create(&settings, &exact, &error));
    (void)ask(exact, &frame);
    RUNS(abut_narrow_phase_counters(exact, &counters, &error));
    CHECK(counters.pairs == kPairs && counters.exact == kPairs);
    abut_narrow_phase_destroy(exact);

    abut_bodies columns;
    memset(&columns, 0, sizeof columns);
    columns.shapes = abut_strided(&scene->own[0].shape, kBodies, sizeof scene->own[0]);
    columns.double_positions = abut_strided(&scene->own[0].position, kBodies, sizeof scene->own[0]);
    columns.orientations = abut_strided(&scene->own[0].orientation, kBodies, sizeof scene->own[0]);
    frame.bodies = columns;
    const struct answers doubles = ask(narrow, &frame);
    CHECK(memcmp(&records, &doubles, sizeof records) == 0);

    abut_bounds bounds[kBodies];
    RUNS(abut_world_bounds(scene->store, &columns, bounds, kBodies, NULL, &error));
    CHECK(fabsf(bounds[1].min.x) < 1e-6f && fabsf(bounds[1].max.x - 1) < 1e-6f);
    abut_body body;
    RUNS(abut_bodies_get(&columns, 3, &body, &error));
    CHECK(memcmp(&body, &scene->records[3], sizeof body) == 0);
    REFUSED(ABUT_BAD_ARGUMENT, "i is 6", abut_bodies_get(&columns, 6, &body, &error));
    abut_dvec3 point;
    const abut_vec3 from_a = {0, 1, 0};
    RUNS(abut_double_world_point(&frame, 14, from_a, &point, &error));
    CHECK(point.x == scene->own[4].position.x && point.y == scene->own[4].position.y + 1);
    abut_narrow_phase_destroy(narrow);
}

static void check_executors(abut_frame frame) {
    abut_settings settings = abut_settings_default();
    abut_narrow_phase *own = NULL, *serial = NULL, *lazy = NULL;
    size_t tasks = 0;
    settings.executor.run = run_backwards;
    settings.executor.context = &tasks;
    RUNS(abut_narrow_phase_create(&settings, &own, &error));
    settings.executor = abut_serial_executor();
    RUNS(abut_narrow_phase_create(&settings, &serial, &error));
    const struct answers a = ask(own, &frame), b = ask(serial, &frame);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    settings.executor.run = run_nothing;
    RUNS(abut_narrow_phase_create(&settings, &lazy, &error));
    uint32_t bits[1];
    abut_overlap_columns o = {.size = sizeof o, .bits = bits, .bit_words = 1};
    const abut_error_code code = abut_narrow_phase_overlap(lazy, &frame, &o, NULL);
    CHECK(code == ABUT_OK ||
          code == ABUT_EXECUTOR_FAILED); /* a frame this small may be done by the calling thread alone */
    abut_narrow_phase_destroy(own);
    abut_narrow_phase_destroy(serial);
    abut_narrow_phase_destroy(lazy);
}

/* Pairs take their caches from a pool by an index; what they hold must not show in the answers of bodies that rest. */
static void check_pool(abut_frame frame) {
    abut_warm_cache pool[2 * kPairs + 1];
    uint32_t indices[kPairs];
    abut_narrow_phase* narrow = NULL;
    memset(pool, 0, sizeof pool);
    for (size_t i = 0; i < kPairs; ++i) indices[i] = (uint32_t)(2 * i + 1);
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    const struct answers none = ask(narrow, &frame);
    frame.caches = abut_mutable_strided(pool, 2 * kPairs + 1, sizeof pool[0]);
    frame.cache_indices = abut_array(indices, kPairs);
    for (int i = 0; i < 3; ++i) {
        const struct answers now = ask(narrow, &frame);
        CHECK(memcmp(none.hits, now.hits, sizeof none.hits) == 0 &&
              memcmp(none.first, now.first, sizeof none.first) == 0);
    }
    size_t written = 0;
    for (size_t i = 0; i < 2 * kPairs + 1; ++i) {
        size_t words = 0;
        for (size_t k = 0; k < sizeof pool[i].opaque / sizeof pool[i].opaque[0]; ++k) words += pool[i].opaque[k] != 0;
        written += words != 0;
        CHECK(words == 0 || i % 2 == 1);
    }
    CHECK(written > 0);
    indices[3] = 31;
    uint32_t bits[1];
    abut_overlap_columns o = {.size = sizeof o, .bits = bits, .bit_words = 1};
    REFUSED(ABUT_BAD_ARGUMENT, "cache_indices[3] is 31", abut_narrow_phase_overlap(narrow, &frame, &o, &error));
    abut_narrow_phase_destroy(narrow);
}

static void check_refusals(abut_frame frame) {
    abut_narrow_phase* narrow = NULL;
    uint32_t first[kPairs + 1];
    uint32_t bits[1];
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    abut_overlap_columns o = {.size = sizeof o, .bits = bits, .bit_words = 0};
    REFUSED(ABUT_BAD_SIZE, "bits", abut_narrow_phase_overlap(narrow, &frame, &o, &error));
    o.bits = NULL, o.bit_words = 1;
    CHECK(abut_narrow_phase_overlap(narrow, &frame, &o, NULL) != ABUT_OK);
    abut_status status[kPairs];
    abut_manifold_columns m = {.size = sizeof m,
                               .first_manifold = first,
                               .first_manifold_count = kPairs + 1,
                               .status = status,
                               .status_count = kPairs};
    RUNS(abut_narrow_phase_collide(narrow, &frame, &m, &error));
    CHECK(m.manifold_count == 0 && m.manifolds_needed > 0 && m.contacts_needed >= m.manifolds_needed);
    frame.bodies.shapes = frame.bodies.records;
    REFUSED(ABUT_BAD_ARGUMENT, "both records and columns", abut_narrow_phase_collide(narrow, &frame, &m, &error));
    abut_narrow_phase_destroy(narrow);
}

void test_queries(void) {
    struct scene scene = make_scene();
    abut_frame frame = abut_frame_default();
    frame.shapes = scene.store;
    frame.bodies = abut_body_records(scene.records, kBodies);
    frame.pairs = abut_array(scene.pairs, kPairs);
    check_layouts(&scene, frame);
    check_casts(&scene);
    check_rays(&scene);
    check_executors(frame);
    check_pool(frame);
    check_refusals(frame);
    abut_store_destroy(scene.store);
}
