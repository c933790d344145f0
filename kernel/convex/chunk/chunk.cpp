// Selects the family of kinds of a chunk.
#include "convex/chunk/families.hpp"

#include "convex/chunk/run.hpp"
#include "shapes/kinds.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void run_chunk(const Chunk& chunk, ChunkCounters& counters) {
    const ShapeKind a = chunk.kind_a, b = chunk.kind_b;  // in canonical order
    if (b == ShapeKind::custom) return ABUT_NARROWEST_NAMESPACE::run_custom(chunk, counters);
    Run run(chunk, counters);
    if (b == ShapeKind::halfspace) return run_halfspace(run);
    if (is_curved(b)) return run_curved(run);
    if (b == ShapeKind::hull) return run_polytope(run);
    if (b == ShapeKind::box && a != ShapeKind::sphere) return run_box(run);
    run_round(run);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
