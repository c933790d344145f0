/* Structs that begin with their size: programs that were compiled with other headers than the library. */
#include "check.h"

/* As a future header might have it. */
struct future_settings {
    abut_settings now;
    uint64_t added;
};

static void check_older_programs(void) {
    /* A header without max_child_pairs: the struct ends before it. */
    abut_settings settings = abut_settings_default();
    abut_narrow_phase* narrow = NULL;
    settings.size = offsetof(abut_settings, threads);
    settings.threads = 0xffffffffu; /* not a part of the program's struct: not read */
    RUNS(abut_narrow_phase_create(&settings, &narrow, &error));

    /* What the library fills it fills as far as the program's struct goes. */
    abut_counters counters;
    memset(&counters, 0x55, sizeof counters);
    counters.size = offsetof(abut_counters, most_child_pairs);
    RUNS(abut_narrow_phase_counters(narrow, &counters, &error));
    CHECK(counters.pairs == 0 && counters.most_child_pairs != 0);
    CHECK(counters.size == offsetof(abut_counters, most_child_pairs));
    abut_narrow_phase_destroy(narrow);
}

static void check_newer_programs(void) {
    struct future_settings settings;
    abut_narrow_phase* narrow = NULL;
    RUNS(abut_settings_init(&settings.now, sizeof settings, &error));
    CHECK(settings.now.size == sizeof settings && settings.now.speculative_margin > 0 && settings.added == 0);
    RUNS(abut_narrow_phase_create(&settings.now, &narrow, &error));
    abut_narrow_phase_destroy(narrow);
    narrow = NULL;
    settings.added = 1; /* asks for what this library does not know */
    REFUSED(ABUT_BAD_ARGUMENT, "abut_settings", abut_narrow_phase_create(&settings.now, &narrow, &error));
    CHECK(narrow == NULL);
}

static void check_no_version(void) {
    abut_settings settings = abut_settings_default();
    abut_narrow_phase* narrow = NULL;
    const size_t sizes[] = {0, 4, 9, sizeof settings + 1, 1u << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        settings.size = sizes[i];
        REFUSED(ABUT_BAD_ARGUMENT, "abut_settings.size is", abut_narrow_phase_create(&settings, &narrow, &error));
        abut_frame frame = abut_frame_default();
        abut_vec3 point = {0, 0, 0};
        frame.size = sizes[i];
        REFUSED(ABUT_BAD_ARGUMENT, "abut_frame.size is", abut_world_point(&frame, 0, point, &point, &error));
    }
}

/* An _init function, and what is in its struct after it was asked for the smallest, the present and a longer struct. */
static void check_defaults(void) {
    const abut_instance_options instance = abut_instance_options_default();
    CHECK(instance.size == sizeof instance && instance.rounding == 0 && instance.scale.x == 1 &&
          instance.scale.y == 1 && instance.scale.z == 1);
    const abut_hull_options hull = abut_hull_options_default();
    CHECK(hull.size == sizeof hull && hull.max_vertices == 0 && hull.tolerance == 0 && !hull.recognise_box);
    const abut_distance_options distance = abut_distance_options_default();
    CHECK(distance.size == sizeof distance && distance.max_distance > 1e38f && !distance.separation_only &&
          distance.max_distances.count == 0);
    const abut_settings settings = abut_settings_default();
    CHECK(settings.speculative_margin == 0.02f && settings.contact_slack == 0.005f &&
          settings.max_child_pairs == 1u << 20);
    CHECK(settings.size == sizeof settings && settings.follow_distance == 0 && settings.ground_contacts == 4 &&
          settings.manifold_angle == 0);
    CHECK(settings.executor.run == NULL && settings.threads == 0 && settings.isa == ABUT_ISA_BEST &&
          settings.depth == ABUT_DEPTH_AUTOMATIC);
    const abut_carry_over_options carry = abut_carry_over_options_default();
    CHECK(carry.size == sizeof carry && carry.match_distance == 0.02f);
    const abut_touch_options touch = abut_touch_options_default();
    CHECK(touch.size == sizeof touch && touch.begin_distance == 0 && touch.end_distance == 0.01f);
    abut_frame frame;
    RUNS(abut_frame_init(&frame, sizeof frame, &error));
    const abut_frame inline_frame = abut_frame_default();
    CHECK(memcmp(&frame, &inline_frame, sizeof frame) == 0);
}

void test_structs(void) {
    check_defaults();
    check_older_programs();
    check_newer_programs();
    check_no_version();
}
