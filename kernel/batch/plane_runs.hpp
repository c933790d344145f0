// Pairs of a convex body and a half-space that is not in the store: the plane of ground under a body, or the plane
// through which a body leaves a solid.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory.hpp"
#include "base/scratch_columns.hpp"
#include "batch/child_results.hpp"
#include "batch/chunk_runs.hpp"
#include "batch/sort.hpp"

namespace abut {

// The plane contains the position of `plane` and is in its axes: solid where normal . x <= 0.
struct PlanePair {
    Body body, plane;
    maths::Vec3d normal;  // unit
    float rounding;       // of the half-space
};

class PlaneRuns {
public:
    void make_room(std::size_t pairs, bool with_reaches);
    // Different pairs may be set concurrently.
    void set(std::uint32_t at, const PlanePair& pair);
    void set_reach(std::uint32_t at, float reach) { reaches_[at] = reach; }

    // Computes the columns of `wanted` for the first `count` pairs, block by block. take(first, count, answers) gets
    // those of pairs first, first + 1, ... `wanted` and `parameters` are those of another frame.
    template <class Take>
    void run(const Frame& frame, std::uint32_t count, const QueryParameters& parameters, const ChunkRunner& runner,
             const OutputView& wanted, const Take& take) {
        for (std::uint32_t first = 0; first < count; first += kBlock) {
            const std::uint32_t block = std::min(kBlock, count - first);
            take(first, block, run_block(frame, first, block, parameters, runner, wanted));
        }
    }

    void reserve(std::size_t pairs);
    std::size_t bytes() const;

private:
    // The largest number of pairs computed together.
    static constexpr std::uint32_t kBlock = 1u << 16;

    OutputView run_block(const Frame& frame, std::uint32_t first, std::uint32_t count,
                         const QueryParameters& parameters, const ChunkRunner& runner, const OutputView& wanted);

    Vector<Body> bodies_;
    Vector<Pair> pairs_;
    Vector<float> reaches_;
    AlignedVector<InstanceRecord> records_;
    SortedPairs sorted_;
    ChildScratch scratch_;
};

}  // namespace abut
