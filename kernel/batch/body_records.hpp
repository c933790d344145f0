// Converts bodies in columns to records once per frame, which is cheaper than once per pair: bodies usually are fewer
// than pairs. Bodies whose shapes have poses of their own become bodies with the poses of the shapes.
#pragma once

#include <cstddef>
#include <optional>

#include <abut/frame.hpp>
#include <abut/host.hpp>

#include "base/memory.hpp"
#include "base/scratch_columns.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "shapes/placed_shape.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct ShapeOffsets {
    const PlacedShape* placed;
    Strided<Pair> pairs;

    Vec3 operator[](std::size_t pair) const { return placed[pairs[pair].a].offset; }
};

// Makes records of the bodies of one frame after the other; reuses its memory.
class BodyRecords {
public:
    // Returns the frame with records instead of columns. With placed shapes instead, if a shape of the store has a
    // pose, or if positions are doubles and there are at most as many bodies as pairs. Placed shapes are two per pair
    // if pairs have relative poses or, unless `bodies_stay`, if there are more than twice as many bodies as pairs.
    // Returns nothing if the frame has records already, or if chunks place the bodies of their pairs
    // (convex/contract/pair_records.hpp): for other doubles, for relative poses, and for more than twice as many bodies
    // as pairs.
    std::optional<Frame> with_records(const Frame& frame, const Kernels& kernels, const Executor& executor,
                                      bool bodies_stay = false);
    // The bodies of the latest frame if they are placed shapes, otherwise null.
    const PlacedShape* placed() const { return placed_pairs_.empty() ? nullptr : placed_.data(); }
    // By pair of that frame: the offset from body a to its shape, by which points move so that they are relative to the
    // body.
    ShapeOffsets offsets() const { return {placed_.data(), placed_pairs_}; }
    std::size_t bytes() const { return bytes_of(records_, placed_, pairs_); }

private:
    Frame with_placed(const Frame& frame, const ShapeTables& tables, const Kernels& kernels, const Executor& executor,
                      bool bodies_stay);
    void place_pair(const Frame& frame, std::size_t i);

    Vector<Body> records_;
    AlignedVector<PlacedShape> placed_;
    Vector<Pair> pairs_;
    Strided<Pair> placed_pairs_;
};

}  // namespace abut
