// Vertices of exactly the same position are one (files split them at seams of normals and textures); then union-find
// over the triangles.
#include "parts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace abut::tools {
namespace {

using Indices = std::vector<std::uint32_t>;

// By vertex: the first one in the same place.
Indices weld(const std::vector<Vec3>& positions) {
    Indices order(positions.size()), welded(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t i) { return std::tuple(positions[i].x, positions[i].y, positions[i].z); };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t j) { return std::tuple(key(i), i) < std::tuple(key(j), j); });
    for (std::size_t i = 0; i < order.size(); ++i)
        welded[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? welded[order[i - 1]] : order[i];
    return welded;
}

class Sets {
public:
    explicit Sets(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0u); }

    std::uint32_t root(std::uint32_t i) {
        while (above_[i] != i) i = above_[i] = above_[above_[i]];
        return i;
    }
    void join(std::uint32_t i, std::uint32_t j) {
        i = root(i), j = root(j);
        above_[std::max(i, j)] = std::min(i, j);
    }

private:
    Indices above_;
};

// By triangle: a number that is the same for those of one part.
Indices groups_of(const Mesh& mesh, const Indices& welded, By by) {
    if (by == By::all) return Indices(mesh.triangles.size(), 0);
    if (by == By::object) return mesh.object_of;
    Sets sets(mesh.positions.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        sets.join(welded[a], welded[b]);
        sets.join(welded[b], welded[c]);
    }
    Indices groups;
    groups.reserve(mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) groups.push_back(sets.root(welded[triangle[0]]));
    return groups;
}

// Replaces numbers by others from 0 on, in order of appearance. Returns how many there are.
std::uint32_t renumber(Indices& groups) {
    constexpr std::uint32_t kNone = 0xffffffffu;
    Indices number(groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + std::size_t(1), kNone);
    std::uint32_t count = 0;
    for (std::uint32_t& group : groups) {
        if (number[group] == kNone) number[group] = count++;
        group = number[group];
    }
    return count;
}

void name_parts(std::vector<Part>& parts, const Mesh& mesh, const Indices& object_of_part,
                const std::string& whole_name) {
    Indices parts_of(mesh.objects.size(), 0), seen = parts_of;
    for (const std::uint32_t object : object_of_part) ++parts_of[object];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::uint32_t object = object_of_part[i];
        parts[i].name = mesh.objects[object].empty() ? whole_name : mesh.objects[object];
        if (parts_of[object] > 1) parts[i].name += fmt::format("/{}", ++seen[object]);
    }
}

using FaceCorners = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // group, vertex; ascending

// `corners` are the parts' points one after the other.
void add_faces(std::vector<Part>& parts, const Mesh& mesh, const Indices& welded, const Indices& groups,
               const FaceCorners& corners) {
    std::vector<FaceCorners::const_iterator> first;
    for (std::uint32_t group = 0; group < parts.size(); ++group)
        first.push_back(std::lower_bound(corners.begin(), corners.end(), std::pair(group, std::uint32_t(0))));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const std::uint32_t group = groups[t];
        std::array<std::uint32_t, 3> face;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto at =
                std::lower_bound(first[group], corners.end(), std::pair(group, welded[mesh.triangles[t][k]]));
            face[k] = std::uint32_t(at - first[group]);
        }
        parts[group].faces.push_back(face);
    }
}

}  // namespace

std::optional<double> signed_volume(const Part& part) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> there, back;
    double volume = 0;
    for (const auto& [a, b, c] : part.faces) {
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
            there.emplace_back(from, to), back.emplace_back(to, from);
        // Relative to a point of the part, far from the origin as it may be.
        const Vec3 o = part.points[0];
        const auto at = [&](std::uint32_t i) {
            const Vec3 p = part.points[i];
            return std::array<double, 3>{double(p.x) - o.x, double(p.y) - o.y, double(p.z) - o.z};
        };
        const auto p = at(a), q = at(b), r = at(c);
        volume += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                  p[2] * (q[0] * r[1] - q[1] * r[0]);
    }
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    if (there != back || part.faces.empty()) return std::nullopt;
    return volume / 6;
}

std::vector<Part> cut_into_parts(const Mesh& mesh, By by, const std::string& whole_name, bool with_faces) {
    const Indices welded = weld(mesh.positions);
    if (mesh.triangles.empty()) {
        Part cloud;
        cloud.name = whole_name;
        for (std::uint32_t i = 0; i < welded.size(); ++i)
            if (welded[i] == i) cloud.points.push_back(mesh.positions[i]);
        return {cloud};
    }
    Indices groups = groups_of(mesh, welded, by);
    std::vector<Part> parts(renumber(groups));
    Indices object_of_part(parts.size());
    FaceCorners corners;
    corners.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (parts[groups[t]].triangles++ == 0) object_of_part[groups[t]] = mesh.object_of[t];
        for (const std::uint32_t corner : mesh.triangles[t]) corners.emplace_back(groups[t], welded[corner]);
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    for (const auto& [group, vertex] : corners) parts[group].points.push_back(mesh.positions[vertex]);
    if (with_faces) add_faces(parts, mesh, welded, groups, corners);
    if (by == By::all)
        parts[0].name = whole_name;
    else
        name_parts(parts, mesh, object_of_part, whole_name);
    return parts;
}

}  // namespace abut::tools
