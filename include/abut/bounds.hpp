/// @file
/// Axis-aligned bounds of bodies, for the caller's broad phase.
#pragma once

#include <span>

#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

/// Metres, along the world's axes, relative to the given origin.
struct Bounds {
    Vec3 min, max;  ///< the lowest and the highest corner
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Writes the bounds of body i, relative to `origin`, to bounds[i]: the smallest box of floats that contains the shape,
/// rounding included, or an ulp more (two if the position relative to the origin is not a float). The box of a compound
/// contains all its children. The box of a half-space is infinite, except on the side of its plane if its normal is
/// exactly along a world axis. A body without an answer (a bad pose, an id that names no living shape) has empty
/// bounds, min +infinity and max -infinity, which overlap nothing.
///
/// Returns an error, and writes nothing, if `bounds` is shorter than `bodies`; if a column is missing, shorter than the
/// others, null with a count or not aligned to 4 bytes; if a stride is less than an item or not a multiple of 4; if the
/// origin is not finite; or if the machine runs none of the library's instruction sets. It runs on the calling thread
/// and allocates nothing. Several threads may compute parts of a frame at once. The bits are the same on every machine.
ABUT_API CallResult world_bounds(const ShapeStore& shapes, const Bodies& bodies, std::span<Bounds> bounds,
                                 const DVec3& origin = {});

}  // namespace abut
