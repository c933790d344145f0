// The way from a spec into a ShapeStore, which checks its fields.
#include "shape_spec.hpp"

#include <fmt/format.h>

#include "key_bytes.hpp"

namespace abut::tools {
namespace {

// Its children by themselves, then what is made of them, which keeps what it needs.
Expected<ShapeId> add_compound(ShapeStore& store, const std::vector<ChildSpec>& specs, const InstanceOptions& options) {
    std::vector<CompoundChild> children;
    Error error;
    for (std::size_t i = 0; i < specs.size() && error.code == ErrorCode::none; ++i) {
        const Expected<ShapeId> id = add_shape(store, specs[i].shape);
        if (id)
            children.push_back({*id, specs[i].position, specs[i].orientation});
        else
            error = {id.error().code, fmt::format("children[{}]: {}", i, id.error().message.view())};
    }
    Expected<ShapeId> compound =
        error.code == ErrorCode::none ? store.add_compound(children, options) : Expected<ShapeId>(error);
    for (const CompoundChild& child : children) store.remove(child.shape);
    return compound;
}

}  // namespace

bool read_kind(const std::string& name, ShapeSpec& out) {
    for (const ShapeKind kind :
         {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull, ShapeKind::cylinder, ShapeKind::cone,
          ShapeKind::ellipsoid, ShapeKind::halfspace, ShapeKind::compound, ShapeKind::mesh, ShapeKind::heightfield}) {
        if (name != to_string(kind)) continue;
        out.kind = kind;
        return true;
    }
    return false;
}

Expected<ShapeId> add_shape(ShapeStore& store, const ShapeSpec& spec) {
    InstanceOptions options;
    options.rounding = spec.rounding;
    if (spec.scale) options.scale = *spec.scale;
    if (spec.pose) options.pose = *spec.pose;
    switch (spec.kind) {
        case ShapeKind::sphere: return store.add_sphere(spec.radius, options);
        case ShapeKind::capsule: return store.add_capsule(spec.radius, spec.half_height, options);
        case ShapeKind::box: return store.add_box(spec.extents, options);
        case ShapeKind::hull: return store.add_hull(spec.vertices, options);
        case ShapeKind::cylinder: return store.add_cylinder(spec.radius, spec.half_height, options);
        case ShapeKind::cone: return store.add_cone(spec.radius, spec.half_height, options);
        case ShapeKind::ellipsoid: return store.add_ellipsoid(spec.extents, options);
        case ShapeKind::halfspace: return store.add_halfspace(spec.extents, spec.offset, options);
        case ShapeKind::compound: return add_compound(store, spec.children, options);
        case ShapeKind::mesh: {
            MeshOptions mesh;
            mesh.sides = spec.sides;
            mesh.solid = spec.solid;
            return store.add_mesh(spec.vertices, spec.triangles, options, mesh);
        }
        case ShapeKind::heightfield:
            return store.add_heightfield(spec.heights, spec.rows, spec.columns, options,
                                         {spec.spacing_x, spec.spacing_z, spec.sides, spec.cells, spec.thickness});
        case ShapeKind::custom:
        case ShapeKind::none: break;
    }
    return Error{ErrorCode::bad_shape, "no such shape"};
}

std::string shape_key(const ShapeSpec& spec) {
    std::string key;
    key.reserve(128 + spec.vertices.size() * sizeof(Vec3) + spec.triangles.size() * sizeof(MeshTriangle) +
                spec.heights.size() * sizeof(float));
    const Vec3 scale = spec.scale.value_or(Vec3{1.0f, 1.0f, 1.0f});
    key.push_back(char(spec.kind));
    append_bytes(key, &spec.radius, sizeof(float));
    append_bytes(key, &spec.half_height, sizeof(float));
    append_bytes(key, &spec.extents, sizeof(Vec3));
    append_bytes(key, &spec.offset, sizeof(float));
    append_bytes(key, &spec.rounding, sizeof(float));
    append_bytes(key, &scale, sizeof(Vec3));
    const RelativePose pose = spec.pose.value_or(RelativePose{});
    append_bytes(key, &pose, sizeof pose);
    const std::size_t children = spec.children.size();
    append_list(key, spec.vertices);
    append_list(key, spec.triangles);
    append_list(key, spec.heights);
    append_list(key, spec.cells);
    key.push_back(char(spec.sides));
    key.push_back(char(spec.solid));
    for (const std::uint32_t count : {spec.rows, spec.columns}) append_bytes(key, &count, sizeof count);
    for (const float length : {spec.spacing_x, spec.spacing_z, spec.thickness})
        append_bytes(key, &length, sizeof length);
    append_bytes(key, &children, sizeof children);
    for (const ChildSpec& child : spec.children) {
        append_bytes(key, &child.position, sizeof(Vec3));
        append_bytes(key, &child.orientation, sizeof(Quat));
        key += shape_key(child.shape);
    }
    return key;
}

}  // namespace abut::tools
