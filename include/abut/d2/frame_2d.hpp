/// @file
/// d2::Frame: one batch in the plane, read in place. Bodies are 20-byte records, or one column per field.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/columns.hpp>
#include <abut/compiler.hpp>
#include <abut/d2/shapes_2d.hpp>
#include <abut/d2/vec2.hpp>
#include <abut/frame.hpp>

namespace abut::d2 {

using abut::Pair;

/// 20 bytes, Box2D's pose and a shape: the fastest layout.
struct Body {
    Vec2 position;  ///< metres, world axes
    Rot rotation;   ///< from the shape's axes to the world's
    ShapeId shape;  ///< of the store of the frame
};
static_assert(sizeof(Body) == 20 && alignof(Body) == 4);

/// One column per field, all of the same length.
struct BodyColumns {
    Strided<ShapeId> shapes;  ///< one per body; their number is that of the bodies
    /// One of the next two. Of double positions only the difference of a pair's two is used, computed in double.
    Strided<Vec2> positions = {};
    Strided<DVec2> double_positions = {};  ///< metres, instead of `positions`
    /// One of the next two.
    Strided<Rot> rotations = {};
    Strided<float> angles = {};  ///< radians, any number of turns, instead of `rotations`; equal bits on every machine
};

/// Records or columns.
class ABUT_API Bodies {
public:
    Bodies() = default;
    /// Records, also with a stride.
    Bodies(Strided<Body> records) : records_(records) {
        if (records.empty() || records.address(0) == nullptr) return;
        columns_.shapes = records.member<ShapeId>(offsetof(Body, shape));
        columns_.positions = records.member<Vec2>(offsetof(Body, position));
        columns_.rotations = records.member<Rot>(offsetof(Body, rotation));
    }
    /// A vector, an array, a span.
    template <class Records>
    requires std::convertible_to<const Records&, std::span<const Body>> Bodies(const Records& records)
        : Bodies(Strided<Body>(records)) {}
    Bodies(const BodyColumns& columns) : columns_(columns) {}

    /// The number of bodies.
    std::size_t size() const { return records_.empty() ? columns_.shapes.size() : records_.size(); }
    /// Body i as a record: a double position is rounded, an angle becomes a rotation.
    Body operator[](std::size_t i) const;
    /// The position of body i, as exact as it was given.
    DVec2 position(std::size_t i) const;
    /// The records; empty if the bodies are columns.
    const Strided<Body>& records() const { return records_; }
    /// The columns; if the bodies are records, their members.
    const BodyColumns& columns() const { return columns_; }

private:
    Strided<Body> records_;
    BodyColumns columns_;
};

/// The rotation by an angle in radians: the nearest floats to its cosine and sine, the same bits on every machine.
ABUT_API Rot rotation_of(double angle);

/// Bodies, pairs and what a query needs for each pair.
struct Frame {
    const ShapeStore* shapes = nullptr;  ///< of all bodies
    Bodies bodies;                       ///< records or columns
    Strided<Pair> pairs;                 ///< indices of bodies, (i, i) allowed; at most 2^31 - 1 pairs
    /// Optional, one value per pair: the speculative margin of `collide` in metres, instead of
    /// Settings::speculative_margin.
    Strided<float> margins = {};
};

}  // namespace abut::d2
