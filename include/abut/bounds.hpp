// Axis-aligned bounds of bodies, for the caller's broad phase.
#pragma once

#include <span>

#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

// Metres, along the world's axes, from the origin that was given.
struct Bounds {
    Vec3 min, max;
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

// bounds[i] of body i, from `origin`: the least box of floats that holds the shape, rounding included, or an ulp more (two of a position that is
// not a float, as seen from the origin); a compound's holds all its
// children. A half-space is infinite but on the side where it ends, across a world axis that its normal is exactly along. A body
// without an answer (a bad pose, an id that names no living shape) has empty bounds, min +infinity and max -infinity, which
// overlap none.
//
// An error, and nothing is written, where `bounds` is shorter than `bodies`, where a column is missing, shorter than the others, null with a
// count or not aligned to 4 bytes, where a stride is less than an item or not a multiple of 4, where the origin is not finite, and where the
// machine runs none of the library's instruction sets. Runs on the calling thread and allocates nothing; parts of a frame may be asked on several
// threads at once. The same bits on every machine.
ABUT_API CallResult world_bounds(const ShapeStore& shapes, const Bodies& bodies, std::span<Bounds> bounds, const DVec3& origin = {});

}  // namespace abut
