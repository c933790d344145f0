// Pairs of bodies of which one is a chain or a compound. Their convex parts are answered one by one, in double and in
// world axes relative to A's position: nearest bounds first, until no remaining part can be nearer than required. An
// overlap ends at the first hit. A distance is that of the nearest parts. A collision gives one manifold per pair of
// parts, on a chain one per line.
#pragma once

#include "d2/convex/plane_chunk.hpp"
#include "d2/convex/plane_core.hpp"

namespace abut::d2 {

// A manifold of two parts, in the caller's order, with positions relative to the caller's A.
struct PartManifold {
    std::uint32_t child_a, child_b;
    std::uint32_t contact_count;
    ManifoldRecord record;
    double tolerance = 0;  // how far another normal may move its points off their surfaces
};

// Answers a pair in canonical order at its index. Manifolds are appended to `manifolds` in the order of (child of the
// canonical A, child of the canonical B); out.contact_count is not written.
void answer_parts(const ShapeTables& tables, const Body& a, const Body& b, std::uint32_t pair_and_swap,
                  const QueryParameters& asked, const OutputView& out, Vector<PartManifold>& manifolds);

}  // namespace abut::d2
