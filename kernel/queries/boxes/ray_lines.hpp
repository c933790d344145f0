// The good rays of a call, prepared for the slab test.
#pragma once

#include <cstdint>
#include <span>

#include <abut/broad_phase.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_tree.hpp"

namespace abut {

CallResult check_rays(const BoxRays& rays);

class RayLines {
public:
    void read(const BoxRays& rays);

    std::span<const RayLine> lines() const { return lines_; }
    std::span<const std::uint32_t> ids() const { return ids_; }  // of the lines: indices of the caller's rays
    std::span<const std::uint32_t> bad() const { return bad_; }

private:
    Vector<RayLine> lines_;
    Vector<std::uint32_t> ids_, bad_;
};

}  // namespace abut
