// Decides which pairs of a list overlap, and which may have the least distance, in many configurations, one per lane,
// by outlines of their shapes: exact for balls, capsules, boxes and half-spaces, bounds for others. The queries on
// pairs answer the pairs that rounding or a bound leaves open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/configurations.hpp>

#include "base/memory.hpp"
#include "base/scratch_columns.hpp"
#include "batch/query_context.hpp"
#include "queries/configurations/distance_field.hpp"
#include "queries/configurations/sieve_chunk.hpp"
#include "shapes/tables.hpp"

namespace abut {

class PairSieve {
public:
    static constexpr std::uint32_t kMostLanes = 16;
    static constexpr std::uint32_t kNoPath = 0xffffffffu;
    // Configurations: first, first + stride, ... The configurations of a path share one answer; the others have an
    // answer each.
    struct Block {
        std::uint32_t first, count, stride = 1, path = kNoPath;
        std::uint32_t first_hit[kMostLanes];  // overlaps: the first pair that overlaps for certain, or kNoPair
        float high[kMostLanes];               // distances: an upper bound on the least distance
        Vector<UndecidedPair> undecided;      // overlaps: those before the first hit; distances: any that may be least
        Vector<float> low;                    // distances: by lane, a lower bound for each undecided pair

        std::uint32_t configuration(std::uint32_t lane) const { return first + lane * stride; }
        std::size_t bytes() const { return bytes_of(undecided, low); }
    };

    // Keeps a view of `all`.
    void begin(const Configurations& all, Isa isa);
    // The number of configurations in a block.
    std::uint32_t lanes() const { return kernels_->lanes; }
    // The functions fill blocks whose configurations are set.
    void find_overlaps(std::span<Block> blocks, const QueryContext& context);
    void bound_distances(std::span<Block> blocks, const QueryContext& context, const DistanceOptions& options);
    std::size_t bytes() const;

private:
    // The scratch of a task.
    struct Scratch {
        AlignedVector<float> rows;
        Vector<std::uint8_t> is_placed;
        Vector<UndecidedPair> undecided;
        Vector<float> low;
        const std::byte *positions[kMostLanes], *orientations[kMostLanes];
        float slack = 0;  // of the obstacles
        Vector<Quat> positions_of_doubles;
        Vector<std::byte> last;  // see with_room
    };
    void add_body(ShapeId shape);
    void begin_obstacles();
    void add_outline(const Outline& outline);
    ManyChildren many_children(ShapeId compound);
    SievePair sieve_pair(Pair pair) const;
    void fetch_poses(const Block& block) const;
    template <class Run>
    void for_each_block(std::span<Block> blocks, const QueryContext& context, const Run& run);
    const std::byte* with_room(const std::byte* positions, std::size_t stride, Scratch& scratch) const;
    const std::byte* floats_of(std::size_t configuration, Vector<Quat>& to) const;
    SieveChunk chunk_of(Scratch& scratch) const;
    void load_obstacles(Scratch& scratch) const;
    void load_block(const Block& block, SieveChunk& chunk, Scratch& scratch) const;

    Configurations all_;
    Bodies poses_;  // of all configurations
    Vector<Body> obstacles_;
    bool has_doubles_ = false;  // positions of obstacles are then relative to origin_
    DVec3 origin_;
    std::size_t moving_outlines_ = 0;
    const SieveKernels* kernels_ = nullptr;
    Vector<Outline> outlines_;
    Vector<SieveBody> bodies_;  // the bodies, then one without an outline
    Vector<SievePair> pairs_;
    DistanceFields fields_;
    Vector<Scratch> scratch_;
};

}  // namespace abut
