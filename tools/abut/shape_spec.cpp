// The domains of every shape's fields, and the way from a spec into a ShapeStore.
#include "shape_spec.hpp"

#include <cmath>

#include <fmt/format.h>

namespace abut::tools {
namespace {

CallResult bad(std::string message) { return Error{ErrorCode::bad_shape, std::move(message)}; }

CallResult check_length(const char* field, float value) {
    if (std::isfinite(value) && value >= 0.0f) return {};
    return bad(fmt::format("{} is {}; it must be finite and not negative", field, value));
}

CallResult check_positive(const char* field, float value) {
    if (std::isfinite(value) && value > 0.0f) return {};
    return bad(fmt::format("{} is {}; it must be finite and above zero", field, value));
}

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

CallResult check_each(const char* field, Vec3 v, CallResult (*check)(const char*, float)) {
    const float values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        CallResult result = check(fmt::format("{}[{}]", field, i).c_str(), values[i]);
        if (!result) return result;
    }
    return {};
}

CallResult check_halfspace(const ShapeSpec& spec) {
    if (!is_finite(spec.extents) || spec.extents == Vec3{}) {
        return bad(fmt::format("normal is [{}, {}, {}]; it must be finite and not zero", spec.extents.x, spec.extents.y,
                               spec.extents.z));
    }
    if (!std::isfinite(spec.offset)) return bad(fmt::format("offset is {}; it must be finite", spec.offset));
    return {};
}

CallResult check_vertices(const std::vector<Vec3>& vertices) {
    if (vertices.empty()) return bad("vertices is empty; a hull needs at least one");
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (!is_finite(vertices[i])) return bad(fmt::format("vertices[{}] is not finite", i));
    }
    return {};
}

CallResult check_child(const ChildSpec& child) {
    if (!is_finite(child.position)) return bad("pos is not finite");
    const Quat q = child.orientation;
    const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    if (!(std::fabs(length - 1.0) <= 0.01)) return bad(fmt::format("quat has length {}, over 1% off 1", length));
    return check_shape(child.shape);
}

CallResult check_children(const std::vector<ChildSpec>& children) {
    if (children.empty()) return bad("children is empty; a compound needs at least one");
    for (std::size_t i = 0; i < children.size(); ++i) {
        const CallResult result = check_child(children[i]);
        if (!result) return bad(fmt::format("children[{}]: {}", i, result.error().message));
    }
    return {};
}

CallResult check_own_fields(const ShapeSpec& spec) {
    switch (spec.kind) {
        case ShapeKind::sphere: return check_length("radius", spec.radius);
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone: {
            CallResult radius = check_length("radius", spec.radius);
            return radius ? check_length("half_height", spec.half_height) : radius;
        }
        case ShapeKind::box: return check_each("half_extents", spec.extents, check_length);
        case ShapeKind::hull: return check_vertices(spec.vertices);
        case ShapeKind::ellipsoid: return check_each("radii", spec.extents, check_positive);
        case ShapeKind::halfspace: return check_halfspace(spec);
        case ShapeKind::compound: return check_children(spec.children);
        case ShapeKind::custom:
        case ShapeKind::none: break;
    }
    return bad("no such shape");
}

void append_bytes(std::string& key, const void* data, std::size_t size) { key.append(static_cast<const char*>(data), size); }

}  // namespace

ShapeKind kind_named(const std::string& name) {
    for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull, ShapeKind::cylinder,
                                 ShapeKind::cone, ShapeKind::ellipsoid, ShapeKind::halfspace, ShapeKind::compound}) {
        if (name == to_string(kind)) return kind;
    }
    return ShapeKind::none;
}

CallResult check_shape(const ShapeSpec& spec) {
    if (CallResult own = check_own_fields(spec); !own) return own;
    if (CallResult rounding = check_length("rounding", spec.rounding); !rounding) return rounding;
    if (spec.scale && !is_finite(*spec.scale)) return bad("scale is not finite");
    return {};
}

Expected<ShapeId> add_shape(ShapeStore& store, const ShapeSpec& spec) {
    InstanceOptions options;
    options.rounding = spec.rounding;
    if (spec.scale) options.scale = *spec.scale;
    switch (spec.kind) {
        case ShapeKind::sphere: return store.add_sphere(spec.radius, options);
        case ShapeKind::capsule: return store.add_capsule(spec.radius, spec.half_height, options);
        case ShapeKind::box: return store.add_box(spec.extents, options);
        case ShapeKind::hull: return store.add_hull(spec.vertices, options);
        case ShapeKind::cylinder: return store.add_cylinder(spec.radius, spec.half_height, options);
        case ShapeKind::cone: return store.add_cone(spec.radius, spec.half_height, options);
        case ShapeKind::ellipsoid: return store.add_ellipsoid(spec.extents, options);
        case ShapeKind::halfspace: return store.add_halfspace(spec.extents, spec.offset, options);
        default: break;
    }
    if (const CallResult checked = check_shape(spec); !checked) return checked.error();
    return Error{ErrorCode::unsupported, fmt::format("shape \"{}\" has no kernel in this version", to_string(spec.kind))};
}

std::string shape_key(const ShapeSpec& spec) {
    std::string key;
    key.reserve(64 + spec.vertices.size() * sizeof(Vec3));
    const Vec3 scale = spec.scale.value_or(Vec3{1.0f, 1.0f, 1.0f});
    key.push_back(char(spec.kind));
    append_bytes(key, &spec.radius, sizeof(float));
    append_bytes(key, &spec.half_height, sizeof(float));
    append_bytes(key, &spec.extents, sizeof(Vec3));
    append_bytes(key, &spec.offset, sizeof(float));
    append_bytes(key, &spec.rounding, sizeof(float));
    append_bytes(key, &scale, sizeof(Vec3));
    append_bytes(key, spec.vertices.data(), spec.vertices.size() * sizeof(Vec3));
    return key;
}

}  // namespace abut::tools
