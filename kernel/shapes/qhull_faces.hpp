// The faces of a convex hull as Qhull finds them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shapes/cooking_types.hpp"

namespace abut::cooking {

// Faces as sets of corners, up to rounding: nothing is promised about them until checked.
struct FaceSets {
    Indices first = {0};          // one more than there are faces
    Indices corners;              // indices into the grid, in no order within a face
    std::vector<Double3> normals;  // outward, good enough to tell the largest component and its sign

    std::size_t size() const { return normals.size(); }
    std::span<const std::uint32_t> operator[](std::size_t f) const { return {corners.data() + first[f], first[f + 1] - first[f]}; }
};

// Of grid[subset]. Nothing where Qhull reports an error, as it does for points in one plane.
std::optional<FaceSets> qhull_faces(std::span<const Double3> grid, std::span<const std::uint32_t> subset);

}  // namespace abut::cooking
