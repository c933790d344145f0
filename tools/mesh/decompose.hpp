// Parts of a mesh cut into pieces that are nearly convex.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mesh.hpp"
#include "parts.hpp"

namespace abut::tools {

struct DecomposeOptions {
    std::uint32_t most_hulls = 32;    // of all parts together
    std::optional<double> concavity;  // metres; kConcavity of the mesh's size where there is none
};
inline constexpr double kConcavity = 0.05;

// HACD sees at most so many triangles of a part; of finer ones a coarse copy, in which vertices are welded.
inline constexpr std::size_t kMostTriangles = 3000;

struct Decomposition {
    Mesh mesh;               // the parts' triangles, of closed parts with the fronts outside; an object for each piece
    double concavity = 0.0;  // metres, as it was used
    double weld = 0.0;       // metres, the greatest of the coarse copies
    std::optional<double> mesh_volume;  // cubic metres, if all parts are closed
};

// Throws InputError.
Decomposition decompose(std::vector<Part> parts, const DecomposeOptions& options);

}  // namespace abut::tools
