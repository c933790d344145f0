// Decides whether the pairs of a list overlap in many configurations, one configuration per lane, by outlines of their
// shapes: exact for balls, capsules, boxes and half-spaces, bounds for others. What rounding or a bound leaves open is
// for the queries on pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/configurations.hpp>

#include "base/memory.hpp"
#include "base/scratch_columns.hpp"
#include "queries/configurations/sieve_chunk.hpp"
#include "shapes/tables.hpp"

namespace abut {

class PairSieve {
public:
    static constexpr std::uint32_t kMostLanes = 16;
    // Configurations of a block: first, first + 1, ...
    struct Block {
        std::uint32_t configuration, count;
        std::uint32_t first_hit[kMostLanes];  // the first pair that overlaps for certain, or kNoPair
        Vector<UnsurePair> unsure;            // those before it, ascending
    };

    // Keeps a view of `all`.
    void begin(const Configurations& all, Isa isa);
    // The number of configurations in a block.
    std::uint32_t lanes() const { return kernels_->lanes; }
    // Fills blocks of the configurations from `first` on, block by block.
    void run(std::uint32_t first, std::span<Block> blocks, const Executor& executor, std::size_t tasks);
    std::size_t bytes() const;

private:
    // Of a task.
    struct Scratch {
        AlignedVector<float> rows;
        Vector<std::uint8_t> is_placed;
        Vector<UnsurePair> unsure;
        Vector<Body> poses;      // of a block, where the columns are not floats and quaternions
        Vector<std::byte> last;  // the positions of the last configuration, with room for a fourth float
    };
    void add_body(ShapeId shape);
    void add_outline(const Outline& outline);
    SievePair sieve_pair(Pair pair) const;
    void run_block(Block& block, Scratch& scratch) const;

    Configurations all_;
    const SieveKernels* kernels_ = nullptr;
    Vector<Outline> outlines_;
    Vector<SieveBody> bodies_;  // then one without an outline
    Vector<SievePair> pairs_;
    Vector<Scratch> scratch_;
};

}  // namespace abut
