// Shapes with poses against the bodies of a world: the tree finds the pairs, the queries on pairs answer them.
#pragma once

#include <abut/world.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_blocks.hpp"
#include "queries/boxes/pair_search.hpp"
#include "queries/casts/cast_runs.hpp"
#include "queries/pairs/pair_queries.hpp"
#include "queries/world/joined_bodies.hpp"

namespace abut {

class WorldShapes {
public:
    WorldShapes(PairQueries& pairs, CastRuns& casts)
        : context_(pairs.context),
          pair_queries_(pairs),
          cast_runs_(casts),
          kernels_(kernels_for<BoxKernels>(pairs.context.isa)) {}

    // The overlapping pairs, valid until the next call. Sets status_of.
    std::span<const Pair> overlap(const WorldBodies& world, const Bodies& shapes, const WorldFilter& filter);
    // Status of each shape of the previous overlap.
    std::span<const Status> statuses() const { return status_; }

    // Fills columns that have been checked.
    void answer(WorldCastColumns& out, const WorldBodies& world, const Bodies& shapes, const Motions& motions,
                const WorldCastOptions& options);

private:
    // The answers of a cast, by pair.
    struct Casts {
        Vector<std::uint32_t> bits;
        Vector<double> time;
        Vector<float> distance;
        Vector<Vec3> normal, point_a, point_b;
        Vector<std::uint32_t> child_a, child_b;
        Vector<Status> status;

        CastColumns columns(std::size_t pairs);
    };

    Workers workers() const { return {context_.executor, context_.tasks()}; }
    void begin_statuses(const WorldBodies& world, const Bodies& shapes);
    std::span<const Pair> find_overlaps(const WorldBodies& world, const Bodies& shapes, const WorldFilter& filter);
    std::span<const Pair> find_swept(const WorldBodies& world, const Bodies& shapes, const Motions& motions,
                                     const WorldCastOptions& options);

    QueryContext& context_;
    PairQueries& pair_queries_;
    CastRuns& cast_runs_;
    const BoxKernels* kernels_;
    PairSearch search_;
    BoxBlocks boxes_;
    Vector<Bounds> bounds_;
    Vector<float> margins_;
    Vector<RayLine> lines_;
    Vector<std::uint8_t> bad_;
    Vector<std::uint32_t> line_ids_, bits_;
    Vector<Pair> found_;
    Vector<Status> status_, pair_status_;
    JoinedBodies joined_;
    Vector<JoinedBodies> ends_;
    Vector<Bodies> all_ends_;
    Vector<Vec3> centers_;
    Casts casts_;
};

}  // namespace abut
