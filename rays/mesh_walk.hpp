// Rays on their way down the trees of meshes: the interface between a call and the lanes.
#pragma once

#include <cstdint>

#include <abut/shape_id.hpp>

#include "compiler.hpp"
#include "geometry/mesh_geometry.hpp"

namespace abut {

// Of the rounding of floats: where rays end is later by this factor.
inline constexpr float kBoxExcess = 1.000001f;
// Smaller components of a direction move a ray by less than the pad; the limit keeps products with their inverse finite.
inline constexpr double kLeastComponent = 1e-9;
// Rounding of the origin and of products of three floats, as a part of the coordinates.
inline constexpr double kPadShare = 8e-7;

// An instance of a mesh. Lanes load rows of four.
struct alignas(64) MeshFrame {
    double low[3], slack;  // bounds, metres; by which boxes may be too small
    double high[3], unused;
    float scale[4];  // the fourth is 1 if only fronts count, else 0

    enum class Kind : std::uint8_t { plain, solid, swept } kind;  // solid: a ray may start inside. swept: by a radius, not for lanes
    std::uint32_t shape_bits;
    std::uint32_t second_corner;  // of triangles as stored: 1, of a mirrored mesh 2
    std::uint32_t last_vertex;
    float last_corner[4];  // of it: lanes read four floats
    const MeshGeometry* mesh;
    const MeshNode* nodes;
    const std::int16_t* corners;  // NearIndices::offsets
    const Vec3* vertices;
    const std::uint32_t* input;
    std::uint32_t (*corner)(const MeshGeometry& mesh, std::uint32_t triangle, std::uint32_t k);  // for vertices far from their leaf's
};

// The nodes that are left to visit, the nearest one last. An entry has the bound's bits, the node's index and its level, so that entries are in the
// order of bounds.
struct NodeStack {
    std::uint32_t size;
    std::uint64_t nodes[MeshGeometry::kMostLevels * MeshNode::kWidth + 3];

    ABUT_ALWAYS_INLINE void start(const MeshGeometry& mesh) {
        size = 1, nodes[0] = std::uint64_t(mesh.level_first[mesh.levels - 1]) << 4 | (mesh.levels - 1);
    }
};

// A ray. Lanes load and store rows of four. Sheared coordinates: see triangle_ray.hpp.
struct alignas(64) MeshWalk {
    float scale[4];                                     // of its frame
    float depth_axis, is_swapped, line_length, unused;  // sheared: which axis is z; 1: x and y are swapped. From `begin`, metres
    double origin[3], length;                           // sheared axes; metres, up to the best hit
    double shear[3], begin;                             // where the ray enters the bounds, metres
    // For boxes, which are scaled and then widened by a pad. Floats, in the mesh's frame.
    float start[3], box_length;  // relative to `begin`
    float inverse[3], unused1;   // of the direction's components: finite, not 0
    float out[3], unused2;       // the pad, against the direction
    std::uint32_t first[4];      // where a node has the ends of its boxes that the ray meets first, in bytes

    const MeshFrame* frame;
    std::uint32_t triangle;  // the best hit; kNoTriangle: none
    bool from_front;
};

struct MeshCrossing {
    bool meets, from_front;
    double distance;
};

// What lanes leave to the baseline.
struct MeshWalkCalls {
    void (*describe)(const void* call, std::uint32_t shape_bits, MeshFrame& frame);
    bool (*starts_inside)(const MeshFrame& frame, const double* origin);
    // For a ray so near to an edge that rounding decides.
    MeshCrossing (*cross)(const MeshWalk& walk, std::uint32_t triangle);
};

// The search for the triangles of a mesh that are nearest to a point.
struct PointWalk {
    const MeshFrame* frame;
    bool is_one_sided;
    float limit;              // on squared distances; it may shrink from call to call
    float low[3], high[3];    // the point, widened by what boxes may be off by
    float point[3], rest[3];  // their sum is the point
    NodeStack stack;
    // The triangles of a leaf that may be within the limit, and lower bounds on their squared distances. The first one has the least bound.
    std::uint32_t triangles[2 * MeshNode::kWidth];  // lanes write whole vectors
    float bounds[2 * MeshNode::kWidth];
};

}  // namespace abut
