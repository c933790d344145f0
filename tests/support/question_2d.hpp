// Pairs of the plane as lines for `abut query --2d`, which has angles, and segments as rounded polygons.
#pragma once

#include <cmath>

#include <nlohmann/json.hpp>

#include "support/families_2d.hpp"

namespace abut::plane {

inline float angle_of(d2::Rot r) { return std::atan2(r.s, r.c); }

// The shape that the line names.
inline ShapeSpec as_asked(ShapeSpec spec) {
    if (spec.kind == d2::ShapeKind::capsule && !spec.points.empty()) {
        spec.kind = d2::ShapeKind::polygon;
        spec.options.rounding += spec.radius * std::fabs(spec.options.scale.x);
    }
    for (ShapeSpec& child : spec.children) child = as_asked(child);
    for (d2::Pose& pose : spec.poses) pose.rotation = d2::rotation_of(angle_of(pose.rotation));
    spec.options.pose.rotation = d2::rotation_of(angle_of(spec.options.pose.rotation));
    return spec;
}

inline nlohmann::json list(d2::Vec2 v) { return {v.x, v.y}; }

// Of as_asked().
inline nlohmann::json as_json(const ShapeSpec& spec) {
    using d2::ShapeKind;
    nlohmann::json out = {{"shape", d2::to_string(spec.kind)}};
    for (const auto& point : spec.points) out["vertices"].push_back(list(point));
    if (spec.kind == ShapeKind::box) out["half_extents"] = list(spec.half_extents);
    if (spec.kind == ShapeKind::circle || spec.kind == ShapeKind::capsule) out["radius"] = spec.radius;
    if (spec.kind == ShapeKind::capsule) out["half_height"] = spec.half_extents.y;
    if (spec.kind == ShapeKind::halfplane) out["normal"] = list(spec.normal), out["offset"] = spec.offset;
    if (spec.kind == ShapeKind::chain) out["loop"] = spec.is_loop;
    for (std::size_t i = 0; i < spec.children.size(); ++i)
        out["children"].push_back({{"shape", as_json(spec.children[i])},
                                   {"pos", list(spec.poses[i].position)},
                                   {"angle", angle_of(spec.poses[i].rotation)}});
    out["rounding"] = spec.options.rounding;
    out["scale"] = list(spec.options.scale);
    out["pos"] = list(spec.options.pose.position), out["angle"] = angle_of(spec.options.pose.rotation);
    return out;
}

}  // namespace abut::plane
