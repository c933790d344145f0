/* Casts of rods that swing about one of their ends at balls: the times follow from the angles. */
#include <math.h>

#include "check.h"

enum { kSwings = 12, kMoving = 2 * kSwings };

/* Bodies of the frame, with a centre of rotation beside each. */
struct moving_body {
    abut_body start, end;
    abut_vec3 centre;
};

struct swings {
    abut_store* store;
    struct moving_body bodies[kMoving];
    abut_pair pairs[kSwings];
    double angle[kSwings], ball[kSwings]; /* radians: of the whole motion, of the ball from the start */
};

static abut_quat turned(double angle) {
    const abut_quat q = {0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
    return q;
}

/* The middle of a rod whose hinge is at (x, y, z). */
static abut_vec3 middle(abut_vec3 hinge, double angle) {
    const abut_vec3 at = {hinge.x + (float)cos(angle), hinge.y + (float)sin(angle), hinge.z};
    return at;
}

static struct swings make_swings(void) {
    const abut_vec3 half = {1, 0.05f, 0.05f};
    struct swings all;
    abut_shape_id rod = ABUT_NO_SHAPE, ball = ABUT_NO_SHAPE;
    memset(&all, 0, sizeof all);
    RUNS(abut_store_create(&all.store, &error));
    RUNS(abut_store_add_box(all.store, half, NULL, &rod, &error));
    RUNS(abut_store_add_sphere(all.store, 0.1f, NULL, &ball, &error));
    for (int i = 0; i < kSwings; ++i) {
        const abut_vec3 hinge = {(float)(i % 5) - 2, 0.75f * (float)(i % 3), 5 * (float)i};
        const double first = 0.7 * i;
        struct moving_body* const swung = &all.bodies[2 * i];
        struct moving_body* const rest = &all.bodies[2 * i + 1];
        all.angle[i] = 1.2 + 0.15 * i, all.ball[i] = 0.4 + 0.06 * i;
        swung->start = (abut_body){middle(hinge, first), rod, turned(first)};
        swung->end = (abut_body){middle(hinge, first + all.angle[i]), rod, turned(first + all.angle[i])};
        swung->centre = (abut_vec3){-1, 0, 0};
        const double at = first + all.ball[i];
        rest->start = (abut_body){
            {hinge.x + (float)(1.9 * cos(at)), hinge.y + (float)(1.9 * sin(at)), hinge.z}, ball, {0, 0, 0, 1}};
        rest->end = rest->start;
        all.pairs[i] = i % 2 == 0 ? (abut_pair){(uint32_t)(2 * i), (uint32_t)(2 * i + 1)}
                                  : (abut_pair){(uint32_t)(2 * i + 1), (uint32_t)(2 * i)};
    }
    return all;
}

/* The rod's face is at the target from the ball. */
static double time_of(const struct swings* all, int i, double target) {
    return (all->ball[i] - asin((0.15 + target) / 1.9)) / all->angle[i];
}

void test_motions(void) {
    struct swings all = make_swings();
    abut_frame frame = abut_frame_default();
    frame.shapes = all.store;
    memset(&frame.bodies, 0, sizeof frame.bodies);
    abut_bodies ends[1];
    memset(ends, 0, sizeof ends);
    abut_body starts[kMoving], at_end[kMoving];
    for (int i = 0; i < kMoving; ++i) starts[i] = all.bodies[i].start, at_end[i] = all.bodies[i].end;
    frame.bodies = abut_body_records(starts, kMoving), ends[0] = abut_body_records(at_end, kMoving);
    frame.pairs = abut_array(all.pairs, kSwings);
    abut_motions motions = {.size = sizeof motions, .ends = ends, .end_count = 1};
    motions.centers = abut_strided(&all.bodies[0].centre, kMoving, sizeof all.bodies[0]);
    uint32_t bits = 0, hits[kSwings];
    double time[kSwings];
    float distance[kSwings];
    abut_status status[kSwings];
    abut_cast_columns out = {.size = sizeof out,
                             .count = kSwings,
                             .bits = &bits,
                             .time = time,
                             .signed_distance = distance,
                             .status = status,
                             .hits = hits,
                             .hit_room = kSwings};
    abut_narrow_phase* narrow = NULL;
    RUNS(abut_narrow_phase_create(NULL, &narrow, &error));
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, NULL, &error));
    CHECK(out.hit_count == kSwings);
    for (int i = 0; i < kSwings; ++i) CHECK(status[i] == ABUT_STATUS_OK && fabs(time[i] - time_of(&all, i, 0)) < 1e-4);

    /* Targets and latest times of their own: every third swing ends before it meets. */
    float targets[2 * kSwings], latest[kSwings];
    for (int i = 0; i < kSwings; ++i) {
        targets[2 * i] = 0.02f * (float)(i % 4), targets[2 * i + 1] = 100;
        latest[i] = (float)(time_of(&all, i, targets[2 * i]) + (i % 3 == 0 ? -0.01 : 0.01));
    }
    abut_cast_options options = abut_cast_options_default();
    options.target = 50;
    options.targets = abut_strided(targets, kSwings, 2 * sizeof targets[0]),
    options.latest = abut_array(latest, kSwings);
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    for (int i = 0; i < kSwings; ++i) {
        const int is_hit = (int)(bits >> i & 1);
        CHECK(is_hit == (i % 3 != 0));
        if (is_hit)
            CHECK(fabs(time[i] - time_of(&all, i, targets[2 * i])) < 1e-4 &&
                  fabs(distance[i] - targets[2 * i]) < 2e-4f);
        if (!is_hit) CHECK(time[i] == latest[i] && isinf(distance[i]));
    }

    /* The first of each body A: two pairs of one rod, the farther ball before the nearer one. */
    abut_body one_rod[3], one_end[3];
    memcpy(one_rod, starts, 2 * sizeof starts[0]), memcpy(one_end, at_end, 2 * sizeof at_end[0]);
    one_rod[2] = one_rod[1];
    one_rod[2].position = (abut_vec3){(float)(starts[0].position.x - 1 + 1.9 * cos(0.9)),
                                      (float)(starts[0].position.y + 1.9 * sin(0.9)), 0};
    one_end[2] = one_rod[2];
    const abut_vec3 centres[] = {{-1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const abut_pair of_rod[] = {{0, 2}, {0, 1}};
    frame.bodies = abut_body_records(one_rod, 3), ends[0] = abut_body_records(one_end, 3);
    frame.pairs = abut_array(of_rod, 2);
    motions.centers = abut_array(centres, 3);
    out.count = 2;
    options = abut_cast_options_default();
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 3 && fabs(time[0] - (0.9 - asin(0.15 / 1.9)) / all.angle[0]) < 1e-4 &&
          fabs(time[1] - time_of(&all, 0, 0)) < 1e-4);
    options.reduction = ABUT_CAST_FIRST_OF_BODY;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 2 && out.hit_count == 1 && hits[0] == 1 && time[0] == 1);
    options.reduction = ABUT_CAST_ANY;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits != 0);
    /* Within the targets at time 0. */
    options.reduction = ABUT_CAST_EVERY_PAIR, options.target = 10;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 3 && time[0] == 0 && time[1] == 0);
    options.start = ABUT_CAST_IGNORE;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 0 && time[0] == 1);
    /* It closes; the other way it opens. */
    options.start = ABUT_CAST_CLOSING_ONLY;
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 3 && time[0] == 0);
    one_end[0].position =
        middle((abut_vec3){starts[0].position.x - 1, starts[0].position.y, starts[0].position.z}, -0.5);
    one_end[0].orientation = turned(-0.5);
    RUNS(abut_narrow_phase_cast(narrow, &frame, &motions, &out, &options, &error));
    CHECK(bits == 0);
    REFUSED(ABUT_BAD_SIZE, "centers",
            (motions.centers = abut_array(centres, 2),
             abut_narrow_phase_cast(narrow, &frame, &motions, &out, NULL, &error)));
    abut_narrow_phase_destroy(narrow);
    abut_store_destroy(all.store);
}
