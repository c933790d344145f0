// Other libraries' rays at the same bodies. Shapes and transforms are made before the clock starts.
#pragma once

#include <memory>
#include <vector>

#include "rays/rays.hpp"

namespace abut::rays {

class RayRival {
public:
    virtual ~RayRival() = default;
    virtual const char* name() const = 0;
    // A fraction by ray; 2 where the library reports no hit.
    virtual void run(std::vector<double>& fractions) = 0;
};

// Bullet 3.24: btCollisionWorld::rayTestSingle. Null where it has no such shapes.
std::unique_ptr<RayRival> make_bullet(const RayScene& scene);
// Embree 3: rtcIntersect1 and rtcIntersect8. Null for all but one mesh.
std::unique_ptr<RayRival> make_embree(const RayScene& scene, bool packets);

}  // namespace abut::rays
