// Visits the nodes of a mesh's tree, the nearest ones first.
#pragma once

#include "queries/boxes/near_entries.hpp"
#include "queries/rays/mesh_walk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A visited node, a bit for each of its boxes to search (`met`), and lower bounds on the boxes' distances, not
// negative.
struct NodeVisit {
    std::uint32_t node, level, met;
    alignas(64) float bounds[MeshNode::kWidth];
};

// Takes the next node whose bound is at most the limit; returns false if there is none.
ABUT_INLINE bool next_node(NodeStack& stack, float limit, NodeVisit& out) {
    std::uint64_t entry = 0;
    do {
        if (stack.size == 0) return false;
        entry = stack.nodes[--stack.size];
    } while (bound_of(entry) > limit);
    out.level = static_cast<std::uint32_t>(entry) & 15, out.node = static_cast<std::uint32_t>(entry) >> 4;
    return true;
}

// Adds the children of an inner node that are in visit.met, the nearest one at the end. Up to four are sorted by a
// network, without branches.
ABUT_INLINE void add_nodes(NodeStack& stack, const MeshGeometry& mesh, const NodeVisit& visit) {
    constexpr std::uint32_t kWidth = MeshNode::kWidth;
    const std::uint32_t* const first = mesh.level_first + visit.level;
    const std::uint32_t child = (first[-1] + (visit.node - first[0]) * kWidth) << 4 | (visit.level - 1);
    const auto entry = [&](std::uint32_t lane) { return entry_of(visit.bounds[lane], child + (lane << 4)); };
    const auto count = static_cast<std::uint32_t>(bit_count(visit.met));
    std::uint64_t* const to = stack.nodes + stack.size;
    stack.size += count;
    if (count > 4) {
        add_nearest_last(visit.met, to, entry);
        return;
    }
    std::uint64_t some[4];
    std::uint32_t met = visit.met;
    for (std::uint64_t& one : some) {
        const auto lane = static_cast<std::uint32_t>(lowest_bit(met | 1u << (kWidth - 1)));
        one = entry(lane) & (std::uint64_t(met == 0) - 1), met &= met - 1;
    }
    const auto order = [&](int i, int k) {
        const std::uint64_t a = some[i], b = some[k];
        some[i] = a < b ? b : a, some[k] = a < b ? a : b;
    };
    order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
    for (int i = 0; i < 4; ++i) to[i] = some[i];
}

}  // namespace abut::ABUT_ISA_NAMESPACE
