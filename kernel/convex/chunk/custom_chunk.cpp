// A custom shape and anything else.
#include "convex/chunk/curved_states.hpp"
#include "convex/chunk/families.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void run_custom(const Chunk& chunk, ChunkCounters& counters) {
    Run run(chunk, counters);
    run_with<CustomCore>(run);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
