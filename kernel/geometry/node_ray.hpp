// A ray as the nodes of a mesh's tree are tested against it.
#pragma once

#include <cstdint>

namespace abut {

struct MeshNode;

// In floats, in the body's frame. The boxes of a node are scaled, and then larger by `pad` all round.
struct NodeRay {
    float origin[3], inverse[3];  // of the direction's components: finite, not 0
    float scale[3];
    float pad;
    float length;
};

// A bit for each box of the node that the ray meets up to its length, and where it enters that, in bounds: 16 of them, 0 or more.
using FindEntries = std::uint32_t (*)(const MeshNode& node, const NodeRay& ray, float* bounds);

}  // namespace abut
