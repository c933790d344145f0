/* All memory of the library comes from two functions of the program. */
#include <stdlib.h>

#include "check.h"

struct heap {
    size_t blocks, bytes, allocations;
    size_t fail_at; /* of `allocations`; 0: never */
};

static void* take(void* context, size_t bytes, size_t alignment) {
    struct heap* heap = context;
    if (++heap->allocations == heap->fail_at) return NULL;
    /* The address of malloc stands before the aligned block. */
    char* const start = malloc(bytes + alignment + sizeof(void*));
    if (start == NULL) return NULL;
    char* const block = (char*)(((uintptr_t)start + sizeof(void*) + alignment - 1) / alignment * alignment);
    memcpy(block - sizeof(void*), &start, sizeof(void*));
    ++heap->blocks;
    heap->bytes += bytes;
    return block;
}

static void give_back(void* context, void* memory, size_t bytes, size_t alignment) {
    struct heap* heap = context;
    void* start;
    (void)alignment;
    memcpy(&start, (char*)memory - sizeof(void*), sizeof(void*));
    --heap->blocks;
    heap->bytes -= bytes;
    free(start);
}

/* A store, a narrow phase, its answer and a table, made and destroyed. The first error. */
static abut_error_code live_once(void) {
    const abut_vec3 half = {1, 1, 1};
    abut_store* store = NULL;
    abut_narrow_phase* narrow = NULL;
    abut_manifolds* manifolds = NULL;
    abut_warm_table* table = NULL;
    abut_shape_id box = ABUT_NO_SHAPE;
    abut_error_code code = abut_store_create(&store, NULL);
    if (code == ABUT_OK) code = abut_narrow_phase_create(NULL, &narrow, NULL);
    if (code == ABUT_OK) code = abut_manifolds_create(&manifolds, NULL);
    if (code == ABUT_OK) code = abut_warm_table_create(&table, NULL);
    if (code == ABUT_OK) code = abut_store_add_box(store, half, NULL, &box, NULL);
    const abut_body bodies[] = {{{0, 0, 0}, box, {0, 0, 0, 1}}, {{0, 1.9f, 0}, box, {0, 0, 0, 1}}};
    const abut_pair pair = {0, 1};
    abut_frame frame = abut_frame_default();
    frame.shapes = store;
    frame.bodies = abut_body_records(bodies, 2);
    frame.pairs = abut_array(&pair, 1);
    if (code == ABUT_OK) code = abut_warm_table_begin(table, frame.pairs, &frame.caches, NULL);
    if (code == ABUT_OK) code = abut_narrow_phase_collide_all(narrow, &frame, manifolds, NULL);
    abut_warm_table_destroy(table);
    abut_manifolds_destroy(manifolds);
    abut_narrow_phase_destroy(narrow);
    abut_store_destroy(store);
    return code;
}

void test_memory(void) {
    struct heap heap = {0, 0, 0, 0};
    abut_allocator allocator = {take, give_back, &heap};
    RUNS(abut_set_allocator(&allocator, &error));
    CHECK(live_once() == ABUT_OK);
    CHECK(heap.allocations > 0 && heap.blocks == 0 && heap.bytes == 0);
    const size_t needed = heap.allocations;
    CHECK(live_once() == ABUT_OK && heap.allocations == 2 * needed);

    /* Each allocation fails in turn. */
    for (size_t i = 1; i <= needed; ++i) {
        heap.allocations = 0, heap.fail_at = i;
        CHECK(live_once() == ABUT_OUT_OF_MEMORY);
        CHECK(heap.blocks == 0 && heap.bytes == 0);
    }
    heap.fail_at = 0;

    abut_store* store = NULL;
    RUNS(abut_store_create(&store, &error));
    size_t blocks = 0;
    CHECK(abut_memory_in_use(&blocks) == heap.bytes && blocks == heap.blocks && blocks > 0);
    REFUSED(ABUT_BAD_ARGUMENT, "holds", abut_set_allocator(NULL, &error));
    abut_store_destroy(store);
    allocator.release = NULL;
    REFUSED(ABUT_BAD_ARGUMENT, "release", abut_set_allocator(&allocator, &error));
    RUNS(abut_set_allocator(NULL, &error));
}
