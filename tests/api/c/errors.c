/* Names, versions, and what is refused: null pointers, ids of no shape, columns that are too short. */
#include "check.h"

static void check_names(void) {
    CHECK(strcmp(abut_version(), ABUT_VERSION) == 0 && abut_version_number() == ABUT_VERSION_NUMBER);
    CHECK(strcmp(abut_error_name(ABUT_OUT_OF_MEMORY), "out_of_memory") == 0 &&
          strcmp(abut_error_name(99), "unknown") == 0);
    CHECK(strcmp(abut_status_name(ABUT_STATUS_BAD_POSE), "bad_pose") == 0 &&
          strcmp(abut_status_name(200), "unknown") == 0);
    CHECK(strcmp(abut_shape_kind_name(ABUT_HALFSPACE), "halfspace") == 0 &&
          strcmp(abut_shape_kind_name(77), "none") == 0);
    CHECK(strcmp(abut_isa_name(ABUT_ISA_AVX2), "avx2") == 0 && strcmp(abut_isa_name(77), "unknown") == 0);
    RUNS(abut_check_c_abi(ABUT_C_ABI, &error));
    REFUSED(ABUT_UNSUPPORTED, "C ABI 7", abut_check_c_abi(7, &error));
    CHECK(abut_check_c_abi(7, NULL) == ABUT_UNSUPPORTED);
}

static void check_instruction_sets(void) {
    abut_isa isa = ABUT_ISA_BEST;
    RUNS(abut_parse_isa("avx512", &isa, &error));
    CHECK(isa == ABUT_ISA_AVX512);
    REFUSED(ABUT_BAD_ARGUMENT, "mmx", abut_parse_isa("mmx", &isa, &error));
    CHECK(abut_isa_is_supported(abut_best_isa()) && abut_isa_lanes(abut_best_isa()) >= 4);
    CHECK(!abut_isa_is_supported(77) && abut_isa_lanes(77) == 0);
}

/* Each field of the settings reaches the library, which refuses its value. */
static void check_settings(void) {
    abut_narrow_phase* narrow = NULL;
#define REFUSED_FIELD(field, value, part)                                                       \
    do {                                                                                        \
        abut_settings settings = abut_settings_default();                                       \
        settings.field = (value);                                                               \
        REFUSED(ABUT_BAD_ARGUMENT, part, abut_narrow_phase_create(&settings, &narrow, &error)); \
    } while (0)
    REFUSED_FIELD(isa, 77, "isa is 77");
    REFUSED_FIELD(speculative_margin, -1, "speculative_margin is -1");
    REFUSED_FIELD(contact_slack, -2, "contact_slack is -2");
    REFUSED_FIELD(threads, 5000, "threads is 5000");
    REFUSED_FIELD(depth, 7, "depth is 7");
    REFUSED_FIELD(follow_distance, -3, "follow_distance is -3");
    REFUSED_FIELD(ground_contacts, 99, "ground_contacts is 99");
    REFUSED_FIELD(manifold_angle, 4, "manifold_angle is 4");
#undef REFUSED_FIELD
    CHECK(narrow == NULL);
}

static void check_null_pointers(abut_store* store) {
    const abut_vec3 half = {1, 1, 1};
    abut_shape_id id = 7;
    REFUSED(ABUT_BAD_ARGUMENT, "store is null", abut_store_create(NULL, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "store is null", abut_store_add_box(NULL, half, NULL, &id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "id is null", abut_store_add_box(store, half, NULL, NULL, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "points", abut_store_add_hull(store, NULL, 5, NULL, NULL, &id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "children", abut_store_add_compound(store, NULL, 2, NULL, &id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "shape is null", abut_store_add_custom(store, NULL, half, NULL, &id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "narrow is null", abut_narrow_phase_collide_all(NULL, NULL, NULL, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "narrow is null", abut_narrow_phase_create(NULL, NULL, &error));
    CHECK(id == 7); /* left alone */
    CHECK(!abut_store_contains(NULL, id) && abut_store_size(NULL) == 0 && abut_cooked_hull_byte_count(NULL) == 0 &&
          abut_warm_table_kept(NULL) == 0);
    abut_store_destroy(NULL);
    abut_narrow_phase_destroy(NULL);
    abut_manifolds_destroy(NULL);
    abut_warm_table_destroy(NULL);
    abut_cooked_hull_destroy(NULL);
}

static void check_bad_values(abut_store* store) {
    const abut_vec3 not_finite = {1, 1e30f * 1e30f, 1};
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_shape_view view = {.size = sizeof view};
    REFUSED(ABUT_BAD_SHAPE, "", abut_store_add_sphere(store, -1, NULL, &id, &error));
    REFUSED(ABUT_BAD_SHAPE, "", abut_store_add_box(store, not_finite, NULL, &id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "no living shape", abut_store_view(store, id, &view, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "no living shape", abut_store_remove(store, id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "no living shape", abut_store_set_user_data(store, id, 1, &error));
    RUNS(abut_store_add_sphere(store, 1, NULL, &id, &error));
    abut_hull_report report = {.size = sizeof report};
    REFUSED(ABUT_BAD_ARGUMENT, "a sphere, expected a hull", abut_store_hull_report(store, id, &report, &error));
    RUNS(abut_store_remove(store, id, &error));
    REFUSED(ABUT_BAD_ARGUMENT, "no living shape", abut_store_remove(store, id, &error));
}

void test_errors(void) {
    abut_store* store = NULL;
    RUNS(abut_store_create(&store, &error));
    check_names();
    check_instruction_sets();
    check_settings();
    check_null_pointers(store);
    check_bad_values(store);
    abut_store_destroy(store);
}
