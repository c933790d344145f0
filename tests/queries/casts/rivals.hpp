// Other libraries' casts of the same motions. Shapes and transforms are made before the clock starts.
#pragma once

#include <memory>
#include <vector>

#include "queries/casts/motions.hpp"

namespace abut::casts {

class CastRival {
public:
    virtual ~CastRival() = default;
    virtual const char* name() const = 0;
    // A time by pair; 2 where the library reports no hit.
    virtual void run(std::vector<double>& times) = 0;
};

// Null where the library has no such shapes. Bullet 3.24: conservative advancement with rotation, and two linear casts.
enum class BulletCast : std::uint8_t { continuous, gjk, subsimplex };
std::unique_ptr<CastRival> make_bullet(const MotionScene& motions, BulletCast cast);
// FCL 0.7: continuousCollide by conservative advancement.
std::unique_ptr<CastRival> make_fcl(const MotionScene& motions);

}  // namespace abut::casts
