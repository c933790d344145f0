// The first hits of rays with the bodies of a world. Many rays walk down the tree of the bodies' boxes together: in
// each round every ray finds its next boxes, and the pairs of all rays are answered by kind, one pair per SIMD lane.
#pragma once

#include <abut/world.hpp>

#include "base/memory.hpp"
#include "batch/query_context.hpp"
#include "queries/boxes/box_tree.hpp"
#include "queries/rays/body_blocks.hpp"
#include "queries/rays/ray_chunk.hpp"

namespace abut {

class WorldRays {
public:
    explicit WorldRays(QueryContext& context) : context_(context), kernels_(kernels_for<BoxKernels>(context.isa)) {}

    // Fills columns that have been checked.
    void answer(WorldRayColumns& out, const WorldBodies& world, const Rays& rays, const WorldRayOptions& options);

private:
    static constexpr std::uint32_t kMostPairs = BodyBlocks::kBlockPairs;

    struct Hit {
        double fraction;
        std::uint32_t body;
        Vec3 point, normal;
        std::uint32_t child;
        std::uint16_t face;
        std::uint8_t inside;
        Status status;

        bool comes_before(const Hit& other) const {
            return fraction != other.fraction ? fraction < other.fraction : body < other.body;
        }
    };
    // A ray in progress.
    struct Slot {
        BoxWalk walk;
        std::uint32_t ray, first_pair, pairs;  // of this round
        std::uint32_t left_out;
        bool is_used;
        Vector<Hit> hits;  // in order, at most max_hits
    };
    // The pairs of a round and their answers.
    struct Round {
        Pair pairs[kMostPairs];
        std::uint8_t hit[kMostPairs];
        Status status[kMostPairs];
        double fraction[kMostPairs];
        Vec3 point[kMostPairs], normal[kMostPairs];
        std::uint32_t child[kMostPairs];
        std::uint16_t face[kMostPairs];
        std::uint8_t inside[kMostPairs];
        std::uint32_t size;
    };
    struct Task {
        Vector<Slot> slots;
        Vector<std::uint32_t> active;  // slots
        Vector<Round> round;           // one
        std::size_t pairs;
    };
    struct Call;

    void run(const Call& call, Task& task, std::uint32_t first, std::uint32_t end);
    void advance(const Call& call, Slot& slot, std::uint32_t most, Round& round, std::uint32_t& next,
                 std::uint32_t end) const;
    bool start(const Call& call, Slot& slot, std::uint32_t ray) const;
    void find_pairs(const Call& call, Slot& slot, std::uint32_t most, Round& round) const;
    void take_hits(const Call& call, Slot& slot, const Round& round) const;

    QueryContext& context_;
    const BoxKernels* kernels_;
    Vector<RayBest> best_;  // by ray: where it ends
    Vector<Task> tasks_;
};

}  // namespace abut
