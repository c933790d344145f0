// Converts structs of the C headers to those of C++. layouts.cpp proves that the arrays have the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <abut/abut.h>
#include <abut/abut.hpp>
#include <abut/d2.hpp>

#include "batch/frame_checks.hpp"

namespace abut::c {

inline Vec3 to_cpp(abut_vec3 v) { return {v.x, v.y, v.z}; }
inline DVec3 to_cpp(abut_dvec3 v) { return {v.x, v.y, v.z}; }
inline RelativePose to_cpp(const abut_relative_pose& p) {
    return {to_cpp(p.position), {p.orientation.x, p.orientation.y, p.orientation.z, p.orientation.w}};
}
inline d2::Vec2 to_cpp(abut_vec2 v) { return {v.x, v.y}; }
inline d2::Pose to_cpp(const abut_d2_pose& p) { return {to_cpp(p.position), {p.rotation.c, p.rotation.s}}; }
inline abut_vec2 to_c(d2::Vec2 v) { return {v.x, v.y}; }
inline abut_vec3 to_c(Vec3 v) { return {v.x, v.y, v.z}; }
inline abut_dvec3 to_c(DVec3 v) { return {v.x, v.y, v.z}; }
inline abut_relative_pose to_c(const RelativePose& p) {
    return {to_c(p.position), {p.orientation.x, p.orientation.y, p.orientation.z, p.orientation.w}};
}

// Views an array of C structs as one of their C++ counterparts.
template <class To, class From>
std::span<To> items(From* data, std::size_t count) {
    static_assert(sizeof(To) == sizeof(From) && alignof(To) <= alignof(From));
    return {reinterpret_cast<To*>(data), count};
}

// As `items`, for an optional column: empty if the pointer is null.
template <class To, class From>
std::span<To> part(From* data, std::size_t count) {
    return data == nullptr ? std::span<To>() : items<To>(data, count);
}

// As `items`, but a null pointer with a count, or an unaligned pointer, is an error.
template <class To, class From>
CallResult view_items(const char* name, From* data, std::size_t count, std::span<To>& to) {
    to = items<To>(data, count);
    return check_column(name, data, alignof(To), count, 0);
}

template <class T>
Strided<T> column(const abut_column& c) {
    return {static_cast<const T*>(c.data), c.count, c.stride == 0 ? sizeof(T) : c.stride};
}
template <class T>
MutableStrided<T> column(const abut_mutable_column& c) {
    return {static_cast<T*>(c.data), c.count, c.stride == 0 ? sizeof(T) : c.stride};
}

// Null options mean the defaults.
CallResult to_cpp(const abut_instance_options* from, InstanceOptions& to);
CallResult to_cpp(const abut_hull_options* from, HullOptions& to);
CallResult to_cpp(const abut_mesh_options* from, MeshOptions& to);
CallResult to_cpp(const abut_heightfield_options* from, HeightfieldOptions& to);
CallResult to_cpp(const abut_distance_options* from, DistanceOptions& to);
CallResult to_cpp(const abut_settings* from, Settings& to);
CallResult to_cpp(const abut_broad_settings* from, BroadSettings& to);
CallResult to_cpp(const abut_boxes* from, Boxes& to);
CallResult to_cpp(const abut_carry_over_options* from, CarryOverOptions& to);
CallResult to_cpp(const abut_touch_options* from, TouchOptions& to);
CallResult to_cpp(const abut_cast_options* from, CastOptions& to);
CallResult to_cpp(const abut_ray_options* from, RayOptions& to);
CallResult to_cpp(const abut_point_options* from, PointOptions& to);
CallResult to_cpp(const abut_d2_instance_options* from, d2::InstanceOptions& to);

inline bool is_empty(const abut_column& c) { return c.data == nullptr && c.count == 0; }

CallResult to_cpp(const abut_bodies& from, Bodies& to);
CallResult to_cpp(const abut_rays* from, Rays& to);
// `ends` holds the objects to which `to` refers.
using MotionEnds = std::array<Bodies, ABUT_MAX_MOTION_ENDS>;
CallResult to_cpp(const abut_motions* from, MotionEnds& ends, Motions& to);
CallResult to_cpp(const abut_frame* from, Frame& to);
CallResult to_cpp(const abut_manifold_columns* from, ManifoldColumns& to);
CallResult to_cpp(const abut_frame_contacts* from, FrameContacts& to);

// Checks columns that collide has filled: a null pointer with a count is an error.
CallResult check_answer(const ManifoldColumns& answer);

abut_hull_report to_c(const HullReport& report);
abut_mesh_report to_c(const MeshReport& report);

// Checks points and triangles with their counts.
CallResult check_triangles(const abut_vec3* vertices, std::size_t vertex_count, const abut_mesh_triangle* triangles,
                           std::size_t triangle_count, std::span<const Vec3>& points,
                           std::span<const MeshTriangle>& all);

}  // namespace abut::c
