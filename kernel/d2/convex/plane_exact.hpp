// Pairs in the plane one at a time, in double: half-planes, polygons of many corners, and pairs that float32 cannot
// certify.
#pragma once

#include "d2/convex/plane_chunk.hpp"
#include "d2/convex/plane_core.hpp"

namespace abut::d2 {

// Answers a pair of convex bodies in canonical order, at its index, as the lanes do. `pair_and_swap`: as Entry has it.
void answer_exactly(const ShapeTables& tables, const Body& a, const Body& b, std::uint32_t pair_and_swap,
                    const QueryParameters& asked, const OutputView& out);

bool is_valid_pose(const Body& body);

// The signed distance of two shapes, and their contacts if asked.
struct PlaneContactD {
    CoreAnswerD cores;  // point_b: on the plane's line
    double separation;  // with radii
    ContactsD contacts;
};
// Of two convex cores, `b` in A's axes and `offset` from A's centre to B's. Beyond `reach` the separation alone, which is
// then a lower bound.
PlaneContactD answer_convex(const CoreD& a, const CoreD& b, Vec2D offset, const QueryParameters& asked, double reach);
// Of a core and the half-plane normal . x <= offset.
PlaneContactD answer_over_plane(const CoreD& core, Vec2D normal, double offset, double radius, bool is_collide);

// Writes an answer of `distance` at a pair's index: zeros for normal and points without them. `is_near`: within reach.
void put_distance(bool is_near, double separation, Vec2D normal, Vec2D point_a, Vec2D point_b, bool separation_only,
                  std::uint32_t pair, const OutputView& out);

}  // namespace abut::d2
