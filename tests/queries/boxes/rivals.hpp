// Other libraries' broad phases, as an engine uses them: objects stay from frame to frame, those that move are told.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "queries/boxes/box_scenes.hpp"

namespace abut::boxes {

class BroadRival {
public:
    virtual ~BroadRival() = default;
    virtual const char* name() const = 0;
    // A frame: the boxes of `moved` are where the scene has them now. Returns the number of pairs.
    virtual std::size_t run(const BoxScene& scene, std::span<const std::uint32_t> moved) = 0;
};

std::unique_ptr<BroadRival> make_bullet_tree(const BoxScene& scene);   // btDbvtBroadphase
std::unique_ptr<BroadRival> make_bullet_sweep(const BoxScene& scene);  // bt32BitAxisSweep3
std::unique_ptr<BroadRival> make_fcl_tree(const BoxScene& scene);      // DynamicAABBTreeCollisionManager

}  // namespace abut::boxes
