// What nodes of mesh files show: geometries, each at the poses of its nodes.
#pragma once

#include <cstddef>
#include <vector>

#include "output_file.hpp"

#include "triangle_file.hpp"

namespace abut::tools {

// Rows of an affine map.
struct Pose {
    double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

    Pose operator*(const Pose& b) const {
        Pose out;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 4; ++j) {
                out.m[i][j] = j == 3 ? m[i][3] : 0.0;
                for (int k = 0; k < 3; ++k) out.m[i][j] += m[i][k] * b.m[k][j];
            }
        return out;
    }
    Position operator*(const Position& p) const {
        Position out;
        for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3];
        return out;
    }
    bool is_mirrored() const {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                   m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
               0;
    }
};

inline Pose scaling(double x, double y, double z) {
    Pose pose;
    pose.m[0][0] = x, pose.m[1][1] = y, pose.m[2][2] = z;
    return pose;
}

// In its own frame.
struct Geometry {
    std::vector<Position> positions;
    std::vector<Corners> triangles;

    void add_fan(const std::uint32_t* corners, std::size_t count) {
        for (std::size_t i = 2; i < count; ++i) triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
};

// A small file may show one geometry many times.
inline constexpr std::size_t kMostShown = std::size_t(1) << 26;  // vertices, and triangles
inline constexpr std::size_t kMostNodes = std::size_t(1) << 20;

// Adds an object to the file called `name`.
inline void show(const Geometry& geometry, const Pose& pose, std::string_view object, const std::string& name,
                 TriangleFile& to) {
    if (geometry.triangles.empty()) return;
    const std::size_t first = to.positions.size(), second = pose.is_mirrored() ? 2 : 1;
    if (first + geometry.positions.size() > kMostShown || to.triangles.size() + geometry.triangles.size() > kMostShown)
        throw InputError(name + ": has more than " + std::to_string(kMostShown) + " vertices or triangles");
    for (const Position& p : geometry.positions) to.positions.push_back(pose * p);
    to.begin_object(object);
    for (const Corners& t : geometry.triangles) {
        const auto at = [&](std::size_t i) { return std::uint32_t(first) + t[i]; };
        to.triangles.push_back({at(0), at(second), at(3 - second)});
        to.object_of.push_back(std::uint32_t(to.objects.size() - 1));
    }
}

}  // namespace abut::tools
