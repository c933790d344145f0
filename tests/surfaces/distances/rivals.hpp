// FCL's queries of the same pairs of meshes. Trees are made before the clock starts.
#pragma once

#include <memory>
#include <vector>

#include <abut/frame.hpp>

#include "surfaces/distances/meshes.hpp"

namespace abut::surfaces {

class SurfaceRival {
public:
    virtual ~SurfaceRival() = default;
    virtual void overlap(const std::vector<Body>& bodies, std::vector<double>& hits) = 0;
    // Overlaps have no depth: 0 or less.
    virtual void distance(const std::vector<Body>& bodies, std::vector<double>& distances) = 0;
};

// FCL 0.7: collide and distance of BVHModel<OBBRSS>, in double. Pair i is of bodies 2 i, of the first mesh, and 2 i +
// 1.
std::unique_ptr<SurfaceRival> make_fcl(const Mesh& first, const Mesh& second);

}  // namespace abut::surfaces
