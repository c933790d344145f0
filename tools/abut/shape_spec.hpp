// ShapeSpec: a shape as the formats spell it, before a ShapeStore has checked or cooked it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

#include "capture_limits.hpp"

namespace abut::tools {

struct ChildSpec;

// Metres, in the body's frame; which fields count depends on the kind.
struct ShapeSpec {
    ShapeKind kind = ShapeKind::none;
    float radius = 0.0f;              // sphere, capsule, cylinder, cone
    float half_height = 0.0f;         // capsule, cylinder, cone
    Vec3 extents;                     // box: half extents; ellipsoid: radii; halfspace: normal
    float offset = 0.0f;              // halfspace
    std::vector<Vec3> vertices;       // hull, mesh
    std::vector<ChildSpec> children;  // compound
    float rounding = 0.0f;
    std::optional<Vec3> scale;
    std::vector<MeshTriangle> triangles;  // mesh
    MeshSides sides = MeshSides::front;   // mesh, heightfield
    bool solid = false;                   // mesh: has an inside, or is a bad shape
    std::uint32_t rows = 0, columns = 0;  // heightfield
    float spacing_x = 0.0f, spacing_z = 0.0f;
    std::vector<float> heights;        // row by row, NaN for a hole
    std::vector<std::uint8_t> cells;   // HeightfieldOptions::cells
    float thickness = 0.0f;            // HeightfieldOptions::thickness
    std::optional<RelativePose> pose;  // of the shape in its body's or its compound's frame
};

struct ChildSpec {
    ShapeSpec shape;
    Vec3 position;
    Quat orientation;
};

// The kind that the formats call `name`; false where they know no such shape.
bool read_kind(const std::string& name, ShapeSpec& out);

// Adds the shape: an id, or the store's own refusal.
Expected<ShapeId> add_shape(ShapeStore& store, const ShapeSpec& spec);

// Bytes that are equal exactly for equal specs: what to share cooked shapes by.
std::string shape_key(const ShapeSpec& spec);

}  // namespace abut::tools
