// Lays out a hull: positions relative to the centroid, planes that contain all vertices, loops and edges in canonical
// order, padding.
#include "cooking/hull/hull_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/memory.hpp"
#include "base/rounding.hpp"
#include "cooking/hull/contact_faces.hpp"
#include "cooking/hull/hull_octants.hpp"

namespace abut::cooking {
namespace {

std::uint32_t padded(std::size_t count) { return std::uint32_t((count + kHullPad - 1) / kHullPad * kHullPad); }

Vec3 narrow(Vec3d a) { return {float(a.x) + 0.0f, float(a.y) + 0.0f, float(a.z) + 0.0f}; }

Vec3 centroid(const Vector<Vec3>& points, const Indices& corners) {
    Vec3d sum{};
    for (const std::uint32_t i : corners) sum = sum + to_double(points[i]);
    const double n = double(corners.size());
    return narrow({sum.x / n, sum.y / n, sum.z / n});
}

void measure(HullGeometry& hull) {
    BoxD box = maths::kNoBounds;
    double radius = 0;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) {
        const Vec3d v = vertex_of(hull, i);
        box = joined(box, v);
        radius = std::max(radius, length_above(v.x, v.y, v.z));
    }
    hull.half_extent = float(0.5 * max_abs(box.high - box.low));
    hull.bound_radius = round_up(radius);
    const Vec3d low = to_double(hull.centre) + box.low, high = to_double(hull.centre) + box.high;
    hull.bounds_min = {round_down(low.x), round_down(low.y), round_down(low.z)};
    hull.bounds_max = {round_up(high.x), round_up(high.y), round_up(high.z)};
}

// The normal from the unrounded positions, because a sliver may be no wider than the rounding.
Vec3 normal_of(std::span<const std::uint32_t> loop, const Vector<Vec3d>& positions) {
    return narrow(unit(twice_area(loop.size(), [&](std::size_t i) { return positions[loop[i]]; })));
}

// The boxes of runs of vertices. Vertices come in the order of their x, so that most boxes end well below a face's
// plane.
class VertexBlocks {
public:
    explicit VertexBlocks(const HullGeometry& hull) : hull_(hull) {
        for (std::uint32_t i = 0; i < hull.vertex_count; ++i) {
            if (i % kBlock == 0) boxes_.push_back(maths::kNoBounds);
            boxes_.back() = joined(boxes_.back(), vertex_of(hull, i));
        }
    }

    // The support value along n of all vertices of the hull, not only of the face, so that the plane bounds the stored
    // hull.
    // `known`: a vertex near the plane.
    float support(Vec3 n, std::uint32_t known) const {
        const double slack = kRoundings * hull_.bound_radius;
        double most = height(n, known);
        for (std::uint32_t b = 0; b < boxes_.size(); ++b) {
            const BoxD& box = boxes_[b];
            const double x = n.x > 0 ? box.high.x : box.low.x, y = n.y > 0 ? box.high.y : box.low.y,
                         z = n.z > 0 ? box.high.z : box.low.z;
            if (n.x * x + n.y * y + n.z * z < most - slack) continue;
            const std::uint32_t end = std::min(kBlock * (b + 1), hull_.vertex_count);
            for (std::uint32_t i = kBlock * b; i < end; ++i) most = std::max(most, height(n, i));
        }
        return round_up(most) + 0.0f;
    }

private:
    static constexpr std::uint32_t kBlock = 16;
    static constexpr double kRoundings = 0x1p-48;  // relative error of a height, which has about ten roundings

    double height(Vec3 n, std::uint32_t i) const { return dot(to_double(n), vertex_of(hull_, i)); }

    const HullGeometry& hull_;
    Vector<BoxD> boxes_;
};

void lay_out_planes(HullGeometry& hull, const HullParts& parts) {
    const Vector<Vec3>& normals = parts.normals;
    hull.face_count = std::uint32_t(normals.size());
    hull.padded_faces = padded(normals.size());
    hull.planes.resize(4 * std::size_t(hull.padded_faces));
    const VertexBlocks blocks(hull);
    for (std::uint32_t i = 0; i < hull.padded_faces; ++i) {
        const Vec3 n = normals[i < hull.face_count ? i : 0];
        hull.planes[i] = n.x;
        hull.planes[hull.padded_faces + i] = n.y;
        hull.planes[2 * hull.padded_faces + i] = n.z;
        hull.planes[3 * hull.padded_faces + i] = i < hull.face_count
                                                     ? blocks.support(n, parts.loop[parts.face_first[i]])
                                                     : hull.planes[3 * hull.padded_faces];
    }
}

// Names corners by position in `corners`, starts each loop at its lowest one, and sorts the faces in ascending order.
Loops canonical(const Loops& loops, const Indices& corners) {
    Loops renamed = loops;
    for (std::uint32_t& v : renamed.corners)
        v = std::uint32_t(std::lower_bound(corners.begin(), corners.end(), v) - corners.begin());
    for (std::uint32_t f = 0; f < renamed.size(); ++f) {
        const auto begin = renamed.corners.begin() + renamed.first[f],
                   end = renamed.corners.begin() + renamed.first[f + 1];
        std::rotate(begin, std::min_element(begin, end), end);
    }
    Indices order(renamed.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t f, std::uint32_t g) {
        const auto a = renamed[f], b = renamed[g];
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    });
    Loops sorted;
    for (const std::uint32_t f : order) sorted.add(renamed[f]);
    return sorted;
}

}  // namespace

void lay_out_vertices(HullGeometry& hull, const Vector<Vec3>& vertices) {
    hull.vertex_count = std::uint32_t(vertices.size());
    hull.padded_count = padded(vertices.size());
    hull.vertices.resize(hull.padded_count);
    hull.columns.resize(3 * std::size_t(hull.padded_count));
    for (std::uint32_t i = 0; i < hull.padded_count; ++i) {
        const Vec3 v = vertices[i < hull.vertex_count ? i : 0];
        hull.vertices[i] = {v.x, v.y, v.z, 0.0f};
        hull.columns[i] = v.x;
        hull.columns[hull.padded_count + i] = v.y;
        hull.columns[2 * hull.padded_count + i] = v.z;
    }
}

Vector<LoopEdge> loop_edges_of(const Vector<std::uint32_t>& face_first, const Vector<std::uint16_t>& loop) {
    Vector<LoopEdge> sides;
    for (std::uint32_t f = 0; f + 1 < face_first.size(); ++f) {
        for (std::uint32_t i = face_first[f], end = face_first[f + 1]; i < end; ++i) {
            const std::uint16_t a = loop[i], b = loop[i + 1 < end ? i + 1 : face_first[f]];
            sides.push_back({std::min(a, b), std::max(a, b), a < b, f});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const LoopEdge& s, const LoopEdge& t) {
        return s.low != t.low ? s.low < t.low : s.high != t.high ? s.high < t.high : s.left > t.left;
    });
    return sides;
}

HullGeometry lay_out(HullParts&& parts) {
    HullGeometry hull;
    hull.centre = parts.centre;
    hull.report.dimension = std::uint8_t(parts.dimension);
    lay_out_vertices(hull, parts.vertices);
    measure(hull);
    lay_out_planes(hull, parts);
    hull.face_first = std::move(parts.face_first);
    hull.loop = std::move(parts.loop);
    if (parts.dimension == 1) {
        hull.edges.push_back({0, 1, kNoFace, kNoFace});
    } else {
        const Vector<LoopEdge> sides = loop_edges_of(hull.face_first, hull.loop);
        for (std::size_t i = 0; i + 1 < sides.size(); i += 2)
            hull.edges.push_back(
                {sides[i].low, sides[i].high, std::uint16_t(sides[i].face), std::uint16_t(sides[i + 1].face)});
    }
    hull.report.vertices = hull.vertex_count;
    hull.report.faces = hull.face_count;
    hull.report.edges = std::uint32_t(hull.edges.size());
    lay_out_contact_faces(hull);
    lay_out_edge_faces(hull);
    lay_out_octants(hull);
    return hull;
}

HullGeometry lay_out(const Vector<Vec3>& points, const Indices& corners, const Loops& unordered, int dimension) {
    HullParts parts;
    parts.centre = centroid(points, corners);
    parts.dimension = dimension;
    Vector<Vec3d> positions;
    positions.reserve(corners.size());
    for (const std::uint32_t i : corners) positions.push_back(to_double(points[i]) - to_double(parts.centre));
    for (const Vec3d p : positions) parts.vertices.push_back(narrow(p));
    Loops loops = canonical(unordered, corners);
    for (std::uint32_t f = 0; f < loops.size(); ++f) parts.normals.push_back(normal_of(loops[f], positions));
    if (dimension == 2)
        parts.normals[1] = {0.0f - parts.normals[0].x, 0.0f - parts.normals[0].y, 0.0f - parts.normals[0].z};
    parts.face_first = std::move(loops.first);
    parts.loop.assign(loops.corners.begin(), loops.corners.end());
    return lay_out(std::move(parts));
}

bool is_finite(const HullGeometry& hull) {
    const Vec3 low = hull.bounds_min, high = hull.bounds_max;
    return std::isfinite(hull.bound_radius) && std::isfinite(hull.half_extent) && std::isfinite(low.x) &&
           std::isfinite(low.y) && std::isfinite(low.z) && std::isfinite(high.x) && std::isfinite(high.y) &&
           std::isfinite(high.z);
}

}  // namespace abut::cooking
