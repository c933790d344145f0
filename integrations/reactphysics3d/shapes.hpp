// ReactPhysics3D's shapes as abut's: each is cooked when a pair first has it, and again after a change.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <reactphysics3d/reactphysics3d.h>

#include <abut/abut.hpp>

namespace abut::react {

namespace engine = ::reactphysics3d;

Vec3 to_abut(const engine::Vector3& v);

class Shapes {
public:
    // Spheres, capsules, boxes and convex meshes, by their address and contents. An id that names nothing: abut refuses
    // the shape. Valid until next_call.
    ShapeId find(const engine::CollisionShape& shape);
    // A surface of two-sided triangles, three corners each. The memory of `kept`, a surface of an earlier call or an id
    // that names nothing, is given back.
    ShapeId add_surface(std::span<const Vec3> corners, ShapeId kept);
    void remove(ShapeId id) { (void)store_.remove(id); }
    // A shape is compared with its copy once per call. Copies that no call has used for `calls` calls are removed.
    void next_call(std::uint64_t call, std::uint64_t calls);

    const ShapeStore& store() const { return store_; }

private:
    struct Copy {
        std::vector<float> contents;
        ShapeId id;
        std::uint64_t call = 0;
    };

    ShapeStore store_;
    std::unordered_map<const engine::CollisionShape*, Copy> copies_;
    std::vector<float> contents_;
    std::uint64_t call_ = 1;
};

}  // namespace abut::react
