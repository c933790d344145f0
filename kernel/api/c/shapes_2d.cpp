// The store of two dimensions in C.
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"
#include "api/c/store_calls.hpp"

namespace abut::c {
namespace {

abut_d2_instance_options to_c_struct(const d2::InstanceOptions& o) {
    const d2::Pose& p = o.pose;
    return {sizeof(abut_d2_instance_options),
            o.rounding,
            to_c(o.scale),
            {to_c(p.position), {p.rotation.c, p.rotation.s}},
            0};
}

abut_d2_shape_view to_c_struct(const d2::ShapeView& v) {
    return {sizeof(abut_d2_shape_view), std::uint32_t(v.kind), v.rounding, v.radius,  v.size,
            to_c(v.bounds_min),         to_c(v.bounds_max),    v.corners,  v.children};
}

// Checks the points, then calls add(points, options).
template <class Add>
abut_error_code add_points(abut_d2_store* store, const abut_vec2* points, size_t count,
                           const abut_d2_instance_options* options, abut_shape_id* id, abut_error* error, Add&& add) {
    return add_shape(store, options, id, error, [&](const d2::InstanceOptions& o) -> Expected<d2::ShapeId> {
        std::span<const d2::Vec2> all;
        if (CallResult r = view_items("points", points, count, all); !r) return r.error();
        return add(all, o);
    });
}

}  // namespace

CallResult to_cpp(const abut_d2_instance_options* from, d2::InstanceOptions& to) {
    abut_d2_instance_options given = to_c_struct(d2::InstanceOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.reserved != 0) return bad_argument("abut_d2_instance_options.reserved is not 0");
    to = {given.rounding, to_cpp(given.scale), to_cpp(given.pose)};
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_rot abut_rotation_of(double angle) {
    const d2::Rot r = d2::rotation_of(angle);
    return {r.c, r.s};
}

abut_error_code abut_d2_instance_options_init(abut_d2_instance_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(d2::InstanceOptions())); });
}

abut_error_code abut_d2_store_create(abut_d2_store** store, abut_error* error) {
    return c::create("store", store, error);
}

void abut_d2_store_destroy(abut_d2_store* store) { delete store; }

abut_error_code abut_d2_store_add_circle(abut_d2_store* store, float radius, const abut_d2_instance_options* options,
                                         abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const auto& o) { return store->store.add_circle(radius, o); });
}

abut_error_code abut_d2_store_add_capsule(abut_d2_store* store, float radius, float half_height,
                                          const abut_d2_instance_options* options, abut_shape_id* id,
                                          abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const auto& o) { return store->store.add_capsule(radius, half_height, o); });
}

abut_error_code abut_d2_store_add_segment(abut_d2_store* store, abut_vec2 from, abut_vec2 to, float radius,
                                          const abut_d2_instance_options* options, abut_shape_id* id,
                                          abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const auto& o) {
        return store->store.add_segment(c::to_cpp(from), c::to_cpp(to), radius, o);
    });
}

abut_error_code abut_d2_store_add_box(abut_d2_store* store, abut_vec2 half_extents,
                                      const abut_d2_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const auto& o) { return store->store.add_box(c::to_cpp(half_extents), o); });
}

abut_error_code abut_d2_store_add_polygon(abut_d2_store* store, const abut_vec2* points, size_t count,
                                          const abut_d2_instance_options* options, abut_shape_id* id,
                                          abut_error* error) {
    return c::add_points(store, points, count, options, id, error,
                         [&](auto all, const auto& o) { return store->store.add_polygon(all, o); });
}

abut_error_code abut_d2_store_add_halfplane(abut_d2_store* store, abut_vec2 normal, float offset,
                                            const abut_d2_instance_options* options, abut_shape_id* id,
                                            abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const auto& o) { return store->store.add_halfplane(c::to_cpp(normal), offset, o); });
}

abut_error_code abut_d2_store_add_chain(abut_d2_store* store, const abut_vec2* points, size_t count, bool is_loop,
                                        const abut_d2_instance_options* options, abut_shape_id* id, abut_error* error) {
    return c::add_points(store, points, count, options, id, error,
                         [&](auto all, const auto& o) { return store->store.add_chain(all, is_loop, o); });
}

abut_error_code abut_d2_store_add_compound(abut_d2_store* store, const abut_d2_compound_child* children, size_t count,
                                           const abut_d2_instance_options* options, abut_shape_id* id,
                                           abut_error* error) {
    return c::add_shape(store, options, id, error, [&](const auto& o) -> Expected<d2::ShapeId> {
        std::span<const d2::CompoundChild> all;
        if (CallResult r = c::view_items("children", children, count, all); !r) return r.error();
        return store->store.add_compound(all, o);
    });
}

abut_error_code abut_d2_store_add_instance(abut_d2_store* store, abut_shape_id original,
                                           const abut_d2_instance_options* options, abut_shape_id* id,
                                           abut_error* error) {
    return c::add_shape(store, options, id, error,
                        [&](const auto& o) { return store->store.add_instance(d2::ShapeId::from_bits(original), o); });
}

abut_error_code abut_d2_store_remove(abut_d2_store* store, abut_shape_id id, abut_error* error) {
    return c::run(error, {{"store", store}}, [&]() -> CallResult {
        if (store->store.remove(d2::ShapeId::from_bits(id))) return {};
        return bad_argument("id names no living shape");
    });
}

bool abut_d2_store_contains(const abut_d2_store* store, abut_shape_id id) {
    return store != nullptr && store->store.contains(d2::ShapeId::from_bits(id));
}

size_t abut_d2_store_size(const abut_d2_store* store) { return store == nullptr ? 0 : store->store.size(); }

abut_error_code abut_d2_store_view(const abut_d2_store* store, abut_shape_id id, abut_d2_shape_view* view,
                                   abut_error* error) {
    return c::read_shape(store, id, d2::ShapeKind::none, view, error, [&](d2::ShapeId named) -> CallResult {
        if (CallResult r = c::check_sized(view); !r) return r;
        c::write_sized(view, c::to_c_struct(store->store.view(named)));
        return {};
    });
}

abut_error_code abut_d2_store_corners(const abut_d2_store* store, abut_shape_id id, abut_vec2* corners, size_t room,
                                      size_t* count, abut_error* error) {
    return c::read_shape(store, id, d2::ShapeKind::none, count, error, [&](d2::ShapeId named) -> CallResult {
        std::span<d2::Vec2> out;
        if (CallResult r = c::view_items("corners", corners, room, out); !r) return r;
        (void)store->store.corners(named, out);
        *count = store->store.view(named).corners;
        return {};
    });
}

abut_error_code abut_d2_store_compound_children(const abut_d2_store* store, abut_shape_id id,
                                                abut_d2_compound_child* children, size_t room, size_t* count,
                                                abut_error* error) {
    return c::read_shape(store, id, d2::ShapeKind::compound, count, error, [&](d2::ShapeId named) -> CallResult {
        std::span<d2::CompoundChild> out;
        if (CallResult r = c::view_items("children", children, room, out); !r) return r;
        (void)store->store.compound_children(named, out);
        *count = store->store.view(named).children;
        return {};
    });
}

abut_error_code abut_d2_store_mass_properties(const abut_d2_store* store, abut_shape_id id, float density,
                                              abut_d2_mass_properties* out, abut_error* error) {
    return c::read_shape(store, id, d2::ShapeKind::none, out, error, [&](d2::ShapeId named) -> CallResult {
        const Expected<d2::MassProperties> found = mass_properties(store->store, named, density);
        if (!found) return found.error();
        *out = {found->mass, c::to_c(found->center), found->inertia};
        return {};
    });
}
