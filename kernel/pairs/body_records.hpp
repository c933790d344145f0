// Bodies that are columns become records, once per frame: cheaper than once per pair, as bodies are fewer than pairs as a rule. Bodies whose shapes have
// poses of their own become bodies with the poses of the shapes.
#pragma once

#include <cstddef>
#include <optional>

#include <abut/executor.hpp>
#include <abut/frame.hpp>

#include "frame/placed_shape.hpp"
#include "host/columns.hpp"
#include "host/memory.hpp"
#include "isa/kernels.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct ShapeOffsets {
    const PlacedShape* placed;
    Strided<Pair> pairs;

    Vec3 operator[](std::size_t pair) const { return placed[pairs[pair].a].offset; }
};

// Makes records of bodies for one frame after the other; keeps its memory.
class BodyRecords {
public:
    // The frame with records in place of its columns. None where it has records, or poses that only a pair has (doubles, relative poses), and where
    // bodies are many more than pairs: chunks then place the bodies of their pairs (frame/pair_records.hpp).
    // If a shape of the store has a pose, and of doubles where bodies are fewer than pairs: the frame of placed shapes. Where shapes have poses and
    // bodies are many more than pairs, or pairs have relative poses, its bodies are others, two for each pair, unless the bodies are to stay.
    std::optional<Frame> with_records(const Frame& frame, const Kernels& kernels, const Executor& executor, bool bodies_stay = false);
    // Of the last frame: its bodies, if they are placed shapes; if shapes have poses, what moves points from those to the bodies.
    const PlacedShape* placed() const { return placed_pairs_.empty() ? nullptr : placed_.data(); }
    ShapeOffsets offsets() const { return {placed_.data(), placed_pairs_}; }
    std::size_t bytes() const { return bytes_of(records_, placed_, pairs_); }

private:
    Frame with_placed(const Frame& frame, const ShapeTables& tables, const Kernels& kernels, const Executor& executor, bool bodies_stay);
    void place_pair(const Frame& frame, std::size_t i);

    Vector<Body> records_;
    AlignedVector<PlacedShape> placed_;
    Vector<Pair> pairs_;
    Strided<Pair> placed_pairs_;
};

}  // namespace abut
