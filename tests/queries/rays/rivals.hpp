// Other libraries' rays at the same bodies. Shapes and transforms are made before the clock starts.
#pragma once

#include <memory>
#include <vector>

#include "queries/rays/rays.hpp"

namespace abut::rays {

class RayRival {
public:
    virtual ~RayRival() = default;
    virtual const char* name() const = 0;
    // A fraction by ray; 2 where the library reports no hit. Of points the distances.
    virtual void run(std::vector<double>& answers) = 0;
};

// Bullet 3.24: btCollisionWorld::rayTestSingle. Null where it has no such shapes.
std::unique_ptr<RayRival> make_bullet(const RayScene& scene);
// Embree 3: rtcIntersect1, rtcIntersect8, rtcPointQuery. Null for all but one mesh.
enum class EmbreeQuery { single, packets, points };
std::unique_ptr<RayRival> make_embree(const RayScene& scene, EmbreeQuery query);

}  // namespace abut::rays
