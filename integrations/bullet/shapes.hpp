// Bullet's shapes as abut's: each cooked when first met, and again when it has changed.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include <LinearMath/btQuaternion.h>
#include <LinearMath/btVector3.h>

#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>

class btCollisionShape;
class btCompoundShape;

namespace abut::bullet {

// What tells one state of a shape from another, cheap enough to look at for every body of every step.
struct ShapeKey {
    const btCollisionShape* shape = nullptr;
    const void* points = nullptr;
    int type = -1;
    int detail = 0;  // the axis of what is round about one, a hull's number of points, a compound's of children
    std::array<btScalar, 3> dimensions = {}, scaling = {};  // of a surface, its bounds
    btScalar margin = 0;                                    // a plane's constant
    std::uint64_t parts = 0;                                // a compound's children and their places, folded
    friend bool operator==(const ShapeKey&, const ShapeKey&) = default;
};

struct CookedShape {
    ShapeKey key;
    ShapeId id;                     // names nothing where abut has no such shape: its pairs are Bullet's
    btQuaternion turn{0, 0, 0, 1};  // from abut's axes to Bullet's: what is round about an axis lies along Y in abut
    bool turned = false;
    bool known = false;  // abut has it
    float reach = 0.0f;  // metres: Bullet's angular motion disc, how far from its origin it gets
};

// Spheres; capsules, cylinders and cones along any axis; boxes and cylinders with sharp edges (Bullet's margin is
// inside their half extents); cones and convex hulls rounded by the margin, which lies outside them; static planes;
// compounds of any of these but planes. Scaling counts. Triangle meshes and terrains, with two sides and rounded by the
// margin. Of these the bounds tell a change; after any other change of vertices or heights call forget. Nothing else is
// known.
class Shapes {
public:
    // The shapes above alone. No other shape has a key. A compound is Bullet's while a callback of Bullet's picks among
    // its children.
    static bool supports(const btCollisionShape& shape);
    // Looks at every child of a compound: some 20 ns each.
    static ShapeKey key(const btCollisionShape& shape);

    // Precondition: supports(shape). Valid until the shape is forgotten.
    const CookedShape& find(const btCollisionShape& shape);
    // Gives a shape's memory back; a compound's children have theirs. One that is used again is cooked again.
    void forget(const btCollisionShape* shape);
    const ShapeStore& store() const { return store_; }

private:
    Expected<ShapeId> add_compound(const btCompoundShape& compound);

    ShapeStore store_;
    std::unordered_map<const btCollisionShape*, CookedShape> cooked_;
};

}  // namespace abut::bullet
