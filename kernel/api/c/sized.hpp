// Structs that begin with their size, for programs that were compiled with headers of another version. The struct of an
// older program is shorter; the fields that it lacks keep their defaults. The struct of a newer program is longer; the
// fields that this library does not know must be zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <abut/abut.h>
#include <abut/status.hpp>

namespace abut::c {

// The name of a struct, and the least number of bytes of its versions.
template <class T>
struct Sized;

#define ABUT_SIZED(type, first_optional)                                      \
    template <>                                                               \
    struct Sized<type> {                                                      \
        static constexpr const char* kName = #type;                           \
        static constexpr std::size_t kLeast = offsetof(type, first_optional); \
    }

ABUT_SIZED(abut_instance_options, scale);
ABUT_SIZED(abut_hull_options, max_vertices);
ABUT_SIZED(abut_hull_report, dimension);
ABUT_SIZED(abut_mesh_options, sides);
ABUT_SIZED(abut_heightfield_options, sides);
ABUT_SIZED(abut_mesh_report, sides);
ABUT_SIZED(abut_heightfield_report, sides);
ABUT_SIZED(abut_shape_view, custom);
ABUT_SIZED(abut_boxes, reserved);
ABUT_SIZED(abut_box_rays, boxes_origin);
ABUT_SIZED(abut_broad_settings, executor);
ABUT_SIZED(abut_pair_list, bad_a);
ABUT_SIZED(abut_frame, margins);
ABUT_SIZED(abut_overlap_columns, status);
ABUT_SIZED(abut_distance_columns, normal);
ABUT_SIZED(abut_distance_options, max_distances);
ABUT_SIZED(abut_manifold_columns, manifolds_needed);
ABUT_SIZED(abut_gradient_columns, rotation_b);
ABUT_SIZED(abut_gradient_options, reserved);
ABUT_SIZED(abut_configurations, transforms);
ABUT_SIZED(abut_any_overlap_columns, unanswered);
ABUT_SIZED(abut_path_overlap_columns, pair);
ABUT_SIZED(abut_least_distance_columns, unanswered);
ABUT_SIZED(abut_world, tree);
ABUT_SIZED(abut_world_ray_options, max_hits);
ABUT_SIZED(abut_world_ray_columns, left_out);
ABUT_SIZED(abut_world_overlap_columns, status);
ABUT_SIZED(abut_world_cast_options, target);
ABUT_SIZED(abut_world_cast_columns, status);
ABUT_SIZED(abut_world_filter, ignored);
ABUT_SIZED(abut_motions, centers);
ABUT_SIZED(abut_cast_options, targets);
ABUT_SIZED(abut_cast_columns, hits);
ABUT_SIZED(abut_points, double_positions);
ABUT_SIZED(abut_point_options, solid_meshes);
ABUT_SIZED(abut_point_columns, status);
ABUT_SIZED(abut_rays, lengths);
ABUT_SIZED(abut_ray_options, reduction);
ABUT_SIZED(abut_ray_columns, hits);
ABUT_SIZED(abut_settings, executor);
ABUT_SIZED(abut_counters, most_child_pairs);
ABUT_SIZED(abut_carry_over_options, match_distance);
ABUT_SIZED(abut_touch_options, end_distance);
ABUT_SIZED(abut_touch_changes, ended);
ABUT_SIZED(abut_frame_contacts, relative_poses);
ABUT_SIZED(abut_carried_columns, by);
ABUT_SIZED(abut_d2_instance_options, pose);
ABUT_SIZED(abut_d2_shape_view, corners);
ABUT_SIZED(abut_d2_frame, margins);
ABUT_SIZED(abut_d2_distance_columns, normal);
ABUT_SIZED(abut_d2_manifold_columns, manifolds_needed);
ABUT_SIZED(abut_d2_motions, centers);
ABUT_SIZED(abut_d2_cast_columns, hits);
ABUT_SIZED(abut_d2_rays, lengths);
ABUT_SIZED(abut_d2_ray_columns, hits);
ABUT_SIZED(abut_d2_configurations, obstacles);
ABUT_SIZED(abut_d2_least_distance_columns, unanswered);
ABUT_SIZED(abut_d2_points, double_positions);
ABUT_SIZED(abut_d2_point_columns, status);
#undef ABUT_SIZED

// `known` is the struct's size in this library.
CallResult check_written(const char* name, const void* given, std::size_t least, std::size_t known);
CallResult check_read(const char* name, const void* given, std::size_t least, std::size_t known);

inline std::size_t size_at(const void* given) {
    std::size_t size;
    std::memcpy(&size, given, sizeof size);
    return size;
}

// Reads a struct. `to` holds the defaults.
template <class T>
CallResult read_sized(const T* from, T& to) {
    if (CallResult r = check_read(Sized<T>::kName, from, Sized<T>::kLeast, sizeof(T)); !r) return r;
    std::memcpy(&to, from, std::min(size_at(from), sizeof(T)));
    to.size = sizeof(T);
    return {};
}

// Checks a struct that the library fills, before anything else is done.
template <class T>
CallResult check_sized(const T* to) {
    return check_written(Sized<T>::kName, to, Sized<T>::kLeast, sizeof(T));
}

// Writes a struct after check_sized or read_sized. Additional fields of a newer program's struct become zeros.
template <class T>
void write_sized(T* to, T value) {
    const std::size_t size = size_at(to), shared = std::min(size, sizeof(T));
    value.size = size;
    std::memcpy(to, &value, shared);
    std::memset(reinterpret_cast<unsigned char*>(to) + shared, 0, size - shared);
}

// Sets the caller's struct of `size` bytes to `value`.
template <class T>
CallResult init_sized(T* to, std::size_t size, T value) {
    if (CallResult r = check_written(Sized<T>::kName, &size, Sized<T>::kLeast, sizeof(T)); !r) return r;
    std::memcpy(to, &size, sizeof size);
    write_sized(to, value);
    return {};
}

}  // namespace abut::c
