// The interface between a call and the lanes, as plain structs: pairs of a ray and a body of one kind, one pair per lane.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/bodies.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

#include "compiler.hpp"
#include "geometry/hull_geometry.hpp"
#include "geometry/instance_record.hpp"
#include "rays/mesh_walk.hpp"

namespace abut {

// The hit of a ray so far.
inline constexpr std::uint32_t kNoRayPair = ~0u;
struct RayBest {
    double fraction;
    std::uint32_t pair;  // kNoRayPair: none
};

// The caller's column.
struct InMemory {
    const std::byte* first;  // null if there is none
    std::size_t stride;

    ABUT_ALWAYS_INLINE const std::byte* at(std::uint32_t i) const { return first + i * stride; }
};

// One ray and its body, for input that lanes cannot read in the caller's columns: bodies that are no records, double origins, shapes with poses. The
// ray's origin is relative to the positions of the body and of the shape; `body` has the shape's orientation.
struct PosedRay {
    float direction[4];
    double from_body[4], from_shape[4];  // world axes, metres; the fourth is not read
    Body body;
};

// One ray in a shape's frame, and what it meets there (local_ray.hpp).
struct LaneRay {
    double origin[3], direction[3], length;
};
struct LaneHit {
    double distance, normal[3];
    std::uint32_t child;
    bool starts_inside;
    Status status;
};

inline constexpr std::uint32_t kRayPairs = 512;

struct RayChunk {
    std::uint32_t count;
    ShapeKind kind;
    const std::uint32_t* listed;                    // pairs, ascending
    InMemory pairs;                                 // ... of a ray and a body
    InMemory bodies, origins, directions, lengths;  // strides fit 32 bits
    const PosedRay* posed;                          // by position in the chunk; null if lanes read the columns
    std::uint32_t last_ray;                         // no more than 12 bytes may be read of its vectors

    const InstanceRecord* records;  // of the kind
    const HullGeometry* hulls;
    const RayBest* best;  // by ray, or null
    bool any;             // a ray that has a hit needs no other

    // For shapes that lanes have no closed form of.
    void (*meet_one)(const void* call, std::uint32_t shape_bits, const LaneRay& ray, LaneHit& hit);
    MeshWalkCalls walk_calls;
    const void* call;

    // By pair; those after `fraction` may be null.
    std::uint8_t* hit;
    Status* status;
    double* fraction;
    Vec3 *point, *normal;
    std::uint32_t* child;
    std::uint8_t* inside;
};

// Where a line is inside all planes of a hull: unscaled coordinates about its centre.
struct PlanesSpan {
    double from, to;
    std::uint32_t entry;  // the face
};

}  // namespace abut
