// Pairs of two surfaces (meshes or height fields). The nearest two triangles of each pair are found in double (surfaces/nearest_triangles.hpp), which
// decides an overlap; the kernels make the answer to `distance` of these two, as of any two flat hulls.
#pragma once

#include <cstdint>
#include <span>

#include "host/memory.hpp"
#include "pairs/child_pairs.hpp"
#include "pairs/sort.hpp"
#include "pipeline/chunk_runs.hpp"
#include "pipeline/triangle_pool.hpp"
#include "results/child_results.hpp"
#include "surfaces/nearest_triangles.hpp"

namespace abut {

class SurfaceRuns {
public:
    // Answers `entries`, pairs of the frame with two surfaces, in `out`. `collide` has no answer for them: Status::unsupported.
    void run(const Frame& frame, std::span<const Entry> entries, const QueryParameters& parameters, std::uint32_t max_child_pairs,
             const ChunkRunner& runner, const OutputView& out);

    // `tasks`: how many chunks run at once.
    void reserve(std::size_t pairs, std::size_t tasks);
    std::size_t bytes() const;

private:
    struct Call;  // run's arguments

    void find(const Call& call, std::size_t i);
    void answer(const Call& call);

    Vector<NearestTriangles> nearest_;  // by entry
    ChildPairs children_;               // those that were found
    SortedPairs sorted_;
    ChildScratch scratch_;
    TrianglePool pool_;
};

}  // namespace abut
