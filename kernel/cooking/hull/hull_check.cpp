// Cooking gives exactly closed surfaces that are convex and flat to within its resolution; the slack of these checks is
// a few times that. A solid may have any thickness: where max_vertices or simplifying leaves a sliver, rounding the
// vertices to float32 may flatten it, and kernels accept flat solids.
#include "cooking/hull/hull_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/message.hpp"
#include "cooking/cooking_tolerances.hpp"

namespace abut::cooking {
namespace {

Message nth(const char* what, std::size_t i) { return message_of(what, " ", i); }

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

std::span<const std::uint16_t> loop_of(const HullParts& parts, std::size_t f) {
    return {parts.loop.data() + parts.face_first[f], parts.face_first[f + 1] - parts.face_first[f]};
}

Message fault_in_counts(const HullParts& p) {
    const std::size_t vertices = p.vertices.size(), faces = p.normals.size(), corners = p.loop.size();
    if (p.face_first.back() != corners) return "the faces' corners are not as many as the header says";
    const bool fits = p.dimension == 3
                          ? vertices >= 4 && faces >= 4 && 2 * (vertices + faces) == corners + 4  // Euler's formula
                      : p.dimension == 2 ? vertices >= 3 && faces == 2 && corners == 2 * vertices
                                         : vertices == std::size_t(p.dimension) + 1 && faces == 0;
    return fits ? "" : "its numbers of vertices, faces and corners make no hull of its dimension";
}

Message fault_in_numbers(const HullParts& p) {
    if (!is_finite(p.centre)) return "its centre is not finite";
    for (std::size_t i = 0; i < p.vertices.size(); ++i)
        if (!is_finite(p.vertices[i])) return message_of(nth("vertex", i), " is not finite");
    for (std::size_t f = 0; f < p.normals.size(); ++f) {
        const Vec3 n = p.normals[f];
        const double squared = double(n.x) * n.x + double(n.y) * n.y + double(n.z) * n.z;
        if (!(std::abs(squared - 1.0) <= kCookedUnit))
            return message_of("the normal of ", nth("face", f), " is not of unit length");
    }
    return "";
}

Message fault_in_loops(const HullParts& p) {
    Vector<std::size_t> seen_in(p.vertices.size(), 0);  // 1 + the last face whose loop passes the vertex
    Vector<std::uint32_t> faces_at(p.vertices.size(), 0);
    for (std::size_t f = 0; f < p.normals.size(); ++f) {
        const auto loop = loop_of(p, f);
        if (loop.size() < 3) return message_of(nth("face", f), " has less than 3 corners");
        for (const std::uint16_t v : loop) {
            if (v >= p.vertices.size())
                return message_of(nth("face", f), " names ", nth("vertex", v), " of ", p.vertices.size());
            if (seen_in[v] == f + 1) return message_of(nth("face", f), " passes ", nth("vertex", v), " twice");
            if (v < loop[0]) return message_of(nth("face", f), " does not begin with its lowest vertex");
            seen_in[v] = f + 1;
            ++faces_at[v];
        }
        if (f == 0) continue;
        const auto before = loop_of(p, f - 1);
        if (!std::lexicographical_compare(before.begin(), before.end(), loop.begin(), loop.end()))
            return message_of(nth("face", f), " is out of order");
    }
    for (std::size_t v = 0; p.dimension >= 2 && v < faces_at.size(); ++v)
        if (faces_at[v] < std::uint32_t(p.dimension)) return message_of(nth("vertex", v), " has too few faces");
    return "";
}

// Each edge of a loop must be an edge of exactly one other loop, in the opposite direction, and all faces must be
// connected.
Message fault_in_surface(const HullParts& p) {
    const Vector<LoopEdge> sides = loop_edges_of(p.face_first, p.loop);
    for (const LoopEdge& s : sides)
        if (p.vertices[s.low] == p.vertices[s.high])
            return message_of(nth("vertex", s.low), " and ", nth("vertex", s.high), " are one point");
    Vector<std::uint32_t> root(p.normals.size());
    for (std::uint32_t f = 0; f < root.size(); ++f) root[f] = f;
    const auto find = [&](std::uint32_t f) {
        while (root[f] != f) f = root[f] = root[root[f]];
        return f;
    };
    const auto is_edge = [&](std::size_t i, std::size_t k) {
        return sides[i].low == sides[k].low && sides[i].high == sides[k].high;
    };
    for (std::size_t i = 0; i < sides.size(); i += 2) {
        const bool is_pair = i + 1 < sides.size() && is_edge(i, i + 1) && sides[i].left && !sides[i + 1].left;
        if (!is_pair || (i + 2 < sides.size() && is_edge(i, i + 2)))
            return message_of("the edge of vertices ", sides[i].low, " and ", sides[i].high,
                              " has not one face on each side");
        root[find(sides[i].face)] = find(sides[i + 1].face);
    }
    for (std::uint32_t f = 1; f < root.size(); ++f)
        if (find(f) != find(0)) return message_of(nth("face", f), " is apart from the others");
    return "";
}

Message fault_in_flat(const HullParts& p) {
    if (p.dimension == 1) return p.vertices[0] == p.vertices[1] ? "its two vertices are one point" : "";
    if (p.dimension != 2) return "";
    const Vec3 n = p.normals[0], m = p.normals[1];
    if (n.x != -m.x || n.y != -m.y || n.z != -m.z) return "the normals of a polygon are not opposite";
    const auto there = loop_of(p, 0), back = loop_of(p, 1);
    for (std::size_t i = 1; i < there.size(); ++i)
        if (there[i] != back[back.size() - i]) return "the faces of a polygon are not opposite";
    return "";
}

Message fault_in_face(const HullGeometry& hull, std::uint32_t f) {
    const Vec3d n = normal_of(hull, f);
    const double size = hull.half_extent, offset = offset_of(hull, f);
    const std::uint32_t first = hull.face_first[f], count = hull.face_first[f + 1] - first;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto corner = [&](std::uint32_t k) { return vertex_of(hull, hull.loop[first + k % count]); };
        const Vec3d a = corner(i), b = corner(i + 1), c = corner(i + 2);
        if (!(offset - dot(n, a) <= kCookedFlat * size))
            return message_of(nth("face", f),
                              " is not a face of the hull of the vertices: another stands out, or it is not flat");
        const double longest = std::max({norm(b - a), norm(c - b), norm(c - a)});
        if (!(dot(n, cross(b - a, c - b)) >= -kCookedConvex * size * longest))
            return message_of(nth("face", f), " is not convex and counter-clockwise");
    }
    return "";
}

}  // namespace

Message fault_in_parts(const HullParts& parts) {
    for (const auto check : {fault_in_counts, fault_in_numbers, fault_in_loops, fault_in_surface, fault_in_flat})
        if (const Message fault = check(parts); !fault.empty()) return fault;
    return "";
}

Message fault_in_form(const HullGeometry& hull) {
    Vec3d sum{};
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) sum = sum + vertex_of(hull, i);
    const Vec3 c = hull.centre;
    const double ulp = 0x1p-23 * std::max({std::abs(double(c.x)), std::abs(double(c.y)), std::abs(double(c.z))});
    if (!(norm(sum) / hull.vertex_count <= 2 * ulp + kCookedCentre * hull.half_extent))
        return "its centre is not that of its vertices";
    for (std::uint32_t f = 0; f < hull.face_count; ++f)
        if (const Message fault = fault_in_face(hull, f); !fault.empty()) return fault;
    return "";
}

}  // namespace abut::cooking
