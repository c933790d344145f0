// The functions that JavaScript calls: the C functions with flat arguments, because JavaScript has no structs.
// bindings/web/src/abut/module.ts declares them.
//
// Arrays are in the module's memory, in the layouts of the C headers. Every function that can fail returns whether it
// ran, or an id that names nothing; web_error then has the message. One thread.
#include <vector>

#include <emscripten.h>

#include <abut/abut.h>

namespace {

struct World {
    abut_store* store = nullptr;
    abut_narrow_phase* narrow = nullptr;
    abut_manifolds* manifolds = nullptr;
};

abut_error last_error;

// In JavaScript 17 floats: rounding, scale, up to six lengths of the shape, and its pose on its body.
struct ShapeNumbers {
    float rounding;
    abut_vec3 scale;
    float lengths[6];
    abut_relative_pose pose;
};

abut_instance_options options_of(const ShapeNumbers& numbers) {
    abut_instance_options options = abut_instance_options_default();
    options.rounding = numbers.rounding;
    options.scale = numbers.scale;
    options.pose = numbers.pose;
    return options;
}

abut_vec3 vec3(const float* xyz) { return {xyz[0], xyz[1], xyz[2]}; }

abut_frame frame_of(const World& world, const abut_shape_id* shapes, const abut_vec3* positions,
                    const abut_quat* orientations, size_t bodies, const abut_pair* pairs, size_t pair_count,
                    abut_pair_trace* traces) {
    abut_frame frame = abut_frame_default();
    frame.shapes = world.store;
    frame.bodies.shapes = abut_array(shapes, bodies);
    frame.bodies.positions = abut_array(positions, bodies);
    frame.bodies.orientations = abut_array(orientations, bodies);
    frame.pairs = abut_array(pairs, pair_count);
    frame.traces = traces;
    frame.trace_count = traces != nullptr ? pair_count : 0;
    return frame;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void* web_allocate(size_t bytes) { return ::operator new(bytes); }
EMSCRIPTEN_KEEPALIVE void web_free(void* memory) { ::operator delete(memory); }

EMSCRIPTEN_KEEPALIVE const char* web_error() { return last_error.message; }
EMSCRIPTEN_KEEPALIVE const char* web_version() { return abut_version(); }

EMSCRIPTEN_KEEPALIVE void web_world_destroy(World* world) {
    abut_manifolds_destroy(world->manifolds);
    abut_narrow_phase_destroy(world->narrow);
    abut_store_destroy(world->store);
    delete world;
}

// Null on an error.
EMSCRIPTEN_KEEPALIVE World* web_world_create(float margin, float contact_slack) {
    auto* const world = new World;
    abut_settings settings = abut_settings_default();
    settings.executor = abut_serial_executor();
    settings.speculative_margin = margin;
    settings.contact_slack = contact_slack;
    if (abut_store_create(&world->store, &last_error) == ABUT_OK &&
        abut_narrow_phase_create(&settings, &world->narrow, &last_error) == ABUT_OK &&
        abut_manifolds_create(&world->manifolds, &last_error) == ABUT_OK)
        return world;
    web_world_destroy(world);
    return nullptr;
}

// A shape without arrays; `kind` is abut_shape_kind.
EMSCRIPTEN_KEEPALIVE abut_shape_id web_add_shape(World* world, abut_shape_kind kind, const ShapeNumbers* numbers) {
    const abut_instance_options options = options_of(*numbers);
    const float* const x = numbers->lengths;
    abut_store* const store = world->store;
    abut_shape_id id = ABUT_NO_SHAPE;
    switch (kind) {
        case ABUT_SPHERE: abut_store_add_sphere(store, x[0], &options, &id, &last_error); break;
        case ABUT_CAPSULE: abut_store_add_capsule(store, x[0], x[1], &options, &id, &last_error); break;
        case ABUT_CYLINDER: abut_store_add_cylinder(store, x[0], x[1], &options, &id, &last_error); break;
        case ABUT_CONE: abut_store_add_cone(store, x[0], x[1], &options, &id, &last_error); break;
        case ABUT_BOX: abut_store_add_box(store, vec3(x), &options, &id, &last_error); break;
        case ABUT_ELLIPSOID: abut_store_add_ellipsoid(store, vec3(x), &options, &id, &last_error); break;
        case ABUT_HALFSPACE: abut_store_add_halfspace(store, vec3(x), x[3], &options, &id, &last_error); break;
        default: break;
    }
    return id;
}

EMSCRIPTEN_KEEPALIVE abut_shape_id web_add_hull(World* world, const ShapeNumbers* numbers, const abut_vec3* points,
                                                size_t count) {
    const abut_instance_options options = options_of(*numbers);
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_store_add_hull(world->store, points, count, &options, nullptr, &id, &last_error);
    return id;
}

EMSCRIPTEN_KEEPALIVE abut_shape_id web_add_compound(World* world, const ShapeNumbers* numbers,
                                                    const abut_compound_child* children, size_t count) {
    const abut_instance_options options = options_of(*numbers);
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_store_add_compound(world->store, children, count, &options, &id, &last_error);
    return id;
}

EMSCRIPTEN_KEEPALIVE abut_shape_id web_add_mesh(World* world, const ShapeNumbers* numbers, bool both_sides, bool solid,
                                                const abut_vec3* vertices, size_t vertex_count,
                                                const abut_mesh_triangle* triangles, size_t triangle_count) {
    const abut_instance_options options = options_of(*numbers);
    abut_mesh_options mesh = abut_mesh_options_default();
    mesh.sides = both_sides ? ABUT_SIDES_BOTH : ABUT_SIDES_FRONT;
    mesh.solid = solid;
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_store_add_mesh(world->store, vertices, vertex_count, triangles, triangle_count, &options, &mesh, &id,
                        &last_error);
    return id;
}

// The lengths are the spacing along x and along z, and the thickness. `cells`: the flags of its cells, one for all, or
// none.
EMSCRIPTEN_KEEPALIVE abut_shape_id web_add_heightfield(World* world, const ShapeNumbers* numbers, bool both_sides,
                                                       const float* heights, uint32_t rows, uint32_t columns,
                                                       const uint32_t* cells, size_t cell_count) {
    const std::vector<uint8_t> flags(cells, cells + cell_count);
    const abut_instance_options options = options_of(*numbers);
    abut_heightfield_options field = abut_heightfield_options_default();
    field.spacing_x = numbers->lengths[0];
    field.spacing_z = numbers->lengths[1];
    field.thickness = numbers->lengths[2];
    field.sides = both_sides ? ABUT_SIDES_BOTH : ABUT_SIDES_FRONT;
    field.cells = flags.data();
    field.cell_count = flags.size();
    abut_shape_id id = ABUT_NO_SHAPE;
    abut_store_add_heightfield(world->store, heights, rows, columns, &options, &field, &id, &last_error);
    return id;
}

EMSCRIPTEN_KEEPALIVE bool web_remove(World* world, abut_shape_id id) {
    return abut_store_remove(world->store, id, &last_error) == ABUT_OK;
}

// Bit i % 32 of word i / 32 is pair i.
EMSCRIPTEN_KEEPALIVE bool web_overlap(World* world, const abut_shape_id* shapes, const abut_vec3* positions,
                                      const abut_quat* orientations, size_t bodies, const abut_pair* pairs,
                                      size_t pair_count, uint32_t* bits, abut_status* status) {
    const abut_frame frame = frame_of(*world, shapes, positions, orientations, bodies, pairs, pair_count, nullptr);
    abut_overlap_columns columns = {sizeof columns, bits, (pair_count + 31) / 32, status, pair_count, nullptr, 0, 0};
    return abut_narrow_phase_overlap(world->narrow, &frame, &columns, &last_error) == ABUT_OK;
}

// `traces` may be null here and in web_collide.
EMSCRIPTEN_KEEPALIVE bool web_distance(World* world, const abut_shape_id* shapes, const abut_vec3* positions,
                                       const abut_quat* orientations, size_t bodies, const abut_pair* pairs,
                                       size_t pair_count, abut_pair_trace* traces, float* signed_distance,
                                       abut_vec3* normal, abut_vec3* point_a, abut_vec3* point_b, abut_status* status) {
    const abut_frame frame = frame_of(*world, shapes, positions, orientations, bodies, pairs, pair_count, traces);
    const abut_distance_columns columns = {sizeof columns, pair_count, signed_distance, normal,
                                           point_a,        point_b,    status};
    return abut_narrow_phase_distance(world->narrow, &frame, &columns, nullptr, &last_error) == ABUT_OK;
}

// `margins`: null, or one for each pair. Null on an error. The columns stay until the next call.
EMSCRIPTEN_KEEPALIVE const abut_manifold_columns* web_collide(World* world, const abut_shape_id* shapes,
                                                              const abut_vec3* positions, const abut_quat* orientations,
                                                              size_t bodies, const abut_pair* pairs, size_t pair_count,
                                                              const float* margins, abut_pair_trace* traces) {
    static abut_manifold_columns columns;
    abut_frame frame = frame_of(*world, shapes, positions, orientations, bodies, pairs, pair_count, traces);
    if (margins != nullptr) frame.margins = abut_array(margins, pair_count);
    columns.size = sizeof columns;
    if (abut_narrow_phase_collide_all(world->narrow, &frame, world->manifolds, &last_error) != ABUT_OK) return nullptr;
    return abut_manifolds_columns(world->manifolds, &columns, &last_error) == ABUT_OK ? &columns : nullptr;
}

EMSCRIPTEN_KEEPALIVE uint32_t web_certified_by(const abut_pair_trace* trace) { return abut_certified_by(trace); }
EMSCRIPTEN_KEEPALIVE const char* web_state_name(uint32_t state) {
    return abut_pair_state_name(static_cast<uint8_t>(state));
}

}  // extern "C"
