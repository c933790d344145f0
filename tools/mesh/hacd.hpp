// HACD, hierarchical approximate convex decomposition by K. Mamou, a library of Bullet's extras.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace abut::tools {

// Whether this program was built with HACD.
bool can_decompose();

// A triangle mesh on a grid of whole numbers from -kGridEdge to kGridEdge: HACD's determinants in double are then
// exact. On other coordinates its hulls of nearly coplanar points are wrong, and it can take minutes over a hundred
// triangles.
inline constexpr int kGridEdge = 32767;
struct GridMesh {
    std::vector<std::array<float, 3>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

// By triangle the number of its cluster. Clusters are joined while the concavity (how far a vertex or a triangle's
// centre of the cluster is inside its hull, along its normal) stays below `concavity`, and further until at most `most`
// are left, which it cannot reach if the mesh has more parts that do not hang together. 0: no limit. `what` names the
// work for the progress line. Throws std::runtime_error if HACD fails.
std::vector<std::uint32_t> hacd_clusters(const GridMesh& mesh, double concavity, std::uint32_t most,
                                         const std::string& what);

}  // namespace abut::tools
