// A mesh cut into what becomes a shape each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/math.hpp>

#include "mesh.hpp"

namespace abut::tools {

enum class By {
    part,    // triangles that hang together at vertices of the same position
    object,  // the file's objects and groups
    all,     // one
};

struct Part {
    std::string name;          // its object's, numbered from 1 where an object has several parts
    std::vector<Vec3> points;  // distinct, of its triangles' corners
    std::size_t triangles = 0;
    std::vector<std::array<std::uint32_t, 3>> faces;  // the triangles, of points, in the file's order; where asked for
};

// Of the triangles, if each edge of one is one of another in the other direction. Negative if their fronts are inside.
std::optional<double> signed_volume(const Part& part);

// In the order of their first triangles. Points without triangles are one part.
std::vector<Part> cut_into_parts(const Mesh& mesh, By by, const std::string& whole_name, bool with_faces = false);

}  // namespace abut::tools
