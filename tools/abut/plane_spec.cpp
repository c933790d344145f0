// The table of shapes in the plane of formats.md as code, and the way from a spec into a d2::ShapeStore.
#include "plane_spec.hpp"

#include <abut/d2/frame_2d.hpp>

#include "key_bytes.hpp"
#include "shape_reader.hpp"

namespace abut::tools {
namespace {

using d2::ShapeKind;

d2::Pose to_pose(d2::Vec2 position, float angle) { return {position, d2::rotation_of(angle)}; }

// As in shape_spec.cpp: the children by themselves, then what is made of them.
Expected<d2::ShapeId> add_compound(d2::ShapeStore& store, const std::vector<PlaneChild>& specs,
                                   const d2::InstanceOptions& options) {
    std::vector<d2::CompoundChild> children;
    Error error;
    for (std::size_t i = 0; i < specs.size() && error.code == ErrorCode::none; ++i) {
        const Expected<d2::ShapeId> id = add_shape(store, specs[i].shape);
        if (id)
            children.push_back({*id, to_pose(specs[i].position, specs[i].orientation)});
        else
            error = {id.error().code, fmt::format("children[{}]: {}", i, id.error().message.view())};
    }
    Expected<d2::ShapeId> compound =
        error.code == ErrorCode::none ? store.add_compound(children, options) : Expected<d2::ShapeId>(error);
    for (const d2::CompoundChild& child : children) store.remove(child.shape);
    return compound;
}

}  // namespace

bool read_kind(const std::string& name, PlaneSpec& out) {
    for (const ShapeKind kind : {ShapeKind::circle, ShapeKind::capsule, ShapeKind::box, ShapeKind::polygon,
                                 ShapeKind::halfplane, ShapeKind::chain, ShapeKind::compound}) {
        if (name != to_string(kind)) continue;
        out.kind = kind;
        return true;
    }
    return false;
}

void read_own_fields(FieldReader& fields, NumberRule rule, int depth, PlaneSpec& out) {
    switch (out.kind) {
        case ShapeKind::circle: return fields.value("radius", out.radius);
        case ShapeKind::capsule:
            fields.value("radius", out.radius);
            return fields.value("half_height", out.half_height);
        case ShapeKind::box: return fields.value("half_extents", out.extents);
        case ShapeKind::halfplane: fields.value("normal", out.extents); return fields.value("offset", out.offset);
        case ShapeKind::chain: fields.flag("loop", out.loop); [[fallthrough]];
        case ShapeKind::polygon: return fields.vectors("vertices", out.vertices);
        case ShapeKind::compound: return read_children(fields, rule, depth, out.children);
        case ShapeKind::polygon4:
        case ShapeKind::polygon8:
        case ShapeKind::none: break;
    }
}

Expected<PlaneSpec> plane_from_json(const nlohmann::json& json, NumberRule rule) {
    return read_spec<PlaneSpec>(json, rule);
}

Expected<d2::ShapeId> add_shape(d2::ShapeStore& store, const PlaneSpec& spec) {
    d2::InstanceOptions options;
    options.rounding = spec.rounding;
    if (spec.scale) options.scale = *spec.scale;
    if (spec.pose) options.pose = to_pose(spec.pose->position, spec.pose->orientation);
    switch (spec.kind) {
        case ShapeKind::circle: return store.add_circle(spec.radius, options);
        case ShapeKind::capsule: return store.add_capsule(spec.radius, spec.half_height, options);
        case ShapeKind::box: return store.add_box(spec.extents, options);
        case ShapeKind::polygon: return store.add_polygon(spec.vertices, options);
        case ShapeKind::halfplane: return store.add_halfplane(spec.extents, spec.offset, options);
        case ShapeKind::chain: return store.add_chain(spec.vertices, spec.loop, options);
        case ShapeKind::compound: return add_compound(store, spec.children, options);
        case ShapeKind::polygon4:
        case ShapeKind::polygon8:
        case ShapeKind::none: break;
    }
    return Error{ErrorCode::bad_shape, "no such shape"};
}

std::string shape_key(const PlaneSpec& spec) {
    std::string key;
    const d2::Vec2 scale = spec.scale.value_or(d2::Vec2{1.0f, 1.0f});
    const PlanePose pose = spec.pose.value_or(PlanePose{});
    key.push_back(char(spec.kind));
    key.push_back(char(spec.loop));
    for (const float number : {spec.radius, spec.half_height, spec.extents.x, spec.extents.y, spec.offset,
                               spec.rounding, scale.x, scale.y, pose.position.x, pose.position.y, pose.orientation})
        append_bytes(key, &number, sizeof number);
    append_list(key, spec.vertices);
    const std::size_t children = spec.children.size();
    append_bytes(key, &children, sizeof children);
    for (const PlaneChild& child : spec.children) {
        append_bytes(key, &child.position, sizeof child.position);
        append_bytes(key, &child.orientation, sizeof child.orientation);
        key += shape_key(child.shape);
    }
    return key;
}

}  // namespace abut::tools
