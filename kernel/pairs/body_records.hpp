// Bodies that are columns become records, once per frame: cheaper than once per pair, as bodies are fewer than pairs as a rule. Bodies whose shapes have
// poses of their own become bodies with the poses of the shapes.
#pragma once

#include <cstddef>
#include <optional>

#include <abut/executor.hpp>
#include <abut/frame.hpp>

#include "host/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Keeps its memory.
class BodyRecords {
public:
    // The frame with records in place of its columns. None where it has records, or poses that only a pair has (doubles, relative poses), and where
    // bodies are many more than pairs: chunks then place the bodies of their pairs (frame/pair_records.hpp).
    // If a shape of the store has a pose: the frame of the shapes' poses, with positions in double. Where bodies are many more than pairs, or pairs have
    // relative poses, its bodies are others, two for each pair, unless the bodies are to stay.
    std::optional<Frame> with_records(const Frame& frame, const Executor& executor, bool bodies_stay = false);
    // Of the last frame: whether points are relative to the shapes' positions, and what pair i's are then from the position of its body A.
    bool has_offsets() const { return !placed_pairs_.empty(); }
    Vec3 moved(Vec3 point, std::size_t pair) const {
        const Vec3 offset = placed_[placed_pairs_[pair].a].offset;
        return {point.x + offset.x, point.y + offset.y, point.z + offset.z};
    }
    std::size_t bytes() const {
        return records_.capacity() * sizeof(Body) + placed_.capacity() * sizeof(PlacedShape) + pairs_.capacity() * sizeof(Pair);
    }

private:
    // A shape as if it were its body.
    struct PlacedShape {
        DVec3 position;
        ShapeId shape;
        Quat orientation;
        Vec3 offset;  // from the body's position
    };
    static PlacedShape placed(const ShapeTables& tables, Body body, const DVec3& at, bool is_valid);
    Frame with_poses(const Frame& frame, const ShapeTables& tables, const Executor& executor, bool bodies_stay);
    void place_pair(const Frame& frame, const ShapeTables& tables, std::size_t i);

    Vector<Body> records_;
    Vector<PlacedShape> placed_;
    Vector<Pair> pairs_;
    Strided<Pair> placed_pairs_;
};

}  // namespace abut
