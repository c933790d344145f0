// A cooked hull, made by hull_cooking.cpp and read by the kernels.
#pragma once

#include <cstdint>
#include <memory>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "base/memory.hpp"

namespace abut {

// Counts of vertices and planes are padded to a multiple of this, because lanes read whole vectors of the widest ISA.
inline constexpr std::uint32_t kHullPad = 16;
// If no face of a group has more corners than this, lanes read as many as the largest of these faces has.
inline constexpr std::uint32_t kCornerPad = 32;

// Face indices are looked up as bytes in tables of this many entries at most (simd/byte_table.hpp).
inline constexpr std::uint32_t kMaxByteFaces = 128;

// The number of corners of a cap of the unit prism (unit_prism.hpp). The corners contain squares, the best four points
// of a circle, and cover 97% of its area.
inline constexpr std::uint32_t kCapCorners = 16;

struct HullVertex {  // one 16-byte fetch; .w is 0
    float x, y, z, w;
};

// A corner of a face and the edge to the next corner: two 16-byte loads.
struct HullCorner {
    float x, y, z;
    std::int32_t vertex;
    float edge_x, edge_y, edge_z, unused;
};
static_assert(sizeof(HullCorner) == 32);

// A face as contacts see it (contact_faces.hpp).
struct ContactFace {
    float x = 0, y = 0, z = 0;           // the outward normal
    float width = 0;                     // its least extent in its plane, perpendicular to one of its edges
    std::uint32_t first = 0, count = 0;  // its part of HullGeometry::corners
    // The four points of largest area, as positions from `first`: corners, ascending (a triangle repeats its last one),
    // or points stored after them.
    std::uint16_t quad[4] = {0, 0, 0, 0};
};
static_assert(sizeof(ContactFace) == 32);

// Several faces that are nearly coplanar.
struct MergedFace {
    ContactFace face;
    std::uint32_t name = 0;  // the lowest index of the faces
    float thickness = 0;     // the extent of their vertices along the common normal
};
inline constexpr std::uint16_t kNotMerged = 0xffff;

// The input for cooking a hull again if a scale could reveal what cooking simplified (hull_scale.hpp). Metres, body
// frame.
struct HullSource {
    Vector<Vec3> points;  // ascending; none in a hull that was cooked again
    Vec3 sides;           // the extents of the points' bounds
    float lost = 0;       // upper bound of the distance of vertices and faces from the points' exact hull
    float deviation = 0;  // upper bound of their distance from the given points
    Vec3 cooked_for = {1.0f, 1.0f, 1.0f};  // the instances' scale, if the hull was cooked again
};

// Local frame, relative to `centre`, without scale and rounding. A solid has outward face normals and counter-clockwise
// loops; a flat polygon has two faces back to back; a segment has one edge and no face (f0 = f1 = 0xffff); a point has
// neither.
struct HullGeometry : HostAllocated<HullGeometry> {
    Vec3 centre;                     // vertex centroid, rounded to float: body-frame vertex = centre + vertices[i]
    std::uint32_t vertex_count = 0;  // before padding
    std::uint32_t padded_count = 0;  // multiple of kHullPad
    std::uint32_t face_count = 0, padded_faces = 0;
    HullReport report;
    float half_extent = 0;        // half the longest side of the local bounds
    float bound_radius = 0;       // of a sphere about `centre` that holds every vertex; rounded up
    Vec3 bounds_min, bounds_max;  // of the vertices, in the body's frame

    // x of all vertices, then y, then z, each padded_count long; the padding repeats vertex 0.
    AlignedVector<float> columns;
    AlignedVector<HullVertex> vertices;  // padded_count; support points are fetched from here
    // nx, ny, nz, d of all faces, each padded_faces long: normal . x <= d; the padding repeats face 0.
    AlignedVector<float> planes;
    Vector<std::uint32_t> face_first;  // face_count + 1 offsets into loop
    Vector<std::uint16_t> loop;        // vertex indices of every face, counter-clockwise from outside
    // The corners of all faces in the order of `loop`, then those of the merged faces, then a whole vector of padding:
    // the input of clipping.
    AlignedVector<HullCorner> corners;
    AlignedVector<ContactFace> contact_faces;  // by face; one empty entry if there are no faces
    Vector<MergedFace> merged_faces;
    Vector<std::uint16_t> merged;  // by face: its index in merged_faces, or kNotMerged; empty if no face is merged
    Vector<float>
        level_gap;  // by face: the least level gap to a neighbour, infinity if none is below kMostLevelGap; empty if all are infinite
    Vector<std::uint32_t> vertex_first;  // vertex_count + 1 offsets into vertex_face
    Vector<std::uint16_t> vertex_face;   // the faces around every vertex, ascending
    Vector<HullEdge> edges;
    // f0 of all edges, then f1, as bytes, each padded_edges long, for lookups of 32 at once. Empty if there are more
    // than kMaxByteFaces faces.
    AlignedVector<std::uint8_t> edge_faces;
    std::uint32_t padded_edges = 0;  // multiple of 32

    // For a large solid: the vertices that can be the farthest in each octant of directions (hull_octants.hpp). Each
    // list is ascending and padded by its first entry to a multiple of kHullPad. List o (bit i: axis i is negative) is
    // octant_first[o] .. octant_first[o + 1] of octant_vertex and of each column, x, y and z. Empty for
    // other hulls.
    std::uint32_t octant_first[9] = {};
    Vector<std::uint16_t> octant_vertex;
    AlignedVector<float> octant_columns;

    std::shared_ptr<const HullSource> source;  // null if no scale can reveal more
    // For a hull that was cooked again for instances of one scale: the index of the original in the store's table.
    static constexpr std::uint32_t kNoHull = ~0u;
    std::uint32_t cooked_from = kNoHull;

    bool empty() const { return vertex_count == 0; }
    const float* column_x() const { return columns.data(); }
    const float* column_y() const { return columns.data() + padded_count; }
    const float* column_z() const { return columns.data() + 2 * padded_count; }
};

// Fills edge_faces from edges.
inline void lay_out_edge_faces(HullGeometry& hull) {
    if (hull.report.dimension != 3 || hull.face_count > kMaxByteFaces) return;
    hull.padded_edges = (std::uint32_t(hull.edges.size()) + 31) / 32 * 32;
    hull.edge_faces.assign(2 * std::size_t(hull.padded_edges), 0);
    for (std::size_t i = 0; i < hull.edges.size(); ++i) {
        hull.edge_faces[i] = std::uint8_t(hull.edges[i].f0);
        hull.edge_faces[hull.padded_edges + i] = std::uint8_t(hull.edges[i].f1);
    }
}

}  // namespace abut
