// A cooked hull: what hull_cooking.cpp makes once and the kernels read.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "wide/aligned.hpp"

namespace abut {

// Lanes read vertices and planes in whole vectors of the widest ISA, so that counts are padded to a multiple of this.
inline constexpr std::uint32_t kHullPad = 16;

// Face indices are looked up as bytes in tables of this many entries at most (wide/byte_table.hpp).
inline constexpr std::uint32_t kMaxByteFaces = 128;

struct HullVertex {  // one 16-byte fetch; .w is 0
    float x, y, z, w;
};

// A corner of a face and the way to the face's next: two 16-byte fetches.
struct HullCorner {
    float x, y, z;
    std::int32_t vertex;
    float way_x, way_y, way_z, unused;
};
static_assert(sizeof(HullCorner) == 32);

// Local frame, relative to `centre`, unscaled, without rounding. A solid has outward face normals and counter-clockwise loops; a
// flat polygon has two faces (back to back); a segment one edge and no face (f0 = f1 = 0xffff); a point neither.
struct HullGeometry {
    Vec3 centre;                        // vertex centroid, rounded to float: body-frame vertex = centre + vertices[i]
    std::uint32_t vertex_count = 0;     // before padding
    std::uint32_t padded_count = 0;     // multiple of kHullPad
    std::uint32_t face_count = 0, padded_faces = 0;
    HullReport report;
    float half_extent = 0;              // half the longest side of the local bounds
    float bound_radius = 0;             // of a sphere about `centre` that holds every vertex; rounded up
    Vec3 bounds_min, bounds_max;        // of the vertices, in the body's frame

    // x of all vertices, then y, then z, each padded_count long; the padding repeats vertex 0.
    AlignedVector<float> columns;
    AlignedVector<HullVertex> vertices;  // padded_count: the winners are fetched from here
    // nx, ny, nz, d of all faces, each padded_faces long: normal . x <= d; the padding repeats face 0.
    AlignedVector<float> planes;
    std::vector<std::uint32_t> face_first;  // face_count + 1: into loop
    std::vector<std::uint16_t> loop;        // vertex indices of every face, counter-clockwise from outside
    AlignedVector<HullCorner> corners;      // as loop, and a whole vector beyond the last: what clipping reads
    std::vector<std::uint32_t> vertex_first;  // vertex_count + 1: into vertex_face
    std::vector<std::uint16_t> vertex_face;   // the faces around every vertex, ascending
    std::vector<float> face_width;  // a face's least extent in its plane, square to one of its sides
    // Of every face the places in its loop of four corners that span the most, ascending; a triangle's last comes twice.
    std::vector<std::array<std::uint16_t, 4>> face_quad;
    std::vector<HullEdge> edges;
    // f0 of all edges, then f1, a byte each and padded_edges long, for looking 32 up at once; empty where faces exceed kMaxByteFaces.
    AlignedVector<std::uint8_t> edge_faces;
    std::uint32_t padded_edges = 0;  // multiple of 32

    // Of a large solid the vertices that can be the farthest in each octant of directions (hull_octants.hpp), each list ascending and padded
    // by its first to a multiple of kHullPad: list o, where bit i of o is the sign of axis i, is octant_first[o] .. octant_first[o + 1]
    // of octant_vertex. x of all of these, then y, then z. Empty where there are none.
    std::uint32_t octant_first[9] = {};
    std::vector<std::uint16_t> octant_vertex;
    AlignedVector<float> octant_columns;

    bool empty() const { return vertex_count == 0; }
    const float* column_x() const { return columns.data(); }
    const float* column_y() const { return columns.data() + padded_count; }
    const float* column_z() const { return columns.data() + 2 * padded_count; }
};

// The farthest corner from a side of a face, least over its sides.
inline float width_of_face(const HullGeometry& hull, std::uint32_t face) {
    const std::uint32_t first = hull.face_first[face], end = hull.face_first[face + 1];
    double width = INFINITY;
    for (std::uint32_t i = first; i < end; ++i) {
        const HullVertex &v = hull.vertices[hull.loop[i]], &w = hull.vertices[hull.loop[i + 1 < end ? i + 1 : first]];
        const double e[3] = {double(w.x) - v.x, double(w.y) - v.y, double(w.z) - v.z};
        double most = 0;
        for (std::uint32_t j = first; j < end; ++j) {
            const HullVertex& u = hull.vertices[hull.loop[j]];
            const double d[3] = {double(u.x) - v.x, double(u.y) - v.y, double(u.z) - v.z};
            const double c[3] = {e[1] * d[2] - e[2] * d[1], e[2] * d[0] - e[0] * d[2], e[0] * d[1] - e[1] * d[0]};
            most = std::max(most, c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        }
        width = std::min(width, most / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]));
    }
    return static_cast<float>(std::sqrt(width));
}

// The corners of a face that span the largest quadrilateral: all diagonals, with the farthest corners on either side. Of quadrilaterals that are
// equal to within a hundredth the first; of faces of over 64 corners evenly spread ones take part.
inline std::array<std::uint16_t, 4> largest_quad(const HullGeometry& hull, std::uint32_t face) {
    constexpr std::uint32_t kMost = 64;
    const std::uint32_t first = hull.face_first[face], total = hull.face_first[face + 1] - first, count = std::min(total, kMost);
    const auto place = [&](std::uint32_t i) { return static_cast<std::uint16_t>(std::uint64_t(i) * total / count); };
    if (count <= 4) return {0, 1, 2, static_cast<std::uint16_t>(count - 1)};
    std::vector<std::array<double, 2>> p;
    const float* n = hull.planes.data() + face;
    const double normal[3] = {n[0], n[hull.padded_faces], n[2 * std::size_t(hull.padded_faces)]};
    const int axis = std::fabs(normal[0]) > 0.6 ? 0 : std::fabs(normal[1]) > 0.6 ? 1 : 2;  // areas seen along it are all smaller alike
    for (std::uint32_t i = 0; i < count; ++i) {
        const HullVertex& v = hull.vertices[hull.loop[first + place(i)]];
        const double at[3] = {v.x, v.y, v.z};
        p.push_back({at[(axis + 1) % 3], at[(axis + 2) % 3]});
    }
    const double turn = normal[axis] > 0 ? 1 : -1;
    const auto twice_area = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        return turn * ((p[j][0] - p[i][0]) * (p[k][1] - p[i][1]) - (p[j][1] - p[i][1]) * (p[k][0] - p[i][0]));
    };
    std::array<std::uint16_t, 4> best = {0, 1, 2, 3};
    double most = 0;
    for (std::uint32_t i = 0; i + 2 < count; ++i) {
        for (std::uint32_t j = i + 2; j < count; ++j) {
            std::uint32_t right = i + 1, left = j;  // between i and j, and beyond j
            for (std::uint32_t k = i + 1; k < j; ++k)
                if (twice_area(j, i, k) > 1.01 * twice_area(j, i, right)) right = k;
            for (std::uint32_t k = j + 1; k < count; ++k)
                if (twice_area(i, j, k) > 1.01 * twice_area(i, j, left)) left = k;
            const double area = twice_area(j, i, right) + twice_area(i, j, left);
            if (left == j || area <= 1.01 * most) continue;
            most = area;
            best = {place(i), place(right), place(j), place(left)};
        }
    }
    return best;
}

// Fills vertex_first and vertex_face from loop.
inline void lay_out_vertex_faces(HullGeometry& hull) {
    hull.vertex_first.assign(hull.vertex_count + 1, 0);
    for (const std::uint16_t vertex : hull.loop) ++hull.vertex_first[vertex + 1];
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) hull.vertex_first[v + 1] += hull.vertex_first[v];
    hull.vertex_face.resize(hull.loop.size());
    std::vector<std::uint32_t> next(hull.vertex_first.begin(), hull.vertex_first.end() - 1);
    for (std::uint32_t f = 0; f < hull.face_count; ++f)
        for (std::uint32_t i = hull.face_first[f]; i < hull.face_first[f + 1]; ++i)
            hull.vertex_face[next[hull.loop[i]]++] = static_cast<std::uint16_t>(f);
}

// Fills corners, face_width and face_quad from loop and planes.
inline void lay_out_corners(HullGeometry& hull) {
    lay_out_vertex_faces(hull);
    hull.corners.assign(hull.loop.size() + kHullPad, {});
    for (std::uint32_t f = 0; f < hull.face_count; ++f) {
        for (std::uint32_t i = hull.face_first[f]; i < hull.face_first[f + 1]; ++i) {
            const HullVertex &v = hull.vertices[hull.loop[i]],
                             &next = hull.vertices[hull.loop[i + 1 < hull.face_first[f + 1] ? i + 1 : hull.face_first[f]]];
            hull.corners[i] = {v.x, v.y, v.z, hull.loop[i], next.x - v.x, next.y - v.y, next.z - v.z, 0.0f};
        }
        hull.face_width.push_back(width_of_face(hull, f));
        hull.face_quad.push_back(largest_quad(hull, f));
    }
}

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
