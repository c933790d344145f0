// The state of searches in the trees of meshes, by rays and by points: the interface between baseline code and SIMD
// code.
#pragma once

#include <cstdint>

#include <abut/rays.hpp>
#include <abut/shape_id.hpp>

#include "base/compiler_support.hpp"
#include "shapes/mesh_geometry.hpp"

namespace abut {

// Box tests move the end of a ray outwards by this factor, which covers the rounding of floats.
inline constexpr float kBoxExcess = 1.000001f;
// Box tests replace smaller components of a direction by this. The replacement moves a ray by less than the pad, and
// products with the inverse stay finite.
inline constexpr double kLeastComponent = 1e-9;
// Rounding error of the origin and of products of three floats, as a fraction of the largest coordinate.
inline constexpr double kPadShare = 8e-7;

// 1: the front of a triangle is met, -1: the back, 0: both.
ABUT_INLINE float sign_of_sides(QuerySides sides, float as_cooked) {
    if (sides == QuerySides::as_cooked) return as_cooked;
    return sides == QuerySides::front ? 1.0f : sides == QuerySides::back ? -1.0f : 0.0f;
}

// An instance of a mesh. SIMD code loads rows of four numbers.
struct alignas(64) MeshFrame {
    double low[3], slack;  // bounds; the largest error by which the tree's boxes are too small; metres
    double high[3], unused;
    float scale[4];  // the fourth: sign_of_sides

    enum class Kind : std::uint8_t {
        plain,
        solid,
        swept
    } kind;  // solid: a ray may start inside. swept: rounded, not for SIMD code
    std::uint32_t shape_bits;
    std::uint32_t second_corner;  // the stored corner that is second in corners_at: 1, or 2 if the scale mirrors
    std::uint32_t last_vertex;
    float last_corner[4];  // the position of last_vertex, because SIMD code reads four floats
    const MeshGeometry* mesh;
    const MeshNode* nodes;
    const std::int16_t* corners;  // NearIndices::offsets
    const Vec3* vertices;
    const std::uint32_t* input;
    std::uint32_t (*corner)(const MeshGeometry& mesh, std::uint32_t triangle,
                            std::uint32_t k);  // the corner, for offsets of NearIndices::kFar
};

// The nodes to visit, the nearest at the end. An entry has, from high to low bits, its bound as a float, the node's
// index and the node's level, so that entries compare like their bounds.
struct NodeStack {
    std::uint32_t size;
    std::uint64_t nodes[MeshGeometry::kMostLevels * MeshNode::kWidth + 3];

    ABUT_ALWAYS_INLINE void start(const MeshGeometry& mesh) {
        size = 1, nodes[0] = std::uint64_t(mesh.level_first[mesh.levels - 1]) << 4 | (mesh.levels - 1);
    }
};

// A ray and its best hit. SIMD code loads and stores rows of four numbers. Sheared coordinates: see triangle_ray.hpp.
struct alignas(64) MeshWalk {
    float scale[4];  // as in MeshFrame, but the fourth is the ray's sign
    float depth_axis, is_swapped, line_length,
        unused;                // the axis that is z; 1 if x and y are swapped; the length inside the bounds, metres
    double origin[3], length;  // in the order of the sheared axes; up to the best hit, metres
    double shear[3], begin;    // the distance at which the ray enters the bounds, metres
    // For box tests: floats, in the mesh's frame. Boxes are scaled and then padded.
    float start[3], box_length;  // the point of the ray at `begin`; its length from there, metres
    float inverse[3], unused1;   // of the direction's components: finite
    float out[3], unused2;       // the pad, with signs opposite to the direction
    std::uint32_t first[4];      // by axis: the offset in a node, in bytes, of the box ends that the ray meets first

    const MeshFrame* frame;
    std::uint32_t triangle;  // of the best hit; kNoTriangle: none
    bool from_front;
};

struct MeshCrossing {
    bool meets, from_front;
    double distance;
};

// Functions of baseline code that SIMD code calls.
struct MeshWalkCalls {
    void (*describe)(const void* call, std::uint32_t shape_bits, MeshFrame& frame);
    bool (*starts_inside)(const MeshFrame& frame, const double* origin);
    // The exact test, for a ray so near to an edge that rounding may decide.
    MeshCrossing (*cross)(const MeshWalk& walk, std::uint32_t triangle);
};

// A search for the triangles of a mesh that are nearest to a point.
struct PointWalk {
    const MeshFrame* frame;
    bool is_one_sided;
    float limit;              // on squared distances, square metres; the caller may lower it between calls
    float low[3], high[3];    // a box about the point, widened by the error of the tree's boxes
    float point[3], rest[3];  // the point rounded to floats, and the remainder
    NodeStack stack;
    // The triangles of a leaf that may be within the limit, and lower bounds on their squared distances. The first
    // bound is the smallest.
    std::uint32_t triangles[2 * MeshNode::kWidth];  // SIMD code writes whole vectors
    float bounds[2 * MeshNode::kWidth];
};

}  // namespace abut
