/// @file
/// Candidate pairs in the plane: boxes of bodies, and the broad phase of 3D, which takes them as boxes of no height
/// (z is 0). All that broad_phase.hpp says holds. Rays have z 0, too.
///
///   d2::world_bounds(shapes, bodies, bounds);
///   broad.find_pairs({bounds}, list);
///   narrow.collide({&shapes, bodies, list.pairs}, manifolds);
#pragma once

#include <span>

#include <abut/broad_phase.hpp>
#include <abut/d2/frame_2d.hpp>

namespace abut::d2 {

using abut::Bounds;
using abut::Boxes;
using abut::BoxRays;
using abut::BroadPhase;
using abut::BroadSettings;
using abut::PairList;

/// A box of the engine's own, for Boxes.
constexpr Bounds box_of(Vec2 min, Vec2 max) { return {{min.x, min.y, 0}, {max.x, max.y, 0}}; }

/// As abut::world_bounds: the smallest box of floats that contains body i, or an ulp more, relative to `origin`. The
/// box of a half-plane is infinite, except towards its front if its normal is exactly along a world axis. A bad pose or
/// id: min +infinity, max -infinity. O(parts) for chains and compounds; it allocates nothing, and any thread may call
/// it.
ABUT_API CallResult world_bounds(const ShapeStore& shapes, const Bodies& bodies, std::span<Bounds> bounds,
                                 const DVec2& origin = {});

/// As abut::swept_bounds: boxes that contain the bodies on their way from `start` to `end`, as Motions (cast_2d.hpp)
/// describes it, with any number of turns. Shape ids of `end` are not read. `centers`: as Motions::centers.
ABUT_API CallResult swept_bounds(const ShapeStore& shapes, const Bodies& start, const Bodies& end,
                                 std::span<Bounds> bounds, const DVec2& origin = {}, Strided<Vec2> centers = {});

}  // namespace abut::d2
