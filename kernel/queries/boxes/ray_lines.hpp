// The good rays of a call, prepared for the slab test.
#pragma once

#include <cstdint>
#include <span>

#include <abut/broad_phase.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_tree.hpp"

namespace abut {

CallResult check_rays(const BoxRays& rays);

// The line of a box of half extents `half` that moves from `from` to from + end * displacement. An infinite half extent
// meets all boxes along its axis.
RayLine line_of(const DVec3& from, const DVec3& boxes_origin, const DVec3& displacement, const Vec3& half, double end);

// Prepares ray i; false if it is bad.
bool read_line(const BoxRays& rays, std::size_t i, RayLine& line);

class RayLines {
public:
    void read(const BoxRays& rays);

    std::span<const RayLine> lines() const { return lines_; }
    std::span<const std::uint32_t> ids() const { return ids_; }  // of the lines: the indices of the caller's rays
    std::span<const std::uint32_t> bad() const { return bad_; }

private:
    Vector<RayLine> lines_;
    Vector<std::uint32_t> ids_, bad_;
};

}  // namespace abut
