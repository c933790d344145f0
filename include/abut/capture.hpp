// CaptureWriter: records the frames of an engine into a capture (*.abut), which `abut replay` and `abut dump` read. A library of its own:
// find_package(abut COMPONENTS capture), abut::capture. docs/formats.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>

namespace abut {

struct CaptureChild;

// A shape as the engine describes it: metres, in the body's frame; the kind tells which fields count. Values are written as they are, also
// those that a ShapeStore would refuse. The writer copies what `vertices` and `children` point to.
struct CaptureShape {
    ShapeKind kind = ShapeKind::none;
    float radius = 0.0f;                     // sphere, capsule, cylinder, cone
    float half_height = 0.0f;                // capsule, cylinder, cone
    Vec3 extents;                            // box: half extents; ellipsoid: radii; halfspace: normal
    float offset = 0.0f;                     // halfspace
    std::span<const Vec3> vertices = {};     // hull: the points
    const CaptureChild* children = nullptr;  // compound: `child_count` of them, at most 16 compounds deep
    std::size_t child_count = 0;
    float rounding = 0.0f;
    std::optional<Vec3> scale = {};
};

struct CaptureChild {
    CaptureShape shape;
    Vec3 position;
    Quat orientation;
};

// abut::Body with a shape's index in the capture in place of its id.
struct CaptureBody {
    Vec3 position;
    std::uint32_t shape = 0;
    Quat orientation;
};
static_assert(sizeof(CaptureBody) == sizeof(Body));

// Everything is kept in memory until write(). A call that is refused changes nothing but error(). No exceptions leave it. One thread at a
// time. Equal content makes equal bytes, in whatever order shapes and frames were added.
class CaptureWriter {
public:
    static constexpr std::uint32_t kRefused = ~0u;

    CaptureWriter();
    ~CaptureWriter();
    CaptureWriter(CaptureWriter&&) noexcept;
    CaptureWriter& operator=(CaptureWriter&&) noexcept;

    // The shape's index, counted from 0; kRefused for a kind that captures do not have (custom, none), too deep a compound, or too much data.
    std::uint32_t add_shape(const CaptureShape& shape);
    // The shape as `store` has it: a hull with the vertices that were cooked, a compound as compound_children gives it, with poses in
    // float32. kRefused where `id` names no living shape.
    std::uint32_t add_shape(const ShapeStore& store, ShapeId id);
    // Bodies of `id` have this shape in frames added later. For hulls with all of their points and compounds of compounds as they were made.
    bool bind(ShapeId id, std::uint32_t shape);

    // Shapes and pairs are indices in range; the label is UTF-8. Positions and orientations may be anything, NaN included.
    bool add_frame(std::string_view label, std::span<const CaptureBody> bodies, std::span<const Pair> pairs);
    // The frame as a NarrowPhase gets it. Shapes that are met for the first time are added from its store, and again when their scale or
    // rounding has changed. They are told apart by their ids: a writer takes frames of one store, and none after its forget_removed().
    // A file has one world, in float: of relative poses and of doubles each pair becomes two bodies of its own, A at the origin.
    bool add_frame(std::string_view label, const Frame& frame);

    std::uint32_t shape_count() const;
    std::size_t frame_count() const;

    // The file's bytes, on a 4-byte boundary, until the next call; none where memory ends.
    std::span<const std::byte> bytes();
    // Writes all that was added so far. A file that exists keeps its mode and its links, and stays as it was where the disk is full.
    bool write(const char* path);

    // Why the last call was refused: names the thing and its value. Until the next call.
    const char* error() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
