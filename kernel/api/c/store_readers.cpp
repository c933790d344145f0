// Functions that read a store's shapes.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"
#include "api/c/store_calls.hpp"

namespace abut::c {
namespace {

abut_shape_view to_c_struct(const ShapeView& v) {
    abut_shape_view view = {};
    view.size = sizeof view;
    view.kind = abut_shape_kind(v.kind);
    view.radius = v.radius;
    view.half_height = v.half_height;
    view.half_extents = to_c(v.half_extents);
    view.normal = to_c(v.normal);
    view.offset = v.offset;
    view.rounding = v.rounding;
    view.scale = to_c(v.scale);
    view.extent = v.size;
    view.bounds_min = to_c(v.bounds_min);
    view.bounds_max = to_c(v.bounds_max);
    view.children = v.children;
    view.pose = to_c(v.pose);
    view.custom = reinterpret_cast<const abut_custom_shape*>(v.custom);
    return view;
}

abut_heightfield_report to_c_struct(const HeightfieldReport& r) {
    return {sizeof(abut_heightfield_report),
            r.rows,
            r.columns,
            r.triangles,
            r.holes,
            r.spacing_x,
            r.spacing_z,
            abut_mesh_sides(r.sides),
            r.bytes,
            r.hole_cells,
            r.other_diagonals,
            r.thickness,
            {}};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

bool abut_store_contains(const abut_store* store, abut_shape_id id) {
    return store != nullptr && store->store.contains(ShapeId::from_bits(id));
}

size_t abut_store_size(const abut_store* store) { return store == nullptr ? 0 : store->store.size(); }

size_t abut_store_ids_left(const abut_store* store, abut_shape_kind kind) {
    return store == nullptr || kind > ABUT_HEIGHTFIELD ? 0 : store->store.ids_left(ShapeKind(kind));
}

abut_error_code abut_store_view(const abut_store* store, abut_shape_id id, abut_shape_view* view, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::none, view, error, [&](ShapeId named) -> CallResult {
        if (CallResult r = c::check_sized(view); !r) return r;
        c::write_sized(view, c::to_c_struct(store->store.view(named)));
        return {};
    });
}

abut_error_code abut_store_hull_report(const abut_store* store, abut_shape_id id, abut_hull_report* report,
                                       abut_error* error) {
    return c::read_shape(store, id, ShapeKind::hull, report, error, [&](ShapeId named) -> CallResult {
        if (CallResult r = c::check_sized(report); !r) return r;
        c::write_sized(report, c::to_c(store->store.view(named).hull));
        return {};
    });
}

abut_error_code abut_store_mesh_report(const abut_store* store, abut_shape_id id, abut_mesh_report* report,
                                       abut_error* error) {
    return c::read_shape(store, id, ShapeKind::mesh, report, error, [&](ShapeId named) -> CallResult {
        if (CallResult r = c::check_sized(report); !r) return r;
        c::write_sized(report, c::to_c(store->store.view(named).mesh));
        return {};
    });
}

abut_error_code abut_store_heightfield_report(const abut_store* store, abut_shape_id id,
                                              abut_heightfield_report* report, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::heightfield, report, error, [&](ShapeId named) -> CallResult {
        if (CallResult r = c::check_sized(report); !r) return r;
        c::write_sized(report, c::to_c_struct(store->store.view(named).heightfield));
        return {};
    });
}

abut_error_code abut_store_hull_vertices(const abut_store* store, abut_shape_id id, abut_vec3* vertices, size_t room,
                                         size_t* count, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::hull, count, error, [&](ShapeId named) -> CallResult {
        std::span<Vec3> out;
        if (CallResult r = c::view_items("vertices", vertices, room, out); !r) return r;
        (void)store->store.hull_vertices(named, out);
        *count = store->store.view(named).hull.vertices;
        return {};
    });
}

abut_error_code abut_store_mesh_vertices(const abut_store* store, abut_shape_id id, abut_vec3* vertices, size_t room,
                                         size_t* count, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::mesh, count, error, [&](ShapeId named) -> CallResult {
        std::span<Vec3> out;
        if (CallResult r = c::view_items("vertices", vertices, room, out); !r) return r;
        (void)store->store.mesh_vertices(named, out);
        *count = store->store.view(named).mesh.vertices;
        return {};
    });
}

abut_error_code abut_store_mesh_triangles(const abut_store* store, abut_shape_id id, abut_mesh_triangle* triangles,
                                          size_t room, size_t* count, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::mesh, count, error, [&](ShapeId named) -> CallResult {
        std::span<MeshTriangle> out;
        if (CallResult r = c::view_items("triangles", triangles, room, out); !r) return r;
        (void)store->store.mesh_triangles(named, out);
        *count = store->store.view(named).mesh.input_triangles;
        return {};
    });
}

uint32_t abut_store_triangle_user_value(const abut_store* store, abut_shape_id id, uint32_t triangle) {
    return store == nullptr ? 0 : store->store.triangle_user_value(ShapeId::from_bits(id), triangle);
}

abut_error_code abut_store_field_heights(const abut_store* store, abut_shape_id id, float* heights, size_t room,
                                         size_t* count, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::heightfield, count, error, [&](ShapeId named) -> CallResult {
        std::span<float> out;
        if (CallResult r = c::view_items("heights", heights, room, out); !r) return r;
        (void)store->store.field_heights(named, out);
        const HeightfieldReport report = store->store.view(named).heightfield;
        *count = std::size_t(report.rows) * report.columns;
        return {};
    });
}

abut_error_code abut_store_field_cells(const abut_store* store, abut_shape_id id, uint8_t* cells, size_t room,
                                       size_t* count, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::heightfield, count, error, [&](ShapeId named) -> CallResult {
        std::span<std::uint8_t> out;
        if (CallResult r = c::view_items("cells", cells, room, out); !r) return r;
        (void)store->store.field_cells(named, out);
        const HeightfieldReport report = store->store.view(named).heightfield;
        *count = std::size_t(report.rows - 1) * (report.columns - 1);
        return {};
    });
}

abut_error_code abut_store_hull_face(const abut_store* store, abut_shape_id id, uint32_t face, abut_hull_face* out,
                                     abut_error* error) {
    return c::read_shape(store, id, ShapeKind::hull, out, error, [&](ShapeId named) -> CallResult {
        const std::uint32_t faces = store->store.view(named).hull.faces;
        if (face >= faces) return bad_argument(message_of("face is ", face, ", the hull has ", faces));
        const HullFace found = store->store.hull_face(named, face);
        *out = {c::to_c(found.normal), found.offset, found.corners.data(), found.corners.size()};
        return {};
    });
}

abut_error_code abut_store_hull_edges(const abut_store* store, abut_shape_id id, const abut_hull_edge** edges,
                                      size_t* count, abut_error* error) {
    if (count == nullptr) return c::report_null(error, "count");
    return c::read_shape(store, id, ShapeKind::hull, edges, error, [&](ShapeId named) -> CallResult {
        const std::span<const HullEdge> all = store->store.hull_edges(named);
        *edges = reinterpret_cast<const abut_hull_edge*>(all.data());
        *count = all.size();
        return {};
    });
}

abut_error_code abut_store_compound_children(const abut_store* store, abut_shape_id id, abut_compound_child* children,
                                             size_t room, size_t* count, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::compound, count, error, [&](ShapeId named) -> CallResult {
        std::span<CompoundChild> out;
        if (CallResult r = c::view_items("children", children, room, out); !r) return r;
        (void)store->store.compound_children(named, out);
        *count = store->store.view(named).children;
        return {};
    });
}

abut_error_code abut_store_mass_properties(const abut_store* store, abut_shape_id id, double density,
                                           abut_mass_properties* out, abut_error* error) {
    return c::read_shape(store, id, ShapeKind::none, out, error, [&](ShapeId named) -> CallResult {
        const Expected<MassProperties> made = mass_properties(store->store, named, density);
        if (!made) return made.error();
        *out = *reinterpret_cast<const abut_mass_properties*>(&*made);
        return {};
    });
}

uint64_t abut_store_user_data(const abut_store* store, abut_shape_id id) {
    return store == nullptr ? 0 : store->store.user_data(ShapeId::from_bits(id));
}

uint64_t abut_store_child_user_data(const abut_store* store, abut_shape_id compound, uint32_t child) {
    return store == nullptr ? 0 : store->store.child_user_data(ShapeId::from_bits(compound), child);
}
