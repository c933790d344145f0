// Shared by the files of CastRuns: the arguments of a call, and blocks of its items.
#pragma once

#include "base/parallel/blocks.hpp"
#include "queries/casts/cast_runs.hpp"
#include "shapes/child_poses.hpp"

namespace abut {

struct CastRuns::Call {
    const Frame& frame;
    const Motions& motions;
    const CastOptions& options;
    std::uint32_t max_child_pairs;
    const ChunkRunner& runner;
    Status* status;
    bool with_triangles = false;  // B's children are the triangles of a surface

    const ShapeTables& tables() const { return tables_of(*frame.shapes); }
    std::size_t parts() const { return motions.ends.size(); }
    std::uint32_t body_of(std::uint32_t pair) const { return frame.pairs[pair].a; }
    double target(std::uint32_t pair) const { return options.targets.empty() ? options.target : options.targets[pair]; }
    double latest(std::uint32_t pair) const { return options.latest.empty() ? 1.0 : double(options.latest[pair]); }
};

inline constexpr std::size_t kCastBlock = 128;
// Two points count as approaching if their closing speed exceeds this part of the speed: the error of a normal.
inline constexpr double kNormalError = 4e-6;
// Items are computed as soon as there are this many.
inline constexpr std::uint32_t kMostItems = 1u << 17;
// The most rounds for one part of a path; fast thin bodies that spin take 49 at the 99th percentile. A pair that is
// still within the tolerance after kFewRounds is a hit.
inline constexpr std::uint32_t kFewRounds = 200, kMostRounds = 500;

// Calls visit(child, its shape, its pose) for the children of a compound at a pose; any other shape is its own child 0.
template <class Visit>
void for_each_child(const ShapeTables& tables, ShapeId shape, const PoseD& pose, const Visit& visit) {
    if (shape.kind() != ShapeKind::compound) return visit(0, shape, pose);
    const Vector<CompoundPart>& parts = tables.compound(shape).parts;
    for (std::uint32_t child = 0; child < parts.size(); ++child)
        visit(child, parts[child].instance, moved(pose, parts[child]));
}

}  // namespace abut
