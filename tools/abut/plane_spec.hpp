// PlaneSpec: a shape in the plane as the formats spell it, before a d2::ShapeStore has checked or cooked it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abut/d2/shapes_2d.hpp>
#include <abut/status.hpp>

#include "shape_json.hpp"

namespace abut::tools {

struct PlaneChild;

struct PlanePose {
    d2::Vec2 position;
    float orientation = 0.0f;  // radians
};

// Metres, in the body's frame; which fields count depends on the kind.
struct PlaneSpec {
    d2::ShapeKind kind = d2::ShapeKind::none;
    float radius = 0.0f;               // circle, capsule
    float half_height = 0.0f;          // capsule
    d2::Vec2 extents;                  // box: half extents; halfplane: normal
    float offset = 0.0f;               // halfplane
    std::vector<d2::Vec2> vertices;    // polygon, chain
    bool loop = false;                 // chain
    std::vector<PlaneChild> children;  // compound
    float rounding = 0.0f;
    std::optional<d2::Vec2> scale;
    std::optional<PlanePose> pose;  // of the shape in its body's or its compound's frame
};

struct PlaneChild {
    PlaneSpec shape;
    d2::Vec2 position;
    float orientation = 0.0f;  // radians
};

// As for ShapeSpec.
Expected<PlaneSpec> plane_from_json(const nlohmann::json& json, NumberRule rule);
Expected<d2::ShapeId> add_shape(d2::ShapeStore& store, const PlaneSpec& spec);
std::string shape_key(const PlaneSpec& spec);

}  // namespace abut::tools
