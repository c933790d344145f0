// The interface between baseline code and SIMD code, as plain structs: pairs of a ray and a body of one kind, one pair
// per lane.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/frame.hpp>
#include <abut/rays.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

#include "base/compiler_support.hpp"
#include "queries/rays/mesh_walk.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"

namespace abut {

inline constexpr std::uint32_t kNoRayPair = ~0u;
// The best hit of a ray so far.
struct RayBest {
    double fraction;
    std::uint32_t pair;  // kNoRayPair: no hit
};

// A column in the caller's memory.
struct InMemory {
    const std::byte* first;  // null if the column is empty
    std::size_t stride;

    ABUT_ALWAYS_INLINE const std::byte* at(std::uint32_t i) const { return first + i * stride; }
};

// One ray and its body, for input that SIMD code cannot read in the caller's columns: bodies in separate columns,
// double origins, shapes with poses. from_body and from_shape are the ray's origin relative to the positions of the
// body and of the shape; `body` has the shape's orientation.
struct PosedRay {
    float direction[4];                  // the fourth number is the ray's length, if the rays have lengths
    double from_body[4], from_shape[4];  // world axes, metres; the fourth number is not used
    Body body;
};

// LocalRay and LocalHit (local_ray.hpp) as plain structs.
struct LaneRay {
    double origin[3], direction[3], length;
    QuerySides sides;
};
struct LaneHit {
    double distance, normal[3];
    std::uint32_t child;
    std::uint16_t face;
    bool starts_inside;
    Status status;
};

struct RayChunk {
    std::uint32_t count;
    ShapeKind kind;
    const std::uint32_t* listed;                    // indices of pairs, ascending
    InMemory pairs;                                 // two indices each: of a ray, of a body
    InMemory bodies, origins, directions, lengths;  // without `posed`, strides fit 32 bits
    const PosedRay* posed;                          // one per element of `listed`; null if SIMD code reads the columns
    std::uint32_t last_ray;                         // the final ray: only 12 bytes of its vectors may be read
    QuerySides sides;                               // of all rays, unless the next column has them by ray
    const QuerySides* sides_of_rays;

    const InstanceRecord* records;  // the records of the chunk's kind
    const HullGeometry* hulls;
    const RayBest* best;  // by ray; null: rays are not limited
    bool any;             // skip rays that have a hit

    // Meets one shape that has no closed form in SIMD code.
    void (*meet_one)(const void* call, std::uint32_t shape_bits, const LaneRay& ray, LaneHit& hit);
    MeshWalkCalls walk_calls;
    const void* call;

    // Output columns, by pair; those after `fraction` may be null.
    std::uint8_t* hit;
    Status* status;
    double* fraction;
    Vec3 *point, *normal;
    std::uint32_t* child;
    std::uint16_t* face;
    std::uint8_t* inside;
};

// The parameters between which a line is inside all planes of a hull. The line is in the hull's unscaled coordinates,
// about the hull's centre.
struct PlanesSpan {
    double from, to;
    std::uint32_t entry;  // the face at `from`
};

}  // namespace abut
