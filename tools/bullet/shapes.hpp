// Bullet's shapes as abut's: each cooked when first met, and again when it has changed.
#pragma once

#include <array>
#include <unordered_map>

#include <LinearMath/btQuaternion.h>
#include <LinearMath/btVector3.h>

#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>

class btCollisionShape;

namespace abut::bullet {

// What tells one state of a shape from another, cheap enough to look at for every body of every step.
struct ShapeKey {
    const btCollisionShape* shape = nullptr;
    const void* points = nullptr;
    int type = -1, detail = 0;  // detail: a capsule's axis, a hull's number of points
    std::array<btScalar, 3> dimensions = {}, scaling = {};
    btScalar margin = 0;
    friend bool operator==(const ShapeKey&, const ShapeKey&) = default;
};

struct CookedShape {
    ShapeKey key;
    ShapeId id;                     // names nothing where abut has no such shape: its pairs are Bullet's
    btQuaternion turn{0, 0, 0, 1};  // from abut's axes to Bullet's: abut's capsules lie along Y
    bool turned = false;
    bool known = false;  // abut has it
    float reach = 0.0f;  // metres: Bullet's angular motion disc, how far from its origin it gets
};

// Spheres, capsules along any axis, boxes (Bullet's margin is inside their half extents, corners sharp) and convex hulls (the margin
// lies outside the points: abut's rounding). Scaling counts. Nothing else is known.
class Shapes {
public:
    // Spheres, capsules, boxes and hulls alone. No other shape has a key.
    static bool supports(const btCollisionShape& shape);
    static ShapeKey key(const btCollisionShape& shape);

    // Precondition: supports(shape). Valid until the next call of find or forget.
    const CookedShape& find(const btCollisionShape& shape);
    // Gives a shape's memory back. One that is used again is cooked again.
    void forget(const btCollisionShape* shape);
    const ShapeStore& store() const { return store_; }

private:
    ShapeStore store_;
    std::unordered_map<const btCollisionShape*, CookedShape> cooked_;
};

}  // namespace abut::bullet
