// The record that the kernels read for an instance of a shape.
//
// Every convex shape is a core swept by a sphere: the core of a sphere is a point, that of a capsule a segment, that of
// a box a box. An instance is one aligned 32-byte record: loading whole records and transposing them costs 0.9 to 5.2
// ns per pair, gathering from columns 4.6 to 13.4 (docs/decisions.md).
#pragma once

#include <bit>
#include <cstdint>

namespace abut {

inline constexpr std::uint32_t kKindCount = 12;  // ShapeKind::sphere .. heightfield

// Loaded by lanes as eight floats: keep the order, see convex/lanes/load.hpp.
struct alignas(32) InstanceRecord {
    // Half extents of the core along the local axes: (0,0,0) sphere, (0,half_height,0) capsule, box,
    // (radius,half_height,radius) cylinder and cone, the radii of an ellipsoid before it is eroded, the lengths of a
    // custom shape. Hull: the scale. Half-space: its normal, of any length. Compound: 0. Mesh, height field: the scale,
    // of any sign.
    float extent_x = 0, extent_y = 0, extent_z = 0;
    float radius = 0;  // swept around the core: the shape's own radius plus rounding
    float size = 0;    // half the longest side of the local bounds, radius included; "size" in promise 1; half-space: 0
    std::uint32_t geometry =
        0;  // index into Tables::hulls, customs, compounds, meshes or heightfields; half-space: the bits of its offset, rounded
    float rounding = 0;  // the part of `radius` that is rounding
    // The radius of a sphere about the core's centre that contains the shape, rounded up. Half-space: the exact offset
    // minus the rounded one, because scale times offset need not be a float.
    float bound_radius = 0;
};
static_assert(sizeof(InstanceRecord) == 32);

// An ellipsoid is a smaller, eroded one swept by a sphere: GJK and EPA then search only the less round part. The rest
// of the radius is the rounding.
inline float erosion_of(const InstanceRecord& ellipsoid) { return ellipsoid.radius - ellipsoid.rounding; }
inline double offset_of(const InstanceRecord& halfspace) {
    return double(std::bit_cast<float>(halfspace.geometry)) + halfspace.bound_radius;
}

}  // namespace abut
