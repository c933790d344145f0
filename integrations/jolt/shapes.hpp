// Jolt's shapes as abut's. Jolt's shapes do not change, and abut keeps them alive, so that an address names one shape.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include <Jolt/Jolt.h>
#include <Jolt/Physics/Collision/Shape/Shape.h>
#include <Jolt/Physics/Collision/Shape/SubShapeID.h>

#include <abut/abut.hpp>

namespace abut::jolt {

// The triangles of a mesh, cooked, and for each the bits of its JPH::SubShapeID.
struct CookedTriangles {
    CookedMesh cooked[2];  // met from both sides, from the front
    std::vector<std::uint32_t> ids;
    JPH::uint id_bits = 0;
};

struct Copy {
    ShapeId id;                                        // names nothing: abut refuses the shape
    std::shared_ptr<const CookedTriangles> triangles;  // of a mesh

    JPH::SubShapeID sub_shape(const JPH::SubShapeIDCreator& creator, std::uint32_t triangle) const {
        if (!triangles) return creator.GetID();
        return creator.PushID(triangles->ids[triangle], triangles->id_bits).GetID();
    }
};

class Shapes {
public:
    // `from_front`: the triangles of a mesh count only for shapes in front of them. Valid until forget_deleted.
    const Copy& find(const JPH::Shape& shape, JPH::Vec3Arg scale, bool from_front);
    const ShapeStore& store() const { return store_; }

private:
    using Key = std::tuple<const JPH::Shape*, float, float, float, bool>;

    ShapeStore store_;
    std::uint64_t epoch_ = 0;
    std::map<Key, Copy> copies_;
};

// Of all threads: those that only abut has still.
void forget_deleted();

}  // namespace abut::jolt
