// A ray as the nodes of a mesh's tree are tested against it.
#pragma once

#include <cstdint>

namespace abut {

struct MeshNode;

// Floats, body frame. The boxes of a node are scaled and then widened by `pad`.
struct NodeRay {
    float origin[3], inverse[3];  // of the direction's components: finite, not 0
    float scale[3];
    float pad;
    float length;
};

// A bit for each of the node's 16 boxes that the ray meets within its length; `bounds` gets lower bounds on where it enters them, at least 0.
using FindEntries = std::uint32_t (*)(const MeshNode& node, const NodeRay& ray, float* bounds);

}  // namespace abut
