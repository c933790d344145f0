// A store's shapes: added, changed, removed.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/store_calls.hpp"

namespace abut::c {
namespace {

CallResult check_custom(const abut_custom_shape* shape) {
    if (shape == nullptr) return bad_argument("shape is null");
    if (shape->name == nullptr) return bad_argument("shape->name is null");
    if (shape->support_lanes == nullptr) return bad_argument("shape->support_lanes is null");
    if (shape->support == nullptr) return bad_argument("shape->support is null");
    return {};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_store_create(abut_store** store, abut_error* error) { return c::create("store", store, error); }

void abut_store_destroy(abut_store* store) { delete store; }

abut_error_code abut_store_share_equal(abut_store* store, bool is_on, abut_error* error) {
    return c::run(error, {{"store", store}}, [&] { return store->store.share_equal(is_on); });
}

size_t abut_store_byte_count(const abut_store* store) { return store == nullptr ? 0 : store->store.byte_count(); }

abut_error_code abut_store_write(const abut_store* store, void* bytes, size_t room, abut_error* error) {
    return c::run(error, {{"store", store}, {"bytes", bytes}}, [&]() -> CallResult {
        if (store->store.byte_count() == 0)
            return bad_argument("the store has custom shapes, which bytes cannot hold, or there is no memory");
        return c::write_bytes(store->store, "store", bytes, room);
    });
}

abut_error_code abut_store_read(const void* bytes, size_t count, abut_store** store, abut_error* error) {
    return c::run(error, {{"store", store}, {"bytes", bytes}}, [&] {
        return c::give(ShapeStore::read({static_cast<const std::byte*>(bytes), count}), store);
    });
}

void abut_axis_between(abut_vec3 bottom, abut_vec3 top, float* half_height, abut_relative_pose* pose) {
    const ShapeAxis axis = axis_between(c::to_cpp(bottom), c::to_cpp(top));
    if (half_height != nullptr) *half_height = axis.half_height;
    if (pose != nullptr) *pose = c::to_c(axis.pose);
}

abut_error_code abut_store_add_sphere(abut_store* store, float radius, const abut_instance_options* options,
                                      abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const InstanceOptions& o) { return store->store.add_sphere(radius, o); });
}

abut_error_code abut_store_add_capsule(abut_store* store, float radius, float half_height,
                                       const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const InstanceOptions& o) { return store->store.add_capsule(radius, half_height, o); });
}

abut_error_code abut_store_add_box(abut_store* store, abut_vec3 half_extents, const abut_instance_options* options,
                                   abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const InstanceOptions& o) { return store->store.add_box(c::to_cpp(half_extents), o); });
}

abut_error_code abut_store_add_cylinder(abut_store* store, float radius, float half_height,
                                        const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const InstanceOptions& o) { return store->store.add_cylinder(radius, half_height, o); });
}

abut_error_code abut_store_add_cone(abut_store* store, float radius, float half_height,
                                    const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const InstanceOptions& o) { return store->store.add_cone(radius, half_height, o); });
}

abut_error_code abut_store_add_ellipsoid(abut_store* store, abut_vec3 radii, const abut_instance_options* options,
                                         abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const InstanceOptions& o) { return store->store.add_ellipsoid(c::to_cpp(radii), o); });
}

abut_error_code abut_store_add_custom(abut_store* store, const abut_custom_shape* shape, abut_vec3 lengths,
                                      const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        if (CallResult r = c::check_custom(shape); !r) return r.error();
        return store->store.add_custom(*reinterpret_cast<const CustomShape*>(shape), c::to_cpp(lengths), o);
    });
}

abut_error_code abut_store_add_halfspace(abut_store* store, abut_vec3 normal, float offset,
                                         const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) {
        return store->store.add_halfspace(c::to_cpp(normal), offset, o);
    });
}

abut_error_code abut_store_add_hull(abut_store* store, const abut_vec3* points, size_t count,
                                    const abut_instance_options* options, const abut_hull_options* hull,
                                    abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        HullOptions wanted;
        std::span<const Vec3> all;
        if (CallResult r = c::to_cpp(hull, wanted); !r) return r.error();
        if (CallResult r = c::view_items("points", points, count, all); !r) return r.error();
        return store->store.add_hull(all, o, wanted);
    });
}

abut_error_code abut_store_add_cooked_hull(abut_store* store, const abut_cooked_hull* hull,
                                           const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        if (hull == nullptr) return bad_argument("hull is null");
        return store->store.add_hull(hull->hull, o);
    });
}

abut_error_code abut_store_add_compound(abut_store* store, const abut_compound_child* children, size_t count,
                                        const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        std::span<const CompoundChild> all;
        if (CallResult r = c::view_items("children", children, count, all); !r) return r.error();
        return store->store.add_compound(all, o);
    });
}

abut_error_code abut_store_add_point_cloud(abut_store* store, const abut_vec3* points, size_t count, float radius,
                                           const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        std::span<const Vec3> all;
        if (CallResult r = c::view_items("points", points, count, all); !r) return r.error();
        return add_point_cloud(store->store, all, radius, o);
    });
}

abut_error_code abut_store_add_mesh(abut_store* store, const abut_vec3* vertices, size_t vertex_count,
                                    const abut_mesh_triangle* triangles, size_t triangle_count,
                                    const abut_instance_options* options, const abut_mesh_options* mesh,
                                    abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        MeshOptions wanted;
        std::span<const Vec3> points;
        std::span<const MeshTriangle> all;
        if (CallResult r = c::to_cpp(mesh, wanted); !r) return r.error();
        if (CallResult r = c::check_triangles(vertices, vertex_count, triangles, triangle_count, points, all); !r)
            return r.error();
        return store->store.add_mesh(points, all, o, wanted);
    });
}

abut_error_code abut_store_add_cooked_mesh(abut_store* store, const abut_cooked_mesh* mesh,
                                           const abut_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        if (mesh == nullptr) return bad_argument("mesh is null");
        return store->store.add_mesh(mesh->mesh, o);
    });
}

abut_error_code abut_store_add_heightfield(abut_store* store, const float* heights, uint32_t rows, uint32_t columns,
                                           const abut_instance_options* options, const abut_heightfield_options* field,
                                           abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) -> Expected<ShapeId> {
        HeightfieldOptions wanted;
        std::span<const float> samples;
        if (CallResult r = c::to_cpp(field, wanted); !r) return r.error();
        if (CallResult r = c::view_items("heights", heights, std::size_t(rows) * columns, samples); !r)
            return r.error();
        return store->store.add_heightfield(samples, rows, columns, o, wanted);
    });
}

abut_error_code abut_store_add_instance(abut_store* store, abut_shape_id original, const abut_instance_options* options,
                                        abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const InstanceOptions& o) {
        return store->store.add_instance(ShapeId::from_bits(original), o);
    });
}

abut_error_code abut_store_set_instance(abut_store* store, abut_shape_id id, const abut_instance_options* options,
                                        abut_error* error) {
    return c::run(error, {{"store", store}}, [&]() -> CallResult {
        InstanceOptions wanted;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return store->store.set_instance(ShapeId::from_bits(id), wanted);
    });
}

abut_error_code abut_store_set_user_data(abut_store* store, abut_shape_id id, uint64_t value, abut_error* error) {
    return c::run(error, {{"store", store}}, [&]() -> CallResult {
        if (store->store.set_user_data(ShapeId::from_bits(id), value)) return {};
        return bad_argument("id names no living shape");
    });
}

abut_error_code abut_store_remove(abut_store* store, abut_shape_id id, abut_error* error) {
    return c::run(error, {{"store", store}}, [&]() -> CallResult {
        const ShapeId named = ShapeId::from_bits(id);
        if (store->store.remove(named)) return {};
        return bad_argument(store->store.contains(named) ? "id names a compound's own instance, which goes with it"
                                                         : "id names no living shape");
    });
}

abut_error_code abut_store_forget_removed(abut_store* store, abut_error* error) {
    return c::run(error, {{"store", store}}, [&]() -> CallResult {
        store->store.forget_removed();
        return {};
    });
}
