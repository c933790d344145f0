/* A warm loop as an engine in C has it: boxes rest on the ground under a small solver that starts from the impulses of the frame before; sleep, removal
   and rollback. */
#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { kBoxes = 4, kBodies = kBoxes + 1 };

struct world {
    abut_store* store;
    abut_narrow_phase* narrow;
    abut_manifolds* manifolds;
    abut_warm_table* table;
    abut_body bodies[kBodies];
    float speed[kBodies]; /* upwards */
    size_t count;
};

static const float kStep = 1.0f / 60, kGravity = 9.81f;

static struct world make_world(void) {
    const abut_vec3 ground = {50, 0.5f, 50}, crate = {0.5f, 0.5f, 0.5f};
    struct world w;
    abut_shape_id ids[2] = {ABUT_NO_SHAPE, ABUT_NO_SHAPE};
    memset(&w, 0, sizeof w);
    RUNS(abut_store_create(&w.store, &error));
    RUNS(abut_narrow_phase_create(NULL, &w.narrow, &error));
    RUNS(abut_manifolds_create(&w.manifolds, &error));
    RUNS(abut_warm_table_create(&w.table, &error));
    RUNS(abut_store_add_box(w.store, ground, NULL, &ids[0], &error));
    RUNS(abut_store_add_box(w.store, crate, NULL, &ids[1], &error));
    w.count = kBodies;
    for (int i = 0; i < kBodies; ++i) {
        const abut_body body = {{3 * (float)i, i ? 0.5f : -0.5f, 0}, ids[i > 0], {0, 0, 0, 1}};
        w.bodies[i] = body;
    }
    return w;
}

static void destroy_world(struct world* w) {
    abut_warm_table_destroy(w->table);
    abut_manifolds_destroy(w->manifolds);
    abut_narrow_phase_destroy(w->narrow);
    abut_store_destroy(w->store);
}

/* One frame over pairs (ground, box). Returns the impulse that the solver had to add to what was carried over. */
static float step(struct world* w, const abut_pair* pairs, size_t count) {
    abut_frame frame = abut_frame_default();
    abut_manifold_columns m = {.size = sizeof m};
    abut_contact_impulse* impulses = NULL;
    size_t impulse_count = 0;
    float added = 0;
    frame.shapes = w->store;
    frame.bodies = abut_body_records(w->bodies, w->count);
    frame.pairs = abut_array(pairs, count);
    RUNS(abut_warm_table_begin(w->table, frame.pairs, &frame.caches, &error));
    RUNS(abut_narrow_phase_collide_all(w->narrow, &frame, w->manifolds, &error));
    RUNS(abut_manifolds_columns(w->manifolds, &m, &error));
    RUNS(abut_warm_table_carry_over(w->table, &frame, &m, NULL, &error));
    RUNS(abut_warm_table_impulses(w->table, &impulses, &impulse_count, &error));
    CHECK(impulse_count == m.contact_count && m.manifold_count == count && m.contact_count == 4 * count);
    for (size_t k = 0; k < m.manifold_count; ++k) {
        const uint32_t body = pairs[m.manifolds[k].pair].b;
        w->speed[body] -= kGravity * kStep;
        for (uint32_t c = 0; c < m.manifolds[k].contact_count; ++c)
            w->speed[body] += impulses[m.manifolds[k].first_contact + c].normal;
        for (uint32_t c = 0; c < m.manifolds[k].contact_count; ++c) {
            abut_contact_impulse* const impulse = &impulses[m.manifolds[k].first_contact + c];
            const float wanted = -w->speed[body] / (float)(m.manifolds[k].contact_count - c);
            impulse->normal += wanted, w->speed[body] += wanted, added += wanted;
        }
    }
    return added;
}

/* Writes the store and the table as bytes, reads them, and goes on with what was read. */
static void restore_from_bytes(struct world* w) {
    const size_t store_bytes = abut_store_byte_count(w->store), table_bytes = abut_warm_table_byte_count(w->table);
    CHECK(store_bytes > 0 && table_bytes > 0);
    unsigned char* const bytes = malloc(store_bytes + table_bytes);
    CHECK(bytes != NULL);
    if (bytes == NULL) return;
    REFUSED(ABUT_BAD_SIZE, "the store needs", abut_store_write(w->store, bytes, store_bytes - 1, &error));
    REFUSED(ABUT_BAD_SIZE, "the table needs", abut_warm_table_write(w->table, bytes, table_bytes - 1, &error));
    RUNS(abut_store_write(w->store, bytes, store_bytes, &error));
    RUNS(abut_warm_table_write(w->table, bytes + store_bytes, table_bytes, &error));
    abut_store* store = NULL;
    abut_warm_table* table = NULL;
    RUNS(abut_store_read(bytes, store_bytes, &store, &error));
    RUNS(abut_warm_table_read(bytes + store_bytes, table_bytes, &table, &error));
    CHECK(abut_store_size(store) == abut_store_size(w->store) && abut_store_byte_count(store) == store_bytes);
    abut_warm_table_destroy(w->table);
    abut_store_destroy(w->store);
    w->store = store, w->table = table;
    store = NULL, table = NULL;
    bytes[store_bytes / 2] ^= 0x55, bytes[store_bytes + table_bytes / 2] ^= 0x55;
    CHECK(abut_store_read(bytes, store_bytes, &store, NULL) != ABUT_OK && store == NULL);
    CHECK(abut_warm_table_read(bytes + store_bytes, table_bytes, &table, NULL) != ABUT_OK && table == NULL);
    free(bytes);
}

/* The pairs (0, box) of which boxes touch: how many began, stayed and ended to. */
static void check_changes(const abut_touch_changes* changes, size_t began, size_t stayed, size_t ended) {
    CHECK(changes->began_count == began && changes->stayed_count == stayed && changes->ended_count == ended);
}

/* Floats of the engine's own, indices of the frame before, and which pairs touch. */
static void check_columns(struct world* w, const abut_pair* pairs) {
    float *of_contacts = NULL, *of_manifolds = NULL;
    size_t contact_floats = 0, manifold_floats = 0, manifolds = 0, contacts = 0, before = 0, next = 0;
    const uint32_t *previous_contacts = NULL, *next_manifolds = NULL;
    const abut_previous_manifold* previous_manifolds = NULL;
    const abut_manifold* manifolds_before = NULL;
    abut_touch_changes changes = {.size = sizeof changes};
    abut_touch_options options = abut_touch_options_default();
    REFUSED(ABUT_BAD_ARGUMENT, "257", abut_warm_table_set_floats(w->table, 257, 0, &error));
    RUNS(abut_warm_table_set_floats(w->table, 2, 3, &error));
    for (int frame = 0; frame < 3; ++frame) {
        step(w, pairs, kBoxes);
        RUNS(abut_warm_table_contact_floats(w->table, &of_contacts, &contact_floats, &error));
        RUNS(abut_warm_table_manifold_floats(w->table, &of_manifolds, &manifold_floats, &error));
        CHECK(contact_floats == 4 * kBoxes * 2 && manifold_floats == kBoxes * 3);
        CHECK(of_contacts[5] == (float)frame && of_manifolds[5] == (float)(2 * frame));
        of_contacts[5] += 1, of_manifolds[5] += 2;
        RUNS(abut_warm_table_touch_changes(w->table, frame ? &options : NULL, &changes, &error));
        check_changes(&changes, frame ? 0 : kBoxes, frame ? kBoxes : 0, 0);
    }
    RUNS(abut_warm_table_previous_contacts(w->table, &previous_contacts, &contacts, &error));
    RUNS(abut_warm_table_previous_manifolds(w->table, &previous_manifolds, &manifolds, &error));
    RUNS(abut_warm_table_manifolds_before(w->table, &manifolds_before, &before, &error));
    RUNS(abut_warm_table_next_manifolds(w->table, &next_manifolds, &next, &error));
    CHECK(contacts == 4 * kBoxes && manifolds == kBoxes && before == kBoxes && next == kBoxes);
    CHECK(previous_contacts[5] == 5 && previous_manifolds[2].index == 2 && !previous_manifolds[2].swapped);
    CHECK(manifolds_before[3].pair == 3 && next_manifolds[3] == 3);
    options.end_distance = -1;
    REFUSED(ABUT_BAD_ARGUMENT, "end_distance", abut_warm_table_touch_changes(w->table, &options, &changes, &error));
    /* A box leaves the frames; it is one of two that are in no contact by the bits of a sensor. */
    step(w, pairs, kBoxes - 1);
    RUNS(abut_warm_table_touch_changes(w->table, NULL, &changes, &error));
    check_changes(&changes, 0, kBoxes - 1, 1);
    CHECK(changes.ended[0].bodies.b == 4 && changes.ended[0].pair == ABUT_NO_PAIR && changes.ended[0].removed == 0);
    const uint32_t bits = 6;
    RUNS(abut_warm_table_overlap_changes(w->table, &bits, 1, &changes, &error));
    check_changes(&changes, 0, 2, 2);
    CHECK(changes.stayed[1] == 2 && changes.ended[0].pair == 0);
    REFUSED(ABUT_BAD_SIZE, "bits", abut_warm_table_overlap_changes(w->table, &bits, 0, &changes, &error));
    changes.size = 1;
    REFUSED(ABUT_BAD_ARGUMENT, "abut_touch_changes.size",
            abut_warm_table_touch_changes(w->table, NULL, &changes, &error));
    step(w, pairs, kBoxes);
}

void test_warm_loop(void) {
    struct world w = make_world();
    const abut_pair pairs[kBoxes] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
    const float weight = kGravity * kStep;
    CHECK(fabsf(step(&w, pairs, kBoxes) - kBoxes * weight) < 1e-4f);
    for (int frame = 0; frame < 20; ++frame) CHECK(fabsf(step(&w, pairs, kBoxes)) < 1e-5f); /* all was carried over */
    const abut_carried_by* by = NULL;
    size_t count = 0;
    RUNS(abut_warm_table_carried_by(w.table, &by, &count, &error));
    for (size_t i = 0; i < count; ++i) CHECK(by[i] == ABUT_CARRIED_BY_ID);

    /* Rollback: the copy of the table and the bodies give the same frame again. */
    abut_warm_table* snapshot = NULL;
    RUNS(abut_warm_table_create(&snapshot, &error));
    RUNS(abut_warm_table_copy(snapshot, w.table, &error));
    RUNS(abut_warm_table_drop(w.table, abut_array(pairs, kBoxes), &error));
    CHECK(fabsf(step(&w, pairs, kBoxes) - kBoxes * weight) < 1e-4f);
    RUNS(abut_warm_table_copy(w.table, snapshot, &error));
    CHECK(fabsf(step(&w, pairs, kBoxes)) < 1e-5f);
    abut_warm_table_destroy(snapshot);

    /* The same from bytes, with a store from bytes. */
    restore_from_bytes(&w);
    CHECK(fabsf(step(&w, pairs, kBoxes)) < 1e-5f);

    check_columns(&w, pairs);
    CHECK(fabsf(step(&w, pairs, kBoxes)) < 1e-5f);

    /* Sleep: two boxes leave the frames, and come back with their impulses. */
    size_t found = 0;
    RUNS(abut_warm_table_keep(w.table, abut_array(pairs + 2, 2), &found, &error));
    CHECK(found == 2);
    for (int frame = 0; frame < 5; ++frame) CHECK(fabsf(step(&w, pairs, 2)) < 1e-5f);
    CHECK(abut_warm_table_kept(w.table) == 2);
    CHECK(fabsf(step(&w, pairs, kBoxes)) < 1e-5f);
    CHECK(abut_warm_table_kept(w.table) == 0);

    /* Removal: box 1 goes, and box 4 takes its index. */
    REFUSED(ABUT_BAD_ARGUMENT, "body is 9, last is 1", abut_warm_table_swap_remove(w.table, 9, 1, &error));
    RUNS(abut_warm_table_swap_remove(w.table, 1, 4, &error));
    w.bodies[1] = w.bodies[4], w.speed[1] = w.speed[4], w.count = kBodies - 1;
    CHECK(fabsf(step(&w, pairs, kBoxes - 1)) < 1e-5f);
    const uint32_t same[kBodies] = {0, 2, 1, 3, ABUT_REMOVED_BODY};
    RUNS(abut_warm_table_remap_bodies(w.table, same, kBodies, &error));
    const abut_body moved = w.bodies[1];
    w.bodies[1] = w.bodies[2], w.bodies[2] = moved;
    CHECK(fabsf(step(&w, pairs, kBoxes - 1)) < 1e-5f);
    destroy_world(&w);
}
