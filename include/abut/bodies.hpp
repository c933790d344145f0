/// @file
/// Bodies in the engine's layout: 32-byte records, or one column per field.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/compiler.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/strided.hpp>

namespace abut {

/// 32 bytes: one fetch per body, two bodies per cache line. The fastest layout.
struct Body {
    Vec3 position;     ///< metres, world axes
    ShapeId shape;     ///< of the store of the frame
    Quat orientation;  ///< from the shape's axes to the world's
};
static_assert(sizeof(Body) == 32 && alignof(Body) == 4);

/// The pose of one frame in another, of a body or of a shape on its body: x becomes orientation * x + position.
struct RelativePose {
    Vec3 position;     ///< metres, along the axes of the other frame
    Quat orientation;  ///< of unit length to within 1%
};
static_assert(sizeof(RelativePose) == 28 && alignof(RelativePose) == 4);

/// One column per field, all of the same length. They may be members of the engine's own struct (Strided). Columns of
/// floats cost up to 4 ns per pair more than records.
struct BodyColumns {
    Strided<ShapeId> shapes;  ///< one per body; their number is that of the bodies
    /// One of the next two. Only the difference of a pair's two double positions is used, computed in double. It is as
    /// exact a million metres from the origin as near it. With `transforms` neither is needed.
    Strided<Vec3> positions = {};
    Strided<DVec3> double_positions = {};  ///< metres, instead of `positions`
    /// One of the next two. A transform is a rotation, column-major, and a translation, which is the position if no
    /// column above has it. Its axes are right-handed, at right angles and of unit length to within 1%. Other
    /// transforms are bad poses. The fourth row is not read.
    Strided<Quat> orientations = {};
    Strided<Mat44> transforms = {};  ///< instead of `orientations`
};

/// Records or columns.
class ABUT_API Bodies {
public:
    Bodies() = default;
    /// Records, also with a stride.
    Bodies(Strided<Body> records) : records_(records) {
        if (records.empty() || records.address(0) == nullptr) return;
        columns_.shapes = records.member<ShapeId>(offsetof(Body, shape));
        columns_.positions = records.member<Vec3>(offsetof(Body, position));
        columns_.orientations = records.member<Quat>(offsetof(Body, orientation));
    }
    /// `count` records, each `stride` bytes after the one before.
    Bodies(const Body* records, std::size_t count, std::size_t stride = sizeof(Body))
        : Bodies(Strided<Body>(records, count, stride)) {}
    /// A vector, an array, a span.
    template <class Records>
    requires std::convertible_to<const Records&, std::span<const Body>> Bodies(const Records& records)
        : Bodies(Strided<Body>(records)) {}
    Bodies(const BodyColumns& columns) : columns_(columns) {}

    /// The number of bodies.
    std::size_t size() const { return records_.empty() ? columns_.shapes.size() : records_.size(); }
    /// Whether there is no body.
    bool empty() const { return size() == 0; }
    /// Body i as a record: a double position is rounded, a transform's rotation becomes a quaternion (zero for a bad
    /// pose). Missing columns give zeros.
    Body operator[](std::size_t i) const;
    /// The position of body i, as exact as it was given; zero if no column has it.
    DVec3 position(std::size_t i) const;
    /// The records; empty if the bodies are columns.
    const Strided<Body>& records() const { return records_; }
    /// The columns; if the bodies are records, their members.
    const BodyColumns& columns() const { return columns_; }

private:
    Strided<Body> records_;
    BodyColumns columns_;
};

}  // namespace abut
