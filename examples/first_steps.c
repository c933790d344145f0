/* For programs in C, and for bindings of other languages: first_steps.cpp in C99. docs/c.md shows this program. */

#include <abut/abut.h>
#include <stdio.h>

static int failed(const abut_error* error) {
    fprintf(stderr, "%s: %s\n", abut_error_name(error->code), error->message);
    return 1;
}

int main(void) {
    const abut_vec3 points[] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 0}};
    const abut_vec3 half = {0.5f, 0.5f, 0.5f};
    abut_error error;
    abut_store* shapes = NULL;
    abut_narrow_phase* narrow = NULL;
    abut_manifolds* manifolds = NULL;
    abut_shape_id crate, roof;
    if (abut_store_create(&shapes, &error) || abut_manifolds_create(&manifolds, &error) ||
        abut_narrow_phase_create(NULL, &narrow, &error) ||  // null: the default settings
        abut_store_add_box(shapes, half, NULL, &crate, &error) ||
        abut_store_add_hull(shapes, points, 5, NULL, NULL, &roof, &error))
        return failed(&error);

    const abut_body bodies[] = {
        {{0, 0, 0}, crate, {0, 0, 0, 1}}, {{0, 0.375f, 0}, roof, {0, 0, 0, 1}}, {{4, 0, 0}, crate, {0, 0, 0, 1}}};
    const abut_pair pairs[] = {{0, 1}, {0, 2}, {1, 2}};  // as the broad phase found them
    abut_frame frame = abut_frame_default();
    frame.shapes = shapes;
    frame.bodies = abut_body_records(bodies, 3);
    frame.pairs = abut_array(pairs, 3);

    float distance[3];
    abut_vec3 normal[3];
    const abut_distance_columns d = {.size = sizeof d, .count = 3, .signed_distance = distance, .normal = normal};
    abut_manifold_columns m = {.size = sizeof m};
    if (abut_narrow_phase_distance(narrow, &frame, &d, NULL, &error) ||
        abut_narrow_phase_collide_all(narrow, &frame, manifolds, &error) ||
        abut_manifolds_columns(manifolds, &m, &error))
        return failed(&error);
    for (int i = 0; i < 3; ++i)
        printf("%u-%u: %+.3f m along (%.0f, %.0f, %.0f), %u manifolds\n", pairs[i].a, pairs[i].b, distance[i],
               normal[i].x, normal[i].y, normal[i].z, m.first_manifold[i + 1] - m.first_manifold[i]);

    abut_manifolds_destroy(manifolds);
    abut_narrow_phase_destroy(narrow);
    abut_store_destroy(shapes);
    return 0;
}
