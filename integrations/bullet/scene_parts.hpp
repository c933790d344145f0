// Small parts that the scenes share.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "scene.hpp"

namespace abut::tools {

inline constexpr double kPi = 3.14159265358979;

inline Vec3 vec3(double x, double y, double z) { return {float(x), float(y), float(z)}; }
inline Quat about_y(double radians) { return {0, float(std::sin(radians / 2)), 0, float(std::cos(radians / 2))}; }
inline Quat about_z(double radians) { return {0, 0, float(std::sin(radians / 2)), float(std::cos(radians / 2))}; }

// Its surface is y = 0.
inline Scene floor_scene(double half_x, double half_z) {
    Scene scene;
    add_fixed_box(scene, vec3(half_x, 0.5, half_z), vec3(0, -0.5, 0));
    return scene;
}

// Returns the shape's index.
inline std::uint32_t add_shape(Scene& scene, ShapeSpec spec) {
    scene.shapes.push_back(std::move(spec));
    return std::uint32_t(scene.shapes.size() - 1);
}

inline ShapeSpec box_shape(Vec3 half_extents) {
    ShapeSpec spec;
    spec.kind = ShapeKind::box;
    spec.extents = half_extents;
    return spec;
}

inline std::uint32_t add_box_shape(Scene& scene, Vec3 half_extents) {
    return add_shape(scene, box_shape(half_extents));
}

inline ShapeSpec round_shape(ShapeKind kind, double radius, double half_height) {
    ShapeSpec spec;
    spec.kind = kind;
    spec.radius = float(radius);
    spec.half_height = float(half_height);
    return spec;
}

inline ChildSpec box_child(Vec3 half_extents, Vec3 position) {
    ChildSpec child;
    child.shape = box_shape(half_extents);
    child.position = position;
    return child;
}

}  // namespace abut::tools
